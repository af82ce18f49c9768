// Declarators: `*p`, `a[n]`, `f(..)`, `(*p)[m]`, with and without a name.
//   declarator = {"*" {qualifier}} (name | "(" declarator ")" | ) {"[" .. "]" | "(" .. ")"}
#include "local.h"

static unsigned qualifiers(C *c) {
  unsigned q = 0;
  for (;;) {
    if (take_keyword(c, KW_CONST)) q |= CQ_CONST;
    else if (take_keyword(c, KW_RESTRICT)) q |= CQ_RESTRICT;
    else if (take_keyword(c, KW_VOLATILE)) q |= CQ_VOLATILE;
    else if (at_keyword(c, KW_ATTRIBUTE)) skip_attributes(c);
    else return q;
  }
}

static const CType *pointers(C *c, const CType *base) {
  while (take_punct(c, "*")) {
    CType *t = NEW(c->arena, CType);
    *t = (CType){.tag = CTYPE_POINTER, .base = base, .count = -1};
    t->quals = qualifiers(c);
    base = t;
  }
  return base;
}

static const CType *suffix(C *c, const CType *base);

static void array_length(C *c, CType *t) {
  if (at_punct(c, "*") && is_punct(token_ahead(c, 1), "]")) {
    c->pos++;
    return;
  }
  int from = c->pos;
  t->length = decayed(c, assignment(c));
  int64_t n;
  if (!ctype_is_integer(t->length->type))
    parse_fail(c, t->length->at, "[c-type] The length of an array is an integer number.");
  if (cexpr_integer(t->length, &n)) {
    if (n < 0 || n > (int64_t)1 << 40)
      parse_fail(c, span_since(c, from), "[c-type] An array of %lld elements.", (long long)n);
    t->count = n;
  }
}

static const CType *array_suffix(C *c, const CType *base) {
  c->pos++;
  CType *t = NEW(c->arena, CType);
  *t = (CType){.tag = CTYPE_ARRAY, .count = -1};
  t->at_least = take_keyword(c, KW_STATIC);
  t->quals = qualifiers(c);
  if (take_keyword(c, KW_STATIC)) t->at_least = true;
  if (!at_punct(c, "]")) array_length(c, t);
  expect_punct(c, "]");
  t->base = suffix(c, base);
  if (t->base->tag == CTYPE_FUNCTION || t->base->tag == CTYPE_VOID)
    parse_fail(c, token_at(c)->at, "[c-type] There are no arrays of these.");
  return t;
}

// The type of a parameter declared so: arrays and functions are pointers.
static const CType *parameter_type(C *c, const CType *t) {
  if (t->tag == CTYPE_FUNCTION) return ctype_pointer(c->arena, t);
  if (t->tag != CTYPE_ARRAY) return t;
  CType *p = NEW(c->arena, CType);
  *p = (CType){.tag = CTYPE_POINTER, .base = t->base, .quals = t->quals, .length = t->length,
               .count = t->count, .at_least = t->at_least, .was_array = true};
  return p;
}

static void parameter(C *c, CType *f) {
  int from = c->pos;
  Specifiers s = specifiers(c);
  Declared d = declarator(c, s.type);
  d.type = parameter_type(c, d.type);
  if (d.type->tag == CTYPE_VOID) parse_fail(c, span_since(c, from),
      "[c-type] A parameter of type void.");
  CVar *v = cvar_new(c, d, CSTORE_NONE);
  v->is_param = true;
  v->is_global = false;
  if (d.name) scope_add(c, d.name, (Symbol){.tag = SYM_VAR, .var = v});
  list_push(c->arena, &f->params, v);
}

static void parameters(C *c, CType *f) {
  if (at_keyword(c, KW_VOID) && is_punct(token_ahead(c, 1), ")")) {
    c->pos += 2;
    return;
  }
  if (take_punct(c, ")")) {
    f->unprototyped = true;
    return;
  }
  do {
    if (take_punct(c, "...")) {
      f->variadic = true;
      break;
    }
    if (!starts_type(c, token_at(c)))
      parse_fail(c, token_at(c)->at, "[c-syntax] Expected the type of a parameter before `%.40s`.",
                 token_at(c)->text);
    parameter(c, f);
  } while (take_punct(c, ","));
  expect_punct(c, ")");
}

static const CType *function_suffix(C *c, const CType *base) {
  c->pos++;
  CType *t = NEW(c->arena, CType);
  *t = (CType){.tag = CTYPE_FUNCTION, .count = -1};
  scope_push(c);
  enter(c);
  parameters(c, t);
  leave(c);
  scope_pop(c);
  skip_attributes(c);
  t->base = suffix(c, base);
  if (t->base->tag == CTYPE_FUNCTION || t->base->tag == CTYPE_ARRAY)
    parse_fail(c, token_at(c)->at, "[c-type] A function cannot return this.");
  return t;
}

static const CType *suffix(C *c, const CType *base) {
  enter(c);
  const CType *t = base;
  if (at_punct(c, "[")) t = array_suffix(c, base);
  else if (at_punct(c, "(")) t = function_suffix(c, base);
  leave(c);
  return t;
}

static bool nested(const C *c) {
  const Token *t = token_ahead(c, 1);
  if (!at_punct(c, "(")) return false;
  return is_punct(t, "*") || is_punct(t, "(") || t->keyword == KW_ATTRIBUTE ||
         (t->tag == TOK_NAME && !starts_type(c, t));
}

Declared declarator(C *c, const CType *base) {
  enter(c);
  skip_attributes(c);
  base = pointers(c, base);
  Declared d = {base, NULL, token_at(c)->at};
  if (nested(c)) {
    int inner = c->pos + 1;
    skip_parens(c);
    base = suffix(c, base);
    int end = c->pos;
    c->pos = inner;
    skip_attributes(c);
    d = declarator(c, base);
    expect_punct(c, ")");
    c->pos = end;
  } else {
    if (token_at(c)->tag == TOK_NAME) {
      d.at = token_at(c)->at;
      d.name = token_at(c)->text;
      c->pos++;
    }
    d.type = suffix(c, base);
  }
  skip_attributes(c);
  leave(c);
  return d;
}

const CType *type_name(C *c) {
  Specifiers s = specifiers(c);
  Declared d = declarator(c, s.type);
  if (d.name) parse_fail(c, d.at, "[c-syntax] Expected a type without a name.");
  return d.type;
}
