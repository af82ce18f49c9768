// gpu_opencl: the words of kernels (gpu.h) in OpenCL C 1.2.
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#define INT64_C(x) x##L
#define UINT64_C(x) x##UL
#define INT64_MAX 0x7fffffffffffffffL
#define INT64_MIN (-INT64_MAX - 1)

#define DZ_INLINE static inline
#define DZ_INLINABLE static inline
#define DZ_TABLE const
#define DZ_KERNEL(name) __kernel void name
#define DZ_SELF
#define DZ_GLOBAL __global
#define DZ_THREADS \
  const int64_t id_ = (int64_t)get_global_id(0), threads_ = (int64_t)get_global_size(0);

// ---- of a scalar: what C has by other names ---------------------------------------------------
// A driver's own may use the names defined below.
#undef INFINITY
#undef NAN
#define INFINITY as_float(0x7f800000u)
#define NAN as_float(0x7fc00000u)
#define __builtin_inf() ((double)INFINITY)
#define __builtin_inff() INFINITY
#define __builtin_nan(s) ((double)NAN)
#define __builtin_nanf(s) NAN
#define __builtin_popcountll(x) ((int)popcount((ulong)(x)))
#define __builtin_clzll(x) ((int)clz((ulong)(x)))
#define __builtin_ctzll(x) ((int)popcount(((ulong)(x) & -(ulong)(x)) - 1))
#define __builtin_fma(a, b, c) fma((double)(a), (double)(b), (double)(c))
#define __builtin_fmaf(a, b, c) fma((float)(a), (float)(b), (float)(c))
#define __builtin_fabs(a) fabs((double)(a))
#define __builtin_fabsf(a) fabs((float)(a))
#define __builtin_floor(a) floor((double)(a))
#define __builtin_floorf(a) floor((float)(a))
#define __builtin_ceil(a) ceil((double)(a))
#define __builtin_ceilf(a) ceil((float)(a))
#define __builtin_trunc(a) trunc((double)(a))
#define __builtin_truncf(a) trunc((float)(a))
#define __builtin_rint(a) rint((double)(a))
#define __builtin_rintf(a) rint((float)(a))
#define __builtin_copysign(a, b) copysign((double)(a), (double)(b))
#define __builtin_copysignf(a, b) copysign((float)(a), (float)(b))
#define fmaf(a, b, c) fma((float)(a), (float)(b), (float)(c))
#define fmodf(a, b) fmod((float)(a), (float)(b))
#define powf(a, b) pow((float)(a), (float)(b))
#define hypotf(a, b) hypot((float)(a), (float)(b))
#define atan2f(a, b) atan2((float)(a), (float)(b))
#define nextafterf(a, b) nextafter((float)(a), (float)(b))
#define ldexpf(a, k) ldexp((float)(a), (int)(k))
#define sqrtf(a) sqrt((float)(a))
#define asinf(a) asin((float)(a))
#define acosf(a) acos((float)(a))
#define atanf(a) atan((float)(a))
#define tanf(a) tan((float)(a))
#define cbrtf(a) cbrt((float)(a))
#define log2f(a) log2((float)(a))
#define log10f(a) log10((float)(a))
#define sinhf(a) sinh((float)(a))
#define coshf(a) cosh((float)(a))
#define asinhf(a) asinh((float)(a))
#define acoshf(a) acosh((float)(a))
#define atanhf(a) atanh((float)(a))
#define tgammaf(a) tgamma((float)(a))
#define lgammaf(a) lgamma((float)(a))
#define erff(a) erf((float)(a))
#define erfcf(a) erfc((float)(a))
#define dz_to_bits_f32(x) as_uint((float)(x))
#define dz_from_bits_f32(u) as_float((uint)(u))
#define dz_to_bits_f64(x) as_ulong((double)(x))
#define dz_from_bits_f64(u) as_double((ulong)(u))

// ---- failures ----------------------------------------------------------------------------------
#include "fail.h"
// Data that threads of several groups share go through atomic operations alone, of 32 bits, which
// every device has.
static inline int64_t dz_shared_get(__global int64_t *p) {
  volatile __global uint *h = (volatile __global uint *)p;
  const uint low = atomic_or(h, 0u), high = atomic_or(h + 1, 0u);
  return (int64_t)((ulong)high << 32 | low);
}
static inline void dz_shared_put(__global int64_t *p, int64_t x) {
  volatile __global uint *h = (volatile __global uint *)p;
  atomic_xchg(h, (uint)(ulong)x);
  atomic_xchg(h + 1, (uint)((ulong)x >> 32));
}
static inline void dz_failed(__global int64_t *fail, const int64_t *f) {
  volatile __global int *lock = (volatile __global int *)(fail + DZ_FAIL_WORDS);
  for (bool done = false; !done;) {
    if (atomic_cmpxchg(lock, 0, 1) != 0) continue;
    if (f[0] < dz_shared_get(fail))
      for (int i = 0; i < DZ_FAIL_WORDS; i++) dz_shared_put(fail + i, f[i]);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
    done = true;
  }
}

// ---- atomic sums -------------------------------------------------------------------------------
static inline void dz_atomic_add_f32(__global float *at, float x) {
  volatile __global uint *bits = (volatile __global uint *)at;
  for (uint old = *bits, seen;; old = seen) {
    seen = atomic_cmpxchg(bits, old, as_uint(as_float(old) + x));
    if (seen == old) return;
  }
}
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
static inline void dz_atomic_add_f64(__global double *at, double x) {
  volatile __global ulong *bits = (volatile __global ulong *)at;
  for (ulong old = *bits, seen;; old = seen) {
    seen = atom_cmpxchg(bits, old, as_ulong(as_double(old) + x));
    if (seen == old) return;
  }
}
#endif
