// Forward mode of control and of the array combinators: the same form over pairs.
#include "ad/common/local.h"

static Arena *arena_of(Jvp *j) { return j->w.to.prog->arena; }

// The results of `stm` and a tangent for those marked; binds both.
typedef struct {
  Vars primal, tangent;
  LIST(int) of;  // tangent i belongs to result of[i]
} Twins;

static bool varies(const Jvp *j, Var v) { return varset_has(&j->varied, v); }

// types: those of the emitted form's results, primals first; used for accumulators, whose twins
// have tokens of their own.
static Twins twins_bind(Jvp *j, const Stm *stm, Types types) {
  Twins t = {0};
  Prog *prog = j->w.to.prog;
  for (int k = 0; k < stm->bound.len; k++)
    list_push(prog->arena, &t.primal, rewrite_var(&j->w, stm->bound.at[k]));
  for (int k = 0; k < stm->bound.len; k++) {
    if (!varies(j, stm->bound.at[k])) continue;
    const VarInfo *info = var_info(prog, t.primal.at[k]);
    Type type = info->type.is_acc ? types.at[stm->bound.len + t.of.len] : info->type;
    if (!type.is_acc) type = tangent_type(j, type);
    list_push(prog->arena, &t.tangent, var_new(prog, info->base, type_fresh(type)));
    list_push(prog->arena, &t.of, k);
  }
  for (int i = 0; i < t.of.len; i++)
    tangent_set(j, stm->bound.at[t.of.at[i]], atom_var(t.tangent.at[i]));
  return t;
}

static Vars vars_concat(Arena *arena, Vars a, Vars b) {
  Vars out = {0};
  for (int i = 0; i < a.len; i++) list_push(arena, &out, a.at[i]);
  for (int i = 0; i < b.len; i++) list_push(arena, &out, b.at[i]);
  return out;
}

static void emit(Jvp *j, const Stm *stm, Exp exp, Vars bound) {
  build_stm(&j->w.to, (Stm){.bound = bound, .exp = exp, .attrs = stm->attrs, .loc = j->w.to.loc});
}

// Results, then tangents of those whose bound variable varies.
static Atoms results_with_tangents(Jvp *j, Atoms results, Vars bound) {
  Atoms out = rewrite_atoms(&j->w, results);
  for (int k = 0; k < results.len; k++)
    if (varies(j, bound.at[k])) list_push(arena_of(j), &out, tangent_dense(j, results.at[k]));
  return out;
}

// match c { .. -> body }    match c { .. -> (body, tangents of its results) }
void jvp_match(Jvp *j, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  Exp exp = {.form = FORM_MATCH, .match = {.args = rewrite_atoms(&j->w, e->args)}};
  Stms *saved = j->w.to.stms;
  for (int i = 0; i < e->cases.len; i++) {
    Case c = {.pats = {0}};
    for (int k = 0; k < e->cases.at[i].pats.len; k++)
      list_push(arena_of(j), &c.pats, e->cases.at[i].pats.at[k]);
    j->w.to.stms = &c.body.stms;
    jvp_stms(j, e->cases.at[i].body.stms);
    c.body.results = results_with_tangents(j, e->cases.at[i].body.results, stm->bound);
    list_push(arena_of(j), &exp.match.cases, c);
  }
  j->w.to.stms = saved;
  Atoms first = exp.match.cases.at[0].body.results;
  Twins t = twins_bind(j, stm, types_of_atoms(j->w.to.prog, first));
  emit(j, stm, exp, vars_concat(arena_of(j), t.primal, t.tangent));
}

