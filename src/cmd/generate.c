// Random values for the parameter of a property.
#include "property.h"
#include <string.h>

// How many constructors the sum has whose constructor a leaf is; 0: the leaf is no constructor.
static void limits_find(const AbiType *t, int *limits) {
  switch (t->kind) {
    case ABI_SCALAR:
    case ABI_ARRAY: return;
    case ABI_RECORD:
      for (int i = 0; i < t->fields.len; i++) {
        limits_find(t->fields.at[i], limits);
        limits += t->fields.at[i]->leaves;
      }
      return;
    case ABI_OPAQUE_ARRAY: limits_find(t->fields.at[0], limits); return;
    case ABI_SUM: limits[0] = t->field_names.len; return;
  }
}

// A sum within a sum shares its leaves with other payloads: its constructor stays below the limits
// of all sums that may have this leaf.
static void payload_limits(Arena *arena, const AbiType *t, int *limits);

static void slots_limit(Arena *arena, const AbiType *t, int c, int *limits) {
  const int *slots = t->slots.at[c].at;
  for (int p = 0; p < t->payloads.at[c].len; p++) {
    const AbiType *type = t->payloads.at[c].at[p];
    int *own = NEW_ARRAY(arena, int, type->leaves + 1);
    limits_find(type, own);
    payload_limits(arena, type, own);
    for (int i = 0; i < type->leaves; i++, slots++)
      if (own[i] && (!limits[*slots] || own[i] < limits[*slots])) limits[*slots] = own[i];
  }
}

static void payload_limits(Arena *arena, const AbiType *t, int *limits) {
  if (t->kind == ABI_OPAQUE_ARRAY) payload_limits(arena, t->fields.at[0], limits);
  for (int i = 0; t->kind == ABI_RECORD && i < t->fields.len; i++) {
    payload_limits(arena, t->fields.at[i], limits);
    limits += t->fields.at[i]->leaves;
  }
  for (int c = 0; t->kind == ABI_SUM && c < t->payloads.len; c++)
    slots_limit(arena, t, c, limits);
}

// A constant size of a parameter's type is a size parameter that the body compares with it first.
static int64_t dim_size(const Fn *fn, Atom dim, int64_t size) {
  if (!dim.is_var) return dim.value.i;
  for (int i = 0; i + 1 < fn->body.stms.len; i++) {
    const Exp *e = &fn->body.stms.at[i].exp;
    bool equal = e->form == FORM_PRIM && e->prim.op == OP_EQ && e->prim.args.len == 2;
    if (!equal || !atom_is_var(e->prim.args.at[0], dim.var) || e->prim.args.at[1].is_var) continue;
    const Exp *next = &fn->body.stms.at[i + 1].exp;
    if (next->form == FORM_ASSERT && strstr(next->assert.message, "invalid sizes"))
      return e->prim.args.at[1].value.i;
  }
  return size;
}

static Value leaf_random(Arena *arena, const Fn *fn, Type type, int64_t size, int limit,
                         RandomOptions *options) {
  int64_t shape[VALUE_MOST_RANK];
  for (int d = 0; d < type.rank; d++) shape[d] = dim_size(fn, type.dims[d], size);
  RandomOptions own = *options;
  if (limit) own.low[type.prim] = 0, own.high[type.prim] = limit - 1;
  Value v = value_random_shape(arena, type.prim, type.rank, shape, &own);
  options->state = own.state;
  return v;
}

Values leaves_random(Arena *arena, const Prog *prog, const Fn *fn, int64_t size, uint64_t seed) {
  const AbiType *t = fn->entry->params.at[0].type;
  RandomOptions options = random_options(seed);
  for (Prim p = 0; p < PRIM_COUNT; p++)
    if (prim_is_float(p)) options.low[p] = -1;
  int *limits = NEW_ARRAY(arena, int, t->leaves + 1);
  limits_find(t, limits);
  payload_limits(arena, t, limits);
  Values out = {0};
  for (int i = 0; i < t->leaves; i++) {
    Type type = var_type(prog, fn->params.at[fn->entry->size_params + i]);
    list_push(arena, &out, leaf_random(arena, fn, type, size, limits[i], &options));
  }
  return out;
}
