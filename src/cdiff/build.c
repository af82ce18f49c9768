// Expressions of derivatives, simplified as they are made: products with 0 and 1, sums with 0,
// double signs.  NULL is zero.
#include "local.h"
#include <math.h>

const CExpr *mk_num(CDiff *d, const CType *t, double v) {
  if (v == floor(v) && fabs(v) < 1000) return cbuild_int(d->arena, (int64_t)v);
  return cbuild_float(d->arena, t, v);
}

bool mk_is(const CExpr *e, double v) {
  double n;
  return e && cexpr_number(e, &n) && n == v;
}

static bool is_neg(const CExpr *e) {
  e = cexpr_bare(e);
  return e->tag == CE_UNARY && e->op == COP_NEG;
}

static const CExpr *positive(const CExpr *e) { return cexpr_bare(e)->x; }

const CExpr *mk_neg(CDiff *d, const CExpr *a) {
  double v;
  if (!a) return NULL;
  if (is_neg(a)) return positive(a);
  if (cexpr_bare(a)->tag == CE_INT && cexpr_number(a, &v)) return mk_num(d, a->type, -v);
  const CExpr *b = cexpr_bare(a);
  if (b->tag == CE_BINARY && b->op == COP_MUL && cexpr_bare(b->x)->tag == CE_INT)
    return mk_mul(d, mk_neg(d, b->x), b->y);
  return cbuild_unary(d->arena, COP_NEG, a);
}

const CExpr *mk_add(CDiff *d, const CExpr *a, const CExpr *b) {
  if (!a || mk_is(a, 0)) return b;
  if (!b || mk_is(b, 0)) return a;
  if (is_neg(b)) return mk_sub(d, a, positive(b));
  if (is_neg(a)) return mk_sub(d, b, positive(a));
  return cbuild_binary(d->arena, COP_ADD, a, b);
}

const CExpr *mk_sub(CDiff *d, const CExpr *a, const CExpr *b) {
  if (!b || mk_is(b, 0)) return a;
  if (!a || mk_is(a, 0)) return mk_neg(d, b);
  if (is_neg(b)) return mk_add(d, a, positive(b));
  return cbuild_binary(d->arena, COP_SUB, a, b);
}

const CExpr *mk_mul(CDiff *d, const CExpr *a, const CExpr *b) {
  if (!a || !b) return NULL;
  if (mk_is(a, 0) || mk_is(b, 0)) return NULL;
  if (mk_is(a, 1)) return b;
  if (mk_is(b, 1)) return a;
  if (mk_is(a, -1)) return mk_neg(d, b);
  if (mk_is(b, -1)) return mk_neg(d, a);
  if (is_neg(a)) return mk_neg(d, mk_mul(d, positive(a), b));
  if (is_neg(b)) return mk_neg(d, mk_mul(d, a, positive(b)));
  return cbuild_binary(d->arena, COP_MUL, a, b);
}

// Integer operands would divide as integers.
static const CExpr *as_float(CDiff *d, const CExpr *e, const CType *t) {
  if (!ctype_is_integer(e->type)) return e;
  double v;
  if (cexpr_number(e, &v)) return cbuild_float(d->arena, t, v);
  CExpr *cast = NEW(d->arena, CExpr);
  *cast = (CExpr){.tag = CE_CAST, .type = t, .x = e};
  return cast;
}

const CExpr *mk_div(CDiff *d, const CExpr *a, const CExpr *b) {
  if (!a) return NULL;
  if (mk_is(b, 1)) return a;
  if (ctype_is_integer(a->type) && ctype_is_integer(b->type)) a = as_float(d, a, &ctype_double);
  if (is_neg(a)) return mk_neg(d, mk_div(d, positive(a), b));
  return cbuild_binary(d->arena, COP_DIV, a, b);
}

const CExpr *mk_cond(CDiff *d, const CExpr *c, const CExpr *a, const CExpr *b) {
  const CExpr *zero = cbuild_int(d->arena, 0);
  if (!a && !b) return NULL;
  if (a && b && same_expr(a, b)) return a;
  a = a ? a : zero;
  b = b ? b : zero;
  CExpr *e = NEW(d->arena, CExpr);
  const CType *t = ctype_is_float(a->type) ? a->type : b->type;
  *e = (CExpr){.tag = CE_COND, .type = ctype_is_arithmetic(t) ? ctype_plain(d->arena, t) : t,
               .x = c, .y = cbuild_convert(d->arena, a, t), .z = cbuild_convert(d->arena, b, t)};
  if (ctype_is_integer(t)) e->type = &ctype_double, e->y = as_float(d, a, &ctype_double);
  return e;
}

static const CFunction *library(CDiff *d, const char *name, const CType *result) {
  Name key = name_of(d->p->names, name);
  CFunction *f = map_get(d->library, KEY(key));
  if (f) return f;
  f = NEW(d->arena, CFunction);
  CType *t = NEW(d->arena, CType);
  *t = (CType){.tag = CTYPE_FUNCTION, .base = result, .unprototyped = true, .count = -1};
  *f = (CFunction){.name = key, .type = t, .system = true, .libc = libc_named(name)};
  map_put(d->library, KEY(key), f);
  return f;
}

