// Builders of array expressions.
#include "core.h"

static Slice slice_fix(Arena *arena, Atoms at) {
  Slice slice = {0};
  for (int i = 0; i < at.len; i++)
    list_push(arena, &slice, (SliceDim){.is_fix = true, .start = at.at[i]});
  return slice;
}

// The statement is marked unchecked: the caller has shown that the indices are in range.
static Atom build_unchecked(Builder *b, const char *hint, Type type, Exp exp) {
  Attrs saved = b->attrs;
  b->attrs.unchecked = true;
  Atom result = build(b, hint, type, exp);
  b->attrs = saved;
  return result;
}

static const char *base_of(const Builder *b, Atom a) {
  return a.is_var ? var_info(b->prog, a.var)->base : NULL;
}

Atom build_index(Builder *b, Atom array, Atoms at) {
  if (at.len == 0) return array;
  Exp exp = {.form = FORM_INDEX,
             .index = {.array = array, .slice = slice_fix(b->prog->arena, at)}};
  return build_unchecked(b, base_of(b, array), type_peel(atom_type(b->prog, array), at.len), exp);
}

Atom build_update(Builder *b, Atom array, Atoms at, Atom value) {
  Exp exp = {.form = FORM_UPDATE,
             .update = {.array = array, .slice = slice_fix(b->prog->arena, at), .value = value}};
  return build_unchecked(b, base_of(b, array), atom_type(b->prog, array), exp);
}

Atom build_copy(Builder *b, Atom array) {
  Type type = atom_type(b->prog, array);
  if (type_is_scalar(type)) return array;
  return build(b, base_of(b, array), type, (Exp){.form = FORM_COPY, .copy = {.arg = array}});
}

// Sizes given to a builder are sizes, hence not negative: no check.
Atom build_replicate(Builder *b, Atoms dims, Atom value) {
  if (dims.len == 0) return build_copy(b, value);
  Type type = type_array_dims(b->prog->arena, atom_type(b->prog, value), dims);
  Exp exp = {.form = FORM_REPLICATE, .replicate = {.dims = dims, .arg = value}};
  return build_unchecked(b, NULL, type, exp);
}

Atom build_zero(Builder *b, Type type) {
  check(!type.is_acc);
  Atoms dims = atoms_of(b->prog->arena, type.rank, type.dims);
  return build_replicate(b, dims, atom_number(type.prim, 0));
}

Atom build_iota(Builder *b, Atom n) {
  Type type = type_array(b->prog->arena, type_scalar(PRIM_I64), n);
  Exp exp = {.form = FORM_IOTA,
             .iota = {.n = n, .start = atom_i64(0), .step = atom_i64(1)}};
  return build_unchecked(b, NULL, type, exp);
}

Atom build_rearrange(Builder *b, Atom array, const int *perm) {
  Type type = atom_type(b->prog, array), to = type;
  Atom *dims = NEW_ARRAY(b->prog->arena, Atom, type.rank);
  Exp exp = {.form = FORM_REARRANGE, .rearrange = {.array = array}};
  bool identity = true;
  for (int i = 0; i < type.rank; i++) {
    check(perm[i] >= 0 && perm[i] < type.rank);
    identity = identity && perm[i] == i;
    dims[i] = type.dims[perm[i]];
    list_push(b->prog->arena, &exp.rearrange.perm, perm[i]);
  }
  to.dims = dims;
  return identity ? array : build(b, base_of(b, array), to, exp);
}

static Atom add_scalars(Builder *b, Prim p, Atom x, Atom y) {
  if (p == PRIM_UNIT) return x;
  return build_op(b, p == PRIM_BOOL ? OP_OR : OP_ADD, x, y);
}

// x + y at type [n]t  =  map n (+ at t) x y
Atom build_add(Builder *b, Atom x, Atom y) {
  Type type = atom_type(b->prog, x);
  if (type.rank == 0) return add_scalars(b, type.prim, x, y);
  Arena *arena = b->prog->arena;
  Types rows = {0};
  list_push(arena, &rows, type_row(type));
  list_push(arena, &rows, type_row(atom_type(b->prog, y)));
  LambdaBuilder lb = lambda_begin(b, "x", rows);
  Atom sum = build_add(&lb.inner, atom_var(lb.lambda->params.at[0]),
                       atom_var(lb.lambda->params.at[1]));
  Lambda *fn = lambda_end(&lb, atoms_of(arena, 1, &sum));
  Exp exp = {.form = FORM_MAP,
             .map = {.width = type.dims[0],
                     .fn = fn,
                     .inputs = atoms_of(arena, 2, (Atom[]){x, y})}};
  return build(b, "sum", type, exp);
}
