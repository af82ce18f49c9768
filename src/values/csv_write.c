// Writing tables: every number so that reading gives it back, NaN and infinities as nan and inf.
#include "values.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static void cell_write(Text *out, Scalar s) {
  if (s.prim == PRIM_BOOL) text_puts(out, s.i ? "true" : "false");
  else if (!prim_is_float(s.prim) && prim_is_signed(s.prim)) text_printf(out, "%" PRId64, s.i);
  else if (!prim_is_float(s.prim)) text_printf(out, "%" PRIu64, (uint64_t)s.i);
  else if (isnan(s.f)) text_puts(out, "nan");
  else text_printf(out, s.prim == PRIM_F64 ? "%.17g" : "%.9g", s.f);
}

bool csv_write(Text *out, char delimiter, const Value *v) {
  int64_t columns = v->rank == 2 ? v->shape[1] : 1;
  if (v->rank > 2 || columns == 0) return false;
  for (int64_t i = 0; i < v->len; i++) {
    cell_write(out, value_at(v, i));
    text_putc(out, (i + 1) % columns ? delimiter : '\n');
  }
  return true;
}

static void name_write(Text *out, const char *name) {
  text_putc(out, '"');
  for (; *name; name++) {
    if (*name == '"') text_putc(out, '"');
    text_putc(out, *name);
  }
  text_putc(out, '"');
}

bool csv_write_table(Text *out, char delimiter, const char *const *names, const Value *values,
                     int count) {
  for (int k = 0; k < count; k++)
    if (values[k].rank != 1 || values[k].len != values[0].len) return false;
  for (int k = 0; k < count; k++) {
    if (k) text_putc(out, delimiter);
    if (strcspn(names[k], ",;\t\" ") == strlen(names[k])) text_puts(out, names[k]);
    else name_write(out, names[k]);
  }
  text_putc(out, '\n');
  for (int64_t i = 0; i < values[0].len; i++)
    for (int k = 0; k < count; k++) {
      cell_write(out, value_at(&values[k], i));
      text_putc(out, k + 1 < count ? delimiter : '\n');
    }
  return true;
}
