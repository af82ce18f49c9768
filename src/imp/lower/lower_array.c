// Making, viewing and moving arrays.
#include "imp/common/local.h"

static ImpExps one_value(Lower *l, const ImpExp *e) {
  ImpExps list = {0};
  list_push(l->arena, &list, e);
  return list;
}

// A size given by the program must not be negative.
static void check_size(Lower *l, const Stm *stm, Atom n) {
  if (stm->attrs.unchecked || !n.is_var) return;
  const ImpExp *e = atom_exp(l, n);
  emit_check(l, exp_le(l, int_exp(l, 0), e), "Size %d is negative", one_value(l, e));
}

// The literal that binds a row; NULL: another expression does, or the row is consumed.
static const struct literal_form *literal_row(const Lower *l, Atom a) {
  const Stm *def = a.is_var ? l->facts->def[a.var.id] : NULL;
  if (!def || def->exp.form != FORM_LITERAL) return NULL;
  return l->facts->consumed[l->facts->block[a.var.id].id] ? NULL : &def->exp.literal;
}

// Rows that are literals are written element by element: their own memory, unless others read it,
// is a dead store.
static void store_literal(Lower *l, const View *v, const struct literal_form *e) {
  for (int i = 0; i < e->elems.len; i++) {
    const struct literal_form *row = literal_row(l, e->elems.at[i]);
    if (!row) {
      store_row(l, v, int_exp(l, i), atom_value(l, e->elems.at[i]));
      continue;
    }
    View part = view_row(l, v, int_exp(l, i));
    store_literal(l, &part, row);
  }
}

void lower_literal(Lower *l, const Stm *stm) {
  View v = dest_view(l, stm->bound.at[0]);
  store_literal(l, &v, &stm->exp.literal);
  bind_view(l, stm->bound.at[0], v);
}

// Constant data is shared unless it will be overwritten or is wanted somewhere.
void lower_constant(Lower *l, const Stm *stm) {
  Var b = stm->bound.at[0];
  ImpVar mem = mem_fresh(l, var_base(l, b), IMP_DATA, stm->exp.constant.data.prim);
  l->fn->vars.at[mem.id].data = &stm->exp.constant.data;
  View data =
      view_dense(l, mem, stm->exp.constant.data.prim, 1, type_dims(l, var_type(l->prog, b)));
  if (l->facts->consumed[l->facts->block[b.id].id] || l->want[b.id].view) {
    View v = dest_view(l, b);
    copy_view(l, &v, &data);
    data = v;
  }
  bind_view(l, b, data);
}

static const ImpExp *iota_element(Lower *l, const ImpExp *i, const ImpExp *start,
                                  const ImpExp *step) {
  Prim p = start->prim;
  const ImpExp *e = imp_conv(l->arena, p, i);
  bool one = step->kind == IMP_CONST && scalar_is(step->value, 1);
  bool zero = start->kind == IMP_CONST && scalar_is(start->value, 0);
  if (!one) e = imp_op(l->arena, OP_MUL, p, e, step, NULL);
  if (!zero) e = imp_op(l->arena, OP_ADD, p, start, e, NULL);
  return emit_let(l, "i", e);
}

void iota_view(Lower *l, const View *to, Value iota) {
  ForLoop loop = for_open(l, "i", to->dims[0], true);
  emit_store(l, to->mem, view_at(l, to, 1, &loop.i), iota_element(l, loop.i, iota.exp, iota.step));
  for_close(l, loop);
}

void lower_iota(Lower *l, const Stm *stm) {
  const struct iota_form *e = &stm->exp.iota;
  Var b = stm->bound.at[0];
  const ImpExp *start = atom_exp(l, e->start), *step = atom_exp(l, e->step), *n = atom_exp(l, e->n);
  if (!stm->attrs.unchecked && e->n.is_var)
    emit_check(l, exp_le(l, int_exp(l, 0), n), "Range 0..1..<%d is invalid.", one_value(l, n));
  Value iota = {.kind = VALUE_IOTA, .exp = start, .step = step};
  if (l->facts->only_rows[b.id]) {
    bind(l, b, iota);
    return;
  }
  View v = dest_view(l, b);
  iota_view(l, &v, iota);
  bind_view(l, b, v);
}

void bind_input(Lower *l, Var param, Atom input, const ImpExp *i) {
  Value v = atom_value(l, input);
  Type t = var_type(l->prog, param);
  if (t.is_acc) bind(l, param, v);
  else if (v.kind == VALUE_IOTA) bind_exp(l, param, iota_element(l, i, v.exp, v.step));
  else if (v.kind == VALUE_FILL) bind_exp(l, param, v.exp);
  else if (v.view.rank == 1)
    bind_exp(l, param,
             emit_load(l, var_base(l, param), v.view.mem, v.view.prim, view_at(l, &v.view, 1, &i)));
  else bind_view(l, param, view_row(l, &v.view, i));
}

