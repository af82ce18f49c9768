// Expressions whose meaning depends on the order of evaluation, which C leaves open: a variable
// that is written in one operand and used in another, `i = i++ + 1`, `f(i, i++)`.
#include "local.h"

typedef struct {
  const CVar *written[16];
  int writes;
  const CVar *read[64];
  int reads;
} Uses;

static void uses_of(const CExpr *e, Uses *u);

static void write_to(const CExpr *x, Uses *u) {
  if (x->tag == CE_VAR) {
    if (u->writes < 16) u->written[u->writes++] = x->var;
    return;
  }
  if (x->x) uses_of(x->x, u);
  if (x->y) uses_of(x->y, u);
}

static void uses_of(const CExpr *e, Uses *u) {
  if (!e) return;
  if (e->tag == CE_VAR) {
    if (u->reads < 64) u->read[u->reads++] = e->var;
    return;
  }
  if (e->tag == CE_SIZEOF) return;
  if (e->tag == CE_ASSIGN || e->tag == CE_STEP) {
    write_to(e->x, u);
    uses_of(e->y, u);
    return;
  }
  uses_of(e->x, u);
  uses_of(e->y, u);
  uses_of(e->z, u);
  for (int i = 0; e->tag == CE_CALL && i < e->nargs; i++) uses_of(e->args[i], u);
  for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++) uses_of(e->elems[i].value, u);
}

static bool is_in(const CVar *v, const CVar *const *list, int n) {
  for (int i = 0; i < n; i++)
    if (list[i] == v) return true;
  return false;
}

static void clash(C *c, const CExpr *a, const CExpr *b, Span at) {
  Uses x = {0}, y = {0};
  uses_of(a, &x);
  uses_of(b, &y);
  const CVar *bad = NULL;
  for (int i = 0; i < x.writes; i++)
    if (is_in(x.written[i], y.read, y.reads) || is_in(x.written[i], y.written, y.writes))
      bad = x.written[i];
  for (int i = 0; i < y.writes; i++)
    if (is_in(y.written[i], x.read, x.reads)) bad = y.written[i];
  if (!bad) return;
  diag_error(c->diag, at,
      "[c-unsequenced] `%s` is written and used, in an order that C leaves open.",
             bad->name ? bad->name : "?");
  diag_hint(c->diag, "write two statements");
  stop_now(STATUS_USER_ERROR);
}

// An assignment to a variable: what is written in the value as well.
static void assigned_twice(C *c, const CExpr *e) {
  Uses y = {0};
  uses_of(e->y, &y);
  if (e->x->tag == CE_VAR && is_in(e->x->var, y.written, y.writes)) clash(c, e->x, e->y, e->at);
  if (e->x->tag != CE_VAR) clash(c, e->x, e->y, e->at);
}

void check_sequence(C *c, const CExpr *e) {
  if (!e) return;
  bool ordered = e->tag == CE_COMMA || e->tag == CE_COND || e->op == COP_ANDAND ||
      e->op == COP_OROR;
  if (e->tag == CE_ASSIGN) assigned_twice(c, e);
  if ((e->tag == CE_BINARY && !ordered) || e->tag == CE_INDEX) clash(c, e->x, e->y, e->at);
  check_sequence(c, e->x);
  check_sequence(c, e->y);
  check_sequence(c, e->z);
  for (int i = 0; e->tag == CE_CALL && i < e->nargs; i++) {
    check_sequence(c, e->args[i]);
    for (int j = i + 1; j < e->nargs; j++) clash(c, e->args[i], e->args[j], e->at);
  }
  for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++) check_sequence(c, e->elems[i].value);
}
