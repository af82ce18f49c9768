// Scalar operations of core as StableHLO operations on tensors of one shape.
//
// Where StableHLO means something else, the operation is written out: min and max ignore NaN,
// integer division rounds towards minus infinity, sgn of -0 is 0.
#include "local.h"
#include <math.h>

const char *hlo_unary(Hlo *h, const char *op, const char *x, Type t) {
  return hlo_let(h, "stablehlo.%s %s : %s", op, x, hlo_type(h, t));
}

const char *hlo_binary(Hlo *h, const char *op, const char *x, const char *y, Type t) {
  return hlo_let(h, "stablehlo.%s %s, %s : %s", op, x, y, hlo_type(h, t));
}

const char *hlo_compare(Hlo *h, const char *how, const char *x, const char *y, Type t) {
  const char *kind = prim_is_float(t.prim)    ? "FLOAT"
                     : prim_is_signed(t.prim) ? "SIGNED"
                                              : "UNSIGNED";
  const char *type = hlo_type(h, t);
  return hlo_let(h, "stablehlo.compare %s, %s, %s, %s : (%s, %s) -> %s", how, x, y, kind, type,
                 type, hlo_type(h, hlo_with_prim(t, PRIM_BOOL)));
}

const char *hlo_choose(Hlo *h, const char *c, const char *x, const char *y, Type t) {
  return hlo_let(h, "stablehlo.select %s, %s, %s : %s, %s", c, x, y,
                 hlo_type(h, hlo_with_prim(t, PRIM_BOOL)), hlo_type(h, t));
}

static const char *either(Hlo *h, const char *op, const char *x, const char *y, Type t) {
  return hlo_binary(h, op, x, y, hlo_with_prim(t, PRIM_BOOL));
}

// x where x is less (more) than y or y is NaN.
static const char *extremum(Hlo *h, bool max, const char *x, const char *y, Type t) {
  if (!prim_is_float(t.prim)) return hlo_binary(h, max ? "maximum" : "minimum", x, y, t);
  const char *less = hlo_compare(h, max ? "GT" : "LT", x, y, t),
             *nan = hlo_compare(h, "NE", y, y, t);
  return hlo_choose(h, either(h, "or", less, nan, t), x, y, t);
}

static const char *sign(Hlo *h, const char *x, Type t) {
  const char *zero = hlo_full(h, 0, t);
  if (prim_is_int(t.prim) && !prim_is_signed(t.prim))
    return hlo_binary(h, "minimum", x, hlo_full(h, 1, t), t);
  if (prim_is_int(t.prim)) return hlo_unary(h, "sign", x, t);
  return hlo_choose(h, hlo_compare(h, "EQ", x, zero, t), zero, hlo_unary(h, "sign", x, t), t);
}

// The remainder has the divisor's sign, the quotient is rounded down to fit.
static const char *floor_division(Hlo *h, bool quotient, const char *x, const char *y, Type t) {
  const char *q = hlo_binary(h, "divide", x, y, t), *r = hlo_binary(h, "remainder", x, y, t);
  if (!prim_is_signed(t.prim)) return quotient ? q : r;
  const char *zero = hlo_full(h, 0, t), *one = hlo_full(h, 1, t);
  const char *differ = hlo_compare(h, "LT", hlo_binary(h, "xor", r, y, t), zero, t);
  const char *fix = either(h, "and", differ, hlo_compare(h, "NE", r, zero, t), t);
  if (quotient) return hlo_choose(h, fix, hlo_binary(h, "subtract", q, one, t), q, t);
  return hlo_choose(h, fix, hlo_binary(h, "add", r, y, t), r, t);
}

static const char *float_modulo(Hlo *h, const char *x, const char *y, Type t) {
  const char *r = hlo_binary(h, "remainder", x, y, t), *zero = hlo_full(h, 0, t);
  const char *signs =
      either(h, "xor", hlo_compare(h, "LT", r, zero, t), hlo_compare(h, "LT", y, zero, t), t);
  const char *fix = either(h, "and", signs, hlo_compare(h, "NE", r, zero, t), t);
  return hlo_choose(h, fix, hlo_binary(h, "add", r, y, t), r, t);
}

static const char *division(Hlo *h, Op op, const char *x, const char *y, Type t) {
  if (prim_is_float(t.prim))
    return op == OP_DIV ? hlo_binary(h, "divide", x, y, t) : float_modulo(h, x, y, t);
  return floor_division(h, op == OP_DIV, x, y, t);
}

