// f(f)/(x) | x[n] | n=5 |
// A checkpoint before an array has values.
#include <math.h>
double f(int n, const double x[n]) {
  double w[5], v[3];
  /* $AD CHECKPOINT-START */
  for (int i = 0; i < n; i++) w[i] = sin(x[i])*x[i];
  for (int i = 1; i < n; i++) w[i] *= w[i - 1];
  /* $AD CHECKPOINT-END */
  for (int k = 0; k < 2; k++) {
#pragma dagaz checkpoint
    for (int i = 0; i < n - 2; i++) v[i] = k*w[i]*w[i + 1] + (k ? v[i]*v[i] : 0);
    w[k] = v[0]*w[n - 1];
  }
  return w[0] + w[1]*w[n - 1];
}
