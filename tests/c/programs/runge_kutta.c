// f(f x y)/(x y) | x[n] y[n] | n=6 |
// A function changes an array in a struct that it gets by value, and returns it.
#include <math.h>
typedef struct { double s[2]; } St;
static St deriv(St a, const double *p) { St r; r.s[0] = a.s[1]; r.s[1] = -p[0]*sin(a.s[0]) - p[1]*a.s[1]; return r; }
static St plus(St a, double h, St b) { for (int i = 0; i < 2; i++) a.s[i] += h*b.s[i]; return a; }
double f(int n, double *x, double *y) {
  St u = {{x[0], y[0]}};
  const double h = 0.1;
  for (int k = 0; k < n; k++) {
    St k1 = deriv(u, x + 1), k2 = deriv(plus(u, h/2, k1), x + 1), k3 = deriv(plus(u, h/2, k2), &x[1]), k4 = deriv(plus(u, h, k3), x + 1);
    for (int i = 0; i < 2; i++) u.s[i] += h/6*(k1.s[i] + 2*k2.s[i] + 2*k3.s[i] + k4.s[i]);
    y[k] = plus(u, 2, k1).s[1];
  }
  return u.s[0]*u.s[1];
}
