// f(f x)/(x a) | x[n] | n=4 |
#include <math.h>
// Regions that are executed again.
static double mix(int n, double *x, double a) { double s = 0; for (int i = 0; i < n; i++) { s += x[i]*x[i]*a; x[i] = sin(x[i]) + s*0.1; } return s; }
double f(int n, double *x, double a) {
  double s = 1, t[8];
  for (int i = 0; i < 8; i++) t[i] = i*0.1;
  /* $AD CHECKPOINT-START */
  for (int k = 0; k < 3; k++)
    for (int i = 1; i < n; i++) { x[i] += 0.1*sin(x[i-1])*x[i]; t[i % 8] = t[(i + 1) % 8]*x[i]; s = s*cos(x[i]) + t[i % 8]; }
  a = a*s;
  /* $AD CHECKPOINT-END */
  s = s*s + x[0]*a;
  for (int k = 0; k < 2; k++) {
#pragma dagaz checkpoint begin
    s += mix(n, x, a)*x[k];
    /* $AD CHECKPOINT-START */
    if (s > 0) { a = a*0.5 + x[0]*s; s *= 0.5; }
    else { a = -a*a; }
    /* $AD CHECKPOINT-END */
    x[1] = x[1]*a + 0.1*s*s;
#pragma dagaz checkpoint end
    x[0] = x[0]*s;
  }
#pragma dagaz checkpoint
  s = s*mix(n - 1, x, s*0.01)*x[n-1];
  return s;
}
