// Values of literals: numbers, characters, strings with their escapes; operator levels.
#include "local.h"
#include <stdlib.h>
#include <string.h>

static const char *const suffix_texts[] = {"",   "i8",  "i16", "i32", "i64", "u8",
                                           "u16", "u32", "u64", "f16", "f32", "f64"};

const char *suffix_name(Suffix suffix) { return suffix_texts[suffix]; }

// The suffix at the end of a literal's text.  The digits of 0x1f32 include f32; a hex float, which
// has an exponent, can have a float suffix.
Suffix literal_suffix(const char *s, size_t len) {
  bool hex = len > 1 && s[0] == '0' && (s[1] | 0x20) == 'x';
  bool floats = !hex || memchr(s, 'p', len) || memchr(s, 'P', len);
  for (Suffix x = SUFFIX_I8; x <= (floats ? SUFFIX_F64 : SUFFIX_U64); x++) {
    size_t n = strlen(suffix_texts[x]);
    if (len > n && memcmp(s + len - n, suffix_texts[x], n) == 0) return x;
  }
  return SUFFIX_NONE;
}

void literal_digits(char *out, const char *s, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (s[i] != '_') *out++ = s[i];
  *out = 0;
}

static const char *digits_text(Arena *arena, const char *s, size_t len, Suffix suffix) {
  char *out = arena_alloc(arena, len + 1);
  literal_digits(out, s, len - strlen(suffix_texts[suffix]));
  return out;
}

static int roman_value(char c) {
  static const int values[] = {1, 5, 10, 50, 100, 500, 1000};
  return values[strchr("IVXLCDM", c) - "IVXLCDM"];
}

// Greedy subtractive reading: a smaller digit before a larger one counts negative.
static uint64_t roman_number(const char *s) {
  int64_t sum = 0;
  for (; *s; s++)
    sum += s[1] && roman_value(*s) < roman_value(s[1]) ? -roman_value(*s) : roman_value(*s);
  return (uint64_t)sum;
}

