// Accumulators.  `withacc` remembers the array and the nest where it began; each update is a PUT
// into it.  Of an addition, axes on which only the value varies are summed first, and axes on
// which nothing varies multiply the value by their widths: no array has more axes than its data.
#include "local.h"

// The axes, of the nest around, on which the updates in the body vary: found by a dry run.
static AxisSet updates_axes(Translation *t, const Lambda *fn, Written *targets) {
  DryRun dry = dry_begin(t);
  for (int k = 0; k < fn->params.len; k++)
    value_bind(t, fn->params.at[k], (Value){.target = &targets[k]});
  from_stms(t, fn->body.stms);
  AxisSet wanted = 0;
  for (int k = 0; k < fn->params.len; k++) wanted |= targets[k].wanted;
  dry_end(t, &dry);
  return wanted;
}

static Written target_new(Translation *t, const struct withacc_form *e, int k) {
  const Operator *op = &e->ops.at[k];
  Value x = value_get(t, e->arrays.at[k]);
  value_make(t, &x);
  Written target = {.array = x.atom, .axes = x.axes, .depth = t->depth, .rank = (int)e->ranks.at[k],
                   .op = op->op};
  if (op->op && !operator_is_closed(t, op->op)) bulk_refuse(t, "an accumulator's operator");
  for (int i = 0; i < op->neutral.len; i++)
    list_push(t->prog->arena, &target.neutral,
              value_scalar(t, op->neutral.at[i], "a neutral element"));
  return target;
}

void from_withacc(Translation *t, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  int n = e->arrays.len;
  Written *targets = NEW_ARRAY(t->prog->arena, Written, n);
  for (int k = 0; k < n; k++) targets[k] = target_new(t, e, k);
  AxisSet wanted = updates_axes(t, e->fn, targets);
  for (int k = 0; k < n; k++) {
    targets[k] = target_new(t, e, k);
    Value x = {.atom = targets[k].array, .axes = targets[k].axes, .made = true};
    AxisSet axes = x.axes | wanted;
    targets[k].array = value_lift(t, x, axes), targets[k].axes = axes;
    value_bind(t, e->fn->params.at[k], (Value){.target = &targets[k]});
  }
  for (int k = 0; k < n; k++) list_push(t->prog->arena, &t->written, &targets[k]);
  from_stms(t, e->fn->body.stms);
  t->written.len -= n;
  for (int k = 0; k < stm->bound.len; k++) {
    Value v = k < n ? (Value){.atom = targets[k].array, .axes = targets[k].axes, .made = true}
                    : value_get(t, e->fn->body.results.at[k]);
    value_bind(t, stm->bound.at[k], v);
  }
}

static bool adds(const Written *target) {
  Op op;
  Prim prim;
  return target->op && lambda_is_op(target->op, &op, &prim) && op == OP_ADD;
}

// min, max, and, or: many times the same value is the value once.
static bool repeats(const Written *target) {
  Op op;
  Prim prim;
  if (!target->op || !lambda_is_op(target->op, &op, &prim)) return false;
  return op_is_extremum(op) || op == OP_AND || op == OP_OR;
}

// v summed over axes that only it has, and times the widths of those that nothing has.
static Value added_value(Translation *t, Value v, AxisSet places, AxisSet inner) {
  value_make(t, &v);
  for (int k = t->depth - 1; k >= 0; k--) {
    if (!(v.axes & inner & ~places & axis_bit(k))) continue;
    v.atom = bulk_sum(&t->b, axes_before(v.axes, k), v.atom);
    v.axes &= ~axis_bit(k);
    places |= axis_bit(k);
  }
  AxisSet none = inner & ~places;
  Prim p = atom_type(t->prog, v.atom).prim;
  Atom times = bulk_conv(&t->b, p, axes_widths_product(t, none));
  if (none && !atom_is(times, 1))
    v.atom = bulk_op(&t->b, OP_MUL, v.atom, times);
  return v;
}

void from_updateacc(Translation *t, const Stm *stm) {
  const struct updateacc_form *e = &stm->exp.updateacc;
  Value acc = value_get(t, e->acc), v = value_get(t, e->value);
  Written *target = acc.target;
  value_make(t, &v);
  AxisSet places = t->masked ? t->mask.axes : 0;
  for (int i = 0; i < e->index.len; i++) places |= value_axes(value_get(t, e->index.at[i]));
  AxisSet outer = axis_bit(target->depth) - 1, nest = axis_bit(t->depth) - 1, inner = nest & ~outer;
  target->wanted |= (places | v.axes) & outer;
  AxisSet batch = target->axes | target->wanted;
  value_bind(t, stm->bound.at[0], acc);
  if (target->axes != batch) {  // only in a dry run
    Value x = {.atom = target->array, .axes = target->axes, .made = true};
    target->array = value_lift(t, x, batch), target->axes = batch;
  }
  if (adds(target)) v = added_value(t, v, places, inner);
  else if (!repeats(target)) places |= inner;
  AxisSet all = batch | places | v.axes;
  Atoms index = {0};
  for (int i = 0; i < e->index.len; i++)
    list_push(t->prog->arena, &index, value_lift(t, value_get(t, e->index.at[i]), all));
  PutPlace place = {.dest = target->array, .batch = batch, .axes = all, .op = target->op,
                    .neutral = target->neutral};
  target->array = put_values(t, place, index, value_lift(t, v, all));
}
