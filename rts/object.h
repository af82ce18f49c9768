// object: the values at a program's edge (arrays, records, sums, arrays of those) and calls of
// entry points, all driven by the tables of abi.h.  Functions return 0 or an error code; an
// error's text is in the context.  The caller frees their results.
#ifndef DZ_OBJECT_H
#define DZ_OBJECT_H
#include "ctx.h"

// ---- arrays ----------------------------------------------------------------------------------
// Takes the block over, also on failure.  offset: bytes from the block's start.
DZ_FN int dz_array_wrap(DzCtx *c, DzArray **out, DzBlock *b, int64_t offset, DzPrim prim, int rank,
                        const int64_t *shape) {
  for (int d = 0; d < rank; d++)
    if (shape[d] < 0) {
      dz_free(c, b);
      return dz_error(c, DZ_PROGRAM_ERROR, "Size %" PRId64 " of the result is negative.", shape[d]);
    }
  DzArray *a = (DzArray *)malloc(sizeof *a + sizeof *shape * (size_t)rank);
  if (a == NULL) {
    dz_free(c, b);
    return dz_out_of_memory(c, (int64_t)sizeof *a, -1);
  }
  a->mem = *b;
  a->data = b->at + offset;
  a->prim = (int32_t)prim;
  a->rank = rank;
  memcpy(a->shape, shape, sizeof *shape * (size_t)rank);
  *b = (DzBlock){0};
  *out = a;
  return 0;
}

DZ_FN int64_t dz_array_count(const DzArray *a) { return dz_shape_count(a->rank, a->shape, 1); }
DZ_FN int64_t dz_array_bytes(const DzArray *a) {
  return dz_array_count(a) * dz_prim_sizes[a->prim];
}

// A new array with undefined elements.
DZ_FN int dz_array_empty(DzCtx *c, DzArray **out, DzPrim prim, int rank, const int64_t *shape) {
  int64_t count = dz_shape_count(rank, shape, dz_prim_sizes[prim]);
  if (count < 0) return dz_error(c, DZ_ERROR, "array with an impossible shape");
  DzBlock b = {0};
  int err = dz_alloc(c, &b, count * dz_prim_sizes[prim], -1);
  return err != 0 ? err : dz_array_wrap(c, out, &b, 0, prim, rank, shape);
}

DZ_FN int dz_array_new(DzCtx *c, DzArray **out, DzPrim prim, int rank, const int64_t *shape,
                       const void *data) {
  int err = dz_array_empty(c, out, prim, rank, shape);
  if (err == 0 && dz_array_bytes(*out) > 0)
    memcpy((*out)->data, data, (size_t)dz_array_bytes(*out));
  return err;
}

DZ_FN void dz_array_free(DzCtx *c, DzArray *a) {
  if (a == NULL) return;
  dz_free(c, &a->mem);
  free(a);
}

// A second array of the caller's elements (dagaz_wrap).
DZ_FN int dz_array_borrow(DzCtx *c, DzArray **out, const DzArray *a) {
  DzBlock none = {0};
  int err = dz_array_wrap(c, out, &none, 0, (DzPrim)a->prim, a->rank, a->shape);
  if (err == 0) (*out)->data = a->data;
  return err;
}

// A second array sharing the elements.
DZ_FN int dz_array_share(DzCtx *c, DzArray **out, const DzArray *a) {
  DzBlock b = dz_retain(&a->mem);
  if (b.at == NULL) return dz_array_borrow(c, out, a);
  return dz_array_wrap(c, out, &b, a->data - a->mem.at, (DzPrim)a->prim, a->rank, a->shape);
}

DZ_FN int dz_array_copy(DzCtx *c, DzArray **out, const DzArray *a) {
  return dz_array_new(c, out, (DzPrim)a->prim, a->rank, a->shape, a->data);
}

// Makes the elements this array's alone, so that they may be overwritten.
DZ_FN int dz_array_own(DzCtx *c, DzArray *a) {
  if (a->mem.at != NULL && !dz_shared(&a->mem)) return 0;
  DzBlock b = {0};
  int64_t bytes = dz_array_bytes(a);
  int err = dz_alloc(c, &b, bytes, -1);
  if (err != 0) return err;
  if (bytes > 0) memcpy(b.at, a->data, (size_t)bytes);
  dz_free(c, &a->mem);
  a->mem = b;
  a->data = b.at;
  return 0;
}

