// Tokens of the IR's text form.
//   word    [A-Za-z_][A-Za-z0-9_']*         number  -?[0-9.][0-9A-Za-z.]*, sign after e; -inff64
//   string  "..." with \" \\ \n \xHH        others  one character, and ->
//   comments run from -- to the end of the line
#include "parse.h"
#include <ctype.h>
#include <string.h>

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

static void skip_blank(Parser *p) {
  const char *text = p->src->text;
  for (;;) {
    while (p->at < p->src->len && isspace((unsigned char)text[p->at])) p->at++;
    if (p->at + 1 >= p->src->len || text[p->at] != '-' || text[p->at + 1] != '-') return;
    while (p->at < p->src->len && text[p->at] != '\n') p->at++;
  }
}

static size_t word_end(const Parser *p, size_t at) {
  while (at < p->src->len && is_word_char(p->src->text[at])) at++;
  return at;
}

static size_t number_end(const Parser *p, size_t at) {
  const char *text = p->src->text;
  for (at++; at < p->src->len; at++) {
    char c = text[at], before = text[at - 1];
    bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'E');
    if (!isalnum((unsigned char)c) && c != '.' && !sign) break;
  }
  return at;
}

static size_t string_end(const Parser *p, size_t at) {
  for (at++; at < p->src->len && p->src->text[at] != '"'; at++)
    if (p->src->text[at] == '\\') at++;
  return at < p->src->len ? at + 1 : p->src->len;
}

void parser_next(Parser *p) {
  if (p->failed) return;
  skip_blank(p);
  const char *text = p->src->text;
  p->from = p->at;
  if (p->at >= p->src->len) {
    p->token = TOKEN_END;
    return;
  }
  char c = text[p->at], after = p->at + 1 < p->src->len ? text[p->at + 1] : 0;
  if (isalpha((unsigned char)c) || c == '_') {
    p->token = TOKEN_WORD;
    p->at = word_end(p, p->at);
  } else if (isdigit((unsigned char)c) || (c == '-' && isalnum((unsigned char)after))) {
    p->token = TOKEN_NUMBER;
    p->at = number_end(p, p->at);
  } else if (c == '"') {
    p->token = TOKEN_STRING;
    p->at = string_end(p, p->at);
  } else if (c == '-' && after == '>') {
    p->token = TOKEN_ARROW;
    p->at += 2;
  } else {
    p->token = TOKEN_CHAR;
    p->at++;
  }
}

void parser_fail(Parser *p, const char *expected) {
  if (p->failed) return;
  p->failed = true;
  Span span = {p->src, (uint32_t)p->from, (uint32_t)(p->at > p->from ? p->at : p->from + 1)};
  if (p->token == TOKEN_END) span.to = span.from;
  diag_error(p->diag, span, "expected %s", expected);
  p->token = TOKEN_END;
}

bool parser_is(const Parser *p, char c) {
  return p->token == TOKEN_CHAR && p->src->text[p->from] == c;
}

bool parser_is_word(const Parser *p, const char *word) {
  return p->token == TOKEN_WORD && p->at - p->from == strlen(word) &&
         memcmp(p->src->text + p->from, word, p->at - p->from) == 0;
}

bool parser_take(Parser *p, char c) {
  if (!parser_is(p, c)) return false;
  parser_next(p);
  return true;
}

bool parser_take_word(Parser *p, const char *word) {
  if (!parser_is_word(p, word)) return false;
  parser_next(p);
  return true;
}

void parser_want(Parser *p, char c) {
  char expected[8] = {'\'', c, '\'', 0};
  if (!parser_take(p, c)) parser_fail(p, expected);
}

static int hex_value(char c) {
  if (isdigit((unsigned char)c)) return c - '0';
  return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 0;
}

const char *parser_string(Parser *p) {
  const char *s = p->src->text + p->from + 1, *end = p->src->text + p->at - 1;
  if (p->token != TOKEN_STRING || end < s || *end != '"') {
    parser_fail(p, "a string");
    return "";
  }
  char *out = arena_alloc(p->prog->arena, (size_t)(end - s) + 1), *to = out;
  for (; s < end; s++) {
    if (*s != '\\' || s + 1 >= end) *to++ = *s;
    else if (*++s == 'n') *to++ = '\n';
    else if (*s == 'x' && s + 2 < end) {
      *to++ = (char)(hex_value(s[1]) * 16 + hex_value(s[2]));
      s += 2;
    } else *to++ = *s;
  }
  parser_next(p);
  return out;
}
