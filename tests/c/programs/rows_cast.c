// cast(y)/(x) | x[n*n] y[n] | n=4 |
// Memory is seen as rows whose length is a parameter or a local variable.
#include <stdlib.h>
static double row(int k, double (*M)[k], int i) { double s = 0; for (int j = 0; j < k; j++) s += M[i][j]*M[j][i]; return s; }
void cast(int n, double *x, double *y) {
  const int half = n/2;
  double (*A)[n] = (void *)x;
  double (*B)[half] = (double (*)[half])(x + n*half);
  for (int i = 0; i < n; i++) y[i] = A[i][n - 1 - i]*row(n, A, i) + B[i][half - 1];
  double *flat = (double *)B, *g = &A[1][0], *h = A[2];
  for (int i = 0; i < n; i++) y[i] += flat[i]*g[i]*h[1];
}
