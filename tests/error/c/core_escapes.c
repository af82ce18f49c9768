// run: cc --stage core -e f
// status 3
#include <stdlib.h>
double f(int n, double x) {
  double *w = NULL, *v = NULL;
  if (n > 3) v = w = malloc(n * sizeof *w);
  else w = calloc(1, sizeof *w);
  if (n > 3) v[0] = x;  //! c-escapes made in a branch
  return w[0];
}
