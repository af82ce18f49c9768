// gpu: what the text of kernels is written in, a dialect of it for every device.  Here for the
// emulation, where a kernel is a function that is called for every thread; gpu_opencl.h says the same
// words otherwise.
//
//   DZ_KERNEL(name)(DZ_SELF DZ_GLOBAL int64_t *fail_, const int64_t n_, ..) { DZ_THREADS .. }
//
// Of the emulation it begins with DZ_HOST_KERNEL void name.
// DZ_THREADS gives id_, the thread's number, and threads_, how many there are.  A thread's iterations
// ascend, and it ends with its first failure f, which dz_failed notes in fail_ if no iteration
// before has failed.  dz_atomic_OP_p(at, x): *at = dz_OP_p(*at, x), while other threads may do so.
// DZ_GROUPS, of kernels of groups: group_, groups_, the thread's number lane_ in its group of size_
// threads, and scratch_, which they share, of size_ elements of 8 bytes.  DZ_BARRIER: all threads of
// the group come here before one goes on, and see what the others wrote.
#ifndef DZ_GPU_H
#define DZ_GPU_H
#include "dev_host.h"

#define DZ_HOST_KERNEL DZ_PART __attribute__((noinline))  // void name(..)
#define DZ_SELF const DzThread *self_,
#define DZ_GLOBAL
#define DZ_LOCAL
#define DZ_THREADS const int64_t id_ = self_->id, threads_ = self_->threads; (void)fail_;
#define DZ_GROUPS                                                             \
  const int64_t group_ = self_->id, groups_ = self_->threads;                 \
  const int64_t lane_ = self_->lane, size_ = self_->size; (void)fail_;        \
  double *const scratch_ = self_->scratch; (void)scratch_;
#define DZ_BARRIER dz_host_barrier(self_);

DZ_COLD void dz_failed(int64_t *fail, const int64_t *f) {
  if (f[0] < fail[0]) memcpy(fail, f, DZ_FAIL_WORDS * sizeof *f);
}

// ---- atomic updates: threads run one after the other --------------------------------------------
#define DZ_ATOMIC(op, p, T) \
  DZ_INLINE void dz_atomic_##op##_##p(T *at, T x) { *at = dz_##op##_##p(*at, x); }
#define DZ_ATOMICS(p, T) DZ_ATOMIC(add, p, T) DZ_ATOMIC(min, p, T) DZ_ATOMIC(max, p, T)
#define DZ_ATOMICS_INT(p, T) \
  DZ_ATOMICS(p, T) DZ_ATOMIC(and, p, T) DZ_ATOMIC(or, p, T) DZ_ATOMIC(xor, p, T)
#define DZ_ATOMICS_FLOAT(p, T) DZ_ATOMICS(p, T) DZ_ATOMIC(mul, p, T)
DZ_ATOMICS_INT(i32, int32_t)
DZ_ATOMICS_INT(i64, int64_t)
DZ_ATOMICS_INT(u32, uint32_t)
DZ_ATOMICS_INT(u64, uint64_t)
DZ_ATOMICS_FLOAT(f32, float)
DZ_ATOMICS_FLOAT(f64, double)
#endif
