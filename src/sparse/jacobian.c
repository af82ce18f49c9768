// The form `blocks`: Jacobians of functions whose results are the iterations of a map, and Hessians
// of sums over a map, by the elements of the argument that each iteration reads.  The law is in
// doc/sparse-jacobians.md.  The pass leaves the operators vjp, jvp and depends, applied to the
// function g of one block.
#include "jacobian.h"

enum { MOST_ROWS = 16, MOST_ENTRIES = 512, MOST_NESTS = 16 };

static Arena *arena_of(const Jac *b) { return b->pre.prog->arena; }

// ---- g
typedef struct {
  Lambda *fn;     // the elements of x that a block reads -> the elements of a block
  Atoms values, columns;
  int rows, width;
  int across;     // columns with those that are added for the sake of other sums' blocks
  Ints cells;     // the entries that can be nonzero: row * across + column, ascending; at least one
} BlockFn;

// The elements of an array of constant size, one by one.
static Atoms elements(Jac *b, Atom array) {
  Arena *arena = arena_of(b);
  Type t = atom_type(b->pre.prog, array);
  if (t.rank == 0) return atoms1(arena, array);
  int64_t n = t.rank <= 8 ? 1 : MOST_ROWS + 1;
  for (int i = 0; i < t.rank; i++) {
    bool good = !t.dims[i].is_var && t.dims[i].value.i >= 1 && t.dims[i].value.i <= MOST_ROWS;
    n = good && n <= MOST_ROWS ? n * t.dims[i].value.i : MOST_ROWS + 1;
  }
  Atoms out = {0};
  if (n > MOST_ROWS) {
    b->failed = true;
    return out;
  }
  for (int64_t k = 0; k < n; k++) {
    Atom at[8];
    int64_t left = k;
    for (int i = t.rank - 1; i >= 0; i--) {
      at[i] = atom_i64(left % t.dims[i].value.i);
      left /= t.dims[i].value.i;
    }
    list_push(arena, &out, build_index(&b->g, array, atoms_of(arena, t.rank, at)));
  }
  return out;
}

// All of the Hessian and of rows that are sums, of other Jacobians those where the result can
// depend on the parameter.
static void find_cells(Jac *b, BlockFn *f, bool second) {
  bool *reach = second || b->added ? NULL : jac_pattern(b->pre.prog, f->fn);
  int rows = second ? f->across : f->rows;
  for (int i = 0; i < rows * f->across; i++)
    if (!reach || reach[i]) list_push(arena_of(b), &f->cells, i);
  if (f->cells.len == 0) list_push(arena_of(b), &f->cells, 0);
}

static BlockFn block_fn(Jac *b, Atoms results, bool second) {
  Arena *arena = arena_of(b);
  BlockFn f = {.fn = NEW(arena, Lambda)};
  blocks_leaves_sort(b);
  for (int i = 0; i < b->leaves.len; i++) {
    list_push(arena, &f.fn->params, b->leaves.at[i].z);
    list_push(arena, &f.values, b->leaves.at[i].value);
    list_push(arena, &f.columns, b->leaves.at[i].column);
  }
  f.rows = results.len;
  f.width = b->leaves.len;
  for (int i = 0; i < b->head.len; i++) list_push(arena, &f.fn->body.stms, b->head.at[i]);
  for (int i = 0; i < b->g.stms->len; i++) list_push(arena, &f.fn->body.stms, b->g.stms->at[i]);
  f.fn->body.results = results;
  f.fn->rets = types_of_atoms(b->pre.prog, results);
  int rows = second ? f.width : f.rows;
  if (f.width == 0 || rows * f.width > MOST_ENTRIES || ((second || b->added) && f.rows != 1))
    b->failed = true;
  f.across = f.width;
  return f;
}

