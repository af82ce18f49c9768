// run: cc --stage core -e f
// status 3
#include <stdlib.h>
double f(int n, const double x[n]) {
  double *p = 0, *before = 0, s = 0;
  for (int i = 0; i < n; i++) {  //! c-points-to A pointer changes from one object to another
    double *q = malloc(n * sizeof *q);
    q[0] = p ? p[0] * x[i] : x[i];
    s += q[0] * (before ? before[0] : 1);
    before = p;
    p = q;
  }
  return s;
}
