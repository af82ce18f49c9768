// Rules for branches, loops and assertions.
#include "opt/common/local.h"

#include <string.h>

static void assume_order(Env *e, Op op, Atom x, Atom y, bool holds) {
  if (op == OP_LT || op == OP_LE) {
    if (holds) env_at_most_here(e, x, y, op == OP_LT);
    else env_at_most_here(e, y, x, op == OP_LE);
  }
  if (op != OP_EQ && op != OP_NE) return;
  if ((op == OP_EQ) != holds) {
    env_differ_here(e, x, y);
    return;
  }
  env_at_most_here(e, x, y, 0);
  env_at_most_here(e, y, x, 0);
}

// Facts from a condition: its own value, the parts of conjunctions, ranges from comparisons.
static void assume_op(Env *e, const struct prim_form *p, bool holds) {
  Atom x = p->args.at[0], y = p->args.len > 1 ? p->args.at[1] : x;
  if (p->op == OP_NOT && p->prim == PRIM_BOOL) env_assume(e, x, !holds);
  if ((p->op == OP_AND && p->prim == PRIM_BOOL && holds) || (p->op == OP_OR && !holds)) {
    env_assume(e, x, holds);
    env_assume(e, y, holds);
    env_assume(e, x, holds);
  }
  if (p->prim != PRIM_I64) return;
  assume_order(e, p->op, x, y, holds);
  if (p->op == OP_LT && holds && x.is_var && !env_fact(e, x.var)->has_below && atom_nonneg(e, x))
    env_below_here(e, x.var, y);
  if (p->op == OP_LE && holds && !x.is_var && y.is_var) env_least_here(e, y.var, x.value.i);
  if (p->op == OP_LT && holds && !x.is_var && y.is_var && x.value.i < INT64_MAX)
    env_least_here(e, y.var, x.value.i + 1);
  if (p->op == OP_LT && !holds && !y.is_var && x.is_var) env_least_here(e, x.var, y.value.i);
  Atom var = x.is_var ? x : y, other = x.is_var ? y : x;
  if (var.is_var && !other.is_var && p->op == (holds ? OP_NE : OP_EQ) &&
      env_fact(e, var.var)->has_least && env_fact(e, var.var)->least == other.value.i &&
      other.value.i < INT64_MAX)
    env_least_here(e, var.var, other.value.i + 1);
  if (p->op == OP_EQ && holds && !x.is_var != !y.is_var && !env_differentiable(e, PRIM_I64)) {
    if (!env_fact(e, var.var)->has_subst) env_bind_here(e, var.var, other);
  }
}

void env_assume(Env *e, Atom cond, bool holds) {
  if (!cond.is_var) return;
  Stm *def = env_def_as(e, cond, FORM_PRIM);
  if (def) assume_op(e, &def->exp.prim, holds);
  Fact *f = env_fact(e, cond.var);
  if (!f->has_subst) env_bind_here(e, cond.var, atom_bool(holds));
}

static bool case_matches(const Case *c, Atoms args, bool *known) {
  *known = true;
  for (int i = 0; i < c->pats.len; i++) {
    if (c->pats.at[i].any) continue;
    if (args.at[i].is_var) *known = false;
    else if (!scalar_same(args.at[i].value, c->pats.at[i].lit)) {
      *known = true;
      return false;
    }
  }
  return *known;
}

static bool take_case(Env *e, Stm *stm, Body *body) {
  simplify_stms_of(e, body->stms);
  for (int i = 0; i < stm->bound.len; i++) env_bind(e, stm->bound.at[i], body->results.at[i]);
  e->changed = true;
  return true;
}

// Cases that cannot match go; the first that must match is the last.
static bool known_case(Env *e, Stm *stm) {
  struct match_form *m = &stm->exp.match;
  Cases out = {0};
  for (int i = 0; i < m->cases.len; i++) {
    bool known, yes = case_matches(&m->cases.at[i], m->args, &known);
    if (known && !yes) continue;
    list_push(e->arena, &out, m->cases.at[i]);
    if (!yes) continue;
    memset(&out.at[out.len - 1].pats, 0, sizeof out.at[0].pats);
    break;
  }
  if (out.len == 1) return take_case(e, stm, &out.at[0].body);
  if (out.len < m->cases.len) e->changed = true;
  m->cases = out;
  return false;
}

