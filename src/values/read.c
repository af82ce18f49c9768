// Reading values from text: numbers with suffixes, arrays, `empty([0][3]i32)`, strings, comments.
#include "local.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool reader_fail(Reader *r, const char *fmt, ...) {
  int line = 1, col = 1;
  for (const char *p = r->start; p < r->at && p < r->end; p++) {
    col++;
    if (*p == '\n') line++, col = 1;
  }
  Text text = {0};
  text_printf(&text, "input, line %d, column %d: ", line, col);
  va_list args;
  va_start(args, fmt);
  text_vprintf(&text, fmt, args);
  va_end(args);
  *r->error = arena_strdup(r->arena, text.at);
  text_free(&text);
  return false;
}

static void space_skip(Reader *r) {
  for (;;) {
    while (r->at < r->end && isspace((unsigned char)*r->at)) r->at++;
    if (r->end - r->at < 2 || r->at[0] != '-' || r->at[1] != '-') return;
    while (r->at < r->end && *r->at != '\n') r->at++;
  }
}

static bool accept(Reader *r, const char *word) {
  size_t len = strlen(word);
  if ((size_t)(r->end - r->at) < len || memcmp(r->at, word, len) != 0) return false;
  r->at += len;
  return true;
}

// Elements read so far: kept as integers (with their sign, for -0 and what needs 64 bits) or as
// floats, rounded to both types at once, until the type is known.
typedef struct {
  bool is_float, negative;
  float narrow;
  union {
    int64_t i;
    double f;
  };
} Number;
typedef struct {
  LIST(Number) numbers;
  bool typed, any_float;  // a suffix was seen, a float literal was seen
  Prim prim;
  int rank;               // -1: not known yet
  int64_t shape[VALUE_MOST_RANK];
} Elements;

static bool word_char(char c) {
  return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '+' || c == '-';
}

static bool type_meet(Reader *r, Elements *e, Prim prim) {
  if (e->typed && e->prim != prim)
    return reader_fail(r, "a %s among values of type %s", prim_info[prim].name,
                       prim_info[e->prim].name);
  e->typed = true;
  e->prim = prim;
  return true;
}

static bool number_push(Reader *r, Elements *e, Number n) {
  e->any_float |= n.is_float;
  list_push(r->arena, &e->numbers, n);
  return true;
}

static Number float_of(double f, float narrow) {
  return (Number){.is_float = true, .narrow = narrow, .f = f};
}

// f32.nan, f64.inf, with the sign already read.
static bool named_float(Reader *r, Elements *e, const char *word, bool negative) {
  Prim prim;
  char type[4] = {word[0], word[1], word[2], 0};
  if (!prim_named(type, &prim) || !prim_is_float(prim) || word[3] != '.') return false;
  bool is_nan = strcmp(word + 4, "nan") == 0;
  if (!is_nan && strcmp(word + 4, "inf") != 0) return false;
  double f = is_nan ? (double)NAN : negative ? -(double)INFINITY : (double)INFINITY;
  return type_meet(r, e, prim) && number_push(r, e, float_of(f, (float)f));
}

// Splits a type suffix off the word; hexadecimal digits may contain f16 and f32 legitimately.
static bool suffix_split(char *word, Prim *prim) {
  size_t len = strlen(word);
  bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
  for (Prim p = 0; p < PRIM_BOOL; p++) {
    size_t n = strlen(prim_info[p].name);
    if (len <= n || strcmp(word + len - n, prim_info[p].name) != 0) continue;
    if (hex && prim_is_float(p) && !strpbrk(word, ".pP")) continue;
    word[len - n] = 0;
    *prim = p;
    return true;
  }
  return false;
}

static bool integer_read(const char *word, bool negative, int64_t *out) {
  int base = 10;
  if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) base = 16, word += 2;
  else if (word[0] == '0' && (word[1] == 'b' || word[1] == 'B')) base = 2, word += 2;
  errno = 0;
  if (!isxdigit((unsigned char)*word)) return false;
  char *end;
  uint64_t u = strtoull(word, &end, base);
  *out = (int64_t)(negative ? 0 - u : u);
  return !*end && errno == 0;
}

static Number float_of_integer(Number n) {
  uint64_t u = n.negative ? 0 - (uint64_t)n.i : (uint64_t)n.i;
  return n.negative ? float_of(-(double)u, -(float)u) : float_of((double)u, (float)u);
}

static bool float_read(const char *word, bool negative, Number *n) {
  char *end;
  double f = strtod(word, &end);
  float narrow = strtof(word, NULL);
  if (*end || !isdigit((unsigned char)word[0])) return false;
  *n = negative ? float_of(-f, -narrow) : float_of(f, narrow);
  return true;
}

