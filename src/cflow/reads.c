// The places an expression reads, and those it depends on differentiably.
#include "local.h"

typedef struct {
  CFlow *f;
  ObjSet set;
} Reads;

static void read_place(CFlow *f, const CExpr *e, ObjSet *to) {
  ObjSet places = cflow_places(f, e);
  if (ctype_is_record(e->type)) places = cflow_spread(f, places);
  set_join(to, &places);
}

// value: e's own value is read, not its address alone.
static void each_read(const CExpr *e, bool value, void (*read)(void *state, const CExpr *place),
                      void *state) {
  if (!e || e->tag == CE_SIZEOF) return;
  bool place = e->tag == CE_VAR || e->tag == CE_INDEX || e->tag == CE_MEMBER ||
               (e->tag == CE_UNARY && e->op == COP_DEREF);
  if (place && value && e->type->tag != CTYPE_ARRAY) read(state, e);
  if (e->tag == CE_MEMBER && !e->arrow) {
    each_read(e->x, false, read, state);
    return;
  }
  if (e->tag == CE_UNARY && e->op == COP_ADDRESS) {
    each_read(e->x, false, read, state);
    return;
  }
  each_read(e->x, true, read, state);
  each_read(e->y, true, read, state);
  each_read(e->z, true, read, state);
  for (int i = 0; e->tag == CE_CALL && i < e->nargs; i++) each_read(e->args[i], true, read, state);
  for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++)
    each_read(e->elems[i].value, true, read, state);
}

void cflow_each_read(const CExpr *e, void (*read)(void *state, const CExpr *place), void *state) {
  each_read(e, true, read, state);
}

static void read_add(void *state, const CExpr *place) {
  Reads *r = state;
  read_place(r->f, place, &r->set);
}

ObjSet cflow_reads(CFlow *f, const CExpr *e) {
  Reads r = {.f = f};
  cflow_each_read(e, read_add, &r);
  return r.set;
}

// Constant between jumps: the derivative is zero.
static bool is_step(const CLibc *row) {
  bool rounds = row->op == OP_FLOOR || row->op == OP_CEIL || row->op == OP_TRUNC ||
                row->op == OP_ROUND;
  return row->kind == LIBC_MATH && !row->rule && rounds;
}

static bool differentiable(const CExpr *call) {
  const CLibc *row = call->x->tag == CE_FUNCTION ? call->x->function->libc : NULL;
  return row && !is_step(row) && (row->kind == LIBC_MATH || row->kind == LIBC_SPECIAL);
}

static void sources_in(CFlow *f, const CExpr *e, ObjSet *to) {
  if (!e) return;
  if (ctype_is_record(e->type) && cexpr_is_lvalue(e)) {
    read_place(f, e, to);
    return;
  }
  if (e->tag == CE_LIST || e->tag == CE_COMPOUND) {
    if (e->x) sources_in(f, e->x, to);
    for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++) sources_in(f, e->elems[i].value, to);
    return;
  }
  if (!ctype_is_float(e->type)) return;
  if (cexpr_is_lvalue(e)) {
    read_place(f, e, to);
    return;
  }
  if (e->tag == CE_CALL) {
    for (int i = 0; differentiable(e) && i < e->nargs; i++) sources_in(f, e->args[i], to);
    return;
  }
  if (e->tag != CE_COND) sources_in(f, e->x, to);
  sources_in(f, e->y, to);
  sources_in(f, e->z, to);
}

ObjSet flow_sources(CFlow *f, const CExpr *e) {
  ObjSet set = {{0}};
  sources_in(f, e, &set);
  return set;
}
