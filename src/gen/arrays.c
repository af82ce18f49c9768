// Statements that make, move and update arrays.
#include "local.h"

static bool is_array(Gen *g, const Known *k) {
  (void)g;
  return k->type.rank > 0;
}

static bool is_matrix(Gen *g, const Known *k) {
  (void)g;
  return k->type.rank > 1;
}

static Atom append(Gen *g, Type type, Exp exp, bool unchecked) {
  g->b.attrs.unchecked = unchecked;
  Atom r = build(&g->b, NULL, type, exp);
  g->b.attrs.unchecked = false;
  return r;
}

static Atom literal(Gen *g) {
  Type row = gen_type(g, 1);
  Exp exp = {.form = FORM_LITERAL, .literal = {.prim = row.prim}};
  int n = (int)gen_random(g, 4) + 1;
  for (int i = 0; i < n; i++) list_push(g->arena, &exp.literal.elems, gen_value(g, row));
  return append(g, type_array(g->arena, row, atom_i64(n)), exp, false);
}

static Atom constant(Gen *g) {
  Prim p = gen_prim(g);
  int n = (int)gen_random(g, 5);
  Scalar *data = NEW_ARRAY(g->arena, Scalar, n + 1);
  for (int i = 0; i < n; i++) data[i] = gen_constant(g, p).value;
  Exp exp = {.form = FORM_CONSTANT, .constant = {.data = {.prim = p, .len = n, .at = data}}};
  return append(g, type_array(g->arena, type_scalar(p), atom_i64(n)), exp, false);
}

static Atom iota(Gen *g) {
  Atom n = gen_size(g);
  if (gen_chance(g, 60)) return build_iota(&g->b, n);
  Prim p = gen_chance(g, 70) ? PRIM_I64 : PRIM_I32;
  Exp exp = {.form = FORM_IOTA,
             .iota = {.n = n, .start = gen_scalar(g, p), .step = gen_constant(g, p)}};
  return append(g, type_array(g->arena, type_scalar(p), n), exp, false);
}

// Written before it is read: every element along the loop that fills it.
static Atom scratch(Gen *g) {
  Prim p = gen_prim(g);
  Atom n = gen_size(g), value = gen_scalar(g, p);
  Type type = type_array(g->arena, type_scalar(p), n);
  Exp exp = {.form = FORM_SCRATCH, .scratch = {.prim = p}};
  list_push(g->arena, &exp.scratch.dims, n);
  Atom empty = append(g, type, exp, true);
  Types params = {0};
  list_push(g->arena, &params, type_scalar(PRIM_I64));
  list_push(g->arena, &params, type);
  params.at[1].unique = true;
  LambdaBuilder lb = lambda_begin(&g->b, "fill", params);
  Atom i = atom_var(lb.lambda->params.at[0]);
  Atom next = build_update(&lb.inner, atom_var(lb.lambda->params.at[1]),
                           atoms_of(g->arena, 1, &i), value);
  Lambda *fn = lambda_end(&lb, atoms_of(g->arena, 1, &next));
  Exp loop = {.form = FORM_LOOP,
              .loop = {.is_for = true,
                       .bound = n,
                       .inits = atoms_of(g->arena, 1, &empty),
                       .fn = fn}};
  return append(g, type, loop, false);
}

static bool joins(Gen *g, const Known *a, const Known *b) {
  (void)g;
  if (a->type.prim != b->type.prim || a->type.rank != b->type.rank) return false;
  for (int d = 1; d < a->type.rank; d++)
    if (!atom_same(a->type.dims[d], b->type.dims[d])) return false;
  return true;
}

static bool concat(Gen *g, Atom *out) {
  Known *pick = gen_pick(g, is_array);
  if (!pick) return false;
  Known first = *pick, second = first;
  for (int i = 0; i < g->known.len; i++) {
    Known *k = &g->known.at[i];
    if (gen_usable(g, k) && joins(g, &first, k) && gen_chance(g, 40)) second = *k;
  }
  Atom n = build_op(&g->b, OP_ADD, first.type.dims[0], second.type.dims[0]);
  Exp exp = {.form = FORM_CONCAT, .concat = {.dim = 0}};
  exp.concat.arrays = atoms_of(g->arena, 2, (Atom[]){first.atom, second.atom});
  *out = append(g, type_array(g->arena, type_row(first.type), n), exp, false);
  return true;
}

static bool rotate(Gen *g, Atom *out) {
  Known *k = gen_pick(g, is_array);
  if (!k) return false;
  Atom by = gen_scalar(g, PRIM_I64);
  Exp exp = {.form = FORM_ROTATE, .rotate = {.array = k->atom, .by = by}};
  *out = append(g, k->type, exp, false);
  return true;
}

