// dagaz lsp: the language server on standard input and output.
#include "cmd.h"
#include "driver/driver.h"
#include "lsp/lsp.h"
#include "values/embed.h"

int cmd_lsp(int argc, char **argv) {
  Arena *arena = arena_new();
  Words others = {0};
  bool help, stdio = false;
  const ArgRow rows[] = {{"stdio", 0, ARG_FLAG, &stdio, "what it does anyway"}, {0}};
  int status = STATUS_IO;
  if (args_parse(arena, rows, argc, argv, &others, &help))
    status = help ? STATUS_OK : lsp_serve(stdin, stdout, lib_files, derivatives_warn);
  arena_free(arena);
  return status;
}
