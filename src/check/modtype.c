// Module types: specifications, refinement, renaming of abstract types.
#include "local.h"
#include <string.h>

static bool defs_have(const TypeDefList *defs, const TypeDef *def) {
  for (int i = 0; i < defs->len; i++)
    if (defs->at[i] == def) return true;
  return false;
}

// ---- paths -----------------------------------------------------------------------------------
static bool def_denotes(const TypeDef *def, const TypeDef *abstract) {
  if (def == abstract) return true;
  if (def->tag != TYPEDEF_ABBREV || def->params.len || !def->type) return false;
  SType *t = stype_find(def->type);
  return t->tag == TYPE_NAMED && t->named.def == abstract && !t->named.args.len;
}

static bool path_search(Checker *c, const Mod *mod, const TypeDef *def, NameList *path) {
  if (!mod || !mod->env) return false;
  for (int i = 0; i < mod->env->types.len; i++) {
    const TypeDef *have = mod->env->types.at[i];
    if (!def_denotes(have, def) || modenv_type(c, mod->env, have->name) != have) continue;
    list_push(c->arena, path, have->name);
    return true;
  }
  for (int i = 0; i < mod->env->terms.len; i++) {
    const Binding *b = mod->env->terms.at[i];
    if (b->tag != BIND_MODULE || modenv_term(c, mod->env, b->name) != b) continue;
    list_push(c->arena, path, b->name);
    if (path_search(c, b->mod, def, path)) return true;
    path->len--;
  }
  return false;
}

NameList path_find(Checker *c, const Mod *mod, const TypeDef *def) {
  NameList path = {0};
  path_search(c, mod, def, &path);
  return path;
}

void fresh_paths(Checker *c, const Mod *mod, const TypeDefList *defs, const TypeDefList *from,
                 ModInfo *into) {
  for (int i = 0; i < defs->len; i++) {
    FreshType fresh = {path_find(c, mod, defs->at[i]), defs->at[i], from ? from->at[i] : NULL};
    list_push(c->arena, &into->fresh, fresh);
  }
}

// ---- renaming --------------------------------------------------------------------------------
TypeDefList defs_rename(Checker *c, const TypeDefList *defs, Subst *subst) {
  TypeDefList out = {0};
  if (!subst->defs) subst->defs = map_new(c->arena);
  for (int i = 0; i < defs->len; i++) {
    TypeDef *copy = arena_copy(c->arena, defs->at[i], sizeof *copy);
    copy->id = c->next_id++;
    map_put(subst->defs, KEY(defs->at[i]), copy);
    list_push(c->arena, &out, copy);
  }
  return out;
}

typedef struct {
  Checker *c;
  uint32_t start;
  Map *seen;
  TypeDefList out;
} Collect;

static void collect_def(Collect *k, TypeDef *def) {
  if (def->tag != TYPEDEF_ABSTRACT || def->id < k->start || map_get(k->seen, KEY(def))) return;
  map_put(k->seen, KEY(def), def);
  list_push(k->c->arena, &k->out, def);
}

static void collect_type(Collect *k, SType *type) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ERROR: break;
    case TYPE_ARRAY: collect_type(k, type->array.elem); break;
    case TYPE_RECORD:
      for (int i = 0; i < type->record.fields.len; i++)
        collect_type(k, type->record.fields.at[i].type);
      break;
    case TYPE_SUM:
      for (int i = 0; i < type->sum.constrs.len; i++)
        for (int j = 0; j < type->sum.constrs.at[i].args.len; j++)
          collect_type(k, type->sum.constrs.at[i].args.at[j]);
      break;
    case TYPE_ARROW:
      collect_type(k, type->arrow.from);
      collect_type(k, type->arrow.to);
      break;
    case TYPE_NAMED:
      collect_def(k, type->named.def);
      for (int i = 0; i < type->named.args.len; i++)
        if (type->named.args.at[i].type) collect_type(k, type->named.args.at[i].type);
      break;
  }
}

