// Evaluations in their own processes.
#include "repl.h"
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// An endless loop is left with the interrupt key, which reaches the child only.
bool repl_eval(const Evaluation *e) {
  fflush(stdout);
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGINT, &ignore, &before);
  pid_t child = fork();
  if (child == 0) {
    struct sigaction leave = {.sa_handler = SIG_DFL};
    sigaction(SIGINT, &leave, NULL);
    bool ok = evaluation_run(e);
    fflush(stdout);
    _exit(ok ? 0 : 1);
  }
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  sigaction(SIGINT, &before, NULL);
  if (child > 0 && WIFSIGNALED(status))
    fprintf(e->errors ? stderr : stdout, "Stopped by signal %d.\n", WTERMSIG(status));
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