bool gen_stm_array(Gen *g) {
  Atom r;
  switch (gen_random(g, 8)) {
    case 0: r = literal(g); break;
    case 1: r = constant(g); break;
    case 2: r = iota(g); break;
    case 3: r = scratch(g); break;
    case 4:
      if (!concat(g, &r)) return false;
      break;
    case 5:
      if (!rotate(g, &r)) return false;
      break;
    case 6: {
      Type type = gen_type(g, 2);
      if (type.rank == 0) type = type_array(g->arena, type, gen_size(g));
      r = build_replicate(&g->b, atoms_of(g->arena, type.rank, type.dims),
                          gen_scalar(g, type.prim));
      break;
    }
    default: {
      Known *k = gen_pick(g, is_array);
      if (!k) return false;
      r = build_copy(&g->b, k->atom);
    }
  }
  gen_know(g, r, gen_root(g));
  return true;
}

// ---- views
static void slice_all(Gen *g, Slice *slice, Atom n) {
  list_push(g->arena, slice,
            (SliceDim){.start = atom_i64(0), .count = n, .stride = atom_i64(1)});
}

// Of a dimension n: the first half, the second half, all backwards, every other of a constant.
static SliceDim range_of(Gen *g, Atom n) {
  if (!n.is_var && n.value.i > 1 && gen_chance(g, 60)) {
    int64_t start = gen_random(g, (uint32_t)n.value.i), step = gen_chance(g, 50) ? 1 : 2;
    if (gen_chance(g, 30)) step = -step;
    int64_t room = step > 0 ? (n.value.i - 1 - start) / step : start / -step;
    int64_t count = gen_random(g, (uint32_t)room + 2);
    return (SliceDim){.start = atom_i64(start), .count = atom_i64(count), .stride = atom_i64(step)};
  }
  if (gen_chance(g, 30)) {
    Atom last = build_op(&g->b, OP_SUB, n, atom_i64(1));
    return (SliceDim){.start = last, .count = n, .stride = atom_i64(-1)};
  }
  Atom half = build_op(&g->b, OP_QUOT, n, atom_i64(2));
  return (SliceDim){.start = gen_chance(g, 50) ? half : atom_i64(0),
                    .count = half,
                    .stride = atom_i64(1)};
}

static Atom slice_view(Gen *g, Known k) {
  Slice slice = {0};
  Atoms counts = {0};
  for (int d = 0; d < k.type.rank && (d == 0 || gen_chance(g, 50)); d++) {
    bool ok;
    Atom i = gen_index(g, k.type.dims[d], &ok);
    if (ok && gen_chance(g, 30) && k.type.rank > 1 && counts.len + 1 < k.type.rank) {
      list_push(g->arena, &slice, (SliceDim){.is_fix = true, .start = i});
      continue;
    }
    if (gen_chance(g, 20)) slice_all(g, &slice, k.type.dims[d]);
    else list_push(g->arena, &slice, range_of(g, k.type.dims[d]));
    list_push(g->arena, &counts, slice.at[slice.len - 1].count);
  }
  Exp exp = {.form = FORM_INDEX, .index = {.array = k.atom, .slice = slice}};
  Type type = type_array_dims(g->arena, type_peel(k.type, slice.len), counts);
  return append(g, type, exp, false);
}

static Atom rearranged(Gen *g, Known k) {
  int *perm = NEW_ARRAY(g->arena, int, k.type.rank);
  for (int i = 0; i < k.type.rank; i++) perm[i] = i;
  for (int i = k.type.rank - 1; i > 0; i--) {
    int j = (int)gen_random(g, (uint32_t)i + 1), t = perm[i];
    perm[i] = perm[j];
    perm[j] = t;
  }
  return build_rearrange(&g->b, k.atom, perm);
}

// [a][b].. to [a*b]..; [n] to [1][n].
static Atom reshaped(Gen *g, Known k) {
  Exp exp = {.form = FORM_RESHAPE, .reshape = {.array = k.atom}};
  int from = 2;
  if (k.type.rank > 1) {
    list_push(g->arena, &exp.reshape.dims,
              build_op(&g->b, OP_MUL, k.type.dims[0], k.type.dims[1]));
  } else {
    list_push(g->arena, &exp.reshape.dims, atom_i64(1));
    from = 0;
  }
  for (int d = from; d < k.type.rank; d++)
    list_push(g->arena, &exp.reshape.dims, k.type.dims[d]);
  Type type = type_array_dims(g->arena, type_scalar(k.type.prim), exp.reshape.dims);
  return append(g, type, exp, gen_chance(g, 30));
}