static void collect_mod(Collect *k, Mod *mod) {
  if (!mod) return;
  if (!mod->env) {
    for (int i = 0; i < mod->abstract.len; i++)
      map_put(k->seen, KEY(mod->abstract.at[i]), mod);
    for (int i = 0; i < mod->fresh.len; i++) map_put(k->seen, KEY(mod->fresh.at[i]), mod);
    collect_mod(k, mod->param);
    collect_mod(k, mod->result);
    return;
  }
  for (int i = 0; i < mod->env->types.len; i++) {
    collect_def(k, mod->env->types.at[i]);
    if (mod->env->types.at[i]->type) collect_type(k, mod->env->types.at[i]->type);
  }
  for (int i = 0; i < mod->env->terms.len; i++) {
    if (mod->env->terms.at[i]->type) collect_type(k, mod->env->terms.at[i]->type);
    collect_mod(k, mod->env->terms.at[i]->mod);
  }
}

TypeDefList stype_defs(Checker *c, SType *type) {
  Collect k = {c, 0, map_new(c->arena), {0}};
  collect_type(&k, type);
  return k.out;
}

TypeDefList mod_fresh(Checker *c, Mod *mod, uint32_t start) {
  Collect k = {c, start, map_new(c->arena), {0}};
  collect_mod(&k, mod);
  return k.out;
}

// ---- specifications --------------------------------------------------------------------------
Binding *spec_val_check(Checker *c, Spec *spec) {
  binding_begin(c);
  Binding *b = binding_new(c, BIND_SPEC, spec->val.name, spec->val.name_span, NULL);
  b->spec = spec;
  b->level = 0;
  int mark = names_scope_begin(c);
  for (int i = 0; i < spec->val.tparams.len; i++)
    for (int j = 0; j < i; j++)
      if (spec->val.tparams.at[i].name == spec->val.tparams.at[j].name)
        report(c, spec->val.tparams.at[i].span, "[bound-twice] Type parameter \"%s\" previously "
                                                "defined.",
               spec->val.tparams.at[i].name);
  tparams_bind(c, &spec->val.tparams, b);
  b->type = type_exp(c, spec->val.type);
  if (c->anonymous_sizes)
    report(c, spec->val.type->span, "[anonymous-parameter] All function parameters must have "
                                    "non-anonymous sizes.\n"
           "Hint: add size parameters to \"%s\".", spec->val.name);
  names_scope_end(c, mark);
  binding_solve(c);
  later_run(c);
  info_of(c, &spec->info)->binding = b;
  return b;
}

typedef struct {
  ModEnv *env;
  TypeDefList abstract;
  Map *seen[SPACE_COUNT];
} Specs;

static void spec_once(Checker *c, Specs *s, Space space, Name name, Span span) {
  if (map_get(s->seen[space], KEY(name)))
    diag_error(c->diag, span, "[duplicate-definition] Duplicate definition of \"%s\" in module "
                              "type.", name);
  map_put(s->seen[space], KEY(name), s);
}

static void abstract_add(Checker *c, Specs *s, const TypeDefList *more) {
  for (int i = 0; i < more->len; i++) list_push(c->arena, &s->abstract, more->at[i]);
}

static void spec_type(Checker *c, Specs *s, Spec *spec) {
  TypeDef *def = type_bind_check(c, &spec->type);
  spec_once(c, s, SPACE_TYPE, def->name, def->span);
  info_of(c, &spec->info)->def = def;
  if (def->tag == TYPEDEF_ABSTRACT) list_push(c->arena, &s->abstract, def);
  scope_put(c, SPACE_TYPE, def->name, def);
  list_push(c->arena, &s->env->types, def);
}

