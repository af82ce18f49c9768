// The WebAssembly module against the native compiler: the same standard output, messages, status and files.
//   node module.js BUILD [COUNT]   COUNT: of random C programs
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {spawnSync} = require('node:child_process');
const build = path.resolve(process.argv[2] || 'build'), random = Number(process.argv[3] || 40);
const root = path.resolve(__dirname, '../..');
const {dagazRun} = require(path.join(root, 'page/wasi.js'));
const module_ = new WebAssembly.Module(fs.readFileSync(path.join(build, 'page/dagaz.wasm')));
let passed = 0, failed = 0;

function native(args, files, stdin) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dagaz-page-'));
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  const r = spawnSync(path.join(build, 'dagaz'), args, {cwd: folder, input: stdin, encoding: 'utf8'});
  const written = {};
  for (const name of fs.readdirSync(folder))
    if (files[name] !== fs.readFileSync(path.join(folder, name), 'utf8')) written[name] = fs.readFileSync(path.join(folder, name), 'utf8');
  fs.rmSync(folder, {recursive: true});
  return {status: r.status, out: r.stdout, err: r.stderr, files: written};
}

// Numbers of type variables in messages depend on the order in which a C compiler evaluates arguments.
function plain(r) { return {...r, err: r.err.replace(/\bt\d+\b/g, 't_')}; }

function same(args, files, stdin = '') {
  const own = ['adjoint', 'tangent', 'ctree'].includes(args[0]) ? ['--own-preprocessor'] : [];
  const want = plain(native([...args, ...own], files, stdin)), got = plain(dagazRun(module_, args, files, stdin));
  const parts = ['status', 'out', 'err'].filter((k) => got[k] !== want[k]);
  for (const name of new Set([...Object.keys(want.files), ...Object.keys(got.files)]))
    if (want.files[name] !== got.files[name]) parts.push(name);
  if (!parts.length) {
    passed++;
    return;
  }
  failed++;
  console.log(`dagaz ${args.join(' ')}: other ${parts.join(', ')}`);
  for (const k of parts.slice(0, 1)) console.log(`native: ${String(want[k]).slice(0, 400)}\npage:   ${String(got[k]).slice(0, 400)}`);
}

const read = (name) => fs.readFileSync(path.join(root, name), 'utf8');
const list = (folder, end) => fs.readdirSync(path.join(root, folder)).filter((f) => f.endsWith(end)).sort();

for (const name of list('page/examples', '.fut')) {
  const files = {'p.fut': read('page/examples/' + name)};
  const entry = files['p.fut'].match(/^entry (\w+)/m)[1];
  for (const mode of ['--vjp', '--jvp', '--expand']) same(['derive', 'p.fut', '-e', entry, mode], files);
  same(['explain', 'p.fut', '-e', entry], files);
  same(['ir', '-O', 'p.fut'], files);
  same(['check', 'p.fut'], files);
}
for (const name of [...list('page/examples', '.c').map((f) => 'page/examples/' + f),
                    ...list('tests/c/examples', '.c').filter((f) => !f.startsWith('check')).map((f) => 'tests/c/examples/' + f)]) {
  const files = {'p.c': read(name)};
  const heads = [...files['p.c'].matchAll(/^(?:double|void) \*?(\w+)\(/gm)].map((m) => m[1]).join(' ');
  for (const mode of ['adjoint', 'tangent']) same([mode, 'p.c', '--head', heads, '--lines', 'lines'], files);
  same(['ctree', 'p.c'], files);
}
for (const name of list('tests/error', '.fut')) same(['check', 'p.fut'], {'p.fut': read('tests/error/' + name)});
for (const name of list('tests/error/c', '.c')) {
  const text = read('tests/error/c/' + name), run = text.match(/^\/\/ run: (.*)/);
  const args = run ? run[1].match(/"[^"]*"|\S+/g).map((w) => w.replace(/"/g, '')) : ['ctree'];
  same([...args, 'p.c'], {'p.c': text});
}
const values = 'entry main (xs: []f64) (k: i64) = (map (** 2) xs, f64.sum xs, xs[k])\n';
same(['run', '--interp', 'v.fut'], {'v.fut': values}, '[1.5, -2, 1e300] 1');
same(['run', '--interp', 'v.fut'], {'v.fut': values}, '[1.5, -2] 7');
same(['eval', 'f64.sin 0.5', 'map (\\x -> f64.exp x / 3) [0.1, 1, 709]', 'i64.sum (iota 1000)', '1 / 0i32'], {});
same(['eval', '-f', 'none.fut', '1'], {});
same(['fmt', 'f.fut'], {'f.fut': 'def  f x=\n    x+1\n'});
same(['no-such-command'], {});
for (let seed = 1; seed <= random; seed++) {
  const text = native(['cgen', '--seed', String(seed)], {}, '').out;
  for (const mode of ['adjoint', 'tangent']) same([mode, 'r.c', '--head', 'f'], {'r.c': text});
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
