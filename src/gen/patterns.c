// The forms `depends` and `blocks`: what elements of results depend on, and derivatives by index
// expressions.  Beside them the derivative they must agree with; assertions, which `dagaz fuzz`
// recognises by the beginning of their message, say when they do not.
#include "local.h"

// f = \x -> .. at x, of n elements; m results, or one number.
typedef struct {
  Lambda *fn;
  Atom x, n, m;
  bool second;  // a number: its Hessian is meant
} Function;

static Type vector(Gen *g, Prim p, Atom n) { return type_array(g->arena, type_scalar(p), n); }

static Atom flattened(Gen *g, Atom rows, Atom m) {
  Exp exp = {.form = FORM_RESHAPE, .reshape = {.array = rows, .dims = atoms_of(g->arena, 1, &m)}};
  g->b.attrs.unchecked = true;
  Atom flat = build(&g->b, "flat", vector(g, PRIM_F64, m), exp);
  g->b.attrs = (Attrs){0};
  return flat;
}

// A term of iteration i: elements of x near it, mixed.
static Atom term(Gen *g, const Function *f, Atom x, Atom i, Atom indices) {
  Atom r = gen_read1(g, x, gen_clamped(g, gen_near(g, i, f->n, indices), f->n));
  for (int k = (int)gen_random(g, 3); k > 0; k--)
    r = gen_mix(g, r, gen_read1(g, x, gen_clamped(g, gen_near(g, i, f->n, indices), f->n)));
  if (gen_chance(g, 30)) r = gen_mix(g, r, gen_scalar(g, PRIM_F64));
  return gen_chance(g, 20) ? gen_chosen(g, i, r, gen_read1(g, x, i)) : r;
}

// map (\i -> term), or two or three terms a row, flattened; or sums of terms.
static Atom rows_of_terms(Gen *g, const Function *f, Atom x, Atom indices, int across, Atom width) {
  GenOver o = gen_over_begin(g, f->n);
  if (width.is_var) {
    GenOver in = gen_over_begin(g, width);
    Atom at = build_op(&g->b, OP_MOD, build_op(&g->b, OP_ADD, o.i, in.i), f->n);
    Atom sum = gen_total(g, gen_over_end1(g, &in, gen_mix(g, term(g, f, x, at, indices),
                                                         gen_read1(g, x, o.i))));
    return gen_over_end1(g, &o, sum);
  }
  if (across == 1) return gen_over_end1(g, &o, term(g, f, x, o.i, indices));
  Exp row = {.form = FORM_LITERAL, .literal = {.prim = PRIM_F64}};
  for (int k = 0; k < across; k++)
    list_push(g->arena, &row.literal.elems, term(g, f, x, o.i, indices));
  Atom cells = build(&g->b, "row", vector(g, PRIM_F64, atom_i64(across)), row);
  return flattened(g, gen_over_end1(g, &o, cells), f->m);
}

static Function function(Gen *g, bool any) {
  Function f = {.n = gen_size(g), .second = !any && gen_chance(g, 30)};
  f.x = gen_array(g, PRIM_F64, f.n);
  Atom indices = gen_indices(g, f.n), width = gen_chance(g, 25) ? gen_size(g) : atom_i64(0);
  int across = f.second || width.is_var ? 1 : (int)gen_random(g, 3) + 1;
  any = any && gen_chance(g, 40);
  f.m = any ? f.n : build_op(&g->b, OP_MUL, f.n, atom_i64(across));
  Types params = {0}, wants = {0};
  list_push(g->arena, &params, vector(g, PRIM_F64, f.n));
  list_push(g->arena, &wants, vector(g, PRIM_F64, f.m));
  bool derivable = g->options.derivable, nested = g->options.nested;
  g->options.derivable = true, g->options.nested = false;
  g->nested++;
  LambdaBuilder lb = lambda_begin(&g->b, "x", params);
  GenMark mark = gen_enter(g, &lb);
  Atom x = atom_var(lb.lambda->params.at[0]), y;
  gen_know(g, x, ROOT_SHARED);
  if (any) y = gen_body(g, 4, wants).at[0];
  else y = rows_of_terms(g, &f, x, indices, across, width);
  if (f.second) y = gen_total(g, y);
  f.fn = lambda_end(&lb, atoms_of(g->arena, 1, &y));
  gen_leave(g, mark);
  g->nested--;
  g->options.derivable = derivable, g->options.nested = nested;
  return f;
}

