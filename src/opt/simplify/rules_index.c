// Rules for reading arrays: y = x[slice], by how x was made.  A read may move to x's own operands
// when these are views of the same memory, or of memory never overwritten.  Checked reads keep
// failing where they failed: they are rewritten only where the index is certainly in range.
#include "opt/common/local.h"

static const struct index_form *of(const Stm *stm) { return &stm->exp.index; }

static int fixed_prefix(const Slice *s) {
  int n = 0;
  while (n < s->len && s->at[n].is_fix) n++;
  return n;
}

static bool all_fixed(const Slice *s) { return fixed_prefix(s) == s->len; }

// Entry d of the slice cannot fail on an extent n.
static bool entry_safe(Env *e, const Stm *stm, SliceDim s, Atom n) {
  if (stm->attrs.unchecked || slicedim_is_full(s, n)) return true;
  return s.is_fix && index_in_range(e, s.start, n);
}

static bool slice_safe(Env *e, const Stm *stm, Atom array) {
  for (int d = 0; d < of(stm)->slice.len; d++)
    if (!entry_safe(e, stm, of(stm)->slice.at[d], dim_at(e->prog, array, d))) return false;
  return true;
}

static Atom emit_op(Env *e, Op op, Atom x, Atom y) { return build_op(&e->to, op, x, y); }

static bool become_index(Env *e, Stm *stm, Atom array, Slice slice, bool unchecked) {
  if (slice.len == 0) return env_replace(e, stm, array);
  stm->attrs.unchecked = unchecked;
  return env_become(e, stm, (Exp){.form = FORM_INDEX, .index = {array, slice}});
}

// outer[inner]: ranges compose, start + stride * i.
static SliceDim dim_compose(Env *e, SliceDim outer, SliceDim inner) {
  SliceDim out = inner;
  Atom scaled = emit_op(e, OP_MUL, inner.start, outer.stride);
  out.start = emit_op(e, OP_ADD, outer.start, scaled);
  if (!inner.is_fix) out.stride = emit_op(e, OP_MUL, inner.stride, outer.stride);
  return out;
}

// x[s][t] = x[s o t]
static bool of_index(Env *e, Stm *stm, const Stm *def) {
  Atom x = def->exp.index.array;
  const Slice *s = &def->exp.index.slice, *t = &of(stm)->slice;
  Slice out = {0};
  int k = 0;
  if (!slice_safe(e, stm, of(stm)->array)) {
    // Still good when what t indexes passes through s unchanged.
    for (int d = 0, j = 0; d < s->len && j < t->len; d++) {
      if (s->at[d].is_fix) continue;
      if (!slicedim_is_full(s->at[d], dim_at(e->prog, x, d))) return false;
      j++;
    }
  }
  for (int d = 0; d < s->len; d++) {
    if (s->at[d].is_fix) list_push(e->arena, &out, s->at[d]);
    else if (k < t->len) list_push(e->arena, &out, dim_compose(e, s->at[d], t->at[k++]));
    else list_push(e->arena, &out, s->at[d]);
  }
  while (k < t->len) list_push(e->arena, &out, t->at[k++]);
  bool safe = slice_safe(e, stm, of(stm)->array);
  return become_index(e, stm, x, out, safe && (def->attrs.unchecked || slice_safe(e, def, x)));
}

// (replicate dims v)[s, t] = (replicate dims' v)[t]
static bool of_replicate(Env *e, Stm *stm, const Stm *def) {
  const struct replicate_form *r = &def->exp.replicate;
  const Slice *s = &of(stm)->slice;
  int n = r->dims.len < s->len ? r->dims.len : s->len;
  if (fixed_prefix(s) < n || !env_shared(e, r->arg)) return false;
  if (!env_shared(e, atom_var(stm->bound.at[0]))) return false;
  for (int d = 0; d < n; d++)
    if (!entry_safe(e, stm, s->at[d], r->dims.at[d])) return false;
  Slice rest = {0};
  for (int d = n; d < s->len; d++) list_push(e->arena, &rest, s->at[d]);
  if (r->dims.len == n) return become_index(e, stm, r->arg, rest, stm->attrs.unchecked);
  Atoms dims = atoms_of(e->arena, r->dims.len - n, r->dims.at + n);
  return env_become(e, stm, (Exp){.form = FORM_REPLICATE, .replicate = {dims, r->arg}});
}

