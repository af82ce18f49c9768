// Branches and loops.
//
//   match on uniform values   MATCH; results get the axes of all branches
//   match on values that vary every branch under its mask, then a chain of selections
//   for, uniform trips        LOOP; axes of parameters: the least fixpoint of init and result
//   for, trips that vary      LOOP up to the most trips, under the mask i < trips
//   while that varies         LOOP while some iteration goes on, under that mask
//
// A value under a mask is kept where the mask is off, so a masked parameter has the mask's axes.
#include "local.h"

DryRun dry_begin(Translation *t) {
  Arena *arena = t->prog->arena;
  DryRun d = {.kept = t->b.stms, .written = NEW_ARRAY(arena, Written, t->written.len + 1)};
  for (int i = 0; i < t->written.len; i++) d.written[i] = *t->written.at[i];
  t->b.stms = NEW(arena, BulkStms);
  return d;
}

void dry_end(Translation *t, DryRun *d) {
  t->b.stms = d->kept;
  for (int i = 0; i < t->written.len; i++) {
    AxisSet wanted = t->written.at[i]->wanted;
    *t->written.at[i] = d->written[i];
    t->written.at[i]->wanted = wanted;
  }
}

void from_inlined(Translation *t, const Stm *stm, const Lambda *fn, Atoms args) {
  for (int i = 0; i < args.len; i++) value_bind(t, fn->params.at[i], value_get(t, args.at[i]));
  from_stms(t, fn->body.stms);
  for (int i = 0; i < stm->bound.len; i++)
    value_bind(t, stm->bound.at[i], value_get(t, fn->body.results.at[i]));
}

// The type of a variable of core that varies on these axes.
static Type type_with_axes(Translation *t, Type own, AxisSet axes) {
  Atoms sizes = value_sizes(t, atoms_of(t->prog->arena, own.rank, own.dims));
  Atoms dims = atoms_concat(t->prog->arena, axes_dims(t, axes), sizes);
  return type_array_dims(t->prog->arena, type_scalar(own.prim), dims);
}

// ---- branches
typedef LIST(Value) Values;

static Values body_values(Translation *t, const Body *body) {
  Values out = {0};
  from_stms(t, body->stms);
  for (int i = 0; i < body->results.len; i++) {
    Value v = value_get(t, body->results.at[i]);
    value_make(t, &v);
    list_push(t->prog->arena, &out, v);
  }
  return out;
}

// Whether the type of one mentions another.
static bool sizes_among(Translation *t, Vars vars) {
  bool found = false;
  for (int i = 0; i < vars.len; i++) {
    Type type = var_type(t->prog, vars.at[i]);
    for (int d = 0; d < type.rank; d++)
      found = found || (type.dims[d].is_var && vars_have(vars, type.dims[d].var));
  }
  return found;
}

static void refuse_sizes(Translation *t, const Stm *stm) {
  if (sizes_among(t, stm->bound)) bulk_refuse(t, "results whose sizes only the run tells");
}

typedef struct {
  AxisSet at[64];
} ResultAxes;

static ResultAxes branch_axes(Translation *t, const struct match_form *e, int n) {
  ResultAxes axes = {{0}};
  DryRun dry = dry_begin(t);
  for (int c = 0; c < e->cases.len; c++) {
    Values v = body_values(t, &e->cases.at[c].body);
    for (int i = 0; i < n; i++) axes.at[i] |= v.at[i].axes;
  }
  dry_end(t, &dry);
  return axes;
}

static BulkBody branch_body(Translation *t, const Case *c, const ResultAxes *axes) {
  BulkBody body = {0};
  BulkStms *outer = t->b.stms, inner = {0};
  t->b.stms = &inner;
  Values v = body_values(t, &c->body);
  for (int i = 0; i < v.len; i++)
    list_push(t->prog->arena, &body.results, value_lift(t, v.at[i], axes->at[i]));
  for (int i = 0; i < c->pats.len; i++) list_push(t->prog->arena, &body.pats, c->pats.at[i]);
  t->b.stms = outer;
  body.stms = inner;
  return body;
}