// Row-major position of an index of the first n dimensions, in elements; -1: out of bounds.
DZ_FN int64_t dz_array_position(const DzArray *a, int n, const int64_t *at) {
  int64_t k = 0;
  for (int i = 0; i < a->rank; i++) {
    if (i < n && (at[i] < 0 || at[i] >= a->shape[i])) return -1;
    k = k * a->shape[i] + (i < n ? at[i] : 0);
  }
  return k;
}

// The elements of an argument that may be overwritten, as a block of their own.
DZ_FN int dz_consume(DzCtx *c, DzBlock *b, const DzArray *a) {
  if (a->mem.at != NULL && a->data == a->mem.at) {
    *b = dz_retain(&a->mem);
    return 0;
  }
  const int64_t bytes = dz_array_bytes(a);
  const int err = dz_alloc(c, b, bytes, -1);
  if (err == 0) dz_copy(b->at, a->data, bytes);
  return err;
}

// Where the scalar member of a DzVal for this type lies.
DZ_FN void dz_scalar_load(DzVal *v, DzPrim prim, const char *p) {
  memset(v, 0, sizeof *v);
  memcpy(v, p, dz_prim_sizes[prim]);
}

// ---- values: by type -------------------------------------------------------------------------
// The types of scalars, for every program.
#define DZ_PRIM_TYPE(name, ctype, prim) \
  {name, ctype, DZ_SCALAR, 1, (const DzLeaf[]){{prim, 0}}, 0, NULL, 0, NULL, 0, NULL}
DZ_FN const DzType dz_prim_types[DZ_PRIM_COUNT] = {
    DZ_PRIM_TYPE("i8", "int8_t", DZ_I8),     DZ_PRIM_TYPE("i16", "int16_t", DZ_I16),
    DZ_PRIM_TYPE("i32", "int32_t", DZ_I32),  DZ_PRIM_TYPE("i64", "int64_t", DZ_I64),
    DZ_PRIM_TYPE("u8", "uint8_t", DZ_U8),    DZ_PRIM_TYPE("u16", "uint16_t", DZ_U16),
    DZ_PRIM_TYPE("u32", "uint32_t", DZ_U32), DZ_PRIM_TYPE("u64", "uint64_t", DZ_U64),
    DZ_PRIM_TYPE("f16", "uint16_t", DZ_F16), DZ_PRIM_TYPE("f32", "float", DZ_F32),
    DZ_PRIM_TYPE("f64", "double", DZ_F64),   DZ_PRIM_TYPE("bool", "bool", DZ_BOOL),
};

DZ_FN bool dz_type_is_opaque(const DzType *t) {
  return t->kind != DZ_SCALAR && t->kind != DZ_ARRAY;
}

// The leaves of a value, in place.
DZ_FN DzVal *dz_val_leaves(const DzType *t, DzVal *v) {
  return dz_type_is_opaque(t) ? v->opaque->leaf : v;
}

DZ_FN int dz_opaque_empty(DzCtx *c, const DzType *t, DzOpaque **out) {
  size_t n = (size_t)t->leaf_count;
  DzOpaque *o = (DzOpaque *)calloc(1, sizeof *o + sizeof(DzVal) * (n + 1));
  if (o == NULL) return dz_out_of_memory(c, (int64_t)sizeof *o, -1);
  o->type = t;
  *out = o;
  return 0;
}

DZ_FN void dz_opaque_free(DzCtx *c, DzOpaque *o) {
  if (o == NULL) return;
  for (int i = 0; i < o->type->leaf_count; i++)
    if (o->type->leaves[i].rank > 0) dz_array_free(c, o->leaf[i].array);
  free(o);
}

DZ_FN void dz_val_free(DzCtx *c, const DzType *t, DzVal *v) {
  if (t->kind == DZ_ARRAY) dz_array_free(c, v->array);
  else if (t->kind != DZ_SCALAR) dz_opaque_free(c, v->opaque);
}

// The part of a whole's leaves, as a value that shares the arrays.
DZ_FN int dz_part_get(DzCtx *c, const DzPart *part, DzVal *leaves, DzVal *out) {
  const DzType *t = part->type;
  DzVal whole = {0};
  int err = dz_type_is_opaque(t) ? dz_opaque_empty(c, t, &whole.opaque) : 0;
  if (err != 0) return err;
  DzVal *to = dz_val_leaves(t, &whole);
  for (int i = 0; i < t->leaf_count && err == 0; i++) {
    const DzVal *from = &leaves[part->at != NULL ? part->at[i] : part->from + i];
    if (t->leaves[i].rank == 0) to[i] = *from;
    else err = dz_array_share(c, &to[i].array, from->array);
  }
  if (err != 0) dz_val_free(c, t, &whole);
  else *out = whole;
  return err;
}

