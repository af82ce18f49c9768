// What straight-line code holds between its forward sweep and the end of its return sweep, for code that a
// branch of an iteration executes, or that stands behind a loop whose states are held meanwhile.
//
// Statements are points of time, gone through forward and back. An array is there
//   its value        from where it is made to where it is read last, to the last statement and back
//                    where return code reads it
//   its adjoint      (on the way back) from the last statement that reads it to where it is made; those of
//                    views are part of it, unless they are turned round
//   what else a statement makes (makes.c)   at that statement; tapes and stacks until the way back is over
// Of arrays of one size there are as many as at the point that has most of them.
#include "memory.h"

typedef struct {
  Atom count;
  int64_t bytes;
  Ints there, back;  // how many come (or, negative, go) at each point, forward and back
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
  for (int i = 0; i <= p->points; i++) list_push(p->arena, &c->there, 0), list_push(p->arena, &c->back, 0);
  list_push(p->arena, &p->sizes, c);
  return c;
}

typedef enum { THERE = 1, BACK = 2, BOTH = 3 } Sweeps;

static void hold(Peak *p, Arrays arrays, Sweeps sweeps, int from, int to) {
  for (int k = 0; k < arrays.counts.len; k++) {
    Size *c = size_of(p, arrays.counts.at[k], arrays.bytes.at[k]);
    if (sweeps & THERE) c->there.at[from]++, c->there.at[to + 1]--;
    if (sweeps & BACK) c->back.at[from]++, c->back.at[to + 1]--;
  }
}

static int64_t most_of(const Size *c) {
  int64_t most = 0, there = 0, back = 0;
  for (int i = 0; i < c->there.len; i++) {
    there += c->there.at[i], back += c->back.at[i];
    if (there > most) most = there;
    if (back > most) most = back;
  }
  return most;
}

static Arrays peak_arrays(const Peak *p) {
  Arrays sum = {0};
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
  VarSet direct;  // what return code reads itself
  Map *last;      // variable -> the last statement that reads it
  const Map *reads;
} Code;

static int last_reader(const Code *c, Var x, int otherwise) {
  const Stm *stm = map_get(c->last, x.id);
  if (body_returns(c->body, x)) return c->p.points - 1;
  return stm ? (int)(stm - c->body->stms.at) : otherwise;
}

static bool is_view(const Exp *e) {
  return (form_shares_memory(e->form) || e->form == FORM_ATOM) && e->form != FORM_REARRANGE &&
         e->form != FORM_REVERSE;
}

static void read_last(Code *c, Vars vars, const Stm *reader) {
  for (int k = 0; k < vars.len; k++) {
    const Stm *last = map_get(c->last, vars.at[k].id);
    if (!last || last < reader) map_put(c->last, vars.at[k].id, (void *)reader);
  }
}

// Where a view is read its array must be there, and has an adjoint.
static void reads_find(Vjp *v, Code *c) {
  for (int i = c->body->stms.len - 1; i >= 0; i--) {
    const Stm *stm = &c->body->stms.at[i];
    Vars vars = frees_of_exp(v->needs.frees, &stm->exp);
    bool shares = form_shares_memory(stm->exp.form) || stm->exp.form == FORM_ATOM;
    read_last(c, vars, stm);
    for (int k = 0; shares && k < stm->bound.len; k++) {
      const Stm *last = map_get(c->last, stm->bound.at[k].id);
      if (varset_has(&c->direct, stm->bound.at[k])) varset_add_all(&c->direct, vars);
      if (last && is_view(&stm->exp)) read_last(c, vars, last);
    }
  }
}

static Code code_new(Vjp *v, const Iteration *it, const Body *body) {
  Arena *arena = vjp_arena(v);
  Code c = {.p = {.arena = arena, .points = body->stms.len}, .it = {.m = it->m}, .body = body};
  c.direct = varset_new(arena);
  c.last = map_new(arena);
  c.reads = body_reads(v, body);
  VarSet need = varset_new(arena);
  need_body(&v->needs, &v->active, v->given, &need, &c.direct, body);
  reads_find(v, &c);
  return c;
}

static void value_hold(Vjp *v, Code *c, Var x, int at) {
  Arrays one = makes_array(v, &c->it, var_type(v->w.from, x));
  int points = c->p.points - 1;
  if (varset_has(&c->direct, x)) hold(&c->p, one, BOTH, at, points);
  else hold(&c->p, one, THERE, at, last_reader(c, x, at));
}

static void adjoint_hold(Vjp *v, Code *c, Var x, int from) {
  if (!has_adjoint(v, x)) return;
  Arrays one = makes_array(v, &c->it, var_type(v->w.from, x));
  hold(&c->p, one, BACK, from, last_reader(c, x, from));
}

// Contributions to what is read later as well are arrays before they are added.
static void contributions_hold(Vjp *v, Code *c, const Stm *stm, int at) {
  Vars vars = frees_of_exp(v->needs.frees, &stm->exp);
  for (int k = 0; k < vars.len; k++)
    if (has_adjoint(v, vars.at[k]) && last_reader(c, vars.at[k], at) > at)
      hold(&c->p, makes_array(v, &c->it, var_type(v->w.from, vars.at[k])), BACK, at, at);
}

