// f(f x)/(x a) | | n=5 |
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
// Iterations that are independent, which indices of data hide.
double f(int n, double x[n], const int at[n], double a) {
  double s = 0, t = 0, h[4] = {0};
  for (int i = 0; i < n; i++) x[i] = x[i]*a;
  /* $AD II-LOOP */
  for (int i = 0; i < n; i++) {
    double y = x[i];
    for (int k = 0; k < 3; k++) y = sin(y)*y + a;
    x[i] = y*y;
    s += y*y*y;
    h[i % 4] += y*x[i];
  }
  s = s*s + h[1]*h[2];
#pragma dagaz independent
  for (int i = n - 1; i >= 0; i--) {
    double *p = &x[i];
    int k = at[i];
    double z = *p;
    z = z*z*a;
    z = exp(-z*z);
    *p = z*h[k & 3];
    t += z*s;
  }
  return t*s + x[0];
}
