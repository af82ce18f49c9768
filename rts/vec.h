// vec: vectors of DZ_W values for the strips of generated programs, whatever the element's size.
// Access with a stride is out of line but in the longest strips: inline it is most of a program's
// text and no faster.
// DZ_W is the number of f64 lanes of the target, with AVX and DZ_SINGLE that of f32 lanes (tests
// define it as 1 to reach strips with short arrays).  Truth values are i64 lanes of 0 or -1.
#ifndef DZ_VEC_H
#define DZ_VEC_H
#include "base.h"

#if defined(DZ_W)
#elif defined(__AVX512F__)
#define DZ_W 8
#elif defined(__AVX__) && defined(DZ_SINGLE)
#define DZ_W 8
#elif defined(__AVX__)
#define DZ_W 4
#else
#define DZ_W 2
#endif
typedef double DzVf64 __attribute__((vector_size(8 * DZ_W)));
typedef float DzVf32 __attribute__((vector_size(4 * DZ_W)));
typedef int64_t DzVi64 __attribute__((vector_size(8 * DZ_W)));
typedef uint64_t DzVu64 __attribute__((vector_size(8 * DZ_W)));
typedef int32_t DzVi32 __attribute__((vector_size(4 * DZ_W)));
typedef uint32_t DzVu32 __attribute__((vector_size(4 * DZ_W)));
typedef DzVi64 DzVbool;
typedef double DzUf64 __attribute__((vector_size(8 * DZ_W), aligned(8), may_alias));
typedef float DzUf32 __attribute__((vector_size(4 * DZ_W), aligned(4), may_alias));
typedef int64_t DzUi64 __attribute__((vector_size(8 * DZ_W), aligned(8), may_alias));
typedef int32_t DzUi32 __attribute__((vector_size(4 * DZ_W), aligned(4), may_alias));
typedef uint32_t DzUu32 __attribute__((vector_size(4 * DZ_W), aligned(4), may_alias));
typedef uint8_t DzU8 __attribute__((vector_size(DZ_W), aligned(1), may_alias));

#if DZ_W == 8
#define DZ_REVERSED(v) __builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0)
#define DZ_ALL(E) E(0), E(1), E(2), E(3), E(4), E(5), E(6), E(7)
#elif DZ_W == 4
#define DZ_REVERSED(v) __builtin_shufflevector(v, v, 3, 2, 1, 0)
#define DZ_ALL(E) E(0), E(1), E(2), E(3)
#elif DZ_W == 2
#define DZ_REVERSED(v) __builtin_shufflevector(v, v, 1, 0)
#define DZ_ALL(E) E(0), E(1)
#else
#define DZ_REVERSED(v) v
#define DZ_ALL(E) E(0)
#endif
#define DZ_FROM(l) from[(l)*stride]
#define DZ_FROM_bool(l) -(int64_t)from[(l)*stride]
#define DZ_STEP(l) base + (l)*slope
#define DZ_LESS(l) -(int64_t)((l) < n)

// Macros: they are in every line of a strip, and inlining takes the C compiler time.
#define DZ_AT(U, at) (*(U *)(void *)(at))
#define DZ_AT_CONST(U, at) (*(const U *)(const void *)(at))
#define dz_ld_f64(from) ((DzVf64)DZ_AT_CONST(DzUf64, from))
#define dz_ld_f32(from) ((DzVf32)DZ_AT_CONST(DzUf32, from))
#define dz_ld_i64(from) ((DzVi64)DZ_AT_CONST(DzUi64, from))
#define dz_ld_i32(from) ((DzVi32)DZ_AT_CONST(DzUi32, from))
#define dz_ld_u32(from) ((DzVu32)DZ_AT_CONST(DzUu32, from))
#define dz_st_f64(to, v) ((void)(DZ_AT(DzUf64, to) = (DzUf64)(v)))
#define dz_st_f32(to, v) ((void)(DZ_AT(DzUf32, to) = (DzUf32)(v)))
#define dz_st_i64(to, v) ((void)(DZ_AT(DzUi64, to) = (DzUi64)(v)))
#define dz_st_i32(to, v) ((void)(DZ_AT(DzUi32, to) = (DzUi32)(v)))
#define dz_st_u32(to, v) ((void)(DZ_AT(DzUu32, to) = (DzUu32)(v)))

