// Slices, updates, gathers and scatters.
#include "local.h"

typedef struct {
  bool is_fix, constant;
  Atom start;
  int64_t at, count, stride;  // at: of a constant start
} Range;

static Range range_of(Hlo *h, const Slice *slice, Type t, int d) {
  Range r = {.constant = true, .count = hlo_dim(h, t.dims[d]), .stride = 1, .start = atom_i64(0)};
  if (d >= slice->len) return r;
  const SliceDim *s = &slice->at[d];
  r.is_fix = s->is_fix, r.start = s->start, r.constant = !s->start.is_var;
  r.at = r.constant ? s->start.value.i : 0;
  r.count = s->is_fix ? 1 : hlo_dim(h, s->count);
  if (!s->is_fix && s->stride.is_var) hlo_refuse(h, "a slice whose stride is no constant");
  r.stride = s->is_fix ? 1 : s->stride.value.i;
  return r;
}

static int64_t distance(int64_t x) { return x < 0 ? -x : x; }
static int64_t span(const Range *r) {
  return r->count ? (r->count - 1) * distance(r->stride) + 1 : 0;
}

static void range_check(Hlo *h, const Range *r, int64_t n, bool unchecked) {
  int64_t far = r->count ? (r->count - 1) * r->stride : 0;
  int64_t low = far < 0 ? -far : 0, high = n - (far > 0 ? far : 0);
  if (r->constant) {
    if (r->count && (r->at < low || r->at >= high)) hlo_refuse(h, "an index that is out of bounds");
    return;
  }
  if (unchecked || !r->count) return;
  Type t = type_scalar(PRIM_I64);
  const char *i = hlo_name(h, r->start);
  const char *above = hlo_compare(h, "GE", i, hlo_full_int(h, low, t), t);
  const char *below = hlo_compare(h, "LT", i, hlo_full_int(h, high, t), t);
  hlo_check(h, hlo_binary(h, "and", above, below, type_scalar(PRIM_BOOL)), "Index out of bounds.");
}

static Type with_dims(Hlo *h, Prim p, int n, const int64_t *at) {
  Atoms dims = {0};
  for (int d = 0; d < n; d++) list_push(h->arena, &dims, atom_i64(at[d]));
  return type_array_dims(h->arena, type_scalar(p), dims);
}

// The lowest place a range reads: its start, or its last place where it runs backwards.
static const char *lowest(Hlo *h, const Range *r) {
  Type t = type_scalar(PRIM_I64);
  int64_t back = r->stride < 0 && r->count ? (r->count - 1) * -r->stride : 0;
  if (r->constant) return hlo_full_int(h, r->count ? r->at - back : 0, t);
  const char *i = hlo_name(h, r->start);
  return back ? hlo_binary(h, "subtract", i, hlo_full_int(h, back, t), t) : i;
}

static const char *reshape_to(Hlo *h, const char *x, Type from, Type to) {
  return hlo_let(h, "stablehlo.reshape %s : (%s) -> %s", x, hlo_type(h, from), hlo_type(h, to));
}

static const char *window(Hlo *h, const char *x, Type t, const Range *r) {
  const char *starts = "", *type = hlo_type(h, t);
  const char *i64 = "";
  int64_t sizes[32];
  for (int d = 0; d < t.rank; d++) {
    starts = hlo_text(h, "%s, %s", starts, lowest(h, &r[d]));
    i64 = hlo_text(h, "%s, tensor<i64>", i64);
    sizes[d] = span(&r[d]);
  }
  Type out = with_dims(h, t.prim, t.rank, sizes);
  return hlo_let(h, "stablehlo.dynamic_slice %s%s, sizes = %s : (%s%s) -> %s", x, starts,
                 hlo_dims(h, t.rank, sizes), type, i64, hlo_type(h, out));
}

static const char *strided(Hlo *h, const char *x, Type t, const Range *r, bool whole) {
  const char *text = "";
  int64_t counts[32], back[32];
  int backwards = 0;
  for (int d = 0; d < t.rank; d++) {
    int64_t from =
        whole && r[d].count ? r[d].at + (r[d].stride < 0 ? (r[d].count - 1) * r[d].stride : 0) : 0;
    text = hlo_text(h, "%s%s%lld:%lld:%lld", text, d ? ", " : "", (long long)from,
                    (long long)(from + span(&r[d])),
                    (long long)distance(r[d].stride ? r[d].stride : 1));
    counts[d] = r[d].count;
    if (r[d].stride < 0) back[backwards++] = d;
  }
  Type out = with_dims(h, t.prim, t.rank, counts);
  const char *s =
      hlo_let(h, "stablehlo.slice %s [%s] : (%s) -> %s", x, text, hlo_type(h, t), hlo_type(h, out));
  if (!backwards) return s;
  return hlo_let(h, "stablehlo.reverse %s, dims = %s : %s", s, hlo_dims(h, backwards, back),
                 hlo_type(h, out));
}

