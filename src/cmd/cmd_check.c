// dagaz check: syntax, names, types.  Exit status 0, or 2 when the program is rejected.
#include "cmd.h"

static void work(Session *s, void *path) { session_check(s, path); }

int cmd_check(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  bool no_warnings = false, werror = false, help;
  const ArgRow rows[] = {{NULL, 'w', ARG_FLAG, &no_warnings, "print no warnings"},
                         {"Werror", 0, ARG_FLAG, &werror, "treat warnings as errors"},
                         {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (files.len != 1) {
    fprintf(stderr, "usage: dagaz check [-w] [--Werror] FILE.fut\n");
    return STATUS_IO;
  }
  s->diag->no_warnings = no_warnings;
  s->diag->werror = werror;
  Status status = session_run(s, work, (void *)files.at[0]);
  session_free(s);
  return status;
}
