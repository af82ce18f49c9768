// What the checks of the examples share: a generator of numbers, and comparisons of derivatives.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long check_state = 12345;
static inline double check_random(void) {  // in (-1, 1)
  check_state = check_state * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(check_state >> 11) / (double)(1ul << 52) - 1.0;
}
static inline void check_fill(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] = check_random();
}
static inline double check_dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
static int check_bad;
static inline void check_near(const char *what, double got, double want, double tolerance) {
  double error = fabs(got - want) / (1 + fabs(want));
  if (error <= tolerance) printf("%s ok\n", what);
  else printf("%s: got %.15g, want %.15g\n", what, got, want), check_bad = 1;
}
