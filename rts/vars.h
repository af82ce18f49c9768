// vars: a server's variables, and its commands on types, arrays, records and sums.
#ifndef DZ_VARS_H
#define DZ_VARS_H
#include "cli.h"

typedef struct DzVar {
  char *name;
  const DzType *type;
  DzVal val;
  bool consumed;  // may only be freed
} DzVar;

typedef struct DzServer {
  const DzProgram *program;
  DzCtx *ctx;
  DzVar *vars;
  int var_count, var_cap;
  bool failed;  // the current command
} DzServer;

// ---- failures, variables, names --------------------------------------------------------------
__attribute__((format(printf, 2, 3))) DZ_FN int dz_server_fail(DzServer *s, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  printf("%%%%%% FAILURE\n");
  vprintf(fmt, args);
  printf("\n");
  va_end(args);
  s->failed = true;
  return 1;
}

// Passes an error of the context on.
DZ_FN int dz_server_error(DzServer *s, int err) {
  if (err == 0) return 0;
  char *text = dz_error_take(s->ctx);
  size_t n = text != NULL ? strlen(text) : 0;
  while (n > 0 && text[n - 1] == '\n') text[--n] = 0;
  dz_server_fail(s, "%s", text != NULL ? text : "failed");
  free(text);
  return err;
}

DZ_FN int dz_var_at(const DzServer *s, const char *name) {
  for (int i = 0; i < s->var_count; i++)
    if (strcmp(s->vars[i].name, name) == 0) return i;
  return -1;
}

// A variable that can be used; NULL and a failure otherwise.
DZ_FN DzVar *dz_var_get(DzServer *s, const char *name) {
  int i = dz_var_at(s, name);
  if (i < 0) dz_server_fail(s, "Unknown variable: %s", name);
  else if (s->vars[i].consumed) dz_server_fail(s, "Variable has been consumed: %s", name);
  else return &s->vars[i];
  return NULL;
}

DZ_FN bool dz_var_fresh(DzServer *s, const char *name) {
  if (dz_var_at(s, name) < 0) return true;
  dz_server_fail(s, "Variable already exists: %s", name);
  return false;
}

// The same of n names, which must differ.
DZ_FN bool dz_vars_fresh(DzServer *s, int n, char **names) {
  for (int i = 0; i < n; i++) {
    if (!dz_var_fresh(s, names[i])) return false;
    for (int k = 0; k < i; k++)
      if (strcmp(names[k], names[i]) == 0) {
        dz_server_fail(s, "Variable named twice: %s", names[i]);
        return false;
      }
  }
  return true;
}

// Takes the value over.
DZ_FN int dz_var_put(DzServer *s, const char *name, const DzType *t, DzVal val) {
  char *copy = (char *)malloc(strlen(name) + 1);
  if (s->var_count == s->var_cap && copy != NULL) {
    int cap = 2 * s->var_cap + 16;
    DzVar *vars = (DzVar *)realloc(s->vars, sizeof *vars * (size_t)cap);
    if (vars != NULL) s->vars = vars, s->var_cap = cap;
  }
  if (copy == NULL || s->var_count == s->var_cap) {
    free(copy);
    dz_val_free(s->ctx, t, &val);
    return dz_server_fail(s, "out of memory");
  }
  memcpy(copy, name, strlen(name) + 1);
  s->vars[s->var_count++] = (DzVar){.name = copy, .type = t, .val = val};
  return 0;
}

DZ_FN void dz_var_drop(DzServer *s, int i) {
  dz_val_free(s->ctx, s->vars[i].type, &s->vars[i].val);
  free(s->vars[i].name);
  s->vars[i] = s->vars[--s->var_count];
}

DZ_FN const DzType *dz_server_type(DzServer *s, const char *name) {
  for (int i = 0; i < s->program->type_count; i++)
    if (strcmp(s->program->types[i]->name, name) == 0) return s->program->types[i];
  for (int i = 0; i < DZ_PRIM_COUNT; i++)
    if (strcmp(dz_prim_types[i].name, name) == 0) return &dz_prim_types[i];
  dz_server_fail(s, "Unknown type: %s", name);
  return NULL;
}

DZ_FN const DzEntry *dz_server_entry(DzServer *s, const char *name) {
  const DzEntry *e = dz_entry_named(s->program, name);
  if (e == NULL) dz_server_fail(s, "Unknown entry point: %s", name);
  return e;
}

