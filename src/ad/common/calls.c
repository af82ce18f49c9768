// Functions that differentiated code calls: what is known of them, and their derivatives, each of
// which is its own function, made once for what varies and what is wanted (doc/ad.md 4.15).
//
// A derivative function is asked for while code that calls it is written, and made at the end of
// the pass, which may ask for more.  So the work is linear in the program whatever the depth of
// the call graph, and recursion is nothing special.
#include "local.h"
#include "values/embed.h"
#include <string.h>

// A function of the source, copied into the program built.  `copy` stands among that program's
// functions while the pass runs, so that questions about calls find its signature.
typedef struct {
  const Fn *source;
  Fn *copy;
  Lambda *prepared[2];  // for forward mode, for reverse mode
} Callee;
// An answer of the dataflow analyses: the least one that agrees with those it depends on.
typedef struct {
  Callee *callee;
  bool reached, busy, at_fixpoint;
  Mask args, results;  // what was asked
  char *answer;
} Answer;
typedef struct {
  Callee *callee;
  bool reverse;
  Mask varied, args, results;
  const char *name;
} Derived;
struct Calls {
  const Prog *from;
  const Rewrite *w;  // of the pass: has the program's constants
  Builder to;        // emits nothing
  Stms nothing;
  bool strict;
  Map *callees;      // name of the source's function -> Callee
  LIST(Answer *) answers;
  LIST(Derived *) derived;
  int depth;         // questions being answered
  VarSet counted;
  const Prog *schedule;
  LIST(const Fn *) brought;
  bool changed;
};

Calls *calls_new(const Prog *from, const Rewrite *w, bool strict) {
  Arena *arena = w->to.prog->arena;
  Calls *c = NEW(arena, Calls);
  *c = (Calls){.from = from, .w = w, .strict = strict, .callees = map_new(arena)};
  c->counted = varset_new(arena);
  c->to = builder_new(w->to.prog, &c->nothing);
  return c;
}

bool calls_strict(const Calls *c) { return c->strict; }

VarSet *calls_counted(Calls *c) { return &c->counted; }

static Arena *calls_arena(const Calls *c) { return c->to.prog->arena; }

// ---- functions
static Callee *callee_of(const Calls *c, const char *name) {
  return map_get(c->callees, KEY(name_of(c->to.prog->names, name)));
}

const Fn *calls_fn(Calls *c, const char *name) {
  const Callee *callee = callee_of(c, name);
  check(callee);
  return callee->copy;
}

static void import_fn(Calls *c, const char *name) {
  if (callee_of(c, name)) return;
  Callee *callee = NEW(calls_arena(c), Callee);
  callee->source = prog_fn(c->from, name);
  check(callee->source);
  map_put(c->callees, KEY(name_of(c->to.prog->names, name)), callee);
  Rewrite copy = rewrite_new(c->from, c->to);
  for (int i = 0; i < c->from->constants.len; i++) {
    Vars bound = c->from->constants.at[i].bound;
    for (int k = 0; k < bound.len; k++)
      if ((int)bound.at[k].id < c->w->cap && c->w->has_subst[bound.at[k].id])
        rewrite_bind(&copy, bound.at[k], c->w->subst[bound.at[k].id]);
  }
  callee->copy = rewrite_fn(&copy, callee->source);
  list_push(calls_arena(c), &c->to.prog->fns, callee->copy);
  calls_import(c, &callee->source->body);
}

// An action for each function that a body calls.
typedef struct {
  Calls *c;
  void (*called)(Calls *c, const char *name);
} CallWalk;

static void walk_calls(void *state, const Body *body, const Vars *params) {
  (void)params;
  const CallWalk *w = state;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    if (e->form == FORM_APPLY) w->called(w->c, e->apply.fn);
    exp_each_body(e, walk_calls, state);
  }
}

void calls_import(Calls *c, const Body *body) {
  walk_calls(&(CallWalk){c, import_fn}, body, NULL);
}

static const Lambda *prepared(Calls *c, Callee *callee, bool reverse) {
  Lambda **fn = &callee->prepared[reverse];
  if (*fn) return *fn;
  Lambda raw = {.params = callee->copy->params, .body = callee->copy->body};
  raw.rets = types_of_vars(c->to.prog, callee->copy->results);
  NormaliseFor what = {.reverse = reverse, .own_only = reverse, .calls = c};
  return *fn = ad_normalise(&c->to, &raw, what);
}