static unsigned digit_value(char c) {
  return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

static uint64_t number_value(const char *s, unsigned base, bool *overflow) {
  uint64_t value = 0;
  for (; *s; s++) {
    if (value > (UINT64_MAX - digit_value(*s)) / base) *overflow = true;
    value = value * base + digit_value(*s);
  }
  return value;
}

uint64_t int_value(const char *text, bool *overflow) {
  char base = text[0] == '0' ? (char)(text[1] | 0x20) : 0;
  if (base == 'r') return roman_number(text + 2);
  if (base == 'x') return number_value(text + 2, 16, overflow);
  if (base == 'b') return number_value(text + 2, 2, overflow);
  return number_value(text, 10, overflow);
}

void int_literal(Arena *arena, const char *s, size_t len, Expr *into) {
  into->int_.suffix = literal_suffix(s, len);
  into->int_.text = digits_text(arena, s, len, into->int_.suffix);
  into->int_.value = int_value(into->int_.text, &into->int_.overflow);
}

void float_literal(Arena *arena, const char *s, size_t len, Expr *into) {
  into->float_.suffix = literal_suffix(s, len);
  into->float_.text = digits_text(arena, s, len, into->float_.suffix);
}

// f32 literals are rounded once, from decimal to f32.
uint64_t float_bits(const char *text, Suffix suffix) {
  double value = suffix == SUFFIX_F32 ? (double)strtof(text, NULL) : strtod(text, NULL);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

size_t utf8_put(char *out, uint32_t code) {
  if (code < 0x80) return (void)(out[0] = (char)code), 1;
  size_t width = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = width - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
  out[0] = (char)((width == 2 ? 0xC0 : width == 3 ? 0xE0 : 0xF0) | code);
  return width;
}

static uint32_t utf8_get(const char *s, size_t left, size_t *width) {
  unsigned char c = (unsigned char)*s;
  size_t n = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
  if (n > left) n = left;
  uint32_t code = n == 1 ? c : c & (0x7Fu >> n);
  for (size_t i = 1; i < n; i++) code = code << 6 | ((unsigned char)s[i] & 0x3F);
  *width = n;
  return code;
}

static const char *const ascii_names[] = {
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS",  "HT",  "LF",
    "VT",  "FF",  "CR",  "SO",  "SI",  "DLE", "DC1", "DC2", "DC3", "DC4", "NAK",
    "SYN", "ETB", "CAN", "EM",  "SUB", "ESC", "FS",  "GS",  "RS",  "US",  "SP"};

// Digits of the base from s; how many were read goes to *width.
static uint32_t escape_number(const char *s, size_t left, unsigned base, size_t *width) {
  uint32_t code = 0;
  size_t n = 0;
  for (; n < left; n++) {
    char c = s[n];
    bool digit = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
    if (!digit || digit_value(c) >= base) break;
    code = code * base + digit_value(c);
    if (code > 0x10FFFF) code = 0xFFFD;
  }
  *width = n;
  return code;
}

static uint32_t escape_name(const char *s, size_t left, size_t *width) {
  uint32_t found = 0;
  *width = 0;
  for (int i = 0; i < COUNT_OF(ascii_names); i++) {
    size_t n = strlen(ascii_names[i]);
    if (n > left || n <= *width || strncmp(s, ascii_names[i], n) != 0) continue;
    *width = n;
    found = (uint32_t)i;
  }
  if (left >= 3 && strncmp(s, "DEL", 3) == 0) return (void)(*width = 3), 127;
  return found;
}

// The escapes after a backslash: \n, \65, \x41, \o101, \^A, \ESC, or the character itself.
static uint32_t escape_value(const char *s, size_t left, size_t *width) {
  static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
  char c = *s;
  uint32_t code;
  if (c >= '0' && c <= '9') return escape_number(s, left, 10, width);
  if (c == 'x' || c == 'o') {
    code = escape_number(s + 1, left - 1, c == 'x' ? 16 : 8, width);
    if (*width) return ++*width, code;
  }
  code = escape_name(s, left, width);
  if (*width) return code;
  *width = 1;
  if (c != 0 && strchr(from, c)) return (uint32_t)to[strchr(from, c) - from];
  if (c == '^' && left > 1 && s[1] >= '@' && s[1] <= '_')
    return (void)(*width = 2), (uint32_t)(s[1] - '@');
  return utf8_get(s, left, width);
}

uint32_t char_literal(const char *s, size_t len) {
  size_t width;
  if (s[1] == '\\') return escape_value(s + 2, len - 3, &width);
  return utf8_get(s + 1, len - 2, &width);
}

// The UTF-8 bytes of a string token; \& is empty.
char *string_literal(Arena *arena, const char *s, size_t len, size_t *bytes) {
  char *out = arena_alloc(arena, len * 2 + 1);
  size_t n = 0, end = len - 1, width;
  for (size_t i = 1; i < end; i += width) {
    if (s[i] != '\\') {
      out[n++] = s[i];
      width = 1;
    } else if (s[i + 1] == '&') {
      width = 2;
    } else {
      n += utf8_put(out + n, escape_value(s + i + 1, end - i - 1, &width));
      width++;
    }
  }
  *bytes = n;
  return out;
}

// The longest of these spellings that begins the operator decides how it binds.
int operator_level(Name op) {
  static const struct {
    const char *text;
    int level;
  } table[] = {{"|>", 4},  {"<|", 5},  {"||", 6},  {"&&", 7},  {"<=", 8}, {">=", 8}, {"==", 8},
               {"!=", 8},  {"<<", 10}, {">>", 10}, {"//", 12}, {"%%", 12}, {"**", 13}, {"<", 8},
               {">", 8},   {"!", 8},   {"=", 8},   {"&", 9},   {"^", 9},  {"|", 9},  {"+", 11},
               {"-", 11},  {"*", 12},  {"/", 12},  {"%", 12}};
  for (int i = 0; i < COUNT_OF(table); i++)
    if (strncmp(op, table[i].text, strlen(table[i].text)) == 0) return table[i].level;
  return LEVEL_BACKTICK;
}

bool name_is_operator(Name name) { return is_operator_char(name[0]); }
