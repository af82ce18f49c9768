// Making and moving arrays.
#include "local.h"
#include <string.h>

void eval_literal(Interp *in, const struct literal_form *e, IValue *out) {
  int64_t dims[16] = {e->elems.len};
  IValue first = atom_get(in, e->elems.at[0]);
  int rank = 1;
  for (int d = 0; first.array && d < first.array->rank; d++) dims[rank++] = first.array->dims[d];
  IArray *a = array_new(in, e->prim, rank, dims);
  for (int i = 0; i < e->elems.len; i++) {
    IValue v = atom_get(in, e->elems.at[i]);
    for (int d = 1; d < rank; d++)
      if (v.array->dims[d - 1] != dims[d])
        interp_fail(in, "Error: shape of element differs from shape of first element");
    array_part_set(in, a, i, v);
  }
  out[0] = (IValue){.array = a};
}

void eval_constant(Interp *in, const struct constant_form *e, IValue *out) {
  IArray *a = array_new(in, e->data.prim, 1, &e->data.len);
  for (int64_t i = 0; i < e->data.len; i++) cell_set(a, i, e->data.at[i]);
  out[0] = (IValue){.array = a};
}

void eval_iota(Interp *in, const struct iota_form *e, IValue *out) {
  int64_t n = atom_int(in, e->n);
  if (n < 0) interp_fail(in, "Range 0..1..<%lld is invalid.", (long long)n);
  Scalar start = atom_get(in, e->start).scalar, step = atom_get(in, e->step).scalar;
  IArray *a = array_new(in, start.prim, 1, &n);
  for (int64_t i = 0; i < n; i++)
    cell_set(a, i,
             scalar_int(start.prim, (int64_t)((uint64_t)start.i + (uint64_t)i * (uint64_t)step.i)));
  out[0] = (IValue){.array = a};
}

void eval_replicate(Interp *in, const struct replicate_form *e, IValue *out) {
  IValue v = atom_get(in, e->arg);
  int64_t dims[16], times = 1;
  int rank = e->dims.len;
  dims_eval(in, &e->dims, dims);
  for (int d = 0; d < rank; d++) times *= dims[d];
  if (rank == 0) {
    out[0] = value_copy(in, v);
    return;
  }
  for (int d = 0; v.array && d < v.array->rank; d++) dims[rank++] = v.array->dims[d];
  IArray *a = array_new(in, v.array ? v.array->prim : v.scalar.prim, rank, dims);
  for (int64_t i = 0; a->len > 0 && i < times; i++) {
    if (!v.array) cell_set(a, i, v.scalar);
    else memcpy(a->at + i * v.array->len, v.array->at, (size_t)v.array->len * sizeof(Cell));
  }
  out[0] = (IValue){.array = a};
}

void eval_copy(Interp *in, const struct copy_form *e, IValue *out) {
  out[0] = value_copy(in, atom_get(in, e->arg));
}

// Undefined contents: a value that shows when it is read.
void eval_scratch(Interp *in, const struct scratch_form *e, IValue *out) {
  int64_t dims[16];
  dims_eval(in, &e->dims, dims);
  IArray *a = array_view(in, e->prim, e->dims.len, dims);  // nothing is written yet
  for (int64_t i = 0; i < a->len; i++) cell_set(a, i, scalar_number(e->prim, 77));
  out[0] = (IValue){.array = a};
}

// ---- slices

typedef struct {
  int rank;            // of the result
  int64_t dims[16];
  int64_t start, strides[16];
} View;

static void shape_print(Text *out, const IArray *a, int dims) {
  for (int d = 0; d < dims; d++) text_printf(out, "[%lld]", (long long)a->dims[d]);
}

static void range_print(Interp *in, Text *out, const SliceDim *s) {
  int64_t start = atom_int(in, s->start);
  if (s->is_fix) {
    text_printf(out, "%lld", (long long)start);
    return;
  }
  int64_t stride = atom_int(in, s->stride), end = start + atom_int(in, s->count) * stride;
  text_printf(out, "%lld:%lld", (long long)start, (long long)end);
  if (stride != 1) text_printf(out, ":%lld", (long long)stride);
}

static _Noreturn void index_fail(Interp *in, const IArray *a, const Slice *slice) {
  Text text = {0};
  text_puts(&text, "Index [");
  for (int d = 0; d < slice->len; d++) {
    if (d) text_puts(&text, ", ");
    range_print(in, &text, &slice->at[d]);
  }
  text_puts(&text, "] out of bounds for array of shape ");
  shape_print(&text, a, slice->len);
  text_puts(&text, ".");
  const char *message = arena_strdup(in->arena, text.at);
  text_free(&text);
  interp_fail(in, "%s", message);
}

static bool within(int64_t i, int64_t n) { return i >= 0 && i < n; }

