// Arrays that are made or moved as wholes: axes come first, own dimensions follow.
#include "local.h"

static void bind(Translation *t, const Stm *stm, Atom atom, AxisSet axes) {
  value_bind(t, stm->bound.at[0], (Value){.atom = atom, .axes = axes, .made = true});
}

static Value made_value(Translation *t, Atom a) {
  Value v = value_get(t, a);
  value_make(t, &v);
  return v;
}

void from_iota(Translation *t, const Stm *stm) {
  const struct iota_form *e = &stm->exp.iota;
  Atom n = value_size(t, e->n), start = value_scalar(t, e->start, "the start of a range");
  Atom step = value_scalar(t, e->step, "the step of a range");
  if (!stm->attrs.unchecked)
    assert_size(t, value_scalar(t, e->n, "a size"), "Range 0..1..<%d is invalid.");
  Value v = value_uniform(bulk_iota(&t->b, n, start, step));
  if (!step.is_var && bulk_prim_of(&t->b, start) == PRIM_I64) {
    Line *line = NEW(t->prog->arena, Line);
    line->base = start, line->factor[0] = step.value.i;
    v.elements = line;
  }
  value_bind(t, stm->bound.at[0], v);
}

// Elements one beside the other along a new dimension after the axes.
void from_literal(Translation *t, const Stm *stm) {
  Atoms elems = stm->exp.literal.elems, parts = {0};
  AxisSet axes = 0;
  for (int i = 0; i < elems.len; i++) axes |= value_axes(value_get(t, elems.at[i]));
  int n = axes_len(axes);
  for (int i = 0; i < elems.len; i++) {
    Atom x = value_lift(t, value_get(t, elems.at[i]), axes);
    Type type = atom_type(t->prog, x);
    Atoms dims = atoms_of(t->prog->arena, n, type.dims);
    list_push(t->prog->arena, &dims, atom_i64(1));
    for (int d = n; d < type.rank; d++) list_push(t->prog->arena, &dims, type.dims[d]);
    int64_t to[64];
    for (int d = 0; d < type.rank; d++) to[d] = d < n ? d : d + 1;
    list_push(t->prog->arena, &parts, bulk_broadcast(&t->b, x, dims, to));
  }
  Type type = atom_type(t->prog, parts.at[0]);
  Atoms dims = atoms_of(t->prog->arena, type.rank, type.dims);
  dims.at[n] = atom_i64(elems.len);
  Type out = type_array_dims(t->prog->arena, type_scalar(type.prim), dims);
  Atom r = elems.len == 1 ? parts.at[0]
           : bulk_emit(&t->b, "literal", out,
                       (BulkExp){.form = BULK_CONCAT, .number = n, .args = parts});
  bind(t, stm, r, axes);
}

void from_constant(Translation *t, const Stm *stm) {
  Data data = stm->exp.constant.data;
  Type type = type_array(t->prog->arena, type_scalar(data.prim), atom_i64(data.len));
  bind(t, stm, bulk_emit(&t->b, "constant", type, (BulkExp){.form = BULK_CONSTANT, .data = data}),
       0);
}

void from_scratch(Translation *t, const Stm *stm) {
  const struct scratch_form *e = &stm->exp.scratch;
  Type type = type_array_dims(t->prog->arena, type_scalar(e->prim), value_sizes(t, e->dims));
  bind(t, stm, bulk_zeros(&t->b, type), 0);
}

void from_replicate(Translation *t, const Stm *stm) {
  const struct replicate_form *e = &stm->exp.replicate;
  Value x = made_value(t, e->arg);
  Type own = value_type(t, x);
  Atoms sizes = value_sizes(t, e->dims), dims = axes_dims(t, x.axes);
  for (int i = 0; i < e->dims.len && !stm->attrs.unchecked; i++)
    assert_size(t, value_scalar(t, e->dims.at[i], "a size"), "Negative size %d.");
  int n = dims.len;
  int64_t to[64];
  dims = atoms_concat(t->prog->arena, dims, sizes);
  dims = atoms_concat(t->prog->arena, dims, atoms_of(t->prog->arena, own.rank, own.dims));
  for (int d = 0; d < n + own.rank; d++) to[d] = d < n ? d : d + sizes.len;
  bind(t, stm, bulk_broadcast(&t->b, x.atom, dims, to), x.axes);
}

void from_barrier(Translation *t, const Stm *stm) {
  bool stop = stm->exp.form == FORM_STOPGRADIENT;
  Value x = made_value(t, stop ? stm->exp.stopgradient.arg : stm->exp.opaque.arg);
  BulkExp exp = {.form = stop ? BULK_STOP : BULK_OPAQUE, .args = atoms_one(t, x.atom)};
  bind(t, stm, bulk_emit(&t->b, bulk_info[exp.form].keyword, atom_type(t->prog, x.atom), exp),
       x.axes);
}

