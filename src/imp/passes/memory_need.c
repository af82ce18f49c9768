// Counts memory: a memory_need statement becomes the bytes that the rest of the function takes at
// most, besides blocks sized by the room's answer, as an expression over the variables bound in
// front of it.  (Reverse mode asks in front of a loop how many states it may hold.)  No later pass
// changes allocations: free-blocks has said where each block ends.
//
//   live(point)   alloc adds a block, free takes it away, move and swap exchange; a branch is each
//                 of its arms, a loop its body once, and once more where that leaves other blocks;
//                 a call is its callee's points
//   need(room)    the largest live(point) - live(room), over points from the room to the end of the
//                 last block that is sized by the room's answer, or of the function
//
// A block counts as the runtime's for so many bytes.  Blocks that are sized by later rooms count
// with the least answer of these; blocks whose sizes only the run tells do not count.
#include <limits.h>
#include <string.h>
#include "memory_need.h"

// The room's answer is in use at this statement.
static void answers_used(Need *n) {
  uint64_t live = 0;
  for (int i = 0; i < n->blocks; i++)
    if (n->owned[i]) live |= n->sizes.at[n->owned[i] - 1].rooms;
  for (int i = 0; i < n->rooms.len && !n->recording; i++)
    if (live & n->rooms.at[i]->bit) n->rooms.at[i]->last = n->now;
}

static int owned_by(const Need *n, ImpVar mem) {
  return n->block_of[mem.id] ? n->owned[n->block_of[mem.id] - 1] : 0;
}

// ---- calls -------------------------------------------------------------------------------------
static Need *summary_of(const Need *caller, ImpFn *fn);

typedef struct {
  Need *n;
  const struct imp_call *call;
  Need *callee;  // NULL: it calls itself
  const ImpExp **args;  // by scalar parameter of the callee
  int *sizes;           // by term of the callee's start
} Call;

// A size of the callee's start, as the caller says it.
static int size_here(const Call *c, BlockSize s) {
  Need *n = c->n;
  if (s.param) return owned_by(n, c->call->mems.at[s.param - 1]);
  s.count = imp_exp_subst(n->arena, s.count, c->args);
  s.rooms = answers_in(&n->answers, s.count);
  return size_number(n->arena, &n->sizes, s);
}

static void call_points(const Call *c, Room *room) {
  const Room *start = c->callee->rooms.at[0];
  for (int i = 0; i < start->points.len; i++) {
    Tally tally = tally_of(c->n, room);
    for (int t = 0; t < start->points.at[i].len; t++)
      tally_add(c->n, room, &tally, c->sizes[t], start->points.at[i].more[t]);
    room_record(c->n, room, tally);
  }
}

static int result_size(const Call *c, int k) {
  int term = term_of(c->callee, c->callee->rooms.at[0], c->callee->yielded[k]);
  return term < 0 ? 0 : c->sizes[term - 1];
}

// The callee's sizes, those of its results among them, as the caller says them.
static void sizes_of_call(Call *c, const ImpFn *fn) {
  Room *start = c->callee->rooms.at[0];
  c->args = NEW_ARRAY(c->n->arena, const ImpExp *, fn->vars.len + 1);
  for (int k = 0; k < fn->params.len; k++) c->args[fn->params.at[k].id] = c->call->args.at[k];
  for (int k = 0; k < c->call->results.len; k++) term_of(c->callee, start, c->callee->yielded[k]);
  c->sizes = NEW_ARRAY(c->n->arena, int, start->terms.len + 1);
  for (int t = 0; t < start->terms.len; t++) c->sizes[t] = size_here(c, start->terms.at[t]);
}

static void own(Need *n, ImpVar mem, int size) {
  if (mem.id && n->block_of[mem.id]) n->owned[n->block_of[mem.id] - 1] = size;
}

