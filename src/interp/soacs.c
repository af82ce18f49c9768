// Second-order array combinators, left to right, one element after the other.
#include "local.h"
#include <string.h>

static int64_t width_of(Interp *in, Atom width, const Atoms *inputs) {
  int64_t n = atom_int(in, width);
  for (int i = 0; i < inputs->len; i++) {
    Type t = atom_type(in->prog, inputs->at[i]);
    if (t.is_acc) continue;
    if (atom_get(in, inputs->at[i]).array->dims[0] != n)
      interp_fail(in, "Input of length %lld where %lld is expected",
                  (long long)atom_get(in, inputs->at[i]).array->dims[0], (long long)n);
  }
  return n;
}

// The i-th row of every input; accumulators whole, from accs where an earlier element left them.
static void rows_get(Interp *in, const Atoms *inputs, int64_t i, IValue *rows) {
  for (int k = 0; k < inputs->len; k++) {
    if (atom_type(in->prog, inputs->at[k]).is_acc) rows[k] = atom_own(in, inputs->at[k]);
    else rows[k] = array_part(in, atom_get(in, inputs->at[k]).array, i);
  }
}

// ---- critical paths: of what runs in parallel the longest counts
typedef struct {
  int64_t from, most;
} Path;

static Path path_begin(const Interp *in) { return (Path){.from = in->counts.span}; }

static void path_next(Interp *in, Path *s) {
  int64_t one = in->counts.span - s->from;
  if (one > s->most) s->most = one;
  in->counts.span = s->from;
}

// A tree over n elements.
static int64_t tree_height(int64_t n) {
  int64_t bits = 0;
  for (; n > 0; n /= 2) bits++;
  return bits;
}

// ---- rows and results
typedef struct {
  int64_t n;
  IArray **at;  // NULL until the first element shows the row's shape
  int len;
} Outputs;

static Outputs outputs_new(Interp *in, int64_t n, int len) {
  return (Outputs){n, NEW_ARRAY(in->arena, IArray *, len + 1), len};
}

static void output_put(Interp *in, Outputs *o, int k, int64_t i, IValue v) {
  if (!o->at[k]) {
    int64_t dims[16] = {o->n};
    int rank = 1;
    for (int d = 0; v.array && d < v.array->rank; d++) dims[rank++] = v.array->dims[d];
    o->at[k] = array_new(in, v.array ? v.array->prim : v.scalar.prim, rank, dims);
  }
  for (int d = 1; d < o->at[k]->rank; d++)
    if (v.array->dims[d - 1] != o->at[k]->dims[d])
      interp_fail(in, "Row shape of result differs between elements");
  array_part_set(in, o->at[k], i, v);
}

static IValue output_finish(Interp *in, Outputs *o, int k, Type row) {
  if (o->at[k]) return (IValue){.array = o->at[k]};
  return zeros_of_type(in, row, 1, &o->n);
}

// A result that is an accumulator is the one of its token that came in: the same array, written
// meanwhile.  Results need not be in the order of inputs.
static Atom acc_input(const Interp *in, const struct map_form *e, Type result) {
  for (int i = 0; i < e->inputs.len; i++) {
    Type t = atom_type(in->prog, e->inputs.at[i]);
    if (t.is_acc && t.token.id == result.token.id) return e->inputs.at[i];
  }
  return atom_i64(0);
}

void eval_map(Interp *in, const struct map_form *e, IValue *out) {
  int64_t n = width_of(in, e->width, &e->inputs);
  int results = e->fn->rets.len;
  Outputs outputs = outputs_new(in, n, results);
  IValue *rows = values_new(in, e->inputs.len), *r = values_new(in, results);
  Path path = path_begin(in);
  bool adds = false;
  in->looks.nest++;
  for (int64_t i = 0; i < n; i++) {
    dz_iteration(&in->looks, i, false);
    rows_get(in, &e->inputs, i, rows);
    lambda_eval(in, e->fn, rows, r);
    for (int k = 0; k < results; k++) {
      if (!e->fn->rets.at[k].is_acc) output_put(in, &outputs, k, i, r[k]);
      ivalue_release(r[k]);
    }
    path_next(in, &path);
  }
  in->looks.nest--;
  for (int k = 0; k < results; k++) adds = adds || e->fn->rets.at[k].is_acc;
  in->counts.span += path.most + (adds ? tree_height(n) : 0);
  for (int k = 0; k < results; k++) {
    if (!e->fn->rets.at[k].is_acc) out[k] = output_finish(in, &outputs, k, e->fn->rets.at[k]);
    else out[k] = (IValue){0};
  }
  for (int k = 0; k < results; k++)
    if (e->fn->rets.at[k].is_acc) out[k] = atom_own(in, acc_input(in, e, e->fn->rets.at[k]));
}