DZ_FN int dz_part_set(DzCtx *c, const DzPart *part, DzVal *leaves, DzVal value) {
  const DzType *t = part->type;
  const DzVal *from = dz_val_leaves(t, &value);
  int err = 0;
  for (int i = 0; i < t->leaf_count && err == 0; i++) {
    DzVal *to = &leaves[part->at != NULL ? part->at[i] : part->from + i];
    if (t->leaves[i].rank == 0) *to = from[i];
    else err = dz_array_share(c, &to->array, from[i].array);
  }
  return err;
}

// Which leaves of the whole a part's leaves are, where the whole's are those of `at` (NULL: in
// order).  The caller's to free; NULL: out of memory.
DZ_FN int *dz_part_where(const DzPart *part, const int *at) {
  int n = part->type->leaf_count, *where = (int *)calloc((size_t)n + 1, sizeof *where);
  for (int k = 0; k < n && where != NULL; k++) {
    int leaf = part->at != NULL ? part->at[k] : part->from + k;
    where[k] = at != NULL ? at[leaf] : leaf;
  }
  return where;
}

// ---- records ---------------------------------------------------------------------------------
DZ_FN int dz_record_new(DzCtx *c, const DzType *t, DzOpaque **out, const DzVal *fields) {
  DzOpaque *o;
  int err = dz_opaque_empty(c, t, &o);
  if (err != 0) return err;
  for (int i = 0; i < t->part_count && err == 0; i++)
    err = dz_part_set(c, &t->parts[i], o->leaf, fields[i]);
  if (err != 0) dz_opaque_free(c, o);
  else *out = o;
  return err;
}

DZ_FN int dz_record_project(DzCtx *c, const DzOpaque *o, int field, DzVal *out) {
  return dz_part_get(c, &o->type->parts[field], (DzVal *)(uintptr_t)o->leaf, out);
}

// ---- sums ------------------------------------------------------------------------------------
// The number of the variant a value has.
DZ_FN int dz_sum_variant(const DzOpaque *o) {
  int k = o->leaf[0].u8;
  return k < o->type->variant_count ? k : 0;
}

// Leaves that belong to other variants: zero, and arrays without elements.
DZ_FN int dz_sum_fill(DzCtx *c, DzOpaque *o) {
  int64_t shape[DZ_RANK_MAX] = {0};
  for (int i = 1; i < o->type->leaf_count; i++) {
    const DzLeaf *leaf = &o->type->leaves[i];
    if (leaf->rank == 0 || o->leaf[i].array != NULL) continue;
    int err = dz_array_empty(c, &o->leaf[i].array, leaf->prim, leaf->rank, shape);
    if (err != 0) return err;
  }
  return 0;
}

DZ_FN int dz_sum_new(DzCtx *c, const DzType *t, int variant, DzOpaque **out,
                     const DzVal *payload) {
  DzOpaque *o;
  int err = dz_opaque_empty(c, t, &o);
  if (err != 0) return err;
  o->leaf[0].u8 = (uint8_t)variant;
  const DzVariant *v = &t->variants[variant];
  for (int i = 0; i < v->part_count && err == 0; i++)
    err = dz_part_set(c, &v->parts[i], o->leaf, payload[i]);
  if (err == 0) err = dz_sum_fill(c, o);
  if (err != 0) dz_opaque_free(c, o);
  else *out = o;
  return err;
}

DZ_FN int dz_sum_destruct(DzCtx *c, const DzOpaque *o, int variant, DzVal *out) {
  const DzVariant *v = &o->type->variants[variant];
  if (dz_sum_variant(o) != variant)
    return dz_error(c, DZ_ERROR, "value is not of variant #%s", v->name);
  for (int i = 0; i < v->part_count; i++) {
    int err = dz_part_get(c, &v->parts[i], (DzVal *)(uintptr_t)o->leaf, &out[i]);
    if (err == 0) continue;
    while (i-- > 0) dz_val_free(c, v->parts[i].type, &out[i]);
    return err;
  }
  return 0;
}

// ---- arrays of opaques -----------------------------------------------------------------------
// The common outer shape (o->type->rank dimensions).
DZ_FN const int64_t *dz_rows_shape(const DzOpaque *o) {
  static const int64_t none[DZ_RANK_MAX] = {0};
  return o->type->leaf_count > 0 ? o->leaf[0].array->shape : none;
}

