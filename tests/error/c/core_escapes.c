// run: cc --stage core -e f
// status 3
#include <stdlib.h>
double f(int n, double x) {
  double *w = NULL;
  if (n > 3) {
    w = malloc(n * sizeof *w);
    w[0] = x;
  }
  return w[0];  //! c-escapes made in a branch
}
