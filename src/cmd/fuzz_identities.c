// Identities that the derivatives of random programs obey (y = f x, J its Jacobian):
//
//   values     the y of jvp and vjp is f x
//   finite     where x and y are finite and small, J v and J' u are finite; not so where y results
//   from
//              arithmetic on infinite numbers, or sums and products of J v and J' u overflow
//   linear     J' (a u + b w) = a J' u + b J' w, J' 0 = 0
//   parts      one adjoint alone, the others dropped, is the same after optimisation
//   copies     copies of arrays anywhere in f change nothing
//   bare       nor does leaving out every pass before and after the rules that they can do without
//   vectors    0 to 3 directions at once are each what they are alone, jammed (#[unroll]) too
//   fused      nor does optimising f before it is differentiated
//   second     w H v is the same by forward and reverse mode over either
#include "fuzz.h"
#include "ad/common/ad.h"
#include "gen/gen.h"
#include <math.h>

typedef struct {
  Session *s;
  uint64_t seed;
  const Prog *prog, *derived;
  const FuzzSeeds *x;
  const InterpResult *want;
} Trial;

static const double tolerance = 1e-6;

static int64_t len_of(IValue v) { return v.array ? v.array->len : 1; }

static double at(IValue v, int64_t i) {
  Scalar s = v.array ? cell_scalar(v.array, i) : v.scalar;
  return prim_is_float(s.prim) ? s.f : (double)s.i;
}

// Not lost in the rounding of large numbers, no pole near.
static bool is_tame(IValues values, double most) {
  for (int i = 0; i < values.len; i++)
    for (int64_t k = 0; k < len_of(values.at[i]); k++)
      if (!(fabs(at(values.at[i], k)) < most)) return false;
  return true;
}

static IValues tail(IValues values, int from) {
  return (IValues){.at = values.at + from, .len = values.len - from};
}

static IValues head(IValues values, int len) { return (IValues){.at = values.at, .len = len}; }

static bool is_integer(IValues values) {
  for (int i = 0; i < values.len; i++) {
    IValue v = values.at[i];
    if (!prim_is_float(v.array ? v.array->prim : v.scalar.prim)) return true;
  }
  return false;
}

// ---- values
// Whether values result from arithmetic on infinite numbers, as tanh (1 / 0) does, whose
// derivative is a zero times infinity: not those that a branch or a product of zeros keeps out.
static bool depends_on_infinity(Trial *t) {
  InterpOptions options = {.step_limit = FUZZ_STEP_LIMIT, .finite = true};
  InterpResult r = interp_call(t->s->arena, t->derived, "main", t->x->params, &options);
  int n = t->want->results.len;
  const char *differs = r.ok ? fuzz_values_within(t->s, "finite", r.results,
                                                  head(t->want->results, n), tolerance)
                             : "failed";
  fuzz_release(r.results);
  return differs != NULL;
}

static const char *values(Trial *t) {
  static const char *const fns[] = {"main_jvp", "main_vjp"};
  const char *differs = NULL;
  for (int i = 0; i < 2 && !differs; i++) {
    IValues args = fuzz_with(t->s->arena, t->x->params, i ? t->x->adjoints : t->x->tangents);
    InterpResult r = fuzz_call(t->s, t->derived, fns[i], args);
    if (!r.ok) continue;
    const char *way = arena_printf(t->s->arena, "value of %s", fns[i]);
    int n = t->want->results.len;
    differs = fuzz_values_within(t->s, way, head(r.results, n), t->want->results, tolerance);
    bool tame = is_tame(t->want->results, 1e6) && is_tame(t->x->params, 1e6);
    if (!differs && tame && !is_tame(tail(r.results, n), INFINITY)) {
      if (r.counts.overflows || depends_on_infinity(t)) ++*t->x->unbounded;
      else differs = arena_printf(t->s->arena, "%s: the derivative is not finite", fns[i]);
    }
    fuzz_release(r.results);
  }
  return differs;
}

