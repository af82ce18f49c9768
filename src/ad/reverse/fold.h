// Folds from the left, run back (vjp_fold.c): what histograms and reductions in maps have in
// common.
#ifndef AD_FOLD_H
#define AD_FOLD_H
#include "ad/common/local.h"

// A loop whose parameters go round as unique values.
typedef struct {
  LambdaBuilder lb;
  Builder *in;
  const char *hint;
  Atom width, i;         // i: the number of the iteration
  Atoms inits, params;   // of the loop-carried values
} CarryLoop;
void carry_begin(CarryLoop *r, Builder *b, const char *hint, Atom width, Atoms inits);
Atoms carry_end(CarryLoop *r, Builder *b, Atoms results, bool reversed);
// Adjoints that go round belong to variables: the states and the free variables of op; those of the
// values are made in every iteration.
typedef struct {
  const Lambda *op;
  int n;
  Vars results;          // of the source: the states after the fold
  bool *want;            // per operand of op: its adjoint is wanted
  Vars states, values;   // per component; the values: rows
  Vars free, round;      // round: the states that are wanted, then free
} FoldReverse;
FoldReverse fold_reverse(Vjp *v, const Lambda *op, Vars results, Atoms inputs);
// One application of op: adjoints of the states' operands (none where not wanted), those of the
// values and of free variables into A.
Atoms fold_step_reverse(Vjp *v, const FoldReverse *f, Atoms operands, const Adj *seeds);
Atom carry_value(Vjp *v, Var x);         // the loop-carried value of x
void carry_set(Vjp *v, Var x, Atom value);
bool reduce_is_fold(const Vjp *v, const Lambda *op);  // vjp_reduce_fold.c
bool states_in_forward(const Vjp *v, const Stm *stm);
// forward sweep with the states in front of values
Atoms vjp_reduce_states(Vjp *v, const Stm *stm);
void vjp_reduce_fold(Vjp *v, const Stm *stm, Atoms states);  // states: none if not made yet
#endif