// loop p = a { r }    loop (p, dp) = (a, da) { (r, dr) }
void jvp_loop(Jvp *j, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  Prog *prog = j->w.to.prog;
  int first = e->is_for ? 1 : 0;
  Exp exp = stm->exp;
  exp.loop.bound = rewrite_atom(&j->w, e->bound);
  exp.loop.inits = rewrite_atoms(&j->w, e->inits);
  Lambda *fn = exp.loop.fn = NEW(prog->arena, Lambda);
  for (int k = 0; k < e->inits.len; k++)
    if (varies(j, e->fn->params.at[first + k]))
      list_push(prog->arena, &exp.loop.inits, tangent_dense(j, e->inits.at[k]));
  for (int k = 0; k < e->fn->params.len; k++)
    list_push(prog->arena, &fn->params, rewrite_var(&j->w, e->fn->params.at[k]));
  Vars varied = {0};
  for (int k = 0; k < e->inits.len; k++) {
    Var p = fn->params.at[first + k], source = e->fn->params.at[first + k];
    if (!varies(j, source)) continue;
    Type t = var_type(prog, p);
    if (t.is_acc) t = atom_type(prog, tangent_of(j, e->inits.at[k]));
    else if (j->marks) t.prim = PRIM_U64;
    Var dp = var_new(prog, var_info(prog, p)->base, t);
    tangent_set(j, source, atom_var(dp));
    list_push(prog->arena, &varied, dp);
  }
  for (int i = 0; i < varied.len; i++) list_push(prog->arena, &fn->params, varied.at[i]);
  Stms *saved = j->w.to.stms;
  j->w.to.stms = &fn->body.stms;
  jvp_stms(j, e->fn->body.stms);
  fn->body.results = results_with_tangents(j, e->fn->body.results, stm->bound);
  j->w.to.stms = saved;
  for (int k = 0; k < e->inits.len; k++)  // sizes may be the body's
    list_push(prog->arena, &fn->rets, rewrite_type(&j->w, e->fn->rets.at[k]));
  for (int k = 0, i = 0; k < e->inits.len; k++)
    if (varies(j, e->fn->params.at[first + k])) {
      Type t = var_type(prog, varied.at[i++]);
      list_push(prog->arena, &fn->rets, t.is_acc ? t : tangent_type(j, fn->rets.at[k]));
    }
  Twins t = twins_bind(j, stm, fn->rets);
  emit(j, stm, exp, vars_concat(prog->arena, t.primal, t.tangent));
}

// map (\x -> r) xs    map (\x dx -> (r, dr)) xs dxs
void jvp_map(Jvp *j, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  Prog *prog = j->w.to.prog;
  Exp exp = {.form = FORM_MAP, .map = {.width = rewrite_atom(&j->w, e->width)}};
  Lambda *fn = exp.map.fn = NEW(prog->arena, Lambda);
  exp.map.inputs = rewrite_atoms(&j->w, e->inputs);
  for (int k = 0; k < e->inputs.len; k++)
    list_push(prog->arena, &fn->params, rewrite_var(&j->w, e->fn->params.at[k]));
  for (int k = 0; k < e->inputs.len; k++) {
    Atom dx = tangent_of(j, e->inputs.at[k]);
    if (atom_absent(dx)) continue;
    Type t = type_fresh(atom_type(prog, dx));
    Var p = fn->params.at[k];
    Var dp = var_new(prog, var_info(prog, p)->base, t.is_acc ? t : type_row(t));
    list_push(prog->arena, &fn->params, dp);
    list_push(prog->arena, &exp.map.inputs, dx);
    tangent_set(j, e->fn->params.at[k], atom_var(dp));
  }
  Stms *saved = j->w.to.stms;
  j->w.to.stms = &fn->body.stms;
  jvp_stms(j, e->fn->body.stms);
  fn->body.results = results_with_tangents(j, e->fn->body.results, stm->bound);
  fn->rets = types_of_atoms(prog, fn->body.results);
  j->w.to.stms = saved;
  Twins t = twins_bind(j, stm, exp_types(prog, &exp));
  emit(j, stm, exp, vars_concat(prog->arena, t.primal, t.tangent));
}

// ---- associative operators
// The results of op that vary when the marked components and the free variables of op do.
static VarSet varied_under(Jvp *j, const Lambda *op, const bool *marked) {
  VarSet set = varset_new(arena_of(j));
  set.calls = j->varied.calls;
  Vars free = lambda_free(j->w.from, arena_of(j), op);
  for (int i = 0; i < free.len; i++)
    if (varset_has(&j->varied, free.at[i])) varset_add(&set, free.at[i]);
  int n = op->body.results.len;
  for (int k = 0; k < 2 * n; k++)
    if (marked[k % n]) varset_add(&set, op->params.at[k]);
  varied_body(j->w.from, &set, &op->body);
  return set;
}

// A neutral element must be neutral for tangents, too: (z, 0) op (y, dy) = (y, dy).  Where op has
// no derivative (`&` of integers) that holds only without tangents: no element has one.
static void components_stop(Jvp *j, const Lambda *op, bool *varied) {
  for (bool changed = true; changed;) {
    VarSet set = varied_under(j, op, varied);
    changed = false;
    for (int k = 0; k < op->body.results.len; k++) {
      if (!varied[k] || varset_has_atom(&set, op->body.results.at[k])) continue;
      varied[k] = false;
      changed = true;
    }
  }
}

