// work(work)/(x) | x[n] | n=5 |
// goto forwards to cleanup labels.
#include <math.h>
#include <stdlib.h>
double work(int n, const double *x) {
  double r = 0, *u = NULL;
  if (n <= 0) goto out;
  u = malloc(n*sizeof *u);
  if (!u) { r = -1; goto out; }
  for (int i = 0; i < n; i++) {
    u[i] = exp(x[i]);
    if (u[i] > 1.9) goto done;
    r += u[i]*x[i];
  }
  r *= 2;
done:
  r += u[0];
  free(u);
out:
  return r;
}
