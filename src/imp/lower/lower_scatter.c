// Writes at computed indices: hist, scatter, accumulators.  Indices out of range are ignored.
#include "imp/common/local.h"

static const ImpExp *all_in_range(Lower *l, const View *v, int n, const ImpExp *const *at) {
  const ImpExp *ok = imp_const(l->arena, scalar_bool(true));
  for (int i = 0; i < n; i++) ok = exp_and(l, ok, exp_in_range(l, at[i], v->dims[i]));
  return ok;
}

static View peel(Lower *l, const View *v, int n, const ImpExp *const *at) {
  View r = *v;
  r.offset = emit_let(l, "at", view_at(l, v, n, at));
  r.rank -= n;
  r.dims += n;
  r.strides += n;
  return r;
}

static const ImpExp **index_exps(Lower *l, int n, const Value *values) {
  const ImpExp **at = NEW_ARRAY(l->arena, const ImpExp *, n + 1);
  for (int i = 0; i < n; i++)
    at[i] = emit_let(l, "at", imp_conv(l->arena, PRIM_I64, values[i].exp));
  return at;
}

static Value view_value(Lower *l, const View *v) {
  if (v->rank > 0) return (Value){.kind = VALUE_ARRAY, .view = *v};
  return (Value){.kind = VALUE_SCALAR, .exp = emit_load(l, "old", v->mem, v->prim, v->offset)};
}

static void write_value(Lower *l, const View *to, Value v) {
  if (v.kind == VALUE_SCALAR) emit_store(l, to->mem, to->offset, v.exp);
  else copy_view(l, to, &v.view);
}

// places[k] = op(places[k], values[k]), all read before any is written.
static void apply_operator(Lower *l, const Lambda *op, int n, const View *places,
                           const Value *values) {
  const View **dests = NEW_ARRAY(l->arena, const View *, n + 1);
  Value *results = NEW_ARRAY(l->arena, Value, n + 1);
  for (int k = 0; k < n; k++) {
    bind(l, op->params.at[k], view_value(l, &places[k]));
    bind(l, op->params.at[n + k], values[k]);
    if (places[k].rank > 0 && l->facts->mode[op->params.at[k].id] == LOOP_ELEMENTWISE)
      dests[k] = &places[k];
  }
  lower_body(l, &op->body, dests, results);
  for (int k = 0; k < n; k++) write_value(l, &places[k], results[k]);
}

// op at one scalar element, if it is a commutative operation: then in any order.
static bool emit_update(Lower *l, const Lambda *fn, const View *place, Value value) {
  Op op;
  Prim p;
  if (place->rank > 0 || l->looks || !lambda_is_op(fn, &op, &p)) return false;
  if (!op_info[op].associative || !op_info[op].commutative || op_result(op, p) != p) return false;
  imp_emit(l, (ImpStm){.form = IMP_STM_UPDATE,
                       .update = {place->mem, place->offset, (int64_t)op, value.exp, false}});
  return true;
}

// The accumulator is all of its memory: its size is noted for those who make copies of it.
static void note_cells(Lower *l, const View *v) {
  if (!v->dense || !imp_is_int(v->offset, 0)) return;
  const ImpExp *cells = view_count(l, v), **known = &l->fn->vars.at[v->mem.id].cells;
  if (!*known) *known = cells;
  else if (!imp_exp_same(*known, cells)) *known = imp_i64(l->arena, -1);
}

// A loop of writes: what each iteration computes (`rank` indices, then the values), and the block
// that runs where the indices are in range.
typedef struct {
  int n, rank;
  View *dests;
  Value *values;
  const ImpExp **at;
  ForLoop loop;
  const ImpExp *in_range;
  Open then;
} Writes;

static Writes writes_open(Lower *l, Atoms dests, int rank, ForLoop loop, const Lambda *fn,
                          Atoms inputs) {
  Writes w = {.n = dests.len, .rank = rank, .loop = loop};
  probe_iteration(l, loop.i, false);
  w.dests = NEW_ARRAY(l->arena, View, w.n + 1);
  for (int k = 0; k < w.n; k++) w.dests[k] = atom_view(l, dests.at[k]);
  w.values = NEW_ARRAY(l->arena, Value, rank + w.n + 1);
  for (int i = 0; i < inputs.len; i++) bind_input(l, fn->params.at[i], inputs.at[i], loop.i);
  lower_body(l, &fn->body, NULL, w.values);
  w.at = index_exps(l, rank, w.values);
  w.in_range = all_in_range(l, &w.dests[0], rank, w.at);
  w.then = block_open(l);
  return w;
}

static void writes_close(Lower *l, const Writes *w, Vars bound) {
  block_close(l, w->then);
  imp_emit_if(l, w->in_range, w->then.block, NEW(l->arena, ImpBlock));
  for_close(l, w->loop);
  probe_leave(l);
  for (int k = 0; k < w->n; k++) bind_view(l, bound.at[k], w->dests[k]);
}

