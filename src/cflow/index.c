// Indices as polynomials: of parameters that are never assigned, of counters of the loops around,
// and of variables assigned once.  A variable that starts before the loops and grows by one in the
// innermost has its largest value there, unless the exact one is asked for.
#include "index.h"

static Poly no_poly(void) { return (Poly){0}; }

// ---- variables ----------------------------------------------------------------------------------
typedef struct {
  const CVar *v;
  const CExpr *value;   // of the one assignment
  int writes, steps;
} Writes;

static bool write_in(const CExpr *e, void *state) {
  Writes *w = state;
  bool step = e->tag == CE_STEP;
  if ((e->tag != CE_ASSIGN && !step) || e->x->tag != CE_VAR || e->x->var != w->v) return true;
  w->writes++;
  if (step && e->op == COP_ADD) w->steps++;
  else if (!step && !e->op) w->value = e->y;
  return true;
}

static bool decl_in(const CStmt *s, void *state) {
  Writes *w = state;
  for (int i = 0; i < s->vars.len; i++)
    if (s->vars.at[i] == w->v && s->vars.at[i]->init) w->writes++, w->value = s->vars.at[i]->init;
  return true;
}

static Writes writes_of(const CIndex *l, const CVar *v) {
  Writes w = {.v = v};
  cstmt_visit(l->body, decl_in, write_in, &w);
  return w;
}

static CRange *range_of(const CIndex *l, const CVar *v) {
  for (CRange *r = l->ranges; r; r = r->outer)
    if (r->counter == v) return r;
  return NULL;
}

// sum of c over counter = low .. high, c of degree 1 at most in the counter.
static Poly summed(const CIndex *l, Poly c, const CRange *r) {
  Arena *a = l->arena;
  if (cpoly_degree(&c, r->counter) > 1) return no_poly();
  Poly constant = cpoly_coefficient(a, c, r->counter, 0),
      slope = cpoly_coefficient(a, c, r->counter, 1);
  Poly sum = cpoly_mul(a, constant, r->trips);
  Poly up = cpoly_mul(a, r->high, cpoly_add(a, r->high, cpoly_const(a, 1), 1));
  Poly down = cpoly_mul(a, r->low, cpoly_add(a, r->low, cpoly_const(a, 1), -1));
  Poly ones = cpoly_over(a, cpoly_add(a, up, down, -1), 2);
  return cpoly_add(a, sum, cpoly_mul(a, slope, ones), 1);
}

// v = c before the loops, v++ once in the innermost: its largest value there.
static Poly walking(const CIndex *l, const Writes *w) {
  if (w->writes != 2 || w->steps != 1 || !w->value || !l->ranges) return no_poly();
  Poly start = cindex_poly(l, w->value), total = cpoly_const(l->arena, 1);
  for (CRange *r = l->ranges; r; r = r->outer) {
    if (!r->counter) return no_poly();
    total = r == l->ranges ? r->trips : summed(l, total, r);
  }
  Poly last = cpoly_add(l->arena, total, cpoly_const(l->arena, 1), -1);
  return cpoly_add(l->arena, start, last, 1);
}

// Exactly: not of counters, which may have moved on since.
static Poly assigned_once(const CIndex *l, const CExpr *value) {
  Poly p = cindex_poly(l, value);
  for (const CRange *r = l->ranges; l->exact && r; r = r->outer)
    if (r->counter && cpoly_degree(&p, r->counter) > 0) return no_poly();
  return p;
}

static Poly variable(const CIndex *l, const CVar *v) {
  if (range_of(l, v)) return cpoly_var(l->arena, v);
  if (!ctype_is_integer(v->type) || v->is_global || v->addressed) return no_poly();
  Writes w = writes_of(l, v);
  if (v->is_param) return w.writes ? no_poly() : cpoly_var(l->arena, v);
  if (w.writes == 1 && w.value) return assigned_once(l, w.value);
  return l->exact ? no_poly() : walking(l, &w);
}

static Poly quotient(const CIndex *l, const CExpr *e) {
  int64_t by;
  if (!cexpr_integer(e->y, &by) || by <= 0) return no_poly();
  Poly q = cpoly_over(l->arena, cindex_poly(l, e->x), by);
  return cpoly_whole(&q) ? q : no_poly();
}

