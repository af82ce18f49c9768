// dagaz fuzz: random core programs, all ways of running them against each other:
//   interpreted - optimised and interpreted - compiled;
//   derivatives: <tangent of results, u> == <v, adjoint of params> for forward along v and reverse
//   with seed u, in f64, f32 and integers, and forward against central differences where the
//   program is smooth; before and after optimisation; by the rules for particular operators and
//   the general ones; as source text; and further identities (fuzz_identities.c).
// --wrong makes derivatives wrong that must then be noticed.
#include "fuzz.h"
#include "gen/gen.h"
#include "back/back.h"
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  Session *session;
  uint64_t seed;
  int64_t compile_every, source_every;
  Target target;  // of what is compiled
  bool keep_going, counting, shrink;
  bool bulk;            // whole-array forms only
  FuzzBulk bulked;
  const Prog *given;    // instead of a new one: what the shrinker tries
  GenCensus *census;
  const char *dir;      // for executables
  const char *differs;  // what went wrong with the current program, or NULL
  const Prog *culprit;  // the program shown when something differs
  const char *names;    // what is left out to compare; NULL: the seed chooses
  const char *wrong;    // name of an operation of one float, or NULL
  int passed, failed;
  bool value_compiled;  // the current program's, with its derivatives
  FuzzCompared differences;
  int longer;                  // programs compared on long arrays
  int without[FUZZ_ROWS + 1];  // programs compared without row i - 1; 0: without particular rules
  bool reaching;               // only count the next:
  int reached[FUZZ_ROWS];      // programs to whose derivatives row i applied
  int unbounded;               // derivatives that are not finite, and need not be
  int unstable;                // they differ, and so they do when roundings are others
} Fuzzer;

static const double result_tolerance = 1e-7;

InterpResult fuzz_call(Session *s, const Prog *prog, const char *fn, IValues args) {
  InterpOptions options = {.step_limit = FUZZ_STEP_LIMIT};
  return interp_call(s->arena, prog, fn, args, &options);
}

Prog *fuzz_copy(Session *s, const Prog *prog) {
  Rewrite w = {.stm = NULL};
  Prog *copy = rewrite_prog(prog, arena_new(), &w);
  list_push(s->arena, &s->programs, copy->arena);
  return copy;
}

bool fuzz_out_of_steps(const InterpResult *r) {
  return !r->ok && r->message &&
         (strstr(r->message, "Step limit") || strstr(r->message, "the memory limit leaves") ||
          strcmp(r->message, "out of memory: array too large") == 0);
}

void fuzz_release(IValues values) {
  for (int i = 0; i < values.len; i++) ivalue_release(values.at[i]);
}

const char *fuzz_values_within(Session *s, const char *way, IValues got, IValues want,
                               double tolerance) {
  if (got.len != want.len) return arena_printf(s->arena, "%s: another number of results", way);
  for (int i = 0; i < want.len; i++) {
    if (ivalue_same(got.at[i], want.at[i], tolerance)) continue;
    Text a = {0}, b = {0};
    ivalue_print(&a, got.at[i]);
    ivalue_print(&b, want.at[i]);
    const char *text =
        arena_printf(s->arena, "%s: result %d is %.300s, interpreted %.300s", way, i, a.at, b.at);
    text_free(&a), text_free(&b);
    return text;
  }
  return NULL;
}

// Roundings of f16 come out in results of other types, too.
static bool has_half(const Prog *prog) {
  for (int i = 1; i < prog->vars.len; i++)
    if (prog->vars.at[i].type.prim == PRIM_F16) return true;
  return false;
}

static double value_tolerance(const Prog *prog) {
  return has_half(prog) ? 0x1p-5 : result_tolerance;
}

// A statement marked as one that cannot fail does: compiled, it reads or writes anywhere.
static const char *unchecked_fault(Session *s, const char *way, const InterpResult *r) {
  if (r->ok || !r->unchecked || fuzz_out_of_steps(r)) return NULL;
  return arena_printf(s->arena, "%s: unchecked: %s", way, r->error);
}

// An optimised program may fail where the original does, with any of its failures, or succeed
// where the failing value was not needed; it may not fail where the original succeeds.
static const char *compare(Session *s, const char *way, const InterpResult *got,
                           const InterpResult *want, double tolerance) {
  const char *fault = unchecked_fault(s, way, got);
  if (fault || fuzz_out_of_steps(got) || fuzz_out_of_steps(want) || !want->ok) return fault;
  if (!got->ok) return arena_printf(s->arena, "%s: failed with %s", way, got->message);
  return fuzz_values_within(s, way, got->results, want->results, tolerance);
}

