// The writes of a function: for every memory the places of the statements that write to it, as
// the text stands, so that what may change between two loops is looked up.
#include "imp/common/local.h"

typedef LIST(int) Places;  // ascending
typedef struct {
  int begin, end;
} Extent;

struct MemWrites {
  Arena *arena;
  Map *of;      // memory -> Places *
  Map *loops;   // FOR statement -> Extent *
  Places any;   // statements that may write to whatever there is
  int now;
};

static bool is_plain(const ImpStm *stm) {
  return stm->form == IMP_STM_LET || stm->form == IMP_STM_LOAD || stm->form == IMP_STM_FOR
         || stm->form == IMP_STM_IF || stm->form == IMP_STM_VAR || stm->form == IMP_STM_SET
         || stm->form == IMP_STM_TEST || stm->form == IMP_STM_ALLOC
         || stm->form == IMP_STM_CHUNKS || stm->form == IMP_STM_SHARE
         || stm->form == IMP_STM_KERNEL;
}

static void write_add(MemWrites *w, ImpVar mem) {
  Places *places = map_get(w->of, mem.id);
  if (!places) map_put(w->of, mem.id, places = NEW(w->arena, Places));
  list_push(w->arena, places, w->now);
}

static void see_block(void *state, ImpBlock *block) {
  MemWrites *w = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    int begin = w->now++;
    if (stm->form == IMP_STM_STORE) write_add(w, stm->store.mem);
    else if (stm->form == IMP_STM_UPDATE) write_add(w, stm->update.mem);
    else if (stm->form == IMP_STM_COPY) write_add(w, stm->copy.to);
    else if (!is_plain(stm)) list_push(w->arena, &w->any, w->now);
    imp_each_block(stm, see_block, w);
    if (stm->form == IMP_STM_FOR)
      map_put(w->loops, KEY(stm),
              arena_copy(w->arena, &(Extent){begin, w->now}, sizeof(Extent)));
  }
}

MemWrites *mem_writes_find(Arena *arena, const ImpFn *fn) {
  MemWrites *w = NEW(arena, MemWrites);
  *w = (MemWrites){.arena = arena, .of = map_new(arena), .loops = map_new(arena)};
  see_block(w, fn->body);
  return w;
}

// Is one in begin < place <= end?
static bool any_within(const Places *places, int begin, int end) {
  int low = 0, high = places->len;
  while (low < high) {
    int mid = (low + high) / 2;
    if (places->at[mid] <= begin) low = mid + 1;
    else high = mid;
  }
  return low < places->len && places->at[low] <= end;
}

bool mem_written_between(const MemWrites *w, ImpVar mem, const ImpStm *first, const ImpStm *last) {
  const Extent *a = map_get(w->loops, KEY(first)), *b = map_get(w->loops, KEY(last));
  const Places *places = map_get(w->of, mem.id);
  return any_within(&w->any, a->begin, b->end)
         || (places && any_within(places, a->begin, b->end));
}
