// Branches, loops, calls.
#include "imp/common/local.h"
#include "rts/stack.h"

// ---- match ------------------------------------------------------------------------------------
static bool mentions_any(const Type *t, Vars vars) {
  for (int i = 0; i < t->rank; i++)
    for (int j = 0; j < vars.len; j++)
      if (atom_is_var(t->dims[i], vars.at[j])) return true;
  return false;
}

// How the branches hand over one result.
typedef struct {
  enum { RESULT_VAR, RESULT_ALIAS, RESULT_DEST, RESULT_BLOCK, RESULT_ACC } kind;
  ImpVar var;  // scalar, or the block taken over
  View dest;
  Value acc;   // an accumulator: every branch hands the same one on
  int home, order, depth;  // the block the match stands in; of the match and its body
} Join;

// Whether a branch's result is a block that a call hands over.
static bool is_called(Lower *l, const Stm *stm, Var b) {
  const struct match_form *e = &stm->exp.match;
  int k = 0;
  while (stm->bound.at[k].id != b.id) k++;
  for (int i = 0; i < e->cases.len; i++) {
    Var v = l->facts->same[e->cases.at[i].body.results.at[k].var.id];
    const Stm *def = l->facts->def[v.id];
    if (def && def->exp.form == FORM_APPLY) return true;
  }
  return false;
}

static Join join_new(Lower *l, const Stm *stm, Var b) {
  Type t = var_type(l->prog, b);
  bool alias = l->facts->same[b.id].id != b.id;
  if (t.is_acc) return (Join){.kind = RESULT_ACC};
  if (t.rank > 0 && alias) return (Join){.kind = RESULT_ALIAS};
  if (t.rank == 0) {
    const ImpExp *zero = imp_const(l->arena, scalar_number(t.prim, 0));
    if (t.prim == PRIM_UNIT) zero = imp_const(l->arena, (Scalar){.prim = PRIM_UNIT});
    return (Join){.kind = RESULT_VAR, .var = emit_var(l, var_base(l, b), zero)};
  }
  if (!mentions_any(&t, stm->bound) && !is_called(l, stm, b))
    return (Join){.kind = RESULT_DEST, .dest = dest_view(l, b)};
  ImpVar block = mem_fresh(l, var_base(l, b), IMP_BLOCK, t.prim);
  l->fn->vars.at[block.id].moved = true;
  Join join = {.kind = RESULT_BLOCK, .var = block, .home = l->block};
  join.order = mem_order(l->facts, stm);
  join.depth = l->facts->def_depth[b.id];
  return join;
}

// A block made where the match stands and not used after it: a branch may give it away.
static bool is_given_away(Lower *l, const Join *join, const View *v) {
  const MemUse *use = &l->mems.at[v->mem.id];
  if (!view_is_block(l, v) || use->block != join->home) return false;
  for (int i = 0; i < use->users.len; i++) {
    Var user = use->users.at[i];
    if (l->facts->def_depth[user.id] <= join->depth && l->facts->last_use[user.id] > join->order)
      return false;
  }
  return true;
}

static void join_branch(Lower *l, const Body *body, int n, Join *joins) {
  const View **dests = NEW_ARRAY(l->arena, const View *, n + 1);
  Value *results = NEW_ARRAY(l->arena, Value, n + 1);
  for (int i = 0; i < n; i++) dests[i] = joins[i].kind == RESULT_DEST ? &joins[i].dest : NULL;
  lower_body(l, body, dests, results);
  for (int i = 0; i < n; i++) {
    if (joins[i].kind == RESULT_ACC) joins[i].acc = results[i];
    if (joins[i].kind == RESULT_VAR)
      imp_emit(l, (ImpStm){.form = IMP_STM_SET, .set = {joins[i].var, results[i].exp}});
    if (joins[i].kind != RESULT_BLOCK) continue;
    bool alone = true;
    for (int j = 0; j < n; j++)
      alone = alone
              && (j == i || results[j].kind != VALUE_ARRAY
                  || results[j].view.mem.id != results[i].view.mem.id);
    const View *view = &results[i].view;
    bool given = alone && is_given_away(l, &joins[i], view);
    ImpVar own = given ? view_take(l, view) : view_own(l, view, alone);
    imp_emit(l, (ImpStm){.form = IMP_STM_MOVE, .move = {joins[i].var, own}});
  }
}

static void join_bind(Lower *l, Var b, const Join *join) {
  Type t = var_type(l->prog, b);
  switch (join->kind) {
  case RESULT_VAR: bind_exp(l, b, var_exp(l, join->var)); break;
  case RESULT_ALIAS: bind(l, b, atom_value(l, atom_var(l->facts->same[b.id]))); break;
  case RESULT_DEST: bind_view(l, b, join->dest); break;
  case RESULT_ACC: bind(l, b, join->acc); break;
  case RESULT_BLOCK:
    bind_view(l, b, view_dense(l, join->var, t.prim, t.rank, type_dims(l, t)));
    break;
  }
}

