// libFuzzer: any bytes as a C file for the preprocessor of our own.  It may be rejected, with one error;
// what is printed is read by the reader of C, which has no directive left to complain about.
#include "ctext/ctext.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  Names *names = names_new(arena);
  Diag *diag = diag_new(arena);
  const char *text = arena_strndup(arena, (const char *)data, size);
  if (strlen(text) == size) {
    CPreprocess job = {.path = "fuzz.c", .text = text, .headers = c_headers};
    const char *out = cpreprocess(arena, names, diag, &job);
    if (!out && diag->errors != 1) abort();
    if (out) cunit_parse(arena, names, diag, (CInput){"fuzz.c", text, out});
  }
  arena_free(arena);
  return 0;
}
