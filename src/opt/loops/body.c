// The variables that a loop's body binds and uses, with those of the bodies nested in it.
#include "loops.h"

static void use(void *state, Atom a) {
  Loop *s = state;
  if (!a.is_var) return;
  uintptr_t n = (uintptr_t)map_get(s->uses, a.var.id);
  map_put(s->uses, a.var.id, (void *)(n + 1));
}

static void use_type(Loop *s, Type t) {
  for (int d = 0; d < t.rank; d++) use(s, t.dims[d]);
  if (t.is_acc) use(s, atom_var(t.token));
}

static void note_bound(Loop *s, const Vars *vars, const Stm *def) {
  for (int i = 0; i < vars->len; i++) {
    use_type(s, var_type(s->e->prog, vars->at[i]));
    map_put(s->results, vars->at[i].id, (void *)(uintptr_t)(i + 1));
    if (def) map_put(s->defs, vars->at[i].id, (void *)def);
  }
}

static void note_body(Loop *s, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    note_bound(s, &stm->bound, stm);
    exp_each_atom(&stm->exp, use, s);
    if (!exp_has_parts(&stm->exp)) continue;
    Parts parts = exp_parts(s->e->scratch, &stm->exp);
    for (int k = 0; k < parts.len; k++) {
      const Lambda *fn = parts.at[k].fn;
      if (fn) note_bound(s, &fn->params, NULL);
      for (int r = 0; fn && r < fn->rets.len; r++) use_type(s, fn->rets.at[r]);
      note_body(s, parts.at[k].body);
    }
  }
  for (int i = 0; i < body->results.len; i++) use(s, body->results.at[i]);
}

Loop loop_of(Env *e, Stm *stm) {
  Loop s = {.e = e, .l = &stm->exp.loop, .i = stm->exp.loop.fn->params.at[0]};
  s.defs = map_new(e->scratch);
  s.results = map_new(e->scratch);
  s.uses = map_new(e->scratch);
  note_bound(&s, &s.l->fn->params, NULL);
  note_body(&s, &s.l->fn->body);
  return s;
}

bool loop_binds(const Loop *s, Atom a) { return a.is_var && map_get(s->results, a.var.id); }

int loop_uses(const Loop *s, Var v) { return (int)(uintptr_t)map_get(s->uses, v.id); }

const Stm *loop_def(const Loop *s, Atom a) { return a.is_var ? map_get(s->defs, a.var.id) : NULL; }

int loop_result(const Loop *s, Atom a) {
  return (int)(uintptr_t)map_get(s->results, a.var.id) - 1;
}

Var loop_param(const Loop *s, int k) { return s->l->fn->params.at[1 + k]; }
