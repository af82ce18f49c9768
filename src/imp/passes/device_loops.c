// Outermost parallel loops of programs for a device: kernels, where chunks.c finds no bar and the
// size of memory is known in front of the loop.
//
//   for i < n { body }             kernel i < n { body }
//   for i < n reds (r) { body }    device_sums.c
//   for i < n { alloc a; .. }      a in the thread's frame, or in its part of a block
//
// The other loops run on the host, in the blocks in which they run on one core.
#include "local.h"

bool device_is_outside(const Search *s, ImpVar v) {
  return !map_get(s->bound, v.id) && v.id != s->loop->var.id;
}
// e over variables from outside the loop; NULL: it depends on the iteration.
static const ImpExp *exactly(const Search *s, const ImpExp *e, int depth) {
  if (e->kind == IMP_CONST) return e;
  if (e->kind == IMP_VAR) {
    const ImpVarInfo *v = &s->c->fn->vars.at[e->var.id];
    if (device_is_outside(s, e->var)) return v->kind == IMP_MUT ? NULL : e;
    return v->def && depth < 6 ? exactly(s, v->def, depth + 1) : NULL;
  }
  ImpExp *copy = arena_copy(s->c->arena, e, sizeof *e);
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!(copy->args[i] = exactly(s, e->args[i], depth))) return NULL;
  return copy;
}

// The size e, or, where it is the least of two of which one depends on the iteration, the other.
static const ImpExp *outside(const Search *s, const ImpExp *e, int depth) {
  const ImpExp *same = exactly(s, e, depth);
  if (same || depth > 6) return same;
  const ImpExp *def = e->kind == IMP_VAR ? s->c->fn->vars.at[e->var.id].def : NULL;
  if (def) return outside(s, def, depth + 1);
  if (e->kind != IMP_OP || e->op != OP_MIN) return NULL;
  const ImpExp *one = outside(s, e->args[0], depth + 1);
  return one ? one : outside(s, e->args[1], depth + 1);
}

// Memory of a thread's own: so many bytes in its frame, more of it in a part of what is allocated
// for all threads: so many elements in all, or PART_THREADS threads.
enum { FRAME_BYTES = 1024, PART_CELLS = 1 << 24, PART_THREADS = 256, SUM_THREADS = 8192 };

static void find_swaps(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    if (block->at[i]->form == IMP_STM_SWAP) *(bool *)state = true;
    imp_each_block(block->at[i], find_swaps, state);
  }
}

static bool stays_in_frame(const Chunks *c, const struct imp_alloc *a, const ImpExp *cells) {
  int bytes = prim_info[c->fn->vars.at[a->mem.id].prim].bytes;
  return cells->kind == IMP_CONST && cells->value.i >= 0 && cells->value.i <= FRAME_BYTES / bytes;
}

// The memory that a block of a kernel has its part of, allocated in front of it.
typedef struct {
  ImpVar of;
  const ImpExp *cells;
} Parts;

static Parts *parts_of(Search *s, Map *parts, ImpVar mem) {
  Parts *p = map_get(parts, mem.id);
  if (p) return p;
  p = NEW(s->c->arena, Parts);
  *p = (Parts){chunks_like(s->c, mem, IMP_BLOCK), imp_i64(s->c->arena, 0)};
  map_put(parts, mem.id, p);
  return p;
}

// ALLOC becomes PART; `before`: the allocations.
static void put_parts(Search *s, const ImpExp *threads, ImpBlock *before) {
  Arena *arena = s->c->arena;
  Map *parts = map_new(arena);
  for (int i = 0; i < s->allocs.len; i++) {
    struct imp_alloc a = s->allocs.at[i]->alloc;
    const ImpExp *cells = outside(s, a.count, 0);
    Parts *p = parts_of(s, parts, a.mem);
    p->cells = imp_op(arena, OP_MAX, PRIM_I64, p->cells, cells, NULL);
  }
  for (int i = 0; i < s->allocs.len; i++) {
    ImpVar mem = s->allocs.at[i]->alloc.mem;
    Parts *p = map_get(parts, mem.id);
    s->c->fn->vars.at[mem.id].moved = true;
    *s->allocs.at[i] = (ImpStm){.form = IMP_STM_PART, .part = {mem, p->of, p->cells}};
  }
  for (int i = 0; i < map_len(parts); i++) {
    Parts *p = map_value_at(parts, i);
    const ImpExp *all = imp_mul(arena, p->cells, threads);
    ImpStm alloc = {.form = IMP_STM_ALLOC, .alloc = {p->of, all}};
    list_push(arena, before, chunks_make(s->c, alloc));
  }
}

