// Whole-array operations that act leaf by leaf: zip, concat, reshaping, copies, equality.
#include "local.h"

static Atom op2(Elab *e, Op op, Atom a, Atom b) { return emit_op(e, op, a, b); }

// The same array with outer size n, checked where the sizes are not one atom.
Val *array_resized(Elab *e, const Val *array, Atom n, const char *message) {
  if (array->tag != VAL_ARRAY || atom_same(val_size(e, array), n)) return (Val *)array;
  Atom have = val_size(e, array);
  emit_assert(e, emit_size_eq(e, have, n), message, atom_list2(e, have, n));
  Atoms leaves = {0};
  for (int i = 0; i < array->array.leaves.len; i++) {
    Atoms dims = dims_of(e, array->array.leaves.at[i]);
    dims.at[0] = n;
    list_push(e->arena, &leaves, emit_reshape(e, array->array.leaves.at[i], dims));
  }
  return val_array(e, array->array.elem, leaves);
}

// An array standing for a hole: of size 0.
static Val *solid(Elab *e, Val *v) {
  return v->tag == VAL_HOLE ? val_zero(e, v->hole.sem) : v;
}

// Sizes that constants or parameters name are better than those computed here.
static bool better_size(Elab *e, Atom a, Atom b) {
  if (!a.is_var || !b.is_var) return !a.is_var;
  return fact(e, a.var)->home < fact(e, b.var)->home;
}

static bool is_unit_array(const Val *v) {
  return v->array.elem->tag == SEM_RECORD && v->array.elem->len == 0;
}

Val *array_zip(Elab *e, Val *a, Val *b) {
  static const char *const message = "Sizes of zipped arrays differ: %d and %d.";
  a = solid(e, a);
  b = solid(e, b);
  Atom n = val_size(e, a), m = val_size(e, b);
  if (better_size(e, m, n)) a = array_resized(e, a, m, message);
  else b = array_resized(e, b, n, message);
  Val *parts[2] = {a, b};
  const Sem *elems[2] = {a->array.elem, b->array.elem};
  Atoms leaves = {0};
  Leaves kept = {0};
  for (int i = 0; i < 2; i++) {
    kept.len = 0;
    sem_leaves(e, elems[i], &kept);
    for (int k = 0; k < kept.len; k++) list_push(e->arena, &leaves, parts[i]->array.leaves.at[k]);
  }
  if (leaves.len == 0) leaves = a->array.leaves;
  Val *names = val_tuple(e, 2, parts);
  const Sem **fields = arena_copy(e->arena, elems, sizeof elems);
  return val_array(e, sem_record(e, 2, names->record.names, fields), leaves);
}

// The i-th component of an array of tuples; a component without leaves keeps the size in a unit
// array.
static Val *component(Elab *e, const Val *array, int i) {
  const Sem *elem = array->array.elem;
  check(elem->tag == SEM_RECORD && i < elem->len);
  int from = 0;
  Leaves leaves = {0};
  for (int k = 0; k < i; k++) sem_leaves(e, elem->fields[k], &leaves);
  from = leaves.len;
  leaves.len = 0;
  sem_leaves(e, elem->fields[i], &leaves);
  Atoms part = atoms_of(e->arena, leaves.len, array->array.leaves.at + from);
  if (part.len == 0)
    list_push(e->arena, &part,
              is_unit_array(array) ? array->array.leaves.at[0]
                                   : build_replicate(&e->b, atom_list1(e, val_size(e, array)),
                                                     atom_scalar((Scalar){.prim = PRIM_UNIT})));
  return val_array(e, elem->fields[i], part);
}

Val *array_unzip(Elab *e, Val *array) {
  array = solid(e, array);
  Val *parts[2] = {component(e, array, 0), component(e, array, 1)};
  return val_tuple(e, 2, parts);
}

static const char *const row_message = "Row shapes differ: %d and %d.";

