// Loops that leave their state alone in all iterations but one are that iteration.
//
//   loop a = z for j < n do if j == e then f a j else a       is   if 0 <= e < n then f z e else z
//   loop a = z for j < n do a + select (j == e, v j, 0)       likewise
#include "onehot.h"

static Support support_of_step(Supports *s, const struct loop_form *l) {
  Support out = {.every = true};
  for (int k = 0; k < l->inits.len; k++) {
    Atom param = atom_var(l->fn->params.at[1 + k]);
    out = support_meet(s, out, support_of(s, l->fn->body.results.at[k], param));
  }
  return out;
}

static bool is_param(const struct loop_form *l, Atom a) {
  return a.is_var && vars_have(l->fn->params, a.var);
}

// Of shapes that do not change.
static bool has_shapes(const Env *e, const struct loop_form *l) {
  for (int k = 0; k < l->inits.len; k++) {
    Type t = var_type(e->prog, l->fn->params.at[1 + k]);
    if (t.is_acc) return false;
    for (int d = 0; d < t.rank; d++)
      if (is_param(l, t.dims[d])) return false;
  }
  return true;
}

bool onehot_loop(Env *e, Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  Supports s;
  OneCase c;
  if (!l->is_for || !l->inits.len || exp_has_effect(&stm->exp) || !has_shapes(e, l)) return false;
  if (atom_type(e->prog, l->bound).prim != PRIM_I64 || !supports_begin(&s, e, l->fn)) return false;
  Support support = support_of_step(&s, l);
  if (support.every || !support.conds.len || !prog_may(e->prog, SWITCH_SINGLE_CASE)) return false;
  Counter counter = {l->fn->params.at[0], atom_i64(0), l->bound};
  if (!solve_case(&s, support, counter, &c)) return false;
  Atoms args = atoms_concat(e->arena, atoms_of(e->arena, 1, &c.at), l->inits);
  onehot_choose(e, stm->bound, &(Choice){c, l->fn, args, false, l->inits});
  return true;
}
