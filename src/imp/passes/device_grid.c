// Perfect nests of parallel loops in kernels: one loop over all points, so that a device has a
// thread for each, and neighbouring threads take neighbouring points of the innermost loop.
//
//   for i < n { pure; for j < m { body } }     for p < n m { i = p / m; j = p - i m; pure; body }
//
// Each point computes `pure` again, so it is cheap.  Tests between the loops that all iterations do
// alike stand in front of the kernel, for nests of which an inner loop is empty have no points.
// Loops that update places of memory stay: the search for such places reads the nest's counters.
#include "local.h"

enum {
  NEST = 8,        // loops at most
  FEW_POINTS = 8,  // of an inner loop that stays in the thread
  CHEAP = 16,      // plain operations and loads that are computed again
};

typedef struct {
  Search *s;
  const struct imp_for_ *loops[NEST];
  int depth;
  double work;  // of what stands between the loops
} Grid;

// ---- which nests ------------------------------------------------------------------------------
typedef struct {
  ImpVar mem;
  bool writes;
} Writes;
static void find_writes(void *state, ImpBlock *block) {
  Writes *w = state;
  for (int i = 0; i < block->len; i++) {
    w->writes = w->writes || imp_mem_writes(block->at[i], w->mem);
    imp_each_block(block->at[i], find_writes, state);
  }
}
static bool is_written(ImpBlock *block, ImpVar mem) {
  Writes w = {mem, false};
  find_writes(&w, block);
  return w.writes;
}

typedef struct {
  const Search *s;
  bool inside;  // a variable of the nest is among them
} Inside;
static void find_inside(void *state, ImpVar v) {
  Inside *n = state;
  n->inside = n->inside || !device_is_outside(n->s, v);
}
static void find_inside_of(void *state, const ImpExp *e) { imp_each_var(e, find_inside, state); }
static bool is_outside(const Search *s, const ImpExp *e) {
  Inside n = {s, false};
  find_inside_of(&n, e);
  return !n.inside;
}
static bool all_outside(const Search *s, const ImpStm *stm) {
  Inside n = {s, false};
  imp_each_exp(stm, find_inside_of, &n);
  return !n.inside;
}

// A statement in front of the loop `inner`: every point may compute it, or it is a test for all.
static bool is_computed_again(Grid *g, const ImpStm *stm, const struct imp_for_ *inner) {
  if (stm->form == IMP_STM_LOAD) return g->work += 1, !is_written(inner->body, stm->load.mem);
  if (stm->form == IMP_STM_LET) return g->work += imp_exp_work(stm->let.value).lanes, true;
  return stm->form == IMP_STM_TEST && all_outside(g->s, stm);
}

// The loop that is all of the body but what points compute again, and whose length the nest does
// not decide.
static const struct imp_for_ *only_loop(Grid *g, const ImpBlock *body) {
  const ImpStm *last = body->len ? body->at[body->len - 1] : NULL;
  if (!last || last->form != IMP_STM_FOR) return NULL;
  const struct imp_for_ *inner = &last->for_;
  const ImpExp *n = inner->bound;
  if (!inner->parallel || inner->reds.len || !is_outside(g->s, n)) return NULL;
  if (n->kind == IMP_CONST && n->value.i < FEW_POINTS) return NULL;
  for (int i = 0; i + 1 < body->len; i++)
    if (!is_computed_again(g, body->at[i], inner)) return NULL;
  return g->work <= CHEAP ? inner : NULL;
}

// False: the loop is none.
static bool find_nest(Grid *g) {
  const struct imp_for_ *inner = g->s->loop;
  if (map_len(g->s->places) > 0 || inner->reds.len) return false;
  while (inner && g->depth < NEST) {
    g->loops[g->depth++] = inner;
    inner = only_loop(g, inner->body);
  }
  return g->depth > 1;
}

// ---- the loop over points ---------------------------------------------------------------------
static const ImpExp *let(Grid *g, ImpBlock *out, ImpVar v, const ImpExp *value) {
  map_put(g->s->bound, v.id, g);
  return chunks_let(g->s->c, out, v, value);
}

// The counters of loops k and further in, at the point `at` of theirs.
static void put_counters(Grid *g, int k, const ImpExp *at, const ImpExp *const *points,
                         ImpBlock *out) {
  Chunks *c = g->s->c;
  const struct imp_for_ *loop = g->loops[k];
  if (k + 1 == g->depth) {
    let(g, out, loop->var, at);
    return;
  }
  const ImpExp *row = imp_op(c->arena, OP_DIV, PRIM_I64, at, points[k + 1], NULL);
  const ImpExp *i = let(g, out, loop->var, row);
  const ImpExp *rest = imp_sub(c->arena, at, imp_mul(c->arena, i, points[k + 1]));
  if (k + 2 < g->depth) rest = let(g, out, chunks_fresh(c, "rest"), rest);
  put_counters(g, k + 1, rest, points, out);
}

static ImpBlock *point_body(Grid *g, const ImpExp *at, const ImpExp *const *points) {
  ImpBlock *body = NEW(g->s->c->arena, ImpBlock);
  put_counters(g, 0, at, points, body);
  for (int k = 0; k < g->depth; k++) {
    const ImpBlock *from = g->loops[k]->body;
    const bool last = k + 1 == g->depth;
    for (int i = 0; last ? i < from->len : i + 1 < from->len; i++)
      if (last || from->at[i]->form != IMP_STM_TEST)
        list_push(g->s->c->arena, body, from->at[i]);
  }
  return body;
}

// if (0 < iterations of the loops around them) { tests }
static void put_tests(Grid *g, ImpBlock *out) {
  Chunks *c = g->s->c;
  const ImpExp *times = imp_i64(c->arena, 1);
  for (int k = 0; k + 1 < g->depth; k++) {
    const ImpBlock *from = g->loops[k]->body;
    ImpBlock *tests = NEW(c->arena, ImpBlock);
    times = imp_mul(c->arena, times, g->loops[k]->bound);
    for (int i = 0; i + 1 < from->len; i++)
      if (from->at[i]->form == IMP_STM_TEST) list_push(c->arena, tests, from->at[i]);
    const ImpExp *any = imp_op(c->arena, OP_LT, PRIM_I64, imp_i64(c->arena, 0), times, NULL);
    ImpStm guarded = {.form = IMP_STM_IF, .if_ = {any, tests, NEW(c->arena, ImpBlock)}};
    if (tests->len) list_push(c->arena, out, chunks_make(c, guarded));
  }
}

bool device_is_grid(Search *s) {
  Grid g = {.s = s};
  return find_nest(&g);
}

void device_grid(Search *s, struct imp_for_ *loop, ImpBlock *out) {
  Chunks *c = s->c;
  Grid g = {.s = s};
  if (!find_nest(&g)) return;
  put_tests(&g, out);
  const ImpExp *points[NEST];
  points[g.depth - 1] = g.loops[g.depth - 1]->bound;
  for (int k = g.depth - 2; k >= 0; k--) {
    const ImpExp *all = imp_mul(c->arena, g.loops[k]->bound, points[k + 1]);
    points[k] = chunks_let(c, out, chunks_fresh(c, "points"), all);
  }
  ImpVar p = chunks_fresh(c, "p");
  c->fn->vars.at[p.id].loc = c->fn->vars.at[loop->var.id].loc;
  loop->body = point_body(&g, imp_var(c->arena, c->fn, p), points);
  loop->var = p;
  loop->bound = points[0];
}
