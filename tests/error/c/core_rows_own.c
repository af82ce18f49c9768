// run: cc --stage core -e f
// status 3
#include <stdlib.h>
double f(int n, double x[n]) {
  double *rows[2];
  rows[0] = x;
  rows[1] = malloc(n * sizeof *x);  //! c-rows has pointers into `x`
  rows[1][0] = 2;
  return rows[0][0] * rows[1][0];
}
