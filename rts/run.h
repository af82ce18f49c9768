// run: functions of one real number out of line, for the strips of generated programs.
//   dz_exp_run_f64(x, parts)   of all of `parts` vectors of DZ_W values, in place
//   dz_exp_far_f64(x)          of one, where few of many iterations get
#ifndef DZ_RUN_H
#define DZ_RUN_H
#include "vec.h"

#define DZ_RUN(op, p, T)                                                                         \
  DZ_FAR T dz_##op##_far_##p(T x) { return dz_##op##_##p(x); }                                   \
  DZ_FAR void dz_##op##_run_##p(T *x, int64_t parts) {                                           \
    for (; parts > 0; parts--, x += DZ_W) {                                                      \
      DZ_SIMD for (int64_t l = 0; l < DZ_W; l++) x[l] = dz_##op##_##p(x[l]);                    \
    }                                                                                            \
  }
// Branch-free where all arguments of a vector are small enough.
#define DZ_TRIG_RUN(op, p, T)                                                                    \
  DZ_FAR T dz_##op##_far_##p(T x) { return dz_##op##_##p(x); }                                   \
  DZ_FAR void dz_##op##_run_##p(T *x, int64_t parts) {                                           \
    for (; parts > 0; parts--, x += DZ_W) {                                                      \
      int large = 0;                                                                             \
      for (int64_t l = 0; l < DZ_W; l++) large |= !(x[l] <= DZ_TRIG_MAX && x[l] >= -DZ_TRIG_MAX); \
      for (int64_t l = 0; large && l < DZ_W; l++) x[l] = dz_##op##_##p(x[l]);                    \
      if (large) continue;                                                                       \
      DZ_SIMD for (int64_t l = 0; l < DZ_W; l++) x[l] = dz_##op##_fast_##p(x[l]);               \
    }                                                                                            \
  }
#define DZ_RUNS(op) DZ_RUN(op, f64, double) DZ_RUN(op, f32, float)
#define DZ_LIBM_RUNS(op, call) DZ_RUNS(op)
DZ_LIBM(DZ_LIBM_RUNS)
DZ_RUNS(exp) DZ_RUNS(exp2) DZ_RUNS(exp10) DZ_RUNS(expm1) DZ_RUNS(log) DZ_RUNS(log1p)
DZ_TRIG_RUN(sin, f64, double) DZ_TRIG_RUN(sin, f32, float)
DZ_TRIG_RUN(cos, f64, double) DZ_TRIG_RUN(cos, f32, float)
DZ_RUNS(sinpi) DZ_RUNS(cospi) DZ_RUNS(tanpi)
DZ_RUNS(asinpi) DZ_RUNS(acospi) DZ_RUNS(atanpi) DZ_RUNS(tanh)
DZ_RUNS(lgamma) DZ_RUNS(digamma) DZ_RUNS(trigamma) DZ_RUNS(tetragamma)
#endif
