// Functions: unknown sizes of results become existential, flexible ones size parameters.
#include "sizes.h"

// ---- existentials ----------------------------------------------------------------------------
typedef struct {
  Sizing *z;
  int start, level;
  const char *of;
  Span span;
  DimVarList at_value, elsewhere;
  DimList compounds;    // replaced sizes,
  DimVarList replaced;  // each by this: equal sizes stay equal
} LocalUnknowns;

static bool is_local(const LocalUnknowns *l, const DimVar *v) {
  return v->tag == DIMVAR_UNKNOWN && v->id >= l->start && v->level >= l->level;
}

typedef struct {
  LocalUnknowns *locals;
  DimVarList *into;
} LocalScan;

static void local_var(void *env, DimVar *var) {
  const LocalScan *s = env;
  if (!is_local(s->locals, var)) return;
  for (int i = 0; i < s->into->len; i++)
    if (s->into->at[i] == var) return;
  list_push(s->locals->z->c->arena, s->into, var);
}

static void local_see(void *env, Dim *dim, SizedPlace at) {
  LocalUnknowns *l = env;
  Dim *d = dim_find(dim);
  bool bare = d->tag == DIM_VAR && at == AT_VALUE;
  LocalScan s = {l, bare ? &l->at_value : &l->elsewhere};
  dim_each(d, local_var, &s);
}

// A compound size over unknowns that nothing shows is itself unknown.
static Dim *compound_dim(void *env, Dim *dim) {
  LocalUnknowns *l = env;
  Dim *d = dim_find(dim);
  if (d->tag != DIM_TERM) return dim;
  DimVarList found = {0};
  LocalScan s = {l, &found};
  dim_each(d, local_var, &s);
  bool shown = true;
  for (int i = 0; i < found.len; i++) {
    bool here = false;
    for (int j = 0; j < l->at_value.len; j++) here |= l->at_value.at[j] == found.at[i];
    shown &= here;
  }
  if (shown) return dim;
  for (int i = 0; i < l->compounds.len; i++)
    if (dim_same(l->compounds.at[i], dim)) return l->replaced.at[i]->dim;
  DimVar *u = unknown_new(l->z, NULL, l->span, "size of a function result");
  u->level = l->level;
  list_push(l->z->c->arena, &l->compounds, dim);
  list_push(l->z->c->arena, &l->replaced, u);
  return u->dim;
}

static Sized *compounds_replace(LocalUnknowns *l, Sized *type) {
  l->at_value.len = l->elsewhere.len = 0;
  sized_each(type, AT_VALUE, local_see, l);
  if (!l->elsewhere.len || type->tag == TYPE_ARROW) return type;
  SizedMap m = {l->z, NULL, compound_dim, l, NULL};
  type = sized_map(&m, type);
  l->at_value.len = l->elsewhere.len = 0;
  sized_each(type, AT_VALUE, local_see, l);
  return type;
}

static Sized *locals_bind(LocalUnknowns *l, Sized *type, DimVarList *exists);

static Sized *arrow_bind(LocalUnknowns *l, Sized *type) {
  Sizing *z = l->z;
  l->at_value.len = l->elsewhere.len = 0;
  sized_each(type->arrow.from, AT_VALUE, local_see, l);
  const DimVar *bad = l->at_value.len ? l->at_value.at[0]
                      : l->elsewhere.len ? l->elsewhere.at[0] : NULL;
  if (bad && l->of)
    report(z->c, l->span, "[unknown-param-size] Unknown size \"%s\" in parameter of \"%s\", which "
                          "is inferred as:\n  %s",
           dim_text(z, bad->dim), l->of, sized_text(z, type));
  Sized *copy = arena_copy(z->c->arena, type, sizeof *type);
  copy->arrow.exists = (DimVarList){0};
  for (int i = 0; i < type->arrow.exists.len; i++)
    list_push(z->c->arena, &copy->arrow.exists, type->arrow.exists.at[i]);
  copy->arrow.to = locals_bind(l, type->arrow.to, &copy->arrow.exists);
  return copy;
}