static void match_uniform(Translation *t, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  int n = stm->bound.len;
  refuse_sizes(t, stm);
  if (n > 64) bulk_refuse(t, "a branch of more than 64 results");
  ResultAxes axes = branch_axes(t, e, n);
  BulkExp exp = {.form = BULK_MATCH};
  for (int i = 0; i < e->args.len; i++)
    list_push(t->prog->arena, &exp.args, value_scalar(t, e->args.at[i], "a condition"));
  for (int c = 0; c < e->cases.len; c++)
    list_push(t->prog->arena, &exp.bodies, branch_body(t, &e->cases.at[c], &axes));
  Types types = {0};
  for (int i = 0; i < n; i++)
    list_push(t->prog->arena, &types,
              type_with_axes(t, var_type(t->prog, stm->bound.at[i]), axes.at[i]));
  Vars r = bulk_emit_many(&t->b, "match", types, exp);
  for (int i = 0; i < n; i++)
    value_bind(t, stm->bound.at[i],
               (Value){.atom = atom_var(r.at[i]), .axes = axes.at[i], .made = true});
}

// Whether the scrutinees equal the patterns of the case.
static Value case_holds(Translation *t, const struct match_form *e, const Case *c) {
  AxisSet axes = 0;
  for (int i = 0; i < e->args.len; i++) axes |= value_axes(value_get(t, e->args.at[i]));
  Atom all = atom_bool(true);
  for (int i = 0; i < c->pats.len; i++) {
    if (c->pats.at[i].any) continue;
    Atom x = value_lift(t, value_get(t, e->args.at[i]), axes), lit = atom_scalar(c->pats.at[i].lit);
    bool is_bool = c->pats.at[i].lit.prim == PRIM_BOOL;
    Atom same = !is_bool ? bulk_op(&t->b, OP_EQ, x, lit)
                : atom_is(lit, 1) ? x : bulk_op1(&t->b, OP_NOT, x);
    all = all.is_var ? bulk_op(&t->b, OP_AND, all, same) : same;
  }
  if (!all.is_var) axes = 0;
  return (Value){.atom = all, .axes = axes, .made = true};
}

static Value mask_and(Translation *t, Value x, Value y, bool negated) {
  AxisSet axes = value_axes(x) | value_axes(y);
  bool all = x.made && atom_is(x.atom, 1);
  Atom b = value_lift(t, y, axes);
  if (negated) b = bulk_op1(&t->b, OP_NOT, b);
  if (all) return (Value){.atom = b, .axes = axes, .made = true};
  Atom r = bulk_op(&t->b, OP_AND, value_lift(t, x, axes), b);
  return (Value){.atom = r, .axes = axes, .made = true};
}

// Where c holds x, elsewhere y; arrays by element.
static Value value_select(Translation *t, Value c, Value x, Value y) {
  value_make(t, &x);
  value_make(t, &y);
  AxisSet axes = value_axes(c) | x.axes | y.axes;
  Atom a = value_lift(t, x, axes), b = value_lift(t, y, axes), cond = value_lift(t, c, axes);
  Type type = atom_type(t->prog, a);
  int64_t to[64];
  for (int d = 0; d < axes_len(axes); d++) to[d] = d;
  cond = bulk_broadcast(&t->b, cond, atoms_of(t->prog->arena, type.rank, type.dims), to);
  return (Value){.atom = bulk_select(&t->b, cond, a, b), .axes = axes, .made = true};
}

static void match_varying(Translation *t, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  int n = e->cases.len;
  refuse_sizes(t, stm);
  bool masked = t->masked;
  Value outer = t->mask, left = value_uniform(atom_bool(true));
  if (masked) left = outer;
  Value *holds = NEW_ARRAY(t->prog->arena, Value, n);
  Values *results = NEW_ARRAY(t->prog->arena, Values, n);
  for (int c = 0; c < n; c++) {
    bool last = c == n - 1;
    if (!last) holds[c] = case_holds(t, e, &e->cases.at[c]);
    t->mask = last ? left : mask_and(t, left, holds[c], false), t->masked = true;
    if (!last) left = mask_and(t, left, holds[c], true);
    results[c] = body_values(t, &e->cases.at[c].body);
  }
  t->mask = outer, t->masked = masked;
  for (int i = 0; i < stm->bound.len; i++) {
    Value r = results[n - 1].at[i];
    for (int c = n - 2; c >= 0 && !r.target; c--)
      r = value_select(t, holds[c], results[c].at[i], r);
    value_bind(t, stm->bound.at[i], r);
  }
}

