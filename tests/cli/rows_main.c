#include "rows_b.h"
#include "rows_d.h"
#include <math.h>
#include <stdio.h>
double rows(int n, int m, double **a, const double *x);
void scaled(int n, int m, double **a, double *const *b, double f);
enum { N = 2, M = 3 };
static void check(const char *name, double tangent, double slope, double adjoint) {
  int same = fabs(tangent - slope) < 1e-6 && fabs(tangent - adjoint) < 1e-12;
  printf("%s: %s\n", name, same ? "tangent, differences and adjoint agree" : "they disagree");
}

static double a[N*M], ad[N*M], ab[N*M], b[N*M], bd[N*M], bb[N*M];
static double *pa[N] = {a, a + M}, *pad[N] = {ad, ad + M}, *pab[N] = {ab, ab + M},
              *pb[N] = {b, b + M}, *pbd[N] = {bd, bd + M}, *pbb[N] = {bb, bb + M};
static void fill(double h) {
  for (int i = 0; i < N*M; i++) {
    ad[i] = 0.3 - 0.1*i, bd[i] = 0.2 + 0.05*i, ab[i] = bb[i] = 0;
    a[i] = 0.5 + 0.2*i + h*ad[i], b[i] = 1 - 0.1*i + h*bd[i];
  }
}

static double dot(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i]*y[i];
  return s;
}

static void check_rows(void) {
  double x[M] = {1, 2, 3}, xd[M] = {0.1, 0.2, -0.3}, xb[M], value, h = 1e-5, ends[2];
  fill(0);
  double tangent = rows_d(N, M, pa, pad, x, xd, &value);
  rows_b(N, M, pa, pab, x, xb, 1);
  double adjoint = dot(ab, ad, N*M) + dot(xb, xd, M);
  for (int k = 0; k < 2; k++) {
    double moved[M], step = k ? -h : h;
    for (int j = 0; j < M; j++) moved[j] = x[j] + step*xd[j];
    fill(step);
    ends[k] = rows(N, M, pa, moved);
  }
  check("rows", tangent, (ends[0] - ends[1])/(2*h), adjoint);
}

// Of the sum of what a has.
static void check_scaled(void) {
  double ends[2], h = 1e-5, tangent = 0, fb;
  fill(0);
  scaled_d(N, M, pa, pad, pb, pbd, 1.5, 0.25);
  for (int i = 0; i < N*M; i++) tangent += ad[i];
  fill(0);
  for (int i = 0; i < N*M; i++) ab[i] = 1;
  scaled_b(N, M, pa, pab, pb, pbb, 1.5, &fb);
  double adjoint = dot(ab, ad, N*M) + dot(bb, bd, N*M) + 0.25*fb;
  for (int k = 0; k < 2; k++) {
    double step = k ? -h : h;
    fill(step);
    scaled(N, M, pa, pb, 1.5 + 0.25*step);
    ends[k] = 0;
    for (int i = 0; i < N*M; i++) ends[k] += a[i];
  }
  check("scaled", tangent, (ends[0] - ends[1])/(2*h), adjoint);
}

static void check_vector(void) {
  double v[2] = {1.5, -2}, vd[2] = {0.5, 1}, vb[2] = {0, 0}, value;
  Vector x = {2, 3, v};
  Vector_diff xd = {0.5, vd}, xb = {0, vb};
  double tangent = vector_d(&x, &xd, &value);
  vector_b(&x, &xb, 1);
  double exact = 2*3*(v[0]*vd[0] + v[1]*vd[1]) + 0.5*(v[0]*v[0] + v[1]*v[1]);
  check("vector", tangent, exact, dot(vb, vd, 2) + 0.5*xb.scale);
}

static void check_table(void) {
  double x[2] = {2, 3}, xd[2] = {1, -1}, xb[2], cells[4][2] = {{0}, {5, 7}}, value;
  double cd[4][2] = {{0}, {0.5, 0.25}}, cb[4][2] = {{0}};
  double *r[4] = {cells[0], cells[1], cells[2], cells[3]}, **t[2] = {r, r + 2};
  double *rd[4] = {cd[0], cd[1], cd[2], cd[3]}, **td[2] = {rd, rd + 2};
  double *rb[4] = {cb[0], cb[1], cb[2], cb[3]}, **tb[2] = {rb, rb + 2};
  double tangent = table_d(2, x, xd, t, td, &value);
  table_b(2, x, xb, t, tb, 1);
  double exact = 2*2*5 + 4*0.5 - 2*3*7 + 9*0.25;
  check("table", tangent, exact, dot(xb, xd, 2) + dot(cb[1], (double[]){0.5, 0.25}, 2));
}

int main(void) {
  check_rows();
  check_scaled();
  check_vector();
  check_table();
  return 0;
}
