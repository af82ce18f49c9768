// The parser's frame: looking at tokens, messages, and the unit as a whole.  A mistake ends the
// declaration that has it; reading continues after it.  Declarations of system headers that cannot
// be read are skipped, and their names are errors where the program uses them.
#include "local.h"

const Token *token_at(const C *c) { return &c->tokens.at[c->pos]; }

const Token *token_ahead(const C *c, int n) {
  int at = c->pos + n < c->tokens.len ? c->pos + n : c->tokens.len - 1;
  return &c->tokens.at[at];
}

bool is_punct(const Token *t, const char *text) {
  return t->tag == TOK_PUNCT && strcmp(t->text, text) == 0;
}

bool at_punct(const C *c, const char *text) { return is_punct(token_at(c), text); }
bool at_keyword(const C *c, Keyword k) { return token_at(c)->keyword == k; }

static void advance(C *c) {
  if (token_at(c)->tag != TOK_END) c->pos++;
}

bool take_punct(C *c, const char *text) {
  if (!at_punct(c, text)) return false;
  advance(c);
  return true;
}

bool take_keyword(C *c, Keyword k) {
  if (!at_keyword(c, k)) return false;
  advance(c);
  return true;
}

_Noreturn void parse_fail(C *c, Span at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  diag_error_args(c->diag, at, fmt, args);
  va_end(args);
  stop_now(STATUS_USER_ERROR);
}

_Noreturn void parse_fail_hint(C *c, Span at, const char *message, const char *hint) {
  diag_error(c->diag, at, "%s", message);
  diag_hint(c->diag, "%s", hint);
  stop_now(STATUS_USER_ERROR);
}

void expect_punct(C *c, const char *text) {
  if (take_punct(c, text)) return;
  parse_fail(c, token_at(c)->at, "[c-syntax] Expected `%s` before `%.40s`.", text,
      token_at(c)->text);
}

Name expect_name(C *c, const char *what) {
  const Token *t = token_at(c);
  if (t->tag != TOK_NAME)
    parse_fail(c, t->at, "[c-syntax] Expected %s before `%.40s`.", what, t->text);
  advance(c);
  return t->text;
}

Span span_since(const C *c, int from) {
  int last = c->pos > from ? c->pos - 1 : from;
  Span a = c->tokens.at[from].at, b = c->tokens.at[last].at;
  if (!a.src) return b;
  return b.src == a.src && b.to >= a.from ? (Span){a.src, a.from, b.to > a.to ? b.to : a.to} : a;
}

void enter(C *c) {
  if (++c->depth > MOST_DEPTH)
    parse_fail(c, token_at(c)->at, "[c-syntax] Nested more than %d levels deep.", MOST_DEPTH);
}

void leave(C *c) { c->depth--; }

void skip_parens(C *c) {
  int depth = 0;
  do {
    if (at_punct(c, "(") || at_punct(c, "[") || at_punct(c, "{")) depth++;
    if (at_punct(c, ")") || at_punct(c, "]") || at_punct(c, "}")) depth--;
    if (token_at(c)->tag == TOK_END)
      parse_fail(c, token_at(c)->at, "[c-syntax] A bracket is not closed.");
    advance(c);
  } while (depth > 0);
}

static bool vector_attribute(const C *c) {
  for (int i = 0; i < 8; i++) {
    const char *text = token_ahead(c, i)->text;
    if (strcmp(text, "vector_size") == 0 || strcmp(text, "__vector_size__") == 0) return true;
  }
  return false;
}

void skip_attributes(C *c) {
  for (;;) {
    if (take_keyword(c, KW_EXTENSION)) continue;
    bool attribute = at_keyword(c, KW_ATTRIBUTE), assembler = at_keyword(c, KW_ASM);
    if (!attribute && !assembler) return;
    if (!token_at(c)->system && (assembler || vector_attribute(c)))
      parse_fail(c, token_at(c)->at, "[c-unsupported] %s cannot be differentiated.",
                 assembler ? "Inline assembler" : "A vector type");
    advance(c);
    take_keyword(c, KW_VOLATILE);
    if (!at_punct(c, "(")) expect_punct(c, "(");
    skip_parens(c);
  }
}