// ---- analyses
Mask mask_of(const VarSet *set, Atoms atoms) {
  char *mask = NEW_ARRAY(set->arena, char, atoms.len + 1);
  for (int i = 0; i < atoms.len; i++) mask[i] = varset_has_atom(set, atoms.at[i]) ? '1' : '0';
  return mask;
}

static void mark(VarSet *set, Vars vars, Mask mask) {
  for (int i = 0; i < vars.len; i++)
    if (mask[i] == '1') varset_add(set, vars.at[i]);
}

// The answer by those that are known now.
static Mask answer_now(Calls *c, const Answer *a) {
  const Prog *prog = c->to.prog;
  const Lambda *fn = prepared(c, a->callee, a->reached);
  VarSet varied = varset_new(calls_arena(c)), useful = varset_new(calls_arena(c));
  varied.calls = useful.calls = c;
  mark(&varied, fn->params, a->args);
  varied_body(prog, &varied, &fn->body);
  if (!a->reached) return mask_of(&varied, fn->body.results);
  for (int k = 0; k < fn->body.results.len; k++)
    if (a->results[k] == '1') useful_atom(&varied, &useful, fn->body.results.at[k]);
  useful_body(prog, &varied, &useful, &fn->body);
  return mask_of(&useful, atoms_of_vars(calls_arena(c), fn->params));
}

static void answer_improve(Calls *c, Answer *a) {
  a->busy = true;
  Mask now = answer_now(c, a);
  a->busy = false;
  for (int i = 0; now[i]; i++) {
    if (now[i] != '1' || a->answer[i] == '1') continue;
    a->answer[i] = '1';
    c->changed = true;
  }
}

static Mask ask(Calls *c, Answer asked) {
  Answer *a = NULL;
  for (int i = 0; i < c->answers.len && !a; i++) {
    Answer *old = c->answers.at[i];
    if (old->callee == asked.callee && old->reached == asked.reached &&
        strcmp(old->args, asked.args) == 0 && strcmp(old->results, asked.results) == 0)
      a = old;
  }
  if (a) return a->answer;
  a = arena_copy(calls_arena(c), &asked, sizeof asked);
  int n = asked.reached ? asked.callee->copy->params.len : asked.callee->copy->results.len;
  a->answer = NEW_ARRAY(calls_arena(c), char, n + 1);
  memset(a->answer, '0', (size_t)n);
  list_push(calls_arena(c), &c->answers, a);
  c->depth++;
  answer_improve(c, a);
  c->depth--;
  while (c->depth == 0 && c->changed) {
    c->changed = false;
    for (int i = 0; i < c->answers.len; i++)
      if (!c->answers.at[i]->at_fixpoint) {
        c->depth++;
        answer_improve(c, c->answers.at[i]);
        c->depth--;
      }
  }
  for (int i = 0; c->depth == 0 && i < c->answers.len; i++) c->answers.at[i]->at_fixpoint = true;
  return a->answer;
}

Mask calls_varied(Calls *c, const char *name, Mask args) {
  return ask(c, (Answer){.callee = callee_of(c, name), .args = args, .results = ""});
}

Mask calls_useful(Calls *c, const char *name, Mask varied, Mask results) {
  Answer asked = {.callee = callee_of(c, name), .reached = true, .args = varied,
                  .results = results};
  return ask(c, asked);
}

// ---- derivative functions
static const char *unused_name(const Calls *c, const char *base, const char *suffix) {
  for (int n = 1;; n++) {
    const char *name = n == 1 ? arena_printf(calls_arena(c), "%s_%s", base, suffix)
                              : arena_printf(calls_arena(c), "%s_%s%d", base, suffix, n);
    bool used = prog_fn(c->from, name) != NULL;
    for (int i = 0; i < c->derived.len; i++)
      used = used || strcmp(c->derived.at[i]->name, name) == 0;
    if (!used) return name;
  }
}

static const char *request(Calls *c, Derived want, const char *suffix) {
  for (int i = 0; i < c->derived.len; i++) {
    const Derived *d = c->derived.at[i];
    if (d->callee == want.callee && d->reverse == want.reverse &&
        strcmp(d->varied, want.varied) == 0 && strcmp(d->args, want.args) == 0 &&
        strcmp(d->results, want.results) == 0)
      return d->name;
  }
  want.name = unused_name(c, want.callee->source->name, suffix);
  list_push(calls_arena(c), &c->derived, arena_copy(calls_arena(c), &want, sizeof want));
  return want.name;
}

