// Binding and control: let, local functions, lambdas, if, match, loops.
#include "local.h"

static SType *infer_bool(Checker *c, Expr *cond, const char *what) {
  SType *t = infer(c, cond);
  if (!unify(c, c->prims[PRIM_BOOL], t))
    mismatch_report(c, cond->span, c->prims[PRIM_BOOL], t,
                    "[condition-type] %s \"%s\" does not have expected type bool.", what,
                    exp_text(c, cond));
  return t;
}

//  cond : bool    yes, no : t    t not functional
//  ----------------------------------------------
//  if cond then yes else no : t
SType *infer_if(Checker *c, Expr *exp) {
  infer_bool(c, exp->if_.cond, "Condition");
  SType *t = stype_fresh(c, LIFT_SIZE, exp->span, "the result of an if expression");
  SType *yes = infer(c, exp->if_.yes);
  if (!unify(c, t, yes))
    mismatch_report(c, exp->if_.yes->span, t, yes, "[branch-type] Branch does not have expected "
                                                   "type.");
  SType *no = infer(c, exp->if_.no);
  if (!unify(c, t, no)) {
    mismatch_report(c, exp->if_.no->span, t, no, "[branch-type] Branches differ in type.");
    note(c, exp->if_.yes->span, "The first branch has the type %s.", stype_text(c, yes));
  }
  return t;
}

SType *infer_match(Checker *c, Expr *exp) {
  SType *src = infer(c, exp->match.src);
  SType *t = stype_fresh(c, LIFT_SIZE, exp->span, "the result of a match expression");
  for (int i = 0; i < exp->match.cases.len; i++) {
    MatchCase *k = &exp->match.cases.at[i];
    int mark = names_scope_begin(c);
    PatNames names = {0};
    pat_infer(c, k->pat, src, BIND_LOCAL, &names);
    pat_names_bind(c, &names);
    SType *body = infer(c, k->body);
    names_scope_end(c, mark);
    if (!unify(c, t, body)) {
      mismatch_report(c, k->body->span, t, body, "[branch-type] Branches differ in type.");
      if (i > 0)
        note(c, exp->match.cases.at[0].body->span, "The first branch has the type %s.",
             stype_text(c, exp->match.cases.at[0].body->type));
    }
  }
  Later later = {.tag = LATER_MATCH, .exp = exp, .span = exp->span};
  list_push(c->arena, &c->later, later);
  return t;
}

// A size bound by let is read off the value.
static bool pat_witnesses(const Pat *pat, const Binding *size) {
  switch (pat->tag) {
    case PAT_ASCRIBE:
      return (pat->ascribe.type->info && size_witnessed(pat->ascribe.type->info->type, size)) ||
             pat_witnesses(pat->ascribe.pat, size);
    case PAT_TUPLE:
      for (int i = 0; i < pat->tuple.elems.len; i++)
        if (pat_witnesses(pat->tuple.elems.at[i], size)) return true;
      return false;
    case PAT_RECORD:
      for (int i = 0; i < pat->record.fields.len; i++)
        if (pat_witnesses(pat->record.fields.at[i].pat, size)) return true;
      return false;
    case PAT_CONSTR:
      for (int i = 0; i < pat->constr.args.len; i++)
        if (pat_witnesses(pat->constr.args.at[i], size)) return true;
      return false;
    case PAT_ATTR: return pat_witnesses(pat->attr.pat, size);
    case PAT_NAME:
    case PAT_WILD:
    case PAT_LIT: return false;
  }
  return false;
}

static void let_sizes_check(Checker *c, const Expr *exp) {
  for (int i = 0; i < exp->let.sizes.len; i++) {
    const TypeParam *p = &exp->let.sizes.at[i];
    if (!pat_witnesses(exp->let.pat, p->info->binding))
      report(c, p->span, "[size-not-bound] Cannot bind [%s] as it is never used as the size of a "
                         "value.", p->name);
  }
}

static void let_step(Checker *c, Expr *exp) {
  PatNames names = {0};
  SType *value = infer(c, exp->let.value);
  int mark = names_scope_begin(c);
  sizes_bind(c, &exp->let.sizes);
  pat_infer(c, exp->let.pat, value, BIND_LOCAL, &names);
  tparams_sizes_used(c, &exp->let.sizes, " in pattern");
  let_sizes_check(c, exp);
  names_scope_end(c, mark);
  for (int i = 0; i < exp->let.sizes.len; i++) {
    Binding *b = exp->let.sizes.at[i].info ? exp->let.sizes.at[i].info->binding : NULL;
    for (int j = 0; b && j < names.len; j++)
      if (names.at[j]->name == b->name)
        report(c, names.at[j]->span, "[bound-twice] Name \"%s\" also bound as a size.", b->name);
    if (b) scope_put(c, SPACE_TERM, b->name, b);
  }
  pat_names_bind(c, &names);
  later_refutable(c, exp->let.pat);
}

// def and let functions, without what they generalise.  Gives the type of the whole.
static SType *fun_infer(Checker *c, FunDef *fun, BindTag tag) {
  TypeList from = {0};
  params_infer(c, &fun->params, tag, &from);
  SType *ret = fun->ret ? type_exp(c, fun->ret) : NULL;
  if (ret) tparams_sizes_used(c, &fun->tparams, " in pattern");
  SType *body = infer(c, fun->body);
  if (ret)
    if (!unify(c, stype_strip(c, ret), body)) {
      mismatch_report(c, fun->body->span, stype_strip(c, ret), body,
                      "[result-type] Function body does not have expected type.");
      note(c, fun->ret->span, "The result type is declared here.");
    }
  info_of(c, &fun->info)->type = ret ? ret : body;
  return function_type(c, &fun->params, &from, ret ? ret : body);
}