// ---- compiled
static const char *executable_path(const Fuzzer *f) {
  return arena_printf(f->session->arena, "%s/program", f->dir);
}

static const char *executable_build(Fuzzer *f, const Prog *prog) {
  BackOptions options = {.mode = BACK_EXECUTABLE, .name = "program"};
  BackTexts texts = {0};
  BuildNote note;
  Arena *arena = arena_beside(f->session->arena);
  back_c(pipeline_imp(f->session, prog, arena), &options, &texts);
  arena_free(arena);
  bool ok = toolchain_build(&texts, executable_path(f), OUTPUT_EXECUTABLE, &note);
  back_texts_free(&texts);
  return ok ? NULL : "compiled: the C compiler rejects it";
}

static Text input_of(const Fuzzer *f, IValues args, int sizes) {
  Text input = {0};
  for (int i = sizes; i < args.len; i++) {
    Value v = value_of(f->session->arena, args.at[i]);
    value_write_binary(&input, &v);
  }
  return input;
}

static ProcessResult executable_call(Fuzzer *f, const char *fn, IValues args, int sizes) {
  Session *s = f->session;
  Text input = input_of(f, args, sizes);
  const char *argv[] = {executable_path(f), "-e", fn, "-b", NULL};
  ProcessResult r = process_run(s->arena, argv, input.at ? input.at : "", input.len, 20);
  text_free(&input);
  return r;
}

static bool tells_nothing(Fuzzer *f, const Prog *prog, const char *fn, IValues args,
                          double tolerance) {
  FuzzCall call = {prog, fn, args};
  bool nothing = fuzz_is_unstable(f->session, &call, tolerance);
  f->unstable += nothing;
  return nothing;
}

static const char *executable_run(Fuzzer *f, const Prog *prog, const char *fn, IValues args,
                                  const InterpResult *want, double tolerance) {
  Session *s = f->session;
  const EntryInfo *entry = interp_entry_fn(prog, fn)->entry;
  ProcessResult r = executable_call(f, fn, args, entry->size_params);
  const char *way = arena_printf(s->arena, "compiled %s", fn);
  if (fuzz_out_of_steps(want) && r.status == 128 + SIGXCPU) return NULL;
  if (!want->ok || fuzz_out_of_steps(want))
    return r.status >= 128 ? arena_printf(s->arena, "%s: died of a signal", way) : NULL;
  if (r.status != 0) return arena_printf(s->arena, "%s: status %d: %s", way, r.status, r.error);
  Values outputs = {0};
  const char *error;
  if (!values_read(s->arena, r.out, r.out_len, NULL, 0, &outputs, &error)) return error;
  IValues got = {0}, expected = {0};
  for (int i = 0; i < outputs.len; i++) list_push(s->arena, &got, ivalue_of(&outputs.at[i]));
  for (int i = entry->sizes; i < want->results.len; i++)
    list_push(s->arena, &expected, want->results.at[i]);
  const char *differs = fuzz_values_within(s, way, got, expected, tolerance);
  fuzz_release(got);
  return differs && tells_nothing(f, prog, fn, args, tolerance) ? NULL : differs;
}

static bool is_compiled(const Fuzzer *f) {
  return f->compile_every && f->seed % (uint64_t)f->compile_every == 0;
}

// ---- derivatives
IValues fuzz_with(Arena *arena, IValues a, IValues b) {
  IValues all = {0};
  for (int i = 0; i < a.len; i++) list_push(arena, &all, a.at[i]);
  for (int i = 0; i < b.len; i++) list_push(arena, &all, b.at[i]);
  return all;
}

