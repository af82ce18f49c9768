// Derivatives for as many directions as a parameter says are those of one direction, to the bit.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "many_b.h"
#include "many_bv.h"
#include "many_d.h"
#include "many_dv.h"
enum { N = 4, MOST = 9 };
static double next(void) {
  static unsigned seed = 7;
  seed = seed * 1103515245u + 12345u;
  return (double)(seed >> 8) / (1 << 24) + 0.5;
}
static int wrong;
static void same(double a, double b) { wrong += memcmp(&a, &b, sizeof a) != 0; }

static void tangents(int k, const double *x, double y, const double *z0) {
  double xd[N][MOST], yd[MOST], zd[N][MOST], sd[MOST], z[N], s;
  double flat[N * MOST], zflat[N * MOST];
  for (int d = 0; d < k; d++) {
    yd[d] = next();
    for (int i = 0; i < N; i++) flat[i * k + d] = xd[i][d] = next(), zflat[i * k + d] = zd[i][d] = next();
  }
  memcpy(z, z0, sizeof z);
  all_dv(k, N, x, (double(*)[k])flat, y, yd, z, (double(*)[k])zflat, &s, sd);
  for (int d = 0; d < k; d++) {
    double x1[N], z1[N], zz[N], v;
    for (int i = 0; i < N; i++) x1[i] = xd[i][d], z1[i] = zd[i][d];
    memcpy(zz, z0, sizeof zz);
    same(all_d(N, x, x1, y, yd[d], zz, z1, &v), sd[d]);
    same(v, s);
    for (int i = 0; i < N; i++) same(z1[i], zflat[i * k + d]), same(z[i], zz[i]);
  }
}

static void adjoints(int k, const double *x, double y, const double *z0) {
  double sb[MOST], zb[N][MOST], yb[MOST], xflat[N * MOST], zflat[N * MOST], z[N];
  for (int d = 0; d < k; d++) {
    sb[d] = next();
    for (int i = 0; i < N; i++) zflat[i * k + d] = zb[i][d] = next();
  }
  memcpy(z, z0, sizeof z);
  all_bv(k, N, x, (double(*)[k])xflat, y, yb, z, (double(*)[k])zflat, sb);
  for (int d = 0; d < k; d++) {
    double x1[N], z1[N], zz[N], y1;
    for (int i = 0; i < N; i++) z1[i] = zb[i][d];
    memcpy(zz, z0, sizeof zz);
    all_b(N, x, x1, y, &y1, zz, z1, sb[d]);
    same(y1, yb[d]);
    for (int i = 0; i < N; i++) same(x1[i], xflat[i * k + d]), same(z1[i], zflat[i * k + d]);
  }
}

int main(void) {
  double x[N], z[N], y = next();
  for (int i = 0; i < N; i++) x[i] = next(), z[i] = next();
  for (int k = 1; k <= MOST; k += 4) tangents(k, x, y, z), adjoints(k, x, y, z);
  printf("%d differ\n", wrong);
  return wrong != 0;
}
