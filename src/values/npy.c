// NumPy's file of one array (.npy, versions 1 to 3): a magic number, the version, the length of the
// header, the header (a Python dictionary with the keys descr, fortran_order and shape), and the
// elements.  Written little-endian, row-major, as version 1.
#include "local.h"
#include <stdarg.h>
#include <string.h>

enum { MAGIC_LEN = 6, VERSION_LEN = 2, ALIGN = 64, WORD_MOST = 64 };
static const char magic[] = "\x93NUMPY";

typedef struct {
  Arena *arena;
  const char **error;
  const char *at, *end;  // of what is left of the header
  char descr[WORD_MOST];
  bool fortran, has_descr, has_fortran, has_shape;
  int rank;
  int64_t shape[VALUE_MOST_RANK];
  Prim prim;
  bool swapped;
} Header;

bool data_fail(Arena *arena, const char **error, const char *fmt, ...) {
  Text text = {0};
  va_list args;
  va_start(args, fmt);
  text_vprintf(&text, fmt, args);
  va_end(args);
  *error = arena_strdup(arena, text.at);
  text_free(&text);
  return false;
}

bool shape_fits(int rank, const int64_t *shape, int64_t size, size_t bytes, int64_t *len) {
  *len = 1;
  for (int d = 0; d < rank; d++) {
    if (shape[d] < 0) return false;
    if (shape[d] == 0) *len = 0;
  }
  for (int d = 0; d < rank && *len; d++)
    if (__builtin_mul_overflow(*len, shape[d], len)) return false;
  int64_t need;
  return !__builtin_mul_overflow(*len, size, &need) && (uint64_t)need <= bytes;
}

// ---- the header's dictionary ------------------------------------------------------------------
static void blanks_skip(Header *h) {
  while (h->at < h->end && strchr(" \t\r\n", *h->at) && *h->at) h->at++;
}

static bool accept(Header *h, const char *word) {
  blanks_skip(h);
  size_t n = strlen(word);
  if ((size_t)(h->end - h->at) < n || memcmp(h->at, word, n) != 0) return false;
  h->at += n;
  return true;
}

static bool malformed(Header *h, const char *what) {
  return data_fail(h->arena, h->error, "the header of this .npy file is damaged: %s", what);
}

static bool word_read(Header *h, char *out) {
  blanks_skip(h);
  char quote = h->at < h->end ? *h->at : 0;
  if (quote != '\'' && quote != '"') return malformed(h, "a quoted word is missing");
  size_t n = 0;
  for (h->at++; h->at < h->end && *h->at != quote && n + 1 < WORD_MOST; h->at++) {
    if (*h->at < ' ' || *h->at == '\\') return malformed(h, "a word with odd characters");
    out[n++] = *h->at;
  }
  out[n] = 0;
  if (h->at == h->end || *h->at != quote) return malformed(h, "a word without an end");
  h->at++;
  return true;
}

static bool size_read(Header *h, int64_t *out) {
  const char *from = h->at;
  *out = 0;
  for (; h->at < h->end && *h->at >= '0' && *h->at <= '9'; h->at++)
    if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, *h->at - '0', out))
      return malformed(h, "a size is too large");
  if (h->at == from) return malformed(h, "a size is missing or negative");
  if (h->at < h->end && *h->at == 'L') h->at++;  // of Python 2
  return true;
}

static bool shape_read(Header *h) {
  if (!accept(h, "(")) return malformed(h, "the shape is no tuple");
  for (h->rank = 0; !accept(h, ")"); h->rank++) {
    if (h->rank == VALUE_MOST_RANK)
      return data_fail(h->arena, h->error, "more than %d dimensions", VALUE_MOST_RANK);
    if (!size_read(h, &h->shape[h->rank])) return false;
    if (!accept(h, ",") && !(blanks_skip(h), h->at < h->end && *h->at == ')'))
      return malformed(h, "the shape has no end");
  }
  return true;
}