// Fails where some of the cells, 0 or 1 each, is 1.
static void none_of(Gen *g, Atom cells, const char *message) {
  Atom zero = atom_i64(0), count = gen_total(g, cells);
  Exp exp = {.form = FORM_ASSERT,
             .assert = {.cond = build_op(&g->b, OP_EQ, count, zero), .message = message}};
  list_push(g->arena, &exp.assert.args, count);
  build_stm(&g->b, (Stm){.exp = exp});
}

static Atom is_small(Builder *b, Atom x, Atom most) {
  return build_op(b, OP_LE, build_op1(b, OP_ABS, x), most);
}

// J v, or H v.
static Atom derivative(Gen *g, const Function *f, Atom v) {
  Lambda *fn = lambda_copy(&g->b, f->fn);
  Type type = vector(g, PRIM_F64, f->n);
  if (f->second) {
    Types params = {0};
    list_push(g->arena, &params, type);
    LambdaBuilder lb = lambda_begin(&g->b, "z", params);
    Atom one = atom_number(PRIM_F64, 1);
    Exp vjp = {.form = FORM_VJP,
               .vjp = {.fn = fn, .seeds = atoms_of(g->arena, 1, &one),
                       .args = atoms_of_vars(g->arena, lb.lambda->params)}};
    Vars out = build_many(&lb.inner, "g", exp_types(g->prog, &vjp), vjp);
    Atom gradient = atom_var(out.at[1]);
    fn = lambda_end(&lb, atoms_of(g->arena, 1, &gradient));
  }
  Exp jvp = {.form = FORM_JVP,
             .jvp = {.fn = fn, .args = atoms_of(g->arena, 1, &f->x),
                     .tangents = atoms_of(g->arena, 1, &v)}};
  Vars out = build_many(&g->b, "d", exp_types(g->prog, &jvp), jvp);
  gen_know_fresh(g, out);
  return atom_var(out.at[1]);
}

// ---- depends: where an element of J v is not zero, some element of v that is not is marked
static void depends(Gen *g) {
  Function f = function(g, true);
  Prim u = PRIM_U64;
  if (f.second) return;
  GenOver o = gen_over_begin(g, f.n);
  Atom third = build_op(&g->b, OP_MOD, o.i, atom_i64(3));
  Atom in = build_op(&g->b, OP_EQ, third, atom_i64((int64_t)gen_random(g, 3)));
  Atom nothing = atom_scalar(scalar_int(u, 0)), bits = atom_scalar(scalar_int(u, 5));
  Atom two[] = {build_select(&g->b, in, atom_number(PRIM_F64, 1), atom_number(PRIM_F64, 0)),
                build_select(&g->b, in, bits, nothing)};
  Vars seeds = gen_over_end(g, &o, atoms_of(g->arena, 2, two));
  Atom v = atom_var(seeds.at[0]), marks = atom_var(seeds.at[1]), dy = derivative(g, &f, v);
  Exp exp = {.form = FORM_DEPENDS,
             .depends = {.fn = lambda_copy(&g->b, f.fn), .args = atoms_of(g->arena, 1, &f.x),
                         .marks = atoms_of(g->arena, 1, &marks)}};
  Atom on = atom_var(build_many(&g->b, "on", exp_types(g->prog, &exp), exp).at[0]);
  GenOver all = gen_over_begin(g, f.m);
  Builder *b = &g->b;
  Atom d = gen_read1(g, dy, all.i), mark = gen_read1(g, on, all.i);
  Atom none = build_op(b, OP_EQ, mark, nothing);
  Atom moves = build_op(b, OP_LT, atom_number(PRIM_F64, 0), build_op1(b, OP_ABS, d));
  Atom bad = build_op(b, OP_AND, none,
                      build_op(b, OP_AND, moves, is_small(b, d, atom_number(PRIM_F64, 1e300))));
  bad = build_select(b, bad, atom_i64(1), atom_i64(0));
  none_of(g, gen_over_end1(g, &all, bad), "depends: %d derivatives without a mark");
}