// Both modes as source text.
static const char *source_text(Fuzzer *f, const Prog *derived, const FuzzSeeds *seeds) {
  static const char *const entries[] = {"main_jvp", "main_vjp"};
  if (!f->source_every || f->seed % (uint64_t)f->source_every != 0) return NULL;
  const char *differs = NULL;
  double tolerance = seeds->coarse ? fuzz_tolerance(seeds) : result_tolerance;
  for (int i = 0; i < 2 && !differs; i++) {
    IValues args =
        fuzz_with(f->session->arena, seeds->params, i ? seeds->adjoints : seeds->tangents);
    InterpResult want = fuzz_call(f->session, derived, entries[i], args);
    if (!want.ok) continue;
    differs = fuzz_source(f->session, derived, entries[i], args, want.results, tolerance);
    bool other = differs && strncmp(differs, "as source text: result ", 23) == 0;
    if (other && tells_nothing(f, derived, entries[i], args, tolerance)) differs = NULL;
    fuzz_release(want.results);
  }
  return differs;
}

// The derivatives compiled against themselves interpreted.
static const char *derivatives_called(Fuzzer *f, const Prog *derived, const FuzzSeeds *seeds,
                                      double tolerance) {
  Session *s = f->session;
  const char *differs = NULL;
  IValues args[] = {fuzz_with(s->arena, seeds->params, seeds->tangents),
                    fuzz_with(s->arena, seeds->params, seeds->adjoints)};
  const char *fns[] = {"main_jvp", "main_vjp"};
  for (int k = 0; k < 2 && !differs; k++) {
    InterpResult want = fuzz_call(s, derived, fns[k], args[k]);
    differs = executable_run(f, derived, fns[k], args[k], &want, tolerance);
    fuzz_release(want.results);
  }
  if (differs || !seeds->limited) return differs;
  Text input = input_of(f, args[1], interp_entry_fn(derived, fns[1])->entry->size_params);
  differs = fuzz_within(s, executable_path(f), fns[1], &input);
  text_free(&input);
  return differs;
}

static const char *derivatives_run(Fuzzer *f, const Prog *derived, const FuzzSeeds *seeds) {
  const char *differs = executable_build(f, derived);
  return differs ? differs : derivatives_called(f, derived, seeds, result_tolerance);
}

// The programs that were built, of long arrays: f32 sums of a million terms are rounded as often.
static double long_tolerance(bool coarse) { return coarse ? 1e-3 : result_tolerance; }

static const char *long_run(Fuzzer *f, const Prog *prog, bool coarse) {
  Session *s = f->session;
  IValues args = gen_inputs_long(s->arena, prog, f->seed);
  InterpResult want = fuzz_call(s, prog, "main", args);
  double tolerance = long_tolerance(coarse);
  const char *differs =
      want.ok ? executable_run(f, prog, "main", args, &want, tolerance) : NULL;
  f->longer += want.ok;
  fuzz_release(want.results), fuzz_release(args);
  return differs;
}

// The value by the executable that was built.
static const char *value_called(Fuzzer *f, const Prog *prog, IValues args,
                                const InterpResult *want, bool coarse) {
  const char *differs = executable_run(f, prog, "main", args, want, value_tolerance(prog));
  f->value_compiled = true;
  return differs ? differs : long_run(f, prog, coarse);
}

static const char *value_run(Fuzzer *f, const Prog *prog, IValues args, const InterpResult *want,
                             bool coarse) {
  const char *differs = executable_build(f, prog);
  return differs ? differs : value_called(f, prog, args, want, coarse);
}

static const char *long_derivatives_run(Fuzzer *f, const Prog *prog, const Prog *derived,
                                        bool coarse) {
  Session *s = f->session;
  IValues args = gen_inputs_long(s->arena, prog, f->seed);
  InterpResult values = fuzz_call(s, derived, "main", args);
  if (!values.ok) return NULL;
  FuzzSeeds seeds = fuzz_seeds(s, prog, args, values.results, f->seed);
  const char *differs = derivatives_called(f, derived, &seeds, long_tolerance(coarse));
  fuzz_release(values.results), fuzz_release(args);
  return differs;
}

static void reached_count(Fuzzer *f, FuzzTried tried) {
  for (int i = 0; i < COUNT_OF(f->reached); i++) f->reached[i] += (int)(tried >> i & 1);
}

