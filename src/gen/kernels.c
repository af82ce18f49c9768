// Nests of loops over arrays, as programs and their derivatives have them and single statements
// rarely make together: gathers and stencils, products, convolutions, sums over rows, loops that
// fill in place, updates of slices, rows of uneven length, bodies long enough for vector code.
#include "local.h"

// ---- shared with scatters.c
GenOver gen_over_begin(Gen *g, Atom n) {
  GenOver o = {.n = n, .iota = build_iota(&g->b, n)};
  Types params = {0};
  list_push(g->arena, &params, type_scalar(PRIM_I64));
  o.lb = lambda_begin(&g->b, "i", params);
  o.mark = gen_enter(g, &o.lb);
  o.i = atom_var(o.lb.lambda->params.at[0]);
  gen_know_below(g, o.i, n);
  return o;
}

Vars gen_over_end(Gen *g, GenOver *o, Atoms results) {
  Lambda *fn = lambda_end(&o->lb, results);
  gen_leave(g, o->mark);
  Exp exp = {.form = FORM_MAP,
             .map = {.width = o->n, .fn = fn, .inputs = atoms_of(g->arena, 1, &o->iota)}};
  Vars vars = build_many(&g->b, "k", exp_types(g->prog, &exp), exp);
  gen_know_fresh(g, vars);
  return vars;
}

Atom gen_over_end1(Gen *g, GenOver *o, Atom result) {
  return atom_var(gen_over_end(g, o, atoms_of(g->arena, 1, &result)).at[0]);
}

Atom gen_array(Gen *g, Prim p, Atom n) {
  return gen_value(g, type_array(g->arena, type_scalar(p), n));
}

Atom gen_matrix(Gen *g, Prim p, Atom n, Atom m) {
  Type row = type_array(g->arena, type_scalar(p), m);
  return gen_value(g, type_array(g->arena, row, n));
}

Atom gen_read1(Gen *g, Atom array, Atom i) {
  return build_index(&g->b, array, atoms_of(g->arena, 1, &i));
}
Atom gen_read2(Gen *g, Atom array, Atom i, Atom j) {
  return build_index(&g->b, array, atoms_of(g->arena, 2, (Atom[]){i, j}));
}

// Made before the nest begins.
Atom gen_indices(Gen *g, Atom n) {
  Known *k = gen_pick_type(g, type_array(g->arena, type_scalar(PRIM_I64), n));
  if (k && gen_chance(g, 85)) return k->atom;
  GenOver o = gen_over_begin(g, n);
  Atom x = build_op(&g->b, OP_MUL, o.i, atom_i64(gen_random(g, 5) + 1));
  return gen_over_end1(g, &o, build_op(&g->b, OP_MOD, x, atom_i64(gen_random(g, 6) + 1)));
}

// Near counter i of n: shifted, mirrored, spread, halved, loaded, loaded and shifted; any i64.
Atom gen_near(Gen *g, Atom i, Atom n, Atom indices) {
  Builder *b = &g->b;
  Atom c = atom_i64((int64_t)gen_random(g, 4));
  switch (gen_random(g, 11)) {
  case 0: return i;
  case 1: return build_op(b, OP_ADD, i, c);
  case 2: return build_op(b, OP_SUB, i, c);
  case 3: return build_op(b, OP_SUB, build_op(b, OP_SUB, n, atom_i64(1)), i);
  case 4: return build_op(b, OP_ADD, build_op(b, OP_MUL, i, atom_i64(2)), c);
  case 5: return build_op(b, OP_QUOT, i, atom_i64(2));
  case 6: return build_op(b, OP_MUL, i, c);
  case 7: return build_op(b, OP_MOD, i, atom_i64(gen_random(g, 4) + 1));
  case 8: return gen_read1(g, indices, i);
  case 9: return build_op(b, OP_ADD, gen_read1(g, indices, i), i);
  default: return build_op(b, OP_ADD, gen_read1(g, indices, i), gen_scalar(g, PRIM_I64));
  }
}

