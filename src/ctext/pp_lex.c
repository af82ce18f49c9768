// Lines of a file as preprocessing tokens.  A comment is white space; `\` at the end of a line
// joins the next one to it.  In text a newline inside a comment, or joined between tokens, still
// ends the line, so that every token has the line it stands on.
#include "pp.h"
#include <ctype.h>

static const char *const puncts[] = {
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=",  "%=",  "+=",  "-=", "&=", "^=", "|=", "##"};

static bool name_start(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$'; }
static bool name_part(char c) { return name_start(c) || isdigit((unsigned char)c); }

bool pp_is(const PpToken *t, const char *punct) {
  return t->tag == PP_PUNCT && strcmp(t->text, punct) == 0;
}

// ---- characters of one line ---------------------------------------------------------------------
static bool joined(const char *p) { return p[0] == '\\' && (p[1] == '\n' || p[1] == '\r'); }

static void join(Pp *pp) {
  pp->at += pp->at[1] == '\r' && pp->at[2] == '\n' ? 3 : 2;
  pp->line++;
}

// A comment, from its `/` on.  True: the line ends inside it.
static bool comment(Pp *pp, bool directive) {
  if (pp->at[1] == '/') {
    while (*pp->at && *pp->at != '\n') {
      if (joined(pp->at)) join(pp);
      else pp->at++;
    }
    return false;
  }
  int from = pp->line;
  const char *end = strstr(pp->at + 2, "*/");
  if (!end) pp_fail(pp, from, "This comment is not closed.");
  for (const char *p = pp->at; p < end; p++) pp->line += *p == '\n';
  pp->at = end + 2;
  return !directive && pp->line > from;
}

static void quoted(Pp *pp, Text *line) {
  char quote = *pp->at;
  text_putc(line, *pp->at++);
  while (*pp->at && *pp->at != '\n') {
    if (joined(pp->at)) {
      join(pp);
      continue;
    }
    bool end = *pp->at == quote;
    if (*pp->at == '\\' && pp->at[1] && pp->at[1] != '\n') text_putc(line, *pp->at++);
    text_putc(line, *pp->at++);
    if (end) return;
  }
}

// Joins in the middle of a token; between tokens of text the line ends.
static bool join_ends(Pp *pp, const Text *line, bool directive) {
  join(pp);
  bool inside = line->len && name_part(line->at[line->len - 1]) && name_part(*pp->at);
  return !directive && !inside;
}

static void line_text(Pp *pp, Text *line) {
  bool directive = false, ends = false;
  while (*pp->at && *pp->at != '\n' && !ends) {
    char c = *pp->at;
    bool blank = true;
    for (size_t i = 0; i < line->len && blank; i++) blank = isspace((unsigned char)line->at[i]);
    if (c == '#' && blank) directive = true;
    if (joined(pp->at)) ends = join_ends(pp, line, directive);
    else if (c == '/' && (pp->at[1] == '/' || pp->at[1] == '*')) {
      ends = comment(pp, directive);
      text_putc(line, ' ');
    } else if (c == '"' || (c == '\'' && !(line->len && name_part(line->at[line->len - 1]))))
      quoted(pp, line);
    else {
      text_putc(line, c);
      pp->at++;
    }
  }
  if (!ends && *pp->at == '\n') {
    pp->at++;
    pp->line++;
  }
}

// ---- tokens -------------------------------------------------------------------------------------
static size_t number_length(const char *s) {
  size_t i = 0;
  for (; name_part(s[i]) || s[i] == '.'; i++)
    if (strchr("eEpP", s[i]) && (s[i + 1] == '+' || s[i + 1] == '-')) i++;
  return i;
}

static size_t quoted_length(const char *s) {
  size_t i = 1;
  for (; s[i] && s[i] != *s; i++)
    if (s[i] == '\\' && s[i + 1]) i++;
  return s[i] ? i + 1 : i;
}

static size_t punct_length(const char *s) {
  for (int i = 0; i < COUNT_OF(puncts); i++)
    if (strncmp(s, puncts[i], strlen(puncts[i])) == 0) return strlen(puncts[i]);
  return 1;
}

static size_t token_length(const char *s, PpTag *tag) {
  size_t len = 0;
  if (name_start(*s)) {
    while (name_part(s[len])) len++;
    *tag = PP_NAME;
    return len;
  }
  if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1]))) {
    *tag = PP_NUMBER;
    return number_length(s);
  }
  if (*s == '"' || *s == '\'') {
    *tag = *s == '"' ? PP_STRING : PP_CHAR;
    return quoted_length(s);
  }
  *tag = PP_PUNCT;
  return punct_length(s);
}

void pp_tokens_of(Pp *pp, const char *text, int line, PpTokens *out) {
  bool space = false;
  for (const char *s = text; *s;) {
    if (isspace((unsigned char)*s)) {
      space = true;
      s++;
      continue;
    }
    PpToken t = {.space = space, .line = line};
    size_t len = token_length(s, &t.tag);
    t.text = name_intern(pp->names, s, len);
    list_push(pp->arena, out, t);
    s += len;
    space = false;
  }
}

bool pp_line(Pp *pp, PpTokens *out) {
  if (!*pp->at) return false;
  int from = pp->line;
  pp->scratch.len = 0;
  line_text(pp, &pp->scratch);
  if (pp->scratch.len) pp_tokens_of(pp, pp->scratch.at, from, out);
  if (out->len) out->at[0].space = true;
  return true;
}

// A blank where the two would be read as other tokens.
static bool would_merge(const PpToken *a, const PpToken *b) {
  char last = a->text[strlen(a->text) - 1], first = *b->text;
  if (name_part(last) && name_part(first)) return true;
  if (a->tag == PP_NUMBER) return name_part(first) || strchr(".+-", first) != NULL;
  if (a->tag != PP_PUNCT) return false;
  char both[3] = {last, first, 0};
  return punct_length(both) == 2 || strcmp(both, "//") == 0 || strcmp(both, "/*") == 0 ||
         (last == '.' && (first == '.' || isdigit((unsigned char)first)));
}

void pp_token_print(Text *out, const PpToken *before, const PpToken *t) {
  if (t->tag == PP_EMPTY) return;
  if (t->space || (before && before->tag != PP_EMPTY && would_merge(before, t)))
    text_putc(out, ' ');
  text_puts(out, t->text);
}
