// The operation table, expanded from prim.def, and questions about it.
#include "prim.h"
#include <string.h>

#define TERM(...) (&(const Term){__VA_ARGS__})
#define Z NULL
#define A TERM(.kind = TERM_A)
#define B TERM(.kind = TERM_B)
#define C TERM(.kind = TERM_C)
#define R TERM(.kind = TERM_R)
#define K(v) TERM(.kind = TERM_CONST, .value = (v))
#define APPLY(id, ...) TERM(.kind = TERM_OP, .op = OP_##id, __VA_ARGS__)
#define UNARY(id, a) APPLY(id, .x = a)
#define BINARY(id, a, b) APPLY(id, .x = a, .y = b)
#define ADD(a, b) BINARY(ADD, a, b)
#define SUB(a, b) BINARY(SUB, a, b)
#define MUL(a, b) BINARY(MUL, a, b)
#define DIV(a, b) BINARY(DIV, a, b)
#define QUOT(a, b) BINARY(QUOT, a, b)
#define POW(a, b) BINARY(POW, a, b)
#define MIN_FIRST(a, b) BINARY(MIN_FIRST, a, b)
#define MAX_FIRST(a, b) BINARY(MAX_FIRST, a, b)
#define AND(a, b) BINARY(AND, a, b)
#define OR(a, b) BINARY(OR, a, b)
#define EQ(a, b) BINARY(EQ, a, b)
#define NE(a, b) BINARY(NE, a, b)
#define LT(a, b) BINARY(LT, a, b)
#define LE(a, b) BINARY(LE, a, b)
#define SHL(a, b) BINARY(SHL, a, b)
#define HYPOT(a, b) BINARY(HYPOT, a, b)
// x / (a*a + b*b) for x = a or b; constant 0 at the origin, so that derivatives of it are 0 there.
#define HYPOT_OR_1 SEL(EQ(HYPOT(A, B), K(0)), K(1), HYPOT(A, B))
#define OVER_SQUARES(x) \
  DIV(DIV(SEL(EQ(HYPOT(A, B), K(0)), DETACH(x), x), HYPOT_OR_1), HYPOT_OR_1)
// The exponent b as a factor of the derivative of a**b by a: where a <= 0 no derivative of any
// order by b is other than 0.
#define POW_EXPONENT SEL(LE(A, K(0)), DETACH(B), B)
// The clamped c of lerp; at its kinks the derivative is 1, as that of lerp by c is b - a there.
#define LERP_SHARE MIN_FIRST(MAX_FIRST(C, K(0)), K(1))
#define COPYSIGN(a, b) BINARY(COPYSIGN, a, b)
#define LDEXP(a, b) BINARY(LDEXP, a, b)
#define SEL(c, a, b) APPLY(SELECT, .x = c, .y = a, .z = b)
#define GUARD(a, b, c) APPLY(GUARD, .x = a, .y = b, .z = c)
#define NEG(a) UNARY(NEG, a)
#define SGN(a) UNARY(SGN, a)
#define DETACH(a) UNARY(DETACH, a)
#define ROUND(a) UNARY(ROUND, a)
#define SQRT(a) UNARY(SQRT, a)
#define EXP(a) UNARY(EXP, a)
#define LOG(a) UNARY(LOG, a)
#define SIN(a) UNARY(SIN, a)
#define COS(a) UNARY(COS, a)
#define SINPI(a) UNARY(SINPI, a)
#define COSPI(a) UNARY(COSPI, a)
#define SINH(a) UNARY(SINH, a)
#define COSH(a) UNARY(COSH, a)
#define DIGAMMA(a) UNARY(DIGAMMA, a)
#define TRIGAMMA(a) UNARY(TRIGAMMA, a)
#define TETRAGAMMA(a) UNARY(TETRAGAMMA, a)
#define POWZ(a, b) BINARY(POWZ, a, b)
#define POLYGAMMA(a, b) BINARY(POLYGAMMA, a, b)
#define LN2 0.69314718055994530942
#define LN10 2.30258509299404568402
#define PI 3.14159265358979323846
#define TWO_SQRTPI 1.12837916709551257390
enum {
  COMM = 1, ASSOC = 2, POLE = 4, OVERFLOWS = 8, DERIVED = 16, SCHEDULE = 32,
  SETTLES_SECOND = 64, SETTLES = 128 | SETTLES_SECOND
};