// Into 0 .. n-1; n is not 0 where this runs.
Atom gen_clamped(Gen *g, Atom x, Atom n) {
  Builder *b = &g->b;
  Atom last = build_op(b, OP_SUB, n, atom_i64(1));
  Atom r = gen_chance(g, 50)
               ? build_op(b, OP_MOD, x, n)
               : build_op(b, OP_MAX, atom_i64(0), build_op(b, OP_MIN, x, last));
  if (r.is_var) gen_know_below(g, r, n);
  return r;
}

// For two numbers; floats stay small.
Atom gen_mix(Gen *g, Atom x, Atom y) {
  static const Op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_MUL};
  Builder *b = &g->b;
  Prim p = atom_type(g->prog, x).prim;
  Atom r = build_op(b, ops[gen_random(g, COUNT_OF(ops))], x, y);
  if (prim_is_float(p) && gen_chance(g, 25))
    r = build_op1(b, gen_chance(g, 50) ? OP_TANH : OP_SIN, r);
  if (p == gen_real(g) || gen_chance(g, 30)) gen_know(g, r, 0);
  return r;
}

// x, or y where the test on an integer says so: as a selection or as a branch.
Atom gen_chosen(Gen *g, Atom test, Atom x, Atom y) {
  Atom c = build_op(&g->b, OP_LT, build_op(&g->b, OP_MOD, test, atom_i64(3)), atom_i64(1));
  if (gen_chance(g, 50)) return build_select(&g->b, c, x, y);
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &c)}};
  Case yes = {.pats = {0}}, no = {.pats = {0}};
  list_push(g->arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  Builder saved = g->b;
  int known = g->known.len;
  g->b.stms = &yes.body.stms;
  Atom then = gen_mix(g, x, y);
  list_push(g->arena, &yes.body.results, then);
  g->known.len = known;
  g->b = saved;
  list_push(g->arena, &no.body.results, y);
  list_push(g->arena, &exp.match.cases, yes);
  list_push(g->arena, &exp.match.cases, no);
  return build(&g->b, "c", atom_type(g->prog, x), exp);
}

// reduce (+) 0 xs, or a loop that adds.
Atom gen_total(Gen *g, Atom xs) {
  Type t = atom_type(g->prog, xs), one = type_row(t);
  Atom zero = atom_number(t.prim, 0);
  Exp exp = {.form = FORM_REDUCE,
             .reduce = {.width = t.dims[0],
                        .comm = gen_chance(g, 50),
                        .op = lambda_binop(g->prog, OP_ADD, t.prim),
                        .neutral = atoms_of(g->arena, 1, &zero),
                        .inputs = atoms_of(g->arena, 1, &xs)}};
  return build(&g->b, "sum", one, exp);
}

// ---- loops: for i < n with scalars carried on
GenLoop gen_loop_begin(Gen *g, Atom n, Atoms inits) {
  GenLoop l = {.n = n, .inits = inits};
  Types params = {0};
  list_push(g->arena, &params, type_scalar(PRIM_I64));
  for (int k = 0; k < inits.len; k++) {
    Type t = atom_type(g->prog, inits.at[k]);
    t.unique = t.rank > 0;
    list_push(g->arena, &params, t);
  }
  l.lb = lambda_begin(&g->b, "s", params);
  l.mark = gen_enter(g, &l.lb);
  Vars vars = l.lb.lambda->params;
  l.i = atom_var(vars.at[0]);
  gen_know_below(g, l.i, n);
  for (int k = 0; k < inits.len; k++) list_push(g->arena, &l.state, atom_var(vars.at[k + 1]));
  return l;
}

Vars gen_loop_end(Gen *g, GenLoop *l, Atoms next) {
  Types types = {0};
  for (int k = 0; k < next.len; k++)
    list_push(g->arena, &types, var_type(g->prog, l->lb.lambda->params.at[k + 1]));
  Lambda *fn = lambda_end(&l->lb, next);
  gen_leave(g, l->mark);
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = l->n, .inits = l->inits, .fn = fn}};
  g->b.attrs = gen_loop_attrs(g, &exp);
  Vars vars = build_many(&g->b, "s", types, exp);
  g->b.attrs = (Attrs){0};
  return vars;
}

