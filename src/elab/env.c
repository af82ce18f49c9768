// Environments: persistent lists, newest binding first.  Values and modules share one name space;
// types and module types have their own.
#include "local.h"

const Env *env_new(Elab *e, const Env *next, EnvTag tag, Name name) {
  Env *env = NEW(e->arena, Env);
  env->tag = tag;
  env->name = name;
  env->next = next;
  return env;
}

const Env *env_val(Elab *e, const Env *env, Name name, const Binding *binding, Val *val) {
  Env *out = (Env *)env_new(e, env, ENV_VAL, name);
  out->val.val = val;
  out->val.binding = binding;
  return out;
}

const Env *env_def(Elab *e, const Env *env, TypeArg_ def) {
  Env *out = (Env *)env_new(e, env, ENV_DEF, NULL);
  out->def = def;
  out->global = env && env->global;
  TypeArg_ *last = arena_copy(e->arena, &def, sizeof def);
  map_put(e->defs, KEY(def.def), last);
  return out;
}

static bool is_of(EnvTag tag, NameSpace space) {
  switch (space) {
  case NAMES_TERM: return tag == ENV_VAL || tag == ENV_LAZY || tag == ENV_MOD;
  case NAMES_TYPE: return tag == ENV_TYPE;
  case NAMES_MODTYPE: return tag == ENV_MODTYPE;
  case NAME_SPACES: break;
  }
  ice("name space %d", space);
}

// ---- long environments -------------------------------------------------------------------------
// Whoever walks far lays an index over what was walked, so that programs of thousands of bindings
// do not search them all for every name.  An index takes in those below it that cover no more than
// it does: each search meets a logarithmic number.  It begins where the walk was FAR away, so that
// those who start nearby, on either side, find it too.  Opened modules are no part of any.
enum { FAR = 64 };
struct EnvIndex {
  Map *names[NAME_SPACES];  // newest by name
  Map *bindings;            // newest value by binding
  const Env *next;          // where its stretch ends
  int covers;
};

static void index_add(struct EnvIndex *x, const Env *env) {
  for (int s = 0; s < NAME_SPACES; s++)
    if (is_of(env->tag, (NameSpace)s) && !map_get(x->names[s], KEY(env->name)))
      map_put(x->names[s], KEY(env->name), (Env *)env);
}

static void index_add_binding(struct EnvIndex *x, const Env *env) {
  if (env->tag == ENV_VAL && env->val.binding && !map_get(x->bindings, KEY(env->val.binding)))
    map_put(x->bindings, KEY(env->val.binding), (Env *)env);
}

static void index_add_all(struct EnvIndex *x, const struct EnvIndex *below) {
  for (int s = 0; s < NAME_SPACES; s++)
    for (int i = 0; i < map_len(below->names[s]); i++)
      index_add(x, map_value_at(below->names[s], i));
  for (int i = 0; i < map_len(below->bindings); i++)
    index_add_binding(x, map_value_at(below->bindings, i));
}

static void index_lay(Elab *e, const Env *env) {
  struct EnvIndex *x = NEW(e->arena, struct EnvIndex);
  for (int s = 0; s < NAME_SPACES; s++) x->names[s] = map_new(e->arena);
  x->bindings = map_new(e->arena);
  for (x->next = env; x->next && x->next->tag != ENV_OPEN; x->covers++) {
    const struct EnvIndex *below = x->next->index;
    if (below && below->covers > x->covers) break;
    if (below) index_add_all(x, below);
    if (!below) index_add_binding(x, x->next);
    if (below) x->covers += below->covers - 1;
    else index_add(x, x->next);
    x->next = below ? below->next : x->next->next;
  }
  ((Env *)env)->index = x;
}

static const Env *mod_find(const ModVal *mod, NameSpace space, Name name);

static const Env *env_find(Elab *e, const Env *env, NameSpace space, Name name) {
  const Env *found = NULL;
  int steps = 0;
  while (env && !found) {
    if (env->index) {
      found = map_get(env->index->names[space], KEY(name));
      env = env->index->next;
      steps = 0;
    } else if (is_of(env->tag, space) && env->name == name) {
      found = env;
    } else if (env->tag == ENV_OPEN) {
      found = mod_find(env->mod, space, name);
      env = env->next;
      steps = 0;
    } else if (++steps == FAR) {
      index_lay(e, env);
    } else {
      env = env->next;
    }
  }
  return found;
}

const Env *env_term(Elab *e, const Env *env, Name name) {
  return env_find(e, env, NAMES_TERM, name);
}
const Env *env_type(Elab *e, const Env *env, Name name) {
  return env_find(e, env, NAMES_TYPE, name);
}
const Env *env_modtype(Elab *e, const Env *env, Name name) {
  return env_find(e, env, NAMES_MODTYPE, name);
}

// ---- modules -----------------------------------------------------------------------------------
// A module that opens others is reached by many ways: it remembers what it was asked.
static const Env absent;

static const Env *mod_find(const ModVal *mod, NameSpace space, Name name) {
  enum { FEW = 8 };
  const Env *found = map_get(mod->found[space], KEY(name));
  if (found) return found == &absent ? NULL : found;
  int steps = 0;
  for (const Env *env = mod->env; env != mod->stop && !found; env = env->next, steps++) {
    if (env->hidden) continue;
    if (is_of(env->tag, space) && env->name == name) found = env;
    if (env->tag != ENV_OPEN) continue;
    found = mod_find(env->mod, space, name);
    steps += FEW;
  }
  if (steps > FEW) map_put(mod->found[space], KEY(name), (Env *)(found ? found : &absent));
  return found;
}

const Env *mod_term(const ModVal *mod, Name name) { return mod_find(mod, NAMES_TERM, name); }
const Env *mod_type(const ModVal *mod, Name name) { return mod_find(mod, NAMES_TYPE, name); }
const Env *mod_modtype(const ModVal *mod, Name name) { return mod_find(mod, NAMES_MODTYPE, name); }

// Type parameters are found in the environment; abstract types of plain modules have one meaning
// in the whole program and may be out of reach by scope.
const TypeArg_ *env_find_def(Elab *e, const Env *env, const TypeDef *def) {
  for (; env; env = env->next)
    if (env->tag == ENV_DEF && env->def.def == def) return &env->def;
  return map_get(e->defs, KEY(def));
}

Val *env_binding(const Env *env, const Binding *binding) {
  while (env && !env->global) {
    const Env *found = NULL;
    if (env->index && binding) found = map_get(env->index->bindings, KEY(binding));
    else if (env->tag == ENV_VAL && env->val.binding == binding) found = env;
    if (found) return found->global ? NULL : found->val.val;
    env = env->index && binding ? env->index->next : env->next;
  }
  return NULL;
}

// The module a path of names leads to.
ModVal *env_module(Elab *e, const Env *env, const Name *path, int len) {
  const Env *found = env_term(e, env, path[0]);
  for (int i = 1; i < len && found; i++) {
    check(found->tag == ENV_MOD);
    found = mod_term(found->mod, path[i]);
  }
  check(found && found->tag == ENV_MOD);
  return found->mod;
}
