// The elements of x that an array of the source is made of, by its index expressions.
// Columns are i64 computed outside g; two that are the same sum of the same variables are one.
#include "jacobian.h"

enum { SUM_TERMS = 8, SUM_DEPTH = 12 };

static Arena *arena_of(const Jac *b) { return b->pre.prog->arena; }

JacAccess *jac_access(const Jac *b, Atom source) {
  return source.is_var ? map_get(b->views, source.var.id) : NULL;
}

void jac_access_set(Jac *b, Var source, JacAccess view) {
  map_put(b->views, source.id, arena_copy(arena_of(b), &view, sizeof view));
}

// ---- sums
// k + sum of c_i v_i w_i, followed through definitions by additions and products; w_i may be
// absent.
typedef struct {
  Atom v, w;
  int64_t c;
} SumTerm;
typedef struct {
  bool ok;
  int64_t k;
  int n;
  SumTerm at[SUM_TERMS];
} Sum;

const Exp *blocks_definition(const Jac *b, Var v) {
  for (int i = b->outside.len - 1; i >= 0; i--) {
    const Stms *stms = b->outside.at[i];
    for (int k = stms->len - 1; k >= 0; k--)
      if (stms->at[k].bound.len == 1 && stms->at[k].bound.at[0].id == v.id)
        return &stms->at[k].exp;
  }
  return NULL;
}

