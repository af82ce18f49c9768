// Values: cells, reference counts, rows, printing.
#include "local.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { cells_of_step = 16 };  // of new arrays: a limit of steps is one of memory, too

IValue ivalue_scalar(Scalar s) { return (IValue){.scalar = s}; }

// NULL: there is no room.
static IArray *array_alloc(Prim prim, int rank, const int64_t *dims) {
  check(rank >= 0 && rank <= 16);
  int64_t len = 1;
  for (int d = 0; d < rank; d++)
    if (__builtin_mul_overflow(len, dims[d], &len)) return NULL;
  if (len < 0 || len > INT64_MAX / 16) return NULL;
  IArray *a = calloc(1, sizeof *a + (size_t)len * sizeof(Cell));
  if (!a) return NULL;
  a->before = a->after = a;
  a->refs = 1;
  a->prim = prim;
  a->rank = rank;
  a->len = len;
  for (int d = 0; d < rank; d++) a->dims[d] = dims[d];
  return a;
}

IValue ivalue_array(Prim prim, int rank, const int64_t *dims) {
  IArray *a = array_alloc(prim, rank, dims);
  if (!a) fail_io("out of memory: array too large");
  return (IValue){.array = a};
}

IArray *array_new(Interp *in, Prim prim, int rank, const int64_t *dims) {
  IArray *a = array_alloc(prim, rank, dims);
  if (!a) interp_fail(in, "out of memory: array too large");
  a->before = in->arrays;
  a->after = in->arrays->after;
  a->before->after = a->after->before = a;
  in->counts.allocations++;
  in->counts.memory_bytes += a->len * prim_info[prim].bytes;
  steps_take(in, a->len / cells_of_step);  // before the memory is touched
  return a;
}

Scalar cell_scalar(const IArray *a, int64_t i) {
  Scalar s = {.prim = a->prim};
  if (prim_is_float(a->prim)) s.f = a->at[i].f;
  else s.i = a->at[i].i;
  return s;
}

void cell_set(IArray *a, int64_t i, Scalar s) {
  if (prim_is_float(a->prim)) a->at[i].f = s.f;
  else a->at[i].i = s.i;
}

IValue ivalue_retain(IValue v) {
  if (v.array) v.array->refs++;
  return v;
}

void array_unlink(IArray *a) {
  a->before->after = a->after;
  a->after->before = a->before;
  a->before = a->after = a;
}

void ivalue_release(IValue v) {
  if (!v.array || --v.array->refs > 0) return;
  array_unlink(v.array);
  free(v.array);
}

IValue value_copy(Interp *in, IValue v) {
  if (!v.array) return v;
  IArray *copy = array_new(in, v.array->prim, v.array->rank, v.array->dims);
  memcpy(copy->at, v.array->at, (size_t)v.array->len * sizeof(Cell));
  return (IValue){.array = copy};
}

IValue array_owned(Interp *in, IValue v) {
  if (v.array->refs == 1) return v;
  InterpCounts before = in->counts;  // other references are dead: a copy no program pays for
  IValue copy = value_copy(in, v);
  in->counts = before;
  ivalue_release(v);
  return copy;
}

int64_t row_len(const IArray *a) {
  int64_t len = 1;
  for (int d = 1; d < a->rank; d++) len *= a->dims[d];
  return len;
}

IArray *array_view(Interp *in, Prim prim, int rank, const int64_t *dims) {
  InterpCounts before = in->counts;
  IArray *a = array_new(in, prim, rank, dims);
  in->counts = before;
  return a;
}

IValue array_part(Interp *in, const IArray *a, int64_t i) {
  int64_t len = row_len(a);
  if (a->rank == 1) {
    in->counts.memory_bytes += prim_info[a->prim].bytes;
    return ivalue_scalar(cell_scalar(a, i));
  }
  IArray *row = array_view(in, a->prim, a->rank - 1, a->dims + 1);
  memcpy(row->at, a->at + i * len, (size_t)len * sizeof(Cell));
  return (IValue){.array = row};
}

