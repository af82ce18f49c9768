// f(f y)/(x y) | x[n] y[n] which[n] | n=5 which=3 |
// Functions of constant tables, at indices that are not: called, passed on, without a value.
#include <math.h>
typedef double (*Op)(double, double);
typedef void (*Step)(double *, double);
static double add(double a, double b) { return a + b*b; }
static double mul(double a, double b) { return a*b; }
static double wave(double a, double b) { return sin(a)*exp(-b*b); }
static void scale(double *y, double a) { *y *= a; }
static void shift(double *y, double a) { *y += a*a; }
static Op const table[3] = {add, mul, wave};
static const Step steps[] = {scale, [2] = shift, [1] = scale};
static double twice(Op g, double a, double b) { return g(g(a, b), b*0.5); }
double f(int n, const double *x, double *y, const int *which) {
  double s = 0.5;
  for (int i = 0; i < n; i++) {
    s = table[which[i] % 3](s, x[i]) + 0.1*twice(table[i % 3], s, x[i]);
    (*steps[i % 3])(&y[i], s);
    s += (*table[(i + 1) % 3])(table[i & 1](x[i], s), y[i]);
  }
  return s;
}
