// Panels: the columns that all rows of a product read are copied to where they lie together.
//
//   for q < rows { for i < n (strips) { for k < m { s += a[q, k] * b[k d + i] } c[q, i] = s } }
//   -->  for p < n / w {
//          for k < m { for j < w { t[k w + j] = b[k d + p w + j] } }
//          for q < rows { for j < w (strips) { for k < m { s += a[q, k] * t[k w + j] }
//                                              c[q, p w + j] = s } } }
//
// w is the width of a strip, so t stays in the cache next to the processor, whatever the distance
// d; rows of a power of two bytes would share few places there.  Each sum keeps its order.  Few
// rows, or little to read, run as before: the condition is tested when the program runs.
#include "imp/common/imp.h"

enum {
  LEAST_ROWS = 8,         // iterations of the loop over rows, each perhaps several rows
  LEAST_ELEMENTS = 16384  // of b that are read
};

typedef struct {
  Arena *arena;
  ImpFn *fn;
  ImpStrides strides;
  struct imp_chunks *chunks;  // the innermost one around
} Panels;

// The three loops, and the loads in the innermost that are to read a panel.  Several sums: an
// iteration of the outermost does several rows.
typedef struct {
  ImpStm *rows, *strips, *sum;
  LIST(ImpStm *) loads;
} Product;

// ---- recognising products ---------------------------------------------------------------------
static bool is_pure(const ImpStm *stm) {
  return stm->form == IMP_STM_LET || stm->form == IMP_STM_LOAD;
}

// The one loop in the block, where all else is pure or, if `sets`, sums and stores; else NULL.
static ImpStm *one_loop(const ImpBlock *block, bool sets) {
  ImpStm *loop = NULL;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    bool plain = is_pure(stm) ||
                 (sets && (stm->form == IMP_STM_VAR || stm->form == IMP_STM_STORE));
    if (plain) continue;
    if (loop || stm->form != IMP_STM_FOR) return NULL;
    loop = stm;
  }
  return loop;
}

static bool only_sums(const ImpBlock *block) {
  for (int i = 0; i < block->len; i++)
    if (!is_pure(block->at[i]) && block->at[i]->form != IMP_STM_SET) return false;
  return true;
}

static bool loops_found(ImpStm *rows, Product *out) {
  *out = (Product){.rows = rows};
  if (!rows->for_.parallel || rows->for_.reds.len || rows->for_.outer_vec) return false;
  out->strips = one_loop(rows->for_.body, false);
  if (!out->strips || !out->strips->for_.outer_vec || out->strips->for_.reds.len) return false;
  out->sum = one_loop(out->strips->for_.body, true);
  return out->sum && out->sum->for_.reds.len > 1 && only_sums(out->sum->for_.body);
}

typedef struct {
  const ImpBlock *block;
  ImpVar var;
  bool found;
} Search;

static void search_binding(void *state, ImpBlock *block) {
  Search *s = state;
  for (int i = 0; i < block->len && !s->found; i++) {
    const ImpVar *def = imp_stm_def(block->at[i]);
    s->found = def && def->id == s->var.id;
    imp_each_block(block->at[i], search_binding, s);
  }
}

static bool is_bound_in(ImpStm *loop, ImpVar v) {
  Search s = {.var = v, .found = loop->for_.var.id == v.id};
  search_binding(&s, loop->for_.body);
  return s.found;
}

static bool is_address(void *state, ImpVar v) {
  const Product *x = state;
  bool counter = v.id == x->strips->for_.var.id || v.id == x->sum->for_.var.id;
  return counter || !is_bound_in(x->rows, v);
}

// e over the counters of strips and sum and variables bound outside; NULL: it needs others.
static const ImpExp *address(Panels *p, const Product *x, const ImpExp *e) {
  return imp_exp_expand(p->arena, p->fn, e, is_address, (void *)(uintptr_t)x);
}

