// Functions that call themselves last become loops, which need no stack, update what they consume
// in place and have the derivative rules of loops:
//
//   f p.. = .. match c { A: f a.. ; B: .. r.. }
//   f p.. = let (_, which, p'.., k'..) =
//             loop (go, which, p.., k..) = (true, 0, p.., 0..) while go do
//               .. match c { A: (true, 0, a.., 0..) ; B: (false, 1, p.., k..) }
//           in B[p', k']..
//
// A call stands last when the function's result is its result as it is, under branches.
// Computations of branches without a call (bases) come after the loop: k.. are the
// scalars that they need; an array that they need takes the place of a parameter of its type.
//
// All recursive calls of the function must stand last.  A parameter that all calls pass on as it is
// is no parameter of the loop.  Arrays that change are made anew or consumed: a loop
// would copy slices of an array, where a call passes on a reference.
#include "opt/common/local.h"

typedef struct {
  const Body *body;
  Vars path;      // bound on the way to it
  Vars scalars;   // that it needs of these
  int first;      // place of the first of them in the loop
  Var *carried;   // by carried parameter: the array of `path` in its place; id 0: none
  bool *consumed; // by carried parameter: on the way to it
} Base;
typedef struct {
  Prog *prog;
  Arena *arena;
  const Fn *fn;
  const Cycles *cycles;
  const Aliases *aliases;
  int calls, last;      // recursive ones; those that stand last
  bool possible;
  bool *changes;        // by parameter
  LIST(int) carried;    // numbers of the parameters that the loop has
  LIST(Base *) bases;
  int scalars;
  Vars path;            // bound on the way to the body being looked at
  Stms way;             // the statements on it
} Tail;

static Type fresh(Type t) {
  t.unique = false;
  return t;
}

// ---- which functions
static void count_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  Tail *t = state;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    exp_each_body(e, count_body, t);
    if (e->form != FORM_APPLY) continue;
    const Fn *callee = prog_fn(t->prog, e->apply.fn);
    t->calls += callee && cycles_join(t->cycles, t->fn, callee);
  }
}

// The statement whose results are those of the body, NULL: none.
static const Stm *last_stm(const Body *body) {
  if (body->stms.len == 0) return NULL;
  const Stm *stm = &body->stms.at[body->stms.len - 1];
  if (stm->bound.len != body->results.len) return NULL;
  for (int k = 0; k < stm->bound.len; k++)
    if (!atom_is_var(body->results.at[k], stm->bound.at[k])) return NULL;
  return stm;
}

static bool calls_last(const Tail *t, const Body *body) {
  const Stm *stm = last_stm(body);
  if (!stm) return false;
  if (stm->exp.form == FORM_APPLY) return prog_fn(t->prog, stm->exp.apply.fn) == t->fn;
  if (stm->exp.form != FORM_MATCH) return false;
  for (int i = 0; i < stm->exp.match.cases.len; i++)
    if (calls_last(t, &stm->exp.match.cases.at[i].body)) return true;
  return false;
}

// ---- arguments
static bool is_array(const Tail *t, Var v) { return var_type(t->prog, v).rank > 0; }

// Whether v is made on the way to where it is used, and shares nothing.
static bool is_new(const Tail *t, Vars path, Var v) {
  Vars roots = aliases_roots(t->aliases, v);
  for (int i = 0; i < roots.len; i++)
    if (!vars_have(path, roots.at[i])) return false;
  return true;
}

static void look_at_call(Tail *t, const struct apply_form *e) {
  t->last++;
  for (int k = 0; k < e->args.len; k++) {
    Var p = t->fn->params.at[k];
    Atom a = e->args.at[k];
    Type type = var_type(t->prog, p);
    if (type.is_acc) t->possible = false;
    if (atom_is_var(a, p) && !type.unique) continue;
    t->changes[k] = true;
    if (type.rank > 0 && !type.unique && !is_new(t, t->path, a.var)) t->possible = false;
  }
}

static void path_add(Tail *t, const Body *body, int n) {
  for (int i = 0; i < n; i++) {
    const Stm *stm = &body->stms.at[i];
    list_push(t->arena, &t->way, *stm);
    for (int k = 0; k < stm->bound.len; k++) list_push(t->arena, &t->path, stm->bound.at[k]);
  }
}

