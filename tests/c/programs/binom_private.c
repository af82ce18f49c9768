// run(run u)/(u p) | u[n] p[3] | n=5 steps=9 |
// Snapshots around loops with private arrays, calls, branches and values used afterwards.
#include <math.h>
static double force(int n, const double *u, double *w, double k) {
  double m = 0;
  for (int i = 0; i < n; i++) { w[i] = sin(k*u[i]) + (i ? w[i - 1]*u[i - 1] : 0); m = fmax(m, fabs(w[i])); }
  return m;
}
double run(int n, int steps, double *u, double *p) {
  double w[n], h = p[0], acc = 0;
  /* $AD BINOMIAL-CKP steps+1 3 1 */
  for (int t = 0; t < steps; t++) {
    double m = force(n, u, w, p[1]);
    if (m > 1) h *= 0.9;
    for (int i = 0; i < n; i++) u[i] += h*w[i] - 0.1*p[2];
    acc += m*h;
  }
  p[2] = acc*h;
  p[1] *= p[2];
  h = u[0]*p[1];
  return acc + h*p[2];
}
