// Type schemes with sizes, and their instances.
#include "sizes.h"

void scheme_put(Sizing *z, Binding *b, Sized *type) {
  Scheme *s = NEW(z->c->arena, Scheme);
  s->type = type;
  map_put(z->schemes, KEY(b), s);
}

static TypeExp *spec_texp(const Binding *b) { return b->spec ? b->spec->val.type : NULL; }

static Scheme *scheme_make(Sizing *z, Binding *b) {
  Scheme *s = NEW(z->c->arena, Scheme);
  s->types = b->tparams;
  s->arity = -1;
  Origin *origin = z->c->origins ? map_get(z->c->origins, KEY(b)) : NULL;
  if (origin) {
    const Scheme *old = scheme_of(z, origin->from);
    for (int i = 0; i < old->sizes.len; i++)
      list_push(z->c->arena, &s->sizes, old->sizes.at[i]);
    s->type = sized_rename(z, old->type, origin->renamed, &s->sizes);
    return s;
  }
  if (!spec_texp(b)) {
    s->type = b->type ? sized_any(z, b->type) : sized_new(z, TYPE_ERROR);
    return s;
  }
  for (int i = 0; i < b->sparams.len; i++) {
    scheme_put(z, b->sparams.at[i], sized_prim(z, PRIM_I64));
    list_push(z->c->arena, &s->sizes, dimvar_of(z, b->sparams.at[i]));
  }
  Anonymous anonymous = {&s->sizes, NULL, false};
  s->type = sized_texp(z, spec_texp(b), &anonymous);
  return s;
}

Scheme *scheme_of(Sizing *z, Binding *b) {
  Scheme *s = map_get(z->schemes, KEY(b));
  if (s) return s;
  int level = z->level;
  z->level = 0;
  s = scheme_make(z, b);
  z->level = level;
  map_put(z->schemes, KEY(b), s);
  return s;
}

// ---- instances -------------------------------------------------------------------------------
typedef struct {
  Sizing *z;
  const Scheme *scheme;
  const Inst *inst;
  Span span;
  const char *name;
  DimVarList from;
  DimList to;
  Fresh *types;  // one per type parameter
} Instance;

static Dim *instance_size(Instance *in, const DimVar *param) {
  Sizing *z = in->z;
  Dim *d = dim_flex(z, in->span, RANK_PARAM, "instantiated size parameter");
  d->var->of = in->name;
  Absorb *a = NEW(z->c->arena, Absorb);
  a->lift = LIFT_FULL;
  list_push(z->c->arena, &a->canon, d->var);
  d->var->absorb = a;
  d->var->canon = d->var;
  d->var->name = param->name;
  d->var->occurrence = z->occurrence++;
  return d;
}

static Dim *instance_var(void *env, DimVar *var) {
  Instance *in = env;
  for (int i = 0; i < in->from.len; i++)
    if (in->from.at[i] == var) return in->to.at[i];
  bool open = in->scheme->self && var->tag == DIMVAR_FLEX && !var->ref &&
              var->id >= in->scheme->start;
  if (!open) return NULL;
  list_push(in->z->c->arena, &in->from, var);
  list_push(in->z->c->arena, &in->to, instance_size(in, var));
  return in->to.at[in->to.len - 1];
}

static Dim *instance_dim(void *env, Dim *dim) {
  return dim_map(((Instance *)env)->z, dim, instance_var, env);
}

static Sized *instance_named(const SizedMap *m, Sized *t) {
  Instance *in = m->env;
  Sizing *z = in->z;
  for (int i = 0; i < in->scheme->types.len; i++) {
    const TypeDef *param = in->scheme->types.at[i];
    if (param != t->named.def) continue;
    for (int j = 0; j < in->inst->args.len; j++) {
      if (in->inst->args.at[j].param != param) continue;
      Fresh *f = &in->types[i];
      if (!f->absorb) {
        f->absorb = NEW(z->c->arena, Absorb);
        f->absorb->lift = param->lift;
        f->span = in->span;
        f->why = "instantiated type parameter";
        f->of = in->name;
      }
      f->occurrence = z->occurrence++;
      f->next = f->next_binder = 0;
      Sized *new = sized_fresh(z, in->inst->args.at[j].type, f);
      f->again = true;
      return t->unique ? sized_star(z, new) : new;
    }
  }
  return t;
}

Sized *scheme_instance(Sizing *z, Binding *b, const Inst *inst, Span span) {
  const Scheme *s = scheme_of(z, b);
  if (!s->sizes.len && !s->types.len && !s->self) return s->type;
  Instance in = {.z = z, .scheme = s, .inst = inst, .span = span, .name = b->name};
  if (s->types.len) in.types = NEW_ARRAY(z->c->arena, Fresh, s->types.len);
  for (int i = 0; i < s->sizes.len; i++) {
    list_push(z->c->arena, &in.from, s->sizes.at[i]);
    list_push(z->c->arena, &in.to, instance_size(&in, s->sizes.at[i]));
    inst_dim_note(z, inst, s, s->sizes.at[i], in.to.at[i]);
  }
  SizedMap m = {z, instance_named, instance_dim, &in, NULL};
  return sized_map(&m, s->type);
}
