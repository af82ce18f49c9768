// The compiler in its worker: compiler.run(arguments, files, stdin) is a promise of
// {status, out, err, files, ms}.  A command that takes too long ends with its worker.
'use strict';

const COMPILER_MOST_MS = 10000;

class Compiler {
  constructor(base64, workerText) {
    this.url = URL.createObjectURL(new Blob([workerText], {type: 'text/javascript'}));
    this.waiting = new Map();
    this.next = 1;
    this.ready = new Promise((done, failed) => this.start({base64}, done, failed));
  }

  start(first, done, failed) {
    this.worker = new Worker(this.url);
    this.worker.onmessage = (event) => {
      const m = event.data;
      if (m.module) {
        this.module = m.module;
        done();
      } else if (m.failed) failed(new Error(m.failed));
      else this.answer(m.id, m);
    };
    this.worker.onerror = (e) => failed(new Error(e.message));
    this.worker.postMessage(first);
  }

  answer(id, result) {
    const w = this.waiting.get(id);
    if (!w) return;
    clearTimeout(w.timer);
    this.waiting.delete(id);
    w.done(result);
  }

  // All that wait end: they are on the worker that is lost.
  stop() {
    this.worker.terminate();
    const err = `dagaz: stopped after ${COMPILER_MOST_MS / 1000} seconds\n`;
    for (const id of [...this.waiting.keys()]) this.answer(id, {status: 1, out: '', err, files: {}, ms: COMPILER_MOST_MS});
    this.ready = new Promise((done, failed) => this.start({module: this.module}, done, failed));
  }

  async run(args, files, stdin) {
    await this.ready;
    const id = this.next++;
    return new Promise((done) => {
      this.waiting.set(id, {done, timer: setTimeout(() => this.stop(), COMPILER_MOST_MS)});
      this.worker.postMessage({id, args, files, stdin});
    });
  }
}

// Messages of --error-format=json, one a line; other lines as messages without a place.
function messagesOf(text) {
  const messages = [], rest = [];
  for (const line of text.split('\n')) {
    let m = null;
    if (line.startsWith('{')) try { m = JSON.parse(line); } catch (e) { m = null; }
    if (!m || !m.message) {
      if (line.trim()) rest.push(line);
      continue;
    }
    messages.push({severity: m.severity, code: m.code, text: m.message, file: m.file,
                   line: m.range && m.range.start.line, column: m.range && m.range.start.column,
                   endLine: m.range && m.range.end.line, endColumn: m.range && m.range.end.column,
                   notes: m.notes || [], hint: m.suggestion && m.suggestion.message});
  }
  if (rest.length) messages.push({severity: 'error', text: rest.join('\n'), notes: []});
  return messages;
}
