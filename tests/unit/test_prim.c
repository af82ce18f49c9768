// The operation table: every derivative column against central differences at points on both
// sides of kinks, the chosen values at special points, wrapping integers, text of scalars.
#include "prim/prim.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

static void expect(bool ok, const char *fmt, ...) {
  va_list args;
  if (ok) {
    passed++;
    return;
  }
  failed++;
  printf("FAIL ");
  va_start(args, fmt);
  vprintf(fmt, args);
  va_end(args);
  printf("\n");
}

static const double points[] = {-3.3, -1.7, -0.9, -0.45, -0.12, 0.13, 0.3, 0.85, 1.6, 2.9, 4.2};

static Scalar operand(Op op, Prim p, int i, double x) {
  return scalar_number(op_arg(op, p, i), op_arg(op, p, i) == PRIM_BOOL ? x > 0 : x);
}

static double value_of(Op op, Prim p, const Scalar *args) {
  Scalar out = scalar_number(p, 0);
  return op_eval(op, p, args, &out) && prim_is_float(out.prim) ? out.f : NAN;
}

static double slope(Op op, Prim p, const Scalar *args, int i, double from, double to) {
  Scalar low[3], high[3];
  memcpy(low, args, sizeof low);
  memcpy(high, args, sizeof high);
  low[i] = scalar_float(p, args[i].f + from);
  high[i] = scalar_float(p, args[i].f + to);
  return (value_of(op, p, high) - value_of(op, p, low)) / (high[i].f - low[i].f);
}

// Extrapolated central difference in operand i; NAN where there is a jump or a kink nearby.
static double difference(Op op, Prim p, const Scalar *args, int i, double h) {
  double left = slope(op, p, args, i, -h, 0), right = slope(op, p, args, i, 0, h);
  if (!(fabs(left - right) <= 0.5 * fmax(1, fabs(left)))) return NAN;
  double wide = slope(op, p, args, i, -h, h), close = slope(op, p, args, i, -h / 2, h / 2);
  if (!(fabs(wide - close) <= 0.1 * fmax(1, fabs(close)))) return NAN;
  return close + (close - wide) / 3;
}

// In f32 a step takes in few digits: only the size of the derivative can be told.
static void float_partial(Op op, Prim p, const Scalar *args, int i) {
  Scalar r = scalar_number(p, 0);
  if (op_arg(op, p, i) != p || !op_eval(op, p, args, &r) || !isfinite(r.f)) return;
  const Term *term = op_partial(op, p, i);
  double got = term ? term_eval(term, p, args, r).f : 0;
  double want = difference(op, p, args, i, p == PRIM_F64 ? 1e-3 : 2e-2);
  if (!isfinite(want)) return;
  double tolerance = p == PRIM_F64 ? 2e-6 : 2e-2;
  double size = fmax(1, fmax(fabs(want), fabs(r.f)));
  expect(fabs(got - want) <= tolerance * size, "%s %s (%g, %g, %g): d/d%c is %g, should be %g",
         op_info[op].name, prim_info[p].name, args[0].f, args[1].f, args[2].f, "abc"[i], got, want);
}

static void float_row(Op op, Prim p) {
  if (!op_exists(op, p) || !prim_is_float(op_result(op, p)) || op == OP_NEXTAFTER ||
      op == OP_DETACH)
    return;
  int n = COUNT_OF(points), arity = op_info[op].arity;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < (arity > 1 ? n : 1); b++)
      for (int c = 0; c < (arity > 2 ? n : 1); c++) {
        Scalar args[3] = {operand(op, p, 0, points[a])};
        args[1] = arity > 1 ? operand(op, p, 1, points[b] + 0.035) : args[0];
        args[2] = arity > 2 ? operand(op, p, 2, points[c] + 0.091) : args[0];
        for (int i = 0; i < arity; i++) float_partial(op, p, args, i);
      }
}

