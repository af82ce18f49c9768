// The stand-in of CUDA's driver: a device that is the processor, so that the program's part of CUDA
// can be tested without one.  A call that the driver would not take as it is meant ends the program:
// without the context, of memory that is not there, outside of it, freed twice or not at all.
//
// Addresses of the device are none of the processor's.  What is put on a stream happens when
// something waits for it, copies to the host included; new memory is full of rubbish.
//
//   STANDIN_CAPABILITY  of the device: 90 is 9.0 (the default)
//   STANDIN_DEVICES     how many there are: 2
//   STANDIN_MEMORY      bytes that there are
//   STANDIN_DELAY       milliseconds that a kernel takes, at least
//   STANDIN_CALLS       a file, to which the number of launches and allocations is added
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OK, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100,
       INVALID_DEVICE = 101, INVALID_IMAGE = 200, NOT_FOUND = 500 };
enum { GUARD = 64, RUBBISH = 0xcd, FENCE = 0xa5 };

typedef struct Memory {
  uint64_t at;  // on the device
  size_t bytes;
  unsigned char *real;  // a fence follows it
  struct Memory *next;
} Memory;
typedef enum { TO_DEVICE, TO_HOST, LAUNCH } JobKind;
typedef struct Job {
  JobKind kind;
  void *to, *from;  // from: of TO_DEVICE malloc'd; the launch
  size_t bytes;
  void (*run)(void *launch);
  struct Job *next;
} Job;
typedef struct {
  void *library;
} Module;
typedef struct {
  Module *module;
  void *(*launch)(void **, unsigned, unsigned, void *(*)(uint64_t));
} Function;

static struct {
  bool begun;
  int retained, streams, events, modules, launches, allocations;
  unsigned group;
  uint64_t next;
  size_t used;
  Memory *memory;
  Job *first, **last;
  Function functions[4096];
  int function_count;
} s = {.next = UINT64_C(0x4000000000000000)};
static __thread int current;  // how often the context was pushed
static char context_, stream_, event_;

static void broken(const char *call, const char *what) {
  fprintf(stderr, "stand-in of CUDA: %s: %s\n", call, what);
  abort();
}
static void needs(bool good, const char *call, const char *what) {
  if (!good) broken(call, what);
}
static void needs_context(const char *call) {
  needs(s.begun, call, "cuInit comes first");
  needs(s.retained > 0, call, "there is no context");
  needs(current > 0, call, "no context is current");
}
static long setting(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text != NULL ? atol(text) : otherwise;
}

// ---- the driver and its devices ----------------------------------------------------------------
int cuInit(unsigned flags) {
  s.begun = flags == 0;
  if (setting("STANDIN_DEVICES", 2) == 0) return NO_DEVICE;
  return flags == 0 ? OK : INVALID_VALUE;
}
int cuDriverGetVersion(int *out) {
  *out = 12040;
  return OK;
}
int cuDeviceGetCount(int *out) {
  if (!s.begun) return NOT_INITIALIZED;
  *out = (int)setting("STANDIN_DEVICES", 2);
  return OK;
}
int cuDeviceGet(int *out, int i) {
  if (i < 0 || i >= setting("STANDIN_DEVICES", 2)) return INVALID_DEVICE;
  *out = 10 + i;
  return OK;
}
int cuDeviceGetName(char *out, int size, int device) {
  if (device < 10) return INVALID_DEVICE;
  snprintf(out, (size_t)size, "Stand-in %c", 'A' + device - 10);
  return OK;
}
int cuDeviceGetAttribute(int *out, int what, int device) {
  const int capability = (int)setting("STANDIN_CAPABILITY", 90);
  if (device < 10) return INVALID_DEVICE;
  if (what != 75 && what != 76) return INVALID_VALUE;
  *out = what == 75 ? capability / 10 : capability % 10;
  return OK;
}
int cuGetErrorName(int status, const char **out) {
  *out = status == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_STANDIN";
  return OK;
}
int cuGetErrorString(int status, const char **out) {
  *out = status == OUT_OF_MEMORY ? "out of memory" : "the stand-in refuses";
  return OK;
}

