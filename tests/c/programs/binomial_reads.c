// f(f x u)/(x u) | x[n] u[n] | n=4 steps=7 |
// The reverse sweep executes a loop with snapshots again: it restores all arrays that the loop reads.
#include <math.h>
double f(int n, int steps, double *x, double *u) {
  double s = 0;
  /* $AD BINOMIAL-CKP steps+1 3 1 */
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++) u[i] = sin(u[i]) + x[i];
  for (int i = 0; i < n; i++) {
    x[i] = u[i]*0.5;
    s += x[i];
  }
  for (int j = 0; j < n; j++) {
    /* $AD BINOMIAL-CKP steps+1 2 1 */
    for (int t = 0; t < steps; t++)
      for (int i = 0; i < n; i++) u[i] = sin(u[i]) + x[j] + x[i];
    x[j] = u[j]*0.5;
    s += x[j];
  }
  return s;
}
