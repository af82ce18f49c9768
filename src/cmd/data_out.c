// Results into files.  A tuple's components go to a file each: to those named, or numbered ones,
// out_0.npy, out_1.npy, ..; records to parts of one .npz file or table, else to out_FIELD.npy, ...
#include "data.h"
#include <string.h>

static void names_collect(Arena *arena, const AbiType *t, const char *path, Words *out) {
  const char *dot = *path ? "." : "";
  switch (t->kind) {
    case ABI_SCALAR:
    case ABI_ARRAY: list_push(arena, out, path); return;
    case ABI_RECORD:
      for (int i = 0; i < t->fields.len; i++)
        names_collect(arena, t->fields.at[i],
                      arena_printf(arena, "%s%s%s", path, dot, t->field_names.at[i]), out);
      return;
    case ABI_OPAQUE_ARRAY: names_collect(arena, t->fields.at[0], path, out); return;
    case ABI_SUM: fail_io("a result of the sum type %s goes into no file; leave out -o", t->name);
  }
}

static void result_write(Arena *arena, const char *path, const AbiType *t, const Value *leaves) {
  Words names = {0};
  names_collect(arena, t, "", &names);
  data_write(arena, path, &names, leaves);
}

void data_outputs_write(Arena *arena, const Words *paths, const AbiType *type,
                        const Value *leaves) {
  bool tuple = type->kind == ABI_RECORD && type->is_tuple && type->fields.len > 1;
  int count = tuple ? type->fields.len : 1;
  if (paths->len != 1 && paths->len != count)
    fail_io("%d result%s, but %d files to write (-o)", count, count == 1 ? "" : "s", paths->len);
  if (paths->len == 1 && (!tuple || data_format(paths->at[0]) == DATA_NPZ)) {
    Words names = {0};
    names_collect(arena, type, "", &names);
    for (int i = 0; tuple && i < names.len; i++)
      names.at[i] = arena_printf(arena, "arr_%s", names.at[i]);
    data_write(arena, paths->at[0], &names, leaves);
    return;
  }
  for (int i = 0; i < count; i++) {
    const char *path = paths->at[paths->len == 1 ? 0 : i], *dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/')) dot = path + strlen(path);
    if (paths->len == 1) path = arena_printf(arena, "%.*s_%d%s", (int)(dot - path), path, i, dot);
    result_write(arena, path, type->fields.at[i], leaves);
    leaves += type->fields.at[i]->leaves;
  }
}
