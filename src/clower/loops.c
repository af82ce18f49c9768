// Loops.  The body is lowered with parameters for the cells that a first try, or the last time,
// found changed; where it changes more, again with these.
//   for (i = a; i < b; i += s)   loop is_for over k < t, i = a + k s, where the body leaves i, b, s
//                                unchanged; i = a + max (t, 0) s afterwards
//   other loops                  while, with the condition as first parameter
#include "local.h"

typedef struct {
  const CStmt *s;
  bool counted;
  int counter;          // its cell
  const CType *type;
  Atom start, step, trips;
  Cells changed;
  Cell *before;         // state when the loop is entered
  int len;
  Lambda *fn;
  Cells results;        // cells in the order of results, without condition
  Cell *after;          // state at the end of an iteration
  int objects;          // how many there are before
  bool lost;            // a pointer leads where it cannot be followed
  bool null_tested;     // whether a pointer that is null on entry
  Cells sized;          // cells with arrays whose length changes
  struct {
    int cell;
    const Several *several;
    Ptr to;
  } widen;              // a pointer that changes from one object to another; NULL: from or to null
} Loop;

static bool cells_have(const Cells *c, int i) {
  for (int k = 0; k < c->len; k++)
    if (c->at[k] == i) return true;
  return false;
}

// ---- counted loops ------------------------------------------------------------------------------
static bool keeps_value(const CExpr *e) {
  if (e->tag != CE_CONVERT) return true;
  const CType *from = e->x->type, *to = e->type;
  if (!ctype_is_integer(to) || !ctype_is_integer(from)) return false;
  return ctype_size(to) >= ctype_size(from) && to->tag != CTYPE_BOOL && keeps_value(e->x);
}

static const CVar *counter_in(const CExpr *e) {
  if (!keeps_value(e)) return NULL;
  e = cexpr_bare(e);
  return e->tag == CE_VAR && ctype_is_integer(e->type) ? e->var : NULL;
}

// Sides of the condition: counter (+ c) op bound, or the other way round.
typedef struct {
  const CVar *var;
  int64_t plus;
  COp op;
  const CExpr *bound;
} Test;

static bool test_side(const CExpr *x, Test *t) {
  int64_t c;
  t->plus = 0;
  if ((t->var = counter_in(x))) return true;
  if (!keeps_value(x)) return false;
  const CExpr *e = cexpr_bare(x);
  bool sum = e->tag == CE_BINARY && (e->op == COP_ADD || e->op == COP_SUB);
  if (!sum || !ctype_is_signed(e->type) || !cexpr_integer(e->y, &c)) return false;
  t->plus = e->op == COP_ADD ? c : -c;
  return (t->var = counter_in(e->x)) != NULL;
}

static COp flipped(COp op) {
  switch ((int)op) {
    case COP_LT: return COP_GT;
    case COP_GT: return COP_LT;
    case COP_LE: return COP_GE;
    case COP_GE: return COP_LE;
    default: return op;
  }
}

static bool test_of(const CExpr *e, const CVar *counter, Test *t) {
  if (e->tag != CE_BINARY || !cop_compares(e->op) || e->op == COP_EQ) return false;
  if (!ctype_is_integer(e->x->type)) return false;
  t->op = e->op;
  t->bound = e->y;
  if (test_side(e->x, t) && t->var == counter) return true;
  t->op = flipped(e->op);
  t->bound = e->x;
  return test_side(e->y, t) && t->var == counter;
}

// i++, i -= 2, i = i + b: the counter, and the step as an expression (NULL: 1), negated.
static const CVar *step_of(const CExpr *e, const CExpr **by, bool *down) {
  *by = NULL;
  *down = e->op == COP_SUB;
  if (e->tag == CE_STEP) return counter_in(e->x);
  if (e->tag != CE_ASSIGN) return NULL;
  if (e->op == COP_ADD || e->op == COP_SUB) return *by = e->y, counter_in(e->x);
  const CExpr *sum = cexpr_bare(e->y);
  bool is = !e->op && sum->tag == CE_BINARY && (sum->op == COP_ADD || sum->op == COP_SUB);
  const CVar *v = is ? counter_in(e->x) : NULL;
  if (!v || counter_in(sum->x) != v) return NULL;
  *by = sum->y;
  *down = sum->op == COP_SUB;
  return v;
}

