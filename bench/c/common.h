// What the hand-written equivalents share: reading the binary value format, timing, output.
// Usage of each program: PROGRAM ENTRY RUNS < data.bin ; prints microseconds, one run a line, and
// with RUNS 0 the result as text (for comparison with the compiled program's).
#ifndef COMMON_H
#define COMMON_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  int rank;
  int64_t dims[4], len;
  double *f;
  int64_t *i;
} Array;

static inline void need(int ok) {
  if (!ok) {
    fprintf(stderr, "bad input\n");
    exit(1);
  }
}

static inline Array array_read(void) {
  Array a = {.len = 1};
  char head[7];
  need(fread(head, 1, 7, stdin) == 7 && head[0] == 'b' && head[1] == 2);
  a.rank = head[2];
  need(a.rank <= 4 && fread(a.dims, 8, (size_t)a.rank, stdin) == (size_t)a.rank);
  for (int d = 0; d < a.rank; d++) a.len *= a.dims[d];
  void *data = malloc((size_t)a.len * 8 + 8);
  need(fread(data, 8, (size_t)a.len, stdin) == (size_t)a.len);
  if (memcmp(head + 3, " f64", 4) == 0) a.f = data;
  else a.i = data;
  return a;
}

static inline double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static inline void run(void (*work)(void), int runs) {
  work();
  for (int r = 0; r < runs; r++) {
    double start = now_us();
    work();
    printf("%.2f\n", now_us() - start);
  }
}

static inline void numbers_print(const double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) printf("%.17g\n", x[i]);
}
#endif
