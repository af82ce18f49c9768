// The conversions of C that are not written: promotions, the usual arithmetic conversions, decay of
// arrays and functions, and what an assignment does.  Each is a CE_CONVERT node.
#include "local.h"

CExpr *expr_new(C *c, CExprTag tag, Span at, const CType *type) {
  CExpr *e = NEW(c->arena, CExpr);
  e->tag = tag;
  e->at = at;
  e->type = type;
  return e;
}

static const CExpr *converted(C *c, const CExpr *e, const CType *to) {
  CExpr *r = expr_new(c, CE_CONVERT, e->at, to);
  r->x = e;
  return r;
}

const CExpr *decayed(C *c, const CExpr *e) {
  if (e->type->tag == CTYPE_OPAQUE)
    parse_fail(c, e->at, "[c-unsupported] This is declared in a system header in a way that "
                         "cannot be read.");
  if (e->type->tag == CTYPE_ARRAY) return converted(c, e, ctype_pointer(c->arena, e->type->base));
  if (e->type->tag == CTYPE_FUNCTION) return converted(c, e, ctype_pointer(c->arena, e->type));
  return e;
}

const CExpr *convert_to(C *c, const CExpr *e, const CType *to) {
  e = decayed(c, e);
  if (ctype_same(e->type, to)) return e;
  return converted(c, e, ctype_plain(c->arena, to));
}

const CType *promoted(const CType *t) {
  if (ctype_is_integer(t) && (t->tag < CTYPE_INT || t->tag == CTYPE_ENUM)) return &ctype_int;
  return t->quals && t->tag <= CTYPE_LDOUBLE ? ctype_basic(t->tag) : t;
}

static int rank(const CType *t) { return ((int)t->tag - CTYPE_INT) / 2; }

const CType *arithmetic_common(C *c, const CType *a, const CType *b) {
  (void)c;
  a = promoted(a);
  b = promoted(b);
  if (ctype_is_float(a) || ctype_is_float(b)) {
    CTypeTag tag = a->tag > b->tag ? a->tag : b->tag;
    return ctype_basic(tag);
  }
  if (a->tag == b->tag) return a;
  bool sa = ctype_is_signed(a), sb = ctype_is_signed(b);
  if (sa == sb) return rank(a) > rank(b) ? a : b;
  const CType *u = sa ? b : a, *s = sa ? a : b;
  if (rank(u) >= rank(s)) return u;
  if (ctype_size(s) > ctype_size(u)) return s;
  return ctype_basic((CTypeTag)(s->tag + 1));
}

static bool null_pointer(const CExpr *e) {
  int64_t value;
  e = cexpr_bare(e);
  if (e->tag == CE_CAST && e->type->tag == CTYPE_POINTER && e->type->base->tag == CTYPE_VOID)
    e = e->x;
  return ctype_is_integer(e->type) && cexpr_integer(e, &value) && value == 0;
}

static bool pointers_agree(const CType *to, const CType *from) {
  const CType *a = to->base, *b = from->base;
  if (a->tag == CTYPE_VOID || b->tag == CTYPE_VOID || ctype_same(a, b)) return true;
  if (ctype_is_integer(a) && ctype_is_integer(b)) return ctype_size(a) == ctype_size(b);
  if (a->tag == CTYPE_POINTER && b->tag == CTYPE_POINTER) return pointers_agree(a, b);
  return false;
}

static bool assignable(const CType *to, const CExpr *e) {
  const CType *from = e->type;
  if (to->tag == CTYPE_BOOL) return ctype_is_scalar(from);
  if (ctype_is_arithmetic(to)) return ctype_is_arithmetic(from);
  if (to->tag == CTYPE_POINTER && from->tag == CTYPE_POINTER) return pointers_agree(to, from);
  if (to->tag == CTYPE_POINTER) return null_pointer(e);
  return ctype_same(to, from);
}

const CExpr *convert_assigned(C *c, const CExpr *e, const CType *to) {
  e = decayed(c, e);
  if (assignable(to, e)) return convert_to(c, e, to);
  Text a = {0}, b = {0};
  ctype_print(&a, to, "");
  ctype_print(&b, e->type, "");
  char message[400];
  snprintf(message, sizeof message, "[c-type] A value of type `%.120s` where `%.120s` is needed.",
           b.at, a.at);
  text_free(&a);
  text_free(&b);
  parse_fail(c, e->at, "%s", message);
}

const CVar *cexpr_owner(const CExpr *e) {
  while (e->tag != CE_VAR) {
    bool element = e->tag == CE_INDEX && cexpr_bare(e->x)->type->tag == CTYPE_ARRAY;
    if (!element && (e->tag != CE_MEMBER || e->arrow)) return NULL;
    e = element ? cexpr_bare(e->x) : e->x;
  }
  return e->var;
}

const CExpr *cexpr_stripped(const CExpr *e) {
  while (e->tag == CE_CONVERT || e->tag == CE_CAST) e = e->x;
  return e;
}

const CExpr *cexpr_bare(const CExpr *e) {
  while (e->tag == CE_CONVERT) e = e->x;
  return e;
}

bool cexpr_is_lvalue(const CExpr *e) {
  if (e->tag == CE_VAR || e->tag == CE_INDEX || e->tag == CE_COMPOUND || e->tag == CE_STRING)
    return true;
  if (e->tag == CE_MEMBER) return e->arrow || cexpr_is_lvalue(e->x);
  return e->tag == CE_UNARY && e->op == COP_DEREF;
}

void mark_assigned(const CExpr *e) {
  while (e->tag == CE_MEMBER && !e->arrow) e = e->x;
  if (e->tag == CE_VAR) ((CVar *)(uintptr_t)e->var)->assigned = true;
}
