// Feeds bytes to the reader of the imperative program's text.  What is accepted must print, read
// again and print the same; what is rejected must give one message.  Build with
// -fsanitize=fuzzer,address.
#include "imp/common/imp.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ImpProg *parsed(Arena *arena, const char *text, size_t len, Diag *diag) {
  return imp_parse(arena, source_new(arena, "fuzz", text, len), diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  Diag *diag = diag_new(arena);
  char *text = arena_strndup(arena, (const char *)data, size);
  ImpProg *prog = parsed(arena, text, size, diag);
  if (!prog && diag->errors != 1) abort();
  if (prog) {
    Text first = {0}, second = {0};
    imp_print(&first, prog);
    ImpProg *again = parsed(arena, first.at ? first.at : "", first.len, diag);
    if (!again) abort();
    imp_print(&second, again);
    if (strcmp(first.at ? first.at : "", second.at ? second.at : "") != 0) abort();
    text_free(&first);
    text_free(&second);
  }
  arena_free(arena);
  return 0;
}
