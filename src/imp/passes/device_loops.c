// Outermost parallel loops of programs for a device: kernels, where chunks.c finds no bar and the
// size of memory is known in front of the loop.
//
//   for i < n { body }             kernel i < n { body }
//   for i < n reds (r) { body }    device_sums.c
//   for i < n { alloc a; .. }      a in the thread's frame, or in its part of a block
//
// The other loops run on the host, in the blocks in which they run on one core.
#include <string.h>
#include "local.h"

enum { SUM_THREADS = 8192, COPY_THREADS = 4096 };

static const ImpExp *at_most(const Chunks *c, const ImpExp *e, int64_t most) {
  return imp_op(c->arena, OP_MIN, PRIM_I64, e, imp_i64(c->arena, most), NULL);
}

// The elements of what iterations add to, at places that data decide.
static const ImpExp *shared_cells(const Search *s) {
  const ImpExp *all = imp_i64(s->c->arena, 0);
  for (int i = 0; i < s->shared.len; i++)
    all = imp_add(s->c->arena, all, s->c->fn->vars.at[s->shared.at[i]->mem.id].cells);
  return imp_op(s->c->arena, OP_MAX, PRIM_I64, all, imp_i64(s->c->arena, 1), NULL);
}

// So many that copies of that for each thread are no more work than the loop, and have PART_CELLS
// elements in all.
static const ImpExp *copies_of(const Search *s) {
  enum { CELL_COST = 8 };  // operations for a place of a copy: to make it, and to add it
  Arena *arena = s->c->arena;
  const ImpExp *cells = shared_cells(s), *n = s->loop->bound;
  const ImpExp *room = imp_op(arena, OP_DIV, PRIM_I64, imp_i64(arena, PART_CELLS), cells, NULL);
  const ImpExp *work = imp_op(arena, OP_MUL, PRIM_F64, imp_conv(arena, PRIM_F64, n),
                              chunks_cost(s->c, s->loop), NULL);
  const ImpExp *each = imp_conv(arena, PRIM_F64, imp_mul(arena, cells, imp_i64(arena, CELL_COST)));
  const ImpExp *many = imp_op(arena, OP_DIV, PRIM_F64, work, each, NULL);
  many = imp_op(arena, OP_MIN, PRIM_F64, many, imp_conv(arena, PRIM_F64, room), NULL);
  return imp_op(arena, OP_MIN, PRIM_I64, n, imp_conv(arena, PRIM_I64, many), NULL);
}

// A thread for each iteration, or, where the loop sums up or needs room, fewer.
static const ImpExp *threads_of(const Search *s, ImpBlock *out) {
  Chunks *c = s->c;
  const struct imp_for_ *loop = s->loop;
  bool parts = s->allocs.len > 0, sums = loop->reds.len || s->shared.len;
  if (!parts && !sums) return loop->bound;
  const ImpExp *most = s->shared.len ? at_most(c, copies_of(s), COPY_THREADS) : loop->bound;
  if (parts) most = device_part_threads(s, most);
  if (sums && !s->shared.len) most = at_most(c, most, SUM_THREADS);
  if (most->kind == IMP_CONST) return most;
  return chunks_let(c, out, chunks_fresh(c, "threads"), most);
}

static void put_kernel(Chunks *c, ImpStm *stm, Search *s, ImpBlock *out) {
  struct imp_for_ loop = stm->for_;
  device_grid(s, &loop, out);
  s->loop = &loop;
  device_make_atomic(s);
  device_frame_blocks(s);
  device_drop_allocs(c, loop.body);
  const ImpExp *threads = threads_of(s, out);
  if (s->allocs.len) device_parts(s, threads, out);
  c->fn->vars.at[loop.var.id].bound = loop.bound;
  if (loop.reds.len || s->shared.len) {
    device_sum(s, &loop, threads, out);
    return;
  }
  ImpStm kernel = {.form = IMP_STM_KERNEL,
                   .kernel = {loop.var, loop.bound, threads, loop.var, false, loop.body}};
  list_push(c->arena, out, chunks_make(c, kernel));
}

static void search_loop(Chunks *c, const struct imp_for_ *loop, Search *s) {
  chunks_bar(c, loop, s);
  bar_if(s, !device_allocs_fit(s), BAR_ALLOCS);
}

// ---- groups -----------------------------------------------------------------------------------
// Memory of the copy, which stands nowhere yet, is mentioned there alone.
static void mention_copy(Chunks *c, const struct imp_for_ *loop, int variables) {
  int *all = chunks_mentions(c, loop->body);
  for (int i = 0; i < variables; i++) all[i] = c->mentions[i];
  c->mentions = all;
}

// Splits s->allocs: each thread's, which have to fit its frame, and (left there) a group's.
static bool split_allocs(Search *s, const Map *alone) {
  Search own = *s;
  int kept = 0;
  memset(&own.allocs, 0, sizeof own.allocs);
  for (int i = 0; i < s->allocs.len; i++) {
    ImpStm *stm = s->allocs.at[i];
    if (map_get(alone, stm->alloc.mem.id)) list_push(s->c->arena, &own.allocs, stm);
    else s->allocs.at[kept++] = stm;
  }
  s->allocs.len = kept;
  device_frame_blocks(&own);
  return own.allocs.len == 0;
}

