// Loops whose iterations do not need each other's values.  A walk through a body in the order of
// execution keeps the cells that are certainly written, and collects the objects that are exposed:
// read when not all that is read has been written in this execution of the body.
//   s = s + e     exposes nothing of s: sums that nothing else reads
//   if c S T      what both S and T write is written
//   for i .. S    what S writes for each i is written, if the cells of all i are an interval
// A function has a summary.  The number of cells of what a parameter points to is the caller's
// business: objects read after their first n cells were written are `assumed` to have n.
#include "region.h"

typedef struct {
  ObjSet exposed, assumed;
  CellList written;        // of what parameters point to, from 0
  bool running, refused;
} Summary;
typedef struct {
  CFlow *f;
  CIndex index;
  CellList written;
  ObjSet exposed, assumed, reads;
  int cases;               // cells written before the switch around
  bool jumped, refused;
  bool once;               // of one execution: sums read, no lengths are assumed
} Walk;

static Summary *summary_of(CProgram *p, const CFunction *g);

// ---- reading ------------------------------------------------------------------------------------
static bool whole(Walk *w, int obj) {
  Arena *a = w->index.arena;
  Poly length = region_length(w->f, &w->index, obj);
  for (int i = 0; i < w->written.len; i++) {
    const Cells *c = &w->written.at[i];
    if (c->obj != obj || !cpoly_zero(&c->low)) continue;
    Poly gap = length.known ? cpoly_add(a, length, c->high, -1) : cpoly_const(a, 1);
    bool assume = !length.known && w->f->objs.at[obj].tag == OBJ_TARGET && !w->once;
    if (assume) set_add(&w->assumed, obj);
    else if (!length.known || !cpoly_zero(&gap)) continue;
    return true;
  }
  return false;
}

static bool constant_at_least(Walk *w, Poly a, Poly b, int64_t by) {
  Poly d = cpoly_add(w->index.arena, a, b, -1);
  if (!d.known || d.terms.len > 1) return false;
  if (!d.terms.len) return by <= 0;
  return d.terms.at[0].n == 0 && d.terms.at[0].den == 1 && d.terms.at[0].num >= by;
}

static bool cell_written(Walk *w, const CExpr *lvalue) {
  int obj;
  Poly at;
  if (!region_cell(w->f, &w->index, lvalue, &obj, &at)) return false;
  for (int i = 0; i < w->written.len; i++) {
    const Cells *c = &w->written.at[i];
    if (c->obj == obj && constant_at_least(w, at, c->low, 0) &&
        constant_at_least(w, c->high, at, 1))
      return true;
  }
  return false;
}

static void read_objects(Walk *w, const ObjSet *set) {
  set_join(&w->reads, set);
  for (int i = 0; i < w->f->objs.len; i++)
    if (set_has(set, i) && !whole(w, i)) set_add(&w->exposed, i);
}

static void read_lvalue(Walk *w, const CExpr *e) {
  ObjSet places = cflow_places(w->f, e);
  if (ctype_is_record(e->type)) places = cflow_spread(w->f, places);
  if (cell_written(w, e)) set_join(&w->reads, &places);
  else read_objects(w, &places);
}

static void call(Walk *w, const CExpr *e);

static void read_value(Walk *w, const CExpr *e);

static void read_address(Walk *w, const CExpr *e) {
  if (e->tag == CE_MEMBER && !e->arrow) read_address(w, e->x);
  else if (e->tag == CE_INDEX) read_value(w, e->x), read_value(w, e->y);
  else if (e->tag != CE_VAR && e->x) read_value(w, e->x);
}

static void read_value(Walk *w, const CExpr *e) {
  if (!e || e->tag == CE_SIZEOF) return;
  if (e->tag == CE_UNARY && e->op == COP_ADDRESS) {
    read_address(w, e->x);
    return;
  }
  if (cexpr_is_lvalue(e)) {
    if (e->type->tag != CTYPE_ARRAY) read_lvalue(w, e);
    read_address(w, e);
    return;
  }
  if (e->tag == CE_CALL) {
    call(w, e);
    return;
  }
  read_value(w, e->x);
  int before = w->written.len;
  read_value(w, e->y);
  if (e->tag == CE_COND) w->written.len = before;
  read_value(w, e->z);
  if (e->tag == CE_COND || e->op == COP_ANDAND || e->op == COP_OROR) w->written.len = before;
  for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++) read_value(w, e->elems[i].value);
}

// ---- writing ------------------------------------------------------------------------------------
static void write_cells(Walk *w, int obj, Poly low, Poly high) {
  Cells c = {obj, low, high};
  if (!w->jumped && low.known && high.known) list_push(w->index.arena, &w->written, c);
}

