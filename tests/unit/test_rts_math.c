// Scalar operations of the run-time headers: elementary functions against the long double ones
// of libm (in units of the last place), special values, and integer operations against wide
// arithmetic.  Prints the largest error of every function with -v.
#include "rts/base.h"
#include "rts/vec.h"
#include <stdio.h>
#include <stdlib.h>

static int failures, checks;
#define EXPECT(cond) \
  (checks++,         \
   (cond) ? (void)0 : (failures++, (void)printf("%s:%d: %s\n", __FILE__, __LINE__, #cond)))

static uint64_t seed = 88172645463325252u;
static uint64_t next(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}
static double uniform(double lo, double hi) {
  return lo + (hi - lo) * ((double)(next() >> 11) * 0x1p-53);
}

// Distance of y from the exact value in units of the last place of `digits`-bit floats.
static double ulps(long double exact, double y, int digits, int lowest) {
  if (isnan(exact) || isnan(y)) return isnan(exact) && isnan(y) ? 0 : 1e9;
  if (isinf(y) || isinf(exact)) {
    int e;
    frexpl(exact, &e);
    return (long double)y == exact || (isinf(y) && e >= (digits == 53 ? 1024 : 128)) ? 0 : 1e9;
  }
  int e;
  frexpl(exact, &e);
  if (exact == 0 || e < lowest) e = lowest;
  return (double)(fabsl((long double)y - exact) / ldexpl(1, e - digits));
}

typedef struct {
  const char *name;
  double (*f)(double);
  float (*g)(float);
  long double (*exact)(long double);
  double lo, hi, limit, limit32;
} Case;

#define PIL 3.14159265358979323846264338327950288L
static long double sinpi_exact(long double x) {
  long double n = rintl(2 * x), t = x - n / 2, s = sinl(PIL * t), c = cosl(PIL * t);
  switch ((int)n & 3) {
    case 0: return s;
    case 1: return c;
    case 2: return -s;
    default: return -c;
  }
}
static long double cospi_exact(long double x) { return sinpi_exact(x + 0.5L); }

static const Case cases[] = {
    {"exp", dz_exp_f64, dz_exp_f32, expl, -20, 20, 1, 1},
    {"exp", dz_exp_f64, dz_exp_f32, expl, -760, 712, 1, 1},
    {"exp2", dz_exp2_f64, dz_exp2_f32, exp2l, -1080, 1025, 1.1, 1},
    {"exp2", dz_exp2_f64, dz_exp2_f32, exp2l, -3, 3, 1.1, 1},
    {"expm1", dz_expm1_f64, dz_expm1_f32, expm1l, -2, 2, 1.8, 1.7},
    {"expm1", dz_expm1_f64, dz_expm1_f32, expm1l, -60, 712, 1.7, 1.7},
    {"expm1", dz_expm1_f64, dz_expm1_f32, expm1l, -1e-5, 1e-5, 1.7, 1.7},
    {"log", dz_log_f64, dz_log_f32, logl, 0, 3, 1, 1},
    {"log", dz_log_f64, dz_log_f32, logl, 0, 1e300, 1, 1},
    {"log", dz_log_f64, dz_log_f32, logl, 0.9, 1.1, 1, 1},
    {"log1p", dz_log1p_f64, dz_log1p_f32, log1pl, -1, 3, 1.5, 1.5},
    {"log1p", dz_log1p_f64, dz_log1p_f32, log1pl, -1e-3, 1e-3, 1.5, 1.5},
    {"log1p", dz_log1p_f64, dz_log1p_f32, log1pl, 0, 1e18, 1.5, 1.5},
    {"tanh", dz_tanh_f64, dz_tanh_f32, tanhl, -5, 5, 2.5, 2.5},
    {"tanh", dz_tanh_f64, dz_tanh_f32, tanhl, -30, 30, 2.5, 2.5},
    {"sin", dz_sin_f64, dz_sin_f32, sinl, -10, 10, 1, 1},
    {"sin", dz_sin_f64, dz_sin_f32, sinl, -2e6, 2e6, 1, 1},
    {"cos", dz_cos_f64, dz_cos_f32, cosl, -10, 10, 1, 1},
    {"cos", dz_cos_f64, dz_cos_f32, cosl, -2e6, 2e6, 1, 1},
    {"sinpi", dz_sinpi_f64, dz_sinpi_f32, sinpi_exact, -4, 4, 1.1, 1},
    {"cospi", dz_cospi_f64, dz_cospi_f32, cospi_exact, -4, 4, 1.1, 1},
};

static void test_case(const Case *c, int count, bool verbose) {
  double worst = 0, at = 0, worst32 = 0, at32 = 0;
  for (int i = 0; i < count; i++) {
    double x = uniform(c->lo, c->hi);
    if (i % 3 == 0) x = x * ldexp(1, -(int)(next() % 40));
    double u = ulps(c->exact((long double)x), c->f(x), 53, -1021);
    if (u > worst) worst = u, at = x;
    float x32 = (float)x;
    double u32 = ulps(c->exact((long double)x32), (double)c->g(x32), 24, -125);
    if (u32 > worst32) worst32 = u32, at32 = (double)x32;
  }
  if (verbose)
    printf("%-6s %11g %11g  f64 %.3f at %.17g  f32 %.3f at %.9g\n", c->name, c->lo, c->hi, worst,
           at, worst32, at32);
  EXPECT(worst <= c->limit);
  EXPECT(worst32 <= c->limit32);
}

static bool same(double a, double b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}
#define SPECIAL(f, x, y) \
  (EXPECT(same(dz_##f##_f64(x), y)), EXPECT(same((double)dz_##f##_f32((float)(x)), y)))

static void test_special(void) {
  double inf = (double)INFINITY, nan = (double)NAN;
  SPECIAL(exp, 0.0, 1.0); SPECIAL(exp, inf, inf); SPECIAL(exp, -inf, 0.0); SPECIAL(exp, nan, nan);
  SPECIAL(exp2, 3.0, 8.0); SPECIAL(exp2, inf, inf); SPECIAL(exp2, -inf, 0.0);
  SPECIAL(expm1, -0.0, -0.0); SPECIAL(expm1, inf, inf); SPECIAL(expm1, -inf, -1.0);
  SPECIAL(expm1, nan, nan); SPECIAL(log, 1.0, 0.0); SPECIAL(log, 0.0, -inf);
  SPECIAL(log, -0.0, -inf); SPECIAL(log, -1.0, nan); SPECIAL(log, inf, inf);
  SPECIAL(log, nan, nan); SPECIAL(log, -inf, nan); SPECIAL(log1p, -0.0, -0.0);
  SPECIAL(log1p, -1.0, -inf); SPECIAL(log1p, -2.0, nan); SPECIAL(log1p, inf, inf);
  SPECIAL(log1p, nan, nan); SPECIAL(tanh, -0.0, -0.0); SPECIAL(tanh, inf, 1.0);
  SPECIAL(tanh, -inf, -1.0); SPECIAL(tanh, nan, nan); SPECIAL(sin, -0.0, -0.0);
  SPECIAL(sin, inf, nan); SPECIAL(cos, 0.0, 1.0); SPECIAL(cos, -inf, nan); SPECIAL(sin, nan, nan);
  SPECIAL(sinpi, 1.0, 0.0); SPECIAL(sinpi, 0.5, 1.0); SPECIAL(sinpi, -1.5, 1.0);
  SPECIAL(sinpi, inf, nan); SPECIAL(cospi, 0.5, 0.0); SPECIAL(cospi, 1.0, -1.0);
  SPECIAL(cospi, 1e20, 1.0); SPECIAL(round, 2.5, 2.0); SPECIAL(round, -0.5, -0.0);
  SPECIAL(round, 3.5, 4.0); SPECIAL(sgn, -0.0, 0.0); SPECIAL(sgn, nan, nan);
  SPECIAL(sgn, -inf, -1.0);
  EXPECT(same(dz_min_f64(nan, 1), 1) && same(dz_min_f64(1, nan), 1) && dz_max_f64(nan, 2) == 2);
  EXPECT(same(dz_exp_f64(-745.13), 0x1p-1074) && same(dz_log_f64(0x1p-1074), -744.44007192138127));
  EXPECT(fabs(dz_sin_f64(1e22) - -0.8522008497671888) < 1e-15);
}

static void test_psi(void) {
  EXPECT(dz_guard_f64(0, 2, 3) == 3 && dz_guard_f64(1, INFINITY, 3) == 3);
  EXPECT(dz_guard_f64(0, -INFINITY, 3) == 0 && dz_guard_f32(-0.0f, NAN, NAN) == 0);
  EXPECT(isnan(dz_guard_f64(NAN, INFINITY, NAN)));
  EXPECT(fabs(dz_digamma_f64(1) - -0.57721566490153286061) < 1e-15);
  EXPECT(fabs(dz_digamma_f64(0.25) - -4.2274535333762654081) < 4e-15);
  EXPECT(fabs(dz_digamma_f64(-2.5) - 1.1031566406452431872) < 4e-15);
  EXPECT(fabs(dz_digamma_f64(100) - 4.6001618527380874002) < 2e-15);
  EXPECT(fabs(dz_trigamma_f64(1) - 1.6449340668482264365) < 2e-15);
  EXPECT(fabs(dz_trigamma_f64(-0.3) - 13.945160267805722489) < 4e-14);
  EXPECT(fabs(dz_tetragamma_f64(1) - -2.4041138063191885708) < 4e-15);
  for (int i = 0; i < 200; i++) {
    double x = uniform(-4, 12), h = 1e-5;
    if (fabs(x - nearbyint(x)) < 0.05 && x < 0.5) continue;
    double d1 = (dz_digamma_f64(x + h) - dz_digamma_f64(x - h)) / (2 * h);
    double d2 = (dz_trigamma_f64(x + h) - dz_trigamma_f64(x - h)) / (2 * h);
    EXPECT(fabs(d1 - dz_trigamma_f64(x)) < 1e-4 * (1 + fabs(d1)));
    EXPECT(fabs(d2 - dz_tetragamma_f64(x)) < 1e-4 * (1 + fabs(d2)));
    double l = (dz_lgamma_f64(x + h) - dz_lgamma_f64(x - h)) / (2 * h);
    EXPECT(fabs(l - dz_digamma_f64(x)) < 1e-5 * (1 + fabs(l)));
  }
  EXPECT(isnan(dz_digamma_f64(-1)) && isnan(dz_trigamma_f64(-3)));
  EXPECT(isinf(dz_digamma_f64(0)) && isinf(dz_trigamma_f64(0)));
}

// Every f16 value survives the way up and down; rounding against exact arithmetic in f64.
static void test_half(void) {
  for (uint32_t h = 0; h < 65536; h++) {
    dz_f16 a = (dz_f16)h;
    dz_f16 b = dz_conv_f32_f16(dz_conv_f16_f32(a)), c = dz_conv_f64_f16(dz_conv_f16_f64(a));
    if (dz_isnan_f16(a)) EXPECT(dz_isnan_f16(b) && dz_isnan_f16(c));
    else EXPECT(a == b && a == c);
    if ((h & 0x7fff) >= 0x7bff) continue;
    double x = dz_conv_f16_f64(a), y = dz_conv_f16_f64((dz_f16)(h + 1)), middle = (x + y) / 2;
    dz_f16 even = (dz_f16)(h % 2 == 0 ? h : h + 1);
    EXPECT(dz_conv_f64_f16(middle) == even && dz_conv_f32_f16((float)middle) == even);
    EXPECT(dz_conv_f64_f16(nextafter(middle, x)) == a);
    EXPECT(dz_conv_f64_f16(nextafter(middle, y)) == (dz_f16)(h + 1));
    EXPECT(dz_nextafter_f16(a, dz_conv_f32_f16(h < 0x8000 ? INFINITY : -INFINITY)) ==
           (dz_f16)(h + 1));
  }
  EXPECT(dz_conv_f64_f16(65519) == 0x7bff && dz_conv_f64_f16(65520) == 0x7c00);
  EXPECT(dz_conv_f64_f16(1e300) == 0x7c00 && dz_conv_i32_f16(-3) == 0xc200);
}

// The floor laws on all pairs of 8-bit integers, by wide arithmetic.
static void test_small_ints(void) {
  for (int a = -128; a < 128; a++)
    for (int b = -128; b < 128; b++) {
      int8_t x = (int8_t)a, y = (int8_t)b;
      EXPECT(dz_add_i8(x, y) == (int8_t)(a + b) && dz_mul_i8(x, y) == (int8_t)(a * b));
      EXPECT(dz_mul_hi_i8(x, y) == (a * b) >> 8);
      EXPECT(dz_mul_hi_u8((uint8_t)a, (uint8_t)b) == (uint8_t)a * (uint8_t)b >> 8);
      if (b == 0) continue;
      int q = (int)floor((double)a / b);
      EXPECT(dz_div_i8(x, y) == (int8_t)q && dz_mod_i8(x, y) == (int8_t)(a - q * b));
      EXPECT(dz_quot_i8(x, y) == (int8_t)(a / b) && dz_rem_i8(x, y) == (int8_t)(a % b));
      EXPECT(dz_div_u8((uint8_t)a, (uint8_t)b) == (uint8_t)a / (uint8_t)b);
    }
}

static void test_ints(void) {
  EXPECT(dz_div_i64(INT64_MIN, -1) == INT64_MIN && dz_mod_i64(INT64_MIN, -1) == 0);
  EXPECT(dz_quot_i32(INT32_MIN, -1) == INT32_MIN && dz_neg_i64(INT64_MIN) == INT64_MIN);
  EXPECT(dz_mul_u16(65535, 65535) == 1 && dz_pow_i32(3, 4) == 81 && dz_pow_i32(2, 40) == 0);
  EXPECT(dz_pow_u8(3, 255) == 171 && dz_pow_i64(-1, 63) == -1 && dz_pow_i8(2, -1) == 1);
  EXPECT(dz_shl_i32(1, 31) == INT32_MIN && dz_shl_i32(1, 32) == 0 && dz_shl_i32(1, -1) == 0);
  EXPECT(dz_shr_i32(-8, 1) == -4 && dz_shr_i32(-8, 99) == -1 && dz_lshr_i32(-8, 1) == 0x7ffffffc);
  EXPECT(dz_shr_u8(200, 3) == 25 && dz_shr_i8(-128, -3) == -1 && dz_lshr_i8(-1, 4) == 15);
  EXPECT(dz_popc_i8(-1) == 8 && dz_clz_i8(1) == 7 && dz_ctz_i64(0) == 64 && dz_clz_u16(0) == 16);
  EXPECT(dz_clz_i8(-1) == 0 && dz_popc_i64(-1) == 64 && dz_ctz_u8(128) == 7);
  EXPECT(dz_mul_hi_i64(INT64_MIN, INT64_MIN) == (int64_t)1 << 62);
  EXPECT(dz_mul_hi_u64(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
  EXPECT(dz_mad_hi_u32(0xffffffffu, 0xffffffffu, 2) == 0);
  EXPECT(dz_abs_i8(-128) == -128 && dz_sgn_i16(-7) == -1 && dz_not_u8(0) == 255);
}

static void test_conversions(void) {
  double inf = (double)INFINITY, nan = (double)NAN;
  EXPECT(dz_conv_i8_u64(-1) == UINT64_MAX && dz_conv_u8_i64(255) == 255);
  EXPECT(dz_conv_u32_i32(4294967295u) == -1 && dz_conv_i64_i8(300) == 44);
  EXPECT(dz_conv_f64_i32(nan) == 0 && dz_conv_f64_i32(inf) == 0 && dz_conv_f64_i64(-inf) == 0);
  EXPECT(dz_conv_f64_i32(1e10) == INT32_MAX && dz_conv_f64_i32(-2.9) == -2);
  EXPECT(dz_conv_f64_u8(-1) == 255 && dz_conv_f64_u32(3e9) == 3000000000u);
  EXPECT(dz_conv_f64_u64(1.8e19) == 18000000000000000000u && dz_conv_f64_u64(-1) == UINT64_MAX);
  EXPECT(dz_conv_f32_i64(9.3e18f) > INT64_C(9000000000000000000) &&
         dz_conv_f64_i64(-9.3e18) == INT64_MIN);
  EXPECT(dz_conv_f32_i32(2147483648.0f) == 2147483520 && dz_conv_f64_bool(nan));
  EXPECT(dz_conv_u64_f64(UINT64_MAX) == 0x1p64 && dz_conv_bool_f32(true) == 1);
  EXPECT(dz_block_bytes_i64(1000) == 1024 && dz_block_bytes_i64(300001) == 301056);
  EXPECT(dz_within_block_i64(1564, 1) == 1536 && dz_within_block_i64(301055, 1) == 299008);
  EXPECT(dz_within_block_i64(100, 10) == 76 && dz_within_block_i64(5, 0) == 5 &&
         dz_within_block_i64(-3, 8) == -3);
  EXPECT(dz_ldexp_f64(1.5, 4) == 24 && dz_lerp_f64(2, 4, 5) == 4 &&
         dz_to_bits_f32(1) == 0x3f800000);
}

// Values with 40 digits from the Euler-Maclaurin sum, rounded.
static void test_polygamma(void) {
  static const struct {
    int n;
    double x, want;
  } rows[] = {
      {3, 1.0, 6.4939394022668291491}, {3, 0.25, 1538.782144009188396},
      {3, -0.5, 193.40909103400243724}, {3, 100.0, 2.0301999900013330334e-6},
      {4, 1.0, -24.886266123440878232}, {4, 2.5, -0.31375599950673136338},
      {4, -2.75, -24481.624740671532816}, {5, 0.001, 1.1999999999999998513e+20},
      {5, 12.5, 0.000095622715971076443425}, {6, -10.4, 413775.16699992439516},
      {7, 3.0, 0.86237523763947046857}, {10, 0.75, -85926737.208880438653},
      {12, -0.125, 2.6333391445893619246e+20}, {20, 1.5, -487772949462609.87364},
      {40, 30.0, -3.0429735220797229567e-13}, {100, 7.0, -4.1219452284694497496e+72},
      {160, 5.5, -2.9858173142559310458e+165},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double got = dz_polygamma_f64(rows[i].x, rows[i].n);
    EXPECT(fabs(got - rows[i].want) <= 1e-13 * fabs(rows[i].want));
  }
  for (int i = 0; i < 400; i++) {
    double x = uniform(-4, 12), h = 1e-4;
    int n = i % 8;
    if (fabs(x - nearbyint(x)) < 0.1 && x < 0.5) continue;
    double d = (dz_polygamma_f64(x + h, n) - dz_polygamma_f64(x - h, n)) / (2 * h);
    EXPECT(fabs(d - dz_polygamma_f64(x, n + 1)) < 1e-3 * (1 + fabs(d)));
  }
  double inf = (double)INFINITY;
  EXPECT(same(dz_polygamma_f64(-1, 3), (double)NAN) && same(dz_polygamma_f64(2, 2.5), (double)NAN));
  EXPECT(same(dz_polygamma_f64(2, -1), (double)NAN) && same(dz_polygamma_f64(2, 1e9), (double)NAN));
  EXPECT(dz_polygamma_f64(0, 3) == inf && dz_polygamma_f64(0, 4) == -inf);
  EXPECT(dz_polygamma_f64(inf, 3) == 0 && dz_polygamma_f64(1e-300, 3) == inf);
  EXPECT(dz_polygamma_f32(1, 3) == 6.4939394f && dz_polygamma_f64(4.5, 0) == dz_digamma_f64(4.5));
}

static void test_sgn(void) {
  const double inf = (double)INFINITY, nan = (double)NAN;
  const double xs[] = {0.0, -0.0, 1.5, -2, inf, -inf, nan, 0x1p-1074, -0x1p-1074};
  for (size_t i = 0; i < sizeof xs / sizeof *xs; i++) {
    const double y = dz_vsgn_f64(dz_splat_f64(xs[i]))[0];
    const float z = dz_vsgn_f32(dz_splat_f32((float)xs[i]))[0];
    EXPECT(same(y, dz_sgn_f64(xs[i])) && same((double)z, (double)dz_sgn_f32((float)xs[i])));
  }
}

// Windows of rows, `live` of n there, each of `steps`: u[j n + l] is value j of row l.
static void test_rows_of(int64_t live, int64_t n, int64_t steps, int64_t stride) {
  enum { MOST = 64 };
  double from[MOST * MOST], u[MOST * MOST];
  int32_t ints[MOST * MOST], v[MOST * MOST];
  int64_t wrong = 0;
  for (int i = 0; i < MOST * MOST; i++) from[i] = i + 1, ints[i] = i + 1, u[i] = -1, v[i] = -1;
  dz_ldt_f64(u, from, stride, live, n, steps);
  dz_ldt_i32(v, ints, stride, live, n, steps);
  for (int64_t i = 0; i < MOST * MOST; i++) {
    const int64_t j = i / n, l = i % n;
    const int64_t x = j >= steps ? -1 : l >= live ? 0 : l * stride + j + 1;
    wrong += u[i] != (double)x || v[i] != x;
  }
  EXPECT(wrong == 0);
}

static void test_rows(void) {
  static const int64_t counts[] = {0, 1, 3, 4, 8, 9, 16, 21, 32};
  for (int64_t n = DZ_W; n <= 4 * DZ_W; n *= 2)
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
      for (int64_t steps = 0; steps <= 16; steps++)
        test_rows_of(counts[i], n, steps, steps + (int64_t)(next() % 4));
}

int main(int argc, char **argv) {
  bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  int count = verbose ? 300000 : 20000;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) test_case(&cases[i], count, verbose);
  test_special();
  test_psi();
  test_polygamma();
  test_half();
  test_small_ints();
  test_ints();
  test_conversions();
  test_sgn();
  test_rows();
  printf("%d passed, %d failed\n", checks - failures, failures);
  return failures != 0;
}