// Which components of op carry tangents, given those of what it is applied to (n of each kind:
// inputs, destinations): a fixpoint.
static bool *components_varied(Jvp *j, const Lambda *op, Atoms operands) {
  int n = op->body.results.len;
  bool *varied = NEW_ARRAY(arena_of(j), bool, n + 1);
  for (int k = 0; k < operands.len; k++)
    varied[k % n] = varied[k % n] || varset_has_atom(&j->varied, operands.at[k]);
  for (bool changed = true; changed;) {
    changed = false;
    for (int k = 0; k < n; k++)
      if (varied[k]) {
        varset_add(&j->varied, op->params.at[k]);
        varset_add(&j->varied, op->params.at[n + k]);
      }
    varied_body(j->w.from, &j->varied, &op->body);
    guard_body(&j->safe, &op->body);
    for (int k = 0; k < n; k++)
      if (!varied[k] && varset_has_atom(&j->varied, op->body.results.at[k]))
        varied[k] = changed = true;
  }
  if (!rule_is_sum(j->w.from, op)) components_stop(j, op, varied);
  return varied;
}

static Type operand_type(Jvp *j, Var param, bool tangent) {
  Type t = rewrite_type(&j->w, var_type(j->w.to.prog, param));
  return tangent ? tangent_type(j, t) : type_fresh(t);
}

//   ((x, dx), (y, dy)) -> (op(x, y), J1 dx + J2 dy)
// It is associative whenever op is.  Sums are linear, `or` of bool among them.
static Lambda *operator_lift(Jvp *j, const Lambda *op, const bool *varied) {
  Prog *prog = j->w.to.prog;
  int n = op->body.results.len;
  Types types = {0};
  for (int half = 0; half < 2; half++)
    for (int tangents = 0; tangents < 2; tangents++)
      for (int k = 0; k < n; k++)
        if (!tangents || varied[k])
          list_push(prog->arena, &types, operand_type(j, op->params.at[k], tangents));
  LambdaBuilder lb = lambda_begin(&j->w.to, "x", types);
  Builder saved = j->w.to;
  j->w.to = lb.inner;
  Atoms args = {0}, dargs = {0};
  for (int half = 0, at = 0; half < 2; half++) {
    int base = at;
    at += n;
    for (int k = 0; k < n; k++) {
      list_push(prog->arena, &args, atom_var(lb.lambda->params.at[base + k]));
      Atom dx = varied[k] ? atom_var(lb.lambda->params.at[at]) : atom_none();
      list_push(prog->arena, &dargs, dx);
      at += varied[k];
    }
  }
  for (int k = 0; k < 2 * n; k++)
    if (atom_absent(dargs.at[k])) tangent_set(j, op->params.at[k], atom_none());
  Atoms out = jvp_call(j, op, args, dargs), kept = {0};
  if (rule_is_sum(j->w.from, op) && varied[0] && op->rets.at[0].prim == PRIM_BOOL)
    out.at[1] = lambda_inline(&j->w.to, rewrite_lambda(&j->w, op), dargs).at[0];
  for (int k = 0; k < 2 * n; k++)
    if (k < n || varied[k - n]) list_push(prog->arena, &kept, out.at[k]);
  j->w.to = saved;
  return lambda_end(&lb, kept);
}

static Atoms inputs_lifted(Jvp *j, Atoms inputs, const bool *varied) {
  Atoms out = rewrite_atoms(&j->w, inputs);
  for (int k = 0; k < inputs.len; k++)
    if (varied[k]) list_push(arena_of(j), &out, tangent_dense(j, inputs.at[k]));
  return out;
}

// The tangent of a neutral element is zero.
static Atoms neutral_lifted(Jvp *j, Atoms neutral, const bool *varied) {
  Atoms out = rewrite_atoms(&j->w, neutral);
  for (int k = 0; k < neutral.len; k++)
    if (varied[k]) {
      Type t = tangent_type(j, atom_type(j->w.to.prog, out.at[k]));
      list_push(arena_of(j), &out, build_zero(&j->w.to, t));
    }
  return out;
}

// Sums are linear: the tangent of the sum is the sum of the tangents.
static void jvp_sum(Jvp *j, const Stm *stm, Exp d) {
  rewrite_stm(&j->w, stm);
  Vars dy = build_exp(&j->w.to, "tangent", d);
  for (int k = 0; k < dy.len; k++) tangent_set(j, stm->bound.at[k], atom_var(dy.at[k]));
}

static void pairs_bind(Jvp *j, const Stm *stm, Exp exp) {
  Twins t = twins_bind(j, stm, (Types){0});
  emit(j, stm, exp, vars_concat(arena_of(j), t.primal, t.tangent));
}

static void vary_bound(Jvp *j, const Stm *stm, const bool *varied) {
  for (int k = 0; k < stm->bound.len; k++)
    if (!varied[k] && varies(j, stm->bound.at[k])) varset_remove(&j->varied, stm->bound.at[k]);
}

// The operands that reduce and scan fold.
typedef struct {
  Lambda **op;
  Atoms *neutral, *inputs;
} Fold;

static Fold fold_of(Exp *e) {
  if (e->form == FORM_REDUCE) return (Fold){&e->reduce.op, &e->reduce.neutral, &e->reduce.inputs};
  return (Fold){&e->scan.op, &e->scan.neutral, &e->scan.inputs};
}

