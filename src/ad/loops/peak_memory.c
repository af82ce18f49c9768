// The peak memory of straight-line code from its forward sweep to the end of its reverse sweep, for
// code that a branch of an iteration executes, or that stands after a loop whose states are stored
// meanwhile.
//
// Statements are points of time, visited forward and back. An array is live
//   its value        from where it is made to where it is read last, to the last statement and back
//                    where adjoint code reads it
//   its adjoint      in the reverse sweep, from the last statement that reads it to its definition;
//                    adjoints of views are part of it, unless the views are reversed
//   what else a statement makes (footprint.c)   at that statement; tapes and stacks until the
//                                               reverse sweep is over
// The number of arrays of one size is its largest number at any point.
#include "loop_memory.h"

typedef struct {
  Atom count;
  int64_t bytes;
  Ints forward, reverse;  // how many come (or, negative, go) at each point, forward and back
} Size;

typedef struct {
  Arena *arena;
  int points;
  LIST(Size *) sizes;
} Peak;

static Size *size_of(Peak *p, Atom count, int64_t bytes) {
  for (int i = 0; i < p->sizes.len; i++)
    if (atom_same(p->sizes.at[i]->count, count) && p->sizes.at[i]->bytes == bytes)
      return p->sizes.at[i];
  Size *c = NEW(p->arena, Size);
  *c = (Size){.count = count, .bytes = bytes};
  for (int i = 0; i <= p->points; i++)
    list_push(p->arena, &c->forward, 0), list_push(p->arena, &c->reverse, 0);
  list_push(p->arena, &p->sizes, c);
  return c;
}

typedef enum { FORWARD = 1, REVERSE = 2, BOTH = 3 } Sweeps;

static void live_add(Peak *p, Footprint arrays, Sweeps sweeps, int from, int to) {
  for (int k = 0; k < arrays.counts.len; k++) {
    Size *c = size_of(p, arrays.counts.at[k], arrays.bytes.at[k]);
    if (sweeps & FORWARD) c->forward.at[from]++, c->forward.at[to + 1]--;
    if (sweeps & REVERSE) c->reverse.at[from]++, c->reverse.at[to + 1]--;
  }
}

static int64_t most_of(const Size *c) {
  int64_t most = 0, forward = 0, reverse = 0;
  for (int i = 0; i < c->forward.len; i++) {
    forward += c->forward.at[i], reverse += c->reverse.at[i];
    if (forward > most) most = forward;
    if (reverse > most) most = reverse;
  }
  return most;
}

static Footprint peak_arrays(const Peak *p) {
  Footprint sum = {0};
  for (int i = 0; i < p->sizes.len; i++)
    for (int64_t k = most_of(p->sizes.at[i]); k > 0; k--) {
      list_push(p->arena, &sum.counts, p->sizes.at[i]->count);
      list_push(p->arena, &sum.bytes, p->sizes.at[i]->bytes);
    }
  return sum;
}

// ---- the code
typedef struct {
  Peak p;
  Iteration it;  // whose sizes are known
  const Body *body;
  VarSet direct;  // what adjoint code reads itself
  Map *last;      // variable -> the last statement that reads it
  const Map *reads;
} Liveness;

static int last_reader(const Liveness *c, Var x, int otherwise) {
  const Stm *stm = map_get(c->last, x.id);
  if (body_returns(c->body, x)) return c->p.points - 1;
  return stm ? (int)(stm - c->body->stms.at) : otherwise;
}

static bool is_view(const Exp *e) {
  return (form_shares_memory(e->form) || e->form == FORM_ATOM) && e->form != FORM_REARRANGE &&
         e->form != FORM_REVERSE;
}

static void read_last(Liveness *c, Vars vars, const Stm *reader) {
  for (int k = 0; k < vars.len; k++) {
    const Stm *last = map_get(c->last, vars.at[k].id);
    if (!last || last < reader) map_put(c->last, vars.at[k].id, (void *)reader);
  }
}

