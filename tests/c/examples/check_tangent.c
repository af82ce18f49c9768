// Tangents of the examples against divided differences.
#include "check.h"
#include "talk_d.h"
#include "march_d.h"
#include "mixture_d.h"
#include "relax_d.h"
#include "chol_d.h"
#include "polar_d.h"
#include "exits_d.h"

enum { N = 6 };
static const double h = 1e-6;
void f(double, double, double, double *);
double march(int, double *, double);
double log_sum_exp(int, const double *);
void Qtimesx(int, const double *, const double *, const double *, double *);
void relax(int, double *, const double *, double, int);
void chol(int, double *);
void move(const double *, double, double *);
double sumtil(double *, int);

static void talk(void) {
  double v4, v4d, a, b;
  f_d(1.5, 0.5, 2, 0.7, -1, &v4, &v4d);
  f(1.5 + h * 0.5, 2, 0.7 - h, &a);
  f(1.5 - h * 0.5, 2, 0.7 + h, &b);
  check_near("talk", v4d, (a - b) / (2 * h), 1e-8);
}

static void marching(void) {
  double y[N], d[N], u[N], v[N], yd[N], w[N], value;
  check_fill(y, N), check_fill(d, N), check_fill(w, N);
  for (int i = 0; i < N; i++) u[i] = y[i] + h * d[i], v[i] = y[i] - h * d[i];
  double up = march(N, u, 0.3 + h), down = march(N, v, 0.3 - h);
  memcpy(yd, d, sizeof yd);
  double sd = march_d(N, y, yd, 0.3, 1, &value);
  check_near("march", sd, (up - down) / (2 * h), 1e-7);
  check_near("march y", check_dot(yd, w, N), (check_dot(u, w, N) - check_dot(v, w, N)) / (2 * h), 1e-7);
}

static void mixture(void) {
  double x[N], d[N], u[N], v[N], q[N], l[N * N], out[N], outd[N], zero[N * N] = {0}, a[N], b[N], value;
  check_fill(x, N), check_fill(d, N), check_fill(q, N), check_fill(l, N * N);
  for (int i = 0; i < N; i++) u[i] = x[i] + h * d[i], v[i] = x[i] - h * d[i];
  check_near("log_sum_exp", log_sum_exp_d(N, x, d, &value),
             (log_sum_exp(N, u) - log_sum_exp(N, v)) / (2 * h), 1e-7);
  Qtimesx_d(N, q, zero, l, zero, x, d, out, outd);
  Qtimesx(N, q, l, u, a), Qtimesx(N, q, l, v, b);
  check_near("Qtimesx", check_dot(outd, x, N), (check_dot(a, x, N) - check_dot(b, x, N)) / (2 * h), 1e-7);
}

static void relaxing(void) {
  double u[N], d[N], p[N], m[N], f0[N], fd[N], fp[N], fm[N], w[N];
  check_fill(u, N), check_fill(d, N), check_fill(f0, N), check_fill(fd, N), check_fill(w, N);
  for (int i = 0; i < N; i++) {
    p[i] = u[i] + h * d[i], m[i] = u[i] - h * d[i];
    fp[i] = f0[i] + h * fd[i], fm[i] = f0[i] - h * fd[i];
  }
  relax(N, p, fp, 0.2 + h, 5), relax(N, m, fm, 0.2 - h, 5);
  relax_d(N, u, d, f0, fd, 0.2, 1, 5);
  check_near("relax", check_dot(d, w, N), (check_dot(p, w, N) - check_dot(m, w, N)) / (2 * h), 1e-7);
}

static void cholesky(void) {
  double a[N * N], d[N * N], p[N * N], m[N * N], w[N * N];
  check_fill(a, N * N), check_fill(d, N * N), check_fill(w, N * N);
  for (int i = 0; i < N; i++) a[i * N + i] = N;
  for (int i = 0; i < N * N; i++) p[i] = a[i] + h * d[i], m[i] = a[i] - h * d[i];
  chol(N, p), chol(N, m), chol_d(N, a, d);
  check_near("chol", check_dot(d, w, N * N),
             (check_dot(p, w, N * N) - check_dot(m, w, N * N)) / (2 * h), 1e-7);
}

static void moving(void) {
  double p[2] = {0.6, 0.8}, d[2] = {1, -2}, q[2], qd[2], a[2], b[2];
  double u[2] = {0.6 + h, 0.8 - 2 * h}, v[2] = {0.6 - h, 0.8 + 2 * h};
  move_d(p, d, 0.1, 1, q, qd);
  move(u, 0.1 + h, a), move(v, 0.1 - h, b);
  check_near("move", qd[0] + 3 * qd[1], (a[0] - b[0] + 3 * (a[1] - b[1])) / (2 * h), 1e-7);
}

static void exits(void) {
  double x[5] = {1, 2, 3, 4, 5}, d[5] = {1, 0.5, -1, 2, 3}, u[5], v[5], value;
  for (int i = 0; i < 5; i++) u[i] = x[i] + h * d[i], v[i] = x[i] - h * d[i];
  double up = sumtil(u, 5), down = sumtil(v, 5);
  check_near("sumtil", sumtil_d(x, d, 5, &value), (up - down) / (2 * h), 1e-7);
  check_near("sumtil vec", d[0] + d[3] + d[4], (u[0] + u[3] + u[4] - v[0] - v[3] - v[4]) / (2 * h), 1e-7);
}

int main(void) {
  talk(), marching(), mixture(), relaxing(), cholesky(), moving(), exits();
  return check_bad;
}
