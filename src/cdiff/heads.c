// Heads: which functions, with respect to what.
//   heads = head {blank head};  head = name [ "(" names ")" [ "/" "(" names ")" ] ]
//         | name "(" names "->" names ")";  names are separated by blanks or commas
#include "local.h"

typedef struct {
  Arena *arena;
  Diag *diag;
  const char *at;
} HeadText;

static bool wrong(HeadText *t) {
  diag_error(t->diag, (Span){0},
      "[c-head] Expected a head like \"f(outputs)/(inputs)\" at \"%.60s\".",
             t->at);
  return false;
}

static void blanks(HeadText *t) {
  while (*t->at == ' ' || *t->at == ',' || *t->at == '\t' || *t->at == '\n') t->at++;
}

static const char *word(HeadText *t) {
  size_t n = 0;
  while (t->at[n] && !strchr(" ,()/\t\n", t->at[n]) && strncmp(t->at + n, "->", 2) != 0) n++;
  const char *s = arena_strndup(t->arena, t->at, n);
  t->at += n;
  return s;
}

// Up to `)` or `->`.
static bool names(HeadText *t, CNames *to) {
  for (blanks(t); *t->at && *t->at != ')' && strncmp(t->at, "->", 2) != 0; blanks(t)) {
    const char *s = word(t);
    if (!*s) return wrong(t);
    list_push(t->arena, to, s);
  }
  return *t->at ? true : wrong(t);
}

static bool head(HeadText *t, CHead *h) {
  h->function = word(t);
  if (!*h->function) return wrong(t);
  if (*t->at != '(') return true;
  t->at++;
  if (!names(t, &h->outputs)) return false;
  if (strncmp(t->at, "->", 2) == 0) {
    h->inputs = h->outputs;
    h->outputs = (CNames){0};
    t->at += 2;
    if (!names(t, &h->outputs)) return false;
  }
  if (*t->at++ != ')') return wrong(t);
  if (*t->at != '/') return true;
  if (*++t->at != '(') return wrong(t);
  t->at++;
  if (!names(t, &h->inputs)) return false;
  return *t->at++ == ')' ? true : wrong(t);
}

bool cheads_parse(Arena *arena, Diag *diag, const char *text, CHeads *heads) {
  HeadText t = {arena, diag, text};
  for (blanks(&t); *t.at; blanks(&t)) {
    CHead h = {0};
    if (!head(&t, &h)) return false;
    list_push(arena, heads, h);
  }
  return heads->len > 0 || wrong(&t);
}
