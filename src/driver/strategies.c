// Strategies tried: what a program's derivatives would be by one of them.
#include "driver.h"

// In a new arena: passes change what they are given.
static Prog *copy_of(Session *s, const Prog *prog) {
  Arena *arena = arena_beside(s->arena);
  Rewrite w = {0};
  list_push(s->arena, &s->programs, arena);
  return rewrite_prog(prog, arena, &w);
}

Prog *strategy_try(Session *s, const Prog *prog, int strategy, StrategyTry how,
                   const char **why) {
  Switches before = s->switches;
  const char *pass = s->pass;
  bool silent = s->diag->no_warnings;
  Prog *volatile out = NULL;
  Stop stop;
  s->switches.strategy = strategy;
  s->switches.trial = true;
  s->diag->no_warnings = true;
  s->switches.why = "a construct";
  if (stop_arm(&stop)) {
    Prog *made = pipeline_differentiate(s, copy_of(s, prog));
    out = how == TRY_OPTIMISED ? pipeline_optimise(s, made) : made;
    stop_pop(&stop);
  }
  *why = s->switches.why;
  before.asked |= s->switches.asked;
  s->switches = before;
  s->diag->no_warnings = silent;
  s->pass = pass;
  return out;
}
