// Adjoints of the examples against their tangents: <yb, yd> = <xb, xd>.
#include "check.h"
#include "chol_b.h"
#include "chol_d.h"
#include "exits_b.h"
#include "exits_d.h"
#include "march_b.h"
#include "march_d.h"
#include "mixture_b.h"
#include "mixture_d.h"
#include "polar_b.h"
#include "polar_d.h"
#include "relax_b.h"
#include "relax_d.h"
#include "talk_b.h"
#include "talk_d.h"

enum { N = 6 };
static double xs[N * N], d0[N * N], d1[N * N], b0[N * N], b1[N * N], w0[N * N];
static void fill(void) {
  check_fill(xs, N * N), check_fill(d0, N * N), check_fill(w0, N * N);
  memcpy(d1, d0, sizeof d1), memcpy(b0, w0, sizeof b0);
}

static void talk(void) {
  double v4, v4d, a, b, seed = 0.7;
  f_d(1.5, 0.5, 2, 0.7, -1, &v4, &v4d);
  f_b(1.5, &a, 2, 0.7, &b, &v4, &seed);
  check_near("talk", a * 0.5 - b, 0.7 * v4d, 1e-14);
  check_near("talk seed", seed, 0, 0);
}

static void marching(void) {
  double value, eb, y[N];
  fill();
  memcpy(y, xs, sizeof y);
  double sd = march_d(N, y, d1, 0.3, 0.5, &value);
  double want = 0.4 * sd + check_dot(d1, w0, N);
  memcpy(y, xs, sizeof y);
  march_b(N, y, b0, 0.3, &eb, 0.4);
  check_near("march", check_dot(b0, d0, N) + 0.5 * eb, want, 1e-13);
  check_near("march restored", memcmp(y, xs, sizeof y), 0, 0);
}

static void mixture(void) {
  double value, q[N], l[N * N], qb[N], lb[N * N], xb[N], out[N], outd[N], zero[N * N] = {0};
  fill();
  check_fill(q, N), check_fill(l, N * N);
  double want = log_sum_exp_d(N, xs, d0, &value);
  log_sum_exp_b(N, xs, b1, 1);
  check_near("log_sum_exp", check_dot(b1, d0, N), want, 1e-13);
  Qtimesx_d(N, q, d0, l, d0, xs, d1, out, outd);
  want = check_dot(outd, w0, N);
  Qtimesx_b(N, q, qb, l, lb, xs, xb, out, b0);
  check_near("Qtimesx", check_dot(qb, d0, N) + check_dot(lb, d0, N * (N - 1) / 2) + check_dot(xb, d1, N),
             want, 1e-13);
  (void)zero;
}

static void relaxing(void) {
  double u[N], f0[N], fd[N], fb[N], cb;
  fill();
  check_fill(f0, N), check_fill(fd, N);
  memcpy(u, xs, sizeof u);
  relax_d(N, u, d1, f0, fd, 0.2, 0.3, 5);
  double want = check_dot(d1, w0, N);
  memcpy(u, xs, sizeof u);
  relax_b(N, u, b0, f0, fb, 0.2, &cb, 5);
  check_near("relax", check_dot(b0, d0, N) + check_dot(fb, fd, N) + 0.3 * cb, want, 1e-13);
}

static void cholesky(void) {
  double a[N * N];
  fill();
  for (int i = 0; i < N; i++) xs[i * N + i] = N;
  memcpy(a, xs, sizeof a);
  chol_d(N, a, d1);
  double want = check_dot(d1, w0, N * N);
  memcpy(a, xs, sizeof a);
  chol_b(N, a, b0);
  check_near("chol", check_dot(b0, d0, N * N), want, 1e-13);
}

static void moving(void) {
  double p[2] = {0.6, 0.8}, d[2] = {1, -2}, pb[2], q[2], qd[2], qb[2] = {1, 3}, dtb;
  move_d(p, d, 0.1, 1, q, qd);
  move_b(p, pb, 0.1, &dtb, q, qb);
  check_near("move", pb[0] - 2 * pb[1] + dtb, qd[0] + 3 * qd[1], 1e-13);
}

// vec = 1 .. 5, seeds 1 and 0.5: two squares each for the first three, which are overwritten.
static void exits(void) {
  double x[5] = {1, 2, 3, 4, 5}, b[5] = {0.5, 0.5, 0.5, 0.5, 0.5}, want[5] = {4, 8, 12, 8.5, 0.5};
  sumtil_b(x, b, 5, 1);
  for (int i = 0; i < 5; i++) check_near("sumtil", b[i], want[i], 1e-14);
}

int main(void) {
  talk(), marching(), mixture(), relaxing(), cholesky(), moving(), exits();
  return check_bad;
}