static View slice_view(Interp *in, const IArray *a, const Slice *slice) {
  View v = {0};
  int64_t stride = 1, strides[16];
  for (int d = a->rank - 1; d >= 0; d--) strides[d] = stride, stride *= a->dims[d];
  for (int d = 0; d < a->rank; d++) {
    if (d >= slice->len) {
      v.dims[v.rank] = a->dims[d], v.strides[v.rank++] = strides[d];
      continue;
    }
    const SliceDim *s = &slice->at[d];
    int64_t start = atom_int(in, s->start);
    if (s->is_fix) {
      if (!within(start, a->dims[d])) index_fail(in, a, slice);
    } else {
      int64_t n = atom_int(in, s->count), step = atom_int(in, s->stride);
      if (n < 0 ||
          (n > 0 && (!within(start, a->dims[d]) || !within(start + (n - 1) * step, a->dims[d]))))
        index_fail(in, a, slice);
      v.dims[v.rank] = n, v.strides[v.rank++] = step * strides[d];
      if (n == 0) start = 0;
    }
    v.start += start * strides[d];
  }
  return v;
}

// Calls f for every element of the view, in row-major order of the result.
#define VIEW_EACH(v, at, i, ...)                                          \
  do {                                                                    \
    int64_t count_[16] = {0}, at = (v)->start, len_ = 1;                  \
    for (int d_ = 0; d_ < (v)->rank; d_++) len_ *= (v)->dims[d_];         \
    for (int64_t i = 0; i < len_; i++) {                                  \
      __VA_ARGS__;                                                        \
      for (int d_ = (v)->rank - 1; d_ >= 0; d_--) {                       \
        at += (v)->strides[d_];                                           \
        if (++count_[d_] < (v)->dims[d_]) break;                          \
        at -= (v)->strides[d_] * (v)->dims[d_], count_[d_] = 0;           \
      }                                                                   \
    }                                                                     \
  } while (0)

static IValue view_read(Interp *in, const IArray *a, const View *v) {
  if (v->rank == 0) return ivalue_scalar(cell_scalar(a, v->start));
  IArray *r = array_view(in, a->prim, v->rank, v->dims);
  VIEW_EACH(v, at, i, r->at[i] = a->at[at]);
  return (IValue){.array = r};
}

static void view_write(Interp *in, IArray *a, const View *v, IValue value) {
  if (v->rank == 0) {
    cell_set(a, v->start, value.scalar);
    return;
  }
  for (int d = 0; d < v->rank; d++)
    if (value.array->rank != v->rank || value.array->dims[d] != v->dims[d])
      interp_fail(in, "Shape of slice does not match shape of value");
  VIEW_EACH(v, at, i, a->at[at] = value.array->at[i]);
}

void eval_index(Interp *in, const struct index_form *e, IValue *out) {
  const IArray *a = atom_get(in, e->array).array;
  View v = slice_view(in, a, &e->slice);
  if (v.rank == 0) in->counts.memory_bytes += prim_info[a->prim].bytes;
  out[0] = view_read(in, a, &v);
}

void eval_update(Interp *in, const struct update_form *e, IValue *out) {
  View v = slice_view(in, atom_get(in, e->array).array, &e->slice);
  IValue value = atom_own(in, e->value), a = atom_take(in, e->array);
  int64_t len = value.array ? value.array->len : 1;
  in->counts.memory_bytes += len * prim_info[a.array->prim].bytes;
  view_write(in, a.array, &v, value);
  ivalue_release(value);
  out[0] = a;
}

// Offset and strides count rows of the array's first dimension.
static View flat_view(Interp *in, const IArray *a, int64_t offset, int rank, const int64_t *counts,
                      const Atoms *strides) {
  int64_t row = row_len(a), low = offset, high = offset;
  View v = {.rank = rank, .start = offset * row};
  bool empty = false, all_fit = true;
  for (int d = 0; d < rank; d++) {
    int64_t stride = atom_int(in, strides->at[d]), span;
    bool fits = !__builtin_mul_overflow(counts[d] > 0 ? counts[d] - 1 : 0, stride, &span);
    fits = fits && span <= a->dims[0] && span >= -a->dims[0];
    v.dims[d] = counts[d];
    v.strides[d] = stride * row;
    all_fit &= fits;
    if (fits && span < 0) low += span;
    else if (fits) high += span;
    empty |= counts[d] == 0;
    if (counts[d] < 0) interp_fail(in, "Flat slice out of bounds");
  }
  bool inside = offset >= 0 && offset < a->dims[0] && low >= 0 && high < a->dims[0];
  if (!empty && !(all_fit && inside)) interp_fail(in, "Flat slice out of bounds");
  for (int d = a->rank - 1, stride = 1; d > 0; stride *= (int)a->dims[d--]) {
    v.dims[rank + d - 1] = a->dims[d];
    v.strides[rank + d - 1] = stride;
  }
  v.rank += a->rank - 1;
  return v;
}

