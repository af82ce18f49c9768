// Reading one input of the loop: a command, declarations or an expression.
//
//   input ::= ":" command | ":{" line.. ":}" | line..
//
// Lines are added while the parser finds the end of the text where it expects more: an open
// bracket, `let` without `in`, `if` without `else`, an operator without operand.  An empty line
// ends such an input, whose message then says what is missing; the interrupt key drops it.
#include "repl.h"
#include "syntax/syntax.h"
#include <string.h>

static bool begins_with_word(const char *s, const char *word) {
  size_t n = strlen(word);
  return strncmp(s, word, n) == 0 && (s[n] == 0 || strchr(" \t\n~^", s[n]));
}

static bool is_declaration(const char *s) {
  static const char *const words[] = {"def",    "entry", "type",  "module", "open",
                                      "import", "local", "-- |"};
  for (int i = 0; i < COUNT_OF(words); i++)
    if (begins_with_word(s, words[i])) return true;
  return strncmp(s, "#[", 2) == 0;
}

typedef enum { PARSE_OK, PARSE_UNFINISHED, PARSE_WRONG } Parse;

static Parse text_parse(Arena *arena, const char *text, bool declarations) {
  Names *names = names_new(arena);
  Diag *diag = diag_new(arena);
  const Source *src = source_new(arena, "", text, strlen(text));
  if (declarations) syntax_parse(arena, names, src, diag);
  else syntax_parse_exp(arena, names, src, diag);
  if (diag->errors == 0) return PARSE_OK;
  return diag->entries.at[0].span.from >= src->len ? PARSE_UNFINISHED : PARSE_WRONG;
}

// `let x = e` declares, `let x = e in ..` is an expression.
static Parse input_parse(Arena *arena, const char *text, InputKind *kind) {
  *kind = is_declaration(text) ? INPUT_DECLARATION : INPUT_EXPRESSION;
  Parse own = text_parse(arena, text, *kind == INPUT_DECLARATION);
  if (own == PARSE_OK || !begins_with_word(text, "let")) return own;
  Parse other = text_parse(arena, text, true);
  if (other == PARSE_OK) *kind = INPUT_DECLARATION;
  return own == PARSE_UNFINISHED ? other == PARSE_OK ? other : own : other;
}

static const char *trimmed(Arena *arena, const char *text) {
  text += strspn(text, " \t\r\n");
  size_t n = strlen(text);
  while (n > 0 && strchr(" \t\r\n", text[n - 1])) n--;
  return arena_strndup(arena, text, n);
}

// False where the interrupt key came.
static bool block_read(Lines *lines, Arena *arena, const char **text) {
  const char *line;
  *text = "";
  for (;;) {
    LineEvent event = line_read(lines, arena, "  ... ", &line);
    if (event == LINE_DROPPED) return false;
    if (event == LINE_END || strcmp(line, ":}") == 0) return true;
    *text = arena_printf(arena, "%s%s\n", *text, line);
  }
}

static bool rest_read(Lines *lines, Arena *arena, const char **text, InputKind *kind) {
  while (input_parse(arena, *text, kind) == PARSE_UNFINISHED) {
    const char *line;
    LineEvent event = line_read(lines, arena, "  ... ", &line);
    if (event == LINE_DROPPED) return false;
    if (event == LINE_END || !*trimmed(arena, line)) return true;
    *text = arena_printf(arena, "%s\n%s", *text, line);
  }
  return true;
}

InputKind input_read(Lines *lines, Arena *arena, const char **text) {
  LineEvent event = line_read(lines, arena, "> ", text);
  if (event == LINE_END) return INPUT_END;
  if (event == LINE_DROPPED) return INPUT_NONE;
  *text = trimmed(arena, *text);
  InputKind kind = INPUT_NONE;
  bool block = strcmp(*text, ":{") == 0;
  if (!**text) return kind;
  if (**text == ':' && !block) {
    ++*text;
    return INPUT_COMMAND;
  }
  bool whole = block ? block_read(lines, arena, text) : rest_read(lines, arena, text, &kind);
  *text = trimmed(arena, *text);
  if (!whole || !**text) return INPUT_NONE;
  if (block) input_parse(arena, *text, &kind);
  return kind;
}
