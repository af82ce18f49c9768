// The system's C compiler, run without a shell.
#include "driver.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// -O1 with explicit vector loops is where compile time and speed meet (doc/performance.md);
// the floating-point flags change no result.
static const char default_flags[] =
    "-O1 -fno-ivopts -w -std=gnu11 -march=native -fopenmp-simd -fwrapv -fno-math-errno "
    "-fno-trapping-math -ffp-contract=off";

const char *toolchain_flags(void) {
  const char *flags = getenv("CFLAGS");
  return flags && *flags ? flags : default_flags;
}

double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

enum { MOST_ARGS = 64 };
typedef struct {
  char *at[MOST_ARGS];
  int len;
} Args;

static void args_add(Args *args, char *word) {
  if (args->len < MOST_ARGS - 1) args->at[args->len++] = word;
}

static void args_split(Args *args, char *words) {
  char *rest = NULL;
  for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    args_add(args, word);
}

static bool command_runs(Args *args) {
  pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    execvp(args->at[0], args->at);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) continue;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool on_path(const char *name) {
  if (strchr(name, '/')) return access(name, X_OK) == 0;
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t len = strcspn(path, ":");
    char file[1024];
    snprintf(file, sizeof file, "%.*s/%s", (int)len, path, name);
    if (access(file, X_OK) == 0) return true;
    path += len + (path[len] == ':');
  }
  return false;
}

static const char *compiler_name(void) {
  const char *cc = getenv("CC");
  if (cc && *cc) return cc;
  const char *known[] = {"cc", "gcc", "clang"};
  for (int i = 0; i < COUNT_OF(known); i++)
    if (on_path(known[i])) return known[i];
  return NULL;
}

bool toolchain_present(void) { return compiler_name() != NULL; }

bool toolchain_compile(const char *c_path, const char *out_path, OutputKind kind) {
  const char *name = compiler_name();
  if (!name) {
    fprintf(stderr, "dagaz: no C compiler found; install gcc or clang, or set CC\n");
    return false;
  }
  char command[1024], flags[2048];
  snprintf(command, sizeof command, "%s", name);
  snprintf(flags, sizeof flags, "%s", toolchain_flags());
  Args args = {0};
  args_split(&args, command);
  args_split(&args, flags);
  char shared[] = "-shared", pic[] = "-fPIC", out[] = "-o", maths[] = "-lm";
  if (kind == OUTPUT_SHARED) args_add(&args, shared), args_add(&args, pic);
  args_add(&args, out), args_add(&args, (char *)out_path), args_add(&args, (char *)c_path);
  args_add(&args, maths);
  return command_runs(&args);
}
