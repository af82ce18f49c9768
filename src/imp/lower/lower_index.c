// Reading and overwriting parts of arrays, with their bounds checks.
#include "imp/common/local.h"

// ---- the check of a slice ---------------------------------------------------------------------
// A fixed dimension: 0 <= start < n.  A range: no elements, or both ends inside.
static const ImpExp *dim_in_bounds(Lower *l, SliceDim d, const ImpExp *n) {
  const ImpExp *start = atom_exp(l, d.start);
  if (d.is_fix) return exp_in_range(l, start, n);
  const ImpExp *count = atom_exp(l, d.count), *step = atom_exp(l, d.stride), *zero = int_exp(l, 0);
  if (imp_is_int(start, 0) && imp_is_int(step, 1) && imp_exp_same(count, n))
    return imp_const(l->arena, scalar_bool(true));
  const ImpExp *last =
      imp_add(l->arena, start, imp_mul(l->arena, imp_add(l->arena, count, int_exp(l, -1)), step));
  const ImpExp *empty = imp_op(l->arena, OP_EQ, PRIM_I64, count, zero, NULL);
  const ImpExp *inside = exp_and(l, exp_in_range(l, start, n), exp_in_range(l, last, n));
  const ImpExp *ok = exp_and(l, exp_le(l, zero, count), inside);
  return imp_op(l->arena, OP_OR, PRIM_BOOL, empty, ok, NULL);
}

// "Index [%d, %d:%d] out of bounds for array of shape [%d][%d]."
static const char *slice_format(Lower *l, Slice slice, ImpExps *values) {
  Text text = {0};
  text_puts(&text, "Index [");
  for (int i = 0; i < slice.len; i++) {
    SliceDim d = slice.at[i];
    const ImpExp *start = atom_exp(l, d.start);
    text_puts(&text, i ? ", %d" : "%d");
    list_push(l->arena, values, start);
    if (d.is_fix) continue;
    const ImpExp *count = atom_exp(l, d.count), *step = atom_exp(l, d.stride);
    list_push(l->arena, values, imp_add(l->arena, start, imp_mul(l->arena, count, step)));
    text_puts(&text, ":%d");
    if (imp_is_int(step, 1)) continue;
    list_push(l->arena, values, step);
    text_puts(&text, ":%d");
  }
  text_puts(&text, "] out of bounds for array of shape ");
  for (int i = 0; i < slice.len; i++) text_puts(&text, "[%d]");
  text_putc(&text, '.');
  const char *s = arena_strdup(l->arena, text.at);
  text_free(&text);
  return s;
}

static void check_slice(Lower *l, const View *v, Slice slice) {
  const ImpExp *ok = imp_const(l->arena, scalar_bool(true));
  for (int i = 0; i < slice.len; i++)
    ok = exp_and(l, ok, dim_in_bounds(l, slice.at[i], v->dims[i]));
  if (imp_is_int(ok, 1)) return;
  ImpExps values = {0};
  const char *format = slice_format(l, slice, &values);
  for (int i = 0; i < slice.len; i++) list_push(l->arena, &values, v->dims[i]);
  emit_check(l, ok, format, values);
}

// ---- index and update -------------------------------------------------------------------------
// An element of an array that exists only as a formula.
static const ImpExp *formula_element(Lower *l, Value v, const ImpExp *i) {
  if (v.kind == VALUE_FILL) return v.exp;
  const ImpExp *e = imp_conv(l->arena, v.exp->prim, i);
  e = imp_op(l->arena, OP_MUL, v.exp->prim, e, v.step, NULL);
  return emit_let(l, "i", imp_op(l->arena, OP_ADD, v.exp->prim, v.exp, e, NULL));
}

void lower_index(Lower *l, const Stm *stm) {
  const struct index_form *e = &stm->exp.index;
  Var b = stm->bound.at[0];
  Value array = atom_value(l, e->array);
  if (array.kind != VALUE_ARRAY) {
    View shape = {.rank = 1, .dims = type_dims(l, atom_type(l->prog, e->array))};
    if (!stm->attrs.unchecked) check_slice(l, &shape, e->slice);
    bind_exp(l, b, formula_element(l, array, atom_exp(l, e->slice.at[0].start)));
    return;
  }
  if (!stm->attrs.unchecked) check_slice(l, &array.view, e->slice);
  View v = view_slice(l, &array.view, e->slice);
  if (v.rank > 0) bind_view(l, b, v);
  else bind_exp(l, b, emit_load(l, var_base(l, b), v.mem, v.prim, v.offset));
}

View update_place(Lower *l, const Stm *stm) {
  const struct update_form *e = &stm->exp.update;
  View array = atom_view(l, e->array);
  if (!stm->attrs.unchecked) check_slice(l, &array, e->slice);
  return view_slice(l, &array, e->slice);
}