static bool number_read(Reader *r, Elements *e) {
  bool negative = accept(r, "-");
  const char *from = r->at;
  char word[400];
  size_t len = 0;
  while (r->at < r->end && word_char(*r->at)) {
    bool exponent_sign = (*r->at == '+' || *r->at == '-');
    if (exponent_sign && (r->at == from || !strchr("eEpP", r->at[-1]))) break;
    if (len + 1 >= sizeof word) return reader_fail(r, "number too long");
    if (*r->at != '_') word[len++] = *r->at;
    r->at++;
  }
  word[len] = 0;
  if (len > 4 && named_float(r, e, word, negative)) return true;
  Prim prim = PRIM_I32;
  bool suffixed = suffix_split(word, &prim);
  if (suffixed && !type_meet(r, e, prim)) return false;
  Number n = {.negative = negative};
  bool fraction = strpbrk(word, ".pP") || (strpbrk(word, "eE") && strncmp(word, "0x", 2) != 0);
  if (!fraction && integer_read(word, negative, &n.i)) {
    return number_push(r, e, suffixed && prim_is_float(prim) ? float_of_integer(n) : n);
  }
  bool as_float = suffixed && prim_is_float(prim);
  if (!fraction && errno == ERANGE && !as_float) return reader_fail(r, "integer out of range");
  if (len == 0 || !float_read(word, negative, &n)) {
    r->at = from;
    return reader_fail(r, "expected a value");
  }
  if (suffixed && !prim_is_float(prim)) return reader_fail(r, "an integer type on a fraction");
  return number_push(r, e, n);
}

static bool scalar_read(Reader *r, Elements *e) {
  if (accept(r, "true") || accept(r, "false")) {
    bool b = r->at[-1] == 'e' && r->at[-2] == 'u';
    return type_meet(r, e, PRIM_BOOL) && number_push(r, e, (Number){.i = b});
  }
  return number_read(r, e);
}

static bool rank_meet(Reader *r, Elements *e, int depth) {
  if (e->rank >= 0 && e->rank != depth)
    return reader_fail(r, "values of different rank in one array");
  e->rank = depth;
  return true;
}

