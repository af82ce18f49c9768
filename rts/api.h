// api: the public C functions that depend on a program only through dz_program, and macros for
// those of each array and opaque type.  The prefix of all names is DZ_PREFIX (futhark).
// Public structs stay incomplete: a struct futhark_context is a DzCtx, a struct futhark_f64_2d a
// DzArray, a struct futhark_opaque_X a DzOpaque.
//
//   DZ_API_CONTEXT                               configuration, context, tuning parameters
//   DZ_API_ARRAY(_f64_2d, double, DZ_F64, 2)     struct futhark_f64_2d, ranks 1 to 8
//   DZ_API_OPAQUE(X, &dz_type_7)                 struct futhark_opaque_X: free store restore
//   DZ_API_SUM(X)                                futhark_variant_opaque_X
//   DZ_API_ROWS(X, Y, &dz_type_8, 1)             struct futhark_opaque_X is an array of Y:
//                                                index set shape new, ranks 1 to 8
// Functions on records, sums and entry points have signatures of their own; the emitter writes
// them as calls of object.h, like
//   int futhark_entry_f(struct futhark_context *ctx, struct futhark_f64_1d **out0, double in0) {
//     DzVal in[1] = {{0}}, out;
//     in[0].f64 = in0;                                    in[1].array = DZ_IN(DzArray, in1);
//     int err = dz_api_call((DzCtx *)(void *)ctx, &dz_entries[0], &out, in);
//     if (err == 0) *out0 = (struct futhark_f64_1d *)(void *)out.array;
//     return err;
//   }
#ifndef DZ_API_H
#define DZ_API_H
#include "object.h"

#ifndef DZ_PREFIX
#define DZ_PREFIX futhark
#endif
#define DZ_CAT2(a, b) a##b
#define DZ_CAT(a, b) DZ_CAT2(a, b)
#define DZ_NAME(rest) DZ_CAT(DZ_PREFIX, rest)
#define DZ_CTX(p) ((DzCtx *)(void *)(p))
// A const pointer to a public struct as one of ours.
#define DZ_IN(T, p) ((T *)(uintptr_t)(const void *)(p))

typedef struct DzApiConfig {
  DzConfig config;
  bool in_use;
} DzApiConfig;

// Calls hold no lock: a context is for one thread at a time.
DZ_FN int dz_api_call(DzCtx *c, const DzEntry *e, DzVal *out, const DzVal *in) {
  return dz_entry_call(c, e, out, in);
}

DZ_FN DzApiConfig *dz_api_config(const DzProgram *program) {
  DzApiConfig *cfg = (DzApiConfig *)calloc(1, sizeof *cfg);
  if (cfg == NULL) return NULL;
  cfg->config.tuning =
      (int64_t *)calloc((size_t)program->tuning_count + 1, sizeof *cfg->config.tuning);
  if (cfg->config.tuning == NULL) {
    free(cfg);
    return NULL;
  }
  for (int i = 0; i < program->tuning_count; i++) cfg->config.tuning[i] = program->tuning[i].value;
  return cfg;
}

DZ_FN int dz_api_tuning(const DzProgram *program, DzApiConfig *cfg, const char *name, size_t v) {
  for (int i = 0; i < program->tuning_count; i++)
    if (strcmp(program->tuning[i].name, name) == 0) {
      cfg->config.tuning[i] = (int64_t)v;
      return 0;
    }
  return DZ_ERROR;
}

// *n becomes the size; memory for the bytes is made where *p is NULL.
DZ_FN int dz_api_store(DzCtx *c, const DzOpaque *o, void **p, size_t *n) {
  DzSink s = {0};
  DzVal v;
  v.opaque = DZ_IN(DzOpaque, o);
  dz_val_put(&s, o->type, &v);
  if (s.failed) {
    free(s.at);
    return dz_out_of_memory(c, (int64_t)s.len, -1);
  }
  *n = s.len;
  if (p != NULL && *p != NULL) memcpy(*p, s.at, s.len);
  if (p != NULL && *p == NULL) *p = s.at;
  else free(s.at);
  return 0;
}

// The bytes say themselves how many they are.
DZ_FN DzOpaque *dz_api_restore(DzCtx *c, const DzType *t, const void *p) {
  DzReader r;
  DzVal v;
  dz_reader_memory(&r, (const char *)p, PTRDIFF_MAX - (uintptr_t)p % PTRDIFF_MAX);
  return dz_val_read(c, &r, t, &v) == 0 ? v.opaque : NULL;
}

