// Partial derivatives of library functions as C: the terms of prim.def over the arguments and the
// result.  pow with a small constant integer exponent is made of products.
#include <math.h>
#include "local.h"

typedef struct {
  CDiff *d;
  const CExpr *args[3], *result;
  const CType *type;
} Terms;

static const CExpr *term(const Terms *t, const Term *x);

static const CExpr *compared(const Terms *t, COp op, const Term *x) {
  const CExpr *zero = cbuild_int(t->d->arena, 0);
  const CExpr *a = term(t, x->x), *b = term(t, x->y);
  return cbuild_binary(t->d->arena, op, a ? a : zero, b ? b : zero);
}

static const CExpr *function(const Terms *t, const char *name, const Term *x) {
  const CExpr *args[3], *zero = cbuild_int(t->d->arena, 0);
  const Term *parts[3] = {x->x, x->y, x->z};
  int n = op_info[x->op].arity;
  bool single = t->type->tag == CTYPE_FLOAT && strncmp(name, "dz_", 3) != 0;
  for (int i = 0; i < n; i++) {
    args[i] = term(t, parts[i]);
    args[i] = cbuild_convert(t->d->arena, args[i] ? args[i] : zero, t->type);
  }
  if (strncmp(name, "dz_", 3) == 0) t->d->tape = true;
  const char *full = single ? arena_printf(t->d->arena, "%sf", name) : name;
  return mk_call(t->d, full, t->type, args, n);
}

// (a > 0) - (a < 0)
static const CExpr *sign_of(const Terms *t, const Term *x) {
  const CExpr *a = term(t, x->x), *zero = cbuild_int(t->d->arena, 0);
  if (!a) return NULL;
  Arena *arena = t->d->arena;
  return cbuild_binary(arena, COP_SUB, cbuild_binary(arena, COP_GT, a, zero),
                       cbuild_binary(arena, COP_LT, a, zero));
}

static const char *c_name(Op op) {
  switch ((int)op) {
    case OP_ABS: return "fabs";
    case OP_GAMMA: return "tgamma";
    case OP_ROUND: return "rint";
    case OP_POWZ: return "dz_powz";
    case OP_DIGAMMA: return "dz_digamma";
    case OP_TRIGAMMA: return "dz_trigamma";
    default: return op_info[op].name;
  }
}

static const CExpr *operation(const Terms *t, const Term *x) {
  CDiff *d = t->d;
  switch ((int)x->op) {
    case OP_ADD: return mk_add(d, term(t, x->x), term(t, x->y));
    case OP_SUB: return mk_sub(d, term(t, x->x), term(t, x->y));
    case OP_MUL: return mk_mul(d, term(t, x->x), term(t, x->y));
    case OP_DIV: return mk_div(d, term(t, x->x), term(t, x->y));
    case OP_NEG: return mk_neg(d, term(t, x->x));
    case OP_DETACH: return term(t, x->x);
    case OP_GUARD: return term(t, x->z);
    case OP_SGN: return sign_of(t, x);
    case OP_EQ: return compared(t, COP_EQ, x);
    case OP_NE: return compared(t, COP_NE, x);
    case OP_LT: return compared(t, COP_LT, x);
    case OP_LE: return compared(t, COP_LE, x);
    case OP_OR: return compared(t, COP_OROR, x);
    case OP_AND: return compared(t, COP_ANDAND, x);
    case OP_SELECT: return mk_cond(d, term(t, x->x), term(t, x->y), term(t, x->z));
    default: return function(t, c_name(x->op), x);
  }
}

static const CExpr *term(const Terms *t, const Term *x) {
  switch (x->kind) {
    case TERM_A: return t->args[0];
    case TERM_B: return t->args[1];
    case TERM_C: return t->args[2];
    case TERM_R: return t->result;
    case TERM_CONST: return mk_num(t->d, t->type, x->value);
    case TERM_OP: return operation(t, x);
  }
  return NULL;
}

static bool uses(const Term *x, unsigned kind) {
  if (!x) return false;
  if (x->kind == kind) return true;
  return x->kind == TERM_OP && (uses(x->x, kind) || uses(x->y, kind) || uses(x->z, kind));
}

bool partial_needs_result(const CExpr *call) {
  const CLibc *row = call->x->function->libc;
  if (row->kind != LIBC_MATH) return false;
  if (row->rule) return rule_needs_result(row->rule);
  for (int i = 0; i < 3; i++)
    if (uses(op_partial(row->op, row->prim, i), TERM_R)) return true;
  return false;
}

bool partial_of_result(const CExpr *call) {
  const CLibc *row = call->x->function->libc;
  if (row->kind != LIBC_MATH || row->rule || call->nargs != 1) return false;
  const Term *x = op_partial(row->op, row->prim, 0);
  return uses(x, TERM_R) && !uses(x, TERM_A);
}

// k x^(k-1) for k of 2, 3, 4 and -1, -2.
static const CExpr *power(CDiff *d, const CExpr *x, int64_t k) {
  const CExpr *p = x;
  for (int64_t i = 1; i < (k < 0 ? -k + 1 : k - 1); i++) p = mk_mul(d, p, x);
  const CExpr *factor = mk_num(d, x->type, (double)k);
  return k < 0 ? mk_div(d, cbuild_float(d->arena, &ctype_double, (double)k), p)
      : mk_mul(d, factor, p);
}

const CExpr *partial_of(CDiff *d, const CExpr *call, int i, const CExpr *result) {
  const CLibc *row = call->x->function->libc;
  if (row->kind != LIBC_MATH)
    refuse(d, call->at, "[c-no-rule] This function of the library has no derivative here.",
           "write it with functions that have one, or say `#pragma dagaz derivative f: x = ..`");
  if (row->rule) return rule_partial(d, call, i, result);
  double k;
  if (row->op == OP_POW && i == 0 && cexpr_number(call->args[1], &k) && k == trunc(k)) {
    if (k == 0) return NULL;
    if (k == 1) return cbuild_int(d->arena, 1);
    if (k >= -2 && k <= 4) return power(d, call->args[0], (int64_t)k);
  }
  const Term *x = op_partial(row->op, row->prim, i);
  if (!x) return NULL;
  Terms t = {.d = d, .result = result, .type = row->prim == PRIM_F32 ? &ctype_float
      : &ctype_double};
  for (int n = 0; n < call->nargs && n < 3; n++) t.args[n] = call->args[n];
  return term(&t, x);
}
