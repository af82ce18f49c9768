// A map whose elements a later map computes again becomes part of that.  Reverse mode executes the
// body of a map once more in its reverse sweep; so the value of a loss and its gradient would be
// two maps over the same rows.
//
//   ys = map n (\x -> let a = costly(x) in f(a)) xs
//   zs = withacc z (\acc -> map n (\x acc -> let a = costly(x) in update acc g(a)) xs acc)
// becomes
//   zs, ys = withacc z (\acc ->
//     map n (\x acc -> let a = costly(x) in (update acc g(a), f(a))) xs acc)
//
// Statements of the first map that the second has not go where their operands are known.  What
// stands between the two and depends on the first must not be needed by the second; it goes after
// that.  Where the second needs it, pass_remat stores what both compute instead.
#include "opt/common/local.h"
#include "opt/common/polynomial.h"

// In scalar operations; unknown sizes count as SIZE.  Storing an element: as in remat.c.
enum { STORE = 20, SIZE = 100 };
enum { PAIRS = 200000, REACH = 256 };  // statements compared per pair of maps; looked back at
typedef struct {
  Prog *prog;
  Arena *scratch;
  AliasClasses classes;
  DepsTable table;
  Cost *cost;      // of the function
  FreeVars *free_vars;
  bool changed;
} Join;

// The second statement and the map in it, which is itself or in its lambda.
typedef struct {
  Stm *stm, *map;
} Second;

// For each statement of the first lambda the one of the second that is equal; -1: none.
typedef struct {
  const Stm *first;
  Second second;
  int *at;
} Twins;

static const Stms *stms_of(const Stm *map) { return &map->exp.map.fn->body.stms; }

static int index_of(const Atoms *atoms, Atom a) {
  for (int i = 0; i < atoms->len; i++)
    if (atom_same(atoms->at[i], a)) return i;
  return -1;
}

static Second second_of(Stm *stm) { return (Second){stm, stm_map_within(stm)}; }

// ---- what both compute ------------------------------------------------------------------------
static bool is_like(const Stm *a, const Stm *b) {
  return a->exp.form == b->exp.form && a->attrs.unchecked == b->attrs.unchecked &&
         a->attrs.sequential == b->attrs.sequential && !a->attrs.opaque && !b->attrs.opaque &&
         !exp_has_effect(&a->exp);
}

// Statements mostly come in the same order: each search begins after the last one found.
static bool twins_find(Join *j, Twins *t) {
  const struct map_form *a = &t->first->exp.map, *b = &t->second.map->exp.map;
  const Stms *xs = stms_of(t->first), *ys = stms_of(t->second.map);
  if ((int64_t)xs->len * ys->len > PAIRS) return false;
  Alpha *alpha = alpha_new(j->prog, j->scratch);
  bool shared = false;
  for (int i = 0; i < a->inputs.len; i++) {
    int k = index_of(&b->inputs, a->inputs.at[i]);
    if (k >= 0) alpha_twin(alpha, a->fn->params.at[i], b->fn->params.at[k]);
    shared = shared || k >= 0;
  }
  t->at = NEW_ARRAY(j->scratch, int, xs->len + 1);
  for (int i = 0, from = 0; shared && i < xs->len; i++) {
    t->at[i] = -1;
    for (int n = 0; n < ys->len && t->at[i] < 0; n++) {
      int k = (from + n) % ys->len;
      if (is_like(&xs->at[i], &ys->at[k]) && alpha_stm(alpha, &xs->at[i], &ys->at[k]))
        from = (t->at[i] = k) + 1;
    }
  }
  return shared;
}

static double work(Join *j, const Stm *stm) {
  Body one = {.stms = {.at = (Stm *)stm, .len = 1, .cap = 1}};
  return poly_at(cost_work(j->cost, &one), SIZE);
}

