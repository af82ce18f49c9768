// The variables that a part of a function uses and binds: parameters of the function it becomes.
#include "local.h"
#include <stdlib.h>

Use *c_use_of(Uses *u, ImpVar v) {
  Use *use = map_get(u->at, v.id);
  if (use) return use;
  use = NEW(u->arena, Use);
  use->var = v;
  map_put(u->at, v.id, use);
  list_push(u->arena, &u->uses, use);
  return use;
}

// A strip's own blocks are all free again after it, in whatever places: its function swaps
// pointers.
static void use_swap(Uses *u, const struct imp_swap *s) {
  u->swaps = true;
  const ImpFn *fn = u->w->fn;
  if (!fn->vars.at[s->to.id].expanded || !fn->vars.at[s->from.id].expanded) u->swaps_outside = true;
}

static void use_var(void *state, ImpVar v) {
  if (v.id) c_use_of(state, v)->used = true;
}
void c_use_exp(void *state, const ImpExp *e) { imp_each_var(e, use_var, state); }

static void use_block(void *state, ImpBlock *block) {
  Uses *u = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    ImpVar *def = imp_stm_def(stm);
    if (def && def->id) c_use_of(u, *def)->inside = true;
    if (stm->form == IMP_STM_SET) use_var(u, stm->set.var);
    if (stm->form == IMP_STM_SCAN) use_var(u, stm->scan.acc);
    if (stm->form == IMP_STM_SWAP) use_swap(u, &stm->swap);
    imp_each_exp(stm, c_use_exp, u);
    imp_each_mem(stm, use_var, u);
    imp_each_block(stm, use_block, u);
    u->stms++;
  }
}

Uses c_uses(const Writer *w, ImpBlock *block) {
  Uses u = {.w = w, .at = map_new(w->prog->arena), .arena = w->prog->arena};
  use_block(&u, block);
  return u;
}

static int use_order(const void *a, const void *b) {
  const Use *const *x = a, *const *y = b;
  return ((*x)->var.id > (*y)->var.id) - ((*x)->var.id < (*y)->var.id);
}

void c_uses_sort(Uses *u) {
  qsort(u->uses.at, (size_t)u->uses.len, sizeof *u->uses.at, use_order);
}