// Arrays that iterations of the loops around update in place are their own.
static void note_rows(Lower *l, ImpVar mem) {
  for (int i = 0; i < l->maps.len; i++)
    list_push(l->arena, &l->fn->vars.at[l->maps.at[i].id].rows, mem);
}

void lower_hist(Lower *l, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  probe_enter(l);
  for (int k = 0; k < e->dests.len; k++) {
    View dest = atom_view(l, e->dests.at[k]);
    note_cells(l, &dest);
    note_rows(l, dest.mem);
  }
  ForLoop loop = for_open(l, "i", atom_exp(l, e->width), true);
  Writes w = writes_open(l, e->dests, (int)e->rank, loop, e->fn, e->inputs);
  View *places = NEW_ARRAY(l->arena, View, w.n + 1);
  for (int k = 0; k < w.n; k++) places[k] = peel(l, &w.dests[k], w.rank, w.at);
  const Value *added = w.values + w.rank;
  w.loop.parallel = w.n == 1 && emit_update(l, e->op, &places[0], added[0]);
  if (!w.loop.parallel) apply_operator(l, e->op, w.n, places, added);
  writes_close(l, &w, stm->bound);
}

void lower_scatter(Lower *l, const Stm *stm) {
  const struct scatter_form *e = &stm->exp.scatter;
  probe_enter(l);
  ForLoop loop = for_open(l, "i", atom_exp(l, e->width), stm->attrs.disjoint);
  Writes w = writes_open(l, e->dests, (int)e->rank, loop, e->fn, e->inputs);
  for (int k = 0; k < w.n; k++) {
    View place = peel(l, &w.dests[k], w.rank, w.at);
    write_value(l, &place, w.values[w.rank + k]);
  }
  writes_close(l, &w, stm->bound);
}

// ---- accumulators: on one core, the array itself updated in place -----------------------------
void lower_withacc(Lower *l, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  int n = e->arrays.len, skip = e->fn->params.len - n;
  View *arrays = NEW_ARRAY(l->arena, View, n + 1);
  for (int k = 0; k < n; k++) {
    arrays[k] = atom_view(l, e->arrays.at[k]);
    note_cells(l, &arrays[k]);
    note_rows(l, arrays[k].mem);
    const Operator *op = k < e->ops.len ? &e->ops.at[k] : NULL;
    bind(l, e->fn->params.at[skip + k], (Value){.kind = VALUE_ARRAY, .view = arrays[k], .op = op});
  }
  Value *results = NEW_ARRAY(l->arena, Value, e->fn->body.results.len + 1);
  lower_body(l, &e->fn->body, NULL, results);
  for (int k = 0; k < n; k++) bind_view(l, stm->bound.at[k], arrays[k]);
  for (int k = n; k < stm->bound.len; k++) bind(l, stm->bound.at[k], results[k]);
}

// The scalar operator at every element of the place; writes that may meet keep their order.
static void combine(Lower *l, const Operator *op, const View *place, Value value, bool disjoint) {
  if (place->rank > 0) {
    ForLoop loop = for_open(l, "i", place->dims[0], true);
    View row = view_row(l, place, loop.i);
    Value part = value;
    if (value.kind == VALUE_ARRAY) {
      View value_row = view_row(l, &value.view, loop.i);
      part = view_value(l, &value_row);
    }
    combine(l, op, &row, part, disjoint);
    for_close(l, loop);
    return;
  }
  if (op && op->op && emit_update(l, op->op, place, value)) return;
  l->ordered += !disjoint;
  if (op && op->op) apply_operator(l, op->op, 1, place, &value);
  else write_value(l, place, value);
}

void lower_updateacc(Lower *l, const Stm *stm) {
  const struct updateacc_form *e = &stm->exp.updateacc;
  Value acc = atom_value(l, e->acc);
  const ImpExp **at = NEW_ARRAY(l->arena, const ImpExp *, e->index.len + 1);
  for (int i = 0; i < e->index.len; i++) at[i] = atom_exp(l, e->index.at[i]);
  const ImpExp *ok = stm->attrs.unchecked ? imp_const(l->arena, scalar_bool(true))
                                          : all_in_range(l, &acc.view, e->index.len, at);
  Open then = block_open(l);
  View place = peel(l, &acc.view, e->index.len, at);
  combine(l, acc.op, &place, atom_value(l, e->value), stm->attrs.disjoint);
  block_close(l, then);
  if (imp_is_int(ok, 1))
    for (int i = 0; i < then.block->len; i++) list_push(l->arena, l->at, then.block->at[i]);
  else imp_emit_if(l, ok, then.block, NEW(l->arena, ImpBlock));
  bind(l, stm->bound.at[0], acc);
}
