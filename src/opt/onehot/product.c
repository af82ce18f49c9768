// A product by a structural zero is one, and so is what other linear operations make of it.
//
//   select (c, a, 0) *. J     is   select (c, a *. J, 0); where a is 1, select (c, J, 0)
//   - select (c, a, 0)        is   select (c, - a, 0)
//   guard (J, s, s), s = select (c, a, 0)     is   select (c, guard (J, a, a), 0)
#include "onehot.h"

static bool is_zero(Atom a) { return !a.is_var && atom_is(a, 0); }

static const struct prim_form *select_to_zero(Env *e, Atom a) {
  const Stm *def = env_def_as(e, a, FORM_PRIM);
  bool is = def && def->exp.prim.op == OP_SELECT && is_zero(def->exp.prim.args.at[2]);
  return is ? &def->exp.prim : NULL;
}

static bool product_by(Env *e, Stm *stm, int d) {
  const struct prim_form *p = &stm->exp.prim;
  Atom x = p->args.at[d], J = p->args.at[1 - d];
  const struct prim_form *q = select_to_zero(e, x);
  bool pays = q && (atom_is(q->args.at[1], 1) || env_uses(e, x) == 1);
  if (!pays || !prog_may(e->prog, SWITCH_ZERO_PRODUCTS)) return false;
  Attrs saved = e->to.attrs;
  e->to.attrs.linear = stm->attrs.linear;
  Atom one = q->args.at[1];
  Atom product = d == 0 ? build_op(&e->to, OP_MUL, one, J) : build_op(&e->to, OP_MUL, J, one);
  e->to.attrs = saved;
  return env_replace(e, stm, build_select(&e->to, q->args.at[0], product, q->args.at[2]));
}

// Of the last operand, a choice that no other statement reads.
static bool of_choice(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  Atom x = p->args.at[p->args.len - 1];
  const struct prim_form *q = select_to_zero(e, x);
  bool guard = p->op == OP_GUARD && atom_same(p->args.at[1], x);
  if (!q || (!guard && p->op != OP_NEG) || env_uses(e, x) > 1 + guard) return false;
  if (!prog_may(e->prog, SWITCH_ZERO_PRODUCTS)) return false;
  Atom c = q->args.at[0], a = q->args.at[1], zero = q->args.at[2];
  a = guard ? build_op3(&e->to, OP_GUARD, p->args.at[0], a, a) : build_op1(&e->to, OP_NEG, a);
  return env_replace(e, stm, build_select(&e->to, c, a, zero));
}

bool onehot_product(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  if (p->op == OP_NEG || p->op == OP_GUARD) return of_choice(e, stm);
  bool ring = prim_is_int(p->prim);
  if (p->op != OP_MUL) return false;
  if ((ring || stm->attrs.linear & 1) && product_by(e, stm, 0)) return true;
  return (ring || stm->attrs.linear & 2) && product_by(e, stm, 1);
}
