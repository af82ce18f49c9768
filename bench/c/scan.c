// objective: sum of squares of the prefix sums;  gradient: 2 x suffix sums of the prefix sums.
#include "common.h"

static Array xs;
static double *g, objective;

static void objective_compute(void) {
  double run_sum = 0, s = 0;
  for (int64_t i = 0; i < xs.len; i++) {
    run_sum += xs.f[i];
    s += run_sum * run_sum;
  }
  objective = s;
}

static void gradient_compute(void) {
  double run_sum = 0, suffix = 0;
  for (int64_t i = 0; i < xs.len; i++) g[i] = run_sum += xs.f[i];
  for (int64_t i = xs.len - 1; i >= 0; i--) g[i] = suffix += 2 * g[i];
}

int main(int argc, char **argv) {
  need(argc == 3);
  xs = array_read();
  g = malloc((size_t)xs.len * 8 + 8);
  int is_gradient = strcmp(argv[1], "gradient") == 0, runs = atoi(argv[2]);
  run(is_gradient ? gradient_compute : objective_compute, runs);
  if (runs) return 0;
  if (is_gradient) numbers_print(g, xs.len);
  else numbers_print(&objective, 1);
  return 0;
}