// One element: each leaf at the index.
DZ_FN int dz_rows_index(DzCtx *c, const DzOpaque *o, const int64_t *at, DzVal *out) {
  const DzType *t = o->type->elem;
  DzVal whole = {0};
  int n = o->type->rank, err = 0;
  if (dz_array_position(o->leaf[0].array, n, at) < 0)
    return dz_error(c, DZ_ERROR, "index out of bounds");
  if (dz_type_is_opaque(t)) err = dz_opaque_empty(c, t, &whole.opaque);
  if (err != 0) return err;
  DzVal *to = dz_val_leaves(t, &whole);
  for (int i = 0; i < t->leaf_count && err == 0; i++) {
    DzArray *a = o->leaf[i].array;
    const char *p = a->data + dz_array_position(a, n, at) * dz_prim_sizes[a->prim];
    if (t->leaves[i].rank == 0) dz_scalar_load(&to[i], t->leaves[i].prim, p);
    else err = dz_array_new(c, &to[i].array, (DzPrim)a->prim, a->rank - n, a->shape + n, p);
  }
  if (err != 0) dz_val_free(c, t, &whole);
  else *out = whole;
  return err;
}

// The bytes of one leaf of an element, and the shape they must have.
DZ_FN bool dz_rows_fit(const DzArray *rows, int n, DzLeaf leaf, const DzVal *v) {
  return leaf.rank == 0 ||
         memcmp(rows->shape + n, v->array->shape, sizeof(int64_t) * (size_t)leaf.rank) == 0;
}

DZ_FN void dz_rows_put(const DzArray *rows, int64_t position, DzLeaf leaf, const DzVal *v) {
  char *p = rows->data + position * dz_prim_sizes[leaf.prim];
  if (leaf.rank == 0) memcpy(p, v, dz_prim_sizes[leaf.prim]);
  else if (dz_array_bytes(v->array) > 0)
    memcpy(p, v->array->data, (size_t)dz_array_bytes(v->array));
}

// Replaces one element in place.
DZ_FN int dz_rows_set(DzCtx *c, DzOpaque *o, DzVal value, const int64_t *at) {
  const DzType *t = o->type->elem;
  const DzVal *from = dz_val_leaves(t, &value);
  int n = o->type->rank;
  if (dz_array_position(o->leaf[0].array, n, at) < 0)
    return dz_error(c, DZ_ERROR, "index out of bounds");
  for (int i = 0; i < t->leaf_count; i++) {
    DzArray *a = o->leaf[i].array;
    if (!dz_rows_fit(a, n, t->leaves[i], &from[i]))
      return dz_error(c, DZ_ERROR, "element has another shape than the array's");
  }
  for (int i = 0; i < t->leaf_count; i++) {
    DzArray *a = o->leaf[i].array;
    int err = dz_array_own(c, a);
    if (err != 0) return err;
    dz_rows_put(a, dz_array_position(a, n, at), t->leaves[i], &from[i]);
  }
  return 0;
}

// All leaves of a new array of opaques; inner dimensions are those of the first element.
DZ_FN int dz_rows_leaf(DzCtx *c, const DzType *t, int leaf, DzVal *out, const DzVal *elems,
                       int64_t count, const int64_t *shape) {
  int64_t dims[2 * DZ_RANK_MAX] = {0};
  DzLeaf inner = t->elem->leaves[leaf];
  memcpy(dims, shape, sizeof *shape * (size_t)t->rank);
  for (int64_t k = 0; k < count && inner.rank > 0 && k < 1; k++) {
    DzVal first = elems[k];
    memcpy(dims + t->rank, dz_val_leaves(t->elem, &first)[leaf].array->shape,
           sizeof *dims * (size_t)inner.rank);
  }
  int err = dz_array_empty(c, &out->array, inner.prim, t->rank + inner.rank, dims);
  int64_t step = 1;
  for (int i = 0; i < inner.rank; i++) step *= dims[t->rank + i];
  for (int64_t k = 0; k < count && err == 0; k++) {
    DzVal elem = elems[k];
    const DzVal *v = &dz_val_leaves(t->elem, &elem)[leaf];
    if (!dz_rows_fit(out->array, t->rank, inner, v))
      err = dz_error(c, DZ_ERROR, "elements of an array have different shapes");
    else dz_rows_put(out->array, k * step, inner, v);
  }
  return err;
}

