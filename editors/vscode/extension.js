// Starts the language server, `dagaz lsp`, for Futhark files.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = vscode.workspace.getConfiguration("dagaz").get("path", "dagaz");
  client = new LanguageClient(
    "dagaz", "Dagaz", { command, args: ["lsp"] },
    { documentSelector: [{ language: "futhark" }] });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `Cannot run "${command} lsp" (setting dagaz.path): ${error.message}`);
  }
}

async function stop() {
  if (client) await client.stop();
  client = undefined;
}

async function activate(context) {
  context.subscriptions.push(vscode.commands.registerCommand("dagaz.restart", async () => {
    await stop();
    await start();
  }));
  await start();
}

module.exports = { activate, deactivate: stop };
