// Conditions on recursive functions, so that specialising them ends:
//   1. the result is of order zero;
//   2. with functional parameters, every recursive use is a saturated application that passes
//      them on unchanged.
#include "local.h"

typedef struct {
  Checker *c;
  FunDef *fun;
  Binding *self;
  bool higher_order;
} Recursion;

static void walk(Recursion *r, Expr *exp);

static bool is_self(const Recursion *r, const VarRef *ref) {
  return ref->inst && ref->inst->binding == r->self;
}

static void walk_use(Recursion *r, const VarRef *ref) {
  if (is_self(r, ref) && r->higher_order)
    report(r->c, ref->name.span, "[recursion-saturated] Recursive use of \"%s\" is not fully "
                                 "saturated, which is "
           "required as it has a higher-order parameter.", r->fun->name);
}

// Is the argument exactly the variables of the pattern?
static bool is_unchanged(const Pat *pat, const Expr *arg) {
  switch (pat->tag) {
    case PAT_ASCRIBE: return is_unchanged(pat->ascribe.pat, arg);
    case PAT_ATTR: return is_unchanged(pat->attr.pat, arg);
    case PAT_NAME:
      return arg->tag == EXP_VAR && arg->var.inst && !arg->var.inst->fields &&
             arg->var.inst->binding && arg->var.inst->binding->pat == pat;
    case PAT_TUPLE:
      if (arg->tag != EXP_TUPLE || arg->tuple.elems.len != pat->tuple.elems.len) return false;
      for (int i = 0; i < pat->tuple.elems.len; i++)
        if (!is_unchanged(pat->tuple.elems.at[i], arg->tuple.elems.at[i])) return false;
      return true;
    case PAT_RECORD:
      if (arg->tag != EXP_RECORD || arg->record.fields.len != pat->record.fields.len) return false;
      for (int i = 0; i < pat->record.fields.len; i++) {
        bool found = false;
        for (int j = 0; j < arg->record.fields.len; j++)
          found |= arg->record.fields.at[j].name == pat->record.fields.at[i].name &&
                   is_unchanged(pat->record.fields.at[i].pat, arg->record.fields.at[j].value);
        if (!found) return false;
      }
      return true;
    case PAT_WILD:
    case PAT_LIT:
    case PAT_CONSTR: return false;
  }
  return false;
}

static void walk_call(Recursion *r, const VarRef *ref, Expr *const *args, int len) {
  if (!r->higher_order) return;
  if (len < r->fun->params.len) {
    walk_use(r, ref);
    return;
  }
  for (int i = 0; i < r->fun->params.len; i++)
    if (stype_is_functional(r->fun->params.at[i]->type) &&
        !is_unchanged(r->fun->params.at[i], args[i]))
      report(r->c, args[i]->span, "[recursion-unchanged] Functional argument of recursive use of "
                                  "\"%s\" must be passed "
             "unchanged.", r->fun->name);
}

static void walk_list(Recursion *r, const ExprList *list) {
  for (int i = 0; i < list->len; i++) walk(r, list->at[i]);
}

static void walk_index(Recursion *r, const IndexList *index) {
  for (int i = 0; i < index->len; i++) {
    walk(r, index->at[i].i);
    walk(r, index->at[i].j);
    walk(r, index->at[i].s);
  }
}

static void walk_steps(Recursion *r, const StepList *steps) {
  for (int i = 0; i < steps->len; i++)
    if (steps->at[i].tag == STEP_INDEX) walk_index(r, &steps->at[i].index);
}

static void walk_apply(Recursion *r, Expr *exp) {
  walk_list(r, &exp->apply.args);
  Expr *fn = exp->apply.fn;
  if (fn->tag == EXP_VAR && is_self(r, &fn->var))
    walk_call(r, &fn->var, exp->apply.args.at, exp->apply.args.len);
  else
    walk(r, fn);
}

static void walk_binop(Recursion *r, Expr *exp) {
  for (; exp->tag == EXP_BINOP; exp = exp->binop.left) {
    Expr *args[2] = {exp->binop.left, exp->binop.right};
    if (is_self(r, &exp->binop.op)) walk_call(r, &exp->binop.op, args, 2);
    walk(r, exp->binop.right);
  }
  walk(r, exp);
}