static Sized *fields_bind(LocalUnknowns *l, Sized *type) {
  SizedFieldList fields = {0};
  for (int i = 0; i < type->fields.len; i++) {
    SizedField f = type->fields.at[i];
    if (f.type->tag == TYPE_ARROW) f.type = arrow_bind(l, f.type);
    list_push(l->z->c->arena, &fields, f);
  }
  Sized *copy = arena_copy(l->z->c->arena, type, sizeof *type);
  copy->fields = fields;
  return copy;
}

static Sized *locals_bind(LocalUnknowns *l, Sized *type, DimVarList *exists) {
  Sizing *z = l->z;
  type = compounds_replace(l, type);
  if (!l->at_value.len && !l->elsewhere.len) return type;
  for (int i = 0; exists && i < l->at_value.len; i++) {
    DimVar *u = l->at_value.at[i];
    DimVar *e = dimvar_new(z, DIMVAR_NAME, u->name, u->span, NULL);
    list_push(z->c->arena, exists, e);
    type = sized_subst(z, type, u, e->dim);
  }
  if (type->tag == TYPE_ARROW) return arrow_bind(l, type);
  return type->tag == TYPE_RECORD && l->elsewhere.len ? fields_bind(l, type) : type;
}

Sized *unknowns_bind(Sizing *z, Sized *type, int start, int level, DimVarList *exists,
                     const char *of, Span span) {
  LocalUnknowns l = {.z = z, .start = start, .level = level, .of = of, .span = span};
  return locals_bind(&l, type, exists);
}

// ---- parameters and bodies -------------------------------------------------------------------
typedef struct {
  Sizing *z;
  PatList *params;
  SizedList types;
  BoundNames inner;  // names of parts of parameters: not visible outside
  int start, level;
} Closing;

static DimVar *pat_binder(Sizing *z, const Pat *pat) {
  while (pat->tag == PAT_ASCRIBE || pat->tag == PAT_ATTR)
    pat = pat->tag == PAT_ASCRIBE ? pat->ascribe.pat : pat->attr.pat;
  return pat->tag == PAT_NAME && pat->info ? dimvar_of(z, pat->info->binding) : NULL;
}

static const DimVar *inner_mentioned(Closing *f, Sized *type) {
  for (int i = 0; i < f->inner.len; i++)
    if (sized_mentions(type, dimvar_of(f->z, f->inner.at[i])))
      return dimvar_of(f->z, f->inner.at[i]);
  return NULL;
}

static void params_size(Closing *f) {
  Sizing *z = f->z;
  for (int i = 0; i < f->params->len; i++) {
    Pat *pat = f->params->at[i];
    BoundNames names = {0};
    Sized *t = pat_size(z, pat, NULL, &names);
    const DimVar *bad = inner_mentioned(f, t);
    if (bad)
      report(z->c, pat->span, "[inaccessible-size] Parameter type refers to size \"%s\", which is "
                              "not accessible to "
             "the caller: it is bound to an inner component of another parameter.", bad->name);
    for (int j = 0; j < names.len && !pat_is_whole(pat); j++)
      list_push(z->c->arena, &f->inner, names.at[j]);
    list_push(z->c->arena, &f->types, t);
    type_record(z, pat, t);
    size_source_note(z, pat, t);
    z->level++;
  }
}

static Sized *arrows_make(Closing *f, Sized *to, DimVarList exists) {
  for (int i = f->types.len; i-- > 0;) {
    Sized *t = sized_new(f->z, TYPE_ARROW);
    t->arrow.param = pat_param_name(f->params->at[i]);
    t->arrow.binder = pat_binder(f->z, f->params->at[i]);
    t->arrow.from = f->types.at[i];
    t->arrow.exists = exists;
    t->arrow.to = to;
    exists = (DimVarList){0};
    to = t;
  }
  return to;
}

static Sized *body_size(Closing *f, Sized *ret, Expr *body) {
  Sizing *z = f->z;
  Sized *t = exp_size(z, body);
  if (ret) {
    sized_expect(z, body->span, ret, t, "[result-type] Function body does not have expected type.");
    t = ret;
  }
  return scope_leave(z, NULL, t, &f->inner, NULL);
}