static bool is_near(const ImpExp *stride) {
  return !stride || imp_is_int(stride, 0) || imp_is_int(stride, 1) || imp_is_int(stride, -1);
}

static bool is_stored(const ImpBlock *block, ImpVar mem) {
  for (int i = 0; i < block->len; i++)
    if (block->at[i]->form == IMP_STM_STORE && block->at[i]->store.mem.id == mem.id) return true;
  return false;
}

// Neighbours for neighbouring columns, distant elements from term to term, the same for all rows.
static bool reads_columns(Panels *p, const Product *x, const ImpStm *stm) {
  if (stm->form != IMP_STM_LOAD || is_stored(x->strips->for_.body, stm->load.mem)) return false;
  const ImpExp *across = imp_exp_stride(&p->strides, stm->load.at, &x->strips->for_);
  const ImpExp *down = imp_exp_stride(&p->strides, stm->load.at, &x->sum->for_);
  return across && imp_is_int(across, 1) && !is_near(down) && address(p, x, stm->load.at);
}

static bool is_outside(const Product *x, const ImpExp *bound) {
  return bound->kind == IMP_CONST || (bound->kind == IMP_VAR && !is_bound_in(x->rows, bound->var));
}

static bool product_found(Panels *p, ImpStm *rows, Product *out) {
  if (!loops_found(rows, out)) return false;
  if (!is_outside(out, out->strips->for_.bound) || !is_outside(out, out->sum->for_.bound))
    return false;
  const ImpBlock *body = out->sum->for_.body;
  for (int i = 0; i < body->len; i++)
    if (reads_columns(p, out, body->at[i])) list_push(p->arena, &out->loads, body->at[i]);
  return out->loads.len > 0;
}

// ---- making panels ----------------------------------------------------------------------------
static ImpStm *push(Panels *p, ImpBlock *block, ImpStm stm) {
  ImpStm *copy = arena_copy(p->arena, &stm, sizeof stm);
  list_push(p->arena, block, copy);
  return copy;
}

static ImpVar fresh(Panels *p, ImpVarInfo info) {
  list_push(p->arena, &p->fn->vars, info);
  return (ImpVar){(uint32_t)p->fn->vars.len - 1};
}

static const ImpExp *of(const Panels *p, ImpVar v) { return imp_var(p->arena, p->fn, v); }

static const ImpExp *let(Panels *p, ImpBlock *out, const char *base, const ImpExp *e) {
  ImpVar v = fresh(p, (ImpVarInfo){.base = base, .kind = IMP_LET, .prim = e->prim, .def = e});
  push(p, out, (ImpStm){.form = IMP_STM_LET, .let = {v, e}});
  return of(p, v);
}

// for v < bound { .. }
static struct imp_for_ *loop(Panels *p, ImpBlock *out, const char *base, const ImpExp *bound) {
  ImpVar v = fresh(
      p, (ImpVarInfo){.base = base, .kind = IMP_LET, .prim = PRIM_I64, .bound = bound});
  struct imp_for_ f = {.var = v, .bound = bound, .body = NEW(p->arena, ImpBlock)};
  return &push(p, out, (ImpStm){.form = IMP_STM_FOR, .for_ = f})->for_;
}

typedef struct {
  const ImpExp *width, *from;  // of the panel
  const ImpExp *columns;       // in it: the last one may have fewer than width
  ImpVars memory;              // by load
} Panel;

static const ImpExp *least(const Panels *p, int64_t bound, const ImpExp *e) {
  return imp_op(p->arena, OP_LE, PRIM_I64, imp_i64(p->arena, bound), e, NULL);
}
static const ImpExp *both(const Panels *p, const ImpExp *a, const ImpExp *b) {
  return imp_op(p->arena, OP_AND, PRIM_BOOL, a, b, NULL);
}

