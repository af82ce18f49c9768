// Sums of floats on a device, with the bits of one core: the same blocks, in each of them the same
// lanes, folded by the same tree. For CHUNKS of a loop that is a strip of `vectors` vectors:
//
//   lanes = vectors DZ_W;  block = as rts/blocks.h says;  blocks = ceil (n / block)
//   kernel t < blocks lanes     lane t mod lanes of block t / lanes: its iterations in full strips
//                               in parts[t], those after the last full strip in rests[t]
//   kernel b < blocks           parts[b ..] folded, in sums[b]: the rest with them or after, as
//                               imp_rest says
//   for b < blocks { r = op (r, sums[b]) }
//
// Other loops have one lane, and no rest: those, too, that call functions, whose statements the
// kernel has instead.  A thread has the arrays that a block allocates in its frame, or as a part of
// one (device_parts.c).  Where there is little to sum, CHUNKS stay, on the host.
#include "local.h"
#include "rts/blocks.h"

enum { MOST_FRAME = 4096, FEW_BLOCKS = 64 };  // bytes; of one lane

typedef struct {
  Chunks c;
  int loops;  // around
} Floats;

// ---- which ------------------------------------------------------------------------------------
// The loop of CHUNKS, after SHARE and allocations; NULL: they have more.
static struct imp_for_ *loop_of(const ImpBlock *body) {
  struct imp_for_ *loop = NULL;
  for (int i = 1; i < body->len; i++) {
    ImpStm *stm = body->at[i];
    if (loop || (stm->form != IMP_STM_FOR && stm->form != IMP_STM_ALLOC)) return NULL;
    if (stm->form == IMP_STM_FOR) loop = &stm->for_;
  }
  return loop;
}

static void find_allocs(void *state, ImpBlock *block) {
  Search *s = state;
  for (int i = 0; i < block->len; i++) {
    if (block->at[i]->form == IMP_STM_ALLOC) list_push(s->c->arena, &s->allocs, block->at[i]);
    imp_each_block(block->at[i], find_allocs, s);
  }
}

// The allocations, and what CHUNKS bind.
static Search search_of(Floats *f, const struct imp_chunks *chunks) {
  Search s = {.c = &f->c, .loop = loop_of(chunks->body), .bound = map_new(f->c.arena)};
  chunks_bind(s.bound, chunks->body);
  map_put(s.bound, chunks->first.id, f);
  find_allocs(&s, chunks->body);
  return s;
}

typedef struct {
  Floats *f;
  const int *inside;  // by memory: mentions in CHUNKS
  ImpVars own;        // arrays of the frame that nothing else mentions
  int64_t bytes;
  bool ok;
} Fit;

static void fit_mem(void *state, ImpVar mem) {
  Fit *t = state;
  const ImpVarInfo *v = &t->f->c.fn->vars.at[mem.id];
  if (!mem.id || !v->is_mem || v->kind != IMP_STACK) return;
  for (int i = 0; i < t->own.len; i++)
    if (t->own.at[i].id == mem.id) return;
  if (t->inside[mem.id] != t->f->c.mentions[mem.id]) return;
  t->bytes += v->count * prim_info[v->prim].bytes;
  list_push(t->f->c.arena, &t->own, mem);
}

// One core's vectors are the outermost loop's, or sum nothing.
static bool sums_in_order(const struct imp_for_ *loop) {
  return !loop->outer_vec || !loop->reds.len;
}

