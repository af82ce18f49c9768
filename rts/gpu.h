// gpu: what the text of kernels is written in.  Here for the host, where a kernel is a function
// that an emulation calls for every thread (dev.h).
//
//   DZ_KERNEL(name)(DZ_SELF DZ_GLOBAL int64_t *fail_, const int64_t n_, ..) { DZ_THREADS .. }
//
// DZ_THREADS gives id_, the thread's number, and threads_, how many there are.
//
// fail_[0] is the first iteration that failed, DZ_NO_FAILURE: none.  After it are DZ_FAIL_SLOTS
// slots, of which iteration i has number i mod DZ_FAIL_SLOTS: the iteration, the site, the values.
// A thread's iterations ascend, so its first failure is the first of its iterations'.
#ifndef DZ_GPU_H
#define DZ_GPU_H
#include "dev.h"

#define DZ_KERNEL(name) DZ_PART __attribute__((noinline)) void name
#define DZ_SELF const DzThread *self_,
#define DZ_GLOBAL
#define DZ_THREADS const int64_t id_ = self_->id, threads_ = self_->threads; (void)fail_;

DZ_INLINE bool dz_first(int64_t *fail, int64_t i) {
  const bool first = i < fail[0];
  if (first) fail[0] = i;
  return first;
}
#define DZ_FAILED(i, site)                                                        \
  if (dz_first(fail_, i)) {                                                       \
    DZ_GLOBAL int64_t *const f_ = fail_ + 1 + (i) % DZ_FAIL_SLOTS * DZ_FAIL_WORDS; \
    f_[0] = (i);                                                                  \
    f_[1] = (site);
#define DZ_FAILED_END }
#endif
