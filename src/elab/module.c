// Files, declarations and modules: a module is an environment, a functor is its body waiting for
// one.  Abstract types are bound to what they represent, where the module expression stands.
#include "local.h"

static const Env *node_new(Elab *e, const Env *next, EnvTag tag, Name name) {
  Env *env = (Env *)env_new(e, next, tag, name);
  env->global = true;
  return env;
}

static ModVal *mod_new(Elab *e, const Env *env, const Env *stop) {
  ModVal *m = NEW(e->arena, ModVal);
  m->env = env;
  m->stop = stop;
  for (int s = 0; s < NAME_SPACES; s++) m->found[s] = map_new(e->arena);
  return m;
}

// ---- module types: only the names they list matter here -------------------------------------

typedef struct {
  Name name;
  const ModTypeExp *type;  // submodules
  const Env *env;
} SigTerm;
typedef struct {
  LIST(SigTerm) terms;
  NameList types;
} Sig;

static void sig_add(Elab *e, Sig *sig, const ModTypeExp *type, const Env *env);

static void sig_spec(Elab *e, Sig *sig, const Spec *spec, const Env *env) {
  switch (spec->tag) {
  case SPEC_VAL:
    list_push(e->arena, &sig->terms, (SigTerm){.name = spec->val.name});
    return;
  case SPEC_TYPE: list_push(e->arena, &sig->types, spec->type.name); return;
  case SPEC_MOD:
    list_push(e->arena, &sig->terms, (SigTerm){spec->mod.name, spec->mod.type, env});
    return;
  case SPEC_INCLUDE: sig_add(e, sig, spec->include.type, env); return;
  }
}

static const Env *find_modtype(Elab *e, const VarRef *ref, const Env *env) {
  const NameList *p = &ref->name.parts;
  Name last = p->at[p->len - 1];
  const Env *found = p->len == 1
                         ? env_modtype(e, env, last)
                         : mod_modtype(env_module(e, env, p->at, p->len - 1), last);
  if (!found) ice("module type %s is not bound", last);
  return found;
}

static void sig_add(Elab *e, Sig *sig, const ModTypeExp *type, const Env *env) {
  switch (type->tag) {
  case MODTYPE_NAME: {
    const Env *found = find_modtype(e, &type->name, env);
    sig_add(e, sig, found->modtype.exp, found->modtype.env);
    return;
  }
  case MODTYPE_SPECS:
    for (int i = 0; i < type->specs.specs.len; i++)
      sig_spec(e, sig, type->specs.specs.at[i], env);
    return;
  case MODTYPE_WITH: sig_add(e, sig, type->with.src, env); return;
  case MODTYPE_ARROW: return;
  }
}

static bool is_arrow(Elab *e, const ModTypeExp *type, const Env *env) {
  while (type->tag == MODTYPE_NAME) {
    const Env *found = find_modtype(e, &type->name, env);
    type = found->modtype.exp;
    env = found->modtype.env;
  }
  return type->tag == MODTYPE_ARROW;
}

// ---- ascription -----------------------------------------------------------------------------

static const ValCoercion *val_coercion(const Coercion *c, Name name) {
  for (int i = 0; c && i < c->vals.len; i++)
    if (c->vals.at[i].name == name) return &c->vals.at[i];
  return NULL;
}

static const Coercion *mod_coercion(const Coercion *c, Name name) {
  for (int i = 0; c && i < c->mods.len; i++)
    if (c->mods.at[i].name == name) return c->mods.at[i].coerce;
  return NULL;
}

// Does an implementation's parameter mean what the one of its name in the specification means?
static bool needs_nothing(const ValCoercion *vc) {
  for (int i = 0; i < vc->args.len; i++) {
    const SType *t = stype_find(vc->args.at[i].type);
    if (t->tag != TYPE_NAMED || t->named.def != vc->impl->tparams.at[i]) return false;
  }
  for (int i = 0; i < vc->inst->sizes.len; i++) {
    const InstSize *s = &vc->inst->sizes.at[i];
    if (s->size->tag != SIZETERM_NAME || s->size->binding->name != s->param->name) return false;
  }
  return true;
}

