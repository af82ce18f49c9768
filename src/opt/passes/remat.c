// Storing instead of computing again.  Reverse mode re-executes the body of a map in its return
// sweep; where two maps of one width in one body compute the same costly thing per element from
// the same rows, the first returns it and the second takes it as an input.
//
//   ys = map n (\x -> let a = costly(x) in f(a)) xs
//   zs = map n (\x w -> let a = costly(x) in g(a, w)) xs ws
// becomes
//   ys, as = map n (\x -> let a = costly(x) in (f(a), a)) xs
//   zs = map n (\a w -> g(a, w)) as ws
//
// Which values are stored is a minimum cut.  For every value v that
// both compute there are nodes D (the second needs v) and R (the second computes v):
//
//   source -> D_v  never cut   v is read by what only the second computes
//   D_v -> R_v     store(v)    bytes written and read
//   R_v -> sink    recompute   the work of its statement
//   R_v -> D_u     never cut   u is an operand of its statement, computed by both
//
// v is stored where the cut separates D_v from R_v.  In the outermost body, where widths are
// largest, storing is dearer, and only scalars are stored; inside, rows stay in the caches.  In
// text to be read storing is nearly free, as a value has one definition there.  The second map may
// be the one of an accumulator's lambda.
#include "opt/common/local.h"
#include "opt/common/min_cut.h"
#include "opt/common/polynomial.h"

// In scalar operations; unknown sizes count as SIZE.  A transcendental function is kept inside, not
// in the outermost body, which is what measurements say.
enum { SIZE = 100, MOST_MATCHES = 400 };
enum { PAIRS = 20000, REACH = 64 };  // statements compared per pair of maps; maps looked back at
// The cost of storing an element in the outermost body and inside.
typedef struct {
  double outer, inner;
  bool rows;  // in the outermost body not only scalars
} Prices;
static const Prices for_code = {.outer = 20, .inner = 8};
static const Prices for_text = {.outer = 1.5, .inner = 1.5, .rows = true};

typedef struct {
  Prog *prog;
  Arena *scratch;
  AliasClasses classes;
  const Prices *prices;
  Cost *cost;  // of the function
  FreeVars *free_vars;  // no body is asked about once a map in it has changed: from the outside in
  bool changed;
} Share;
typedef struct {
  Stm *first, *second;  // statements of the two lambdas that are the same
} Match;
typedef LIST(Match) Matches;

static bool same_row_input(const struct map_form *a, const struct map_form *b) {
  for (int i = 0; i < b->inputs.len; i++)
    for (int k = 0; k < a->inputs.len; k++)
      if (b->inputs.at[i].is_var && atom_same(a->inputs.at[k], b->inputs.at[i])) return true;
  return false;
}

static bool may_store(Share *s, const Stm *stm, bool scalars_only) {
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = var_type(s->prog, stm->bound.at[i]);
    if (t.is_acc || (t.rank && scalars_only)) return false;
    if (t.rank && alias_class_consumed(&s->classes, stm->bound.at[i])) return false;
  }
  Form form = stm->exp.form;
  bool cheap = form == FORM_ATOM || form == FORM_IOTA || form == FORM_REPLICATE ||
               form == FORM_INDEX || form == FORM_RESHAPE || form == FORM_REARRANGE ||
               form == FORM_REVERSE || form == FORM_SCRATCH || form == FORM_CONSTANT;
  return stm->bound.len > 0 && !cheap && !exp_has_effect(&stm->exp);
}

static bool may_match(const Stm *stm) {
  switch (stm->exp.form) {
  case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT: case FORM_TUNED:
  case FORM_MEMORYLEFT: case FORM_UPDATE: case FORM_FLATUPDATE: case FORM_HIST:
  case FORM_SCATTER: case FORM_WITHACC: case FORM_UPDATEACC: case FORM_APPLY: case FORM_ASSERT:
  case FORM_JVP: case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN:
  case FORM_COUNT:
    return false;
  case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_LITERAL: case FORM_CONSTANT:
  case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH: case FORM_INDEX:
  case FORM_FLATINDEX: case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT:
  case FORM_REVERSE: case FORM_ROTATE: case FORM_MATCH: case FORM_LOOP: case FORM_MAP:
  case FORM_REDUCE: case FORM_SCAN: case FORM_SCREMA:
    return true;
  }
  return false;
}