void eval_flatindex(Interp *in, const struct flatindex_form *e, IValue *out) {
  const IArray *a = atom_get(in, e->array).array;
  int64_t *counts = NEW_ARRAY(in->arena, int64_t, e->counts.len + 1);
  for (int i = 0; i < e->counts.len; i++) counts[i] = atom_int(in, e->counts.at[i]);
  View v = flat_view(in, a, atom_int(in, e->offset), e->counts.len, counts, &e->strides);
  out[0] = view_read(in, a, &v);
}

void eval_flatupdate(Interp *in, const struct flatupdate_form *e, IValue *out) {
  IValue value = atom_own(in, e->value), a = atom_take(in, e->array);
  View v = flat_view(in, a.array, atom_int(in, e->offset), e->strides.len, value.array->dims,
                     &e->strides);
  in->counts.memory_bytes += value.array->len * prim_info[a.array->prim].bytes;
  view_write(in, a.array, &v, value);
  ivalue_release(value);
  out[0] = a;
}

void eval_reshape(Interp *in, const struct reshape_form *e, IValue *out) {
  IValue v = atom_get(in, e->array);
  int64_t dims[16], len = 1;
  dims_eval(in, &e->dims, dims);
  for (int d = 0; d < e->dims.len; d++) len *= dims[d];
  int64_t have = v.array ? v.array->len : 1;
  if (len != have)
    interp_fail(in, "Cannot reshape %lld elements to %lld", (long long)have, (long long)len);
  if (e->dims.len == 0) {
    out[0] = ivalue_scalar(cell_scalar(v.array, 0));
    return;
  }
  IArray *a = array_view(in, v.array ? v.array->prim : v.scalar.prim, e->dims.len, dims);
  if (v.array) memcpy(a->at, v.array->at, (size_t)len * sizeof(Cell));
  else cell_set(a, 0, v.scalar);
  out[0] = (IValue){.array = a};
}

void eval_rearrange(Interp *in, const struct rearrange_form *e, IValue *out) {
  const IArray *a = atom_get(in, e->array).array;
  int64_t strides[16], stride = 1;
  for (int d = a->rank - 1; d >= 0; d--) strides[d] = stride, stride *= a->dims[d];
  View v = {.rank = a->rank};
  for (int d = 0; d < a->rank; d++) {
    int from = d < e->perm.len ? (int)e->perm.at[d] : d;
    v.dims[d] = a->dims[from], v.strides[d] = strides[from];
  }
  out[0] = view_read(in, a, &v);
}

void eval_concat(Interp *in, const struct concat_form *e, IValue *out) {
  const IArray *first = atom_get(in, e->arrays.at[0]).array;
  int64_t dims[16], k = e->dim, outer = 1, inner = 1, total = 0;
  memcpy(dims, first->dims, sizeof dims);
  for (int d = 0; d < k; d++) outer *= dims[d];
  for (int d = (int)k + 1; d < first->rank; d++) inner *= dims[d];
  for (int i = 0; i < e->arrays.len; i++) total += atom_get(in, e->arrays.at[i]).array->dims[k];
  dims[k] = total;
  IArray *a = array_new(in, first->prim, first->rank, dims);
  int64_t at = 0;
  for (int i = 0; i < e->arrays.len; i++) {
    const IArray *part = atom_get(in, e->arrays.at[i]).array;
    int64_t len = part->dims[k] * inner;
    for (int d = 0; d < part->rank; d++)
      if (d != k && part->dims[d] != dims[d])
        interp_fail(in, "Shapes of concatenated arrays differ");
    for (int64_t o = 0; o < outer && len; o++)
      memcpy(a->at + o * total * inner + at, part->at + o * len, (size_t)len * sizeof(Cell));
    at += len;
  }
  out[0] = (IValue){.array = a};
}

void eval_reverse(Interp *in, const struct reverse_form *e, IValue *out) {
  const IArray *a = atom_get(in, e->array).array;
  IArray *r = array_view(in, a->prim, a->rank, a->dims);
  int64_t len = row_len(a);
  for (int64_t i = 0; i < a->dims[0]; i++)
    memcpy(r->at + i * len, a->at + (a->dims[0] - 1 - i) * len, (size_t)len * sizeof(Cell));
  out[0] = (IValue){.array = r};
}

void eval_rotate(Interp *in, const struct rotate_form *e, IValue *out) {
  const IArray *a = atom_get(in, e->array).array;
  IArray *r = array_new(in, a->prim, a->rank, a->dims);
  int64_t len = row_len(a), n = a->dims[0], by = n ? atom_int(in, e->by) % n : 0;
  if (by < 0) by += n;
  for (int64_t i = 0; i < n; i++)
    memcpy(r->at + i * len, a->at + (i + by) % n * len, (size_t)len * sizeof(Cell));
  out[0] = (IValue){.array = r};
}
