// Derivatives of core programs.  Every file of tests/ad/rules is a program with a function f; it
// is judged by identities, not by expected numbers:
//   T1   <yB, jvp f x dx> = <vjp f x yB, dx>
//   T2   jvp f x dx = difference of fourth order
//   T3   the value that comes with a derivative is the value
//   T4   vjp f x (2 u + 3 w) = 2 vjp f x u + 3 vjp f x w, vjp f x 0 = 0
//   T5   a vector of directions gives what the directions give one by one, also marked #[unroll]
//   T6   Hessians are symmetric: <w, H dx> = <H w, dx>
//   T7   all this also for the general rules alone, and unsimplified
//   T8   the output is well-formed, uniqueness included, after the pass and after simplification;
//        copying arrays anywhere changes nothing
//   T9   and again for f' = \x -> jvp f x dx and f' = \x -> vjp f x yB: nestings of order 2
//   T10  one adjoint or tangent wanted alone is the same number, at no more scalar operations
// Float parameters are differentiated, others are not; i64 scalars are 3, i64 arrays -1 .. 3.
#include "ad/common/ad.h"
#include "interp/interp.h"
#include "opt/common/opt.h"
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;
static const char *file_now;
static bool verbose;
static uint64_t seed;

static bool expect(bool ok, const char *what) {
  if (ok) passed++;
  else {
    failed++;
    printf("FAIL %s: %s\n", file_now, what);
  }
  return ok;
}

static double random_unit(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0;
}

// ---- programs
static Prog *parsed(Arena *arena, const char *text, const char *file) {
  Diag *diag = diag_new(arena);
  Prog *prog = core_parse(arena, source_new(arena, file, text, strlen(text)), diag);
  if (!expect(prog != NULL, diag->entries.len ? diag->entries.at[0].message : "no program"))
    return NULL;
  const char *fault = core_fault(prog, arena);
  return expect(!fault, fault ? fault : "") ? prog : NULL;
}

static bool differentiable(Type t) { return prim_is_float(t.prim); }

// Copies f into prog as a lambda over its float parameters.
static Lambda *lambda_of(Builder *b, const Fn *f, Vars params, Atoms *args) {
  Rewrite w = rewrite_new(b->prog, *b);
  Lambda *fn = NEW(b->prog->arena, Lambda);
  for (int i = 0; i < f->params.len; i++) {
    Type t = var_type(b->prog, f->params.at[i]);
    if (!differentiable(t)) rewrite_bind(&w, f->params.at[i], atom_var(params.at[i]));
  }
  for (int i = 0; i < f->params.len; i++) {
    Type t = var_type(b->prog, f->params.at[i]);
    if (!differentiable(t)) continue;
    list_push(b->prog->arena, &fn->params, rewrite_var(&w, f->params.at[i]));
    list_push(b->prog->arena, args, atom_var(params.at[i]));
  }
  fn->body = rewrite_body(&w, &f->body);
  for (int i = 0; i < f->results.len; i++)
    list_push(b->prog->arena, &fn->rets, rewrite_type(&w, var_type(b->prog, f->results.at[i])));
  return fn;
}

static Vars more_params(Builder *b, Fn *fn, Types types, Atom width, bool vector) {
  Vars out = {0};
  for (int i = 0; i < types.len; i++) {
    Type t = types.at[i];
    t.unique = false;
    Var v = var_new(b->prog, "d", vector ? type_array(b->prog->arena, t, width) : t);
    list_push(b->prog->arena, &fn->params, v);
    list_push(b->prog->arena, &out, v);
  }
  return out;
}

