// Files of values: which format a name means, reading one value or all, writing.
#include "data.h"
#include "cases.h"
#include <errno.h>
#include <string.h>

static bool ends_with(const char *path, size_t len, const char *end) {
  size_t n = strlen(end);
  return len > n && memcmp(path + len - n, end, n) == 0;
}

DataFormat data_format(const char *path) {
  size_t len = strlen(path);
  if (ends_with(path, len, ".gz")) len -= 3;
  if (ends_with(path, len, ".npy")) return DATA_NPY;
  if (ends_with(path, len, ".npz")) return DATA_NPZ;
  if (ends_with(path, len, ".csv") || ends_with(path, len, ".tsv")) return DATA_CSV;
  return ends_with(path, len, ".bin") ? DATA_BINARY : DATA_TEXT;
}

bool data_is_container(const char *path) {
  DataFormat format = data_format(path);
  return format == DATA_NPZ || format == DATA_CSV;
}

// The part begins at the last colon after a name of such a file.
DataSource data_source(Arena *arena, const char *word) {
  for (const char *colon = word; (colon = strchr(colon, ':')) != NULL; colon++) {
    const char *path = arena_strndup(arena, word, (size_t)(colon - word));
    if (data_is_container(path)) return (DataSource){.path = path, .part = colon + 1};
  }
  return (DataSource){.path = word};
}

// ---- reading -----------------------------------------------------------------------------------
static const char *shape_text(Arena *arena, const Value *v) {
  Text text = {0};
  for (int d = 0; d < v->rank; d++) text_printf(&text, "[%ld]", (long)v->shape[d]);
  text_puts(&text, prim_info[v->prim].name);
  const char *copy = arena_strdup(arena, text.at);
  text_free(&text);
  return copy;
}

static bool type_fits(Arena *arena, const ValueType *want, const Value *v, const char **error) {
  if (!want || (want->prim == v->prim && want->rank == v->rank)) return true;
  const char *have = shape_text(arena, v);
  *error = arena_printf(arena, "it holds a value of type %s", have);
  if (want->rank == v->rank)
    *error = arena_printf(arena, "%s; `dagaz convert --as %s` makes a file of the type wanted",
                          *error, prim_info[want->prim].name);
  return false;
}

static const NpzMember *member_find(Arena *arena, const NpzMembers *members, const char *name,
                                    const char **error) {
  Text names = {0};
  for (int i = 0; i < members->len; i++) {
    if (name && strcmp(members->at[i].name, name) == 0) return &members->at[i];
    text_printf(&names, "%s%s", i ? ", " : "", members->at[i].name);
  }
  const NpzMember *only = !name && members->len == 1 ? &members->at[0] : NULL;
  if (name) *error = arena_printf(arena, "no member '%s'; there are %s", name,
                                  names.at ? names.at : "none");
  else *error = arena_printf(arena, "several members: name one, as in FILE.npz:NAME (%s)",
                             names.at ? names.at : "there are none");
  text_free(&names);
  return only;
}

// A file that is being read.
typedef struct {
  Arena *arena;
  const DataSource *from;
  const char *bytes;
  size_t len;
  const char **error;
} Input;

static bool input_open(Input *in) {
  const char *path = in->from->path;
  bool is_stdin = strcmp(path, "-") == 0;
  const char *problem = NULL;
  in->bytes = is_stdin ? stream_read(in->arena, stdin, &in->len)
                       : data_read(in->arena, path, &in->len, &problem);
  if (!problem) problem = strerror(errno);
  if (!in->bytes) *in->error = arena_printf(in->arena, "cannot be read: %s", problem);
  return in->bytes != NULL;
}

static bool npz_value(const Input *in, Value *out) {
  NpzMembers members = {0};
  if (!npz_members(in->arena, in->bytes, in->len, &members, in->error)) return false;
  const NpzMember *m = member_find(in->arena, &members, in->from->part, in->error);
  return m && npz_read(in->arena, m, out, in->error);
}

// Values in the language's own formats; "input, line 1" is a line of the file.
static bool plain_values(const Input *in, const ValueType *expected, Values *out) {
  static const char start[] = "input, ";
  if (values_read(in->arena, in->bytes, in->len, expected, expected ? 1 : 0, out, in->error))
    return true;
  if (strncmp(*in->error, start, sizeof start - 1) == 0) *in->error += sizeof start - 1;
  return false;
}

static bool plain_value(const Input *in, const ValueType *expected, Value *out) {
  Values values = {0};
  if (!plain_values(in, expected, &values)) return false;
  if (values.len == 1) *out = values.at[0];
  else *in->error = arena_printf(in->arena, "it holds %d values", values.len);
  return values.len == 1;
}

static bool table_value(const Input *in, const char *columns, const ValueType *expected,
                        Value *out) {
  CsvFile file = {in->bytes, in->len, columns, in->from->nan_cells, expected};
  return csv_read(in->arena, &file, out, in->error);
}

static bool value_read(const Input *in, const ValueType *expected, Value *out) {
  switch (data_format(in->from->path)) {
    case DATA_NPY: return npy_read(in->arena, in->bytes, in->len, out, in->error);
    case DATA_NPZ: return npz_value(in, out);
    case DATA_CSV: return table_value(in, in->from->part, expected, out);
    case DATA_TEXT:
    case DATA_BINARY: return plain_value(in, expected, out);
  }
  return false;
}

bool data_value_read(Arena *arena, const DataSource *from, const ValueType *expected, Value *out,
                     const char **error) {
  Input in = {.arena = arena, .from = from, .error = error};
  bool ok = input_open(&in) && value_read(&in, expected, out) &&
            type_fits(arena, expected, out, error);
  if (!ok) *error = arena_printf(arena, "%s: %s", from->path, *error);
  return ok;
}

