// Derivatives of tests/cli/matrices.c against differences.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "model_grad.h"
#include "model_jvp.h"
#include "model_vjp.h"
double model(int, const Matrix *, const Matrix *, int, double **, int, const Pair *, const double *,
             double *);
static double a[6] = {.3, -.2, .5, .1, .9, -.4}, b[4] = {.2, .6, -.7, .8}, c[6] = {1, .5, -.3, .2, .7, .4};
static double more[5] = {.1, .2, .3, .4, .5}, x[3] = {.4, -.6, 1.1};
static Matrix layers[2] = {{2, 3, a}, {2, 2, b}}, input = {3, 2, c};
static double *rows[3] = {more + 2, NULL, more};
static Pair pairs[3] = {{0, 1}, {2, 0}, {2, 2}};
static void same(const char *what, double one, double other) {
  if (!(fabs(one - other) < 1e-7)) printf("%s: %.10g, not %.10g\n", what, one, other);
}
static double value(double *y) { return model(2, layers, &input, 3, rows, 3, pairs, x, y); }
static double slope(double *at, double *y_slope) {
  double was = *at, h = 1e-6, lower[3], upper[3];
  *at = was + h;
  double up = value(upper);
  *at = was - h;
  double down = value(lower);
  *at = was;
  for (int i = 0; i < 3; i++) y_slope[i] = (upper[i] - lower[i]) / (2 * h);
  return (up - down) / (2 * h);
}
int main(void) {
  double v, y[3], d[3], g[3], gc[6], dot, y_dot[3], seed[3] = {.2, -.5, .7}, gx[3], gi[6];
  Matrix input_grad = {3, 2, gc}, input_back = {3, 2, gi};
  if (model_grad(2, layers, &input, 3, rows, 3, pairs, x, y, &v, &input_grad, g)) puts("grad failed");
  same("value", v, value(d));
  for (int i = 0; i < 3; i++) same("output", y[i], d[i]);
  if (model_vjp(2, layers, &input, 3, rows, 3, pairs, x, y, .3, seed, &v, &input_back, gx))
    puts("vjp failed");
  for (int i = 0; i < 9; i++) {
    double s = slope(i < 6 ? &c[i] : &x[i - 6], d), back = .3 * s, dx[3] = {0}, dc[6] = {0};
    for (int k = 0; k < 3; k++) back += seed[k] * d[k];
    same("gradient", i < 6 ? gc[i] : g[i - 6], s);
    same("vjp", i < 6 ? gi[i] : gx[i - 6], back);
    if (i < 6) dc[i] = 1;
    else dx[i - 6] = 1;
    Matrix direction = {3, 2, dc};
    if (model_jvp(2, layers, &input, 3, rows, 3, pairs, x, y, &direction, dx, &v, &dot, y_dot))
      puts("jvp failed");
    same("jvp", dot, s);
    for (int k = 0; k < 3; k++) same("jvp of y", y_dot[k], d[k]);
  }
  input.data = NULL;
  printf("%d ", model_grad(2, layers, &input, 3, rows, 3, pairs, x, y, &v, &input_grad, g));
  printf("%s", model_grad_message());
  return 0;
}
