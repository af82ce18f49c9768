// dagaz explain: per derivative, work and tape bytes as formulas of the sizes, what is stored and
// what recomputed and why, which updates need atomics in parallel.  For all cores: which of the
// outermost loops run on them, and why not.  For a device: the launches of its kernels, too.
#include "cmd.h"
#include <string.h>

typedef struct {
  const char *path, *entry;
  bool json;
} ExplainJob;

static void loc_put(Text *out, const Loc *loc) {
  if (loc && loc->span.src) span_print(out, loc->span);
  else text_puts(out, "here");
}

// The kind of a note is shown where it changes.
static void notes_put(Text *out, const Explained *x) {
  static const char *const kinds[] = {"stored", "recomputed", "accumulated", "eliminated",
                                      "chosen", "sequential", "assumed"};
  for (int k = 0; k < 7; k++) {
    int n = 0;
    for (int i = 0; i < x->notes.len; i++) {
      const Note *note = &x->notes.at[i];
      if (strcmp(note->kind, kinds[k]) != 0) continue;
      text_printf(out, "  %-12s", n++ ? "" : kinds[k]);
      if (note->loc) loc_put(out, note->loc);
      text_printf(out, "%s%s\n", note->loc ? ": " : "", note->text);
    }
    if (n == 0 && k < 3) text_printf(out, "  %-12snothing\n", kinds[k]);
  }
}

static const char again[] =
    ",\n              at most one more for each of r times that iterations are executed again, "
    "where"
    "\n              C(s + r, s) >= trips of the loop that holds s states\n";

// One line for each strategy, and the one of the least work.
static void strategies_put(Text *out, const Explained *x) {
  const StrategyCost *least = NULL;
  for (int i = 0; i < x->strategies.len; i++) {
    const StrategyCost *c = &x->strategies.at[i];
    text_printf(out, "  %-12s%s: ", i ? "" : "strategies", c->name);
    if (!c->work) text_printf(out, "refuses %s\n", c->why);
    else text_printf(out, "%s operations, %s bytes of tapes, %s bytes in all, span %s\n", c->work,
                     c->tapes, c->memory, c->span);
    if (c->work && (!least || c->at_hundred < least->at_hundred)) least = c;
  }
  if (least) text_printf(out, "  %-12s%s, where sizes are 100\n", "least", least->name);
}

static const char overwritten[] = ", and those on elements that updates overwrite";

static void text_explain(Text *out, const Explained *x) {
  loc_put(out, x->loc);
  text_printf(out, ": %s in %s%s%s\n", x->mode, x->entry, *x->inputs ? " of " : "", x->inputs);
  text_printf(out, "  %-12s%s operations%s; its value alone %s; ", "work", x->work,
              x->work_by_run ? overwritten : "", x->value_work);
  if (x->factor > 0) text_printf(out, "%.2f times for large sizes", x->factor);
  else text_puts(out, "how many times depends on values");
  text_puts(out, x->again ? again : "\n");
  text_printf(
      out, "  %-12s%s bytes%s%s\n", "tapes", x->tapes,
      x->tapes_by_run ? ", and the elements that updates overwrite" : "",
      x->tapes_in_maps ? ", those in maps for each iteration at work (up to 32 in lanes)" : "");
  text_printf(out, "  %-12s%d statements; its value alone %d\n", "size", x->statements,
              x->value_statements);
  notes_put(out, x);
  strategies_put(out, x);
}

static void json_loc(Text *out, const Loc *loc) {
  Text text = {0};
  loc_put(&text, loc);
  json_print_string(out, text.at);
  text_free(&text);
}

