// Messages for editors: one JSON object per line.
//   {"file": .., "range": R, "severity": "error", "code": .., "message": ..,
//    "notes": [{"file": .., "range": R, "message": ..}],
//    "suggestion": {"message": .., "file": .., "range": R, "text": ..}}
// R is {"start": {"line": L, "column": C}, "end": {"line": L, "column": C}}: from 1, columns in
// characters, the end is the column after the last.  File and range are null where no place is
// known; so are code and suggestion where there is none; the suggestion's text is null where there
// is nothing to replace.
#include "diag.h"

static void json_place(Text *out, Span span) {
  text_puts(out, "\"file\": ");
  json_print_string(out, span.src ? span.src->path : NULL);
  text_puts(out, ", \"range\": ");
  if (!span.src) {
    text_puts(out, "null");
    return;
  }
  SpanPlace p = span_place(span);
  text_printf(out, "{\"start\": {\"line\": %d, \"column\": %d}, "
              "\"end\": {\"line\": %d, \"column\": %d}}", p.line, p.col, p.end_line, p.end_col + 1);
}

static void json_hint(Text *out, const DiagHint *hint) {
  if (!hint->message) {
    text_puts(out, "null");
    return;
  }
  text_puts(out, "{\"message\": ");
  json_print_string(out, hint->message);
  text_puts(out, ", ");
  json_place(out, hint->span);
  text_puts(out, ", \"text\": ");
  json_print_string(out, hint->text);
  text_putc(out, '}');
}

void entry_print_json(Text *out, const DiagEntry *entry) {
  text_putc(out, '{');
  json_place(out, entry->span);
  text_printf(out, ", \"severity\": \"%s\", \"code\": ",
              entry->kind == DIAG_ERROR ? "error" : "warning");
  json_print_string(out, entry->code);
  text_puts(out, ", \"message\": ");
  json_print_string(out, entry->message);
  text_puts(out, ", \"notes\": [");
  for (int i = 0; i < entry->notes.len; i++) {
    text_puts(out, i ? ", {" : "{");
    json_place(out, entry->notes.at[i].span);
    text_puts(out, ", \"message\": ");
    json_print_string(out, entry->notes.at[i].message);
    text_putc(out, '}');
  }
  text_puts(out, "], \"suggestion\": ");
  json_hint(out, &entry->hint);
  text_puts(out, "}\n");
}