// The roots of what expressions consume.
typedef struct {
  Tail *t;
  Vars roots;
} Eaten;

static void eat(Eaten *eaten, const Exp *e);

static void eat_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  for (int i = 0; i < body->stms.len; i++) eat(state, &body->stms.at[i].exp);
}

static void eat(Eaten *eaten, const Exp *e) {
  Tail *t = eaten->t;
  exp_each_body(e, eat_body, eaten);
  Atoms atoms = exp_consumes(t->prog, t->arena, e);
  for (int i = 0; i < atoms.len; i++) {
    Vars roots = aliases_roots(t->aliases, atoms.at[i].var);
    for (int k = 0; k < roots.len; k++) list_push(t->arena, &eaten->roots, roots.at[k]);
  }
}

static bool base_consumes(Tail *t, const Base *base, Var v) {
  Eaten eaten = {.t = t};
  eat_body(&eaten, base->body, NULL);
  Vars roots = aliases_roots(t->aliases, v);
  for (int i = 0; i < roots.len; i++)
    if (vars_have(eaten.roots, roots.at[i])) return true;
  return false;
}

// Bases are met in the order in which the loop's body is written.
static void look_at(Tail *t, const Body *body) {
  int vars = t->path.len, stms = t->way.len;
  if (!calls_last(t, body)) {
    Base *base = NEW(t->arena, Base);
    base->body = body;
    for (int i = 0; i < vars; i++) list_push(t->arena, &base->path, t->path.at[i]);
    Eaten eaten = {.t = t};
    for (int i = 0; i < stms; i++) eat(&eaten, &t->way.at[i].exp);
    base->consumed = NEW_ARRAY(t->arena, bool, t->fn->params.len + 1);
    for (int p = 0; p < t->fn->params.len; p++)
      base->consumed[p] = vars_have(eaten.roots, t->fn->params.at[p]);
    list_push(t->arena, &t->bases, base);
    return;
  }
  const Stm *stm = last_stm(body);
  path_add(t, body, body->stms.len - 1);
  if (stm->exp.form == FORM_APPLY) look_at_call(t, &stm->exp.apply);
  else
    for (int i = 0; i < stm->exp.match.cases.len; i++)
      look_at(t, &stm->exp.match.cases.at[i].body);
  t->path.len = vars;
  t->way.len = stms;
}

// ---- what bases need
// A carried parameter of v's type that the base does not need itself.
static bool take_place(Tail *t, Base *base, Vars free, Var v) {
  for (int c = 0; c < t->carried.len; c++) {
    Var p = t->fn->params.at[t->carried.at[c]];
    if (base->carried[c].id || vars_have(free, p)) continue;
    if (!type_same(var_type(t->prog, p), var_type(t->prog, v))) continue;
    base->carried[c] = v;
    return true;
  }
  return false;
}

// Arrays that the base gets must not share memory: in the loop they are consumed.
static bool shares_other(const Tail *t, Vars free, Var v) {
  for (int i = 0; i < free.len; i++) {
    if (free.at[i].id == v.id || !is_array(t, free.at[i])) continue;
    Vars others = aliases_of(t->aliases, v);
    if (vars_have(others, free.at[i])) return true;
  }
  return false;
}

static bool base_needs(Tail *t, Base *base) {
  Vars free = body_free(t->prog, t->arena, base->body);
  base->carried = NEW_ARRAY(t->arena, Var, t->carried.len + 1);
  base->first = t->scalars;
  for (int i = 0; i < free.len; i++) {
    Var v = free.at[i];
    if (!vars_have(base->path, v)) continue;
    if (!is_array(t, v)) list_push(t->arena, &base->scalars, v);
    else if (shares_other(t, free, v) || !take_place(t, base, free, v)) return false;
  }
  t->scalars += base->scalars.len;
  return true;
}

