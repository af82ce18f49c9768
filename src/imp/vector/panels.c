// Panels: the columns that all rows of a product read are copied to where they lie together, and
// rows whose terms are far from each other to where they do not.
//
//   for q < rows { for i < n (strips) { for k < m { s += a[q, k] * b[k d + i] } c[q, i] = s } }
//   -->  for p < n / w {
//          for k < m { for j < w { t[k w + j] = b[k d + p w + j] } }
//          for q < rows { for j < w (strips) { for k < m { s += a[q, k] * t[k w + j] }
//                                              c[q, p w + j] = s } } }
//
// w is the width of a strip, so t stays in the cache next to the processor, whatever the distance
// d; rows of a power of two bytes would share few places there.  Each sum keeps its order.  The
// loop of strips may be the outermost as well.
//
//   a[q, k] = a'[k e + q], r of them at once:  once, in front of p,
//          for q < rows { for k < m { u[(q m + k) r + ..] = a'[k e + q r + ..] } }
//
// Few rows, or little to read, run as before: the condition is tested when the program runs.
#include "imp/vector/local.h"

enum {
  LEAST_ROWS = 4,         // iterations of the loop over rows, each perhaps several rows
  LEAST_ELEMENTS = 16384  // of b that are read
};

typedef struct {
  Arena *arena;
  ImpFn *fn;
  ProductSearch search;
  struct imp_chunks *chunks;  // the innermost one around
} Panels;

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
  const ImpExp *rounds;        // of the loop over rows
  ImpVars memory;              // by panel
  ImpVar tile;                 // the rows' copy, 0: they stay where they are
} Panel;

static const ImpExp *least(const Panels *p, int64_t bound, const ImpExp *e) {
  return imp_op(p->arena, OP_LE, PRIM_I64, imp_i64(p->arena, bound), e, NULL);
}
static const ImpExp *both(const Panels *p, const ImpExp *a, const ImpExp *b) {
  return imp_op(p->arena, OP_AND, PRIM_BOOL, a, b, NULL);
}

// Of all copies.
static const ImpExp *bytes(const Panels *p, const Product *x, const Panel *panel) {
  const ImpExp *columns = imp_mul(p->arena, panel->width, imp_i64(p->arena, 8 * x->panels));
  const ImpExp *rows = imp_mul(p->arena, panel->rounds, imp_i64(p->arena, 8 * x->tile.len));
  return imp_mul(p->arena, x->sum->for_.bound, imp_add(p->arena, columns, rows));
}

