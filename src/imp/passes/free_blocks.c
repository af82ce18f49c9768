// Every block is freed after the last statement that mentions it, in the innermost statement list
// that holds all mentions.  (Blocks that were moved away are empty then: freeing is harmless.)
#include "imp/common/imp.h"

typedef struct Node {
  struct Node *parent;
  ImpBlock *block;
  int depth;
  int at;  // statement being visited
} Node;

typedef LIST(int) MemIds;

typedef struct {
  Arena *arena;
  ImpFn *fn;
  Node *node;
  Node **home;  // by memory: the list that holds all mentions
  int *last;    // by memory: last statement of home that mentions it
  void (*visit)(void *state, ImpVar mem);
} Free;

static void find_home(void *state, ImpVar mem) {
  Free *f = state;
  Node *a = f->home[mem.id], *b = f->node;
  if (!a) a = b;
  while (a != b)
    if (a->depth >= b->depth) a = a->parent;
    else b = b->parent;
  f->home[mem.id] = a;
}

static void find_last(void *state, ImpVar mem) {
  Free *f = state;
  Node *n = f->node;
  while (n->block != f->home[mem.id]->block) n = n->parent;
  f->last[mem.id] = n->at;
}

static void visit_block(void *state, ImpBlock *block) {
  Free *f = state;
  Node *node = NEW(f->arena, Node), *outer = f->node;
  *node = (Node){outer, block, outer ? outer->depth + 1 : 0, 0};
  f->node = node;
  for (node->at = 0; node->at < block->len; node->at++) {
    const ImpStm *stm = block->at[node->at];
    imp_each_mem(stm, f->visit, f);
    imp_each_block(stm, visit_block, f);
  }
  f->node = outer;
}

// A statement that leaves mem empty.
static bool empties(const ImpStm *stm, uint32_t id) {
  return (stm->form == IMP_STM_MOVE && stm->move.from.id == id)
         || (stm->form == IMP_STM_YIELD && stm->yield.mem.id == id)
         || (stm->form == IMP_STM_FREE && stm->free.mem.id == id);
}

// The blocks freed after each statement of a block: after[i], then next of that, and so on; each
// is 1 + its place in the list, 0 ends it.
typedef struct {
  int *after, *next;
} Ends;

static Ends ends_of(const Free *f, const ImpBlock *block, const MemIds *list) {
  Ends e = {NEW_ARRAY(f->arena, int, block->len), NEW_ARRAY(f->arena, int, list->len)};
  for (int k = list->len - 1; block->len && k >= 0; k--) {
    int last = f->last[list->at[k]];
    e.next[k] = e.after[last];
    e.after[last] = k + 1;
  }
  return e;
}

static void insert_frees(Free *f, ImpBlock *block, const MemIds *list) {
  ImpBlock out = {0};
  Ends ends = ends_of(f, block, list);
  for (int i = 0; i < block->len; i++) {
    list_push(f->arena, &out, block->at[i]);
    for (int k = ends.after[i]; k; k = ends.next[k - 1]) {
      int id = list->at[k - 1];
      if (empties(block->at[i], (uint32_t)id)) continue;
      ImpStm stm = {.form = IMP_STM_FREE, .free = {{(uint32_t)id}}};
      list_push(f->arena, &out, (ImpStm *)arena_copy(f->arena, &stm, sizeof stm));
    }
  }
  *block = out;
}

void imp_pass_free(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  int n = fn->vars.len;
  Free f = {arena, fn, NULL, NEW_ARRAY(arena, Node *, n), NEW_ARRAY(arena, int, n), find_home};
  visit_block(&f, fn->body);
  // Parameters are there from the beginning.
  Node root = {NULL, fn->body, 0, 0};
  for (int i = 0; i < fn->params.len; i++) {
    f.home[fn->params.at[i].id] = &root;
    f.last[fn->params.at[i].id] = fn->body->len - 1;
  }
  f.visit = find_last;
  visit_block(&f, fn->body);
  Map *by_block = map_new(arena);
  for (int id = 1; id < n; id++) {
    if (fn->vars.at[id].kind != IMP_BLOCK || !f.home[id]) continue;
    MemIds *mems = map_get(by_block, KEY(f.home[id]->block));
    if (!mems) map_put(by_block, KEY(f.home[id]->block), mems = NEW(arena, MemIds));
    list_push(arena, mems, id);
  }
  for (int i = 0; i < map_len(by_block); i++)
    insert_frees(&f, (ImpBlock *)(uintptr_t)map_key_at(by_block, i), map_value_at(by_block, i));
}