static bool string_read(Reader *r, Elements *e, int depth, int64_t *count) {
  r->at++;
  *count = 0;
  if (!rank_meet(r, e, depth + 1) || !type_meet(r, e, PRIM_U8)) return false;
  while (r->at < r->end && *r->at != '"') {
    char c = *r->at++;
    if (c == '\\' && r->at < r->end) {
      c = *r->at++;
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    number_push(r, e, (Number){.i = (unsigned char)c});
    (*count)++;
  }
  if (r->at >= r->end) return reader_fail(r, "unclosed string");
  r->at++;
  return true;
}

static bool dim_meet(Reader *r, Elements *e, int depth, int64_t count) {
  if (e->shape[depth] >= 0 && e->shape[depth] != count)
    return reader_fail(r, "rows of different length: %lld and %lld", (long long)e->shape[depth],
                       (long long)count);
  e->shape[depth] = count;
  return true;
}

static bool element_read(Reader *r, Elements *e, int depth);

static bool rows_read(Reader *r, Elements *e, int depth) {
  r->at++;
  if (depth >= VALUE_MOST_RANK) return reader_fail(r, "more than %d dimensions", VALUE_MOST_RANK);
  int64_t count = 0;
  for (;;) {
    space_skip(r);
    if (accept(r, "]")) break;
    if (count > 0) {
      if (!accept(r, ",")) return reader_fail(r, "expected ',' or ']'");
      space_skip(r);
      if (accept(r, "]")) break;
    }
    if (!element_read(r, e, depth + 1)) return false;
    count++;
  }
  if (count == 0 && !rank_meet(r, e, depth + 1)) return false;
  return dim_meet(r, e, depth, count);
}

static bool element_read(Reader *r, Elements *e, int depth) {
  space_skip(r);
  if (r->at >= r->end) return reader_fail(r, "unexpected end of input");
  if (*r->at == '[') return rows_read(r, e, depth);
  if (*r->at == '"') {
    int64_t count;
    if (depth >= VALUE_MOST_RANK) return reader_fail(r, "too many dimensions");
    return string_read(r, e, depth, &count) && dim_meet(r, e, depth, count);
  }
  return rank_meet(r, e, depth) && scalar_read(r, e);
}

// A size; false where it has no digit or more than 63 bits.
static bool size_read(Reader *r, int64_t *n) {
  const char *from = r->at;
  bool fits = true;
  *n = 0;
  for (; r->at < r->end && isdigit((unsigned char)*r->at); r->at++)
    if (__builtin_mul_overflow(*n, 10, n) || __builtin_add_overflow(*n, *r->at - '0', n))
      fits = false;
  return fits && r->at > from;
}

// empty([0][3]i32): at least one dimension is zero.
static bool empty_read(Reader *r, Value *out) {
  int64_t shape[VALUE_MOST_RANK];
  int rank = 0;
  bool zero = false;
  while (accept(r, "[")) {
    int64_t n;
    if (!size_read(r, &n) || !accept(r, "]")) return reader_fail(r, "expected a size and ']'");
    if (rank == VALUE_MOST_RANK) return reader_fail(r, "too many dimensions");
    zero |= n == 0;
    shape[rank++] = n;
  }
  char name[8];
  int len = 0;
  while (r->at < r->end && isalnum((unsigned char)*r->at) && len < 7) name[len++] = *r->at++;
  name[len] = 0;
  Prim prim;
  if (!prim_named(name, &prim) || rank == 0 || !accept(r, ")"))
    return reader_fail(r, "expected a type and ')'");
  if (!zero) return reader_fail(r, "an empty array has a dimension of size 0");
  // The other sizes may be anything: their product is multiplied by zero.
  int64_t *dims = arena_copy(r->arena, shape, sizeof shape);
  *out = (Value){.prim = prim, .rank = rank, .shape = dims, .data = arena_alloc(r->arena, 1)};
  return true;
}

static Scalar number_scalar(const Number *n, Prim prim) {
  if (prim == PRIM_BOOL) return scalar_bool(n->i != 0);
  if (!prim_is_float(prim)) return scalar_int(prim, n->i);
  const Number x = n->is_float ? *n : float_of_integer(*n);
  return scalar_float(prim, prim == PRIM_F32 ? (double)x.narrow : x.f);
}

static bool type_choose(Reader *r, Elements *e, const ValueType *expected) {
  Prim fallback = expected ? expected->prim : e->any_float ? PRIM_F64 : PRIM_I32;
  if (!e->typed) e->prim = fallback;
  if (expected && (e->prim != expected->prim || e->rank != expected->rank)) {
    Text want = {0};
    value_type_print(&want, *expected);
    reader_fail(r, "expected a value of type %s", want.at);
    text_free(&want);
    return false;
  }
  if (e->any_float && !prim_is_float(e->prim))
    return reader_fail(r, "a fraction where %s is expected", prim_info[e->prim].name);
  return true;
}

bool text_value_read(Reader *r, const ValueType *expected, Value *out) {
  space_skip(r);
  if (accept(r, "empty(")) {
    if (!empty_read(r, out)) return false;
    if (expected && (expected->prim != out->prim || expected->rank != out->rank))
      return reader_fail(r, "expected a value of another type");
    return true;
  }
  Elements e = {.rank = -1};
  for (int d = 0; d < VALUE_MOST_RANK; d++) e.shape[d] = -1;
  if (!element_read(r, &e, 0) || !type_choose(r, &e, expected)) return false;
  for (int d = 0; d < e.rank; d++)
    if (e.shape[d] < 0) e.shape[d] = 0;
  *out = value_new(r->arena, e.prim, e.rank, e.shape);
  check(out->len == e.numbers.len);
  for (int64_t i = 0; i < out->len; i++) value_put(out, i, number_scalar(&e.numbers.at[i], e.prim));
  return true;
}

static bool value_read(Reader *r, const ValueType *expected, Value *out) {
  bool binary = *r->at == 'b' && r->end - r->at > 1 && r->at[1] == 2;
  return binary ? binary_value_read(r, out) : text_value_read(r, expected, out);
}

static Reader text_reader(ValueText *t) {
  return (Reader){t->arena, t->text + t->at, t->text, t->text + t->len, &t->error};
}

bool value_text_read(ValueText *text, const ValueType *type, Value *out) {
  Reader r = text_reader(text);
  space_skip(&r);
  if (r.at >= r.end) return reader_fail(&r, "unexpected end of input");
  if (!value_read(&r, type, out)) return false;
  text->at = (size_t)(r.at - text->text);
  bool same = out->prim == type->prim && out->rank == type->rank;
  return same || reader_fail(&r, "value has another type than expected");
}

void value_text_skip(ValueText *text) {
  Reader r = text_reader(text);
  space_skip(&r);
  text->at = (size_t)(r.at - text->text);
}

bool value_text_fail(ValueText *text, const char *message) {
  Reader r = text_reader(text);
  return reader_fail(&r, "%s", message);
}

bool values_read(Arena *arena, const char *bytes, size_t len, const ValueType *expected, int count,
                 Values *out, const char **error) {
  Reader r = {arena, bytes, bytes, bytes + len, error};
  for (int i = 0;; i++) {
    space_skip(&r);
    if (r.at >= r.end || (expected && i == count)) break;
    Value v;
    if (!value_read(&r, expected ? &expected[i] : NULL, &v)) return false;
    if (expected && (v.prim != expected[i].prim || v.rank != expected[i].rank))
      return reader_fail(&r, "value %d has another type than expected", i + 1);
    list_push(arena, out, v);
  }
  if (expected && out->len < count)
    return reader_fail(&r, "expected %d values, found %d", count, out->len);
  if (r.at < r.end) return reader_fail(&r, "expected end of input");
  return true;
}
