// dagaz cc: derivatives of C functions through core, compiled.
#include "c_args.h"
#include "cc_check.h"
#include <errno.h>
#include <unistd.h>

typedef struct {
  Words files, heads, lengths, sizes;
  Words sources;  // files but for rules: they are compiled, too
  CFlags flags;
  CLowerOptions lower;
  CWrapOptions wrap;
  CDeriveMode mode;
  int stage, convention;
  const char *out, *range;
  bool object, c_only, to_stdout, unchecked, check, disagree;
  BackTexts texts;
} CcJob;
enum { STAGE_NONE, STAGE_CORE, STAGE_DERIVATIVE };

static void print_core(Session *s, const Prog *prog) {
  Text text = {0};
  Rewrite w = {0};
  core_print(&text, rewrite_prog(prog, s->arena, &w));  // variables numbered anew
  fputs(text.at ? text.at : "", stdout);
  text_free(&text);
}

static const char *mode_tail(const CcJob *job) {
  static const char *const tails[] = {[CDERIVE_VALUE] = "value", [CDERIVE_GRAD] = "grad",
                                      [CDERIVE_JVP] = "jvp", [CDERIVE_VJP] = "vjp",
                                      [CDERIVE_JAC] = "jac", [CDERIVE_HVP] = "hvp"};
  if (job->wrap.tapenade) return job->mode == CDERIVE_JVP ? "d" : "b";
  return tails[job->mode];
}

// OUT and the suffix.
static void save(const Session *s, const char *out, const char *suffix, const Text *parts, int n) {
  Text whole = {0};
  for (int i = 0; i < n; i++) text_write(&whole, parts[i].at ? parts[i].at : "", parts[i].len);
  args_c_save(s->arena, arena_printf(s->arena, "%s%s", out, suffix), whole.at, whole.len);
  text_free(&whole);
}

static void emit(Session *s, CcJob *job, Prog *prog, const char *after) {
  BackOptions options = {.mode = BACK_RAW, .name = job->out, .after = after};
  prog = pipeline_optimise(s, pipeline_differentiate(s, prog));
  Arena *arena = arena_beside(s->arena);
  ImpProg *imp = pipeline_imp(s, prog, arena);
  s->pass = "back";
  back_c(imp, &options, &job->texts);
  arena_free(arena);
  s->pass = NULL;
}

static const char *folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : "";
}

static void files_make(Session *s, CcJob *job) {
  const Text c[] = {job->texts.runtime, job->texts.program};
  if (job->to_stdout) {
    for (int i = 0; i < 2; i++) fputs(c[i].at, stdout);
    return;
  }
  if (job->c_only) save(s, job->out, ".c", c, 2);
  save(s, job->out, ".h", &job->texts.h, 1);
  if (!job->wrap.tapenade) save(s, job->out, ".hpp", &job->texts.hpp, 1);
  if (job->c_only) return;
  BuildNote note = {0};
  const char *folder = folder_of(s->arena, job->out), *base = job->wrap.base;
  const char *path = job->object ? arena_printf(s->arena, "%s.o", job->out)
                                 : arena_printf(s->arena, "%slib%s.so", folder, base);
  if (!toolchain_build(&job->texts, path, job->object ? OUTPUT_OBJECT : OUTPUT_SHARED, &note))
    stop_now(STATUS_IO);
}

static CDerived *derive(Session *s, CcJob *job, CProgram *p, const CHead *head) {
  CFunction *f = args_c_function(s, p, head->function);
  CDerived *d = NEW(s->arena, CDerived);
  d->mode = job->mode;
  d->name = arena_printf(s->arena, "%s_%s", f->name, mode_tail(job));
  s->pass = "clower";
  d->low = clower_function(p, f, &job->lower);
  if (s->verify) core_verify(d->low->prog, "clower");
  if (job->stage != STAGE_CORE) clower_derive(p, d, head);
  s->pass = NULL;
  return d;
}

