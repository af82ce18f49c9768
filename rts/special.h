// special: digamma and its derivatives, in f64.  Part of base.h.
//
// Small arguments move up by the recurrence until the asymptotic series (Bernoulli numbers)
// is exact to f64 at x >= 10; x < 1/2 reflects through pi / tan(pi x).  Poles give NaN at
// negative integers and the one-sided limit at zero.
#ifndef DZ_SPECIAL_H
#define DZ_SPECIAL_H
#include "float.h"
#define DZ_PI 3.14159265358979323846

// psi(x) = log x - 1/2x - 1/12x^2 + 1/120x^4 - 1/252x^6 + 1/240x^8 - 1/132x^10 + ..
static inline double dz_psi_up(double x) {
  double r = 0;
  for (; x < 10; x += 1) r -= 1 / x;
  double f = 1 / (x * x);
  double s = f * (1.0 / 12 - f * (1.0 / 120 - f * (1.0 / 252 - f * (1.0 / 240 -
             f * (1.0 / 132 - f * (691.0 / 32760 - f * (1.0 / 12)))))));
  return r + log(x) - 0.5 / x - s;
}

// psi'(x) = 1/x + 1/2x^2 + 1/6x^3 - 1/30x^5 + 1/42x^7 - 1/30x^9 + 5/66x^11 - ..
static inline double dz_psi1_up(double x) {
  double r = 0;
  for (; x < 10; x += 1) r += 1 / (x * x);
  double f = 1 / (x * x);
  double s = 1.0 / 6 - f * (1.0 / 30 - f * (1.0 / 42 - f * (1.0 / 30 - f * (5.0 / 66 -
             f * (691.0 / 2730 - f * (7.0 / 6))))));
  return r + 1 / x + 0.5 * f + f / x * s;
}

// psi''(x) = -1/x^2 - 1/x^3 - 1/2x^4 + 1/6x^6 - 1/6x^8 + 3/10x^10 - 5/6x^12 + ..
static inline double dz_psi2_up(double x) {
  double r = 0;
  for (; x < 10; x += 1) r -= 2 / (x * x * x);
  double f = 1 / (x * x);
  double s = 0.5 - f * (1.0 / 6 - f * (1.0 / 6 - f * (3.0 / 10 - f * (5.0 / 6 -
             f * (691.0 / 210 - f * (35.0 / 2))))));
  return r - f - f / x - f * f * s;
}

static inline bool dz_is_pole(double x) { return x < 0 && x == __builtin_floor(x); }

static inline double dz_digamma_f64(double x) {
  if (x >= 0.5) return x < (double)INFINITY ? dz_psi_up(x) : x;
  if (x == 0) return -1 / x;
  if (dz_is_pole(x) || !(x > -(double)INFINITY)) return (double)NAN;
  return dz_psi_up(1 - x) - DZ_PI * dz_cospi_f64(x) / dz_sinpi_f64(x);
}

static inline double dz_trigamma_f64(double x) {
  if (x >= 0.5) return dz_psi1_up(x);
  if (x == 0) return (double)INFINITY;
  if (dz_is_pole(x) || !(x > -(double)INFINITY)) return (double)NAN;
  double c = DZ_PI / dz_sinpi_f64(x);
  return c * c - dz_psi1_up(1 - x);
}

static inline double dz_tetragamma_f64(double x) {
  if (x >= 0.5) return dz_psi2_up(x);
  if (x == 0) return -1 / x;
  if (dz_is_pole(x) || !(x > -(double)INFINITY)) return (double)NAN;
  double s = dz_sinpi_f64(x), c = DZ_PI / s;
  return dz_psi2_up(1 - x) - 2 * c * c * c * dz_cospi_f64(x);
}

static inline float dz_digamma_f32(float x) { return (float)dz_digamma_f64((double)x); }
static inline float dz_trigamma_f32(float x) { return (float)dz_trigamma_f64((double)x); }
static inline float dz_tetragamma_f32(float x) { return (float)dz_tetragamma_f64((double)x); }

// libm's lgamma writes the global signgam; the reentrant form does not.
#if defined(__GLIBC__) || defined(__APPLE__)
extern double lgamma_r(double, int *);
extern float lgammaf_r(float, int *);
static inline double dz_lgamma_f64(double x) { int sign; return lgamma_r(x, &sign); }
static inline float dz_lgamma_f32(float x) { int sign; return lgammaf_r(x, &sign); }
#else
static inline double dz_lgamma_f64(double x) { return lgamma(x); }
static inline float dz_lgamma_f32(float x) { return lgammaf(x); }
#endif
#endif
