// The simplifier: forward walks that replace statements by simpler ones, until nothing changes or
// a fixed number of rounds.  The rules are in rules_<group>.c; each is local and needs only the
// definitions of a statement's operands.
#include "opt/common/local.h"

enum { ROUNDS = 8, TRIES = 8 };

static bool apply_rule(Env *e, Stm *stm) {
  switch (stm->exp.form) {
  case FORM_ATOM: return env_replace(e, stm, stm->exp.atom.arg);
  case FORM_PRIM: return rule_prim(e, stm);
  case FORM_CONV: return rule_conv(e, stm);
  case FORM_INDEX: return rule_index(e, stm);
  case FORM_UPDATE: return rule_update(e, stm);
  case FORM_COPY: return rule_copy(e, stm);
  case FORM_REPLICATE: return rule_replicate(e, stm);
  case FORM_LITERAL: return rule_literal(e, stm);
  case FORM_RESHAPE: return rule_reshape(e, stm);
  case FORM_REARRANGE: return rule_rearrange(e, stm);
  case FORM_REVERSE: return rule_reverse(e, stm);
  case FORM_ROTATE: return rule_rotate(e, stm);
  case FORM_CONCAT: return rule_concat(e, stm);
  case FORM_MATCH: return rule_match(e, stm);
  case FORM_LOOP: return rule_loop(e, stm);
  case FORM_ASSERT: return rule_assert(e, stm);
  case FORM_MAP: return rule_map(e, stm);
  case FORM_REDUCE: return rule_reduce(e, stm);
  case FORM_SCAN: return rule_scan(e, stm);
  case FORM_SCREMA: return rule_screma(e, stm);
  case FORM_HIST: return rule_hist(e, stm);
  case FORM_SCATTER: return rule_scatter(e, stm);
  case FORM_APPLY: return rule_apply(e, stm);
  case FORM_WITHACC: return rule_withacc(e, stm);
  case FORM_UPDATEACC: return rule_updateacc(e, stm);
  case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT: case FORM_TUNED:
  case FORM_MEMORYLEFT: case FORM_CONSTANT: case FORM_IOTA: case FORM_SCRATCH:
  case FORM_FLATINDEX: case FORM_FLATUPDATE: case FORM_JVP: case FORM_VJP:
  case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT: return false;
  }
  return false;
}

static void simplify_body(Env *e, Body *body, const Vars *params) {
  Stms in = body->stms, out = stms_over(in);
  BodyMark mark = renv_open(e, &out);
  if (params) env_enter_params(e, params), env_vectors_here(e, params);
  simplify_stms_of(e, in);
  body->results = env_atoms(e, body->results);
  env_close(e, mark);
  body->stms = out;
}

// Sizes of results keep their names: were n the constant 0 in the branch where it is, the branch
// would not be of the type [n] once another constant is put for n.
static void assume_case(Env *e, const Stm *stm, int index) {
  const struct match_form *x = &stm->exp.match;
  env_assume(e, x->args.at[0], (x->cases.at[0].pats.at[0].lit.i != 0) == !index);
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = var_type(e->prog, stm->bound.at[i]);
    for (int d = 0; d < t.rank; d++)
      if (t.dims[d].is_var) env_fact(e, t.dims[d].var)->has_subst = false;
  }
}

// Facts that hold inside: loop counters and map indices are in range, a branch has its case.
static void simplify_part(Env *e, Stm *stm, Part part, int index) {
  Stms in = part.body->stms, out = stms_over(in);
  BodyMark mark = renv_open(e, &out);
  if (part.fn) env_enter_params(e, &part.fn->params);
  const Exp *x = &stm->exp;
  if (x->form == FORM_LOOP && x->loop.is_for) {
    env_below_here(e, part.fn->params.at[0], x->loop.bound);
    env_iterations_here(e, x->loop.bound);
  }
  if (x->form == FORM_LOOP && !x->loop.is_for)
    env_assume(e, atom_var(part.fn->params.at[x->loop.cond]), true);
  if (x->form == FORM_MAP)
    env_iota_params(e, x->map.width, &part.fn->params, &x->map.inputs);
  if (x->form == FORM_SCREMA && part.fn == x->screma.fn)
    env_iota_params(e, x->screma.width, &part.fn->params, &x->screma.inputs);
  if (x->form == FORM_HIST && part.fn == x->hist.fn)
    env_iota_params(e, x->hist.width, &part.fn->params, &x->hist.inputs);
  if (x->form == FORM_SCATTER)
    env_iota_params(e, x->scatter.width, &part.fn->params, &x->scatter.inputs);
  if (x->form == FORM_MATCH && x->match.args.len == 1 && x->match.args.at[0].is_var &&
      atom_type(e->prog, x->match.args.at[0]).prim == PRIM_BOOL && x->match.cases.len == 2 &&
      !x->match.cases.at[0].pats.at[0].any)
    assume_case(e, stm, index);
  simplify_stms_of(e, in);
  *part.body = (Body){.results = env_atoms(e, part.body->results)};
  for (int k = 0; part.fn && k < part.fn->rets.len; k++)
    part.fn->rets.at[k] = renv_type(e, part.fn->rets.at[k]);
  env_close(e, mark);
  part.body->stms = out;
}

// Dual arrays need the sizes inside of maps to be the same in all iterations; loops have none.
static bool keeps_loops(const Prog *prog, const Stm *stm) {
  return stm->exp.form == FORM_VJP && strategy_asked(prog, stm) == STRATEGY_DUAL;
}

