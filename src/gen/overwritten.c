// Arrays that several statements share and later ones overwrite: what a loop gives may be what it
// was given (where it has no trips, or hands a parameter on) and is read before that is
// overwritten, by one loop or by several; matrices that are swapped and are written by rows;
// tables of a loaded size inside loops.
#include "local.h"

static Atom squashed(Gen *g, Atom x) {
  return prim_is_float(atom_type(g->prog, x).prim) ? build_op1(&g->b, OP_TANH, x) : x;
}

static Atom fresh_copy(Gen *g, Prim p, Atom n) { return build_copy(&g->b, gen_array(g, p, n)); }

static Atom few_trips(Gen *g) {
  if (gen_chance(g, 40)) return atom_i64(gen_random(g, 4));
  return build_op(&g->b, OP_MOD, gen_scalar(g, PRIM_I64), atom_i64(3));
}

// map (\x y -> f x y) xs ys, or one of them as it is
static Atom paired(Gen *g, Atom n, Atom xs, Atom ys) {
  if (gen_chance(g, 25)) return gen_chance(g, 50) ? xs : ys;
  GenOver o = gen_over_begin(g, n);
  Atom v = squashed(g, gen_mix(g, gen_read1(g, xs, o.i), gen_read1(g, ys, o.i)));
  return gen_over_end1(g, &o, v);
}

// loop (p, q) = (xs, ys) { (f p q, g p q) }: of what may be xs and ys
static Vars perhaps_same(Gen *g, Prim p, Atom n, const Atom *both) {
  Type type = type_array(g->arena, type_scalar(p), n);
  Types params = {0}, results = {0};
  list_push(g->arena, &params, type_scalar(PRIM_I64));
  for (int k = 0; k < 2; k++) {
    list_push(g->arena, &params, type);
    list_push(g->arena, &results, type);
  }
  Exp exp = {.form = FORM_LOOP, .loop = {.is_for = true, .bound = few_trips(g)}};
  exp.loop.inits = atoms_of(g->arena, 2, both);
  LambdaBuilder lb = lambda_begin(&g->b, "p", params);
  GenMark mark = gen_enter(g, &lb);
  Atom x = atom_var(lb.lambda->params.at[1]), y = atom_var(lb.lambda->params.at[2]);
  Atom next[] = {paired(g, n, x, y), paired(g, n, y, x)};
  exp.loop.fn = lambda_end(&lb, atoms_of(g->arena, 2, next));
  gen_leave(g, mark);
  return build_many(&g->b, "p", results, exp);
}

// for i < n { x[i] <- f x[i] s, .. } of as many arrays as there are
static Atoms overwritten(Gen *g, Atom n, Atoms arrays, Atom s) {
  Atoms next = {0};
  GenLoop l = gen_loop_begin(g, n, arrays);
  for (int k = 0; k < arrays.len; k++) {
    Atom x = l.state.at[k], other = l.state.at[arrays.len - 1 - k], i = l.i;
    Atom v = gen_mix(g, gen_read1(g, x, i), gen_chance(g, 50) ? s : gen_read1(g, other, i));
    list_push(g->arena, &next, v);
  }
  for (int k = 0; k < arrays.len; k++)
    next.at[k] = build_update(&g->b, l.state.at[k], atoms_of(g->arena, 1, &l.i),
                              squashed(g, next.at[k]));
  return atoms_of_vars(g->arena, gen_loop_end(g, &l, next));
}

static void shared(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), both[] = {fresh_copy(g, p, n), fresh_copy(g, p, n)};
  Vars same = perhaps_same(g, p, n, both);
  GenOver o = gen_over_begin(g, n);
  Atom x = gen_read1(g, atom_var(same.at[0]), o.i), y = gen_read1(g, atom_var(same.at[1]), o.i);
  Atom sums = gen_over_end1(g, &o, squashed(g, gen_mix(g, x, y)));
  Atom s = squashed(g, gen_total(g, sums));
  bool together = gen_chance(g, 50);
  Atoms done = together ? overwritten(g, n, atoms_of(g->arena, 2, both), s) : (Atoms){0};
  for (int k = 0; k < 2 && !together; k++) {
    Atom one = overwritten(g, n, atoms_of(g->arena, 1, &both[k]), s).at[0];
    list_push(g->arena, &done, one);
    if (gen_chance(g, 50)) s = squashed(g, gen_total(g, one));
  }
  for (int k = 0; k < 2; k++) gen_know(g, done.at[k], gen_root(g));
}

