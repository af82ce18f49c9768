// The entry points that reach a function by calls: kernels are put in texts by them, so that the
// first call of an entry point compiles few kernels that it cannot launch.  The function that
// computes the constants counts as an entry point.
#include "local.h"

typedef struct {
  const RootSets *roots;
  int root;
  LIST(int) open;  // reached; their calls are not looked at yet
} Walk;

static void reach(Walk *walk, int fn) {
  uint64_t *set = walk->roots->sets + (size_t)fn * walk->roots->words;
  const uint64_t bit = UINT64_C(1) << (walk->root % 64);
  if (set[walk->root / 64] & bit) return;
  set[walk->root / 64] |= bit;
  list_push(walk->roots->arena, &walk->open, fn);
}

static void find_calls(void *state, ImpBlock *block) {
  Walk *walk = state;
  const RootSets *r = walk->roots;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    intptr_t fn = stm->form == IMP_STM_CALL
                      ? (intptr_t)map_get(r->numbers, KEY(name_of(r->names, stm->call.fn))) : 0;
    if (fn) reach(walk, (int)fn - 1);
    imp_each_block(stm, find_calls, state);
  }
}

static bool is_root(const ImpFn *fn) { return !fn->core || fn->core->entry; }

RootSets root_sets_new(const ImpProg *prog) {
  const int n = prog->fns.len, words = n / 64 + 1;
  Arena *arena = prog->arena;
  RootSets r = {.arena = arena, .names = names_new(arena), .numbers = map_new(arena),
                .words = words, .sets = NEW_ARRAY(arena, uint64_t, (size_t)n * words + 1)};
  for (int i = 0; i < n; i++) {
    const ImpFn *fn = prog->fns.at[i];
    if (fn->core)
      map_put(r.numbers, KEY(name_of(r.names, fn->core->name)), (void *)(intptr_t)(i + 1));
  }
  for (int i = 0; i < n; i++) {
    Walk walk = {&r, i, {0}};
    if (is_root(prog->fns.at[i])) reach(&walk, i);
    while (walk.open.len) find_calls(&walk, prog->fns.at[walk.open.at[--walk.open.len]]->body);
  }
  return r;
}

const uint64_t *root_set_of(const RootSets *r, int fn) { return r->sets + (size_t)fn * r->words; }
