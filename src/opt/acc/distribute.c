// Distribution of loops: what a loop only adds to an array is added by a loop after it.
//
//   loop (x, A) for j < n { A with [i, j] += v i j x, all i;  (f x j, A) }
//
// becomes     loop (x, t) for j < n { t[j] = x;  (f x j, t) }
//     and     loop (A) for j < n { A with [i, j] += v i j t[j], all i }
//
// The second loop carries sums only: it is a map (loop_to_map.c), which can run in the order of
// memory, where the first went down a column of A in each iteration.  So the adjoint of a matrix
// whose columns a loop reads is computed row by row, from a few numbers for each iteration.
//
// Numbers are kept; indices, and reads of arrays that the loop does not change, are computed again.
// A `withacc` with results of another kind, such as the adjoint of x, is computed by both loops, if
// its code is short and without costly functions.
#include "acc.h"

enum { KEPT = 6, SHORT = 16, TWICE = 40 };

typedef struct {
  Acc *a;
  Stm *loop;
  Lambda *fn;      // the loop's
  Stm *adds;       // the `withacc` of its body that leaves
  Map *made;       // variable bound directly in the body -> its Stm
  Map *needed;     // variables that the second loop has seen to
  Map *again;      // statements of the body that it computes again
  Vars kept;
} Distribution;

// ---- may the `withacc` leave? -----------------------------------------------------------------
static bool is_added_to(const Distribution *d, Var v) {
  const Atoms *arrays = &d->adds->exp.withacc.arrays;
  for (int i = 0; i < arrays->len; i++)
    if (atom_is_var(arrays->at[i], v)) return true;
  return false;
}

// The loop's parameter that accumulator k of the `withacc` adds to; -1: another array.
static int param_of(const Distribution *d, int k) {
  Atom array = d->adds->exp.withacc.arrays.at[k];
  for (int p = 1; array.is_var && p < d->fn->params.len; p++)
    if (atom_is_var(array, d->fn->params.at[p])) return p;
  return -1;
}

static bool is_mentioned(const Distribution *d, Var v, const Stm *except) {
  for (int i = 0; i < d->fn->body.stms.len; i++) {
    const Stm *stm = &d->fn->body.stms.at[i];
    if (stm != except && vars_have(exp_free(d->a->prog, d->a->scratch, &stm->exp), v)) return true;
  }
  return false;
}

// The loop hands the array on from one such addition to the next, and does nothing else with it.
static bool is_handed_on(const Distribution *d, int k) {
  int p = param_of(d, k), uses = 0;
  if (p < 0 || !atom_is_var(d->fn->body.results.at[p - 1], d->adds->bound.at[k])) return false;
  for (int i = 0; i < d->fn->body.results.len; i++)
    uses += atom_is_var(d->fn->body.results.at[i], d->adds->bound.at[k]) ||
            atom_is_var(d->fn->body.results.at[i], d->fn->params.at[p]);
  return uses == 1 && !is_mentioned(d, d->fn->params.at[p], d->adds) &&
         !is_mentioned(d, d->adds->bound.at[k], NULL);
}

static bool only_adds(const Distribution *d) {
  const struct withacc_form *w = &d->adds->exp.withacc;
  for (int k = 0; k < w->arrays.len; k++)
    if (!w->ops.at[k].op || w->ops.at[k].neutral.len != 1 || !is_handed_on(d, k)) return false;
  return w->fn->params.len == w->arrays.len;
}

// ---- is it worth it?  Columns. ----------------------------------------------------------------
// Integers computed from the counter alone.
static bool is_of_counter(const Map *counts, const Stm *stm) {
  if (stm->exp.form != FORM_PRIM) return false;
  bool any = false;
  for (int i = 0; i < stm->exp.prim.args.len; i++) {
    Atom x = stm->exp.prim.args.at[i];
    any = any || (x.is_var && map_get(counts, x.var.id));
  }
  return any;
}

static void note_counts(Map *counts, const Body *body) {
  for (int i = 0; i < body->stms.len; i++)
    if (is_of_counter(counts, &body->stms.at[i]))
      map_put(counts, body->stms.at[i].bound.at[0].id, counts);
}

