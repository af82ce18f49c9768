// The main of random programs (dagaz cgen): a tangent for several directions gives for each what the
// tangent for one gives, to the bit, and leaves the directions alone that are not asked for.
#include "examples/check.h"
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

static int one(const State *at, State d, int k, double (*x)[NBDirsMax], double (*y)[NBDirsMax],
               const Pair_diffv *s, const double *value) {
  State m = *at;
  double same;
  Pair_diff sd = {d.s.p, d.s.q};
  double vd = f_d(N, m.a, d.a, m.b, d.b, m.x, d.x, m.y, d.y, &m.s, &sd, idx, &same);
  int bad = differs(vd, value[k]) || differs(sd.p, s->p[k]) || differs(sd.q, s->q[k]);
  for (int i = 0; i < N; i++) bad = bad || differs(d.x[i], x[i][k]) || differs(d.y[i], y[i][k]);
  return bad;
}

int main(void) {
  State at = random_state(), m = at, d[USED];
  double a[NBDirsMax], b[NBDirsMax], x[N][NBDirsMax], y[N][NBDirsMax], vd[NBDirsMax], value;
  Pair_diffv s;
  for (int k = 0; k < NBDirsMax; k++) {
    State r = random_state();
    if (k < USED) d[k] = r;
    a[k] = r.a, b[k] = r.b, s.p[k] = r.s.p, s.q[k] = r.s.q, vd[k] = 17;
    for (int i = 0; i < N; i++) x[i][k] = r.x[i], y[i][k] = r.y[i];
  }
  double other = x[2][USED];
  f_dv(N, m.a, a, m.b, b, m.x, x, m.y, y, &m.s, &s, idx, &value, vd, USED);
  for (int k = 0; k < USED; k++)
    if (one(&at, d[k], k, x, y, &s, vd)) return printf("direction %d differs\n", k), 1;
  if (x[2][USED] != other || vd[USED] != 17) return puts("another direction was written"), 1;
  return puts("ok"), 0;
}
