// Maps, reductions, scans and their fusions: one loop each.
#include "imp/common/local.h"

// The places of a combinator's array results; accumulators have none.
typedef struct {
  int n;
  View *outs;
  const View **rows;  // inside the loop: where row i of each goes (NULL: scalar or accumulator)
} Outs;

static Outs outs_new(Lower *l, Vars bound, int skip) {
  Outs o = {bound.len - skip, NULL, NULL};
  o.outs = NEW_ARRAY(l->arena, View, o.n + 1);
  o.rows = NEW_ARRAY(l->arena, const View *, o.n + 1);
  for (int i = 0; i < o.n; i++)
    if (!var_type(l->prog, bound.at[skip + i]).is_acc) o.outs[i] = dest_view(l, bound.at[skip + i]);
  return o;
}

static void outs_rows(Lower *l, Outs *o, Types rets, const ImpExp *i) {
  for (int k = 0; k < o->n; k++) {
    o->rows[k] = NULL;
    if (rets.at[k].is_acc || rets.at[k].rank == 0) continue;
    View row = view_row(l, &o->outs[k], i);
    o->rows[k] = arena_copy(l->arena, &row, sizeof row);
  }
}

// Rows were written in place; scalars are stored now.
static void outs_store(Lower *l, Outs *o, Types rets, const ImpExp *i, const Value *results) {
  for (int k = 0; k < o->n; k++)
    if (!rets.at[k].is_acc && rets.at[k].rank == 0) store_row(l, &o->outs[k], i, results[k]);
}

static void outs_bind(Lower *l, const Outs *o, Vars bound, int skip, const Value *results) {
  for (int k = 0; k < o->n; k++) {
    Var b = bound.at[skip + k];
    if (!var_type(l->prog, b).is_acc) bind_view(l, b, o->outs[k]);
    else if (results[k].kind != VALUE_NONE) bind(l, b, results[k]);
  }
}

// A loop over the elements.
static ForLoop elements_open(Lower *l, Atom width, bool parallel) {
  probe_enter(l);
  ForLoop loop = for_open(l, "i", atom_exp(l, width), parallel);
  if (parallel) list_push(l->arena, &l->maps, loop.var);
  probe_iteration(l, loop.i, false);
  return loop;
}

static void elements_close(Lower *l, ForLoop loop) {
  if (l->maps.len && l->maps.at[l->maps.len - 1].id == loop.var.id) l->maps.len--;
  for_close(l, loop);
  probe_leave(l);
}

void lower_map(Lower *l, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  const Lambda *fn = e->fn;
  Outs o = outs_new(l, stm->bound, 0);
  Value *results = NEW_ARRAY(l->arena, Value, o.n + 1);
  ForLoop loop = elements_open(l, e->width, true);
  for (int i = 0; i < e->inputs.len; i++) bind_input(l, fn->params.at[i], e->inputs.at[i], loop.i);
  outs_rows(l, &o, fn->rets, loop.i);
  lower_body(l, &fn->body, o.rows, results);
  outs_store(l, &o, fn->rets, loop.i, results);
  elements_close(l, loop);
  outs_bind(l, &o, stm->bound, 0, results);
}

// ---- operators --------------------------------------------------------------------------------
typedef struct {
  int n;  // values carried
  LoopState *states;
  const View **dests;
} Fold;

static Fold fold_new(Lower *l, const Lambda *op, Atoms neutral, const View *const *places) {
  Fold f = {neutral.len, NEW_ARRAY(l->arena, LoopState, neutral.len + 1),
            NEW_ARRAY(l->arena, const View *, neutral.len + 1)};
  for (int i = 0; i < f.n; i++)
    state_init(l, &f.states[i], op->params.at[i], neutral.at[i], places ? places[i] : NULL);
  state_dests(f.states, f.n, f.dests);
  return f;
}

// state = op(state, elements); elements[i] was bound by the caller where NULL.
static void fold_step(Lower *l, Fold *f, const Lambda *op, const Value *elements) {
  for (int i = 0; i < f->n; i++) state_bind(l, &f->states[i]);
  for (int i = 0; elements && i < f->n; i++) bind(l, op->params.at[f->n + i], elements[i]);
  Value *results = NEW_ARRAY(l->arena, Value, f->n + 1);
  lower_body(l, &op->body, f->dests, results);
  state_advance(l, f->states, f->n, results);
}

