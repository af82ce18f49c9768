// Descriptors of the statements, and loops over their parts.
#include "imp.h"

// Each field macro of a row becomes ", (KIND, name)"; FIELDS walks that list with the row's member.
#define KIND_OF(kind, name) IMP_FIELD_##kind
#define NAME_OF(kind, name) name
#define TEXT_OF_(name) #name
#define TEXT_OF(name) TEXT_OF_(name)
#define ONE(m, pair) {KIND_OF pair, offsetof(ImpStm, m.NAME_OF pair), TEXT_OF(NAME_OF pair)},
#define F1(m, a) ONE(m, a)
#define F2(m, a, ...) ONE(m, a) F1(m, __VA_ARGS__)
#define F3(m, a, ...) ONE(m, a) F2(m, __VA_ARGS__)
#define F4(m, a, ...) ONE(m, a) F3(m, __VA_ARGS__)
#define F5(m, a, ...) ONE(m, a) F4(m, __VA_ARGS__)
#define F6(m, a, ...) ONE(m, a) F5(m, __VA_ARGS__)
#define F7(m, a, ...) ONE(m, a) F6(m, __VA_ARGS__)
#define PICK(m, _1, _2, _3, _4, _5, _6, _7, macro, ...) macro
#define FIELDS(...) PICK(__VA_ARGS__, F7, F6, F5, F4, F3, F2, F1, none)(__VA_ARGS__)

#define DEF(f) , (DEF, f)
#define USE(f) , (USE, f)
#define USES(f) , (USES, f)
#define MEM(f) , (MEM, f)
#define EXP(f) , (EXP, f)
#define EXPS(f) , (EXPS, f)
#define MEMS(f) , (MEMS, f)
#define BLOCK(f) , (BLOCK, f)
#define INT(f) , (INT, f)
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

bool imp_mem_writes(const ImpStm *stm, ImpVar mem) {
  return (stm->form == IMP_STM_STORE && stm->store.mem.id == mem.id)
         || (stm->form == IMP_STM_UPDATE && stm->update.mem.id == mem.id)
         || (stm->form == IMP_STM_COPY && stm->copy.to.id == mem.id);
}
