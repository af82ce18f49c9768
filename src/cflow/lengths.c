// The length of an array parameter from its accesses: the largest index over the iteration space,
// plus 1.  Counters are replaced, innermost first, by the bound that makes the index largest; calls
// add the callee's length to the offset passed; pointers that walk have the offsets they are given.
// Accesses under a condition may only confirm what the others tell.  Anything else: not known.
#include "local.h"
#include "poly.h"

typedef struct Range {
  struct Range *outer;
  const CVar *counter;
  Poly low, high, trips;
} Range;
typedef struct {
  const CVar *pointer, *param;  // what a local pointer may be: param + offset
  Poly offset;
} Alias;
typedef struct {
  CProgram *p;
  Arena *arena;
  const CFunction *f;
  const CVar *param;
  const CStmt *body;
  Range *ranges;
  int conditions, depth;   // around the statement; calls around the function
  LIST(Alias) aliases;
  bool collecting;         // aliases, not accesses
  Poly best, doubtful;     // largest so far; of accesses under conditions
  bool any, any_doubtful, failed;
} Lengths;
enum { MOST_CALLS = 8 };

static Poly poly_of(Lengths *l, const CExpr *e);

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

static Writes writes_of(const Lengths *l, const CVar *v) {
  Writes w = {.v = v};
  cstmt_visit(l->body, decl_in, write_in, &w);
  return w;
}

static Range *range_of(const Lengths *l, const CVar *v) {
  for (Range *r = l->ranges; r; r = r->outer)
    if (r->counter == v) return r;
  return NULL;
}

static Poly no_poly(void) { return (Poly){0}; }

