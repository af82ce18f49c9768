// The combinators that take a loop's place: a map of its iterations, in a `withacc` where there are
// accumulators, and then the statements that make the loop's results of the map's.
#include "loops.h"

typedef struct {
  Loop *s;
  ParamClass *classes;
  int n;
  Builder *b;
  Atom width;
  Atom *made;   // by parameter: its first result of the map
} Emit;

// Its results of the map.
static int results_of(const ParamClass *c) {
  int written = 0;
  if (c->kind == CLASS_STORE) return c->slice.len + 1;
  for (int j = 0; j < c->parts.len; j++) written += c->parts.at[j].written;
  return c->kind == CLASS_PARTS ? written : c->kind != CLASS_COUNT;
}

static Atom init_of(const Emit *m, int k) { return m->s->l->inits.at[k]; }

// ---- cells
static int rank_of(const ParamClass *c, int before) {
  int n = 0;
  for (int d = 0; d < before; d++) n += d >= c->slice.len || !c->slice.at[d].is_fix;
  return n;
}

// The slice of all iterations.
static Slice all_cells(Emit *m, const ParamClass *c) {
  Slice all = slice_copy(m->b->prog->arena, c->slice);
  SliceDim *axis = &all.at[c->axis];
  axis->count = c->blocks ? build_op(m->b, OP_MUL, m->width, axis->count) : m->width;
  return all;
}

static bool is_whole(const Emit *m, const Slice *all, Atom array) {
  for (int d = 0; d < all->len; d++)
    if (!slicedim_is_full(all->at[d], dim_at(m->b->prog, array, d))) return false;
  return true;
}

static Type rows_type(const Emit *m, const ParamClass *c) {
  return type_array(m->b->prog->arena, c->cell, m->width);
}

// The dimension of the iterations moves to the front; back: from there to its place.
static Atom transposed(Emit *m, const ParamClass *c, Atom rows, bool back) {
  int perm[16], at = rank_of(c, c->axis), rank = atom_type(m->b->prog, rows).rank;
  if (at == 0) return rows;
  for (int d = 0; d < rank; d++) {
    if (back) perm[d] = d < at ? d + 1 : d == at ? 0 : d;
    else perm[d] = d == 0 ? at : d <= at ? d - 1 : d;
  }
  return build_rearrange(m->b, rows, perm);
}

static Type slice_type(const Emit *m, const Slice *all, Type array) {
  Atoms dims = {0};
  Arena *arena = m->b->prog->arena;
  for (int d = 0; d < array.rank; d++)
    if (d >= all->len) list_push(arena, &dims, array.dims[d]);
    else if (!all->at[d].is_fix) list_push(arena, &dims, all->at[d].count);
  return type_array_dims(arena, type_scalar(array.prim), dims);
}

static Atom shaped(Emit *m, Atom array, Type t) {
  Exp exp = {.form = FORM_RESHAPE, .reshape = {.array = array}};
  exp.reshape.dims = atoms_of(m->b->prog->arena, t.rank, t.dims);
  return build(m->b, NULL, t, exp);
}

static void unchecked(Emit *m, bool yes) { m->b->attrs = (Attrs){.unchecked = yes}; }

static Atom old_cells(Emit *m, const ParamClass *c, Atom array) {
  Slice all = all_cells(m, c);
  Atom rows = array;
  unchecked(m, true);
  if (!is_whole(m, &all, array)) {
    Exp exp = {.form = FORM_INDEX, .index = {array, all}};
    rows = build(m->b, NULL, slice_type(m, &all, atom_type(m->b->prog, array)), exp);
  }
  rows = c->blocks ? shaped(m, rows, rows_type(m, c)) : transposed(m, c, rows, false);
  unchecked(m, false);
  return rows;
}

static Atom with_cells(Emit *m, const ParamClass *c, Atom array, Atom rows) {
  Slice all = all_cells(m, c);
  Type t = atom_type(m->b->prog, array);
  unchecked(m, true);
  rows = c->blocks ? shaped(m, rows, slice_type(m, &all, t)) : transposed(m, c, rows, true);
  if (!is_whole(m, &all, array)) {
    Exp exp = {.form = FORM_UPDATE, .update = {array, all, rows}};
    rows = build(m->b, NULL, t, exp);
  }
  unchecked(m, false);
  return rows;
}

