// dagaz cgen: a random C program for the tests of derivatives of C.
#include "cmd.h"
#include "gen/gen.h"

int cmd_cgen(int argc, char **argv) {
  Arena *arena = arena_new();
  Words others = {0};
  int64_t seed = 1;
  bool help;
  const ArgRow rows[] = {{"seed", 0, ARG_COUNT, &seed, "which program"}, {0}};
  if (!args_parse(arena, rows, argc, argv, &others, &help)) return STATUS_IO;
  if (!help) {
    Text out = {0};
    cgen_program(&out, (uint64_t)seed);
    fputs(out.at, stdout);
    text_free(&out);
  }
  arena_free(arena);
  return STATUS_OK;
}
