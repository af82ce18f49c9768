// strategies: the table of ways to a derivative (strategies.c).
#ifndef AD_STRATEGIES_H
#define AD_STRATEGIES_H
#include "local.h"

// Code for the jvp or vjp `stm`, whose operands are already of the program built into, by the
// strategy it names, the session's, or the default.  Results: (value.., derivative..).  Leaves with
// "unsupported" where the strategy does not accept the function.
Atoms strategy_differentiate(Builder *b, const Stm *stm, Calls *calls, VjpUse use);
// Leaves: the strategy does not take what stands at loc.
_Noreturn void strategy_refuse(const Prog *prog, int strategy, const Loc *loc, const char *what);
#endif
