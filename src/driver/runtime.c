// The runtime as an object that programs are linked with: compiled once for each compiler, flags
// and text of the runtime, and kept in the cache as a folder with `runtime.o` and
// `declarations.c`.
#include "driver.h"
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

// Changes when back_declarations would give other text for the same runtime.
static const char format[] = "1";

// -march=native means another thing on another machine, and home folders are shared.
static const char *folder_name(Arena *arena, const char *dir, const Text *runtime, FlagSet flags) {
  uint64_t key = hash_text(14695981039346656037u, format);
  struct utsname machine;
  key = hash_text(toolchain_hash(key, flags), runtime->at);
  if (uname(&machine) == 0) key = hash_text(hash_text(key, machine.nodename), machine.machine);
  return arena_printf(arena, "%s/rts-%016llx", dir, (unsigned long long)key);
}

static bool runtime_load(Arena *arena, const char *dir, LinkedRuntime *r) {
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

// Makes the two files in a folder of its own.
static bool runtime_make(Arena *arena, const char *dir, const Text *runtime, FlagSet flags) {
  const char *c = arena_printf(arena, "%s/runtime.c", dir);
  const char *i = arena_printf(arena, "%s/runtime.i", dir);
  if (!file_write(c, runtime->at, runtime->len)) return false;
  const char *object[] = {"-fPIC", "-c", "-o", arena_printf(arena, "%s/runtime.o", dir), c, NULL};
  const char *text[] = {"-E", "-P", "-dD", "-o", i, c, NULL};
  pid_t compiling = compiler_start(flags, object, true), reading = compiler_start(flags, text, true);
  bool ok = compiler_wait(reading);
  const char *preprocessed = ok ? file_read(arena, i, NULL) : NULL;
  ok = preprocessed &&
       declarations_save(preprocessed, arena_printf(arena, "%s/declarations.c", dir));
  ok = compiler_wait(compiling) && ok;
  unlink(c), unlink(i);
  return ok;
}

// Makes it and moves it to its place, if no other process has done so meanwhile.
static bool runtime_add(Arena *arena, const char *cache, const char *dir, const Text *runtime,
                        LinkedRuntime *r) {
  const char *made = mkdtemp(arena_printf(arena, "%s/new-XXXXXX", cache));
  r->compiled = made && runtime_make(arena, made, runtime, r->flags);
  if (r->compiled && rename(made, dir) != 0 && !runtime_load(arena, dir, r)) {
    temporary_remove(dir);  // not whole
    r->compiled = rename(made, dir) == 0;
  }
  if (made) temporary_remove(made);
  return r->compiled && runtime_load(arena, dir, r);
}

LinkedRuntime runtime_object(Arena *arena) {
  LinkedRuntime r = {0};
  const char *cache = cache_dir(arena), *dirs[2];
  if (!cache) return r;
  Text runtime = {0};
  back_runtime(&runtime);
  bool found = false;
  for (int set = FLAGS_TUNED; set <= FLAGS_PORTABLE && !found; set++) {
    r.flags = (FlagSet)set;
    dirs[set] = folder_name(arena, cache, &runtime, r.flags);
    found = runtime_load(arena, dirs[set], &r);
  }
  for (int set = FLAGS_TUNED; set <= FLAGS_PORTABLE && !found; set++) {
    r.flags = (FlagSet)set;
    found = runtime_add(arena, cache, dirs[set], &runtime, &r);
  }
  text_free(&runtime);
  return found ? r : (LinkedRuntime){0};
}
