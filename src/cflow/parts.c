// Library functions that give several numbers are statements of their parts:
//   m = frexp (x, p)       *p = x is 0 or not finite ? 0 : ilogb (x) + 1;  m = ldexp (x, -*p)
//   m = modf (x, p)        *p = trunc (x);  m = x - *p
//   sincos (x, p, q)       *p = sin (x);  *q = cos (x)
// Their derivatives are those of the parts.  x is a variable that they do not change.
#include "local.h"

typedef enum { PARTS_NONE, PARTS_FREXP, PARTS_MODF, PARTS_SINCOS } PartsTag;
static const struct {
  const char *name;
  PartsTag tag;
  int args;
} rows[] = {{"frexp", PARTS_FREXP, 2}, {"frexpf", PARTS_FREXP, 2}, {"modf", PARTS_MODF, 2},
            {"modff", PARTS_MODF, 2}, {"sincos", PARTS_SINCOS, 3}, {"sincosf", PARTS_SINCOS, 3}};

static PartsTag parts_tag(const CExpr *call) {
  if (call->tag != CE_CALL || call->x->tag != CE_FUNCTION) return PARTS_NONE;
  const CFunction *f = call->x->function;
  if (!f->libc || f->rule) return PARTS_NONE;
  for (int i = 0; i < COUNT_OF(rows); i++)
    if (strcmp(rows[i].name, f->name) == 0 && rows[i].args == call->nargs) return rows[i].tag;
  return PARTS_NONE;
}

bool call_has_parts(const CExpr *call) { return parts_tag(call) != PARTS_NONE; }

const CExpr *libc_call(CProgram *p, const char *name, const CType *result,
                       const CExpr *const *args, int n) {
  CFunction *f = NEW(p->arena, CFunction);
  CType *t = NEW(p->arena, CType);
  *t = (CType){.tag = CTYPE_FUNCTION, .base = result, .unprototyped = true, .count = -1};
  *f = (CFunction){.name = name_of(p->names, name), .type = t, .system = true,
                   .libc = libc_named(name)};
  return cbuild_call(p->arena, f, args, n);
}

static const CExpr *library(CProgram *p, const char *name, const CType *result, const CExpr *x,
                            const CExpr *y) {
  const CExpr *args[2] = {x, y};
  bool single = x->type->tag == CTYPE_FLOAT;
  if (single) name = arena_printf(p->arena, "%sf", name);
  return libc_call(p, name, result, args, y ? 2 : 1);
}

static const CExpr *place(Arena *arena, const CExpr *pointer) {
  const CExpr *e = cexpr_bare(pointer);
  return e->tag == CE_UNARY && e->op == COP_ADDRESS ? e->x
                                                    : cbuild_unary(arena, COP_DEREF, pointer);
}

static const CExpr *exponent(CProgram *p, const CExpr *x) {
  Arena *arena = p->arena;
  const CExpr *zero = cbuild_int(arena, 0), *gap = cbuild_binary(arena, COP_SUB, x, x);
  CExpr *e = NEW(arena, CExpr);
  *e = (CExpr){.tag = CE_COND, .type = &ctype_int, .y = zero};
  e->x = cbuild_binary(arena, COP_OROR, cbuild_binary(arena, COP_EQ, x, zero),
                       cbuild_binary(arena, COP_NE, gap, zero));
  e->z = cbuild_binary(arena, COP_ADD, library(p, "ilogb", &ctype_int, x, NULL),
                       cbuild_int(arena, 1));
  return e;
}

CParts call_parts(CProgram *p, const CExpr *call, const CExpr *x) {
  CParts r = {0};
  const CType *t = ctype_plain(p->arena, x->type);
  const CExpr *to = place(p->arena, call->args[1]);
  switch (parts_tag(call)) {
    case PARTS_NONE: break;
    case PARTS_FREXP:
      r.first = cbuild_assign(p->arena, COP_NONE, to, exponent(p, x));
      r.value = library(p, "ldexp", t, x, cbuild_unary(p->arena, COP_NEG, to));
      break;
    case PARTS_MODF:
      r.first = cbuild_assign(p->arena, COP_NONE, to, library(p, "trunc", t, x, NULL));
      r.value = cbuild_binary(p->arena, COP_SUB, x, to);
      break;
    case PARTS_SINCOS:
      r.first = cbuild_assign(p->arena, COP_NONE, to, library(p, "sin", t, x, NULL));
      r.second = cbuild_assign(p->arena, COP_NONE, place(p->arena, call->args[2]),
                               library(p, "cos", t, x, NULL));
      break;
  }
  return r;
}
