// Aliases: which array variables may share memory.  Views (slices, reshapes, ..), names, and the
// results of branches, loops and calls share the roots of what they may return; everything else
// makes new memory.  A consuming form gives its result a fresh root: what it consumed is
// dead.  See ad-rules 1.3.
#include "local.h"

struct Aliases {
  Roots roots;
  Map *members;  // root -> Vars * that have it
};

bool vars_have(Vars vars, Var v) {
  for (int i = 0; i < vars.len; i++)
    if (vars.at[i].id == v.id) return true;
  return false;
}

void vars_add(Arena *arena, Vars *vars, Var v) {
  if (!vars_have(*vars, v)) list_push(arena, vars, v);
}

Roots roots_new(const Prog *prog, Arena *arena, bool through_operands) {
  return (Roots){.prog = prog,
                 .arena = arena,
                 .roots = map_new(arena),
                 .depths = map_new(arena),
                 .through_operands = through_operands};
}

static bool is_array(const Roots *r, Var v) {
  Type t = var_type(r->prog, v);
  return t.rank > 0 || t.is_acc;
}

void roots_add(const Roots *r, Var v, Vars *out) {
  const Vars *known = map_get(r->roots, v.id);
  if (!known) vars_add(r->arena, out, v);
  else
    for (int i = 0; i < known->len; i++) vars_add(r->arena, out, known->at[i]);
}

static void add_atom(const Roots *r, Atom a, Vars *out) {
  if (a.is_var && is_array(r, a.var)) roots_add(r, a.var, out);
}

static void roots_set(Roots *r, Var v, Vars set) {
  if (set.len == 1 && set.at[0].id == v.id) return;
  map_put(r->roots, v.id, arena_copy(r->arena, &set, sizeof set));
}

int roots_depth(const Roots *r, Var v) {
  uintptr_t d = (uintptr_t)map_get(r->depths, v.id);
  return d ? (int)d - 1 : 0;
}

static void enter(Roots *r, Var v) {
  if (r->depth && is_array(r, v)) map_put(r->depths, v.id, (void *)(uintptr_t)(r->depth + 1));
}

void roots_enter_params(Roots *r, Vars params) {
  for (int i = 0; i < params.len; i++) enter(r, params.at[i]);
}

// Parameter i of a lambda or loop is (part of) operand i.
static void params_from(Roots *r, const Vars *params, int skip, Atoms operands) {
  if (!r->through_operands) return;
  for (int i = 0; i < operands.len && i + skip < params->len; i++) {
    Var p = params->at[i + skip];
    if (!is_array(r, p) || var_type(r->prog, p).unique) continue;
    Vars set = {0};
    vars_add(r->arena, &set, p);
    add_atom(r, operands.at[i], &set);
    roots_set(r, p, set);
  }
}

static void operand_params(Roots *r, const Exp *e) {
  switch ((int)e->form) {
    case FORM_MAP: params_from(r, &e->map.fn->params, 0, e->map.inputs); break;
    case FORM_SCREMA: params_from(r, &e->screma.fn->params, 0, e->screma.inputs); break;
    case FORM_HIST: params_from(r, &e->hist.fn->params, 0, e->hist.inputs); break;
    case FORM_SCATTER: params_from(r, &e->scatter.fn->params, 0, e->scatter.inputs); break;
    case FORM_LOOP: params_from(r, &e->loop.fn->params, e->loop.is_for, e->loop.inits); break;
    case FORM_WITHVJP: params_from(r, &e->withvjp.fn->params, 0, e->withvjp.args); break;
    case FORM_JVP: params_from(r, &e->jvp.fn->params, 0, e->jvp.args); break;
    case FORM_VJP: params_from(r, &e->vjp.fn->params, 0, e->vjp.args); break;
    case FORM_DEPENDS: params_from(r, &e->depends.fn->params, 0, e->depends.args); break;
    case FORM_JACOBIAN: params_from(r, &e->jacobian.fn->params, 0, e->jacobian.args); break;
  }
}

static void roots_stm(Roots *r, const Stm *stm);

static void roots_body(void *state, const Body *body, const Vars *params) {
  Roots *r = state;
  r->depth++;
  roots_enter_params(r, *params);
  for (int i = 0; i < body->stms.len; i++) roots_stm(r, &body->stms.at[i]);
  r->depth--;
}

