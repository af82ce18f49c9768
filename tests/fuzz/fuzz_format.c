// Feeds bytes to the formatter: what it accepts it lays out with the same tokens (it checks that
// itself and aborts), and laying that out again changes nothing.
#include "syntax/syntax.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool formatted(Arena *arena, const char *text, size_t len, Text *out) {
  return syntax_format(arena, names_new(arena), source_new(arena, "fuzz", text, len),
                       diag_new(arena), out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  char *text = arena_strndup(arena, (const char *)data, size);
  Text once = {0}, twice = {0};
  if (formatted(arena, text, size, &once)) {
    if (!formatted(arena, once.at ? once.at : "", once.len, &twice)) abort();
    if (once.len != twice.len || (once.len && memcmp(once.at, twice.at, once.len) != 0)) abort();
  }
  text_free(&once), text_free(&twice);
  arena_free(arena);
  return 0;
}
