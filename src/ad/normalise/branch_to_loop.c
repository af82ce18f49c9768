// Branches that update outer arrays in ways that predicate_update.c does not take: several updates,
// slices, loops, branches in branches.  They become loops of at most one trip,
//
//   (z, r..) = match c { p1 -> body1 ; _ -> body2 }     each body makes a version of x its z
//     ==>
//   n = match c { p1 -> 0 ; _ -> 1 }
//   (z1, r1..) = loop (z, r..) = (x, undefined) for _ < (n == 0 ? 1 : 0) { body1 }
//   (z , r ..) = loop (z, r..) = (z1, r1..)     for _ < (n == 1 ? 1 : 0) { body2 }
//
// (and of a case that is a branch again each case; not those that do nothing; arrays that a case
// leaves as they are go past its loop) because loops know how to undo their updates (undo_log.c):
// what is saved is what is overwritten, where a copy of x would cost its size at every execution.
#include "ad/common/local.h"

static const Stm *definition(const Body *body, Atom a, int *k) {
  for (int i = 0; a.is_var && i < body->stms.len; i++)
    for (*k = 0; *k < body->stms.at[i].bound.len; (*k)++)
      if (atom_is_var(a, body->stms.at[i].bound.at[*k])) return &body->stms.at[i];
  return NULL;
}

// The variable from outside the body that `a` is a version of; *consumed where it is a later one.
static Atom origin(const Prog *prog, const Body *body, Atom a, bool *consumed) {
  int k;
  for (const Stm *stm; (stm = definition(body, a, &k)) != NULL;) {
    a = earlier_version(prog, stm, k);
    if (atom_absent(a)) return a;
    *consumed = true;
  }
  return a;
}

Atom earlier_version(const Prog *prog, const Stm *stm, int k) {
  const Exp *e = &stm->exp;
  if (e->form == FORM_UPDATE) return e->update.array;
  if (e->form == FORM_SCATTER) return e->scatter.dests.at[k];
  if (e->form == FORM_HIST && hist_is_small(prog, &e->hist)) return e->hist.dests.at[k];
  if (e->form == FORM_LOOP && e->loop.is_for &&
      var_type(prog, e->loop.fn->params.at[1 + k]).unique)
    return e->loop.inits.at[k];
  Atom x = atom_none();
  bool consumed = false;
  for (int i = 0; e->form == FORM_MATCH && i < e->match.cases.len; i++) {
    const Body *body = &e->match.cases.at[i].body;
    Atom from = origin(prog, body, body->results.at[k], &consumed);
    if (atom_absent(from) || (i > 0 && !atom_same(from, x))) return atom_none();
    x = from;
  }
  return consumed ? x : atom_none();
}

// The array of which every case makes a version its result j, and some case a later one.
static Atom updated_array(const Prog *prog, const Stm *stm, int j) {
  if (var_type(prog, stm->bound.at[j]).rank == 0) return atom_none();
  return earlier_version(prog, stm, j);
}

// Whether a result other than j may share memory with x or a version of it.
static bool shared_beside(const Prog *prog, const Body *body, Atom x, int j) {
  VarSet set = varset_new(prog->arena);
  varset_add_atom(&set, x);
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    Atoms consumed = exp_consumes(prog, prog->arena, &stm->exp);
    Vars vars = exp_free(prog, prog->arena, &stm->exp);
    bool joins = false;
    for (int k = 0; k < consumed.len; k++) joins = joins || varset_has_atom(&set, consumed.at[k]);
    for (int k = 0; k < vars.len; k++)
      joins = joins || (form_shares_memory(stm->exp.form) && varset_has(&set, vars.at[k]));
    for (int k = 0; joins && k < stm->bound.len; k++)
      if (var_type(prog, stm->bound.at[k]).rank > 0) varset_add(&set, stm->bound.at[k]);
  }
  for (int k = 0; k < body->results.len; k++)
    if (k != j && varset_has_atom(&set, body->results.at[k])) return true;
  return false;
}

