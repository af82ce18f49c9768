// f(f)/(x a) | x[n] | n=5 |
// float storage with double sums, casts in both directions, float constants.
#include <math.h>
double f(int n, const float *x, float a) {
  double s = 0;
  float w[8] = {0.5f};
  for (int i = 0; i < n && i < 8; i++) { w[i] += x[i]*a; s += (double)w[i]*w[i] + sinf(x[i]); }
  return (float)s*2.0f + expf(-a);
}
