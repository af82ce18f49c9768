// Substitution: type parameters by types, size parameters by sizes, type names by type names.
// Unchanged parts are shared, not copied.
#include "local.h"

static Size *size_subst(Checker *c, Size *size, const Subst *s) {
  (void)c;
  if (!size || size->tag != SIZE_NAME) return size;
  for (int i = 0; i < s->sizes.len; i++)
    if (s->sizes.at[i].from == size->name) return s->sizes.at[i].to;
  return size;
}

static SType *array_subst(Checker *c, SType *type, const Subst *s) {
  SType *elem = stype_subst(c, type->array.elem, s);
  Size *dim = size_subst(c, type->array.dim, s);
  if (elem == type->array.elem && dim == type->array.dim) return type;
  SType *t = stype_array(c, dim, elem);
  t->unique = type->unique;
  t->starred = t->starred || type->unique;
  return t;
}

static SType *record_subst(Checker *c, SType *type, const Subst *s) {
  FieldList fields = {0};
  bool changed = false;
  for (int i = 0; i < type->record.fields.len; i++) {
    SField f = type->record.fields.at[i];
    SType *t = stype_subst(c, f.type, s);
    changed |= t != f.type;
    f.type = t;
    list_push(c->arena, &fields, f);
  }
  return changed ? stype_record(c, fields) : type;
}

static SType *sum_subst(Checker *c, SType *type, const Subst *s) {
  ConstrList constrs = {0};
  bool changed = false;
  for (int i = 0; i < type->sum.constrs.len; i++) {
    Constr old = type->sum.constrs.at[i], new = {old.name, {0}};
    for (int j = 0; j < old.args.len; j++) {
      SType *t = stype_subst(c, old.args.at[j], s);
      changed |= t != old.args.at[j];
      list_push(c->arena, &new.args, t);
    }
    list_push(c->arena, &constrs, new);
  }
  return changed ? stype_sum(c, constrs) : type;
}

static SType *arrow_subst(Checker *c, SType *type, const Subst *s) {
  SType *from = stype_subst(c, type->arrow.from, s), *to = stype_subst(c, type->arrow.to, s);
  if (from == type->arrow.from && to == type->arrow.to) return type;
  SType *t = stype_arrow(c, type->arrow.param, from, to);
  t->arrow.binding = type->arrow.binding;
  return t;
}

static NamedArgList args_subst(Checker *c, const NamedArgList *args, const Subst *s,
                               bool *changed) {
  NamedArgList out = {0};
  for (int i = 0; i < args->len; i++) {
    NamedArg arg = args->at[i];
    if (arg.is_size) arg.size = size_subst(c, arg.size, s);
    else arg.type = stype_subst(c, arg.type, s);
    *changed |= arg.size != args->at[i].size || arg.type != args->at[i].type;
    list_push(c->arena, &out, arg);
  }
  return out;
}

static SType *named_subst(Checker *c, SType *type, const Subst *s) {
  for (int i = 0; i < s->types.len; i++)
    if (s->types.at[i].param == type->named.def)
      return type->unique ? stype_star(c, s->types.at[i].type) : s->types.at[i].type;
  bool changed = false;
  NamedArgList args = args_subst(c, &type->named.args, s, &changed);
  TypeDef *def = s->defs ? map_get(s->defs, KEY(type->named.def)) : NULL;
  if (!def && !changed) return type;
  SType *t = type_expand(c, def ? def : type->named.def, &args);
  return type->unique ? stype_star(c, t) : t;
}

SType *stype_subst(Checker *c, SType *type, const Subst *s) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ERROR: return type;
    case TYPE_ARRAY: return array_subst(c, type, s);
    case TYPE_RECORD: return record_subst(c, type, s);
    case TYPE_SUM: return sum_subst(c, type, s);
    case TYPE_ARROW: return arrow_subst(c, type, s);
    case TYPE_NAMED: return named_subst(c, type, s);
  }
  ice("type tag %d", type->tag);
}