static void walk_call(Need *n, const struct imp_call *call) {
  ImpFn *fn = imp_callee(n->prog, call);
  Call c = {n, call, fn ? summary_of(n, fn) : NULL, NULL, NULL};
  int *results = NEW_ARRAY(n->arena, int, call->results.len + 1);
  if (c.callee) {
    sizes_of_call(&c, fn);
    for (int i = 0; i < n->rooms.len; i++)
      if (room_counts(n, n->rooms.at[i])) call_points(&c, n->rooms.at[i]);
    for (int k = 0; k < call->results.len; k++) results[k] = result_size(&c, k);
  }
  for (int k = 0; fn && k < fn->params.len; k++)
    if (fn->vars.at[fn->params.at[k].id].kind == IMP_BLOCK) own(n, call->mems.at[k], 0);
  for (int k = 0; fn && k < call->results.len; k++)
    if (!fn->result_in.at[k]) own(n, call->results.at[k], results[k]);
}

// ---- the walk ----------------------------------------------------------------------------------
static void walk_block(void *need, ImpBlock *block);

static int *owned_copy(const Need *n) {
  return arena_copy(n->arena, n->owned, (size_t)n->blocks * sizeof *n->owned);
}

static void own_either(Need *n, const int *other) {
  for (int i = 0; i < n->blocks; i++) n->owned[i] = size_either(n, n->owned[i], other[i]);
}

// Code that asks for memory runs without it, too.
static void walk_if(Need *n, const struct imp_if_ *s) {
  int *before = owned_copy(n);
  bool asks = answers_in(&n->answers, s->cond) & MEMORY_ASKS;
  if (!asks) walk_block(n, s->then);
  int *after = owned_copy(n);
  memcpy(n->owned, before, (size_t)n->blocks * sizeof *before);
  walk_block(n, s->other);
  if (!asks) own_either(n, after);
}

static void walk_loop(Need *n, const ImpStm *stm) {
  int *before = owned_copy(n);
  imp_each_block(stm, walk_block, n);
  if (memcmp(before, n->owned, (size_t)n->blocks * sizeof *before) == 0) return;
  imp_each_block(stm, walk_block, n);
  own_either(n, before);
}

// Variables that are in scope and keep their values.
static const bool *scope_of(const Need *n, const Room *room) {
  bool *scope = arena_copy(n->arena, n->open, (size_t)n->fn->vars.len);
  for (int id = 1; id < n->fn->vars.len; id++)
    scope[id] = scope[id] && n->last_set[id] < room->first;
  return scope;
}

static void walk_room(Need *n, const ImpStm *stm) {
  for (int i = 0; i < n->rooms.len; i++) {
    Room *room = n->rooms.at[i];
    if (room->stm != stm) continue;
    if (!room->scope) room->scope = scope_of(n, room);
    if (n->recording) room_start(n, room);
  }
}

static void walk_swap(Need *n, const struct imp_swap *s) {
  int size = owned_by(n, s->to);
  own(n, s->to, owned_by(n, s->from));
  own(n, s->from, size);
}

static void walk_yield(Need *n, const struct imp_yield *s) {
  n->yielded[s->index] = owned_by(n, s->mem);
  own(n, s->mem, 0);
}

static void walk_move(Need *n, const struct imp_move *s) {
  own(n, s->to, owned_by(n, s->from));
  own(n, s->from, 0);
}

// Whether blocks come, go or change hands.
static bool walk_memory(Need *n, const ImpStm *stm) {
  ImpForm form = stm->form;
  answers_used(n);
  if (form == IMP_STM_ALLOC) own(n, stm->alloc.mem, size_of(n, stm->alloc.mem, stm->alloc.count));
  else if (form == IMP_STM_FREE) own(n, stm->free.mem, 0);
  else if (form == IMP_STM_MOVE) walk_move(n, &stm->move);
  else if (form == IMP_STM_SWAP) walk_swap(n, &stm->swap);
  else if (form == IMP_STM_YIELD) walk_yield(n, &stm->yield);
  else if (form == IMP_STM_CALL) walk_call(n, &stm->call);
  else return false;
  answers_used(n);
  return true;
}

static bool is_loop(ImpForm form) {
  return form == IMP_STM_FOR || form == IMP_STM_WHILE || form == IMP_STM_CHUNKS ||
         form == IMP_STM_KERNEL;
}