// fn name (params of f, directions) = (values, derivatives) of f, which must have float results; of
// `count` directions, or of ONE without an outer dimension.
enum { ONE = -1, MOST_DIRECTIONS = 3 };
static void add_operator(Prog *prog, const Fn *f, const char *name, bool reverse, int count) {
  bool vector = count != ONE;
  Arena *arena = prog->arena;
  Fn *fn = NEW(arena, Fn);
  fn->name = name;
  Builder b = builder_new(prog, &fn->body.stms);
  Rewrite w = rewrite_new(prog, b);
  for (int i = 0; i < f->params.len; i++)
    list_push(arena, &fn->params, rewrite_var(&w, f->params.at[i]));
  Atoms args = {0};
  Lambda *lambda = lambda_of(&b, f, fn->params, &args);
  Atom width = atom_i64(count);
  Types rets = {0};
  for (int i = 0; i < f->results.len; i++)
    list_push(arena, &rets, rewrite_type(&w, var_type(prog, f->results.at[i])));
  Vars dirs = more_params(&b, fn, reverse ? rets : types_of_atoms(prog, args), width,
                           vector);
  Atoms shape = vector ? atoms_of(arena, 1, &width) : (Atoms){0};
  Exp exp = {.form = FORM_VJP,
             .vjp = {.shape = shape, .fn = lambda, .args = args,
                     .seeds = atoms_of_vars(arena, dirs)}};
  if (!reverse)
    exp = (Exp){.form = FORM_JVP,
                .jvp = {.shape = shape, .fn = lambda, .args = args,
                        .tangents = atoms_of_vars(arena, dirs)}};
  lambda->rets = rets;
  Types types = exp_types(prog, &exp);
  for (int i = 0; i < types.len; i++) types.at[i].unique = false;
  b.attrs.unroll = count > 0;  // pass_map_jam decides
  fn->body.results = atoms_of_vars(arena, build_many(&b, "r", types, exp));
  for (int i = 0; i < types.len; i++)
    list_push(arena, &fn->results, var_new(prog, "r", types.at[i]));
  list_push(arena, &prog->fns, fn);
}

// fn name (params of f, directions of g) = results from .. to - 1 of g.
static void add_results(Prog *prog, const Fn *g, const char *name, int from, int to) {
  Arena *arena = prog->arena;
  Builder b = builder_new(prog, &prog->constants);
  Rewrite w = rewrite_new(prog, b);
  Fn *fn = rewrite_fn(&w, g);
  fn->name = name;
  Vars results = {0};
  Atoms atoms = {0};
  for (int i = from; i < to; i++) {
    list_push(arena, &results, fn->results.at[i]);
    list_push(arena, &atoms, fn->body.results.at[i]);
  }
  fn->results = results;
  fn->body.results = atoms;
  list_push(arena, &prog->fns, fn);
}

// Derivatives only: f' to be differentiated again.
static void add_derivative(Prog *prog, const Fn *g, const char *name, int values) {
  add_results(prog, g, name, values, g->results.len);
}

static void show(const Prog *prog) {
  Text text = {0};
  core_print(&text, prog);
  printf("%s\n", text.at);
  text_free(&text);
}

static bool verified(Arena *arena, const Prog *prog, const char *when) {
  const char *fault = core_fault(prog, arena);
  if (fault && verbose) show(prog);
  return expect(!fault, fault ? arena_printf(arena, "%s: %s", when, fault) : "");
}

// From VARIANTS on: without optimisation number variant - VARIANTS (T7).
typedef enum { PLAIN, SIMPLIFIED, GENERAL, COPIED, VARIANTS } Variant;
static const char *const variant_names[] = {"plain", "simplified", "T7 general rules",
                                            "T8 copies of all arrays"};

static void copying_stm(Rewrite *w, const Stm *stm) {
  rewrite_stm(w, stm);
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(w->from, stm->bound.at[k]);
    if (t.rank > 0 && !t.is_acc)
      rewrite_bind(w, stm->bound.at[k],
                   build_copy(&w->to, rewrite_atom(w, atom_var(stm->bound.at[k]))));
  }
}

// The same with a copy of every array that is made.
static Prog *with_copies(Arena *arena, const Prog *prog) {
  Rewrite w = {.stm = copying_stm};
  return rewrite_prog(prog, arena, &w);
}

// By number: programs that differ without the optimisation.
static int switched[SWITCH_COUNT];

static bool text_same(const Prog *a, const Prog *b) {
  Text x = {0}, y = {0};
  core_print(&x, a), core_print(&y, b);
  bool same = strcmp(x.at, y.at) == 0;
  text_free(&x), text_free(&y);
  return same;
}

// Those that choose rules for particular operators.
static const Switch particular[] = {SWITCH_SUMS, SWITCH_EXTREMA, SWITCH_SELECTIONS, SWITCH_PRODUCTS,
                                    SWITCH_COLUMNS, SWITCH_PARTS, SWITCH_RECURRENCES};

