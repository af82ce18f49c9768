// lookup(lookup)/(t x y) | t[nx*ny] | nx=4 ny=5 | 0.2:0.9
// Table lookup with floor and casts, extrapolation at the borders, binary search.
#include <math.h>
static int locate(const double *g, int n, double x) { int lo = 0, hi = n - 1; while (hi - lo > 1) { int m = (lo + hi) >> 1; if (g[m] <= x) lo = m; else hi = m; } return lo; }
double lookup(int nx, int ny, const double *t, double x, double y) {
  double g[16], fx = x*(nx - 1), fy = y*(ny - 1);
  for (int i = 0; i < nx && i < 16; i++) g[i] = i*i;
  int i = (int)floor(fx), j = (int)fy;
  if (i > nx - 2) i = nx - 2;
  if (j > ny - 2) j = ny - 2;
  double a = fx - i, b = fy - j;
  int k = locate(g, nx < 16 ? nx : 16, fx*fx);
  double c = (fx*fx - g[k])/(g[k + 1] - g[k]);
  return (1 - a)*(1 - b)*t[i*ny + j] + a*(1 - b)*t[(i + 1)*ny + j] + (1 - a)*b*t[i*ny + j + 1] + a*b*t[(i + 1)*ny + j + 1] + c*c;
}
