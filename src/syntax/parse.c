// The parser's hands: looking at tokens, taking them, complaining; and the public entries.
#include "local.h"
#include <string.h>

TokTag tok_at(const Parser *p, int ahead) {
  for (int i = 0; i < ahead; i++)
    if (p->toks[p->at + i].tag == TOK_EOF) return TOK_EOF;
  return (TokTag)p->toks[p->at + ahead].tag;
}

TokTag tok(const Parser *p) { return (TokTag)p->toks[p->at].tag; }

Span tok_span(const Parser *p) {
  const Token *t = &p->toks[p->at];
  return (Span){p->src, t->from, t->to};
}

Span span_from(const Parser *p, Span from) {
  uint32_t to = p->at > 0 ? p->toks[p->at - 1].to : from.to;
  return (Span){p->src, from.from, to > from.from ? to : from.to};
}

const char *tok_text(const Parser *p, size_t *len) {
  const Token *t = &p->toks[p->at];
  *len = t->to - t->from;
  return p->src->text + t->from;
}

bool tok_is(const Parser *p, int ahead, char c) {
  TokTag tag = tok_at(p, ahead);
  if (tag != TOK_OP) return false;
  const Token *t = &p->toks[p->at + ahead];
  return t->to - t->from == 1 && p->src->text[t->from] == c;
}

Span take(Parser *p) {
  Span span = tok_span(p);
  if (tok(p) != TOK_EOF) p->at++;
  return span;
}

bool accept(Parser *p, TokTag tag) {
  if (tok(p) != tag) return false;
  take(p);
  return true;
}

_Noreturn void parse_leave(Parser *p) { longjmp(p->bail, 1); }

_Noreturn void syntax_error(Parser *p, Span at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  Text text = {0};
  text_vprintf(&text, fmt, args);
  va_end(args);
  diag_error(p->diag, at, "%s", text.at);
  text_free(&text);
  parse_leave(p);
}

_Noreturn void unexpected_within(Parser *p, const char *expected, Span outer, const char *note) {
  size_t len;
  const char *s = tok_text(p, &len);
  if (tok(p) == TOK_ERROR) parse_leave(p);  // the lexer has reported it
  if (tok(p) == TOK_DOC)
    syntax_error(p, tok_span(p), "[doc-comment] Documentation comments are only allowed before "
                                 "declarations.");
  if (tok(p) == TOK_EOF)
    diag_error(p->diag, tok_span(p), "[syntax] Unexpected end of file, expected %s.", expected);
  else
    diag_error(p->diag, tok_span(p), "[syntax] Unexpected token: '%.*s'%s, expected %s.",
               (int)(len > 60 ? 60 : len), s, len > 60 ? ".." : "", expected);
  note_outer(p, outer, note);
  bool name = strncmp(expected, "a name", 6) == 0 || strcmp(expected, "a pattern") == 0;
  if (name && keyword_is(s, len))
    diag_hint(p->diag, "\"%.*s\" is a word of the language; take another name.", (int)len, s);
  else
    hint_habit(p, expected);
  parse_leave(p);
}

_Noreturn void unexpected(Parser *p, const char *expected) {
  unexpected_within(p, expected, open_bracket(p, expected), "This bracket is open.");
}

Span expect(Parser *p, TokTag tag, const char *what) {
  if (tok(p) != tag) unexpected(p, what);
  return take(p);
}

Name take_name(Parser *p) {
  size_t len;
  const char *s = tok_text(p, &len);
  if (tok(p) == TOK_CONSTR) s++, len--;
  take(p);
  return name_intern(p->names, s, len);
}

Name expect_id(Parser *p, Span *at) {
  *at = tok_span(p);
  if (tok(p) != TOK_ID) unexpected(p, "a name");
  return take_name(p);
}

void depth_enter(Parser *p) {
  if (++p->depth > MAX_DEPTH)
    syntax_error(p, tok_span(p), "[nesting] This is nested more than %d levels deep.", MAX_DEPTH);
}

void depth_leave(Parser *p) { p->depth--; }

bool list_goes_on(Parser *p, TokTag close) {
  if (tok(p) == close) return false;
  if (!accept(p, TOK_COMMA)) unexpected(p, "',' or the end of the list");
  return tok(p) != close;
}

static QualName name_alone(Parser *p, Name name, Span at) {
  QualName result = {.span = at};
  result.parts.at = arena_copy(p->arena, &name, sizeof name);
  result.parts.len = result.parts.cap = 1;
  return result;
}

