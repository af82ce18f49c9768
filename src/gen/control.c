// Branches, loops and calls.
#include "local.h"

enum { MOST_TIMES = 3 };  // a while loop iterates

// The types that a statement with bodies gives; sizes are known outside.
static Types some_types(Gen *g, int most) {
  Types types = {0};
  int n = (int)gen_random(g, (uint32_t)most) + 1;
  for (int i = 0; i < n; i++) list_push(g->arena, &types, gen_type(g, gen_chance(g, 60) ? 0 : 2));
  return types;
}

// ---- match.  An array that any branch consumed is consumed; a result may be what a branch
// returned.
typedef struct {
  uint64_t dead;   // by any branch
  uint64_t *roots; // of each result, over the branches
} Branches;

static Body branch(Gen *g, Types wants, Branches *all) {
  Body body = {0};
  Builder saved = g->b;
  int known = g->known.len;
  uint64_t dead = g->dead;
  g->b.stms = &body.stms;
  g->depth++;
  if (g->depth < 4 && gen_chance(g, 5)) gen_stm_while(g);
  body.results = gen_body(g, (int)gen_random(g, 5), wants);
  for (int i = 0; i < wants.len; i++) all->roots[i] |= gen_roots_of(g, body.results.at[i]);
  g->depth--;
  all->dead |= g->dead;
  g->dead = dead;
  g->known.len = known;
  saved.prog = g->b.prog;
  g->b = saved;
  return body;
}

static Scalar pattern(Gen *g, Prim p) {
  if (p == PRIM_BOOL) return scalar_bool(gen_chance(g, 50));
  return scalar_int(p, (int64_t)gen_random(g, 3) - (prim_is_signed(p) ? 1 : 0));
}

static Exp match_args(Gen *g) {
  Exp exp = {.form = FORM_MATCH, .match = {.args = {0}}};
  int n = gen_chance(g, 75) ? 1 : 2;
  for (int i = 0; i < n; i++)
    list_push(g->arena, &exp.match.args, gen_scalar(g, gen_chance(g, 60) ? PRIM_BOOL : PRIM_I64));
  return exp;
}

bool gen_stm_match(Gen *g) {
  Types wants = some_types(g, 2);
  Exp exp = match_args(g);
  Branches all = {.dead = g->dead, .roots = NEW_ARRAY(g->arena, uint64_t, wants.len)};
  int cases = gen_chance(g, 75) ? 2 : 3;
  for (int i = 0; i < cases; i++) {
    Case c = {.body = branch(g, wants, &all)};
    for (int k = 0; i < cases - 1 && k < exp.match.args.len; k++) {
      Prim p = atom_type(g->prog, exp.match.args.at[k]).prim;
      CasePat pat = {.any = k > 0 && gen_chance(g, 30), .lit = pattern(g, p)};
      list_push(g->arena, &c.pats, pat);
    }
    list_push(g->arena, &exp.match.cases, c);
  }
  g->dead = all.dead;
  Vars vars = build_many(&g->b, NULL, wants, exp);
  for (int i = 0; i < vars.len; i++) {
    uint64_t roots = all.roots[i] & ~g->dead;
    if (wants.at[i].rank > 0) roots |= gen_root(g);
    gen_know(g, atom_var(vars.at[i]), wants.at[i].rank > 0 ? roots : 0);
  }
  return true;
}

// ---- loops.  A unique parameter is updated in the body or handed on; the others are values.
typedef struct {
  Types types;
  Atoms inits;
  uint64_t shared;  // roots of what the parameters that are not unique may be
} State;