// The values of n variables, whose types must be those of types[i]; NULL and a failure otherwise.
DZ_FN bool dz_server_values(DzServer *s, int n, char **names, const DzType *const *types,
                            DzVal *out) {
  for (int i = 0; i < n; i++) {
    DzVar *v = dz_var_get(s, names[i]);
    if (v == NULL) return false;
    if (types[i] == NULL || strcmp(v->type->name, types[i]->name) != 0) {
      dz_server_fail(s, "Value %d: expected type %s, variable %s has type %s", i,
                     types[i] == NULL ? "(none)" : types[i]->name, names[i], v->type->name);
      return false;
    }
    out[i] = v->val;
  }
  return true;
}

// Room for n types and n values, in one block.
typedef struct DzScratch {
  const DzType **types;
  DzVal *vals;
} DzScratch;

DZ_FN bool dz_scratch_new(DzServer *s, DzScratch *out, int n) {
  out->types = (const DzType **)calloc((size_t)n + 1, sizeof *out->types);
  out->vals = (DzVal *)calloc((size_t)n + 1, sizeof *out->vals);
  if (out->types != NULL && out->vals != NULL) return true;
  free((void *)out->types);
  free(out->vals);
  dz_server_fail(s, "out of memory");
  return false;
}

DZ_FN void dz_scratch_free(DzScratch *x) {
  free((void *)x->types);
  free(x->vals);
}

// ---- types -----------------------------------------------------------------------------------
DZ_FN int dz_server_types(DzServer *s, int n, char **w) {
  (void)n, (void)w;
  for (int i = 0; i < s->program->type_count; i++) printf("%s\n", s->program->types[i]->name);
  return 0;
}

DZ_FN const char *dz_kind_name(DzKind kind) {
  switch (kind) {
    case DZ_SCALAR: return "primitive";
    case DZ_ARRAY:
    case DZ_OPAQUE_ARRAY: return "array";
    case DZ_RECORD: return "record";
    case DZ_SUM: return "sum";
    case DZ_OPAQUE: break;
  }
  return "opaque";
}

DZ_FN int dz_server_kind(DzServer *s, int n, char **w) {
  (void)n;
  const DzType *t = dz_server_type(s, w[0]);
  if (t != NULL) printf("%s\n", dz_kind_name(t->kind));
  return t == NULL;
}

DZ_FN bool dz_is_array(const DzType *t) {
  return t->kind == DZ_ARRAY || t->kind == DZ_OPAQUE_ARRAY;
}
DZ_FN int dz_array_rank(const DzType *t) {
  return t->kind == DZ_ARRAY ? t->leaves[0].rank : t->rank;
}
DZ_FN const DzType *dz_array_elem(const DzType *t) {
  return t->kind == DZ_ARRAY ? &dz_prim_types[t->leaves[0].prim] : t->elem;
}

DZ_FN const DzType *dz_server_array_type(DzServer *s, const char *name) {
  const DzType *t = dz_server_type(s, name);
  if (t == NULL || dz_is_array(t)) return t;
  dz_server_fail(s, "Not an array type: %s", name);
  return NULL;
}

DZ_FN int dz_server_rank(DzServer *s, int n, char **w) {
  (void)n;
  const DzType *t = dz_server_array_type(s, w[0]);
  if (t != NULL) printf("%d\n", dz_array_rank(t));
  return t == NULL;
}

DZ_FN int dz_server_elemtype(DzServer *s, int n, char **w) {
  (void)n;
  const DzType *t = dz_server_array_type(s, w[0]);
  if (t != NULL) printf("%s\n", dz_array_elem(t)->name);
  return t == NULL;
}

// ---- arrays ----------------------------------------------------------------------------------
DZ_FN DzVar *dz_server_array(DzServer *s, const char *name) {
  DzVar *v = dz_var_get(s, name);
  if (v == NULL || dz_is_array(v->type)) return v;
  dz_server_fail(s, "Not an array: %s", name);
  return NULL;
}

DZ_FN const int64_t *dz_server_dims(const DzVar *v) {
  return v->type->kind == DZ_ARRAY ? v->val.array->shape : dz_rows_shape(v->val.opaque);
}