// g as a function of one parameter, or with one result; all where negative.  Contributions of the
// others are not even computed.
static Lambda *restricted(Jac *b, const BlockFn *f, int param, int result) {
  Arena *arena = arena_of(b);
  Atoms args = atoms_concat(arena, f->values, (Atoms){0});
  Types all = types_of_vars(b->pre.prog, f->fn->params), types = {0};
  for (int k = 0; k < all.len; k++)
    if (param < 0 || k == param) list_push(arena, &types, all.at[k]);
  LambdaBuilder lb = lambda_begin(&b->pre, "z", types);
  for (int k = 0, at = 0; k < args.len; k++)
    if (param < 0 || k == param) args.at[k] = atom_var(lb.lambda->params.at[at++]);
  Atoms out = lambda_inline(&lb.inner, f->fn, args);
  return lambda_end(&lb, result < 0 ? out : atoms1(arena, out.at[result]));
}

static Atom row_literal(Jac *b, Prim p, Atoms elems) {
  return build_exp1(&b->pre, "row", (Exp){.form = FORM_LITERAL,
                                          .literal = {.prim = p, .elems = elems}});
}

// The cells of a dense matrix.
static Atom cells_literal(Jac *b, const BlockFn *f, Prim p, Atoms dense) {
  Atoms out = {0};
  Atom none = p == PRIM_BOOL ? atom_bool(false) : atom_number(p, 0);
  for (int i = 0; i < f->cells.len; i++) {
    int64_t row = f->cells.at[i] / f->across, column = f->cells.at[i] % f->across;
    bool there = column < f->width && row * f->width < dense.len;
    list_push(arena_of(b), &out, there ? dense.at[row * f->width + column] : none);
  }
  return row_literal(b, p, out);
}

static Atom columns_literal(Jac *b, const BlockFn *f) {
  Atoms out = atoms_concat(arena_of(b), f->columns, (Atoms){0});
  while (out.len < f->across) list_push(arena_of(b), &out, atom_i64(-1));
  return row_literal(b, PRIM_I64, out);
}

// Row by row in reverse mode, or column by column in forward mode; the entries row by row.
static Atom entries(Jac *b, const BlockFn *f) {
  Prim p = atom_type(b->pre.prog, b->x).prim;
  Atoms out = {0};
  for (int i = 0; i < f->rows * f->width; i++) list_push(arena_of(b), &out, atom_number(p, 0));
  bool forward = f->width <= 2 * f->rows;
  Atoms one = atoms1(arena_of(b), atom_number(p, 1));
  for (int i = 0; i < f->width && forward; i++) {
    Lambda *fn = restricted(b, f, i, -1);
    Exp e = {.form = FORM_JVP, .jvp = {(Atoms){0}, fn, atoms_slice(f->values, i, 1), one}};
    Vars d = build_exp(&b->pre, "entry", e);
    for (int r = 0; r < f->rows; r++) out.at[r * f->width + i] = atom_var(d.at[f->rows + r]);
  }
  for (int r = 0; r < f->rows && !forward; r++) {
    Lambda *fn = restricted(b, f, -1, r);
    Exp e = {.form = FORM_VJP, .vjp = {(Atoms){0}, fn, f->values, one}};
    Vars d = build_exp(&b->pre, "entry", e);
    for (int k = 0; k < f->width; k++) out.at[r * f->width + k] = atom_var(d.at[1 + k]);
  }
  return cells_literal(b, f, p, out);
}

// \z_j.. -> the gradient of g, all other parameters staying what they are; of all, where param < 0.
static Lambda *gradient(Jac *b, const BlockFn *f, int param) {
  Arena *arena = arena_of(b);
  Prim p = atom_type(b->pre.prog, b->x).prim;
  Types all = types_of_vars(b->pre.prog, f->fn->params), types = {0};
  for (int k = 0; k < all.len; k++)
    if (param < 0 || k == param) list_push(arena, &types, all.at[k]);
  LambdaBuilder lb = lambda_begin(&b->pre, "z", types);
  Atoms args = atoms_concat(arena, f->values, (Atoms){0});
  for (int k = 0, at = 0; k < args.len; k++)
    if (param < 0 || k == param) args.at[k] = atom_var(lb.lambda->params.at[at++]);
  Exp e = {.form = FORM_VJP, .vjp = {(Atoms){0}, lambda_copy(&b->pre, f->fn), args,
                                     atoms1(arena, atom_number(p, 1))}};
  Atoms results = atoms_of_vars(arena, build_exp(&lb.inner, "gradient", e));
  return lambda_end(&lb, atoms_slice(results, 1, results.len - 1));
}

