// Indexing, slicing and updating arrays.  An array of elements with several leaves is several
// core arrays; one bounds check serves all of them.
#include <string.h>
#include "local.h"

// ---- slices ---------------------------------------------------------------------------------
// The selection of an index list from an array of the given dimensions.
typedef struct {
  Slice slice;
  Atoms counts;      // sizes of the ranges
  Atom ok;           // all ranges in bounds; indices leave their check to core when !checked
  bool ranges;       // not only indices
  bool checked;      // there was a range to check
  Text message;
  Atoms shown;       // for the message's %d
} Cut;

static Atom op2(Elab *e, Op op, Atom a, Atom b) { return emit_op(e, op, a, b); }
static Atom both(Elab *e, Atom a, Atom b) { return op2(e, OP_AND, a, b); }

static void show(Elab *e, Cut *c, Atom a) {
  text_puts(&c->message, "%d");
  list_push(e->arena, &c->shown, a);
}

static Atom index_i64(Elab *e, const Expr *exp, const Env *env) {
  return exp ? build_conv(&e->b, PRIM_I64, eval_scalar(e, exp, env)) : blank();
}

Places places_eval(Elab *e, const IndexList *index, const Env *env) {
  Places out = {0};
  for (int k = 0; k < index->len; k++) {
    const Index *ix = &index->at[k];
    Place p = {.is_fix = ix->tag == INDEX_FIX};
    p.i = index_i64(e, ix->i, env);
    p.j = index_i64(e, ix->j, env);
    p.s = index_i64(e, ix->s, env);
    list_push(e->arena, &out, p);
  }
  return out;
}

static void cut_fix(Elab *e, Cut *c, const Place *p, Atom dim) {
  Atom i = p->i;
  show(e, c, i);
  if (c->ranges)
    c->ok = both(e, c->ok,
                 both(e, op2(e, OP_LE, atom_i64(0), i), op2(e, OP_LT, i, dim)));
  list_push(e->arena, &c->slice, (SliceDim){.is_fix = true, .start = i});
}

// i:j with stride 1: in bounds iff empty or 0 <= i <= j <= d.
static void cut_plain(Elab *e, Cut *c, Atom i, Atom j, Atom dim) {
  Atom count = op2(e, OP_SUB, j, i);
  bool from_zero = atom_is(i, 0), to_end = atom_same(j, dim);
  list_push(e->arena, &c->slice, (SliceDim){.start = i, .count = count, .stride = atom_i64(1)});
  list_push(e->arena, &c->counts, count);
  if (count.is_var) fact(e, count.var)->is_size = true;
  if (from_zero && to_end) return;
  c->checked = true;
  Atom ok = op2(e, OP_LE, i, j);
  if (!from_zero) ok = both(e, op2(e, OP_LE, atom_i64(0), i), ok);
  if (!to_end) ok = both(e, ok, op2(e, OP_LE, j, dim));
  if (!from_zero && !to_end) ok = op2(e, OP_OR, ok, op2(e, OP_EQ, i, j));
  c->ok = both(e, c->ok, ok);
}

// Number of elements of i:j:s, ((j - i) + (s - sgn s)) quot s, and the general bounds condition.
static void cut_strided(Elab *e, Cut *c, Atom i, Atom j, Atom s, Atom dim) {
  Atom sgn = build_op1(&e->b, OP_SGN, s), zero = atom_i64(0);
  Atom nonzero = op2(e, OP_NE, s, zero);
  Atom safe = build_select(&e->b, nonzero, s, atom_i64(1));
  Atom n = op2(e, OP_QUOT, op2(e, OP_ADD, op2(e, OP_SUB, j, i), op2(e, OP_SUB, s, sgn)), safe);
  Atom last = op2(e, OP_ADD, i, op2(e, OP_MUL, op2(e, OP_SUB, n, atom_i64(1)), s));
  Atom inside = both(e, both(e, op2(e, OP_LE, zero, i), op2(e, OP_LT, i, dim)),
                     both(e, op2(e, OP_LE, zero, last), op2(e, OP_LT, last, dim)));
  Atom ok = op2(e, OP_OR, op2(e, OP_EQ, n, zero), both(e, op2(e, OP_LT, zero, n), inside));
  c->ok = both(e, c->ok, both(e, nonzero, ok));
  c->checked = true;
  if (n.is_var) fact(e, n.var)->is_size = true;
  list_push(e->arena, &c->slice, (SliceDim){.start = i, .count = n, .stride = s});
  list_push(e->arena, &c->counts, n);
}

