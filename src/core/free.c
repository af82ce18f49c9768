// Free variables, in order of first use.  A variable mentioned only in the type of something bound
// inside (a size) is free too.  Since every variable is bound once in the whole program, "bound
// inside" needs no scopes: a binder is seen before its uses.
#include "local.h"

typedef struct {
  const Prog *prog;
  Arena *arena;
  Map *seen;  // bound inside, or reported already
  Vars free;
} FreeWalk;

static FreeWalk walk_new(const Prog *prog, Arena *arena) {
  return (FreeWalk){.prog = prog, .arena = arena, .seen = map_new(arena)};
}

static void see_atom(void *state, Atom a) {
  FreeWalk *walk = state;
  if (!a.is_var || a.var.id == 0 || map_get(walk->seen, a.var.id)) return;
  map_put(walk->seen, a.var.id, walk);
  list_push(walk->arena, &walk->free, a.var);
}

static void see_type(FreeWalk *walk, Type t) {
  for (int i = 0; i < t.rank; i++) see_atom(walk, t.dims[i]);
  if (t.is_acc) see_atom(walk, atom_var(t.token));
}

static void see_binders(FreeWalk *walk, Vars vars) {
  for (int i = 0; i < vars.len; i++) map_put(walk->seen, vars.at[i].id, walk);
  for (int i = 0; i < vars.len; i++) see_type(walk, var_type(walk->prog, vars.at[i]));
}

static void see_body(void *state, const Body *body, const Vars *params);

static void see_exp(FreeWalk *walk, const Exp *exp) {
  exp_each_atom(exp, see_atom, walk);
  exp_each_body(exp, see_body, walk);
}

static void see_body(void *state, const Body *body, const Vars *params) {
  FreeWalk *walk = state;
  see_binders(walk, *params);
  for (int i = 0; i < body->stms.len; i++) {
    see_exp(walk, &body->stms.at[i].exp);
    see_binders(walk, body->stms.at[i].bound);
  }
  for (int i = 0; i < body->results.len; i++) see_atom(walk, body->results.at[i]);
}

Vars exp_free(const Prog *prog, Arena *arena, const Exp *exp) {
  FreeWalk walk = walk_new(prog, arena);
  see_exp(&walk, exp);
  return walk.free;
}

Vars lambda_free(const Prog *prog, Arena *arena, const Lambda *fn) {
  FreeWalk walk = walk_new(prog, arena);
  see_body(&walk, &fn->body, &fn->params);
  return walk.free;
}

Vars body_free(const Prog *prog, Arena *arena, const Body *body) {
  static const Vars none;
  FreeWalk walk = walk_new(prog, arena);
  see_body(&walk, body, &none);
  return walk.free;
}