// Column by column, forward over reverse; row by row.
static Atom second_entries(Jac *b, const BlockFn *f) {
  Prim p = atom_type(b->pre.prog, b->x).prim;
  Atoms out = {0}, one = atoms1(arena_of(b), atom_number(p, 1));
  for (int i = 0; i < f->width * f->width; i++)
    list_push(arena_of(b), &out, atom_number(p, 0));
  for (int j = 0; j < f->width; j++) {
    Exp e = {.form = FORM_JVP,
             .jvp = {(Atoms){0}, gradient(b, f, j), atoms_slice(f->values, j, 1), one}};
    Vars d = build_exp(&b->pre, "entry", e);
    for (int i = 0; i < f->width; i++) out.at[i * f->width + j] = atom_var(d.at[f->width + i]);
  }
  return cells_literal(b, f, p, out);
}

// Bit k of a mark of result i: it depends on parameter k.
static Atom present(Jac *b, const BlockFn *f, const Lambda *fn) {
  Atoms out = {0};
  int rows = fn->rets.len;
  for (int i = 0; i < rows * f->width; i++) list_push(arena_of(b), &out, atom_bool(false));
  for (int from = 0; from < f->width; from += 64) {
    Atoms marks = {0};
    for (int k = 0; k < f->width; k++) {
      uint64_t bit = k >= from && k < from + 64 ? UINT64_C(1) << (k - from) : 0;
      list_push(arena_of(b), &marks, atom_scalar(scalar_int(PRIM_U64, (int64_t)bit)));
    }
    Exp e = {.form = FORM_DEPENDS, .depends = {lambda_copy(&b->pre, fn), f->values, marks}};
    Vars of = build_exp(&b->pre, "marks", e);
    for (int i = 0; i < rows; i++)
      for (int k = from; k < f->width && k < from + 64; k++) {
        Atom bit = build_op(&b->pre, OP_AND, atom_var(of.at[i]), marks.at[k]);
        out.at[i * f->width + k] = build_op(&b->pre, OP_NE, bit, atom_number(PRIM_U64, 0));
      }
  }
  return cells_literal(b, f, PRIM_BOOL, out);
}

// ---- the blocks
typedef struct {
  Atom known, added, p, k, q, rows, columns, cells, present, entries;
} BlocksResult;

Atoms blocks_nest_indices(Jac *b, Atoms widths, Atom i) {
  Atoms at = {0};
  for (int k = 0; k < widths.len; k++) list_push(arena_of(b), &at, i);
  for (int k = widths.len - 1; k > 0; k--) {
    Atom width = build_op(&b->pre, OP_MAX, widths.at[k], atom_i64(1));
    at.at[k] = build_op(&b->pre, OP_REM, i, width);
    at.at[k - 1] = i = build_op(&b->pre, OP_QUOT, i, width);
  }
  return at;
}

// One block for each iteration of the maps that made the result; or a single one.
typedef struct {
  Jac *b;
  Builder outer;
  MapBuilder map;
  Atom p, row;  // of the Jacobian, that the block's is added to; or none
  int size;     // rows that a block has before all but one are left out
  BlockFn f;
} Nest;

// The row of the Jacobian that an iteration is added to: of the maps around the sum.
static Atom row_of_block(Jac *b, Atoms widths, Atoms at) {
  Atom row = at.at[0];
  for (int k = 1; k < b->levels; k++)
    row = blocks_pre(b, OP_ADD, blocks_pre(b, OP_MUL, row, widths.at[k]), at.at[k]);
  return row;
}

