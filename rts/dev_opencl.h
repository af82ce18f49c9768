// dev_opencl: a device of OpenCL.  The library is opened when the program starts, so programs are
// compiled where there is none.  Kernels come as texts, each of which the driver compiles before the
// first launch of a kernel in it.
//
//   dz_opencl_open(ctx, kernels)   the texts
//
// The device is the first with f64 numbers, of graphics processors before others; in
// DAGAZ_DEVICE: part of its name, or of its platform's.
#ifndef DZ_DEV_OPENCL_H
#define DZ_DEV_OPENCL_H
#include "dev_cache.h"

// ---- what of OpenCL is used --------------------------------------------------------------------
typedef struct DzClText {
  const char *const *lines;
  void *program;  // NULL: not used yet
  DzKept kept;
} DzClText;
typedef struct DzCl {
  void *library, *device, *context, *queue;
  const DzKernelTexts *from;
  DzClText *texts;
  void **kernels;  // by number; NULL: not used yet
  size_t most;  // threads in a group
  int (*platforms)(unsigned, void **, unsigned *);
  int (*platform_info)(void *, unsigned, size_t, void *, size_t *);
  int (*devices)(void *, uint64_t, unsigned, void **, unsigned *);
  int (*device_info)(void *, unsigned, size_t, void *, size_t *);
  void *(*context_new)(const intptr_t *, unsigned, void *const *, void *, void *, int *);
  int (*context_free)(void *);
  void *(*queue_new)(void *, void *, uint64_t, int *);
  int (*queue_free)(void *);
  void *(*program_new)(void *, unsigned, const char *const *, const size_t *, int *);
  void *(*program_binary)(void *, unsigned, void *const *, const size_t *,
                          const unsigned char *const *, int *, int *);
  int (*program_info)(void *, unsigned, size_t, void *, size_t *);
  int (*program_free)(void *);
  int (*build)(void *, unsigned, void *const *, const char *, void *, void *);
  int (*build_info)(void *, void *, unsigned, size_t, void *, size_t *);
  void *(*kernel_new)(void *, const char *, int *);
  int (*kernel_free)(void *);
  int (*kernel_arg)(void *, unsigned, size_t, const void *);
  void *(*buffer_new)(void *, uint64_t, size_t, void *, int *);
  int (*buffer_free)(void *);
  int (*read)(void *, void *, unsigned, size_t, size_t, void *, unsigned, void *, void *);
  int (*write)(void *, void *, unsigned, size_t, size_t, const void *, unsigned, void *, void *);
  int (*launch)(void *, void *, unsigned, const size_t *, const size_t *, const size_t *, unsigned,
                void *, void *);
  int (*finish)(void *);
} DzCl;
enum {
  DZ_CL_NAME = 0x102B, DZ_CL_EXTENSIONS = 0x1030, DZ_CL_GROUP = 0x1004, DZ_CL_F32 = 0x101B,
  DZ_CL_VENDOR = 0x102C, DZ_CL_DRIVER = 0x102D, DZ_CL_VERSION = 0x102F, DZ_CL_SIZES = 0x1165,
  DZ_CL_BINARIES = 0x1166, DZ_CL_PLATFORM_NAME = 0x902, DZ_CL_BUILD_LOG = 0x1183,
  DZ_CL_KIND = 0x1000, DZ_CL_CPU = 2, DZ_CL_GPU = 4, DZ_CL_MOST = 32,
  DZ_CL_ROUNDS = 1 << 7  // f32 quotients and roots are rounded right
};

