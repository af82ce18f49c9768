// Sized types: building, replacing, looking.
#include "sizes.h"
#include <stdlib.h>

Sized *sized_new(Sizing *z, TypeTag tag) {
  Sized *t = NEW(z->c->arena, Sized);
  t->tag = tag;
  return t;
}

Sized *sized_prim(Sizing *z, Prim prim) {
  if (!z->prims[prim]) {
    z->prims[prim] = sized_new(z, TYPE_PRIM);
    z->prims[prim]->prim = prim;
  }
  return z->prims[prim];
}

Sized *sized_array(Sizing *z, Dim *dim, Sized *elem) {
  Sized *t = sized_new(z, TYPE_ARRAY);
  t->array.dim = dim;
  t->array.elem = elem;
  return t;
}

static int sized_field_order(const void *a, const void *b) {
  return field_compare(((const SizedField *)a)->name, ((const SizedField *)b)->name);
}

Sized *sized_record(Sizing *z, SizedFieldList fields) {
  Sized *t = sized_new(z, TYPE_RECORD);
  if (fields.len > 1)
    qsort(fields.at, (size_t)fields.len, sizeof(SizedField), sized_field_order);
  t->fields = fields;
  return t;
}

Sized *sized_field(const Sized *record, Name field) {
  if (record->tag != TYPE_RECORD) return NULL;
  for (int i = 0; i < record->fields.len; i++)
    if (record->fields.at[i].name == field) return record->fields.at[i].type;
  return NULL;
}

// ---- types without sizes ---------------------------------------------------------------------
static Dim *fresh_dim(Sizing *z, Fresh *f) {
  if (f->any) return z->any;
  Absorb *a = f->absorb;
  if (!a) {
    Dim *d = dim_flex(z, f->span, f->rank, f->why);
    d->var->binders = f->binders;
    return d;
  }
  DimVar *v = dimvar_new(z, DIMVAR_FLEX, NULL, f->span, f->why);
  v->rank = f->rank;
  v->of = f->of;
  v->absorb = a;
  v->occurrence = f->occurrence;
  if (f->again && f->next < a->canon.len) {
    v->canon = a->canon.at[f->next++];
  } else {
    v->canon = v;
    list_push(z->c->arena, &a->canon, v);
    list_push(z->c->arena, &z->vars, v);
  }
  return v->dim;
}

static DimVar *fresh_binder(Sizing *z, Fresh *f, Name name) {
  Absorb *a = f->absorb;
  if (a && f->again && f->next_binder < a->binders.len) return a->binders.at[f->next_binder++];
  DimVar *v = dimvar_new(z, DIMVAR_NAME, name, f->span, NULL);
  if (a) list_push(z->c->arena, &a->binders, v);
  else if (f->binders) list_push(z->c->arena, f->binders, v);
  return v;
}

static Sized *fresh_sum(Sizing *z, SType *type, Fresh *f) {
  Sized *t = sized_new(z, TYPE_SUM);
  for (int i = 0; i < type->sum.constrs.len; i++) {
    SizedConstr k = {type->sum.constrs.at[i].name, {0}};
    for (int j = 0; j < type->sum.constrs.at[i].args.len; j++)
      list_push(z->c->arena, &k.args, sized_fresh(z, type->sum.constrs.at[i].args.at[j], f));
    list_push(z->c->arena, &t->constrs, k);
  }
  return t;
}

static Sized *fresh_named(Sizing *z, SType *type, Fresh *f) {
  Sized *t = sized_new(z, TYPE_NAMED);
  t->named.def = type->named.def;
  for (int i = 0; i < type->named.args.len; i++) {
    SizedArg arg = {NULL, NULL};
    if (type->named.args.at[i].is_size) arg.dim = fresh_dim(z, f);
    else arg.type = sized_fresh(z, type->named.args.at[i].type, f);
    list_push(z->c->arena, &t->named.args, arg);
  }
  return t;
}

static Sized *fresh_arrow(Sizing *z, SType *type, Fresh *f) {
  Sized *t = sized_new(z, TYPE_ARROW);
  t->arrow.param = type->arrow.param;
  t->arrow.from = sized_fresh(z, type->arrow.from, f);
  if (type->arrow.param) t->arrow.binder = fresh_binder(z, f, type->arrow.param);
  t->arrow.to = sized_fresh(z, type->arrow.to, f);
  return t;
}

