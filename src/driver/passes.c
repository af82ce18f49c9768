// The passes as rows, those over the imperative program included; the pipelines as lists of names;
// and the wrappers that run, time, show and verify every pass.
#include "driver.h"
#include "ad/common/ad.h"
#include "bulk/bulk.h"
#include "opt/common/opt.h"
#include <stdlib.h>
#include <string.h>

#define S LEVEL_SOAC
#define F LEVEL_AD_FREE
#define I LEVEL_IMP
// name, function, level before and after, optional, folder of goldens below tests/pass, help
#define CORE(name, fn, from, to, optional, golden, help) \
  {name, help, golden, fn, NULL, from, to, optional},
#define IMP(name, fn, optional, golden, help) {name, help, golden, NULL, fn, I, I, optional},
const Pass passes[] = {
    CORE("tail", pass_tail, S, S, true, "tail", "functions that call themselves last become loops")
    CORE("inline", pass_inline, S, S, true, "inline", "inline functions called once, or small")
    CORE("inline-all", pass_inline_all, S, S, false, "inline", "inline every call but recursion")
    CORE("inline-ad", pass_inline_ad, S, S, true, "inline", "inline calls under jvp and vjp")
    CORE("simplify", pass_simplify, S, S, true, "simplify", "local rewriting rules, to a fixpoint")
    CORE("simplify-small", pass_simplify_small, S, S, false, "scalar-replace",
         "the same, and updates of small literals make literals")
    CORE("cse", pass_cse, S, S, true, "cse", "share equal computations")
    CORE("dce", pass_dce, S, S, true, "dce", "drop unused results, one by one")
    CORE("hoist", pass_hoist, S, S, true, "hoist", "move invariant computations out of loops")
    CORE("hoist-views", pass_hoist_views, S, S, true, "hoist",
         "move invariant transpositions out of loops")
    CORE("sink", pass_sink, S, S, true, "sink",
         "move computations into the one branch that reads them")
    CORE("unswitch", pass_unswitch, S, S, true, "unswitch",
         "maps with products by what is 0 in most directions stand twice")
    CORE("move-rows", pass_move_rows, S, S, true, "move-rows",
         "rows of a map that only change places are made in their places")
    CORE("merge-branches", pass_merge_branches, S, S, true, "merge-branches",
         "merge branches on one condition")
    CORE("share-branches", pass_share_branches, S, S, true, "share-branches",
         "costly scalars of a branch serve later branches on its condition")
    CORE("exclusive-scan", pass_exclusive_scan, S, S, true, "exclusive-scan",
         "make shifted scans exclusive")
    CORE("remat", pass_remat, S, S, true, "remat",
         "store costly forward values for the reverse sweep (minimum cut)")
    CORE("remat-text", pass_remat_text, S, S, false, "remat",
         "the same for text to be read: few values are computed twice")
    CORE("join-maps", pass_join_maps, S, S, true, "join-maps",
         "maps whose elements a later map computes again become part of that")
    CORE("fuse", pass_fuse, S, S, true, "fuse", "fuse map, reduce, scan, hist, scatter")
    CORE("fuse-maps", pass_fuse_maps, S, S, true, "fuse",
         "below vjp and jvp: fuse maps with maps over rows")
    CORE("unfuse", pass_unfuse, S, S, false, "unfuse", "split fused forms")
    CORE("accspec", pass_accspec, S, S, true, "accspec",
         "accumulators to reductions, histograms, plain writes")
    CORE("accsums", pass_accsums, S, S, false, "accspec",
         "the same for text to be read: sums wherever possible")
    CORE("acc-to-write", pass_accwrite, S, S, true, "accspec",
         "additions to zeros, one per element, become stores")
    CORE("expand-small", pass_expand_small, S, S, true, "scalar-replace",
         "write out combinators and loops of few constant iterations")
    CORE("scalar-replace", pass_scalar_replace, S, S, true, "scalar-replace",
         "replace small constant arrays by scalars")
    CORE("map-jam", pass_map_jam, S, S, true, "map-jam",
         "unroll and jam maps of at most 16 iterations")
    CORE("loops", pass_loops, S, S, true, "loops",
         "loops over arrays to map, reduce, scatter, accumulators")
    CORE("onehot", pass_onehot, S, S, true, "onehot",
         "sums and loops over one case are that case")
    CORE("finite-math", pass_finite_math, S, S, false, "finite-math",
         "with --finite-math: products by zeros of the program are 0, guards go")
    CORE("interchange", pass_interchange, S, S, true, "interchange",
         "reduce of map to map of reduce")
    CORE("parallel-blocks", pass_blocks, S, S, false, "parallel-blocks",
         "outermost reductions, scans, scatters in blocks")
    CORE("memory-limit", pass_limit, S, S, false, "ad/limit",
         "apply the run's memory limit to every vjp")
    CORE("loop-bounds", pass_checkpoint, S, S, false, "ad/limit",
         "hand memory bounds of a vjp to its loops")
    CORE("sparse-jacobian", pass_jacobian, S, S, false, "sparse-jacobian",
         "assemble Jacobians from per-iteration blocks")
    CORE("bulk", pass_bulk, S, S, false, "bulk",
         "maps to statements over whole arrays, and back to maps")
    CORE("ad", pass_ad, S, S, false, "ad", "differentiate the innermost jvp, vjp and with_vjp")
    CORE("ad-strict", pass_ad_strict, S, S, false, "ad",
         "the same, zero times infinity as IEEE says")
    CORE("ad-done", pass_ad_done, S, F, false, "ad", "no derivative operator is left")
    // Rows of the imperative program: "lower" makes it.
    CORE("lower", NULL, F, I, false, "imp/lower", "loops, loads and stores (--imp)")
    IMP("dead-stores", imp_pass_dead_stores, true, "imp/dead-stores",
        "remove blocks that are never read")
    IMP("contract", imp_pass_contract, true, "imp/contract",
        "compute elements where they are read instead of storing arrays")
    IMP("fuse-loops", imp_pass_fuse, true, "imp/fuse-loops",
        "fuse scans with the loops that read their results")
    IMP("interchange-loops", imp_pass_interchange, true, "imp/interchange-loops",
        "unit stride inside; updates of one place become reductions")
    IMP("redundant-checks", imp_pass_checks, true, "imp/redundant-checks",
        "remove tests that earlier tests imply")
    IMP("split-loops", imp_pass_split, true, "imp/split-loops",
        "loops with conditions at their ends become three loops")
    IMP("device-calls", imp_pass_device_calls, true, "imp/device-calls",
        "of programs for a device: kernels have the statements of functions instead of calls")
    IMP("chunks", imp_pass_chunks, false, "chunks",
        "outermost parallel loops run in chunks, sums in blocks")
    IMP("hoist-allocs", imp_pass_hoist, true, "imp/hoist-allocs",
        "move invariant allocations out of loops")
    IMP("outer-vec", imp_pass_outer_vec, true, "imp/outer-vec",
        "choose outer loops to run in SIMD lanes")
    IMP("unroll-jam", imp_pass_jam, true, "imp/unroll-jam",
        "unroll loops around reductions and jam the copies")
    IMP("panels", imp_pass_panels, true, "imp/panels",
        "columns that many rows of a product read are copied to lie together")
    IMP("stack-blocks", imp_pass_stack, true, "imp/stack-blocks",
        "small blocks of constant size go to the stack frame")
    IMP("inner-vec", imp_pass_inner_vec, true, "imp/inner-vec",
        "mark innermost loops that run in SIMD lanes")
    IMP("device-sums", imp_pass_device_sums, false, "imp/device-sums",
        "of programs for a device: sums of floats run there, in the order of one core")
    IMP("free-blocks", imp_pass_free, false, "imp/free-blocks", "free blocks after their last use")
    IMP("memory-need", imp_pass_memory_need, false, "imp/memory-need",
        "count the memory that the rest of a function takes, for derivatives within a limit")
    IMP("transfers", imp_pass_transfers, false, "imp/transfers",
        "of programs for a device: what the host reads and writes is transferred")
    IMP("regions", imp_pass_regions, false, "imp/regions",
        "of programs to be profiled: loops whose time is measured")
    {NULL, NULL, NULL, NULL, NULL, S, S, false},
};
#undef S
#undef F
#undef I
#undef CORE
#undef IMP