#define DZ_API_CONTEXT                                                                           \
  struct DZ_NAME(_context_config) *DZ_NAME(_context_config_new)(void) {                          \
    return (struct DZ_NAME(_context_config) *)(void *)dz_api_config(&dz_program);                \
  }                                                                                              \
  void DZ_NAME(_context_config_free)(struct DZ_NAME(_context_config) * cfg) {                    \
    DzApiConfig *c = (DzApiConfig *)(void *)cfg;                                                 \
    free(c->config.tuning);                                                                      \
    free(c);                                                                                     \
  }                                                                                              \
  void DZ_NAME(_context_config_set_debugging)(struct DZ_NAME(_context_config) * cfg, int flag) { \
    ((DzApiConfig *)(void *)cfg)->config.debugging = flag != 0;                                  \
  }                                                                                              \
  void DZ_NAME(_context_config_set_profiling)(struct DZ_NAME(_context_config) * cfg, int flag) { \
    ((DzApiConfig *)(void *)cfg)->config.profiling = flag != 0;                                  \
  }                                                                                              \
  void DZ_NAME(_context_config_set_logging)(struct DZ_NAME(_context_config) * cfg, int flag) {   \
    ((DzApiConfig *)(void *)cfg)->config.logging = flag != 0;                                    \
  }                                                                                              \
  void DZ_NAME(_context_config_set_num_threads)(struct DZ_NAME(_context_config) * cfg, int n) {  \
    ((DzApiConfig *)(void *)cfg)->config.num_threads = n;                                        \
  }                                                                                              \
  void DZ_NAME(_context_config_set_memory_limit)(struct DZ_NAME(_context_config) * cfg,          \
                                                 int64_t bytes) {                                \
    ((DzApiConfig *)(void *)cfg)->config.mem_limit = bytes;                                      \
  }                                                                                              \
  void DZ_NAME(_context_config_set_cache_file)(struct DZ_NAME(_context_config) * cfg,            \
                                               const char *name) {                               \
    (void)cfg, (void)name;                                                                       \
  }                                                                                              \
  int DZ_NAME(_context_config_set_tuning_param)(struct DZ_NAME(_context_config) * cfg,           \
                                                const char *name, size_t value) {                \
    return dz_api_tuning(&dz_program, (DzApiConfig *)(void *)cfg, name, value);                  \
  }                                                                                              \
  int DZ_NAME(_get_tuning_param_count)(void) { return dz_program.tuning_count; }                 \
  const char *DZ_NAME(_get_tuning_param_name)(int i) { return dz_program.tuning[i].name; }       \
  const char *DZ_NAME(_get_tuning_param_class)(int i) { return dz_program.tuning[i].klass; }     \
  struct DZ_NAME(_context) *DZ_NAME(_context_new)(struct DZ_NAME(_context_config) * cfg) {       \
    DzApiConfig *c = (DzApiConfig *)(void *)cfg;                                                 \
    return (struct DZ_NAME(_context) *)(void *)dz_ctx_new(&dz_program, &c->config);              \
  }                                                                                              \
  void DZ_NAME(_context_free)(struct DZ_NAME(_context) * ctx) { dz_ctx_free(DZ_CTX(ctx)); }      \
  int DZ_NAME(_context_sync)(struct DZ_NAME(_context) * ctx) {                                   \
    (void)ctx;                                                                                   \
    return 0;                                                                                    \
  }                                                                                              \
  char *DZ_NAME(_context_get_error)(struct DZ_NAME(_context) * ctx) {                            \
    return dz_error_take(DZ_CTX(ctx));                                                           \
  }                                                                                              \
  void DZ_NAME(_context_set_logging_file)(struct DZ_NAME(_context) * ctx, FILE * f) {            \
    DZ_CTX(ctx)->log = f;                                                                        \
  }                                                                                              \
  void DZ_NAME(_context_pause_profiling)(struct DZ_NAME(_context) * ctx) {                       \
    DZ_CTX(ctx)->profiling = false;                                                              \
  }                                                                                              \
  void DZ_NAME(_context_unpause_profiling)(struct DZ_NAME(_context) * ctx) {                     \
    DZ_CTX(ctx)->profiling = true;                                                               \
  }                                                                                              \
  int DZ_NAME(_context_clear_caches)(struct DZ_NAME(_context) * ctx) {                           \
    dz_clear_caches(DZ_CTX(ctx));                                                                \
    return 0;                                                                                    \
  }                                                                                              \
  int64_t DZ_NAME(_context_peak_bytes)(struct DZ_NAME(_context) * ctx) {                         \
    return DZ_CTX(ctx)->mem_peak;                                                                \
  }                                                                                              \
  char *DZ_NAME(_context_report)(struct DZ_NAME(_context) * ctx) {                               \
    DzSink s = {0};                                                                              \
    dz_put_report(&s, DZ_CTX(ctx));                                                              \
    return s.at;                                                                                 \
  }

