// Checkpointing of blocks of iterations (checkpoint.c), where scalars represent parameters
// (scalar_tape.c): what is stored are states at which blocks start; a block's scalars are taped
// before its adjoint code.
#include "checkpoint.h"

// ---- blocks of iterations
// Where scalars represent parameters (scalar_tape.c), the schedule is one of blocks of g iterations
// each, the first, which is executed most often, perhaps shorter.  Adjoint code of a block starts
// with taping its scalars.
static Atom block_start(Vjp *v, const LoopSave *save, Atom q) {
  return schedule(v, "block_start", atoms3(vjp_arena(v), q, save->checkpoint->block, save->trips));
}

Atom checkpoint_blocks(const LoopSave *save) { return save->checkpoint->blocks; }

void checkpoint_block(Vjp *v, const LoopSave *save, Atom b, Atom *first, Atom *count) {
  Builder *to = vjp_builder(v);
  *first = block_start(v, save, b);
  Atom next = block_start(v, save, build_op(to, OP_ADD, b, atom_i64(1)));
  *count = build_op(to, OP_SUB, next, *first);
}

// ---- states in rows
// Where a block's state is.  The first state, in row 0, is not stored: adjoint code never reads it,
// and iterations re-executed read it where the loop has it from.
static Atom row_place(Vjp *v, Atom row) {
  Builder *b = vjp_builder(v);
  return build_op(b, OP_MAX, build_op(b, OP_SUB, row, atom_i64(1)), atom_i64(0));
}

static Atom is_first(Vjp *v, Atom row) {
  return build_op(vjp_builder(v), OP_EQ, row, atom_i64(0));
}

// The values at this place of the store, others as they are.
static Atoms row_values(Vjp *v, const struct loop_form *e, const LoopSave *save,
                        const VarSet *slice, Atoms held, Atom place) {
  Atoms out = {0};
  for (int k = 0, at = 0; k < e->inits.len; k++) {
    if (!sweep_has(save, slice, k)) continue;
    Atom value = held.at[at++];
    if (state_has(save, k)) value = build_index(vjp_builder(v), value, atoms1(vjp_arena(v), place));
    list_push(vjp_arena(v), &out, value);
  }
  return out;
}

// ---- advancing
// From the state in row `from` to that of `count` iterations later in row `above`, two iterations
// at a time, so that one state between is all it takes.  With a store the scalars of iteration
// first + k go to row k of the tapes or, on the way to a block, all to row 0, where nothing is
// wanted then: the body is written for both at once.
typedef struct {
  struct loop_form e;       // as it runs: with a store, its maps return the scalars
  const LoopSave *save;
  const VarSet *slice;      // of an iteration, what is wanted; NULL: all, in the first sweep
  Atom from, above;         // rows of the state it starts from, of others on the way, not 0
  Atom start, place;        // where these are, the first not if it is row 0
  Atom first, count;        // its iterations
  Atom taping;              // whether they are of a block
} Advance;

static Advance advance_new(Vjp *v, const struct loop_form *e, const LoopSave *save, bool again) {
  Advance a = {.e = *e, .save = save, .taping = atom_bool(false)};
  a.e.fn = save->store->forward;
  VarSet all = loop_inside(vjp_arena(v), a.e.fn);
  if (again) a.slice = arena_copy(vjp_arena(v), &all, sizeof all);
  return a;
}

// From one block to another.
static void advance_blocks(Vjp *v, Advance *a, Atom at, Atom end) {
  a->first = block_start(v, a->save, at);
  a->count = build_op(vjp_builder(v), OP_SUB, block_start(v, a->save, end), a->first);
}

static Atoms advance_step(Vjp *v, const Advance *a, Atom k, Atoms values, Atoms *tapes) {
  Builder *b = vjp_builder(v);
  Row to = {.row = build_select(b, a->taping, k, atom_i64(0)),
            .tapes = atoms_concat(vjp_arena(v), *tapes, (Atoms){0})};
  Atoms out =
      sweep_step(v, &a->e, a->save, a->slice, build_op(b, OP_ADD, a->first, k), values, &to);
  *tapes = to.tapes;
  return out;
}

