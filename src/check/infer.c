// Expressions, one rule per form; the groups are in infer_*.c.
#include "local.h"
#include <string.h>

static SType *infer_var(Checker *c, Expr *exp) { return value_resolve(c, &exp->var); }

static SType *infer_tuple(Checker *c, Expr *exp) {
  TypeList elems = {0};
  for (int i = 0; i < exp->tuple.elems.len; i++)
    list_push(c->arena, &elems, infer(c, exp->tuple.elems.at[i]));
  return stype_tuple(c, &elems);
}

//  cond : bool    body : t
//  -----------------------
//  assert cond body : t
static SType *infer_assert(Checker *c, Expr *exp) {
  SType *t = infer(c, exp->assert.cond);
  if (!unify(c, c->prims[PRIM_BOOL], t))
    mismatch_report(c, exp->assert.cond->span, c->prims[PRIM_BOOL], t,
                    "[condition-type] Cannot apply \"assert\" to \"%s\".",
                    exp_text(c, exp->assert.cond));
  return infer(c, exp->assert.body);
}

static const char strategies[] = ""
#define STRATEGY(id, row, help) " " row
#include "syntax/strategy.def"
#undef STRATEGY
    ;

static bool is_strategy(const char *name) {
#define STRATEGY(id, row, help) \
  if (strcmp(name, row) == 0) return true;
#include "syntax/strategy.def"
#undef STRATEGY
  return false;
}

// #[strategy(NAME)] e
static SType *infer_attr(Checker *c, Expr *exp) {
  const Attr *attr = exp->attr.attr;
  if (strcmp(attr->name, "strategy") == 0) {
    bool named = attr->tag == ATTR_CALL && attr->args.len == 1 && attr->args.at[0]->name;
    if (!named || !is_strategy(attr->args.at[0]->name)) {
      diag_error(c->diag, exp->span,
                 "[unknown-strategy] There is no such strategy of derivatives.");
      diag_hint(c->diag, "write #[strategy(NAME)] with one of these names:%s.", strategies);
    }
  }
  return infer(c, exp->attr.body);
}

static SType *infer_ascribe(Checker *c, Expr *exp) {
  SType *type = stype_strip(c, type_exp(c, exp->ascribe.type));
  SType *t = infer(c, exp->ascribe.src);
  if (!unify(c, type, t))
    mismatch_within(c, exp->span, exp->ascribe.src->span, type, t,
                    "[ascription] Expression does not have expected type from explicit type "
                    "ascription.");
  return type;
}

static SType *infer_coerce(Checker *c, Expr *exp) {
  SType *type = stype_strip(c, type_exp(c, exp->coerce.type));
  SType *t = infer(c, exp->coerce.src);
  if (!unify(c, type, t))
    mismatch_within(c, exp->span, exp->coerce.src->span, type, t,
                    "[coercion] Expression does not have expected type from explicit size "
                    "coercion.");
  return type;
}

SType *infer_localopen(Checker *c, Expr *exp) {
  Binding *b = module_resolve(c, &exp->localopen.mod);
  int mark = names_scope_begin(c);
  if (b && b->mod) {
    if (b->mod->env) modenv_open(c, b->mod->env);
    else report(c, exp->localopen.mod.name.span, "[module-is-parametric] Module \"%s\" is a "
                                                 "parametric module "
                "(#module-is-parametric).", b->name);
  }
  SType *t = infer(c, exp->localopen.body);
  names_scope_end(c, mark);
  return t;
}

static SType *infer_form(Checker *c, Expr *exp) {
  switch (exp->tag) {
    case EXP_INT: return infer_int(c, exp, false);
    case EXP_FLOAT: return infer_float(c, exp);
    case EXP_CHAR: return stype_fresh_prim(c, PRIMS_NUM, exp->span, "character literal");
    case EXP_STRING: return stype_array(c, NULL, c->prims[PRIM_U8]);
    case EXP_BOOL: return c->prims[PRIM_BOOL];
    case EXP_HOLE: return stype_fresh(c, LIFT_FULL, exp->span, "hole");
    case EXP_VAR: return infer_var(c, exp);
    case EXP_TUPLE: return infer_tuple(c, exp);
    case EXP_RECORD: return infer_record(c, exp);
    case EXP_ARRAY: return infer_array(c, exp);
    case EXP_ARRAYLIT: return infer_arraylit(c, exp);
    case EXP_RANGE: return infer_range(c, exp);
    case EXP_CONSTR: return infer_constr(c, exp);
    case EXP_APPLY: return infer_apply(c, exp);
    case EXP_PROJECT: return infer_project(c, exp);
    case EXP_INDEX: return infer_index(c, exp);
    case EXP_NEG: return infer_neg(c, exp);
    case EXP_NOT: return infer_not(c, exp);
    case EXP_BINOP: return infer_binop(c, exp);
    case EXP_SECTION_LEFT: return infer_section_left(c, exp);
    case EXP_SECTION_RIGHT: return infer_section_right(c, exp);
    case EXP_SECTION_PATH: return infer_section_path(c, exp);
    case EXP_UPDATE: return infer_update(c, exp);
    case EXP_IF: return infer_if(c, exp);
    case EXP_MATCH: return infer_match(c, exp);
    case EXP_LET: return infer_let(c, exp);
    case EXP_LETFUN: return infer_letfun(c, exp);
    case EXP_LOOP: return infer_loop(c, exp);
    case EXP_LAMBDA: return infer_lambda(c, exp);
    case EXP_ASSERT: return infer_assert(c, exp);
    case EXP_ASCRIBE: return infer_ascribe(c, exp);
    case EXP_COERCE: return infer_coerce(c, exp);
    case EXP_ATTR: return infer_attr(c, exp);
    case EXP_LOCALOPEN: return infer_localopen(c, exp);
  }
  ice("expression tag %d", exp->tag);
}

SType *infer(Checker *c, Expr *exp) {
  SType *type = infer_form(c, exp);
  bool grows = exp->tag == EXP_TUPLE || exp->tag == EXP_RECORD || exp->tag == EXP_CONSTR ||
               exp->tag == EXP_APPLY || exp->tag == EXP_BINOP;
  exp->type = stype_strip(c, grows ? stype_bounded(c, exp->span, type) : type);
  return exp->type;
}
