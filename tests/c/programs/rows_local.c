// local(local)/(x) | x[n*n] | n=3 |
// The length of the rows that a pointer leads to is a local variable.
#include <stdlib.h>
#include <string.h>
double local(int n, const double *x) {
  int m = n;
  const double (*A)[m] = (const double (*)[m])x;
  double (*B)[m] = malloc(sizeof(double[m][m]));
  double *c = malloc(sizeof(double[m]));
  double s = 0;
  memset(c, 0, sizeof(double[m]));
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { B[j][i] = A[i][j]*A[i][j]; c[i] += B[j][i]; }
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += B[i][j]*(i + 2*j)*c[j];
  free(B); free(c);
  return s;
}