void hlo_slice(Hlo *h, const BulkStm *stm) {
  Type t = atom_type(h->prog, stm->exp.args.at[0]);
  Range r[32];
  int64_t sizes[32], counts[32];
  bool constant = true;
  for (int d = 0; d < t.rank; d++) {
    r[d] = range_of(h, &stm->exp.slice, t, d);
    range_check(h, &r[d], hlo_dim(h, t.dims[d]), stm->unchecked);
    constant = constant && r[d].constant;
    sizes[d] = span(&r[d]), counts[d] = r[d].count;
  }
  const char *x = hlo_name(h, stm->exp.args.at[0]);
  if (!constant) x = window(h, x, t, r);
  x = strided(h, x, constant ? t : with_dims(h, t.prim, t.rank, sizes), r, constant);
  Type full_rank = with_dims(h, t.prim, t.rank, counts), out = hlo_stm_type(h, stm);
  hlo_bind(h, stm->bound.at[0], out.rank == t.rank ? x : reshape_to(h, x, full_rank, out));
}

// Strides: the value spread out by padding, chosen where a padded mask says so.
static const char *update_strided(Hlo *h, const char *x, const char *v, Type t, const Range *r) {
  int64_t low[32], high[32], between[32], counts[32], back[32];
  int backwards = 0;
  for (int d = 0; d < t.rank; d++) {
    if (!r[d].constant) hlo_refuse(h, "an update with a stride at a place that is no constant");
    low[d] = r[d].stride < 0 && r[d].count ? r[d].at + (r[d].count - 1) * r[d].stride : r[d].at;
    if (!r[d].count) low[d] = 0;
    high[d] = hlo_dim(h, t.dims[d]) - low[d] - span(&r[d]);
    between[d] = distance(r[d].stride) - 1, counts[d] = r[d].count;
    if (r[d].stride < 0) back[backwards++] = d;
  }
  Type part = with_dims(h, t.prim, t.rank, counts), bools = hlo_with_prim(part, PRIM_BOOL);
  if (backwards)
    v = hlo_let(h, "stablehlo.reverse %s, dims = %s : %s", v, hlo_dims(h, backwards, back),
                hlo_type(h, part));
  const char *how = hlo_text(h, "low = %s, high = %s, interior = %s", hlo_dims(h, t.rank, low),
                             hlo_dims(h, t.rank, high), hlo_dims(h, t.rank, between));
  Type zero = type_scalar(t.prim), off = type_scalar(PRIM_BOOL);
  const char *z = prim_is_float(t.prim) ? hlo_full(h, 0, zero) : hlo_full_int(h, 0, zero);
  const char *value = hlo_let(h, "stablehlo.pad %s, %s, %s : (%s, %s) -> %s", v, z, how,
                              hlo_type(h, part), hlo_type(h, zero), hlo_type(h, t));
  const char *mask =
      hlo_let(h, "stablehlo.pad %s, %s, %s : (%s, %s) -> %s", hlo_full_int(h, 1, bools),
              hlo_full_int(h, 0, off), how, hlo_type(h, bools), hlo_type(h, off),
              hlo_type(h, hlo_with_prim(t, PRIM_BOOL)));
  return hlo_choose(h, mask, value, x, t);
}

void hlo_update(Hlo *h, const BulkStm *stm) {
  Type t = hlo_stm_type(h, stm), vt = atom_type(h->prog, stm->exp.args.at[1]);
  Range r[32];
  int64_t counts[32];
  bool plain = true;
  const char *starts = "", *i64 = "";
  for (int d = 0; d < t.rank; d++) {
    r[d] = range_of(h, &stm->exp.slice, t, d);
    range_check(h, &r[d], hlo_dim(h, t.dims[d]), stm->unchecked);
    plain = plain && (r[d].stride == 1 || r[d].count <= 1);
    counts[d] = r[d].count;
  }
  const char *x = hlo_name(h, stm->exp.args.at[0]), *v = hlo_name(h, stm->exp.args.at[1]);
  Type part = with_dims(h, t.prim, t.rank, counts);
  if (vt.rank != t.rank) v = reshape_to(h, v, vt, part);
  if (!plain) {
    hlo_bind(h, stm->bound.at[0], update_strided(h, x, v, t, r));
    return;
  }
  for (int d = 0; d < t.rank; d++) {
    r[d].stride = 1;
    starts = hlo_text(h, "%s, %s", starts, lowest(h, &r[d]));
    i64 = hlo_text(h, "%s, tensor<i64>", i64);
  }
  hlo_bind(h, stm->bound.at[0],
           hlo_let(h, "stablehlo.dynamic_update_slice %s, %s%s : (%s, %s%s) -> %s", x, v, starts,
                   hlo_type(h, t), hlo_type(h, part), i64, hlo_type(h, t)));
}