#define DZ_CL_SYMBOL(field, name) {offsetof(DzCl, field), name}
static bool dz_cl_symbols(DzCl *cl) {
  static const DzSymbol rows[] = {
      DZ_CL_SYMBOL(platforms, "clGetPlatformIDs"),
      DZ_CL_SYMBOL(platform_info, "clGetPlatformInfo"),
      DZ_CL_SYMBOL(devices, "clGetDeviceIDs"),
      DZ_CL_SYMBOL(device_info, "clGetDeviceInfo"),
      DZ_CL_SYMBOL(context_new, "clCreateContext"),
      DZ_CL_SYMBOL(context_free, "clReleaseContext"),
      DZ_CL_SYMBOL(queue_new, "clCreateCommandQueue"),
      DZ_CL_SYMBOL(queue_free, "clReleaseCommandQueue"),
      DZ_CL_SYMBOL(program_new, "clCreateProgramWithSource"),
      DZ_CL_SYMBOL(program_binary, "clCreateProgramWithBinary"),
      DZ_CL_SYMBOL(program_info, "clGetProgramInfo"),
      DZ_CL_SYMBOL(program_free, "clReleaseProgram"),
      DZ_CL_SYMBOL(build, "clBuildProgram"),
      DZ_CL_SYMBOL(build_info, "clGetProgramBuildInfo"),
      DZ_CL_SYMBOL(kernel_new, "clCreateKernel"),
      DZ_CL_SYMBOL(kernel_free, "clReleaseKernel"),
      DZ_CL_SYMBOL(kernel_arg, "clSetKernelArg"),
      DZ_CL_SYMBOL(buffer_new, "clCreateBuffer"),
      DZ_CL_SYMBOL(buffer_free, "clReleaseMemObject"),
      DZ_CL_SYMBOL(read, "clEnqueueReadBuffer"),
      DZ_CL_SYMBOL(write, "clEnqueueWriteBuffer"),
      DZ_CL_SYMBOL(launch, "clEnqueueNDRangeKernel"),
      DZ_CL_SYMBOL(finish, "clFinish"),
  };
  return dz_symbols(cl, cl->library, rows, sizeof rows / sizeof *rows);
}

// ---- errors ------------------------------------------------------------------------------------
DZ_COLD int dz_cl_error(DzCtx *c, const char *what, int status) {
  if (status == -4 || status == -5 || status == -6)
    return dz_error(c, DZ_OUT_OF_MEMORY, "out of memory on the OpenCL device: %s (status %d)", what,
                    status);
  return dz_error(c, DZ_ERROR, "OpenCL: %s failed with status %d", what, status);
}
static int dz_cl_check(DzCtx *c, const char *what, int status) {
  return status == 0 ? 0 : dz_cl_error(c, what, status);
}

// ---- operations --------------------------------------------------------------------------------
static void *dz_cl_mem_new(DzDev *d, int64_t bytes) {
  DzCl *cl = (DzCl *)d->own;
  int status;
  return cl->buffer_new(cl->context, 1, bytes > 0 ? (size_t)bytes : 1, NULL, &status);
}
static void dz_cl_mem_free(DzDev *d, void *mem) { ((DzCl *)d->own)->buffer_free(mem); }

static int dz_cl_put(DzCtx *c, void *mem, const void *from, int64_t bytes) {
  DzCl *cl = (DzCl *)c->dev->own;
  return dz_cl_check(c, "writing memory", cl->write(cl->queue, mem, 1, 0, (size_t)bytes, from, 0,
                                                    NULL, NULL));
}
static int dz_cl_get(DzCtx *c, void *to, void *mem, int64_t bytes) {
  DzCl *cl = (DzCl *)c->dev->own;
  return dz_cl_check(c, "reading memory", cl->read(cl->queue, mem, 1, 0, (size_t)bytes, to, 0, NULL,
                                                   NULL));
}

// Whether the device has the extension.
static bool dz_cl_has(const DzCl *cl, void *device, const char *extension) {
  size_t length = 0;
  cl->device_info(device, DZ_CL_EXTENSIONS, 0, NULL, &length);
  char *all = (char *)calloc(length + 1, 1);
  if (all == NULL) return false;
  cl->device_info(device, DZ_CL_EXTENSIONS, length, all, NULL);
  const bool has = strstr(all, extension) != NULL;
  free(all);
  return has;
}

// The driver's compiler has failed.
static int dz_cl_build_error(DzCtx *c, const DzCl *cl, const DzClText *t, int status) {
  char log[2000] = "";
  size_t length = 0;
  cl->build_info(t->program, cl->device, DZ_CL_BUILD_LOG, 0, NULL, &length);
  char *all = (char *)malloc(length + 1);
  if (all != NULL) {
    cl->build_info(t->program, cl->device, DZ_CL_BUILD_LOG, length, all, NULL);
    all[length] = 0;
    snprintf(log, sizeof log, "%s", all);
  }
  free(all);
  if (strstr(log, "dz_atomic_") != NULL && !dz_cl_has(cl, cl->device, "cl_khr_int64_base_atomics"))
    return dz_error(c, DZ_ERROR, "This OpenCL device has no atomic operations of 64 bits, which "
                    "--any-order needs; compile the program without it");
  return dz_error(c, DZ_ERROR,
                  "internal error: the OpenCL driver refuses the kernels (status %d):\n%s", status,
                  log);
}