static void simplify_parts(Env *e, Stm *stm) {
  Parts parts = exp_parts(e->scratch, &stm->exp);
  bool loops = e->loops;
  e->loops = loops && !keeps_loops(e->prog, stm);
  for (int i = 0; i < parts.len; i++) simplify_part(e, stm, parts.at[i], i);
  e->loops = loops;
}

static void simplify_stm(Env *e, const Stm *old) {
  Stm stm = *old;
  env_exp(e, &stm.exp);
  env_bound(e, &stm);
  e->to.loc = stm.loc;
  int from = e->to.stms->len;
  for (int i = 0; i < TRIES; i++) {
    e->again = false;
    bool done = apply_rule(e, &stm) || (e->onehot && !e->again && rule_onehot(e, &stm));
    env_register(e, from);
    from = e->to.stms->len;
    if (done) return;
    if (!e->again) break;
  }
  e->again = false;
  if (e->loops && rule_loop_nest(e, &stm)) return;
  if (exp_has_parts(&stm.exp)) {
    // A rule may have found the value of a result or parameter that types of others mention.
    env_exp(e, &stm.exp);
    env_bound(e, &stm);
    simplify_parts(e, &stm);
  }
  e->to.loc = stm.loc;
  if (e->loops && rule_loops(e, &stm)) return;
  env_emit(e, stm);
  if (stm.exp.form == FORM_ASSERT) env_assume(e, stm.exp.assert.cond, true);
}

void simplify_stms_of(Env *e, Stms stms) {
  for (int i = 0; i < stms.len; i++) {
    stms_taken(e->to.stms, stms, i);
    simplify_stm(e, &stms.at[i]);
  }
}

// The lambda's operands may have been replaced by now, so the copy is walked at once; all
// that it uses is used once more, before a rule sees the first of its statements.
Atoms env_inline(Env *e, const Lambda *fn, Atoms args) {
  Stms copy = {0};
  Builder b = builder_new(e->prog, &copy);
  b.loc = e->to.loc;
  Atoms results = lambda_inline(&b, fn, args);
  env_use_body(e, &(Body){copy, results});
  simplify_stms_of(e, copy);
  return env_atoms(e, results);
}

static void simplify_fn(Env *e, Fn *fn) {
  int undo = e->undo.len;
  simplify_body(e, &fn->body, &fn->params);
  for (int i = 0; i < fn->results.len; i++) {
    VarInfo *info = &e->prog->vars.at[fn->results.at[i].id];
    info->type = renv_type(e, info->type);
  }
  check(e->undo.len == undo);
}

static bool is_vjp(const Exp *e) { return e->form == FORM_VJP; }

typedef enum { RULES_PLAIN, RULES_SMALL, RULES_ONEHOT, RULES_LOOPS } Rules;

static bool simplify_round(Prog *prog, Rules rules) {
  Arena *scratch = arena_beside(prog->arena);
  Env e = renv_new(prog, scratch);
  e.small = rules == RULES_SMALL;
  e.onehot = rules == RULES_ONEHOT;
  e.loops = rules == RULES_LOOPS;
  e.reverse = prog_has(prog, is_vjp);
  e.varying = prims_differentiable(prog);
  Body constants = {.stms = prog->constants};
  simplify_body(&e, &constants, NULL);
  prog->constants = constants.stms;
  for (int i = 0; i < prog->fns.len; i++) simplify_fn(&e, prog->fns.at[i]);
  arena_free(scratch);
  return e.changed;
}

// A program at its fixpoint stays as it is, but for what only small
// literals allow.  A round that changes nothing leaves nothing dead, where the one before did not.
static bool simplify_rounds(Prog *prog, Rules rules) {
  if (prog->at_fixpoint && rules == RULES_PLAIN) return false;
  for (int i = 0; i < ROUNDS; i++) {
    bool changed = simplify_round(prog, rules);
    bool dropped = (changed || i == 0) && dce_prog(prog);
    prog->at_fixpoint = !changed && !dropped;
    if (!changed) return i > 0 || dropped;
  }
  return true;
}

// needs: any program.  leaves: the same results, no statement a rule still applies to (up to the
// bound on rounds), nothing dead.  cost: a bounded number of linear walks.
Prog *pass_simplify(Prog *prog, Arena *arena) {
  if (prog->at_fixpoint) return prog;
  Prog *out = prog_own(prog, arena);
  simplify_rounds(out, RULES_PLAIN);
  return out;
}

// The same, and updates of small literals make literals.
Prog *pass_simplify_small(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  simplify_rounds(out, RULES_SMALL);
  return out;
}

// needs: fused programs.  leaves: the same results, but for the sign of zeros and for products by
// structural zeros; hoist follows.  cost: that of simplify; one scan where there is nothing to do.
Prog *pass_onehot(Prog *prog, Arena *arena) {
  if (!prog->one_case && !onehot_may_apply(prog)) return prog;
  Prog *out = prog_own(prog, arena);
  out->changed = simplify_rounds(out, RULES_ONEHOT);
  out->one_case = out->one_case || out->changed;
  return out;
}

static bool is_loop(const Exp *e) { return e->form == FORM_LOOP && e->loop.is_for; }

// needs: simplified programs.  leaves: no loop that opt/loops has combinators for; sums of floats
// perhaps in another order.  cost: that of simplify; one scan where there is no loop.
Prog *pass_loops(Prog *prog, Arena *arena) {
  if (!prog_has(prog, is_loop)) return prog;
  Prog *out = prog_own(prog, arena);
  simplify_rounds(out, RULES_LOOPS);
  return out;
}