static void spec_mod(Checker *c, Specs *s, Spec *spec) {
  c->failed = false;
  spec_once(c, s, SPACE_TERM, spec->mod.name, spec->mod.name_span);
  Signature sig = modtype_check(c, spec->mod.type);
  Binding *b = binding_new(c, BIND_MODULE, spec->mod.name, spec->mod.name_span, NULL);
  b->mod = sig.mod;
  b->spec = spec;
  info_of(c, &spec->info)->binding = b;
  abstract_add(c, s, &sig.abstract);
  scope_put(c, SPACE_TERM, b->name, b);
  list_push(c->arena, &s->env->terms, b);
}

static void spec_include(Checker *c, Specs *s, Spec *spec) {
  c->failed = false;
  Signature sig = modtype_check(c, spec->include.type);
  if (!sig.mod) return;
  if (!sig.mod->env) {
    report(c, spec->span, "[module-is-parametric] Cannot have parametric module here.");
    return;
  }
  abstract_add(c, s, &sig.abstract);
  const ModEnv *env = sig.mod->env;
  for (int i = 0; i < env->types.len; i++) {
    if (modenv_type(c, s->env, env->types.at[i]->name))
      diag_warn(c->diag, spec->span, "[inclusion-shadows] Inclusion shadows type \"%s\".",
                env->types.at[i]->name);
    list_push(c->arena, &s->env->types, env->types.at[i]);
  }
  for (int i = 0; i < env->terms.len; i++)
    list_push(c->arena, &s->env->terms, env->terms.at[i]);
  modenv_open(c, env);
}

static void spec_check(Checker *c, Specs *s, Spec *spec) {
  switch (spec->tag) {
    case SPEC_VAL: {
      Binding *b = spec_val_check(c, spec);
      spec_once(c, s, SPACE_TERM, b->name, b->span);
      scope_put(c, SPACE_TERM, b->name, b);
      list_push(c->arena, &s->env->terms, b);
      break;
    }
    case SPEC_TYPE: spec_type(c, s, spec); break;
    case SPEC_MOD: spec_mod(c, s, spec); break;
    case SPEC_INCLUDE: spec_include(c, s, spec); break;
  }
}

static Mod *mod_plain(Checker *c, ModEnv *env) {
  Mod *mod = NEW(c->arena, Mod);
  mod->env = env;
  return mod;
}

static Signature specs_check(Checker *c, SpecList *specs) {
  Specs s = {.env = NEW(c->arena, ModEnv)};
  for (int i = 0; i < SPACE_COUNT; i++) s.seen[i] = map_new(c->arena);
  int mark = names_scope_begin(c);
  for (int i = 0; i < specs->len; i++) spec_check(c, &s, specs->at[i]);
  names_scope_end(c, mark);
  return (Signature){mod_plain(c, s.env), s.abstract};
}

// ---- refinement ------------------------------------------------------------------------------
static TypeDef *path_type(Checker *c, const Mod *mod, const NameList *path) {
  for (int i = 0; i < path->len - 1; i++) {
    Binding *b = mod && mod->env ? modenv_term(c, mod->env, path->at[i]) : NULL;
    if (!b || b->tag != BIND_MODULE) return NULL;
    mod = b->mod;
  }
  return mod && mod->env ? modenv_type(c, mod->env, path->at[path->len - 1]) : NULL;
}

// An included abbreviation `t = t` shadows the abstract t of the including module type and still
// means it: `include S with t = t`.
static TypeDef *shadowed_abstract(TypeDef *def) {
  while (def && def->tag == TYPEDEF_ABBREV) {
    const SType *t = stype_find(def->type);
    if (t->tag != TYPE_NAMED || t->named.args.len != def->params.len) return def;
    if (t->named.def->name != def->name) return def;
    def = t->named.def;
  }
  return def;
}

static bool params_agree(const TypeDef *a, const TypeDef *b) {
  if (a->params.len != b->params.len) return false;
  for (int i = 0; i < a->params.len; i++) {
    if (a->params.at[i].is_size != b->params.at[i].is_size) return false;
    if (!a->params.at[i].is_size && b->params.at[i].type->lift < a->params.at[i].type->lift)
      return false;
  }
  return true;
}