static Nest *nest_open_of(Jac *b, Atom p) {
  Arena *arena = arena_of(b);
  Nest *nest = NEW(arena, Nest);
  nest->b = b, nest->outer = b->pre, nest->p = p;
  nest->map = map_begin(&nest->outer, p, atoms1(arena, build_iota(&nest->outer, p)));
  b->pre = nest->map.lb.inner;
  list_push(arena, &b->outside, b->pre.stms);
  return nest;
}

static Atom iterations(Builder *to, Atoms widths) {
  Atom p = atom_i64(1);
  for (int k = 0; k < widths.len; k++)
    p = k ? build_op(to, OP_MUL, p, widths.at[k]) : widths.at[0];
  return p;
}

// An iteration for each of the maps' iterations, whose indices are `at`.
static Nest *nest_open(Jac *b, Atoms widths, Atoms *at) {
  Nest *nest = nest_open_of(b, iterations(&b->pre, widths));
  *at = blocks_nest_indices(b, widths, map_param(&nest->map, 0));
  return nest;
}

static Jac *blocks_open(Builder *to, const struct jacobian_form *e);

// How many terms each sum has, outside of all blocks; by executing what is needed for that twice.
static Atom ragged_widths(Jac *b, Atom result, bool second) {
  Jac *c = blocks_open(&b->pre, b->form);
  Stms stms = b->form->fn->body.stms;
  c->way = b->way, c->added = b->added;
  blocks_stms(c, second ? blocks_needed(b->pre.prog, stms, &b->way.at[0]) : stms);
  const JacAccess *view = jac_access(c, result);
  b->failed = b->failed || c->failed || !view || !view->made;
  if (b->failed) return atom_none();
  Atoms at, widths = blocks_nest(c, view, true);
  Nest *nest = nest_open(c, widths, &at);
  Atom width = blocks_ragged_width(c, view, at);
  b->failed = c->failed;
  if (b->failed) return atom_none();
  nest->map.lb.inner = c->pre;
  Atom all = map_end1(&nest->map, "widths", width);
  for (int i = 0; i < nest->outer.stms->len; i++) build_stm(&b->pre, nest->outer.stms->at[i]);
  return all;
}

// For each of p numbers in how many of the ends it is not below: the row it is in.
static Atom rows_of(Builder *to, Atom p, Atom n, Atom ends) {
  Arena *arena = to->prog->arena;
  Lambda *plus = lambda_binop(to->prog, OP_ADD, PRIM_I64);
  Atoms zero = atoms1(arena, atom_i64(0));
  Atom one = build_replicate(to, atoms1(arena, n), atom_i64(1));
  Atom dest = build_replicate(to, atoms1(arena, p), atom_i64(0));
  Types numbers = types_of_atoms(to->prog, zero);
  list_push(arena, &numbers, numbers.at[0]);
  Exp count = {.form = FORM_HIST,
               .hist = {.width = n, .rank = 1, .dests = atoms1(arena, dest), .neutral = zero,
                        .op = plus, .fn = lambda_identity(to->prog, numbers),
                        .inputs = atoms2(arena, ends, one)}};
  Atom steps = build_exp1(to, "steps", count);
  return build_scan(to, p, plus, zero, atoms1(arena, steps)).at[0];
}

