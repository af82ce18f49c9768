// dev_cuda: a device of CUDA, by its driver's library, which is opened when the program starts, so
// programs are compiled where there is none.  Kernels come as texts, each of which NVRTC compiles before
// the first launch of a kernel in it (nvrtc.h).
//
//   dz_cuda_open(ctx, kernels)   the texts
//
// The program shares the device's primary context with the process, has a separate stream, and
// makes the context current only within an operation.  The device is the first, or the one that
// DAGAZ_DEVICE says: part of a name, or # and a number.  DAGAZ_CUDA is the library's file.
#ifndef DZ_DEV_CUDA_H
#define DZ_DEV_CUDA_H
#include "dev_cache.h"
#include "nvrtc.h"

// ---- what of CUDA is used ----------------------------------------------------------------------
typedef struct DzCudaText {
  const char *const *lines;
  void *module;  // NULL: not used yet
  DzKept kept;
} DzCudaText;
typedef struct DzCuda {
  void *library, *context, *stream;
  void *before, *after;  // events around the last launch, where launches are timed
  int device, capability, driver;
  char name[128];
  const DzKernelTexts *from;
  DzCudaText *texts;
  void **kernels;  // by number; NULL: not used yet
  DzNvrtc nvrtc;
  int (*init)(unsigned);
  int (*driver_version)(int *);
  int (*device_count)(int *);
  int (*device_get)(int *, int);
  int (*device_name)(char *, int, int);
  int (*device_attribute)(int *, int, int);
  int (*context_retain)(void **, int);
  int (*context_release)(int);
  int (*context_push)(void *);
  int (*context_pop)(void **);
  int (*stream_new)(void **, unsigned);
  int (*stream_free)(void *);
  int (*stream_wait)(void *);
  int (*event_new)(void **, unsigned);
  int (*event_free)(void *);
  int (*event_record)(void *, void *);
  int (*event_time)(float *, void *, void *);
  int (*module_new)(void **, const void *, unsigned, int *, void **);
  int (*module_free)(void *);
  int (*function)(void **, void *, const char *);
  int (*alloc)(uint64_t *, size_t);
  int (*free)(uint64_t);
  int (*put)(uint64_t, const void *, size_t, void *);
  int (*get)(void *, uint64_t, size_t, void *);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                void **, void **);
  int (*error_name)(int, const char **);
  int (*error_text)(int, const char **);
} DzCuda;
enum {
  DZ_CUDA_MEMORY = 2, DZ_CUDA_ABSENT = 100,   // status
  DZ_CUDA_MAJOR = 75, DZ_CUDA_MINOR = 76,     // attributes: the capability
  DZ_CUDA_LOG = 5, DZ_CUDA_LOG_BYTES = 6,     // options of module_new
  DZ_CUDA_OWN_STREAM = 1,                     // does not wait for others of the process
  DZ_CUDA_MOST_GROUPS = 0x7fffffff
};

