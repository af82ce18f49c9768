// d e / d i of an address e by the counter i of a loop: by how much it moves from one iteration to
// the next.  A variable that the loop binds or sets without a formula (a load, a branch, a call, a
// variable) has no stride; outer variables have stride zero, and so have the counters of loops
// inside, which are coordinates of their own.
#include "imp/common/imp.h"

static void mark_call(ImpMarks *m, const struct imp_call *call) {
  for (int i = 0; i < call->results.len; i++) m->inside.at[call->results.at[i].id] = m->stamp;
}

static void mark_block(void *state, ImpBlock *block) {
  ImpMarks *m = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    const ImpVar *def = stm->form == IMP_STM_FOR ? NULL : imp_stm_def(stm);
    if (def) m->inside.at[def->id] = m->stamp;
    if (stm->form == IMP_STM_SET) m->inside.at[stm->set.var.id] = m->stamp;
    if (stm->form == IMP_STM_SCAN) m->inside.at[stm->scan.acc.id] = m->stamp;
    if (stm->form == IMP_STM_CALL) mark_call(m, &stm->call);
    imp_each_block(stm, mark_block, m);
  }
}

static void enter(ImpStrides *s, const struct imp_for_ *loop) {
  for (int i = 0; i < IMP_MARKED; i++) {
    s->now = &s->marks[i];
    if (s->now->loop == loop && s->now->inside.len == s->fn->vars.len) return;
  }
  s->now = &s->marks[s->oldest];
  s->oldest = (s->oldest + 1) % IMP_MARKED;
  s->now->loop = loop;
  s->now->stamp++;
  while (s->now->inside.len < s->fn->vars.len) list_push(s->arena, &s->now->inside, 0);
  s->now->inside.at[loop->var.id] = s->now->stamp;
  mark_block(s->now, loop->body);
}

void imp_strides_forget(ImpStrides *s) {
  for (int i = 0; i < IMP_MARKED; i++) s->marks[i].loop = NULL;
}

void imp_strides_bind(ImpStrides *s, ImpVar v, ImpVar beside) {
  for (int i = 0; i < IMP_MARKED; i++) {
    ImpMarks *m = &s->marks[i];
    if (!m->loop || m->inside.len != (int)v.id) continue;
    list_push(s->arena, &m->inside, m->inside.at[beside.id]);
  }
}

static const ImpExp *exp_stride(const ImpStrides *s, const ImpExp *e);

static const ImpExp *var_stride(const ImpStrides *s, ImpVar v) {
  if (v.id == s->now->loop->var.id) return imp_i64(s->arena, 1);
  if (s->now->inside.at[v.id] != s->now->stamp) return imp_i64(s->arena, 0);
  const ImpVarInfo *info = &s->fn->vars.at[v.id];
  return info->kind == IMP_LET && info->def ? exp_stride(s, info->def) : NULL;
}

static const ImpExp *exp_stride(const ImpStrides *s, const ImpExp *e) {
  if (e->kind == IMP_CONST) return imp_i64(s->arena, 0);
  if (e->kind == IMP_VAR) return var_stride(s, e->var);
  bool known = true, still = true;
  const ImpExp *d[3] = {NULL};
  for (int i = 0; i < 3 && e->args[i]; i++) {
    d[i] = exp_stride(s, e->args[i]);
    known = known && d[i];
    still = still && d[i] && imp_is_int(d[i], 0);
  }
  if (!known) return NULL;
  if (still) return imp_i64(s->arena, 0);
  if (e->kind != IMP_OP || e->from != PRIM_I64) return NULL;
  if (e->op == OP_ADD) return imp_add(s->arena, d[0], d[1]);
  if (e->op == OP_SUB) return imp_sub(s->arena, d[0], d[1]);
  if (e->op == OP_MUL && imp_is_int(d[0], 0)) return imp_mul(s->arena, e->args[0], d[1]);
  if (e->op == OP_MUL && imp_is_int(d[1], 0)) return imp_mul(s->arena, d[0], e->args[1]);
  return NULL;
}

const ImpExp *imp_exp_stride(ImpStrides *s, const ImpExp *e, const struct imp_for_ *loop) {
  enter(s, loop);
  return exp_stride(s, e);
}
