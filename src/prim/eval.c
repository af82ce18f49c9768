// Evaluation of operations and conversions: one call of dz_<name>_<type> per row and type.
#define DZ_FUSED  // as in the programs that Dagaz compiles on this kind of machine (rts/float.h)
#include "prim.h"
#include "rts/base.h"

// How each type is taken out of and put back into a Scalar.
#define GET_i8(s) ((int8_t)(s).i)
#define GET_i16(s) ((int16_t)(s).i)
#define GET_i32(s) ((int32_t)(s).i)
#define GET_i64(s) ((s).i)
#define GET_u8(s) ((uint8_t)(s).i)
#define GET_u16(s) ((uint16_t)(s).i)
#define GET_u32(s) ((uint32_t)(s).i)
#define GET_u64(s) ((uint64_t)(s).i)
#define GET_f16(s) (dz_conv_f64_f16((s).f))
#define GET_f32(s) ((float)(s).f)
#define GET_f64(s) ((s).f)
#define GET_bool(s) ((s).i != 0)
#define PUT_i8(v) ((Scalar){.prim = PRIM_I8, .i = (v)})
#define PUT_i16(v) ((Scalar){.prim = PRIM_I16, .i = (v)})
#define PUT_i32(v) ((Scalar){.prim = PRIM_I32, .i = (v)})
#define PUT_i64(v) ((Scalar){.prim = PRIM_I64, .i = (v)})
#define PUT_u8(v) ((Scalar){.prim = PRIM_U8, .i = (v)})
#define PUT_u16(v) ((Scalar){.prim = PRIM_U16, .i = (v)})
#define PUT_u32(v) ((Scalar){.prim = PRIM_U32, .i = (v)})
#define PUT_u64(v) ((Scalar){.prim = PRIM_U64, .i = (int64_t)(v)})
#define PUT_f16(v) ((Scalar){.prim = PRIM_F16, .f = dz_conv_f16_f64(v)})
#define PUT_f32(v) ((Scalar){.prim = PRIM_F32, .f = (double)(v)})
#define PUT_f64(v) ((Scalar){.prim = PRIM_F64, .f = (v)})
#define PUT_bool(v) ((Scalar){.prim = PRIM_BOOL, .i = (v)})

#define EACH_INT(X) \
  X(I8, i8) X(I16, i16) X(I32, i32) X(I64, i64) X(U8, u8) X(U16, u16) X(U32, u32) X(U64, u64)
#define EACH_FLOAT(X) X(F16, f16) X(F32, f32) X(F64, f64)
#define EACH_NUM(X) EACH_INT(X) EACH_FLOAT(X)

static bool divisor_fails(Op op, Prim p, const Scalar *args) {
  if (!op_may_fail(op, p)) return false;
  return op == OP_POW ? args[1].i < 0 : args[1].i == 0;
}

