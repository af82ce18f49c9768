// dagaz help, completion, version.
#include "cmd.h"
#include <string.h>

static int help_of(const char *name) {
  const Command *c = command_find(name);
  if (!c) {
    fprintf(stderr, "dagaz: no command '%s'; `dagaz help` lists the commands.\n", name);
    return STATUS_IO;
  }
  char word[64], option[] = "--help";
  snprintf(word, sizeof word, "%s", name);
  char *argv[] = {word, option, NULL};
  return c->run(2, argv);
}

int cmd_help(int argc, char **argv) {
  Arena *arena = arena_new();
  Words names = {0};
  bool help, man = false;
  const ArgRow rows[] = {{"man", 0, ARG_FLAG, &man, "print the manual page, dagaz.1"}, {0}};
  int status = STATUS_IO;
  // `dagaz --help` is the overview, `dagaz help --help` the help of this command.
  bool spelled = strcmp(argv[0], "help") != 0;
  if (spelled || args_parse(arena, rows, argc, argv, &names, &help)) {
    status = STATUS_OK;
    if (spelled || (!help && !man && !names.len)) help_overview(stdout);
    else if (man) help_manual();
    else if (names.len > 1) status = usage_error("help");
    else if (!help) status = help_of(names.at[0]);
  }
  arena_free(arena);
  return status;
}

int cmd_completion(int argc, char **argv) {
  Arena *arena = arena_new();
  Words names = {0};
  bool help;
  const ArgRow rows[] = {{0}};
  HelpForm shell = HELP_TEXT;
  int status = STATUS_IO;
  if (args_parse(arena, rows, argc, argv, &names, &help)) {
    if (help) status = STATUS_OK;
    else if (names.len != 1 || !help_form(names.at[0], &shell) || shell < HELP_BASH)
      status = usage_error("completion");
    else
      help_completion(shell), status = STATUS_OK;
  }
  arena_free(arena);
  return status;
}

int cmd_version(int argc, char **argv) {
  Arena *arena = arena_new();
  Words names = {0};
  bool help = false;
  const ArgRow rows[] = {{0}};
  bool spelled = strcmp(argv[0], "version") != 0;
  bool ok = spelled || args_parse(arena, rows, argc, argv, &names, &help);
  if (ok && !help) printf("dagaz 0.1.0\n");
  arena_free(arena);
  return ok ? STATUS_OK : STATUS_IO;
}
