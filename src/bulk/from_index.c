// Reading and writing at indices.
//
// A slice is a list of places, one for each dimension: a value with axes.  A range of a slice is a
// further axis, innermost, which becomes a dimension of the result afterwards.  A place that is the
// line u + c i of one axis reads by a slice along that axis; other places gather.
//
//   x : (X, A)  e1 .. em : E     X[.., e1 .., em, ..] = (gather X e.., A u E)
//
// Statements in a nest run although the nest may be empty: there, slices only stand where no
// iteration need exist for them to be in bounds, and gathers clamp.
#include "local.h"

typedef struct {
  Value at[32];
  int len;
  AxisSet ranges;  // axes pushed for ranges
  int pushed;
} Places;

static Places places_of(Translation *t, Slice slice) {
  Places p = {0};
  for (int i = 0; i < slice.len; i++) {
    const SliceDim *d = &slice.at[i];
    if (d->is_fix) {
      p.at[p.len++] = value_get(t, d->start);
      continue;
    }
    axis_push(t, value_size(t, d->count));
    p.ranges |= axis_bit(t->depth - 1), p.pushed++;
    Line *line = NEW(t->prog->arena, Line);
    line->base = atom_i64(0), line->factor[t->depth - 1] = 1;
    Atom stride = value_scalar(t, d->stride, "the stride of a slice");
    Value start = value_get(t, d->start), step = {.line = line};
    const Line *from = line_of(t, start);
    if (from && !stride.is_var) {
      const Line *scaled = line_scale(t, line, stride.value.i);
      p.at[p.len++] = (Value){.line = line_combine(t, from, scaled, 1)};
      continue;
    }
    AxisSet all = value_axes(start) | axis_bit(t->depth - 1);
    Atom far = bulk_op(&t->b, OP_MUL, value_lift(t, step, all),
                       value_lift(t, value_uniform(stride), all));
    Atom sum = bulk_op(&t->b, OP_ADD, value_lift(t, start, all), far);
    p.at[p.len++] = (Value){.atom = sum, .axes = all, .made = true};
  }
  return p;
}

static void places_end(Translation *t, Places *p) {
  for (; p->pushed > 0; p->pushed--) axis_pop(t);
}

// The one axis of a line, -1: none or several.
static int single_axis(const Line *line) {
  int found = -1;
  for (int k = 0; k < MAX_NEST; k++) {
    if (!line->factor[k]) continue;
    if (found >= 0) return -1;
    found = k;
  }
  return found;
}

static bool is_whole(Translation *t, const Line *line, int axis, Atom n) {
  return atom_is(line->base, 0) && line->factor[axis] == 1 && atom_same(t->widths[axis], n);
}

static bool constant_inside(Atom at, Atom n) {
  return !at.is_var && !n.is_var && at.value.i >= 0 && at.value.i < n.value.i;
}

// ---- slices along axes
typedef struct {
  Slice slice;
  int axis_of[64];  // by dimension of the sliced array before transposition; -1: own
  AxisSet axes;
  bool needs_check;
  Places rest;      // what still gathers, in the order of dimensions
} Split;

// Whether iterations that need not exist could read out of bounds.
static bool executed_always(Translation *t, AxisSet used) {
  return !t->masked && used == axis_bit(t->depth) - 1;
}

static bool take_line(Translation *t, Split *s, Value place, Atom n, AxisSet lines) {
  const Line *line = line_of(t, place);
  int axis = line ? single_axis(line) : -1;
  if (axis < 0 || (s->axes & axis_bit(axis))) return false;
  bool whole = is_whole(t, line, axis, n);
  if (!whole && !executed_always(t, lines)) return false;
  s->needs_check = s->needs_check || !whole;
  list_push(t->prog->arena, &s->slice,
            (SliceDim){.start = line->base, .count = t->widths[axis],
                       .stride = atom_i64(line->factor[axis])});
  s->axes |= axis_bit(axis);
  s->axis_of[s->slice.len - 1] = axis;
  return true;
}

static bool take_uniform(Translation *t, Split *s, Value place, Atom n) {
  if (!value_is_uniform(place)) return false;
  value_make(t, &place);
  bool inside = constant_inside(place.atom, n);
  if (!inside && (t->depth > 0 || t->masked)) return false;
  s->needs_check = s->needs_check || !inside;
  list_push(t->prog->arena, &s->slice, (SliceDim){.is_fix = true, .start = place.atom});
  return true;
}

