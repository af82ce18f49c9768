// Reverse mode of scopes: forward sweep in order, then adjoint code in reverse.
#include "ad/common/local.h"

// ---- accumulators whose WITHACC is being reversed do not exist in re-executed code
static AccErase erased(const Vjp *v) {
  return (AccErase){v->w.to.prog->arena, v->w.from, v->cotangents};
}

bool acc_is_erased(const Vjp *v, Type t) {
  AccErase g = erased(v);
  return erase_has(&g, t);
}

bool acc_is_seeded(const Vjp *v, Type t) {
  const Atom *C = t.is_acc ? map_get(v->cotangents, t.token.id) : NULL;
  return C && !atom_absent(*C);
}

static void copy_stm(Rewrite *w, const Stm *stm) {
  AccErase g = erased((const Vjp *)w);
  erase_copy(&g, w, stm);
}

void vjp_copy(Vjp *v, const Stm *stm) { copy_stm(&v->w, stm); }

// ---- what forward sweep leaves for adjoint code
static char emitted_mark;

void save_put(Vjp *v, const Stm *stm, void *save) { map_put(v->saves, KEY(stm), save); }

void *save_get(const Vjp *v, const Stm *stm) {
  void *save = map_get(v->saves, KEY(stm));
  return save == &emitted_mark ? NULL : save;
}

bool is_emitted(const Vjp *v, const Stm *stm) { return map_get(v->saves, KEY(stm)) != NULL; }

static bool any_active(const Vjp *v, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(&v->active, stm->bound.at[k])) return true;
  return false;
}

// Operands that stm consumes and nothing restores.
static Atoms consumed_for_good(Vjp *v, const Stm *stm) {
  const Exp *e = &stm->exp;
  Atoms out = {0};
  if (e->form == FORM_HIST)
    return any_active(v, stm) && hist_restores(v->w.from, &e->hist) ? out : e->hist.dests;
  if (e->form == FORM_WITHACC) return e->withacc.arrays;
  if (e->form == FORM_FLATUPDATE) return atoms1(vjp_arena(v), e->flatupdate.array);
  if (e->form == FORM_LOOP && any_active(v, stm)) return out;  // its own rule decides
  const Fn *callee = e->form == FORM_APPLY ? calls_fn(v->varied.calls, e->apply.fn) : NULL;
  for (int k = 0; callee && k < e->apply.args.len; k++)
    if (var_type(v->w.to.prog, callee->params.at[k]).unique)
      list_push(vjp_arena(v), &out, e->apply.args.at[k]);
  for (int k = 0; e->form == FORM_LOOP && k < e->loop.inits.len; k++)
    if (var_type(v->w.from, e->loop.fn->params.at[k + e->loop.is_for]).unique)
      list_push(vjp_arena(v), &out, e->loop.inits.at[k]);
  return out;
}

static void forward_form(Vjp *v, const Stm *stm);

// Copies of arrays that adjoint code needs are consumed in their place.
static void forward_stm(Vjp *v, const Stm *stm) {
  Atoms consumed = consumed_for_good(v, stm), values = {0};
  for (int k = 0; k < consumed.len; k++) {
    Atom a = primal_of(v, consumed.at[k]);
    list_push(vjp_arena(v), &values, a);
    bool kept = varset_has_atom(&v->restore, consumed.at[k]);
    if (!kept) varset_add_atom(&v->overwritten, consumed.at[k]);
    if (!kept || atom_type(v->w.to.prog, a).rank == 0) continue;
    rewrite_bind(&v->w, consumed.at[k].var, build_copy(vjp_builder(v), a));
  }
  forward_form(v, stm);
  for (int k = 0; k < consumed.len; k++)
    if (consumed.at[k].is_var) rewrite_bind(&v->w, consumed.at[k].var, values.at[k]);
}

static void forward_form(Vjp *v, const Stm *stm) {
  save_put(v, stm, &emitted_mark);
  switch (stm->exp.form) {
    case FORM_UPDATE: vjp_update_forward(v, stm); return;
    case FORM_SCATTER: vjp_scatter_forward(v, stm); return;
    case FORM_LOOP:
      if (!any_active(v, stm)) break;
      vjp_loop_forward(v, stm);
      return;
    case FORM_REDUCE:
      if (!any_active(v, stm)) break;
      vjp_reduce_forward(v, stm);
      return;
    case FORM_HIST:
      if (!any_active(v, stm)) break;
      vjp_hist_forward(v, stm);
      return;
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL:
    case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH:
    case FORM_INDEX: case FORM_FLATINDEX: case FORM_FLATUPDATE: case FORM_RESHAPE:
    case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE: case FORM_MATCH:
    case FORM_APPLY: case FORM_ASSERT: case FORM_MAP: case FORM_SCAN: case FORM_SCREMA:
    case FORM_WITHACC: case FORM_UPDATEACC: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP:
    case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT: break;
  }
  vjp_copy(v, stm);
}