// Index `last` moves with the loop, one before it with a map inside.
static bool is_column(const Distribution *d, const Map *counts, const struct updateacc_form *u) {
  int last = u->index.len - 1;
  if (!type_is_scalar(atom_type(d->a->prog, u->value)) || last < 1) return false;
  if (!u->index.at[last].is_var || !map_get(counts, u->index.at[last].var.id)) return false;
  for (int k = 0; k < last; k++) {
    Atom x = u->index.at[k];
    if (acc_is_inner(d->a, x) && !map_get(counts, x.var.id)) return true;
  }
  return false;
}

static bool has_column(const Distribution *d, const Map *counts, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    Exp exp = body->stms.at[i].exp;
    if (exp.form == FORM_UPDATEACC && is_column(d, counts, &exp.updateacc)) return true;
    if (!exp_has_parts(&exp)) continue;
    Parts parts = exp_parts(d->a->scratch, &exp);
    for (int k = 0; k < parts.len; k++)
      if (has_column(d, counts, parts.at[k].body)) return true;
  }
  return false;
}

static bool adds_to_columns(const Distribution *d) {
  Map *counts = map_new(d->a->scratch);
  map_put(counts, d->fn->params.at[0].id, counts);
  note_counts(counts, &d->fn->body);
  acc_mark_inner(d->a, d->adds->exp.withacc.fn);
  bool found = has_column(d, counts, &d->adds->exp.withacc.fn->body);
  d->a->marked = NULL;
  return found;
}

// ---- what its other results need is computed in both loops ------------------------------------
static bool is_costly_body(const Body *body, int *work) {
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    if (e->form == FORM_PRIM && !exp_is_cheap(e)) return true;
    if (e->form != FORM_MAP && form_has_bodies[e->form]) return true;
    if (++*work > TWICE) return true;
    if (e->form == FORM_MAP && is_costly_body(&e->map.fn->body, work)) return true;
  }
  return false;
}

static bool splits(const Distribution *d) {
  const struct withacc_form *w = &d->adds->exp.withacc;
  int work = 0;
  return d->adds->bound.len == w->arrays.len || !is_costly_body(&w->fn->body, &work);
}

// ---- what the second loop needs ---------------------------------------------------------------
static bool is_again(const Distribution *d, const Stm *stm) {
  switch ((int)stm->exp.form) {
  case FORM_INDEX: case FORM_ATOM: case FORM_IOTA: case FORM_REARRANGE: return true;
  case FORM_PRIM: case FORM_CONV:
    return exp_is_cheap(&stm->exp) &&
           !prim_is_float(var_type(d->a->prog, stm->bound.at[0]).prim);
  }
  return false;
}

static bool need(Distribution *d, Var v);

static bool need_type(Distribution *d, Type t) {
  for (int k = 0; k < t.rank; k++)
    if (t.dims[k].is_var && !need(d, t.dims[k].var)) return false;
  return true;
}

static bool need_stm(Distribution *d, const Stm *stm) {
  Vars free = exp_free(d->a->prog, d->a->scratch, &stm->exp);
  for (int i = 0; i < free.len; i++)
    if (!is_added_to(d, free.at[i]) && !need(d, free.at[i])) return false;
  for (int i = 0; i < stm->bound.len; i++)
    if (!need_type(d, var_type(d->a->prog, stm->bound.at[i]))) return false;
  return true;
}

static bool need(Distribution *d, Var v) {
  const Stm *stm = map_get(d->made, v.id);
  bool inside = stm || vars_have(d->fn->params, v);
  if (!inside || v.id == d->fn->params.at[0].id || map_get(d->needed, v.id)) return true;
  map_put(d->needed, v.id, d);
  Type t = var_type(d->a->prog, v);
  if (stm && is_again(d, stm)) {
    map_put(d->again, KEY(stm), d);
    return need_stm(d, stm);
  }
  if (t.rank > 0 || t.is_acc || d->kept.len == KEPT) return false;
  list_push(d->a->scratch, &d->kept, v);
  return true;
}

// ---- the second loop --------------------------------------------------------------------------
// t[j], under the name of what was kept.
static void read_kept(const Distribution *d, Stms *to, Var v, Var tape) {
  Builder b = builder_new(d->a->prog, to);
  Atom counter = atom_var(d->fn->params.at[0]);
  Atom x = build_index(&b, atom_var(tape), atoms_of(d->a->arena, 1, &counter));
  Stm name = {.exp = {.form = FORM_ATOM, .atom = {x}}};
  list_push(d->a->arena, &name.bound, v);
  list_push(d->a->arena, to, name);
}

