// The readers of values: any bytes give values or one message.
#include "values/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  Values values = {0};
  const char *error = NULL;
  char *copy = arena_strndup(arena, (const char *)data, size);
  if (!values_read(arena, copy, size, NULL, 0, &values, &error) && !error) __builtin_trap();
  for (int i = 0; i < values.len; i++) {
    Text text = {0};
    value_print(&text, &values.at[i]);
    text_free(&text);
  }
  arena_free(arena);
  return 0;
}