// The roots of a body's result that exist outside of it; those bound inside become `self`.
static void add_outer(Roots *r, Atom result, Var self, Vars *out) {
  Vars inner = {0};
  add_atom(r, result, &inner);
  for (int i = 0; i < inner.len; i++)
    vars_add(r->arena, out, roots_depth(r, inner.at[i]) > r->depth ? self : inner.at[i]);
}

static void match_results(Roots *r, const struct match_form *e, Vars bound) {
  for (int k = 0; k < bound.len; k++) {
    if (!is_array(r, bound.at[k])) continue;
    Vars set = {0};
    for (int i = 0; i < e->cases.len; i++)
      add_outer(r, e->cases.at[i].body.results.at[k], bound.at[k], &set);
    roots_set(r, bound.at[k], set);
  }
}

// Result k of a loop is the initial value (after no iteration) or what the body returns; a result
// that is a parameter is what that parameter was, so sharing spreads between parameters until
// nothing changes.  Parameters marked unique and accumulators own their memory.
static bool owns(const Roots *r, Var param) {
  Type t = var_type(r->prog, param);
  return t.unique || t.is_acc;
}

typedef LIST(int) Places;

// From which other parameters' places result k comes as it is.
static Places places_from(Roots *r, const struct loop_form *e, const Map *place_of, int k) {
  Vars inner = {0};
  Places out = {0};
  add_atom(r, e->fn->body.results.at[k], &inner);
  for (int i = 0; i < inner.len; i++) {
    int j = (int)(uintptr_t)map_get(place_of, inner.at[i].id) - 1;
    if (j >= 0 && j != k) list_push(r->arena, &out, j);
  }
  return out;
}

static Map *places_shared(Roots *r, const struct loop_form *e, Vars bound) {
  Map *place_of = map_new(r->arena);
  for (int j = 0; j < bound.len; j++) {
    Var p = e->fn->params.at[j + e->is_for];
    if (!owns(r, p)) map_put(place_of, p.id, (void *)(uintptr_t)(j + 1));
  }
  return place_of;
}

// The roots that reach place k, over any number of iterations.
static Vars roots_reaching(Roots *r, const Vars *sets, const Places *from, int n, int k) {
  Vars out = {0};
  Places queue = {0};
  bool *seen = NEW_ARRAY(r->arena, bool, n);
  Map *taken = map_new(r->arena);
  list_push(r->arena, &queue, k);
  seen[k] = true;
  for (int q = 0; q < queue.len; q++) {
    int j = queue.at[q];
    for (int i = 0; i < sets[j].len; i++) {
      if (map_get(taken, sets[j].at[i].id)) continue;
      map_put(taken, sets[j].at[i].id, r);
      list_push(r->arena, &out, sets[j].at[i]);
    }
    for (int i = 0; i < from[j].len; i++) {
      if (seen[from[j].at[i]]) continue;
      seen[from[j].at[i]] = true;
      list_push(r->arena, &queue, from[j].at[i]);
    }
  }
  return out;
}

static void loop_results(Roots *r, const struct loop_form *e, Vars bound) {
  Vars *sets = NEW_ARRAY(r->arena, Vars, bound.len);
  Places *from = NEW_ARRAY(r->arena, Places, bound.len);
  const Map *place_of = places_shared(r, e, bound);
  for (int k = 0; k < bound.len; k++) {
    if (!is_array(r, bound.at[k])) continue;
    if (owns(r, e->fn->params.at[k + e->is_for])) vars_add(r->arena, &sets[k], bound.at[k]);
    else add_atom(r, e->inits.at[k], &sets[k]);
    add_outer(r, e->fn->body.results.at[k], bound.at[k], &sets[k]);
    from[k] = places_from(r, e, place_of, k);
  }
  for (int k = 0; k < bound.len; k++) {
    Vars set = from[k].len ? roots_reaching(r, sets, from, bound.len, k) : sets[k];
    if (set.len) roots_set(r, bound.at[k], set);
  }
}