// p1 .. pk : a1 .. ak    body : b, its unknown sizes k
// ----------------------------------------------------
// \p1 .. pk -> body : a1 -> .. -> ?[k].b
Sized *lambda_size(Sizing *z, Expr *exp) {
  Closing f = {.z = z, .params = &exp->lambda.params, .start = z->next_id, .level = z->level};
  z->level++;
  params_size(&f);
  Anonymous anonymous = {NULL, "declared return type", false};
  Sized *ret = exp->lambda.ret ? sized_texp(z, exp->lambda.ret, &anonymous) : NULL;
  Sized *t = body_size(&f, ret, exp->lambda.body);
  z->level = f.level;
  DimVarList exists = {0};
  t = unknowns_bind(z, t, f.start, f.level + 1, &exists, NULL, exp->span);
  return arrows_make(&f, t, exists);
}

// ---- definitions -----------------------------------------------------------------------------
typedef struct {
  Closing *f;
  Scheme *scheme;
} Generalising;

static void generalise_var(void *env, DimVar *v) {
  const Generalising *g = env;
  Sizing *z = g->f->z;
  if (v->tag != DIMVAR_FLEX || v->ref || v->id < g->f->start || v->level <= g->f->level) return;
  if (dimvar_pending(v)) {
    v->ref = z->any;
    return;
  }
  Name name = v->name;
  if (!name) name = name_of(z->c->names, arena_printf(z->c->arena, "d%d", g->scheme->sizes.len));
  DimVar *param = dimvar_new(z, DIMVAR_NAME, name, v->span, NULL);
  v->ref = param->dim;
  list_push(z->c->arena, &g->scheme->sizes, param);
}

static void generalise_see(void *env, Dim *dim, SizedPlace at) {
  (void)at;
  dim_each(dim, generalise_var, env);
}

static void size_params_bind(Sizing *z, const Binding *b, Scheme *scheme) {
  for (int i = 0; i < b->sparams.len; i++) {
    scheme_put(z, b->sparams.at[i], sized_prim(z, PRIM_I64));
    list_push(z->c->arena, &scheme->sizes, dimvar_of(z, b->sparams.at[i]));
  }
}

// The function itself as seen in its body.
static void self_bind(Closing *f, const FunDef *fun, Binding *b, const Scheme *scheme) {
  Sizing *z = f->z;
  Scheme *self = NEW(z->c->arena, Scheme);
  *self = *scheme;
  self->self = true;
  self->start = f->start;
  DimVarList exists = {0};
  Anonymous anonymous = {&exists, NULL, false};
  Sized *ret = fun->ret ? sized_texp(z, fun->ret, &anonymous) : sized_any(z, fun->info->type);
  self->type = arrows_make(f, ret, exists);
  map_put(z->schemes, KEY(b), self);
}

static void ret_check(Closing *f, const FunDef *fun, Sized *ret) {
  const DimVar *bad = ret ? inner_mentioned(f, ret) : NULL;
  if (bad)
    report(f->z->c, fun->ret->span, "[inaccessible-size] The return type refers to the name "
                                    "\"%s\", which is bound to "
           "an inner component of a parameter.", bad->name);
}

static void params_unknown_check(Closing *f, const FunDef *fun) {
  for (int i = 0; i < f->types.len; i++) {
    LocalUnknowns l = {.z = f->z, .start = f->start};
    sized_each(f->types.at[i], AT_VALUE, local_see, &l);
    const DimVar *bad = l.at_value.len ? l.at_value.at[0] : l.elsewhere.len ? l.elsewhere.at[0]
                                                                            : NULL;
    if (!bad) continue;
    Sizing *z = f->z;
    report(z->c, f->params->at[i]->span, "[unknown-param-size] Unknown size \"%s\" in parameter "
                                         "of \"%s\", which is "
           "inferred as:\n  %s", dim_text(z, bad->dim), fun->name, sized_text(z, f->types.at[i]));
  }
}

// Without a declared result, a size parameter may occur in the inferred one alone.
static void size_params_check(Closing *f, const FunDef *fun, Sized *type) {
  for (int i = 0; i < fun->tparams.len && !fun->ret; i++) {
    const TypeParam *p = &fun->tparams.at[i];
    Binding *size = p->tag == TPARAM_SIZE && p->info ? p->info->binding : NULL;
    if (!size || f->z->c->failed || sized_mentions(type, dimvar_of(f->z, size))) continue;
    report(f->z->c, p->span, "Size [%s] unused in pattern.", p->name);
  }
}

