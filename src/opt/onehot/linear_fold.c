// Reductions with a component that is linear in the derivatives of both operands, as the tangent of
// a product is, and comes from one element:
//
//   reduce ((x, d), (x', d') -> (X x x', A x x' *. d + B x x' *. d')) (z, 0)
//          (xs, only (j == e, b j))
//     is   P = scan X z xs ; S = scan X z from the end
//          d = if 0 <= e < n then A P[e] S[e + 1] *. (B P[e - 1] x[e] *. b e) else 0
//
// which uses that X and the operator are associative, as reductions declare.  The scans mention
// nothing of e: they leave the map over directions (hoist).  Done where they can.
#include "onehot.h"

typedef struct {
  Env *e;
  struct screma_form *x;
  const Operator *op;
  int elem, d;  // the first element of the reduction, and the derivative among its components
  Linear l;
} LinearFold;

static Atoms atoms_except(const LinearFold *f, Atoms all, int from) {
  Atoms out = {0};
  for (int k = 0; k < f->op->neutral.len; k++)
    if (k != f->d) list_push(f->e->arena, &out, all.at[from + k]);
  return out;
}

// ---- is it one
static bool has_scalars(const LinearFold *f) {
  for (int k = 0; k < f->op->neutral.len; k++)
    if (f->op->op->rets.at[k].rank) return false;
  return true;
}

static bool is_linear(LinearFold *f) {
  const Lambda *op = f->op->op;
  Atom z = f->op->neutral.at[f->d];
  int n = f->op->neutral.len;
  if (z.is_var || !atom_is(z, 0) || !prim_is_float(op->rets.at[f->d].prim)) return false;
  Vars leaves = {0};
  list_push(f->e->scratch, &leaves, op->params.at[f->d]);
  list_push(f->e->scratch, &leaves, op->params.at[n + f->d]);
  linear_begin(&f->l, f->e, &op->body, leaves);
  for (int k = 0; k < n; k++)
    if (k != f->d && linear_tainted(&f->l, op->body.results.at[k])) return false;
  Atom out = op->body.results.at[f->d];
  return linear_tainted(&f->l, out) && linear_walk(&f->l, out) && !f->l.terms.len;
}

// ---- the operator without the derivative
// Parameters x.., x'.., exchanged if `back`.
static Lambda *operator_alone(const LinearFold *f, bool back) {
  Env *e = f->e;
  const Lambda *op = f->op->op;
  int n = f->op->neutral.len;
  Types types = {0};
  for (int k = 0; k < 2 * n; k++)
    if (k % n != f->d) list_push(e->arena, &types, var_type(e->prog, op->params.at[k]));
  LambdaBuilder lb = lambda_begin(&e->to, "x", types);
  Rewrite w = rewrite_new(e->prog, lb.inner);
  for (int k = 0, at = back ? n - 1 : 0; k < 2 * n; k++) {
    if (k % n == f->d) continue;
    rewrite_bind(&w, op->params.at[k], atom_var(lb.lambda->params.at[at++ % (2 * (n - 1))]));
  }
  LinearPart part = {.l = &f->l, .w = &w, .which = 0};
  Atoms results = {0};
  for (int k = 0; k < n; k++)
    if (k != f->d) list_push(e->arena, &results, linear_copy(&part, op->body.results.at[k]));
  return lambda_end(&lb, results);
}

static Lambda *elements_alone(const LinearFold *f) {
  Env *e = f->e;
  Lambda *out = arena_copy(e->arena, f->x->fn, sizeof *f->x->fn);
  out->body.results = atoms_except(f, f->x->fn->body.results, f->elem);
  out->rets = types_of_atoms(e->prog, out->body.results);
  return lambda_copy(&e->to, out);
}

static struct screma_form alone(const LinearFold *f) {
  Env *e = f->e;
  struct screma_form x = *f->x;
  x.fn = elements_alone(f);
  x.inputs = atoms_concat(e->arena, x.inputs, (Atoms){0});
  x.scans = x.reds = (Operators){0};
  return x;
}

static Operator operator_of(const LinearFold *f, bool back) {
  Operator op = *f->op;
  op.op = operator_alone(f, back);
  op.neutral = atoms_except(f, op.neutral, 0);
  return op;
}

static Atom reversed(Env *e, Atom array) {
  Exp exp = {.form = FORM_REVERSE, .reverse = {.array = array}};
  return build(&e->to, NULL, atom_type(e->prog, array), exp);
}

// All prefixes, from the front or from the end: an array for each other component.
static Vars prefixes(const LinearFold *f, bool back, const Loc *loc) {
  Env *e = f->e;
  int from = e->to.stms->len;
  struct screma_form x = alone(f);
  for (int i = 0; back && i < x.inputs.len; i++) x.inputs.at[i] = reversed(e, x.inputs.at[i]);
  env_register(e, from);
  list_push(e->arena, &x.scans, operator_of(f, back));
  x.scans.at[0].comm = false;
  Types types = types_of_atoms(e->prog, x.scans.at[0].neutral);
  LambdaBuilder post = lambda_begin(&e->to, "x", types);
  x.post = lambda_end(&post, atoms_of_vars(e->arena, post.lambda->params));
  Stm stm = {.exp = {.form = FORM_SCREMA, .screma = x}, .loc = loc};
  for (int k = 0; k < types.len; k++)
    list_push(e->arena, &stm.bound,
              var_new(e->prog, back ? "after" : "before",
                      type_array(e->arena, types.at[k], x.width)));
  onehot_walk(e, stm);
  return stm.bound;
}

