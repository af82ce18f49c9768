// Gradients of binomial.c to the bit, for all numbers of steps and snapshots; then the most bytes.
#include <stdio.h>
#include "all_b.h"
int main(void) {
  enum { N = 7 };
  for (int steps = 0; steps < 24; steps++)
    for (int most = 1; most < 6; most++) {
      double u[N], ub[N] = {0.5, 1, -1, 0.25, 2, 0, 1}, hb;
      for (int i = 0; i < N; i++) u[i] = 0.1*i - 0.2;
      all_b(N, steps, most, u, ub, 0.3, &hb, 1);
      printf("%d %d %a", steps, most, hb);
      for (int i = 0; i < N; i++) printf(" %a", ub[i]);
      printf("\n");
    }
  return 0;
}
