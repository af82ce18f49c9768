// Blocks that are written but that nothing reads are not made: results of scans that only their
// operator needed, mostly; nor are the loops and branches run that did nothing else, which the C
// compiler would keep.  The law: whatever mentions such a block allocates it, writes elements of it
// or frees it; such a loop or branch only binds local variables and reads besides.
#include "imp/common/imp.h"

typedef struct {
  const ImpFn *fn;
  bool *read;  // by memory: something else mentions it
  const ImpStm *stm;
  int removed;
} DeadStores;

// The memory a statement only writes or allocates; its id is 0 where there is none.
static ImpVar written_only(const ImpStm *stm) {
  if (stm->form == IMP_STM_STORE) return stm->store.mem;
  if (stm->form == IMP_STM_UPDATE) return stm->update.mem;
  if (stm->form == IMP_STM_COPY) return stm->copy.to;
  if (stm->form == IMP_STM_ALLOC) return stm->alloc.mem;
  if (stm->form == IMP_STM_FREE) return stm->free.mem;
  return (ImpVar){0};
}

static void note_mention(void *state, ImpVar mem) {
  DeadStores *u = state;
  if (mem.id != written_only(u->stm).id) u->read[mem.id] = true;
}

static void note_block(void *state, ImpBlock *block) {
  DeadStores *u = state;
  for (int i = 0; i < block->len; i++) {
    u->stm = block->at[i];
    imp_each_mem(u->stm, note_mention, u);
    imp_each_block(block->at[i], note_block, u);
  }
}

static bool is_unread(const DeadStores *u, ImpVar mem) {
  return mem.id != 0 && u->fn->vars.at[mem.id].kind == IMP_BLOCK && !u->read[mem.id];
}

static bool only_binds(const ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    ImpForm form = block->at[i]->form;
    if (form != IMP_STM_LET && form != IMP_STM_VAR && form != IMP_STM_LOAD) return false;
  }
  return true;
}

static bool does_nothing(const ImpStm *stm) {
  if (stm->form == IMP_STM_FOR) return only_binds(stm->for_.body);
  return stm->form == IMP_STM_IF && only_binds(stm->if_.then) && only_binds(stm->if_.other);
}

static void remove_writes(void *state, ImpBlock *block) {
  DeadStores *u = state;
  int kept = 0;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    imp_each_block(stm, remove_writes, u);
    if (is_unread(u, written_only(stm)) || does_nothing(stm)) u->removed++;
    else block->at[kept++] = stm;
  }
  block->len = kept;
}

// A copy that goes was perhaps the last to read its source.
void imp_pass_dead_stores(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  DeadStores u = {.fn = fn};
  do {
    u.read = NEW_ARRAY(arena, bool, fn->vars.len);
    u.removed = 0;
    for (int i = 0; i < fn->params.len; i++) u.read[fn->params.at[i].id] = true;
    note_block(&u, fn->body);
    remove_writes(&u, fn->body);
  } while (u.removed > 0);
}
