// The main of random programs (dagaz cgen): tangent and adjoint for several directions give for each
// what those for one give, to the bit, and leave the directions alone that are not asked for.
#include "examples/check.h"
#include "p_b.h"
#include "p_bv.h"
#include "p_d.h"
#include "p_dv.h"

enum { N = 5, USED = 3 };
static const int idx[N] = {2, 0, 4, 1, 3};
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

static int differs(double a, double b) { return !(a == b || (a != a && b != b)); }

// Derivatives of all directions.
typedef struct {
  double a[NBDirsMax], b[NBDirsMax], x[N][NBDirsMax], y[N][NBDirsMax], value[NBDirsMax];
  Pair_diffv s;
} Many;

static Many many_of(const State *d, const State *more) {
  Many m;
  for (int k = 0; k < NBDirsMax; k++) {
    const State *r = k < USED ? &d[k] : more;
    m.a[k] = r->a, m.b[k] = r->b, m.s.p[k] = r->s.p, m.s.q[k] = r->s.q, m.value[k] = 17 + k;
    for (int i = 0; i < N; i++) m.x[i][k] = r->x[i], m.y[i][k] = r->y[i];
  }
  return m;
}

static int memory_differs(const Many *m, int k, const State *d, const Pair_diff *s) {
  int bad = differs(s->p, m->s.p[k]) || differs(s->q, m->s.q[k]);
  for (int i = 0; i < N; i++)
    bad = bad || differs(d->x[i], m->x[i][k]) || differs(d->y[i], m->y[i][k]);
  return bad;
}

static int tangent_differs(const State *at, State d, int k, const Many *all) {
  State m = *at;
  double same;
  Pair_diff sd = {d.s.p, d.s.q};
  double vd = f_d(N, m.a, d.a, m.b, d.b, m.x, d.x, m.y, d.y, &m.s, &sd, idx, &same);
  return differs(vd, all->value[k]) || memory_differs(all, k, &d, &sd);
}

static int adjoint_differs(const State *at, State w, int k, const Many *all) {
  State m = *at;
  double ab, bb;
  Pair_diff sb = {w.s.p, w.s.q};
  f_b(N, m.a, &ab, m.b, &bb, m.x, w.x, m.y, w.y, &m.s, &sb, idx, 17 + k);
  return differs(ab, all->a[k]) || differs(bb, all->b[k]) || memory_differs(all, k, &w, &sb);
}

// What the caller has of directions that are not used; the seed of the value.
static int others_written(const Many *m, const Many *was) {
  for (int i = 0; i < N; i++)
    if (m->x[i][USED] != was->x[i][USED] || m->y[i][USED] != was->y[i][USED]) return 1;
  return m->a[USED] != was->a[USED] || m->value[USED] != was->value[USED];
}

int main(void) {
  State at = random_state(), m = at, n = at, d[USED], more;
  double value;
  for (int k = 0; k < USED; k++) d[k] = random_state();
  more = random_state();
  Many was = many_of(d, &more), t = was, b = was;
  f_dv(N, m.a, t.a, m.b, t.b, m.x, t.x, m.y, t.y, &m.s, &t.s, idx, &value, t.value, USED);
  f_bv(N, n.a, b.a, n.b, b.b, n.x, b.x, n.y, b.y, &n.s, &b.s, idx, b.value, USED);
  for (int k = 0; k < USED; k++) {
    if (tangent_differs(&at, d[k], k, &t)) return printf("tangent %d differs\n", k), 1;
    if (adjoint_differs(&at, d[k], k, &b)) return printf("adjoint %d differs\n", k), 1;
    if (b.value[k] != was.value[k]) return puts("a seed was written"), 1;
  }
  if (others_written(&t, &was) || others_written(&b, &was))
    return puts("another direction was written"), 1;
  return puts("ok"), 0;
}
