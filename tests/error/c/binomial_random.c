// run: adjoint --stdout --head "f(f)/(x)"
// status 3
#include <stdlib.h>
double f(int n, double x) {
  /* $AD BINOMIAL-CKP n+1 3 1 */
  for (int i = 0; i < n; i++) x = x*x*(rand() % 7);  //! c-pragma This call cannot be executed twice
  return x;
}