static void rename_operands(const Distribution *d, Stm *stm, Var from, Var to) {
  AtomRefs refs = exp_atom_refs(d->a->scratch, &stm->exp);
  for (int i = 0; i < refs.len; i++)
    if (atom_is_var(*refs.at[i], from)) refs.at[i]->var = to;
}

// The body of the `withacc`, with accumulators that a loop hands on.
static Lambda *adding_body(const Distribution *d, const Vars *tapes) {
  Lambda *fn = NEW(d->a->arena, Lambda);
  const Lambda *old = d->adds->exp.withacc.fn;
  const Body *body = &d->fn->body;
  list_push(d->a->arena, &fn->params, d->fn->params.at[0]);
  for (int i = 0; i < d->kept.len; i++)
    read_kept(d, &fn->body.stms, d->kept.at[i], tapes->at[i]);
  for (int i = 0; i < body->stms.len; i++)
    if (map_get(d->again, KEY(&body->stms.at[i])))
      list_push(d->a->arena, &fn->body.stms, body->stms.at[i]);
  int from = fn->body.stms.len;
  for (int i = 0; i < old->body.stms.len; i++)
    list_push(d->a->arena, &fn->body.stms, old->body.stms.at[i]);
  for (int k = 0; k < old->params.len; k++) {
    Type t = var_type(d->a->prog, old->params.at[k]);
    Var acc = var_new(d->a->prog, "acc", t);
    list_push(d->a->arena, &fn->params, acc);
    list_push(d->a->arena, &fn->rets, t);
    list_push(d->a->arena, &fn->body.results, old->body.results.at[k]);
    for (int i = from; i < fn->body.stms.len; i++)
      rename_operands(d, &fn->body.stms.at[i], old->params.at[k], acc);
  }
  return fn;
}

// withacc A (\acc -> loop (acc) for j < n { adding_body })
static Stm adding_loop(const Distribution *d, const Vars *tapes) {
  const struct withacc_form *w = &d->adds->exp.withacc;
  Prog *prog = d->a->prog;
  Stm loop = *d->loop, out = *d->adds;
  Lambda *fn = NEW(d->a->arena, Lambda);
  loop.exp.loop.inits = atoms_of_vars(d->a->arena, w->fn->params);
  loop.bound = out.bound = (Vars){0};
  loop.exp.loop.fn = adding_body(d, tapes);
  fn->params = w->fn->params;
  out.exp.withacc.arrays = (Atoms){0};
  for (int k = 0; k < w->arrays.len; k++) {
    Type t = var_type(prog, w->fn->params.at[k]);
    int p = param_of(d, k);
    list_push(d->a->arena, &loop.bound, var_new(prog, "acc", t));
    list_push(d->a->arena, &fn->body.results, atom_var(loop.bound.at[k]));
    list_push(d->a->arena, &fn->rets, t);
    list_push(d->a->arena, &out.bound, d->loop->bound.at[p - 1]);
    list_push(d->a->arena, &out.exp.withacc.arrays, d->loop->exp.loop.inits.at[p - 1]);
  }
  list_push(d->a->arena, &fn->body.stms, loop);
  Builder b = builder_new(prog, &fn->body.stms);
  out.exp.withacc.fn = lambda_copy(&b, fn);
  return out;
}

// ---- the first loop ---------------------------------------------------------------------------
// What the `withacc` computes beside its sums stays.
static void leave_others(const Distribution *d, Stms *to) {
  const struct withacc_form *w = &d->adds->exp.withacc;
  if (d->adds->bound.len == w->arrays.len) return;
  Builder b = builder_new(d->a->prog, to);
  Lambda *fn = w->fn;
  acc_drop_updates(d->a, &fn->body);
  for (int i = 0; i < fn->body.stms.len; i++) build_stm(&b, fn->body.stms.at[i]);
  for (int k = w->arrays.len; k < d->adds->bound.len; k++) {
    Stm name = {.exp = {.form = FORM_ATOM, .atom = {fn->body.results.at[k]}}};
    list_push(d->a->arena, &name.bound, d->adds->bound.at[k]);
    build_stm(&b, name);
  }
}