static uint64_t left_out(Variant variant) {
  uint64_t off = 0;
  if (variant >= VARIANTS) return UINT64_C(1) << (variant - VARIANTS);
  for (int i = 0; variant == GENERAL && i < COUNT_OF(particular); i++)
    off |= UINT64_C(1) << particular[i];
  return off;
}

static const char *variant_name(Arena *arena, Variant variant) {
  if (variant < VARIANTS) return variant_names[variant];
  return arena_printf(arena, "T7 without %s", switch_info[variant - VARIANTS].name);
}

static Prog *differentiated(Arena *arena, Prog *prog, Variant variant, Switches *switches) {
  if (variant == COPIED) prog = with_copies(arena, prog);
  if (!verified(arena, prog, "before")) return NULL;
  while (ad_is_left(prog)) {
    prog = pass_unfuse(prog, arena);
    prog->switches = switches;
    prog = pass_ad(prog, arena);
    if (!verified(arena, prog, "T8 after ad")) return NULL;
    if (variant != SIMPLIFIED) continue;
    prog = pass_dce(pass_simplify(pass_cse(pass_simplify(prog, arena), arena), arena), arena);
    if (!verified(arena, prog, "T8 simplified")) return NULL;
  }
  return prog;
}

// ---- values
static IValue random_value(Arena *arena, const Prog *prog, Type t, const Fn *fn, IValues args) {
  (void)arena;
  int64_t dims[16] = {0}, len = 1;
  for (int k = 0; k < t.rank; k++) {
    dims[k] = t.dims[k].is_var ? 0 : t.dims[k].value.i;
    for (int i = 0; t.dims[k].is_var && i < args.len; i++)
      if (fn->params.at[i].id == t.dims[k].var.id) dims[k] = args.at[i].scalar.i;
    len *= dims[k];
  }
  (void)prog;
  IValue v = t.rank ? ivalue_array(t.prim, t.rank, dims) : ivalue_scalar(scalar_number(t.prim, 0));
  for (int64_t i = 0; i < len; i++) {
    double x = 0.6 + 1.3 * random_unit();
    if (t.prim == PRIM_BOOL) x = random_unit() < 0.5;
    else if (!prim_is_float(t.prim)) x = t.rank ? floor(5 * random_unit()) - 1 : 3;
    if (t.rank) cell_set(v.array, i, scalar_number(t.prim, x));
    else v.scalar = scalar_number(t.prim, x);
  }
  return v;
}

static double number(Scalar s) { return prim_is_float(s.prim) ? s.f : (double)s.i; }
static int64_t cell_count(IValue v) { return v.array ? v.array->len : 1; }
static double cell_number(IValue v, int64_t i) {
  return number(v.array ? cell_scalar(v.array, i) : v.scalar);
}

// x + h * d, a new value.
static IValue moved(IValue x, IValue d, double h) {
  if (!x.array) return ivalue_scalar(scalar_number(x.scalar.prim, x.scalar.f + h * d.scalar.f));
  IValue v = ivalue_array(x.array->prim, x.array->rank, x.array->dims);
  for (int64_t i = 0; i < cell_count(x); i++)
    cell_set(v.array, i, scalar_number(x.array->prim, cell_number(x, i) + h * cell_number(d, i)));
  return v;
}

static double dot(IValue a, IValue b) {
  double sum = 0;
  for (int64_t i = 0; i < cell_count(a); i++) sum += cell_number(a, i) * cell_number(b, i);
  return sum;
}

static double dot_all(const IValue *a, const IValue *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += dot(a[i], b[i]);
  return sum;
}

static bool close_to(double a, double b, double tolerance) {
  double scale = fmax(1, fmax(fabs(a), fabs(b)));
  return fabs(a - b) <= tolerance * scale;
}

static bool call(Arena *arena, const Prog *prog, const char *fn, IValues args, IValues *out) {
  InterpOptions options = {.step_limit = 50000000};
  InterpResult r = interp_call(arena, prog, fn, args, &options);
  if (!r.ok && verbose) show(prog);
  if (!expect(r.ok, r.ok ? "" : arena_printf(arena, "%s: %s", fn, r.message))) return false;
  *out = r.results;
  return true;
}

static IValues with_args(Arena *arena, IValues a, IValues b) {
  IValues out = {0};
  for (int i = 0; i < a.len; i++) list_push(arena, &out, a.at[i]);
  for (int i = 0; i < b.len; i++) list_push(arena, &out, b.at[i]);
  return out;
}