static void fit_block(void *state, ImpBlock *block) {
  Fit *t = state;
  for (int i = 0; i < block->len && t->ok; i++) {
    const ImpStm *stm = block->at[i];
    imp_each_mem(stm, fit_mem, t);
    switch (stm->form) {
    case IMP_STM_LET: case IMP_STM_VAR: case IMP_STM_SET: case IMP_STM_LOAD: case IMP_STM_STORE:
    case IMP_STM_UPDATE: case IMP_STM_SCAN: case IMP_STM_WHILE: case IMP_STM_IF:
    case IMP_STM_TEST: case IMP_STM_COPY: case IMP_STM_ALLOC: case IMP_STM_SWAP: break;
    case IMP_STM_FOR: t->ok = sums_in_order(&stm->for_); break;
    case IMP_STM_CHUNKS: case IMP_STM_SHARE: case IMP_STM_KERNEL: case IMP_STM_PART:
    case IMP_STM_TRANSFER: case IMP_STM_REGION: case IMP_STM_MEMORY_LEFT:
    case IMP_STM_MEMORY_NEED: case IMP_STM_TUNED: case IMP_STM_TRACE:
    case IMP_STM_PROBE: case IMP_STM_PROBE_LOOP: case IMP_STM_CALL: case IMP_STM_FREE:
    case IMP_STM_MOVE: case IMP_STM_RETURN: case IMP_STM_YIELD: case IMP_STM_COUNT:
      t->ok = false;
      break;
    }
    imp_each_block(stm, fit_block, t);
  }
}

static bool fits(Floats *f, const struct imp_chunks *s, ImpVars *own) {
  const struct imp_for_ *loop = loop_of(s->body);
  if (!s->reds.len || s->copies.len || !loop) return false;
  Fit t = {.f = f, .inside = chunks_mentions(&f->c, s->body), .ok = true};
  fit_block(&t, loop->body);
  *own = t.own;
  Search search = search_of(f, s);
  return t.ok && t.bytes <= MOST_FRAME && device_allocs_fit(&search);
}

// ---- building ---------------------------------------------------------------------------------
typedef struct {
  Floats *f;
  struct imp_chunks s;         // a copy for the device
  const struct imp_for_ *loop;  // of the copy
  ImpRest rest;
  const ImpExp *n, *block, *blocks, *lanes, *width;
  ImpVars parts, rests, sums;  // by reduced variable
} Make;

static Arena *arena_of(const Make *m) { return m->f->c.arena; }
static const ImpExp *var(const Make *m, ImpVar v) { return imp_var(arena_of(m), m->f->c.fn, v); }
static const ImpVarInfo *info(const Make *m, ImpVar v) { return &m->f->c.fn->vars.at[v.id]; }
static const ImpExp *number(const Make *m, int64_t i) { return imp_i64(arena_of(m), i); }
static const ImpExp *two(const Make *m, Op op, const ImpExp *a, const ImpExp *b) {
  return imp_op(arena_of(m), op, a->prim, a, b, NULL);
}
static const ImpExp *sum(const Make *m, const ImpExp *a, const ImpExp *b) {
  return imp_add(arena_of(m), a, b);
}
static void push(const Make *m, ImpBlock *to, ImpStm stm) {
  list_push(arena_of(m), to, chunks_make(&m->f->c, stm));
}

static const ImpExp *let(Make *m, ImpBlock *to, const char *base, const ImpExp *value) {
  return chunks_let(&m->f->c, to, chunks_fresh(&m->f->c, base), value);
}

static ImpVar like(const Make *m, ImpVar of, ImpKind kind) {
  return chunks_like(&m->f->c, of, kind);
}

static const ImpExp *load(Make *m, ImpBlock *to, ImpVar mem, const ImpExp *at) {
  ImpVar x = like(m, mem, IMP_LET);
  push(m, to, (ImpStm){.form = IMP_STM_LOAD, .load = {x, mem, at}});
  return var(m, x);
}
static void store(Make *m, ImpBlock *to, ImpVar mem, const ImpExp *at, const ImpExp *value) {
  push(m, to, (ImpStm){.form = IMP_STM_STORE, .store = {mem, at, value}});
}
static void set(Make *m, ImpBlock *to, ImpVar v, const ImpExp *value) {
  push(m, to, (ImpStm){.form = IMP_STM_SET, .set = {v, value}});
}
static const ImpExp *identity(const Make *m, ImpVar red) {
  return imp_const(arena_of(m), op_identity(info(m, red)->red_op, info(m, red)->prim));
}
static const ImpExp *combined(const Make *m, ImpVar red, const ImpExp *a, const ImpExp *b) {
  return imp_op(arena_of(m), info(m, red)->red_op, info(m, red)->prim, a, b, NULL);
}

