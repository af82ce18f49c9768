// The comments of the user's file, which the preprocessor drops, and its #include lines.  The file
// is read a second time as it was written; a comment goes to the statement or declaration that
// follows it, or that it ends a line of.
#include "local.h"
#include <ctype.h>

static const char *quoted_end(const char *p) {
  char quote = *p++;
  while (*p && *p != '\n' && *p != quote) p += p[0] == '\\' && p[1] ? 2 : 1;
  return *p == quote ? p + 1 : p;
}

static const char *comment_end(const char *p) {
  if (p[1] == '/') return p + strcspn(p, "\n");
  const char *end = strstr(p + 2, "*/");
  return end ? end + 2 : p + strlen(p);
}

static void include_line(C *c, const char *p) {
  const char *word = p + 1;
  while (*word == ' ' || *word == '\t') word++;
  if (strncmp(word, "include", 7) != 0) return;
  size_t len = strcspn(p, "\n");
  const char *comment = strstr(p, "//");
  if (comment && comment < p + len) len = (size_t)(comment - p);
  while (len && isspace((unsigned char)p[len - 1])) len--;
  list_push(c->arena, &c->unit->includes, arena_strndup(c->arena, p, len));
}

void ctext_comments(C *c) {
  const Source *file = c->unit->source;
  bool fresh = true;
  for (const char *p = file->text; *p;) {
    if (*p == '"' || *p == '\'') {
      p = quoted_end(p);
      fresh = false;
    } else if (*p == '/' && (p[1] == '/' || p[1] == '*')) {
      const char *end = comment_end(p);
      uint32_t from = (uint32_t)(p - file->text), to = (uint32_t)(end - file->text);
      list_push(c->arena, &c->comments,
                (Comment){{file, from, to}, arena_strndup(c->arena, p, (size_t)(end - p))});
      p = end;
    } else {
      if (*p == '#' && fresh) include_line(c, p);
      if (*p == '\n') fresh = true;
      else if (!isspace((unsigned char)*p)) fresh = false;
      p++;
    }
  }
}

static Span next_in_file(const C *c) {
  const Token *t = token_at(c);
  return t->at.src == c->unit->source ? t->at : (Span){0};
}

// Comments not attached yet, of those that stand before the next token.
CTexts comments_before(C *c) {
  CTexts result = {0};
  Span next = next_in_file(c);
  if (!next.src) return result;
  while (c->comment < c->comments.len && c->comments.at[c->comment].at.from < next.from)
    list_push(c->arena, &result, c->comments.at[c->comment++].text);
  return result;
}

static bool newline_between(const Source *s, uint32_t from, uint32_t to) {
  return to > from && memchr(s->text + from, '\n', to - from) != NULL;
}

// One that begins on the line where the last token read ends, with no token after it.
const char *comment_after(C *c) {
  if (c->comment >= c->comments.len || c->pos == 0) return NULL;
  Span last = c->tokens.at[c->pos - 1].at, next = next_in_file(c);
  const Comment *m = &c->comments.at[c->comment];
  if (last.src != c->unit->source || m->at.from < last.to) return NULL;
  if (newline_between(last.src, last.to, m->at.from)) return NULL;
  if (next.src && !newline_between(next.src, m->at.to, next.from) && m->text[1] != '/') return NULL;
  if (next.src && next.from < m->at.from) return NULL;
  c->comment++;
  return m->text;
}
