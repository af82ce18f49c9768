// Trees with fresh local variables: what is done to them leaves the user's function as it is.
#include "local.h"

typedef struct {
  Arena *arena;
  Map *copies;   // by variable
  Map *places;   // by variable: the expression in its place; NULL: there is none
  Map *lengths;  // of arrays, by expression: types that share one share its copy
  bool found;    // a variable with a copy
} Copies;

static bool declare_copies(const CStmt *st, void *state) {
  Copies *c = state;
  for (int i = 0; i < st->vars.len; i++) {
    CVar *v = arena_copy(c->arena, st->vars.at[i], sizeof *v);
    map_put(c->copies, KEY(st->vars.at[i]), v);
  }
  return true;
}

static const CExpr *expr_copy(Copies *c, const CExpr *e);

static const CExpr *place_of(const Copies *c, const CExpr *e) {
  return c->places && e->tag == CE_VAR ? map_get(c->places, KEY(e->var)) : NULL;
}

static bool copied_in(const CExpr *e, void *state) {
  Copies *c = state;
  c->found |= place_of(c, e) || (e->tag == CE_VAR && map_get(c->copies, KEY(e->var)));
  return !c->found;
}

static const CExpr *length_copy(Copies *c, const CExpr *e) {
  const CExpr *known = map_get(c->lengths, KEY(e));
  if (known) return known;
  c->found = false;
  cexpr_visit(e, copied_in, c);
  known = c->found ? expr_copy(c, e) : e;
  map_put(c->lengths, KEY(e), (void *)(uintptr_t)known);
  return known;
}

static const CType *type_copy(Copies *c, const CType *t) {
  if (t->tag != CTYPE_ARRAY && t->tag != CTYPE_POINTER) return t;
  const CType *base = type_copy(c, t->base);
  const CExpr *length = t->length && t->count < 0 ? length_copy(c, t->length) : t->length;
  if (base == t->base && length == t->length) return t;
  CType *r = arena_copy(c->arena, t, sizeof *t);
  r->base = base;
  r->length = length;
  return r;
}

static void args_copy(Copies *c, CExpr *r, const CExpr *e) {
  Arena *arena = c->arena;
  if (e->tag == CE_CALL) {
    const CExpr **args = NEW_ARRAY(arena, const CExpr *, e->nargs + 1);
    for (int i = 0; i < e->nargs; i++) args[i] = expr_copy(c, e->args[i]);
    r->args = args;
  } else if (e->tag == CE_LIST) {
    CInit *elems = NEW_ARRAY(arena, CInit, e->nelems + 1);
    for (int i = 0; i < e->nelems; i++) {
      elems[i] = e->elems[i];
      elems[i].value = expr_copy(c, e->elems[i].value);
    }
    r->elems = elems;
  }
}

static const CExpr *expr_copy(Copies *c, const CExpr *e) {
  if (!e) return NULL;
  if (place_of(c, e)) return place_of(c, e);
  CExpr *r = arena_copy(c->arena, e, sizeof *e);
  r->x = expr_copy(c, e->x);
  r->y = expr_copy(c, e->y);
  r->z = expr_copy(c, e->z);
  args_copy(c, r, e);
  if (e->tag == CE_VAR) {
    const CVar *copy = map_get(c->copies, KEY(e->var));
    if (copy) r->var = copy;
  }
  if (e->tag == CE_SIZEOF) r->measured = type_copy(c, e->measured);
  if (e->type) r->type = type_copy(c, e->type);
  return r;
}

static const CStmt *stmt_copy(Copies *c, const CStmt *s) {
  if (!s) return NULL;
  Arena *arena = c->arena;
  CStmt *r = arena_copy(arena, s, sizeof *s);
  r->x = expr_copy(c, s->x);
  r->step = expr_copy(c, s->step);
  r->init = stmt_copy(c, s->init);
  r->vars = (CVars){0};
  for (int i = 0; i < s->vars.len; i++) {
    CVar *v = map_get(c->copies, KEY(s->vars.at[i]));
    if (!v) v = s->vars.at[i];
    v->init = expr_copy(c, v->init);
    v->type = type_copy(c, v->type);
    list_push(arena, &r->vars, v);
  }
  r->body = stmt_copy(c, s->body);
  r->other = stmt_copy(c, s->other);
  r->stmts.at = NULL;
  r->stmts.len = r->stmts.cap = 0;
  for (int i = 0; i < s->stmts.len; i++)
    list_push(arena, &r->stmts, stmt_copy(c, s->stmts.at[i]));
  return r;
}

const CStmt *locals_copied(CSimple *s, const CStmt *body) {
  Arena *arena = s->program->arena;
  Copies c = {.arena = arena, .copies = map_new(arena), .lengths = map_new(arena)};
  cstmt_visit(body, declare_copies, NULL, &c);
  return stmt_copy(&c, body);
}

const CStmt *cstmt_cloned(Arena *arena, Map *copies, const CStmt *s) {
  Copies c = {.arena = arena, .copies = copies, .lengths = map_new(arena)};
  cstmt_visit(s, declare_copies, NULL, &c);
  return stmt_copy(&c, s);
}

const CStmt *cstmt_renamed(Arena *arena, Map *copies, const CStmt *s) {
  Copies c = {.arena = arena, .copies = copies, .lengths = map_new(arena)};
  return stmt_copy(&c, s);
}

const CStmt *cstmt_replaced(Arena *arena, Map *places, const CStmt *s) {
  Map *none = map_new(arena);
  Copies c = {.arena = arena, .copies = none, .places = places, .lengths = map_new(arena)};
  return stmt_copy(&c, s);
}
