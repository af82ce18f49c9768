// nvrtc: CUDA's compiler of kernels, a library that is opened when kernels must be compiled.
//
//   dz_nvrtc_open(ctx, &nvrtc, driver)           the driver's version: 12040 is 12.4
//   dz_nvrtc_compile(ctx, &nvrtc, lines, device) for a device of that capability: 90 is 9.0
//
// Code for the device itself runs on all devices of its generation that are not older (8.0, 8.6); of a
// later generation than the compiler has the device gets PTX, which its driver compiles.
// Multiplication and addition stay separate, so that results have the bits of the processor.
// DAGAZ_NVRTC is the library's file; else it is one that the driver is new enough for.
#ifndef DZ_NVRTC_H
#define DZ_NVRTC_H
#include "dev.h"

enum { DZ_NVRTC_MOST = 64 };  // architectures
typedef struct DzNvrtc {
  void *library;
  unsigned char *code;  // compiled: a zero follows it
  size_t bytes;
  int (*archs_count)(int *);
  int (*archs)(int *);
  int (*program_new)(void **, const char *, const char *, int, const char *const *,
                     const char *const *);
  int (*program_free)(void **);
  int (*compile)(void *, int, const char *const *);
  int (*log_size)(void *, size_t *);
  int (*log)(void *, char *);
  int (*ptx_size)(void *, size_t *);
  int (*ptx)(void *, char *);
  int (*cubin_size)(void *, size_t *);
  int (*cubin)(void *, char *);
  const char *(*error)(int);
} DzNvrtc;

#define DZ_NVRTC_SYMBOL(field, name) {offsetof(DzNvrtc, field), name}
static bool dz_nvrtc_symbols(DzNvrtc *v) {
  static const DzSymbol rows[] = {
      DZ_NVRTC_SYMBOL(archs_count, "nvrtcGetNumSupportedArchs"),
      DZ_NVRTC_SYMBOL(archs, "nvrtcGetSupportedArchs"),
      DZ_NVRTC_SYMBOL(program_new, "nvrtcCreateProgram"),
      DZ_NVRTC_SYMBOL(program_free, "nvrtcDestroyProgram"),
      DZ_NVRTC_SYMBOL(compile, "nvrtcCompileProgram"),
      DZ_NVRTC_SYMBOL(log_size, "nvrtcGetProgramLogSize"),
      DZ_NVRTC_SYMBOL(log, "nvrtcGetProgramLog"),
      DZ_NVRTC_SYMBOL(ptx_size, "nvrtcGetPTXSize"),
      DZ_NVRTC_SYMBOL(ptx, "nvrtcGetPTX"),
      DZ_NVRTC_SYMBOL(cubin_size, "nvrtcGetCUBINSize"),
      DZ_NVRTC_SYMBOL(cubin, "nvrtcGetCUBIN"),
      DZ_NVRTC_SYMBOL(error, "nvrtcGetErrorString"),
  };
  return dz_symbols(v, v->library, rows, sizeof rows / sizeof *rows);
}

// ---- the library -------------------------------------------------------------------------------
static void *dz_nvrtc_find(int driver) {
  static const struct {
    int driver;  // at least
    const char *name;
  } rows[] = {{13000, "libnvrtc.so.13"}, {12000, "libnvrtc.so.12"}, {11020, "libnvrtc.so.11.2"},
              {0, "libnvrtc.so"},        {0, "/usr/local/cuda/lib64/libnvrtc.so"}};
  const char *wanted = getenv("DAGAZ_NVRTC");
  void *found = NULL;
  if (wanted != NULL && *wanted != 0) return DZ_LIBRARY_OPEN(wanted);
  for (size_t i = 0; i < sizeof rows / sizeof *rows && found == NULL; i++)
    if (driver >= rows[i].driver) found = DZ_LIBRARY_OPEN(rows[i].name);
  return found;
}

DZ_COLD int dz_nvrtc_absent(DzCtx *c, int driver) {
  const char *wanted = getenv("DAGAZ_NVRTC");
  const int major = driver / 1000 > 13 ? 13 : driver / 1000;
  if (wanted != NULL && *wanted != 0)
    return dz_error(c, DZ_ERROR, "Cannot open '%s' (from DAGAZ_NVRTC)", wanted);
  return dz_error(c, DZ_ERROR,
                  "CUDA's compiler NVRTC is not installed here: there is no libnvrtc.so.%d; install "
                  "it (pip install nvidia-cuda-nvrtc-cu%d, or the CUDA toolkit), and where the "
                  "loader does not find it, say in DAGAZ_NVRTC which file it is", major, major);
}