// ---- linear
// a x + b y, elementwise.
static IValue mixed(IValue x, IValue y, double a, double b) {
  if (!x.array) return ivalue_scalar(scalar_number(x.scalar.prim, a * at(x, 0) + b * at(y, 0)));
  IValue out = ivalue_array(x.array->prim, x.array->rank, x.array->dims);
  for (int64_t i = 0; i < len_of(x); i++)
    cell_set(out.array, i, scalar_number(x.array->prim, a * at(x, i) + b * at(y, i)));
  return out;
}

static IValues all_mixed(Trial *t, IValues x, IValues y, double a, double b) {
  IValues out = {0};
  for (int i = 0; i < x.len; i++)
    list_push(t->s->arena, &out, mixed(x.at[i], y.at[i], a, b));
  return out;
}

static IValues others(Trial *t, IValues like, uint64_t salt) {
  IValues out = {0};
  for (int i = 0; i < like.len; i++)
    list_push(t->s->arena, &out, gen_direction(t->s->arena, like.at[i], t->seed + salt + i));
  return out;
}

static InterpResult adjoints(Trial *t, IValues u) {
  return fuzz_call(t->s, t->derived, "main_vjp", fuzz_with(t->s->arena, t->x->params, u));
}

static const char *linear(Trial *t) {
  IValues u = t->x->adjoints, w = others(t, u, 500);
  InterpResult a = adjoints(t, u), b = adjoints(t, w);
  InterpResult both = adjoints(t, all_mixed(t, u, w, 2, -3));
  InterpResult none = adjoints(t, all_mixed(t, u, u, 0, 0));
  const char *differs = NULL;
  int n = t->want->results.len;
  if (a.ok && b.ok && both.ok && none.ok && is_tame(a.results, 1e5) && is_tame(b.results, 1e5)) {
    IValues sum = all_mixed(t, tail(a.results, n), tail(b.results, n), 2, -3);
    differs = fuzz_values_within(t->s, "linear", tail(both.results, n), sum, tolerance);
    IValues zero = all_mixed(t, tail(a.results, n), tail(a.results, n), 0, 0);
    if (!differs) differs = fuzz_values_within(t->s, "of zero", tail(none.results, n), zero, 0);
  }
  fuzz_release(a.results), fuzz_release(b.results);
  fuzz_release(both.results), fuzz_release(none.results);
  return differs;
}

// ---- parts, copies
static Prog *differentiated(Trial *t, Prog *with) {
  list_push(t->s->arena, &t->s->programs, with->arena);
  return pipeline_differentiate(t->s, with);
}

// main_vjp of t->derived and of another, which has `got` of its results from number `from` on;
// 0: all.
static const char *same_adjoints(Trial *t, const char *way, const Prog *other, int from, int got) {
  IValues args = fuzz_with(t->s->arena, t->x->params, t->x->adjoints);
  InterpResult a = fuzz_call(t->s, t->derived, "main_vjp", args);
  InterpResult b = fuzz_call(t->s, other, "main_vjp", args);
  const char *differs = NULL;
  if (a.ok && !b.ok && !fuzz_out_of_steps(&b))
    differs = arena_printf(t->s->arena, "%s: failed with %s", way, b.message);
  if (a.ok && b.ok && is_tame(a.results, 1e5))
    differs = fuzz_values_within(t->s, way, b.results,
                                 head(tail(a.results, from), got ? got : a.results.len), tolerance);
  fuzz_release(a.results), fuzz_release(b.results);
  return differs;
}

static const char *parts(Trial *t) {
  int n = t->want->results.len, all = t->x->tangents.len;
  if (all == 0) return NULL;
  int from = n + (int)(t->seed / 64 % (uint64_t)all);
  Prog *one = gen_part(arena_new(), t->derived, "main_vjp", from);
  list_push(t->s->arena, &t->s->programs, one->arena);
  return same_adjoints(t, "one adjoint alone", pipeline_optimise(t->s, one), from, 1);
}

