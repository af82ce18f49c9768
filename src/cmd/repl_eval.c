// Evaluating what was typed: checked with everything before it, run by the interpreter.
#include "repl.h"
#include "interp/interp.h"
#include <string.h>

static const char it[] = "dagaz_it";

// ---- one evaluation -----------------------------------------------------------------------------

static SType *it_type(const CheckedProgram *program) {
  const DecList *decs = &program->root->syntax->decs;
  const Dec *last = decs->at[decs->len - 1];
  return stype_find(last->val.fun.type);
}

typedef struct {
  const Evaluation *e;
  SType *type;
  bool ok;
} EvalJob;

// Positions are those of the inputs; the expression is the last.
static void text_put(Session *s, const Evaluation *e) {
  s->diag->parts = e->parts;
  s->text = e->text;
  if (e->mode == EVAL_TYPE || e->mode == EVAL_VALUE) {
    const char *last = e->it ? arena_printf(s->arena, "def it = %s\n", e->it) : "";
    const char *before = arena_printf(s->arena, "%s%sdef %s =\n", e->text, last, it);
    DiagPart part = {(uint32_t)strlen(before), ""};
    s->diag->parts = (DiagParts){0};
    for (int i = 0; i < e->parts.len; i++) list_push(s->arena, &s->diag->parts, e->parts.at[i]);
    list_push(s->arena, &s->diag->parts, part);
    s->text = arena_printf(s->arena, "%s%s\n", before, e->exp);
  }
  s->text_len = strlen(s->text);
  s->diag->split_code = s->text;
}

// The expression alone first: an error in it should not be about what was put around it.
static void exp_parse(Session *s, const Evaluation *e) {
  if (e->mode == EVAL_CHECK) return;
  syntax_parse_exp(s->arena, s->names, source_new(s->arena, "", e->exp, strlen(e->exp)),
                   s->diag);
  session_stop_on_errors(s);
}

static void type_show(SType *type) {
  Text text = {0};
  stype_print(&text, type);
  printf(": %s\n", text.at);
  text_free(&text);
}

static void check_work(Session *s, void *state) {
  EvalJob *job = state;
  exp_parse(s, job->e);
  text_put(s, job->e);
  CheckedProgram *program = session_check(s, job->e->path);
  if (job->e->mode != EVAL_CHECK) job->type = it_type(program);
  job->ok = true;
}

static void value_work(Session *s, void *state) {
  EvalJob *job = state;
  session_select(s, it);
  text_put(s, job->e);
  Prog *prog = pipeline_differentiate(s, session_elaborate(s, job->e->path));
  const Fn *fn = interp_entry_fn(prog, it);
  check(fn);
  InterpOptions options = {.trace = true};
  InterpResult r = interp_call(s->arena, prog, fn->name, (IValues){0}, &options);
  job->ok = r.ok;
  if (!r.ok) {
    fprintf(s->messages, "Error: %s\n", r.message);
    return;
  }
  Text text = {0};
  const AbiType *type = fn->entry->result.type;
  Value *leaves = NEW_ARRAY(s->arena, Value, type->leaves + 1);
  for (int i = 0; i < type->leaves; i++)
    leaves[i] = value_of(s->arena, r.results.at[fn->entry->sizes + i]);
  abi_print(&text, s->arena, type, leaves);
  printf("%s\n", text.at);
  text_free(&text);
}

// Functions of sizes or types that an entry point may not have are said to have none.
static void derive_work(Session *s, void *state) {
  EvalJob *job = state;
  session_select(s, job->e->exp);
  text_put(s, job->e);
  Text text = {0};
  derivative_print(s, &text, job->e->path, job->e->exp,
                   job->e->forward ? DERIVE_JVP : DERIVE_VJP);
  fputs(text.at, stdout);
  text_free(&text);
  job->ok = true;
}

static bool derive(const Evaluation *e) {
  EvalJob job = {.e = e};
  Session *s = session_new();
  s->messages = e->errors ? stderr : stdout;
  s->diag->no_warnings = true;
  session_run(s, derive_work, &job);
  return job.ok;
}

bool evaluation_run(const Evaluation *e) {
  if (e->mode == EVAL_DERIVE) return derive(e);
  EvalJob job = {.e = e};
  Session *s = session_new();
  s->messages = e->errors ? stderr : stdout;
  s->diag->no_warnings = true;
  session_run(s, check_work, &job);
  bool value = job.ok && e->mode == EVAL_VALUE && !stype_is_functional(job.type);
  if (job.ok && e->mode != EVAL_CHECK && !value) type_show(job.type);
  if (!value) return job.ok;
  s = session_new();
  s->messages = e->errors ? stderr : stdout;
  s->diag->no_warnings = true;
  job.ok = false;
  session_run(s, value_work, &job);
  return job.ok;
}
