#include <stdint.h>
#include <stdio.h>
typedef struct { int rows, cols; double *data; } Matrix;
typedef double Row[3];
typedef unsigned char byte;
union either { float f; uint32_t u; };
enum { FIRST = -2, SECOND, THIRD = 1 << 4 };
static int calls;
extern double scale;
double scale = 2.5;
static inline double at(const Matrix *m, int i, int j) { return m->data[i + j * m->rows]; }
static Matrix make(int r, int c, double *d) { Matrix m = {r, c, d}; return m; }
double (*choose(int k))(double);
static double one(double x) { return x + 1; }
static double two(double x) { return x * 2; }
double (*choose(int k))(double) { return k ? one : two; }
static double mixed(signed char a, unsigned short b, unsigned c, long long d, float e) {
  return a + b * c - d / 3 + e * 2 + (a << 2) + (b >> 1) + (c % 7u) - (a < b) + (double)(byte)d;
}
static double rows(int n, Row *r, double v[static 3], double (*w)[n]) {
  double s = 0;
  for (int i = 0; i < n; i++) s += r[i][i] * v[i] + w[0][i];
  return s;
}
int main(void) {
  double d[6] = {1, 2, 3, 4, 5, 6}, w[1][3] = {{7, 8, 9}};
  Matrix m = make(2, 3, d), *p = &m;
  Row r[3] = {{1}, {0, 2}, {[2] = 3}};
  union either e;
  e.u = 0x3f800000u;
  calls += 3, calls--;
  printf("%g %g %d %d\n", at(p, 1, 2), (double)e.f, calls, SECOND);
  printf("%g %g\n", choose(1)(2.0), choose(0)(scale));
  printf("%g\n", mixed(-3, 7, 9u, 100LL, 1.5f));
  printf("%g %d\n", rows(3, r, d, w), (int)sizeof(Matrix) + (int)sizeof(r));
  printf("%d\n", 'a' + '\n' + '\x41' + 010 + 0x1F + THIRD + (int)1e3 + -(-2) - -1);
  printf("%d\n", -7 / 2 + -7 % 3 + (3 & 5 | 2 ^ 1) + (1 ? 2 : 3, 4));
  printf("%d\n", !!calls + ~calls + (calls > 1 && calls < 5 || calls == 9));
  for (int i = 3; i--;) printf("%d", i);
  int i = 0;
  do { if (i == 1) continue; if (i > 3) break; printf(" %d", i); } while (i++ < 10);
  switch (i) { case 4: printf(" four"); case 5: printf(" five\n"); break; default: printf("?\n"); }
  goto out;
out:
  return 0;
}
