// The option --finite-math: a promise that no number of the program is infinite or NaN.
//
//   x * y              0 where x or y is a zero that stands in the program (#linear_both)
//   guard (d, J, x)    x
//
// needs: core.  leaves: the same level.  cost: linear.
#include "opt/common/local.h"
#include "opt/common/opt.h"

typedef struct {
  Rewrite w;
  int products, guards;
} FiniteMath;

static bool is_product(const Exp *e) {
  return e->form == FORM_PRIM && e->prim.op == OP_MUL && prim_is_float(e->prim.prim);
}

static void finite_stm(Rewrite *w, const Stm *stm) {
  FiniteMath *f = (FiniteMath *)w;
  if (stm->exp.form == FORM_PRIM && stm->exp.prim.op == OP_GUARD) {
    rewrite_bind(w, stm->bound.at[0], rewrite_atom(w, stm->exp.prim.args.at[2]));
    f->guards++;
    return;
  }
  Stm copy = *stm;
  if (is_product(&stm->exp)) copy.attrs.linear = 3, f->products++;
  rewrite_stm(w, &copy);
}

Prog *pass_finite_math(Prog *prog, Arena *arena) {
  FiniteMath f = {.w = {.stm = finite_stm}};
  Prog *out = rewrite_prog(prog, arena, &f.w);
  if (f.products || f.guards)
    prog_note(out, NULL, "assumed",
              "no number is infinite or NaN (--finite-math): in %d products a zero decides, %d "
              "guards dropped",
              f.products, f.guards);
  return out;
}
