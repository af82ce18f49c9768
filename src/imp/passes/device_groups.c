// Kernels with a group of threads for each iteration of a loop that has parallel loops inside: the
// threads share those loops' iterations and do the rest of the iteration all alike.
//
//   for i < n { x; for j < m reds (r) { .. } y; for k < m { .. } }
//     kernel i < n groups { x; for j < m spread reds (r) { .. } y; for k < m spread { .. } }
//
// Neighbouring threads read and write neighbouring elements of a row, and a device is busy where n
// is small.  A loop is spread where its iterations carry sums alone, test nothing and update no
// place that another iteration may update.  Outside of spread loops one thread of the group writes;
// a loop there that writes, and has no spread loop inside, would leave the others idle: the kernel
// keeps a thread for each row.
#include "local.h"

typedef struct {
  Search *s;
  Map *alone;  // memory allocated in spread loops: each thread's own
  ImpExps lengths;
  bool writes, ok;
} Groups;

// ---- which loops are spread -------------------------------------------------------------------
typedef struct {
  Groups *g;
  Map *bound;
  bool ok;
} Spread;

static void spread_block(void *state, ImpBlock *block);
static void spread_stm(Spread *p, ImpStm *stm) {
  const ImpVar *def = imp_stm_def(stm);
  if (def && def->id) map_put(p->bound, def->id, p);
  switch (stm->form) {
  case IMP_STM_LET: case IMP_STM_VAR: case IMP_STM_SET: case IMP_STM_LOAD: case IMP_STM_STORE:
  case IMP_STM_FOR: case IMP_STM_WHILE: case IMP_STM_IF: case IMP_STM_COPY: case IMP_STM_FREE:
    break;
  case IMP_STM_UPDATE: p->ok = p->ok && stm->update.atomic; break;
  case IMP_STM_SCAN: p->ok = p->ok && map_get(p->bound, stm->scan.acc.id); break;
  case IMP_STM_ALLOC: map_put(p->g->alone, stm->alloc.mem.id, p->g); break;
  case IMP_STM_TEST: case IMP_STM_SWAP: case IMP_STM_MOVE: case IMP_STM_CALL:
  case IMP_STM_CHUNKS: case IMP_STM_SHARE: case IMP_STM_KERNEL: case IMP_STM_PART:
  case IMP_STM_TRANSFER: case IMP_STM_REGION: case IMP_STM_MEMORY_LEFT:
  case IMP_STM_MEMORY_NEED: case IMP_STM_TUNED: case IMP_STM_TRACE: case IMP_STM_PROBE:
  case IMP_STM_PROBE_LOOP: case IMP_STM_RETURN: case IMP_STM_YIELD: case IMP_STM_COUNT:
    p->ok = false;
  }
  imp_each_block(stm, spread_block, p);
}
static void spread_block(void *state, ImpBlock *block) {
  Spread *p = state;
  for (int i = 0; i < block->len && p->ok; i++) spread_stm(p, block->at[i]);
}

static bool is_spread(Groups *g, const struct imp_for_ *loop) {
  Spread p = {g, map_new(g->s->c->arena), loop->parallel};
  for (int i = 0; i < loop->reds.len; i++) {
    const ImpVarInfo *v = &g->s->c->fn->vars.at[loop->reds.at[i].id];
    p.ok = p.ok && chunks_has_identity(v->red_op) && v->prim != PRIM_F16;
  }
  if (p.ok) spread_block(&p, loop->body);
  return p.ok;
}

// ---- the rest of an iteration -----------------------------------------------------------------
static void group_block(void *state, ImpBlock *block);

// A loop that is not spread may write, if spread loops stand in it.
static void group_loop(Groups *g, ImpStm *stm) {
  const bool wrote = g->writes;
  const int lengths = g->lengths.len;
  g->writes = false;
  imp_each_block(stm, group_block, g);
  g->ok = g->ok && (!g->writes || g->lengths.len > lengths);
  g->writes = g->writes || wrote;
}

static void group_stm(Groups *g, ImpStm *stm) {
  switch (stm->form) {
  case IMP_STM_FOR:
    if (is_spread(g, &stm->for_)) {
      stm->for_.spread = true;
      list_push(g->s->c->arena, &g->lengths, stm->for_.bound);
    } else group_loop(g, stm);
    return;
  case IMP_STM_WHILE: group_loop(g, stm); return;
  case IMP_STM_STORE: case IMP_STM_UPDATE: g->writes = true; break;
  case IMP_STM_LET: case IMP_STM_VAR: case IMP_STM_SET: case IMP_STM_LOAD: case IMP_STM_IF:
  case IMP_STM_COPY: case IMP_STM_SCAN: case IMP_STM_TEST: case IMP_STM_ALLOC: case IMP_STM_FREE:
  case IMP_STM_SWAP: break;
  case IMP_STM_MOVE: case IMP_STM_CALL: case IMP_STM_CHUNKS: case IMP_STM_SHARE:
  case IMP_STM_KERNEL: case IMP_STM_PART: case IMP_STM_TRANSFER: case IMP_STM_REGION:
  case IMP_STM_MEMORY_LEFT: case IMP_STM_MEMORY_NEED: case IMP_STM_TUNED: case IMP_STM_TRACE:
  case IMP_STM_PROBE: case IMP_STM_PROBE_LOOP: case IMP_STM_RETURN: case IMP_STM_YIELD:
  case IMP_STM_COUNT: g->ok = false;
  }
  imp_each_block(stm, group_block, g);
}
static void group_block(void *state, ImpBlock *block) {
  Groups *g = state;
  for (int i = 0; i < block->len && g->ok; i++) group_stm(g, block->at[i]);
}

// ---- whether that may pay ----------------------------------------------------------------------
enum { LONGEST_TWICE = 300, SHORT = 32 };  // statements; iterations

typedef struct {
  int stms;
  bool loops;
} Look;
static void look_block(void *state, ImpBlock *block) {
  Look *look = state;
  look->stms += block->len;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    const bool loop = stm->form == IMP_STM_FOR && stm->for_.parallel;
    const ImpExp *n = loop ? stm->for_.bound : NULL;
    look->loops = look->loops || (loop && (n->kind != IMP_CONST || n->value.i >= SHORT));
    imp_each_block(stm, look_block, state);
  }
}
bool device_may_spread(ImpBlock *body) {
  Look look = {0};
  look_block(&look, body);
  return look.loops && look.stms <= LONGEST_TWICE;
}

// The longest spread loop whose length is known in front of the kernel; NULL: of none it is.
static const ImpExp *longest(const Groups *g) {
  const ImpExp *most = NULL;
  for (int i = 0; i < g->lengths.len; i++) {
    const ImpExp *n = device_outside(g->s, g->lengths.at[i]);
    if (!n || (most && imp_exp_same(most, n))) continue;
    most = most ? imp_op(g->s->c->arena, OP_MAX, PRIM_I64, most, n, NULL) : n;
  }
  return most;
}

const ImpExp *device_spread(Search *s, Map **alone) {
  Groups g = {.s = s, .alone = map_new(s->c->arena), .ok = true};
  group_block(&g, s->loop->body);
  *alone = g.alone;
  return g.ok ? longest(&g) : NULL;
}