// ---- blocks
typedef struct {
  Atom known, p, k, q, rows, columns, cells, present, entries;
} Parts;

static Var part(Gen *g, Vars *out, const char *hint, Prim p, int rank, Atom n, Atom m) {
  Atom dims[] = {n, m};
  Type t = type_array_dims(g->arena, type_scalar(p), atoms_of(g->arena, rank, dims));
  list_push(g->arena, out, var_new(g->prog, hint, t));
  return out->at[out->len - 1];
}

static Parts blocks_of(Gen *g, const Function *f) {
  Vars out = {0};
  Atom absent = atom_i64(0);  // no dimension
  Parts r = {.known = atom_var(part(g, &out, "known", PRIM_BOOL, 0, absent, absent))};
  part(g, &out, "added", PRIM_BOOL, 0, absent, absent);
  r.p = atom_var(part(g, &out, "p", PRIM_I64, 0, absent, absent));
  r.k = atom_var(part(g, &out, "k", PRIM_I64, 0, absent, absent));
  r.q = atom_var(part(g, &out, "q", PRIM_I64, 0, absent, absent));
  r.rows = atom_var(part(g, &out, "rows", PRIM_I64, 1, r.p, absent));
  r.columns = atom_var(part(g, &out, "columns", PRIM_I64, 2, r.p, r.k));
  r.cells = atom_var(part(g, &out, "cells", PRIM_I64, 1, r.q, absent));
  r.present = atom_var(part(g, &out, "present", PRIM_BOOL, 2, r.p, r.q));
  r.entries = atom_var(part(g, &out, "entries", PRIM_F64, 2, r.p, r.q));
  Exp exp = {.form = FORM_JACOBIAN,
             .jacobian = {.fn = lambda_copy(&g->b, f->fn), .args = atoms_of(g->arena, 1, &f->x)}};
  build_stm(&g->b, (Stm){.bound = out, .exp = exp});
  return r;
}

static Atom within(Builder *b, Atom i, Atom n) {
  Atom last = build_op(b, OP_SUB, n, atom_i64(1));
  return build_op(b, OP_MAX, atom_i64(0), build_op(b, OP_MIN, i, last));
}

// Number t of the entries: the row it is added to, what is added, how large that is.
static Atoms contribution(Gen *g, const Function *f, const Parts *r, Atom v, Builder *b, Atom t) {
  Atom i = build_op(b, OP_QUOT, t, r->q), c = build_op(b, OP_REM, t, r->q);
  Atom at[] = {i, c}, cell = build_index(b, r->cells, atoms_of(g->arena, 1, &c));
  Atom high = build_op(b, OP_QUOT, cell, r->k), low = build_op(b, OP_REM, cell, r->k);
  Atom column = build_index(b, r->columns, atoms_of(g->arena, 2, (Atom[]){i, low}));
  Atom first = build_index(b, r->rows, atoms_of(g->arena, 1, &i));
  Atom row = f->second ? build_index(b, r->columns, atoms_of(g->arena, 2, (Atom[]){i, high}))
                       : build_op(b, OP_ADD, first, high);
  Atom here = build_index(b, r->present, atoms_of(g->arena, 2, at));
  Atom entry = build_index(b, r->entries, atoms_of(g->arena, 2, at));
  here = build_op(b, OP_AND, here, build_op(b, OP_LE, atom_i64(0), column));
  Atom place = within(b, column, f->n);
  Atom product = build_op(b, OP_MUL, entry, build_index(b, v, atoms_of(g->arena, 1, &place)));
  product = build_select(b, here, product, atom_number(PRIM_F64, 0));
  return atoms_of(g->arena, 3, (Atom[]){row, product, build_op1(b, OP_ABS, product)});
}

