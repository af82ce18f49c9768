// half: 16-bit floats, stored as their bits.  Part of base.h.  Every operation converts to f32,
// computes there and rounds once (to nearest, ties to even); for + - * / and sqrt that is the
// correctly rounded result.
#ifndef DZ_HALF_H
#define DZ_HALF_H
#ifndef DZ_DEVICE
#include <stdint.h>
#include <string.h>
#endif
#include "int.h"

typedef uint16_t dz_f16;

#ifndef DZ_DEVICE  // dialects have their own
DZ_INLINE uint32_t dz_to_bits_f32(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
DZ_INLINE float dz_from_bits_f32(uint32_t u) {
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}
DZ_INLINE uint64_t dz_to_bits_f64(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
DZ_INLINE double dz_from_bits_f64(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}
#endif
DZ_INLINE uint16_t dz_to_bits_f16(dz_f16 x) { return x; }
DZ_INLINE dz_f16 dz_from_bits_f16(uint16_t u) { return u; }
// The same by the name of the operand's type.
DZ_INLINE dz_f16 dz_from_bits_u16(uint16_t u) { return u; }
DZ_INLINE float dz_from_bits_u32(uint32_t u) { return dz_from_bits_f32(u); }
DZ_INLINE double dz_from_bits_u64(uint64_t u) { return dz_from_bits_f64(u); }
DZ_INLINE dz_f16 dz_from_bits_i16(int16_t i) { return (uint16_t)i; }
DZ_INLINE float dz_from_bits_i32(int32_t i) { return dz_from_bits_f32((uint32_t)i); }
DZ_INLINE double dz_from_bits_i64(int64_t i) { return dz_from_bits_f64((uint64_t)i); }

// Exponent and fraction moved into place denote the value times 2^-112, subnormals included.
DZ_INLINE float dz_conv_f16_f32(dz_f16 h) {
  uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;
  uint32_t finite = dz_to_bits_f32(dz_from_bits_f32(rest) * 0x1p112f);
  uint32_t special = rest | 0x7f800000u;
  return dz_from_bits_f32(sign | (rest >= 0x0f800000u ? special : finite));
}

// Subnormal results: adding 0.5, whose unit in the last place is 2^-24, rounds for us.
DZ_INLINE dz_f16 dz_conv_f32_f16(float x) {
  uint32_t u = dz_to_bits_f32(x), sign = u >> 16 & 0x8000, a = u & 0x7fffffffu;
  uint32_t normal = (a + 0xc8000fffu + (a >> 13 & 1)) >> 13;
  uint32_t small = dz_to_bits_f32(dz_from_bits_f32(a < 0x38800000u ? a : 0) + 0.5f) - 0x3f000000u;
  uint32_t r = a < 0x38800000u ? small : normal;
  r = a >= 0x477ff000u ? 0x7c00u : r;
  r = a > 0x7f800000u ? 0x7e00u : r;
  return (dz_f16)(sign | r);
}

DZ_INLINE double dz_conv_f16_f64(dz_f16 h) { return (double)dz_conv_f16_f32(h); }

// Through f32 rounded to odd, so that the second rounding sees whether the first was inexact.
DZ_INLINE dz_f16 dz_conv_f64_f16(double x) {
  float f = (float)x;
  uint32_t u = dz_to_bits_f32(f);
  double back = (double)f;
  bool inexact = (back < x) | (back > x);
  bool away = (back < 0 ? -back : back) > (x < 0 ? -x : x);
  u = inexact ? (u - (uint32_t)away) | 1u : u;
  return dz_conv_f32_f16(dz_from_bits_f32(u));
}

// Integers of f16's range are exact in f32, larger ones become infinite either way.
#define DZ_HALF_CONV(p, T) \
  DZ_INLINE dz_f16 dz_conv_##p##_f16(T a) { return dz_conv_f32_f16((float)a); }
DZ_HALF_CONV(i8, int8_t) DZ_HALF_CONV(i16, int16_t) DZ_HALF_CONV(i32, int32_t)
DZ_HALF_CONV(i64, int64_t) DZ_HALF_CONV(u8, uint8_t) DZ_HALF_CONV(u16, uint16_t)
DZ_HALF_CONV(u32, uint32_t) DZ_HALF_CONV(u64, uint64_t) DZ_HALF_CONV(bool, bool)
DZ_INLINE dz_f16 dz_conv_f16_f16(dz_f16 a) { return a; }
DZ_INLINE bool dz_conv_f16_bool(dz_f16 a) { return (a & 0x7fff) != 0; }
#endif
