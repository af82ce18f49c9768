// loops: loops over arrays become combinators, which derivatives and the back end know better.
//
// Every parameter of a `for` loop is put into a class (classes.c).  Where all have one, iterations
// know nothing of each other:
//
//   loop (p..) = (z..) for i < n do body      becomes      t.. = map n (\i -> body') ; p = ..
//
//   fold     s' = s op e               reduce op t, where body' has op's neutral element for s
//   best     if m < x: m = x, k = i    reduce with the operator that chooses the greater m
//   cells    y with [a i + b] = v      the map's values, written as one slice; its old cells are
//                                      read by the map
//   parts    several ranges of cells   the same for each of them
//   adds     y with [e] += v           an accumulator that goes through the map
//   store    y with [e] = v            scatter: the last of equal indices wins
//   count    k' = k + (a i + b)        k0 + b i + a i (i - 1) / 2
//
// A loop with another parameter stays; a note says which references are in the way.
#ifndef OPT_LOOPS_H
#define OPT_LOOPS_H
#include "opt/common/local.h"

// ---- body.c: a loop, and what its body binds and uses
typedef struct {
  Env *e;
  struct loop_form *l;
  Var i;
  Map *defs;     // variable -> const Stm *, of the body and what is nested in it
  Map *results;  // the same -> which of its results, plus 1
  Map *uses;     // variable -> how often it is an operand, a result or a size
} Loop;
Loop loop_of(Env *e, Stm *stm);
bool loop_binds(const Loop *s, Atom a);      // in the body or nested in it; the counter, too
int loop_uses(const Loop *s, Var v);
const Stm *loop_def(const Loop *s, Atom a);  // NULL: from outside, or a parameter
int loop_result(const Loop *s, Atom a);      // which result of loop_def it is
Var loop_param(const Loop *s, int k);        // number k after the counter

// ---- linear.c: x = coef * i + base, the two from outside; emits what computes them
typedef struct {
  bool ok;
  Atom coef, base;
} Linear;
Linear linear_of(Loop *s, Atom x);
bool linear_moves(Env *e, const Linear *x);  // it is another number in every iteration

// ---- classes
typedef enum {
  CLASS_NONE, CLASS_FOLD, CLASS_BEST, CLASS_CELLS, CLASS_PARTS, CLASS_ADDS, CLASS_STORE,
  CLASS_COUNT,
  CLASS_ACC  // an accumulator as it is
} ParamKind;

// An array that is carried from iteration to iteration: its names in the body, and what is read
// and written of it there.
typedef struct {
  const Stm *stm;  // an `index` or `update`
  bool nested;     // not in the loop's own body
} Reference;
typedef struct {
  Var p;
  Map *names;  // variable -> Family *
  LIST(Reference) refs;
  const Stm *bad;  // another use, which no class has; NULL: none
} Family;

typedef struct ParamClass {
  ParamKind kind;
  Op op;             // FOLD; BEST: the comparison
  int leader;        // BEST: the parameter that is compared; others go along
  bool second;       // BEST: the candidate is the smaller operand
  Family *family;
  Slice slice;       // CELLS: where the cells of all iterations are
  int axis;          // CELLS: the dimension of slice that goes with the iteration
  bool blocks;       // CELLS: rows of `count` cells each, one after the other
  const Stm *checked;  // CELLS: a reference that tests its index; NULL: all are known to be good
  Type cell;         // what its names are in the map: the old and new cells, the accumulator
  Linear step;       // COUNT
  Map *dropped;      // ADDS: statements that the update takes over, by what they bind
  LIST(struct ParamClass) parts;  // PARTS: CELLS, each of which ..
  bool read, written;             // .. has old cells that are read, new ones
  Map *part_of;      // PARTS: the part of a reference, plus 1, by what it binds
  Var old;           // of a part: its old cell in the map
  Atoms made;        // PARTS: the new cells in the map, of the parts that are written
} ParamClass;

// ---- folds.c
bool class_fold(Loop *s, int k, ParamClass *out);
Atom fold_neutral(Op op, Prim p);
// ---- best.c
bool class_best(Loop *s, int k, ParamClass *classes);
// ---- counts.c
bool class_count(Loop *s, int k, ParamClass *out);
// The parameter after n iterations, or in iteration n.
Atom count_after(Builder *b, const ParamClass *c, Atom init, Atom n);
// ---- family.c
Family *family_of(Loop *s, Var p);
bool family_has(const Family *f, Atom a);
// ---- cells.c
bool class_cells(Loop *s, Family *f, ParamClass *out);
// ---- parts.c
bool class_parts(Loop *s, Family *f, ParamClass *out);
// ---- adds.c
bool class_adds(Loop *s, Family *f, ParamClass *out);
// ---- store.c
bool class_store(Loop *s, Family *f, ParamClass *out);

// ---- stays.c: for `dagaz explain`; one parameter at least has no class
void loop_note(Loop *s, const Stm *stm, const ParamClass *classes);

// ---- rewrite.c: the body with cells and accumulators for arrays
void body_rewrite(Loop *s, ParamClass *classes);
// cond: 0 <= at[d] < dims[d] for all d; the failure says at.
void emit_bounds(Builder *b, Atom cond, Atoms at, const Type *array);
Atom build_in_bounds(Builder *b, Atoms at, const Type *array);
// ---- emit.c: the combinators
void loop_replace(Loop *s, Stm *stm, ParamClass *classes);
#endif