// Derivatives whose values nothing needs of a program that may fail: checks stay as long as what
// relies on them.
static const char *bare_derivatives_test(Fuzzer *f, const Prog *prog) {
  static const char *const entries[] = {"main_jvp", "main_vjp"};
  Session *s = f->session;
  Prog *derived = gen_bare_derivatives(arena_new(), prog);
  list_push(s->arena, &s->programs, derived->arena);
  f->culprit = derived;
  const Prog *plain = pipeline_differentiate(s, fuzz_copy(s, derived));
  const Prog *optimised = pipeline_optimise(s, pipeline_differentiate(s, fuzz_copy(s, derived)));
  const char *differs = is_compiled(f) ? executable_build(f, optimised) : NULL;
  for (int i = 0; i < 2 && !differs; i++) {
    IValues args = gen_inputs_of(s->arena, derived, entries[i], f->seed);
    InterpResult want = fuzz_call(s, plain, entries[i], args);
    InterpResult got = fuzz_call(s, optimised, entries[i], args);
    differs = unchecked_fault(s, "derivatives", &want);
    if (!differs) differs = unchecked_fault(s, "optimised derivatives", &got);
    if (!differs && want.ok && !got.ok && !fuzz_out_of_steps(&got))
      differs = arena_printf(s->arena, "optimised %s: failed with %s", entries[i], got.message);
    fuzz_release(want.results), fuzz_release(got.results);
    want.ok = false;
    if (!differs && is_compiled(f))
      differs = executable_run(f, optimised, entries[i], args, &want, 0);
  }
  return differs;
}

// Differentiates and optimises, runs nothing.
static void reached_by(Fuzzer *f, const Prog *prog) {
  Session *s = f->session;
  Prog *derived = gen_derivatives(arena_new(), prog);
  list_push(s->arena, &s->programs, derived->arena);
  const Prog *source = fuzz_copy(s, derived);
  pipeline_optimise(s, pipeline_differentiate(s, derived));
  FuzzTried tried = fuzz_tried(s);
  reached_count(f, tried | fuzz_tried_bare(s, source, f->seed));
}

static bool either_tells_nothing(Fuzzer *f, const Prog *derived, const FuzzSeeds *seeds) {
  static const char *const entries[] = {"main_jvp", "main_vjp"};
  bool nothing = false;
  for (int i = 0; i < 2 && !nothing; i++) {
    IValues args =
        fuzz_with(f->session->arena, seeds->params, i ? seeds->adjoints : seeds->tangents);
    nothing = tells_nothing(f, derived, entries[i], args, fuzz_tolerance(seeds));
  }
  return nothing;
}

static const char *without_one(Fuzzer *f, const FuzzDerived *d, const FuzzSeeds *seeds) {
  const char *differs = NULL;
  int row;
  const Prog *without = fuzz_without(f->session, d, seeds, f->seed, &differs, &row);
  if (!without) return NULL;
  f->without[row + 1]++;
  if (differs && strstr(differs, ": result ") && either_tells_nothing(f, d->derived, seeds))
    return NULL;
  return differs || !is_compiled(f) ? differs : derivatives_run(f, without, seeds);
}

// ---- one program

static Op wrong_op(const Fuzzer *f) {
  Op op;
  if (op_named(f->wrong, &op) && op_info[op].arity == 1 && op_partial(op, PRIM_F64, 0)) return op;
  diag_unsupported(f->session->diag, (Span){0}, "'%s' is no operation of one float", f->wrong);
}

static bool is_coarse(GenOptions o) { return o.single || o.mixed || o.half; }

