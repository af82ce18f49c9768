// Statements that the reverse sweep executes again, from a copy of the memory that they change
// (binomial.c, checkpoint.c, independent.c).
//   state(S) = what S writes, and uses itself or others need
// Printing is not repeated.  Memory that is freed or allocated, input and random numbers cannot be.
#include "cflow/index.h"
#include "sweep.h"

// ---- copies -------------------------------------------------------------------------------------
static const CVar *root_of(const CFlow *f, int obj) {
  const Obj *o = cflow_whole(f, obj);
  if (o->tag == OBJ_VAR) return o->var;
  if (o->tag != OBJ_TARGET) return NULL;
  o = &f->objs.at[o->parent];
  return o->tag == OBJ_VAR && o->var->is_param && !o->var->assigned ? o->var : NULL;
}

static bool stays_in(const CExpr *e, void *state) {
  bool *stays = state;
  bool fixed = e->tag == CE_VAR && e->var->is_param && !e->var->assigned && !e->var->addressed &&
               ctype_is_integer(e->type);
  if (e->tag == CE_SIZEOF) return false;
  *stays &= fixed || e->tag == CE_INT || e->tag == CE_BINARY || e->tag == CE_CONVERT ||
            e->tag == CE_CAST;
  return true;
}

// The bytes of an allocation, at each copy the same; NULL: not known.
static const CExpr *allocated_bytes(Sweep *w, const CExpr *call) {
  bool stays = call->nargs > 0 && call->nargs < 3;
  for (int i = 0; i < call->nargs; i++) cexpr_visit(call->args[i], stays_in, &stays);
  if (!stays) return NULL;
  if (call->nargs == 1) return call->args[0];
  return cbuild_binary(w->arena, COP_MUL, call->args[0], call->args[1]);
}

// The variable that an allocation is given to, which has no other value; NULL: none.
static const CVar *allocated_to(Sweep *w, int obj) {
  const CIndex index = {.arena = w->arena, .body = w->flow->body, .exact = true};
  const Obj *o = &w->flow->objs.at[obj];
  for (int i = 0; o->tag == OBJ_HEAP && i < w->f->simple->locals.len; i++) {
    const CVar *v = w->f->simple->locals.at[i];
    const CExpr *value = NULL;
    if (v->type->tag != CTYPE_POINTER || v->addressed) continue;
    bool one = cindex_writes(&index, v, &value) == 1 && value;
    bool made = one && cexpr_stripped(value) == o->site;
    if (made && o->site->x->function->libc->kind == LIBC_ALLOCATE) return v;
  }
  return NULL;
}

// Elements of what a parameter points to, at each copy the same.
static const CExpr *copied_length(Sweep *w, const CVar *v) {
  const CExpr *n = cdiff_length(w->f, v);
  int64_t number;
  bool fixed = cexpr_integer(n, &number) && number >= 0;
  if (!fixed && sizes_change(w->f))
    refuse(w->d, v->at, "[c-length] The length of this memory may change in the function, so "
           "it cannot be copied for a checkpoint.", "copy what its length is made of to a "
           "constant, or a parameter that is not assigned");
  return length_positive(w->arena, n);
}

static void variable_copy(Sweep *w, const CVar *v, bool target, Code *out) {
  const CExpr *x = cbuild_var(w->arena, v);
  if (target) {
    const CExpr *n = copied_length(w, v);
    const CExpr *each = cbuild_sizeof(w->arena, NULL, v->type->base);
    push_bytes(w, x, cbuild_binary(w->arena, COP_MUL, n, each), out);
  } else if (v->type->tag == CTYPE_ARRAY)
    push_bytes(w, x, cbuild_sizeof(w->arena, x, v->type), out);
  else push_value(w, x, out);
}

// Allocations that no pointer of the function leads to: those inside a call.
static void forget_inner(Sweep *w, ObjSet *set) {
  ObjSet led = {{0}};
  for (int i = 0; i < w->flow->targets.len; i++) set_join(&led, &w->flow->targets.at[i]);
  for (int i = 0; i < w->flow->objs.len; i++) {
    bool inner = cflow_whole(w->flow, i)->tag == OBJ_HEAP && !set_has(&led, i);
    for (int k = i; inner && w->flow->objs.at[k].tag == OBJ_FIELD;) {
      k = w->flow->objs.at[k].parent;
      inner = !set_has(&led, k);
    }
    if (inner) set_remove(set, i);
  }
}

ObjSet restart_state(Sweep *w, const CStmt *s, const ObjSet *reads, const ObjSet *need) {
  ObjSet used = *reads, writes = writes_in(w, s);
  set_join(&used, need);
  for (int i = 0; i < COUNT_OF(used.w); i++) used.w[i] &= writes.w[i];
  forget_inner(w, &used);
  return used;
}

