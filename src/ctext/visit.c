// Walking trees, and questions that need a walk.
#include "local.h"

void cexpr_visit(const CExpr *e, CExprVisit *f, void *state) {
  if (!e || !f(e, state)) return;
  cexpr_visit(e->x, f, state);
  cexpr_visit(e->y, f, state);
  cexpr_visit(e->z, f, state);
  for (int i = 0; e->tag == CE_CALL && i < e->nargs; i++) cexpr_visit(e->args[i], f, state);
  for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++)
    cexpr_visit(e->elems[i].value, f, state);
}

static void lengths_visit(const CType *t, CExprVisit *f, void *state) {
  for (; t && t->tag == CTYPE_ARRAY; t = t->base) cexpr_visit(t->length, f, state);
}

static void vars_visit(const CStmt *s, CExprVisit *f, void *state) {
  for (int i = 0; i < s->vars.len; i++) {
    lengths_visit(s->vars.at[i]->type, f, state);
    cexpr_visit(s->vars.at[i]->init, f, state);
  }
}

void cstmt_visit(const CStmt *s, CStmtVisit *on_stmt, CExprVisit *on_expr, void *state) {
  if (!s || (on_stmt && !on_stmt(s, state))) return;
  if (on_expr) vars_visit(s, on_expr, state);
  cstmt_visit(s->init, on_stmt, on_expr, state);
  if (on_expr) cexpr_visit(s->x, on_expr, state);
  if (on_expr) cexpr_visit(s->step, on_expr, state);
  cstmt_visit(s->body, on_stmt, on_expr, state);
  cstmt_visit(s->other, on_stmt, on_expr, state);
  for (int i = 0; i < s->stmts.len; i++) cstmt_visit(s->stmts.at[i], on_stmt, on_expr, state);
}

static bool effect(const CExpr *e, void *state) {
  bool *found = state;
  if (e->tag == CE_SIZEOF) return false;
  if (e->tag == CE_ASSIGN || e->tag == CE_STEP) *found = true;
  if (e->tag == CE_CALL) {
    const CLibc *row = e->x->tag == CE_FUNCTION ? e->x->function->libc : NULL;
    if (!row || (row->kind != LIBC_MATH && row->kind != LIBC_PURE)) *found = true;
  }
  return !*found;
}

bool cexpr_is_pure(const CExpr *e) {
  bool found = false;
  cexpr_visit(e, effect, &found);
  return !found;
}
