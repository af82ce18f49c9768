// Rules for map, reduce, scan, hist, scatter.
#include "opt/common/local.h"
#include <math.h>

static void emit_as(Env *e, const Stm *like, Var bound, Exp exp) {
  Stm stm = stm_like(like, exp);
  stm.bound = (Vars){0};
  list_push(e->arena, &stm.bound, bound);
  env_emit(e, stm);
  e->changed = true;
}

static void emit_copy(Env *e, const Stm *like, Var bound, Atom a) {
  if (env_shared(e, a) && env_shared(e, atom_var(bound))) {
    env_bind(e, bound, a);
    return;
  }
  emit_as(e, like, bound, (Exp){.form = FORM_COPY, .copy = {.arg = a}});
}

// The accumulator input that a result accumulator continues.
static Atom acc_input(Env *e, const Atoms *inputs, Type t) {
  for (int i = 0; i < inputs->len; i++) {
    Type in = atom_type(e->prog, inputs->at[i]);
    if (in.is_acc && in.token.id == t.token.id) return inputs->at[i];
  }
  ice("an accumulator result without its input");
}

static bool no_iterations(Env *e, Stm *stm, const Atoms *inputs, int from) {
  for (int k = from; k < stm->bound.len; k++) {
    Type t = var_type(e->prog, stm->bound.at[k]);
    if (t.is_acc) {
      env_bind(e, stm->bound.at[k], acc_input(e, inputs, t));
      continue;
    }
    Atoms dims = atoms_of(e->arena, t.rank, t.dims);
    emit_as(e, stm, stm->bound.at[k],
            (Exp){.form = FORM_SCRATCH, .scratch = {.prim = t.prim, .dims = dims}});
  }
  return true;
}

static Atom first_row(Env *e, Atom input) {
  if (atom_type(e->prog, input).is_acc) return input;
  Atom zero = atom_i64(0);
  return build_index(&e->to, input, atoms_of(e->arena, 1, &zero));
}

static void emit_equal_rows(Env *e, const Stm *stm, Var y, Atom row) {
  Atoms dims = atoms_of(e->arena, 1, &stm->exp.map.width);
  emit_as(e, stm, y, (Exp){.form = FORM_REPLICATE, .replicate = {.dims = dims, .arg = row}});
}

// The body stands before its rows: there is one iteration, or all of them do the same.
static bool body_before_rows(Env *e, Stm *stm) {
  struct map_form *m = &stm->exp.map;
  for (int i = 0; i < m->inputs.len; i++)
    env_bind(e, m->fn->params.at[i], first_row(e, m->inputs.at[i]));
  simplify_stms_of(e, m->fn->body.stms);
  for (int k = 0; k < stm->bound.len; k++) {
    Atom r = env_atom(e, m->fn->body.results.at[k]);
    if (atom_type(e->prog, r).is_acc) env_bind(e, stm->bound.at[k], r);
    else emit_equal_rows(e, stm, stm->bound.at[k], r);
  }
  e->changed = true;
  return true;
}

// The array that the map makes has the size, too.
static bool is_of_width(const struct map_form *m, const Exp *e) {
  if (e->form != FORM_REPLICATE) return false;
  for (int d = 0; d < e->replicate.dims.len; d++)
    if (!atom_same(e->replicate.dims.at[d], m->width)) return false;
  return true;
}

// Also where there is no iteration, the body does no harm; unfilled memory is not copied.
static bool iterations_are_equal(Env *e, const struct map_form *m) {
  const Stms *stms = &m->fn->body.stms;
  if (m->inputs.len) return false;
  for (int i = 0; i < stms->len; i++) {
    const Stm *stm = &stms->at[i];
    if (stm->exp.form == FORM_SCRATCH) return false;
    if (!exp_is_total(e->prog, stm) && !is_of_width(m, &stm->exp)) return false;
  }
  return true;
}

static bool has_effect(const Exp *exp) {
  return exp->form == FORM_ASSERT || exp->form == FORM_TRACE;
}

static bool is_param(const Lambda *fn, Atom a) {
  for (int i = 0; i < fn->params.len; i++)
    if (atom_is_var(a, fn->params.at[i])) return true;
  return false;
}

// Result k of the map without the map, when it is a parameter, comes from outside, or is there
// already; emits or binds it.
static bool result_known(Env *e, Stm *stm, int k) {
  struct map_form *m = &stm->exp.map;
  Var y = stm->bound.at[k];
  Atom r = env_atom(e, m->fn->body.results.at[k]);
  if (var_info(e->prog, y)->type.is_acc) {
    if (!r.is_var || env_fact(e, r.var)->scope) return false;
    for (int i = 0; i < m->inputs.len; i++)
      if (atom_is_var(r, m->fn->params.at[i]) && env_uses(e, r) == 1) {
        env_bind(e, y, m->inputs.at[i]);
        lambda_drop_param(m->fn, i);
        atoms_drop(&m->inputs, i);
        return true;
      }
    return false;
  }
  bool outside = !r.is_var || env_fact(e, r.var)->scope;
  if (!outside && !is_param(m->fn, r)) return false;
  if (body_has(&m->fn->body, has_effect)) return false;  // that may be about the result
  if (outside) return emit_equal_rows(e, stm, y, r), true;
  for (int i = 0; i < m->inputs.len; i++)
    if (atom_is_var(r, m->fn->params.at[i]) && env_shared(e, m->inputs.at[i])) {
      emit_copy(e, stm, y, m->inputs.at[i]);
      return true;
    }
  return false;
}