// An iteration for each term of sums that have different numbers of them.
static Nest *nest_open_ragged(Jac *b, Atom result, Atoms widths, bool second, Atoms *at) {
  Arena *arena = arena_of(b);
  Atom each = ragged_widths(b, result, second);
  Builder *to = &b->pre;
  if (b->failed) return NULL;
  Atom n = atom_width(to->prog, each);
  Lambda *plus = lambda_binop(to->prog, OP_ADD, PRIM_I64);
  Atoms zero = atoms1(arena, atom_i64(0)), all = atoms1(arena, each);
  Atom p = build_reduce(to, n, plus, zero, all).at[0];
  Atom ends = build_scan(to, n, plus, zero, all).at[0];
  Atom rows = rows_of(to, p, n, ends);
  Nest *nest = nest_open_of(b, p);
  Atom k = map_param(&nest->map, 0);
  Atom row = build_index(&b->pre, rows, atoms1(arena, k));
  Atom end = build_index(&b->pre, ends, atoms1(arena, row));
  Atom start = build_op(&b->pre, OP_SUB, end, build_index(&b->pre, each, atoms1(arena, row)));
  *at = blocks_nest_indices(b, widths, row);
  list_push(arena, at, build_op(&b->pre, OP_SUB, k, start));
  return nest;
}

static Nest *nest_begin(Jac *b, Atom result, bool second) {
  const JacAccess *view = jac_access(b, result);
  bool made = view && view->made;
  b->failed = b->failed || (made && view->at.len > 0);
  Atoms widths = made ? blocks_nest(b, view, true) : (Atoms){0}, at;
  Nest *nest = b->is_ragged ? nest_open_ragged(b, result, widths, second, &at)
                            : nest_open(b, widths, &at);
  if (b->failed) return nest;
  Atom row = made ? blocks_made(b, view, at, true) : blocks_value(b, result);
  // An array that only g has: what is summed is no view.
  b->failed = b->failed || (b->way.len > 0 && atom_type(b->pre.prog, row).rank > 0);
  if (b->failed) return nest;
  for (int i = b->way.len - 1; i >= 0; i--) row = blocks_scaled(b, row, b->way.at[i].factors);
  nest->row = b->added ? row_of_block(b, widths, at) : atom_none();
  nest->f = block_fn(b, elements(b, row), second);
  return nest;
}

// Rows and columns by a separate map: the places of entries are known before there are
// entries.
static Vars places_map(Nest *nest, Atom row, Atom columns) {
  Lambda *fn = NEW(arena_of(nest->b), Lambda);
  *fn = *nest->map.lb.lambda;
  fn->body.results = atoms2(arena_of(nest->b), row, columns);
  fn->rets = types_of_atoms(nest->outer.prog, fn->body.results);
  return build_map(&nest->outer, nest->p, fn, nest->map.inputs);
}

static BlocksResult nest_end(Nest *nest, int across, bool second) {
  Jac *b = nest->b;
  BlockFn *f = &nest->f;
  f->across = across;
  find_cells(b, f, second);
  Atom of = present(b, f, second ? gradient(b, f, -1) : f->fn);
  Atom values = second ? second_entries(b, f) : entries(b, f);
  Atom columns = columns_literal(b, f);
  Atoms cells = {0};
  Atom row = nest->row;
  if (atom_absent(row))
    row = blocks_pre(b, OP_MUL, map_param(&nest->map, 0), atom_i64(f->rows));
  nest->map.lb.inner = b->pre;
  Vars places = places_map(nest, row, columns);
  Vars bound = map_end(&nest->map, "blocks", atoms2(arena_of(b), of, values));
  for (int i = 0; i < f->cells.len; i++)
    list_push(arena_of(b), &cells, atom_i64(f->cells.at[i]));
  return (BlocksResult){.known = atom_bool(true),
                        .added = atom_bool(!atom_absent(nest->row)),
                        .p = nest->p,
                        .k = atom_i64(across),
                        .q = atom_i64(cells.len),
                        .rows = atom_var(places.at[0]),
                        .columns = atom_var(places.at[1]),
                        .cells = build_literal(&nest->outer, "cells", PRIM_I64, cells),
                        .present = atom_var(bound.at[0]),
                        .entries = atom_var(bound.at[1])};
}

static BlocksResult nothing_known(Builder *to, Prim prim) {
  Atom zero = atom_i64(0);
  Atoms row = atoms1(to->prog->arena, zero), rows = atoms2(to->prog->arena, zero, zero);
  return (BlocksResult){atom_bool(false), atom_bool(false), zero, zero, zero,
                        build_replicate(to, row, zero),
                        build_replicate(to, rows, zero), build_replicate(to, row, zero),
                        build_replicate(to, rows, atom_bool(false)),
                        build_replicate(to, rows, atom_number(prim, 0))};
}