#define DZ_VEC_COMMON(p, T)                                                                      \
  static inline DzV##p dz_splat_##p(T x) { return x - (DzV##p){0}; }                             \
  static inline DzV##p dz_ldr_##p(const T *from) {                                               \
    const DzV##p v = dz_ld_##p(from - (DZ_W - 1));                                               \
    return DZ_REVERSED(v);                                                                       \
  }                                                                                              \
  static inline void dz_str_##p(T *to, DzV##p v) { dz_st_##p(to - (DZ_W - 1), DZ_REVERSED(v)); }
DZ_VEC_COMMON(f64, double)
DZ_VEC_COMMON(f32, float)
DZ_VEC_COMMON(i64, int64_t)
DZ_VEC_COMMON(i32, int32_t)
DZ_VEC_COMMON(u32, uint32_t)

static inline DzVu64 dz_splat_u64(uint64_t x) { return x - (DzVu64){0}; }
static inline DzVbool dz_splat_bool(bool x) { return dz_splat_i64(-(int64_t)x); }
static inline DzVbool dz_ld_bool(const bool *from) {
  return __builtin_convertvector(*(const DzU8 *)(const void *)from, DzVi64) != 0;
}
static inline void dz_st_bool(bool *to, DzVbool m) {
  *(DzU8 *)(void *)to = (DzU8)(__builtin_convertvector(m, DzU8) & 1);
}

// ---- windows: `n` adjacent values in place of memory with a stride (lds, sts) or of the
// end of it (ldl, stl); only `live` of them are there, the others read as 0.  repeat: they are the
// first one.
#define DZ_VEC_WINDOW(p, T, FROM)                                                                  \
  DZ_FAR void dz_lds_##p(T *restrict u, const T *restrict from, int64_t stride, int64_t live,    \
                         int64_t n) {                                                            \
    const int64_t most = live < n ? live : n;                                                    \
    int64_t l = 0;                                                                               \
    for (; l + DZ_W <= most; l += DZ_W, from += DZ_W * stride)                                   \
      dz_st_##p(u + l, ((DzV##p){DZ_ALL(FROM)}));                                                  \
    for (int64_t z = l; z < n; z += DZ_W) dz_st_##p(u + z, ((DzV##p){0}));                       \
    for (; l < most; l++, from += stride) u[l] = *from;                                          \
  }                                                                                              \
  DZ_FAR void dz_sts_##p(T *restrict to, const T *restrict u, int64_t stride, int64_t live,      \
                         int64_t n) {                                                            \
    const int64_t most = live < n ? live : n;                                                    \
    for (int64_t l = 0; l < most; l++) to[l * stride] = u[l];                                    \
  }                                                                                              \
  static inline void dz_ldl_##p(T *u, const T *from, int64_t live, int64_t n) {                  \
    for (int64_t l = 0; l < n; l++) u[l] = l < live ? from[l] : (T)0;                            \
  }                                                                                              \
  static inline void dz_stl_##p(T *to, const T *u, int64_t live, int64_t n) {                    \
    for (int64_t l = 0; l < live && l < n; l++) to[l] = u[l];                                    \
  }                                                                                              \
  static inline void dz_repeat_##p(T *t, int64_t live, int64_t n) {                              \
    for (int64_t l = live; l < n; l++) t[l] = t[0];                                              \
  }
DZ_VEC_WINDOW(f64, double, DZ_FROM) DZ_VEC_WINDOW(f32, float, DZ_FROM)
DZ_VEC_WINDOW(i64, int64_t, DZ_FROM) DZ_VEC_WINDOW(i32, int32_t, DZ_FROM)
DZ_VEC_WINDOW(u32, uint32_t, DZ_FROM) DZ_VEC_WINDOW(bool, bool, DZ_FROM_bool)

// ---- rows at a distance of `stride`: for each of `steps` steps a window of n values, one of each
// row, of which the last n - live read as 0.  DZ_W steps of DZ_W rows are transposed at once:
// blocks of 1, of 2, .. values change places.
#define DZ_PAIR(a, b, size)                \
  {                                        \
    const V low = DZ_LOW##size(a, b);      \
    b = DZ_HIGH##size(a, b);               \
    a = low;                               \
  }
