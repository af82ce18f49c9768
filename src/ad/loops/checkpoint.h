// Loops whose derivative holds some of their states: what its two forms share (checkpoint.c,
// checkpoint_states.c, checkpoint_blocks.c).
#ifndef AD_CHECKPOINT_H
#define AD_CHECKPOINT_H
#include "loop_memory.h"

struct Checkpoint {
  // s, without a store s-1; the iterations, or blocks, at which stored states start
  Atom slots, snap_iters;
  // of the stored states, when the return loop starts; without a store rows free
  Atom count;
  Atom block, blocks;  // with a store: iterations between two states; how many blocks of these
  VarSet slice;        // what the next state depends on within an iteration
  bool elided;           // there is no forward sweep but the return loop's first advance
};

// ---- schedule.c
// The value of a function of schedule.ir, schedule_NAME, at these arguments: as a call, or the
// statements of one without loops.
Atom schedule(Vjp *v, const char *name, Atoms args);

// ---- checkpoint.c: iterations re-executed
bool state_has(const LoopSave *save, int k);
// slice: what is wanted of an iteration; NULL: all, in the first sweep.
bool sweep_has(const LoopSave *save, const VarSet *slice, int k);
Atom rows_put(Vjp *v, Atom rows, Atom at, Atom value);
// Where the scalars of an iteration go: a row of the tapes, as soon as they are made, so that they
// are made there.
typedef struct {
  Atom row;
  Atoms tapes;
} Row;

Atoms sweep_step(Vjp *v, const struct loop_form *e, const LoopSave *save, const VarSet *slice,
                 Atom i, Atoms values, Row *to);
void forward_nothing(Vjp *v, const Stm *stm);

// A loop of the derivative, its counter first.
typedef struct {
  Lambda *fn;
  Builder outer;
  Atoms inits;
} SweepLoop;

SweepLoop outer_begin(Vjp *v);
Atom outer_param(Vjp *v, SweepLoop *o, Type t, Atom init);
Atom outer_array(Vjp *v, SweepLoop *o, Atom init);
Atoms outer_arrays(Vjp *v, SweepLoop *o, Atoms inits);
Atoms outer_values(Vjp *v, SweepLoop *o, const struct loop_form *e, const LoopSave *save,
                   const VarSet *slice, Atoms inits);
Atoms outer_end(Vjp *v, SweepLoop *o, Atom trips, Atoms results);

Atom snaps_top(Vjp *v, const Snapshots *snaps);  // the row stored last
Atoms snaps_states(Vjp *v, const Snapshots *snaps);
int snaps_set(Snapshots *snaps, Atoms held);  // how many they are

// ---- checkpoint_states.c, checkpoint_blocks.c: the forward sweep; the state of an iteration, in
// the return loop
void forward_states(Vjp *v, const Stm *stm, LoopSave *save);
void restore_states(Vjp *v, Snapshots *snaps, const struct loop_form *e, const LoopSave *save,
                    Atom i);
void forward_blocks(Vjp *v, const Stm *stm, LoopSave *save);
void restore_blocks(Vjp *v, Snapshots *snaps, const struct loop_form *e, const LoopSave *save,
                    Atom to, Atom taped);
#endif
