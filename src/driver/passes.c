// The passes as rows, the pipelines as lists of names, and the one wrapper that runs every pass.
#include "driver.h"
#include "ad/common/ad.h"
#include "opt/common/opt.h"
#include <string.h>

const Pass passes[] = {
    {"tail", "functions that call themselves last become loops", pass_tail, LEVEL_SOAC, LEVEL_SOAC,
     true},
    {"inline", "inline functions called once, or small", pass_inline, LEVEL_SOAC, LEVEL_SOAC, true},
    {"inline-all", "inline every call but recursion", pass_inline_all, LEVEL_SOAC, LEVEL_SOAC,
     false},
    {"inline-ad", "inline calls under jvp and vjp", pass_inline_ad, LEVEL_SOAC, LEVEL_SOAC, true},
    {"simplify", "local rewriting rules, to a fixpoint", pass_simplify, LEVEL_SOAC, LEVEL_SOAC,
     true},
    {"cse", "share equal computations", pass_cse, LEVEL_SOAC, LEVEL_SOAC, true},
    {"dce", "drop what nobody reads, result by result", pass_dce, LEVEL_SOAC, LEVEL_SOAC, true},
    {"hoist", "move invariant computations out of loops", pass_hoist, LEVEL_SOAC, LEVEL_SOAC, true},
    {"hoist-views", "move invariant transpositions out of loops", pass_hoist_views, LEVEL_SOAC,
     LEVEL_SOAC, true},
    {"sink", "move computations into the one branch that reads them", pass_sink, LEVEL_SOAC,
     LEVEL_SOAC, true},
    {"merge-branches", "merge branches on one condition", pass_merge_branches, LEVEL_SOAC,
     LEVEL_SOAC, true},
    {"exclusive-scan", "make shifted scans exclusive", pass_exclusive_scan, LEVEL_SOAC, LEVEL_SOAC,
     true},
    {"remat", "store costly forward values for the reverse sweep (minimum cut)", pass_remat,
     LEVEL_SOAC, LEVEL_SOAC, true},
    {"fuse", "fuse map, reduce, scan, hist, scatter", pass_fuse, LEVEL_SOAC, LEVEL_SOAC, true},
    {"fuse-maps", "fuse maps with maps only", pass_fuse_maps, LEVEL_SOAC, LEVEL_SOAC, false},
    {"unfuse", "take fused forms apart again", pass_unfuse, LEVEL_SOAC, LEVEL_SOAC, false},
    {"accspec", "accumulators to reductions, histograms, plain writes", pass_accspec, LEVEL_SOAC,
     LEVEL_SOAC, true},
    {"accsums", "the same to be read: sums wherever there can be any", pass_accsums, LEVEL_SOAC,
     LEVEL_SOAC, false},
    {"acc-to-write", "additions to zeros, one per element, become stores", pass_accwrite,
     LEVEL_SOAC, LEVEL_SOAC, true},
    {"scalar-replace", "replace small constant arrays by scalars", pass_scalar_replace, LEVEL_SOAC,
     LEVEL_SOAC, true},
    {"map-jam", "unroll and jam maps of at most 16 iterations", pass_map_jam, LEVEL_SOAC,
     LEVEL_SOAC, true},
    {"onehot", "sums and loops over one case are that case", pass_onehot, LEVEL_SOAC, LEVEL_SOAC,
     true},
    {"interchange", "reduce of map to map of reduce", pass_interchange, LEVEL_SOAC, LEVEL_SOAC,
     true},
    {"memory-limit", "apply the run's memory limit to every vjp", pass_limit, LEVEL_SOAC,
     LEVEL_SOAC, false},
    {"loop-bounds", "hand memory bounds of a vjp to its loops", pass_checkpoint, LEVEL_SOAC,
     LEVEL_SOAC, false},
    {"sparse-jacobian", "assemble Jacobians from per-iteration blocks", pass_jacobian, LEVEL_SOAC,
     LEVEL_SOAC, false},
    {"ad", "differentiate the innermost jvp, vjp and with_vjp", pass_ad, LEVEL_SOAC, LEVEL_SOAC,
     false},
    {"ad-strict", "the same, zero times infinity as IEEE says", pass_ad_strict, LEVEL_SOAC,
     LEVEL_SOAC, false},
    {"ad-done", "no derivative operator is left", pass_ad_done, LEVEL_SOAC, LEVEL_AD_FREE, false},
    {NULL, NULL, NULL, LEVEL_SOAC, LEVEL_SOAC, false},
};

