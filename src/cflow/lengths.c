// The length of an array parameter from its accesses: the largest index over the iteration space,
// plus 1.  Counters are replaced, innermost first, by the bound that makes the index largest; calls
// add the callee's length to the offset passed; pointers that walk have the offsets they are given.
// Accesses under a condition may only confirm what the others tell, or be of the one element that a
// pointer leads to which no condition tests.  Anything else: not known.
#include "local.h"
#include "index.h"

typedef struct {
  const CVar *pointer, *param;  // what a local pointer may be: param + offset
  Poly offset;
} Alias;
typedef struct {
  CProgram *p;
  Arena *arena;
  const CFunction *f;
  const CVar *param;
  CIndex index;
  int conditions, depth;   // around the statement; calls around the function
  LIST(Alias) aliases;
  bool collecting;         // aliases, not accesses
  Poly best, doubtful;     // largest so far; of accesses under conditions
  bool any, any_doubtful, failed;
  bool tested;             // whether the parameter is null
} Lengths;
enum { MOST_CALLS = 8 };

static Poly poly_of(const Lengths *l, const CExpr *e) { return cindex_poly(&l->index, e); }
static Poly no_poly(void) { return (Poly){0}; }

// ---- largest values -----------------------------------------------------------------------------
static Poly largest(Lengths *l, Poly e) {
  Arena *a = l->arena;
  for (CRange *r = l->index.ranges; r; r = r->outer) {
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
  bool loaded = e->tag == CE_INDEX || e->tag == CE_MEMBER;
  loaded |= e->tag == CE_UNARY && e->op == COP_DEREF;
  if (loaded && e->type->tag != CTYPE_ARRAY) return false;  // a value, or a pointer to other memory
  if (e->tag != CE_VAR) return true;
  if (e->var == l->param) l->failed = true;
  for (int i = 0; i < l->aliases.len; i++)
    if (l->aliases.at[i].pointer == e->var) l->failed = true;
  return true;
}

// A pointer that is made of the parameter in a way that is not followed.
static void not_followed(Lengths *l, const CExpr *e) { cexpr_visit(e, mention_in, l); }

// An element of an array that is inside of what a pointer points to: the access to that tells.
static void access(Lengths *l, const CExpr *pointer, const CExpr *index) {
  const CExpr *inside = cexpr_bare(pointer);
  Poly offset;
  if (inside->type->tag == CTYPE_ARRAY && inside->tag != CE_VAR) return;
  if (!offset_of(l, pointer, &offset)) {
    not_followed(l, pointer);
    return;
  }
  Poly at = index ? cpoly_add(l->arena, offset, poly_of(l, index), 1) : offset;
  candidate(l, cpoly_add(l->arena, largest(l, at), cpoly_const(l->arena, 1), 1));
}

static bool length_in(CProgram *p, const CFunction *f, const CVar *param, int depth, Poly *out);

// memcpy (to, from, n * sizeof (double)) and the like.
static void library_call(Lengths *l, const CExpr *e, int i, Poly offset) {
  const CLibc *row = e->x->tag == CE_FUNCTION ? e->x->function->libc : NULL;
  if (row && row->kind == LIBC_FREE) return;
  const CExpr *given = cexpr_stripped(e->args[i]);
  const CType *element = given->type->base;
  bool bytes = row && (row->kind == LIBC_COPY || row->kind == LIBC_FILL) && element;
  int64_t size = bytes ? ctype_size(element) : 0;
  Poly n = size > 0 ? cpoly_over(l->arena, poly_of(l, e->args[2]), size) : no_poly();
  if (!n.known || !cpoly_whole(&n)) l->failed = true;
  else candidate(l, largest(l, cpoly_add(l->arena, offset, n, 1)));
}

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
      library_call(l, e, i, offset);
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

static void loop(Lengths *l, const CStmt *s) {
  if (s->init) statement(l, s->init);
  if (s->x) expression(l, s->x);
  CRange r = cindex_range(&l->index, s);
  l->index.ranges = &r;
  statement(l, s->body);
  if (s->step) expression(l, s->step);
  l->index.ranges = r.outer;
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

static bool is_parameter(const Lengths *l, const CExpr *e) {
  e = e ? cexpr_bare(e) : NULL;
  return e && e->tag == CE_VAR && e->var == l->param;
}

static bool test_in(const CExpr *e, void *state) {
  Lengths *l = state;
  bool binary = e->tag == CE_BINARY && (e->op == COP_EQ || e->op == COP_NE ||
                                        e->op == COP_ANDAND || e->op == COP_OROR);
  bool unary = e->tag == CE_COND || (e->tag == CE_UNARY && e->op == COP_NOT);
  if ((binary || unary) && is_parameter(l, e->x)) l->tested = true;
  if (binary && is_parameter(l, e->y)) l->tested = true;
  return true;
}

static bool tested_in(const CStmt *s, void *state) {
  Lengths *l = state;
  bool tests = s->tag == CS_IF || s->tag == CS_WHILE || s->tag == CS_DO || s->tag == CS_FOR;
  if (tests && is_parameter(l, s->x)) l->tested = true;
  return true;
}

static bool length_in(CProgram *p, const CFunction *f, const CVar *param, int depth, Poly *out) {
  if (depth > MOST_CALLS) return false;
  Lengths l = {.p = p, .arena = p->arena, .f = f, .param = param, .depth = depth};
  l.index = (CIndex){.arena = p->arena, .body = csimple_of(p, f)->f->body};
  l.collecting = true;
  for (int i = 0; i < 3; i++) statement(&l, l.index.body);
  l.collecting = false;
  l.conditions = 0;
  statement(&l, l.index.body);
  cstmt_visit(l.index.body, tested_in, test_in, &l);
  bool one = !l.any && l.any_doubtful && !l.tested && l.doubtful.known;
  if (one) {
    Poly more = cpoly_add(p->arena, l.doubtful, cpoly_const(p->arena, 1), -1);
    one = cpoly_zero(&more);
  }
  *out = l.any ? l.best : cpoly_const(p->arena, one);
  if (l.failed || !out->known) return false;
  if (!l.any_doubtful || one) return true;
  return l.any && cpoly_at_least_zero(p->arena, cpoly_add(p->arena, l.best, l.doubtful, -1));
}

const CExpr *clength_of(CProgram *p, const CFunction *f, const CVar *param) {
  Poly length;
  if (!length_in(p, f, param, 0, &length) || !cpoly_whole(&length)) return NULL;
  return cpoly_expr(p->arena, length);
}
