// libFuzzer: any bytes as a C file.  What is accepted prints, reads again and prints the same;
// nothing brings the reader down.
#include "ctext/ctext.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static CUnit *parsed(Arena *arena, const char *text) {
  Diag *diag = diag_new(arena);
  CUnit *unit = cunit_parse(arena, names_new(arena), diag, (CInput){"fuzz.c", text, NULL});
  return diag->errors ? NULL : unit;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  const char *text = arena_strndup(arena, (const char *)data, size);
  if (strlen(text) != size) {
    arena_free(arena);
    return 0;
  }
  CUnit *unit = parsed(arena, text);
  if (unit && !unit->includes.len) {
    Text first = {0}, second = {0};
    cunit_print(&first, unit);
    CUnit *again = parsed(arena, first.at ? first.at : "");
    if (!again) abort();
    cunit_print(&second, again);
    if (strcmp(first.at ? first.at : "", second.at ? second.at : "") != 0) abort();
    text_free(&first);
    text_free(&second);
  }
  arena_free(arena);
  return 0;
}