// ---- the identities
typedef struct {
  Arena *arena;
  const Prog *prog;  // has f, jvp_f, vjp_f
  const Fn *f;
  IValues args, dx, yB;
} Point;

static IValues directions(Point *p, Vars vars, const Prog *prog, bool floats) {
  IValues out = {0};
  for (int i = 0; i < vars.len; i++) {
    Type t = var_type(prog, vars.at[i]);
    if (floats && !differentiable(t)) continue;
    IValue d = random_value(p->arena, prog, t, p->f, p->args);
    for (int64_t k = 0; k < cell_count(d); k++) {
      Scalar s = scalar_number(t.prim, 2 * random_unit() - 1);
      if (d.array) cell_set(d.array, k, s);
      else d.scalar = s;
    }
    list_push(p->arena, &out, d);
  }
  return out;
}

static IValues args_moved(Point *p, double h) {
  IValues out = {0};
  for (int i = 0, k = 0; i < p->args.len; i++) {
    bool d = differentiable(var_type(p->prog, p->f->params.at[i]));
    list_push(p->arena, &out, d ? moved(p->args.at[i], p->dx.at[k++], h)
                                : ivalue_retain(p->args.at[i]));
  }
  return out;
}

// Near a jump or a kink differences of twice the step disagree, and judge nothing.
static int unjudged;

static void check_difference(Point *p, const IValues *values, const IValue *dy, const char *what) {
  double h = 1e-5;
  IValues at[4];  // at -2h, -h, h, 2h
  for (int i = 0; i < 4; i++)
    if (!call(p->arena, p->prog, "f", args_moved(p, (i < 2 ? i - 2 : i - 1) * h), &at[i])) return;
  bool ok = true;
  for (int i = 0; i < values->len; i++)
    for (int64_t k = 0; k < cell_count(values->at[i]); k++) {
      double near = cell_number(at[2].at[i], k) - cell_number(at[1].at[i], k);
      double far = cell_number(at[3].at[i], k) - cell_number(at[0].at[i], k);
      double want = (8 * near - far) / (12 * h);
      double got = cell_number(dy[i], k);
      if (!close_to(near / (2 * h), far / (4 * h), 1e-3)) {
        unjudged++;
      } else if (!close_to(want, got, 2e-5)) {
        if (ok) printf("  difference %d[%d]: want %.9g got %.9g\n", i, (int)k, want, got);
        ok = false;
      }
    }
  expect(ok, what);
}

static IValues combined(Arena *arena, IValues a, double x, IValues b, double y) {
  IValues out = {0};
  for (int i = 0; i < a.len; i++) {
    IValue scaled = moved(a.at[i], a.at[i], x - 1);
    list_push(arena, &out, moved(scaled, b.at[i], y));
    ivalue_release(scaled);
  }
  return out;
}

static bool all_close(const IValue *a, const IValue *b, int n, double tolerance) {
  for (int i = 0; i < n; i++)
    for (int64_t k = 0; k < cell_count(a[i]); k++)
      if (!close_to(cell_number(a[i], k), cell_number(b[i], k), tolerance)) return false;
  return true;
}

static void check_linear(Point *p, const char *what) {
  IValues other = directions(p, p->f->results, p->prog, false), u, w, both;
  IValues sum = combined(p->arena, p->yB, 2, other, 3);
  if (!call(p->arena, p->prog, "vjp_f", with_args(p->arena, p->args, p->yB), &u)) return;
  if (!call(p->arena, p->prog, "vjp_f", with_args(p->arena, p->args, other), &w)) return;
  if (!call(p->arena, p->prog, "vjp_f", with_args(p->arena, p->args, sum), &both)) return;
  int from = p->f->results.len, n = u.len - from;
  IValues a = {.at = u.at + from, .len = n}, b = {.at = w.at + from, .len = n};
  IValues want = combined(p->arena, a, 2, b, 3);
  expect(all_close(want.at, both.at + from, n, 1e-9), arena_printf(p->arena, "T4 %s", what));
  IValues none = combined(p->arena, p->yB, 0, p->yB, 0), zero;
  if (!call(p->arena, p->prog, "vjp_f", with_args(p->arena, p->args, none), &zero)) return;
  IValues nothing = combined(p->arena, a, 0, a, 0);
  expect(all_close(nothing.at, zero.at + from, n, 0),
         arena_printf(p->arena, "T4 of zero %s", what));
}