bool op_eval(Op op, Prim p, const Scalar *args, Scalar *out) {
  check(op_exists(op, p));
  if (divisor_fails(op, p, args)) return false;
  Scalar a = args[0], b = op_info[op].arity > 1 ? args[1] : a;
  Scalar c = op_info[op].arity > 2 ? args[2] : a;
  if (op == OP_SELECT) {
    *out = a.i ? b : c;
    return true;
  }
  if (p == PRIM_UNIT) {
    *out = scalar_bool(op == OP_EQ || op == OP_LE);
    return true;
  }
#define CASE1(name, P, p_, R) \
  case PRIM_##P: *out = PUT_##R(dz_##name##_##p_(GET_##p_(a))); return true;
#define CASE2(name, P, p_, R) \
  case PRIM_##P: *out = PUT_##R(dz_##name##_##p_(GET_##p_(a), GET_##p_(b))); return true;
#define CASE3(name, P, p_, R)                                                \
  case PRIM_##P:                                                             \
    *out = PUT_##R(dz_##name##_##p_(GET_##p_(a), GET_##p_(b), GET_##p_(c))); \
    return true;
#define FLOAT_1(X)                                                                             \
  X(CEIL, ceil) X(FLOOR, floor) X(TRUNC, trunc) X(ROUND, round) X(SQRT, sqrt) X(RSQRT, rsqrt)  \
  X(CBRT, cbrt) X(EXP, exp) X(EXP2, exp2) X(EXP10, exp10) X(EXPM1, expm1) X(LOG, log)          \
  X(LOG2, log2) X(LOG10, log10) X(LOG1P, log1p) X(SIN, sin) X(COS, cos) X(TAN, tan)            \
  X(SINPI, sinpi) X(COSPI, cospi) X(TANPI, tanpi) X(ASIN, asin) X(ACOS, acos) X(ATAN, atan)    \
  X(ASINPI, asinpi) X(ACOSPI, acospi) X(ATANPI, atanpi) X(SINH, sinh) X(COSH, cosh)            \
  X(TANH, tanh) X(ASINH, asinh) X(ACOSH, acosh) X(ATANH, atanh) X(GAMMA, gamma)                \
  X(LGAMMA, lgamma) X(DIGAMMA, digamma) X(TRIGAMMA, trigamma) X(TETRAGAMMA, tetragamma)        \
  X(ERF, erf) X(ERFC, erfc)
#define FLOAT_2(X)                                                                  \
  X(HYPOT, hypot)                                                                   \
  X(ATAN2, atan2) X(ATAN2PI, atan2pi) X(COPYSIGN, copysign) X(NEXTAFTER, nextafter) \
      X(POLYGAMMA, polygamma) X(POWZ, powz) X(MIN_FIRST, min_first) X(MAX_FIRST, max_first)
#define FLOAT_3(X) X(LERP, lerp) X(MAD, mad) X(FMA, fma) X(GUARD, guard)
#define NUM_1(X) X(NEG, neg) X(ABS, abs) X(SGN, sgn) X(DETACH, detach)
#define NUM_2(X) X(ADD, add) X(SUB, sub) X(MUL, mul) X(DIV, div) X(MOD, mod) X(POW, pow)
#define NUM_BOOL_2(X) X(MIN, min) X(MAX, max)
#define BITS_2(X) X(AND, and) X(OR, or) X(XOR, xor)
#define INT_2(X) \
  X(QUOT, quot) X(REM, rem) X(SHL, shl) X(SHR, shr) X(LSHR, lshr) X(MUL_HI, mul_hi)
#define INT_I32(X) X(POPC, popc) X(CLZ, clz) X(CTZ, ctz)
#define COMPARE(X) X(EQ, eq) X(NE, ne) X(LT, lt) X(LE, le)
  // The switches over the type leave out types at which the row does not exist.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
#pragma GCC diagnostic ignored "-Wswitch"
  switch (op) {
#define R_NUM_1(ID, name)                                                          \
  case OP_##ID: switch (p) {                                                       \
    CASE1(name, I8, i8, i8) CASE1(name, I16, i16, i16) CASE1(name, I32, i32, i32)  \
    CASE1(name, I64, i64, i64) CASE1(name, U8, u8, u8) CASE1(name, U16, u16, u16)  \
    CASE1(name, U32, u32, u32) CASE1(name, U64, u64, u64) CASE1(name, F16, f16, f16) \
    CASE1(name, F32, f32, f32) CASE1(name, F64, f64, f64) } break;
#define INT_CASES_2(name)                                                          \
    CASE2(name, I8, i8, i8) CASE2(name, I16, i16, i16) CASE2(name, I32, i32, i32)  \
    CASE2(name, I64, i64, i64) CASE2(name, U8, u8, u8) CASE2(name, U16, u16, u16)  \
    CASE2(name, U32, u32, u32) CASE2(name, U64, u64, u64)
#define FLOAT_CASES_2(name) \
    CASE2(name, F16, f16, f16) CASE2(name, F32, f32, f32) CASE2(name, F64, f64, f64)
#define R_NUM_2(ID, name) case OP_##ID: switch (p) { INT_CASES_2(name) FLOAT_CASES_2(name) } break;
#define R_NUM_BOOL_2(ID, name) \
  case OP_##ID: switch (p) { \
    INT_CASES_2(name) FLOAT_CASES_2(name) CASE2(name, BOOL, bool, bool) } break;
#define R_BITS_2(ID, name) \
  case OP_##ID: switch (p) { INT_CASES_2(name) CASE2(name, BOOL, bool, bool) } break;
#define R_INT_2(ID, name) case OP_##ID: switch (p) { INT_CASES_2(name) } break;
#define R_INT_I32(ID, name)                                                           \
  case OP_##ID: switch (p) {                                                          \
    CASE1(name, I8, i8, i32) CASE1(name, I16, i16, i32) CASE1(name, I32, i32, i32)    \
    CASE1(name, I64, i64, i32) CASE1(name, U8, u8, i32) CASE1(name, U16, u16, i32)    \
    CASE1(name, U32, u32, i32) CASE1(name, U64, u64, i32) } break;
#define R_COMPARE(ID, name)                                                               \
  case OP_##ID: switch (p) {                                                              \
    CASE2(name, I8, i8, bool) CASE2(name, I16, i16, bool) CASE2(name, I32, i32, bool)     \
    CASE2(name, I64, i64, bool) CASE2(name, U8, u8, bool) CASE2(name, U16, u16, bool)     \
    CASE2(name, U32, u32, bool) CASE2(name, U64, u64, bool) CASE2(name, F16, f16, bool)   \
    CASE2(name, F32, f32, bool) CASE2(name, F64, f64, bool) CASE2(name, BOOL, bool, bool) } break;
#define R_FLOAT_1(ID, name) \
  case OP_##ID: switch (p) { \
    CASE1(name, F16, f16, f16) CASE1(name, F32, f32, f32) CASE1(name, F64, f64, f64) } break;