// (iota n start step)[i] = start + i * step; a range is an iota again.  Elements have no
// derivative, i may.
static bool of_iota(Env *e, Stm *stm, const Stm *def) {
  const struct iota_form *r = &def->exp.iota;
  if (env_differentiable(e, PRIM_I64)) return false;
  SliceDim s = of(stm)->slice.at[0];
  if (!entry_safe(e, stm, s, r->n)) return false;
  Prim p = atom_type(e->prog, r->start).prim;
  Atom at = emit_op(e, OP_MUL, build_conv(&e->to, p, s.start), r->step);
  Atom start = emit_op(e, OP_ADD, r->start, at);
  if (s.is_fix) return env_replace(e, stm, start);
  Atom step = emit_op(e, OP_MUL, build_conv(&e->to, p, s.stride), r->step);
  return env_become(e, stm, (Exp){.form = FORM_IOTA, .iota = {s.count, start, step}});
}

static bool const_index(const Stm *stm, int64_t len, int64_t *out) {
  const Slice *s = &of(stm)->slice;
  return s->len && s->at[0].is_fix && atom_const_i64(s->at[0].start, out) && *out >= 0 &&
         *out < len;
}

static bool of_literal(Env *e, Stm *stm, const Stm *def) {
  const struct literal_form *l = &def->exp.literal;
  int64_t k;
  if (!const_index(stm, l->elems.len, &k)) return false;
  Atom v = l->elems.at[k];
  if (!env_shared(e, v) || !env_shared(e, atom_var(stm->bound.at[0]))) return false;
  Slice rest = {0};
  for (int d = 1; d < of(stm)->slice.len; d++) list_push(e->arena, &rest, of(stm)->slice.at[d]);
  return become_index(e, stm, v, rest, stm->attrs.unchecked);
}

static bool of_constant(Env *e, Stm *stm, const Stm *def) {
  int64_t k;
  if (!const_index(stm, def->exp.constant.data.len, &k)) return false;
  return env_replace(e, stm, atom_scalar(def->exp.constant.data.at[k]));
}

// rearrange: entry d of the result is entry perm[d] of x; only when no range is left, or the
// ranges keep their order.
static bool of_rearrange(Env *e, Stm *stm, const Stm *def) {
  const struct rearrange_form *r = &def->exp.rearrange;
  const Slice *s = &of(stm)->slice;
  int rank = r->perm.len;
  int64_t last = -1;
  for (int d = 0; d < rank; d++) {
    if (d < s->len && s->at[d].is_fix) continue;
    if (r->perm.at[d] < last) return false;
    last = r->perm.at[d];
  }
  Slice out = {0};
  for (int d = 0; d < rank; d++)
    list_push(e->arena, &out, slice_full(dim_at(e->prog, r->array, d)));
  for (int d = 0; d < s->len; d++) out.at[r->perm.at[d]] = s->at[d];
  return become_index(e, stm, r->array, out, stm->attrs.unchecked);
}

// (reverse x)[i] = x[n - 1 - i]
static bool of_reverse(Env *e, Stm *stm, const Stm *def) {
  Atom x = def->exp.reverse.array;
  SliceDim s = of(stm)->slice.at[0];
  Atom n = dim_at(e->prog, x, 0);
  if (!entry_safe(e, stm, s, n)) return false;
  Slice out = slice_copy(e->arena, of(stm)->slice);
  Atom last = emit_op(e, OP_SUB, n, atom_i64(1));
  out.at[0].start = emit_op(e, OP_SUB, last, s.start);
  if (!s.is_fix) out.at[0].stride = build_op1(&e->to, OP_NEG, s.stride);
  return become_index(e, stm, x, out, stm->attrs.unchecked);
}