// A result that every branch takes from outside, the same everywhere.
static void common_results(Env *e, Stm *stm) {
  struct match_form *m = &stm->exp.match;
  for (int k = stm->bound.len - 1; k >= 0; k--) {
    Atom first = env_atom(e, m->cases.at[0].body.results.at[k]);
    bool same = true;
    for (int i = 1; i < m->cases.len && same; i++)
      same = atom_same(env_atom(e, m->cases.at[i].body.results.at[k]), first);
    if (!same) continue;
    env_bind(e, stm->bound.at[k], first);
    for (int i = 0; i < m->cases.len; i++) atoms_drop(&m->cases.at[i].body.results, k);
    vars_drop(&stm->bound, k);
  }
}

// Two results that are one in every branch.
static void equal_results(Env *e, Stm *stm) {
  struct match_form *m = &stm->exp.match;
  for (int k = stm->bound.len - 1; k > 0; k--) {
    if (!type_is_scalar(var_type(e->prog, stm->bound.at[k]))) continue;
    for (int j = 0; j < k; j++) {
      bool same = true;
      for (int i = 0; i < m->cases.len && same; i++)
        same = atom_same(m->cases.at[i].body.results.at[j], m->cases.at[i].body.results.at[k]);
      if (!same) continue;
      env_bind(e, stm->bound.at[k], atom_var(stm->bound.at[j]));
      for (int i = 0; i < m->cases.len; i++) atoms_drop(&m->cases.at[i].body.results, k);
      vars_drop(&stm->bound, k);
      break;
    }
  }
}

static bool branch_is_trivial(const Prog *prog, const Body *body) {
  if (body->stms.len > 3) return false;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (!exp_is_cheap(&stm->exp)) return false;
    if (stm->exp.form == FORM_PRIM && op_may_fail(stm->exp.prim.op, stm->exp.prim.prim))
      return false;
  }
  for (int i = 0; i < body->results.len; i++)
    if (!type_is_scalar(atom_type(prog, body->results.at[i]))) return false;
  return true;
}

// Whether a partial of a float operation in the branch may be infinite, or not a number.
static bool branch_has_products(const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const struct prim_form *p = &body->stms.at[i].exp.prim;
    if (body->stms.at[i].exp.form != FORM_PRIM || !prim_is_float(p->prim)) continue;
    bool factor = p->op == OP_MUL && p->args.at[0].is_var && p->args.at[1].is_var;
    bool divisor = (p->op == OP_DIV || p->op == OP_MOD) && p->args.at[1].is_var;
    if (factor || divisor) return true;
  }
  return false;
}

// Two branches of a few harmless scalar statements are selects.  Not yet where reverse mode may
// come by: it adds nothing for a branch that is not taken, but 0 * infinity for a select.
static bool to_select(Env *e, Stm *stm) {
  struct match_form *m = &stm->exp.match;
  if (m->cases.len != 2 || m->args.len != 1 || m->cases.at[0].pats.at[0].any) return false;
  Body *yes = &m->cases.at[0].body, *no = &m->cases.at[1].body;
  if (!branch_is_trivial(e->prog, yes) || !branch_is_trivial(e->prog, no)) return false;
  if (e->reverse && (branch_has_products(yes) || branch_has_products(no))) return false;
  Scalar lit = m->cases.at[0].pats.at[0].lit;
  Atom c = m->args.at[0];
  if (lit.prim != PRIM_BOOL) c = build_op(&e->to, OP_EQ, c, atom_scalar(lit));
  else if (!lit.i) { Body *t = yes; yes = no; no = t; }
  simplify_stms_of(e, yes->stms);
  simplify_stms_of(e, no->stms);
  for (int k = 0; k < stm->bound.len; k++) {
    Atom x = env_atom(e, yes->results.at[k]), y = env_atom(e, no->results.at[k]);
    env_bind(e, stm->bound.at[k], build_select(&e->to, c, x, y));
  }
  e->changed = true;
  return true;
}

