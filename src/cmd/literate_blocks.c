// A document is a program.  Comments at the beginning of a line are its text, unless they follow
// code without an empty line between; a comment that begins with "-- >" after an empty line is a
// directive, one that begins with "-- ==" a test block, which counts as code.
#include "literate.h"

typedef struct {
  const char *at;
  size_t len;
} Line;

static Line line_at(const char *at) { return (Line){at, strcspn(at, "\n")}; }

static const char *after(Line l) { return l.at + l.len + (l.at[l.len] == '\n'); }

static bool is_comment(Line l) {
  return l.len >= 2 && l.at[0] == '-' && l.at[1] == '-' && (l.len == 2 || l.at[2] == ' ');
}

static bool is_blank(Line l) { return strspn(l.at, " \t\r") >= l.len; }

static bool begins(Line l, const char *s) {
  return l.len >= strlen(s) && strncmp(l.at, s, strlen(s)) == 0;
}

static const char *trimmed(Arena *arena, const Text *t) {
  size_t len = t->len;
  while (len > 0 && t->at[len - 1] == '\n') len--;
  return arena_strndup(arena, t->at ? t->at : "", len);
}

// Comment lines from `at`; returns what follows.
static const char *comment_read(Arena *arena, const char *at, LiterateBlock *b) {
  Text text = {0};
  int skip = b->kind == BLOCK_DIRECTIVE ? 4 : 3;
  for (Line l = line_at(at); is_comment(l); l = line_at(at)) {
    size_t from = b->kind == BLOCK_CODE ? 0 : l.len < (size_t)skip ? l.len : (size_t)skip;
    text_write(&text, l.at + from, l.len - from);
    text_putc(&text, '\n');
    skip = 3;
    at = after(l);
  }
  b->text = trimmed(arena, &text);
  text_free(&text);
  return at;
}

static const char *code_read(Arena *arena, const char *at, LiterateBlock *b) {
  Text text = {0};
  bool empty = false;
  for (Line l = line_at(at); *at && !(empty && is_comment(l)); l = line_at(at)) {
    text_write(&text, l.at, l.len);
    text_putc(&text, '\n');
    empty = is_blank(l);
    at = after(l);
  }
  b->text = trimmed(arena, &text);
  text_free(&text);
  return at;
}

LiterateBlocks literate_blocks(Arena *arena, const char *text) {
  LiterateBlocks blocks = {0};
  bool empty = true;
  for (const char *at = text; *at;) {
    Line l = line_at(at);
    LiterateBlock b = {BLOCK_CODE, NULL};
    if (is_blank(l)) {
      empty = true;
      at = after(l);
      continue;
    }
    if (empty && begins(l, "-- >")) b.kind = BLOCK_DIRECTIVE;
    else if (is_comment(l) && !begins(l, "-- ==")) b.kind = BLOCK_TEXT;
    at = is_comment(l) ? comment_read(arena, at, &b) : code_read(arena, at, &b);
    empty = b.kind == BLOCK_CODE && !is_comment(l);
    list_push(arena, &blocks, b);
  }
  return blocks;
}
