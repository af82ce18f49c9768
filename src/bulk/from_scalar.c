// Scalar operations, conversions and assertions.
//
//   x : (X, A)   y : (Y, B)    op x y : (op (lift X) (lift Y), A u B), uniform scalars unlifted
//
// An operation that can fail, on values that vary, is guarded: one assertion says that no executed
// iteration fails, and operands of the others are replaced by harmless ones.
#include "local.h"

static bool line_op(Translation *t, const struct prim_form *e, Value *out) {
  if (e->prim != PRIM_I64 || e->args.len != 2) return false;
  Value x = value_get(t, e->args.at[0]), y = value_get(t, e->args.at[1]);
  if (!x.line && !y.line) return false;
  const Line *a = line_of(t, x), *b = line_of(t, y), *r = NULL;
  if (!a || !b) return false;
  if (e->op == OP_ADD) r = line_combine(t, a, b, 1);
  else if (e->op == OP_SUB) r = line_combine(t, a, b, -1);
  else if (e->op == OP_MUL && !y.line && !b->base.is_var) r = line_scale(t, a, b->base.value.i);
  else if (e->op == OP_MUL && !x.line && !a->base.is_var) r = line_scale(t, b, a->base.value.i);
  *out = (Value){.line = r};
  return r != NULL;
}

// Where the divisor, or a negative exponent, makes the operation fail.
static Atom fails_at(Translation *t, Op op, Atom y) {
  Atom zero = atom_number(atom_type(t->prog, y).prim, 0);
  return bulk_op(&t->b, op == OP_POW ? OP_LT : OP_EQ, y, zero);
}

static Value guarded_op(Translation *t, const Stm *stm, AxisSet axes) {
  const struct prim_form *e = &stm->exp.prim;
  AxisSet all = axes | (t->masked ? t->mask.axes : 0);
  Atom x = value_lift(t, value_get(t, e->args.at[0]), all);
  Atom y = value_lift(t, value_get(t, e->args.at[1]), all);
  Atom bad = fails_at(t, e->op, y), one = atom_number(e->prim, 1);
  Value fine = {.atom = bulk_op1(&t->b, OP_NOT, bad), .axes = all, .made = true};
  if (!stm->attrs.unchecked)
    assert_all(t, fine, e->op == OP_POW ? "Negative exponent." : "Division by zero.",
               (Atoms){0});
  Atom harmless = bulk_select(&t->b, bad, one, y);
  Atom r = bulk_prim(&t->b, e->op, e->prim, atoms_of(t->prog->arena, 2, (Atom[]){x, harmless}));
  t->b.stms->at[t->b.stms->len - 1].unchecked = true;
  return (Value){.atom = r, .axes = all, .made = true};
}

static const Value *kept(Translation *t, Value x, Value y) {
  Value *two = NEW_ARRAY(t->prog->arena, Value, 2);
  two[0] = x, two[1] = y;
  return two;
}

void from_prim(Translation *t, const Stm *stm) {
  const struct prim_form *e = &stm->exp.prim;
  Value out;
  if (!line_op(t, e, &out)) {
    AxisSet axes = 0;
    Value values[3];
    for (int i = 0; i < e->args.len; i++)
      values[i] = value_get(t, e->args.at[i]), axes |= value_axes(values[i]);
    bool executed = !t->masked && axes == axis_bit(t->depth) - 1;
    bool plain = executed && (stm->attrs.unchecked || axes == 0);
    if (op_may_fail(e->op, e->prim) && !plain) out = guarded_op(t, stm, axes);
    else {
      Atoms args = {0};
      for (int i = 0; i < e->args.len; i++)
        list_push(t->prog->arena, &args, value_spread(t, values[i], axes));
      int before = t->b.stms->len;
      out = (Value){.atom = bulk_prim(&t->b, e->op, e->prim, args), .axes = axes, .made = true};
      if (t->b.stms->len > before) t->b.stms->at[before].unchecked = stm->attrs.unchecked;
    }
    if (e->op == OP_MUL && prim_is_float(e->prim) && axes)
      out.product = kept(t, values[0], values[1]), out.product_depth = t->depth;
  }
  value_bind(t, stm->bound.at[0], out);
}

