// Arrays that are one-hot are not stored: where an element is read it is the choice itself.
//
//   (map n (\j -> select (j == i, v, 0)))[k]              is   select (k == i, v, 0)
//   map m (\c -> .. c ..) (map m (\l -> map n (\j -> select ..)))    likewise, row by row
//
//   replicate n z with [e] = v, read at k or by a lambda      is   select (k == e, v, z)
//
//   (map n (\j -> select (j == i, v, 0)))[s : c : t]
//     is   map c (\k -> select (s + k t == i, v, 0))
//
// A transposition, written with indices, of one is what that transposes:
//
//   map n (\k -> map m (\c -> c[k]) t), t = map m (\l -> map n (\r -> r[l]) a), a : [n][m]
//     is   copy a
#include "onehot.h"

enum { MOST_STMS = 8 };

static bool is_choice_body(const Body *body, bool *zero);

// By few instructions, of floats.
static bool makes_float(const Exp *x) {
  return x->form == FORM_PRIM && prim_is_float(op_result(x->prim.op, x->prim.prim)) &&
         exp_is_cheap(x);
}

// Integers, conditions, choices and maps of these, and floats of few operations.
static bool is_choice_stm(const Stm *stm, bool *zero) {
  const Exp *x = &stm->exp;
  if (x->form == FORM_CONV) return *zero = true;
  if (x->form == FORM_MAP)
    return x->map.fn->rets.len == 1 && is_choice_body(&x->map.fn->body, zero);
  if (x->form != FORM_PRIM) return false;
  if (x->prim.op == OP_SELECT) {
    *zero = *zero || (!x->prim.args.at[2].is_var && atom_is(x->prim.args.at[2], 0));
    return true;
  }
  if (x->prim.prim == PRIM_BOOL) return true;
  return (x->prim.prim == PRIM_I64 || makes_float(x)) && !op_may_fail(x->prim.op, x->prim.prim);
}

// No result is a float that is computed: floats are made for a choice.
static bool are_choices(const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    bool computed = makes_float(&stm->exp) && stm->exp.prim.op != OP_SELECT;
    for (int k = 0; k < body->results.len && computed; k++)
      if (atom_is_var(body->results.at[k], stm->bound.at[0])) return false;
  }
  return true;
}

// A conversion there is of a condition or a choice: 1 or 0.
static bool is_choice_body(const Body *body, bool *zero) {
  if (body->stms.len > MOST_STMS) return false;
  for (int i = 0; i < body->stms.len; i++)
    if (!is_choice_stm(&body->stms.at[i], zero)) return false;
  return are_choices(body);
}

static bool all_shared(Env *e, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++)
    if (atom_type(e->prog, atoms.at[i]).is_acc || !env_shared(e, atoms.at[i])) return false;
  return true;
}

static bool are_onehot(Env *e, const Stm *def) {
  bool zero = false;
  if (!def || def->exp.form != FORM_MAP || def->attrs.opaque) return false;
  const struct map_form *m = &def->exp.map;
  return is_choice_body(&m->fn->body, &zero) && zero && all_shared(e, m->inputs) &&
         prog_may(e->prog, SWITCH_HOT_ARRAYS);
}

static bool is_onehot(Env *e, const Stm *def) {
  return def && def->bound.len == 1 && are_onehot(e, def);
}

static bool tests_alike(Env *e, const Stm *stm, Atom at, Atom dim) {
  const struct index_form *y = &stm->exp.index;
  if (stm->exp.form != FORM_INDEX || stm->attrs.unchecked || !y->slice.at[0].is_fix) return false;
  if (!atom_same(env_atom(e, y->slice.at[0].start), at) || env_unused(e, stm->bound.at[0]))
    return false;
  return atom_same(env_atom(e, dim_at(e->prog, y->array, 0)), dim);
}

static bool any_tests_alike(Env *e, const Stms *stms, Atom at, Atom dim) {
  for (int i = stms ? stms->len - 1 : -1; i >= 0; i--)
    if (tests_alike(e, &stms->at[i], at, dim)) return true;
  return false;
}

