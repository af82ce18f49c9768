// Polynomials over integer variables with rational coefficients.
#include "poly.h"

static int64_t gcd(int64_t a, int64_t b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b) {
    int64_t t = a % b;
    a = b;
    b = t;
  }
  return a ? a : 1;
}

static bool same_vars(const Monomial *a, const Monomial *b) {
  return a->n == b->n && memcmp(a->vars, b->vars, sizeof(CVar *) * (size_t)a->n) == 0;
}

// False: the numbers are too large.
static bool add_fraction(Monomial *m, int64_t num, int64_t den) {
  int64_t a, b, d;
  if (__builtin_mul_overflow(m->num, den, &a) || __builtin_mul_overflow(num, m->den, &b) ||
      __builtin_mul_overflow(m->den, den, &d) || __builtin_add_overflow(a, b, &a))
    return false;
  int64_t g = gcd(a, d);
  m->num = a / g;
  m->den = d / g;
  return true;
}

static void cpoly_put(Arena *arena, Poly *p, Monomial m) {
  if (!p->known || m.num == 0) return;
  for (int i = 0; i < p->terms.len; i++) {
    Monomial *t = &p->terms.at[i];
    if (!same_vars(t, &m)) continue;
    p->known = add_fraction(t, m.num, m.den);
    if (t->num == 0) *t = p->terms.at[--p->terms.len];
    return;
  }
  list_push(arena, &p->terms, m);
}

Poly cpoly_const(Arena *arena, int64_t v) {
  Poly p = {.known = true};
  cpoly_put(arena, &p, (Monomial){.num = v, .den = 1});
  return p;
}

Poly cpoly_var(Arena *arena, const CVar *v) {
  Poly p = {.known = true};
  Monomial m = {.num = 1, .den = 1, .n = 1};
  m.vars[0] = v;
  cpoly_put(arena, &p, m);
  return p;
}

Poly cpoly_add(Arena *arena, Poly a, Poly b, int64_t factor) {
  Poly p = {.known = a.known && b.known};
  for (int i = 0; i < a.terms.len; i++) cpoly_put(arena, &p, a.terms.at[i]);
  for (int i = 0; i < b.terms.len; i++) {
    Monomial m = b.terms.at[i];
    if (__builtin_mul_overflow(m.num, factor, &m.num)) p.known = false;
    cpoly_put(arena, &p, m);
  }
  return p;
}

static bool monomial_mul(const Monomial *a, const Monomial *b, Monomial *r) {
  *r = *a;
  if (a->n + b->n > MOST_FACTORS) return false;
  for (int i = 0; i < b->n; i++) {
    int k = r->n++;
    for (; k > 0 && (uintptr_t)r->vars[k - 1] > (uintptr_t)b->vars[i]; k--)
      r->vars[k] = r->vars[k - 1];
    r->vars[k] = b->vars[i];
  }
  if (__builtin_mul_overflow(a->num, b->num, &r->num)) return false;
  if (__builtin_mul_overflow(a->den, b->den, &r->den)) return false;
  int64_t g = gcd(r->num, r->den);
  r->num /= g;
  r->den /= g;
  return true;
}

Poly cpoly_mul(Arena *arena, Poly a, Poly b) {
  Poly p = {.known = a.known && b.known};
  for (int i = 0; i < a.terms.len; i++)
    for (int k = 0; k < b.terms.len; k++) {
      Monomial m;
      if (!monomial_mul(&a.terms.at[i], &b.terms.at[k], &m)) p.known = false;
      else cpoly_put(arena, &p, m);
    }
  return p;
}

Poly cpoly_over(Arena *arena, Poly a, int64_t divisor) {
  Poly by = {.known = divisor > 0};
  if (divisor > 0) list_push(arena, &by.terms, (Monomial){.num = 1, .den = divisor});
  return cpoly_mul(arena, a, by);
}

Poly cpoly_divide(Arena *arena, Poly a, Poly by) {
  Poly p = {.known = a.known && by.known && by.terms.len == 1};
  for (int i = 0; p.known && i < a.terms.len; i++) {
    Monomial m = a.terms.at[i], d = by.terms.at[0];
    Monomial factor = {.num = d.den, .den = d.num};
    if (d.num <= 0) return (Poly){0};
    for (int k = 0; k < d.n; k++) {
      int at = 0;
      while (at < m.n && m.vars[at] != d.vars[k]) at++;
      if (at == m.n) return (Poly){0};
      for (m.n--; at < m.n; at++) m.vars[at] = m.vars[at + 1];
    }
    Monomial q;
    if (!monomial_mul(&m, &factor, &q)) return (Poly){0};
    cpoly_put(arena, &p, q);
  }
  return p;
}

int cpoly_degree(const Poly *a, const CVar *v) {
  int most = 0;
  for (int i = 0; i < a->terms.len; i++) {
    int n = 0;
    for (int k = 0; k < a->terms.at[i].n; k++) n += a->terms.at[i].vars[k] == v;
    if (n > most) most = n;
  }
  return most;
}

