// A headless Chromium driven over a pipe, by its DevTools protocol.
//   const b = await browserStart(size, dark); await b.open(url); await b.evaluate(text); await b.close()
'use strict';
const {spawn} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

class Browser {
  constructor(child, folder) {
    this.child = child;
    this.folder = folder;
    this.next = 1;
    this.waiting = new Map();
    this.requests = [];
    this.errors = [];
    let text = '';
    child.stdio[4].setEncoding('utf8');
    child.stdio[4].on('data', (part) => {
      const messages = (text + part).split('\0');
      text = messages.pop();
      messages.forEach((m) => this.received(JSON.parse(m)));
    });
  }

  received(m) {
    if (m.method === 'Network.requestWillBeSent') this.requests.push(m.params.request.url);
    if (m.method === 'Runtime.exceptionThrown') this.errors.push(m.params.exceptionDetails.exception?.description || m.params.exceptionDetails.text);
    if (m.method === 'Log.entryAdded' && m.params.entry.level === 'error') this.errors.push(m.params.entry.text);
    const w = this.waiting.get(m.id);
    if (!w) return;
    this.waiting.delete(m.id);
    if (m.error) w.failed(new Error(m.error.message));
    else w.done(m.result);
  }

  send(method, params = {}, session = this.session) {
    const id = this.next++;
    this.child.stdio[3].write(JSON.stringify({id, method, params, sessionId: session}) + '\0');
    return new Promise((done, failed) => this.waiting.set(id, {done, failed}));
  }

  async attach(size, dark) {
    const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'}, undefined);
    const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true}, undefined);
    this.session = sessionId;
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await this.send(domain + '.enable');
    await this.send('Emulation.setDeviceMetricsOverride', {width: size[0], height: size[1], deviceScaleFactor: 1, mobile: size[0] < 600});
    await this.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]});
    await this.send('Network.emulateNetworkConditions', {offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1});
  }

  open(url) { return this.send('Page.navigate', {url}); }

  async evaluate(expression) {
    const r = await this.send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
    if (r.exceptionDetails) throw new Error(r.exceptionDetails.exception?.description || r.exceptionDetails.text);
    return r.result.value;
  }

  // Until the expression is true; false after the time.
  async until(expression, ms = 20000) {
    for (const end = Date.now() + ms; Date.now() < end;) {
      if (await this.evaluate(expression).catch(() => false)) return true;
      await new Promise((done) => setTimeout(done, 25));
    }
    return false;
  }

  async key(key, code, text, modifiers = 0) {
    await this.send('Input.dispatchKeyEvent', {type: text ? 'keyDown' : 'rawKeyDown', key, code: key, windowsVirtualKeyCode: code, text, modifiers});
    await this.send('Input.dispatchKeyEvent', {type: 'keyUp', key, code: key, windowsVirtualKeyCode: code, modifiers});
  }
  type(text) { return this.send('Input.insertText', {text}); }

  async screenshot(file) {
    const {data} = await this.send('Page.captureScreenshot', {format: 'png'});
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }

  async close() {
    const ended = new Promise((done) => this.child.once('exit', done));
    await this.send('Browser.close', {}, undefined).catch(() => this.child.kill());
    await ended;
    fs.rmSync(this.folder, {recursive: true, force: true, maxRetries: 5});
  }
}

async function browserStart(program, size = [1280, 800], dark = false) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dagaz-page-'));
  const child = spawn(program, ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-pipe',
    '--user-data-dir=' + folder], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
  const browser = new Browser(child, folder);
  await browser.attach(size, dark);
  return browser;
}

module.exports = {browserStart};