// The work saved is worth more than a store of each result.
static bool twins_pay(Join *j, const Twins *t) {
  const Stms *xs = stms_of(t->first);
  double saved = 0;
  for (int i = 0; i < xs->len; i++)
    if (t->at[i] >= 0) saved += work(j, &xs->at[i]);
  return saved >= (double)STORE * t->first->bound.len;
}

// ---- whether it may go there ------------------------------------------------------------------
static bool all_scalars(const Lambda *fn) {
  for (int i = 0; i < fn->rets.len; i++)
    if (!type_is_scalar(fn->rets.at[i])) return false;
  return fn->rets.len > 0;
}

// A statement may move if no operation overwrites the arrays it reads, and it overwrites none.
static bool moves_freely(Join *j, const Stm *stm) {
  if (exp_consumes(j->prog, j->scratch, &stm->exp).len) return false;
  Vars free = free_vars_of_exp(j->free_vars, &stm->exp);
  for (int i = 0; i < free.len; i++)
    if (var_type(j->prog, free.at[i]).rank && alias_class_consumed(&j->classes, free.at[i]))
      return false;
  return true;
}

static bool moves_all(Join *j, const Twins *t) {
  const Stms *xs = stms_of(t->first);
  if (!moves_freely(j, t->first)) return false;
  for (int i = 0; i < xs->len; i++)
    if (t->at[i] < 0 && !moves_freely(j, &xs->at[i])) return false;
  return true;
}

// after[i]: statement p + i depends on p.  false: c needs such.
static bool split_between(Join *j, const Stms *stms, int p, int c, bool *after) {
  deps_mark_clear(&j->table);
  for (int i = p; i < c; i++) {
    const Deps *deps = deps_of(&j->table, &stms->at[i]);
    after[i - p] = i == p || deps_on_marked(&j->table, deps);
    if (after[i - p]) deps_mark(&j->table, &stms->at[i], deps);
  }
  return !deps_on_marked(&j->table, deps_of(&j->table, &stms->at[c]));
}

// ---- joining ----------------------------------------------------------------------------------
static void name(Join *j, Stms *out, Var v, Var is, const Loc *loc) {
  Stm stm = {.exp = {.form = FORM_ATOM, .atom = {atom_var(is)}}, .loc = loc};
  list_push(j->prog->arena, &stm.bound, v);
  list_push(j->prog->arena, out, stm);
}

// Statements of the first from `i` on whose turn has come when `done` of the second are there.
static int put_first(Join *j, const Twins *t, int i, int done, Stms *out) {
  const Stms *xs = stms_of(t->first), *ys = stms_of(t->second.map);
  for (; i < xs->len && t->at[i] < done; i++) {
    const Stm *x = &xs->at[i];
    if (t->at[i] < 0) list_push(j->prog->arena, out, *x);
    for (int k = 0; t->at[i] >= 0 && k < x->bound.len; k++)
      name(j, out, x->bound.at[k], ys->at[t->at[i]].bound.at[k], x->loc);
  }
  return i;
}

static void join_params(Join *j, const Twins *t, Stms *out) {
  const struct map_form *a = &t->first->exp.map;
  struct map_form *b = &t->second.map->exp.map;
  for (int i = 0; i < a->inputs.len; i++) {
    int k = index_of(&b->inputs, a->inputs.at[i]);
    if (k >= 0) {
      name(j, out, a->fn->params.at[i], b->fn->params.at[k], t->first->loc);
      continue;
    }
    list_push(j->prog->arena, &b->inputs, a->inputs.at[i]);
    list_push(j->prog->arena, &b->fn->params, a->fn->params.at[i]);
  }
}

static void join_bodies(Join *j, const Twins *t) {
  const Stms *ys = stms_of(t->second.map);
  Stms out = {0};
  join_params(j, t, &out);
  int i = put_first(j, t, 0, 0, &out);
  for (int k = 0; k < ys->len; k++) {
    list_push(j->prog->arena, &out, ys->at[k]);
    i = put_first(j, t, i, k + 1, &out);
  }
  check(i == stms_of(t->first)->len);
  t->second.map->exp.map.fn->body.stms = out;
}

