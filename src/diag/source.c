// Source files and the translation of byte ranges to lines and columns.
#include "diag.h"
#include <string.h>

Source *source_new(Arena *arena, const char *path, const char *text, size_t len) {
  Source *src = NEW(arena, Source);
  src->path = arena_strdup(arena, path);
  src->text = text;
  src->len = len;
  list_push(arena, &src->lines, 0);
  for (size_t i = 0; i < len; i++)
    if (text[i] == '\n') list_push(arena, &src->lines, (uint32_t)(i + 1));
  return src;
}

static int line_of(const Source *src, uint32_t at) {
  int low = 0, high = src->lines.len;
  while (high - low > 1) {
    int mid = (low + high) / 2;
    if (src->lines.at[mid] <= at) low = mid;
    else high = mid;
  }
  return low;
}

// Bytes of a character after its first are 10xxxxxx.  Eight at a time: lines can be megabytes.
static int column_of(const Source *src, int line, uint32_t at) {
  const uint64_t ones = 0x0101010101010101u;
  int col = 1;
  uint32_t i = src->lines.at[line], end = at < src->len ? at : (uint32_t)src->len;
  for (; i < end && end - i >= 8; i += 8) {
    uint64_t w;
    memcpy(&w, src->text + i, sizeof w);
    col += 8 - (int)((((w >> 7) & ~(w >> 6) & ones) * ones) >> 56);
  }
  for (; i < end; i++) col += ((unsigned char)src->text[i] & 0xC0) != 0x80;
  return col;
}

SpanPlace span_place(Span span) {
  const Source *src = span.src;
  uint32_t end = (uint32_t)src->len;
  uint32_t from = span.from < end ? span.from : end, to = span.to < end ? span.to : end;
  uint32_t last = to > from ? to - 1 : from;
  while (last > from && ((unsigned char)src->text[last] & 0xC0) == 0x80) last--;
  int first_line = line_of(src, from), last_line = line_of(src, last);
  return (SpanPlace){first_line + 1, column_of(src, first_line, from), last_line + 1,
                 column_of(src, last_line, last)};
}

Span span_join(Span a, Span b) {
  if (!a.src) return b;
  if (!b.src || a.src != b.src) return a;
  return (Span){a.src, a.from < b.from ? a.from : b.from, a.to > b.to ? a.to : b.to};
}

void span_print(Text *out, Span span) {
  if (!span.src) return;
  SpanPlace p = span_place(span);
  if (*span.src->path) text_printf(out, "%s:", span.src->path);
  text_printf(out, "%d:%d-", p.line, p.col);
  if (p.line != p.end_line) text_printf(out, "%d:", p.end_line);
  text_printf(out, "%d", p.end_col + 1);
}