static void defs_open(Need *n, ImpStm *stm, bool open) {
  const ImpVar *def = imp_stm_def(stm);
  if (def) n->open[def->id] = open;
  for (int k = 0; stm->form == IMP_STM_CALL && k < stm->call.results.len; k++)
    n->open[stm->call.results.at[k].id] = open;
}

static void walk_block(void *need, ImpBlock *block) {
  Need *n = need;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    defs_open(n, stm, true);
    n->now = (int)(intptr_t)map_get(n->numbers, KEY(stm));
    if (walk_memory(n, stm)) record(n);
    else if (stm->form == IMP_STM_MEMORY_NEED) walk_room(n, stm);
    else if (stm->form == IMP_STM_IF) walk_if(n, &stm->if_);
    else if (is_loop(stm->form)) walk_loop(n, stm);
    else imp_each_block(stm, walk_block, n);
    if (is_loop(stm->form)) defs_open(n, stm, false);
  }
  for (int i = 0; i < block->len; i++) defs_open(n, block->at[i], false);
}

// ---- a function --------------------------------------------------------------------------------
// Numbers the statements in order; by variable, the last statement that sets it; finds the rooms.
static void number_block(void *need, ImpBlock *block) {
  Need *n = need;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    map_put(n->numbers, KEY(stm), (void *)(intptr_t)++n->now);
    if (stm->form == IMP_STM_SET) n->last_set[stm->set.var.id] = n->now;
    if (stm->form == IMP_STM_SCAN) n->last_set[stm->scan.acc.id] = n->now;
    if (stm->form == IMP_STM_MEMORY_NEED) {
      Room *room = NEW(n->arena, Room);
      *room = (Room){.stm = stm, .first = n->now, .last = INT_MAX,
                     .bit = answers_in(&n->answers, stm->memory_need.left)};
      list_push(n->arena, &n->rooms, room);
    }
    imp_each_block(stm, number_block, n);
  }
}

// In scope of the start are parameters.
static void start_new(Need *n) {
  Room *start = NEW(n->arena, Room);
  bool *scope = NEW_ARRAY(n->arena, bool, n->fn->vars.len);
  for (int k = 0; k < n->fn->params.len; k++) scope[n->fn->params.at[k].id] = true;
  *start = (Room){.last = INT_MAX, .scope = scope};
  list_push(n->arena, &n->rooms, start);
}

static void blocks_start(Need *n) {
  for (int id = 1; id < n->fn->vars.len; id++)
    n->open[id] = n->fn->vars.at[id].kind == IMP_GLOBAL;
  memset(n->owned, 0, (size_t)n->blocks * sizeof *n->owned);
  for (int k = 0; k < n->fn->params.len; k++) {
    ImpVar p = n->fn->params.at[k];
    n->open[p.id] = true;
    if (n->block_of[p.id])
      own(n, p, size_number(n->arena, &n->sizes, (BlockSize){.param = 1 + k}));
  }
}

static void walk(Need *n, bool recording) {
  n->recording = recording;
  blocks_start(n);
  if (recording) room_start(n, n->rooms.at[0]);
  walk_block(n, n->fn->body);
}

static Need *need_of(Map *summaries, const ImpProg *prog, Arena *arena, ImpFn *fn) {
  int vars = fn->vars.len;
  Need *n = NEW(arena, Need);
  *n = (Need){arena, prog, fn, summaries, answers_of(arena, fn), .numbers = map_new(arena),
              .block_of = NEW_ARRAY(arena, int, vars), .last_set = NEW_ARRAY(arena, int, vars),
              .open = NEW_ARRAY(arena, bool, vars),
              .yielded = NEW_ARRAY(arena, int, fn->result_is_mem.len + 1)};
  map_put(summaries, KEY(fn), n);
  for (int id = 1; id < vars; id++)
    if (fn->vars.at[id].kind == IMP_BLOCK) n->block_of[id] = ++n->blocks;
  n->owned = NEW_ARRAY(arena, int, n->blocks + 1);
  start_new(n);
  number_block(n, fn->body);
  walk(n, false);
  walk(n, true);
  n->done = true;
  return n;
}

// NULL where calls go round.
static Need *summary_of(const Need *caller, ImpFn *fn) {
  Need *n = map_get(caller->summaries, KEY(fn));
  if (!n) n = need_of(caller->summaries, caller->prog, caller->arena, fn);
  return n->done ? n : NULL;
}