static void join_results(Join *j, const Twins *t) {
  Arena *arena = j->prog->arena;
  const Lambda *from = t->first->exp.map.fn;
  Lambda *to = t->second.map->exp.map.fn;
  const bool inside = t->second.map != t->second.stm;
  for (int i = 0; i < from->rets.len; i++) {
    Var v = t->first->bound.at[i];
    list_push(arena, &to->body.results, from->body.results.at[i]);
    list_push(arena, &to->rets, from->rets.at[i]);
    list_push(arena, &t->second.stm->bound, v);
    if (!inside) continue;
    Var row = var_new(j->prog, var_info(j->prog, v)->base, var_type(j->prog, v));
    list_push(arena, &t->second.map->bound, row);
    list_push(arena, &t->second.stm->exp.withacc.fn->body.results, atom_var(row));
    list_push(arena, &t->second.stm->exp.withacc.fn->rets, var_type(j->prog, v));
  }
}

// The statements without p; those that depend on it stand after c.
static void reorder(Join *j, Stms *stms, int p, int c, const bool *after) {
  Stms out = {0};
  for (int i = 0; i <= c; i++)
    if (i < p || i == c || !after[i - p]) list_push(j->prog->arena, &out, stms->at[i]);
  for (int i = p + 1; i < c; i++)
    if (after[i - p]) list_push(j->prog->arena, &out, stms->at[i]);
  for (int i = c + 1; i < stms->len; i++) list_push(j->prog->arena, &out, stms->at[i]);
  *stms = out;
}

static bool try_join(Join *j, Stms *stms, int p, int c) {
  Twins t = {.first = &stms->at[p], .second = second_of(&stms->at[c])};
  if (!t.second.map || t.first->exp.form != FORM_MAP) return false;
  if (!is_like(t.first, t.second.map)) return false;
  const struct map_form *a = &t.first->exp.map, *b = &t.second.map->exp.map;
  if (!atom_same(a->width, b->width) || !all_scalars(a->fn)) return false;
  if (!twins_find(j, &t) || !twins_pay(j, &t) || !moves_all(j, &t)) return false;
  bool *after = NEW_ARRAY(j->scratch, bool, c - p + 1);
  if (!split_between(j, stms, p, c, after)) return false;
  join_bodies(j, &t);
  join_results(j, &t);
  reorder(j, stms, p, c, after);
  return j->changed = true;
}

static void join_body(Join *j, Body *body) {
  for (int c = 1; c < body->stms.len; c++)
    for (int p = c - 1; p >= 0 && p >= c - REACH; p--)
      if (try_join(j, &body->stms, p, c)) return;
  for (int i = 0; i < body->stms.len; i++) {
    if (!exp_has_parts(&body->stms.at[i].exp)) continue;
    Parts parts = exp_parts(j->scratch, &body->stms.at[i].exp);
    for (int k = 0; k < parts.len && !j->changed; k++) join_body(j, parts.at[k].body);
  }
}

// needs: simplified, not yet fused, differentiated.  leaves: one map of a function joined with a
// later one; `atom` statements, which simplify removes.  cost: bounded per pair of maps.
Prog *pass_join_maps(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  Arena *scratch = arena_beside(out->arena);
  bool changed = false;
  for (int i = 0; i < out->fns.len; i++) {
    Join j = {.prog = out, .scratch = scratch, .classes = alias_classes_compute(scratch, out),
              .free_vars = free_vars_new(out, scratch)};
    j.table = deps_table(out, scratch, &j.classes);
    j.cost = cost_new(out, scratch, out->fns.at[i], op_work(COST_FUNCTION).lanes);
    join_body(&j, &out->fns.at[i]->body);
    changed = changed || j.changed;
  }
  arena_free(scratch);
  out->changed = changed;
  out->at_fixpoint = prog->at_fixpoint && !changed;
  return out;
}