// ---- source transformation instead --------------------------------------------------------------
// One message: the construct that core has no place for, and what is made.
static void refusal_tell(Session *s, const CcJob *job, const Diag *why, const char *made) {
  const DiagEntry *e = why->entries.len ? &why->entries.at[0] : NULL;
  if (!e) return;
  diag_warn(s->diag, e->span, "[%s] %s", e->code ? e->code : "c-unsupported", e->message);
  if (job->check) {
    diag_hint(s->diag, "source transformation alone is checked");
    return;
  }
  diag_hint(s->diag, "source transformation is used instead: `%s`, with the parameters that "
            "`dagaz %s` gives it", made, made[strlen(made) - 1] == 'd' ? "tangent" : "adjoint");
}

static void transformed_compile(Session *s, CcJob *job, const char *source) {
  const char *words[100], *folder = folder_of(s->arena, job->out);
  int n = 0;
  if (job->object) words[n++] = "-c";
  else words[n++] = "-shared";
  words[n++] = "-fPIC";
  words[n++] = "-o";
  words[n++] = job->object ? arena_printf(s->arena, "%s.o", job->out)
                           : arena_printf(s->arena, "%slib%s.so", folder, job->wrap.base);
  for (int i = 0; i < job->flags.len && n < 60; i++) words[n++] = job->flags.at[i];
  words[n++] = source;
  for (int i = 0; !job->object && i < job->sources.len && n < 95; i++)
    words[n++] = job->sources.at[i];
  if (!job->object) words[n++] = "-lm";
  words[n] = NULL;
  if (!compiler_wait(compiler_start(FLAGS_PORTABLE, words, false))) stop_now(STATUS_IO);
}

// OUT_b.c, OUT_b.h; OUT may end so already.
static const char *without_tail(Arena *arena, const char *out, const char *tail) {
  size_t n = strlen(out), m = strlen(tail);
  return n > m && strcmp(out + n - m, tail) == 0 ? arena_strndup(arena, out, n - m) : out;
}

// why: the messages of core, which has no place for something in the function.
static void transform(Session *s, CcJob *job, CProgram *p, const CHead *head, const Diag *why) {
  bool forward = job->mode == CDERIVE_JVP;
  const char *tail = forward ? "_d" : "_b", *function = head->function;
  const char *base = without_tail(s->arena, job->out ? job->out : function, tail);
  const char *slash = strrchr(base, '/');
  CHeads heads = {0};
  list_push(s->arena, &heads, *head);
  CDiffOptions options = {.mode = forward ? CDIFF_TANGENT : CDIFF_ADJOINT, .heads = heads,
                          .lengths = job->lower.lengths, .base = slash ? slash + 1 : base};
  CDiffResult r = cdiff_program(p, &options);
  session_stop_on_errors(s);
  refusal_tell(s, job, why, arena_printf(s->arena, "%s%s", function, tail));
  job->out = arena_printf(s->arena, "%s%s", base, tail);
  job->wrap.base = arena_printf(s->arena, "%s%s", options.base, tail);
  Text header = {0}, source = {0}, tape = {0};
  text_puts(&header, r.header), text_puts(&source, r.source), text_puts(&tape, cdiff_tape_header);
  save(s, job->out, ".c", &source, 1);
  save(s, job->out, ".h", &header, 1);
  if (r.tape) save(s, folder_of(s->arena, base), "dagaz_tape.h", &tape, 1);
  text_free(&header), text_free(&source), text_free(&tape);
  if (!job->c_only) transformed_compile(s, job, arena_printf(s->arena, "%s.c", job->out));
}

// ---- all ----------------------------------------------------------------------------------------
// NULL: core has no place for something in the function, of which `why` tells.
static CDerived *derive_or_not(Session *s, CcJob *job, CProgram *p, const CHead *head, Diag *why) {
  CProgram trial = *p;
  trial.diag = why;
  CDerived *d = NULL;
  Stop stop;
  if (stop_arm(&stop)) {
    d = derive(s, job, &trial, head);
    stop_pop(&stop);
    return d;
  }
  s->pass = NULL;
  bool can = job->mode == CDERIVE_GRAD || job->mode == CDERIVE_VJP || job->mode == CDERIVE_JVP;
  if (stop.status == STATUS_UNSUPPORTED && can && job->stage == STAGE_NONE && !job->to_stdout) {
    cprogram_forget(p);
    return NULL;
  }
  for (int i = 0; i < why->entries.len; i++)
    list_push(s->diag->arena, &s->diag->entries, why->entries.at[i]);
  s->diag->errors += why->errors;
  stop_now(stop.status);
}