// A type name applied to as many arguments as it has parameters.
SType *type_expand(Checker *c, TypeDef *def, const NamedArgList *args) {
  switch (def->tag) {
    case TYPEDEF_PRIM: return c->prims[def->prim];
    case TYPEDEF_PARAM:
    case TYPEDEF_ABSTRACT:
    case TYPEDEF_ACC: return stype_named(c, def, *args);
    case TYPEDEF_ABBREV: break;
  }
  if (!def->params.len) return def->type;
  Subst s = {0};
  for (int i = 0; i < def->params.len && i < args->len; i++) {
    if (def->params.at[i].is_size) {
      SizeArg arg = {def->params.at[i].size, args->at[i].size};
      list_push(c->arena, &s.sizes, arg);
    } else {
      InstArg arg = {def->params.at[i].type, args->at[i].type};
      list_push(c->arena, &s.types, arg);
    }
  }
  return stype_subst(c, def->type, &s);
}

// ---- modules ---------------------------------------------------------------------------------
static void origin_put(Checker *c, void *copy, void *from, const Subst *s) {
  if (!c->origins) c->origins = map_new(c->arena);
  Origin *origin = NEW(c->arena, Origin);
  *origin = (Origin){from, s->defs};
  map_put(c->origins, KEY(copy), origin);
}

// The type name that takes def's place in a renamed module.
TypeDef *typedef_subst(Checker *c, TypeDef *def, const Subst *s) {
  TypeDef *to = s->defs ? map_get(s->defs, KEY(def)) : NULL;
  if (to) return to;
  if (def->tag != TYPEDEF_ABBREV) return def;
  SType *type = stype_subst(c, def->type, s);
  if (type == def->type) return def;
  type = stype_bounded(c, def->span, type);
  TypeDef *copy = arena_copy(c->arena, def, sizeof *def);
  copy->id = c->next_id++;
  copy->type = type;
  origin_put(c, copy, def, s);
  return copy;
}

static Binding *binding_subst(Checker *c, Binding *b, const Subst *s) {
  SType *type = b->type ? stype_subst(c, b->type, s) : NULL;
  Mod *mod = b->mod ? mod_subst(c, b->mod, s) : NULL;
  if (type == b->type && mod == b->mod) return b;
  Binding *copy = arena_copy(c->arena, b, sizeof *b);
  copy->proven = NULL;
  copy->id = c->next_id++;
  copy->type = type;
  copy->mod = mod;
  origin_put(c, copy, b, s);
  return copy;
}

static ModTypeDef *modtypedef_subst(Checker *c, ModTypeDef *def, const Subst *s) {
  Mod *mod = mod_subst(c, def->mod, s);
  if (mod == def->mod) return def;
  ModTypeDef *copy = arena_copy(c->arena, def, sizeof *def);
  copy->mod = mod;
  return copy;
}

static ModEnv *env_subst(Checker *c, ModEnv *env, const Subst *s) {
  ModEnv *out = NEW(c->arena, ModEnv);
  bool changed = false;
  for (int i = 0; i < env->terms.len; i++) {
    list_push(c->arena, &out->terms, binding_subst(c, env->terms.at[i], s));
    changed |= out->terms.at[i] != env->terms.at[i];
  }
  for (int i = 0; i < env->types.len; i++) {
    list_push(c->arena, &out->types, typedef_subst(c, env->types.at[i], s));
    changed |= out->types.at[i] != env->types.at[i];
  }
  for (int i = 0; i < env->modtypes.len; i++) {
    list_push(c->arena, &out->modtypes, modtypedef_subst(c, env->modtypes.at[i], s));
    changed |= out->modtypes.at[i] != env->modtypes.at[i];
  }
  return changed ? out : env;
}

Mod *mod_subst(Checker *c, Mod *mod, const Subst *s) {
  if (!mod) return NULL;
  Mod *copy = arena_copy(c->arena, mod, sizeof *mod);
  if (mod->env) {
    copy->env = env_subst(c, mod->env, s);
    return copy->env == mod->env ? mod : copy;
  }
  copy->param = mod_subst(c, mod->param, s);
  copy->result = mod_subst(c, mod->result, s);
  return copy->param == mod->param && copy->result == mod->result ? mod : copy;
}
