// Interned names: open addressing over FNV-1a, texts owned by the table's arena.
#include "base.h"
#include <string.h>

struct Names {
  Arena *arena;
  Name *slots;
  uint32_t cap, len;
};

static uint32_t hash_text(const char *s, size_t len) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)s[i]) * 16777619u;
  return h;
}

Names *names_new(Arena *arena) {
  Names *names = NEW(arena, Names);
  names->arena = arena;
  names->cap = 256;
  names->slots = NEW_ARRAY(arena, Name, names->cap);
  return names;
}

static Name *slot_find(Names *names, const char *s, size_t len) {
  uint32_t i = hash_text(s, len) & (names->cap - 1);
  while (names->slots[i] && (strncmp(names->slots[i], s, len) != 0 || names->slots[i][len] != 0))
    i = (i + 1) & (names->cap - 1);
  return &names->slots[i];
}

static void names_grow(Names *names) {
  Name *old = names->slots;
  uint32_t cap = names->cap;
  names->cap *= 2;
  names->slots = NEW_ARRAY(names->arena, Name, names->cap);
  for (uint32_t i = 0; i < cap; i++)
    if (old[i]) *slot_find(names, old[i], strlen(old[i])) = old[i];
}

Name name_intern(Names *names, const char *s, size_t len) {
  Name *slot = slot_find(names, s, len);
  if (*slot) return *slot;
  if (++names->len * 2 > names->cap) {
    names_grow(names);
    slot = slot_find(names, s, len);
  }
  *slot = arena_strndup(names->arena, s, len);
  return *slot;
}

bool name_known(Names *names, const char *s, size_t len) { return *slot_find(names, s, len); }

Name name_of(Names *names, const char *s) { return name_intern(names, s, strlen(s)); }
