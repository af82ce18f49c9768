// Feeds bytes to the reader of the IR's text form.  What is accepted must print, read again and
// print the same; what is rejected must give one message.  Build with -fsanitize=fuzzer,address.
#include "core/core.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Prog *parsed(Arena *arena, const char *text, size_t len, Diag *diag) {
  return core_parse(arena, source_new(arena, "fuzz", text, len), diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  Diag *diag = diag_new(arena);
  char *text = arena_strndup(arena, (const char *)data, size);
  Prog *prog = parsed(arena, text, size, diag);
  if (!prog && diag->errors != 1) abort();
  if (prog) {
    Text first = {0}, second = {0};
    core_print(&first, prog);
    Prog *again = parsed(arena, first.at, first.len, diag);
    if (!again) abort();
    core_print(&second, again);
    if (strcmp(first.at, second.at) != 0) abort();
    text_free(&first);
    text_free(&second);
  }
  arena_free(arena);
  return 0;
}