void restart_copy(Sweep *w, const CStmt *s, const ObjSet *state, Code *out) {
  Map *done = map_new(w->arena);
  for (int i = 0; i < w->flow->objs.len; i++) {
    if (!set_has(state, i)) continue;
    const CVar *v = root_of(w->flow, i), *to = v ? NULL : allocated_to(w, i);
    const CExpr *bytes = to ? allocated_bytes(w, w->flow->objs.at[i].site) : NULL;
    if (bytes) v = to;
    bool target = cflow_whole(w->flow, i)->tag == OBJ_TARGET;
    bool pointer = v && !target && !bytes && v->type->tag == CTYPE_POINTER;
    if (!v || pointer)
      cflow_gap(w->d->p->diag, s->at, "[c-points-to] Pointers are changed here, or memory that is "
                "no array of the function or a parameter: a checkpoint cannot copy it.");
    if (map_get(done, KEY(v))) continue;
    map_put(done, KEY(v), w);
    Code one = {0};
    if (bytes) push_bytes(w, cbuild_var(w->arena, v), bytes, &one);
    else variable_copy(w, v, target, &one);
    kept_note(w, KEPT_COPY, cbuild_var(w->arena, v), cbuild_var(w->arena, v));
    Stmts back = one.reverse;
    stmts_add_all(w->d, &out->forward, &one.forward);
    stmts_add_all(w->d, &back, &out->reverse);
    out->reverse = back;
  }
}

// ---- what cannot be done twice ------------------------------------------------------------------
typedef struct {
  Sweep *w;
  const CExpr *printed;   // printing that is a statement
} Twice;

static bool once_only(Twice *t, const CExpr *call) {
  const CFunction *f = call->x->tag == CE_FUNCTION ? call->x->function : NULL;
  CFunction *g = f ? cprogram_body(t->w->d->p, f) : NULL;
  if (g) return call_moves(cflow_of(t->w->d->p, g));
  if (!f || !f->libc) return false;
  switch (f->libc->kind) {
    case LIBC_PRINT: return call != t->printed;
    case LIBC_INPUT: case LIBC_OPAQUE_STATE: case LIBC_ALLOCATE: case LIBC_FREE: case LIBC_REALLOC:
      return true;
    case LIBC_MATH: case LIBC_PURE: case LIBC_COPY: case LIBC_FILL: case LIBC_SPECIAL:
    case LIBC_COMPARE: case LIBC_ASSERT: case LIBC_STOP: case LIBC_REFUSED:
      return false;
  }
  return false;
}

static bool twice_in(const CStmt *s, void *state) {
  ((Twice *)state)->printed = s->tag == CS_EXPR ? s->x : NULL;
  return true;
}

static bool twice_expr(const CExpr *e, void *state) {
  Twice *t = state;
  if (e->tag == CE_CALL && once_only(t, e))
    cflow_gap(t->w->d->p->diag, e->at, "[c-pragma] This call cannot be executed twice (it has "
              "memory, input, or state of others), as the pragma above asks for.");
  return true;
}

void restart_checked(Sweep *w, const CStmt *s) {
  Twice t = {w, NULL};
  cstmt_visit(s, twice_in, twice_expr, &t);
}

Stmts restart_quiet_all(Sweep *w, const CStmt *const *at, int len) {
  Stmts list = {0};
  for (int i = 0; i < len; i++) {
    const CStmt *one = restart_quiet(w, at[i]);
    if (one) list_push(w->arena, &list, one);
  }
  return list;
}

static bool prints(const CStmt *s) {
  const CExpr *e = s->tag == CS_EXPR ? s->x : NULL;
  return e && e->tag == CE_CALL && e->x->tag == CE_FUNCTION && e->x->function->libc &&
         e->x->function->libc->kind == LIBC_PRINT;
}

const CStmt *restart_quiet(Sweep *w, const CStmt *s) {
  if (!s || prints(s)) return NULL;
  CStmt *r = arena_copy(w->arena, s, sizeof *s);
  Stmts list = restart_quiet_all(w, s->stmts.at, s->stmts.len), none = {0};
  r->stmts.at = list.at;
  r->stmts.len = list.len;
  r->stmts.cap = list.cap;
  r->other = restart_quiet(w, s->other);
  r->body = restart_quiet(w, s->body);
  if (s->body && !r->body) r->body = stmts_block(w->d, &none);
  return r;
}

static bool call_noted(const CExpr *e, void *state) {
  CDiff *d = state;
  if (e->tag == CE_CALL && e->x->tag == CE_FUNCTION) note_original(d, e->x->function);
  return true;
}

void originals_noted(Sweep *w, const CStmt *s) { cstmt_visit(s, NULL, call_noted, w->d); }