// acc := op(acc, x); owns both.
static void op_apply(Interp *in, const Lambda *op, IValue *acc, const IValue *x, int k) {
  Scratch mark = scratch_mark(in);
  IValue *args = values_new(in, 2 * k), *r = values_new(in, k);
  memcpy(args, acc, sizeof *acc * (size_t)k);
  memcpy(args + k, x, sizeof *x * (size_t)k);
  lambda_eval(in, op, args, r);
  memcpy(acc, r, sizeof *r * (size_t)k);
  scratch_reset(in, mark);
}

static void neutral_get(Interp *in, const Atoms *neutral, IValue *acc) {
  for (int k = 0; k < neutral->len; k++) acc[k] = atom_own(in, neutral->at[k]);
}

static int operators_width(const Operators *ops) {
  int n = 0;
  for (int i = 0; i < ops->len; i++) n += ops->at[i].neutral.len;
  return n;
}

static void operators_neutral(Interp *in, const Operators *ops, IValue *acc) {
  for (int i = 0, at = 0; i < ops->len; at += ops->at[i++].neutral.len)
    neutral_get(in, &ops->at[i].neutral, acc + at);
}

static void operators_apply(Interp *in, const Operators *ops, IValue *acc, const IValue *x) {
  for (int i = 0, at = 0; i < ops->len; at += ops->at[i++].neutral.len)
    op_apply(in, ops->at[i].op, acc + at, x + at, ops->at[i].neutral.len);
}

// The value of reductions or scans so far: op(done, part).  Elements go to `part`.  Where the
// options ask for random rounding, `part` goes to `done` after some elements and begins again, and
// the neutral element comes in front: in exact arithmetic on finite numbers nothing changes.
typedef struct {
  const Operators *ops;
  int width;
  IValue *done, *part;
  bool split;  // there is something in `done`
} Fold;

static Fold fold_begin(Interp *in, const Operators *ops) {
  int k = operators_width(ops);
  Fold f = {ops, k, values_new(in, k), values_new(in, k), false};
  operators_neutral(in, ops, f.part);
  return f;
}

// Owned by the caller; the fold goes on.
static void fold_value(Interp *in, const Fold *f, IValue *out) {
  Scratch mark = scratch_mark(in);
  IValue *part = values_new(in, f->width);
  for (int i = 0; i < f->width; i++) out[i] = ivalue_retain(f->part[i]);
  if (f->split) {
    memcpy(part, out, sizeof *out * (size_t)f->width);
    for (int i = 0; i < f->width; i++) out[i] = ivalue_retain(f->done[i]);
    operators_apply(in, f->ops, out, part);
  }
  if (in->options.rounding) {
    memcpy(part, out, sizeof *out * (size_t)f->width);
    operators_neutral(in, f->ops, out);
    operators_apply(in, f->ops, out, part);
  }
  scratch_reset(in, mark);
}

static void fold_end(Interp *in, Fold *f, IValue *out) {
  fold_value(in, f, out);
  for (int i = 0; i < f->width; i++) {
    ivalue_release(f->part[i]);
    if (f->split) ivalue_release(f->done[i]);
  }
}

static void fold_split(Interp *in, Fold *f) {
  Scratch mark = scratch_mark(in);
  IValue *sum = values_new(in, f->width);
  fold_end(in, f, sum);
  memcpy(f->done, sum, sizeof *sum * (size_t)f->width);
  f->split = true;
  operators_neutral(in, f->ops, f->part);
  scratch_reset(in, mark);
}

