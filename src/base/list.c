// Growth of LIST(T); see base.h.
#include "base.h"
#include <string.h>

void list_grow(Arena *arena, void **at, int len, int *cap, size_t size) {
#ifdef DAGAZ_STRESS
  *cap = len < 64 ? len + 1 : len * 2;  // one by one at first, and long lists stay possible
#else
  *cap = len < 4 ? 4 : len * 2;
#endif
  void *bigger = arena_alloc_raw(arena, (size_t)*cap * size);
  if (len) memcpy(bigger, *at, (size_t)len * size);
  *at = bigger;
}

void list_room(Arena *arena, void **at, int n, int *cap, size_t size) {
  if (n <= 0) return;
  *at = arena_alloc_raw(arena, (size_t)n * size);
  *cap = n;
}