// Where a view is read its array must be there, and has an adjoint.
static void reads_find(Vjp *v, Liveness *c) {
  for (int i = c->body->stms.len - 1; i >= 0; i--) {
    const Stm *stm = &c->body->stms.at[i];
    Vars vars = free_vars_of_exp(v->tbr.free_vars, &stm->exp);
    bool shares = form_shares_memory(stm->exp.form) || stm->exp.form == FORM_ATOM;
    read_last(c, vars, stm);
    for (int k = 0; shares && k < stm->bound.len; k++) {
      const Stm *last = map_get(c->last, stm->bound.at[k].id);
      if (varset_has(&c->direct, stm->bound.at[k])) varset_add_all(&c->direct, vars);
      if (last && is_view(&stm->exp)) read_last(c, vars, last);
    }
  }
}

static Liveness code_new(Vjp *v, const Iteration *it, const Body *body) {
  Arena *arena = vjp_arena(v);
  Liveness c = {.p = {.arena = arena, .points = body->stms.len}, .it = {.m = it->m}, .body = body};
  c.direct = varset_new(arena);
  c.last = map_new(arena);
  c.reads = body_reads(v, body);
  VarSet need = varset_new(arena);
  tbr_body(&v->tbr, &v->active, v->reload, &need, &c.direct, body);
  reads_find(v, &c);
  return c;
}

static void value_live(Vjp *v, Liveness *c, Var x, int at) {
  Footprint one = alloc_array(v, &c->it, var_type(v->w.from, x));
  int points = c->p.points - 1;
  if (varset_has(&c->direct, x)) live_add(&c->p, one, BOTH, at, points);
  else live_add(&c->p, one, FORWARD, at, last_reader(c, x, at));
}

static void adjoint_live(Vjp *v, Liveness *c, Var x, int from) {
  if (!has_adjoint(v, x)) return;
  Footprint one = alloc_array(v, &c->it, var_type(v->w.from, x));
  live_add(&c->p, one, REVERSE, from, last_reader(c, x, from));
}

// Contributions to what is read later as well are arrays before they are added.
static void contributions_live(Vjp *v, Liveness *c, const Stm *stm, int at) {
  Vars vars = free_vars_of_exp(v->tbr.free_vars, &stm->exp);
  for (int k = 0; k < vars.len; k++)
    if (has_adjoint(v, vars.at[k]) && last_reader(c, vars.at[k], at) > at)
      live_add(&c->p, alloc_array(v, &c->it, var_type(v->w.from, vars.at[k])), REVERSE, at, at);
}

// Adjoint code of operators that do not add: of reductions, what comes in front of each element and
// after it; of scans, a linear function for each element, k in k values of each, and these
// composed.
static void operator_add(Vjp *v, Iteration *it, const Exp *e) {
  bool is_scan = e->form == FORM_SCAN;
  Atoms inputs = is_scan ? e->scan.inputs : e->reduce.inputs;
  if (rule_is_sum(v->w.from, is_scan ? e->scan.op : e->reduce.op)) return;
  for (int k = is_scan ? inputs.len + 1 : 2; k > 0; k--) alloc_add_atoms(v, it, &it->once, inputs);
}

// A result of a map that only a sum reads is never an array, nor is its adjoint.
static bool is_summed(Vjp *v, const Liveness *c, const Stm *map) {
  if (map->exp.form != FORM_MAP || map->bound.len != 1) return false;
  const Stm *reader = map_get(c->last, map->bound.at[0].id);
  return is_read_once(c->reads, map->bound.at[0]) && reader->exp.form == FORM_REDUCE &&
         rule_is_sum(v->w.from, reader->exp.reduce.op);
}