// d NULL: source transformation only.
static void derivatives_check(Session *s, CcJob *job, CProgram *p, const CDerived *d,
                              const CHead *head) {
  CcCheck check = {.p = p, .head = *head, .derived = d, .texts = &job->texts, .flags = job->flags,
                   .lengths = job->lower.lengths, .files = job->sources, .sizes = job->sizes,
                   .range = job->range};
  job->disagree |= !cc_check(s, &check);
}

static void texts_make(Session *s, CcJob *job, CProgram *p, CDerived *d) {
  if (!job->out) job->out = d->name;
  const char *slash = strrchr(job->out, '/');
  job->wrap.base = slash ? slash + 1 : job->out;
  Text after = {0};
  clower_wrapper(&after, p, d, &job->wrap);
  clower_header(&job->texts.h, p, d, &job->wrap);
  if (!job->wrap.tapenade) clower_header_cpp(&job->texts.hpp, d, &job->wrap);
  emit(s, job, d->low->prog, after.at);
  text_free(&after);
}

static void one_function(Session *s, CcJob *job, CProgram *p, const CHead *head) {
  args_c_function(s, p, head->function);
  Diag *why = diag_new(s->arena);
  CDerived *d = derive_or_not(s, job, p, head, why);
  if (!d && !job->check) {
    transform(s, job, p, head, why);
    return;
  }
  if (!d) refusal_tell(s, job, why, head->function);
  if (d && job->stage != STAGE_NONE) {
    print_core(s, d->low->prog);
    return;
  }
  if (d) texts_make(s, job, p, d);
  if (job->check) derivatives_check(s, job, p, d, head);
  else files_make(s, job);
}

// Each function has files of its name.
static void work(Session *s, void *state) {
  CcJob *job = state;
  CUnits units = args_c_units(s, &job->files, &job->flags);
  CHeads heads = args_c_heads(s, &job->heads, &units);
  CProgram *p = args_c_program(s, units);
  const char *out = job->out;
  for (int i = 0; i < heads.len; i++) {
    back_texts_free(&job->texts);
    job->texts = (BackTexts){0};
    job->out = out;
    one_function(s, job, p, &heads.at[i]);
  }
}

// --check makes no files, of derivatives with the plain convention.
static bool check_fits(const CcJob *job) {
  const char *why = NULL;
  if (!job->check && (job->sizes.len || job->range))
    why = "--check-size and --check-range are options of --check";
  if (!job->check) return why ? fprintf(stderr, "dagaz cc: %s\n", why), false : true;
  if (job->mode == CDERIVE_VALUE)
    why = "--check compares derivatives: say --grad, --jvp, --vjp, --jac or --hvp";
  if (job->convention) why = "--check calls functions of the convention plain";
  if (job->out || job->object || job->c_only || job->to_stdout || job->stage != STAGE_NONE)
    why = "--check makes no files: leave out -o, -c, --c-only, --stdout and --stage";
  return why ? fprintf(stderr, "dagaz cc: %s\n", why), false : true;
}

static bool outputs_fit(const CcJob *job) {
  if (job->heads.len == 1 || (!job->out && !job->to_stdout)) return true;
  fprintf(stderr, "dagaz cc: -o and --stdout are for one function: say -e once\n");
  return false;
}

