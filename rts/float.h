// float: our own elementary functions for f64 and f32.  Part of base.h.
//
// exp, exp2, expm1, log, log1p, tanh, sinpi, cospi are branch-free: compilers vectorise loops
// that call them, with every width and in scalar code giving the same bits (the compiler's
// interpreter included), provided -ffp-contract=off.  Where the machine multiplies and adds in one
// step they do, where it does not they take two, which may change the last bit.  sin and cos reduce arguments up to 1.6e6
// themselves and leave larger ones to libm.  Errors are below 2 units in the last place
// (tests/unit/test_rts_math.c measures them).  Polynomials are Chebyshev fits in 40 digits.
#ifndef DZ_FLOAT_H
#define DZ_FLOAT_H
#ifndef DZ_DEVICE
#include <math.h>
#include <stdint.h>
#endif
#include "half.h"

// a b + c.  DZ_FUSED: in one rounding even where that is slow.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(DZ_FUSED) || defined(DZ_DEVICE)
#define DZ_FMA(a, b, c) __builtin_fma(a, b, c)
#define DZ_FMAF(a, b, c) __builtin_fmaf(a, b, c)
#else
#define DZ_FMA(a, b, c) ((a) * (b) + (c))
#define DZ_FMAF(a, b, c) ((a) * (b) + (c))
#endif

// ---- f64: exp, exp2, expm1, tanh -------------------------------------------------------------
#define DZ_MAGIC 0x1.8p52  // adding it rounds to an integer, found in the low bits of the sum
#define DZ_LN2_HI 0x1.62e42fee00000p-1  // 32 bits, so k times it is exact
#define DZ_LN2_LO 0x1.a39ef35793c76p-33
#define DZ_INV_LN2 0x1.71547652b82fep+0

// (exp(r) - 1 - r) / r^2 for |r| <= ln 2 / 2.
DZ_INLINE double dz_exp_q(double r) {
  double r2 = r * r, r4 = r2 * r2;
  double a = DZ_FMA(r, 0x1.5555555555557p-3, 0x1p-1);
  double b = DZ_FMA(r, 0x1.11111111100bep-7, 0x1.5555555555556p-5);
  double c = DZ_FMA(r, 0x1.a01a01abf85abp-13, 0x1.6c16c16c162c3p-10);
  double d = DZ_FMA(r, 0x1.71de01fdbf9cap-19, 0x1.a01a01a6e1e2ap-16);
  double e = DZ_FMA(r, 0x1.af4e554377204p-26, 0x1.27e4db46cddd1p-22);
  e = DZ_FMA(r2, 0x1.1f7340dbc337ep-29, e);
  return DZ_FMA(r4, DZ_FMA(r4, e, DZ_FMA(r2, d, c)), DZ_FMA(r2, b, a));
}

// x * 2^k for the integer k in the low bits of m = k + DZ_MAGIC, |k| < 2048: two factors, so
// that subnormal and overflowing results come out right.
DZ_INLINE double dz_scale(double x, double m) {
  uint64_t k = dz_to_bits_f64(m) - dz_to_bits_f64(DZ_MAGIC) + 2048;
  uint64_t k1 = k >> 1, k2 = k - k1;
  return x * dz_from_bits_f64((k1 - 1) << 52) * dz_from_bits_f64((k2 - 1) << 52);
}

DZ_INLINE double dz_exp_f64(double x) {
  double t = x > 710.0 ? 710.0 : x;
  t = t < -746.0 ? -746.0 : t;
  double m = DZ_FMA(t, DZ_INV_LN2, DZ_MAGIC), k = m - DZ_MAGIC;
  double r = DZ_FMA(k, -DZ_LN2_LO, DZ_FMA(k, -DZ_LN2_HI, t));
  return dz_scale(1.0 + DZ_FMA(r * r, dz_exp_q(r), r), m);
}

DZ_INLINE double dz_exp2_f64(double x) {
  double t = x > 1025.0 ? 1025.0 : x;
  t = t < -1080.0 ? -1080.0 : t;
  double m = t + DZ_MAGIC, r = (t - (m - DZ_MAGIC)) * 0x1.62e42fefa39efp-1;
  return dz_scale(1.0 + DZ_FMA(r * r, dz_exp_q(r), r), m);
}