static int dz_nvrtc_open(DzCtx *c, DzNvrtc *v, int driver) {
  if (v->library == NULL) v->library = dz_nvrtc_find(driver);
  if (v->library == NULL) return dz_nvrtc_absent(c, driver);
  if (dz_nvrtc_symbols(v)) return 0;
  return dz_error(c, DZ_ERROR, "CUDA's compiler NVRTC here lacks functions of version 11.2; install "
                  "a later one");
}

// ---- code and errors ---------------------------------------------------------------------------
static int dz_nvrtc_error(DzCtx *c, const DzNvrtc *v, const char *what, int status) {
  return dz_error(c, DZ_ERROR, "NVRTC: %s failed: %s (status %d)", what, v->error(status), status);
}

// The latest architecture that the compiler makes code for and the device has; 0: none.
static int dz_nvrtc_arch(const DzNvrtc *v, int device) {
  int archs[DZ_NVRTC_MOST], count = 0, best = 0;
  if (v->archs_count(&count) != 0 || count > DZ_NVRTC_MOST || v->archs(archs) != 0) return 0;
  for (int i = 0; i < count; i++)
    if (archs[i] <= device && archs[i] > best) best = archs[i];
  return best;
}

static char *dz_nvrtc_text(const char *const *lines) {
  size_t length = 0, at = 0;
  for (int i = 0; lines[i] != NULL; i++) length += strlen(lines[i]);
  char *text = (char *)malloc(length + 1);
  if (text == NULL) return NULL;
  for (int i = 0; lines[i] != NULL; i++) {
    const size_t n = strlen(lines[i]);
    memcpy(text + at, lines[i], n);
    at += n;
  }
  text[length] = 0;
  return text;
}

static int dz_nvrtc_refusal(DzCtx *c, const DzNvrtc *v, void *program, int status) {
  size_t length = 0;
  char *log = v->log_size(program, &length) == 0 ? (char *)calloc(length + 1, 1) : NULL;
  if (log != NULL) v->log(program, log);
  const int err = dz_error(c, DZ_ERROR, "internal error: NVRTC refuses the kernels (%s):\n%.1900s",
                           v->error(status), log != NULL ? log : "");
  free(log);
  return err;
}

// PTX or code for the device, in v->code.
static int dz_nvrtc_take(DzCtx *c, DzNvrtc *v, void *program, bool ptx) {
  int status = (ptx ? v->ptx_size : v->cubin_size)(program, &v->bytes);
  if (status != 0) return dz_nvrtc_error(c, v, "asking for the code's size", status);
  free(v->code);
  v->code = (unsigned char *)calloc(v->bytes + 1, 1);
  if (v->code == NULL) return dz_out_of_memory(c, (int64_t)v->bytes, -1);
  status = (ptx ? v->ptx : v->cubin)(program, (char *)v->code);
  return status == 0 ? 0 : dz_nvrtc_error(c, v, "taking the code", status);
}

static int dz_nvrtc_program(DzCtx *c, DzNvrtc *v, const char *text, int device) {
  const int arch = dz_nvrtc_arch(v, device);
  const bool ptx = arch / 10 != device / 10;
  char for_arch[48];
  const char *const options[] = {for_arch, "--fmad=false", "-w"};
  void *program = NULL;
  if (arch == 0)
    return dz_error(c, DZ_ERROR, "NVRTC here makes no code for this device, of capability %d.%d",
                    device / 10, device % 10);
  snprintf(for_arch, sizeof for_arch, "--gpu-architecture=%s_%d", ptx ? "compute" : "sm", arch);
  int status = v->program_new(&program, text, "kernels.cu", 0, NULL, NULL);
  if (status != 0) return dz_nvrtc_error(c, v, "making a program", status);
  status = v->compile(program, (int)(sizeof options / sizeof *options), options);
  const int err = status != 0 ? dz_nvrtc_refusal(c, v, program, status)
                              : dz_nvrtc_take(c, v, program, ptx);
  v->program_free(&program);
  return err;
}

static int dz_nvrtc_compile(DzCtx *c, DzNvrtc *v, const char *const *lines, int device) {
  char *text = dz_nvrtc_text(lines);
  if (text == NULL) return dz_out_of_memory(c, -1, -1);
  const int err = dz_nvrtc_program(c, v, text, device);
  free(text);
  return err;
}

static void dz_nvrtc_free(DzNvrtc *v) {
  free(v->code);
  v->code = NULL;
}
#endif