// Parameters dim0 .. and an initialiser with them.
#define DZ_DIMS_1(x) int64_t x##0
#define DZ_DIMS_2(x) DZ_DIMS_1(x), int64_t x##1
#define DZ_DIMS_3(x) DZ_DIMS_2(x), int64_t x##2
#define DZ_DIMS_4(x) DZ_DIMS_3(x), int64_t x##3
#define DZ_DIMS_5(x) DZ_DIMS_4(x), int64_t x##4
#define DZ_DIMS_6(x) DZ_DIMS_5(x), int64_t x##5
#define DZ_DIMS_7(x) DZ_DIMS_6(x), int64_t x##6
#define DZ_DIMS_8(x) DZ_DIMS_7(x), int64_t x##7
#define DZ_LIST_1(x) x##0
#define DZ_LIST_2(x) DZ_LIST_1(x), x##1
#define DZ_LIST_3(x) DZ_LIST_2(x), x##2
#define DZ_LIST_4(x) DZ_LIST_3(x), x##3
#define DZ_LIST_5(x) DZ_LIST_4(x), x##4
#define DZ_LIST_6(x) DZ_LIST_5(x), x##5
#define DZ_LIST_7(x) DZ_LIST_6(x), x##6
#define DZ_LIST_8(x) DZ_LIST_7(x), x##7