void skip_to_end(C *c) {
  int depth = 0;
  while (token_at(c)->tag != TOK_END) {
    bool open = at_punct(c, "(") || at_punct(c, "[") || at_punct(c, "{");
    bool close = at_punct(c, ")") || at_punct(c, "]") || at_punct(c, "}");
    bool end = depth == 0 && at_punct(c, ";");
    bool body = close && depth == 1 && at_punct(c, "}");
    if (open) depth++;
    if (close && depth) depth--;
    advance(c);
    if (end) return;
    if (body) {
      take_punct(c, ";");
      return;
    }
  }
}

// ---- the unit -----------------------------------------------------------------------------------
// Names of a declaration that cannot be read: its last name before "(" or ";", and typedefs'.
static void remember_opaque(C *c, int from) {
  Name name = NULL;
  int depth = 0;
  for (int i = from; i < c->pos; i++) {
    const Token *t = &c->tokens.at[i];
    if (is_punct(t, "{") || is_punct(t, "(")) depth++;
    if (is_punct(t, "}") || is_punct(t, ")")) depth--;
    bool before_end = i + 1 < c->tokens.len && (is_punct(&c->tokens.at[i + 1], "(") ||
                                                is_punct(&c->tokens.at[i + 1], ";"));
    if (t->tag == TOK_NAME && depth == 0 && before_end) name = t->text;
  }
  if (name && !scope_find(c, name)) scope_add(c, name, (Symbol){.tag = SYM_OPAQUE});
}

static void declaration_guarded(C *c) {
  int from = c->pos, depth = c->depth;
  bool system = token_at(c)->system;
  Scope *scope = c->scope;
  DiagMark mark = diag_mark(c->diag);
  Stop stop;
  if (stop_arm(&stop)) {
    external_declaration(c);
    stop_pop(&stop);
    return;
  }
  if (stop.status == STATUS_BUG) stop_now(STATUS_BUG);
  c->pos = from;
  c->depth = depth;
  c->scope = scope;
  c->function = NULL;
  c->loops = c->switches = 0;
  skip_to_end(c);
  if (c->pos == from) advance(c);
  if (!system) return;
  diag_forget(c->diag, mark, diag_mark(c->diag));
  remember_opaque(c, from);
}

static void pragma_item(C *c) {
  CItem item = {.tag = CITEM_PRAGMA, .at = token_at(c)->at, .text = token_at(c)->text,
                .included = !token_at(c)->main_file};
  if (!token_at(c)->system) {
    item.before = comments_before(c);
    list_push(c->arena, &c->unit->items, item);
    rule_pragma(c, token_at(c));
  }
  advance(c);
}

// Indent and braces of the first function.
static CLayout layout_of(const CUnit *unit) {
  CLayout layout = {.indent = 2};
  for (int i = 0; i < unit->functions.len; i++) {
    const CFunction *f = unit->functions.at[i];
    if (!f->body || f->body->stmts.len == 0) continue;
    const CStmt *first = f->body->stmts.at[0];
    if (first->at.src != unit->source || f->at.src != unit->source) continue;
    SpanPlace brace = span_place(f->body->at), head = span_place(f->at), in = span_place(first->at);
    if (in.line != brace.line && in.col > 1 && in.col <= 9) layout.indent = in.col - 1;
    layout.brace_below = brace.line > head.line && brace.col == 1;
    break;
  }
  return layout;
}

CUnit *cunit_parse(Arena *arena, Names *names, Diag *diag, CInput input) {
  C c = {.arena = arena, .names = names, .diag = diag};
  CUnit *unit = c.unit = NEW(arena, CUnit);
  unit->path = input.path;
  unit->source = source_new(arena, input.path, input.text, strlen(input.text));
  ctext_lex(&c, input);
  ctext_comments(&c);
  scope_push(&c);
  while (token_at(&c)->tag != TOK_END) {
    if (token_at(&c)->tag == TOK_PRAGMA) pragma_item(&c);
    else if (!take_punct(&c, ";")) declaration_guarded(&c);
  }
  unit->layout = layout_of(unit);
  return unit;
}

CFunction *cunit_function(const CUnit *unit, const char *name) {
  for (int i = 0; i < unit->functions.len; i++)
    if (strcmp(unit->functions.at[i]->name, name) == 0) return unit->functions.at[i];
  return NULL;
}
