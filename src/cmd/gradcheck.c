// Derivatives of an entry point at one point, five ways: with u a random weight of the results and
// g = <u, y> as a function of the inputs,
//   reverse      the adjoints of u
//   forward      <u, tangent along e_i>, element i by element
//   differences  (g(x + h e_i) - g(x - h e_i)) / 2h.  They say nothing where g is not finite, where
//                the one-sided ones do not agree (x is at, or within h of, a kink), and where they
//                are not the adjoint, but those of step 2h are something else again
//   compiled     both modes again in compiled code
//   values       of the derivative programs against those of the entry
#include "gradcheck.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef struct {
  const GradCheck *g;
  Values inputs, weights, value;  // value: the floating-point results
  int disagreements;
  bool too_long;  // the interpreter's step limit ended a run
  int64_t looked, decided;  // elements of the inputs; those where differences say something
} Point;

static bool is_active(const Value *v) { return prim_is_float(v->prim); }

static double number_at(const Value *v, int64_t i) { return value_at(v, i).f; }

static Value value_copy(Arena *arena, const Value *v) {
  Value out = value_new(arena, v->prim, v->rank, v->shape);
  memcpy(out.data, v->data, (size_t)v->len * (size_t)prim_info[v->prim].bytes);
  return out;
}

static Value random_like(Arena *arena, const Value *like, uint64_t *state) {
  Value out = value_new(arena, like->prim, like->rank, like->shape);
  for (int64_t i = 0; i < out.len; i++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    double x = (double)(int64_t)(*state >> 40) / (double)(1 << 24);
    value_put(&out, i, scalar_float(out.prim, 0.25 + x));
  }
  return out;
}

static void report(Point *p, GradKind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void report(Point *p, GradKind kind, const char *fmt, ...) {
  p->disagreements++;
  if (p->g->kinds) *p->g->kinds |= kind;
  if (p->g->quiet) return;
  va_list args;
  va_start(args, fmt);
  printf("  DISAGREE: ");
  vprintf(fmt, args);
  printf("\n");
  va_end(args);
}

// ---- running ---------------------------------------------------------------------------------
static Values floats(Arena *arena, Values all) {
  Values out = {0};
  for (int i = 0; i < all.len; i++)
    if (is_active(&all.at[i])) list_push(arena, &out, all.at[i]);
  return out;
}

static Values joined(Arena *arena, Values a, Values b) {
  Values out = {0};
  for (int i = 0; i < a.len; i++) list_push(arena, &out, a.at[i]);
  for (int i = 0; i < b.len; i++) list_push(arena, &out, b.at[i]);
  return out;
}

enum { STEP_LIMIT = 50000000 };
static bool run(Point *p, const Prog *prog, const char *name, Values inputs, Values *out,
                const char **why) {
  InterpOptions options = {.step_limit = STEP_LIMIT};
  EntryResult r = interp_entry(p->g->arena, prog, name, inputs, &options);
  p->too_long = p->too_long || (!r.ok && strstr(r.message, "Step limit"));
  if (r.ok) *out = r.outputs;
  else *why = r.message;
  return r.ok;
}

static bool run_compiled(const Point *p, const char *exe, const char *name, Values inputs,
                         Values *out, const char **why) {
  Text text = {0};
  for (int i = 0; i < inputs.len; i++) value_write_binary(&text, &inputs.at[i]);
  const char *argv[] = {exe, "-e", name, "-b", NULL};
  ProcessResult r = process_run(p->g->arena, argv, text.at ? text.at : "", text.len, 60);
  text_free(&text);
  *why = r.error;
  return r.status == 0 && values_read(p->g->arena, r.out, r.out_len, NULL, 0, out, why);
}

// <u, y>, and a scale for its rounding errors.
static double dot(Values u, Values y, int from, double *scale) {
  double sum = 0, sizes = 0;
  for (int k = 0; k < u.len; k++)
    for (int64_t i = 0; i < u.at[k].len; i++) {
      double c = number_at(&u.at[k], i) * number_at(&y.at[from + k], i);
      sum += c, sizes += fabs(c);
    }
  if (scale) *scale = sizes;
  return sum;
}

// ---- comparing -------------------------------------------------------------------------------
static void compare_values(Point *p, GradKind kind, const char *way, Values got, Values want) {
  for (int k = 0; k < want.len; k++) {
    Prim prim = want.at[k].prim;
    double tolerance = prim == PRIM_F64 ? 1e-9 : prim == PRIM_F32 ? 1e-3 : 0.1;
    const char *differs = value_differs(p->g->arena, &got.at[k], &want.at[k], tolerance);
    if (differs) report(p, kind, "%s: result %d: %s", way, k, differs);
  }
}

typedef struct {
  double tolerance, step;  // of differences, by type: rounding errors against those of the formula
  double modes, least;     // of forward against reverse mode, relative to no less than that
} Precision;

static Precision precision(const GradCheck *g, Prim prim) {
  if (prim_info[g->coarsest].bytes < prim_info[prim].bytes) prim = g->coarsest;
  Precision p = prim == PRIM_F64   ? (Precision){1e-4, 1e-5, 1e-6, 1e-6}
                : prim == PRIM_F32 ? (Precision){3e-2, 1e-2, 3e-4, 1e-6}
                                   : (Precision){0.2, 0.1, 2e-2, 1e-2};
  if (g->tolerance > 0) p.tolerance = g->tolerance;
  return p;
}

static bool near(double a, double b, double tolerance, double scale) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  if (isinf(a) || isinf(b)) return a == b;
  return fabs(a - b) <= tolerance * fmax(fmax(fabs(a), fabs(b)), scale);
}

