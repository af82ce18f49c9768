// Suggestions for what other languages write where this one needs something else, and the second
// place of a bracket that stays open.
#include "local.h"
#include <string.h>

// The tokens before it, the token found, the one expected there, the suggestion; NULL: any.  Before
// it stand words with blanks between: NAME is any name, "^" says that the next word begins a line,
// ".." that anything may stand between on the line.  The first row that fits is taken.
typedef struct {
  const char *before, *found, *expected, *hint;
} Habit;

#define COMMENT "a comment begins with \"--\" and ends with the line."
#define LET "a local name is bound with \"let y = .. in ..\"."
#define LET_FIRST "a local name comes before its use: \"let y = .. in ..\"."
#define EQUAL "values are compared with \"==\"."
#define UPDATE "an array with a new element is written \"xs with [i] = x\"."
#define LOOP "a loop is an expression that gives a new value: \"loop s = 0 for x in xs do s + " \
             "x\", or \"for i < n do\"."
#define WHILE "a loop is an expression that gives a new value: \"loop x = 1 while x < n do 2 * x\"."
#define BODY "a function's value is its body, as in \"def f x = x\": nothing stands before it."
#define DEF "functions are defined with \"def\"."
#define LAMBDA "a function without a name is written \"\\x -> ..\"."
#define CASES "cases of a sum type begin with \"#\": \"type t = #a | #b i32\"."
#define CHOICE "a choice is written \"if c then x else y\"."

static const Habit habits[] = {
    {"return ..", NULL, NULL, BODY},
    {NULL, "return", NULL, BODY},
    {"lambda ..", NULL, NULL, LAMBDA},
    {"elif ..", NULL, NULL, "write \"else if\"."},
    {"where NAME", "=", "a declaration", LET_FIRST},
    {"]", "=", "a declaration", UPDATE},
    {"]", "=", "'in'", UPDATE},
    {"^ NAME", "=", "a declaration", LET},
    {NULL, "=", "a declaration", "a local name is bound with \"let y = .. in ..\", " EQUAL},
    {NULL, "=", "'in'", "a name gets a new value with another \"let\", " EQUAL},
    {NULL, "=", "')'", EQUAL},
    {NULL, "=", "'then'", EQUAL},
    {NULL, "=", "'do'", EQUAL},
    {NULL, "?", NULL, CHOICE},
    {"if ..", "}", "'='", CHOICE},
    {"def ..", "}", "':'", BODY},
    {"type ..", "|", "a declaration", CASES},
    {"open", NULL, "a module", "files are opened by \"import\"."},
    {"^ let ..", "in", "a declaration", "a program has declarations: \"def y = let x = 3 in x\"."},
    {NULL, "if", "a declaration", CHOICE},
    {NULL, NULL, "'else'", "an \"if\" has a value, so it has both branches."},
    {NULL, NULL, "'then'", CHOICE},
    {NULL, NULL, "'case'", "a match is written \"match x case pattern -> value case ..\"."},
    {NULL, "struct", "a declaration", "a type of records is written \"type t = {x: f64}\"."},
    {NULL, "fun", "a declaration", DEF},
    {NULL, "func", "a declaration", DEF},
    {NULL, "fn", "a declaration", DEF},
    {NULL, "function", "a declaration", DEF},
    {NULL, "var", "a declaration", "values are defined with \"def\"."},
    {NULL, "val", "a declaration", "values are defined with \"def\"."},
    {NULL, "const", "a declaration", "values are defined with \"def\"."},
    {NULL, "int", "a declaration", "a function is written \"def f (x: i64) : i64 = ..\"."},
    {NULL, "float", "a declaration", "a function is written \"def f (x: f32) : f32 = ..\"."},
    {NULL, "double", "a declaration", "a function is written \"def f (x: f64) : f64 = ..\"."},
    {NULL, "-", "a field name", COMMENT},
    {NULL, "{", "a declaration", COMMENT},
    {NULL, "//", NULL, COMMENT},
    {NULL, "/*", NULL, COMMENT},
    {"/* ..", NULL, NULL, COMMENT},
    {"// ..", NULL, NULL, COMMENT},
    {NULL, "->", "'='", "the type of a result is written after a colon: \"def f (x: t) : u = "
                        "..\"."},
    {NULL, "->", "')'", LAMBDA},
    {NULL, "for", "',' or the end of the list", "an array of computed elements is written \"map "
                                                "(\\x -> ..) xs\"."},
    {NULL, "for", NULL, LOOP},
    {NULL, "while", NULL, WHILE},
    {NULL, "=>", "'->'", "write \"->\"."},
};

