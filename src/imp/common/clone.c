// Clones a statement: variables that it binds and memory that it allocates get new names.  Results
// of calls would keep their names: the statement must have none.  Puts variables in the place of
// others.
#include "imp.h"

typedef struct {
  Arena *arena;
  ImpFn *fn;
  const ImpExp **map;  // variable of the original -> what represents it
} Clone;

static ImpVar clone_name(const Clone *c, ImpVar v) { return c->map[v.id] ? c->map[v.id]->var : v; }

static const ImpExp *clone_exp(const Clone *c, const ImpExp *e) {
  return imp_exp_subst(c->arena, e, c->map);
}

static ImpVar clone_def(Clone *c, ImpVar v) {
  ImpVar fresh = {(uint32_t)c->fn->vars.len};
  ImpVarInfo info = c->fn->vars.at[v.id];
  if (info.def) info.def = clone_exp(c, info.def);
  if (info.bound) info.bound = clone_exp(c, info.bound);
  list_push(c->arena, &c->fn->vars, info);
  c->map[v.id] = imp_var(c->arena, c->fn, fresh);
  return fresh;
}

static ImpExps clone_exps(Clone *c, ImpExps list) {
  ImpExps out = {0};
  for (int i = 0; i < list.len; i++) list_push(c->arena, &out, clone_exp(c, list.at[i]));
  return out;
}

static ImpVars clone_uses(Clone *c, ImpVars list) {
  ImpVars out = {0};
  for (int i = 0; i < list.len; i++) list_push(c->arena, &out, clone_name(c, list.at[i]));
  return out;
}

static ImpStm *clone_stm(Clone *c, const ImpStm *stm);

static ImpBlock *clone_block(Clone *c, const ImpBlock *block) {
  ImpBlock *out = NEW(c->arena, ImpBlock);
  for (int i = 0; i < block->len; i++) list_push(c->arena, out, clone_stm(c, block->at[i]));
  return out;
}

static void clone_field(Clone *c, ImpFieldKind kind, void *at) {
  if (kind == IMP_FIELD_DEF) *(ImpVar *)at = clone_def(c, *(ImpVar *)at);
  if (kind == IMP_FIELD_USE || kind == IMP_FIELD_MEM) *(ImpVar *)at = clone_name(c, *(ImpVar *)at);
  if (kind == IMP_FIELD_USES || kind == IMP_FIELD_MEMS)
    *(ImpVars *)at = clone_uses(c, *(ImpVars *)at);
  if (kind == IMP_FIELD_EXP) *(const ImpExp **)at = clone_exp(c, *(const ImpExp **)at);
  if (kind == IMP_FIELD_EXPS) *(ImpExps *)at = clone_exps(c, *(ImpExps *)at);
  if (kind == IMP_FIELD_BLOCK) *(ImpBlock **)at = clone_block(c, *(ImpBlock *const *)at);
}

static ImpStm *clone_stm(Clone *c, const ImpStm *stm) {
  check(stm->form != IMP_STM_CALL);
  ImpStm *copy = arena_copy(c->arena, stm, sizeof *stm);
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++)
    clone_field(c, d->kind, (char *)copy + d->offset);
  return copy;
}

static void clone_allocs(void *state, ImpBlock *block) {
  Clone *c = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_ALLOC && !c->map[stm->alloc.mem.id]) clone_def(c, stm->alloc.mem);
    imp_each_block(stm, clone_allocs, c);
  }
}

ImpStm *imp_stm_clone(Arena *arena, ImpFn *fn, const ImpStm *stm) {
  Clone c = {arena, fn, NEW_ARRAY(arena, const ImpExp *, fn->vars.len + 1)};
  imp_each_block(stm, clone_allocs, &c);
  return clone_stm(&c, stm);
}

// ---- in place ---------------------------------------------------------------------------------
static void rename_field(Clone *c, ImpFieldKind kind, void *at) {
  if (kind == IMP_FIELD_DEF || kind == IMP_FIELD_USE || kind == IMP_FIELD_MEM)
    *(ImpVar *)at = clone_name(c, *(ImpVar *)at);
  if (kind == IMP_FIELD_USES || kind == IMP_FIELD_MEMS)
    *(ImpVars *)at = clone_uses(c, *(ImpVars *)at);
  if (kind == IMP_FIELD_EXP) *(const ImpExp **)at = clone_exp(c, *(const ImpExp **)at);
  if (kind == IMP_FIELD_EXPS) *(ImpExps *)at = clone_exps(c, *(ImpExps *)at);
}

static void rename_stm(Clone *c, ImpStm *stm) {
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++)
    rename_field(c, d->kind, (char *)stm + d->offset);
}

void imp_stm_rename(Arena *arena, const ImpExp **map, ImpStm *stm) {
  Clone c = {.arena = arena, .map = map};
  rename_stm(&c, stm);
}

static void rename_facts(Clone *c, ImpVarInfo *v) {
  if (v->def) v->def = clone_exp(c, v->def);
  if (v->bound) v->bound = clone_exp(c, v->bound);
}

static void rename_block(void *state, ImpBlock *block) {
  Clone *c = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    const ImpVar *def = imp_stm_def(stm);
    if (def && def->id) rename_facts(c, &c->fn->vars.at[def->id]);
    rename_stm(c, stm);
    imp_each_block(stm, rename_block, c);
  }
}

void imp_block_rename(Arena *arena, ImpFn *fn, ImpBlock *block, ImpVar from, ImpVar to) {
  Clone c = {arena, fn, NEW_ARRAY(arena, const ImpExp *, fn->vars.len + 1)};
  c.map[from.id] = imp_var(arena, fn, to);
  rename_block(&c, block);
}