static bool moved(Point *p, int input, int64_t i, double to, double *out) {
  const char *why;
  Values inputs = joined(p->g->arena, p->inputs, (Values){0}), y = {0};
  inputs.at[input] = value_copy(p->g->arena, &inputs.at[input]);
  value_put(&inputs.at[input], i, scalar_float(inputs.at[input].prim, to));
  if (!run(p, p->g->primal, p->g->entry, inputs, &y, &why)) return false;
  *out = dot(p->weights, floats(p->g->arena, y), 0, NULL);
  return true;
}

// The central difference; *kink: the one-sided ones differ, or g fails somewhere or is not finite.
static double difference(Point *p, int input, int64_t i, Precision at, double center, double scale,
                         bool *kink) {
  double x = number_at(&p->inputs.at[input], i), up, down;
  double h = at.step * fmax(1, fabs(x));
  *kink = true;
  if (!moved(p, input, i, x + h, &up) || !moved(p, input, i, x - h, &down)) return NAN;
  double right = (up - center) / h, left = (center - down) / h;
  double noise = scale * (at.step < 1e-4 ? 1e-14 : 1e-5) / h;
  *kink = !isfinite(center) || !isfinite(up) || !isfinite(down) ||
          fabs(right - left) > 0.05 * fmax(fabs(right), fabs(left)) + 100 * noise + 10 * h;
  return (up - down) / (2 * h);
}

static double forward(Point *p, int input, int nth, int64_t i, bool *ok) {
  Values tangents = {0}, all = {0}, active = floats(p->g->arena, p->inputs);
  (void)input;
  for (int k = 0; k < active.len; k++) {
    Value zero = value_new(p->g->arena, active.at[k].prim, active.at[k].rank, active.at[k].shape);
    if (k == nth) value_put(&zero, i, scalar_float(zero.prim, 1));
    list_push(p->g->arena, &tangents, zero);
  }
  const char *why;
  *ok = run(p, p->g->jvp, p->g->jvp_name, joined(p->g->arena, p->inputs, tangents), &all, &why);
  if (!*ok && !p->too_long) report(p, DISAGREE_FAILS, "forward mode fails: %s", why);
  return *ok ? dot(p->weights, all, p->value.len, NULL) : NAN;
}

// ---- one input -------------------------------------------------------------------------------
typedef struct {
  int64_t at;
  double error, reverse, other;
} Worst;

static void worst_note(Worst *w, int64_t i, double reverse, double other, double scale) {
  double largest = fmax(fmax(fabs(reverse), fabs(other)), fmax(scale, 1e-300));
  double error = fabs(reverse - other) / largest;
  if (reverse == other || (isnan(reverse) && isnan(other))) error = 0;
  if (isnan(error)) error = INFINITY;
  if (w->at >= 0 && error <= w->error) return;
  *w = (Worst){i, error, reverse, other};
}