const char *calls_jvp(Calls *c, const char *name, Mask args, Mask results) {
  Derived want = {.callee = callee_of(c, name), .varied = args, .args = args, .results = results};
  return request(c, want, "jvp");
}

const char *calls_vjp(Calls *c, const char *name, Mask varied, Mask args, Mask results) {
  Derived want = {.callee = callee_of(c, name), .reverse = true, .varied = varied, .args = args,
                  .results = results};
  return request(c, want, "vjp");
}

// A function under construction: `sizes` takes names of the source to its own.
typedef struct {
  Calls *c;
  const Derived *d;
  Fn *fn;
  Builder in;
  Rewrite sizes;
} Making;

static Var own_var(Making *m, Var old, const char *suffix, bool unique) {
  Arena *arena = calls_arena(m->c);
  const char *base = var_info(m->c->to.prog, old)->base;
  Type type = rewrite_type(&m->sizes, var_type(m->c->to.prog, old));
  type.unique = unique && type.rank > 0;
  return var_new(m->c->to.prog, *suffix ? arena_printf(arena, "%s_%s", base, suffix) : base, type);
}

static Atom add_param(Making *m, Var old, const char *suffix, bool unique) {
  Var p = own_var(m, old, suffix, unique);
  list_push(calls_arena(m->c), &m->fn->params, p);
  return atom_var(p);
}

static Atoms add_params(Making *m, bool unique) {
  Atoms args = {0};
  const Fn *source = m->d->callee->copy;
  for (int k = 0; k < source->params.len; k++) {
    Var p = source->params.at[k];
    Atom a = add_param(m, p, "", unique && var_type(m->c->to.prog, p).unique);
    rewrite_bind(&m->sizes, p, a);
    list_push(calls_arena(m->c), &args, a);
  }
  return args;
}

static void add_result(Making *m, Var result, Atom value) {
  list_push(calls_arena(m->c), &m->fn->results, result);
  list_push(calls_arena(m->c), &m->fn->body.results, value);
}

//   f_jvp (x.., dx..) = (f x.., its tangents)
static void make_jvp(Making *m) {
  Arena *arena = calls_arena(m->c);
  const Prog *prog = m->c->to.prog;
  const Fn *source = m->d->callee->copy;
  Atoms args = add_params(m, true), tangents = {0};
  for (int k = 0; k < args.len; k++) {
    Var p = source->params.at[k];
    list_push(arena, &tangents, m->d->args[k] == '1'
                                    ? add_param(m, p, "tan", var_type(prog, p).unique)
                                    : atom_none());
  }
  const Lambda *fn = prepared(m->c, m->d->callee, false);
  Atoms out = ad_jvp_body(&m->in, fn, args, tangents, m->c);
  int n = source->results.len;
  for (int k = 0; k < n; k++) {
    Var y = source->results.at[k], own = own_var(m, y, "", var_type(prog, y).unique);
    rewrite_bind(&m->sizes, y, atom_var(own));
    add_result(m, own, out.at[k]);
  }
  for (int k = 0; k < n; k++) {
    Var y = source->results.at[k];
    if (m->d->results[k] == '1')
      add_result(m, own_var(m, y, "tan", var_type(prog, y).unique), out.at[n + k]);
  }
}

// Results that others' types mention are parameters of reverse mode.
static bool is_size_of(const Prog *prog, const Fn *fn, Var size) {
  for (int k = 0; k < fn->results.len; k++) {
    Type t = var_type(prog, fn->results.at[k]);
    for (int i = 0; i < t.rank; i++)
      if (atom_is_var(t.dims[i], size)) return true;
  }
  return false;
}

Atoms apply_sizes(Arena *arena, const Prog *prog, const Fn *fn, Atoms results) {
  Atoms out = {0};
  for (int k = 0; k < results.len; k++)
    if (is_size_of(prog, fn, fn->results.at[k])) list_push(arena, &out, results.at[k]);
  return out;
}

// The adjoint of an array that f reads goes through f_vjp, which adds to it: f may read little of
// it.
bool apply_sums(const Prog *prog, const Fn *fn, int param) {
  Type t = var_type(prog, fn->params.at[param]);
  return t.rank > 0 && !t.is_acc && !t.unique;
}

