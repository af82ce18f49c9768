// The page: what is chosen and typed becomes commands of the compiler, and their output is shown.
'use strict';

const $ = (id) => document.getElementById(id);
const EXAMPLES = JSON.parse($('examples').textContent);
const MODES = {
  fut: [['vjp', 'reverse mode (vjp)'], ['jvp', 'forward mode (jvp)'], ['expand', 'derivatives written out']],
  c: [['adjoint', 'adjoint'], ['tangent', 'tangent']],
};
const FILE = {fut: 'program.fut', c: 'program.c'};
const compiler = new Compiler($('module').textContent.trim(), $('worker').textContent);
const editor = new Editor($('program'), 'Program text');
const tabs = [...document.querySelectorAll('[role="tab"]')];
let language = 'fut', turn = 0, links = {toSource: [], toOutput: new Map()}, saved = [];
document.documentElement.dataset.theme = storedText('dagaz-theme') ||
  (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

// ---- kept and shared ------------------------------------------------------------------------------------------
function storedText(key) {
  try { return localStorage.getItem(key); } catch (e) { return null; }
}
function storeText(key, text) {
  try { localStorage.setItem(key, text); } catch (e) { return; }
}

function stateNow() {
  return {language, text: editor.value, mode: $('mode').value, entry: $('entry').value, head: $('head').value,
          expression: $('expression').value, from: $('from').value, to: $('to').value, evaluate: $('evaluate').value};
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Response(bytes).body.pipeThrough(stream)).arrayBuffer());
}
async function packed(state) {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(state)));
  let text = '';
  for (const b of bytes) text += String.fromCharCode(b);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
async function unpacked(text) {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = Uint8Array.from(plain, (c) => c.charCodeAt(0));
  const state = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes)));
  if (!state || typeof state.text !== 'string' || !MODES[state.language]) throw new Error('no program');
  return state;
}

// ---- choices --------------------------------------------------------------------------------------------------
function fill(select, rows, value) {
  select.replaceChildren(...rows.map(([v, text]) => new Option(text, v)));
  if (rows.some(([v]) => v === value)) select.value = value;
}

