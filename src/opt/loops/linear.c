// Indices as coef * i + base: sums, differences and products are exact in arithmetic modulo 2^64,
// so the identity holds whatever overflows.
#include "loops.h"

enum { LINEAR_DEPTH = 12 };

static Linear linear_at(Loop *s, Atom x, int depth);

static Linear sum(Loop *s, Op op, Linear x, Linear y) {
  Builder *b = &s->e->to;
  if (!x.ok || !y.ok) return (Linear){0};
  return (Linear){true, build_op(b, op, x.coef, y.coef), build_op(b, op, x.base, y.base)};
}

static Linear product(Loop *s, Linear x, Linear y) {
  if (!x.ok || !y.ok) return (Linear){0};
  if (!atom_is(y.coef, 0)) {
    Linear z = x;
    x = y, y = z;
  }
  if (!atom_is(y.coef, 0)) return (Linear){0};
  Builder *b = &s->e->to;
  Atom coef = atom_is(x.coef, 0) ? x.coef : build_op(b, OP_MUL, x.coef, y.base);
  return (Linear){true, coef, build_op(b, OP_MUL, x.base, y.base)};
}

static Linear linear_op(Loop *s, const struct prim_form *p, int depth) {
  if (p->prim != PRIM_I64) return (Linear){0};
  Linear x = linear_at(s, p->args.at[0], depth);
  if (!x.ok) return x;
  switch ((int)p->op) {
  case OP_ADD: case OP_SUB: return sum(s, p->op, x, linear_at(s, p->args.at[1], depth));
  case OP_MUL: return product(s, x, linear_at(s, p->args.at[1], depth));
  case OP_NEG: return sum(s, OP_SUB, (Linear){true, atom_i64(0), atom_i64(0)}, x);
  }
  return (Linear){0};
}

static Linear linear_at(Loop *s, Atom x, int depth) {
  if (atom_is_var(x, s->i)) return (Linear){true, atom_i64(1), atom_i64(0)};
  if (!loop_binds(s, x)) return (Linear){true, atom_i64(0), x};
  const Stm *def = loop_def(s, x);
  if (!def || def->exp.form != FORM_PRIM || depth == LINEAR_DEPTH) return (Linear){0};
  return linear_op(s, &def->exp.prim, depth + 1);
}

Linear linear_of(Loop *s, Atom x) {
  int from = s->e->to.stms->len;
  Linear out = linear_at(s, x, 0);
  env_register(s->e, from);
  return out;
}

bool linear_moves(Env *e, const Linear *x) {
  if (!x->coef.is_var) return !atom_is(x->coef, 0);
  return atom_at_most(e, atom_i64(1), x->coef) || atom_at_most(e, x->coef, atom_i64(-1));
}
