// A wave: functions that overwrite their inputs, called in a loop and by each other.
#include <math.h>
static void move(int n, double u[n], const double v[n], double h) {
  for (int i = 0; i < n; i++) u[i] += h * v[i] * cos(u[i]);
}
static void step(int n, double u[n], double v[n], double h) {
  for (int k = 0; k < 3; k++) {
    for (int i = 1; i + 1 < n; i++) v[i] += h * (sin(u[i - 1]) - 2 * u[i] * v[i] + u[i + 1] * u[i + 1]);
    move(n, u, v, h);
  }
}
double wave(int n, int steps, double u[n], double v[n], double h) {
  double s = 0;
  for (int t = 0; t < steps; t++) {
    step(n, u, v, h);
    s += u[n / 2] * v[n / 2];
  }
  return s;
}
static void leap(const int *at, double *u) { u[at[0]] = u[at[0]] * u[0]; }
double jump(int n, const int *at, double *u) {
  for (int i = 0; i < n; i++) leap(at + i, u);
  return u[0];
}