void from_match(Translation *t, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  AxisSet axes = 0;
  bool constant = true;
  for (int i = 0; i < e->args.len; i++) axes |= value_axes(value_get(t, e->args.at[i]));
  for (int i = 0; i < stm->bound.len; i++)
    if (var_type(t->prog, stm->bound.at[i]).is_acc) constant = false;
  if (axes || !constant) match_varying(t, stm);
  else match_uniform(t, stm);
}

// ---- loops
typedef struct {
  const Stm *stm;
  const struct loop_form *e;
  AxisSet axes[64];       // of the parameters
  bool masked;            // trips or condition vary
  AxisSet trips;          // the axes on which they do
  Atom bound;             // of a for loop, as emitted
  BulkBody body;
  Atoms inits;
} LoopState;

static int counted(const LoopState *l) { return l->e->is_for ? 1 : 0; }

static void param_new(Translation *t, LoopState *l, int k) {
  const Lambda *fn = l->e->fn;
  Var old = fn->params.at[k + counted(l)];
  Type type = type_with_axes(t, var_type(t->prog, old), l->axes[k]);
  Var v = var_new(t->prog, var_info(t->prog, old)->base, type);
  list_push(t->prog->arena, &l->body.params, v);
  value_bind(t, old, (Value){.atom = atom_var(v), .axes = l->axes[k], .made = true});
}

// Whether an iteration goes on, beside the mask around.
static Value goes_on(Translation *t, LoopState *l, Atom counter) {
  if (!l->e->is_for) return value_get(t, atom_var(l->e->fn->params.at[l->e->cond]));
  Value trips = value_get(t, l->e->bound);
  value_make(t, &trips);
  Atom i = value_lift(t, value_uniform(counter), trips.axes);
  return (Value){.atom = bulk_op(&t->b, OP_LT, i, trips.atom), .axes = trips.axes, .made = true};
}

static Values loop_body(Translation *t, LoopState *l) {
  const Lambda *fn = l->e->fn;
  int n = l->e->inits.len;
  l->body = (BulkBody){0};
  Atom counter = atom_i64(0);
  if (l->e->is_for) {
    Var i = fn->params.at[0];
    Var v = var_new(t->prog, var_info(t->prog, i)->base, var_type(t->prog, i));
    list_push(t->prog->arena, &l->body.params, v);
    counter = atom_var(v);
    value_bind(t, i, value_uniform(counter));
  }
  for (int k = 0; k < n; k++) param_new(t, l, k);
  BulkStms *outer = t->b.stms, inner = {0};
  t->b.stms = &inner;
  Value mask = t->mask;
  bool masked = t->masked;
  if (l->masked) {
    Value on = goes_on(t, l, counter);
    t->mask = masked ? mask_and(t, mask, on, false) : on, t->masked = true;
  }
  Values r = body_values(t, &fn->body);
  for (int k = 0; k < n && l->masked; k++)
    r.at[k] = value_select(t, t->mask, r.at[k],
                           value_get(t, atom_var(fn->params.at[k + counted(l)])));
  t->mask = mask, t->masked = masked;
  t->b.stms = outer;
  l->body.stms = inner;
  return r;
}

static bool axes_grow(LoopState *l, Values r) {
  bool grown = false;
  for (int k = 0; k < l->e->inits.len; k++) {
    AxisSet more = l->axes[k] | r.at[k].axes;
    grown = grown || more != l->axes[k];
    l->axes[k] = more;
  }
  if (!l->e->is_for && l->axes[l->e->cond]) {
    grown = grown || !l->masked;
    l->masked = true;
  }
  return grown;
}

static void axes_find(Translation *t, LoopState *l) {
  for (bool grown = true; grown;) {
    DryRun dry = dry_begin(t);
    grown = axes_grow(l, loop_body(t, l));
    dry_end(t, &dry);
  }
}