#define DZ_API_ARRAY(name, T, prim, rank)                                                        \
  struct DZ_NAME(name) * DZ_NAME(_new##name)(struct DZ_NAME(_context) * ctx,                     \
                                                             const T *data, DZ_DIMS_##rank(dim)) { \
    DzArray *out = NULL;                                                                         \
    int64_t shape[rank] = {DZ_LIST_##rank(dim)};                                                 \
    if (dz_array_new(DZ_CTX(ctx), &out, prim, rank, shape, data) != 0) return NULL;              \
    return (struct DZ_NAME(name) *)(void *)out;                                                  \
  }                                                                                              \
  struct DZ_NAME(name) * DZ_NAME(_new_raw##name)(struct DZ_NAME(_context) * ctx,                 \
                                                                 char *data,                     \
                                                                 DZ_DIMS_##rank(dim)) {          \
    return DZ_NAME(_new##name)(ctx, (const T *)(const void *)data, DZ_LIST_##rank(dim));         \
  }                                                                                              \
  int DZ_NAME(_free##name)(struct DZ_NAME(_context) * ctx,                                       \
                                    struct DZ_NAME(name) * arr) {                                \
    dz_array_free(DZ_CTX(ctx), (DzArray *)(void *)arr);                                          \
    return 0;                                                                                    \
  }                                                                                              \
  int DZ_NAME(_values##name)(struct DZ_NAME(_context) * ctx,                                     \
                                      struct DZ_NAME(name) * arr, T * data) {                    \
    (void)ctx;                                                                                   \
    DzArray *a = (DzArray *)(void *)arr;                                                         \
    if (dz_array_bytes(a) > 0) memcpy(data, a->data, (size_t)dz_array_bytes(a));                 \
    return 0;                                                                                    \
  }                                                                                              \
  int DZ_NAME(_index##name)(struct DZ_NAME(_context) * ctx, T * out,                             \
                                     struct DZ_NAME(name) * arr, DZ_DIMS_##rank(i)) {            \
    DzArray *a = (DzArray *)(void *)arr;                                                         \
    int64_t at[rank] = {DZ_LIST_##rank(i)}, k = dz_array_position(a, rank, at);                  \
    if (k < 0) return dz_error(DZ_CTX(ctx), DZ_ERROR, "index out of bounds");                    \
    memcpy(out, a->data + k * (int64_t)sizeof(T), sizeof(T));                                    \
    return 0;                                                                                    \
  }                                                                                              \
  const int64_t *DZ_NAME(_shape##name)(struct DZ_NAME(_context) * ctx,                           \
                                                struct DZ_NAME(name) * arr) {                    \
    (void)ctx;                                                                                   \
    return ((DzArray *)(void *)arr)->shape;                                                      \
  }                                                                                              \
  char *DZ_NAME(_values_raw##name)(struct DZ_NAME(_context) * ctx,                               \
                                            struct DZ_NAME(name) * arr) {                        \
    (void)ctx;                                                                                   \
    return ((DzArray *)(void *)arr)->data;                                                       \
  }

#define DZ_API_OPAQUE(X, type)                                                                   \
  int DZ_NAME(_free_opaque_##X)(struct DZ_NAME(_context) * ctx,                                  \
      struct DZ_NAME(_opaque_##X) * obj) {                                                       \
    dz_opaque_free(DZ_CTX(ctx), (DzOpaque *)(void *)obj);                                        \
    return 0;                                                                                    \
  }                                                                                              \
  int DZ_NAME(_store_opaque_##X)(struct DZ_NAME(_context) * ctx,                                 \
      const struct DZ_NAME(_opaque_##X) * obj,                                                   \
                             void **p, size_t *n) {                                              \
    return dz_api_store(DZ_CTX(ctx), (const DzOpaque *)(const void *)obj, p, n);                 \
  }                                                                                              \
  struct DZ_NAME(_opaque_##X) * DZ_NAME(_restore_opaque_##X)(struct DZ_NAME                      \
      (_context) * ctx, const void *p) {                                                         \
    return (struct DZ_NAME(_opaque_##X) *)(void *)dz_api_restore(DZ_CTX(ctx), type, p);          \
  }

#define DZ_API_SUM(X)                                                                            \
  int DZ_NAME(_variant_opaque_##X)(struct DZ_NAME(_context) * ctx,                               \
      const struct DZ_NAME(_opaque_##X) * v) {                                                   \
    (void)ctx;                                                                                   \
    return dz_sum_variant((const DzOpaque *)(const void *)v);                                    \
  }

#define DZ_API_ROWS(X, Y, type, rank)                                                            \
  int DZ_NAME(_index_opaque_##X)(struct DZ_NAME(_context) * ctx,                                 \
      struct DZ_NAME(_opaque_##Y) * *out,                                                        \
                             struct DZ_NAME(_opaque_##X) * arr, DZ_DIMS_##rank(i)) {             \
    DzVal v = {0};                                                                               \
    int64_t at[rank] = {DZ_LIST_##rank(i)};                                                      \
    int err = dz_rows_index(DZ_CTX(ctx), (DzOpaque *)(void *)arr, at, &v);                       \
    if (err == 0) *out = (struct DZ_NAME(_opaque_##Y) *)(void *)v.opaque;                        \
    return err;                                                                                  \
  }                                                                                              \
  int DZ_NAME(_set_opaque_##X)(struct DZ_NAME(_context) * ctx, struct DZ_NAME(_opaque_##X) * arr, \
                           struct DZ_NAME(_opaque_##Y) * elem, DZ_DIMS_##rank(i)) {              \
    DzVal v = {0};                                                                               \
    v.opaque = (DzOpaque *)(void *)elem;                                                         \
    int64_t at[rank] = {DZ_LIST_##rank(i)};                                                      \
    return dz_rows_set(DZ_CTX(ctx), (DzOpaque *)(void *)arr, v, at);                             \
  }                                                                                              \
  const int64_t *DZ_NAME(_shape_opaque_##X)(struct DZ_NAME(_context) * ctx,                      \
                                        struct DZ_NAME(_opaque_##X) * arr) {                     \
    (void)ctx;                                                                                   \
    return dz_rows_shape((DzOpaque *)(void *)arr);                                               \
  }                                                                                              \
  int DZ_NAME(_new_opaque_##X)(struct DZ_NAME(_context) * ctx, struct DZ_NAME(_opaque_##X) * *out, \
                           struct DZ_NAME(_opaque_##Y) * *elems, DZ_DIMS_##rank(dim)) {          \
    DzOpaque *made = NULL;                                                                       \
    int64_t shape[rank] = {DZ_LIST_##rank(dim)};                                                 \
    int err = dz_api_rows(DZ_CTX(ctx), type, &made, (void **)(void *)elems, shape);              \
    if (err == 0) *out = (struct DZ_NAME(_opaque_##X) *)(void *)made;                            \
    return err;                                                                                  \
  }

DZ_FN int dz_api_rows(DzCtx *c, const DzType *t, DzOpaque **out, void **elems,
                      const int64_t *shape) {
  int64_t count = dz_shape_count(t->rank, shape, sizeof(DzVal));
  if (count < 0) return dz_error(c, DZ_ERROR, "array with an impossible shape");
  DzVal *vals = (DzVal *)calloc((size_t)count + 1, sizeof *vals);
  if (vals == NULL) return dz_out_of_memory(c, count, -1);
  for (int64_t i = 0; i < count; i++) vals[i].opaque = (DzOpaque *)elems[i];
  int err = dz_rows_new(c, t, out, vals, shape);
  free(vals);
  return err;
}
#endif
