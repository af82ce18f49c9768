// The formatter: the tokens as they are, the user's line breaks and comments, our indentation and
// blanks.  Nothing is joined or broken.  The output is lexed again and compared token by
// token, so that a formatted program always means what it meant.
#include "format.h"
#include <string.h>

// One line of output: code, then perhaps a comment, which stood in `source_column` of the input.
typedef struct {
  size_t from, to;     // in `code`
  const char *comment;
  int comment_len, source_column, width;
} Line;

typedef struct {
  Arena *arena;
  Layout layout;
  Text code;
  LIST(Line) lines;
  int *column, *indent;  // of each token written: its column, its line's indentation
  bool *fresh;           // first on its line
  int line_indent;
  bool ticks;            // between backticks
} Writer;

static TokTag tag_at(const Writer *w, int i) { return (TokTag)w->layout.toks.at[i].tag; }

static Line *line_last(Writer *w) { return &w->lines.at[w->lines.len - 1]; }

static int characters(const char *s, size_t len) {
  int n = 0;
  for (size_t i = 0; i < len; i++) n += ((unsigned char)s[i] & 0xC0) != 0x80;
  return n;
}

static void line_begin(Writer *w, int indent) {
  Line line = {.from = w->code.len, .to = w->code.len};
  list_push(w->arena, &w->lines, line);
  w->line_indent = indent;
}

static void code_write(Writer *w, const char *s, size_t len) {
  Line *line = line_last(w);
  if (line->from == line->to)
    for (; line->width < w->line_indent; line->width++) text_putc(&w->code, ' ');
  text_write(&w->code, s, len);
  line->to = w->code.len;
  line->width += characters(s, len);
}

// ---- blanks between two tokens on a line -------------------------------------------------------

static bool is_operator(TokTag tag) {
  return tag == TOK_OP || tag == TOK_QUALOP || tag == TOK_MINUS || tag == TOK_BANG ||
         tag == TOK_EQUALS || tag == TOK_ARROW;
}

static bool ends_operand(TokTag tag) {
  return tag == TOK_ID || tag == TOK_INT || tag == TOK_FLOAT || tag == TOK_CHAR ||
         tag == TOK_STRING || tag == TOK_TRUE || tag == TOK_FALSE || tag == TOK_HOLE ||
         tag == TOK_RPAREN || tag == TOK_RBRACK || tag == TOK_RBRACE || tag == TOK_WILD ||
         tag == TOK_CONSTR;
}

static bool is_range(TokTag tag) {
  return tag == TOK_DOTDOT || tag == TOK_RANGE_TO || tag == TOK_RANGE_BELOW ||
         tag == TOK_RANGE_ABOVE;
}

static bool is_opening(TokTag tag) {
  return tag == TOK_LPAREN || tag == TOK_LBRACK || tag == TOK_LBRACE || tag == TOK_ATTR;
}

static bool is_closing(TokTag tag) {
  return tag == TOK_RPAREN || tag == TOK_RBRACK || tag == TOK_RBRACE;
}

// -x, !x, *t; `~` and `^` of type~ and type^
static bool is_prefix(const Writer *w, int i) {
  TokTag tag = tag_at(w, i), before = i > 0 ? tag_at(w, i - 1) : TOK_EOF;
  const Token *t = &w->layout.toks.at[i];
  bool star = tag == TOK_OP && t->to - t->from == 1 && w->layout.src->text[t->from] == '*';
  if (tag != TOK_MINUS && tag != TOK_BANG && !star) return false;
  return !ends_operand(before) && before != TOK_VAL && w->layout.marks[i] != MARK_SPACED;
}

static bool in_square(const Writer *w, int i) {
  int open = w->layout.outer[i];
  return open >= 0 && tag_at(w, open) == TOK_LBRACK;
}

// The colons of slices stand tight; those of parameters, fields and names follow at once.
static bool colon_blank(const Writer *w, int i, bool before) {
  if (w->layout.marks[i] == MARK_SPACED) return true;
  return !before && !in_square(w, i);
}

static bool is_type_mark(const Writer *w, int i) {
  const Token *t = &w->layout.toks.at[i];
  char c = w->layout.src->text[t->from];
  return i > 0 && tag_at(w, i - 1) == TOK_TYPE && t->to - t->from == 1 && (c == '~' || c == '^');
}