static void cut_range(Elab *e, Cut *c, const Place *p, Atom dim) {
  bool has_i = !is_blank(p->i), has_j = !is_blank(p->j), has_s = !is_blank(p->s);
  Atom s = has_s ? p->s : atom_i64(1);
  Atom down = op2(e, OP_LT, s, atom_i64(0));
  Atom end = atom_is(down, 0) ? dim : op2(e, OP_SUB, dim, atom_i64(1));
  Atom i = has_i ? p->i : build_select(&e->b, down, end, atom_i64(0));
  Atom j = has_j ? p->j : build_select(&e->b, down, atom_i64(-1), dim);
  if (has_i || !has_j) show(e, c, i);
  text_putc(&c->message, ':');
  if (has_j || !has_i) show(e, c, j);
  if (has_s) {
    text_putc(&c->message, ':');
    show(e, c, s);
  }
  if (atom_is(s, -1) && !has_i && !has_j) {
    list_push(e->arena, &c->slice, (SliceDim){.start = i, .count = dim, .stride = s});
    list_push(e->arena, &c->counts, dim);
  } else if (atom_is(s, 1)) {
    cut_plain(e, c, i, j, dim);
  } else {
    cut_strided(e, c, i, j, s, dim);
  }
}

static Cut cut(Elab *e, const Places *places, const Atom *dims) {
  Cut c = {.ok = atom_bool(true)};
  for (int k = 0; k < places->len; k++) c.ranges = c.ranges || !places->at[k].is_fix;
  text_puts(&c.message, "Index [");
  for (int k = 0; k < places->len; k++) {
    if (k) text_puts(&c.message, ", ");
    if (places->at[k].is_fix) cut_fix(e, &c, &places->at[k], dims[k]);
    else cut_range(e, &c, &places->at[k], dims[k]);
  }
  text_puts(&c.message, "] out of bounds for array of shape ");
  for (int k = 0; k < places->len; k++) {
    text_puts(&c.message, "[");
    show(e, &c, dims[k]);
    text_puts(&c.message, "]");
  }
  text_puts(&c.message, ".");
  return c;
}

static void cut_check(Elab *e, Cut *c) {
  if (c->checked) emit_assert(e, c->ok, arena_strdup(e->arena, c->message.at), c->shown);
  text_free(&c->message);
}

static bool is_full(const Cut *c, const Atom *dims) {
  for (int k = 0; k < c->slice.len; k++) {
    const SliceDim *d = &c->slice.at[k];
    if (d->is_fix || !atom_is(d->start, 0) || !atom_same(d->count, dims[k]) ||
        !atom_is(d->stride, 1))
      return false;
  }
  return true;
}

static bool is_reverse(const Cut *c) {
  return c->slice.len == 1 && !c->slice.at[0].is_fix && atom_is(c->slice.at[0].stride, -1) &&
         !c->checked;
}

static Atom leaf_cut(Elab *e, Atom array, const Cut *c, bool unchecked) {
  if (is_full(c, dims_of(e, array).at)) return array;
  if (is_reverse(c))
    return emit_view(e, base_of(e, array), atom_type(e->prog, array),
                     (Exp){.form = FORM_REVERSE, .reverse = {array}}, array);
  return emit_index(e, array, c->slice, unchecked, c->counts.len, c->counts.at);
}

static Val *hole_like(Elab *e, const Sem *sem) {
  Val *v = val_new(e, VAL_HOLE);
  v->hole.sem = sem;
  return v;
}

static const Sem *cut_sem(Elab *e, const Sem *elem, const Places *places) {
  for (int k = places->len - 1; k >= 0; k--)
    if (!places->at[k].is_fix) elem = sem_array(e, elem, blank());
  return elem;
}

Val *array_index(Elab *e, const Val *array, const Places *places, Span span) {
  const Sem *elem = sem_peel(val_sem(e, array), places->len);
  const Sem *sem = cut_sem(e, elem, places);
  if (array->tag == VAL_HOLE) return hole_like(e, sem);
  Atoms dims = dims_of(e, array->array.leaves.at[0]);
  at(e, span);
  Cut c = cut(e, places, dims.at);
  cut_check(e, &c);
  Atoms leaves = {0};
  for (int i = 0; i < array->array.leaves.len; i++)
    list_push(e->arena, &leaves,
              leaf_cut(e, array->array.leaves.at[i], &c, c.checked || e->in_unsafe));
  return val_build(e, sem, leaves.at);
}

