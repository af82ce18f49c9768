// Two-deep nests before vector code is chosen: the loop with unit stride goes inside,
// and an update of one place by a whole loop becomes a reduction.
#include "imp/common/imp.h"

typedef struct {
  Arena *arena;
  ImpFn *fn;
  ImpStrides slopes;
} Nest;

// ---- interchange ------------------------------------------------------------------------------
static bool is_pure(const ImpStm *stm) {
  return stm->form == IMP_STM_LET || stm->form == IMP_STM_LOAD;
}
static ImpVar stm_mem(const ImpStm *stm, const ImpExp **at) {
  *at = NULL;
  if (stm->form == IMP_STM_LOAD) return *at = stm->load.at, stm->load.mem;
  if (stm->form == IMP_STM_STORE) return *at = stm->store.at, stm->store.mem;
  if (stm->form == IMP_STM_UPDATE) return *at = stm->update.at, stm->update.mem;
  return (ImpVar){0};
}

static bool loads_what_it_writes(const ImpBlock *a, const ImpBlock *b) {
  for (int i = 0; i < b->len; i++) {
    if (is_pure(b->at[i])) continue;
    const ImpExp *at;
    ImpVar mem = stm_mem(b->at[i], &at);
    for (int k = 0; k < a->len; k++)
      if (a->at[k]->form == IMP_STM_LOAD && a->at[k]->load.mem.id == mem.id) return true;
  }
  return false;
}

static bool in_block(const ImpBlock *block, ImpVar v) {
  for (int i = 0; i < block->len; i++) {
    ImpVar *def = imp_stm_def(block->at[i]);
    if (def && def->id == v.id) return true;
  }
  return false;
}

// The inner loop where `outer` is: pure statements, then that loop alone.
static ImpStm *only_loop(const ImpStm *outer) {
  const ImpBlock *body = outer->for_.body;
  if (body->len == 0 || !outer->for_.parallel || outer->for_.reds.len) return NULL;
  for (int i = 0; i + 1 < body->len; i++)
    if (!is_pure(body->at[i])) return NULL;
  ImpStm *inner = body->at[body->len - 1];
  if (inner->form != IMP_STM_FOR || !inner->for_.parallel || inner->for_.reds.len) return NULL;
  const ImpExp *bound = inner->for_.bound;
  if (!imp_is_atom(bound) || (bound->kind == IMP_VAR && in_block(body, bound->var))) return NULL;
  const ImpBlock *in = inner->for_.body;
  for (int i = 0; i < in->len; i++)
    if (!is_pure(in->at[i]) && in->at[i]->form != IMP_STM_STORE
        && in->at[i]->form != IMP_STM_UPDATE)
      return NULL;
  return loads_what_it_writes(body, in) || loads_what_it_writes(in, in) ? NULL : inner;
}

// Accesses whose stride in the loop is not 0 or 1.
static int far_accesses(Nest *n, const ImpBlock *block, const ImpStm *loop) {
  int far = 0;
  for (int i = 0; i < block->len; i++) {
    const ImpExp *at;
    stm_mem(block->at[i], &at);
    if (!at) continue;
    const ImpExp *slope = imp_exp_stride(&n->slopes, at, &loop->for_);
    bool near = slope && (imp_is_int(slope, 0) || imp_is_int(slope, 1) || imp_is_int(slope, -1));
    if (!near) far++;
  }
  return far;
}

static void interchange(Nest *n, ImpStm *outer) {
  ImpStm *inner = only_loop(outer);
  if (!inner) return;
  ImpBlock *pure = outer->for_.body, *in = inner->for_.body;
  int now = far_accesses(n, in, inner);
  int then = far_accesses(n, in, outer) + far_accesses(n, pure, outer);
  if (then >= now) return;
  ImpBlock *body = NEW(n->arena, ImpBlock);
  for (int i = 0; i + 1 < pure->len; i++) list_push(n->arena, body, pure->at[i]);
  for (int i = 0; i < in->len; i++) list_push(n->arena, body, in->at[i]);
  struct imp_for_ o = outer->for_, i = inner->for_;
  inner->for_ = o;
  inner->for_.body = body;
  ImpBlock *around = NEW(n->arena, ImpBlock);
  list_push(n->arena, around, inner);
  outer->for_ = i;
  outer->for_.body = around;
  imp_strides_forget(&n->slopes);
}

// ---- updates of one place ---------------------------------------------------------------------
static bool is_outside(void *state, ImpVar v) {
  const ImpStm *loop = state;
  return v.id != loop->for_.var.id && !in_block(loop->for_.body, v);
}

