// The table of strategies, the ways to a derivative.  They share the scalar rules (prim.def),
// activity, safe products and custom rules; each has a row: what it accepts, how it differentiates.
// Names and what they do: syntax/strategy.def.
#include "strategies.h"
#include "bulk/bulk.h"

static Atoms redundant(Builder *b, const Stm *stm, Calls *calls, VjpUse use) {
  if (stm->exp.form == FORM_JVP) return ad_jvp(b, &stm->exp.jvp, stm->loc, calls);
  return ad_vjp(b, &stm->exp.vjp, stm->loc, calls, use);
}

static Atoms forward(Builder *b, const Stm *stm, Calls *calls, VjpUse use) {
  (void)use;
  if (stm->exp.form == FORM_JVP) return ad_jvp(b, &stm->exp.jvp, stm->loc, calls);
  return ad_vjp_forward(b, &stm->exp.vjp, calls);
}

static Atoms dual(Builder *b, const Stm *stm, Calls *calls, VjpUse use) {
  (void)use;
  if (stm->exp.form == FORM_JVP) return ad_jvp(b, &stm->exp.jvp, stm->loc, calls);
  Atoms out;
  BulkRefusal why;
  if (!bulk_vjp(b, &stm->exp.vjp, calls_strict(calls), &out, &why))
    strategy_refuse(b->prog, STRATEGY_DUAL, why.loc ? why.loc : stm->loc, why.text);
  return out;
}

static Atoms elimination(Builder *b, const Stm *stm, Calls *calls, VjpUse use) {
  (void)use;
  return ad_eliminate(b, stm, calls_strict(calls));
}

// Leaves by strategy_refuse where the function has something that the strategy cannot take.
typedef Atoms Strategy(Builder *b, const Stm *stm, Calls *calls, VjpUse use);

static Strategy *const strategies[STRATEGY_END] = {
    [STRATEGY_REDUNDANT] = redundant,
    [STRATEGY_FORWARD] = forward,
    [STRATEGY_DUAL] = dual,
    [STRATEGY_ELIMINATION] = elimination,
    [STRATEGY_AUTO] = redundant,  // where nothing was chosen (driver/choose.c)
};

static int strategy_of(const Prog *prog, const Stm *stm) {
  int id = strategy_asked(prog, stm);
  return id == STRATEGY_NONE ? STRATEGY_REDUNDANT : id;
}

_Noreturn void strategy_refuse(const Prog *prog, int strategy, const Loc *loc, const char *what) {
  Switches *s = prog->switches;
  if (s && s->trial) {
    s->why = what;
    stop_now(STATUS_UNSUPPORTED);
  }
  ad_unsupported(prog, loc,
                 arena_printf(prog->arena, "%s, by the strategy \"%s\" of derivatives", what,
                              strategy_info[strategy].name));
}

Atoms strategy_differentiate(Builder *b, const Stm *stm, Calls *calls, VjpUse use) {
  return strategies[strategy_of(b->prog, stm)](b, stm, calls, use);
}
