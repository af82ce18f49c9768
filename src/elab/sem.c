// Semantic types: what values of a source type look like once every name is looked up.  Sizes are
// hints only: a value's sizes are those of its leaves.
#include <stdlib.h>
#include <string.h>
#include "local.h"

const Sem *sem_prim(Elab *e, Prim p) {
  Sem *sem = NEW(e->arena, Sem);
  sem->tag = SEM_PRIM;
  sem->prim = p;
  return sem;
}

const Sem *sem_array(Elab *e, const Sem *elem, Atom dim) {
  Sem *sem = NEW(e->arena, Sem);
  sem->tag = SEM_ARRAY;
  sem->elem = elem;
  sem->dim = dim;
  return sem;
}

const Sem *sem_acc(Elab *e, const Sem *array) {
  Sem *sem = NEW(e->arena, Sem);
  sem->tag = SEM_ACC;
  sem->elem = array;
  return sem;
}

const Sem *sem_record(Elab *e, int len, const Name *names, const Sem **fields) {
  Sem *sem = NEW(e->arena, Sem);
  sem->tag = SEM_RECORD;
  sem->len = len;
  sem->names = names;
  sem->fields = fields;
  return sem;
}

const Sem *sem_unit(Elab *e) { return sem_record(e, 0, NULL, NULL); }

static bool name_is_number(Name a) { return a[0] >= '0' && a[0] <= '9'; }

// Numbers by value before other names in byte order.
bool name_less(Name a, Name b) {
  bool na = name_is_number(a), nb = name_is_number(b);
  if (na != nb) return na;
  if (na) {
    long long x = strtoll(a, NULL, 10), y = strtoll(b, NULL, 10);
    if (x != y) return x < y;
  }
  return strcmp(a, b) < 0;
}

// The element type below n dimensions.
const Sem *sem_peel(const Sem *sem, int n) {
  for (; n > 0; n--) {
    check(sem->tag == SEM_ARRAY);
    sem = sem->elem;
  }
  return sem;
}

// An element with no leaves still gives one, of unit, so that its array has a size.
static void leaves_of_array(Elab *e, const Sem *sem, bool is_acc, Leaves *out) {
  Leaves rows = {0};
  sem_leaves(e, sem->elem, &rows);
  if (rows.len == 0) list_push(e->arena, &rows, (Leaf){.prim = PRIM_UNIT});
  for (int i = 0; i < rows.len; i++) {
    Leaf row = rows.at[i];
    Atom *dims = NEW_ARRAY(e->arena, Atom, row.rank + 1);
    dims[0] = sem->dim;
    for (int k = 0; k < row.rank; k++) dims[k + 1] = row.dims[k];
    list_push(e->arena, out, (Leaf){row.prim, row.rank + 1, is_acc, dims, row.is_tag});
  }
}

void sem_leaves(Elab *e, const Sem *sem, Leaves *out) {
  switch (sem->tag) {
  case SEM_PRIM: list_push(e->arena, out, (Leaf){.prim = sem->prim}); return;
  case SEM_ARRAY: leaves_of_array(e, sem, false, out); return;
  case SEM_ACC: leaves_of_array(e, sem->elem, true, out); return;
  case SEM_RECORD:
    for (int i = 0; i < sem->len; i++) sem_leaves(e, sem->fields[i], out);
    return;
  case SEM_SUM:
    for (int i = 0; i < sem->leaves.len; i++) list_push(e->arena, out, sem->leaves.at[i]);
    return;
  case SEM_FUN: ice("a function reaches run time");
  }
}

// Slots of a sum: constructors in order; a scalar leaf of the payload takes the first slot of its
// primitive type that this constructor does not use yet, a tag one of tags; array leaves are never
// shared.
static void layout_con(Elab *e, Sem *sum, SemCon *con) {
  Leaves need = {0};
  for (int i = 0; i < con->len; i++) sem_leaves(e, con->payload[i], &need);
  bool *taken = NEW_ARRAY(e->arena, bool, sum->leaves.len + need.len + 1);
  int first = sum->len > 1;
  for (int i = 0; i < need.len; i++) {
    int slot = -1, have = sum->leaves.len;
    for (int k = first; k < have && slot < 0 && need.at[i].rank == 0; k++) {
      Leaf leaf = sum->leaves.at[k];
      bool alike = leaf.prim == need.at[i].prim && leaf.is_tag == need.at[i].is_tag;
      if (!taken[k] && leaf.rank == 0 && alike) slot = k;
    }
    if (slot < 0) {
      slot = have;
      list_push(e->arena, &sum->leaves, need.at[i]);
    }
    taken[slot] = true;
    list_push(e->arena, &con->slots, slot);
  }
}

Sem *sem_sum_layout(Elab *e, Sem *sum) {
  sum->leaves = (Leaves){0};
  if (sum->len > 1) list_push(e->arena, &sum->leaves, (Leaf){.prim = PRIM_I8, .is_tag = true});
  for (int i = 0; i < sum->len; i++) layout_con(e, sum, (SemCon *)&sum->cons[i]);
  return sum;
}

// ---- from the checker's types ---------------------------------------------------------------

// A size the type mentions, where it is a constant or a name bound in the environment.
Atom size_hint(Elab *e, const Size *size, const Env *env) {
  (void)e;
  if (!size) return blank();
  switch (size->tag) {
  case SIZE_CONST: return atom_i64(size->value);
  case SIZE_NAME: {
    Val *v = env_binding(env, size->name);
    return v && v->tag == VAL_ATOM ? v->atom : blank();
  }
  case SIZE_EXP: return blank();
  }
  return blank();
}