// A statement before it, in this body or one around, whose result is read, makes the same test.
static bool is_tested(Env *e, const struct index_form *x) {
  Atom dim = env_atom(e, dim_at(e->prog, x->array, 0)), at = x->slice.at[0].start;
  if (any_tests_alike(e, e->to.stms, at, dim)) return true;
  for (int i = e->around.len - 1; i >= 0; i--)
    if (any_tests_alike(e, e->around.at[i], at, dim)) return true;
  return false;
}

// ---- one cell written in an array of equal elements: its values, whatever becomes of its memory.
// A write that may fail stays.
typedef struct {
  Atom at, value, otherwise;
} HotCell;

static bool is_hot_cell(Env *e, Atom a, HotCell *out) {
  const Stm *def = env_def_as(e, a, FORM_UPDATE);
  if (!def || atom_type(e->prog, a).rank != 1 || !def->exp.update.slice.at[0].is_fix) return false;
  const Stm *old = env_def_as(e, def->exp.update.array, FORM_REPLICATE);
  if (!old || old->exp.replicate.arg.is_var) return false;
  Atom at = def->exp.update.slice.at[0].start;
  if (!def->attrs.unchecked && !index_in_range(e, at, dim_at(e->prog, a, 0))) return false;
  *out = (HotCell){at, def->exp.update.value, old->exp.replicate.arg};
  return true;
}

static Atom hot_cell_at(Builder *b, const HotCell *c, Atom at) {
  return build_select(b, build_op(b, OP_EQ, at, c->at), c->value, c->otherwise);
}

static bool pull_cell(Env *e, Stm *stm) {
  const struct index_form *x = &stm->exp.index;
  HotCell c;
  if (!is_hot_cell(e, x->array, &c) || !x->slice.at[0].is_fix) return false;
  Atom at = x->slice.at[0].start;
  bool safe = stm->attrs.unchecked || index_in_range(e, at, dim_at(e->prog, x->array, 0));
  if (!safe || !prog_may(e->prog, SWITCH_HOT_ARRAYS)) return false;
  int from = e->to.stms->len;
  Atom out = hot_cell_at(&e->to, &c, at);
  env_register(e, from);
  return env_replace(e, stm, out);
}

bool onehot_pull(Env *e, Stm *stm) {
  struct index_form *x = &stm->exp.index;
  if (pull_cell(e, stm)) return true;
  const Stm *def = env_def_as(e, x->array, FORM_MAP);
  if (!is_onehot(e, def) || !x->slice.len) return false;
  const struct map_form *m = &def->exp.map;
  SliceDim first = x->slice.at[0];
  bool safe = stm->attrs.unchecked || (first.is_fix && index_in_range(e, first.start, m->width));
  if (!first.is_fix || (!safe && !is_tested(e, x))) return false;
  Stms copy = {0};
  Builder b = builder_new(e->prog, &copy);
  b.loc = stm->loc;
  Body body = {.results = lambda_inline(&b, m->fn, onehot_rows(e, &b, &m->inputs, first.start))};
  body.stms = copy;
  env_use_body(e, &body);
  simplify_stms_of(e, copy);
  Atom row = env_atom(e, body.results.at[0]);
  Slice rest = {0};
  for (int d = 1; d < x->slice.len; d++) list_push(e->arena, &rest, x->slice.at[d]);
  if (rest.len == 0) return env_replace(e, stm, row);
  return env_become(e, stm, (Exp){.form = FORM_INDEX, .index = {row, rest}});
}

