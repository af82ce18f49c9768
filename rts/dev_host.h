// dev_host: the emulation of a device.  Its memory is the host's, never shared with the program's; the
// threads of a kernel run one after the other, group by group.
#ifndef DZ_DEV_HOST_H
#define DZ_DEV_HOST_H
#include "dev.h"

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

DZ_FN int dz_host_launch(DzCtx *c, const DzKernel *k, int64_t threads, const DzPassed *passed,
                         int count) {
  const int64_t groups = (threads + DZ_GROUP - 1) / DZ_GROUP;
  void *a[count + 1];
  (void)c;
  for (int i = 0; i < count; i++) a[i] = (void *)(uintptr_t)passed[i].at;
  for (int64_t g = 0; g < groups; g++)
    for (int64_t t = 0; t < DZ_GROUP; t++) {
      const DzThread self = {g * DZ_GROUP + t, groups * DZ_GROUP};
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