const OpInfo op_info[OP_COUNT] = {
#define OP(id, name_, infix_, arity_, class_, result_, args_, flags, cost_, vector_, fails_, da, \
           db, dc, ia, ib, ic)                                                                   \
  [OP_##id] = {.name = #name_, .infix = infix_, .arity = arity_, .class = CLASS_##class_,        \
               .result = RESULT_##result_, .args = ARGS_##args_,                                 \
               .commutative = ((flags)&COMM) != 0, .associative = ((flags)&ASSOC) != 0,          \
               .pole = ((flags)&POLE) != 0, .overflows = ((flags)&OVERFLOWS) != 0,               \
               .settles = {((flags)&128) != 0, ((flags)&SETTLES_SECOND) != 0},                   \
               .derived = ((flags)&DERIVED) != 0, .schedule = ((flags)&SCHEDULE) != 0,           \
               .cost = COST_##cost_, .vector = VECTOR_##vector_, .fails = FAILS_##fails_,        \
               .partial = {da, db, dc}, .int_partial = {ia, ib, ic}},
#include "prim.def"
};

bool op_named(const char *name, Op *out) {
  for (Op op = 0; op < OP_COUNT; op++) {
    if (strcmp(op_info[op].name, name) != 0) continue;
    *out = op;
    return true;
  }
  return false;
}

bool op_is_logic(Op op) { return op == OP_AND || op == OP_OR || op == OP_XOR; }

bool op_is_extremum(Op op) {
  return op == OP_MIN || op == OP_MAX || op == OP_MIN_FIRST || op == OP_MAX_FIRST;
}

bool op_exists(Op op, Prim p) { return (op_info[op].class >> p & 1) != 0; }

static Prim bits_of(Prim p) {
  return p == PRIM_F16 ? PRIM_U16 : p == PRIM_F32 ? PRIM_U32 : PRIM_U64;
}

static Prim float_of(Prim p) {
  return p == PRIM_U16 ? PRIM_F16 : p == PRIM_U32 ? PRIM_F32 : PRIM_F64;
}

Prim op_result(Op op, Prim p) {
  switch (op_info[op].result) {
    case RESULT_SAME: return p;
    case RESULT_BOOL: return PRIM_BOOL;
    case RESULT_I32: return PRIM_I32;
    case RESULT_BITS: return bits_of(p);
    case RESULT_FROM_BITS: return float_of(p);
  }
  ice("result kind of %s", op_info[op].name);
}

Prim op_arg(Op op, Prim p, int i) {
  if (op_info[op].args == ARGS_SELECT && i == 0) return PRIM_BOOL;
  if (op_info[op].args == ARGS_LDEXP && i == 1) return PRIM_I32;
  return p;
}

bool op_may_fail(Op op, Prim p) {
  OpFails fails = op_info[op].fails;
  return fails == FAILS_ZERO ? prim_is_int(p) : fails == FAILS_NEGATIVE && prim_is_signed(p);
}

bool op_fails(Op op, Prim p, Scalar second) {
  if (!op_may_fail(op, p)) return false;
  return op_info[op].fails == FAILS_ZERO ? second.i == 0 : second.i < 0;
}

OpWork op_work(OpCost cost) {
  switch (cost) {
    case COST_ONE: return (OpWork){1, 1};
    case COST_CHOICE: return (OpWork){1, 30};
    case COST_DIVISION: case COST_ROOT: return (OpWork){4, 28};
    case COST_POWER: return (OpWork){24, 180};
    case COST_FUNCTION: return (OpWork){12, 90};
  }
  ice("cost %d", cost);
}

bool op_is_function(Op op, Prim p) {
  OpCost cost = op_info[op].cost;
  return prim_is_float(p) && (cost == COST_FUNCTION || cost == COST_POWER);
}

const Term *op_partial(Op op, Prim p, int i) {
  return prim_is_float(p) ? op_info[op].partial[i] : op_info[op].int_partial[i];
}