static const char *shift(Hlo *h, Op op, const char *x, const char *y, Type t) {
  bool arithmetic = op == OP_SHR && prim_is_signed(t.prim);
  return hlo_binary(h,
                    op == OP_SHL ? "shift_left"
                    : arithmetic ? "shift_right_arithmetic"
                                 : "shift_right_logical",
                    x, y, t);
}

static const char *bit_count(Hlo *h, Op op, const char *x, Type t) {
  const char *n;
  if (op == OP_CLZ) n = hlo_unary(h, "count_leading_zeros", x, t);
  else if (op == OP_POPC) n = hlo_unary(h, "popcnt", x, t);
  else {
    const char *low = hlo_binary(h, "and", hlo_unary(h, "not", x, t),
                                 hlo_binary(h, "subtract", x, hlo_full(h, 1, t), t), t);
    n = hlo_unary(h, "popcnt", low, t);
  }
  return hlo_let(h, "stablehlo.convert %s : (%s) -> %s", n, hlo_type(h, t),
                 hlo_type(h, hlo_with_prim(t, PRIM_I32)));
}

static double largest(Prim p) {
  return p == PRIM_F64 ? 0x1.fffffffffffffp1023 : p == PRIM_F32 ? 0x1.fffffep127 : 65504;
}

// x, but 0 where d is 0 and J is not finite.
static const char *guard(Hlo *h, const char *d, const char *J, const char *x, Type t) {
  const char *moves = hlo_compare(h, "NE", d, hlo_full(h, 0, t), t);
  const char *finite =
      hlo_compare(h, "LE", hlo_unary(h, "abs", J, t), hlo_full(h, largest(t.prim), t), t);
  return hlo_choose(h, either(h, "or", moves, finite, t), x, hlo_full(h, 0, t), t);
}

static const char *truncated(Hlo *h, const char *x, Type t) {
  const char *neg = hlo_compare(h, "LT", x, hlo_full(h, 0, t), t);
  return hlo_choose(h, neg, hlo_unary(h, "ceil", x, t), hlo_unary(h, "floor", x, t), t);
}

// log (u) * (x / (u - 1)) with u = 1 + x; the barrier keeps (1 + x) - 1 from being x.
static const char *log_1p(Hlo *h, const char *x, Type t) {
  const char *one = hlo_full(h, 1, t);
  const char *u = hlo_unary(h, "optimization_barrier", hlo_binary(h, "add", one, x, t), t);
  const char *d = hlo_binary(h, "subtract", u, one, t);
  const char *r =
      hlo_binary(h, "multiply", hlo_unary(h, "log", u, t), hlo_binary(h, "divide", x, d, t), t);
  const char *small = hlo_choose(h, hlo_compare(h, "EQ", u, one, t), x, r, t);
  return hlo_choose(h, hlo_compare(h, "EQ", u, hlo_full(h, INFINITY, t), t), u, small, t);
}

static const char *scaled(Hlo *h, const char *x, double by, Type t) {
  return hlo_binary(h, "multiply", x, hlo_full(h, by, t), t);
}

static const char *root_1_minus_square(Hlo *h, const char *x, Type t) {
  const char *one = hlo_full(h, 1, t);
  const char *p = hlo_binary(h, "multiply", hlo_binary(h, "subtract", one, x, t),
                             hlo_binary(h, "add", one, x, t), t);
  return hlo_unary(h, "sqrt", p, t);
}

// sin (pi x) and such: x without its even part first.
static const char *of_pi(Hlo *h, const char *fn, const char *x, Type t) {
  const char *half = scaled(h, x, 0.5, t), *even = hlo_unary(h, "round_nearest_even", half, t);
  const char *rest = hlo_binary(h, "subtract", half, even, t);
  return hlo_unary(h, fn, scaled(h, rest, 6.283185307179586476925, t), t);
}

static const char *exp_half(Hlo *h, const char *x, bool odd, Type t) {
  const char *a = hlo_unary(h, odd ? "exponential_minus_one" : "exponential", x, t);
  const char *b =
      hlo_unary(h, odd ? "exponential_minus_one" : "exponential", hlo_unary(h, "negate", x, t), t);
  return scaled(h, hlo_binary(h, odd ? "subtract" : "add", a, b, t), 0.5, t);
}