static bool blank_after(const Writer *w, int i, TokTag next) {
  TokTag tag = tag_at(w, i);
  if (is_opening(tag)) return w->layout.marks[i] == MARK_BLOCK && !is_closing(next);
  if (w->layout.marks[i] == MARK_TIGHT) return is_operator(next);
  if (tag == TOK_BACKTICK) return !w->ticks;
  if (tag == TOK_COLON) return colon_blank(w, i, false);
  if (is_range(tag)) return next == TOK_FLOAT;
  if (is_prefix(w, i)) return is_operator(next) && next != TOK_EOF;
  return tag != TOK_DOT && tag != TOK_LAMBDA && tag != TOK_TICK && tag != TOK_TICK_LIFTED &&
         tag != TOK_TICK_TILDE && tag != TOK_QUESTION;
}

static bool in_attr(const Writer *w, int i) {
  int open = w->layout.outer[i];
  while (open >= 0 && tag_at(w, open) == TOK_LPAREN) open = w->layout.outer[open];
  return open >= 0 && tag_at(w, open) == TOK_ATTR;
}

static bool blank_before(const Writer *w, int i, TokTag before) {
  TokTag tag = tag_at(w, i);
  if (is_closing(tag)) return w->layout.marks[i] == MARK_BLOCK;
  if (tag == TOK_BACKTICK) return !w->ticks;
  if (tag == TOK_COLON) return colon_blank(w, i, true);
  if (tag == TOK_LBRACK) return !w->layout.toks.at[i].tight;
  if (tag == TOK_LPAREN && before == TOK_ID) return !in_attr(w, i);
  if (is_type_mark(w, i)) return false;
  return tag != TOK_COMMA && tag != TOK_DOT && !is_range(tag);
}

// ---- where a line begins -----------------------------------------------------------------------

static int anchor_column(const Writer *w, int i) {
  Anchor a = w->layout.anchors[i];
  if (a.tag == ANCHOR_MARGIN || a.ref >= i) return 0;
  int column = w->column[a.ref], indent = w->indent[a.ref];
  bool last = (a.ref + 1 < w->layout.toks.len && w->fresh[a.ref + 1]) ||
              w->layout.marks[a.ref] == MARK_BLOCK;
  switch (a.tag) {
    case ANCHOR_MARGIN: break;
    case ANCHOR_COLUMN: return column + a.delta;
    case ANCHOR_LINE: return indent + a.delta;
    case ANCHOR_START: {
      bool begins = w->fresh[a.ref] || (a.ref > 0 && is_opening(tag_at(w, a.ref - 1)));
      return begins ? column + a.delta : indent + 2;
    }
    case ANCHOR_INSIDE: return last ? indent + 2 : column + 1 + (tag_at(w, a.ref) == TOK_ATTR);
    case ANCHOR_CLOSE: return last ? indent : column;
  }
  return 0;
}

// ---- comments ----------------------------------------------------------------------------------

static size_t trimmed(const char *s, size_t len) {
  while (len > 0 && strchr(" \t\r\f\v", s[len - 1])) len--;
  return len;
}

static int source_column(const Writer *w, uint32_t at) {
  const char *text = w->layout.src->text;
  uint32_t from = at;
  while (from > 0 && text[from - 1] != '\n') from--;
  return characters(text + from, at - from);
}

// The reader of test blocks needs them at the margin: that is where they stay.
static bool in_test_block(const Writer *w, uint32_t at) {
  const char *text = w->layout.src->text;
  for (;;) {
    if (strncmp(text + at, "--", 2) != 0) return false;
    const char *s = text + at + 2;
    while (*s == ' ') s++;
    if (strncmp(s, "==", 2) == 0) return true;
    if (at < 2) return false;
    for (at--; at > 0 && text[at - 1] != '\n';) at--;
  }
}

static void comment_write(Writer *w, uint32_t from, uint32_t to, bool own_line, int indent) {
  const char *s = w->layout.src->text + from;
  size_t len = trimmed(s, to - from);
  int column = source_column(w, from);
  if (own_line) {
    bool follows = w->lines.len > 0 && line_last(w)->comment;
    bool aligned = follows && line_last(w)->source_column == column;
    line_begin(w, column == 0 && in_test_block(w, from) ? 0 : indent);
    if (!aligned) {
      code_write(w, s, len);
      return;
    }
  }
  Line *line = line_last(w);
  line->comment = s;
  line->comment_len = (int)len;
  line->source_column = column;
}

