// Entry points: values in, values out.
#include "local.h"
#include <string.h>

const Fn *interp_entry_fn(const Prog *prog, const char *name) {
  for (int i = 0; i < prog->fns.len; i++)
    if (prog->fns.at[i]->entry && strcmp(prog->fns.at[i]->entry->name, name) == 0)
      return prog->fns.at[i];
  return NULL;
}

// Tuples are read as their components, which are in this order in core, too.
static bool types_flatten(Arena *arena, const AbiType *t, ValueTypes *out) {
  if (t->kind == ABI_SCALAR || t->kind == ABI_ARRAY) {
    list_push(arena, out, (ValueType){t->prim, t->kind == ABI_ARRAY ? t->rank : 0});
    return true;
  }
  if (t->kind != ABI_RECORD || !t->is_tuple) return false;
  for (int i = 0; i < t->fields.len; i++)
    if (!types_flatten(arena, t->fields.at[i], out)) return false;
  return true;
}

bool interp_entry_inputs(Arena *arena, const Fn *fn, ValueTypes *out, int *opaque) {
  out->at = NEW_ARRAY(arena, ValueType, 1);  // of no parameters: a list all the same
  out->cap = 1;
  for (int i = 0; i < fn->entry->params.len; i++) {
    *opaque = i;
    if (!types_flatten(arena, fn->entry->params.at[i].type, out)) return false;
  }
  return true;
}

IValue ivalue_of(const Value *v) {
  if (v->rank == 0) return ivalue_scalar(value_at(v, 0));
  IValue a = ivalue_array(v->prim, v->rank, v->shape);
  for (int64_t i = 0; i < v->len; i++) cell_set(a.array, i, value_at(v, i));
  return a;
}

Value value_of(Arena *arena, IValue v) {
  if (!v.array) {
    Value s = value_new(arena, v.scalar.prim, 0, NULL);
    value_put(&s, 0, v.scalar);
    return s;
  }
  Value a = value_new(arena, v.array->prim, v.array->rank, v.array->dims);
  for (int64_t i = 0; i < v.array->len; i++) value_put(&a, i, cell_scalar(v.array, i));
  return a;
}

// The leading size parameters take the sizes that the arrays' types mention; sizes mentioned
// twice, and constant ones, must agree.
static bool sizes_bind(const Prog *prog, const Fn *fn, const Values *inputs, Scalar *sizes) {
  int n = fn->entry->size_params;
  bool bound[64] = {false};
  check(n <= 64);
  for (int i = 0; i < inputs->len; i++) {
    Type t = var_type(prog, fn->params.at[n + i]);
    for (int d = 0; d < t.rank; d++) {
      int64_t have = inputs->at[i].shape[d];
      if (!t.dims[d].is_var) {
        if (t.dims[d].value.i != have) return false;
        continue;
      }
      for (int k = 0; k < n; k++) {
        if (fn->params.at[k].id != t.dims[d].var.id) continue;
        if (bound[k] && sizes[k].i != have) return false;
        sizes[k] = scalar_int(PRIM_I64, have);
        bound[k] = true;
      }
    }
  }
  for (int k = 0; k < n; k++)
    if (!bound[k]) sizes[k] = scalar_int(PRIM_I64, 0);
  return true;
}

// A size that nothing was made of may be negative until it is asked for.
static bool sizes_fail(Arena *arena, const IValues *results, EntryResult *r) {
  for (int i = 0; i < results->len; i++) {
    const IArray *a = results->at[i].array;
    for (int d = 0; a && d < a->rank; d++) {
      if (a->dims[d] >= 0) continue;
      r->error = r->message =
          arena_printf(arena, "Size %lld of the result is negative.", (long long)a->dims[d]);
      return true;
    }
  }
  return false;
}

// The type that has no text, if there is one in t; tuples are split.
static const AbiType *textless(const AbiType *t) {
  if (t->kind == ABI_SCALAR || t->kind == ABI_ARRAY) return NULL;
  if (t->kind != ABI_RECORD || !t->is_tuple) return t;
  for (int i = 0; i < t->fields.len; i++) {
    const AbiType *bad = textless(t->fields.at[i]);
    if (bad) return bad;
  }
  return NULL;
}

// The results' leaves, or why there are none.
EntryResult interp_leaves(Arena *arena, const Prog *prog, const char *name, Values inputs,
                          const InterpOptions *options) {
  EntryResult r = {0};
  const Fn *fn = interp_entry_fn(prog, name);
  check(fn && inputs.len == fn->params.len - fn->entry->size_params);
  int n = fn->entry->size_params;
  Scalar *sizes = NEW_ARRAY(arena, Scalar, n + 1);
  if (!sizes_bind(prog, fn, &inputs, sizes)) {
    r.error = r.message = "entry point arguments have invalid sizes.";
    return r;
  }
  IValues args = {0};
  for (int k = 0; k < n; k++) list_push(arena, &args, ivalue_scalar(sizes[k]));
  for (int i = 0; i < inputs.len; i++) list_push(arena, &args, ivalue_of(&inputs.at[i]));
  InterpResult called = interp_call(arena, prog, fn->name, args, options);
  for (int i = 0; i < args.len; i++) ivalue_release(args.at[i]);
  r.error = called.error, r.message = called.message, r.counts = called.counts;
  if (!called.ok) return r;
  r.ok = !sizes_fail(arena, &called.results, &r);
  for (int i = fn->entry->sizes; r.ok && i < called.results.len; i++)
    list_push(arena, &r.outputs, value_of(arena, called.results.at[i]));
  for (int i = 0; i < called.results.len; i++) ivalue_release(called.results.at[i]);
  return r;
}

EntryResult interp_entry(Arena *arena, const Prog *prog, const char *name, Values inputs,
                         const InterpOptions *options) {
  EntryResult r = interp_leaves(arena, prog, name, inputs, options);
  if (!r.ok) return r;
  const AbiType *bad = textless(interp_entry_fn(prog, name)->entry->result.type);
  if (!bad) return r;
  r.ok = false;
  r.opaque = true;
  r.error = r.message =
      arena_printf(arena, "Values of type \"%s\" have no external representation.", bad->name);
  return r;
}