// Of values carried: those of a state, or the others.
static Atoms mixed(Vjp *v, const Advance *a, Atoms states, Atoms others) {
  Atoms out = {0};
  for (int k = 0, at = 0; k < a->e.inits.len; k++) {
    if (!sweep_has(a->save, a->slice, k)) continue;
    list_push(vjp_arena(v), &out, state_has(a->save, k) ? states.at[at] : others.at[at]);
    at++;
  }
  return out;
}

static Atoms save_all(Vjp *v, const Advance *a, Atoms held, Atoms values) {
  Atoms out = {0};
  for (int k = 0, at = 0; k < a->e.inits.len; k++) {
    if (!sweep_has(a->save, a->slice, k)) continue;
    bool state = state_has(a->save, k);
    list_push(vjp_arena(v), &out,
              state ? rows_put(v, held.at[at], a->place, values.at[at]) : values.at[at]);
    at++;
  }
  return out;
}

// snaps[above] <- y if this is 1 and not 0
static Atoms save_if(Vjp *v, const Advance *a, Atom trips, Atoms held, Atoms y) {
  SweepLoop o = outer_begin(v);
  Atoms rows = outer_values(v, &o, &a->e, a->save, a->slice, mixed(v, a, held, y));
  return outer_end(v, &o, trips, save_all(v, a, rows, mixed(v, a, y, rows)));
}

// snaps[above] <- the first state, which is not stored, where iterations start from it
static Atoms save_first(Vjp *v, const Advance *a, Atoms held) {
  Builder *b = vjp_builder(v);
  Atom any = build_op(b, OP_OR, a->taping, build_op(b, OP_LT, atom_i64(0), a->count));
  Atom first = build_op(b, OP_AND, is_first(v, a->from), any);
  Atoms inits = {0};
  for (int k = 0, at = 0; k < a->e.inits.len; k++) {
    if (!sweep_has(a->save, a->slice, k)) continue;
    bool state = state_has(a->save, k);
    list_push(vjp_arena(v), &inits, state ? primal_of(v, a->e.inits.at[k]) : held.at[at]);
    at++;
  }
  return save_if(v, a, build_conv(b, PRIM_I64, first), held, inits);
}

// Of a block that is taped again the last iteration is wanted for its scalars only.
static bool ends_taping(const Advance *a) { return a->slice != NULL; }

//   loop tapes for _ < (taping ? 1 : 0)
//     x = snaps[whole = 0 ? from : above];  tapes[count-1] <- r (first+count-1) x
// after so many iterations; whatever else r computes is dead.
static Atoms tape_last(Vjp *v, const Advance *a, Atom whole, Atoms held, Atoms tapes) {
  Builder *b = vjp_builder(v);
  Advance last = *a;
  last.taping = atom_bool(true);
  Atom start = build_op(b, OP_EQ, whole, atom_i64(0));
  start = build_op(b, OP_AND, start, build_op1(b, OP_NOT, is_first(v, a->from)));
  Atom place = build_select(b, start, a->start, a->place);
  Atom once = build_conv(b, PRIM_I64, a->taping);
  SweepLoop o = outer_begin(v);
  tapes = outer_arrays(v, &o, tapes);
  Atoms x = row_values(v, &a->e, a->save, a->slice, held, place);
  advance_step(v, &last, build_op(b, OP_SUB, a->count, atom_i64(1)), x, &tapes);
  tapes = outer_end(v, &o, once, tapes);
  return atoms_concat(vjp_arena(v), held, tapes);
}