static const ImpExp *case_cond(Lower *l, const struct match_form *e, const Case *c) {
  const ImpExp *cond = imp_const(l->arena, scalar_bool(true));
  for (int i = 0; i < c->pats.len; i++) {
    if (c->pats.at[i].any) continue;
    const ImpExp *arg = atom_exp(l, e->args.at[i]), *test;
    Scalar lit = c->pats.at[i].lit;
    if (lit.prim == PRIM_BOOL)
      test = lit.i ? arg : imp_op(l->arena, OP_NOT, PRIM_BOOL, arg, NULL, NULL);
    else test = imp_op(l->arena, OP_EQ, lit.prim, arg, imp_const(l->arena, lit), NULL);
    cond = exp_and(l, cond, test);
  }
  return cond;
}

static void lower_cases(Lower *l, const Stm *stm, int at, Join *joins) {
  const struct match_form *e = &stm->exp.match;
  const Case *c = &e->cases.at[at];
  if (at == e->cases.len - 1) {
    join_branch(l, &c->body, stm->bound.len, joins);
    return;
  }
  const ImpExp *cond = case_cond(l, e, c);
  Open then = branch_open(l);
  join_branch(l, &c->body, stm->bound.len, joins);
  block_close(l, then);
  Open other = branch_open(l);
  lower_cases(l, stm, at + 1, joins);
  block_close(l, other);
  imp_emit_if(l, cond, then.block, other.block);
}

// A branch that computes nothing is a choice between two values.
static bool is_select(const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  return e->cases.len == 2 && e->cases.at[0].body.stms.len == 0
         && e->cases.at[1].body.stms.len == 0;
}

void lower_match(Lower *l, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  bool scalars = true;
  for (int i = 0; i < stm->bound.len; i++)
    scalars = scalars && type_is_scalar(var_type(l->prog, stm->bound.at[i]));
  if (scalars && is_select(stm)) {
    const ImpExp *cond = emit_let(l, "c", case_cond(l, e, &e->cases.at[0]));
    for (int i = 0; i < stm->bound.len; i++) {
      const ImpExp *a = atom_exp(l, e->cases.at[0].body.results.at[i]);
      const ImpExp *b = atom_exp(l, e->cases.at[1].body.results.at[i]);
      const ImpExp *v = imp_op(l->arena, OP_SELECT, a->prim, cond, a, b);
      bind_exp(l, stm->bound.at[i], emit_let(l, var_base(l, stm->bound.at[i]), v));
    }
    return;
  }
  Join *joins = NEW_ARRAY(l->arena, Join, stm->bound.len + 1);
  for (int i = 0; i < stm->bound.len; i++) joins[i] = join_new(l, stm, stm->bound.at[i]);
  lower_cases(l, stm, 0, joins);
  for (int i = 0; i < stm->bound.len; i++) join_bind(l, stm->bound.at[i], &joins[i]);
}

// ---- loop -------------------------------------------------------------------------------------
// A block that is new in every iteration may be taken in the body, as if it had been made there.
static void moved_blocks(Lower *l, const LoopState *states, int n) {
  for (int i = 0; i < n; i++)
    if (!states[i].scalar && states[i].mode == LOOP_MOVE)
      l->mems.at[states[i].cur.mem.id].block = l->block;
}

static void loop_iteration(Lower *l, const struct loop_form *e, LoopState *states) {
  int n = e->inits.len;
  for (int i = 0; i < n; i++) state_bind(l, &states[i]);
  moved_blocks(l, states, n);
  const View **dests = NEW_ARRAY(l->arena, const View *, n + 1);
  Value *results = NEW_ARRAY(l->arena, Value, n + 1);
  state_dests(states, n, dests);
  lower_body(l, &e->fn->body, dests, results);
  state_advance(l, states, n, results);
}

// Of a loop that runs backwards, the iterations of the loop that it runs backwards.
static void look_step(Lower *l, const Stm *stm, const ImpExp *i, const ImpExp *bound) {
  bool backwards = stm->attrs.reversed;
  const ImpExp *last = imp_sub(l->arena, bound, int_exp(l, 1));
  probe_iteration(l, backwards ? imp_sub(l->arena, last, i) : i, backwards);
}

static void look_trip(Lower *l, ImpVar trips) {
  if (!l->looks) return;
  probe_iteration(l, var_exp(l, trips), false);
  const ImpExp *next = imp_add(l->arena, var_exp(l, trips), int_exp(l, 1));
  imp_emit(l, (ImpStm){.form = IMP_STM_SET, .set = {trips, next}});
}

