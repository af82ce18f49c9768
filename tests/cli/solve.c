#include <math.h>
// An adjoint that was written by hand.  x = A^-1 b for a lower triangular matrix.
void solve(int n, const double *a, const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    double s = b[i];
    for (int k = 0; k < i; k++) s -= a[i*n + k]*x[k];
    x[i] = s/a[i*n + i];
  }
}
// t = A^-T xb;  bb += t;  ab -= t x^T;  xb = 0
void solve_adjoint(int n, const double *a, double *ab, const double *b, double *bb, double *x,
                   double *xb) {
  (void)b;
  for (int i = n - 1; i >= 0; i--) {
    double t = xb[i]/a[i*n + i];
    for (int k = 0; k < i; k++) xb[k] -= a[i*n + k]*t;
    if (bb) bb[i] += t;
    for (int k = 0; ab && k <= i; k++) ab[i*n + k] -= t*x[k];
    xb[i] = 0;
  }
}
#pragma dagaz adjoint solve: solve_adjoint, needs x
double energy(int n, const double a[n*n], const double b[n], double x[n]) {
  double e = 0;
  solve(n, a, b, x);
  for (int i = 0; i < n; i++) e += x[i]*x[i];
  for (int i = 0; i < n; i++) x[i] = sin(x[i]);
  for (int i = 0; i < n; i++) e += x[i]*b[i];
  return e;
}
double total(int n, const double a[n*n], const double b[n], double x[n]) {
  double e = 0;
  solve(n, a, b, x);
  for (int i = 0; i < n; i++) e += x[i];
  for (int i = 0; i < n; i++) x[i] = 0;
  return e;
}