//   loop (snaps, tapes) for j < (whole + 1) / 2
//     i = first + 2j;  x = snaps[j = 0 ? from : above];  y, tapes[2j] <- r i x
//     loop (snaps, tapes) for _ < (2j + 1 < whole ? 1 : 0)
//       snaps[above], tapes[2j+1] <- r (i+1) y
// Where that number is odd, snaps[above] <- y in the end.
static Atoms advance_pairs(Vjp *v, const Advance *a, Atoms held, Atoms tapes) {
  Builder *b = vjp_builder(v);
  Atom one = atom_i64(1), zero = atom_i64(0), whole = a->count;
  if (ends_taping(a)) whole = build_op(b, OP_SUB, whole, build_conv(b, PRIM_I64, a->taping));
  Atom pairs = build_op(b, OP_SHR, build_op(b, OP_ADD, whole, one), one);
  Atom not_first = build_op1(b, OP_NOT, is_first(v, a->from));
  held = save_first(v, a, held);
  SweepLoop o = outer_begin(v);
  Atom j = atom_var(o.fn->params.at[0]), at = build_op(b, OP_MUL, j, atom_i64(2));
  Atom next = build_op(b, OP_ADD, at, one);
  held = outer_values(v, &o, &a->e, a->save, a->slice, held);
  tapes = outer_arrays(v, &o, tapes);
  Atom start = build_op(b, OP_AND, build_op(b, OP_EQ, j, zero), not_first);
  Atom place = build_select(b, start, a->start, a->place);
  Atoms x = row_values(v, &a->e, a->save, a->slice, held, place);
  Atoms y = advance_step(v, a, at, x, &tapes);
  Atom again = build_op(b, OP_LT, next, whole);
  Atom last = build_conv(b, PRIM_I64, build_op1(b, OP_NOT, again));
  again = build_conv(b, PRIM_I64, again);
  held = save_if(v, a, last, held, y);
  SweepLoop second = outer_begin(v);
  held = outer_values(v, &second, &a->e, a->save, a->slice, held);
  tapes = outer_arrays(v, &second, tapes);
  Atoms z = advance_step(v, a, next, mixed(v, a, y, held), &tapes);
  Atoms results = atoms_concat(vjp_arena(v), save_all(v, a, held, z), tapes);
  Atoms out = outer_end(v, &o, pairs, outer_end(v, &second, again, results));
  if (!ends_taping(a)) return out;
  held = atoms_slice(out, 0, out.len - tapes.len);
  return tape_last(v, a, whole, held, atoms_slice(out, held.len, tapes.len));
}

// (snaps.., tapes..)
static Atoms advance(Vjp *v, Advance *a, Atoms held, Atoms tapes) {
  Builder *b = vjp_builder(v);
  a->start = build_op(b, OP_SUB, a->from, atom_i64(1));
  a->place = build_op(b, OP_SUB, a->above, atom_i64(1));
  return advance_pairs(v, a, held, tapes);
}

// ---- the forward loop over blocks
static Atom carried_init(Vjp *v, const struct loop_form *e, const LoopSave *save, int k,
                         Atom rows) {
  Builder *b = vjp_builder(v);
  Atom init = primal_of(v, e->inits.at[k]);
  Type t = rewrite_type(&v->w, var_type(v->w.from, e->fn->params.at[1 + k]));
  bool kept = varset_has_atom(&v->restore, e->inits.at[k]);
  if (!state_has(save, k)) return t.unique && kept ? build_copy(b, init) : init;
  return build_scratch(b, type_array(vjp_arena(v), type_fresh(t), rows));
}