#define DZ_CUDA_SYMBOL(field, name) {offsetof(DzCuda, field), name}
static bool dz_cuda_symbols(DzCuda *cu) {
  static const DzSymbol rows[] = {
      DZ_CUDA_SYMBOL(init, "cuInit"),
      DZ_CUDA_SYMBOL(driver_version, "cuDriverGetVersion"),
      DZ_CUDA_SYMBOL(device_count, "cuDeviceGetCount"),
      DZ_CUDA_SYMBOL(device_get, "cuDeviceGet"),
      DZ_CUDA_SYMBOL(device_name, "cuDeviceGetName"),
      DZ_CUDA_SYMBOL(device_attribute, "cuDeviceGetAttribute"),
      DZ_CUDA_SYMBOL(context_retain, "cuDevicePrimaryCtxRetain"),
      DZ_CUDA_SYMBOL(context_release, "cuDevicePrimaryCtxRelease_v2"),
      DZ_CUDA_SYMBOL(context_push, "cuCtxPushCurrent_v2"),
      DZ_CUDA_SYMBOL(context_pop, "cuCtxPopCurrent_v2"),
      DZ_CUDA_SYMBOL(stream_new, "cuStreamCreate"),
      DZ_CUDA_SYMBOL(stream_free, "cuStreamDestroy_v2"),
      DZ_CUDA_SYMBOL(stream_wait, "cuStreamSynchronize"),
      DZ_CUDA_SYMBOL(event_new, "cuEventCreate"),
      DZ_CUDA_SYMBOL(event_free, "cuEventDestroy_v2"),
      DZ_CUDA_SYMBOL(event_record, "cuEventRecord"),
      DZ_CUDA_SYMBOL(event_time, "cuEventElapsedTime"),
      DZ_CUDA_SYMBOL(module_new, "cuModuleLoadDataEx"),
      DZ_CUDA_SYMBOL(module_free, "cuModuleUnload"),
      DZ_CUDA_SYMBOL(function, "cuModuleGetFunction"),
      DZ_CUDA_SYMBOL(alloc, "cuMemAlloc_v2"),
      DZ_CUDA_SYMBOL(free, "cuMemFree_v2"),
      DZ_CUDA_SYMBOL(put, "cuMemcpyHtoDAsync_v2"),
      DZ_CUDA_SYMBOL(get, "cuMemcpyDtoHAsync_v2"),
      DZ_CUDA_SYMBOL(launch, "cuLaunchKernel"),
      DZ_CUDA_SYMBOL(error_name, "cuGetErrorName"),
      DZ_CUDA_SYMBOL(error_text, "cuGetErrorString"),
  };
  return dz_symbols(cu, cu->library, rows, sizeof rows / sizeof *rows);
}

// ---- errors ------------------------------------------------------------------------------------
DZ_COLD int dz_cuda_error(DzCtx *c, const DzCuda *cu, const char *what, int status) {
  const char *name = NULL, *text = NULL;
  cu->error_name(status, &name);
  cu->error_text(status, &text);
  return dz_error(c, status == DZ_CUDA_MEMORY ? DZ_OUT_OF_MEMORY : DZ_ERROR,
                  "%s: %s failed: %s (%s, status %d)",
                  status == DZ_CUDA_MEMORY ? "out of memory on the CUDA device" : "CUDA", what,
                  text != NULL ? text : "for an unknown reason", name != NULL ? name : "no name",
                  status);
}
static int dz_cuda_check(DzCtx *c, const char *what, int status) {
  return status == 0 ? 0 : dz_cuda_error(c, (DzCuda *)c->dev->own, what, status);
}

// ---- memory ------------------------------------------------------------------------------------
// An address of the device is kept as a pointer, of the same size.
static void *dz_cuda_mem_new(DzDev *d, int64_t bytes) {
  DzCuda *cu = (DzCuda *)d->own;
  uint64_t at = 0;
  void *before;
  if (cu->context_push(cu->context) != 0) return NULL;
  const int status = cu->alloc(&at, bytes > 0 ? (size_t)bytes : 1);
  cu->context_pop(&before);
  return status == 0 ? (void *)(uintptr_t)at : NULL;
}
// Waits for the kernels that may use it.
static void dz_cuda_mem_free(DzDev *d, void *mem) {
  DzCuda *cu = (DzCuda *)d->own;
  void *before;
  if (cu->context_push(cu->context) != 0) return;
  cu->free((uint64_t)(uintptr_t)mem);
  cu->context_pop(&before);
}

static int dz_cuda_put(DzCtx *c, void *mem, const void *from, int64_t bytes) {
  DzCuda *cu = (DzCuda *)c->dev->own;
  void *before;
  int status = cu->context_push(cu->context);
  if (status != 0) return dz_cuda_check(c, "writing memory", status);
  status = cu->put((uint64_t)(uintptr_t)mem, from, (size_t)bytes, cu->stream);
  if (status == 0) status = cu->stream_wait(cu->stream);
  cu->context_pop(&before);
  return dz_cuda_check(c, "writing memory", status);
}
static int dz_cuda_get(DzCtx *c, void *to, void *mem, int64_t bytes) {
  DzCuda *cu = (DzCuda *)c->dev->own;
  void *before;
  int status = cu->context_push(cu->context);
  if (status != 0) return dz_cuda_check(c, "reading memory", status);
  status = cu->get(to, (uint64_t)(uintptr_t)mem, (size_t)bytes, cu->stream);
  if (status == 0) status = cu->stream_wait(cu->stream);
  cu->context_pop(&before);
  return dz_cuda_check(c, "reading memory", status);
}

