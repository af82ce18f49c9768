// dagaz imports, dagaz hash: the files of a program, which are read but not checked.
#include "cmd.h"

static void imports_work(Session *s, void *path) {
  const CheckedProgram *program = session_load(s, path);
  for (int i = 0; i < program->files.len; i++)
    if (!program->files.at[i]->builtin) printf("%s\n", program->files.at[i]->path);
}

// The hash is of the files as the printer writes them, each after those it imports.
static void hash_work(Session *s, void *path) {
  const CheckedProgram *program = session_load(s, path);
  Text text = {0};
  char hash[MD5_HEX];
  for (int i = 0; i < program->files.len; i++)
    if (!program->files.at[i]->builtin) syntax_print(&text, program->files.at[i]->syntax);
  md5_hex(hash, text.at ? text.at : "", text.len);
  text_free(&text);
  printf("%s\n", hash);
}

static int file_command(int argc, char **argv, void (*work)(Session *s, void *path)) {
  Session *s = session_new();
  Words files = {0};
  bool help;
  const ArgRow rows[] = {args_messages(s), {0}};
  int status = STATUS_IO;
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) status = STATUS_IO;
  else if (help) status = STATUS_OK;
  else if (files.len != 1) status = usage_error(argv[0]);
  else status = session_run(s, work, (void *)files.at[0]);
  session_free(s);
  return status;
}

int cmd_imports(int argc, char **argv) { return file_command(argc, argv, imports_work); }

int cmd_hash(int argc, char **argv) { return file_command(argc, argv, hash_work); }