// The derivatives of a value that is NaN or infinite need not agree on where they are so as well.
static bool is_lost(double value, double reverse, double forward) {
  return !isfinite(value) && (!isfinite(reverse) || !isfinite(forward));
}

static const char *position(Arena *arena, const Value *v, int64_t i) {
  const char *text = "";
  for (int d = v->rank - 1; d >= 0; d--) {
    text = arena_printf(arena, "[%lld]%s", (long long)(i % v->shape[d]), text);
    i /= v->shape[d];
  }
  return text;
}

// The parameter's; of tuples and records, which are given in parts, with the number of the part.
static const char *input_name(const Point *p, int input) {
  const Fn *fn = p->g->fn;
  const Var *params = fn->params.at + fn->entry->size_params;
  const char *name = var_info(p->g->primal, params[input])->base;
  int part = 0, parts = 0;
  for (int k = 0; k < p->inputs.len; k++) {
    bool same = strcmp(var_info(p->g->primal, params[k])->base, name) == 0;
    parts += same;
    part += same && k < input;
  }
  return parts > 1 ? arena_printf(p->g->arena, "%s (part %d)", name, part) : name;
}

static void input_check(Point *p, int input, int nth, const Value *adjoint) {
  const Value *x = &p->inputs.at[input];
  Precision at = precision(p->g, x->prim);
  Worst fwd = {.at = -1}, diff = {.at = -1};
  double scale, center = dot(p->weights, p->value, 0, &scale);
  int64_t step = x->len > p->g->most ? x->len / p->g->most : 1, looked = 0, kinks = 0;
  bool bad_fwd = false, bad_diff = false;
  for (int64_t i = 0; i < x->len; i += step, looked++) {
    double r = number_at(adjoint, i);
    bool ok, kink;
    double f = forward(p, input, nth, i, &ok);
    double d = difference(p, input, i, at, center, scale, &kink);
    if (!ok) return;  // reported, or too long
    bool lost = is_lost(center, r, f);
    if (!lost) worst_note(&fwd, i, r, f, 1e-6);
    bad_fwd = bad_fwd || (!lost && !near(r, f, at.modes, at.least));
    double floor = fmax(fmax(1e-3, 10 * at.least), scale * 1e-6);
    bool bad = !kink && !near(r, d, at.tolerance, floor);
    if (bad) {
      Precision wide = at;
      wide.step *= 2;
      double other = difference(p, input, i, wide, center, scale, &kink);
      kink = kink || !near(d, other, at.tolerance, floor);
    }
    kinks += kink;
    if (kink) continue;
    worst_note(&diff, i, r, d, 1e-3);
    bad_diff = bad_diff || bad;
  }
  const char *name = input_name(p, input);
  if (!p->g->quiet)
    printf("%s: %lld of %lld elements, worst error forward/reverse %.1e, differences %.1e, %lld "
           "inconclusive\n", name, (long long)looked, (long long)x->len, fwd.error, diff.error,
           (long long)kinks);
  p->looked += looked;
  p->decided += looked - kinks;
  if (bad_fwd)
    report(p, DISAGREE_MODES, "%s%s: reverse mode gives %.9g, forward mode %.9g", name,
           position(p->g->arena, x, fwd.at), fwd.reverse, fwd.other);
  if (bad_diff)
    report(p, DISAGREE_DIFFERENCES, "%s%s: reverse mode gives %.9g, differences %.9g", name,
           position(p->g->arena, x, diff.at), diff.reverse, diff.other);
}

// ---- the whole -------------------------------------------------------------------------------
static void compiled_check(Point *p, const char *way, const char *exe, const char *name,
                           Values inputs, Values want) {
  Values got = {0};
  const char *why;
  if (!run_compiled(p, exe, name, inputs, &got, &why))
    report(p, DISAGREE_COMPILED, "%s fails: %s", way, why);
  else if (got.len != want.len)
    report(p, DISAGREE_COMPILED, "%s: %d results, not %d", way, got.len, want.len);
  else compare_values(p, DISAGREE_COMPILED, way, got, want);
}