// f is the gradient of a function of its first `active` float parameters.
static void check_symmetry(Point *p, int active, const char *what) {
  IValues a = directions(p, p->f->params, p->prog, true), x, y;
  IValues b = directions(p, p->f->params, p->prog, true);
  for (int i = active; i < a.len; i++) {
    a.at[i] = moved(a.at[i], a.at[i], -1);
    b.at[i] = moved(b.at[i], b.at[i], -1);
  }
  if (!call(p->arena, p->prog, "jvp_f", with_args(p->arena, p->args, a), &x)) return;
  if (!call(p->arena, p->prog, "jvp_f", with_args(p->arena, p->args, b), &y)) return;
  int from = p->f->results.len;
  double ab = dot_all(&x.at[from], b.at, active), ba = dot_all(&y.at[from], a.at, active);
  expect(close_to(ab, ba, 1e-9), arena_printf(p->arena, "T6 %s", what));
}

static void check_point(Point *p, const char *what) {
  IValues y, jv, vj;
  if (!call(p->arena, p->prog, "f", p->args, &y)) return;
  if (!call(p->arena, p->prog, "jvp_f", with_args(p->arena, p->args, p->dx), &jv)) return;
  if (!call(p->arena, p->prog, "vjp_f", with_args(p->arena, p->args, p->yB), &vj)) return;
  for (int i = 0; i < y.len; i++) {
    expect(ivalue_same(y.at[i], jv.at[i], 0), arena_printf(p->arena, "T3 jvp %s", what));
    expect(ivalue_same(y.at[i], vj.at[i], 0), arena_printf(p->arena, "T3 vjp %s", what));
  }
  check_difference(p, &y, &jv.at[y.len], arena_printf(p->arena, "T2 %s", what));
  double forward = dot_all(p->yB.at, &jv.at[y.len], y.len);
  double reverse = dot_all(p->dx.at, &vj.at[y.len], p->dx.len);
  if (!expect(close_to(forward, reverse, 1e-9), arena_printf(p->arena, "T1 %s", what)))
    printf("  forward %.12g reverse %.12g\n", forward, reverse);
}

// gradient_of: 0, or of how many float parameters the function is a gradient.
static void check_function(Arena *arena, const Prog *source, const char *name, Variant variant,
                           int gradient_of, const char *order) {
  const char *what = arena_printf(arena, "%s, %s", variant_name(arena, variant), order);
  Rewrite w = {.stm = NULL};
  Prog *prog = rewrite_prog(source, arena, &w);
  Fn *f = NULL;
  for (int i = 0; i < prog->fns.len; i++)
    if (strcmp(prog->fns.at[i]->name, name) == 0) f = prog->fns.at[i];
  check(f);
  prog->fns.len = 0;
  f->name = "f";
  list_push(arena, &prog->fns, f);
  add_operator(prog, f, "jvp_f", false, ONE);
  add_operator(prog, f, "vjp_f", true, ONE);
  Switches switches = {.off = left_out(variant)};
  Prog *done = differentiated(arena, prog, variant, &switches);
  if (!done || (variant >= VARIANTS && !(switches.asked & switches.off))) return;
  if (variant >= VARIANTS) {
    Prog *with = differentiated(arena, rewrite_prog(prog, arena, &w), PLAIN, NULL);
    switched[variant - VARIANTS] += !text_same(done, with);
  }
  if (verbose) show(done);
  for (int trial = 0; trial < 3; trial++) {
    Point p = {.arena = arena, .prog = done, .f = prog_fn(done, "f")};
    for (int i = 0; i < p.f->params.len; i++)
      list_push(arena, &p.args,
                random_value(arena, done, var_type(done, p.f->params.at[i]), p.f, p.args));
    p.dx = directions(&p, p.f->params, done, true);
    p.yB = directions(&p, p.f->results, done, false);
    check_point(&p, what);
    if (trial == 0) check_linear(&p, what);
    if (trial == 0 && gradient_of) check_symmetry(&p, gradient_of, what);
  }
}

static bool is_marked(const Prog *prog, const char *fn) {
  const Body *body = &prog_fn(prog, fn)->body;
  for (int i = 0; i < body->stms.len; i++)
    if (body->stms.at[i].attrs.unroll && body->stms.at[i].exp.form == FORM_MAP) return true;
  return false;
}