// eye[:, i]: a map of the elements i of the rows.
bool onehot_columns(Env *e, Stm *stm) {
  struct index_form *x = &stm->exp.index;
  const Stm *def = env_def_as(e, x->array, FORM_MAP);
  if (!is_onehot(e, def) || x->slice.len < 2) return false;
  const struct map_form *m = &def->exp.map;
  if (!slicedim_is_full(x->slice.at[0], m->width)) return false;
  for (int d = 1; d < x->slice.len; d++) {
    SliceDim at = x->slice.at[d];
    bool safe = stm->attrs.unchecked ||
                (at.is_fix && index_in_range(e, at.start, dim_at(e->prog, x->array, d)));
    if (!at.is_fix || !safe) return false;
  }
  LambdaBuilder lb = lambda_begin(&e->to, "x", types_of_vars(e->prog, m->fn->params));
  Atoms row = lambda_inline(&lb.inner, m->fn, atoms_of_vars(e->arena, lb.lambda->params));
  Atoms at = {0};
  for (int d = 1; d < x->slice.len; d++) list_push(e->arena, &at, x->slice.at[d].start);
  Atom element = build_index(&lb.inner, row.at[0], at);
  Lambda *fn = lambda_end(&lb, atoms_of(e->arena, 1, &element));
  Exp map = {.form = FORM_MAP, .map = {.width = m->width, .fn = fn, .inputs = m->inputs}};
  Body body = {.stms = {0}};
  list_push(e->arena, &body.stms, stm_like(stm, map));
  body.stms.at[0].bound = stm->bound;
  body.stms.at[0].attrs.unchecked = false;
  env_use_body(e, &body);
  simplify_stms_of(e, body.stms);
  e->changed = true;
  return true;
}

