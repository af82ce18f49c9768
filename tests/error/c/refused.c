// run: adjoint --head f
#include <stdlib.h>
static int less(const void *a, const void *b) { return *(const double *)a < *(const double *)b; }
double f(int n, double x[n]) {
  qsort(x, n, sizeof *x, less);  //! c-unsupported before or after the function
  return x[0];
}
