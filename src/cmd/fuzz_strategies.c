// dagaz fuzz: every strategy of derivatives gives the adjoints that the default gives (syntax/
// strategy.def), first order and, where a program has derivatives inside, second; as differentiated
// or optimised, sometimes without the pass that makes forward mode cheap.
#include "fuzz.h"

// NULL: the strategy refuses.
static const Prog *by_strategy(Session *s, const FuzzDerived *d, int strategy, uint64_t seed) {
  const char *why;
  if (seed / 2 % 4 == 0) session_without(s, "onehot");
  Prog *out = strategy_try(s, d->source, strategy,
                           seed / 2 % 2 ? TRY_OPTIMISED : TRY_DIFFERENTIATED, &why);
  session_with_all(s);
  return out;
}

const char *fuzz_strategies(Session *s, const FuzzDerived *d, const FuzzSeeds *seeds,
                            uint64_t seed) {
  const char *differs = NULL;
  for (int i = STRATEGY_REDUNDANT + 1; i < STRATEGY_END && !differs; i++) {
    const Prog *other = by_strategy(s, d, i, seed);
    if (!other) continue;
    const char *way = arena_printf(s->arena, "strategy %s%s", strategy_info[i].name,
                                   seed / 2 % 2 ? ", optimised" : "");
    FuzzPair pair = {d->derived, other, d->tolerance, d->may_fail};
    differs = fuzz_same_adjoints(s, way, &pair, seeds);
  }
  return differs;
}
