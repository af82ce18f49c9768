// Writes at computed places: histograms, scatters and nests that add into accumulators, at shifted,
// mirrored, loaded, repeated and absent places.
#include "local.h"

static Atom fresh(Gen *g, Type type) {
  Atom a = gen_fresh(g, type);
  gen_kill(g, a);
  return a;
}

typedef struct {
  GenRows rows;  // begun
  Atom i, at, value;
  GenInputs in;
} Bucket;

// \i x -> (near i, x . ys[i])
static Bucket bucket(Gen *g, Prim p, Atom m, Atom n) {
  Bucket u = {.in = {.width = n, .is_iota = NEW_ARRAY(g->arena, bool, 2)}};
  Atom xs = gen_array(g, p, n), is = gen_indices(g, n);
  Atom inputs[] = {build_iota(&g->b, n), xs};
  u.in.inputs = atoms_of(g->arena, 2, inputs);
  u.in.is_iota[0] = true;
  list_push(g->arena, &u.in.rows, type_scalar(PRIM_I64));
  list_push(g->arena, &u.in.rows, type_scalar(p));
  u.rows = gen_rows_begin(g, &u.in);
  u.i = atom_var(u.rows.lb.lambda->params.at[0]);
  u.at = gen_near(g, u.i, n, is);
  if (gen_chance(g, 30))
    u.at = build_op(&g->b, OP_MOD, u.at, build_op(&g->b, OP_MAX, m, atom_i64(1)));
  u.value = gen_mix(g, atom_var(u.rows.lb.lambda->params.at[1]), gen_scalar(g, p));
  if (gen_chance(g, 20)) gen_statements(g, 3);
  return u;
}

static void histogram(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), m = gen_chance(g, 60) ? n : gen_size(g);
  Type type = type_array(g->arena, type_scalar(p), m), one = type_scalar(p);
  Types types = {0};
  list_push(g->arena, &types, one);
  Atom dest = fresh(g, type);
  Operator op = gen_operator(g, types);
  Bucket u = bucket(g, p, m, n);
  Lambda *fn = gen_rows_end(g, &u.rows, atoms_of(g->arena, 2, (Atom[]){u.at, u.value}));
  gen_bind(g, (Exp){.form = FORM_HIST,
                    .hist = {.width = n,
                             .rank = 1,
                             .dests = atoms_of(g->arena, 1, &dest),
                             .neutral = op.neutral,
                             .op = op.op,
                             .fn = fn,
                             .inputs = u.in.inputs}});
}

static void scatter(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), m = gen_chance(g, 60) ? n : gen_size(g);
  Atom dest = fresh(g, type_array(g->arena, type_scalar(p), m));
  Bucket u = bucket(g, p, m, n);
  Lambda *fn = gen_rows_end(g, &u.rows, atoms_of(g->arena, 2, (Atom[]){u.at, u.value}));
  gen_bind(g, (Exp){.form = FORM_SCATTER,
                    .scatter = {.width = n,
                                .rank = 1,
                                .dests = atoms_of(g->arena, 1, &dest),
                                .fn = fn,
                                .inputs = u.in.inputs}});
}

// ---- accumulators: map i { map j { .. acc[places] op= value } }
enum { MOST_DEPTH = 3 };
typedef struct {
  Gen *g;
  int depth, rank;
  Atom n[MOST_DEPTH], i[MOST_DEPTH];
  int dim[2];  // which counter the index takes
  Atom xs[MOST_DEPTH], indices[MOST_DEPTH], grid;
  bool plain;
  bool product;  // factors are small: in another order their product is then finite, too
} Adds;

static Atom value_here(Adds *a) {
  Gen *g = a->g;
  Builder *b = &g->b;
  Atom v = gen_scalar(g, gen_real(g));
  for (int d = 0; d < a->depth; d++)
    if (gen_chance(g, 60))
      v = gen_mix(g, v, build_index(b, a->xs[d], atoms_of(g->arena, 1, &a->i[d])));
  if (a->depth > 1 && gen_chance(g, 60))
    v = gen_mix(g, v, build_index(b, a->grid, atoms_of(g->arena, 2, a->i)));
  bool real = prim_is_float(gen_real(g));
  return a->product && real ? build_op1(b, OP_TANH, v) : v;
}

static Atom add_here(Adds *a, Atom acc) {
  Gen *g = a->g;
  Exp exp = {.form = FORM_UPDATEACC, .updateacc = {.acc = acc, .value = value_here(a)}};
  for (int r = 0; r < a->rank; r++) {
    int d = a->dim[r];
    Atom at = a->plain ? a->i[d] : gen_near(g, a->i[d], a->n[d], a->indices[d]);
    list_push(g->arena, &exp.updateacc.index, at);
  }
  return build(&g->b, "acc", atom_type(g->prog, acc), exp);
}

