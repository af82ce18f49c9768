// base: every scalar operation of the language as a C function.
//
// Names: dz_<operation>_<type> with type one of i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool
// (unit for comparisons), and dz_conv_<from>_<to>.  The compiler's interpreter and constant
// folder call the same functions, so all ways of running a program agree to the bit (compile
// with -ffp-contract=off).
//
//   integers       add sub mul neg (wrap), div mod (towards -inf), quot rem (towards 0), pow,
//                  min max abs sgn, and or xor not, shl shr lshr (any amount), popc clz ctz,
//                  mul_hi mad_hi, eq ne lt le, select;
//                  block_bytes within_block of i64
//   floats         add sub mul div mod (C's fmod) pow neg min max (a NaN operand loses) abs sgn
//                  powz (pow, but 0 at a = 0 where b < 0)
//                  min_first max_first detach(x) (min, max, x with other derivatives)
//                  sqrt rsqrt cbrt hypot recip exp exp2 exp10 expm1 log log2 log10 log1p
//                  sin cos tan sinpi cospi tanpi asin acos atan asinpi acospi atanpi
//                  atan2 atan2pi sinh cosh tanh asinh acosh atanh
//                  gamma lgamma digamma trigamma tetragamma polygamma(x, order) erf erfc
//                  ceil floor trunc round (ties to even) lerp mad fma
//                  copysign nextafter ldexp(x, i32) to_bits from_bits(bits) signbit
//                  isnan isinf eq ne lt le select
//                  guard(d, J, x) (x, but 0 where d is 0 and J infinite or NaN)
//   bool           and or xor not min max eq ne lt le select
//   conversions    integer to integer: extend by the source's sign, drop high bits;
//                  float to integer: towards zero, NaN and infinities 0, otherwise saturating
//                  (negative to unsigned: through the signed type); to bool: not zero
#ifndef DZ_BASE_H
#define DZ_BASE_H
#ifndef DZ_DEVICE
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1  // of what follows, only madvise needs it
#endif
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
// Without SSE4.1 no instruction chooses by a mask, and gcc 12 -O1 stops with an internal error where
// this pass has moved a comparison of vectors away from its use.
#if defined(__SSE2__) && !defined(__SSE4_1__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-ivopts")
#endif
#endif
#include "special.h"

// Above a loop whose iterations are independent.  Dagaz passes -fopenmp-simd and says so.
#ifdef DZ_OPENMP_SIMD
#define DZ_SIMD _Pragma("omp simd")
#elif defined(__clang__)
#define DZ_SIMD _Pragma("clang loop vectorize(assume_safety)")
#else
#define DZ_SIMD _Pragma("GCC ivdep")
#endif

