// f(f x)/(x a) | x[n] | n=4 |
// Advice on calls: the same derivative.
#include <math.h>
static double g(int n, double *x, double a) { double s = 0; for (int i = 0; i < n; i++) { s += x[i]*x[i]*a; x[i] = sin(x[i]) + s; } return s; }
double f(int n, double *x, double a) {
  double s = 0;
  for (int k = 0; k < 3; k++) {
    /* $AD NOCHECKPOINT */
    s += g(n, x, a)*x[k];
    a = a*0.5 + x[0];
  }
  /* $AD II-LOOP */
  for (int i = 0; i < n; i++) { double t = x[i]*a; x[i] = t*t; s += t; }
  /* $AD CHECKPOINT-START */
  s = s*g(n - 1, x, s*0.01);
  /* $AD CHECKPOINT-END */
  return s;
}