#if DZ_W == 8
#define DZ_LOW1(a, b) __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define DZ_HIGH1(a, b) __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define DZ_LOW2(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define DZ_HIGH2(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define DZ_LOW4(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define DZ_HIGH4(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#define DZ_TURN                                                                                    \
  DZ_PAIR(v0, v1, 1) DZ_PAIR(v2, v3, 1) DZ_PAIR(v4, v5, 1) DZ_PAIR(v6, v7, 1)                      \
  DZ_PAIR(v0, v2, 2) DZ_PAIR(v1, v3, 2) DZ_PAIR(v4, v6, 2) DZ_PAIR(v5, v7, 2)                      \
  DZ_PAIR(v0, v4, 4) DZ_PAIR(v1, v5, 4) DZ_PAIR(v2, v6, 4) DZ_PAIR(v3, v7, 4)
#elif DZ_W == 4
#define DZ_LOW1(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define DZ_HIGH1(a, b) __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define DZ_LOW2(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define DZ_HIGH2(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#define DZ_TURN                                                                                    \
  DZ_PAIR(v0, v1, 1) DZ_PAIR(v2, v3, 1) DZ_PAIR(v0, v2, 2) DZ_PAIR(v1, v3, 2)
#elif DZ_W == 2
#define DZ_LOW1(a, b) __builtin_shufflevector(a, b, 0, 2)
#define DZ_HIGH1(a, b) __builtin_shufflevector(a, b, 1, 3)
#define DZ_TURN DZ_PAIR(v0, v1, 1)
#else
#define DZ_TURN
#endif
#define DZ_ROW(l) v##l = (V)DZ_AT_CONST(U, from + (l) * stride + j)
#define DZ_COLUMN(l) DZ_AT(U, to + (l) * n) = (U)v##l
#define DZ_VEC_ROWS(p, T)                                                                          \
  DZ_FAR void dz_ldt_##p(T *restrict u, const T *restrict from, int64_t stride, int64_t live,      \
                         int64_t n, int64_t steps) {                                               \
    typedef DzV##p V;                                                                              \
    typedef DzU##p U;                                                                              \
    int64_t l = 0;                                                                                 \
    for (; l + DZ_W <= live && l < n; l += DZ_W, from += DZ_W * stride) {                          \
      T *to = u + l;                                                                               \
      int64_t j = 0;                                                                               \
      for (; j + DZ_W <= steps; j += DZ_W, to += DZ_W * n) {                                       \
        V DZ_ALL(DZ_ROW);                                                                          \
        DZ_TURN                                                                                    \
        DZ_ALL(DZ_COLUMN);                                                                         \
      }                                                                                            \
      for (from += j; j < steps; j++, from++, to += n) dz_st_##p(to, ((V){DZ_ALL(DZ_FROM)}));      \
      from -= steps;                                                                               \
    }                                                                                              \
    for (; l < n; l++, from += stride)                                                             \
      for (int64_t j = 0; j < steps; j++) u[j * n + l] = l < live ? from[j] : (T)0;                \
  }
DZ_VEC_ROWS(f64, double) DZ_VEC_ROWS(f32, float)
DZ_VEC_ROWS(i64, int64_t) DZ_VEC_ROWS(i32, int32_t) DZ_VEC_ROWS(u32, uint32_t)

// ---- one vector with a stride, in line: in long strips, whose registers a call would cost
#define DZ_INTO(l) to[(l)*stride] = v[l]
#define DZ_VEC_NEAR(p, T)                                                                          \
  static inline DzV##p dz_ldn_##p(const T *from, int64_t stride) {                                 \
    return (DzV##p){DZ_ALL(DZ_FROM)};                                                              \
  }                                                                                                \
  static inline void dz_stn_##p(T *to, int64_t stride, DzV##p v) { DZ_ALL(DZ_INTO); }
DZ_VEC_NEAR(f64, double) DZ_VEC_NEAR(f32, float) DZ_VEC_NEAR(i64, int64_t)
DZ_VEC_NEAR(i32, int32_t) DZ_VEC_NEAR(u32, uint32_t)

// base, base + slope, ..
static inline DzVi64 dz_lanes(int64_t base, int64_t slope) {
  return (DzVi64){DZ_ALL(DZ_STEP)};
}
// The first n lanes.
static inline DzVbool dz_below(int64_t n) {
#if defined(__SSE2__) && !defined(__SSE4_1__)  // gcc 12 -O1: base.h
  return (DzVbool){DZ_ALL(DZ_LESS)};
#else
  return dz_lanes(0, 1) < dz_splat_i64(n);
#endif
}

