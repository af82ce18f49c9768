// Consumption: a consuming form ends the life of a variable and of everything that may share its
// memory.  One walk in program order keeps the set of dead roots (see alias.c) and checks:
//   - nothing dead is used, not even by the body of the loop or accumulator that consumes it;
//   - a statement that consumes an operand has no other operand that may share its memory;
//   - only what the innermost lambda or loop body owns is consumed: its own bindings, row
//     parameters of maps, parameters marked unique, accumulators;
//   - what a unique loop parameter or function result is given has no other alias;
//   - every use of an accumulator is its last.
// The same walk without judging answers exp_consumes.
#include "local.h"

typedef struct {
  Roots roots;
  Map *dead;    // root id -> not NULL
  Vars trail;   // roots in the order they died
  Atoms taken;  // operands consumed by the statements being walked, innermost last
  Map *fixed;   // variables that may not be consumed
  Map *chosen;  // result of a match -> Choice
  int barrier;  // depth of the innermost lambda, loop or function body
  bool judging;
  const char *fault;
  const Stm *stm;
} Walk;

typedef struct {
  const struct match_form *match;
  int k;
} Choice;

// Which of some operands or results have a root, and how often each is among them.
typedef LIST(int) Holders;
typedef struct {
  Walk *w;
  Map *held;   // root id -> Holders *: their places
  Map *times;  // variable -> its number; 0 again after its first occurrence
} Shared;

static void blame(Walk *w, const char *what, Var v) {
  if (!w->judging || w->fault) return;
  bool at = w->stm && w->stm->bound.len;
  w->fault = arena_printf(w->roots.arena, "%s: %s_%u%s%s", what, var_info(w->roots.prog, v)->base,
                          v.id, at ? ", at " : "",
                          at ? var_info(w->roots.prog, w->stm->bound.at[0])->base : "");
}

static bool is_memory(const Walk *w, Atom a) {
  if (!a.is_var) return false;
  Type t = var_type(w->roots.prog, a.var);
  return t.rank > 0 || t.is_acc;
}

// Not to be changed: what is known is not copied.
static Vars roots_of(const Walk *w, Atom a) {
  Vars roots = {0};
  if (!is_memory(w, a)) return roots;
  const Vars *known = map_get(w->roots.roots, a.var.id);
  if (known) return *known;
  list_push(w->roots.arena, &roots, a.var);
  return roots;
}

static void consume(Walk *w, Atom a) {
  Vars roots = roots_of(w, a);
  for (int i = 0; i < roots.len; i++) {
    Var r = roots.at[i];
    if (map_get(w->fixed, r.id) || roots_depth(&w->roots, r) < w->barrier)
      blame(w, "consumes a variable it does not own", r);
    if (map_get(w->dead, r.id)) continue;
    map_put(w->dead, r.id, w);
    list_push(w->roots.arena, &w->trail, r);
  }
}

static void use(void *state, Atom a) {
  Walk *w = state;
  Vars roots = roots_of(w, a);
  for (int i = 0; i < roots.len; i++)
    if (map_get(w->dead, roots.at[i].id)) blame(w, "use of a consumed variable", a.var);
}

// An operand's consumption, before the bodies are walked.
static void take(Walk *w, Atom a) {
  if (!is_memory(w, a)) return;
  list_push(w->roots.arena, &w->taken, a);
  consume(w, a);
}

static void use_acc(void *state, Atom a) {
  Walk *w = state;
  if (!is_memory(w, a) || !var_type(w->roots.prog, a.var).is_acc) return;
  use(w, a);
  consume(w, a);
}

static void walk_stm(Walk *w, const Stm *stm);

static void walk_stms(Walk *w, Stms stms) {
  for (int i = 0; i < stms.len; i++) walk_stm(w, &stms.at[i]);
}

static void walk_results(Walk *w, Atoms results) {
  for (int i = 0; i < results.len; i++) {
    use(w, results.at[i]);
    use_acc(w, results.at[i]);
  }
}

