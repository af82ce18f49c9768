#include <math.h>
double march(int k, double *y, double e) {
  double s = 1;
  for (int i = 0; i < k; i++) {
    s = s * sin(y[i]) + e;      /* y[i] is still the old one */
    y[i] = s * s;
  }
  return s;
}