// for v < bound { body }
static ImpBlock *loop_in(Make *m, ImpBlock *to, const ImpExp *bound, ImpVar *counter) {
  ImpBlock *body = NEW(arena_of(m), ImpBlock);
  *counter = chunks_fresh(&m->f->c, "l");
  m->f->c.fn->vars.at[counter->id].bound = bound;
  push(m, to, (ImpStm){.form = IMP_STM_FOR,
                       .for_ = {.var = *counter, .bound = bound, .body = body}});
  return body;
}

static ImpVar alloc_like(Make *m, ImpBlock *out, ImpVar red, const ImpExp *cells) {
  ImpVar mem = like(m, red, IMP_BLOCK);
  push(m, out, (ImpStm){.form = IMP_STM_ALLOC, .alloc = {mem, cells}});
  return mem;
}

// ---- sizes ------------------------------------------------------------------------------------
static const ImpExp *tuned(Make *m, ImpBlock *out, const char *base, int which) {
  ImpVar v = chunks_fresh(&m->f->c, base);
  push(m, out, (ImpStm){.form = IMP_STM_TUNED, .tuned = {v, which, number(m, 1)}});
  return var(m, v);
}
static const ImpExp *f64_of(const Make *m, const ImpExp *e) {
  return imp_conv(arena_of(m), PRIM_F64, e);
}

// dz_block where not all are in one: at most DZ_BLOCK_MOST and a multiple of the unit, or the unit
static void put_sizes(Make *m, ImpBlock *out, const ImpExp *budget, int unit) {
  const ImpExp *some = two(m, OP_DIV, f64_of(m, budget), m->s.cost);
  const ImpExp *least = two(m, OP_MIN, some, f64_of(m, number(m, DZ_BLOCK_MOST)));
  const ImpExp *most = imp_conv(arena_of(m), PRIM_I64, least);
  const ImpExp *units = two(m, OP_MAX, two(m, OP_DIV, most, number(m, unit)), number(m, 1));
  m->block = let(m, out, "block", imp_mul(arena_of(m), units, number(m, unit)));
  const ImpExp *last = imp_sub(arena_of(m), m->n, number(m, 1));
  m->blocks = let(m, out, "blocks", sum(m, two(m, OP_DIV, last, m->block), number(m, 1)));
  m->width = m->lanes = number(m, 1);
  if (!m->loop->outer_vec) return;
  m->width = tuned(m, out, "width", IMP_TUNED_LANES);
  m->lanes = let(m, out, "lanes",
                 imp_mul(arena_of(m), m->width, number(m, m->loop->outer_vec)));
}

static void put_memory(Make *m, ImpBlock *out) {
  Arena *arena = arena_of(m);
  const ImpExp *all = imp_mul(arena, m->blocks, m->lanes);
  for (int i = 0; i < m->s.reds.len; i++) {
    ImpVar red = m->s.reds.at[i], parts = alloc_like(m, out, red, all);
    list_push(arena, &m->parts, parts);
    if (m->loop->outer_vec) list_push(arena, &m->rests, alloc_like(m, out, red, all));
    if (m->loop->outer_vec) list_push(arena, &m->sums, alloc_like(m, out, red, m->blocks));
    else list_push(arena, &m->sums, parts);
  }
}

// ---- the kernel of lanes ----------------------------------------------------------------------
typedef struct {
  const ImpExp *t, *block, *lane, *count, *full;
  ImpVars own, part;
} Lane;

// part = own, own = identity
static ImpBlock *put_part(Make *m, const Lane *l) {
  ImpBlock *block = NEW(arena_of(m), ImpBlock);
  for (int i = 0; i < l->own.len; i++) {
    set(m, block, l->part.at[i], var(m, l->own.at[i]));
    set(m, block, l->own.at[i], identity(m, m->s.reds.at[i]));
  }
  return block;
}

