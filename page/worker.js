// The worker: the module is decoded once; then each message {id, args, files, stdin} is answered by the
// result of dagazRun with the id and the milliseconds it took.
'use strict';
let dagazModule;

async function dagazDecode(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const plain = new Response(bytes).body.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(plain).arrayBuffer());
}

onmessage = async (event) => {
  const m = event.data;
  if (m.base64 || m.module) {
    try {
      dagazModule = m.module || await dagazDecode(m.base64);
      postMessage({module: dagazModule});
    } catch (e) {
      postMessage({failed: String(e)});
    }
    return;
  }
  const from = performance.now();
  const result = dagazRun(dagazModule, m.args, m.files, m.stdin);
  postMessage({id: m.id, ms: performance.now() - from, ...result});
};
