// One function of tests/c/fast/programs.c, F: its adjoint through core (F_b), that of source
// transformation (R_b, where it has one) and differences.
#include "examples/check.h"

enum { N = 7 };
#define NAME2(f, t) f##t
#define NAME(f, t) NAME2(f, t)
double F(int n, double *x);
void NAME(F, _b)(int n, double *x, double *xb, double seed);
#ifdef BOTH
void NAME(F, _r)(int n, double *x, double *xb, double seed);
#endif

static double weighted(const double *x, const double *d, const double *w, double h) {
  double y[N];
  for (int i = 0; i < N; i++) y[i] = x[i] + h * d[i];
  double s = 0.7 * F(N, y);
  return s + check_dot(y, w, N);
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    double x[N], d[N], w[N], b[N], r[N], y[N], h = 1e-5;
    check_fill(x, N), check_fill(d, N), check_fill(w, N);
    memcpy(b, w, sizeof b), memcpy(r, w, sizeof r), memcpy(y, x, sizeof y);
    NAME(F, _b)(N, y, b, 0.7);
    double slope = (weighted(x, d, w, h) - weighted(x, d, w, -h)) / (2 * h);
    check_near("differences", check_dot(b, d, N), slope, 1e-6);
#ifdef BOTH
    memcpy(y, x, sizeof y);
    NAME(F, _r)(N, y, r, 0.7);
    for (int i = 0; i < N; i++) check_near("adjoints", b[i], r[i], 1e-11);
#endif
  }
  return check_bad;
}