// Small blocks of constant size need no part: the pass stack-blocks moves them to the frame.
static void leave_frame_blocks(Search *s) {
  bool swaps = false;
  find_swaps(&swaps, s->loop->body);
  int kept = 0;
  for (int i = 0; i < s->allocs.len; i++) {
    ImpStm *stm = s->allocs.at[i];
    const ImpExp *cells = outside(s, stm->alloc.count, 0);
    ImpVarInfo *v = &s->c->fn->vars.at[stm->alloc.mem.id];
    if (swaps || !cells || !stays_in_frame(s->c, &stm->alloc, cells)) {
      s->allocs.at[kept++] = stm;
      continue;
    }
    v->kind = IMP_STACK;
    v->count = v->count > cells->value.i ? v->count : cells->value.i;
  }
  s->allocs.len = kept;
}

static void drop_frame_allocs(void *state, ImpBlock *block) {
  const Chunks *c = state;
  int kept = 0;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    imp_each_block(stm, drop_frame_allocs, state);
    bool drop = stm->form == IMP_STM_ALLOC && c->fn->vars.at[stm->alloc.mem.id].kind == IMP_STACK;
    if (!drop) block->at[kept++] = stm;
  }
  block->len = kept;
}

static void bar_allocs(Search *s) {
  for (int i = 0; i < s->allocs.len; i++) {
    const struct imp_alloc *a = &s->allocs.at[i]->alloc;
    bar_if(s, !outside(s, a->count, 0) || s->c->fn->vars.at[a->mem.id].moved, BAR_ALLOCS);
  }
}

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

// So many that copies of that for each thread are no more work than the loop.
static const ImpExp *copies_of(const Search *s) {
  return imp_op(s->c->arena, OP_DIV, PRIM_I64, s->loop->bound, shared_cells(s), NULL);
}

// So many threads that their parts have PART_CELLS elements, but not less than PART_THREADS, and a
// multiple of it, unless each iteration has its thread (c_kernel_part counts on that).
static const ImpExp *part_threads(const Search *s) {
  Arena *arena = s->c->arena;
  const ImpExp *cells = imp_i64(arena, 1);
  for (int i = 0; i < s->allocs.len; i++) {
    const ImpExp *of = outside(s, s->allocs.at[i]->alloc.count, 0);
    cells = imp_add(arena, cells, imp_op(arena, OP_MAX, PRIM_I64, of, imp_i64(arena, 0), NULL));
  }
  const ImpExp *all = imp_i64(arena, PART_CELLS / PART_THREADS);
  const ImpExp *many = imp_op(arena, OP_DIV, PRIM_I64, all, cells, NULL);
  many = imp_op(arena, OP_MAX, PRIM_I64, many, imp_i64(arena, 1), NULL);
  many = imp_mul(arena, many, imp_i64(arena, PART_THREADS));
  return imp_op(arena, OP_MIN, PRIM_I64, s->loop->bound, many, NULL);
}

// A thread for each iteration, or, where the loop sums up or needs room, fewer.
static const ImpExp *threads_of(const Search *s, ImpBlock *out) {
  Chunks *c = s->c;
  const struct imp_for_ *loop = s->loop;
  bool parts = s->allocs.len > 0, sums = loop->reds.len || s->shared.len;
  if (!parts && !sums) return loop->bound;
  const ImpExp *most = s->shared.len ? at_most(c, copies_of(s), PART_THREADS)
                       : parts ? part_threads(s) : loop->bound;
  if (sums && !s->shared.len) most = at_most(c, most, SUM_THREADS);
  if (most->kind == IMP_CONST) return most;
  return chunks_let(c, out, chunks_fresh(c, "threads"), most);
}

static void put_kernel(Chunks *c, ImpStm *stm, Search *s, ImpBlock *out) {
  struct imp_for_ loop = stm->for_;
  device_grid(s, &loop, out);
  s->loop = &loop;
  device_make_atomic(s);
  leave_frame_blocks(s);
  drop_frame_allocs(c, loop.body);
  const ImpExp *threads = threads_of(s, out);
  if (s->allocs.len) put_parts(s, threads, out);
  c->fn->vars.at[loop.var.id].bound = loop.bound;
  if (loop.reds.len || s->shared.len) {
    device_sum(s, &loop, threads, out);
    return;
  }
  ImpStm kernel = {.form = IMP_STM_KERNEL,
                   .kernel = {loop.var, loop.bound, threads, loop.var, loop.body}};
  list_push(c->arena, out, chunks_make(c, kernel));
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

static void search_loop(Chunks *c, const struct imp_for_ *loop, Search *s) {
  chunks_bar(c, loop, s);
  if (s->bar == BAR_NONE) bar_allocs(s);
  bar_if(s, s->shared.len && s->allocs.len, BAR_PLACES);
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
