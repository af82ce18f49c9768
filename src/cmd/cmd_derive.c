// dagaz derive: the derivative of an entry point as source text.
#include "ad/common/ad.h"
#include "bulk/bulk.h"
#include "cmd.h"
#include <string.h>

typedef struct {
  const char *path, *entry;
  DeriveMode mode;
  bool bulk;
} DeriveJob;

static void header(Text *out, const DeriveJob *job) {
  static const char *const what[] = {
      "The program itself, with its derivatives written out.",
      "Forward mode.  Parameters: inputs, then a tangent for each of floating point.\n"
      "-- Results: outputs, then their tangents.",
      "Reverse mode.  Parameters: inputs, then a seed for each output of floating point.\n"
      "-- Results: outputs, then the gradients of the inputs of floating point."};
  text_printf(out, "-- Made by `dagaz derive` from entry point %s of %s.\n-- %s\n", job->entry,
              job->path, what[job->mode]);
}

static Prog *derivative_of(Session *s, Prog *prog, const char *entry, DeriveMode mode) {
  DeriveObstacle obstacle;
  Arena *arena = arena_new();
  list_push(s->arena, &s->programs, arena);
  prog = derive_entry(arena, derive_sizes(arena, prog), entry, mode, &obstacle);
  if (!prog) {
    diag_error(s->diag, obstacle.at, "cannot derive \"%s\": %s", entry, obstacle.why);
    session_stop_on_errors(s);
  }
  return prog;
}

const char *derivative_print(Session *s, Text *out, const char *path, const char *entry,
                             DeriveMode mode) {
  Prog *prog = session_core(s, path);
  entry = entry_chosen(prog, entry);
  prog = derivative_of(s, prog, entry, mode);
  source_print(out, pipeline_source(s, pipeline_differentiate(s, prog)), s->diag);
  return entry;
}

// ---- as formulas over whole arrays
static void bulk_header(const DeriveJob *job) {
  static const char *const what[] = {
      "The program itself", "Its forward derivative: inputs, then tangents; results, then theirs",
      "Its reverse derivative: inputs, then a seed for each result; results, then adjoints"};
  printf("# Made by `dagaz derive --bulk` from entry point %s of %s.\n"
         "# %s, over whole arrays.\n",
         job->entry, job->path, what[job->mode]);
}

static _Noreturn void bulk_stop(Session *s, const DeriveJob *job, const BulkRefusal *why) {
  diag_error(s->diag, why->loc ? loc_user_span(why->loc) : (Span){0},
             "no formulas over whole arrays for \"%s\": %s", job->entry, why->text);
  session_stop_on_errors(s);
  stop_now(STATUS_USER_ERROR);
}

static void work_bulk(Session *s, DeriveJob *job) {
  Prog *prog = session_core(s, job->path);
  job->entry = entry_chosen(prog, job->entry);
  check(session_without(s, "fuse-maps"));  // arrays keep the user's names
  prog = pipeline_bulk(s, derivative_of(s, prog, job->entry, job->mode));
  const Fn *fn = NULL;
  for (int i = 0; i < prog->fns.len; i++)
    if (prog->fns.at[i]->entry) fn = prog->fns.at[i];
  check(fn);
  BulkRefusal why = {0};
  Text text = {0};
  if (!bulk_formulas(&text, prog, fn, s->strict_ieee, &why)) bulk_stop(s, job, &why);
  bulk_header(job);
  fputs(text.at, stdout);
  text_free(&text);
}

static void work(Session *s, void *state) {
  DeriveJob *job = state;
  Text head = {0}, text = {0};
  if (job->bulk) {
    work_bulk(s, job);
    return;
  }
  job->entry = derivative_print(s, &text, job->path, job->entry, job->mode);
  header(&head, job);
  printf("%s%s", head.at, text.at);
  text_free(&head);
  text_free(&text);
}

int cmd_derive(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  DeriveJob job = {0};
  bool jvp = false, vjp = false, expand = false, help;
  const ArgRow rows[] = {
      {"entry-point", 'e', ARG_TEXT, &job.entry,
       "which function (default: main, or the only entry point)"},
      {"vjp", 0, ARG_FLAG, &vjp, "the reverse-mode derivative (the default)"},
      {"jvp", 0, ARG_FLAG, &jvp, "the forward-mode derivative"},
      {"expand", 0, ARG_FLAG, &expand, "the entry point itself, derivatives in it written out"},
      {"bulk", 0, ARG_FLAG, &job.bulk,
       "as formulas over whole arrays, in the notation of NumPy (doc/bulk.md)"},
      {"no-guards", 0, ARG_FLAG, &s->strict_ieee,
       "plain products: shorter, and NaN where zero meets infinity or NaN"},
      {"strict-ieee", 0, ARG_FLAG, &s->strict_ieee, "the same"},
      args_strategy(&s->switches.strategy),
      args_messages(s),
      {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (files.len != 1 || jvp + vjp + expand > 1) return usage_error("derive");
  job.path = files.at[0];
  job.mode = jvp ? DERIVE_JVP : expand ? DERIVE_EXPAND : DERIVE_VJP;
  s->verify = true;
  if (job.bulk && !s->switches.strategy) s->switches.strategy = STRATEGY_DUAL;
  session_select(s, job.entry);
  Status status = session_run(s, work, &job);
  session_free(s);
  return status;
}