void from_reshape(Translation *t, const Stm *stm) {
  const struct reshape_form *e = &stm->exp.reshape;
  Value x = made_value(t, e->array);
  Atoms dims = atoms_concat(t->prog->arena, axes_dims(t, x.axes), value_sizes(t, e->dims));
  int before = t->b.stms->len;
  Atom r = bulk_reshape(&t->b, x.atom, dims);
  if (t->b.stms->len > before) t->b.stms->at[before].unchecked = stm->attrs.unchecked;
  bind(t, stm, r, x.axes);
}

void from_rearrange(Translation *t, const Stm *stm) {
  const struct rearrange_form *e = &stm->exp.rearrange;
  Value x = made_value(t, e->array);
  int64_t perm[64];
  int n = axes_len(x.axes);
  for (int d = 0; d < n; d++) perm[d] = d;
  for (int d = 0; d < e->perm.len; d++) perm[n + d] = n + e->perm.at[d];
  bind(t, stm, bulk_transpose(&t->b, x.atom, perm), x.axes);
}

void from_concat(Translation *t, const Stm *stm) {
  const struct concat_form *e = &stm->exp.concat;
  AxisSet axes = 0;
  for (int i = 0; i < e->arrays.len; i++) axes |= value_axes(value_get(t, e->arrays.at[i]));
  Atoms parts = {0};
  int dim = axes_len(axes) + (int)e->dim;
  for (int i = 0; i < e->arrays.len; i++) {
    Atom x = value_lift(t, value_get(t, e->arrays.at[i]), axes);
    list_push(t->prog->arena, &parts, x);
  }
  Type type = atom_type(t->prog, parts.at[0]);
  Atoms dims = atoms_of(t->prog->arena, type.rank, type.dims);
  Atom known = var_type(t->prog, stm->bound.at[0]).dims[e->dim];
  dims.at[dim] = known.is_var ? value_size(t, known) : known;
  Type out = type_array_dims(t->prog->arena, type_scalar(type.prim), dims);
  bind(t, stm, bulk_emit(&t->b, "concat", out,
                         (BulkExp){.form = BULK_CONCAT, .number = dim, .args = parts}), axes);
}

void from_reverse(Translation *t, const Stm *stm) {
  Value x = made_value(t, stm->exp.reverse.array);
  BulkExp exp = {.form = BULK_REVERSE, .number = axes_len(x.axes), .args = atoms_one(t, x.atom)};
  bind(t, stm, bulk_emit(&t->b, "reverse", atom_type(t->prog, x.atom), exp), x.axes);
}

static Atom build_mod(Translation *t, Atom x, Atom n) {
  Atom out = bulk_prim(&t->b, OP_MOD, PRIM_I64, atoms_of(t->prog->arena, 2, (Atom[]){x, n}));
  t->b.stms->at[t->b.stms->len - 1].unchecked = true;
  return out;
}

// by mod n, unless it is a small number: no sum with a position overflows then.
static Value rotation(Translation *t, Value by, Atom n) {
  Atom x = value_lift(t, by, value_axes(by));
  if (!x.is_var && x.value.i > INT32_MIN && x.value.i < INT32_MAX) return by;
  return (Value){.atom = build_mod(t, x, n), .made = true, .axes = value_axes(by)};
}

// result[i] = array[(i + by) mod n], the dimension after the axes: a gather along it.
void from_rotate(Translation *t, const Stm *stm) {
  const struct rotate_form *e = &stm->exp.rotate;
  Value x = made_value(t, e->array), by = value_get(t, e->by);
  AxisSet axes = x.axes | value_axes(by);
  Atom array = value_lift(t, x, axes);
  Atom n = atom_type(t->prog, array).dims[axes_len(axes)];
  Atom safe = bulk_op(&t->b, OP_MAX, n, atom_i64(1));
  by = rotation(t, by, safe);
  axis_push(t, n);
  AxisSet inner = axes | axis_bit(t->depth - 1);
  Line *line = NEW(t->prog->arena, Line);
  line->base = atom_i64(0), line->factor[t->depth - 1] = 1;
  Atom at = value_lift(t, (Value){.line = line}, inner);
  at = bulk_op(&t->b, OP_ADD, at, value_lift(t, by, inner));
  at = build_mod(t, at, safe);
  axis_pop(t);
  bind(t, stm, bulk_gather(&t->b, array, axes_len(axes), atoms_one(t, at)), axes);
}
