// Rules for functions: what a derivative uses instead of their source.  After the declaration:
//
//   #pragma dagaz derivative f: p = e, q = e'   the partial derivatives of f(p, q, ..), C
//                                               expressions of p, q, .. and f, the value, and of
//                                               calls; those not named are zero
//   #pragma dagaz inactive f                    all derivatives are zero
//   #pragma dagaz tangent f: g                  see given.c
//   #pragma dagaz adjoint f: g
#include "local.h"
#include <stdlib.h>

// The text of the pragma as a file, where its tokens have the lines they have in the user's.
static C reader_of(C *c, const Token *pragma, const char *word) {
  SpanPlace place = span_place(pragma->at);
  Text text = {0};
  for (int i = 1; i < place.line; i++) text_putc(&text, '\n');
  text_printf(&text, "%*s%s\n", (int)(strlen("#pragma ") + strlen(word)), "",
              pragma->text + strlen(word));
  const char *copy = arena_strdup(c->arena, text.at);
  text_free(&text);
  CUnit *unit = arena_copy(c->arena, c->unit, sizeof *c->unit);
  unit->source = source_new(c->arena, pragma->at.src->path, copy, strlen(copy));
  C r = {.arena = c->arena, .names = c->names, .diag = c->diag, .unit = unit, .scope = c->scope};
  ctext_lex(&r, (CInput){.path = pragma->at.src->path, .text = copy});
  return r;
}

CFunction *rule_function(C *r) {
  Span at = token_at(r)->at;
  Name name = expect_name(r, "a function");
  const Symbol *known = scope_find(r, name);
  if (!known || known->tag != SYM_FUNCTION)
    parse_fail_hint(r, at, "[c-rule] This function is not declared above.",
                    "write its declaration before the pragma");
  return known->function;
}

// f without arguments is the value.
static Name value_named(C *r, const CFunction *f) {
  Name value = name_of(r->names, arena_printf(r->arena, "value of %s", f->name));
  for (int i = r->pos; i + 1 < r->tokens.len; i++)
    if (r->tokens.at[i].text == f->name && !is_punct(&r->tokens.at[i + 1], "("))
      r->tokens.at[i].text = value;
  return value;
}

static void names_bound(C *r, const CFunction *f, CRule *rule) {
  scope_push(r);
  for (int i = 0; i < f->params.len; i++) {
    CVar *v = f->params.at[i];
    if (v->name) scope_add(r, v->name, (Symbol){.tag = SYM_VAR, .var = v});
    list_push(r->arena, &rule->partials, NULL);
  }
  CVar *result = cvar_new(r, (Declared){f->type->base, f->name, f->at}, CSTORE_NONE);
  scope_add(r, value_named(r, f), (Symbol){.tag = SYM_VAR, .var = result});
  rule->params = f->params;
  rule->result = result;
}

static int parameter(C *r, const CFunction *f) {
  Span at = token_at(r)->at;
  Name name = expect_name(r, "a parameter");
  for (int i = 0; i < f->params.len; i++)
    if (f->params.at[i]->name == name && ctype_is_float(f->params.at[i]->type)) return i;
  diag_error(r->diag, at, "[c-rule] `%.80s` is no parameter of floating point of `%.80s`.", name,
             f->name);
  diag_hint(r->diag, "declare the function above with names of its parameters");
  stop_now(STATUS_USER_ERROR);
}

static bool find_effect(const CExpr *e, void *state) {
  const CLibc *row = e->tag == CE_CALL && e->x->tag == CE_FUNCTION ? e->x->function->libc : NULL;
  bool call = row && (row->kind == LIBC_MATH || row->kind == LIBC_PURE ||
                      row->kind == LIBC_SPECIAL);
  for (int i = 0; call && i < e->nargs; i++) call = ctype_is_arithmetic(e->args[i]->type);
  if (e->tag == CE_ASSIGN || e->tag == CE_STEP || (e->tag == CE_CALL && !call))
    *(bool *)state = true;
  return true;
}