Sized *sized_fresh(Sizing *z, SType *type, Fresh *f) {
  type = stype_find(type);
  Sized *t = NULL;
  switch (type->tag) {
    case TYPE_PRIM: return sized_prim(z, type->prim);
    case TYPE_ARRAY: {
      Dim *dim = fresh_dim(z, f);
      t = sized_array(z, dim, sized_fresh(z, type->array.elem, f));
      break;
    }
    case TYPE_RECORD:
      if (!type->record.fields.len) return z->unit;
      t = sized_new(z, TYPE_RECORD);
      for (int i = 0; i < type->record.fields.len; i++) {
        const SField *field = &type->record.fields.at[i];
        SizedField copy = {field->name, sized_fresh(z, field->type, f)};
        list_push(z->c->arena, &t->fields, copy);
      }
      break;
    case TYPE_SUM: t = fresh_sum(z, type, f); break;
    case TYPE_ARROW: t = fresh_arrow(z, type, f); break;
    case TYPE_NAMED: t = fresh_named(z, type, f); break;
    case TYPE_VAR:
    case TYPE_ERROR: return sized_new(z, TYPE_ERROR);
  }
  t->unique = type->unique;
  return t;
}

Sized *sized_flex(Sizing *z, SType *type, Span span, DimRank rank, const char *why) {
  Fresh f = {.span = span, .rank = rank, .why = why};
  if (stype_is_functional(type)) f.binders = NEW(z->c->arena, DimVarList);
  return sized_fresh(z, type, &f);
}

Sized *sized_any(Sizing *z, SType *type) {
  Fresh f = {.any = true};
  return sized_fresh(z, type, &f);
}

// ---- replacing -------------------------------------------------------------------------------
static Sized *sized_copy(const SizedMap *m, const Sized *t) {
  return arena_copy(m->z->c->arena, t, sizeof *t);
}

static Sized *map_array(const SizedMap *m, Sized *t) {
  Dim *dim = m->dim(m->env, t->array.dim);
  Sized *elem = sized_map(m, t->array.elem);
  if (dim == t->array.dim && elem == t->array.elem) return t;
  Sized *copy = sized_copy(m, t);
  copy->array.dim = dim;
  copy->array.elem = elem;
  return copy;
}

static Sized *map_record(const SizedMap *m, Sized *t) {
  SizedFieldList fields = {0};
  for (int i = 0; i < t->fields.len; i++) {
    Sized *new = sized_map(m, t->fields.at[i].type);
    if (new != t->fields.at[i].type && !fields.len)
      for (int j = 0; j < t->fields.len; j++)
        list_push(m->z->c->arena, &fields, t->fields.at[j]);
    if (fields.len) fields.at[i].type = new;
  }
  if (!fields.len) return t;
  Sized *copy = sized_copy(m, t);
  copy->fields = fields;
  return copy;
}

static Sized *map_sum(const SizedMap *m, Sized *t) {
  SizedConstrList constrs = {0};
  bool changed = false;
  for (int i = 0; i < t->constrs.len; i++) {
    SizedConstr k = {t->constrs.at[i].name, {0}};
    for (int j = 0; j < t->constrs.at[i].args.len; j++) {
      Sized *new = sized_map(m, t->constrs.at[i].args.at[j]);
      changed |= new != t->constrs.at[i].args.at[j];
      list_push(m->z->c->arena, &k.args, new);
    }
    list_push(m->z->c->arena, &constrs, k);
  }
  if (!changed) return t;
  Sized *copy = sized_copy(m, t);
  copy->constrs = constrs;
  return copy;
}

// Sizes hidden in parameters are chosen by the caller, those in the last result exist.
static Sized *map_arrow(const SizedMap *m, Sized *t) {
  DimVarList exists = {0};
  SizedMap inner = *m;
  if (m->hidden && t->arrow.to->tag != TYPE_ARROW) inner.hidden = &exists;
  Sized *from = sized_map(m, t->arrow.from), *to = sized_map(&inner, t->arrow.to);
  if (from == t->arrow.from && to == t->arrow.to) return t;
  Sized *copy = sized_copy(m, t);
  copy->arrow.from = from;
  copy->arrow.to = to;
  if (!exists.len) return copy;
  for (int i = 0; i < t->arrow.exists.len; i++)
    list_push(m->z->c->arena, &exists, t->arrow.exists.at[i]);
  copy->arrow.exists = exists;
  return copy;
}

