// The last value of a linear recurrence whose offset stands in one iteration, for all of them:
//
//   map n (\i -> loop (s, d) = (s0, 0) for t < m do (F s t, g s t *. d + only (t == e i, b s t)))
//     is   (g, b) = loop s = s0 for t < m do F s t, keeping g s t and b s t
//          out    = loop q = 1 for t from m - 1 down to 0 do q *. g[t], keeping q *. b[t]
//          map n (\i -> if 0 <= e i < m then out[e i] else 0)
//
// where F, g and b mention nothing of i: the gradient of a recurrence by forward mode at the work
// of reverse mode, with two arrays of m.  There may be several offsets.  The states that g and b
// need are scalars.  The two loops run where the map has iterations.
#include "onehot.h"

enum { TERMS = 8 };  // offsets

typedef struct {
  Env *e;
  struct map_form *map;
  Map *local;               // variables of the map's body outside the loop
  struct loop_form *loop;
  int d;                    // number of the derivative among the loop's parameters
  Linear l;
  OneCase at[TERMS];
  Var cond[TERMS];          // of each term
  Stms solved;              // statements for `at`, of the map's body
  Atom trips, size;         // of the loop, none where the map has no iterations; of what is kept
  Map *needed;              // states, by variable
  Vars states;
} Recurrence;

static Var state_param(const Recurrence *r, int k) { return r->loop->fn->params.at[1 + k]; }

// ---- what is kept must be the same in all iterations of the map
static bool is_simple(const Recurrence *r, const Stm *stm) {
  static const Form simple[] = {FORM_PRIM, FORM_CONV,   FORM_ATOM, FORM_INDEX,
                                FORM_MAP,  FORM_SCREMA, FORM_IOTA, FORM_MATCH};
  bool found = false;
  for (int k = 0; k < COUNT_OF(simple); k++) found = found || stm->exp.form == simple[k];
  if (!found) return false;
  for (int k = 0; k < stm->bound.len; k++)
    if (stm->exp.form == FORM_MATCH && var_type(r->e->prog, stm->bound.at[k]).rank) return false;
  return !exp_has_effect(&stm->exp);
}

static bool need(Recurrence *r, Atom a, Var cond);

static bool need_state(Recurrence *r, Var v) {
  if (map_get(r->needed, v.id)) return true;
  map_put(r->needed, v.id, r);
  for (int k = 0; k < r->loop->inits.len; k++) {
    if (state_param(r, k).id != v.id) continue;
    if (k == r->d || var_type(r->e->prog, v).rank) return false;
    list_push(r->e->scratch, &r->states, v);
    Atom init = r->loop->inits.at[k];
    bool outer = !init.is_var || !map_get(r->local, init.var.id);
    return outer && need(r, r->loop->fn->body.results.at[k], (Var){0});
  }
  return v.id == r->loop->fn->params.at[0].id;
}

static bool need(Recurrence *r, Atom a, Var cond) {
  if (!a.is_var || a.var.id == cond.id) return true;
  if (vars_have(r->loop->fn->params, a.var)) return need_state(r, a.var);
  if (linear_tainted(&r->l, a) || map_get(r->local, a.var.id)) return false;
  const Stm *def = map_get(r->l.defs, a.var.id);
  if (!def) return true;
  if (!is_simple(r, def)) return false;
  Vars free = exp_free(r->e->prog, r->e->scratch, &def->exp);
  for (int k = 0; k < free.len; k++)
    if (!need(r, atom_var(free.at[k]), cond)) return false;
  return true;
}

// ---- the linear result
// The operands on which the share of a part depends, but the part itself.
static bool need_factors(Recurrence *r, Atom a) {
  if (!linear_tainted(&r->l, a) || vars_have(r->l.leaves, a.var)) return true;
  const Stm *def = map_get(r->l.defs, a.var.id);
  const struct prim_form *p = &def->exp.prim;
  for (int k = 0; k < p->args.len; k++) {
    Atom x = p->args.at[k];
    const Stm *of = x.is_var ? map_get(r->l.defs, x.var.id) : NULL;
    bool guard = of && of->exp.form == FORM_PRIM && of->exp.prim.op == OP_GUARD;
    bool factor = p->op == OP_MUL || ((p->op == OP_SELECT || p->op == OP_GUARD) && k == 0);
    if (factor && guard && linear_tainted(&r->l, x)) x = of->exp.prim.args.at[2];
    if (linear_tainted(&r->l, x) ? !need_factors(r, x) : factor && !need(r, x, (Var){0}))
      return false;
  }
  return true;
}

