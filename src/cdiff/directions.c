// Several directions at once.  The shadow of a number is an array of NBDirsMax numbers, one for
// each direction; nbdirs of them are used.  A derivative is a loop over the directions:
//   (v = e)' = t = ..;  for (nd = 0; nd < nbdirs; nd++) vd[nd] = sum of (de/dx) xd[nd]
// What costs and is the same for all directions is named before the loop.
#include "local.h"

bool directions_many(const CDiff *d) { return d->options->directions > 0; }

const CType *directions_type(const CDiff *d, const CType *number) {
  CExpr *most = NEW(d->arena, CExpr);
  *most = (CExpr){.tag = CE_INT, .type = &ctype_int, .value = d->options->directions,
                  .spelling = "NBDirsMax"};
  CType *t = NEW(d->arena, CType);
  *t = (CType){.tag = CTYPE_ARRAY, .base = number, .length = most,
               .count = d->options->directions};
  return t;
}

// The type of a parameter that has them.
const CType *directions_parameter(const CDiff *d, const CType *number) {
  CType *p = arena_copy(d->arena, directions_type(d, number), sizeof *p);
  p->tag = CTYPE_POINTER;
  p->was_array = true;
  return p;
}

CVar *directions_temporary(Derived *f, const CType *number) {
  CVar *v = local_new(f, "td", &ctype_double);
  v->type = directions_type(f->d, ctype_plain(f->d->arena, number));
  return v;
}

static const CExpr *counter(Derived *f) {
  if (!f->direction) {
    f->direction = local_new(f, "nd", &ctype_int);
    for (int i = f->extra.len - 1; i > 0; i--) f->extra.at[i] = f->extra.at[i - 1];
    f->extra.at[0] = f->direction;
  }
  return var_of(f->d, f->direction);
}

const CExpr *direction_of(Derived *f, const CExpr *shadow) {
  if (!directions_many(f->d)) return shadow;
  return cbuild_index(f->d->arena, shadow, counter(f));
}

// ---- values common to all directions ------------------------------------------------------------
typedef struct {
  const CVar *counter;
  bool found, costs;
} Look;

static bool look_at(const CExpr *e, void *state) {
  Look *l = state;
  l->found |= e->tag == CE_VAR && e->var == l->counter;
  l->costs |= e->tag == CE_CALL ||
              (e->tag == CE_BINARY && e->op == COP_DIV && ctype_is_float(e->type));
  return true;
}

// Sides of a condition stay: they may not be computed where it does not hold.
static const CExpr *hoisted(Derived *f, const CExpr *e, Stmts *before) {
  if (!e || !ctype_is_float(e->type)) return e;
  Look l = {.counter = f->direction};
  cexpr_visit(e, look_at, &l);
  if (!l.costs) return e;
  if (!l.found) {
    const CExpr *t = var_of(f->d, local_new(f, "t", e->type));
    stmts_assign(f->d, before, t, e);
    return t;
  }
  if (e->tag == CE_COND || e->tag == CE_CALL || e->tag == CE_INDEX) return e;
  CExpr *r = arena_copy(f->d->arena, e, sizeof *e);
  r->x = hoisted(f, e->x, before);
  r->y = hoisted(f, e->y, before);
  return r;
}

// ---- statements ---------------------------------------------------------------------------------
static const CStmt *direction_loop(Derived *f, const CStmt *body) {
  CDiff *d = f->d;
  const CExpr *nd = counter(f);
  CExpr *step = NEW(d->arena, CExpr);
  *step = (CExpr){.tag = CE_STEP, .op = COP_ADD, .x = nd, .postfix = true, .type = nd->type};
  CStmt *s = NEW(d->arena, CStmt);
  *s = (CStmt){.tag = CS_FOR, .step = step, .body = body, .at = d->at};
  s->init = cstmt_expr(d->arena, cbuild_assign(d->arena, COP_NONE, nd, cbuild_int(d->arena, 0)));
  s->x = cbuild_binary(d->arena, COP_LT, nd, var_of(d, f->directions));
  return s;
}

// shadow op= value; value: of direction_of's.  NULL: zero.
void direction_assign(Derived *f, COp op, const CExpr *shadow, const CExpr *value, Stmts *out) {
  CDiff *d = f->d;
  if (!value) value = cbuild_int(d->arena, 0);
  if (directions_many(d)) value = hoisted(f, value, out);
  const CExpr *e = cbuild_assign(d->arena, op, direction_of(f, shadow), value);
  CStmt *s = arena_copy(d->arena, cstmt_expr(d->arena, e), sizeof *s);
  s->at = d->at;
  stmts_add(d, out, directions_many(d) ? direction_loop(f, s) : s);
}
