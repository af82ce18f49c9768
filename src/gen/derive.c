// Derivatives of main as functions of their own, and dot products to compare them by.
#include "local.h"

bool gen_is_active(const Prog *prog, Var param) { return var_type(prog, param).prim == PRIM_F64; }

// Parameters are copied; active ones become the lambda's parameters, of which unique ones are
// copied before they are consumed.  The others stay what they are in the wrapper.
typedef struct {
  Rewrite w;
  Prog *prog;
  Fn *fn;
  Lambda *lambda;
  Atoms args;
} Wrapper;

static Var param_new(Wrapper *o, const char *base, Type type) {
  type.unique = false;
  Var v = var_new(o->prog, base, type);
  list_push(o->prog->arena, &o->fn->params, v);
  return v;
}

static void wrapper_params(Wrapper *o, const Fn *main) {
  Arena *arena = o->prog->arena;
  Vars inner = {0}, old = {0};
  for (int i = 0; i < main->params.len; i++) {
    Var p = main->params.at[i];
    Type type = rewrite_type(&o->w, var_type(o->prog, p));
    Var outer = param_new(o, var_info(o->prog, p)->base, type);
    rewrite_bind(&o->w, p, atom_var(outer));
    if (!gen_is_active(o->prog, p)) continue;
    type.unique = false;
    Var own = var_new(o->prog, "x", type);
    list_push(arena, &o->args, atom_var(outer));
    list_push(arena, &inner, own);
    list_push(arena, &old, p);
  }
  o->lambda = NEW(arena, Lambda);
  o->lambda->params = inner;
  o->w.to.stms = &o->lambda->body.stms;
  for (int i = 0; i < inner.len; i++) rewrite_bind(&o->w, old.at[i], atom_var(inner.at[i]));
  for (int i = 0; i < main->params.len; i++) {
    Var p = main->params.at[i];
    if (!var_type(o->prog, p).unique) continue;
    rewrite_bind(&o->w, p, build_copy(&o->w.to, rewrite_atom(&o->w, atom_var(p))));
  }
}

static void wrapper_body(Wrapper *o, const Fn *main) {
  Atoms results = {0};
  rewrite_stms(&o->w, main->body.stms);
  results = rewrite_atoms(&o->w, main->body.results);
  o->lambda->body.results = results;
  for (int i = 0; i < main->results.len; i++)
    list_push(o->prog->arena, &o->lambda->rets,
              rewrite_type(&o->w, var_type(o->prog, main->results.at[i])));
  for (int i = 0; i < o->lambda->rets.len; i++) o->lambda->rets.at[i].unique = false;
}

static Atoms directions(Wrapper *o, Types types) {
  Atoms out = {0};
  for (int i = 0; i < types.len; i++)
    list_push(o->prog->arena, &out, atom_var(param_new(o, "d", types.at[i])));
  return out;
}

static void derivative_add(Prog *prog, const Fn *main, bool reverse) {
  Wrapper o = {.prog = prog, .fn = NEW(prog->arena, Fn)};
  o.fn->name = reverse ? "main_vjp" : "main_jvp";
  Builder b = builder_new(prog, &o.fn->body.stms);
  o.w = rewrite_new(prog, b);
  wrapper_params(&o, main);
  wrapper_body(&o, main);
  Exp exp = {.form = FORM_JVP, .jvp = {.fn = o.lambda, .args = o.args}};
  if (reverse) {
    exp = (Exp){.form = FORM_VJP, .vjp = {.fn = o.lambda, .args = o.args}};
    exp.vjp.seeds = directions(&o, o.lambda->rets);
  } else {
    exp.jvp.tangents = directions(&o, types_of_atoms(prog, o.args));
  }
  Types types = exp_types(prog, &exp);
  Vars vars = build_many(&b, "d", types, exp);
  o.fn->body.results = atoms_of_vars(prog->arena, vars);
  for (int i = 0; i < types.len; i++)
    list_push(prog->arena, &o.fn->results, var_new(prog, "r", types.at[i]));
  o.fn->entry = entry_info_plain(prog, o.fn, o.fn->name);
  list_push(prog->arena, &prog->fns, o.fn);
}

Prog *gen_derivatives(Arena *arena, const Prog *prog) {
  Rewrite w = {0};
  Prog *out = rewrite_prog(prog, arena, &w);
  const Fn *main = prog_fn(out, "main");
  derivative_add(out, main, false);
  derivative_add(out, main, true);
  return out;
}

IValue gen_direction(Arena *arena, IValue like, uint64_t seed) {
  Gen g = {.arena = arena, .rng = seed * 31 + 17};
  if (!like.array)
    return ivalue_scalar(scalar_number(like.scalar.prim, gen_random(&g, 2000) / 1000.0 - 1));
  IValue v = ivalue_array(like.array->prim, like.array->rank, like.array->dims);
  for (int64_t i = 0; i < v.array->len; i++)
    cell_set(v.array, i, scalar_number(like.array->prim, gen_random(&g, 2000) / 1000.0 - 1));
  return v;
}

double gen_dot(IValue a, IValue b) {
  if (!a.array) return a.scalar.f * b.scalar.f;
  double sum = 0;
  for (int64_t i = 0; i < a.array->len; i++) sum += a.array->at[i].f * b.array->at[i].f;
  return sum;
}
