// gpu_cuda: the words of kernels (gpu.h) in CUDA C, for nvcc and NVRTC, with -fmad=false.
#define int8_t signed char
#define int16_t short
#define int32_t int
#define int64_t long long
#define uint8_t unsigned char
#define uint16_t unsigned short
#define uint32_t unsigned
#define uint64_t unsigned long long
#undef INT64_C
#undef UINT64_C
#undef INT64_MAX
#undef INT64_MIN
#define INT64_C(x) x##LL
#define UINT64_C(x) x##ULL
#define INT64_MAX 0x7fffffffffffffffLL
#define INT64_MIN (-INT64_MAX - 1)

#define DZ_INLINE static __device__ __forceinline__
#define DZ_INLINABLE static __device__
#define DZ_TABLE const
#define DZ_KERNEL(name) extern "C" __global__ void name
#define DZ_SELF
#define DZ_GLOBAL
#define DZ_THREADS                                                                    \
  const int64_t id_ = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;                 \
  const int64_t threads_ = (int64_t)gridDim.x * blockDim.x;
#define DZ_LOCAL
#define DZ_GROUPS                                                \
  const int64_t group_ = blockIdx.x, groups_ = gridDim.x;        \
  const int64_t lane_ = threadIdx.x, size_ = blockDim.x;         \
  __shared__ double scratch_[256];
#define DZ_BARRIER __syncthreads();

// ---- of a scalar: what C has by other names ---------------------------------------------------
#undef INFINITY
#undef NAN
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#define __builtin_inf() ((double)INFINITY)
#define __builtin_inff() INFINITY
#define __builtin_nan(s) ((double)NAN)
#define __builtin_nanf(s) NAN
#define __builtin_popcountll(x) __popcll((long long)(x))
#define __builtin_clzll(x) __clzll((long long)(x))
#define __builtin_ctzll(x) (__ffsll((long long)(x)) - 1)
#define __builtin_fma(a, b, c) fma((double)(a), (double)(b), (double)(c))
#define __builtin_fmaf(a, b, c) fmaf(a, b, c)
#define __builtin_fabs(a) fabs((double)(a))
#define __builtin_fabsf(a) fabsf(a)
#define __builtin_floor(a) floor((double)(a))
#define __builtin_floorf(a) floorf(a)
#define __builtin_ceil(a) ceil((double)(a))
#define __builtin_ceilf(a) ceilf(a)
#define __builtin_trunc(a) trunc((double)(a))
#define __builtin_truncf(a) truncf(a)
#define __builtin_rint(a) rint((double)(a))
#define __builtin_rintf(a) rintf(a)
#define __builtin_copysign(a, b) copysign((double)(a), (double)(b))
#define __builtin_copysignf(a, b) copysignf(a, b)
#define dz_to_bits_f32(x) ((uint32_t)__float_as_int(x))
#define dz_from_bits_f32(u) __int_as_float((int)(u))
#define dz_to_bits_f64(x) ((uint64_t)__double_as_longlong(x))
#define dz_from_bits_f64(u) __longlong_as_double((long long)(u))

// ---- failures ----------------------------------------------------------------------------------
#include "fail.h"
// Data that threads of several groups share go through atomic operations alone.
static __device__ void dz_failed(int64_t *fail, const int64_t *f) {
  int *lock = (int *)(fail + DZ_FAIL_WORDS);
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) != 0) continue;
    if (f[0] < (int64_t)atomicAdd((uint64_t *)fail, (uint64_t)0))
      for (int i = 0; i < DZ_FAIL_WORDS; i++) atomicExch((uint64_t *)(fail + i), (uint64_t)f[i]);
    __threadfence();
    atomicExch(lock, 0);
    done = true;
  }
}

// ---- atomic updates -----------------------------------------------------------------------------
#define DZ_ATOMIC(op, p, T, name) \
  static __device__ __forceinline__ void dz_atomic_##op##_##p(T *at, T x) { name(at, x); }
#define DZ_ATOMICS(p, T)                                                                \
  DZ_ATOMIC(min, p, T, atomicMin) DZ_ATOMIC(max, p, T, atomicMax)                       \
  DZ_ATOMIC(and, p, T, atomicAnd) DZ_ATOMIC(or, p, T, atomicOr) DZ_ATOMIC(xor, p, T, atomicXor)
#define DZ_ATOMIC_OF(op, p, T, bits, name)                                              \
  static __device__ __forceinline__ void dz_atomic_##op##_##p(T *at, T x) {             \
    name((bits *)at, (bits)x);                                                          \
  }
DZ_ATOMICS(i32, int32_t)
DZ_ATOMICS(u32, uint32_t)
DZ_ATOMICS(u64, uint64_t)
DZ_ATOMIC(min, i64, int64_t, atomicMin)
DZ_ATOMIC(max, i64, int64_t, atomicMax)
DZ_ATOMIC_OF(and, i64, int64_t, uint64_t, atomicAnd)
DZ_ATOMIC_OF(or, i64, int64_t, uint64_t, atomicOr)
DZ_ATOMIC_OF(xor, i64, int64_t, uint64_t, atomicXor)
DZ_ATOMIC(add, i32, int32_t, atomicAdd)
DZ_ATOMIC(add, u32, uint32_t, atomicAdd)
DZ_ATOMIC(add, u64, uint64_t, atomicAdd)
DZ_ATOMIC_OF(add, i64, int64_t, uint64_t, atomicAdd)
DZ_ATOMIC(add, f32, float, atomicAdd)

// By compare-and-swap of the old value, a; b is the operand.
#define DZ_ATOMIC_CAS(op, p, T, U, value)                                               \
  static __device__ void dz_atomic_##op##_##p(T *at, T b) {                             \
    U *const bits = (U *)at;                                                            \
    for (U old = *(volatile U *)bits, seen;; old = seen) {                              \
      const T a = dz_from_bits_##p(old);                                                \
      seen = atomicCAS(bits, old, dz_to_bits_##p(value));                               \
      if (seen == old) return;                                                          \
    }                                                                                   \
  }
#define DZ_ATOMICS_CAS(p, T, U)                                                         \
  DZ_ATOMIC_CAS(mul, p, T, U, a * b)                                                    \
  DZ_ATOMIC_CAS(min, p, T, U, (a < b) | (b != b) ? a : b)                               \
  DZ_ATOMIC_CAS(max, p, T, U, (b < a) | (b != b) ? a : b)
DZ_ATOMICS_CAS(f32, float, uint32_t)
DZ_ATOMICS_CAS(f64, double, uint64_t)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
DZ_ATOMIC_CAS(add, f64, double, uint64_t, a + b)
#else
DZ_ATOMIC(add, f64, double, atomicAdd)
#endif