// The directions side by side.
static Prog *jammed(Arena *arena, Prog *prog, int count) {
  bool was = is_marked(prog, "jmp_f");
  prog = pass_map_jam(prog, arena);
  if (!verified(arena, prog, "T5 jammed")) return NULL;
  bool is = is_marked(prog, "jmp_f") || is_marked(prog, "mjp_f");
  expect(count == 0 || (was && !is), "T5 is not jammed");
  return prog;
}

// mjp and jmp of `count` directions against one direction at a time.
static void check_vector(Arena *arena, const Prog *source, int count, bool unroll) {
  Rewrite w = {.stm = NULL};
  Prog *prog = rewrite_prog(source, arena, &w);
  const Fn *f = prog_fn(prog, "f");
  add_operator(prog, f, "jvp_f", false, ONE);
  add_operator(prog, f, "vjp_f", true, ONE);
  add_operator(prog, f, "jmp_f", false, count);
  add_operator(prog, f, "mjp_f", true, count);
  Prog *done = differentiated(arena, prog, PLAIN, NULL);
  if (done && unroll) done = jammed(arena, done, count);
  if (!done) return;
  for (int reverse = 0; reverse < 2; reverse++) {
    Point p = {.arena = arena, .prog = done, .f = prog_fn(done, "f")};
    for (int i = 0; i < p.f->params.len; i++)
      list_push(arena, &p.args,
                random_value(arena, done, var_type(done, p.f->params.at[i]), p.f, p.args));
    IValues many = {0}, out[MOST_DIRECTIONS], all;
    const Fn *one = prog_fn(done, reverse ? "vjp_f" : "jvp_f");
    for (int d = 0; d < (count ? count : 1); d++) {
      IValues dir = reverse ? directions(&p, p.f->results, done, false)
                            : directions(&p, p.f->params, done, true);
      for (int i = 0; i < dir.len; i++) {
        if (d == 0) {
          int64_t dims[16] = {count};
          int rank = dir.at[i].array ? dir.at[i].array->rank : 0;
          for (int k = 0; k < rank; k++) dims[k + 1] = dir.at[i].array->dims[k];
          list_push(arena, &many, ivalue_array(PRIM_F64, rank + 1, dims));
        }
        for (int64_t k = 0; count && k < cell_count(dir.at[i]); k++)
          cell_set(many.at[i].array, d * cell_count(dir.at[i]) + k,
                   scalar_number(PRIM_F64, cell_number(dir.at[i], k)));
      }
      if (!call(arena, done, one->name, with_args(arena, p.args, dir), &out[d])) return;
    }
    if (!call(arena, done, reverse ? "mjp_f" : "jmp_f", with_args(arena, p.args, many), &all))
      return;
    bool ok = true;
    for (int i = p.f->results.len; i < all.len; i++)
      for (int d = 0; d < count; d++)
        for (int64_t k = 0; k < cell_count(out[d].at[i]); k++)
          ok = ok && close_to(cell_number(out[d].at[i], k),
                              cell_number(all.at[i], d * cell_count(out[d].at[i]) + k), 1e-12);
    for (int i = p.f->results.len; i < all.len; i++)
      ok = ok && all.at[i].array && all.at[i].array->dims[0] == count;
    expect(ok, reverse ? "T5 mjp" : "T5 jmp");
  }
}

// One result of `whole` (vjp_f, jvp_f) against the function that gives nothing else.
static void check_part(Arena *arena, const Prog *done, const char *whole, const char *part, int i,
                       IValues args) {
  InterpOptions options = {.step_limit = 50000000};
  InterpResult all = interp_call(arena, done, whole, args, &options);
  InterpResult one = interp_call(arena, done, part, args, &options);
  if (!expect(all.ok && one.ok, "T10 fails")) return;
  bool fewer = one.counts.scalar_ops <= all.counts.scalar_ops;
  if (!fewer)
    printf("  %s %d: %lld operations, %lld for all\n", whole, i, (long long)one.counts.scalar_ops,
           (long long)all.counts.scalar_ops);
  expect(fewer, "T10 a part costs more than the whole");
  expect(ivalue_same(all.results.at[i], one.results.at[0], 1e-12), "T10 a part differs");
}