static bool solve_term(Recurrence *r, Supports *s, int k) {
  Env *e = r->e;
  Atom term = r->l.terms.at[k], zero = atom_number(atom_type(e->prog, term).prim, 0);
  Support all = support_of(s, term, zero);
  Counter counter = {r->loop->fn->params.at[0], atom_i64(0), r->loop->bound};
  Stms *outer = e->to.stms;
  bool found = false;
  e->to.stms = &r->solved;
  for (int c = 0; c < all.conds.len && !all.every && !found; c++) {
    Support one = {0};
    list_push(e->scratch, &one.conds, all.conds.at[c]);
    r->cond[k] = all.conds.at[c];
    found = need(r, term, r->cond[k]) && solve_case(s, one, counter, &r->at[k]);
  }
  e->to.stms = outer;
  return found;
}

static bool is_linear(Recurrence *r) {
  const Lambda *fn = r->loop->fn;
  Vars leaves = {0};
  list_push(r->e->scratch, &leaves, state_param(r, r->d));
  linear_begin(&r->l, r->e, &fn->body, leaves);
  r->needed = map_new(r->e->scratch), r->states = (Vars){0};
  Atom out = fn->body.results.at[r->d];
  for (int k = 0; k < fn->body.results.len; k++)
    if (k != r->d && linear_tainted(&r->l, fn->body.results.at[k])) return false;
  return linear_tainted(&r->l, out) && linear_walk(&r->l, out) && r->l.terms.len &&
         r->l.terms.len <= TERMS && need_factors(r, out);
}

static bool solves(Recurrence *r) {
  Supports s;
  r->solved = (Stms){0};
  if (!supports_begin(&s, r->e, r->loop->fn) || !is_linear(r)) return false;
  for (int k = 0; k < r->l.terms.len; k++)
    if (!solve_term(r, &s, k)) return false;
  return prog_may(r->e->prog, SWITCH_RECURRENCE_CASES);
}

// ---- the two loops
// Arrays of one number for each iteration, the factor first.
typedef struct {
  Atom of[1 + TERMS];
  int n;
} Kept;

static Atom place(Builder *b, Type t, Atom size) {
  Exp exp = {.form = FORM_SCRATCH,
             .scratch = {t.prim, atoms_of(b->prog->arena, 1, &size)}};
  return build(b, "kept", type_array(b->prog->arena, type_scalar(t.prim), size), exp);
}

// Of the initial values or the results, the elements for the states that are needed.
static Atoms needed_of(Recurrence *r, Atoms all) {
  Atoms out = {0};
  for (int i = 0; i < r->states.len; i++)
    for (int k = 0; k < all.len; k++)
      if (state_param(r, k).id == r->states.at[i].id) list_push(r->e->arena, &out, all.at[k]);
  return out;
}

static Atoms step_states(Recurrence *r, LinearPart *p) {
  Atoms out = needed_of(r, r->loop->fn->body.results);
  for (int i = 0; i < out.len; i++) out.at[i] = linear_copy(p, out.at[i]);
  return out;
}

// The factor (number 0) or the share of a term in an iteration whose parameters are `params`.
static Atom kept_value(Recurrence *r, Builder *b, Vars params, int number, Atoms *states) {
  Rewrite w = rewrite_new(r->e->prog, *b);
  LinearPart part = {.l = &r->l, .w = &w, .which = number - 1};
  rewrite_bind(&w, r->loop->fn->params.at[0], atom_var(params.at[0]));
  for (int i = 0; i < r->states.len; i++)
    rewrite_bind(&w, r->states.at[i], atom_var(params.at[1 + i]));
  if (number) rewrite_bind(&w, r->cond[number - 1], atom_bool(true));
  Atom out = linear_emit(&part, r->loop->fn->body.results.at[r->d]);
  if (states) *states = step_states(r, &part);
  return out;
}

static Exp loop_exp(Atom bound, Atoms inits, Lambda *fn) {
  return (Exp){.form = FORM_LOOP,
               .loop = {.is_for = true, .bound = bound, .inits = inits, .fn = fn}};
}