// ---- the kernels -------------------------------------------------------------------------------
// map (\i -> xs[near i] . ys[near i]), xs[is[js[i]]] among them
static void stencil(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g);
  Atom xs = gen_array(g, p, n), ys = gen_array(g, p, n), is = gen_indices(g, n);
  GenOver o = gen_over_begin(g, n);
  Atom at = gen_clamped(g, gen_near(g, o.i, n, is), n);
  if (gen_chance(g, 20)) at = gen_clamped(g, gen_read1(g, is, at), n);
  Atom x = gen_read1(g, xs, at), y = gen_read1(g, ys, gen_clamped(g, gen_near(g, o.i, n, is), n));
  Atom r = gen_mix(g, x, gen_mix(g, y, gen_read1(g, xs, o.i)));
  if (gen_chance(g, 40)) r = gen_chosen(g, o.i, r, y);
  if (gen_chance(g, 30)) gen_statements(g, 3);
  gen_over_end(g, &o, atoms_of(g->arena, 2, (Atom[]){r, gen_scalar(g, gen_real(g))}));
}

// c[i,j] = sum_k a[i,k] b[k,j], or a[k,i], or b[j,k]
static void product(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), m = gen_size(g), k = gen_size(g);
  bool ta = gen_chance(g, 40), tb = gen_chance(g, 40);
  Atom a = ta ? gen_matrix(g, p, k, n) : gen_matrix(g, p, n, k);
  Atom b = tb ? gen_matrix(g, p, m, k) : gen_matrix(g, p, k, m);
  GenOver oi = gen_over_begin(g, n), oj = gen_over_begin(g, m), ok = {0};
  GenLoop l = {0};
  Atom zero = atom_number(p, 0), sum;
  bool loop = gen_chance(g, 40);
  if (loop) l = gen_loop_begin(g, k, atoms_of(g->arena, 1, &zero));
  else ok = gen_over_begin(g, k);
  Atom q = loop ? l.i : ok.i;
  Atom x = ta ? gen_read2(g, a, q, oi.i) : gen_read2(g, a, oi.i, q);
  Atom y = tb ? gen_read2(g, b, oj.i, q) : gen_read2(g, b, q, oj.i);
  Atom xy = build_op(&g->b, OP_MUL, x, y);
  if (loop) {
    Atom next = build_op(&g->b, OP_ADD, l.state.at[0], xy);
    sum = atom_var(gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)).at[0]);
  } else sum = gen_total(g, gen_over_end1(g, &ok, xy));
  gen_over_end1(g, &oi, gen_over_end1(g, &oj, sum));
}

// if there then x[at..] else 0
static Atom read_if(Gen *g, Atom there, Atom x, Atoms at) {
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &there)}};
  Case yes = {.pats = {0}}, no = {.pats = {0}};
  list_push(g->arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  Builder saved = g->b;
  g->b.stms = &yes.body.stms;
  Atom value = build_index(&g->b, x, at);
  g->b = saved;
  Type t = atom_type(g->prog, value);
  Atom zero = atom_number(t.prim, 0);
  list_push(g->arena, &yes.body.results, value);
  list_push(g->arena, &no.body.results, zero);
  list_push(g->arena, &exp.match.cases, yes);
  list_push(g->arena, &exp.match.cases, no);
  return build(&g->b, "c", t, exp);
}

static Atom read_padded(Gen *g, Atom x, Atom c, Atom at) {
  Atom before = build_op(&g->b, OP_SUB, at, atom_i64(1));
  Atom there = build_op(&g->b, OP_LE, atom_i64(0), before);
  return read_if(g, there, x, atoms_of(g->arena, 2, (Atom[]){c, before}));
}

