// Type expressions to sized types.  `[]` is a new name: right of an arrow an existential of that
// function's result, elsewhere what the place of the type says.
#include "sizes.h"

typedef struct {
  DimVarList hidden;  // sizes that do not show in the name
  Sized *type;
} TypeBody;

typedef struct {
  Sizing *z;
  const Anonymous *here, *outer;  // outside arrows
} TexpSizing;

static Sized *texp_size(const TexpSizing *x, TypeExp *exp);

static Dim *anonymous_new(Sizing *z, const Anonymous *a, Name name, Span span) {
  if (a->any) return z->any;
  if (!a->into) {
    Dim *d = dim_flex(z, span, RANK_WRITTEN, a->why);
    d->var->name = name;
    return d;
  }
  DimVar *v = dimvar_new(z, DIMVAR_NAME, name, span, NULL);
  list_push(z->c->arena, a->into, v);
  return v->dim;
}

static Dim *written_size(const TexpSizing *x, const SizeExp *size) {
  Sizing *z = x->z;
  if (!size->exp) return anonymous_new(z, x->here, NULL, size->span);
  exp_size(z, size->exp);
  Dim *d = dim_of_exp(z, size->exp);
  if (d) return d;
  report(z->c, size->span, "[size-expression-bind] Size expression with binding is not allowed in "
                           "a type "
                           "(#size-expression-bind).");
  return z->any;
}

Sized *sized_star(Sizing *z, Sized *t) {
  if (t->tag != TYPE_RECORD && t->tag != TYPE_ARRAY && t->tag != TYPE_NAMED) return t;
  Sized *copy = arena_copy(z->c->arena, t, sizeof *t);
  if (t->tag != TYPE_RECORD) {
    copy->unique = true;
    return copy;
  }
  copy->fields = (SizedFieldList){0};
  for (int i = 0; i < t->fields.len; i++) {
    SizedField f = {t->fields.at[i].name, sized_star(z, t->fields.at[i].type)};
    list_push(z->c->arena, &copy->fields, f);
  }
  return copy;
}

// ---- type names ------------------------------------------------------------------------------
typedef struct {
  Sizing *z;
  const TypeDef *def;
  const SizedArgList *args;
  const TypeBody *body;
  DimList hidden;
} Expansion;

static Dim *expand_var(void *env, DimVar *var) {
  const Expansion *e = env;
  for (int i = 0; i < e->def->params.len && i < e->args->len; i++)
    if (e->def->params.at[i].is_size && var->binding &&
        var->binding == e->def->params.at[i].size)
      return e->args->at[i].dim;
  for (int i = 0; i < e->body->hidden.len; i++)
    if (e->body->hidden.at[i] == var) return e->hidden.at[i];
  return NULL;
}

static Dim *expand_dim(void *env, Dim *dim) {
  return dim_map(((Expansion *)env)->z, dim, expand_var, env);
}

static Sized *expand_named(const SizedMap *m, Sized *t) {
  const Expansion *e = m->env;
  for (int i = 0; i < e->def->params.len && i < e->args->len; i++)
    if (!e->def->params.at[i].is_size && t->named.def == e->def->params.at[i].type)
      return t->unique ? sized_star(m->z, e->args->at[i].type) : e->args->at[i].type;
  return t;
}

static const TypeBody *typedef_body(Sizing *z, TypeDef *def);

Sized *sized_expand(Sizing *z, TypeDef *def, const SizedArgList *args,
                    const Anonymous *anonymous) {
  if (def->tag == TYPEDEF_PRIM) return sized_prim(z, def->prim);
  if (def->tag != TYPEDEF_ABBREV) {
    Sized *t = sized_new(z, TYPE_NAMED);
    t->named.def = def;
    t->named.args = *args;
    return t;
  }
  const TypeBody *body = typedef_body(z, def);
  if (!def->params.len && !body->hidden.len) return body->type;
  Expansion e = {z, def, args, body, {0}};
  for (int i = 0; i < body->hidden.len; i++) {
    const DimVar *v = body->hidden.at[i];
    Dim *d = anonymous_new(z, anonymous, v->name, v->span);
    if (d->tag == DIM_VAR) d->var->hidden = d->var->tag == DIMVAR_FLEX;
    list_push(z->c->arena, &e.hidden, d);
  }
  SizedMap m = {z, expand_named, expand_dim, &e, NULL};
  return sized_map(&m, body->type);
}

