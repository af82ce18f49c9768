// Folding of constant expressions: integers as C computes them in their types, and numbers.
#include "local.h"

// The value in the type's width.
static int64_t wrapped(const CType *t, int64_t v) {
  if (t->tag == CTYPE_BOOL) return v != 0;
  bool is_signed = ctype_is_signed(t);
  switch (ctype_size(t)) {
    case 1: return is_signed ? (int8_t)v : (uint8_t)v;
    case 2: return is_signed ? (int16_t)v : (uint16_t)v;
    case 4: return is_signed ? (int64_t)(int32_t)v : (int64_t)(uint32_t)v;
    default: return v;
  }
}

static bool fits(const CType *t, int64_t v) { return wrapped(t, v) == v; }

static bool shift(const CExpr *e, int64_t a, int64_t b, int64_t *out) {
  if (b < 0 || b >= 8 * ctype_size(e->type)) return false;
  bool is_signed = ctype_is_signed(e->type);
  if (e->op == COP_SHL) *out = (int64_t)((uint64_t)a << b);
  else *out = is_signed ? a >> b : (int64_t)((uint64_t)a >> b);
  return true;
}

static bool divide(const CExpr *e, int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) return false;
  bool u = !ctype_is_signed(e->type);
  if (e->op == COP_DIV) *out = u ? (int64_t)((uint64_t)a / (uint64_t)b) : a / b;
  else *out = u ? (int64_t)((uint64_t)a % (uint64_t)b) : a % b;
  return true;
}

// A value that is no number is neither less than another, nor equal, nor greater.
static bool relation(COp op, bool less, bool equal, bool greater) {
  switch ((int)op) {
    case COP_LT: return less;
    case COP_GE: return greater || equal;
    case COP_GT: return greater;
    case COP_LE: return less || equal;
    case COP_EQ: return equal;
    default: return !equal;
  }
}

static bool numbers_compared(const CExpr *e, int64_t *out) {
  double a, b;
  if (!cop_compares(e->op) || !cexpr_number(e->x, &a) || !cexpr_number(e->y, &b)) return false;
  *out = relation(e->op, a < b, a == b, a > b);
  return true;
}

static bool compared(COp op, bool u, int64_t a, int64_t b) {
  bool less = u ? (uint64_t)a < (uint64_t)b : a < b;
  return relation(op, less, a == b, !less && a != b);
}

// + - * that overflow a signed type are no constants.
static bool arithmetic(const CExpr *e, int64_t a, int64_t b, int64_t *out) {
  bool over = false;
  if (e->op == COP_ADD) over = __builtin_add_overflow(a, b, out);
  if (e->op == COP_SUB) over = __builtin_sub_overflow(a, b, out);
  if (e->op == COP_MUL) over = __builtin_mul_overflow(a, b, out);
  return !ctype_is_signed(e->type) || (!over && fits(e->type, *out));
}

static bool binary_integer(const CExpr *e, int64_t *out) {
  int64_t a, b;
  if (!cexpr_integer(e->x, &a)) return false;
  if (e->op == COP_ANDAND && !a) return *out = 0, true;
  if (e->op == COP_OROR && a) return *out = 1, true;
  if (!cexpr_integer(e->y, &b)) return false;
  switch ((int)e->op) {
    case COP_ADD: case COP_SUB: case COP_MUL: return arithmetic(e, a, b, out);
    case COP_DIV: case COP_REM: return divide(e, a, b, out);
    case COP_SHL: case COP_SHR: return shift(e, a, b, out);
    case COP_AND: *out = a & b; return true;
    case COP_OR: *out = a | b; return true;
    case COP_XOR: *out = a ^ b; return true;
    case COP_ANDAND: case COP_OROR: *out = b != 0; return true;
    default: *out = compared(e->op, !ctype_is_signed(e->x->type), a, b); return true;
  }
}

static bool unary_integer(const CExpr *e, int64_t *out) {
  int64_t a;
  double number;
  if (e->op == COP_NOT && ctype_is_float(e->x->type) && cexpr_number(e->x, &number))
    return *out = number == 0, true;
  if (e->op == COP_DEREF || e->op == COP_ADDRESS || !cexpr_integer(e->x, &a)) return false;
  if (e->op == COP_NEG && a == INT64_MIN) return false;
  *out = e->op == COP_NEG ? -a : e->op == COP_NOT ? !a : e->op == COP_COMPL ? ~a : a;
  return e->op != COP_NEG || !ctype_is_signed(e->type) || fits(e->type, *out);
}

static bool from_number(const CExpr *e, int64_t *out) {
  double v;
  if (!ctype_is_float(e->x->type) || !cexpr_number(e->x, &v)) return false;
  if (!(v > -9.2e18 && v < 9.2e18)) return false;
  *out = e->type->tag == CTYPE_BOOL ? v != 0 : (int64_t)v;
  return true;
}

static bool folded(const CExpr *e, int64_t *out) {
  int64_t c;
  switch ((int)e->tag) {
    case CE_INT: *out = e->value; return true;
    case CE_UNARY: return unary_integer(e, out);
    case CE_BINARY:
      if (ctype_is_float(e->x->type) && ctype_is_float(e->y->type)) return numbers_compared(e, out);
      if (!ctype_is_integer(e->x->type) || !ctype_is_integer(e->y->type)) return false;
      return binary_integer(e, out);
    case CE_COND: return cexpr_integer(e->x, &c) && cexpr_integer(c ? e->y : e->z, out);
    case CE_SIZEOF: *out = ctype_size(e->measured); return *out >= 0;
    case CE_CAST: case CE_CONVERT:
      if (!ctype_is_integer(e->type)) return false;
      return ctype_is_integer(e->x->type) ? cexpr_integer(e->x, out) : from_number(e, out);
    default: return false;
  }
}

bool cexpr_integer(const CExpr *e, int64_t *out) {
  int64_t v;
  if (!ctype_is_integer(e->type) || !folded(e, &v)) return false;
  *out = wrapped(e->type, v);
  return true;
}

static bool binary_number(const CExpr *e, double *out) {
  double a, b;
  if (!cexpr_number(e->x, &a) || !cexpr_number(e->y, &b)) return false;
  switch ((int)e->op) {
    case COP_ADD: *out = a + b; return true;
    case COP_SUB: *out = a - b; return true;
    case COP_MUL: *out = a * b; return true;
    case COP_DIV: *out = a / b; return true;
    default: return false;
  }
}

bool cexpr_number(const CExpr *e, double *out) {
  int64_t i;
  if (ctype_is_integer(e->type)) {
    if (!cexpr_integer(e, &i)) return false;
    *out = ctype_is_signed(e->type) ? (double)i : (double)(uint64_t)i;
    return true;
  }
  bool ok = false;
  if (e->tag == CE_FLOAT) *out = e->number, ok = true;
  if (e->tag == CE_BINARY && ctype_is_float(e->type)) ok = binary_number(e, out);
  if (e->tag == CE_COND && cexpr_integer(e->x, &i)) ok = cexpr_number(i ? e->y : e->z, out);
  if (e->tag == CE_UNARY && (e->op == COP_NEG || e->op == COP_PLUS)) {
    ok = cexpr_number(e->x, out);
    if (ok && e->op == COP_NEG) *out = -*out;
  }
  if ((e->tag == CE_CAST || e->tag == CE_CONVERT) && ctype_is_float(e->type) &&
      ctype_is_arithmetic(e->x->type))
    ok = cexpr_number(e->x, out);
  if (ok && e->type->tag == CTYPE_FLOAT) *out = (double)(float)*out;
  return ok;
}
