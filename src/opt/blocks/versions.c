// Two versions of a statement: for several threads, and as it was, which is faster on one.  How
// many there are is asked where the loop is long.
#include "blocks.h"

static Atom build_tuned(Builder *b, const char *name) {
  Exp tuned = {.form = FORM_TUNED, .tuned = {.name = name, .otherwise = atom_i64(1)}};
  return build(b, name + 1, type_scalar(PRIM_I64), tuned);
}

// if is then tuned "#threads" else 1
static Atom build_asked(Blocks *s, Atom is) {
  Arena *arena = s->prog->arena;
  Exp match = {.form = FORM_MATCH};
  Case ask = {0}, one = {0};
  Builder b = builder_new(s->prog, &ask.body.stms);
  list_push(arena, &match.match.args, is);
  list_push(arena, &ask.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(arena, &ask.body.results, build_tuned(&b, TUNED_THREADS));
  list_push(arena, &one.body.results, atom_i64(1));
  list_push(arena, &match.match.cases, ask);
  list_push(arena, &match.match.cases, one);
  return build(&s->to, "threads", type_scalar(PRIM_I64), match);
}

Atom build_threads(Blocks *s, Atom width, Atom cost, int least) {
  Exp budget = {.form = FORM_TUNED, .tuned = {.name = TUNED_BLOCK, .otherwise = atom_i64(131072)}};
  Atom two = build_op(&s->to, OP_MUL, build(&s->to, "budget", type_scalar(PRIM_I64), budget),
                      atom_i64(2));
  Atom work = build_op(&s->to, OP_MUL, width, cost);
  Atom threads = build_asked(s, build_op(&s->to, OP_LT, two, work));
  return build_op(&s->to, OP_LE, atom_i64(least), threads);
}

// if cond then body else stm
void build_versions(Blocks *s, Stm *stm, Atom cond, Body body) {
  Arena *arena = s->prog->arena;
  Exp match = {.form = FORM_MATCH};
  Case many = {.body = body}, one = {0};
  list_push(arena, &match.match.args, cond);
  list_push(arena, &many.pats, (CasePat){.lit = scalar_bool(true)});
  Stm same = *stm;
  same.bound = (Vars){0};
  for (int i = 0; i < stm->bound.len; i++) {
    const VarInfo *v = &s->prog->vars.at[stm->bound.at[i].id];
    list_push(arena, &same.bound, var_new(s->prog, v->base, v->type));
  }
  list_push(arena, &one.body.stms, same);
  one.body.results = atoms_of_vars(arena, same.bound);
  list_push(arena, &match.match.cases, many);
  list_push(arena, &match.match.cases, one);
  Stm choice = stm_like(stm, match);
  choice.attrs = (Attrs){0};
  choice.bound = stm->bound;
  build_stm(&s->to, choice);
}

bool is_costly(Blocks *s, const Lambda *fn, double least) {
  return fn && poly_at(cost_work(s->cost, &fn->body), 100) >= least;
}

Atoms build_elements(Builder *b, Atom width, const Lambda *fn, Atoms inputs) {
  Arena *arena = b->prog->arena;
  Types types = {0};
  for (int i = 0; i < fn->rets.len; i++)
    list_push(arena, &types, type_array(arena, fn->rets.at[i], width));
  Exp map = {.form = FORM_MAP, .map = {.width = width, .fn = lambda_copy(b, fn), .inputs = inputs}};
  return atoms_of_vars(arena, build_many(b, "elements", types, map));
}
