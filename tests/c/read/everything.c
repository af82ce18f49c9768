#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <assert.h>
#include <stdint.h>
#include <stdbool.h>
#include <float.h>
#include <limits.h>
enum color { RED, GREEN = 5, BLUE };
typedef struct node { double v[3]; struct node *next; } Node;
struct pt { double x, y; };
static const double table[3] = {1, 2, [2] = 3.5};
typedef double (*fn)(double);
static double sq(double x) { return x*x; }
double apply(fn f, double x) { return f(x) + (*f)(x); }
double g(int n, double a[n][3], double (*b)[3], const double *restrict c) {
  double s = 0, *p = &a[0][0];
  struct pt q = {.y = 1, .x = 2}, r = q;
  int m[] = {1, 2, 3};
  char str[] = "hi\n";
  unsigned u = 3u; long l = 4L;
  assert(n > 0 && "x");
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 3; j++) s += a[i][j] * b[i][j];
  int k = n;
  while (k--) { if (k == 3) continue; else if (k > 4) { break; } s -= *p++; }
  do s *= 2; while (s < 10);
  switch (m[1]) { case 0: s = 1; break; case 1: case 2: { s += 2; } default: s = 3; }
  q = (struct pt){1, 2};
  s += apply(sq, q.x) + (u ? l : -1) + sizeof(m) / sizeof m[0] + sizeof(double *);
  if (s > DBL_MAX || isnan(s)) goto end;
  printf("%g %s\n", s, str);
  memset(a, 0, n * sizeof *a);
  s = s == 0 ? RED : (double)BLUE, l <<= 2;
  bool flag = s > 3 && !(l & 1);
  uint8_t byte = (uint8_t)(flag + ~u);
  s += byte + INFINITY * NAN;
end:
  return -s - -1.0 - r.x + table[2] * *c / *c + - -s;
}

int main(void) {
  double a[2][3] = {{1, 2, 3}, {4, 5, 6}}, c = 2;
  printf("%.17g\n", g(1, a, a, &c) > 0 ? 1.0 : 2.0);
  printf("%.17g\n", apply(sq, 3));
  return 0;
}

int literal(int a) {
  int *p = &(int){a > 0 ? a : -a};
  return *p + (int){3};
}
