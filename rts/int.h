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

// For derivatives of loops whose memory is bounded (src/ad/loops/checkpoint.c, budget.c).  With C
// binomials, the least r with C(s+r, s) >= len; *before is C(s+r-1, s), 0 where r is 0.
DZ_INLINE int64_t dz_repeats(int64_t len, int64_t s, int64_t *before) {
  int64_t r = 0, next = 1;
  for (*before = 0; next < len; r++) {
    uint64_t factor = (uint64_t)s + (uint64_t)r + 1;
    *before = next;
    next = (uint64_t)next > INT64_MAX / factor ? INT64_MAX
                                               : (int64_t)((uint64_t)next * factor) / (r + 1);
  }
  return r;
}

// min(C(s+r-1, s), len - C(s+r-2, s-1), len - s + 1), at least 1; `last` where slots <= 1.
DZ_INLINE int64_t dz_segment_i64(int64_t len, int64_t slots, int64_t last) {
  int64_t s = slots < len ? slots : len, before, r, m;
  if (slots <= 1) return last;
  if (len < 2) return 1;
  if (s < 2) s = 2;
  r = dz_repeats(len, s, &before);
  m = (int64_t)((uint64_t)before * (uint64_t)s) / (s - 1 + r);
  m = (int64_t)((uint64_t)len - (uint64_t)m);
  m = m < before ? m : before;
  m = m < len - s + 1 ? m : len - s + 1;
  return m < 1 ? 1 : m;
}

// Where the next state to be stored starts, on the way from iteration `from` to `end`
// with room for so many; never reached where there is none.
DZ_INLINE int64_t dz_landing_i64(int64_t from, int64_t end, int64_t room) {
  int64_t left = (int64_t)((uint64_t)end - (uint64_t)from);
  if (room < 1 || left < 2) return INT64_MAX;
  return (int64_t)((uint64_t)from + (uint64_t)dz_segment_i64(left, room < left ? room + 1 : left, 0));
}

// So many rows are free where `gap` iterations from the state stored last are re-executed: with
// none it is not stored any longer.
DZ_INLINE int64_t dz_freed_i64(int64_t rows, int64_t gap) { return rows + (gap == 0); }

// g (r L - C(s+r-1, s) (s+r) / (s+1)) - r (L g - trips) for L blocks of g, the least that are enough.
DZ_INLINE int64_t dz_advances_i64(int64_t trips, int64_t s, int64_t g) {
  int64_t before, r, len;
  if (g < 1) return INT64_MAX;
  if (s < 1 || trips < 1) return 0;
  len = (trips - 1) / g + 1;
  r = dz_repeats(len, s < len ? s : len, &before);
  {
    uint64_t S = (uint64_t)s, R = (uint64_t)r, G = (uint64_t)g, L = (uint64_t)len;
    int64_t less = (int64_t)((uint64_t)before * (S + R)) / (s == INT64_MAX ? s : s + 1);
    return (int64_t)(G * (R * L - (uint64_t)less) - R * (L * G - (uint64_t)trips));
  }
}

// Blocks of g iterations, the first perhaps shorter: the last ends with iteration `trips`.
DZ_INLINE int64_t dz_block_start_i64(int64_t block, int64_t g, int64_t trips) {
  uint64_t n, at;
  if (g < 1 || trips < 1) return 0;
  n = (uint64_t)((trips - 1) / g + 1);
  at = (uint64_t)trips - (n - (uint64_t)block) * (uint64_t)g;
  return (int64_t)at > 0 ? (int64_t)at : 0;
}

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

// How many states of a loop of so many trips may be stored, of `slots` (where that is negative
// about log2 of the trips) or within what is left, which is less what the blocks that they are in
// may be larger. The first takes nothing, it is not counted.
DZ_INLINE int64_t dz_rows_i64(int64_t slots, int64_t trips) {
  if (slots < 0 && trips > 0) slots = 65 - __builtin_clzll((uint64_t)trips);
  if (slots > trips) slots = trips;
  return slots > 1 ? slots - 1 : 0;
}
DZ_INLINE int64_t dz_states_i64(int64_t left, int64_t bytes, int64_t trips) {
  int64_t rows;
  if (trips <= 1 || bytes < 0 || left < bytes || bytes > INT64_MAX - 16) return 0;
  rows = (left - (left > 1 << 20 ? left >> 7 : left / 3)) / (bytes + 16);
  return rows < trips - 1 ? rows : trips - 1;
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
