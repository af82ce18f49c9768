// An array that one nest computes cheaply element by element and another reads element by element,
// in whatever order of the dimensions, is computed where it is read and never stored: outer
// products on their way into accumulators, mostly.  An array of few rows, each read by loops of few
// iterations, is computed in each of these loops.
#include <string.h>
#include "imp/common/local.h"

enum { MOST_SLICE = 10, ALLOC_STORE = 2, ALLOC_STORE_LOAD = 3 };
enum { FEW_ROWS = 4, SHORT_SLICE = 4 };  // two loads, an address and an operation

typedef struct {
  const ImpStm *loops[2];  // outermost first
  int n;
  const ImpStm *access;  // STORE or LOAD
  ImpBlock *block;  // that holds it
  int top;  // which statement of the list being looked at
} Access;

// Where a memory allocated in the list being looked at is mentioned: a candidate if by its
// allocation, one store and one load in loops by themselves.
typedef struct {
  ImpVar mem;
  int at;  // its allocation in the list
  bool waits;  // to be looked at, again if something has changed
  bool stored;
  Access store;
  LIST(Access) loads;  // also of statements that are removed
  LIST(int) watchers;  // mentions that may forward once what is loaded of this one is computed
} Mention;

// The statement that binds a variable, and its block.
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
  ImpStrides *slopes;
  MemWrites *written;  // NULL until asked for
  Named *names;  // what a computation's variables are where it is read
  ImpBlock *block;  // the list being looked at
  LIST(Mention) mentions;  // of the memories that it allocates, in its order
  LIST(int) mention_of;  // by memory: 1 + its place there; 0: none
  int next;  // no mention before this one waits
  int *counts;  // by memory: how often the function mentions it
  LIST(Binding) bindings;  // by variable bound in that list, and in its loops
  LIST(int) looked;  // by variable: stamp of the last look at what an address is made of
  int stamp;
  Access path;  // while walking
  int depth;
  int current;  // the mention that is looked at
  Access store, load;  // of it
  const ImpStm *slice[MOST_SLICE];  // what computes the value, in order
  int slice_len;
} Contract;

// ---- finding the accesses ---------------------------------------------------------------------
static Mention *mention_at(Contract *f, ImpVar mem) {
  int at = (int)mem.id < f->mention_of.len ? f->mention_of.at[mem.id] : 0;
  return at ? &f->mentions.at[at - 1] : NULL;
}

static void wait(Contract *f, int at) {
  f->mentions.at[at].waits = true;
  if (at < f->next) f->next = at;
}

typedef struct {
  Contract *f;
  int change;
} Count;
static void count_mem(void *state, ImpVar mem) {
  const Count *c = state;
  c->f->counts[mem.id] += c->change;
  const Mention *m = mention_at(c->f, mem);
  if (m) wait(c->f, (int)(m - c->f->mentions.at));
}
static void count_block(void *state, ImpBlock *block);
static void count_stm(Contract *f, const ImpStm *stm, int change) {
  Count c = {f, change};
  imp_each_mem(stm, count_mem, &c);
  imp_each_block(stm, count_block, &c);
}
static void count_block(void *state, ImpBlock *block) {
  const Count *c = state;
  for (int i = 0; i < block->len; i++) count_stm(c->f, block->at[i], c->change);
}

static void find_access(Contract *f, const Access *here) {
  const ImpStm *stm = here->access;
  Mention *store = stm->form == IMP_STM_STORE ? mention_at(f, stm->store.mem) : NULL;
  Mention *load = stm->form == IMP_STM_LOAD ? mention_at(f, stm->load.mem) : NULL;
  if (store) store->store = *here, store->stored = true;
  if (load) list_push(f->arena, &load->loads, *here);
}