// Every adjoint is its own array; sums are.
static void own_results(Making *m, Atoms sums) {
  Atoms results = m->fn->body.results;
  for (int k = 0, at = 0; k < sums.len; k++) {
    if (m->d->args[k] != '1') continue;
    int r = at++;
    bool array = var_type(m->c->to.prog, m->fn->results.at[r]).unique;
    if (!array || !atom_absent(sums.at[k]) || ad_fresh(&m->in, 0, results, r)) continue;
    results.at[r] = build_copy(&m->in, results.at[r]);
  }
}

//   f_vjp (x.., sizes.., yB.., aB..) = (aB + .., cB..)    a: arrays that are read, c: others
static void make_vjp(Making *m) {
  Arena *arena = calls_arena(m->c);
  const Fn *source = m->d->callee->copy;
  Atoms args = add_params(m, false), seeds = {0};
  for (int k = 0; k < source->results.len; k++) {
    Var y = source->results.at[k];
    if (is_size_of(m->c->to.prog, source, y))
      rewrite_bind(&m->sizes, y, add_param(m, y, "", false));
  }
  for (int k = 0; k < source->results.len; k++)
    list_push(arena, &seeds, m->d->results[k] == '1'
                                 ? add_param(m, source->results.at[k], "adj", false)
                                 : atom_none());
  Atoms sums = {0};
  for (int k = 0; k < args.len; k++) {
    bool sum = m->d->args[k] == '1' && apply_sums(m->c->to.prog, source, k);
    list_push(arena, &sums, sum ? add_param(m, source->params.at[k], "adj", true) : atom_none());
  }
  const Lambda *fn = prepared(m->c, m->d->callee, true);
  VjpCall call = {args, seeds, sums, m->d->varied, m->d->args};
  Atoms out = ad_vjp_body(&m->in, fn, call, m->c);
  for (int k = 0, at = 0; k < args.len; k++)
    if (m->d->args[k] == '1')
      add_result(m, own_var(m, source->params.at[k], "adj", true), out.at[at++]);
  own_results(m, sums);
}

static Fn *make(Calls *c, const Derived *d) {
  const Fn *source = d->callee->copy;
  Making m = {.c = c, .d = d, .fn = NEW(calls_arena(c), Fn)};
  m.fn->name = d->name;
  m.fn->loc = source->loc;
  m.fn->attrs = source->attrs;
  m.in = builder_new(c->to.prog, &m.fn->body.stms);
  m.in.loc = source->loc;
  m.sizes = rewrite_new(c->to.prog, m.in);
  if (d->reverse) make_vjp(&m);
  else make_jvp(&m);
  return m.fn;
}

// ---- the schedule's functions (loops/schedule.c)
const Prog *calls_schedule(Calls *c) {
  if (c->schedule) return c->schedule;
  Arena *arena = calls_arena(c);
  const Source *src = source_new(arena, "schedule.ir", schedule_text, strlen(schedule_text));
  c->schedule = core_parse(arena, src, diag_new(arena));
  check(c->schedule);
  return c->schedule;
}

void calls_bring(Calls *c, const char *name) {
  const Fn *fn = prog_fn(calls_schedule(c), name);
  for (int i = 0; i < c->brought.len; i++)
    if (c->brought.at[i] == fn) return;
  list_push(calls_arena(c), &c->brought, fn);
  walk_calls(&(CallWalk){c, calls_bring}, &fn->body, NULL);
}

static void copy_brought(Calls *c) {
  Prog *prog = c->to.prog;
  Rewrite copy = rewrite_new(c->schedule, c->to);
  for (int i = 0; i < c->brought.len; i++)
    if (!prog_fn(prog, c->brought.at[i]->name))
      list_push(prog->arena, &prog->fns, rewrite_fn(&copy, c->brought.at[i]));
}

void calls_finish(Calls *c) {
  Prog *prog = c->to.prog;
  for (int i = 0; i < c->derived.len; i++) {
    Fn *fn = make(c, c->derived.at[i]);  // looks at the functions there are
    list_push(prog->arena, &prog->fns, fn);
  }
  int len = 0;
  for (int i = 0; i < prog->fns.len; i++) {
    const Callee *callee = callee_of(c, prog->fns.at[i]->name);
    if (!callee || callee->copy != prog->fns.at[i]) prog->fns.at[len++] = prog->fns.at[i];
  }
  prog->fns.len = len;
  if (c->brought.len) copy_brought(c);
}
