// Sums k + sum of c * v, the common ground of index_range.c and index_affine.c.
#include "local.h"

bool coef_is_small(int64_t x) { return x > -(1LL << 30) && x < (1LL << 30); }

void affine_add_term(Affine *l, Var v, int64_t c) {
  if (c == 0) return;
  for (int i = 0; i < l->n; i++) {
    if (l->v[i].id != v.id) continue;
    l->c[i] += c;
    if (!coef_is_small(l->c[i])) l->ok = false;
    if (l->c[i] != 0) return;
    l->n--;
    l->v[i] = l->v[l->n];
    l->c[i] = l->c[l->n];
    return;
  }
  if (l->n == AFFINE_TERMS) {
    l->ok = false;
    return;
  }
  l->v[l->n] = v;
  l->c[l->n++] = c;
}

void affine_add_const(Affine *l, int64_t k) {
  if (coef_is_small(k) && coef_is_small(l->k)) l->k += k;
  else l->ok = false;
}

void affine_add(Affine *l, const Affine *x, int64_t scale) {
  l->ok = l->ok && x->ok && coef_is_small(scale);
  if (!l->ok) return;
  affine_add_const(l, x->k * scale);
  for (int i = 0; i < x->n; i++) affine_add_term(l, x->v[i], x->c[i] * scale);
}

int64_t affine_coef(const Affine *l, Var v) {
  for (int i = 0; i < l->n; i++)
    if (l->v[i].id == v.id) return l->c[i];
  return 0;
}

int64_t affine_gcd(const Affine *l) {
  int64_t by = 0;
  for (int i = 0; i < l->n; i++)
    for (int64_t x = l->c[i] < 0 ? -l->c[i] : l->c[i]; x;) {
      int64_t rest = by % x;
      by = x;
      x = rest;
    }
  return by;
}

bool affine_divides(const Affine *l, int64_t by) {
  return l->ok && by > 0 && affine_gcd(l) % by == 0;
}

int64_t affine_mod(const Affine *l, int64_t by) {
  int64_t rest = l->k % by;
  return rest < 0 ? rest + by : rest;
}

Affine affine_floor(const Affine *l, int64_t by) {
  Affine out = *l;
  out.k = (l->k - affine_mod(l, by)) / by;
  for (int i = 0; i < l->n; i++) out.c[i] = l->c[i] / by;
  return out;
}
