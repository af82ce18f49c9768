// From a source file to a compiled program: the work of `dagaz c`, and a step of run, test, bench.
#include "cmd.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static void text_save(Session *s, const char *out, const char *suffix, const Text *parts, int n) {
  const char *path = arena_printf(s->arena, "%s%s", out, suffix);
  Text whole = {0};
  for (int i = 0; i < n; i++) text_write(&whole, parts[i].at, parts[i].len);
  bool ok = file_replace(path, whole.at, whole.len, REMADE);
  text_free(&whole);
  if (!ok) fail_io("cannot write '%s': %s", path, strerror(errno));
}

static void texts_save(const BuildJob *job) {
  Session *s = job->session;
  const BackTexts *t = &job->texts;
  const Text c[] = {t->runtime, t->program};
  text_save(s, job->out, ".c", c, COUNT_OF(c));
  if (job->mode != MODE_LIBRARY) return;
  text_save(s, job->out, ".h", &t->h, 1);
  if (job->cpp) text_save(s, job->out, ".hpp", &t->hpp, 1);
  text_save(s, job->out, ".json", &t->manifest, 1);
}

static void emit(Session *s, void *state) {
  BuildJob *job = state;
  Prog *prog = session_core(s, job->path);
  if (job->elaborated) job->elaborated(s, prog, job->state);
  prog = pipeline_differentiate(s, prog);
  if (!s->trace_nan) session_remarks(s, prog = pipeline_optimise(s, prog));
  static const BackMode modes[] = {[MODE_EXECUTABLE] = BACK_EXECUTABLE,
                                   [MODE_LIBRARY] = BACK_LIBRARY,
                                   [MODE_SERVER] = BACK_SERVER,
                                   [MODE_SHARED] = BACK_SHARED};
  BackOptions options = {.mode = modes[job->mode],
                         .name = job->out,
                         .cpp = job->cpp,
                         .flush = s->flush,
                         .trace_nan = s->trace_nan,
                         .memory_limit = s->memory_limit > 0 ? s->memory_limit : 0};
  bool described = job->mode == MODE_LIBRARY || job->mode == MODE_SHARED;
  if (described && s->checked) options.functions = program_functions(s->arena, s->checked);
  Arena *arena = arena_beside(s->arena);
  ImpProg *imp = pipeline_imp(s, prog, arena);
  imp->interruptible = job->interruptible;
  s->pass = "back";
  back_c(imp, &options, &job->texts);
  arena_free(arena);
  s->pass = NULL;
}

Status build_texts(BuildJob *job) { return session_run(job->session, emit, job); }

static void save(Session *s, void *state) {
  (void)s;
  texts_save(state);
}

static void summary_print(double front_ms, double cc_ms, const BuildNote *note) {
  fprintf(stderr, "compile time         %.1f ms source to C, %.1f ms C compiler", front_ms, cc_ms);
  fprintf(stderr, " (%d unit%s, runtime %s)\n", note->units, note->units == 1 ? "" : "s",
          note->runtime);
}

Status build_program(BuildJob *job) {
  double start = now_ms();
  Status status = build_texts(job);
  double front_ms = now_ms() - start;
  if (job->session->time) fprintf(stderr, "%10.3f ms  source to C\n", front_ms);
  if (status == STATUS_OK && job->save) status = session_run(job->session, save, job);
  if (status == STATUS_OK && !job->c_only && job->mode != MODE_LIBRARY) {
    BuildNote note = {0};
    start = now_ms();
    if (!toolchain_build(&job->texts, job->out, OUTPUT_EXECUTABLE, &note)) status = STATUS_IO;
    if (job->summary) summary_print(front_ms, now_ms() - start, &note);
  }
  back_texts_free(&job->texts);
  return status;
}