static void put_groups(Search *s, ImpBlock *out) {
  Chunks *c = s->c;
  const struct imp_for_ *loop = s->loop;
  device_drop_allocs(c, loop->body);
  const ImpExp *groups = threads_of(s, out);
  if (s->allocs.len) device_parts(s, groups, out);
  c->fn->vars.at[loop->var.id].bound = loop->bound;
  ImpStm kernel = {.form = IMP_STM_KERNEL,
                   .kernel = {loop->var, loop->bound, groups, loop->var, true, loop->body}};
  list_push(c->arena, out, chunks_make(c, kernel));
}

// The loop again, in *g, with spread loops: the length of the longest; NULL: there is none.
static const ImpExp *spread_copy(Chunks *c, const ImpStm *stm, Search *g) {
  Map *alone;
  const int variables = c->fn->vars.len;
  const ImpStm *copy = imp_stm_clone(c->arena, c->fn, stm);
  mention_copy(c, &copy->for_, variables);
  search_loop(c, &copy->for_, g);
  device_make_atomic(g);
  const ImpExp *length = device_spread(g, &alone);
  return length && split_allocs(g, alone) ? length : NULL;
}

// A loop inside has DZ_SPREAD iterations for a group, and few rows would leave a device idle, or
// long ones are there for all its threads.
static const ImpExp *is_worth_groups(const Chunks *c, const ImpExp *rows, const ImpExp *length,
                                     const ImpExp *spread) {
  enum { FEW_ROWS = 256, LONG = 4 };  // in units of DZ_SPREAD
  Arena *arena = c->arena;
  const ImpExp *some = imp_mul(arena, spread, imp_i64(arena, FEW_ROWS));
  const ImpExp *many = imp_mul(arena, spread, imp_i64(arena, LONG));
  const ImpExp *few = imp_op(arena, OP_LT, PRIM_I64, rows, some, NULL);
  const ImpExp *full = imp_op(arena, OP_LE, PRIM_I64, many, length, NULL);
  const ImpExp *any = imp_op(arena, OP_LE, PRIM_I64, spread, length, NULL);
  const ImpExp *either = imp_op(arena, OP_OR, PRIM_BOOL, few, full, NULL);
  return imp_op(arena, OP_AND, PRIM_BOOL, any, either, NULL);
}

// Two versions: with a group for each iteration where that pays, else with a thread.  False: there
// is nothing to share.
static bool put_spread(Chunks *c, ImpStm *stm, Search *s, ImpBlock *out) {
  const int variables = c->fn->vars.len;
  Search g;
  const ImpExp *length = NULL;
  if (!stm->for_.reds.len && !device_is_grid(s) && device_may_spread(stm->for_.body))
    length = spread_copy(c, stm, &g);
  if (!length) {
    c->fn->vars.len = variables;
    return false;
  }
  ImpVar least = chunks_fresh(c, "spread");
  ImpStm tuned = {.form = IMP_STM_TUNED,
                  .tuned = {least, IMP_TUNED_SPREAD, imp_i64(c->arena, 1)}};
  list_push(c->arena, out, chunks_make(c, tuned));
  const ImpExp *longest = chunks_let(c, out, chunks_fresh(c, "longest"), length);
  ImpBlock *then = NEW(c->arena, ImpBlock), *other = NEW(c->arena, ImpBlock);
  const ImpExp *from = imp_var(c->arena, c->fn, least);
  put_groups(&g, then);
  put_kernel(c, stm, s, other);
  const ImpExp *worth = is_worth_groups(c, stm->for_.bound, longest, from);
  ImpStm either = {.form = IMP_STM_IF, .if_ = {worth, then, other}};
  list_push(c->arena, out, chunks_make(c, either));
  if (c->said) c->said->at[c->said->len - 1].text = "as a kernel, a row by a group of threads";
  return true;
}

// On the host, as for one core.
static ImpStm *host_loop(Chunks *c, ImpStm *stm) {
  Chunks host = *c;
  host.device = false;
  host.said = NULL;
  return chunks_loop(&host, stm);
}

// With copies on the device, where there are FEW_COPIES at least; else on the host.
static void put_either(Chunks *c, ImpStm *stm, Search *s, ImpBlock *out) {
  enum { FEW_COPIES = 16 };
  ImpBlock *then = NEW(c->arena, ImpBlock), *other = NEW(c->arena, ImpBlock);
  const ImpExp *few = imp_i64(c->arena, FEW_COPIES);
  const ImpExp *many = imp_op(c->arena, OP_LE, PRIM_I64, few, copies_of(s), NULL);
  list_push(c->arena, other, host_loop(c, imp_stm_clone(c->arena, c->fn, stm)));
  put_kernel(c, stm, s, then);
  ImpStm either = {.form = IMP_STM_IF, .if_ = {many, then, other}};
  list_push(c->arena, out, chunks_make(c, either));
}

bool device_takes(Chunks *c, const struct imp_for_ *loop) {
  Search s;
  search_loop(c, loop, &s);
  return s.bar == BAR_NONE;
}

static void device_loop(Chunks *c, ImpStm *stm, ImpBlock *out) {
  Search s;
  search_loop(c, &stm->for_, &s);
  chunks_say(c, &stm->for_, &s);
  if (s.bar == BAR_NONE && s.shared.len) put_either(c, stm, &s, out);
  else if (s.bar == BAR_NONE && put_spread(c, stm, &s, out)) return;
  else if (s.bar == BAR_NONE) put_kernel(c, stm, &s, out);
  else list_push(c->arena, out, host_loop(c, stm));
}

void device_block(void *state, ImpBlock *block) {
  Chunks *c = state;
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_FOR && stm->for_.parallel) {
      device_loop(c, stm, &out);
      continue;
    }
    imp_each_block(stm, device_block, c);
    list_push(c->arena, &out, stm);
  }
  *block = out;
}