// Whether lanes may fold on their own and be combined: one scalar under a commutative operation.
static bool fold_reassociates(Lower *l, const Lambda *fn, ImpVars *reds, const Fold *f) {
  Op op;
  Prim p;
  if (f->n != 1 || !f->states[0].scalar || l->looks || !lambda_is_op(fn, &op, &p)) return false;
  if (!op_info[op].associative || !op_info[op].commutative) return false;
  l->fn->vars.at[f->states[0].var.id].red_op = op;
  list_push(l->arena, reds, f->states[0].var);
  return true;
}

// A scan whose loop need not run in order: as with fold_reassociates, and lanes can combine
// prefixes.
static bool fold_scans(const Lower *l, const Lambda *fn, bool exclusive, const Fold *f, Op *op) {
  Prim p;
  if (exclusive || l->looks) return false;
  if (f->n != 1 || !f->states[0].scalar || !lambda_is_op(fn, op, &p)) return false;
  bool number = p == PRIM_F64 || p == PRIM_F32 || p == PRIM_I64 || p == PRIM_I32;
  return number && (*op == OP_ADD || *op == OP_MUL || *op == OP_MIN || *op == OP_MAX);
}

// The running value after this element.
static Value emit_scan(Lower *l, const Fold *f, Op op, const ImpExp *value) {
  ImpVar acc = f->states[0].var,
         var = var_fresh(l, l->fn->vars.at[acc.id].base, IMP_LET, l->fn->vars.at[acc.id].prim);
  imp_emit(l, (ImpStm){.form = IMP_STM_SCAN, .scan = {var, acc, op, value}});
  return (Value){.kind = VALUE_SCALAR, .exp = var_exp(l, var)};
}

static Value fold_value(Lower *l, const Fold *f, int i, Type t) {
  return state_value(l, &f->states[i], t);
}

// Reductions with array values may accumulate where their results are wanted.
static const View **fold_places(Lower *l, Vars bound, int from, const Lambda *op, int n) {
  const View **places = NEW_ARRAY(l->arena, const View *, n + 1);
  for (int i = 0; i < n; i++) {
    Var b = bound.at[from + i];
    if (var_type(l->prog, b).rank == 0) continue;
    if (l->facts->mode[op->params.at[i].id] != LOOP_ELEMENTWISE) continue;
    View v = dest_view(l, b);
    places[i] = arena_copy(l->arena, &v, sizeof v);
  }
  return places;
}

static void fold_bind(Lower *l, const Fold *f, Vars bound, int from) {
  for (int i = 0; i < f->n; i++)
    bind(l, bound.at[from + i], fold_value(l, f, i, var_type(l->prog, bound.at[from + i])));
}

void lower_reduce(Lower *l, const Stm *stm) {
  const struct reduce_form *e = &stm->exp.reduce;
  int n = e->neutral.len;
  Fold f = fold_new(l, e->op, e->neutral, fold_places(l, stm->bound, 0, e->op, n));
  ForLoop loop = elements_open(l, e->width, false);
  loop.parallel = fold_reassociates(l, e->op, &loop.reds, &f);
  for (int i = 0; i < n; i++) bind_input(l, e->op->params.at[n + i], e->inputs.at[i], loop.i);
  fold_step(l, &f, e->op, NULL);
  elements_close(l, loop);
  fold_bind(l, &f, stm->bound, 0);
}

void lower_scan(Lower *l, const Stm *stm) {
  const struct scan_form *e = &stm->exp.scan;
  int n = e->neutral.len;
  View *outs = NEW_ARRAY(l->arena, View, n + 1);
  for (int i = 0; i < n; i++) outs[i] = dest_view(l, stm->bound.at[i]);
  Fold f = fold_new(l, e->op, e->neutral, NULL);
  Op op;
  bool lanes = fold_scans(l, e->op, e->exclusive, &f, &op);
  ForLoop loop = elements_open(l, e->width, lanes);
  for (int i = 0; i < n; i++) bind_input(l, e->op->params.at[n + i], e->inputs.at[i], loop.i);
  if (lanes)
    store_row(l, &outs[0], loop.i,
              emit_scan(l, &f, op, atom_exp(l, atom_var(e->op->params.at[1]))));
  else if (!e->exclusive) fold_step(l, &f, e->op, NULL);
  for (int i = 0; !lanes && i < n; i++)
    store_row(l, &outs[i], loop.i, fold_value(l, &f, i, var_type(l->prog, e->op->params.at[i])));
  if (e->exclusive) fold_step(l, &f, e->op, NULL);
  elements_close(l, loop);
  for (int i = 0; i < n; i++) bind_view(l, stm->bound.at[i], outs[i]);
}