const CExpr *mk_call(CDiff *d, const char *name, const CType *result, const CExpr *const *args,
                     int n) {
  return cbuild_call(d->arena, library(d, name, result), args, n);
}

const CExpr *mk_convert(CDiff *d, const CExpr *e, const CType *to) {
  if (!e || !ctype_is_float(to) || e->type->tag == to->tag || e->type->tag < to->tag) return e;
  CExpr *cast = NEW(d->arena, CExpr);
  *cast = (CExpr){.tag = CE_CAST, .type = ctype_plain(d->arena, to), .x = e};
  return cast;
}

static bool same_parts(const CExpr *a, const CExpr *b) {
  const CExpr *x[] = {a->x, a->y, a->z}, *y[] = {b->x, b->y, b->z};
  for (int i = 0; i < 3; i++) {
    if (!x[i] != !y[i]) return false;
    if (x[i] && !same_expr(x[i], y[i])) return false;
  }
  return true;
}

bool same_expr(const CExpr *a, const CExpr *b) {
  a = cexpr_bare(a);
  b = cexpr_bare(b);
  if (a == b) return true;
  if (a->tag != b->tag || a->op != b->op) return false;
  switch (a->tag) {
    case CE_INT: return a->value == b->value;
    case CE_FLOAT: return a->number == b->number;
    case CE_VAR: return a->var == b->var;
    case CE_MEMBER: return a->field == b->field && a->arrow == b->arrow && same_expr(a->x, b->x);
    case CE_FUNCTION: return a->function == b->function;
    case CE_CALL:
      if (a->nargs != b->nargs || !same_expr(a->x, b->x)) return false;
      for (int i = 0; i < a->nargs; i++)
        if (!same_expr(a->args[i], b->args[i])) return false;
      return true;
    case CE_CAST: return ctype_same(a->type, b->type) && same_expr(a->x, b->x);
    case CE_UNARY: case CE_BINARY: case CE_COND: case CE_INDEX: return same_parts(a, b);
    case CE_STRING: case CE_ASSIGN: case CE_STEP: case CE_CONVERT: case CE_SIZEOF: case CE_COMMA:
    case CE_LIST: case CE_COMPOUND:
      return false;
  }
  return false;
}

void stmts_add(CDiff *d, Stmts *to, const CStmt *s) {
  if (!s->at.src) ((CStmt *)(uintptr_t)s)->at = d->at;
  list_push(d->arena, to, s);
}

void stmts_add_all(CDiff *d, Stmts *to, const Stmts *from) {
  for (int i = 0; i < from->len; i++) stmts_add(d, to, from->at[i]);
}

void stmts_expr(CDiff *d, Stmts *to, const CExpr *e) {
  CStmt *s = arena_copy(d->arena, cstmt_expr(d->arena, e), sizeof *s);
  s->at = d->at;  // not that of a variable in it
  stmts_add(d, to, s);
}

void stmts_assign(CDiff *d, Stmts *to, const CExpr *x, const CExpr *y) {
  stmts_expr(d, to, cbuild_assign(d->arena, COP_NONE, x, y));
}

CVar *local_new(Derived *f, const char *base, const CType *type) {
  CVar *v = cvar_fresh(f->simple, base, ctype_plain(f->d->arena, type));
  list_push(f->d->arena, &f->extra, v);
  return v;
}

const CExpr *var_of(CDiff *d, const CVar *v) { return cbuild_var(d->arena, v); }

const CStmt *stmts_block(CDiff *d, const Stmts *s) {
  return cstmt_block(d->arena, s->at, s->len);
}

_Noreturn void refuse(CDiff *d, Span at, const char *message, const char *hint) {
  diag_error(d->p->diag, at, "%s", message);
  if (hint) diag_hint(d->p->diag, "%s", hint);
  stop_now(STATUS_USER_ERROR);
}

void memory_cleared(CDiff *d, const CExpr *place, Stmts *to) {
  bool deref = place->tag == CE_UNARY && place->op == COP_DEREF;
  const CExpr *at = place->type->tag == CTYPE_ARRAY ? place : deref ? place->x
      : cbuild_unary(d->arena, COP_ADDRESS, place);
  const CExpr *args[3] = {at, cbuild_int(d->arena, 0),
                          cbuild_sizeof(d->arena, place, place->type)};
  stmts_expr(d, to, mk_call(d, "memset", &ctype_void, args, 3));
}

const CExpr *cbuild_list(Arena *arena, const CType *t, CInit *elems, int n) {
  CExpr *list = NEW(arena, CExpr);
  *list = (CExpr){.tag = CE_LIST, .type = t, .elems = elems, .nelems = n};
  return list;
}

const CExpr *zeros(Arena *arena, const CType *t) {
  CInit *first = NEW(arena, CInit);
  first->value = cbuild_int(arena, 0);
  return cbuild_list(arena, t, first, 1);
}
