// Equal operands of min and max, where derivatives are a matter of convention that both modes have
// to keep to: equal by chance of the data, in reductions, scans, histograms and loops, and in
// operators that are smooth although they are made of max.
#include "local.h"

// log (exp x + exp y), smooth, and associative together with its derivatives.
static Atom log_add_exp(Builder *b, Prim p, Atom x, Atom y) {
  Atom separate = build_op1(b, OP_ABS, build_op(b, OP_SUB, x, y));
  Atom rest = build_op1(b, OP_EXP, build_op1(b, OP_NEG, separate));
  Atom log = build_op1(b, OP_LOG, build_op(b, OP_ADD, rest, atom_number(p, 1)));
  return build_op(b, OP_ADD, build_op(b, OP_MAX, x, y), log);
}

typedef struct {
  Lambda *op;
  Atoms neutral;
} Tied;

static Tied operator_of_ties(Gen *g, Prim p) {
  Types types = {0};
  for (int i = 0; i < 2; i++) list_push(g->arena, &types, type_scalar(p));
  LambdaBuilder lb = lambda_begin(&g->b, "t", types);
  Atoms x = atoms_of_vars(g->arena, lb.lambda->params);
  bool log = prim_is_float(p) && gen_chance(g, 40), max = log || gen_chance(g, 50);
  Atom out = log ? log_add_exp(&lb.inner, p, x.at[0], x.at[1])
                 : build_op(&lb.inner, max ? OP_MAX : OP_MIN, x.at[0], x.at[1]);
  Atom least = atom_number(p, p == PRIM_F16 ? -60000 : -1e30), none = least;
  if (!max) none = build_op1(&g->b, OP_NEG, least);
  if (!prim_is_float(p)) none = atom_number(p, 0);
  return (Tied){lambda_end(&lb, atoms_of(g->arena, 1, &out)), atoms_of(g->arena, 1, &none)};
}

// x in value, y in derivative: equal numbers of which each has its own derivative.
static Atom moving_as(Builder *b, Atom x, Atom y) {
  Exp stop = {.form = FORM_STOPGRADIENT, .stopgradient = {.arg = y}};
  return build_op(b, OP_ADD, x,
                  build_op(b, OP_SUB, y, build(b, "stop", atom_type(b->prog, y), stop)));
}

// map i: xs[i], or for two of three i the same number
static Atom repeated(Gen *g, Prim p, Atom n) {
  Atom xs = gen_array(g, p, n), same = gen_scalar(g, p);
  GenOver o = gen_over_begin(g, n);
  Atom x = gen_read1(g, xs, o.i);
  Atom some = build_op(&g->b, OP_LT, build_op(&g->b, OP_MOD, o.i, atom_i64(3)), atom_i64(2));
  return gen_over_end1(g, &o, build_select(&g->b, some, moving_as(&g->b, same, x), x));
}

static void into_bins(Gen *g, Prim p, Atom n, Tied tied, Atom zs) {
  Atom k = gen_size(g),
       bins = build_replicate(&g->b, atoms_of(g->arena, 1, &k), tied.neutral.at[0]);
  Atoms inputs = atoms_of(g->arena, 2, (Atom[]){gen_indices(g, n), zs});
  Types rows = {0};
  list_push(g->arena, &rows, type_scalar(PRIM_I64));
  list_push(g->arena, &rows, type_scalar(p));
  gen_bind(g, (Exp){.form = FORM_HIST,
                    .hist = {.width = n, .rank = 1, .dests = atoms_of(g->arena, 1, &bins),
                             .neutral = tied.neutral, .op = tied.op,
                             .fn = lambda_identity(g->prog, rows), .inputs = inputs}});
}

static void in_turn(Gen *g, Atom n, Tied tied, Atom zs) {
  GenLoop l = gen_loop_begin(g, n, tied.neutral);
  Atoms args = atoms_of(g->arena, 2, (Atom[]){l.state.at[0], gen_read1(g, zs, l.i)});
  gen_loop_end(g, &l, lambda_inline(&g->b, tied.op, args));
}

static void chosen_or_equal(Gen *g, Prim p) {
  Atom x = gen_scalar(g, p), y = gen_scalar(g, p);
  Atom z = build_select(&g->b, gen_scalar(g, PRIM_BOOL), moving_as(&g->b, x, y), y);
  bool first = gen_chance(g, 50);
  Op op = gen_chance(g, 50) ? OP_MIN : OP_MAX;
  gen_know(g, build_op(&g->b, op, first ? x : z, first ? z : x), 0);
}

void gen_ties(Gen *g) {
  Prim p = gen_real(g);
  if (gen_chance(g, 30)) {
    chosen_or_equal(g, p);
    return;
  }
  Atom n = gen_size(g), zs = repeated(g, p, n);
  Tied tied = operator_of_ties(g, p);
  Atoms in = atoms_of(g->arena, 1, &zs);
  switch (gen_random(g, 4)) {
    case 0:
      gen_bind(g, (Exp){.form = FORM_REDUCE, .reduce = {.width = n, .op = tied.op,
                                                        .neutral = tied.neutral, .inputs = in}});
      return;
    case 1:
      gen_bind(g, (Exp){.form = FORM_SCAN, .scan = {.width = n, .op = tied.op,
                                                    .neutral = tied.neutral, .inputs = in}});
      return;
    case 2: into_bins(g, p, n, tied, zs); return;
    default: in_turn(g, n, tied, zs);
  }
}