// ---- pipelines: names; "N: a b" repeats a and b, at most N times, while one of them changes
// the program.  The passes of is_cleaning run in a repetition only after a change.
// Derivatives and everything else see loops.
static const char *const at_first[] = {"tail", NULL};
// The passes before the first level of nested derivatives, and between levels.
static const char *const before_ad[] = {
    "inline-ad",    // the rules see one body; calls that are left become derivative functions
    "loop-bounds",
    "simplify", "cse", "simplify",
    "6: merge-branches cse",  // one branch to differentiate; its computations are shared
    "simplify",
    "loops",  // rules for maps and reductions store less, and their code is vector code
    NULL,
};
// At the beginning; calls would hide which vjp is under a jvp.
static const char *const for_limit[] = {"inline-ad", "memory-limit", NULL};
static const char *const for_rules[] = {
    "unfuse", "simplify",  // the rules are for map, reduce and scan
    "interchange", "simplify",  // vectorised operators get the scalar rules
    "3: fuse-maps simplify",    // each row between two maps has its adjoint
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
    "6: merge-branches cse", "simplify",
    "loops",                        // those of derivatives, too
    "exclusive-scan", "simplify",   // before fusion, which would hide that
    "8: join-maps simplify",        // before fusion, which would hide equal statements
    "remat", "simplify",            // likewise
    "hoist",                        // before fusion, which would bury invariants in lambdas
    "4: fuse simplify",             // perfect nests appear
    "accspec", "simplify",          // needs perfect nests
    "4: fuse simplify",             // maps that accspec split
    "accspec", "simplify", "4: fuse simplify",
    "3: onehot hoist",              // needs whole elements of sums, invariants in front
    "4: fuse simplify",
    "expand-small", "simplify-small", "scalar-replace", "simplify-small",
    "2: expand-small simplify-small scalar-replace simplify-small",
    "simplify", "cse", "share-branches", "hoist", "unswitch", "move-rows", "sink", "simplify",
    "acc-to-write", "dce",
    NULL,
};
// After costs and sizes are counted.
static const char *const divide[] = {"parallel-blocks", NULL};