static void fold_add(Interp *in, Fold *f, const IValue *x) {
  if (in->options.rounding && random_bit(in)) fold_split(in, f);
  operators_apply(in, f->ops, f->part, x);
}

void eval_reduce(Interp *in, const struct reduce_form *e, IValue *out) {
  int64_t n = width_of(in, e->width, &e->inputs);
  Operator op = {.op = e->op, .neutral = e->neutral};
  Fold fold = fold_begin(in, &(Operators){.at = &op, .len = 1});
  IValue *rows = values_new(in, e->inputs.len);
  Path path = path_begin(in);
  in->looks.nest++;
  for (int64_t i = 0; i < n; i++) {
    dz_iteration(&in->looks, i, false);
    rows_get(in, &e->inputs, i, rows);
    fold_add(in, &fold, rows);
    path_next(in, &path);
  }
  in->looks.nest--;
  fold_end(in, &fold, out);
  in->counts.span += path.most * tree_height(n);
}

void eval_scan(Interp *in, const struct scan_form *e, IValue *out) {
  int64_t n = width_of(in, e->width, &e->inputs);
  int k = e->neutral.len;
  Outputs outputs = outputs_new(in, n, k);
  Operator op = {.op = e->op, .neutral = e->neutral};
  Fold fold = fold_begin(in, &(Operators){.at = &op, .len = 1});
  IValue *acc = values_new(in, k), *rows = values_new(in, k);
  Path path = path_begin(in);
  in->looks.nest++;
  for (int64_t i = 0; i < n; i++) {
    dz_iteration(&in->looks, i, false);
    rows_get(in, &e->inputs, i, rows);
    if (!e->exclusive) fold_add(in, &fold, rows);
    fold_value(in, &fold, acc);
    if (e->exclusive) fold_add(in, &fold, rows);
    for (int j = 0; j < k; j++) {
      output_put(in, &outputs, j, i, acc[j]);
      ivalue_release(acc[j]);
    }
    path_next(in, &path);
  }
  in->looks.nest--;
  in->counts.span += path.most * tree_height(n);
  fold_end(in, &fold, acc);
  for (int j = 0; j < k; j++) {
    out[j] = output_finish(in, &outputs, j, e->op->rets.at[j]);
    ivalue_release(acc[j]);
  }
}

// The results of scans for an element, before or after it: those that exclude it, or include it.
static void scans_put(Interp *in, bool before, const Fold *f, IValue *out) {
  const Operators *ops = f->ops;
  bool any = false;
  for (int i = 0; i < ops->len; i++) any = any || before == ops->at[i].exclusive;
  if (!any) return;
  Scratch mark = scratch_mark(in);
  IValue *all = values_new(in, f->width);
  fold_value(in, f, all);
  for (int i = 0, at = 0; i < ops->len; at += ops->at[i++].neutral.len)
    for (int k = 0; k < ops->at[i].neutral.len; k++)
      if (before == ops->at[i].exclusive) out[at + k] = all[at + k];
      else ivalue_release(all[at + k]);
  scratch_reset(in, mark);
}

void eval_screma(Interp *in, const struct screma_form *e, IValue *out) {
  int64_t n = width_of(in, e->width, &e->inputs);
  int ns = operators_width(&e->scans), nr = operators_width(&e->reds);
  int all = e->fn->rets.len, plain = all - ns - nr;
  const Types *rets = e->post ? &e->post->rets : NULL;
  int outs = rets ? rets->len : ns + plain;
  IValue *rows = values_new(in, e->inputs.len), *r = values_new(in, all);
  IValue *args = values_new(in, ns + plain), *posted = values_new(in, outs);
  Outputs outputs = outputs_new(in, n, outs);
  Fold scans = fold_begin(in, &e->scans), reds = fold_begin(in, &e->reds);
  Path each = path_begin(in), tree = each;
  in->looks.nest++;
  for (int64_t i = 0; i < n; i++) {
    dz_iteration(&in->looks, i, false);
    rows_get(in, &e->inputs, i, rows);
    lambda_eval(in, e->fn, rows, r);
    path_next(in, &each);
    scans_put(in, true, &scans, args);
    fold_add(in, &scans, r);
    fold_add(in, &reds, r + ns);
    path_next(in, &tree);
    scans_put(in, false, &scans, args);
    memcpy(args + ns, r + ns + nr, sizeof *r * (size_t)plain);
    if (e->post) lambda_eval(in, e->post, args, posted);
    else memcpy(posted, args, sizeof *args * (size_t)outs);
    for (int k = 0; k < outs; k++) {
      output_put(in, &outputs, k, i, posted[k]);
      ivalue_release(posted[k]);
    }
    path_next(in, &each);
  }
  in->looks.nest--;
  in->counts.span += 2 * each.most + tree.most * tree_height(n);
  fold_end(in, &scans, args);
  for (int k = 0; k < ns; k++) ivalue_release(args[k]);
  fold_end(in, &reds, out);
  for (int k = 0; k < outs; k++) {
    Type row = rets ? rets->at[k] : k < ns ? e->fn->rets.at[k] : e->fn->rets.at[k + nr];
    out[nr + k] = output_finish(in, &outputs, k, row);
  }
}