// Whether copying pays and has room.
static const ImpExp *condition(Panels *p, ImpBlock *out, const Product *x, const Panel *panel) {
  const ImpExp *m = x->sum->for_.bound, *n = x->strips->for_.bound;
  ImpVar left = fresh(p, (ImpVarInfo){.base = "left", .kind = IMP_LET, .prim = PRIM_I64});
  push(p, out, (ImpStm){.form = IMP_STM_MEMORY_LEFT,
                        .memory_left = {left, imp_i64(p->arena, INT64_MAX)}});
  const ImpExp *all = bytes(p, x, panel);
  const ImpExp *room = imp_op(p->arena, OP_LE, PRIM_I64, all, of(p, left), NULL);
  const ImpExp *large = both(p, least(p, LEAST_ROWS, panel->rounds),
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

static Prim element(const Panels *p, const ImpStm *load) {
  return p->fn->vars.at[load->load.mem.id].prim;
}

static ImpVar memory(Panels *p, ImpBlock *out, const char *base, Prim prim, const ImpExp *count) {
  ImpVar mem = fresh(
      p, (ImpVarInfo){.base = base, .kind = IMP_BLOCK, .prim = prim, .is_mem = true});
  push(p, out, (ImpStm){.form = IMP_STM_ALLOC, .alloc = {mem, count}});
  return mem;
}

static void memory_put(Panels *p, ImpBlock *out, const Product *x, Panel *panel) {
  const ImpExp *count = imp_mul(p->arena, x->sum->for_.bound, panel->width);
  for (int i = 0; i < x->columns.len; i++)
    if (x->columns.at[i].panel == panel->memory.len)
      list_push(p->arena, &panel->memory,
                memory(p, out, "panel", element(p, x->columns.at[i].load), count));
}

static void copy_element(Panels *p, ImpBlock *out, const struct imp_load *from,
                         struct imp_store to) {
  ImpVar v = fresh(
      p, (ImpVarInfo){.base = "b", .kind = IMP_LET, .prim = p->fn->vars.at[from->var.id].prim});
  to.value = of(p, v);
  push(p, out, (ImpStm){.form = IMP_STM_LOAD, .load = {v, from->mem, from->at}});
  push(p, out, (ImpStm){.form = IMP_STM_STORE, .store = to});
}

typedef struct {
  const ImpStm *loop;
  const ImpExp *now;  // in place of its counter
} Counter;

static const ImpExp *placed(const Panels *p, const ImpExp *e, Counter along, Counter term) {
  const ImpExp **map = NEW_ARRAY(p->arena, const ImpExp *, p->fn->vars.len);
  map[along.loop->for_.var.id] = along.now;
  map[term.loop->for_.var.id] = term.now;
  return imp_exp_subst(p->arena, e, map);
}

// t[k w + j] = b[.. k .. from + j ..]
static void copy_put(Panels *p, ImpBlock *out, const Product *x, const Panel *panel,
                     const ProductColumn *c) {
  struct imp_for_ *terms = loop(p, out, "k", x->sum->for_.bound);
  struct imp_for_ *columns = loop(p, terms->body, "j", panel->columns);
  const ImpExp *k = of(p, terms->var), *j = of(p, columns->var);
  terms->parallel = columns->parallel = true;
  const ImpExp *to = imp_add(p->arena, imp_mul(p->arena, k, panel->width), j);
  Counter column = {x->strips, imp_add(p->arena, panel->from, j)};
  struct imp_load from = c->load->load;
  from.at = placed(p, imp_product_column(&p->search, x, c), column, (Counter){c->sum, k});
  copy_element(p, columns->body, &from, (struct imp_store){panel->memory.at[c->panel], to, NULL});
}

// Where the first of the rows that are done at once has its term k.
static const ImpExp *tile_at(const Panels *p, const Product *x, const ImpExp *q, const ImpExp *k) {
  const ImpExp *term = imp_add(p->arena, imp_mul(p->arena, q, x->sum->for_.bound), k);
  return imp_mul(p->arena, term, imp_i64(p->arena, x->tile.len));
}

// u[(q m + k) r + ..] = a[.. q .. k ..]
static void tile_put(Panels *p, ImpBlock *out, const Product *x, Panel *panel) {
  if (x->tile.len == 0) return;
  panel->tile = memory(p, out, "tile", element(p, x->tile.at[0]),
                       tile_at(p, x, panel->rounds, imp_i64(p->arena, 0)));
  struct imp_for_ *each = loop(p, out, "q", panel->rounds);
  struct imp_for_ *terms = loop(p, each->body, "k", x->sum->for_.bound);
  each->parallel = terms->parallel = true;
  const ImpExp *q = of(p, each->var), *k = of(p, terms->var), *first = tile_at(p, x, q, k);
  for (int r = 0; r < x->tile.len; r++) {
    struct imp_load from = x->tile.at[r]->load;
    const ImpExp *at = imp_product_row(&p->search, x, from.at);
    from.at = placed(p, at, (Counter){x->rows, q}, (Counter){x->sum, k});
    at = imp_add(p->arena, first, imp_i64(p->arena, r));
    copy_element(p, terms->body, &from, (struct imp_store){panel->tile, at, NULL});
  }
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

// The loads read the copies.
static void loads_put(Panels *p, const Product *x, const Panel *panel) {
  for (int i = 0; i < x->columns.len; i++) {
    const ProductColumn *c = &x->columns.at[i];
    const ImpExp *row = imp_mul(p->arena, of(p, c->sum->for_.var), panel->width);
    c->load->load.mem = panel->memory.at[c->panel];
    c->load->load.at = imp_add(p->arena, row, of(p, x->strips->for_.var));
  }
  const ImpExp *q = of(p, x->rows->for_.var), *k = of(p, x->sum->for_.var);
  for (int r = 0; r < x->tile.len; r++) {
    struct imp_load *load = &x->tile.at[r]->load;
    load->mem = panel->tile;
    load->at = imp_add(p->arena, tile_at(p, x, q, k), imp_i64(p->arena, r));
  }
}

// The nest again, with loads from the copies.
static void rows_put(Panels *p, ImpBlock *out, const Product *x, const Panel *panel) {
  ImpStm *outer = imp_stm_clone(p->arena, p->fn, x->outer);
  Product mine;
  imp_strides_forget(&p->search.strides);
  check(imp_product_found(&p->search, outer, &mine) && mine.columns.len == x->columns.len &&
        mine.tile.len == x->tile.len);
  strips_put(p, &mine, panel);
  loads_put(p, &mine, panel);
  list_push(p->arena, out, outer);
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
  for (int i = 0, next = 0; i < x->columns.len; i++) {
    if (x->columns.at[i].panel != next) continue;
    copy_put(p, each->body, x, panel, &x->columns.at[i]);
    next++;
  }
  rows_put(p, each->body, x, panel);
}

static void product_put(Panels *p, ImpBlock *out, const Product *x) {
  Panel panel = {.width = width_put(p, out, x)};
  panel.rounds = let(p, out, "rounds", imp_product_row(&p->search, x, x->rows->for_.bound));
  struct imp_if_ choice = {.cond = condition(p, out, x, &panel)};
  choice.then = NEW(p->arena, ImpBlock);
  choice.other = NEW(p->arena, ImpBlock);
  memory_put(p, choice.then, x, &panel);
  tile_put(p, choice.then, x, &panel);
  panels_put(p, choice.then, x, &panel);
  list_push(p->arena, choice.other, x->outer);
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
    bool found = stm->form == IMP_STM_FOR && imp_product_found(&p->search, stm, &x);
    if (found) product_put(p, &out, &x);
    else list_push(p->arena, &out, stm);
    imp_strides_forget(&p->search.strides);
    if (!found) panels_inside(p, stm);
    else if (p->chunks && p->chunks->body == block) p->chunks->panels = true;
  }
  *block = out;
}

void imp_pass_panels(ImpProg *prog, ImpFn *fn) {
  Panels p = {.arena = prog->arena, .fn = fn};
  p.search = (ProductSearch){prog->arena, fn, {.arena = prog->arena, .fn = fn}};
  panels_walk(&p, fn->body);
}
