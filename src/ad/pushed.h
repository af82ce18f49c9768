// How much memory loops need for what they overwrite (pushed.c, budget.c, vjp_undo.c).
#ifndef AD_PUSHED_H
#define AD_PUSHED_H
#include "local.h"

// ---- vjp_undo.c: the statements that turn a parameter into the loop's result
bool chain_has_stm(const Chain *c, const Stm *stm);  // one that updates the array
bool chain_has_version(const Chain *c, Atom x);      // the array as it is somewhere
bool chain_knows(const Chain *c, Atom a);            // need not be pushed
// What writes to rows, some of them perhaps several times: a scatter, a histogram that adds.
typedef struct {
  Atoms dests;
  Atom width, indices;
} Rows;
Rows written_rows(const Prog *prog, const Exp *e);

// ---- budget.c: how many states may be held besides the first
Atom checkpoint_rows(Vjp *v, const Stm *stm, const LoopSave *save);
// With a store: states, the first among them, and iterations in a block.
enum { MOST_SLOTS = 64 };
typedef struct {
  Atom slots, block;
} Division;
Division checkpoint_divide(Vjp *v, const Stm *stm, const LoopSave *save);
// Asserts that the run's limit leaves enough for arrays of these types, made for all
// iterations
void budget_check(Vjp *v, const Stm *stm, Types tapes, Atom trips);

// Arrays of counts[i] elements, bytes[i] each; every one in a block of its own.
typedef struct {
  Atoms counts;
  Ints bytes;
} Arrays;
void arrays_add(Arena *arena, Arrays *to, Atom count, Prim prim);
void arrays_add_all(Arena *arena, Arrays *to, Arrays more);

// ---- pushed.c: upper bounds, from sizes and trips outside a loop, of what is inside
typedef struct {
  Builder *b;
  Rewrite *outside;   // what becomes of variables outside the loop
  const Prog *from;
  Map *defs, *trips;  // variable -> its statement; trip number -> its loop
  VarSet inside;
  int steps;
  bool known;         // false once something has no bound
} Bound;
Bound bound_new(Builder *b, Rewrite *outside, const Prog *from, const struct loop_form *scope);
Atom bound_most(Bound *m, Atom trips);
Atom bound_elements(Bound *m, Type t);
// The stacks of parameter k, which is updated in place, for so many iterations of the loop.
Arrays bound_pushed(Bound *m, const struct loop_form *e, int k, const Chain *c, Atom trips);
#endif