static const Sem *sem_of_record(Elab *e, const FieldList *fields, const Env *env) {
  Name *names = NEW_ARRAY(e->arena, Name, fields->len);
  const Sem **sems = NEW_ARRAY(e->arena, const Sem *, fields->len);
  for (int i = 0; i < fields->len; i++) {
    names[i] = fields->at[i].name;
    sems[i] = sem_of_type(e, fields->at[i].type, env);
  }
  return sem_record(e, fields->len, names, sems);
}

static bool sem_is_functional(const Sem *sem) {
  if (sem->tag == SEM_FUN) return true;
  for (int i = 0; sem->tag == SEM_RECORD && i < sem->len; i++)
    if (sem_is_functional(sem->fields[i])) return true;
  for (int i = 0; sem->tag == SEM_SUM && i < sem->len; i++)
    for (int k = 0; k < sem->cons[i].len; k++)
      if (sem_is_functional(sem->cons[i].payload[k])) return true;
  return false;
}

// A sum with functions in it only exists at compile time and has no layout.
static const Sem *sem_of_sum(Elab *e, const ConstrList *constrs, const Env *env) {
  Sem *sum = NEW(e->arena, Sem);
  SemCon *cons = NEW_ARRAY(e->arena, SemCon, constrs->len);
  sum->tag = SEM_SUM;
  sum->len = constrs->len;
  sum->cons = cons;
  bool functional = false;
  for (int i = 0; i < constrs->len; i++) {
    const Constr *c = &constrs->at[i];
    const Sem **payload = NEW_ARRAY(e->arena, const Sem *, c->args.len);
    for (int k = 0; k < c->args.len; k++) {
      payload[k] = sem_of_type(e, c->args.at[k], env);
      functional = functional || sem_is_functional(payload[k]);
    }
    cons[i] = (SemCon){.name = c->name, .len = c->args.len, .payload = payload};
  }
  return functional ? sum : sem_sum_layout(e, sum);
}

static const Sem *sem_of_def(Elab *e, const TypeDef *def, const NamedArgList *args, const Env *at,
                             const Env *env);

// The definition of an abstract type in this module: sizes that its definition names are looked up
// there.
static const Sem *sem_of_impl(Elab *e, const TypeDef *impl, const NamedArgList *args,
                              const Env *at, const Env *env) {
  const Sem *sem = sem_of_def(e, impl, args, at, env);
  bool plain = impl->tag == TYPEDEF_ABBREV && impl->written && impl->params.len == 0;
  return plain ? texp_hints(e, env, impl->written, sem) : sem;
}

// A definition applied to arguments: the arguments are read in `at`, the definition in `env`.
static const Sem *sem_of_def(Elab *e, const TypeDef *def, const NamedArgList *args, const Env *at,
                             const Env *env) {
  if (def->tag == TYPEDEF_PRIM) return sem_prim(e, def->prim);
  if (def->tag == TYPEDEF_ACC) {
    for (int i = 0; i < args->len; i++)
      if (!args->at[i].is_size) return sem_acc(e, sem_of_type(e, args->at[i].type, at));
    ice("acc without an argument");
  }
  if (def->tag == TYPEDEF_ABBREV) {
    const Env *inner = env;
    for (int i = 0; i < def->params.len && i < args->len; i++)
      if (!def->params.at[i].is_size)
        inner = env_def(e, inner, (TypeArg_){.def = def->params.at[i].type,
                                             .sem = sem_of_type(e, args->at[i].type, at)});
    return sem_of_type(e, def->type, inner);
  }
  const TypeArg_ *arg = env_find_def(e, env, def);
  if (!arg) return sem_unit(e);  // a type parameter that no value has: anything will do
  if (arg->sem) return arg->sem;
  if (arg->impl) return sem_of_impl(e, arg->impl, args, at, arg->env);
  return sem_of_type(e, arg->type, arg->env);
}

const Sem *sem_of_type(Elab *e, SType *type, const Env *env) {
  type = stype_find(type);
  switch (type->tag) {
  case TYPE_PRIM: return sem_prim(e, type->prim);
  case TYPE_ARRAY:
    return sem_array(e, sem_of_type(e, type->array.elem, env),
                     size_hint(e, type->array.dim, env));
  case TYPE_RECORD: return sem_of_record(e, &type->record.fields, env);
  case TYPE_SUM: return sem_of_sum(e, &type->sum.constrs, env);
  case TYPE_ARROW: {
    Sem *sem = NEW(e->arena, Sem);
    sem->tag = SEM_FUN;
    return sem;
  }
  case TYPE_NAMED: return sem_of_def(e, type->named.def, &type->named.args, env, env);
  case TYPE_VAR:
  case TYPE_ERROR: return sem_unit(e);
  }
  return sem_unit(e);
}

static bool cons_same(const SemCon *a, const SemCon *b) {
  if (a->name != b->name || a->len != b->len) return false;
  for (int i = 0; i < a->len; i++)
    if (!sem_same(a->payload[i], b->payload[i])) return false;
  return true;
}

// Equal up to sizes.
bool sem_same(const Sem *a, const Sem *b) {
  if (a == b) return true;
  if (a->tag != b->tag) return false;
  switch (a->tag) {
  case SEM_PRIM: return a->prim == b->prim;
  case SEM_ARRAY:
  case SEM_ACC: return sem_same(a->elem, b->elem);
  case SEM_RECORD:
    if (a->len != b->len) return false;
    for (int i = 0; i < a->len; i++)
      if (a->names[i] != b->names[i] || !sem_same(a->fields[i], b->fields[i])) return false;
    return true;
  case SEM_SUM:
    if (a->len != b->len) return false;
    for (int i = 0; i < a->len; i++)
      if (!cons_same(&a->cons[i], &b->cons[i])) return false;
    return true;
  case SEM_FUN: return false;
  }
  return false;
}
