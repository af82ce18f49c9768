// From a source file to a compiled program: the work of `dagaz c`, and a step of run, test, bench.
#include "cmd.h"
#include "../back/back.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  BuildJob *job;
  double front_ms;  // source to C text
} Emission;

static void text_save(Session *s, const char *out, const char *suffix, const Text *text) {
  const char *path = arena_printf(s->arena, "%s%s", out, suffix);
  if (!file_write(path, text->at ? text->at : "", text->len))
    fail_io("cannot write '%s': %s", path, strerror(errno));
}

static void emit(Session *s, void *state) {
  Emission *e = state;
  const BuildJob *job = e->job;
  double start = now_ms();
  Prog *prog = session_elaborate(s, job->path);
  prog = pipeline_optimise(s, pipeline_differentiate(s, prog));
  s->pass = "back";
  BackOptions options = {.mode = job->mode == MODE_LIBRARY  ? BACK_LIBRARY
                                 : job->mode == MODE_SERVER ? BACK_SERVER
                                                            : BACK_EXECUTABLE,
                         .name = job->out};
  Text c = {0}, h = {0}, manifest = {0};
  back_c(prog, &options, &c, &h, &manifest);
  s->pass = NULL;
  e->front_ms = now_ms() - start;
  if (s->time) fprintf(stderr, "%10.3f ms  source to C\n", e->front_ms);
  text_save(s, job->out, ".c", &c);
  if (job->mode == MODE_LIBRARY) {
    text_save(s, job->out, ".h", &h);
    text_save(s, job->out, ".json", &manifest);
  }
  text_free(&c), text_free(&h), text_free(&manifest);
}

Status build_program(BuildJob *job) {
  Session *s = job->session;
  Emission e = {job, 0};
  Status status = session_run(s, emit, &e);
  if (status != STATUS_OK || job->c_only || job->mode == MODE_LIBRARY) return status;
  double start = now_ms();
  const char *c_path = arena_printf(s->arena, "%s.c", job->out);
  bool ok = toolchain_compile(c_path, job->out, job->shared ? OUTPUT_SHARED : OUTPUT_EXECUTABLE);
  if (job->summary)
    fprintf(stderr, "compile time         %.1f ms source to C, %.1f ms C compiler\n", e.front_ms,
            now_ms() - start);
  return ok ? STATUS_OK : STATUS_IO;
}
