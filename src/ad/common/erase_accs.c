// Code without some accumulators: without operands, parameters and results that are these.  Nothing
// can read them, so everything else stays what it is.
#include "local.h"

bool erase_has(const AccErase *g, Type t) {
  return t.is_acc && map_get(g->tokens, t.token.id) != NULL;
}

static bool atom_is_erased(const AccErase *g, Atom a) {
  return a.is_var && erase_has(g, var_type(g->prog, a.var));
}

static bool erase_any(const AccErase *g, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (erase_has(g, var_type(g->prog, vars.at[k]))) return true;
  return false;
}

static Atoms atoms_kept(const AccErase *g, Atoms atoms) {
  Atoms out = {0};
  for (int i = 0; i < atoms.len; i++)
    if (!atom_is_erased(g, atoms.at[i])) list_push(g->arena, &out, atoms.at[i]);
  return out;
}

static Vars vars_kept(const AccErase *g, Vars vars) {
  Vars out = {0};
  for (int i = 0; i < vars.len; i++)
    if (!erase_has(g, var_type(g->prog, vars.at[i]))) list_push(g->arena, &out, vars.at[i]);
  return out;
}

static Lambda *lambda_kept(const AccErase *g, const Lambda *fn) {
  Lambda *out = NEW(g->arena, Lambda);
  *out = *fn;
  out->params = vars_kept(g, fn->params);
  out->body.results = atoms_kept(g, fn->body.results);
  out->rets = (Types){0};
  for (int i = 0; i < fn->rets.len; i++)
    if (!erase_has(g, fn->rets.at[i])) list_push(g->arena, &out->rets, fn->rets.at[i]);
  return out;
}

static void keep_in_loop(const AccErase *g, struct loop_form *e) {
  int before = 0;
  for (int k = 0; !e->is_for && k < e->cond; k++) before += erase_has(g, e->fn->rets.at[k]);
  e->cond -= before;
  e->fn = lambda_kept(g, e->fn);
  e->inits = atoms_kept(g, e->inits);
}

static Cases cases_kept(const AccErase *g, Cases cases) {
  Cases out = {0};
  for (int i = 0; i < cases.len; i++) {
    Case c = cases.at[i];
    c.body.results = atoms_kept(g, c.body.results);
    list_push(g->arena, &out, c);
  }
  return out;
}

bool erase_stm(const AccErase *g, const Stm *stm, Stm *out) {
  *out = *stm;
  out->bound = vars_kept(g, stm->bound);
  Exp *e = &out->exp;
  if (e->form == FORM_MAP) {
    e->map.fn = lambda_kept(g, e->map.fn);
    e->map.inputs = atoms_kept(g, e->map.inputs);
  } else if (e->form == FORM_LOOP) {
    keep_in_loop(g, &e->loop);
  } else if (e->form == FORM_WITHACC) {
    e->withacc.fn = lambda_kept(g, e->withacc.fn);
  } else if (e->form == FORM_MATCH) {
    e->match.cases = cases_kept(g, e->match.cases);
  }
  return out->bound.len > 0;
}

void erase_copy(const AccErase *g, Rewrite *w, const Stm *stm) {
  Stm kept;
  if (!erase_any(g, stm->bound)) rewrite_stm(w, stm);
  else if (erase_stm(g, stm, &kept)) rewrite_stm(w, &kept);
}