static bool entry_read(Header *h) {
  char key[WORD_MOST];
  if (!word_read(h, key)) return false;
  if (!accept(h, ":")) return malformed(h, "a colon is missing");
  if (strcmp(key, "descr") == 0 && !h->has_descr) {
    h->has_descr = true;
    if (accept(h, "["))
      return data_fail(h->arena, h->error,
                       "a structured array: save each of its fields as an array of its own");
    return word_read(h, h->descr);
  }
  if (strcmp(key, "fortran_order") == 0 && !h->has_fortran) {
    h->has_fortran = true;
    h->fortran = accept(h, "True");
    return h->fortran || accept(h, "False") || malformed(h, "fortran_order is no truth value");
  }
  if (strcmp(key, "shape") == 0 && !h->has_shape) return h->has_shape = true, shape_read(h);
  return malformed(h, "a key that is unknown or repeated");
}

static bool dictionary_read(Header *h) {
  if (!accept(h, "{")) return malformed(h, "no dictionary");
  while (!accept(h, "}")) {
    if (!entry_read(h)) return false;
    if (!accept(h, ",") && !(blanks_skip(h), h->at < h->end && *h->at == '}'))
      return malformed(h, "the dictionary has no end");
  }
  blanks_skip(h);
  if (h->at != h->end) return malformed(h, "something follows the dictionary");
  if (h->has_descr && h->has_fortran && h->has_shape) return true;
  return malformed(h, "descr, fortran_order or shape is missing");
}

// ---- element types ----------------------------------------------------------------------------
static const struct {
  const char *code;
  Prim prim;
} codes[] = {{"i1", PRIM_I8},  {"i2", PRIM_I16}, {"i4", PRIM_I32}, {"i8", PRIM_I64},
             {"u1", PRIM_U8},  {"u2", PRIM_U16}, {"u4", PRIM_U32}, {"u8", PRIM_U64},
             {"f2", PRIM_F16}, {"f4", PRIM_F32}, {"f8", PRIM_F64}, {"b1", PRIM_BOOL}};

static const char *advice(const char *code) {
  switch (code[0]) {
    case 'c': return "complex numbers: save a.real and a.imag, two arrays";
    case 'O': return "Python objects are never read: save numbers, as in a.astype(float)";
    case 'U': case 'S': case 'a': return "text: save numbers";
    case 'M': case 'm': return "dates and durations: save a.astype('i8')";
    case 'f': return "floats of this size: save a.astype('f8')";
    case 'V': return "raw bytes: save each field as an array of its own";
    default: return "an unknown type";
  }
}

static bool type_find(Header *h) {
  const char *code = h->descr + (h->descr[0] && strchr("<>|=", h->descr[0]) ? 1 : 0);
  for (int i = 0; i < COUNT_OF(codes); i++) {
    if (strcmp(codes[i].code, code) != 0) continue;
    h->prim = codes[i].prim;
    h->swapped = h->descr[0] == '>';
    return true;
  }
  return data_fail(h->arena, h->error, "elements of type '%s': %s", h->descr, advice(code));
}

// ---- elements ---------------------------------------------------------------------------------
static void bytes_swap(char *data, int64_t len, int size) {
  for (; size > 1 && len > 0; len--, data += size)
    for (int b = 0; b < size / 2; b++) {
      char c = data[b];
      data[b] = data[size - 1 - b];
      data[size - 1 - b] = c;
    }
}

// The elements lie with the first index fastest: read in order, each goes to `place`.
static void column_major_copy(const Header *h, char *to, const char *from, int64_t len) {
  size_t size = (size_t)prim_info[h->prim].bytes;
  int64_t at[VALUE_MOST_RANK] = {0}, stride[VALUE_MOST_RANK], step = 1;
  for (int d = h->rank - 1; d >= 0; d--) stride[d] = step, step *= h->shape[d];
  int64_t place = 0;
  for (int64_t i = 0; i < len; i++) {
    memcpy(to + (size_t)place * size, from + (size_t)i * size, size);
    for (int d = 0; d < h->rank; d++) {
      place += stride[d];
      if (++at[d] < h->shape[d]) break;
      place -= stride[d] * h->shape[d];
      at[d] = 0;
    }
  }
}