static bool flat_view(Gen *g, Known k, Atom *out) {
  Atom n = k.type.dims[0];
  if (n.is_var || n.value.i < 2) return false;
  int64_t offset = gen_random(g, 2), rows = 2, cols = n.value.i - offset - 1;
  if (cols < 1) return false;
  Exp exp = {.form = FORM_FLATINDEX,
             .flatindex = {.array = k.atom, .offset = atom_i64(offset)}};
  list_push(g->arena, &exp.flatindex.counts, atom_i64(rows));
  list_push(g->arena, &exp.flatindex.counts, atom_i64(cols));
  list_push(g->arena, &exp.flatindex.strides, atom_i64(1));
  list_push(g->arena, &exp.flatindex.strides, atom_i64(1));
  *out = append(g, type_array_dims(g->arena, type_row(k.type), exp.flatindex.counts), exp, false);
  return true;
}

bool gen_stm_view(Gen *g) {
  Known *pick = gen_pick(g, gen_chance(g, 50) ? is_matrix : is_array);
  if (!pick) return false;
  Known k = *pick;
  Atom r;
  Exp exp = {.form = FORM_REVERSE, .reverse = {.array = k.atom}};
  switch (gen_random(g, 7)) {
    case 0: r = append(g, k.type, exp, false); break;
    case 1: r = rearranged(g, k); break;
    case 2: r = reshaped(g, k); break;
    case 3:
      exp = (Exp){.form = FORM_ATOM, .atom = {.arg = k.atom}};
      r = append(g, k.type, exp, false);
      break;
    case 4:
      if (flat_view(g, k, &r)) break;
      r = slice_view(g, k);
      break;
    case 5:
      exp = (Exp){.form = FORM_OPAQUE, .opaque = {k.atom}};
      if (!g->options.smooth && gen_chance(g, 40))
        exp = (Exp){.form = FORM_STOPGRADIENT, .stopgradient = {k.atom}};
      r = append(g, k.type, exp, false);
      break;
    default: r = slice_view(g, k);
  }
  gen_know(g, r, k.roots);
  return true;
}

// ---- elements
Atom gen_index(Gen *g, Atom dim, bool *ok) {
  Atom found = atom_i64(0);
  uint32_t seen = 0;
  *ok = false;
  if (!dim.is_var && dim.value.i > 0) {
    *ok = true;
    seen = 1;
    found = atom_i64(gen_random(g, (uint32_t)dim.value.i));
  }
  for (int i = 0; i < g->known.len; i++) {
    const Known *k = &g->known.at[i];
    bool small = k->has_below && !dim.is_var && !k->below.is_var && k->below.value.i <= dim.value.i;
    if (!k->has_below || !(small || atom_same(k->below, dim))) continue;
    *ok = true;
    if (gen_random(g, ++seen) == 0) found = k->atom;
  }
  return found;
}

// Indices into the first dimensions; checked if one may be out of bounds.
static bool indices(Gen *g, Known k, int most, Slice *slice, bool *checked) {
  *checked = gen_chance(g, 50);
  for (int d = 0; d < most; d++) {
    bool ok;
    Atom i = gen_index(g, k.type.dims[d], &ok);
    if (g->options.may_fail && (!ok || gen_chance(g, 10))) {
      i = gen_scalar(g, PRIM_I64);
      *checked = ok = true;
    }
    if (!ok) break;
    list_push(g->arena, slice, (SliceDim){.is_fix = true, .start = i});
  }
  return slice->len > 0;
}

bool gen_stm_index(Gen *g) {
  Known *pick = gen_pick(g, is_array);
  if (!pick) return false;
  Known k = *pick;
  Slice slice = {0};
  bool checked;
  int most = gen_chance(g, 75) ? k.type.rank : (int)gen_random(g, (uint32_t)k.type.rank) + 1;
  if (!indices(g, k, most, &slice, &checked)) return false;
  Exp exp = {.form = FORM_INDEX, .index = {.array = k.atom, .slice = slice}};
  Atom r = append(g, type_peel(k.type, slice.len), exp, !checked);
  gen_know(g, r, slice.len < k.type.rank ? k.roots : 0);
  return true;
}

static bool may_update(Gen *g, const Known *k) { return gen_consumable(g, k); }

bool gen_stm_update(Gen *g) {
  Known *pick = gen_pick(g, may_update);
  if (!pick) return false;
  Known k = *pick;
  Slice slice = {0};
  bool checked = true;
  Type row;
  if (gen_chance(g, 25) && !k.type.dims[0].is_var) {
    list_push(g->arena, &slice, range_of(g, k.type.dims[0]));
    row = type_array(g->arena, type_row(k.type), slice.at[0].count);
  } else {
    if (!indices(g, k, k.type.rank, &slice, &checked)) return false;
    row = type_peel(k.type, slice.len);
  }
  uint64_t dead = g->dead;
  g->dead |= k.roots;
  Atom value = gen_value(g, row);
  g->dead = dead | k.roots;
  Exp exp = {.form = FORM_UPDATE, .update = {.array = k.atom, .slice = slice, .value = value}};
  gen_know(g, append(g, k.type, exp, !checked), gen_root(g));
  return true;
}
