// dagaz test: what the test blocks of programs say, several programs at a time.  Every program is
// tested in its own process, so that one that breaks the compiler is one failure; failures
// are printed in the order of the programs.
#include "tester.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  pid_t pid;    // 0: not started
  bool done;
  FILE *out;    // what it prints
  int counts;   // a pipe's end
  const char *text;
} Job;

typedef struct {
  Arena *arena;
  Tester *tester;
  Words programs;
  Job *jobs;
  int started, finished, printed, workers;
  bool verbose, terminal;
} Run;

static void progress_show(const Run *r) {
  if (!r->terminal) return;
  fprintf(stderr, "\r\033[K%d of %d programs, %d failed", r->finished, r->programs.len,
          r->tester->failed);
  fflush(stderr);
}

static void progress_clear(const Run *r) {
  if (r->terminal) fputs("\r\033[K", stderr);
}

static _Noreturn void child_test(const Run *r, const char *path, FILE *out, int counts) {
  Tester tester = *r->tester;
  tester.passed = tester.failed = tester.skipped = 0;
  dup2(fileno(out), 1);
  program_test(&tester, path);
  fflush(stdout);
  int n[] = {tester.passed, tester.failed, tester.skipped};
  _exit(write(counts, n, sizeof n) == sizeof n ? 0 : 1);
}

static void job_start(Run *r) {
  Job *job = &r->jobs[r->started];
  const char *path = r->programs.at[r->started++];
  int ends[2];
  job->out = tmpfile();
  if (!job->out || pipe(ends) != 0) fail_io("cannot start a test: %s", strerror(errno));
  fflush(stdout);
  job->pid = fork();
  if (job->pid < 0) fail_io("cannot start a process: %s", strerror(errno));
  if (job->pid == 0) child_test(r, path, job->out, ends[1]);
  close(ends[1]);
  job->counts = ends[0];
}

static void job_finish(Run *r, int i, int status) {
  Job *job = &r->jobs[i];
  int n[3] = {0, 1, 0};
  bool counted = read(job->counts, n, sizeof n) == sizeof n;
  close(job->counts);
  r->tester->passed += counted ? n[0] : 0;
  r->tester->failed += counted ? n[1] : 1;
  r->tester->skipped += counted ? n[2] : 0;
  rewind(job->out);
  job->text = stream_read(r->arena, job->out, NULL);
  fclose(job->out);
  if (!counted)
    job->text =
        arena_printf(r->arena, "%sFAILED %s: the compiler %s %d\n", job->text, r->programs.at[i],
                     WIFSIGNALED(status) ? "died of signal" : "left with",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  job->done = true;
  r->finished++;
}

static void jobs_print(Run *r) {
  progress_clear(r);
  for (; r->printed < r->started && r->jobs[r->printed].done; r->printed++) {
    if (r->verbose) printf("%s\n", r->programs.at[r->printed]);
    fputs(r->jobs[r->printed].text, stdout);
  }
  fflush(stdout);
  progress_show(r);
}

static void job_await(Run *r) {
  int status;
  pid_t pid = wait(&status);
  if (pid < 0 && errno != EINTR) fail_io("lost a process: %s", strerror(errno));
  for (int i = r->printed; pid > 0 && i < r->started; i++)
    if (r->jobs[i].pid == pid && !r->jobs[i].done) job_finish(r, i, status);
  jobs_print(r);
}

static void programs_run(Run *r) {
  r->jobs = NEW_ARRAY(r->arena, Job, r->programs.len);
  while (r->finished < r->programs.len) {
    while (r->started < r->programs.len && r->started - r->finished < r->workers) job_start(r);
    job_await(r);
  }
  progress_clear(r);
}

// Nothing was run: says why, in one line.
static bool nothing_report(const Run *r, const Words *paths) {
  const Tester *t = r->tester;
  if (t->check_only || t->compile_only || t->passed || t->failed || t->skipped)
    return false;
  const char *which = t->entry ? " for this entry point" : t->exclude ? " without this tag" : "";
  const char *rest = paths->len > 1 ? " and the others" : "";
  fprintf(stderr, "dagaz: no %s in %s%s%s\n", r->programs.len ? "test blocks" : "programs",
          paths->at[0], rest, r->programs.len ? which : "");
  return true;
}

static void summary_print(const Tester *t) {
  printf("%d passed, %d failed", t->passed, t->failed);
  if (t->skipped) printf(", %d skipped", t->skipped);
  printf("\n");
}

// Short: users type it to repeat a failure.
static int64_t seed_random(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)(((uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec ^ (uint64_t)getpid()) % 1000000);
}

int cmd_test(int argc, char **argv) {
  Arena *arena = arena_new();
  Words files = {0};
  Tester tester = {.tolerance = 0.002};
  Run run = {.arena = arena, .tester = &tester, .terminal = isatty(2)};
  int backend = 0;
  bool any_order = false;
  int64_t workers = sysconf(_SC_NPROCESSORS_ONLN);
  int64_t seed = seed_random();
  bool help, no_terminal = false;
  const ArgRow rows[] = {
      {"interp", 'i', ARG_FLAG, &tester.interp, "interpret; do not compile"},
      {"verify", 0, ARG_FLAG, &tester.verify, "verify the program after every pass"},
      {"backend", 0, ARG_CHOICE, &backend,
       "c|multicore|gpu-host|opencl|cuda|interp: what to test; default: c"},
      {"threads", 0, ARG_REPEAT, &tester.threads,
       "run programs of --backend multicore with so many; several times: the results must be the "
       "same"},
      {"typecheck", 't', ARG_FLAG, &tester.check_only, "only check the programs"},
      {"compile", 'C', ARG_FLAG, &tester.compile_only, "only compile the programs"},
      {"entry-point", 'e', ARG_TEXT, &tester.entry, "only the cases of this entry point"},
      {"exclude", 0, ARG_TEXT, &tester.exclude, "leave out programs and cases with this tag"},
      {"concurrency", 'j', ARG_COUNT, &workers, "how many programs at a time (all processors)"},
      {"tolerance", 0, ARG_REAL, &tester.tolerance, "of floats (0.002)"},
      {"seed", 0, ARG_COUNT, &seed, "of the values that properties are tested with (random)"},
      args_strategy(&tester.strategy), args_any_order(arena, &any_order),
      {"no-terminal", 0, ARG_FLAG, &no_terminal, "show no progress"},
      {"verbose", 'v', ARG_FLAG, &run.verbose, "name every program"},
      {0}};
  int status = STATUS_IO;
  if (!args_parse(arena, rows, argc, argv, &files, &help)) goto done;
  if (!help && !files.len) {
    usage_error("test");
  } else if (!help) {
    if (backend == BACKEND_INTERP) tester.interp = true;
    tester.target = backend_target(backend, any_order);
    if (no_terminal) run.terminal = false;
    tester.seed = (uint64_t)seed;
    run.workers = workers < 1 ? 1 : workers > 256 ? 256 : (int)workers;
    run.programs = programs_below(arena, &files);
    programs_run(&run);
    if (!nothing_report(&run, &files)) summary_print(&tester);
    status = tester.failed || !(tester.passed + tester.skipped);
  } else {
    status = STATUS_OK;
  }
done:
  arena_free(arena);
  return status;
}