// (a, b) + (c, d)
static Lambda *sums(Gen *g, Builder *b) {
  Types four = {0};
  for (int i = 0; i < 4; i++) list_push(g->arena, &four, type_scalar(PRIM_F64));
  LambdaBuilder lb = lambda_begin(b, "t", four);
  Atoms x = atoms_of_vars(g->arena, lb.lambda->params);
  Atom out[] = {build_op(&lb.inner, OP_ADD, x.at[0], x.at[2]),
                build_op(&lb.inner, OP_ADD, x.at[1], x.at[3])};
  return lambda_end(&lb, atoms_of(g->arena, 2, out));
}

// All entries times v, added up, and their sizes.
static Vars added_up(Gen *g, const Function *f, const Parts *r, Atom v, Builder *b) {
  Atom width = build_op(b, OP_MUL, r->p, r->q), zero = atom_number(PRIM_F64, 0), dests[2];
  for (int i = 0; i < 2; i++) dests[i] = build_replicate(b, atoms_of(g->arena, 1, &f->m), zero);
  Types number = {0};
  list_push(g->arena, &number, type_scalar(PRIM_I64));
  Atom iota = build_iota(b, width);
  LambdaBuilder lb = lambda_begin(b, "t", number);
  Atom t = atom_var(lb.lambda->params.at[0]);
  Lambda *fn = lambda_end(&lb, contribution(g, f, r, v, &lb.inner, t));
  Exp exp = {.form = FORM_HIST,
             .hist = {.width = width, .rank = 1, .dests = atoms_of(g->arena, 2, dests),
                      .neutral = atoms_of(g->arena, 2, (Atom[]){zero, zero}), .op = sums(g, b),
                      .fn = fn, .inputs = atoms_of(g->arena, 1, &iota)}};
  return build_many(b, "y", exp_types(g->prog, &exp), exp);
}

static void blocks(Gen *g) {
  Function f = function(g, false);
  Atom v = gen_array(g, PRIM_F64, f.n), dy = derivative(g, &f, v);
  Parts r = blocks_of(g, &f);
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &r.known)}};
  Case yes = {.pats = {0}}, no = {.pats = {0}};
  list_push(g->arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  Builder then = builder_new(g->prog, &yes.body.stms), other = builder_new(g->prog, &no.body.stms);
  yes.body.results = atoms_of_vars(g->arena, added_up(g, &f, &r, v, &then));
  Atom same[] = {build_copy(&other, dy),
                 build_replicate(&other, atoms_of(g->arena, 1, &f.m), atom_number(PRIM_F64, 0))};
  no.body.results = atoms_of(g->arena, 2, same);
  list_push(g->arena, &exp.match.cases, yes);
  list_push(g->arena, &exp.match.cases, no);
  Types types = {0};
  for (int i = 0; i < 2; i++) list_push(g->arena, &types, vector(g, PRIM_F64, f.m));
  Vars y = build_many(&g->b, "y", types, exp);
  gen_know(g, atom_var(y.at[0]), gen_root(g));
  GenOver all = gen_over_begin(g, f.m);
  Builder *b = &g->b;
  Atom d = gen_read1(g, dy, all.i), size = gen_read1(g, atom_var(y.at[1]), all.i);
  Atom off = build_op(b, OP_SUB, gen_read1(g, atom_var(y.at[0]), all.i), d);
  Atom most = build_op(b, OP_ADD, size, build_op1(b, OP_ABS, d));
  most = build_op(b, OP_ADD, atom_number(PRIM_F64, 1), most);
  most = build_op(b, OP_MUL, atom_number(PRIM_F64, 1e-6), most);
  Atom bad = build_op(b, OP_AND, is_small(b, off, atom_number(PRIM_F64, 1e300)),
                      build_op1(b, OP_NOT, is_small(b, off, most)));
  bad = build_select(b, bad, atom_i64(1), atom_i64(0));
  none_of(g, gen_over_end1(g, &all, bad), "blocks: %d derivatives differ");
}

// Not in each other, nor in derivatives.
bool gen_stm_patterns(Gen *g) {
  if (!g->options.nested || g->nested || g->depth > 1 || gen_real(g) != PRIM_F64) return false;
  if (gen_chance(g, 40)) depends(g);
  else blocks(g);
  return true;
}
