// Looking for forms and variables.
#include "core.h"

typedef struct {
  bool (*is)(const Exp *exp);
  bool found;
} Search;

static void search_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  Search *s = state;
  for (int i = 0; i < body->stms.len && !s->found; i++) {
    s->found = s->is(&body->stms.at[i].exp);
    if (!s->found) exp_each_body(&body->stms.at[i].exp, search_body, s);
  }
}

bool body_has(const Body *body, bool (*is)(const Exp *exp)) {
  Search s = {is, false};
  search_body(&s, body, NULL);
  return s.found;
}

bool exp_has(const Exp *exp, bool (*is)(const Exp *exp)) {
  Search s = {is, false};
  exp_each_body(exp, search_body, &s);
  return s.found;
}

bool prog_has(const Prog *prog, bool (*is)(const Exp *exp)) {
  Body constants = {.stms = prog->constants};
  bool found = body_has(&constants, is);
  for (int i = 0; i < prog->fns.len && !found; i++) found = body_has(&prog->fns.at[i]->body, is);
  return found;
}

// ---- variables
typedef struct {
  const Prog *prog;
  bool *found;
} Mentions;

static void mention_atom(void *state, Atom a) {
  if (a.is_var) ((Mentions *)state)->found[a.var.id] = true;
}

static void mention_types(Mentions *m, Vars vars) {
  for (int k = 0; k < vars.len; k++) {
    Type t = var_type(m->prog, vars.at[k]);
    for (int d = 0; d < t.rank; d++) mention_atom(m, t.dims[d]);
  }
}

static void mention_body(void *state, const Body *body, const Vars *params) {
  if (params) mention_types(state, *params);
  for (int i = 0; i < body->stms.len; i++) {
    mention_types(state, body->stms.at[i].bound);
    exp_each_atom(&body->stms.at[i].exp, mention_atom, state);
    exp_each_body(&body->stms.at[i].exp, mention_body, state);
  }
  for (int k = 0; k < body->results.len; k++) mention_atom(state, body->results.at[k]);
}

const bool *prog_mentions(const Prog *prog, Arena *arena) {
  Mentions m = {prog, NEW_ARRAY(arena, bool, prog->vars.len + 1)};
  Body constants = {.stms = prog->constants};
  mention_body(&m, &constants, NULL);
  for (int i = 0; i < prog->fns.len; i++)
    mention_body(&m, &prog->fns.at[i]->body, &prog->fns.at[i]->params);
  return m.found;
}
