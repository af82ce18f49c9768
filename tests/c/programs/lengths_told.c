// eigen(lam mean)/(a y) | | n=3 kind=1 |
// Lengths that accesses tell: rows, memcpy, loops that count down, one place in each branch.
#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef enum { ARITHMETIC, SQUARE } Kind;
void eigen(int n, double (*a)[n], double *lam, const double *y, Kind kind, double *mean) {
  double *s = malloc(n*sizeof(double));
  memcpy(s, y, n*sizeof(double));
  for (int p = 0; p < n - 1; p++)
    for (int q = p + 1; q < n; q++) {
      double apq = 0.5*(a[p][q] + a[q][p]);
      if (apq == 0.0) continue;
      double theta = (a[q][q] - a[p][p] + 2*(q - p))/(2*apq);
      double t = (theta >= 0 ? 1.0 : -1.0)/(fabs(theta) + sqrt(theta*theta + 1));
      double c = 1/sqrt(t*t + 1), r = t*c;
      for (int k = 0; k < n; k++) {
        double u = a[k][p], v = a[k][q];
        a[k][p] = c*u - r*v; a[k][q] = r*u + c*v;
      }
    }
  for (int i = n; i-- > 0;) {
    lam[i] = a[i][i]*s[i];
    for (int j = i + 1; j < n; j++) lam[i] -= s[j]*lam[j];
  }
  switch (kind) {
    case ARITHMETIC: *mean = s[0] + s[n - 1]; break;
    case SQUARE: *mean = s[0]*s[n - 1]; break;
  }
  free(s);
}
