// Sums of a device's threads, by operators on integers and booleans, which give the same bits in
// any order:
//
//   for i < n reds (r) { body }
//     =  threads = min (n, ..)
//        kernel t < threads { own = identity
//                             for k < (n - 1 - t) / threads + 1 {
//                               i = t + k threads; body, with own for r }
//                             parts[t] = own }
//        for t < threads { r = op (r, parts[t]) }
//
// Neighbouring threads read neighbouring elements.
#include "local.h"

static bool is_exact(const ImpVarInfo *v) {
  return prim_is_int(v->prim) || v->prim == PRIM_BOOL;
}

bool device_sums_exactly(const Chunks *c, const struct imp_for_ *loop) {
  for (int i = 0; i < loop->reds.len; i++)
    if (!is_exact(&c->fn->vars.at[loop->reds.at[i].id])) return false;
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

static ImpVar like(const Sum *s, ImpVar red, ImpKind kind, bool is_mem) {
  ImpVar v = {(uint32_t)s->c->fn->vars.len};
  ImpVarInfo of = *info(s, red);
  ImpVarInfo made = {.base = of.base, .kind = kind, .prim = of.prim, .is_mem = is_mem,
                     .red_op = is_mem ? 0 : of.red_op, .moved = is_mem};
  list_push(s->c->arena, &s->c->fn->vars, made);
  return v;
}

// for k < (n - 1 - t) / threads + 1 { i = t + k threads; body }
static ImpStm fold_loop(const Sum *s, ImpVar t) {
  Arena *arena = s->c->arena;
  ImpVar k = chunks_fresh(s->c, "k"), i = s->loop->var;
  const ImpExp *last = imp_sub(arena, imp_sub(arena, s->loop->bound, imp_i64(arena, 1)), var(s, t));
  const ImpExp *rounds = imp_op(arena, OP_DIV, PRIM_I64, last, s->threads, NULL);
  const ImpExp *count = imp_add(arena, rounds, imp_i64(arena, 1));
  const ImpExp *at = imp_add(arena, var(s, t), imp_mul(arena, var(s, k), s->threads));
  s->c->fn->vars.at[k.id].bound = count;
  s->c->fn->vars.at[i.id].bound = NULL;
  s->c->fn->vars.at[i.id].def = at;
  ImpBlock *body = NEW(arena, ImpBlock);
  push(s, body, (ImpStm){.form = IMP_STM_LET, .let = {i, at}});
  for (int m = 0; m < s->loop->body->len; m++) list_push(arena, body, s->loop->body->at[m]);
  return (ImpStm){.form = IMP_STM_FOR, .for_ = {.var = k, .bound = count, .body = body}};
}

// r = op (r, parts[t]) for all t, after the kernel
static void put_combined(const Sum *s, ImpVar red, ImpVar parts, ImpBlock *after) {
  Arena *arena = s->c->arena;
  ImpVar t = chunks_fresh(s->c, "t"), x = like(s, red, IMP_LET, false);
  ImpBlock *body = NEW(arena, ImpBlock);
  const ImpExp *sum = imp_op(arena, info(s, red)->red_op, info(s, red)->prim, var(s, red),
                             var(s, x), NULL);
  s->c->fn->vars.at[t.id].bound = s->threads;
  push(s, body, (ImpStm){.form = IMP_STM_LOAD, .load = {x, parts, var(s, t)}});
  push(s, body, (ImpStm){.form = IMP_STM_SET, .set = {red, sum}});
  push(s, after, (ImpStm){.form = IMP_STM_FOR,
                          .for_ = {.var = t, .bound = s->threads, .body = body}});
}

void device_sum(Chunks *c, const struct imp_for_ *loop, const ImpExp *threads, ImpBlock *out) {
  Sum s = {c, loop, threads};
  ImpVar t = chunks_fresh(c, "t");
  ImpBlock *body = NEW(c->arena, ImpBlock), ends = {0}, after = {0};
  c->fn->vars.at[t.id].bound = threads;
  for (int i = 0; i < loop->reds.len; i++) {
    ImpVar red = loop->reds.at[i], own = like(&s, red, IMP_MUT, false);
    ImpVar parts = like(&s, red, IMP_BLOCK, true);
    Scalar identity = op_identity(info(&s, red)->red_op, info(&s, red)->prim);
    push(&s, out, (ImpStm){.form = IMP_STM_ALLOC, .alloc = {parts, threads}});
    push(&s, body, (ImpStm){.form = IMP_STM_VAR, .var = {own, imp_const(c->arena, identity)}});
    push(&s, &ends, (ImpStm){.form = IMP_STM_STORE, .store = {parts, var(&s, t), var(&s, own)}});
    put_combined(&s, red, parts, &after);
    imp_block_rename(c->arena, c->fn, loop->body, red, own);
  }
  push(&s, body, fold_loop(&s, t));
  for (int i = 0; i < ends.len; i++) list_push(c->arena, body, ends.at[i]);
  push(&s, out, (ImpStm){.form = IMP_STM_KERNEL,
                         .kernel = {t, threads, threads, loop->var, body}});
  for (int i = 0; i < after.len; i++) list_push(c->arena, out, after.at[i]);
}
