// Comparing results with expectations.
#include "values.h"
#include <math.h>

static bool shape_same(const Value *a, const Value *b) {
  if (a->prim != b->prim || a->rank != b->rank) return false;
  for (int d = 0; d < a->rank; d++)
    if (a->shape[d] != b->shape[d]) return false;
  return true;
}

static double largest_finite(const Value *v) {
  double most = 0;
  for (int64_t i = 0; i < v->len; i++) {
    double x = fabs(value_at(v, i).f);
    if (isfinite(x) && x > most) most = x;
  }
  return most;
}

static bool close(double got, double want, double tolerance) {
  if (isnan(got) || isnan(want)) return isnan(got) && isnan(want);
  if (isinf(got) || isinf(want)) return got == want;
  return fabs(got - want) <= tolerance;
}

static void type_text(Text *out, const Value *v) {
  for (int d = 0; d < v->rank; d++) text_printf(out, "[%lld]", (long long)v->shape[d]);
  text_puts(out, prim_info[v->prim].name);
}

static const char *taken(Arena *arena, Text *text) {
  const char *copy = arena_strdup(arena, text->at);
  text_free(text);
  return copy;
}

const char *value_differs(Arena *arena, const Value *got, const Value *want, double tolerance) {
  Text text = {0};
  if (!shape_same(got, want)) {
    text_puts(&text, "type is ");
    type_text(&text, got);
    text_puts(&text, ", expected ");
    type_text(&text, want);
    return taken(arena, &text);
  }
  bool is_float = prim_is_float(want->prim);
  double limit = is_float ? fmax(tolerance, tolerance * largest_finite(want)) : 0;
  for (int64_t i = 0; i < want->len; i++) {
    Scalar g = value_at(got, i), w = value_at(want, i);
    if (is_float ? close(g.f, w.f, limit) : g.i == w.i) continue;
    text_printf(&text, "element %lld is ", (long long)i);
    scalar_print(&text, g);
    text_puts(&text, ", expected ");
    scalar_print(&text, w);
    return taken(arena, &text);
  }
  return NULL;
}

static double number_of(Scalar s) { return prim_is_float(s.prim) ? s.f : (double)s.i; }

double values_error(const Values *got, const Values *want) {
  double most = 0, worst = 0;
  if (got->len != want->len) return (double)INFINITY;
  for (int k = 0; k < want->len; k++) {
    const Value *g = &got->at[k], *w = &want->at[k];
    if (!shape_same(g, w)) return (double)INFINITY;
    for (int64_t i = 0; i < w->len; i++) {
      double x = number_of(value_at(g, i)), y = number_of(value_at(w, i));
      if (isnan(x) != isnan(y)) return (double)INFINITY;
      if (isnan(x) || x == y) x = y;
      if (isfinite(y)) most = fmax(most, fabs(y));
      if (x != y && !isnan(x)) worst = fmax(worst, fabs(x - y));
    }
  }
  return worst == 0 ? 0 : worst / most;
}