static void put_if(Make *m, ImpBlock *to, const ImpExp *cond, ImpBlock *then) {
  push(m, to, (ImpStm){.form = IMP_STM_IF, .if_ = {cond, then, NEW(arena_of(m), ImpBlock)}});
}

static Lane put_lane(Make *m, ImpBlock *body, ImpVar t) {
  Arena *arena = arena_of(m);
  Lane l = {.t = var(m, t)};
  l.block = let(m, body, "b", two(m, OP_DIV, l.t, m->lanes));
  l.lane = let(m, body, "lane", imp_sub(arena, l.t, imp_mul(arena, l.block, m->lanes)));
  chunks_let(&m->f->c, body, m->s.first, imp_mul(arena, l.block, m->block));
  ImpVar count = m->s.body->at[0]->share.count;
  const ImpExp *left = imp_sub(arena, m->n, var(m, m->s.first));
  chunks_let(&m->f->c, body, count, two(m, OP_MIN, m->block, left));
  l.count = var(m, count);
  l.full = let(m, body, "full",
               imp_mul(arena, two(m, OP_DIV, l.count, m->lanes), m->lanes));
  for (int i = 0; i < m->s.reds.len; i++) {
    ImpVar red = m->s.reds.at[i], own = like(m, red, IMP_MUT), part = like(m, red, IMP_MUT);
    list_push(arena, &l.own, own);
    list_push(arena, &l.part, part);
    push(m, body, (ImpStm){.form = IMP_STM_VAR, .var = {own, identity(m, red)}});
    if (m->rests.len)
      push(m, body, (ImpStm){.form = IMP_STM_VAR, .var = {part, identity(m, red)}});
    imp_block_rename(arena, m->f->c.fn, m->loop->body, red, own);
  }
  return l;
}

// for q < .. { k = lane + q lanes; body }; the variable by which failures are compared
static ImpVar put_iterations(Make *m, const Lane *l, ImpBlock *to) {
  Arena *arena = arena_of(m);
  ImpVar q, order = chunks_fresh(&m->f->c, "order");
  const ImpExp *beyond = imp_sub(arena, sum(m, l->count, m->lanes), l->lane);
  const ImpExp *rounds = two(m, OP_DIV, imp_sub(arena, beyond, number(m, 1)), m->lanes);
  ImpBlock *body = loop_in(m, to, rounds, &q);
  chunks_let(&m->f->c, body, m->loop->var, sum(m, l->lane, imp_mul(arena, var(m, q), m->lanes)));
  m->f->c.fn->vars.at[order.id].loc = info(m, m->loop->var)->loc;
  chunks_let(&m->f->c, body, order, sum(m, var(m, m->s.first), var(m, m->loop->var)));
  if (m->rests.len)
    put_if(m, body, two(m, OP_LE, l->full, var(m, m->loop->var)), put_part(m, l));
  for (int i = 0; i < m->loop->body->len; i++) list_push(arena, body, m->loop->body->at[i]);
  return order;
}

// Memory of the threads for each of `all`, in front of the kernel and at its begin; how many there
// are.
static const ImpExp *put_arrays(Make *m, const ImpExp *all, ImpBlock *out, ImpBlock *body) {
  Search s = search_of(m->f, &m->s);
  device_frame_blocks(&s);
  device_drop_allocs(&m->f->c, m->s.body);
  if (!s.allocs.len) return all;
  const ImpExp *threads = let(m, out, "threads", device_part_threads(&s, all));
  device_parts(&s, threads, out);
  for (int i = 1; i < m->s.body->len; i++)
    if (m->s.body->at[i]->form == IMP_STM_PART) list_push(arena_of(m), body, m->s.body->at[i]);
  return threads;
}

