// Values that partial derivatives need and that cost a division or a function are named once:
// q = a / b; t = exp (x).  The statement and its derivative then use the name.
#include "local.h"

static bool active_in(const CExpr *e, void *state);
typedef struct {
  Derived *f;
  bool found;
} Search;

bool depends_active(Derived *f, const CExpr *e) {
  Search s = {f, false};
  cexpr_visit(e, active_in, &s);
  return s.found;
}

static bool active_in(const CExpr *e, void *state) {
  Search *s = state;
  if (s->found || e->tag == CE_SIZEOF) return false;
  if (!ctype_is_float(e->type) && !ctype_is_record(e->type)) return e->tag == CE_LIST;
  if (cexpr_is_lvalue(e) && e->tag != CE_STRING) {
    const CExpr *was = e->tag == CE_VAR ? map_get(s->f->named, KEY(e->var)) : NULL;
    if (was) s->found = depends_active(s->f, was);
    else if (is_active(s->f, e)) s->found = true;
    return false;
  }
  if (e->tag == CE_CALL) {
    const CLibc *row = e->x->tag == CE_FUNCTION ? e->x->function->libc : NULL;
    return row && (row->kind == LIBC_MATH || row->kind == LIBC_SPECIAL);
  }
  return true;
}

static const CExpr *named(Derived *f, const char *base, const CExpr *e, Stmts *before) {
  CVar *v = local_new(f, base, e->type);
  const CExpr *x = var_of(f->d, v);
  stmts_assign(f->d, before, x, e);
  map_put(f->named, KEY(v), (void *)(uintptr_t)e);
  return x;
}

static const CExpr *parts(Derived *f, const CExpr *e, Stmts *before) {
  CExpr *r = arena_copy(f->d->arena, e, sizeof *e);
  if (e->x && e->tag != CE_CALL) r->x = prepare(f, e->x, before);
  if (e->y) r->y = prepare(f, e->y, before);
  if (e->z) r->z = prepare(f, e->z, before);
  if (e->tag != CE_CALL) return r;
  const CExpr **args = NEW_ARRAY(f->d->arena, const CExpr *, e->nargs + 1);
  for (int i = 0; i < e->nargs; i++) args[i] = prepare(f, e->args[i], before);
  r->args = args;
  return r;
}

static bool costs(const CExpr *e, void *state) {
  bool *found = state;
  if (e->tag == CE_CALL || (e->tag == CE_BINARY && e->op == COP_DIV && ctype_is_float(e->type)))
    *found = true;
  return !*found;
}

static bool costly(const CExpr *e) {
  bool found = false;
  cexpr_visit(e, costs, &found);
  return found;
}

// A factor that the derivative of the other one is multiplied by.
static const CExpr *factor(Derived *f, const CExpr *e, Stmts *before) {
  return costly(e) && cexpr_bare(e)->tag != CE_VAR ? named(f, "t", e, before) : e;
}

const CExpr *prepare(Derived *f, const CExpr *e, Stmts *before) {
  bool place = cexpr_is_lvalue(e) || e->tag == CE_STRING;
  if (place || !ctype_is_float(e->type) || !depends_active(f, e)) return e;
  if (e->tag == CE_COND) return e;  // its sides are not always computed
  CExpr *r = (CExpr *)(uintptr_t)parts(f, e, before);
  if (e->tag == CE_BINARY && e->op == COP_MUL) {
    if (depends_active(f, e->x)) r->y = factor(f, r->y, before);
    if (depends_active(f, e->y)) r->x = factor(f, r->x, before);
  }
  if (e->tag == CE_BINARY && e->op == COP_DIV) {
    if (costly(r->y)) r->y = named(f, "t", r->y, before);
    return depends_active(f, e->y) ? named(f, "q", r, before) : r;
  }
  if (e->tag == CE_CALL && partial_needs_result(e)) return named(f, "t", r, before);
  return r;
}

const CExpr *prepare_known(Derived *f, const CExpr *e, const CExpr *known, Stmts *before) {
  CExpr *r = (CExpr *)(uintptr_t)parts(f, cexpr_bare(e), before);
  if (r->tag == CE_BINARY && costly(r->y)) r->y = named(f, "t", r->y, before);
  map_put(f->named, KEY(known->var), r);
  return known;
}
