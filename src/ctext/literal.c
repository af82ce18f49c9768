// Numbers, characters and strings, with the types that C gives them.
#include "local.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

// u l ul ll ull in any case and order; false: something else follows the digits.
static bool integer_suffix(const char *s, bool *is_unsigned, int *longs) {
  for (; *s; s++) {
    if ((*s == 'u' || *s == 'U') && !*is_unsigned) *is_unsigned = true;
    else if ((*s == 'l' || *s == 'L') && *longs == 0) {
      *longs = s[1] == *s ? 2 : 1;
      if (*longs == 2) s++;
    } else return false;
  }
  return true;
}

static const CType *integer_type(uint64_t value, bool is_unsigned, int longs, bool decimal) {
  bool may_unsigned = is_unsigned || !decimal;
  if (longs == 0 && !is_unsigned && value <= INT32_MAX) return &ctype_int;
  if (longs == 0 && may_unsigned && value <= UINT32_MAX) return &ctype_uint;
  if (longs < 2 && !is_unsigned && value <= INT64_MAX) return &ctype_long;
  if (longs < 2) return &ctype_ulong;
  return ctype_basic(!is_unsigned && value <= INT64_MAX ? CTYPE_LLONG : CTYPE_ULLONG);
}

static const CExpr *integer(C *c, const Token *t) {
  const char *s = t->text;
  bool binary = s[0] == '0' && (s[1] == 'b' || s[1] == 'B'), is_unsigned = false;
  char *end;
  int longs = 0;
  errno = 0;
  uint64_t value = binary ? strtoull(s + 2, &end, 2) : strtoull(s, &end, 0);
  if (errno == ERANGE) parse_fail(c, t->at, "[c-syntax] The number %.60s is too large.", s);
  if (!integer_suffix(end, &is_unsigned, &longs))
    parse_fail(c, t->at, "[c-syntax] `%.60s` is no number.", s);
  CExpr *e = expr_new(c, CE_INT, t->at, integer_type(value, is_unsigned, longs, s[0] != '0'));
  e->value = (int64_t)value;
  e->spelling = s;
  return e;
}

static const CExpr *floating(C *c, const Token *t) {
  char *end;
  double value = strtod(t->text, &end);
  const CType *type = &ctype_double;
  bool f = *end == 'f' || *end == 'F', l = *end == 'l' || *end == 'L';
  if (f) type = &ctype_float;
  if (l) type = &ctype_ldouble;
  if (end == t->text || end[f || l] != '\0')
    parse_fail(c, t->at, "[c-syntax] `%.60s` is no number.", t->text);
  CExpr *e = expr_new(c, CE_FLOAT, t->at, type);
  e->number = f ? (double)(float)value : value;
  e->spelling = t->text;
  return e;
}

// One character of a quoted text, escapes resolved; advances *s.
static int character(const char **s) {
  const char *p = *s;
  if (*p != '\\') return *s = p + 1, (unsigned char)*p;
  static const char letters[] = "ntrabfve0", meant[] = "\n\t\r\a\b\f\v\033";
  p++;
  if (*p == 'x') {
    int value = 0;
    for (p++; isxdigit((unsigned char)*p); p++)
      value = (value * 16 + (isdigit((unsigned char)*p) ? *p - '0' : (*p | 32) - 'a' + 10)) & 255;
    return *s = p, value;
  }
  if (*p >= '0' && *p <= '7') {
    int value = 0;
    for (int i = 0; i < 3 && *p >= '0' && *p <= '7'; i++) value = value * 8 + (*p++ - '0');
    return *s = p, value & 255;
  }
  const char *known = *p ? strchr(letters, *p) : NULL;
  *s = p + 1;
  return known ? meant[known - letters] : (unsigned char)*p;
}

static const CExpr *character_constant(C *c, const Token *t) {
  const char *p = t->text + 1;
  if (*p == '\'') parse_fail(c, t->at, "[c-syntax] An empty character constant.");
  CExpr *e = expr_new(c, CE_INT, t->at, &ctype_int);
  e->value = (signed char)character(&p);
  e->spelling = t->text;
  if (*p != '\'') parse_fail(c, t->at, "[c-syntax] More than one character: %.40s", t->text);
  return e;
}

static void string_part(Text *out, const char *spelling) {
  const char *end = spelling + strlen(spelling) - 1;
  for (const char *p = spelling + 1; p < end;) text_putc(out, (char)character(&p));
}

static const CExpr *string(C *c) {
  Text value = {0}, spelling = {0};
  int from = c->pos;
  for (; token_at(c)->tag == TOK_STRING; c->pos++) {
    string_part(&value, token_at(c)->text);
    text_printf(&spelling, "%s%s", spelling.len ? " " : "", token_at(c)->text);
  }
  CType *type = NEW(c->arena, CType);
  *type = (CType){.tag = CTYPE_ARRAY, .base = &ctype_char, .count = (int64_t)value.len + 1};
  CExpr *e = expr_new(c, CE_STRING, span_since(c, from), type);
  e->text = arena_strndup(c->arena, value.at ? value.at : "", value.len);
  e->len = value.len;
  e->spelling = arena_strdup(c->arena, spelling.at);
  text_free(&value);
  text_free(&spelling);
  return e;
}

const CExpr *literal(C *c) {
  const Token *t = token_at(c);
  if (t->tag == TOK_STRING) return string(c);
  c->pos++;
  if (t->tag == TOK_INT) return integer(c, t);
  if (t->tag == TOK_FLOAT) return floating(c, t);
  return character_constant(c, t);
}
