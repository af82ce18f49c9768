// dagaz gradcheck: derivatives of an entry point in both modes, against each other, differences
// and compiled code, on the user's data or random data.  Data on which something disagrees are made
// smaller as long as something does.
#include "gradcheck.h"
#include "ad/common/ad.h"
#include "data.h"
#include "back/back.h"
#include "derive/derive.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RULES = 8 };
typedef struct {
  Span at[MOST_RULES];
  int len;
} Spans;
typedef struct {
  const char *path, *entry, *data, *dir;
  int64_t seed, points, most;
  double tolerance;  // 0: by precision
  bool interp_only, compiled_only, strategies;
  unsigned kinds;    // of the disagreement that is made smaller
  const char **why;  // of the last point
  bool conclusive;  // differences decided somewhere
  bool compared;    // there was something to compare
  DataInputs inputs;  // values of parameters by name, instead of data
  Values values;      // theirs
  GradCheck check;
  Spans rules;      // custom ones
  Spans operators;  // of reductions and scans, other than single operations
  bool interpreted; // some point was compared by the interpreter
  bool too_long;    // the interpreter has not the steps, and there is no compiled code
  int status;
} GradJob;

// ---- programs --------------------------------------------------------------------------------
static Prog *derivative(Session *s, const Prog *prog, const GradJob *job, DeriveMode mode) {
  DeriveObstacle obstacle;
  Arena *arena = arena_new();
  list_push(s->arena, &s->programs, arena);
  Prog *out = derive_entry(arena, prog, job->entry, mode, &obstacle);
  if (out) return pipeline_differentiate(s, out);
  diag_error(s->diag, obstacle.at, "cannot derive \"%s\": %s", job->entry, obstacle.why);
  session_stop_on_errors(s);
  return NULL;
}

static const char *compiled(Session *s, const GradJob *job, Prog *prog, const char *name) {
  const char *exe = arena_printf(s->arena, "%s/%s", job->dir, name);
  BackOptions options = {.mode = BACK_EXECUTABLE, .name = name};
  BackTexts texts = {0};
  BuildNote note;
  Arena *arena = arena_beside(s->arena);
  back_c(pipeline_imp(s, pipeline_optimise(s, prog), arena), &options, &texts);
  arena_free(arena);
  bool ok = toolchain_build(&texts, exe, OUTPUT_EXECUTABLE, &note);
  back_texts_free(&texts);
  if (!ok) fail_io("the derivative is not compiled");
  return exe;
}

// Records are given as their parts, one after the other.
static void entry_flatten(Prog *prog, const char *name) {
  for (int i = 0; i < prog->fns.len; i++) {
    Fn *fn = prog->fns.at[i];
    if (!fn->entry || strcmp(fn->entry->name, name) != 0) continue;
    const EntryInfo *plain = entry_info_sized(prog, fn, name, fn->entry->size_params);
    if (plain->sizes == fn->entry->sizes) fn->entry = plain;
  }
}

// ---- what the entry point is made of --------------------------------------------------------
// Custom rules: where to look when both modes agree and differences do not.  Operators: where to
// look when modes differ.  And the type of least precision: what passes through an f32 moves in
// steps of it, whatever type it comes from.
typedef struct {
  Arena *arena;
  const Prog *prog;
  LIST(const Fn *) entered;
  Spans *out, *operators;
  Prim coarsest;
} RuleSearch;

static void rules_find(void *state, const Body *body, const Vars *params);

static void rules_of(RuleSearch *r, const Fn *fn) {
  for (int i = 0; i < r->entered.len; i++)
    if (r->entered.at[i] == fn) return;
  list_push(r->arena, &r->entered, fn);
  rules_find(r, &fn->body, NULL);
}

static bool span_has(Span span, const char *word) {
  size_t len = strlen(word), to = span.to;
  for (size_t at = span.from; span.src && at + len <= to; at++)
    if (strncmp(span.src->text + at, word, len) == 0) return true;
  return false;
}

