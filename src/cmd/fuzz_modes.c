// Derivatives of random programs against each other, <tangent of results, u> == <v, adjoint of
// params>, and against central differences, which count only where those of three steps agree with
// each other, and where forward mode changes less between the points of a step than it is away from
// them: of cos x at x = 1e20, and of x + cos x there, they say nothing.
#include "fuzz.h"
#include "gen/gen.h"
#include <math.h>

static const double derivative_tolerance = 1e-6, difference_tolerance = 1e-3;

FuzzSeeds fuzz_seeds(Session *s, const Prog *prog, IValues params, IValues results, uint64_t seed) {
  const Fn *fn = prog_fn(prog, "main");
  FuzzSeeds seeds = {.params = params};
  for (int i = 0; i < params.len; i++) {
    if (!gen_is_active(prog, fn->params.at[i])) continue;
    IValue dx = gen_direction(s->arena, params.at[i], seed + (uint64_t)i);
    list_push(s->arena, &seeds.tangents, dx);
  }
  for (int i = 0; i < results.len; i++) {
    IValue u = gen_direction(s->arena, results.at[i], seed + 100 + (uint64_t)i);
    list_push(s->arena, &seeds.adjoints, u);
  }
  return seeds;
}

double fuzz_dot(IValues a, IValues b, int from) {
  double sum = 0;
  for (int i = 0; i < b.len; i++) sum += gen_dot(a.at[from + i], b.at[i]);
  return sum;
}

static uint64_t dot_integer(IValues a, IValues b, int from) {
  uint64_t sum = 0;
  for (int i = 0; i < b.len; i++) sum += gen_dot_integer(a.at[from + i], b.at[i]);
  return sum;
}

static Prim prim_of(IValues values) {
  if (values.len == 0) return PRIM_F64;
  return values.at[0].array ? values.at[0].array->prim : values.at[0].scalar.prim;
}

static bool is_integer(IValues values) { return prim_is_int(prim_of(values)); }

// Of f32 fewer digits are left, on the way, too; of f16, which has three, less than two.
double fuzz_tolerance(const FuzzSeeds *seeds) {
  return seeds->half ? 0.05 : seeds->coarse ? 1e-2 : derivative_tolerance;
}

static double magnitude(IValues a, IValues b, int from) {
  double sum = 1;
  for (int i = 0; i < b.len; i++)
    sum += sqrt(gen_dot(a.at[from + i], a.at[from + i]) * gen_dot(b.at[i], b.at[i]));
  return sum;
}

static FuzzDuality duality_of(const InterpResult *jvp, const InterpResult *vjp,
                              const FuzzSeeds *seeds, int results) {
  return (FuzzDuality){fuzz_dot(jvp->results, seeds->adjoints, results),
                       fuzz_dot(vjp->results, seeds->tangents, results),
                       magnitude(jvp->results, seeds->adjoints, results) +
                           magnitude(vjp->results, seeds->tangents, results)};
}

// At a pole the two differ legitimately: 0 * inf.
static bool duality_holds(FuzzDuality d, const FuzzSeeds *seeds) {
  if (!isfinite(d.forward) || !isfinite(d.reverse)) return true;
  return fabs(d.forward - d.reverse) <= fuzz_tolerance(seeds) * d.scale;
}

static const char *integer_duality(Session *s, uint64_t there, uint64_t back, const char *way) {
  if (there == back) return NULL;
  return arena_printf(s->arena, "%s: in integers, forward gives %lld, reverse %lld", way,
                      (long long)there, (long long)back);
}

const char *fuzz_duality(Session *s, const Prog *prog, const FuzzSeeds *seeds, int results,
                         const char *way) {
  InterpResult jvp =
      fuzz_call(s, prog, "main_jvp", fuzz_with(s->arena, seeds->params, seeds->tangents));
  InterpResult vjp =
      fuzz_call(s, prog, "main_vjp", fuzz_with(s->arena, seeds->params, seeds->adjoints));
  if (fuzz_out_of_steps(&jvp) || fuzz_out_of_steps(&vjp)) return NULL;
  if (!jvp.ok) return arena_printf(s->arena, "%s: forward mode failed: %s", way, jvp.message);
  if (!vjp.ok) return arena_printf(s->arena, "%s: reverse mode failed: %s", way, vjp.message);
  const char *differs = NULL;
  FuzzDuality d = duality_of(&jvp, &vjp, seeds, results);
  if (is_integer(seeds->tangents))
    differs = integer_duality(s, dot_integer(jvp.results, seeds->adjoints, results),
                              dot_integer(vjp.results, seeds->tangents, results), way);
  else if (!duality_holds(d, seeds)) {
    if (fuzz_duality_is_lost(s, prog, seeds, results, d)) ++*seeds->unstable;
    else
      differs = arena_printf(s->arena, "%s: forward gives %.12g, reverse %.12g", way, d.forward,
                             d.reverse);
  }
  fuzz_release(jvp.results), fuzz_release(vjp.results);
  return differs;
}