DZ_FN int dz_rows_new(DzCtx *c, const DzType *t, DzOpaque **out, const DzVal *elems,
                      const int64_t *shape) {
  DzOpaque *o;
  int64_t count = dz_shape_count(t->rank, shape, 1);
  if (count < 0) return dz_error(c, DZ_ERROR, "array with an impossible shape");
  int err = dz_opaque_empty(c, t, &o);
  if (err != 0) return err;
  for (int i = 0; i < t->leaf_count && err == 0; i++)
    err = dz_rows_leaf(c, t, i, &o->leaf[i], elems, count, shape);
  if (err != 0) dz_opaque_free(c, o);
  else *out = o;
  return err;
}

// Field i of an array of records is an array of the field's type, with these leaves; the parts
// of the element type number the leaves of the whole array, too.
DZ_FN int dz_rows_zip(DzCtx *c, const DzType *t, DzOpaque **out, const DzType *const *types,
                      const DzVal *fields) {
  DzOpaque *o;
  int err = dz_opaque_empty(c, t, &o);
  if (err != 0) return err;
  for (int i = 0; i < t->elem->part_count && err == 0; i++) {
    DzPart part = t->elem->parts[i];
    bool has_leaves = part.type->leaf_count > 0;  // a unit field has none in the whole
    part.type = types[i];
    if (has_leaves) err = dz_part_set(c, &part, o->leaf, fields[i]);
  }
  if (err == 0 && t->elem->leaf_count == 0)
    err = dz_array_share(c, &o->leaf[0].array, fields[0].opaque->leaf[0].array);
  for (int i = 0; i < t->elem->part_count && err == 0; i++) {
    DzVal field = fields[i];
    const DzArray *a = dz_val_leaves(types[i], &field)[0].array;
    if (memcmp(o->leaf[0].array->shape, a->shape, sizeof(int64_t) * (size_t)t->rank) != 0)
      err = dz_error(c, DZ_ERROR, "arrays to zip have different shapes");
  }
  if (err != 0) dz_opaque_free(c, o);
  else *out = o;
  return err;
}

// Arrays of elements without leaves have one of bytes, for their shape.
DZ_FN int dz_rows_unit(DzCtx *c, const DzOpaque *o, const DzType *type, DzVal *out) {
  int err = dz_opaque_empty(c, type, &out->opaque);
  if (err != 0) return err;
  DzLeaf leaf = type->leaves[0];
  err = dz_array_empty(c, &out->opaque->leaf[0].array, leaf.prim, leaf.rank, dz_rows_shape(o));
  if (err != 0) dz_opaque_free(c, out->opaque);
  return err;
}

// `type` is the type of the arrays of that field.
DZ_FN int dz_rows_project(DzCtx *c, const DzOpaque *o, int field, const DzType *type, DzVal *out) {
  DzPart part = o->type->elem->parts[field];
  if (part.type->leaf_count == 0) return dz_rows_unit(c, o, type, out);
  part.type = type;
  return dz_part_get(c, &part, (DzVal *)(uintptr_t)o->leaf, out);
}

// The program's type for arrays of `rank` more dimensions over t: for a scalar or array the
// array of the higher rank.  NULL: the program has none.
DZ_FN const DzType *dz_type_rows(const DzProgram *program, const DzType *t, int rank) {
  for (int i = 0; i < program->type_count; i++) {
    const DzType *u = program->types[i];
    if (dz_type_is_opaque(t)) {
      if (u->kind == DZ_OPAQUE_ARRAY && u->elem == t && u->rank == rank) return u;
      if (u->kind == DZ_OPAQUE_ARRAY && t->kind == DZ_OPAQUE_ARRAY && u->elem == t->elem &&
          u->rank == t->rank + rank)
        return u;
    } else if (u->kind == DZ_ARRAY && u->leaves[0].prim == t->leaves[0].prim &&
               u->leaves[0].rank == t->leaves[0].rank + rank) {
      return u;
    }
  }
  return NULL;
}

// ---- calls -----------------------------------------------------------------------------------
// Blocks of consumed inputs become theirs alone.
DZ_FN int dz_entry_own(DzCtx *c, const DzEntry *e, DzVal *in) {
  DzVal *v = in;
  for (int i = 0; i < e->in_count; i++)
    for (int k = 0; k < e->in[i].type->leaf_count; k++, v++)
      if (e->in[i].unique && e->in[i].type->leaves[k].rank > 0) {
        int err = dz_array_own(c, v->array);
        if (err != 0) return err;
      }
  return 0;
}

DZ_FN int dz_entry_leaves(const DzEntry *e) {
  int n = 0;
  for (int i = 0; i < e->in_count; i++) n += e->in[i].type->leaf_count;
  return n;
}

