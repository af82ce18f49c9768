// io: values as text and in the binary format.  Written for hostile input: sizes are checked
// before they are believed, memory grows with the data that really arrives, nesting is limited.
// Used by executables and servers, and by the compiler itself (src/values).
//
//   text    1i32  -2  0x1f  3.5f32  f32.nan  -f64.inf  true  [1, 2]  [[1, 2], [3, 4]]
//           empty([0][3]i32); suffixes are optional where the type is known, `_` may separate
//           digits, `--` starts a comment
//   binary  'b' 2 rank type(4 characters) rank * i64 payload, little endian
#ifndef DZ_IO_H
#define DZ_IO_H
#include "base.h"
#include "abi.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DZ_RANK_MAX 16

static const char *const dz_prim_names[DZ_PRIM_COUNT] = {
    "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"};
static const uint8_t dz_prim_sizes[DZ_PRIM_COUNT] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};

DZ_FN bool dz_prim_is_int(DzPrim p) { return p <= DZ_U64; }
DZ_FN bool dz_prim_is_float(DzPrim p) { return p == DZ_F16 || p == DZ_F32 || p == DZ_F64; }

// One value in separate memory (malloc).
typedef struct DzValue {
  DzPrim prim;
  int rank;
  int64_t shape[DZ_RANK_MAX];
  int64_t count;  // elements
  char *data;
  size_t cap;     // bytes allocated
} DzValue;

DZ_FN void dz_value_free(DzValue *v) {
  free(v->data);
  v->data = NULL;
}

// The number of elements, or -1 when it (times `size`) does not fit or a dimension is negative.
DZ_FN int64_t dz_shape_count(int rank, const int64_t *shape, int64_t size) {
  int64_t count = 1, bytes;
  bool zero = false;
  for (int i = 0; i < rank; i++) {
    if (shape[i] < 0) return -1;
    zero |= shape[i] == 0;
  }
  if (zero) return 0;
  for (int i = 0; i < rank; i++)
    if (__builtin_mul_overflow(count, shape[i], &count)) return -1;
  return __builtin_mul_overflow(count, size, &bytes) ? -1 : count;
}

// ---- writing ---------------------------------------------------------------------------------
// Where text goes: a file, or a buffer (malloc) when file is NULL.
typedef struct DzSink {
  FILE *file;
  char *at;
  size_t len, cap;
  bool failed;  // out of memory, or the file refused
} DzSink;

DZ_FN void dz_put(DzSink *s, const void *data, size_t n) {
  if (s->failed || n == 0) return;
  if (s->file != NULL) {
    s->failed = fwrite(data, 1, n, s->file) != n;
    return;
  }
  if (s->cap - s->len <= n) {
    size_t cap = 2 * s->cap + n + 64;
    char *at = (char *)realloc(s->at, cap);
    if (at == NULL) {
      s->failed = true;
      return;
    }
    s->at = at;
    s->cap = cap;
  }
  memcpy(s->at + s->len, data, n);
  s->len += n;
  s->at[s->len] = 0;
}

DZ_FN void dz_puts(DzSink *s, const char *text) { dz_put(s, text, strlen(text)); }