static void walk_body(Walk *w, const Body *body) {
  w->roots.depth++;
  walk_stms(w, body->stms);
  walk_results(w, body->results);
  w->roots.depth--;
}

// a and b may both be (part of) r.  Two results of one match are what one of its cases gives, so a
// match that exchanges two arrays gives two arrays that share nothing.
static bool both_from(const Walk *w, Atom a, Atom b, Var r) {
  if (!vars_have(roots_of(w, a), r) || !vars_have(roots_of(w, b), r)) return false;
  const Choice *x = map_get(w->chosen, a.var.id), *y = map_get(w->chosen, b.var.id);
  if (!x || !y || x->match != y->match || x->k == y->k) return true;
  for (int i = 0; i < x->match->cases.len; i++) {
    Atoms results = x->match->cases.at[i].body.results;
    if (both_from(w, results.at[x->k], results.at[y->k], r)) return true;
  }
  return false;
}

static void remember_choice(Walk *w, const Stm *stm) {
  for (int i = 0; w->judging && i < stm->bound.len; i++) {
    Choice *c = NEW(w->roots.arena, Choice);
    *c = (Choice){&stm->exp.match, i};
    map_put(w->chosen, stm->bound.at[i].id, c);
  }
}

static uintptr_t number_of(const Map *map, Var v) { return (uintptr_t)map_get(map, v.id); }

static void hold(Shared *s, Var root, int i) {
  Holders *holders = map_get(s->held, root.id);
  if (!holders) map_put(s->held, root.id, holders = NEW(s->w->roots.arena, Holders));
  list_push(s->w->roots.arena, holders, i);
}

static Shared shared_by(Walk *w, const Atom *atoms, int n) {
  Shared s = {w, map_new(w->roots.arena), map_new(w->roots.arena)};
  for (int i = 0; i < n; i++) {
    Vars roots = roots_of(w, atoms[i]);
    if (roots.len)
      map_put(s.times, atoms[i].var.id, (void *)(number_of(s.times, atoms[i].var) + 1));
    for (int k = 0; k < roots.len; k++) hold(&s, roots.at[k], i);
  }
  return s;
}

// Result k goes where its memory must be its own.
static void verify_unique(Walk *w, const Shared *shared, Atoms results, int k) {
  Vars roots = roots_of(w, results.at[k]);
  for (int i = 0; i < roots.len; i++) {
    Var r = roots.at[i];
    if (map_get(w->fixed, r.id) || roots_depth(&w->roots, r) < w->barrier)
      blame(w, "a unique result shares memory with", r);
    const Holders *holders = map_get(shared->held, r.id);
    for (int j = 0; j < holders->len; j++)
      if (holders->at[j] != k && both_from(w, results.at[k], results.at[holders->at[j]], r))
        blame(w, "a unique result shares memory with another result", r);
  }
}

// The first n results go to places of the types of the variables `to`.
static void verify_results(Walk *w, Atoms results, const Var *to, int n) {
  if (!w->judging) return;
  Shared s = shared_by(w, results.at, results.len);
  for (int k = 0; k < n; k++) {
    Type t = var_type(w->roots.prog, to[k]);
    if (t.unique && t.rank) verify_unique(w, &s, results, k);
  }
}

typedef enum { PARAMS_ROWS, PARAMS_FIXED, PARAMS_MARKED } Owned;

// Which parameters the body owns: all (rows of a map), none, or accumulators and those marked.
static void fix_params(Walk *w, Vars params, Owned owned) {
  for (int i = 0; i < params.len; i++) {
    Type t = var_type(w->roots.prog, params.at[i]);
    if (owned == PARAMS_ROWS || t.is_acc || (owned == PARAMS_MARKED && t.unique)) continue;
    map_put(w->fixed, params.at[i].id, w);
  }
}

static int enter(Walk *w, Vars params, Owned owned) {
  int outer = w->barrier;
  w->barrier = ++w->roots.depth;
  roots_enter_params(&w->roots, params);
  fix_params(w, params, owned);
  return outer;
}

static void leave(Walk *w, int outer) {
  w->roots.depth--;
  w->barrier = outer;
}

