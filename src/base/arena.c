// Bump allocation in blocks that double up to a limit.  Arenas beside each other hand on the
// blocks of those that are freed, whose pages the machine has already given; sanitizers see every
// block freed instead.  DAGAZ_STRESS shrinks the first block so that every path which grows is
// taken often.
#include "base.h"
#include <stdlib.h>
#include <string.h>

#ifdef DAGAZ_STRESS
enum { FIRST_BLOCK = 1024, LAST_BLOCK = 4096 };
#else
enum { FIRST_BLOCK = 64 * 1024, LAST_BLOCK = 4 * 1024 * 1024 };
#endif

#ifdef __SANITIZE_ADDRESS__
enum { HAND_ON = 0 };
#else
enum { HAND_ON = 1 };
#endif

typedef struct Block {
  struct Block *next;
  size_t size;
} Block;

// Shared by arenas beside each other: blocks that none of them uses, by size.  Blocks of class k
// have FIRST_BLOCK << k bytes or more; larger ones than the last class has are given back.
enum { CLASSES = 8 };
typedef struct Pool {
  Block *spare[CLASSES];
  int arenas;
} Pool;

static Arena *arena_in(Pool *pool) {
  Arena *arena = calloc(1, sizeof *arena);
  if (!arena || !pool) fail_io("out of memory");
  arena->next_size = FIRST_BLOCK;
  arena->pool = pool;
  pool->arenas++;
  return arena;
}

Arena *arena_new(void) { return arena_in(calloc(1, sizeof(Pool))); }
Arena *arena_beside(Arena *other) { return arena_in(other->pool); }

static void blocks_free(Block *block) {
  while (block) {
    Block *next = block->next;
    free(block);
    block = next;
  }
}

static void blocks_spare(Pool *pool, Block *block) {
  while (block) {
    Block *next = block->next;
    int class = 0;
    while (class < CLASSES && block->size >= (size_t)FIRST_BLOCK << (class + 1)) class++;
    if (class < CLASSES) {
      block->next = pool->spare[class];
      pool->spare[class] = block;
    } else {
      free(block);
    }
    block = next;
  }
}

void arena_free(Arena *arena) {
  if (!arena) return;
  if (--arena->pool->arenas == 0) {
    blocks_free(arena->blocks);
    for (int k = 0; k < CLASSES; k++) blocks_free(arena->pool->spare[k]);
    free(arena->pool);
  } else if (HAND_ON) {
    blocks_spare(arena->pool, arena->blocks);
  } else {
    blocks_free(arena->blocks);
  }
  free(arena);
}

static Block *spare_take(Pool *pool, size_t size) {
  for (int k = 0; k < CLASSES; k++) {
    Block *block = pool->spare[k];
    if (!block || (size_t)FIRST_BLOCK << k < size) continue;
    pool->spare[k] = block->next;
    return block;
  }
  return NULL;
}

static size_t newest_used(const Arena *arena) {
  return arena->blocks ? arena->blocks->size - arena->left : 0;
}

static void block_add(Arena *arena, size_t need) {
  size_t size = need > arena->next_size ? need : arena->next_size;
  Block *block = spare_take(arena->pool, size);
  if (!block) {
    block = malloc(sizeof *block + 16 + size);
    if (!block) fail_io("out of memory (%zu bytes)", size);
    block->size = size;
  }
  arena->used += newest_used(arena);
  block->next = arena->blocks;
  arena->blocks = block;
  arena->at = (char *)block + ((sizeof *block + 15) & ~(size_t)15);
  arena->left = block->size;
  if (arena->next_size < LAST_BLOCK) arena->next_size *= 2;
}

// Whole blocks are not zeroed: their ends are often never used, and take no pages then.
void *arena_more(Arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) fail_io("out of memory (%zu bytes)", size);
  block_add(arena, (size + 15) & ~(size_t)15);
  return arena_alloc_raw(arena, size);
}

size_t arena_used(const Arena *arena) { return arena->used + newest_used(arena); }

void *arena_copy(Arena *arena, const void *src, size_t size) {
  void *copy = arena_alloc_raw(arena, size);
  if (size) memcpy(copy, src, size);
  return copy;
}

char *arena_strndup(Arena *arena, const char *s, size_t len) {
  char *copy = arena_alloc_raw(arena, len + 1);
  memcpy(copy, s, len);
  copy[len] = 0;
  return copy;
}

char *arena_strdup(Arena *arena, const char *s) { return arena_strndup(arena, s, strlen(s)); }

char *arena_printf(Arena *arena, const char *fmt, ...) {
  Text text = {0};
  va_list args;
  va_start(args, fmt);
  text_vprintf(&text, fmt, args);
  va_end(args);
  char *result = arena_strndup(arena, text.at, text.len);
  text_free(&text);
  return result;
}
