// Loops whose derivative may hold s states instead of all l: binomial checkpointing.  A state is
// the values of the taped parameters at the start of an iteration; all classes but invariant and
// affine count as taped here.  Which states are stored follows the schedule that needs the fewest
// forward executions (Griewank and Walther's):
//
//   forward   from a, which is stored, to l; on the way the state of iteration `landing` is stored
//   reverse   for i = l-1 .. 0: from the last snapshot to the state of i, with snapshots on the way
//             as before; a snapshot of i itself is dropped.  Then the adjoint code of iteration i.
//
// With C binomials and r the least with C(s+r, s) >= l, an iteration is executed at most r + 1
// times.  The next of s states, the last one stored among them, starts after split(l, s) of l
// iterations,
//
//   split(l, s) = min(C(s+r-1, s), l - C(s+r-2, s-1), l-s+1)
//
// With s = l everything is stored and nothing is re-executed: one code serves both.  Where scalars
// represent parameters (scalar_tape.c) the schedule is one of blocks of iterations, in rows of
// states.
//
// How many states: what the loop's attributes say, at run time (state_budget.c).  The two forms of
// the schedule are checkpoint_states.c and checkpoint_blocks.c.
#include "checkpoint.h"

// ---- whether
static bool depends(const VarSet *set, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(set, stm->bound.at[k])) return true;
  return false;
}

static void add_types(const Vjp *v, VarSet *set, Vars vars) {
  for (int k = 0; k < vars.len; k++) {
    Type t = var_type(v->w.from, vars.at[k]);
    for (int d = 0; d < t.rank; d++) varset_add_atom(set, t.dims[d]);
  }
}

// The variables that the taped parameters' next values depend on; parameters among them are taped
// too.
static VarSet state_slice(Vjp *v, const struct loop_form *e, LoopSave *save) {
  const Body *body = &e->fn->body;
  VarSet set = varset_new(vjp_arena(v));
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < e->inits.len; k++)
      if (save->tapes[k].class == TAPE_ROWS) varset_add_atom(&set, body->results.at[k]);
    for (int i = body->stms.len - 1; i >= 0; i--) {
      const Stm *stm = &body->stms.at[i];
      if (!depends(&set, stm)) continue;
      varset_add_all(&set, free_vars_of_exp(v->tbr.free_vars, &stm->exp));
      add_types(v, &set, stm->bound);
    }
    for (int k = 0; k < e->inits.len; k++) {
      bool dead = save->tapes[k].class == TAPE_NONE;
      if (!dead || !varset_has(&set, e->fn->params.at[1 + k])) continue;
      save->tapes[k].class = TAPE_ROWS;
      more = true;
    }
  }
  return set;
}

// Loops marked only because the run has a limit keep cheap tapes: scalars, undone updates.
// Strip-mined ones that undo updates hold states where they tape arrays besides.
static bool checkpoint_pays(const Prog *prog, const Attrs *a, bool undone, bool arrays) {
  if (a->checkpoint || a->memory_limit) return true;
  if (a->memory_fraction) return arrays && !undone;
  return a->stripmine > 1 && prog_may(prog, SWITCH_STRIPMINE) && (arrays || !undone);
}

bool checkpoint_applies(Vjp *v, const Stm *stm, LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  bool arrays = false, undone = false, taped = false;
  for (int k = 0; k < e->inits.len; k++) {
    TapeKind class = save->tapes[k].class;
    Type t = var_type(v->w.from, e->fn->params.at[1 + k]);
    if (t.is_acc || varies_in_size(e->fn, t)) return false;
    if (class == TAPE_UNDO) undone = true;
    if (class == TAPE_ROWS && t.rank) arrays = true;
    if (class == TAPE_ROWS || class == TAPE_UNDO) taped = true;
  }
  if (!taped || !checkpoint_pays(v->w.from, &stm->attrs, undone, arrays)) return false;
  if (!prog_may(v->w.from, SWITCH_BOUNDS)) return false;
  for (int k = 0; k < e->inits.len; k++)
    if (save->tapes[k].class == TAPE_UNDO) save->tapes[k].class = TAPE_ROWS;
  save->checkpoint = NEW(vjp_arena(v), Checkpoint);
  save->checkpoint->slice = state_slice(v, e, save);
  return true;
}

// ---- iterations re-executed
// The source's parameters while iterations are re-executed: those stored by their value, others
// (of the first sweep) by what the loop carries, steady ones by their formula.
bool state_has(const LoopSave *save, int k) { return save->tapes[k].class == TAPE_ROWS; }