// exp(x) - 1 = 2^k (p + (1 - 2^-k)) with p = exp(r) - 1.
DZ_INLINE double dz_expm1_f64(double x) {
  double t = x > 710.0 ? 710.0 : x;
  t = t < -50.0 ? -50.0 : t;
  double m = DZ_FMA(t, DZ_INV_LN2, DZ_MAGIC), k = m - DZ_MAGIC;
  double hi = DZ_FMA(k, -DZ_LN2_HI, t), lo = k * DZ_LN2_LO, r = hi - lo, c = (hi - r) - lo;
  double p = r + DZ_FMA(r * r, dz_exp_q(r), c);
  uint64_t n = dz_to_bits_f64(DZ_MAGIC) + 1023 - dz_to_bits_f64(m);
  double rest = k > 54.0 ? 1.0 : 1.0 - dz_from_bits_f64(n << 52);
  double y = dz_scale(p + rest, m);
  return x == 0 ? x : y;
}

// -t / (t + 2) with t = exp(-2a) - 1 for small a = |x|, 1 - 2 / (t + 2) with t = exp(2a) - 1 else.
DZ_INLINE double dz_tanh_f64(double x) {
  double a = 2.0 * __builtin_fabs(x);
  double t = dz_expm1_f64(a > 1.0 ? a : -a), y = (a > 1.0 ? 2.0 : -t) / (t + 2.0);
  return __builtin_copysign(a > 1.0 ? 1.0 - y : y, x);
}