// Sizes hidden in arguments of abstract types play no role.
static Sized *map_named(const SizedMap *m, Sized *t) {
  SizedArgList args = {0};
  bool changed = false;
  SizedMap inner = *m;
  inner.hidden = NULL;
  for (int i = 0; i < t->named.args.len; i++) {
    SizedArg arg = t->named.args.at[i];
    if (arg.dim) arg.dim = m->dim(m->env, arg.dim);
    else arg.type = sized_map(&inner, arg.type);
    changed |= arg.dim != t->named.args.at[i].dim || arg.type != t->named.args.at[i].type;
    list_push(m->z->c->arena, &args, arg);
  }
  if (changed) {
    t = sized_copy(m, t);
    t->named.args = args;
  }
  return m->named ? m->named(m, t) : t;
}

Sized *sized_map(const SizedMap *m, Sized *t) {
  switch (t->tag) {
    case TYPE_ARRAY: return map_array(m, t);
    case TYPE_RECORD: return map_record(m, t);
    case TYPE_SUM: return map_sum(m, t);
    case TYPE_ARROW: return map_arrow(m, t);
    case TYPE_NAMED: return map_named(m, t);
    case TYPE_PRIM:
    case TYPE_VAR:
    case TYPE_ERROR: return t;
  }
  return t;
}

typedef struct {
  Sizing *z;
  DimVar *from;
  Dim *to;
} DimSwap;
static Dim *swap_var(void *env, DimVar *var) {
  const DimSwap *s = env;
  return var == s->from ? s->to : NULL;
}
static Dim *swap_dim(void *env, Dim *dim) {
  const DimSwap *s = env;
  return dim_map(s->z, dim, swap_var, env);
}
Sized *sized_subst(Sizing *z, Sized *type, DimVar *from, Dim *to) {
  DimSwap s = {z, from, to};
  SizedMap m = {z, NULL, swap_dim, &s, NULL};
  return sized_map(&m, type);
}

// ---- looking ---------------------------------------------------------------------------------
void sized_each(Sized *t, SizedPlace at, SizedSee see, void *env) {
  switch (t->tag) {
    case TYPE_ARRAY:
      see(env, t->array.dim, at);
      sized_each(t->array.elem, at, see, env);
      break;
    case TYPE_RECORD:
      for (int i = 0; i < t->fields.len; i++) sized_each(t->fields.at[i].type, at, see, env);
      break;
    case TYPE_SUM:
      for (int i = 0; i < t->constrs.len; i++)
        for (int j = 0; j < t->constrs.at[i].args.len; j++)
          sized_each(t->constrs.at[i].args.at[j], at, see, env);
      break;
    case TYPE_ARROW:
      sized_each(t->arrow.from, AT_FUNCTION_PARAM, see, env);
      sized_each(t->arrow.to, at == AT_FUNCTION_PARAM ? at : AT_FUNCTION_RESULT, see, env);
      break;
    case TYPE_NAMED: {
      SizedPlace inner = at == AT_VALUE && t->named.def->tag != TYPEDEF_ACC ? AT_TYPE_ARG : at;
      for (int i = 0; i < t->named.args.len; i++)
        if (t->named.args.at[i].dim) see(env, t->named.args.at[i].dim, at);
        else sized_each(t->named.args.at[i].type, inner, see, env);
      break;
    }
    case TYPE_PRIM:
    case TYPE_VAR:
    case TYPE_ERROR: break;
  }
}

typedef struct {
  const DimVar *var;
  bool mentioned, witnessed;
} SizedSearch;
static void search_see(void *env, Dim *dim, SizedPlace at) {
  SizedSearch *s = env;
  Dim *d = dim_find(dim);
  if (at == AT_VALUE && d->tag == DIM_VAR && pending_same(d->var, s->var)) s->witnessed = true;
  s->mentioned |= dim_mentions(d, s->var);
}
bool sized_mentions(Sized *type, const DimVar *var) {
  SizedSearch s = {var, false, false};
  sized_each(type, AT_VALUE, search_see, &s);
  return s.mentioned;
}
bool sized_witnesses(Sized *type, const DimVar *var) {
  SizedSearch s = {var, false, false};
  sized_each(type, AT_VALUE, search_see, &s);
  return s.witnessed;
}