// dims ++ the shape of what is repeated.
void lower_replicate(Lower *l, const Stm *stm) {
  const struct replicate_form *e = &stm->exp.replicate;
  Var b = stm->bound.at[0];
  for (int i = 0; i < e->dims.len; i++) check_size(l, stm, e->dims.at[i]);
  Value arg = atom_value(l, e->arg);
  if (l->facts->only_rows[b.id] && arg.kind == VALUE_SCALAR) {
    bind(l, b, (Value){.kind = VALUE_FILL, .exp = arg.exp});
    return;
  }
  View v = dest_view(l, b);
  if (arg.kind == VALUE_SCALAR) {
    fill_view(l, &v, arg.exp);
    bind_view(l, b, v);
    return;
  }
  View row = v;
  ForLoop *loops = NEW_ARRAY(l->arena, ForLoop, e->dims.len + 1);
  for (int i = 0; i < e->dims.len; i++) {
    loops[i] = for_open(l, "i", row.dims[0], true);
    row = view_row(l, &row, loops[i].i);
  }
  copy_view(l, &row, &arg.view);
  for (int i = e->dims.len - 1; i >= 0; i--) for_close(l, loops[i]);
  bind_view(l, b, v);
}

void lower_copy(Lower *l, const Stm *stm) {
  Value arg = atom_value(l, stm->exp.copy.arg);
  if (arg.kind == VALUE_SCALAR) {
    bind(l, stm->bound.at[0], arg);
    return;
  }
  bool wanted = l->want[stm->bound.at[0].id].view != NULL;
  if (!wanted && atom_dead(l, stm->exp.copy.arg) && view_movable(l, &arg.view)) {
    bind_view(l, stm->bound.at[0], arg.view);
    return;
  }
  View v = dest_view(l, stm->bound.at[0]);
  copy_view(l, &v, &arg.view);
  bind_view(l, stm->bound.at[0], v);
}

void lower_scratch(Lower *l, const Stm *stm) {
  for (int i = 0; i < stm->exp.scratch.dims.len; i++)
    check_size(l, stm, stm->exp.scratch.dims.at[i]);
  bind_view(l, stm->bound.at[0], dest_view(l, stm->bound.at[0]));
}

// ---- views ------------------------------------------------------------------------------------
static ImpExps two_shapes(Lower *l, const View *v, int n, const ImpExp *const *dims) {
  ImpExps values = {0};
  for (int i = 0; i < v->rank; i++) list_push(l->arena, &values, v->dims[i]);
  for (int i = 0; i < n; i++) list_push(l->arena, &values, dims[i]);
  return values;
}

static const char *shape_format(Lower *l, int from, int to) {
  Text text = {0};
  text_puts(&text, "Cannot unflatten array of shape ");
  for (int i = 0; i < from; i++) text_puts(&text, "[%d]");
  text_puts(&text, " to array of shape ");
  for (int i = 0; i < to; i++) text_puts(&text, "[%d]");
  const char *s = arena_strdup(l->arena, text.at);
  text_free(&text);
  return s;
}

static void check_reshape(Lower *l, const View *v, int n, const ImpExp **dims) {
  const ImpExp *count = int_exp(l, 1), *ok = imp_const(l->arena, scalar_bool(true));
  for (int i = n - 1; i >= 0; i--) {
    if (dims[i]->kind != IMP_CONST) ok = exp_and(l, ok, exp_le(l, int_exp(l, 0), dims[i]));
    count = emit_let(l, "size", imp_mul(l->arena, dims[i], count));
  }
  const ImpExp *old = view_count(l, v);
  if (!imp_exp_same(count, old))
    ok = exp_and(l, ok, imp_op(l->arena, OP_EQ, PRIM_I64, count, old, NULL));
  emit_check(l, ok, shape_format(l, v->rank, n), two_shapes(l, v, n, dims));
}