void array_part_set(Interp *in, IArray *a, int64_t i, IValue v) {
  int64_t len = row_len(a);
  in->counts.memory_bytes += len * prim_info[a->prim].bytes;
  if (!v.array) {
    cell_set(a, i, v.scalar);
    return;
  }
  if (v.array->len != len) interp_fail(in, "Row shape of result does not match its neighbours");
  memcpy(a->at + i * len, v.array->at, (size_t)len * sizeof(Cell));
}

enum { SCRATCH_LEN = 4096 };
struct ScratchBlock {
  ScratchBlock *before, *after;
  int cap;
  IValue at[];
};

static ScratchBlock *scratch_block(ScratchBlock *before, int cap) {
  ScratchBlock *block = malloc(sizeof *block + (size_t)cap * sizeof(IValue));
  if (!block) fail_io("out of memory");
  *block = (ScratchBlock){.before = before, .cap = cap};
  if (before) before->after = block;
  return block;
}

static ScratchBlock *scratch_next(ScratchBlock *block, int n) {
  if (block && block->after && block->after->cap >= n) return block->after;
  while (block && block->after) block = block->after;
  return scratch_block(block, n > SCRATCH_LEN ? n : SCRATCH_LEN);
}

IValue *values_new(Interp *in, int n) {
  Scratch *s = &in->scratch;
  if (!s->block || s->used + n > s->block->cap) *s = (Scratch){scratch_next(s->block, n), 0};
  IValue *values = s->block->at + s->used;
  s->used += n;
  return values;
}

Scratch scratch_mark(const Interp *in) { return in->scratch; }

// A mark taken before the first block was made means its start.
void scratch_reset(Interp *in, Scratch mark) {
  ScratchBlock *first = in->scratch.block;
  while (first && first->before) first = first->before;
  in->scratch = mark.block ? mark : (Scratch){first, 0};
}

void scratch_free(Interp *in) {
  ScratchBlock *block = in->scratch.block;
  while (block && block->after) block = block->after;
  while (block) {
    ScratchBlock *before = block->before;
    free(block);
    block = before;
  }
}

// No tolerance is finer than what a few hundred roundings of the type itself come to, or of f16 a
// few dozen.
static double coarsest(Prim p, double tolerance) {
  if (tolerance == 0 || p == PRIM_F64) return tolerance;
  return fmax(tolerance, p == PRIM_F32 ? 0x1p-15 : 0x1p-5);
}

static bool scalar_close(Scalar a, Scalar b, double tolerance, double share) {
  if (!prim_is_float(a.prim) || scalar_same(a, b) || a.f == b.f)
    return scalar_same(a, b) || a.f == b.f;
  if (isnan(a.f) || isnan(b.f) || isinf(a.f) || isinf(b.f)) return false;
  double size = fmax(1, fmax(fabs(a.f), fabs(b.f)));
  return fabs(a.f - b.f) <= share * coarsest(a.prim, tolerance) * size;
}

bool ivalue_within(IValue a, IValue b, double tolerance, double share) {
  if (!a.array != !b.array) return false;
  if (!a.array)
    return a.scalar.prim == b.scalar.prim && scalar_close(a.scalar, b.scalar, tolerance, share);
  if (a.array->prim != b.array->prim || a.array->rank != b.array->rank) return false;
  for (int d = 0; d < a.array->rank; d++)
    if (a.array->dims[d] != b.array->dims[d]) return false;
  for (int64_t i = 0; i < a.array->len; i++)
    if (!scalar_close(cell_scalar(a.array, i), cell_scalar(b.array, i), tolerance, share))
      return false;
  return true;
}

bool ivalue_same(IValue a, IValue b, double tolerance) {
  return ivalue_within(a, b, tolerance, 1);
}

static int64_t dims_print(Text *out, const IArray *a, int d, int64_t at) {
  if (d == a->rank) {
    scalar_print(out, cell_scalar(a, at));
    return at + 1;
  }
  text_puts(out, "[");
  for (int64_t i = 0; i < a->dims[d]; i++) {
    if (i) text_puts(out, ", ");
    at = dims_print(out, a, d + 1, at);
  }
  text_puts(out, "]");
  return at;
}

void ivalue_print(Text *out, IValue v) {
  if (!v.array) scalar_print(out, v.scalar);
  else dims_print(out, v.array, 0, 0);
}
