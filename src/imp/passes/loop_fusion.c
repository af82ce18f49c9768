// Joins a scan's loop with the loop after it that reads the scan's result element by element,
// which core cannot: its fused form has reductions of what goes into scans, not of what comes out.
//
//   for i < n { .. scan s; store m[i] = s }           for i < n { .. scan s;
//   for j < n { load x = m[j]; acc = acc + x * x }  -->           let x = s; acc = acc + x * x }
//
// m goes where nothing else reads it.  Both loops are straight-line, promise `parallel`, and touch
// no other memory that either writes; the second does not read what the first carries.
//
// A loop whose iterations depend on each other takes in a cheap parallel loop after it likewise;
// the parallel loop then runs in the same direction, which may reverse it:
//
//   for i < n { .. store m[n-1-i] = s }; for j < n { load x = m[j]; store y[j] = x * x }
//
// A loop that writes anywhere, in order, joins the loop in front of it that computes what it writes
// or reads the same: scatters of one list of places are one loop, and the list is not made.
//
//   for i < n { .. store m[i] = p }; for j < n { load q = m[j]; if (q < k) store y[q] = 1 }
#include "imp/common/imp.h"

typedef struct {
  Arena *arena;
  ImpFn *fn;
  ImpStrides *slopes;
  ImpBlock *block;
  int *mentions;  // by memory
  const ImpStm *a, *b;
  bool back;  // the second loop's counter is n-1 less the first one's
  bool writes;  // the second loop writes anywhere, in order
  const ImpStm *setter;   // whose variables are marked
  LIST(const ImpStm *) set_by;  // by variable: the last loop marked that sets it
  LIST(const ImpExp *) map;     // by variable: what it is in the first loop; else NULL
} LoopFuse;

static bool is_straight(const ImpStm *loop) {
  const ImpBlock *body = loop->for_.body;
  if (body->len > 40) return false;
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
  int from;  // this statement of its body, and what follows
  bool found;
} Sets;
typedef struct {
  ImpVar var;
  bool found;
} SetOf;
static void stm_sets(SetOf *s, const ImpStm *stm);
static void block_sets(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) stm_sets(state, block->at[i]);
}
static void stm_sets(SetOf *s, const ImpStm *stm) {
  if (stm->form == IMP_STM_SCAN && stm->scan.acc.id == s->var.id) s->found = true;
  if (stm->form == IMP_STM_SET && stm->set.var.id == s->var.id) s->found = true;
  imp_each_block(stm, block_sets, s);
}
static void is_set(void *state, ImpVar v) {
  Sets *s = state;
  SetOf of = {v, false};
  for (int i = s->from; i < s->loop->for_.body->len; i++) stm_sets(&of, s->loop->for_.body->at[i]);
  s->found = s->found || of.found;
}

static void mark_set(void *state, ImpBlock *block) {
  LoopFuse *j = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_SCAN) j->set_by.at[stm->scan.acc.id] = j->setter;
    if (stm->form == IMP_STM_SET) j->set_by.at[stm->set.var.id] = j->setter;
    imp_each_block(stm, mark_set, j);
  }
}

typedef struct {
  const LoopFuse *j;
  const ImpStm *loop;
  bool found;
} Reads;
static void reads_var(void *state, ImpVar v) {
  Reads *r = state;
  if (r->j->set_by.at[v.id] == r->loop) r->found = true;
}
static void reads_exp(void *state, const ImpExp *e) { imp_each_var(e, reads_var, state); }
static void reads_block(void *state, ImpBlock *block);
static void reads_stm(Reads *r, const ImpStm *stm) {
  imp_each_exp(stm, reads_exp, r);
  imp_each_block(stm, reads_block, r);
}
static void reads_block(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) reads_stm(state, block->at[i]);
}

// Whether the statement reads what the loop sets.
static bool depends(LoopFuse *j, const ImpStm *stm, const ImpStm *loop) {
  if (j->setter != loop) {
    j->setter = loop;
    while (j->set_by.len < j->fn->vars.len) list_push(j->arena, &j->set_by, NULL);
    mark_set(j, loop->for_.body);
  }
  Reads r = {j, loop, false};
  reads_stm(&r, stm);
  return r.found;
}

// ---- memory -----------------------------------------------------------------------------------
static const ImpStm *find_store(const ImpStm *loop, ImpVar mem) {
  for (int i = 0; i < loop->for_.body->len; i++)
    if (imp_mem_writes(loop->for_.body->at[i], mem)) return loop->for_.body->at[i];
  return NULL;
}

