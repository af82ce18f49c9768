// Arrays of three and four dimensions: made, transposed, flattened, joined, cut, written in blocks;
// with dimensions of no elements in between.
#include "local.h"

enum { MOST_RANK = 4 };
typedef struct {
  Prim prim;
  int rank;
  Atom dims[MOST_RANK], array;
} Cube;

static Type cube_type(Gen *g, const Cube *c) {
  return type_array_dims(g->arena, type_scalar(c->prim), atoms_of(g->arena, c->rank, c->dims));
}

// Small sizes, 0 among them; the first may be any.
static Atom small_size(Gen *g) {
  static const int sizes[] = {0, 1, 1, 2, 2, 3};
  return atom_i64(sizes[gen_random(g, COUNT_OF(sizes))]);
}

// map i { map j { map k { x[i] . (i + 2 j + 4 k) } } }
static Cube cube_new(Gen *g, Prim p, int rank) {
  Cube c = {.prim = p, .rank = rank};
  for (int d = 0; d < rank; d++)
    c.dims[d] = d == 0 || gen_chance(g, 30) ? gen_size(g) : small_size(g);
  if (gen_chance(g, 40)) {
    Atom first = c.dims[0];
    c.dims[0] = c.dims[rank - 1];
    c.dims[rank - 1] = first;
  }
  Atom xs = gen_array(g, p, c.dims[0]), ys = gen_array(g, p, c.dims[rank - 1]);
  GenOver o[MOST_RANK];
  Atom place = atom_i64(0);
  for (int d = 0; d < rank; d++) {
    o[d] = gen_over_begin(g, c.dims[d]);
    place = build_op(&g->b, OP_ADD, place, build_op(&g->b, OP_MUL, o[d].i, atom_i64(1 << d)));
  }
  Atom x = gen_mix(g, gen_read1(g, xs, o[0].i), gen_read1(g, ys, o[rank - 1].i));
  Atom v = gen_mix(g, x, build_conv(&g->b, p, place));
  if (prim_is_float(p)) v = build_op1(&g->b, OP_TANH, v);
  for (int d = rank - 1; d >= 0; d--) v = gen_over_end1(g, &o[d], v);
  c.array = v;
  return c;
}

static Atom bound(Gen *g, Cube *c, Exp exp, Atom array) {
  c->array = build(&g->b, "t", cube_type(g, c), exp);
  gen_know(g, c->array, array.is_var ? gen_roots_of(g, array) : gen_root(g));
  return c->array;
}

static void transposed(Gen *g, Cube *c) {
  Exp exp = {.form = FORM_REARRANGE, .rearrange = {.array = c->array}};
  Cube from = *c;
  int perm[MOST_RANK];
  for (int d = 0; d < c->rank; d++) perm[d] = d;
  for (int d = c->rank - 1; d > 0; d--) {
    int k = (int)gen_random(g, (uint32_t)d + 1), t = perm[d];
    perm[d] = perm[k], perm[k] = t;
  }
  for (int d = 0; d < c->rank; d++) {
    list_push(g->arena, &exp.rearrange.perm, perm[d]);
    c->dims[d] = from.dims[perm[d]];
  }
  bound(g, c, exp, from.array);
}

// Two neighbouring dimensions become one, or one becomes [1][n] or [n][1].
static void reshaped(Gen *g, Cube *c) {
  Atom from = c->array;
  int d = (int)gen_random(g, (uint32_t)c->rank);
  if (d + 1 < c->rank) {
    c->dims[d] = build_op(&g->b, OP_MUL, c->dims[d], c->dims[d + 1]);
    for (int k = d + 1; k + 1 < c->rank; k++) c->dims[k] = c->dims[k + 1];
    c->rank--;
  } else if (c->rank < MOST_RANK) {
    for (int k = c->rank; k > d; k--) c->dims[k] = c->dims[k - 1];
    c->dims[gen_chance(g, 50) ? d : d + 1] = atom_i64(1);
    c->rank++;
  } else return;
  Exp exp = {.form = FORM_RESHAPE, .reshape = {.array = from}};
  exp.reshape.dims = atoms_of(g->arena, c->rank, c->dims);
  bound(g, c, exp, from);
}