// An array of n * by + 4 numbers.
static Atom multiple(Gen *g, Prim p, Atom n, Atom by) {
  Builder *b = &g->b;
  Atom size = build_op(b, OP_ADD, build_op(b, OP_MUL, n, by), atom_i64(4)), s = gen_scalar(g, p);
  GenOver o = gen_over_begin(g, size);
  return gen_over_end1(g, &o,
                       gen_mix(g, s, build_conv(b, p, build_op(b, OP_MOD, o.i, atom_i64(4)))));
}

// s[i] of x[(i + c) / by] and the next; of x[by i + c] and the next two; or
// s[i] = sum_j if t >= 0 and t mod by = 0 then x[t / by] w[j], t = i - j: a transposed convolution
static void resampled(Gen *g) {
  Prim p = gen_number(g);
  Builder *b = &g->b;
  Atom n = gen_size(g), by = atom_i64(2 + gen_random(g, 2)), c = atom_i64(gen_random(g, 2));
  Atom x = multiple(g, p, n, by), wide = build_op(b, OP_ADD, build_op(b, OP_MUL, n, by), c);
  unsigned kind = gen_random(g, 3);
  Atom k = gen_size(g), w = gen_array(g, p, k);
  GenOver o = gen_over_begin(g, kind == 1 ? n : wide);
  if (kind == 2) {
    GenOver oj = gen_over_begin(g, k);
    Atom t = build_op(b, OP_SUB, o.i, oj.i), at = build_op(b, OP_DIV, t, by);
    Atom whole = build_op(b, OP_EQ, build_op(b, OP_MOD, t, by), atom_i64(0));
    Atom there = build_op(b, OP_AND, build_op(b, OP_LE, atom_i64(0), t), whole);
    Atom read = read_if(g, there, x, atoms_of(g->arena, 1, &at));
    Atom xw = build_op(b, OP_MUL, read, gen_read1(g, w, oj.i));
    gen_over_end1(g, &o, gen_total(g, gen_over_end1(g, &oj, xw)));
    return;
  }
  Atom at = kind ? build_op(b, OP_ADD, build_op(b, OP_MUL, o.i, by), c)
                 : build_op(b, OP_DIV, build_op(b, OP_ADD, o.i, c), by);
  Atom first = gen_read1(g, x, at), next = gen_read1(g, x, build_op(b, OP_ADD, at, atom_i64(1)));
  if (kind) next = gen_mix(g, next, gen_read1(g, x, build_op(b, OP_ADD, at, atom_i64(2))));
  gen_over_end1(g, &o, gen_chosen(g, o.i, first, gen_mix(g, first, next)));
}

// s[i] = sum_c sum_j x[c, a i + b j] w[c,j], perhaps with more work there: a convolution in steps,
// with a dilated kernel, over several channels; or each channel by itself; or one of those above
static void convolved(Gen *g) {
  if (gen_chance(g, 80)) {
    resampled(g);
    return;
  }
  Prim p = gen_number(g);
  Builder *b = &g->b;
  Atom n = gen_size(g), k = gen_size(g), c = gen_size(g), w = gen_matrix(g, p, c, k);
  Atom step = atom_i64(1 + gen_random(g, 3)), spread = atom_i64(1 + gen_random(g, 3));
  Atom size = build_op(b, OP_ADD, build_op(b, OP_MUL, n, step), build_op(b, OP_MUL, k, spread));
  Atom s = gen_scalar(g, p);
  GenOver oc = gen_over_begin(g, c), oq = gen_over_begin(g, size);
  Atom q = build_conv(b, p, build_op(b, OP_MOD, build_op(b, OP_ADD, oq.i, oc.i), atom_i64(4)));
  Atom x = gen_over_end1(g, &oc, gen_over_end1(g, &oq, gen_mix(g, s, q)));
  bool all = gen_chance(g, 60);
  GenOver oi = gen_over_begin(g, n), od = gen_over_begin(g, c), oj = gen_over_begin(g, k);
  Atom at = build_op(b, OP_ADD, build_op(b, OP_MUL, oi.i, step), build_op(b, OP_MUL, oj.i, spread));
  Atom read = gen_chance(g, 40) ? read_padded(g, x, od.i, at) : gen_read2(g, x, od.i, at);
  Atom xw = build_op(b, OP_MUL, read, gen_read2(g, w, od.i, oj.i));
  Atom sum = gen_total(g, gen_over_end1(g, &oj, xw));
  if (!all) sum = gen_mix(g, sum, s);
  Atom sums = gen_over_end1(g, &od, sum);
  gen_over_end1(g, &oi, all ? gen_mix(g, gen_total(g, sums), s) : sums);
}