DZ_FN int dz_server_shape(DzServer *s, int n, char **w) {
  (void)n;
  DzVar *v = dz_server_array(s, w[0]);
  if (v == NULL) return 1;
  for (int i = 0; i < dz_array_rank(v->type); i++) printf("%" PRId64 "\n", dz_server_dims(v)[i]);
  return 0;
}

// n integers; false and a failure otherwise.
DZ_FN bool dz_server_numbers(DzServer *s, int n, char **w, int64_t *out) {
  for (int i = 0; i < n; i++)
    if (!dz_parse_number(w[i], &out[i])) {
      dz_server_fail(s, "Not an integer: %s", w[i]);
      return false;
    }
  return true;
}

// index VAR ARRAY i..
DZ_FN int dz_server_index(DzServer *s, int n, char **w) {
  int64_t at[DZ_RANK_MAX] = {0};
  DzVal out = {0};
  DzVar *v = dz_server_array(s, w[1]);
  if (v == NULL || !dz_var_fresh(s, w[0])) return 1;
  int rank = dz_array_rank(v->type), err = 0;
  if (n - 2 != rank) return dz_server_fail(s, "Expected %d indices", rank);
  if (!dz_server_numbers(s, rank, w + 2, at)) return 1;
  const int64_t *shape = dz_server_dims(v);
  for (int i = 0; i < rank; i++)
    if (at[i] < 0 || at[i] >= shape[i]) return dz_server_fail(s, "Index out of bounds.");
  if (v->type->kind == DZ_ARRAY) {
    DzPrim p = (DzPrim)v->val.array->prim;
    int64_t k = dz_array_position(v->val.array, rank, at);
    dz_scalar_load(&out, p, v->val.array->data + k * dz_prim_sizes[p]);
  } else err = dz_server_error(s, dz_rows_index(s->ctx, v->val.opaque, at, &out));
  return err != 0 ? err : dz_var_put(s, w[0], dz_array_elem(v->type), out);
}

// set ARRAY VALUE i..
DZ_FN int dz_server_set(DzServer *s, int n, char **w) {
  int64_t at[DZ_RANK_MAX] = {0};
  DzVal value;
  DzVar *v = dz_server_array(s, w[0]);
  if (v == NULL) return 1;
  int rank = dz_array_rank(v->type);
  const DzType *elem = dz_array_elem(v->type);
  if (n - 2 != rank) return dz_server_fail(s, "Expected %d indices", rank);
  if (!dz_server_numbers(s, rank, w + 2, at) || !dz_server_values(s, 1, w + 1, &elem, &value))
    return 1;
  if (v->type->kind == DZ_OPAQUE_ARRAY)
    return dz_server_error(s, dz_rows_set(s->ctx, v->val.opaque, value, at));
  DzArray *a = v->val.array;
  int64_t k = dz_array_position(a, rank, at);
  if (k < 0) return dz_server_fail(s, "Index out of bounds.");
  int err = dz_server_error(s, dz_array_own(s->ctx, a));
  if (err == 0) dz_rows_put(a, k, elem->leaves[0], &value);
  return err;
}

DZ_FN int dz_server_fill(DzServer *s, const DzType *t, const int64_t *shape, const DzVal *vals,
                         int64_t count, DzVal *out) {
  if (t->kind == DZ_OPAQUE_ARRAY)
    return dz_server_error(s, dz_rows_new(s->ctx, t, &out->opaque, vals, shape));
  DzLeaf leaf = {t->leaves[0].prim, 0};
  int err = dz_server_error(
      s, dz_array_empty(s->ctx, &out->array, leaf.prim, t->leaves[0].rank, shape));
  for (int64_t i = 0; i < count && err == 0; i++) dz_rows_put(out->array, i, leaf, &vals[i]);
  return err;
}

// new_array VAR TYPE size.. value..
DZ_FN int dz_server_new_array(DzServer *s, int n, char **w) {
  int64_t shape[DZ_RANK_MAX] = {0};
  DzScratch x;
  DzVal out = {0};
  const DzType *t = dz_server_array_type(s, w[1]);
  if (t == NULL || !dz_var_fresh(s, w[0])) return 1;
  int rank = dz_array_rank(t);
  if (n < 2 + rank || !dz_server_numbers(s, rank, w + 2, shape))
    return s->failed ? 1 : dz_server_fail(s, "Expected %d sizes", rank);
  int64_t count = dz_shape_count(rank, shape, 8);
  if (count < 0 || count != n - 2 - rank)
    return dz_server_fail(s, "Expected %" PRId64 " values", count);
  if (!dz_scratch_new(s, &x, (int)count)) return 1;
  for (int64_t i = 0; i < count; i++) x.types[i] = dz_array_elem(t);
  int err = dz_server_values(s, (int)count, w + 2 + rank, x.types, x.vals)
                ? dz_server_fill(s, t, shape, x.vals, count, &out)
                : 1;
  if (err == 0) err = dz_var_put(s, w[0], t, out);
  dz_scratch_free(&x);
  return err;
}

