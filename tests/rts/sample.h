// A program as the C back end would emit it, by hand: one entry point for each kind of input and
// result.  Used by tests/unit/test_rts.c.
#include "rts/server.h"
#include "rts/exe.h"
#define DZ_API_PREFIX sample
#include "rts/api.h"

static const DzSite sites[] = {
    {"Index [%d] out of bounds for array of shape [%d].", "-> #0  s.fut:3:5-9\n   #1  s.fut:7:1\n"},
};

// type point = {x: f64, y: i32};  type shape = #circle f64 | #poly ([]f64) i32
static const DzLeaf f64_leaf[] = {{DZ_F64, 0}}, i32_1d_leaf[] = {{DZ_I32, 1}};
static const DzLeaf f64_1d_leaf[] = {{DZ_F64, 1}}, i64_2d_leaf[] = {{DZ_I64, 2}};
static const DzLeaf point_leaves[] = {{DZ_F64, 0}, {DZ_I32, 0}};
static const DzLeaf points_leaves[] = {{DZ_F64, 1}, {DZ_I32, 1}};
static const DzLeaf pair_leaves[] = {{DZ_F64, 0}, {DZ_F64, 1}};
static const DzLeaf shape_leaves[] = {{DZ_U8, 0}, {DZ_F64, 0}, {DZ_F64, 1}, {DZ_I32, 0}};
static const DzType i32_1d = {.name = "[]i32", .cname = "sample_i32_1d", .kind = DZ_ARRAY,
  .leaf_count = 1, .leaves = i32_1d_leaf, .rank = 1, .elem = &dz_prim_types[DZ_I32]};
static const DzType f64_1d = {.name = "[]f64", .cname = "sample_f64_1d", .kind = DZ_ARRAY,
  .leaf_count = 1, .leaves = f64_1d_leaf, .rank = 1, .elem = &dz_prim_types[DZ_F64]};
static const DzType i64_2d = {.name = "[][]i64", .cname = "sample_i64_2d", .kind = DZ_ARRAY,
  .leaf_count = 1, .leaves = i64_2d_leaf, .rank = 2, .elem = &dz_prim_types[DZ_I64]};
static const DzPart point_parts[] = {{"x", &dz_prim_types[DZ_F64], 0, NULL},
                                     {"y", &dz_prim_types[DZ_I32], 1, NULL}};
static const DzType point = {.name = "point", .cname = "sample_opaque_point", .kind = DZ_RECORD,
  .leaf_count = 2, .leaves = point_leaves, .part_count = 2, .parts = point_parts};
static const DzType points = {.name = "[]point", .cname = "sample_opaque_arr1d_point",
  .kind = DZ_OPAQUE_ARRAY, .leaf_count = 2, .leaves = points_leaves, .rank = 1, .elem = &point};
static const DzPart pair_parts[] = {{"0", &dz_prim_types[DZ_F64], 0, NULL}, {"1", &f64_1d, 1, NULL}};
static const DzType pair = {.name = "(f64, []f64)", .cname = "sample_opaque_tup2",
  .kind = DZ_RECORD, .leaf_count = 2, .leaves = pair_leaves, .part_count = 2, .parts = pair_parts};
static const DzType unit = {.name = "()", .cname = "sample_opaque_unit", .kind = DZ_RECORD};
static const int poly_first[] = {2}, poly_second[] = {3};
static const DzPart circle_parts[] = {{NULL, &dz_prim_types[DZ_F64], 1, NULL}};
static const DzPart poly_parts[] = {{NULL, &f64_1d, 0, poly_first},
                                    {NULL, &dz_prim_types[DZ_I32], 0, poly_second}};
static const DzVariant shape_variants[] = {{"circle", 1, circle_parts}, {"poly", 2, poly_parts}};
static const DzType shape_type = {.name = "shape", .cname = "sample_opaque_shape", .kind = DZ_SUM,
  .leaf_count = 4, .leaves = shape_leaves, .variant_count = 2, .variants = shape_variants};

static int call_add(DzCtx *ctx, DzVal *out, const DzVal *in) {
  DzBlock b = {0};
  const DzArray *a = in[0].array;
  int err = dz_alloc(ctx, &b, a->shape[0] * 4, 0);
  if (err != 0) return err;
  for (int64_t i = 0; i < a->shape[0]; i++)
    ((int32_t *)(void *)b.at)[i] = dz_add_i32(((const int32_t *)(void *)a->data)[i], in[1].i32);
  return dz_array_wrap(ctx, &out[0].array, &b, 0, DZ_I32, 1, a->shape);
}

