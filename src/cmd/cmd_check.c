// dagaz check: syntax, names, types, and warnings.  Exit status 0, or 2 when the program is rejected.
#include "cmd.h"

static void work(Session *s, void *path) { session_warn(s, session_check(s, path)); }

int cmd_check(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  bool help;
  const ArgRow rows[] = {args_messages(s), {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (files.len != 1) {
    fprintf(stderr, "usage: dagaz check [-w] [--Werror] [--error-format=json] FILE.fut\n");
    return STATUS_IO;
  }
  Status status = session_run(s, work, (void *)files.at[0]);
  session_free(s);
  return status;
}
