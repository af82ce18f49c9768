// dagaz test: what the test blocks of programs say, by compiled programs or the interpreter.
#include "cmd.h"
#include "../interp/interp.h"
#include "cases.h"
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  bool interp, verbose;
  double tolerance;
  int passed, failed, skipped;
} Tester;

// One program under test: its block, and its compiled or elaborated form.
typedef struct {
  Tester *tester;
  Session *session;
  const char *path, *dir;  // dir: temporary, holds the executable
  TestBlock *block;
  const Prog *prog;      // interpreted
  const char *messages;  // of the compiler
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

// ---- running one case
// --------------------------------------------------------------------------------

typedef struct {
  bool ok;
  Values outputs;
  const char *error;
} Outcome;

static Outcome outcome_of_text(Arena *arena, const char *bytes, size_t len) {
  Outcome o = {0};
  o.ok = values_read(arena, bytes, len, NULL, 0, &o.outputs, &o.error);
  return o;
}

static Outcome compiled_run(Subject *t, const char *entry, const char *input, size_t len) {
  Arena *arena = t->session->arena;
  const char *argv[] = {arena_printf(arena, "%s/program", t->dir), "-e", entry, "-b", NULL};
  ProcessResult r = process_run(arena, argv, input, len, 60);
  if (r.status == 0) return outcome_of_text(arena, r.out, r.out_len);
  if (r.status >= 128)
    return (Outcome){.error = arena_printf(arena, "died of signal %d", r.status - 128)};
  return (Outcome){.error = r.error};
}

static Outcome interpreted_run(Subject *t, const char *entry, const char *input, size_t len) {
  Arena *arena = t->session->arena;
  const Fn *fn = interp_entry_fn(t->prog, entry);
  if (!fn) return (Outcome){.error = "no such entry point"};
  ValueTypes types = {0};
  int opaque;
  Outcome o = {0};
  Values inputs = {0};
  if (!interp_entry_inputs(arena, fn, &types, &opaque)) return (Outcome){.error = "opaque input"};
  if (!values_read(arena, input, len, types.at, types.len, &inputs, &o.error)) return o;
  InterpOptions options = {.step_limit = 200 * 1000 * 1000};
  EntryResult r = interp_entry(arena, t->prog, entry, inputs, &options);
  const char *error = r.ok ? NULL : arena_printf(arena, "Error: %s", r.error);
  return (Outcome){r.ok, r.outputs, error};
}

static void outputs_judge(Subject *t, const char *where, const Outcome *o, const Values *want) {
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

static void outcome_judge(Subject *t, const TestCase *c, const char *where, const Outcome *o) {
  Arena *arena = t->session->arena;
  if (c->output == OUTPUT_ERROR) {
    if (o->ok) fail(t, where, "succeeded, but should fail with: %s", c->out_text);
    else if (!regex_fits(c->out_text, o->error)) fail(t, where, "failed with: %s", o->error);
    else pass(t);
    return;
  }
  if (!o->ok) {
    fail(t, where, "%s", o->error);
    return;
  }
  if (c->output == OUTPUT_ANY || c->output == OUTPUT_AUTO) {
    pass(t);
    return;
  }
  const char *text = c->out_text, *error;
  size_t len = strlen(text);
  if (c->output == OUTPUT_FILE) text = file_read(arena, file_beside(arena, t->path, text), &len);
  Values want = {0};
  if (!text) fail(t, where, "expected output: %s", strerror(errno));
  else if (!values_read(arena, text, len, NULL, 0, &want, &error))
    fail(t, where, "expected output: %s", error);
  else outputs_judge(t, where, o, &want);
}

static void case_run(Subject *t, const char *entry, const TestCase *c) {
  const char *where = arena_printf(t->session->arena, "%s %s", entry, c->name ? c->name : "");
  if (c->input == INPUT_SCRIPT || c->input == INPUT_SCRIPT_FILE) {
    t->tester->skipped++;
    return;
  }
  size_t len = 0;
  const char *input = case_input(t->session->arena, t->path, c, &len);
  if (!input) {
    fail(t, where, "input file: %s", strerror(errno));
    return;
  }
  Outcome o = t->tester->interp ? interpreted_run(t, entry, input, len)
                                : compiled_run(t, entry, input, len);
  outcome_judge(t, c, where, &o);
}

// ---- one program
// ---------------------------------------------------------------------------------------

static void program_check_only(Session *s, void *state) {
  session_check(s, ((Subject *)state)->path);
}

static void program_elaborate(Session *s, void *state) {
  Subject *t = state;
  t->prog = pipeline_differentiate(s, session_elaborate(s, t->path));
}

static Status subject_prepare(Subject *t) {
  Session *s = t->session;
  if (t->block->error) return session_run(s, program_check_only, t);
  if (t->tester->interp) return session_run(s, program_elaborate, t);
  BuildJob job = {
      .session = s, .path = t->path, .out = arena_printf(s->arena, "%s/program", t->dir)};
  return build_program(&job);
}

static void rejection_judge(Subject *t, Status status) {
  if (status == STATUS_OK) fail(t, "", "was accepted, but should be rejected: %s", t->block->error);
  else if (status != STATUS_USER_ERROR) fail(t, "", "status %d: %s", status, t->messages);
  else if (!regex_fits(t->block->error, t->messages)) fail(t, "", "rejected with: %s", t->messages);
  else pass(t);
}

static void cases_run(Subject *t) {
  int cases = 0;
  for (int g = 0; g < t->block->groups.len; g++) {
    const TestGroup *group = &t->block->groups.at[g];
    for (int e = 0; e < group->entries.len; e++)
      for (int c = 0; c < group->cases.len; c++, cases++)
        case_run(t, group->entries.at[e], &group->cases.at[c]);
  }
  if (cases == 0) pass(t);
}

static void subject_test(Subject *t) {
  char *messages = NULL;
  size_t len = 0;
  t->session->messages = open_memstream(&messages, &len);
  Status status = block_load(t->session, t->path, &t->block);
  bool wanted = status != STATUS_OK || (t->block->present && !t->block->disabled);
  if (status == STATUS_OK && wanted) {
    t->session->entries = block_entries(t->session->arena, t->block);
    status = subject_prepare(t);
  }
  fflush(t->session->messages);
  t->messages = messages;
  if (wanted && t->block && t->block->error) rejection_judge(t, status);
  else if (status != STATUS_OK) fail(t, "", "does not compile (status %d):\n%s", status, messages);
  else if (wanted) cases_run(t);
  fclose(t->session->messages);
  free(messages);
}

static void program_test(Tester *tester, const char *path) {
  Subject t = {.tester = tester, .session = session_new(), .path = path};
  t.dir = tester->interp ? NULL : temporary_dir(t.session->arena);
  t.session->verify = true;
  if (tester->verbose) printf("%s\n", path);
  subject_test(&t);
  if (t.dir) temporary_remove(t.dir);
  session_free(t.session);
  fflush(stdout);
}

int cmd_test(int argc, char **argv) {
  Arena *arena = arena_new();
  Words files = {0};
  Tester tester = {.tolerance = 0.002};
  const char *backend = "c", *tolerance = NULL;
  bool help;
  const ArgRow rows[] = {{"interp", 'i', ARG_FLAG, &tester.interp, "interpret; do not compile"},
                         {"backend", 0, ARG_TEXT, &backend, "c (default) or interp"},
                         {"tolerance", 0, ARG_TEXT, &tolerance, "of floats (0.002)"},
                         {"verbose", 'v', ARG_FLAG, &tester.verbose, "name every program"},
                         {0}};
  int status = STATUS_IO;
  if (args_parse(arena, rows, argc, argv, &files, &help) && !help) {
    if (strcmp(backend, "interp") == 0) tester.interp = true;
    if (tolerance) tester.tolerance = atof(tolerance);
    Words programs = programs_below(arena, &files);
    for (int i = 0; i < programs.len; i++) program_test(&tester, programs.at[i]);
    printf("%d passed, %d failed%s", tester.passed, tester.failed, tester.skipped ? ", " : "\n");
    if (tester.skipped) printf("%d skipped\n", tester.skipped);
    status = tester.failed || !tester.passed;
  } else if (help) {
    status = STATUS_OK;
  }
  arena_free(arena);
  return status;
}
