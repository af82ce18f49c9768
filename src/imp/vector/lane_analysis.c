// How the variables of a loop's body depend on the loop counter when a vector of iterations runs
// in SIMD lanes: the same in all lanes, affine in the lane, or one value per lane.  Says whether
// the body can run that way.
#include "imp/common/imp.h"

typedef struct {
  ImpLanes *lanes;
  Arena *arena;
  const ImpFn *fn;
  bool changed, ok;
  bool masked;  // under a condition that differs between lanes
  bool effects;  // a write that others see was met
  int depth;  // of loops inside
} Classes;

// ---- expressions ------------------------------------------------------------------------------
static bool has_lane_type(Prim p) {
  bool whole = p == PRIM_I64 || p == PRIM_I32 || p == PRIM_U32;
  return p == PRIM_F64 || p == PRIM_F32 || whole || p == PRIM_BOOL;
}

const ImpLane *imp_lane(const ImpLanes *lanes, ImpVar v) {
  static const ImpLane uniform;
  const ImpLane *lane = map_get(lanes->vars, v.id);
  return lane ? lane : &uniform;
}

static ImpLane *lane_at(Arena *arena, ImpLanes *lanes, ImpVar v) {
  ImpLane *lane = map_get(lanes->vars, v.id);
  if (!lane) map_put(lanes->vars, v.id, lane = NEW(arena, ImpLane));
  return lane;
}

LaneClass imp_exp_lanes(Arena *arena, const ImpLanes *l, const ImpExp *e, const ImpExp **slope) {
  *slope = NULL;
  if (e->kind == IMP_CONST) return LANE_UNIFORM;
  if (e->kind == IMP_VAR) {
    const ImpLane *lane = imp_lane(l, e->var);
    *slope = lane->slope;
    return lane->cls;
  }
  LaneClass cls[3] = {LANE_UNIFORM, LANE_UNIFORM, LANE_UNIFORM};
  const ImpExp *s[3] = {NULL};
  LaneClass most = LANE_UNIFORM;
  for (int i = 0; i < 3 && e->args[i]; i++) {
    cls[i] = imp_exp_lanes(arena, l, e->args[i], &s[i]);
    if (cls[i] > most) most = cls[i];
  }
  if (most != LANE_AFFINE) return most;
  if (e->kind != IMP_OP || e->from != PRIM_I64) return LANE_VARYING;
  const ImpExp *zero = imp_i64(arena, 0);
  const ImpExp *a = s[0] ? s[0] : zero, *b = s[1] ? s[1] : zero;
  if (e->op == OP_ADD) *slope = imp_add(arena, a, b);
  else if (e->op == OP_SUB) *slope = imp_sub(arena, a, b);
  else if (e->op == OP_MUL && cls[1] == LANE_UNIFORM) *slope = imp_mul(arena, a, e->args[1]);
  else if (e->op == OP_MUL && cls[0] == LANE_UNIFORM) *slope = imp_mul(arena, e->args[0], b);
  else return LANE_VARYING;
  return LANE_AFFINE;
}

static LaneClass exp_class(Classes *c, const ImpExp *e) {
  const ImpExp *slope;
  return imp_exp_lanes(c->arena, c->lanes, e, &slope);
}

static bool check_differs(Classes *c, const struct imp_test *s) {
  bool differs = exp_class(c, s->cond) != LANE_UNIFORM;
  for (int i = 0; i < s->values.len; i++)
    differs = differs || exp_class(c, s->values.at[i]) == LANE_VARYING;
  return differs;
}

static void raise(Classes *c, ImpVar v, LaneClass cls, const ImpExp *slope) {
  ImpLane *lane = lane_at(c->arena, c->lanes, v);
  if (cls == LANE_VARYING && !has_lane_type(c->fn->vars.at[v.id].prim)) c->ok = false;
  lane->slope = cls == LANE_AFFINE ? slope : NULL;
  if (cls <= lane->cls) return;
  lane->cls = cls;
  c->changed = true;
}

// ---- statements -------------------------------------------------------------------------------
static void class_block(void *state, ImpBlock *block);

static void class_set(Classes *c, ImpVar v, const ImpExp *value) {
  if (!imp_lane(c->lanes, v)->inside) {
    // Only what the loop reduces may be set from outside it.
    bool red = false;
    const ImpVars *reds = &c->lanes->loop->for_.reds;
    for (int i = 0; i < reds->len; i++) red = red || reds->at[i].id == v.id;
    c->ok = c->ok && red && !c->masked;
  }
  bool differs = c->masked || exp_class(c, value) != LANE_UNIFORM;
  raise(c, v, differs ? LANE_VARYING : LANE_UNIFORM, NULL);
}

static void class_load(Classes *c, const struct imp_load *s) {
  bool own = imp_lane(c->lanes, s->mem)->own;
  LaneClass at = exp_class(c, s->at);
  if (!has_lane_type(c->fn->vars.at[s->mem.id].prim) && (own || at != LANE_UNIFORM)) c->ok = false;
  raise(c, s->var, own || c->masked || at != LANE_UNIFORM ? LANE_VARYING : LANE_UNIFORM, NULL);
}

static void class_write(Classes *c, ImpVar mem, const ImpExp *at, bool update) {
  bool own = imp_lane(c->lanes, mem)->own;
  if (!has_lane_type(c->fn->vars.at[mem.id].prim)) c->ok = false;
  if (!own && !update && exp_class(c, at) == LANE_UNIFORM) c->ok = false;
  if (!own) c->effects = true;
}