static void compiled_both(Point *p, Values reverse_inputs, Values reverse) {
  const GradCheck *g = p->g;
  compiled_check(p, "reverse mode, compiled", g->vjp_exe, g->vjp_name, reverse_inputs, reverse);
  uint64_t state = g->seed + 7;
  Values tangents = {0}, active = floats(g->arena, p->inputs), want = {0};
  for (int k = 0; k < active.len; k++)
    list_push(g->arena, &tangents, random_like(g->arena, &active.at[k], &state));
  Values inputs = joined(g->arena, p->inputs, tangents);
  const char *why;
  if (run(p, g->jvp, g->jvp_name, inputs, &want, &why))
    compiled_check(p, "forward mode, compiled", g->jvp_exe, g->jvp_name, inputs, want);
}

// ---- compiled code alone -----------------------------------------------------------------------
// Inputs moved by h along the direction v.
static Values moved_along(const Point *p, Values v, double h) {
  Values out = {0};
  for (int k = 0, nth = 0; k < p->inputs.len; k++) {
    if (!is_active(&p->inputs.at[k])) {
      list_push(p->g->arena, &out, p->inputs.at[k]);
      continue;
    }
    Value x = value_copy(p->g->arena, &p->inputs.at[k]);
    for (int64_t i = 0; i < x.len; i++) {
      double to = number_at(&x, i) + h * number_at(&v.at[nth], i);
      value_put(&x, i, scalar_float(x.prim, to));
    }
    list_push(p->g->arena, &out, x);
    nth++;
  }
  return out;
}

static Values randoms_like(Arena *arena, Values like, uint64_t seed) {
  Values out = {0};
  for (int k = 0; k < like.len; k++)
    list_push(arena, &out, random_like(arena, &like.at[k], &seed));
  return out;
}

// <u, y> at the inputs moved by h along v; false where the program fails.
static bool value_along(Point *p, Values v, double h, double *out) {
  Values all = {0};
  const char *why;
  Values inputs = joined(p->g->arena, moved_along(p, v, h), v);
  if (!run_compiled(p, p->g->jvp_exe, p->g->jvp_name, inputs, &all, &why)) return false;
  *out = dot(p->weights, all, 0, NULL);
  return true;
}

static void direction_check(Point *p, Values v, double forward, double reverse) {
  Prim prim = PRIM_F64;
  for (int k = 0; k < v.len; k++)
    if (prim_info[v.at[k].prim].bytes < prim_info[prim].bytes) prim = v.at[k].prim;
  Precision at = precision(p->g, prim);
  double scale, center = dot(p->weights, p->value, 0, &scale), up = 0, down = 0;
  if (is_lost(center, reverse, forward)) return;
  if (!near(reverse, forward, at.modes, fmax(at.least, scale * 1e-6)))
    report(p, DISAGREE_MODES,
           "compiled, in one direction: reverse mode gives %.9g, forward mode %.9g", reverse,
           forward);
  bool moves = value_along(p, v, at.step, &up) && value_along(p, v, -at.step, &down);
  double right = (up - center) / at.step, left = (center - down) / at.step;
  if (!moves || !isfinite(right) || !isfinite(left) || !near(right, left, 0.05, 1e-3)) return;
  p->decided++;
  double d = (up - down) / (2 * at.step), least = fmax(1e-3, scale * 1e-6);
  if (!near(forward, d, at.tolerance, least))
    report(p, DISAGREE_DIFFERENCES,
           "compiled, in one direction: forward mode gives %.9g, differences %.9g", forward, d);
}

