// f(f)/(x a) | x[n] | n=5 |
// Pointers to functions that are known: parameters, tables, variables, and functions of functions.
#include <math.h>
typedef double (*Map1)(double, double);
typedef double (*Rule)(int n, const double *x, double a, Map1 g);
static double square(double x, double a) { return x*x*a; }
static double wave(double x, double a) { return sin(x*a) + x; }
static double twice(Map1 g, double x, double a) { return g(g(x, a), a*0.5); }
static double sum(int n, const double *x, double a, Map1 g) {
  double s = 0;
  for (int i = 0; i < n; i++) s += (*g)(x[i], a) + twice(g, x[i], a);
  return s;
}
static double last(int n, const double *x, double a, Map1 g) {
  if (n == 0) return a;
  Map1 h = g;
  return h(x[n - 1], last(n - 1, x, a, g)*0.3);
}
static double both(int n, const double *x, double a, Rule r, Map1 g) {
  if (!g || r == 0) return a*a;
  if (r && g != (Map1)0) a = a*a;
  return g ? r(n, x, a, g) + r(n, x, a*a, square) : 0;
}
static void step(double *y, double (*g)(double), int n) {
  for (int i = 0; i < n; i++) y[i] = g(y[i])*y[i];
}
static Map1 const table[] = {wave, square, [3] = wave};
double f(int n, const double x[n], double a) {
  double (*const up)(double) = tanh;
  double y[3] = {x[0], a, x[1]*a};
  step(y, up, 3);
  step(y, cos, 2);
  return both(n, x, a, sum, wave) + both(n, x, a, last, table[3]) + table[1](y[0], y[1]) + y[2];
}
