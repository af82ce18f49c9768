// Derivatives of loops that undo updates (undo_log.c) or keep to a memory limit (state_budget.c).
#ifndef AD_MEMORY_H
#define AD_MEMORY_H
#include "ad/common/local.h"

// ---- undo_log.c: the statements that turn a parameter into the loop's result
bool chain_updates(const UpdateChain *c, const Stm *stm);  // one that updates the array
bool chain_recomputable(const UpdateChain *c, Atom a);     // need not be pushed

// ---- state_budget.c: how many states may be stored besides the first
Atom checkpoint_rows(Vjp *v, const Stm *stm, const LoopSave *save);
// With a store: states, the first among them, and iterations in a block.
enum { MOST_SLOTS = 64 };
typedef struct {
  Atom slots, block;
} Division;
Division checkpoint_divide(Vjp *v, const Stm *stm, const LoopSave *save);
// Where the run is limited: asserts that what the function takes fits, before the loop starts.
void budget_check(Vjp *v, const Stm *stm);
#endif
