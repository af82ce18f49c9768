// An array that one nest computes cheaply element by element and another reads element by element,
// in whatever order of the dimensions, is computed where it is read and never stored: outer
// products on their way into accumulators, mostly.
#include "imp.h"

enum { MOST_SLICE = 10, ALLOC_STORE_LOAD = 3 };

typedef struct {
  const ImpStm *loops[2];  // outermost first
  int n;
  const ImpStm *access;  // STORE or LOAD
  ImpBlock *block;  // that holds it
  int at, top;  // in that block; which statement of the list being looked at
} Access;

// Where a memory allocated in the list being looked at is mentioned: by its allocation, one store
// and one load in loops by themselves, or it is no candidate.
typedef struct {
  bool stored, loaded;
  Access store, load;
} Mention;

// What binds a variable, and the block that is in.
typedef struct {
  const ImpStm *stm;
  const ImpBlock *block;
} Binding;

typedef struct {
  const ImpExp **at;
  int cap;
} Named;

typedef struct {
  Arena *arena;
  ImpFn *fn;
  ImpSlopes *slopes;
  Named *names;  // what a computation's variables are where it is read
  ImpBlock *block;  // the list being looked at
  LIST(Mention) mentions;  // of the candidates
  LIST(int) mention_of;  // by memory: 1 + its place there; 0: no candidate
  int *counts;  // by memory: how often the function mentions it
  LIST(Binding) bindings;  // by variable bound in that list, and in its loops
  Access path;  // while walking
  int depth;
  Access store, load;  // of the candidate
  const ImpStm *slice[MOST_SLICE];  // what computes the value, in order
  int slice_len;
} Forward;

// ---- finding the accesses ---------------------------------------------------------------------
static Mention *mention_at(Forward *f, ImpVar mem) {
  int at = f->mention_of.at[mem.id];
  return at ? &f->mentions.at[at - 1] : NULL;
}

typedef struct {
  Forward *f;
  int change;
} Count;
static void count_mem(void *state, ImpVar mem) {
  const Count *c = state;
  c->f->counts[mem.id] += c->change;
}
static void count_block(void *state, ImpBlock *block);
static void count_stm(Forward *f, const ImpStm *stm, int change) {
  Count c = {f, change};
  imp_each_mem(stm, count_mem, &c);
  imp_each_block(stm, count_block, &c);
}
static void count_block(void *state, ImpBlock *block) {
  const Count *c = state;
  for (int i = 0; i < block->len; i++) count_stm(c->f, block->at[i], c->change);
}

static void find_access(Forward *f, const Access *here) {
  const ImpStm *stm = here->access;
  Mention *store = stm->form == IMP_STM_STORE ? mention_at(f, stm->store.mem) : NULL;
  Mention *load = stm->form == IMP_STM_LOAD ? mention_at(f, stm->load.mem) : NULL;
  if (store) store->store = *here, store->stored = true;
  if (load) load->load = *here, load->loaded = true;
}

// No deeper loop, no condition.
static void find_accesses(void *state, ImpBlock *block) {
  Forward *f = state;
  for (int i = 0; i < block->len && f->depth <= 2; i++) {
    ImpStm *stm = block->at[i];
    Access outer = f->path, here = outer;
    here.access = stm, here.block = block, here.at = i;
    find_access(f, &here);
    const ImpVar *def = imp_stm_def(stm);
    if (def) f->bindings.at[def->id] = (Binding){stm, block};
    bool loop = stm->form == IMP_STM_FOR;
    if (loop && f->depth < 2) f->path.loops[f->depth] = stm, f->path.n = f->depth + 1;
    int deeper = loop ? 1 : 3;  // under a condition or in a while loop: not element by element
    f->depth += deeper;
    imp_each_block(stm, find_accesses, f);
    f->depth -= deeper;
    f->path = outer;
  }
}

static bool is_candidate(const Forward *f, const ImpStm *stm) {
  return stm->form == IMP_STM_ALLOC && !f->fn->vars.at[stm->alloc.mem.id].moved;
}