// Whether copying pays and has room.
static const ImpExp *condition(Panels *p, ImpBlock *out, const Product *x, const ImpExp *width) {
  const ImpExp *m = x->sum->for_.bound, *n = x->strips->for_.bound;
  const ImpExp *bytes =
      imp_mul(p->arena, imp_mul(p->arena, m, width), imp_i64(p->arena, 8 * x->loads.len));
  ImpVar left = fresh(p, (ImpVarInfo){.base = "left", .kind = IMP_LET, .prim = PRIM_I64});
  push(p, out, (ImpStm){.form = IMP_STM_MEMORY_LEFT,
                        .memory_left = {left, imp_i64(p->arena, INT64_MAX)}});
  const ImpExp *room = imp_op(p->arena, OP_LE, PRIM_I64, bytes, of(p, left), NULL);
  const ImpExp *large = both(p, least(p, LEAST_ROWS, x->rows->for_.bound),
                             least(p, LEAST_ELEMENTS, imp_mul(p->arena, m, n)));
  return let(p, out, "panels", both(p, large, room));
}

// The width of a strip: as outer_vec says, in vectors.
static const ImpExp *width_put(Panels *p, ImpBlock *out, const Product *x) {
  ImpVar lanes = fresh(p, (ImpVarInfo){.base = "lanes", .kind = IMP_LET, .prim = PRIM_I64});
  push(p, out, (ImpStm){.form = IMP_STM_TUNED,
                        .tuned = {lanes, IMP_TUNED_LANES, imp_i64(p->arena, 1)}});
  const ImpExp *vectors = imp_i64(p->arena, x->strips->for_.outer_vec);
  return let(p, out, "width", imp_mul(p->arena, of(p, lanes), vectors));
}

static void memory_put(Panels *p, ImpBlock *out, const Product *x, Panel *panel) {
  const ImpExp *count = imp_mul(p->arena, x->sum->for_.bound, panel->width);
  for (int i = 0; i < x->loads.len; i++) {
    Prim prim = p->fn->vars.at[x->loads.at[i]->load.mem.id].prim;
    ImpVar mem = fresh(
        p, (ImpVarInfo){.base = "panel", .kind = IMP_BLOCK, .prim = prim, .is_mem = true});
    list_push(p->arena, &panel->memory, mem);
    push(p, out, (ImpStm){.form = IMP_STM_ALLOC, .alloc = {mem, count}});
  }
}

// t[k w + j] = b[.. k .. from + j ..], for load number i
static void copy_put(Panels *p, ImpBlock *out, const Product *x, const Panel *panel, int i) {
  const struct imp_load *load = &x->loads.at[i]->load;
  const ImpExp *at = address(p, x, load->at);
  struct imp_for_ *terms = loop(p, out, "k", x->sum->for_.bound);
  struct imp_for_ *columns = loop(p, terms->body, "j", panel->columns);
  const ImpExp *k = of(p, terms->var), *j = of(p, columns->var);
  const ImpExp **map = NEW_ARRAY(p->arena, const ImpExp *, p->fn->vars.len);
  terms->parallel = columns->parallel = true;
  map[x->sum->for_.var.id] = k;
  map[x->strips->for_.var.id] = imp_add(p->arena, panel->from, j);
  at = imp_exp_subst(p->arena, at, map);
  ImpVar v = fresh(p, (ImpVarInfo){.base = "b", .kind = IMP_LET,
                                   .prim = p->fn->vars.at[load->var.id].prim});
  push(p, columns->body, (ImpStm){.form = IMP_STM_LOAD, .load = {v, load->mem, at}});
  at = imp_add(p->arena, imp_mul(p->arena, k, panel->width), j);
  push(p, columns->body,
       (ImpStm){.form = IMP_STM_STORE, .store = {panel->memory.at[i], at, of(p, v)}});
}

