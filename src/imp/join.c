// Joins a scan's loop with the loop behind it that reads the scan's result element by element, which
// core cannot: its fused form has reductions of what goes into scans, not of what comes out.
//
//   for i < n { .. scan s; store m[i] = s }           for i < n { .. scan s;
//   for j < n { load x = m[j]; acc = acc + x * x }  -->           let x = s; acc = acc + x * x }
//
// m goes where nobody else reads it.  Both loops are straight-line, promise `parallel`, and touch no
// other memory that either writes; the second does not read what the first carries.
#include "imp.h"

typedef struct {
  Arena *arena;
  ImpFn *fn;
  ImpBlock *block;
  int *mentions;  // by memory
  const ImpStm *a, *b;
} Join;

static bool is_straight(const ImpStm *loop) {
  const ImpBlock *body = loop->for_.body;
  if (!loop->for_.parallel || body->len > 40) return false;
  for (int i = 0; i < body->len; i++) {
    ImpForm f = body->at[i]->form;
    if (f != IMP_STM_LET && f != IMP_STM_LOAD && f != IMP_STM_STORE && f != IMP_STM_SCAN
        && f != IMP_STM_SET)
      return false;
  }
  return true;
}

static bool has_scan(const ImpStm *loop) {
  for (int i = 0; i < loop->for_.body->len; i++)
    if (loop->for_.body->at[i]->form == IMP_STM_SCAN) return true;
  return false;
}

// ---- what the first loop sets -----------------------------------------------------------------
typedef struct {
  const ImpStm *loop;
  bool found;
} Sets;
static void is_set(void *state, ImpVar v) {
  Sets *s = state;
  for (int i = 0; i < s->loop->for_.body->len; i++) {
    const ImpStm *stm = s->loop->for_.body->at[i];
    if (stm->form == IMP_STM_SCAN && stm->scan.acc.id == v.id) s->found = true;
    if (stm->form == IMP_STM_SET && stm->set.var.id == v.id) s->found = true;
  }
}
static void reads_set(void *state, const ImpExp *e) { imp_each_var(e, is_set, state); }

static bool depends(const ImpStm *stm, const ImpStm *loop) {
  Sets s = {loop, false};
  imp_each_exp(stm, reads_set, &s);
  return s.found;
}

// ---- memory -----------------------------------------------------------------------------------
static const ImpStm *find_store(const ImpStm *loop, ImpVar mem) {
  for (int i = 0; i < loop->for_.body->len; i++)
    if (imp_mem_writes(loop->for_.body->at[i], mem)) return loop->for_.body->at[i];
  return NULL;
}

// e of the second loop in terms of the first one's counter, address computations expanded.
static const ImpExp *expand(const Join *j, const ImpStm *loop, const ImpExp *e, int depth) {
  if (e->kind == IMP_CONST) return e;
  if (e->kind == IMP_VAR) {
    if (e->var.id == loop->for_.var.id) return imp_var(j->arena, j->fn, j->a->for_.var);
    const ImpExp *def = j->fn->vars.at[e->var.id].def;
    return def && depth < 6 ? expand(j, loop, def, depth + 1) : e;
  }
  ImpExp *copy = arena_copy(j->arena, e, sizeof *e);
  for (int i = 0; i < 3 && e->args[i]; i++) copy->args[i] = expand(j, loop, e->args[i], depth);
  return copy;
}

// The store of the first loop that this load of the second one reads.
static const ImpStm *stored(const Join *j, const ImpStm *load) {
  const ImpStm *store = find_store(j->a, load->load.mem);
  if (!store || store->form != IMP_STM_STORE) return NULL;
  bool same = imp_exp_same(expand(j, j->a, store->store.at, 0), expand(j, j->b, load->load.at, 0));
  return same ? store : NULL;
}

static bool memory_agrees(const Join *j, int *saved) {
  for (int i = 0; i < j->b->for_.body->len; i++) {
    const ImpStm *stm = j->b->for_.body->at[i];
    if (stm->form == IMP_STM_LOAD && find_store(j->a, stm->load.mem)) {
      if (!stored(j, stm)) return false;
      *saved += 1;
    }
    if (stm->form != IMP_STM_STORE) continue;
    for (int k = 0; k < j->a->for_.body->len; k++) {
      const ImpStm *other = j->a->for_.body->at[k];
      if (other->form == IMP_STM_LOAD && other->load.mem.id == stm->store.mem.id) return false;
      if (imp_mem_writes(other, stm->store.mem)) return false;
    }
  }
  for (int i = 0, stores = 0; i < j->a->for_.body->len; i++)
    if (j->a->for_.body->at[i]->form == IMP_STM_STORE && ++stores > 1) return false;
  return true;
}

