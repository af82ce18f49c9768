// slopes(flux)/(u a) | | n=9 |
// An output is written in part: elements that are not written keep their adjoints.
#include <math.h>
static inline double minmod(double a, double b) {
  if (a*b <= 0) return 0;
  return fabs(a) < fabs(b) ? a : b;
}
void slopes(int n, const double u[n], double a, double *flux) {
  for (int i = 1; i < n - 2; i++) {
    double dl = minmod(u[i] - u[i-1], u[i+1] - u[i]), dr = minmod(u[i+1] - u[i], u[i+2] - u[i+1]);
    double ul = u[i] + 0.5*dl, ur = u[i+1] - 0.5*dr;
    flux[i] = 0.5*a*(ul + ur) - 0.5*fabs(a)*(ur - ul);
  }
}