DZ_FN void dz_entry_flatten(const DzEntry *e, DzVal *leaves, const DzVal *in) {
  for (int i = 0; i < e->in_count; i++) {
    DzVal value = in[i];
    int n = e->in[i].type->leaf_count;
    if (n > 0) memcpy(leaves, dz_val_leaves(e->in[i].type, &value), sizeof *leaves * (size_t)n);
    leaves += n;
  }
}

// A consumed argument must not be another argument as well.  (Arrays that share their elements
// are told by their blocks, which dz_entry_own copies.)
DZ_FN int dz_entry_separate(DzCtx *c, const DzEntry *e, const DzVal *in) {
  for (int i = 0; i < e->in_count; i++)
    for (int k = 0; e->in[i].unique && e->in[i].type->kind != DZ_SCALAR && k < e->in_count; k++)
      if (k != i && e->in[k].type->kind != DZ_SCALAR && in[k].array == in[i].array)
        return dz_error(c, DZ_ERROR, "argument %d is consumed and is also argument %d", i, k);
  return 0;
}

// Kernels of a device read blocks: for the time of a call, elements that are the caller's are copied
// to one.  data: where they are, by input; NULL: in a block already.
DZ_FN int dz_entry_lend(DzCtx *c, const DzEntry *e, DzVal *in, char **data) {
  DzVal *v = in;
  for (int i = 0; i < e->in_count; i++)
    for (int k = 0; k < e->in[i].type->leaf_count; k++, v++) {
      if (e->in[i].type->leaves[k].rank == 0 || v->array->mem.at != NULL) continue;
      char *const before = v->array->data;
      int err = dz_array_own(c, v->array);
      if (err != 0) return err;
      data[v - in] = before;
    }
  return 0;
}

DZ_FN int dz_entry_on_device(DzCtx *c, const DzEntry *e, DzVal *out, DzVal *in) {
  const int n = dz_entry_leaves(e);
  char **data = (char **)calloc((size_t)n + 1, sizeof *data);
  if (data == NULL) return dz_out_of_memory(c, 0, -1);
  int err = dz_entry_lend(c, e, in, data);
  if (err == 0) err = e->call(c, out, in);
  for (int i = 0; i < n; i++)
    if (data[i] != NULL) {
      dz_free(c, &in[i].array->mem);
      in[i].array->data = data[i];
    }
  free(data);
  return err;
}

// Calls an entry point by leaves, and counts it.
DZ_FN int dz_entry_run(DzCtx *c, const DzEntry *e, DzVal *out, DzVal *in) {
  dz_profile_call(c);
  const int64_t start = dz_now();
  c->running = true;
  int err = c->dev != NULL ? dz_entry_on_device(c, e, out, in) : e->call(c, out, in);
  c->running = false;
  c->run_ns += dz_now() - start;
  c->calls++;
  return err;
}

// Calls an entry point with whole values; *out is the caller's.
DZ_FN int dz_entry_call(DzCtx *c, const DzEntry *e, DzVal *out, const DzVal *in) {
  const DzType *t = e->out.type;
  DzVal result = {0}, *leaves = (DzVal *)calloc((size_t)dz_entry_leaves(e) + 1, sizeof *leaves);
  if (leaves == NULL) return dz_out_of_memory(c, 0, -1);
  dz_entry_flatten(e, leaves, in);
  int err = dz_entry_separate(c, e, in);
  if (err == 0) err = dz_entry_own(c, e, leaves);
  if (err == 0 && dz_type_is_opaque(t)) err = dz_opaque_empty(c, t, &result.opaque);
  if (err == 0) {
    err = dz_entry_run(c, e, dz_val_leaves(t, &result), leaves);
    if (err != 0 && dz_type_is_opaque(t)) free(result.opaque);
  }
  free(leaves);
  if (err == 0) *out = result;
  return err;
}

// ---- serialised opaques ----------------------------------------------------------------------
// "DZO1", the length of the type's name (8 bytes), the name, then each leaf as a binary value.
DZ_FN void dz_val_put(DzSink *s, const DzType *t, const DzVal *v) {
  DzVal value = *v;
  const DzVal *leaves = dz_val_leaves(t, &value);
  if (dz_type_is_opaque(t)) {
    int64_t n = (int64_t)strlen(t->name);
    dz_puts(s, "DZO1");
    dz_put(s, &n, sizeof n);
    dz_puts(s, t->name);
  }
  for (int i = 0; i < t->leaf_count; i++) {
    const DzArray *a = leaves[i].array;
    if (t->leaves[i].rank == 0)
      dz_put_binary(s, t->leaves[i].prim, 0, NULL, (const char *)&leaves[i]);
    else dz_put_binary(s, (DzPrim)a->prim, a->rank, a->shape, a->data);
  }
}

