// values(values)/(x) | x[n] | n=3 |
// Tables whose values are infinite, conditions, or values of functions.
#include <math.h>
enum { A = 3, B = A*2 };
static const double T[4] = {1.5, 2 > 1 ? 3.0 : 4.0, !0.0, B/4};
static const double L[2] = {INFINITY, 2.0};
double values(int n, const double *x) {
  static const double R[3] = {sqrt(2.0), 1.0/3, 2.0 < 3.0};
  const double loc[3] = {fabs(-2.0), INFINITY, (double)(1 ? 2.5f : 3)};
  double s = 0;
  for (int i = 0; i < n; i++) { s += T[i]*x[i] + R[i]*x[i]*x[i] + (i == 1 ? 0 : loc[i]*x[i]); if (x[i] > L[0]) s += 100; if (x[i] > L[i & 1]) s += x[i]; }
  return s;
}
