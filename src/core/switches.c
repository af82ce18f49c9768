// The table of optimisations that can be left out, and what a program says about them; the names of
// strategies.
#include "core.h"
#include <string.h>

const SwitchInfo switch_info[SWITCH_COUNT] = {
#define SWITCH(id, name, former, help) [SWITCH_##id] = {name, former, help},
#include "switch.def"
#undef SWITCH
};

bool prog_may(const Prog *prog, Switch s) {
  uint64_t bit = UINT64_C(1) << s;
  if (!prog->switches) return true;
  prog->switches->asked |= bit;
  return !(prog->switches->off & bit);
}

const StrategyInfo strategy_info[STRATEGY_END] = {
#define STRATEGY(id, name, help) [STRATEGY_##id] = {name, help},
#include "syntax/strategy.def"
#undef STRATEGY
};

int strategy_named(const char *name) {
  for (int i = 1; i < STRATEGY_END; i++)
    if (strcmp(strategy_info[i].name, name) == 0) return i;
  return 0;
}

const char *strategy_names(Arena *arena) {
  const char *names = strategy_info[1].name;
  for (int i = 2; i < STRATEGY_END; i++)
    names = arena_printf(arena, "%s, %s", names, strategy_info[i].name);
  return names;
}

TargetKind prog_target(const Prog *prog) { return prog->target ? prog->target->kind : TARGET_ONE; }
