// The compiled way of `dagaz run`: a cached shared object, loaded into this process.
#include "property.h"
#include "run.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  if (job->runs) job->err = scratch_file();
}

// The folder of the compiled object: in the cache when this C text was compiled before, else new.
static const char *program_object(Session *s, RunJob *job) {
  BuildJob build = {.session = s, .path = job->path};
  if (job->data.words.len || job->outputs.len || job->runs)
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

// The standard error of the object: messages, passed on, and at last the report, if it came so far.
static void report_take(Session *s, RunJob *job) {
  size_t len;
  rewind(job->err);
  const char *text = stream_read(s->arena, job->err, &len), *last = text + len;
  while (last > text && (last == text + len || last[-1] != '\n')) last--;
  if (*last != '{') last = text + len;
  fwrite(text, 1, (size_t)(last - text), stderr);
  job->report = last;
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
  const char *args[12] = {job->path, "-e", job->entry};
  int n = 3;
  if (job->binary || job->out) args[n++] = "-b";
  if (job->threads) args[n++] = "--num-threads", args[n++] = job->threads;
  if (job->runs) args[n++] = "-P", args[n++] = "-n", args[n++] = "-r", args[n++] = job->runs;
  if (job->timeline) args[n++] = "--timeline";
  int err = stream_replace(stderr, job->err);
  int in = stream_replace(stdin, job->in), out = stream_replace(stdout, job->out);
  int status = entry.function(n, (char **)(uintptr_t)args);
  stream_restore(stdout, out);
  stream_restore(stdin, in);
  stream_restore(stderr, err);
  if (job->err) report_take(s, job);
  return status || !job->out ? status : (int)session_run(s, outputs_write, job);
}

static void job_close(RunJob *job) {
  if (job->in) fclose(job->in);
  if (job->out) fclose(job->out);
  if (job->err) fclose(job->err);
}

void run_compiled(Session *s, RunJob *job) {
  const char *dir = program_object(s, job);
  if (dir) job->status = object_run(s, dir, job);
  else if (job->temporary) temporary_remove(job->temporary);
  job_close(job);
}
