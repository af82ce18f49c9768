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

int strategy_asked(const Prog *prog, const Stm *stm) {
  if (stm->attrs.strategy) return stm->attrs.strategy;
  return prog->switches ? prog->switches->strategy : STRATEGY_NONE;
}

TargetKind prog_target(const Prog *prog) { return prog_machine(prog)->kind; }

bool prog_on_device(const Prog *prog) { return prog_target(prog) >= TARGET_GPU_HOST; }

// Vectors of 32 bytes, at most 64; a first cache of 32 KiB: 32 rows of 128 numbers.
#define PROCESSOR(kind)                                                              \
  {kind, .lanes = 4, .most_lanes = 8, .strip = 32, .cached_rows = 32, .frame = 48 * 1024, \
   .frame_array = 2048, .frame_strip = 8192}

Target target_of(TargetKind kind) { return (Target)PROCESSOR(kind); }

const Target *prog_machine(const Prog *prog) {
  static const Target one = PROCESSOR(TARGET_ONE);
  return prog && prog->target ? prog->target : &one;
}
