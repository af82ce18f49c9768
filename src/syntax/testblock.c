// block = "-- ==" [tags] ("error:" REGEX | (entries | structure | warning | property)*)
// tags  = "tags" "{" word* "}"             entries   = ["entry:" name*] case*
// case  = [STRING] word* "input" data ["output" data | "auto" "output" | "error:" REGEX]
// data  = "{" text "}" | "@" FILE          structure = "structure" [word] "{" text "}"
// warning = "warning:" REGEX               property  = "property:" name*
// A block starts at a line `-- ==` and ends at the first line that is no comment.
#include "testblock.h"
#include <string.h>

typedef struct {
  Arena *arena;
  Names *names;
  const Source *src;
  Diag *diag;
  char *text;  // one block, without its comment marks, at the offsets of the source
  size_t base, at, len;
  bool failed;
} Reader;

static char peek(const Reader *r) { return r->at < r->len ? r->text[r->at] : 0; }

static Span span_here(const Reader *r, size_t from) {
  size_t to = r->at > from ? r->at : from + 1;
  return (Span){r->src, (uint32_t)(r->base + from), (uint32_t)(r->base + to)};
}

static void fail(Reader *r, const char *what) {
  if (!r->failed)
    diag_error(r->diag, span_here(r, r->at), "[test-block] Unreadable test block: expected %s.",
               what);
  r->failed = true;
  r->at = r->len;
}