static const char *copies(Trial *t) {
  Prog *copied = gen_copies(arena_new(), t->prog, t->seed);
  list_push(t->s->arena, &t->s->programs, copied->arena);
  Prog *other = differentiated(t, gen_derivatives(arena_new(), copied));
  return same_adjoints(t, "with copies", other, 0, 0);
}

// The rules see the program as it is.
static const char *bare(Trial *t) {
  static const char *const rules[] = {"inline-ad", "loop-bounds", "unfuse", "sparse-jacobian", "ad",
                                      NULL};
  Prog *p = gen_derivatives(arena_new(), t->prog);
  list_push(t->s->arena, &t->s->programs, p->arena);
  while (ad_is_left(p)) p = pipeline_run(t->s, p, rules);
  if (fuzz_main_fails(t->s, p, t->x->params)) return NULL;
  return same_adjoints(t, "without other passes", p, 0, 0);
}

// f fused under its operators, its operations shared and moved, then differentiated.
static const char *fused(Trial *t) {
  static const char *const first[] = {"inline", "simplify",       "cse",      "hoist",
                                      "fuse",   "scalar-replace", "simplify", NULL};
  Prog *p = gen_derivatives(arena_new(), t->prog);
  list_push(t->s->arena, &t->s->programs, p->arena);
  p = pipeline_differentiate(t->s, pipeline_run(t->s, p, first));
  return same_adjoints(t, "fused before", p, 0, 0);
}

// ---- vectors
enum { MOST_DIRECTIONS = 3 };

// [count] of the shape of the values at i.
static IValue stacked(IValues *each, int count, IValue like, int i) {
  int64_t dims[16] = {count}, n = len_of(like);
  int rank = like.array ? like.array->rank : 0;
  for (int d = 0; d < rank; d++) dims[d + 1] = like.array->dims[d];
  IValue out = ivalue_array(like.array ? like.array->prim : like.scalar.prim, rank + 1, dims);
  for (int d = 0; d < count; d++)
    for (int64_t k = 0; k < n; k++) {
      IValue v = each[d].at[i];
      cell_set(out.array, d * n + k, v.array ? cell_scalar(v.array, k) : v.scalar);
    }
  return out;
}

static IValues all_stacked(Trial *t, IValues *each, int count, IValues like, int from) {
  IValues out = {0};
  for (int i = 0; i < like.len; i++)
    list_push(t->s->arena, &out,
              i < from ? like.at[i] : stacked(each, count, like.at[i], i));
  return out;
}

// `many` of directions u, and others, against `one` of each.
static const char *stacked_same(Trial *t, const Prog *prog, const char *many, const char *one,
                                IValues u, int count) {
  Arena *arena = t->s->arena;
  IValues each[MOST_DIRECTIONS], values[MOST_DIRECTIONS];
  bool ok = true;
  for (int d = 0; d < MOST_DIRECTIONS; d++) {
    each[d] = d ? others(t, u, 700 + 50 * (uint64_t)d) : u;
    InterpResult r = fuzz_call(t->s, prog, one, fuzz_with(arena, t->x->params, each[d]));
    ok = ok && r.ok;
    values[d] = r.results;
  }
  IValues all = all_stacked(t, each, count, u, 0);
  InterpResult c = fuzz_call(t->s, prog, many, fuzz_with(arena, t->x->params, all));
  const char *differs = NULL;
  if (ok && !c.ok && !fuzz_out_of_steps(&c))
    differs = arena_printf(arena, "%s: failed with %s", many, c.message);
  IValues want = {0};
  if (ok) want = all_stacked(t, values, count, values[0], t->want->results.len);
  if (ok && c.ok && is_tame(want, 1e5))
    differs = fuzz_values_within(t->s, many, c.results, want, tolerance);
  for (int d = 0; d < MOST_DIRECTIONS; d++) fuzz_release(values[d]);
  fuzz_release(c.results);
  return differs;
}