static void walk_match(Recursion *r, Expr *exp) {
  walk(r, exp->match.src);
  for (int i = 0; i < exp->match.cases.len; i++) walk(r, exp->match.cases.at[i].body);
}

static void walk_loop(Recursion *r, Expr *exp) {
  walk(r, exp->loop.init);
  walk(r, exp->loop.arg);
  walk(r, exp->loop.body);
}

static void walk(Recursion *r, Expr *exp) {
  for (; exp && (exp->tag == EXP_LET || exp->tag == EXP_LETFUN);
       exp = exp->tag == EXP_LET ? exp->let.body : exp->letfun.body)
    walk(r, exp->tag == EXP_LET ? exp->let.value : exp->letfun.fun->body);
  if (!exp) return;
  switch (exp->tag) {
    case EXP_INT: case EXP_FLOAT: case EXP_CHAR: case EXP_STRING: case EXP_BOOL: case EXP_HOLE:
    case EXP_ARRAYLIT: case EXP_LET: case EXP_LETFUN: break;
    case EXP_VAR: walk_use(r, &exp->var); break;
    case EXP_TUPLE: walk_list(r, &exp->tuple.elems); break;
    case EXP_RECORD:
      for (int i = 0; i < exp->record.fields.len; i++) walk(r, exp->record.fields.at[i].value);
      break;
    case EXP_ARRAY: walk_list(r, &exp->array.elems); break;
    case EXP_RANGE:
      walk(r, exp->range.from);
      walk(r, exp->range.second);
      walk(r, exp->range.to);
      break;
    case EXP_CONSTR: walk_list(r, &exp->constr.args); break;
    case EXP_APPLY: walk_apply(r, exp); break;
    case EXP_PROJECT: walk(r, exp->project.src); break;
    case EXP_INDEX:
      walk(r, exp->index.src);
      walk_index(r, &exp->index.index);
      break;
    case EXP_NEG: walk(r, exp->neg.arg); break;
    case EXP_NOT: walk(r, exp->not_.arg); break;
    case EXP_BINOP: walk_binop(r, exp); break;
    case EXP_SECTION_LEFT:
    case EXP_SECTION_RIGHT:
      walk_use(r, &exp->section.op);
      walk(r, exp->section.arg);
      break;
    case EXP_SECTION_PATH: walk_steps(r, &exp->section_path.path); break;
    case EXP_UPDATE:
      walk(r, exp->update.src);
      walk_steps(r, &exp->update.path);
      walk(r, exp->update.value);
      break;
    case EXP_IF:
      walk(r, exp->if_.cond);
      walk(r, exp->if_.yes);
      walk(r, exp->if_.no);
      break;
    case EXP_MATCH: walk_match(r, exp); break;
    case EXP_LOOP: walk_loop(r, exp); break;
    case EXP_LAMBDA: walk(r, exp->lambda.body); break;
    case EXP_ASSERT:
      walk(r, exp->assert.cond);
      walk(r, exp->assert.body);
      break;
    case EXP_ASCRIBE: walk(r, exp->ascribe.src); break;
    case EXP_COERCE: walk(r, exp->coerce.src); break;
    case EXP_ATTR: walk(r, exp->attr.body); break;
    case EXP_LOCALOPEN: walk(r, exp->localopen.body); break;
  }
}

void recursion_check(Checker *c, FunDef *fun, Binding *self) {
  Recursion r = {c, fun, self, false};
  SType *ret = fun->info->type;
  if (stype_is_functional(ret)) {
    report(c, fun->name_span, "[recursion-first-order] Recursive function \"%s\" has return type "
                              "\"%s\", which is not "
           "first-order.", fun->name, stype_text(c, ret));
    return;
  }
  for (int i = 0; i < fun->params.len; i++)
    r.higher_order |= stype_is_functional(fun->params.at[i]->type);
  walk(&r, fun->body);
}
