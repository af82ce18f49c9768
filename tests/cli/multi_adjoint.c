#include "multi_b.h"
#include "multi_bv.h"
#include "polar_b.h"
#include "polar_bv.h"
#include <stdio.h>
static const char *same(int yes) { return yes ? "as one by one" : "not as one by one"; }

static void check_all(void) {
  double x[3] = {0.5, 1.25, -0.75}, xb[3][NBDirsMax], yb[NBDirsMax], seeds[NBDirsMax];
  for (int k = 0; k < NBDirsMax; k++) seeds[k] = k + 0.5;
  all_bv(3, x, xb, 0.8, yb, seeds, 3);
  for (int k = 0; k < 3; k++) {
    double one[3], y;
    all_b(3, x, one, 0.8, &y, seeds[k]);
    printf("all, %d: %s\n", k, same(y == yb[k] && one[0] == xb[0][k] && one[1] == xb[1][k] &&
                                    one[2] == xb[2][k] && seeds[k] == k + 0.5));
  }
}

// Two rows of the Jacobian; the third direction is not used.
static void check_move(void) {
  double p[2] = {0.6, 1.1}, pb[2][NBDirsMax], dtb[NBDirsMax], q[2], qb[2][NBDirsMax] = {{0}};
  qb[0][0] = qb[1][1] = qb[1][2] = pb[1][2] = 1;
  move_bv(p, pb, 0.3, dtb, q, qb, 2);
  for (int k = 0; k < 2; k++) {
    double one[2], dt, seed[2] = {k == 0, k == 1};
    move_b(p, one, 0.3, &dt, q, seed);
    printf("move, %d: %s\n", k,
           same(dt == dtb[k] && one[0] == pb[0][k] && one[1] == pb[1][k] && qb[k][k] == 0));
  }
  if (pb[1][2] != 1 || qb[1][2] != 1) puts("a direction that is not used was written");
}

int main(void) {
  check_all();
  check_move();
  return 0;
}