// Joined with itself along a dimension, twice or three times.
static void joined(Gen *g, Cube *c) {
  Exp exp = {.form = FORM_CONCAT, .concat = {.dim = (int64_t)gen_random(g, (uint32_t)c->rank)}};
  int parts = gen_chance(g, 60) ? 2 : 3;
  for (int k = 0; k < parts; k++) list_push(g->arena, &exp.concat.arrays, c->array);
  Atom *n = &c->dims[exp.concat.dim];
  *n = build_op(&g->b, OP_MUL, *n, atom_i64(parts));
  bound(g, c, exp, (Atom){0});
}

static SliceDim part_of(Gen *g, Atom n) {
  Builder *b = &g->b;
  Atom half = build_op(b, OP_QUOT, n, atom_i64(2)), zero = atom_i64(0), one = atom_i64(1);
  Atom last = build_op(b, OP_SUB, n, one);
  switch (gen_random(g, 4)) {
  case 0: return (SliceDim){.start = zero, .count = half, .stride = one};
  case 1: return (SliceDim){.start = half, .count = half, .stride = one};
  case 2: return (SliceDim){.start = zero, .count = half, .stride = atom_i64(2)};
  default: return (SliceDim){.start = last, .count = n, .stride = atom_i64(-1)};
  }
}

static Slice block(Gen *g, const Cube *c) {
  Slice slice = {0};
  for (int d = 0; d < c->rank; d++) {
    SliceDim all = {.start = atom_i64(0), .count = c->dims[d], .stride = atom_i64(1)};
    list_push(g->arena, &slice, gen_chance(g, 60) ? part_of(g, c->dims[d]) : all);
  }
  return slice;
}

static void cut(Gen *g, Cube *c) {
  Exp exp = {.form = FORM_INDEX, .index = {.array = c->array, .slice = block(g, c)}};
  for (int d = 0; d < c->rank; d++) c->dims[d] = exp.index.slice.at[d].count;
  bound(g, c, exp, c->array);
}

// A block of a copy becomes a function of itself or of another block of the same size.
static void written(Gen *g, Cube *c) {
  Atom a = build_copy(&g->b, c->array);
  Cube part = *c;
  part.array = a;
  Slice slice = block(g, c);
  for (int d = 0; d < c->rank; d++) part.dims[d] = slice.at[d].count;
  Exp read = {.form = FORM_INDEX,
              .index = {.array = gen_chance(g, 60) ? a : c->array, .slice = slice}};
  Atom v = build(&g->b, "part", cube_type(g, &part), read);
  Atom twice = build_add(&g->b, v, v);
  Exp exp = {.form = FORM_UPDATE, .update = {.array = a, .slice = slice, .value = twice}};
  bound(g, c, exp, (Atom){0});
}

static void replicated(Gen *g, Cube *c) {
  if (c->rank == MOST_RANK) return;
  Atom n = gen_chance(g, 50) ? small_size(g) : gen_size(g), from = c->array;
  for (int k = c->rank; k > 0; k--) c->dims[k] = c->dims[k - 1];
  c->dims[0] = n, c->rank++;
  Exp exp = {.form = FORM_REPLICATE, .replicate = {.dims = atoms_of(g->arena, 1, &n), .arg = from}};
  bound(g, c, exp, (Atom){0});
}

// Sums along the innermost dimension: one dimension less.
static Atom sums(Gen *g, Atom array, Type t) {
  if (t.rank == 1) return gen_total(g, array);
  GenOver o = gen_over_begin(g, t.dims[0]);
  Atom row = gen_read1(g, array, o.i);
  return gen_over_end1(g, &o, sums(g, row, type_row(t)));
}

