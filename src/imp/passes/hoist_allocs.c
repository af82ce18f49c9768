// Allocations of invariant size and costly invariant operations leave loops, small constant blocks
// move to the C frame.
#include <string.h>
#include "imp/common/imp.h"

typedef struct {
  Arena *arena;
  ImpFn *fn;
  int *seen;  // by variable: when the walk came last to what binds or sets it
  int now;  // statements the walk has come to
  int begin;  // of the loop that was just walked over: what is seen since then is inside it
} Hoist;

// ---- what a loop defines ----------------------------------------------------------------------
static void see(Hoist *h, ImpStm *stm) {
  h->now++;
  ImpVar *def = imp_stm_def(stm);
  if (def) h->seen[def->id] = h->now;
  if (stm->form == IMP_STM_SET) h->seen[stm->set.var.id] = h->now;
  if (stm->form == IMP_STM_SCAN) h->seen[stm->scan.acc.id] = h->now;
  if (stm->form == IMP_STM_CALL)
    for (int k = 0; k < stm->call.results.len; k++)
      h->seen[stm->call.results.at[k].id] = h->now;
}

static bool is_inside(const Hoist *h, ImpVar v) { return h->seen[v.id] >= h->begin; }

// e over variables from outside the loop only, expanding address computations; NULL: impossible.
static const ImpExp *outside(Hoist *h, const ImpExp *e, int depth) {
  if (e->kind == IMP_CONST) return e;
  if (e->kind == IMP_VAR) {
    if (!is_inside(h, e->var)) return e;
    const ImpExp *def = h->fn->vars.at[e->var.id].def;
    return def && depth < 6 ? outside(h, def, depth + 1) : NULL;
  }
  ImpExp *copy = arena_copy(h->arena, e, sizeof *e);
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!(copy->args[i] = outside(h, e->args[i], depth))) return NULL;
  return copy;
}

static void hoist_block(Hoist *h, ImpBlock *block);

// ---- costly operations ------------------------------------------------------------------------
// Divisions and elementary functions of what the loop does not change, also those that stand in a
// branch of it: operations are total, and once is little next to every time.
typedef struct {
  Hoist *h;
  ImpBlock *before;
} Costly;

static bool is_costly(const ImpExp *e) {
  return e->kind == IMP_OP && op_info[e->op].cost >= COST_DIVISION;
}

static bool is_invariant(const Hoist *h, const ImpExp *e) {
  if (e->kind == IMP_VAR)
    return !is_inside(h, e->var) && h->fn->vars.at[e->var.id].kind != IMP_MUT;
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!is_invariant(h, e->args[i])) return false;
  return true;
}

static void hoist_costly(void *state, ImpBlock *block) {
  Costly *c = state;
  int kept = 0;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_LET && is_costly(stm->let.value) &&
        is_invariant(c->h, stm->let.value)) {
      c->h->seen[stm->let.var.id] = c->h->begin - 1;
      list_push(c->h->arena, c->before, stm);
      continue;
    }
    if (stm->form == IMP_STM_IF) imp_each_block(stm, hoist_costly, c);
    block->at[kept++] = stm;
  }
  block->len = kept;
}

// ---- allocations ------------------------------------------------------------------------------
// Allocations of the loop's own body that may stand before it.
static void hoist_from(Hoist *h, const ImpStm *loop, ImpBlock *body, ImpBlock *before) {
  hoist_costly(&(Costly){h, before}, body);
  if (loop->form == IMP_STM_FOR && h->fn->vars.at[loop->for_.var.id].low_peak) return;
  int kept = 0;
  bool tested = false;
  for (int i = 0; i < body->len; i++) {
    ImpStm *stm = body->at[i];
    const ImpExp *count = NULL;
    if (stm->form == IMP_STM_ALLOC && !h->fn->vars.at[stm->alloc.mem.id].moved)
      count = outside(h, stm->alloc.count, 0);
    tested = tested || stm->form == IMP_STM_TEST;
    if (!count) {
      body->at[kept++] = stm;
      continue;
    }
    // A test in the loop says why a count is negative.
    if (tested) count = imp_op(h->arena, OP_MAX, PRIM_I64, count, imp_i64(h->arena, 0), NULL);
    // A loop that does not run must not ask for memory.
    if (loop->form == IMP_STM_FOR && count->kind != IMP_CONST
        && loop->for_.bound->kind != IMP_CONST)
      count =
          imp_op(h->arena, OP_SELECT, PRIM_I64,
                 imp_op(h->arena, OP_LT, PRIM_I64, imp_i64(h->arena, 0), loop->for_.bound, NULL),
                 count, imp_i64(h->arena, 0));
    stm->alloc.count = count;
    ImpVarInfo *mem = &h->fn->vars.at[stm->alloc.mem.id];
    bool parallel = loop->form == IMP_STM_FOR && loop->for_.parallel;
    if (parallel && !mem->home.id) mem->home = loop->for_.var;
    list_push(h->arena, before, stm);
  }
  body->len = kept;
}

