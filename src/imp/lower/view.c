// Views: blocks under index functions, their copies and who owns them.
#include "imp/common/local.h"

const ImpExp **type_dims(Lower *l, Type t) {
  const ImpExp **dims = NEW_ARRAY(l->arena, const ImpExp *, t.rank + 1);
  for (int i = 0; i < t.rank; i++) dims[i] = atom_exp(l, t.dims[i]);
  return dims;
}

static const ImpExp **dense_strides(Lower *l, int rank, const ImpExp **dims) {
  const ImpExp **strides = NEW_ARRAY(l->arena, const ImpExp *, rank + 1);
  const ImpExp *s = int_exp(l, 1);
  for (int i = rank - 1; i >= 0; i--) {
    strides[i] = s;
    if (i > 0) s = emit_let(l, "size", imp_mul(l->arena, dims[i], s));
  }
  return strides;
}

View view_dense(Lower *l, ImpVar mem, Prim prim, int rank, const ImpExp **dims) {
  return (View){mem, prim, rank, true, int_exp(l, 0), dims, dense_strides(l, rank, dims)};
}

const ImpExp *view_count(Lower *l, const View *v) {
  const ImpExp *n = int_exp(l, 1);
  for (int i = v->rank - 1; i >= 0; i--) n = emit_let(l, "size", imp_mul(l->arena, v->dims[i], n));
  return n;
}

void alloc_view(Lower *l, const View *v) {
  const ImpExp *count = view_count(l, v);
  l->mems.at[v->mem.id].count = count;
  imp_emit(l, (ImpStm){.form = IMP_STM_ALLOC, .alloc = {v->mem, count}});
}

View view_alloc(Lower *l, const char *base, Type type) {
  ImpVar mem = mem_fresh(l, base, IMP_BLOCK, type.prim);
  View v = view_dense(l, mem, type.prim, type.rank, type_dims(l, type));
  alloc_view(l, &v);
  return v;
}

View view_row(Lower *l, const View *v, const ImpExp *i) {
  View row = *v;
  row.offset = emit_let(l, "at", imp_add(l->arena, v->offset, imp_mul(l->arena, i, v->strides[0])));
  row.rank--;
  row.dims++;
  row.strides++;
  return row;
}

View view_reverse(Lower *l, const View *v) {
  View r = *v;
  const ImpExp *last = imp_add(l->arena, v->dims[0], int_exp(l, -1));
  r.offset =
      emit_let(l, "at", imp_add(l->arena, v->offset, imp_mul(l->arena, last, v->strides[0])));
  r.strides = arena_copy(l->arena, v->strides, sizeof *v->strides * (size_t)v->rank);
  r.strides[0] = emit_let(l, "stride", imp_mul(l->arena, int_exp(l, -1), v->strides[0]));
  r.dense = false;
  return r;
}

const ImpExp *view_at(Lower *l, const View *v, int n, const ImpExp *const *at) {
  const ImpExp *e = v->offset;
  for (int i = 0; i < n; i++) e = imp_add(l->arena, e, imp_mul(l->arena, at[i], v->strides[i]));
  return e;
}

bool view_same(const View *a, const View *b) {
  if (a->mem.id != b->mem.id || a->rank != b->rank || !imp_exp_same(a->offset, b->offset))
    return false;
  for (int i = 0; i < a->rank; i++)
    if (!imp_exp_same(a->strides[i], b->strides[i])) return false;
  return true;
}