// An address as a sum of variables with factors and a constant, definitions expanded.
typedef struct {
  struct {
    ImpVar var;
    int64_t factor;
  } terms[8];
  int len;
  int64_t constant;
} Sum;

static int64_t times(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }
static int64_t plus(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

static bool add_term(Sum *sum, ImpVar var, int64_t factor) {
  int at = 0;
  while (at < sum->len && sum->terms[at].var.id != var.id) at++;
  if (at == 8) return false;
  if (at == sum->len) sum->terms[sum->len++].var = var, sum->terms[at].factor = 0;
  sum->terms[at].factor = plus(sum->terms[at].factor, factor);
  return true;
}

static bool add_sum(const LoopFuse *j, Sum *sum, const ImpExp *e, int64_t factor, int depth);

// The second loop's counter is the first one's, or n-1 less that.
static bool add_counter(const LoopFuse *j, Sum *sum, int64_t factor) {
  if (!j->back) return add_term(sum, j->a->for_.var, factor);
  sum->constant = plus(sum->constant, times(-1, factor));
  return add_sum(j, sum, j->a->for_.bound, factor, 0) &&
         add_term(sum, j->a->for_.var, times(-1, factor));
}

static bool add_product(const LoopFuse *j, Sum *sum, const ImpExp *e, int64_t factor, int depth) {
  for (int k = 0; k < 2; k++)
    if (e->args[k]->kind == IMP_CONST)
      return add_sum(j, sum, e->args[1 - k], times(factor, e->args[k]->value.i), depth);
  return false;
}

static bool add_sum(const LoopFuse *j, Sum *sum, const ImpExp *e, int64_t factor, int depth) {
  if (e->prim != PRIM_I64) return false;
  if (e->kind == IMP_CONST) {
    sum->constant = plus(sum->constant, times(factor, e->value.i));
    return true;
  }
  if (e->kind == IMP_VAR) {
    if (e->var.id == j->b->for_.var.id) return add_counter(j, sum, factor);
    const ImpVarInfo *v = &j->fn->vars.at[e->var.id];
    if (v->kind == IMP_LET && v->def && v->def->kind != IMP_CONV && depth < 6) {
      Sum before = *sum;
      if (add_sum(j, sum, v->def, factor, depth + 1)) return true;
      *sum = before;
    }
    return add_term(sum, e->var, factor);
  }
  if (e->kind != IMP_OP || e->from != PRIM_I64) return false;
  if (e->op == OP_MUL) return add_product(j, sum, e, factor, depth);
  if (e->op != OP_ADD && e->op != OP_SUB) return false;
  return add_sum(j, sum, e->args[0], factor, depth) &&
         add_sum(j, sum, e->args[1], e->op == OP_SUB ? times(-1, factor) : factor, depth);
}

static bool same_address(const LoopFuse *j, const ImpExp *a, const ImpExp *b) {
  Sum difference = {0};
  if (!add_sum(j, &difference, a, 1, 0) || !add_sum(j, &difference, b, -1, 0)) return false;
  for (int k = 0; k < difference.len; k++)
    if (difference.terms[k].factor != 0) return false;
  return difference.constant == 0;
}

static int stores_of(const ImpStm *loop, ImpVar mem) {
  int n = 0;
  for (int i = 0; i < loop->for_.body->len; i++) n += imp_mem_writes(loop->for_.body->at[i], mem);
  return n;
}

// The store of the first loop that this load of the second one reads.  The first loop writes the
// place in no other iteration.
static const ImpStm *stored(const LoopFuse *j, const ImpStm *load) {
  const ImpStm *store = find_store(j->a, load->load.mem);
  if (!store || store->form != IMP_STM_STORE || stores_of(j->a, load->load.mem) > 1) return NULL;
  if (!j->a->for_.parallel) {
    const ImpExp *step = imp_exp_stride(j->slopes, store->store.at, &j->a->for_);
    if (!step || !(imp_is_int(step, 1) || imp_is_int(step, -1))) return NULL;
  }
  return same_address(j, store->store.at, load->load.at) ? store : NULL;
}

typedef struct {
  ImpVar mem;
  int mentions, writes;
} Tally;
static void tally_mem(void *state, ImpVar mem) {
  Tally *t = state;
  t->mentions += mem.id == t->mem.id;
}
static void tally_block(void *state, ImpBlock *block) {
  Tally *t = state;
  for (int i = 0; i < block->len; i++) {
    t->writes += imp_mem_writes(block->at[i], t->mem);
    imp_each_mem(block->at[i], tally_mem, t);
    imp_each_block(block->at[i], tally_block, t);
  }
}
static Tally tally(const ImpStm *loop, ImpVar mem) {
  Tally t = {mem, 0, 0};
  tally_block(&t, loop->for_.body);
  return t;
}

// The first loop has the value that this load of the second would read: it stored it or, in
// front of a loop of writes, loaded it too.
static const ImpExp *held_by_first(const LoopFuse *j, const ImpStm *load) {
  int writes = tally(j->a, load->load.mem).writes;
  if (writes > 0) {
    const ImpStm *store = writes == 1 ? stored(j, load) : NULL;
    return store ? store->store.value : NULL;
  }
  for (int i = 0; j->writes && i < j->a->for_.body->len; i++) {
    const ImpStm *stm = j->a->for_.body->at[i];
    if (stm->form == IMP_STM_LOAD && stm->load.mem.id == load->load.mem.id
        && same_address(j, stm->load.at, load->load.at))
      return imp_var(j->arena, j->fn, stm->load.var);
  }
  return NULL;
}

static bool memory_agrees(const LoopFuse *j, int *saved) {
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
  for (int i = 0, stores = 0; j->a->for_.parallel && i < j->a->for_.body->len; i++)
    if (j->a->for_.body->at[i]->form == IMP_STM_STORE && ++stores > 1) return false;
  return true;
}

// ---- the change -------------------------------------------------------------------------------
static const ImpExp *build_let(LoopFuse *j, ImpBlock *block, const char *base,
                               const ImpExp *value) {
  ImpVar var = {(uint32_t)j->fn->vars.len};
  list_push(j->arena, &j->fn->vars,
            (ImpVarInfo){.base = base, .kind = IMP_LET, .prim = value->prim, .def = value});
  ImpStm let = {.form = IMP_STM_LET, .let = {var, value}};
  list_push(j->arena, block, (ImpStm *)arena_copy(j->arena, &let, sizeof let));
  return imp_var(j->arena, j->fn, var);
}

// The second loop's counter in the first loop.
static const ImpExp *counter(LoopFuse *j, ImpStm *a) {
  const ImpExp *i = imp_var(j->arena, j->fn, a->for_.var);
  if (!j->back) return i;
  const ImpExp *last = imp_add(j->arena, a->for_.bound, imp_i64(j->arena, -1));
  const ImpExp *value = imp_add(j->arena, last, imp_mul(j->arena, i, imp_i64(j->arena, -1)));
  return build_let(j, a->for_.body, "i", value);
}

typedef struct {
  LoopFuse *j;
  const ImpExp *const *map;
} Moving;
static void move_block(void *state, ImpBlock *block);

// A statement of the second loop on its way into the first one: what that holds is not loaded.
static void move_stm(Moving *m, ImpStm *stm) {
  LoopFuse *j = m->j;
  const ImpExp *held = stm->form == IMP_STM_LOAD ? held_by_first(j, stm) : NULL;
  if (held) {
    j->mentions[stm->load.mem.id]--;
    *stm = (ImpStm){.form = IMP_STM_LET, .let = {stm->load.var, held}};
  }
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++) {
    const ImpExp **e = (const ImpExp **)(void *)((char *)stm + d->offset);
    if (d->kind == IMP_FIELD_EXP) *e = imp_exp_subst(j->arena, *e, m->map);
  }
  if (stm->form == IMP_STM_LET) j->fn->vars.at[stm->let.var.id].def = stm->let.value;
  imp_each_block(stm, move_block, m);
}
static void move_block(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) move_stm(state, block->at[i]);
}

