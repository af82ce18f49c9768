// rows(y)/(x) | x[n*m] y[n] | n=4 m=2 |
// Rows of variable length are allocated, cleared and copied.
#include <stdlib.h>
#include <string.h>
void rows(int n, int m, double *x, double *y) {
  int rows = n + 1;
  double (*A)[m] = calloc(rows, sizeof *A), (*B)[m] = malloc(n*sizeof *B);
  double *v = malloc(n*(m*sizeof(double))), *u = (double *)malloc(rows*sizeof(double)), (*S)[2][m] = malloc(sizeof(double[n][2][m]));
  double (*C)[3] = malloc(rows*sizeof *C);
  memcpy(A + 1, x, n*sizeof *A);
  memcpy(B, x, sizeof(double[n][m]));
  memcpy(v, A, n*sizeof A[0]);
  memset(C, 0, sizeof(double[rows][3]));
  for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) for (int c = 0; c < 2; c++) S[i][c][k] = B[i][k]*(c + 1);
  for (int i = 0; i < rows; i++) { u[i] = A[i][m-1]; C[i][i % 3] += u[i]; }
  for (int i = 0; i < n; i++) { y[i] = A[i][1]*B[i][0] + v[i*m + 1]*u[i + 1] + S[i][1][0]*C[i][1] + C[i][i%3]; memcpy(A[i], B[i], sizeof *B); y[i] += A[i][0]; }
  free(A); free(B); free(v); free(u); free(C); free(S);
}
