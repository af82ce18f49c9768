// Names, literals, parentheses, and what follows them: indices, members, calls.
#include "local.h"
#include <math.h>

static const CExpr *function_name(C *c, CFunction *f, Span at) {
  if (f->opaque || (f->libc && f->libc->kind == LIBC_REFUSED))
    parse_fail(c, at, "[c-unsupported] `%.80s` cannot be differentiated.", f->name);
  CExpr *e = expr_new(c, CE_FUNCTION, at, f->type);
  e->function = f;
  return e;
}

static const CExpr *variable(C *c, const CVar *v, Span at) {
  CExpr *e = expr_new(c, CE_VAR, at, v->type);
  e->var = v;
  return e;
}

static const CExpr *enumerator(C *c, Name name, const Symbol *s, Span at) {
  CExpr *e = expr_new(c, CE_INT, at, &ctype_int);
  e->value = s->enumerator->value;
  e->enumerator = s->enumerator;
  e->spelling = name;
  return e;
}

static const CExpr *function_text(C *c, Span at) {  // __func__
  const char *name = c->function ? c->function->name : "";
  CType *type = NEW(c->arena, CType);
  *type = (CType){.tag = CTYPE_ARRAY, .base = &ctype_char, .count = (int64_t)strlen(name) + 1};
  CExpr *e = expr_new(c, CE_STRING, at, type);
  e->text = name;
  e->len = strlen(name);
  e->spelling = arena_printf(c->arena, "\"%s\"", name);
  return e;
}

static bool names_function(const char *s) {
  return strcmp(s, "__func__") == 0 || strcmp(s, "__PRETTY_FUNCTION__") == 0 ||
         strcmp(s, "__FUNCTION__") == 0;
}

// __builtin_sin and such are the library's functions.
static CFunction *builtin(C *c, Name name) {
  if (strncmp(name, "__builtin_", 10) != 0 || !libc_named(name + 10)) return NULL;
  Name plain = name_of(c->names, name + 10);
  const Symbol *s = scope_find(c, plain);
  return s && s->tag == SYM_FUNCTION ? s->function : NULL;
}

static const CExpr *name(C *c) {
  const Token *t = token_at(c);
  c->pos++;
  const Symbol *s = scope_find(c, t->text);
  if (s && s->tag == SYM_VAR) return variable(c, s->var, t->at);
  if (s && s->tag == SYM_FUNCTION) return function_name(c, s->function, t->at);
  if (s && s->tag == SYM_ENUMERATOR) return enumerator(c, t->text, s, t->at);
  if (s && s->tag == SYM_OPAQUE)
    parse_fail(c, t->at, "[c-unsupported] `%.80s` is declared in a system header in a way that "
                         "cannot be read.", t->text);
  if (names_function(t->text)) return function_text(c, t->at);
  CFunction *f = builtin(c, t->text);
  if (f) return function_name(c, f, t->at);
  if (strncmp(t->text, "__builtin_", 10) == 0)
    parse_fail(c, t->at, "[c-gnu] `%.80s` is not supported.", t->text);
  parse_fail(c, t->at, "[c-undeclared] `%.80s` is not declared.", t->text);
}

// __builtin_expect(e, c) is e.
static const CExpr *builtin_wrapper(C *c) {
  const char *text = token_at(c)->text;
  bool expect = strcmp(text, "__builtin_expect") == 0;
  bool assume = strcmp(text, "__builtin_assume_aligned") == 0;
  bool constant = strcmp(text, "__builtin_constant_p") == 0;
  if (!expect && !assume && !constant) return NULL;
  int from = c->pos++;
  expect_punct(c, "(");
  const CExpr *e = assignment(c);
  while (take_punct(c, ",")) assignment(c);
  expect_punct(c, ")");
  if (expect) return convert_to(c, e, &ctype_long);
  if (assume) return convert_to(c, e, ctype_pointer(c->arena, &ctype_void));
  CExpr *zero = expr_new(c, CE_INT, span_since(c, from), &ctype_int);
  return zero;
}

