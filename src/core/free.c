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

// ---- remembered -------------------------------------------------------------------------------
// A body's list is made of those of the bodies in it, which are made before.
enum { PAGE = 256 };
struct FreeVars {
  const Prog *prog;
  Arena *arena;
  Map *known;        // Body * -> Vars *, without the parameters
  LIST(int *) seen;  // by variable, in pages: the last walk that saw it
  int walk;
  Vars free;         // of this walk
};

FreeVars *free_vars_new(const Prog *prog, Arena *arena) {
  FreeVars *f = NEW(arena, FreeVars);
  *f = (FreeVars){.prog = prog, .arena = arena, .known = map_new(arena)};
  return f;
}

static void walk_begin(FreeVars *f) {
  f->walk++;
  f->free = (Vars){0};
}

static int *seen_at(FreeVars *f, Var v) {
  int page = (int)(v.id / PAGE);
  while (f->seen.len <= page) list_push(f->arena, &f->seen, NULL);
  if (!f->seen.at[page]) f->seen.at[page] = NEW_ARRAY(f->arena, int, PAGE);
  return &f->seen.at[page][v.id % PAGE];
}

static void meet_atom(void *state, Atom a) {
  FreeVars *f = state;
  if (!a.is_var || a.var.id == 0) return;
  int *seen = seen_at(f, a.var);
  if (*seen == f->walk) return;
  *seen = f->walk;
  list_push(f->arena, &f->free, a.var);
}

static void meet_binders(FreeVars *f, Vars vars) {
  for (int i = 0; i < vars.len; i++) *seen_at(f, vars.at[i]) = f->walk;
  for (int i = 0; i < vars.len; i++) {
    Type t = var_type(f->prog, vars.at[i]);
    for (int d = 0; d < t.rank; d++) meet_atom(f, t.dims[d]);
    if (t.is_acc) meet_atom(f, atom_var(t.token));
  }
}

static void meet_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  const FreeVars *f = state;
  const Vars *vars = map_get(f->known, KEY(body));
  for (int i = 0; i < vars->len; i++) meet_atom(state, atom_var(vars->at[i]));
}

static void meet_exp(FreeVars *f, const Exp *exp) {
  exp_each_atom(exp, meet_atom, f);
  if (form_has_bodies[exp->form]) exp_each_body(exp, meet_body, f);
}

static void know_body(void *state, const Body *body, const Vars *params);

// The bodies in this one are known then, it is not.
static void walk_in(FreeVars *f, const Body *body, const Vars *params) {
  for (int i = 0; i < body->stms.len; i++)
    if (form_has_bodies[body->stms.at[i].exp.form])
      exp_each_body(&body->stms.at[i].exp, know_body, f);
  walk_begin(f);
  meet_binders(f, *params);
  for (int i = 0; i < body->stms.len; i++) {
    meet_exp(f, &body->stms.at[i].exp);
    meet_binders(f, body->stms.at[i].bound);
  }
  for (int i = 0; i < body->results.len; i++) meet_atom(f, body->results.at[i]);
}

static void know_body(void *state, const Body *body, const Vars *params) {
  FreeVars *f = state;
  if (map_get(f->known, KEY(body))) return;
  walk_in(f, body, params);
  map_put(f->known, KEY(body), arena_copy(f->arena, &f->free, sizeof f->free));
}

Vars free_vars_of_exp(FreeVars *f, const Exp *exp) {
  exp_each_body(exp, know_body, f);
  walk_begin(f);
  meet_exp(f, exp);
  return f->free;
}

Vars free_vars_of_lambda(FreeVars *f, const Lambda *fn) {
  know_body(f, &fn->body, &fn->params);
  return *(const Vars *)map_get(f->known, KEY(&fn->body));
}

Vars free_vars_of_body(FreeVars *f, const Body *body) {
  static const Vars none;
  walk_in(f, body, &none);
  return f->free;
}
