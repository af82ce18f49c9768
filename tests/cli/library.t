$ printf '%s\n' 'type point = {x: f64, y: f64}' 'type~ shape = #dot point | #row ([]f64) i32' 'entry norm (p: point) = f64.sqrt (p.x*p.x + p.y*p.y)' 'entry pairs (a: []i32) (p: point) : [](i32, point) = map (\i -> (i, p)) a' 'entry grow (s: *shape) : shape = match s case #dot p -> #row [p.x, p.y] 2 case #row a n -> #row (map (2*) a) (n+1)' 'entry third (a: []f32) = a[3]' > g.fut
$ dagaz c --library g.fut -o g; ls g.c g.h g.json
g.c
g.h
g.json
$ printf '%s\n' '#include <assert.h>' '#include <stdio.h>' '#include <stdlib.h>' '#include "g.h"' 'int main(void) {' '  struct futhark_context_config *cfg = futhark_context_config_new();' '  struct futhark_context *ctx = futhark_context_new(cfg);' > head
$ printf '%s\n' '  futhark_context_free(ctx);' '  futhark_context_config_free(cfg);' '  return 0;' '}' > tail
$ # Records: made, passed, taken apart.
$ printf '%s\n' '  struct futhark_opaque_point *p;' '  double r, x;' '  assert(futhark_new_opaque_point(ctx, &p, 3, 4) == FUTHARK_SUCCESS);' '  assert(futhark_entry_norm(ctx, &r, p) == 0 && futhark_project_opaque_point_x(ctx, &x, p) == 0);' '  printf("%g %g\n", r, x);' '  futhark_free_opaque_point(ctx, p);' > body; cat head body tail > c.c; cc -O0 -std=c99 -w -o c c.c g.c -lm && ./c
5 3
$ # Arrays of records: elements, zip, arrays of a field; names of parts are those of the program.
$ printf '%s\n' '  struct futhark_opaque_arr1d_tup2_i32_point *a;' '  struct futhark_opaque_tup2_i32_point *e;' '  struct futhark_opaque_arr1d_point *ps;' '  struct futhark_opaque_point *p;' '  struct futhark_f64_1d *xs = futhark_new_f64_1d(ctx, (double[]){1, 2}, 2), *ys = futhark_new_f64_1d(ctx, (double[]){3, 4}, 2);' '  struct futhark_i32_1d *is = futhark_new_i32_1d(ctx, (int32_t[]){7, 8}, 2);' '  assert(futhark_zip_opaque_arr1d_point(ctx, &ps, xs, ys) == 0);' '  assert(futhark_zip_opaque_arr1d_tup2_i32_point(ctx, &a, is, ps) == 0);' '  assert(futhark_index_opaque_arr1d_tup2_i32_point(ctx, &e, a, 2) != 0);' '  free(futhark_context_get_error(ctx));' '  assert(futhark_index_opaque_arr1d_tup2_i32_point(ctx, &e, a, 1) == 0);' '  assert(futhark_project_opaque_tup2_i32_point_1(ctx, &p, e) == 0);' '  double y;' '  int32_t i;' '  assert(futhark_project_opaque_point_y(ctx, &y, p) == 0 && futhark_project_opaque_tup2_i32_point_0(ctx, &i, e) == 0);' '  printf("%d %g of %d\n", (int)i, y, (int)futhark_shape_opaque_arr1d_tup2_i32_point(ctx, a)[0]);' '  futhark_free_opaque_point(ctx, p), futhark_free_opaque_tup2_i32_point(ctx, e), futhark_free_opaque_arr1d_point(ctx, ps);' '  assert(futhark_project_opaque_arr1d_tup2_i32_point_1(ctx, &ps, a) == 0);' '  futhark_free_opaque_arr1d_point(ctx, ps), futhark_free_opaque_arr1d_tup2_i32_point(ctx, a);' '  futhark_free_i32_1d(ctx, is), futhark_free_f64_1d(ctx, xs), futhark_free_f64_1d(ctx, ys);' > body; cat head body tail > c.c; cc -O0 -std=c99 -w -o c c.c g.c -lm && ./c
8 4 of 2
$ # Sums, stored and restored; a consumed value is still to be freed.
$ printf '%s\n' '  struct futhark_opaque_point *p;' '  struct futhark_opaque_shape *s, *t, *u;' '  struct futhark_f64_1d *a;' '  int32_t n;' '  double x[2];' '  void *bytes = NULL;' '  size_t len;' '  assert(futhark_new_opaque_point(ctx, &p, 3, 4) == 0 && futhark_new_opaque_shape_dot(ctx, &s, p) == 0);' '  assert(futhark_entry_grow(ctx, &t, s) == 0 && futhark_store_opaque_shape(ctx, t, &bytes, &len) == 0);' '  u = futhark_restore_opaque_shape(ctx, bytes);' '  free(bytes);' '  assert(u && futhark_variant_opaque_shape(ctx, u) == futhark_variant_opaque_shape(ctx, t));' '  assert(futhark_destruct_opaque_shape_row(ctx, &a, &n, u) == 0 && futhark_values_f64_1d(ctx, a, x) == 0);' '  printf("%d: %g %g\n", (int)n, x[0], x[1]);' '  futhark_free_opaque_point(ctx, p), futhark_free_f64_1d(ctx, a);' '  futhark_free_opaque_shape(ctx, s), futhark_free_opaque_shape(ctx, t), futhark_free_opaque_shape(ctx, u);' > body; cat head body tail > c.c; cc -O0 -std=c99 -w -o c c.c g.c -lm && ./c
2: 3 4
$ # A failing entry point says where.
$ printf '%s\n' '  float r;' '  struct futhark_f32_1d *a = futhark_new_f32_1d(ctx, (float[]){1, 2}, 2);' '  assert(futhark_entry_third(ctx, &r, a) == FUTHARK_PROGRAM_ERROR);' '  char *why = futhark_context_get_error(ctx);' '  printf("%s", why);' '  free(why), futhark_free_f32_1d(ctx, a);' > body; cat head body tail > c.c; cc -O0 -std=c99 -w -o c c.c g.c -lm && ./c
Error: Index [3] out of bounds for array of shape [2].