// ---- renamed modules -------------------------------------------------------------------------
static Dim *dim_keep(void *env, Dim *dim) {
  (void)env;
  return dim;
}

static Sized *rename_named(const SizedMap *m, Sized *t) {
  TypeDef *to = map_get(m->env, KEY(t->named.def));
  if (!to) return t;
  Anonymous anonymous = {m->hidden, NULL, !m->hidden};
  Sized *new = sized_expand(m->z, to, &t->named.args, &anonymous);
  return t->unique ? sized_star(m->z, new) : new;
}

Sized *sized_rename(Sizing *z, Sized *type, Map *renamed, DimVarList *hidden) {
  if (!renamed) return type;
  SizedMap m = {z, rename_named, dim_keep, renamed, hidden};
  return sized_map(&m, type);
}

static const TypeBody *typedef_body(Sizing *z, TypeDef *def) {
  TypeBody *body = map_get(z->bodies, KEY(def));
  if (body) return body;
  body = NEW(z->c->arena, TypeBody);
  map_put(z->bodies, KEY(def), body);
  Origin *origin = z->c->origins ? map_get(z->c->origins, KEY(def)) : NULL;
  Anonymous hidden = {&body->hidden, NULL, false};
  int level = z->level;
  z->level = 0;
  if (stype_find(def->type)->tag == TYPE_ERROR) {
    body->type = sized_new(z, TYPE_ERROR);
  } else if (origin) {
    const TypeBody *old = typedef_body(z, origin->from);
    for (int i = 0; i < old->hidden.len; i++)
      list_push(z->c->arena, &body->hidden, old->hidden.at[i]);
    body->type = sized_rename(z, old->type, origin->renamed, &body->hidden);
  } else if (def->written) {
    body->type = sized_texp(z, def->written, &hidden);
  } else {
    body->type = sized_any(z, def->type);
  }
  z->level = level;
  return body;
}

// An anonymous size must be readable from a value of the type.
void typedef_size(Sizing *z, TypeDef *def) {
  if (def->tag != TYPEDEF_ABBREV) return;
  const TypeBody *body = typedef_body(z, def);
  for (int i = 0; i < body->hidden.len; i++)
    if (!body->hidden.at[i]->name && !sized_witnesses(body->type, body->hidden.at[i]))
      report(z->c, body->hidden.at[i]->span, "[anonymous-nonconstructive] Type abbreviation "
                                             "contains an anonymous size that is "
             "not used constructively as an array size (#anonymous-nonconstructive).");
}

// ---- forms -----------------------------------------------------------------------------------
// Sizes of a wrong application have no types.
static Sized *apply_texp(const TexpSizing *x, TypeExp *exp) {
  if (stype_find(exp->info->type)->tag == TYPE_ERROR) return sized_new(x->z, TYPE_ERROR);
  SizedArgList args = {0};
  for (int i = 0; i < exp->apply.args.len; i++) {
    TypeArg *a = &exp->apply.args.at[i];
    SizedArg arg = {NULL, NULL};
    if (a->is_size) arg.dim = written_size(x, &a->size);
    else arg.type = texp_size(x, a->type);
    list_push(x->z->c->arena, &args, arg);
  }
  const Inst *inst = exp->apply.fn->tag == TEXP_NAME ? exp->apply.fn->name.inst : NULL;
  if (!inst || !inst->def) return sized_new(x->z, TYPE_ERROR);
  return sized_expand(x->z, inst->def, &args, x->here);
}

static Sized *record_texp(const TexpSizing *x, TypeExp *exp) {
  SizedFieldList fields = {0};
  int n = exp->tag == TEXP_TUPLE ? exp->tuple.elems.len : exp->record.fields.len;
  if (!n) return x->z->unit;
  for (int i = 0; i < n; i++) {
    bool tuple = exp->tag == TEXP_TUPLE;
    SizedField f = {tuple ? tuple_name(x->z->c, i) : exp->record.fields.at[i].name,
                    texp_size(x, tuple ? exp->tuple.elems.at[i] : exp->record.fields.at[i].type)};
    list_push(x->z->c->arena, &fields, f);
  }
  return sized_record(x->z, fields);
}

