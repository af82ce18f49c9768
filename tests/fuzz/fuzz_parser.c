// Feeds bytes to the parser and to the test block reader.  What parses must print, parse again
// and print the same.  Build with -fsanitize=fuzzer,address,undefined.
#include "syntax/testblock.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print(Arena *arena, Names *names, const char *text, size_t len, Diag *diag, Text *out) {
  SourceFile *file = syntax_parse(arena, names, source_new(arena, "fuzz", text, len), diag);
  text_puts(out, "");
  if (diag->errors == 0) syntax_print(out, file);
}

static void must(bool good, const char *what, const Text *first, const Text *second) {
  if (good) return;
  fprintf(stderr, "%s\n---- printed\n%s\n---- printed again\n%s\n", what, first->at, second->at);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  Names *names = names_new(arena);
  Diag *diag = diag_new(arena), *ignored = diag_new(arena);
  char *text = arena_strndup(arena, (const char *)data, size);
  testblock_parse(arena, names, source_new(arena, "fuzz", text, size), ignored);
  Text first = {0}, second = {0};
  print(arena, names, text, size, diag, &first);
  if (diag->errors == 0) {
    print(arena, names, first.at, first.len, diag, &second);
    must(diag->errors == 0, "what was printed does not parse", &first, &second);
    must(first.len == second.len && memcmp(first.at, second.at, first.len) == 0,
         "printing is not a fixpoint", &first, &second);
  }
  text_free(&first);
  text_free(&second);
  arena_free(arena);
  return 0;
}
