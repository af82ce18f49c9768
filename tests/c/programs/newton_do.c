// roots(roots y)/(a x) | x[n] y[n] | n=3 | 0.5:1.5
// do-while Newton loops with a tolerance and a limit, damping inside.
#include <math.h>
static double kepler(double m, double ecc) {
  double e = m, de;
  int it = 0;
  do {
    de = (e - ecc*sin(e) - m)/(1 - ecc*cos(e));
    e -= de;
  } while (fabs(de) > 1e-14 && ++it < 50);
  return e;
}
double roots(int n, double a, const double *x, double *y) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double z = x[i], f, step = 1;
    int k = 0;
    do {
      f = z*z*z + a*z - x[i];
      double d = f/(3*z*z + a);
      while (step*fabs(d) > 2) step *= 0.5;
      z -= step*d;
      k++;
    } while (fabs(f) > 1e-13 && k < 40);
    y[i] = z;
    s += kepler(z, 0.3*a);
  }
  return s;
}