// (map n (\j -> ..))[s : c : t]: the elements s + k t.
bool onehot_part(Env *e, Stm *stm) {
  struct index_form *x = &stm->exp.index;
  const Stm *def = env_def_as(e, x->array, FORM_MAP);
  if (!is_onehot(e, def) || x->slice.len != 1 || !stm->attrs.unchecked) return false;
  SliceDim part = x->slice.at[0];
  if (part.is_fix || atom_type(e->prog, x->array).rank != 1) return false;
  Stms stms = {0};
  Builder b = builder_new(e->prog, &stms);
  b.loc = stm->loc;
  Atom iota = build_iota(&b, part.count);
  Types count = {0};
  list_push(e->arena, &count, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(&b, "k", count);
  Atom k = build_op(&lb.inner, OP_MUL, atom_var(lb.lambda->params.at[0]), part.stride);
  Atom at = build_op(&lb.inner, OP_ADD, k, part.start);
  Atoms args = onehot_rows(e, &lb.inner, &def->exp.map.inputs, at);
  Atoms element = lambda_inline(&lb.inner, def->exp.map.fn, args);
  Lambda *fn = lambda_end(&lb, element);
  Exp map = {.form = FORM_MAP, .map = {.width = part.count, .fn = fn,
                                       .inputs = atoms_of(e->arena, 1, &iota)}};
  build(&b, "part", exp_types(e->prog, &map).at[0], map);
  stms.at[stms.len - 1].bound = stm->bound;
  env_use_body(e, &(Body){.stms = stms});
  simplify_stms_of(e, stms);
  return e->changed = true;
}

// ---- rows
static Var counter(Env *e, Atom width, Lambda *fn, Atoms *inputs) {
  for (int i = 0; i < inputs->len; i++) {
    const Stm *def = env_def_as(e, inputs->at[i], FORM_IOTA);
    if (def && exp_counts(e->prog, &def->exp)) return fn->params.at[i];
  }
  Var j = var_new(e->prog, "j", type_scalar(PRIM_I64));
  int from = e->to.stms->len;
  list_push(e->arena, inputs, build_iota(&e->to, width));
  env_register(e, from);
  list_push(e->arena, &fn->params, j);
  return j;
}

// An element of the input: of a one-hot map, or of one cell that was written.
static bool element_at(Env *e, Builder *b, Atom input, Atom at, Atom *out) {
  HotCell c;
  const Stm *def = env_def_as(e, input, FORM_MAP);
  if (is_hot_cell(e, input, &c)) {
    *out = hot_cell_at(b, &c, at);
    return true;
  }
  if (!def) return false;
  Atoms args = onehot_rows(e, b, &def->exp.map.inputs, at);
  int result = env_fact(e, env_atom(e, input).var)->result;
  *out = lambda_inline(b, def->exp.map.fn, args).at[result];
  return true;
}

static bool is_hot_input(Env *e, Atom input, Var param) {
  HotCell c;
  if (is_hot_cell(e, input, &c)) return prog_may(e->prog, SWITCH_HOT_ARRAYS);
  const Stm *def = env_def_as(e, input, FORM_MAP);
  return are_onehot(e, def) && env_shared(e, atom_var(param));
}

void onehot_inputs(Env *e, Atom width, Lambda *fn, Atoms *inputs) {
  for (int i = inputs->len - 1; i >= 0; i--) {
    Var p = fn->params.at[i];
    Atom element;
    if (!is_hot_input(e, inputs->at[i], p)) continue;
    Atom input = inputs->at[i], at = atom_var(counter(e, width, fn, inputs));
    Stms stms = {0};
    Builder b = builder_new(e->prog, &stms);
    b.loc = e->to.loc;
    check(element_at(e, &b, input, at, &element));
    Body body = {.results = atoms_of(e->arena, 1, &element)};
    body.stms = stms;
    env_use_body(e, &body);
    env_bind(e, p, body.results.at[0]);
    for (int k = 0; k < fn->body.stms.len; k++) list_push(e->arena, &stms, fn->body.stms.at[k]);
    fn->body.stms = stms;
    lambda_drop_param(fn, i);
    atoms_drop(inputs, i);
    e->changed = true;
  }
}

// ---- transpositions
static bool reads_row(const Lambda *fn, Var l) {
  if (fn->params.len != 1 || fn->body.stms.len != 1) return false;
  const Stm *read = &fn->body.stms.at[0];
  if (read->exp.form != FORM_INDEX || read->exp.index.slice.len != 1) return false;
  SliceDim at = read->exp.index.slice.at[0];
  return atom_is_var(read->exp.index.array, fn->params.at[0]) && at.is_fix &&
         atom_is_var(at.start, l) && atom_is_var(fn->body.results.at[0], read->bound.at[0]);
}

const struct map_form *map_transposes(const Exp *x) {
  if (x->form != FORM_MAP || x->map.inputs.len != 1 || x->map.fn->body.stms.len != 1) return NULL;
  const Stm *inner = &x->map.fn->body.stms.at[0];
  if (inner->exp.form != FORM_MAP || inner->exp.map.inputs.len != 1) return NULL;
  if (!atom_is_var(x->map.fn->body.results.at[0], inner->bound.at[0])) return NULL;
  return reads_row(inner->exp.map.fn, x->map.fn->params.at[0]) ? &inner->exp.map : NULL;
}

// The array that the map transposes, a matrix with a column for each iteration; or no variable.
static Atom transposed(Env *e, const Exp *x) {
  const struct map_form *rows = map_transposes(x);
  const Stm *count = rows ? env_def_as(e, x->map.inputs.at[0], FORM_IOTA) : NULL;
  if (!count || !exp_counts(e->prog, &count->exp)) return atom_i64(0);
  Atom a = env_atom(e, rows->inputs.at[0]);
  Type t = atom_type(e->prog, a);
  bool outside = a.is_var && env_fact(e, a.var)->scope && env_shared(e, a);
  if (!outside || t.rank != 2) return atom_i64(0);
  return atom_same(env_atom(e, t.dims[1]), x->map.width) ? a : atom_i64(0);
}

bool onehot_transposition(Env *e, Stm *stm) {
  Atom once = transposed(e, &stm->exp);
  const Stm *def = env_def_as(e, once, FORM_MAP);
  Atom twice = def ? transposed(e, &def->exp) : atom_i64(0);
  if (!twice.is_var || !prog_may(e->prog, SWITCH_HOT_ARRAYS)) return false;
  return env_become(e, stm, (Exp){.form = FORM_COPY, .copy = {twice}});
}
