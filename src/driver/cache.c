// The user's cache: $XDG_CACHE_HOME/dagaz, else ~/.cache/dagaz, else $TMPDIR/dagaz-UID.  What lies
// in it is made elsewhere and moved there at once, so processes need no lock; any of it may be
// deleted at any time.
#include "driver.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t hash_text(uint64_t h, const char *s) {
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 1099511628211u;
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

const char *temporary_dir(Arena *arena) {
  return mkdtemp(arena_printf(arena, "%s/dagaz-XXXXXX", temporary_base()));
}

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

// Programs are loaded from there: a folder that others can write to is none.
static bool is_ours(const char *dir) {
  struct stat st;
  if (mkdir(dir, 0700) != 0 && errno != EEXIST) return false;
  return lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
         (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 && access(dir, R_OK | W_OK | X_OK) == 0;
}

const char *cache_dir(Arena *arena) {
  const char *xdg = variable("XDG_CACHE_HOME"), *home = variable("HOME");
  const char *base = xdg ? xdg : home ? arena_printf(arena, "%s/.cache", home) : NULL;
  if (base) {
    mkdir(base, 0700);
    const char *dir = arena_printf(arena, "%s/dagaz", base);
    if (is_ours(dir)) return dir;
  }
  const char *dir = arena_printf(arena, "%s/dagaz-%ld", temporary_base(), (long)geteuid());
  return is_ours(dir) ? dir : NULL;
}