// The module seen through a module type: its names only; `place` is where the types of the
// coercion are read.
static ModVal *restrict_to(Elab *e, ModVal *m, const ModTypeExp *type, const Env *env,
                           const Coercion *coerce, const Env *place) {
  if (m->is_functor || is_arrow(e, type, env)) return m;
  Sig sig = {0};
  sig_add(e, &sig, type, env);
  const Env *out = NULL;
  for (int i = 0; i < sig.types.len; i++) {
    const Env *found = mod_type(m, sig.types.at[i]);
    if (!found) continue;
    Env *node = (Env *)node_new(e, out, ENV_TYPE, sig.types.at[i]);
    node->type = found->type;
    out = node;
  }
  for (int i = 0; i < sig.terms.len; i++) {
    const SigTerm *t = &sig.terms.at[i];
    const Env *found = mod_term(m, t->name);
    if (!found) continue;
    Env *node = arena_copy(e->arena, found, sizeof *found);
    node->index = NULL;
    node->next = out;
    node->hidden = false;
    const ValCoercion *vc = val_coercion(coerce, t->name);
    if (found->tag == ENV_MOD && t->type)
      node->mod = restrict_to(e, found->mod, t->type, t->env, mod_coercion(coerce, t->name), place);
    if (vc && !needs_nothing(vc)) {
      node->through = vc;
      node->through_env = place;
      node->under = found;
    }
    out = node;
  }
  return mod_new(e, out, NULL);
}

// The abstract types of a mention of a module type, bound to what a module has at their paths.
static const Env *bind_fresh(Elab *e, const Env *env, const ModInfo *info, const ModVal *m) {
  for (int i = 0; info && i < info->fresh.len; i++) {
    const FreshType *f = &info->fresh.at[i];
    TypeArg_ arg = {.def = f->def};
    const Env *found = NULL;
    if (f->path.len == 1 && !m->is_functor) found = mod_type(m, f->path.at[0]);
    if (f->path.len > 1 && !m->is_functor) {
      const Env *sub = mod_term(m, f->path.at[0]);
      for (int k = 1; sub && k + 1 < f->path.len; k++) sub = mod_term(sub->mod, f->path.at[k]);
      if (sub && sub->tag == ENV_MOD && !sub->mod->is_functor)
        found = mod_type(sub->mod, f->path.at[f->path.len - 1]);
    }
    if (found) {
      arg.impl = found->type.def;
      arg.env = found->type.env;
    } else if (f->from) {
      const TypeArg_ *old = env_find_def(e, m->env, f->from);
      if (!old) continue;
      arg = *old;
      arg.def = f->def;
    } else {
      continue;
    }
    env = env_def(e, env, arg);
    ((Env *)env)->global = true;
  }
  return env;
}

// ---- module expressions ---------------------------------------------------------------------

static ModVal *modexp_eval(Elab *e, const ModExp *exp, const Env **env);

static ModVal *functor_new(Elab *e, const Env *env, const ModParam *params, int len,
                           const ModTypeExp *ret, const Coercion *coerce, const ModExp *body) {
  ModVal *f = mod_new(e, env, env);
  f->is_functor = true;
  f->params = params;
  f->params_len = len;
  f->ret = ret;
  f->coerce = coerce;
  f->body = body;
  return f;
}

static ModVal *ascribed(Elab *e, ModVal *m, const ModTypeExp *type, const Coercion *coerce,
                        const Env **env) {
  *env = bind_fresh(e, *env, type->info, m);
  return restrict_to(e, m, type, *env, coerce, *env);
}

static ModVal *functor_apply(Elab *e, const ModVal *f, ModVal *arg, const Coercion *coerce,
                             const Env *place) {
  const ModParam *p = &f->params[0];
  const Env *env = bind_fresh(e, f->env, p->type->info, arg);
  Env *node = (Env *)node_new(e, env, ENV_MOD, p->name);
  node->mod = restrict_to(e, arg, p->type, env, coerce, place);
  env = node;
  if (f->params_len > 1)
    return functor_new(e, env, f->params + 1, f->params_len - 1, f->ret, f->coerce, f->body);
  ModVal *m = modexp_eval(e, f->body, &env);
  return f->ret ? ascribed(e, m, f->ret, f->coerce, &env) : m;
}

static ModVal *modexp_apply(Elab *e, const ModExp *exp, const Env **env) {
  ModVal *f = modexp_eval(e, exp->apply.fn, env);
  ModVal *arg = modexp_eval(e, exp->apply.arg, env);
  check(f->is_functor);
  ModVal *m = functor_apply(e, f, arg, exp->info ? exp->info->coerce : NULL, *env);
  *env = bind_fresh(e, *env, exp->info, m);
  return m;
}