// Whether the value is that before the loop in every iteration.
static bool is_invariant(Lower *l, const Loop *w, const CExpr *e) {
  int64_t v;
  if (e->tag == CE_SIZEOF || cexpr_integer(e, &v)) return true;
  if (e->tag == CE_CALL || e->tag == CE_ASSIGN || e->tag == CE_STEP) return false;
  bool place = cexpr_is_lvalue(e) && e->type->tag != CTYPE_ARRAY;
  if (place) {
    Place p = place_of(l, e);
    if (cells_have(&w->changed, l->objects.at[p.obj].first + p.leaf)) return false;
    if (e->tag == CE_VAR) return true;
  }
  return (!e->x || is_invariant(l, w, e->x)) && (!e->y || is_invariant(l, w, e->y)) &&
         (!e->z || is_invariant(l, w, e->z));
}

// t = ceil ((b - a) / s), by the sign of the step.
static bool trips_of(Lower *l, Loop *w, const Test *t, Atom by, bool down) {
  Builder *b = &l->b;
  Atom bound = build_op(b, OP_SUB, index_value(l, t->bound), atom_i64(t->plus));
  COp op = t->op;
  bool unit = !by.is_var && by.value.i == 1;
  if (op == COP_NE && !unit) return false;
  if (op != COP_NE && down != (op == COP_GT || op == COP_GE)) return false;
  if (op == COP_LE) bound = build_op(b, OP_ADD, bound, atom_i64(1));
  if (op == COP_GE) bound = build_op(b, OP_SUB, bound, atom_i64(1));
  Atom d = down ? build_op(b, OP_SUB, w->start, bound) : build_op(b, OP_SUB, bound, w->start);
  w->step = down ? build_op(b, OP_SUB, atom_i64(0), by) : by;
  w->trips = d;
  if (unit) return true;
  Atom less = build_op(b, OP_SUB, by, atom_i64(1));
  w->trips = build_op(b, OP_QUOT, build_op(b, OP_ADD, d, less), by);
  return true;
}

static void step_test(Lower *l, Atom by) {
  if (!by.is_var) return;
  Exp exp = {.form = FORM_ASSERT,
             .assert = {.cond = build_op(&l->b, OP_LT, atom_i64(0), by),
                        .message = "The step of this loop is %d.",
                        .args = atoms_of(l->arena, 1, &by)}};
  build_stm(&l->b, (Stm){.exp = exp, .loc = l->b.loc});
}

static bool is_counter(Lower *l, const CVar *v) {
  if (v->is_global || v->storage == CSTORE_STATIC || map_get(l->booleans, KEY(v))) return false;
  Prim p = register_prim(l, v->type, v->at);
  return p != PRIM_BOOL;
}

// As far as the head tells.
static bool count(Lower *l, Loop *w) {
  const CStmt *s = w->s;
  const CExpr *by;
  bool down;
  Test t;
  if (s->tag != CS_FOR || !s->x || !s->step) return false;
  const CVar *v = step_of(s->step, &by, &down);
  if (!v || !is_counter(l, v) || !test_of(s->x, v, &t)) return false;
  if (!is_invariant(l, w, t.bound) || (by && !is_invariant(l, w, by))) return false;
  w->counter = l->objects.at[object_of(l, v, s->at)].first;
  w->type = v->type;
  Cell start = l->cells[w->counter];
  w->start = start.set ? as_prim(l, start.atom, PRIM_I64) : atom_i64(0);
  Atom step = by ? index_value(l, by) : atom_i64(1);
  if (!step.is_var && step.value.i <= 0) {
    if (step.value.i == 0) return false;
    step = atom_i64(-step.value.i);
    down = !down;
  }
  step_test(l, step);
  return trips_of(l, w, &t, step, down);
}