static bool elements_read(Header *h, const char *from, size_t left, Value *out) {
  int64_t len, size = prim_info[h->prim].bytes;
  if (!shape_fits(h->rank, h->shape, size, left, &len)) {
    Text shape = {0};
    for (int d = 0; d < h->rank; d++) text_printf(&shape, "[%ld]", (long)h->shape[d]);
    data_fail(h->arena, h->error, "the file ends early: %zu bytes are no %s%s", left,
              shape.at ? shape.at : "", prim_info[h->prim].name);
    text_free(&shape);
    return false;
  }
  size_t bytes = (size_t)(len * size);
  if (left > bytes)
    return data_fail(h->arena, h->error, "%zu bytes follow the array", left - bytes);
  int64_t *dims = arena_copy(h->arena, h->shape, sizeof h->shape);
  *out = (Value){h->prim, h->rank, dims, len, arena_alloc(h->arena, bytes + 1)};
  if (h->fortran && bytes) column_major_copy(h, out->data, from, len);
  else if (bytes) memcpy(out->data, from, bytes);
  char *data = out->data;
  if (h->swapped) bytes_swap(data, len, (int)size);
  for (int64_t i = 0; h->prim == PRIM_BOOL && i < len; i++) data[i] = data[i] != 0;
  return true;
}

bool npy_read(Arena *arena, const char *bytes, size_t len, Value *out, const char **error) {
  Header h = {.arena = arena, .error = error};
  const unsigned char *b = (const unsigned char *)bytes;
  size_t at = MAGIC_LEN + VERSION_LEN;
  if (len < MAGIC_LEN || memcmp(bytes, magic, MAGIC_LEN) != 0)
    return data_fail(arena, error, "this is no .npy file: it does not begin with \\x93NUMPY");
  int wide = len < at ? 0 : b[MAGIC_LEN] == 1 ? 2 : b[MAGIC_LEN] <= 3 && b[MAGIC_LEN] > 1 ? 4 : 0;
  if (len >= at && !wide)
    return data_fail(arena, error, "version %d of the .npy format is not known", b[MAGIC_LEN]);
  if (len < at || len - at < (size_t)wide)
    return data_fail(arena, error, "the file ends early: in its header");
  size_t size = 0;
  for (int i = 0; i < wide; i++) size |= (size_t)b[at + (size_t)i] << (8 * i);
  at += (size_t)wide;
  if (len - at < size) return data_fail(arena, error, "the file ends early: in its header");
  h.at = bytes + at;
  h.end = h.at + size;
  if (!dictionary_read(&h) || !type_find(&h)) return false;
  return elements_read(&h, bytes + at + size, len - at - size, out);
}

// ---- writing ----------------------------------------------------------------------------------
void npy_write(Text *out, const Value *v) {
  Text head = {0};
  const char *code = "";
  for (int i = 0; i < COUNT_OF(codes); i++)
    if (codes[i].prim == v->prim) code = codes[i].code;
  text_printf(&head, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
              code[1] == '1' ? '|' : '<', code);
  for (int d = 0; d < v->rank; d++)
    text_printf(&head, "%s%ld%s", d ? ", " : "", (long)v->shape[d], v->rank == 1 ? "," : "");
  text_puts(&head, "), }");
  while ((MAGIC_LEN + VERSION_LEN + 2 + head.len + 1) % ALIGN) text_putc(&head, ' ');
  text_putc(&head, '\n');
  text_write(out, magic, MAGIC_LEN);
  char rest[] = {1, 0, (char)(head.len & 0xff), (char)(head.len >> 8)};
  text_write(out, rest, sizeof rest);
  text_write(out, head.at, head.len);
  text_write(out, v->data, (size_t)v->len * (size_t)prim_info[v->prim].bytes);
  text_free(&head);
}