// ---- calls
// The parameters that a function's results may be, from its body: the least answer for all
// functions at once, as they may call one another.
static bool is_shared_place(const Places *places, int i) {
  for (int k = 0; k < places->len; k++)
    if (places->at[k] == i) return true;
  return false;
}

// Whether that was news.
static bool fn_shares_grow(const Roots *r, const Fn *fn, Places *shares) {
  bool more = false;
  for (int k = 0; k < fn->results.len; k++) {
    Vars roots = {0};
    if (is_array(r, fn->results.at[k])) add_atom(r, fn->body.results.at[k], &roots);
    for (int i = 0; i < fn->params.len; i++) {
      if (!vars_have(roots, fn->params.at[i]) || is_shared_place(&shares[k], i)) continue;
      list_push(r->arena, &shares[k], i);
      more = true;
    }
  }
  return more;
}

static void shares_compute(Roots *r) {
  const Prog *prog = r->prog;
  r->shares = map_new(r->arena);
  for (int i = 0; i < prog->fns.len; i++) {
    const Fn *fn = prog->fns.at[i];
    map_put(r->shares, KEY(fn), NEW_ARRAY(r->arena, Places, fn->results.len + 1));
  }
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < prog->fns.len; i++) {
      const Fn *fn = prog->fns.at[i];
      Roots inner = roots_new(prog, r->arena, false);
      inner.shares = r->shares;
      roots_body(&inner, &fn->body, &fn->params);
      more |= fn_shares_grow(&inner, fn, map_get(r->shares, KEY(fn)));
    }
  }
}

// A result that is not unique may be an array argument that is not consumed: which, the function's
// body tells.  Where it is not asked (body_shares: functions that reverse mode makes are added when
// it is done, ad/common/calls.c), any.
static void apply_results(Roots *r, const struct apply_form *e, Vars bound) {
  const Fn *fn = prog_fn(r->prog, e->fn);
  for (int k = 0; fn && k < bound.len; k++) {
    if (!is_array(r, bound.at[k]) || var_type(r->prog, fn->results.at[k]).unique) continue;
    if (r->through_calls && !r->shares) shares_compute(r);
    const Places *shares = r->shares ? map_get(r->shares, KEY(fn)) : NULL;
    Vars set = {0};
    vars_add(r->arena, &set, bound.at[k]);
    for (int i = 0; i < e->args.len; i++)
      if (!var_type(r->prog, fn->params.at[i]).unique &&
          (!shares || is_shared_place(&shares[k], i)))
        add_atom(r, e->args.at[i], &set);
    roots_set(r, bound.at[k], set);
  }
}

static void withacc_results(Roots *r, const struct withacc_form *e, Vars bound) {
  for (int k = e->arrays.len; k < bound.len; k++) {
    if (!is_array(r, bound.at[k])) continue;
    Vars set = {0};
    add_outer(r, e->fn->body.results.at[k], bound.at[k], &set);
    roots_set(r, bound.at[k], set);
  }
}

static void withvjp_results(Roots *r, const struct withvjp_form *e, Vars bound) {
  for (int k = 0; k < bound.len; k++) {
    if (!is_array(r, bound.at[k])) continue;
    Vars set = {0};
    vars_add(r->arena, &set, bound.at[k]);
    add_outer(r, e->fn->body.results.at[k], bound.at[k], &set);
    for (int i = 0; i < e->args.len; i++) add_atom(r, e->args.at[i], &set);
    roots_set(r, bound.at[k], set);
  }
}

// A copy of an accumulator's name is its next version.
static void view_result(Roots *r, Atom array, Var bound) {
  if (var_type(r->prog, bound).is_acc) return;
  Vars set = {0};
  add_atom(r, array, &set);
  if (is_array(r, bound) && set.len) roots_set(r, bound, set);
}

