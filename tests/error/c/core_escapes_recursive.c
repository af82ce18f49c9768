// run: cc --stage core -e f
// status 3
#include <stdlib.h>
static double *made(int n) {
  if (n > 3) return made(n - 1);  //! c-escapes calls itself
  return malloc(n * sizeof(double));
}
double f(int n, double x) {
  double *w = made(n);
  w[0] = x;
  return w[0];
}
