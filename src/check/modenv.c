// The contents of modules: entries in order, of which later ones shadow earlier ones of their name.
// Long lists have an index, brought up to date by each look-up.
#include "local.h"

enum { FEW = 8 };

static int entries_len(const ModEnv *env, Space space) {
  switch (space) {
    case SPACE_TERM: return env->terms.len;
    case SPACE_TYPE: return env->types.len;
    case SPACE_MODTYPE: return env->modtypes.len;
    case SPACE_COUNT: break;
  }
  ice("name space %d", space);
}

static void *entry_at(const ModEnv *env, Space space, int i, Name *name) {
  switch (space) {
    case SPACE_TERM: return *name = env->terms.at[i]->name, env->terms.at[i];
    case SPACE_TYPE: return *name = env->types.at[i]->name, env->types.at[i];
    case SPACE_MODTYPE: return *name = env->modtypes.at[i]->name, env->modtypes.at[i];
    case SPACE_COUNT: break;
  }
  ice("name space %d", space);
}

static void *entry_find(Checker *c, ModEnv *env, Space space, Name name) {
  int n = entries_len(env, space);
  Name have = NULL;
  for (int i = n; n <= FEW && i-- > 0;) {
    void *entry = entry_at(env, space, i, &have);
    if (have == name) return entry;
  }
  if (n <= FEW) return NULL;
  if (!env->index[space]) env->index[space] = map_new(c->arena);
  for (; env->indexed[space] < n; env->indexed[space]++) {
    void *entry = entry_at(env, space, env->indexed[space], &have);
    map_put(env->index[space], KEY(have), entry);
  }
  return map_get(env->index[space], KEY(name));
}

Binding *modenv_term(Checker *c, ModEnv *env, Name name) {
  return entry_find(c, env, SPACE_TERM, name);
}
TypeDef *modenv_type(Checker *c, ModEnv *env, Name name) {
  return entry_find(c, env, SPACE_TYPE, name);
}
ModTypeDef *modenv_modtype(Checker *c, ModEnv *env, Name name) {
  return entry_find(c, env, SPACE_MODTYPE, name);
}

void modenv_open(Checker *c, const ModEnv *env) {
  for (int i = 0; i < env->terms.len; i++)
    scope_put(c, SPACE_TERM, env->terms.at[i]->name, env->terms.at[i]);
  for (int i = 0; i < env->types.len; i++)
    scope_put(c, SPACE_TYPE, env->types.at[i]->name, env->types.at[i]);
  for (int i = 0; i < env->modtypes.len; i++)
    scope_put(c, SPACE_MODTYPE, env->modtypes.at[i]->name, env->modtypes.at[i]);
}

// An entry that is present and not shadowed stays: modules that come by many ways come once.
void modenv_include(Checker *c, ModEnv *env, const ModEnv *more) {
  for (int i = 0; i < more->terms.len; i++)
    if (modenv_term(c, env, more->terms.at[i]->name) != more->terms.at[i])
      list_push(c->arena, &env->terms, more->terms.at[i]);
  for (int i = 0; i < more->types.len; i++)
    if (modenv_type(c, env, more->types.at[i]->name) != more->types.at[i])
      list_push(c->arena, &env->types, more->types.at[i]);
  for (int i = 0; i < more->modtypes.len; i++)
    if (modenv_modtype(c, env, more->modtypes.at[i]->name) != more->modtypes.at[i])
      list_push(c->arena, &env->modtypes, more->modtypes.at[i]);
}