static bool npz_all(const Input *in, Values *out, Words *names) {
  NpzMembers members = {0};
  if (!npz_members(in->arena, in->bytes, in->len, &members, in->error)) return false;
  for (int i = 0; i < members.len; i++) {
    Value v;
    if (!npz_read(in->arena, &members.at[i], &v, in->error)) return false;
    list_push(in->arena, out, v);
    list_push(in->arena, names, members.at[i].name);
  }
  return true;
}

// The columns one by one under their names, or the table.
static bool csv_all(const Input *in, Values *out, Words *names) {
  CsvNames columns = {0};
  Value v;
  if (in->from->split && !in->from->part &&
      !csv_names(in->arena, in->bytes, in->len, &columns, in->error))
    return false;
  if (columns.len == 0) {
    if (!table_value(in, in->from->part, NULL, &v)) return false;
    list_push(in->arena, out, v);
  }
  for (int i = 0; i < columns.len; i++) {
    if (!table_value(in, arena_printf(in->arena, "%d", i + 1), NULL, &v)) return false;
    list_push(in->arena, out, v);
    list_push(in->arena, names, columns.at[i]);
  }
  return true;
}

static bool all_read(const Input *in, Values *out, Words *names) {
  DataFormat format = data_format(in->from->path);
  Value v;
  if (format == DATA_CSV) return csv_all(in, out, names);
  if (format == DATA_NPZ && !in->from->part) return npz_all(in, out, names);
  if (format == DATA_TEXT || format == DATA_BINARY) return plain_values(in, NULL, out);
  if (!value_read(in, NULL, &v)) return false;
  list_push(in->arena, out, v);
  return true;
}

bool data_values_read(Arena *arena, const DataSource *from, Values *out, Words *names,
                      const char **error) {
  Input in = {.arena = arena, .from = from, .error = error};
  bool ok = input_open(&in) && all_read(&in, out, names);
  while (names->len < out->len) list_push(arena, names, "");
  if (!ok) *error = arena_printf(arena, "%s: %s", from->path, *error);
  return ok;
}

// ---- writing -----------------------------------------------------------------------------------
static const char *with_suffix(Arena *arena, const char *path, const char *suffix) {
  const char *dot = strrchr(path, '.');
  if (!*suffix) return path;
  return arena_printf(arena, "%.*s_%s%s", (int)(dot - path), path, suffix, dot);
}

static void bytes_save(Text *text, const char *path) {
  const char *bytes = text->at ? text->at : "";
  bool ok = strcmp(path, "-") == 0 ? fwrite(bytes, 1, text->len, stdout) == text->len
                                   : file_replace(path, bytes, text->len, DURABLE);
  int failed = errno;
  text_free(text);
  if (!ok) fail_io("cannot write '%s': %s", path, strerror(failed));
}

static void one_write(const char *path, const Value *v) {
  Text text = {0};
  bool fits = true;
  switch (data_format(path)) {
    case DATA_NPY: npy_write(&text, v); break;
    case DATA_CSV:
      fits = csv_write(&text, ends_with(path, strlen(path), ".tsv") ? '\t' : ',', v);
      break;
    case DATA_BINARY: value_write_binary(&text, v); break;
    case DATA_NPZ:
    case DATA_TEXT: value_print(&text, v), text_putc(&text, '\n'); break;
  }
  if (fits) bytes_save(&text, path);
  else {
    text_free(&text);
    fail_io("'%s': an array of %d dimensions is no table; write a .npy file", path, v->rank);
  }
}

// Values one after the other, as programs read them.
static void sequence_write(const char *path, const Value *values, int count) {
  Text text = {0};
  for (int i = 0; i < count; i++) {
    if (data_format(path) == DATA_BINARY) value_write_binary(&text, &values[i]);
    else value_print(&text, &values[i]), text_putc(&text, '\n');
  }
  bytes_save(&text, path);
}

static bool table_write(const char *path, const Words *names, const Value *values) {
  Text text = {0};
  char delimiter = ends_with(path, strlen(path), ".tsv") ? '\t' : ',';
  if (!csv_write_table(&text, delimiter, names->at, values, names->len)) return false;
  bytes_save(&text, path);
  return true;
}

static void each_write(Arena *arena, const char *path, const Words *names, const Value *values) {
  for (int i = 0; i < names->len; i++) {
    const char *name = *names->at[i] ? names->at[i] : arena_printf(arena, "%d", i);
    if (strchr(name, '/')) fail_io("'%s' is no part of the name of a file", name);
    one_write(with_suffix(arena, path, name), &values[i]);
  }
}

void data_write(Arena *arena, const char *path, const Words *names, const Value *values) {
  DataFormat format = data_format(path);
  if (ends_with(path, strlen(path), ".gz")) fail_io("'%s': files are written uncompressed", path);
  if (format == DATA_NPZ) {
    Text text = {0};
    Words members = {0};
    for (int i = 0; i < names->len; i++)
      list_push(arena, &members,
                *names->at[i] ? names->at[i] : arena_printf(arena, "arr_%d", i));
    npz_write(&text, members.at, values, members.len);
    bytes_save(&text, path);
  } else if (format == DATA_TEXT || format == DATA_BINARY) {
    sequence_write(path, values, names->len);
  } else if (names->len == 1) {
    one_write(path, values);
  } else if (format != DATA_CSV || !*names->at[0] || !table_write(path, names, values)) {
    each_write(arena, path, names, values);
  }
}