// Rules and operators of the libraries are not the user's to mend.  Their statements have the place
// of the user's call, whose text does not name the combinator.
static void span_keep(Spans *out, const Stm *stm, const char *const *words) {
  Span span = loc_user_span(stm->loc);
  for (; *words && out->len < MOST_RULES; words++)
    if (span_has(span, *words)) {
      out->at[out->len++] = span;
      return;
    }
}

static bool has_operator(const Exp *e) {
  Op op;
  Prim prim;
  if (e->form == FORM_REDUCE) return !lambda_is_op(e->reduce.op, &op, &prim);
  if (e->form == FORM_SCAN) return !lambda_is_op(e->scan.op, &op, &prim);
  return e->form == FORM_HIST && !lambda_is_op(e->hist.op, &op, &prim);
}

static void rules_find(void *state, const Body *body, const Vars *params) {
  (void)params;
  RuleSearch *r = state;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    for (int k = 0; k < stm->bound.len; k++) {
      Prim prim = var_type(r->prog, stm->bound.at[k]).prim;
      if (prim_is_float(prim) && prim_info[prim].bytes < prim_info[r->coarsest].bytes)
        r->coarsest = prim;
    }
    if (stm->exp.form == FORM_WITHVJP) span_keep(r->out, stm, (const char *[]){"with_vjp", NULL});
    if (has_operator(&stm->exp)) 
      span_keep(r->operators, stm, (const char *[]){"reduce", "scan", "hist", NULL});
    if (stm->exp.form == FORM_APPLY) rules_of(r, prog_fn(r->prog, stm->exp.apply.fn));
    exp_each_body(&stm->exp, rules_find, state);
  }
}

static void spans_print(const Spans *spans, const char *before, const char *after) {
  for (int i = 0; i < spans->len; i++) {
    Text text = {0};
    bool seen = false;
    for (int k = 0; k < i; k++) seen = seen || spans->at[k].from == spans->at[i].from;
    if (seen || !spans->at[i].src) continue;
    span_print(&text, spans->at[i]);
    printf("%s %s%s\n", before, text.at, after);
    text_free(&text);
  }
}

static void rules_print(const GradJob *job) {
  spans_print(&job->rules, "Both modes use the rule given to with_vjp at", ": is it right?");
  spans_print(&job->operators, "The operator at",
              ": is it associative, and its neutral element neutral?");
}

// Compiled programs are given data in a format that has no arrays without data.
static bool has_units(const Prog *prog, const Fn *fn) {
  for (int i = 0; fn && i < fn->params.len; i++)
    if (var_type(prog, fn->params.at[i]).prim == PRIM_UNIT) return true;
  return false;
}

// The adjoints by all other strategies that accept the entry point.
static void strategies_make(Session *s, const Prog *prog, const GradJob *job, GradCheck *g) {
  for (int i = STRATEGY_REDUNDANT + 1; i < STRATEGY_END; i++) {
    DeriveObstacle obstacle;
    Arena *arena = arena_new();
    list_push(s->arena, &s->programs, arena);
    const Prog *vjp = derive_entry(arena, prog, job->entry, DERIVE_VJP, &obstacle);
    const char *why;
    if (!vjp) continue;
    g->by_strategy[i] = strategy_try(s, vjp, i, TRY_DIFFERENTIATED, &why);
    if (!g->by_strategy[i]) printf("strategy %s: refuses %s\n", strategy_info[i].name, why);
  }
}

// Of a file: as `dagaz run` reads them or, of records, their parts one after the other.
static void file_values_read(Session *s, GradJob *job, const Prog *prog, const Fn *fn) {
  AbiInputs in = {0};
  ValueText text = {.arena = s->arena};
  ValueTypes types = {0};
  const char *error;
  text.text = file_read(s->arena, job->data, &text.len);
  if (!text.text) fail_io("cannot read '%s': %s", job->data, strerror(errno));
  if (abi_inputs_read(&text, prog, fn, &in)) {
    job->values = in.leaves;
    return;
  }
  for (int i = fn->entry->size_params; i < fn->params.len; i++) {
    Type t = var_type(prog, fn->params.at[i]);
    list_push(s->arena, &types, ((ValueType){t.prim, t.rank}));
  }
  if (!values_read(s->arena, text.text, text.len, types.at, types.len, &job->values, &error))
    fail_io("%s: %s", job->data, text.error);
}