static void json_explain(Text *out, const Explained *x) {
  text_puts(out, "{\"at\": ");
  json_loc(out, x->loc);
  text_printf(out, ", \"mode\": \"%s\", \"entry\": ", x->mode);
  json_print_string(out, x->entry);
  text_printf(out, ", \"work\": \"%s\", \"value_work\": \"%s\", \"factor\": %.4g", x->work,
              x->value_work, x->factor);
  text_printf(out, ", \"again\": %s", x->again ? "true" : "false");
  text_printf(out, ", \"tape_bytes\": \"%s\", \"statements\": %d, \"value_statements\": %d",
              x->tapes, x->statements, x->value_statements);
  text_printf(out, ", \"overwritten_besides\": %s", x->tapes_by_run ? "true" : "false");
  text_printf(out, ", \"work_besides\": %s", x->work_by_run ? "true" : "false");
  text_puts(out, ", \"notes\": [");
  for (int i = 0; i < x->notes.len; i++) {
    text_puts(out, i ? ", {\"at\": " : "{\"at\": ");
    json_loc(out, x->notes.at[i].loc);
    text_printf(out, ", \"kind\": \"%s\", \"text\": ", x->notes.at[i].kind);
    json_print_string(out, x->notes.at[i].text);
    text_puts(out, "}");
  }
  text_puts(out, "]}\n");
}

// ---- loops on all cores -----------------------------------------------------------------------
static void loop_put(Text *out, const ImpParallel *p, bool json) {
  if (!json) {
    loc_put(out, p->loc);
    text_printf(out, ": %s\n", p->text);
    return;
  }
  text_puts(out, "{\"at\": ");
  json_loc(out, p->loc);
  text_printf(out, ", \"parallel\": %s, \"text\": \"%s\"}\n", p->runs ? "true" : "false",
              p->text);
}

static void loops_work(Session *s, void *state) {
  const ExplainJob *job = state;
  Text text = {0};
  Prog *prog = pipeline_differentiate(s, session_core(s, job->path));
  const ImpProg *imp = pipeline_imp(s, pipeline_optimise(s, prog), s->arena);
  const ImpParallels said = imp->parallels;
  for (int i = 0; i < said.len; i++) loop_put(&text, &said.at[i], job->json);
  if (prog_on_device(imp->core)) explain_launches(&text, imp, job->json);
  if (said.len == 0 && !job->json)
    text_puts(&text, "nothing to explain: no loop has iterations that do not need each other\n");
  if (text.at) fputs(text.at, stdout);
  text_free(&text);
}

static void work(Session *s, void *state) {
  const ExplainJob *job = state;
  ExplainedList list = explain_program(s, job->path, job->entry);
  Text text = {0};
  for (int i = 0; i < list.len; i++) {
    if (i && !job->json) text_putc(&text, '\n');
    if (job->json) json_explain(&text, list.at[i]);
    else text_explain(&text, list.at[i]);
  }
  if (list.len == 0 && !job->json)
    text_puts(&text, "nothing to explain: no entry point uses vjp or jvp; -e NAME explains the "
                     "derivatives of a function\n");
  if (text.at) fputs(text.at, stdout);
  text_free(&text);
}

int cmd_explain(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  ExplainJob job = {0};
  bool help;
  int target = 0;
  bool any_order = false;
  const ArgRow rows[] = {
      {"entry-point", 'e', ARG_TEXT, &job.entry,
       "the derivatives in this function or, where it has none, of it"},
      {"json", 0, ARG_FLAG, &job.json, "one JSON object per derivative"},
      {"target", 0, ARG_CHOICE, &target,
       "c|multicore|gpu-host|opencl|cuda: of others than c, which loops run on all "
       "cores, and why not; of devices, how often each kernel is launched, too"},
      {"recompute", 0, ARG_FLAG, &s->recompute,
       "derivatives compute again what they could keep"},
      {"memory-limit", 0, ARG_COUNT, &s->memory_limit, "as `dagaz c` with this option"},
      args_strategy(&s->switches.strategy),
      args_finite_math(&s->finite_math), args_any_order(s->arena, &any_order),
      {"strategies", 0, ARG_FLAG, &s->compare, "compare the strategies: work and tapes of each"},
      args_messages(s),
      {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (files.len != 1) return usage_error("explain");
  job.path = files.at[0];
  if (job.entry) session_select(s, job.entry);
  s->target = backend_target(target, any_order);
  bool cores = s->target.kind != TARGET_ONE;
  Status status = session_run(s, cores ? loops_work : work, &job);
  session_free(s);
  return status;
}
