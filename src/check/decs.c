// Declarations: what they bind, what they export, duplicates.
#include "local.h"
#include <string.h>

ModInfo *modinfo_of(Checker *c, ModInfo **slot) {
  if (!*slot) *slot = NEW(c->arena, ModInfo);
  return *slot;
}

// Size parameters must occur in the type they belong to; call when only that has been resolved.
void tparams_sizes_used(Checker *c, const TypeParamList *params, const char *where) {
  for (int i = 0; i < params->len; i++) {
    const TypeParam *p = &params->at[i];
    if (p->tag == TPARAM_SIZE && p->info && p->info->binding && !p->info->binding->used)
      report(c, p->span, "[unused-size] Size [%s] unused%s.", p->name, where);
  }
}

// ---- types -----------------------------------------------------------------------------------
static void lift_check(Checker *c, const TypeBind *bind, Lift actual) {
  const char *kind = bind->lift == LIFT_NONE ? "Non-lifted" : "Size-lifted";
  if (actual == LIFT_FULL && bind->lift < LIFT_FULL)
    report(c, bind->name_span, "[type-kind] %s type abbreviations may not contain functions.",
           kind);
  else if (c->anonymous_sizes && bind->lift == LIFT_NONE)
    report(c, bind->name_span, "[type-kind] Non-lifted type abbreviations may not use existential "
                               "sizes.");
  else if (actual == LIFT_SIZE && bind->lift == LIFT_NONE)
    report(c, bind->name_span, bind->type->tag == TEXP_EXISTS
               ? "[type-kind] Non-lifted type abbreviations may not use existential sizes."
               : "[type-kind] Non-lifted type abbreviations may not contain size-lifted types.");
}

static void params_bind(Checker *c, TypeDef *def, TypeParamList *params) {
  for (int i = 0; i < params->len; i++)
    for (int j = 0; j < i; j++)
      if (params->at[i].name == params->at[j].name)
        report(c, params->at[i].span, "[bound-twice] Type parameter \"%s\" previously defined.",
               params->at[i].name);
  tparams_bind(c, params, NULL);
  for (int i = 0; i < params->len; i++) {
    const Info *info = params->at[i].info;
    TypeDefParam param = {params->at[i].tag == TPARAM_SIZE, info->def, info->binding};
    list_push(c->arena, &def->params, param);
  }
}

// An abbreviation, or in a module type an abstract type.
TypeDef *type_bind_check(Checker *c, TypeBind *bind) {
  binding_begin(c);
  c->level = 0;
  TypeDef *def = typedef_new(c, bind->type ? TYPEDEF_ABBREV : TYPEDEF_ABSTRACT, bind->name,
                             bind->name_span, bind->lift);
  int mark = names_scope_begin(c);
  params_bind(c, def, &bind->tparams);
  if (bind->type) {
    Lift lift = LIFT_NONE;
    c->abbreviation = true;
    def->type = stype_bounded(c, bind->name_span, type_exp_lift(c, bind->type, &lift));
    def->written = bind->type;
    lift_check(c, bind, lift);
    for (int i = 0; i < def->params.len; i++)
      if (def->params.at[i].is_size && !def->params.at[i].size->used)
        report(c, def->params.at[i].size->span, "[unused-size] Size parameter \"[%s]\" unused.",
               def->params.at[i].size->name);
  }
  names_scope_end(c, mark);
  binding_solve(c);
  later_run(c);
  return def;
}

// ---- exports ---------------------------------------------------------------------------------
static void export_term(Checker *c, Binding *b) {
  scope_put(c, SPACE_TERM, b->name, b);
  list_push(c->arena, &c->exports->terms, b);
}

static void export_env(Checker *c, const ModEnv *env) {
  modenv_open(c, env);
  modenv_include(c, c->exports, env);
}

