// dagaz run: compile to a cached shared object and run it in this process, or interpret.
#include "data.h"
#include "property.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const char *path, *entry;
  const char *temporary;  // the folder of a new object, NULL: it was in the cache
  const char *threads;
  bool binary;
  DataInputs data;      // without words the values come from stdin
  Words outputs;        // files; none: the result is printed
  const AbiType *result;
  FILE *in, *out;       // temporary files instead of stdin and stdout, or NULL
  int status;
} RunJob;

// ---- interpreted
// -----------------------------------------------------------------------------------

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
  Prog *prog = pipeline_differentiate(s, session_elaborate(s, job->path));
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

// ---- compiled
// --------------------------------------------------------------------------------------

static FILE *scratch_file(void) {
  FILE *file = tmpfile();
  if (!file) fail_io("cannot make a temporary file: %s", strerror(errno));
  return file;
}

// The values of parameters, as the object's main function reads them.  Large ones are not kept.
static void inputs_save(RunJob *job, const Prog *prog, const Fn *fn) {
  Values inputs = {0};
  Arena *arena = arena_new();
  job->in = scratch_file();
  bool ok = data_inputs_read(arena, &job->data, prog, fn, &inputs);
  const Value *leaves = inputs.at;
  for (int i = 0; ok && i < fn->entry->params.len; i++)
    leaves_save(job->in, arena, fn->entry->params.at[i].type, &leaves);
  arena_free(arena);
  if (!ok) stop_now(STATUS_IO);
  if (fflush(job->in) != 0 || ferror(job->in) || fseek(job->in, 0, SEEK_SET) != 0)
    fail_io("cannot write a temporary file: %s", strerror(errno));
}

static void data_prepare(Session *s, const Prog *prog, void *state) {
  (void)s;
  RunJob *job = state;
  const Fn *fn = interp_entry_fn(prog, job->entry);
  if (!fn) return;  // the object says which there are
  job->result = fn->entry->result.type;
  if (job->data.words.len) inputs_save(job, prog, fn);
  if (job->outputs.len) job->out = scratch_file();
}

// The folder of the compiled object: in the cache when this C text was compiled before, else new.
static const char *program_object(Session *s, RunJob *job) {
  BuildJob build = {.session = s, .path = job->path};
  if (job->data.words.len || job->outputs.len)
    build.elaborated = data_prepare, build.state = job;
  job->status = build_texts(&build);
  if (job->status != STATUS_OK) return NULL;
  const char *dir = object_build(s, &build.texts, "run", &job->temporary);
  back_texts_free(&build.texts);
  if (!dir) job->status = STATUS_IO;
  return dir;
}

// Puts the file in the place of a stream; returns what takes it back, -1 for no file.
static int stream_replace(FILE *stream, FILE *file) {
  if (!file) return -1;
  fflush(stream);
  clearerr(stream);
  int saved = dup(fileno(stream));
  if (saved < 0 || dup2(fileno(file), fileno(stream)) < 0)
    fail_io("cannot redirect a stream: %s", strerror(errno));
  return saved;
}

static void stream_restore(FILE *stream, int saved) {
  if (saved < 0) return;
  fflush(stream);
  dup2(saved, fileno(stream));
  close(saved);
}

static void outputs_write(Session *s, void *state) {
  RunJob *job = state;
  Values leaves = {0};
  size_t len;
  rewind(job->out);
  const char *bytes = stream_read(s->arena, job->out, &len);
  if (!leaves_read(s->arena, job->result, bytes, len, &leaves))
    fail_io("cannot read the result back");
  data_outputs_write(s->arena, &job->outputs, job->result, leaves.at);
}

static int object_run(Session *s, const char *dir, RunJob *job) {
  void *handle = dlopen(arena_printf(s->arena, "%s/program.so", dir), RTLD_NOW | RTLD_LOCAL);
  if (job->temporary) temporary_remove(job->temporary);  // it is loaded
  if (!handle) {
    fprintf(stderr, "dagaz: %s\n", dlerror());
    return STATUS_IO;
  }
  union {
    void *object;
    int (*function)(int, char **);
  } entry = {.object = dlsym(handle, "main")};
  check(entry.object);
  const char *args[8] = {job->path, "-e", job->entry};
  int n = 3;
  if (job->binary || job->out) args[n++] = "-b";
  if (job->threads) args[n++] = "--num-threads", args[n++] = job->threads;
  int in = stream_replace(stdin, job->in), out = stream_replace(stdout, job->out);
  int status = entry.function(n, (char **)(uintptr_t)args);
  stream_restore(stdout, out);
  stream_restore(stdin, in);
  return status || !job->out ? status : (int)session_run(s, outputs_write, job);
}

static void job_close(RunJob *job) {
  if (job->in) fclose(job->in);
  if (job->out) fclose(job->out);
}

int cmd_run(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  RunJob job = {.entry = "main"};
  bool interp = false, help;
  int na = 0;
  int backend = 0;
  const ArgRow rows[] = {{"entry-point", 'e', ARG_TEXT, &job.entry, "which entry point (main)"},
                         {"backend", 0, ARG_CHOICE, &backend,
                          "c|multicore|interp: how to run; default: c"},
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
                         args_strategy(&s->switches.strategy),
                         args_messages(s),
                         {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (files.len < 1) return usage_error("run");
  job.path = files.at[0];
  for (int i = 1; i < files.len; i++) list_push(s->arena, &job.data.words, files.at[i]);
  job.data.nan_cells = na == 1;
  s->target = backend_target(backend);
  interp = interp || backend == BACKEND_INTERP;
  const char *entries[] = {job.entry, NULL};
  if (strcmp(job.entry, "main") != 0) s->entries = entries;
  if (interp || !toolchain_present()) {
    Status status = session_run(s, interpret, &job);
    if (status != STATUS_OK) job.status = status;
  } else {
    const char *dir = program_object(s, &job);
    if (dir) job.status = object_run(s, dir, &job);
    else if (job.temporary) temporary_remove(job.temporary);
  }
  job_close(&job);
  session_free(s);
  return job.status;
}
