// How much memory derivatives of loops need (footprint.c, peak_memory.c, log_bound.c, undo_log.c),
// and how what there is is divided (state_budget.c).
#ifndef AD_MEMORY_H
#define AD_MEMORY_H
#include "ad/common/local.h"

// ---- undo_log.c: the statements that turn a parameter into the loop's result
bool chain_updates(const UpdateChain *c, const Stm *stm);  // one that updates the array
bool chain_has_version(const UpdateChain *c, Atom x);      // the array as it is somewhere
bool chain_recomputable(const UpdateChain *c, Atom a);            // need not be pushed
// Statements that write to rows, some rows perhaps several times: a scatter, a histogram that adds.
typedef struct {
  Atoms dests;
  Atom width, indices;
} Rows;
Rows written_rows(const Prog *prog, const Exp *e);

// ---- state_budget.c: how many states may be stored besides the first
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

// Arrays of counts[i] elements, bytes[i] each; every one in its own block.
typedef struct {
  Atoms counts;
  Ints bytes;
} Footprint;
void footprint_add(Arena *arena, Footprint *to, Atom count, Prim prim);
void footprint_add_all(Arena *arena, Footprint *to, Footprint more);

Footprint footprint_union(Vjp *v, Footprint a, Footprint b);  // both
Atom elements_of(Vjp *v, Type t);
void footprint_add_type(Vjp *v, Footprint *sum, Type t);
Atom footprint_bytes(Vjp *v, Footprint arrays);       // bytes of their blocks

// ---- log_bound.c: upper bounds, from sizes and trips outside a loop, of what is inside
typedef struct {
  Builder *b;
  Rewrite *outside;   // what becomes of variables outside the loop
  const Prog *from;
  Map *defs, *trips;  // variable -> its statement; trip number -> its loop
  VarSet inside;
  int steps;
  bool known;         // false once something has no bound
  struct Elements **elements;  // of array types looked at
} Bound;
Bound bound_new(Builder *b, Rewrite *outside, const Prog *from, const struct loop_form *scope);
Atom bound_upper(Bound *m, Atom trips);
Atom bound_elements(Bound *m, Type t);
// The stacks of parameter k, which is updated in place, for so many iterations of the loop.
Footprint bound_log(Bound *m, const struct loop_form *e, int k, const UpdateChain *c, Atom trips);

// ---- footprint.c
// The arrays that an iteration makes on the way to its results: counted twice, with adjoints; or
// once. Parts concatenated: what is contributed to them is added up in arrays of their own.
typedef struct {
  Bound m;
  Footprint fusible, arrays, once, parts;
} Iteration;
Iteration iteration_of(Vjp *v, const struct loop_form *e);
Map *body_reads(Vjp *v, const Body *body);  // how its statements read variables
bool is_read_once(const Map *reads, Var x);  // by one statement
// Adds what one statement of a body makes; outer: arrays of which contributions count elsewhere.
void alloc_add(Vjp *v, Iteration *it, const Body *body, Vars outer, const Stm *stm,
               const Map *reads);
// one array; none where its size has no bound
Footprint alloc_array(Vjp *v, Iteration *it, Type t);
void alloc_add_atoms(Vjp *v, Iteration *it, Footprint *sum, Atoms arrays);
Footprint free_arrays(Vjp *v, const struct loop_form *e);
bool has_adjoint(const Vjp *v, Var x);              // an array
bool body_returns(const Body *body, Var v);

// ---- peak_memory.c
// The most that a body's forward sweep and adjoint code keep, its results and their adjoints
// aside; sizes as in `it`.
Footprint peak_of(Vjp *v, const Iteration *it, const Body *body, Vars outer);
// The memory of statements after a loop until its adjoint code runs, and the part that remains
// then.
typedef struct {
  Footprint made, kept;
} AfterLoop;
AfterLoop after_loop_of(Vjp *v, const Stm *stm);
#endif
