// fit(fit)/(x) | x[n] | n=5 |
// Early returns with cleanup by hand: allocations freed on every way out.
#include <math.h>
#include <stdlib.h>
double fit(int n, const double *x) {
  double *u = malloc(n*sizeof *u), *v;
  if (!u) return -1;
  double m = 0;
  for (int i = 0; i < n; i++) { u[i] = x[i]*x[i]; m += u[i]; }
  if (m < 1e-8) { free(u); return m; }
  v = calloc(n, sizeof *v);
  if (v == NULL) { free(u); return -2; }
  for (int i = 1; i < n; i++) {
    v[i] = v[i - 1] + u[i]/m;
    if (v[i] > 0.9) { double r = v[i]*u[0] + sin(m); free(v); free(u); return r; }
  }
  m += v[n - 1];
  free(v);
  free(u);
  return m;
}
