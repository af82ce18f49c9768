// dagaz fuzz: optimisations of derivatives on and off (doc/ad.md 6, T7).  The rules for particular
// operators all off, or one optimisation of those that applied to the program: the adjoints and the
// tangents must stay.  In one program of five the passes that simplify before differentiation are
// off, too: there rules apply to what these do away with (counters, invariants, operators on rows).
#include "fuzz.h"
#include "gen/gen.h"
#include <math.h>
#include <string.h>

// Without these only the general rules of reduce, scan and hist are left.
static const char general_rules[] =
    "sum-rule,extremum-rule,selection-rule,product-rule,column-operators,split-operators,"
    "linear-scan,interchange,hoist-views";

// The further passes left out where the rules see programs as they are.
static const char bare[] = "simplify,loops,cse,dce,branches,interchange,hoist-views";

static uint64_t mixed(uint64_t seed, uint64_t salt) {
  uint64_t h = (seed + salt) * UINT64_C(0x9E3779B97F4A7C15);
  return (h ^ h >> 31) * UINT64_C(0xBF58476D1CE4E5B9) >> 17;
}

WithoutRow fuzz_row(int i) {
  WithoutRow row = without_row(i);
  return row.imp ? (WithoutRow){NULL, NULL, NULL, true} : row;
}

FuzzTried fuzz_tried(const Session *s) {
  FuzzTried out = 0;
  for (int i = 0; fuzz_row(i).name; i++)
    if (session_tried(s, i)) out |= fuzz_bit(i);
  return out;
}

// Common optimisations: they apply to so many programs that others would be chosen rarely.
static const FuzzTried common = (FuzzTried)1 << SWITCH_FINITE | (FuzzTried)1 << SWITCH_SUMS |
                                (FuzzTried)1 << SWITCH_FILLS | (FuzzTried)1 << SWITCH_VIEWS;

// One of those tried; optimisations inside passes three times in four.
static int row_chosen(FuzzTried tried, uint64_t seed) {
  FuzzTried inner = tried & (fuzz_bit(SWITCH_COUNT) - 1), rare = inner & ~common;
  if (inner && mixed(seed, 1) % 4) tried = rare && mixed(seed, 6) % 4 ? rare : inner;
  int n = 0;
  for (int i = 0; i < FUZZ_ROWS; i++) n += (int)(tried >> i & 1);
  if (n == 0) return -1;
  int at = (int)(mixed(seed, 2) % (uint64_t)n);
  for (int i = 0; i < FUZZ_ROWS; i++)
    if (tried >> i & 1 && at-- == 0) return i;
  return -1;
}

static bool is_finite(IValue v) { return isfinite(gen_dot(v, v)); }

// Where both are finite: at a pole, or overflown, they may differ.
const char *fuzz_same_results(Session *s, const char *way, const FuzzPair *pair, const char *fn,
                              IValues args) {
  InterpResult x = fuzz_call(s, pair->a, fn, args), y = fuzz_call(s, pair->b, fn, args);
  if (fuzz_out_of_steps(&x) || fuzz_out_of_steps(&y) || !x.ok) return NULL;
  if (!y.ok && pair->may_fail) return NULL;
  if (!y.ok) return arena_printf(s->arena, "%s: %s failed with %s", way, fn, y.message);
  IValues want = {0}, got = {0};
  for (int i = 0; i < x.results.len; i++) {
    if (!is_finite(x.results.at[i]) || !is_finite(y.results.at[i])) continue;
    list_push(s->arena, &want, x.results.at[i]);
    list_push(s->arena, &got, y.results.at[i]);
  }
  const char *differs = fuzz_values_within(s, way, got, want, pair->tolerance);
  fuzz_release(x.results), fuzz_release(y.results);
  return differs;
}

static bool is_rounding(Session *s, const FuzzPair *pair, IValues args, const FuzzSeeds *seeds) {
  FuzzCall a = {pair->a, "main_vjp", args}, b = {pair->b, "main_vjp", args};
  bool lost = fuzz_is_unstable(s, &a, pair->tolerance) || fuzz_is_unstable(s, &b, pair->tolerance);
  *seeds->unstable += lost;
  return lost;
}

const char *fuzz_same_adjoints(Session *s, const char *way, const FuzzPair *pair,
                               const FuzzSeeds *seeds) {
  IValues args = fuzz_with(s->arena, seeds->params, seeds->adjoints);
  const char *differs = fuzz_same_results(s, way, pair, "main_vjp", args);
  return differs && is_rounding(s, pair, args, seeds) ? NULL : differs;
}

static bool is_plain(uint64_t seed) { return mixed(seed, 7) % 5 == 0; }

FuzzTried fuzz_tried_bare(Session *s, const Prog *source, uint64_t seed) {
  session_forget_tried(s);
  if (!is_plain(seed)) return 0;
  session_without(s, bare);
  pipeline_differentiate(s, fuzz_copy(s, source));
  session_with_all(s);
  return fuzz_tried(s) & (fuzz_bit(SWITCH_COUNT) - 1);
}

// The rows whose names, present or former, are in a list with commas.
static FuzzTried named(Arena *arena, const char *names) {
  char *copy = arena_strdup(arena, names), *rest = NULL;
  FuzzTried out = 0;
  for (char *name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
    if (without_named(name) >= 0) out |= fuzz_bit(without_named(name));
  return out;
}

bool fuzz_main_fails(Session *s, const Prog *prog, IValues params) {
  InterpResult r = fuzz_call(s, prog, "main", params);
  fuzz_release(r.results);
  return !r.ok;
}

const Prog *fuzz_without(Session *s, const FuzzDerived *d, const FuzzSeeds *seeds, uint64_t seed,
                         const char **differs, int *row) {
  bool general = d->names || mixed(seed, 3) % 4 == 0, plain = is_plain(seed), early;
  FuzzTried tried = plain ? d->bare : d->early | d->late;
  *row = general ? -1 : row_chosen(tried, seed);
  if (!general && *row < 0) return NULL;
  if (d->names && !(tried & named(s->arena, d->names))) return NULL;
  const char *names = general ? general_rules : without_row(*row).name;
  if (d->names) names = d->names;
  early = general || plain || d->early >> *row & 1;
  session_without(s, names);
  if (plain) session_without(s, bare);
  const Prog *without = early ? pipeline_differentiate(s, fuzz_copy(s, d->source))
                              : pipeline_optimise(s, fuzz_copy(s, d->derived));
  if (early && (d->names || mixed(seed, 4) % 8 == 0))
    without = pipeline_optimise(s, fuzz_copy(s, without));
  session_with_all(s);
  if (fuzz_main_fails(s, without, seeds->params)) return NULL;
  const char *what = names == general_rules ? "particular rules" : names;
  const char *way = arena_printf(s->arena, "without %s%s", what, plain ? ", not simplified" : "");
  FuzzPair pair = {d->derived, without, d->tolerance, false};
  *differs = fuzz_same_adjoints(s, way, &pair, seeds);
  if (!*differs && mixed(seed, 5) % 4 == 0)
    *differs = fuzz_same_results(s, way, &pair, "main_jvp",
                                 fuzz_with(s->arena, seeds->params, seeds->tangents));
  return without;
}