// The value that statement k of the first loop stores is unchanged at the end of the iteration.
static bool is_stable(const ImpStm *a, int k) {
  Sets s = {a, k, false};
  imp_each_var(a->for_.body->at[k]->store.value, is_set, &s);
  return !s.found;
}

// Values stored that the iteration changes later get a name: they are what loads find.
static void name_stored(LoopFuse *j, ImpStm *a) {
  ImpBlock *body = a->for_.body, named = {0};
  for (int k = 0; k < body->len; k++) {
    ImpStm *stm = body->at[k];
    if (stm->form == IMP_STM_STORE && !is_stable(a, k))
      stm->store.value = build_let(j, &named, "held", stm->store.value);
    list_push(j->arena, &named, stm);
  }
  *body = named;
}

static void join(LoopFuse *j, ImpStm *a, const ImpStm *b) {
  name_stored(j, a);
  const ImpExp *i_b = counter(j, a);
  while (j->map.len < j->fn->vars.len) list_push(j->arena, &j->map, NULL);
  j->map.at[b->for_.var.id] = i_b;
  Moving m = {j, j->map.at};
  ImpBlock moved = *b->for_.body;
  move_block(&m, &moved);
  for (int i = 0; i < moved.len; i++) list_push(j->arena, a->for_.body, moved.at[i]);
  for (int i = 0; i < b->for_.reds.len; i++)
    list_push(j->arena, &a->for_.reds, b->for_.reds.at[i]);
  j->map.at[b->for_.var.id] = NULL;
  j->setter = NULL;
}

