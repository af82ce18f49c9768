// The pass: finds the innermost operators and puts the derivative code in their place.
#include "opt/common/opt.h"
#include "strategies.h"

typedef struct {
  Rewrite w;  // first
  int depth;  // operators around the statement
  int maps;   // and maps
  bool strict;
  Calls *calls;
  Map *outer;      // statements with operators inside: they have to wait
  Map *kept;       // WITHVJP statements that those may reach through calls
  int removed;
  const Stm *left;  // an operator that waits
  const bool *mentioned;  // variables of the program
} Ad;

// ---- questions
static bool is_operator(Form form) {
  return form == FORM_JVP || form == FORM_VJP || form == FORM_DEPENDS || form == FORM_JACOBIAN;
}

static bool is_left(const Exp *e) { return is_operator(e->form) || e->form == FORM_WITHVJP; }

bool ad_is_left(const Prog *prog) { return prog_has(prog, is_left); }

// The functions that a body calls, through calls too.
typedef struct {
  const Prog *prog;
  Arena *arena;
  Map *seen;       // functions
  bool found;      // JVP or VJP
  Map *with_vjps;  // not NULL: WITHVJP statements go there
} Reach;

static void reach_operators(void *state, const Body *body, const Vars *params) {
  (void)params;
  Reach *r = state;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    const Fn *fn = stm->exp.form == FORM_APPLY ? prog_fn(r->prog, stm->exp.apply.fn) : NULL;
    if (fn && !map_get(r->seen, KEY(fn))) {
      map_put(r->seen, KEY(fn), (void *)fn);
      reach_operators(r, &fn->body, NULL);
    }
    if (is_operator(stm->exp.form)) r->found = true;
    if (stm->exp.form == FORM_WITHVJP && r->with_vjps)
      map_put(r->with_vjps, KEY(stm), (void *)stm);
    exp_each_body(&stm->exp, reach_operators, r);
  }
}

// Finds the operators that have to wait for others, and the custom rules that wait with them.
static void find_outer(void *state, const Body *body, const Vars *params) {
  (void)params;
  Ad *a = state;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    exp_each_body(&stm->exp, find_outer, a);
    if (!is_operator(stm->exp.form)) continue;
    Arena *scratch = arena_beside(a->w.from->arena);
    Reach r = {.prog = a->w.from, .arena = scratch, .seen = map_new(scratch)};
    exp_each_body(&stm->exp, reach_operators, &r);
    if (r.found) {
      map_put(a->outer, KEY(stm), (void *)stm);
      r.seen = map_new(scratch);
      r.with_vjps = a->kept;
      exp_each_body(&stm->exp, reach_operators, &r);
    }
    arena_free(scratch);
  }
}

// ---- results
// Whether something uses what the differentiated function gives.
static bool is_valued(const Ad *a, const Stm *stm) {
  int n = stm->exp.vjp.fn->body.results.len;
  for (int k = 0; k < n; k++)
    if (a->mentioned[stm->bound.at[k].id]) return true;
  return false;
}

// Whether the variable was bound, since statement `from`, by a form that makes a new array.
static bool is_fresh(const Builder *b, int from, Var x) {
  for (int i = b->stms->len - 1; i >= from; i--) {
    const Stm *stm = &b->stms->at[i];
    for (int k = 0; k < stm->bound.len; k++) {
      if (stm->bound.at[k].id != x.id) continue;
      Form f = stm->exp.form;
      return f == FORM_MAP || f == FORM_COPY || f == FORM_REPLICATE || f == FORM_WITHACC ||
             f == FORM_SCAN || f == FORM_CONCAT || f == FORM_LITERAL || f == FORM_ROTATE;
    }
  }
  return false;
}

bool ad_fresh(const Builder *b, int from, Atoms results, int k) {
  Atom y = results.at[k];
  if (!y.is_var) return true;
  for (int i = 0; i < k; i++)
    if (atom_same(results.at[i], y)) return false;
  return is_fresh(b, from, y.var);
}

// The operator's results are new arrays, each its own.
static void bind_results(Ad *a, const Stm *stm, int from, Atoms out) {
  Builder *b = &a->w.to;
  for (int k = 0; k < stm->bound.len; k++) {
    Atom y = out.at[k];
    rewrite_bind(&a->w, stm->bound.at[k], ad_fresh(b, from, out, k) ? y : build_copy(b, y));
  }
}

// ---- several directions at once (opt/passes/map_jam.c): where that is asked for, or pays
static void mark_map(Builder *b, bool asked) {
  Stm *last = b->stms->len ? &b->stms->at[b->stms->len - 1] : NULL;
  if (!last || last->exp.form != FORM_MAP) return;
  if (asked || map_jam_pays(b->prog, b->prog->arena, &last->exp.map)) last->attrs.unroll = true;
}

// The map over the directions comes last.
static void mark_vector(Builder *b, const Exp *e, bool asked) {
  if ((e->form == FORM_JVP && e->jvp.shape.len) || (e->form == FORM_VJP && e->vjp.shape.len))
    mark_map(b, asked);
}

static bool any_bound_in(const Lambda *fn, Atoms atoms) {
  VarSet inside = varset_new(arena_new());
  bool any = false;
  varset_add_all(&inside, fn->params);
  for (int i = 0; i < fn->body.stms.len; i++) varset_add_all(&inside, fn->body.stms.at[i].bound);
  for (int i = 0; i < atoms.len; i++) any = any || varset_has_atom(&inside, atoms.at[i]);
  arena_free(inside.arena);
  return any;
}

