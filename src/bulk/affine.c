// Index arrays that are affine in the positions along their dimensions.
//
//   iota s t            s + t d0                 broadcast, transpose   the positions change places
//   x + y, x - y, c x   likewise of both         reverse d              d -> n - 1 - d
//   min x c, max x c    x, where x keeps to c    a constant             where its steps are equal
#include "windows.h"

static const Affine none = {0};

int64_t size_constant(Atom dim) { return dim.is_var ? -1 : dim.value.i; }

// With sizes below 2^26, what is computed from these does not overflow.
static bool small(const Affine *a) {
  const int64_t limit = INT64_C(1) << 31;
  if (a->base < -limit || a->base > limit) return false;
  for (int d = 0; d < AFFINE_DIMS; d++)
    if (a->by[d] < -limit || a->by[d] > limit) return false;
  return true;
}

void positions_range(const Affine *a, Type type, int64_t *low, int64_t *high) {
  *low = *high = a->base;
  for (int d = 0; d < type.rank; d++) {
    int64_t far = a->by[d] * (size_constant(type.dims[d]) - 1);
    *low += far < 0 ? far : 0, *high += far > 0 ? far : 0;
  }
}

static bool is_literal(const Affine *a) {
  for (int d = 0; d < AFFINE_DIMS; d++)
    if (a->by[d]) return false;
  return true;
}

static bool affine_sum(const Affine *x, const Affine *y, int64_t sign, Affine *out) {
  *out = *x;
  out->base += sign * y->base;
  for (int d = 0; d < AFFINE_DIMS; d++) out->by[d] += sign * y->by[d];
  return small(out);
}

static bool affine_product(const Affine *x, const Affine *y, Affine *out) {
  if (!is_literal(y)) return is_literal(x) && affine_product(y, x, out);
  *out = *x;
  out->base *= y->base;
  for (int d = 0; d < AFFINE_DIMS; d++) out->by[d] *= y->base;
  return small(out);
}

// The least or the largest of two, where one is so everywhere.
static bool affine_chosen(const Affine *x, const Affine *y, Type type, bool largest, Affine *out) {
  int64_t xs[2], ys[2];
  positions_range(x, type, &xs[0], &xs[1]);
  positions_range(y, type, &ys[0], &ys[1]);
  bool x_least = xs[1] <= ys[0];
  *out = x_least != largest ? *x : *y;
  return x_least || ys[1] <= xs[0];
}

static bool affine_prim(const Prog *prog, const Map *made, const BulkStm *stm, Affine *out) {
  const BulkExp *e = &stm->exp;
  Affine x, y = none;
  if (e->prim != PRIM_I64 || e->args.len > 2) return false;
  if (!positions_of(prog, made, e->args.at[0], &x)) return false;
  if (e->args.len > 1 && !positions_of(prog, made, e->args.at[1], &y)) return false;
  Type type = var_type(prog, stm->bound.at[0]);
  switch ((int)e->op) {
    case OP_ADD: return affine_sum(&x, &y, 1, out);
    case OP_SUB: return affine_sum(&x, &y, -1, out);
    case OP_NEG: return affine_sum(&none, &x, -1, out);
    case OP_MUL: return affine_product(&x, &y, out);
    case OP_MIN: return affine_chosen(&x, &y, type, false, out);
    case OP_MAX: return affine_chosen(&x, &y, type, true, out);
  }
  return false;
}

static bool affine_data(Data data, Affine *out) {
  *out = none;
  if (data.prim != PRIM_I64 || !data.len) return false;
  out->base = data.at[0].i;
  if (data.len > 1) out->by[0] = data.at[1].i - data.at[0].i;
  for (int64_t i = 1; i < data.len; i++)
    if (data.at[i].i - data.at[i - 1].i != out->by[0]) return false;
  return small(out);
}

static bool affine_iota(const BulkExp *e, Affine *out) {
  if (e->args.at[1].is_var || e->args.at[2].is_var) return false;
  *out = (Affine){.base = e->args.at[1].value.i, .by = {e->args.at[2].value.i}};
  return small(out);
}

// The operand's positions at other dimensions.
static bool affine_moved(const Prog *prog, const Map *made, const BulkExp *e, Affine *out) {
  Affine x;
  if (!positions_of(prog, made, e->args.at[0], &x)) return false;
  *out = (Affine){.base = x.base};
  for (int k = 0; k < e->ints.len; k++) {
    if (e->form == BULK_BROADCAST) out->by[e->ints.at[k]] = x.by[k];
    else out->by[k] = x.by[e->ints.at[k]];
  }
  return true;
}

static bool affine_reverse(const Prog *prog, const Map *made, const BulkExp *e, Affine *out) {
  if (!positions_of(prog, made, e->args.at[0], out)) return false;
  int d = (int)e->number;
  out->base += out->by[d] * (size_constant(atom_type(prog, e->args.at[0]).dims[d]) - 1);
  out->by[d] = -out->by[d];
  return small(out);
}

static bool sizes_known(Type t) {
  for (int d = 0; d < t.rank; d++)
    if (size_constant(t.dims[d]) < 0 || size_constant(t.dims[d]) > 1 << 26) return false;
  return t.rank <= AFFINE_DIMS;
}

bool positions_of(const Prog *prog, const Map *made, Atom a, Affine *out) {
  *out = none;
  if (!a.is_var) {
    out->base = a.value.prim == PRIM_I64 ? a.value.i : 0;
    return a.value.prim == PRIM_I64 && small(out);
  }
  const BulkStm *stm = map_get(made, a.var.id);
  if (!stm || stm->bound.len != 1 || !sizes_known(atom_type(prog, a))) return false;
  if (atom_type(prog, a).prim != PRIM_I64) return false;
  const BulkExp *e = &stm->exp;
  return e->form == BULK_PRIM       ? affine_prim(prog, made, stm, out)
         : e->form == BULK_CONSTANT ? affine_data(e->data, out)
         : e->form == BULK_IOTA     ? affine_iota(e, out)
         : e->form == BULK_REVERSE  ? affine_reverse(prog, made, e, out)
         : e->form == BULK_BROADCAST || e->form == BULK_TRANSPOSE
             ? affine_moved(prog, made, e, out)
             : false;
}
