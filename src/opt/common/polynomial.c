// Polynomials over variables: sorted lists of terms.
#include "polynomial.h"
#include <math.h>
#include <string.h>

Poly poly_number(Arena *arena, double x) {
  Poly p = {0};
  if (x != 0) list_push(arena, &p, (Term1){.factor = x});
  return p;
}

Poly poly_var(Arena *arena, Var v) {
  Poly p = {0};
  list_push(arena, &p, (Term1){.factor = 1, .n = 1, .vars = {v}});
  return p;
}

// in a number: of what the loop runs that binds it
static const uint32_t TRIPS = UINT32_C(1) << 31;
Poly poly_trips(Arena *arena, Var bound) { return poly_var(arena, (Var){bound.id | TRIPS}); }
// in a number: its logarithm
static const uint32_t LOG = UINT32_C(1) << 30;
Poly poly_log(Arena *arena, Var v) { return poly_var(arena, (Var){v.id | LOG}); }

// Larger degrees first, then by variables.
static int term_order(const Term1 *a, const Term1 *b) {
  if (a->n != b->n) return b->n - a->n;
  for (int i = 0; i < a->n; i++)
    if (a->vars[i].id != b->vars[i].id) return a->vars[i].id < b->vars[i].id ? -1 : 1;
  return 0;
}

static void term_add(Arena *arena, Poly *p, Term1 t) {
  int at = 0;
  while (at < p->len && term_order(&p->at[at], &t) < 0) at++;
  if (at < p->len && term_order(&p->at[at], &t) == 0) {
    p->at[at].factor += t.factor;
    return;
  }
  list_push(arena, p, t);
  for (int i = p->len - 1; i > at; i--) p->at[i] = p->at[i - 1];
  p->at[at] = t;
}

static Poly poly_compact(Arena *arena, Poly p) {
  Poly out = {0};
  for (int i = 0; i < p.len; i++)
    if (p.at[i].factor != 0) list_push(arena, &out, p.at[i]);
  return out;
}

Poly poly_add(Arena *arena, Poly a, Poly b) {
  Poly sum = {0};
  for (int i = 0; i < a.len; i++) list_push(arena, &sum, a.at[i]);
  for (int i = 0; i < b.len; i++) term_add(arena, &sum, b.at[i]);
  return poly_compact(arena, sum);
}

static Term1 term_times(const Term1 *a, const Term1 *b) {
  Term1 t = *a;
  t.factor *= b->factor;
  for (int i = 0; i < b->n && t.n < POLY_FACTORS; i++) {
    int at = t.n++;
    for (; at > 0 && t.vars[at - 1].id > b->vars[i].id; at--) t.vars[at] = t.vars[at - 1];
    t.vars[at] = b->vars[i];
  }
  return t;
}

Poly poly_times(Arena *arena, Poly a, Poly b) {
  Poly product = {0};
  for (int i = 0; i < a.len; i++)
    for (int k = 0; k < b.len; k++)
      term_add(arena, &product, term_times(&a.at[i], &b.at[k]));
  return poly_compact(arena, product);
}

double poly_at(Poly p, double size) {
  double sum = 0;
  for (int i = 0; i < p.len; i++) {
    double term = p.at[i].factor;
    for (int k = 0; k < p.at[i].n; k++) term *= p.at[i].vars[k].id & LOG ? log2(size) : size;
    sum += term;
  }
  return sum;
}

static const char *poly_name(const Prog *prog, Var v) {
  return v.id & TRIPS ? "trips" : var_info(prog, (Var){v.id & ~LOG})->base;
}

// How many other variables that are named like v come before it.
static int namesakes(const Prog *prog, Poly p, Var v) {
  const char *name = poly_name(prog, v);
  Var last = {0};
  int n = 0;
  for (bool more = true; more;) {
    Var next = v;
    for (int i = 0; i < p.len; i++)
      for (int k = 0; k < p.at[i].n; k++) {
        Var w = p.at[i].vars[k];
        bool alike = (w.id & LOG) == (v.id & LOG) && strcmp(poly_name(prog, w), name) == 0;
        if (w.id > last.id && w.id < next.id && alike) next = w;
      }
    more = next.id != v.id;
    n += more;
    last = next;
  }
  return n;
}

static void name_print(Text *out, const Prog *prog, Poly p, Var v) {
  int n = namesakes(prog, p, v);
  text_printf(out, "%s%s", v.id & LOG ? "log " : "", poly_name(prog, v));
  if (n) text_printf(out, "_%d", n);
}

void poly_print(Text *out, const Prog *prog, Poly p) {
  if (p.len == 0) text_putc(out, '0');
  for (int i = 0; i < p.len; i++) {
    const Term1 *t = &p.at[i];
    double factor = i ? fabs(t->factor) : t->factor;
    if (i) text_puts(out, t->factor < 0 ? " - " : " + ");
    if (factor != 1 || t->n == 0) text_printf(out, "%.6g%s", factor, t->n ? " " : "");
    for (int k = 0; k < t->n; k++) {
      int power = 1;
      while (k + 1 < t->n && t->vars[k + 1].id == t->vars[k].id) power++, k++;
      name_print(out, prog, p, t->vars[k]);
      if (power > 1) text_printf(out, "^%d", power);
      if (k + 1 < t->n) text_putc(out, ' ');
    }
  }
}
