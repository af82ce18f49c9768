// Testing one program: what its test block says, by the compiled program or the interpreter.
#include "tester.h"
#include "property.h"
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

// One program under test: its block, and its compiled or elaborated form.
typedef struct {
  Tester *tester;
  Session *session;
  const char *path, *dir;  // dir: temporary, holds the executable
  TestBlock *block;
  ScriptCases scripts;
  const Prog *prog;        // interpreted, or what `auto output` is compared with
  Session *reference;      // of that
  const char *messages;    // of the compiler
} Subject;

static void pass(Subject *t) { t->tester->passed++; }

static void fail(Subject *t, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void fail(Subject *t, const char *where, const char *fmt, ...) {
  t->tester->failed++;
  printf("FAILED %s%s%s: ", t->path, where[0] ? " " : "", where);
  va_list args;
  va_start(args, fmt);
  vprintf(fmt, args);
  va_end(args);
  printf("\n");
}

static bool regex_fits(const char *pattern, const char *text) {
  regex_t regex;
  if (!*pattern) return true;
  if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0) return false;
  bool fits = regexec(&regex, text, 0, NULL, 0) == 0;
  regfree(&regex);
  return fits;
}

enum { INTERP_STEPS = 200 * 1000 * 1000 };

// ---- running one case --------------------------------------------------------------------------

typedef struct {
  bool ok, opaque;
  Values outputs;
  const char *error;
} Outcome;

static Outcome outcome_of_text(Arena *arena, const char *bytes, size_t len) {
  Outcome o = {0};
  if (len >= 4 && memcmp(bytes, "DZO1", 4) == 0)
    return (Outcome){.error = "A result of this type cannot be compared with values."};
  o.ok = values_read(arena, bytes, len, NULL, 0, &o.outputs, &o.error);
  return o;
}

// The driver of a device compiles the kernels when a program runs.
static int case_seconds(const Subject *t) {
  return t->session->target.kind >= TARGET_OPENCL ? 600 : 60;
}

// Without expected output the results may be opaque: they are not printed.
static ProcessResult program_run(Subject *t, const TestCase *c, const CaseInput *in,
                                 const char *threads) {
  Arena *arena = t->session->arena;
  const char *print = c->output == OUTPUT_ANY || c->output == OUTPUT_ERROR ? "-n" : "-b";
  const char *tuning = tuning_beside(arena, t->path);
  const char *argv[9] = {arena_printf(arena, "%s/program", t->dir), "-e", in->fn, print};
  int n = 4;
  if (threads) argv[n++] = "--num-threads", argv[n++] = threads;
  if (tuning) argv[n++] = "--tuning", argv[n++] = tuning;
  return process_run(arena, argv, in->input, in->len, case_seconds(t));
}

// The same to the bit for the other numbers of threads; NULL, or which one differs.
static const char *threads_differ(Subject *t, const TestCase *c, const CaseInput *in,
                                  const ProcessResult *first) {
  const Words *threads = &t->tester->threads;
  for (int i = 1; i < threads->len; i++) {
    ProcessResult r = program_run(t, c, in, threads->at[i]);
    bool same = r.status == first->status && r.out_len == first->out_len &&
                memcmp(r.out, first->out, r.out_len) == 0 && strcmp(r.error, first->error) == 0;
    if (!same) return threads->at[i];
  }
  return NULL;
}

static Outcome compiled_run(Subject *t, const TestCase *c, const CaseInput *in) {
  Arena *arena = t->session->arena;
  const Words *threads = &t->tester->threads;
  ProcessResult r = program_run(t, c, in, threads->len ? threads->at[0] : NULL);
  const char *other = threads_differ(t, c, in, &r);
  if (other)
    return (Outcome){.error = arena_printf(arena, "other results with %s threads than with %s",
                                           other, threads->at[0])};
  if (r.status == 0) return outcome_of_text(arena, r.out, r.out_len);
  if (r.status >= 128)
    return (Outcome){.error = arena_printf(arena, "died of signal %d", r.status - 128)};
  return (Outcome){.error = r.error};
}

