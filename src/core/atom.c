// Atoms and types: small values, compared and split here.
#include "core.h"
#include <string.h>

Atom atom_scalar(Scalar s) { return (Atom){.value = s}; }
Atom atom_i64(int64_t i) { return atom_scalar(scalar_int(PRIM_I64, i)); }
Atom atom_bool(bool b) { return atom_scalar(scalar_bool(b)); }
Atom atom_number(Prim p, double x) { return atom_scalar(scalar_number(p, x)); }

bool atom_is(Atom a, double x) { return !a.is_var && scalar_is(a.value, x); }

Type type_array(Arena *arena, Type row, Atom width) {
  Atom *dims = NEW_ARRAY(arena, Atom, row.rank + 1);
  dims[0] = width;
  for (int i = 0; i < row.rank; i++) dims[i + 1] = row.dims[i];
  row.rank++;
  row.dims = dims;
  row.unique = false;
  return row;
}

Type type_array_dims(Arena *arena, Type elem, Atoms dims) {
  if (dims.len == 0) return elem;
  Atom *all = NEW_ARRAY(arena, Atom, dims.len + elem.rank);
  for (int i = 0; i < dims.len; i++) all[i] = dims.at[i];
  for (int i = 0; i < elem.rank; i++) all[dims.len + i] = elem.dims[i];
  elem.rank += dims.len;
  elem.dims = all;
  elem.unique = false;
  return elem;
}

Type type_row(Type t) { return type_peel(t, 1); }

Type type_peel(Type t, int n) {
  check(n >= 0 && n <= t.rank && !t.is_acc);
  t.rank -= n;
  t.dims = t.rank ? t.dims + n : NULL;
  if (n) t.unique = false;
  return t;
}

bool type_same_shape_rank(Type a, Type b) {
  if (a.prim != b.prim || a.is_acc != b.is_acc || a.rank != b.rank) return false;
  return !a.is_acc || (a.index_rank == b.index_rank && a.token.id == b.token.id);
}

bool type_same(Type a, Type b) {
  if (!type_same_shape_rank(a, b)) return false;
  for (int i = 0; i < a.rank; i++)
    if (!atom_same(a.dims[i], b.dims[i])) return false;
  return true;
}

bool type_is_scalar(Type t) { return t.rank == 0 && !t.is_acc; }

bool slice_same(const Slice *a, const Slice *b) {
  if (a->len != b->len) return false;
  for (int i = 0; i < a->len; i++) {
    const SliceDim *x = &a->at[i], *y = &b->at[i];
    if (x->is_fix != y->is_fix || !atom_same(x->start, y->start)) return false;
    if (!x->is_fix && (!atom_same(x->count, y->count) || !atom_same(x->stride, y->stride)))
      return false;
  }
  return true;
}
