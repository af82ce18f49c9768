// search(search y)/(x y) | x[n] y[n] | n=5 |
// goto back: Newton's method until a test holds, a scan with two labels, a way out of both.
#include <math.h>
double search(int n, const double *x, double *y) {
  double s = 0, r;
  int i = 0, rounds = 0;
next:
  if (i == n) goto done;
  r = 1 + x[i]*x[i];
newton:
  if (fabs(r*r - 1 - x[i]*x[i]) > 1e-13) {
    r = 0.5*(r + (1 + x[i]*x[i])/r);
    if (++rounds > 100) goto done;
    goto newton;
  }
  y[i] = y[i]*r + s;
  switch (i % 3) {
    case 0: i++; s += y[i - 1]; goto next;
    case 1: s *= 0.5;
    default: i++;
  }
  s += sin(y[i - 1]);
  goto next;
done:
  return s;
}