static bool is_possible(Tail *t) {
  if (!calls_last(t, &t->fn->body)) return false;
  count_body(t, &t->fn->body, NULL);
  t->changes = NEW_ARRAY(t->arena, bool, t->fn->params.len + 1);
  look_at(t, &t->fn->body);
  if (!t->possible || t->last != t->calls || t->bases.len == 0) return false;
  for (int k = 0; k < t->fn->params.len; k++)
    if (t->changes[k]) list_push(t->arena, &t->carried, k);
  for (int i = 0; i < t->bases.len; i++)
    if (!base_needs(t, t->bases.at[i])) return false;
  return true;
}

// ---- the loop
// Places: go, which, the carried parameters, the scalars of the bases.
enum { GO, WHICH, CARRIED };

typedef struct {
  Tail *t;
  Rewrite w;   // of what the loop executes
  int base;    // bases met
} Making;

static Type scalar_place(const Tail *t, int at) {
  for (int i = 0; i < t->bases.len; i++) {
    const Base *base = t->bases.at[i];
    if (at < base->first + base->scalars.len)
      return var_type(t->prog, base->scalars.at[at - base->first]);
  }
  ice("no base has place %d", at);
}

static Atoms call_results(Making *m, const struct apply_form *e) {
  Tail *t = m->t;
  Atoms out = atoms_of(t->prog->arena, 2, (Atom[]){atom_bool(true), atom_i64(0)});
  for (int c = 0; c < t->carried.len; c++)
    list_push(t->prog->arena, &out, rewrite_atom(&m->w, e->args.at[t->carried.at[c]]));
  for (int i = 0; i < t->scalars; i++)
    list_push(t->prog->arena, &out, build_zero(&m->w.to, scalar_place(t, i)));
  return out;
}

// The value that a base leaves for carried parameter c.
static Atom base_carries(Making *m, const Base *base, int c) {
  Tail *t = m->t;
  Var p = t->fn->params.at[t->carried.at[c]], v = base->carried[c];
  Type type = var_type(t->prog, p);
  if (v.id) {
    Atom a = rewrite_atom(&m->w, atom_var(v));
    return is_new(t, base->path, v) ? a : build_copy(&m->w.to, a);
  }
  if (base->consumed[t->carried.at[c]])
    return build_zero(&m->w.to, rewrite_type(&m->w, fresh(type)));
  return rewrite_atom(&m->w, atom_var(p));
}

static Atoms base_results(Making *m) {
  Tail *t = m->t;
  const Base *base = t->bases.at[m->base++];
  Atoms out = atoms_of(t->prog->arena, 2, (Atom[]){atom_bool(false), atom_i64(m->base - 1)});
  for (int c = 0; c < t->carried.len; c++)
    list_push(t->prog->arena, &out, base_carries(m, base, c));
  for (int i = 0; i < t->scalars; i++) {
    int at = i - base->first;
    bool own = at >= 0 && at < base->scalars.len;
    list_push(t->prog->arena, &out, own ? rewrite_atom(&m->w, atom_var(base->scalars.at[at]))
                                        : build_zero(&m->w.to, scalar_place(t, i)));
  }
  return out;
}

static Atoms emit_body(Making *m, const Body *body);

// Variables for all places, of types in which w names the places before.
static Vars places_new(Tail *t, Rewrite *w, bool unique) {
  Vars out = {0};
  Prog *prog = t->prog;
  list_push(prog->arena, &out, var_new(prog, "go", type_scalar(PRIM_BOOL)));
  list_push(prog->arena, &out, var_new(prog, "which", type_scalar(PRIM_I64)));
  for (int c = 0; c < t->carried.len; c++) {
    Var p = t->fn->params.at[t->carried.at[c]];
    Type type = rewrite_type(w, var_type(prog, p));
    type.unique = type.unique && unique;
    Var v = var_new(prog, var_info(prog, p)->base, type);
    rewrite_bind(w, p, atom_var(v));
    list_push(prog->arena, &out, v);
  }
  for (int i = 0; i < t->scalars; i++)
    list_push(prog->arena, &out, var_new(prog, "kept", scalar_place(t, i)));
  return out;
}

