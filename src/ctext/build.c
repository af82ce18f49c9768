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

const CExpr *cbuild_sizeof(Arena *arena, const CExpr *x, const CType *t) {
  CExpr *size = NEW(arena, CExpr);
  *size = (CExpr){.tag = CE_SIZEOF, .type = &ctype_ulong, .x = x, .measured = t};
  return size;
}

const CExpr *cbuild_convert(Arena *arena, const CExpr *x, const CType *to) {
  C c = {.arena = arena};
  return convert_to(&c, x, to);
}

const CExpr *cbuild_truth(Arena *arena, const CExpr *x) {
  if (x->tag == CE_BINARY && (cop_compares(x->op) || x->op == COP_ANDAND || x->op == COP_OROR))
    return x;
  if (x->tag == CE_UNARY && x->op == COP_NOT) return x;
  return cbuild_binary(arena, COP_NE, x, cbuild_int(arena, 0));
}

const CExpr *cbuild_call(Arena *arena, const CFunction *f, const CExpr *const *args, int n) {
  C c = {.arena = arena};
  CExpr *callee = NEW(arena, CExpr);
  callee->tag = CE_FUNCTION;
  callee->type = f->type;
  callee->function = f;
  return make_call(&c, callee, args, n, (Span){0});
}

const CExpr *cbuild_field(Arena *arena, const CExpr *x, bool arrow, const CField *field) {
  C c = {.arena = arena};
  return make_member(&c, x, arrow, field->name, x->at);
}

const CStmt *cstmt_expr(Arena *arena, const CExpr *e) {
  CStmt *s = NEW(arena, CStmt);
  s->tag = CS_EXPR;
  s->at = e->at;
  s->x = e;
  return s;
}

const CStmt *cstmt_assign(Arena *arena, const CExpr *x, const CExpr *value) {
  return cstmt_expr(arena, cbuild_assign(arena, COP_NONE, x, value));
}

const CStmt *cstmt_decl(Arena *arena, CVar *var) {
  CStmt *s = NEW(arena, CStmt);
  s->tag = CS_DECL;
  s->at = var->at;
  list_push(arena, &s->vars, var);
  return s;
}

const CStmt *cstmt_block(Arena *arena, const CStmt *const *stmts, int n) {
  CStmt *s = NEW(arena, CStmt);
  s->tag = CS_BLOCK;
  for (int i = 0; i < n; i++) list_push(arena, &s->stmts, stmts[i]);
  if (n) s->at = stmts[0]->at;
  return s;
}