// Pairs up equal statements in order; what they bind counts as equal from then on.
static Matches matches_of(Share *s, const struct map_form *a, const struct map_form *b) {
  Matches out = {0};
  Alpha *alpha = alpha_new(s->prog, s->scratch);
  for (int i = 0; i < b->inputs.len; i++)
    for (int k = 0; k < a->inputs.len; k++)
      if (b->inputs.at[i].is_var && atom_same(a->inputs.at[k], b->inputs.at[i]))
        alpha_twin(alpha, a->fn->params.at[k], b->fn->params.at[i]);
  Stms *xs = &a->fn->body.stms, *ys = &b->fn->body.stms;
  if ((int64_t)xs->len * ys->len > PAIRS) return out;
  for (int j = 0; j < ys->len; j++) {
    if (!may_match(&ys->at[j])) continue;
    for (int i = 0; i < xs->len; i++) {
      if (xs->at[i].exp.form != ys->at[j].exp.form) continue;
      if (!alpha_stm(alpha, &xs->at[i], &ys->at[j])) continue;
      list_push(s->scratch, &out, (Match){&xs->at[i], &ys->at[j]});
      break;
    }
  }
  return out;
}

static bool size_is_outer(const Prog *prog, const Lambda *fn, Var v) {
  Type t = var_type(prog, v);
  for (int d = 0; d < t.rank; d++) {
    if (!t.dims[d].is_var) continue;
    for (int i = 0; i < fn->params.len; i++)
      if (atom_is_var(t.dims[d], fn->params.at[i])) return false;
    for (int i = 0; i < fn->body.stms.len; i++)
      for (int k = 0; k < fn->body.stms.at[i].bound.len; k++)
        if (atom_is_var(t.dims[d], fn->body.stms.at[i].bound.at[k])) return false;
  }
  return true;
}

// The first map returns result k of the pair, the second reads it.
static void store(Share *s, Stm *first, Stm *second, const Match *m, int k) {
  Arena *arena = s->prog->arena;
  struct map_form *a = &first->exp.map, *b = &second->exp.map;
  Var x = m->first->bound.at[k], y = m->second->bound.at[k];
  Type t = var_type(s->prog, x);
  t.unique = false;
  Var kept = var_new(s->prog, var_info(s->prog, x)->base, type_array(arena, t, a->width));
  list_push(arena, &a->fn->body.results, atom_var(x));
  list_push(arena, &a->fn->rets, t);
  list_push(arena, &first->bound, kept);
  Var row = var_new(s->prog, var_info(s->prog, y)->base, t);
  list_push(arena, &b->fn->params, row);
  list_push(arena, &b->inputs, atom_var(kept));
  Stms front = {0};
  Stm bind = {.exp = {.form = FORM_ATOM, .atom = {atom_var(row)}}, .loc = m->second->loc};
  Var removed = var_new(s->prog, var_info(s->prog, y)->base, var_type(s->prog, y));
  list_push(arena, &bind.bound, y);
  m->second->bound.at[k] = removed;
  list_push(arena, &front, bind);
  for (int i = 0; i < b->fn->body.stms.len; i++)
    list_push(arena, &front, b->fn->body.stms.at[i]);
  s->changed = true;
  b->fn->body.stms = front;
}

// ---- the cut
static bool may_store_both(Share *s, const Stm *first, const Match *m, bool scalars_only) {
  if (!may_store(s, m->first, scalars_only) || !may_store(s, m->second, scalars_only))
    return false;
  for (int k = 0; k < m->first->bound.len; k++)
    if (!size_is_outer(s->prog, first->exp.map.fn, m->first->bound.at[k])) return false;
  return true;
}

static double store_cost(Share *s, const Stm *stm, bool outermost) {
  double elements = 0;
  for (int k = 0; k < stm->bound.len; k++)
    elements += poly_at(cost_elements(s->cost, var_type(s->prog, stm->bound.at[k])), SIZE);
  return elements * (outermost ? s->prices->outer : s->prices->inner);
}

static double recompute_cost(Share *s, const Stm *stm) {
  Body one = {.stms = {.at = (Stm *)stm, .len = 1, .cap = 1}};
  return poly_at(cost_work(s->cost, &one), SIZE);
}

static int wants(int match) { return CUT_FIRST + 2 * match; }
static int computes(int match) { return CUT_FIRST + 2 * match + 1; }

// Number of the match that binds v in the second map, + 1.
static Map *numbers_of(Share *s, const Matches *found) {
  Map *numbers = map_new(s->scratch);
  for (int i = 0; i < found->len; i++) {
    const Vars *bound = &found->at[i].second->bound;
    for (int k = 0; k < bound->len; k++)
      map_put(numbers, bound->at[k].id, (void *)(intptr_t)(i + 1));
  }
  return numbers;
}

static void wants_vars(Cut *c, const Map *numbers, int from, Vars vars) {
  for (int i = 0; i < vars.len; i++) {
    int match = (int)(intptr_t)map_get(numbers, vars.at[i].id);
    if (match) cut_edge(c, from, wants(match - 1), CUT_NEVER);
  }
}

