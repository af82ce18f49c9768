// Sums of a device's threads, by operators on integers and booleans, which give the same bits in
// any order, or floats, with bits that follow from sizes alone:
//
//   for i < n reds (r) { body }
//     =  threads = min (n, ..)
//        kernel t < threads { own = identity
//                             for k < (n - 1 - t) / threads + 1 {
//                               i = t + k threads; body, with own for r }
//                             parts[t] = own }
//        for t < threads { r = op (r, parts[t]) }
//
// Neighbouring threads read neighbouring elements.  To places that data decide, each thread adds
// in a separate copy; another kernel, with a thread for each place, folds the copies.
// The copies of a place lie together.  Floats are summed so where iterations add in copies, too; in
// other loops by device_floats.c, in the order of one core.
#include "local.h"

bool device_adds_exactly(const Chunks *c, ImpVar v) {
  Prim p = c->fn->vars.at[v.id].prim;
  return prim_is_int(p) || p == PRIM_BOOL;
}

bool device_copies(const Chunks *c, ImpVar v) { return c->fn->vars.at[v.id].prim != PRIM_F16; }

bool device_sums(const Chunks *c, const struct imp_for_ *loop, bool copies) {
  for (int i = 0; i < loop->reds.len; i++) {
    const ImpVar red = loop->reds.at[i];
    if (!device_adds_exactly(c, red) && !(copies && device_copies(c, red))) return false;
  }
  return true;
}

typedef struct {
  Chunks *c;
  const struct imp_for_ *loop;
  const ImpExp *threads;
} Sum;

static void push(const Sum *s, ImpBlock *to, ImpStm stm) {
  list_push(s->c->arena, to, chunks_make(s->c, stm));
}
static const ImpExp *var(const Sum *s, ImpVar v) { return imp_var(s->c->arena, s->c->fn, v); }
static const ImpVarInfo *info(const Sum *s, ImpVar v) { return &s->c->fn->vars.at[v.id]; }

// for k < (n - 1 - t) / threads + 1 { i = t + k threads; body }
static ImpStm fold_loop(const Sum *s, ImpVar t) {
  Arena *arena = s->c->arena;
  ImpVar k = chunks_fresh(s->c, "k"), i = s->loop->var;
  const ImpExp *last = imp_sub(arena, imp_sub(arena, s->loop->bound, imp_i64(arena, 1)), var(s, t));
  const ImpExp *rounds = imp_op(arena, OP_DIV, PRIM_I64, last, s->threads, NULL);
  const ImpExp *count = imp_add(arena, rounds, imp_i64(arena, 1));
  const ImpExp *at = imp_add(arena, var(s, t), imp_mul(arena, var(s, k), s->threads));
  s->c->fn->vars.at[k.id].bound = count;
  ImpBlock *body = NEW(arena, ImpBlock);
  chunks_let(s->c, body, i, at);
  for (int m = 0; m < s->loop->body->len; m++) list_push(arena, body, s->loop->body->at[m]);
  return (ImpStm){.form = IMP_STM_FOR, .for_ = {.var = k, .bound = count, .body = body}};
}

// r = op (r, parts[t]) for all t, after the kernel
static void put_combined(const Sum *s, ImpVar red, ImpVar parts, ImpBlock *after) {
  Arena *arena = s->c->arena;
  ImpVar t = chunks_fresh(s->c, "t"), x = chunks_like(s->c, red, IMP_LET);
  ImpBlock *body = NEW(arena, ImpBlock);
  const ImpExp *sum = imp_op(arena, info(s, red)->red_op, info(s, red)->prim, var(s, red),
                             var(s, x), NULL);
  s->c->fn->vars.at[t.id].bound = s->threads;
  push(s, body, (ImpStm){.form = IMP_STM_LOAD, .load = {x, parts, var(s, t)}});
  push(s, body, (ImpStm){.form = IMP_STM_SET, .set = {red, sum}});
  push(s, after, (ImpStm){.form = IMP_STM_FOR,
                          .for_ = {.var = t, .bound = s->threads, .body = body}});
}

// ---- copies of what iterations add to ---------------------------------------------------------
typedef struct {
  const Sum *s;
  const Updated *of;
  ImpVar copy;
  const ImpExp *thread, *cells;
} Copy;

// Of a place in the copy of thread t.
static const ImpExp *copy_at(const Copy *c, const ImpExp *place, const ImpExp *t) {
  Arena *arena = c->s->c->arena;
  return imp_add(arena, imp_mul(arena, place, c->s->threads), t);
}

static void rename_updates(void *state, ImpBlock *block) {
  const Copy *c = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    imp_each_block(stm, rename_updates, state);
    if (stm->form != IMP_STM_UPDATE || stm->update.mem.id != c->of->mem.id) continue;
    stm->update.mem = c->copy;
    stm->update.at = copy_at(c, stm->update.at, c->thread);
  }
}

