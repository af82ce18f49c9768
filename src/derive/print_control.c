// Branches and loops.  A size that a statement binds together with arrays of that size is matched
// up again by a coercion, since the types of source text do not relate them.
#include "local.h"

bool type_mentions(Type t, Vars vars) {
  for (int d = 0; d < t.rank; d++)
    for (int i = 0; i < vars.len; i++)
      if (atom_is_var(t.dims[d], vars.at[i])) return true;
  return false;
}

// Names for what is coerced afterwards: arrays of a size that is bound with them.
static const char **loose_names(Writer *s, Vars bound) {
  const char **loose = NEW_ARRAY(s->arena, const char *, bound.len + 1);
  for (int i = 0; i < bound.len; i++)
    if (type_mentions(var_type(s->prog, bound.at[i]), bound))
      loose[i] = source_fresh(s, var_info(s->prog, bound.at[i])->base);
  return loose;
}

void put_bound(Writer *s, Vars bound, const char *const *loose) {
  if (bound.len == 0) {
    s->ok = source_fresh(s, "ok");
    put(s, "%s", s->ok);
    return;
  }
  if (bound.len != 1) put(s, "(");
  for (int i = 0; i < bound.len; i++)
    put(s, i ? ", %s" : "%s", loose[i] ? loose[i] : source_name(s, bound.at[i]));
  if (bound.len != 1) put(s, ")");
}

void put_coercions(Writer *s, Vars bound, const char *const *loose) {
  for (int i = 0; i < bound.len; i++) {
    if (!loose[i]) continue;
    put_line(s);
    put(s, "let %s = %s :> ", source_name(s, bound.at[i]), loose[i]);
    put_type(s, var_type(s->prog, bound.at[i]));
  }
}

static void put_condition(Writer *s, const Case *c, Atoms args) {
  bool first = true;
  for (int i = 0; i < args.len; i++) {
    const CasePat *pat = &c->pats.at[i];
    if (pat->any) continue;
    if (!first) put(s, " && ");
    first = false;
    bool is_bool = pat->lit.prim == PRIM_BOOL;
    if (is_bool && !pat->lit.i) put(s, "!");
    if (is_bool && pat->lit.i && args.len == 1) put_open(s, args.at[i]);
    else put_atom(s, args.at[i]);
    if (!is_bool) put(s, " == "), put_atom(s, atom_scalar(pat->lit));
  }
  if (first) put(s, "true");
}

// The result of a branch shares memory with whatever its value shares memory with.
static void results_share(Writer *s, Vars bound, Atoms results) {
  for (int i = 0; i < bound.len; i++)
    if (results.at[i].is_var && map_get(s->shared, results.at[i].var.id))
      array_share(s, bound.at[i]);
}

typedef struct {
  Vars bound;
  Atoms results;
} Given;

static bool is_coerced(Writer *s, const Given *g, int i) {
  Type want = var_type(s->prog, g->bound.at[i]), have = atom_type(s->prog, g->results.at[i]);
  return want.rank > 0 && !type_mentions(want, g->bound) && !type_same(want, have);
}

// The result of a branch; a size that only its condition shows (n, where n is 0) is coerced.
static void put_given(Writer *s, void *state) {
  const Given *g = state;
  if (g->results.len == 0) put(s, "true");
  if (g->results.len > 1) put(s, "(");
  for (int i = 0; i < g->results.len; i++) {
    if (i) put(s, ", ");
    put_open(s, g->results.at[i]);
    if (!is_coerced(s, g, i)) continue;
    put(s, " :> ");
    put_type(s, var_type(s->prog, g->bound.at[i]));
  }
  if (g->results.len > 1) put(s, ")");
}

static const Stm *given_tail(Writer *s, const Given *g, const Body *body) {
  for (int i = 0; i < g->results.len; i++)
    if (is_coerced(s, g, i)) return NULL;
  return body_tail(s, body);
}

bool match_can_be_tail(Writer *s, const Stm *stm) {
  for (int i = 0; i < stm->bound.len; i++)
    if (type_mentions(var_type(s->prog, stm->bound.at[i]), stm->bound)) return false;
  return true;
}

void stm_match(Writer *s, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  const char **loose = loose_names(s, stm->bound);
  bool tail = tail_take(s);
  if (!tail) {
    put(s, "let ");
    put_bound(s, stm->bound, loose);
    put(s, " =");
    put_shapes(s, stm->bound);
    s->depth++;
  }
  for (int i = 0; i < e->cases.len; i++) {
    if (i || !tail) put_line(s);
    if (i) put(s, i + 1 < e->cases.len ? "else " : "else");
    if (i + 1 < e->cases.len) {
      put(s, "if ");
      put_condition(s, &e->cases.at[i], e->args);
      put(s, " then");
    }
    Given given = {stm->bound, e->cases.at[i].body.results};
    const Body *body = &e->cases.at[i].body;
    const Stm *last = given_tail(s, &given, body);
    s->chained = i + 1 == e->cases.len && last && body_is_branch(s, body);
    if (s->chained) s->depth--;
    bool chained = s->chained;
    put_body_tail(s, body, last, put_given, &given);
    if (chained) s->depth++;
    results_share(s, stm->bound, e->cases.at[i].body.results);
  }
  if (!tail) s->depth--;
  put_coercions(s, stm->bound, loose);
}

// A parameter's type, without sizes that change with the loop.
static void put_loop_type(Writer *s, Type t, Vars params) {
  if (t.unique || t.is_acc) put(s, "*");
  for (int d = 0; d < t.rank; d++) {
    bool changes = false;
    for (int i = 0; i < params.len; i++) changes = changes || atom_is_var(t.dims[d], params.at[i]);
    put(s, "[");
    if (!changes) put_size(s, t.dims[d]);
    put(s, "]");
  }
  put(s, "%s", t.prim == PRIM_UNIT ? "()" : prim_info[t.prim].name);
}