static const char *vectors(Trial *t) {
  static const char *const names[][2] = {{"main_jmp", "main_jvp"}, {"main_mjp", "main_vjp"},
                                         {"main_jmp_jammed", "main_jvp"},
                                         {"main_mjp_jammed", "main_vjp"}};
  int count = (int)(t->seed / 128 % (MOST_DIRECTIONS + 1));
  Prog *after = differentiated(t, gen_vector_derivatives(arena_new(), t->prog, count));
  const char *differs = NULL;
  for (int i = 0; i < COUNT_OF(names) && !differs; i++)
    differs = stacked_same(t, after, names[i][0], names[i][1],
                           i % 2 ? t->x->adjoints : t->x->tangents, count);
  return differs;
}

// ---- second
static double dot(IValues a, IValues b) {
  double sum = 0;
  for (int i = 0; i < b.len; i++) sum += gen_dot(a.at[i], b.at[i]);
  return sum;
}

// w H v as one of the four nestings of two modes tells it.
typedef struct {
  const char *name;
  IValues first, then;  // what comes after the parameters
  IValues by;           // the last results times these are the number
} Nesting;

// The number, and how large it may be by the size of its terms; NAN where the program fails.
static double told_by(Trial *t, const Prog *prog, const Nesting *n, double *scale,
                      const char **why) {
  Arena *arena = t->s->arena;
  IValues args = fuzz_with(arena, fuzz_with(arena, t->x->params, n->first), n->then);
  InterpResult r = fuzz_call(t->s, prog, n->name, args);
  double value = NAN;
  if (!r.ok && !fuzz_out_of_steps(&r))
    *why = arena_printf(arena, "%s: %s", n->name, r.message);
  if (r.ok && is_tame(r.results, 1e5)) {
    IValues last = tail(r.results, r.results.len - n->by.len);
    value = dot(last, n->by);
    *scale = fmax(*scale, 1 + sqrt(dot(last, last) * dot(n->by, n->by)));
  }
  fuzz_release(r.results);
  return value;
}

// log (exp x + exp y) by max and abs: where x = y its first derivative is that of the smooth
// function by the rules' convention, its second derivative is not.
static bool has_corner(const Exp *e) {
  return e->form == FORM_PRIM && e->prim.op == OP_ABS && prim_is_float(e->prim.prim);
}

static const char *second(Trial *t) {
  Prog *after = differentiated(t, gen_second_derivatives(arena_new(), t->prog));
  IValues u = t->x->adjoints, v = t->x->tangents, w = others(t, v, 900);
  const Nesting nestings[] = {{"main_jvp_vjp", u, v, w},
                              {"main_vjp_vjp", u, w, v},
                              {"main_vjp_jvp", v, u, w},
                              {"main_jvp_jvp", v, w, u}};
  const char *why = NULL;
  double told[COUNT_OF(nestings)], scale = 1;
  for (int i = 0; i < COUNT_OF(nestings); i++)
    told[i] = told_by(t, after, &nestings[i], &scale, &why);
  for (int i = 1; i < COUNT_OF(nestings) && !why; i++)
    if (fabs(told[i] - told[0]) > tolerance * scale)
      why = arena_printf(t->s->arena, "w H v is %.12g by %s, %.12g by %s", told[0],
                         nestings[0].name, told[i], nestings[i].name);
  if (why && prog_has(t->prog, has_corner)) why = NULL;
  return why;
}

const char *fuzz_identity(Session *s, uint64_t seed, const Prog *prog, const Prog *derived,
                          const FuzzSeeds *seeds, const InterpResult *want) {
  static const char *(*const kinds[])(Trial *t) = {linear, parts, copies, bare,
                                                      fused,  vectors, second};
  Trial t = {s, seed, prog, derived, seeds, want};
  const char *differs = values(&t);
  if (differs || is_integer(seeds->adjoints)) return differs;
  return kinds[(seed / 2 + seed / 16) % COUNT_OF(kinds)](&t);  // in step with no other choice
}