void from_conv(Translation *t, const Stm *stm) {
  const struct conv_form *e = &stm->exp.conv;
  Value x = value_get(t, e->arg);
  value_make(t, &x);
  x.atom = bulk_conv(&t->b, e->to, x.atom);
  value_bind(t, stm->bound.at[0], (Value){.atom = x.atom, .axes = x.axes, .made = true});
}

void assert_all(Translation *t, Value cond, const char *text, Atoms args) {
  AxisSet axes = value_axes(cond) | (t->masked ? t->mask.axes : 0);
  Atom c = value_lift(t, cond, axes);
  if (t->masked) {
    Atom idle = bulk_op1(&t->b, OP_NOT, value_lift(t, t->mask, axes));
    c = bulk_op(&t->b, OP_OR, idle, c);
  }
  AxisSet missing = (axis_bit(t->depth) - 1) & ~axes;
  Atom none = atom_op(t, OP_EQ, axes_widths_product(t, missing), atom_i64(0));
  Atom all = value_fold(t, c, OP_AND, true);
  bulk_assert(&t->b, missing ? atom_op(t, OP_OR, none, all) : all, text, args);
}

void assert_size(Translation *t, Atom n, const char *text) {
  if (n.is_var && n.var.id < (uint32_t)t->cap && t->is_size[n.var.id]) return;
  Value fine = value_uniform(bulk_op(&t->b, OP_LE, atom_i64(0), n));
  assert_all(t, fine, text, atoms_one(t, n));
}

// The values of a message, of the first iteration that fails; -1 where none does.
static Atoms message_values(Translation *t, Value cond, Atoms args, AxisSet axes) {
  Atoms out = {0};
  Atom ok = value_lift(t, cond, axes);
  if (t->masked)
    ok = bulk_op(&t->b, OP_OR, bulk_op1(&t->b, OP_NOT, value_lift(t, t->mask, axes)), ok);
  int rank = axes_len(axes);
  Atom n = axes_widths_product(t, axes);
  Atom flat = bulk_reshape(&t->b, ok, atoms_one(t, n));
  Atom last = atom_i64(INT64_MAX);
  Atom places = bulk_iota(&t->b, n, atom_i64(0), atom_i64(1));
  Atom far = bulk_broadcast(&t->b, last, atoms_one(t, n), NULL);
  Atom bad = bulk_select(&t->b, flat, far, places);
  const Lambda *min = lambda_binop(t->prog, OP_MIN, PRIM_I64);
  Atom first = atom_var(bulk_fold(&t->b, 0, min, atoms_one(t, last), atoms_one(t, bad)).at[0]);
  for (int i = 0; i < args.len; i++) {
    Atom v = value_lift(t, value_get(t, args.at[i]), axes);
    v = bulk_reshape(&t->b, v, atoms_one(t, n));
    list_push(t->prog->arena, &out, rank ? bulk_gather(&t->b, v, 0, atoms_one(t, first)) : v);
    if (rank) t->b.stms->at[t->b.stms->len - 1].exp.flag = true;
  }
  return out;
}

void from_assert(Translation *t, const Stm *stm) {
  const struct assert_form *e = &stm->exp.assert;
  Value cond = value_get(t, e->cond);
  AxisSet axes = value_axes(cond) | (t->masked ? t->mask.axes : 0);
  for (int i = 0; i < e->args.len; i++) axes |= value_axes(value_get(t, e->args.at[i]));
  Atoms args = {0};
  if (axes) args = message_values(t, cond, e->args, axes);
  else
    for (int i = 0; i < e->args.len; i++) {
      Value v = value_get(t, e->args.at[i]);
      value_make(t, &v);
      list_push(t->prog->arena, &args, v.atom);
    }
  assert_all(t, cond, e->message, args);
}