static void partial(C *r, const CFunction *f, CRule *rule) {
  int i = parameter(r, f);
  expect_punct(r, "=");
  Span at = token_at(r)->at;
  const CExpr *e = assignment(r);
  bool effect = false;
  cexpr_visit(e, find_effect, &effect);
  if (!ctype_is_arithmetic(e->type) || effect)
    parse_fail_hint(r, at, "[c-rule] This is no number without effects.",
                    "use parameters, numbers, functions of the library and functions with rules");
  rule->partials.at[i] = cbuild_convert(r->arena, e, f->type->base);
}

static const CLibc *row_of(C *r, const CFunction *f, LibcKind kind, const CRule *rule) {
  CLibc row = {.name = f->name, .kind = kind, .rule = rule};
  return arena_copy(r->arena, &row, sizeof row);
}

static const CLibc *derivative(C *r, const CFunction *f, Span at) {
  bool fits = ctype_is_float(f->type->base);
  for (int i = 0; i < f->params.len; i++)
    fits = fits && ctype_is_arithmetic(f->params.at[i]->type);
  if (!fits)
    parse_fail_hint(r, at, "[c-rule] Rules are for functions from numbers to one number.",
                    "give the source of functions over arrays, or a tangent and an adjoint");
  CRule *rule = NEW(r->arena, CRule);
  names_bound(r, f, rule);
  expect_punct(r, ":");
  do partial(r, f, rule);
  while (take_punct(r, ","));
  scope_pop(r);
  return row_of(r, f, LIBC_MATH, rule);
}

// Writing through a pointer changes values that others differentiate.
static const CLibc *inactive(C *r, const CFunction *f, Span at) {
  bool pointers = false;
  for (int i = 0; i < f->params.len; i++) {
    const CType *t = f->params.at[i]->type;
    if (ctype_is_pointer(t) && !(t->base->quals & CQ_CONST))
      parse_fail_hint(r, at, "[c-rule] An inactive function may not write through a pointer.",
                      "declare what it points to `const`, or give the source");
    pointers = pointers || ctype_is_pointer(t);
  }
  bool prints = pointers || f->type->base->tag == CTYPE_VOID;
  return row_of(r, f, prints ? LIBC_PRINT : LIBC_PURE, NULL);
}

typedef enum { RULE_INACTIVE, RULE_PARTIALS, RULE_TANGENT, RULE_ADJOINT, RULE_COUNT } RuleTag;
static const char *const words[RULE_COUNT] = {"dagaz inactive ", "dagaz derivative ",
                                              "dagaz tangent ", "dagaz adjoint "};

static void rule_read(C *r, RuleTag tag) {
  Span at = token_at(r)->at;
  if (tag == RULE_TANGENT || tag == RULE_ADJOINT) {
    given_read(r, tag == RULE_ADJOINT);
  } else {
    CFunction *f = rule_function(r);
    f->rule = tag == RULE_PARTIALS ? derivative(r, f, at) : inactive(r, f, at);
    f->libc = f->rule;
  }
  if (token_at(r)->tag != TOK_END)
    parse_fail(r, token_at(r)->at, "[c-syntax] Expected `,` or the end of the line before `%.40s`.",
               token_at(r)->text);
}

static RuleTag rule_tag(const char *pragma) {
  int k = 0;
  while (k < RULE_COUNT && strncmp(pragma, words[k], strlen(words[k])) != 0) k++;
  return (RuleTag)k;
}

void rule_pragma(C *c, const Token *pragma) {
  const RuleTag tag = rule_tag(pragma->text);
  if (tag == RULE_COUNT) return;
  C r = reader_of(c, pragma, words[tag]);
  Stop stop;
  if (stop_arm(&stop)) {
    rule_read(&r, tag);
    stop_pop(&stop);
  } else if (stop.status == STATUS_BUG) stop_now(STATUS_BUG);
}
