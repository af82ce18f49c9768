// Monte Carlo arithmetic: the result of an inexact operation on floats moves at random by up to one
// unit in its last place.  The digits in which several such calls differ come from roundings alone.
// Reductions and scans group their elements at random then (soacs.c), and a product of a zero
// derivative and an infinite number or NaN is NaN or 0: the optimiser may see that zero or not.
// Source: D. S. Parker, Monte Carlo Arithmetic, UCLA CSD-970002, 1997.
#include "local.h"
#include <math.h>

// Source: Steele, Lea, Flood, Fast splittable pseudorandom generators, 2014.
static uint64_t next_random(uint64_t *state) {
  uint64_t h = *state += UINT64_C(0x9E3779B97F4A7C15);
  h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  h = (h ^ h >> 27) * UINT64_C(0x94D049BB133111EB);
  return h ^ h >> 31;
}

bool random_bit(Interp *in) { return next_random(&in->options.rounding) >> 63; }

// Sums, products and quotients by their error, computed without another error; other functions
// where the result is an integer or, but for the sign, an operand.
static bool is_exact(Op op, const Scalar *args, int count, double result) {
  double a = args[0].f, b = count > 1 ? args[1].f : 0;
  if (op == OP_SUB) b = -b;
  double rest = result - a;
  if (op == OP_ADD || op == OP_SUB) return (a - (result - rest)) + (b - rest) == 0;
  if (op == OP_MUL) return fma(a, b, -result) == 0;
  if (op == OP_DIV) return fma(result, b, -a) == 0;
  bool exact = nearbyint(result) == result;
  for (int i = 0; i < count; i++)
    exact = exact || (prim_is_float(args[i].prim) && fabs(args[i].f) == fabs(result));
  return exact;
}

static double unit_of(Prim p, double x) {
  int exponent;
  frexp(x, &exponent);
  return ldexp(1, exponent - (p == PRIM_F64 ? 53 : p == PRIM_F32 ? 24 : 11));
}

static bool has_zero_derivative(const Interp *in, Op op, const Scalar *args) {
  if (op != OP_MUL || !in->stm) return false;
  const int linear = in->stm->attrs.linear;
  return ((linear & 1) && args[0].f == 0) || ((linear & 2) && args[1].f == 0);
}

void round_at_random(Interp *in, Op op, const Scalar *args, int count, Scalar *result) {
  if (!in->options.rounding || !prim_is_float(result->prim)) return;
  if (isnan(result->f) && has_zero_derivative(in, op, args) && random_bit(in))
    *result = scalar_float(result->prim, 0);
  if (!isfinite(result->f)) return;
  if (op == OP_SELECT || is_exact(op, args, count, result->f)) return;
  double share = (double)(int64_t)next_random(&in->options.rounding) * 0x1p-63;  // of -1 to 1
  double by = share * unit_of(result->prim, result->f);
  *result = scalar_float(result->prim, result->f + by);
}