static AxisSet line_axes(Translation *t, const Places *p, AxisSet from) {
  for (int i = 0; i < p->len; i++) {
    const Line *line = line_of(t, p->at[i]);
    int axis = line ? single_axis(line) : -1;
    if (axis >= 0) from |= axis_bit(axis);
  }
  return from;
}

static Split split_places(Translation *t, Value x, const Places *p) {
  Split s = {.axes = x.axes};
  int n = axes_len(x.axes);
  Type type = atom_type(t->prog, x.atom), lead = type;
  lead.rank = n;
  s.slice = slice_whole(t->prog->arena, lead, 0);
  for (int k = 0, d = 0; d < n; k++)
    if (x.axes & axis_bit(k)) s.axis_of[d++] = k;
  AxisSet lines = line_axes(t, p, x.axes);
  for (int i = 0; i < p->len; i++) {
    Atom size = type.dims[n + i];
    if (take_line(t, &s, p->at[i], size, lines) || take_uniform(t, &s, p->at[i], size)) continue;
    list_push(t->prog->arena, &s.slice,
              (SliceDim){.start = atom_i64(0), .count = size, .stride = atom_i64(1)});
    s.axis_of[s.slice.len - 1] = -1;
    s.rest.at[s.rest.len++] = p->at[i];
  }
  Type tail = type;
  for (int d = n + p->len; d < tail.rank; d++) s.axis_of[d] = -1;
  Slice end = slice_whole(t->prog->arena, type, n + p->len);
  for (int i = 0; i < end.len; i++) list_push(t->prog->arena, &s.slice, end.at[i]);
  return s;
}

static bool is_identity(const Slice *slice, Type type) {
  for (int i = 0; i < slice->len; i++) {
    const SliceDim *d = &slice->at[i];
    if (d->is_fix || !atom_is(d->start, 0) || !atom_is(d->stride, 1) ||
        !atom_same(d->count, type.dims[i]))
      return false;
  }
  return true;
}

static Atom slice_apply(Translation *t, Atom x, const Split *s, bool unchecked) {
  Type type = atom_type(t->prog, x);
  if (is_identity(&s->slice, type)) return x;
  Atoms dims = {0};
  for (int i = 0; i < s->slice.len; i++)
    if (!s->slice.at[i].is_fix) list_push(t->prog->arena, &dims, s->slice.at[i].count);
  BulkExp exp = {.form = BULK_SLICE, .slice = s->slice, .args = atoms_one(t, x)};
  Atom r = bulk_emit(&t->b, "slice",
                     type_array_dims(t->prog->arena, type_scalar(type.prim), dims), exp);
  t->b.stms->at[t->b.stms->len - 1].unchecked = unchecked || !s->needs_check;
  return r;
}

// Axes in nest order in front, then what is left, in order.
static Value axes_forward(Translation *t, Atom x, const Split *s) {
  int64_t perm[64];
  int n = 0, dims = 0, kept[64];
  for (int i = 0; i < s->slice.len; i++)
    if (!s->slice.at[i].is_fix) kept[dims++] = s->axis_of[i];
  for (int k = 0; k < t->depth; k++)
    for (int d = 0; d < dims; d++)
      if (kept[d] == k) perm[n++] = d;
  for (int d = 0; d < dims; d++)
    if (kept[d] < 0) perm[n++] = d;
  return (Value){.atom = bulk_transpose(&t->b, x, perm), .axes = s->axes, .made = true};
}

// ---- gathers
static Atom in_range(Translation *t, Atom at, Atom n) {
  Atom low = bulk_op(&t->b, OP_LE, atom_i64(0), at), high = bulk_op(&t->b, OP_LT, at, n);
  return bulk_op(&t->b, OP_AND, low, high);
}

static void places_check(Translation *t, const Places *p, const Atom *sizes) {
  for (int i = 0; i < p->len; i++) {
    Value at = p->at[i];
    value_make(t, &at);
    Value fine = {.atom = in_range(t, at.atom, sizes[i]), .axes = at.axes, .made = true};
    assert_all(t, fine, "Index out of bounds.", (Atoms){0});
  }
}

// The index array with the axes of `first` in front of the others of `all`.
static Atom place_array(Translation *t, Value at, AxisSet all, AxisSet first) {
  Atom x = value_lift(t, at, all);
  int64_t perm[64];
  int n = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < t->depth; k++)
      if ((all & axis_bit(k)) && ((first & axis_bit(k)) != 0) == (pass == 0))
        perm[n++] = axes_before(all, k);
  return bulk_transpose(&t->b, x, perm);
}

