// solve(b)/(a b) | a[16] b[4] | n=3 |
// 1-based arrays in the style of Numerical Recipes: rows behind shifted pointers, an implicit pivot.
#include <math.h>
#include <stdlib.h>
#define TINY 1.0e-20
static double *dvector(long nl, long nh) { return (double *)malloc((size_t)((nh - nl + 2)*sizeof(double))) - nl + 1; }
static void free_dvector(double *v, long nl) { free(v + nl - 1); }
void solve(int n, double *a, double *b) {
  int i, imax, j, k, indx[5];
  double big, dum, sum, temp, *vv = dvector(1, n);
  #define A(r, c) a[(r)*4 + (c)]
  for (i = 1; i <= n; i++) {
    big = 0.0;
    for (j = 1; j <= n; j++) if ((temp = fabs(A(i, j))) > big) big = temp;
    vv[i] = 1.0/big;
  }
  for (j = 1; j <= n; j++) {
    for (i = 1; i < j; i++) {
      sum = A(i, j);
      for (k = 1; k < i; k++) sum -= A(i, k)*A(k, j);
      A(i, j) = sum;
    }
    big = 0.0;
    imax = j;
    for (i = j; i <= n; i++) {
      sum = A(i, j);
      for (k = 1; k < j; k++) sum -= A(i, k)*A(k, j);
      A(i, j) = sum;
      if ((dum = vv[i]*fabs(sum)) >= big) { big = dum; imax = i; }
    }
    if (j != imax) {
      for (k = 1; k <= n; k++) { dum = A(imax, k); A(imax, k) = A(j, k); A(j, k) = dum; }
      vv[imax] = vv[j];
    }
    indx[j] = imax;
    if (A(j, j) == 0.0) A(j, j) = TINY;
    if (j != n) {
      dum = 1.0/A(j, j);
      for (i = j + 1; i <= n; i++) A(i, j) *= dum;
    }
  }
  int ii = 0, ip;
  for (i = 1; i <= n; i++) {
    ip = indx[i];
    sum = b[ip];
    b[ip] = b[i];
    if (ii) for (j = ii; j <= i - 1; j++) sum -= A(i, j)*b[j];
    else if (sum) ii = i;
    b[i] = sum;
  }
  for (i = n; i >= 1; i--) {
    sum = b[i];
    for (j = i + 1; j <= n; j++) sum -= A(i, j)*b[j];
    b[i] = sum/A(i, i);
  }
  free_dvector(vv, 1);
}