static void loop_bound(Translation *t, LoopState *l) {
  Value trips = value_get(t, l->e->bound);
  value_make(t, &trips);
  Prim prim = bulk_prim_of(&t->b, trips.atom);
  Atom zero = atom_number(prim, 0);
  if (t->masked) trips = value_select(t, t->mask, trips, value_uniform(zero));
  l->trips = trips.axes, l->masked = trips.axes != 0;
  const Lambda *max = lambda_binop(t->prog, OP_MAX, prim);
  while (atom_type(t->prog, trips.atom).rank)
    trips.atom = atom_var(
        bulk_fold(&t->b, 0, max, atoms_one(t, zero), atoms_one(t, trips.atom)).at[0]);
  l->bound = trips.atom;
}

static void loop_finish(Translation *t, LoopState *l, Values r) {
  BulkStms *outer = t->b.stms;
  int n = l->e->inits.len, cond = (int)l->e->cond;
  BulkExp exp = {.form = BULK_LOOP, .flag = l->e->is_for, .number = cond};
  if (l->e->is_for) list_push(t->prog->arena, &exp.args, l->bound);
  for (int k = 0; k < n; k++)
    list_push(t->prog->arena, &exp.args,
              value_lift(t, value_get(t, l->e->inits.at[k]), l->axes[k]));
  Atom more = atom_bool(true);
  bool joined = !l->e->is_for && l->axes[cond];
  if (joined) {
    Atom first = value_lift(t, value_get(t, l->e->inits.at[cond]), l->axes[cond]);
    if (t->masked) first = bulk_op(&t->b, OP_AND, first, value_lift(t, t->mask, l->axes[cond]));
    more = value_fold(t, first, OP_OR, false);
    list_push(t->prog->arena, &exp.args, more);
    exp.number = n;
  }
  t->b.stms = &l->body.stms;
  for (int k = 0; k < n; k++)
    list_push(t->prog->arena, &l->body.results, value_lift(t, r.at[k], l->axes[k]));
  if (joined) {
    list_push(t->prog->arena, &l->body.params, var_new(t->prog, "more", type_scalar(PRIM_BOOL)));
    Atom c = l->body.results.at[cond];
    if (t->masked) c = bulk_op(&t->b, OP_AND, c, value_lift(t, t->mask, l->axes[cond]));
    list_push(t->prog->arena, &l->body.results, value_fold(t, c, OP_OR, false));
  }
  t->b.stms = outer;
  list_push(t->prog->arena, &exp.bodies, l->body);
  Types types = {0};
  for (int k = counted(l); k < l->body.params.len; k++)
    list_push(t->prog->arena, &types, var_type(t->prog, l->body.params.at[k]));
  Vars v = bulk_emit_many(&t->b, "loop", types, exp);
  for (int k = 0; k < l->stm->bound.len; k++)
    value_bind(t, l->stm->bound.at[k],
               (Value){.atom = atom_var(v.at[k]), .axes = l->axes[k], .made = true});
}

static void refuse_growing(Translation *t, const struct loop_form *e) {
  for (int k = 0; k < e->fn->params.len; k++) {
    if (var_type(t->prog, e->fn->params.at[k]).is_acc)
      bulk_refuse(t, "a loop that carries an accumulator");
  }
  if (sizes_among(t, e->fn->params))
    bulk_refuse(t, "an array whose size changes from iteration to iteration");
}

void from_loop(Translation *t, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  LoopState *l = NEW(t->prog->arena, LoopState);
  l->stm = stm, l->e = e;
  refuse_growing(t, e);
  if (e->inits.len > 63) bulk_refuse(t, "a loop of more than 63 parameters");
  for (int k = 0; k < e->inits.len; k++) l->axes[k] = value_axes(value_get(t, e->inits.at[k]));
  if (e->is_for) loop_bound(t, l);
  else if (l->axes[e->cond] || t->masked) l->masked = true;
  if (!e->is_for && t->masked) l->axes[e->cond] |= t->mask.axes;
  axes_find(t, l);
  loop_finish(t, l, loop_body(t, l));
}
