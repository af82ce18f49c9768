// The meaning of names: a.b.c is modules, then a value, then fields.
#include "local.h"
#include <string.h>

// The name looked for, in the module `env` or, if that is NULL, in the scope.
typedef struct {
  const char *kind;
  Space space;
  bool module;
} Wanted;
static const Wanted wanted_value = {"name", SPACE_TERM, false};
static const Wanted wanted_type = {"type", SPACE_TYPE, false};
static const Wanted wanted_modtype = {"module type", SPACE_MODTYPE, false};
static const Wanted wanted_module = {"module", SPACE_TERM, true};

// The first `len` parts of the name were looked at; the last of them is unknown.
static void unknown_name(Checker *c, const VarRef *ref, const Wanted *wanted, const ModEnv *env,
                         int len) {
  const NameList *parts = &ref->name.parts;
  const char *prefix = "";
  report(c, ref->name.span, "[unknown-name] Unknown %s \"%s\".", wanted->kind,
         path_text(c, parts, wanted->space == SPACE_TERM && !wanted->module ? len : parts->len));
  if (len > 1) prefix = arena_printf(c->arena, "%s.", path_text(c, parts, len - 1));
  bool module = wanted->module || len < parts->len;
  hint_name(c, module ? SPACE_TERM : wanted->space, env, ref->name.span, prefix,
            parts->at[len - 1], module);
}

// ---- module paths ----------------------------------------------------------------------------
// Reports and gives NULL unless `b` is a plain module.
static ModEnv *module_env(Checker *c, Binding *b, const VarRef *ref, int len, const Wanted *wanted,
                          const ModEnv *within) {
  const char *path = path_text(c, &ref->name.parts, len);
  if (b && b->tag == BIND_MODULE && !b->mod) {  // its error has been reported
    c->failed = true;
    return NULL;
  }
  if (!b || b->tag != BIND_MODULE) {
    unknown_name(c, ref, wanted, within, len);
    return NULL;
  }
  if (b->mod->env) return b->mod->env;
  report(c, ref->name.span, "[module-is-parametric] Module \"%s\" is a parametric module "
                            "(#module-is-parametric).", path);
  return NULL;
}

static void warn_intrinsics(Checker *c, Binding *root, Span at) {
  if (root == c->intrinsics && !c->file->builtin && !c->failed)
    diag_warn(c->diag, at, "[intrinsics] Using intrinsic functions directly can easily crash the "
                           "compiler or "
                           "result in wrong code generation.");
}

// The environment in which the last component stands; NULL: the scope itself, or (error set).
static ModEnv *path_env(Checker *c, VarRef *ref, const Wanted *wanted, bool *error) {
  const NameList *parts = &ref->name.parts;
  *error = false;
  if (parts->len == 1) return NULL;
  Binding *b = scope_get(c, SPACE_TERM, parts->at[0]);
  ref->inst->root = b;
  ref->inst->mods = parts->len - 1;
  if (b) b->used = true;
  ModEnv *env = NULL;
  for (int i = 1;; i++) {
    env = module_env(c, b, ref, i, wanted, env);
    *error = env == NULL;
    if (!env || i == parts->len - 1) return env;
    b = modenv_term(c, env, parts->at[i]);
  }
}

TypeDef *typename_resolve(Checker *c, VarRef *ref) {
  bool error;
  ref->inst = inst_new(c);
  ModEnv *env = path_env(c, ref, &wanted_type, &error);
  if (error) return NULL;
  Name last = ref->name.parts.at[ref->name.parts.len - 1];
  TypeDef *def = env ? modenv_type(c, env, last) : scope_get(c, SPACE_TYPE, last);
  ref->inst->def = def;
  if (!def) unknown_name(c, ref, &wanted_type, env, ref->name.parts.len);
  return def;
}

ModTypeDef *modtype_resolve(Checker *c, VarRef *ref) {
  bool error;
  ref->inst = inst_new(c);
  ModEnv *env = path_env(c, ref, &wanted_modtype, &error);
  if (error) return NULL;
  Name last = ref->name.parts.at[ref->name.parts.len - 1];
  ModTypeDef *def = env ? modenv_modtype(c, env, last) : scope_get(c, SPACE_MODTYPE, last);
  ref->inst->modtype = def;
  if (!def) unknown_name(c, ref, &wanted_modtype, env, ref->name.parts.len);
  return def;
}

