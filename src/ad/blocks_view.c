// What index expressions say about an array of the source: which elements of x its elements are.
// Columns are i64 computed outside g; two that are the same sum of the same variables are one.
#include "local.h"

enum { MOST_LEAVES = 192, SUM_TERMS = 8, SUM_DEPTH = 12 };

static Arena *arena_of(const Blocks *b) { return b->pre.prog->arena; }

BlockView *blocks_view(const Blocks *b, Atom source) {
  return source.is_var ? map_get(b->views, source.var.id) : NULL;
}

void blocks_view_set(Blocks *b, Var source, BlockView view) {
  map_put(b->views, source.id, arena_copy(arena_of(b), &view, sizeof view));
}

// ---- sums
// k + sum of c_i v_i, followed through definitions by additions and constant factors.
typedef struct {
  bool ok;
  int64_t k;
  int n;
  Var v[SUM_TERMS];
  int64_t c[SUM_TERMS];
} Sum;

const Exp *blocks_definition(const Blocks *b, Var v) {
  for (int i = b->outside.len - 1; i >= 0; i--) {
    const Stms *stms = b->outside.at[i];
    for (int k = stms->len - 1; k >= 0; k--)
      if (stms->at[k].bound.len == 1 && stms->at[k].bound.at[0].id == v.id)
        return &stms->at[k].exp;
  }
  return NULL;
}

static void sum_term(Sum *s, Var v, int64_t c) {
  int i = 0;
  while (i < s->n && s->v[i].id != v.id) i++;
  if (i == SUM_TERMS) {
    s->ok = false;
    return;
  }
  if (i == s->n) {
    s->v[s->n] = v;
    s->c[s->n++] = 0;
  }
  s->c[i] = (int64_t)((uint64_t)s->c[i] + (uint64_t)c);
}

static void sum_add(const Blocks *b, Sum *s, Atom a, int64_t c, int depth) {
  if (!a.is_var) {
    s->k = (int64_t)((uint64_t)s->k + (uint64_t)c * (uint64_t)a.value.i);
    return;
  }
  const Exp *e = depth < SUM_DEPTH ? blocks_definition(b, a.var) : NULL;
  if (e && e->form == FORM_PRIM && e->prim.prim == PRIM_I64) {
    Atom x = e->prim.args.at[0], y = e->prim.args.len > 1 ? e->prim.args.at[1] : x;
    if (e->prim.op == OP_ADD || e->prim.op == OP_SUB) {
      sum_add(b, s, x, c, depth + 1);
      sum_add(b, s, y, e->prim.op == OP_ADD ? c : (int64_t)(0 - (uint64_t)c), depth + 1);
      return;
    }
    if (e->prim.op == OP_MUL && (!x.is_var || !y.is_var)) {
      Atom factor = x.is_var ? y : x, of = x.is_var ? x : y;
      sum_add(b, s, of, (int64_t)((uint64_t)c * (uint64_t)factor.value.i), depth + 1);
      return;
    }
  }
  sum_term(s, a.var, c);
}

static Sum sum_of(const Blocks *b, Atom a) {
  Sum s = {.ok = true};
  sum_add(b, &s, a, 1, 0);
  return s;
}

static bool sum_has(const Sum *s, Var v, int64_t c) {
  for (int i = 0; i < s->n; i++)
    if (s->v[i].id == v.id) return s->c[i] == c;
  return c == 0;
}

static bool sum_same(const Sum *a, const Sum *b) {
  if (!a->ok || !b->ok || a->k != b->k) return false;
  for (int i = 0; i < a->n; i++)
    if (!sum_has(b, a->v[i], a->c[i])) return false;
  for (int i = 0; i < b->n; i++)
    if (!sum_has(a, b->v[i], b->c[i])) return false;
  return true;
}

Atom blocks_pre(Blocks *b, Op op, Atom x, Atom y) { return build_op(&b->pre, op, x, y); }

