// The body of a function, lowered into the function that is being made: a separate core function
// (variant.c) or its caller's (splice.c).
#include "local.h"

// Variables of int that are only assigned 0 and 1.
typedef struct {
  Map *yes, *no;
} Booleans;

static bool boolean_in(const CExpr *e, void *state) {
  Booleans *b = state;
  int64_t v;
  const CExpr *at = e->tag == CE_ASSIGN || e->tag == CE_STEP ? e->x : NULL;
  if (e->tag == CE_UNARY && e->op == COP_ADDRESS && e->x->tag == CE_VAR)
    map_put(b->no, KEY(e->x->var), b);
  if (!at || at->tag != CE_VAR) return true;
  bool flag = e->tag == CE_ASSIGN && !e->op && cexpr_integer(e->y, &v) && (v == 0 || v == 1);
  map_put(flag && at->type->tag == CTYPE_INT ? b->yes : b->no, KEY(at->var), b);
  return true;
}

static void booleans_find(Lower *l, const CStmt *body) {
  Booleans b = {map_new(l->arena), map_new(l->arena)};
  cstmt_visit(body, NULL, boolean_in, &b);
  for (int i = 0; i < l->simple->f->params.len; i++)
    map_put(b.no, KEY(l->simple->f->params.at[i]), &b);
  for (int i = 0; i < map_len(b.yes); i++)
    if (!map_get(b.no, map_key_at(b.yes, i)))
      map_put(l->booleans, map_key_at(b.yes, i), l->booleans);
}

static bool global_in(const CExpr *e, void *state) {
  Map *found = state;
  bool fixed = e->tag == CE_VAR && (e->var->is_global || e->var->storage == CSTORE_STATIC);
  if (fixed) map_put(found, KEY(e->var), (void *)(uintptr_t)e->var);
  return true;
}

// Globals that nothing writes are constants of the function.
static void globals_make(Lower *l, const CStmt *body) {
  Map *found = map_new(l->arena);
  cstmt_visit(body, NULL, global_in, found);
  for (int i = 0; i < map_len(found); i++) {
    const CVar *v = map_value_at(found, i);
    bool fixed = !v->assigned && !v->addressed && v->init && v->storage != CSTORE_EXTERN;
    if (!fixed) continue;
    int obj = object_new(l, v->name, v->type, true);
    if (table_cells(l, v, obj)) map_put(l->vars, KEY(v), (void *)(uintptr_t)(obj + 1));
  }
}

static void locals_make(Lower *l) {
  for (int i = 0; i < l->simple->locals.len; i++) {
    const CVar *v = l->simple->locals.at[i];
    if (v->storage == CSTORE_STATIC || map_get(l->vars, KEY(v))) continue;
    CVar *plain = (CVar *)(uintptr_t)v;
    const CType *t = v->type;
    while (ctype_is_variable(t) && t->tag == CTYPE_ARRAY) t = t->base;  // see declare
    int obj = object_new(l, plain->name, t, true);
    l->objects.at[obj].type = v->type;
    if (v->type->tag == CTYPE_ARRAY)
      for (int k = 0; k < l->objects.at[obj].leaves.len; k++)
        l->objects.at[obj].leaves.at[k].array = true;
    if (map_get(l->booleans, KEY(v))) l->objects.at[obj].leaves.at[0].boolean = true;
    map_put(l->vars, KEY(v), (void *)(uintptr_t)(obj + 1));
  }
}

CSimple *body_simple(CProgram *p, const CFunction *f) {
  CSimple *s = csimple_of(p, f);
  s->keep_declarations = true;
  exits_remove(s);
  return s;
}

// No declaration makes the arrays in a struct that is returned.
static void result_make(Lower *l, const CVar *v, Span at) {
  int obj = object_of(l, v, at);
  const Object *o = &l->objects.at[obj];
  if (v->type->tag != CTYPE_STRUCT) return;
  for (int i = 0; i < o->leaves.len; i++) list_push(l->arena, &l->declared, o->first + i);
  object_zero(l, obj, atom_i64(1));
}

void body_lower(Lower *l, const CSimple *s) {
  l->simple = s;
  booleans_find(l, s->f->body);
  globals_make(l, s->f->body);
  locals_make(l);
  for (int i = 0; i < s->f->params.len; i++) lengths_keep(l, s->f->params.at[i]->type);
  if (s->result) result_make(l, s->result, s->source->at);
  statement(l, s->f->body);
}
