// For --multi runtime: by-value parameters that change, lists, memory, arrays of two dimensions, calls.
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double change(double x) {
  x = x * x + 1;
  return sin(x);
}

static void add(double *to, double by) {
  *to += by;
  by = 0;
}

static void mix(int n, double *v, const double *w) {
  for (int i = 0; i < n; i++) v[i] = v[i] * w[(i + 1) % n] + v[(i + 1) % n];
}

double all(int n, const double *x, double y, double *z) {
  double list[3] = {x[0], 2, y * y}, copy[3], table[2][3];
  double *m = malloc(n * sizeof *m), s = change(x[1]) + change(y);
  float single = (float)(x[2] * 0.5);
  for (int i = 0; i < n; i++) m[i] = y + i;
  memcpy(copy, list, sizeof list);
  add(&y, x[0]);
  mix(3, copy, x);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) table[i][j] = x[j] * copy[(i + j) % 3];
  for (int i = 0; i < n; i++) {
    double row[n];
    for (int k = 0; k < n; k++) row[k] = z[k] * m[(i + k) % n];
    m[i] *= x[i] / (1 + y * y);
    s += m[i] > 0 ? m[i] * list[i % 3] + row[i] : copy[0];
    z[i] = row[0] * table[i % 2][i % 3];
  }
  free(m);
  return s + single + pow(y, 3);
}