// A dense array takes any shape; otherwise only a first dimension may be split in two.
void lower_reshape(Lower *l, const Stm *stm) {
  const struct reshape_form *e = &stm->exp.reshape;
  View v = atom_view(l, e->array);
  Type t = var_type(l->prog, stm->bound.at[0]);
  const ImpExp **dims = NEW_ARRAY(l->arena, const ImpExp *, t.rank + 1);
  for (int i = 0; i < t.rank; i++) dims[i] = atom_exp(l, e->dims.at[i]);
  if (!stm->attrs.unchecked) check_reshape(l, &v, t.rank, dims);
  bool split = !v.dense && t.rank == v.rank + 1;
  for (int i = 1; split && i < v.rank; i++) split = imp_exp_same(v.dims[i], dims[i + 1]);
  if (split) {
    View r = v;
    r.rank = t.rank;
    r.dims = dims;
    r.strides = NEW_ARRAY(l->arena, const ImpExp *, t.rank);
    for (int i = 1; i < t.rank; i++) r.strides[i] = v.strides[i - 1];
    r.strides[0] = emit_let(l, "stride", imp_mul(l->arena, dims[1], v.strides[0]));
    bind_view(l, stm->bound.at[0], r);
    return;
  }
  v = view_make_dense(l, &v);
  View r = view_dense(l, v.mem, v.prim, t.rank, dims);
  r.offset = v.offset;
  bind_view(l, stm->bound.at[0], r);
}

void lower_rearrange(Lower *l, const Stm *stm) {
  const struct rearrange_form *e = &stm->exp.rearrange;
  View v = atom_view(l, e->array), r = v;
  r.dims = NEW_ARRAY(l->arena, const ImpExp *, v.rank);
  r.strides = NEW_ARRAY(l->arena, const ImpExp *, v.rank);
  for (int i = 0; i < v.rank; i++) {
    r.dims[i] = v.dims[e->perm.at[i]];
    r.strides[i] = v.strides[e->perm.at[i]];
    r.dense = r.dense && e->perm.at[i] == i;
  }
  bind_view(l, stm->bound.at[0], r);
}

void lower_reverse(Lower *l, const Stm *stm) {
  Atom array = stm->exp.reverse.array;
  if (array.is_var && l->reverse[array.var.id]) {
    bind_view(l, stm->bound.at[0], *l->reverse[array.var.id]);
    return;
  }
  View v = atom_view(l, array);
  bind_view(l, stm->bound.at[0], view_reverse(l, &v));
}

// ---- copies -----------------------------------------------------------------------------------
// The part [from, from + count) of dimension dim.
static View view_range(Lower *l, const View *v, int dim, const ImpExp *from, const ImpExp *count) {
  View r = *v;
  const ImpExp **dims = arena_copy(l->arena, v->dims, sizeof *dims * (size_t)v->rank);
  dims[dim] = count;
  r.dims = dims;
  r.dense = v->dense && dim == 0;
  r.offset =
      emit_let(l, "at", imp_add(l->arena, v->offset, imp_mul(l->arena, from, v->strides[dim])));
  return r;
}

void lower_concat(Lower *l, const Stm *stm) {
  const struct concat_form *e = &stm->exp.concat;
  int dim = (int)e->dim;
  View v = dest_view(l, stm->bound.at[0]);
  const ImpExp *from = int_exp(l, 0);
  for (int i = 0; i < e->arrays.len; i++) {
    View part = atom_view(l, e->arrays.at[i]);
    View place = view_range(l, &v, dim, from, part.dims[dim]);
    copy_view(l, &place, &part);
    from = emit_let(l, "from", imp_add(l->arena, from, part.dims[dim]));
  }
  bind_view(l, stm->bound.at[0], v);
}

// result[i] = array[(i + by) mod n]: the parts before and after the turning point.
void lower_rotate(Lower *l, const Stm *stm) {
  const struct rotate_form *e = &stm->exp.rotate;
  View v = dest_view(l, stm->bound.at[0]), from = atom_view(l, e->array);
  const ImpExp *n = from.dims[0];
  const ImpExp *by =
      emit_let(l, "by", imp_op(l->arena, OP_MOD, PRIM_I64, atom_exp(l, e->by), n, NULL));
  // n = 0: mod by zero gives the dividend; nothing is copied either way.
  const ImpExp *none = imp_op(l->arena, OP_EQ, PRIM_I64, n, int_exp(l, 0), NULL);
  by = emit_let(l, "by", imp_op(l->arena, OP_SELECT, PRIM_I64, none, int_exp(l, 0), by));
  const ImpExp *rest = emit_let(l, "rest", imp_sub(l->arena, n, by));
  View to_a = view_range(l, &v, 0, int_exp(l, 0), rest);
  View from_a = view_range(l, &from, 0, by, rest);
  copy_view(l, &to_a, &from_a);
  View to_b = view_range(l, &v, 0, rest, by), from_b = view_range(l, &from, 0, int_exp(l, 0), by);
  copy_view(l, &to_b, &from_b);
  bind_view(l, stm->bound.at[0], v);
}
