// Loops whose iterations certainly need each other: one reads a cell that another one writes.
//   a[c i + q] = ..,  .. a[c i + q + c d]      d iterations between them, if the loop has more
// Only accesses that every iteration executes count, and no cell that the iteration writes itself.
#include "region.h"

typedef struct {
  const CExpr *e;
  int obj;
  Poly at;
} Use;
typedef struct {
  CFlow *f;
  CIndex index;
  LIST(Use) reads, writes;
} Carried;

static void read_cell(void *state, const CExpr *e) {
  Carried *c = state;
  Use u = {.e = e};
  if (e->tag == CE_VAR || !ctype_is_arithmetic(e->type)) return;
  if (region_cell(c->f, &c->index, e, &u.obj, &u.at)) list_push(c->index.arena, &c->reads, u);
}

static void effect(Carried *c, const CExpr *e) {
  if (e->tag == CE_COMMA) effect(c, e->x), effect(c, e->y);
  if (e->tag != CE_ASSIGN) return;
  cflow_each_read(e->y, read_cell, c);
  Use u = {.e = e->x};
  bool cell = e->x->tag != CE_VAR && !e->op && ctype_is_arithmetic(e->x->type);
  if (cell && region_cell(c->f, &c->index, e->x, &u.obj, &u.at))
    list_push(c->index.arena, &c->writes, u);
}

static void statement(Carried *c, const CStmt *s) {
  for (int i = 0; i < s->stmts.len; i++) statement(c, s->stmts.at[i]);
  if (s->tag == CS_EXPR) effect(c, s->x);
  if (s->tag != CS_FOR) return;
  CRange r = cindex_range(&c->index, s);
  c->index.ranges = NEW(c->index.arena, CRange);
  *c->index.ranges = r;
  statement(c, s->body);
  c->index.ranges = r.outer;
}

static bool constant(Poly p, int64_t *v) {
  if (!p.known || p.terms.len > 1) return false;
  *v = p.terms.len ? p.terms.at[0].num : 0;
  return !p.terms.len || (p.terms.at[0].n == 0 && p.terms.at[0].den == 1);
}

// The iterations between the two, 0 where that is no constant.
static int64_t distance(Carried *c, const Use *r, const Use *w, const CRange *loop) {
  Arena *a = c->index.arena;
  int64_t gap, step, trips;
  if (r->obj != w->obj || cpoly_degree(&w->at, loop->counter) != 1) return 0;
  if (!constant(cpoly_coefficient(a, w->at, loop->counter, 1), &step) || !step) return 0;
  if (!constant(cpoly_add(a, r->at, w->at, -1), &gap) || gap % step) return 0;
  gap = gap / step < 0 ? -(gap / step) : gap / step;
  return constant(loop->trips, &trips) && trips <= gap ? 0 : gap;
}

static bool own(Carried *c, const Use *r) {
  for (int i = 0; i < c->writes.len; i++) {
    Poly gap = cpoly_add(c->index.arena, r->at, c->writes.at[i].at, -1);
    if (c->writes.at[i].obj == r->obj && (!gap.known || cpoly_zero(&gap))) return true;
  }
  return false;
}

const CExpr *cflow_carried(CFlow *f, const CStmt *loop) {
  Carried c = {.f = f, .index = {.arena = f->program->arena, .body = f->body, .exact = true}};
  CRange r = cindex_range(&c.index, loop);
  if (!r.counter || !r.unit) return NULL;
  c.index.ranges = &r;
  statement(&c, loop->body);
  for (int i = 0; i < c.reads.len; i++)
    for (int k = 0; k < c.writes.len && !own(&c, &c.reads.at[i]); k++)
      if (distance(&c, &c.reads.at[i], &c.writes.at[k], &r)) return c.reads.at[i].e;
  return NULL;
}
