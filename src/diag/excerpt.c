// Source lines with carets below the place.
#include "diag.h"

enum { WIDTH = 96, BEFORE = 48 };  // characters shown of a line; of them before the place

typedef struct {
  const Source *src;
  uint32_t from, to;  // the line, without its end
} Line;

static Line line_at(const Source *src, int line) {
  uint32_t from = src->lines.at[line - 1], to = from;
  while (to < src->len && src->text[to] != '\n') to++;
  if (to > from && src->text[to - 1] == '\r') to--;
  return (Line){src, from, to};
}

static bool continues(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

// Bytes of the well-formed printable character at `at`; 0: none.
static uint32_t char_width(const Line *l, uint32_t at) {
  unsigned char c = (unsigned char)l->src->text[at];
  if (c < 0x80) return c >= 0x20 && c != 0x7f;
  uint32_t width = c >= 0xF0 && c < 0xF5 ? 4 : c >= 0xE0 ? 3 : 2;
  if (c < 0xC2 || c >= 0xF5 || at + width > l->to) return 0;
  for (uint32_t i = 1; i < width; i++)
    if (!continues(l->src->text[at + i])) return 0;
  return width;
}

// One character of the line; what has no glyph shows as a question mark, a tab as one blank.
static uint32_t char_print(Text *out, const Line *l, uint32_t at) {
  uint32_t width = char_width(l, at);
  if (width > 0) text_write(out, l->src->text + at, width);
  else text_putc(out, l->src->text[at] == '\t' ? ' ' : '?');
  uint32_t next = at + (width > 0 ? width : 1);
  while (next < l->to && continues(l->src->text[next])) next++;  // as columns are counted
  return next;
}

// The line's characters from column `first` on, at most WIDTH.
static void line_print(Text *out, const Line *l, int line, int first) {
  uint32_t at = l->from;
  for (int col = 1; col < first && at < l->to; col++) {
    at++;
    while (at < l->to && continues(l->src->text[at])) at++;
  }
  text_printf(out, "%5d | %s", line, first > 1 ? ".. " : "");
  for (int n = 0; n < WIDTH && at < l->to; n++) at = char_print(out, l, at);
  text_printf(out, "%s\n", at < l->to ? " .." : "");
}

static int line_columns(const Line *l) {
  int n = 0;
  for (uint32_t at = l->from; at < l->to; at++) n += !continues(l->src->text[at]);
  return n;
}

static int line_indent(const Line *l) {
  uint32_t at = l->from;
  while (at < l->to && (l->src->text[at] == ' ' || l->src->text[at] == '\t')) at++;
  return (int)(at - l->from);
}

// One line and the carets under columns [col, end_col].
static void marked_print(Text *out, const Source *src, int line, int col, int end_col,
                         const char *code) {
  Line l = line_at(src, line);
  int first = col > WIDTH - 8 ? col - BEFORE : 1;
  line_print(out, &l, line, first);
  text_puts(out, "      | ");
  if (first > 1) text_puts(out, "   ");
  for (int i = first; i < col; i++) text_putc(out, ' ');
  int width = end_col < first + WIDTH ? end_col - col + 1 : first + WIDTH - col;
  for (int i = 0; i < (width < 1 ? 1 : width); i++) text_putc(out, '^');
  if (code) text_printf(out, " [%s]", code);
  text_putc(out, '\n');
}

void excerpt_print(Text *out, Span span, const char *code) {
  if (!span.src) return;
  SpanPlace p = span_place(span);
  if (p.line == p.end_line) {
    marked_print(out, span.src, p.line, p.col, p.end_col, code);
    return;
  }
  Line l = line_at(span.src, p.line), last = line_at(span.src, p.end_line);
  marked_print(out, span.src, p.line, p.col, line_columns(&l), code);
  if (p.end_line > p.line + 1) text_puts(out, "   .. |\n");
  int indent = line_indent(&last);
  marked_print(out, span.src, p.end_line, indent < p.end_col ? indent + 1 : 1, p.end_col, NULL);
}