// In the order of the checked type.
static Sized *sum_texp(const TexpSizing *x, TypeExp *exp) {
  Sized *t = sized_new(x->z, TYPE_SUM);
  const SType *order = stype_find(exp->info->type);
  if (order->tag != TYPE_SUM) return sized_new(x->z, TYPE_ERROR);
  for (int i = 0; i < order->sum.constrs.len; i++) {
    SizedConstr k = {order->sum.constrs.at[i].name, {0}};
    for (int j = 0; j < exp->sum.clauses.len; j++) {
      SumClause *clause = &exp->sum.clauses.at[j];
      for (int a = 0; clause->name == k.name && a < clause->args.len; a++)
        list_push(x->z->c->arena, &k.args, texp_size(x, clause->args.at[a]));
    }
    list_push(x->z->c->arena, &t->constrs, k);
  }
  return t;
}

static Sized *arrow_texp(const TexpSizing *x, TypeExp *exp) {
  Sized *t = sized_new(x->z, TYPE_ARROW);
  TexpSizing from = {x->z, x->outer, x->outer};
  t->arrow.param = exp->arrow.param;
  t->arrow.from = texp_size(&from, exp->arrow.from);
  if (exp->arrow.param && exp->info && exp->info->binding) {
    t->arrow.binder = dimvar_of(x->z, exp->info->binding);
    scheme_put(x->z, exp->info->binding, t->arrow.from);
  }
  Anonymous exists = {&t->arrow.exists, NULL, false};
  TexpSizing to = {x->z, &exists, x->outer};
  t->arrow.to = texp_size(&to, exp->arrow.to);
  return t;
}

static Sized *exists_texp(const TexpSizing *x, TypeExp *exp) {
  Sizing *z = x->z;
  DimVarList bound = {0};
  for (int i = 0; i < exp->exists.sizes.len; i++) {
    const TypeParam *p = &exp->exists.sizes.at[i];
    Dim *d = anonymous_new(z, x->here, p->name, p->span);
    DimVar *v = d->tag == DIM_VAR ? d->var : dimvar_of(z, p->info->binding);
    if (v->tag == DIMVAR_NAME) v->binding = p->info->binding;
    map_put(z->vars_of, KEY(p->info->binding), v);
    scheme_put(z, p->info->binding, sized_prim(z, PRIM_I64));
    list_push(z->c->arena, &bound, v);
  }
  Sized *t = texp_size(x, exp->exists.type);
  for (int i = 0; i < bound.len; i++)
    if (!sized_witnesses(t, bound.at[i]))
      report(z->c, exp->exists.sizes.at[i].span, "[unused-existential] Existential size \"%s\" "
                                                 "not used as array size "
             "(#unused-existential).", bound.at[i]->name);
  return t;
}

static Sized *texp_size(const TexpSizing *x, TypeExp *exp) {
  switch (exp->tag) {
    case TEXP_NAME:
      if (!exp->name.inst || !exp->name.inst->def) return sized_new(x->z, TYPE_ERROR);
      return sized_expand(x->z, exp->name.inst->def, &(SizedArgList){0}, x->here);
    case TEXP_APPLY: return apply_texp(x, exp);
    case TEXP_ARRAY: {
      Dim *dim = written_size(x, &exp->array.size);
      return sized_array(x->z, dim, texp_size(x, exp->array.elem));
    }
    case TEXP_TUPLE:
    case TEXP_RECORD: return record_texp(x, exp);
    case TEXP_SUM: return sum_texp(x, exp);
    case TEXP_ARROW: return arrow_texp(x, exp);
    case TEXP_UNIQUE: return sized_star(x->z, texp_size(x, exp->unique.elem));
    case TEXP_EXISTS: return exists_texp(x, exp);
  }
  ice("type expression tag %d", exp->tag);
}

Sized *sized_texp(Sizing *z, TypeExp *exp, const Anonymous *anonymous) {
  TexpSizing x = {z, anonymous, anonymous};
  return texp_size(&x, exp);
}
