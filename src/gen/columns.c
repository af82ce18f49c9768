// Loops over maps that read parts of their rows: columns, windows, cells that data choose, rows of
// an array that is a view itself.
#include "local.h"

typedef struct {
  Atom n, m, is;  // rows, their length, any numbers of that length
  Atom j;         // counter of the loop around
} Place;

static Atom near_cell(Gen *g, const Place *at, Atom row) {
  return gen_read1(g, row, gen_clamped(g, gen_near(g, at->j, at->m, at->is), at->m));
}

static Atom window(Gen *g, const Place *at, Atom row) {
  Builder *b = &g->b;
  Prim p = atom_type(g->prog, row).prim;
  Atom rest = build_op(b, OP_SUB, at->m, at->j);
  Atom count = build_op(b, OP_MIN, rest, gen_chance(g, 70) ? atom_i64(2) : gen_size(g));
  Slice part = {0};
  list_push(g->arena, &part, ((SliceDim){.start = at->j, .count = count, .stride = atom_i64(1)}));
  Exp read = {.form = FORM_INDEX, .index = {.array = row, .slice = part}};
  return gen_total(g, build(b, "part", type_array(g->arena, type_scalar(p), count), read));
}

static Atom few_cells(Gen *g, const Place *at, Atom row) {
  Atom start = gen_read1(g, row, at->j);
  GenLoop l = gen_loop_begin(g, atom_i64(2), atoms_of(g->arena, 1, &start));
  Atom k = build_op(&g->b, OP_ADD, l.i, at->j);
  Atom next = gen_mix(g, l.state.at[0], gen_read1(g, row, gen_clamped(g, k, at->m)));
  return atom_var(gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)).at[0]);
}

static Atom of_row(Gen *g, const Place *at, Atom row) {
  Atom x = gen_read1(g, row, at->j);
  switch (gen_random(g, 6)) {
    case 0: return gen_mix(g, x, near_cell(g, at, row));
    case 1: return gen_mix(g, x, window(g, at, row));
    case 2: return few_cells(g, at, row);
    case 3: return gen_chosen(g, at->j, x, near_cell(g, at, row));
    default: return x;
  }
}

// map (\row -> .. row[j] ..) rows
static Atom over_rows(Gen *g, const Place *at, Atom rows) {
  Type t = atom_type(g->prog, rows), row = type_row(t);
  row.unique = false;
  Types params = {0};
  list_push(g->arena, &params, row);
  LambdaBuilder lb = lambda_begin(&g->b, "row", params);
  GenMark mark = gen_enter(g, &lb);
  Atom mine = atom_var(lb.lambda->params.at[0]);
  Atom x = t.rank > 2 ? over_rows(g, at, mine) : of_row(g, at, mine);
  Exp exp = {.form = FORM_MAP, .map = {.width = t.dims[0]}};
  exp.map.fn = lambda_end(&lb, atoms_of(g->arena, 1, &x));
  gen_leave(g, mark);
  exp.map.inputs = atoms_of(g->arena, 1, &rows);
  return build(&g->b, "column", exp_types(g->prog, &exp).at[0], exp);
}

// The sum of a column, or of its columns.
static Atom whole_total(Gen *g, Atom column) {
  if (atom_type(g->prog, column).rank == 1) return gen_total(g, column);
  return gen_total(g, gen_read1(g, column, atom_i64(0)));
}

// [n][m], or [some][n][m]: tanh (xs[i] ys[j])
static Atom filled(Gen *g, Prim p, Atom n, Atom m, Atom some) {
  Atom xs = gen_array(g, p, n), ys = gen_array(g, p, m);
  bool blocks = !atom_is(some, 0);
  GenOver ok = {0}, oi, oj;
  if (blocks) ok = gen_over_begin(g, some);
  oi = gen_over_begin(g, n);
  Atom x = gen_read1(g, xs, oi.i);
  if (blocks) x = gen_mix(g, x, build_conv(&g->b, p, ok.i));
  oj = gen_over_begin(g, m);
  x = gen_mix(g, x, gen_read1(g, ys, oj.i));
  if (prim_is_float(p)) x = build_op1(&g->b, OP_TANH, x);
  x = gen_over_end1(g, &oi, gen_over_end1(g, &oj, x));
  return blocks ? gen_over_end1(g, &ok, x) : x;
}

// loop s for j < m { s + sum (map (\row -> row[j]) rows) }, or tanh of that; of rows, of one block
// or of all
void gen_columns(Gen *g) {
  if (gen_chance(g, 45)) {
    gen_appends(g);
    return;
  }
  Prim p = gen_real(g);
  Atom n = gen_size(g), m = gen_size(g);
  bool blocks = gen_chance(g, 40), views = gen_chance(g, 50);
  Atom some = atom_i64(blocks ? 1 + (int64_t)gen_random(g, 2) : 0);
  Atom a = filled(g, p, n, m, some), s = gen_scalar(g, p);
  Place at = {.n = n, .m = m, .is = gen_indices(g, m)};
  GenLoop outer = {0};
  if (blocks && views) {
    outer = gen_loop_begin(g, some, atoms_of(g->arena, 1, &s));
    a = gen_read1(g, a, outer.i), s = outer.state.at[0];
  }
  GenLoop l = gen_loop_begin(g, m, atoms_of(g->arena, 1, &s));
  at.j = l.i;
  Atom sum = whole_total(g, over_rows(g, &at, a));
  Atom next = gen_mix(g, l.state.at[0], prim_is_float(p) ? build_op1(&g->b, OP_TANH, sum) : sum);
  if (views && prim_is_float(p)) next = build_op1(&g->b, OP_TANH, next);
  Vars out = gen_loop_end(g, &l, atoms_of(g->arena, 1, &next));
  if (blocks && views) {
    next = atom_var(out.at[0]);
    out = gen_loop_end(g, &outer, atoms_of(g->arena, 1, &next));
  }
  gen_know(g, atom_var(out.at[0]), 0);
}
