// Results that are concatenated: parts one after the other, and histograms of sums, whose values
// are added into elements that an array of indices names.
#include "jacobian.h"

static const Stm *binding(Stms stms, Atom *a) {
  for (int i = stms.len - 1; i >= 0; i--) {
    const Stm *stm = &stms.at[i];
    if (stm->bound.len != 1 || !atom_is_var(*a, stm->bound.at[0])) continue;
    if (stm->exp.form != FORM_RESHAPE || stm->exp.reshape.dims.len != 1) return stm;
    *a = stm->exp.reshape.array;
  }
  return NULL;
}

// The input that result k of the function is, as it is; or none.
static Atom input_of(const struct hist_form *e, int k) {
  for (int i = 0; i < e->inputs.len && i < e->fn->params.len; i++)
    if (atom_is_var(e->fn->body.results.at[k], e->fn->params.at[i])) return e->inputs.at[i];
  return atom_none();
}

static bool is_sums(const Prog *prog, const VarSet *varied, const Stm *stm) {
  if (!stm || stm->exp.form != FORM_HIST) return false;
  const struct hist_form *e = &stm->exp.hist;
  return e->rank == 1 && e->dests.len == 1 && atom_type(prog, e->dests.at[0]).rank == 1 &&
         operator_is_sum(e->op) && e->fn->body.stms.len == 0 && !atom_absent(input_of(e, 0)) &&
         !atom_absent(input_of(e, 1)) && !varset_has_atom(varied, input_of(e, 0));
}

// hist (+) dest is vs = dest, and v_j added to element is_j
BlockTargets blocks_targets(const Prog *prog, const VarSet *varied, const Body *body) {
  BlockTargets out = {0};
  Atom result = body->results.at[0];
  const Stm *stm = binding(body->stms, &result);
  while (is_sums(prog, varied, stm)) {
    const struct hist_form *e = &stm->exp.hist;
    if (varset_has_atom(varied, input_of(e, 1)))
      list_push(prog->arena, &out, ((BlockTarget){input_of(e, 1), input_of(e, 0)}));
    result = e->dests.at[0];
    stm = binding(body->stms, &result);
  }
  if (varset_has_atom(varied, result))
    list_push(prog->arena, &out, ((BlockTarget){result, atom_none()}));
  return out;
}
