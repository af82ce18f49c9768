// rules(rules)/(x y) | | | 0.6:3
// Functions of math.h that have rules: with a jump, or scaled by powers of two.
#include <math.h>
double rules(double x, double y) { return fdim(x, y)*x + fdim(y, x)*y + scalbn(x, 3)*x + scalbln(y*x, -1L) + fdimf((float)x, 1.0f); }
