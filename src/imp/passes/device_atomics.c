// Atomic updates, by a kernel's threads, of places that data decide: integers of 32 and 64 bits, by
// operators that give the same bits in any order, and, where the target may add in any order
// (--any-order), floats.  Without that, floats go into copies, too, or the host adds them.
//
//   add, and, or, xor, min, max    of i32, i64, u32, u64
//   add, mul, min, max             of f32, f64, with --any-order
//
// OpenCL has 64-bit min and max as an extension alone: these go into copies (device_sums.c).
#include "local.h"

static bool is_bitwise(Op op) { return op == OP_AND || op == OP_OR || op == OP_XOR; }
static bool is_choice(Op op) { return op == OP_MIN || op == OP_MAX; }

static bool is_exact(const Chunks *c, Prim p, Op op) {
  const bool opencl = prog_target(c->prog->core) == TARGET_OPENCL;
  if (!prim_is_int(p) || prim_info[p].bytes < 4) return false;
  if (is_choice(op)) return prim_info[p].bytes == 4 || !opencl;
  return op == OP_ADD || is_bitwise(op);
}

bool device_adds_atomically(const Chunks *c, const Updated *x) {
  const Prim p = c->fn->vars.at[x->mem.id].prim;
  if (!c->device) return false;
  if (p != PRIM_F32 && p != PRIM_F64) return is_exact(c, p, x->op);
  return prog_machine(c->prog->core)->any_order &&
         (x->op == OP_ADD || x->op == OP_MUL || is_choice(x->op));
}

static bool is_atomic(const Search *s, ImpVar mem) {
  const Updated *x = map_get(s->places, mem.id);
  return x && x->atomic;
}

static void make_atomic(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_UPDATE) stm->update.atomic = is_atomic(state, stm->update.mem);
    imp_each_block(stm, make_atomic, state);
  }
}
void device_make_atomic(Search *s) { make_atomic(s, s->loop->body); }

bool device_has_atomic(const Search *s, bool floats) {
  for (int i = 0; i < map_len(s->places); i++) {
    const Updated *x = map_value_at(s->places, i);
    if (x->atomic && prim_is_float(s->c->fn->vars.at[x->mem.id].prim) == floats) return true;
  }
  return false;
}