static Atom counter_value(Lower *l, const Loop *w, Atom k) {
  Atom by = build_op(&l->b, OP_MUL, k, w->step);
  return as_prim(l, build_op(&l->b, OP_ADD, by, w->start), register_prim(l, w->type, w->s->at));
}

// ---- parameters ---------------------------------------------------------------------------------
static const char *cell_name(const Lower *l, int cell) {
  for (int i = l->objects.len - 1; i >= 0; i--)
    if (l->objects.at[i].first <= cell) return l->objects.at[i].name;
  return "x";
}

// A result is a cell's content or offset, the tag of a pointer to several objects or whether it is
// null, or the length of its array.
enum { PART_VALUE, PART_TAG, PART_SIZE, PARTS };
static int part(int cell, int which) { return PARTS * cell + which; }

static Atom *part_of(Cell *cells, int p) {
  Cell *c = &cells[p / PARTS];
  if (p % PARTS == PART_TAG) return c->ptr.several ? &c->ptr.tag : &c->ptr.null;
  return c->pointer && !is_rows(c) ? &c->ptr.at : &c->atom;
}

static Atom part_value(Lower *l, Cell *cells, int p) {
  Atom a = *part_of(cells, p);
  return p % PARTS == PART_SIZE ? atom_type(l->prog, a).dims[0] : a;
}

// A cell without a value begins as zero.
static void cell_begin(Lower *l, int cell) {
  Cell *c = &l->cells[cell];
  if (c->set) return;
  for (int i = l->objects.len - 1; i >= 0; i--) {
    const Object *o = &l->objects.at[i];
    if (o->first > cell) continue;
    const Leaf *leaf = &o->leaves.at[cell - o->first];
    if (is_array(o, leaf)) return;
    if (leaf->type->tag == CTYPE_POINTER)
      *c = cell_ptr((Ptr){.obj = NO_OBJECT, .at = atom_i64(0), .unit = leaf->type->base});
    else *c = cell_atom(atom_number(leaf_prim(l, leaf, false, (Span){0}), 0));
    return;
  }
}

static bool is_carried(const Cell *c) {
  return c->set && !(c->pointer && c->ptr.obj < 0 && !c->ptr.several);
}

static void param_make(Lower *l, Loop *w, int p) {
  Type t = atom_type(l->prog, part_value(l, l->cells, p));
  int cell = p / PARTS;
  if (p % PARTS == PART_VALUE && cells_have(&w->sized, cell)) {
    Var n = w->fn->params.at[w->fn->params.len - 1];
    t = type_array(l->arena, type_scalar(t.prim), atom_var(n));
  }
  t.unique = t.rank > 0;
  Var v = var_new(l->prog, cell_name(l, cell), t);
  list_push(l->arena, &w->fn->params, v);
  list_push(l->arena, &w->results, p);
  if (p % PARTS != PART_SIZE) *part_of(l->cells, p) = atom_var(v);
}

static void params_make(Lower *l, Loop *w) {
  w->results = (Cells){0};
  for (int i = 0; i < w->changed.len; i++) {
    int at = w->changed.at[i];
    Cell *c = &l->cells[at];
    if (!is_carried(c) || (w->counted && at == w->counter)) continue;
    if (cells_have(&w->sized, at)) param_make(l, w, part(at, PART_SIZE));
    param_make(l, w, part(at, PART_VALUE));
    if (c->pointer) c->ptr.far = false;
    if (c->pointer && (c->ptr.several || c->ptr.nullable)) param_make(l, w, part(at, PART_TAG));
  }
}

// A pointer that is null on entry is so in the first iteration only.
static void nulls_mark(Lower *l, const Loop *w) {
  for (int i = 0; i < w->changed.len; i++) {
    Cell *c = &l->cells[w->changed.at[i]];
    if (c->pointer && c->ptr.obj == NO_OBJECT) c->ptr.obj = LOOP_NULL;
  }
}

