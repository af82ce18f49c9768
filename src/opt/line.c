// Sums k + sum of c * v, the common ground of affine.c and accline.c.
#include "local.h"

bool line_is_small(int64_t x) { return x > -(1LL << 30) && x < (1LL << 30); }

void line_add_term(Line *l, Var v, int64_t c) {
  if (c == 0) return;
  for (int i = 0; i < l->n; i++) {
    if (l->v[i].id != v.id) continue;
    l->c[i] += c;
    if (!line_is_small(l->c[i])) l->ok = false;
    if (l->c[i] != 0) return;
    l->n--;
    l->v[i] = l->v[l->n];
    l->c[i] = l->c[l->n];
    return;
  }
  if (l->n == LINE) {
    l->ok = false;
    return;
  }
  l->v[l->n] = v;
  l->c[l->n++] = c;
}

void line_add_const(Line *l, int64_t k) {
  if (line_is_small(k) && line_is_small(l->k)) l->k += k;
  else l->ok = false;
}

void line_add(Line *l, const Line *x, int64_t scale) {
  l->ok = l->ok && x->ok && line_is_small(scale);
  if (!l->ok) return;
  line_add_const(l, x->k * scale);
  for (int i = 0; i < x->n; i++) line_add_term(l, x->v[i], x->c[i] * scale);
}

int64_t line_coef(const Line *l, Var v) {
  for (int i = 0; i < l->n; i++)
    if (l->v[i].id == v.id) return l->c[i];
  return 0;
}

int64_t line_divisor(const Line *l) {
  int64_t by = 0;
  for (int i = 0; i < l->n; i++)
    for (int64_t x = l->c[i] < 0 ? -l->c[i] : l->c[i]; x;) {
      int64_t rest = by % x;
      by = x;
      x = rest;
    }
  return by;
}

bool line_divides(const Line *l, int64_t by) { return l->ok && by > 0 && line_divisor(l) % by == 0; }

int64_t line_rest(const Line *l, int64_t by) {
  int64_t rest = l->k % by;
  return rest < 0 ? rest + by : rest;
}

Line line_floor(const Line *l, int64_t by) {
  Line out = *l;
  out.k = (l->k - line_rest(l, by)) / by;
  for (int i = 0; i < l->n; i++) out.c[i] = l->c[i] / by;
  return out;
}
