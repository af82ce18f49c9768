// Programs for a device: where the host needs memory, TRANSFER says so in front of the statement.
// Where memory is valid is known when the program runs, by block (rts/dev.h), so a TRANSFER of what
// is on the host already is a test.
//
//   s: reads a, writes b    transfer to_read a; transfer to_write b; s
//   alloc a                 alloc a; transfer undefined a
//   entry points            what comes in and goes out is on the host alone
//
// A loop that launches nothing is one statement here.  Calls may launch: functions see to their
// own memory.
#include "imp/common/imp.h"

typedef struct {
  Arena *arena;
  ImpFn *fn;
  bool entry;
  // of a statement
  Map *met;  // memory -> anything
  ImpVars reads, writes;
  bool launches;
} Transfers;

static void find_launches(void *state, ImpBlock *block) {
  bool *found = state;
  for (int i = 0; i < block->len && !*found; i++) {
    ImpForm form = block->at[i]->form;
    if (form == IMP_STM_KERNEL || form == IMP_STM_CALL) *found = true;
    else imp_each_block(block->at[i], find_launches, state);
  }
}
static bool launches(const ImpStm *stm) {
  bool found = false;
  imp_each_block(stm, find_launches, &found);
  return found;
}

// ---- what a statement needs on the host --------------------------------------------------------
static void note_block(void *state, ImpBlock *block);

static void note_write(Transfers *t, ImpVar mem) {
  if (map_get(t->met, mem.id) == &t->writes) return;
  map_put(t->met, mem.id, &t->writes);
  list_push(t->arena, &t->writes, mem);
}
static void note_read(void *state, ImpVar mem) {
  Transfers *t = state;
  if (!mem.id || !t->fn->vars.at[mem.id].is_mem || map_get(t->met, mem.id)) return;
  map_put(t->met, mem.id, &t->reads);
  list_push(t->arena, &t->reads, mem);
}

// Blocks that are handed on inside of a loop are whatever the others are.
static void note_stm(Transfers *t, const ImpStm *stm, bool inside) {
  bool hands = stm->form == IMP_STM_SWAP || stm->form == IMP_STM_MOVE;
  if (stm->form == IMP_STM_ALLOC || stm->form == IMP_STM_FREE) return;
  if (hands && inside) {
    note_write(t, hands && stm->form == IMP_STM_SWAP ? stm->swap.to : stm->move.to);
    note_write(t, stm->form == IMP_STM_SWAP ? stm->swap.from : stm->move.from);
  }
  if (hands) return;
  if (stm->form == IMP_STM_STORE) note_write(t, stm->store.mem);
  if (stm->form == IMP_STM_UPDATE) note_write(t, stm->update.mem);
  if (stm->form == IMP_STM_COPY) note_write(t, stm->copy.to);
  for (int i = 0; stm->form == IMP_STM_CHUNKS && i < stm->chunks.sums.len; i++)
    note_write(t, stm->chunks.sums.at[i]);
  imp_each_mem(stm, note_read, t);
  imp_each_block(stm, note_block, t);
}
static void note_block(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) note_stm(state, block->at[i], true);
}

// ---- statements --------------------------------------------------------------------------------
static void put(Transfers *t, ImpBlock *out, int how, ImpVars mems) {
  if (!mems.len) return;
  ImpStm stm = {.form = IMP_STM_TRANSFER, .transfer = {how, mems}};
  list_push(t->arena, out, (ImpStm *)arena_copy(t->arena, &stm, sizeof stm));
}
static void put_one(Transfers *t, ImpBlock *out, int how, ImpVar mem) {
  ImpVars one = {0};
  list_push(t->arena, &one, mem);
  put(t, out, how, one);
}

static void place_stm(Transfers *t, ImpStm *stm, ImpBlock *out) {
  t->met = map_new(t->arena);
  t->reads = t->writes = (ImpVars){0};
  if (stm->form != IMP_STM_YIELD) note_stm(t, stm, false);
  else if (t->entry) note_write(t, stm->yield.mem);
  put(t, out, IMP_TO_READ, t->reads);
  put(t, out, IMP_TO_WRITE, t->writes);
  list_push(t->arena, out, stm);
  if (stm->form == IMP_STM_ALLOC) put_one(t, out, IMP_UNDEFINED, stm->alloc.mem);
}

static void place_block(void *state, ImpBlock *block) {
  Transfers *t = state;
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    bool kernel = stm->form == IMP_STM_KERNEL || stm->form == IMP_STM_CALL;
    bool around = !kernel && launches(stm);
    if (around) imp_each_block(stm, place_block, t);
    if (kernel || around) list_push(t->arena, &out, stm);
    else place_stm(t, stm, &out);
  }
  *block = out;
}

static ImpVars edge_params(const Transfers *t, bool all) {
  ImpVars out = {0};
  for (int i = 0; i < t->fn->params.len; i++) {
    const ImpVarInfo *v = &t->fn->vars.at[t->fn->params.at[i].id];
    if (v->is_mem && (all || v->kind == IMP_REF)) list_push(t->arena, &out, t->fn->params.at[i]);
  }
  return out;
}

void imp_pass_transfers(ImpProg *prog, ImpFn *fn) {
  if (!prog->core || !prog_on_device(prog->core)) return;
  Transfers t = {.arena = prog->arena, .fn = fn, .entry = fn->core && fn->core->entry};
  place_block(&t, fn->body);
  if (!t.entry) return;
  ImpBlock out = {0};
  put(&t, &out, IMP_TO_WRITE, edge_params(&t, true));
  for (int i = 0; i < fn->body->len; i++) list_push(t.arena, &out, fn->body->at[i]);
  put(&t, &out, IMP_TO_WRITE, edge_params(&t, false));
  *fn->body = out;
}
