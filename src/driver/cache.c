// The contents of the cache: folders KIND-KEY with files and the list of their sizes and hashes,
// `sums`.  A folder is filled elsewhere and moved to its place at once, so processes need no lock,
// and any of it may be deleted at any time.  A file that is not as listed (a machine that crashed,
// a disk that was full) is never loaded: the folder is removed and recomputed.
//
// The time of the folder is its last use.  The folders unused longest are removed when all together
// exceed $DAGAZ_CACHE_SIZE bytes (256 MB).
#include "driver.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t bytes_hash(const char *s, size_t len) {
  uint64_t h = 14695981039346656037u, word;
  for (; len >= sizeof word; s += sizeof word, len -= sizeof word) {
    memcpy(&word, s, sizeof word);
    h = (h ^ word) * 1099511628211u;
    h ^= h >> 32;
  }
  for (; len > 0; s++, len--) h = (h ^ (unsigned char)*s) * 1099511628211u;
  return h;
}

static const char *sums_of(Arena *arena, const char *dir, const char *const *files) {
  const char *all = "";
  for (; *files; files++) {
    size_t len;
    const char *text = file_read(arena, arena_printf(arena, "%s/%s", dir, *files), &len);
    if (!text) return NULL;
    all = arena_printf(arena, "%s%zu %016llx %s\n", all, len,
                       (unsigned long long)bytes_hash(text, len), *files);
  }
  return all;
}

static bool is_whole(Arena *arena, const char *dir, const char *const *files) {
  const char *listed = file_read(arena, arena_printf(arena, "%s/sums", dir), NULL);
  const char *found = listed ? sums_of(arena, dir, files) : NULL;
  return found && strcmp(listed, found) == 0;
}

const char *cache_find(Arena *arena, const char *name, const char *const *files) {
  for (int place = CACHE_HOME; place <= CACHE_SPARE; place++) {
    const char *cache = cache_dir(arena, (CachePlace)place, false);
    const char *dir = cache ? arena_printf(arena, "%s/%s", cache, name) : NULL;
    if (!dir || access(dir, F_OK) != 0) continue;
    if (is_whole(arena, dir, files)) {
      utimensat(AT_FDCWD, dir, NULL, 0);
      return dir;
    }
    temporary_remove(dir);
  }
  return NULL;
}

// ---- the bound on its size --------------------------------------------------------------------
typedef struct {
  const char *path;
  int64_t bytes;
  struct timespec used;
} Entry;

static int by_use(const void *a, const void *b) {
  const struct timespec *x = &((const Entry *)a)->used, *y = &((const Entry *)b)->used;
  if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
  return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static int64_t files_bytes(Arena *arena, const char *dir) {
  DIR *d = opendir(dir);
  int64_t bytes = 0;
  struct stat st;
  for (struct dirent *e; d && (e = readdir(d));)
    if (stat(arena_printf(arena, "%s/%s", dir, e->d_name), &st) == 0 && S_ISREG(st.st_mode))
      bytes += st.st_size;
  if (d) closedir(d);
  return bytes;
}

// Programs keep kernels in files "opencl-", "cuda-" (rts/dev_cache.h); "x.so" and "new-" are how
// earlier versions called theirs.
static bool is_entry(const char *name) {
  size_t n = strlen(name);
  return strncmp(name, "rts-", 4) == 0 || strncmp(name, "run-", 4) == 0 ||
         strncmp(name, "lib-", 4) == 0 || strncmp(name, "opencl-", 7) == 0 ||
         strncmp(name, "cuda-", 5) == 0 || strncmp(name, "new-", 4) == 0 ||
         (n > 3 && strcmp(name + n - 3, ".so") == 0);
}

static void trim(Arena *arena, const char *cache, const char *keep) {
  const char *wanted = getenv("DAGAZ_CACHE_SIZE");
  int64_t most = wanted && *wanted ? strtoll(wanted, NULL, 10) : INT64_C(256) << 20, all = 0;
  LIST(Entry) entries = {0};
  DIR *d = opendir(cache);
  for (struct dirent *e; d && (e = readdir(d));) {
    struct stat st;
    const char *path = arena_printf(arena, "%s/%s", cache, e->d_name);
    if (!is_entry(e->d_name) || lstat(path, &st) != 0) continue;
    int64_t bytes = S_ISDIR(st.st_mode) ? files_bytes(arena, path) : st.st_size;
    all += bytes;
    if (strcmp(path, keep) != 0) list_push(arena, &entries, (Entry){path, bytes, st.st_mtim});
  }
  if (d) closedir(d);
  if (all > most) qsort(entries.at, (size_t)entries.len, sizeof *entries.at, by_use);
  for (int i = 0; i < entries.len && all > most; all -= entries.at[i++].bytes) {
    if (unlink(entries.at[i].path) != 0) temporary_remove(entries.at[i].path);
  }
}

// ---- adding -----------------------------------------------------------------------------------
static bool files_copy(Arena *arena, const char *from, const char *to, const char *const *files) {
  const char *sums = sums_of(arena, from, files);
  if (!sums || !file_write(arena_printf(arena, "%s/sums", to), sums, strlen(sums))) return false;
  for (; *files; files++) {
    size_t len;
    const char *text = file_read(arena, arena_printf(arena, "%s/%s", from, *files), &len);
    if (!text || !file_write(arena_printf(arena, "%s/%s", to, *files), text, len)) return false;
  }
  return true;
}

// Moves the folder to its place, unless another process has filled that meanwhile.
static bool moved(Arena *arena, const char *made, const char *dir, const char *const *files) {
  if (rename(made, dir) == 0 || is_whole(arena, dir, files)) return true;
  temporary_remove(dir);
  return rename(made, dir) == 0;
}

const char *cache_add(Arena *arena, const char *from, const char *name, const char *const *files) {
  for (int place = CACHE_HOME; place <= CACHE_SPARE; place++) {
    const char *cache = cache_dir(arena, (CachePlace)place, true);
    const char *made = cache ? folder_new(arena, cache, "new") : NULL;
    if (!made) continue;
    const char *dir = arena_printf(arena, "%s/%s", cache, name);
    bool ok = files_copy(arena, from, made, files) && moved(arena, made, dir, files);
    temporary_remove(made);
    if (!ok) continue;
    trim(arena, cache, dir);
    return dir;
  }
  return NULL;
}