// The flat position of an index prefix, or -1 when it is out of range.
static int64_t place_of(const IArray *a, int rank, const IValue *index) {
  int64_t at = 0;
  for (int d = 0; d < rank; d++) {
    int64_t i = index[d].scalar.i;
    if (i < 0 || i >= a->dims[d]) return -1;
    at = at * a->dims[d] + i;
  }
  return at;
}

static int64_t part_len(const IArray *a, int rank) {
  int64_t len = 1;
  for (int d = rank; d < a->rank; d++) len *= a->dims[d];
  return len;
}

static IValue part_get(Interp *in, const IArray *a, int rank, int64_t at) {
  if (rank == a->rank) return ivalue_scalar(cell_scalar(a, at));
  int64_t len = part_len(a, rank);
  IArray *r = array_new(in, a->prim, a->rank - rank, a->dims + rank);
  memcpy(r->at, a->at + at * len, (size_t)len * sizeof(Cell));
  return (IValue){.array = r};
}

static void part_put(Interp *in, IArray *a, int rank, int64_t at, IValue v) {
  int64_t len = part_len(a, rank);
  in->counts.memory_bytes += len * prim_info[a->prim].bytes;
  if (rank == a->rank) {
    cell_set(a, at, v.scalar);
    return;
  }
  if (v.array->len != len) interp_fail(in, "Row shape of value does not match destination");
  memcpy(a->at + at * len, v.array->at, (size_t)len * sizeof(Cell));
}

void eval_hist(Interp *in, const struct hist_form *e, IValue *out) {
  int64_t n = width_of(in, e->width, &e->inputs);
  int rank = (int)e->rank, k = e->dests.len;
  IValue *rows = values_new(in, e->inputs.len), *r = values_new(in, rank + k),
         *acc = values_new(in, k);
  for (int j = 0; j < k; j++) out[j] = atom_take(in, e->dests.at[j]);
  Path each = path_begin(in), tree = each;
  in->looks.nest++;
  for (int64_t i = 0; i < n; i++) {
    dz_iteration(&in->looks, i, false);
    rows_get(in, &e->inputs, i, rows);
    lambda_eval(in, e->fn, rows, r);
    path_next(in, &each);
    int64_t at = place_of(out[0].array, rank, r);
    for (int j = 0; at < 0 && j < k; j++) ivalue_release(r[rank + j]);
    if (at < 0) continue;
    for (int j = 0; j < k; j++) acc[j] = part_get(in, out[j].array, rank, at);
    op_apply(in, e->op, acc, r + rank, k);
    path_next(in, &tree);
    for (int j = 0; j < k; j++) {
      part_put(in, out[j].array, rank, at, acc[j]);
      ivalue_release(acc[j]);
    }
  }
  in->looks.nest--;
  in->counts.span += each.most + tree.most * tree_height(n);
}

