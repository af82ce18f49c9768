// Conditions of #if and #elif: integer constant expressions (C11 6.10.1).  `defined` is answered
// first, then macros are expanded; names that remain are 0.  Numbers have 64 bits; an operation
// with an unsigned operand is unsigned.
#include "pp.h"
#include <errno.h>
#include <stdlib.h>

typedef struct {
  uint64_t value;
  bool is_unsigned;
} Number;
typedef struct {
  Pp *pp;
  PpTokens tokens;
  int pos, line, depth;
  int skip;             // inside an operand that is not evaluated
} If;
enum { MOST_DEPTH = 200 };

static const char *const operators[][5] = {
    {"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"},
    {"+", "-"}, {"*", "/", "%"}};

static bool take(If *f, const char *punct) {
  if (f->pos >= f->tokens.len || !pp_is(&f->tokens.at[f->pos], punct)) return false;
  f->pos++;
  return true;
}

static Number ternary(If *f);

static Number number(If *f, const PpToken *t) {
  char *end;
  errno = 0;
  Number n = {strtoull(t->text, &end, 0), false};
  for (; *end && strchr("uUlL", *end); end++) n.is_unsigned |= *end == 'u' || *end == 'U';
  if (*end || errno) pp_fail(f->pp, f->line, "`%.40s` is no integer constant.", t->text);
  n.is_unsigned |= n.value > INT64_MAX;
  return n;
}

static Number character(If *f, const PpToken *t) {
  static const char from[] = "ntr0\\'\"abfv", to[] = "\n\t\r\0\\'\"\a\b\f\v";
  const char *at = t->text + 1, *escape;
  if (*at != '\\' && at[0] && at[1] == '\'') return (Number){(uint64_t)(unsigned char)*at, false};
  escape = *at == '\\' && at[1] && at[2] == '\'' ? strchr(from, at[1]) : NULL;
  if (!escape) pp_fail(f->pp, f->line, "%.40s in a condition is not supported.", t->text);
  return (Number){(uint64_t)to[escape - from], false};
}

static Number primary(If *f) {
  if (f->pos >= f->tokens.len) pp_fail(f->pp, f->line, "The condition ends too early.");
  const PpToken *t = &f->tokens.at[f->pos++];
  if (t->tag == PP_NUMBER) return number(f, t);
  if (t->tag == PP_CHAR) return character(f, t);
  if (t->tag == PP_NAME) {
    bool called = f->pos < f->tokens.len && pp_is(&f->tokens.at[f->pos], "(");
    if (called) pp_fail(f->pp, f->line, "Macro `%.60s` is not defined.", t->text);
    return (Number){0, false};
  }
  if (!pp_is(t, "(")) pp_fail(f->pp, f->line, "Unexpected `%.40s` in a condition.", t->text);
  Number inner = ternary(f);
  if (!take(f, ")")) pp_fail(f->pp, f->line, "A parenthesis is not closed in the condition.");
  return inner;
}

static Number unary(If *f) {
  if (++f->depth > MOST_DEPTH) pp_fail(f->pp, f->line, "The condition is nested too deeply.");
  Number n;
  if (take(f, "!")) n = (Number){unary(f).value == 0, false};
  else if (take(f, "+")) n = unary(f);
  else if (take(f, "-")) {
    n = unary(f);
    n.value = -n.value;
  } else if (take(f, "~")) {
    n = unary(f);
    n.value = ~n.value;
  } else n = primary(f);
  f->depth--;
  return n;
}

static uint64_t divided(If *f, Number a, Number b, bool remainder) {
  if (b.value == 0) {
    if (!f->skip) pp_fail(f->pp, f->line, "Division by zero in a condition.");
    return 0;
  }
  if (a.is_unsigned || b.is_unsigned) return remainder ? a.value % b.value : a.value / b.value;
  int64_t x = (int64_t)a.value, y = (int64_t)b.value;
  if (y == -1) return remainder ? 0 : -a.value;
  return (uint64_t)(remainder ? x % y : x / y);
}

static uint64_t shifted(Number a, uint64_t by, bool left) {
  if (by > 63) return 0;
  if (left) return a.value << by;
  return a.is_unsigned ? a.value >> by : (uint64_t)((int64_t)a.value >> by);
}