VarRef var_ref(Parser *p, Name name, Span at) { return (VarRef){.name = name_alone(p, name, at)}; }

QualName qual_name(Parser *p) {
  Span at;
  Name first = expect_id(p, &at);
  QualName name = name_alone(p, first, at);
  while (tok(p) == TOK_DOT && tok_at(p, 1) == TOK_ID) {
    if (name.parts.len > MAX_PARTS)
      syntax_error(p, tok_span(p), "[nesting] Too many projections in one go.");
    take(p);
    list_push(p->arena, &name.parts, take_name(p));
  }
  name.span = span_from(p, at);
  return name;
}

VarRef qual_ref(Parser *p) { return (VarRef){.name = qual_name(p)}; }

// attr = ID | INT | ID "(" attr,, ")"
static Attr *parse_attr_body(Parser *p) {
  Attr *attr = NEW(p->arena, Attr);
  Span from = tok_span(p);
  if (tok(p) != TOK_ID && tok(p) != TOK_INT) unexpected(p, "an attribute");
  attr->tag = tok(p) == TOK_INT ? ATTR_INT : ATTR_NAME;
  attr->name = take_name(p);
  if (attr->tag == ATTR_NAME && accept(p, TOK_LPAREN)) {
    attr->tag = ATTR_CALL;
    depth_enter(p);
    if (tok(p) != TOK_RPAREN) {
      do list_push(p->arena, &attr->args, parse_attr_body(p));
      while (list_goes_on(p, TOK_RPAREN));
    }
    depth_leave(p);
    take(p);
  }
  attr->span = span_from(p, from);
  return attr;
}

Attr *parse_attr(Parser *p) {
  expect(p, TOK_ATTR, "an attribute");
  Attr *attr = parse_attr_body(p);
  expect(p, TOK_RBRACK, "']'");
  return attr;
}

const char *parse_path(Parser *p) {
  if (tok(p) != TOK_STRING) unexpected(p, "a file name in quotes");
  size_t len, bytes;
  const char *s = tok_text(p, &len);
  const char *path = string_literal(p->arena, s, len, &bytes);
  Span at = take(p);
  if (p->file) list_push(p->arena, &p->file->imports, (ImportRef){path, at});
  return path;
}

// Runs body with a fresh parser; NULL when it left through an error.
static void *run(Parser *p, Arena *arena, Names *names, const Source *src, Diag *diag,
                 void *(*body)(Parser *)) {
  *p = (Parser){.arena = arena, .names = names, .src = src, .diag = diag};
  if (src->len > INT32_MAX / 2) {
    diag_error(diag, (Span){src, 0, 1}, "[file-size] This file is too large.");
    return NULL;
  }
  Arena *scratch = arena_new();
  p->toks = lex(scratch, src, diag).at;
  void *result = setjmp(p->bail) == 0 ? body(p) : NULL;
  arena_free(scratch);
  return result;
}

static void *run_file(Parser *p) {
  SourceFile *file = NEW(p->arena, SourceFile);
  file->src = p->src;
  p->file = file;
  parse_file(p);
  return file;
}

static void *run_exp(Parser *p) {
  Expr *exp = parse_exp(p);
  if (tok(p) != TOK_EOF) unexpected(p, "the end of the expression");
  return exp;
}

static void *run_dec(Parser *p) {
  Dec *dec = parse_dec(p);
  if (tok(p) != TOK_EOF) unexpected(p, "the end of the declaration");
  return dec;
}

static void *run_type(Parser *p) {
  TypeExp *type = parse_type(p);
  if (tok(p) != TOK_EOF) unexpected(p, "the end of the type");
  return type;
}

SourceFile *syntax_parse(Arena *arena, Names *names, const Source *src, Diag *diag) {
  Parser p;
  SourceFile *file = run(&p, arena, names, src, diag, run_file);
  if (file) return file;
  file = NEW(arena, SourceFile);
  file->src = src;
  return file;
}

Expr *syntax_parse_exp(Arena *arena, Names *names, const Source *src, Diag *diag) {
  Parser p;
  return run(&p, arena, names, src, diag, run_exp);
}

Dec *syntax_parse_dec(Arena *arena, Names *names, const Source *src, Diag *diag) {
  Parser p;
  return run(&p, arena, names, src, diag, run_dec);
}

TypeExp *syntax_parse_type(Arena *arena, Names *names, const Source *src, Diag *diag) {
  Parser p;
  return run(&p, arena, names, src, diag, run_type);
}