// The first iteration whose index is not good fails as it would have in the loop: b, or the first
// number a i + b outside.
static void check_cells(Emit *m, const ParamClass *c, Atom whole) {
  if (!c->checked) return;
  Builder *b = m->b;
  b->loc = c->checked->loc;
  Type array = atom_type(b->prog, whole);
  Atoms first = {0}, last = {0}, at = {0};
  for (int d = 0; d < c->slice.len; d++) {
    const SliceDim *dim = &c->slice.at[d];
    Atom end = dim->start, fails = dim->start;
    if (d == c->axis) {
      Atom trips = build_op(b, OP_SUB, m->width, atom_i64(1));
      end = build_op(b, OP_ADD, dim->start, build_op(b, OP_MUL, trips, dim->stride));
      fails = dim->stride.value.i > 0 ? array.dims[d] : atom_i64(-1);
    }
    list_push(b->prog->arena, &first, dim->start);
    list_push(b->prog->arena, &last, end);
    list_push(b->prog->arena, &at, fails);
  }
  Atom begins = build_in_bounds(b, first, &array), ends = build_in_bounds(b, last, &array);
  Atom none = build_op(b, OP_EQ, m->width, atom_i64(0));
  Atom ok = build_op(b, OP_OR, none, build_op(b, OP_AND, begins, ends));
  for (int d = 0; d < at.len; d++)
    at.at[d] = build_select(b, begins, at.at[d], first.at[d]);
  emit_bounds(b, ok, at, &array);
}

// ---- parts
static void check_parts(Emit *m, int k) {
  ParamClass *c = &m->classes[k];
  if (c->kind == CLASS_CELLS) check_cells(m, c, init_of(m, k));
  for (int j = 0; j < c->parts.len; j++) check_cells(m, &c->parts.at[j], init_of(m, k));
}

static void old_parts(Emit *m, int k, Atoms *inputs, Vars *olds) {
  ParamClass *c = &m->classes[k];
  for (int j = 0; j < c->parts.len; j++) {
    ParamClass *part = &c->parts.at[j];
    if (!part->read) continue;
    part->old = var_new(m->b->prog, var_info(m->b->prog, c->family->p)->base, part->cell);
    list_push(m->b->prog->arena, inputs, old_cells(m, part, init_of(m, k)));
    list_push(m->b->prog->arena, olds, part->old);
  }
}

static Atom with_parts(Emit *m, int k) {
  const ParamClass *c = &m->classes[k];
  Atom array = init_of(m, k);
  uint32_t at = m->made[k].var.id;
  for (int j = 0; j < c->parts.len; j++) {
    const ParamClass *part = &c->parts.at[j];
    if (part->written) array = with_cells(m, part, array, atom_var((Var){at++}));
  }
  return array;
}

// ---- folds
static void fold_result(Emit *m, const Stm *stm, int k) {
  const ParamClass *c = &m->classes[k];
  Builder *b = m->b;
  Exp exp = {.form = FORM_REDUCE, .reduce = {.width = m->width, .comm = true}};
  exp.reduce.op = lambda_binop(b->prog, c->op, c->cell.prim);
  Atom neutral = fold_neutral(c->op, c->cell.prim);
  exp.reduce.neutral = atoms_of(b->prog->arena, 1, &neutral);
  exp.reduce.inputs = atoms_of(b->prog->arena, 1, &m->made[k]);
  Atom sum = build(b, var_info(b->prog, stm->bound.at[k])->base, c->cell, exp);
  m->made[k] = build_op(b, c->op, init_of(m, k), sum);
}

// ---- the best with what goes along
static Atom best_neutral(const Emit *m, int leader, int k) {
  const ParamClass *c = &m->classes[k];
  return k == leader ? fold_neutral(c->op, c->cell.prim) : init_of(m, k);
}

static bool is_of(const Emit *m, int leader, int k) {
  return m->classes[k].kind == CLASS_BEST && m->classes[k].leader == leader;
}