// ---- records ---------------------------------------------------------------------------------
// The type of the values of field i: of a record, or of an array of records.
DZ_FN const DzType *dz_field_type(const DzServer *s, const DzType *t, int i) {
  return t->kind == DZ_RECORD ? t->parts[i].type
                              : dz_type_rows(s->program, t->elem->parts[i].type, t->rank);
}

DZ_FN bool dz_is_record_array(const DzType *t) {
  return t->kind == DZ_OPAQUE_ARRAY && t->elem->kind == DZ_RECORD;
}

// A record type, or NULL and a failure.
DZ_FN const DzType *dz_server_record(DzServer *s, const DzType *t, bool arrays) {
  if (t == NULL || (arrays ? dz_is_record_array(t) : t->kind == DZ_RECORD)) return t;
  dz_server_fail(s, "Not %s type: %s", arrays ? "an array of records" : "a record", t->name);
  return NULL;
}

DZ_FN int dz_server_fields(DzServer *s, int n, char **w) {
  (void)n;
  const DzType *t = dz_server_type(s, w[0]);
  bool rows = t != NULL && dz_is_record_array(t);
  if ((t = dz_server_record(s, t, rows)) == NULL) return 1;
  const DzType *record = rows ? t->elem : t;
  for (int i = 0; i < record->part_count; i++) {
    const DzType *field = dz_field_type(s, t, i);
    printf("%s %s\n", record->parts[i].name, field != NULL ? field->name : "?");
  }
  return 0;
}

// new VAR TYPE field..   zip VAR TYPE array..
DZ_FN int dz_server_build(DzServer *s, int n, char **w, bool zip) {
  DzScratch x;
  DzVal out = {0};
  const DzType *t = dz_server_record(s, dz_server_type(s, w[1]), zip);
  if (t == NULL || !dz_var_fresh(s, w[0])) return 1;
  int parts = zip ? t->elem->part_count : t->part_count;
  if (n - 2 != parts) return dz_server_fail(s, "Expected %d values", parts);
  if (!dz_scratch_new(s, &x, parts)) return 1;
  for (int i = 0; i < parts; i++) x.types[i] = dz_field_type(s, t, i);
  int err = 1;
  if (dz_server_values(s, parts, w + 2, x.types, x.vals))
    err = dz_server_error(s, zip ? dz_rows_zip(s->ctx, t, &out.opaque, x.types, x.vals)
                                 : dz_record_new(s->ctx, t, &out.opaque, x.vals));
  if (err == 0) err = dz_var_put(s, w[0], t, out);
  dz_scratch_free(&x);
  return err;
}

DZ_FN int dz_server_new(DzServer *s, int n, char **w) { return dz_server_build(s, n, w, false); }
DZ_FN int dz_server_zip(DzServer *s, int n, char **w) { return dz_server_build(s, n, w, true); }

// Field i of the variable `from` into the new variable `to`.
DZ_FN int dz_server_field(DzServer *s, const char *to, const DzType *t, DzVal from, int i) {
  const DzType *type = dz_field_type(s, t, i);
  DzVal out = {0};
  if (!dz_var_fresh(s, to)) return 1;
  if (type == NULL) return dz_server_fail(s, "The program has no type for this field");
  int err = t->kind == DZ_RECORD ? dz_record_project(s->ctx, from.opaque, i, &out)
                                 : dz_rows_project(s->ctx, from.opaque, i, type, &out);
  if (err != 0) return dz_server_error(s, err);
  return dz_var_put(s, to, type, out);
}

// project TO FROM FIELD
DZ_FN int dz_server_project(DzServer *s, int n, char **w) {
  (void)n;
  DzVar *v = dz_var_get(s, w[1]);
  if (v == NULL) return 1;
  bool rows = dz_is_record_array(v->type);
  const DzType *t = dz_server_record(s, v->type, rows), *record;
  if (t == NULL) return 1;
  record = rows ? t->elem : t;
  for (int i = 0; i < record->part_count; i++)
    if (strcmp(record->parts[i].name, w[2]) == 0)
      return dz_server_field(s, w[0], t, v->val, i);
  return dz_server_fail(s, "No such field: %s", w[2]);
}

