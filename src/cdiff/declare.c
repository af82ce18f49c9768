// The declarations of an adjoint: at the top, shadows zero at first.  An array whose length a local
// variable has is declared where that has its value.
#include "sweep.h"

static bool is_var(const CVars *list, const CVar *v) {
  for (int i = 0; i < list->len; i++)
    if (list->at[i] == v) return true;
  return false;
}

// Functions made of one source share variables, but not their initialisers.
static CVar *variable_copy(CDiff *d, CVar *v, Map *copies) {
  CVar *own = arena_copy(d->arena, v, sizeof *v);
  map_put(copies, KEY(v), own);
  return own;
}

// ---- arrays whose length a local variable has --------------------------------------------------
typedef struct {
  const CVar *of;        // assignments of this variable
  const CVars *params;
  const CVar *local;     // found in a length
  int count;
} Sized;

static bool local_in(const CExpr *e, void *state) {
  Sized *x = state;
  if (e->tag == CE_VAR && !e->var->is_global && !is_var(x->params, e->var)) x->local = e->var;
  return true;
}

// The local variable that tells how long an array is, or the arrays that a pointer leads to; NULL:
// parameters do.
static const CVar *length_local(const CType *t, const CVars *params) {
  Sized x = {.params = params};
  for (; (t->tag == CTYPE_ARRAY || t->tag == CTYPE_POINTER) && !x.local; t = t->base)
    if (t->length && !t->was_array) cexpr_visit(t->length, local_in, &x);
  return x.local;
}

static bool assigned_in(const CExpr *e, void *state) {
  Sized *x = state;
  bool writes = e->tag == CE_ASSIGN || e->tag == CE_STEP;
  x->count += writes && e->x->tag == CE_VAR && e->x->var == x->of;
  return true;
}

// The statement of the body that gives the variable its only value.
static int assigned_where(const Stmts *body, const CVar *v) {
  Sized x = {.of = v};
  int at = -1;
  for (int i = 0; i < body->len; i++) {
    const CStmt *s = body->at[i];
    cstmt_visit(s, NULL, assigned_in, &x);
    if (at < 0 && x.count == 1 && s->tag == CS_EXPR && s->x->tag == CE_ASSIGN) at = i;
  }
  return x.count == 1 ? at : -1;
}

static const CStmt *cleared(CDiff *d, const CVar *v) {
  Stmts list = {0};
  const CExpr *null = cbuild_int(d->arena, 0);
  if (v->type->tag == CTYPE_POINTER) stmts_assign(d, &list, var_of(d, v), null);
  else memory_cleared(d, var_of(d, v), &list);
  return list.at[0];
}

// Its declaration, and what makes it zero, stand where the length is known.
static void declare_late(CDiff *d, CVar *v, const CVar *length, const CStmt *zero, Stmts *body) {
  int at = assigned_where(body, length);
  for (int i = 0; i <= at; i++)
    if (stmt_mentions(body->at[i], v)) at = -1;
  if (at < 0)
    cflow_gap(d->p->diag, v->at, "[c-length] The length of an array depends on `%s`, which is "
              "computed in a branch or a loop, or changes.", length->name);
  Stmts all = {0};
  for (int i = 0; i < body->len; i++) {
    stmts_add(d, &all, body->at[i]);
    if (i != at) continue;
    stmts_add(d, &all, cstmt_decl(d->arena, v));
    if (zero) stmts_add(d, &all, zero);
  }
  *body = all;
}

// A static variable keeps its value until the next call, but a reverse sweep restores it.
static void state_refused(Derived *f, const CVar *v, const VarUse *use) {
  CFlow *flow = f->flow;
  ObjSet places = {{0}};
  if (v->storage != CSTORE_STATIC || !map_get(use->read, KEY(v))) return;
  set_add(&places, cflow_var(flow, v));
  places = cflow_spread(flow, places);
  if (set_meets(&places, &flow->writes))
    refuse(f->d, v->at, "[c-global] A static variable that is written.",
           "make it a parameter of the functions that use it");
}

// Declares what the body mentions: locals, the value, temporaries, shadows (zero at first).
void adjoint_declare(Derived *f, const CVars *params, CVar *tape, Stmts *body) {
  CDiff *d = f->d;
  Stmts all = {0}, zero = {0};
  Map *copies = map_new(d->arena);
  CVars vars = f->simple->locals;
  if (f->simple->result) list_push(d->arena, &vars, f->simple->result);
  for (int i = 0; i < f->extra.len; i++) list_push(d->arena, &vars, f->extra.at[i]);
  const CStmt *whole = stmts_block(d, body);
  VarUse use = var_use_new(d->arena);
  var_use_add(&use, whole, true);
  for (int i = 0; i < vars.len; i++) {
    CVar *v = vars.at[i];
    if (is_var(params, v) || !stmt_mentions(whole, v)) continue;
    state_refused(f, v, &use);
    const CVar *length = length_local(v->type, params);
    if (length) declare_late(d, v, length, NULL, body);
    else stmts_add(d, &all, cstmt_decl(d->arena, variable_copy(d, v, copies)));
  }
  for (int i = 0; i < map_len(f->shadows); i++) {
    CVar *v = map_value_at(f->shadows, i);
    if (is_var(params, v) || !stmt_mentions(whole, v)) continue;
    const CVar *length = length_local(v->type, params);
    if (length) {
      declare_late(d, v, length, cleared(d, v), body);
      continue;
    }
    CVar *own = variable_copy(d, v, copies);
    if (ctype_is_float(v->type)) own->init = cbuild_int(d->arena, 0);
    else if (ctype_is_variable(v->type) || directions_sized(d, v->type))
      stmts_add(d, &zero, cleared(d, v));
    else if (v->type->tag == CTYPE_POINTER) own->init = cbuild_int(d->arena, 0);
    else own->init = zeros(d->arena, v->type);
    stmts_add(d, &all, cstmt_decl(d->arena, own));
  }
  if (tape && stmt_mentions(whole, tape)) {
    tape->init = zeros(d->arena, tape->type);
    stmts_add(d, &all, cstmt_decl(d->arena, tape));
  }
  for (int i = 0; i < zero.len; i++)
    stmts_add(d, &all, cstmt_renamed(d->arena, copies, zero.at[i]));
  for (int i = 0; i < body->len; i++)
    stmts_add(d, &all, cstmt_renamed(d->arena, copies, body->at[i]));
  *body = all;
}
