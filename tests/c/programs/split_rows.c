// f(f)/(x) | x[n] | n=5 | -1:1 | source |
// An array of pointers to local arrays, in a function whose sweeps are two.
#include <math.h>
static double g(int n, const double *x) {
  double w[8], u[8], s = 0; double *rows[2] = {w, u};
  for (int i = 0; i < n; i++) { rows[i & 1][i] = sin(x[i]) + s; s += rows[i & 1][i] * rows[i & 1][i]; }
  return s + rows[0][2] * rows[1][1];
}
double f(int n, const double *x) {
  double s = 0;
  /* $AD NOCHECKPOINT */
  s += g(n, x);
  return s * s;
}
