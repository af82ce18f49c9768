// dagaz run: compile to a cached shared object and run it in this process, or interpret.
#include "cmd.h"
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
  bool binary;
  int status;
} RunJob;

// ---- interpreted
// -----------------------------------------------------------------------------------

static int run_error(const char *message) {
  fprintf(stderr, "Error: %s\n", message);
  return STATUS_IO;
}

// Of the parameter after those that were read.
static void unreadable_report(const Prog *prog, const Fn *fn, int i, const char *error) {
  int at = fn->entry->size_params + i;
  if (at < fn->params.len)
    fprintf(stderr, "Cannot read input #%d.  It is the parameter \"%s\".\n", i,
            var_info(prog, fn->params.at[at])->base);
  fprintf(stderr, "%s\n", error);
}

static bool inputs_read(Session *s, const Prog *prog, const Fn *fn, Values *inputs) {
  ValueTypes types = {0};
  int opaque = 0;
  if (!interp_entry_inputs(s->arena, fn, &types, &opaque)) {
    fprintf(stderr, "Cannot read input #%d of type %s\n", opaque,
            fn->entry->params.at[opaque].type->name);
    return false;
  }
  size_t len;
  const char *bytes = stream_read(s->arena, stdin, &len), *error;
  if (values_read(s->arena, bytes, len, types.at, types.len, inputs, &error)) return true;
  unreadable_report(prog, fn, inputs->len, error);
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
  if (!inputs_read(s, prog, fn, &inputs)) return;
  InterpOptions options = {.trace = true, .trace_nan = s->trace_nan,
                           .memory_limit = s->memory_limit > 0 ? s->memory_limit : 0};
  EntryResult r = interp_leaves(s->arena, prog, job->entry, inputs, &options);
  if (!r.ok) {
    job->status = run_error(r.error);
    return;
  }
  result_print(s->arena, fn->entry->result.type, r.outputs.at, job->binary);
  job->status = STATUS_OK;
}

// ---- compiled
// --------------------------------------------------------------------------------------

static const char *const object_files[] = {"program.so", NULL};

// The folder of the compiled object: in the cache when this C text was compiled before, else new.
static const char *object_build(Session *s, RunJob *job) {
  BuildJob build = {.session = s, .path = job->path};
  BuildNote note;
  job->status = build_texts(&build);
  if (job->status != STATUS_OK) return NULL;
  uint64_t key = machine_hash(toolchain_hash(14695981039346656037u, FLAGS_TUNED));
  key = hash_text(hash_text(key, build.texts.runtime.at), build.texts.program.at);
  const char *name = arena_printf(s->arena, "run-%016llx", (unsigned long long)key);
  const char *dir = cache_find(s->arena, name, object_files);
  if (!dir) {
    dir = job->temporary = temporary_dir(s->arena);
    if (!dir) fprintf(stderr, "dagaz: cannot make a temporary folder: %s\n", strerror(errno));
    const char *object = dir ? arena_printf(s->arena, "%s/program.so", dir) : NULL;
    if (dir && toolchain_build(&build.texts, object, OUTPUT_SHARED, &note))
      cache_add(s->arena, dir, name, object_files);
    else dir = NULL;
  }
  back_texts_free(&build.texts);
  if (!dir) job->status = STATUS_IO;
  return dir;
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
  char e[] = "-e", b[] = "-b";
  char *args[] = {(char *)job->path, e, (char *)job->entry, job->binary ? b : NULL, NULL};
  return entry.function(job->binary ? 4 : 3, args);
}

int cmd_run(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  RunJob job = {.entry = "main"};
  bool interp = false, help;
  const ArgRow rows[] = {{"entry-point", 'e', ARG_TEXT, &job.entry, "which entry point (main)"},
                         {"interp", 0, ARG_FLAG, &interp, "interpret; do not compile"},
                         {"binary-output", 'b', ARG_FLAG, &job.binary, "print binary values"},
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
  if (files.len != 1) return usage_error("run");
  job.path = files.at[0];
  const char *entries[] = {job.entry, NULL};
  if (strcmp(job.entry, "main") != 0) s->entries = entries;
  if (interp || !toolchain_present()) {
    Status status = session_run(s, interpret, &job);
    if (status != STATUS_OK) job.status = status;
  } else {
    const char *dir = object_build(s, &job);
    if (dir) job.status = object_run(s, dir, &job);
    else if (job.temporary) temporary_remove(job.temporary);
  }
  session_free(s);
  return job.status;
}
