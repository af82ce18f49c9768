// Statements whose children are others.
#include "local.h"

static void statements_set(CStmt *s, const Stmts *list) {
  s->stmts.at = list->at;
  s->stmts.len = s->stmts.cap = list->len;
}

const CStmt *cstmt_with(Arena *arena, const CStmt *s, const Stmts *list) {
  CStmt *r = arena_copy(arena, s, sizeof *s);
  statements_set(r, list);
  return r;
}

CStmt *cstmt_mapped(Arena *arena, const CStmt *s, CStmtMap *f, void *state) {
  CStmt *r = arena_copy(arena, s, sizeof *s);
  Stmts list = {0};
  r->body = s->body ? f(s->body, state) : NULL;
  r->other = s->other ? f(s->other, state) : NULL;
  for (int i = 0; i < s->stmts.len; i++) list_push(arena, &list, f(s->stmts.at[i], state));
  statements_set(r, &list);
  return r;
}
