// split(split y)/(x a) | x[n] y[n] | n=4 |
// frexp, modf and sincos, whose values are the parts of a number.
#define _GNU_SOURCE
#include <math.h>
double split(int n, double a, const double *x, double *y) {
  double s = 0, whole, part[2];
  int e, k;
  for (int i = 0; i < n; i++) {
    double m = frexp(3*x[i]*a, &e);
    y[i] = modf(7*x[i] + 0.3*a, &whole)*m + e*x[i];
    sincos(x[i]*a, &part[0], part + 1);
    s += part[0]*part[1] + whole*y[i];
  }
  modf(a, &whole);
  s += frexp(s*s + 2, &k)*k + (modf(a*a, part) > 0.5 ? part[0]*a : a);
  return s;
}