// ---- choice: m ? a : b ------------------------------------------------------------------------
static inline DzVf64 dz_sel_f64(DzVbool m, DzVf64 a, DzVf64 b) {
  return (DzVf64)((m & (DzVi64)a) | (~m & (DzVi64)b));
}
static inline DzVi64 dz_sel_i64(DzVbool m, DzVi64 a, DzVi64 b) { return (m & a) | (~m & b); }
static inline DzVbool dz_sel_bool(DzVbool m, DzVbool a, DzVbool b) { return (m & a) | (~m & b); }
static inline DzVi32 dz_narrow(DzVbool m) { return __builtin_convertvector(m, DzVi32); }
static inline DzVi32 dz_sel_i32(DzVbool m, DzVi32 a, DzVi32 b) {
  DzVi32 n = dz_narrow(m);
  return (n & a) | (~n & b);
}
static inline DzVu32 dz_sel_u32(DzVbool m, DzVu32 a, DzVu32 b) {
  DzVu32 n = (DzVu32)dz_narrow(m);
  return (n & a) | (~n & b);
}
static inline DzVf32 dz_sel_f32(DzVbool m, DzVf32 a, DzVf32 b) {
  DzVi32 n = dz_narrow(m);
  return (DzVf32)((n & (DzVi32)a) | (~n & (DzVi32)b));
}
static inline bool dz_any(DzVbool m) {
  int64_t any = 0;
  for (int l = 0; l < DZ_W; l++) any |= m[l];
  return any != 0;
}

// ---- comparisons and arithmetic ---------------------------------------------------------------
#define DZ_WIDE(e) __builtin_convertvector(e, DzVi64)
#define DZ_VEC_COMPARE(p)                                                                        \
  static inline DzVbool dz_veq_##p(DzV##p a, DzV##p b) { return DZ_WIDE(a == b); }               \
  static inline DzVbool dz_vne_##p(DzV##p a, DzV##p b) { return DZ_WIDE(a != b); }               \
  static inline DzVbool dz_vlt_##p(DzV##p a, DzV##p b) { return DZ_WIDE(a < b); }                \
  static inline DzVbool dz_vle_##p(DzV##p a, DzV##p b) { return DZ_WIDE(a <= b); }
DZ_VEC_COMPARE(f64) DZ_VEC_COMPARE(f32) DZ_VEC_COMPARE(i64) DZ_VEC_COMPARE(i32)
DZ_VEC_COMPARE(u32) DZ_VEC_COMPARE(u64)

#define DZ_VEC_FLOAT(p, I)                                                                       \
  static inline DzV##p dz_vadd_##p(DzV##p a, DzV##p b) { return a + b; }                         \
  static inline DzV##p dz_vsub_##p(DzV##p a, DzV##p b) { return a - b; }                         \
  static inline DzV##p dz_vmul_##p(DzV##p a, DzV##p b) { return a * b; }                         \
  static inline DzV##p dz_vdiv_##p(DzV##p a, DzV##p b) { return a / b; }                         \
  static inline DzV##p dz_vneg_##p(DzV##p a) { return -a; }                                      \
  static inline DzV##p dz_vabs_##p(DzV##p a) { return (DzV##p)((I)a & ~(I)(-(DzV##p){0})); }     \
  static inline DzV##p dz_vmin_##p(DzV##p a, DzV##p b) {                                         \
    I m = (a < b) | (b != b);                                                                    \
    return (DzV##p)((m & (I)a) | (~m & (I)b));                                                   \
  }                                                                                              \
  static inline DzV##p dz_vmax_##p(DzV##p a, DzV##p b) {                                         \
    I m = (b < a) | (b != b);                                                                    \
    return (DzV##p)((m & (I)a) | (~m & (I)b));                                                   \
  }
DZ_VEC_FLOAT(f64, DzVi64)
DZ_VEC_FLOAT(f32, DzVi32)
#define DZ_VEC_SGN(p, I)                                                                           \
  static inline DzV##p dz_vsgn_##p(DzV##p a) {                                                     \
    const DzV##p zero = {0}, one = zero + 1;                                                       \
    return (DzV##p)(((a > 0) & (I)one) | ((a < 0) & (I)-one) | ((a != a) & (I)a));                 \
  }