// plain: prog without derivatives inside.  Optimised derivatives in f16 add up in another order.
static const char *derivatives_test(Fuzzer *f, const Prog *prog, const Prog *plain, IValues args,
                                    const InterpResult *want, GenOptions options) {
  Session *s = f->session;
  FuzzSeeds seeds = fuzz_seeds(s, prog, args, want->results, f->seed);
  seeds.unbounded = &f->unbounded, seeds.unstable = &f->unstable;
  seeds.coarse = is_coarse(options);
  seeds.half = options.half;
  seeds.limited = fuzz_is_limited(s, prog);
  if (seeds.tangents.len == 0) return NULL;
  if (f->wrong) {
    prog = gen_wrong(arena_new(), prog, wrong_op(f));
    list_push(s->arena, &s->programs, prog->arena);
  }
  Prog *derived = gen_derivatives(arena_new(), prog);
  list_push(s->arena, &s->programs, derived->arena);
  f->culprit = derived;
  FuzzDerived d = {.source = fuzz_copy(s, derived), .tolerance = fuzz_tolerance(&seeds),
                   .may_fail = options.may_fail, .names = f->names};
  session_forget_tried(s);
  d.derived = derived = pipeline_differentiate(s, derived);
  d.early = fuzz_tried(s);
  int results = want->results.len, unstable = f->unstable;
  const char *differs = fuzz_duality(s, derived, &seeds, results, "derivatives");
  if (f->unstable > unstable) return NULL;
  if (!differs && options.smooth)
    differs = fuzz_differences(f->session, plain, derived, &seeds, results, &f->differences);
  if (!differs) differs = source_text(f, derived, &seeds);
  if (!differs && !seeds.coarse)
    differs = fuzz_identity(s, f->seed, prog, derived, &seeds, want);
  if (differs) return differs;
  session_forget_tried(s);
  derived = pipeline_optimise(s, derived);
  d.late = fuzz_tried(s);
  d.bare = fuzz_tried_bare(s, d.source, f->seed);
  reached_count(f, d.early | d.late | d.bare);
  differs = fuzz_duality(s, derived, &seeds, results, "optimised derivatives");
  if (f->unstable > unstable) return NULL;
  if (!differs && seeds.limited) differs = fuzz_limits(s, derived, &seeds);
  if (!differs) differs = without_one(f, &d, &seeds);
  if (!differs && !seeds.limited && !seeds.half) differs = fuzz_strategies(s, &d, &seeds, f->seed);
  if (differs || !is_compiled(f)) return differs;
  differs = derivatives_run(f, derived, &seeds);
  if (!differs) differs = value_called(f, derived, args, want, seeds.coarse);
  return differs ? differs : long_derivatives_run(f, prog, derived, seeds.coarse);
}

static const char *dual_test(Fuzzer *f, const Prog *prog, IValues args, const InterpResult *want,
                             GenOptions options) {
  Session *s = f->session;
  FuzzSeeds seeds = fuzz_seeds(s, prog, args, want->results, f->seed);
  seeds.coarse = is_coarse(options), seeds.half = options.half, seeds.unstable = &f->unstable;
  if (seeds.tangents.len == 0 || options.half) return NULL;
  Prog *derived = gen_derivatives(arena_new(), prog);
  list_push(s->arena, &s->programs, derived->arena);
  f->culprit = derived;
  return fuzz_dual(s, derived, &seeds, want->results.len, &f->bulked);
}

// Some programs have derivatives inside, some keep to a memory limit.
static GenOptions options_of(Session *s, uint64_t seed) {
  uint64_t way = seed / 8;
  if (way % 8 == 1) s->memory_limit = 0;
  if (way % 8 == 2) s->memory_limit = 1 << 14;
  uint64_t of = seed % 4 == 2 ? seed / 4 % 5 : 0;
  return (GenOptions){.statements = way % 5 == 4 ? 60 : 0,
                      .depth = way % 7 == 6 ? 4 : 0,
                      .derivable = seed % 2 == 0,
                      .smooth = seed % 4 == 0,
                      .integers = of == 1,
                      .single = of == 2,
                      .mixed = of == 3,
                      .half = of == 4,
                      .may_fail = seed % 8 == 1 || seed % 32 == 10 || seed % 32 == 20,
                      .overwrites = way % 7 / 2 == 1,
                      .nested = way % 3 == 0};
}

static bool is_unstable(Fuzzer *f, const Prog *plain, IValues args, const InterpResult *want,
                        double tolerance) {
  return want->ok && strstr(f->differs, "result ") &&
         tells_nothing(f, plain, "main", args, tolerance);
}

static const Prog *program_of(Fuzzer *f, GenOptions options) {
  Arena *arena = arena_new();
  list_push(f->session->arena, &f->session->programs, arena);
  if (!f->given) return gen_program(arena, f->seed, options);
  Rewrite w = {0};
  return rewrite_prog(f->given, arena, &w);
}

// Assertions of programs about derivatives (gen/patterns.c).
static const char *claims_false(const InterpResult *r) {
  bool claim = !r->ok && (strncmp(r->message, "blocks: ", 8) == 0 ||
                          strncmp(r->message, "depends: ", 9) == 0);
  return claim ? r->message : NULL;
}