// A value that was read becomes a leaf.
DZ_FN int dz_leaf_take(DzCtx *c, DzVal *out, DzValue *v) {
  int err = 0;
  if (v->rank == 0) dz_scalar_load(out, v->prim, v->data);
  else err = dz_array_new(c, &out->array, v->prim, v->rank, v->shape, v->data);
  dz_value_free(v);
  return err;
}

DZ_FN bool dz_opaque_head(DzReader *r, const DzType *t) {
  char magic[4], name[4096];
  int64_t n;
  dz_skip(r);
  if (!dz_read_bytes(r, magic, 4) || memcmp(magic, "DZO1", 4) != 0 ||
      !dz_read_bytes(r, (char *)&n, sizeof n) || n < 0 || n >= (int64_t)sizeof name ||
      !dz_read_bytes(r, name, (size_t)n))
    return dz_reader_fail(r, "not a stored value");
  if ((size_t)n == strlen(t->name) && memcmp(name, t->name, (size_t)n) == 0) return true;
  return dz_reader_fail(r, "stored value is of type %.*s", (int)(n < 100 ? n : 100), name);
}

// Whether a variant's number is below the count, for each of the elements.  used[k]: k is there.
DZ_FN bool dz_variants_known(const DzType *t, int rank, const DzVal *tag, bool *used) {
  const uint8_t *tags = rank == 0 ? &tag->u8 : (const uint8_t *)tag->array->data;
  int64_t n = rank == 0 ? 1 : dz_array_count(tag->array);
  for (int64_t i = 0; i < n; i++) {
    if (tags[i] >= t->variant_count) return false;
    used[tags[i]] = true;
  }
  return true;
}

// Further conditions on the leaves (those of `at`) of an array with `rank` dimensions of t, or of
// a t: arrays of opaques have one outer shape, sums one of their variants.  Only the payloads of
// variants that occur are checked; the others share their leaves.
DZ_FN bool dz_leaves_agree(const DzType *t, int rank, const DzVal *leaves, const int *at);

DZ_FN bool dz_part_agrees(const DzPart *part, int rank, const DzVal *leaves, const int *at) {
  int *where = dz_part_where(part, at);
  bool ok = where != NULL && dz_leaves_agree(part->type, rank, leaves, where);
  free(where);
  return ok;
}

DZ_FN bool dz_leaves_agree(const DzType *t, int rank, const DzVal *leaves, const int *at) {
  bool used[256] = {false};
  if (t->kind == DZ_OPAQUE_ARRAY) {
    rank += t->rank;
    for (int i = 1; i < t->leaf_count; i++)
      if (memcmp(leaves[at[i]].array->shape, leaves[at[0]].array->shape,
                 sizeof(int64_t) * (size_t)rank) != 0)
        return false;
    t = t->elem;
  }
  if (t->kind == DZ_SUM && !dz_variants_known(t, rank, &leaves[at[0]], used)) return false;
  for (int i = 0; t->kind == DZ_RECORD && i < t->part_count; i++)
    if (!dz_part_agrees(&t->parts[i], rank, leaves, at)) return false;
  for (int k = 0; t->kind == DZ_SUM && k < t->variant_count; k++)
    for (int i = 0; used[k] && i < t->variants[k].part_count; i++)
      if (!dz_part_agrees(&t->variants[k].parts[i], rank, leaves, at)) return false;
  return true;
}

// A value that was read is not trusted.
DZ_FN bool dz_val_agrees(const DzType *t, const DzVal *leaves) {
  const DzPart whole = {NULL, t, 0, NULL};
  return !dz_type_is_opaque(t) || dz_part_agrees(&whole, 0, leaves, NULL);
}