static bool is_matched(const Matches *found, const Stm *stm) {
  for (int i = 0; i < found->len; i++)
    if (found->at[i].second == stm) return true;
  return false;
}

static Vars result_vars(Arena *arena, const Body *body) {
  Vars vars = {0};
  for (int i = 0; i < body->results.len; i++)
    if (body->results.at[i].is_var) list_push(arena, &vars, body->results.at[i].var);
  return vars;
}

// Which matches are stored.
static const bool *cut_of(Share *s, const Stm *first, const Stm *second, const Matches *found,
                          bool outermost) {
  Cut *c = cut_new(s->scratch, CUT_FIRST + 2 * found->len);
  Map *numbers = numbers_of(s, found);
  const Body *body = &second->exp.map.fn->body;
  for (int i = 0; i < body->stms.len; i++)
    if (!is_matched(found, &body->stms.at[i]))
      wants_vars(c, numbers, CUT_SOURCE, free_vars_of_exp(s->free_vars, &body->stms.at[i].exp));
  wants_vars(c, numbers, CUT_SOURCE, result_vars(s->scratch, body));
  for (int i = 0; i < found->len; i++) {
    const Match *m = &found->at[i];
    bool may = may_store_both(s, first, m, outermost && !s->prices->rows);
    cut_edge(c, wants(i), computes(i), may ? store_cost(s, m->second, outermost) : CUT_NEVER);
    cut_edge(c, computes(i), CUT_SINK, recompute_cost(s, m->second));
    wants_vars(c, numbers, computes(i), free_vars_of_exp(s->free_vars, &m->second->exp));
  }
  const bool *side = cut_source_side(c);
  bool *stored = NEW_ARRAY(s->scratch, bool, found->len + 1);
  for (int i = 0; i < found->len; i++) stored[i] = side[wants(i)] && !side[computes(i)];
  return stored;
}

static void share_pair(Share *s, Stm *first, Stm *second, bool outermost) {
  Matches found = matches_of(s, &first->exp.map, &second->exp.map);
  if (found.len == 0 || found.len > MOST_MATCHES) return;
  const bool *stored = cut_of(s, first, second, &found, outermost);
  for (int i = 0; i < found.len; i++) {
    const Match *m = &found.at[i];
    if (!stored[i]) continue;
    prog_note(s->prog, m->first->loc, "stored",
              "%s of every iteration of a map, instead of computing it again",
              var_info(s->prog, m->first->bound.at[0])->base);
    for (int k = 0; k < m->first->bound.len; k++) store(s, first, second, m, k);
  }
}

static void share_body(Share *s, Body *body, int depth) {
  for (int j = 1; j < body->stms.len; j++) {
    Stm *second = stm_map_within(&body->stms.at[j]);
    if (!second) continue;
    for (int i = j > REACH ? j - REACH : 0; i < j; i++) {
      Stm *first = &body->stms.at[i];
      if (first->exp.form == FORM_MAP &&
          atom_same(first->exp.map.width, second->exp.map.width) &&
          same_row_input(&first->exp.map, &second->exp.map))
        share_pair(s, first, second, depth == 0);
    }
  }
  for (int i = 0; i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    if (!exp_has_parts(&stm->exp)) continue;
    Parts parts = exp_parts(s->scratch, &stm->exp);
    for (int k = 0; k < parts.len; k++)
      share_body(s, parts.at[k].body, depth + (stm->exp.form != FORM_WITHACC));
  }
}

static Prog *remat(Prog *prog, Arena *arena, const Prices *prices) {
  Prog *out = prog_own(prog, arena);
  Arena *scratch = arena_beside(out->arena);
  Share s = {.prog = out, .scratch = scratch, .classes = alias_classes_compute(scratch, out),
             .prices = prices, .free_vars = free_vars_new(out, scratch)};
  for (int i = 0; i < out->fns.len; i++) {
    s.cost = cost_new(out, scratch, out->fns.at[i], op_work(COST_FUNCTION).lanes);
    share_body(&s, &out->fns.at[i]->body, 0);
  }
  arena_free(scratch);
  out->at_fixpoint = prog->at_fixpoint && !s.changed;
  return out;
}

// needs: simplified, not yet fused, differentiated.  leaves: nothing computed twice by maps of
// one body over the same rows that is cheaper to keep.  cost: bounded per pair of maps.
Prog *pass_remat(Prog *prog, Arena *arena) { return remat(prog, arena, &for_code); }

// The same for text to be read.
Prog *pass_remat_text(Prog *prog, Arena *arena) { return remat(prog, arena, &for_text); }