// ---- the whole
static Jac *blocks_open(Builder *to, const struct jacobian_form *e) {
  Arena *arena = to->prog->arena;
  Jac *b = NEW(arena, Jac);
  Atom x = e->args.at[0];
  *b = (Jac){.form = e, .x = x, .n = atom_width(to->prog, x), .may_make = true};
  b->pre = b->g = *to;
  b->pre.stms = NEW(arena, Stms);
  b->g.stms = NEW(arena, Stms);
  b->w = rewrite_new(to->prog, b->pre);
  b->varied = varset_new(arena);
  b->inner = varset_new(arena);
  b->views = map_new(arena);
  list_push(arena, &b->outside, b->pre.stms);
  Atoms dims = atoms1(arena, b->n), strides = atoms1(arena, atom_i64(1));
  JacAccess all = {.array = x, .offset = atom_i64(0), .dims = dims, .strides = strides};
  all.copy = atom_none();
  varset_add(&b->varied, e->fn->params.at[0]);
  jac_access_set(b, e->fn->params.at[0], all);
  varied_body(to->prog, &b->varied, &e->fn->body);
  return b;
}

// All statements are emitted only where all succeed: they go to lists of their own first.
static BlocksResult nest_emit(Builder *to, Nest *nest, int across, bool second) {
  BlocksResult r = nest_end(nest, across, second);
  for (int i = 0; i < nest->outer.stms->len; i++) build_stm(to, nest->outer.stms->at[i]);
  return r;
}

static Atom stacked(Builder *to, Atom p, Atom first, Atom second) {
  Arena *arena = to->prog->arena;
  Type t = atom_type(to->prog, first);
  Types types = {0};
  Atoms dims = t.rank == 1 ? atoms1(arena, p) : atoms2(arena, p, t.dims[1]);
  list_push(arena, &types, type_array_dims(arena, type_scalar(t.prim), dims));
  Exp e = {.form = FORM_CONCAT, .concat = {0, atoms2(arena, first, second)}};
  return atom_var(build_many(to, "blocks", types, e).at[0]);
}

// A sum of elements of x as they are.
static bool is_linear(const Jac *b, Atom of) {
  const JacAccess *view = jac_access(b, of);
  return view && !view->made && !view->parts.len;
}

typedef LIST(Nest *) Nests;

// All blocks, with as many columns as the largest have.
static BlocksResult nests_emit(Builder *to, Nests nests, bool second) {
  int across = 0;
  for (int i = 0; i < nests.len; i++)
    if (nests.at[i]->f.across > across) across = nests.at[i]->f.across;
  BlocksResult out = nest_emit(to, nests.at[0], across, second);
  for (int i = 1; i < nests.len; i++) {
    BlocksResult r = nest_emit(to, nests.at[i], across, second);
    out.p = build_op(to, OP_ADD, out.p, r.p);
    out.rows = stacked(to, out.p, out.rows, r.rows);
    out.columns = stacked(to, out.p, out.columns, r.columns);
    out.present = stacked(to, out.p, out.present, r.present);
    out.entries = stacked(to, out.p, out.entries, r.entries);
  }
  return out;
}

// The blocks of all ways.
static BlocksResult ways_emit(Builder *to, const struct jacobian_form *e, BlockWays ways,
                              bool second) {
  Arena *arena = to->prog->arena;
  Prim prim = atom_type(to->prog, e->args.at[0]).prim;
  const Body *body = &e->fn->body;
  Nests nests = {0};
  for (int i = 0; i < ways.len; i++) {
    Jac *b = blocks_open(to, e);
    const BlockTerm *first = &ways.at[i].at[0];
    b->way = ways.at[i];
    b->added = !second;
    blocks_stms(b, second ? blocks_needed(to->prog, body->stms, first) : body->stms);
    if (!b->failed && second && is_linear(b, first->of)) continue;
    Nest *nest = b->failed ? NULL : nest_begin(b, second ? first->of : body->results.at[0], second);
    if (b->failed) return nothing_known(to, prim);
    list_push(arena, &nests, nest);
  }
  return nests.len ? nests_emit(to, nests, second) : nothing_known(to, prim);
}

