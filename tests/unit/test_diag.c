// Positions that no parser would make: excerpts and JSON survive any span of any bytes.  And the
// names that are similar enough to be suggested.
#include "diag/diag.h"
#include "unit.h"
#include <string.h>

// No control characters but line ends, no line longer than an excerpt may be.
static bool is_tame(const Text *out) {
  size_t column = 0;
  for (size_t i = 0; i < out->len; i++) {
    unsigned char c = (unsigned char)out->at[i];
    if (c == '\n') column = 0;
    else if (c < 0x20 || c == 0x7f || ++column > 480) return false;
  }
  return true;
}

static void spans_try(const char *bytes, size_t len, const char *what) {
  static const uint32_t offsets[] = {0, 1, 2, 3, 5, 8, 13, 100, 1000, 4999, 5000, 5001, UINT32_MAX};
  Arena *arena = arena_new();
  const Source *src = source_new(arena, "t.fut", bytes, len);
  Text out = {0};
  bool ok = true;
  for (int i = 0; i < COUNT_OF(offsets); i++)
    for (int j = 0; j < COUNT_OF(offsets); j++) {
      Span span = {src, offsets[i], offsets[j]};
      DiagEntry entry = {.span = span, .message = bytes};
      out.len = 0;
      excerpt_print(&out, span, "code");
      span_print(&out, span);
      ok &= is_tame(&out);
      if (i == j) entry_print_json(&out, &entry);
    }
  expect(ok, what, NULL);
  text_free(&out);
  arena_free(arena);
}

static void hostile(void) {
  static char bytes[5001];
  spans_try("", 0, "empty file");
  spans_try("\n", 1, "one line end");
  spans_try("a\r\nb\r\n\tc", 8, "carriage returns and tabs");
  memset(bytes, 'x', 5000);
  spans_try(bytes, 5000, "a long line");
  memset(bytes, '\n', 5000);
  spans_try(bytes, 5000, "many lines");
  for (int i = 0; i < 5000; i++) bytes[i] = (char)(i * 7 % 255 + 1);
  spans_try(bytes, 5000, "all bytes");
  for (int i = 0; i < 5000; i++) bytes[i] = (char)0x80;
  spans_try(bytes, 5000, "only continuation bytes");
  memset(bytes, 0, 5000);
  spans_try(bytes, 5000, "zeros");
}

static void similar(const char *wanted, const char *offered, const char *best) {
  Similar s = similar_begin(wanted);
  similar_offer(&s, offered);
  bool ok = best ? s.best && strcmp(s.best, best) == 0 : !s.best;
  expect(ok, wanted, NULL);
}

static void limits(void) {
  Arena *arena = arena_new();
  Diag *diag = diag_new(arena);
  for (int i = 0; i < 30; i++) diag_error(diag, (Span){0}, "[some-code] number %d", i);
  diag_note(diag, (Span){0}, "of an error that was dropped");
  expect(diag->entries.len == 20 && diag->errors == 30, "20 errors at most", NULL);
  expect(diag->entries.at[19].notes.len == 0, "no note for a dropped error", NULL);
  expect(strcmp(diag->entries.at[0].code, "some-code") == 0, "code", NULL);
  expect(strcmp(diag->entries.at[0].message, "number 0") == 0, "message without code", NULL);
  Diag *other = diag_new(arena);
  diag_error(other, (Span){0}, "[not a code] %s", "message");
  diag_hint(other, "first");
  diag_hint(other, "second");
  expect(!other->entries.at[0].code, "no code", NULL);
  expect(strcmp(other->entries.at[0].hint.message, "first") == 0, "one suggestion", NULL);
  diag_error(other, (Span){0}, "[not a code] %s", "message");
  expect(other->entries.len == 1, "nothing twice", NULL);
  arena_free(arena);
}

int main(void) {
  hostile();
  similar("lenght", "length", "length");
  similar("map4", "map5", "map5");
  similar("a", "b", NULL);
  similar("ab", "xy", NULL);
  similar("xs", "ys", "ys");
  similar("reduce", "reduce", NULL);
  similar("redcue_by_index", "reduce_by_index", "reduce_by_index");
  similar("scatter", "gather", NULL);
  similar("x", "xs", NULL);
  limits();
  return unit_end();
}
