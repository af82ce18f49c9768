// Floats that iterations add to places that data decide, where the target may add them in any
// order (--any-order): the loop becomes a kernel whose updates of this memory are atomic.  Without
// that, the host adds them, in the order of one core.
#include "local.h"

bool device_adds_atomically(const Chunks *c, const Updated *x) {
  const Prim p = c->fn->vars.at[x->mem.id].prim;
  return c->device && prog_machine(c->prog->core)->any_order && x->op == OP_ADD &&
         (p == PRIM_F32 || p == PRIM_F64);
}

static bool is_atomic(const Search *s, ImpVar mem) {
  const Updated *x = map_get(s->places, mem.id);
  return x && x->atomic;
}

static void make_atomic(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_UPDATE) stm->update.atomic = is_atomic(state, stm->update.mem);
    imp_each_block(stm, make_atomic, state);
  }
}
void device_make_atomic(Search *s) { make_atomic(s, s->loop->body); }

bool device_has_atomic(const Search *s) {
  for (int i = 0; i < map_len(s->places); i++) {
    const Updated *x = map_value_at(s->places, i);
    if (x->atomic) return true;
  }
  return false;
}