static int64_t product(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }
static int64_t plus(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

static bool same_factors(const SumTerm *a, const SumTerm *b) {
  if (atom_absent(a->w) || atom_absent(b->w))
    return atom_absent(a->w) && atom_absent(b->w) && atom_same(a->v, b->v);
  return (atom_same(a->v, b->v) && atom_same(a->w, b->w)) ||
         (atom_same(a->v, b->w) && atom_same(a->w, b->v));
}

static void sum_term(Sum *s, SumTerm t) {
  int i = 0;
  while (i < s->n && !same_factors(&s->at[i], &t)) i++;
  if (i == SUM_TERMS) {
    s->ok = false;
    return;
  }
  if (i == s->n) s->at[s->n++] = (SumTerm){t.v, t.w, 0};
  s->at[i].c = plus(s->at[i].c, t.c);
  if (s->at[i].c == 0) s->at[i] = s->at[--s->n];
}

static void sum_add(const Jac *b, Sum *s, Atom a, int64_t c, int depth);

// c x y, multiplied out; false where that has products of three.
static bool sum_multiply(const Jac *b, Sum *s, Atom x, Atom y, int64_t c, int depth) {
  Sum p = {.ok = true}, q = {.ok = true};
  sum_add(b, &p, x, c, depth), sum_add(b, &q, y, 1, depth);
  bool good = p.ok && q.ok;
  for (int i = 0; i < p.n && q.n; i++) good = good && atom_absent(p.at[i].w);
  for (int i = 0; i < q.n && p.n; i++) good = good && atom_absent(q.at[i].w);
  if (!good) return false;
  s->k = plus(s->k, product(p.k, q.k));
  for (int i = 0; i < p.n; i++)
    sum_term(s, (SumTerm){p.at[i].v, p.at[i].w, product(p.at[i].c, q.k)});
  for (int i = 0; i < q.n; i++) {
    sum_term(s, (SumTerm){q.at[i].v, q.at[i].w, product(q.at[i].c, p.k)});
    for (int k = 0; k < p.n; k++)
      sum_term(s, (SumTerm){p.at[k].v, q.at[i].v, product(p.at[k].c, q.at[i].c)});
  }
  return true;
}

static void sum_add(const Jac *b, Sum *s, Atom a, int64_t c, int depth) {
  if (!a.is_var) {
    s->k = plus(s->k, product(c, a.value.i));
    return;
  }
  const Exp *e = depth < SUM_DEPTH ? blocks_definition(b, a.var) : NULL;
  if (e && e->form == FORM_PRIM && e->prim.prim == PRIM_I64) {
    Atom x = e->prim.args.at[0], y = e->prim.args.len > 1 ? e->prim.args.at[1] : x;
    if (e->prim.op == OP_ADD || e->prim.op == OP_SUB) {
      sum_add(b, s, x, c, depth + 1);
      sum_add(b, s, y, e->prim.op == OP_ADD ? c : product(c, -1), depth + 1);
      return;
    }
    if (e->prim.op == OP_MUL && sum_multiply(b, s, x, y, c, depth + 1)) return;
  }
  sum_term(s, (SumTerm){a, atom_none(), c});
}

static Sum sum_of(const Jac *b, Atom a) {
  Sum s = {.ok = true};
  sum_add(b, &s, a, 1, 0);
  return s;
}

static bool sum_same(const Sum *a, const Sum *b) {
  bool same = a->ok && b->ok && a->k == b->k && a->n == b->n;
  for (int i = 0; same && i < a->n; i++) {
    same = false;
    for (int k = 0; k < b->n; k++)
      same = same || (same_factors(&a->at[i], &b->at[k]) && a->at[i].c == b->at[k].c);
  }
  return same;
}

// With a thousand for every variable: distinguishes columns that are known to ascend.
static int64_t sum_sample(const Sum *s) {
  int64_t value = s->k;
  for (int i = 0; i < s->n; i++)
    value = plus(value, product(s->at[i].c, atom_absent(s->at[i].w) ? 1000 : 1000000));
  return value;
}

Atom blocks_pre(Jac *b, Op op, Atom x, Atom y) { return build_op(&b->pre, op, x, y); }

// ---- leaves
// x[column], zero where that is out of range.
static Atom guarded(Jac *b, Atom column) {
  Builder *p = &b->pre;
  Atom ok = build_op(p, OP_AND, build_op(p, OP_LE, atom_i64(0), column),
                     build_op(p, OP_LT, column, b->n));
  PickBuilder pick = pick_begin(p, ok);
  Atom x = build_index(&pick.then, b->x, atoms1(arena_of(b), column));
  Type t = type_row(type_fresh(atom_type(p->prog, b->x)));
  return pick_end(&pick, t, x, build_zero(&pick.otherwise, t));
}

static Atom leaf(Jac *b, Atom column, Atom value) {
  Sum sum = sum_of(b, column);
  for (int i = 0; i < b->leaves.len; i++) {
    Sum other = sum_of(b, b->leaves.at[i].column);
    if (sum_same(&sum, &other)) return atom_var(b->leaves.at[i].z);
  }
  if (b->leaves.len == MOST_LEAVES) b->failed = true;
  if (atom_absent(value)) value = guarded(b, column);
  Type t = type_row(type_fresh(atom_type(b->pre.prog, b->x)));
  BlockLeaf new = {column, value, var_new(b->pre.prog, "z", t)};
  list_push(arena_of(b), &b->leaves, new);
  varset_add(&b->inner, new.z);
  return atom_var(new.z);
}

// in_range: the indices are known to be good.
Atom blocks_element(Jac *b, JacAccess *view, Atoms at, bool in_range) {
  if (view->parts.len) return blocks_part_element(b, view, at);
  Atom column = view->offset;
  for (int i = 0; i < at.len; i++)
    column = blocks_pre(b, OP_ADD, column, blocks_pre(b, OP_MUL, at.at[i], view->strides.at[i]));
  Atom value = atom_none();
  if (in_range && b->branches == 0 && !atom_absent(view->array))
    value = build_index(&b->pre, view->array, at);
  return leaf(b, column, value);
}

static void leaf_move(Jac *b, int from, int to) {
  BlockLeaf moved = b->leaves.at[from];
  for (int k = from; k > to; k--) b->leaves.at[k] = b->leaves.at[k - 1];
  b->leaves.at[to] = moved;
}

// So that columns ascend where sizes are large and parts of x lie one after the other: then nothing
// has to be sorted when the program runs.
void blocks_leaves_sort(Jac *b) {
  for (int i = 1; i < b->leaves.len; i++) {
    Sum sum = sum_of(b, b->leaves.at[i].column);
    int to = i;
    for (; to > 0; to--) {
      Sum before = sum_of(b, b->leaves.at[to - 1].column);
      if (sum_sample(&before) <= sum_sample(&sum)) break;
    }
    leaf_move(b, i, to);
  }
}

// The number of elements; -1 where that is not a constant or too many.
static int64_t elements(const JacAccess *view) {
  int64_t n = 1;
  for (int i = 0; i < view->dims.len; i++) {
    Atom d = view->dims.at[i];
    if (d.is_var || d.value.i < 1 || d.value.i > MOST_LEAVES) return -1;
    n *= d.value.i;
    if (n > MOST_LEAVES) return -1;
  }
  return n;
}

static Atoms place(const Jac *b, const JacAccess *view, int64_t i) {
  Atoms at = {0};
  for (int d = 0; d < view->dims.len; d++) list_push(arena_of(b), &at, atom_i64(0));
  for (int d = view->dims.len - 1; d >= 0; d--) {
    at.at[d] = atom_i64(i % view->dims.at[d].value.i);
    i /= view->dims.at[d].value.i;
  }
  return at;
}

Atom blocks_copy(Jac *b, JacAccess *view) {
  if (!atom_absent(view->copy)) return view->copy;
  int64_t n = view->made ? -1 : elements(view);
  if (n < 0) {
    b->failed = true;
    return view->array;
  }
  Atoms elems = {0};
  for (int64_t i = 0; i < n; i++)
    list_push(arena_of(b), &elems, blocks_element(b, view, place(b, view, i), true));
  Prim prim = atom_type(b->pre.prog, b->x).prim;
  Builder head = b->g;
  head.stms = &b->head;
  Atom flat = build_exp1(&head, "read", (Exp){.form = FORM_LITERAL,
                                              .literal = {.prim = prim, .elems = elems}});
  Type t = type_array_dims(arena_of(b), type_scalar(prim), view->dims);
  view->copy = build_fit(&head, flat, t);
  varset_add_atom(&b->inner, flat);
  varset_add_atom(&b->inner, view->copy);
  return view->copy;
}

// ---- views of views
static JacAccess part_range(Jac *b, const JacAccess *view, Slice slice) {
  JacAccess out = *view;
  SliceDim s = slice.at[0];
  b->failed = b->failed || slice.len != 1 || view->row;
  if (b->failed) return out;
  out.array = out.copy = atom_none();
  out.dims = atoms_slice(view->dims, 1, view->dims.len - 1);
  out.row = s.is_fix;
  out.first = blocks_pre(b, OP_ADD, view->first, blocks_pre(b, OP_MUL, s.start, view->step));
  if (s.is_fix) return out;
  out.dims = atoms_concat(arena_of(b), atoms1(arena_of(b), s.count), out.dims);
  out.step = blocks_pre(b, OP_MUL, view->step, s.stride);
  return out;
}

JacAccess blocks_subview(Jac *b, const JacAccess *view, Slice slice) {
  if (view->parts.len) return part_range(b, view, slice);
  JacAccess out = {.array = atom_none(), .offset = view->offset, .copy = atom_none()};
  for (int i = 0; i < view->dims.len; i++) {
    Atom dim = view->dims.at[i], stride = view->strides.at[i];
    if (i < slice.len) {
      SliceDim s = slice.at[i];
      out.offset = blocks_pre(b, OP_ADD, out.offset, blocks_pre(b, OP_MUL, s.start, stride));
      if (s.is_fix) continue;
      dim = s.count;
      stride = blocks_pre(b, OP_MUL, stride, s.stride);
    }
    list_push(arena_of(b), &out.dims, dim);
    list_push(arena_of(b), &out.strides, stride);
  }
  return out;
}

static bool is_row_major(const JacAccess *view) {
  Atom stride = atom_i64(1);
  for (int i = view->dims.len - 1; i >= 0; i--) {
    if (!atom_same(view->strides.at[i], stride)) return false;
    if (i == 0) break;
    Atom dim = view->dims.at[i];
    if (dim.is_var && !atom_is(stride, 1)) return false;
    stride = atom_is(stride, 1) ? dim : atom_i64(stride.value.i * dim.value.i);
    if (i > 1 && stride.is_var) return false;
  }
  return true;
}

static JacAccess reshaped(Jac *b, const JacAccess *view, Atoms dims) {
  if (view->parts.len) {
    JacAccess same = *view;
    b->failed = b->failed || dims.len != 1 || view->dims.len != 1 || view->row;
    same.dims = dims;
    return same;
  }
  JacAccess out = {.offset = view->offset, .dims = dims, .copy = atom_none()};
  out.strides = atoms_concat(arena_of(b), dims, (Atoms){0});
  Atom stride = atom_i64(1);
  for (int i = dims.len - 1; i >= 0; i--) {
    out.strides.at[i] = stride;
    stride = blocks_pre(b, OP_MUL, stride, dims.at[i]);
  }
  b->failed = b->failed || !is_row_major(view);
  return out;
}

static JacAccess rearranged(Jac *b, const JacAccess *view, Ints perm) {
  b->failed = b->failed || view->parts.len > 0;
  JacAccess out = {.offset = view->offset, .copy = atom_none()};
  for (int i = 0; i < perm.len; i++) {
    list_push(arena_of(b), &out.dims, view->dims.at[perm.at[i]]);
    list_push(arena_of(b), &out.strides, view->strides.at[perm.at[i]]);
  }
  return out;
}

static JacAccess reversed(Jac *b, const JacAccess *view) {
  JacAccess out = *view;
  out.copy = atom_none();
  b->failed = b->failed || view->row;
  if (view->parts.len) {
    Atom end = blocks_pre(b, OP_SUB, view->dims.at[0], atom_i64(1));
    out.first = blocks_pre(b, OP_ADD, view->first, blocks_pre(b, OP_MUL, end, view->step));
    out.step = blocks_pre(b, OP_SUB, atom_i64(0), view->step);
    return out;
  }
  out.strides = atoms_concat(arena_of(b), view->strides, (Atoms){0});
  Atom last = blocks_pre(b, OP_SUB, view->dims.at[0], atom_i64(1));
  out.offset = blocks_pre(b, OP_ADD, view->offset, blocks_pre(b, OP_MUL, last, out.strides.at[0]));
  out.strides.at[0] = blocks_pre(b, OP_SUB, atom_i64(0), out.strides.at[0]);
  return out;
}

// The array of which the statement makes a view.
static Atom moved(const Exp *e) {
  switch ((int)e->form) {
    case FORM_ATOM: return e->atom.arg;
    case FORM_COPY: return e->copy.arg;
    case FORM_INDEX: return e->index.array;
    case FORM_RESHAPE: return e->reshape.array;
    case FORM_REARRANGE: return e->rearrange.array;
    case FORM_REVERSE: return e->reverse.array;
  }
  return atom_bool(false);
}

static bool knows_operands(Jac *b, const Stm *stm) {
  Vars free = exp_free(b->w.from, arena_of(b), &stm->exp);
  for (int i = 0; i < free.len; i++) {
    Atom a = rewrite_atom(&b->w, atom_var(free.at[i]));
    if (!jac_access(b, atom_var(free.at[i])) && varset_has_atom(&b->inner, a)) return false;
  }
  return true;
}

void blocks_test(Jac *b, Builder *to, Atom at, Atom n) {
  Atom ok = build_op(to, OP_AND, build_op(to, OP_LE, atom_i64(0), at), build_op(to, OP_LT, at, n));
  Exp test = {.form = FORM_ASSERT,
              .assert = {ok, "Index [%d] out of bounds for array of shape [%d].",
                         atoms2(arena_of(b), at, n)}};
  build_many(to, NULL, (Types){0}, test);
}

// Reads in a branch are tested there; outside branches by the statement that is kept.
static void test_read(Jac *b, const Stm *stm, const JacAccess *view, Slice slice) {
  if (b->branches == 0 || stm->attrs.unchecked) return;
  for (int i = 0; i < slice.len; i++)
    if (slice.at[i].is_fix) blocks_test(b, &b->g, slice.at[i].start, view->dims.at[i]);
}

static void read_made(Jac *b, const Stm *stm, const JacAccess *view, Exp e) {
  Slice slice = e.index.slice, rest = {0};
  Atoms at = {0};
  for (int i = 0; i < slice.len; i++) {
    if (slice.at[i].is_fix && rest.len == 0) list_push(arena_of(b), &at, slice.at[i].start);
    else list_push(arena_of(b), &rest, slice.at[i]);
  }
  Builder *to = b->branches > 0 ? &b->g : &b->pre;
  if (view->flat && at.len == 1 && rest.len == 0) {
    Atom element = blocks_flat_element(b, view, at.at[0], stm->attrs.unchecked ? NULL : to);
    if (b->failed) return;
    rewrite_bind(&b->w, stm->bound.at[0], element);
    varset_add_atom(&b->inner, element);
    return;
  }
  if (view->flat || at.len == 0) {
    b->failed = true;
    return;
  }
  Atoms widths = blocks_nest(b, view, false);
  for (int i = 0; i < at.len && view->at.len + i < widths.len && !stm->attrs.unchecked; i++)
    blocks_test(b, to, at.at[i], widths.at[view->at.len + i]);
  JacAccess lazy;
  if (rest.len == 0 && blocks_made_row(b, view, at, &lazy)) {
    jac_access_set(b, stm->bound.at[0], lazy);
    return;
  }
  JacAccess large = {0};
  Atom row = blocks_made_or_view(b, view, at, &large);
  if (b->failed) return;
  if (large.dims.len) {
    if (rest.len) large = blocks_subview(b, &large, rest);
    jac_access_set(b, stm->bound.at[0], large);
    return;
  }
  if (rest.len) row = build_slice_all(&b->g, row, rest, stm->attrs.unchecked);
  rewrite_bind(&b->w, stm->bound.at[0], row);
  varset_add_atom(&b->inner, row);
}

static bool is_element(Slice slice, const JacAccess *view) {
  bool fixed = slice.len == view->dims.len;
  for (int i = 0; i < slice.len; i++) fixed = fixed && slice.at[i].is_fix;
  return fixed;
}

static void read_parts(Jac *b, const Stm *stm, const JacAccess *view, Slice slice) {
  Atoms at = {0};
  for (int i = 0; i < slice.len; i++) list_push(arena_of(b), &at, slice.at[i].start);
  Atom value = blocks_part_element(b, view, at);
  if (!b->failed) rewrite_bind(&b->w, stm->bound.at[0], value);
}

static void read(Jac *b, const Stm *stm, JacAccess *view, Atom array) {
  Exp e = rewrite_exp(&b->w, &stm->exp);
  if (view->made) {
    read_made(b, stm, view, e);
    return;
  }
  test_read(b, stm, view, e.index.slice);
  if (view->parts.len && is_element(e.index.slice, view)) {
    read_parts(b, stm, view, e.index.slice);
    return;
  }
  JacAccess out = blocks_subview(b, view, e.index.slice);
  out.array = array;
  if (out.dims.len) {
    jac_access_set(b, stm->bound.at[0], out);
    return;
  }
  Atom z = leaf(b, out.offset, array);
  rewrite_bind(&b->w, stm->bound.at[0], z);
}

// The values of views are kept outside g where the statement can stand there; it tests itself.
bool blocks_move(Jac *b, const Stm *stm) {
  Atom of = moved(&stm->exp);
  JacAccess *view = jac_access(b, of);
  if (!view) return false;
  if (!knows_operands(b, stm)) {
    b->failed = true;
    return true;
  }
  Atom array = atom_none();
  if (b->branches == 0 && !atom_absent(view->array)) {
    rewrite_bind(&b->w, of.var, view->array);
    b->w.to = b->pre;
    rewrite_stm(&b->w, stm);
    array = rewrite_atom(&b->w, atom_var(stm->bound.at[0]));
  }
  JacAccess out = *view;
  switch ((int)stm->exp.form) {
    case FORM_INDEX: read(b, stm, view, array); return true;
    case FORM_RESHAPE:
      if (view->made) out.flat = out.flat || stm->exp.reshape.dims.len == 1;
      else out = reshaped(b, view, rewrite_atoms(&b->w, stm->exp.reshape.dims));
      b->failed = b->failed || (view->made && stm->exp.reshape.dims.len != 1);
      break;
    case FORM_REARRANGE:
    case FORM_REVERSE:
      b->failed = b->failed || view->made;
      if (!b->failed && stm->exp.form == FORM_REVERSE) out = reversed(b, view);
      else if (!b->failed) out = rearranged(b, view, stm->exp.rearrange.perm);
      break;
  }
  out.array = array;
  jac_access_set(b, stm->bound.at[0], out);
  return true;
}
