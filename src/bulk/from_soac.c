// Maps, reductions, scans, histograms and scatters.
//
//   map w f xs      a new axis of width w, innermost; the rows of X : (A, [w]T) are (X, A + w): no
//                   data moves.  A result that does not vary on the axis is repeated along it.
//   reduce op ne x  FOLD along the dimension after the axes; the sum of a product whose factors
//                   both vary on it is a CONTRACT, and the array of products is never made.
//   scan            PREFIX
//   hist, scatter   PUT, batch axes: those on which destinations, indices or values vary
#include "local.h"

void axis_push(Translation *t, Atom width) {
  if (t->depth == MAX_NEST) bulk_refuse(t, "a nest deeper than %d", MAX_NEST);
  t->widths[t->depth++] = width;
}

void axis_pop(Translation *t) { t->depth--; }

Value value_row(Translation *t, Value x) {
  if (x.target) return x;
  int k = t->depth - 1;
  Value row = {.atom = x.atom, .made = true, .axes = x.axes | axis_bit(k)};
  if (!x.elements) return row;
  Line *line = NEW(t->prog->arena, Line);
  line->base = x.elements->base, line->factor[k] = x.elements->factor[0];
  return (Value){.line = line};
}

Value value_column(Translation *t, Value r) {
  AxisSet axis = axis_bit(t->depth - 1), axes = value_axes(r) | axis;
  if (r.target) return r;
  Value v = {.atom = value_lift(t, r, axes), .axes = axes & ~axis, .made = true};
  v.product = r.product, v.product_depth = r.product_depth;
  return v;
}

static void params_bind(Translation *t, const Lambda *fn, const Value *rows, int n) {
  for (int i = 0; i < n; i++) value_bind(t, fn->params.at[i], rows[i]);
}

void from_map(Translation *t, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  int n = e->inputs.len, m = e->fn->body.results.len;
  Value *rows = NEW_ARRAY(t->prog->arena, Value, n + 1);
  axis_push(t, value_size(t, e->width));
  for (int i = 0; i < n; i++) {
    Value x = value_get(t, e->inputs.at[i]);
    if (!x.elements) value_make(t, &x);
    rows[i] = value_row(t, x);
  }
  params_bind(t, e->fn, rows, n);
  from_stms(t, e->fn->body.stms);
  Value *out = NEW_ARRAY(t->prog->arena, Value, m + 1);
  for (int i = 0; i < m; i++) out[i] = value_column(t, value_get(t, e->fn->body.results.at[i]));
  axis_pop(t);
  for (int i = 0; i < stm->bound.len; i++) value_bind(t, stm->bound.at[i], out[i]);
}

static bool is_operation(Form form) {
  return form == FORM_PRIM || form == FORM_CONV || form == FORM_ATOM;
}

bool operator_is_closed(Translation *t, const Lambda *fn) {
  for (int i = 0; i < fn->params.len; i++)
    if (var_type(t->prog, fn->params.at[i]).rank) return false;
  for (int i = 0; i < fn->body.stms.len; i++) {
    const Exp *e = &fn->body.stms.at[i].exp;
    if (!is_operation(e->form)) return false;
    if (e->form == FORM_PRIM && op_may_fail(e->prim.op, e->prim.prim)) return false;
  }
  return lambda_free(t->prog, t->prog->arena, fn).len == 0;
}

static const Lambda *operator_of(Translation *t, const Lambda *fn, const char *form) {
  if (!operator_is_closed(t, fn))
    bulk_refuse(t, "a %s whose operator is more than operations on scalars", form);
  return fn;
}

static Atoms neutral_of(Translation *t, Atoms neutral) {
  Atoms out = {0};
  for (int i = 0; i < neutral.len; i++)
    list_push(t->prog->arena, &out, value_scalar(t, neutral.at[i], "a neutral element"));
  return out;
}

typedef struct {
  Atoms inputs;
  AxisSet axes;
} Lifted;

static Lifted inputs_lift(Translation *t, Atoms inputs) {
  Lifted l = {0};
  for (int i = 0; i < inputs.len; i++) l.axes |= value_axes(value_get(t, inputs.at[i]));
  for (int i = 0; i < inputs.len; i++)
    list_push(t->prog->arena, &l.inputs, value_lift(t, value_get(t, inputs.at[i]), l.axes));
  return l;
}

// ---- contractions
static void push_pair(Translation *t, Ints *pairs, int x, int y) {
  list_push(t->prog->arena, pairs, x);
  list_push(t->prog->arena, pairs, y);
}

// Dimensions of a contraction, [both][only x][only y], to nest order.
static Value contract_values(Translation *t, Value x, Value y, int axis) {
  AxisSet sum = axis_bit(axis), both = x.axes & y.axes & ~sum;
  Ints batch = {0}, over = {0};
  for (int k = 0; k < t->depth; k++)
    if (both & axis_bit(k))
      push_pair(t, &batch, axes_before(x.axes, k), axes_before(y.axes, k));
  push_pair(t, &over, axes_before(x.axes, axis), axes_before(y.axes, axis));
  Atom r = bulk_contract(&t->b, batch, over, x.atom, y.atom);
  AxisSet parts[] = {both, x.axes & ~both & ~sum, y.axes & ~both & ~sum}, all = 0;
  int64_t perm[64];
  int n = 0, have[64], len = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < t->depth; k++)
      if (parts[i] & axis_bit(k)) have[len++] = k, all |= axis_bit(k);
  for (int k = 0; k < t->depth; k++)
    for (int d = 0; d < len; d++)
      if (have[d] == k) perm[n++] = d;
  return (Value){.atom = bulk_transpose(&t->b, r, perm), .axes = all, .made = true};
}