// Newlines and comments before token i: keeps comments, at most one empty line, and says whether
// the token begins a line.
static bool gap_write(Writer *w, int i) {
  const Token *t = &w->layout.toks.at[i];
  const char *text = w->layout.src->text;
  uint32_t at = i > 0 ? w->layout.toks.at[i - 1].to : 0;
  bool is_end = t->tag == TOK_EOF;
  w->fresh[i] = true;  // for the anchors of text on separate lines
  int newlines = i == 0 ? 1 : 0, indent = anchor_column(w, i) + (is_closing(tag_at(w, i)) ? 2 : 0);
  for (; at < t->from; at++) {
    newlines += text[at] == '\n';
    if (strncmp(text + at, "--", 2) != 0) continue;
    uint32_t to = at;
    while (to < t->from && text[to] != '\n') to++;
    if (newlines > 1 && w->lines.len) line_begin(w, 0);
    comment_write(w, at, to, newlines > 0, indent);
    newlines = 0;
    at = to - 1;
  }
  if (newlines > 1 && w->lines.len && !is_end) line_begin(w, 0);
  return newlines > 0;
}

// A doc comment keeps its lines, each at the token's column.
static void doc_write(Writer *w, const char *s, size_t len) {
  for (;;) {
    const char *end = memchr(s, '\n', len);
    size_t one = end ? (size_t)(end - s) : len;
    code_write(w, s, trimmed(s, one));
    if (!end) return;
    len -= one + 1;
    for (s = end + 1; len > 0 && (*s == ' ' || *s == '\t'); s++) len--;
    line_begin(w, w->line_indent);
  }
}

static void token_write(Writer *w, int i) {
  const Token *t = &w->layout.toks.at[i];
  const char *s = w->layout.src->text + t->from;
  w->fresh[i] = gap_write(w, i);
  if (t->tag == TOK_EOF) return;
  if (w->fresh[i])
    line_begin(w, anchor_column(w, i));
  else if (blank_before(w, i, tag_at(w, i - 1)) && blank_after(w, i - 1, tag_at(w, i)))
    code_write(w, " ", 1);
  Line *line = line_last(w);
  w->column[i] = line->from == line->to ? w->line_indent : line->width;
  w->indent[i] = w->line_indent;
  if (t->tag == TOK_BACKTICK) w->ticks = !w->ticks;
  if (t->tag == TOK_DOC) doc_write(w, s, t->to - t->from);
  else code_write(w, s, t->to - t->from);
}

// ---- putting lines together --------------------------------------------------------------------

// Comments at the ends of neighbouring lines that lined up in the input line up in the output.
static int comment_run(const Writer *w, int from, int *column) {
  int to = from, width = 0;
  for (; to < w->lines.len && w->lines.at[to].comment; to++) {
    if (w->lines.at[to].source_column != w->lines.at[from].source_column) break;
    if (w->lines.at[to].width > width) width = w->lines.at[to].width;
  }
  *column = width + (width > 0);
  return to;
}

static void lines_print(const Writer *w, Text *out) {
  int run_end = 0, column = 0;
  for (int i = 0; i < w->lines.len; i++) {
    const Line *line = &w->lines.at[i];
    text_write(out, w->code.at + line->from, line->to - line->from);
    if (line->comment) {
      if (i >= run_end) run_end = comment_run(w, i, &column);
      text_printf(out, "%*s", column - line->width, "");
      text_write(out, line->comment, (size_t)line->comment_len);
    }
    text_putc(out, '\n');
  }
}

static void tokens_compare(Arena *arena, Diag *diag, const Layout *before, const Text *out) {
  const Source *src = source_new(arena, before->src->path, out->at ? out->at : "", out->len);
  TokenList after = lex(arena, src, diag);
  check(after.len == before->toks.len);
  for (int i = 0; i < after.len; i++) {
    const Token *a = &before->toks.at[i], *b = &after.at[i];
    check(a->tag == b->tag && (a->tag != TOK_LBRACK || a->tight == b->tight));
    if (a->tag == TOK_DOC) continue;  // its lines may have moved
    check(a->to - a->from == b->to - b->from);
    check(memcmp(before->src->text + a->from, src->text + b->from, a->to - a->from) == 0);
  }
}

bool syntax_format(Arena *arena, Names *names, const Source *src, Diag *diag, Text *out) {
  int errors = diag->errors;
  SourceFile *file = syntax_parse(arena, names, src, diag);
  if (diag->errors > errors) return false;
  TokenList toks = lex(arena, src, diag);
  Writer w = {.arena = arena, .layout = layout_new(arena, file, toks)};
  w.column = NEW_ARRAY(arena, int, toks.len);
  w.indent = NEW_ARRAY(arena, int, toks.len);
  w.fresh = NEW_ARRAY(arena, bool, toks.len);
  for (int i = 0; i < toks.len; i++) token_write(&w, i);
  lines_print(&w, out);
  text_free(&w.code);
  tokens_compare(arena, diag, &w.layout, out);
  return true;
}
