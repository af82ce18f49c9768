// f(f x y)/(x y) | x[n] y[n] | n=6 |
// Rows of arrays of two dimensions are filled with zeros, copied and moved.
#include <string.h>
static void shift(int n, double (*h)[2], double a, double b) {
  memmove(h + 1, h, (n - 1)*sizeof *h);
  h[0][0] = a; h[0][1] = b;
}
double f(int n, double *x, double *y) {
  double h[n][2];
  memset(h, 0, n*sizeof h[0]);
  double s = 0;
  for (int i = 0; i < 2*n; i++) { shift(n, h, x[i % n]*(1 + s), y[i % n]); s = 0.3*h[n/2][0] + h[n - 1][1]*h[1][0]; }
  memcpy(x, h[0], 2*sizeof(double));
  return s;
}
