// Integers to which every iteration adds a number that grows evenly: k' = k + (a i + b), with a, b
// from outside.  In iteration i it is k0 + b i + a i (i - 1) / 2.  Places in a packed triangle are
// such.
#include "loops.h"

bool class_count(Loop *s, int k, ParamClass *out) {
  Var p = loop_param(s, k);
  const Stm *def = loop_def(s, s->l->fn->body.results.at[k]);
  if (var_type(s->e->prog, p).prim != PRIM_I64 || env_differentiable(s->e, PRIM_I64)) return false;
  if (!def || def->exp.form != FORM_PRIM) return false;
  const struct prim_form *x = &def->exp.prim;
  if (x->op != OP_ADD && x->op != OP_SUB) return false;
  bool first = atom_is_var(x->args.at[0], p);
  if (!first && (x->op == OP_SUB || !atom_is_var(x->args.at[1], p))) return false;
  Linear step = linear_of(s, x->args.at[first ? 1 : 0]);
  if (!step.ok) return false;
  *out = (ParamClass){
      .kind = CLASS_COUNT, .op = x->op, .cell = type_scalar(PRIM_I64), .step = step};
  return true;
}

// n (n - 1) / 2 = (n >> 1) ((n - 1) | 1), which does not overflow before the result does.
static Atom triangle(Builder *b, Atom n) {
  Atom half = build_op(b, OP_SHR, n, atom_i64(1));
  return build_op(b, OP_MUL, half,
                  build_op(b, OP_OR, build_op(b, OP_SUB, n, atom_i64(1)), atom_i64(1)));
}

Atom count_after(Builder *b, const ParamClass *c, Atom init, Atom n) {
  Atom sum = build_op(b, OP_MUL, c->step.base, n);
  if (!atom_is(c->step.coef, 0))
    sum = build_op(b, OP_ADD, sum, build_op(b, OP_MUL, c->step.coef, triangle(b, n)));
  return build_op(b, c->op, init, sum);
}
