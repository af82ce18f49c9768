// Functions of the C library that depend on their arguments only.
#include "local.h"

// Half away from zero: t = trunc (x), one more where x - t, which is exact, is a half or more.
static Atom rounded(Lower *l, Atom x) {
  Builder *b = &l->b;
  Prim p = atom_type(l->prog, x).prim;
  Atom t = build_op1(b, OP_TRUNC, x);
  Atom rest = build_op1(b, OP_ABS, build_op(b, OP_SUB, x, t));
  Atom more = build_op(b, OP_ADD, t, build_op(b, OP_COPYSIGN, atom_number(p, 1), x));
  return build_select(b, build_op(b, OP_LE, atom_number(p, 0.5), rest), more, t);
}

static Atom positive_difference(Lower *l, Atom x, Atom y) {
  Prim p = atom_type(l->prog, x).prim;
  Atom d = build_op(&l->b, OP_SUB, x, y);
  return build_select(&l->b, build_op(&l->b, OP_LE, x, y), atom_number(p, 0), d);
}

static bool named(const char *name, const char *a, const char *b) {
  return strcmp(name, a) == 0 || strcmp(name, b) == 0;
}

static bool classified(Lower *l, const char *name, Atom x, Atom *out) {
  Builder *b = &l->b;
  while (*name == '_') name++;
  Prim p = atom_type(l->prog, x).prim;
  if (!prim_is_float(p)) return false;
  Atom nan = build_op1(b, OP_ISNAN, x), inf = build_op1(b, OP_ISINF, x);
  if (named(name, "isnan", "isnanf")) return *out = nan, true;
  if (named(name, "isinf", "isinff")) return *out = inf, true;
  if (named(name, "isfinite", "finite") || named(name, "finitef", "finitef"))
    return *out = build_op1(b, OP_NOT, build_op(b, OP_OR, nan, inf)), true;
  if (!named(name, "signbit", "signbitf")) return false;
  Atom sign = build_op(b, OP_COPYSIGN, atom_number(p, 1), x);
  return *out = build_op(b, OP_LT, sign, atom_number(p, 0)), true;
}

// The exponent of the power of two at or below |x|, of its bits; for 0, infinite x and NaN the
// numbers that glibc gives.
static Atom binary_exponent(Lower *l, Atom x) {
  Builder *b = &l->b;
  x = build_op1(b, OP_ABS, as_prim(l, x, PRIM_F64));
  Atom tiny = build_op(b, OP_LT, x, atom_number(PRIM_F64, 0x1p-1022));
  Atom scaled = build_op(b, OP_MUL, x, atom_number(PRIM_F64, 0x1p54));
  Atom bits = build_op1(b, OP_TO_BITS, build_select(b, tiny, scaled, x));
  Atom shifted = build_op(b, OP_LSHR, bits, atom_number(PRIM_U64, 52));
  Atom e = build_op(b, OP_SUB, as_prim(l, shifted, PRIM_I32), atom_number(PRIM_I32, 1023));
  Atom less = build_op(b, OP_SUB, e, atom_number(PRIM_I32, 54));
  Atom none = build_op(b, OP_OR, build_op(b, OP_EQ, x, atom_number(PRIM_F64, 0)),
                       build_op1(b, OP_ISNAN, x));
  e = build_select(b, build_op1(b, OP_ISINF, x), atom_number(PRIM_I32, INT32_MAX),
                   build_select(b, tiny, less, e));
  return build_select(b, none, atom_number(PRIM_I32, INT32_MIN), e);
}

static Atom pure_call(Lower *l, const CExpr *e, const char *name) {
  if (e->nargs < 1 || !ctype_is_arithmetic(e->args[0]->type))
    lower_gap(l, e->at, "[c-unsupported] `%s` is not supported through core.", name);
  Atom x = in_register(l, e->args[0]), out;
  if (named(name, "round", "roundf")) return rounded(l, x);
  if (named(name, "lround", "lroundf") || named(name, "llround", "llroundf"))
    return as_prim(l, rounded(l, x), PRIM_I64);
  if (named(name, "lrint", "lrintf") || named(name, "llrint", "llrintf"))
    return as_prim(l, build_op1(&l->b, OP_ROUND, x), PRIM_I64);
  if (named(name, "ilogb", "ilogbf")) return binary_exponent(l, x);
  if (named(name, "abs", "labs") || named(name, "llabs", "llabs"))
    return build_op1(&l->b, OP_ABS, x);
  if (classified(l, name, x, &out)) return out;
  lower_gap(l, e->at, "[c-unsupported] `%s` is not supported through core.", name);
}

static Atom math_call(Lower *l, const CExpr *e, const CLibc *row) {
  if (row->rule)
    lower_gap(l, e->at, "[c-rule] `%s` has a rule of its derivative, which core does not know.",
              row->name);
  Atom args[3];
  int arity = op_info[row->op].arity;
  for (int i = 0; i < arity && i < e->nargs; i++) {
    Prim p = row->op == OP_LDEXP && i == 1 ? PRIM_I32 : row->prim;
    args[i] = as_prim(l, in_register(l, e->args[i]), p);
  }
  if (arity == 1) return build_op1(&l->b, row->op, args[0]);
  if (arity == 3) return build_op3(&l->b, row->op, args[0], args[1], args[2]);
  return build_op(&l->b, row->op, args[0], args[1]);
}

// Functions that have a rule for source transformation, too.
static bool special_call(Lower *l, const CExpr *e, const char *name, Atom *out) {
  if (e->nargs != 2 || !ctype_is_arithmetic(e->args[1]->type)) return false;
  bool scales = named(name, "scalbn", "scalbln");
  if (scales) {
    Atom x = in_register(l, e->args[0]), k = as_prim(l, in_register(l, e->args[1]), PRIM_I32);
    return *out = build_op(&l->b, OP_LDEXP, x, k), true;
  }
  if (!named(name, "fdim", "fdimf")) return false;
  *out = positive_difference(l, in_register(l, e->args[0]), in_register(l, e->args[1]));
  return true;
}

Atom library_call(Lower *l, const CExpr *e) {
  const CLibc *row = e->x->tag == CE_FUNCTION ? e->x->function->libc : NULL;
  Atom out;
  if (row && special_call(l, e, row->name, &out)) return out;
  if (row && row->kind == LIBC_MATH) return math_call(l, e, row);
  if (row && row->kind == LIBC_PURE) return pure_call(l, e, row->name);
  lower_gap(l, e->at, "[c-unsupported] This call is not supported through core.");
}