// Common to both float types: p the name, T the type, S the suffix in libm's names.
#define DZ_FLOAT_OPS(p, T, S)                                                                    \
  DZ_INLINE T dz_add_##p(T a, T b) { return a + b; }                                         \
  DZ_INLINE T dz_sub_##p(T a, T b) { return a - b; }                                         \
  DZ_INLINE T dz_mul_##p(T a, T b) { return a * b; }                                         \
  DZ_INLINE T dz_div_##p(T a, T b) { return a / b; }                                         \
  DZ_INLINE T dz_mod_##p(T a, T b) { return fmod##S(a, b); }                                 \
  DZ_INLINE T dz_rem_##p(T a, T b) { return fmod##S(a, b); }                                 \
  DZ_INLINE T dz_pow_##p(T a, T b) { return pow##S(a, b); }                                  \
  DZ_INLINE T dz_powz_##p(T a, T b) { return a == 0 && b < 0 ? (T)0 : pow##S(a, b); }        \
  DZ_INLINE T dz_neg_##p(T a) { return -a; }                                                 \
  DZ_INLINE T dz_recip_##p(T a) { return (T)1 / a; }                                         \
  DZ_INLINE T dz_min_##p(T a, T b) { return ((a < b) | (b != b)) ? a : b; }                    \
  DZ_INLINE T dz_max_##p(T a, T b) { return ((b < a) | (b != b)) ? a : b; }                    \
  DZ_INLINE T dz_min_first_##p(T a, T b) { return dz_min_##p(a, b); }                        \
  DZ_INLINE T dz_max_first_##p(T a, T b) { return dz_max_##p(a, b); }                        \
  DZ_INLINE T dz_detach_##p(T a) { return a; }                                               \
  DZ_INLINE T dz_abs_##p(T a) { return __builtin_fabs##S(a); }                               \
  DZ_INLINE T dz_sgn_##p(T a) { return a > 0 ? (T)1 : a < 0 ? (T)-1 : a == 0 ? (T)0 : a; }   \
  DZ_INLINE bool dz_eq_##p(T a, T b) { return a == b; }                                      \
  DZ_INLINE bool dz_ne_##p(T a, T b) { return a != b; }                                      \
  DZ_INLINE bool dz_lt_##p(T a, T b) { return a < b; }                                       \
  DZ_INLINE bool dz_le_##p(T a, T b) { return a <= b; }                                      \
  DZ_INLINE T dz_select_##p(bool c, T a, T b) { return c ? a : b; }                          \
  DZ_INLINE bool dz_isnan_##p(T a) { return a != a; }                                        \
  DZ_INLINE bool dz_isinf_##p(T a) { return __builtin_fabs##S(a) == (T)INFINITY; }           \
  DZ_INLINE T dz_guard_##p(T a, T b, T c) {                                                  \
    return ((a != 0) | (__builtin_fabs##S(b) < (T)INFINITY)) ? c : (T)0;                     \
  }                                                                                          \
  DZ_INLINE bool dz_signbit_##p(T a) { return dz_to_bits_##p(a) >> (8 * sizeof(T) - 1); }    \
  DZ_INLINE T dz_sqrt_##p(T a) { return sqrt##S(a); }                                        \
  DZ_INLINE T dz_rsqrt_##p(T a) { return (T)1 / sqrt##S(a); }                                \
  DZ_INLINE T dz_hypot_##p(T a, T b) { return hypot##S(a, b); }                              \
  DZ_INLINE T dz_exp10_##p(T a) { return pow##S((T)10, a); }                                 \
  DZ_INLINE T dz_atan2_##p(T a, T b) { return atan2##S(a, b); }                              \
  DZ_INLINE T dz_tanpi_##p(T a) { return dz_sinpi_##p(a) / dz_cospi_##p(a); }                \
  DZ_INLINE T dz_asinpi_##p(T a) { return asin##S(a) / (T)DZ_PI; }                           \
  DZ_INLINE T dz_acospi_##p(T a) { return acos##S(a) / (T)DZ_PI; }                           \
  DZ_INLINE T dz_atanpi_##p(T a) { return atan##S(a) / (T)DZ_PI; }                           \
  DZ_INLINE T dz_atan2pi_##p(T a, T b) { return atan2##S(a, b) / (T)DZ_PI; }                 \
  DZ_INLINE T dz_ceil_##p(T a) { return __builtin_ceil##S(a); }                              \
  DZ_INLINE T dz_floor_##p(T a) { return __builtin_floor##S(a); }                            \
  DZ_INLINE T dz_trunc_##p(T a) { return __builtin_trunc##S(a); }                            \
  DZ_INLINE T dz_round_##p(T a) { return __builtin_rint##S(a); }                             \
  DZ_INLINE T dz_lerp_##p(T a, T b, T t) {                                                   \
    T c = t < 0 ? (T)0 : t > 1 ? (T)1 : t;                                                       \
    return a + (b - a) * c;                                                                      \
  }                                                                                              \
  DZ_INLINE T dz_mad_##p(T a, T b, T c) { return a * b + c; }                                \
  DZ_INLINE T dz_fma_##p(T a, T b, T c) { return fma##S(a, b, c); }                          \
  DZ_INLINE T dz_copysign_##p(T a, T b) { return __builtin_copysign##S(a, b); }              \
  DZ_INLINE T dz_nextafter_##p(T a, T b) { return nextafter##S(a, b); }                      \
  DZ_INLINE T dz_ldexp_##p(T a, int32_t k) { return ldexp##S(a, k); }                        \
  DZ_INLINE bool dz_conv_##p##_bool(T a) { return a != 0; }