// x with the axes of `batch` in front, then the indexed dimensions, then its other axes.
static Atom batch_forward(Translation *t, Value x, AxisSet batch, int indexed) {
  int64_t perm[64];
  int n = 0, axes = axes_len(x.axes), rank = atom_type(t->prog, x.atom).rank;
  for (int k = 0; k < t->depth; k++)
    if (x.axes & batch & axis_bit(k)) perm[n++] = axes_before(x.axes, k);
  for (int d = 0; d < indexed; d++) perm[n++] = axes + d;
  for (int k = 0; k < t->depth; k++)
    if (x.axes & ~batch & axis_bit(k)) perm[n++] = axes_before(x.axes, k);
  for (int d = axes + indexed; d < rank; d++) perm[n++] = d;
  return bulk_transpose(&t->b, x.atom, perm);
}

// Dimensions [batch][all \ batch][others of x][own] to nest order.
static Atom nest_order(Translation *t, Atom r, AxisSet batch, AxisSet all, AxisSet x) {
  int64_t perm[64];
  int n = 0, rank = atom_type(t->prog, r).rank, have[64], len = 0;
  for (int k = 0; k < t->depth; k++)
    if (batch & axis_bit(k)) have[len++] = k;
  for (int k = 0; k < t->depth; k++)
    if (all & ~batch & axis_bit(k)) have[len++] = k;
  for (int k = 0; k < t->depth; k++)
    if (x & ~batch & axis_bit(k)) have[len++] = k;
  for (int k = 0; k < t->depth; k++)
    for (int d = 0; d < len; d++)
      if (have[d] == k) perm[n++] = d;
  for (int d = len; d < rank; d++) perm[n++] = d;
  return bulk_transpose(&t->b, r, perm);
}

static Value gather_places(Translation *t, Value x, const Places *p, bool unchecked) {
  AxisSet all = p->ranges;
  for (int i = 0; i < p->len; i++) all |= value_axes(p->at[i]);
  AxisSet batch = x.axes & all;
  Atoms index = {0};
  for (int i = 0; i < p->len; i++)
    list_push(t->prog->arena, &index, place_array(t, p->at[i], all, batch));
  Atom from = batch_forward(t, x, batch, p->len);
  Atom r = bulk_gather(&t->b, from, axes_len(batch), index);
  BulkStm *stm = &t->b.stms->at[t->b.stms->len - 1];
  stm->exp.flag = !executed_always(t, (all | x.axes) & (axis_bit(t->depth) - 1));
  stm->unchecked = unchecked;
  return (Value){.atom = nest_order(t, r, batch, all, x.axes), .axes = x.axes | all, .made = true};
}

static Value read_places(Translation *t, Value x, const Places *p, bool unchecked) {
  Split s = split_places(t, x, p);
  Atom sizes[32];
  Value v = axes_forward(t, slice_apply(t, x.atom, &s, unchecked), &s);
  if (!s.rest.len) return v;
  Type type = atom_type(t->prog, v.atom);
  for (int i = 0; i < s.rest.len; i++) sizes[i] = type.dims[axes_len(v.axes) + i];
  if (!unchecked) places_check(t, &s.rest, sizes);
  for (int i = 0; i < s.rest.len; i++) s.rest.ranges |= value_axes(s.rest.at[i]) & p->ranges;
  return gather_places(t, v, &s.rest, unchecked);
}

void from_index(Translation *t, const Stm *stm) {
  const struct index_form *e = &stm->exp.index;
  Value x = value_get(t, e->array);
  value_make(t, &x);
  Places p = places_of(t, e->slice);
  Value v = read_places(t, x, &p, stm->attrs.unchecked);
  check((v.axes & p.ranges) == p.ranges);
  v.axes &= ~p.ranges;
  places_end(t, &p);
  value_bind(t, stm->bound.at[0], v);
}

// ---- writing
Atom put_values(Translation *t, PutPlace place, Atoms index, Atom value) {
  if (t->masked) {
    AxisSet all = place.axes;
    Atom m = value_lift(t, t->mask, all);
    Atom off = value_lift(t, value_uniform(atom_i64(-1)), all);
    index.at[0] = bulk_select(&t->b, m, index.at[0], off);
  }
  Operator op = {.op = (Lambda *)place.op, .neutral = place.neutral};
  list_push(t->prog->arena, &index, value);
  return bulk_put(&t->b, place.dest, axes_len(place.batch), op, index);
}

