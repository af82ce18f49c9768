// dagaz check: syntax, names, types, and warnings.  Exit status 0, or 2 when a program is rejected.
#include "cmd.h"

static void work(Session *s, void *path) { session_warn(s, session_check(s, path)); }

// Each program in its own session, with the options of the first.
static Status file_check(const Session *first, const char *path) {
  Session *s = session_new();
  s->diag->no_warnings = first->diag->no_warnings;
  s->diag->werror = first->diag->werror;
  s->diag->format = first->diag->format;
  Status status = session_run(s, work, (void *)path);
  session_free(s);
  return status;
}

int cmd_check(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  bool help;
  const ArgRow rows[] = {args_messages(s), {0}};
  Status status = STATUS_IO;
  if (args_parse(s->arena, rows, argc, argv, &files, &help)) {
    status = help || files.len ? STATUS_OK : (Status)usage_error("check");
    for (int i = 0; i < files.len && !help; i++) {
      Status one = file_check(s, files.at[i]);
      if (one > status) status = one;
    }
  }
  session_free(s);
  return status;
}
