// dev_opencl_cache: compiled kernels, kept in a file for the next run.  Its name and its head have a
// hash of all that they follow from: the text, the compiler's options, the device, its driver.  What
// is damaged, of another program or refused by the driver is not used: kernels are compiled then,
// and where the file cannot be written nothing is kept.
//
//   $XDG_CACHE_HOME/dagaz/opencl-KEY (else ~/.cache/dagaz/..), or what --cache-file says
//
// dagaz itself removes the files unused longest (src/driver/cache.c).
#ifndef DZ_DEV_OPENCL_CACHE_H
#define DZ_DEV_OPENCL_CACHE_H
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define DZ_CL_CACHE_MAGIC UINT64_C(0x31304c435a44)  // "DZCL01"
typedef struct DzClHead {
  uint64_t magic, key[2], bytes, sum;
} DzClHead;

// ---- the key -----------------------------------------------------------------------------------
static uint64_t dz_cl_hash(uint64_t h, const void *at, size_t bytes) {
  for (const unsigned char *p = (const unsigned char *)at; bytes > 0; bytes--)
    h = (h ^ *p++) * UINT64_C(1099511628211);
  return h;
}

static void dz_cl_key_add(DzCl *cl, const void *at, size_t bytes) {
  cl->key[0] = dz_cl_hash(cl->key[0], at, bytes);
  cl->key[1] = dz_cl_hash(cl->key[1] ^ bytes, at, bytes);
}

static void dz_cl_key(DzCl *cl, const char *options) {
  static const unsigned facts[] = {DZ_CL_NAME, DZ_CL_VENDOR, DZ_CL_VERSION, DZ_CL_DRIVER};
  cl->key[0] = UINT64_C(14695981039346656037);
  cl->key[1] = UINT64_C(0x9e3779b97f4a7c15);
  for (int i = 0; cl->lines[i] != NULL; i++)
    dz_cl_key_add(cl, cl->lines[i], strlen(cl->lines[i]));
  dz_cl_key_add(cl, options, strlen(options));
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
    char text[256] = "";
    cl->device_info(cl->device, facts[i], sizeof text - 1, text, NULL);
    dz_cl_key_add(cl, text, strlen(text));
  }
}

// ---- where -------------------------------------------------------------------------------------
// Whether the folder is there, this user's, and no other user may write to it.
static bool dz_cl_folder(const char *path) {
  struct stat st;
  mkdir(path, 0700);
  return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
         (st.st_mode & 022) == 0;
}

// False: nowhere.
static bool dz_cl_path(const DzCl *cl, char *out, size_t size) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char base[900], dir[960];
  if (cl->cache_file != NULL) return (size_t)snprintf(out, size, "%s", cl->cache_file) < size;
  const bool is_set = xdg != NULL && *xdg != 0;
  if (!is_set && (home == NULL || *home == 0)) return false;
  const int length = snprintf(base, sizeof base, is_set ? "%s" : "%s/.cache", is_set ? xdg : home);
  if (length < 0 || (size_t)length >= sizeof base) return false;
  mkdir(base, 0700);
  snprintf(dir, sizeof dir, "%s/dagaz", base);
  if (!dz_cl_folder(dir)) return false;
  return (size_t)snprintf(out, size, "%s/opencl-%016" PRIx64 "%016" PRIx64, dir, cl->key[0],
                          cl->key[1]) < size;
}

// ---- reading -----------------------------------------------------------------------------------
static bool dz_cl_head_agrees(const DzCl *cl, const DzClHead *h, const struct stat *st) {
  return h->magic == DZ_CL_CACHE_MAGIC && h->key[0] == cl->key[0] && h->key[1] == cl->key[1] &&
         (uint64_t)st->st_size == h->bytes + sizeof *h;
}

// The program's bytes; NULL: there are none that can be used.
static unsigned char *dz_cl_read(const DzCl *cl, const char *path, size_t *bytes) {
  FILE *f = fopen(path, "rb");
  DzClHead h;
  struct stat st;
  unsigned char *out = NULL;
  if (f == NULL) return NULL;
  if (fread(&h, sizeof h, 1, f) == 1 && fstat(fileno(f), &st) == 0 &&
      dz_cl_head_agrees(cl, &h, &st) && (out = (unsigned char *)malloc(h.bytes + 1)) != NULL) {
    *bytes = (size_t)h.bytes;
    if (fread(out, 1, *bytes, f) != *bytes || dz_cl_hash(cl->key[0], out, *bytes) != h.sum) {
      free(out);
      out = NULL;
    }
  }
  fclose(f);
  return out;
}

// Whether cl->program is there, compiled before.
static bool dz_cl_cached(DzCtx *c, DzCl *cl, const char *options) {
  char path[1100];
  size_t bytes = 0;
  int status = 0, taken = 0;
  dz_cl_key(cl, options);
  if (!dz_cl_path(cl, path, sizeof path)) return false;
  unsigned char *binary = dz_cl_read(cl, path, &bytes);
  if (binary == NULL) return false;
  const unsigned char *const binaries[] = {binary};
  cl->program = cl->program_binary(cl->context, 1, &cl->device, &bytes, binaries, &taken, &status);
  free(binary);
  if (cl->program == NULL) return false;
  status = status != 0 || taken != 0 ? -1
                                     : cl->build(cl->program, 1, &cl->device, options, NULL, NULL);
  if (status == 0) {
    utimensat(AT_FDCWD, path, NULL, 0);
    if (c->logging) fprintf(c->log, "OpenCL: kernels compiled before, from %s\n", path);
    return true;
  }
  cl->program_free(cl->program);
  cl->program = NULL;
  return false;
}

// ---- writing -----------------------------------------------------------------------------------
static bool dz_cl_write(const DzCl *cl, const char *path, const unsigned char *at, size_t bytes) {
  char made[1200];
  const DzClHead h = {DZ_CL_CACHE_MAGIC, {cl->key[0], cl->key[1]}, bytes,
                      dz_cl_hash(cl->key[0], at, bytes)};
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
static void dz_cl_keep(DzCtx *c, DzCl *cl) {
  char path[1100];
  size_t bytes = 0;
  if (!dz_cl_path(cl, path, sizeof path)) return;
  if (cl->program_info(cl->program, DZ_CL_SIZES, sizeof bytes, &bytes, NULL) != 0) return;
  unsigned char *binary = bytes > 0 ? (unsigned char *)malloc(bytes) : NULL;
  if (binary == NULL) return;
  if (cl->program_info(cl->program, DZ_CL_BINARIES, sizeof binary, &binary, NULL) == 0 &&
      dz_cl_write(cl, path, binary, bytes) && c->logging)
    fprintf(c->log, "OpenCL: kernels kept in %s\n", path);
  free(binary);
}
#endif
