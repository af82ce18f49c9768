// The page in headless Chromium, opened from the file system without a network.
//   node page.js CHROMIUM PAGE.html [FOLDER]   FOLDER: for screenshots
'use strict';
const path = require('node:path');
const {browserStart} = require('./browser.js');
const [program, page, shots] = process.argv.slice(2);
const url = 'file://' + path.resolve(page);
let passed = 0, failed = 0;

function is(what, ok, seen = '') {
  if (ok) passed++;
  else {
    failed++;
    console.log(`not so: ${what} ${seen}`);
  }
}

const settled = 'Number(document.body.dataset.turn) === turn';
const derivativeText = "document.getElementById('derivative').textContent";
const choose = (id, value) => `(() => { const e = document.getElementById('${id}'); e.value = ${JSON.stringify(value)};
  e.dispatchEvent(new Event('change')); e.dispatchEvent(new Event('input')); })()`;
const write = (text) => `editor.value = ${JSON.stringify(text)}; editor.onchange()`;

async function settle(b) {
  await new Promise((done) => setTimeout(done, 160));
  return b.until(settled);
}

// Wheel, keys and mouse as a user has them, but for choices in lists.
async function examples(b) {
  for (const language of ['fut', 'c']) {
    await b.evaluate(choose('language', language));
    await settle(b);
    const titles = await b.evaluate(`EXAMPLES.filter((e) => e.language === '${language}').map((e) => e.title)`);
    const modes = await b.evaluate(`MODES.${language}.map((m) => m[0])`);
    for (const title of titles) {
      await b.evaluate(choose('example', title));
      for (const mode of modes) {
        await b.evaluate(choose('mode', mode));
        await settle(b);
        const status = await b.evaluate("document.getElementById('status').textContent");
        const linked = await b.evaluate("document.querySelectorAll('#derivative .line[data-from]').length");
        is(`${title}, ${mode}: a derivative with linked lines`, /^derived in/.test(status) && linked > 1, status);
      }
      if (!await b.evaluate(`EXAMPLES.find((e) => e.language === '${language}' && e.title === ${JSON.stringify(title)}).expression`)) continue;
      await b.evaluate("chooseTab(document.getElementById('tab-values'))");
      await settle(b);
      const curves = await b.evaluate("[...document.querySelectorAll('#plot path.curve')].map((p) => p.getAttribute('d').length)");
      is(`${title}: plotted with its derivative`, curves.length === 2 && curves.every((n) => n > 500),
         await b.evaluate("document.getElementById('plot').textContent"));
      is(`${title}: evaluated`, await b.evaluate("/\\d/.test(document.getElementById('value').textContent) && !document.querySelector('#value.failed')"),
         await b.evaluate("document.getElementById('value').textContent"));
      const slope = await b.evaluate('slopeError()');
      is(`${title}: the plotted derivative is the slope of the plotted value`, slope < 0.02, slope);
      await b.evaluate("chooseTab(document.getElementById('tab-report'))");
      await settle(b);
      is(`${title}: a report`, await b.evaluate("document.querySelector('#report pre') !== null && document.getElementById('report').textContent.length > 20"));
      await b.evaluate("chooseTab(document.getElementById('tab-derivative'))");
    }
  }
}

// The largest difference of the plotted derivative and central differences of the plotted values, by the largest derivative.
const slopeError = `function slopeError() {
  const [f, g] = plotted, h = f.xs[1] - f.xs[0];
  const most = Math.max(...g.ys.map(Math.abs));
  let worst = 0;
  for (let i = 1; i + 1 < f.xs.length; i++) worst = Math.max(worst, Math.abs((f.ys[i + 1] - f.ys[i - 1]) / (2 * h) - g.ys[i]));
  return worst / most;
}`;