static void write_lvalue(Walk *w, const CExpr *e) {
  Arena *a = w->index.arena;
  int obj;
  Poly at;
  if (ctype_is_record(e->type)) {
    ObjSet all = cflow_places(w->f, e);
    bool one = region_cell(w->f, &w->index, e, &obj, &at) && w->f->objs.at[obj].one;
    all = cflow_spread(w->f, all);
    for (int i = 0; one && i < w->f->objs.len; i++)
      if (set_has(&all, i) && w->f->objs.at[i].one)
        write_cells(w, i, cpoly_const(a, 0), cpoly_const(a, 1));
  } else if (region_cell(w->f, &w->index, e, &obj, &at))
    write_cells(w, obj, at, cpoly_add(a, at, cpoly_const(a, 1), 1));
}

static bool same_place(Walk *w, const CExpr *x, const CExpr *y) {
  int a, b;
  Poly at, there;
  y = cexpr_bare(y);
  if (!cexpr_is_lvalue(y) || y->tag != x->tag || !region_cell(w->f, &w->index, x, &a, &at) ||
      !region_cell(w->f, &w->index, y, &b, &there) || a != b)
    return false;
  Poly gap = cpoly_add(w->index.arena, at, there, -1);
  return gap.known && cpoly_zero(&gap);
}

// The summand of x in x = x + e, x = e + x, x = x - e; NULL: another assignment.
static const CExpr *summand(Walk *w, const CExpr *e) {
  const CExpr *v = cexpr_bare(e->y);
  if (e->op) return e->op == COP_ADD || e->op == COP_SUB ? e->y : NULL;
  if (v->tag != CE_BINARY || (v->op != COP_ADD && v->op != COP_SUB)) return NULL;
  if (same_place(w, e->x, v->x)) return v->y;
  return v->op == COP_ADD && same_place(w, e->x, v->y) ? v->x : NULL;
}

static void assign(Walk *w, const CExpr *e) {
  bool sums = e->x->type->tag != CTYPE_POINTER && !w->once;
  const CExpr *more = sums ? summand(w, e) : NULL;
  read_address(w, e->x);
  if (more) {
    ObjSet places = cflow_places(w->f, e->x);
    set_join(&w->reads, &places);
    read_value(w, more);
    return;
  }
  if (e->op) read_lvalue(w, e->x);
  read_value(w, e->y);
  write_lvalue(w, e->x);
}

// ---- calls --------------------------------------------------------------------------------------
static void memory_call(Walk *w, const CExpr *e) {
  Arena *a = w->index.arena;
  bool copies = e->x->function->libc->kind == LIBC_COPY;
  int obj;
  Poly at;
  if (e->nargs != 3) {
    w->refused = true;
    return;
  }
  ObjSet from = copies ? cflow_targets(w->f, e->args[1]) : (ObjSet){{0}};
  from = cflow_spread(w->f, from);
  read_objects(w, &from);
  if (!region_base(w->f, &w->index, e->args[0], &obj, &at)) return;
  const CType *t = w->f->objs.at[obj].type;
  t = ctype_element(t);
  if (ctype_is_record(t) || ctype_size(t) <= 0) return;
  Poly n = cpoly_over(a, cindex_poly(&w->index, e->args[2]), ctype_size(t));
  if (cpoly_whole(&n)) write_cells(w, obj, at, cpoly_add(a, at, n, 1));
}

static void library_call(Walk *w, const CExpr *e) {
  const CLibc *row = e->x->function->libc;
  if (!row) {
    w->refused = true;
    return;
  }
  switch (row->kind) {
    case LIBC_MATH: case LIBC_PURE: return;
    case LIBC_COPY: case LIBC_FILL: memory_call(w, e); return;
    case LIBC_SPECIAL: case LIBC_COMPARE: case LIBC_ASSERT: case LIBC_STOP: case LIBC_PRINT:
    case LIBC_INPUT: case LIBC_OPAQUE_STATE: case LIBC_ALLOCATE: case LIBC_FREE: case LIBC_REALLOC:
    case LIBC_REFUSED:
      w->refused = true;
      return;
  }
}

static Poly in_caller(Walk *w, const CFunction *g, const CExpr *e, Poly p) {
  for (int i = 0; i < g->params.len && i < e->nargs; i++)
    if (p.known && cpoly_degree(&p, g->params.at[i]) > 0)
      p = cpoly_subst(w->index.arena, p, g->params.at[i], cindex_poly(&w->index, e->args[i]));
  return p;
}

static int param_of(const CFlow *callee, int obj) {
  const Obj *o = &callee->objs.at[obj];
  const CVar *v = o->tag == OBJ_TARGET ? callee->objs.at[o->parent].var : NULL;
  for (int i = 0; v && i < callee->function->params.len; i++)
    if (callee->function->params.at[i] == v) return i;
  return -1;
}

