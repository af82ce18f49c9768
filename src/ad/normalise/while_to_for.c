// The number of iterations of a while loop: a copy of it that only counts.
//
//   loop while c (c, p..) = ..    loop while c (c, p.., n) = (.., 0) { (.., n + 1) }
//
// Statements that do not influence the condition are removed by simplification.  Accumulators,
// which nothing can read, go here: they may be used once only.
#include "ad/common/local.h"

typedef struct {
  Rewrite w;
  AccErase erased;
} Trips;

static void trips_stm(Rewrite *w, const Stm *stm) {
  erase_copy(&((Trips *)w)->erased, w, stm);
}

// The loop without its accumulators, all of its variables new.
static Stm without_accs(Builder *b, const Stm *stm) {
  Prog *prog = b->prog;
  Map *tokens = map_new(prog->arena);
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(prog, stm->bound.at[k]);
    if (t.is_acc) map_put(tokens, t.token.id, tokens);
  }
  Trips t = {.w = rewrite_new(prog, *b), .erased = {prog->arena, prog, tokens}};
  t.w.stm = trips_stm;
  Stm out;
  erase_stm(&t.erased, stm, &out);
  out.exp.loop.fn = rewrite_lambda(&t.w, out.exp.loop.fn);
  return out;
}

Atom build_trip_count(Builder *b, const Stm *loop) {
  Prog *prog = b->prog;
  Arena *arena = prog->arena;
  Stm from = without_accs(b, loop);
  struct loop_form *e = &from.exp.loop;
  Lambda *fn = e->fn;
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