void lower_loop(Lower *l, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  int n = e->inits.len, skip = e->is_for ? 1 : 0;
  LoopState *states = NEW_ARRAY(l->arena, LoopState, n + 1);
  for (int i = 0; i < n; i++)
    state_init(l, &states[i], e->fn->params.at[skip + i], e->inits.at[i], NULL);
  probe_enter(l);
  if (e->is_for) {
    const ImpExp *bound = emit_let(l, "n", imp_conv(l->arena, PRIM_I64, atom_exp(l, e->bound)));
    ForLoop loop = for_open(l, var_base(l, e->fn->params.at[0]), bound, false);
    l->fn->vars.at[loop.var.id].low_peak = stm->attrs.low_peak;
    Prim p = var_type(l->prog, e->fn->params.at[0]).prim;
    bind_exp(l, e->fn->params.at[0], emit_let(l, "i", imp_conv(l->arena, p, loop.i)));
    look_step(l, stm, loop.i, bound);
    loop_iteration(l, e, states);
    for_close(l, loop);
  } else {
    ImpVar trips = l->looks ? emit_var(l, "trips", int_exp(l, 0)) : (ImpVar){0};
    Open body = block_open(l);
    look_trip(l, trips);
    loop_iteration(l, e, states);
    block_close(l, body);
    const ImpExp *cond = var_exp(l, states[e->cond].var);
    imp_emit(
        l, (ImpStm){.form = IMP_STM_WHILE, .while_ = {NEW(l->arena, ImpBlock), cond, body.block}});
  }
  probe_leave(l);
  moved_blocks(l, states, n);
  for (int i = 0; i < n; i++) {
    Var b = stm->bound.at[i];
    bind(l, b, state_value(l, &states[i], var_type(l->prog, b)));
  }
}

// ---- calls ------------------------------------------------------------------------------------
typedef struct {
  ImpExps args;
  ImpVars mems, results;
} CallParts;

static void add_arg(Lower *l, CallParts *c, const ImpExp *arg, ImpVar mem) {
  list_push(l->arena, &c->args, arg);
  list_push(l->arena, &c->mems, mem);
}

// Whether the open block runs at most once when the other does: a consumed array may leave it from
// here.
static bool runs_once(const Lower *l, int block) {
  int at = l->block;
  while (at != block && at >= 0) at = at < l->branch_of.len ? l->branch_of.at[at] : -1;
  return at == block;
}

static void call_arg(Lower *l, CallParts *c, Type t, Atom arg) {
  Value v = atom_value(l, arg);
  if (v.kind == VALUE_SCALAR) {
    add_arg(l, c, v.exp, (ImpVar){0});
  } else if (t.unique) {
    bool moves = view_is_block(l, &v.view) && runs_once(l, l->mems.at[v.view.mem.id].block);
    add_arg(l, c, int_exp(l, 0), moves ? view_take(l, &v.view) : view_own(l, &v.view, true));
  } else {
    View dense = view_make_dense(l, &v.view);
    add_arg(l, c, dense.offset, dense.mem);
  }
}

// The callee updates in place: under another layout a copy, which is copied back.
static void call_args(Lower *l, CallParts *c, const Fn *fn, const struct apply_form *e) {
  for (int i = 0; i < e->args.len; i++) {
    Type t = var_type(l->prog, fn->params.at[i]);
    t.unique = t.unique && !mem_holds_result(l->facts, fn, i);
    call_arg(l, c, t, e->args.at[i]);
  }
}

static ImpVar call_result(Lower *l, Var b) {
  Type t = var_type(l->prog, b);
  if (t.rank == 0)
    return emit_var(l, var_base(l, b), imp_const(l->arena, (Scalar){.prim = t.prim}));
  ImpVar r = mem_fresh(l, var_base(l, b), IMP_BLOCK, t.prim);
  l->fn->vars.at[r.id].moved = true;
  return r;
}

// The arrays that stay where they are.
static void call_in_place(Lower *l, const CallParts *c, const Stm *stm, const Fn *fn) {
  for (int k = 0; k < stm->bound.len; k++) {
    int in = mem_in_place(l->facts, fn, k);
    if (!in) continue;
    View at = atom_view(l, stm->exp.apply.args.at[in - 1]), now = at;
    if (!at.dense) {
      now = view_dense(l, c->mems.at[in - 1], at.prim, at.rank, at.dims);
      copy_view(l, &at, &now);
    }
    bind_view(l, stm->bound.at[k], at);
  }
}

void lower_apply(Lower *l, const Stm *stm) {
  const struct apply_form *e = &stm->exp.apply;
  const Fn *fn = prog_fn(l->prog, e->fn);
  CallParts c = {0};
  call_args(l, &c, fn, e);
  for (int k = 0; k < stm->bound.len; k++) {
    int in = mem_in_place(l->facts, fn, k);
    list_push(l->arena, &c.results, in ? c.mems.at[in - 1] : call_result(l, stm->bound.at[k]));
  }
  bool deep = l->fn->core && cycles_join(l->cycles, l->fn->core, fn);
  int site = deep ? 1 + site_new(l, DZ_DEEP) : 0;
  imp_emit(l, (ImpStm){.form = IMP_STM_CALL, .call = {e->fn, c.args, c.mems, c.results, site}});
  for (int k = 0; k < stm->bound.len; k++)
    if (var_type(l->prog, stm->bound.at[k]).rank == 0)
      bind_exp(l, stm->bound.at[k], var_exp(l, c.results.at[k]));
  for (int k = 0; k < stm->bound.len; k++) {
    Var b = stm->bound.at[k];
    Type t = var_type(l->prog, b);
    if (t.rank > 0 && !mem_in_place(l->facts, fn, k))
      bind_view(l, b, view_dense(l, c.results.at[k], t.prim, t.rank, type_dims(l, t)));
  }
  call_in_place(l, &c, stm, fn);
}