static void programs_make(Session *s, GradJob *job) {
  Prog *prog = session_core(s, job->path);
  job->entry = entry_chosen(prog, job->entry);
  const Fn *fn = interp_entry_fn(prog, job->entry);
  if (job->inputs.words.len && !data_inputs_read(s->arena, &job->inputs, prog, fn, &job->values))
    stop_now(STATUS_IO);
  if (job->data && fn) file_values_read(s, job, prog, fn);
  entry_flatten(prog, job->entry);
  RuleSearch search = {.arena = s->arena, .prog = prog, .out = &job->rules,
                       .operators = &job->operators, .coarsest = PRIM_F64};
  const Fn *entry = interp_entry_fn(prog, job->entry);
  if (entry) rules_of(&search, entry);
  GradCheck *g = &job->check;
  Prog *jvp = derivative(s, prog, job, DERIVE_JVP), *vjp = derivative(s, prog, job, DERIVE_VJP);
  *g = (GradCheck){.primal = pipeline_differentiate(s, prog), .jvp = jvp, .vjp = vjp,
                   .entry = job->entry, .arena = s->arena, .seed = (uint64_t)job->seed,
                   .coarsest = search.coarsest,
                   .most = job->most > 0 ? job->most : 1};
  g->jvp_name = arena_printf(s->arena, "%s_jvp", job->entry);
  g->vjp_name = arena_printf(s->arena, "%s_vjp", job->entry);
  g->tolerance = job->tolerance;
  if (job->strategies) strategies_make(s, prog, job, g);
  bool compiles = !job->interp_only && !has_units(prog, entry) && toolchain_present();
  if (job->compiled_only && !compiles)
    fail_io("gradcheck: --compiled needs a C compiler and arguments with data");
  if (!compiles) return;
  g->jvp_exe = compiled(s, job, jvp, "jvp");
  g->vjp_exe = compiled(s, job, vjp, "vjp");
}

// ---- one point ---------------------------------------------------------------------------------
// By the interpreter and compiled code; by compiled code alone where the interpreter has not the
// steps.
static GradVerdict point_check(GradJob *job, const GradCheck *g, Values inputs) {
  const char *why = "";
  GradVerdict verdict = job->compiled_only ? GRAD_TOO_LONG : gradcheck_at(g, inputs, &why);
  job->interpreted = job->interpreted || verdict != GRAD_TOO_LONG;
  if (verdict == GRAD_TOO_LONG && g->vjp_exe) {
    if (!g->quiet && !job->compiled_only)
      printf("too long for the interpreter: compiled code alone is compared\n");
    verdict = gradcheck_compiled(g, inputs, &why);
  }
  if (job->why) *job->why = why;
  return verdict;
}

// ---- shrinking -------------------------------------------------------------------------------
// Smaller data must disagree in the way the whole data do.
static bool still_disagrees(GradJob *job, Values inputs) {
  GradCheck g = job->check;
  unsigned kinds = 0;
  g.quiet = true;
  g.kinds = &kinds;
  point_check(job, &g, inputs);
  return (kinds & job->kinds) != 0;
}

static Value cut(Arena *arena, const Value *v, int64_t from, int64_t to) {
  int64_t shape[VALUE_MOST_RANK], at[VALUE_MOST_RANK] = {0};
  for (int d = 0; d < v->rank; d++) shape[d] = v->shape[d] == from ? to : v->shape[d];
  Value out = value_new(arena, v->prim, v->rank, shape);
  for (int64_t i = 0; i < out.len; i++) {
    int64_t source = 0;
    for (int d = 0; d < v->rank; d++) source = source * v->shape[d] + at[d];
    value_put(&out, i, value_at(v, source));
    for (int d = v->rank - 1; d >= 0 && ++at[d] == shape[d]; d--) at[d] = 0;
  }
  return out;
}