// ---- attempts -----------------------------------------------------------------------------------
static bool noted(Lower *l, Loop *w, Cells *more, const Cells *fresh) {
  bool found = false;
  Cell *start = w->before;
  for (int i = 0; i < w->len; i++) {
    bool known = cells_have(&w->changed, i) || cells_have(fresh, i);
    if (known || cell_same(&start[i], &l->cells[i]) || (w->counted && i == w->counter)) continue;
    list_push(l->arena, more, i);
    found = true;
  }
  return found;
}

static void iteration_lower(Lower *l, Loop *w, Atom *more) {
  statement(l, w->s->body);
  if (w->counted) return;
  if (w->s->step) {
    CStmt step = {.tag = CS_EXPR, .at = w->s->at, .x = w->s->step};
    statement(l, &step);
  }
  *more = w->s->x ? truth_of(l, w->s->x) : atom_bool(true);
}

static void results_make(Lower *l, Loop *w, const Cell *start, Atom more) {
  Atoms results = {0};
  if (!w->counted) list_push(l->arena, &results, more);
  for (int i = 0; i < w->results.len; i++) {
    int p = w->results.at[i], cell = p / PARTS;
    Atom a = part_value(l, l->cells, p);
    const Several *several = l->cells[cell].pointer ? start[cell].ptr.several : NULL;
    const Ptr *is = &l->cells[cell].ptr;
    if (p % PARTS == PART_TAG && several) a = several_tag(&l->b, is, several);
    else if (p % PARTS == PART_TAG) a = is->nullable ? is->null : atom_bool(false);
    list_push(l->arena, &results, a);
  }
  w->fn->body.results = results;
  for (int i = w->counted; i < w->fn->params.len; i++) {
    int p = i > 0 ? w->results.at[i - 1] : -1;
    bool sized = p >= 0 && p % PARTS == PART_VALUE && cells_have(&w->sized, p / PARTS);
    Type t = sized ? atom_type(l->prog, results.at[i - w->counted])
                   : var_type(l->prog, w->fn->params.at[i]);
    t.unique = false;
    list_push(l->arena, &w->fn->rets, t);
  }
}

static bool pointer_keeps(Lower *l, const Ptr *a, const Ptr *b) {
  if (!a->several)
    return a->obj == b->obj && a->leaf == b->leaf && (a->nullable || !b->nullable);
  Several all = *a->several;
  return several_add(l, b, &all) && all.n == a->several->n;
}

// Pointers that move keep to their objects; of others `widened` has all objects.
static bool pointers_keep(Lower *l, Loop *w, const Cell *start) {
  bool keep = true;
  w->lost = false;
  for (int i = 0; i < w->changed.len && w->null_tested; i++) {
    const Cell *a = &start[w->changed.at[i]], *b = &l->cells[w->changed.at[i]];
    if (!a->pointer || a->ptr.obj != LOOP_NULL || ptr_is_null(&b->ptr)) continue;
    keep = false;
    if (!w->s->inside || b->ptr.obj < 0 || b->ptr.obj >= w->objects) w->lost = true;
    w->widen.cell = w->changed.at[i], w->widen.several = NULL, w->widen.to = b->ptr;
  }
  for (int i = 0; i < w->results.len; i++) {
    int at = w->results.at[i] / PARTS;
    const Cell *a = &start[at], *b = &l->cells[at];
    if (!a->pointer || pointer_keeps(l, &a->ptr, &b->ptr)) continue;
    keep = false;
    if (is_rows(a)) {
      if (!rows_unused(l, a) || b->ptr.obj < 0 || b->ptr.obj >= w->objects) w->lost = true;
      w->widen.cell = at, w->widen.several = NULL, w->widen.to = b->ptr;
      continue;
    }
    if (!a->ptr.several && a->ptr.obj == b->ptr.obj && a->ptr.leaf == b->ptr.leaf) {
      w->widen.cell = at, w->widen.several = NULL;
      continue;
    }
    Several *all = NEW(l->arena, Several);
    bool known = several_add(l, &a->ptr, all) && several_add(l, &b->ptr, all);
    for (int k = 0; known && k < all->n; k++) known = all->alt[k].obj < w->objects;
    if (!known) w->lost = true;
    else w->widen.cell = at, w->widen.several = all;
  }
  return keep;
}

