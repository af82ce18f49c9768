// sizes(sizes)/(x) | x[n] | n=4 |
// sizeof of arrays whose length changes after their declaration.
#include <string.h>
double sizes(int n, const double *x) {
  double w[n], v[n][3];
  double s = 0;
  memset(w, 0, sizeof w);
  memset(v, 0, sizeof v);
  for (int i = 0; i < n; i++) { w[i] += x[i]*x[i]; v[i][i % 3] += w[i]; }
  for (unsigned i = 0; i < sizeof w/sizeof w[0]; i++) s += w[i]*(i + 1);
  n = 2;
  for (unsigned i = 0; i < sizeof v/sizeof *v; i++) s += v[i][1] * sizeof v[0] + n*v[i][2];
  double u[4];
  memcpy(u, w, sizeof(double)*4 < sizeof w ? sizeof u : sizeof w);
  return s*u[1];
}