DZ_FLOAT_OPS(f64, double, )
DZ_FLOAT_OPS(f32, float, f)

// Functions of one number that are the C library's: X(operation, function), at f32 the function
// with suffix f.  f16 is by way of f32; run.h has them out of line.
#define DZ_LIBM(X)                                                                               \
  X(cbrt, cbrt) X(log2, log2) X(log10, log10) X(tan, tan) X(asin, asin) X(acos, acos)            \
  X(atan, atan) X(sinh, sinh) X(cosh, cosh) X(asinh, asinh) X(acosh, acosh) X(atanh, atanh)      \
  X(gamma, tgamma) X(erf, erf) X(erfc, erfc)
#define DZ_LIBM_FLOAT(op, call)                                    \
  DZ_INLINE double dz_##op##_f64(double a) { return call(a); }     \
  DZ_INLINE float dz_##op##_f32(float a) { return call##f(a); }
DZ_LIBM(DZ_LIBM_FLOAT)

// f16 by way of f32.
#define DZ_HALF_1(op) \
  DZ_INLINE dz_f16 dz_##op##_f16(dz_f16 a) {                   \
    return dz_conv_f32_f16(dz_##op##_f32(dz_conv_f16_f32(a)));     \
  }
#define DZ_HALF_2(op) \
  DZ_INLINE dz_f16 dz_##op##_f16(dz_f16 a, dz_f16 b) {         \
    return dz_conv_f32_f16(dz_##op##_f32(dz_conv_f16_f32(a), dz_conv_f16_f32(b))); \
  }
#define DZ_HALF_3(op) \
  DZ_INLINE dz_f16 dz_##op##_f16(dz_f16 a, dz_f16 b, dz_f16 c) { \
    return dz_conv_f32_f16(                                          \
        dz_##op##_f32(dz_conv_f16_f32(a), dz_conv_f16_f32(b), dz_conv_f16_f32(c))); \
  }
#define DZ_HALF_COMPARE(op) \
  DZ_INLINE bool dz_##op##_f16(dz_f16 a, dz_f16 b) {           \
    return dz_##op##_f32(dz_conv_f16_f32(a), dz_conv_f16_f32(b));  \
  }
DZ_HALF_2(add) DZ_HALF_2(sub) DZ_HALF_2(mul) DZ_HALF_2(div) DZ_HALF_2(mod) DZ_HALF_2(rem)
DZ_HALF_2(pow) DZ_HALF_2(powz) DZ_HALF_2(min) DZ_HALF_2(max) DZ_HALF_1(sgn) DZ_HALF_1(recip)
DZ_HALF_2(min_first) DZ_HALF_2(max_first) DZ_HALF_1(detach)
DZ_HALF_COMPARE(eq) DZ_HALF_COMPARE(ne) DZ_HALF_COMPARE(lt) DZ_HALF_COMPARE(le)
#define DZ_LIBM_HALF(op, call) DZ_HALF_1(op)
DZ_LIBM(DZ_LIBM_HALF)
DZ_HALF_1(sqrt) DZ_HALF_1(rsqrt) DZ_HALF_2(hypot)
DZ_HALF_1(exp) DZ_HALF_1(exp2) DZ_HALF_1(exp10) DZ_HALF_1(expm1) DZ_HALF_1(log) DZ_HALF_1(log1p)
DZ_HALF_1(sin) DZ_HALF_1(cos) DZ_HALF_1(sinpi) DZ_HALF_1(cospi) DZ_HALF_1(tanpi)
DZ_HALF_1(asinpi) DZ_HALF_1(acospi) DZ_HALF_1(atanpi) DZ_HALF_2(atan2) DZ_HALF_2(atan2pi)
DZ_HALF_1(tanh) DZ_HALF_1(lgamma) DZ_HALF_1(digamma) DZ_HALF_1(trigamma) DZ_HALF_1(tetragamma)
DZ_HALF_2(polygamma)
DZ_HALF_1(ceil) DZ_HALF_1(floor) DZ_HALF_1(trunc) DZ_HALF_1(round)
DZ_HALF_3(lerp) DZ_HALF_3(mad) DZ_HALF_3(guard)