bool sweep_has(const LoopSave *save, const VarSet *slice, int k) {
  return state_has(save, k) || !slice;
}

// Results that are views of something become arrays of their own.
static Atom own_result(Vjp *v, const struct loop_form *e, int k) {
  Atom source = e->fn->body.results.at[k], result = primal_of(v, source);
  if (!result.is_var || var_type(v->w.to.prog, result.var).rank == 0) return result;
  for (int i = 0; source.is_var && i < e->fn->body.stms.len; i++) {
    const Stm *stm = &e->fn->body.stms.at[i];
    for (int j = 0; j < stm->bound.len; j++)
      if (atom_is_var(source, stm->bound.at[j]) && !form_shares_memory(stm->exp.form) &&
          stm->exp.form != FORM_ATOM)
        return result;
  }
  return build_copy(vjp_builder(v), result);
}

Atom rows_put(Vjp *v, Atom rows, Atom at, Atom value) {
  return build_update(vjp_builder(v), rows, atoms1(vjp_arena(v), at), value);
}

static void save_made(Vjp *v, const ScalarTape *store, Vars bound, Row *to) {
  for (int i = 0; i < to->tapes.len; i++)
    for (int k = 0; k < bound.len; k++)
      if (bound.at[k].id == store->made.at[i].id)
        to->tapes.at[i] =
            rows_put(v, to->tapes.at[i], to->row, primal_of(v, atom_var(store->made.at[i])));
}

// Iteration i from these values; with a slice, only what it holds is computed.
Atoms sweep_step(Vjp *v, const struct loop_form *e, const LoopSave *save, const VarSet *slice,
                 Atom i, Atoms values, Row *to) {
  Atoms out = {0};
  loop_recomputable(v, e, save, i);
  for (int k = 0, at = 0; k < e->inits.len; k++) {
    if (!sweep_has(save, slice, k)) continue;
    rewrite_bind(&v->w, e->fn->params.at[1 + k], values.at[at++]);
  }
  if (save->store) save_made(v, save->store, e->fn->params, to);
  for (int k = 0; k < e->fn->body.stms.len; k++) {
    const Stm *stm = &e->fn->body.stms.at[k];
    if (slice && !depends(slice, stm)) continue;
    vjp_copy(v, stm);
    if (save->store) save_made(v, save->store, stm->bound, to);
  }
  for (int k = 0; k < e->inits.len; k++)
    if (sweep_has(save, slice, k)) list_push(vjp_arena(v), &out, own_result(v, e, k));
  return out;
}

SweepLoop outer_begin(Vjp *v) {
  SweepLoop o = {.fn = NEW(vjp_arena(v), Lambda), .outer = v->w.to};
  v->w.to.stms = &o.fn->body.stms;
  list_push(vjp_arena(v), &o.fn->params, var_new(v->w.to.prog, "q", type_scalar(PRIM_I64)));
  return o;
}

Atom outer_param(Vjp *v, SweepLoop *o, Type t, Atom init) {
  Var p = var_new(v->w.to.prog, "held", t);
  list_push(vjp_arena(v), &o->fn->params, p);
  list_push(vjp_arena(v), &o->inits, init);
  return atom_var(p);
}

Atom outer_array(Vjp *v, SweepLoop *o, Atom init) {
  Type t = type_fresh(atom_type(v->w.to.prog, init));
  t.unique = true;
  return outer_param(v, o, t, init);
}

Atoms outer_arrays(Vjp *v, SweepLoop *o, Atoms inits) {
  Atoms out = {0};
  for (int k = 0; k < inits.len; k++) list_push(vjp_arena(v), &out, outer_array(v, o, inits.at[k]));
  return out;
}

// One parameter per value that is carried: rows of the stored values, or the value itself.
Atoms outer_values(Vjp *v, SweepLoop *o, const struct loop_form *e, const LoopSave *save,
                   const VarSet *slice, Atoms inits) {
  Atoms out = {0};
  for (int k = 0, at = 0; k < e->inits.len; k++) {
    if (!sweep_has(save, slice, k)) continue;
    Atom init = inits.at[at++];
    Type t = rewrite_type(&v->w, var_type(v->w.from, e->fn->params.at[1 + k]));
    list_push(vjp_arena(v), &out,
              state_has(save, k) ? outer_array(v, o, init) : outer_param(v, o, t, init));
  }
  return out;
}