// An executable has the value and both derivatives where there are some: the C compiler needs most
// of the time.
static void program_fuzz(Session *s, void *state) {
  Fuzzer *f = state;
  GenOptions options = options_of(s, f->seed);
  const Prog *prog = program_of(f, options);
  f->culprit = prog;
  core_verify(prog, "gen");
  bool wild = !options.derivable && f->seed % 8 == 3;
  IValues args = gen_inputs(s->arena, prog, f->seed, wild);
  if (f->counting) {
    gen_census_add(f->census, prog, args);
    return;
  }
  if (f->reaching) {
    if (options.derivable) reached_by(f, prog);
    return;
  }
  Prog *copy = fuzz_copy(s, prog);
  const Prog *plain = options.nested ? pipeline_differentiate(s, copy) : prog;
  InterpResult want = fuzz_call(s, plain, "main", args);
  double tolerance = value_tolerance(prog);
  if (f->bulk) {
    f->differs = fuzz_bulk(s, plain, args, &want, &f->bulked);
    if (!f->differs && options.derivable && want.ok)
      f->differs = dual_test(f, prog, args, &want, options);
    if (f->differs && is_unstable(f, plain, args, &want, tolerance)) f->differs = NULL;
    return;
  }
  Prog *optimised = pipeline_optimise(
      s, options.nested ? fuzz_copy(s, plain) : pipeline_differentiate(s, copy));
  InterpResult got = fuzz_call(s, optimised, "main", args);
  f->differs = claims_false(&want);
  if (!f->differs) f->differs = compare(s, "optimised", &got, &want, tolerance);
  if (!f->differs && options.derivable && options.may_fail)
    f->differs = bare_derivatives_test(f, prog);
  if (!f->differs && options.derivable && want.ok)
    f->differs = derivatives_test(f, prog, plain, args, &want, options);
  if (!f->differs && is_compiled(f) && !f->value_compiled)
    f->differs = value_run(f, optimised, args, &want, is_coarse(options));
  if (f->differs && is_unstable(f, plain, args, &want, tolerance)) f->differs = NULL;
}

// One program; whether something is wrong with it.  The session stays.
static bool attempt_fails(Fuzzer *f) {
  f->session = session_new();
  f->session->verify = true;
  f->session->target = f->target;
  f->session->diag->no_warnings = true;
  f->differs = NULL;
  f->culprit = NULL;
  f->value_compiled = false;
  Status status = session_run(f->session, program_fuzz, f);
  if (status != STATUS_OK) f->differs = arena_printf(f->session->arena, "the compiler stopped");
  return f->differs != NULL;
}

static void program_print(const Prog *prog) {
  Text text = {0};
  core_print(&text, prog);
  printf("%s\n", text.at);
  text_free(&text);
}

// Of another kind is what begins otherwise.
static bool fails_alike(void *state, const Prog *prog) {
  const Fuzzer *f = state;
  Fuzzer other = *f;
  other.given = prog;
  bool alike = attempt_fails(&other) && strncmp(other.differs, f->differs, 16) == 0;
  session_free(other.session);
  return alike;
}

static void smallest_print(Fuzzer *f) {
  Arena *arena = arena_new();
  Session *s = session_new();
  GenOptions options = options_of(s, f->seed);
  Prog *prog = gen_shrink(arena, gen_program(arena, f->seed, options), fails_alike, f);
  program_print(prog);
  if (options.derivable) program_print(gen_derivatives(arena, prog));
  session_free(s);
  arena_free(arena);
}

static void seed_test(Fuzzer *f, uint64_t seed) {
  f->seed = seed;
  bool fails = attempt_fails(f);
  f->failed += fails, f->passed += !fails;
  if (fails) printf("FAILED seed %llu: %s\n", (unsigned long long)seed, f->differs);
  if (fails && f->shrink) smallest_print(f);
  else if (fails && f->culprit && !f->keep_going) program_print(f->culprit);
  fflush(stdout);
  session_free(f->session);
}

// Of many programs some should be without each.
static void without_show(const Fuzzer *f, int64_t programs) {
  int all = 0;
  for (int i = 0; i < COUNT_OF(f->without); i++) all += f->without[i];
  if (all) printf("%d compared without an optimisation", all);
  for (int i = 0; programs >= 2000 && fuzz_row(i).name; i++)
    if (!f->without[i + 1]) printf(", none without %s", without_row(i).name);
  if (all) printf("\n");
}