// Ranges of stride one in the first dimension keep a dense array dense, as do leading fixes.
View view_slice(Lower *l, const View *v, Slice slice) {
  View r = {v->mem,
            v->prim,
            0,
            v->dense,
            v->offset,
            NEW_ARRAY(l->arena, const ImpExp *, v->rank + 1),
            NEW_ARRAY(l->arena, const ImpExp *, v->rank + 1)};
  for (int i = 0; i < v->rank; i++) {
    if (i >= slice.len) {
      r.dims[r.rank] = v->dims[i];
      r.strides[r.rank++] = v->strides[i];
      continue;
    }
    SliceDim d = slice.at[i];
    const ImpExp *start = atom_exp(l, d.start);
    r.offset = imp_add(l->arena, r.offset, imp_mul(l->arena, start, v->strides[i]));
    if (d.is_fix) {
      r.dense = r.dense && r.rank == 0;
      continue;
    }
    const ImpExp *step = atom_exp(l, d.stride), *count = atom_exp(l, d.count);
    bool whole = imp_is_int(start, 0) && imp_is_int(step, 1) && imp_exp_same(count, v->dims[i]);
    r.dense = r.dense && (whole || (r.rank == 0 && imp_is_int(step, 1)));
    r.dims[r.rank] = count;
    r.strides[r.rank++] = emit_let(l, "stride", imp_mul(l->arena, step, v->strides[i]));
  }
  r.offset = emit_let(l, "at", r.offset);
  return r;
}

void copy_view(Lower *l, const View *to, const View *from) {
  if (view_same(to, from)) return;
  check(to->rank == from->rank);
  if (to->rank == 0) {
    emit_store(l, to->mem, to->offset, emit_load(l, "x", from->mem, from->prim, from->offset));
    return;
  }
  if (to->dense && from->dense) {
    imp_emit(l,
             (ImpStm){.form = IMP_STM_COPY,
                      .copy = {to->mem, to->offset, from->mem, from->offset, view_count(l, to)}});
    return;
  }
  ForLoop loop = for_open(l, "i", to->dims[0], true);
  View to_row = view_row(l, to, loop.i), from_row = view_row(l, from, loop.i);
  copy_view(l, &to_row, &from_row);
  for_close(l, loop);
}

void fill_view(Lower *l, const View *to, const ImpExp *e) {
  if (to->rank == 0) {
    emit_store(l, to->mem, to->offset, e);
    return;
  }
  if (to->dense && to->rank > 1) {
    const ImpExp *dims[1] = {view_count(l, to)}, *strides[1] = {int_exp(l, 1)};
    View flat = {to->mem, to->prim, 1, true, to->offset, dims, strides};
    fill_view(l, &flat, e);
    return;
  }
  ForLoop loop = for_open(l, "i", to->dims[0], true);
  View row = view_row(l, to, loop.i);
  fill_view(l, &row, e);
  for_close(l, loop);
}

static View view_fresh_like(Lower *l, const View *v) {
  ImpVar mem = mem_fresh(l, "copy", IMP_BLOCK, v->prim);
  View r = view_dense(l, mem, v->prim, v->rank, v->dims);
  alloc_view(l, &r);
  return r;
}

View view_make_dense(Lower *l, const View *v) {
  if (v->dense) return *v;
  View r = view_fresh_like(l, v);
  copy_view(l, &r, v);
  return r;
}

bool view_is_block(Lower *l, const View *v) {
  return l->fn->vars.at[v->mem.id].kind == IMP_BLOCK && v->dense && imp_is_int(v->offset, 0);
}

bool view_movable(Lower *l, const View *v) {
  return view_is_block(l, v) && l->mems.at[v->mem.id].block == l->block;
}

ImpVar view_take(Lower *l, const View *v) {
  ImpVar to = mem_fresh(l, l->fn->vars.at[v->mem.id].base, IMP_BLOCK, v->prim);
  imp_emit(l, (ImpStm){.form = IMP_STM_MOVE, .move = {to, v->mem}});
  l->fn->vars.at[v->mem.id].moved = true;
  l->fn->vars.at[to.id].moved = true;
  return to;
}

ImpVar view_own(Lower *l, const View *v, bool dead) {
  ImpVar to;
  if (dead && view_movable(l, v)) {
    to = view_take(l, v);
  } else {
    View copy = view_fresh_like(l, v);
    copy_view(l, &copy, v);
    to = copy.mem;
  }
  l->fn->vars.at[to.id].moved = true;
  return to;
}
