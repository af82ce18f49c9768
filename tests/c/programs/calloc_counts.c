// f(f x y)/(x y) | x[n] y[n] | n=6 |
// The number of elements and their size are two arguments of calloc.
#include <math.h>
#include <stdlib.h>
#define N(i, j) ((i)*n + (j))
#define FOR(i, a, b) for (int i = (a); i < (b); i++)
double f(int n, double *x, double *y) {
  double *L = calloc((size_t)n*n, sizeof *L), s = 0;
  FOR(i, 0, n) FOR(j, 0, i + 1) {
    double t = x[i]*x[j] + (i == j ? 3 + y[i]*y[i] : 0);
    FOR(k, 0, j) t -= L[N(i, k)]*L[N(j, k)];
    L[N(i, j)] = i == j ? sqrt(t) : t/L[N(j, j)];
  }
  FOR(i, 0, n) { FOR(k, 0, i) y[i] -= L[N(i, k)]*y[k]; y[i] /= L[N(i, i)]; s += 2*log(L[N(i, i)]) + y[i]*y[i]; }
  free(L);
  return s;
}
