// The rules of this folder by form: simplify's walk has them in pass_onehot, where a program
// compares indices and chooses zero.
#include "onehot.h"
#include "opt/common/opt.h"

static bool chooses_zero(const Exp *e) {
  if (e->form == FORM_LOOP) return e->loop.is_for;
  if (e->form == FORM_CONV) return prim_is_float(e->conv.to) || prim_is_int(e->conv.to);
  return e->form == FORM_PRIM && e->prim.op == OP_SELECT && !e->prim.args.at[2].is_var;
}
static bool compares(const Exp *e) {
  return e->form == FORM_PRIM && e->prim.op == OP_EQ && e->prim.prim == PRIM_I64;
}

static bool transposes(const Exp *e) { return map_transposes(e) != NULL; }

bool rule_onehot(Env *e, Stm *stm) {
  switch ((int)stm->exp.form) {
  case FORM_SCREMA:
    onehot_inputs(e, stm->exp.screma.width, stm->exp.screma.fn, &stm->exp.screma.inputs);
    if (onehot_screma(e, stm)) return true;
    onehot_fission(e, stm);
    return false;
  case FORM_MAP:
    onehot_inputs(e, stm->exp.map.width, stm->exp.map.fn, &stm->exp.map.inputs);
    onehot_key_sums(e, stm);
    return onehot_transposition(e, stm);
  case FORM_INDEX: return onehot_pull(e, stm) || (!e->again && onehot_columns(e, stm));
  case FORM_LOOP: return onehot_loop(e, stm);
  case FORM_PRIM: return onehot_product(e, stm);
  }
  return false;
}

bool onehot_applies(const Prog *prog) {
  return prog_has(prog, compares) && prog_has(prog, chooses_zero);
}

bool onehot_may_apply(const Prog *prog) {
  return onehot_applies(prog) || prog_has(prog, transposes);
}