// Return code of operators that do not add: of reductions, what comes in front of each element and behind it;
// of scans, a linear function for each element, k in k values of each, and these composed.
static void operator_add(Vjp *v, Iteration *it, const Exp *e) {
  bool is_scan = e->form == FORM_SCAN;
  Atoms inputs = is_scan ? e->scan.inputs : e->reduce.inputs;
  if (rule_is_sum(v->w.from, is_scan ? e->scan.op : e->reduce.op)) return;
  for (int k = is_scan ? inputs.len + 1 : 2; k > 0; k--) makes_add_atoms(v, it, &it->once, inputs);
}

// What a map makes for a sum alone is never an array, nor is its adjoint.
static bool is_summed(Vjp *v, const Code *c, const Stm *map) {
  if (map->exp.form != FORM_MAP || map->bound.len != 1) return false;
  const Stm *reader = map_get(c->last, map->bound.at[0].id);
  return is_read_once(c->reads, map->bound.at[0]) && reader->exp.form == FORM_REDUCE &&
         rule_is_sum(v->w.from, reader->exp.reduce.op);
}

static void stm_hold(Vjp *v, Code *c, Vars outer, int at) {
  const Stm *stm = &c->body->stms.at[at];
  Form form = stm->exp.form;
  bool stays = form == FORM_LOOP || form == FORM_SCATTER || form == FORM_HIST;
  Iteration one = {.m = c->it.m};
  makes_add(v, &one, c->body, outer, stm, c->reads);
  if (form == FORM_REDUCE || form == FORM_SCAN) operator_add(v, &one, &stm->exp);
  hold(&c->p, one.once, BOTH, at, stays ? c->p.points - 1 : at);
  hold(&c->p, one.parts, BACK, at, at);
  contributions_hold(v, c, stm, at);
  if (is_summed(v, c, stm)) return;
  bool makes = one.arrays.counts.len + one.fusible.counts.len > 0;
  for (int k = 0; k < stm->bound.len; k++) {
    if (makes && !body_returns(c->body, stm->bound.at[k])) value_hold(v, c, stm->bound.at[k], at);
    if (!is_view(&stm->exp) && !body_returns(c->body, stm->bound.at[k]))
      adjoint_hold(v, c, stm->bound.at[k], at);
  }
}

Arrays peak_of(Vjp *v, const Iteration *it, const Body *body, Vars outer) {
  Code c = code_new(v, it, body);
  for (int i = 0; i < body->stms.len; i++) stm_hold(v, &c, outer, i);
  return peak_arrays(&c.p);
}

// ---- behind a loop
// How many statements from `at` on, to the next loop that keeps to the limit: what is behind that has a part
// of its own, of which that loop leaves room for it.
static int rest_len(const Stms *stms, int at) {
  int end = at;
  while (end < stms->len && !(stms->at[end].exp.form == FORM_LOOP && stms->at[end].attrs.memory_share)) end++;
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

// Where something is made at all: adjoints of arrays from outside, and the loop's results.
static void around_hold(Vjp *v, Code *c, const Stm *stm, Vars free) {
  for (int k = 0; k < stm->bound.len; k++) value_hold(v, c, stm->bound.at[k], 0);
  for (int i = 0; i < free.len; i++) adjoint_hold(v, c, free.at[i], 0);
}

// Adjoints of arrays that the loop does not read, and what the function returns.
static Arrays kept_of(Vjp *v, Code *c, const Stm *stm, Vars free) {
  Vars own = frees_of_lambda(v->needs.frees, stm->exp.loop.fn);
  Arrays kept = {0};
  for (int i = 0; i < free.len; i++)
    if (has_adjoint(v, free.at[i]) && !vars_have(stm->bound, free.at[i]) && !vars_have(own, free.at[i]))
      arrays_add_all(c->p.arena, &kept, makes_array(v, &c->it, var_type(v->w.from, free.at[i])));
  for (int i = 0; v->level == 0 && i < c->body->stms.len; i++) {
    Vars bound = c->body->stms.at[i].bound;
    for (int k = 0; k < bound.len; k++)
      if (body_returns(v->body, bound.at[k]))
        arrays_add_all(c->p.arena, &kept, makes_array(v, &c->it, var_type(v->w.from, bound.at[k])));
  }
  return kept;
}

// Sizes that depend on the loop's results are not known when it starts.
Behind behind_of(Vjp *v, const Stm *stm) {
  const struct loop_form *rest = rest_of(v, stm);
  Iteration it = {.m = bound_new(vjp_builder(v), &v->w, v->w.from, rest)};
  varset_add_all(&it.m.inside, stm->bound);
  Code c = code_new(v, &it, &rest->fn->body);
  Vars free = frees_of_lambda(v->needs.frees, rest->fn);
  for (int i = 0; i < c.p.points; i++) stm_hold(v, &c, free, i);
  if (c.p.sizes.len == 0) return (Behind){0};
  around_hold(v, &c, stm, free);
  return (Behind){peak_arrays(&c.p), kept_of(v, &c, stm, free)};
}