static Atom concat_leaf(Elab *e, Atom a, Atom b, Atom size) {
  Type t = atom_type(e->prog, a);
  Atoms dims = dims_of(e, a);
  dims.at[0] = dim_of(e, b, 0);
  b = emit_shaped(e, b, dims, row_message);
  Exp exp = {.form = FORM_CONCAT, .concat = {0, atom_list2(e, a, b)}};
  return emit(e, "concat", type_array(e->arena, type_row(t), size), exp);
}

// Elements that need no memory, of units or of rows that may be empty, may be any number: only
// their count tells that a size is too large for an i64.
static bool needs_no_memory(Elab *e, const Val *array, int dims) {
  Type t = atom_type(e->prog, array->array.leaves.at[0]);
  if (t.prim == PRIM_UNIT) return true;
  for (int d = dims; d < t.rank; d++)
    if (t.dims[d].is_var || t.dims[d].value.i == 0) return true;
  return false;
}

Val *array_concat(Elab *e, Val *a, Val *b) {
  a = solid(e, a);
  b = solid(e, b);
  Atom size = op2(e, OP_ADD, val_size(e, a), val_size(e, b));
  if (needs_no_memory(e, a, 1)) {
    Atoms shown = atom_list2(e, val_size(e, a), val_size(e, b));
    emit_assert(e, op2(e, OP_LE, atom_i64(0), size),
                "out of memory: array too large: %d + %d elements", shown);
  }
  if (size.is_var) fact(e, size.var)->is_size = true;
  if (atom_is(val_size(e, a), 0)) return val_copy(e, b);
  if (atom_is(val_size(e, b), 0)) return val_copy(e, a);
  Atoms leaves = {0};
  for (int i = 0; i < a->array.leaves.len; i++)
    list_push(e->arena, &leaves,
              concat_leaf(e, a->array.leaves.at[i], b->array.leaves.at[i], size));
  return val_array(e, a->array.elem, leaves);
}

// The first `drop` dimensions replaced by others of the same element count.
static Val *reshaped(Elab *e, const Val *array, int drop, Atoms front, const Sem *elem) {
  Atoms leaves = {0};
  for (int i = 0; i < array->array.leaves.len; i++) {
    Atoms have = dims_of(e, array->array.leaves.at[i]);
    Atoms dims = atoms_concat(e->arena, front, atoms_slice(have, drop, have.len - drop));
    list_push(e->arena, &leaves, emit_reshape(e, array->array.leaves.at[i], dims));
  }
  return val_array(e, elem, leaves);
}

Val *array_flatten(Elab *e, Val *array) {
  array = solid(e, array);
  Atom leaf = array->array.leaves.at[0];
  Atom n = dim_of(e, leaf, 0), m = dim_of(e, leaf, 1), size = op2(e, OP_MUL, n, m);
  if (size.is_var) fact(e, size.var)->is_size = true;
  if (needs_no_memory(e, array, 2)) {
    Atom fits = op2(e, OP_EQ, op2(e, OP_MUL_HI, n, m), atom_i64(0));
    fits = op2(e, OP_AND, fits, op2(e, OP_LE, atom_i64(0), size));
    emit_assert(e, fits, "out of memory: array too large: %d * %d elements", atom_list2(e, n, m));
  }
  return reshaped(e, array, 2, atom_list1(e, size), array->array.elem->elem);
}

Val *array_unflatten(Elab *e, Atom n, Atom m, Val *array) {
  array = solid(e, array);
  Atom have = val_size(e, array);
  Atom ok = emit_size_eq(e, op2(e, OP_MUL, n, m), have);
  ok = op2(e, OP_AND, ok, op2(e, OP_LE, atom_i64(0), n));
  ok = op2(e, OP_AND, ok, op2(e, OP_LE, atom_i64(0), m));
  // Numbers from elsewhere may have a product that only looks right.
  if (!is_size(e, n) || !is_size(e, m))
    ok = op2(e, OP_AND, ok, op2(e, OP_EQ, op2(e, OP_MUL_HI, n, m), atom_i64(0)));
  Atoms shown = atom_list1(e, have);
  list_push(e->arena, &shown, n);
  list_push(e->arena, &shown, m);
  emit_assert(e, ok, "Cannot unflatten array of shape [%d] to array of shape [%d][%d]", shown);
  return reshaped(e, array, 1, atom_list2(e, n, m), sem_array(e, array->array.elem, blank()));
}

