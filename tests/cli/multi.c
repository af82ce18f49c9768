// Tangents for several directions: by-value parameters that change, lists, memory, structs, calls.
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double a; int n; double b[2]; } Part;

static double change(double x) {
  x = x * x + 1;
  return sin(x);
}

static void add(double *to, double by) {
  *to += by;
  by = 0;
}

static double *make(int n, double x) {
  double *p = malloc(n * sizeof *p);
  for (int i = 0; i < n; i++) p[i] = x + i;
  return p;
}

double all(int n, const double *x, double y) {
  double list[3] = {x[0], 2, y * y}, copy[3];
  Part part = {.a = y, .b = {x[1], x[2] * y}}, other = part;
  double *m = make(n, y), s = change(x[1]) + change(y);
  float single = (float)(x[2] * 0.5);
  memcpy(copy, list, sizeof list);
  add(&y, x[0]);
  other.b[1] += y;
  for (int i = 0; i < n; i++) {
    m[i] *= x[i] / (1 + y * y);
    s += m[i] > 0 ? m[i] * list[i % 3] : copy[0];
  }
  free(m);
  return s + single + part.b[1] + other.b[1] + other.a + pow(y, 3);
}