// Strips of the panel alone; the counter of all columns counts from the panel's first.
static void strips_put(Panels *p, Product *x, const Panel *panel) {
  struct imp_for_ *strips = &x->strips->for_;
  ImpBlock *body = NEW(p->arena, ImpBlock);
  strips->bound = p->fn->vars.at[strips->var.id].bound = panel->columns;
  const ImpExp *column =
      let(p, body, "column", imp_add(p->arena, panel->from, of(p, strips->var)));
  imp_block_rename(p->arena, p->fn, strips->body, strips->var, column->var);
  for (int i = 0; i < strips->body->len; i++) list_push(p->arena, body, strips->body->at[i]);
  strips->body = body;
}

// The nest again, with loads from the panel.
static void rows_put(Panels *p, ImpBlock *out, const Product *x, const Panel *panel) {
  ImpStm *rows = imp_stm_clone(p->arena, p->fn, x->rows);
  Product mine;
  imp_strides_forget(&p->strides);
  check(product_found(p, rows, &mine) && mine.loads.len == x->loads.len);
  ImpVar column = mine.strips->for_.var;
  strips_put(p, &mine, panel);
  const ImpExp *row = imp_mul(p->arena, of(p, mine.sum->for_.var), panel->width);
  for (int i = 0; i < mine.loads.len; i++) {
    mine.loads.at[i]->load.mem = panel->memory.at[i];
    mine.loads.at[i]->load.at = imp_add(p->arena, row, of(p, column));
  }
  list_push(p->arena, out, rows);
}

static void panels_put(Panels *p, ImpBlock *out, const Product *x, Panel *panel) {
  Arena *arena = p->arena;
  const ImpExp *n = x->strips->for_.bound, *w = panel->width;
  const ImpExp *more = imp_sub(arena, imp_add(arena, n, w), imp_i64(arena, 1));
  const ImpExp *panels = imp_op(arena, OP_QUOT, PRIM_I64, more, w, NULL);
  struct imp_for_ *each = loop(p, out, "p", let(p, out, "panels", panels));
  panel->from = let(p, each->body, "from", imp_mul(arena, of(p, each->var), w));
  const ImpExp *left = imp_sub(arena, n, panel->from);
  panel->columns =
      let(p, each->body, "columns", imp_op(arena, OP_MIN, PRIM_I64, left, w, NULL));
  for (int i = 0; i < x->loads.len; i++) copy_put(p, each->body, x, panel, i);
  rows_put(p, each->body, x, panel);
}

static void product_put(Panels *p, ImpBlock *out, const Product *x) {
  Panel panel = {.width = width_put(p, out, x)};
  struct imp_if_ choice = {.cond = condition(p, out, x, panel.width)};
  choice.then = NEW(p->arena, ImpBlock);
  choice.other = NEW(p->arena, ImpBlock);
  memory_put(p, choice.then, x, &panel);
  panels_put(p, choice.then, x, &panel);
  list_push(p->arena, choice.other, x->rows);
  push(p, out, (ImpStm){.form = IMP_STM_IF, .if_ = choice});
}

// ---- where ------------------------------------------------------------------------------------
static void panels_walk(void *state, ImpBlock *block);

static void panels_inside(Panels *p, ImpStm *stm) {
  struct imp_chunks *around = p->chunks;
  if (stm->form == IMP_STM_KERNEL) return;
  if (stm->form == IMP_STM_CHUNKS) p->chunks = &stm->chunks;
  imp_each_block(stm, panels_walk, p);
  p->chunks = around;
}

static void panels_walk(void *state, ImpBlock *block) {
  Panels *p = state;
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    Product x;
    bool found = stm->form == IMP_STM_FOR && product_found(p, stm, &x);
    if (found) product_put(p, &out, &x);
    else list_push(p->arena, &out, stm);
    imp_strides_forget(&p->strides);
    if (!found) panels_inside(p, stm);
    else if (p->chunks && p->chunks->body == block) p->chunks->panels = true;
  }
  *block = out;
}

void imp_pass_panels(ImpProg *prog, ImpFn *fn) {
  Panels p = {.arena = prog->arena, .fn = fn, .strides = {.arena = prog->arena, .fn = fn}};
  panels_walk(&p, fn->body);
}