// sum of c over counter = low .. high, c of degree 1 at most in the counter.
static Poly summed(Lengths *l, Poly c, const Range *r) {
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
static Poly walking(Lengths *l, const Writes *w) {
  if (w->writes != 2 || w->steps != 1 || !w->value || !l->ranges) return no_poly();
  Poly start = poly_of(l, w->value), total = cpoly_const(l->arena, 1);
  for (Range *r = l->ranges; r; r = r->outer) {
    if (!r->counter) return no_poly();
    total = r == l->ranges ? r->trips : summed(l, total, r);
  }
  Poly last = cpoly_add(l->arena, total, cpoly_const(l->arena, 1), -1);
  return cpoly_add(l->arena, start, last, 1);
}

static Poly variable(Lengths *l, const CVar *v) {
  if (range_of(l, v)) return cpoly_var(l->arena, v);
  if (!ctype_is_integer(v->type) || v->is_global || v->addressed) return no_poly();
  Writes w = writes_of(l, v);
  if (v->is_param) return w.writes ? no_poly() : cpoly_var(l->arena, v);
  if (w.writes == 1 && w.value) return poly_of(l, w.value);
  return walking(l, &w);
}

static Poly quotient(Lengths *l, const CExpr *e) {
  int64_t by;
  if (!cexpr_integer(e->y, &by) || by <= 0) return no_poly();
  Poly q = cpoly_over(l->arena, poly_of(l, e->x), by);
  return cpoly_whole(&q) ? q : no_poly();
}

static Poly poly_of(Lengths *l, const CExpr *e) {
  int64_t v;
  Arena *a = l->arena;
  if (!ctype_is_integer(e->type)) return no_poly();
  if (cexpr_integer(e, &v)) return cpoly_const(a, v);
  switch ((int)e->tag) {
    case CE_CONVERT: case CE_CAST: return poly_of(l, e->x);
    case CE_VAR: return variable(l, e->var);
    case CE_UNARY:
      if (e->op == COP_PLUS) return poly_of(l, e->x);
      return e->op == COP_NEG ? cpoly_add(a, cpoly_const(a, 0), poly_of(l, e->x), -1) : no_poly();
    case CE_BINARY:
      if (e->op == COP_ADD) return cpoly_add(a, poly_of(l, e->x), poly_of(l, e->y), 1);
      if (e->op == COP_SUB) return cpoly_add(a, poly_of(l, e->x), poly_of(l, e->y), -1);
      if (e->op == COP_MUL) return cpoly_mul(a, poly_of(l, e->x), poly_of(l, e->y));
      return e->op == COP_DIV ? quotient(l, e) : no_poly();
    default: return no_poly();
  }
}

// ---- largest values -----------------------------------------------------------------------------
static Poly largest(Lengths *l, Poly e) {
  Arena *a = l->arena;
  for (Range *r = l->ranges; r; r = r->outer) {
    if (!r->counter || !e.known || cpoly_degree(&e, r->counter) == 0) continue;
    if (cpoly_degree(&e, r->counter) > 1) return no_poly();
    Poly slope = cpoly_coefficient(a, e, r->counter, 1);
    Poly minus = cpoly_add(a, cpoly_const(a, 0), slope, -1);
    if (cpoly_at_least_zero(a, slope)) e = cpoly_subst(a, e, r->counter, r->high);
    else if (cpoly_at_least_zero(a, minus)) e = cpoly_subst(a, e, r->counter, r->low);
    else return no_poly();
  }
  return e;
}

static void candidate(Lengths *l, Poly length) {
  Arena *a = l->arena;
  if (!length.known) {
    l->failed = true;
    return;
  }
  Poly *best = l->conditions ? &l->doubtful : &l->best;
  bool *any = l->conditions ? &l->any_doubtful : &l->any;
  if (!*any) *best = length;
  else if (cpoly_at_least_zero(a, cpoly_add(a, length, *best, -1))) *best = length;
  else if (!cpoly_at_least_zero(a, cpoly_add(a, *best, length, -1))) l->failed = true;
  *any = true;
}

// ---- accesses -----------------------------------------------------------------------------------
// A pointer expression as an offset into the parameter.  False: it does not point there.
static bool offset_of(Lengths *l, const CExpr *e, Poly *offset) {
  Arena *a = l->arena;
  e = cexpr_bare(e);
  while (e->tag == CE_CAST) e = cexpr_bare(e->x);
  if (e->tag == CE_VAR && e->var == l->param) return *offset = cpoly_const(a, 0), true;
  if (e->tag == CE_VAR) {
    for (int i = 0; i < l->aliases.len; i++)
      if (l->aliases.at[i].pointer == e->var) return *offset = l->aliases.at[i].offset, true;
    return false;
  }
  if (e->tag == CE_UNARY && e->op == COP_ADDRESS) {
    const CExpr *x = e->x;
    if (x->tag == CE_UNARY && x->op == COP_DEREF) return offset_of(l, x->x, offset);
    if (x->tag != CE_INDEX || !offset_of(l, x->x, offset)) return false;
    *offset = cpoly_add(a, *offset, poly_of(l, x->y), 1);
    return true;
  }
  if (e->tag == CE_BINARY && (e->op == COP_ADD || e->op == COP_SUB)) {
    bool left = e->x->type->tag == CTYPE_POINTER;
    if (!offset_of(l, left ? e->x : e->y, offset)) return false;
    *offset = cpoly_add(a, *offset, poly_of(l, left ? e->y : e->x), e->op == COP_ADD ? 1 : -1);
    return true;
  }
  return false;
}

static bool mention_in(const CExpr *e, void *state) {
  Lengths *l = state;
  if (e->tag == CE_INDEX || (e->tag == CE_UNARY && e->op == COP_DEREF)) {
    if (e->type->tag != CTYPE_ARRAY && e->type->tag != CTYPE_POINTER) return false;  // a value
  }
  if (e->tag != CE_VAR) return true;
  if (e->var == l->param) l->failed = true;
  for (int i = 0; i < l->aliases.len; i++)
    if (l->aliases.at[i].pointer == e->var) l->failed = true;
  return true;
}

// A pointer that is made of the parameter in a way that is not followed.
static void not_followed(Lengths *l, const CExpr *e) { cexpr_visit(e, mention_in, l); }

static void access(Lengths *l, const CExpr *pointer, const CExpr *index) {
  Poly offset;
  if (!offset_of(l, pointer, &offset)) {
    not_followed(l, pointer);
    return;
  }
  Poly at = index ? cpoly_add(l->arena, offset, poly_of(l, index), 1) : offset;
  candidate(l, cpoly_add(l->arena, largest(l, at), cpoly_const(l->arena, 1), 1));
}

static bool length_in(CProgram *p, const CFunction *f, const CVar *param, int depth, Poly *out);

static void call(Lengths *l, const CExpr *e) {
  CFunction *g = e->x->tag == CE_FUNCTION ? cprogram_body(l->p, e->x->function) : NULL;
  for (int i = 0; i < e->nargs; i++) {
    Poly offset, inner;
    if (e->args[i]->type->tag != CTYPE_POINTER) continue;
    if (!offset_of(l, e->args[i], &offset)) {
      not_followed(l, e->args[i]);
      continue;
    }
    if (!g) {
      const CLibc *row = e->x->function->libc;
      if (!row || row->kind != LIBC_FREE) l->failed = true;
      continue;
    }
    if (!length_in(l->p, g, g->params.at[i], l->depth + 1, &inner)) {
      l->failed = true;
      continue;
    }
    for (int k = 0; k < g->params.len; k++) {
      if (cpoly_degree(&inner, g->params.at[k]) == 0) continue;
      inner = cpoly_subst(l->arena, inner, g->params.at[k], poly_of(l, e->args[k]));
    }
    if (cpoly_zero(&inner)) continue;
    candidate(l, largest(l, cpoly_add(l->arena, offset, inner, 1)));
  }
}

static void expression(Lengths *l, const CExpr *e);

static void alias(Lengths *l, const CVar *pointer, const CExpr *value) {
  Poly offset;
  if (!l->collecting) return;
  if (pointer == l->param) l->failed = true;
  if (!offset_of(l, value, &offset)) {
    not_followed(l, value);
    return;
  }
  offset = largest(l, offset);
  for (int i = 0; i < l->aliases.len; i++) {
    Alias *a = &l->aliases.at[i];
    if (a->pointer != pointer) continue;
    Poly more = cpoly_add(l->arena, offset, a->offset, -1);
    Poly less = cpoly_add(l->arena, a->offset, offset, -1);
    if (cpoly_at_least_zero(l->arena, more)) a->offset = offset;
    else if (!cpoly_at_least_zero(l->arena, less)) a->offset = no_poly();
    return;
  }
  list_push(l->arena, &l->aliases, (Alias){pointer, l->param, offset});
}

static void children(Lengths *l, const CExpr *e) {
  if (e->x) expression(l, e->x);
  if (e->y) expression(l, e->y);
  if (e->z) expression(l, e->z);
  for (int i = 0; e->tag == CE_CALL && i < e->nargs; i++) expression(l, e->args[i]);
  for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++) expression(l, e->elems[i].value);
}

