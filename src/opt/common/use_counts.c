// Use counts: one walk over the program.
#include "local.h"

static void use_atom(void *uses, Atom a) {
  if (a.is_var) ((Uses *)uses)->count[a.var.id]++;
}

static void use_type(Uses *uses, const Type *t) {
  for (int i = 0; i < t->rank; i++)
    if (t->dims[i].is_var) uses->in_types[t->dims[i].var.id]++;
}

static void use_vars(Uses *uses, const Prog *prog, const Vars *vars) {
  for (int i = 0; i < vars->len; i++) use_type(uses, &var_info(prog, vars->at[i])->type);
}

static void use_stms(Uses *uses, const Prog *prog, Arena *arena, const Stms *stms);

static void use_body(Uses *uses, const Prog *prog, Arena *arena, const Body *body) {
  use_stms(uses, prog, arena, &body->stms);
  for (int i = 0; i < body->results.len; i++) use_atom(uses, body->results.at[i]);
}

static void use_exp(Uses *uses, const Prog *prog, Arena *arena, Exp *exp) {
  exp_each_atom(exp, use_atom, uses);
  if (!exp_has_parts(exp)) return;
  Parts parts = exp_parts(arena, exp);
  for (int i = 0; i < parts.len; i++) {
    Lambda *fn = parts.at[i].fn;
    if (fn) use_vars(uses, prog, &fn->params);
    if (fn)
      for (int k = 0; k < fn->rets.len; k++) use_type(uses, &fn->rets.at[k]);
    use_body(uses, prog, arena, parts.at[i].body);
  }
}

static void use_stms(Uses *uses, const Prog *prog, Arena *arena, const Stms *stms) {
  for (int i = 0; i < stms->len; i++) {
    use_vars(uses, prog, &stms->at[i].bound);
    use_exp(uses, prog, arena, &stms->at[i].exp);
  }
}

Uses uses_compute(Arena *arena, const Prog *prog) {
  Uses uses = {.cap = prog->vars.len};
  uses.count = NEW_ARRAY(arena, int, uses.cap);
  uses.in_types = NEW_ARRAY(arena, int, uses.cap);
  use_stms(&uses, prog, arena, &prog->constants);
  for (int i = 0; i < prog->fns.len; i++) {
    const Fn *fn = prog->fns.at[i];
    use_vars(&uses, prog, &fn->params);
    use_vars(&uses, prog, &fn->results);
    use_body(&uses, prog, arena, &fn->body);
  }
  return uses;
}
