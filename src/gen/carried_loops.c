// Loops as single statements rarely make them: parameters that change places, counters of all
// types, trips that data decide, arrays that shrink, updates in branches and nests, sweeps in
// place.
#include "local.h"

static Atom squashed(Gen *g, Atom x) {
  return prim_is_float(atom_type(g->prog, x).prim) ? build_op1(&g->b, OP_TANH, x) : x;
}

static Atom some_trips(Gen *g) {
  return gen_chance(g, 70) ? atom_i64(gen_random(g, 4)) : gen_size(g);
}

static Atom fresh_copy(Gen *g, Prim p, Atom n) { return build_copy(&g->b, gen_array(g, p, n)); }

// xs with [near i] <- .., where n is not 0: in a map over 0 .. n - 1.
static Atom updated(Gen *g, Atom xs, Atom n, Atom i, Atom v) {
  Atom at = gen_clamped(g, i, n);
  return build_update(&g->b, xs, atoms_of(g->arena, 1, &at), v);
}

// Counted only where arrays have elements.
static Atom trips_within(Gen *g, Atom n) {
  return build_op(&g->b, OP_MIN, n, some_trips(g));
}

// loop (a, b, c) for i: (b, c, f a), arrays updated on the way
static void exchange(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), trips = trips_within(g, n);
  int count = gen_chance(g, 60) ? 2 : 3;
  bool arrays = gen_chance(g, 70);
  Atoms inits = {0}, next = {0};
  for (int k = 0; k < count; k++)
    list_push(g->arena, &inits, arrays ? fresh_copy(g, p, n) : gen_scalar(g, p));
  GenLoop l = gen_loop_begin(g, trips, inits);
  Atom x = gen_read1(g, xs, l.i), first = l.state.at[0];
  if (arrays) {
    Atom last = l.state.at[count - 1];
    Atom y = gen_read1(g, last, l.i), z = gen_read1(g, first, l.i);
    first = updated(g, first, n, l.i, squashed(g, gen_mix(g, x, gen_mix(g, y, z))));
  } else {
    first = squashed(g, gen_mix(g, first, gen_mix(g, l.state.at[count - 1], x)));
  }
  for (int k = 1; k < count; k++) list_push(g->arena, &next, l.state.at[k]);
  list_push(g->arena, &next, first);
  gen_know_fresh(g, gen_loop_end(g, &l, next));
}

// for (i : u8) < conv (n mod 5)
static void counters(Gen *g) {
  static const Prim kinds[] = {PRIM_I8, PRIM_U8, PRIM_I32, PRIM_U16, PRIM_I16, PRIM_U32, PRIM_I32};
  Prim c = kinds[gen_random(g, COUNT_OF(kinds))], p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), s = gen_scalar(g, p);
  Atom bound = build_conv(&g->b, c, build_op(&g->b, OP_MIN, n, atom_i64(5)));
  Types params = {0};
  list_push(g->arena, &params, type_scalar(c));
  list_push(g->arena, &params, type_scalar(p));
  LambdaBuilder lb = lambda_begin(&g->b, "s", params);
  GenMark mark = gen_enter(g, &lb);
  Atom i = build_conv(&g->b, PRIM_I64, atom_var(lb.lambda->params.at[0]));
  Atom x = gen_read1(g, xs, i);
  Atom next = squashed(g, gen_mix(g, x, atom_var(lb.lambda->params.at[1])));
  Exp exp = {.form = FORM_LOOP, .loop = {.is_for = true, .bound = bound}};
  exp.loop.inits = atoms_of(g->arena, 1, &s);
  exp.loop.fn = lambda_end(&lb, atoms_of(g->arena, 1, &next));
  gen_leave(g, mark);
  gen_bind(g, exp);
}