static void jvp_fold(Jvp *j, const Stm *stm, Atom width) {
  Exp source = stm->exp, exp = stm->exp;
  Fold from = fold_of(&source), to = fold_of(&exp);
  if (exp.form == FORM_REDUCE) exp.reduce.width = rewrite_atom(&j->w, width);
  else exp.scan.width = rewrite_atom(&j->w, width);
  const Lambda *op = *from.op;
  const bool *varied = components_varied(j, op, *from.inputs);
  vary_bound(j, stm, varied);
  bool row = op->rets.at[0].rank > 0;
  if (!(row && j->marks) && rule_is_sum(j->w.from, op) &&
      !atom_absent(tangent_of(j, from.inputs->at[0]))) {
    *to.op = j->marks ? lambda_binop(j->w.to.prog, OP_OR, PRIM_U64) : rewrite_lambda(&j->w, op);
    Type zero = tangent_type(j, rewrite_type(&j->w, op->rets.at[0]));
    *to.neutral = atoms1(arena_of(j), build_zero(&j->w.to, zero));
    *to.inputs = atoms1(arena_of(j), tangent_of(j, from.inputs->at[0]));
    jvp_sum(j, stm, exp);
    return;
  }
  *to.op = operator_lift(j, op, varied);
  *to.neutral = neutral_lifted(j, *from.neutral, varied);
  *to.inputs = inputs_lifted(j, *from.inputs, varied);
  pairs_bind(j, stm, exp);
}

void jvp_reduce(Jvp *j, const Stm *stm) { jvp_fold(j, stm, stm->exp.reduce.width); }
void jvp_scan(Jvp *j, const Stm *stm) { jvp_fold(j, stm, stm->exp.scan.width); }

// Where the operator has no derivative, bins that have a value lose the destination's tangent.
static void jvp_bins_kept(Jvp *j, const Stm *stm, int k, Atom bins) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = &j->w.to;
  Atom width = rewrite_atom(&j->w, e->width), d = tangent_dense(j, e->dests.at[k]);
  Type row = type_row(atom_type(b->prog, d));
  Atom none = build_zero(b, type_array(b->prog->arena, row, width));
  tangent_set(j, stm->bound.at[k], build_scatter(b, width, d, bins, none));
  varset_add(&j->varied, stm->bound.at[k]);
}

// reduce_by_index over pairs; destinations of tangents are the tangents of the destinations.
void jvp_hist(Jvp *j, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Prog *prog = j->w.to.prog;
  int n = e->dests.len;
  Atoms values = atoms_slice(e->inputs, 1, n);
  bool *varied = components_varied(j, e->op, atoms_concat(prog->arena, values, e->dests));
  vary_bound(j, stm, varied);
  Exp exp = {.form = FORM_HIST, .hist = {.width = rewrite_atom(&j->w, e->width), .rank = 1}};
  exp.hist.op = operator_lift(j, e->op, varied);
  exp.hist.dests = inputs_lifted(j, e->dests, varied);
  exp.hist.neutral = neutral_lifted(j, e->neutral, varied);
  Atoms index = atoms1(prog->arena, rewrite_atom(&j->w, e->inputs.at[0]));
  exp.hist.inputs = atoms_concat(prog->arena, index, inputs_lifted(j, values, varied));
  exp.hist.fn = lambda_identity(prog, types_rows(prog, exp.hist.inputs));
  pairs_bind(j, stm, exp);
  for (int k = 0; k < n; k++)
    if (!varied[k] && varset_has_atom(&j->varied, e->dests.at[k]))
      jvp_bins_kept(j, stm, k, index.at[0]);
}

// scatter dest is vs    and the tangents along with it: the last of equal indices wins in both
void jvp_scatter(Jvp *j, const Stm *stm) {
  const struct scatter_form *e = &stm->exp.scatter;
  Prog *prog = j->w.to.prog;
  int n = e->dests.len;
  bool *varied = NEW_ARRAY(prog->arena, bool, n);
  for (int k = 0; k < n; k++) varied[k] = varies(j, stm->bound.at[k]);
  Exp exp = {.form = FORM_SCATTER, .scatter = {.width = rewrite_atom(&j->w, e->width), .rank = 1}};
  exp.scatter.dests = inputs_lifted(j, e->dests, varied);
  exp.scatter.inputs = atoms_concat(prog->arena,
                                    atoms1(prog->arena, rewrite_atom(&j->w, e->inputs.at[0])),
                                    inputs_lifted(j, atoms_slice(e->inputs, 1, n), varied));
  exp.scatter.fn = lambda_identity(prog, types_rows(prog, exp.scatter.inputs));
  pairs_bind(j, stm, exp);
}