static const char *dz_cl_options(const DzCl *cl) {
  uint64_t f32 = 0;
  cl->device_info(cl->device, DZ_CL_F32, sizeof f32, &f32, NULL);
  return (f32 & DZ_CL_ROUNDS) != 0
             ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt" : "-cl-std=CL1.2";
}

// ---- kernels compiled before -------------------------------------------------------------------
static void dz_cl_key(const DzCl *cl, DzClText *t, const char *options) {
  static const unsigned facts[] = {DZ_CL_NAME, DZ_CL_VENDOR, DZ_CL_VERSION, DZ_CL_DRIVER};
  dz_kept_key(&t->kept, t->lines);
  dz_kept_add(&t->kept, options);
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
    char text[256] = "";
    cl->device_info(cl->device, facts[i], sizeof text - 1, text, NULL);
    dz_kept_add(&t->kept, text);
  }
}

// Whether t->program is there.
static bool dz_cl_cached(DzCtx *c, DzCl *cl, DzClText *t, const char *options) {
  size_t bytes = 0;
  int status = 0, taken = 0;
  dz_cl_key(cl, t, options);
  unsigned char *binary = dz_kept_read(&t->kept, &bytes);
  if (binary == NULL) return false;
  const unsigned char *const binaries[] = {binary};
  t->program = cl->program_binary(cl->context, 1, &cl->device, &bytes, binaries, &taken, &status);
  free(binary);
  if (t->program == NULL) return false;
  status = status != 0 || taken != 0 ? -1
                                     : cl->build(t->program, 1, &cl->device, options, NULL, NULL);
  if (status == 0) {
    dz_kept_used(c, &t->kept);
    return true;
  }
  cl->program_free(t->program);
  t->program = NULL;
  return false;
}

static void dz_cl_keep(const DzCtx *c, const DzCl *cl, const DzClText *t) {
  size_t bytes = 0;
  if (cl->program_info(t->program, DZ_CL_SIZES, sizeof bytes, &bytes, NULL) != 0) return;
  unsigned char *binary = bytes > 0 ? (unsigned char *)malloc(bytes) : NULL;
  if (binary == NULL) return;
  if (cl->program_info(t->program, DZ_CL_BINARIES, sizeof binary, &binary, NULL) == 0)
    dz_kept_write(c, &t->kept, binary, bytes);
  free(binary);
}

// ---- compilation -------------------------------------------------------------------------------
static int dz_cl_compile(DzCtx *c, DzCl *cl, DzClText *t, const char *options) {
  int status = 0;
  unsigned count = 0;
  while (t->lines[count] != NULL) count++;
  t->program = cl->program_new(cl->context, count, t->lines, NULL, &status);
  if (t->program == NULL) return dz_cl_error(c, "making the program", status);
  status = cl->build(t->program, 1, &cl->device, options, NULL, NULL);
  if (status != 0) return dz_cl_build_error(c, cl, t, status);
  dz_cl_keep(c, cl, t);
  return 0;
}

static int dz_cl_build(DzCtx *c, DzCl *cl, DzClText *t) {
  const char *options = dz_cl_options(cl);
  const int64_t start = dz_now();
  const int err = dz_cl_cached(c, cl, t, options) ? 0 : dz_cl_compile(c, cl, t, options);
  dz_event_end(c, "build_kernels", NULL, start, 0);
  return err;
}

// The kernel in *out.
static int dz_cl_kernel(DzCtx *c, DzCl *cl, const DzKernel *k, void **out) {
  DzClText *t = &cl->texts[cl->from->text_of[k->number]];
  int status = 0, err = t->program != NULL ? 0 : dz_cl_build(c, cl, t);
  if (err == 0 && cl->kernels[k->number] == NULL) {
    cl->kernels[k->number] = cl->kernel_new(t->program, k->function, &status);
    err = dz_cl_check(c, k->name, status);
  }
  *out = cl->kernels[k->number];
  return err;
}