static Outcome interpreted_run(Subject *t, const CaseInput *in, int64_t steps) {
  Arena *arena = t->session->arena;
  const Fn *fn = interp_entry_fn(t->prog, in->fn);
  if (!fn) return (Outcome){.error = "no such entry point"};
  ValueTypes types = {0};
  int opaque;
  Outcome o = {0};
  Values inputs = {0};
  if (!interp_entry_inputs(arena, fn, &types, &opaque)) return (Outcome){.error = "opaque input"};
  if (!values_read(arena, in->input, in->len, types.at, types.len, &inputs, &o.error)) return o;
  InterpOptions options = {.step_limit = steps};
  EntryResult r = interp_entry(arena, t->prog, in->fn, inputs, &options);
  const char *error = r.ok ? NULL : arena_printf(arena, "Error: %s", r.error);
  return (Outcome){r.ok, r.opaque, r.outputs, error};
}

static void outputs_check(Subject *t, const char *where, const Outcome *o, const Values *want) {
  if (o->outputs.len != want->len) {
    fail(t, where, "%d results, expected %d", o->outputs.len, want->len);
    return;
  }
  for (int i = 0; i < want->len; i++) {
    const char *differs =
        value_differs(t->session->arena, &o->outputs.at[i], &want->at[i], t->tester->tolerance);
    if (!differs) continue;
    fail(t, where, "result %d: %s", i, differs);
    return;
  }
  pass(t);
}

static void file_check(Subject *t, const char *where, const TestCase *c, const Outcome *o) {
  Arena *arena = t->session->arena;
  const char *text = c->out_text, *error;
  size_t len = strlen(text);
  if (c->output == OUTPUT_FILE)
    text = file_values(arena, file_beside(arena, t->path, text), &len, &error);
  Values want = {0};
  if (!text) fail(t, where, "expected output: %s", error);
  else if (!values_read(arena, text, len, NULL, 0, &want, &error))
    fail(t, where, "expected output: %s", error);
  else outputs_check(t, where, o, &want);
}

static void program_elaborate(Session *s, void *state) {
  Subject *t = state;
  t->prog = pipeline_differentiate(s, session_elaborate(s, t->path));
}

// The program for the interpreter; t->prog stays NULL when there is none.
static void reference_prepare(Subject *t) {
  if (t->tester->interp || t->reference) return;
  Session *s = t->reference = session_new();
  s->text = t->session->text;
  s->text_len = t->session->text_len;
  s->entries = t->session->entries;
  s->only = t->session->only;
  s->diag->no_warnings = true;
  session_run(s, program_elaborate, t);
}

// `auto output`: the interpreter's result, when it comes to one in REFERENCE_STEPS.
enum { REFERENCE_STEPS = 2 * 1000 * 1000 };
static void auto_check(Subject *t, const char *where, const CaseInput *in, const Outcome *o) {
  reference_prepare(t);
  Outcome want = {0};
  if (!t->tester->interp && t->prog) want = interpreted_run(t, in, REFERENCE_STEPS);
  if (want.ok) outputs_check(t, where, o, &want.outputs);
  else pass(t);
}

static void error_check(Subject *t, const char *where, const TestCase *c, const Outcome *o) {
  if (o->ok) fail(t, where, "succeeded, but should fail with: %s", c->out_text);
  else if (!regex_fits(c->out_text, o->error)) fail(t, where, "failed with: %s", o->error);
  else pass(t);
}

static void outcome_check(Subject *t, const TestCase *c, const char *where, const CaseInput *in,
                          const Outcome *o) {
  bool unseen = o->opaque && c->output == OUTPUT_ANY;
  if (c->output != OUTPUT_ERROR && !o->ok && !unseen) {
    fail(t, where, "%s", o->error);
    return;
  }
  switch (c->output) {
    case OUTPUT_ANY: pass(t); break;
    case OUTPUT_AUTO: auto_check(t, where, in, o); break;
    case OUTPUT_ERROR: error_check(t, where, c, o); break;
    case OUTPUT_VALUES:
    case OUTPUT_FILE: file_check(t, where, c, o); break;
  }
}