// Which of two the loop would keep: x where it is better than what was there.
static Atom is_better(Builder *b, const ParamClass *c, Atom was, Atom x) {
  return c->second ? build_op(b, OP_LT, x, was) : build_op(b, OP_LT, was, x);
}

static Lambda *best_operator(Emit *m, int leader) {
  Types types = {0};
  Arena *arena = m->b->prog->arena;
  for (int twice = 0; twice < 2; twice++)
    for (int k = 0; k < m->n; k++)
      if (is_of(m, leader, k)) list_push(arena, &types, m->classes[k].cell);
  LambdaBuilder lb = lambda_begin(m->b, "best", types);
  Atoms p = atoms_of_vars(arena, lb.lambda->params), results = {0};
  int half = p.len / 2, at = 0;
  for (int k = 0; k < leader; k++) at += is_of(m, leader, k);
  Atom better = is_better(&lb.inner, &m->classes[leader], p.at[at], p.at[half + at]);
  for (int i = 0; i < half; i++)
    list_push(arena, &results, build_select(&lb.inner, better, p.at[half + i], p.at[i]));
  return lambda_end(&lb, results);
}

static void best_results(Emit *m, int leader) {
  Builder *b = m->b;
  Arena *arena = b->prog->arena;
  Exp exp = {.form = FORM_REDUCE, .reduce = {.width = m->width}};
  exp.reduce.op = best_operator(m, leader);
  Types types = {0};
  for (int k = 0; k < m->n; k++) {
    if (!is_of(m, leader, k)) continue;
    list_push(arena, &exp.reduce.neutral, best_neutral(m, leader, k));
    list_push(arena, &exp.reduce.inputs, m->made[k]);
    list_push(arena, &types, m->classes[k].cell);
  }
  Vars best = build_many(b, "best", types, exp);
  int at = 0, lead = 0;
  bool plain = atom_same(init_of(m, leader), best_neutral(m, leader, leader));
  for (int k = 0; k < leader; k++) lead += is_of(m, leader, k);
  Atom better = is_better(b, &m->classes[leader], init_of(m, leader), atom_var(best.at[lead]));
  for (int k = 0; k < m->n; k++)
    if (is_of(m, leader, k))
      m->made[k] = build_select(b, plain ? atom_bool(true) : better, atom_var(best.at[at++]),
                                init_of(m, k));
}

// ---- stores: the map gives indices and a value
static void store_result(Emit *m, int k) {
  const ParamClass *c = &m->classes[k];
  Builder *b = m->b;
  Types rows = {0};
  Exp exp = {.form = FORM_SCATTER, .scatter = {.width = m->width, .rank = c->slice.len}};
  for (int d = 0; d < c->slice.len; d++)
    list_push(b->prog->arena, &rows, type_scalar(PRIM_I64));
  list_push(b->prog->arena, &rows, c->cell);
  for (int i = 0; i < rows.len; i++) {
    Var made = {m->made[k].var.id + (uint32_t)i};
    list_push(b->prog->arena, &exp.scatter.inputs, atom_var(made));
  }
  Atom dest = init_of(m, k);
  exp.scatter.dests = atoms_of(b->prog->arena, 1, &dest);
  exp.scatter.fn = lambda_identity(b->prog, rows);
  m->made[k] = build(b, NULL, atom_type(b->prog, dest), exp);
}

// ---- the map
static bool is_array_of_map(ParamKind kind) { return kind == CLASS_FOLD || kind == CLASS_BEST; }

// Parameters that the map does not get: neutral elements, and counts in closed form.
static void first_params(Emit *m, Stms *stms) {
  Builder inside = builder_new(m->b->prog, stms);
  for (int k = 0; k < m->n; k++) {
    const ParamClass *c = &m->classes[k];
    if (!is_array_of_map(c->kind) && c->kind != CLASS_COUNT) continue;
    Atom neutral = atom_i64(0);
    if (c->kind == CLASS_FOLD) neutral = fold_neutral(c->op, c->cell.prim);
    else if (c->kind == CLASS_BEST) neutral = best_neutral(m, c->leader, k);
    else neutral = count_after(&inside, c, init_of(m, k), atom_var(m->s->i));
    Stm stm = {.exp = {.form = FORM_ATOM, .atom = {neutral}}};
    list_push(m->b->prog->arena, &stm.bound, loop_param(m->s, k));
    list_push(m->b->prog->arena, stms, stm);
  }
}

