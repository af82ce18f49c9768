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
  if (!bulk_vjp(b, &stm->exp.vjp, &out, &why))
    ad_unsupported(why.loc ? why.loc : stm->loc,
                   arena_printf(b->prog->arena, "%s, by the strategy \"dual\" of derivatives",
                                why.text));
  return out;
}

typedef struct {
  // The first statement of the function that the strategy cannot take, and what that is; NULL: it
  // takes them all.  The row has NULL where there is no such statement.
  const Stm *(*refuses)(const Prog *prog, const Stm *stm, const char **what);
  Atoms (*differentiate)(Builder *b, const Stm *stm, Calls *calls, VjpUse use);
} Strategy;

static const Strategy strategies[STRATEGY_END] = {
    [STRATEGY_REDUNDANT] = {NULL, redundant},
    [STRATEGY_FORWARD] = {NULL, forward},
    [STRATEGY_DUAL] = {NULL, dual},
};

static const Strategy *strategy_of(const Prog *prog, const Stm *stm, int *id) {
  int asked = prog->switches ? prog->switches->strategy : STRATEGY_NONE;
  *id = stm->attrs.strategy ? stm->attrs.strategy : asked ? asked : STRATEGY_REDUNDANT;
  return &strategies[*id];
}

Atoms strategy_differentiate(Builder *b, const Stm *stm, Calls *calls, VjpUse use) {
  int id;
  const char *what = NULL;
  const Strategy *s = strategy_of(b->prog, stm, &id);
  const Stm *refused = s->refuses ? s->refuses(b->prog, stm, &what) : NULL;
  if (refused)
    ad_unsupported(refused->loc ? refused->loc : stm->loc,
                   arena_printf(b->prog->arena, "%s, by the strategy \"%s\" of derivatives", what,
                                strategy_info[id].name));
  return s->differentiate(b, stm, calls, use);
}
