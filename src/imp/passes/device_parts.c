// Memory of a thread's own in a kernel: in its frame, or a part of a block that is allocated in
// front of the kernel, whose size has to be known there.
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

static const ImpExp *choice(const Search *s, const ImpExp *e, int depth);

// The size e; where that depends on the iteration: of the least of two the one that does not, of a
// choice the greatest.
static const ImpExp *outside(const Search *s, const ImpExp *e, int depth) {
  const ImpExp *same = exactly(s, e, depth);
  if (same || depth > 6) return same;
  const ImpExp *def = e->kind == IMP_VAR ? s->c->fn->vars.at[e->var.id].def : NULL;
  if (def) return outside(s, def, depth + 1);
  if (e->kind == IMP_OP && e->op == OP_SELECT) return choice(s, e, depth + 1);
  if (e->kind != IMP_OP || e->op != OP_MIN) return NULL;
  const ImpExp *one = outside(s, e->args[0], depth + 1);
  return one ? one : outside(s, e->args[1], depth + 1);
}
static const ImpExp *choice(const Search *s, const ImpExp *e, int depth) {
  const ImpExp *a = outside(s, e->args[1], depth), *b = outside(s, e->args[2], depth);
  return a && b ? imp_op(s->c->arena, OP_MAX, PRIM_I64, a, b, NULL) : NULL;
}
const ImpExp *device_size(const Search *s, const ImpExp *e) { return outside(s, e, 0); }
const ImpExp *device_outside(const Search *s, const ImpExp *e) { return exactly(s, e, 0); }

bool device_allocs_fit(const Search *s) {
  for (int i = 0; i < s->allocs.len; i++) {
    const struct imp_alloc *a = &s->allocs.at[i]->alloc;
    if (!device_size(s, a->count) || s->c->fn->vars.at[a->mem.id].moved) return false;
  }
  return true;
}

enum { FRAME_BYTES = 1024 };  // of an array in a thread's frame

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
void device_parts(Search *s, const ImpExp *threads, ImpBlock *before) {
  Arena *arena = s->c->arena;
  Map *parts = map_new(arena);
  for (int i = 0; i < s->allocs.len; i++) {
    struct imp_alloc a = s->allocs.at[i]->alloc;
    const ImpExp *cells = device_size(s, a.count);
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
void device_frame_blocks(Search *s) {
  bool swaps = false;
  find_swaps(&swaps, s->loop->body);
  int kept = 0;
  for (int i = 0; i < s->allocs.len; i++) {
    ImpStm *stm = s->allocs.at[i];
    const ImpExp *cells = device_size(s, stm->alloc.count);
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

void device_drop_allocs(void *chunks, ImpBlock *block) {
  const Chunks *c = chunks;
  int kept = 0;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    imp_each_block(stm, device_drop_allocs, chunks);
    bool drop = stm->form == IMP_STM_ALLOC && c->fn->vars.at[stm->alloc.mem.id].kind == IMP_STACK;
    if (!drop) block->at[kept++] = stm;
  }
  block->len = kept;
}

// So many threads that their parts have PART_CELLS elements, but not less than PART_THREADS, and a
// multiple of it, unless each iteration has its thread (c_kernel_part counts on that).
const ImpExp *device_part_threads(const Search *s, const ImpExp *bound) {
  Arena *arena = s->c->arena;
  const ImpExp *cells = imp_i64(arena, 1);
  for (int i = 0; i < s->allocs.len; i++) {
    const ImpExp *of = device_size(s, s->allocs.at[i]->alloc.count);
    cells = imp_add(arena, cells, imp_op(arena, OP_MAX, PRIM_I64, of, imp_i64(arena, 0), NULL));
  }
  const ImpExp *all = imp_i64(arena, PART_CELLS / PART_THREADS);
  const ImpExp *many = imp_op(arena, OP_DIV, PRIM_I64, all, cells, NULL);
  many = imp_op(arena, OP_MAX, PRIM_I64, many, imp_i64(arena, 1), NULL);
  many = imp_mul(arena, many, imp_i64(arena, PART_THREADS));
  return imp_op(arena, OP_MIN, PRIM_I64, bound, many, NULL);
}