// Results whose sizes are results too cannot be carried by the loops.
static bool sizes_are_outer(const Prog *prog, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(prog, stm->bound.at[k]);
    if (t.is_acc) return false;
    for (int d = 0; d < t.rank; d++)
      for (int i = 0; i < stm->bound.len; i++)
        if (atom_is_var(t.dims[d], stm->bound.at[i])) return false;
  }
  return true;
}

// The arrays updated, by result; false where there is none, or the match does not qualify.
static bool updated_arrays(const Prog *prog, const Stm *stm, Atom *xs) {
  const struct match_form *e = &stm->exp.match;
  bool any = false;
  if (!sizes_are_outer(prog, stm)) return false;
  for (int j = 0; j < stm->bound.len; j++) {
    xs[j] = updated_array(prog, stm, j);
    if (atom_absent(xs[j])) continue;
    any = true;
    for (int i = 0; i < j; i++)
      if (atom_same(xs[i], xs[j])) return false;
    for (int i = 0; i < e->cases.len; i++)
      if (shared_beside(prog, &e->cases.at[i].body, xs[j], j)) return false;
  }
  return any;
}

// The number of the case taken.
static Atom case_number(Builder *b, const struct match_form *e) {
  Exp which = {.form = FORM_MATCH, .match = {.args = e->args}};
  for (int i = 0; i < e->cases.len; i++) {
    Case c = {.pats = e->cases.at[i].pats};
    c.body.results = atoms1(b->prog->arena, atom_i64(i));
    list_push(b->prog->arena, &which.match.cases, c);
  }
  return build(b, "case", type_scalar(PRIM_I64), which);
}

static Atom undefined(Builder *b, Type t) {
  return t.rank ? build_scratch(b, type_fresh(t)) : atom_number(t.prim, 0);
}

// A case as the function of a loop whose parameters represent the results it changes; the others,
// `kept`, are as the loops before leave them.
static Lambda *case_function(Prog *prog, const Stm *stm, const Body *body, const Atom *xs,
                             Atoms state, const bool *kept) {
  Lambda *fn = NEW(prog->arena, Lambda);
  Rewrite w = rewrite_new(prog, builder_new(prog, &fn->body.stms));
  w.to.loc = stm->loc;
  list_push(prog->arena, &fn->params, var_new(prog, "once", type_scalar(PRIM_I64)));
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(prog, stm->bound.at[k]);
    if (kept[k]) rewrite_bind(&w, xs[k].var, state.at[k]);
    if (kept[k]) continue;
    t.unique = !atom_absent(xs[k]);
    Var p = var_new(prog, var_info(prog, stm->bound.at[k])->base, t);
    list_push(prog->arena, &fn->params, p);
    list_push(prog->arena, &fn->rets, t);
    if (t.unique) rewrite_bind(&w, xs[k].var, atom_var(p));
  }
  rewrite_stms(&w, body->stms);
  for (int k = 0; k < stm->bound.len; k++)
    if (!kept[k]) list_push(prog->arena, &fn->body.results, rewrite_atom(&w, body->results.at[k]));
  return fn;
}

// The cases that become loops, and when each is taken: not those that leave everything as it is; of
// a case that is a branch again, and what scalars that takes, its cases.
typedef struct {
  const Body *body;
  Atom taken;
} Taken;
typedef LIST(Taken) Takens;

static bool does_nothing(const Stm *stm, const Body *body, const Atom *xs) {
  for (int k = 0; k < stm->bound.len; k++)
    if (atom_absent(xs[k]) || !atom_same(body->results.at[k], xs[k])) return false;
  return true;
}

static const Stm *only_branch(const Prog *prog, const Body *body) {
  int last = body->stms.len - 1;
  if (last < 0 || body->stms.at[last].exp.form != FORM_MATCH) return NULL;
  const Stm *stm = &body->stms.at[last];
  if (stm->bound.len != body->results.len) return NULL;
  for (int k = 0; k < stm->bound.len; k++)
    if (!atom_is_var(body->results.at[k], stm->bound.at[k])) return NULL;
  for (int i = 0; i < last; i++) {
    Form form = body->stms.at[i].exp.form;
    bool scalar = form == FORM_PRIM || form == FORM_CONV;
    if (!scalar || !exp_is_total(prog, &body->stms.at[i])) return NULL;
  }
  return stm;
}

