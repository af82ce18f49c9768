// Messages for editors: one JSON object per line.
//   {"file": .., "range": R, "severity": "error", "code": .., "message": ..,
//    "notes": [{"file": .., "range": R, "message": ..}],
//    "suggestion": {"message": .., "file": .., "range": R, "text": ..}}
// R is {"start": {"line": L, "column": C}, "end": {"line": L, "column": C}}: from 1, columns in
// characters, the end inclusive.  File and range are null where no place is known; so are code
// and suggestion where there is none; the suggestion's text is null where there is nothing to
// replace.
#include "diag.h"

static bool continuation(const char *s, int n) {
  for (int i = 1; i <= n; i++)
    if (((unsigned char)s[i] & 0xC0) != 0x80) return false;
  return true;
}

// Bytes of the well-formed UTF-8 character at s; 0: none.
static int utf8_width(const char *s) {
  unsigned char c = (unsigned char)*s;
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c < 0xE0) return continuation(s, 1) ? 2 : 0;
  if (c >= 0xE0 && c < 0xF0) return continuation(s, 2) ? 3 : 0;
  if (c >= 0xF0 && c < 0xF5) return continuation(s, 3) ? 4 : 0;
  return 0;
}

static void json_string(Text *out, const char *s) {
  if (!s) {
    text_puts(out, "null");
    return;
  }
  text_putc(out, '"');
  while (*s) {
    int width = utf8_width(s);
    if (width == 0) text_puts(out, "\\ufffd");
    else if (*s == '\n') text_puts(out, "\\n");
    else if (*s == '"' || *s == '\\') text_printf(out, "\\%c", *s);
    else if ((unsigned char)*s < 0x20 || *s == 0x7f) text_printf(out, "\\u%04x", (unsigned char)*s);
    else text_write(out, s, (size_t)width);
    s += width ? width : 1;
  }
  text_putc(out, '"');
}

static void json_place(Text *out, Span span) {
  text_puts(out, "\"file\": ");
  json_string(out, span.src ? span.src->path : NULL);
  text_puts(out, ", \"range\": ");
  if (!span.src) {
    text_puts(out, "null");
    return;
  }
  SpanPlace p = span_place(span);
  text_printf(out, "{\"start\": {\"line\": %d, \"column\": %d}, "
              "\"end\": {\"line\": %d, \"column\": %d}}", p.line, p.col, p.end_line, p.end_col);
}

static void json_hint(Text *out, const DiagHint *hint) {
  if (!hint->message) {
    text_puts(out, "null");
    return;
  }
  text_puts(out, "{\"message\": ");
  json_string(out, hint->message);
  text_puts(out, ", ");
  json_place(out, hint->span);
  text_puts(out, ", \"text\": ");
  json_string(out, hint->text);
  text_putc(out, '}');
}

void entry_print_json(Text *out, const DiagEntry *entry) {
  text_putc(out, '{');
  json_place(out, entry->span);
  text_printf(out, ", \"severity\": \"%s\", \"code\": ",
              entry->kind == DIAG_ERROR ? "error" : "warning");
  json_string(out, entry->code);
  text_puts(out, ", \"message\": ");
  json_string(out, entry->message);
  text_puts(out, ", \"notes\": [");
  for (int i = 0; i < entry->notes.len; i++) {
    text_puts(out, i ? ", {" : "{");
    json_place(out, entry->notes.at[i].span);
    text_puts(out, ", \"message\": ");
    json_string(out, entry->notes.at[i].message);
    text_putc(out, '}');
  }
  text_puts(out, "], \"suggestion\": ");
  json_hint(out, &entry->hint);
  text_puts(out, "}\n");
}
