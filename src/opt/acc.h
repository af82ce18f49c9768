// Shared by accspec.c and accnest.c.
#ifndef OPT_ACC_H
#define OPT_ACC_H
#include "local.h"

typedef struct {
  Prog *prog;
  Arena *arena;    // the program's
  Arena *scratch;
  Map *ops;        // token -> const Operator
  Map *iotas;      // variables that are iota n 0 1
  Map *zeros;      // variables that are arrays of zeros
  int *inner;      // by variable: stamp when bound inside the lambda looked at
  int stamp, cap;
  bool changed;
} Acc;
const Operator *acc_operator(const Acc *a, Atom acc);  // NULL: overwriting, or not scalar
void acc_mark_inner(Acc *a, const Lambda *fn);         // then acc_is_inner answers for fn
bool acc_is_inner(const Acc *a, Atom x);

// A nest of maps whose only effect is updates: appends the same nests, one per update, in an order
// that walks memory; false when the order is good as it is.
bool acc_reorder(Acc *a, Stms *out, Stm *stm);
// Appends to out what leaves the `withacc` stm; see accsplit.c.
void acc_split(Acc *a, Stms *out, Stm *stm);
#endif