// t[i,j] = x[i] y[j], then read along rows or columns
static void outer_product(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), m = gen_size(g), xs = gen_array(g, p, n), ys = gen_array(g, p, m);
  Atom zs = gen_matrix(g, p, n, m);
  GenOver oi = gen_over_begin(g, n), oj = gen_over_begin(g, m);
  Atom t = gen_mix(g, gen_read1(g, xs, oi.i), gen_read1(g, ys, oj.i));
  if (gen_chance(g, 50)) t = gen_mix(g, t, gen_read2(g, zs, oi.i, oj.i));
  Atom ts = gen_over_end1(g, &oi, gen_over_end1(g, &oj, t));
  if (gen_chance(g, 30)) return;
  bool columns = gen_chance(g, 60), sum = gen_chance(g, 40);
  GenOver ou = gen_over_begin(g, columns ? m : n), ov = gen_over_begin(g, columns ? n : m);
  Atom u = columns ? gen_read2(g, ts, ov.i, ou.i) : gen_read2(g, ts, ou.i, ov.i);
  u = gen_mix(g, u, columns ? gen_read1(g, xs, ov.i) : gen_read1(g, ys, ov.i));
  Atom us = gen_over_end1(g, &ov, u);
  gen_over_end1(g, &ou, sum ? gen_total(g, us) : us);
}

// A loop that fills an array at i, n-1-i or elsewhere from its own last elements; a map reads it.
static void fill(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), is = gen_indices(g, n);
  Type type = type_array(g->arena, type_scalar(p), n);
  Atom dest = build_copy(&g->b, gen_value(g, type));
  Atom last = build_op(&g->b, OP_SUB, n, atom_i64(1));
  bool back = gen_chance(g, 40), wild = gen_chance(g, 25);
  GenLoop l = gen_loop_begin(g, n, atoms_of(g->arena, 2, (Atom[]){dest, atom_number(p, 1)}));
  Atom at = back ? build_op(&g->b, OP_SUB, last, l.i) : l.i;
  if (wild) at = gen_clamped(g, gen_near(g, l.i, n, is), n);
  Atom v = gen_mix(g, gen_read1(g, xs, l.i), l.state.at[1]);
  if (gen_chance(g, 40)) {
    Atom near = build_op(&g->b, back ? OP_ADD : OP_SUB, at, atom_i64(1));
    v = gen_mix(g, v, gen_read1(g, l.state.at[0], gen_clamped(g, near, n)));
  }
  if (gen_chance(g, 30)) v = gen_chosen(g, l.i, v, l.state.at[1]);
  if (prim_is_float(p)) v = build_op1(&g->b, OP_TANH, v);
  Atom next = build_update(&g->b, l.state.at[0], atoms_of(g->arena, 1, &at), v);
  Atom carried = gen_chance(g, 70) ? v : l.state.at[1];
  Vars filled = gen_loop_end(g, &l, atoms_of(g->arena, 2, (Atom[]){next, carried}));
  gen_know_fresh(g, filled);
  Atom ys = atom_var(filled.at[0]);
  GenOver o = gen_over_begin(g, n);
  Atom y = gen_read1(g, ys, o.i), z = gen_read1(g, ys, build_op(&g->b, OP_SUB, last, o.i));
  gen_over_end1(g, &o, gen_chance(g, 60) ? gen_mix(g, y, gen_read1(g, xs, o.i)) : gen_mix(g, z, y));
}