static void expression(Lengths *l, const CExpr *e) {
  bool step = e->tag == CE_STEP || (e->tag == CE_ASSIGN && e->op);
  if (e->tag == CE_SIZEOF) return;
  if (step && e->x->type->tag == CTYPE_POINTER) {
    Poly offset;
    if (offset_of(l, e->x, &offset)) l->failed = true;  // it walks
  }
  if (e->tag == CE_ASSIGN && e->x->tag == CE_VAR && e->x->type->tag == CTYPE_POINTER)
    alias(l, e->x->var, e->y);
  else if (e->tag == CE_ASSIGN && e->x->type->tag == CTYPE_POINTER) not_followed(l, e->y);
  for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++)
    if (e->elems[i].value->type->tag == CTYPE_POINTER) not_followed(l, e->elems[i].value);
  if (e->tag == CE_UNARY && e->op == COP_ADDRESS) {  // no access
    const CExpr *x = e->x;
    if (x->tag == CE_INDEX) expression(l, x->y);
    else children(l, e);
    return;
  }
  if (!l->collecting && e->tag == CE_INDEX) access(l, e->x, e->y);
  if (!l->collecting && e->tag == CE_UNARY && e->op == COP_DEREF) access(l, e->x, NULL);
  if (!l->collecting && e->tag == CE_MEMBER && e->arrow) access(l, e->x, NULL);
  if (!l->collecting && e->tag == CE_CALL) call(l, e);
  bool choice = e->tag == CE_COND || e->op == COP_ANDAND || e->op == COP_OROR;
  if (!choice) {
    children(l, e);
    return;
  }
  expression(l, e->x);
  l->conditions++;
  expression(l, e->y);
  if (e->z) expression(l, e->z);
  l->conditions--;
}

// ---- statements ---------------------------------------------------------------------------------
static void statement(Lengths *l, const CStmt *s);

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
static bool range_upwards(Lengths *l, const CStmt *s, Range *r, Poly from) {
  Arena *a = l->arena;
  const CExpr *t = s->x, *step = s->step;
  Poly one = cpoly_const(a, 1), by = one;
  if (step->tag == CE_ASSIGN) by = poly_of(l, step->y);
  else if (step->tag != CE_STEP) return false;
  if (step->op != COP_ADD || step->x->tag != CE_VAR || step->x->var != r->counter) return false;
  if (t->op != COP_LT && t->op != COP_LE) return false;
  Poly to = poly_of(l, t->y);
  if (t->op == COP_LT) to = cpoly_add(a, to, one, -1);
  Poly count = cpoly_add(a, cpoly_add(a, to, from, -1), one, 1);
  r->low = from;
  r->trips = cpoly_divide(a, count, by);
  Poly last = cpoly_mul(a, cpoly_add(a, r->trips, one, -1), by);
  r->high = cpoly_add(a, from, last, 1);
  return r->high.known;
}

