// Which loops run as vector code: innermost, promised parallel by the lowering, and made only of
// straight-line arithmetic, loads and stores.  Stores must go to different elements in different
// iterations: the lowering promised that, so what is left to refuse is what compilers cannot
// vectorise (calls, checks, nested loops, integer division).
#include "imp/common/imp.h"

// Vector code pays for a load from anywhere only next to so many operations: gathers are no faster
// than scalar loads, and much slower on processors that guard them against leaks.
enum { GATHER = 12 };

// Statements.  Vector code takes an eighth of the time at any length, the C compiler up to three
// times as long to make it (bench/log).
enum { LONGEST = 1000 };

typedef struct {
  ImpStrides *slopes;
  const struct imp_for_ *loop;
  bool ok;
  int stms, gathers, work;  // loads from anywhere; operations, costly ones for several
} Straight;

static bool is_gather(Straight *s, const ImpExp *at) {
  return !imp_exp_stride(s->slopes, at, s->loop);
}

// Updates of neighbouring places.
static bool update_vectorises(Straight *s, const struct imp_update *u) {
  const ImpExp *slope = imp_exp_stride(s->slopes, u->at, s->loop);
  return slope && (imp_is_int(slope, 1) || imp_is_int(slope, -1));
}

// The C compiler divides vectors by a constant: a product's high half and shifts.
static bool divides_in_lanes(const ImpExp *e) {
  const ImpExp *by = e->args[1];
  return by->kind == IMP_CONST && !imp_is_int(by, 0) && prim_info[e->from].bytes <= 4;
}

static bool op_vectorises(const ImpExp *e) {
  if (e->from == PRIM_F16) return false;
  if (op_info[e->op].cost != COST_DIVISION) return true;
  return prim_is_float(e->from) ? op_info[e->op].vector == VECTOR_FLOATS : divides_in_lanes(e);
}

static bool exp_vectorises(const ImpExp *e) {
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!exp_vectorises(e->args[i])) return false;
  return e->kind != IMP_OP || op_vectorises(e);
}

static void note_exp(void *state, const ImpExp *e) {
  Straight *s = state;
  s->work += imp_exp_work(e).lanes;
  s->ok = s->ok && exp_vectorises(e);
}

static void block_vectorises(void *state, ImpBlock *block) {
  Straight *s = state;
  for (int i = 0; i < block->len && s->ok; i++) {
    const ImpStm *stm = block->at[i];
    s->stms++;
    bool plain = stm->form == IMP_STM_LET || stm->form == IMP_STM_LOAD || stm->form == IMP_STM_STORE
                 || stm->form == IMP_STM_VAR || stm->form == IMP_STM_SET || stm->form == IMP_STM_IF
                 || (stm->form == IMP_STM_UPDATE && update_vectorises(s, &stm->update));
    if (!plain) s->ok = false;
    if (stm->form == IMP_STM_LOAD && is_gather(s, stm->load.at)) s->gathers++;
    imp_each_exp(stm, note_exp, s);
    imp_each_block(stm, block_vectorises, s);
  }
}

// Integers may be added up in any order, by the C compiler's own reductions; what is carried is set
// once per iteration.  Floats do it in strips, with the same result everywhere.
static bool reds_vectorise(const ImpFn *fn, const struct imp_for_ *loop) {
  enum { SHORT_BODY = 24 };
  for (int i = 0; i < loop->reds.len; i++) {
    const ImpVarInfo *v = &fn->vars.at[loop->reds.at[i].id];
    bool plain = v->red_op == OP_ADD || v->red_op == OP_MUL || v->red_op == OP_AND
                 || v->red_op == OP_OR || v->red_op == OP_XOR || v->red_op == OP_MIN
                 || v->red_op == OP_MAX;
    if (!plain || !prim_is_int(v->prim)) return false;
  }
  for (int i = 0; i < loop->body->len && loop->reds.len; i++)
    if (loop->body->at[i]->form == IMP_STM_IF || loop->body->at[i]->form == IMP_STM_VAR)
      return false;
  return loop->reds.len == 0 || loop->body->len <= SHORT_BODY;
}

static void mark_simd(void *state, ImpBlock *block) {
  const Straight *outer = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_KERNEL) continue;
    imp_each_block(stm, mark_simd, state);
    if (stm->form != IMP_STM_FOR || !stm->for_.parallel
        || stm->for_.outer_vec || !reds_vectorise(outer->slopes->fn, &stm->for_))
      continue;
    Straight s = {.slopes = outer->slopes,
                  .loop = &stm->for_,
                  .ok = true};
    block_vectorises(&s, stm->for_.body);
    stm->for_.simd = s.ok && s.stms <= LONGEST && s.work >= GATHER * s.gathers;
  }
}

void imp_pass_inner_vec(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  ImpStrides slopes = {.arena = arena, .fn = fn};
  Straight s = {.slopes = &slopes};
  mark_simd(&s, fn->body);
}
