// The readers of other programs' files of values: any bytes give values or one message.  The first
// byte chooses the reader.
#include "values/values.h"

static void value_use(const Value *v) {
  Text text = {0};
  if (v->len < 1000) npy_write(&text, v);
  text_free(&text);
}

static bool npz_all(Arena *arena, const char *bytes, size_t len, const char **error) {
  NpzMembers members = {0};
  if (!npz_members(arena, bytes, len, &members, error)) return false;
  for (int i = 0; i < members.len && i < 100; i++) {
    Value v;
    if (!npz_read(arena, &members.at[i], &v, error)) return false;
    value_use(&v);
  }
  return true;
}

static bool any_read(Arena *arena, int kind, const char *bytes, size_t len, const char **error) {
  ValueType types[] = {{PRIM_F64, 2}, {PRIM_U8, 1}, {PRIM_F32, 0}, {PRIM_BOOL, 1}};
  CsvFile file = {bytes, len, kind & 8 ? "2,b" : NULL, kind & 16, &types[kind / 32 % 4]};
  Value v;
  bool ok = false;
  if (kind % 4 == 1) return npz_all(arena, bytes, len, error);
  if (kind % 4 == 0) ok = npy_read(arena, bytes, len, &v, error);
  else {
    if (kind % 4 == 2) file.expected = NULL;
    ok = csv_read(arena, &file, &v, error);
  }
  if (ok) value_use(&v);
  return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  Arena *arena = arena_new();
  const char *error = NULL;
  char *copy = arena_strndup(arena, (const char *)data + 1, size - 1);
  if (!any_read(arena, data[0], copy, size - 1, &error) && !error) __builtin_trap();
  arena_free(arena);
  return 0;
}
