// Products: three loops, two of them parallel, one of these in strips, around sums whose operands
// each move with one of the two.
//
//   for q < rows { for i < n (strips) { for k < m { s += a[q, k] * b[k, i] } c[q, i] = s } }
//   for i < n (strips) { for q < rows { for k < m { s += a[q, k] * b[k, i] } c[q, i] = s }
//                        for r < rest { .. } }
#include "imp/vector/local.h"

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

// How many sums the body adds to, 0: it does something else.
static int sums_in(const ImpBlock *body) {
  int sums = 0;
  for (int i = 0; i < body->len; i++) {
    if (!is_pure(body->at[i]) && body->at[i]->form != IMP_STM_SET) return 0;
    sums += body->at[i]->form == IMP_STM_SET;
  }
  return sums;
}

// The loop of the sums that each iteration does; NULL: it does something else.
static ImpStm *sums_of(const ImpStm *loop) {
  if (!loop->for_.parallel || loop->for_.reds.len) return NULL;
  ImpStm *sum = one_loop(loop->for_.body, true);
  return sum && sums_in(sum->for_.body) ? sum : NULL;
}

static bool take_sum(Product *out, ImpStm *rows, ImpStm *sum) {
  if (!sum) return false;
  if (out->sum || sums_in(sum->for_.body) < 2) return true;
  out->rows = rows;
  out->sum = sum;
  return true;
}

static bool rows_of_strips(ImpStm *rows, Product *out) {
  out->strips = one_loop(rows->for_.body, false);
  return out->strips && out->strips->for_.outer_vec &&
         take_sum(out, rows, sums_of(out->strips)) && out->sum;
}

// Several loops over rows: those of the rest beside those of several at once.
static bool strips_of_rows(ImpStm *strips, Product *out) {
  const ImpBlock *body = strips->for_.body;
  out->strips = strips;
  for (int i = 0; i < body->len; i++) {
    if (is_pure(body->at[i])) continue;
    ImpStm *rows = body->at[i];
    bool plain = rows->form == IMP_STM_FOR && !rows->for_.outer_vec;
    if (!plain || !take_sum(out, rows, sums_of(rows))) return false;
  }
  return out->sum;
}