// The function of a withacc runs exactly once, so it may consume what its surroundings own:
// accumulators of enclosing scopes are threaded through it.
static void walk_once(Walk *w, const Lambda *fn) {
  int outer = enter(w, fn->params, PARAMS_MARKED);
  w->barrier = outer;
  walk_stms(w, fn->body.stms);
  walk_results(w, fn->body.results);
  leave(w, outer);
}

static void walk_lambda(Walk *w, const Lambda *fn, Owned owned) {
  if (!fn) return;
  int outer = enter(w, fn->params, owned);
  walk_stms(w, fn->body.stms);
  walk_results(w, fn->body.results);
  leave(w, outer);
}

// A map consumes its input if its function consumes the row.
static void walk_rows(Walk *w, const Lambda *fn, Atoms inputs) {
  walk_lambda(w, fn, PARAMS_ROWS);
  for (int i = 0; i < inputs.len; i++)
    if (map_get(w->dead, fn->params.at[i].id) && is_memory(w, inputs.at[i]) &&
        !var_type(w->roots.prog, inputs.at[i].var).is_acc)
      take(w, inputs.at[i]);
}

static void walk_operators(Walk *w, Operators ops) {
  for (int i = 0; i < ops.len; i++) walk_lambda(w, ops.at[i].op, PARAMS_FIXED);
}

// Each case starts from what was dead before the match; afterwards whatever died in any is dead.
static void walk_match(Walk *w, const struct match_form *e) {
  int start = w->trail.len;
  for (int i = 0; i < e->cases.len; i++) {
    int from = w->trail.len;
    walk_body(w, &e->cases.at[i].body);
    for (int k = from; k < w->trail.len; k++) map_put(w->dead, w->trail.at[k].id, NULL);
  }
  for (int k = start; k < w->trail.len; k++) map_put(w->dead, w->trail.at[k].id, w);
}

static void walk_loop(Walk *w, const struct loop_form *e) {
  for (int k = 0; k < e->inits.len; k++)
    if (var_type(w->roots.prog, e->fn->params.at[k + e->is_for]).unique) take(w, e->inits.at[k]);
  int outer = enter(w, e->fn->params, PARAMS_MARKED);
  walk_stms(w, e->fn->body.stms);
  walk_results(w, e->fn->body.results);
  verify_results(w, e->fn->body.results, e->fn->params.at + e->is_for, e->inits.len);
  leave(w, outer);
}

static void walk_apply(Walk *w, const struct apply_form *e) {
  const Fn *fn = prog_fn(w->roots.prog, e->fn);
  for (int i = 0; i < e->args.len; i++)
    if (var_type(w->roots.prog, fn->params.at[i]).unique) take(w, e->args.at[i]);
}

static void take_all(Walk *w, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++) take(w, atoms.at[i]);
}

static void walk_combinator(Walk *w, const Exp *e) {
  switch ((int)e->form) {
    case FORM_MAP: walk_rows(w, e->map.fn, e->map.inputs); break;
    case FORM_REDUCE: walk_lambda(w, e->reduce.op, PARAMS_FIXED); break;
    case FORM_SCAN: walk_lambda(w, e->scan.op, PARAMS_FIXED); break;
    case FORM_SCREMA:
      walk_operators(w, e->screma.scans);
      walk_operators(w, e->screma.reds);
      walk_lambda(w, e->screma.post, PARAMS_FIXED);
      walk_rows(w, e->screma.fn, e->screma.inputs);
      break;
    case FORM_HIST:
      take_all(w, e->hist.dests);
      walk_lambda(w, e->hist.op, PARAMS_FIXED);
      walk_rows(w, e->hist.fn, e->hist.inputs);
      break;
    case FORM_SCATTER:
      take_all(w, e->scatter.dests);
      walk_rows(w, e->scatter.fn, e->scatter.inputs);
      break;
    case FORM_WITHACC:
      take_all(w, e->withacc.arrays);
      walk_operators(w, e->withacc.ops);
      walk_once(w, e->withacc.fn);
      break;
    case FORM_JVP: walk_lambda(w, e->jvp.fn, PARAMS_FIXED); break;
    case FORM_VJP: walk_lambda(w, e->vjp.fn, PARAMS_FIXED); break;
    case FORM_DEPENDS: walk_lambda(w, e->depends.fn, PARAMS_FIXED); break;
    case FORM_JACOBIAN: walk_lambda(w, e->jacobian.fn, PARAMS_FIXED); break;
    case FORM_WITHVJP:
      walk_lambda(w, e->withvjp.fn, PARAMS_FIXED);
      walk_lambda(w, e->withvjp.rev, PARAMS_FIXED);
      break;
  }
}

