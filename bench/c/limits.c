// Two limits of this machine, one core: multiply-add throughput (GFLOP/s, f64) from 24 independent
// vector accumulators, and memory bandwidth (GB/s) from a[i] = b[i] + s * c[i] on 3 x 64 MiB.
#include "common.h"

#ifdef __AVX512F__
enum { LANES = 8 };
#elif defined __AVX__
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif
typedef double Vec __attribute__((vector_size(LANES * 8)));

static double peak(void) {
  Vec a[24], x = {0}, y = {0};
  for (int l = 0; l < LANES; l++) x[l] = 1.0000001, y[l] = 1e-9;
  for (int j = 0; j < 24; j++) a[j] = y;
  enum { ROUNDS = 4000000 };
  double start = now_us();
#define STEP(j) a[j] = a[j] * x + y;
  for (int r = 0; r < ROUNDS; r++) {
    STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11)
    STEP(12) STEP(13) STEP(14) STEP(15) STEP(16) STEP(17) STEP(18) STEP(19) STEP(20) STEP(21)
    STEP(22) STEP(23)
  }
  double us = now_us() - start, sink = 0;
  for (int j = 0; j < 24; j++) sink += a[j][0];
  if (sink == 12345) printf("\n");
  return 24.0 * LANES * 2 * ROUNDS / us / 1e3;
}

static double bandwidth(void) {
  int64_t n = 8 << 20;
  double *a = malloc((size_t)n * 8), *b = malloc((size_t)n * 8), *c = malloc((size_t)n * 8), best = 1e30;
  for (int64_t i = 0; i < n; i++) a[i] = 0, b[i] = (double)i, c[i] = 1;
  for (int r = 0; r < 5; r++) {
    double start = now_us();
    for (int64_t i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];
    double us = now_us() - start;
    best = us < best ? us : best;
  }
  if (a[5] == 12345) printf("\n");
  return 3.0 * 8 * (double)n / best / 1e3;
}

int main(void) {
  printf("%.2f %.2f\n", peak(), bandwidth());
  return 0;
}