typedef struct {
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

// ---- addresses --------------------------------------------------------------------------------
typedef struct {
  const Product *product;
  ImpVar along, term;  // the counters that stay
} Around;

static bool is_address(void *state, ImpVar v) {
  const Around *a = state;
  return v.id == a->along.id || v.id == a->term.id || !is_bound_in(a->product->outer, v);
}

// e over the counters of this loop and of the loop of sums, and variables bound outside; else NULL.
static const ImpExp *address(const ProductSearch *s, const Product *x, const ImpStm *along,
                             const ImpStm *sum, const ImpExp *e) {
  Around around = {x, along->for_.var, sum->for_.var};
  return imp_exp_expand(s->arena, s->fn, e, is_address, &around);
}

const ImpExp *imp_product_column(const ProductSearch *s, const Product *x, const ProductColumn *c) {
  return address(s, x, x->strips, c->sum, c->load->load.at);
}

const ImpExp *imp_product_row(const ProductSearch *s, const Product *x, const ImpExp *e) {
  return address(s, x, x->rows, x->sum, e);
}

static bool is_near(const ImpExp *stride) {
  return !stride || imp_is_int(stride, 0) || imp_is_int(stride, 1) || imp_is_int(stride, -1);
}

static bool is_stored(ImpStm *stm, ImpVar mem);

typedef struct {
  ImpVar mem;
  bool found;
} Stored;
static void search_store(void *state, ImpBlock *block) {
  Stored *s = state;
  for (int i = 0; i < block->len && !s->found; i++) s->found = is_stored(block->at[i], s->mem);
}
static bool is_stored(ImpStm *stm, ImpVar mem) {
  Stored s = {mem, stm->form == IMP_STM_STORE && stm->store.mem.id == mem.id};
  if (!s.found) imp_each_block(stm, search_store, &s);
  return s.found;
}

// How far the load moves from one iteration of the loop to the next, and 0: it stays.
static bool moves(ProductSearch *s, const ImpStm *load, const ImpStm *loop, int64_t by) {
  const ImpExp *stride = imp_exp_stride(&s->strides, load->load.at, &loop->for_);
  return stride && imp_is_int(stride, by);
}

static bool is_far(ProductSearch *s, const ImpStm *load, const ImpStm *sum) {
  return !is_near(imp_exp_stride(&s->strides, load->load.at, &sum->for_));
}

// Neighbours for neighbouring columns, distant elements from term to term, the same for all rows.
static bool reads_columns(ProductSearch *s, const Product *x, const ImpStm *sum,
                          const ImpStm *load) {
  return moves(s, load, x->strips, 1) && is_far(s, load, sum) &&
         address(s, x, x->strips, sum, load->load.at);
}

// Distant elements from term to term, the same for all columns.
static bool reads_rows(ProductSearch *s, const Product *x, const ImpStm *load) {
  return moves(s, load, x->strips, 0) && is_far(s, load, x->sum) &&
         imp_product_row(s, x, load->load.at);
}

// ---- the loads --------------------------------------------------------------------------------
// The address of a column by the counter of the loop of several sums.
static const ImpExp *column_at(const ProductSearch *s, const Product *x, const ProductColumn *c) {
  const ImpExp **map = NEW_ARRAY(s->arena, const ImpExp *, s->fn->vars.len);
  map[c->sum->for_.var.id] = imp_var(s->arena, s->fn, x->sum->for_.var);
  return imp_exp_subst(s->arena, imp_product_column(s, x, c), map);
}

// Loads of the same elements read one panel.
static void column_found(const ProductSearch *s, Product *x, ProductColumn c) {
  c.panel = x->panels;
  for (int i = 0; i < x->columns.len && c.panel == x->panels; i++) {
    const ProductColumn *other = &x->columns.at[i];
    bool same = other->load->load.mem.id == c.load->load.mem.id &&
                imp_exp_same(column_at(s, x, other), column_at(s, x, &c));
    if (same) c.panel = other->panel;
  }
  x->panels += c.panel == x->panels;
  list_push(s->arena, &x->columns, c);
}

static void row_found(const ProductSearch *s, Product *x, ImpStm *load) {
  bool first = x->tile.len == 0;
  Prim prim = s->fn->vars.at[load->load.var.id].prim;
  if (first || s->fn->vars.at[x->tile.at[0]->load.var.id].prim == prim)
    list_push(s->arena, &x->tile, load);
}

static void loads_of(ProductSearch *s, Product *x, ImpStm *sum) {
  const ImpBlock *body = sum->for_.body;
  for (int i = 0; i < body->len; i++) {
    ImpStm *stm = body->at[i];
    if (stm->form != IMP_STM_LOAD || is_stored(x->outer, stm->load.mem)) continue;
    if (reads_columns(s, x, sum, stm)) column_found(s, x, (ProductColumn){stm, sum, 0});
    else if (sum == x->sum && reads_rows(s, x, stm)) row_found(s, x, stm);
  }
}

static bool is_outside(const Product *x, const ImpExp *bound) {
  return bound->kind == IMP_CONST || (bound->kind == IMP_VAR && !is_bound_in(x->outer, bound->var));
}

// All loops of sums are equally long, as is known outside.
static bool search_sums(ProductSearch *s, Product *x) {
  if (x->outer == x->rows) return loads_of(s, x, x->sum), true;
  const ImpBlock *body = x->strips->for_.body;
  for (int i = 0; i < body->len; i++) {
    if (body->at[i]->form != IMP_STM_FOR) continue;
    ImpStm *sum = sums_of(body->at[i]);
    if (!imp_exp_same(sum->for_.bound, x->sum->for_.bound)) return false;
    loads_of(s, x, sum);
  }
  return true;
}

bool imp_product_found(ProductSearch *s, ImpStm *outer, Product *out) {
  const struct imp_for_ *loop = &outer->for_;
  *out = (Product){.outer = outer};
  if (outer->form != IMP_STM_FOR || !loop->parallel || loop->reds.len) return false;
  if (!(loop->outer_vec ? strips_of_rows(outer, out) : rows_of_strips(outer, out))) return false;
  if (out->strips->for_.reds.len || !is_outside(out, out->strips->for_.bound)) return false;
  if (!is_outside(out, out->sum->for_.bound)) return false;
  return imp_product_row(s, out, out->rows->for_.bound) && search_sums(s, out) &&
         out->columns.len > 0;
}