bool rule_match(Env *e, Stm *stm) {
  if (known_case(e, stm)) return true;
  common_results(e, stm);
  equal_results(e, stm);
  if (stm->bound.len == 0) {
    bool effect = exp_has_effect(&stm->exp);
    e->changed = e->changed || !effect;
    return !effect;
  }
  return to_select(e, stm);
}

static int first_param(const struct loop_form *l) { return l->is_for ? 1 : 0; }

static bool inline_once(Env *e, Stm *stm) {
  struct loop_form *l = &stm->exp.loop;
  if (l->is_for) env_bind(e, l->fn->params.at[0], atom_scalar(scalar_int(l->bound.value.prim, 0)));
  for (int i = 0; i < l->inits.len; i++)
    env_bind(e, l->fn->params.at[first_param(l) + i], l->inits.at[i]);
  return take_case(e, stm, &l->fn->body);
}

// A loop of at most one iteration over a few total scalar statements becomes selects (to_select).
static bool once_to_select(Env *e, Stm *stm) {
  struct loop_form *l = &stm->exp.loop;
  const Stm *def = l->is_for ? env_def_as(e, l->bound, FORM_PRIM) : NULL;
  if (!def || def->exp.prim.op != OP_SELECT) return false;
  Atoms args = def->exp.prim.args;
  bool then = atom_is(args.at[1], 1) && atom_is(args.at[2], 0);
  if (!then && !(atom_is(args.at[1], 0) && atom_is(args.at[2], 1))) return false;
  Body *body = &l->fn->body;
  if (!branch_is_trivial(e->prog, body) || (e->reverse && branch_has_products(body))) return false;
  Prim counter = var_type(e->prog, l->fn->params.at[0]).prim;
  env_bind(e, l->fn->params.at[0], atom_scalar(scalar_int(counter, 0)));
  for (int k = 0; k < l->inits.len; k++) env_bind(e, l->fn->params.at[1 + k], l->inits.at[k]);
  simplify_stms_of(e, body->stms);
  for (int k = 0; k < stm->bound.len; k++) {
    Atom done = env_atom(e, body->results.at[k]), not_done = l->inits.at[k];
    env_bind(e, stm->bound.at[k],
             build_select(&e->to, args.at[0], then ? done : not_done, then ? not_done : done));
  }
  e->changed = true;
  return true;
}

// Only loops marked so; every iteration is a fresh copy.
static bool unroll(Env *e, Stm *stm) {
  struct loop_form *l = &stm->exp.loop;
  Atoms state = l->inits;
  for (int64_t i = 0; i < l->bound.value.i; i++) {
    Atom at = atom_scalar(scalar_int(l->bound.value.prim, i));
    state = env_inline(e, l->fn, atoms_concat(e->arena, atoms_of(e->arena, 1, &at), state));
  }
  for (int k = 0; k < stm->bound.len; k++) env_bind(e, stm->bound.at[k], state.at[k]);
  return true;
}

static void drop_loop_param(Stm *stm, int k) {
  struct loop_form *l = &stm->exp.loop;
  lambda_drop_param(l->fn, first_param(l) + k);
  lambda_drop_result(l->fn, k);
  atoms_drop(&l->inits, k);
  vars_drop(&stm->bound, k);
  if (!l->is_for && l->cond > k) l->cond--;
}

// A parameter that every iteration passes on unchanged is its initial value.
static void invariant_params(Env *e, Stm *stm) {
  struct loop_form *l = &stm->exp.loop;
  for (int k = l->inits.len - 1; k >= 0; k--) {
    if (!l->is_for && l->cond == k) continue;
    Var p = l->fn->params.at[first_param(l) + k];
    Atom r = env_atom(e, l->fn->body.results.at[k]);
    if (!atom_is_var(r, p) && !atom_same(r, l->inits.at[k])) continue;
    Atom init = l->inits.at[k];
    env_bind(e, p, init);
    env_bind(e, stm->bound.at[k], init);
    drop_loop_param(stm, k);
    e->changed = true;
  }
}