// map i: loop for is[i] mod 4 trips, whose number may be 0, in a loop of the same kind
static void loaded_trips(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), is = gen_indices(g, n), xs = gen_array(g, p, n);
  GenOver o = gen_over_begin(g, n);
  bool clamp = gen_chance(g, 50);
  Atom trips = gen_read1(g, is, o.i);
  if (clamp) trips = build_op(&g->b, OP_MOD, trips, atom_i64(4));
  GenLoop l = gen_loop_begin(g, trips, atoms_of(g->arena, 1, (Atom[]){gen_read1(g, xs, o.i)}));
  Atom s = squashed(g, gen_mix(g, l.state.at[0], gen_read1(g, xs, gen_clamped(g, l.i, n))));
  if (gen_chance(g, 30)) {
    GenLoop in = gen_loop_begin(g, l.i, atoms_of(g->arena, 1, &s));
    Atom t = squashed(g, gen_mix(g, in.state.at[0], gen_read1(g, xs, o.i)));
    s = atom_var(gen_loop_end(g, &in, atoms_of(g->arena, 1, &t)).at[0]);
  }
  gen_over_end1(g, &o, atom_var(gen_loop_end(g, &l, atoms_of(g->arena, 1, &s)).at[0]));
}

// while (0.1 < e) { e *= 0.5; s = f s }; e is a constant, or depends on data where kinks may be
static void halving(Gen *g) {
  Builder *b = &g->b;
  Prim p = PRIM_F64;
  Atom e = atom_number(p, gen_random(g, 4) * 0.5), s = gen_scalar(g, p);
  bool carried = gen_chance(g, 40);
  Atom n = gen_size(g), xs = carried ? fresh_copy(g, p, n) : gen_array(g, p, n);
  if (!g->options.smooth && gen_chance(g, 60)) e = build_op1(b, OP_TANH, gen_scalar(g, p));
  Atoms inits = atoms_of(g->arena, 3, (Atom[]){atom_bool(true), e, s});
  if (carried) list_push(g->arena, &inits, xs);
  Types params = types_of_atoms(g->prog, inits);
  if (carried) params.at[3].unique = true;
  LambdaBuilder lb = lambda_begin(b, "w", params);
  GenMark mark = gen_enter(g, &lb);
  Atoms in = atoms_of_vars(g->arena, lb.lambda->params);
  Atom half = build_op(b, OP_MUL, in.at[1], atom_number(p, 0.5));
  Atom more = build_op(b, OP_LT, atom_number(p, 0.1), half);
  Atom t = squashed(g, gen_mix(g, in.at[2], build_op1(b, OP_SIN, in.at[1])));
  Atoms next = atoms_of(g->arena, 3, (Atom[]){more, half, t});
  if (carried) {
    GenOver o = gen_over_begin(g, n);
    Atom x = gen_mix(g, gen_read1(g, in.at[3], o.i), t);
    list_push(g->arena, &next, gen_over_end1(g, &o, squashed(g, x)));
  }
  Exp exp = {.form = FORM_LOOP,
             .loop = {.cond = 0, .bound = atom_scalar(scalar_int(PRIM_UNIT, 0)), .inits = inits}};
  exp.loop.fn = lambda_end(&lb, next);
  gen_leave(g, mark);
  g->b.attrs = gen_loop_attrs(g, &exp);
  g->b.attrs.bound = 0;  // the trips depend on data
  Vars vars = build_many(b, "w", params, exp);
  g->b.attrs = (Attrs){0};
  gen_know_fresh(g, vars);
}

// ---- sizes that change: loop (m, v : [m]) { (m - 1, map f v[1:]) }, or every second element
static Vars sized(Gen *g, Prim p) {
  Vars vars = {0};
  Var m = var_new(g->prog, "m", type_scalar(PRIM_I64));
  list_push(g->arena, &vars, m);
  Type type = type_array(g->arena, type_scalar(p), atom_var(m));
  list_push(g->arena, &vars, var_new(g->prog, "v", type));
  return vars;
}