async function mistakes(b) {
  await b.evaluate(choose('language', 'fut'));
  await settle(b);
  await b.evaluate(write('entry f (x: f64) : f64 =\n  let y = x * x\n  in y + zzz\n'));
  await settle(b);
  is('an unknown name is marked on its line', await b.evaluate("document.querySelectorAll('.editor .line.error').length === 1 && document.querySelectorAll('.editor .line')[2].classList.contains('error')"));
  is('its message has place, text and excerpt', /program\.fut:3:10.*zzz/s.test(await b.evaluate("document.getElementById('messages').textContent")));
  if (shots) await b.screenshot(path.join(shots, 'error.png'));
  await b.evaluate("document.querySelector('.message .where').click()");
  is('its place is a button to the line', await b.evaluate('document.activeElement === editor.area && editor.caretLine() === 3'));
  await b.evaluate(write('entry f (x: f64) : f64 = x * (\n'));
  await settle(b);
  is('a syntax error is shown', await b.evaluate("document.querySelectorAll('.message.error').length > 0"));
  await b.evaluate(write(''));
  await settle(b);
  is('an empty program is an error, not a crash', await b.evaluate("document.querySelectorAll('.message.error').length > 0"));
  await b.evaluate(write('entry f (x: f64) : f64 = ' + '('.repeat(20000) + 'x' + ')'.repeat(20000) + '\n'));
  await settle(b);
  const deep = await b.evaluate("document.getElementById('messages').textContent");
  is('deep nesting is an error, not a crash', /nested|deep/i.test(deep), deep.slice(0, 200));
  await b.evaluate(write('entry f (x: f64) : f64 = x * x\n'));
  await settle(b);
  is('the next program works', await b.evaluate("document.querySelectorAll('.message').length === 0 && /f_vjp/.test(" + derivativeText + ')'));
  await b.evaluate(choose('language', 'c'));
  await settle(b);
  await b.evaluate(write('#include <math.h>\n#include <nothing.h>\ndouble f(double x) { return sin(x); }\n') + "; document.getElementById('head').value = 'f'");
  await settle(b);
  is('a missing header is marked on its line', await b.evaluate("document.querySelectorAll('.editor .line')[1].classList.contains('error')"));
  await b.evaluate(write('#include <math.h>\n#define SQUARE(a) ((a)*(a))\ndouble f(double x) { return SQUARE(sin(x)); }\n'));
  await settle(b);
  is('macros are expanded', /cos\(x\)/.test(await b.evaluate(derivativeText)), await b.evaluate(derivativeText));
}

async function links(b) {
  await b.evaluate(choose('language', 'c'));
  await b.evaluate(choose('example', 'Loop that overwrites'));
  await settle(b);
  const line = await b.evaluate("[...document.querySelectorAll('#derivative .line')].findIndex((d) => /yb\\[i\\] \\+= cos/.test(d.textContent))");
  const box = await b.evaluate(`(() => { const d = document.querySelectorAll('#derivative .line')[${line}]; d.scrollIntoView(); const r = d.getBoundingClientRect(); return [r.left + 80, r.top + 8]; })()`);
  await b.send('Input.dispatchMouseEvent', {type: 'mouseMoved', x: box[0], y: box[1]});
  const shown = await b.evaluate("[...document.querySelectorAll('.editor .line.shown')].map((d) => d.textContent)");
  is('hovering over the adjoint shows its statement', shown.length === 1 && /s = s \* sin/.test(shown[0]), shown);
  if (shots) await b.screenshot(path.join(shots, 'linked.png'));
  await b.evaluate('editor.goTo(6, 1); editor.oncaret(6)');
  is('the caret shows the lines of its statement', await b.evaluate("document.querySelectorAll('#derivative .line.shown').length >= 4"));
  await b.evaluate("document.getElementById('derivative').focus()");
  await b.key('ArrowDown', 40);
  await b.key('ArrowDown', 40);
  is('arrow keys move in the derivative', await b.evaluate("document.querySelectorAll('#derivative .line.current').length === 1 && document.querySelectorAll('.editor .line.shown').length === 1"));
  await b.key('Enter', 13, '\r');
  is('Enter goes to the source', await b.evaluate('document.activeElement === editor.area'));
}