// Derivatives and everything else see loops.
static const char *const at_first[] = {"tail", NULL};
// The passes before the first level of nested derivatives, and between levels.
static const char *const before_ad[] = {
    "inline-ad",    // the rules see one body; calls that are left become derivative functions
    "loop-bounds",
    "simplify", "cse", "simplify",
    "merge-branches",     // one branch to differentiate, and what it holds is common
    "simplify",
    NULL,
};
// At the beginning; calls would hide which vjp is under a jvp.
static const char *const for_limit[] = {"inline-ad", "memory-limit", NULL};
static const char *const for_rules[] = {
    "unfuse", "simplify",  // the rules are for map, reduce and scan
    "interchange",  // vectorised operators get the scalar rules
    "hoist-views",  // contributions go where the array is, not through a transposition
    NULL,
};
// Before: Jacobians by blocks, after which programs do not hold what they would do without.
static const char *const for_blocks[] = {"unfuse",   "simplify", "sparse-jacobian",
                                         "simplify", "dce",      NULL};
static const char *const after_ad[] = {"map-jam", "simplify", "cse", "simplify", NULL};
static const char *const optimise[] = {
    "inline",
    "simplify", "map-jam", "cse", "simplify",
    "merge-branches", "simplify",
    "exclusive-scan",       // before fusion, which would hide that
    "remat",        // before fusion, which would hide equal statements
    "hoist",        // before fusion, which would bury invariants in lambdas
    "fuse",         // perfect nests appear
    "accspec",      // needs perfect nests
    "simplify",
    "onehot",       // needs whole elements of sums
    "fuse",         // what accspec split
    "scalar-replace", "simplify", "cse", "hoist", "sink", "simplify", "acc-to-write",
    "dce",
    NULL,
};

// To plain maps, reductions and scans, most accumulators removed.
static const char *const to_source[] = {
    "inline-all", "simplify", "remat",  "simplify", "cse",  "simplify", "dce", "accsums", "unfuse",
    "simplify",   "cse",      "dce",    "unfuse",   "simplify", "dce",  NULL};

// Names of earlier versions, still accepted.
static const struct { const char *former, *name; } former_names[] = {
    {"abreast", "map-jam"},
    {"prefix", "exclusive-scan"},
    {"share", "remat"},
    {"scalars", "scalar-replace"},
    {"branches", "merge-branches"},
    {"limit", "memory-limit"},
    {"checkpoint", "loop-bounds"},
    {"blocks", "sparse-jacobian"},
    {"accwrite", "acc-to-write"},
};

const char *pass_present_name(const char *name) {
  for (size_t i = 0; i < sizeof former_names / sizeof *former_names; i++)
    if (strcmp(former_names[i].former, name) == 0) return former_names[i].name;
  return name;
}

const Pass *pass_named(const char *name) {
  name = pass_present_name(name);
  for (const Pass *pass = passes; pass->name; pass++)
    if (strcmp(pass->name, name) == 0) return pass;
  return NULL;
}

static void program_show(const Prog *prog, const char *after) {
  Text text = {0};
  core_print(&text, prog);
  fprintf(stderr, "-- after %s\n%s", after, text.at ? text.at : "");
  text_free(&text);
}