// Excluded from this way of running: compiled data sets, notest, no_c, no_interp.
static bool case_is_wanted(const Tester *tester, const NameList *tags) {
  const char *mine = tester->interp ? "no_interp" : "no_c";
  bool excluded = tester->exclude && test_has_tag(tags, tester->exclude);
  return !excluded && !test_has_tag(tags, "notest") && !test_has_tag(tags, mine) &&
         !(tester->interp && test_has_tag(tags, "compiled"));
}

static void case_run(Subject *t, const char *entry, const TestCase *c) {
  Arena *arena = t->session->arena;
  const char *where = arena_printf(arena, "%s %s", entry, c->name ? c->name : "");
  if (!case_is_wanted(t->tester, &c->tags)) {
    t->tester->skipped++;
    return;
  }
  CaseInput in = case_is_script(c) ? script_input(&t->scripts, c, entry)
                                   : case_input(arena, t->path, c);
  if (!in.fn) in.fn = entry;
  if (in.problem) {
    fail(t, where, "%s", in.problem);
    return;
  }
  Outcome o = t->tester->interp ? interpreted_run(t, &in, INTERP_STEPS) : compiled_run(t, c, &in);
  outcome_check(t, c, where, &in, &o);
}

// ---- properties --------------------------------------------------------------------------------

static bool property_interpret(void *state, Arena *arena, const Fn *fn, const Values *in,
                               Values *out, const char **error) {
  Subject *t = state;
  InterpOptions options = {.step_limit = INTERP_STEPS};
  EntryResult r = interp_leaves(arena, t->prog, fn->entry->name, *in, &options);
  *out = r.outputs;
  if (!r.ok) *error = arena_printf(arena, "Error: %s", r.error);
  return r.ok;
}

static bool property_execute(void *state, Arena *arena, const Fn *fn, const Values *in,
                             Values *out, const char **error) {
  Subject *t = state;
  const char *program = arena_printf(arena, "%s/program", t->dir);
  const char *argv[] = {program, "-e", fn->entry->name, "-b", NULL};
  Text text = {0};
  const Value *leaves = in->at;
  for (int i = 0; i < fn->entry->params.len; i++)
    leaves_write(&text, arena, fn->entry->params.at[i].type, &leaves);
  ProcessResult r = process_run(arena, argv, text.at ? text.at : "", text.len, case_seconds(t));
  text_free(&text);
  if (r.status == 0 && leaves_read(arena, fn->entry->result.type, r.out, r.out_len, out))
    return true;
  size_t prefix = strlen(program);
  bool own = strncmp(r.error, program, prefix) == 0;  // "PROGRAM: Error: .."
  *error = r.status >= 128 ? arena_printf(arena, "died of signal %d", r.status - 128)
           : own           ? r.error + prefix + strspn(r.error + prefix, ": ")
                           : r.error;
  return false;
}

static const SourceFile *subject_parse(Subject *t) {
  Session *s = t->session;
  size_t len = s->text_len;
  const char *text = s->text ? s->text : file_read(s->arena, t->path, &len);
  const Source *src = source_new(s->arena, t->path, text ? text : "", text ? len : 0);
  return syntax_parse(s->arena, s->names, src, diag_new(s->arena));
}

static void properties_run(Subject *t) {
  const NameList *names = &t->block->properties;
  if (!names->len) return;
  reference_prepare(t);
  PropertyJob job = {.arena = t->session->arena, .prog = t->prog, .file = subject_parse(t),
                     .seed = t->tester->seed, .state = t};
  job.call = t->tester->interp ? property_interpret : property_execute;
  for (int i = 0; i < names->len; i++) {
    const char *name = names->at[i], *failure = "the program cannot be elaborated";
    if (t->tester->entry && strcmp(t->tester->entry, name) != 0) continue;
    if (t->prog) failure = property_test(&job, name);
    if (failure) fail(t, arena_printf(job.arena, "property %s", name), "%s", failure);
    else pass(t);
  }
}

