// Integer expressions as k + sum of c * v, for indices of updates: the variables are iterations of
// maps and loops, and whatever is not a sum, difference, negation or multiple by a constant, or a
// quotient or remainder of such by a constant that divides all factors: (2 i + 3) / 2 is i + 1.
#include "acc.h"

enum { LINE_DEPTH = 12 };

// l += scale * x; false: x is no sum but a term.
static bool add_sum(const Map *defs, Affine *l, Atom x, int64_t scale, int depth);

static void add_atom(const Map *defs, Affine *l, Atom x, int64_t scale, int depth) {
  if (!coef_is_small(scale)) l->ok = false;
  if (!l->ok) return;
  if (!x.is_var) affine_add_const(l, coef_is_small(x.value.i) ? scale * x.value.i : INT64_MAX);
  else if (depth == 0 || !add_sum(defs, l, x, scale, depth - 1)) affine_add_term(l, x.var, scale);
}

static bool add_quotient(const Map *defs, Affine *l, const struct prim_form *p, int64_t scale,
                         int depth) {
  Affine x = {.ok = true}, rest = {.ok = true};
  int64_t by = p->args.at[1].is_var ? 0 : p->args.at[1].value.i;
  if (by <= 0 || !coef_is_small(by)) return false;
  add_atom(defs, &x, p->args.at[0], 1, depth);
  if (!affine_divides(&x, by)) return false;
  rest.k = affine_mod(&x, by);
  Affine floor = affine_floor(&x, by);
  affine_add(l, p->op == OP_DIV ? &floor : &rest, scale);
  return true;
}

static bool add_sum(const Map *defs, Affine *l, Atom x, int64_t scale, int depth) {
  const Exp *exp = map_get(defs, x.var.id);
  if (exp && exp->form == FORM_ATOM) {
    add_atom(defs, l, exp->atom.arg, scale, depth);
    return true;
  }
  if (!exp || exp->form != FORM_PRIM || exp->prim.prim != PRIM_I64) return false;
  const Atom *y = exp->prim.args.at;
  switch ((int)exp->prim.op) {
  case OP_ADD: case OP_SUB:
    add_atom(defs, l, y[0], scale, depth);
    add_atom(defs, l, y[1], exp->prim.op == OP_ADD ? scale : -scale, depth);
    return true;
  case OP_NEG:
    add_atom(defs, l, y[0], -scale, depth);
    return true;
  case OP_MUL:
    for (int i = 0; i < 2; i++) {
      if (y[i].is_var || !coef_is_small(y[i].value.i)) continue;
      add_atom(defs, l, y[1 - i], scale * y[i].value.i, depth);
      return true;
    }
    return false;
  case OP_DIV: case OP_MOD: return add_quotient(defs, l, &exp->prim, scale, depth);
  }
  return false;
}

Affine affine_of(const Map *defs, Atom x) {
  Affine l = {.ok = true};
  add_atom(defs, &l, x, 1, LINE_DEPTH);
  return l;
}
