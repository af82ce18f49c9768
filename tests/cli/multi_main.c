#include "multi_d.h"
#include "multi_dv.h"
#include <stdio.h>
double all(int n, const double *x, double y);
int main(void) {
  double x[3] = {0.5, 1.25, -0.75}, y = 0.8, xdv[3][NBDirsMax], ydv[NBDirsMax], v, dv[NBDirsMax];
  for (int k = 0; k < NBDirsMax; k++) {
    for (int i = 0; i < 3; i++) xdv[i][k] = i == k;
    ydv[k] = k == 3;
  }
  all_dv(3, x, xdv, y, ydv, &v, dv, 4);
  for (int k = 0; k < 4; k++) {
    double xd[3] = {k == 0, k == 1, k == 2}, same, h = 1e-4, up[3], down[3];
    double d = all_d(3, x, xd, y, k == 3, &same);
    for (int i = 0; i < 3; i++) up[i] = x[i] + h * xd[i], down[i] = x[i] - h * xd[i];
    double slope = (all(3, up, y + h * (k == 3)) - all(3, down, y - h * (k == 3))) / (2 * h);
    double error = slope - dv[k];
    printf("%d: %s %s %s\n", k, d == dv[k] ? "as one by one" : "not as one by one",
           v == same ? "value" : "another value", error * error < 1e-6 ? "slope" : "another slope");
  }
  for (int k = 0; k < NBDirsMax; k++)
    if (ydv[k] != (k == 3)) puts("a direction of the caller was changed");
  return 0;
}