// Segment q of the forward loop, from block `at`, in row `row`, to block `end`; the one after the
// last slot is the last block, which is taped.
static Advance forward_segment(Vjp *v, const struct loop_form *e, const LoopSave *save, Atom q,
                               Atom at, Atom row, Atom *end) {
  Builder *b = vjp_builder(v);
  Atom slots = save->checkpoint->slots, one = atom_i64(1);
  Atom left = build_op(b, OP_SUB, save->checkpoint->blocks, at);
  Advance a = advance_new(v, e, save, false);
  a.from = row;
  a.taping = build_op(b, OP_LE, slots, q);
  a.above = build_op(b, OP_MAX, build_op(b, OP_MIN, build_op(b, OP_ADD, q, one), slots), one);
  Atom len = schedule(v, "segment", atoms3(vjp_arena(v), left, build_op(b, OP_SUB, slots, q),
                                           build_op(b, OP_SUB, left, one)));
  *end = build_op(b, OP_ADD, at, build_select(b, a.taping, left, len));
  advance_blocks(v, &a, at, *end);
  return a;
}

// The last state that the forward loop came to.
static void forward_result(Vjp *v, LoopSave *save, int k, Var bound, Atom value) {
  Builder *b = vjp_builder(v);
  if (state_has(save, k)) {
    save->tapes[k].tape = value;
    Atom place = row_place(v, save->checkpoint->slots);
    value = build_index(b, value, atoms1(vjp_arena(v), place));
    if (atom_type(b->prog, value).rank) value = build_copy(b, value);
  }
  rewrite_bind(&v->w, bound, value);
}

// Only the first state is there.
static void forward_elided(Vjp *v, const Stm *stm, LoopSave *save, Atoms held, Atoms tapes,
                         Atom snap_iters) {
  for (int k = 0; k < held.len; k++)
    if (state_has(save, k)) save->tapes[k].tape = held.at[k];
  save->checkpoint->snap_iters = snap_iters;
  save->checkpoint->count = atom_i64(1);
  save->store->tapes = tapes;
  forward_nothing(v, stm);
}

//   places = scratch
//   loop (snaps, places, at = 0) for q <= s
//     places[q] = at;  m = split(blocks - at, s - q);  snaps[q+1] = m blocks from snaps[q]
//   y = snaps[s]
// The last block's state is in row s, or in the row before if there were no more blocks; it counts
// as stored, so that the return loop finds nothing to do for it.
void forward_blocks(Vjp *v, const Stm *stm, LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  Arena *arena = vjp_arena(v);
  Builder *b = vjp_builder(v);
  Checkpoint *c = save->checkpoint;
  int n = e->inits.len;
  Atom one = atom_i64(1), zero = atom_i64(0);
  Division d = checkpoint_divide(v, stm, save);
  c->block = d.block;
  Atom more = build_op(b, OP_ADD, save->trips, build_op(b, OP_SUB, d.block, one));
  c->blocks = build_quot(b, more, d.block);
  Atom slots = build_op(b, OP_MIN, d.slots, c->blocks);
  c->slots = slots;
  Atom rows = build_op(b, OP_MAX, slots, one), segments = build_op(b, OP_ADD, slots, one);
  Atoms held = {0}, tapes = {0};
  Type starts = type_array(arena, type_scalar(PRIM_I64), atom_i64(MOST_SLOTS + 1));
  Atom snap_iters = build_scratch(b, starts);
  for (int k = 0; k < n; k++) list_push(arena, &held, carried_init(v, e, save, k, rows));
  tapes = stores_scratch(v, save->store, c->block);
  if (c->elided) {
    forward_elided(v, stm, save, held, tapes, rows_put(v, snap_iters, zero, zero));
    return;
  }
  SweepLoop o = outer_begin(v);
  Atom q = atom_var(o.fn->params.at[0]);
  held = outer_values(v, &o, e, save, NULL, held);
  tapes = outer_arrays(v, &o, tapes);
  Atom at = outer_param(v, &o, type_scalar(PRIM_I64), zero);
  snap_iters = rows_put(v, outer_array(v, &o, snap_iters), q, at);
  Atom row = outer_param(v, &o, type_scalar(PRIM_I64), zero);
  Atom end;
  Advance a = forward_segment(v, e, save, q, at, row, &end);
  Atoms results = advance(v, &a, held, tapes);
  list_push(arena, &results, end);
  list_push(arena, &results, snap_iters);
  Atom on = build_op(b, OP_AND, build_op(b, OP_LT, zero, a.count), build_op1(b, OP_NOT, a.taping));
  list_push(arena, &results, build_select(b, on, build_op(b, OP_ADD, q, one), row));
  Atoms out = outer_end(v, &o, segments, results);
  c->snap_iters = out.at[n + tapes.len + 1];
  c->count = build_op(b, OP_ADD, out.at[out.len - 1], one);
  save->store->tapes = atoms_slice(out, n, tapes.len);
  for (int k = 0; k < n; k++) forward_result(v, save, k, stm->bound.at[k], out.at[k]);
}