// A local function is polymorphic in its explicit type parameters only.
static void letfun_step(Checker *c, Expr *exp) {
  FunDef *fun = exp->letfun.fun;
  Binding *b = binding_new(c, BIND_FUN, fun->name, fun->name_span, NULL);
  b->fun = fun;
  unused_watch(c, b);
  info_of(c, &fun->info)->binding = b;
  int mark = names_scope_begin(c);
  c->level++;
  tparams_bind(c, &fun->tparams, b);
  b->type = fun->type = fun_infer(c, fun, BIND_PARAM);
  c->level--;
  names_scope_end(c, mark);
  fun->info->tparams = b->tparams;
  scope_put(c, SPACE_TERM, fun->name, b);
}

// A chain of lets is as long as a function: it is walked without recursion.
static SType *let_chain(Checker *c, Expr *exp) {
  int mark = names_scope_begin(c);
  LIST(Expr *) chain = {0};
  while (exp->tag == EXP_LET || exp->tag == EXP_LETFUN) {
    list_push(c->arena, &chain, exp);
    if (exp->tag == EXP_LET) let_step(c, exp);
    else letfun_step(c, exp);
    exp = exp->tag == EXP_LET ? exp->let.body : exp->letfun.body;
  }
  SType *t = infer(c, exp);
  names_scope_end(c, mark);
  for (int i = 0; i < chain.len; i++) chain.at[i]->type = t;
  return t;
}
SType *infer_let(Checker *c, Expr *exp) { return let_chain(c, exp); }
SType *infer_letfun(Checker *c, Expr *exp) { return let_chain(c, exp); }

SType *infer_lambda(Checker *c, Expr *exp) {
  int mark = names_scope_begin(c);
  TypeList from = {0};
  params_infer(c, &exp->lambda.params, BIND_LOCAL, &from);
  SType *ret = exp->lambda.ret ? type_exp(c, exp->lambda.ret) : NULL;
  SType *body = infer(c, exp->lambda.body);
  if (ret)
    if (!unify(c, stype_strip(c, ret), body)) {
      mismatch_report(c, exp->lambda.body->span, stype_strip(c, ret), body,
                      "[result-type] Function body does not have expected type.");
      note(c, exp->lambda.ret->span, "The result type is declared here.");
    }
  names_scope_end(c, mark);
  return function_type(c, &exp->lambda.params, &from, ret ? ret : body);
}

// ---- loops -----------------------------------------------------------------------------------
// The index of `for i < e` and the row of `for p in a`; the argument stands outside the loop.
static void loop_form(Checker *c, Expr *exp, PatNames *names) {
  if (exp->loop.tag == LOOP_WHILE) return;
  Expr *arg = exp->loop.arg;
  SType *t = infer(c, arg), *elem;
  if (exp->loop.tag == LOOP_FOR) {
    elem = stype_fresh_prim(c, PRIMS_INT, arg->span, "the bound of a for loop");
    if (!unify(c, elem, t))
      mismatch_report(c, arg->span, elem, t,
                      "[loop-bound-type] Bound \"%s\" of for loop does not have expected type.",
                      exp_text(c, arg));
  } else {
    elem = stype_row(t, 1);
    if (!elem) {
      elem = stype_fresh(c, LIFT_NONE, arg->span, "an array element");
      if (!unify(c, stype_array(c, NULL, elem), t))
        mismatch_report(c, arg->span, stype_array(c, NULL, elem), t,
                        "[loop-array-type] \"%s\" does not have expected type: for-in loops over "
                        "an array.",
                        exp_text(c, arg));
    }
  }
  pat_infer(c, exp->loop.index, elem, BIND_LOCAL, names);
  if (exp->loop.tag == LOOP_IN) later_refutable(c, exp->loop.index);
}

//  init : t    p : t    body : t    t not functional
//  -------------------------------------------------
//  loop p = init for .. do body : t
SType *infer_loop(Checker *c, Expr *exp) {
  SType *t = stype_fresh(c, LIFT_SIZE, exp->span, "a loop parameter");
  SType *init = infer(c, exp->loop.init);
  if (!unify(c, t, init))
    mismatch_report(c, exp->loop.init->span, t, init,
                    "[loop-initial-type] Initial loop values do not have expected type.");
  int mark = names_scope_begin(c);
  PatNames index = {0}, names = {0};
  loop_form(c, exp, &index);
  pat_infer(c, exp->loop.pat, t, BIND_LOCAL, &names);
  later_refutable(c, exp->loop.pat);
  pat_names_bind(c, &index);
  pat_names_bind(c, &names);
  if (exp->loop.tag == LOOP_WHILE) infer_bool(c, exp->loop.arg, "While condition");
  SType *body = infer(c, exp->loop.body);
  if (!unify(c, t, body)) {
    mismatch_report(c, exp->loop.body->span, t, body, "[loop-body-type] Loop body does not have "
                                                      "expected type.");
    note(c, exp->loop.init->span, "The loop starts with this value.");
  }
  names_scope_end(c, mark);
  return t;
}
