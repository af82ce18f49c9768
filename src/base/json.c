// JSON (RFC 8259): reading into nodes, writing of strings.  The text is not trusted: nesting is
// limited, every byte is looked at within bounds, malformed input gives NULL.
#include "base.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTING = 200 };

typedef struct {
  Arena *arena;
  const char *at, *end;
  int depth;
} Reader;

static char peek(const Reader *r) { return r->at < r->end ? *r->at : 0; }

static void skip_blanks(Reader *r) {
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

static bool accept(Reader *r, char c) {
  skip_blanks(r);
  if (peek(r) != c || r->at == r->end) return false;
  r->at++;
  return true;
}

static bool accept_word(Reader *r, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

static Json *node(Reader *r, JsonTag tag) {
  Json *j = NEW(r->arena, Json);
  j->tag = tag;
  return j;
}

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static bool hex4(Reader *r, uint32_t *out) {
  *out = 0;
  for (int i = 0; i < 4; i++) {
    int v = hex_value(peek(r));
    if (v < 0) return false;
    *out = *out << 4 | (uint32_t)v;
    r->at++;
  }
  return true;
}

static void utf8_push(Text *out, uint32_t c) {
  if (c < 0x80) {
    text_putc(out, (char)c);
    return;
  }
  int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
  text_putc(out, (char)(lead[more] | c >> (6 * more)));
  while (more-- > 0) text_putc(out, (char)(0x80 | (c >> (6 * more) & 0x3F)));
}

// \uXXXX, perhaps the first of a surrogate pair; a lone surrogate becomes U+FFFD.
static bool unicode_escape(Reader *r, Text *out) {
  uint32_t c, low;
  if (!hex4(r, &c)) return false;
  if (c >= 0xD800 && c < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u') {
    Reader ahead = *r;
    ahead.at += 2;
    if (hex4(&ahead, &low) && low >= 0xDC00 && low < 0xE000) {
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
      r->at = ahead.at;
    }
  }
  utf8_push(out, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
  return true;
}

static bool escape(Reader *r, Text *out) {
  static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  char c = peek(r);
  r->at += r->at < r->end;
  if (c == 'u') return unicode_escape(r, out);
  const char *found = c ? strchr(letters, c) : NULL;
  if (found) text_putc(out, values[found - letters]);
  return found != NULL;
}

static const char *string_read(Reader *r, size_t *len) {
  if (!accept(r, '"')) return NULL;
  Text text = {0};
  bool ok = true;
  while (ok && r->at < r->end && *r->at != '"') {
    char c = *r->at++;
    if (c == '\\') ok = escape(r, &text);
    else if ((unsigned char)c < ' ') ok = false;
    else text_putc(&text, c);
  }
  ok = ok && accept(r, '"');
  *len = text.len;
  const char *copy = ok ? arena_strndup(r->arena, text.at ? text.at : "", text.len) : NULL;
  text_free(&text);
  return copy;
}

static Json *string_node(Reader *r) {
  size_t len;
  const char *s = string_read(r, &len);
  if (!s) return NULL;
  Json *j = node(r, JSON_STRING);
  j->string = s;
  j->len = len;
  return j;
}

static Json *number_node(Reader *r) {
  char digits[64];
  size_t n = 0;
  while (n < sizeof digits - 1 && r->at + n < r->end && strchr("+-.0123456789eE", r->at[n]) &&
         r->at[n])
    n++;
  memcpy(digits, r->at, n);
  digits[n] = 0;
  char *end;
  double value = strtod(digits, &end);
  if (n == 0 || *end || !isfinite(value)) return NULL;
  r->at += n;
  Json *j = node(r, JSON_NUMBER);
  j->number = value;
  return j;
}

static Json *value_read(Reader *r);

static bool member_read(Reader *r, Json *object) {
  JsonMember m = {0};
  size_t len;
  m.name = string_read(r, &len);
  if (!m.name || !accept(r, ':')) return false;
  m.value = value_read(r);
  if (m.value) list_push(r->arena, &object->members, m);
  return m.value != NULL;
}

static bool element_read(Reader *r, Json *array) {
  Json *value = value_read(r);
  if (value) list_push(r->arena, &array->elems, value);
  return value != NULL;
}

static Json *list_node(Reader *r, JsonTag tag, char close, bool (*one)(Reader *, Json *)) {
  Json *j = node(r, tag);
  r->at++;
  if (accept(r, close)) return j;
  do
    if (!one(r, j)) return NULL;
  while (accept(r, ','));
  return accept(r, close) ? j : NULL;
}

static Json *word_node(Reader *r) {
  if (accept_word(r, "null")) return node(r, JSON_NULL);
  bool yes = accept_word(r, "true");
  if (!yes && !accept_word(r, "false")) return NULL;
  Json *j = node(r, JSON_BOOL);
  j->boolean = yes;
  return j;
}

static Json *value_read(Reader *r) {
  skip_blanks(r);
  if (++r->depth > MOST_NESTING) return NULL;
  char c = peek(r);
  Json *j = c == '{'   ? list_node(r, JSON_OBJECT, '}', member_read)
            : c == '[' ? list_node(r, JSON_ARRAY, ']', element_read)
            : c == '"' ? string_node(r)
            : c == '-' || (c >= '0' && c <= '9') ? number_node(r)
                                                 : word_node(r);
  r->depth--;
  return j;
}

const Json *json_parse(Arena *arena, const char *text, size_t len) {
  Reader r = {.arena = arena, .at = text, .end = text + len};
  Json *j = value_read(&r);
  skip_blanks(&r);
  return j && r.at == r.end ? j : NULL;
}

const Json *json_get(const Json *object, const char *name) {
  if (!object || object->tag != JSON_OBJECT) return NULL;
  for (int i = 0; i < object->members.len; i++)
    if (strcmp(object->members.at[i].name, name) == 0) return object->members.at[i].value;
  return NULL;
}

const char *json_text(const Json *j) { return j && j->tag == JSON_STRING ? j->string : NULL; }

bool json_int(const Json *j, int64_t *out) {
  if (!j || j->tag != JSON_NUMBER || fabs(j->number) > 9007199254740992.0) return false;
  *out = (int64_t)j->number;
  return (double)*out == j->number;
}

static bool continuation(const char *s, int n) {
  for (int i = 1; i <= n; i++)
    if (((unsigned char)s[i] & 0xC0) != 0x80) return false;
  return true;
}

// Bytes of the well-formed UTF-8 character at s; 0: none.
static int utf8_width(const char *s) {
  unsigned char c = (unsigned char)*s;
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c < 0xE0) return continuation(s, 1) ? 2 : 0;
  if (c >= 0xE0 && c < 0xF0) return continuation(s, 2) ? 3 : 0;
  if (c >= 0xF0 && c < 0xF5) return continuation(s, 3) ? 4 : 0;
  return 0;
}

// NULL prints as null; what is no UTF-8 as U+FFFD.
void json_print_string(Text *out, const char *s) {
  if (!s) {
    text_puts(out, "null");
    return;
  }
  text_putc(out, '"');
  while (*s) {
    int width = utf8_width(s);
    if (width == 0) text_puts(out, "\\ufffd");
    else if (*s == '\n') text_puts(out, "\\n");
    else if (*s == '"' || *s == '\\') text_printf(out, "\\%c", *s);
    else if ((unsigned char)*s < 0x20 || *s == 0x7f) text_printf(out, "\\u%04x", (unsigned char)*s);
    else text_write(out, s, (size_t)width);
    s += width ? width : 1;
  }
  text_putc(out, '"');
}

void json_print(Text *out, const Json *j) {
  switch (j->tag) {
    case JSON_NULL: text_puts(out, "null"); break;
    case JSON_BOOL: text_puts(out, j->boolean ? "true" : "false"); break;
    case JSON_NUMBER: text_printf(out, "%.17g", j->number); break;
    case JSON_STRING: json_print_string(out, j->string); break;
    case JSON_ARRAY:
      text_putc(out, '[');
      for (int i = 0; i < j->elems.len; i++) {
        if (i) text_puts(out, ", ");
        json_print(out, j->elems.at[i]);
      }
      text_putc(out, ']');
      break;
    case JSON_OBJECT:
      text_putc(out, '{');
      for (int i = 0; i < j->members.len; i++) {
        if (i) text_puts(out, ", ");
        json_print_string(out, j->members.at[i].name);
        text_puts(out, ": ");
        json_print(out, j->members.at[i].value);
      }
      text_putc(out, '}');
      break;
  }
}