Atoms outer_end(Vjp *v, SweepLoop *o, Atom trips, Atoms results) {
  Types types = {0};
  for (int k = 1; k < o->fn->params.len; k++) {
    Type t = var_type(v->w.to.prog, o->fn->params.at[k]);
    list_push(vjp_arena(v), &o->fn->rets, t);
    list_push(vjp_arena(v), &types, type_fresh(t));
  }
  o->fn->body.results = results;
  v->w.to = o->outer;
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = trips, .inits = o->inits, .fn = o->fn}};
  return atoms_of_vars(vjp_arena(v), build_many(vjp_builder(v), "held", types, exp));
}

// ---- the forward sweep
// The name of a result that nothing reads.
void forward_nothing(Vjp *v, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = primal_type(v, stm->bound.at[k]);
    Builder *b = vjp_builder(v);
    rewrite_bind(&v->w, stm->bound.at[k], t.rank ? build_scratch(b, t) : build_zero(b, t));
  }
}

void checkpoint_forward(Vjp *v, const Stm *stm, LoopSave *save) {
  save->checkpoint->elided = forward_elidable(v, stm);
  if (save->store) forward_blocks(v, stm, save);
  else forward_states(v, stm, save);
}

// ---- the return loop
static Atom snaps_param(Vjp *v, Lambda *fn, Atoms *inits, Atom init) {
  Type t = type_fresh(atom_type(v->w.to.prog, init));
  t.unique = t.rank > 0;
  // Under a vector of directions the arrays belong to a scope outside the map.
  if (v->vector && v->level == 0 && t.rank) init = build_copy(vjp_builder(v), init);
  Var p = var_new(v->w.to.prog, "held", t);
  list_push(vjp_arena(v), &fn->params, p);
  list_push(vjp_arena(v), inits, init);
  return atom_var(p);
}

void snaps_params(Vjp *v, Snapshots *snaps, const LoopSave *save, const struct loop_form *e,
                  Lambda *fn, Atoms *inits) {
  for (int k = 0; k < e->inits.len; k++)
    list_push(vjp_arena(v), &snaps->states,
              state_has(save, k) ? snaps_param(v, fn, inits, save->tapes[k].tape) : atom_none());
  snaps->snap_iters = snaps_param(v, fn, inits, save->checkpoint->snap_iters);
  snaps->count = snaps_param(v, fn, inits, save->checkpoint->count);
  for (int k = 0; save->store && k < save->store->tapes.len; k++)
    list_push(vjp_arena(v), &snaps->tapes,
              snaps_param(v, fn, inits, save->store->tapes.at[k]));
}

Atom snaps_top(Vjp *v, const Snapshots *snaps) {
  return build_op(vjp_builder(v), OP_SUB, snaps->count, atom_i64(1));
}

Atoms snaps_states(Vjp *v, const Snapshots *snaps) {
  Atoms held = {0};
  for (int k = 0; k < snaps->states.len; k++)
    if (!atom_absent(snaps->states.at[k])) list_push(vjp_arena(v), &held, snaps->states.at[k]);
  return held;
}

// Sets what is stored; returns the number.
int snaps_set(Snapshots *snaps, Atoms held) {
  int from = 0;
  for (int k = 0; k < snaps->states.len; k++)
    if (!atom_absent(snaps->states.at[k])) snaps->states.at[k] = held.at[from++];
  return from;
}

void snaps_restore(Vjp *v, Snapshots *snaps, const struct loop_form *e, const LoopSave *save,
                   Atom to, Atom j) {
  Builder *b = vjp_builder(v);
  Atom taped = atom_bool(false);
  if (save->store && !save->checkpoint->elided) taped = build_op(b, OP_EQ, j, atom_i64(0));
  if (save->store) restore_blocks(v, snaps, e, save, to, taped);
  else restore_states(v, snaps, e, save, to);
}

void snaps_results(Vjp *v, const Snapshots *snaps, const LoopSave *save, Atoms *out) {
  *out = atoms_concat(vjp_arena(v), *out, snaps_states(v, snaps));
  list_push(vjp_arena(v), out, snaps->snap_iters);
  list_push(vjp_arena(v), out, save->store ? snaps_top(v, snaps) : snaps->count);
  for (int k = 0; k < snaps->tapes.len; k++) list_push(vjp_arena(v), out, snaps->tapes.at[k]);
}
