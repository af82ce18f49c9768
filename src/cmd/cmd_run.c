// dagaz run: compile to a cached shared object and run it in this process, or interpret.
#include "property.h"
#include "run.h"
#include <string.h>


// ---- interpreted

static int run_error(const char *message) {
  fprintf(stderr, "Error: %s\n", message);
  return STATUS_IO;
}

static bool inputs_read(Session *s, const Prog *prog, const Fn *fn, Values *inputs) {
  AbiInputs in = {0};
  ValueText text = {.arena = s->arena};
  text.text = stream_read(s->arena, stdin, &text.len);
  if (abi_inputs_read(&text, prog, fn, &in)) {
    *inputs = in.leaves;
    return true;
  }
  if (in.param < fn->entry->params.len) {
    const AbiParam *p = &fn->entry->params.at[in.param];
    fprintf(stderr, "Cannot read input #%d of type \"%s\".", in.param, p->type->name);
    if (p->name) fprintf(stderr, "  It is the parameter \"%s\".", p->name);
    fputs("\n", stderr);
  }
  fprintf(stderr, "%s\n", text.error);
  return false;
}

// One value on each line; of a tuple its components.
static void result_text(Text *out, Arena *arena, const AbiType *t, const Value *leaves) {
  bool tuple = t->kind == ABI_RECORD && t->is_tuple;
  for (int i = 0; tuple && i < t->fields.len; i++) {
    result_text(out, arena, t->fields.at[i], leaves);
    leaves += t->fields.at[i]->leaves;
  }
  if (tuple && t->fields.len) return;
  if (t->leaves) abi_print(out, arena, t, leaves);
  text_putc(out, '\n');
}

static void result_print(Arena *arena, const AbiType *t, const Value *leaves, bool binary) {
  Text text = {0};
  if (binary) leaves_write(&text, arena, t, &leaves);
  else result_text(&text, arena, t, leaves);
  if (text.len) fwrite(text.at, 1, text.len, stdout);
  text_free(&text);
}

static void interpret(Session *s, void *state) {
  RunJob *job = state;
  Prog *prog = pipeline_differentiate(s, session_core(s, job->path));
  const Fn *fn = interp_entry_fn(prog, job->entry);
  Values inputs = {0};
  job->status = STATUS_IO;
  if (!fn) {
    fprintf(stderr, "No such entry point: %s\n", job->entry);
    return;
  }
  if (job->data.words.len ? !data_inputs_read(s->arena, &job->data, prog, fn, &inputs)
                          : !inputs_read(s, prog, fn, &inputs))
    return;
  InterpOptions options = {.trace = true, .trace_nan = s->trace_nan,
                           .memory_limit = s->memory_limit > 0 ? s->memory_limit : 0};
  EntryResult r = interp_leaves(s->arena, prog, job->entry, inputs, &options);
  if (!r.ok) {
    job->status = run_error(r.error);
    return;
  }
  const AbiType *type = fn->entry->result.type;
  if (job->outputs.len) data_outputs_write(s->arena, &job->outputs, type, r.outputs.at);
  else result_print(s->arena, type, r.outputs.at, job->binary);
  job->status = STATUS_OK;
}

int cmd_run(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  RunJob job = {.entry = "main"};
  bool interp = false, help;
  const char *without = NULL;
  int na = 0;
  int backend = 0;
  bool any_order = false;
  const ArgRow rows[] = {{"entry-point", 'e', ARG_TEXT, &job.entry, "which entry point (main)"},
                         {"backend", 0, ARG_CHOICE, &backend,
                          "c|multicore|gpu-host|opencl|cuda|interp: how to run; default: c"},
                         {"num-threads", 0, ARG_TEXT, &job.threads,
                          "of --backend multicore; default: all processors"},
                         {"interp", 0, ARG_FLAG, &interp, "interpret; do not compile"},
                         {"binary-output", 'b', ARG_FLAG, &job.binary, "print binary values"},
                         {"output", 'o', ARG_REPEAT, &job.outputs,
                          "FILE for the result: .npy, .npz, .csv, .tsv, .bin, else text; one for "
                          "each component of a tuple, or one name for all"},
                         {"na", 0, ARG_CHOICE, &na, "error|nan: what an empty cell of a table is"},
                         {"recompute", 0, ARG_FLAG, &s->recompute,
                          "derivatives compute again what they could keep"},
                         {"memory-limit", 0, ARG_COUNT, &s->memory_limit,
                          "upper limit in bytes for arrays; loops recompute values rather "
                          "than exceed it"},
                         {"trace-nan", 0, ARG_FLAG, &s->trace_nan,
                          "say where the first infinity and NaN come from"},
                         {"strict-ieee", 0, ARG_FLAG, &s->strict_ieee,
                          "derivatives with zero times infinity or NaN as IEEE says"},
                         args_finite_math(&s->finite_math),
                         args_any_order(s->arena, &any_order),
                         {"strict-order", 0, ARG_FLAG, &s->strict_order,
                          "loops add floats in the order written"},
                         args_strategy(&s->switches.strategy),
                         args_without(&without),
                         args_messages(s),
                         {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (!session_leaves_out(s, "run", without)) return STATUS_IO;
  if (files.len < 1) return usage_error("run");
  job.path = files.at[0];
  for (int i = 1; i < files.len; i++) list_push(s->arena, &job.data.words, files.at[i]);
  job.data.nan_cells = na == 1;
  s->target = backend_target(backend, any_order);
  interp = interp || backend == BACKEND_INTERP;
  session_select(s, job.entry);
  if (interp || !toolchain_present()) {
    Status status = session_run(s, interpret, &job);
    if (status != STATUS_OK) job.status = status;
  } else {
    run_compiled(s, &job);
  }
  session_free(s);
  return job.status;
}