static void put_lanes_kernel(Make *m, ImpBlock *out) {
  ImpBlock *body = NEW(arena_of(m), ImpBlock);
  ImpVar t = chunks_fresh(&m->f->c, "t");
  const ImpExp *all = let(m, out, "all", imp_mul(arena_of(m), m->blocks, m->lanes));
  const ImpExp *threads = put_arrays(m, all, out, body);
  m->f->c.fn->vars.at[t.id].bound = all;
  Lane l = put_lane(m, body, t);
  ImpVar order = put_iterations(m, &l, body);
  const ImpExp *no_rest = two(m, OP_LE, l.count, sum(m, l.full, l.lane));
  if (m->rests.len) put_if(m, body, no_rest, put_part(m, &l));
  for (int i = 0; i < m->parts.len; i++) {
    bool rests = m->rests.len > 0;
    store(m, body, m->parts.at[i], l.t, var(m, rests ? l.part.at[i] : l.own.at[i]));
    if (rests) store(m, body, m->rests.at[i], l.t, var(m, l.own.at[i]));
  }
  push(m, out, (ImpStm){.form = IMP_STM_KERNEL,
                        .kernel = {t, all, threads, order, false, body}});
}

// ---- the kernel that folds the lanes of a block -----------------------------------------------
// Of the rest, what vector code has added to the lanes: all, whole vectors, nothing; l mod *width.
static const ImpExp *in_vectors(Make *m, const ImpExp *rest, const ImpExp **width) {
  *width = m->f->loops ? m->width : m->lanes;
  switch (m->rest) {
  case REST_SCALAR: return number(m, 0);
  case REST_PART: return rest;
  case REST_VECTORS: break;
  }
  return imp_mul(arena_of(m), two(m, OP_DIV, rest, m->width), m->width);
}

// parts[to] = op (parts[to], from[at])
static void put_fold(Make *m, ImpBlock *body, int i, const ImpExp *to, const ImpExp *value) {
  ImpVar parts = m->parts.at[i];
  const ImpExp *before = load(m, body, parts, to);
  store(m, body, parts, to, combined(m, m->s.reds.at[i], before, value));
}

// parts[base + l] with parts[base + distance + l], for l < count
static void put_halves(Make *m, ImpBlock *to, int i, const ImpExp *base, const ImpExp *distance) {
  ImpVar l;
  ImpBlock *body = loop_in(m, to, m->width, &l);
  const ImpExp *at = sum(m, base, var(m, l));
  put_fold(m, body, i, at, load(m, body, m->parts.at[i], sum(m, at, distance)));
}

// All vectors in the first, as ((v0 op v1) op (v2 op v3)).
static void put_vectors(Make *m, ImpBlock *body, int i, const ImpExp *base) {
  Arena *arena = arena_of(m);
  int64_t vectors = m->loop->outer_vec;
  for (int64_t d = 1; d < vectors; d *= 2)
    for (int64_t v = 0; v < vectors; v += 2 * d)
      put_halves(m, body, i, sum(m, base, imp_mul(arena, m->width, number(m, v))),
                 imp_mul(arena, m->width, number(m, d)));
}

// The first vector's halves, until one element is left.
static void put_tree(Make *m, ImpBlock *to, int i, const ImpExp *base) {
  Arena *arena = arena_of(m);
  ImpVar half = chunks_fresh(&m->f->c, "half"), l;
  m->f->c.fn->vars.at[half.id].kind = IMP_MUT;
  const ImpExp *h = var(m, half);
  push(m, to, (ImpStm){.form = IMP_STM_VAR, .var = {half, two(m, OP_DIV, m->width, number(m, 2))}});
  ImpBlock *head = NEW(arena, ImpBlock), *body = NEW(arena, ImpBlock);
  push(m, to, (ImpStm){.form = IMP_STM_WHILE,
                       .while_ = {head, two(m, OP_LT, number(m, 0), h), body}});
  ImpBlock *inner = loop_in(m, body, h, &l);
  const ImpExp *at = sum(m, base, var(m, l));
  put_fold(m, inner, i, at, load(m, inner, m->parts.at[i], sum(m, at, h)));
  set(m, body, half, two(m, OP_DIV, h, number(m, 2)));
}

