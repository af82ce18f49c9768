// Arrays of which every iteration reads and writes separate cells, always the same in one
// iteration: y[a i + b] (other indices being invariant), or the c cells from y[c i + b] on.  The
// loop is a map of old cells to new ones.
#include "loops.h"

static const Slice *slice_of(const Stm *stm) {
  return stm->exp.form == FORM_INDEX ? &stm->exp.index.slice : &stm->exp.update.slice;
}

// Ranges are not checked again.
static bool is_bounded(const Stm *stm, const Slice *slice) {
  for (int d = 0; d < slice->len; d++)
    if (!slice->at[d].is_fix && !stm->attrs.unchecked) return false;
  return true;
}

static bool all_same(const Family *f) {
  bool written = false;
  const Slice *first = f->refs.len ? slice_of(f->refs.at[0].stm) : NULL;
  for (int i = 0; i < f->refs.len; i++) {
    const Stm *stm = f->refs.at[i].stm;
    if (!slice_same(slice_of(stm), first) || !is_bounded(stm, first)) return false;
    written = written || stm->exp.form == FORM_UPDATE;
  }
  return written;
}

// At least one reference is made in every iteration, or all would be good.
static bool are_made(Loop *s, const Family *f, ParamClass *out) {
  bool always = false, good = true;
  Stms none = {0};
  BodyMark mark = renv_open(s->e, &none);
  env_below_here(s->e, s->i, s->l->bound);
  const Slice *slice = slice_of(f->refs.at[0].stm);
  for (int d = 0; d < slice->len; d++)
    good = good && slice->at[d].is_fix &&
           index_in_range(s->e, slice->at[d].start, var_type(s->e->prog, f->p).dims[d]);
  env_close(s->e, mark);
  for (int i = 0; i < f->refs.len; i++) {
    const Reference *ref = &f->refs.at[i];
    always = always || !ref->nested;
    if (!ref->stm->attrs.unchecked) out->checked = ref->stm;
  }
  return good || always;
}

static bool is_zero(const Linear *x) { return atom_is(x->coef, 0); }

// Rows of `count` cells, each of which begins where the one before ends.
static bool are_blocks(const SliceDim *d, const Linear *x) {
  return atom_is(d->stride, 1) && atom_same(d->count, x->coef);
}

// One dimension of the slice goes with the iteration.
static bool dim_class(Loop *s, ParamClass *out, int d, Type array) {
  SliceDim *dim = &out->slice.at[d];
  Linear x = linear_of(s, dim->start);
  if (!x.ok) return false;
  if (!dim->is_fix && (loop_binds(s, dim->count) || loop_binds(s, dim->stride))) return false;
  dim->start = x.base;
  if (is_zero(&x)) return true;
  if (out->axis >= 0) return false;
  out->axis = d;
  if (dim->is_fix) {
    *dim = (SliceDim){.start = x.base, .stride = x.coef};
    return linear_moves(s->e, &x);
  }
  out->blocks = true;
  return array.rank == 1 && are_blocks(dim, &x);
}

static Type cell_type(const Env *e, const ParamClass *c, Type array) {
  Atoms dims = {0};
  for (int d = 0; d < array.rank; d++) {
    if (d >= c->slice.len) list_push(e->arena, &dims, array.dims[d]);
    else if (d == c->axis ? c->blocks : !c->slice.at[d].is_fix)
      list_push(e->arena, &dims, c->slice.at[d].count);
  }
  return type_array_dims(e->arena, type_scalar(array.prim), dims);
}

bool class_cells(Loop *s, Family *f, ParamClass *out) {
  if (f->bad || !all_same(f)) return false;
  Type array = var_type(s->e->prog, f->p);
  *out = (ParamClass){.kind = CLASS_CELLS, .family = f, .axis = -1};
  out->slice = slice_copy(s->e->arena, *slice_of(f->refs.at[0].stm));
  for (int d = 0; d < out->slice.len; d++)
    if (!dim_class(s, out, d, array)) return false;
  if (out->axis < 0 || !are_made(s, f, out)) return false;
  out->cell = cell_type(s->e, out, array);
  return true;
}