static void add_results(Emit *m, Lambda *fn, int k, Types *types) {
  const ParamClass *c = &m->classes[k];
  Prog *prog = m->b->prog;
  if (c->kind == CLASS_COUNT) return;
  for (int j = 0; j < c->made.len; j++) {
    list_push(prog->arena, &fn->body.results, c->made.at[j]);
    list_push(prog->arena, types, type_array(prog->arena, c->parts.at[0].cell, m->width));
  }
  if (c->kind == CLASS_PARTS) return;
  Atom r = m->s->l->fn->body.results.at[k];
  int places = 0;
  if (c->kind == CLASS_STORE) {
    const struct update_form *u = &loop_def(m->s, r)->exp.update;
    for (; places < u->slice.len; places++) {
      list_push(prog->arena, &fn->body.results, u->slice.at[places].start);
      list_push(prog->arena, types, type_array(prog->arena, type_scalar(PRIM_I64), m->width));
    }
    r = u->value;
  }
  list_push(prog->arena, &fn->body.results, r);
  bool acc = c->cell.is_acc;
  list_push(prog->arena, types, acc ? c->cell : type_array(prog->arena, c->cell, m->width));
}

static Lambda *map_lambda(Emit *m, const Vars *olds, Types *types) {
  Prog *prog = m->b->prog;
  Lambda *fn = NEW(prog->arena, Lambda);
  list_push(prog->arena, &fn->params, m->s->i);
  for (int i = 0; i < olds->len; i++) list_push(prog->arena, &fn->params, olds->at[i]);
  first_params(m, &fn->body.stms);
  Stms body = m->s->l->fn->body.stms;
  for (int i = 0; i < body.len; i++) list_push(prog->arena, &fn->body.stms, body.at[i]);
  for (int k = 0; k < m->n; k++) add_results(m, fn, k, types);
  fn->rets = types_of_atoms(prog, fn->body.results);
  return fn;
}

static void emit_map(Emit *m, Atoms inputs, const Vars *olds) {
  Types types = {0};
  Atom iota = build_iota(m->b, m->width);
  Exp exp = {.form = FORM_MAP, .map = {.width = m->width}};
  exp.map.inputs = atoms_concat(m->b->prog->arena, atoms_of(m->b->prog->arena, 1, &iota), inputs);
  exp.map.fn = map_lambda(m, olds, &types);
  Vars made = build_many(m->b, "t", types, exp);
  int at = 0;
  for (int k = 0; k < m->n; k++) {
    if (results_of(&m->classes[k])) m->made[k] = atom_var(made.at[at]);
    at += results_of(&m->classes[k]);
  }
}

// ---- accumulators
static void acc_add(Emit *m, int k, struct withacc_form *w) {
  Prog *prog = m->b->prog;
  Type t = atom_type(prog, init_of(m, k));
  t.unique = false;
  t.is_acc = true;
  t.index_rank = t.rank;
  Var acc = var_new(prog, "acc", t);
  prog->vars.at[acc.id].type.token = acc;
  m->classes[k].cell = var_type(prog, acc);
  Operator op = {.op = lambda_binop(prog, OP_ADD, t.prim), .comm = true};
  list_push(prog->arena, &op.neutral, atom_number(t.prim, 0));
  list_push(prog->arena, &w->ranks, t.rank);
  list_push(prog->arena, &w->ops, op);
  list_push(prog->arena, &w->arrays, init_of(m, k));
  list_push(prog->arena, &w->fn->params, acc);
}

