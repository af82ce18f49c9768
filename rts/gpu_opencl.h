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
#define DZ_LOCAL __local
#define DZ_THREADS \
  const int64_t id_ = (int64_t)get_global_id(0), threads_ = (int64_t)get_global_size(0);
#define DZ_GROUPS                                                                           \
  const int64_t group_ = (int64_t)get_group_id(0), groups_ = (int64_t)get_num_groups(0);    \
  const int64_t lane_ = (int64_t)get_local_id(0), size_ = (int64_t)get_local_size(0);       \
  __local double scratch_[256];
#define DZ_BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

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

// ---- atomic updates -----------------------------------------------------------------------------
#define DZ_ATOMIC(op, p, T) \
  static inline void dz_atomic_##op##_##p(__global T *at, T x) { \
    atomic_##op((volatile __global T *)at, x);                   \
  }
#define DZ_ATOMICS(p, T)                                                  \
  DZ_ATOMIC(add, p, T) DZ_ATOMIC(min, p, T) DZ_ATOMIC(max, p, T)          \
  DZ_ATOMIC(and, p, T) DZ_ATOMIC(or, p, T) DZ_ATOMIC(xor, p, T)
DZ_ATOMICS(i32, int32_t)
DZ_ATOMICS(u32, uint32_t)

// Of 64 bits, by both halves: nothing reads the sum before all is added, so that the carry may come
// late.
#define DZ_ATOMIC_HALVES(op, p, T)                                        \
  static inline void dz_atomic_##op##_##p(__global T *at, T x) {          \
    volatile __global uint *const h = (volatile __global uint *)at;       \
    atomic_##op(h, (uint)(ulong)x);                                       \
    atomic_##op(h + 1, (uint)((ulong)x >> 32));                           \
  }
#define DZ_ATOMICS_HALVES(p, T)                                           \
  DZ_ATOMIC_HALVES(and, p, T) DZ_ATOMIC_HALVES(or, p, T) DZ_ATOMIC_HALVES(xor, p, T) \
  static inline void dz_atomic_add_##p(__global T *at, T x) {             \
    volatile __global uint *const h = (volatile __global uint *)at;       \
    const uint low = (uint)(ulong)x, carry = atomic_add(h, low) > ~low;   \
    atomic_add(h + 1, (uint)((ulong)x >> 32) + carry);                    \
  }
DZ_ATOMICS_HALVES(i64, int64_t)
DZ_ATOMICS_HALVES(u64, uint64_t)

// By compare-and-swap of the old value, a; b is the operand.
#define DZ_ATOMIC_CAS(op, p, T, U, cas, value)                            \
  static inline void dz_atomic_##op##_##p(__global T *at, T b) {          \
    volatile __global U *const bits = (volatile __global U *)at;          \
    for (U old = *bits, seen;; old = seen) {                              \
      const T a = dz_from_bits_##p(old);                                  \
      seen = cas(bits, old, dz_to_bits_##p(value));                       \
      if (seen == old) return;                                            \
    }                                                                     \
  }
#define DZ_ATOMICS_CAS(p, T, U, cas)                                      \
  DZ_ATOMIC_CAS(add, p, T, U, cas, a + b)                                 \
  DZ_ATOMIC_CAS(mul, p, T, U, cas, a * b)                                 \
  DZ_ATOMIC_CAS(min, p, T, U, cas, (a < b) | (b != b) ? a : b)            \
  DZ_ATOMIC_CAS(max, p, T, U, cas, (b < a) | (b != b) ? a : b)
DZ_ATOMICS_CAS(f32, float, uint, atomic_cmpxchg)
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
DZ_ATOMICS_CAS(f64, double, ulong, atom_cmpxchg)
#endif