static bool is_needed(const Stm *stm, const VarSet *need) {
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(need, stm->bound.at[k])) return true;
  return false;
}

// Values that a loop stored are not computed again.
static bool take_reload(Vjp *v, const Stm *stm) {
  const Var *reload = stm->bound.len == 1 ? map_get(v->reload, stm->bound.at[0].id) : NULL;
  if (reload) rewrite_bind(&v->w, stm->bound.at[0], primal_of(v, atom_var(*reload)));
  if (reload) save_put(v, stm, NULL);
  return reload != NULL;
}

void vjp_stms_forward(Vjp *v, Stms stms, const VarSet *need) {
  const Loc *saved = v->w.to.loc;
  for (int i = 0; i < stms.len; i++) {
    const Stm *stm = &stms.at[i];
    if (stm == v->nested.loop) {
      nested_forward(v);
      continue;
    }
    if (need && (!is_needed(stm, need) || trips_are_known(v, stm, need))) {
      save_put(v, stm, NULL);
      continue;
    }
    if (stm->loc) v->w.to.loc = stm->loc;
    if (need && take_reload(v, stm)) continue;
    v->counter = i > 0 && trips_are_counted(v, stms, i - 1) ? &stms.at[i - 1] : NULL;
    forward_stm(v, stm);
  }
  v->w.to.loc = saved;
}

// ---- adjoint code
static bool any_adjoint(const Vjp *v, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(v->w.from, stm->bound.at[k]);
    bool updated = varset_has(&v->active, stm->bound.at[k]);
    if (acc_is_erased(v, t) ? updated : !adj_is_zero(v, stm->bound.at[k])) return true;
  }
  return false;
}

static void return_rule(Vjp *v, Stms before, const Stm *stm) {
  Form form = stm->exp.form;
  bool undone = form == FORM_UPDATE || form == FORM_SCATTER || loop_restores(v, stm) ||
                (form == FORM_HIST && hist_restores(v->w.from, &stm->exp.hist));
  if (!undone && !any_adjoint(v, stm)) return;
  switch (form) {
    case FORM_PRIM: vjp_prim(v, stm); break;
    case FORM_CONV: vjp_conv(v, stm); break;
    case FORM_UPDATE: vjp_update(v, before, stm); break;
    case FORM_MATCH: vjp_match(v, stm); break;
    case FORM_LOOP: vjp_loop(v, before, stm); break;
    case FORM_MAP: vjp_map(v, stm); break;
    case FORM_REDUCE: vjp_reduce(v, stm); break;
    case FORM_SCAN: vjp_scan(v, stm); break;
    case FORM_HIST: vjp_hist(v, before, stm); break;
    case FORM_SCATTER: vjp_scatter(v, before, stm); break;
    case FORM_WITHACC: vjp_withacc(v, stm); break;
    case FORM_UPDATEACC: vjp_updateacc(v, stm); break;
    case FORM_WITHVJP: vjp_withvjp(v, stm); break;
    case FORM_APPLY: vjp_apply(v, stm); break;
    case FORM_ATOM: case FORM_OPAQUE: case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT:
    case FORM_LITERAL: case FORM_CONSTANT: case FORM_IOTA:
    case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH: case FORM_INDEX: case FORM_FLATINDEX:
    case FORM_FLATUPDATE: case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT:
    case FORM_REVERSE: case FORM_ROTATE: vjp_array(v, stm); break;
    case FORM_ASSERT: case FORM_TRACE: case FORM_SCREMA: case FORM_JVP: case FORM_VJP:
    case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT: ice("form %d in reverse mode", form);
  }
}

static void return_stm(Vjp *v, Stms before, const Stm *stm) {
  bool saved = v->safe.rule_masked;
  v->safe.rule_masked = stm->bound.len > 0;
  for (int k = 0; k < stm->bound.len; k++)
    if (!varset_has(&v->safe.after, stm->bound.at[k])) v->safe.rule_masked = false;
  return_rule(v, before, stm);
  v->safe.rule_masked = saved;
}

void vjp_stms_return(Vjp *v, Stms stms) {
  const Loc *saved = v->w.to.loc;
  for (int i = stms.len - 1; i >= 0; i--) {
    Stms before = {.at = stms.at, .len = i, .cap = i};
    if (stms.at[i].loc) v->w.to.loc = stms.at[i].loc;
    return_stm(v, before, &stms.at[i]);
  }
  v->w.to.loc = saved;
}