void lower_update(Lower *l, const Stm *stm) {
  const struct update_form *e = &stm->exp.update;
  View array = atom_view(l, e->array);
  const View **placed = &l->place[stm->bound.at[0].id];
  View place = *placed ? **placed : update_place(l, stm);
  *placed = NULL;
  Value value = atom_value(l, e->value);
  if (value.kind == VALUE_SCALAR && place.rank == 0)
    emit_store(l, place.mem, place.offset, value.exp);
  else if (value.kind == VALUE_SCALAR || value.kind == VALUE_FILL) fill_view(l, &place, value.exp);
  else if (value.kind == VALUE_IOTA) iota_view(l, &place, value);
  else copy_view(l, &place, &value.view);
  bind_view(l, stm->bound.at[0], array);
}

// ---- flat windows -----------------------------------------------------------------------------
// span = steps * stride did not overflow and is at most n either way, so that sums of spans do not.
static const ImpExp *span_fits(Lower *l, const ImpExp *span, const ImpExp *steps,
                               const ImpExp *stride, const ImpExp *n) {
  const ImpExp *high = imp_op(l->arena, OP_MUL_HI, PRIM_I64, steps, stride, NULL);
  const ImpExp *sign = imp_op(l->arena, OP_SHR, PRIM_I64, span, int_exp(l, 63), NULL);
  const ImpExp *ok = imp_op(l->arena, OP_EQ, PRIM_I64, high, sign, NULL);
  ok = exp_and(l, ok, exp_le(l, span, n));
  return exp_and(l, ok, exp_le(l, imp_sub(l->arena, int_exp(l, 0), n), span));
}

// Row (i, j, ..) is array[offset + i*s0 + j*s1 ..]: all of them inside, or the window is empty.
static View flat_view(Lower *l, const Stm *stm, View v, Atom offset, const ImpExp **counts,
                      Atoms strides) {
  int n = strides.len, rank = n + v.rank - 1;
  View r = {v.mem, v.prim, rank, false, NULL, NEW_ARRAY(l->arena, const ImpExp *, rank + 1),
            NEW_ARRAY(l->arena, const ImpExp *, rank + 1)};
  for (int d = 0; d < n; d++) r.dims[d] = counts[d];
  for (int d = 1; d < v.rank; d++) {
    r.dims[n + d - 1] = v.dims[d];
    r.strides[n + d - 1] = v.strides[d];
  }
  const ImpExp *from = atom_exp(l, offset), *lo = from, *hi = from, *zero = int_exp(l, 0);
  const ImpExp *empty = imp_const(l->arena, scalar_bool(false)), *one = int_exp(l, 1);
  const ImpExp *sane = imp_const(l->arena, scalar_bool(true)), *fits = sane;
  for (int i = 0; i < n; i++) {
    const ImpExp *s = atom_exp(l, strides.at[i]), *steps = imp_sub(l->arena, counts[i], one);
    const ImpExp *span = emit_let(l, "span", imp_mul(l->arena, steps, s));
    fits = exp_and(l, fits, span_fits(l, span, steps, s, v.dims[0]));
    lo = imp_add(l->arena, lo, imp_op(l->arena, OP_MIN, PRIM_I64, zero, span, NULL));
    hi = imp_add(l->arena, hi, imp_op(l->arena, OP_MAX, PRIM_I64, zero, span, NULL));
    empty = imp_op(l->arena, OP_OR, PRIM_BOOL, empty,
                   imp_op(l->arena, OP_EQ, PRIM_I64, counts[i], zero, NULL), NULL);
    sane = exp_and(l, sane, exp_le(l, zero, counts[i]));
    r.strides[i] = emit_let(l, "stride", imp_mul(l->arena, s, v.strides[0]));
  }
  const ImpExp *ok = exp_and(l, exp_in_range(l, lo, v.dims[0]), exp_in_range(l, hi, v.dims[0]));
  ok = exp_and(l, fits, ok);
  ok = exp_and(l, sane, imp_op(l->arena, OP_OR, PRIM_BOOL, empty, ok, NULL));
  if (!stm->attrs.unchecked) emit_check(l, ok, "Flat slice out of bounds", (ImpExps){0});
  r.offset = emit_let(l, "at", imp_add(l->arena, v.offset, imp_mul(l->arena, from, v.strides[0])));
  return r;
}

void lower_flatindex(Lower *l, const Stm *stm) {
  const struct flatindex_form *e = &stm->exp.flatindex;
  const ImpExp **counts = NEW_ARRAY(l->arena, const ImpExp *, e->counts.len + 1);
  for (int i = 0; i < e->counts.len; i++) counts[i] = atom_exp(l, e->counts.at[i]);
  bind_view(
      l, stm->bound.at[0],
      flat_view(l, stm, atom_view(l, e->array), e->offset, counts, e->strides));
}

void lower_flatupdate(Lower *l, const Stm *stm) {
  const struct flatupdate_form *e = &stm->exp.flatupdate;
  View array = atom_view(l, e->array), value = atom_view(l, e->value);
  View place = flat_view(l, stm, array, e->offset, value.dims, e->strides);
  copy_view(l, &place, &value);
  bind_view(l, stm->bound.at[0], array);
}