static void mentions_forget(Forward *f, const ImpBlock *block) {
  for (int i = 0; i < block->len; i++)
    if (is_candidate(f, block->at[i])) f->mention_of.at[block->at[i]->alloc.mem.id] = 0;
  f->mentions.len = 0;
}

// One walk over the list for all its candidates; false when it has none.
static bool mentions_find(Forward *f, ImpBlock *block) {
  while (f->mention_of.len < f->fn->vars.len) list_push(f->arena, &f->mention_of, 0);
  mentions_forget(f, block);
  while (f->bindings.len < f->fn->vars.len) list_push(f->arena, &f->bindings, (Binding){0});
  for (int i = 0; i < block->len; i++) {
    if (!is_candidate(f, block->at[i])) continue;
    list_push(f->arena, &f->mentions, (Mention){0});
    f->mention_of.at[block->at[i]->alloc.mem.id] = f->mentions.len;
  }
  for (int i = 0; f->mentions.len && i < block->len; i++) {
    ImpBlock one = {block->at + i, 1, 0};
    f->path.top = i;
    find_accesses(f, &one);
  }
  return f->mentions.len > 0;
}

// ---- do they agree? ---------------------------------------------------------------------------
static const ImpExp *access_at(const Access *a) {
  return a->access->form == IMP_STM_STORE ? a->access->store.at : a->access->load.at;
}

// e with named address computations written out and the path's counters zero.
static const ImpExp *at_zero(Forward *f, const Access *a, const ImpExp *e, int depth) {
  if (e->kind == IMP_CONST || depth > 12) return e;
  if (e->kind == IMP_VAR) {
    for (int i = 0; i < a->n; i++)
      if (a->loops[i]->for_.var.id == e->var.id) return imp_i64(f->arena, 0);
    const ImpExp *def = f->fn->vars.at[e->var.id].def;
    return def && def->index ? at_zero(f, a, def, depth + 1) : e;
  }
  if (!e->index) return e;
  const ImpExp *x = at_zero(f, a, e->args[0], depth), *y = at_zero(f, a, e->args[1], depth);
  if (e->op == OP_ADD) return imp_add(f->arena, x, y);
  return e->op == OP_SUB ? imp_sub(f->arena, x, y) : imp_mul(f->arena, x, y);
}

static const ImpExp *slope_of(Forward *f, const Access *a, int loop) {
  return imp_exp_slope(f->slopes, access_at(a), &a->loops[loop]->for_);
}

// Pairs the loops of the load with those of the store; false where the elements differ.
static bool match_loops(Forward *f, const Access *load, int *pair) {
  if (load->n != f->store.n || !imp_is_int(at_zero(f, load, access_at(load), 0), 0)) return false;
  bool used[2] = {false};
  for (int i = 0; i < load->n; i++) {
    const ImpExp *s = slope_of(f, load, i);
    pair[i] = -1;
    for (int k = 0; s && k < f->store.n && pair[i] < 0; k++) {
      const ImpExp *t = slope_of(f, &f->store, k);
      if (used[k] || !t || !imp_exp_same(s, t)) continue;
      if (!imp_exp_same(load->loops[i]->for_.bound, f->store.loops[k]->for_.bound)) continue;
      pair[i] = k;
      used[k] = true;
    }
    if (pair[i] < 0) return false;
  }
  return true;
}

// ---- the value's computation ------------------------------------------------------------------
// In the bodies of the loops around the store, which need not be the last loops of their blocks.
static const ImpStm *find_def(const Forward *f, ImpVar v) {
  Binding b = f->bindings.at[v.id];
  for (int k = 0; k < f->store.n; k++)
    if (b.block == f->store.loops[k]->for_.body) return b.stm;
  return NULL;
}

static bool is_cheap(const ImpExp *e) {
  if (e->kind == IMP_OP && (e->op >= OP_CBRT || e->op == OP_DIV || e->op == OP_SQRT)) return false;
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!is_cheap(e->args[i])) return false;
  return true;
}

static bool slice_exp(Forward *f, const ImpExp *e, int depth);

