// Source files and the translation of byte ranges to lines and columns.
#include "diag.h"

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

static int column_of(const Source *src, int line, uint32_t at) {
  int col = 1;
  for (uint32_t i = src->lines.at[line]; i < at && i < src->len; i++)
    col += ((unsigned char)src->text[i] & 0xC0) != 0x80;
  return col;
}

void span_place(Span span, int *line, int *col, int *end_line, int *end_col) {
  uint32_t last = span.to > span.from ? span.to - 1 : span.from;
  while (last > span.from && ((unsigned char)span.src->text[last] & 0xC0) == 0x80) last--;
  int first_line = line_of(span.src, span.from), last_line = line_of(span.src, last);
  *line = first_line + 1;
  *col = column_of(span.src, first_line, span.from);
  *end_line = last_line + 1;
  *end_col = column_of(span.src, last_line, last);
}

Span span_join(Span a, Span b) {
  if (!a.src) return b;
  if (!b.src || a.src != b.src) return a;
  return (Span){a.src, a.from < b.from ? a.from : b.from, a.to > b.to ? a.to : b.to};
}

void span_print(Text *out, Span span) {
  if (!span.src) return;
  int line, col, end_line, end_col;
  span_place(span, &line, &col, &end_line, &end_col);
  if (line == end_line)
    text_printf(out, "%s:%d:%d-%d", span.src->path, line, col, end_col);
  else
    text_printf(out, "%s:%d:%d-%d:%d", span.src->path, line, col, end_line, end_col);
}
