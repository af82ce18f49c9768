// A parameter that keeps the greatest or least number, and others that go along with it.
//
//   if m < x { m = x, k.. = u.. }  =  reduce (\m k.. x u.. -> if m < x then x u.. else m k..)
//
// Elements that are not greater than the operator's neutral number, -inf or NaN, never win, so in
// their place the body, with the neutral numbers for m and k.., gives these.
#include "loops.h"

// lt (m, x), or lt (x, m).
static const Stm *comparison(Loop *s, Atom cond, Var m, bool *second) {
  const Stm *def = loop_def(s, cond);
  if (!def || def->exp.form != FORM_PRIM || def->exp.prim.op != OP_LT) return NULL;
  const Atom *x = def->exp.prim.args.at;
  if (atom_is_var(x[0], m) == atom_is_var(x[1], m)) return NULL;
  *second = atom_is_var(x[1], m);
  return def;
}

// The result is `select c u p`.
static bool is_choice(Loop *s, int k, Atom *cond) {
  const Stm *def = loop_def(s, s->l->fn->body.results.at[k]);
  if (!def || def->exp.form != FORM_PRIM || def->exp.prim.op != OP_SELECT) return false;
  const Atom *x = def->exp.prim.args.at;
  *cond = x[0];
  return atom_is_var(x[2], loop_param(s, k)) && !atom_is_var(x[1], loop_param(s, k));
}

static Atom chosen(Loop *s, int k) {
  return loop_def(s, s->l->fn->body.results.at[k])->exp.prim.args.at[1];
}

// Gives how many of them there are.
static int go_along(Loop *s, int leader, Atom cond, ParamClass *classes) {
  int n = 0;
  for (int k = 0; k < s->l->inits.len; k++) {
    Atom c;
    Var p = loop_param(s, k);
    Type t = var_type(s->e->prog, p);
    bool along = k != leader && type_is_scalar(t) && is_choice(s, k, &c) && atom_same(c, cond) &&
                 loop_uses(s, p) == 1 && loop_uses(s, s->l->fn->body.results.at[k].var) == 1;
    if (!along) continue;
    classes[k] = (ParamClass){.kind = CLASS_BEST, .leader = leader, .cell = type_scalar(t.prim)};
    n++;
  }
  return n;
}

bool class_best(Loop *s, int k, ParamClass *classes) {
  Atom cond;
  Var m = loop_param(s, k);
  Type t = var_type(s->e->prog, m);
  ParamClass c = {.kind = CLASS_BEST, .leader = k, .cell = type_scalar(t.prim)};
  if (!type_is_scalar(t) || !is_choice(s, k, &cond)) return false;
  const Stm *test = comparison(s, cond, m, &c.second);
  if (!test || loop_uses(s, m) != 2 || loop_uses(s, s->l->fn->body.results.at[k].var) != 1)
    return false;
  if (!atom_same(chosen(s, k), test->exp.prim.args.at[c.second ? 0 : 1])) return false;
  c.op = c.second ? OP_MIN : OP_MAX;
  classes[k] = c;
  if (loop_uses(s, cond.var) == 1 + go_along(s, k, cond, classes)) return true;
  for (int j = 0; j < s->l->inits.len; j++)
    if (classes[j].kind == CLASS_BEST && classes[j].leader == k) classes[j].kind = CLASS_NONE;
  return false;
}
