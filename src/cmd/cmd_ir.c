// dagaz ir: the core IR of a source file or of a file of core text, after chosen passes; or the
// imperative program that it becomes.  Of a C function: what clower makes of it.
#include "c_args.h"
#include "clower/clower.h"
#include "back/back.h"
#include "bulk/bulk.h"
#include <string.h>

typedef struct {
  const char *path, *passes;
  Words entries, lengths;  // of a C file
  CArgs c_args;
  bool optimise, imp;
  int stage;    // of dual arrays: 0 none, else a BulkStage and 1
  int kernels;  // their text: 0 none, else a Dialect and 1
} IrJob;

// A program on its way: core, or imperative where imp is there.
typedef struct {
  Session *s;
  Prog *core;
  ImpProg *imp;
} IrState;

static bool ends_with(const char *s, const char *end) {
  size_t a = strlen(s), b = strlen(end);
  return a >= b && strcmp(s + a - b, end) == 0;
}

static void refuse(Session *s, const char *pass, const char *why) {
  diag_error(s->diag, (Span){0}, "%s '%s'%s", why, pass, "; `dagaz ir --passes` lists them");
  session_stop_on_errors(s);
}

// The imperative program of a core program without operators.
static void lower(IrState *state) {
  Prog *core = pass_run(state->s, pass_named("ad-done"), state->core);
  state->imp = session_lower(state->s, core, state->s->arena);
}

static void pass_apply(IrState *state, const char *name) {
  const Pass *pass = pass_named(name);
  if (!pass) refuse(state->s, name, "no pass");
  if (pass->imp && !state->imp)
    refuse(state->s, name, "the imperative program is made by the pass 'lower', before");
  if (!pass->imp && state->imp) refuse(state->s, name, "the program is imperative before");
  if (pass->imp) imp_pass_run(state->s, pass, state->imp);
  else if (pass->run) state->core = pass_run(state->s, pass, state->core);
  else lower(state);
}

static void passes_apply(IrState *state, const char *list) {
  char *names = arena_strdup(state->s->arena, list), *rest = NULL;
  for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
    pass_apply(state, name);
}

static bool stops_at_imp(const Session *s) {
  return s->stop_after && (pass_named(s->stop_after)->to == LEVEL_IMP);
}

// The entry points, each as a function to differentiate by dual arrays.
static void stages_show(Session *s, Prog *prog, BulkStage stage) {
  prog = pipeline_bulk(s, prog);
  Text text = {0};
  for (int i = 0; i < prog->fns.len; i++) {
    BulkRefusal why = {0};
    const Fn *fn = prog->fns.at[i];
    if (!fn->entry || bulk_stage_print(&text, prog, fn, stage, &why)) continue;
    diag_error(s->diag, why.loc ? why.loc->span : (Span){0}, "no program of whole arrays: %s",
               why.text);
  }
  fputs(text.at ? text.at : "", stdout);
  text_free(&text);
  session_stop_on_errors(s);
}

// A function of a C file; for passes an entry point calls it.
static Prog *c_core(Session *s, const IrJob *job) {
  Words files = {0};
  list_push(s->arena, &files, job->path);
  args_c_rules(s->arena, &job->c_args, &files);
  CFlags flags = args_c_flags(s->arena, &job->c_args);
  CUnits units = args_c_units(s, &files, &flags);
  CHeads heads = args_c_heads(s, &job->entries, &units);
  CProgram *p = args_c_program(s, units);
  const CFunction *f = args_c_function(s, p, heads.at[0].function);
  CLowerOptions options = {0};
  for (int i = 0; i < job->lengths.len; i++)
    list_push(s->arena, &options.lengths, job->lengths.at[i]);
  CDerived d = {.mode = CDERIVE_VALUE, .name = arena_printf(s->arena, "%s_value", f->name)};
  d.low = clower_function(p, f, &options);
  if (job->passes || job->optimise || job->imp) clower_derive(p, &d, &heads.at[0]);
  Rewrite w = {0};
  return rewrite_prog(d.low->prog, s->arena, &w);  // variables numbered anew
}

static Prog *core_of(Session *s, const IrJob *job) {
  return ends_with(job->path, ".c") ? c_core(s, job) : session_core(s, job->path);
}

