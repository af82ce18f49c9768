// energy(energy f)/(x) | x[3*n] f[3*n] | n=4 |
// Function-like macros with statements, ##, nested uses, do { } while (0).
#include <math.h>
#define SQR(x) ((x)*(x))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define AXIS(k) d##k
#define SWAP(a, b) do { double tmp_ = (a); (a) = (b); (b) = tmp_; } while (0)
#define PAIR(i, j, ...) do { \
  double d0 = x[3*(i)] - x[3*(j)], d1 = x[3*(i)+1] - x[3*(j)+1], d2 = x[3*(i)+2] - x[3*(j)+2]; \
  double r2 = SQR(AXIS(0)) + SQR(AXIS(1)) + SQR(AXIS(2)) + 0.1; __VA_ARGS__ } while (0)
double energy(int n, const double *x, double *f) {
  double e = 0, lo = 0, hi = 0;
  FOR(i, 3*n) f[i] = 0;
  FOR(i, n) for (int j = i + 1; j < n; j++)
    PAIR(i, j, {
      double ir = 1/r2, ir6 = ir*ir*ir;
      e += 4*(SQR(ir6)*1e-3 - ir6*0.1);
      f[3*i] += d0*ir6; f[3*i+1] += d1*ir6; f[3*i+2] += d2*ir6;
      lo = MAX(lo, sqrt(r2)); hi = MAX(hi, ir);
    });
  if (hi > lo) SWAP(lo, hi);
  return e + lo*hi + lo;
}
