// int: the integer and bool operations that plain C gets wrong or lacks.  Part of base.h.
// All arithmetic wraps around; nothing here has undefined behaviour for any operands.
#ifndef DZ_INT_H
#define DZ_INT_H
#ifndef DZ_DEVICE
#include <stdbool.h>
#include <stdint.h>

// Always inlined, so that loops vectorise whatever the optimisation level.
#define DZ_INLINE static inline __attribute__((always_inline))
// Inlined as the compiler likes.
#define DZ_INLINABLE static inline
#define DZ_TABLE static const
// With DZ_LINKED the runtime is a separate object, which programs are linked with: what is
// neither inline nor a macro has its home there, and programs see a declaration (src/back/units.c).
// DZ_PART marks functions of a program that may be compiled separately from each other.
#ifdef DZ_LINKED
#define DZ_FN __attribute__((visibility("hidden")))
#define DZ_PART __attribute__((visibility("hidden")))
#else
#define DZ_FN static __attribute__((unused))
#define DZ_PART static __attribute__((unused))
#endif
// Out of line: called from places that are many, or seldom reached.
#define DZ_FAR __attribute__((noinline)) DZ_FN

__extension__ typedef unsigned __int128 dz_u128;
__extension__ typedef __int128 dz_i128;
#endif

// For every integer type: p its name, T the type, U unsigned of the same width, W the unsigned
// type to compute in (C would promote narrow unsigned types to int, and overflow there).
#define DZ_INT_COMMON(p, T, U, W, BITS)                                                         \
  DZ_INLINE T dz_add_##p(T a, T b) { return (T)(U)((W)a + (W)b); }                          \
  DZ_INLINE T dz_sub_##p(T a, T b) { return (T)(U)((W)a - (W)b); }                          \
  DZ_INLINE T dz_mul_##p(T a, T b) { return (T)(U)((W)a * (W)b); }                          \
  DZ_INLINE T dz_neg_##p(T a) { return (T)(U)((W)0 - (W)a); }                               \
  DZ_INLINE T dz_min_##p(T a, T b) { return a < b ? a : b; }                                \
  DZ_INLINE T dz_max_##p(T a, T b) { return a < b ? b : a; }                                \
  DZ_INLINE T dz_and_##p(T a, T b) { return (T)(a & b); }                                   \
  DZ_INLINE T dz_or_##p(T a, T b) { return (T)(a | b); }                                    \
  DZ_INLINE T dz_xor_##p(T a, T b) { return (T)(a ^ b); }                                   \
  DZ_INLINE T dz_not_##p(T a) { return (T)~a; }                                             \
  /* An amount outside 0 .. BITS-1 shifts everything out. */                                    \
  DZ_INLINE T dz_shl_##p(T a, T b) {                                                        \
    T shifted = (T)(U)((W)a << ((W)b & (BITS - 1)));                                            \
    return (U)b < BITS ? shifted : (T)0;                                                        \
  }                                                                                             \
  DZ_INLINE T dz_lshr_##p(T a, T b) {                                                       \
    T shifted = (T)(U)((W)(U)a >> ((W)b & (BITS - 1)));                                         \
    return (U)b < BITS ? shifted : (T)0;                                                        \
  }                                                                                             \
  DZ_INLINE bool dz_eq_##p(T a, T b) { return a == b; }                                     \
  DZ_INLINE bool dz_ne_##p(T a, T b) { return a != b; }                                     \
  DZ_INLINE bool dz_lt_##p(T a, T b) { return a < b; }                                      \
  DZ_INLINE bool dz_le_##p(T a, T b) { return a <= b; }                                     \
  DZ_INLINE T dz_select_##p(bool c, T a, T b) { return c ? a : b; }                         \
  DZ_INLINE int32_t dz_popc_##p(T a) { return __builtin_popcountll((U)a); }                 \
  DZ_INLINE int32_t dz_clz_##p(T a) {                                                       \
    return a == 0 ? BITS : __builtin_clzll((uint64_t)(U)a) - (64 - BITS);             \
  }                                                                                             \
  DZ_INLINE int32_t dz_ctz_##p(T a) {                                                       \
    return a == 0 ? BITS : __builtin_ctzll((uint64_t)(U)a);                           \
  }                                                                                             \
  /* By squaring; a negative exponent (an error, checked before) gives 1. */                    \
  DZ_INLINABLE T dz_pow_##p(T a, T b) {                                                         \
    W r = 1, base = (W)a;                                                                       \
    for (; b > 0; b = (T)(b / 2)) {                                                             \
      if (b % 2 != 0) r *= base;                                                                \
      base *= base;                                                                             \
    }                                                                                           \
    return (T)(U)r;                                                                             \
  }