Val *array_row(Elab *e, const Val *array, Atom i, bool unchecked) {
  if (array->tag == VAL_HOLE) return hole_like(e, sem_peel(array->hole.sem, 1));
  Slice slice = {0};
  list_push(e->arena, &slice, (SliceDim){.is_fix = true, .start = i});
  Atoms leaves = {0};
  for (int k = 0; k < array->array.leaves.len; k++)
    list_push(e->arena, &leaves,
              emit_index(e, array->array.leaves.at[k], slice, unchecked, 0, NULL));
  return val_build(e, array->array.elem, leaves.at);
}

PlacePath path_eval(Elab *e, const StepList *path, const Env *env) {
  PlacePath out = {0};
  for (int i = 0; i < path->len; i++) {
    const Step *step = &path->at[i];
    PlaceStep s = {0};
    if (step->tag == STEP_FIELD) s.field = step->field;
    else s.places = places_eval(e, &step->index, env);
    list_push(e->arena, &out, s);
  }
  return out;
}

// ---- update ---------------------------------------------------------------------------------

// A part of an array: a slice of the leaves from .. from + len - 1.
typedef struct {
  Cut cut;
  const Sem *sem;    // of the part's elements
  int from, len;
} Focus;

static int leaf_count(Elab *e, const Sem *sem) {
  Leaves leaves = {0};
  sem_leaves(e, sem, &leaves);
  return leaves.len;
}

static void focus_field(Elab *e, Focus *f, Name field) {
  check(f->sem->tag == SEM_RECORD);
  for (int i = 0; i < f->sem->len; i++) {
    if (f->sem->names[i] == field) {
      f->sem = f->sem->fields[i];
      f->len = leaf_count(e, f->sem);
      return;
    }
    f->from += leaf_count(e, f->sem->fields[i]);
  }
  ice("no field %s", field);
}

static void focus_index(Elab *e, Focus *f, const Val *array, const Places *places, Span span) {
  Atoms dims = dims_of(e, array->array.leaves.at[f->from]);
  Cut more = cut(e, places, dims.at + f->cut.slice.len);
  cut_check(e, &more);
  if (f->cut.counts.len > 0)
    diag_unsupported(e->diag, span, "an update of a part of a slice");
  for (int k = 0; k < more.slice.len; k++)
    list_push(e->arena, &f->cut.slice, more.slice.at[k]);
  f->cut.counts = more.counts;
  f->cut.checked = f->cut.checked || more.checked;
  f->sem = sem_peel(f->sem, places->len);
}

static Val *focus_write(Elab *e, const Focus *f, const Val *array, Val *value) {
  Atoms leaves = atoms_of(e->arena, array->array.leaves.len, array->array.leaves.at);
  Types types = {0};
  for (int i = 0; i < f->len; i++) {
    Type t = type_peel(atom_type(e->prog, leaves.at[f->from + i]), f->cut.slice.len);
    Atoms dims = atoms_of(e->arena, f->cut.counts.len, f->cut.counts.at);
    list_push(e->arena, &types, type_array_dims(e->arena, t, dims));
  }
  Atoms values = leaves_as(e, value, types,
                           "Shape of slice does not match shape of value: [%d] and [%d].");
  for (int i = 0; i < f->len; i++) {
    Atom old = leaves.at[f->from + i];
    Exp exp = {.form = FORM_UPDATE, .update = {old, f->cut.slice, values.at[i]}};
    Attrs attrs = e->b.attrs;
    e->b.attrs.unchecked = attrs.unchecked || f->cut.checked || e->in_unsafe;
    consume(e, old);
    leaves.at[f->from + i] = emit(e, base_of(e, old), atom_type(e->prog, old), exp);
    e->b.attrs = attrs;
  }
  return val_array(e, array->array.elem, leaves);
}

// src with the part at path[from ..] replaced.
Val *path_update(Elab *e, const PlacePath *path, int from, Val *src, Val *value, Span span) {
  if (from == path->len) return value;
  const PlaceStep *step = &path->at[from];
  if (step->field) {
    check(src->tag == VAL_RECORD);
    Val **fields = NEW_ARRAY(e->arena, Val *, src->record.len);
    for (int i = 0; i < src->record.len; i++)
      fields[i] = src->record.names[i] == step->field
                      ? path_update(e, path, from + 1, src->record.at[i], value, span)
                      : src->record.at[i];
    return val_record(e, src->record.len, src->record.names, fields);
  }
  if (src->tag == VAL_HOLE) return src;
  check(src->tag == VAL_ARRAY);
  Focus f = {.sem = val_sem(e, src), .len = src->array.leaves.len};
  for (; from < path->len; from++) {
    if (path->at[from].field) focus_field(e, &f, path->at[from].field);
    else focus_index(e, &f, src, &path->at[from].places, span);
  }
  return focus_write(e, &f, src, value);
}