static BlocksResult second_derivatives(Builder *to, const struct jacobian_form *e) {
  Jac *b = blocks_open(to, e);
  const Body *body = &e->fn->body;
  return ways_emit(to, e, blocks_ways(to->prog, &b->varied, NULL, body, body->results.at[0]), true);
}

// Of the innermost of the maps that the result is made by.
static BlockWays ways_of_rows(Builder *to, const struct jacobian_form *e) {
  Jac *b = blocks_open(to, e);
  const Body *body = &e->fn->body;
  const Lambda *fn = NULL;
  Atom result = body->results.at[0];
  for (const Stm *stm = NULL; (stm = blocks_making(body, &result, true));) {
    fn = stm->exp.map.fn, body = &fn->body;
    for (int k = 0; k < stm->bound.len; k++)
      if (atom_is_var(result, stm->bound.at[k])) {
        result = body->results.at[k];
        break;
      }
  }
  return fn ? blocks_ways(to->prog, &b->varied, fn, body, result) : (BlockWays){0};
}

// ---- values that go to elements of the result
// One part of them, if they are concatenated from parts; of each block one row.
typedef struct {
  const struct jacobian_form *e;
  BlockTarget target;
  int part, row;
} Piece;

static Jac *piece_open(Builder *to, const Piece *piece) {
  Jac *b = blocks_open(to, piece->e);
  BlockTerm needed = {.of = piece->target.of};
  list_push(arena_of(b), &needed.factors, ((BlockFactor){OP_ADD, piece->target.target}));
  b->added = true;
  blocks_stms(b, blocks_needed(to->prog, piece->e->fn->body.stms, &needed));
  return b;
}

// The parts, where they are all of the view; 0: it is none of parts.
static int parts_of(const JacAccess *view) {
  bool whole = view && view->parts.len && !view->row && atom_is(view->first, 0) &&
               atom_is(view->step, 1);
  return whole ? view->parts.len : 0;
}

static Nest *piece_begin(Jac *b, const Piece *piece) {
  JacAccess *view = jac_access(b, piece->target.of);
  Atom start = atom_i64(0);
  if (piece->part >= 0) {
    if (piece->part > 0) start = view->parts.at[piece->part - 1].end;
    view = (JacAccess *)view->parts.at[piece->part].view;
  }
  bool made = view && view->made;
  b->failed = !view || (made ? view->at.len > 0 : view->dims.len != 1);
  if (b->failed) return NULL;
  Atoms at;
  Nest *nest = nest_open(b, made ? blocks_nest(b, view, true) : view->dims, &at);
  Atom value = made ? blocks_made(b, view, at, true) : blocks_element(b, view, at, true);
  Atoms results = b->failed ? (Atoms){0} : elements(b, value);
  if (b->failed) return NULL;
  nest->size = results.len;
  nest->f = block_fn(b, atoms_slice(results, piece->row, 1), false);
  Atom first = blocks_pre(b, OP_MUL, map_param(&nest->map, 0), atom_i64(results.len));
  Atom j = blocks_pre(b, OP_ADD, start, blocks_pre(b, OP_ADD, first, atom_i64(piece->row)));
  Atom target = piece->target.target;
  nest->row = atom_absent(target) ? j
                                  : build_index(&b->pre, rewrite_atom(&b->w, target),
                                                atoms1(arena_of(b), j));
  return nest;
}