// ---- kernels -----------------------------------------------------------------------------------
// The module, of code for the device or PTX that its driver compiles.  The context is current.
static int dz_cuda_load(DzCuda *cu, DzCudaText *t, const void *code, char *log, size_t bytes) {
  int options[] = {DZ_CUDA_LOG, DZ_CUDA_LOG_BYTES};
  void *values[] = {log, (void *)(uintptr_t)bytes};
  const int status = cu->module_new(&t->module, code, 2, options, values);
  if (status != 0) t->module = NULL;
  return status;
}

static void dz_cuda_key(const DzCuda *cu, DzCudaText *t) {
  char facts[80];
  dz_kept_key(&t->kept, t->lines);
  dz_kept_add(&t->kept, cu->name);
  snprintf(facts, sizeof facts, "fmad=false capability=%d driver=%d", cu->capability, cu->driver);
  dz_kept_add(&t->kept, facts);
}

static bool dz_cuda_cached(DzCtx *c, DzCuda *cu, DzCudaText *t) {
  char log[200] = "";
  size_t bytes = 0;
  dz_cuda_key(cu, t);
  unsigned char *code = dz_kept_read(&t->kept, &bytes);
  if (code == NULL) return false;
  const int status = dz_cuda_load(cu, t, code, log, sizeof log);
  free(code);
  if (status == 0) dz_kept_used(c, &t->kept);
  return status == 0;
}

static int dz_cuda_compile(DzCtx *c, DzCuda *cu, DzCudaText *t) {
  char log[2000] = "";
  DzNvrtc *v = &cu->nvrtc;
  int err = dz_nvrtc_open(c, v, cu->driver);
  if (err == 0) err = dz_nvrtc_compile(c, v, t->lines, cu->capability);
  if (err != 0) return err;
  const int status = dz_cuda_load(cu, t, v->code, log, sizeof log);
  if (status == 0) dz_kept_write(c, &t->kept, v->code, v->bytes);
  else {
    char what[2100];
    snprintf(what, sizeof what, "loading the kernels (%s)", log);
    err = dz_cuda_error(c, cu, log[0] != 0 ? what : "loading the kernels", status);
  }
  dz_nvrtc_free(v);
  return err;
}

static int dz_cuda_build(DzCtx *c, DzCuda *cu, DzCudaText *t) {
  const int64_t start = dz_now();
  const int err = dz_cuda_cached(c, cu, t) ? 0 : dz_cuda_compile(c, cu, t);
  dz_event_end(c, "build_kernels", NULL, start, 0);
  return err;
}

// The kernel in *out.  The context is current.
static int dz_cuda_kernel(DzCtx *c, DzCuda *cu, const DzKernel *k, void **out) {
  DzCudaText *t = &cu->texts[cu->from->text_of[k->number]];
  int err = t->module != NULL ? 0 : dz_cuda_build(c, cu, t);
  if (err == 0 && cu->kernels[k->number] == NULL)
    err = dz_cuda_check(c, k->name, cu->function(&cu->kernels[k->number], t->module, k->function));
  *out = cu->kernels[k->number];
  return err;
}

static int dz_cuda_start_kernel(DzCtx *c, const DzKernel *k, void *kernel, int64_t threads,
                                void **args) {
  DzCuda *cu = (DzCuda *)c->dev->own;
  const int64_t group = dz_group_size(c), all = dz_groups(k, threads, group);
  const unsigned groups = (unsigned)(all < DZ_CUDA_MOST_GROUPS ? all : DZ_CUDA_MOST_GROUPS);
  int status = cu->before != NULL ? cu->event_record(cu->before, cu->stream) : 0;
  if (status == 0)
    status = cu->launch(kernel, groups, 1, 1, (unsigned)group, 1, 1, 0, cu->stream, args, NULL);
  return status == 0 && cu->after != NULL ? cu->event_record(cu->after, cu->stream) : status;
}