// To plain maps, reductions and scans, most accumulators removed.
static const char *const to_source[] = {
    "inline-all", "simplify", "cse", "simplify",
    "8: join-maps simplify", "remat-text", "simplify", "cse", "simplify", "dce",
    "accsums", "simplify", "4: fuse simplify", "onehot", "simplify", "accsums", "simplify",
    "4: fuse simplify",
    "unfuse", "simplify", "cse", "dce", "unfuse", "simplify", "dce", NULL};

// The imperative program: from there on the C text is printed.
static const char *const imperative[] = {
    "dead-stores",
    "contract",           // before fusion, which it may replace
    "fuse-loops",
    "dead-stores",        // arrays that fusion took the readers from
    "interchange-loops",
    "redundant-checks",   // no statement may move above a check from here on
    "split-loops",
    "device-calls", "chunks",  // after all that changes the loops of both targets alike
    "hoist-allocs",
    "outer-vec",          // lanes have copies of the blocks that were in the loop
    "unroll-jam", "panels", "stack-blocks", "inner-vec",
    "device-sums",        // when it is known in what order one core adds
    "free-blocks", "memory-need", "transfers", NULL};
// With --trace-nan statements stay where the source has them.
static const char *const traced[] = {"dead-stores", "hoist-allocs", "stack-blocks", "free-blocks",
                                     "memory-need", NULL};

// To what bulk/ translates.
static const char *const before_bulk[] = {
    "inline-all", "simplify",    "cse",      "simplify", "merge-branches",
    "unfuse",     "interchange", "simplify", "dce",      NULL};

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

static void pass_timed(const Session *s, const Pass *pass, double ms, int variables) {
  if (s->time) fprintf(stderr, "%10.3f ms  %-17s %d variables\n", ms, pass->name, variables);
}

static bool is_shown(const Session *s, const Pass *pass) {
  return s->print_after &&
         (strcmp(s->print_after, "all") == 0 || pass_named(s->print_after) == pass);
}

