// scan(scan y)/(x y) | x[n] y[n] | n=6 |
// goto forwards: out of nested loops, a switch, past declarations, to two labels that overlap.
#include <math.h>
double scan(int n, const double *x, double *y) {
  double s = 0;
  for (int r = 0; r < 2; r++) {
    double t = r + 0.5;
    if (x[r] > 0.9) goto skip;
    for (int i = 0; i < n; i++) {
      if (x[i] < -0.95) goto last;
      for (int j = 0; j < i; j++) {
        t += x[i]*y[j];
        if (t*t > 2) goto last;
        switch (j) {
          case 2: if (t > 0.6) goto skip; t *= 1.5; break;
          case 3: t *= x[j];
          default: y[j] = y[j]*0.9 + t;
        }
      }
      if (i == 4) continue;
      s += sin(t);
    }
  skip:
    s += t*t;
    double u = s*x[0];
    if (u > 3) break;
    s += u;
  last:
    s += y[r]*t;
  }
  return s;
}