// S with t = type: t becomes an abbreviation everywhere in S.
static Signature with_check(Checker *c, ModTypeExp *exp) {
  Signature sig = modtype_check(c, exp->with.src);
  Lift lift = LIFT_FULL;
  TypeBind bind = {lift, exp->with.name.name.parts.at[exp->with.name.name.parts.len - 1],
                   exp->with.name.name.span, exp->with.tparams, exp->with.type};
  bool failed = c->failed;
  TypeDef *def = type_bind_check(c, &bind);
  if (failed || c->failed || !sig.mod) {
    c->failed = true;
    return (Signature){0};
  }
  const char *path = path_text(c, &exp->with.name.name.parts, exp->with.name.name.parts.len);
  TypeDef *old = shadowed_abstract(path_type(c, sig.mod, &exp->with.name.name.parts));
  if (!sig.mod->env || !old || !defs_have(&sig.abstract, old)) {
    report(c, exp->with.name.name.span, sig.mod->env
               ? "[not-abstract] \"%s\" is not an abstract type in the module type."
               : "Cannot have parametric module here (refining \"%s\").", path);
    return (Signature){0};
  }
  if (!params_agree(old, def)) {
    report(c, exp->span, "[refine-parameters] Cannot refine a type having %d parameters with a "
                         "type having %d: "
           "\"%s\" differs in number or kind of parameters.", old->params.len, def->params.len,
           path);
    return (Signature){0};
  }
  Lift lifted = stype_lift(def->type);
  def->lift = lifted < old->lift ? lifted : old->lift;
  Subst s = {.defs = map_new(c->arena)};
  map_put(s.defs, KEY(old), def);
  Signature out = {mod_subst(c, sig.mod, &s), {0}};
  for (int i = 0; i < sig.abstract.len; i++)
    if (sig.abstract.at[i] != old) list_push(c->arena, &out.abstract, sig.abstract.at[i]);
  return out;
}

static Signature arrow_check(Checker *c, ModTypeExp *exp) {
  Signature from = modtype_check(c, exp->arrow.from);
  int mark = names_scope_begin(c);
  if (exp->arrow.param) {
    Binding *b = binding_new(c, BIND_MODULE, exp->arrow.param, exp->arrow.param_span, NULL);
    b->mod = from.mod;
    scope_put(c, SPACE_TERM, b->name, b);
  }
  Signature to = modtype_check(c, exp->arrow.to);
  names_scope_end(c, mark);
  if (!from.mod || !to.mod) return (Signature){0};
  Mod *mod = NEW(c->arena, Mod);
  mod->param_name = exp->arrow.param;
  mod->abstract = from.abstract;
  mod->param = from.mod;
  mod->result = to.mod;
  mod->fresh = to.abstract;
  return (Signature){mod, {0}};
}

static Signature name_check(Checker *c, ModTypeExp *exp) {
  ModTypeDef *def = modtype_resolve(c, &exp->name);
  if (!def || !def->mod) {
    c->failed = true;
    return (Signature){0};
  }
  Subst s = {0};
  TypeDefList fresh = defs_rename(c, &def->abstract, &s);
  return (Signature){mod_subst(c, def->mod, &s), fresh};
}

Signature modtype_check(Checker *c, ModTypeExp *exp) {
  Signature sig = {0};
  switch (exp->tag) {
    case MODTYPE_NAME: sig = name_check(c, exp); break;
    case MODTYPE_SPECS: sig = specs_check(c, &exp->specs.specs); break;
    case MODTYPE_WITH: sig = with_check(c, exp); break;
    case MODTYPE_ARROW: sig = arrow_check(c, exp); break;
  }
  ModInfo *info = modinfo_of(c, &exp->info);
  info->mod = sig.mod;
  fresh_paths(c, sig.mod, &sig.abstract, NULL, info);
  return sig;
}