int cmd_cc(int argc, char **argv) {
  Session *s = session_new();
  CcJob job = {.mode = CDERIVE_VALUE};
  CArgs c_args = {0};
  bool modes[CDERIVE_HVP + 1] = {false}, help;
  const ArgRow rows[] = {
      {"grad", 0, ARG_FLAG, &modes[CDERIVE_GRAD], "the gradient of one number"},
      {"jvp", 0, ARG_FLAG, &modes[CDERIVE_JVP], "the derivative along a direction"},
      {"vjp", 0, ARG_FLAG, &modes[CDERIVE_VJP], "the product of a seed and the Jacobian"},
      {"jac", 0, ARG_FLAG, &modes[CDERIVE_JAC], "the Jacobian, by rows"},
      {"hvp", 0, ARG_FLAG, &modes[CDERIVE_HVP], "gradient, and Hessian times a direction"},
      {"value", 0, ARG_FLAG, &modes[CDERIVE_VALUE], "the function itself, compiled through core"},
      {"entry", 'e', ARG_REPEAT, &job.heads,
       "the function: NAME, or \"f(outputs)/(inputs)\"; several have files each"},
      {NULL, 'o', ARG_TEXT, &job.out, "name of the files; default: NAME_grad and such"},
      {NULL, 'c', ARG_FLAG, &job.object, "an object file instead of a shared library"},
      {"c-only", 0, ARG_FLAG, &job.c_only, "write OUT.c, do not run the C compiler"},
      {"stdout", 0, ARG_FLAG, &job.to_stdout, "print the C"},
      {"convention", 0, ARG_CHOICE, &job.convention,
       "plain|tapenade: tapenade: f_b, f_d with the parameters of `dagaz adjoint` and `tangent`"},
      {"length", 0, ARG_REPEAT, &job.lengths, "the length of an array: \"x[n*d]\""},
      {"check", 0, ARG_FLAG, &job.check,
       "compare with source transformation and with differences, make no files; 1: they disagree"},
      {"check-size", 0, ARG_REPEAT, &job.sizes,
       "integers of the check, \"n=7 d=2\"; default: 3"},
      {"check-range", 0, ARG_TEXT, &job.range,
       "LOW:HIGH: floating-point arguments of the check; default: -1:1, then 0.5:1.5"},
      {"unchecked", 0, ARG_FLAG, &job.lower.unchecked, "indices are not tested"},
      {"stage", 0, ARG_CHOICE, &job.stage,
       "none|core|derivative: print the function, or its derivative, as core, and stop"},
      args_rules(&c_args),
      args_preprocessor(s, &c_args),
      args_messages(s),
      {"verbose", 'v', ARG_FLAG, &s->time, "print the time of every pass"},
      {"verify", 0, ARG_FLAG, &s->verify, "verify the program after every pass"},
      {0}};
  if (!args_parse(s->arena, rows, argc, argv, &job.files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  int asked = 0;
  for (int m = 0; m <= CDERIVE_HVP; m++)
    if (modes[m]) job.mode = (CDeriveMode)m, asked++;
  bool none = !asked && job.stage != STAGE_CORE;
  if (job.files.len == 0 || job.heads.len == 0 || none) return usage_error("cc");
  if (asked > 1) {
    fprintf(stderr, "dagaz cc: one of --grad, --jvp, --vjp, --jac, --hvp and --value in a run\n");
    return STATUS_IO;
  }
  job.out = args_c_base(s->arena, job.out, "");
  if (!check_fits(&job) || !outputs_fit(&job)) return STATUS_IO;
  job.wrap.tapenade = job.convention && (job.mode == CDERIVE_VJP || job.mode == CDERIVE_JVP);
  s->keep = s->verify;
  for (int i = 0; i < job.lengths.len; i++)
    list_push(s->arena, &job.lower.lengths, job.lengths.at[i]);
  for (int i = 0; i < job.files.len; i++) list_push(s->arena, &job.sources, job.files.at[i]);
  args_c_rules(s->arena, &c_args, &job.files);
  job.flags = args_c_flags(s->arena, &c_args);
  Status status = session_run(s, work, &job);
  back_texts_free(&job.texts);
  session_free(s);
  return status == STATUS_OK && job.disagree ? STATUS_IO : status;
}
