// How much memory derivatives of loops need (makes.c, behind.c, pushed.c, vjp_undo.c), and how what there
// is is divided (budget.c).
#ifndef AD_MEMORY_H
#define AD_MEMORY_H
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

Arrays arrays_of(Vjp *v, Arrays a, Arrays b);  // both
Atom elements_of(Vjp *v, Type t);
void type_add(Vjp *v, Arrays *sum, Type t);
Atom blocks_need(Vjp *v, Arrays arrays);       // bytes of their blocks

// ---- pushed.c: upper bounds, from sizes and trips outside a loop, of what is inside
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
Atom bound_most(Bound *m, Atom trips);
Atom bound_elements(Bound *m, Type t);
// The stacks of parameter k, which is updated in place, for so many iterations of the loop.
Arrays bound_pushed(Bound *m, const struct loop_form *e, int k, const Chain *c, Atom trips);

// ---- makes.c
// What an iteration makes on the way to its results: twice that, with adjoints; or once.
// Parts put together: what is contributed to them is added up in arrays of their own.
typedef struct {
  Bound m;
  Arrays fusible, arrays, once, parts;
} Iteration;
Iteration iteration_of(Vjp *v, const struct loop_form *e);
Map *body_reads(Vjp *v, const Body *body);  // how its statements read variables
bool is_read_once(const Map *reads, Var x);  // by one statement
// Adds what one statement of a body makes; outer: arrays of which contributions count elsewhere.
void makes_add(Vjp *v, Iteration *it, const Body *body, Vars outer, const Stm *stm, const Map *reads);
Arrays makes_array(Vjp *v, Iteration *it, Type t);  // one array; none where its size has no bound
void makes_add_atoms(Vjp *v, Iteration *it, Arrays *sum, Atoms arrays);
Arrays free_arrays(Vjp *v, const struct loop_form *e);
bool has_adjoint(const Vjp *v, Var x);              // an array
bool body_returns(const Body *body, Var v);

// ---- behind.c
// What a body's forward code and return code hold at the most, its results and their adjoints aside; sizes
// as `it` knows them.
Arrays peak_of(Vjp *v, const Iteration *it, const Body *body, Vars outer);
// What statements behind a loop hold until its return code comes; what of that is still there then.
typedef struct {
  Arrays made, kept;
} Behind;
Behind behind_of(Vjp *v, const Stm *stm);
#endif
