// libFuzzer: any text as the root of a program.  It may be rejected, but not bring us down.
#include "check/check.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  Names *names = names_new(arena);
  Diag *diag = diag_new(arena);
  const char *text = arena_strndup(arena, (const char *)data, size);
  CheckedProgram *program =
      program_load_text(arena, names, diag, lib_files, "fuzz.fut", text, strlen(text));
  if (!diag->errors) program_check(arena, names, diag, program, NULL);
  arena_free(arena);
  return 0;
}
