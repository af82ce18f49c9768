// While loops in loops.  They are for loops whose trips a copy counts (while_to_for.c), a copy of
// the arrays they update, too.  In the forward sweep of an outer loop that is not wanted: there the
// loop is a while loop again, which counts its own trips.  The outer loop stacks them (undo_log.c),
// and adjoint code of an outer iteration takes them from there.
#include "ad/common/local.h"

static Var last_bound(const Stm *stm) { return stm->bound.at[stm->bound.len - 1]; }

bool trips_are_counted(Vjp *v, Stms stms, int i) {
  if (i + 1 >= stms.len || stms.at[i].exp.form != FORM_LOOP) return false;
  const Exp *e = &stms.at[i + 1].exp;
  const struct loop_form *count = &stms.at[i].exp.loop;
  return prog_may(v->w.from, SWITCH_TRIPS) && !count->is_for && e->form == FORM_LOOP &&
         e->loop.is_for && atom_is_var(e->loop.bound, last_bound(&stms.at[i])) &&
         varset_has_atom(calls_counted(v->varied.calls), e->loop.bound) &&
         count->inits.len == e->loop.inits.len + 1;
}

// A for loop about to be emitted, of all the parameters of the while loop, becomes that, with the
// trip number for its last parameter.
void trips_counted(Vjp *v, const Stm *count, Stm *out, Atom next) {
  Arena *arena = vjp_arena(v);
  struct loop_form *e = &out->exp.loop;
  Lambda *fn = e->fn;
  Var i = fn->params.at[0];
  Vars params = {0};
  for (int k = 1; k < fn->params.len; k++) list_push(arena, &params, fn->params.at[k]);
  list_push(arena, &params, i);
  fn->params = params;
  list_push(arena, &fn->rets, type_scalar(PRIM_I64));
  list_push(arena, &fn->body.results, next);
  list_push(arena, &e->inits, atom_i64(0));
  list_push(arena, &out->bound, rewrite_var(&v->w, last_bound(count)));
  e->is_for = false;
  e->bound = (Atom){0};
  e->cond = 0;
  for (int k = 0; k < count->exp.loop.cond; k++)
    e->cond += !acc_is_erased(v, count->exp.loop.fn->rets.at[k]);
}

void trips_known(Vjp *v, Atom bound, Atom trips) {
  if (!varset_has_atom(calls_counted(v->varied.calls), bound)) return;
  if (!prog_may(v->w.from, SWITCH_TRIPS)) return;
  rewrite_bind(&v->w, bound.var, trips);
  varset_add(&v->known, bound.var);
}

void trips_forget(Vjp *v, Stms stms) {
  for (int i = 0; i < stms.len; i++)
    if (stms.at[i].bound.len) varset_remove(&v->known, last_bound(&stms.at[i]));
}

// Whether a statement need not count once more.
bool trips_are_known(const Vjp *v, const Stm *stm, const VarSet *need) {
  if (stm->exp.form != FORM_LOOP || !varset_has(&v->known, last_bound(stm))) return false;
  for (int k = 0; k + 1 < stm->bound.len; k++)
    if (varset_has(need, stm->bound.at[k])) return false;
  return true;
}