static void shrinking(Gen *g) {
  Builder *b = &g->b;
  Prim p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), trips = some_trips(g);
  bool halves = gen_chance(g, 50), pads = gen_chance(g, 30);
  Vars params = sized(g, p);
  LambdaBuilder lb = lambda_begin(b, "i", (Types){0});
  list_push(g->arena, &lb.lambda->params, var_new(g->prog, "i", type_scalar(PRIM_I64)));
  list_push(g->arena, &lb.lambda->params, params.at[0]);
  list_push(g->arena, &lb.lambda->params, params.at[1]);
  GenMark mark = gen_enter(g, &lb);
  Atom m = atom_var(params.at[0]), v = atom_var(params.at[1]);
  Atom less = halves ? build_op(b, OP_QUOT, m, atom_i64(2))
                     : build_op(b, OP_MAX, atom_i64(0), build_op(b, OP_SUB, m, atom_i64(1)));
  Slice slice = {0};
  list_push(g->arena, &slice, (SliceDim){.start = build_op(b, OP_SUB, m, less), .count = less,
                                         .stride = atom_i64(1)});
  if (halves) slice.at[0].start = atom_i64(0), slice.at[0].stride = atom_i64(2);
  Exp part = {.form = FORM_INDEX, .index = {.array = v, .slice = slice}};
  Atom rest = build(b, "rest", type_array(g->arena, type_scalar(p), less), part);
  GenOver o = gen_over_begin(g, less);
  Atom r = gen_read1(g, rest, o.i);
  Atom i = atom_var(lb.lambda->params.at[0]);
  Atom out = gen_over_end1(g, &o, squashed(g, gen_mix(g, r, build_conv(b, p, i))));
  if (pads) {  // and grows again
    Exp join = {.form = FORM_CONCAT};
    join.concat.arrays = atoms_of(g->arena, 2, (Atom[]){out, rest});
    less = build_op(b, OP_ADD, less, less);
    out = build(b, "both", type_array(g->arena, type_scalar(p), less), join);
  }
  Lambda *fn = lambda_end(&lb, atoms_of(g->arena, 2, (Atom[]){less, out}));
  fn->rets = types_of_vars(g->prog, params);
  gen_leave(g, mark);
  Exp exp = {.form = FORM_LOOP, .loop = {.is_for = true, .bound = trips, .fn = fn}};
  exp.loop.inits = atoms_of(g->arena, 2, (Atom[]){n, xs});
  Stm stm = {.bound = sized(g, p), .exp = exp};
  build_stm(b, stm);
  gen_know(g, atom_var(stm.bound.at[0]), 0);
  gen_know(g, atom_var(stm.bound.at[1]), gen_roots_of(g, xs) | ROOT_SHARED);
  gen_know(g, gen_total(g, atom_var(stm.bound.at[1])), 0);
}

// ---- updates in branches and nests
// match (test) { true -> a with [at] <- v; _ -> a or another update }
static Atom perhaps_updated(Gen *g, Atom a, Atom n, Atom i, Atom v, Atom is) {
  Builder *b = &g->b;
  Atom c = build_op(b, OP_LT, build_op(b, OP_MOD, i, atom_i64(3)), atom_i64(gen_random(g, 3)));
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &c)}};
  for (int k = 0; k < 2; k++) {
    Case one = {.pats = {0}};
    if (k == 0) list_push(g->arena, &one.pats, (CasePat){.lit = scalar_bool(true)});
    Builder saved = g->b;
    int known = g->known.len;
    g->b.stms = &one.body.stms;
    Atom r = a;
    for (int times = k == 0 ? 1 + gen_chance(g, 30) : gen_chance(g, 40); times > 0; times--)
      r = updated(g, r, n, gen_near(g, i, n, is), squashed(g, gen_mix(g, v, gen_read1(g, r, i))));
    list_push(g->arena, &one.body.results, r);
    g->known.len = known;
    g->b = saved;
    list_push(g->arena, &exp.match.cases, one);
  }
  return build(b, "a", atom_type(g->prog, a), exp);
}

// for i < n { for j < i { a[..] <- .. in a branch } }: triangular, or square
static void nested_updates(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), is = gen_indices(g, n), a = fresh_copy(g, p, n);
  bool twice = gen_chance(g, 50), triangular = gen_chance(g, 50);
  GenLoop l = gen_loop_begin(g, n, atoms_of(g->arena, 1, &a)), in = {0};
  Atom now = l.state.at[0], i = l.i;
  if (twice) {
    in = gen_loop_begin(g, triangular ? l.i : n, atoms_of(g->arena, 1, &now));
    now = in.state.at[0];
    if (gen_chance(g, 60)) i = in.i;
  }
  Atom v = gen_mix(g, gen_read1(g, xs, l.i), gen_read1(g, now, i));
  Atom next = gen_chance(g, 70) ? perhaps_updated(g, now, n, i, v, is)
                                : updated(g, now, n, gen_near(g, i, n, is), squashed(g, v));
  if (twice) next = atom_var(gen_loop_end(g, &in, atoms_of(g->arena, 1, &next)).at[0]);
  gen_know_fresh(g, gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)));
}