// ---- the expression ----------------------------------------------------------------------------
static ImpVar fresh(Need *n, const char *base, const ImpExp *def) {
  ImpVar v = {(uint32_t)n->fn->vars.len};
  list_push(n->arena, &n->fn->vars,
            (ImpVarInfo){.base = base, .kind = IMP_LET, .prim = PRIM_I64, .def = def});
  return v;
}

static void push(Need *n, ImpBlock *out, ImpStm stm) {
  list_push(n->arena, out, arena_copy(n->arena, &stm, sizeof stm));
}

static const ImpExp *let(Need *n, ImpBlock *out, const char *base, const ImpExp *e) {
  if (imp_is_atom(e)) return e;
  ImpVar v = fresh(n, base, e);
  push(n, out, (ImpStm){.form = IMP_STM_LET, .let = {v, e}});
  return imp_var(n->arena, n->fn, v);
}

static const ImpExp *lanes_put(Need *n, ImpBlock *out) {
  ImpVar v = fresh(n, "lanes", NULL);
  push(n, out, (ImpStm){.form = IMP_STM_TUNED,
                        .tuned = {v, IMP_TUNED_LANES, imp_i64(n->arena, 1)}});
  return imp_var(n->arena, n->fn, v);
}

static const ImpExp *term_put(Need *n, ImpBlock *out, const BlockSize *s) {
  Arena *arena = n->arena;
  const ImpExp *each = imp_i64(arena, s->bytes);
  if (s->vectors) each = imp_mul(arena, lanes_put(n, out), imp_i64(arena, s->bytes * s->vectors));
  const ImpExp *bytes = imp_mul(arena, s->count, each);
  return let(n, out, "block", imp_op(arena, OP_BLOCK_BYTES, PRIM_I64, bytes, NULL, NULL));
}

static const ImpExp *point_put(Need *n, ImpBlock *out, const Point *p, const ImpExp **terms,
                               const Room *room) {
  Arena *arena = n->arena;
  const ImpExp *sum = imp_i64(arena, 0);
  for (int t = 0; t < p->len; t++) {
    if (p->more[t] == 0 || room->terms.at[t].param) continue;
    if (!terms[t]) terms[t] = term_put(n, out, &room->terms.at[t]);
    sum = imp_add(arena, sum, imp_mul(arena, terms[t], imp_i64(arena, p->more[t])));
  }
  return sum;
}

static void room_put(Need *n, ImpBlock *out, const struct imp_memory_need *s, const Room *room) {
  Arena *arena = n->arena;
  const ImpExp **terms = NEW_ARRAY(arena, const ImpExp *, room->terms.len + 1);
  const ImpExp *most = imp_i64(arena, 0);
  for (int i = 0; i < room->points.len; i++) {
    const ImpExp *bytes = point_put(n, out, &room->points.at[i], terms, room);
    most = let(n, out, "most", imp_op(arena, OP_MAX, PRIM_I64, most, bytes, NULL));
  }
  n->fn->vars.at[s->var.id].def = most;
  push(n, out, (ImpStm){.form = IMP_STM_LET, .let = {s->var, most}});
}

static void put_block(void *need, ImpBlock *block) {
  Need *n = need;
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    if (stm->form != IMP_STM_MEMORY_NEED) {
      imp_each_block(stm, put_block, n);
      list_push(n->arena, &out, stm);
      continue;
    }
    for (int k = 0; k < n->rooms.len; k++)
      if (n->rooms.at[k]->stm == stm) room_put(n, &out, &stm->memory_need, n->rooms.at[k]);
  }
  *block = out;
}

static void find_room(void *found, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    if (block->at[i]->form == IMP_STM_MEMORY_NEED) *(bool *)found = true;
    imp_each_block(block->at[i], find_room, found);
  }
}

void imp_pass_memory_need(ImpProg *prog, ImpFn *fn) {
  bool found = false;
  find_room(&found, fn->body);
  if (!found) return;
  Need *n = need_of(map_new(prog->arena), prog, prog->arena, fn);
  put_block(n, fn->body);
}
