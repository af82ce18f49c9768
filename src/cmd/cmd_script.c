// dagaz script: expressions over the functions of a program.
#include "evaluate.h"
#include <errno.h>

typedef struct {
  Arena *arena;
  ScriptContext context;
  bool binary, verbose;
} ScriptRun;

// ---- $store "FILE" EXP
// The expression without it; *file: NULL without one.
static const char *store_split(Arena *arena, const char *exp, const char **file) {
  *file = NULL;
  exp += strspn(exp, " \t\r\n");
  if (strncmp(exp, "$store", 6) != 0) return exp;
  const char *quote = exp + 6 + strspn(exp + 6, " \t\r\n");
  const char *end = *quote == '"' ? strchr(quote + 1, '"') : NULL;
  if (!end) fail_io("$store wants the name of a file and a value, as in $store \"x.bin\" (f 1)");
  *file = arena_strndup(arena, quote + 1, (size_t)(end - quote - 1));
  return end + 1;
}

static void value_store(const ScriptResult *r, const char *file) {
  if (r->leaves.len != 1) fail_io("$store stores one array or scalar");
  Text text = {0};
  value_write_binary(&text, &r->leaves.at[0]);
  bool ok = file_replace(file, text.at, text.len, DURABLE);
  int failed = errno;
  text_free(&text);
  if (!ok) fail_io("cannot write '%s': %s", file, strerror(failed));
}

// ---- printing
static void result_print(const ScriptRun *run, const ScriptResult *r) {
  bool plain = r->type->kind == ABI_SCALAR || r->type->kind == ABI_ARRAY;
  if (run->binary && !plain) fail_io("only an array or a scalar has a binary form");
  Text text = {0};
  if (run->binary) value_write_binary(&text, &r->leaves.at[0]);
  else abi_print(&text, run->arena, r->type, r->leaves.at), text_putc(&text, '\n');
  fwrite(text.at, 1, text.len, stdout);
  text_free(&text);
}

static Status exp_run(const ScriptRun *run, const char *exp, bool print) {
  const char *file;
  ScriptResult r;
  exp = store_split(run->arena, exp, &file);
  if (run->verbose) fprintf(stderr, "%s\n", exp);
  Status status = script_evaluate(&run->context, exp, &r);
  if (status == STATUS_OK && file) value_store(&r, file);
  else if (status == STATUS_OK && print) result_print(run, &r);
  session_free(r.session);
  return status;
}

static Status exps_run(const ScriptRun *run, const Words *exps) {
  Status status = STATUS_OK;
  for (int i = 0; i < exps->len && status == STATUS_OK; i++)
    status = exp_run(run, exps->at[i], i + 1 == exps->len);
  return status;
}

static Words exps_collect(Arena *arena, const Words *files, const Words *exps, const Words *words) {
  Words all = {0};
  for (int i = 0; i < files->len; i++) {
    const char *text = file_read(arena, files->at[i], NULL);
    if (!text) fail_io("cannot read '%s': %s", files->at[i], strerror(errno));
    list_push(arena, &all, text);
  }
  for (int i = 0; i < exps->len; i++) list_push(arena, &all, exps->at[i]);
  for (int i = 1; i < words->len; i++) list_push(arena, &all, words->at[i]);
  return all;
}

int cmd_script(int argc, char **argv) {
  ScriptRun run = {.arena = arena_new()};
  Words words = {0}, files = {0}, exps = {0};
  const char *backend = "c";
  bool help;
  const ArgRow rows[] = {
      {"expression", 'e', ARG_REPEAT, &exps, "evaluate this expression (after those of -f)"},
      {"file", 'f', ARG_REPEAT, &files, "evaluate the expression in this file"},
      {"binary", 'b', ARG_FLAG, &run.binary, "print a binary value"},
      {"interp", 0, ARG_FLAG, &run.context.interp, "interpret; do not compile"},
      {"verbose", 'v', ARG_FLAG, &run.verbose, "print expressions as they are evaluated"},
      {"backend", 0, ARG_TEXT, &backend, "c"},
      {0}};
  int status = STATUS_IO;
  if (args_parse(run.arena, rows, argc, argv, &words, &help) && !help) {
    bool any = words.len > 1 || files.len || exps.len;
    if (!any || words.len > 2 || !words.len) {
      status = usage_error("script");
    } else {
      run.context.path = words.at[0];
      run.context.text = file_read(run.arena, words.at[0], NULL);
      if (!run.context.text) fail_io("cannot read '%s': %s", words.at[0], strerror(errno));
      Words all = exps_collect(run.arena, &files, &exps, &words);
      status = exps_run(&run, &all);
    }
  } else if (help) {
    status = STATUS_OK;
  }
  arena_free(run.arena);
  return status;
}