static void cases_taken(Builder *b, const Stm *stm, Atom within, const Atom *xs, Takens *out) {
  Atom which = case_number(b, &stm->exp.match);
  for (int i = 0; i < stm->exp.match.cases.len; i++) {
    const Body *body = &stm->exp.match.cases.at[i].body;
    const Stm *inner = only_branch(b->prog, body);
    Atom taken = build_op(b, OP_AND, within, build_op(b, OP_EQ, which, atom_i64(i)));
    for (int k = 0; inner && k < body->stms.len - 1; k++) build_stm(b, body->stms.at[k]);
    if (inner) cases_taken(b, inner, taken, xs, out);
    else if (!does_nothing(stm, body, xs))
      list_push(b->prog->arena, out, (Taken){.body = body, .taken = taken});
  }
}

static bool case_keeps(const Takens *cases, int i, const Atom *xs, int k) {
  return !atom_absent(xs[k]) && atom_same(cases->at[i].body->results.at[k], xs[k]);
}

// Whether no later case changes result k.
static bool is_last(const Takens *cases, int i, const Atom *xs, int k) {
  while (++i < cases->len)
    if (!case_keeps(cases, i, xs, k)) return false;
  return true;
}

static void case_loop(Prog *prog, const Stm *stm, const Takens *cases, int i, const Atom *xs,
                      Atom trips, Atoms *state, Stms *out) {
  Stm loop = {.loc = stm->loc};
  Atoms inits = {0};
  bool *kept = NEW_ARRAY(prog->arena, bool, stm->bound.len + 1);
  for (int k = 0; k < stm->bound.len; k++) {
    kept[k] = case_keeps(cases, i, xs, k);
    if (!kept[k]) list_push(prog->arena, &inits, state->at[k]);
  }
  Lambda *fn = case_function(prog, stm, cases->at[i].body, xs, *state, kept);
  for (int k = 0; k < stm->bound.len; k++) {
    if (kept[k]) continue;
    Type t = type_fresh(var_type(prog, stm->bound.at[k]));
    Var v = is_last(cases, i, xs, k) ? stm->bound.at[k]
                                     : var_new(prog, var_info(prog, stm->bound.at[k])->base, t);
    list_push(prog->arena, &loop.bound, v);
    state->at[k] = atom_var(v);
  }
  loop.exp = (Exp){.form = FORM_LOOP,
                   .loop = {.is_for = true, .inits = inits, .bound = trips, .fn = fn}};
  list_push(prog->arena, out, loop);
}

// The statements that replace a match, in source variables; arrays: those the loops consume.
bool match_to_loops(Prog *prog, const Stm *stm, Stms *out, Atoms *arrays) {
  Atom *xs = NEW_ARRAY(prog->arena, Atom, stm->bound.len + 1);
  if (!updated_arrays(prog, stm, xs)) return false;
  Builder b = builder_new(prog, out);
  b.loc = stm->loc;
  Takens cases = {0};
  cases_taken(&b, stm, atom_bool(true), xs, &cases);
  Atoms state = {0};
  for (int k = 0; k < stm->bound.len; k++) {
    bool updated = !atom_absent(xs[k]);
    if (updated) list_push(prog->arena, arrays, xs[k]);
    list_push(prog->arena, &state,
              updated ? xs[k] : undefined(&b, var_type(prog, stm->bound.at[k])));
  }
  for (int i = 0; i < cases.len; i++) {
    Atom trips = build_select(&b, cases.at[i].taken, atom_i64(1), atom_i64(0));
    case_loop(prog, stm, &cases, i, xs, trips, &state, out);
  }
  return true;
}