static void summed(Gen *g, Cube *c) {
  Atom s = sums(g, c->array, cube_type(g, c));
  if (c->rank == 1) gen_know(g, s, 0);
}

// ---- strided writes: the diagonal, or windows that do not overlap
static void diagonal(Gen *g) {
  Builder *b = &g->b;
  Prim p = gen_number(g);
  Atom n = gen_size(g), nn = build_op(b, OP_MUL, n, n), xs = gen_array(g, p, n);
  Atom m = build_copy(b, gen_matrix(g, p, n, n));
  Exp flat = {.form = FORM_RESHAPE, .reshape = {.array = m, .dims = atoms_of(g->arena, 1, &nn)}};
  Atom a = build(b, "flat", type_array(g->arena, type_scalar(p), nn), flat);
  Atom step = build_op(b, OP_ADD, n, atom_i64(1));
  if (gen_chance(g, 60)) {
    Exp read = {.form = FORM_FLATINDEX, .flatindex = {.array = a, .offset = atom_i64(0)}};
    read.flatindex.counts = atoms_of(g->arena, 1, &n);
    read.flatindex.strides = atoms_of(g->arena, 1, &step);
    Atom old = build(b, "old", type_array(g->arena, type_scalar(p), n), read);
    GenOver o = gen_over_begin(g, n);
    Atom v = gen_mix(g, gen_read1(g, old, o.i), gen_read1(g, xs, o.i));
    xs = gen_over_end1(g, &o, v);
  }
  Exp exp = {.form = FORM_FLATUPDATE,
             .flatupdate = {.array = a, .offset = atom_i64(0), .value = xs}};
  exp.flatupdate.strides = atoms_of(g->arena, 1, &step);
  a = build(b, "a", type_array(g->arena, type_scalar(p), nn), exp);
  gen_know(g, a, gen_root(g));
  Atom dims[] = {n, n};
  Exp back = {.form = FORM_RESHAPE, .reshape = {.array = a, .dims = atoms_of(g->arena, 2, dims)}};
  gen_know(g, build(b, "m", atom_type(g->prog, m), back), gen_roots_of(g, a));
}

// sum of a [n - 2][3] view of windows that overlap
static void windows(Gen *g) {
  Builder *b = &g->b;
  Prim p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), width = atom_i64(gen_random(g, 2) + 2);
  Atom count = build_op(b, OP_SUB, build_op(b, OP_ADD, n, atom_i64(1)), width);
  count = build_op(b, OP_MAX, count, atom_i64(0));
  Atom counts[] = {count, width}, strides[] = {atom_i64(1), atom_i64(1)};
  Exp exp = {.form = FORM_FLATINDEX, .flatindex = {.array = xs, .offset = atom_i64(0)}};
  exp.flatindex.counts = atoms_of(g->arena, 2, counts);
  exp.flatindex.strides = atoms_of(g->arena, 2, strides);
  Type t = type_array_dims(g->arena, type_scalar(p), exp.flatindex.counts);
  Atom view = build(b, "w", t, exp);
  gen_know(g, view, gen_roots_of(g, xs));
  sums(g, view, t);
}

bool gen_stm_shapes(Gen *g) {
  g->budget -= 2;
  if (gen_chance(g, 15)) return diagonal(g), true;
  if (gen_chance(g, 10)) return windows(g), true;
  static void (*const steps[])(Gen * g, Cube * c) = {transposed, reshaped, joined,
                                                     cut,    written,  replicated};
  Cube c = cube_new(g, gen_number(g), (int)gen_random(g, 3) + 2);
  for (int k = (int)gen_random(g, 3) + 1; k > 0; k--) steps[gen_random(g, COUNT_OF(steps))](g, &c);
  if (gen_chance(g, 70)) summed(g, &c);
  return true;
}
