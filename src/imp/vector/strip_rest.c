// Iterations that are left after a loop's full strips: scalar code, one more strip that is not
// full, or strips of single vectors, which the look of the body decides. The back end writes them
// so, and sums on a device are made in the same order.
#include "imp/common/imp.h"

// ---- lanes of a loop that is a strip ----------------------------------------------------------
typedef struct {
  Arena *arena;
  const ImpFn *fn;
  ImpVars expanded;
} Own;
static void find_own(void *state, ImpVar mem) {
  Own *o = state;
  if (o->fn->vars.at[mem.id].expanded > 0) list_push(o->arena, &o->expanded, mem);
}
static void find_own_block(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    imp_each_mem(block->at[i], find_own, state);
    imp_each_block(block->at[i], find_own_block, state);
  }
}

ImpLanes *imp_strip_lanes(Arena *arena, const ImpFn *fn, const struct imp_for_ *loop) {
  ImpStm *stm = NEW(arena, ImpStm);
  stm->form = IMP_STM_FOR;
  stm->for_ = *loop;
  Own own = {arena, fn, {0}};
  find_own_block(&own, loop->body);
  return imp_lanes(arena, fn, stm, &own.expanded);
}

// ---- the body ---------------------------------------------------------------------------------
typedef struct {
  Arena *arena;
  const ImpLanes *lanes;
  int depth;  // of loops inside
  ImpLook found;
} Looking;

static LaneClass class_of(const Looking *b, const ImpExp *e, const ImpExp **slope) {
  return imp_exp_lanes(b->arena, b->lanes, e, slope);
}

static bool test_differs(const Looking *b, const struct imp_test *s) {
  const ImpExp *slope;
  bool differs = class_of(b, s->cond, &slope) != LANE_UNIFORM;
  for (int i = 0; i < s->values.len; i++)
    differs = differs || class_of(b, s->values.at[i], &slope) == LANE_VARYING;
  return differs;
}

static void look_at(Looking *b, ImpVar mem, const ImpExp *at) {
  const ImpExp *slope;
  LaneClass cls = class_of(b, at, &slope);
  bool unit = cls == LANE_AFFINE && imp_is_int(slope, 1) && !imp_lane(b->lanes, mem)->own;
  if (b->depth > 0 && unit) b->found.walks = true;
  if (cls == LANE_AFFINE && !unit && slope->kind == IMP_CONST) b->found.strides++;
}

static void look_at_loop(Looking *b, const struct imp_for_ *s) {
  const ImpExp *slope;
  for (int i = 0; s->simd && i < s->body->len; i++) {
    const ImpStm *stm = s->body->at[i];
    bool shared = stm->form == IMP_STM_UPDATE && !imp_lane(b->lanes, stm->update.mem)->own;
    if (shared && class_of(b, stm->update.at, &slope) == LANE_UNIFORM) b->found.folds = true;
  }
}

static void look(void *state, ImpBlock *block) {
  Looking *b = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    b->found.stms++;
    if (stm->form == IMP_STM_TEST && test_differs(b, &stm->test)) b->found.differs = true;
    if (stm->form == IMP_STM_LOAD) look_at(b, stm->load.mem, stm->load.at);
    if (stm->form == IMP_STM_STORE) look_at(b, stm->store.mem, stm->store.at);
    if (stm->form == IMP_STM_UPDATE) look_at(b, stm->update.mem, stm->update.at);
    bool loop = stm->form == IMP_STM_FOR;
    if (loop) look_at_loop(b, &stm->for_), b->depth++;
    imp_each_block(stm, look, b);
    if (loop) b->depth--;
  }
}

ImpLook imp_look(Arena *arena, const ImpLanes *lanes, ImpBlock *body) {
  Looking b = {.arena = arena, .lanes = lanes};
  look(&b, body);
  return b.found;
}

// Short bodies gain nothing, and short loops are best as scalar code.  Where inner loops walk over
// memory with adjacent lanes, the window of each access would cost more than the rest;
// where they add to places that all lanes share, few iterations are much faster as scalar code,
// which only the longest bodies give up.  Strips that walk, in loops of other loops, fill single
// vectors first: a product of matrices of 60 columns takes half the time.  So do long bodies whose
// tests differ between lanes, which parts of vectors cannot have.
ImpRest imp_rest(const ImpLook *b, int parts, bool inside) {
  enum { LONG_BODY = 24, LONGEST_BODY = 100 };
  bool may_single = !b->folds && parts > 1;
  if (b->differs) return b->stms >= LONG_BODY && may_single ? REST_VECTORS : REST_SCALAR;
  if (b->walks) return inside && may_single ? REST_VECTORS : REST_SCALAR;
  return b->stms >= (b->folds ? LONGEST_BODY : LONG_BODY) ? REST_PART : REST_SCALAR;
}

// ---- blocks -----------------------------------------------------------------------------------
static void find_width(void *state, ImpBlock *block) {
  ImpWidth *found = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form != IMP_STM_FOR) {
      imp_each_block(stm, find_width, state);
      continue;
    }
    if (stm->for_.outer_vec > found->vectors) found->vectors = (int)stm->for_.outer_vec;
    found->simd = found->simd || stm->for_.simd;
  }
}

ImpWidth imp_width(ImpBlock *body) {
  ImpWidth found = {0};
  find_width(&found, body);
  return found;
}

int imp_block_unit(ImpBlock *body) {
  enum { VECTORS = 32, SIMD = 64 };
  const ImpWidth found = imp_width(body);
  return found.vectors ? VECTORS : found.simd ? SIMD : 1;
}
