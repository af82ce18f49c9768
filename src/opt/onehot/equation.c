// An equation of indices that a statement before it, in this body or one around, has made is that
// one: all choices by it then have one condition.
#include "onehot.h"

enum { MOST = 400 };  // statements that are looked at

static bool is_same(Env *e, const struct prim_form *p, const Stm *stm) {
  const struct prim_form *q = &stm->exp.prim;
  if (stm->exp.form != FORM_PRIM || q->op != p->op || q->prim != p->prim) return false;
  if (env_fact(e, stm->bound.at[0])->dropped) return false;
  Atom x = env_atom(e, q->args.at[0]), y = env_atom(e, q->args.at[1]);
  return (atom_same(x, p->args.at[0]) && atom_same(y, p->args.at[1])) ||
         (atom_same(x, p->args.at[1]) && atom_same(y, p->args.at[0]));
}

static const Stm *find_same(Env *e, const struct prim_form *p, const Stms *stms, int *steps) {
  for (int i = stms ? stms->len - 1 : -1; i >= 0 && *steps < MOST; i--, (*steps)++)
    if (is_same(e, p, &stms->at[i])) return &stms->at[i];
  return NULL;
}

bool onehot_equation(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  int steps = 0;
  const Stm *same = find_same(e, p, e->to.stms, &steps);
  for (int i = e->around.len - 1; i >= 0 && !same; i--)
    same = find_same(e, p, e->around.at[i], &steps);
  return same && env_replace(e, stm, atom_var(same->bound.at[0]));
}
