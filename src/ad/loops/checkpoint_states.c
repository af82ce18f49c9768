// Checkpointing of states (checkpoint.c): states of single iterations are stored.
#include "checkpoint.h"

// ---- the forward sweep
// The values that the loops over states carry: the current state (as the source's loop does), the
// stored ones, in the rows from `free` on, the last in front, the iterations at which they start,
// and the iteration at which the next one to be stored starts.
typedef struct {
  Atoms values, held;
  Atom snap_iters, free, next;
} Walk;

static Atoms save_row(Vjp *v, const struct loop_form *e, const LoopSave *save, const VarSet *slice,
                      Atoms held, Atom row, Atoms values) {
  Atoms out = {0};
  for (int k = 0, at = 0, from = 0; k < e->inits.len; k++) {
    if (!sweep_has(save, slice, k)) continue;
    Atom value = values.at[from++];
    if (state_has(save, k)) list_push(vjp_arena(v), &out, rows_put(v, held.at[at++], row, value));
  }
  return out;
}

//   if k is next:  free - 1;  snaps[free] = x;  places[free] = k;  next = landing(k, end, free)
static void walk_save(Vjp *v, const struct loop_form *e, const LoopSave *save, const VarSet *slice,
                      Walk *w, Atom k, Atom end) {
  Arena *arena = vjp_arena(v);
  Builder *b = vjp_builder(v), outer = *b;
  Atom hit = build_op(b, OP_EQ, k, w->next);
  Atoms before = atoms_concat(arena, w->held, atoms3(arena, w->snap_iters, w->free, w->next));
  PickBuilder p = pick_begin(b, hit);
  v->w.to.stms = p.then.stms;
  Atom free = build_op(b, OP_SUB, w->free, atom_i64(1));
  Atoms after = save_row(v, e, save, slice, w->held, free, w->values);
  list_push(arena, &after, rows_put(v, w->snap_iters, free, k));
  list_push(arena, &after, free);
  list_push(arena, &after, schedule(v, "landing", atoms3(arena, k, end, free)));
  v->w.to = outer;
  Atoms out = pick_end_all(&p, after, before);
  int n = w->held.len;
  w->held = atoms_slice(out, 0, n);
  w->snap_iters = out.at[n], w->free = out.at[n + 1], w->next = out.at[n + 2];
}

static Atoms walk_params(Vjp *v, SweepLoop *o, const struct loop_form *e, const LoopSave *save,
                         const VarSet *slice, Atoms inits) {
  Atoms out = {0};
  for (int k = 0, at = 0; k < e->inits.len; k++) {
    if (!sweep_has(save, slice, k)) continue;
    Type t = rewrite_type(&v->w, var_type(v->w.from, e->fn->params.at[1 + k]));
    list_push(vjp_arena(v), &out, outer_param(v, o, t, inits.at[at++]));
  }
  return out;
}

//   next = landing(at, end, free)
//   loop (x, snaps, places, free, next) for count iterations from k = at on
//     snaps[free - 1] = x if k is next;  x = r k x
static void walk(Vjp *v, const struct loop_form *e, const LoopSave *save, const VarSet *slice,
                 Walk *w, Atom at, Atom end, Atom count) {
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Type i64 = type_scalar(PRIM_I64);
  Row none = {0};
  int n = w->values.len, m = w->held.len;
  Atom first = schedule(v, "landing", atoms3(arena, at, end, w->free));
  SweepLoop o = outer_begin(v);
  Walk in = {.values = walk_params(v, &o, e, save, slice, w->values)};
  in.held = outer_arrays(v, &o, w->held);
  in.snap_iters = outer_array(v, &o, w->snap_iters);
  in.free = outer_param(v, &o, i64, w->free);
  in.next = outer_param(v, &o, i64, first);
  Atom k = build_op(b, OP_ADD, at, atom_var(o.fn->params.at[0]));
  walk_save(v, e, save, slice, &in, k, end);
  in.values = sweep_step(v, e, save, slice, k, in.values, &none);
  Atoms results = atoms_concat(arena, in.values, in.held);
  list_push(arena, &results, in.snap_iters);
  list_push(arena, &results, in.free);
  list_push(arena, &results, in.next);
  Atoms out = outer_end(v, &o, count, results);
  *w = (Walk){atoms_slice(out, 0, n), atoms_slice(out, n, m), out.at[n + m], out.at[n + m + 1],
              out.at[n + m + 2]};
}

