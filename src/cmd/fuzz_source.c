// dagaz fuzz: a program printed as source text (derive/) must compile again to the same results.
#include "fuzz.h"
#include <string.h>

typedef struct {
  Prog *prog;
  const char *entry;
  IValues args;      // of the core function, sizes included
  Text *text;
  double tolerance;
  EntryResult result;
} SourceJob;

static void text_run(Session *s, void *state) {
  SourceJob *job = state;
  source_print(job->text, pipeline_source(s, job->prog), s->diag);
  s->text = job->text->at;
  s->text_len = job->text->len;
  Prog *again = pipeline_differentiate(s, session_elaborate(s, "derived.fut"));
  Values inputs = {0};
  for (int i = prog_fn(job->prog, job->entry)->entry->size_params; i < job->args.len; i++)
    list_push(s->arena, &inputs, value_of(s->arena, job->args.at[i]));
  InterpOptions options = {.step_limit = FUZZ_STEP_LIMIT};
  job->result = interp_entry(s->arena, again, job->entry, inputs, &options);
}

// Messages of the inner session are kept, to be shown when they say what went wrong.
static char *captured(FILE *messages, Arena *arena) {
  long n = ftell(messages);
  char *text = arena_alloc(arena, (size_t)n + 1);
  rewind(messages);
  text[fread(text, 1, (size_t)n, messages)] = 0;
  return text;
}

static const char *decided(Session *outer, const SourceJob *job, Status status, FILE *messages,
                          IValues want) {
  if (status == STATUS_UNSUPPORTED) return NULL;
  if (status != STATUS_OK)
    return arena_printf(outer->arena, "as source text: status %d: %s\n%s", (int)status,
                        captured(messages, outer->arena), job->text->at ? job->text->at : "");
  const EntryResult *r = &job->result;
  if (!r->ok && strstr(r->message, "Step limit")) return NULL;
  if (!r->ok)
    return arena_printf(outer->arena, "as source text: %s\n%s", r->message, job->text->at);
  IValues got = {0};
  for (int i = 0; i < r->outputs.len; i++)
    list_push(outer->arena, &got, ivalue_of(&r->outputs.at[i]));
  const char *differs = fuzz_values_within(outer, "as source text", got, want, job->tolerance);
  for (int i = 0; i < got.len; i++) ivalue_release(got.at[i]);
  return differs ? arena_printf(outer->arena, "%s\n%s", differs, job->text->at) : NULL;
}

const char *fuzz_source(Session *outer, const Prog *prog, const char *entry, IValues args,
                        IValues want, double tolerance) {
  Rewrite w = {.stm = NULL};
  Session *s = session_new();
  Text text = {0};
  SourceJob job = {.prog = rewrite_prog(prog, arena_new(), &w), .entry = entry, .args = args,
                   .text = &text, .tolerance = tolerance};
  list_push(s->arena, &s->programs, job.prog->arena);
  FILE *messages = tmpfile();
  if (!messages) fail_io("cannot make a temporary file");
  s->messages = messages;
  s->verify = s->diag->no_warnings = s->diag->quiet = true;
  Status status = session_run(s, text_run, &job);
  const char *differs = decided(outer, &job, status, messages, want);
  fclose(messages);
  text_free(&text);
  session_free(s);
  return differs;
}