enum { PAIR_LISTS = 256 };

static int pair_list(Atom start, Atom step) {
  uint64_t h = start.is_var ? start.var.id : (uint64_t)start.value.prim;
  h = h * 31 + (step.is_var ? step.var.id : (uint64_t)step.value.prim);
  return (int)(h % PAIR_LISTS);
}

// By parameter: the first one with the same start and step.
static int *first_equal(Env *e, const struct loop_form *l) {
  int n = l->inits.len, head[PAIR_LISTS];
  int *first = NEW_ARRAY(e->scratch, int, n + 1), *next = NEW_ARRAY(e->scratch, int, n + 1);
  for (int i = 0; i < PAIR_LISTS; i++) head[i] = -1;
  for (int k = 0; k < n; k++) {
    Atom start = l->inits.at[k], step = l->fn->body.results.at[k];
    int *list = &head[pair_list(start, step)], j = *list;
    while (j >= 0 && !(atom_same(l->inits.at[j], start) &&
                       atom_same(l->fn->body.results.at[j], step)))
      j = next[j];
    first[k] = j >= 0 ? j : k;
    if (j >= 0) continue;
    next[k] = *list;
    *list = k;
  }
  return first;
}

// Two scalar parameters with one start and one step are one.
static void equal_params(Env *e, Stm *stm) {
  struct loop_form *l = &stm->exp.loop;
  const int *first = first_equal(e, l);
  for (int k = l->inits.len - 1; k > 0; k--) {
    if (first[k] == k || (!l->is_for && l->cond == k)) continue;
    if (!type_is_scalar(var_type(e->prog, stm->bound.at[k]))) continue;
    env_bind(e, l->fn->params.at[first_param(l) + k],
             atom_var(l->fn->params.at[first_param(l) + first[k]]));
    env_bind(e, stm->bound.at[k], atom_var(stm->bound.at[first[k]]));
    drop_loop_param(stm, k);
  }
}

// The sums and differences of a body, by the variable they are bound to.
static Map *sums_of(Env *e, const Body *body) {
  Map *sums = map_new(e->scratch);
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    const struct prim_form *x = &stm->exp.prim;
    if (stm->exp.form != FORM_PRIM || x->prim != PRIM_I64) continue;
    if (x->op == OP_ADD || x->op == OP_SUB) map_put(sums, stm->bound.at[0].id + 1ull, (void *)x);
  }
  return sums;
}

// Body result r is p + c or p - c with c from outside: the operation and c.
static bool steps_by(Env *e, const Map *sums, Atom r, Var p, Op *op, Atom *c) {
  const struct prim_form *x = r.is_var ? map_get(sums, r.var.id + 1ull) : NULL;
  if (!x) return false;
  bool first = atom_is_var(x->args.at[0], p), second = atom_is_var(x->args.at[1], p);
  if (first == second || (second && x->op == OP_SUB)) return false;
  *op = x->op;
  *c = env_atom(e, x->args.at[first ? 1 : 0]);
  return !c->is_var || env_fact(e, c->var)->scope != 0;
}

static Stm op_stm(Env *e, Var v, Op op, Atom x, Atom y) {
  Stm stm = {.exp = {.form = FORM_PRIM, .prim = {.op = op, .prim = PRIM_I64}}};
  stm.exp.prim.args = atoms_of(e->arena, 2, (Atom[]){x, y});
  list_push(e->arena, &stm.bound, v);
  return stm;
}

typedef struct {
  Stm way, value;  // i * c and what the parameter is with it
} Counter;

typedef LIST(Counter) Counters;

static void counters_begin(Env *e, Body *body, const Counters *counters) {
  Stms stms = {0};
  for (int i = counters->len - 1; i >= 0; i--) {
    list_push(e->arena, &stms, counters->at[i].way);
    list_push(e->arena, &stms, counters->at[i].value);
  }
  for (int i = 0; i < body->stms.len; i++) list_push(e->arena, &stms, body->stms.at[i]);
  body->stms = stms;
}