static Atoms emit_match(Making *m, const Stm *stm) {
  Arena *arena = m->t->prog->arena;
  Builder *b = &m->w.to;
  Stms *outer = b->stms;
  const struct match_form *e = &stm->exp.match;
  Stm out = {.exp = {.form = FORM_MATCH, .match = {.args = rewrite_atoms(&m->w, e->args)}},
             .attrs = stm->attrs, .loc = stm->loc};
  for (int i = 0; i < e->cases.len; i++) {
    Case c = {.pats = e->cases.at[i].pats};
    b->stms = &c.body.stms;
    c.body.results = emit_body(m, &e->cases.at[i].body);
    b->stms = outer;
    list_push(arena, &out.exp.match.cases, c);
  }
  Rewrite types = rewrite_new(m->t->prog, *b);
  out.bound = places_new(m->t, &types, false);
  build_stm(b, out);
  return atoms_of_vars(arena, out.bound);
}

static Atoms emit_body(Making *m, const Body *body) {
  if (!calls_last(m->t, body)) return base_results(m);
  Stms before = body->stms;
  before.len--;
  rewrite_stms(&m->w, before);
  const Stm *stm = &body->stms.at[before.len];
  if (stm->exp.form == FORM_APPLY) return call_results(m, &stm->exp.apply);
  return emit_match(m, stm);
}

static Lambda *loop_body(Tail *t, Builder *b) {
  Lambda *fn = NEW(t->prog->arena, Lambda);
  Making m = {.t = t};
  Builder inner = *b;
  inner.stms = &fn->body.stms;
  m.w = rewrite_new(t->prog, inner);
  fn->params = places_new(t, &m.w, true);
  fn->body.results = emit_body(&m, &t->fn->body);
  fn->rets = types_of_atoms(t->prog, fn->body.results);
  for (int k = 0; k < fn->rets.len; k++)
    fn->rets.at[k].unique = var_type(t->prog, fn->params.at[k]).unique;
  return fn;
}

static Vars loop_build(Tail *t, Builder *b, Rewrite *after) {
  Arena *arena = t->prog->arena;
  Lambda *fn = loop_body(t, b);
  Atoms inits = atoms_of(arena, 2, (Atom[]){atom_bool(true), atom_i64(0)});
  for (int c = 0; c < t->carried.len; c++)
    list_push(arena, &inits, atom_var(t->fn->params.at[t->carried.at[c]]));
  for (int i = 0; i < t->scalars; i++) list_push(arena, &inits, build_zero(b, scalar_place(t, i)));
  Atom none = atom_scalar((Scalar){.prim = PRIM_UNIT});
  Exp loop = {.form = FORM_LOOP, .loop = {.cond = GO, .bound = none, .inits = inits, .fn = fn}};
  Vars bound = places_new(t, after, false);
  build_stm(b, (Stm){.bound = bound, .exp = loop, .loc = t->fn->loc});
  return bound;
}

// ---- after it
// What the base finds in the place of carried parameter c.  In that of a parameter that is not
// unique it may not be consumed: a copy is.
static Atom base_finds(Tail *t, Rewrite *w, const Base *base, int c, Var bound) {
  Var v = base->carried[c];
  Type param = var_type(t->prog, t->fn->params.at[t->carried.at[c]]);
  if (param.unique || !base_consumes(t, base, v)) return atom_var(bound);
  return build_copy(&w->to, atom_var(bound));
}

static Body base_body(Tail *t, const Rewrite *after, const Base *base, Vars bound) {
  Body out = {0};
  Rewrite w = rewrite_new(t->prog, after->to);
  w.to.stms = &out.stms;
  for (int c = 0; c < t->carried.len; c++) {
    Var place = bound.at[CARRIED + c], p = t->fn->params.at[t->carried.at[c]];
    rewrite_bind(&w, p, atom_var(place));
    if (!base->carried[c].id) continue;
    rewrite_bind(&w, base->carried[c], base_finds(t, &w, base, c, place));
  }
  int first = CARRIED + t->carried.len + base->first;
  for (int i = 0; i < base->scalars.len; i++)
    rewrite_bind(&w, base->scalars.at[i], atom_var(bound.at[first + i]));
  rewrite_stms(&w, base->body->stms);
  out.results = rewrite_atoms(&w, base->body->results);
  return out;
}