DZ_INLINE dz_f16 dz_neg_f16(dz_f16 a) { return (dz_f16)(a ^ 0x8000); }
DZ_INLINE dz_f16 dz_abs_f16(dz_f16 a) { return (dz_f16)(a & 0x7fff); }
DZ_INLINE bool dz_signbit_f16(dz_f16 a) { return a >> 15; }
DZ_INLINE bool dz_isnan_f16(dz_f16 a) { return (a & 0x7fff) > 0x7c00; }
DZ_INLINE bool dz_isinf_f16(dz_f16 a) { return (a & 0x7fff) == 0x7c00; }
DZ_INLINE dz_f16 dz_select_f16(bool c, dz_f16 a, dz_f16 b) { return c ? a : b; }
DZ_INLINE dz_f16 dz_copysign_f16(dz_f16 a, dz_f16 b) {
  return (dz_f16)((a & 0x7fff) | (b & 0x8000));
}
DZ_INLINE dz_f16 dz_ldexp_f16(dz_f16 a, int32_t k) {
  return dz_conv_f64_f16(ldexp(dz_conv_f16_f64(a), k));
}
// The product is exact in f64.
DZ_INLINE dz_f16 dz_fma_f16(dz_f16 a, dz_f16 b, dz_f16 c) {
  return dz_conv_f64_f16(dz_conv_f16_f64(a) * dz_conv_f16_f64(b) + dz_conv_f16_f64(c));
}
DZ_INLINE dz_f16 dz_nextafter_f16(dz_f16 a, dz_f16 b) {
  if (dz_isnan_f16(a)) return a;
  if (dz_isnan_f16(b) || dz_eq_f16(a, b)) return b;
  if ((a & 0x7fff) == 0) return (dz_f16)((b & 0x8000) | 1);
  return (dz_f16)(dz_lt_f16(a, b) == (a >> 15 == 0) ? a + 1 : a - 1);
}

// Conversions between numbers.
#define DZ_FLOAT_CONV(p, T)                                                        \
  DZ_INLINE double dz_conv_##p##_f64(T a) { return (double)a; }                \
  DZ_INLINE float dz_conv_##p##_f32(T a) { return (float)a; }
DZ_FLOAT_CONV(i8, int8_t) DZ_FLOAT_CONV(i16, int16_t) DZ_FLOAT_CONV(i32, int32_t)
DZ_FLOAT_CONV(i64, int64_t) DZ_FLOAT_CONV(u8, uint8_t) DZ_FLOAT_CONV(u16, uint16_t)
DZ_FLOAT_CONV(u32, uint32_t) DZ_FLOAT_CONV(u64, uint64_t) DZ_FLOAT_CONV(bool, bool)
DZ_FLOAT_CONV(f32, float) DZ_FLOAT_CONV(f64, double)

// x if lo <= x <= hi, NaN and infinities give 0, the rest the nearest bound.  The bounds are
// floats, so the conversion after it is defined.
#define DZ_CLAMP(F, x, lo, hi)                                                     \
  ((x) - (x) != 0 ? (F)0 : (x) < (F)(lo) ? (F)(lo) : (x) > (F)(hi) ? (F)(hi) : (x))