Val *array_transpose(Elab *e, Val *array) {
  array = solid(e, array);
  Atoms leaves = {0};
  for (int i = 0; i < array->array.leaves.len; i++) {
    Atom leaf = array->array.leaves.at[i];
    int rank = atom_type(e->prog, leaf).rank;
    int *perm = NEW_ARRAY(e->arena, int, rank);
    for (int k = 0; k < rank; k++) perm[k] = k < 2 ? 1 - k : k;
    Atom t = build_rearrange(&e->b, leaf, perm);
    alias(e, t, leaf);
    list_push(e->arena, &leaves, t);
  }
  return val_array(e, array->array.elem, leaves);
}

// A negative n fails like the range that counts to it.
static Atom checked_size(Elab *e, Atom n) {
  bool known = is_size(e, n);
  if (!known)
    emit_assert(e, op2(e, OP_LE, atom_i64(0), n), "Range 0..1..<%d is invalid.", atom_list1(e, n));
  return n;
}

// Copies that are not stored are elements of a given number.
static void check_copies(Elab *e, Atom n, Atom row) {
  Type t = atom_type(e->prog, row);
  Atom count = atom_i64(1);
  for (int d = 0; d < t.rank; d++) count = op2(e, OP_MUL, count, t.dims[d]);
  Atom fits = op2(e, OP_EQ, op2(e, OP_MUL_HI, n, count), atom_i64(0));
  fits = op2(e, OP_AND, fits, op2(e, OP_LE, atom_i64(0), op2(e, OP_MUL, n, count)));
  if (t.rank == 0) return;
  emit_assert(e, fits, "out of memory: array too large: %d * %d elements",
              atom_list2(e, n, count));
}

Val *array_replicate(Elab *e, Atom n, const Val *v) {
  bool known = is_size(e, n);
  n = checked_size(e, n);
  Atoms rows = val_atoms(e, v), leaves = {0};
  if (rows.len == 0) list_push(e->arena, &rows, atom_scalar((Scalar){.prim = PRIM_UNIT}));
  if (!known) check_copies(e, n, rows.at[0]);
  for (int i = 0; i < rows.len; i++)
    list_push(e->arena, &leaves, build_replicate(&e->b, atom_list1(e, n), rows.at[i]));
  return val_array(e, val_sem(e, v), leaves);
}

Val *array_scratch(Elab *e, Atom n, Val *like) {
  like = solid(e, like);
  Atoms leaves = {0};
  for (int i = 0; i < like->array.leaves.len; i++) {
    Type t = atom_type(e->prog, like->array.leaves.at[i]);
    Atoms dims = dims_of(e, like->array.leaves.at[i]);
    dims.at[0] = n;
    Exp exp = {.form = FORM_SCRATCH, .scratch = {t.prim, dims}};
    list_push(e->arena, &leaves,
              emit(e, "scratch", type_array_dims(e->arena, type_scalar(t.prim), dims), exp));
  }
  return val_array(e, like->array.elem, leaves);
}

// ---- strided windows of flat arrays ---------------------------------------------------------

// far = steps * stride did not overflow and is at most n either way: then sums of them do not.
static Atom far_fits(Elab *e, Atom far, Atom steps, Atom stride, Atom n) {
  Atom high = op2(e, OP_MUL_HI, steps, stride), sign = op2(e, OP_SHR, far, atom_i64(63));
  Atom ok = op2(e, OP_AND, op2(e, OP_EQ, high, sign), op2(e, OP_LE, far, n));
  return op2(e, OP_AND, ok, op2(e, OP_LE, op2(e, OP_SUB, atom_i64(0), n), far));
}