// All that the block does to the memory is this update, or updates by its operation, whose order is
// free; few in all, so that what they add up stays in registers.
enum { UPDATES = 8 };
static bool only_updates(const ImpBlock *block, const ImpStm *update) {
  const ImpExp *at;
  int updates = 0, others = 0;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    updates += stm->form == IMP_STM_UPDATE;
    if (stm == update || stm_mem(stm, &at).id != update->update.mem.id) continue;
    if (stm->form != IMP_STM_UPDATE || stm->update.op != update->update.op) return false;
    others++;
  }
  return others == 0 || updates <= UPDATES;
}

static ImpStm *push(Nest *n, ImpBlock *block, ImpStm stm) {
  ImpStm *copy = arena_copy(n->arena, &stm, sizeof stm);
  list_push(n->arena, block, copy);
  return copy;
}
static ImpVar fresh(Nest *n, const char *base, ImpKind kind, Prim prim) {
  ImpVar v = {(uint32_t)n->fn->vars.len};
  list_push(n->arena, &n->fn->vars, (ImpVarInfo){.base = base, .kind = kind, .prim = prim});
  return v;
}

static Scalar identity(Op op, Prim p) { return scalar_number(p, op == OP_MUL ? 1 : 0); }

// update mem[at] by value in every iteration: acc = acc op value, one update after the loop.
static void reduce_update(Nest *n, ImpStm *loop, ImpBlock *before, ImpBlock *body, ImpBlock *after,
                          const struct imp_update *u, const ImpExp *at) {
  Prim p = n->fn->vars.at[u->mem.id].prim;
  ImpVar acc = fresh(n, "acc", IMP_MUT, p), t = fresh(n, "t", IMP_LET, p);
  n->fn->vars.at[acc.id].red_op = (Op)u->op;
  const ImpExp *acc_exp = imp_var(n->arena, n->fn, acc);
  push(n, before,
       (ImpStm){.form = IMP_STM_VAR, .var = {acc, imp_const(n->arena, identity((Op)u->op, p))}});
  const ImpExp *next = imp_op(n->arena, (Op)u->op, p, acc_exp, u->value, NULL);
  n->fn->vars.at[t.id].def = next;
  push(n, body, (ImpStm){.form = IMP_STM_LET, .let = {t, next}});
  push(n, body, (ImpStm){.form = IMP_STM_SET, .set = {acc, imp_var(n->arena, n->fn, t)}});
  push(n, after, (ImpStm){.form = IMP_STM_UPDATE, .update = {u->mem, at, u->op, acc_exp, false}});
  list_push(n->arena, &loop->for_.reds, acc);
}

static bool is_innermost(const ImpBlock *block) {
  for (int i = 0; i < block->len; i++)
    if (!is_pure(block->at[i]) && block->at[i]->form != IMP_STM_STORE
        && block->at[i]->form != IMP_STM_UPDATE && block->at[i]->form != IMP_STM_VAR
        && block->at[i]->form != IMP_STM_SET)
      return false;
  return true;
}

static void reduce_updates(Nest *n, ImpStm *loop, ImpBlock *before, ImpBlock *after) {
  ImpBlock *body = loop->for_.body, out = {0};
  if (!loop->for_.parallel || !is_innermost(body)) return;
  for (int i = 0; i < body->len; i++) {
    ImpStm *stm = body->at[i];
    const ImpExp *at = NULL;
    bool plain =
        stm->form == IMP_STM_UPDATE && (stm->update.op == OP_ADD || stm->update.op == OP_MUL)
        && prim_is_float(n->fn->vars.at[stm->update.mem.id].prim) && only_updates(body, stm);
    if (plain) at = imp_exp_expand(n->arena, n->fn, stm->update.at, is_outside, loop);
    if (at) reduce_update(n, loop, before, &out, after, &stm->update, at);
    else list_push(n->arena, &out, stm);
  }
  *body = out;
}

static void nest_block(void *state, ImpBlock *block) {
  Nest *n = state;
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    ImpBlock after = {0};
    if (stm->form == IMP_STM_FOR) interchange(n, stm);
    imp_each_block(stm, nest_block, n);
    if (stm->form == IMP_STM_FOR) reduce_updates(n, stm, &out, &after);
    list_push(n->arena, &out, stm);
    for (int k = 0; k < after.len; k++) list_push(n->arena, &out, after.at[k]);
  }
  *block = out;
}

void imp_pass_interchange(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  Nest n = {.arena = arena, .fn = fn, .slopes = {.arena = arena, .fn = fn}};
  nest_block(&n, fn->body);
}