static int dz_cl_launch(DzCtx *c, const DzKernel *k, int64_t threads, const DzPassed *a,
                        int count) {
  DzCl *cl = (DzCl *)c->dev->own;
  void *kernel;
  size_t group = (size_t)dz_group_size(c);  // a divisor of DZ_GROUP, on every device
  while (group > cl->most) group /= 2;
  const size_t all = (size_t)dz_groups(k, threads, (int64_t)group) * group;
  int err = dz_cl_kernel(c, cl, k, &kernel), status = 0;
  for (int i = 0; i < count && err == 0; i++)
    err = dz_cl_check(c, "passing an argument",
                      cl->kernel_arg(kernel, (unsigned)i, a[i].bytes, a[i].at));
  if (err != 0) return err;
  status = cl->launch(cl->queue, kernel, 1, NULL, &all, &group, 0, NULL, NULL);
  return dz_cl_check(c, "launching a kernel", status);
}

static int dz_cl_ready(DzCtx *c, const DzKernel *k) {
  void *kernel;
  return dz_cl_kernel(c, (DzCl *)c->dev->own, k, &kernel);
}
static int dz_cl_wait(DzCtx *c, int64_t *ns) {
  (void)ns;
  DzCl *cl = (DzCl *)c->dev->own;
  return dz_cl_check(c, "running a kernel", cl->finish(cl->queue));
}

// Kernels may still be running.
static void dz_cl_close(DzCl *cl) {
  if (cl->queue != NULL) cl->finish(cl->queue);
  for (int i = 0; cl->kernels != NULL && i < cl->from->functions; i++)
    if (cl->kernels[i] != NULL) cl->kernel_free(cl->kernels[i]);
  for (int i = 0; cl->texts != NULL && i < cl->from->texts; i++) {
    if (cl->texts[i].program != NULL) cl->program_free(cl->texts[i].program);
    free(cl->texts[i].kept.file);
  }
  if (cl->queue != NULL) cl->queue_free(cl->queue);
  if (cl->context != NULL) cl->context_free(cl->context);
  free(cl->kernels);
  free(cl->texts);
  free(cl);
}
static void dz_cl_end(DzDev *d) { dz_cl_close((DzCl *)d->own); }

// ---- the choice of a device --------------------------------------------------------------------
typedef struct DzClChoice {
  void *device;
  bool gpu;
  int seen, f64;  // devices; with f64 numbers
} DzClChoice;

static bool dz_cl_is_wanted(DzCl *cl, void *platform, void *device) {
  const char *wanted = getenv("DAGAZ_DEVICE");
  char name[256] = "", of[256] = "";
  cl->device_info(device, DZ_CL_NAME, sizeof name - 1, name, NULL);
  cl->platform_info(platform, DZ_CL_PLATFORM_NAME, sizeof of - 1, of, NULL);
  return wanted == NULL || strstr(name, wanted) != NULL || strstr(of, wanted) != NULL;
}

static void dz_cl_consider(DzCl *cl, void *platform, uint64_t kind, DzClChoice *best) {
  void *devices[DZ_CL_MOST];
  unsigned n = 0;
  if (cl->devices(platform, kind, DZ_CL_MOST, devices, &n) != 0) return;
  for (unsigned i = 0; i < n && i < DZ_CL_MOST; i++) {
    if (!dz_cl_is_wanted(cl, platform, devices[i])) continue;
    best->seen++;
    if (!dz_cl_has(cl, devices[i], "cl_khr_fp64")) continue;
    best->f64++;
    if (best->device == NULL) best->device = devices[i];
  }
}

static DzClChoice dz_cl_choose(DzCl *cl) {
  void *platforms[DZ_CL_MOST];
  unsigned n = 0;
  DzClChoice best = {0};
  if (cl->platforms(DZ_CL_MOST, platforms, &n) != 0) return best;
  if (n > DZ_CL_MOST) n = DZ_CL_MOST;
  for (unsigned i = 0; i < n; i++) dz_cl_consider(cl, platforms[i], DZ_CL_GPU, &best);
  for (unsigned i = 0; i < n; i++) dz_cl_consider(cl, platforms[i], 0xFFFFFFFF, &best);
  return best;
}

