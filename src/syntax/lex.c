// Text to tokens.  Longest match; a token is a tag and a byte range, its text is read again
// where it is needed.  Errors are reported here and leave a TOK_ERROR.
#include "local.h"
#include <string.h>

typedef struct {
  Arena *arena;
  const Source *src;
  Diag *diag;
  const char *text;
  uint32_t at, len;
  TokenList toks;
} Lexer;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_constituent(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '\''; }
static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_operator_char(char c) { return c != 0 && strchr("+-*/%=!><|&^", c) != NULL; }

// The text is NUL-terminated; a NUL inside it reads like any other unknown character.
static char peek(const Lexer *l, uint32_t ahead) {
  return l->at + ahead < l->len ? l->text[l->at + ahead] : 0;
}

static void push(Lexer *l, TokTag tag, uint32_t width) {
  Token token = {.from = l->at, .to = l->at + width, .tag = (uint8_t)tag};
  list_push(l->arena, &l->toks, token);
  l->at += width;
}

static void fail(Lexer *l, uint32_t width, const char *what) {
  diag_error(l->diag, (Span){l->src, l->at, l->at + width}, "[token] %s", what);
  push(l, TOK_ERROR, width);
}

static uint32_t char_width(const Lexer *l, uint32_t ahead) {
  uint32_t width = 1;
  while (((unsigned char)peek(l, ahead + width) & 0xC0) == 0x80) width++;
  return width;
}

static uint32_t line_end(const Lexer *l, uint32_t at) {
  while (at < l->len && l->text[at] != '\n') at++;
  return at;
}

// A doc comment is a line `-- | ..` with all comment lines directly below it.
static void lex_comment(Lexer *l) {
  uint32_t end = line_end(l, l->at);
  if (strncmp(l->text + l->at, "-- |", 4) != 0) {
    l->at = end;
    return;
  }
  for (uint32_t next = end; next < l->len;) {
    next++;
    while (next < l->len && (l->text[next] == ' ' || l->text[next] == '\t')) next++;
    if (strncmp(l->text + next, "--", 2) != 0) break;
    end = next = line_end(l, next);
  }
  push(l, TOK_DOC, end - l->at);
}

// ident = letter constituent* | _ (letter|digit) constituent*;  0 when there is none.
static uint32_t ident_width(const Lexer *l, uint32_t ahead) {
  char c = peek(l, ahead), d = peek(l, ahead + 1);
  if (!is_letter(c) && !(c == '_' && (is_letter(d) || is_digit(d)))) return 0;
  uint32_t width = 1;
  while (is_constituent(peek(l, ahead + width))) width++;
  return width;
}

static uint32_t operator_width(const Lexer *l, uint32_t ahead) {
  if (!is_operator_char(peek(l, ahead))) return 0;
  uint32_t width = 1;
  while (is_operator_char(peek(l, ahead + width)) || peek(l, ahead + width) == '.') width++;
  return width;
}

static TokTag keyword(const char *s, size_t len) {
#define K(id, text) \
  if (len == sizeof text - 1 && memcmp(s, text, len) == 0) return TOK_##id;
  KEYWORDS(K)
#undef K
  return TOK_ID;
}

// (ident ".")+ symbol is one token; otherwise just the identifier.
static void lex_word(Lexer *l) {
  uint32_t width = ident_width(l, 0), total = width;
  for (int parts = 0; peek(l, total) == '.' && parts <= MAX_PARTS; parts++) {
    uint32_t symbol = operator_width(l, total + 1), next = ident_width(l, total + 1);
    if (symbol) {
      push(l, TOK_QUALOP, total + 1 + symbol);
      return;
    }
    if (!next) break;
    total += 1 + next;
  }
  push(l, keyword(l->text + l->at, width), width);
}

static void lex_operator(Lexer *l) {
  uint32_t width = operator_width(l, 0);
  const char *s = l->text + l->at;
  TokTag tag = TOK_OP;
  if (width == 1 && *s == '-') tag = TOK_MINUS;
  if (width == 1 && *s == '=') tag = TOK_EQUALS;
  if (width == 1 && *s == '!') tag = TOK_BANG;
  if (width == 2 && memcmp(s, "->", 2) == 0) tag = TOK_ARROW;
  push(l, tag, width);
}

static uint32_t suffix_width(const Lexer *l, uint32_t at, bool floats) {
  static const char *const texts[] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"};
  static const char *const float_texts[] = {"f16", "f32", "f64"};
  const char *const *table = floats ? float_texts : texts;
  int n = floats ? COUNT_OF(float_texts) : COUNT_OF(texts);
  for (int i = 0; i < n; i++)
    if (strncmp(l->text + l->at + at, table[i], strlen(table[i])) == 0)
      return (uint32_t)strlen(table[i]);
  return 0;
}

static uint32_t run_width(const Lexer *l, uint32_t at, bool (*is)(char)) {
  uint32_t width = 0;
  while (is(peek(l, at + width)) || (width > 0 && peek(l, at + width) == '_')) width++;
  return width;
}

static bool is_bit(char c) { return c == '0' || c == '1'; }
static bool is_roman(char c) { return c != 0 && strchr("IVXLCDM", c) != NULL; }

