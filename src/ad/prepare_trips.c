// The number of iterations of a while loop: a copy of it that only counts.
//
//   loop while c (c, p..) = ..    loop while c (c, p.., n) = (.., 0) { (.., n + 1) }
//
// What does not influence the condition goes when the program is simplified.  Accumulators, which
// nothing can read, go here: they may be used once only.
#include "local.h"

static void need_sizes(VarSet *needed, Type t) {
  for (int d = 0; d < t.rank; d++) varset_add_atom(needed, t.dims[d]);
}

static bool any_needed(const VarSet *needed, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (varset_has(needed, vars.at[k])) return true;
  return false;
}

// The parameters, statements and free variables that the condition depends on, to a fixpoint.
static void need_round(const Prog *prog, VarSet *needed, const Lambda *fn) {
  for (int k = 0; k < fn->params.len; k++) {
    if (!varset_has(needed, fn->params.at[k])) continue;
    need_sizes(needed, var_type(prog, fn->params.at[k]));
    varset_add_atom(needed, fn->body.results.at[k]);
  }
  for (int i = fn->body.stms.len - 1; i >= 0; i--) {
    const Stm *stm = &fn->body.stms.at[i];
    if (!any_needed(needed, stm->bound)) continue;
    for (int k = 0; k < stm->bound.len; k++) need_sizes(needed, var_type(prog, stm->bound.at[k]));
    varset_add_all(needed, exp_free(prog, prog->arena, &stm->exp));
  }
}

static int params_needed(const VarSet *needed, const Lambda *fn) {
  int n = 0;
  for (int k = 0; k < fn->params.len; k++) n += varset_has(needed, fn->params.at[k]);
  return n;
}

static VarSet needed_by(const Prog *prog, const Lambda *fn, Var cond) {
  VarSet needed = varset_new(prog->arena);
  varset_add(&needed, cond);
  for (int before = 0, now = 1; now > before;) {
    before = now;
    need_round(prog, &needed, fn);
    now = params_needed(&needed, fn);
  }
  return needed;
}

static bool has_acc(const Prog *prog, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (var_type(prog, vars.at[k]).is_acc) return true;
  return false;
}

// The loop without what the condition does not depend on; `stm` is emitted by nobody else.
static Stm without_accs(Prog *prog, const Stm *stm) {
  Arena *arena = prog->arena;
  const struct loop_form *e = &stm->exp.loop;
  VarSet needed = needed_by(prog, e->fn, e->fn->params.at[e->cond]);
  Lambda *fn = NEW(arena, Lambda);
  Stm out = {.exp = stm->exp, .attrs = stm->attrs, .loc = stm->loc};
  out.exp.loop.fn = fn;
  out.exp.loop.inits = (Atoms){0};
  for (int k = 0; k < e->inits.len; k++) {
    if (k == e->cond) out.exp.loop.cond = fn->params.len;
    if (!varset_has(&needed, e->fn->params.at[k])) continue;
    list_push(arena, &fn->params, e->fn->params.at[k]);
    list_push(arena, &fn->rets, e->fn->rets.at[k]);
    list_push(arena, &fn->body.results, e->fn->body.results.at[k]);
    list_push(arena, &out.exp.loop.inits, e->inits.at[k]);
    list_push(arena, &out.bound, stm->bound.at[k]);
  }
  for (int i = 0; i < e->fn->body.stms.len; i++) {
    const Stm *s = &e->fn->body.stms.at[i];
    if (!any_needed(&needed, s->bound)) continue;
    if (has_acc(prog, s->bound))
      ad_unsupported(s->loc, "the derivative of a while loop whose condition depends on what is "
                             "computed together with writes to an accumulator");
    list_push(arena, &fn->body.stms, *s);
  }
  return out;
}

Atom build_trips(Builder *b, const Stm *loop) {
  Prog *prog = b->prog;
  Arena *arena = prog->arena;
  Stm from = has_acc(prog, loop->bound) ? without_accs(prog, loop) : *loop;
  const struct loop_form *e = &from.exp.loop;
  Lambda *fn = lambda_copy(b, e->fn);
  Var n = var_new(prog, "trips", type_scalar(PRIM_I64));
  Builder in = builder_new(prog, &fn->body.stms);
  list_push(arena, &fn->params, n);
  list_push(arena, &fn->rets, type_scalar(PRIM_I64));
  list_push(arena, &fn->body.results, build_op(&in, OP_ADD, atom_var(n), atom_i64(1)));
  Stm count = {.exp = from.exp, .loc = b->loc};
  count.exp.loop.fn = fn;
  count.exp.loop.inits = (Atoms){0};
  for (int k = 0; k < e->inits.len; k++) {
    bool consumed = var_type(prog, e->fn->params.at[k]).unique;
    Atom init = e->inits.at[k];
    list_push(arena, &count.exp.loop.inits, consumed ? build_copy(b, init) : init);
  }
  list_push(arena, &count.exp.loop.inits, atom_i64(0));
  Rewrite sizes = rewrite_new(prog, *b);
  for (int k = 0; k < from.bound.len; k++)
    list_push(arena, &count.bound, rewrite_var(&sizes, from.bound.at[k]));
  Var trips = var_new(prog, "trips", type_scalar(PRIM_I64));
  list_push(arena, &count.bound, trips);
  build_stm(b, count);
  return atom_var(trips);
}