function functionsOf(text) {
  const names = [];
  const pattern = language === 'fut' ? /^(entry|def|let)\s+([A-Za-z_][\w']*)/gm
                                     : /^(?!return\b|else\b|typedef\b)([A-Za-z_][\w \t*]*[\s*])([A-Za-z_]\w*)\s*\([^;{}]*\)\s*\{/gm;
  for (const m of text.matchAll(pattern)) names.push({name: m[2], entry: m[1] === 'entry'});
  return names;
}

function refreshFunctions() {
  const names = functionsOf(editor.value);
  if (language === 'c') $('functions').replaceChildren(...names.map((f) => new Option(f.name)));
  else {
    const before = $('entry').value, entries = names.filter((f) => f.entry), last = (entries.length ? entries : names).pop();
    const wanted = names.some((f) => f.name === before) ? before : last ? last.name : '';
    fill($('entry'), names.map((f) => [f.name, f.name]), wanted);
  }
}

function setLanguage(to) {
  language = editor.language = to;
  $('language').value = to;
  fill($('mode'), MODES[to]);
  fill($('example'), [['', 'choose ..'], ...EXAMPLES.filter((e) => e.language === to).map((e) => [e.title, e.title])]);
  $('entry-label').hidden = to !== 'fut';
  $('head-label').hidden = to !== 'c';
}

function setState(state) {
  setLanguage(state.language);
  editor.value = state.text;
  if (state.mode) $('mode').value = state.mode;
  $('head').value = state.head || '';
  for (const id of ['expression', 'from', 'to', 'evaluate']) $(id).value = state[id] || '';
  $('entry').replaceChildren(new Option(state.entry || ''));
  refreshFunctions();
  return update();
}

function setExample(example) {
  const done = setState(example);
  $('example').value = example.title;
  return done;
}

// ---- messages -------------------------------------------------------------------------------------------------
function excerptOf(m) {
  const line = m.line && m.file === FILE[language] ? editor.value.split('\n')[m.line - 1] : undefined;
  if (line === undefined) return '';
  const from = m.column - 1, to = m.endLine === m.line ? Math.max(m.endColumn - 1, from + 1) : line.length;
  return `<pre class="excerpt">${String(m.line).padStart(5)} | ${escapeText(line.slice(0, from))}<b>` +
         `${escapeText(line.slice(from, to))}</b>${escapeText(line.slice(to))}</pre>`;
}

function showMessages(messages) {
  $('messages').innerHTML = messages.map((m, i) => {
    const place = m.line ? `${m.severity === 'error' ? 'Error' : 'Warning'} at ${m.file}:${m.line}:${m.column}` : 'Error';
    return `<div class="message ${m.severity}"><button type="button" class="where" data-message="${i}">${escapeText(place)}</button>` +
      (m.code ? `<span class="code">${escapeText(m.code)}</span>` : '') +
      `<div class="text">${escapeText(m.text)}</div>${excerptOf(m)}` +
      m.notes.map((n) => `<div class="hint">${n.range ? 'line ' + n.range.start.line + ': ' : ''}${escapeText(n.message)}</div>`).join('') +
      (m.hint ? `<div class="hint">Hint: ${escapeText(m.hint)}</div>` : '') + '</div>';
  }).join('');
  editor.mark(messages.filter((m) => m.file === FILE[language]));
  $('messages').querySelectorAll('.where').forEach((b) => {
    const m = messages[b.dataset.message];
    b.onclick = () => m.line && m.file === FILE[language] && editor.goTo(m.line, m.column);
  });
}

// ---- the derivative beside its source -------------------------------------------------------------------------
// Printed programs of the array language name the line that the statements below come from.
function originsOfComments(text) {
  let from = 0;
  return text.split('\n').map((line) => {
    const m = line.match(/^\s*-- line (\d+): /);
    if (m) from = Number(m[1]);
    else if (/^(entry|def|let) /.test(line) || !line.trim()) from = 0;
    return from;
  });
}

function originsOfLines(text, lines) {
  const origins = text.split('\n').map(() => 0);
  for (const [line, from] of lines) origins[line - 1] = from;
  return origins;
}

function showDerivative(text, origins) {
  const lines = colouredLines(text, language);
  links = {toSource: origins, toOutput: new Map()};
  origins.forEach((from, i) => {
    if (from) links.toOutput.set(from, [...(links.toOutput.get(from) || []), i]);
  });
  $('derivative').innerHTML = '<pre>' + lines.map((html, i) =>
    `<div class="line"${origins[i] ? ` data-from="${origins[i]}"` : ''}>${html || ' '}</div>`).join('') + '</pre>';
  $('derivative').classList.remove('stale');
}

function showLinks(sourceLine) {
  editor.show(sourceLine ? [sourceLine] : []);
  const wanted = new Set(links.toOutput.get(sourceLine) || []);
  $('derivative').querySelectorAll('.line').forEach((div, i) => div.classList.toggle('shown', wanted.has(i)));
}

// From the source: the first of its lines in the derivative comes into view.
function followSource(line, scroll) {
  showLinks(line);
  const first = $('derivative').querySelector('.line.shown');
  if (first && scroll) first.scrollIntoView({block: 'nearest'});
}

function lineOfEvent(e) { return e.target.closest ? e.target.closest('.line[data-from]') : null; }

function moveInDerivative(e) {
  const list = [...$('derivative').querySelectorAll('.line[data-from]')];
  const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
  if (!list.length || (!step && e.key !== 'Enter')) return;
  e.preventDefault();
  let at = list.findIndex((div) => div.classList.contains('current'));
  if (e.key === 'Enter' && at >= 0) {
    editor.goTo(Number(list[at].dataset.from), 1);
    return;
  }
  if (at >= 0) list[at].classList.remove('current');
  at = Math.max(0, Math.min(list.length - 1, at < 0 ? 0 : at + step));
  list[at].classList.add('current');
  showLinks(Number(list[at].dataset.from));
  list[at].scrollIntoView({block: 'nearest'});
}

// ---- commands -------------------------------------------------------------------------------------------------
function deriveCommand() {
  if (language === 'fut')
    return ['derive', FILE.fut, '-e', $('entry').value, '--' + $('mode').value, '--error-format=json'];
  return [$('mode').value, FILE.c, '--head', $('head').value, '--lines', 'lines.json', '--error-format=json'];
}

async function derive(files) {
  const array = language === 'fut';
  const r = await compiler.run(deriveCommand(), files);
  if (r.status !== 0) return {r, messages: messagesOf(r.err)};
  if (array) return {r, messages: messagesOf(r.err), text: r.out, origins: originsOfComments(r.out)};
  const name = Object.keys(r.files).find((f) => f.endsWith('.c'));
  const written = Object.entries(r.files).filter(([f]) => f !== 'lines.json');
  return {r, messages: messagesOf(r.err), text: r.files[name], written,
          origins: originsOfLines(r.files[name], JSON.parse(r.files['lines.json']))};
}

function selected(id) { return !$(id).hidden; }

async function update() {
  const mine = ++turn, files = {[FILE[language]]: editor.value};
  refreshFunctions();
  storeText('dagaz-page', JSON.stringify(stateNow()));
  for (const id of ['derivative', 'report', 'plot']) $(id).classList.add('stale');
  const d = await derive(files);
  if (mine !== turn) return;
  showMessages(d.messages);
  const bad = d.r.status !== 0;
  $('status').textContent = bad ? 'no derivative: see the messages' : `derived in ${Math.max(1, Math.round(d.r.ms))} ms`;
  if (!bad) {
    saved = d.written || [['derivative.fut', d.text]];
    showDerivative(d.text, d.origins);
  }
  if (selected('report')) await report(files, mine);
  if (selected('values')) await values(files, mine);
  document.body.dataset.turn = mine;
}

async function report(files, mine) {
  if (language === 'c') {
    const r = await compiler.run(['report', FILE.c, '-e', $('head').value], files);
    if (mine !== turn) return;
    const headers = saved.filter(([name]) => name.endsWith('.h')).map(([name, text]) => `/* ${name} */\n${text}`);
    showReport(r, headers.join('\n'));
    return;
  }
  const r = await compiler.run(['explain', FILE.fut, '-e', $('entry').value], files);
  if (mine !== turn) return;
  showReport(r, '');
}

function showReport(r, below) {
  const text = below ? r.out + '\n' + below : r.out;
  $('report').innerHTML = r.status === 0 ? `<pre>${escapeText(text)}</pre>` : `<p class="failed">${escapeText(r.err)}</p>`;
  $('report').classList.remove('stale');
}

// ---- values and plot ------------------------------------------------------------------------------------------
const POINTS = 161;
let plotted = [];  // the curves
function numbersOf(text) {
  return text.replace(/[fiu]\d+(?:\.(nan|inf))?/g, (all, word) => word || '').replace(/^\[|\]$/g, '').split(',')
    .map((x) => {
      const t = x.trim().replace('inf', 'Infinity').replace('nan', 'NaN');
      return Number(t);
    });
}

// C runs as a program of the array language: `dagaz cc` translates the function to core, which is printed.  Its
// parameters are those of the C function, the lengths of arrays before them.
async function translated(files) {
  const head = $('head').value.trim().match(/^[A-Za-z_]\w*/);
  if (!head) return {failed: 'Which function? Write its name above.'};
  const core = await compiler.run(['cc', FILE.c, '--value', '--stage', 'core', '-e', head[0]], files);
  if (core.status !== 0) return {failed: core.err};
  const entry = core.out.replace(`fn ${head[0]} (`, `fn ${head[0]} entry (`);
  const r = await compiler.run(['derive', 'function.ir', '--expand', '-e', head[0]], {'function.ir': entry});
  return r.status === 0 ? {text: r.out} : {failed: r.err};
}

async function values(files, mine) {
  const program = language === 'c' ? await translated(files) : {text: editor.value};
  if (mine !== turn) return;
  $('signature').textContent = program.failed || language !== 'c' ? ''
    : 'called as ' + program.text.match(/^entry (.*?) =$/m)[1];
  $('value').textContent = '';
  if (program.failed) {
    $('plot').innerHTML = `<p class="failed">${escapeText(program.failed)}</p>`;
    $('plot').classList.remove('stale');
    return;
  }
  const source = {[FILE.fut]: program.text};
  await Promise.all([drawPlot(source, mine), showValue(source, mine)]);
}

async function drawPlot(files, mine) {
  const from = Number($('from').value), to = Number($('to').value), expression = $('expression').value.trim();
  let html = '';
  if (expression && !(Number.isFinite(from) && Number.isFinite(to) && from < to))
    html = '<p class="failed">The range needs two numbers, the first below the second.</p>';
  else if (expression) {
    const xs = [...Array(POINTS).keys()].map((i) => from + (to - from) * i / (POINTS - 1));
    const points = '[' + xs.map((x) => x.toString().replace('e+', 'e') + 'f64').join(',') + ']';
    const f = `(\\(t: f64) : f64 -> ${expression})`;
    const r = await compiler.run(['eval', '-f', FILE.fut, `map ${f} ${points}`, `map (\\t -> jvp ${f} t 1) ${points}`], files);
    if (mine !== turn) return;
    const lines = r.out.trim().split('\n');
    if (r.status === 0)
      plotted = [{name: expression, xs, ys: numbersOf(lines[0])}, {name: 'its derivative', xs, ys: numbersOf(lines[1])}];
    html = r.status === 0 ? plot(plotted) : `<p class="failed">${escapeText(r.err)}</p>`;
  }
  $('plot').innerHTML = html;
  $('plot').classList.remove('stale');
}

async function showValue(files, mine) {
  const expression = $('evaluate').value.trim();
  const r = expression ? await compiler.run(['eval', '-f', FILE.fut, expression], files) : {out: '', err: ''};
  if (mine !== turn) return;
  $('value').textContent = r.out + r.err;
  $('value').classList.toggle('failed', Boolean(r.err));
}

// ---- events ---------------------------------------------------------------------------------------------------
function selectTab(tab) {
  for (const t of tabs) {
    t.setAttribute('aria-selected', String(t === tab));
    t.tabIndex = t === tab ? 0 : -1;
    $(t.getAttribute('aria-controls')).hidden = t !== tab;
  }
}

function chooseTab(tab) {
  selectTab(tab);
  update();
}

function debounced(action, ms) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, ms);
  };
}