// The function's results, bound under names of their own.
static Vars results_new(const Tail *t, Builder *b) {
  Rewrite types = rewrite_new(t->prog, *b);
  Vars out = {0};
  for (int k = 0; k < t->fn->results.len; k++) {
    Var r = t->fn->results.at[k];
    Type type = fresh(rewrite_type(&types, var_type(t->prog, r)));
    Var v = var_new(t->prog, var_info(t->prog, r)->base, type);
    rewrite_bind(&types, r, atom_var(v));
    list_push(t->prog->arena, &out, v);
  }
  return out;
}

// The outer arrays that result k may be, after any of the bases.
static Vars result_shares(const Tail *t, const Cases *bases, int k) {
  Vars out = {0};
  for (int i = 0; i < bases->len; i++) {
    Vars one = body_shares(t->prog, t->arena, &bases->at[i].body)[k];
    for (int j = 0; j < one.len; j++) list_push(t->arena, &out, one.at[j]);
  }
  return out;
}

// Unique results are not one array, also not after different bases: as a call's they had nothing in
// common.  Nor are they an array that the loop carries for a parameter that is not unique: after no
// iteration it is the argument.
static Atoms results_distinct(const Tail *t, Builder *b, const Cases *bases, Atoms results) {
  Vars taken = {0};
  for (int k = 0; k < results.len; k++) {
    if (!var_type(t->prog, t->fn->results.at[k]).unique) continue;
    Vars shares = result_shares(t, bases, k);
    bool again = false;
    for (int i = 0; i < shares.len; i++)
      again = again || vars_have(taken, shares.at[i]) || !var_type(b->prog, shares.at[i]).unique;
    if (again) results.at[k] = build_copy(b, results.at[k]);
    else for (int i = 0; i < shares.len; i++) list_push(t->arena, &taken, shares.at[i]);
  }
  return results;
}

static Atoms bases_build(Tail *t, Builder *b, const Rewrite *after, Vars bound) {
  Arena *arena = t->prog->arena;
  Atom which = atom_var(bound.at[WHICH]);
  Exp e = {.form = FORM_MATCH, .match = {.args = atoms_of(arena, 1, &which)}};
  for (int i = 0; i < t->bases.len; i++) {
    Case c = {.body = base_body(t, after, t->bases.at[i], bound)};
    if (i < t->bases.len - 1)
      list_push(arena, &c.pats, (CasePat){.lit = scalar_int(PRIM_I64, i)});
    list_push(arena, &e.match.cases, c);
  }
  if (t->bases.len == 1) {
    const Body *only = &e.match.cases.at[0].body;
    for (int i = 0; i < only->stms.len; i++) build_stm(b, only->stms.at[i]);
    return results_distinct(t, b, &e.match.cases, only->results);
  }
  Vars results = results_new(t, b);
  build_stm(b, (Stm){.bound = results, .exp = e, .loc = t->fn->loc});
  return results_distinct(t, b, &e.match.cases, atoms_of_vars(arena, results));
}

static Body to_loop(Tail *t) {
  Body out = {0};
  Builder b = builder_new(t->prog, &out.stms);
  b.loc = t->fn->loc;
  Rewrite after = rewrite_new(t->prog, b);
  Vars bound = loop_build(t, &b, &after);
  out.results = bases_build(t, &b, &after, bound);
  return out;
}

Prog *pass_tail(Prog *prog, Arena *arena) {
  Arena *scratch = arena_beside(arena);
  const Cycles *cycles = cycles_find(prog, scratch);
  if (!cycles_any(cycles)) {
    arena_free(scratch);
    return prog;
  }
  Prog *out = prog_own(prog, arena);
  cycles = cycles_find(out, scratch);
  const Aliases *aliases = aliases_compute(out, scratch);
  for (int i = 0; i < out->fns.len; i++) {
    Tail t = {.prog = out, .arena = scratch, .fn = out->fns.at[i], .cycles = cycles,
              .aliases = aliases, .possible = true};
    if (!is_possible(&t)) continue;
    out->fns.at[i]->body = to_loop(&t);
    out->at_fixpoint = false;
  }
  arena_free(scratch);
  return out;
}
