// bench VERTICES COUNT RUNS: medians of the function hand_faces and of its derivatives, of the
// function hand and its Jacobian, by source transformation and through core: in microseconds, and how
// often the function's own time.
#include <stdio.h>
#include <time.h>
#include "calls.h"

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct {
  const char *name;
  Call *call;
  double us;
} Row;

static void rows_time(Row *rows, int count, Data *d, int runs) {
  size_t n = ANGLES + 2 * (size_t)d->count, m = 3 * (size_t)d->count;
  double *x = malloc(sizeof(double) * n), *in = malloc(sizeof(double) * (n + m));
  double *out = malloc(sizeof(double) * (m * ANGLES + n)), times[count][runs];
  memcpy(x, d->theta, sizeof d->theta), memcpy(x + ANGLES, d->us, sizeof(double) * 2 * (size_t)d->count);
  for (size_t i = 0; i < n + m; i++) in[i] = data_random();
  for (int r = -1; r < runs; r++)
    for (int i = 0; i < count; i++) {
      double start = now_us();
      if (rows[i].call(d, x, in, out)) exit(1);
      if (r >= 0) times[i][r] = now_us() - start;
    }
  for (int i = 0; i < count; i++) {
    qsort(times[i], (size_t)runs, sizeof(double), compare);
    rows[i].us = times[i][runs / 2];
    printf("| %s | %.0f | %.2f |\n", rows[i].name, rows[i].us, rows[i].us / rows[0].us);
  }
  free(x), free(in), free(out);
}

int main(int argc, char **argv) {
  if (argc != 4) return 1;
  Data d = data_make(atoi(argv[1]), atoi(argv[2]), 0);
  Row faces[] = {{"hand_faces", faces_value, 0},
                 {"tangent, source", faces_tangent, 0},
                 {"tangent, core", faces_core_tangent, 0},
                 {"adjoint, source", faces_adjoint, 0},
                 {"adjoint, core", faces_core_adjoint, 0}};
  Row whole[] = {{"hand", hand_value, 0},
                 {"Jacobian, 26 tangents at once", hand_tangents, 0},
                 {"Jacobian, core", hand_core_jacobian, 0}};
  printf("| %s vertices, %s points | us | / function |\n|---|---|---|\n", argv[1], argv[2]);
  rows_time(faces, 5, &d, atoi(argv[3])), rows_time(whole, 3, &d, atoi(argv[3]));
  data_free(&d);
  return 0;
}
