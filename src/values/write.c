// Printing values exactly as compiled programs do: "1i32", "[1.5f64, f64.nan]", "empty([0]i32)".
#include "values.h"
#include <inttypes.h>
#include <math.h>

static void scalar_text(Text *out, Scalar s) {
  const char *name = prim_info[s.prim].name;
  if (s.prim == PRIM_BOOL) {
    text_puts(out, s.i ? "true" : "false");
  } else if (!prim_is_float(s.prim)) {
    if (prim_is_signed(s.prim)) text_printf(out, "%" PRId64 "%s", s.i, name);
    else text_printf(out, "%" PRIu64 "%s", (uint64_t)s.i, name);
  } else if (isnan(s.f)) {
    text_printf(out, "%s.nan", name);
  } else if (isinf(s.f)) {
    text_printf(out, "%s%s.inf", s.f < 0 ? "-" : "", name);
  } else {
    text_printf(out, s.prim == PRIM_F64 ? "%.17g%s" : "%.9g%s", s.f, name);
  }
}

static int64_t rows_text(Text *out, const Value *v, int d, int64_t at) {
  if (d == v->rank) {
    scalar_text(out, value_at(v, at));
    return at + 1;
  }
  text_puts(out, "[");
  for (int64_t i = 0; i < v->shape[d]; i++) {
    if (i) text_puts(out, ", ");
    at = rows_text(out, v, d + 1, at);
  }
  text_puts(out, "]");
  return at;
}

void value_print(Text *out, const Value *v) {
  bool empty = false;
  for (int d = 0; d < v->rank; d++) empty |= v->shape[d] == 0;
  if (!empty) {
    rows_text(out, v, 0, 0);
    return;
  }
  text_puts(out, "empty(");
  for (int d = 0; d < v->rank; d++) text_printf(out, "[%" PRId64 "]", v->shape[d]);
  text_printf(out, "%s)", prim_info[v->prim].name);
}
