// Suggestions for what other languages write where this one wants something else, and the second
// place of a bracket that stays open.
#include "local.h"
#include <string.h>

// The token found (NULL: any), what was expected there (NULL: anything), the suggestion.
typedef struct {
  const char *found, *expected, *hint;
} Habit;
static const Habit habits[] = {
    {"=", "')'", "values are compared with \"==\"."},
    {"=", "'then'", "values are compared with \"==\"."},
    {"=", "'do'", "values are compared with \"==\"."},
    {"=", "a declaration", "values are compared with \"==\"; an array with a new element is "
                           "written \"xs with [i] = x\"."},
    {"?", NULL, "a choice is written \"if c then x else y\"."},
    {NULL, "'else'", "an \"if\" has a value, so it has both branches."},
    {NULL, "'case'", "a match is written \"match x case pattern -> value case ..\"."},
    {"fun", "a declaration", "functions are defined with \"def\"."},
    {"func", "a declaration", "functions are defined with \"def\"."},
    {"fn", "a declaration", "functions are defined with \"def\"."},
    {"function", "a declaration", "functions are defined with \"def\"."},
    {"-", "a field name", "a comment begins with \"--\" and ends with the line."},
    {"{", "a declaration", "a comment begins with \"--\" and ends with the line."},
    {"->", "'='", "the type of a result is written after a colon: \"def f (x: t) : u = ..\"."},
    {"for", "'in'", "a loop is an expression that gives a new value: \"loop s = 0 for x in xs do "
                    "s + x\"."},
    {"while", "'in'", "a loop is an expression that gives a new value: \"loop x = 1 while x < n do "
                      "2 * x\"."},
    {"for", "',' or the end of the list", "an array of computed elements is written "
                                          "\"map (\\x -> ..) xs\"."},
    {"=>", "'->'", "write \"->\"."},
};

static bool is_text(const char *want, const char *s, size_t len) {
  return !want || (strlen(want) == len && memcmp(want, s, len) == 0);
}

static void hint_token(Parser *p, const Token *t, const char *expected) {
  for (int i = 0; i < COUNT_OF(habits); i++) {
    const Habit *h = &habits[i];
    if (!is_text(h->found, p->src->text + t->from, t->to - t->from)) continue;
    if (h->expected && strcmp(h->expected, expected) != 0) continue;
    diag_hint(p->diag, "%s", h->hint);
    return;
  }
}

// After a declaration, "fun f x =" is understood up to the equals sign: the line's first token tells.
void hint_habit(Parser *p, const char *expected) {
  const Token *t = &p->toks[p->at], *first = t;
  int line = span_place(tok_span(p)).line;
  while (first > p->toks && span_place((Span){p->src, first[-1].from, first[-1].to}).line == line)
    first--;
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
