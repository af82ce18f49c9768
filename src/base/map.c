// Hash map from nonzero 64-bit keys to pointers; entries are kept in insertion order and the
// open-addressed table holds indices into them.  A few entries are searched one by one.
#include "base.h"

enum { FEW = 8 };

typedef struct {
  uint64_t key;
  void *value;
} Entry;

struct Map {
  Arena *arena;
  LIST(Entry) entries;
  int *table;  // 0 = free, else entry index + 1
  int cap;
};

static uint64_t hash_key(uint64_t x) {
  x ^= x >> 32;
  x *= 0x9E3779B97F4A7C15u;
  return x ^ (x >> 29);
}

Map *map_new(Arena *arena) {
  Map *map = NEW(arena, Map);
  map->arena = arena;
  return map;
}

static int slot_find(const Map *map, uint64_t key) {
  int i = (int)(hash_key(key) & (uint64_t)(map->cap - 1));
  while (map->table[i] && map->entries.at[map->table[i] - 1].key != key)
    i = (i + 1) & (map->cap - 1);
  return i;
}

static void map_grow(Map *map) {
  map->cap = map->cap ? map->cap * 2 : 4 * FEW;
  map->table = NEW_ARRAY(map->arena, int, map->cap);
  for (int i = 0; i < map->entries.len; i++)
    map->table[slot_find(map, map->entries.at[i].key)] = i + 1;
}

static Entry *entry_of(const Map *map, uint64_t key) {
  if (map->cap) {
    int i = map->table[slot_find(map, key)];
    return i ? &map->entries.at[i - 1] : NULL;
  }
  for (int i = 0; i < map->entries.len; i++)
    if (map->entries.at[i].key == key) return &map->entries.at[i];
  return NULL;
}

void map_put(Map *map, uint64_t key, void *value) {
  check(key != 0);
  Entry *entry = entry_of(map, key);
  if (entry) {
    entry->value = value;
    return;
  }
  list_push(map->arena, &map->entries, (Entry){key, value});
  if (map->entries.len > FEW && map->entries.len * 2 > map->cap) map_grow(map);
  else if (map->cap) map->table[slot_find(map, key)] = map->entries.len;
}

void *map_get(const Map *map, uint64_t key) {
  const Entry *entry = entry_of(map, key);
  return entry ? entry->value : NULL;
}

int map_len(const Map *map) { return map->entries.len; }
uint64_t map_key_at(const Map *map, int i) { return map->entries.at[i].key; }
void *map_value_at(const Map *map, int i) { return map->entries.at[i].value; }
