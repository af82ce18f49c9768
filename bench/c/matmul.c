// objective: sum of squares of A B;  gradient: with respect to A and B, 2 (AB) B^T and A^T 2 (AB).
// Loops in the cache-friendly order i, k, j, as a C programmer writes a matrix product.
#include "common.h"

static Array a, b;
static int64_t n, m, p;
static double *c, *ga, *gb, objective;

static void product(double *out, const double *u, const double *v, int64_t rows, int64_t mid, int64_t cols) {
  memset(out, 0, (size_t)(rows * cols) * 8);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t s = 0; s < mid; s++) {
      double w = u[i * mid + s];
      for (int64_t j = 0; j < cols; j++) out[i * cols + j] += w * v[s * cols + j];
    }
}

static void objective_compute(void) {
  product(c, a.f, b.f, n, m, p);
  objective = 0;
  for (int64_t i = 0; i < n * p; i++) objective += c[i] * c[i];
}

static void gradient_compute(void) {
  product(c, a.f, b.f, n, m, p);
  for (int64_t i = 0; i < n * p; i++) c[i] *= 2;
  for (int64_t i = 0; i < n; i++)
    for (int64_t s = 0; s < m; s++) {
      double v = 0;
      for (int64_t j = 0; j < p; j++) v += c[i * p + j] * b.f[s * p + j];
      ga[i * m + s] = v;
    }
  memset(gb, 0, (size_t)(m * p) * 8);
  for (int64_t i = 0; i < n; i++)
    for (int64_t s = 0; s < m; s++) {
      double w = a.f[i * m + s];
      for (int64_t j = 0; j < p; j++) gb[s * p + j] += w * c[i * p + j];
    }
}

int main(int argc, char **argv) {
  need(argc == 3);
  a = array_read(), b = array_read();
  n = a.dims[0], m = a.dims[1], p = b.dims[1];
  c = malloc((size_t)(n * p) * 8), ga = malloc((size_t)(n * m) * 8), gb = malloc((size_t)(m * p) * 8);
  int is_gradient = strcmp(argv[1], "gradient") == 0, runs = atoi(argv[2]);
  run(is_gradient ? gradient_compute : objective_compute, runs);
  if (runs) return 0;
  if (is_gradient) numbers_print(ga, n * m), numbers_print(gb, m * p);
  else numbers_print(&objective, 1);
  return 0;
}