static Atom forward_init(Vjp *v, const struct loop_form *e, const LoopSave *save, int k) {
  Atom init = primal_of(v, e->inits.at[k]);
  bool kept = state_has(save, k) || varset_has_atom(&v->restore, e->inits.at[k]);
  bool unique = var_type(v->w.from, e->fn->params.at[1 + k]).unique;
  return unique && kept ? build_copy(vjp_builder(v), init) : init;
}

//   snaps, places = scratch of s-1 rows
//   y, snaps, places, free = from a on for l iterations
void forward_states(Vjp *v, const Stm *stm, LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  Checkpoint *c = save->checkpoint;
  Builder *b = vjp_builder(v);
  Atom zero = atom_i64(0);
  c->slots = checkpoint_rows(v, stm, save);
  Walk w = {.free = c->slots};
  w.snap_iters = build_scratch(b, type_array(vjp_arena(v), type_scalar(PRIM_I64), w.free));
  for (int k = 0; k < e->inits.len; k++) {
    Type t = rewrite_type(&v->w, var_type(v->w.from, e->fn->params.at[1 + k]));
    Type rows = type_array(vjp_arena(v), type_fresh(t), w.free);
    if (state_has(save, k)) list_push(vjp_arena(v), &w.held, build_scratch(b, rows));
    if (!c->elided) list_push(vjp_arena(v), &w.values, forward_init(v, e, save, k));
  }
  if (c->elided) forward_nothing(v, stm);
  else walk(v, e, save, NULL, &w, zero, save->trips, save->trips);
  for (int k = 0, at = 0; k < e->inits.len; k++) {
    if (state_has(save, k)) save->tapes[k].tape = w.held.at[at++];
    if (!c->elided) rewrite_bind(&v->w, stm->bound.at[k], w.values.at[k]);
  }
  c->snap_iters = w.snap_iters;
  c->count = w.free;
}

// ---- the return loop
static Atom own(Builder *b, Atom x) {
  return atom_type(b->prog, x).rank ? build_copy(b, x) : x;
}

// The iteration at which the stored state last starts, and its value. The first is not stored: it
// is where the loop has it from.
static Atoms last_held(Vjp *v, const Snapshots *snaps, const struct loop_form *e,
                       const LoopSave *save) {
  Builder *b = vjp_builder(v);
  Atoms row = atoms1(vjp_arena(v), snaps->count), first = {0}, held = {0};
  PickBuilder p = pick_begin(b, build_op(b, OP_EQ, snaps->count, save->checkpoint->slots));
  list_push(vjp_arena(v), &first, atom_i64(0));
  list_push(vjp_arena(v), &held, build_index(&p.otherwise, snaps->snap_iters, row));
  for (int k = 0; k < e->inits.len; k++) {
    if (!state_has(save, k)) continue;
    Atom x = build_index(&p.otherwise, snaps->states.at[k], row);
    list_push(vjp_arena(v), &first, own(&p.then, primal_of(v, e->inits.at[k])));
    list_push(vjp_arena(v), &held, own(&p.otherwise, x));
  }
  return pick_end_all(&p, first, held);
}

// The state of iteration i: from the one stored last, which is dropped if it is that of i.
//
//   at, x = free = s-1 ? 0, a : places[free], snaps[free]
//   x, snaps, places, free = from at on for i - at iterations
//   free + 1 if i = at
void restore_states(Vjp *v, Snapshots *snaps, const struct loop_form *e, const LoopSave *save,
                        Atom i) {
  Builder *b = vjp_builder(v);
  Atoms last = last_held(v, snaps, e, save);
  Atom at = last.at[0], gap = build_op(b, OP_SUB, i, at);
  Walk w = {.held = snaps_states(v, snaps), .snap_iters = snaps->snap_iters, .free = snaps->count,
            .values = atoms_slice(last, 1, last.len - 1)};
  walk(v, e, save, &save->checkpoint->slice, &w, at, i, gap);
  snaps_set(snaps, w.held);
  snaps->snap_iters = w.snap_iters;
  snaps->count = schedule(v, "freed", atoms2(vjp_arena(v), w.free, gap));
  for (int k = 0, from = 0; k < e->inits.len; k++)
    list_push(vjp_arena(v), &snaps->values, state_has(save, k) ? w.values.at[from++] : atom_none());
}