// ---- one program -------------------------------------------------------------------------------

static void program_check_only(Session *s, void *state) {
  session_check(s, ((Subject *)state)->path);
}

static Status subject_prepare(Subject *t) {
  Session *s = t->session;
  if (t->block->error || t->tester->check_only) return session_run(s, program_check_only, t);
  if (t->tester->interp) return session_run(s, program_elaborate, t);
  s->target = t->tester->target;
  BuildJob job = {
      .session = s, .path = t->path, .out = arena_printf(s->arena, "%s/program", t->dir)};
  return build_program(&job);
}

static void rejection_check(Subject *t, Status status) {
  if (status == STATUS_OK) fail(t, "", "was accepted, but should be rejected: %s", t->block->error);
  else if (status != STATUS_USER_ERROR) fail(t, "", "status %d: %s", status, t->messages);
  else if (!regex_fits(t->block->error, t->messages)) fail(t, "", "rejected with: %s", t->messages);
  else pass(t);
}

static void warnings_check(Subject *t) {
  for (int i = 0; i < t->block->warnings.len; i++) {
    const char *pattern = t->block->warnings.at[i];
    if (regex_fits(pattern, t->messages)) pass(t);
    else fail(t, "", "the compiler's messages do not match '%s':\n%s", pattern, t->messages);
  }
}

static void group_run(Subject *t, const TestGroup *group) {
  const char *only = t->tester->entry;
  for (int e = 0; e < group->entries.len; e++)
    for (int c = 0; c < group->cases.len; c++)
      if (!only || strcmp(only, group->entries.at[e]) == 0)
        case_run(t, group->entries.at[e], &group->cases.at[c]);
}

// A program without cases passes by compiling.
static void cases_run(Subject *t) {
  const Tester *tester = t->tester;
  int before = tester->passed + tester->failed + tester->skipped;
  warnings_check(t);
  bool runs = !tester->check_only && !tester->compile_only;
  for (int g = 0; runs && g < t->block->groups.len; g++) group_run(t, &t->block->groups.at[g]);
  if (runs) properties_run(t);
  if (tester->passed + tester->failed + tester->skipped == before) pass(t);
}

static bool block_is_wanted(const Subject *t) {
  return t->block->present && !t->block->disabled && case_is_wanted(t->tester, &t->block->tags);
}

static Status subject_load(Subject *t, bool *wanted) {
  Status status = block_load(t->session, t->path, &t->block);
  *wanted = status != STATUS_OK || block_is_wanted(t);
  if (status != STATUS_OK || !*wanted) return status;
  t->scripts = scripts_add(t->session, t->path, t->block);
  t->session->entries = block_entries(t->session->arena, t->block);
  // Warnings are of the whole file; properties call what their attributes name.
  const char *entry = t->tester->entry;
  bool alone = t->block->warnings.len == 0 && t->block->properties.len == 0;
  if (entry && alone) cases_select(t->session, &t->scripts, entry);
  return subject_prepare(t);
}

static void subject_test(Subject *t) {
  char *messages = NULL;
  size_t len = 0;
  bool wanted;
  t->session->messages = open_memstream(&messages, &len);
  Status status = subject_load(t, &wanted);
  fflush(t->session->messages);
  t->messages = messages;
  if (!wanted) t->tester->skipped += t->block->present;
  else if (t->block && t->block->error) rejection_check(t, status);
  else if (status != STATUS_OK) fail(t, "", "does not compile (status %d):\n%s", status, messages);
  else cases_run(t);
  fclose(t->session->messages);
  free(messages);
}

void program_test(Tester *tester, const char *path) {
  Subject t = {.tester = tester, .session = session_new(), .path = path};
  bool compiles = !tester->interp && !tester->check_only;
  t.dir = compiles ? temporary_dir(t.session->arena) : NULL;
  t.session->verify = tester->verify;
  t.session->switches.strategy = tester->strategy;
  subject_test(&t);
  if (t.dir) temporary_remove(t.dir);
  if (t.reference) session_free(t.reference);
  session_free(t.session);
}
