// price(price)/(s k t vol r) | | |
// Nested ternaries, comma operators, chained assignments, static const tables in functions.
#include <math.h>
static double cnd(double d) {
  static const double a[5] = {0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429};
  double l = fabs(d), k = 1/(1 + 0.2316419*l), w = 0;
  for (int i = 4; i >= 0; i--) w = (w + a[i])*k;
  w *= 0.39894228040143267793994605993438*exp(-l*l/2);
  return d < 0 ? w : 1 - w;
}
double price(double s, double k, double t, double vol, double r) {
  double d1, d2, st, v;
  int call = 1;
  d1 = (log(s/k) + (r + vol*vol*0.5)*t)/(st = vol*sqrt(t)), d2 = d1 - st;
  v = call ? s*cnd(d1) - k*exp(-r*t)*cnd(d2) : t > 1 ? 0 : 1;
  double a, b;
  a = b = v*v;
  return (a += d1, b *= d2, a + b + v);
}