// ---- contexts ----------------------------------------------------------------------------------
int cuDevicePrimaryCtxRetain(void **out, int device) {
  needs(s.begun, "cuDevicePrimaryCtxRetain", "cuInit comes first");
  needs(device >= 10, "cuDevicePrimaryCtxRetain", "that is no device");
  s.retained++;
  *out = &context_;
  return OK;
}
static void at_end(void) {
  needs(s.memory == NULL, "the end", "memory is not freed");
  needs(s.streams == 0, "the end", "a stream is not destroyed");
  needs(s.events == 0, "the end", "an event is not destroyed");
  needs(s.modules == 0, "the end", "a module is not unloaded");
}
int cuDevicePrimaryCtxRelease_v2(int device) {
  needs(device >= 10 && s.retained > 0, "cuDevicePrimaryCtxRelease", "it is not retained");
  if (--s.retained == 0) at_end();
  return OK;
}
int cuCtxPushCurrent_v2(void *context) {
  needs(context == &context_ && s.retained > 0, "cuCtxPushCurrent", "that is no context");
  current++;
  return OK;
}
int cuCtxPopCurrent_v2(void **out) {
  needs(current > 0, "cuCtxPopCurrent", "none is current");
  current--;
  *out = &context_;
  return OK;
}
__attribute__((destructor)) static void unloaded(void) {
  const char *path = getenv("STANDIN_CALLS");
  FILE *f = path != NULL && s.launches > 0 ? fopen(path, "a") : NULL;
  if (f != NULL) {
    fprintf(f, "%d launches, %d allocations, groups of %u\n", s.launches, s.allocations, s.group);
    fclose(f);
  }
  if (s.retained == 0) return;
  fprintf(stderr, "stand-in of CUDA: the context is not released\n");
  _exit(99);
}

// ---- memory ------------------------------------------------------------------------------------
static bool is_whole(const Memory *m) {
  for (int i = 0; i < GUARD; i++)
    if (m->real[m->bytes + (size_t)i] != FENCE) return false;
  return true;
}
static Memory **memory_at(uint64_t at) {
  Memory **m = &s.memory;
  while (*m != NULL && (at < (*m)->at || at >= (*m)->at + (*m)->bytes)) m = &(*m)->next;
  return m;
}
// So many bytes at an address of the device.
static unsigned char *real_at(uint64_t at, size_t bytes, const char *call) {
  Memory *m = *memory_at(at);
  needs(m != NULL, call, "there is no memory at that address");
  needs(bytes <= m->bytes - (size_t)(at - m->at), call, "the memory there is smaller");
  return m->real + (at - m->at);
}
static void *lent(uint64_t at) { return real_at(at, 0, "cuLaunchKernel"); }

int cuMemAlloc_v2(uint64_t *out, size_t bytes) {
  needs_context("cuMemAlloc");
  if (bytes == 0) return INVALID_VALUE;
  if (s.used + bytes > (size_t)setting("STANDIN_MEMORY", INT64_C(1) << 40)) return OUT_OF_MEMORY;
  Memory *m = malloc(sizeof *m);
  *m = (Memory){s.next, bytes, malloc(bytes + GUARD), s.memory};
  memset(m->real, RUBBISH, bytes);
  memset(m->real + bytes, FENCE, GUARD);
  s.memory = m;
  s.next += (bytes + 4095) / 256 * 256;
  s.used += bytes;
  s.allocations++;
  *out = m->at;
  return OK;
}

// ---- what a stream has -------------------------------------------------------------------------
static void job_add(Job job) {
  Job *j = malloc(sizeof *j);
  *j = job;
  j->next = NULL;
  if (s.first == NULL) s.last = &s.first;
  *s.last = j;
  s.last = &j->next;
}
static void jobs_run(void) {
  while (s.first != NULL) {
    Job *j = s.first;
    if (j->kind == LAUNCH) usleep((useconds_t)(1000 * setting("STANDIN_DELAY", 0)));
    if (j->kind == LAUNCH) j->run(j->from);
    else memcpy(j->to, j->from, j->bytes);
    if (j->kind == TO_DEVICE) free(j->from);
    s.first = j->next;
    free(j);
  }
  for (const Memory *m = s.memory; m != NULL; m = m->next)
    needs(is_whole(m), "a kernel", "it wrote beyond the end of memory");
}

int cuMemFree_v2(uint64_t at) {
  needs_context("cuMemFree");
  jobs_run();
  Memory **m = memory_at(at), *dead = *m;
  needs(dead != NULL && dead->at == at, "cuMemFree", "there is no memory at that address");
  *m = dead->next;
  s.used -= dead->bytes;
  memset(dead->real, RUBBISH, dead->bytes);
  free(dead->real);
  free(dead);
  return OK;
}

int cuStreamCreate(void **out, unsigned flags) {
  needs_context("cuStreamCreate");
  if (flags > 1) return INVALID_VALUE;
  s.streams++;
  *out = &stream_;
  return OK;
}
int cuStreamDestroy_v2(void *stream) {
  needs_context("cuStreamDestroy");
  needs(stream == &stream_ && s.streams > 0, "cuStreamDestroy", "that is no stream");
  needs(s.first == NULL, "cuStreamDestroy", "the program has not waited for it");
  s.streams--;
  return OK;
}
int cuStreamSynchronize(void *stream) {
  needs_context("cuStreamSynchronize");
  needs(stream == &stream_ && s.streams > 0, "cuStreamSynchronize", "that is no stream");
  jobs_run();
  return OK;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  needs_context("cuMemcpyHtoDAsync");
  needs(stream == &stream_, "cuMemcpyHtoDAsync", "that is no stream");
  void *staged = malloc(bytes + 1);
  memcpy(staged, from, bytes);
  job_add((Job){TO_DEVICE, real_at(to, bytes, "cuMemcpyHtoDAsync"), staged, bytes, NULL, NULL});
  return OK;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  needs_context("cuMemcpyDtoHAsync");
  needs(stream == &stream_, "cuMemcpyDtoHAsync", "that is no stream");
  job_add((Job){TO_HOST, to, real_at(from, bytes, "cuMemcpyDtoHAsync"), bytes, NULL, NULL});
  return OK;
}

