// The runtime as an object that programs are linked with: compiled once for each compiler, flags,
// machine and text of the runtime, and kept in the cache as a folder with `runtime.o` and
// `declarations.c`.
#include "driver.h"
#include <stdlib.h>
#include <unistd.h>

// Changes when back_declarations would give other text for the same runtime.
static const char format[] = "1";
static const char *const files[] = {"runtime.o", "declarations.c", NULL};

static const char *folder_name(Arena *arena, const Text *runtime, FlagSet flags) {
  uint64_t key = machine_hash(hash_text(14695981039346656037u, format));
  key = hash_text(toolchain_hash(key, flags), runtime->at);
  return arena_printf(arena, "rts-%016llx", (unsigned long long)key);
}

static bool runtime_load(Arena *arena, const char *dir, LinkedRuntime *r) {
  if (!dir) return false;
  r->object = arena_printf(arena, "%s/runtime.o", dir);
  r->declarations = file_read(arena, arena_printf(arena, "%s/declarations.c", dir), NULL);
  return r->declarations && access(r->object, R_OK) == 0;
}

static bool declarations_save(const char *preprocessed, const char *path) {
  Text text = {0};
  back_declarations(&text, preprocessed);
  bool ok = text.len > 0 && file_write(path, text.at, text.len);
  text_free(&text);
  return ok;
}

static bool runtime_make(Arena *arena, const char *dir, const Text *runtime, FlagSet flags) {
  const char *c = arena_printf(arena, "%s/runtime.c", dir);
  const char *i = arena_printf(arena, "%s/runtime.i", dir);
  if (!file_write(c, runtime->at, runtime->len)) return false;
  const char *object[] = {"-fPIC", "-c", "-o", arena_printf(arena, "%s/runtime.o", dir), c, NULL};
  const char *text[] = {"-E", "-P", "-dD", "-o", i, c, NULL};
  pid_t compiling = compiler_start(flags, object, true),
        reading = compiler_start(flags, text, true);
  bool ok = compiler_wait(reading);
  const char *preprocessed = ok ? file_read(arena, i, NULL) : NULL;
  ok = preprocessed &&
       declarations_save(preprocessed, arena_printf(arena, "%s/declarations.c", dir));
  ok = compiler_wait(compiling) && ok;
  unlink(c), unlink(i);
  return ok;
}

// Where the cache takes nothing, what was made serves this once.
static bool runtime_add(Arena *arena, const char *dir, const char *name, const Text *runtime,
                        LinkedRuntime *r) {
  r->compiled = runtime_make(arena, dir, runtime, r->flags);
  if (!r->compiled) return false;
  const char *kept = cache_add(arena, dir, name, files);
  return runtime_load(arena, kept ? kept : dir, r);
}

LinkedRuntime runtime_object(Arena *arena, const char *dir, bool single) {
  LinkedRuntime r = {0};
  if (!cache_dir(arena, CACHE_HOME, true) && !cache_dir(arena, CACHE_SPARE, true)) return r;
  Text runtime = {0};
  const char *names[2];
  back_runtime(&runtime, single);
  bool found = false;
  for (int set = FLAGS_TUNED; set <= FLAGS_PORTABLE && !found; set++) {
    r.flags = (FlagSet)set;
    names[set] = folder_name(arena, &runtime, r.flags);
    found = runtime_load(arena, cache_find(arena, names[set], files), &r);
  }
  for (int set = FLAGS_TUNED; set <= FLAGS_PORTABLE && !found; set++) {
    r.flags = (FlagSet)set;
    found = runtime_add(arena, dir, names[set], &runtime, &r);
  }
  text_free(&runtime);
  return found ? r : (LinkedRuntime){0};
}
