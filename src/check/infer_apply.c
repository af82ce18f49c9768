// Application: functions, operators, sections.
#include "local.h"

// A function's name in messages; NULL when it has none.
static const char *function_name(Checker *c, const Expr *fn) {
  return fn->tag == EXP_VAR ? path_text(c, &fn->var.name.parts, fn->var.name.parts.len) : NULL;
}

static const char *function_text(Checker *c, const Expr *fn) {
  const char *name = function_name(c, fn);
  if (name) return arena_printf(c->arena, "\"%s\"", name);
  bool function = fn->tag == EXP_SECTION_LEFT || fn->tag == EXP_SECTION_RIGHT ||
                  fn->tag == EXP_SECTION_PATH || fn->tag == EXP_LAMBDA;
  return function ? "function" : "expression";
}

// Where the function comes from and what it takes.
static void note_function(Checker *c, const Expr *fn) {
  const Binding *b = fn->tag == EXP_VAR && fn->var.inst ? fn->var.inst->binding : NULL;
  if (!b || !b->type || b == c->self || b->tag == BIND_OPERATOR || fn->var.inst->fields) return;
  if (stype_find(b->type)->tag == TYPE_ERROR) return;
  note(c, b->span, "\"%s\" has the type %s.", function_name(c, fn), stype_text(c, b->type));
}

static void not_a_function(Checker *c, const Expr *fn, SType *type, int given, int accepted) {
  if (accepted)
    report(c, fn->span, "[too-many-arguments] Cannot apply %s to %d arguments.\nFunction accepts "
                        "only %d argument%s.",
           function_text(c, fn), given, accepted, accepted == 1 ? "" : "s");
  else
    report(c, fn->span, "[not-a-function] Cannot apply %s as function, as it has type:\n  %s\n%s",
           function_text(c, fn), stype_text(c, type),
           stype_find(type)->tag == TYPE_VAR ? c->why : "");
  note_function(c, fn);
}

// Makes the type a function: gives parameter and result type, or false.
static bool split_arrow(Checker *c, SType *type, Span at, SType **from, SType **to) {
  type = stype_find(type);
  if (type->tag == TYPE_ARROW) {
    *from = type->arrow.from;
    *to = type->arrow.to;
    return true;
  }
  *from = stype_fresh(c, LIFT_FULL, at, NULL);
  *to = stype_fresh(c, LIFT_FULL, at, NULL);
  return unify(c, type, stype_arrow(c, NULL, *from, *to));
}

SType *infer_apply(Checker *c, Expr *exp) {
  Expr *fn = exp->apply.fn;
  bool named = fn->tag == EXP_VAR;
  SType *type = infer(c, fn);
  for (int i = 0; i < exp->apply.args.len; i++) {
    Expr *arg = exp->apply.args.at[i];
    SType *actual = infer(c, arg), *from, *to;
    if (!split_arrow(c, type, arg->span, &from, &to)) {
      not_a_function(c, fn, type, exp->apply.args.len, i);
      type = c->error;
      continue;
    }
    if (!unify(c, from, actual)) {
      mismatch_bare(c, arg->span, from, actual, "[argument-type] Cannot apply %s to \"%s\" "
                                                "(invalid type).",
                    named ? function_text(c, fn) : "function", exp_text(c, arg));
      note_function(c, fn);
      hint_order(c, exp, i, actual);
      hint_types(c, arg->span, from, actual);
      hint_argument(c, exp, i, from, actual);
    }
    type = stype_strip(c, to);
  }
  return type;
}

