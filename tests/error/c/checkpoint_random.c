// run: adjoint --stdout --head "f(f)/(x)"
// status 3
#include <stdlib.h>
double f(int n, double x) {
  for (int i = 0; i < n; i++) {
    /* $AD CHECKPOINT-START */
    double r = rand() % 7;  //! c-pragma This call cannot be executed twice
    x = x*x*r;
    /* $AD CHECKPOINT-END */
  }
  return x;
}
