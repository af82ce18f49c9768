// Cells of objects as polynomials.  A pointer has an object and an offset if it is a parameter that
// is never assigned, a variable assigned once (memory allocated, another such pointer), the address
// of a cell, or a sum of a pointer and an index.
#include "region.h"

static bool the_one(const CFlow *f, const ObjSet *set, int *obj) {
  *obj = -1;
  for (int i = 0; i < f->objs.len; i++) {
    if (!set_has(set, i)) continue;
    if (*obj >= 0) return false;
    *obj = i;
  }
  return *obj >= 0;
}

static int64_t cells_of(const CType *t) {
  int64_t n = 1;
  for (; t->tag == CTYPE_ARRAY; t = t->base) {
    if (t->count < 0) return -1;
    n *= t->count;
  }
  return n;
}

static const CExpr *without_casts(const CExpr *e) {
  e = cexpr_bare(e);
  while (e->tag == CE_CAST) e = cexpr_bare(e->x);
  return e;
}

static bool allocation(const CExpr *e) {
  e = without_casts(e);
  return e->tag == CE_CALL && e->x->tag == CE_FUNCTION && e->x->function->libc &&
         e->x->function->libc->kind == LIBC_ALLOCATE;
}

static bool counters_in(const CIndex *l, const Poly *p) {
  for (const CRange *r = l->ranges; r; r = r->outer)
    if (r->counter && cpoly_degree(p, r->counter) > 0) return true;
  return false;
}

static bool pointer_variable(CFlow *f, const CIndex *l, const CExpr *e, int *obj, Poly *at) {
  const CVar *v = e->var;
  const CExpr *value;
  if (v->addressed || v->is_global || v->storage == CSTORE_STATIC) return false;
  int writes = cindex_writes(l, v, &value);
  if ((v->is_param && writes) || (!v->is_param && (writes != 1 || !value))) return false;
  if (!v->is_param && !allocation(value))
    return region_base(f, l, value, obj, at) && !counters_in(l, at);
  ObjSet targets = cflow_targets(f, e);
  *at = cpoly_const(l->arena, 0);
  return the_one(f, &targets, obj);
}

bool region_base(CFlow *f, const CIndex *l, const CExpr *e, int *obj, Poly *at) {
  if (e->tag == CE_CONVERT && e->x->type->tag == CTYPE_ARRAY)
    return region_cell(f, l, e->x, obj, at);
  if (e->tag == CE_CAST || e->tag == CE_CONVERT) return region_base(f, l, e->x, obj, at);
  if (e->type->tag == CTYPE_ARRAY) return region_cell(f, l, e, obj, at);
  if (e->type->tag != CTYPE_POINTER) return false;
  if (e->tag == CE_VAR) return pointer_variable(f, l, e, obj, at);
  if (e->tag == CE_UNARY && e->op == COP_ADDRESS) return region_cell(f, l, e->x, obj, at);
  if (e->tag != CE_BINARY || (e->op != COP_ADD && e->op != COP_SUB)) return false;
  bool left = e->x->type->tag == CTYPE_POINTER;
  int64_t cells = cells_of(e->type->base);
  if (cells < 0 || !region_base(f, l, left ? e->x : e->y, obj, at)) return false;
  Poly by = cpoly_mul(l->arena, cindex_poly(l, left ? e->y : e->x), cpoly_const(l->arena, cells));
  *at = cpoly_add(l->arena, *at, by, e->op == COP_ADD ? 1 : -1);
  return at->known;
}

bool region_cell(CFlow *f, const CIndex *l, const CExpr *e, int *obj, Poly *at) {
  if (e->tag == CE_UNARY && e->op == COP_DEREF) return region_base(f, l, e->x, obj, at);
  if (e->tag == CE_INDEX) {
    int64_t cells = cells_of(e->type);
    if (cells < 0 || !region_base(f, l, e->x, obj, at)) return false;
    Poly by = cpoly_mul(l->arena, cindex_poly(l, e->y), cpoly_const(l->arena, cells));
    *at = cpoly_add(l->arena, *at, by, 1);
    return at->known;
  }
  if (e->tag != CE_VAR && e->tag != CE_MEMBER) return false;
  ObjSet places = cflow_places(f, e);
  if (!the_one(f, &places, obj)) return false;
  *at = cpoly_const(l->arena, 0);
  return e->tag == CE_VAR || f->objs.at[*obj].one;
}

static Poly allocated(const CIndex *l, const CExpr *call, const CType *element) {
  Arena *a = l->arena;
  int64_t size = element->tag == CTYPE_VOID ? -1 : ctype_size(element);
  Poly bytes = cindex_poly(l, call->args[0]);
  if (call->nargs == 2) bytes = cpoly_mul(a, bytes, cindex_poly(l, call->args[1]));
  if (size <= 0 || call->nargs > 2) return (Poly){0};
  Poly n = cpoly_over(a, bytes, size);
  return cpoly_whole(&n) ? n : (Poly){0};
}

Poly region_length(CFlow *f, const CIndex *l, int obj) {
  const Obj *o = &f->objs.at[obj];
  if (o->tag == OBJ_HEAP && o->parent < 0 && allocation(o->site))
    return allocated(l, o->site, o->type);
  if (o->tag == OBJ_VAR && o->type->tag == CTYPE_ARRAY) {
    int64_t inner = cells_of(o->type->base);
    if (inner < 0) return (Poly){0};
    if (o->type->count >= 0) return cpoly_const(l->arena, o->type->count * inner);
    if (!o->type->length) return (Poly){0};
    return cpoly_mul(l->arena, cindex_poly(l, o->type->length), cpoly_const(l->arena, inner));
  }
  return o->one ? cpoly_const(l->arena, 1) : (Poly){0};
}

bool region_over_loop(Arena *a, Cells *c, const CRange *r) {
  if (!r->counter || !r->unit) return false;
  Poly width = cpoly_add(a, c->high, c->low, -1);
  if (cpoly_degree(&c->low, r->counter) != 1 || cpoly_degree(&width, r->counter) != 0) return false;
  Poly gap = cpoly_add(a, cpoly_coefficient(a, c->low, r->counter, 1), width, -1);
  if (!gap.known || !cpoly_zero(&gap)) return false;
  Poly low = c->low;
  c->low = cpoly_subst(a, low, r->counter, r->low);
  c->high = cpoly_subst(a, low, r->counter, cpoly_add(a, r->high, cpoly_const(a, 1), 1));
  return c->low.known && c->high.known;
}