// Reading single elements of an unflattened vector, or of rows split or joined after dimension k.
static bool of_reshape(Env *e, Stm *stm, const Stm *def) {
  const struct reshape_form *r = &def->exp.reshape;
  const Slice *s = &of(stm)->slice;
  if (type_is_scalar(atom_type(e->prog, r->array))) return false;
  if (atom_type(e->prog, r->array).rank != 1 || s->len != r->dims.len || !all_fixed(s) ||
      !slice_safe(e, stm, of(stm)->array))
    return false;
  Atom at = s->at[0].start;
  for (int d = 1; d < s->len; d++)
    at = emit_op(e, OP_ADD, emit_op(e, OP_MUL, at, r->dims.at[d]), s->at[d].start);
  return become_index(e, stm, r->array, slice_fix(e->arena, atoms_of(e->arena, 1, &at)), true);
}

// Indices that agree or certainly differ.
typedef enum { SAME_PLACE, OTHER_PLACE, MAYBE_PLACE } Place;
static Place places(Env *e, const Slice *a, const Slice *b) {
  if (slice_same(a, b)) return SAME_PLACE;
  for (int d = 0; d < a->len && d < b->len; d++)
    if (a->at[d].is_fix && b->at[d].is_fix && atoms_differ(e, a->at[d].start, b->at[d].start))
      return OTHER_PLACE;
  return MAYBE_PLACE;
}

// An element of the range that an update of a vector wrote: (x with [s : n] <- v)[i] = v[i - s].
static bool of_range(Env *e, Stm *stm, const struct update_form *u) {
  const SliceDim *to = &u->slice.at[0], *at = &of(stm)->slice.at[0];
  if (!e->loops || u->slice.len != 1 || of(stm)->slice.len != 1 || to->is_fix || !at->is_fix ||
      !atom_is(to->stride, 1) || atom_type(e->prog, u->array).rank != 1 || !env_shared(e, u->value))
    return false;
  int from = e->to.stms->len;
  Atom i = emit_op(e, OP_SUB, at->start, to->start);
  env_register(e, from);
  if (!index_in_range(e, i, to->count)) return false;
  return become_index(e, stm, u->value, slice_fix(e->arena, atoms_of(e->arena, 1, &i)), true);
}

// The value a chain of updates put at the place read.
static bool of_update(Env *e, Stm *stm, const Stm *def) {
  for (int steps = 0; def && steps < 64; steps++) {
    const struct update_form *u = &def->exp.update;
    Place place = places(e, &u->slice, &of(stm)->slice);
    if (place == SAME_PLACE) {
      // The update may be dead afterwards, so that only the read tests the index.
      if (!slice_safe(e, stm, of(stm)->array)) return false;
      if (!env_shared(e, u->value)) return false;
      if (!env_shared(e, atom_var(stm->bound.at[0])) && var_is_array(e->prog, stm->bound.at[0]))
        return false;
      return env_replace(e, stm, u->value);
    }
    if (place == MAYBE_PLACE) return of_range(e, stm, u);
    Stm *below = renv_def(e, u->array);
    int64_t k;
    if (below && below->exp.form == FORM_LITERAL &&
        const_index(stm, below->exp.literal.elems.len, &k) && of(stm)->slice.len == 1 &&
        type_is_scalar(atom_type(e->prog, below->exp.literal.elems.at[k])))
      return env_replace(e, stm, below->exp.literal.elems.at[k]);
    bool filled = below && below->exp.form == FORM_REPLICATE && !below->exp.replicate.arg.is_var;
    if (filled && type_is_scalar(var_type(e->prog, stm->bound.at[0])) &&
        slice_safe(e, stm, of(stm)->array))
      return env_replace(e, stm, below->exp.replicate.arg);
    def = below && below->exp.form == FORM_UPDATE ? below : NULL;
  }
  return false;
}

