// Every operation of one, two or three floats, with arguments moved to where it is finite and, in
// smooth programs, differentiable; and the operations on bits.
#include "local.h"

// Where the argument is taken: anywhere; in (-0.9, 0.9); in (0.5, 2.5); above 1.5.
typedef enum { ANYWHERE, INSIDE, POSITIVE, LARGE } Domain;
typedef struct {
  Op op;
  Domain domain;
} Function;

static const Function functions[] = {
    {OP_SINPI, ANYWHERE},  {OP_COSPI, ANYWHERE},   {OP_ATANPI, ANYWHERE}, {OP_ERFC, ANYWHERE},
    {OP_TAN, INSIDE},      {OP_TANPI, INSIDE},     {OP_ASIN, INSIDE},     {OP_ACOS, INSIDE},
    {OP_ASINPI, INSIDE},   {OP_ACOSPI, INSIDE},    {OP_ATANH, INSIDE},    {OP_SINH, INSIDE},
    {OP_COSH, INSIDE},     {OP_EXP2, INSIDE},      {OP_EXP10, INSIDE},    {OP_EXPM1, INSIDE},
    {OP_LOG1P, INSIDE},    {OP_LOG2, POSITIVE},    {OP_LOG10, POSITIVE},  {OP_RSQRT, POSITIVE},
    {OP_CBRT, POSITIVE},   {OP_GAMMA, POSITIVE},   {OP_LGAMMA, POSITIVE}, {OP_DIGAMMA, POSITIVE},
    {OP_TRIGAMMA, POSITIVE}, {OP_TETRAGAMMA, POSITIVE}, {OP_ACOSH, LARGE}, {OP_LOG, POSITIVE},
    {OP_SQRT, POSITIVE},   {OP_EXP, INSIDE},
};

// tanpi has a pole at 1/2.
static Atom moved(Gen *g, Domain domain, Op op, Prim p, Atom x) {
  Builder *b = &g->b;
  if (domain == ANYWHERE) return x;
  if (domain == LARGE)
    return build_op(b, OP_ADD, atom_number(p, 1.5), build_op(b, OP_HYPOT, x, atom_number(p, 1)));
  double scale = op == OP_TANPI ? 0.25 : 0.9;
  Atom in = build_op(b, OP_MUL, atom_number(p, scale), build_op1(b, OP_TANH, x));
  return domain == INSIDE ? in : build_op(b, OP_ADD, atom_number(p, 1.5), in);
}

static Atom of_two(Gen *g, Prim p, Atom x, Atom y) {
  Builder *b = &g->b;
  Atom away = moved(g, POSITIVE, OP_ATAN2, p, y);
  switch (gen_random(g, 7)) {
  case 0: return build_op(b, OP_ATAN2, x, away);
  case 1: return build_op(b, OP_ATAN2PI, x, away);
  case 2: return build_op(b, OP_POWZ, away, atom_number(p, gen_random(g, 3) - 1.0));
  case 3: return build_op(b, OP_POLYGAMMA, away, atom_number(p, gen_random(g, 3) + 1.0));
  case 4: return build_op(b, OP_NEXTAFTER, x, y);
  case 5: return build_op(b, OP_LDEXP, x, atom_scalar(scalar_int(PRIM_I32, gen_random(g, 4) - 1)));
  default:
    if (g->options.smooth) return build_op(b, OP_HYPOT, x, away);
    return build_op(b, gen_chance(g, 50) ? OP_MOD : OP_COPYSIGN, x, away);
  }
}

// lerp has kinks where its last operand leaves (0, 1).
static Atom of_three(Gen *g, Prim p, Atom x, Atom y) {
  Atom z = gen_scalar(g, p);
  if (gen_chance(g, 50)) return build_op3(&g->b, OP_MAD, x, y, z);
  if (!g->options.smooth && gen_chance(g, 50)) return build_op3(&g->b, OP_LERP, x, y, z);
  Atom half = build_op(&g->b, OP_MUL, atom_number(p, 0.5), moved(g, INSIDE, OP_LERP, p, z));
  return build_op3(&g->b, OP_LERP, x, y, build_op(&g->b, OP_ADD, atom_number(p, 0.5), half));
}

// A function of one number that neither the table nor scalars.c has, the i-th: rows that are new.
static bool is_listed(Op op) {
  static const Op elsewhere[] = {OP_SIN, OP_COS, OP_TANH, OP_ATAN, OP_ASINH, OP_ERF};
  for (int i = 0; i < COUNT_OF(elsewhere); i++)
    if (elsewhere[i] == op) return true;
  for (int i = 0; i < COUNT_OF(functions); i++)
    if (functions[i].op == op) return true;
  return op_info[op].arity != 1 || op_info[op].cost != COST_FUNCTION;
}

static int unlisted(int i, Op *out) {
  int n = 0;
  for (Op op = 0; op < OP_COUNT; op++)
    if (!is_listed(op) && n++ == i) *out = op;
  return n;
}

// f16 has few digits and a small range.
Atom gen_function(Gen *g, Prim p) {
  Atom x = gen_scalar(g, p), y = gen_scalar(g, p);
  if (gen_chance(g, 30)) return of_two(g, p, x, y);
  if (gen_chance(g, 20)) return of_three(g, p, x, y);
  Op op = OP_COUNT;
  int known = COUNT_OF(functions), i = gen_random(g, known + unlisted(-1, &op));
  if (i < known) op = functions[i].op;
  else unlisted(i - known, &op);
  return build_op1(&g->b, op, moved(g, i < known ? functions[i].domain : INSIDE, op, p, x));
}

// An operation whose result has another type, or on the bits of a number: known beside.
bool gen_stm_bits(Gen *g) {
  Builder *b = &g->b;
  static const Prim ints[] = {PRIM_I64, PRIM_I32, PRIM_U8, PRIM_U16, PRIM_I8, PRIM_U64};
  Prim p = g->options.derivable ? PRIM_I64 : ints[gen_random(g, COUNT_OF(ints))];
  Atom x = gen_scalar(g, p), y = gen_scalar(g, p), r;
  static const Op counts[] = {OP_POPC, OP_CLZ, OP_CTZ};
  switch (gen_random(g, 6)) {
  case 0: r = build_op1(b, counts[gen_random(g, COUNT_OF(counts))], x); break;
  case 1: r = build_op(b, OP_MUL_HI, x, y); break;
  case 2: r = build_op3(b, OP_MAD_HI, x, y, gen_scalar(g, p)); break;
  case 3: r = build_op(b, OP_LSHR, x, atom_scalar(scalar_int(p, gen_random(g, 7)))); break;
  case 4: {
    Op op = gen_chance(g, 50) ? OP_ISNAN : OP_ISINF;
    r = build_op1(b, op, gen_scalar(g, g->options.derivable ? PRIM_F64 : gen_float(g)));
    break;
  }
  default: {
    if (g->options.derivable) return false;
    Prim f = gen_float(g);
    r = build_op1(b, OP_TO_BITS, gen_scalar(g, f));
    if (gen_chance(g, 60)) r = build_op1(b, OP_FROM_BITS, r);
  }
  }
  gen_know(g, r, 0);
  return true;
}
