// prim: scalar types, scalar values and scalar operations.  Every operation is one row of
// prim.def (name, arity, types it exists at, C text, cost, vector form, whether it may fail,
// partial derivatives); its meaning is the function dz_<name>_<type> of rts/base.h, which the
// interpreter, the constant folder and the generated programs share, so that all three agree to
// the bit.
#ifndef PRIM_H
#define PRIM_H
#include "base/base.h"

typedef enum {
  PRIM_I8, PRIM_I16, PRIM_I32, PRIM_I64, PRIM_U8, PRIM_U16, PRIM_U32, PRIM_U64,
  PRIM_F16, PRIM_F32, PRIM_F64, PRIM_BOOL, PRIM_UNIT, PRIM_COUNT
} Prim;
typedef struct {
  const char *name;   // in source and IR text: "i8" .. "f64" "bool" "unit"
  const char *ctype;  // in generated C: "int8_t" .. "double" "bool" "uint8_t"; f16 is "dz_f16"
  int bytes;          // in memory; bool and unit take 1
} PrimInfo;
extern const PrimInfo prim_info[PRIM_COUNT];
bool prim_is_int(Prim p);     // i8 .. u64
bool prim_is_signed(Prim p);  // i8 .. i64
bool prim_is_float(Prim p);
bool prim_named(const char *name, Prim *out);

// One scalar.  Integers are kept sign- or zero-extended to 64 bits (u64: its bit pattern);
// bool is i = 0 or 1; f16 and f32 are kept as the double of the same value; unit is i = 0.
typedef struct {
  Prim prim;
  bool is_var;  // false; core's atoms, which are scalars or variables, say so here
  union {
    int64_t i;
    double f;
  };
} Scalar;
Scalar scalar_int(Prim p, int64_t i);     // wraps to the type's width
Scalar scalar_float(Prim p, double f);    // rounds to the type's precision
Scalar scalar_bool(bool b);
Scalar scalar_number(Prim p, double x);   // x as a value of any numeric type or bool
bool scalar_same(Scalar a, Scalar b);     // same bits (NaN equals NaN, 0 differs from -0)
bool scalar_is(Scalar a, double x);       // numerically equal to x
// IR text, reads back exactly: "3i32" "0.1f64" "-inff32" "nanf64" "true" "()".
void scalar_print(Text *out, Scalar s);
bool scalar_parse(const char *s, size_t len, Scalar *out);

// Which operand types an operation exists at: sets of bits 1 << type.
typedef enum {
  CLASS_INT = (1 << PRIM_F16) - 1,
  CLASS_FLOAT = 1 << PRIM_F16 | 1 << PRIM_F32 | 1 << PRIM_F64,
  CLASS_BOOL = 1 << PRIM_BOOL,
  CLASS_UNIT = 1 << PRIM_UNIT,
  CLASS_I64 = 1 << PRIM_I64,
  CLASS_FLOAT_BITS = 1 << PRIM_U16 | 1 << PRIM_U32 | 1 << PRIM_U64,
  CLASS_NUM = CLASS_INT | CLASS_FLOAT,
  CLASS_NUM_BOOL = CLASS_NUM | CLASS_BOOL,
  CLASS_BITS = CLASS_INT | CLASS_BOOL,
  CLASS_ANY = CLASS_NUM | CLASS_BOOL | CLASS_UNIT,
} OpClass;
// The result type, from the operand type p: p itself, bool, i32, the unsigned (to_bits) or
// float (from_bits) type of the same width.
typedef enum { RESULT_SAME, RESULT_BOOL, RESULT_I32, RESULT_BITS, RESULT_FROM_BITS } OpResult;
// Operand types other than "all of type p": the first is bool (select), the second i32 (ldexp).
typedef enum { ARGS_SAME, ARGS_SELECT, ARGS_LDEXP } OpArgs;

// The columns of prim.def.
typedef enum {
  COST_ONE, COST_CHOICE, COST_DIVISION, COST_ROOT, COST_POWER, COST_FUNCTION
} OpCost;
// Work in additions: of vector code, whose lanes share an instruction, and of scalar code, where a
// choice is a branch that is foreseen badly.
typedef struct { int lanes, scalar; } OpWork;
OpWork op_work(OpCost cost);
typedef enum { VECTOR_LANES, VECTOR_FLOATS, VECTOR_INLINE, VECTOR_BRANCH, VECTOR_NONE } OpVector;
typedef enum { FAILS_NEVER, FAILS_ZERO, FAILS_NEGATIVE } OpFails;

typedef enum {
#define OP(id, ...) OP_##id,
#include "prim.def"
  OP_COUNT
} Op;

// A partial derivative as constant data: a tree over the operands a, b, c and the result r.
// Constants take the operand type.  NULL in the table means zero.
typedef struct Term {
  enum { TERM_A, TERM_B, TERM_C, TERM_R, TERM_CONST, TERM_OP } kind;
  Op op;  // with at most three subterms; comparisons give bool, SELECT takes one
  const struct Term *x, *y, *z;
  double value;
} Term;

typedef struct {
  const char *name;
  const char *infix;  // plain C operator usable on floats (and for comparisons and bit
                      // operations on every type); "" where only dz_<name>_<type> will do
  int arity;
  OpClass class;
  OpResult result;
  OpArgs args;
  bool commutative, associative;
  bool pole, overflows, settles[3];  // settles: by operand
  bool derived, schedule;
  OpCost cost;
  OpVector vector;
  OpFails fails;
  const Term *partial[3];      // floats
  const Term *int_partial[3];  // integers and bool (wrapping arithmetic)
} OpInfo;
extern const OpInfo op_info[OP_COUNT];
bool op_named(const char *name, Op *out);
bool op_is_extremum(Op op);  // min, max, min_first, max_first
bool op_is_logic(Op op);   // and, or, xor; their partials are zero
bool op_exists(Op op, Prim p);
Prim op_result(Op op, Prim p);
Prim op_arg(Op op, Prim p, int i);
// Whether the operation can fail at run time at type p (division by zero, negative exponent).  What
// cannot may be executed speculatively.
bool op_may_fail(Op op, Prim p);
bool op_fails(Op op, Prim p, Scalar second);  // with this second operand
// A function of math.h at type p, or a power of floats: worth a dozen additions or more.
bool op_is_function(Op op, Prim p);
// Evaluates at operand type p.  False, and *out untouched, where the operation fails.
bool op_eval(Op op, Prim p, const Scalar *args, Scalar *out);
// x op identity = x, of add mul and or xor min max.
Scalar op_identity(Op op, Prim p);
// Conversion between numeric types and bool; float to integer truncates, NaN and inf give 0.
Scalar scalar_convert(Prim to, Scalar from);
Scalar term_eval(const Term *term, Prim p, const Scalar *args, Scalar result);
const Term *op_partial(Op op, Prim p, int i);  // NULL: zero
// In maths notation, for doc/core.md: "cos(a)", "-(r / b)".
void term_print(Text *out, const Term *term);
#endif
