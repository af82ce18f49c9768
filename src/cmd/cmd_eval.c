// dagaz eval: each expression as the REPL evaluates it, with messages on stderr.
#include "repl.h"
#include <errno.h>

int cmd_eval(int argc, char **argv) {
  Arena *arena = arena_new();
  Words words = {0};
  const char *file = NULL;
  bool help, quiet = false;
  const ArgRow rows[] = {
      {"file", 'f', ARG_TEXT, &file, "the program in whose scope they are"},
      {"no-warnings", 'w', ARG_FLAG, &quiet, "print no warnings (there are none)"},
      {0}};
  int status = STATUS_IO;
  if (!args_parse(arena, rows, argc, argv, &words, &help)) goto done;
  if (help || !words.len) {
    status = help ? STATUS_OK : usage_error("eval");
    goto done;
  }
  const char *text = file ? file_read(arena, file, NULL) : "";
  if (!text) fail_io("cannot read '%s': %s", file, strerror(errno));
  status = STATUS_OK;
  for (int i = 0; i < words.len && status == STATUS_OK; i++) {
    Evaluation e = {.path = file ? file : "input.fut", .text = arena_printf(arena, "%s\n", text),
                    .exp = words.at[i], .mode = EVAL_VALUE, .errors = true};
    if (!repl_eval(&e)) status = STATUS_IO;
  }
done:
  arena_free(arena);
  return status;
}