// The sum over the axis of a map around the product; the map itself is over.
static bool sum_contracts(Translation *t, const struct reduce_form *e, Value *out) {
  Op op;
  Prim prim;
  if (e->inputs.len != 1 || !lambda_is_op(e->op, &op, &prim) || op != OP_ADD ||
      !prim_is_float(prim) || !atom_is(e->neutral.at[0], 0))
    return false;
  Value v = value_get(t, e->inputs.at[0]);
  if (!v.product || v.product_depth != t->depth + 1) return false;
  Value x = v.product[0], y = v.product[1];
  int axis = t->depth;
  if (!(value_axes(x) & value_axes(y) & axis_bit(axis))) return false;
  axis_push(t, value_size(t, e->width));
  value_make(t, &x);
  value_make(t, &y);
  *out = contract_values(t, x, y, axis);
  axis_pop(t);
  return true;
}

void from_reduce(Translation *t, const Stm *stm) {
  const struct reduce_form *e = &stm->exp.reduce;
  Value out;
  if (sum_contracts(t, e, &out)) {
    value_bind(t, stm->bound.at[0], out);
    return;
  }
  const Lambda *op = operator_of(t, e->op, "reduction");
  Lifted l = inputs_lift(t, e->inputs);
  Vars r = bulk_fold(&t->b, axes_len(l.axes), op, neutral_of(t, e->neutral), l.inputs);
  t->b.stms->at[t->b.stms->len - 1].exp.flag = e->comm;
  for (int i = 0; i < r.len; i++)
    value_bind(t, stm->bound.at[i],
               (Value){.atom = atom_var(r.at[i]), .axes = l.axes, .made = true});
}

void from_scan(Translation *t, const Stm *stm) {
  const struct scan_form *e = &stm->exp.scan;
  const Lambda *op = operator_of(t, e->op, "scan");
  Lifted l = inputs_lift(t, e->inputs);
  BulkExp exp = {.form = BULK_PREFIX, .number = axes_len(l.axes), .flag = e->exclusive, .fn = op,
                 .neutral = neutral_of(t, e->neutral), .args = l.inputs};
  Vars r = bulk_emit_many(&t->b, "prefix", types_of_atoms(t->prog, l.inputs), exp);
  for (int i = 0; i < r.len; i++)
    value_bind(t, stm->bound.at[i],
               (Value){.atom = atom_var(r.at[i]), .axes = l.axes, .made = true});
}

// ---- histograms and scatters: the body gives indices, then one value for each destination
typedef struct {
  Atom width;
  int rank;
  Atoms dests, neutral, inputs;
  const Lambda *op, *fn;
} Hist;

static void put_dest(Translation *t, const Hist *h, const Value *results, int k, Value *out) {
  AxisSet axis = axis_bit(t->depth - 1);
  Value dest = value_get(t, h->dests.at[k]), value = results[h->rank + k];
  AxisSet axes = value_axes(dest) | value_axes(value);
  for (int i = 0; i < h->rank; i++) axes |= value_axes(results[i]);
  if (t->masked) axes |= t->mask.axes;
  axes &= ~axis;
  Atoms index = {0};
  for (int i = 0; i < h->rank; i++)
    list_push(t->prog->arena, &index, value_lift(t, results[i], axes | axis));
  PutPlace place = {.dest = value_lift(t, dest, axes), .batch = axes, .axes = axes | axis,
                    .op = h->op, .neutral = h->neutral};
  Atom r = put_values(t, place, index, value_lift(t, value, axes | axis));
  *out = (Value){.atom = r, .axes = axes, .made = true};
}

static void from_puts(Translation *t, const Stm *stm, const Hist *h) {
  if (h->op && h->dests.len > 1) bulk_refuse(t, "a histogram of tuples");
  axis_push(t, value_size(t, h->width));
  for (int i = 0; i < h->inputs.len; i++) {
    Value x = value_get(t, h->inputs.at[i]);
    if (!x.elements) value_make(t, &x);
    value_bind(t, h->fn->params.at[i], value_row(t, x));
  }
  from_stms(t, h->fn->body.stms);
  int n = h->fn->body.results.len;
  Value *results = NEW_ARRAY(t->prog->arena, Value, n), *out = NEW_ARRAY(t->prog->arena, Value, n);
  for (int i = 0; i < n; i++) results[i] = value_get(t, h->fn->body.results.at[i]);
  for (int k = 0; k < h->dests.len; k++) put_dest(t, h, results, k, &out[k]);
  axis_pop(t);
  for (int k = 0; k < h->dests.len; k++) value_bind(t, stm->bound.at[k], out[k]);
}

void from_hist(Translation *t, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Hist h = {.width = e->width, .rank = (int)e->rank, .dests = e->dests, .inputs = e->inputs,
            .fn = e->fn};
  if (e->dests.len == 1 && !operator_is_closed(t, e->op))
    bulk_refuse(t, "a histogram whose operator is more than operations on scalars");
  h.op = operator_of(t, e->op, "histogram"), h.neutral = neutral_of(t, e->neutral);
  from_puts(t, stm, &h);
}

void from_scatter(Translation *t, const Stm *stm) {
  const struct scatter_form *e = &stm->exp.scatter;
  Hist h = {.width = e->width, .rank = (int)e->rank, .dests = e->dests, .inputs = e->inputs,
            .fn = e->fn};
  from_puts(t, stm, &h);
}