// ---- screma -----------------------------------------------------------------------------------
typedef struct {
  const struct screma_form *e;
  int nscan, nred;
  Fold *scans, *reds;
  bool lanes;  // the scans are SCAN statements
} Screma;

static int operators_width(Operators ops) {
  int n = 0;
  for (int i = 0; i < ops.len; i++) n += ops.at[i].neutral.len;
  return n;
}

static Fold *folds_new(Lower *l, Operators ops, Vars bound, bool place) {
  Fold *folds = NEW_ARRAY(l->arena, Fold, ops.len + 1);
  int from = 0;
  for (int i = 0; i < ops.len; i++) {
    const Operator *op = &ops.at[i];
    const View **places = place ? fold_places(l, bound, from, op->op, op->neutral.len) : NULL;
    folds[i] = fold_new(l, op->op, op->neutral, places);
    from += op->neutral.len;
  }
  return folds;
}

// The exclusive operators, or the inclusive ones.
static void folds_step(Lower *l, Operators ops, bool exclusive, Fold *folds, const Value *values) {
  for (int i = 0; i < ops.len; i++) {
    if (ops.at[i].exclusive == exclusive) fold_step(l, &folds[i], ops.at[i].op, values);
    values += folds[i].n;
  }
}

// Whether all scans let the loop run in SIMD lanes.
static bool scans_lanes(const Lower *l, const Screma *s) {
  Op op;
  bool lanes = true;
  for (int i = 0; i < s->e->scans.len; i++)
    lanes = lanes && fold_scans(l, s->e->scans.at[i].op, s->e->scans.at[i].exclusive,
                                &s->scans[i], &op);
  return lanes;
}

static void scans_step(Lower *l, const Screma *s, const Value *values) {
  Op op;
  for (int i = 0; i < s->e->scans.len; i++) {
    check(fold_scans(l, s->e->scans.at[i].op, false, &s->scans[i], &op));
    bind(l, s->e->post->params.at[i], emit_scan(l, &s->scans[i], op, values[i].exp));
  }
}

// The post lambda sees the running values of the scans, then the plain results of fn.
static void bind_post(Lower *l, const Screma *s, const Value *plain) {
  const Lambda *post = s->e->post;
  int p = s->lanes ? s->nscan : 0;
  for (int i = 0; !s->lanes && i < s->e->scans.len; i++)
    for (int k = 0; k < s->scans[i].n; k++, p++)
      bind(l, post->params.at[p],
           fold_value(l, &s->scans[i], k, var_type(l->prog, post->params.at[p])));
  for (; p < post->params.len; p++) bind(l, post->params.at[p], plain[p - s->nscan]);
}

void lower_screma(Lower *l, const Stm *stm) {
  Screma s = {.e = &stm->exp.screma};
  const struct screma_form *e = s.e;
  s.nscan = operators_width(e->scans);
  s.nred = operators_width(e->reds);
  Outs o = outs_new(l, stm->bound, s.nred);
  s.scans = folds_new(l, e->scans, stm->bound, false);
  s.reds = folds_new(l, e->reds, stm->bound, true);
  Value *values = NEW_ARRAY(l->arena, Value, e->fn->body.results.len + 1);
  Value *results = NEW_ARRAY(l->arena, Value, o.n + 1);
  s.lanes = scans_lanes(l, &s);
  ForLoop loop = elements_open(l, e->width, s.lanes);
  for (int i = 0; i < e->reds.len; i++)
    loop.parallel = fold_reassociates(l, e->reds.at[i].op, &loop.reds, &s.reds[i]) && loop.parallel;
  for (int i = 0; i < e->inputs.len; i++)
    bind_input(l, e->fn->params.at[i], e->inputs.at[i], loop.i);
  lower_body(l, &e->fn->body, NULL, values);
  if (s.lanes) scans_step(l, &s, values);
  else folds_step(l, e->scans, false, s.scans, values);
  folds_step(l, e->reds, false, s.reds, values + s.nscan);
  bind_post(l, &s, values + s.nscan + s.nred);
  outs_rows(l, &o, e->post->rets, loop.i);
  lower_body(l, &e->post->body, o.rows, results);
  outs_store(l, &o, e->post->rets, loop.i, results);
  folds_step(l, e->scans, true, s.scans, values);  // post saw what came before
  elements_close(l, loop);
  int from = 0;
  for (int i = 0; i < e->reds.len; i++) {
    fold_bind(l, &s.reds[i], stm->bound, from);
    from += s.reds[i].n;
  }
  outs_bind(l, &o, stm->bound, s.nred, results);
}