// Arrays that are allocated anew may have another length.
static bool sizes_keep(Lower *l, Loop *w, const Cell *start) {
  bool keep = true;
  for (int i = 0; i < w->results.len; i++) {
    int at = w->results.at[i] / PARTS;
    const Cell *a = &start[at], *b = &l->cells[at];
    bool array = a->set && b->set && (!a->pointer || is_rows(a));
    if (!array || cells_have(&w->sized, at)) continue;
    Type t = atom_type(l->prog, a->atom), u = atom_type(l->prog, b->atom);
    if (t.rank == 0 || atom_same(t.dims[0], u.dims[0])) continue;
    list_push(l->arena, &w->sized, at);
    keep = false;
  }
  return keep;
}

// ---- memory that takes the place of other memory ------------------------------------------------
typedef struct {
  Lower *l;
  const Loop *w;
  const Cells *fresh;   // cells of variables that are declared in the loop
} Ends;

// Whether cell `only` alone leads there at the end of an iteration.
static bool is_sole(const Ends *x, int only, int obj) {
  for (int i = 0; i < x->w->len; i++) {
    const Cell *c = &x->l->cells[i];
    if (i == only || !c->set || !c->pointer || cells_have(x->fresh, i)) continue;
    if (ptr_leads_to(&c->ptr, obj)) return false;
  }
  return true;
}

// p = q, where q was made in this iteration and nothing else leads to what p has led to: the object
// of p has the contents of q's.
static bool block_settle(const Ends *x, const Cell *start, int cell) {
  Lower *l = x->l;
  Cell *now = &l->cells[cell];
  if (!start->set || !start->pointer || !now->set || !now->pointer || is_rows(now)) return false;
  int old = start->ptr.obj, made = now->ptr.obj;
  if (old < 0 || old >= x->w->objects || made < x->w->objects) return false;
  const Object *a = &l->objects.at[old], *b = &l->objects.at[made];
  bool whole = a->heap && b->heap && start->ptr.leaf == 0 && now->ptr.leaf == 0;
  if (!whole || !objects_alike(a, b) || !is_sole(x, cell, old) || !is_sole(x, cell, made))
    return false;
  for (int i = 0; i < a->leaves.len; i++) l->cells[a->first + i] = l->cells[b->first + i];
  now->ptr.obj = old;
  return true;
}

static void blocks_settle(Lower *l, const Loop *w, const Cell *start, const Cells *fresh) {
  Ends x = {l, w, fresh};
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < w->len; i++)
      if (!cells_have(fresh, i)) again |= block_settle(&x, &start[i], i);
  }
}

typedef enum { ATTEMPT_DONE, ATTEMPT_MORE, ATTEMPT_COUNTS_NOT, ATTEMPT_POINTERS } Attempt;

static Attempt attempt(Lower *l, Loop *w) {
  Cells more_changed = {0};
  Stms *outer = l->b.stms;
  int from = l->declared.len, objects = l->objects.len;
  w->fn = NEW(l->arena, Lambda);
  w->objects = objects;
  for (int i = 0; i < w->changed.len; i++) cell_begin(l, w->changed.at[i]);
  w->before = cells_copy(l);
  nulls_mark(l, w);
  bool null_tested = l->null_tested;
  int loop_objects = l->loop_objects;
  l->loop_objects = objects;
  l->null_tested = false;
  l->b.stms = &w->fn->body.stms;
  Atom k = atom_var(var_new(l->prog, w->counted ? "k" : "more",
                            type_scalar(w->counted ? PRIM_I64 : PRIM_BOOL)));
  list_push(l->arena, &w->fn->params, k.var);
  params_make(l, w);
  if (w->counted) l->cells[w->counter] = cell_atom(counter_value(l, w, k));
  Cell counter = w->counted ? l->cells[w->counter] : (Cell){0};
  Cell *start = cells_copy(l);
  Atom more = atom_bool(false);
  iteration_lower(l, w, &more);
  Cells fresh = {l->declared.at + from, l->declared.len - from, 0};
  blocks_settle(l, w, start, &fresh);
  w->null_tested = l->null_tested;
  l->null_tested |= null_tested;
  l->loop_objects = loop_objects;
  bool counts = !w->counted || cell_same(&counter, &l->cells[w->counter]);
  Cell *before = w->before;
  w->before = start;
  bool again = noted(l, w, &more_changed, &fresh);
  w->before = before;
  bool keep = pointers_keep(l, w, start);
  again |= !sizes_keep(l, w, start);
  if (!again && counts && keep) results_make(l, w, start, more);
  w->after = l->cells;
  for (int i = from; i < l->declared.len; i++)
    if (l->declared.at[i] < w->len) w->after[l->declared.at[i]].set = false;
  l->cells = cells_copy(l);
  memcpy(l->cells, w->before, sizeof *l->cells * (size_t)w->len);
  l->len = w->len;
  l->objects.len = objects;
  l->b.stms = outer;
  for (int i = 0; i < more_changed.len; i++) list_push(l->arena, &w->changed, more_changed.at[i]);
  if (!counts) return ATTEMPT_COUNTS_NOT;
  if (again) return ATTEMPT_MORE;
  return keep ? ATTEMPT_DONE : ATTEMPT_POINTERS;
}

