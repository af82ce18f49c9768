// objective: sum of squares of the bins of a weighted histogram;  gradient: twice the bin of each
// element.
#include "common.h"

static Array is, vs;
static int64_t bins;
static double *h, *g, objective;

static void fill(void) {
  memset(h, 0, (size_t)bins * 8);
  for (int64_t i = 0; i < is.len; i++)
    if (is.i[i] >= 0 && is.i[i] < bins) h[is.i[i]] += vs.f[i];
}

static void objective_compute(void) {
  fill();
  objective = 0;
  for (int64_t b = 0; b < bins; b++) objective += h[b] * h[b];
}

static void gradient_compute(void) {
  fill();
  for (int64_t i = 0; i < is.len; i++)
    g[i] = is.i[i] >= 0 && is.i[i] < bins ? 2 * h[is.i[i]] : 0;
}

int main(int argc, char **argv) {
  need(argc == 3);
  bins = array_read().i[0];
  is = array_read(), vs = array_read();
  h = malloc((size_t)bins * 8), g = malloc((size_t)is.len * 8);
  int is_gradient = strcmp(argv[1], "gradient") == 0, runs = atoi(argv[2]);
  run(is_gradient ? gradient_compute : objective_compute, runs);
  if (runs) return 0;
  if (is_gradient) numbers_print(g, is.len);
  else numbers_print(&objective, 1);
  return 0;
}
