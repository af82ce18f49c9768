// run: adjoint --stdout --head "f(f)/(x)"
// status 3
#include <stdlib.h>
double f(int n, double x) {
  double *p = malloc(n*sizeof(double));
  for (int i = 0; i < n; i++) p[i] = i;
  /* $AD BINOMIAL-CKP n+1 3 1 */
  for (int i = 0; i < n; i++) {
    x = x*x*p[i];
    if (i == n - 1) free(p);  //! c-pragma This call cannot be executed twice
  }
  return x;
}