static int dz_cuda_launch(DzCtx *c, const DzKernel *k, int64_t threads, const DzPassed *a,
                          int count) {
  DzCuda *cu = (DzCuda *)c->dev->own;
  void *args[count + 1], *kernel, *before;
  int status = cu->context_push(cu->context);
  if (status != 0) return dz_cuda_check(c, "launching a kernel", status);
  for (int i = 0; i < count; i++) args[i] = (void *)(uintptr_t)a[i].at;
  int err = dz_cuda_kernel(c, cu, k, &kernel);
  if (err == 0) {
    status = dz_cuda_start_kernel(c, k, kernel, threads, args);
    err = dz_cuda_check(c, "launching a kernel", status);
  }
  cu->context_pop(&before);
  return err;
}

// Where launches are timed: compiled, and events are there.
static int dz_cuda_ready(DzCtx *c, const DzKernel *k) {
  DzCuda *cu = (DzCuda *)c->dev->own;
  void *kernel, *before;
  int status = cu->context_push(cu->context);
  if (status != 0) return dz_cuda_check(c, "timing a kernel", status);
  if (cu->before == NULL) status = cu->event_new(&cu->before, 0);
  if (status == 0 && cu->after == NULL) status = cu->event_new(&cu->after, 0);
  const int err = status == 0 ? dz_cuda_kernel(c, cu, k, &kernel)
                              : dz_cuda_check(c, "timing a kernel", status);
  cu->context_pop(&before);
  return err;
}

static int dz_cuda_wait(DzCtx *c, int64_t *ns) {
  DzCuda *cu = (DzCuda *)c->dev->own;
  void *before;
  float ms = 0;
  int status = cu->context_push(cu->context);
  if (status != 0) return dz_cuda_check(c, "running a kernel", status);
  status = cu->stream_wait(cu->stream);
  if (status == 0 && ns != NULL && cu->after != NULL) {
    status = cu->event_time(&ms, cu->before, cu->after);
    *ns = (int64_t)((double)ms * 1e6);
  }
  cu->context_pop(&before);
  return dz_cuda_check(c, "running a kernel", status);
}

// ---- the end -----------------------------------------------------------------------------------
static void dz_cuda_leave(DzCuda *cu) {
  void *before;
  if (cu->context_push(cu->context) != 0) return;
  if (cu->stream != NULL) cu->stream_wait(cu->stream);
  if (cu->before != NULL) cu->event_free(cu->before);
  if (cu->after != NULL) cu->event_free(cu->after);
  for (int i = 0; i < cu->from->texts; i++)
    if (cu->texts[i].module != NULL) cu->module_free(cu->texts[i].module);
  if (cu->stream != NULL) cu->stream_free(cu->stream);
  cu->context_pop(&before);
}

static void dz_cuda_close(DzCuda *cu) {
  if (cu->context != NULL) {
    dz_cuda_leave(cu);
    cu->context_release(cu->device);
  }
  dz_nvrtc_free(&cu->nvrtc);
  for (int i = 0; cu->texts != NULL && i < cu->from->texts; i++) free(cu->texts[i].kept.file);
  free(cu->texts);
  free(cu->kernels);
  free(cu);
}
static void dz_cuda_end(DzDev *d) { dz_cuda_close((DzCuda *)d->own); }

// ---- the choice of a device --------------------------------------------------------------------
DZ_COLD int dz_cuda_absent(DzCtx *c) {
  const char *wanted = getenv("DAGAZ_CUDA");
  if (wanted != NULL && *wanted != 0)
    return dz_error(c, DZ_ERROR, "Cannot open '%s' (from DAGAZ_CUDA)", wanted);
  return dz_error(c, DZ_ERROR, "CUDA is not installed here: there is no libcuda.so.1, which comes "
                  "with NVIDIA's driver; install the driver, or use `dagaz opencl`");
}

static int dz_cuda_library(DzCtx *c, DzCuda *cu) {
  const char *wanted = getenv("DAGAZ_CUDA");
  cu->library = DZ_LIBRARY_OPEN(wanted != NULL && *wanted != 0 ? wanted : "libcuda.so.1");
  if (cu->library == NULL) return dz_cuda_absent(c);
  if (dz_cuda_symbols(cu)) return 0;
  return dz_error(c, DZ_ERROR, "NVIDIA's driver here lacks functions of CUDA 11; install a later "
                  "one");
}