static const char *inverse_hyperbolic(Hlo *h, Op op, const char *x, Type t) {
  const char *one = hlo_full(h, 1, t);
  if (op == OP_ATANH) {
    const char *a = log_1p(h, x, t), *b = log_1p(h, hlo_unary(h, "negate", x, t), t);
    return scaled(h, hlo_binary(h, "subtract", a, b, t), 0.5, t);
  }
  if (op == OP_ACOSH) {
    const char *p = hlo_binary(h, "multiply", hlo_binary(h, "subtract", x, one, t),
                               hlo_binary(h, "add", x, one, t), t);
    return hlo_unary(h, "log", hlo_binary(h, "add", x, hlo_unary(h, "sqrt", p, t), t), t);
  }
  const char *m = hlo_unary(h, "abs", x, t), *s = hlo_binary(h, "multiply", m, m, t);
  const char *root =
      hlo_binary(h, "add", one, hlo_unary(h, "sqrt", hlo_binary(h, "add", one, s, t), t), t);
  const char *r = log_1p(h, hlo_binary(h, "add", m, hlo_binary(h, "divide", s, root, t), t), t);
  return hlo_binary(h, "multiply", hlo_unary(h, "sign", x, t), r, t);
}

// The larger times the root of one and the square of the quotient.
static const char *hypotenuse(Hlo *h, const char *x, const char *y, Type t) {
  const char *a = hlo_unary(h, "abs", x, t), *b = hlo_unary(h, "abs", y, t);
  const char *most = hlo_binary(h, "maximum", a, b, t), *least = hlo_binary(h, "minimum", a, b, t);
  const char *zero = hlo_compare(h, "EQ", most, hlo_full(h, 0, t), t), *one = hlo_full(h, 1, t);
  const char *q = hlo_binary(h, "divide", least, hlo_choose(h, zero, one, most, t), t);
  const char *root =
      hlo_unary(h, "sqrt", hlo_binary(h, "add", one, hlo_binary(h, "multiply", q, q, t), t), t);
  return hlo_binary(h, "multiply", most, root, t);
}

static const char *float_unary(Hlo *h, Op op, const char *x, Type t) {
  const double ln2 = 0.693147180559945309417, ln10 = 2.302585092994045684018;
  const double pi = 3.141592653589793238463;
  switch ((int)op) {
    case OP_CEIL: return hlo_unary(h, "ceil", x, t);
    case OP_FLOOR: return hlo_unary(h, "floor", x, t);
    case OP_TRUNC: return truncated(h, x, t);
    case OP_ROUND: return hlo_unary(h, "round_nearest_even", x, t);
    case OP_SQRT: return hlo_unary(h, "sqrt", x, t);
    case OP_RSQRT: return hlo_unary(h, "rsqrt", x, t);
    case OP_CBRT: return hlo_unary(h, "cbrt", x, t);
    case OP_EXP: return hlo_unary(h, "exponential", x, t);
    case OP_EXP2: return hlo_unary(h, "exponential", scaled(h, x, ln2, t), t);
    case OP_EXP10: return hlo_unary(h, "exponential", scaled(h, x, ln10, t), t);
    case OP_EXPM1: return hlo_unary(h, "exponential_minus_one", x, t);
    case OP_LOG: return hlo_unary(h, "log", x, t);
    case OP_LOG2: return scaled(h, hlo_unary(h, "log", x, t), 1 / ln2, t);
    case OP_LOG10: return scaled(h, hlo_unary(h, "log", x, t), 1 / ln10, t);
    case OP_LOG1P: return log_1p(h, x, t);
    case OP_SIN: return hlo_unary(h, "sine", x, t);
    case OP_COS: return hlo_unary(h, "cosine", x, t);
    case OP_TAN: return hlo_unary(h, "tan", x, t);
    case OP_SINPI: return of_pi(h, "sine", x, t);
    case OP_COSPI: return of_pi(h, "cosine", x, t);
    case OP_TANPI:
      return hlo_binary(h, "divide", of_pi(h, "sine", x, t), of_pi(h, "cosine", x, t), t);
    case OP_ASIN: return hlo_binary(h, "atan2", x, root_1_minus_square(h, x, t), t);
    case OP_ACOS: return hlo_binary(h, "atan2", root_1_minus_square(h, x, t), x, t);
    case OP_ATAN: return hlo_binary(h, "atan2", x, hlo_full(h, 1, t), t);
    case OP_ASINPI: return scaled(h, float_unary(h, OP_ASIN, x, t), 1 / pi, t);
    case OP_ACOSPI: return scaled(h, float_unary(h, OP_ACOS, x, t), 1 / pi, t);
    case OP_ATANPI: return scaled(h, float_unary(h, OP_ATAN, x, t), 1 / pi, t);
    case OP_SINH: return exp_half(h, x, true, t);
    case OP_COSH: return exp_half(h, x, false, t);
    case OP_TANH: return hlo_unary(h, "tanh", x, t);
    case OP_ASINH:
    case OP_ACOSH:
    case OP_ATANH: return inverse_hyperbolic(h, op, x, t);
  }
  return NULL;
}

