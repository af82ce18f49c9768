// Loops whose blocks may write down what they add to arrays, so that ranges of the arrays add it
// (rts/logs.h): loops that do the same when they run again, as a log may turn out too short.
//
//   body reads A, stores in B, updates S     may run again: B is not read
//   body reads A, stores in A                may not
//
// Loops that sum up besides do that in the blocks in which one core does.
#include "local.h"
#include "rts/blocks.h"

typedef struct {
  const Search *s;
  bool *read, *written;  // by memory
  bool again;
} Again;

static bool is_own(const Again *a, ImpVar mem) {
  return a->s->inside[mem.id] == a->s->c->mentions[mem.id];
}

static bool is_shared(const Again *a, ImpVar mem) {
  for (int i = 0; i < a->s->shared.len; i++)
    if (a->s->shared.at[i]->mem.id == mem.id) return true;
  return false;
}

// Whether a function prints, or one that it calls: once is enough.
typedef struct {
  const Chunks *c;
  Map *seen;  // functions
  bool prints;
} Prints;
static void find_prints(void *state, ImpBlock *block) {
  Prints *p = state;
  for (int i = 0; i < block->len; i++) {
    ImpForm form = block->at[i]->form;
    if (form == IMP_STM_TRACE || form == IMP_STM_PROBE) p->prints = true;
    imp_each_block(block->at[i], find_prints, p);
    const ImpFn *fn = form == IMP_STM_CALL ? imp_callee(p->c->prog, &block->at[i]->call) : NULL;
    p->prints = p->prints || (form == IMP_STM_CALL && !fn);
    if (!fn || map_get(p->seen, KEY(fn))) continue;
    map_put(p->seen, KEY(fn), p);
    find_prints(p, fn->body);
  }
}

static void look_call(Again *a, const struct imp_call *call) {
  const Chunks *c = a->s->c;
  const ImpFn *fn = imp_callee(c->prog, call);
  Prints p = {c, map_new(c->arena), !fn};
  if (fn) find_prints(&p, fn->body);
  a->again = a->again && !p.prints;
  for (int k = 0; k < call->mems.len; k++) {
    a->read[call->mems.at[k].id] = true;
    if (!chunks_call_reads(fn, k)) a->written[call->mems.at[k].id] = true;
  }
}

static void look_block(void *state, ImpBlock *block) {
  Again *a = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    const bool update = stm->form == IMP_STM_UPDATE && !is_shared(a, stm->update.mem);
    if (stm->form == IMP_STM_CALL) look_call(a, &stm->call);
    if (stm->form == IMP_STM_LOAD) a->read[stm->load.mem.id] = true;
    if (stm->form == IMP_STM_STORE) a->written[stm->store.mem.id] = true;
    if (stm->form == IMP_STM_COPY) {
      a->read[stm->copy.from.id] = true;
      a->written[stm->copy.to.id] = true;
    }
    if (update) a->read[stm->update.mem.id] = a->written[stm->update.mem.id] = true;
    imp_each_block(stm, look_block, a);
  }
}

bool chunks_log(const Search *s) {
  Arena *arena = s->c->arena;
  const int n = s->c->fn->vars.len + 1;
  if (!s->shared.len || s->shared.len > DZ_LOGS_MOST) return false;
  Again a = {s, NEW_ARRAY(arena, bool, n), NEW_ARRAY(arena, bool, n), true};
  look_block(&a, s->loop->body);
  for (int id = 1; id < s->c->fn->vars.len; id++) {
    ImpVar v = {(uint32_t)id};
    if (a.read[id] && a.written[id] && !is_own(&a, v)) a.again = false;
  }
  return a.again;
}
