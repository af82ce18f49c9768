// Operators of reductions, scans, histograms and accumulators that are min or max of floats: the
// first of equal elements gets the whole derivative.  Equal shares, as of min and max elsewhere,
// would depend on the order in which the operator is applied,
//
//   max (max x y) z    1/4 1/4 1/2         max x (max y z)    1/2 1/4 1/4
//
// so a result of an operator that is min or max of two operands, alone or by column, becomes
// min_first or max_first, which are associative together with their derivatives.
#include "ad/common/local.h"

static bool any_of(const VarSet *set, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (varset_has(set, vars.at[k])) return true;
  return false;
}

// The components of results: themselves, and the elements of literal and replicated arrays.
static void note_results(const Body *body, VarSet *results) {
  for (int k = 0; k < body->results.len; k++) varset_add_atom(results, body->results.at[k]);
  for (int i = body->stms.len - 1; i >= 0; i--) {
    const Stm *stm = &body->stms.at[i];
    if (!any_of(results, stm->bound)) continue;
    if (stm->exp.form == FORM_REPLICATE) varset_add_atom(results, stm->exp.replicate.arg);
    for (int k = 0; stm->exp.form == FORM_LITERAL && k < stm->exp.literal.elems.len; k++)
      varset_add_atom(results, stm->exp.literal.elems.at[k]);
  }
}

static void first_extremum(struct prim_form *e, const VarSet *operands) {
  if (!prim_is_float(e->prim) || (e->op != OP_MIN && e->op != OP_MAX)) return;
  for (int k = 0; k < 2; k++)
    if (!varset_has_atom(operands, e->args.at[k])) return;
  e->op = e->op == OP_MIN ? OP_MIN_FIRST : OP_MAX_FIRST;
}

// operands: those of the operator, and their elements.
static void first_results(const Body *body, VarSet *operands, VarSet *results) {
  note_results(body, results);
  for (int i = 0; i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    const struct map_form *e = &stm->exp.map;
    if (stm->exp.form == FORM_INDEX && varset_has_atom(operands, stm->exp.index.array))
      varset_add(operands, stm->bound.at[0]);
    if (!any_of(results, stm->bound)) continue;
    if (stm->exp.form == FORM_PRIM) first_extremum(&stm->exp.prim, operands);
    if (stm->exp.form != FORM_MAP) continue;
    for (int k = 0; k < e->inputs.len; k++)
      if (varset_has_atom(operands, e->inputs.at[k])) varset_add(operands, e->fn->params.at[k]);
    first_results(&e->fn->body, operands, results);
  }
}

static void first_operator(const Lambda *op) {
  if (!op) return;
  VarSet operands = varset_new(arena_new());
  varset_add_all(&operands, op->params);
  VarSet results = varset_new(operands.arena);
  first_results(&op->body, &operands, &results);
  arena_free(operands.arena);
}

static void first_inner(void *state, const Body *body, const Vars *params) {
  (void)state, (void)params;
  first_body(body);
}

// Changes the program: before the first rule is applied to it.
void first_body(const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    if (e->form == FORM_REDUCE) first_operator(e->reduce.op);
    else if (e->form == FORM_SCAN) first_operator(e->scan.op);
    else if (e->form == FORM_HIST) first_operator(e->hist.op);
    for (int k = 0; e->form == FORM_WITHACC && k < e->withacc.ops.len; k++)
      first_operator(e->withacc.ops.at[k].op);
    exp_each_body(e, first_inner, NULL);
  }
}