static void put_loop_params(Writer *s, Vars params, const char **loose) {
  put(s, params.len ? "(" : "(_");
  for (int i = 0; i < params.len; i++) {
    Type t = var_type(s->prog, params.at[i]);
    loose[i] = NULL;
    if (type_mentions(t, params)) loose[i] = source_fresh(s, var_info(s->prog, params.at[i])->base);
    put(s, i ? ", %s" : "%s", loose[i] ? loose[i] : source_name(s, params.at[i]));
    if (t.rank == 0) continue;
    put(s, ": ");
    put_loop_type(s, t, params);
  }
  put(s, ")");
}

typedef struct {
  Vars params;
  Atoms atoms;
  bool initial;  // values, not results of an iteration
} Owned;

// A result of branches that exchange arrays shares memory with the others as far as types tell.
// `held`: how many of the atoms have a root.
static bool beside_itself(Writer *s, const Map *held, Atom a) {
  if (!a.is_var || atom_type(s->prog, a).rank == 0) return false;
  Vars roots = aliases_roots(s->aliases, a.var);
  for (int i = 0; i < roots.len; i++)
    if ((uintptr_t)map_get(held, roots.at[i].id) > 1) return true;
  return false;
}

static Map *roots_held(Writer *s, Atoms atoms) {
  Map *held = map_new(s->arena);
  for (int k = 0; k < atoms.len; k++) {
    if (!atoms.at[k].is_var || atom_type(s->prog, atoms.at[k]).rank == 0) continue;
    Vars roots = aliases_roots(s->aliases, atoms.at[k].var);
    for (int i = 0; i < roots.len; i++) {
      uintptr_t n = (uintptr_t)map_get(held, roots.at[i].id);
      map_put(held, roots.at[i].id, (void *)(n + 1));
    }
  }
  return held;
}

static bool shares_root(Writer *s, Atom a, Atom b) {
  if (!a.is_var || !b.is_var || atom_type(s->prog, a).rank == 0) return false;
  if (atom_type(s->prog, b).rank == 0) return false;
  Vars roots = aliases_roots(s->aliases, a.var), others = aliases_roots(s->aliases, b.var);
  for (int i = 0; i < roots.len; i++)
    for (int k = 0; k < others.len; k++)
      if (roots.at[i].id == others.at[k].id) return true;
  return false;
}

static bool is_shared(Writer *s, Atom a) {
  return a.is_var && atom_type(s->prog, a).rank > 0 && map_get(s->shared, a.var.id);
}

// Whether the checker takes values i and k, k not copied, for the same memory: two that one unzip
// gives, too, but not at the end of an iteration.
static bool given_alike(Writer *s, const Owned *o, int k, int i) {
  if (shares_root(s, o->atoms.at[k], o->atoms.at[i])) return true;
  return o->initial && is_shared(s, o->atoms.at[k]) && is_shared(s, o->atoms.at[i]) &&
         !var_type(s->prog, o->params.at[k]).unique;
}

// Beside a parameter that is consumed nothing may be given twice, not even to others.
static bool given_before(Writer *s, const Owned *o, int i) {
  bool consumes = false, before = false;
  for (int k = 0; k < o->params.len; k++)
    consumes = consumes || var_type(s->prog, o->params.at[k]).unique;
  for (int k = 0; k < i && consumes && !before; k++) before = given_alike(s, o, k, i);
  return before;
}

// Initial values or results of a loop; those of unique parameters are consumed.
static void put_for_params(Writer *s, void *state) {
  const Owned *o = state;
  if (o->atoms.len == 0) {
    put(s, "true");
    return;
  }
  const Map *held = roots_held(s, o->atoms);
  if (o->atoms.len != 1) put(s, "(");
  for (int i = 0; i < o->atoms.len; i++) {
    if (i) put(s, ", ");
    if (var_type(s->prog, o->params.at[i]).unique) {
      if (beside_itself(s, held, o->atoms.at[i])) map_put(s->shared, o->atoms.at[i].var.id, s);
      put_owned(s, o->atoms.at[i]);
      continue;
    }
    bool again = given_before(s, o, i);
    if (again) put(s, "(copy ");
    put_atom(s, o->atoms.at[i]);
    if (again) put(s, ")");
  }
  if (o->atoms.len != 1) put(s, ")");
}

void stm_loop(Writer *s, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  Vars all = e->fn->params, params = {0};
  for (int i = e->is_for ? 1 : 0; i < all.len; i++) list_push(s->arena, &params, all.at[i]);
  const char **loose = NEW_ARRAY(s->arena, const char *, params.len + 1);
  const char **after = loose_names(s, stm->bound);
  put(s, "let ");
  put_bound(s, stm->bound, after);
  put(s, " =");
  put_shapes(s, stm->bound);
  s->depth++;
  put_line(s);
  put(s, "loop ");
  put_loop_params(s, params, loose);
  put(s, " = ");
  Owned inits = {params, e->inits, true}, results = {params, e->fn->body.results, false};
  put_for_params(s, &inits);
  put_line(s);
  if (e->is_for) put(s, "for %s < ", source_name(s, all.at[0])), put_atom(s, e->bound);
  else put(s, "while %s", source_name(s, params.at[e->cond]));
  put(s, " do");
  s->depth++;
  put_coercions(s, params, loose);
  for (int i = 0; i < params.len; i++) s->begun |= loose[i] != NULL;
  s->depth--;
  put_body_with(s, &e->fn->body, put_for_params, &results);
  s->depth--;
  put_coercions(s, stm->bound, after);
}