static void check_parts(Arena *arena, const Prog *source) {
  Rewrite w = {.stm = NULL};
  Prog *prog = rewrite_prog(source, arena, &w);
  const Fn *f = prog_fn(prog, "f");
  int values = f->results.len;
  add_operator(prog, f, "jvp_f", false, ONE);
  add_operator(prog, f, "vjp_f", true, ONE);
  for (int reverse = 0; reverse < 2; reverse++) {
    const char *whole = reverse ? "vjp_f" : "jvp_f";
    const Fn *g = prog_fn(prog, whole);
    for (int i = values; i < g->results.len; i++)
      add_results(prog, g, arena_printf(arena, "%s_%d", whole, i), i, i + 1);
  }
  Prog *done = differentiated(arena, prog, SIMPLIFIED, NULL);
  if (!done) return;
  Point p = {.arena = arena, .prog = done, .f = prog_fn(done, "f")};
  for (int i = 0; i < p.f->params.len; i++)
    list_push(arena, &p.args,
              random_value(arena, done, var_type(done, p.f->params.at[i]), p.f, p.args));
  for (int reverse = 0; reverse < 2; reverse++) {
    const char *whole = reverse ? "vjp_f" : "jvp_f";
    IValues d = reverse ? directions(&p, p.f->results, done, false)
                        : directions(&p, p.f->params, done, true);
    for (int i = values; i < prog_fn(done, whole)->results.len; i++)
      check_part(arena, done, whole, arena_printf(arena, "%s_%d", whole, i), i,
                 with_args(arena, p.args, d));
  }
}

static void check_file(const char *path) {
  Arena *arena = arena_new();
  size_t len;
  char *text = file_read(arena, path, &len);
  file_now = path;
  Prog *prog = text ? parsed(arena, text, path) : NULL;
  if (!expect(prog != NULL, "cannot be read")) return;
  for (Variant variant = PLAIN; variant < VARIANTS + SWITCH_COUNT; variant++)
    check_function(arena, prog, "f", variant, 0, "first order");
  for (int count = 0; count <= MOST_DIRECTIONS; count++) {
    check_vector(arena, prog, count, false);
    check_vector(arena, prog, count, true);
  }
  check_parts(arena, prog);
  if (strstr(text, "-- first order only")) return;
  Prog *second = parsed(arena, text, path);
  const Fn *f = prog_fn(second, "f");
  int values = f->results.len;
  add_operator(second, f, "jvp_2", false, ONE);
  add_operator(second, f, "vjp_2", true, ONE);
  add_derivative(second, prog_fn(second, "jvp_2"), "jvp_g", values);
  add_derivative(second, prog_fn(second, "vjp_2"), "vjp_g", values);
  int active = 0;
  for (int i = 0; i < f->params.len; i++)
    active += differentiable(var_type(second, f->params.at[i]));
  for (Variant variant = PLAIN; variant < VARIANTS; variant++) {
    check_function(arena, second, "jvp_g", variant, 0, "T9 over jvp");
    check_function(arena, second, "vjp_g", variant, active, "T9 over vjp");
  }
  arena_free(arena);
}

static void check_guarded(const char *path) {
  Stop stop;
  if (stop_arm(&stop)) {
    check_file(path);
    stop_pop(&stop);
    return;
  }
  file_now = path;
  expect(false, "left early");
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    verbose = argc > 2;
    check_guarded(argv[1]);
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
  }
  char *names[1024];
  int n = 0;
  DIR *dir = opendir("tests/ad/rules");
  if (!dir) return 1;
  for (struct dirent *d; (d = readdir(dir)) != NULL;)
    if (strstr(d->d_name, ".ir") && n < 1024) {
      names[n] = malloc(strlen(d->d_name) + 32);
      sprintf(names[n++], "tests/ad/rules/%s", d->d_name);
    }
  closedir(dir);
  qsort(names, (size_t)n, sizeof *names, by_name);
  for (int i = 0; i < n; i++) {
    check_guarded(names[i]);
    free(names[i]);
  }
  file_now = "tests/ad/rules";
  // Parameters that do not change are gone when rules see these programs: tests/cli/without.t.
  for (Switch s = 0; s < SWITCH_BLOCKS; s++)
    expect(switched[s] > 0 || s == SWITCH_INVARIANTS, switch_info[s].name);
  expect(unjudged * 100 < passed, "T2 judged");
  printf("ad: %d files, %d passed, %d failed\n", n, passed, failed);
  return failed > 0 || n == 0;
}