Poly cindex_poly(const CIndex *l, const CExpr *e) {
  int64_t v;
  Arena *a = l->arena;
  if (!ctype_is_integer(e->type)) return no_poly();
  if (cexpr_integer(e, &v)) return cpoly_const(a, v);
  switch ((int)e->tag) {
    case CE_CONVERT: case CE_CAST: return cindex_poly(l, e->x);
    case CE_VAR: return variable(l, e->var);
    case CE_UNARY:
      if (e->op == COP_PLUS) return cindex_poly(l, e->x);
      if (e->op != COP_NEG) return no_poly();
      return cpoly_add(a, cpoly_const(a, 0), cindex_poly(l, e->x), -1);
    case CE_BINARY:
      if (e->op == COP_ADD) return cpoly_add(a, cindex_poly(l, e->x), cindex_poly(l, e->y), 1);
      if (e->op == COP_SUB) return cpoly_add(a, cindex_poly(l, e->x), cindex_poly(l, e->y), -1);
      if (e->op == COP_MUL) return cpoly_mul(a, cindex_poly(l, e->x), cindex_poly(l, e->y));
      return e->op == COP_DIV ? quotient(l, e) : no_poly();
    default: return no_poly();
  }
}

static const CVar *init_of(const CStmt *s, const CExpr **from) {
  if (!s->init) return NULL;
  if (s->init->tag == CS_DECL && s->init->vars.len == 1) {
    *from = s->init->vars.at[0]->init;
    return *from ? s->init->vars.at[0] : NULL;
  }
  const CExpr *e = s->init->x;
  if (!e || e->tag != CE_ASSIGN || e->op || e->x->tag != CE_VAR) return NULL;
  *from = e->y;
  return e->x->var;
}

static bool written_inside(const CStmt *body, const CVar *v) {
  Writes w = {.v = v};
  cstmt_visit(body, decl_in, write_in, &w);
  return w.writes > 0;
}

// for (i = a; i < b; i += c), a loop upwards; c positive.
static bool range_upwards(const CIndex *l, const CStmt *s, CRange *r, Poly from) {
  Arena *a = l->arena;
  const CExpr *t = s->x, *step = s->step;
  Poly one = cpoly_const(a, 1), by = one;
  if (step->tag == CE_ASSIGN) by = cindex_poly(l, step->y);
  else if (step->tag != CE_STEP) return false;
  if (step->op != COP_ADD || step->x->tag != CE_VAR || step->x->var != r->counter) return false;
  if (t->op != COP_LT && t->op != COP_LE) return false;
  r->unit = step->tag == CE_STEP;
  Poly to = cindex_poly(l, t->y);
  if (t->op == COP_LT) to = cpoly_add(a, to, one, -1);
  Poly count = cpoly_add(a, cpoly_add(a, to, from, -1), one, 1);
  r->low = from;
  r->trips = cpoly_divide(a, count, by);
  Poly last = cpoly_mul(a, cpoly_add(a, r->trips, one, -1), by);
  r->high = cpoly_add(a, from, last, 1);
  return r->high.known;
}

static bool range_downwards(const CIndex *l, const CStmt *s, CRange *r, Poly from) {
  Arena *a = l->arena;
  const CExpr *t = s->x, *step = s->step;
  if (step->tag != CE_STEP || step->op != COP_SUB || step->x->tag != CE_VAR ||
      step->x->var != r->counter || (t->op != COP_GE && t->op != COP_GT))
    return false;
  Poly one = cpoly_const(a, 1), to = cindex_poly(l, t->y);
  if (t->op == COP_GT) to = cpoly_add(a, to, one, 1);
  r->down = true;
  r->low = to;
  r->high = from;
  r->trips = cpoly_add(a, cpoly_add(a, from, to, -1), one, 1);
  return r->trips.known;
}

CRange cindex_range(const CIndex *l, const CStmt *s) {
  CRange r = {.outer = l->ranges};
  const CExpr *from = NULL;
  if (s->tag != CS_FOR || !s->x || !s->step || s->x->tag != CE_BINARY) return r;
  r.counter = init_of(s, &from);
  const CExpr *left = cexpr_bare(s->x->x);
  bool of = r.counter && left->tag == CE_VAR && left->var == r.counter &&
            !written_inside(s->body, r.counter);
  Poly start = of ? cindex_poly(l, from) : no_poly();
  if (!of || !start.known || (!range_upwards(l, s, &r, start) && !range_downwards(l, s, &r, start)))
    r.counter = NULL;
  return r;
}

int cindex_writes(const CIndex *l, const CVar *v, const CExpr **value) {
  Writes w = writes_of(l, v);
  *value = w.value;
  return w.writes;
}