// scan, then a map that reads the sums at i and elsewhere
static void scanned(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), ys = gen_array(g, p, n), is = gen_indices(g, n);
  Atom zero = atom_number(p, 0);
  Exp exp = {.form = FORM_SCAN,
             .scan = {.width = n,
                      .op = lambda_binop(g->prog, OP_ADD, p),
                      .neutral = atoms_of(g->arena, 1, &zero),
                      .inputs = atoms_of(g->arena, 1, &xs)}};
  Atom ss = build(&g->b, "ss", type_array(g->arena, type_scalar(p), n), exp);
  gen_know(g, ss, gen_root(g));
  GenOver o = gen_over_begin(g, n);
  Atom r = gen_mix(g, gen_read1(g, ss, o.i), gen_read1(g, ys, o.i));
  if (gen_chance(g, 40))
    r = gen_mix(g, r, gen_read1(g, ss, gen_clamped(g, gen_near(g, o.i, n, is), n)));
  Atom rs = gen_over_end1(g, &o, r);
  if (gen_chance(g, 50)) gen_know(g, gen_total(g, rs), 0);
}

// a[part] = map f xs[part], for halves, every other element, backwards
static SliceDim part_of(Gen *g, Atom n) {
  Builder *b = &g->b;
  Atom two = atom_i64(2), half = build_op(b, OP_QUOT, n, two);
  Atom more = build_op(b, OP_QUOT, build_op(b, OP_ADD, n, atom_i64(1)), two);
  Atom last = build_op(b, OP_SUB, n, atom_i64(1)), zero = atom_i64(0), one = atom_i64(1);
  switch (gen_random(g, 5)) {
  case 0: return (SliceDim){.start = zero, .count = half, .stride = one};
  case 1: return (SliceDim){.start = half, .count = half, .stride = one};
  case 2: return (SliceDim){.start = zero, .count = more, .stride = two};
  case 3: return (SliceDim){.start = last, .count = more, .stride = atom_i64(-2)};
  default: return (SliceDim){.start = zero, .count = n, .stride = one};
  }
}

static void slices(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n);
  Type type = type_array(g->arena, type_scalar(p), n);
  Atom a = build_copy(&g->b, gen_value(g, type));
  for (int times = (int)gen_random(g, 3) + 1; times > 0; times--) {
    Slice slice = {0};
    list_push(g->arena, &slice, part_of(g, n));
    SliceDim d = slice.at[0];
    Exp part = {.form = FORM_INDEX, .index = {.array = gen_chance(g, 50) ? a : xs, .slice = slice}};
    Type row = type_array(g->arena, type_scalar(p), d.count);
    Atom old = build(&g->b, "old", row, part);
    GenOver o = gen_over_begin(g, d.count);
    Atom v = gen_over_end1(g, &o, gen_mix(g, gen_read1(g, old, o.i), gen_read1(g, xs, o.i)));
    Exp exp = {.form = FORM_UPDATE, .update = {.array = a, .slice = slice, .value = v}};
    a = build(&g->b, "a", type, exp);
  }
  gen_know(g, a, gen_root(g));
}

// Bodies for vector code: loops inside, branches, small arrays of each iteration's own.
static Atom small_array(Gen *g, Atom x, Prim p) {
  Atom four = atom_i64((int64_t)gen_random(g, 3) + 2), zero = atom_number(p, 0);
  GenOver o = gen_over_begin(g, four);
  Atom t = gen_mix(g, x, build_conv(&g->b, p, o.i));
  Atom ts = gen_over_end1(g, &o, t);
  if (gen_chance(g, 60)) {
    GenLoop l =
        gen_loop_begin(g, four, atoms_of(g->arena, 2, (Atom[]){build_copy(&g->b, ts), zero}));
    Atom at = gen_clamped(g, build_op(&g->b, OP_ADD, l.i, atom_i64(1)), four);
    Atom v = gen_mix(g, gen_read1(g, l.state.at[0], at), l.state.at[1]);
    if (prim_is_float(p)) v = build_op1(&g->b, OP_TANH, v);
    Atom next = build_update(&g->b, l.state.at[0], atoms_of(g->arena, 1, &l.i), v);
    ts = atom_var(gen_loop_end(g, &l, atoms_of(g->arena, 2, (Atom[]){next, v})).at[0]);
  }
  return gen_total(g, ts);
}