#define DZ_FLOAT_INT(f, F, p, T, lo, hi) \
  DZ_INLINE T dz_conv_##f##_##p(F a) { return (T)DZ_CLAMP(F, a, lo, hi); }
// Unsigned targets up to 32 bits: from the signed type's lowest value, then drop high bits.
#define DZ_FLOAT_UINT(f, F, p, T, lo, hi) \
  DZ_INLINE T dz_conv_##f##_##p(F a) { return (T)(int64_t)DZ_CLAMP(F, a, lo, hi); }
#define DZ_FLOAT_U64(f, F, lo, hi)                                                 \
  DZ_INLINE uint64_t dz_conv_##f##_u64(F a) {                                  \
    F x = DZ_CLAMP(F, a, lo, hi);                                                  \
    return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;                             \
  }
DZ_FLOAT_INT(f64, double, i8, int8_t, -128, 127)
DZ_FLOAT_INT(f64, double, i16, int16_t, -32768, 32767)
DZ_FLOAT_INT(f64, double, i32, int32_t, -2147483648.0, 2147483647.0)
DZ_FLOAT_INT(f64, double, i64, int64_t, -0x1p63, 0x1.fffffffffffffp62)
DZ_FLOAT_UINT(f64, double, u8, uint8_t, -128, 255)
DZ_FLOAT_UINT(f64, double, u16, uint16_t, -32768, 65535)
DZ_FLOAT_UINT(f64, double, u32, uint32_t, -2147483648.0, 4294967295.0)
DZ_FLOAT_U64(f64, double, -0x1p63, 0x1.fffffffffffffp63)
DZ_FLOAT_INT(f32, float, i8, int8_t, -128, 127)
DZ_FLOAT_INT(f32, float, i16, int16_t, -32768, 32767)
DZ_FLOAT_INT(f32, float, i32, int32_t, -0x1p31f, 0x1.fffffep30f)
DZ_FLOAT_INT(f32, float, i64, int64_t, -0x1p63f, 0x1.fffffep62f)
DZ_FLOAT_UINT(f32, float, u8, uint8_t, -128, 255)
DZ_FLOAT_UINT(f32, float, u16, uint16_t, -32768, 65535)
DZ_FLOAT_UINT(f32, float, u32, uint32_t, -0x1p31f, 0x1.fffffep31f)
DZ_FLOAT_U64(f32, float, -0x1p63f, 0x1.fffffep63f)
#define DZ_HALF_INT(p, T) \
  DZ_INLINE T dz_conv_f16_##p(dz_f16 a) { return dz_conv_f32_##p(dz_conv_f16_f32(a)); }
DZ_HALF_INT(i8, int8_t) DZ_HALF_INT(i16, int16_t) DZ_HALF_INT(i32, int32_t)
DZ_HALF_INT(i64, int64_t) DZ_HALF_INT(u8, uint8_t) DZ_HALF_INT(u16, uint16_t)
DZ_HALF_INT(u32, uint32_t) DZ_HALF_INT(u64, uint64_t)
#ifndef DZ_DEVICE
// ---- denormal numbers -------------------------------------------------------------------------
// Entry points of programs made with --flush-denormals take and give zero for numbers too small for
// full precision; the caller's mode comes back after.
static inline uint64_t dz_flush_begin(void) {
#if defined(__SSE2__)
  const unsigned old = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(old | 0x8040u);  // flush to zero, denormals are zero
  return old;
#elif defined(__aarch64__)
  uint64_t old;
  __asm__ volatile("mrs %0, fpcr" : "=r"(old));
  __asm__ volatile("msr fpcr, %0" : : "r"(old | (UINT64_C(1) << 24)));
  return old;
#else
  return 0;
#endif
}
static inline void dz_flush_end(uint64_t old) {
#if defined(__SSE2__)
  __builtin_ia32_ldmxcsr((unsigned)old);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(old));
#else
  (void)old;
#endif
}
#endif
#endif