// ---- the loop -----------------------------------------------------------------------------------
static void results_bind(Lower *l, Loop *w, Vars vars) {
  int first = w->counted ? 0 : 1;
  for (int i = 0; i < w->results.len; i++) {
    int p = w->results.at[i];
    Atom v = atom_var(vars.at[first + i]);
    VarInfo *info = &l->prog->vars.at[v.var.id];
    info->base = cell_name(l, p / PARTS);
    if (p % PARTS == PART_SIZE) continue;
    if (p % PARTS == PART_VALUE && cells_have(&w->sized, p / PARTS))
      info->type = type_array(l->arena, type_scalar(info->type.prim),
                              atom_var(vars.at[first + i - 1]));
    *part_of(l->cells, p) = v;
  }
  for (int i = 0; i < w->changed.len; i++) {
    int at = w->changed.at[i];
    if (cells_have(&w->results, part(at, PART_VALUE)) || (w->counted && at == w->counter)) continue;
    if (w->after[at].pointer) l->cells[at] = w->after[at];
    if (w->after[at].pointer && w->after[at].ptr.obj >= 0) l->cells[at].ptr.obj = SEVERAL_OBJECTS;
    if (l->cells[at].pointer && ptr_is_null(&l->cells[at].ptr)) l->cells[at].ptr.obj = NO_OBJECT;
    if (w->after[at].pointer) l->cells[at].ptr.several = NULL;
    if (!w->after[at].pointer) l->cells[at].set = false;
  }
}

static void loop_build(Lower *l, Loop *w, Atom first) {
  Exp exp = {.form = FORM_LOOP, .loop = {.is_for = w->counted, .fn = w->fn}};
  exp.loop.bound = w->counted ? w->trips : atom_scalar((Scalar){.prim = PRIM_UNIT});
  if (!w->counted) list_push(l->arena, &exp.loop.inits, first);
  for (int i = 0; i < w->results.len; i++)
    list_push(l->arena, &exp.loop.inits, part_value(l, l->cells, w->results.at[i]));
  Vars vars = build_many(&l->b, NULL, w->fn->rets, exp);
  results_bind(l, w, vars);
  if (!w->counted) return;
  Atom trips = w->trips;
  trips = build_op(&l->b, OP_MAX, trips, atom_i64(0));
  l->cells[w->counter] = cell_atom(counter_value(l, w, trips));
}

// A function that stands in its caller may meet other objects the next time.
typedef struct {
  Cells changed;
  int len, objects;
} Guess;

static void guess_keep(Lower *l, const Loop *w) {
  Guess g = {w->changed, l->len, l->objects.len};
  map_put(l->guesses, KEY(w->s), arena_copy(l->arena, &g, sizeof g));
}

