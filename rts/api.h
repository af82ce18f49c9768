// api: the public C functions that depend on a program only through dz_program, and macros for
// those of each array and opaque type.  The prefix of all names is DZ_API_PREFIX (futhark).
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
//
// Threads may share a context: every function with a context holds its lock from beginning to end
// (dz_api_lock), so calls follow one another.  The host has to see to this: an array must not be
// freed, consumed or updated while another thread still needs it; the text of a failure is that of
// the first one not fetched yet, whoever's call it was.  Contexts of their own need no care.
#ifndef DZ_API_H
#define DZ_API_H
#include "leaf.h"

#ifndef DZ_API_PREFIX
#define DZ_API_PREFIX futhark
#endif
#define DZ_CAT2(a, b) a##b
#define DZ_CAT(a, b) DZ_CAT2(a, b)
#define DZ_NAME(rest) DZ_CAT(DZ_API_PREFIX, rest)
#define DZ_CTX(p) ((DzCtx *)(void *)(p))
// A const pointer to a public struct as one of ours.
#define DZ_IN(T, p) ((T *)(uintptr_t)(const void *)(p))

typedef struct DzApiConfig {
  DzConfig config;
  char *cache_file;  // the config's own copy
  bool in_use;
} DzApiConfig;

DZ_FN int dz_api_call(DzCtx *c, const DzEntry *e, DzVal *out, const DzVal *in) {
  dz_api_lock(c);
  return dz_api_unlock(c, dz_entry_call(c, e, out, in));
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

DZ_FN void dz_api_cache_file(DzApiConfig *cfg, const char *name) {
  free(cfg->cache_file);
  cfg->config.cache_file = cfg->cache_file = name != NULL ? strdup(name) : NULL;
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
DZ_FN int dz_api_store_locked(DzCtx *c, const DzOpaque *o, void **p, size_t *n) {
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

DZ_FN int dz_api_store(DzCtx *c, const DzOpaque *o, void **p, size_t *n) {
  dz_api_lock(c);
  return dz_api_unlock(c, dz_api_store_locked(c, o, p, n));
}

// The bytes say themselves how many they are.
DZ_FN DzOpaque *dz_api_restore(DzCtx *c, const DzType *t, const void *p) {
  DzReader r;
  DzVal v;
  dz_reader_memory(&r, (const char *)p, PTRDIFF_MAX - (uintptr_t)p % PTRDIFF_MAX);
  dz_api_lock(c);
  return dz_api_unlock(c, dz_val_read(c, &r, t, &v)) == 0 ? v.opaque : NULL;
}

DZ_FN int dz_api_report(DzCtx *c, char **text) {
  DzSink s = {0};
  dz_api_lock(c);
  dz_put_report(&s, c);
  *text = s.at;
  return dz_api_unlock(c, 0);
}

DZ_FN void dz_api_profiling(DzCtx *c, bool on) {
  dz_api_lock(c);
  c->profiling = on;
  dz_api_unlock(c, 0);
}

DZ_FN int64_t dz_api_peak(DzCtx *c) {
  dz_api_lock(c);
  int64_t bytes = c->mem_peak;
  dz_api_unlock(c, 0);
  return bytes;
}

DZ_FN int dz_api_array_free(DzCtx *c, DzArray *a) {
  dz_api_lock(c);
  dz_array_free(c, a);
  return dz_api_unlock(c, 0);
}

DZ_FN int dz_api_opaque_free(DzCtx *c, DzOpaque *o) {
  dz_api_lock(c);
  dz_opaque_free(c, o);
  return dz_api_unlock(c, 0);
}

DZ_FN DzArray *dz_api_array_new(DzCtx *c, DzPrim prim, int rank, const int64_t *shape,
                                const void *data) {
  DzArray *out = NULL;
  dz_api_lock(c);
  return dz_api_unlock(c, dz_array_new(c, &out, prim, rank, shape, data)) == 0 ? out : NULL;
}

// No copy: the elements stay the caller's and must outlive the array.
DZ_FN DzArray *dz_api_array_borrow(DzPrim prim, int rank, const int64_t *shape, const void *data) {
  if (dz_shape_count(rank, shape, dz_prim_sizes[prim]) < 0) return NULL;
  DzBorrowed *b = (DzBorrowed *)malloc(sizeof *b);
  struct dagaz_leaf leaf = {.data = (void *)(uintptr_t)data};
  if (b == NULL) return NULL;
  memcpy(leaf.shape, shape, sizeof *shape * (size_t)rank);
  return dz_leaf_borrow(b, (DzLeaf){prim, rank}, &leaf);
}

DZ_FN int dz_api_values(DzCtx *c, const DzArray *a, void *data) {
  dz_api_lock(c);
  dz_copy(data, a->data, dz_array_bytes(a));
  return dz_api_unlock(c, 0);
}

DZ_FN int dz_api_index_locked(DzCtx *c, const DzArray *a, const int64_t *at, void *out) {
  int64_t k = dz_array_position(a, a->rank, at), size = dz_prim_sizes[a->prim];
  if (k < 0) return dz_error(c, DZ_ERROR, "index out of bounds");
  memcpy(out, a->data + k * size, (size_t)size);
  return 0;
}

DZ_FN int dz_api_index(DzCtx *c, const DzArray *a, const int64_t *at, void *out) {
  dz_api_lock(c);
  return dz_api_unlock(c, dz_api_index_locked(c, a, at, out));
}

DZ_FN int dz_api_rows_index(DzCtx *c, const DzOpaque *o, const int64_t *at, DzVal *out) {
  dz_api_lock(c);
  return dz_api_unlock(c, dz_rows_index(c, o, at, out));
}

DZ_FN int dz_api_rows_set(DzCtx *c, DzOpaque *o, DzVal value, const int64_t *at) {
  dz_api_lock(c);
  return dz_api_unlock(c, dz_rows_set(c, o, value, at));
}

#define DZ_API_CONTEXT                                                                           \
  struct DZ_NAME(_context_config) *DZ_NAME(_context_config_new)(void) {                          \
    return (struct DZ_NAME(_context_config) *)(void *)dz_api_config(&dz_program);                \
  }                                                                                              \
  void DZ_NAME(_context_config_free)(struct DZ_NAME(_context_config) * cfg) {                    \
    DzApiConfig *c = (DzApiConfig *)(void *)cfg;                                                 \
    free(c->config.tuning);                                                                      \
    free(c->cache_file);                                                                         \
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
    dz_api_cache_file((DzApiConfig *)(void *)cfg, name);                                         \
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
    return (struct DZ_NAME(_context) *)(void *)dz_api_context(&dz_program, &c->config);          \
  }                                                                                              \
  void DZ_NAME(_context_free)(struct DZ_NAME(_context) * ctx) {                                  \
    dz_api_context_free(DZ_CTX(ctx));                                                            \
  }                                                                                              \
  int DZ_NAME(_context_sync)(struct DZ_NAME(_context) * ctx) {                                   \
    dz_api_lock(DZ_CTX(ctx));                                                                    \
    return dz_api_unlock(DZ_CTX(ctx), dz_ctx_sync(DZ_CTX(ctx)));                                 \
  }                                                                                              \
  char *DZ_NAME(_context_get_error)(struct DZ_NAME(_context) * ctx) {                            \
    return dz_api_error(DZ_CTX(ctx));                                                            \
  }                                                                                              \
  void DZ_NAME(_context_set_logging_file)(struct DZ_NAME(_context) * ctx, FILE * f) {            \
    dz_api_lock(DZ_CTX(ctx));                                                                    \
    DZ_CTX(ctx)->log = f;                                                                        \
    dz_api_unlock(DZ_CTX(ctx), 0);                                                               \
  }                                                                                              \
  void DZ_NAME(_context_pause_profiling)(struct DZ_NAME(_context) * ctx) {                       \
    dz_api_profiling(DZ_CTX(ctx), false);                                                        \
  }                                                                                              \
  void DZ_NAME(_context_unpause_profiling)(struct DZ_NAME(_context) * ctx) {                     \
    dz_api_profiling(DZ_CTX(ctx), true);                                                         \
  }                                                                                              \
  int DZ_NAME(_context_clear_caches)(struct DZ_NAME(_context) * ctx) {                           \
    return dz_api_clear(DZ_CTX(ctx));                                                            \
  }                                                                                              \
  int64_t DZ_NAME(_context_peak_bytes)(struct DZ_NAME(_context) * ctx) {                         \
    return dz_api_peak(DZ_CTX(ctx));                                                             \
  }                                                                                              \
  char *DZ_NAME(_context_report)(struct DZ_NAME(_context) * ctx) {                               \
    char *text = NULL;                                                                           \
    dz_api_report(DZ_CTX(ctx), &text);                                                           \
    return text;                                                                                 \
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
    int64_t shape[rank] = {DZ_LIST_##rank(dim)};                                                 \
    return (struct DZ_NAME(name) *)(void *)dz_api_array_new(DZ_CTX(ctx), prim, rank, shape, data); \
  }                                                                                              \
  struct DZ_NAME(name) * DZ_NAME(_new_raw##name)(struct DZ_NAME(_context) * ctx,                 \
                                                                 char *data,                     \
                                                                 DZ_DIMS_##rank(dim)) {          \
    return DZ_NAME(_new##name)(ctx, (const T *)(const void *)data, DZ_LIST_##rank(dim));         \
  }                                                                                              \
  struct DZ_NAME(name) * dagaz_wrap##name(struct DZ_NAME(_context) * ctx, const T *data,           \
                                          DZ_DIMS_##rank(dim)) {                                 \
    (void)ctx;                                                                                   \
    int64_t shape[rank] = {DZ_LIST_##rank(dim)};                                                 \
    return (struct DZ_NAME(name) *)(void *)dz_api_array_borrow(prim, rank, shape, data);         \
  }                                                                                              \
  int DZ_NAME(_free##name)(struct DZ_NAME(_context) * ctx,                                       \
                                    struct DZ_NAME(name) * arr) {                                \
    return dz_api_array_free(DZ_CTX(ctx), (DzArray *)(void *)arr);                               \
  }                                                                                              \
  int DZ_NAME(_values##name)(struct DZ_NAME(_context) * ctx,                                     \
                                      struct DZ_NAME(name) * arr, T * data) {                    \
    return dz_api_values(DZ_CTX(ctx), (DzArray *)(void *)arr, data);                             \
  }                                                                                              \
  int DZ_NAME(_index##name)(struct DZ_NAME(_context) * ctx, T * out,                             \
                                     struct DZ_NAME(name) * arr, DZ_DIMS_##rank(i)) {            \
    int64_t at[rank] = {DZ_LIST_##rank(i)};                                                      \
    return dz_api_index(DZ_CTX(ctx), (DzArray *)(void *)arr, at, out);                           \
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
    return dz_api_opaque_free(DZ_CTX(ctx), (DzOpaque *)(void *)obj);                             \
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
    int err = dz_api_rows_index(DZ_CTX(ctx), (DzOpaque *)(void *)arr, at, &v);                   \
    if (err == 0) *out = (struct DZ_NAME(_opaque_##Y) *)(void *)v.opaque;                        \
    return err;                                                                                  \
  }                                                                                              \
  int DZ_NAME(_set_opaque_##X)(struct DZ_NAME(_context) * ctx, struct DZ_NAME(_opaque_##X) * arr, \
                           struct DZ_NAME(_opaque_##Y) * elem, DZ_DIMS_##rank(i)) {              \
    DzVal v = {0};                                                                               \
    v.opaque = (DzOpaque *)(void *)elem;                                                         \
    int64_t at[rank] = {DZ_LIST_##rank(i)};                                                      \
    return dz_api_rows_set(DZ_CTX(ctx), (DzOpaque *)(void *)arr, v, at);                         \
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

DZ_FN int dz_api_rows_locked(DzCtx *c, const DzType *t, DzOpaque **out, void **elems,
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

DZ_FN int dz_api_rows(DzCtx *c, const DzType *t, DzOpaque **out, void **elems,
                      const int64_t *shape) {
  dz_api_lock(c);
  return dz_api_unlock(c, dz_api_rows_locked(c, t, out, elems, shape));
}
#endif
