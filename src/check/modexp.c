// Module expressions: structures, imports, parametric modules, ascription.
#include "local.h"

// A body under parameters p[i..], with an optional module type for the result.
typedef struct {
  ModParam *params;
  int len;
  ModTypeExp *type;  // or NULL
  ModExp *body;
  Coercion **coerce;
} Functor;

// `e : S` contains what S mentions, with new abstract types.
static Mod *ascribe(Checker *c, Span at, Mod *mod, ModTypeExp *type, Coercion **coerce) {
  Signature sig = modtype_check(c, type);
  if (!mod || !sig.mod) return NULL;
  Subst subst = {0};
  return mod_match(c, at, mod, sig.mod, &sig.abstract, &subst, coerce) ? sig.mod : NULL;
}

static Mod *functor_check(Checker *c, const Functor *f, int i) {
  if (i == f->len) {
    Mod *body = modexp_check(c, f->body);
    if (f->type) c->failed = body == NULL;
    return f->type ? ascribe(c, f->body->span, body, f->type, f->coerce) : body;
  }
  ModParam *p = &f->params[i];
  for (int j = 0; j < i; j++)
    if (f->params[j].name == p->name)
      report(c, p->span, "[bound-twice] Name \"%s\" also bound by an earlier parameter.", p->name);
  Signature sig = modtype_check(c, p->type);
  Binding *b = binding_new(c, BIND_MODULE, p->name, p->span, NULL);
  unused_watch(c, b);
  b->mod = sig.mod;
  uint32_t start = c->next_id;
  int mark = names_scope_begin(c);
  scope_put(c, SPACE_TERM, p->name, b);
  Mod *result = functor_check(c, f, i + 1);
  names_scope_end(c, mark);
  if (!sig.mod || !result) return NULL;
  Mod *mod = NEW(c->arena, Mod);
  mod->param_name = p->name;
  mod->abstract = sig.abstract;
  mod->param = sig.mod;
  mod->result = result;
  mod->fresh = mod_fresh(c, result, start);
  return mod;
}

static Mod *decs_mod(Checker *c, ModExp *exp) {
  ModEnv *outer = c->exports;
  Mod *mod = NEW(c->arena, Mod);
  mod->env = c->exports = NEW(c->arena, ModEnv);
  int mark = names_scope_begin(c);
  c->module_depth++;
  decs_check(c, &exp->decs.decs);
  c->module_depth--;
  names_scope_end(c, mark);
  c->exports = outer;
  c->failed = false;
  return mod;
}

static Mod *import_mod(Checker *c, ModExp *exp, ModInfo *info) {
  info->file = import_find(c, exp->import.path);
  if (!info->file || !info->file->exports) return NULL;
  Mod *mod = NEW(c->arena, Mod);
  mod->env = info->file->exports;
  return mod;
}

static Mod *apply_mod(Checker *c, ModExp *exp, ModInfo *info) {
  Mod *fn = modexp_check(c, exp->apply.fn);
  Mod *arg = modexp_check(c, exp->apply.arg);
  if (!fn || !arg) return NULL;
  if (fn->env) {
    report(c, exp->apply.fn->span, "[not-parametric] Cannot apply non-parametric module.");
    return NULL;
  }
  Subst subst = {0};
  if (!mod_match(c, exp->apply.arg->span, arg, fn->param, &fn->abstract, &subst, &info->coerce))
    return NULL;
  TypeDefList fresh = defs_rename(c, &fn->fresh, &subst);
  Mod *result = mod_subst(c, fn->result, &subst);
  fresh_paths(c, result, &fresh, &fn->fresh, info);
  return result;
}

static Mod *modexp_form(Checker *c, ModExp *exp, ModInfo *info) {
  switch (exp->tag) {
    case MODEXP_NAME: {
      Binding *b = module_resolve(c, &exp->name);
      return b ? b->mod : NULL;
    }
    case MODEXP_DECS: return decs_mod(c, exp);
    case MODEXP_IMPORT: return import_mod(c, exp, info);
    case MODEXP_APPLY: return apply_mod(c, exp, info);
    case MODEXP_LAMBDA: {
      Functor f = {&exp->lambda.param, 1, exp->lambda.type, exp->lambda.body, &info->coerce};
      return functor_check(c, &f, 0);
    }
    case MODEXP_ASCRIBE: {
      Mod *mod = modexp_check(c, exp->ascribe.mod);
      return ascribe(c, exp->span, mod, exp->ascribe.type, &info->coerce);
    }
  }
  ice("module expression tag %d", exp->tag);
}

Mod *modexp_check(Checker *c, ModExp *exp) {
  ModInfo *info = modinfo_of(c, &exp->info);
  info->mod = modexp_form(c, exp, info);
  return info->mod;
}

void dec_mod_check(Checker *c, Dec *dec) {
  Info *info = info_of(c, &dec->info);
  c->failed = false;
  Functor f = {dec->mod.params.at, dec->mod.params.len, dec->mod.type, dec->mod.body,
               &info->coerce};
  if (f.len) c->module_depth++;
  info->mod = functor_check(c, &f, 0);
  if (f.len) c->module_depth--;
  Binding *b = binding_new(c, BIND_MODULE, dec->mod.name, dec->mod.name_span, NULL);
  b->level = 0;
  b->mod = info->mod;
  b->dec = dec;
  info->binding = b;
}