static void hoist_nested(void *state, ImpBlock *block) { hoist_block(state, block); }

static void hoist_block(Hoist *h, ImpBlock *block) {
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    see(h, stm);
    int begin = h->now;
    imp_each_block(stm, hoist_nested, h);
    h->begin = begin;
    if (stm->form == IMP_STM_FOR) hoist_from(h, stm, stm->for_.body, &out);
    if (stm->form == IMP_STM_WHILE) hoist_from(h, stm, stm->while_.body, &out);
    list_push(h->arena, &out, stm);
  }
  *block = out;
}

// One walk, loops after what is in them.
void imp_pass_hoist(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  Hoist h = {.arena = arena, .fn = fn, .seen = NEW_ARRAY(arena, int, fn->vars.len + 1)};
  hoist_block(&h, fn->body);
}

// ---- the frame --------------------------------------------------------------------------------
typedef struct {
  const Target *target;
  ImpFn *fn;
  int *allocs;  // by variable: how many ALLOC statements it has
  int64_t *count;
  bool changed;
} Stack;

static int bytes_of(const Target *target, const ImpVarInfo *v) {
  return prim_info[v->prim].bytes * (v->expanded ? v->expanded * target->most_lanes : 1);
}

static int limit(const Target *target, const ImpVarInfo *v) {
  return v->expanded ? target->frame_strip : target->frame_array;
}

static void find_stack(void *state, ImpBlock *block) {
  Stack *s = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_ALLOC) {
      uint32_t id = stm->alloc.mem.id;
      bool fits = stm->alloc.count->kind == IMP_CONST;
      int64_t count = fits ? stm->alloc.count->value.i : 0;
      int bytes = bytes_of(s->target, &s->fn->vars.at[id]);
      if (!fits || s->fn->vars.at[id].moved || count < 0
          || count > limit(s->target, &s->fn->vars.at[id]) / bytes)
        s->allocs[id] = 2;
      else s->count[id] = count;
      s->allocs[id]++;
    }
    imp_each_block(stm, find_stack, s);
  }
}

// Blocks that are swapped live in the frame both or neither.
static void agree_swaps(void *state, ImpBlock *block) {
  Stack *s = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_SWAP) {
      int *a = &s->allocs[stm->swap.to.id], *b = &s->allocs[stm->swap.from.id];
      bool differ =
          (*a == 1) != (*b == 1) || s->count[stm->swap.to.id] != s->count[stm->swap.from.id];
      if (differ && (*a == 1 || *b == 1)) *a = *b = 2, s->changed = true;
    }
    imp_each_block(stm, agree_swaps, s);
  }
}

static void drop_allocs(void *state, ImpBlock *block) {
  Stack *s = state;
  int kept = 0;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    imp_each_block(stm, drop_allocs, s);
    bool drop = stm->form == IMP_STM_ALLOC && s->fn->vars.at[stm->alloc.mem.id].kind == IMP_STACK;
    if (!drop) block->at[kept++] = stm;
  }
  block->len = kept;
}

void imp_pass_stack(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  Stack s = {prog_machine(prog->core), fn, NEW_ARRAY(arena, int, fn->vars.len + 1),
             NEW_ARRAY(arena, int64_t, fn->vars.len + 1), false};
  find_stack(&s, fn->body);
  do {
    s.changed = false;
    agree_swaps(&s, fn->body);
  } while (s.changed);
  int64_t frame = 0;
  for (int id = 1; id < fn->vars.len; id++) {
    ImpVarInfo *v = &fn->vars.at[id];
    if (v->kind != IMP_BLOCK || s.allocs[id] != 1) continue;
    frame += s.count[id] * bytes_of(s.target, v);
    if (frame > s.target->frame) return;  // before any block is moved: swaps stay consistent
  }
  for (int id = 1; id < fn->vars.len; id++) {
    ImpVarInfo *v = &fn->vars.at[id];
    if (v->kind != IMP_BLOCK || s.allocs[id] != 1) continue;
    v->kind = IMP_STACK;
    v->count = s.count[id];
  }
  drop_allocs(&s, fn->body);
}