// Division by zero is an error checked before; unchecked, x / 0 is x and x % 0 is 0.
// div, mod round towards minus infinity; quot, rem towards zero; lowest / -1 wraps.  Computations
// on the divisor alone leaves loops, and signs, which no processor foresees, are no branches.
#define DZ_INT_SIGNED(p, T, U, W, BITS)                                                         \
  DZ_INT_COMMON(p, T, U, W, BITS)                                                               \
  DZ_INLINE T dz_divisor_##p(T b) { return ((b == 0) | (b == -1)) ? (T)1 : b; }             \
  DZ_INLINE T dz_quot_##p(T a, T b) {                                                       \
    const W minus = (W)0 - (W)(b == -1);                                                        \
    return (T)(U)(((W)(T)(a / dz_divisor_##p(b)) ^ minus) - minus);                             \
  }                                                                                             \
  DZ_INLINE T dz_rem_##p(T a, T b) { return (T)(a % dz_divisor_##p(b)); }                   \
  DZ_INLINE T dz_div_##p(T a, T b) {                                                        \
    const T d = dz_divisor_##p(b), q = (T)(a / d), r = (T)(a % d);                              \
    const W minus = (W)0 - (W)(b == -1), down = (W)((r != 0) & ((r ^ d) < 0));                  \
    return (T)(U)((((W)q - down) ^ minus) - minus);                                             \
  }                                                                                             \
  DZ_INLINE T dz_mod_##p(T a, T b) {                                                        \
    const T d = dz_divisor_##p(b), r = (T)(a % d);                                              \
    const W up = (W)0 - (W)((r != 0) & ((r ^ d) < 0));                                          \
    return (T)(U)((W)r + ((W)d & up));                                                          \
  }                                                                                             \
  DZ_INLINE T dz_abs_##p(T a) { return a < 0 ? dz_neg_##p(a) : a; }                         \
  DZ_INLINE T dz_sgn_##p(T a) { return (T)((a > 0) - (a < 0)); }                            \
  DZ_INLINE T dz_detach_##p(T a) { return a; }                                              \
  DZ_INLINE T dz_shr_##p(T a, T b) {                                                        \
    return (T)(a >> ((U)b < BITS ? (int)b : BITS - 1));                                         \
  }

#define DZ_INT_UNSIGNED(p, T, W, BITS)                                                          \
  DZ_INT_COMMON(p, T, T, W, BITS)                                                               \
  DZ_INLINE T dz_quot_##p(T a, T b) { return (T)(a / (b == 0 ? (T)1 : b)); }                \
  DZ_INLINE T dz_rem_##p(T a, T b) { return (T)(a % (b == 0 ? (T)1 : b)); }                 \
  DZ_INLINE T dz_div_##p(T a, T b) { return dz_quot_##p(a, b); }                            \
  DZ_INLINE T dz_mod_##p(T a, T b) { return dz_rem_##p(a, b); }                             \
  DZ_INLINE T dz_abs_##p(T a) { return a; }                                                 \
  DZ_INLINE T dz_sgn_##p(T a) { return (T)(a != 0); }                                       \
  DZ_INLINE T dz_detach_##p(T a) { return a; }                                              \
  DZ_INLINE T dz_shr_##p(T a, T b) { return dz_lshr_##p(a, b); }