// For `dagaz explain`: what is computed that the reverse sweep needs again.
static void note_again(Vjp *v, const Body *body, const VarSet *need) {
  Arena *arena = vjp_arena(v);
  const char *names = "";
  int again = 0;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    Form form = stm->exp.form;
    if (stm == v->nested.loop) continue;
    if (!is_needed(stm, need) || form == FORM_CONV || form == FORM_IOTA || form_shares_memory(form))
      continue;
    if (stm->bound.len == 1 && map_get(v->reload, stm->bound.at[0].id)) continue;
    if (again++ < 6)
      names = arena_printf(arena, "%s%s%s", names, *names ? ", " : "",
                           var_info(v->w.from, stm->bound.at[0])->base);
  }
  if (again)
    prog_note(v->w.to.prog, v->w.to.loc, "recomputed", "%s%s: %d of %d statements of its body",
              names, again > 6 ? ", .." : "", again, body->stms.len);
}

void vjp_body(Vjp *v, const Body *body, const Adj *seeds) {
  VarSet need = varset_new(vjp_arena(v)), outer = v->restore;
  const Body *around = v->body;
  v->body = body;
  v->restore = v->entry_restore;
  v->entry_restore = varset_new(vjp_arena(v));
  tbr_body(&v->tbr, &v->active, v->reload, &need, &v->restore, body);
  v->level++;
  note_again(v, body, &need);
  vjp_stms_forward(v, body->stms, &need);
  v->restore = outer;
  for (int k = 0; k < body->results.len; k++)
    if (seeds[k].kind != ADJ_ZERO) contribute_adj(v, body->results.at[k], seeds[k]);
  vjp_stms_return(v, body->stms);
  v->body = around;
  v->level--;
}

// ---- rolling back
// At level 0 results may share memory with what is restored from the undo log; so the first
// roll-back copies.
Atom consumable(Vjp *v, Atom present) {
  if (v->level > 0 || varset_has_atom(&v->rolled_back, present)) return present;
  return build_copy(vjp_builder(v), present);
}

// ---- lambdas made by the rules
void activate(Vjp *v, const Lambda *fn, const bool *params) {
  for (int k = 0; k < fn->params.len; k++)
    if (params[k]) varset_add(&v->varied, fn->params.at[k]);
  varied_body(v->w.from, &v->varied, &fn->body);
  guard_body(&v->safe, &fn->body);
  masked_body(v->w.from, v->tbr.free_vars, &v->safe, &fn->body);
  for (int k = 0; k < fn->body.results.len; k++)
    useful_atom(&v->varied, &v->active, fn->body.results.at[k]);
  useful_body(v->w.from, &v->varied, &v->active, &fn->body);
}

Vars useful_free(Vjp *v, const Lambda *fn, const bool *seeded, VarSet *useful) {
  Vars vars = free_vars_of_lambda(v->tbr.free_vars, fn), out = {0};
  *useful = varset_new(vjp_arena(v));
  useful->reached = v->reached;
  for (int k = 0; k < fn->body.results.len; k++)
    if (seeded[k]) useful_atom(&v->varied, useful, fn->body.results.at[k]);
  useful_body(v->w.from, &v->varied, useful, &fn->body);
  for (int i = 0; i < vars.len; i++)
    if (varset_has(useful, vars.at[i]) && !var_type(v->w.from, vars.at[i]).is_acc)
      list_push(vjp_arena(v), &out, vars.at[i]);
  return view_roots(v, out);
}

Vars view_roots(Vjp *v, Vars vars) {
  VarSet seen = varset_new(vjp_arena(v));
  Vars out = {0};
  for (int i = 0; i < vars.len; i++) {
    Adj adj = adj_get(v, vars.at[i]);
    Var x = adj.kind == ADJ_VIEW ? adj.root : vars.at[i];
    if (varset_add(&seen, x)) list_push(vjp_arena(v), &out, x);
  }
  return out;
}