// ---- the return loop
//   gap = to - places[count-1];  q = min(s - count + 1, gap)
//   loop (snaps, places, at) for j < q + 1
//     m = split(to - at + 1, q - j), gap in the last but one;  at + m
//     snaps[count+j] = m blocks of iterations from snaps[count+j-1]
//   count + q
// The last time it is block `to`, if it is not taped yet: the scalars of its iterations are; from
// the stored state last, which goes on in row s, if all others are stored.
static Advance return_segment(Vjp *v, const struct loop_form *e, const LoopSave *save, Atom row,
                              Atom at, Atom left, Atom to, Atom taped, Atom *next) {
  Builder *b = vjp_builder(v);
  Atom gap = build_op(b, OP_SUB, to, at), one = atom_i64(1);
  Advance a = advance_new(v, e, save, true);
  a.from = build_op(b, OP_SUB, row, one);
  Atom blocks = build_op(b, OP_ADD, gap, one);
  Atom len = schedule(v, "segment", atoms3(vjp_arena(v), blocks, left, gap));
  Atom last = build_op(b, OP_LE, left, atom_i64(0));
  a.taping = build_op(b, OP_AND, last, build_op1(b, OP_NOT, taped));
  a.above = build_op(b, OP_MIN, row, save->checkpoint->slots);
  *next = build_op(b, OP_ADD, at, build_select(b, last, atom_i64(0), len));
  advance_blocks(v, &a, at, build_op(b, OP_ADD, *next, build_conv(b, PRIM_I64, a.taping)));
  return a;
}

void restore_blocks(Vjp *v, Snapshots *snaps, const struct loop_form *e, const LoopSave *save,
                        Atom to, Atom taped) {
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Atom slots = save->checkpoint->slots, one = atom_i64(1);
  Atom start = build_index(b, snaps->snap_iters, atoms1(arena, snaps_top(v, snaps)));
  Atom room = build_op(b, OP_ADD, build_op(b, OP_SUB, slots, snaps->count), one);
  Atom q = build_op(b, OP_MIN, room, build_op(b, OP_SUB, to, start));
  Atom segments = build_op(b, OP_ADD, q, one), next;
  SweepLoop o = outer_begin(v);
  Atoms held = outer_values(v, &o, e, save, &save->checkpoint->slice, snaps_states(v, snaps));
  Atoms tapes = outer_arrays(v, &o, snaps->tapes);
  Atom at = outer_param(v, &o, type_scalar(PRIM_I64), start);
  Atom snap_iters = outer_array(v, &o, snaps->snap_iters), j = atom_var(o.fn->params.at[0]);
  Atom row = build_op(b, OP_ADD, snaps->count, j);
  Advance a = return_segment(v, e, save, row, at, build_op(b, OP_SUB, q, j), to, taped, &next);
  Atoms results = advance(v, &a, held, tapes);
  list_push(arena, &results, next);
  list_push(arena, &results, rows_put(v, snap_iters, a.above, next));
  Atoms out = outer_end(v, &o, segments, results);
  snaps->tapes = atoms_slice(out, snaps_set(snaps, out), tapes.len);
  snaps->snap_iters = out.at[out.len - 1];
  snaps->count = build_op(b, OP_ADD, snaps->count, q);
}