// All dimensions of one size together, since most are meant to be equal.
static bool shrink_sizes(GradJob *job, Values *inputs) {
  Arena *arena = job->check.arena;
  for (int k = 0; k < inputs->len; k++)
    for (int d = 0; d < inputs->at[k].rank; d++) {
      int64_t n = inputs->at[k].shape[d], smaller[] = {n / 2, n - 1};
      for (int t = 0; t < 2 && n > 1; t++) {
        Values less = {0};
        for (int i = 0; i < inputs->len; i++)
          list_push(arena, &less, cut(arena, &inputs->at[i], n, smaller[t]));
        if (!still_disagrees(job, less)) continue;
        *inputs = less;
        return true;
      }
    }
  return false;
}

// Simpler numbers than this one, the simplest first; how many.
static int simpler(Prim prim, Scalar old, Scalar out[4]) {
  int n = 0;
  if (prim_is_float(prim)) {
    double x = old.f, simple[] = {0, 1, round(x), round(x * 10) / 10};
    for (int t = 0; t < 4 && simple[t] != x; t++) out[n++] = scalar_float(prim, simple[t]);
  } else if (prim_is_int(prim)) {
    int64_t x = old.i, simple[] = {0, 1, x / 2, x - 1};
    for (int t = 0; t < 4 && x > 1 && simple[t] != x; t++) out[n++] = scalar_int(prim, simple[t]);
  }
  return n;
}

static void shrink_values(GradJob *job, Values *inputs, int budget) {
  Arena *arena = job->check.arena;
  for (int k = 0; k < inputs->len; k++)
    for (int64_t i = 0; i < inputs->at[k].len && budget > 0; i++) {
      Value *v = &inputs->at[k];
      Scalar old = value_at(v, i), simple[4];
      int ways = simpler(v->prim, old, simple);
      for (int t = 0; t < ways && budget > 0; t++, budget--) {
        Values less = {0};
        for (int j = 0; j < inputs->len; j++) list_push(arena, &less, inputs->at[j]);
        less.at[k] = cut(arena, v, -1, -1);
        value_put(&less.at[k], i, simple[t]);
        if (!still_disagrees(job, less)) continue;
        *inputs = less;
        break;
      }
    }
}

static void counterexample(GradJob *job, Values inputs) {
  for (int rounds = 0; rounds < 40 && shrink_sizes(job, &inputs); rounds++) {}
  shrink_values(job, &inputs, 100);
  printf("smallest data found on which they disagree:\n");
  for (int i = 0; i < inputs.len; i++) {
    Text text = {0};
    value_print(&text, &inputs.at[i]);
    printf("%s\n", text.at);
    text_free(&text);
  }
  point_check(job, &job->check, inputs);
  rules_print(job);
}

// ---- data ------------------------------------------------------------------------------------
static GradVerdict check_outcome(GradJob *job, Values inputs) {
  job->check.kinds = &job->kinds;
  GradVerdict verdict = point_check(job, &job->check, inputs);
  job->check.kinds = NULL;
  job->too_long = job->too_long || verdict == GRAD_TOO_LONG;
  job->conclusive = job->conclusive || verdict == GRAD_AGREES;
  job->compared = job->compared || (verdict != GRAD_EMPTY && verdict != GRAD_TOO_LONG);
  if (verdict != GRAD_DISAGREES) return verdict;
  job->status = STATUS_IO;
  counterexample(job, inputs);
  return verdict;
}

// Points of several sizes; those on which the entry itself fails do not count.
static void random_points(Session *s, GradJob *job, const Fn *fn) {
  static const int64_t sizes[] = {3, 4, 2, 1, 5, 7};
  const char *why = "";
  RandomOptions options = random_options((uint64_t)job->seed);
  int done = 0;
  for (int i = 0; i < 6 * (int)job->points && done < job->points && !job->status; i++) {
    int64_t size = sizes[i % COUNT_OF(sizes)];
    Values inputs = gradcheck_random(s->arena, job->check.primal, fn, size, &options);
    GradCheck quiet = job->check;
    quiet.quiet = true;
    job->why = &why;
    if (point_check(job, &quiet, inputs) == GRAD_FAILED) continue;
    done++;
    printf("random data, unknown sizes %lld\n", (long long)size);
    check_outcome(job, inputs);
  }
  if (done) return;
  fprintf(stderr, "gradcheck: the entry point fails on random data (%s); give a file of data\n",
          why);
  job->status = STATUS_IO;
}