// Reads a value of the type: text or binary, opaques as dz_val_put writes them.
DZ_FN int dz_val_read(DzCtx *c, DzReader *r, const DzType *t, DzVal *out) {
  DzVal whole = {0};
  bool opaque = dz_type_is_opaque(t);
  int err = opaque ? dz_opaque_empty(c, t, &whole.opaque) : 0;
  if (err != 0) return err;
  DzVal *leaves = dz_val_leaves(t, &whole);
  bool good = !opaque || dz_opaque_head(r, t);
  for (int i = 0; i < t->leaf_count && good && err == 0; i++) {
    DzValue v;
    good = dz_read_value(r, &t->leaves[i], &v);
    if (good) err = dz_leaf_take(c, &leaves[i], &v);
  }
  if (good && err == 0 && !dz_val_agrees(t, leaves))
    good = dz_reader_fail(r, "stored value of type %s is damaged", t->name);
  if (!good) err = dz_error(c, DZ_ERROR, "%s", r->error);
  if (err != 0) {
    if (opaque) dz_opaque_free(c, whole.opaque);
  } else *out = whole;
  return err;
}

// ---- the cost of a run, as JSON --------------------------------------------------------------
DZ_FN void dz_put_json(DzSink *s, const char *text) {
  dz_puts(s, "\"");
  for (; *text != 0; text++) {
    if (*text == '"' || *text == '\\') dz_puts(s, "\\");
    dz_putf(s, "%c", (unsigned char)*text < ' ' ? ' ' : *text);
  }
  dz_puts(s, "\"");
}

DZ_FN void dz_put_event(DzSink *s, const char *name, const char *place, int64_t runs, int64_t ns) {
  dz_puts(s, "{\"name\":");
  dz_put_json(s, name);
  dz_puts(s, ",\"provenance\":");
  dz_put_json(s, place);
  dz_putf(s, ",\"runs\":%" PRId64 ",\"duration\":%.3f", runs, (double)ns / 1e3);
}

// One event for all runs of a region, a kernel, copies one way.
DZ_FN void dz_put_events(DzSink *s, const DzCtx *c) {
  const char *comma = "";
  for (int i = 0; c->profile != NULL && i < c->program->region_count; i++) {
    const DzRegion *region = &c->program->regions[i];
    const DzSpent *spent = &c->profile->spent[i];
    if (spent->runs == 0) continue;
    dz_puts(s, comma);
    dz_put_event(s, region->form, region->place, spent->runs, spent->total_ns);
    dz_putf(s, ",\"own\":%.3f}", (double)spent->own_ns / 1e3);
    comma = ",";
  }
  for (const DzEvent *e = c->events; e != NULL; e = e->next) {
    if (e->runs == 0) continue;
    dz_puts(s, comma);
    dz_put_event(s, e->name, e->where, e->runs, e->ns);
    dz_putf(s, ",\"bytes\":%" PRId64 "}", e->bytes);
    comma = ",";
  }
}

// Microseconds since the call began.
DZ_FN void dz_put_bar(DzSink *s, const DzTimeline *t, const DzBar *bar) {
  dz_puts(s, "{\"name\":");
  dz_put_json(s, bar->name);
  dz_puts(s, ",\"provenance\":");
  dz_put_json(s, bar->where);
  if (bar->row >= 0) dz_putf(s, ",\"thread\":%d", bar->row);
  if (bar->row == DZ_BAR_DEVICE) dz_putf(s, ",\"bytes\":%" PRId64, bar->bytes);
  dz_putf(s, ",\"begin\":%.3f,\"end\":%.3f}", (double)(bar->begin - t->begin) / 1e3,
          (double)(bar->end - t->begin) / 1e3);
}

DZ_FN void dz_put_timeline(DzSink *s, const DzCtx *c) {
  const DzTimeline *t = c->timeline;
  const int64_t kept = t->count < DZ_BARS_MOST ? t->count : DZ_BARS_MOST;
  dz_putf(s, ",\"timeline\":{\"threads\":%d,\"duration\":%.3f,\"left_out\":%" PRId64
          ",\"bars\":[", t->threads, (double)(t->end - t->begin) / 1e3, t->count - kept);
  for (int64_t i = 0; i < kept; i++) {
    if (i > 0) dz_puts(s, ",");
    dz_put_bar(s, t, &t->bars[i]);
  }
  dz_puts(s, "]}");
}

DZ_FN void dz_put_report(DzSink *s, const DzCtx *c) {
  dz_putf(s, "{\"memory\":{\"now\":%" PRId64 ",\"peak\":%" PRId64 ",\"held\":%" PRId64 "},",
          c->mem_now, c->mem_peak, c->mem_held);
  dz_putf(s, "\"calls\":%" PRId64 ",\"microseconds\":%" PRId64 ",\"events\":[", c->calls,
          c->run_ns / 1000);
  dz_put_events(s, c);
  dz_puts(s, "]");
  if (c->timeline != NULL) dz_put_timeline(s, c);
  dz_puts(s, "}\n");
}
#endif
