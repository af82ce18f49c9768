#include <math.h>
void chol(int n, double *a) {
  for (int j = 0; j < n; j++) {
    double s = a[j*n+j];
    for (int k = 0; k < j; k++) s -= a[j*n+k] * a[j*n+k];
    a[j*n+j] = sqrt(s);
    for (int i = j + 1; i < n; i++) {
      double t = a[i*n+j];
      for (int k = 0; k < j; k++) t -= a[i*n+k] * a[j*n+k];
      a[i*n+j] = t / a[j*n+j];
    }
  }
}
