// An expression becomes an entry point after the end of the program, as scripts of test blocks do.
// Where its value consists of scalars and arrays the program is compiled and run in a process of
// its own; records and sums have no external form, so the interpreter evaluates those.
#include "evaluate.h"
#include "cases.h"
#include <errno.h>

static const char entry[] = "dagaz_script";
enum { SCRIPT_SECONDS = 3600 };

typedef struct {
  const ScriptContext *context;
  const char *exp;
  ScriptResult *out;
  ScriptText script;
  bool done;            // by the interpreter
  const char *problem;
} ScriptJob;

// ---- the program's text
static int arity(const SourceFile *file, const char *name) {
  for (int i = 0; i < file->decs.len; i++) {
    const Dec *dec = file->decs.at[i];
    if (dec->tag == DEC_VAL && strcmp(dec->val.fun.name, name) == 0) return dec->val.fun.params.len;
  }
  return 0;
}

// f e, where f has n > 1 parameters, is f with the components of e.
static const char *uncurried(Session *s, const char *text, const Expr *e, const char *exp) {
  if (e->tag != EXP_APPLY || e->apply.args.len != 1 || e->apply.fn->tag != EXP_VAR) return exp;
  ExprTag arg = e->apply.args.at[0]->tag;
  if (arg == EXP_INT || arg == EXP_FLOAT || arg == EXP_ARRAY) return exp;
  const Source *src = source_new(s->arena, "program", text, strlen(text));
  const SourceFile *file = syntax_parse(s->arena, s->names, src, diag_new(s->arena));
  const NameList *parts = &e->apply.fn->var.name.parts;
  int n = parts->len == 1 ? arity(file, parts->at[0]) : 0;
  if (n < 2) return exp;
  Text names = {0}, args = {0};
  for (int i = 0; i < n; i++) {
    text_printf(&names, "%sdagaz_%d", i ? ", " : "", i);
    text_printf(&args, " dagaz_%d", i);
  }
  Span span = e->apply.args.at[0]->span;
  const char *whole = arena_printf(s->arena, "let (%s) = %.*s in %s%s", names.at,
                                   (int)(span.to - span.from), span.src->text + span.from,
                                   parts->at[0], args.at);
  text_free(&names), text_free(&args);
  return whole;
}

static void text_set(Session *s, ScriptJob *job) {
  const char *exp = job->script.exp.at ? job->script.exp.at : "";
  Expr *e = syntax_parse_exp(s->arena, s->names, source_new(s->arena, "script", exp, strlen(exp)),
                             s->diag);
  session_stop_on_errors(s);
  s->text = arena_printf(s->arena, "%s\nentry %s%s =\n%s\n", job->context->text, entry,
                         job->script.params.at ? job->script.params.at : "",
                         uncurried(s, job->context->text, e, exp));
  s->text_len = strlen(s->text);
}

// ---- running
static bool is_external(const AbiType *t) {
  if (t->kind == ABI_SCALAR || t->kind == ABI_ARRAY) return true;
  for (int i = 0; t->is_tuple && i < t->fields.len; i++)
    if (!is_external(t->fields.at[i])) return false;
  return t->kind == ABI_RECORD && t->is_tuple;
}

static void interpret(Session *s, ScriptJob *job, Prog *prog) {
  prog = pipeline_differentiate(s, prog);
  job->done = true;
  const Fn *fn = interp_entry_fn(prog, entry);
  ValueTypes types = {0};
  Values inputs = {0};
  int opaque;
  const char *error;
  bool read = interp_entry_inputs(s->arena, fn, &types, &opaque) &&
              values_read(s->arena, job->script.input.at ? job->script.input.at : "",
                          job->script.input.len, types.at, types.len, &inputs, &error);
  check(read);
  InterpOptions options = {.trace = true};
  EntryResult r = interp_leaves(s->arena, prog, entry, inputs, &options);
  if (!r.ok) job->problem = r.message;
  job->out->leaves = r.outputs;
  job->out->type = fn->entry->result.type;
}

static void type_work(Session *s, void *state) {
  ScriptJob *job = state;
  text_set(s, job);
  Prog *prog = session_elaborate(s, job->context->path);
  const Fn *fn = interp_entry_fn(prog, entry);
  check(fn);
  job->out->type = fn->entry->result.type;
  if (fn->entry->params.len != job->script.loads)
    job->problem = "the value is a function: it lacks arguments";
  else if (job->context->interp || !toolchain_present() || !is_external(job->out->type))
    interpret(s, job, prog);
}

static Status program_run(Session *s, ScriptJob *job, const char *dir) {
  const char *program = arena_printf(s->arena, "%s/program", dir), *error;
  BuildJob build = {.session = s, .path = job->context->path, .out = program};
  Status status = build_program(&build);
  if (status != STATUS_OK) return status;
  const char *argv[] = {program, "-e", entry, "-b", NULL};
  Arena *arena = job->out->session->arena;
  ProcessResult r = process_run(arena, argv, job->script.input.at ? job->script.input.at : "",
                                job->script.input.len, SCRIPT_SECONDS);
  size_t name = strlen(program);  // the message begins with it
  bool named = strncmp(r.error, program, name) == 0 && r.error[name] == ':';
  fputs(named ? r.error + name + 2 : r.error, stderr);
  if (r.status != 0) return STATUS_IO;
  if (values_read(arena, r.out, r.out_len, NULL, 0, &job->out->leaves, &error)) return STATUS_OK;
  job->problem = error;
  return STATUS_IO;
}

static Status compiled(ScriptJob *job, const char *text) {
  Session *s = session_new();
  s->text = text;
  s->text_len = strlen(text);
  s->diag->no_warnings = true;
  const char *dir = temporary_dir(s->arena);
  if (!dir) fail_io("cannot make a temporary folder: %s", strerror(errno));
  Status status = program_run(s, job, dir);
  temporary_remove(dir);
  session_free(s);
  return status;
}

Status script_evaluate(const ScriptContext *c, const char *exp, ScriptResult *out) {
  Session *s = session_new();
  s->diag->no_warnings = true;
  *out = (ScriptResult){.session = s};
  ScriptJob job = {.context = c, .exp = exp, .out = out};
  job.script = script_expand(s->arena, c->path, exp);
  job.problem = job.script.problem;
  Status status = job.problem ? STATUS_IO : session_run(s, type_work, &job);
  if (status == STATUS_OK && !job.problem && !job.done) status = compiled(&job, s->text);
  if (job.problem) {
    fprintf(stderr, "Error: %s\n", job.problem);
    status = STATUS_IO;
  }
  text_free(&job.script.exp), text_free(&job.script.params), text_free(&job.script.input);
  return status;
}