// No deeper loop, no condition.
static void find_accesses(void *state, ImpBlock *block) {
  Contract *f = state;
  for (int i = 0; i < block->len && f->depth <= 2; i++) {
    ImpStm *stm = block->at[i];
    Access outer = f->path, here = outer;
    here.access = stm, here.block = block;
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

static void mentions_forget(Contract *f) {
  for (int i = 0; i < f->mentions.len; i++) f->mention_of.at[f->mentions.at[i].mem.id] = 0;
  f->mentions.len = 0;
}

static void mention_add(Contract *f, int at) {
  const ImpStm *stm = f->block->at[at];
  if (stm->form != IMP_STM_ALLOC || f->fn->vars.at[stm->alloc.mem.id].moved) return;
  list_push(f->arena, &f->mentions, (Mention){.mem = stm->alloc.mem, .at = at, .waits = true});
  f->mention_of.at[stm->alloc.mem.id] = f->mentions.len;
}

static void tables_grow(Contract *f) {
  while (f->mention_of.len < f->fn->vars.len) list_push(f->arena, &f->mention_of, 0);
  while (f->bindings.len < f->fn->vars.len) list_push(f->arena, &f->bindings, (Binding){0});
  while (f->looked.len < f->fn->vars.len) list_push(f->arena, &f->looked, 0);
}

// One walk over the list for all its memories.
static void mentions_find(Contract *f, ImpBlock *block) {
  tables_grow(f);
  f->block = block;
  for (int i = 0; i < block->len; i++) mention_add(f, i);
  for (int i = 0; f->mentions.len && i < block->len; i++) {
    ImpBlock one = {block->at + i, 1, 0};
    f->path.top = i;
    find_accesses(f, &one);
  }
}

// ---- do they agree? ---------------------------------------------------------------------------
static const ImpExp *access_at(const Access *a) {
  return a->access->form == IMP_STM_STORE ? a->access->store.at : a->access->load.at;
}

// e with named address computations written out and the path's counters zero.
static const ImpExp *at_zero(Contract *f, const Access *a, const ImpExp *e, int depth) {
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

static const ImpExp *slope_of(Contract *f, const Access *a, int loop) {
  return imp_exp_stride(f->slopes, access_at(a), &a->loops[loop]->for_);
}

// Pairs the loops of the load with those of the store; false where the elements differ.
static bool match_loops(Contract *f, const Access *load, int *pair) {
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

// A load from another memory may become a computation: then look at this memory again.
static void watch(Contract *f, const ImpStm *def) {
  Mention *m = def->form == IMP_STM_LOAD ? mention_at(f, def->load.mem) : NULL;
  if (m) list_push(f->arena, &m->watchers, f->current);
}

static void watch_var(void *state, ImpVar v) {
  Contract *f = state;
  if (f->looked.at[v.id] == f->stamp) return;
  f->looked.at[v.id] = f->stamp;
  if (f->bindings.at[v.id].stm) watch(f, f->bindings.at[v.id].stm);
  const ImpExp *def = f->fn->vars.at[v.id].def;
  if (def) imp_each_var(def, watch_var, f);
}

static bool addresses_match(Contract *f, int *pair) {
  bool whole = imp_is_int(at_zero(f, &f->store, access_at(&f->store), 0), 0);
  if (whole && match_loops(f, &f->load, pair)) return true;
  f->stamp++;
  imp_each_var(access_at(&f->store), watch_var, f);
  imp_each_var(access_at(&f->load), watch_var, f);
  return false;
}

// ---- the value's computation ------------------------------------------------------------------
// In the bodies of the loops around the store, which need not be the last loops of their blocks.
static const ImpStm *find_def(const Contract *f, ImpVar v) {
  Binding b = f->bindings.at[v.id];
  for (int k = 0; k < f->store.n; k++)
    if (b.block == f->store.loops[k]->for_.body) return b.stm;
  return NULL;
}

// The C compiler multiplies and shifts where it divides integers by a constant.
static bool is_costly(const ImpExp *e) {
  if (e->kind != IMP_OP) return false;
  bool multiplies = !prim_is_float(e->from) && e->args[1] && e->args[1]->kind == IMP_CONST;
  return op_info[e->op].cost >= (multiplies ? COST_ROOT : COST_DIVISION);
}

static bool is_cheap(const ImpExp *e) {
  if (is_costly(e)) return false;
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!is_cheap(e->args[i])) return false;
  return true;
}

static bool slice_exp(Contract *f, const ImpExp *e, int depth);

// depth: how many statements wait to be in the slice, too.
static bool slice_var(Contract *f, ImpVar v, int depth) {
  if (f->fn->vars.at[v.id].kind == IMP_MUT) return false;
  for (int i = 0; i < f->store.n; i++)
    if (f->store.loops[i]->for_.var.id == v.id) return true;
  const ImpStm *def = find_def(f, v);
  if (!def) return true;  // from outside the nest
  watch(f, def);
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

static bool slice_exp(Contract *f, const ImpExp *e, int depth) {
  if (e->kind == IMP_VAR) return slice_var(f, e->var, depth);
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!slice_exp(f, e->args[i], depth)) return false;
  return true;
}

// Nothing the value is computed from changes between the store and the last load.
static bool inputs_stay(Contract *f) {
  const ImpStm *first = f->block->at[f->store.top], *last = f->block->at[f->load.top];
  if (!f->written) f->written = mem_writes_find(f->arena, f->fn);
  for (int i = 0; i < f->slice_len; i++)
    if (f->slice[i]->form == IMP_STM_LOAD
        && mem_written_between(f->written, f->slice[i]->load.mem, first, last))
      return false;
  return true;
}

// ---- the change -------------------------------------------------------------------------------
// All NULL, by variable of the function.
static const ImpExp **names_begin(Contract *f) {
  int n = f->fn->vars.len + MOST_SLICE + 1;
  if (n > f->names->cap) {
    f->names->cap = 2 * n;
    f->names->at = NEW_ARRAY(f->arena, const ImpExp *, 2 * n);
  }
  return f->names->at;
}

static void names_end(Contract *f, const ImpExp **map) {
  for (int k = 0; k < f->store.n; k++) map[f->store.loops[k]->for_.var.id] = NULL;
  for (int i = 0; i < f->slice_len; i++) {
    ImpStm copy = *f->slice[i];
    map[imp_stm_def(&copy)->id] = NULL;
  }
}

static void remove_at(ImpBlock *block, int at) {
  memmove(block->at + at, block->at + at + 1, (size_t)(block->len - at - 1) * sizeof *block->at);
  block->len--;
}

static void insert_at(Arena *arena, ImpBlock *block, int at, ImpStm *stm) {
  list_push(arena, block, stm);
  memmove(block->at + at + 1, block->at + at, (size_t)(block->len - at - 1) * sizeof *block->at);
  block->at[at] = stm;
}

static int place_of(const Access *a) {
  int at = 0;
  while (a->block->at[at] != a->access) at++;
  return at;
}

// A statement of the slice once more, where the value is read.
static ImpStm *copy_stm(Contract *f, const ImpStm *stm, const ImpExp **map) {
  ImpStm *copy = arena_copy(f->arena, stm, sizeof *copy);
  ImpVar *def = imp_stm_def(copy), fresh = {(uint32_t)f->fn->vars.len};
  list_push(f->arena, &f->fn->vars, f->fn->vars.at[def->id]);
  imp_strides_bind(f->slopes, fresh, f->load.access->load.var);
  tables_grow(f);
  f->bindings.at[fresh.id] = (Binding){copy, f->load.block};
  if (copy->form == IMP_STM_LET) {
    copy->let.value = imp_exp_subst(f->arena, copy->let.value, map);
    f->fn->vars.at[fresh.id].def = copy->let.value;
  } else copy->load.at = imp_exp_subst(f->arena, copy->load.at, map);
  map[def->id] = imp_var(f->arena, f->fn, fresh);
  *def = fresh;
  count_stm(f, copy, 1);
  Access here = f->load;
  here.access = copy;
  find_access(f, &here);
  return copy;
}

// map: what the counters of the store are at the load.
static void compute_at(Contract *f, const ImpExp **map) {
  const Access load = f->load;
  int at = place_of(&load);
  for (int i = 0; i < f->slice_len; i++)
    insert_at(f->arena, load.block, at++, copy_stm(f, f->slice[i], map));
  ImpStm *let = NEW(f->arena, ImpStm);
  *let = (ImpStm){
      .form = IMP_STM_LET,
      .let = {load.access->load.var, imp_exp_subst(f->arena, f->store.access->store.value, map)}};
  f->fn->vars.at[let->let.var.id].def = let->let.value;
  f->bindings.at[let->let.var.id] = (Binding){let, load.block};
  count_stm(f, load.access, -1);
  load.block->at[at] = let;
  names_end(f, map);
}

static void name_counter(Contract *f, const ImpExp **map, int loop, const ImpExp *value) {
  map[f->store.loops[loop]->for_.var.id] = value;
}

static bool forwards(Contract *f) {
  int pair[2];
  if (f->store.n == 0 || f->load.n == 0 || f->load.top <= f->store.top) return false;
  if (!addresses_match(f, pair)) return false;
  if (!slice_exp(f, f->store.access->store.value, 0) || !inputs_stay(f)) return false;
  const ImpExp **map = names_begin(f);
  for (int i = 0; i < f->load.n; i++)
    name_counter(f, map, pair[i], imp_var(f->arena, f->fn, f->load.loops[i]->for_.var));
  compute_at(f, map);
  return true;
}

// ---- few rows ---------------------------------------------------------------------------------
static bool is_few(const ImpStm *loop) {
  const ImpExp *bound = loop->for_.bound;
  return bound->kind == IMP_CONST && bound->value.i <= FEW_ROWS;
}

// The row that a load reads, in its innermost loop, whatever the others; -1: it does another thing.
static int row_read(Contract *f, const Access *load) {
  int inner = load->n - 1;
  if (inner < 0 || load->top <= f->store.top) return -1;
  for (int i = 0; i < inner; i++) {
    const ImpExp *s = slope_of(f, load, i);
    if (!s || !imp_is_int(s, 0) || !is_few(load->loops[i])) return -1;
  }
  const ImpExp *along = slope_of(f, load, inner), *stored = slope_of(f, &f->store, 1);
  if (!along || !stored || !imp_exp_same(along, stored)) return -1;
  if (!imp_exp_same(load->loops[inner]->for_.bound, f->store.loops[1]->for_.bound)) return -1;
  const ImpExp *first = at_zero(f, load, access_at(load), 0), *row = slope_of(f, &f->store, 0);
  for (int c = 0; row && c < FEW_ROWS && c < f->store.loops[0]->for_.bound->value.i; c++)
    if (imp_exp_same(first, imp_mul(f->arena, imp_i64(f->arena, c), row))) return c;
  return -1;
}

static bool rows_match(Contract *f, const Mention *m) {
  if (f->store.n != 2 || !is_few(f->store.loops[0])) return false;
  if (!imp_is_int(at_zero(f, &f->store, access_at(&f->store), 0), 0)) return false;
  int loads = 0;
  for (int i = 0; i < m->loads.len; i++) {
    if (!f->block->at[m->loads.at[i].top]) continue;
    if (row_read(f, &m->loads.at[i]) < 0) return false;
    if (!loads++ || m->loads.at[i].top > f->load.top) f->load = m->loads.at[i];
  }
  return loads > 1 && f->counts[m->mem.id] == ALLOC_STORE + loads;
}

static bool rows_forward(Contract *f, int current) {
  Mention m = f->mentions.at[current];
  if (!rows_match(f, &m)) return false;
  if (!slice_exp(f, f->store.access->store.value, 0) || f->slice_len > SHORT_SLICE) return false;
  if (!inputs_stay(f)) return false;
  for (int i = 0; i < m.loads.len; i++) {
    f->load = m.loads.at[i];
    if (!f->block->at[f->load.top]) continue;
    const ImpExp **map = names_begin(f);
    const ImpStm *inner = f->load.loops[f->load.n - 1];
    name_counter(f, map, 0, imp_i64(f->arena, row_read(f, &f->load)));
    name_counter(f, map, 1, imp_var(f->arena, f->fn, inner->for_.var));
    compute_at(f, map);
  }
  return true;
}

// A loop that only computes scalars nothing sees.
static bool is_idle(const ImpStm *stm) {
  if (stm->form == IMP_STM_LET || stm->form == IMP_STM_LOAD) return true;
  if (stm->form != IMP_STM_FOR || stm->for_.reds.len) return false;
  for (int i = 0; i < stm->for_.body->len; i++)
    if (!is_idle(stm->for_.body->at[i])) return false;
  return true;
}

// Statement `at` of the list goes; the others keep their places for now.
static void drop_stm(Contract *f, int at) {
  count_stm(f, f->block->at[at], -1);
  f->block->at[at] = NULL;
}

// The load that is left of one store and one load.
static const Access *load_of(const Contract *f, const Mention *m) {
  for (int i = m->loads.len - 1; i >= 0; i--)
    if (f->block->at[m->loads.at[i].top]) return &m->loads.at[i];
  return NULL;
}

// Is the memory not stored any more, but computed where it is read?
static bool mention_forward(Contract *f, int current) {
  const Mention *m = &f->mentions.at[current];
  const Access *load = load_of(f, m);
  if (!m->stored || !load) return false;
  f->current = current;
  f->store = m->store, f->load = *load;
  f->slice_len = 0;
  bool one = f->counts[m->mem.id] == ALLOC_STORE_LOAD;
  if (one ? !forwards(f) : !rows_forward(f, current)) return false;
  count_stm(f, f->store.access, -1);
  remove_at(f->store.block, place_of(&f->store));
  m = &f->mentions.at[current];
  for (int i = 0; i < m->watchers.len; i++) wait(f, m->watchers.at[i]);
  bool idle = is_idle(f->block->at[f->store.top]);
  drop_stm(f, m->at);
  if (idle) drop_stm(f, f->store.top);
  return true;
}

static void drop_nulls(ImpBlock *block) {
  int kept = 0;
  for (int i = 0; i < block->len; i++)
    if (block->at[i]) block->at[kept++] = block->at[i];
  block->len = kept;
}

// Always the first memory of the list that can go; what can go after that is what waits for it.
static void forward_block(void *state, ImpBlock *block) {
  Contract *f = state;
  for (int i = 0; i < block->len; i++) imp_each_block(block->at[i], forward_block, state);
  mentions_find(f, block);
  for (int i = 0; i < f->mentions.len; i = f->next) {
    f->next = i + 1;
    if (!f->mentions.at[i].waits) continue;
    f->mentions.at[i].waits = false;
    mention_forward(f, i);
  }
  drop_nulls(block);
  mentions_forget(f);
}

// cost: a walk over each list, two loops deep, and for each array that goes one over the bodies it
// is computed in before and after.
void imp_pass_contract(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  ImpStrides slopes = {.arena = arena, .fn = fn};
  Named names = {0};
  Contract f = {.arena = arena,
               .fn = fn,
               .slopes = &slopes,
               .names = &names,
               .counts = NEW_ARRAY(arena, int, fn->vars.len)};
  count_block(&(Count){&f, 1}, fn->body);
  forward_block(&f, fn->body);
}
