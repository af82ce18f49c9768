// f(f y)/(x y) | | |
// A called function calls another in the middle of an expression: its summary has the reads and
// writes of both.
#include <math.h>
static double square(double x) { return x*x; }
static double shifted(double x) { return square(x) + 1; }
static double chosen(double x) { return x > 0 ? square(x) : sin(shifted(x)); }
static double changing(double *y, double x) { *y += x; return *y; }
static double twice(double *y, double x) { return 2*changing(y, x) + changing(y, square(x)); }
static int more(double *y, double x) { return 1 + (changing(y, x) > 0); }
double f(double x, double *y) {
  double s = shifted(x)*chosen(x) + twice(y, x);
  return s*more(y, s);
}
