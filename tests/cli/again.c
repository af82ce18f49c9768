// Loops over scratch memory y: their adjoints keep nothing where each iteration can be executed again.
#include <math.h>
#include <stdlib.h>
static void fill(int n, const double *x, double *y) {
  for (int j = 0; j < n; j++) y[j] = sin(x[j]);
}
static double twice(int n, const double *y) {
  double s = 0;
  for (int j = 1; j < n; j++) s += y[j - 1]*y[j];
  return s;
}
#define LOOP(name, body)                                                             \
  double name(int n, int m, const double *x) {                                       \
    double s = 0, *y = malloc(m * sizeof(double));                                   \
    for (int j = 0; j < m; j++) y[j] = x[j];                                         \
    for (int i = 0; i < n; i++) { body s += twice(m, y); }                           \
    free(y);                                                                         \
    return s;                                                                        \
  }
LOOP(whole, fill(m, x + i*m, y);)
LOOP(part, fill(m - 1, x + i*m, y + 1);)
LOOP(some, for (int j = 0; j < m; j++) if (x[j] > 0) y[j] = sin(x[i*m + j]);)
LOOP(both, for (int j = 0; j < m; j++) if (x[j] > 0) y[j] = sin(x[i*m + j]); else y[j] = 0;)
LOOP(carried, s = sin(s); fill(m, x + i*m, y);)
LOOP(before, s += y[0]*y[0]; fill(m, x + i*m, y);)
LOOP(added, for (int j = 0; j < m; j++) y[j] = 0; for (int j = 0; j < m; j++) y[j] += x[j]*x[j];)
LOOP(shorter, fill(n, x + i*m, y);)