// Blocks that only their allocation and the store mention go.  Gives `at`, or a place in the list
// before it where an allocation was.
static int drop_unread(LoopFuse *j, ImpStm *loop, int at) {
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
      if (alloc && k < at) at = k;
      if (!alloc) j->block->at[kept++] = j->block->at[k];
    }
    if (kept == j->block->len) continue;
    j->block->len = kept;
    for (int k = i + 1; k < body->len; k++) body->at[k - 1] = body->at[k];
    body->len--;
    i--;
  }
  return at;
}

// The next loop after statement `at`, with only what may stand before both between, as far as its
// form tells; -1: none.
static int next_loop(LoopFuse *j, int at) {
  for (int i = at + 1; i < j->block->len; i++) {
    const ImpStm *stm = j->block->at[i];
    if (stm->form == IMP_STM_FOR) return i;
    bool movable =
        stm->form == IMP_STM_LET || stm->form == IMP_STM_VAR || stm->form == IMP_STM_ALLOC;
    if (!movable) return -1;
  }
  return -1;
}

// Loads from what the first loop stores must be of what the same iteration stored.
static bool memory_fits(LoopFuse *j) {
  int saved = 0;
  j->back = false;
  if (memory_agrees(j, &saved)) return saved > 0;
  saved = 0;
  j->back = !j->a->for_.parallel;
  return j->back && memory_agrees(j, &saved) && saved > 0;
}

static bool is_costly(const ImpExp *e) {
  if (e->kind == IMP_OP && op_info[e->op].cost >= COST_POWER) return true;
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (is_costly(e->args[i])) return true;
  return false;
}

// In a loop in order nothing runs in SIMD lanes: only for what waits for memory anyway.
static bool is_cheap(const ImpStm *loop) {
  if (has_scan(loop) || loop->for_.reds.len > 0 || loop->for_.body->len > 24) return false;
  for (int i = 0; i < loop->for_.body->len; i++) {
    const ImpStm *stm = loop->for_.body->at[i];
    if (stm->form == IMP_STM_SET || (stm->form == IMP_STM_LET && is_costly(stm->let.value)))
      return false;
  }
  return true;
}

// ---- loops of writes --------------------------------------------------------------------------
enum { MOST_WRITING = 24, MOST_BEFORE = 100 };
typedef struct {
  int stms, lets, branches;
  bool plain, costly, checks, sets;
} Contents;
// No further than where it is not plain or too long.
static void contents_block(void *state, ImpBlock *block) {
  Contents *c = state;
  for (int i = 0; i < block->len && c->plain && c->stms <= MOST_BEFORE; i++) {
    const ImpStm *stm = block->at[i];
    ImpForm f = stm->form;
    c->stms++;
    c->lets += f == IMP_STM_LET;
    c->branches += f == IMP_STM_IF;
    c->checks = c->checks || f == IMP_STM_TEST;
    c->sets = c->sets || f == IMP_STM_SET || f == IMP_STM_VAR;
    c->costly = c->costly || (f == IMP_STM_LET && is_costly(stm->let.value));
    bool plain = f == IMP_STM_LET || f == IMP_STM_LOAD || f == IMP_STM_STORE || f == IMP_STM_IF
                 || f == IMP_STM_VAR || f == IMP_STM_SET || f == IMP_STM_TEST;
    c->plain = c->plain && plain;
    imp_each_block(stm, contents_block, c);
  }
}
static Contents contents(const ImpStm *loop) {
  Contents c = {.plain = true};
  contents_block(&c, loop->for_.body);
  return c;
}

// Nothing much is lost when the first loop runs in order.
static bool may_run_in_order(const LoopFuse *j, const Contents *a) {
  if (!j->a->for_.parallel) return true;
  if (j->a->for_.reds.len > 0 || a->costly) return false;
  return a->branches > 0 ? a->stms <= 48 : a->lets <= 6;
}