// Rules for one-hot arrays, payloads, recurrences, sums by key and sums of sums: derivatives of
// random programs by the default strategy do not have them.  tests/pass/onehot reaches these rules.
static bool is_expected(const char *name) {
  static const char *const others[] = {"payload-index", "one-hot-arrays", "key-sums",
                                       "one-case-recurrences", "one-case-products",
                                       "factored-sums"};
  for (int i = 0; i < COUNT_OF(others); i++)
    if (strcmp(name, others[i]) == 0) return false;
  return true;
}

// The optimisations that no program reaches; the counts of others, if requested.
static int reached_show(const Fuzzer *f) {
  int never = 0;
  for (int i = 0; fuzz_row(i).name; i++) {
    if (f->reaching) printf("%-44s %8d\n", without_row(i).name, f->reached[i]);
    if (!f->reached[i] && is_expected(without_row(i).name))
      printf("FAILED: none has %s\n", without_row(i).name), never++;
  }
  return never;
}

static int census_show(const GenCensus *census) {
  Text text = {0};
  int never = gen_census_print(&text, census);
  fputs(text.at, stdout);
  text_free(&text);
  return never;
}

static bool names_known(const char *names) {
  Session *s = session_new();
  bool known = session_leaves_out(s, "fuzz", names);
  session_free(s);
  return known;
}

int cmd_fuzz(int argc, char **argv) {
  Arena *arena = arena_new();
  Words others = {0};
  Fuzzer f = {.compile_every = 10, .source_every = 10};
  int64_t programs = 100, seed = 1;
  bool help;
  int backend = 0;
  bool any_order = false;
  const ArgRow rows[] = {
      {"backend", 0, ARG_CHOICE, &backend,
       "c|multicore|gpu-host|opencl|cuda: what is compiled; default: c"},
      args_any_order(arena, &any_order),
      {"programs", 'n', ARG_COUNT, &programs, "how many (100)"},
      {"seed", 's', ARG_INT, &seed, "of the first; the next ones follow (1)"},
      {"compile-every", 0, ARG_COUNT, &f.compile_every, "compile one in so many (10); 0: none"},
      {"source-every", 0, ARG_COUNT, &f.source_every,
       "print one derivative in so many as source text and compile that (10); 0: none"},
      {"wrong", 0, ARG_TEXT, &f.wrong,
       "differentiate this operation wrongly: failures show that it is noticed"},
      {"without", 0, ARG_TEXT, &f.names,
       "compare derivatives without these optimisations (commas between), where one applies"},
      {"census", 0, ARG_FLAG, &f.counting, "only count what the programs have, say what none has"},
      {"reached", 0, ARG_FLAG, &f.reaching,
       "only count the programs to whose derivatives each optimisation applies"},
      {"bulk", 0, ARG_FLAG, &f.bulk, "compare whole-array forms only, where a program has one"},
      {"shrink", 0, ARG_FLAG, &f.shrink, "print the smallest program found that fails alike"},
      {"brief", 'q', ARG_FLAG, &f.keep_going, "do not print failing programs"},
      {0}};
  int status = STATUS_IO;
  if (args_parse(arena, rows, argc, argv, &others, &help) && names_known(f.names)) {
    f.dir = temporary_dir(arena);
    f.target = backend_target(backend, any_order);
    f.census = gen_census_new(arena);
    for (int64_t i = 0; i < programs && !help; i++) seed_test(&f, (uint64_t)(seed + i));
    if (f.counting) f.failed += census_show(f.census);
    if (f.reaching || (!f.counting && !f.bulk && programs >= 2000)) f.failed += reached_show(&f);
    if (!help && f.differences.compared)
      printf("%d compared with differences, %d inconclusive\n", f.differences.compared,
             f.differences.inconclusive);
    if (!help && !f.counting && !f.reaching) without_show(&f, programs);
    if (f.bulk) fuzz_bulk_show(&f.bulked);
    if (f.longer) printf("%d compared on long arrays\n", f.longer);
    if (f.unbounded) printf("%d derivatives are too large, or of infinite numbers\n", f.unbounded);
    if (f.unstable) printf("%d tell nothing: roundings change their results\n", f.unstable);
    if (f.differences.inconclusive > 10 && f.differences.inconclusive > f.differences.compared / 50)
      f.failed++, printf("FAILED: too many comparisons with differences are inconclusive\n");
    if (!help) printf("%d passed, %d failed\n", f.passed, f.failed);
    if (f.dir) temporary_remove(f.dir);
    status = f.failed != 0;
  }
  arena_free(arena);
  return status;
}
