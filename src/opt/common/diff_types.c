// The types of which derivatives may be taken.  Sizes, indices, trip numbers, comparisons and bits
// have none (doc/ad.md 1), what they are made of may: where (iota n)[i] has become i, or x & x has
// become x, derivatives pass.  Simplify asks before it makes one of the other.
#include "local.h"

typedef struct {
  const Prog *prog;
  uint32_t from_to[PRIM_COUNT];  // conversions, by the type they start from
  uint32_t under;                // parameters of operators' functions
} Found;

static uint32_t bit(Prim p) { return UINT32_C(1) << p; }

static void find_fn(Found *f, const Lambda *fn) {
  for (int i = 0; i < fn->params.len; i++)
    f->under |= bit(var_type(f->prog, fn->params.at[i]).prim);
}

static void find_body(void *state, const Body *body, const Vars *params) {
  Found *f = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    if (e->form == FORM_JVP) find_fn(f, e->jvp.fn);
    if (e->form == FORM_VJP) find_fn(f, e->vjp.fn);
    if (e->form == FORM_CONV) f->from_to[atom_type(f->prog, e->conv.arg).prim] |= bit(e->conv.to);
    if (e->form == FORM_PRIM && (e->prim.op == OP_TO_BITS || e->prim.op == OP_FROM_BITS))
      f->from_to[e->prim.prim] |= bit(op_result(e->prim.op, e->prim.prim));
    exp_each_body(e, find_body, f);
  }
}

uint32_t prims_differentiable(const Prog *prog) {
  if (prog->level == LEVEL_AD_FREE) return 0;
  Found f = {.prog = prog};
  find_body(&f, &(Body){.stms = prog->constants}, NULL);
  for (int i = 0; i < prog->fns.len; i++) find_body(&f, &prog->fns.at[i]->body, NULL);
  uint32_t all = f.under;
  for (bool more = true; more;) {
    uint32_t before = all;
    for (int p = 0; p < PRIM_COUNT; p++)
      if (all >> p & 1) all |= f.from_to[p];
    more = all != before;
  }
  return all;
}

bool env_differentiable(const Env *e, Prim p) { return e->varying >> p & 1; }