// Width of `[eE][+-]digits` at `at`, or 0.
static uint32_t exponent_width(const Lexer *l, uint32_t at, char mark) {
  if ((peek(l, at) | 0x20) != mark) return 0;
  uint32_t sign = peek(l, at + 1) == '+' || peek(l, at + 1) == '-';
  uint32_t digits = run_width(l, at + 1 + sign, is_digit);
  return digits ? 1 + sign + digits : 0;
}

// 0x.., 0b.., 0r..; a hex float needs both fraction and exponent.
static bool lex_based(Lexer *l) {
  char base = (char)(peek(l, 1) | 0x20);
  if (peek(l, 0) != '0' || (base != 'x' && base != 'b' && base != 'r')) return false;
  uint32_t width = run_width(l, 2, base == 'x' ? is_hex : base == 'b' ? is_bit : is_roman);
  if (!width) return false;
  width += 2;
  if (base == 'x' && peek(l, width) == '.') {
    uint32_t fraction = run_width(l, width + 1, is_hex);
    uint32_t exponent = fraction ? exponent_width(l, width + 1 + fraction, 'p') : 0;
    if (exponent) {
      width += 1 + fraction + exponent;
      push(l, TOK_FLOAT, width + suffix_width(l, width, true));
      return true;
    }
  }
  push(l, TOK_INT, width + suffix_width(l, width, false));
  return true;
}

// A float does not start right after a dot, which makes t.0.1 two projections.
static void lex_number(Lexer *l) {
  if (lex_based(l)) return;
  uint32_t width = run_width(l, 0, is_digit);
  bool after_dot = l->at > 0 && l->text[l->at - 1] == '.';
  if (!after_dot) {
    uint32_t total = width;
    uint32_t fraction = peek(l, total) == '.' ? run_width(l, total + 1, is_digit) : 0;
    if (fraction) total += 1 + fraction;
    total += exponent_width(l, total, 'e');
    uint32_t suffix = suffix_width(l, total, true);
    if (total > width || suffix) {
      push(l, TOK_FLOAT, total + suffix);
      return;
    }
  }
  push(l, TOK_INT, width + suffix_width(l, width, false));
}

// 'c' or '\x'; otherwise the tick of a type parameter.
static uint32_t char_token_width(const Lexer *l) {
  char c = peek(l, 1);
  uint32_t width = 1;
  if (c == '\\') {
    width = 2;
    if (is_digit(peek(l, 2)))
      while (is_digit(peek(l, width))) width++;
    else
      width += char_width(l, 2);
  } else if (c == '\'' || (unsigned char)c < ' ') {
    return 0;
  } else {
    width += char_width(l, 1);
  }
  return peek(l, width) == '\'' ? width + 1 : 0;
}

static void lex_string(Lexer *l) {
  uint32_t width = 1;
  while (peek(l, width) != '"') {
    if (l->at + width >= l->len || peek(l, width) == '\n') {
      fail(l, width, "Unclosed string literal.");
      return;
    }
    width += peek(l, width) == '\\' && l->at + width + 1 < l->len ? 2 : 1;
  }
  push(l, TOK_STRING, width + 1);
}

static bool lex_punctuation(Lexer *l) {
  static const struct {
    const char *text;
    TokTag tag;
  } table[] = {
#define K(id, text) {text, TOK_##id},
      PUNCTUATION(K)
#undef K
  };
  for (int i = 0; i < COUNT_OF(table); i++) {
    size_t width = strlen(table[i].text);
    if (strncmp(l->text + l->at, table[i].text, width) != 0) continue;
    char before = l->at > 0 ? l->text[l->at - 1] : ' ';
    push(l, table[i].tag, (uint32_t)width);
    l->toks.at[l->toks.len - 1].tight = is_constituent(before) || before == ')' || before == ']';
    return true;
  }
  return false;
}

static void lex_token(Lexer *l) {
  char c = peek(l, 0);
  if (is_space(c)) {
    do l->at++;
    while (is_space(peek(l, 0)));
  } else if (c == '-' && peek(l, 1) == '-') {
    lex_comment(l);
  } else if (is_digit(c)) {
    lex_number(l);
  } else if (ident_width(l, 0)) {
    lex_word(l);
  } else if (is_operator_char(c)) {
    lex_operator(l);
  } else if (c == '_') {
    push(l, TOK_WILD, 1);
  } else if (c == '"') {
    lex_string(l);
  } else if (c == '\'' && char_token_width(l)) {
    push(l, TOK_CHAR, char_token_width(l));
  } else if (c == '#' && ident_width(l, 1)) {
    push(l, TOK_CONSTR, 1 + ident_width(l, 1));
  } else if (!lex_punctuation(l)) {
    fail(l, char_width(l, 0), "Unexpected character.");
    hint_character(l->diag, c);
  }
}

TokenList lex(Arena *arena, const Source *src, Diag *diag) {
  Lexer l = {.arena = arena, .src = src, .diag = diag, .text = src->text};
  l.len = (uint32_t)src->len;
  while (l.at < l.len) lex_token(&l);
  l.at = l.len;
  push(&l, TOK_EOF, 0);
  return l.toks;
}

bool keyword_is(const char *s, size_t len) { return keyword(s, len) != TOK_ID; }

const char *keyword_text(int i) {
  static const char *const words[] = {
#define WORD(id, text) text,
      KEYWORDS(WORD)
#undef WORD
  };
  return i < COUNT_OF(words) ? words[i] : NULL;
}