// The results of `withacc`: its accumulators' arrays first.
static void end_withacc(Emit *m, struct withacc_form w) {
  Arena *arena = m->b->prog->arena;
  Types types = {0};
  Atoms others = {0};
  for (int k = 0; k < m->n; k++) {
    if (m->classes[k].kind != CLASS_ADDS) continue;
    list_push(arena, &w.fn->body.results, m->made[k]);
    list_push(arena, &types, atom_type(m->b->prog, init_of(m, k)));
  }
  for (int k = 0; k < m->n; k++) {
    if (m->classes[k].kind == CLASS_ADDS) continue;
    for (int i = 0; i < results_of(&m->classes[k]); i++) {
      Var v = {m->made[k].var.id + (uint32_t)i};
      list_push(arena, &others, atom_var(v));
      list_push(arena, &types, var_type(m->b->prog, v));
    }
  }
  w.fn->body.results = atoms_concat(arena, w.fn->body.results, others);
  w.fn->rets = types_of_atoms(m->b->prog, w.fn->body.results);
  Vars out = build_many(m->b, "t", types, (Exp){.form = FORM_WITHACC, .withacc = w});
  int adds = 0, rest = w.arrays.len;
  for (int k = 0; k < m->n; k++) {
    bool is_add = m->classes[k].kind == CLASS_ADDS;
    if (results_of(&m->classes[k])) m->made[k] = atom_var(out.at[is_add ? adds++ : rest]);
    if (!is_add) rest += results_of(&m->classes[k]);
  }
}

static Atom width_of(Env *e, Atom bound) {
  if (atom_nonneg(e, bound)) return bound;
  int from = e->to.stms->len;
  Atom width = build_op(&e->to, OP_MAX, bound, atom_i64(0));
  env_register(e, from);
  return width;
}

// Inputs and parameters of the map, after its counter.
static void map_inputs(Emit *m, Atoms *inputs, Vars *olds, const struct withacc_form *w) {
  Arena *arena = m->b->prog->arena;
  int adds = 0;
  for (int k = 0; k < m->n; k++) {
    ParamKind kind = m->classes[k].kind;
    if (kind == CLASS_PARTS) old_parts(m, k, inputs, olds);
    if (kind == CLASS_CELLS)
      list_push(arena, inputs, old_cells(m, &m->classes[k], init_of(m, k)));
    else if (kind == CLASS_ADDS) list_push(arena, inputs, atom_var(w->fn->params.at[adds++]));
    else if (kind == CLASS_ACC) list_push(arena, inputs, init_of(m, k));
    else continue;
    list_push(arena, olds, loop_param(m->s, k));
  }
}

static void emit_results(Emit *m, const Stm *stm) {
  for (int k = 0; k < m->n; k++) {
    const ParamClass *c = &m->classes[k];
    if (c->kind == CLASS_FOLD) fold_result(m, stm, k);
    if (c->kind == CLASS_BEST && c->leader == k) best_results(m, k);
    if (c->kind == CLASS_COUNT) m->made[k] = count_after(m->b, c, init_of(m, k), m->width);
    if (c->kind == CLASS_CELLS) m->made[k] = with_cells(m, c, init_of(m, k), m->made[k]);
    if (c->kind == CLASS_PARTS) m->made[k] = with_parts(m, k);
    if (c->kind == CLASS_STORE) store_result(m, k);
  }
  for (int k = 0; k < m->n; k++) {
    Stm name = {.exp = {.form = FORM_ATOM, .atom = {m->made[k]}}, .loc = stm->loc};
    list_push(m->b->prog->arena, &name.bound, stm->bound.at[k]);
    build_stm(m->b, name);
  }
}

void loop_replace(Loop *s, Stm *stm, ParamClass *classes) {
  Env *e = s->e;
  Builder *outer = &e->to, inner = e->to;
  Emit m = {s, classes, s->l->inits.len, outer, width_of(e, s->l->bound), NULL};
  m.made = NEW_ARRAY(e->scratch, Atom, m.n + 1);
  struct withacc_form w = {.fn = NEW(e->arena, Lambda)};
  Atoms inputs = {0};
  Vars olds = {0};
  for (int k = 0; k < m.n; k++) {
    check_parts(&m, k);
    if (classes[k].kind == CLASS_ADDS) acc_add(&m, k, &w);
  }
  outer->loc = stm->loc;
  map_inputs(&m, &inputs, &olds, &w);
  body_rewrite(s, classes);
  if (w.arrays.len) {
    inner.stms = &w.fn->body.stms;
    m.b = &inner;
  }
  emit_map(&m, inputs, &olds);
  m.b = outer;
  if (w.arrays.len) end_withacc(&m, w);
  emit_results(&m, stm);
}
