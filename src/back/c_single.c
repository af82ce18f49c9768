// Programs whose strips compute with f32 alone have twice the lanes with AVX (rts/vec.h): a vector
// then has as many bytes as one of f64 elsewhere.  Where strips compute with f64, too, or more with
// i64 than with f32, wide vectors would be two for each operation.
#include "local.h"

typedef struct {
  int narrow, wide;  // operations and accesses of f32; of i64
  bool doubles, inside;
} Widths;

static void count_prim(Widths *w, Prim p) {
  if (p == PRIM_F64) w->doubles = true;
  if (p == PRIM_F32) w->narrow++;
  if (p == PRIM_I64 || p == PRIM_U64) w->wide++;
}

static void count_exp(void *widths, const ImpExp *e) {
  Widths *w = widths;
  if (e->kind == IMP_CONV) count_prim(w, e->prim);
  if ((e->kind == IMP_OP || e->kind == IMP_CONV) && !e->index) count_prim(w, e->from);
  for (int i = 0; i < 3 && e->args[i]; i++) count_exp(w, e->args[i]);
}

typedef struct {
  Widths w;  // first
  const ImpFn *fn;
} Strips;

static void count_block(void *strips, ImpBlock *block) {
  Strips *s = strips;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    bool around = s->w.inside, strip = stm->form == IMP_STM_FOR && stm->for_.outer_vec;
    if (around) imp_each_exp(stm, count_exp, &s->w);
    if (around && stm->form == IMP_STM_LOAD)
      count_prim(&s->w, s->fn->vars.at[stm->load.mem.id].prim);
    s->w.inside = around || strip;
    imp_each_block(stm, count_block, s);
    s->w.inside = around;
  }
}

bool c_strips_are_single(const ImpProg *prog) {
  Strips s = {0};
  for (int i = 0; i < prog->fns.len; i++) {
    s.fn = prog->fns.at[i];
    count_block(&s, s.fn->body);
  }
  return s.w.narrow > 0 && !s.w.doubles && s.w.wide <= s.w.narrow;
}