// Programs live until the session ends, but for those between two passes of a pipeline.
Prog *pass_run(Session *s, const Pass *pass, Prog *prog) {
  if (s->stopped) return prog;
  s->pass = pass->name;
  s->last_good = prog->owned ? NULL : prog;
  double start = now_ms();
  int notes = prog->notes.len;
  Arena *arena = arena_beside(s->arena);
  prog->switches = &s->switches;
  prog->target = &s->target;
  Prog *result = pass->run(prog, arena);
  result->target = &s->target;
  double ms = now_ms() - start;
  if (result == prog) arena_free(arena);
  else list_push(s->arena, &s->programs, arena);
  for (int i = result == prog ? notes : 0; i < result->notes.len; i++)
    list_push(s->arena, &s->notes, result->notes.at[i]);
  if (s->time)
    fprintf(stderr, "%10.3f ms  %-12s %d variables\n", ms, pass->name, result->vars.len);
  if (s->print_after &&
      (strcmp(s->print_after, "all") == 0 || strcmp(s->print_after, pass->name) == 0))
    program_show(result, pass->name);
  if (s->verify) core_verify(result, pass->name);
  s->pass = NULL;
  s->stopped = s->stop_after && strcmp(s->stop_after, pass->name) == 0;
  return result;
}

// Nothing has seen it: the pass that read it copied what it kept.  Notes may point into it.
static void program_drop(Session *s, Prog *prog, const Prog *next) {
  if (prog == next || prog->notes.len || next->notes.len) return;
  int at = 0;
  while (s->programs.at[at] != prog->arena) at++;
  s->programs.at[at] = s->programs.at[--s->programs.len];
  arena_free(prog->arena);
}

static bool is_left_out(const Session *s, const Pass *pass) {
  bool off = s->passes_off >> (pass - passes) & 1;
  return off || (s->recompute && pass->run == pass_remat);
}

Prog *pipeline_run(Session *s, Prog *prog, const char *const *names) {
  bool own = false;
  for (; *names; names++) {
    const Pass *pass = pass_named(*names);
    check(pass);
    s->passes_run |= UINT64_C(1) << (pass - passes);
    if (is_left_out(s, pass)) continue;
    prog->owned = own && !s->keep;
    Prog *next = pass_run(s, pass, prog);
    if (own) program_drop(s, prog, next);
    own = own || next != prog;
    prog = next;
  }
  prog->owned = false;
  return prog;
}

// One-hot directions, before they are differentiated again; the program as it was where there are
// none.
static Prog *level_simplify(Session *s, Prog *prog) {
  static const char *const names[] = {"fuse", "onehot", "simplify", "unfuse", "simplify", NULL};
  uint64_t rules = UINT64_C(1) << SWITCH_SINGLE_CASE | UINT64_C(1) << SWITCH_PAYLOAD;
  uint64_t asked = s->switches.asked;
  if (s->stopped || !ad_is_left(prog) || !onehot_applies(prog)) return prog;
  s->switches.asked &= ~rules;
  Prog *simple = pipeline_run(s, prog, names);
  bool applied = s->switches.asked & rules & ~s->switches.off;
  s->switches.asked |= asked;
  return applied ? simple : prog;
}

// The innermost derivatives.
static Prog *level_differentiate(Session *s, Prog *prog) {
  prog = pipeline_run(s, prog, for_rules);
  prog = pass_run(s, pass_named(s->strict_ieee ? "ad-strict" : "ad"), prog);
  return level_simplify(s, pipeline_run(s, prog, after_ad));
}

static Prog *before_rules(Session *s, Prog *prog) {
  if (ad_is_left(prog)) prog = pipeline_run(s, prog, before_ad);
  if (!s->diag->no_warnings) ad_warn(prog, s->diag);
  return prog;
}

void pipeline_warn(Session *s, Prog *prog) { before_rules(s, prog); }

Prog *pipeline_differentiate(Session *s, Prog *prog) {
  if (!s->stopped) prog = pipeline_run(s, prog, at_first);
  if (prog->level == LEVEL_AD_FREE) return prog;
  if (ad_is_left(prog) && s->memory_limit >= 0) prog = pipeline_run(s, prog, for_limit);
  prog = before_rules(s, prog);
  while (!s->stopped && ad_is_left(prog)) {
    if (jacobian_is_left(prog)) prog = pipeline_run(s, prog, for_blocks);
    prog = level_differentiate(s, prog);
  }
  return s->stopped ? prog : pass_run(s, pass_named("ad-done"), prog);
}

Prog *pipeline_optimise(Session *s, Prog *prog) { return pipeline_run(s, prog, optimise); }

Prog *pipeline_source(Session *s, Prog *prog) { return pipeline_run(s, prog, to_source); }
