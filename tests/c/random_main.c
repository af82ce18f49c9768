// The main of random programs (dagaz cgen): value, tangent, differences and adjoint of f agree.
// Prints "ok", "kink" where differences of two steps disagree, or what is wrong; status 1 then.
#include "examples/check.h"
#include "p_b.h"
#include "p_d.h"

enum { N = 5 };
#ifndef CLOSE
#define CLOSE 1e-9  // of adjoint and tangent; programs with float: 1e-6
#endif
double f(int n, double a, double b, double *x, double *y, Pair *s, const int *idx);
static const int idx[N] = {2, 0, 4, 1, 3};
typedef struct {
  double a, b, x[N], y[N];
  Pair s;
} State;

static double weighted(double value, const State *s, const State *w) {
  return 0.7 * value + check_dot(s->x, w->x, N) + check_dot(s->y, w->y, N) + s->s.p * w->s.p +
         s->s.q * w->s.q;
}

static double moved(const State *at, const State *d, const State *w, double h) {
  State m = *at;
  m.a += h * d->a, m.b += h * d->b;
  for (int i = 0; i < N; i++) m.x[i] += h * d->x[i], m.y[i] += h * d->y[i];
  m.s.p += h * d->s.p, m.s.q += h * d->s.q;
  double v = f(N, m.a, m.b, m.x, m.y, &m.s, idx);
  return weighted(v, &m, w);
}

static State random_state(void) {
  State s = {.a = check_random(), .b = check_random()};
  check_fill(s.x, N), check_fill(s.y, N);
  s.s.p = check_random(), s.s.k = 1, s.s.q = check_random();
  return s;
}

static int differs(double a, double b, double tolerance) {
  return !(fabs(a - b) <= tolerance * (1 + fabs(a) + fabs(b)));
}

// -DROUNDED: core adds sums in another order, and a step like `v *= sin ((i - v)*1.7)` multiplies
// the last bit of a v of 35 by 60.
#ifdef ROUNDED
#define VALUE (CLOSE / 100)
#else
#define VALUE 1e-13
#endif

// To the bit; -DROUNDED: but for rounding.
static int arrays_differ(const double *a, const double *b) {
#ifdef ROUNDED
  for (int i = 0; i < N; i++)
    if (differs(a[i], b[i], VALUE)) return 1;
  return 0;
#else
  return memcmp(a, b, N * sizeof *a) != 0;
#endif
}

int main(void) {
  State at = random_state(), d = random_state(), w = random_state(), m = at, n = at;
  double value = f(N, m.a, m.b, m.x, m.y, &m.s, idx), same;
  State dd = d;
  Pair_diff sd = {d.s.p, d.s.q};
  double vd = f_d(N, n.a, d.a, n.b, d.b, n.x, dd.x, n.y, dd.y, &n.s, &sd, idx, &same);
  dd.s.p = sd.p, dd.s.q = sd.q;
  double tangent = weighted(vd, &dd, &w);
  if (differs(value, same, VALUE) || arrays_differ(m.x, n.x))
    return printf("the tangent's value: %.17g, not %.17g\n", same, value), 1;
  State bb = w, k = at;
  Pair_diff sb = {w.s.p, w.s.q};
  double ab, bd;
  f_b(N, k.a, &ab, k.b, &bd, k.x, bb.x, k.y, bb.y, &k.s, &sb, idx, 0.7);
  double adjoint = ab * d.a + bd * d.b + check_dot(bb.x, d.x, N) + check_dot(bb.y, d.y, N) +
                   sb.p * d.s.p + sb.q * d.s.q;
  if (differs(tangent, adjoint, CLOSE))
    return printf("adjoint %.17g, tangent %.17g\n", adjoint, tangent), 1;
  double h = 1e-5;
  double one = (moved(&at, &d, &w, h) - moved(&at, &d, &w, -h)) / (2 * h);
  double two = (moved(&at, &d, &w, h / 2) - moved(&at, &d, &w, -h / 2)) / h;
  if (differs(one, two, 1e-5)) return printf("kink\n"), 0;
  if (differs(two, tangent, 1e-5)) return printf("tangent %.17g, differences %.17g\n", tangent, two), 1;
  return printf("ok\n"), 0;
}