Binding *module_resolve(Checker *c, VarRef *ref) {
  bool error;
  ref->inst = inst_new(c);
  ModEnv *env = path_env(c, ref, &wanted_module, &error);
  if (error) return NULL;
  Name last = ref->name.parts.at[ref->name.parts.len - 1];
  Binding *b = env ? modenv_term(c, env, last) : scope_get(c, SPACE_TERM, last);
  if (b && b == c->intrinsics) {
    report(c, ref->name.span, "[intrinsics-module] The 'intrinsics' module may not be used in "
                              "module expressions.");
    return NULL;
  }
  if (!b || b->tag != BIND_MODULE) {
    unknown_name(c, ref, &wanted_module, env, ref->name.parts.len);
    return NULL;
  }
  ref->inst->mods = ref->name.parts.len;
  ref->inst->binding = b;
  if (!ref->inst->root) ref->inst->root = b;
  b->used = true;
  return b;
}

// ---- values ----------------------------------------------------------------------------------
// A fresh instance of the binding's type scheme.
SType *instantiate(Checker *c, Binding *b, Span at, Inst *inst) {
  inst->binding = b;
  if (!b->type || b->type->tag == TYPE_ERROR) c->unsound = true;
  if (!b->type) return c->error;
  if (!b->tparams.len || b == c->self) return b->type;
  Subst s = {0};
  for (int i = 0; i < b->tparams.len; i++) {
    TypeDef *def = b->tparams.at[i];
    SType *t;
    if (b->tag == BIND_OPERATOR && b->prims)
      t = stype_fresh_prim(c, b->prims, at,
                          arena_printf(c->arena, "operand of \"%s\"", b->name));
    else if (b->tag == BIND_OPERATOR)
      t = stype_fresh(c, LIFT_NONE, at,
                      arena_printf(c->arena, "an operand of \"%s\" (it must support equality)",
                                   b->name));
    else
      t = stype_fresh(c, def->lift, at,
                     arena_printf(c->arena, "type parameter \"%s\" of \"%s\"", def->name, b->name));
    InstArg arg = {def, t};
    list_push(c->arena, &s.types, arg);
  }
  inst->args = s.types;
  return stype_subst(c, b->type, &s);
}

static bool name_is_private(Name name) { return name[0] == '_'; }

// The binding of the longest prefix that is a value.
static Binding *value_find(Checker *c, VarRef *ref) {
  const NameList *parts = &ref->name.parts;
  Binding *b = scope_get(c, SPACE_TERM, parts->at[0]);
  Inst *inst = ref->inst;
  inst->root = b;
  if (b) b->used = true;
  if (parts->len > 1) warn_intrinsics(c, b, ref->name.span);
  int i = 0;
  ModEnv *env = NULL;
  while (b && b->tag == BIND_MODULE && i + 1 < parts->len) {
    env = module_env(c, b, ref, i + 1, &wanted_value, env);
    if (!env) return NULL;
    b = modenv_term(c, env, parts->at[++i]);
  }
  inst->mods = i;
  inst->fields = parts->len - i - 1;
  if (!b || b->tag == BIND_MODULE) {
    unknown_name(c, ref, &wanted_value, env, i + 1);
    return NULL;
  }
  if (name_is_private(parts->at[i])) {
    report(c, ref->name.span,
           "[private-name] Use of \"%s\": variables prefixed with underscore may not be accessed.",
           parts->at[i]);
    return NULL;
  }
  return b;
}

// The operand type of == and != must have equality.
static void operator_check(Checker *c, const VarRef *op) {
  const Inst *inst = op->inst;
  if (inst->binding->tag != BIND_OPERATOR || inst->binding->prims || !inst->args.len) return;
  Later later = {.tag = LATER_EQUALITY, .span = op->name.span, .type = inst->args.at[0].type,
                 .what = inst->binding->name};
  list_push(c->arena, &c->later, later);
}

SType *value_resolve(Checker *c, VarRef *ref) {
  ref->inst = inst_new(c);
  ref->type = c->error;
  Binding *b = value_find(c, ref);
  if (!b) return c->error;
  b->used = true;
  SType *type = instantiate(c, b, ref->name.span, ref->inst);
  ref->inst->type = type;
  operator_check(c, ref);
  if (b == c->self) list_push(c->arena, &c->self_uses, ref->inst);
  const NameList *parts = &ref->name.parts;
  for (int i = parts->len - ref->inst->fields; i < parts->len; i++)
    type = field_project(c, type, parts->at[i], ref->name.span);
  ref->type = type;
  return type;
}
