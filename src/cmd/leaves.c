// Values of any type between this process and an executable, in the binary format:
//   value = scalar or array: "b", version, rank, type, shape, elements
//         | tuple: its components
//         | any other type: "DZO1", length of its name (8 bytes), its name, its leaves
#include "property.h"
#include <string.h>

static const char magic[] = "DZO1";
enum { MAGIC_LEN = 4, VALUE_HEAD = 7 };  // "b", version, rank, four characters of the type

static bool is_plain(const AbiType *t) { return t->kind == ABI_SCALAR || t->kind == ABI_ARRAY; }

// Element types as executables have them: constructors of sums are u8 there.
static void wire_prims(Arena *arena, const AbiType *t, Prim *out);

static void payload_prims(Arena *arena, const AbiType *t, int c, Prim *out) {
  const int *slots = t->slots.at[c].at;
  for (int p = 0; p < t->payloads.at[c].len; p++) {
    const AbiType *type = t->payloads.at[c].at[p];
    Prim *own = NEW_ARRAY(arena, Prim, type->leaves + 1);
    wire_prims(arena, type, own);
    for (int i = 0; i < type->leaves; i++) out[*slots++] = own[i];
  }
}

static void wire_prims(Arena *arena, const AbiType *t, Prim *out) {
  switch (t->kind) {
    case ABI_SCALAR:
    case ABI_ARRAY: *out = t->prim; break;
    case ABI_RECORD:
      for (int i = 0; i < t->fields.len; i++) {
        wire_prims(arena, t->fields.at[i], out);
        out += t->fields.at[i]->leaves;
      }
      break;
    case ABI_OPAQUE_ARRAY: wire_prims(arena, t->fields.at[0], out); break;
    case ABI_SUM:
      for (int i = 0; i < t->leaves; i++) out[i] = PRIM_U8;
      for (int c = 0; c < t->payloads.len; c++) payload_prims(arena, t, c, out);
      break;
  }
}

// Where the bytes go: a text, or a file.
typedef struct {
  Text *text;
  FILE *file;
} Sink;

static void sink_write(const Sink *s, const char *bytes, size_t len) {
  if (s->text) text_write(s->text, bytes, len);
  else if (len) fwrite(bytes, 1, len, s->file);
}

static void value_send(const Sink *s, const Value *v) {
  Text head = {0};
  value_write_head(&head, v);
  sink_write(s, head.at, head.len);
  sink_write(s, v->data, (size_t)v->len * (size_t)prim_info[v->prim].bytes);
  text_free(&head);
}

static void leaves_send(const Sink *s, Arena *arena, const AbiType *type, const Value **leaves) {
  bool tuple = type->kind == ABI_RECORD && type->is_tuple;
  for (int i = 0; tuple && i < type->fields.len; i++)
    leaves_send(s, arena, type->fields.at[i], leaves);
  if (tuple) return;
  int64_t n = (int64_t)strlen(type->name);
  if (!is_plain(type)) {
    sink_write(s, magic, MAGIC_LEN);
    sink_write(s, (const char *)&n, sizeof n);
    sink_write(s, type->name, (size_t)n);
  }
  Prim *prims = NEW_ARRAY(arena, Prim, type->leaves + 1);
  wire_prims(arena, type, prims);
  for (int i = 0; i < type->leaves; i++) {
    Value v = *(*leaves)++;
    v.prim = prims[i];
    value_send(s, &v);
  }
}

void leaves_write(Text *out, Arena *arena, const AbiType *type, const Value **leaves) {
  leaves_send(&(Sink){.text = out}, arena, type, leaves);
}

void leaves_save(FILE *out, Arena *arena, const AbiType *type, const Value **leaves) {
  leaves_send(&(Sink){.file = out}, arena, type, leaves);
}

typedef struct {
  Text *values;  // those read so far, without the heads of their types
  const char *at, *end;
} Stream;

static bool stream_take(Stream *s, size_t n) {
  if ((size_t)(s->end - s->at) < n) return false;
  text_write(s->values, s->at, n);
  s->at += n;
  return true;
}

static Prim value_prim(const char *name) {
  char word[5] = {0};
  Prim prim = PRIM_COUNT;
  memcpy(word, name + strspn(name, " "), 4 - strspn(name, " "));
  return prim_named(word, &prim) ? prim : PRIM_COUNT;
}

static bool value_take(Stream *s) {
  if (s->end - s->at < VALUE_HEAD) return false;
  char type[5] = {s->at[3], s->at[4], s->at[5], s->at[6], 0};
  int rank = (unsigned char)s->at[2];
  Prim prim = value_prim(type);
  if (prim == PRIM_COUNT || s->end - s->at < VALUE_HEAD + 8 * rank) return false;
  uint64_t count = 1, bytes;
  for (int d = 0; d < rank; d++) {
    uint64_t size;
    memcpy(&size, s->at + VALUE_HEAD + 8 * d, sizeof size);
    if (__builtin_mul_overflow(count, size, &count)) return false;
  }
  if (__builtin_mul_overflow(count, (uint64_t)prim_info[prim].bytes, &bytes)) return false;
  return stream_take(s, VALUE_HEAD + 8 * (size_t)rank) && stream_take(s, bytes);
}

static bool type_take(Stream *s, const AbiType *type) {
  if (type->kind == ABI_RECORD && type->is_tuple) {
    for (int i = 0; i < type->fields.len; i++)
      if (!type_take(s, type->fields.at[i])) return false;
    return true;
  }
  size_t head = MAGIC_LEN + sizeof(int64_t) + strlen(type->name);
  if (!is_plain(type)) {
    if ((size_t)(s->end - s->at) < head || memcmp(s->at, magic, MAGIC_LEN) != 0) return false;
    s->at += head;
  }
  for (int i = 0; i < type->leaves; i++)
    if (!value_take(s)) return false;
  return true;
}

bool leaves_read(Arena *arena, const AbiType *type, const char *bytes, size_t len, Values *out) {
  Text values = {0};
  Stream s = {&values, bytes, bytes + len};
  const char *error;
  bool ok = type_take(&s, type) && s.at == s.end &&
            values_read(arena, values.at ? values.at : "", values.len, NULL, 0, out, &error);
  text_free(&values);
  return ok && out->len == type->leaves;
}
