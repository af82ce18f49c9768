// Loops and branches in core.
#include "local_core.h"

// A parameter that the body overwrites in place is unique: its initial value is a copy and its
// result is in separate memory.
static Var param_new(ToCore *c, Var v, bool unique) {
  Type t = core_type(c, var_type(c->prog, v));
  t.unique = unique;
  Var p = var_new(c->prog, var_info(c->prog, v)->base, t);
  core_bind(c, v, atom_var(p));
  return p;
}

static Atom init_of(ToCore *c, Atom a, bool unique) {
  return unique ? build_copy(&c->b, core_of(c, a)) : core_of(c, a);
}

void core_loop(ToCore *c, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  const BulkBody *body = &e->bodies.at[0];
  Uses *uses = uses_find(c, body);
  Exp exp = {.form = FORM_LOOP, .loop = {.is_for = e->flag, .cond = e->flag ? 0 : e->number}};
  Lambda *fn = NEW(c->prog->arena, Lambda);
  exp.loop.fn = fn;
  if (e->flag) {
    exp.loop.bound = core_of(c, e->args.at[0]);
    list_push(c->prog->arena, &fn->params, param_new(c, body->params.at[0], false));
  }
  int skip = e->flag, n = body->results.len;
  bool *unique = NEW_ARRAY(c->prog->arena, bool, n + 1);
  for (int k = 0; k < n; k++) {
    Var v = body->params.at[k + skip];
    unique[k] = var_type(c->prog, v).rank > 0 && uses_consume(uses, v);
    list_push(c->prog->arena, &exp.loop.inits, init_of(c, e->args.at[k + skip], unique[k]));
  }
  for (int k = 0; k < n; k++)
    list_push(c->prog->arena, &fn->params, param_new(c, body->params.at[k + skip], unique[k]));
  Builder outer = c->b;
  int at = c->at;
  c->b.stms = &fn->body.stms;
  Atoms results = core_body(c, body);
  for (int k = 0; k < n; k++) {
    bool fresh = !unique[k] || uses_fresh(uses, body->results.at[k]);
    Atom r = fresh ? results.at[k] : build_copy(&c->b, results.at[k]);
    list_push(c->prog->arena, &fn->body.results, r);
    list_push(c->prog->arena, &fn->rets, var_type(c->prog, fn->params.at[k + skip]));
  }
  c->b = outer, c->at = at;
  Types types = {0};
  for (int k = 0; k < n; k++)
    list_push(c->prog->arena, &types, core_type(c, var_type(c->prog, stm->bound.at[k])));
  Vars r = build_many(&c->b, "loop", types, exp);
  for (int k = 0; k < n; k++) core_bind(c, stm->bound.at[k], atom_var(r.at[k]));
}

void core_match(ToCore *c, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Cases cases = {0};
  for (int i = 0; i < e->bodies.len; i++) {
    Case out = {0};
    Builder outer = c->b;
    int at = c->at;
    for (int k = 0; k < e->bodies.at[i].pats.len; k++)
      list_push(c->prog->arena, &out.pats, e->bodies.at[i].pats.at[k]);
    c->b.stms = &out.body.stms;
    out.body.results = core_body(c, &e->bodies.at[i]);
    c->b = outer, c->at = at;
    list_push(c->prog->arena, &cases, out);
  }
  Types types = {0};
  for (int k = 0; k < stm->bound.len; k++)
    list_push(c->prog->arena, &types, core_type(c, var_type(c->prog, stm->bound.at[k])));
  Exp exp = {.form = FORM_MATCH, .match = {.args = core_atoms(c, e->args), .cases = cases}};
  Vars r = build_many(&c->b, "match", types, exp);
  for (int k = 0; k < r.len; k++) core_bind(c, stm->bound.at[k], atom_var(r.at[k]));
}