DZ_COLD int dz_cl_absent(DzCtx *c, const DzClChoice *choice) {
  const char *wanted = getenv("DAGAZ_DEVICE");
  if (choice->seen != 0)
    return dz_error(c, DZ_ERROR, "No OpenCL device here computes with 64-bit floats, which this "
                    "program needs");
  if (wanted != NULL)
    return dz_error(c, DZ_ERROR, "No OpenCL device here has '%s' (from DAGAZ_DEVICE) in its name; "
                    "`clinfo -l` lists those there are", wanted);
  return dz_error(c, DZ_ERROR, "There is no OpenCL device; install a driver (for the processor, on "
                  "Debian: pocl-opencl-icd)");
}

static int dz_cl_library(DzCtx *c, DzCl *cl) {
  static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so",
                                      "/System/Library/Frameworks/OpenCL.framework/OpenCL"};
  for (size_t i = 0; i < sizeof names / sizeof *names && cl->library == NULL; i++)
    cl->library = DZ_LIBRARY_OPEN(names[i]);
  if (cl->library == NULL)
    return dz_error(c, DZ_ERROR, "OpenCL is not installed here: there is no libOpenCL.so.1 "
                    "(Debian: ocl-icd-libopencl1, and a driver, such as pocl-opencl-icd)");
  if (dz_cl_symbols(cl)) return 0;
  return dz_error(c, DZ_ERROR, "The OpenCL library here lacks functions of version 1.2");
}

static int dz_cl_start(DzCtx *c, DzCl *cl) {
  int status = 0, err = dz_cl_library(c, cl);
  if (err != 0) return err;
  const DzClChoice choice = dz_cl_choose(cl);
  if (choice.device == NULL) return dz_cl_absent(c, &choice);
  cl->device = choice.device;
  cl->most = 1;
  cl->device_info(cl->device, DZ_CL_GROUP, sizeof cl->most, &cl->most, NULL);
  cl->context = cl->context_new(NULL, 1, &cl->device, NULL, NULL, &status);
  if (cl->context == NULL) return dz_cl_error(c, "making a context", status);
  cl->queue = cl->queue_new(cl->context, cl->device, 0, &status);
  return cl->queue != NULL ? 0 : dz_cl_error(c, "making a queue", status);
}

// A processor does a group's threads in turns: a group gains nothing, and its barriers make a driver
// compile a kernel for minutes.
static bool dz_cl_is_processor(const DzCl *cl) {
  uint64_t kind = 0;
  cl->device_info(cl->device, DZ_CL_KIND, sizeof kind, &kind, NULL);
  return (kind & DZ_CL_CPU) != 0;
}

// False: no memory for that.
static bool dz_cl_texts(DzCtx *c, DzCl *cl) {
  cl->kernels = (void **)calloc((size_t)cl->from->functions + 1, sizeof *cl->kernels);
  cl->texts = (DzClText *)calloc((size_t)cl->from->texts + 1, sizeof *cl->texts);
  if (cl->kernels == NULL || cl->texts == NULL) return false;
  for (int i = 0; i < cl->from->texts; i++) {
    cl->texts[i].lines = cl->from->lines[i];
    dz_kept_new(c, &cl->texts[i].kept, "opencl", i);
  }
  return true;
}

static int dz_opencl_open(DzCtx *c, const DzKernelTexts *kernels) {
  static const DzDevOps ops = {dz_cl_mem_new, dz_cl_mem_free, dz_cl_put,
                               dz_cl_get,     dz_cl_launch,   dz_cl_ready,
                               dz_cl_wait,    dz_cl_end};
  DzCl *cl = (DzCl *)calloc(1, sizeof *cl);
  int err = 0;
  if (cl == NULL) return dz_out_of_memory(c, (int64_t)sizeof *cl, -1);
  cl->from = kernels;
  err = dz_cl_texts(c, cl) ? dz_cl_start(c, cl) : dz_out_of_memory(c, (int64_t)sizeof *cl, -1);
  if (err != 0) {
    dz_cl_close(cl);
    return err;
  }
  err = dz_dev_begin(c, &ops, cl);
  if (err == 0 && dz_cl_is_processor(cl)) c->dev->spread = DZ_SPREAD_NEVER;
  return err;
}
#endif
