// Statements with one effect each (cflow/simplify.c, exits.c): assignments, calls, branches.
#include "local.h"

static void expression_statement(Lower *l, const CExpr *e);

static bool allocates(const CExpr *e) {
  const CExpr *call = cexpr_stripped(e);
  const CLibc *row = call->tag == CE_CALL && call->x->tag == CE_FUNCTION ? call->x->function->libc
                                                                         : NULL;
  return row && (row->kind == LIBC_ALLOCATE || row->kind == LIBC_REALLOC);
}

static bool calls_function(const CExpr *e) {
  return e->tag == CE_CALL && !(e->x->tag == CE_FUNCTION && e->x->function->libc);
}

static void list_store(Lower *l, Place to, const CExpr *list);

static void value_store(Lower *l, Place to, const CExpr *value) {
  if (value->tag == CE_LIST) list_store(l, to, value);
  else if (to.type->tag == CTYPE_STRUCT)
    struct_copy(l, to, place_of(l, cexpr_bare(value)), value->at);
  else store(l, to, cell_of(l, value), value->at);
}

static void list_store(Lower *l, Place to, const CExpr *list) {
  Leaves leaves = leaves_of(l, to.type, list->at);
  if (to.type->tag != CTYPE_STRUCT || list->nelems == 0)
    lower_gap(l, list->at, "[c-unsupported] This initialiser is not supported through core.");
  for (int i = 0; i < leaves.len; i++) {
    if (leaves.at[i].array || leaves.len != to.type->record->fields.len)
      lower_gap(l, list->at, "[c-unsupported] This initialiser is not supported through core.");
    Place p = {to.obj, to.leaf + i, to.at, leaves.at[i].type};
    const CExpr *v = NULL;
    for (int k = 0; k < list->nelems; k++)
      if (list->elems[k].at == i) v = list->elems[k].value;
    if (v) value_store(l, p, v);
    else store(l, p, cell_atom(atom_i64(0)), list->at);
  }
}

static void assign(Lower *l, const CExpr *e) {
  const CExpr *y = e->y;
  if (e->op) {
    const CExpr *sum = cbuild_binary(l->arena, e->op, e->x, y);
    y = cbuild_convert(l->arena, sum, e->x->type);
  }
  if (allocates(y)) {
    allocate(l, cexpr_stripped(y), e->x);
    return;
  }
  bool call = calls_function(y) || (y->tag == CE_CONVERT && calls_function(cexpr_stripped(y)));
  if (!call) {
    if (ctype_is_pointer(e->x->type) && y->tag == CE_CONVERT && y->type->tag == CTYPE_VOID)
      lower_gap(l, e->at, "[c-unsupported] This assignment is not supported through core.");
    Place place = place_of(l, e->x);
    if (y->tag == CE_COMPOUND) y = y->x;
    value_store(l, place, y);
    return;
  }
  Place to = place_of(l, e->x);
  call_statement(l, cexpr_stripped(y), &to);
}

static void step(Lower *l, const CExpr *e) {
  const CExpr *sum = cbuild_binary(l->arena, e->op, e->x, cbuild_int(l->arena, 1));
  Place to = place_of(l, e->x);
  store(l, to, cell_of(l, cbuild_convert(l->arena, sum, e->x->type)), e->at);
}

static void expression_statement(Lower *l, const CExpr *e) {
  e = cexpr_bare(e);
  if (e->tag == CE_ASSIGN) assign(l, e);
  else if (e->tag == CE_STEP) step(l, e);
  else if (e->tag == CE_CALL) call_statement(l, e, NULL);
  else if (e->tag == CE_COMMA) {
    expression_statement(l, e->x);
    expression_statement(l, e->y);
  } else if (!cexpr_is_pure(e))
    lower_gap(l, e->at, "[c-unsupported] This statement is not supported through core.");
}

// ---- declarations -------------------------------------------------------------------------------
static void declare(Lower *l, const CVar *v) {
  if (v->storage == CSTORE_STATIC || v->storage == CSTORE_EXTERN) return;
  lengths_keep(l, v->type);
  int obj = object_of(l, v, v->at);
  Object *o = &l->objects.at[obj];
  o->leaves = leaves_of(l, v->type, v->at);
  if (map_get(l->booleans, KEY(v))) o->leaves.at[0].boolean = true;
  for (int i = 0; i < o->leaves.len; i++) list_push(l->arena, &l->declared, o->first + i);
  if (v->init && v->type->tag == CTYPE_ARRAY) {
    if (!table_cells(l, v, obj))
      lower_gap(l, v->at, "[c-unsupported] This initialiser is not supported through core.");
    return;
  }
  object_zero(l, obj, atom_i64(1));
}

// ---- branches -----------------------------------------------------------------------------------
static void arm_statement(Lower *l, const void *what, Cell *value) {
  (void)value;
  if (what) statement(l, what);
}

static void if_statement(Lower *l, const CStmt *s) {
  Atom c = truth_of(l, s->x);
  if (!c.is_var) {
    if (c.value.i) statement(l, s->body);
    else if (s->other) statement(l, s->other);
    return;
  }
  Arm yes = arm_lower(l, arm_statement, s->body), no = arm_lower(l, arm_statement, s->other);
  arms_join(l, c, &yes, &no);
}

static const Loc *loc_of(Lower *l, const CStmt *s) {
  if (!s->at.src) return l->b.loc;
  Loc *loc = NEW(l->arena, Loc);
  loc->span = s->at;
  return loc;
}

void statement(Lower *l, const CStmt *s) {
  const Loc *outer = l->b.loc;
  l->b.loc = loc_of(l, s);
  if (statement_split(l, s)) {
    l->b.loc = outer;
    return;
  }
  switch (s->tag) {
    case CS_EMPTY: case CS_PRAGMA: break;
    case CS_EXPR: if (s->x) expression_statement(l, s->x); break;
    case CS_DECL: for (int i = 0; i < s->vars.len; i++) declare(l, s->vars.at[i]); break;
    case CS_BLOCK: for (int i = 0; i < s->stmts.len; i++) statement(l, s->stmts.at[i]); break;
    case CS_IF: if_statement(l, s); break;
    case CS_FOR: case CS_WHILE: case CS_DO: loop_statement(l, s); break;
    case CS_SWITCH: case CS_CASE: case CS_DEFAULT: case CS_LABEL: case CS_GOTO: case CS_BREAK:
    case CS_CONTINUE: case CS_RETURN:
      lower_gap(l, s->at, "[c-unsupported] This statement is not supported through core.");
  }
  l->b.loc = outer;
}