// unzip ARRAY VAR..
DZ_FN int dz_server_unzip(DzServer *s, int n, char **w) {
  DzVar *v = dz_var_get(s, w[0]);
  const DzType *t = v == NULL ? NULL : dz_server_record(s, v->type, true);
  if (t == NULL) return 1;
  if (n - 1 != t->elem->part_count)
    return dz_server_fail(s, "Expected %d variables", t->elem->part_count);
  if (!dz_vars_fresh(s, n - 1, w + 1)) return 1;
  DzVal from = v->val;
  int err = 0;
  for (int i = 0; i < n - 1 && err == 0; i++) err = dz_server_field(s, w[1 + i], t, from, i);
  return err;
}

// ---- sums ------------------------------------------------------------------------------------
DZ_FN const DzType *dz_server_sum(DzServer *s, const DzType *t) {
  if (t == NULL || t->kind == DZ_SUM) return t;
  dz_server_fail(s, "Not a sum type: %s", t->name);
  return NULL;
}

DZ_FN int dz_server_variants(DzServer *s, int n, char **w) {
  (void)n;
  const DzType *t = dz_server_sum(s, dz_server_type(s, w[0]));
  for (int i = 0; t != NULL && i < t->variant_count; i++) {
    printf("%s\n", t->variants[i].name);
    for (int k = 0; k < t->variants[i].part_count; k++)
      printf("- %s\n", t->variants[i].parts[k].type->name);
  }
  return t == NULL;
}

// construct VAR TYPE VARIANT value..
DZ_FN int dz_server_construct(DzServer *s, int n, char **w) {
  DzScratch x;
  DzVal out = {0};
  const DzType *t = dz_server_sum(s, dz_server_type(s, w[1]));
  if (t == NULL || !dz_var_fresh(s, w[0])) return 1;
  int k = 0;
  while (k < t->variant_count && strcmp(t->variants[k].name, w[2]) != 0) k++;
  if (k == t->variant_count) return dz_server_fail(s, "No such variant: %s", w[2]);
  const DzVariant *v = &t->variants[k];
  if (n - 3 != v->part_count) return dz_server_fail(s, "Expected %d values", v->part_count);
  if (!dz_scratch_new(s, &x, v->part_count)) return 1;
  for (int i = 0; i < v->part_count; i++) x.types[i] = v->parts[i].type;
  int err = 1;
  if (dz_server_values(s, v->part_count, w + 3, x.types, x.vals))
    err = dz_server_error(s, dz_sum_new(s->ctx, t, k, &out.opaque, x.vals));
  if (err == 0) err = dz_var_put(s, w[0], t, out);
  dz_scratch_free(&x);
  return err;
}

// destruct SUM VAR..
DZ_FN int dz_server_destruct(DzServer *s, int n, char **w) {
  DzScratch x;
  DzVar *v = dz_var_get(s, w[0]);
  const DzType *t = v == NULL ? NULL : dz_server_sum(s, v->type);
  if (t == NULL) return 1;
  int k = dz_sum_variant(v->val.opaque);
  const DzVariant *variant = &t->variants[k];
  if (n - 1 != variant->part_count)
    return dz_server_fail(s, "Expected %d variables", variant->part_count);
  if (!dz_vars_fresh(s, n - 1, w + 1) || !dz_scratch_new(s, &x, n)) return 1;
  int err = dz_server_error(s, dz_sum_destruct(s->ctx, v->val.opaque, k, x.vals));
  for (int i = 0; i < n - 1 && err == 0; i++)
    err = dz_var_put(s, w[1 + i], variant->parts[i].type, x.vals[i]);
  dz_scratch_free(&x);
  return err;
}

DZ_FN int dz_server_variant(DzServer *s, int n, char **w) {
  (void)n;
  DzVar *v = dz_var_get(s, w[0]);
  const DzType *t = v == NULL ? NULL : dz_server_sum(s, v->type);
  if (t != NULL) printf("%s\n", t->variants[dz_sum_variant(v->val.opaque)].name);
  return t == NULL;
}
#endif