Backtrace:
-> #0  g.fut:6:26-30
$ # Types whose name is no identifier are named by its MD5 hash, the unit type is `unit`.
$ printf '%s\n' 'entry f (r: {x: i32, y: i32}) = r.x + r.y' "type t' = (i32, i32)" "entry g (_: ()) : t' = (1, 2)" > n.fut; dagaz c --library n.fut -o n; sed -n 's/^struct futhark_opaque_\([a-z0-9_]*\);$/\1/p' n.h
bda45ecc4522eff7bd51d26d27e66014
unit
3b11da5ab8568206a5e1184fbf7f2005
$ # .. and have a second name, for which there are functions, too.
$ grep -A3 '^// ' n.h; printf '%s\n' '#include "n.h"' 'int main(void) {' '  struct futhark_context_config *cfg = futhark_context_config_new();' '  struct futhark_context *ctx = futhark_context_new(cfg);' '  struct futhark_opaque_rec_x_i32_y_i32 *r;' '  int32_t sum;' '  int bad = futhark_new_opaque_rec_x_i32_y_i32(ctx, &r, 3, 4) || futhark_entry_f(ctx, &sum, r) || sum != 7;' '  futhark_free_opaque_rec_x_i32_y_i32(ctx, r);' '  return bad;' '}' > c.c; cc -O0 -std=c99 -w -o c c.c n.c -lm && ./c && echo fine
// {x: i32, y: i32}
#define futhark_opaque_rec_x_i32_y_i32 futhark_opaque_bda45ecc4522eff7bd51d26d27e66014
#define futhark_free_opaque_rec_x_i32_y_i32 futhark_free_opaque_bda45ecc4522eff7bd51d26d27e66014
#define futhark_store_opaque_rec_x_i32_y_i32 futhark_store_opaque_bda45ecc4522eff7bd51d26d27e66014
--
// t'
#define futhark_opaque_tzq futhark_opaque_3b11da5ab8568206a5e1184fbf7f2005
#define futhark_free_opaque_tzq futhark_free_opaque_3b11da5ab8568206a5e1184fbf7f2005
#define futhark_store_opaque_tzq futhark_store_opaque_3b11da5ab8568206a5e1184fbf7f2005
fine
$ # Types of modules are named by their path.
$ printf '%s\n' 'module m = { type t = {a: i32} }' 'type t = {b: f64, c: m.t}' 'let bad = assert false 1i64' 'entry f (x: t) : i64 = bad' > m.fut; dagaz c -w --library m.fut -o g; sed -n 's/^    "\([^"]*\)": {$/\1/p' g.json
f
m.t
t
$ # Functions that are no entry points: those other files see and could call.
$ printf '%s\n' 'module stats = { def loss [n] (w: [n]f64) (k: f64) : f64 = k * f64.sum w local def own (x: f64) = x }' 'module type up = { val up : f64 -> f64 }' 'module one : up = { def up (x: f64) = x + 1 def hidden (x: f64) = x }' 'def pair (a, b) (c: *[]i32) : ([]i32, f64) = (c, a + b)' 'local def own (x: f64) = x' 'def poly '"'"'a (x: a) = x' 'def higher (f: f64 -> f64) = f 1' 'def (+++) (x: f64) (y: f64) = x + y' 'def constant = 1f64' 'open import "more"' 'def f (x: f64) = x' 'entry main (x: f64) = x' > fns.fut; echo 'def opened (n: i64) : [n]i64 = iota n def f (x: f32) = x' > more.fut; dagaz c -w --library fns.fut -o g; sed -n '/"functions"/,$p' g.json; echo 'entry main (x: f64) = f64.sin x' > none.fut; dagaz c --library none.fut -o g; sed -n '/"functions"/,$p' g.json
  "functions": [
    {"name": "stats.loss", "params": [{"name": "w", "text": "[n]f64"}, {"name": "k", "text": "f64"}], "result": "f64"},
    {"name": "one.up", "params": [{"name": "arg0", "text": "f64"}], "result": "f64"},
    {"name": "pair", "params": [{"name": "arg0", "text": "(f64, f64)"}, {"name": "c", "text": "*[]i32"}], "result": "([]i32, f64)"},
    {"name": "opened", "params": [{"name": "n", "text": "i64"}], "result": "[n]i64"},
    {"name": "f", "params": [{"name": "x", "text": "f64"}], "result": "f64"}
  ]
}
  "functions": []
}