static void drop_carried(const Distribution *d) {
  struct loop_form *l = &d->loop->exp.loop;
  for (int p = d->fn->params.len - 1; p > 0; p--) {
    if (!is_added_to(d, d->fn->params.at[p])) continue;
    lambda_drop_param(d->fn, p);
    lambda_drop_result(d->fn, p - 1);
    atoms_drop(&l->inits, p - 1);
    vars_drop(&d->loop->bound, p - 1);
  }
}

// Arrays with a number for each iteration, in front of the loop, which will carry them.
static Vars tapes_of(const Distribution *d, Stms *out) {
  Arena *arena = d->a->arena;
  Vars tapes = {0};
  Builder b = builder_new(d->a->prog, out);
  b.loc = d->loop->loc;
  b.attrs.unchecked = true;
  Atom width = acc_width(d->a, out, d->loop->exp.loop.bound);
  for (int i = 0; i < d->kept.len; i++) {
    Type t = type_array(arena, type_scalar(var_type(d->a->prog, d->kept.at[i]).prim), width);
    Exp scratch = {.form = FORM_SCRATCH,
                   .scratch = {.prim = t.prim, .dims = atoms_of(arena, 1, &width)}};
    list_push(arena, &d->loop->exp.loop.inits, build(&b, "kept", t, scratch));
    list_push(d->a->scratch, &tapes, var_new(d->a->prog, "kept", t));
  }
  return tapes;
}

// Iteration j writes v at j.
static void keep(const Distribution *d, Var v, Var tape) {
  Arena *arena = d->a->arena;
  Type t = var_type(d->a->prog, tape);
  t.unique = true;
  Var param = var_new(d->a->prog, "kept", t);
  Builder b = builder_new(d->a->prog, &d->fn->body.stms);
  Atom counter = atom_var(d->fn->params.at[0]);
  Atom next = build_update(&b, atom_var(param), atoms_of(arena, 1, &counter), atom_var(v));
  list_push(arena, &d->fn->params, param);
  list_push(arena, &d->fn->rets, t);
  list_push(arena, &d->fn->body.results, next);
  list_push(arena, &d->loop->bound, tape);
}

static void without_adds(const Distribution *d) {
  Stms out = {0};
  Stms old = d->fn->body.stms;
  for (int i = 0; i < old.len; i++)
    if (&old.at[i] == d->adds) leave_others(d, &out);
    else list_push(d->a->arena, &out, old.at[i]);
  drop_carried(d);
  d->fn->body.stms = out;
}

// ---- the pass's step --------------------------------------------------------------------------
static bool may_leave(Distribution *d) {
  return only_adds(d) && adds_to_columns(d) && splits(d) && need_stm(d, d->adds);
}

static Distribution distribution_of(Acc *a, Stm *stm, int at) {
  Lambda *fn = stm->exp.loop.fn;
  Distribution d = {.a = a, .loop = stm, .fn = fn, .adds = &fn->body.stms.at[at],
                    .made = map_new(a->scratch), .needed = map_new(a->scratch),
                    .again = map_new(a->scratch)};
  for (int i = 0; i < fn->body.stms.len; i++)
    for (int k = 0; k < fn->body.stms.at[i].bound.len; k++)
      map_put(d.made, fn->body.stms.at[i].bound.at[k].id, &fn->body.stms.at[i]);
  return d;
}

static bool is_distributed(const Acc *a, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  int64_t n;
  if (stm->exp.form != FORM_LOOP || !l->is_for || stm->attrs.chunked || stm->attrs.low_peak)
    return false;
  if (atom_const_i64(l->bound, &n) && n <= SHORT) return false;
  return var_type(a->prog, l->fn->params.at[0]).prim == PRIM_I64;
}

bool acc_distribute(Acc *a, Stms *out, Stm *stm, Stm *after) {
  for (int i = 0; is_distributed(a, stm) && i < stm->exp.loop.fn->body.stms.len; i++) {
    Distribution d = distribution_of(a, stm, i);
    if (d.adds->exp.form != FORM_WITHACC || !may_leave(&d)) continue;
    if (!prog_may(a->prog, SWITCH_ACC_DISTRIBUTE)) return false;
    Vars tapes = tapes_of(&d, out);
    *after = adding_loop(&d, &tapes);
    without_adds(&d);
    for (int k = 0; k < d.kept.len; k++) keep(&d, d.kept.at[k], tapes.at[k]);
    a->changed = true;
    return true;
  }
  return false;
}