// ---- the operator
static Vjp vjp_new(Builder *b, const Lambda *fn, const Loc *loc, Mask varied, Calls *calls) {
  Arena *arena = b->prog->arena;
  Vjp v = {.w = rewrite_new(b->prog, *b), .loc = loc};
  v.w.stm = copy_stm;
  v.tbr = (TbrCache){b->prog, free_vars_new(b->prog, arena), map_new(arena)};
  v.reached = useful_cache_new(v.tbr.free_vars, arena);
  v.varied = varset_new(arena);
  v.safe = safe_new(calls_strict(calls), arena);
  v.active = varset_new(arena);
  v.varied.calls = v.active.calls = calls;
  v.overwritten = varset_new(arena);
  v.rolled_back = varset_new(arena);
  v.entry_restore = varset_new(arena);
  v.restore = varset_new(arena);
  v.saves = map_new(arena);
  v.reload = map_new(arena);
  v.known = varset_new(arena);
  v.cotangents = map_new(arena);
  v.shares = map_new(arena);
  bool *all = NEW_ARRAY(arena, bool, fn->params.len + 1);
  for (int k = 0; k < fn->params.len; k++)
    all[k] = var_type(b->prog, fn->params.at[k]).prim != PRIM_UNIT &&
             (!varied || varied[k] == '1');
  activate(&v, fn, all);
  return v;
}

// The reverse sweep from seeds to the adjoints of the parameters.
static Atoms sweep(Vjp *v, const Lambda *fn, Atoms seeds) {
  Atoms out = {0};
  int mark = scope_begin(v);
  for (int k = 0; k < seeds.len; k++) contribute(v, fn->body.results.at[k], seeds.at[k], false);
  vjp_stms_return(v, fn->body.stms);
  for (int k = 0; k < fn->params.len; k++)
    list_push(vjp_arena(v), &out, adj_value(v, fn->params.at[k]));
  scope_end(v, mark);
  return out;
}

// mjp f x S: the forward sweep once, the reverse sweep for every row of S.
static Atoms sweep_vector(Vjp *v, const struct vjp_form *e, const Lambda *fn) {
  Builder outer = v->w.to;
  MapBuilder m = map_begin(&outer, e->shape.at[0], e->seeds);
  v->w.to = m.lb.inner;
  v->vector = true;
  Atoms seeds = {0};
  for (int k = 0; k < e->seeds.len; k++) list_push(vjp_arena(v), &seeds, map_param(&m, k));
  Atoms out = sweep(v, fn, seeds);
  v->w.to = outer;
  return atoms_of_vars(vjp_arena(v), map_end(&m, "adjoint", out));
}

Atoms ad_vjp(Builder *b, const struct vjp_form *e, const Loc *loc, Calls *calls, VjpUse use) {
  NormaliseFor what = {.reverse = true, .own_only = true, .calls = calls};
  Lambda *fn = ad_normalise(b, e->fn, what);
  Vjp v = vjp_new(b, fn, loc, NULL, calls);
  const Lambda *plain = withvjp_plain(b, fn, &v.varied);
  if (plain) {
    fn = ad_normalise(b, plain, what);
    v = vjp_new(b, fn, loc, NULL, calls);
  }
  for (int k = 0; k < e->args.len; k++) rewrite_bind(&v.w, fn->params.at[k], e->args.at[k]);
  VarSet need = varset_new(vjp_arena(&v));
  tbr_body(&v.tbr, &v.active, v.reload, &need, &v.restore, &fn->body);
  v.body = &fn->body;
  v.valued = use.valued;
  v.maps = use.inside;
  v.shared = e->shape.len > 0;
  vjp_stms_forward(&v, fn->body.stms, NULL);
  Atoms primal = rewrite_atoms(&v.w, fn->body.results);
  Atoms adjoints = e->shape.len ? sweep_vector(&v, e, fn) : sweep(&v, fn, e->seeds);
  return atoms_concat(b->prog->arena, primal, adjoints);
}

Atoms ad_vjp_body(Builder *b, const Lambda *fn, VjpCall call, Calls *calls) {
  Atoms args = call.args, seeds = call.seeds;
  Vjp v = vjp_new(b, fn, b->loc, call.varied, calls);
  Adj *adjs = NEW_ARRAY(b->prog->arena, Adj, seeds.len + 1);
  Atoms out = {0};
  for (int k = 0; k < args.len; k++) rewrite_bind(&v.w, fn->params.at[k], args.at[k]);
  for (int k = 0; k < seeds.len; k++)
    if (!atom_absent(seeds.at[k])) adjs[k] = adj_val(seeds.at[k], false);
  for (int k = 0; k < args.len; k++)
    if (!atom_absent(call.sums.at[k]))
      adj_set(&v, fn->params.at[k], adj_val(call.sums.at[k], true));
  vjp_body(&v, &fn->body, adjs);
  for (int k = 0; k < args.len; k++) {
    if (call.wanted[k] != '1') continue;
    bool sum = !atom_absent(call.sums.at[k]);
    Var x = fn->params.at[k];
    list_push(b->prog->arena, &out, sum ? adj_owned(&v, x) : adj_value(&v, x));
  }
  return out;
}