__attribute__((format(printf, 2, 3))) DZ_FN void dz_putf(DzSink *s, const char *fmt, ...) {
  char buffer[512];
  va_list args;
  va_start(args, fmt);
  int n = vsnprintf(buffer, sizeof buffer, fmt, args);
  va_end(args);
  if (n > 0) dz_put(s, buffer, (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
}

DZ_FN void dz_put_unsigned(DzSink *s, bool negative, uint64_t u) {
  char buffer[24], *p = buffer + sizeof buffer;
  do *--p = (char)('0' + u % 10);
  while ((u /= 10) != 0);
  if (negative) *--p = '-';
  dz_put(s, p, (size_t)(buffer + sizeof buffer - p));
}

DZ_FN void dz_put_int(DzSink *s, int64_t i) {
  dz_put_unsigned(s, i < 0, i < 0 ? 0 - (uint64_t)i : (uint64_t)i);
}

DZ_FN void dz_put_float(DzSink *s, double x, int digits, const char *type) {
  if (x != x) dz_putf(s, "%s.nan", type);
  else if (x - x != 0) dz_putf(s, "%s%s.inf", x < 0 ? "-" : "", type);
  else dz_putf(s, "%.*g%s", digits, x, type);
}

DZ_FN int64_t dz_int_at(DzPrim prim, const char *p) {
  int8_t a;
  int16_t b;
  int32_t c;
  int64_t d;
  switch (dz_prim_sizes[prim]) {
    case 1: memcpy(&a, p, 1); return prim == DZ_I8 ? a : (uint8_t)a;
    case 2: memcpy(&b, p, 2); return prim == DZ_I16 ? b : (uint16_t)b;
    case 4: memcpy(&c, p, 4); return prim == DZ_I32 ? (int64_t)c : (int64_t)(uint32_t)c;
    default: memcpy(&d, p, 8); return d;
  }
}

DZ_FN double dz_float_at(DzPrim prim, const char *p) {
  dz_f16 a;
  float b;
  double c;
  switch (dz_prim_sizes[prim]) {
    case 2: memcpy(&a, p, 2); return dz_conv_f16_f64(a);
    case 4: memcpy(&b, p, 4); return (double)b;
    default: memcpy(&c, p, 8); return c;
  }
}

DZ_FN void dz_put_scalar(DzSink *s, DzPrim prim, const char *p) {
  if (prim == DZ_BOOL) dz_puts(s, *p ? "true" : "false");
  else if (dz_prim_is_float(prim))
    dz_put_float(s, dz_float_at(prim, p), prim == DZ_F64 ? 17 : 9, dz_prim_names[prim]);
  else {
    int64_t i = dz_int_at(prim, p);
    if (prim == DZ_U64) dz_put_unsigned(s, false, (uint64_t)i);
    else dz_put_int(s, i);
    dz_puts(s, dz_prim_names[prim]);
  }
}

DZ_FN const char *dz_put_rows(DzSink *s, DzPrim prim, int rank, const int64_t *shape,
                              const char *p) {
  if (rank == 0) {
    dz_put_scalar(s, prim, p);
    return p + dz_prim_sizes[prim];
  }
  dz_puts(s, "[");
  for (int64_t i = 0; i < shape[0]; i++) {
    if (i > 0) dz_puts(s, ", ");
    p = dz_put_rows(s, prim, rank - 1, shape + 1, p);
  }
  dz_puts(s, "]");
  return p;
}

DZ_FN void dz_put_text(DzSink *s, DzPrim prim, int rank, const int64_t *shape, const char *data) {
  bool empty = false;
  for (int i = 0; i < rank; i++) empty |= shape[i] == 0;
  if (!empty) {
    dz_put_rows(s, prim, rank, shape, data);
    return;
  }
  dz_puts(s, "empty(");
  for (int i = 0; i < rank; i++) dz_putf(s, "[%" PRId64 "]", shape[i]);
  dz_putf(s, "%s)", dz_prim_names[prim]);
}

DZ_FN void dz_put_binary(DzSink *s, DzPrim prim, int rank, const int64_t *shape,
                         const char *data) {
  char head[8] = {'b', 2, (char)rank, ' ', ' ', ' ', ' ', 0};
  const char *name = dz_prim_names[prim];
  memcpy(head + 7 - strlen(name), name, strlen(name));
  dz_put(s, head, 7);
  dz_put(s, shape, sizeof *shape * (size_t)rank);
  int64_t count = dz_shape_count(rank, shape, dz_prim_sizes[prim]);
  dz_put(s, data, (size_t)count * dz_prim_sizes[prim]);
}

// ---- reading: characters --------------------------------------------------------------------
// A source of characters: memory from `at` to `end`, refilled from `file` unless that is NULL.
typedef struct DzReader {
  FILE *file;
  const char *at, *end;
  char *buffer;
  int64_t line, column;  // of the next character, from 1
  bool strings;          // also read "abc" as [3]u8
  char error[256];       // "" while all is well
} DzReader;

#define DZ_READ_BUFFER 65536

DZ_FN void dz_reader_memory(DzReader *r, const char *text, size_t len) {
  *r = (DzReader){.at = text, .end = text + len, .line = 1, .column = 1};
}

DZ_FN bool dz_reader_file(DzReader *r, FILE *file) {
  *r = (DzReader){.file = file, .line = 1, .column = 1};
  r->buffer = (char *)malloc(DZ_READ_BUFFER);
  r->at = r->end = r->buffer;
  return r->buffer != NULL;
}

DZ_FN void dz_reader_free(DzReader *r) { free(r->buffer); }

__attribute__((format(printf, 2, 3))) DZ_FN bool dz_reader_fail(DzReader *r, const char *fmt, ...) {
  if (r->error[0] != 0) return false;
  int n = snprintf(r->error, sizeof r->error, "line %" PRId64 ", column %" PRId64 ": ", r->line,
                   r->column);
  va_list args;
  va_start(args, fmt);
  vsnprintf(r->error + n, sizeof r->error - (size_t)n, fmt, args);
  va_end(args);
  return false;
}

DZ_FN bool dz_reader_fill(DzReader *r) {
  if (r->file == NULL) return false;
  size_t n = fread(r->buffer, 1, DZ_READ_BUFFER, r->file);
  r->at = r->buffer;
  r->end = r->buffer + n;
  return n > 0;
}

// The next character, or -1 at the end.
DZ_FN int dz_peek(DzReader *r) {
  if (r->at == r->end && !dz_reader_fill(r)) return -1;
  return (unsigned char)*r->at;
}

DZ_FN int dz_next(DzReader *r) {
  int c = dz_peek(r);
  if (c < 0) return c;
  r->at++;
  if (c == '\n') r->line++, r->column = 1;
  else r->column++;
  return c;
}

DZ_FN bool dz_read_bytes(DzReader *r, char *out, size_t n) {
  while (n > 0) {
    if (r->at == r->end && !dz_reader_fill(r)) return false;
    size_t have = (size_t)(r->end - r->at), take = have < n ? have : n;
    memcpy(out, r->at, take);
    r->at += take;
    out += take;
    n -= take;
  }
  return true;
}

// Whether a comment starts here.  A lone '-' begins a number.
DZ_FN bool dz_at_comment(DzReader *r) {
  if (dz_peek(r) != '-') return false;
  if (r->end - r->at == 1 && r->file != NULL) {
    r->buffer[0] = '-';
    r->at = r->buffer;
    r->end = r->buffer + 1 + fread(r->buffer + 1, 1, DZ_READ_BUFFER - 1, r->file);
  }
  return r->end - r->at >= 2 && r->at[1] == '-';
}

// White space and comments.
DZ_FN void dz_skip(DzReader *r) {
  for (;;) {
    int c = dz_peek(r);
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') dz_next(r);
    else if (dz_at_comment(r))
      while ((c = dz_peek(r)) >= 0 && c != '\n') dz_next(r);
    else return;
  }
}

// ---- reading: scalars ------------------------------------------------------------------------
#define DZ_TOKEN_MAX 1200

DZ_FN bool dz_is_word(int c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || c == '-' || c == '+';
}

// A run of word characters without the underscores between digits.  A sign ends it unless it
// belongs to an exponent.
DZ_FN bool dz_read_token(DzReader *r, char *out) {
  size_t n = 0;
  while (dz_is_word(dz_peek(r))) {
    bool sign = dz_peek(r) == '-' || dz_peek(r) == '+';
    if (sign && n > 0 && strchr("eEpP", out[n - 1]) == NULL) break;
    if (n + 1 >= DZ_TOKEN_MAX) return dz_reader_fail(r, "number is too long");
    int c = dz_next(r);
    if (c != '_') out[n++] = (char)c;
  }
  out[n] = 0;
  if (n > 0) return true;
  int c = dz_peek(r);
  if (c < 0) return dz_reader_fail(r, "unexpected end of input");
  return dz_reader_fail(r, c < 127 && c > 31 ? "unexpected '%c'" : "unexpected byte %d", c);
}

// Splits the type suffix off a number; DZ_PRIM_COUNT: there is none.
DZ_FN DzPrim dz_token_suffix(char *token) {
  size_t n = strlen(token);
  bool hex = strncmp(token + (token[0] == '-' || token[0] == '+'), "0x", 2) == 0;
  for (int p = DZ_I8; p <= DZ_F64; p++) {
    size_t k = strlen(dz_prim_names[p]);
    if (n <= k || strcmp(token + n - k, dz_prim_names[p]) != 0) continue;
    // 0x1f32 is an integer; 0x1.8p3f32 has a suffix.
    if (hex && dz_prim_is_float((DzPrim)p) && strchr(token, 'p') == NULL) continue;
    token[n - k] = 0;
    return (DzPrim)p;
  }
  return DZ_PRIM_COUNT;
}

// Digits in base 2, 10 or 16 after an optional sign.
DZ_FN bool dz_token_int(const char *t, bool *negative, uint64_t *out) {
  *negative = *t == '-';
  if (*t == '-' || *t == '+') t++;
  unsigned base = 10;
  if (t[0] == '0' && (t[1] == 'x' || t[1] == 'X')) base = 16, t += 2;
  else if (t[0] == '0' && (t[1] == 'b' || t[1] == 'B')) base = 2, t += 2;
  if (*t == 0) return false;
  uint64_t u = 0;
  for (; *t != 0; t++) {
    unsigned d = *t >= '0' && *t <= '9'   ? (unsigned)(*t - '0')
                 : *t >= 'a' && *t <= 'f' ? (unsigned)(*t - 'a' + 10)
                 : *t >= 'A' && *t <= 'F' ? (unsigned)(*t - 'A' + 10)
                                          : 99;
    if (d >= base) return false;
    if (__builtin_mul_overflow(u, (uint64_t)base, &u)) return false;
    if (__builtin_add_overflow(u, (uint64_t)d, &u)) return false;
  }
  *out = u;
  return true;
}

// Decimal and C's hexadecimal floats; not the words and forms that strtod reads besides.
DZ_FN bool dz_token_is_float(const char *t) {
  if (*t == '-' || *t == '+') t++;
  bool hex = t[0] == '0' && (t[1] == 'x' || t[1] == 'X');
  if (!((*t >= '0' && *t <= '9') || *t == '.')) return false;
  for (; *t != 0; t++)
    if (!((*t >= '0' && *t <= '9') || *t == '.' || *t == 'e' || *t == 'E' || *t == '+' ||
          *t == '-' || (hex && strchr("xXpPabcdfABCDF", *t) != NULL)))
      return false;
  return true;
}

DZ_FN void dz_store_float(DzPrim prim, double x, float narrow, char *out) {
  dz_f16 h = dz_conv_f64_f16(x);
  if (prim == DZ_F64) memcpy(out, &x, 8);
  else if (prim == DZ_F32) memcpy(out, &narrow, 4);
  else memcpy(out, &h, 2);
}

// "f32.nan", "-inf" and so on; the type, if there, must be the wanted one.
DZ_FN bool dz_token_special(const char *t, DzPrim *prim, double *x) {
  bool negative = *t == '-';
  t += negative;
  for (int p = DZ_F16; p <= DZ_F64; p++) {
    size_t k = strlen(dz_prim_names[p]);
    if (strncmp(t, dz_prim_names[p], k) != 0 || t[k] != '.') continue;
    if (*prim != DZ_PRIM_COUNT && *prim != (DzPrim)p) return false;
    *prim = (DzPrim)p;
    t += k + 1;
    break;
  }
  if (strcmp(t, "nan") == 0) *x = (double)NAN;
  else if (strcmp(t, "inf") == 0) *x = negative ? -(double)INFINITY : (double)INFINITY;
  else return false;
  if (*prim == DZ_PRIM_COUNT) *prim = DZ_F64;
  return true;
}

DZ_FN bool dz_convert_float(char *token, DzPrim prim, char *out) {
  char *end;
  bool negative;
  uint64_t u;
  if (!dz_token_is_float(token) && !dz_token_int(token, &negative, &u)) return false;
  double x = strtod(token, &end);
  if (*end != 0) return false;
  dz_store_float(prim, x, strtof(token, &end), out);
  return true;
}

// An integer that fits the type's width as signed or as unsigned number.
DZ_FN bool dz_convert_int(const char *token, DzPrim prim, char *out) {
  bool negative;
  uint64_t u;
  int bits = 8 * dz_prim_sizes[prim];
  if (!dz_token_int(token, &negative, &u)) return false;
  if (negative ? u > (uint64_t)1 << (bits - 1) : bits < 64 && u >> bits != 0) return false;
  if (negative) u = 0 - u;
  memcpy(out, &u, dz_prim_sizes[prim]);
  return true;
}

// Reads one scalar.  *prim == DZ_PRIM_COUNT: any type, which is then set.
DZ_FN bool dz_read_scalar(DzReader *r, DzPrim *prim, char *out) {
  char token[DZ_TOKEN_MAX], whole[DZ_TOKEN_MAX];
  double x;
  DzPrim want = *prim;
  int64_t column = r->column;
  if (!dz_read_token(r, token)) return false;
  memcpy(whole, token, strlen(token) + 1);
  bool is_bool = strcmp(token, "true") == 0 || strcmp(token, "false") == 0;
  if (is_bool && (want == DZ_BOOL || want == DZ_PRIM_COUNT)) {
    *prim = DZ_BOOL;
    *out = token[0] == 't';
    return true;
  }
  if ((want == DZ_PRIM_COUNT || dz_prim_is_float(want)) && dz_token_special(token, prim, &x)) {
    dz_store_float(*prim, x, (float)x, out);
    return true;
  }
  DzPrim suffix = dz_token_suffix(token);
  bool negative;
  uint64_t u;
  if (want == DZ_PRIM_COUNT)
    *prim = suffix != DZ_PRIM_COUNT ? suffix : dz_token_int(token, &negative, &u) ? DZ_I32 : DZ_F64;
  bool good = suffix == DZ_PRIM_COUNT || suffix == *prim;
  if (good && dz_prim_is_int(*prim)) good = dz_convert_int(token, *prim, out);
  else if (good) good = dz_prim_is_float(*prim) && dz_convert_float(token, *prim, out);
  if (good) return true;
  r->column = column;
  return dz_reader_fail(r, "expected a value of type %s, found \"%.60s\"",
                        want == DZ_PRIM_COUNT ? "some scalar" : dz_prim_names[want], whole);
}

// ---- reading: text ---------------------------------------------------------------------------
DZ_FN bool dz_value_grow(DzReader *r, DzValue *v, size_t bytes) {
  if (bytes <= v->cap) return true;
  size_t cap = 2 * v->cap + 256 > bytes ? 2 * v->cap + 256 : bytes;
  char *data = (char *)realloc(v->data, cap);
  if (data == NULL) return dz_reader_fail(r, "out of memory for a value of %zu bytes", bytes);
  v->data = data;
  v->cap = cap;
  return true;
}

DZ_FN bool dz_read_element(DzReader *r, DzValue *v) {
  char scalar[8];
  if (!dz_read_scalar(r, &v->prim, scalar)) return false;
  size_t size = dz_prim_sizes[v->prim], used = (size_t)v->count * size;
  if (!dz_value_grow(r, v, used + size)) return false;
  memcpy(v->data + used, scalar, size);
  v->count++;
  return true;
}

// The end of an array at `depth` with n rows: the number of its siblings' rows.
DZ_FN bool dz_close_rows(DzReader *r, DzValue *v, int depth, int64_t n) {
  if (v->shape[depth] >= 0 && v->shape[depth] != n)
    return dz_reader_fail(r, "irregular array: a row of %" PRId64 " elements after one of %" PRId64,
                          n, v->shape[depth]);
  v->shape[depth] = n;
  return true;
}

// v->rank < 0: the rank is not known yet.
DZ_FN bool dz_read_rows(DzReader *r, DzValue *v, int depth) {
  if (depth >= DZ_RANK_MAX || (v->rank >= 0 && depth >= v->rank))
    return dz_reader_fail(r, "unexpected '[': array has too many dimensions");
  dz_next(r);
  for (int64_t n = 0;; n++) {
    dz_skip(r);
    if (dz_peek(r) == ']') {
      dz_next(r);
      if (v->rank < 0) v->rank = depth + 1;
      return dz_close_rows(r, v, depth, n);
    }
    bool row = dz_peek(r) == '[';
    if (!row && v->rank < 0) v->rank = depth + 1;
    if (!row && v->rank != depth + 1) return dz_reader_fail(r, "expected '['");
    if (row ? !dz_read_rows(r, v, depth + 1) : !dz_read_element(r, v)) return false;
    dz_skip(r);
    if (dz_peek(r) == ',') dz_next(r);
    else if (dz_peek(r) != ']') return dz_reader_fail(r, "expected ',' or ']'");
  }
}

// The character after a backslash in a string.
DZ_FN int dz_read_escape(DzReader *r) {
  int c = dz_next(r);
  if (c == 'n') return '\n';
  if (c == 't') return '\t';
  if (c == 'r') return '\r';
  if (c == '0') return 0;
  return c;
}

DZ_FN bool dz_read_string(DzReader *r, DzValue *v) {
  if ((v->prim != DZ_U8 && v->prim != DZ_PRIM_COUNT) || (v->rank != 1 && v->rank >= 0))
    return dz_reader_fail(r, "unexpected string");
  v->prim = DZ_U8;
  v->rank = 1;
  dz_next(r);
  for (int c; (c = dz_next(r)) != '"'; v->count++) {
    if (c == '\\') c = dz_read_escape(r);
    if (c < 0) return dz_reader_fail(r, "string without an end");
    if (!dz_value_grow(r, v, (size_t)v->count + 1)) return false;
    v->data[v->count] = (char)c;
  }
  v->shape[0] = v->count;
  return true;
}

// empty([0][3]i32), after its first word.
DZ_FN bool dz_read_empty(DzReader *r, DzValue *v) {
  char token[DZ_TOKEN_MAX];
  int rank = 0;
  bool negative;
  uint64_t n;
  dz_skip(r);
  if (dz_peek(r) != '(') return dz_reader_fail(r, "expected '(' after \"empty\"");
  dz_next(r);
  for (dz_skip(r); dz_peek(r) == '['; dz_skip(r)) {
    dz_next(r);
    dz_skip(r);
    if (rank == DZ_RANK_MAX) return dz_reader_fail(r, "too many dimensions");
    if (!dz_read_token(r, token)) return false;
    if (!dz_token_int(token, &negative, &n) || (negative && n != 0) || n > INT64_MAX)
      return dz_reader_fail(r, "invalid dimension \"%.60s\"", token);
    v->shape[rank++] = (int64_t)n;
    dz_skip(r);
    if (dz_next(r) != ']') return dz_reader_fail(r, "expected ']'");
  }
  if (!dz_read_token(r, token)) return false;
  int p = 0;
  while (p < DZ_PRIM_COUNT && strcmp(dz_prim_names[p], token) != 0) p++;
  if (p == DZ_PRIM_COUNT) return dz_reader_fail(r, "unknown type \"%.60s\"", token);
  dz_skip(r);
  if (dz_next(r) != ')') return dz_reader_fail(r, "expected ')'");
  if ((v->rank >= 0 && v->rank != rank) || (v->prim != DZ_PRIM_COUNT && v->prim != (DzPrim)p))
    return dz_reader_fail(r, "empty array of another type than expected");
  v->rank = rank;
  v->prim = (DzPrim)p;
  if (dz_shape_count(rank, v->shape, 1) != 0 || rank == 0)
    return dz_reader_fail(r, "\"empty\" needs a dimension of size 0");
  return true;
}

DZ_FN bool dz_read_text(DzReader *r, DzValue *v) {
  for (int i = 0; i < DZ_RANK_MAX; i++) v->shape[i] = -1;
  bool good;
  if (dz_peek(r) == 'e' && v->rank != 0) {
    char token[DZ_TOKEN_MAX];
    if (!dz_read_token(r, token)) return false;
    if (strcmp(token, "empty") != 0) return dz_reader_fail(r, "unexpected \"%.60s\"", token);
    good = dz_read_empty(r, v);
  } else if (dz_peek(r) == '[') good = dz_read_rows(r, v, 0);
  else if (dz_peek(r) == '"' && r->strings) good = dz_read_string(r, v);
  else if (v->rank > 0)
    return dz_reader_fail(r, dz_peek(r) < 0 ? "unexpected end of input" : "expected '['");
  else {
    v->rank = 0;
    good = dz_read_element(r, v);
  }
  for (int i = 0; i < v->rank; i++)
    if (v->shape[i] < 0) v->shape[i] = 0;
  if (good && v->prim == DZ_PRIM_COUNT)
    return dz_reader_fail(r, "cannot tell the element type of an empty array");
  return good;
}

// ---- reading: binary -------------------------------------------------------------------------
DZ_FN bool dz_binary_type(DzReader *r, DzValue *v, const char *name) {
  for (int p = 0; p < DZ_PRIM_COUNT; p++) {
    size_t k = strlen(dz_prim_names[p]);
    bool same = memcmp(name, "    ", 4 - k) == 0 && memcmp(name + 4 - k, dz_prim_names[p], k) == 0;
    if (!same) continue;
    if (v->prim != DZ_PRIM_COUNT && v->prim != (DzPrim)p)
      return dz_reader_fail(r, "expected elements of type %s, found %s", dz_prim_names[v->prim],
                            dz_prim_names[p]);
    v->prim = (DzPrim)p;
    return true;
  }
  return dz_reader_fail(r, "binary value has an unknown element type");
}

DZ_FN bool dz_binary_head(DzReader *r, DzValue *v) {
  char head[7];
  if (!dz_read_bytes(r, head, sizeof head)) return dz_reader_fail(r, "binary value is truncated");
  if (head[1] != 2) return dz_reader_fail(r, "binary format has version %d, expected 2", head[1]);
  int rank = (unsigned char)head[2];
  if (rank > DZ_RANK_MAX) return dz_reader_fail(r, "binary value has rank %d", rank);
  if (v->rank >= 0 && v->rank != rank)
    return dz_reader_fail(r, "expected %d dimensions, found %d", v->rank, rank);
  v->rank = rank;
  if (!dz_binary_type(r, v, head + 3)) return false;
  if (!dz_read_bytes(r, (char *)v->shape, sizeof(int64_t) * (size_t)rank))
    return dz_reader_fail(r, "binary value is truncated");
  v->count = dz_shape_count(rank, v->shape, dz_prim_sizes[v->prim]);
  if (v->count < 0) return dz_reader_fail(r, "binary value has an impossible shape");
  return true;
}

DZ_FN bool dz_read_binary(DzReader *r, DzValue *v) {
  if (!dz_binary_head(r, v)) return false;
  size_t total = (size_t)v->count * dz_prim_sizes[v->prim], used = 0;
  while (used < total) {
    size_t step = total - used, most = used + (1 << 20);
    if (step > most) step = most;
    if (!dz_value_grow(r, v, used + step)) return false;
    if (!dz_read_bytes(r, v->data + used, step))
      return dz_reader_fail(r, "binary value is truncated: %zu bytes of payload expected", total);
    used += step;
  }
  if (v->prim == DZ_BOOL)
    for (int64_t i = 0; i < v->count; i++) v->data[i] = v->data[i] != 0;
  return true;
}

// ---- reading: values -------------------------------------------------------------------------
// Reads one value in either format.  want == NULL: of any type.  On success *v has memory of its
// own; on failure nothing, and r->error says what is wrong.
DZ_FN bool dz_read_value(DzReader *r, const DzLeaf *want, DzValue *v) {
  *v = (DzValue){.prim = DZ_PRIM_COUNT, .rank = -1};
  if (want != NULL) v->prim = want->prim, v->rank = want->rank;
  dz_skip(r);
  if (dz_value_grow(r, v, 8) && (dz_peek(r) == 'b' ? dz_read_binary(r, v) : dz_read_text(r, v)))
    return true;
  dz_value_free(v);
  return false;
}

// Whether nothing but white space and comments is left.
DZ_FN bool dz_read_end(DzReader *r) {
  dz_skip(r);
  return dz_peek(r) < 0;
}
#endif
