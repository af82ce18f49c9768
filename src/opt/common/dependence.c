// Dependence between statements of one body: by variables, and by memory that one reads and a
// later one overwrites.
#include "local.h"

DepsTable deps_table(const Prog *prog, Arena *scratch, AliasClasses *classes) {
  return (DepsTable){.prog = prog, .arena = scratch, .classes = classes,
                     .free_vars = free_vars_new(prog, scratch)};
}

static int *grown(Arena *arena, const int *old, int len, int cap) {
  int *out = NEW_ARRAY(arena, int, cap);
  for (int i = 0; i < len; i++) out[i] = old[i];
  return out;
}

// Variables may have been added since.
static void fit(DepsTable *t) {
  int need = t->prog->vars.len;
  if (t->cap >= need) return;
  int cap = need * 2;
  t->var_mark = grown(t->arena, t->var_mark, t->cap, cap);
  t->class_mark = grown(t->arena, t->class_mark, t->cap, cap);
  t->cap = cap;
}

static void add_class(DepsTable *t, Deps *d, Var v) {
  if (!var_is_array(t->prog, v)) return;
  int c = alias_class_of(t->classes, v);
  if (c >= 0) list_push(t->arena, &d->reads, c);
}

static Exp without_inputs(Exp x) {
  Atoms none = {0};
  switch ((int)x.form) {
  case FORM_MAP: x.map.inputs = none; break;
  case FORM_REDUCE: x.reduce.inputs = none; break;
  case FORM_SCAN: x.scan.inputs = none; break;
  case FORM_SCREMA: x.screma.inputs = none; break;
  case FORM_HIST: x.hist.inputs = none; break;
  case FORM_SCATTER: x.scatter.inputs = none; break;
  }
  return x;
}

// Who overwrites mentions memory that is overwritten; to see who does takes a walk over what is
// nested in the statement.
static bool may_consume(const DepsTable *t, const Deps *d) {
  for (int i = 0; i < d->uses.len; i++) {
    Type type = var_type(t->prog, d->uses.at[i]);
    if (type.rank > 0 && !type.is_acc && alias_class_consumed(t->classes, d->uses.at[i]))
      return true;
  }
  return false;
}

static void add_consumed(DepsTable *t, Deps *d, const Exp *exp) {
  Atoms consumed = exp_consumes(t->prog, t->arena, exp);
  for (int i = 0; i < consumed.len; i++) {
    if (!consumed.at[i].is_var || atom_type(t->prog, consumed.at[i]).is_acc) continue;
    int c = alias_class_of(t->classes, consumed.at[i].var);
    if (c >= 0) list_push(t->arena, &d->consumes, c);
  }
}

Deps *deps_of(DepsTable *t, const Stm *stm) {
  Deps *d = NEW(t->arena, Deps);
  Exp inner = without_inputs(stm->exp);
  d->uses = free_vars_of_exp(t->free_vars, &stm->exp);
  d->inner = free_vars_of_exp(t->free_vars, &inner);
  if (may_consume(t, d)) add_consumed(t, d, &stm->exp);
  for (int i = 0; i < d->uses.len; i++) add_class(t, d, d->uses.at[i]);
  for (int i = 0; i < stm->bound.len; i++) {
    add_class(t, d, stm->bound.at[i]);
    const Type *type = &var_info(t->prog, stm->bound.at[i])->type;
    for (int k = 0; k < type->rank; k++) {
      if (!type->dims[k].is_var) continue;
      list_push(t->arena, &d->uses, type->dims[k].var);
      list_push(t->arena, &d->inner, type->dims[k].var);
    }
  }
  return d;
}

// Every element is added once, so that the lists stay as short as their sources.
void deps_add(DepsTable *t, Deps *to, const Deps *more) {
  for (int i = 0; i < more->uses.len; i++) list_push(t->arena, &to->uses, more->uses.at[i]);
  for (int i = 0; i < more->inner.len; i++) list_push(t->arena, &to->inner, more->inner.at[i]);
  for (int i = 0; i < more->reads.len; i++) list_push(t->arena, &to->reads, more->reads.at[i]);
  for (int i = 0; i < more->consumes.len; i++)
    list_push(t->arena, &to->consumes, more->consumes.at[i]);
}

void deps_mark_clear(DepsTable *t) {
  fit(t);
  t->stamp++;
}

void deps_mark(DepsTable *t, const Stm *stm, const Deps *deps) {
  fit(t);
  for (int i = 0; i < stm->bound.len; i++) t->var_mark[stm->bound.at[i].id] = t->stamp;
  for (int i = 0; i < deps->reads.len; i++) t->class_mark[deps->reads.at[i]] = t->stamp;
}

bool deps_on_marked(DepsTable *t, const Deps *deps) {
  for (int i = 0; i < deps->uses.len; i++)
    if (t->var_mark[deps->uses.at[i].id] == t->stamp) return true;
  for (int i = 0; i < deps->consumes.len; i++)
    if (t->class_mark[deps->consumes.at[i]] == t->stamp) return true;
  return false;
}
