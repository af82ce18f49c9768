// Counts of blocks in terms of what is bound in front of a room: by definitions; and where these
// depend on loops, by bounds,
//
//   counter of n trips   at most n - 1, at least 0
//   x + y, min, max      bounds of x and y;  x - y: of x, and the other bound of y
//   x y                  of x and y, which sizes and trips are
//   c ? x : y            the larger; the least: the smaller
#include "memory_need.h"

enum { MOST_NODES = 80 };

typedef enum { EXACT, MOST, LEAST } Side;

// ---- what depends on answers -------------------------------------------------------------------
// Not by the condition of a choice: of what is chosen from, the larger counts.
uint64_t answers_in(const Answers *a, const ImpExp *e) {
  uint64_t sum = e->kind == IMP_VAR ? a->rooms[e->var.id] : 0;
  int first = e->kind == IMP_OP && e->op == OP_SELECT;
  for (int i = first; i < 3 && e->args[i]; i++) sum |= answers_in(a, e->args[i]);
  return sum;
}

typedef struct {
  Answers *a;
  int rooms;
  bool more;
} Spread;

static void depend(Spread *s, ImpVar v, uint64_t rooms) {
  if ((s->a->rooms[v.id] | rooms) == s->a->rooms[v.id]) return;
  s->a->rooms[v.id] |= rooms;
  s->more = true;
}

// Sizes go through arrays of i64.
static void hold(Spread *s, ImpVar mem, uint64_t rooms) {
  if (s->a->fn->vars.at[mem.id].prim == PRIM_I64) depend(s, mem, rooms);
}

static void spread_block(void *state, ImpBlock *block);

static void spread_stm(Spread *s, const ImpStm *stm) {
  switch (stm->form) {
    case IMP_STM_LET: depend(s, stm->let.var, answers_in(s->a, stm->let.value)); break;
    case IMP_STM_VAR: depend(s, stm->var.var, answers_in(s->a, stm->var.value)); break;
    case IMP_STM_SET: depend(s, stm->set.var, answers_in(s->a, stm->set.value)); break;
    case IMP_STM_MEMORY_LEFT:
      if (!s->a->rooms[stm->memory_left.var.id]) depend(s, stm->memory_left.var, MEMORY_ASKS);
      break;
    case IMP_STM_MEMORY_NEED:
      depend(s, stm->memory_need.var, answers_in(s->a, stm->memory_need.left));
      break;
    case IMP_STM_LOAD: depend(s, stm->load.var, s->a->rooms[stm->load.mem.id]); break;
    case IMP_STM_STORE: hold(s, stm->store.mem, answers_in(s->a, stm->store.value)); break;
    case IMP_STM_COPY: hold(s, stm->copy.to, s->a->rooms[stm->copy.from.id]); break;
    case IMP_STM_UPDATE: case IMP_STM_SCAN:
    case IMP_STM_FOR: case IMP_STM_CHUNKS: case IMP_STM_SHARE: case IMP_STM_KERNEL:
    case IMP_STM_PART: case IMP_STM_TRANSFER: case IMP_STM_WHILE: case IMP_STM_IF:
    case IMP_STM_TEST: case IMP_STM_REGION: case IMP_STM_TUNED: case IMP_STM_TRACE:
    case IMP_STM_PROBE: case IMP_STM_PROBE_LOOP: case IMP_STM_CALL: case IMP_STM_ALLOC:
    case IMP_STM_FREE: case IMP_STM_MOVE: case IMP_STM_SWAP:
    case IMP_STM_RETURN: case IMP_STM_YIELD: case IMP_STM_COUNT: break;
  }
}

static void spread_block(void *state, ImpBlock *block) {
  Spread *s = state;
  for (int i = 0; i < block->len; i++) {
    spread_stm(s, block->at[i]);
    imp_each_block(block->at[i], spread_block, s);
  }
}

// Each room's answer is known by a bit; from the 63rd room on rooms share one.
static void number_block(void *state, ImpBlock *block) {
  Spread *s = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_MEMORY_NEED && stm->memory_need.left->kind == IMP_VAR)
      s->a->rooms[stm->memory_need.left->var.id] = UINT64_C(1) << (s->rooms < 62 ? s->rooms++ : 62);
    imp_each_block(stm, number_block, s);
  }
}

Answers answers_of(Arena *arena, const ImpFn *fn) {
  Answers a = {arena, fn, NEW_ARRAY(arena, uint64_t, fn->vars.len)};
  Spread s = {.a = &a};
  number_block(&s, fn->body);
  do {
    s.more = false;
    spread_block(&s, fn->body);
  } while (s.more);
  return a;
}

