// dagaz ctree: how a C file is read, as a tree with types or as C again.
#include "c_args.h"

typedef struct {
  const char *path;
  bool print;
  CFlags flags;
} TreeJob;

static void work(Session *s, void *state) {
  const TreeJob *job = state;
  CUnit *unit = session_read_c(s, job->path, &job->flags);
  Text out = {0};
  if (job->print) cunit_print(&out, unit);
  else cunit_dump(&out, unit);
  fputs(out.at ? out.at : "", stdout);
  text_free(&out);
}

int cmd_ctree(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  TreeJob job = {0};
  CArgs c_args = {0};
  bool help;
  const ArgRow rows[] = {{"print", 0, ARG_FLAG, &job.print, "the file as it is printed back"},
                         args_preprocessor(s, &c_args),
                         args_messages(s),
                         {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (files.len != 1) return usage_error("ctree");
  job.path = files.at[0];
  job.flags = args_c_flags(s->arena, &c_args);
  Status status = session_run(s, work, &job);
  session_free(s);
  return status;
}