typedef struct {
  LoopFuse *j;
  int saved;
  bool ok;
} Merging;
static void merge_memory(void *state, ImpBlock *block) {
  Merging *m = state;
  LoopFuse *j = m->j;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_LOAD) {
      bool held = held_by_first(j, stm);
      if (!held && tally(j->a, stm->load.mem).writes > 0) m->ok = false;
      m->saved += held;
    }
    if (stm->form == IMP_STM_STORE && tally(j->a, stm->store.mem).mentions > 0) m->ok = false;
    imp_each_block(stm, merge_memory, m);
  }
}

static bool writes_fit(LoopFuse *j) {
  Merging m = {j, 0, true};
  merge_memory(&m, j->b->for_.body);
  return m.ok && m.saved > 0;
}

// ---- both kinds -------------------------------------------------------------------------------
// Whether the two could join but for what they share.
static bool shapes_fit(const LoopFuse *j) {
  const ImpStm *a = j->a, *b = j->b;
  if (!imp_exp_same(a->for_.bound, b->for_.bound)) return false;
  if (!j->writes)
    return is_straight(a) && is_straight(b)
           && (a->for_.parallel ? has_scan(a) : is_cheap(b));
  Contents in_b = contents(b);
  if (!in_b.plain || in_b.checks || in_b.sets || in_b.stms > MOST_WRITING) return false;
  Contents in_a = contents(a);
  return in_a.plain && in_a.stms <= MOST_BEFORE && may_run_in_order(j, &in_a);
}

// Neither loop depends on the other, nor what is between them on the first.  Asked of loops that
// fit, which are short, so that nests are not walked for each loop around.
static bool independent(LoopFuse *j, int at, int next) {
  const ImpStm *a = j->a, *b = j->b;
  for (int i = at + 1; i < next; i++)
    if (depends(j, j->block->at[i], a)) return false;
  for (int i = 0; i < b->for_.body->len; i++)
    if (depends(j, b->for_.body->at[i], a)) return false;
  for (int i = 0; i < a->for_.body->len; i++)
    if (depends(j, a->for_.body->at[i], b)) return false;
  return true;
}

// The loop at this place takes in the next one.  Gives the first place of the list where something
// has changed; -1: nothing has.
static int join_next(LoopFuse *j, int at) {
  ImpStm *a = j->block->at[at];
  int next = next_loop(j, at);
  if (next < 0) return -1;
  ImpStm *b = j->block->at[next];
  j->a = a, j->b = b;
  j->back = false;
  j->writes = !b->for_.parallel;
  if (!shapes_fit(j) || !independent(j, at, next)) return -1;
  if (j->writes ? !writes_fit(j) : !memory_fits(j)) return -1;
  join(j, a, b);
  a->for_.parallel = a->for_.parallel && b->for_.parallel;
  imp_strides_forget(j->slopes);
  for (int i = at + 1; i < next; i++) j->block->at[i - 1] = j->block->at[i];
  j->block->at[next - 1] = a;
  for (int i = next + 1; i < j->block->len; i++) j->block->at[i - 1] = j->block->at[i];
  j->block->len--;
  return drop_unread(j, a, at);
}

// The last loop before this place: statements before that loop see no change after it.
static int loop_before(const ImpBlock *block, int at) {
  while (--at > 0)
    if (block->at[at]->form == IMP_STM_FOR) break;
  return at > 0 ? at : 0;
}

static void join_block(void *state, ImpBlock *block) {
  LoopFuse *j = state;
  for (int i = 0; i < block->len; i++) imp_each_block(block->at[i], join_block, j);
  for (int i = 0; i < block->len; i++) {
    j->block = block;
    int changed = block->at[i]->form == IMP_STM_FOR ? join_next(j, i) : -1;
    if (changed >= 0) i = loop_before(block, changed) - 1;
  }
}

static void count_mem(void *state, ImpVar mem) { ((LoopFuse *)state)->mentions[mem.id]++; }
static void count_block(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    imp_each_mem(block->at[i], count_mem, state);
    imp_each_block(block->at[i], count_block, state);
  }
}

void imp_pass_fuse(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  ImpStrides slopes = {.arena = arena, .fn = fn};
  LoopFuse j = {.arena = arena,
            .fn = fn,
            .slopes = &slopes,
            .mentions = NEW_ARRAY(arena, int, fn->vars.len)};
  count_block(&j, fn->body);
  join_block(&j, fn->body);
}
