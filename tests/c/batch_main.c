// The main of many random programs: programs.h, which batch.sh writes, has a row for each check of
// each.  Every row runs in a process of its own, so that what ends one tells nothing of others, and
// prints SEED WAY and "ok", "kink", "rounding" or the fault.
#include "p_b.h"
#include "p_bv.h"
#include "p_d.h"
#include "p_dv.h"
#include "random_check.h"
#include "directions_check.h"
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  int seed;
  const char *way;  // source: by source transformation; tangent, adjoint: this one through core
  Directions v;     // without v.d: one direction
} Row;
#include "programs.h"
enum { DISAGREES = 3 };  // the sanitizers end a process with 1

static int row_run(const Row *row) {
  alarm(20);
  return row->v.d ? directions_check(&row->v) : program_check(&row->v.one);
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int status = 0;
    printf("%d %s ", rows[i].seed, rows[i].way);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) exit(row_run(&rows[i]) ? DISAGREES : 0);
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (WIFSIGNALED(status)) printf("ends by signal %d\n", WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != DISAGREES)
      printf("ends with status %d\n", WEXITSTATUS(status));
  }
  return 0;
}