// for q < cells { copy[q threads + t] = identity }
static void put_empty(const Copy *c, ImpBlock *body) {
  const Sum *s = c->s;
  ImpVar q = chunks_fresh(s->c, "q");
  ImpBlock *inner = NEW(s->c->arena, ImpBlock);
  Scalar identity = op_identity(c->of->op, info(s, c->copy)->prim);
  const ImpExp *at = copy_at(c, var(s, q), c->thread);
  s->c->fn->vars.at[q.id].bound = c->cells;
  push(s, inner, (ImpStm){.form = IMP_STM_STORE,
                          .store = {c->copy, at, imp_const(s->c->arena, identity)}});
  push(s, body, (ImpStm){.form = IMP_STM_FOR,
                         .for_ = {.var = q, .bound = c->cells, .body = inner}});
}

// kernel q < cells { for t < threads { sum[q] = op (sum[q], copy[q threads + t]) } }
static void put_folded(const Copy *c, ImpBlock *after) {
  const Sum *s = c->s;
  Arena *arena = s->c->arena;
  ImpVar q = chunks_fresh(s->c, "q"), t = chunks_fresh(s->c, "t");
  ImpVar x = chunks_like(s->c, c->copy, IMP_LET);
  ImpBlock *body = NEW(arena, ImpBlock), *inner = NEW(arena, ImpBlock);
  const ImpExp *at = copy_at(c, var(s, q), var(s, t));
  s->c->fn->vars.at[q.id].bound = c->cells;
  s->c->fn->vars.at[q.id].loc = info(s, s->loop->var)->loc;
  s->c->fn->vars.at[t.id].bound = s->threads;
  push(s, inner, (ImpStm){.form = IMP_STM_LOAD, .load = {x, c->copy, at}});
  push(s, inner, (ImpStm){.form = IMP_STM_UPDATE,
                          .update = {c->of->mem, var(s, q), c->of->op, var(s, x), false}});
  push(s, body, (ImpStm){.form = IMP_STM_FOR,
                         .for_ = {.var = t, .bound = s->threads, .body = inner}});
  push(s, after, (ImpStm){.form = IMP_STM_KERNEL,
                          .kernel = {q, c->cells, c->cells, q, false, body}});
}

static void put_copy(const Sum *s, const Updated *of, ImpVar t, ImpBlock *blocks[3]) {
  Arena *arena = s->c->arena;
  const ImpExp *cells = info(s, of->mem)->cells;
  Copy c = {s, of, chunks_like(s->c, of->mem, IMP_BLOCK), var(s, t), cells};
  const ImpExp *all = imp_mul(arena, s->threads, cells);
  push(s, blocks[0], (ImpStm){.form = IMP_STM_ALLOC, .alloc = {c.copy, all}});
  rename_updates(&c, s->loop->body);
  put_empty(&c, blocks[1]);
  put_folded(&c, blocks[2]);
}

void device_sum(const Search *from, const struct imp_for_ *loop, const ImpExp *threads,
                ImpBlock *out) {
  Chunks *c = from->c;
  Sum s = {c, loop, threads};
  ImpVar t = chunks_fresh(c, "t");
  ImpBlock *body = NEW(c->arena, ImpBlock), ends = {0}, after = {0};
  c->fn->vars.at[t.id].bound = threads;
  for (int i = 0; i < loop->reds.len; i++) {
    ImpVar red = loop->reds.at[i], own = chunks_like(c, red, IMP_MUT);
    ImpVar parts = chunks_like(c, red, IMP_BLOCK);
    Scalar identity = op_identity(info(&s, red)->red_op, info(&s, red)->prim);
    push(&s, out, (ImpStm){.form = IMP_STM_ALLOC, .alloc = {parts, threads}});
    push(&s, body, (ImpStm){.form = IMP_STM_VAR, .var = {own, imp_const(c->arena, identity)}});
    push(&s, &ends, (ImpStm){.form = IMP_STM_STORE, .store = {parts, var(&s, t), var(&s, own)}});
    put_combined(&s, red, parts, &after);
    imp_block_rename(c->arena, c->fn, loop->body, red, own);
  }
  ImpBlock *blocks[3] = {out, body, &after};
  for (int i = 0; i < from->shared.len; i++) put_copy(&s, from->shared.at[i], t, blocks);
  push(&s, body, fold_loop(&s, t));
  for (int i = 0; i < ends.len; i++) list_push(c->arena, body, ends.at[i]);
  push(&s, out, (ImpStm){.form = IMP_STM_KERNEL,
                         .kernel = {t, threads, threads, loop->var, false, body}});
  for (int i = 0; i < after.len; i++) list_push(c->arena, out, after.at[i]);
}