// parts[base + l mod width] with rests[base + l], l < count
static void put_rest_vectors(Make *m, ImpBlock *to, int i, const ImpExp *base, const ImpExp *rest) {
  const ImpExp *width, *count = in_vectors(m, rest, &width);
  ImpVar l;
  if (imp_is_int(count, 0)) return;
  ImpBlock *body = loop_in(m, to, count, &l);
  const ImpExp *lane = two(m, OP_REM, var(m, l), width);
  put_fold(m, body, i, sum(m, base, lane),
           load(m, body, m->rests.at[i], sum(m, base, var(m, l))));
}

// All of a block: what scalar code adds after the vectors, too.
static ImpVar put_rest_scalars(Make *m, ImpBlock *to, int i, const ImpExp *base,
                               const ImpExp *rest) {
  const ImpExp *width, *before = in_vectors(m, rest, &width);
  ImpVar l, red = m->s.reds.at[i], r = like(m, red, IMP_MUT);
  const ImpExp *all = load(m, to, m->parts.at[i], base);
  push(m, to, (ImpStm){.form = IMP_STM_VAR, .var = {r, combined(m, red, identity(m, red), all)}});
  if (m->rest == REST_PART) return r;
  ImpBlock *body = loop_in(m, to, imp_sub(arena_of(m), rest, before), &l);
  const ImpExp *at = sum(m, sum(m, base, before), var(m, l));
  set(m, body, r, combined(m, red, var(m, r), load(m, body, m->rests.at[i], at)));
  return r;
}

static void put_fold_kernel(Make *m, ImpBlock *out) {
  Arena *arena = arena_of(m);
  ImpBlock *body = NEW(arena, ImpBlock);
  ImpVar b = chunks_fresh(&m->f->c, "b");
  m->f->c.fn->vars.at[b.id].bound = m->blocks;
  m->f->c.fn->vars.at[b.id].loc = info(m, m->loop->var)->loc;
  const ImpExp *base = let(m, body, "base", imp_mul(arena, var(m, b), m->lanes));
  const ImpExp *left = imp_sub(arena, m->n, imp_mul(arena, var(m, b), m->block));
  const ImpExp *count = let(m, body, "count", two(m, OP_MIN, m->block, left));
  const ImpExp *rest = let(m, body, "rest", two(m, OP_REM, count, m->lanes));
  for (int i = 0; i < m->parts.len; i++) {
    put_rest_vectors(m, body, i, base, rest);
    put_vectors(m, body, i, base);
    put_tree(m, body, i, base);
    ImpVar r = put_rest_scalars(m, body, i, base, rest);
    store(m, body, m->sums.at[i], var(m, b), var(m, r));
  }
  push(m, out, (ImpStm){.form = IMP_STM_KERNEL,
                        .kernel = {b, m->blocks, m->blocks, b, false, body}});
}

static void put_sums(Make *m, ImpBlock *out) {
  ImpVar b;
  ImpBlock *body = loop_in(m, out, m->blocks, &b);
  for (int i = 0; i < m->sums.len; i++) {
    ImpVar red = m->s.reds.at[i];
    set(m, body, red, combined(m, red, var(m, red), load(m, body, m->sums.at[i], var(m, b))));
  }
}

// ---- the pass ---------------------------------------------------------------------------------
// A copy whose arrays in the frame are its own.
static struct imp_chunks copy_of(Floats *f, const ImpStm *stm, const ImpVars *own) {
  struct imp_chunks s = imp_stm_clone(f->c.arena, f->c.fn, stm)->chunks;
  for (int i = 0; i < own->len; i++) {
    ImpVar to = {(uint32_t)f->c.fn->vars.len};
    ImpVarInfo v = f->c.fn->vars.at[own->at[i].id];
    list_push(f->c.arena, &f->c.fn->vars, v);
    imp_block_rename(f->c.arena, f->c.fn, s.body, own->at[i], to);
  }
  return s;
}

