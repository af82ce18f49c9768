// check: derivatives of hand.c by source transformation and through core, against differences and
// against each other.  Writes what differs, and the last line of a test.
#include <stdio.h>
#include "calls.h"

static int passed, failed;

typedef struct {
  const char *name;
  int inputs;  // for each point measured, behind ANGLES
  Call *value, *tangent, *adjoint, *core_tangent, *core_adjoint, *tangents, *core_jacobian;
} Row;

static const Row rows[] = {
    {"hand", 0, hand_value, hand_tangent, hand_adjoint, hand_core_tangent, hand_core_adjoint, hand_tangents,
     hand_core_jacobian},
    {"hand_faces", 2, faces_value, faces_tangent, faces_adjoint, faces_core_tangent, faces_core_adjoint, NULL,
     NULL},
};

static void fill(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] = data_random();
}

static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}

static void near(const Row *row, const char *what, const double *a, const double *b, int n, double most) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double off = fabs(a[i] - b[i]) / (1 + fabs(b[i]));
    if (!(off <= worst)) worst = off;
  }
  if (worst <= most) passed++;
  else printf("%s: %s: deviation %.1e\n", row->name, what, worst), failed++;
}

static void differences(const Row *row, Data *d, const double *x, const double *direction, double *out) {
  int n = ANGLES + row->inputs * d->count, m = 3 * d->count;
  double h = 1e-5, at[n], lower[m];
  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < n; i++) at[i] = x[i] + side * h * direction[i];
    row->value(d, at, NULL, side < 0 ? lower : out);
  }
  for (int i = 0; i < m; i++) out[i] = (out[i] - lower[i]) / (2 * h);
}

static void jacobians_check(const Row *row, Data *d, const double *x) {
  int m = 3 * d->count;
  double *core = malloc(sizeof(double) * (size_t)(m * ANGLES)), unit[ANGLES] = {0}, column[m], part[m];
  double (*all)[NBDirsMax] = malloc(sizeof(*all) * (size_t)m);
  failed += row->core_jacobian(d, x, NULL, core) + row->tangents(d, x, NULL, all[0]);
  for (int j = 0; j < ANGLES; j++) {
    unit[j] = 1;
    row->tangent(d, x, unit, column);
    for (int i = 0; i < m; i++) part[i] = core[i * ANGLES + j];
    near(row, "Jacobian through core, tangent", part, column, m, 1e-12);
    for (int i = 0; i < m; i++) part[i] = all[i][j];
    near(row, "tangents at once, tangent", part, column, m, 1e-12);
    unit[j] = 0;
  }
  free(core), free(all);
}

static void point_check(const Row *row, Data *d, const double *x) {
  int n = ANGLES + row->inputs * d->count, m = 3 * d->count;
  double direction[n], seed[m], one[m], other[m], back[n], core_back[n], value[m];
  fill(direction, n), fill(seed, m);
  row->value(d, x, NULL, value);
  differences(row, d, x, direction, one);
  row->tangent(d, x, direction, other);
  near(row, "tangent, differences", other, one, m, 1e-8);
  failed += row->core_tangent(d, x, direction, one);
  near(row, "value through core", d->error, value, m, 1e-12);
  near(row, "tangent through core, tangent", one, other, m, 1e-12);
  row->adjoint(d, x, seed, back);
  failed += row->core_adjoint(d, x, seed, core_back);
  near(row, "adjoint through core, adjoint", core_back, back, n, 1e-12);
  double there = dot(seed, other, m), again = dot(back, direction, n);
  near(row, "adjoint, dot product with tangent", &again, &there, 1, 1e-12);
  if (row->tangents) jacobians_check(row, d, x);
}

int main(void) {
  for (int round = 0; round < 4; round++) {
    Data d = data_make(40, 11, round % 2);
    double x[ANGLES + 2 * 11];
    if (round == 2)
      for (int i = 0; i < 3; i++) d.theta[i] *= 1e-6;  // the hand does not turn
    memcpy(x, d.theta, sizeof d.theta), memcpy(x + ANGLES, d.us, sizeof(double) * 2 * 11);
    for (int r = 0; r < 2; r++) point_check(&rows[r], &d, x);
    data_free(&d);
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
