// Whether two accesses in loops may be of one cell.  `first` is executed before `then`: in an
// earlier iteration of one of the loops they share, with those around it in the same one, or in the
// same iteration of all.  For each of these cases the difference of the cells must not be zero:
//   D >= 1 or D <= -1     bounds of counters put in, innermost first
//   D = A s + B           A or B is not zero, and |B| < s: rows of s cells
#include "distinct.h"

enum { MOST_LOOPS = 12 };
typedef struct {
  const CVar *v;
  Poly low, high;
} Bounded;
typedef struct {
  Arena *arena;
  LIST(Bounded) vars;      // bounds of one mention those after it and parameters
} Space;

// ---- bounds -------------------------------------------------------------------------------------
static bool is_counter(const Space *s, const CVar *v) {
  for (int i = 0; i < s->vars.len; i++)
    if (s->vars.at[i].v == v) return true;
  return false;
}

static bool constant_at_least(Poly p, int64_t v) {
  if (!p.known || p.terms.len > 1) return false;
  if (!p.terms.len) return v <= 0;
  const Monomial *m = &p.terms.at[0];
  return m->n == 0 && m->den == 1 && m->num >= v;
}

// v >= 1, as some loop around would have no iteration else.
static bool positive(const Space *s, const CVar *v) {
  Poly at = cpoly_add(s->arena, cpoly_var(s->arena, v), cpoly_const(s->arena, 1), -1);
  for (int i = 0; i < s->vars.len; i++) {
    Poly extent = cpoly_add(s->arena, s->vars.at[i].high, s->vars.at[i].low, -1);
    if (constant_at_least(cpoly_add(s->arena, at, extent, -1), 0)) return true;
  }
  return false;
}

static bool all_positive(const Space *s, const Poly *p) {
  for (int i = 0; i < p->terms.len; i++)
    for (int k = 0; k < p->terms.at[i].n; k++) {
      const CVar *v = p->terms.at[i].vars[k];
      if (is_counter(s, v) || !positive(s, v)) return false;
    }
  return true;
}

static bool at_least(const Space *s, Poly p, int64_t v) {
  Poly rest = cpoly_add(s->arena, p, cpoly_const(s->arena, v), -1);
  if (constant_at_least(rest, 0)) return true;
  return rest.known && all_positive(s, &rest) && cpoly_at_least_zero(s->arena, rest);
}

static int sign(const Space *s, const Poly *p) {
  int found = 0;
  for (int i = 0; i < p->terms.len; i++) {
    int one = p->terms.at[i].num > 0 ? 1 : -1;
    if (found && found != one) return 0;
    found = one;
  }
  return found && all_positive(s, p) ? found : 0;
}

// The least or largest value, without counters.
static Poly extreme(const Space *s, Poly p, bool largest) {
  for (int i = 0; i < s->vars.len && p.known; i++) {
    const Bounded *b = &s->vars.at[i];
    int degree = cpoly_degree(&p, b->v);
    if (!degree) continue;
    Poly slope = cpoly_coefficient(s->arena, p, b->v, 1);
    int up = degree == 1 ? sign(s, &slope) : 0;
    if (!up) return (Poly){0};
    p = cpoly_subst(s->arena, p, b->v, (up > 0) == largest ? b->high : b->low);
  }
  return p;
}

// ---- rows ---------------------------------------------------------------------------------------
static bool within(const Space *s, Poly p, Poly size) {
  Poly most = cpoly_add(s->arena, size, cpoly_const(s->arena, 1), -1);
  Poly above = cpoly_add(s->arena, most, extreme(s, p, true), -1);
  Poly below = cpoly_add(s->arena, most, extreme(s, p, false), 1);
  return at_least(s, above, 0) && at_least(s, below, 0);
}

static Poly one_term(Arena *arena, Monomial m) {
  Poly p = {.known = true};
  list_push(arena, &p.terms, m);
  return p;
}

// The factor of a term that no counter has: a product of parameters, or a number.
static Poly size_in(const Space *s, const Monomial *m) {
  Monomial size = {.num = 1, .den = 1};
  for (int i = 0; i < m->n; i++)
    if (!is_counter(s, m->vars[i])) size.vars[size.n++] = m->vars[i];
  if (!size.n) size.num = m->num < 0 ? -m->num : m->num;
  return one_term(s->arena, size);
}

static bool never_zero(const Space *s, Poly d);

