// Loops around a loop that makes all their updates:
//   loop i { loop j { updates of a } }
// The undo log of the outer loop holds all that the runs of the inner one push, in that order.  So
// adjoint code of iteration i neither undoes the inner loop nor runs it again with a log of its
// own.  The inner loop's adjoint code undoes one update after the other from the log of the outer
// loop, and so leaves the array as iteration i found it.
//
// Statements around the inner loop mention neither the arrays nor the loop's results.  The inner
// loop's other parameters follow from its trip number, and its updates push no indices: then both
// logs are equal.
#include "loop_memory.h"

// Whether these statements push indices or trip counts to the log of the chain.
static bool pushes_indices(const UpdateChain *c, const Stm *stm) {
  const Exp *e = &stm->exp;
  if (!chain_updates(c, stm)) return false;
  if (e->form == FORM_UPDATE) {
    for (int i = 0; i < e->update.slice.len; i++) {
      SliceDim d = e->update.slice.at[i];
      if (!chain_recomputable(c, d.start)) return true;
      if (!d.is_fix && !chain_recomputable(c, d.count)) return true;
    }
    return false;
  }
  if (e->form != FORM_LOOP) return true;
  if (!chain_recomputable(c, e->loop.bound)) return true;
  for (int i = 0; i < e->loop.fn->body.stms.len; i++)
    if (pushes_indices(c, &e->loop.fn->body.stms.at[i])) return true;
  return false;
}

// The parameter of the inner loop that is parameter k of the outer one, or -1.
static int inner_param(const struct loop_form *outer, const Stm *loop, int k) {
  const struct loop_form *e = &loop->exp.loop;
  for (int i = 0; i < e->inits.len; i++)
    if (atom_is_var(e->inits.at[i], outer->fn->params.at[1 + k]) &&
        atom_is_var(outer->fn->body.results.at[k], loop->bound.at[i]))
      return i;
  return -1;
}

// The loop that makes all updates of the arrays that are undone, and nothing else does; its place
// among the statements, or -1.
static int sole_updater(const struct loop_form *e, const LoopSave *save) {
  int at = -1;
  for (int k = 0; k < e->inits.len; k++) {
    if (save->tapes[k].class != TAPE_UNDO) continue;
    for (int i = 0; i < e->fn->body.stms.len; i++) {
      if (!chain_updates(save->tapes[k].chain, &e->fn->body.stms.at[i])) continue;
      if (at >= 0 && at != i) return -1;
      at = i;
    }
    if (at < 0 || e->fn->body.stms.at[at].exp.form != FORM_LOOP) return -1;
    if (inner_param(e, &e->fn->body.stms.at[at], k) < 0) return -1;
  }
  return at;
}

static bool mentions(Vjp *v, const Stm *stm, const VarSet *vars) {
  Vars free = free_vars_of_exp(v->tbr.free_vars, &stm->exp);
  for (int i = 0; i < free.len; i++)
    if (varset_has(vars, free.at[i])) return true;
  return false;
}

static bool others_stand_alone(Vjp *v, const struct loop_form *e, const LoopSave *save, int at) {
  const Stms stms = e->fn->body.stms;
  VarSet own = varset_new(vjp_arena(v));
  varset_add_all(&own, stms.at[at].bound);
  for (int k = 0; k < e->inits.len; k++)
    if (save->tapes[k].class == TAPE_UNDO) varset_add(&own, e->fn->params.at[1 + k]);
  for (int i = 0; i < stms.len; i++)
    if (i != at && mentions(v, &stms.at[i], &own)) return false;
  return at == 0 || !trips_are_counted(v, stms, at - 1);
}

static bool follows_from_trip(TapeKind class) {
  return class == TAPE_NONE || class == TAPE_INVARIANT || class == TAPE_AFFINE;
}

// Whether the inner loop's log is part of the outer one's, and how its parameters are had: `out`.
static bool inner_kinds(Vjp *v, const struct loop_form *outer, const LoopSave *save,
                        const Stm *loop, LoopSave *out) {
  const struct loop_form *e = &loop->exp.loop;
  bool *shared = NEW_ARRAY(vjp_arena(v), bool, e->inits.len + 1);
  for (int k = 0; k < outer->inits.len; k++) {
    if (save->tapes[k].class != TAPE_UNDO) continue;
    int i = inner_param(outer, loop, k);
    UpdateChain *own = chain_find(v->w.from, vjp_arena(v), e, i);
    if (!own || pushes_indices(save->tapes[k].chain, loop)) return false;
    shared[i] = true;
    out->tapes[i].class = TAPE_UNDO;
    out->tapes[i].chain = own;
  }
  for (int i = 0; i < e->inits.len; i++) {
    Type t = var_type(v->w.from, e->fn->params.at[1 + i]);
    if (varies_in_size(e->fn, t) || t.is_acc) return false;
    if (!shared[i] && (t.unique || !follows_from_trip(out->tapes[i].class))) return false;
  }
  return true;
}

const Stm *nested_loop(Vjp *v, const struct loop_form *e, const LoopSave *save, LoopSave **out) {
  if (save->checkpoint || save->store || !prog_may(v->w.from, SWITCH_NESTED_LOG)) return NULL;
  int at = sole_updater(e, save);
  if (at < 0 || !others_stand_alone(v, e, save, at)) return NULL;
  const Stm *loop = &e->fn->body.stms.at[at];
  LoopSave *limited = loop_tape_kinds(v, &loop->exp.loop);
  *out = loop_tape_kinds(v, &loop->exp.loop);
  if (checkpoint_applies(v, loop, limited)) return NULL;
  return inner_kinds(v, e, save, loop, *out) ? loop : NULL;
}

// The inner loop gets the stacks of the outer one, and the arrays as the iteration left them.
void nested_enter(Vjp *v, const struct loop_form *e, const LoopSave *save, const Undo *undo) {
  Nested *n = &v->nested;
  for (int k = 0; k < e->inits.len; k++) {
    if (save->tapes[k].class != TAPE_UNDO) continue;
    int i = inner_param(e, n->loop, k);
    const Undo *u = &undo[k];
    n->save->tapes[i].stacks =
        (UndoLog){.chain = n->save->tapes[i].chain, .values = u->values, .value_top = u->value_top,
                  .indices = u->indices, .index_top = u->index_top};
    rewrite_bind(&v->w, n->loop->bound.at[i], u->object);
    varset_add(&v->entry_restore, e->fn->params.at[1 + k]);
    varset_add(&v->overwritten, e->fn->params.at[1 + k]);
  }
}

// In place of the inner loop's forward sweep.
void nested_forward(Vjp *v) {
  Nested *n = &v->nested;
  n->save->trips = build_width(vjp_builder(v), primal_of(v, n->loop->exp.loop.bound));
  save_put(v, n->loop, n->save);
}

// The outer loop goes on with the rest of the stacks.
void nested_leave(const struct loop_form *e, const LoopSave *save, const Nested *n, Undo *undo) {
  for (int k = 0; k < e->inits.len; k++) {
    if (save->tapes[k].class != TAPE_UNDO) continue;
    const UndoLog *s = &n->save->tapes[inner_param(e, n->loop, k)].stacks;
    undo[k].value_top = s->value_top;
    undo[k].index_top = s->index_top;
  }
}