static void strip(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), m = gen_size(g), is = gen_indices(g, n);
  Atom xs = gen_matrix(g, p, n, m), ys = gen_array(g, p, m), zs = gen_array(g, p, n);
  GenOver o = gen_over_begin(g, n);
  Atom z = gen_read1(g, zs, gen_chance(g, 70) ? o.i : gen_clamped(g, gen_near(g, o.i, n, is), n));
  GenLoop l = gen_loop_begin(g, m, atoms_of(g->arena, 2, (Atom[]){z, atom_number(p, 0)}));
  Atom x = gen_chance(g, 50) ? gen_read2(g, xs, o.i, l.i) : gen_read1(g, ys, l.i);
  Atom s = gen_mix(g, x, l.state.at[0]), t = gen_mix(g, l.state.at[1], s);
  if (gen_chance(g, 40)) s = gen_chosen(g, gen_chance(g, 50) ? o.i : l.i, s, t);
  if (prim_is_float(p)) s = build_op1(&g->b, OP_TANH, s), t = build_op1(&g->b, OP_TANH, t);
  Vars ends = gen_loop_end(g, &l, atoms_of(g->arena, 2, (Atom[]){s, t}));
  Atom r = gen_mix(g, atom_var(ends.at[0]), atom_var(ends.at[1]));
  if (gen_chance(g, 40)) r = gen_mix(g, r, small_array(g, z, p));
  if (gen_chance(g, 30)) gen_statements(g, 4);
  gen_over_end(g, &o, atoms_of(g->arena, 2, (Atom[]){r, gen_scalar(g, gen_real(g))}));
}

// Rows of uneven length: xs[0:i], xs[i:n], loops of is[i] mod n rounds
static void uneven(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), is = gen_indices(g, n), zero = atom_number(p, 0);
  GenOver o = gen_over_begin(g, n);
  Atom count = gen_chance(g, 50) ? o.i : gen_clamped(g, gen_read1(g, is, o.i), n), r;
  if (gen_chance(g, 50)) {
    Slice slice = {0};
    Atom rest = build_op(&g->b, OP_SUB, n, count);
    bool front = gen_chance(g, 50);
    list_push(g->arena, &slice,
              (SliceDim){.start = front ? atom_i64(0) : count,
                         .count = front ? count : rest,
                         .stride = atom_i64(1)});
    Exp part = {.form = FORM_INDEX, .index = {.array = xs, .slice = slice}};
    Type type = type_array(g->arena, type_scalar(p), slice.at[0].count);
    r = gen_total(g, build(&g->b, "row", type, part));
  } else {
    GenLoop l = gen_loop_begin(g, count, atoms_of(g->arena, 1, &zero));
    Atom next = gen_mix(g, l.state.at[0], gen_read1(g, xs, l.i));
    if (prim_is_float(p)) next = build_op1(&g->b, OP_TANH, next);
    r = atom_var(gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)).at[0]);
  }
  gen_over_end1(g, &o, gen_mix(g, r, gen_read1(g, xs, o.i)));
}