static void guess_take(Lower *l, Loop *w) {
  const Guess *g = map_get(l->guesses, KEY(w->s));
  if (!g || g->len != l->len || g->objects != l->objects.len) return;
  for (int i = 0; i < g->changed.len; i++) list_push(l->arena, &w->changed, g->changed.at[i]);
}

enum { MOST_ATTEMPTS = 200 };
// In a loop whose first iteration was peeled, pointers to several objects get tags.
static Attempt attempts(Lower *l, Loop *w) {
  Attempt a = ATTEMPT_MORE;
  for (int i = 0; i < MOST_ATTEMPTS && a != ATTEMPT_DONE && a != ATTEMPT_COUNTS_NOT; i++) {
    a = attempt(l, w);
    if (a != ATTEMPT_POINTERS) continue;
    Cell *c = &l->cells[w->widen.cell];
    if (!w->lost && !w->widen.several) {
      bool null = c->ptr.obj < 0;
      if (is_rows(c)) {
        c->ptr = w->widen.to;
        continue;
      }
      if (null) c->ptr = w->widen.to, c->ptr.at = atom_i64(0);
      c->ptr.nullable = true;
      c->ptr.null = atom_bool(null);
      continue;
    }
    if (!w->s->inside || w->lost) return a;
    c->ptr.tag = several_tag(&l->b, &c->ptr, w->widen.several);
    c->ptr.several = w->widen.several;
    c->ptr.obj = SEVERAL_OBJECTS;
  }
  return a;
}

static bool loop_counted(Lower *l, Loop *w) {
  Stms *outer = l->b.stms, head = {0};
  int changed = -1;
  while (changed != w->changed.len) {
    head = (Stms){0};
    l->b.stms = &head;
    w->counted = count(l, w);
    l->b.stms = outer;
    if (!w->counted) return false;
    changed = w->changed.len;
    if (attempts(l, w) != ATTEMPT_DONE) return false;
  }
  for (int i = 0; i < head.len; i++) build_stm(&l->b, head.at[i]);
  loop_build(l, w, atom_bool(true));
  guess_keep(l, w);
  return true;
}

static void rest_arm(Lower *l, const void *what, Cell *value) {
  const CStmt *s = what;
  (void)value;
  CStmt again = *s;
  statement(l, s->body);
  if (s->step) {
    CStmt step = {.tag = CS_EXPR, .at = s->at, .x = s->step};
    statement(l, &step);
  }
  again.init = NULL;
  again.inside = true;  // peeled
  loop_statement(l, arena_copy(l->arena, &again, sizeof again));
}

// The first iteration stands before the loop: after it, pointers keep their objects.
static void loop_peeled(Lower *l, const CStmt *s) {
  if (s->inside)
    lower_gap(l, s->at, "[c-points-to] A pointer changes from one object to another in this loop, "
              "and not in the first iteration: allocate both before it.");
  if (s->tag == CS_DO) {
    CStmt again = *s;
    statement(l, s->body);
    again.tag = CS_WHILE;
    again.inside = true;
    loop_statement(l, arena_copy(l->arena, &again, sizeof again));
    return;
  }
  Atom c = s->x ? truth_of(l, s->x) : atom_bool(true);
  if (!c.is_var) {
    if (c.value.i) rest_arm(l, s, NULL);
    return;
  }
  Arm yes = arm_lower(l, rest_arm, s);
  Arm no = {.cells = cells_copy(l), .len = l->len};
  arms_join(l, c, &yes, &no);
}

void loop_statement(Lower *l, const CStmt *s) {
  Loop w = {.s = s, .len = 0};
  if (s->init) statement(l, s->init);
  w.len = l->len;
  guess_take(l, &w);
  if (loop_counted(l, &w)) return;
  w.counted = false;
  Stms *outer = l->b.stms, scratch = {0};
  l->b.stms = &scratch;
  Attempt a = attempts(l, &w);
  l->b.stms = outer;
  if (a != ATTEMPT_DONE) {
    loop_peeled(l, s);
    return;
  }
  Atom first = s->tag == CS_DO || !s->x ? atom_bool(true) : truth_of(l, s->x);
  loop_build(l, &w, first);
  guess_keep(l, &w);
}