async function share() {
  const url = location.href.replace(/#.*/, '') + '#' + await packed(stateNow());
  history.replaceState(null, '', url);
  let copied = true;
  try { await navigator.clipboard.writeText(url); } catch (e) { copied = false; }
  $('status').textContent = copied ? 'the link is on the clipboard' : 'the link is in the address line';
}

function save() {
  for (const [name, text] of saved) {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(new Blob([text], {type: 'text/plain'}));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  }
}

function toggleTheme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  storeText('dagaz-theme', root.dataset.theme);
}

function listen() {
  const later = debounced(update, 120);
  editor.onchange = later;
  editor.oncaret = (line) => followSource(line, document.activeElement === editor.area);
  for (const id of ['expression', 'from', 'to', 'evaluate', 'head']) $(id).addEventListener('input', later);
  for (const id of ['mode', 'entry']) $(id).addEventListener('change', update);
  for (const form of document.querySelectorAll('form')) form.addEventListener('submit', (e) => e.preventDefault());
  $('language').addEventListener('change', () => setExample(EXAMPLES.find((e) => e.language === $('language').value)));
  $('example').addEventListener('change', () => {
    const example = EXAMPLES.find((e) => e.title === $('example').value && e.language === language);
    if (example) setExample(example);
  });
  $('share').addEventListener('click', share);
  $('save').addEventListener('click', save);
  $('theme').addEventListener('click', toggleTheme);
  for (const tab of tabs) {
    tab.addEventListener('click', () => chooseTab(tab));
    tab.addEventListener('keydown', (e) => {
      const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
      if (!step) return;
      const there = tabs.filter((t) => !t.hidden);
      const to = there[(there.indexOf(tab) + step + there.length) % there.length];
      to.focus();
      chooseTab(to);
    });
  }
  const derivative = $('derivative');
  derivative.addEventListener('mouseover', (e) => showLinks(lineOfEvent(e) ? Number(lineOfEvent(e).dataset.from) : 0));
  derivative.addEventListener('click', (e) => lineOfEvent(e) && editor.goTo(Number(lineOfEvent(e).dataset.from), 1));
  derivative.addEventListener('keydown', moveInDerivative);
  addEventListener('hashchange', start);
}

async function start() {
  let state = null;
  if (location.hash.length > 1) {
    try { state = await unpacked(location.hash.slice(1)); }
    catch (e) { $('status').textContent = 'the link holds no program'; }
  } else try { state = JSON.parse(storedText('dagaz-page')); } catch (e) { state = null; }
  const done = state && typeof state.text === 'string' && MODES[state.language] ? setState(state) : setExample(EXAMPLES[0]);
  await done;
}

listen();
compiler.ready.catch((e) => { $('status').textContent = 'This browser cannot run the compiler: ' + e.message; });
start();