// ---- the derivative in its case
// Of each array the element at `at`, or the neutral element where that is not in range.
static Atoms states_at(const LinearFold *f, Builder *b, Vars arrays, Atom at) {
  Env *e = f->e;
  Atoms out = {0}, z = atoms_except(f, f->op->neutral, 0);
  Atom there = build_op(b, OP_LE, atom_i64(0), at), clamped = build_op(b, OP_MAX, at, atom_i64(0));
  for (int k = 0; k < arrays.len; k++) {
    Atom x = build_index(b, env_atom(e, atom_var(arrays.at[k])), atoms_of(e->arena, 1, &clamped));
    list_push(e->arena, &out, build_select(b, there, x, z.at[k]));
  }
  return out;
}

// The coefficient of the derivative of operand `side` where the operands' states are these.
static Atom coefficient(const LinearFold *f, Builder *b, int side, const Atoms states[2]) {
  const Lambda *op = f->op->op;
  int n = f->op->neutral.len;
  Rewrite w = rewrite_new(f->e->prog, *b);
  for (int k = 0, at = 0; k < 2 * n; k++) {
    if (k % n == f->d) continue;
    rewrite_bind(&w, op->params.at[k], states[k >= n].at[at++ % (n - 1)]);
  }
  LinearPart part = {.l = &f->l, .w = &w, .which = -1 - side};
  return linear_emit(&part, op->body.results.at[f->d]);
}

static Lambda *in_case(const LinearFold *f, Atom at, Vars before, Vars after) {
  Env *e = f->e;
  LambdaBuilder lb = lambda_begin(&e->to, "x", (Types){0});
  Builder *b = &lb.inner;
  Lambda *fn = onehot_cut(e, f->x->fn, f->elem, f->op->neutral.len);
  Atoms here = lambda_inline(b, fn, onehot_rows(e, b, &f->x->inputs, at));
  Atom width = f->x->width, one = atom_i64(1);
  Atom last = build_op(b, OP_SUB, build_op(b, OP_SUB, width, atom_i64(2)), at);
  Atoms inner[] = {states_at(f, b, before, build_op(b, OP_SUB, at, one)),
                   atoms_except(f, here, 0)};
  Atom d = linear_times(b, f->l.guarded, here.at[f->d], coefficient(f, b, 1, inner));
  Atoms outer[] = {states_at(f, b, before, at), states_at(f, b, after, last)};
  d = linear_times(b, f->l.guarded, d, coefficient(f, b, 0, outer));
  return lambda_end(&lb, atoms_of(e->arena, 1, &d));
}

// The reduction alone.
static void reduce_alone(const LinearFold *f, Vars bound, const Loc *loc) {
  Env *e = f->e;
  struct screma_form x = alone(f);
  list_push(e->arena, &x.reds, operator_of(f, false));
  LambdaBuilder post = lambda_begin(&e->to, "x", (Types){0});
  x.post = lambda_end(&post, (Atoms){0});
  onehot_walk(e, (Stm){.bound = bound, .exp = {.form = FORM_SCREMA, .screma = x}, .loc = loc});
}

static void replace(const LinearFold *f, Vars bound, OneCase c, const Loc *loc) {
  Env *e = f->e;
  Vars derivative = {0}, others = {0};
  for (int k = 0; k < bound.len; k++)
    list_push(e->arena, k == f->d ? &derivative : &others, bound.at[k]);
  Vars before = prefixes(f, false, loc), after = prefixes(f, true, loc);
  Lambda *fn = in_case(f, c.at, before, after);
  Atoms zero = atoms_of(e->arena, 1, &f->op->neutral.at[f->d]);
  reduce_alone(f, others, loc);
  onehot_choose(e, derivative, &(Choice){c, fn, (Atoms){0}, false, zero});
}

static bool applies(LinearFold *f, Supports *s, OneCase *c) {
  Env *e = f->e;
  if (!is_linear(f) || !onehot_is_invariant(e, f->x, f->op, f->elem, f->d)) return false;
  Support all = support_of(s, f->x->fn->body.results.at[f->elem + f->d], f->op->neutral.at[f->d]);
  if (all.every || !all.conds.len || !prog_may(e->prog, SWITCH_LINEAR_FOLDS)) return false;
  return onehot_solve(s, (Elements){f->x->inputs, f->x->fn->params, f->x->width}, all, c);
}

bool onehot_linear_fold(Env *e, Stm *stm, Supports *s) {
  LinearFold f = {.e = e, .x = &stm->exp.screma};
  OneCase c;
  int bound = 0;
  if (e->depth < 2) return false;
  for (int i = 0; i < f.x->scans.len; i++) f.elem += f.x->scans.at[i].neutral.len;
  for (int r = 0; r < f.x->reds.len; r++) {
    f.op = &f.x->reds.at[r];
    int n = f.op->neutral.len;
    for (f.d = 0; n > 1 && has_scalars(&f) && f.d < n; f.d++) {
      if (!applies(&f, s, &c)) continue;
      Vars vars = {0};
      for (int k = 0; k < n; k++) list_push(e->arena, &vars, stm->bound.at[bound + k]);
      Operator op = *f.op;
      f.op = &op;
      replace(&f, vars, c, stm->loc);
      onehot_drop_operator(stm, r, f.elem, bound);
      e->changed = true;
      return true;
    }
    f.elem += n, bound += n;
  }
  return false;
}