static State loop_state(Gen *g) {
  State s = {.types = some_types(g, 3)};
  for (int i = 0; i < s.types.len; i++) {
    Type *t = &s.types.at[i];
    t->unique = t->rank > 0 && gen_chance(g, 65);
    Atom init = t->unique ? gen_fresh(g, *t) : gen_value(g, *t);
    if (t->unique) gen_kill(g, init);
    list_push(g->arena, &s.inits, init);
  }
  // An initial value that a later unique one consumed must not be used beside it.
  for (int i = 0; i < s.types.len; i++)
    if (s.types.at[i].rank > 0 && !s.types.at[i].unique &&
        (gen_roots_of(g, s.inits.at[i]) & g->dead))
      s.inits.at[i] = build_zero(&g->b, s.types.at[i]);
  for (int i = 0; i < s.types.len; i++)
    if (!s.types.at[i].unique) s.shared |= gen_roots_of(g, s.inits.at[i]);
  return s;
}

static void know_params(Gen *g, Vars params, int skip, Types types) {
  for (int i = 0; i < types.len; i++) {
    Atom p = atom_var(params.at[i + skip]);
    uint64_t roots = types.at[i].unique ? gen_root(g) : types.at[i].rank ? ROOT_SHARED : 0;
    gen_know(g, p, roots);
  }
}

// Floats are kept in (-1, 1), so that iterating stays finite.
static Atom next_value(Gen *g, Type type) {
  if (type.rank == 0 && prim_is_float(type.prim))
    return build_op1(&g->b, OP_TANH, gen_scalar(g, type.prim));
  type.unique = false;
  return gen_value(g, type);
}

static Atoms next_state(Gen *g, State *s) {
  Types types = s->types;
  Atoms next = {0};
  uint64_t taken = 0;
  for (int i = 0; i < types.len; i++) {
    Atom a;
    if (types.at[i].unique) {
      uint64_t dead = g->dead;
      g->dead |= taken;
      a = gen_fresh(g, types.at[i]);
      g->dead = dead;
    } else {
      a = next_value(g, types.at[i]);
    }
    list_push(g->arena, &next, a);
    taken |= gen_roots_of(g, a);
  }
  // A value that shares with a unique one is copied.
  for (int i = 0; i < types.len; i++)
    for (int k = 0; k < types.len && !types.at[i].unique; k++)
      if (types.at[k].unique && (gen_roots_of(g, next.at[i]) & gen_roots_of(g, next.at[k])))
        next.at[i] = build_copy(&g->b, next.at[i]);
  for (int i = 0; i < types.len; i++)
    if (!types.at[i].unique) s->shared |= gen_roots_of(g, next.at[i]);
  return next;
}

// Attributes that change how a loop is run or differentiated, never what it computes.
Attrs gen_loop_attrs(Gen *g, const Exp *exp) {
  Attrs attrs = {.sequential = gen_chance(g, 10), .unroll = gen_chance(g, 10)};
  if (exp->loop.is_for && gen_chance(g, 25)) attrs.stripmine = (int)gen_random(g, 3) + 1;
  if (attrs.stripmine == 1) attrs.checkpoint = 2;  // 1 is the loop as it is
  if (exp->loop.is_for && gen_chance(g, 5)) attrs.checkpoint = (int)gen_random(g, 4) - 1;
  if (exp->loop.is_for && gen_chance(g, 3)) attrs.memory_limit = 4096 << gen_random(g, 4);
  if (exp->loop.is_for && gen_chance(g, 3)) attrs.memory_fraction = (int)gen_random(g, 3) + 1;
  attrs.low_peak = gen_chance(g, 5);
  if (!exp->loop.is_for && gen_chance(g, 50)) attrs.bound = (int)gen_random(g, 3) + MOST_TIMES;
  return attrs;
}

static void loop_bind(Gen *g, Exp exp, const State *s) {
  g->b.attrs = gen_loop_attrs(g, &exp);
  Vars vars = build_many(&g->b, NULL, s->types, exp);
  g->b.attrs = (Attrs){0};
  for (int i = 0; i < vars.len; i++) {
    uint64_t roots = s->types.at[i].rank ? s->shared | ROOT_SHARED : 0;
    if (s->types.at[i].unique) roots = gen_root(g);
    gen_know(g, atom_var(vars.at[i]), roots);
  }
}