// Smallest and largest offset of a window lie in the array, or the window is empty.
static void flat_check(Elab *e, Atom n, Atom offset, const Atom *counts, const Atom *strides,
                       int rank) {
  Atom lo = offset, hi = offset, zero = atom_i64(0), empty = atom_bool(false);
  Atom ok = atom_bool(true), in = ok;
  for (int k = 0; k < rank; k++) {
    Atom steps = op2(e, OP_SUB, counts[k], atom_i64(1)), far = op2(e, OP_MUL, steps, strides[k]);
    in = op2(e, OP_AND, in, far_fits(e, far, steps, strides[k], n));
    lo = op2(e, OP_ADD, lo, op2(e, OP_MIN, far, zero));
    hi = op2(e, OP_ADD, hi, op2(e, OP_MAX, far, zero));
    empty = op2(e, OP_OR, empty, op2(e, OP_EQ, counts[k], zero));
    ok = op2(e, OP_AND, ok, op2(e, OP_LE, zero, counts[k]));
  }
  in = op2(e, OP_AND, in, op2(e, OP_AND, op2(e, OP_LE, zero, lo), op2(e, OP_LE, zero, hi)));
  in = op2(e, OP_AND, in, op2(e, OP_LT, hi, n));
  ok = op2(e, OP_AND, ok, op2(e, OP_OR, empty, in));
  emit_assert(e, ok, "Flat slice out of bounds", (Atoms){0});
}

// args: array, offset, then (count, stride) per dimension.
Val *array_flat_index(Elab *e, Vals args, int rank) {
  Val *array = solid(e, args.at[0]);
  Atom offset = val_scalar(args.at[1]);
  Atoms counts = {0}, strides = {0}, leaves = {0};
  for (int k = 0; k < rank; k++) {
    list_push(e->arena, &counts, val_scalar(args.at[2 + 2 * k]));
    list_push(e->arena, &strides, val_scalar(args.at[3 + 2 * k]));
  }
  flat_check(e, val_size(e, array), offset, counts.at, strides.at, rank);
  Attrs attrs = e->b.attrs;
  e->b.attrs.unchecked = true;
  const Sem *elem = array->array.elem;
  for (int i = 0; i < array->array.leaves.len; i++) {
    Atom leaf = array->array.leaves.at[i];
    Type row = type_row(atom_type(e->prog, leaf));
    Exp exp = {.form = FORM_FLATINDEX, .flatindex = {leaf, offset, counts, strides}};
    list_push(e->arena, &leaves,
              emit_view(e, base_of(e, leaf), type_array_dims(e->arena, row, counts), exp, leaf));
  }
  e->b.attrs = attrs;
  for (int k = 1; k < rank; k++) elem = sem_array(e, elem, blank());
  return val_array(e, elem, leaves);
}

// args: array, offset, a stride per dimension, then the new window.
Val *array_flat_update(Elab *e, Vals args, int rank) {
  Val *array = solid(e, args.at[0]), *value = solid(e, args.at[2 + rank]);
  Atom offset = val_scalar(args.at[1]);
  Atoms counts = dims_of(e, value->array.leaves.at[0]), strides = {0}, leaves = {0};
  counts.len = rank;
  for (int k = 0; k < rank; k++) list_push(e->arena, &strides, val_scalar(args.at[2 + k]));
  flat_check(e, val_size(e, array), offset, counts.at, strides.at, rank);
  Attrs attrs = e->b.attrs;
  e->b.attrs.unchecked = true;
  for (int i = 0; i < array->array.leaves.len; i++) {
    Atom leaf = array->array.leaves.at[i];
    Exp exp = {.form = FORM_FLATUPDATE,
               .flatupdate = {leaf, offset, strides, value->array.leaves.at[i]}};
    consume(e, leaf);
    list_push(e->arena, &leaves, emit(e, base_of(e, leaf), atom_type(e->prog, leaf), exp));
  }
  e->b.attrs = attrs;
  return val_array(e, array->array.elem, leaves);
}

// ---- copies and equality --------------------------------------------------------------------

static Atom copy_atom(void *state, Atom a) {
  Elab *e = state;
  Type t = atom_type(e->prog, a);
  return t.rank > 0 && !t.is_acc ? build_copy(&e->b, a) : a;
}

Val *val_copy(Elab *e, const Val *v) { return val_map(e, v, copy_atom, e); }