static bool less(Number a, Number b) {
  if (a.is_unsigned || b.is_unsigned) return a.value < b.value;
  return (int64_t)a.value < (int64_t)b.value;
}

static Number operation(If *f, const char *op, Number a, Number b) {
  Number n = {0, a.is_unsigned || b.is_unsigned};
  bool two = op[1] != 0, compares = true;
  switch (*op) {
    case '|': n.value = two ? a.value || b.value : (a.value | b.value), compares = two; break;
    case '&': n.value = two ? a.value && b.value : (a.value & b.value), compares = two; break;
    case '^': n.value = a.value ^ b.value, compares = false; break;
    case '=': n.value = a.value == b.value; break;
    case '!': n.value = a.value != b.value; break;
    case '+': n.value = a.value + b.value, compares = false; break;
    case '-': n.value = a.value - b.value, compares = false; break;
    case '*': n.value = a.value * b.value, compares = false; break;
    case '/': n.value = divided(f, a, b, false), compares = false; break;
    case '%': n.value = divided(f, a, b, true), compares = false; break;
    case '<':
      if (op[1] == '<') return (Number){shifted(a, b.value, true), a.is_unsigned};
      n.value = op[1] ? !less(b, a) : less(a, b);
      break;
    case '>':
      if (op[1] == '>') return (Number){shifted(a, b.value, false), a.is_unsigned};
      n.value = op[1] ? !less(a, b) : less(b, a);
      break;
  }
  if (compares) n.is_unsigned = false;
  return n;
}

static const char *take_operator(If *f, int level) {
  for (int i = 0; i < 5 && operators[level][i]; i++)
    if (take(f, operators[level][i])) return operators[level][i];
  return NULL;
}

static Number binary(If *f, int level) {
  if (level == COUNT_OF(operators)) return unary(f);
  Number a = binary(f, level + 1);
  for (const char *op; (op = take_operator(f, level));) {
    bool decided = (strcmp(op, "||") == 0 && a.value) || (strcmp(op, "&&") == 0 && !a.value);
    f->skip += decided;
    Number b = binary(f, level + 1);
    f->skip -= decided;
    a = operation(f, op, a, b);
  }
  return a;
}

static Number ternary(If *f) {
  Number test = binary(f, 0);
  if (!take(f, "?")) return test;
  if (++f->depth > MOST_DEPTH) pp_fail(f->pp, f->line, "The condition is nested too deeply.");
  f->skip += !test.value;
  Number yes = ternary(f);
  f->skip -= !test.value;
  if (!take(f, ":")) pp_fail(f->pp, f->line, "`?` without `:` in a condition.");
  f->skip += test.value != 0;
  Number no = ternary(f);
  f->skip -= test.value != 0;
  f->depth--;
  Number n = test.value ? yes : no;
  n.is_unsigned = yes.is_unsigned || no.is_unsigned;
  return n;
}

// `defined NAME` and `defined(NAME)` as 1 or 0.
static PpTokens answered(Pp *pp, const PpTokens *line, int from) {
  PpTokens out = {0};
  for (int i = from; i < line->len; i++) {
    PpToken t = line->at[i];
    if (t.tag == PP_NAME && strcmp(t.text, "defined") == 0) {
      bool parens = i + 1 < line->len && pp_is(&line->at[i + 1], "(");
      int name = i + 1 + parens;
      bool closed = !parens || (name + 1 < line->len && pp_is(&line->at[name + 1], ")"));
      if (name >= line->len || line->at[name].tag != PP_NAME || !closed)
        pp_fail(pp, t.line, "`defined` without a name.");
      t.tag = PP_NUMBER;
      t.text = name_of(pp->names, pp_macro(pp, line->at[name].text) ? "1" : "0");
      i = name + parens;
    }
    list_push(pp->arena, &out, t);
  }
  return out;
}

bool pp_condition(Pp *pp, const PpTokens *line, int from) {
  If f = {.pp = pp, .line = line->at[0].line};
  f.tokens = pp_expand(pp, answered(pp, line, from));
  Number n = ternary(&f);
  if (f.pos < f.tokens.len)
    pp_fail(pp, f.line, "Unexpected `%.40s` in a condition.", f.tokens.at[f.pos].text);
  return n.value != 0;
}
