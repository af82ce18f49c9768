// The system's preprocessor, run without a shell.
#include "driver.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// Makes assert() an expression, without taking M_PI and the like away.
static const char *const fixed_flags[] = {"-xc", "-E", "-D__DAGAZ__", "-D__STRICT_ANSI__",
                                          "-D_DEFAULT_SOURCE", "-D_XOPEN_SOURCE=700"};
enum { MOST_WORDS = 100 };

static _Noreturn void preprocessor_become(char **words, int out) {
  dup2(out, 1);
  execvp(words[0], words);
  _exit(127);
}

static char *pipe_read(Arena *arena, int in, size_t *len) {
  FILE *stream = fdopen(in, "r");
  char *text = stream ? stream_read(arena, stream, len) : NULL;
  if (stream) fclose(stream);
  return text;
}

const char *compiler_preprocess(Session *s, const char *path, const CFlags *flags) {
  const char *cc = compiler_name();
  char *words[MOST_WORDS + 1];
  int n = 0, ends[2], status = 0;
  if (!cc) return NULL;
  for (char *word = strtok(arena_strdup(s->arena, cc), " "); word &&
      n < 20; word = strtok(NULL, " "))
    words[n++] = word;
  for (int i = 0; i < COUNT_OF(fixed_flags); i++) words[n++] = (char *)(uintptr_t)fixed_flags[i];
  for (int i = 0; i < flags->len && n < MOST_WORDS - 1; i++)
    words[n++] = (char *)(uintptr_t)flags->at[i];
  words[n++] = (char *)(uintptr_t)path;
  words[n] = NULL;
  if (pipe(ends) != 0) fail_io("cannot run the preprocessor: %s", strerror(errno));
  pid_t child = fork();
  if (child == 0) preprocessor_become(words, ends[1]);
  close(ends[1]);
  size_t len = 0;
  const char *text = pipe_read(s->arena, ends[0], &len);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : NULL;
}
