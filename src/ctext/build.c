// Making typed expressions outside of the parser: the same typing rules, no positions.
#include "local.h"

const CExpr *cbuild_int(Arena *arena, int64_t value) {
  CExpr *e = NEW(arena, CExpr);
  e->tag = CE_INT;
  e->type = value >= INT32_MIN && value <= INT32_MAX ? &ctype_int : &ctype_long;
  e->value = value;
  return e;
}

const CExpr *cbuild_float(Arena *arena, const CType *type, double value) {
  CExpr *e = NEW(arena, CExpr);
  e->tag = CE_FLOAT;
  e->type = ctype_plain(arena, type);
  e->number = value;
  return e;
}

const CExpr *cbuild_var(Arena *arena, const CVar *var) {
  CExpr *e = NEW(arena, CExpr);
  e->tag = CE_VAR;
  e->type = var->type;
  e->at = var->at;
  e->var = var;
  return e;
}

const CExpr *cbuild_unary(Arena *arena, COp op, const CExpr *x) {
  C c = {.arena = arena};
  return make_unary(&c, op, x, x->at);
}

const CExpr *cbuild_binary(Arena *arena, COp op, const CExpr *x, const CExpr *y) {
  C c = {.arena = arena};
  return make_binary(&c, op, x, y);
}

const CExpr *cbuild_assign(Arena *arena, COp op, const CExpr *x, const CExpr *y) {
  C c = {.arena = arena};
  return make_assign(&c, op, x, y);
}

const CExpr *cbuild_index(Arena *arena, const CExpr *x, const CExpr *y) {
  C c = {.arena = arena};
  return make_index(&c, x, y, x->at);
}

const CExpr *cbuild_convert(Arena *arena, const CExpr *x, const CType *to) {
  C c = {.arena = arena};
  return convert_to(&c, x, to);
}