// depth: how many statements wait to be in the slice, too.
static bool slice_var(Forward *f, ImpVar v, int depth) {
  if (f->fn->vars.at[v.id].kind == IMP_MUT) return false;
  for (int i = 0; i < f->store.n; i++)
    if (f->store.loops[i]->for_.var.id == v.id) return true;
  const ImpStm *def = find_def(f, v);
  if (!def) return true;  // from outside the nest
  for (int i = 0; i < f->slice_len; i++)
    if (f->slice[i] == def) return true;
  bool let = def->form == IMP_STM_LET, load = def->form == IMP_STM_LOAD;
  if ((!let && !load) || depth == MOST_SLICE) return false;
  if (let && !is_cheap(def->let.value)) return false;
  if (!slice_exp(f, let ? def->let.value : def->load.at, depth + 1)) return false;
  if (f->slice_len == MOST_SLICE) return false;
  f->slice[f->slice_len++] = def;
  return true;
}

static bool slice_exp(Forward *f, const ImpExp *e, int depth) {
  if (e->kind == IMP_VAR) return slice_var(f, e->var, depth);
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!slice_exp(f, e->args[i], depth)) return false;
  return true;
}

typedef struct {
  uint32_t mem;
  bool found;
} Writes;
static void find_write(void *state, ImpBlock *block) {
  Writes *w = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    bool plain = stm->form == IMP_STM_LET || stm->form == IMP_STM_LOAD || stm->form == IMP_STM_FOR
                 || stm->form == IMP_STM_IF || stm->form == IMP_STM_VAR || stm->form == IMP_STM_SET
                 || stm->form == IMP_STM_CHECK || stm->form == IMP_STM_ALLOC;
    if (imp_mem_writes(stm, (ImpVar){w->mem})) w->found = true;
    bool writes =
        stm->form == IMP_STM_STORE || stm->form == IMP_STM_UPDATE || stm->form == IMP_STM_COPY;
    if (!plain && !writes) w->found = true;
    imp_each_block(stm, find_write, w);
  }
}

// Nothing the value is computed from changes between the store and the last load.
static bool inputs_stay(Forward *f) {
  for (int i = 0; i < f->slice_len; i++) {
    if (f->slice[i]->form != IMP_STM_LOAD) continue;
    Writes w = {f->slice[i]->load.mem.id, false};
    ImpBlock between = {f->block->at + f->store.top, f->load.top - f->store.top + 1, 0};
    find_write(&w, &between);
    if (w.found) return false;
  }
  return true;
}

// ---- the change -------------------------------------------------------------------------------
// All NULL, by variable of the function.
static const ImpExp **names_begin(Forward *f) {
  int n = f->fn->vars.len + MOST_SLICE + 1;
  if (n > f->names->cap) {
    f->names->cap = 2 * n;
    f->names->at = NEW_ARRAY(f->arena, const ImpExp *, 2 * n);
  }
  return f->names->at;
}

static void names_end(Forward *f, const int *pair, const ImpExp **map) {
  for (int i = 0; i < f->load.n; i++) map[f->store.loops[pair[i]]->for_.var.id] = NULL;
  for (int i = 0; i < f->slice_len; i++) {
    ImpStm copy = *f->slice[i];
    map[imp_stm_def(&copy)->id] = NULL;
  }
}

