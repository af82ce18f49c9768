// Evaluation of operations and conversions: one call of dz_<name>_<type> per row and type.
#define DZ_FUSED  // as in the programs that Dagaz compiles on this kind of machine (rts/float.h)
#include "prim.h"
#include "rts/base.h"
#undef bool  // a macro would be expanded before it is part of a name
typedef _Bool bool;

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

// The cases of a row, by its columns CLASS, arity, ARGS and RESULT.  X(name, args, result, P, p, f)
// for every type p; f is the suffix of the C function's name, the type of what from_bits gives.
#define CASES_INT(X, ...)                                                                     \
  X(__VA_ARGS__, I8, i8, i8) X(__VA_ARGS__, I16, i16, i16) X(__VA_ARGS__, I32, i32, i32)      \
  X(__VA_ARGS__, I64, i64, i64) X(__VA_ARGS__, U8, u8, u8) X(__VA_ARGS__, U16, u16, u16)      \
  X(__VA_ARGS__, U32, u32, u32) X(__VA_ARGS__, U64, u64, u64)
#define CASES_FLOAT(X, ...) \
  X(__VA_ARGS__, F16, f16, f16) X(__VA_ARGS__, F32, f32, f32) X(__VA_ARGS__, F64, f64, f64)
#define CASES_BOOL(X, ...) X(__VA_ARGS__, BOOL, bool, bool)
#define CASES_I64(X, ...) X(__VA_ARGS__, I64, i64, i64)
#define CASES_FLOAT_BITS(X, ...) \
  X(__VA_ARGS__, U16, u16, f16) X(__VA_ARGS__, U32, u32, f32) X(__VA_ARGS__, U64, u64, f64)
#define CASES_NUM(...) CASES_INT(__VA_ARGS__) CASES_FLOAT(__VA_ARGS__)
#define CASES_NUM_BOOL(...) CASES_NUM(__VA_ARGS__) CASES_BOOL(__VA_ARGS__)
#define CASES_BITS(...) CASES_INT(__VA_ARGS__) CASES_BOOL(__VA_ARGS__)
#define CASES_ANY(...) CASES_NUM_BOOL(__VA_ARGS__)  // unit: op_eval
#define FIRST_SAME(p) GET_##p(a)
#define FIRST_SELECT(p) GET_bool(a)
#define FIRST_LDEXP(p) GET_##p(a)
#define SECOND_SAME(p) GET_##p(b)
#define SECOND_SELECT(p) GET_##p(b)
#define SECOND_LDEXP(p) GET_i32(b)
#define RESULT_OF_SAME(f, v) PUT_##f(v)
#define RESULT_OF_FROM_BITS(f, v) PUT_##f(v)
#define RESULT_OF_BOOL(f, v) PUT_bool(v)
#define RESULT_OF_I32(f, v) PUT_i32(v)
#define RESULT_OF_BITS(f, v) BITS_OF_##f(v)
#define BITS_OF_f16(v) PUT_u16(v)
#define BITS_OF_f32(v) PUT_u32(v)
#define BITS_OF_f64(v) PUT_u64(v)
#define CASE(result, P, f, v) \
  case PRIM_##P: *out = RESULT_OF_##result(f, v); return true;
#define CASE_1(name, args, result, P, p, f) CASE(result, P, f, dz_##name##_##f(FIRST_##args(p)))
#define CASE_2(name, args, result, P, p, f) \
  CASE(result, P, f, dz_##name##_##f(FIRST_##args(p), SECOND_##args(p)))
#define CASE_3(name, args, result, P, p, f) \
  CASE(result, P, f, dz_##name##_##f(FIRST_##args(p), SECOND_##args(p), GET_##p(c)))

bool op_eval(Op op, Prim p, const Scalar *args, Scalar *out) {
  check(op_exists(op, p));
  Scalar a = args[0], b = op_info[op].arity > 1 ? args[1] : a;
  Scalar c = op_info[op].arity > 2 ? args[2] : a;
  if (op_fails(op, p, b)) return false;
  if (p == PRIM_UNIT) {
    *out = op == OP_SELECT ? b : scalar_bool(op == OP_EQ || op == OP_LE);
    return true;
  }
  // The switches over the type leave out types at which the row does not exist.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
#pragma GCC diagnostic ignored "-Wswitch"
  switch (op) {
#define OP(id, name, infix, arity, class, result, args, ...) \
  case OP_##id: switch (p) { CASES_##class(CASE_##arity, name, args, result) } break;
#include "prim.def"
    case OP_COUNT: break;
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

// The least or the greatest value of a type.
static Scalar scalar_extreme(Prim p, bool least) {
  double inf = __builtin_inf();
  int bits = 8 * prim_info[p].bytes;
  if (p == PRIM_BOOL) return scalar_bool(!least);
  if (prim_is_float(p)) return scalar_float(p, least ? -inf : inf);
  if (!prim_is_signed(p)) return scalar_int(p, least ? 0 : -1);
  return scalar_int(p, least ? INT64_MIN >> (64 - bits) : INT64_MAX >> (64 - bits));
}

Scalar op_identity(Op op, Prim p) {
  if (op == OP_AND) return p == PRIM_BOOL ? scalar_bool(true) : scalar_int(p, -1);
  if (op == OP_MIN || op == OP_MAX) return scalar_extreme(p, op == OP_MAX);
  return scalar_number(p, op == OP_MUL ? 1 : 0);
}
