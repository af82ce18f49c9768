// The forward sweep without what no reverse code needs: backwards through it with the set of places
// whose values are needed at its end, a statement that assigns none of them is left out.
#include "sweep.h"

static void one_dead(Sweep *w, const CStmt *s, ObjSet *live, Stmts *reversed);

static void reads_add(Sweep *w, const CExpr *e, ObjSet *live) {
  ObjSet r = cflow_reads(w->flow, e);
  set_join(live, &r);
}

static Stmts backwards(Sweep *w, const Stmts *list) {
  Stmts r = {0};
  for (int i = list->len - 1; i >= 0; i--) stmts_add(w->d, &r, list->at[i]);
  return r;
}

static Stmts list_dead(Sweep *w, const CStmt *const *at, int n, ObjSet *live) {
  Stmts back = {0};
  for (int i = n - 1; i >= 0; i--) one_dead(w, at[i], live, &back);
  return backwards(w, &back);
}

static Stmts body_dead(Sweep *w, const CStmt *s, ObjSet *live) {
  if (!s) return (Stmts){0};
  if (s->tag == CS_BLOCK) return list_dead(w, s->stmts.at, s->stmts.len, live);
  return list_dead(w, &s, 1, live);
}

// A variable of the program; shadows, those of parameters too, are not.
static bool own_variable(Sweep *w, const CVar *v) {
  if (v == w->f->simple->result || v->is_global) return true;
  for (int i = 0; i < w->f->source->params.len; i++)
    if (w->f->source->params.at[i] == v) return true;
  for (int i = 0; i < w->f->simple->locals.len; i++)
    if (w->f->simple->locals.at[i] == v) return true;
  return false;
}

// The variable at the root of a place; NULL: what a pointer expression that is no variable has.
static const CVar *root(const CExpr *e) {
  for (;;) {
    if (e->tag == CE_VAR) return e->var;
    if (e->tag == CE_INT || e->tag == CE_CALL || !e->x) return NULL;
    e = e->tag == CE_BINARY && e->x->type->tag != CTYPE_POINTER ? e->y : e->x;
  }
}

static bool call_matters(Sweep *w, const CExpr *call, const ObjSet *live) {
  const CFunction *f = call->x->function;
  CFunction *g = cprogram_body(w->d->p, f);
  if (!g && (!f->libc || f->libc->kind == LIBC_ALLOCATE)) return true;
  if (!g && f->libc->kind != LIBC_COPY && f->libc->kind != LIBC_FILL) return true;
  if (g && cflow_of(w->d->p, g)->external) return true;
  CStmt s = {.tag = CS_EXPR, .x = call};
  ObjSet writes = writes_in(w, &s);
  return set_meets(&writes, live);
}

static void call_reads(Sweep *w, const CExpr *call, ObjSet *live) {
  CFunction *g = cprogram_body(w->d->p, call->x->function);
  reads_add(w, call, live);
  CFlow *callee = g ? cflow_of(w->d->p, g) : NULL;
  for (int i = 0; callee && i < callee->objs.len; i++) {
    if (!set_has(&callee->reads, i)) continue;
    ObjSet here = cflow_map(w->flow, callee, call, i);
    set_join(live, &here);
  }
  for (int i = 0; !g && i < call->nargs; i++)
    if (call->args[i]->type->tag == CTYPE_POINTER) {
      ObjSet t = cflow_targets(w->flow, call->args[i]);
      t = cflow_spread(w->flow, t);
      set_join(live, &t);
    }
}

typedef struct {
  Sweep *w;
  ObjSet set;
} ReadSet;

static bool read_expr(const CExpr *e, void *state) {
  ReadSet *r = state;
  reads_add(r->w, e, &r->set);
  if (e->tag == CE_CALL && e->x->tag == CE_FUNCTION) call_reads(r->w, e, &r->set);
  return true;
}

ObjSet reads_in(Sweep *w, const CStmt *s) {
  ReadSet state = {.w = w};
  cstmt_visit(s, NULL, read_expr, &state);
  return state.set;
}

// A call by name of a function made here: its reads are those of the call it replaces; kept.
static bool made_call(Sweep *w, const CExpr *call) {
  const CFunction *f = call->x->function;
  return !cprogram_body(w->d->p, f) && !f->libc;
}

static void made_reads(Sweep *w, const CExpr *call, ObjSet *live) {
  const CExpr *was = map_get(w->d->made_calls, KEY(call->x->function));
  check(was != NULL);
  call_reads(w, was, live);
  for (int i = 0; i < call->nargs; i++) reads_add(w, call->args[i], live);
}