static void results(Roots *r, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch ((int)e->form) {
    case FORM_ATOM: view_result(r, e->atom.arg, stm->bound.at[0]); break;
    case FORM_OPAQUE: view_result(r, e->opaque.arg, stm->bound.at[0]); break;
    case FORM_STOPGRADIENT: view_result(r, e->stopgradient.arg, stm->bound.at[0]); break;
    case FORM_INDEX: view_result(r, e->index.array, stm->bound.at[0]); break;
    case FORM_FLATINDEX: view_result(r, e->flatindex.array, stm->bound.at[0]); break;
    case FORM_RESHAPE: view_result(r, e->reshape.array, stm->bound.at[0]); break;
    case FORM_REARRANGE: view_result(r, e->rearrange.array, stm->bound.at[0]); break;
    case FORM_REVERSE: view_result(r, e->reverse.array, stm->bound.at[0]); break;
    case FORM_MATCH: match_results(r, &e->match, stm->bound); break;
    case FORM_LOOP: loop_results(r, &e->loop, stm->bound); break;
    case FORM_APPLY: apply_results(r, &e->apply, stm->bound); break;
    case FORM_WITHACC: withacc_results(r, &e->withacc, stm->bound); break;
    case FORM_WITHVJP: withvjp_results(r, &e->withvjp, stm->bound); break;
  }
}

void roots_bound(Roots *r, const Stm *stm) {
  for (int i = 0; i < stm->bound.len; i++) enter(r, stm->bound.at[i]);
  results(r, stm);
}

void roots_forget(Roots *r, Var v, Map *dead) {
  const Vars *known = map_get(r->roots, v.id);
  if (!known) return;
  Vars left = {0};
  for (int i = 0; i < known->len; i++)
    vars_add(r->arena, &left, map_get(dead, known->at[i].id) ? v : known->at[i]);
  map_put(r->roots, v.id, arena_copy(r->arena, &left, sizeof left));
}

static void roots_stm(Roots *r, const Stm *stm) {
  operand_params(r, &stm->exp);
  exp_each_body(&stm->exp, roots_body, r);
  roots_bound(r, stm);
}

static void roots_prog(Roots *r) {
  for (int i = 0; i < r->prog->constants.len; i++) roots_stm(r, &r->prog->constants.at[i]);
  for (int i = 0; i < r->prog->fns.len; i++) {
    const Fn *fn = r->prog->fns.at[i];
    roots_body(r, &fn->body, &fn->params);
  }
}

Vars *body_shares(const Prog *prog, Arena *arena, const Body *body) {
  Roots r = roots_new(prog, arena, false);
  roots_body(&r, body, &(Vars){0});
  Vars *out = NEW_ARRAY(arena, Vars, body->results.len + 1);
  for (int k = 0; k < body->results.len; k++) {
    Vars roots = {0};
    add_atom(&r, body->results.at[k], &roots);
    for (int i = 0; i < roots.len; i++)
      if (roots_depth(&r, roots.at[i]) == 0) list_push(arena, &out[k], roots.at[i]);
  }
  return out;
}

static void member_add(Aliases *a, Var root, Var v) {
  Vars *members = map_get(a->members, root.id);
  if (!members) {
    members = NEW(a->roots.arena, Vars);
    map_put(a->members, root.id, members);
    if (!map_get(a->roots.roots, root.id)) list_push(a->roots.arena, members, root);
  }
  if (v.id != root.id) list_push(a->roots.arena, members, v);
  else vars_add(a->roots.arena, members, v);
}

Aliases *aliases_compute(const Prog *prog, Arena *arena) {
  Aliases *a = NEW(arena, Aliases);
  a->roots = roots_new(prog, arena, true);
  a->roots.through_calls = true;
  a->members = map_new(arena);
  roots_prog(&a->roots);
  for (int i = 0; i < map_len(a->roots.roots); i++) {
    const Vars *roots = map_value_at(a->roots.roots, i);
    Var v = {(uint32_t)map_key_at(a->roots.roots, i)};
    for (int k = 0; k < roots->len; k++) member_add(a, roots->at[k], v);
  }
  return a;
}

Vars aliases_of(const Aliases *a, Var v) {
  Vars roots = {0}, out = {0};
  list_push(a->roots.arena, &out, v);
  roots_add(&a->roots, v, &roots);
  for (int i = 0; i < roots.len; i++) {
    const Vars *members = map_get(a->members, roots.at[i].id);
    for (int k = 0; members && k < members->len; k++)
      vars_add(a->roots.arena, &out, members->at[k]);
  }
  return out;
}

Vars aliases_roots(const Aliases *a, Var v) {
  Vars roots = {0};
  roots_add(&a->roots, v, &roots);
  return roots;
}