// The callee's cells as cells here.
static bool cells_here(Walk *w, CFlow *callee, const CExpr *e, const Cells *c, Cells *out) {
  int k = param_of(callee, c->obj);
  Poly at;
  if (k < 0 || k >= e->nargs) return false;
  if (!region_base(w->f, &w->index, e->args[k], &out->obj, &at)) return false;
  out->low = cpoly_add(w->index.arena, at, in_caller(w, callee->function, e, c->low), 1);
  out->high = cpoly_add(w->index.arena, at, in_caller(w, callee->function, e, c->high), 1);
  return out->low.known && out->high.known;
}

static void called_reads(Walk *w, CFlow *callee, const CExpr *e, const Summary *s) {
  const ObjSet *exposed = w->once ? &callee->reads : &s->exposed;
  for (int i = 0; i < callee->objs.len; i++) {
    const Obj *o = &callee->objs.at[i];
    if (!set_has(exposed, i) || (o->tag == OBJ_VAR && !o->formal)) continue;
    if (o->tag == OBJ_VAR && o->var->is_param) continue;
    ObjSet here = cflow_map(w->f, callee, e, i);
    read_objects(w, &here);
  }
}

static void called_writes(Walk *w, CFlow *callee, const CExpr *e, const Summary *s) {
  int before = w->written.len;
  for (int i = 0; i < s->written.len; i++) {
    Cells c;
    if (cells_here(w, callee, e, &s->written.at[i], &c)) write_cells(w, c.obj, c.low, c.high);
  }
  for (int i = 0; i < callee->objs.len; i++) {
    if (!set_has(&s->assumed, i)) continue;
    ObjSet here = cflow_map(w->f, callee, e, i);
    read_objects(w, &here);
  }
  if (w->jumped) w->written.len = before;
}

static void call(Walk *w, const CExpr *e) {
  CFunction *g = e->x->tag == CE_FUNCTION ? cprogram_body(w->f->program, e->x->function) : NULL;
  for (int i = 0; i < e->nargs; i++) read_value(w, e->args[i]);
  if (e->x->tag != CE_FUNCTION) w->refused = true;
  else if (!g) library_call(w, e);
  else {
    CFlow *callee = cflow_of(w->f->program, g);
    Summary *s = summary_of(w->f->program, g);
    if (s->running || s->refused || callee->external) w->refused = true;
    called_reads(w, callee, e, s);
    called_writes(w, callee, e, s);
  }
}

// ---- statements ---------------------------------------------------------------------------------
static void statement(Walk *w, const CStmt *s);

static void effect(Walk *w, const CExpr *e) {
  if (e->tag == CE_ASSIGN) assign(w, e);
  else if (e->tag == CE_STEP) {
    ObjSet places = cflow_places(w->f, e->x);
    set_join(&w->reads, &places);
    read_address(w, e->x);
    if (e->x->type->tag == CTYPE_POINTER || w->once) read_lvalue(w, e->x);
  } else if (e->tag == CE_COMMA) effect(w, e->x), effect(w, e->y);
  else read_value(w, e);
}

static bool listed(Walk *w, const CellList *list, const Cells *c) {
  for (int i = 0; i < list->len; i++) {
    Poly low = cpoly_add(w->index.arena, list->at[i].low, c->low, -1);
    Poly high = cpoly_add(w->index.arena, list->at[i].high, c->high, -1);
    if (list->at[i].obj == c->obj && cpoly_zero(&low) && cpoly_zero(&high)) return true;
  }
  return false;
}

static CellList taken_from(Walk *w, int start) {
  CellList r = {0};
  for (int i = start; i < w->written.len; i++) list_push(w->index.arena, &r, w->written.at[i]);
  w->written.len = start;
  return r;
}

static void branch(Walk *w, const CStmt *s) {
  int start = w->written.len;
  read_value(w, s->x);
  statement(w, s->body);
  CellList yes = taken_from(w, start);
  if (s->other) statement(w, s->other);
  CellList no = taken_from(w, start);
  for (int i = 0; i < yes.len; i++)
    if (listed(w, &no, &yes.at[i])) list_push(w->index.arena, &w->written, yes.at[i]);
}

static void loop(Walk *w, const CStmt *s) {
  bool jumped = w->jumped;
  if (s->init) statement(w, s->init);
  read_value(w, s->x);
  int start = w->written.len;
  CRange r = cindex_range(&w->index, s);
  w->index.ranges = &r;
  statement(w, s->body);
  if (s->step) effect(w, s->step);
  w->index.ranges = r.outer;
  CellList all = taken_from(w, start);
  for (int i = 0; i < all.len && w->jumped == jumped; i++)
    if (region_over_loop(w->index.arena, &all.at[i], &r))
      write_cells(w, all.at[i].obj, all.at[i].low, all.at[i].high);
}