// In place: the consumed input is the result.
static int call_bump(DzCtx *ctx, DzVal *out, const DzVal *in) {
  const DzArray *a = in[0].array;
  DzBlock b = dz_retain(&a->mem);
  for (int64_t i = 0; i < dz_array_count(a); i++) ((int64_t *)(void *)a->data)[i]++;
  return dz_array_wrap(ctx, &out[0].array, &b, a->data - b.at, DZ_I64, 2, a->shape);
}

static int call_pick(DzCtx *ctx, DzVal *out, const DzVal *in) {
  int64_t i = in[1].i64, n = in[0].array->shape[0];
  if (i < 0 || i >= n) return dz_fail(ctx, 0, i, n);
  out[0].i32 = ((const int32_t *)(void *)in[0].array->data)[i];
  return 0;
}

static int call_pair(DzCtx *ctx, DzVal *out, const DzVal *in) {
  DzBlock b = {0};
  const int64_t two[] = {2};
  int err = dz_alloc(ctx, &b, 16, 0);
  if (err != 0) return err;
  ((double *)(void *)b.at)[0] = in[0].f64;
  ((double *)(void *)b.at)[1] = -in[0].f64;
  out[0].f64 = in[0].f64 * 2;
  return dz_array_wrap(ctx, &out[1].array, &b, 0, DZ_F64, 1, two);
}

static int call_point(DzCtx *ctx, DzVal *out, const DzVal *in) {
  (void)ctx;
  out[0].f64 = in[0].f64;
  out[1].i32 = in[1].i32;
  return 0;
}

static int call_norm(DzCtx *ctx, DzVal *out, const DzVal *in) {
  (void)ctx;
  out[0].f64 = in[0].f64 + in[1].i32;
  return 0;
}

static int call_points(DzCtx *ctx, DzVal *out, const DzVal *in) {
  int err = dz_array_share(ctx, &out[0].array, in[0].array);
  if (err == 0 && (err = dz_array_share(ctx, &out[1].array, in[1].array)) != 0)
    dz_array_free(ctx, out[0].array);
  return err;
}

static int call_area(DzCtx *ctx, DzVal *out, const DzVal *in) {
  (void)ctx;
  out[0].f64 = in[0].u8 == 0 ? in[1].f64 : (double)in[2].array->shape[0] + in[3].i32;
  return 0;
}

static int call_unit(DzCtx *ctx, DzVal *out, const DzVal *in) {
  (void)ctx, (void)out, (void)in;
  return 0;
}

#define IN(...) (const DzIo[]){__VA_ARGS__}
static const char *const attributes[] = {"noinline", NULL};
static const int tuning_used[] = {0, -1};
static const DzEntry entries[] = {
    {"main", 2, IN({"a", &i32_1d, false}, {"x", &dz_prim_types[DZ_I32], false}), {NULL, &i32_1d, true},
     call_add, attributes, tuning_used},
    {"bump", 1, IN({"a", &i64_2d, true}), {NULL, &i64_2d, true}, call_bump, NULL, NULL},
    {"pick", 2, IN({"a", &i32_1d, false}, {"i", &dz_prim_types[DZ_I64], false}),
     {NULL, &dz_prim_types[DZ_I32], true}, call_pick, NULL, NULL},
    {"pair", 1, IN({"x", &dz_prim_types[DZ_F64], false}), {NULL, &pair, true}, call_pair, NULL, NULL},
    {"point", 2, IN({"x", &dz_prim_types[DZ_F64], false}, {"y", &dz_prim_types[DZ_I32], false}),
     {NULL, &point, true}, call_point, NULL, NULL},
    {"norm", 1, IN({"p", &point, false}), {NULL, &dz_prim_types[DZ_F64], true}, call_norm, NULL, NULL},
    {"points", 2, IN({"x", &f64_1d, false}, {"y", &i32_1d, false}), {NULL, &points, false}, call_points,
     NULL, NULL},
    {"area", 1, IN({"s", &shape_type, false}), {NULL, &dz_prim_types[DZ_F64], true}, call_area, NULL, NULL},
    {"nothing", 0, NULL, {NULL, &unit, true}, call_unit, NULL, NULL},
};
static const DzType *const types[] = {&dz_prim_types[DZ_F64], &dz_prim_types[DZ_I32],
                                      &dz_prim_types[DZ_I64], &i32_1d, &f64_1d, &i64_2d, &point,
                                      &points, &pair, &unit, &shape_type};
static const DzTuning tuning[] = {{"tile", "tile_size", 16}};
static const DzProgram dz_program = {
    .backend = "c", .version = "0", .type_count = 11, .types = types, .entry_count = 9,
    .entries = entries, .site_count = 1, .sites = sites, .tuning_count = 1, .tuning = tuning};

struct sample_context_config;
struct sample_context;
struct sample_i64_2d;
struct sample_opaque_point;
struct sample_opaque_arr1d_point;
struct sample_opaque_shape;
