// extremes(extremes)/(x) | x[n] | n=6 |
// Extremes from infinities on, ties and kinks: `--check` compares away from them.
#include <math.h>
#define MAX(a,b) ((a) > (b) ? (a) : (b))
double extremes(int n, const double *x) {
  double hi = -INFINITY, lo = HUGE_VAL, s = 0; int arg = 0;
  for (int i = 0; i < n; i++) {
    hi = fmax(hi, x[i]); lo = fmin(x[i], lo);
    if (x[i] > x[arg]) arg = i;
    s += fabs(x[i] - x[(i + 1) % n]) + MAX(x[i], 0.2*x[i]);
  }
  return hi - lo*x[arg] + s;
}
