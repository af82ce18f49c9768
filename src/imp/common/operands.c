// Descriptors of the statements, and loops over their parts.
#include <string.h>
#include "imp.h"
#include "base/fields.h"

#define FIELD_ROW(member, kind, f) {IMP_FIELD_##kind, offsetof(ImpStm, member.f), #f},
#define DEF(f) , (DEF, f)
#define USE(f) , (USE, f)
#define USES(f) , (USES, f)
#define MEM(f) , (MEM, f)
#define EXP(f) , (EXP, f)
#define EXPS(f) , (EXPS, f)
#define MEMS(f) , (MEMS, f)
#define BLOCK(f) , (BLOCK, f)
#define INT(f) , (INT, f)
#define OPER(f) , (OPER, f)
#define FLAG(f) , (FLAG, f)
#define STRING(f) , (STRING, f)

const ImpFormInfo imp_form_info[IMP_STM_COUNT] = {
#define STM(id, member, word, fields_) \
  [IMP_STM_##id] = {word, (const ImpField[]){FIELDS(member fields_){IMP_FIELD_END, 0, NULL}}},
#include "imp.def"
};

static const void *field_at(const ImpStm *stm, const ImpField *f) {
  return (const char *)stm + f->offset;
}

void imp_each_exp(const ImpStm *stm, void (*f)(void *state, const ImpExp *e), void *state) {
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++) {
    if (d->kind == IMP_FIELD_EXP) f(state, *(const ImpExp *const *)field_at(stm, d));
    if (d->kind != IMP_FIELD_EXPS) continue;
    const ImpExps *list = field_at(stm, d);
    for (int i = 0; i < list->len; i++) f(state, list->at[i]);
  }
}

void imp_each_mem(const ImpStm *stm, void (*f)(void *state, ImpVar mem), void *state) {
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++) {
    if (d->kind == IMP_FIELD_MEM) f(state, *(const ImpVar *)field_at(stm, d));
    if (d->kind != IMP_FIELD_MEMS) continue;
    const ImpVars *list = field_at(stm, d);
    for (int i = 0; i < list->len; i++) f(state, list->at[i]);
  }
}

void imp_each_block(const ImpStm *stm, void (*f)(void *state, ImpBlock *block), void *state) {
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++)
    if (d->kind == IMP_FIELD_BLOCK) f(state, *(ImpBlock *const *)field_at(stm, d));
}

void imp_each_var(const ImpExp *e, void (*f)(void *state, ImpVar var), void *state) {
  if (e->kind == IMP_VAR) f(state, e->var);
  for (int i = 0; i < 3 && e->args[i]; i++) imp_each_var(e->args[i], f, state);
}

ImpVar *imp_stm_def(ImpStm *stm) {
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++)
    if (d->kind == IMP_FIELD_DEF) return (ImpVar *)(void *)((char *)stm + d->offset);
  return NULL;
}

ImpFn *imp_callee(const ImpProg *prog, const struct imp_call *call) {
  for (int i = 0; i < prog->fns.len; i++) {
    ImpFn *fn = prog->fns.at[i];
    if (strcmp(fn->core ? fn->core->name : fn->name, call->fn) == 0) return fn;
  }
  return NULL;
}

bool imp_mem_writes(const ImpStm *stm, ImpVar mem) {
  for (int k = 0; stm->form == IMP_STM_CALL && k < stm->call.results.len; k++)
    if (stm->call.results.at[k].id == mem.id) return true;
  return (stm->form == IMP_STM_STORE && stm->store.mem.id == mem.id)
         || (stm->form == IMP_STM_UPDATE && stm->update.mem.id == mem.id)
         || (stm->form == IMP_STM_COPY && stm->copy.to.id == mem.id);
}
