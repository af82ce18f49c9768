// dagaz ir: the core IR of a source file or of a file of core text, after chosen passes.
#include "cmd.h"
#include "back/back.h"
#include <string.h>

typedef struct {
  const char *path, *passes;
  bool optimise, imp;
} IrJob;

static bool ends_with(const char *s, const char *end) {
  size_t a = strlen(s), b = strlen(end);
  return a >= b && strcmp(s + a - b, end) == 0;
}

static Prog *passes_apply(Session *s, Prog *prog, const char *list) {
  char *names = arena_strdup(s->arena, list), *rest = NULL;
  for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
    const Pass *pass = pass_named(name);
    if (!pass) {
      diag_error(s->diag, (Span){0}, "no pass '%s'; `dagaz ir --passes` lists them", name);
      session_stop_on_errors(s);
    }
    prog = pass_run(s, pass, prog);
  }
  return prog;
}

Prog *core_load(Session *s, const char *path) {
  return ends_with(path, ".ir") ? session_parse_core(s, path) : session_elaborate(s, path);
}

static void work(Session *s, void *state) {
  const IrJob *job = state;
  Prog *prog = core_load(s, job->path);
  if (job->passes) prog = passes_apply(s, prog, job->passes);
  if (job->optimise) prog = pipeline_optimise(s, pipeline_differentiate(s, prog));
  Text text = {0};
  if (job->imp)
    imp_print(&text, back_imp(pass_run(s, pass_named("ad-done"), prog), s->arena, false));
  else core_print(&text, prog);
  fputs(text.at ? text.at : "", stdout);
  text_free(&text);
}

static int passes_list(void) {
  for (const Pass *pass = passes; pass->name; pass++) printf("%-12s %s\n", pass->name, pass->help);
  return STATUS_OK;
}

static int without_list(void) {
  for (int i = 0; without_row(i).name; i++) {
    const WithoutRow row = without_row(i);
    printf("%-18s %s", row.name, row.help);
    if (row.former) printf(" (formerly %s)", row.former);
    printf("\n");
  }
  return STATUS_OK;
}

int cmd_ir(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  IrJob job = {0};
  s->verify = s->keep = true;
  const char *without = NULL;
  int target = 0;
  bool list = false, optional = false, help;
  const ArgRow rows[] = {
      {"passes", 0, ARG_FLAG, &list, "list the passes"},
      {"optional", 0, ARG_FLAG, &optional, "list what --without leaves out"},
      {"without", 0, ARG_TEXT, &without, "leave out these optimisations, separated by commas"},
      {"pass", 'p', ARG_TEXT, &job.passes, "apply these passes, separated by commas"},
      {"optimise", 'O', ARG_FLAG, &job.optimise, "apply the whole pipeline up to the back end"},
      {"imp", 0, ARG_FLAG, &job.imp, "show loops, loads and stores, as the C text has them"},
      {"target", 0, ARG_CHOICE, &target, "c|multicore: what the program is made for"},
      {"recompute", 0, ARG_FLAG, &s->recompute,
       "derivatives compute again what they could keep"},
      {"memory-limit", 0, ARG_COUNT, &s->memory_limit, "as `dagaz c` with this option"},
      {"print-after", 0, ARG_TEXT, &s->print_after, "show the program after this pass, or `all`"},
      {"stop-after", 0, ARG_TEXT, &s->stop_after, "apply nothing after this pass"},
      args_strategy(&s->switches.strategy),
      args_messages(s),
      {"time", 0, ARG_FLAG, &s->time, "print the time of every pass"},
      {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (list) return passes_list();
  if (optional) return without_list();
  if (without && !session_without(s, without)) {
    fprintf(stderr, "dagaz ir: `dagaz ir --optional` lists what --without can leave out\n");
    return STATUS_IO;
  }
  if (files.len != 1) return usage_error("ir");
  s->target = backend_target(target);
  job.path = files.at[0];
  Status status = session_run(s, work, &job);
  session_free(s);
  return status;
}