DZ_VEC_SGN(f64, DzVi64) DZ_VEC_SGN(f32, DzVi32)
#define DZ_VEC_GUARD(p, I)                                                                       \
  static inline DzV##p dz_vguard_##p(DzV##p a, DzV##p b, DzV##p c) {                             \
    return (DzV##p)(((a != 0) | (dz_vabs_##p(b) < __builtin_inff())) & (I)c);                    \
  }
DZ_VEC_GUARD(f32, DzVi32)
#if DZ_W == 8 && defined(__AVX512DQ__) && defined(__GNUC__) && !defined(__clang__)
// Guards are what derivatives have most of; gcc takes five instructions for what are three.  0x99:
// infinities and all that is no number; 0: equal, 4: without exceptions.
static inline DzVf64 dz_vguard_f64(DzVf64 a, DzVf64 b, DzVf64 c) {
  const DzVf64 zero = {0};
  const unsigned char large = (unsigned char)__builtin_ia32_fpclasspd512_mask(b, 0x99, 255);
  return __builtin_ia32_movapd512_mask(
      zero, c, (unsigned char)__builtin_ia32_cmppd512_mask(a, zero, 0, (char)large, 4));
}
#else
DZ_VEC_GUARD(f64, DzVi64)
#endif
#define DZ_VEC_INT(p, T, U)                                                                      \
  static inline DzV##p dz_vadd_##p(DzV##p a, DzV##p b) { return (DzV##p)((U)a + (U)b); }         \
  static inline DzV##p dz_vsub_##p(DzV##p a, DzV##p b) { return (DzV##p)((U)a - (U)b); }         \
  static inline DzV##p dz_vmul_##p(DzV##p a, DzV##p b) { return (DzV##p)((U)a * (U)b); }         \
  static inline DzV##p dz_vneg_##p(DzV##p a) { return (DzV##p)((U){0} - (U)a); }                 \
  static inline DzV##p dz_vmin_##p(DzV##p a, DzV##p b) {                                         \
    DzV##p m = (DzV##p)(a < b);                                                                  \
    return (m & a) | (~m & b);                                                                   \
  }                                                                                              \
  static inline DzV##p dz_vmax_##p(DzV##p a, DzV##p b) {                                         \
    DzV##p m = (DzV##p)(a < b);                                                                  \
    return (m & b) | (~m & a);                                                                   \
  }                                                                                              \
  static inline DzV##p dz_vand_##p(DzV##p a, DzV##p b) { return a & b; }                         \
  static inline DzV##p dz_vor_##p(DzV##p a, DzV##p b) { return a | b; }                          \
  static inline DzV##p dz_vxor_##p(DzV##p a, DzV##p b) { return a ^ b; }
DZ_VEC_INT(i64, int64_t, DzVu64)
DZ_VEC_INT(i32, int32_t, DzVu32)
DZ_VEC_INT(u32, uint32_t, DzVu32)
static inline DzVbool dz_vand_bool(DzVbool a, DzVbool b) { return a & b; }
static inline DzVbool dz_vor_bool(DzVbool a, DzVbool b) { return a | b; }
static inline DzVbool dz_vxor_bool(DzVbool a, DzVbool b) { return a ^ b; }
static inline DzVbool dz_vmin_bool(DzVbool a, DzVbool b) { return a & b; }
static inline DzVbool dz_vmax_bool(DzVbool a, DzVbool b) { return a | b; }
static inline DzVbool dz_veq_bool(DzVbool a, DzVbool b) { return ~(a ^ b); }
static inline DzVbool dz_vne_bool(DzVbool a, DzVbool b) { return a ^ b; }
static inline DzVbool dz_vnot_bool(DzVbool a) { return ~a; }