// ---- declarations ----------------------------------------------------------------------------
static bool name_in(const char *const *names, Name name) {
  for (; names && *names; names++)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

static bool is_entry(Checker *c, const Dec *dec) {
  if (c->file != c->program->root || c->module_depth) return false;
  return dec->val.entry || strcmp(dec->val.fun.name, "main") == 0 ||
         name_in(c->extra_entries, dec->val.fun.name);
}

static void dec_val_check(Checker *c, Dec *dec) {
  Binding *b = def_check(c, dec);
  info_of(c, &dec->info)->binding = b;
  if (dec->val.entry && c->module_depth)
    report(c, dec->span, "[entry-in-module] Entry points may not be declared inside modules.");
  if (is_entry(c, dec)) {
    entry_check(c, dec, b);
    EntryPoint entry = {.name = dec->val.fun.name, .fun = &dec->val.fun, .dec = dec, .binding = b};
    list_push(c->arena, &c->program->entries, entry);
  }
  export_term(c, b);
}

static void dec_modtype_check(Checker *c, Dec *dec) {
  c->failed = false;
  ModTypeDef *def = NEW(c->arena, ModTypeDef);
  Signature sig = modtype_check(c, dec->modtype.type);
  def->name = dec->modtype.name;
  def->span = dec->modtype.name_span;
  def->abstract = sig.abstract;
  def->mod = sig.mod;
  scope_put(c, SPACE_MODTYPE, def->name, def);
  list_push(c->arena, &c->exports->modtypes, def);
}

static void dec_open_check(Checker *c, Dec *dec) {
  c->failed = false;
  Mod *mod = modexp_check(c, dec->open.mod);
  info_of(c, &dec->info)->mod = mod;
  if (!mod) return;
  if (mod->env) export_env(c, mod->env);
  else report(c, dec->span, "[module-is-parametric] Cannot have parametric module here.");
}

CheckedFile *import_find(Checker *c, const char *path) {
  const ImportRefList *refs = &c->file->syntax->imports;
  for (int i = 0; i < refs->len && i < c->file->imports.len; i++)
    if (strcmp(refs->at[i].path, path) == 0) return c->file->imports.at[i];
  return NULL;
}

static void dec_import_check(Checker *c, Dec *dec) {
  CheckedFile *file = import_find(c, dec->import.path);
  info_of(c, &dec->info)->file = file;
  if (file && file->exports) modenv_open(c, file->exports);
}

static void dec_check(Checker *c, Dec *dec);

static void dec_local_check(Checker *c, Dec *dec) {
  ModEnv *exports = c->exports;
  c->exports = NEW(c->arena, ModEnv);
  dec_check(c, dec->local.dec);
  c->exports = exports;
}

static void dec_check(Checker *c, Dec *dec) {
  switch (dec->tag) {
    case DEC_VAL: dec_val_check(c, dec); break;
    case DEC_TYPE: {
      TypeDef *def = type_bind_check(c, &dec->type);
      info_of(c, &dec->info)->def = def;
      scope_put(c, SPACE_TYPE, def->name, def);
      list_push(c->arena, &c->exports->types, def);
      break;
    }
    case DEC_MODTYPE: dec_modtype_check(c, dec); break;
    case DEC_MOD:
      dec_mod_check(c, dec);
      export_term(c, dec->info->binding);
      break;
    case DEC_OPEN: dec_open_check(c, dec); break;
    case DEC_IMPORT: dec_import_check(c, dec); break;
    case DEC_LOCAL: dec_local_check(c, dec); break;
  }
}

// ---- duplicates ------------------------------------------------------------------------------
static Name dec_name(const Dec *dec, Space *space, Span *span) {
  switch (dec->tag) {
    case DEC_VAL:
      *space = SPACE_TERM;
      *span = dec->val.fun.name_span;
      return dec->val.fun.name;
    case DEC_MOD:
      *space = SPACE_TERM;
      *span = dec->mod.name_span;
      return dec->mod.name;
    case DEC_TYPE:
      *space = SPACE_TYPE;
      *span = dec->type.name_span;
      return dec->type.name;
    case DEC_MODTYPE:
      *space = SPACE_MODTYPE;
      *span = dec->modtype.name_span;
      return dec->modtype.name;
    case DEC_OPEN:
    case DEC_IMPORT:
    case DEC_LOCAL: return NULL;
  }
  return NULL;
}

static void duplicates_check(Checker *c, const DecList *decs) {
  static const char *const kinds[] = {"value", "type", "module type"};
  Map *seen[SPACE_COUNT];
  for (int i = 0; i < SPACE_COUNT; i++) seen[i] = map_new(c->arena);
  for (int i = 0; i < decs->len; i++) {
    Space space = SPACE_TERM;
    Span span = decs->at[i]->span;
    Name name = dec_name(decs->at[i], &space, &span);
    if (!name) continue;
    if (map_get(seen[space], KEY(name))) {
      diag_error(c->diag, span, "[duplicate-definition] Duplicate definition of %s \"%s\".",
                 kinds[space], name);
      const Dec *first = map_get(seen[space], KEY(name));
      dec_name(first, &space, &span);
      diag_note(c->diag, span, "The first definition is here.");
    }
    map_put(seen[space], KEY(name), decs->at[i]);
  }
}

void decs_check(Checker *c, DecList *decs) {
  duplicates_check(c, decs);
  for (int i = 0; i < decs->len; i++) dec_check(c, decs->at[i]);
}