static void stm_live(Vjp *v, Liveness *c, Vars outer, int at) {
  const Stm *stm = &c->body->stms.at[at];
  Form form = stm->exp.form;
  bool stays = form == FORM_LOOP || form == FORM_SCATTER || form == FORM_HIST;
  Iteration one = {.m = c->it.m};
  alloc_add(v, &one, c->body, outer, stm, c->reads);
  if (form == FORM_REDUCE || form == FORM_SCAN) operator_add(v, &one, &stm->exp);
  live_add(&c->p, one.once, BOTH, at, stays ? c->p.points - 1 : at);
  live_add(&c->p, one.parts, REVERSE, at, at);
  contributions_live(v, c, stm, at);
  if (is_summed(v, c, stm)) return;
  bool makes = one.arrays.counts.len + one.fusible.counts.len > 0;
  for (int k = 0; k < stm->bound.len; k++) {
    if (makes && !body_returns(c->body, stm->bound.at[k])) value_live(v, c, stm->bound.at[k], at);
    if (!is_view(&stm->exp) && !body_returns(c->body, stm->bound.at[k]))
      adjoint_live(v, c, stm->bound.at[k], at);
  }
}

Footprint peak_of(Vjp *v, const Iteration *it, const Body *body, Vars outer) {
  Liveness c = code_new(v, it, body);
  for (int i = 0; i < body->stms.len; i++) stm_live(v, &c, outer, i);
  return peak_arrays(&c.p);
}

// ---- after a loop
// How many statements from `at` on, to the next loop that keeps to the limit: code after that loop
// has its own part, of which that loop leaves room for it.
static int rest_len(const Stms *stms, int at) {
  int end = at;
  while (end < stms->len &&
         !(stms->at[end].exp.form == FORM_LOOP && stms->at[end].attrs.memory_fraction))
    end++;
  return end < stms->len ? end + 1 - at : end - at;
}

// The statements that follow it where it stands, as a loop without results.
static const struct loop_form *rest_of(Vjp *v, const Stm *stm) {
  const Stms *stms = &v->body->stms;
  struct loop_form *rest = NEW(vjp_arena(v), struct loop_form);
  rest->fn = NEW(vjp_arena(v), Lambda);
  int at = 0;
  while (at < stms->len && &stms->at[at] != stm) at++;
  if (at < stms->len)
    rest->fn->body.stms = (Stms){.at = stms->at + at + 1, .len = rest_len(stms, at + 1)};
  return rest;
}

// Where anything is made: adjoints of arrays from outside, and the loop's results.
static void outer_live(Vjp *v, Liveness *c, const Stm *stm, Vars free) {
  for (int k = 0; k < stm->bound.len; k++) value_live(v, c, stm->bound.at[k], 0);
  for (int i = 0; i < free.len; i++) adjoint_live(v, c, free.at[i], 0);
}

// Adjoints of arrays that the loop does not read, and what the function returns.
static Footprint live_through_of(Vjp *v, Liveness *c, const Stm *stm, Vars free) {
  Vars own = free_vars_of_lambda(v->tbr.free_vars, stm->exp.loop.fn);
  Footprint kept = {0};
  for (int i = 0; i < free.len; i++)
    if (has_adjoint(v, free.at[i]) && !vars_have(stm->bound, free.at[i]) &&
        !vars_have(own, free.at[i]))
      footprint_add_all(c->p.arena, &kept, alloc_array(v, &c->it, var_type(v->w.from, free.at[i])));
  for (int i = 0; v->level == 0 && i < c->body->stms.len; i++) {
    Vars bound = c->body->stms.at[i].bound;
    for (int k = 0; k < bound.len; k++)
      if (body_returns(v->body, bound.at[k]))
        footprint_add_all(c->p.arena, &kept,
                          alloc_array(v, &c->it, var_type(v->w.from, bound.at[k])));
  }
  return kept;
}

// Sizes that depend on the loop's results are not known when it starts.
AfterLoop after_loop_of(Vjp *v, const Stm *stm) {
  const struct loop_form *rest = rest_of(v, stm);
  Iteration it = {.m = bound_new(vjp_builder(v), &v->w, v->w.from, rest)};
  varset_add_all(&it.m.inside, stm->bound);
  Liveness c = code_new(v, &it, &rest->fn->body);
  Vars free = free_vars_of_lambda(v->tbr.free_vars, rest->fn);
  for (int i = 0; i < c.p.points; i++) stm_live(v, &c, free, i);
  if (c.p.sizes.len == 0) return (AfterLoop){0};
  outer_live(v, &c, stm, free);
  return (AfterLoop){peak_arrays(&c.p), live_through_of(v, &c, stm, free)};
}