// The high half of a product, by the type D of twice the width.
#define DZ_INT_HIGH(p, T, D, BITS)                                                               \
  DZ_INLINE T dz_mul_hi_##p(T a, T b) { return (T)((D)a * (D)b >> BITS); }                       \
  DZ_INLINE T dz_mad_hi_##p(T a, T b, T c) { return dz_add_##p(dz_mul_hi_##p(a, b), c); }

// Blocks of more than 256 KiB (ctx.h) have 8 significant bits, others two of which the second is 0 or 1,
// and at least 64 bytes.
DZ_INLINE int64_t dz_within_grain(int64_t bytes, uint64_t more) {
  int zeros = bytes > 0 ? __builtin_clzll((uint64_t)bytes) : 64;
  int shift = zeros < 56 ? 56 - zeros : 0;
  return (int64_t)((((uint64_t)bytes + (more << shift) - more) >> shift) << shift);
}
DZ_INLINE int64_t dz_block_bytes_i64(int64_t bytes) {
  int k;
  if (bytes > 256 << 10) return dz_within_grain(bytes, 1);
  if (bytes <= 64) return 64;
  k = 63 - __builtin_clzll((uint64_t)(bytes - 1));
  return bytes <= INT64_C(3) << (k - 1) ? INT64_C(3) << (k - 1) : INT64_C(2) << k;
}
DZ_INLINE int64_t dz_largest_within(int64_t bytes) {
  int k;
  if (bytes > 256 << 10) return dz_within_grain(bytes, 0);
  if (bytes < 64) return 0;
  k = 63 - __builtin_clzll((uint64_t)bytes);
  return bytes >= INT64_C(3) << (k - 1) ? INT64_C(3) << (k - 1) : INT64_C(1) << k;
}

DZ_INLINE int64_t dz_within_block_i64(int64_t rows, int64_t bytes) {
  int64_t fit;
  if (rows < 1 || bytes < 1) return rows;
  fit = dz_largest_within((int64_t)((uint64_t)rows * (uint64_t)bytes)) / bytes;
  return fit < rows ? fit : rows;
}

DZ_INT_SIGNED(i8, int8_t, uint8_t, uint32_t, 8)
DZ_INT_SIGNED(i16, int16_t, uint16_t, uint32_t, 16)
DZ_INT_SIGNED(i32, int32_t, uint32_t, uint32_t, 32)
DZ_INT_SIGNED(i64, int64_t, uint64_t, uint64_t, 64)
DZ_INT_UNSIGNED(u8, uint8_t, uint32_t, 8)
DZ_INT_UNSIGNED(u16, uint16_t, uint32_t, 16)
DZ_INT_UNSIGNED(u32, uint32_t, uint32_t, 32)
DZ_INT_UNSIGNED(u64, uint64_t, uint64_t, 64)
DZ_INT_HIGH(i8, int8_t, int64_t, 8)
DZ_INT_HIGH(i16, int16_t, int64_t, 16)
DZ_INT_HIGH(i32, int32_t, int64_t, 32)
DZ_INT_HIGH(u8, uint8_t, uint64_t, 8)
DZ_INT_HIGH(u16, uint16_t, uint64_t, 16)
DZ_INT_HIGH(u32, uint32_t, uint64_t, 32)
#ifdef DZ_DEVICE  // by halves
DZ_INLINE uint64_t dz_mul_hi_u64(uint64_t a, uint64_t b) {
  const uint64_t low = 0xffffffffu, al = a & low, ah = a >> 32, bl = b & low, bh = b >> 32;
  const uint64_t middle = ah * bl + (al * bl >> 32), rest = al * bh + (middle & low);
  return ah * bh + (middle >> 32) + (rest >> 32);
}
DZ_INLINE int64_t dz_mul_hi_i64(int64_t a, int64_t b) {
  const uint64_t high = dz_mul_hi_u64((uint64_t)a, (uint64_t)b);
  return (int64_t)(high - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0));
}
DZ_INLINE int64_t dz_mad_hi_i64(int64_t a, int64_t b, int64_t c) {
  return dz_add_i64(dz_mul_hi_i64(a, b), c);
}
DZ_INLINE uint64_t dz_mad_hi_u64(uint64_t a, uint64_t b, uint64_t c) {
  return dz_add_u64(dz_mul_hi_u64(a, b), c);
}
#else
DZ_INT_HIGH(i64, int64_t, dz_i128, 64)
DZ_INT_HIGH(u64, uint64_t, dz_u128, 64)
#endif