// ---- events ------------------------------------------------------------------------------------
int cuEventCreate(void **out, unsigned flags) {
  needs_context("cuEventCreate");
  if (flags != 0) return INVALID_VALUE;
  s.events++;
  *out = &event_;
  return OK;
}
int cuEventDestroy_v2(void *event) {
  needs(event == &event_ && s.events > 0, "cuEventDestroy", "that is no event");
  s.events--;
  return OK;
}
int cuEventRecord(void *event, void *stream) {
  needs_context("cuEventRecord");
  needs(event == &event_ && stream == &stream_, "cuEventRecord", "that is no event and stream");
  return OK;
}
int cuEventElapsedTime(float *ms, void *before, void *after) {
  needs(before == &event_ && after == &event_, "cuEventElapsedTime", "these are no events");
  needs(s.first == NULL, "cuEventElapsedTime", "the event has not happened");
  *ms = 0.25f;
  return OK;
}

// ---- modules -----------------------------------------------------------------------------------
// The length of code for the device; 0: it is none.
static size_t code_bytes(const unsigned char *code) {
  Elf64_Ehdr head;
  memcpy(&head, code, SELFMAG);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return 0;
  memcpy(&head, code, sizeof head);
  return head.e_shoff + (size_t)head.e_shnum * head.e_shentsize;
}
static unsigned char *code_of_ptx(const char *ptx, size_t *bytes) {
  *bytes = strlen(ptx) / 2;
  unsigned char *out = calloc(*bytes + 1, 1);
  for (size_t i = 0; i < *bytes; i++) {
    unsigned x = 0;
    if (sscanf(ptx + 2 * i, "%2x", &x) != 1) break;
    out[i] = (unsigned char)x;
  }
  return out;
}
static void *library_of(const unsigned char *code, size_t bytes) {
  char path[] = "/tmp/standin.XXXXXX";
  const int fd = mkstemp(path);
  needs(fd >= 0 && write(fd, code, bytes) == (ssize_t)bytes, "cuModuleLoadDataEx",
        "it cannot write a file");
  close(fd);
  void *out = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  unlink(path);
  return out;
}

int cuModuleLoadDataEx(void **out, const void *image, unsigned count, int *options, void **values) {
  size_t bytes = code_bytes(image);
  needs_context("cuModuleLoadDataEx");
  needs(count == 2 && options[0] == 5 && options[1] == 6, "cuModuleLoadDataEx",
        "other options than the log's");
  unsigned char *code = bytes == 0 ? code_of_ptx(image, &bytes) : NULL;
  void *library = library_of(code != NULL ? code : image, bytes);
  free(code);
  if (library == NULL) {
    snprintf(values[0], (size_t)(uintptr_t)values[1], "the stand-in cannot load it");
    return INVALID_IMAGE;
  }
  Module *m = malloc(sizeof *m);
  m->library = library;
  s.modules++;
  *out = m;
  return OK;
}
int cuModuleUnload(void *module) {
  needs_context("cuModuleUnload");
  needs(s.modules > 0, "cuModuleUnload", "there is no module");
  s.modules--;
  free(module);
  return OK;
}
int cuModuleGetFunction(void **out, void *module, const char *name) {
  char shim[300];
  needs_context("cuModuleGetFunction");
  snprintf(shim, sizeof shim, "%s_launch", name);
  void *found = dlsym(((Module *)module)->library, shim);
  if (found == NULL) return NOT_FOUND;
  needs(s.function_count < 4096, "cuModuleGetFunction", "too many functions for the stand-in");
  Function *f = &s.functions[s.function_count++];
  f->module = module;
  memcpy(&f->launch, &found, sizeof found);
  *out = f;
  return OK;
}

int cuLaunchKernel(void *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
  const Function *f = kernel;
  Job job = {.kind = LAUNCH};
  needs_context("cuLaunchKernel");
  needs(f >= s.functions && f < s.functions + s.function_count, "cuLaunchKernel",
        "that is no function");
  needs(stream == &stream_, "cuLaunchKernel", "that is no stream");
  needs(gx > 0 && gy == 1 && gz == 1 && bx > 0 && bx <= 1024 && by == 1 && bz == 1 && shared == 0,
        "cuLaunchKernel", "sizes that it must not have");
  needs(params != NULL && extra == NULL, "cuLaunchKernel", "parameters in a form it must not have");
  void *run = dlsym(f->module->library, "standin_run");
  memcpy(&job.run, &run, sizeof run);
  job.from = f->launch(params, gx, bx, lent);
  job_add(job);
  s.launches++;
  s.group = bx;
  return OK;
}
