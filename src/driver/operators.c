// Programs of one derivative operator: a program whose entry point computes a few statements of
// another, the operator's the last; its parameters are their free variables, sizes first.
#include "driver.h"
#include <string.h>

static void want(const Prog *prog, Arena *arena, Vars *wanted, const Vars *constants, Var v) {
  for (int i = 0; i < wanted->len; i++)
    if (wanted->at[i].id == v.id) return;
  for (int i = 0; i < constants->len; i++)
    if (constants->at[i].id == v.id) return;
  Type t = var_type(prog, v);
  for (int d = 0; d < t.rank; d++)
    if (t.dims[d].is_var) want(prog, arena, wanted, constants, t.dims[d].var);
  list_push(arena, wanted, v);
}

static Vars constant_vars(const Prog *prog, Arena *arena) {
  Vars out = {0};
  for (int i = 0; i < prog->constants.len; i++)
    for (int k = 0; k < prog->constants.at[i].bound.len; k++)
      list_push(arena, &out, prog->constants.at[i].bound.at[k]);
  return out;
}

static bool binds(Stms stms, Var v) {
  for (int i = 0; i < stms.len; i++)
    if (vars_have(stms.at[i].bound, v)) return true;
  return false;
}

// Free variables of the statement with the sizes in its types, sizes first.
static void inputs_of(const Prog *prog, Arena *arena, const Stm *stm, Vars *wanted) {
  Vars constants = constant_vars(prog, arena), vars = exp_free(prog, arena, &stm->exp);
  for (int i = 0; i < vars.len; i++) want(prog, arena, wanted, &constants, vars.at[i]);
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = var_type(prog, stm->bound.at[i]);
    for (int d = 0; d < t.rank; d++)
      if (t.dims[d].is_var) want(prog, arena, wanted, &constants, t.dims[d].var);
  }
}

Vars operator_inputs(const Prog *prog, Arena *arena, Stms stms) {
  Vars all = {0}, out = {0};
  for (int i = 0; i < stms.len; i++) inputs_of(prog, arena, &stms.at[i], &all);
  for (int i = 0; i < all.len; i++)
    if (!binds(stms, all.at[i])) list_push(arena, &out, all.at[i]);
  return out;
}

static Atoms value_of(Rewrite *w, const Lambda *fn, Atoms args) {
  for (int i = 0; i < fn->params.len; i++)
    rewrite_bind(w, fn->params.at[i], rewrite_atom(w, args.at[i]));
  rewrite_stms(w, fn->body.stms);
  return rewrite_atoms(w, fn->body.results);
}

// Sizes are distinguished in formulas: n, n2, n3.
static void name_params(Prog *prog, Fn *fn) {
  for (int i = 0; i < fn->params.len; i++) {
    VarInfo *info = &prog->vars.at[fn->params.at[i].id];
    const char *base = info->base;
    int same = 1;
    for (int k = 0; k < i; k++) {
      const char *other = var_info(prog, fn->params.at[k])->base;
      size_t len = strlen(base);
      if (strncmp(other, base, len) != 0) continue;
      same += strspn(other + len, "0123456789") == strlen(other + len);
    }
    if (same > 1) info->base = name_of(prog->names, arena_printf(prog->arena, "%s%d", base, same));
  }
}

// The results of a derivative that are used, the value perhaps.
static Atoms wanted_of(const bool *mentioned, Arena *arena, const Stm *stm) {
  Vars wanted = {0};
  for (int k = 0; k < stm->bound.len; k++)
    if (mentioned[stm->bound.at[k].id]) list_push(arena, &wanted, stm->bound.at[k]);
  return atoms_of_vars(arena, wanted);
}

Prog *operator_program(Session *s, const Prog *prog, Stms stms, const bool *mentioned) {
  const Stm *stm = &stms.at[stms.len - 1];
  Arena *arena = arena_beside(s->arena);
  list_push(s->arena, &s->programs, arena);
  Prog *out = prog_new(arena);
  Rewrite w = rewrite_new(prog, builder_new(out, &out->constants));
  rewrite_stms(&w, prog->constants);
  Fn *fn = NEW(arena, Fn);
  fn->name = "main";
  fn->loc = stm->loc;
  Vars inputs = operator_inputs(prog, arena, stms);
  for (int i = 0; i < inputs.len; i++) {
    list_push(arena, &fn->params, rewrite_var(&w, inputs.at[i]));
    out->vars.at[fn->params.at[i].id].type.unique = false;
  }
  name_params(out, fn);
  w.to.stms = &fn->body.stms;
  w.to.loc = stm->loc;
  if (mentioned) {
    rewrite_stms(&w, stms);
    fn->body.results = rewrite_atoms(&w, wanted_of(mentioned, arena, stm));
  } else if (stm->exp.form == FORM_VJP) {
    fn->body.results = value_of(&w, stm->exp.vjp.fn, stm->exp.vjp.args);
  } else {
    fn->body.results = value_of(&w, stm->exp.jvp.fn, stm->exp.jvp.args);
  }
  for (int i = 0; i < fn->body.results.len; i++) {
    Type t = atom_type(out, fn->body.results.at[i]);
    t.unique = false;
    list_push(arena, &fn->results, var_new(out, "r", t));
  }
  fn->entry = entry_info_plain(out, fn, "main");
  list_push(arena, &out->fns, fn);
  for (int i = 0; i < prog->fns.len; i++)  // what it may call; the rest goes soon
    if (!prog->fns.at[i]->entry) list_push(arena, &out->fns, rewrite_fn(&w, prog->fns.at[i]));
  return out;
}