static Types loop_params(Env *e, Atoms inits) {
  Types types = {0};
  list_push(e->arena, &types, type_scalar(PRIM_I64));
  for (int k = 0; k < inits.len; k++) {
    Type t = atom_type(e->prog, inits.at[k]);
    t.unique = t.rank > 0;
    list_push(e->arena, &types, t);
  }
  return types;
}

static void mark_unique(Lambda *fn) {
  for (int k = 0; k < fn->rets.len; k++) fn->rets.at[k].unique = fn->rets.at[k].rank > 0;
}

static Kept keep(Recurrence *r, Builder *b, Type t) {
  Env *e = r->e;
  Kept out = {.n = 1 + r->l.terms.len};
  Atoms inits = needed_of(r, r->loop->inits), results, states = {0};
  for (int k = 0; k < out.n; k++)
    list_push(e->arena, &inits, place(b, t, r->size));
  LambdaBuilder lb = lambda_begin(b, "x", loop_params(e, inits));
  Vars params = lb.lambda->params;
  Atoms time = atoms_of(e->arena, 1, &(Atom){.is_var = true, .var = params.at[0]}), kept = {0};
  for (int k = 0; k < out.n; k++) {
    Atom v = kept_value(r, &lb.inner, params, k, k ? NULL : &states);
    Atom into = atom_var(params.at[1 + r->states.len + k]);
    list_push(e->arena, &kept, build_update(&lb.inner, into, time, v));
  }
  results = atoms_concat(e->arena, states, kept);
  Lambda *fn = lambda_end(&lb, results);
  mark_unique(fn);
  Vars made = build_many(b, "kept", types_of_atoms(e->prog, inits),
                         loop_exp(r->trips, inits, fn));
  for (int k = 0; k < out.n; k++) out.of[k] = atom_var(made.at[r->states.len + k]);
  return out;
}

// out[k][t]: what an offset in iteration t of term k adds to the last value.
static Vars go_back(Recurrence *r, Builder *b, Kept kept, Type t) {
  Env *e = r->e;
  Atom one = atom_number(t.prim, 1);
  Atoms inits = atoms_of(e->arena, 1, &one), results = {0};
  for (int k = 1; k < kept.n; k++) list_push(e->arena, &inits, place(b, t, r->size));
  LambdaBuilder lb = lambda_begin(b, "x", loop_params(e, inits));
  Builder *in = &lb.inner;
  Vars p = lb.lambda->params;
  Atom last = build_op(in, OP_SUB, r->size, atom_i64(1));
  Atom at = build_op(in, OP_SUB, last, atom_var(p.at[0])), q = atom_var(p.at[1]);
  Atoms time = atoms_of(e->arena, 1, &at);
  Atom factor = build_index(in, kept.of[0], time);
  list_push(e->arena, &results, linear_times(in, r->l.guarded, q, factor));
  for (int k = 1; k < kept.n; k++) {
    Atom v = linear_times(in, r->l.guarded, q, build_index(in, kept.of[k], time));
    list_push(e->arena, &results, build_update(in, atom_var(p.at[1 + k]), time, v));
  }
  Lambda *fn = lambda_end(&lb, results);
  mark_unique(fn);
  return build_many(b, "out", types_of_atoms(e->prog, inits),
                    loop_exp(r->trips, inits, fn));
}

// ---- the map
static Atom read_there(Recurrence *r, Builder *b, Atom out, const OneCase *c) {
  Env *e = r->e;
  Type t = type_scalar(atom_type(e->prog, out).prim);
  Atoms at = atoms_of(e->arena, 1, &c->at);
  if (!c->in.is_var) return c->in.value.i ? build_index(b, out, at) : atom_number(t.prim, 0);
  Case yes = {0}, no = {0};
  Builder inner = *b;
  inner.stms = &yes.body.stms;
  Atom v = build_index(&inner, out, at), zero = atom_number(t.prim, 0);
  yes.body.results = atoms_of(e->arena, 1, &v), no.body.results = atoms_of(e->arena, 1, &zero);
  list_push(e->arena, &yes.pats, (CasePat){.lit = atom_bool(true).value});
  Cases cases = {0};
  list_push(e->arena, &cases, yes);
  list_push(e->arena, &cases, no);
  return build(b, "d", t,
               (Exp){.form = FORM_MATCH,
                     .match = {.args = atoms_of(e->arena, 1, &c->in), .cases = cases}});
}

