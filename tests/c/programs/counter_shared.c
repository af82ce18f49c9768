// f(f y)/(a y) | y[n] | n=5 steps=3 |
// A counter that loops share, whose value the reverse sweep of an earlier iteration needs: it is saved
// before loops that are executed again, too.
#include <math.h>
double f(int n, int steps, double a, double *y) {
  double v = a, u[3];
  int i, j;
  for (i = 0; i < n; i += 2) {
    for (j = 2; j < n; j++) {
      u[0] = a;
      u[1] = sin(a*y[1]);
      u[2] = u[0]*u[1];
      v += sin(u[0]*u[1] + u[2]);
    }
    if (a < 2)
      for (j = 0; j < n; j += 2) y[j] -= 0.5*tanh(a*i*y[j]);
    /* $AD BINOMIAL-CKP steps+1 2 1 */
    for (j = 0; j < steps; j++) v = v*sin(v*a);
  }
  return v;
}