static IValue moved(Session *s, IValue x, IValue dx, double h) {
  if (!x.array) return ivalue_scalar(scalar_float(x.scalar.prim, x.scalar.f + h * dx.scalar.f));
  IValue y = ivalue_array(x.array->prim, x.array->rank, x.array->dims);
  for (int64_t i = 0; i < x.array->len; i++)
    cell_set(y.array, i, scalar_float(x.array->prim, x.array->at[i].f + h * dx.array->at[i].f));
  (void)s;
  return y;
}

static IValues params_moved(Session *s, const Prog *prog, const FuzzSeeds *seeds, double h) {
  const Fn *fn = prog_fn(prog, "main");
  IValues moved_params = {0};
  for (int i = 0, t = 0; i < seeds->params.len; i++) {
    bool active = gen_is_active(prog, fn->params.at[i]);
    IValue x = seeds->params.at[i];
    list_push(s->arena, &moved_params,
              active ? moved(s, x, seeds->tangents.at[t], h) : ivalue_retain(x));
    t += active;
  }
  return moved_params;
}

typedef struct {
  double value, noise;  // noise: what rounding of the results may do to it
} Difference;

// Central, with step h; NAN where main fails.
static Difference difference_at(Session *s, const Prog *prog, const FuzzSeeds *seeds, double h) {
  InterpResult up = fuzz_call(s, prog, "main", params_moved(s, prog, seeds, h));
  InterpResult down = fuzz_call(s, prog, "main", params_moved(s, prog, seeds, -h));
  if (!up.ok || !down.ok) return (Difference){NAN, NAN};
  double above = fuzz_dot(up.results, seeds->adjoints, 0);
  double below = fuzz_dot(down.results, seeds->adjoints, 0);
  Difference d = {(above - below) / (2 * h), 1e-9 * magnitude(up.results, seeds->adjoints, 0) / h};
  fuzz_release(up.results), fuzz_release(down.results);
  return d;
}

static bool differences_agree(Difference a, Difference b) {
  double size = fmax(fabs(a.value), fabs(b.value));
  return fabs(a.value - b.value) <= 0.01 * size + a.noise + b.noise;
}

static double forward_at(Session *s, const Prog *derived, const FuzzSeeds *seeds, int results,
                         double h) {
  IValues there = params_moved(s, derived, seeds, h);
  InterpResult jvp = fuzz_call(s, derived, "main_jvp", fuzz_with(s->arena, there, seeds->tangents));
  double forward = jvp.ok ? fuzz_dot(jvp.results, seeds->adjoints, results) : NAN;
  fuzz_release(jvp.results), fuzz_release(there);
  return forward;
}

// A central difference is the mean of the derivative between x - h and x + h.  So where the
// derivative changes there by the difference of the two they do not contradict each other: waves
// shorter than h, or lost in the roundings of something large.  A wrong derivative is wrong evenly.
// The places are no multiples of each other, which all could be at the same phase of a wave.
static bool is_wavy(Session *s, const Prog *derived, const FuzzSeeds *seeds, int results, double h,
                    double forward, double difference) {
  for (int k = 1; k <= 9; k++) {
    double there = forward_at(s, derived, seeds, results, h * sin(k));
    if (!(fabs(there - forward) < fabs(difference - forward))) return true;
  }
  return false;
}

const char *fuzz_differences(Session *s, const Prog *prog, const Prog *derived,
                             const FuzzSeeds *seeds, int results, FuzzCompared *count) {
  const double h = 1e-6;
  InterpResult jvp =
      fuzz_call(s, derived, "main_jvp", fuzz_with(s->arena, seeds->params, seeds->tangents));
  Difference d = difference_at(s, prog, seeds, h);
  if (!jvp.ok || isnan(d.value)) return NULL;
  double forward = fuzz_dot(jvp.results, seeds->adjoints, results);
  double scale = magnitude(jvp.results, seeds->adjoints, results);
  fuzz_release(jvp.results);
  if (!isfinite(forward) || !isfinite(d.value)) return NULL;
  count->compared++;
  if (fabs(forward - d.value) <= difference_tolerance * scale + d.noise) return NULL;
  Difference wide = difference_at(s, prog, seeds, 2 * h);
  Difference close = difference_at(s, prog, seeds, h / 2);
  if (differences_agree(d, wide) && differences_agree(d, close) &&
      differences_agree(wide, close) &&
      !is_wavy(s, derived, seeds, results, h, forward, d.value))
    return arena_printf(s->arena, "forward gives %.9g, differences %.9g", forward, d.value);
  count->inconclusive++;
  return NULL;
}
