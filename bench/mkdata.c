// Deterministic benchmark inputs in the binary value format.
//   mkdata gmm D K N | matmul N M P | scan N | hist BINS N
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;
static double uniform(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}
static double normal(void) { return sqrt(-2 * log(uniform() + 1e-300)) * cos(6.283185307179586 * uniform()); }

static void head(const char *type, int rank, int64_t a, int64_t b) {
  int64_t dims[2] = {a, b};
  putchar('b'), putchar(2), putchar(rank);
  fwrite(type, 1, 4, stdout);
  fwrite(dims, 8, (size_t)rank, stdout);
}
static void floats(int rank, int64_t a, int64_t b, double (*next)(void)) {
  head(" f64", rank, a, b);
  int64_t len = (rank > 0 ? a : 1) * (rank > 1 ? b : 1);
  for (int64_t i = 0; i < len; i++) {
    double v = next();
    fwrite(&v, 8, 1, stdout);
  }
}
static double one(void) { return 1; }
static void integer(int64_t i) { head(" i64", 0, 0, 0), fwrite(&i, 8, 1, stdout); }

int main(int argc, char **argv) {
  int64_t a[3] = {0};
  for (int i = 2; i < argc && i < 5; i++) a[i - 2] = atoll(argv[i]);
  if (argc > 4 && strcmp(argv[1], "gmm") == 0) {
    int64_t d = a[0], k = a[1], n = a[2];
    floats(1, k, 0, normal), floats(2, k, d, uniform), floats(2, k, d, normal);
    floats(2, k, d * (d - 1) / 2, normal), floats(2, n, d, normal), floats(0, 0, 0, one), integer(0);
  } else if (argc > 4 && strcmp(argv[1], "matmul") == 0) {
    floats(2, a[0], a[1], normal), floats(2, a[1], a[2], normal);
  } else if (argc > 2 && strcmp(argv[1], "scan") == 0) {
    floats(1, a[0], 0, normal);
  } else if (argc > 3 && strcmp(argv[1], "hist") == 0) {
    integer(a[0]), head(" i64", 1, a[1], 0);
    for (int64_t i = 0; i < a[1]; i++) {
      int64_t bin = (int64_t)(uniform() * (double)a[0]);
      fwrite(&bin, 8, 1, stdout);
    }
    floats(1, a[1], 0, normal);
  } else {
    fprintf(stderr, "usage: mkdata gmm D K N | matmul N M P | scan N | hist BINS N\n");
    return 2;
  }
  return 0;
}