// unflatten (map f (flatten xs))
static void flattened(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), m = gen_size(g), xs = gen_matrix(g, p, n, m);
  Atom nm = build_op(&g->b, OP_MUL, n, m), dims[] = {n, m};
  Exp flat = {.form = FORM_RESHAPE,
              .reshape = {.array = xs, .dims = atoms_of(g->arena, 1, &nm)}};
  Atom ys = build(&g->b, "flat", type_array(g->arena, type_scalar(p), nm), flat);
  GenOver o = gen_over_begin(g, nm);
  Atom zs = gen_over_end1(g, &o, gen_mix(g, gen_read1(g, ys, o.i), build_conv(&g->b, p, o.i)));
  Exp back = {.form = FORM_RESHAPE, .reshape = {.array = zs, .dims = atoms_of(g->arena, 2, dims)}};
  gen_know(g, build(&g->b, "back", atom_type(g->prog, xs), back), gen_roots_of(g, zs));
}

// for s < k: three arrays by a map, from one number per element: what loops tape in their place.
// The arrays stay; elements are near ones, or their own.
static Lambda *population(Gen *g, Atom n, Atom indices) {
  Types rows = {0};
  Type type = type_array(g->arena, type_scalar(PRIM_F64), n);
  list_push(g->arena, &rows, type_scalar(PRIM_I64));
  for (int k = 0; k < 3; k++) list_push(g->arena, &rows, type);
  LambdaBuilder lb = lambda_begin(&g->b, "s", rows);
  GenMark mark = gen_enter(g, &lb);
  Vars p = lb.lambda->params;
  bool moves = gen_chance(g, 50);
  GenOver o = gen_over_begin(g, n);
  Builder *b = &g->b;
  Atom at = moves ? gen_clamped(g, gen_near(g, o.i, n, indices), n) : o.i, x[3];
  for (int k = 0; k < 3; k++) x[k] = gen_read1(g, atom_var(p.at[k + 1]), k ? o.i : at);
  Atom m = build_op(b, OP_ADD, build_op(b, OP_ADD, x[0], x[1]), x[2]);
  Atom s = build_op1(b, gen_chance(g, 50) ? OP_SIN : OP_TANH, m);
  Atom half = build_op(b, OP_MUL, x[0], atom_number(PRIM_F64, 0.5));
  Atom next[] = {build_op(b, OP_ADD, half, s), build_op(b, OP_SUB, x[1], s),
                 build_op(b, OP_MUL, s, gen_chance(g, 50) ? s : atom_number(PRIM_F64, 0.25))};
  Vars out = gen_over_end(g, &o, atoms_of(g->arena, 3, next));
  Lambda *fn = lambda_end(&lb, atoms_of_vars(g->arena, out));
  gen_leave(g, mark);
  return fn;
}

static void populations(Gen *g) {
  Atom n = gen_size(g), k = gen_chance(g, 50) ? gen_size(g) : atom_i64(gen_random(g, 6));
  Exp exp = {.form = FORM_LOOP, .loop = {.is_for = true, .bound = k}};
  Types types = {0};
  uint64_t roots = ROOT_SHARED;  // of no trips they are what they were
  for (int i = 0; i < 3; i++) {
    Atom x = gen_array(g, PRIM_F64, n);
    roots |= gen_roots_of(g, x);
    list_push(g->arena, &exp.loop.inits, x);
    list_push(g->arena, &types, type_array(g->arena, type_scalar(PRIM_F64), n));
  }
  exp.loop.fn = population(g, n, gen_indices(g, n));
  g->b.attrs = gen_loop_attrs(g, &exp);
  if (gen_chance(g, 30)) g->b.attrs.checkpoint = (int)gen_random(g, 4) - 1;
  Vars vars = build_many(&g->b, "s", types, exp);
  g->b.attrs = (Attrs){0};
  for (int i = 0; i < 3; i++) gen_know(g, atom_var(vars.at[i]), roots);
}

bool gen_stm_kernel(Gen *g) {
  static void (*const kinds[])(Gen *g) = {stencil, product, outer_product, fill,  scanned,
                                          slices,  strip,   uneven,        flattened,
                                          populations, convolved};
  kinds[gen_random(g, COUNT_OF(kinds))](g);
  g->budget -= 2;
  return true;
}