static void work(Session *s, void *state) {
  GradJob *job = state;
  programs_make(s, job);
  const Fn *fn = job->check.fn = interp_entry_fn(job->check.primal, job->entry);
  ValueTypes types = {0};
  int opaque;
  if (!interp_entry_inputs(s->arena, fn, &types, &opaque))
    fail_io("gradcheck: parameter %d has no text form", opaque);
  if (!job->data && !job->inputs.words.len) {
    random_points(s, job, fn);
    return;
  }
  Values inputs = job->values;
  const char *why;
  job->why = &why;
  if (check_outcome(job, inputs) == GRAD_FAILED)
    fail_io("gradcheck: the entry point fails: %s", why);
}

static const char *ways_compared(const GradJob *job) {
  if (!job->check.vjp_exe) return " (interpreted)";
  return job->interpreted ? ", interpreted and compiled code" : " (compiled)";
}

static void outcome_print(GradJob *job) {
  if (job->too_long && !job->compared) {
    printf("nothing was compared: too long for the interpreter, and there is no compiled code\n");
    job->status = STATUS_IO;
  } else if (!job->compared) {
    printf("nothing was compared: the floating-point arguments have no elements\n");
  } else {
    printf("forward mode, reverse mode%s%s agree%s\n", job->conclusive ? ", differences" : "",
           ways_compared(job),
           job->conclusive ? "" : "; inconclusive: at poles and kinks differences mean nothing");
  }
}

int cmd_gradcheck(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  GradJob job = {.seed = 1, .points = 3, .most = 50};
  bool help, any_order = false;
  int backend = 0;
  const ArgRow rows[] = {
      {"backend", 0, ARG_CHOICE, &backend,
       "c|multicore|gpu-host|opencl|cuda|interp: what is compiled; default: c"},
      {"entry-point", 'e', ARG_TEXT, &job.entry,
       "which function (default: main, or the only entry point)"},
      {"interp", 0, ARG_FLAG, &job.interp_only, "do not compile"},
      {"strategies", 0, ARG_FLAG, &job.strategies, "compare every strategy of derivatives, too"},
      {"compiled", 0, ARG_FLAG, &job.compiled_only, "compare compiled code only"},
      {"points", 'n', ARG_COUNT, &job.points, "how many random points (3)"},
      {"seed", 's', ARG_INT, &job.seed, "of random data and directions (1)"},
      {"elements", 0, ARG_COUNT, &job.most, "about how many elements of each input (50)"},
      {"tolerance", 0, ARG_REAL, &job.tolerance, "relative, of differences (1e-4 for f64)"},
      args_any_order(s->arena, &any_order), args_messages(s),
      {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  bool named = files.len > 1 && (strchr(files.at[1], '=') || data_format(files.at[1]) == DATA_NPZ);
  if (files.len < 1 || (files.len > 2 && !named) || job.points < 1) return usage_error("gradcheck");
  s->target = backend_target(backend, any_order);
  job.interp_only = job.interp_only || backend == BACKEND_INTERP;
  job.path = files.at[0];
  job.data = files.len == 2 && !named ? files.at[1] : NULL;
  for (int i = 1; named && i < files.len; i++) list_push(s->arena, &job.inputs.words, files.at[i]);
  session_select(s, job.entry);
  job.dir = temporary_dir(s->arena);
  if (!job.dir) {
    fprintf(stderr, "dagaz: no temporary directory: %s\n", strerror(errno));
    return STATUS_IO;
  }
  Status status = session_run(s, work, &job);
  if (status == STATUS_OK && job.status == 0) outcome_print(&job);
  temporary_remove(job.dir);
  session_free(s);
  return status ? (int)status : job.status;
}