// ---- the change -------------------------------------------------------------------------------
static void join(Join *j, ImpStm *a, const ImpStm *b) {
  const ImpExp **map = NEW_ARRAY(j->arena, const ImpExp *, j->fn->vars.len);
  map[b->for_.var.id] = imp_var(j->arena, j->fn, a->for_.var);
  for (int i = 0; i < b->for_.body->len; i++) {
    ImpStm *stm = b->for_.body->at[i];
    const ImpStm *store = stm->form == IMP_STM_LOAD ? stored(j, stm) : NULL;
    if (store) {
      j->mentions[stm->load.mem.id]--;
      *stm = (ImpStm){.form = IMP_STM_LET, .let = {stm->load.var, store->store.value}};
    }
    for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++) {
      const ImpExp **e = (const ImpExp **)(void *)((char *)stm + d->offset);
      if (d->kind == IMP_FIELD_EXP) *e = imp_exp_subst(j->arena, *e, map);
    }
    if (stm->form == IMP_STM_LET) j->fn->vars.at[stm->let.var.id].def = stm->let.value;
    list_push(j->arena, a->for_.body, stm);
  }
  for (int i = 0; i < b->for_.reds.len; i++)
    list_push(j->arena, &a->for_.reds, b->for_.reds.at[i]);
}

// A block that only its allocation and the store mention.
static void drop_unread(Join *j, ImpStm *loop) {
  ImpBlock *body = loop->for_.body;
  for (int i = 0; i < body->len; i++) {
    if (body->at[i]->form != IMP_STM_STORE) continue;
    ImpVar mem = body->at[i]->store.mem;
    const ImpVarInfo *v = &j->fn->vars.at[mem.id];
    if (v->kind != IMP_BLOCK || v->moved || j->mentions[mem.id] != 2) continue;
    int kept = 0;
    for (int k = 0; k < j->block->len; k++) {
      const ImpStm *stm = j->block->at[k];
      bool alloc = stm->form == IMP_STM_ALLOC && stm->alloc.mem.id == mem.id;
      if (!alloc) j->block->at[kept++] = j->block->at[k];
    }
    if (kept == j->block->len) continue;
    j->block->len = kept;
    for (int k = i + 1; k < body->len; k++) body->at[k - 1] = body->at[k];
    body->len--;
    i--;
  }
}

// The next loop behind statement `at`, with only what may stand before both between; -1: none.
static int next_loop(const Join *j, int at) {
  for (int i = at + 1; i < j->block->len; i++) {
    const ImpStm *stm = j->block->at[i];
    if (stm->form == IMP_STM_FOR) return i;
    bool movable =
        stm->form == IMP_STM_LET || stm->form == IMP_STM_VAR || stm->form == IMP_STM_ALLOC;
    if (!movable || depends(stm, j->block->at[at])) return -1;
  }
  return -1;
}

static bool join_next(Join *j, int at) {
  ImpStm *a = j->block->at[at];
  int next = next_loop(j, at), saved = 0;
  if (next < 0) return false;
  ImpStm *b = j->block->at[next];
  j->a = a, j->b = b;
  if (!is_straight(b) || !imp_exp_same(a->for_.bound, b->for_.bound)) return false;
  for (int i = 0; i < b->for_.body->len; i++)
    if (depends(b->for_.body->at[i], a)) return false;
  for (int i = 0; i < a->for_.body->len; i++)
    if (depends(a->for_.body->at[i], b)) return false;
  if (!memory_agrees(j, &saved) || !saved) return false;
  join(j, a, b);
  for (int i = at + 1; i < next; i++) j->block->at[i - 1] = j->block->at[i];
  j->block->at[next - 1] = a;
  for (int i = next + 1; i < j->block->len; i++) j->block->at[i - 1] = j->block->at[i];
  j->block->len--;
  drop_unread(j, a);
  return true;
}

static void join_block(void *state, ImpBlock *block) {
  Join *j = state;
  for (int i = 0; i < block->len; i++) imp_each_block(block->at[i], join_block, j);
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    j->block = block;
    if (stm->form == IMP_STM_FOR && is_straight(stm) && has_scan(stm) && join_next(j, i)) i = -1;
  }
}

static void count_mem(void *state, ImpVar mem) { ((Join *)state)->mentions[mem.id]++; }
static void count_block(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    imp_each_mem(block->at[i], count_mem, state);
    imp_each_block(block->at[i], count_block, state);
  }
}

void imp_pass_join(Arena *arena, ImpFn *fn) {
  Join j = {.arena = arena, .fn = fn, .mentions = NEW_ARRAY(arena, int, fn->vars.len)};
  count_block(&j, fn->body);
  join_block(&j, fn->body);
}
