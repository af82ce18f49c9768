// Conditions that an earlier check, branch or loop implies are not tested again: what a check
// passed holds after it in its block, a branch's condition inside the branch, 0 < bound in the body
// of a loop.  Only of variables that never change.  Nothing that stands on a check may move before
// it after this pass.
#include "imp/common/imp.h"

enum { MOST = 200 };  // conditions remembered at a time

typedef struct {
  Arena *arena;
  const ImpFn *fn;
  LIST(const ImpExp *) holds;
} HoldsSet;

static bool is_and(const ImpExp *e) {
  return e->kind == IMP_OP && e->op == OP_AND && e->prim == PRIM_BOOL;
}

static void find_changing(void *state, ImpVar var) {
  void **pair = state;
  const ImpFn *fn = pair[0];
  if (fn->vars.at[var.id].kind == IMP_MUT) *(bool *)pair[1] = true;
}

static bool changes(const HoldsSet *k, const ImpExp *e) {
  bool any = false;
  const void *pair[2] = {k->fn, &any};
  imp_each_var(e, find_changing, pair);
  return any;
}

static void learn(HoldsSet *k, const ImpExp *e) {
  if (is_and(e)) {
    learn(k, e->args[0]);
    learn(k, e->args[1]);
  } else if (e->kind != IMP_CONST && k->holds.len < MOST && !changes(k, e)) {
    list_push(k->arena, &k->holds, e);
  }
}

// The part of e that must still be tested: NULL for nothing.
static const ImpExp *rest_of(const HoldsSet *k, const ImpExp *e) {
  if (is_and(e)) {
    const ImpExp *a = rest_of(k, e->args[0]), *b = rest_of(k, e->args[1]);
    if (a == e->args[0] && b == e->args[1]) return e;
    return a && b ? imp_op(k->arena, OP_AND, PRIM_BOOL, a, b, NULL) : a ? a : b;
  }
  if (e->kind == IMP_CONST && e->value.i) return NULL;
  for (int i = k->holds.len - 1; i >= 0; i--)
    if (imp_exp_same(k->holds.at[i], e)) return NULL;
  return e;
}

static void checks_block(HoldsSet *k, ImpBlock *block);

// v < n and v < n of unsigned numbers, as bounds of indices are tested.
static void learn_below(HoldsSet *k, const ImpExp *v, const ImpExp *n) {
  learn(k, imp_op(k->arena, OP_LT, PRIM_I64, v, n, NULL));
  learn(k, imp_op(k->arena, OP_LT, PRIM_U64, imp_conv(k->arena, PRIM_U64, v),
                  imp_conv(k->arena, PRIM_U64, n), NULL));
}

static void known_for(HoldsSet *k, const struct imp_for_ *s) {
  int mark = k->holds.len;
  learn_below(k, imp_i64(k->arena, 0), s->bound);
  learn_below(k, imp_var(k->arena, k->fn, s->var), s->bound);
  checks_block(k, s->body);
  k->holds.len = mark;
}

typedef struct {
  const HoldsSet *k;
  ImpVar counter;
  LIST(ImpVar) bound;  // in the body
  bool varies;
} Invariant;

static void find_varying(void *state, ImpVar var) {
  Invariant *v = state;
  if (var.id == v->counter.id || v->k->fn->vars.at[var.id].kind == IMP_MUT) v->varies = true;
  for (int i = 0; i < v->bound.len; i++)
    if (var.id == v->bound.at[i].id) v->varies = true;
}

static void find_varying_in(void *state, const ImpExp *e) { imp_each_var(e, find_varying, state); }

// True if the body of a loop has only tests, and numbers that no test needs.
static bool tests_alone(const HoldsSet *k, const struct imp_for_ *s) {
  Invariant v = {.k = k, .counter = s->var};
  for (int i = 0; i < s->body->len; i++) {
    const ImpStm *stm = s->body->at[i];
    if (stm->form == IMP_STM_LET) list_push(k->arena, &v.bound, stm->let.var);
    else if (stm->form == IMP_STM_TEST) imp_each_exp(stm, find_varying_in, &v);
    else return false;
  }
  return !v.varies;
}

// for i < n { check c }  ==>  check n <= 0 || c  where i and what changes are not in c.
static bool known_tests(HoldsSet *k, const struct imp_for_ *s, ImpBlock *out) {
  if (!tests_alone(k, s)) return false;
  const ImpExp *none = imp_op(k->arena, OP_LE, s->bound->prim, s->bound,
                              imp_const(k->arena, scalar_int(s->bound->prim, 0)), NULL);
  for (int i = 0; i < s->body->len; i++) {
    ImpStm *test = s->body->at[i];
    if (test->form != IMP_STM_TEST) continue;
    test->test.cond = imp_op(k->arena, OP_OR, PRIM_BOOL, none, test->test.cond, NULL);
    const ImpExp *rest = rest_of(k, test->test.cond);
    if (rest) list_push(k->arena, out, test);
  }
  return true;
}

static void known_inside(HoldsSet *k, const ImpExp *cond, ImpBlock *block) {
  int mark = k->holds.len;
  if (cond) learn(k, cond);
  checks_block(k, block);
  k->holds.len = mark;
}

static void known_nested(void *state, ImpBlock *block) { known_inside(state, NULL, block); }

static void checks_block(HoldsSet *k, ImpBlock *block) {
  ImpBlock out = {0};
  int mark = k->holds.len;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_TEST) {
      const ImpExp *rest = rest_of(k, stm->test.cond);
      if (!rest) continue;
      stm->test.cond = rest;
      learn(k, rest);
    } else if (stm->form == IMP_STM_IF) {
      const ImpExp *rest = rest_of(k, stm->if_.cond);
      if (rest) stm->if_.cond = rest;
      known_inside(k, rest, stm->if_.then);
      known_inside(k, NULL, stm->if_.other);
      for (int j = 0; !rest && j < stm->if_.then->len; j++)
        list_push(k->arena, &out, stm->if_.then->at[j]);
      if (!rest) continue;
    } else if (stm->form == IMP_STM_FOR) {
      known_for(k, &stm->for_);
      if (known_tests(k, &stm->for_, &out)) continue;
    } else imp_each_block(stm, known_nested, k);
    list_push(k->arena, &out, stm);
  }
  k->holds.len = mark;
  *block = out;
}

void imp_pass_checks(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  HoldsSet k = {.arena = arena, .fn = fn};
  checks_block(&k, fn->body);
}