// ---- all lanes into one -----------------------------------------------------------------------
#if DZ_W == 8
#define DZ_HALVES(f, v)                                          \
  v = f(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3)); \
  v = f(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5)); \
  v = f(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
#elif DZ_W == 4
#define DZ_HALVES(f, v)                              \
  v = f(v, __builtin_shufflevector(v, v, 2, 3, 0, 1)); \
  v = f(v, __builtin_shufflevector(v, v, 1, 0, 3, 2));
#elif DZ_W == 2
#define DZ_HALVES(f, v) v = f(v, __builtin_shufflevector(v, v, 1, 0));
#else
#define DZ_HALVES(f, v)
#endif
#define DZ_FOLD(op, p, T)                       \
  static inline T dz_fold_##op##_##p(DzV##p v) { \
    DZ_HALVES(dz_v##op##_##p, v)                \
    return v[0];                                \
  }
#define DZ_FOLDS(p, T) DZ_FOLD(add, p, T) DZ_FOLD(mul, p, T) DZ_FOLD(min, p, T) DZ_FOLD(max, p, T)
DZ_FOLDS(f64, double) DZ_FOLDS(f32, float) DZ_FOLDS(i64, int64_t) DZ_FOLDS(i32, int32_t)
DZ_FOLDS(u32, uint32_t)
DZ_FOLD(and, i64, int64_t) DZ_FOLD(or, i64, int64_t) DZ_FOLD(xor, i64, int64_t)
DZ_FOLD(and, i32, int32_t) DZ_FOLD(or, i32, int32_t) DZ_FOLD(xor, i32, int32_t)
DZ_FOLD(and, u32, uint32_t) DZ_FOLD(or, u32, uint32_t) DZ_FOLD(xor, u32, uint32_t)
#define DZ_FOLD_BOOL(op)                          \
  static inline bool dz_fold_##op##_bool(DzVbool v) { \
    DZ_HALVES(dz_v##op##_bool, v)                 \
    return v[0] != 0;                             \
  }
DZ_FOLD_BOOL(and) DZ_FOLD_BOOL(or) DZ_FOLD_BOOL(xor) DZ_FOLD_BOOL(min) DZ_FOLD_BOOL(max)

// ---- scans: v0, v0 op v1, ..; `id` is the identity in all lanes --------------------------------
#if DZ_W == 8
#define DZ_SHIFT_1(id, v) __builtin_shufflevector(id, v, 0, 8, 9, 10, 11, 12, 13, 14)
#define DZ_SHIFT_2(id, v) __builtin_shufflevector(id, v, 0, 1, 8, 9, 10, 11, 12, 13)
#define DZ_SHIFT_4(id, v) __builtin_shufflevector(id, v, 0, 1, 2, 3, 8, 9, 10, 11)
#define DZ_LAST(v) __builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7)
#define DZ_PREFIX(f, v, id) \
  v = f(DZ_SHIFT_1(id, v), v), v = f(DZ_SHIFT_2(id, v), v), v = f(DZ_SHIFT_4(id, v), v);
#elif DZ_W == 4
#define DZ_SHIFT_1(id, v) __builtin_shufflevector(id, v, 0, 4, 5, 6)
#define DZ_SHIFT_2(id, v) __builtin_shufflevector(id, v, 0, 1, 4, 5)
#define DZ_LAST(v) __builtin_shufflevector(v, v, 3, 3, 3, 3)
#define DZ_PREFIX(f, v, id) v = f(DZ_SHIFT_1(id, v), v), v = f(DZ_SHIFT_2(id, v), v);
#elif DZ_W == 2
#define DZ_LAST(v) __builtin_shufflevector(v, v, 1, 1)
#define DZ_PREFIX(f, v, id) v = f(__builtin_shufflevector(id, v, 0, 2), v);
#else
#define DZ_LAST(v) v
#define DZ_PREFIX(f, v, id) (void)id;
#endif
#define DZ_PREFIX_OP(op, p)                                        \
  static inline DzV##p dz_prefix_##op##_##p(DzV##p v, DzV##p id) { \
    DZ_PREFIX(dz_v##op##_##p, v, id)                               \
    return v;                                                      \
  }
#define DZ_SCANS(p)                                                       \
  static inline DzV##p dz_last_##p(DzV##p v) { return DZ_LAST(v); }       \
  DZ_PREFIX_OP(add, p) DZ_PREFIX_OP(mul, p) DZ_PREFIX_OP(min, p) DZ_PREFIX_OP(max, p)
DZ_SCANS(f64) DZ_SCANS(f32) DZ_SCANS(i64) DZ_SCANS(i32) DZ_SCANS(u32)
#endif