// loop (a, b) for i { (b, a with [i] <- map f a[i] b[i]) }: of matrices, or a with [i, j] in a loop
static Atom row_written(Gen *g, Prim p, Atom m, Atom a, Atom b, Atom i) {
  if (gen_chance(g, 50)) {
    GenOver o = gen_over_begin(g, m);
    Atom v = gen_mix(g, gen_read2(g, a, i, o.i), gen_read2(g, b, i, o.i));
    Atom row = gen_over_end1(g, &o, squashed(g, v));
    return build_update(&g->b, a, atoms_of(g->arena, 1, &i), row);
  }
  GenLoop l = gen_loop_begin(g, m, atoms_of(g->arena, 1, &a));
  Atom at[] = {i, l.i}, x = l.state.at[0];
  Atom v = gen_mix(g, gen_read2(g, x, i, l.i), gen_read2(g, b, i, l.i));
  if (gen_chance(g, 40)) v = gen_mix(g, v, build_conv(&g->b, p, l.i));
  Atom next = build_update(&g->b, x, atoms_of(g->arena, 2, at), squashed(g, v));
  return atom_var(gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)).at[0]);
}

static void matrices(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), m = gen_size(g), inits[2];
  for (int k = 0; k < 2; k++) inits[k] = build_copy(&g->b, gen_matrix(g, p, n, m));
  Atom trips = gen_chance(g, 50) ? n : build_op(&g->b, OP_MIN, n, atom_i64(2));
  GenLoop l = gen_loop_begin(g, trips, atoms_of(g->arena, 2, inits));
  Atom a = row_written(g, p, m, l.state.at[0], l.state.at[1], l.i);
  Atom next[] = {l.state.at[1], a};
  if (gen_chance(g, 30)) next[0] = a, next[1] = l.state.at[1];
  gen_know_fresh(g, gen_loop_end(g, &l, atoms_of(g->arena, 2, next)));
}

// loop s for i { f s (reduce_by_index (replicate (is[i] mod 3 + 1) s) (+) 0 is (map (f s) xs)) }
static Atom table(Gen *g, Prim p, Atom size, Atom s, Atom n, Atom xs, Atom is) {
  Builder *b = &g->b;
  Atom zero = atom_number(p, 0), dest = build_replicate(b, atoms_of(g->arena, 1, &size), s);
  Types params = {0};
  list_push(g->arena, &params, type_scalar(PRIM_I64));
  list_push(g->arena, &params, type_scalar(p));
  LambdaBuilder lb = lambda_begin(b, "i", params);
  GenMark mark = gen_enter(g, &lb);
  Atom i = atom_var(lb.lambda->params.at[0]), x = atom_var(lb.lambda->params.at[1]);
  Atom out[] = {build_op(b, OP_MOD, i, size), squashed(g, gen_mix(g, x, s))};
  Exp exp = {.form = FORM_HIST,
             .hist = {.width = n, .rank = 1, .neutral = atoms_of(g->arena, 1, &zero),
                      .op = lambda_binop(g->prog, OP_ADD, p),
                      .dests = atoms_of(g->arena, 1, &dest),
                      .inputs = atoms_of(g->arena, 2, (Atom[]){is, xs})}};
  exp.hist.fn = lambda_end(&lb, atoms_of(g->arena, 2, out));
  gen_leave(g, mark);
  return build(b, "table", atom_type(g->prog, dest), exp);
}

static void tables(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), is = gen_indices(g, n), s = gen_scalar(g, p);
  Atom few = build_op(&g->b, OP_MIN, n, atom_i64(3));  // or derivatives outgrow their roundings
  GenLoop l = gen_loop_begin(g, few, atoms_of(g->arena, 1, &s));
  Atom size = build_op(&g->b, OP_MOD, gen_read1(g, is, l.i), atom_i64(3));
  size = build_op(&g->b, OP_ADD, size, atom_i64(1));
  Atom t = table(g, p, size, l.state.at[0], n, xs, is);
  Atom next = squashed(g, gen_mix(g, squashed(g, gen_total(g, t)), l.state.at[0]));
  gen_know(g, atom_var(gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)).at[0]), 0);
}

bool gen_stm_overwritten(Gen *g) {
  static void (*const kinds[])(Gen *g) = {shared, shared, matrices, tables};
  kinds[gen_random(g, COUNT_OF(kinds))](g);
  g->budget -= 2;
  return true;
}