// A counter: p = init + i * c in iteration i, init + max(n, 0) * c in the end, though n and i have
// no derivative, p may.
static void counters(Env *e, Stm *stm) {
  struct loop_form *l = &stm->exp.loop;
  if (!l->is_for || atom_type(e->prog, l->bound).prim != PRIM_I64) return;
  if (l->bound.is_var && env_differentiable(e, PRIM_I64)) return;
  const Map *sums = NULL;
  Counters counters = {0};
  for (int k = l->inits.len - 1; k >= 0; k--) {
    Var p = l->fn->params.at[1 + k];
    Op op;
    Atom c;
    if (!env_fact(e, p)->counted || env_fact(e, p)->type_uses) continue;
    if (!sums) sums = sums_of(e, &l->fn->body);
    if (!steps_by(e, sums, l->fn->body.results.at[k], p, &op, &c)) continue;
    Var way = var_new(e->prog, "way", type_scalar(PRIM_I64));
    Counter counter = {.way = op_stm(e, way, OP_MUL, atom_var(l->fn->params.at[0]), c),
                       .value = op_stm(e, p, op, l->inits.at[k], atom_var(way))};
    list_push(e->scratch, &counters, counter);
    Atom trips = build_op(&e->to, OP_MAX, l->bound, atom_i64(0));
    Atom total = build_op(&e->to, OP_MUL, trips, c);
    env_bind(e, stm->bound.at[k], build_op(&e->to, op, l->inits.at[k], total));
    drop_loop_param(stm, k);
  }
  if (counters.len) counters_begin(e, &l->fn->body, &counters);
}

enum { UNROLL_TRIPS = 64 };

bool rule_loop(Env *e, Stm *stm) {
  struct loop_form *l = &stm->exp.loop;
  int64_t n;
  if (l->is_for && atom_const_i64(l->bound, &n)) {
    if (n <= 0) {
      for (int k = 0; k < stm->bound.len; k++) env_bind(e, stm->bound.at[k], l->inits.at[k]);
      return true;
    }
    if (n == 1) return inline_once(e, stm);
    if (stm->attrs.unroll && n <= UNROLL_TRIPS) return unroll(e, stm);
  }
  if (once_to_select(e, stm)) return true;
  if (!l->is_for && atom_is(l->inits.at[l->cond], 0)) {
    for (int k = 0; k < stm->bound.len; k++) env_bind(e, stm->bound.at[k], l->inits.at[k]);
    return true;
  }
  invariant_params(e, stm);
  equal_params(e, stm);
  counters(e, stm);
  return false;
}

bool rule_assert(Env *e, Stm *stm) {
  Atom c = stm->exp.assert.cond;
  if (c.is_var || !c.value.i) return false;
  e->changed = true;
  return true;
}

// ---- calls
static bool is_a_size(const Prog *prog, const Fn *fn, int k) {
  for (int i = 0; i < fn->results.len; i++) {
    Type t = var_type(prog, fn->results.at[i]);
    for (int d = 0; d < t.rank; d++)
      if (atom_is_var(t.dims[d], fn->results.at[k])) return true;
  }
  return false;
}

// The value of result k of the function in every case: one of its arguments, or a constant.
static bool passed_through(const Env *e, const Fn *fn, Atoms args, int k, Atom *out) {
  *out = fn->body.results.at[k];
  if (var_type(e->prog, fn->results.at[k]).unique || is_a_size(e->prog, fn, k)) return false;
  if (!out->is_var) return true;
  for (int i = 0; i < fn->params.len; i++) {
    if (!atom_is_var(*out, fn->params.at[i])) continue;
    *out = args.at[i];
    return !var_type(e->prog, fn->params.at[i]).unique;
  }
  return false;
}

// A result that nothing reads any more is left to dce.
bool rule_apply(Env *e, Stm *stm) {
  const Fn *fn = prog_fn(e->prog, stm->exp.apply.fn);
  for (int k = 0; k < stm->bound.len; k++) {
    Atom through;
    if (env_unused(e, stm->bound.at[k])) continue;
    if (!passed_through(e, fn, stm->exp.apply.args, k, &through)) continue;
    env_bind(e, stm->bound.at[k], through);
    e->changed = true;
  }
  return false;
}