static const CExpr *infinity(C *c) {
  static const struct { const char *name; const CType *type; double value; } rows[] = {
      {"__builtin_inf", &ctype_double, INFINITY}, {"__builtin_huge_val", &ctype_double, INFINITY},
      {"__builtin_inff", &ctype_float, INFINITY}, {"__builtin_huge_valf", &ctype_float, INFINITY},
      {"__builtin_nan", &ctype_double, 0}, {"__builtin_nanf", &ctype_float, 0}};
  const Token *t = token_at(c);
  for (int i = 0; i < COUNT_OF(rows); i++) {
    if (strcmp(t->text, rows[i].name) != 0 || !is_punct(token_ahead(c, 1), "(")) continue;
    c->pos++;
    skip_parens(c);
    CExpr *e = expr_new(c, CE_FLOAT, t->at, rows[i].type);
    bool nan = rows[i].value == 0;
    e->number = nan ? __builtin_nan("") : rows[i].value;
    e->spelling = nan ? arena_printf(c->arena, "%s(\"\")", rows[i].name)
                      : arena_printf(c->arena, "%s()", rows[i].name);
    return e;
  }
  return NULL;
}

static const CExpr *generic(C *c) {  // _Generic(e, type: e, .., default: e)
  int from = c->pos++;
  expect_punct(c, "(");
  const CType *type = decayed(c, assignment(c))->type;
  const CExpr *chosen = NULL, *other = NULL;
  while (take_punct(c, ",")) {
    bool is_default = take_keyword(c, KW_DEFAULT);
    bool fits = !is_default && ctype_same(type_name(c), ctype_plain(c->arena, type));
    expect_punct(c, ":");
    const CExpr *e = assignment(c);
    if (fits) chosen = e;
    if (is_default) other = e;
  }
  expect_punct(c, ")");
  if (chosen || other) return chosen ? chosen : other;
  parse_fail(c, span_since(c, from), "[c-type] No choice of _Generic fits.");
}

static const CExpr *in_parens(C *c) {
  c->pos++;
  if (at_punct(c, "{")) return statement_expression(c);
  CExpr *e = arena_copy(c->arena, expression(c), sizeof *e);
  e->parens = !(e->tag == CE_CALL && e->type->tag == CTYPE_VOID);
  expect_punct(c, ")");
  return e;
}

const CExpr *primary(C *c) {
  const Token *t = token_at(c);
  if (at_punct(c, "(")) return in_parens(c);
  if (t->keyword == KW_GENERIC) return generic(c);
  if (t->tag == TOK_NAME) {
    const CExpr *e = builtin_wrapper(c);
    if (!e) e = infinity(c);
    return e ? e : name(c);
  }
  if (t->tag == TOK_INT || t->tag == TOK_FLOAT || t->tag == TOK_CHAR || t->tag == TOK_STRING)
    return literal(c);
  parse_fail(c, t->at, "[c-syntax] Expected an expression before `%.40s`.", t->text);
}

static const CExpr *call(C *c, const CExpr *callee, int from) {
  LIST(const CExpr *) args = {0};
  expect_punct(c, "(");
  if (!at_punct(c, ")"))
    do list_push(c->arena, &args, assignment(c));
    while (take_punct(c, ","));
  expect_punct(c, ")");
  return make_call(c, callee, args.at, args.len, span_since(c, from));
}

static const CExpr *member(C *c, const CExpr *x, bool arrow, int from) {
  c->pos++;
  Name field = expect_name(c, "the name of a member");
  return make_member(c, x, arrow, field, span_since(c, from));
}

static const CExpr *subscript(C *c, const CExpr *x, int from) {
  c->pos++;
  const CExpr *y = expression(c);
  expect_punct(c, "]");
  return make_index(c, x, y, span_since(c, from));
}

static const CExpr *start(C *c) {
  if (!at_punct(c, "(") || !starts_type(c, token_ahead(c, 1))) return primary(c);
  int from = c->pos++;
  const CType *type = type_name(c);
  expect_punct(c, ")");
  const CExpr *list = initialiser(c, type, &type);
  CExpr *e = expr_new(c, CE_COMPOUND, span_since(c, from), type);
  e->x = list;
  return e;
}

const CExpr *postfix(C *c) {
  int from = c->pos;
  enter(c);
  const CExpr *e = start(c);
  for (;;) {
    if (at_punct(c, "[")) e = subscript(c, e, from);
    else if (at_punct(c, "(")) e = call(c, e, from);
    else if (at_punct(c, ".")) e = member(c, e, false, from);
    else if (at_punct(c, "->")) e = member(c, e, true, from);
    else break;
  }
  leave(c);
  return e;
}
