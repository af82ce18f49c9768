// Partial derivatives of functions with a rule: its expressions over the arguments of a call and
// the value.
#include "sweep.h"

typedef struct {
  const CVar *var;
  bool found;
} Search;

static bool find_var(const CExpr *e, void *state) {
  Search *s = state;
  s->found |= e->tag == CE_VAR && e->var == s->var;
  return true;
}

bool rule_needs_result(const CRule *rule) {
  Search s = {.var = rule->result};
  for (int i = 0; i < rule->partials.len; i++)
    if (rule->partials.at[i]) cexpr_visit(rule->partials.at[i], find_var, &s);
  return s.found;
}

typedef struct {
  CDiff *d;
  const CRule *rule;
  const CExpr *call, *result;
} Use;

static const CExpr *variable(const Use *u, const CExpr *e) {
  if (e->var == u->rule->result) return u->result;
  for (int i = 0; i < u->rule->params.len; i++)
    if (u->rule->params.at[i] == e->var) return u->call->args[i];
  return e;
}

static const CExpr *used(const Use *u, const CExpr *e) {
  Arena *arena = u->d->arena;
  if (!e) return NULL;
  if (e->tag == CE_VAR) return variable(u, e);
  CExpr *r = arena_copy(arena, e, sizeof *e);
  r->x = used(u, e->x);
  r->y = used(u, e->y);
  r->z = used(u, e->z);
  if (e->tag != CE_CALL) return r;
  const CExpr **args = NEW_ARRAY(arena, const CExpr *, e->nargs + 1);
  for (int i = 0; i < e->nargs; i++) args[i] = used(u, e->args[i]);
  r->args = args;
  return r;
}

const CExpr *rule_partial(CDiff *d, const CExpr *call, int i, const CExpr *result) {
  Use u = {d, call->x->function->libc->rule, call, result};
  return used(&u, u.rule->partials.at[i]);
}

// ---- declarations -------------------------------------------------------------------------------
typedef struct {
  CDiff *d;
  LIST(const CFunction *) found;
} Ruled;

static bool find_ruled(const CExpr *e, void *state) {
  Ruled *r = state;
  const CFunction *f = e->tag == CE_FUNCTION ? e->function : NULL;
  if (!f || f->system || !f->rule) return true;
  for (int i = 0; i < r->found.len; i++)
    if (r->found.at[i]->name == f->name) return true;
  list_push(r->d->arena, &r->found, f);
  return true;
}

void rule_originals(CDiff *d) {
  Ruled r = {.d = d};
  code_visit(d, find_ruled, &r);
  for (int i = 0; i < r.found.len; i++) {
    CFunction *body = cprogram_function(d->p, r.found.at[i]->name);
    list_push(d->arena, &d->originals, body ? body : (CFunction *)(uintptr_t)r.found.at[i]);
  }
}