static bool rows_distinct(const Space *s, const Poly *d, Poly size) {
  Poly row = {.known = true}, column = {.known = true};
  for (int i = 0; i < d->terms.len; i++) {
    Poly term = one_term(s->arena, d->terms.at[i]), of = cpoly_divide(s->arena, term, size);
    bool whole = of.known && cpoly_denominator(&of) == 1;
    if (whole) row = cpoly_add(s->arena, row, of, 1);
    else column = cpoly_add(s->arena, column, term, 1);
  }
  if (!row.terms.len || !within(s, column, size)) return false;
  return never_zero(s, row) || never_zero(s, column);
}

static bool never_zero(const Space *s, Poly d) {
  if (!d.known || !d.terms.len) return false;
  if (at_least(s, extreme(s, d, false), 1)) return true;
  Poly minus = cpoly_add(s->arena, cpoly_const(s->arena, 0), d, -1);
  if (at_least(s, extreme(s, minus, false), 1)) return true;
  for (int i = 0; i < d.terms.len; i++) {
    Poly size = size_in(s, &d.terms.at[i]);
    bool is_one = constant_at_least(size, 1) && !constant_at_least(size, 2);
    if (!is_one && cpoly_denominator(&d) == 1 && rows_distinct(s, &d, size)) return true;
  }
  return false;
}

// ---- executions ---------------------------------------------------------------------------------
typedef struct {
  const CRange *at[MOST_LOOPS];  // outermost first
  int len;
} Path;

// False where bounds are not exact: steps of more than 1, unsigned numbers that may wrap.
static bool path_of(const CRange *inner, Path *p) {
  int n = 0;
  for (const CRange *r = inner; r; r = r->outer, n++)
    if (r->counter && (!(r->unit || r->down) || !ctype_is_signed(r->counter->type))) return false;
  if (n > MOST_LOOPS) return false;
  p->len = n;
  for (const CRange *r = inner; r; r = r->outer) p->at[--n] = r;
  return true;
}

typedef struct {
  Arena *arena;
  const Access *first, *then;
  Path a, b;                // the loops around them
  CVar *names[MOST_LOOPS];  // counters of `first`
} Pair;

static Poly renamed(const Pair *p, Poly at, int from, int to) {
  for (int k = from; k < to; k++)
    if (at.known && p->a.at[k]->counter)
      at = cpoly_subst(p->arena, at, p->a.at[k]->counter, cpoly_var(p->arena, p->names[k]));
  return at;
}

// A counter of `first` at `level`, in loops that are not in the same iteration from `start` on.
static Bounded own_counter(Pair *p, int start, int level, bool earlier) {
  const CRange *r = p->a.at[level];
  CVar *v = NEW(p->arena, CVar);
  *v = *r->counter;
  p->names[level] = v;
  Bounded b = {v, renamed(p, r->low, start, level), renamed(p, r->high, start, level)};
  Poly one = cpoly_const(p->arena, 1), here = cpoly_var(p->arena, r->counter);
  if (earlier && level == start && r->down) b.low = cpoly_add(p->arena, here, one, 1);
  else if (earlier && level == start) b.high = cpoly_add(p->arena, here, one, -1);
  return b;
}

// From the loop at `start` on the iterations differ; earlier: in that one `first` comes before.
static bool case_distinct(Pair *p, int start, bool earlier) {
  Space s = {.arena = p->arena};
  Bounded own[MOST_LOOPS];
  for (int k = start; k < p->a.len; k++)
    if (p->a.at[k]->counter) own[k] = own_counter(p, start, k, earlier);
  for (int k = p->a.len - 1; k >= start; k--)
    if (p->a.at[k]->counter) list_push(p->arena, &s.vars, own[k]);
  for (int k = p->b.len - 1; k >= 0; k--) {
    const CRange *r = p->b.at[k];
    if (r->counter) list_push(p->arena, &s.vars, ((Bounded){r->counter, r->low, r->high}));
  }
  Poly at = renamed(p, p->first->at, start, p->a.len);
  return never_zero(&s, cpoly_add(p->arena, p->then->at, at, -1));
}

static int shared_loops(const Path *a, const Path *b) {
  int n = 0;
  while (n < a->len && n < b->len && a->at[n] == b->at[n]) n++;
  return n;
}

bool access_shares_loop(const Access *x, const Access *y) {
  Path a, b;
  return !path_of(x->around, &a) || !path_of(y->around, &b) || shared_loops(&a, &b) > 0;
}

bool access_distinct(Arena *arena, const Access *first, const Access *then, bool together) {
  Pair p = {.arena = arena, .first = first, .then = then};
  if (!first->at.known || !then->at.known || !path_of(first->around, &p.a) ||
      !path_of(then->around, &p.b))
    return false;
  int n = shared_loops(&p.a, &p.b);
  for (int level = 0; level < n; level++)
    if (!case_distinct(&p, level, true)) return false;
  return !together || case_distinct(&p, n, false);
}
