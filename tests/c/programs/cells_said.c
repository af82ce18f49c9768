// cells(x)/(x) | x[n] at[n] | n=6 |
// Cells are changed in place, at indices that data tells; what the iteration computes is kept.
#include <math.h>
void cells(int n, double *x, const int *at) {
  for (int i = 0; i < n; i++) x[i] = x[i]*x[i];
  /* $AD II-LOOP */
  for (int i = 0; i < n; i++) {
    double y = x[i + at[i]];
    for (int k = 0; k < 20; k++) y = sin(y)*y + x[i + at[i]];
    x[i + at[i]] = y*y;
  }
  for (int i = 0; i < n; i++) x[i] = x[i]*x[i];
}
