// Which variables statements use, and which of them they read.  The law: in simple statements
// nothing uses the value of an assignment or a step, so it does not read the variable it sets.
#include "local.h"

VarUse var_use_new(Arena *arena) { return (VarUse){map_new(arena), map_new(arena)}; }

static bool reads_all(const CExpr *e, void *state) {
  VarUse *u = state;
  if (e->tag != CE_VAR) return true;
  map_put(u->used, KEY(e->var), u);
  map_put(u->read, KEY(e->var), u);
  return true;
}

static bool reads_others(const CExpr *e, void *state) {
  VarUse *u = state;
  bool sets = (e->tag == CE_ASSIGN || e->tag == CE_STEP) && e->x->tag == CE_VAR;
  if (!sets) return reads_all(e, state);
  map_put(u->used, KEY(e->x->var), u);
  if (e->y) cexpr_visit(e->y, reads_others, state);
  return false;
}

void var_use_add(VarUse *u, const CStmt *s, bool simple) {
  cstmt_visit(s, NULL, simple ? reads_others : reads_all, u);
}