// A result that equals an earlier one.
static bool result_repeated(Env *e, Stm *stm, int k) {
  struct map_form *m = &stm->exp.map;
  if (var_info(e->prog, stm->bound.at[k])->type.is_acc) return false;
  if (!env_shared(e, atom_var(stm->bound.at[k]))) return false;
  for (int j = 0; j < k; j++) {
    if (!atom_same(m->fn->body.results.at[j], m->fn->body.results.at[k])) continue;
    if (!env_shared(e, atom_var(stm->bound.at[j]))) return false;
    env_bind(e, stm->bound.at[k], atom_var(stm->bound.at[j]));
    return true;
  }
  return false;
}

bool rule_map(Env *e, Stm *stm) {
  struct map_form *m = &stm->exp.map;
  if (atom_is(m->width, 0)) return no_iterations(e, stm, &m->inputs, 0);
  if (atom_is(m->width, 1)) return body_before_rows(e, stm);
  inputs_simplify(e, m->width, m->fn, &m->inputs);
  if (iterations_are_equal(e, m)) return body_before_rows(e, stm);
  for (int k = stm->bound.len - 1; k >= 0; k--) {
    if (!result_known(e, stm, k) && !result_repeated(e, stm, k)) continue;
    vars_drop(&stm->bound, k);
    lambda_drop_result(m->fn, k);
    e->changed = true;
  }
  if (stm->bound.len) return false;
  e->changed = true;
  return true;
}

static bool bind_all(Env *e, Stm *stm, const Atoms *to) {
  for (int k = 0; k < stm->bound.len; k++) env_bind(e, stm->bound.at[k], to->at[k]);
  e->changed = true;
  return true;
}

static bool is_finite(Atom a) { return !a.is_var && isfinite(a.value.f); }

// sum of n times v is n * v; where n may be 0 and v infinite, 0 * v would be no number.
static bool sum_of_replicate(Env *e, Stm *stm) {
  const struct reduce_form *r = &stm->exp.reduce;
  Op op;
  Prim p;
  if (r->inputs.len != 1 || !lambda_is_op(r->op, &op, &p) || op != OP_ADD) return false;
  Stm *def = env_def_as(e, r->inputs.at[0], FORM_REPLICATE);
  if (!def || def->exp.replicate.dims.len != 1) return false;
  if (r->width.is_var && env_differentiable(e, PRIM_I64)) return false;  // n has no derivative
  Atom v = def->exp.replicate.arg, zero = r->neutral.at[0];
  bool plain = !prim_is_float(p) || is_finite(v) || index_in_range(e, atom_i64(0), r->width);
  Atom n = build_conv(&e->to, p, r->width), sum = build_op(&e->to, OP_MUL, v, n);
  sum = build_op(&e->to, OP_ADD, zero, sum);
  if (plain) return env_replace(e, stm, sum);
  Atom none = build_op(&e->to, OP_EQ, r->width, atom_i64(0));
  return env_replace(e, stm, build_select(&e->to, none, zero, sum));
}

// An operator that gives the neutral element whatever its operands are (the tangent of `or`).
static void reduce_to_neutral(Env *e, Stm *stm) {
  const struct reduce_form *r = &stm->exp.reduce;
  for (int k = 0; k < stm->bound.len; k++) {
    Atom z = r->neutral.at[k];
    if (z.is_var || !atom_same(r->op->body.results.at[k], z)) continue;
    if (env_uses(e, atom_var(stm->bound.at[k])) == 0) continue;
    env_bind(e, stm->bound.at[k], z);
    e->changed = true;
  }
}

bool rule_reduce(Env *e, Stm *stm) {
  const struct reduce_form *r = &stm->exp.reduce;
  if (atom_is(r->width, 0)) {
    for (int k = 0; k < stm->bound.len; k++)
      if (!env_shared(e, atom_var(stm->bound.at[k]))) return false;
    return bind_all(e, stm, &r->neutral);
  }
  if (atom_is(r->width, 1)) {
    Atoms args = atoms_concat(e->arena, r->neutral, (Atoms){0});
    for (int k = 0; k < r->inputs.len; k++)
      list_push(e->arena, &args, first_row(e, r->inputs.at[k]));
    Atoms results = env_inline(e, r->op, args);
    return bind_all(e, stm, &results);
  }
  reduce_to_neutral(e, stm);
  return sum_of_replicate(e, stm);
}

bool rule_scan(Env *e, Stm *stm) {
  if (atom_is(stm->exp.scan.width, 0)) return no_iterations(e, stm, &stm->exp.scan.inputs, 0);
  return false;
}

