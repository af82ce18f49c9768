// The law that random programs (dagaz cgen) must keep: value, tangent, differences and adjoint of a
// head agree.  For random_main.c, of one program, and batch_main.c, of many; headers of the
// derivatives, which declare Pair and Pair_diff, come before this one.
#include "examples/check.h"
#include <fenv.h>

enum { N = 5 };
static const int idx[N] = {2, 0, 4, 1, 3};
typedef double Value(int n, double a, double b, double *x, double *y, Pair *s, const int *idx);
typedef double Tangent(int n, double a, double ad, double b, double bd, double *x, double *xd,
    double *y, double *yd, Pair *s, Pair_diff *sd, const int *idx, double *value);
typedef void Adjoint(int n, double a, double *ab, double b, double *bb, double *x, double *xb,
    double *y, double *yb, Pair *s, Pair_diff *sb, const int *idx, double seed);

typedef struct {
  Value *f;
  Tangent *d;
  Adjoint *b;
  double close;  // of adjoint and tangent: 1e-9; programs with float: 1e-6
  int rounded;   // core adds sums in another order, and a step like `v *= sin ((i - v)*1.7)`
                 // multiplies the last bit of a v of 35 by 60
} Program;

typedef struct {
  double a, b, x[N], y[N];
  Pair s;
} State;

static State random_state(void) {
  State s = {.a = check_random(), .b = check_random()};
  check_fill(s.x, N), check_fill(s.y, N);
  s.s.p = check_random(), s.s.k = 1, s.s.q = check_random();
  return s;
}

static inline double weighted(double value, const State *s, const State *w) {
  return 0.7 * value + check_dot(s->x, w->x, N) + check_dot(s->y, w->y, N) + s->s.p * w->s.p +
         s->s.q * w->s.q;
}

static inline double moved(Value *f, const State *at, const State *d, const State *w, double h) {
  State m = *at;
  m.a += h * d->a, m.b += h * d->b;
  for (int i = 0; i < N; i++) m.x[i] += h * d->x[i], m.y[i] += h * d->y[i];
  m.s.p += h * d->s.p, m.s.q += h * d->s.q;
  double v = f(N, m.a, m.b, m.x, m.y, &m.s, idx);
  return weighted(v, &m, w);
}

static inline int differs(double a, double b, double tolerance) {
  return !(fabs(a - b) <= tolerance * (1 + fabs(a) + fabs(b)));
}

// To the bit; through core but for rounding.
static inline int arrays_differ(const Program *p, const double *a, const double *b) {
  if (!p->rounded) return memcmp(a, b, N * sizeof *a) != 0;
  for (int i = 0; i < N; i++)
    if (differs(a[i], b[i], p->close / 100)) return 1;
  return 0;
}

static inline double adjoint_along(const Program *p, State k, State w, const State *d) {
  Pair_diff sb = {w.s.p, w.s.q};
  double ab, bb;
  p->b(N, k.a, &ab, k.b, &bb, k.x, w.x, k.y, w.y, &k.s, &sb, idx, 0.7);
  return ab * d->a + bb * d->b + check_dot(w.x, d->x, N) + check_dot(w.y, d->y, N) +
         sb.p * d->s.p + sb.q * d->s.q;
}

// The adjoint along d; without d, the value.
static inline double measured(const Program *p, const State *at, const State *w, const State *d) {
  return d ? adjoint_along(p, *at, *w, d) : moved(p->f, at, at, w, 0);
}

// Whether the adjoint along d, or without d the value, changes by a tenth of the difference or more,
// or by a millionth of itself, when all is rounded upwards, downwards or towards 0: a loop like
// `v += sin(v*v*v)` can multiply its roundings by 1e9, or by 1e20 until only chance is left, and
// then results through core, whose roundings differ, tell nothing of others.
static inline int roundings_explain(const Program *p, const State *at, const State *w,
    const State *d, double difference) {
  static const int directions[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  double nearest = measured(p, at, w, d), most = 0;
  for (int k = 0; k < 3; k++) {
    fesetround(directions[k]);
    double other = measured(p, at, w, d);
    fesetround(FE_TONEAREST);
    most = fmax(most, fabs(other - nearest));
  }
  return p->rounded && (difference <= 10 * most || most > 1e-6 * (1 + fabs(nearest)));
}

typedef enum { WELL, KINK, ROUNDING, WRONG } Verdict;
// Whether all is well; *tangent: of the weighted outputs along d.
static inline Verdict tangent_check(const Program *p, const State *at, State d, const State *w,
    double *tangent) {
  State m = *at, n = *at;
  double value = p->f(N, m.a, m.b, m.x, m.y, &m.s, idx), same;
  Pair_diff sd = {d.s.p, d.s.q};
  double vd = p->d(N, n.a, d.a, n.b, d.b, n.x, d.x, n.y, d.y, &n.s, &sd, idx, &same);
  d.s.p = sd.p, d.s.q = sd.q;
  *tangent = weighted(vd, &d, w);
  if (!differs(value, same, p->rounded ? p->close / 100 : 1e-13) && !arrays_differ(p, m.x, n.x))
    return WELL;
  double difference = fabs(weighted(value, &m, w) - weighted(same, &n, w));
  if (roundings_explain(p, at, w, NULL, difference)) return ROUNDING;
  return printf("the tangent's value: %.17g, not %.17g\n", same, value), WRONG;
}

// At a random place; of derivatives that agree, KINK where differences of two steps do not, and
// where the program's value is none.
static inline Verdict place_check(const Program *p) {
  State at = random_state(), d = random_state(), w = random_state();
  double tangent;
  if (isnan(moved(p->f, &at, &d, &w, 0))) return KINK;
  Verdict verdict = tangent_check(p, &at, d, &w, &tangent);
  if (verdict != WELL) return verdict;
  double adjoint = adjoint_along(p, at, w, &d);
  if (differs(tangent, adjoint, p->close)) {
    if (roundings_explain(p, &at, &w, &d, fabs(tangent - adjoint))) return ROUNDING;
    return printf("adjoint %.17g, tangent %.17g\n", adjoint, tangent), WRONG;
  }
  double h = p->close > 1e-8 ? 1e-3 : 1e-5, tolerance = h;  // (float)a is a stair of 1e-7
  double one = (moved(p->f, &at, &d, &w, h) - moved(p->f, &at, &d, &w, -h)) / (2 * h);
  double two = (moved(p->f, &at, &d, &w, h / 2) - moved(p->f, &at, &d, &w, -h / 2)) / h;
  if (differs(one, two, tolerance)) return KINK;
  if (!differs(two, tangent, tolerance)) return WELL;
  for (int k = 0; k < 2; k++) {  // a kink closer than both steps
    h /= 30;
    double near = (moved(p->f, &at, &d, &w, h) - moved(p->f, &at, &d, &w, -h)) / (2 * h);
    if (!differs(near, tangent, tolerance)) return KINK;
  }
  return printf("tangent %.17g, differences %.17g\n", tangent, two), WRONG;
}

// At three places.  Prints "ok", "kink" or "rounding" (roundings explain the difference between
// derivatives through core and others); or the fault, and returns 1.
static inline int program_check(const Program *p) {
  static const char *const words[] = {"ok", "kink", "rounding"};
  Verdict worst = WELL;
  for (int place = 0; place < 3; place++) {
    Verdict v = place_check(p);
    if (v == WRONG) return 1;
    if (v > worst) worst = v;
  }
  return puts(words[worst]), 0;
}