// One level: a map over the counter and the accumulator, or a loop.
static Atom add_level(Adds *a, int depth, Atom acc) {
  Gen *g = a->g;
  if (depth == a->depth) return add_here(a, acc);
  bool loop = gen_chance(g, 20);
  Atom n = a->n[depth], iota = loop ? n : build_iota(&g->b, n);
  Types params = {0};
  list_push(g->arena, &params, type_scalar(PRIM_I64));
  list_push(g->arena, &params, atom_type(g->prog, acc));
  LambdaBuilder lb = lambda_begin(&g->b, "i", params);
  GenMark mark = gen_enter(g, &lb);
  a->i[depth] = atom_var(lb.lambda->params.at[0]);
  gen_know_below(g, a->i[depth], n);
  if (gen_chance(g, 15)) gen_statements(g, 2);
  Atom now = add_level(a, depth + 1, atom_var(lb.lambda->params.at[1]));
  if (depth + 1 == a->depth && gen_chance(g, 20)) now = add_here(a, now);
  Lambda *fn = lambda_end(&lb, atoms_of(g->arena, 1, &now));
  gen_leave(g, mark);
  Exp exp = {.form = FORM_MAP,
             .map = {.width = n, .fn = fn, .inputs = atoms_of(g->arena, 2, (Atom[]){iota, acc})}};
  if (loop)
    exp = (Exp){.form = FORM_LOOP,
                .loop = {.is_for = true, .bound = n, .inits = atoms_of(g->arena, 1, &acc),
                         .fn = fn}};
  return build(&g->b, "acc", atom_type(g->prog, acc), exp);
}

static Adds adds_new(Gen *g) {
  Adds a = {.g = g, .depth = (int)gen_random(g, MOST_DEPTH) + 1, .plain = gen_chance(g, 55)};
  for (int d = 0; d < a.depth; d++) {
    a.n[d] = gen_size(g);
    a.xs[d] = gen_array(g, gen_real(g), a.n[d]);
    a.indices[d] = gen_indices(g, a.n[d]);
  }
  if (a.depth > 1) {
    Type row = type_array(g->arena, type_scalar(gen_real(g)), a.n[1]);
    a.grid = gen_value(g, type_array(g->arena, row, a.n[0]));
  }
  a.rank = a.depth > 1 && gen_chance(g, 50) ? 2 : 1;
  a.dim[0] = (int)gen_random(g, (uint32_t)a.depth);
  a.dim[1] = (a.dim[0] + 1) % a.depth;
  return a;
}

void gen_additions(Gen *g) {
  Adds a = adds_new(g);
  Type type = type_scalar(gen_real(g));
  for (int r = a.rank - 1; r >= 0; r--) type = type_array(g->arena, type, a.n[a.dim[r]]);
  Atom dest = build_zero(&g->b, type), zero;
  Known *old = gen_pick_type(g, type);
  if (old && gen_chance(g, 40)) dest = build_copy(&g->b, old->atom);
  Op kind = gen_chance(g, 85) ? OP_ADD : OP_MUL;
  a.product = kind == OP_MUL;
  zero = atom_number(gen_real(g), a.product);
  Exp exp = {.form = FORM_WITHACC, .withacc = {.arrays = atoms_of(g->arena, 1, &dest)}};
  Operator op = {.op = lambda_binop(g->prog, kind, gen_real(g)), .comm = true};
  op.neutral = atoms_of(g->arena, 1, &zero);
  list_push(g->arena, &exp.withacc.ranks, a.rank);
  list_push(g->arena, &exp.withacc.ops, op);
  Types params = {0};
  list_push(g->arena, &params, type);
  LambdaBuilder lb = lambda_begin(&g->b, "acc", params);
  Var token = lb.lambda->params.at[0];
  Type acc = type;
  acc.is_acc = true, acc.unique = false, acc.index_rank = a.rank, acc.token = token;
  g->prog->vars.at[token.id].type = acc;
  GenMark mark = gen_enter(g, &lb);
  Atom now = add_level(&a, 0, atom_var(token));
  exp.withacc.fn = lambda_end(&lb, atoms_of(g->arena, 1, &now));
  gen_leave(g, mark);
  gen_bind(g, exp);
}

bool gen_stm_scatters(Gen *g) {
  uint32_t kind = gen_random(g, 3);
  if (kind == 0) histogram(g);
  else if (kind == 1) scatter(g);
  else gen_additions(g);
  g->budget -= 2;
  return true;
}