static double partial_at(Op op, int i, double a, double b) {
  Scalar args[3] = {operand(op, PRIM_F64, 0, a), operand(op, PRIM_F64, 1, b), scalar_bool(false)};
  Scalar r = scalar_number(PRIM_F64, 0);
  op_eval(op, PRIM_F64, args, &r);
  const Term *term = op_partial(op, PRIM_F64, i);
  return term ? term_eval(term, PRIM_F64, args, r).f : 0;
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void special_points(void) {
  static const struct {
    Op op;
    int i;
    double a, b, want;
  } rows[] = {
      {OP_POW, 0, 0, 0, 0},   {OP_POW, 1, 0, 0, 0},      {OP_POW, 0, 0, 1, 1},
      {OP_POW, 1, 0, 1, 0},   {OP_POW, 1, -2, 3, 0},     {OP_POW, 0, -2, 3, 12},
      {OP_MIN, 0, 2, 2, 0.5}, {OP_MIN, 1, 2, 2, 0.5},      {OP_MIN, 0, 2, NAN, 1},
      {OP_MIN, 1, NAN, 2, 1}, {OP_MIN, 1, 2, NAN, 0},    {OP_MIN, 0, NAN, 2, 0},
      {OP_MAX, 0, 2, 2, 0.5}, {OP_MAX, 1, 2, 2, 0.5},      {OP_MAX, 0, 2, NAN, 1},
      {OP_MAX, 1, NAN, 2, 1}, {OP_ABS, 0, 0, 0, 0},      {OP_SQRT, 0, 0, 0, 0},
      {OP_CBRT, 0, 0, 0, 0}, {OP_ASIN, 0, 1, 0, INFINITY}, {OP_ACOS, 0, 1, 0, -INFINITY},
      {OP_ATAN2, 0, 0, 0, 0}, {OP_ATAN2, 1, 0, 0, 0},    {OP_HYPOT, 0, 0, 0, 0},
      {OP_HYPOT, 1, 0, 0, 0}, {OP_COPYSIGN, 0, 0, 1, 0}, {OP_NEXTAFTER, 0, 1, 2, 1},
      {OP_NEXTAFTER, 1, 1, 2, 0}, {OP_FLOOR, 0, 2, 0, 0}, {OP_ROUND, 0, 0.5, 0, 0},
      {OP_MOD, 0, 7, 3, 1},   {OP_MOD, 1, 7, 3, -2},     {OP_MOD, 1, -7, 3, 2},
      {OP_ATAN2, 0, 0, 1e200, 1e-200}, {OP_DIV, 0, 1, 0, INFINITY},
      {OP_POW, 0, 0, 0.5, 0},  {OP_POWZ, 0, 0, -0.5, 0}, {OP_POWZ, 1, 0, -0.5, 0},
      {OP_POWZ, 0, 0, 1.5, 0}, {OP_POWZ, 0, 2, 3, 12},   {OP_ATAN2PI, 0, 0, 0, 0},
      {OP_MIN_FIRST, 0, 2, 2, 1}, {OP_MIN_FIRST, 1, 2, 2, 0}, {OP_MAX_FIRST, 0, 2, 2, 1},
      {OP_MAX_FIRST, 1, 2, 2, 0}, {OP_MAX, 0, -INFINITY, -INFINITY, 0.5}, {OP_MIN, 1, 0, -0.0, 0.5},
      {OP_DETACH, 0, 2, 2, 0},
      {OP_POLYGAMMA, 0, 2, 3, -0.886266123440878232}, {OP_POLYGAMMA, 1, 2, 3, 0},
  };
  for (int k = 0; k < COUNT_OF(rows); k++) {
    double got = partial_at(rows[k].op, rows[k].i, rows[k].a, rows[k].b);
    expect(same(got, rows[k].want) || fabs(got - rows[k].want) <= 1e-12 * fabs(rows[k].want),
           "%s (%g, %g): d/d%c is %g, should be %g", op_info[rows[k].op].name, rows[k].a,
           rows[k].b, "ab"[rows[k].i], got, rows[k].want);
  }
}

// Where an integer operation is a polynomial in an operand, f(x+1) - f(x) is its partial there,
// wrapping included.
static void int_differences(Prim p) {
  static const Op linear[] = {OP_ADD, OP_SUB, OP_MUL, OP_NEG, OP_SHL};
  static const int64_t values[] = {0, 1, 2, 5, 100, 127, 250, -1, -7, INT64_MAX, INT64_MIN};
  for (int k = 0; k < COUNT_OF(linear); k++)
    for (int a = 0; a < COUNT_OF(values); a++)
      for (int b = 0; b < COUNT_OF(values); b++) {
        Op op = linear[k];
        Scalar args[3] = {scalar_int(p, values[a]), scalar_int(p, values[b]), scalar_int(p, 0)};
        if (op == OP_SHL) args[1] = scalar_int(p, values[b] & 7);
        Scalar next[3] = {scalar_int(p, values[a] + 0), args[1], args[2]}, r0, r1;
        next[0] = scalar_int(p, (int64_t)((uint64_t)args[0].i + 1));
        op_eval(op, p, args, &r0);
        op_eval(op, p, next, &r1);
        const Term *term = op_partial(op, p, 0);
        Scalar got = term ? term_eval(term, p, args, r0) : scalar_int(p, 0);
        Scalar want = scalar_int(p, (int64_t)((uint64_t)r1.i - (uint64_t)r0.i));
        expect(scalar_same(got, want), "%s %s (%lld, %lld): partial %lld, should be %lld",
               op_info[op].name, prim_info[p].name, (long long)args[0].i, (long long)args[1].i,
               (long long)got.i, (long long)want.i);
      }
}

// Every integer partial can be evaluated anywhere: no generated division fails.
static void int_partials_total(Prim p) {
  static const int64_t values[] = {0, 1, 2, 16, 31, 64, 128, -1, -128, INT64_MIN, 1LL << 32};
  for (Op op = 0; op < OP_COUNT; op++)
    for (int a = 0; op_exists(op, p) && a < COUNT_OF(values); a++)
      for (int b = 0; b < COUNT_OF(values); b++) {
        Scalar args[3] = {operand(op, p, 0, 0), scalar_int(p, values[b]), scalar_int(p, 3)};
        if (op != OP_SELECT) args[0] = scalar_int(p, values[a]);
        Scalar r = scalar_int(p, 0);
        if (!op_eval(op, p, args, &r)) continue;
        for (int i = 0; i < op_info[op].arity; i++)
          if (op_partial(op, p, i)) term_eval(op_partial(op, p, i), p, args, r), passed++;
      }
}

static void known_ints(void) {
  Scalar args[3] = {scalar_int(PRIM_I32, 65536), scalar_int(PRIM_I32, 65536)}, r;
  args[2] = args[0];
  op_eval(OP_MUL, PRIM_I32, args, &r);
  expect(r.i == 0, "65536i32 * 65536i32 is %lld", (long long)r.i);
  args[0] = scalar_int(PRIM_I8, -128), args[1] = scalar_int(PRIM_I8, -1);
  expect(op_eval(OP_DIV, PRIM_I8, args, &r) && r.i == -128, "-128i8 / -1i8");
  args[0] = scalar_int(PRIM_I32, -7), args[1] = scalar_int(PRIM_I32, 2);
  expect(op_eval(OP_DIV, PRIM_I32, args, &r) && r.i == -4, "-7 / 2");
  expect(op_eval(OP_MOD, PRIM_I32, args, &r) && r.i == 1, "-7 %% 2");
  expect(op_eval(OP_QUOT, PRIM_I32, args, &r) && r.i == -3, "-7 quot 2");
  expect(op_eval(OP_REM, PRIM_I32, args, &r) && r.i == -1, "-7 rem 2");
  args[1] = scalar_int(PRIM_I32, 0);
  expect(!op_eval(OP_DIV, PRIM_I32, args, &r), "division by zero succeeds");
  args[0] = scalar_int(PRIM_U8, 200), args[1] = scalar_int(PRIM_U8, 100);
  expect(op_eval(OP_ADD, PRIM_U8, args, &r) && r.i == 44, "200u8 + 100u8");
}

static void text_round_trip(void) {
  Scalar all[] = {scalar_int(PRIM_I8, -128),       scalar_int(PRIM_U64, -1),
                  scalar_int(PRIM_I64, INT64_MIN), scalar_float(PRIM_F64, 0.1),
                  scalar_float(PRIM_F64, -0.0),    scalar_float(PRIM_F32, 1.0 / 3),
                  scalar_float(PRIM_F16, 65504),   scalar_float(PRIM_F64, NAN),
                  scalar_float(PRIM_F32, -INFINITY), scalar_float(PRIM_F64, 5e-324),
                  scalar_bool(true),               scalar_int(PRIM_UNIT, 0)};
  for (int i = 0; i < COUNT_OF(all); i++) {
    Text text = {0};
    Scalar back = scalar_bool(false);
    scalar_print(&text, all[i]);
    expect(scalar_parse(text.at, text.len, &back) && scalar_same(all[i], back), "%s reads back",
           text.at);
    text_free(&text);
  }
}

static void conversions(void) {
  expect(scalar_convert(PRIM_I32, scalar_float(PRIM_F64, -2.9)).i == -2, "-2.9 to i32");
  expect(scalar_convert(PRIM_I64, scalar_float(PRIM_F64, NAN)).i == 0, "nan to i64");
  expect(scalar_convert(PRIM_U8, scalar_int(PRIM_I32, 300)).i == 44, "300 to u8");
  expect(scalar_convert(PRIM_F64, scalar_bool(true)).f == 1, "true to f64");
  expect(scalar_convert(PRIM_BOOL, scalar_int(PRIM_I8, 2)).i == 1, "2 to bool");
  for (Prim p = 0; p < PRIM_UNIT; p++)
    for (Prim q = 0; q < PRIM_UNIT; q++)
      expect(scalar_is(scalar_convert(q, scalar_number(p, 1)), 1), "1 from %s to %s",
             prim_info[p].name, prim_info[q].name);
}

int main(void) {
  for (Op op = 0; op < OP_COUNT; op++) {
    float_row(op, PRIM_F64);
    float_row(op, PRIM_F32);
  }
  special_points();
  for (Prim p = PRIM_I8; p <= PRIM_U64; p++) {
    int_differences(p);
    int_partials_total(p);
  }
  known_ints();
  text_round_trip();
  conversions();
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
