// Conversions between scalar types.  From floats core truncates, gives 0 for what is not finite,
// and wraps negative numbers into unsigned types; XLA saturates.
#include "local.h"

static const char *convert(Hlo *h, const char *x, Type from, Prim to) {
  return hlo_let(h, "stablehlo.convert %s : (%s) -> %s", x, hlo_type(h, from),
                 hlo_type(h, hlo_with_prim(from, to)));
}

static const char *is_finite(Hlo *h, const char *x, Type t) {
  return hlo_let(h, "stablehlo.is_finite %s : (%s) -> %s", x, hlo_type(h, t),
                 hlo_type(h, hlo_with_prim(t, PRIM_BOOL)));
}

// A signed i64, saturated as core does.
static const char *to_i64(Hlo *h, const char *x, Type from) {
  Type t = hlo_with_prim(from, PRIM_I64);
  const char *most = hlo_full_int(h, INT64_C(9223372036854774784), t);
  return hlo_binary(h, "minimum", convert(h, x, from, PRIM_I64), most, t);
}

static const char *to_u64(Hlo *h, const char *x, Type from) {
  Type u = hlo_with_prim(from, PRIM_U64);
  const char *low = convert(h, to_i64(h, x, from), hlo_with_prim(from, PRIM_I64), PRIM_U64);
  const char *negative = hlo_compare(h, "LT", x, hlo_full(h, 0, from), from);
  return hlo_choose(h, negative, low, convert(h, x, from, PRIM_U64), u);
}

static const char *narrow_unsigned(Hlo *h, const char *x, Type from, Prim to) {
  Type wide = hlo_with_prim(from, PRIM_I64);
  int bits = 8 * prim_info[to].bytes;
  int64_t low = bits == 32 ? -(INT64_C(1) << 31) : -(INT64_C(1) << (bits - 1));
  int64_t high = bits == 32 ? (INT64_C(1) << 32) - 1 : (INT64_C(1) << (bits - 1)) - 1;
  const char *w = convert(h, x, from, PRIM_I64);
  if (bits == 32) {
    w = hlo_binary(h, "maximum", w, hlo_full_int(h, low, wide), wide);
    w = hlo_binary(h, "minimum", w, hlo_full_int(h, high, wide), wide);
  }
  return convert(h, w, wide, to);
}

static const char *from_float(Hlo *h, const char *x, Type from, Prim to) {
  Type t = hlo_with_prim(from, to);
  const char *r;
  if (to == PRIM_I64) r = to_i64(h, x, from);
  else if (to == PRIM_U64) r = to_u64(h, x, from);
  else if (prim_is_signed(to)) r = convert(h, x, from, to);
  else r = narrow_unsigned(h, x, from, to);
  return hlo_choose(h, is_finite(h, x, from), r, hlo_full_int(h, 0, t), t);
}

const char *hlo_conv(Hlo *h, const char *x, Type from, Prim to) {
  if (from.prim == to) return x;
  if (to == PRIM_BOOL) {
    const char *zero = prim_is_float(from.prim) ? hlo_full(h, 0, from) : hlo_full_int(h, 0, from);
    return hlo_compare(h, "NE", x, zero, from);
  }
  if (prim_is_float(from.prim) && prim_is_int(to)) return from_float(h, x, from, to);
  return convert(h, x, from, to);
}