// ---- f64: log, log1p -------------------------------------------------------------------------
// x = 2^k m, sqrt(1/2) <= m < sqrt(2), for positive normal x; the other results are garbage.
DZ_INLINE double dz_split(double x, double *k) {
  uint64_t u = dz_to_bits_f64(x) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
  *k = dz_from_bits_f64(0x4330000000000000u | u >> 52) - (0x1p52 + 1023.0);
  return dz_from_bits_f64((u & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
}

// k ln 2 + log(1 + f) + c.  With s = f / (2 + f): log(1 + f) = 2 atanh s = 2 s + s R(s^2).
DZ_INLINE double dz_log_sum(double k, double f, double c) {
  double s = f / (2.0 + f), z = s * s, w = z * z, h = 0.5 * f * f;
  double a = DZ_FMA(z, 0x1.9999999994e76p-2, 0x1.5555555555558p-1);
  double b = DZ_FMA(z, 0x1.c71c6247410e3p-3, 0x1.2492492e6dfddp-2);
  double d = DZ_FMA(z, 0x1.39f8963ccbdc2p-3, 0x1.7462e17b4cdd0p-3);
  d = DZ_FMA(w, 0x1.2b9f7fb3de73fp-3, d);
  double r = z * DZ_FMA(w, DZ_FMA(w, d, b), a);
  double low = DZ_FMA(s, h + r, DZ_FMA(k, DZ_LN2_LO, c));
  return DZ_FMA(k, DZ_LN2_HI, f - (h - low));
}

DZ_INLINE double dz_log_f64(double x) {
  double k, m = dz_split(x < 0x1p-1022 ? x * 0x1p54 : x, &k);
  double y = dz_log_sum(x < 0x1p-1022 ? k - 54.0 : k, m - 1.0, 0);
  y = x < (double)INFINITY ? y : x;
  return x > 0 ? y : x == 0 ? -(double)INFINITY : (double)NAN;
}

// The rounding error of 1 + x goes in through c; where 1 + x needs no scaling, f is x itself.
DZ_INLINE double dz_log1p_f64(double x) {
  double u = 1.0 + x, k, m = dz_split(u, &k);
  double error = (x < 1.0 ? x - (u - 1.0) : 1.0 - (u - x)) / u;
  double y = dz_log_sum(k, k == 0 ? x : m - 1.0, k == 0 ? 0 : error);
  y = ((x < (double)INFINITY) & (x != 0)) ? y : x;
  return x > -1.0 ? y : x == -1.0 ? -(double)INFINITY : (double)NAN;
}

// ---- f64: sin, cos, sinpi, cospi -------------------------------------------------------------
// sin and cos of y0 + y1 for |y0| <= pi/4, |y1| <= ulp(y0).
DZ_INLINE double dz_sin_kernel(double y0, double y1) {
  double z = y0 * y0, w = z * z;
  double a = DZ_FMA(z, -0x1.a01a01a019880p-13, 0x1.1111111111110p-7);
  double b = DZ_FMA(z, -0x1.ae6453ecab5c4p-26, 0x1.71de3a544a6cep-19);
  double c = DZ_FMA(z, -0x1.ab066192d3e8fp-41, 0x1.612161267019ep-33);
  double r = DZ_FMA(w, DZ_FMA(w, c, b), a), v = z * y0;
  return y0 - DZ_FMA(v, 0x1.5555555555555p-3, DZ_FMA(z, DZ_FMA(v, -r, 0.5 * y1), -y1));
}

DZ_INLINE double dz_cos_kernel(double y0, double y1) {
  double z = y0 * y0, w = z * z, h = 0.5 * z, one = 1.0 - h;
  double a = DZ_FMA(z, -0x1.6c16c16c1691fp-10, 0x1.5555555555555p-5);
  double b = DZ_FMA(z, -0x1.27e4fa0241f7cp-22, 0x1.a01a019f3dde1p-16);
  double c = DZ_FMA(z, -0x1.906dbf4fda044p-37, 0x1.1eeb52a201da3p-29);
  double r = DZ_FMA(w, DZ_FMA(w, c, b), a);
  return one + (((1.0 - one) - h) + DZ_FMA(w, r, -(y0 * y1)));
}

// The sine (quadrant 0), cosine (1), -sine (2) or -cosine (3) of y0 + y1.
DZ_INLINE double dz_quadrant(uint64_t q, double y0, double y1) {
  double s = dz_sin_kernel(y0, y1), c = dz_cos_kernel(y0, y1);
  double r = (q & 1) != 0 ? c : s;
  return dz_from_bits_f64(dz_to_bits_f64(r) ^ (q & 2) << 62);
}

// x - n pi/2 = y0 + y1 to 2^-120: three parts of pi/2 with 33 bits, products of which with
// n < 2^20 are exact, and a tail; the sums keep their rounding errors.
DZ_INLINE uint64_t dz_reduce(double x, double *y0, double *y1) {
  double m = DZ_FMA(x, 0x1.45f306dc9c883p-1, DZ_MAGIC), n = m - DZ_MAGIC;
  double t = x - n * 0x1.921fb54400000p+0, w = n * 0x1.0b4611a600000p-34;
  double a = t - w, ab = t - a, ae = (t - (a + ab)) + (ab - w);
  double v = n * 0x1.3198a2e000000p-69;
  double b = a - v, bb = a - b, be = (a - (b + bb)) + (bb - v);
  double rest = (ae + be) - n * 0x1.b839a252049c1p-104;
  *y0 = b + rest;
  *y1 = (b - *y0) + rest;
  return dz_to_bits_f64(m);
}

// For |x| <= DZ_TRIG_MAX only (otherwise garbage or NaN), but branch-free: a vector loop can use
// these and repeat itself with the functions below when an argument was larger.
#define DZ_TRIG_MAX 1.6e6
DZ_INLINE double dz_sin_fast_f64(double x) {
  double y0, y1;
  uint64_t q = dz_reduce(x, &y0, &y1);
  double y = dz_quadrant(q, y0, y1);
  return x == 0 ? x : y;
}

DZ_INLINE double dz_cos_fast_f64(double x) {
  double y0, y1;
  uint64_t q = dz_reduce(x, &y0, &y1);
  return dz_quadrant(q + 1, y0, y1);
}

DZ_INLINABLE double dz_sin_f64(double x) {
  return __builtin_fabs(x) <= DZ_TRIG_MAX ? dz_sin_fast_f64(x) : sin(x);
}

DZ_INLINABLE double dz_cos_f64(double x) {
  return __builtin_fabs(x) <= DZ_TRIG_MAX ? dz_cos_fast_f64(x) : cos(x);
}

// x = n / 2 + t exactly, |t| <= 1/4; then pi t as a sum of two.  `shift` quadrants are added.
DZ_INLINE double dz_trigpi(double x, uint64_t shift) {
  double turns = x - 2.0 * __builtin_trunc(0.5 * x);
  double m = 2.0 * turns + DZ_MAGIC, t = turns - 0.5 * (m - DZ_MAGIC);
  double t_hi = (double)(float)t, t_lo = t - t_hi;
  double a = t_hi * 0x1.921fb54000000p+1;
  double b = t_hi * 0x1.10b4611a62633p-29 + t_lo * 0x1.921fb54442d18p+1;
  double y0 = a + b, y1 = (a - y0) + b;
  return dz_quadrant(dz_to_bits_f64(m) + shift, y0, y1);
}

DZ_INLINE double dz_sinpi_f64(double x) {
  double y = dz_trigpi(x, 0);
  return x == __builtin_trunc(x) ? __builtin_copysign(x - x, x) : y;
}

// Halves give +0.
DZ_INLINE double dz_cospi_f64(double x) { return dz_trigpi(x, 1) + 0.0; }

// ---- f32 -------------------------------------------------------------------------------------
#define DZ_MAGICF 0x1.8p23f

DZ_INLINE float dz_exp_qf(float r) {
  float r2 = r * r;
  float a = DZ_FMAF(r, 0x1.555556p-3f, 0x1p-1f), b = DZ_FMAF(r, 0x1.1110e0p-7f, 0x1.5554e8p-5f);
  float c = DZ_FMAF(r, 0x1.a1256cp-13f, 0x1.6d43b0p-10f);
  return DZ_FMAF(r2, DZ_FMAF(r2, c, b), a);
}

DZ_INLINE float dz_scalef(float x, float m) {
  uint32_t k = dz_to_bits_f32(m) - dz_to_bits_f32(DZ_MAGICF) + 256;
  uint32_t k1 = k >> 1, k2 = k - k1;
  return x * dz_from_bits_f32((k1 - 1) << 23) * dz_from_bits_f32((k2 - 1) << 23);
}

DZ_INLINE float dz_exp_f32(float x) {
  float t = x > 89.0f ? 89.0f : x;
  t = t < -104.0f ? -104.0f : t;
  float m = DZ_FMAF(t, 0x1.715476p+0f, DZ_MAGICF), k = m - DZ_MAGICF;
  float r = DZ_FMAF(k, -0x1.7f7d1cp-20f, DZ_FMAF(k, -0x1.62e4p-1f, t));
  return dz_scalef(1.0f + DZ_FMAF(r * r, dz_exp_qf(r), r), m);
}

DZ_INLINE float dz_exp2_f32(float x) {
  float t = x > 129.0f ? 129.0f : x;
  t = t < -152.0f ? -152.0f : t;
  float m = t + DZ_MAGICF, r = (t - (m - DZ_MAGICF)) * 0x1.62e430p-1f;
  return dz_scalef(1.0f + DZ_FMAF(r * r, dz_exp_qf(r), r), m);
}

DZ_INLINE float dz_expm1_f32(float x) {
  float t = x > 89.0f ? 89.0f : x;
  t = t < -25.0f ? -25.0f : t;
  float m = DZ_FMAF(t, 0x1.715476p+0f, DZ_MAGICF), k = m - DZ_MAGICF;
  float hi = DZ_FMAF(k, -0x1.62e4p-1f, t), lo = k * 0x1.7f7d1cp-20f, r = hi - lo, c = (hi - r) - lo;
  float p = r + DZ_FMAF(r * r, dz_exp_qf(r), c);
  uint32_t n = dz_to_bits_f32(DZ_MAGICF) + 127 - dz_to_bits_f32(m);
  float rest = k > 25.0f ? 1.0f : 1.0f - dz_from_bits_f32(n << 23);
  float y = dz_scalef(p + rest, m);
  return x == 0 ? x : y;
}

DZ_INLINE float dz_tanh_f32(float x) {
  float a = 2.0f * __builtin_fabsf(x);
  float t = dz_expm1_f32(a > 1.0f ? a : -a), y = (a > 1.0f ? 2.0f : -t) / (t + 2.0f);
  return __builtin_copysignf(a > 1.0f ? 1.0f - y : y, x);
}

DZ_INLINE float dz_splitf(float x, float *k) {
  uint32_t u = dz_to_bits_f32(x) + (0x3f800000u - 0x3f3504f3u);
  *k = dz_from_bits_f32(0x4b000000u | u >> 23) - (0x1p23f + 127.0f);
  return dz_from_bits_f32((u & 0x007fffffu) + 0x3f3504f3u);
}

DZ_INLINE float dz_log_sumf(float k, float f, float c) {
  float s = f / (2.0f + f), z = s * s, h = 0.5f * f * f;
  float r = DZ_FMAF(z, 0x1.de0b02p-3f, 0x1.245b28p-2f);
  r = z * DZ_FMAF(z, DZ_FMAF(z, r, 0x1.9999eep-2f), 0x1.555556p-1f);
  float low = DZ_FMAF(s, h + r, DZ_FMAF(k, 0x1.7f7d1cp-20f, c));
  return DZ_FMAF(k, 0x1.62e4p-1f, f - (h - low));
}

DZ_INLINE float dz_log_f32(float x) {
  float k, m = dz_splitf(x < 0x1p-126f ? x * 0x1p25f : x, &k);
  float y = dz_log_sumf(x < 0x1p-126f ? k - 25.0f : k, m - 1.0f, 0);
  y = x < INFINITY ? y : x;
  return x > 0 ? y : x == 0 ? -INFINITY : NAN;
}

DZ_INLINE float dz_log1p_f32(float x) {
  float u = 1.0f + x, k, m = dz_splitf(u, &k);
  float error = (x < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x)) / u;
  float y = dz_log_sumf(k, k == 0 ? x : m - 1.0f, k == 0 ? 0 : error);
  y = ((x < INFINITY) & (x != 0)) ? y : x;
  return x > -1.0f ? y : x == -1.0f ? -INFINITY : NAN;
}

// sin and cos in f64, where two parts of pi/2 and shorter polynomials are enough: 2^-35 before the
// one rounding to f32.  x - n pi/2 = y: n times the 33 bits of the first part is exact, and so is its
// difference from x.
DZ_INLINE double dz_reducef(double x, uint64_t *n) {
  const double m = DZ_FMA(x, 0x1.45f306dc9c883p-1, DZ_MAGIC), k = m - DZ_MAGIC;
  *n = dz_to_bits_f64(m);
  return (x - k * 0x1.921fb54400000p+0) - k * 0x1.0b4611a626331p-34;
}

// As dz_quadrant.
DZ_INLINE float dz_quadrantf(uint64_t q, double y) {
  const double z = y * y, w = z * z;
  const double a = DZ_FMA(z, 0x1.11110deeb33b2p-7, -0x1.555555545dd83p-3);
  const double b = DZ_FMA(z, 0x1.6dbdd26f56d2dp-19, -0x1.a013a6edc8f34p-13);
  const double c = DZ_FMA(z, -0x1.6c16bf5495185p-10, 0x1.5555555502be6p-5);
  const double d = DZ_FMA(z, -0x1.25242a3a17327p-22, 0x1.a015c40ec65ecp-16);
  const double sine = DZ_FMA(y * z, DZ_FMA(w, b, a), y);
  const double cosine = DZ_FMA(w, DZ_FMA(w, d, c), DZ_FMA(z, -0.5, 1.0));
  const double r = (q & 1) != 0 ? cosine : sine;
  return (float)dz_from_bits_f64(dz_to_bits_f64(r) ^ (q & 2) << 62);
}

DZ_INLINE float dz_sin_fast_f32(float x) {
  uint64_t n;
  const double y = dz_reducef((double)x, &n);
  return x == 0 ? x : dz_quadrantf(n, y);
}

DZ_INLINE float dz_cos_fast_f32(float x) {
  uint64_t n;
  const double y = dz_reducef((double)x, &n);
  return dz_quadrantf(n + 1, y);
}

DZ_INLINABLE float dz_sin_f32(float x) {
  return __builtin_fabsf(x) <= (float)DZ_TRIG_MAX ? dz_sin_fast_f32(x) : (float)sin((double)x);
}

DZ_INLINABLE float dz_cos_f32(float x) {
  return __builtin_fabsf(x) <= (float)DZ_TRIG_MAX ? dz_cos_fast_f32(x) : (float)cos((double)x);
}

DZ_INLINE float dz_sinpi_f32(float x) { return (float)dz_sinpi_f64((double)x); }
DZ_INLINE float dz_cospi_f32(float x) { return (float)dz_cospi_f64((double)x); }
#endif
