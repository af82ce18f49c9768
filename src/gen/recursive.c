// Recursive functions: (n, [n]f64, f64, k) to ([n]f64, f64), by k calls at most on each path.
// Calls stand last or not, once or twice in a body; the array is read, changed or consumed.
#include "local.h"

enum { MOST_DEPTH = 3 };

typedef struct {
  Gen *g;
  Fn *fn;
  Type array;      // [n]f64
  bool consumes, fresh;
} Recursive;

static Types wanted(Recursive *r) {
  Types types = {0};
  list_push(r->g->arena, &types, r->array);
  list_push(r->g->arena, &types, type_scalar(PRIM_F64));
  return types;
}

static Atoms results(Recursive *r) {
  Gen *g = r->g;
  Atom array = r->fresh ? gen_fresh(g, r->array) : gen_value(g, r->array);
  return atoms_of(g->arena, 2, (Atom[]){array, gen_scalar(g, PRIM_F64)});
}

static Vars call(Recursive *r) {
  Gen *g = r->g;
  Atom xs = atom_var(r->fn->params.at[1]), k = atom_var(r->fn->params.at[3]);
  bool same = !r->consumes && gen_chance(g, 50);
  if (!same) xs = r->consumes ? gen_fresh(g, r->array) : gen_value(g, r->array);
  uint64_t roots = gen_roots_of(g, xs);
  Exp exp = {.form = FORM_APPLY, .apply = {.fn = r->fn->name}};
  Atom less = build_op(&g->b, OP_SUB, k, atom_i64(1));
  exp.apply.args = atoms_of(g->arena, 4, (Atom[]){atom_var(r->fn->params.at[0]), xs,
                                                  gen_scalar(g, PRIM_F64), less});
  if (r->consumes) gen_kill(g, xs);
  Vars vars = build_many(&g->b, NULL, wanted(r), exp);
  gen_know(g, atom_var(vars.at[0]), r->fresh ? gen_root(g) : roots | ROOT_SHARED);
  gen_know(g, atom_var(vars.at[1]), 0);
  return vars;
}

static Atoms step(Recursive *r) {
  Gen *g = r->g;
  gen_statements(g, (int)gen_random(g, 4));
  Vars vars = call(r);
  if (gen_chance(g, 50)) return atoms_of_vars(g->arena, vars);
  Atom sum = atom_var(vars.at[1]);
  if (gen_chance(g, 40)) sum = gen_mix(g, sum, atom_var(call(r).at[1]));
  gen_know(g, sum, 0);
  gen_statements(g, (int)gen_random(g, 3));
  Atoms out = results(r);
  out.at[1] = gen_mix(g, sum, out.at[1]);
  return out;
}

static Body body(Recursive *r, bool last) {
  Gen *g = r->g;
  Body out = {0};
  int known = g->known.len;
  uint64_t dead = g->dead;
  Stms *outer = g->b.stms;
  g->b.stms = &out.stms;
  g->depth++;
  if (last) gen_statements(g, (int)gen_random(g, 3));
  out.results = last ? results(r) : step(r);
  g->depth--;
  g->b.stms = outer;
  g->dead = dead;
  g->known.len = known;
  return out;
}

Fn *gen_recursive(Gen *g, int number) {
  Recursive r = {.g = g, .consumes = gen_chance(g, 50), .fresh = gen_chance(g, 60)};
  Fn *fn = r.fn = gen_fn_begin(g, arena_printf(g->arena, "deep%d", number));
  Atom n = atom_var(gen_param_add(g, fn, "n", type_scalar(PRIM_I64), false));
  r.array = type_array(g->arena, type_scalar(PRIM_F64), n);
  gen_param_add(g, fn, "xs", r.array, r.consumes);
  gen_param_add(g, fn, "a", type_scalar(PRIM_F64), false);
  Atom k = atom_var(gen_param_add(g, fn, "k", type_scalar(PRIM_I64), false));
  if (gen_chance(g, 50)) gen_statements(g, (int)gen_random(g, 3));
  Atom done = build_op(&g->b, OP_LE, k, atom_i64(0));
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &done)}};
  Case base = {.body = body(&r, true)}, other = {.body = body(&r, false)};
  list_push(g->arena, &base.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(g->arena, &exp.match.cases, base);
  list_push(g->arena, &exp.match.cases, other);
  Vars vars = build_many(&g->b, NULL, wanted(&r), exp);
  for (int i = 0; i < 2; i++) gen_result_add(g, fn, atom_var(vars.at[i]), i == 0 && r.fresh);
  fn->attrs.noinline_ = gen_chance(g, 30);
  return fn;
}

Fn *gen_recursive_call(Gen *g, const Fn *deep, int number) {
  Fn *fn = gen_fn_begin(g, arena_printf(g->arena, "callee%d", number));
  Type array = var_type(g->prog, deep->params.at[1]);
  Atom n = atom_var(gen_param_add(g, fn, "n", type_scalar(PRIM_I64), false));
  Type own = type_array(g->arena, type_scalar(PRIM_F64), n);
  Atom xs = atom_var(gen_param_add(g, fn, "xs", own, array.unique));
  Atom a = atom_var(gen_param_add(g, fn, "a", type_scalar(PRIM_F64), false));
  Exp exp = {.form = FORM_APPLY, .apply = {.fn = deep->name}};
  Atom depth = atom_i64((int64_t)gen_random(g, MOST_DEPTH + 1));
  exp.apply.args = atoms_of(g->arena, 4, (Atom[]){n, xs, a, depth});
  Types types = {0};
  list_push(g->arena, &types, own);
  list_push(g->arena, &types, type_scalar(PRIM_F64));
  Vars vars = build_many(&g->b, NULL, types, exp);
  bool fresh = var_type(g->prog, deep->results.at[0]).unique;
  for (int i = 0; i < 2; i++) gen_result_add(g, fn, atom_var(vars.at[i]), i == 0 && fresh);
  return fn;
}