static const struct {
  char c;
  const char *hint;
} characters[] = {
    {';', "elements are separated by \",\", declarations by nothing."},
    {'#', COMMENT},
    {'@', "a product of matrices is \"map (\\r -> map (\\c -> f64.sum (map2 (*) r c)) (transpose "
          "b)) a\"."},
    {'~', "all bits are inverted by \"!x\"."},
};

void hint_character(Diag *diag, char c) {
  for (int i = 0; i < COUNT_OF(characters); i++)
    if (characters[i].c == c) diag_hint(diag, "%s", characters[i].hint);
}

// ---- tokens ----------------------------------------------------------------------------------
static bool is_text(const char *want, const char *s, size_t len) {
  return !want || (strlen(want) == len && memcmp(want, s, len) == 0);
}

static int line_of(const Parser *p, const Token *t) {
  return span_place((Span){p->src, t->from, t->from}).line;
}

static bool is_first(const Parser *p, const Token *t) {
  return t == p->toks || line_of(p, t - 1) < line_of(p, t);
}

static bool is_word(const Parser *p, const Token *t, const char *word, size_t len) {
  if (len == 4 && memcmp(word, "NAME", 4) == 0) return t->tag == TOK_ID;
  return t->to - t->from == len && memcmp(p->src->text + t->from, word, len) == 0;
}

// Do the first n tokens end with the words up to `end`?
static bool ends_with(const Parser *p, int n, const char *words, size_t end) {
  if (end == 0) return true;
  size_t from = end;
  while (from > 0 && words[from - 1] != ' ') from--;
  size_t rest = from > 0 ? from - 1 : 0;
  if (strncmp(words + from, "^", end - from) == 0) return is_first(p, &p->toks[n]);
  if (strncmp(words + from, "..", end - from) != 0)
    return n > 0 && is_word(p, &p->toks[n - 1], words + from, end - from) &&
           ends_with(p, n - 1, words, rest);
  for (; n > 0; n--) {
    if (ends_with(p, n, words, rest)) return true;
    if (is_first(p, &p->toks[n - 1])) return false;
  }
  return false;
}

static void hint_token(Parser *p, const Token *t, const char *expected) {
  for (int i = 0; i < COUNT_OF(habits); i++) {
    const Habit *h = &habits[i];
    if (!is_text(h->found, p->src->text + t->from, t->to - t->from)) continue;
    if (h->expected && strcmp(h->expected, expected) != 0) continue;
    if (h->before && !ends_with(p, (int)(t - p->toks), h->before, strlen(h->before))) continue;
    diag_hint(p->diag, "%s", h->hint);
    return;
  }
}

// After a declaration, "fun f x =" is understood up to the equals sign: the line's first word
// tells.
void hint_habit(Parser *p, const char *expected) {
  const Token *t = &p->toks[p->at], *first = t;
  while (!is_first(p, first)) first--;
  if (first < t && strcmp(expected, "a declaration") == 0) hint_token(p, first, expected);
  hint_token(p, t, expected);
}

static bool wants_closing(const char *expected) {
  static const char *const closings[] = {"')'", "']'", "'}'", "',' or the end of the list"};
  for (int i = 0; i < COUNT_OF(closings); i++)
    if (strcmp(closings[i], expected) == 0) return true;
  return false;
}

Span open_bracket(const Parser *p, const char *expected) {
  int closed = 0;
  for (int i = p->at - 1; wants_closing(expected) && i >= 0; i--) {
    TokTag tag = (TokTag)p->toks[i].tag;
    bool opens = tag == TOK_LPAREN || tag == TOK_LBRACK || tag == TOK_LBRACE || tag == TOK_ATTR;
    bool closes = tag == TOK_RPAREN || tag == TOK_RBRACK || tag == TOK_RBRACE;
    if (closes) closed++;
    else if (opens && closed-- == 0) return (Span){p->src, p->toks[i].from, p->toks[i].to};
  }
  return (Span){0};
}

void note_outer(Parser *p, Span outer, const char *note) {
  if (!outer.src || span_place(outer).line == span_place(tok_span(p)).line) return;
  diag_note(p->diag, outer, "%s", note);
}