static Value write_places(Translation *t, Value x, const Places *p, Value v, bool unchecked) {
  AxisSet axes = x.axes | v.axes | (t->masked ? t->mask.axes : 0);
  for (int i = 0; i < p->len; i++) axes |= value_axes(p->at[i]);
  axes &= ~p->ranges;
  AxisSet all = axes | p->ranges;
  Atom dest = value_lift(t, x, axes);
  Atoms index = {0};
  Type type = atom_type(t->prog, dest);
  Atom sizes[32];
  for (int i = 0; i < p->len; i++) sizes[i] = type.dims[axes_len(axes) + i];
  if (!unchecked) places_check(t, p, sizes);
  for (int i = 0; i < p->len; i++)
    list_push(t->prog->arena, &index, value_lift(t, p->at[i], all));
  PutPlace place = {.dest = dest, .batch = axes, .axes = all};
  Atom r = put_values(t, place, index, value_lift(t, v, axes));
  return (Value){.atom = r, .axes = axes, .made = true};
}

static bool all_uniform(const Places *p) {
  for (int i = 0; i < p->len; i++)
    if (value_axes(p->at[i]) & ~p->ranges) return false;
  return true;
}

static Slice slice_outside(Translation *t, Slice slice) {
  Slice out = {0};
  for (int i = 0; i < slice.len; i++) {
    SliceDim d = slice.at[i];
    d.start = value_scalar(t, d.start, "an index");
    if (!d.is_fix) {
      d.count = value_size(t, d.count);
      d.stride = value_scalar(t, d.stride, "the stride of a slice");
    }
    list_push(t->prog->arena, &out, d);
  }
  return out;
}

void from_update(Translation *t, const Stm *stm) {
  const struct update_form *e = &stm->exp.update;
  Value x = value_get(t, e->array), v = value_get(t, e->value);
  value_make(t, &v);
  Places p = places_of(t, e->slice);
  if (t->depth - p.pushed == 0 && all_uniform(&p)) {
    places_end(t, &p);
    Atoms args = atoms_of(t->prog->arena, 2, (Atom[]){x.atom, v.atom});
    BulkExp exp = {.form = BULK_UPDATE, .slice = slice_outside(t, e->slice), .args = args};
    Atom r = bulk_emit(&t->b, "update", atom_type(t->prog, x.atom), exp);
    t->b.stms->at[t->b.stms->len - 1].unchecked = stm->attrs.unchecked;
    value_bind(t, stm->bound.at[0], value_uniform(r));
    return;
  }
  Value r = write_places(t, x, &p, v, stm->attrs.unchecked);
  places_end(t, &p);
  value_bind(t, stm->bound.at[0], r);
}

// ---- flat slices: offset + sum of stride * position, counted in rows
static Places flat_places(Translation *t, Atom offset, Atoms counts, Atoms strides) {
  Places p = {0};
  Value sum = value_get(t, offset);
  for (int i = 0; i < strides.len; i++) {
    axis_push(t, value_size(t, counts.at[i]));
    p.ranges |= axis_bit(t->depth - 1), p.pushed++;
    Line *line = NEW(t->prog->arena, Line);
    line->base = atom_i64(0), line->factor[t->depth - 1] = 1;
    Value stride = value_get(t, strides.at[i]), one = {.line = line};
    AxisSet all = value_axes(stride) | value_axes(sum) | axis_bit(t->depth - 1);
    Atom far = bulk_op(&t->b, OP_MUL, value_lift(t, one, all), value_lift(t, stride, all));
    sum = (Value){.atom = bulk_op(&t->b, OP_ADD, value_lift(t, sum, all), far), .axes = all,
                  .made = true};
  }
  p.at[p.len++] = sum;
  return p;
}

void from_flatindex(Translation *t, const Stm *stm) {
  const struct flatindex_form *e = &stm->exp.flatindex;
  Value x = value_get(t, e->array);
  value_make(t, &x);
  Places p = flat_places(t, e->offset, e->counts, e->strides);
  Atom size = atom_type(t->prog, x.atom).dims[axes_len(x.axes)];
  if (!stm->attrs.unchecked) places_check(t, &p, &size);
  Value v = gather_places(t, x, &p, stm->attrs.unchecked);
  v.axes &= ~p.ranges;
  places_end(t, &p);
  value_bind(t, stm->bound.at[0], v);
}

void from_flatupdate(Translation *t, const Stm *stm) {
  const struct flatupdate_form *e = &stm->exp.flatupdate;
  Value x = value_get(t, e->array), v = value_get(t, e->value);
  value_make(t, &v);
  Type own = value_type(t, v);
  Atoms counts = atoms_of(t->prog->arena, e->strides.len, own.dims);
  Places p = flat_places(t, e->offset, counts, e->strides);
  Value r = write_places(t, x, &p, v, stm->attrs.unchecked);
  places_end(t, &p);
  value_bind(t, stm->bound.at[0], r);
}