// map (\row -> for j { row[j] <- f row[j-1] row[j] }) over rows that the map may write
static void row_sweeps(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), m = gen_size(g), rows = build_copy(&g->b, gen_matrix(g, p, n, m));
  Type row = type_array(g->arena, type_scalar(p), m);
  Atom is = gen_indices(g, m), iota = build_iota(&g->b, n);
  Types params = {0};
  list_push(g->arena, &params, row);
  list_push(g->arena, &params, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(&g->b, "row", params);
  GenMark mark = gen_enter(g, &lb);
  Atom mine = atom_var(lb.lambda->params.at[0]), i = atom_var(lb.lambda->params.at[1]);
  GenLoop l = gen_loop_begin(g, m, atoms_of(g->arena, 1, &mine));
  Atom now = l.state.at[0];
  Atom before = gen_read1(g, now, gen_clamped(g, build_op(&g->b, OP_SUB, l.i, atom_i64(1)), m));
  Atom v = gen_mix(g, before, gen_mix(g, gen_read1(g, now, l.i), build_conv(&g->b, p, i)));
  Atom next = gen_chance(g, 50) ? perhaps_updated(g, now, m, l.i, v, is)
                                : updated(g, now, m, l.i, squashed(g, v));
  Atom out = atom_var(gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)).at[0]);
  Exp exp = {.form = FORM_MAP, .map = {.width = n}};
  exp.map.fn = lambda_end(&lb, atoms_of(g->arena, 1, &out));
  gen_leave(g, mark);
  exp.map.inputs = atoms_of(g->arena, 2, (Atom[]){rows, iota});
  gen_bind(g, exp);
}

// a[part] <- a[other part]: slices of one array, of equal length
static void overlapping(Gen *g) {
  Builder *b = &g->b;
  Prim p = gen_number(g);
  Atom n = gen_size(g), a = fresh_copy(g, p, n), half = build_op(b, OP_QUOT, n, atom_i64(2));
  bool loop = gen_chance(g, 50);
  GenLoop l = {0};
  if (loop) l = gen_loop_begin(g, some_trips(g), atoms_of(g->arena, 1, &a)), a = l.state.at[0];
  SliceDim parts[] = {
      {.start = atom_i64(0), .count = half, .stride = atom_i64(1)},
      {.start = build_op(b, OP_SUB, n, half), .count = half, .stride = atom_i64(1)},
      {.start = build_op(b, OP_SUB, n, atom_i64(1)), .count = half, .stride = atom_i64(-1)},
      {.start = atom_i64(0), .count = half, .stride = atom_i64(2)}};
  Slice to = {0}, from = {0};
  list_push(g->arena, &to, parts[gen_random(g, 4)]);
  list_push(g->arena, &from, parts[gen_random(g, 4)]);
  Type row = type_array(g->arena, type_scalar(p), half);
  Exp read = {.form = FORM_INDEX, .index = {.array = a, .slice = from}};
  Atom v = build_copy(b, build(b, "part", row, read));
  if (gen_chance(g, 50)) {
    GenOver o = gen_over_begin(g, half);
    v = gen_over_end1(g, &o, squashed(g, gen_mix(g, gen_read1(g, v, o.i), gen_read1(g, a, o.i))));
  }
  Exp write = {.form = FORM_UPDATE, .update = {.array = a, .slice = to, .value = v}};
  a = build(b, "a", atom_type(g->prog, a), write);
  if (loop) gen_know_fresh(g, gen_loop_end(g, &l, atoms_of(g->arena, 1, &a)));
  else gen_know(g, a, gen_root(g));
}

bool gen_stm_rounds(Gen *g) {
  static void (*const kinds[])(Gen * g) = {exchange,  counters,       loaded_trips, halving,
                                           shrinking, nested_updates, row_sweeps,   overlapping};
  kinds[gen_random(g, COUNT_OF(kinds))](g);
  g->budget -= 2;
  return true;
}
