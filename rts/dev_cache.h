// dev_cache: compiled kernels, kept in a file for the next run.  Its name and its head have a hash of
// all that they follow from: the text, the compiler's options, the device, its driver.  Files that are
// damaged or of another program are not used: kernels are compiled then, and where the file cannot
// be written nothing is kept.
//
//   $XDG_CACHE_HOME/dagaz/opencl-KEY (else ~/.cache/dagaz/..), or what --cache-file says: FILE of the
//   program's first text, FILE.1, FILE.2 .. of others
//
// dagaz itself removes the files unused longest (src/driver/cache.c).
#ifndef DZ_DEV_CACHE_H
#define DZ_DEV_CACHE_H
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "dev.h"

#define DZ_KEPT_MAGIC UINT64_C(0x31304c435a44)
typedef struct DzKept {
  const char *name;  // the file's begins with it
  char *file;        // by the name that the context is made with; NULL: none
  uint64_t key[2];
} DzKept;
typedef struct DzKeptHead {
  uint64_t magic, key[2], bytes, sum;
} DzKeptHead;

// ---- the key -----------------------------------------------------------------------------------
static uint64_t dz_kept_hash(uint64_t h, const void *at, size_t bytes) {
  for (const unsigned char *p = (const unsigned char *)at; bytes > 0; bytes--)
    h = (h ^ *p++) * UINT64_C(1099511628211);
  return h;
}

static void dz_kept_add(DzKept *k, const char *text) {
  const size_t bytes = strlen(text);
  k->key[0] = dz_kept_hash(k->key[0], text, bytes);
  k->key[1] = dz_kept_hash(k->key[1] ^ bytes, text, bytes);
}

static void dz_kept_key(DzKept *k, const char *const *lines) {
  k->key[0] = UINT64_C(14695981039346656037);
  k->key[1] = UINT64_C(0x9e3779b97f4a7c15);
  for (; *lines != NULL; lines++) dz_kept_add(k, *lines);
}

// ---- where -------------------------------------------------------------------------------------
// Whether the folder is there, this user's, and no other user may write to it.
static bool dz_kept_folder(const char *path) {
  struct stat st;
  mkdir(path, 0700);
  return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
         (st.st_mode & 022) == 0;
}

// For the text of that number.
static void dz_kept_new(const DzCtx *c, DzKept *k, const char *name, int text) {
  const size_t size = c->cache_file != NULL ? strlen(c->cache_file) + 16 : 0;
  *k = (DzKept){.name = name, .file = size > 0 ? (char *)malloc(size) : NULL};
  if (k->file == NULL) return;
  snprintf(k->file, size, text > 0 ? "%s.%d" : "%s", c->cache_file, text);
}

// False: nowhere.
static bool dz_kept_path(const DzKept *k, char *out, size_t size) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char base[900], dir[960];
  if (k->file != NULL) return (size_t)snprintf(out, size, "%s", k->file) < size;
  const bool is_set = xdg != NULL && *xdg != 0;
  if (!is_set && (home == NULL || *home == 0)) return false;
  const int length = snprintf(base, sizeof base, is_set ? "%s" : "%s/.cache", is_set ? xdg : home);
  if (length < 0 || (size_t)length >= sizeof base) return false;
  mkdir(base, 0700);
  snprintf(dir, sizeof dir, "%s/dagaz", base);
  if (!dz_kept_folder(dir)) return false;
  return (size_t)snprintf(out, size, "%s/%s-%016" PRIx64 "%016" PRIx64, dir, k->name, k->key[0],
                          k->key[1]) < size;
}

// ---- reading -----------------------------------------------------------------------------------
static bool dz_kept_agrees(const DzKept *k, const DzKeptHead *h, const struct stat *st) {
  return h->magic == DZ_KEPT_MAGIC && h->key[0] == k->key[0] && h->key[1] == k->key[1] &&
         (uint64_t)st->st_size == h->bytes + sizeof *h;
}

// The bytes and a zero, for the caller to free; NULL: there are none that can be used.
static unsigned char *dz_kept_read(const DzKept *k, size_t *bytes) {
  char path[1100];
  FILE *f = dz_kept_path(k, path, sizeof path) ? fopen(path, "rb") : NULL;
  DzKeptHead h;
  struct stat st;
  unsigned char *out = NULL;
  if (f == NULL) return NULL;
  if (fread(&h, sizeof h, 1, f) == 1 && fstat(fileno(f), &st) == 0 && dz_kept_agrees(k, &h, &st) &&
      (out = (unsigned char *)calloc((size_t)h.bytes + 1, 1)) != NULL) {
    *bytes = (size_t)h.bytes;
    if (fread(out, 1, *bytes, f) != *bytes || dz_kept_hash(k->key[0], out, *bytes) != h.sum) {
      free(out);
      out = NULL;
    }
  }
  fclose(f);
  return out;
}

// The kernels that were read are in use.
static void dz_kept_used(const DzCtx *c, const DzKept *k) {
  char path[1100];
  if (!dz_kept_path(k, path, sizeof path)) return;
  utimensat(AT_FDCWD, path, NULL, 0);
  if (c->logging) fprintf(c->log, "%s: kernels compiled before, from %s\n", k->name, path);
}

// ---- writing -----------------------------------------------------------------------------------
static bool dz_kept_put(const DzKept *k, const char *path, const unsigned char *at, size_t bytes) {
  char made[1200];
  const DzKeptHead h = {DZ_KEPT_MAGIC, {k->key[0], k->key[1]}, bytes,
                        dz_kept_hash(k->key[0], at, bytes)};
  if ((size_t)snprintf(made, sizeof made, "%s.XXXXXX", path) >= sizeof made) return false;
  const int fd = mkstemp(made);
  FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (fd >= 0 && f == NULL) close(fd);
  bool good = f != NULL && fwrite(&h, sizeof h, 1, f) == 1 && fwrite(at, 1, bytes, f) == bytes;
  if (f != NULL) good = fclose(f) == 0 && good;
  if (good) good = rename(made, path) == 0;
  if (fd >= 0 && !good) unlink(made);
  return good;
}

// For the next run, if it can be.
static void dz_kept_write(const DzCtx *c, const DzKept *k, const unsigned char *at, size_t bytes) {
  char path[1100];
  if (dz_kept_path(k, path, sizeof path) && dz_kept_put(k, path, at, bytes) && c->logging)
    fprintf(c->log, "%s: kernels kept in %s\n", k->name, path);
}
#endif