// An operand may share with no other that is taken: the first occurrence of one that is taken is
// that one, others are beside it.
static void beside(void *state, Atom a) {
  Shared *taken = state;
  Vars roots = roots_of(taken->w, a);
  if (!roots.len) return;
  uintptr_t itself = number_of(taken->times, a.var);
  if (itself) map_put(taken->times, a.var.id, NULL);
  for (int i = 0; i < roots.len; i++) {
    const Holders *holders = map_get(taken->held, roots.at[i].id);
    if (holders && (uintptr_t)holders->len > itself)
      blame(taken->w, "used beside its consumption", a.var);
  }
}

static void verify_taken(Walk *w, const Exp *e, int from) {
  if (w->judging && w->taken.len > from) {
    Shared taken = shared_by(w, w->taken.at + from, w->taken.len - from);
    exp_each_atom(e, beside, &taken);
  }
  w->taken.len = from;
}

static void walk_exp(Walk *w, const Exp *e) {
  int from = w->taken.len;
  exp_each_atom(e, use, w);
  switch ((int)e->form) {
    case FORM_MATCH: walk_match(w, &e->match); break;
    case FORM_LOOP: walk_loop(w, &e->loop); break;
    case FORM_APPLY: walk_apply(w, &e->apply); break;
    case FORM_UPDATE: take(w, e->update.array); break;
    case FORM_FLATUPDATE: take(w, e->flatupdate.array); break;
    default: walk_combinator(w, e); break;
  }
  exp_each_atom(e, use_acc, w);
  verify_taken(w, e, from);
}

static void walk_stm(Walk *w, const Stm *stm) {
  const Stm *outer = w->stm;
  w->stm = stm;
  walk_exp(w, &stm->exp);
  roots_bound(&w->roots, stm);
  if (stm->exp.form == FORM_MATCH) {
    for (int i = 0; i < stm->bound.len; i++) roots_forget(&w->roots, stm->bound.at[i], w->dead);
    remember_choice(w, stm);
  }
  w->stm = outer;
}

static Walk walk_new(const Prog *prog, Arena *arena, bool judging) {
  Walk w = {.roots = roots_new(prog, arena, false),
            .dead = map_new(arena),
            .fixed = map_new(arena),
            .chosen = map_new(arena),
            .judging = judging};
  w.roots.through_calls = judging;
  return w;
}

const char *consume_fault(const Prog *prog, Arena *arena) {
  Walk w = walk_new(prog, arena, true);
  walk_stms(&w, prog->constants);
  for (int i = 0; i < prog->fns.len; i++) {
    const Fn *fn = prog->fns.at[i];
    int outer = enter(&w, fn->params, PARAMS_MARKED);
    walk_stms(&w, fn->body.stms);
    walk_results(&w, fn->body.results);
    verify_results(&w, fn->body.results, fn->results.at, fn->results.len);
    leave(&w, outer);
  }
  return w.fault;
}

Atoms exp_consumes(const Prog *prog, Arena *arena, const Exp *exp) {
  Walk w = walk_new(prog, arena, false);
  Atoms out = {0};
  walk_exp(&w, exp);
  for (int i = 0; i < w.trail.len; i++) {
    Var v = w.trail.at[i];
    bool again = false;
    for (int k = 0; k < out.len; k++) again = again || atom_is_var(out.at[k], v);
    if (!again && roots_depth(&w.roots, v) == 0) list_push(arena, &out, atom_var(v));
  }
  return out;
}
