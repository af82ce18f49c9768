// chol(chol)/(v) | v[n*n] | n=3 | 0.1:0.4
// Row pointers double **, allocated in one block, shared by two functions.
#include <math.h>
#include <stdlib.h>
static double **matrix(int n, int m) {
  double **a = malloc(n*sizeof *a);
  a[0] = malloc(n*m*sizeof **a);
  for (int i = 1; i < n; i++) a[i] = a[i - 1] + m;
  return a;
}
static void decompose(double **a, int n, double *p) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      double sum = a[i][j];
      for (int k = i - 1; k >= 0; k--) sum -= a[i][k]*a[j][k];
      if (i == j) p[i] = sqrt(sum);
      else a[j][i] = sum/p[i];
    }
}
double chol(int n, const double *v) {
  double **a = matrix(n, n), *p = malloc(n*sizeof(double)), s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = v[i*n + j] + v[j*n + i] + (i == j ? 4 : 0);
  decompose(a, n, p);
  for (int i = 0; i < n; i++) { s += log(p[i]); for (int j = 0; j < i; j++) s += a[i][j]; }
  free(p); free(a[0]); free(a);
  return s;
}
