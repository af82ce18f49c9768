// dev_host: the emulation of a device.  Its memory is the host's, never shared with the program's; the
// threads of a kernel run one after the other, group by group.
#ifndef DZ_DEV_HOST_H
#define DZ_DEV_HOST_H
#include "dev.h"
#ifdef __GLIBC__
#include <ucontext.h>
#endif

DZ_FN void *dz_host_mem_new(DzDev *d, int64_t bytes) {
  (void)d;
  return malloc((size_t)bytes + 1);
}
DZ_FN void dz_host_mem_free(DzDev *d, void *mem) {
  (void)d;
  free(mem);
}
DZ_FN int dz_host_put(DzCtx *c, void *mem, const void *from, int64_t bytes) {
  (void)c;
  memcpy(mem, from, (size_t)bytes);
  return 0;
}
DZ_FN int dz_host_get(DzCtx *c, void *to, void *mem, int64_t bytes) {
  (void)c;
  memcpy(to, mem, (size_t)bytes);
  return 0;
}

// ---- kernels of groups -------------------------------------------------------------------------
#ifdef __GLIBC__
// The threads of a group are fibers: each runs up to its next barrier or its end, in turns.
enum { DZ_HOST_GROUP = 4, DZ_HOST_STACK = 256 * 1024 };
typedef struct DzFibers {
  ucontext_t caller, at[DZ_HOST_GROUP];
  DzThread self[DZ_HOST_GROUP];
  bool ended[DZ_HOST_GROUP];
  int now;
  const DzKernel *kernel;
  void *const *args;
  double scratch[DZ_HOST_GROUP];
  char *stacks;
} DzFibers;

DZ_FN void dz_host_barrier(const DzThread *self) {
  DzFibers *f = (DzFibers *)self->fibers;
  swapcontext(&f->at[f->now], &f->caller);
}
static void dz_host_fiber(unsigned high, unsigned low) {
  DzFibers *f = (DzFibers *)(uintptr_t)((uint64_t)high << 32 | low);
  const int now = f->now;
  f->kernel->call(&f->self[now], f->args);
  f->ended[now] = true;
}
static void dz_host_group(DzFibers *f, int64_t group, int64_t groups) {
  const uint64_t self = (uint64_t)(uintptr_t)f;
  for (int t = 0; t < DZ_HOST_GROUP; t++) {
    getcontext(&f->at[t]);
    f->at[t].uc_stack.ss_sp = f->stacks + (size_t)t * DZ_HOST_STACK;
    f->at[t].uc_stack.ss_size = DZ_HOST_STACK;
    f->at[t].uc_link = &f->caller;
    f->self[t] = (DzThread){group, groups, t, DZ_HOST_GROUP, f->scratch, f};
    f->ended[t] = false;
    makecontext(&f->at[t], (void (*)(void))dz_host_fiber, 2, (unsigned)(self >> 32),
                (unsigned)self);
  }
  for (int left = DZ_HOST_GROUP; left > 0;) {
    left = 0;
    for (f->now = 0; f->now < DZ_HOST_GROUP; f->now++)
      if (!f->ended[f->now]) left++, swapcontext(&f->caller, &f->at[f->now]);
  }
}
DZ_FN int dz_host_launch_groups(DzCtx *c, const DzKernel *k, int64_t groups, void *const *a) {
  DzFibers *f = (DzFibers *)malloc(sizeof *f);
  char *stacks = (char *)malloc((size_t)DZ_HOST_GROUP * DZ_HOST_STACK);
  const bool room = f != NULL && stacks != NULL;
  if (room) {
    f->kernel = k, f->args = a, f->stacks = stacks;
    for (int64_t g = 0; g < groups; g++) dz_host_group(f, g, groups);
  }
  free(stacks);
  free(f);
  return room ? 0 : dz_dev_error(c, DZ_HOST_GROUP * DZ_HOST_STACK);
}
#else
DZ_FN void dz_host_barrier(const DzThread *self) { (void)self; }
DZ_FN int dz_host_launch_groups(DzCtx *c, const DzKernel *k, int64_t groups, void *const *a) {
  double scratch[1];
  (void)c;
  for (int64_t g = 0; g < groups; g++) {
    const DzThread self = {g, groups, 0, 1, scratch, NULL};
    k->call(&self, a);
  }
  return 0;
}
#endif

DZ_FN int dz_host_launch(DzCtx *c, const DzKernel *k, int64_t threads, const DzPassed *passed,
                         int count) {
  const int64_t groups = (threads + DZ_GROUP - 1) / DZ_GROUP;
  void *a[count + 1];
  (void)c;
  for (int i = 0; i < count; i++) a[i] = (void *)(uintptr_t)passed[i].at;
  if (k->groups) return dz_host_launch_groups(c, k, threads, a);
  for (int64_t g = 0; g < groups; g++)
    for (int64_t t = 0; t < DZ_GROUP; t++) {
      const DzThread self = {g * DZ_GROUP + t, groups * DZ_GROUP, 0, 1, NULL, NULL};
      if (self.id < threads) k->call(&self, a);
    }
  return 0;
}

DZ_FN int dz_host_ready(DzCtx *c, const DzKernel *k) {
  (void)c, (void)k;
  return 0;
}
DZ_FN int dz_host_wait(DzCtx *c, int64_t *ns) {
  (void)c, (void)ns;
  return 0;
}
DZ_FN void dz_host_end(DzDev *d) { (void)d; }

DZ_FN int dz_host_open(DzCtx *c) {
  static const DzDevOps ops = {dz_host_mem_new, dz_host_mem_free, dz_host_put,
                               dz_host_get,     dz_host_launch,   dz_host_ready,
                               dz_host_wait,    dz_host_end};
  return dz_dev_begin(c, &ops, NULL);
}
#endif