static void skip_blanks(Reader *r) {
  while (r->at < r->len && strchr(" \t\r\n\f\v", r->text[r->at])) r->at++;
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

static size_t word_len(const Reader *r) {
  size_t n = 0;
  while (r->at + n < r->len && is_word_char(r->text[r->at + n])) n++;
  return n;
}

static bool at_text(const Reader *r, const char *s) {
  size_t n = strlen(s);
  return r->len - r->at >= n && memcmp(r->text + r->at, s, n) == 0;
}

static bool accept(Reader *r, const char *s) {
  if (!at_text(r, s)) return false;
  r->at += strlen(s);
  return true;
}

static bool accept_word(Reader *r, const char *s) {
  return word_len(r) == strlen(s) && accept(r, s);
}

static const char *trimmed(Reader *r, size_t from, size_t to) {
  while (from < to && strchr(" \t\r\n", r->text[from])) from++;
  while (to > from && strchr(" \t\r\n", r->text[to - 1])) to--;
  return arena_strndup(r->arena, r->text + from, to - from);
}

static const char *rest_of_line(Reader *r) {
  size_t from = r->at;
  while (r->at < r->len && r->text[r->at] != '\n') r->at++;
  return trimmed(r, from, r->at);
}

static void push_words(Reader *r, const char *s, NameList *into) {
  while (*s) {
    size_t n = strcspn(s, " \t\r\n");
    if (n) list_push(r->arena, into, name_intern(r->names, s, n));
    s += n + (s[n] != 0);
  }
}

static void skip_string(Reader *r) {
  for (r->at++; r->at < r->len && r->text[r->at] != '"'; r->at++)
    if (r->text[r->at] == '\\') r->at++;
}

// "{" text "}" with balanced braces outside strings
static const char *braces(Reader *r) {
  skip_blanks(r);
  if (!accept(r, "{")) return fail(r, "'{'"), "";
  size_t from = r->at;
  for (int depth = 1; r->at < r->len; r->at++) {
    char c = r->text[r->at];
    if (c == '"') skip_string(r);
    depth += (c == '{') - (c == '}');
    if (depth > 0) continue;
    r->at++;
    return trimmed(r, from, r->at - 1);
  }
  return fail(r, "'}'"), "";
}

static const char *file_name(Reader *r) {
  skip_blanks(r);
  size_t from = r->at;
  while (r->at < r->len && !strchr(" \t\r\n", r->text[r->at])) r->at++;
  if (r->at == from) return fail(r, "a file name"), "";
  return trimmed(r, from, r->at);
}

static const char *case_name(Reader *r) {
  size_t from = r->at + 1;
  skip_string(r);
  if (r->at >= r->len) return fail(r, "'\"'"), "";
  return trimmed(r, from, r->at++);
}

bool test_has_tag(const NameList *tags, const char *tag) {
  for (int i = 0; i < tags->len; i++)
    if (strcmp(tags->at[i], tag) == 0) return true;
  return false;
}

static void skip_on_line(Reader *r) {
  while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\r') r->at++;
}

static void read_tags(Reader *r, NameList *tags) {
  for (;;) {
    skip_on_line(r);
    size_t n = word_len(r);
    bool colon = r->at + n < r->len && r->text[r->at + n] == ':';
    if (n == 0 || colon || (n == 5 && at_text(r, "input")) || (n == 9 && at_text(r, "structure")))
      return;
    list_push(r->arena, tags, name_intern(r->names, r->text + r->at, n));
    r->at += n;
  }
}

static void read_input(Reader *r, TestCase *test) {
  bool random = test_has_tag(&test->tags, "random"), script = test_has_tag(&test->tags, "script");
  skip_blanks(r);
  if (!random && accept(r, "@")) {
    test->input = script ? INPUT_SCRIPT_FILE : INPUT_FILE;
    test->in_text = file_name(r);
    return;
  }
  test->input = random ? INPUT_RANDOM : script ? INPUT_SCRIPT : INPUT_VALUES;
  test->in_text = braces(r);
}

static void read_output(Reader *r, TestCase *test) {
  skip_blanks(r);
  size_t start = r->at;
  if (accept_word(r, "auto")) {
    skip_blanks(r);
    if (accept_word(r, "output"))
      test->output = OUTPUT_AUTO;
    else
      r->at = start;
  } else if (accept_word(r, "output")) {
    skip_blanks(r);
    bool file = accept(r, "@");
    test->output = file ? OUTPUT_FILE : OUTPUT_VALUES;
    test->out_text = file ? file_name(r) : braces(r);
  } else if (accept(r, "error:")) {
    test->output = OUTPUT_ERROR;
    test->out_text = rest_of_line(r);
  }
}

// The values on one line, cut off after 50 characters.
static const char *one_line(Reader *r, const char *s) {
  char *out = arena_alloc(r->arena, 51);
  size_t n = 0;
  for (; *s && n < 50; s++) {
    bool blank = strchr(" \t\r\n", *s) != NULL;
    if (blank && n > 0 && out[n - 1] == ' ') continue;
    out[n++] = blank ? ' ' : *s;
  }
  return out;
}

static const char *invent_name(Reader *r, const TestCase *test, int i) {
  size_t n = strlen(test->in_text);
  switch (test->input) {
    case INPUT_VALUES: return arena_printf(r->arena, "#%d (%s)", i, one_line(r, test->in_text));
    case INPUT_RANDOM: return arena_printf(r->arena, "#%d random", i);
    case INPUT_SCRIPT: return arena_printf(r->arena, "#%d script", i);
    case INPUT_FILE:
    case INPUT_SCRIPT_FILE: break;
  }
  if (n > 3 && strcmp(test->in_text + n - 3, ".gz") == 0) n -= 3;
  return arena_strndup(r->arena, test->in_text, n);
}

static bool read_case(Reader *r, TestGroup *group) {
  TestCase test = {0};
  skip_blanks(r);
  size_t start = r->at;
  if (peek(r) == '"') test.name = case_name(r);
  skip_blanks(r);
  read_tags(r, &test.tags);
  if (!accept_word(r, "input")) {
    if (test.name || test.tags.len) fail(r, "'input'");
    r->at = start;
    return false;
  }
  read_input(r, &test);
  test.span = span_here(r, start);
  read_output(r, &test);
  if (!test.name) test.name = invent_name(r, &test, group->cases.len);
  list_push(r->arena, &group->cases, test);
  return true;
}

static void read_group(Reader *r, TestBlock *block) {
  TestGroup group = {0};
  push_words(r, accept(r, "entry:") ? rest_of_line(r) : "main", &group.entries);
  while (!r->failed && read_case(r, &group)) continue;
  if (group.cases.len) list_push(r->arena, &block->groups, group);
}

static void read_structure(Reader *r, TestBlock *block) {
  skip_blanks(r);
  r->at += word_len(r);
  list_push(r->arena, &block->structures, braces(r));
}

static void read_block(Reader *r, TestBlock *block) {
  skip_blanks(r);
  if (accept_word(r, "tags")) push_words(r, braces(r), &block->tags);
  skip_blanks(r);
  if (accept(r, "error:")) block->error = rest_of_line(r);
  for (skip_blanks(r); !r->failed && r->at < r->len; skip_blanks(r)) {
    size_t before = r->at;
    if (accept(r, "property:"))
      push_words(r, rest_of_line(r), &block->properties);
    else if (accept_word(r, "structure"))
      read_structure(r, block);
    else if (accept(r, "warning:"))
      list_push(r->arena, &block->warnings, rest_of_line(r));
    else
      read_group(r, block);
    if (r->at == before) fail(r, "a test case");
  }
}

static size_t line_after(const Source *src, size_t at) {
  while (at < src->len && src->text[at] != '\n') at++;
  return at < src->len ? at + 1 : at;
}

static bool is_comment_line(const Source *src, size_t at) {
  return src->len - at >= 2 && memcmp(src->text + at, "--", 2) == 0;
}

static bool is_start_line(const Source *src, size_t at) {
  if (!is_comment_line(src, at)) return false;
  size_t n = 2;
  while (src->text[at + n] == ' ') n++;
  return n > 2 && strncmp(src->text + at + n, "==", 2) == 0 &&
         strchr(" \t\r\n", src->text[at + n + 2]) != NULL;
}

// The block's lines after its first, up to the end of the comment or the next start line.
static size_t block_end(const Source *src, size_t from) {
  size_t at = from;
  while (at < src->len && is_comment_line(src, at) && !is_start_line(src, at))
    at = line_after(src, at);
  return at;
}

static Reader reader_new(Arena *arena, const Source *src, size_t from, size_t to) {
  Reader r = {.arena = arena, .src = src, .base = from, .len = to - from};
  r.text = arena_strndup(arena, src->text + from, to - from);
  for (size_t at = from; at < to; at = line_after(src, at)) memset(r.text + at - from, ' ', 2);
  return r;
}

TestBlock *testblock_parse(Arena *arena, Names *names, const Source *src, Diag *diag) {
  TestBlock *block = NEW(arena, TestBlock);
  for (size_t at = 0; at < src->len;) {
    bool start = is_start_line(src, at);
    at = line_after(src, at);
    if (!start) continue;
    Reader r = reader_new(arena, src, at, block_end(src, at));
    r.names = names;
    r.diag = diag;
    block->present = true;
    read_block(&r, block);
    at = r.base + r.len;
  }
  block->disabled = test_has_tag(&block->tags, "disable");
  return block;
}
