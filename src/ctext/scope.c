// Names and tags in scope, innermost first.
#include "local.h"

void scope_push(C *c) {
  Scope *s = NEW(c->arena, Scope);
  *s = (Scope){c->scope, map_new(c->arena), map_new(c->arena)};
  c->scope = s;
}

void scope_pop(C *c) { c->scope = c->scope->outer; }

const Symbol *scope_find(const C *c, Name name) {
  for (const Scope *s = c->scope; s; s = s->outer) {
    const Symbol *found = map_get(s->names, KEY(name));
    if (found) return found;
  }
  return NULL;
}

void scope_add(C *c, Name name, Symbol symbol) {
  map_put(c->scope->names, KEY(name), arena_copy(c->arena, &symbol, sizeof symbol));
}

CRecord *scope_tag(const C *c, Name name, bool here) {
  for (const Scope *s = c->scope; s; s = here ? NULL : s->outer) {
    CRecord *found = map_get(s->tags, KEY(name));
    if (found) return found;
  }
  return NULL;
}

void scope_add_tag(C *c, Name name, CRecord *record) {
  map_put(c->scope->tags, KEY(name), record);
}
