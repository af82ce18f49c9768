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
DZ_INLINABLE double dz_psi_up(double x) {
  double r = 0;
  for (; x < 10; x += 1) r -= 1 / x;
  double f = 1 / (x * x);
  double s = f * (1.0 / 12 - f * (1.0 / 120 - f * (1.0 / 252 - f * (1.0 / 240 -
             f * (1.0 / 132 - f * (691.0 / 32760 - f * (1.0 / 12)))))));
  return r + log(x) - 0.5 / x - s;
}

// psi'(x) = 1/x + 1/2x^2 + 1/6x^3 - 1/30x^5 + 1/42x^7 - 1/30x^9 + 5/66x^11 - ..
DZ_INLINABLE double dz_psi1_up(double x) {
  double r = 0;
  for (; x < 10; x += 1) r += 1 / (x * x);
  double f = 1 / (x * x);
  double s = 1.0 / 6 - f * (1.0 / 30 - f * (1.0 / 42 - f * (1.0 / 30 - f * (5.0 / 66 -
             f * (691.0 / 2730 - f * (7.0 / 6))))));
  return r + 1 / x + 0.5 * f + f / x * s;
}

// psi''(x) = -1/x^2 - 1/x^3 - 1/2x^4 + 1/6x^6 - 1/6x^8 + 3/10x^10 - 5/6x^12 + ..
DZ_INLINABLE double dz_psi2_up(double x) {
  double r = 0;
  for (; x < 10; x += 1) r -= 2 / (x * x * x);
  double f = 1 / (x * x);
  double s = 0.5 - f * (1.0 / 6 - f * (1.0 / 6 - f * (3.0 / 10 - f * (5.0 / 6 -
             f * (691.0 / 210 - f * (35.0 / 2))))));
  return r - f - f / x - f * f * s;
}

DZ_INLINABLE bool dz_is_pole(double x) { return x < 0 && x == __builtin_floor(x); }

DZ_INLINABLE double dz_digamma_f64(double x) {
  if (x >= 0.5) return x < (double)INFINITY ? dz_psi_up(x) : x;
  if (x == 0) return -1 / x;
  if (dz_is_pole(x) || !(x > -(double)INFINITY)) return (double)NAN;
  return dz_psi_up(1 - x) - DZ_PI * dz_cospi_f64(x) / dz_sinpi_f64(x);
}

DZ_INLINABLE double dz_trigamma_f64(double x) {
  if (x >= 0.5) return dz_psi1_up(x);
  if (x == 0) return (double)INFINITY;
  if (dz_is_pole(x) || !(x > -(double)INFINITY)) return (double)NAN;
  double c = DZ_PI / dz_sinpi_f64(x);
  return c * c - dz_psi1_up(1 - x);
}

DZ_INLINABLE double dz_tetragamma_f64(double x) {
  if (x >= 0.5) return dz_psi2_up(x);
  if (x == 0) return -1 / x;
  if (dz_is_pole(x) || !(x > -(double)INFINITY)) return (double)NAN;
  double s = dz_sinpi_f64(x), c = DZ_PI / s;
  return dz_psi2_up(1 - x) - 2 * c * c * c * dz_cospi_f64(x);
}

// psi_n(x) = (-1)^(n+1) n! sum_k 1/(x+k)^(n+1), up to its sign, for x > 0 and n > 0: the terms below
// n + 10 one by one, then with T = (n-1)!/x^n
//   T (1 + n/2x + sum_j B_2j/(2j)! n (n+1) .. (n+2j-1) / x^2j)
// whose terms fall by more than 6 there, and by 30 at first.  A product i/y grows or falls once in a
// row, so nothing overflows before the result does.
DZ_INLINABLE double dz_psi_term(double y, int n) {
  double t = 1 / y;
  for (int i = 1; i <= n; i++) t *= i / y;
  return t;
}

DZ_INLINABLE double dz_psi_n_up(double x, int n) {
  DZ_TABLE double bernoulli[] = {
      1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510,
      43867.0 / 798, -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730, 8553103.0 / 6};
  double sum = 0;
  for (; x < n + 10; x += 1) sum += dz_psi_term(x, n);
  double s = 1 + 0.5 * n / x, c = 1;
  for (int j = 1; j <= 13; j++) {
    c *= (n + 2 * j - 2) / x * ((n + 2 * j - 1) / x) / ((2 * j - 1) * (2 * j));
    s += bernoulli[j - 1] * c;
  }
  return sum + dz_psi_term(x, n) * (x / n) * s;
}

// The derivative of order n of cot at t, by its signs: |P_n(c)|, c = cot t, where
// P_0 = c, P_n+1 = (1 + c^2) P_n' has no negative coefficient; the one of odd order is even.
DZ_INLINABLE double dz_cot_n(double c, int n) {
  double p[172] = {0, 1};
  for (int k = 0; k < n; k++) {
    double d[172];
    for (int i = 0; i <= k; i++) d[i] = p[i + 1] * (i + 1);
    for (int i = 0; i <= k + 2; i++) p[i] = (i <= k ? d[i] : 0) + (i >= 2 ? d[i - 2] : 0);
  }
  double r = 0;
  for (int i = n + 1; i >= 0; i--) r = r * c + p[i];
  return r;
}

// psi_n(x) = (-1)^n psi_n(1 - x) - pi d^n cot(pi x)/dx^n.  Orders that are not whole numbers, or so
// large that the polynomial overflows, have NaN.
DZ_INLINABLE double dz_polygamma_f64(double x, double order) {
  if (!(order >= 0 && order <= 160) || order != __builtin_floor(order) || x != x) return (double)NAN;
  int n = (int)order;
  if (n == 0) return dz_digamma_f64(x);
  if (n == 1) return dz_trigamma_f64(x);
  if (n == 2) return dz_tetragamma_f64(x);
  double sign = n % 2 ? 1 : -1;
  if (x == (double)INFINITY) return sign * 0;
  if (x == 0) return n % 2 ? (double)INFINITY : -1 / x;
  if (x > 0) return sign * dz_psi_n_up(x, n);
  if (dz_is_pole(x) || x == -(double)INFINITY) return (double)NAN;
  double power = DZ_PI;
  for (int i = 0; i < n; i++) power *= DZ_PI;
  double cot = dz_cospi_f64(x) / dz_sinpi_f64(x);
  return sign * power * dz_cot_n(cot, n) - dz_psi_n_up(1 - x, n);
}

DZ_INLINABLE float dz_polygamma_f32(float x, float n) {
  return (float)dz_polygamma_f64((double)x, (double)n);
}
DZ_INLINABLE float dz_digamma_f32(float x) { return (float)dz_digamma_f64((double)x); }
DZ_INLINABLE float dz_trigamma_f32(float x) { return (float)dz_trigamma_f64((double)x); }
DZ_INLINABLE float dz_tetragamma_f32(float x) { return (float)dz_tetragamma_f64((double)x); }

// libm's lgamma writes the global signgam; the reentrant form does not.
#if !defined(DZ_DEVICE) && (defined(__GLIBC__) || defined(__APPLE__))
extern double lgamma_r(double, int *);
extern float lgammaf_r(float, int *);
DZ_INLINABLE double dz_lgamma_f64(double x) { int sign; return lgamma_r(x, &sign); }
DZ_INLINABLE float dz_lgamma_f32(float x) { int sign; return lgammaf_r(x, &sign); }
#else
DZ_INLINABLE double dz_lgamma_f64(double x) { return lgamma(x); }
DZ_INLINABLE float dz_lgamma_f32(float x) { return lgammaf(x); }
#endif
#endif