static void declare(Walk *w, const CVar *v) {
  if (!v->init) return;
  CExpr place = {.tag = CE_VAR, .var = v, .type = v->type, .at = v->at};
  if (v->storage == CSTORE_STATIC) return;
  read_value(w, v->init);
  if (v->type->tag != CTYPE_ARRAY) write_lvalue(w, &place);
  else write_cells(w, cflow_var(w->f, v), cpoly_const(w->index.arena, 0),
                   region_length(w->f, &w->index, cflow_var(w->f, v)));
}

static void choices(Walk *w, const CStmt *s) {
  int around = w->cases;
  read_value(w, s->x);
  w->cases = w->written.len;
  statement(w, s->body);
  w->written.len = w->cases;
  w->cases = around;
}

static void statement(Walk *w, const CStmt *s) {
  int start = w->written.len;
  switch (s->tag) {
    case CS_EXPR: effect(w, s->x); return;
    case CS_DECL:
      for (int i = 0; i < s->vars.len; i++) declare(w, s->vars.at[i]);
      return;
    case CS_BLOCK:
      for (int i = 0; i < s->stmts.len; i++) statement(w, s->stmts.at[i]);
      return;
    case CS_IF: branch(w, s); return;
    case CS_FOR: case CS_WHILE: loop(w, s); return;
    case CS_DO:
      statement(w, s->body);
      w->written.len = start;
      read_value(w, s->x);
      return;
    case CS_SWITCH: choices(w, s); return;
    case CS_CASE: case CS_DEFAULT:
      w->written.len = w->cases;
      statement(w, s->body);
      return;
    case CS_LABEL: case CS_GOTO: w->refused = true; return;
    case CS_RETURN:
      read_value(w, s->x);
      w->jumped = true;
      return;
    case CS_BREAK: case CS_CONTINUE: w->jumped = true; return;
    case CS_EMPTY: case CS_PRAGMA: return;
  }
}

// ---- answers ------------------------------------------------------------------------------------
static Summary *summary_of(CProgram *p, const CFunction *g) {
  Summary *s = map_get(p->summaries, KEY(g));
  if (s) return s;
  s = NEW(p->arena, Summary);
  *s = (Summary){.running = true};
  map_put(p->summaries, KEY(g), s);
  CFlow *f = cflow_of(p, g);
  Walk w = {.f = f, .index = {.arena = p->arena, .body = f->body, .exact = true}};
  statement(&w, f->body);
  s->exposed = w.exposed;
  s->assumed = w.assumed;
  s->refused = w.refused;
  for (int i = 0; i < w.written.len; i++)
    if (param_of(f, w.written.at[i].obj) >= 0)
      list_push(p->arena, &s->written, w.written.at[i]);
  s->running = false;
  return s;
}

// The ranges of the loops around `loop`, then the walk of its body; or of a block that has
// neighbours of the source.
static bool find(Walk *w, const CStmt *s, const CStmt *loop) {
  if (!s) return false;
  if (s->tag == CS_BLOCK) {
    bool part = loop->tag == CS_BLOCK && loop->stmts.len;
    for (int i = 0; i < s->stmts.len; i++) {
      bool here = part && s->stmts.at[i] == loop->stmts.at[0];
      if (here) statement(w, loop);
      if (here || find(w, s->stmts.at[i], loop)) return true;
    }
    return false;
  }
  if (s->tag != CS_FOR && s->tag != CS_WHILE && s->tag != CS_DO)
    return find(w, s->body, loop) || find(w, s->other, loop);
  CRange r = cindex_range(&w->index, s);
  w->index.ranges = &r;
  bool here = s == loop;
  if (here) statement(w, s->body);
  here = here || find(w, s->body, loop);
  w->index.ranges = r.outer;
  return here;
}

bool cflow_independent(CFlow *f, const CStmt *loop, const ObjSet *writes, ObjSet *reads) {
  Walk w = {.f = f, .index = {.arena = f->program->arena, .body = f->body, .exact = true}};
  if (!find(&w, f->body, loop) || w.refused || w.jumped) return false;
  ObjSet all = w.exposed;
  set_join(&all, &w.assumed);
  if (set_meets(&all, writes)) return false;
  *reads = w.reads;
  for (int i = 0; i < f->objs.len; i++) {
    if (set_has(writes, i) && f->objs.at[i].type->tag == CTYPE_POINTER) return false;
    if (set_has(writes, i)) reads->w[i / 64] &= ~((uint64_t)1 << i % 64);
  }
  return true;
}

bool cflow_exposed(CFlow *f, const CStmt *s, bool once, ObjSet *exposed) {
  Walk w = {.f = f, .once = once,
            .index = {.arena = f->program->arena, .body = f->body, .exact = true}};
  if (!find(&w, f->body, s) || w.refused || w.jumped) return false;
  *exposed = w.exposed;
  set_join(exposed, &w.assumed);
  return true;
}
