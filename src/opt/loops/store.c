// An array that every iteration writes to once, at an index of any kind, and does not read.
#include "loops.h"

bool class_store(Loop *s, Family *f, ParamClass *out) {
  if (f->bad || f->refs.len != 1 || f->refs.at[0].nested) return false;
  const Stm *stm = f->refs.at[0].stm;
  if (stm->exp.form != FORM_UPDATE) return false;
  const Slice *slice = &stm->exp.update.slice;
  if (slice->len != var_type(s->e->prog, f->p).rank) return false;
  bool moves = false;
  for (int d = 0; d < slice->len; d++) {
    if (!slice->at[d].is_fix) return false;
    moves = moves || loop_binds(s, slice->at[d].start);
  }
  *out = (ParamClass){.kind = CLASS_STORE, .family = f, .slice = slice_copy(s->e->arena, *slice)};
  out->cell = type_scalar(var_type(s->e->prog, f->p).prim);
  return moves;
}