static void work(Session *s, void *state) {
  const IrJob *job = state;
  bool is_imp = ends_with(job->path, ".imp");
  IrState now = {s, is_imp ? NULL : core_of(s, job),
                 is_imp ? session_parse_imp(s, job->path) : NULL};
  if (is_imp && job->optimise) refuse(s, "--optimise", "the program is imperative before");
  if (job->stage) {
    if (is_imp) refuse(s, "--stage", "the program is imperative before");
    stages_show(s, now.core, (BulkStage)(job->stage - 1));
    return;
  }
  if (job->passes) passes_apply(&now, job->passes);
  if (job->optimise) now.core = pipeline_optimise(s, pipeline_differentiate(s, now.core));
  if ((job->imp || stops_at_imp(s)) && !now.imp) {
    Prog *core = pass_run(s, pass_named("ad-done"), now.core);
    now.imp = pipeline_imp(s, core, s->arena);
  }
  Text text = {0};
  if (job->kernels) back_kernels(&text, now.imp, (Dialect)(job->kernels - 1));
  else if (now.imp) imp_print(&text, now.imp);
  else core_print(&text, now.core);
  fputs(text.at ? text.at : "", stdout);
  text_free(&text);
}

static int passes_list(void) {
  for (const Pass *pass = passes; pass->name; pass++) printf("%-17s %s\n", pass->name, pass->help);
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
  bool any_order = false;
  bool list = false, optional = false, help;
  const ArgRow rows[] = {
      {"passes", 0, ARG_FLAG, &list, "list the passes"},
      {"optional", 0, ARG_FLAG, &optional, "list what --without leaves out"},
      args_without(&without),
      {"pass", 'p', ARG_TEXT, &job.passes, "apply these passes, separated by commas"},
      {"optimise", 'O', ARG_FLAG, &job.optimise, "apply the whole pipeline up to the back end"},
      {"imp", 0, ARG_FLAG, &job.imp, "show loops, loads and stores, as the C text has them"},
      {"target", 0, ARG_CHOICE, &target,
       "c|multicore|gpu-host|opencl|cuda: what the program is made for"},
      {"kernels", 0, ARG_CHOICE, &job.kernels,
       "none|opencl|cuda: after the whole pipeline, show the text of the kernels"},
      {"stage", 0, ARG_CHOICE, &job.stage,
       "none|bulk|delta|transposed: entry points as dual arrays differentiate them (doc/bulk.md)"},
      {"entry", 'e', ARG_REPEAT, &job.entries, "of a C file: the function"},
      {"length", 0, ARG_REPEAT, &job.lengths, "of a C file: the length of an array, \"x[n*d]\""},
      args_rules(&job.c_args),
      args_preprocessor(s, &job.c_args),
      {"recompute", 0, ARG_FLAG, &s->recompute,
       "derivatives compute again what they could keep"},
      {"memory-limit", 0, ARG_COUNT, &s->memory_limit, "as `dagaz c` with this option"},
      {"print-after", 0, ARG_TEXT, &s->print_after, "show the program after this pass, or `all`"},
      {"stop-after", 0, ARG_TEXT, &s->stop_after, "apply nothing after this pass"},
      args_strategy(&s->switches.strategy),
      args_finite_math(&s->finite_math), args_any_order(s->arena, &any_order),
      args_messages(s),
      {"time", 0, ARG_FLAG, &s->time, "print the time of every pass"},
      {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (list) return passes_list();
  if (optional) return without_list();
  if (!session_leaves_out(s, "ir", without)) return STATUS_IO;
  if (!session_passes_known(s)) {
    fprintf(stderr, "dagaz ir: `dagaz ir --passes` lists what --print-after and "
                    "--stop-after take\n");
    return STATUS_IO;
  }
  if (files.len != 1) return usage_error("ir");
  if (ends_with(files.at[0], ".c") ? job.entries.len != 1 : job.entries.len + job.lengths.len > 0)
    return usage_error("ir");
  if (job.kernels) {
    job.optimise = job.imp = true;
    target = BACKEND_OPENCL;
  }
  s->target = backend_target(target, any_order);
  job.path = files.at[0];
  Status status = session_run(s, work, &job);
  session_free(s);
  return status;
}
