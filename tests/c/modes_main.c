// Every kind of derivative of two small functions (tests/cli/cc.t): f = sum of w x^3, g = x x'.
#include "f_grad.h"
#include "f_hvp.h"
#include "f_jac.h"
#include "f_jvp.h"
#include "f_value.h"
#include "f_vjp.h"
#include "g_jac.h"
#include "g_jvp.h"
#include <stdio.h>

static void show(const char *what, const double *at, int n) {
  printf("%s:", what);
  for (int i = 0; i < n; i++) printf(" %g", at[i]);
  printf("\n");
}

int main(void) {
  double x[3] = {1, 2, 3}, w[3] = {1, 0.5, 2}, d[3] = {1, 0, -1}, v, vd, g[3], h[3], y[3], j[9];
  printf("%d ", f_value(3, x, w, &v)), show("value", &v, 1);
  printf("%d ", f_grad(3, x, w, &v, g)), show("gradient", g, 3);
  printf("%d ", f_vjp(3, x, w, 2, &v, g)), show("vjp", g, 3);
  printf("%d ", f_jvp(3, x, w, d, &v, &vd)), show("jvp", &vd, 1);
  printf("%d ", f_jac(3, x, w, &v, g)), show("jacobian", g, 3);
  printf("%d ", f_hvp(3, x, w, d, &v, g, h)), show("hessian product", h, 3);
  printf("%d ", g_jac(3, x, y, j)), show("jacobian", j, 9);
  printf("%d ", g_jvp(3, x, y, d, h)), show("jvp", h, 3);
  show("values", y, 3);
  printf("%d %s", g_jac(3, x, x, j), g_jac_message());
  return 0;
}