static bool range_downwards(Lengths *l, const CStmt *s, Range *r, Poly from) {
  Arena *a = l->arena;
  const CExpr *t = s->x, *step = s->step;
  if (step->tag != CE_STEP || step->op != COP_SUB || step->x->tag != CE_VAR ||
      step->x->var != r->counter || (t->op != COP_GE && t->op != COP_GT))
    return false;
  Poly one = cpoly_const(a, 1), to = poly_of(l, t->y);
  if (t->op == COP_GT) to = cpoly_add(a, to, one, 1);
  r->low = to;
  r->high = from;
  r->trips = cpoly_add(a, cpoly_add(a, from, to, -1), one, 1);
  return r->trips.known;
}

static void loop(Lengths *l, const CStmt *s) {
  Range r = {.outer = l->ranges};
  const CExpr *from = NULL;
  if (s->init) statement(l, s->init);
  if (s->x) expression(l, s->x);
  if (s->tag == CS_FOR && s->x && s->step && s->x->tag == CE_BINARY) {
    r.counter = init_of(s, &from);
    const CExpr *left = cexpr_bare(s->x->x);
    bool of = r.counter && left->tag == CE_VAR && left->var == r.counter &&
              !written_inside(s->body, r.counter);
    Poly start = of ? poly_of(l, from) : no_poly();
    if (!of || !start.known ||
        (!range_upwards(l, s, &r, start) && !range_downwards(l, s, &r, start)))
      r.counter = NULL;
  }
  l->ranges = &r;
  statement(l, s->body);
  if (s->step) expression(l, s->step);
  l->ranges = r.outer;
}

static void statement(Lengths *l, const CStmt *s) {
  switch (s->tag) {
    case CS_FOR: case CS_WHILE: case CS_DO: loop(l, s); return;
    case CS_IF: case CS_SWITCH:
      expression(l, s->x);
      l->conditions++;
      statement(l, s->body);
      if (s->other) statement(l, s->other);
      l->conditions--;
      return;
    case CS_BLOCK:
      for (int i = 0; i < s->stmts.len; i++) statement(l, s->stmts.at[i]);
      return;
    case CS_DECL:
      for (int i = 0; i < s->vars.len; i++) {
        if (!s->vars.at[i]->init) continue;
        expression(l, s->vars.at[i]->init);
        if (s->vars.at[i]->type->tag == CTYPE_POINTER) alias(l, s->vars.at[i], s->vars.at[i]->init);
      }
      return;
    case CS_CASE: case CS_DEFAULT: case CS_LABEL: statement(l, s->body); return;
    case CS_EXPR: case CS_RETURN:
      if (s->x) expression(l, s->x);
      if (s->tag == CS_RETURN && s->x && s->x->type->tag == CTYPE_POINTER) not_followed(l, s->x);
      return;
    case CS_EMPTY: case CS_GOTO: case CS_BREAK: case CS_CONTINUE: case CS_PRAGMA: return;
  }
}

static bool length_in(CProgram *p, const CFunction *f, const CVar *param, int depth, Poly *out) {
  if (depth > MOST_CALLS) return false;
  Lengths l = {.p = p, .arena = p->arena, .f = f, .param = param, .depth = depth};
  l.body = csimple_of(p, f)->f->body;
  l.collecting = true;
  for (int i = 0; i < 3; i++) statement(&l, l.body);
  l.collecting = false;
  l.conditions = 0;
  statement(&l, l.body);
  *out = l.any ? l.best : cpoly_const(p->arena, 0);
  if (l.failed || !out->known) return false;
  if (!l.any_doubtful) return true;
  return l.any && cpoly_at_least_zero(p->arena, cpoly_add(p->arena, l.best, l.doubtful, -1));
}

const CExpr *clength_of(CProgram *p, const CFunction *f, const CVar *param) {
  Poly length;
  if (!length_in(p, f, param, 0, &length) || !cpoly_whole(&length)) return NULL;
  return cpoly_expr(p->arena, length);
}