// One element of a map read once, in the body that makes the map: only that element is computed.
static bool of_map(Env *e, Stm *stm, const Stm *def, int result) {
  const struct map_form *m = &def->exp.map;
  const Slice *s = &of(stm)->slice;
  if (!s->len || !s->at[0].is_fix || !entry_safe(e, stm, s->at[0], m->width)) return false;
  for (int i = 0; i < def->bound.len; i++)
    if (env_uses(e, atom_var(def->bound.at[i])) != (i == result ? 1 : 0)) return false;
  if (env_fact(e, def->bound.at[result])->scope != e->scope || def->attrs.opaque) return false;
  if (!env_shared(e, atom_var(stm->bound.at[0]))) return false;
  for (int i = 0; i < m->inputs.len; i++)
    if (atom_type(e->prog, m->inputs.at[i]).is_acc || !env_shared(e, m->inputs.at[i]))
      return false;
  Vars free = lambda_free(e->prog, e->arena, m->fn);
  for (int i = 0; i < free.len; i++)
    if (!env_shared(e, atom_var(free.at[i]))) return false;
  Atoms args = {0}, at = atoms_of(e->arena, 1, &s->at[0].start);
  for (int i = 0; i < m->inputs.len; i++)
    list_push(e->arena, &args, build_index(&e->to, m->inputs.at[i], at));
  Atoms results = lambda_inline(&e->to, m->fn, args);
  Slice rest = {0};
  for (int d = 1; d < s->len; d++) list_push(e->arena, &rest, s->at[d]);
  return become_index(e, stm, results.at[result], rest, stm->attrs.unchecked);
}

static bool is_whole(Env *e, const Stm *stm) {
  const Slice *s = &of(stm)->slice;
  for (int d = 0; d < s->len; d++)
    if (!slicedim_is_full(s->at[d], dim_at(e->prog, of(stm)->array, d))) return false;
  return true;
}

// Trailing full entries say nothing.
static void trim(Env *e, Stm *stm) {
  Slice *s = &stm->exp.index.slice;
  while (s->len && slicedim_is_full(s->at[s->len - 1],
                                    dim_at(e->prog, of(stm)->array, s->len - 1)))
    s->len--;
}

bool rule_index(Env *e, Stm *stm) {
  if (is_whole(e, stm)) return env_replace(e, stm, of(stm)->array);
  trim(e, stm);
  if (!stm->attrs.unchecked && all_fixed(&of(stm)->slice) &&
      slice_safe(e, stm, of(stm)->array))
    stm->attrs.unchecked = true;
  const Stm *def = renv_def(e, of(stm)->array);
  if (!def) return false;
  int result = env_fact(e, of(stm)->array.var)->result;
  switch ((int)def->exp.form) {
  case FORM_INDEX: return of_index(e, stm, def);
  case FORM_REPLICATE: return of_replicate(e, stm, def);
  case FORM_IOTA: return of_iota(e, stm, def);
  case FORM_LITERAL: return of_literal(e, stm, def);
  case FORM_CONSTANT: return of_constant(e, stm, def);
  case FORM_REARRANGE: return of_rearrange(e, stm, def);
  case FORM_REVERSE: return of_reverse(e, stm, def);
  case FORM_RESHAPE: return of_reshape(e, stm, def);
  case FORM_UPDATE: return of_update(e, stm, def);
  case FORM_MAP: return of_map(e, stm, def, result);
  case FORM_COPY:
    if (env_shared(e, def->exp.copy.arg) &&
        (!var_is_array(e->prog, stm->bound.at[0]) || env_shared(e, of(stm)->array)))
      return become_index(e, stm, def->exp.copy.arg, of(stm)->slice, stm->attrs.unchecked);
  }
  return false;
}