// A scan along the lanes, or one of each lane's own.
static void class_scan(Classes *c, const struct imp_scan *s) {
  if (imp_lane(c->lanes, s->acc)->inside) {
    class_set(c, s->acc, s->value);
    raise(c, s->var, imp_lane(c->lanes, s->acc)->cls, NULL);
    return;
  }
  c->ok = c->ok && !c->masked && c->depth == 0;
  c->effects = true;
  raise(c, s->var, LANE_VARYING, NULL);
}

static void class_stm(Classes *c, ImpStm *stm) {
  const ImpExp *slope;
  switch (stm->form) {
  case IMP_STM_LET: {
    LaneClass cls = imp_exp_lanes(c->arena, c->lanes, stm->let.value, &slope);
    raise(c, stm->let.var, cls, slope);
    break;
  }
  case IMP_STM_VAR: class_set(c, stm->var.var, stm->var.value); break;
  case IMP_STM_SET: class_set(c, stm->set.var, stm->set.value); break;
  case IMP_STM_SCAN: class_scan(c, &stm->scan); break;
  case IMP_STM_LOAD: class_load(c, &stm->load); break;
  case IMP_STM_STORE: class_write(c, stm->store.mem, stm->store.at, false); break;
  case IMP_STM_UPDATE: class_write(c, stm->update.mem, stm->update.at, true); break;
  case IMP_STM_FOR:
    c->ok = c->ok && exp_class(c, stm->for_.bound) == LANE_UNIFORM;
    c->depth++;
    class_block(c, stm->for_.body);
    c->depth--;
    break;
  case IMP_STM_IF: {
    bool outer = c->masked;
    c->masked = outer || exp_class(c, stm->if_.cond) != LANE_UNIFORM;
    class_block(c, stm->if_.then);
    class_block(c, stm->if_.other);
    c->masked = outer;
    break;
  }
  case IMP_STM_TEST:
    // A check that differs between lanes, or in what it says, sends the whole strip back to scalar
    // code: nothing that others see may have happened before.
    if (check_differs(c, &stm->test)) c->ok = c->ok && !c->effects;
    c->ok = c->ok && !c->masked;
    break;
  case IMP_STM_SWAP:
    c->ok = c->ok && !c->masked && imp_lane(c->lanes, stm->swap.to)->own &&
            imp_lane(c->lanes, stm->swap.from)->own;
    break;
  case IMP_STM_COPY:
    c->ok = c->ok && exp_class(c, stm->copy.count) == LANE_UNIFORM;
    class_write(c, stm->copy.to, stm->copy.to_at, false);
    break;
  case IMP_STM_MEMORY_LEFT:
  case IMP_STM_MEMORY_NEED:
  case IMP_STM_CHUNKS:
  case IMP_STM_SHARE:
  case IMP_STM_KERNEL:
  case IMP_STM_PART:
  case IMP_STM_TRANSFER:
  case IMP_STM_REGION:
  case IMP_STM_TUNED:
  case IMP_STM_TRACE:
  case IMP_STM_PROBE:
  case IMP_STM_PROBE_LOOP:
  case IMP_STM_ALLOC:
  case IMP_STM_WHILE:
  case IMP_STM_CALL:
  case IMP_STM_FREE:
  case IMP_STM_MOVE:
  case IMP_STM_RETURN:
  case IMP_STM_YIELD: c->ok = false; break;
  case IMP_STM_COUNT: break;
  }
}

static void class_block(void *state, ImpBlock *block) {
  Classes *c = state;
  for (int i = 0; i < block->len && c->ok; i++) class_stm(c, block->at[i]);
}

static void find_inside(void *state, ImpBlock *block) {
  Classes *c = state;
  for (int i = 0; i < block->len; i++) {
    ImpVar *def = imp_stm_def(block->at[i]);
    if (def && def->id) {
      ImpLane *lane = lane_at(c->arena, c->lanes, *def);
      lane->inside = true;
      lane->top = lane->top || block == c->lanes->loop->for_.body;
    }
    imp_each_block(block->at[i], find_inside, c);
  }
}

ImpLanes *imp_lanes(Arena *arena, const ImpFn *fn, const ImpStm *loop, const ImpVars *own) {
  if (!loop->for_.parallel) return NULL;
  ImpLanes *l = NEW(arena, ImpLanes);
  *l = (ImpLanes){loop, map_new(arena)};
  Classes c = {.lanes = l, .arena = arena, .fn = fn, .ok = true};
  for (int i = 0; i < own->len; i++) lane_at(arena, l, own->at[i])->own = true;
  ImpLane *counter = lane_at(arena, l, loop->for_.var);
  counter->cls = LANE_AFFINE;
  counter->slope = imp_i64(arena, 1);
  find_inside(&c, loop->for_.body);
  for (int i = 0; i < loop->for_.reds.len; i++) {
    ImpVar red = loop->for_.reds.at[i];
    if (!has_lane_type(fn->vars.at[red.id].prim)) return NULL;
    lane_at(arena, l, red)->cls = LANE_VARYING;
  }
  do {
    c.changed = c.effects = false;
    class_block(&c, loop->for_.body);
  } while (c.changed && c.ok);
  return c.ok ? l : NULL;
}