// ---- gathers and scatters: the indices as one array with a last dimension for their components
static const char *index_array(Hlo *h, Atoms index, Type *out) {
  Type s = atom_type(h->prog, index.at[0]);
  int64_t dims[32];
  for (int d = 0; d < s.rank; d++) dims[d] = hlo_dim(h, s.dims[d]);
  dims[s.rank] = 1;
  Type one = with_dims(h, PRIM_I64, s.rank + 1, dims);
  const char *parts = "", *types = "";
  for (int i = 0; i < index.len; i++) {
    const char *x = reshape_to(h, hlo_value_at(h, index.at[i], s), s, one);
    parts = hlo_text(h, "%s%s%s", parts, i ? ", " : "", x);
    types = hlo_text(h, "%s%s%s", types, i ? ", " : "", hlo_type(h, one));
  }
  dims[s.rank] = index.len;
  *out = with_dims(h, PRIM_I64, s.rank + 1, dims);
  if (index.len == 1) return parts;
  return hlo_let(h, "stablehlo.concatenate %s, dim = %d : (%s) -> %s", parts, s.rank, types,
                 hlo_type(h, *out));
}

static const char *counting(Hlo *h, int from, int n) {
  int64_t at[32];
  for (int i = 0; i < n; i++) at[i] = from + i;
  return hlo_dims(h, n, at);
}

void hlo_gather(Hlo *h, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Type from = atom_type(h->prog, e->args.at[0]), out = hlo_stm_type(h, stm), at;
  int k = (int)e->number, m = e->args.len - 1, own = from.rank - k - m;
  const char *sizes = "";
  for (int d = 0; d < from.rank; d++) {
    int64_t n = hlo_dim(h, from.dims[d]);
    if (d < k + m && n == 0) {
      hlo_bind(h, stm->bound.at[0],
               prim_is_float(out.prim) ? hlo_full(h, 0, out) : hlo_full_int(h, 0, out));
      return;
    }
    sizes = hlo_text(h, "%s%s%lld", sizes, d ? ", " : "", (long long)(d < k + m ? 1 : n));
  }
  const char *ix = index_array(h, atoms_slice(e->args, 1, m), &at);
  int rank = at.rank - 1;
  const char *x = hlo_name(h, e->args.at[0]);
  hlo_bind(
      h, stm->bound.at[0],
      hlo_let(h,
              "\"stablehlo.gather\"(%s, %s) <{dimension_numbers = #stablehlo.gather<"
              "offset_dims = %s, collapsed_slice_dims = %s, operand_batching_dims = %s, "
              "start_indices_batching_dims = %s, start_index_map = %s, index_vector_dim = %d>, "
              "slice_sizes = array<i64: %s>, indices_are_sorted = false}> : (%s, %s) -> %s",
              x, ix, counting(h, rank, own), counting(h, k, m), counting(h, 0, k),
              counting(h, 0, k), counting(h, k, m), rank, sizes, hlo_type(h, from), hlo_type(h, at),
              hlo_type(h, out)));
}

void hlo_put(Hlo *h, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Type dest = hlo_stm_type(h, stm), at, cell = type_scalar(dest.prim);
  int k = (int)e->number, m = e->args.len - 2, own = dest.rank - k - m;
  const char *ix = index_array(h, atoms_slice(e->args, 1, m), &at);
  int rank = at.rank - 1;
  const char *x = hlo_name(h, e->args.at[0]), *v = hlo_name(h, e->args.at[m + 1]);
  const char *old = hlo_new(h), *now = hlo_new(h), *r = hlo_new(h), *type = hlo_type(h, cell);
  hlo_line(h,
           "%s = \"stablehlo.scatter\"(%s, %s, %s) <{scatter_dimension_numbers = "
           "#stablehlo.scatter<update_window_dims = %s, inserted_window_dims = %s, "
           "input_batching_dims = %s, scatter_indices_batching_dims = %s, "
           "scatter_dims_to_operand_dims = %s, index_vector_dim = %d>, indices_are_sorted = false, "
           "unique_indices = false}> ({",
           r, x, ix, v, counting(h, rank, own), counting(h, k, m), counting(h, 0, k),
           counting(h, 0, k), counting(h, k, m), rank);
  hlo_enter(h);
  hlo_line(h, "^bb0(%s: %s, %s: %s):", old, type, now, type);
  const char *args[] = {old, now}, *result = now;
  if (e->fn) hlo_lambda(h, e->fn, args, cell, &result);
  hlo_line(h, "stablehlo.return %s : %s", result, type);
  hlo_leave(h);
  hlo_line(h, "}) : (%s, %s, %s) -> %s", hlo_type(h, dest), hlo_type(h, at),
           hlo_type(h, atom_type(h->prog, e->args.at[m + 1])), hlo_type(h, dest));
  hlo_bind(h, stm->bound.at[0], r);
}
