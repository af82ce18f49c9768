// Child processes.
#include "cmd.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *unnamed_file(const char *text, size_t len) {
  FILE *f = tmpfile();
  if (!f) fail_io("cannot make a temporary file: %s", strerror(errno));
  if (len && fwrite(text, 1, len, f) != len) fail_io("cannot write a temporary file");
  fflush(f);
  rewind(f);
  return f;
}

static _Noreturn void child_become(const char *const *argv, FILE *in, FILE *out, FILE *err,
                                   int seconds) {
  struct rlimit cpu = {(rlim_t)seconds, (rlim_t)seconds + 1};
  setrlimit(RLIMIT_CPU, &cpu);
  dup2(fileno(in), 0);
  dup2(fileno(out), 1);
  dup2(fileno(err), 2);
  execv(argv[0], (char *const *)argv);
  _exit(127);
}

ProcessResult process_run(Arena *arena, const char *const *argv, const char *input,
                          size_t input_len, int seconds) {
  FILE *in = unnamed_file(input, input_len), *out = unnamed_file("", 0), *err = unnamed_file("", 0);
  pid_t child = fork();
  if (child < 0) fail_io("cannot start a process: %s", strerror(errno));
  if (child == 0) child_become(argv, in, out, err, seconds);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  ProcessResult r = {.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
  rewind(out), rewind(err);
  r.out = stream_read(arena, out, &r.out_len);
  r.error = stream_read(arena, err, NULL);
  fclose(in), fclose(out), fclose(err);
  return r;
}