static const CExpr *call_in(const CExpr *e) {
  if (e->tag == CE_ASSIGN) e = e->y;
  e = cexpr_bare(e);
  while (e->tag == CE_CAST) e = cexpr_bare(e->x);
  return e->tag == CE_CALL && e->x->tag == CE_FUNCTION ? e : NULL;
}

static bool library_math(const CExpr *call) {
  const CLibc *row = call->x->function->libc;
  return row && (row->kind == LIBC_MATH || row->kind == LIBC_PURE);
}

static bool target_live(Sweep *w, const CExpr *e, const ObjSet *live, int *one) {
  const CVar *v = root(e->x);
  if (!v || !own_variable(w, v)) return true;
  ObjSet p = cflow_places(w->flow, e->x);
  if (ctype_is_record(e->x->type)) p = cflow_spread(w->flow, p);
  *one = e->x->tag == CE_VAR && ctype_is_scalar(e->x->type) ? cflow_var(w->flow, v) : -1;
  return set_meets(&p, live);
}

static void expr_dead(Sweep *w, const CStmt *s, ObjSet *live, Stmts *back) {
  const CExpr *e = s->x, *call = call_in(e);
  if (call && library_math(call)) call = NULL;
  bool assigns = e->tag == CE_ASSIGN || e->tag == CE_STEP;
  int one = -1;
  bool keep = assigns ? target_live(w, e, live, &one) : false;
  if (call) keep = keep || made_call(w, call) || call_matters(w, call, live);
  if (!assigns && !call) return;
  if (!keep) return;
  stmts_add(w->d, back, s);
  if (one >= 0 && e->tag == CE_ASSIGN && !e->op) set_remove(live, one);
  if (assigns) reads_add(w, e->x, live);
  if (one >= 0 && e->tag == CE_ASSIGN && !e->op) set_remove(live, one);
  if (e->tag == CE_ASSIGN) reads_add(w, e->y, live);
  if (call && made_call(w, call) && strncmp(call->x->function->name, "dz_", 3) != 0)
    made_reads(w, call, live);
  else if (call) call_reads(w, call, live);
}

static void if_dead(Sweep *w, const CStmt *s, ObjSet *live, Stmts *back) {
  ObjSet yes = *live, no = *live;
  Stmts a = body_dead(w, s->body, &yes), b = body_dead(w, s->other, &no);
  if (!a.len && !b.len) return;
  CStmt *r = arena_copy(w->arena, s, sizeof *s);
  bool swap = !a.len;
  if (swap) r->x = cbuild_unary(w->arena, COP_NOT, s->x);
  r->body = stmts_block(w->d, swap ? &b : &a);
  r->other = !swap && b.len ? stmts_block(w->d, &b) : NULL;
  set_join(live, &yes);
  set_join(live, &no);
  reads_add(w, s->x, live);
  stmts_add(w->d, back, r);
}

static void loop_dead(Sweep *w, const CStmt *s, ObjSet *live, Stmts *back) {
  ObjSet around = *live;
  Stmts body = {0};
  for (;;) {
    ObjSet in = around;
    body = body_dead(w, s->body, &in);
    if (body.len && s->x) reads_add(w, s->x, &in);
    if (s->step) reads_add(w, s->step, &in);
    if (!set_join(&around, &in)) break;
  }
  bool counts = false;  // the counter's last value is needed
  if (s->tag == CS_FOR) {
    CStmt head = {.tag = CS_EXPR, .x = s->step};
    ObjSet writes = writes_in(w, &head);
    counts = set_meets(&writes, live);
  }
  if (!body.len && !counts) return;
  CStmt *r = arena_copy(w->arena, s, sizeof *s);
  r->body = stmts_block(w->d, &body);
  if (s->x) reads_add(w, s->x, &around);
  if (s->init && s->init->x) reads_add(w, s->init->x, &around);
  *live = around;
  stmts_add(w->d, back, r);
}

static void one_dead(Sweep *w, const CStmt *s, ObjSet *live, Stmts *back) {
  switch ((int)s->tag) {
    case CS_EXPR: expr_dead(w, s, live, back); return;
    case CS_IF: if_dead(w, s, live, back); return;
    case CS_FOR: case CS_WHILE: case CS_DO: loop_dead(w, s, live, back); return;
    case CS_BLOCK: {
      Stmts list = body_dead(w, s, live);
      for (int i = list.len - 1; i >= 0; i--) stmts_add(w->d, back, list.at[i]);
      return;
    }
    default: return;
  }
}

Stmts dead_removed(Sweep *w, const Stmts *forward, ObjSet live) {
  return list_dead(w, forward->at, forward->len, &live);
}
