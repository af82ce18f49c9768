// Folders of the machine: for files on the way, and the user's cache, $XDG_CACHE_HOME/dagaz, else
// ~/.cache/dagaz; $TMPDIR/dagaz-UID where that cannot be written or is full.
//
// A folder for files on the way has its maker in its name, PREFIX.MACHINE.PROCESS.XXXXXX: when the
// next one is made, those of processes that ended without removing theirs are removed.
#include "driver.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

uint64_t hash_text(uint64_t h, const char *s) {
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 1099511628211u;
  return h;
}

// The processor's features: the line of /proc/cpuinfo, where there is one.
static const char *processor_flags(Arena *arena) {
  char *text = arena_alloc(arena, 16 << 10);
  FILE *f = fopen("/proc/cpuinfo", "r");
  size_t len = f ? fread(text, 1, (16 << 10) - 1, f) : 0;
  if (f) fclose(f);
  text[len] = 0;
  char *flags = strstr(text, "\nflags");
  if (!flags) flags = strstr(text, "\nFeatures");
  if (!flags) return "";
  flags[1 + strcspn(flags + 1, "\n")] = 0;
  return flags;
}

// -march=native means another thing on another machine, and home folders are shared.
uint64_t machine_hash(uint64_t h) {
  Arena *arena = arena_new();
  struct utsname machine;
  if (uname(&machine) == 0) h = hash_text(hash_text(h, machine.nodename), machine.machine);
  h = hash_text(h, processor_flags(arena));
  arena_free(arena);
  return h;
}

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

static const char *temporary_base(void) {
  const char *base = variable("TMPDIR");
  return base ? base : "/tmp";
}

// ---- files on the way -------------------------------------------------------------------------
void temporary_remove(const char *dir) {
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) unlink(path);
  }
  if (d) closedir(d);
  rmdir(dir);
}

// Its process has ended; another machine's is taken to have ended after a day.
static bool is_left_over(const char *path, const char *rest, const char *machine) {
  enum { DAY = 24 * 60 * 60 };
  struct stat st;
  char *end;
  size_t n = strlen(machine);
  bool ours = strncmp(rest, machine, n) == 0 && rest[n] == '.';
  long process = ours ? strtol(rest + n + 1, &end, 10) : 0;
  if (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid()) return false;
  if (!ours) return time(NULL) - st.st_mtime > DAY;
  return process > 0 && *end == '.' && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

static void left_over_remove(Arena *arena, const char *base, const char *prefix,
                             const char *machine) {
  DIR *d = opendir(base);
  size_t n = strlen(prefix);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (strncmp(e->d_name, prefix, n) != 0 || e->d_name[n] != '.') continue;
    const char *path = arena_printf(arena, "%s/%s", base, e->d_name);
    if (is_left_over(path, e->d_name + n + 1, machine)) temporary_remove(path);
  }
  if (d) closedir(d);
}

const char *folder_new(Arena *arena, const char *base, const char *prefix) {
  struct utsname names = {0};
  char machine[16];
  uint64_t h = uname(&names) == 0 ? hash_text(14695981039346656037u, names.nodename) : 0;
  snprintf(machine, sizeof machine, "%08x", (unsigned)(h >> 32));
  left_over_remove(arena, base, prefix, machine);
  return mkdtemp(arena_printf(arena, "%s/%s.%s.%ld.XXXXXX", base, prefix, machine, (long)getpid()));
}

const char *temporary_dir(Arena *arena) { return folder_new(arena, temporary_base(), "dagaz"); }

// ---- the cache --------------------------------------------------------------------------------
// Programs are loaded from there: a folder that others can write to is none.
static bool is_ours(const char *dir) {
  struct stat st;
  return lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
         (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 && access(dir, R_OK | W_OK | X_OK) == 0;
}

static const char *ours(const char *dir, bool make) {
  if (make && mkdir(dir, 0700) != 0 && errno != EEXIST) return NULL;
  return is_ours(dir) ? dir : NULL;
}

const char *cache_dir(Arena *arena, CachePlace place, bool make) {
  const char *xdg = variable("XDG_CACHE_HOME"), *home = variable("HOME");
  const char *base = xdg ? xdg : home ? arena_printf(arena, "%s/.cache", home) : NULL;
  if (place == CACHE_SPARE)
    return ours(arena_printf(arena, "%s/dagaz-%ld", temporary_base(), (long)geteuid()), make);
  if (!base) return NULL;
  if (make) mkdir(base, 0700);
  return ours(arena_printf(arena, "%s/dagaz", base), make);
}