// False: index expressions do not tell.
static bool target_nests(Builder *to, Piece piece, Nests *out) {
  const Jac *whole = piece_open(to, &piece);
  if (whole->failed) return false;
  const JacAccess *view = jac_access(whole, piece.target.of);
  int parts = parts_of(view);
  for (int k = parts ? 0 : -1; k < parts; k++) {
    int size = 1;
    if (parts && !view->parts.at[k].view) {
      if (varset_has_atom(&whole->inner, view->parts.at[k].array)) return false;
      continue;  // x has no part in it
    }
    for (int r = 0; r < size; r++) {
      Piece one = {piece.e, piece.target, k, r};
      Jac *b = piece_open(to, &one);
      Nest *nest = piece_begin(b, &one);
      if (b->failed) return false;
      size = nest->size;
      list_push(to->prog->arena, out, nest);
    }
  }
  return true;
}

static BlocksResult targets_emit(Builder *to, const struct jacobian_form *e) {
  Jac *b = blocks_open(to, e);
  BlockTargets targets = blocks_targets(to->prog, &b->varied, &e->fn->body);
  Nests nests = {0};
  bool known = true;
  for (int i = 0; i < targets.len && known; i++)
    known = target_nests(to, (Piece){.e = e, .target = targets.at[i]}, &nests);
  if (known && nests.len > 0 && nests.len <= MOST_NESTS) return nests_emit(to, nests, false);
  return nothing_known(to, atom_type(to->prog, e->args.at[0]).prim);
}

static BlocksResult first_derivatives(Builder *to, const struct jacobian_form *e) {
  Jac *b = blocks_open(to, e);
  blocks_stms(b, e->fn->body.stms);
  Nest *nest = b->failed ? NULL : nest_begin(b, e->fn->body.results.at[0], false);
  if (!b->failed) return nest_emit(to, nest, nest->f.across, false);
  BlockWays ways = ways_of_rows(to, e);
  return ways.len ? ways_emit(to, e, ways, false) : targets_emit(to, e);
}

// ---- the pass
static bool is_blocks(const Exp *e) { return e->form == FORM_JACOBIAN; }

bool jacobian_is_left(const Prog *prog) { return prog_has(prog, is_blocks); }

// Operators inside come first; index expressions do not pass calls.
static bool is_call(const Exp *e) { return e->form == FORM_APPLY; }
static bool is_operator(const Exp *e) {
  return e->form == FORM_JVP || e->form == FORM_VJP || e->form == FORM_DEPENDS || is_blocks(e);
}

static void expand_stm(Rewrite *w, const Stm *stm) {
  bool blocks = is_blocks(&stm->exp), call = blocks && exp_has(&stm->exp, is_call);
  if (!blocks || (!call && exp_has(&stm->exp, is_operator))) {
    rewrite_stm(w, stm);
    return;
  }
  Exp exp = rewrite_exp(w, &stm->exp);
  Type x = atom_type(w->to.prog, exp.jacobian.args.at[0]);
  bool second = exp.jacobian.fn->rets.at[0].rank == 0;
  if (!call) exp.jacobian.fn = blocks_sums_of_loops(&w->to, exp.jacobian.fn);
  BlocksResult r = call ? nothing_known(&w->to, x.prim)
                   : second ? second_derivatives(&w->to, &exp.jacobian)
                            : first_derivatives(&w->to, &exp.jacobian);
  if (!r.known.is_var && atom_is(r.known, 1) && !prog_may(w->to.prog, SWITCH_BLOCKS))
    r = nothing_known(&w->to, x.prim);
  Atom out[] = {r.known, r.added, r.p, r.k, r.q, r.rows, r.columns, r.cells, r.present, r.entries};
  for (int k = 0; k < 10; k++) rewrite_bind(w, stm->bound.at[k], out[k]);
}

// needs   functions under operators inlined
// leaves  no blocks but those with an operator inside
Prog *pass_jacobian(Prog *prog, Arena *arena) {
  Rewrite w = {.stm = expand_stm};
  return rewrite_prog(prog, arena, &w);
}