// The loop without the derivative, which is read instead.
static void replace(Recurrence *r, int at, const Vars *out) {
  Env *e = r->e;
  Lambda *fn = r->map->fn;
  Stm *loop = &fn->body.stms.at[at];
  Var d = loop->bound.at[r->d], unused = var_new(e->prog, "d", var_type(e->prog, d));
  Stms news = {0}, all = {0};
  Vars bound = {0};
  Builder b = builder_new(e->prog, &news);
  b.loc = loop->loc;
  for (int k = 0; k < loop->bound.len; k++)
    list_push(e->arena, &bound, k == r->d ? unused : loop->bound.at[k]);
  for (int k = 0; k < r->solved.len; k++) list_push(e->arena, &news, r->solved.at[k]);
  Atom sum = atom_number(var_type(e->prog, d).prim, 0);
  for (int k = 0; k < r->l.terms.len; k++) {
    Atom v = read_there(r, &b, env_atom(e, atom_var(out->at[1 + k])), &r->at[k]);
    sum = build_op(&b, OP_ADD, sum, v);
  }
  env_use_body(e, &(Body){.stms = news});
  for (int k = 0; k < fn->body.stms.len; k++) {
    if (k == at) {
      for (int i = 0; i < news.len; i++) list_push(e->arena, &all, news.at[i]);
      Atoms *results = &loop->exp.loop.fn->body.results;
      *results = atoms_concat(e->arena, *results, (Atoms){0});
      results->at[r->d] = atom_var(state_param(r, r->d));
      loop->bound = bound;
    }
    list_push(e->arena, &all, fn->body.stms.at[k]);
  }
  fn->body.stms = all;
  env_bind(e, d, sum);
  e->changed = true;
}

static void rewrite_recurrence(Recurrence *r, int at) {
  Env *e = r->e;
  Stms news = {0};
  Builder b = builder_new(e->prog, &news);
  b.loc = r->map->fn->body.stms.at[at].loc;
  Type t = var_type(e->prog, r->map->fn->body.stms.at[at].bound.at[r->d]);
  r->trips = r->size = r->loop->bound;
  if (!atom_nonneg(e, r->size)) r->size = build_op(&b, OP_MAX, r->size, atom_i64(0));
  if (!atom_same(r->trips, r->map->width)) {
    Atom some = build_op(&b, OP_LT, atom_i64(0), r->map->width);
    r->trips = build_select(&b, some, r->trips, atom_i64(0));
  }
  Kept kept = keep(r, &b, t);
  Vars out = go_back(r, &b, kept, t);
  env_use_body(e, &(Body){.stms = news});
  simplify_stms_of(e, news);
  replace(r, at, &out);
}

static bool may_be(Recurrence *r, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  if (stm->exp.form != FORM_LOOP || !l->is_for || exp_has_effect(&stm->exp)) return false;
  Atom m = env_atom(r->e, l->bound);
  return !(m.is_var && map_get(r->local, m.var.id)) &&
         atom_type(r->e->prog, m).prim == PRIM_I64;
}

static bool is_derivative(const Recurrence *r, int d) {
  Type t = var_type(r->e->prog, state_param(r, d));
  Atom init = r->loop->inits.at[d];
  return !t.rank && prim_is_float(t.prim) && !init.is_var && atom_is(init, 0);
}

void onehot_recurrences(Env *e, Stm *stm) {
  Recurrence r = {.e = e, .map = &stm->exp.map, .local = map_new(e->scratch)};
  if (onehot_is_few(r.map->width)) return;
  vars_mark_bound(r.local, r.map->fn);
  for (int k = 0; k < r.map->fn->body.stms.len; k++) {
    Stm *loop = &r.map->fn->body.stms.at[k];
    if (!may_be(&r, loop)) continue;
    r.loop = &loop->exp.loop;
    for (r.d = 0; r.d < r.loop->inits.len; r.d++) {
      if (!is_derivative(&r, r.d) || !solves(&r)) continue;
      rewrite_recurrence(&r, k);
      return;
    }
  }
}