static void pass_ended(Session *s, const Pass *pass) {
  s->pass = NULL;
  s->stopped = s->stop_after && pass_named(s->stop_after) == pass;
}

bool session_passes_known(const Session *s) {
  bool shown = !s->print_after || strcmp(s->print_after, "all") == 0 || pass_named(s->print_after);
  return shown && (!s->stop_after || pass_named(s->stop_after));
}

// Programs live until the session ends, but for those between two passes of a pipeline.
Prog *pass_run(Session *s, const Pass *pass, Prog *prog) {
  if (s->stopped) return prog;
  s->pass = pass->name;
  s->last_good = prog->owned ? NULL : prog;
  double start = now_ms();
  int notes = prog->notes.len;
  Arena *arena = arena_beside(s->arena);
  list_push(s->arena, &s->programs, arena);  // before the pass, which may stop
  if (s->strict_order) s->switches.off |= UINT64_C(1) << SWITCH_SUM_ORDER;
  prog->switches = &s->switches;
  prog->target = &s->target;
  prog->changed = false;
  Prog *result = pass->run(prog, arena);
  result->target = &s->target;
  double ms = now_ms() - start;
  if (result == prog) arena_free(s->programs.at[--s->programs.len]);
  for (int i = result == prog ? notes : 0; i < result->notes.len; i++)
    list_push(s->arena, &s->notes, result->notes.at[i]);
  pass_timed(s, pass, ms, result->vars.len);
  if (is_shown(s, pass)) program_show(result, pass->name);
  if (s->verify) core_verify(result, pass->name);
  pass_ended(s, pass);
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

// Passes that only use the changes of others.
static bool is_cleaning(const Pass *pass) {
  return pass->run == pass_simplify || pass->run == pass_simplify_small ||
         pass->run == pass_cse || pass->run == pass_hoist;
}

// A program on its way through a pipeline.  own: a pass of the pipeline made it.
typedef struct {
  Session *s;
  Prog *prog;
  bool own;
} Run;

static void run_pass(Run *r, const Pass *pass) {
  Session *s = r->s;
  s->passes_run |= UINT64_C(1) << (pass - passes);
  r->prog->changed = false;
  if (is_left_out(s, pass)) return;
  r->prog->owned = r->own && !s->keep;
  Prog *next = pass_run(s, pass, r->prog);
  if (r->own) program_drop(s, r->prog, next);
  r->own = r->own || next != r->prog;
  r->prog = next;
}

// "N: a b"
static void run_repeated(Run *r, const char *group) {
  char *rest = NULL, *names[8];
  int most = atoi(group), n = 0;
  char *copy = arena_strdup(r->s->arena, strchr(group, ':') + 1);
  for (char *name = strtok_r(copy, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
    names[n++] = name;
  bool again = true;
  for (int round = 0; round < most && again; round++) {
    bool dirty = again = false;
    for (int i = 0; i < n; i++) {
      const Pass *pass = pass_named(names[i]);
      check(pass);
      if (is_cleaning(pass) && !dirty) continue;
      run_pass(r, pass);
      dirty = !is_cleaning(pass) && r->prog->changed;
      again = again || dirty;
    }
  }
}

Prog *pipeline_run(Session *s, Prog *prog, const char *const *names) {
  Run r = {s, prog, false};
  for (; *names; names++) {
    if (strchr(*names, ':')) {
      run_repeated(&r, *names);
      continue;
    }
    check(pass_named(*names));
    run_pass(&r, pass_named(*names));
  }
  r.prog->owned = false;
  return r.prog;
}

// ---- the imperative program
static void imp_show(const ImpProg *prog, const char *after) {
  Text text = {0};
  imp_print(&text, prog);
  fprintf(stderr, "-- after %s\n%s", after, text.at ? text.at : "");
  text_free(&text);
}

static void imp_after(Session *s, const Pass *pass, ImpProg *prog, double start) {
  int variables = 0;
  for (int i = 0; i < prog->fns.len; i++) variables += prog->fns.at[i]->vars.len;
  pass_timed(s, pass, now_ms() - start, variables);
  if (is_shown(s, pass)) imp_show(prog, pass->name);
  if (s->verify) imp_verify(prog, pass->name);
  pass_ended(s, pass);
}

void imp_pass_run(Session *s, const Pass *pass, ImpProg *prog) {
  if (s->stopped) return;
  s->pass = pass->name;
  double start = now_ms();
  for (int i = 0; i < prog->fns.len; i++) pass->imp(prog, prog->fns.at[i]);
  imp_after(s, pass, prog, start);
}

ImpProg *session_lower(Session *s, const Prog *prog, Arena *arena) {
  s->pass = "lower";
  double start = now_ms();
  ImpProg *imp = imp_lower(prog, arena, s->trace_nan);
  if (!s->stopped) imp_after(s, pass_named("lower"), imp, start);
  return imp;
}

ImpProg *pipeline_imp(Session *s, const Prog *prog, Arena *arena) {
  ImpProg *imp = session_lower(s, prog, arena);
  const char *const *names = s->trace_nan ? traced : imperative;
  for (; *names; names++) {
    const Pass *pass = pass_named(*names);
    if (!is_left_out(s, pass)) imp_pass_run(s, pass, imp);
  }
  if (s->profile) imp_pass_run(s, pass_named("regions"), imp);
  imp_verify(imp, "the last pass");
  return imp;
}

// One-hot directions, before they are differentiated again; the program as it was where there are
// none.
static Prog *level_simplify(Session *s, Prog *prog) {
  static const char *const names[] = {"4: fuse simplify", "1: onehot hoist", "simplify",
                                      "unfuse", "simplify", NULL};
  uint64_t rules = UINT64_C(1) << SWITCH_SINGLE_CASE | UINT64_C(1) << SWITCH_PAYLOAD;
  uint64_t asked = s->switches.asked;
  if (s->stopped || !ad_is_left(prog) || !onehot_applies(prog)) return prog;
  s->switches.asked &= ~rules;
  Prog *simple = pipeline_run(s, prog, names);
  bool applied = s->switches.asked & rules & ~s->switches.off;
  s->switches.asked |= asked;
  return applied ? simple : prog;
}

static Prog *assume_finite(Session *s, Prog *prog) {
  return s->finite_math && !s->strict_ieee ? pass_run(s, pass_named("finite-math"), prog) : prog;
}

// The innermost derivatives.
static Prog *level_differentiate(Session *s, Prog *prog) {
  prog = pipeline_run(s, prog, for_rules);
  prog = assume_finite(s, pass_run(s, pass_named(s->strict_ieee ? "ad-strict" : "ad"), prog));
  return level_simplify(s, pipeline_run(s, prog, after_ad));
}

static Prog *before_rules(Session *s, Prog *prog) {
  if (ad_is_left(prog)) prog = pipeline_run(s, prog, before_ad);
  if (!s->diag->no_warnings) ad_warn(prog, s->diag);
  return prog;
}

void pipeline_warn(Session *s, Prog *prog) { before_rules(s, prog); }

Prog *pipeline_differentiate(Session *s, Prog *prog) {
  if (!s->stopped) prog = assume_finite(s, pipeline_run(s, prog, at_first));
  if (prog->level == LEVEL_AD_FREE) return prog;
  if (ad_is_left(prog) && s->memory_limit >= 0) prog = pipeline_run(s, prog, for_limit);
  prog = before_rules(s, prog);
  while (!s->stopped && ad_is_left(prog)) {
    if (jacobian_is_left(prog)) prog = pipeline_run(s, prog, for_blocks);
    prog = level_differentiate(s, pipeline_choose(s, prog));
  }
  return s->stopped ? prog : pass_run(s, pass_named("ad-done"), prog);
}

Prog *pipeline_counted(Session *s, Prog *prog) { return pipeline_run(s, prog, optimise); }

Prog *pipeline_optimise(Session *s, Prog *prog) {
  return pipeline_run(s, pipeline_counted(s, prog), divide);
}

Prog *pipeline_bulk(Session *s, Prog *prog) {
  if (ad_is_left(prog)) prog = pipeline_differentiate(s, prog);
  return pipeline_run(s, prog, before_bulk);
}

Prog *pipeline_source(Session *s, Prog *prog) { return pipeline_run(s, prog, to_source); }