// ---- a count at a room -------------------------------------------------------------------------
typedef struct {
  const Answers *a;
  const Room *room;
  int nodes;
} Count;

static const ImpExp *count_at(Count *c, const ImpExp *e, Side side);

static Side other(Side side) { return side == EXACT ? EXACT : side == MOST ? LEAST : MOST; }

static const ImpExp *var_at(Count *c, const ImpExp *e, Side side) {
  const ImpVarInfo *info = &c->a->fn->vars.at[e->var.id];
  if (c->room->scope[e->var.id]) return e;
  if (info->def) return count_at(c, info->def, side);
  if (side == EXACT || !info->bound) return NULL;
  if (side == LEAST) return imp_i64(c->a->arena, 0);
  const ImpExp *bound = count_at(c, info->bound, MOST);
  return bound ? imp_sub(c->a->arena, bound, imp_i64(c->a->arena, 1)) : NULL;
}

// For a minimum's upper and a maximum's lower bound one operand's is enough.
static const ImpExp *choice_at(Count *c, const ImpExp *e, Side side, int first) {
  const ImpExp *x = count_at(c, e->args[first], side), *y = count_at(c, e->args[first + 1], side);
  bool larger = first ? side == MOST : e->op == OP_MAX;
  if (!x || !y) {
    bool enough = !first && (side == MOST ? e->op == OP_MIN : e->op == OP_MAX);
    return enough ? (x ? x : y) : NULL;
  }
  return imp_op(c->a->arena, larger ? OP_MAX : OP_MIN, e->from, x, y, NULL);
}

static bool is_monotone_by(const ImpExp *e) {
  bool by = e->args[1] && e->args[1]->kind == IMP_CONST && e->args[1]->value.i > 0;
  return by && (e->op == OP_QUOT || e->op == OP_DIV || e->op == OP_SHR || e->op == OP_SHL);
}

static const ImpExp *bound_at(Count *c, const ImpExp *e, Side side) {
  Arena *arena = c->a->arena;
  if (e->kind == IMP_CONV) {
    const ImpExp *x = prim_is_int(e->from) ? count_at(c, e->args[0], side) : NULL;
    return e->from == PRIM_BOOL ? imp_conv(arena, e->prim, imp_i64(arena, side == MOST))
           : x                  ? imp_conv(arena, e->prim, x) : NULL;
  }
  if (e->op == OP_MIN || e->op == OP_MAX) return choice_at(c, e, side, 0);
  if (e->op == OP_SELECT) return choice_at(c, e, side, 1);
  if (e->op == OP_MOD && side == LEAST) return imp_const(arena, scalar_int(e->prim, 0));
  if (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL && !is_monotone_by(e)) return NULL;
  const ImpExp *x = count_at(c, e->args[0], side);
  const ImpExp *y = count_at(c, e->args[1], e->op == OP_SUB ? other(side) : side);
  return x && y ? imp_op(arena, e->op, e->from, x, y, NULL) : NULL;
}

static const ImpExp *exact_at(Count *c, const ImpExp *e) {
  ImpExp *copy = arena_copy(c->a->arena, e, sizeof *e);
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!(copy->args[i] = count_at(c, e->args[i], EXACT))) return NULL;
  return copy;
}

static const ImpExp *count_at(Count *c, const ImpExp *e, Side side) {
  if (++c->nodes > MOST_NODES) return NULL;
  if (e->kind == IMP_CONST) return e;
  if (e->kind == IMP_VAR) return var_at(c, e, side);
  if (side != EXACT && prim_is_float(e->from)) return NULL;
  return side == EXACT ? exact_at(c, e) : bound_at(c, e, side);
}

static const ImpExp *on_side(const Answers *a, const Room *room, const ImpExp *e, Side side) {
  Count c = {a, room, 0};
  return count_at(&c, e, side);
}

const ImpExp *count_at_room(const Answers *a, const Room *room, const ImpExp *count,
                            bool *bound) {
  const ImpExp *at = on_side(a, room, count, EXACT);
  if (at) return at;
  *bound = true;
  at = on_side(a, room, count, answers_in(a, count) ? LEAST : MOST);
  // A block of fewer elements than none is one of none.
  while (at && at->kind == IMP_OP && at->op == OP_MAX && imp_is_int(at->args[1], 0))
    at = at->args[0];
  return at;
}