#define R_FLOAT_2(ID, name) case OP_##ID: switch (p) { FLOAT_CASES_2(name) } break;
#define R_FLOAT_3(ID, name) \
  case OP_##ID: switch (p) { \
    CASE3(name, F16, f16, f16) CASE3(name, F32, f32, f32) CASE3(name, F64, f64, f64) } break;
    NUM_1(R_NUM_1) NUM_2(R_NUM_2) NUM_BOOL_2(R_NUM_BOOL_2) BITS_2(R_BITS_2) INT_2(R_INT_2)
    INT_I32(R_INT_I32) COMPARE(R_COMPARE) FLOAT_1(R_FLOAT_1) FLOAT_2(R_FLOAT_2) FLOAT_3(R_FLOAT_3)
    case OP_NOT: switch (p) {
      CASE1(not, I8, i8, i8) CASE1(not, I16, i16, i16) CASE1(not, I32, i32, i32)
      CASE1(not, I64, i64, i64) CASE1(not, U8, u8, u8) CASE1(not, U16, u16, u16)
      CASE1(not, U32, u32, u32) CASE1(not, U64, u64, u64) CASE1(not, BOOL, bool, bool) } break;
    case OP_MAD_HI: switch (p) {
      CASE3(mad_hi, I8, i8, i8) CASE3(mad_hi, I16, i16, i16) CASE3(mad_hi, I32, i32, i32)
      CASE3(mad_hi, I64, i64, i64) CASE3(mad_hi, U8, u8, u8) CASE3(mad_hi, U16, u16, u16)
      CASE3(mad_hi, U32, u32, u32) CASE3(mad_hi, U64, u64, u64) } break;
    case OP_SEGMENT: switch (p) { CASE3(segment, I64, i64, i64) } break;
    case OP_LANDING: switch (p) { CASE3(landing, I64, i64, i64) } break;
    case OP_FREED: switch (p) { CASE2(freed, I64, i64, i64) } break;
    case OP_ROWS: switch (p) { CASE2(rows, I64, i64, i64) } break;
    case OP_STATES: switch (p) { CASE3(states, I64, i64, i64) } break;
    case OP_ADVANCES: switch (p) { CASE3(advances, I64, i64, i64) } break;
    case OP_BLOCK_START: switch (p) { CASE3(block_start, I64, i64, i64) } break;
    case OP_BLOCK_BYTES: switch (p) { CASE1(block_bytes, I64, i64, i64) } break;
    case OP_WITHIN_BLOCK: switch (p) { CASE2(within_block, I64, i64, i64) } break;
    case OP_ISNAN: switch (p) {
      CASE1(isnan, F16, f16, bool) CASE1(isnan, F32, f32, bool)
      CASE1(isnan, F64, f64, bool) } break;
    case OP_ISINF: switch (p) {
      CASE1(isinf, F16, f16, bool) CASE1(isinf, F32, f32, bool)
      CASE1(isinf, F64, f64, bool) } break;
    case OP_TO_BITS: switch (p) {
      CASE1(to_bits, F16, f16, u16) CASE1(to_bits, F32, f32, u32)
      CASE1(to_bits, F64, f64, u64) } break;
    case OP_FROM_BITS: switch (p) {
      case PRIM_U16: *out = PUT_f16(dz_from_bits_f16(GET_u16(a))); return true;
      case PRIM_U32: *out = PUT_f32(dz_from_bits_f32(GET_u32(a))); return true;
      case PRIM_U64: *out = PUT_f64(dz_from_bits_f64(GET_u64(a))); return true; } break;
    case OP_LDEXP: switch (p) {
      case PRIM_F16: *out = PUT_f16(dz_ldexp_f16(GET_f16(a), GET_i32(b))); return true;
      case PRIM_F32: *out = PUT_f32(dz_ldexp_f32(GET_f32(a), GET_i32(b))); return true;
      case PRIM_F64: *out = PUT_f64(dz_ldexp_f64(GET_f64(a), GET_i32(b))); return true; } break;
    case OP_SELECT: case OP_COUNT: break;
  }
#pragma GCC diagnostic pop
  ice("operation %s at type %s", op_info[op].name, prim_info[p].name);
}

// From bool as from the integers 0 and 1.
Scalar scalar_convert(Prim to, Scalar from) {
  if (from.prim == to) return from;
  if (from.prim == PRIM_BOOL) from = scalar_int(PRIM_I8, from.i);
#define TO(P, p_, Q, q_) case PRIM_##Q: return PUT_##q_(dz_conv_##p_##_##q_(GET_##p_(from)));
#define FROM(P, p_)                                                                         \
  case PRIM_##P: switch (to) {                                                              \
    TO(P, p_, I8, i8) TO(P, p_, I16, i16) TO(P, p_, I32, i32) TO(P, p_, I64, i64)           \
    TO(P, p_, U8, u8) TO(P, p_, U16, u16) TO(P, p_, U32, u32) TO(P, p_, U64, u64)           \
    TO(P, p_, F16, f16) TO(P, p_, F32, f32) TO(P, p_, F64, f64) TO(P, p_, BOOL, bool)       \
    case PRIM_UNIT: case PRIM_COUNT: break; } break;
  switch (from.prim) {
    EACH_NUM(FROM)
    case PRIM_BOOL: case PRIM_UNIT: case PRIM_COUNT: break;
  }
  ice("conversion from %s to %s", prim_info[from.prim].name, prim_info[to].name);
}