// ---- leaves
// x[column], zero where that is out of range.
static Atom guarded(Blocks *b, Atom column) {
  Builder *p = &b->pre;
  Atom ok = build_op(p, OP_AND, build_op(p, OP_LE, atom_i64(0), column),
                     build_op(p, OP_LT, column, b->n));
  PickBuilder pick = pick_begin(p, ok);
  Atom x = build_index(&pick.then, b->x, atoms1(arena_of(b), column));
  Type t = type_row(type_fresh(atom_type(p->prog, b->x)));
  return pick_end(&pick, t, x, build_zero(&pick.otherwise, t));
}

static Atom leaf(Blocks *b, Atom column, Atom value) {
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
Atom blocks_element(Blocks *b, BlockView *view, Atoms at, bool in_range) {
  Atom column = view->offset;
  for (int i = 0; i < at.len; i++)
    column = blocks_pre(b, OP_ADD, column, blocks_pre(b, OP_MUL, at.at[i], view->strides.at[i]));
  Atom value = atom_none();
  if (in_range && b->branches == 0 && !atom_absent(view->array))
    value = build_index(&b->pre, view->array, at);
  return leaf(b, column, value);
}

static void leaf_move(Blocks *b, int from, int to) {
  BlockLeaf moved = b->leaves.at[from];
  for (int k = from; k > to; k--) b->leaves.at[k] = b->leaves.at[k - 1];
  b->leaves.at[to] = moved;
}

// Where leaf i goes: behind the last of the same sum but for the constant, before greater ones.
static int among_same(const Blocks *b, int i) {
  Sum sum = sum_of(b, b->leaves.at[i].column);
  int to = -1;
  for (int k = i - 1; k >= 0; k--) {
    Sum other = sum_of(b, b->leaves.at[k].column);
    int64_t key = other.k;
    other.k = sum.k;
    if (!sum_same(&sum, &other)) continue;
    if (to < 0 || key > sum.k) to = key > sum.k ? k : k + 1;
  }
  return to < 0 ? i : to;
}

// So that columns ascend where that can be known.  Then by number of terms: where parts of x lie one
// after the other, the offsets of later parts have more.
void blocks_leaves_sort(Blocks *b) {
  for (int i = 1; i < b->leaves.len; i++) leaf_move(b, i, among_same(b, i));
  for (int i = 1; i < b->leaves.len; i++) {
    int to = i, n = sum_of(b, b->leaves.at[i].column).n;
    while (to > 0 && sum_of(b, b->leaves.at[to - 1].column).n > n) to--;
    leaf_move(b, i, to);
  }
}

// The number of elements; -1 where that is not a constant or too many.
static int64_t elements(const BlockView *view) {
  int64_t n = 1;
  for (int i = 0; i < view->dims.len; i++) {
    Atom d = view->dims.at[i];
    if (d.is_var || d.value.i < 1 || d.value.i > MOST_LEAVES) return -1;
    n *= d.value.i;
    if (n > MOST_LEAVES) return -1;
  }
  return n;
}

static Atoms place(const Blocks *b, const BlockView *view, int64_t i) {
  Atoms at = {0};
  for (int d = 0; d < view->dims.len; d++) list_push(arena_of(b), &at, atom_i64(0));
  for (int d = view->dims.len - 1; d >= 0; d--) {
    at.at[d] = atom_i64(i % view->dims.at[d].value.i);
    i /= view->dims.at[d].value.i;
  }
  return at;
}

Atom blocks_copy(Blocks *b, BlockView *view) {
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
BlockView blocks_subview(Blocks *b, const BlockView *view, Slice slice) {
  BlockView out = {.array = atom_none(), .offset = view->offset, .copy = atom_none()};
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

static bool is_row_major(const BlockView *view) {
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

static BlockView reshaped(Blocks *b, const BlockView *view, Atoms dims) {
  BlockView out = {.offset = view->offset, .dims = dims, .copy = atom_none()};
  out.strides = atoms_concat(arena_of(b), dims, (Atoms){0});
  Atom stride = atom_i64(1);
  for (int i = dims.len - 1; i >= 0; i--) {
    out.strides.at[i] = stride;
    stride = blocks_pre(b, OP_MUL, stride, dims.at[i]);
  }
  b->failed = b->failed || !is_row_major(view);
  return out;
}

static BlockView rearranged(Blocks *b, const BlockView *view, Ints perm) {
  BlockView out = {.offset = view->offset, .copy = atom_none()};
  for (int i = 0; i < perm.len; i++) {
    list_push(arena_of(b), &out.dims, view->dims.at[perm.at[i]]);
    list_push(arena_of(b), &out.strides, view->strides.at[perm.at[i]]);
  }
  return out;
}

static BlockView reversed(Blocks *b, const BlockView *view) {
  BlockView out = *view;
  out.copy = atom_none();
  out.strides = atoms_concat(arena_of(b), view->strides, (Atoms){0});
  Atom last = blocks_pre(b, OP_SUB, view->dims.at[0], atom_i64(1));
  out.offset = blocks_pre(b, OP_ADD, view->offset, blocks_pre(b, OP_MUL, last, out.strides.at[0]));
  out.strides.at[0] = blocks_pre(b, OP_SUB, atom_i64(0), out.strides.at[0]);
  return out;
}

// What the statement makes a view of.
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

static bool knows_operands(Blocks *b, const Stm *stm) {
  Vars free = exp_free(b->w.from, arena_of(b), &stm->exp);
  for (int i = 0; i < free.len; i++) {
    Atom a = rewrite_atom(&b->w, atom_var(free.at[i]));
    if (!blocks_view(b, atom_var(free.at[i])) && varset_has_atom(&b->inner, a)) return false;
  }
  return true;
}

void blocks_test(Blocks *b, Builder *to, Atom at, Atom n) {
  Atom ok = build_op(to, OP_AND, build_op(to, OP_LE, atom_i64(0), at), build_op(to, OP_LT, at, n));
  Exp test = {.form = FORM_ASSERT,
              .assert = {ok, "Index [%d] out of bounds for array of shape [%d].",
                         atoms2(arena_of(b), at, n)}};
  build_many(to, NULL, (Types){0}, test);
}

// Reads in a branch are tested there; outside branches by the statement that is kept.
static void test_read(Blocks *b, const Stm *stm, const BlockView *view, Slice slice) {
  if (b->branches == 0 || stm->attrs.unchecked) return;
  for (int i = 0; i < slice.len; i++)
    if (slice.at[i].is_fix) blocks_test(b, &b->g, slice.at[i].start, view->dims.at[i]);
}

static void read_made(Blocks *b, const Stm *stm, const BlockView *view, Exp e) {
  if (view->flat || e.index.slice.len == 0 || !e.index.slice.at[0].is_fix) {
    b->failed = true;
    return;
  }
  Atom at = e.index.slice.at[0].start;
  Atom width = rewrite_atom(&b->w, view->made->exp.map.width);
  Builder *to = b->branches > 0 ? &b->g : &b->pre;
  if (!stm->attrs.unchecked) blocks_test(b, to, at, width);
  Atom row = blocks_row(b, view, at).at[view->result];
  if (b->failed) return;
  Slice rest = {0};
  for (int i = 1; i < e.index.slice.len; i++)
    list_push(arena_of(b), &rest, e.index.slice.at[i]);
  if (rest.len) row = build_slice_all(&b->g, row, rest, stm->attrs.unchecked);
  rewrite_bind(&b->w, stm->bound.at[0], row);
  varset_add_atom(&b->inner, row);
}

static void read(Blocks *b, const Stm *stm, BlockView *view, Atom array) {
  Exp e = rewrite_exp(&b->w, &stm->exp);
  if (view->made) {
    read_made(b, stm, view, e);
    return;
  }
  test_read(b, stm, view, e.index.slice);
  BlockView out = blocks_subview(b, view, e.index.slice);
  out.array = array;
  if (out.dims.len) {
    blocks_view_set(b, stm->bound.at[0], out);
    return;
  }
  Atom z = leaf(b, out.offset, array);
  rewrite_bind(&b->w, stm->bound.at[0], z);
}

// The values of views are kept outside g where the statement can stand there; it tests itself.
bool blocks_move(Blocks *b, const Stm *stm) {
  Atom of = moved(&stm->exp);
  BlockView *view = blocks_view(b, of);
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
  BlockView out = *view;
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
  blocks_view_set(b, stm->bound.at[0], out);
  return true;
}
