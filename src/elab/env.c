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

static bool is_term(EnvTag tag) {
  return tag == ENV_VAL || tag == ENV_LAZY || tag == ENV_MOD;
}

// ---- long environments -------------------------------------------------------------------------
// Whoever walks far lays an index over what was walked, so that programs of thousands of bindings
// do not search them all for every name.  An index takes in those below it that cover no more than
// it does: each search meets a logarithmic number.  Opened modules are no part of any.
enum { FAR = 64 };
struct EnvIndex {
  Map *terms;       // newest by name
  Map *bindings;    // newest value by binding
  const Env *next;  // where its stretch ends
  int covers;
};

static void index_add(struct EnvIndex *x, const Env *env) {
  if (is_term(env->tag) && !map_get(x->terms, KEY(env->name)))
    map_put(x->terms, KEY(env->name), (Env *)env);
}

static void index_add_binding(struct EnvIndex *x, const Env *env) {
  if (env->tag == ENV_VAL && env->val.binding && !map_get(x->bindings, KEY(env->val.binding)))
    map_put(x->bindings, KEY(env->val.binding), (Env *)env);
}

static void index_lay(Elab *e, const Env *env) {
  struct EnvIndex *x = NEW(e->arena, struct EnvIndex);
  x->terms = map_new(e->arena);
  x->bindings = map_new(e->arena);
  for (x->next = env; x->next && x->next->tag != ENV_OPEN; x->covers++) {
    const struct EnvIndex *below = x->next->index;
    if (below && below->covers > x->covers) break;
    for (int i = 0; below && i < map_len(below->terms); i++)
      index_add(x, map_value_at(below->terms, i));
    for (int i = 0; below && i < map_len(below->bindings); i++)
      index_add_binding(x, map_value_at(below->bindings, i));
    if (!below) index_add_binding(x, x->next);
    if (below) x->covers += below->covers - 1;
    else index_add(x, x->next);
    x->next = below ? below->next : x->next->next;
  }
  ((Env *)env)->index = x;
}

const Env *env_term(Elab *e, const Env *env, Name name) {
  const Env *start = env, *found = NULL;
  int steps = 0;
  while (env && !found) {
    if (env->index) {
      found = map_get(env->index->terms, KEY(name));
      start = env = env->index->next;
      steps = 0;
    } else if (is_term(env->tag) && env->name == name) {
      found = env;
    } else if (env->tag == ENV_OPEN) {
      found = mod_term(env->mod, name);
      start = env = env->next;
      steps = 0;
    } else {
      if (++steps == FAR) index_lay(e, start);
      env = env->next;
    }
  }
  return found;
}

const Env *env_type(const Env *env, Name name) {
  for (; env; env = env->next) {
    if (env->tag == ENV_TYPE && env->name == name) return env;
    if (env->tag != ENV_OPEN) continue;
    const Env *found = mod_type(env->mod, name);
    if (found) return found;
  }
  return NULL;
}

const Env *env_modtype(const Env *env, Name name) {
  for (; env; env = env->next) {
    if (env->tag == ENV_MODTYPE && env->name == name) return env;
    if (env->tag != ENV_OPEN) continue;
    const Env *found = mod_modtype(env->mod, name);
    if (found) return found;
  }
  return NULL;
}

const Env *mod_term(const ModVal *mod, Name name) {
  for (const Env *env = mod->env; env != mod->stop; env = env->next) {
    if (env->hidden) continue;
    if (is_term(env->tag) && env->name == name) return env;
    if (env->tag != ENV_OPEN) continue;
    const Env *found = mod_term(env->mod, name);
    if (found) return found;
  }
  return NULL;
}

const Env *mod_type(const ModVal *mod, Name name) {
  for (const Env *env = mod->env; env != mod->stop; env = env->next) {
    if (env->hidden) continue;
    if (env->tag == ENV_TYPE && env->name == name) return env;
    if (env->tag != ENV_OPEN) continue;
    const Env *found = mod_type(env->mod, name);
    if (found) return found;
  }
  return NULL;
}

const Env *mod_modtype(const ModVal *mod, Name name) {
  for (const Env *env = mod->env; env != mod->stop; env = env->next) {
    if (env->hidden) continue;
    if (env->tag == ENV_MODTYPE && env->name == name) return env;
    if (env->tag != ENV_OPEN) continue;
    const Env *found = mod_modtype(env->mod, name);
    if (found) return found;
  }
  return NULL;
}

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