static Atom product(Elab *e, Atoms dims) {
  Atom n = atom_i64(1);
  for (int i = 0; i < dims.len; i++) n = op2(e, OP_MUL, n, dims.at[i]);
  return n;
}

// All elements of two arrays of one shape are equal: reduce (&&) true (map (==) a b).
static Atom leaves_equal(Elab *e, Atom a, Atom b) {
  Type t = atom_type(e->prog, a);
  if (t.rank == 0) return op2(e, OP_EQ, a, b);
  Atoms flat = atom_list1(e, product(e, dims_of(e, a)));
  a = emit_reshape(e, a, flat);
  b = emit_reshape(e, b, flat);
  Types pair = {0}, bools = {0};
  list_push(e->arena, &pair, type_scalar(t.prim));
  list_push(e->arena, &pair, type_scalar(t.prim));
  LambdaBuilder lb = lambda_begin(&e->b, "x", pair);
  Atom eq = build_op(&lb.inner, OP_EQ, atom_var(lb.lambda->params.at[0]),
                     atom_var(lb.lambda->params.at[1]));
  Exp map = {.form = FORM_MAP,
             .map = {flat.at[0], lambda_end(&lb, atom_list1(e, eq)), atom_list2(e, a, b)}};
  Type flags = type_array(e->arena, type_scalar(PRIM_BOOL), flat.at[0]);
  Atom same = emit(e, "same", flags, map);
  list_push(e->arena, &bools, type_scalar(PRIM_BOOL));
  Exp all = {.form = FORM_REDUCE,
             .reduce = {flat.at[0], true, lambda_binop(e->prog, OP_AND, PRIM_BOOL),
                        atom_list1(e, atom_bool(true)), atom_list1(e, same)}};
  return emit(e, "equal", bools.at[0], all);
}

static Atom shapes_equal(Elab *e, Atom a, Atom b) {
  Type s = atom_type(e->prog, a), t = atom_type(e->prog, b);
  Atom ok = atom_bool(true);
  for (int k = 0; k < s.rank; k++)
    if (!atom_same(s.dims[k], t.dims[k]))
      ok = op2(e, OP_AND, ok, op2(e, OP_EQ, s.dims[k], t.dims[k]));
  return ok;
}

// Arrays of different shapes are different.
static Atom arrays_equal(Elab *e, Atoms a, Atoms b) {
  Atom shapes = atom_bool(true);
  for (int i = 0; i < a.len; i++)
    shapes = op2(e, OP_AND, shapes, shapes_equal(e, a.at[i], b.at[i]));
  if (atom_is(shapes, 0)) return shapes;
  Branch yes = {0}, no = {0};
  scope_open(e, &yes.scope);
  Atom all = atom_bool(true);
  for (int i = 0; i < a.len; i++) {
    Atom c = emit_reshape(e, b.at[i], dims_of(e, a.at[i]));
    all = op2(e, OP_AND, all, leaves_equal(e, a.at[i], c));
  }
  scope_close(e, &yes.scope);
  if (atom_is(shapes, 1)) {
    for (int i = 0; i < yes.scope.stms.len; i++) build_stm(&e->b, yes.scope.stms.at[i]);
    return all;
  }
  yes.val = val_atom(e, all);
  scope_open(e, &no.scope);
  scope_close(e, &no.scope);
  no.val = val_atom(e, atom_bool(false));
  return val_scalar(emit_if(e, shapes, &yes, &no));
}

Atom val_equal(Elab *e, const Val *a, const Val *b) {
  if (a->tag == VAL_CON && b->tag == VAL_CON && a->con.index != b->con.index)
    return atom_bool(false);
  if (a->tag == VAL_ATOM && b->tag == VAL_ATOM) return op2(e, OP_EQ, a->atom, b->atom);
  if (a->tag == VAL_RECORD && b->tag == VAL_RECORD) {
    Atom all = atom_bool(true);
    for (int i = 0; i < a->record.len; i++)
      all = op2(e, OP_AND, all, val_equal(e, a->record.at[i], b->record.at[i]));
    return all;
  }
  return arrays_equal(e, val_atoms(e, a), val_atoms(e, b));
}