static ModVal *modexp_eval(Elab *e, const ModExp *exp, const Env **env) {
  switch (exp->tag) {
  case MODEXP_NAME:
    return env_module(e, *env, exp->name.name.parts.at, exp->name.name.parts.len);
  case MODEXP_DECS: return mod_new(e, decs_eval(e, &exp->decs.decs, *env, NULL), *env);
  case MODEXP_IMPORT: return file_eval(e, exp->info->file);
  case MODEXP_APPLY: return modexp_apply(e, exp, env);
  case MODEXP_LAMBDA:
    return functor_new(e, *env, &exp->lambda.param, 1, exp->lambda.type,
                       exp->info ? exp->info->coerce : NULL, exp->lambda.body);
  case MODEXP_ASCRIBE:
    return ascribed(e, modexp_eval(e, exp->ascribe.mod, env), exp->ascribe.type,
                    exp->info ? exp->info->coerce : NULL, env);
  }
  ice("module expression tag %d", exp->tag);
}

// ---- declarations ---------------------------------------------------------------------------

static const Env *dec_val(Elab *e, const Dec *dec, const Env *env) {
  const FunDef *fun = &dec->val.fun;
  if (fun->params.len == 0) {
    Env *node = (Env *)node_new(e, env, ENV_LAZY, fun->name);
    node->lazy = NEW(e->arena, Lazy);
    node->lazy->fun = fun;
    node->lazy->env = env;
    return node;
  }
  Env *node = (Env *)node_new(e, env, ENV_VAL, fun->name);
  Val *v = val_new(e, VAL_FUN);
  v->fun.code = code_of_fun(e, fun, &dec->attrs);
  v->fun.env = v->fun.code->recursive ? node : env;
  node->val.val = v;
  node->val.binding = fun->info ? fun->info->binding : NULL;
  return node;
}

static const Env *dec_mod(Elab *e, const Dec *dec, const Env *env) {
  const Coercion *coerce = dec->info ? dec->info->coerce : NULL;
  ModVal *m;
  if (dec->mod.params.len > 0) {
    m = functor_new(e, env, dec->mod.params.at, dec->mod.params.len, dec->mod.type, coerce,
                    dec->mod.body);
  } else {
    m = modexp_eval(e, dec->mod.body, &env);
    if (dec->mod.type) m = ascribed(e, m, dec->mod.type, coerce, &env);
  }
  Env *node = (Env *)node_new(e, env, ENV_MOD, dec->mod.name);
  node->mod = m;
  return node;
}

static const Env *opened(Elab *e, ModVal *m, const Env *env, bool hidden) {
  Env *node = (Env *)node_new(e, env, ENV_OPEN, NULL);
  node->mod = m;
  node->hidden = hidden;
  return node;
}

static const Env *dec_eval(Elab *e, const Dec *dec, const Env *env) {
  switch (dec->tag) {
  case DEC_VAL: return dec_val(e, dec, env);
  case DEC_TYPE: {
    Env *node = (Env *)node_new(e, env, ENV_TYPE, dec->type.name);
    node->type.def = dec->info->def;
    node->type.env = env;
    return node;
  }
  case DEC_MODTYPE: {
    Env *node = (Env *)node_new(e, env, ENV_MODTYPE, dec->modtype.name);
    node->modtype.exp = dec->modtype.type;
    node->modtype.env = env;
    return node;
  }
  case DEC_MOD: return dec_mod(e, dec, env);
  case DEC_OPEN: {
    ModVal *m = modexp_eval(e, dec->open.mod, &env);
    return opened(e, m, env, false);
  }
  case DEC_IMPORT: return opened(e, file_eval(e, dec->info->file), env, true);
  case DEC_LOCAL: {
    Dec *inner = arena_copy(e->arena, dec->local.dec, sizeof *inner);
    for (int i = 0; i < dec->attrs.len; i++)  // those in front of `local` are the declaration's
      list_push(e->arena, &inner->attrs, dec->attrs.at[i]);
    const Env *out = dec_eval(e, inner, env);
    for (const Env *n = out; n != env; n = n->next) ((Env *)n)->hidden = true;
    return out;
  }
  }
  ice("declaration tag %d", dec->tag);
}

const Env *decs_eval(Elab *e, const DecList *decs, const Env *env, const CheckedFile *file) {
  (void)file;
  for (int i = 0; i < decs->len; i++) env = dec_eval(e, decs->at[i], env);
  return env;
}

ModVal *file_eval(Elab *e, const CheckedFile *file) {
  ModVal *m = map_get(e->files, KEY(file));
  if (m) return m;
  const Env *env = NULL;
  if (!file->prelude && e->program->prelude)
    env = opened(e, file_eval(e, e->program->prelude), env, true);
  env = decs_eval(e, &file->syntax->decs, env, file);
  m = mod_new(e, env, NULL);
  map_put(e->files, KEY(file), m);
  return m;
}