// The scheme of a definition or local function.
static Scheme *fun_size(Sizing *z, FunDef *fun, Binding *b, bool top) {
  Closing f = {.z = z, .params = &fun->params, .start = z->next_id, .level = z->level};
  Scheme *scheme = NEW(z->c->arena, Scheme);
  scheme->types = b->tparams;
  scheme->arity = fun->params.len;
  z->level++;
  size_params_bind(z, b, scheme);
  z->level++;
  params_size(&f);
  Anonymous anonymous = {NULL, "declared return type", false};
  Sized *ret = fun->ret ? sized_texp(z, fun->ret, &anonymous) : NULL;
  ret_check(&f, fun, ret);
  if (top && fun->info->recursive) self_bind(&f, fun, b, scheme);
  Sized *t = body_size(&f, ret, fun->body);
  z->level = f.level;
  DimVarList exists = {0};
  t = unknowns_bind(z, t, f.start, f.level + 1, fun->params.len ? &exists : NULL, fun->name,
                    fun->name_span);
  params_unknown_check(&f, fun);
  scheme->type = arrows_make(&f, t, exists);
  size_params_check(&f, fun, scheme->type);
  Generalising g = {&f, scheme};
  sized_each(scheme->type, AT_VALUE, generalise_see, &g);
  return scheme;
}

void letfun_size(Sizing *z, FunDef *fun, Binding *binding) {
  Scheme *scheme = fun_size(z, fun, binding, false);
  map_put(z->schemes, KEY(binding), scheme);
}

// ---- top-level bindings ----------------------------------------------------------------------
static void ambiguous_check(Sizing *z) {
  const DimVar *worst = NULL;
  for (int i = 0; i < z->vars.len; i++) {
    const DimVar *v = z->vars.at[i];
    if (v->ref || (v->canon && (v->canon != v || v->source))) continue;
    if (!worst || v->rank > worst->rank) worst = v;
  }
  if (worst)
    report(z->c, worst->span, "[ambiguous-size] Ambiguous size \"%s\" arising from %s%s%s%s.",
           dim_text(z, worst->dim), worst->why, worst->of ? " of \"" : "",
           worst->of ? worst->of : "", worst->of ? "\"" : "");
}

static void unknown_found(void *env, DimVar *var) {
  if (var->tag == DIMVAR_UNKNOWN) *(bool *)env = true;
}
static void unknown_see(void *env, Dim *dim, SizedPlace at) {
  if (at == AT_VALUE) dim_each(dim, unknown_found, env);
}

static void constant_size(Sizing *z, const FunDef *fun, const Scheme *scheme) {
  bool unknown = false;
  if (fun->params.len || !scheme->sizes.len) return;
  sized_each(scheme->type, AT_VALUE, unknown_see, &unknown);
  if (unknown)
    report(z->c, fun->name_span, "[polymorphic-value] A size-polymorphic value binding may not "
                                 "have a type with "
           "existential sizes:\n  %s", sized_text(z, scheme->type));
}

static void holes_warn(Sizing *z) {
  for (int i = 0; i < z->holes.len; i++) {
    const Expr *hole = z->holes.at[i];
    Sized *type = map_get(z->types, KEY(hole));
    diag_warn(z->c->diag, hole->span, "[hole] Hole of type: %s",
              type ? sized_text(z, type) : stype_text(z->c, hole->type));
  }
}

void def_size(Sizing *z, FunDef *fun, Binding *b) {
  z->c->failed = false;
  z->vars.len = z->holes.len = 0;
  z->level = 0;
  z->unknowns = z->shown = 0;
  z->produced_from = map_len(z->produced);
  Scheme *scheme = fun_size(z, fun, b, true);
  constant_size(z, fun, scheme);
  ambiguous_check(z);
  if (!z->c->failed && z->unknowns) causality_check(z, fun->body);
  if (!z->c->failed) holes_warn(z);
  if (z->c->failed) {
    scheme->sizes.len = 0;
    scheme->type = b->type ? sized_any(z, b->type) : sized_new(z, TYPE_ERROR);
  }
  map_put(z->schemes, KEY(b), scheme);
}
