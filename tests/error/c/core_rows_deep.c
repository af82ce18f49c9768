// run: cc --stage core -e f
// status 3
#include <stdlib.h>
double f(int n, double x) {
  double ***a = malloc(n * sizeof *a);  //! c-rows has pointers to memory with pointers
  a[0] = malloc(sizeof **a);
  a[0][0] = &x;
  return a[0][0][0];
}
