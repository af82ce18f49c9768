// Cells of arrays that are overwritten when no reverse code uses them any more.  needs.c has whole
// objects: an array some of whose cells are used is needed.  Here the cell that an assignment
// overwrites is compared with every cell that reverse code of what may precede it uses; where none
// is the same it need not be saved.  Reading:
//   reverse code of an assignment     the expressions that needs.c finds
//   branches, loops                   their conditions, bounds
//   calls, statements executed again  objects as a whole
#include "cflow/distinct.h"
#include "sweep.h"

typedef struct {
  const void *who;       // the statement or expression, as in needs.c
  const CExpr *e;        // NULL: all of `objects`
  ObjSet objects;
  const CRange *around;
  int order;
  bool after;            // it reads the value that it has stored itself
} Reader;
typedef struct {
  const CRange *around;
  int order;
} Where;
struct Readers {
  LIST(Reader) list;
  Map *where;            // of assignments
  CIndex index;
  int order;
};
typedef struct {
  Sweep *w;
  struct Readers *all;
} Collect;

// ---- who reads ----------------------------------------------------------------------------------
static void reader_add(Collect *c, Reader r) {
  r.around = c->all->index.ranges;
  r.order = c->all->order;
  list_push(c->w->arena, &c->all->list, r);
}

static void join_targets(CFlow *f, const CExpr *pointer, ObjSet *all) {
  ObjSet t = cflow_spread(f, cflow_targets(f, pointer));
  set_join(all, &t);
}

static void call_reader(Collect *c, const void *who, const CExpr *call) {
  CFlow *f = c->w->flow;
  CFunction *g = call->x->tag == CE_FUNCTION ? cprogram_body(c->w->d->p, call->x->function) : NULL;
  CFlow *callee = g ? cflow_of(c->w->d->p, g) : NULL;
  ObjSet all = cflow_reads(f, call);
  for (int i = 0; callee && i < callee->objs.len; i++) {
    const Obj *o = &callee->objs.at[i];
    if (o->tag == OBJ_VAR && !o->var->is_global) continue;
    ObjSet here = cflow_map(f, callee, call, i);
    set_join(&all, &here);
  }
  for (int i = 0; i < call->nargs; i++)
    if (call->args[i]->type->tag == CTYPE_POINTER) join_targets(f, call->args[i], &all);
  all = cflow_spread(f, all);
  reader_add(c, (Reader){.who = who, .objects = all});
}

static void collect_effect(Collect *c, const CExpr *e) {
  if (e->tag == CE_COMMA) {
    collect_effect(c, e->x);
    collect_effect(c, e->y);
    return;
  }
  c->all->order++;
  if (e->tag == CE_CALL) call_reader(c, e, e);
  if (e->tag != CE_ASSIGN && e->tag != CE_STEP) return;
  Exprs uses = {0};
  c->w->seen = &uses;
  Effect r = effect_begin(c->w, e);
  c->w->seen = NULL;
  for (int i = 0; i < uses.len; i++) reader_add(c, (Reader){.who = e, .e = uses.at[i]});
  if (r.call || r.allocates) call_reader(c, e, r.call);
  if (r.back) reader_add(c, (Reader){.who = e, .e = e->x, .after = true});
  Where *at = NEW(c->w->arena, Where);
  *at = (Where){c->all->index.ranges, c->all->order};
  map_put(c->all->where, KEY(e), at);
}

static void collect(Collect *c, const CStmt *s);

static void collect_loop(Collect *c, const CStmt *s) {
  ObjSet reads;
  if (s->init) collect(c, s->init);
  c->all->order++;
  if (s->init && s->init->x) reader_add(c, (Reader){.who = s, .e = s->init->x});
  if (s->x) reader_add(c, (Reader){.who = s, .e = s->x});
  Counted counted;
  bool binomial = loop_counted(c->w, s, &counted) && loop_binomial(c->w, s, &counted, &reads);
  if (binomial || loop_again_reads(c->w, s, &reads))
    reader_add(c, (Reader){.who = s, .objects = reads});
  CRange *r = NEW(c->w->arena, CRange);
  *r = cindex_range(&c->all->index, s);
  c->all->index.ranges = r;
  collect(c, s->body);
  if (s->step) collect_effect(c, s->step);
  c->all->index.ranges = r->outer;
}

static void collect_region(Collect *c, const CStmt *s) {
  c->all->order++;
  reader_add(c, (Reader){.who = s, .objects = checkpoint_reads(c->w, s)});
}

static void collect(Collect *c, const CStmt *s) {
  switch ((int)s->tag) {
    case CS_EXPR: collect_effect(c, s->x); return;
    case CS_BLOCK:
      for (int i = 0, next; i < s->stmts.len; i++) {
        const CStmt *region = advice_region(c->w, s, i, &next);
        if (region) collect_region(c, region);
        collect(c, s->stmts.at[i]);
      }
      return;
    case CS_IF:
      c->all->order++;
      reader_add(c, (Reader){.who = s, .e = s->x});
      collect(c, s->body);
      if (s->other) collect(c, s->other);
      return;
    case CS_FOR: case CS_WHILE: case CS_DO: collect_loop(c, s); return;
    default: return;
  }
}

static struct Readers *readers_of(Sweep *w) {
  struct Readers *r = w->notes->readers;
  if (r) return r;
  r = NEW(w->arena, struct Readers);
  *r = (struct Readers){.where = map_new(w->arena)};
  r->index = (CIndex){.arena = w->arena, .body = w->flow->body, .exact = true};
  w->notes->readers = r;
  Collect c = {w, r};
  const void *only = w->only;
  w->only = NULL;
  collect(&c, w->flow->body);
  w->only = only;
  return r;
}

// ---- is it the cell? ----------------------------------------------------------------------------
typedef struct {
  Sweep *w;
  CIndex index;      // at the reader
  Access first, then;
  int obj;
  bool together, met;
} Meeting;

static void place_read(void *state, const CExpr *e) {
  Meeting *m = state;
  ObjSet places = cflow_spread(m->w->flow, cflow_places(m->w->flow, e));
  int obj;
  if (!set_has(&places, m->obj) || m->met) return;
  m->met = !region_cell(m->w->flow, &m->index, e, &obj, &m->first.at) || obj != m->obj ||
           !access_distinct(m->w->arena, &m->first, &m->then, m->together);
}

static bool meets(Meeting *m, const Reader *r, int order) {
  m->together = r->order < order || (r->order == order && !r->after);
  m->first.around = m->index.ranges = (CRange *)(uintptr_t)r->around;
  if (!m->together && !access_shares_loop(&m->first, &m->then)) return false;
  if (!r->e) return set_has(&r->objects, m->obj);
  m->met = false;
  cflow_each_read(r->e, place_read, m);
  return m->met;
}

bool cell_unneeded(Sweep *w, const CExpr *e) {
  if (e->x->tag == CE_VAR || !ctype_is_arithmetic(e->x->type)) return false;
  struct Readers *all = readers_of(w);
  const Where *at = map_get(all->where, KEY(e));
  if (!at) return false;
  Meeting m = {.w = w, .index = all->index, .then = {.around = at->around}};
  m.index.ranges = (CRange *)(uintptr_t)at->around;
  if (!region_cell(w->flow, &m.index, e->x, &m.obj, &m.then.at)) return false;
  if (set_has(&w->notes->need, m.obj)) return false;
  for (int i = 0; i < all->list.len; i++) {
    const Reader *r = &all->list.at[i];
    if ((!w->only || w->only == r->who) && meets(&m, r, at->order)) return false;
  }
  return true;
}