// Result k of `post`, as a result of the lambda before it.
static Atom passed_on(const Lambda *post, const Lambda *fn, int k) {
  Atom a = post->body.results.at[k];
  for (int i = 0; i < post->params.len; i++)
    if (atom_is_var(a, post->params.at[i])) return fn->body.results.at[i];
  return a;
}

static bool passes_once(const Lambda *post) {
  for (int i = 0; i < post->body.results.len; i++)
    for (int k = 0; k < i; k++)
      if (atom_same(post->body.results.at[i], post->body.results.at[k])) return false;
  return post->body.stms.len == 0;
}

// Without scans and reductions, which other rules took away, it is a map.
static bool screma_to_map(Env *e, Stm *stm) {
  struct screma_form s = stm->exp.screma;
  if (s.scans.len || s.reds.len || !passes_once(s.post)) return false;
  Lambda *fn = arena_copy(e->arena, s.fn, sizeof *s.fn);
  fn->body.results = (Atoms){0};
  fn->rets = (Types){0};
  for (int k = 0; k < s.post->body.results.len; k++) {
    list_push(e->arena, &fn->body.results, passed_on(s.post, s.fn, k));
    list_push(e->arena, &fn->rets, s.post->rets.at[k]);
  }
  stm->exp = (Exp){.form = FORM_MAP, .map = {.width = s.width, .fn = fn, .inputs = s.inputs}};
  e->changed = true;
  return true;
}

bool rule_screma(Env *e, Stm *stm) {
  struct screma_form *s = &stm->exp.screma;
  inputs_simplify(e, s->width, s->fn, &s->inputs);
  return screma_to_map(e, stm) && rule_map(e, stm);
}

bool rule_hist(Env *e, Stm *stm) {
  struct hist_form *h = &stm->exp.hist;
  if (atom_is(h->width, 0)) return bind_all(e, stm, &h->dests);
  inputs_simplify(e, h->width, h->fn, &h->inputs);
  return false;
}

bool rule_scatter(Env *e, Stm *stm) {
  struct scatter_form *s = &stm->exp.scatter;
  if (atom_is(s->width, 0)) return bind_all(e, stm, &s->dests);
  inputs_simplify(e, s->width, s->fn, &s->inputs);
  return false;
}

// A further result that the lambda only passes on: a constant or a variable from outside.
static void withacc_passed(Env *e, Stm *stm) {
  const struct withacc_form *w = &stm->exp.withacc;
  for (int k = w->arrays.len; k < stm->bound.len; k++) {
    Atom r = env_atom(e, w->fn->body.results.at[k]);
    bool inside = false;
    for (int i = 0; r.is_var && i < w->fn->params.len; i++)
      inside = inside || atom_is_var(r, w->fn->params.at[i]);
    for (int i = 0; r.is_var && i < w->fn->body.stms.len; i++)
      for (int j = 0; j < w->fn->body.stms.at[i].bound.len; j++)
        inside = inside || atom_is_var(r, w->fn->body.stms.at[i].bound.at[j]);
    if (!inside) env_bind(e, stm->bound.at[k], r);
  }
}

// An accumulator that comes back unused; without accumulators the body stands alone.
bool rule_withacc(Env *e, Stm *stm) {
  struct withacc_form *w = &stm->exp.withacc;
  withacc_passed(e, stm);
  for (int k = w->arrays.len - 1; k >= 0; k--) {
    Var p = w->fn->params.at[k];
    if (!atom_is_var(env_atom(e, w->fn->body.results.at[k]), p)) continue;
    if (env_uses(e, atom_var(p)) != 1) continue;
    env_bind(e, stm->bound.at[k], w->arrays.at[k]);
    withacc_drop(stm, k);
  }
  for (int k = 0; k < w->arrays.len; k++)
    env_fact(e, w->fn->params.at[k])->op = &w->ops.at[k];
  if (w->arrays.len) return false;
  simplify_stms_of(e, w->fn->body.stms);
  return bind_all(e, stm, &w->fn->body.results);
}

static bool is_zero(Env *e, Atom v) {
  if (!v.is_var) return atom_is(v, 0);
  Stm *def = env_def_as(e, v, FORM_REPLICATE);
  return def && !def->exp.replicate.arg.is_var && atom_is(def->exp.replicate.arg, 0);
}

static bool updates_in_range(Env *e, const struct updateacc_form *u) {
  Type t = atom_type(e->prog, u->acc);
  for (int i = 0; i < u->index.len; i++)
    if (!index_in_range(e, u->index.at[i], t.dims[i])) return false;
  return true;
}

// acc[i] += 0 is nothing.
bool rule_updateacc(Env *e, Stm *stm) {
  const struct updateacc_form *u = &stm->exp.updateacc;
  if (!stm->attrs.unchecked) stm->attrs.unchecked = updates_in_range(e, u);
  const Operator *op = env_fact(e, atom_type(e->prog, u->acc).token)->op;
  Op which;
  Prim p;
  if (!op || !op->op || !lambda_is_op(op->op, &which, &p) || which != OP_ADD) return false;
  return is_zero(e, u->value) && env_replace(e, stm, u->acc);
}