// Whether DAGAZ_DEVICE says the device, whose place in the list is i.
static bool dz_cuda_is_wanted(const DzCuda *cu, int i) {
  const char *wanted = getenv("DAGAZ_DEVICE");
  if (wanted == NULL || *wanted == 0) return true;
  return wanted[0] == '#' ? atoi(wanted + 1) == i : strstr(cu->name, wanted) != NULL;
}

DZ_COLD int dz_cuda_no_device(DzCtx *c, int count) {
  if (count == 0)
    return dz_error(c, DZ_ERROR, "There is no CUDA device here; `nvidia-smi` says what the driver "
                    "sees");
  return dz_error(c, DZ_ERROR, "No CUDA device here is '%s' (from DAGAZ_DEVICE: part of a name, or "
                  "# and a number); `nvidia-smi -L` lists those there are", getenv("DAGAZ_DEVICE"));
}

static int dz_cuda_choose(DzCtx *c, DzCuda *cu) {
  int count = 0, major = 0, minor = 0;
  int status = cu->init(0);
  if (status == DZ_CUDA_ABSENT) return dz_cuda_no_device(c, 0);
  if (status == 0) status = cu->driver_version(&cu->driver);
  if (status == 0) status = cu->device_count(&count);
  if (status != 0) return dz_cuda_error(c, cu, "starting the driver", status);
  for (int i = 0; i < count; i++) {
    if (cu->device_get(&cu->device, i) != 0) continue;
    if (cu->device_name(cu->name, (int)sizeof cu->name - 1, cu->device) != 0) continue;
    if (!dz_cuda_is_wanted(cu, i)) continue;
    status = cu->device_attribute(&major, DZ_CUDA_MAJOR, cu->device);
    if (status == 0) status = cu->device_attribute(&minor, DZ_CUDA_MINOR, cu->device);
    cu->capability = 10 * major + minor;
    return status == 0 ? 0 : dz_cuda_error(c, cu, "asking for the device's capability", status);
  }
  return dz_cuda_no_device(c, count);
}

static int dz_cuda_start(DzCtx *c, DzCuda *cu) {
  void *before;
  int err = dz_cuda_library(c, cu);
  if (err == 0) err = dz_cuda_choose(c, cu);
  if (err != 0) return err;
  int status = cu->context_retain(&cu->context, cu->device);
  if (status != 0) cu->context = NULL;
  if (status == 0) status = cu->context_push(cu->context);
  if (status != 0) return dz_cuda_error(c, cu, "making a context", status);
  status = cu->stream_new(&cu->stream, DZ_CUDA_OWN_STREAM);
  cu->context_pop(&before);
  return status == 0 ? 0 : dz_cuda_error(c, cu, "making a stream", status);
}

// False: no memory for that.
static bool dz_cuda_texts(DzCtx *c, DzCuda *cu) {
  cu->kernels = (void **)calloc((size_t)cu->from->functions + 1, sizeof *cu->kernels);
  cu->texts = (DzCudaText *)calloc((size_t)cu->from->texts + 1, sizeof *cu->texts);
  if (cu->kernels == NULL || cu->texts == NULL) return false;
  for (int i = 0; i < cu->from->texts; i++) {
    cu->texts[i].lines = cu->from->lines[i];
    dz_kept_new(c, &cu->texts[i].kept, "cuda", i);
  }
  return true;
}

static int dz_cuda_open(DzCtx *c, const DzKernelTexts *kernels) {
  static const DzDevOps ops = {dz_cuda_mem_new, dz_cuda_mem_free, dz_cuda_put,
                               dz_cuda_get,     dz_cuda_launch,   dz_cuda_ready,
                               dz_cuda_wait,    dz_cuda_end};
  DzCuda *cu = (DzCuda *)calloc(1, sizeof *cu);
  int err = 0;
  if (cu == NULL) return dz_out_of_memory(c, (int64_t)sizeof *cu, -1);
  cu->from = kernels;
  err = dz_cuda_texts(c, cu) ? dz_cuda_start(c, cu) : dz_out_of_memory(c, (int64_t)sizeof *cu, -1);
  if (err != 0) {
    dz_cuda_close(cu);
    return err;
  }
  return dz_dev_begin(c, &ops, cu);
}
#endif
