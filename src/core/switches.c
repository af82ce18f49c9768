// The table of optimisations that can be left out, and what a program says about them.
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
