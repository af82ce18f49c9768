// shift(x)/(x k) | | n=5 |
// Memory that moves over itself; pointers declared in the head of a loop.
#include <string.h>
void shift(int n, double x[n], double k) {
  double first = x[0], last;
  memmove(x, x + 1, (n - 1)*sizeof *x);
  x[n - 1] = first*k;
  for (double *p = x, *e = x + n; p < e; ++p) *p *= *p;
  last = x[n - 1];
  memmove(x + 1, x, (n - 1)*sizeof *x);
  x[0] = last;
}
