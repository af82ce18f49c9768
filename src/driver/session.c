// The session: what one compilation owns, and the one place it can be left to.
#include "driver.h"
#include <stdlib.h>
#include <string.h>

Session *session_new(void) {
  Arena *arena = arena_new();
  Session *s = NEW(arena, Session);
  s->arena = arena;
  s->names = names_new(arena);
  s->diag = diag_new(arena);
  s->switches.diag = s->diag;
  s->messages = stderr;
  s->memory_limit = -1;
  s->target = target_of(TARGET_ONE);
  return s;
}

void session_free(Session *s) {
  for (int i = 0; i < s->programs.len; i++) arena_free(s->programs.at[i]);
  arena_free(s->arena);
}

void session_select(Session *s, const char *entry) {
  const char **only = NEW_ARRAY(s->arena, const char *, 2);
  only[0] = entry ? entry : "main";
  s->only = only;
  if (strcmp(only[0], "main") != 0) s->entries = only;
}

// An internal error names the pass and leaves the last good program where the user can send it.
static void bug_report(const Session *s) {
  if (!s->pass) return;
  fprintf(stderr, "The pass was '%s'.\n", s->pass);
  const char *dir = getenv("TMPDIR");
  char path[512];
  snprintf(path, sizeof path, "%s/dagaz-last-good.ir", dir ? dir : "/tmp");
  if (!s->last_good) {
    fprintf(stderr, "With --verify, the program before it is written to a file.\n");
    return;
  }
  Text text = {0};
  core_print(&text, s->last_good);
  if (file_write(path, text.at, text.len))
    fprintf(stderr, "The program before it: %s\n", path);
  text_free(&text);
}

Status session_run(Session *s, void (*work)(Session *s, void *state), void *state) {
  Stop stop;
  if (stop_arm(&stop)) {
    work(s, state);
    stop_pop(&stop);
  } else if (stop.status == STATUS_BUG) {
    bug_report(s);
  }
  diag_print(s->diag, s->messages);
  if (stop.status == STATUS_OK && s->diag->werror && s->diag->warnings) return STATUS_USER_ERROR;
  return stop.status;
}

void session_stop_on_errors(Session *s) {
  if (s->diag->errors > 0) stop_now(STATUS_USER_ERROR);
}
