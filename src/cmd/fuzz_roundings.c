// dagaz fuzz: results that differ say nothing where random rounding of the same program
// (interp/rounding.c) changes them as much: sin (11 * sin (11 * ..)) loses every digit, and so does
// the 1 in (1 + 1e20) - 1e20, a frequent form of sums of adjoints.
#include "fuzz.h"
#include "gen/gen.h"
#include <math.h>

enum { ROUNDED_CALLS = 8 };
// Calls at random find part of what roundings do; another order of a sum has other roundings.
static const double share_of_tolerance = 0.125, most_of_spread = 4;

static InterpResult call_rounded(Session *s, const FuzzCall *c, int seed) {
  InterpOptions options = {.step_limit = FUZZ_STEP_LIMIT, .rounding = (uint64_t)seed + 1};
  return interp_call(s->arena, c->prog, c->fn, c->args, &options);
}

static bool within_share(IValues a, IValues b, double tolerance) {
  bool within = true;
  for (int i = 0; i < a.len && within; i++)
    within = ivalue_within(a.at[i], b.at[i], tolerance, share_of_tolerance);
  return within;
}

bool fuzz_is_unstable(Session *s, const FuzzCall *c, double tolerance) {
  InterpResult want = fuzz_call(s, c->prog, c->fn, c->args);
  bool differ = false;
  for (int k = 0; k < ROUNDED_CALLS && want.ok && !differ; k++) {
    InterpResult r = call_rounded(s, c, k);
    differ = !r.ok || !within_share(r.results, want.results, tolerance);
    fuzz_release(r.results);
  }
  fuzz_release(want.results);
  return differ;
}

// The largest distance from `value` of the dot product of results, `from` the first, and `with`.
static double spread_of(Session *s, const FuzzCall *c, IValues with, int from, double value) {
  double spread = 0;
  for (int k = 0; k < ROUNDED_CALLS; k++) {
    InterpResult r = call_rounded(s, c, k);
    spread = r.ok ? fmax(spread, fabs(fuzz_dot(r.results, with, from) - value)) : INFINITY;
    fuzz_release(r.results);
  }
  return spread;
}

bool fuzz_duality_is_lost(Session *s, const Prog *prog, const FuzzSeeds *seeds, int results,
                          FuzzDuality d) {
  FuzzCall jvp = {prog, "main_jvp", fuzz_with(s->arena, seeds->params, seeds->tangents)};
  FuzzCall vjp = {prog, "main_vjp", fuzz_with(s->arena, seeds->params, seeds->adjoints)};
  double spread = spread_of(s, &jvp, seeds->adjoints, results, d.forward) +
                  spread_of(s, &vjp, seeds->tangents, results, d.reverse);
  return fabs(d.forward - d.reverse) <= most_of_spread * spread;
}