static const char *arithmetic(Hlo *h, Op op, const char *const *a, Type t) {
  bool is_bool = t.prim == PRIM_BOOL;
  switch ((int)op) {
    case OP_ADD: return hlo_binary(h, "add", a[0], a[1], t);
    case OP_SUB: return hlo_binary(h, "subtract", a[0], a[1], t);
    case OP_MUL: return hlo_binary(h, "multiply", a[0], a[1], t);
    case OP_DIV:
    case OP_MOD: return division(h, op, a[0], a[1], t);
    case OP_QUOT: return hlo_binary(h, "divide", a[0], a[1], t);
    case OP_REM: return hlo_binary(h, "remainder", a[0], a[1], t);
    case OP_MIN:
    case OP_MIN_FIRST:
      return is_bool ? hlo_binary(h, "and", a[0], a[1], t) : extremum(h, false, a[0], a[1], t);
    case OP_MAX:
    case OP_MAX_FIRST:
      return is_bool ? hlo_binary(h, "or", a[0], a[1], t) : extremum(h, true, a[0], a[1], t);
    case OP_DETACH: return a[0];
    case OP_NEG: return hlo_unary(h, "negate", a[0], t);
    case OP_ABS:
      return prim_is_float(t.prim) || prim_is_signed(t.prim) ? hlo_unary(h, "abs", a[0], t) : a[0];
    case OP_SGN: return sign(h, a[0], t);
    case OP_AND: return hlo_binary(h, "and", a[0], a[1], t);
    case OP_OR: return hlo_binary(h, "or", a[0], a[1], t);
    case OP_XOR: return hlo_binary(h, "xor", a[0], a[1], t);
    case OP_NOT: return hlo_unary(h, "not", a[0], t);
    case OP_SHL:
    case OP_SHR:
    case OP_LSHR: return shift(h, op, a[0], a[1], t);
    case OP_POPC:
    case OP_CLZ:
    case OP_CTZ: return bit_count(h, op, a[0], t);
    case OP_MAD:
    case OP_FMA: return hlo_binary(h, "add", hlo_binary(h, "multiply", a[0], a[1], t), a[2], t);
  }
  return NULL;
}

static const char *powers(Hlo *h, Op op, const char *const *a, Type t) {
  if (!prim_is_float(t.prim)) return NULL;
  const double pi = 3.141592653589793238463;
  switch ((int)op) {
    case OP_POW: return hlo_binary(h, "power", a[0], a[1], t);
    case OP_POWZ: {
      const char *zero = hlo_full(h, 0, t);
      const char *pole = either(h, "and", hlo_compare(h, "EQ", a[0], zero, t),
                                hlo_compare(h, "LT", a[1], zero, t), t);
      return hlo_choose(h, pole, zero, hlo_binary(h, "power", a[0], a[1], t), t);
    }
    case OP_HYPOT: return hypotenuse(h, a[0], a[1], t);
    case OP_ATAN2: return hlo_binary(h, "atan2", a[0], a[1], t);
    case OP_ATAN2PI: return scaled(h, hlo_binary(h, "atan2", a[0], a[1], t), 1 / pi, t);
    case OP_GUARD: return guard(h, a[0], a[1], a[2], t);
    case OP_ISNAN: return hlo_compare(h, "NE", a[0], a[0], t);
    case OP_ISINF:
      return hlo_compare(h, "EQ", hlo_unary(h, "abs", a[0], t), hlo_full(h, INFINITY, t), t);
  }
  return NULL;
}

static const char *comparison(Hlo *h, Op op, const char *const *a, Type t) {
  switch ((int)op) {
    case OP_EQ: return hlo_compare(h, "EQ", a[0], a[1], t);
    case OP_NE: return hlo_compare(h, "NE", a[0], a[1], t);
    case OP_LT: return hlo_compare(h, "LT", a[0], a[1], t);
    case OP_LE: return hlo_compare(h, "LE", a[0], a[1], t);
    case OP_SELECT: return hlo_choose(h, a[0], a[1], a[2], t);
  }
  return NULL;
}

const char *hlo_op(Hlo *h, Op op, const char *const *args, Type t) {
  const char *r = arithmetic(h, op, args, t);
  if (!r) r = comparison(h, op, args, t);
  if (!r) r = powers(h, op, args, t);
  if (!r && prim_is_float(t.prim)) r = float_unary(h, op, args[0], t);
  if (!r)
    hlo_refuse(h, "%s at type %s has no StableHLO form", op_info[op].name, prim_info[t.prim].name);
  return r;
}
