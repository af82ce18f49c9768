// The law of random programs for several directions at once: tangent and adjoint give for each
// what those for one give, to the bit, and leave the directions alone that are not asked for.
// After random_check.h, and the headers that declare Pair_diffv and NBDirsMax.

enum { USED = 3 };
typedef void Tangents(int n, double a, double ad[NBDirsMax], double b, double bd[NBDirsMax],
    double *x, double (*xd)[NBDirsMax], double *y, double (*yd)[NBDirsMax], Pair *s,
    Pair_diffv *sd, const int *idx, double *value, double valued[NBDirsMax], int nbdirs);
typedef void Adjoints(int n, double a, double ab[NBDirsMax], double b, double bb[NBDirsMax],
    double *x, double (*xb)[NBDirsMax], double *y, double (*yb)[NBDirsMax], Pair *s,
    Pair_diffv *sb, const int *idx, double seed[NBDirsMax], int nbdirs);

typedef struct {
  Program one;
  Tangents *d;
  Adjoints *b;
} Directions;

static int bits_differ(double a, double b) { return !(a == b || (a != a && b != b)); }

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
  int bad = bits_differ(s->p, m->s.p[k]) || bits_differ(s->q, m->s.q[k]);
  for (int i = 0; i < N; i++)
    bad = bad || bits_differ(d->x[i], m->x[i][k]) || bits_differ(d->y[i], m->y[i][k]);
  return bad;
}

static int tangent_differs(const Program *p, State m, State d, int k, const Many *all) {
  double same;
  Pair_diff sd = {d.s.p, d.s.q};
  double vd = p->d(N, m.a, d.a, m.b, d.b, m.x, d.x, m.y, d.y, &m.s, &sd, idx, &same);
  return bits_differ(vd, all->value[k]) || memory_differs(all, k, &d, &sd);
}

static int adjoint_differs(const Program *p, State m, State w, int k, const Many *all) {
  double ab, bb;
  Pair_diff sb = {w.s.p, w.s.q};
  p->b(N, m.a, &ab, m.b, &bb, m.x, w.x, m.y, w.y, &m.s, &sb, idx, 17 + k);
  return bits_differ(ab, all->a[k]) || bits_differ(bb, all->b[k]) ||
         memory_differs(all, k, &w, &sb);
}

// What the caller has of directions that are not used; the seed of the value.
static int others_written(const Many *m, const Many *was) {
  for (int i = 0; i < N; i++)
    if (m->x[i][USED] != was->x[i][USED] || m->y[i][USED] != was->y[i][USED]) return 1;
  return m->a[USED] != was->a[USED] || m->value[USED] != was->value[USED];
}

// Prints "ok"; or the fault, and returns 1.
static int directions_check(const Directions *v) {
  State at = random_state(), m = at, n = at, d[USED], more;
  double value;
  for (int k = 0; k < USED; k++) d[k] = random_state();
  more = random_state();
  Many was = many_of(d, &more), t = was, b = was;
  v->d(N, m.a, t.a, m.b, t.b, m.x, t.x, m.y, t.y, &m.s, &t.s, idx, &value, t.value, USED);
  v->b(N, n.a, b.a, n.b, b.b, n.x, b.x, n.y, b.y, &n.s, &b.s, idx, b.value, USED);
  for (int k = 0; k < USED; k++) {
    if (tangent_differs(&v->one, at, d[k], k, &t)) return printf("tangent %d differs\n", k), 1;
    if (adjoint_differs(&v->one, at, d[k], k, &b)) return printf("adjoint %d differs\n", k), 1;
    if (b.value[k] != was.value[k]) return puts("a seed was written"), 1;
  }
  if (others_written(&t, &was) || others_written(&b, &was))
    return puts("another direction was written"), 1;
  return puts("ok"), 0;
}
