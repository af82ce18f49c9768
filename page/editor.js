// A small editor: a textarea whose text is shown, coloured and with line numbers, by a layer below it.
//   new Editor(parent, label)    .value, .language ('fut' or 'c'), .onchange, .oncaret
//   .mark(messages)   .show(lines)   .goTo(line, column)
'use strict';

const EDITOR_WORDS = {
  fut: 'let def entry in if then else loop for while do type module open import local case match val ' +
       'include assert with true false',
  c: 'auto break case char const continue default do double else enum extern float for goto if inline int ' +
     'long register restrict return short signed sizeof static struct switch typedef union unsigned void ' +
     'volatile while _Bool bool',
};
const EDITOR_TYPES = /^(?:[iu](?:8|16|32|64)|f(?:16|32|64)|bool)$/;
const EDITOR_TOKENS = {
  fut: /(--[^\n]*)|("(?:\\.|[^"\\\n])*")|([A-Za-z_]\w*'*)|(\d[\w.]*)|([^\w\s"]+|\s+|.)/g,
  c: /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|^[ \t]*#[^\n]*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|([A-Za-z_]\w*)|(\d[\w.]*)|([^\w\s"'\/#]+|\s+|.)/gm,
};

function escapeText(s) {
  return s.replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'}[c]));
}

// The text as lines of HTML.
function colouredLines(text, language) {
  const words = new Set(EDITOR_WORDS[language].split(' '));
  const span = (kind, s) => s.split('\n').map((x) => x && `<span class="${kind}">${escapeText(x)}</span>`).join('\n');
  const html = text.replace(EDITOR_TOKENS[language], (all, comment, string, name, number) => {
    if (comment) return span('comment', all);
    if (string) return span('string', all);
    if (name && words.has(name)) return span('word', all);
    if (name && EDITOR_TYPES.test(name)) return span('type', all);
    if (number) return span('number', all);
    return escapeText(all);
  });
  return html.split('\n');
}

class Editor {
  constructor(parent, label) {
    parent.innerHTML = '<div class="editor"><pre aria-hidden="true"></pre>' +
      '<textarea spellcheck="false" autocapitalize="off" autocomplete="off" autocorrect="off" wrap="off"></textarea></div>';
    this.below = parent.querySelector('pre');
    this.area = parent.querySelector('textarea');
    this.area.setAttribute('aria-label', label);
    this.language = 'fut';
    this.messages = [];
    this.shown = new Set();
    this.tabs = true;
    this.onchange = this.oncaret = () => {};
    this.area.addEventListener('input', () => {
      this.messages = [];
      this.paint();
      this.onchange();
    });
    this.area.addEventListener('scroll', () => this.follow());
    this.area.addEventListener('keydown', (e) => this.key(e));
    this.area.addEventListener('focus', () => { this.tabs = true; });
    for (const event of ['keyup', 'click', 'focus'])
      this.area.addEventListener(event, () => this.oncaret(this.caretLine()));
    this.area.addEventListener('mousemove', (e) => this.oncaret(this.lineAt(e)));
  }

  get value() { return this.area.value; }
  set value(text) {
    this.area.value = text;
    this.messages = [];
    this.paint();
  }

  caretLine() { return this.area.value.slice(0, this.area.selectionStart).split('\n').length; }
  lineAt(e) {
    const style = getComputedStyle(this.area);
    const y = e.clientY - this.area.getBoundingClientRect().top + this.area.scrollTop - parseFloat(style.paddingTop);
    return Math.floor(y / parseFloat(style.lineHeight)) + 1;
  }

  // Replaces the selection so that undo knows.
  insert(text) {
    if (!document.execCommand('insertText', false, text)) {
      this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, 'end');
      this.area.dispatchEvent(new Event('input'));
    }
  }

  // Tab indents; Escape, then Tab, leaves the editor.  Enter keeps the indentation.
  key(e) {
    if (e.key === 'Escape') this.tabs = false;
    else if (e.key === 'Tab' && this.tabs && !e.shiftKey && !e.ctrlKey && !e.altKey) {
      e.preventDefault();
      this.insert('  ');
    } else if (e.key === 'Enter' && !e.ctrlKey && !e.metaKey && !e.isComposing) {
      const line = this.area.value.slice(0, this.area.selectionStart).split('\n').pop();
      e.preventDefault();
      this.insert('\n' + line.match(/^\s*/)[0] + (/[{]\s*$/.test(line) ? '  ' : ''));
    }
  }

  mark(messages) {
    this.messages = messages;
    this.paint();
  }
  show(lines) {
    this.shown = new Set(lines);
    this.below.querySelectorAll('.line').forEach((div, i) => div.classList.toggle('shown', this.shown.has(i + 1)));
  }

  goTo(line, column) {
    const lines = this.area.value.split('\n').slice(0, line);
    const last = lines.pop() || '';
    const at = lines.reduce((n, l) => n + l.length + 1, 0) + Math.min(column - 1, last.length);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = Math.max(0, (line - 4) * height);
    this.follow();
  }

  follow() {
    this.below.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
  }

  paint() {
    const marks = new Map();
    for (const m of this.messages) if (m.line && marks.get(m.line) !== 'error') marks.set(m.line, m.severity);
    this.below.innerHTML = colouredLines(this.value, this.language).map((html, i) =>
      `<div class="line ${marks.get(i + 1) || ''} ${this.shown.has(i + 1) ? 'shown' : ''}">${html || ' '}</div>`).join('');
    this.follow();
  }
}