static void compute_at(Forward *f, const Access *load, const int *pair) {
  const ImpExp **map = names_begin(f);
  for (int i = 0; i < load->n; i++)
    map[f->store.loops[pair[i]]->for_.var.id] = imp_var(f->arena, f->fn, load->loops[i]->for_.var);
  ImpBlock out = {0};
  for (int i = 0; i < load->at; i++) list_push(f->arena, &out, load->block->at[i]);
  for (int i = 0; i < f->slice_len; i++) {
    ImpStm *copy = arena_copy(f->arena, f->slice[i], sizeof *copy);
    ImpVar *def = imp_stm_def(copy), fresh = {(uint32_t)f->fn->vars.len};
    list_push(f->arena, &f->fn->vars, f->fn->vars.at[def->id]);
    if (copy->form == IMP_STM_LET) {
      copy->let.value = imp_exp_subst(f->arena, copy->let.value, map);
      f->fn->vars.at[fresh.id].def = copy->let.value;
    } else copy->load.at = imp_exp_subst(f->arena, copy->load.at, map);
    map[def->id] = imp_var(f->arena, f->fn, fresh);
    *def = fresh;
    count_stm(f, copy, 1);
    list_push(f->arena, &out, copy);
  }
  ImpStm *let = NEW(f->arena, ImpStm);
  *let = (ImpStm){
      .form = IMP_STM_LET,
      .let = {load->access->load.var, imp_exp_subst(f->arena, f->store.access->store.value, map)}};
  f->fn->vars.at[let->let.var.id].def = let->let.value;
  list_push(f->arena, &out, let);
  count_stm(f, load->access, -1);
  for (int i = load->at + 1; i < load->block->len; i++)
    list_push(f->arena, &out, load->block->at[i]);
  *load->block = out;
  names_end(f, pair, map);
}

static bool forwards(Forward *f) {
  int pair[2];
  if (f->store.n == 0 || f->load.n == 0 || f->load.top <= f->store.top) return false;
  if (!imp_is_int(at_zero(f, &f->store, access_at(&f->store), 0), 0)) return false;
  if (!match_loops(f, &f->load, pair)) return false;
  if (!slice_exp(f, f->store.access->store.value, 0) || !inputs_stay(f)) return false;
  compute_at(f, &f->load, pair);
  ImpBlock *b = f->store.block;
  count_stm(f, f->store.access, -1);
  for (int i = f->store.at; i + 1 < b->len; i++) b->at[i] = b->at[i + 1];
  b->len--;
  return true;
}

// A loop that only computes scalars nobody sees.
static bool is_idle(const ImpStm *stm) {
  if (stm->form == IMP_STM_LET || stm->form == IMP_STM_LOAD) return true;
  if (stm->form != IMP_STM_FOR || stm->for_.reds.len) return false;
  for (int i = 0; i < stm->for_.body->len; i++)
    if (!is_idle(stm->for_.body->at[i])) return false;
  return true;
}

// Statement i of the list allocates what is computed where it is read from now on.
static bool forward_alloc(Forward *f, ImpBlock *block, int i) {
  const Mention *m = mention_at(f, block->at[i]->alloc.mem);
  int count = f->counts[block->at[i]->alloc.mem.id];
  if (count != ALLOC_STORE_LOAD || !m->stored || !m->loaded) return false;
  f->block = block;
  f->store = m->store, f->load = m->load;
  f->slice_len = 0;
  if (!forwards(f)) return false;
  imp_slopes_forget(f->slopes);
  int kept = 0;
  for (int k = 0; k < block->len; k++) {
    bool goes = k == i || (k == f->store.top && is_idle(block->at[k]));
    if (goes) count_stm(f, block->at[k], -1);
    else block->at[kept++] = block->at[k];
  }
  block->len = kept;
  return true;
}

static void forward_block(void *state, ImpBlock *block) {
  Forward *f = state;
  for (int i = 0; i < block->len; i++) imp_each_block(block->at[i], forward_block, state);
  bool any = mentions_find(f, block);
  for (int i = 0; any && i < block->len; i++) {
    if (!is_candidate(f, block->at[i]) || !forward_alloc(f, block, i)) continue;
    any = mentions_find(f, block);
    i = -1;
  }
  mentions_forget(f, block);
}

// cost: a walk over each list with allocations, two loops deep, and one more for each array that
// goes.
void imp_pass_forward(Arena *arena, ImpFn *fn) {
  ImpSlopes slopes = {.arena = arena, .fn = fn};
  Named names = {0};
  Forward f = {.arena = arena,
               .fn = fn,
               .slopes = &slopes,
               .names = &names,
               .counts = NEW_ARRAY(arena, int, fn->vars.len)};
  count_block(&(Count){&f, 1}, fn->body);
  forward_block(&f, fn->body);
}