// The types of an operator's operands depend on each other: of `whole` the left one is checked
// before; NULL: a section.
static SType *operand(Checker *c, VarRef *op, SType *type, Expr *arg, SType *actual,
                      const Expr *whole) {
  SType *from, *to;
  if (!split_arrow(c, type, arg->span, &from, &to)) {
    report(c, op->name.span, "[not-a-function] Cannot apply \"%s\" as function, as it has type:\n "
                             " %s",
           path_text(c, &op->name.parts, op->name.parts.len), stype_text(c, type));
    return c->error;
  }
  if (!unify(c, from, actual)) {
    mismatch_bare(c, arg->span, from, actual, "[argument-type] Cannot apply \"%s\" to \"%s\" "
                                              "(invalid type).",
                  path_text(c, &op->name.parts, op->name.parts.len), exp_text(c, arg));
    const Expr *other = whole && arg == whole->binop.right ? whole->binop.left : NULL;
    if (other)
      note(c, other->span, "The other operand has the type %s.", stype_text(c, other->type));
    if (!whole || !hint_operands(c, whole)) hint_types(c, arg->span, from, actual);
  }
  return stype_strip(c, to);
}

// A chain a + b + c is deep on the left: it is walked without recursion.
SType *infer_binop(Checker *c, Expr *exp) {
  LIST(Expr *) spine = {0};
  for (; exp->tag == EXP_BINOP; exp = exp->binop.left) list_push(c->arena, &spine, exp);
  int errors = c->diag->errors;
  SType *left = infer(c, exp);
  for (int i = spine.len; i-- > 0;) {
    Expr *e = spine.at[i];
    if (c->diag->errors > errors) hint_foreign(c, e);
    errors = c->diag->errors;
    SType *right = infer(c, e->binop.right);
    if (c->diag->errors > errors) {
      hint_operator(c, e);
      hint_foreign(c, e);
    }
    errors = c->diag->errors;
    SType *op = value_resolve(c, &e->binop.op);
    op = operand(c, &e->binop.op, op, e->binop.left, left, e);
    left = e->type = operand(c, &e->binop.op, op, e->binop.right, right, e);
  }
  return left;
}

// A sign and a literal are one number, but for a literal in parentheses.
SType *infer_neg(Checker *c, Expr *exp) {
  Expr *arg = exp->neg.arg;
  SType *t = stype_fresh_prim(c, PRIMS_NUM, exp->span, "operand of \"-\"");
  bool number = arg->tag == EXP_INT && !arg->parens;
  SType *actual = number ? (arg->type = infer_int(c, arg, true)) : infer(c, arg);
  if (!unify(c, t, actual))
    mismatch_report(c, arg->span, t, actual, "[argument-type] Cannot apply \"-\" to \"%s\" "
                                             "(invalid type).",
                    exp_text(c, arg));
  return t;
}

SType *infer_not(Checker *c, Expr *exp) {
  SType *t = stype_fresh_prim(c, PRIMS_INT | PRIMS_BOOL, exp->span, "operand of \"!\"");
  SType *actual = infer(c, exp->not_.arg);
  if (!unify(c, t, actual))
    mismatch_report(c, exp->not_.arg->span, t, actual,
                    "[argument-type] Cannot apply \"!\" to \"%s\" (invalid type).",
                    exp_text(c, exp->not_.arg));
  return t;
}

// (e op) : b -> c
SType *infer_section_left(Checker *c, Expr *exp) {
  SType *op = value_resolve(c, &exp->section.op);
  SType *arg = infer(c, exp->section.arg);
  return operand(c, &exp->section.op, op, exp->section.arg, arg, NULL);
}

// (op e) : a -> c
SType *infer_section_right(Checker *c, Expr *exp) {
  SType *op = value_resolve(c, &exp->section.op), *from, *to;
  SType *arg = infer(c, exp->section.arg);
  if (!split_arrow(c, op, exp->span, &from, &to)) {
    report(c, exp->section.op.name.span, "[not-a-function] Cannot apply operator as function, as "
                                         "it has type:\n  %s",
           stype_text(c, op));
    return c->error;
  }
  return stype_arrow(c, NULL, from, operand(c, &exp->section.op, to, exp->section.arg, arg,
                                         NULL));
}