// map (\dx -> jvp f x dx) X, and such: the point is the same for all iterations.  The operator, or
// NULL.
static const Stm *directions_of(const Ad *a, const Exp *e) {
  if (e->form != FORM_MAP || e->map.width.is_var) return NULL;
  for (int i = 0; i < e->map.fn->body.stms.len; i++) {
    const Stm *stm = &e->map.fn->body.stms.at[i];
    bool jvp = stm->exp.form == FORM_JVP, vjp = stm->exp.form == FORM_VJP;
    if ((!jvp && !vjp) || map_get(a->outer, KEY(stm))) continue;
    if (!any_bound_in(e->map.fn, jvp ? stm->exp.jvp.args : stm->exp.vjp.args)) return stm;
  }
  return NULL;
}

static void inline_withvjp(Ad *a, const Stm *stm) {
  const struct withvjp_form *e = &stm->exp.withvjp;
  int from = a->w.to.stms->len;
  for (int k = 0; k < e->args.len; k++)
    rewrite_bind(&a->w, e->fn->params.at[k], rewrite_atom(&a->w, e->args.at[k]));
  rewrite_stms(&a->w, e->fn->body.stms);
  bind_results(a, stm, from, rewrite_atoms(&a->w, e->fn->body.results));
}

static Stm stm_with(const Stm *stm, Exp exp) {
  Stm out = *stm;
  out.exp = exp;
  return out;
}

static void ad_stm(Rewrite *w, const Stm *stm) {
  Ad *a = (Ad *)w;
  const Exp *e = &stm->exp;
  if (e->form == FORM_WITHVJP && a->depth == 0 && !map_get(a->kept, KEY(stm))) {
    inline_withvjp(a, stm);
    a->removed++;
    return;
  }
  if (!is_operator(e->form)) {
    a->maps += e->form == FORM_MAP;
    rewrite_stm(w, stm);
    a->maps -= e->form == FORM_MAP;
    const Stm *directions = directions_of(a, e);
    // products with one Jacobian, whose entries unit vectors choose
    bool entries = directions && strategy_asked(w->from, directions) == STRATEGY_ELIMINATION;
    if (directions) mark_map(&w->to, entries);
    return;
  }
  if (map_get(a->outer, KEY(stm))) {
    a->left = stm;
    a->depth++;
    rewrite_stm(w, stm);
    a->depth--;
    return;
  }
  a->depth++;
  Exp exp = rewrite_exp(w, e);
  a->depth--;
  int from = w->to.stms->len;
  if (!a->calls) a->calls = calls_new(w->from, w, a->strict);
  Atoms out = {0};
  if (e->form == FORM_JVP || e->form == FORM_VJP) {
    calls_import(a->calls, e->form == FORM_JVP ? &e->jvp.fn->body : &e->vjp.fn->body);
    Stm with = stm_with(stm, exp);
    VjpUse use = {e->form == FORM_VJP && is_valued(a, stm), a->maps > 0};
    out = strategy_differentiate(&w->to, &with, a->calls, use);
  } else {
    check(e->form == FORM_DEPENDS);
    calls_import(a->calls, &e->depends.fn->body);
    out = ad_depends(&w->to, &exp.depends, stm->loc, a->calls);
  }
  mark_vector(&w->to, e, stm->attrs.unroll);
  bind_results(a, stm, from, out);
  a->removed++;
}

static Prog *differentiated(const Prog *prog, Arena *arena, bool strict) {
  Ad a = {.w = {.stm = ad_stm, .from = prog}, .strict = strict};
  a.outer = map_new(arena);
  a.kept = map_new(arena);
  a.mentioned = prog_mentions(prog, arena);
  Body constants = {.stms = prog->constants};
  first_body(&constants);
  find_outer(&a, &constants, NULL);
  for (int i = 0; i < prog->fns.len; i++) {
    first_body(&prog->fns.at[i]->body);
    find_outer(&a, &prog->fns.at[i]->body, NULL);
  }
  Prog *out = rewrite_prog(prog, arena, &a.w);
  if (a.left && a.removed == 0)
    ad_unsupported(out, a.left->loc, "differentiating a function that differentiates itself");
  if (a.calls) calls_finish(a.calls);
  return out;
}

// needs   screma unfused, also in functions that are called under operators
// leaves  one level of operators fewer
Prog *pass_ad(Prog *prog, Arena *arena) { return differentiated(prog, arena, false); }
Prog *pass_ad_strict(Prog *prog, Arena *arena) { return differentiated(prog, arena, true); }

// A stop_gradient is only a name now, and operations that differ in their derivatives alone
// are what they compute.
typedef struct {
  Rewrite w;  // first
  bool changed;
} Done;

static bool is_detach(const Exp *e) { return e->form == FORM_PRIM && e->prim.op == OP_DETACH; }

static Op plain_op(Op op) {
  return op == OP_MIN_FIRST ? OP_MIN : op == OP_MAX_FIRST ? OP_MAX : op;
}

static void done_stm(Rewrite *w, const Stm *stm) {
  const Exp *e = &stm->exp;
  if (e->form == FORM_STOPGRADIENT || is_detach(e)) {
    Atom x = is_detach(e) ? e->prim.args.at[0] : e->stopgradient.arg;
    rewrite_bind(w, stm->bound.at[0], rewrite_atom(w, x));
    ((Done *)w)->changed = true;
    return;
  }
  Stm out = *stm;
  if (e->form == FORM_PRIM) out.exp.prim.op = plain_op(e->prim.op);
  rewrite_stm(w, &out);
}

// needs   ad_is_left does not hold
Prog *pass_ad_done(Prog *prog, Arena *arena) {
  check(!ad_is_left(prog));
  Done d = {.w = {.stm = done_stm}};
  Prog *out = rewrite_prog(prog, arena, &d.w);
  out->level = LEVEL_AD_FREE;
  out->at_fixpoint = prog->at_fixpoint && !d.changed;
  return out;
}