void eval_scatter(Interp *in, const struct scatter_form *e, IValue *out) {
  int64_t n = width_of(in, e->width, &e->inputs);
  int rank = (int)e->rank, k = e->dests.len;
  IValue *rows = values_new(in, e->inputs.len), *r = values_new(in, rank + k);
  // The inputs may be views of nothing consumed, so reading and writing may take turns.
  for (int j = 0; j < k; j++) out[j] = atom_take(in, e->dests.at[j]);
  Path path = path_begin(in);
  in->looks.nest++;
  for (int64_t i = 0; i < n; i++) {
    dz_iteration(&in->looks, i, false);
    rows_get(in, &e->inputs, i, rows);
    lambda_eval(in, e->fn, rows, r);
    int64_t at = place_of(out[0].array, rank, r);
    for (int j = 0; j < k; j++) {
      if (at >= 0) part_put(in, out[j].array, rank, at, r[rank + j]);
      ivalue_release(r[rank + j]);
    }
    path_next(in, &path);
  }
  in->looks.nest--;
  in->counts.span += path.most;
}

// ---- accumulators

void eval_withacc(Interp *in, const struct withacc_form *e, IValue *out) {
  int k = e->arrays.len, results = e->fn->rets.len;
  IValue *args = values_new(in, k), *r = values_new(in, results);
  for (int j = 0; j < k; j++) {
    out[j] = atom_take(in, e->arrays.at[j]);
    args[j] = ivalue_retain(out[j]);
    map_put(in->acc_ops, e->fn->params.at[j].id, e->ops.at[j].op);
  }
  lambda_eval(in, e->fn, args, r);
  for (int j = 0; j < results; j++) {
    if (j < k) ivalue_release(r[j]);
    else out[j] = r[j];
  }
}

static const Lambda *acc_op(Interp *in, Type t) {
  return map_get(in->acc_ops, t.token.id);
}

static void cell_update(Interp *in, IArray *a, int64_t at, Scalar v, const Lambda *op) {
  if (!op) {
    cell_set(a, at, v);
    return;
  }
  IValue args[2] = {ivalue_scalar(cell_scalar(a, at)), ivalue_scalar(v)}, r[1];
  lambda_eval(in, op, args, r);
  cell_set(a, at, r[0].scalar);
}

void eval_updateacc(Interp *in, const struct updateacc_form *e, IValue *out) {
  Type t = atom_type(in->prog, e->acc);
  IArray *a = atom_get(in, e->acc).array;
  int rank = e->index.len;
  IValue *index = values_new(in, rank);
  for (int d = 0; d < rank; d++) index[d] = atom_get(in, e->index.at[d]);
  IValue v = atom_get(in, e->value);
  int64_t at = place_of(a, rank, index), len = part_len(a, rank);
  if (at < 0 && in->stm->attrs.unchecked) interp_fail(in, "Accumulator index out of bounds");
  in->counts.memory_bytes += 2 * len * prim_info[a->prim].bytes;
  Path path = path_begin(in);
  for (int64_t i = 0; at >= 0 && i < len; i++) {
    cell_update(in, a, at * len + i, v.array ? cell_scalar(v.array, i) : v.scalar, acc_op(in, t));
    path_next(in, &path);
  }
  in->counts.span += path.most;
  out[0] = atom_own(in, e->acc);
}

// ---- derivatives

void eval_jvp(Interp *in, const struct jvp_form *e, IValue *out) {
  (void)e, (void)out;
  interp_fail(in, "jvp must be differentiated before it is interpreted");
}

void eval_depends(Interp *in, const struct depends_form *e, IValue *out) {
  (void)e, (void)out;
  interp_fail(in, "depends must be expanded before it is interpreted");
}

void eval_jacobian(Interp *in, const struct jacobian_form *e, IValue *out) {
  (void)e, (void)out;
  interp_fail(in, "blocks must be expanded before it is interpreted");
}

void eval_vjp(Interp *in, const struct vjp_form *e, IValue *out) {
  (void)e, (void)out;
  interp_fail(in, "vjp must be differentiated before it is interpreted");
}

// with_vjp outside every derivative is its first function.
void eval_withvjp(Interp *in, const struct withvjp_form *e, IValue *out) {
  IValue *args = values_new(in, e->args.len);
  for (int i = 0; i < e->args.len; i++) args[i] = atom_own(in, e->args.at[i]);
  lambda_eval(in, e->fn, args, out);
}
