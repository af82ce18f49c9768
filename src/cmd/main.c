// The command line: `dagaz COMMAND ..`.  commands.c has the table.
#include "cmd.h"
#include <errno.h>
#include <string.h>

// The word as a command: --help and --version are spelled so as well.
static const char *command_name(const char *word) {
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return "help";
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) return "version";
  return word;
}

static int unknown_command(const char *name) {
  Similar near = similar_begin(name);
  for (const Command *c = commands; c->name; c++) similar_offer(&near, c->name);
  fprintf(stderr, "dagaz: no command '%s'", name);
  if (near.best) fprintf(stderr, ": did you mean '%s'?", near.best);
  fprintf(stderr, "%s `dagaz help` lists the commands.\n", near.best ? "" : ";");
  return STATUS_IO;
}

// Failures outside of a session (memory, mostly) are handled here.
static int command_run(const Command *c, int argc, char **argv) {
  Stop stop;
  if (!stop_arm(&stop)) return stop.status;
  int status = c->run(argc, argv);
  stop_pop(&stop);
  return status;
}

// Output that did not arrive is a failure of every command.
static int output_end(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  if (status == STATUS_OK) fprintf(stderr, "dagaz: cannot write the output: %s\n", strerror(errno));
  return status == STATUS_OK ? STATUS_IO : status;
}

int main(int argc, char **argv) {
  if (argc < 2) return help_overview(stderr), STATUS_IO;
  const Command *c = command_find(command_name(argv[1]));
  if (!c) return unknown_command(argv[1]);
  return output_end(command_run(c, argc - 1, argv + 1));
}
