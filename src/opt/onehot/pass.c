// The pass: simplify's walk with the rules of this folder, where a program compares indices and
// chooses zero.
#include "onehot.h"
#include "opt/common/opt.h"

static bool chooses_zero(const Exp *e) {
  if (e->form == FORM_LOOP) return e->loop.is_for;
  return e->form == FORM_PRIM && e->prim.op == OP_SELECT && !e->prim.args.at[2].is_var;
}
static bool compares(const Exp *e) {
  return e->form == FORM_PRIM && e->prim.op == OP_EQ && e->prim.prim == PRIM_I64;
}

bool rule_onehot(Env *e, Stm *stm) {
  switch ((int)stm->exp.form) {
  case FORM_SCREMA: return onehot_screma(e, stm);
  case FORM_LOOP: return onehot_loop(e, stm);
  case FORM_PRIM: return onehot_product(e, stm);
  }
  return false;
}

// needs: fused programs.  leaves: the same results, but for the sign of zeros and for products by
// structural zeros.  cost: that of simplify; one scan where there is nothing to do.
Prog *pass_onehot(const Prog *prog, Arena *arena) {
  if (!prog_has(prog, compares) || !prog_has(prog, chooses_zero)) return (Prog *)prog;
  Prog *out = prog_own(prog, arena);
  simplify_onehot(out);
  return out;
}
