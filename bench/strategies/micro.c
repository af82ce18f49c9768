// Gradients by hand, one pass each, for micro.py: micro dot|maximum|factorisation N.  Prints the
// least time of several calls in microseconds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double *made(size_t n, int from) {
  double *x = malloc(n * sizeof *x);
  if (!x) exit(1);
  for (size_t i = 0; i < n; i++) x[i] = sin((double)(i + (size_t)from)) + 2;
  return x;
}

static void dot(size_t n, const double *y, double *out) { memcpy(out, y, n * sizeof *y); }

static void maximum(size_t n, const double *x, double *out) {
  size_t at = 0;
  for (size_t i = 1; i < n; i++)
    if (x[i] > x[at]) at = i;
  memset(out, 0, n * sizeof *out);
  out[at] = 1;
}

static void factorisation(size_t n, const double *a, const double *u, const double *v,
                          double *out) {
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += (1 - a[i * n + j] / (u[i] * v[j])) / u[i];
    out[i] = sum;
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 3) return 1;
  size_t n = strtoull(argv[2], NULL, 10);
  char kind = argv[1][0];
  double *a = made(kind == 'f' ? n * n : n, 0), *u = made(n, 0), *v = made(n, 7);
  double *out = made(n, 0), least = 1e300, end = now() + 3e5, sum = 0;
  for (int k = 0; k < 3 || now() < end; k++) {
    double start = now();
    if (kind == 'd') dot(n, v, out);
    else if (kind == 'm') maximum(n, a, out);
    else factorisation(n, a, u, v, out);
    double took = now() - start;
    if (took < least) least = took;
    sum += out[k % (int)n];
  }
  printf("%.3f\n", least);
  return sum == 0.125;  // so that results are needed
}