DZ_INLINE bool dz_and_bool(bool a, bool b) { return a & b; }
DZ_INLINE bool dz_or_bool(bool a, bool b) { return a | b; }
DZ_INLINE bool dz_xor_bool(bool a, bool b) { return a ^ b; }
DZ_INLINE bool dz_not_bool(bool a) { return !a; }
DZ_INLINE bool dz_min_bool(bool a, bool b) { return a & b; }
DZ_INLINE bool dz_max_bool(bool a, bool b) { return a | b; }
DZ_INLINE bool dz_eq_bool(bool a, bool b) { return a == b; }
DZ_INLINE bool dz_ne_bool(bool a, bool b) { return a != b; }
DZ_INLINE bool dz_lt_bool(bool a, bool b) { return !a & b; }
DZ_INLINE bool dz_le_bool(bool a, bool b) { return !a | b; }
DZ_INLINE bool dz_select_bool(bool c, bool a, bool b) { return c ? a : b; }

// The one value of type unit.
DZ_INLINE bool dz_eq_unit(uint8_t a, uint8_t b) { (void)a, (void)b; return true; }
DZ_INLINE bool dz_ne_unit(uint8_t a, uint8_t b) { (void)a, (void)b; return false; }
DZ_INLINE bool dz_lt_unit(uint8_t a, uint8_t b) { (void)a, (void)b; return false; }
DZ_INLINE bool dz_le_unit(uint8_t a, uint8_t b) { (void)a, (void)b; return true; }
DZ_INLINE uint8_t dz_select_unit(bool c, uint8_t a, uint8_t b) { return c ? a : b; }

// Integer to integer: sign- or zero-extend the source, then drop the high bits.
#define DZ_INT_CONV_ALL(from, F)                                                                 \
  DZ_INLINE int8_t dz_conv_##from##_i8(F a) { return (int8_t)(uint64_t)(int64_t)a; }             \
  DZ_INLINE int16_t dz_conv_##from##_i16(F a) { return (int16_t)(uint64_t)(int64_t)a; }          \
  DZ_INLINE int32_t dz_conv_##from##_i32(F a) { return (int32_t)(uint64_t)(int64_t)a; }          \
  DZ_INLINE int64_t dz_conv_##from##_i64(F a) { return (int64_t)(uint64_t)(int64_t)a; }          \
  DZ_INLINE uint8_t dz_conv_##from##_u8(F a) { return (uint8_t)(uint64_t)(int64_t)a; }           \
  DZ_INLINE uint16_t dz_conv_##from##_u16(F a) { return (uint16_t)(uint64_t)(int64_t)a; }        \
  DZ_INLINE uint32_t dz_conv_##from##_u32(F a) { return (uint32_t)(uint64_t)(int64_t)a; }        \
  DZ_INLINE uint64_t dz_conv_##from##_u64(F a) { return (uint64_t)(uint64_t)(int64_t)a; }        \
  DZ_INLINE bool dz_conv_##from##_bool(F a) { return a != 0; }
DZ_INT_CONV_ALL(i8, int8_t)
DZ_INT_CONV_ALL(i16, int16_t)
DZ_INT_CONV_ALL(i32, int32_t)
DZ_INT_CONV_ALL(i64, int64_t)
DZ_INT_CONV_ALL(u8, uint8_t)
DZ_INT_CONV_ALL(u16, uint16_t)
DZ_INT_CONV_ALL(u32, uint32_t)
DZ_INT_CONV_ALL(u64, uint64_t)
DZ_INT_CONV_ALL(bool, bool)
#endif