Poly cpoly_coefficient(Arena *arena, Poly a, const CVar *v, int power) {
  Poly p = {.known = a.known};
  for (int i = 0; i < a.terms.len; i++) {
    Monomial m = a.terms.at[i], rest = {.num = m.num, .den = m.den};
    int n = 0;
    for (int k = 0; k < m.n; k++) {
      if (m.vars[k] == v) n++;
      else rest.vars[rest.n++] = m.vars[k];
    }
    if (n == power) cpoly_put(arena, &p, rest);
  }
  return p;
}

Poly cpoly_subst(Arena *arena, Poly a, const CVar *v, Poly value) {
  Poly sum = {.known = a.known}, power = cpoly_const(arena, 1);
  int degree = cpoly_degree(&a, v);
  for (int i = 0; i <= degree; i++) {
    Poly term = cpoly_mul(arena, cpoly_coefficient(arena, a, v, i), power);
    sum = cpoly_add(arena, sum, term, 1);
    if (i < degree) power = cpoly_mul(arena, power, value);
  }
  return sum;
}

bool cpoly_zero(const Poly *a) { return a->known && a->terms.len == 0; }

bool cpoly_at_least_zero(Arena *arena, Poly a) {
  if (!a.known) return false;
  LIST(const CVar *) vars = {0};
  for (int i = 0; i < a.terms.len; i++)
    for (int k = 0; k < a.terms.at[i].n; k++) list_push(arena, &vars, a.terms.at[i].vars[k]);
  for (int i = 0; i < vars.len; i++) {
    bool again = false;
    for (int k = 0; k < i; k++) again |= vars.at[k] == vars.at[i];
    if (again) continue;
    Poly shifted = cpoly_add(arena, cpoly_var(arena, vars.at[i]), cpoly_const(arena, 1), 1);
    a = cpoly_subst(arena, a, vars.at[i], shifted);
  }
  for (int i = 0; i < a.terms.len; i++)
    if (a.terms.at[i].num < 0) return false;
  return a.known;
}

enum { MOST_PARITIES = 8 };
typedef struct {
  const CVar *vars[MOST_PARITIES];
  int n;
} Parities;

static bool parity_add(Parities *p, const CVar *v) {
  for (int i = 0; i < p->n; i++)
    if (p->vars[i] == v) return true;
  if (p->n == MOST_PARITIES) return false;
  p->vars[p->n++] = v;
  return true;
}

static bool is_odd(const Parities *p, int bits, const CVar *v) {
  for (int i = 0; i < p->n; i++)
    if (p->vars[i] == v) return bits >> i & 1;
  return false;
}

// Twice the term, where variables are 0 or 1 by the bits.
static int64_t halves(const Monomial *m, const Parities *p, int bits) {
  for (int k = 0; k < m->n; k++)
    if (!is_odd(p, bits, m->vars[k])) return 0;
  return m->num * (2 / m->den);
}

// For every choice of remainders by 2 of the variables the value is whole.
bool cpoly_whole(const Poly *a) {
  Parities p = {.n = 0};
  for (int i = 0; i < a->terms.len; i++) {
    if (a->terms.at[i].den > 2) return false;
    for (int k = 0; k < a->terms.at[i].n; k++)
      if (!parity_add(&p, a->terms.at[i].vars[k])) return false;
  }
  for (int bits = 0; bits < 1 << p.n; bits++) {
    int64_t sum = 0;
    for (int i = 0; i < a->terms.len; i++) sum += halves(&a->terms.at[i], &p, bits) % 2;
    if (sum % 2) return false;
  }
  return a->known;
}

static const CExpr *monomial_expr(Arena *arena, const Monomial *m, int64_t den) {
  const CExpr *e = NULL;
  int64_t num = m->num * (den / m->den);
  num = num < 0 ? -num : num;
  if (num != 1 || m->n == 0) e = cbuild_int(arena, num);
  for (int i = 0; i < m->n; i++) {
    const CExpr *v = cbuild_var(arena, m->vars[i]);
    e = e ? cbuild_binary(arena, COP_MUL, e, v) : v;
  }
  return e;
}

int64_t cpoly_denominator(const Poly *p) {
  int64_t den = 1;
  for (int i = 0; i < p->terms.len; i++)
    den = den / gcd(den, p->terms.at[i].den) * p->terms.at[i].den;
  return den;
}

const CExpr *cpoly_expr(Arena *arena, Poly a) {
  int64_t den = cpoly_denominator(&a);
  const CExpr *sum = NULL;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < a.terms.len; i++) {
      bool negative = a.terms.at[i].num < 0;
      if (negative != (pass == 1)) continue;
      const CExpr *t = monomial_expr(arena, &a.terms.at[i], den);
      if (!sum) sum = negative ? cbuild_unary(arena, COP_NEG, t) : t;
      else sum = cbuild_binary(arena, negative ? COP_SUB : COP_ADD, sum, t);
    }
  if (!sum) return cbuild_int(arena, 0);
  return den == 1 ? sum : cbuild_binary(arena, COP_DIV, sum, cbuild_int(arena, den));
}