GradVerdict gradcheck_compiled(const GradCheck *g, Values inputs, const char **why) {
  Point p = {.g = g, .inputs = inputs};
  Values active = floats(g->arena, inputs), forward = {0}, reverse = {0};
  Values v = randoms_like(g->arena, active, g->seed + 7);
  if (!active.len) return GRAD_EMPTY;
  Values at = joined(g->arena, inputs, v);
  if (!run_compiled(&p, g->jvp_exe, g->jvp_name, at, &forward, why)) return GRAD_FAILED;
  int results = forward.len / 2;
  for (int k = 0; k < results; k++) list_push(g->arena, &p.value, forward.at[k]);
  p.weights = randoms_like(g->arena, p.value, g->seed);
  at = joined(g->arena, inputs, p.weights);
  if (!run_compiled(&p, g->vjp_exe, g->vjp_name, at, &reverse, why)) {
    report(&p, DISAGREE_FAILS, "reverse mode, compiled, fails: %s", *why);
    return GRAD_DISAGREES;
  }
  compare_values(&p, DISAGREE_VALUE, "value in reverse mode, compiled", reverse, p.value);
  direction_check(&p, v, dot(p.weights, forward, results, NULL), dot(v, reverse, results, NULL));
  if (!g->quiet) printf("compiled code alone, in one random direction\n");
  return p.disagreements ? GRAD_DISAGREES : p.decided ? GRAD_AGREES : GRAD_INCONCLUSIVE;
}

// ---- strategies --------------------------------------------------------------------------------
static double worst_error(Values got, Values want) {
  double worst = 0;
  for (int k = 0; k < want.len && k < got.len; k++)
    for (int64_t i = 0; i < want.at[k].len && i < got.at[k].len; i++) {
      double x = number_at(&got.at[k], i), y = number_at(&want.at[k], i);
      worst = fmax(worst, fabs(x - y) / fmax(1, fabs(y)));
    }
  return worst;
}

// A line for each strategy: its value and adjoints against those of reverse mode.
static void strategies_check(Point *p, Values inputs, Values reverse) {
  const GradCheck *g = p->g;
  for (int i = 1; i < STRATEGY_END; i++) {
    Values got = {0};
    const char *why = "";
    if (!g->by_strategy[i]) continue;
    const char *way = arena_printf(g->arena, "strategy %s", strategy_info[i].name);
    bool too_long = p->too_long;
    if (run(p, g->by_strategy[i], g->vjp_name, inputs, &got, &why)) {
      compare_values(p, DISAGREE_MODES, way, got, reverse);
      if (!g->quiet) printf("%s: worst error %.1e\n", way, worst_error(got, reverse));
    } else if (p->too_long) {
      if (!g->quiet) printf("%s: too long for the interpreter\n", way);
    } else {
      report(p, DISAGREE_FAILS, "%s fails: %s", way, why);
    }
    p->too_long = too_long;
  }
}

// ---- all ways ----------------------------------------------------------------------------------
GradVerdict gradcheck_at(const GradCheck *g, Values inputs, const char **why) {
  Point p = {.g = g, .inputs = inputs};
  Values all = {0}, reverse = {0};
  if (!run(&p, g->primal, g->entry, inputs, &all, why))
    return p.too_long ? GRAD_TOO_LONG : GRAD_FAILED;
  p.value = floats(g->arena, all);
  uint64_t state = g->seed;
  for (int k = 0; k < p.value.len; k++)
    list_push(g->arena, &p.weights, random_like(g->arena, &p.value.at[k], &state));
  Values reverse_inputs = joined(g->arena, inputs, p.weights);
  const char *message;
  if (!run(&p, g->vjp, g->vjp_name, reverse_inputs, &reverse, &message)) {
    if (p.too_long) return GRAD_TOO_LONG;
    report(&p, DISAGREE_FAILS, "reverse mode fails: %s", message);
    return GRAD_DISAGREES;
  }
  compare_values(&p, DISAGREE_VALUE, "value in reverse mode", reverse, p.value);
  for (int i = 0, nth = 0; i < inputs.len; i++)
    if (is_active(&inputs.at[i])) {
      input_check(&p, i, nth, &reverse.at[p.value.len + nth]);
      nth++;
    }
  if (g->vjp_exe) compiled_both(&p, reverse_inputs, reverse);
  strategies_check(&p, reverse_inputs, reverse);
  if (p.disagreements) return GRAD_DISAGREES;
  if (p.too_long) return GRAD_TOO_LONG;
  if (!p.looked) return GRAD_EMPTY;
  return p.decided ? GRAD_AGREES : GRAD_INCONCLUSIVE;
}
