// base: the ground of every layer.  Arenas, interned names, growable lists, hash maps, text
// buffers, files and failure.  Nothing here depends on the language.
#ifndef BASE_H
#define BASE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// ---- arena.c ---------------------------------------------------------------------------------
// An arena owns everything allocated from it and gives it all back at once.  Memory comes
// zeroed.  Nothing in the compiler calls free() on a node.
typedef struct Arena Arena;
struct Arena {  // for the functions below only
  char *at;     // what is free of the newest block: a multiple of 16 bytes
  size_t left;
  struct Block *blocks;
  size_t next_size, used;  // used: of the blocks before the newest
  struct Pool *pool;
};
Arena *arena_new(void);
Arena *arena_beside(Arena *other);  // a new one, but memory that one frees the other may get
void arena_free(Arena *arena);
void *arena_more(Arena *arena, size_t size);  // from a new block
static inline void *arena_alloc_raw(Arena *arena, size_t size) {  // not zeroed
  if (size > arena->left) return arena_more(arena, size);
  size = (size + 15) & ~(size_t)15;
  void *result = arena->at;
  arena->at += size;
  arena->left -= size;
  return result;
}
static inline void *arena_alloc(Arena *arena, size_t size) {
  return memset(arena_alloc_raw(arena, size), 0, size);
}
size_t arena_used(const Arena *arena);  // bytes handed out so far
char *arena_strndup(Arena *arena, const char *s, size_t len);
char *arena_strdup(Arena *arena, const char *s);
char *arena_printf(Arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void *arena_copy(Arena *arena, const void *src, size_t size);
#define NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define NEW_ARRAY(arena, T, n) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(n)))

// ---- list.c ----------------------------------------------------------------------------------
// LIST(T) is a growable array living in an arena.  `list_push(arena, &list, x)` appends;
// elements are list.at[0] .. list.at[list.len - 1].  Growing leaves the old block to the arena.
#define LIST(T)   \
  struct {        \
    T *at;        \
    int len, cap; \
  }
#define list_push(arena, list, ...)                                                      \
  ((list)->len < (list)->cap                                                              \
       ? (void)0                                                                          \
       : list_grow((arena), (void **)&(list)->at, (list)->len, &(list)->cap,              \
                   sizeof *(list)->at),                                                   \
   (void)((list)->at[(list)->len++] = (__VA_ARGS__)))
void list_grow(Arena *arena, void **at, int len, int *cap, size_t size);  // a full one
// Room for n elements in a list that has none yet.
#define list_reserve(arena, list, n) \
  list_room((arena), (void **)&(list)->at, (n), &(list)->cap, sizeof *(list)->at)
void list_room(Arena *arena, void **at, int n, int *cap, size_t size);

// ---- name.c ----------------------------------------------------------------------------------
// Interned strings: two names from one table are the same text iff the pointers are equal.
typedef const char *Name;
typedef struct Names Names;
Names *names_new(Arena *arena);
Name name_intern(Names *names, const char *s, size_t len);
Name name_of(Names *names, const char *s);
bool name_known(Names *names, const char *s, size_t len);  // it was interned already

// ---- map.c -----------------------------------------------------------------------------------
// Hash map from a pointer or integer key (not 0) to a pointer.  Iteration order is insertion
// order, so nothing printed depends on addresses.
typedef struct Map Map;
Map *map_new(Arena *arena);
void map_put(Map *map, uint64_t key, void *value);  // replaces
void *map_get(const Map *map, uint64_t key);        // NULL when absent
int map_len(const Map *map);
uint64_t map_key_at(const Map *map, int i);  // i-th inserted
void *map_value_at(const Map *map, int i);
#define KEY(p) ((uint64_t)(uintptr_t)(p))

// ---- text.c ----------------------------------------------------------------------------------
// A growing, always NUL-terminated character buffer (malloc'd; text_free gives it back).
typedef struct {
  char *at;
  size_t len, cap;
} Text;
void text_printf(Text *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(Text *text, const char *fmt, va_list args);
void text_puts(Text *text, const char *s);
void text_putc(Text *text, char c);
void text_write(Text *text, const char *s, size_t len);
void text_free(Text *text);

// ---- file.c ----------------------------------------------------------------------------------
// Whole files.  file_read returns NULL with errno set on failure; the text is NUL-terminated.
char *file_read(Arena *arena, const char *path, size_t *len);
char *stream_read(Arena *arena, FILE *stream, size_t *len);
bool file_write(const char *path, const char *s, size_t len);  // false with errno set

// ---- replace.c -------------------------------------------------------------------------------
// file_write for files of the user's: whatever happens, the old contents or the new are there.
// REMADE: the compiler can make it again, so it need not outlive a power failure.
typedef enum { DURABLE, REMADE } Durability;
bool file_replace(const char *path, const char *s, size_t len, Durability durability);
char *file_fresh(Arena *arena, const char *path);  // an unused name in its folder; NULL: none

// ---- json.c ----------------------------------------------------------------------------------
// JSON text is not trusted: NULL when it is malformed or nested more than 200 levels deep.
typedef enum { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonTag;
typedef struct Json Json;
typedef struct {
  const char *name;
  const Json *value;
} JsonMember;
struct Json {
  JsonTag tag;
  bool boolean;
  double number;
  const char *string;  // NUL-terminated UTF-8; `len` bytes, a NUL among them possible
  size_t len;
  LIST(const Json *) elems;
  LIST(JsonMember) members;
};
const Json *json_parse(Arena *arena, const char *text, size_t len);
const Json *json_get(const Json *object, const char *name);  // NULL: absent, or no object
const char *json_text(const Json *j);                      // NULL: no string
bool json_int(const Json *j, int64_t *out);                  // false: no integer below 2^53
void json_print(Text *out, const Json *j);
void json_print_string(Text *out, const char *s);  // NULL: null; bytes that are no UTF-8: U+FFFD

// ---- fail.c ----------------------------------------------------------------------------------
// Leaving.  A Session (driver/) arms a Stop; every layer below may leave through stop_now, and
// `ice` and `check` do so with STATUS_BUG.  The armed stop is the library's one thread-local.
typedef enum {
  STATUS_OK = 0,
  STATUS_IO = 1,           // the machine's fault: files, memory
  STATUS_USER_ERROR = 2,   // the user's program is wrong
  STATUS_UNSUPPORTED = 3,  // a known gap of this compiler
  STATUS_BUG = 70,         // our own broken promise
} Status;
typedef struct Stop {
  jmp_buf jump;
  Status status;
  struct Stop *outer;
} Stop;
#define stop_arm(stop) (stop_push(stop), setjmp((stop)->jump) == 0)
void stop_push(Stop *stop);
void stop_pop(Stop *stop);
_Noreturn void stop_now(Status status);
_Noreturn void ice_at(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define ice(...) ice_at(__FILE__, __LINE__, __VA_ARGS__)
#define check(cond) ((cond) ? (void)0 : ice_at(__FILE__, __LINE__, "broken promise: %s", #cond))
_Noreturn void fail_io(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#define COUNT_OF(a) ((int)(sizeof(a) / sizeof *(a)))
#endif