static void say_kernel(Floats *f, const struct imp_for_ *loop) {
  const Loc *loc = f->c.fn->vars.at[loop->var.id].loc;
  for (int i = 0; i < f->c.prog->parallels.len; i++) {
    ImpParallel *p = &f->c.prog->parallels.at[i];
    if (p->loc != loc || p->runs) continue;
    *p = (ImpParallel){loc, "as kernels, in the order of one core", true};
    return;
  }
}

static ImpRest rest_of(const Floats *f, const struct imp_for_ *loop) {
  const ImpLanes *lanes = imp_strip_lanes(f->c.arena, f->c.fn, loop);
  ImpLook look = imp_look(f->c.arena, lanes, loop->body);
  return imp_rest(&look, (int)loop->outer_vec, f->loops > 0);
}

// `device` is the same as stm without calls.
static void put_either(Floats *f, ImpStm *stm, const ImpStm *device, const ImpVars *own,
                       ImpBlock *out) {
  struct imp_for_ loop = *loop_of(stm->chunks.body);
  ImpBlock *then = NEW(f->c.arena, ImpBlock), *other = NEW(f->c.arena, ImpBlock);
  Make m = {.f = f, .s = copy_of(f, device, own), .n = stm->chunks.bound};
  m.loop = loop_of(m.s.body);
  if (loop.outer_vec) m.rest = rest_of(f, &loop);
  const ImpExp *budget = tuned(&m, out, "budget", IMP_TUNED_BLOCK);
  const ImpExp *work = two(&m, OP_MUL, f64_of(&m, m.n), m.s.cost);
  const ImpExp *least = f64_of(&m, imp_mul(f->c.arena, budget,
                                           number(&m, loop.outer_vec ? 1 : FEW_BLOCKS)));
  put_sizes(&m, then, budget, imp_block_unit(stm->chunks.body));
  put_memory(&m, then);
  put_lanes_kernel(&m, then);
  if (loop.outer_vec) put_fold_kernel(&m, then);
  put_sums(&m, then);
  list_push(f->c.arena, other, stm);
  push(&m, out, (ImpStm){.form = IMP_STM_IF,
                         .if_ = {two(&m, OP_LT, least, work), then, other}});
  say_kernel(f, &loop);
}

// The statement at `at` as a device can run it; NULL: it cannot.
static ImpStm *for_device(Floats *f, ImpStm **at, ImpVars *own) {
  ImpStm *stm = *at, *device = stm;
  const int variables = f->c.fn->vars.len;
  if (stm->form != IMP_STM_CHUNKS || !stm->chunks.reds.len) return NULL;
  if (device_calls(stm->chunks.body)) {
    if (!(device = device_without_calls(&f->c, stm))) return NULL;
    *at = device;
    f->c.mentions = chunks_mentions(&f->c, f->c.fn->body);
    *at = stm;
  }
  if (fits(f, &device->chunks, own)) return device;
  f->c.fn->vars.len = variables;
  return NULL;
}

static void floats_block(void *state, ImpBlock *block) {
  Floats *f = state;
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++) {
    ImpVars own = {0};
    ImpStm *stm = block->at[i], *device = for_device(f, &block->at[i], &own);
    if (device) {
      put_either(f, stm, device, &own, &out);
      continue;
    }
    bool loop = stm->form == IMP_STM_FOR || stm->form == IMP_STM_WHILE;
    f->loops += loop;
    if (stm->form != IMP_STM_CHUNKS && stm->form != IMP_STM_KERNEL)
      imp_each_block(stm, floats_block, f);
    f->loops -= loop;
    list_push(f->c.arena, &out, stm);
  }
  *block = out;
}

void imp_pass_device_sums(ImpProg *prog, ImpFn *fn) {
  if (!prog->core || !prog_on_device(prog->core)) return;
  Floats f = {.c = {.arena = prog->arena, .prog = prog, .fn = fn}};
  f.c.mentions = chunks_mentions(&f.c, fn->body);
  floats_block(&f, fn->body);
}