bool gen_stm_for(Gen *g) {
  State s = loop_state(g);
  Atom bound = gen_chance(g, 60) ? gen_size(g) : atom_i64(gen_random(g, 4));
  Types params = {0};
  list_push(g->arena, &params, type_scalar(PRIM_I64));
  for (int i = 0; i < s.types.len; i++) list_push(g->arena, &params, s.types.at[i]);
  LambdaBuilder lb = lambda_begin(&g->b, "s", params);
  GenMark mark = gen_enter(g, &lb);
  gen_know_below(g, atom_var(lb.lambda->params.at[0]), bound);
  know_params(g, lb.lambda->params, 1, s.types);
  gen_statements(g, (int)gen_random(g, 6) + 1);
  Lambda *fn = lambda_end(&lb, next_state(g, &s));
  gen_leave(g, mark);
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = bound, .inits = s.inits, .fn = fn}};
  loop_bind(g, exp, &s);
  return true;
}

// Runs a bounded number of times: the first parameters are the condition and a counter.
bool gen_stm_while(Gen *g) {
  State s = loop_state(g), all = {0};
  int64_t times = gen_random(g, MOST_TIMES + 1);
  list_push(g->arena, &all.types, type_scalar(PRIM_BOOL));
  list_push(g->arena, &all.types, type_scalar(PRIM_I64));
  list_push(g->arena, &all.inits, atom_bool(times > 0));
  list_push(g->arena, &all.inits, atom_i64(0));
  for (int i = 0; i < s.types.len; i++) {
    list_push(g->arena, &all.types, s.types.at[i]);
    list_push(g->arena, &all.inits, s.inits.at[i]);
  }
  LambdaBuilder lb = lambda_begin(&g->b, "w", all.types);
  GenMark mark = gen_enter(g, &lb);
  Atom count = atom_var(lb.lambda->params.at[1]);
  know_params(g, lb.lambda->params, 2, s.types);
  if (g->depth < 4 && gen_chance(g, 12)) gen_stm_while(g);
  gen_statements(g, (int)gen_random(g, 5) + 1);
  Atoms next = {0};
  Atom more = build_op(&g->b, OP_ADD, count, atom_i64(1));
  list_push(g->arena, &next, build_op(&g->b, OP_LT, more, atom_i64(times)));
  list_push(g->arena, &next, more);
  next = atoms_concat(g->arena, next, next_state(g, &s));
  Lambda *fn = lambda_end(&lb, next);
  gen_leave(g, mark);
  all.shared = s.shared;
  Exp exp = {.form = FORM_LOOP,
             .loop = {.cond = 0, .bound = atom_scalar(scalar_int(PRIM_UNIT, 0)),
                      .inits = all.inits, .fn = fn}};
  loop_bind(g, exp, &all);
  return true;
}

// ---- calls.  Callees take (n, [n]f64, f64) and give ([n]f64, f64).
bool gen_stm_apply(Gen *g) {
  if (g->callees.len == 0) return false;
  const Fn *fn = g->callees.at[gen_random(g, (uint32_t)g->callees.len)];
  Type type = type_array(g->arena, type_scalar(PRIM_F64), gen_size(g));
  bool consumes = var_type(g->prog, fn->params.at[1]).unique;
  Atom array = consumes ? gen_fresh(g, type) : gen_value(g, type);
  uint64_t roots = gen_roots_of(g, array);
  Exp exp = {.form = FORM_APPLY, .apply = {.fn = fn->name}};
  list_push(g->arena, &exp.apply.args, type.dims[0]);
  list_push(g->arena, &exp.apply.args, array);
  list_push(g->arena, &exp.apply.args, gen_scalar(g, PRIM_F64));
  if (consumes) gen_kill(g, array);
  Types types = {0};
  list_push(g->arena, &types, type);
  list_push(g->arena, &types, type_scalar(PRIM_F64));
  Vars vars = build_many(&g->b, NULL, types, exp);
  bool fresh = var_type(g->prog, fn->results.at[0]).unique;
  gen_know(g, atom_var(vars.at[0]), fresh ? gen_root(g) : roots | ROOT_SHARED);
  gen_know(g, atom_var(vars.at[1]), 0);
  return true;
}