// ---- literals -------------------------------------------------------------------------------

// Constant arrays, nested ones included, are one block of data.
static Atom constant_leaf(Elab *e, Data data, Atoms dims) {
  Atom n = atom_i64(data.len);
  Exp exp = {.form = FORM_CONSTANT, .constant = {data}};
  Atom flat = emit(e, "lit", type_array(e->arena, type_scalar(data.prim), n), exp);
  Atom out = emit_reshape(e, flat, dims);
  map_put(e->data, out.var.id, arena_copy(e->arena, &data, sizeof data));
  return out;
}

static const Data *data_of(Elab *e, Atom row) {
  return row.is_var && !is_blank(row) ? map_get(e->data, row.var.id) : NULL;
}

static bool constant_rows(Elab *e, Atoms rows, Type t, Data *out) {
  int64_t each = 1;
  for (int k = 0; k < t.rank; k++) {
    if (t.dims[k].is_var) return false;
    each *= t.dims[k].value.i;
  }
  for (int i = 0; i < rows.len; i++) {
    const Data *d = data_of(e, rows.at[i]);
    if (t.rank == 0 ? rows.at[i].is_var : !d || d->len != each) return false;
  }
  Scalar *all = NEW_ARRAY(e->arena, Scalar, each * rows.len);
  for (int i = 0; i < rows.len; i++) {
    if (t.rank == 0) all[i] = rows.at[i].value;
    else memcpy(all + i * each, data_of(e, rows.at[i])->at, sizeof *all * (size_t)each);
  }
  *out = (Data){t.prim, each * rows.len, all};
  return out->len > 0;
}

static Atom literal_leaf(Elab *e, Atoms rows) {
  Type t = {0};
  bool found = false;
  for (int i = 0; i < rows.len && !found; i++)
    if (!is_blank(rows.at[i])) t = atom_type(e->prog, rows.at[i]), found = true;
  Type type = type_array(e->arena, t, atom_i64(rows.len));
  Data data;
  if (constant_rows(e, rows, t, &data))
    return constant_leaf(e, data, atoms_of(e->arena, type.rank, type.dims));
  for (int i = 0; i < rows.len; i++) {
    Atoms dims = atoms_of(e->arena, t.rank, t.dims);
    if (is_blank(rows.at[i]))
      rows.at[i] = leaf_zero(e, (Leaf){t.prim, t.rank, false, t.dims, false});
    else if (t.rank > 0)
      rows.at[i] = emit_shaped(e, rows.at[i], dims,
                               "shape of element differs from shape of first element: %d and %d");
  }
  Exp exp = {.form = FORM_LITERAL, .literal = {t.prim, rows}};
  return emit(e, "lit", type, exp);
}

static Atom unit_array(Elab *e, Atom n) {
  return build_replicate(&e->b, atom_list1(e, n), atom_scalar((Scalar){.prim = PRIM_UNIT}));
}

Val *array_literal(Elab *e, Vals rows, const Sem *elem) {
  if (rows.len == 0) return val_zero(e, sem_array(e, elem, atom_i64(0)));
  Atoms *all = NEW_ARRAY(e->arena, Atoms, rows.len);
  const Sem *sem = val_sem(e, rows.at[0]);
  for (int i = 0; i < rows.len; i++) {
    if (sem->tag != SEM_SUM) sem = val_sem(e, rows.at[i]);
    val_leaves(e, rows.at[i], &all[i]);
  }
  Atoms leaves = {0};
  for (int k = 0; k < all[0].len; k++) {
    Atoms column = {0};
    bool any = false;
    for (int i = 0; i < rows.len; i++) {
      list_push(e->arena, &column, all[i].at[k]);
      any = any || !is_blank(all[i].at[k]);
    }
    Leaves types = {0};
    if (!any) {
      sem_leaves(e, sem, &types);
      column.at[0] = leaf_zero(e, types.at[k]);
    }
    list_push(e->arena, &leaves, literal_leaf(e, column));
  }
  if (leaves.len == 0) list_push(e->arena, &leaves, unit_array(e, atom_i64(rows.len)));
  return val_array(e, sem, leaves);
}
