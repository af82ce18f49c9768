// Functions that hand memory to their caller stand in their caller: they return a pointer, or a
// struct with arrays or pointers, or change pointers in memory that their parameters lead to.  What
// they allocate is then the caller's.  A function that calls itself cannot be lowered so.
#include "local.h"

// ---- which --------------------------------------------------------------------------------------
typedef struct {
  CProgram *p;
  const CFunction *from;   // the function that is asked for
  Map *seen;
  bool recursive, changes;
} Search;

static bool has_memory(const CType *t) {
  if (t->tag == CTYPE_POINTER || t->tag == CTYPE_ARRAY) return true;
  if (t->tag != CTYPE_STRUCT) return false;
  for (int i = 0; i < t->record->fields.len; i++)
    if (has_memory(t->record->fields.at[i].type)) return true;
  return false;
}

static void search(Search *s, const CFunction *f);

static bool search_in(const CExpr *e, void *state) {
  Search *s = state;
  if (e->tag == CE_SIZEOF) return false;
  if (e->tag == CE_ASSIGN && e->x->tag != CE_VAR && has_memory(e->x->type)) s->changes = true;
  if (e->tag != CE_CALL || e->x->tag != CE_FUNCTION) return true;
  const CFunction *g = cprogram_body(s->p, e->x->function);
  if (g == s->from) s->recursive = true;
  if (g) search(s, g);
  return true;
}

static void search(Search *s, const CFunction *f) {
  if (map_get(s->seen, KEY(f))) return;
  map_put(s->seen, KEY(f), s);
  cstmt_visit(f->body, NULL, search_in, s);
}

static bool takes_memory_by_value(const CFunction *f) {
  for (int i = 0; i < f->params.len; i++) {
    const CType *t = f->params.at[i]->type;
    if (t->tag == CTYPE_STRUCT && has_memory(t)) return true;
  }
  return false;
}

typedef enum { SPLICE_UNKNOWN, SPLICE_NEVER, SPLICE_MAY, SPLICE_MUST } Splices;
static Splices splices(Unit *u, const CFunction *f) {
  Splices known = (Splices)(uintptr_t)map_get(u->splices, KEY(f));
  if (known) return known;
  Search s = {.p = u->p, .from = f, .seen = map_new(u->arena)};
  search(&s, f);
  bool must = s.changes || has_memory(f->type->base) || takes_memory_by_value(f);
  known = s.recursive ? SPLICE_NEVER : must ? SPLICE_MUST : SPLICE_MAY;
  map_put(u->splices, KEY(f), (void *)(uintptr_t)known);
  return known;
}

bool is_spliced(Unit *u, const CFunction *f) { return splices(u, f) == SPLICE_MUST; }
bool may_splice(Unit *u, const CFunction *f) { return splices(u, f) != SPLICE_NEVER; }

// ---- in place -----------------------------------------------------------------------------------
typedef struct {
  Cell value;
  Place place;       // of a struct
} Argument;

static Argument argument(Lower *l, const CVar *param, const CExpr *e) {
  if (param->type->tag == CTYPE_STRUCT) return (Argument){.place = place_of(l, cexpr_bare(e))};
  return (Argument){.value = cell_of(l, e)};
}

static void param_make(Lower *l, const CVar *v, const Argument *arg, Span at) {
  Place p = {object_of(l, v, at), 0, atom_i64(0), v->type};
  Object *o = &l->objects.at[p.obj];
  for (int i = 0; i < o->leaves.len; i++) list_push(l->arena, &l->declared, o->first + i);
  if (v->type->tag == CTYPE_STRUCT) {
    object_zero(l, p.obj, atom_i64(1));
    struct_copy(l, p, arg->place, at);
  } else store(l, p, arg->value, at);
}

static void result_store(Lower *l, const CVar *result, const Place *to, Span at) {
  Place from = {object_of(l, result, at), 0, atom_i64(0), result->type};
  if (result->type->tag == CTYPE_STRUCT) {
    struct_copy(l, *to, from, at);
    return;
  }
  Cell value = load(l, from, at);
  if (!value.pointer) value.atom = convert(l, value.atom, to->type, at);
  store(l, *to, value, at);
}

// Its variables end, and with them what only they point to.
static void variables_end(Lower *l) {
  for (int i = 0; i < map_len(l->vars); i++) {
    const Object *o = &l->objects.at[(uintptr_t)map_value_at(l->vars, i) - 1];
    for (int k = 0; k < o->leaves.len; k++) l->cells[o->first + k].set = false;
  }
}

// New statements for each call: loops are known by their statement.
static const CSimple *simple_at(Lower *l, const CExpr *call, const CFunction *f) {
  CSimple *s = map_get(l->spliced, KEY(call));
  if (!s) map_put(l->spliced, KEY(call), s = body_simple(l->u->p, f));
  return s;
}

void splice(Lower *l, const CExpr *call, const CFunction *f, const Place *to) {
  Argument *args = NEW_ARRAY(l->arena, Argument, call->nargs + 1);
  for (int i = 0; i < call->nargs; i++) args[i] = argument(l, f->params.at[i], call->args[i]);
  Map *vars = l->vars, *booleans = l->booleans;
  const CSimple *simple = l->simple;
  l->vars = map_new(l->arena);
  l->booleans = map_new(l->arena);
  for (int i = 0; i < call->nargs; i++) param_make(l, f->params.at[i], &args[i], call->at);
  body_lower(l, simple_at(l, call, f));
  if (to && l->simple->result) result_store(l, l->simple->result, to, call->at);
  variables_end(l);
  l->vars = vars;
  l->booleans = booleans;
  l->simple = simple;
}