async function keys(b) {
  await b.evaluate(choose('language', 'fut'));
  await settle(b);
  const unnamed = await b.evaluate("[...document.querySelectorAll('button, input, select, textarea')].filter((e) => !e.labels?.length && !e.getAttribute('aria-label') && !e.textContent.trim()).map((e) => e.id)");
  is('every control has a name', unnamed.length === 0, unnamed);
  await b.evaluate("document.getElementById('language').focus()");
  const seen = new Set();
  for (let i = 0; i < 24; i++) {
    seen.add(await b.evaluate("document.activeElement.id || document.activeElement.tagName"));
    if (await b.evaluate('document.activeElement === editor.area')) await b.key('Escape', 27);
    await b.key('Tab', 9);
  }
  const wanted = ['language', 'example', 'mode', 'entry', 'share', 'save', 'theme', 'TEXTAREA', 'tab-derivative', 'derivative'];
  is('Tab reaches every control', wanted.every((w) => seen.has(w)), wanted.filter((w) => !seen.has(w)));
  await b.evaluate("editor.value = ''; editor.area.focus()");
  await b.type('entry f (x: f64) : f64 =');
  await b.key('Enter', 13, '\r');
  await b.key('Tab', 9);
  await b.type('x * x * x');
  await settle(b);
  is('what is typed is derived', await b.evaluate("editor.value === 'entry f (x: f64) : f64 =\\n  x * x * x'") && /f_vjp/.test(await b.evaluate(derivativeText)), await b.evaluate('editor.value'));
}

async function share(b) {
  const link = await b.evaluate("share().then(() => location.href)");
  const typed = await b.evaluate('editor.value');
  await b.open('about:blank');
  await b.open(link);
  await b.until("typeof editor !== 'undefined' && document.body.dataset.turn !== undefined");
  is('a link holds the program', await b.evaluate('editor.value') === typed);
  await b.open('about:blank');
  await b.open(url + '#rubbish');
  await b.until("typeof editor !== 'undefined' && document.body.dataset.turn !== undefined");
  is('a damaged link is said to be one, the page works', await b.evaluate("document.querySelector('#derivative .line') !== null"));
}

async function times(b) {
  const from = Date.now();
  await b.open(url);
  const there = await b.until("document.querySelector('#derivative .line') !== null");
  console.log(`first derivative ${Date.now() - from} ms after opening`);
  is('a derivative when opened', there);
  const text = ['def f0 (x: f64) = x'];
  for (let i = 1; i < 49; i++) text.push(`def f${i} (x: f64) = f64.sin (f${i - 1} x) * x + ${i}`);
  text.push('entry g (x: f64) = f48 x');
  const ms = [];
  for (let i = 0; i < 12; i++) {
    await b.evaluate(write(text.join('\n') + '\n-- ' + i + '\n'));
    await settle(b);
    ms.push(await b.evaluate("Number(document.getElementById('status').textContent.replace(/\\D/g, ''))"));
  }
  console.log(`50 lines of the array language: ${ms.join(' ')} ms`);
}

async function looks() {
  for (const [name, size, dark] of [['wide', [1280, 800], false], ['dark', [1280, 800], true], ['phone', [390, 844], false]]) {
    const b = await browserStart(program, size, dark);
    await b.open(url);
    await b.until("document.querySelector('#derivative .line') !== null");
    await settle(b);
    is(`${name}: nothing is wider than the window`, await b.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    is(`${name}: ${dark ? 'dark' : 'light'}`, await b.evaluate(`document.documentElement.dataset.theme === '${dark ? 'dark' : 'light'}'`));
    if (shots) {
      await b.screenshot(path.join(shots, name + '.png'));
      await b.evaluate("chooseTab(document.getElementById('tab-values'))");
      await settle(b);
      await b.evaluate("document.getElementById('plot').scrollIntoView()");
      await b.screenshot(path.join(shots, name + '-plot.png'));
    }
    await b.close();
  }
}

async function main() {
  const b = await browserStart(program);
  await times(b);
  await b.evaluate(slopeError);
  await examples(b);
  await mistakes(b);
  await links(b);
  await keys(b);
  await share(b);
  is('nothing was requested from elsewhere', b.requests.every((u) => /^(file|data|blob|about):/.test(u)), b.requests);
  is('no script failed', b.errors.length === 0, b.errors.join('\n'));
  await b.close();
  await looks();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

main().catch((e) => {
  console.log(e.stack);
  console.log(`${passed} passed, ${failed + 1} failed`);
  process.exit(1);
});
