// Functions whose arguments a check makes up: structs, integers in arrays, pointers that are not used.
#include <math.h>
typedef struct { double x, v[2]; int kind; float w; } Particle;
typedef struct { int rows, columns; double *at; } Matrix;
typedef struct { double a; struct { int k; double b[3]; } in; } Pair;

double energy(int n, const Particle *p, double k) {
  double s = 0;
  for (int i = 0; i < n; i++) s += k * p[i].x * p[i].v[0] * sin(p[i].v[1]) + p[i].w * p[i].kind;
  return s;
}
void move(int n, Particle *p, double h) {
  for (int i = 0; i < n; i++) {
    p[i].kind++;
    p[i].x += h * p[i].v[0] * p[i].kind;
    p[i].v[1] *= p[i].x;
  }
}
double picked(const Matrix *m, const char *name, void *mode, const int *row, int n, Matrix *rest) {
  double s = 0;
  for (int i = 0; i < m->rows * m->columns; i++) s += m->at[i] * m->at[i];
  for (int i = 0; i < n; i++) s *= 1 + m->at[row[i] * m->columns];
  return s;
}
double parts(Pair p, double h) { return p.a * p.a * h + p.in.b[p.in.k]; }
double one(const Pair *p) { return p->a * p->in.b[2] + p->in.k * p->in.b[0] * p->in.b[0]; }
static double scaled(const Pair *p, int n, const double x[n]) {
  double s = 0;
  for (int i = 0; i < n; i++) s += p->a * x[i] * x[i];
  return s;
}
double rounded(int n, const Particle *p, double k) {
  double s = 0;
  for (int i = 0; i < n; i++) s += i == 2 ? (double)(long)(p[i].v[1] * 1e12) * 1e-12 : p[i].v[1];
  return s + k * p[0].x;
}
double many(int n, Matrix *m) {
  double s = 0;
  for (int i = 0; i < n; i++) s += m[i].at[0] * m[i].at[0];
  return s;
}
