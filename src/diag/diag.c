// Collecting and printing messages.
#include "diag.h"
#include <stdlib.h>

Diag *diag_new(Arena *arena) {
  Diag *diag = NEW(arena, Diag);
  diag->arena = arena;
  diag->limit = 20;
  return diag;
}

static char *format(Arena *arena, const char *fmt, va_list args) {
  Text text = {0};
  text_vprintf(&text, fmt, args);
  char *copy = arena_strndup(arena, text.at, text.len);
  text_free(&text);
  return copy;
}

void diag_error(Diag *diag, Span at, const char *fmt, ...) {
  if (diag->errors++ >= diag->limit) return;
  va_list args;
  va_start(args, fmt);
  list_push(diag->arena, &diag->entries,
            (DiagEntry){.kind = DIAG_ERROR, .span = at, .message = format(diag->arena, fmt, args)});
  va_end(args);
}

void diag_warn(Diag *diag, Span at, const char *fmt, ...) {
  if (diag->no_warnings) return;
  diag->warnings++;
  va_list args;
  va_start(args, fmt);
  list_push(diag->arena, &diag->entries,
            (DiagEntry){.kind = DIAG_WARNING, .span = at, .message = format(diag->arena, fmt, args)});
  va_end(args);
}

void diag_note(Diag *diag, Span at, const char *fmt, ...) {
  if (diag->entries.len == 0) return;
  DiagEntry *last = &diag->entries.at[diag->entries.len - 1];
  va_list args;
  va_start(args, fmt);
  last->note_span = at;
  last->note = format(diag->arena, fmt, args);
  va_end(args);
}

// The line of the position, at most EXCERPT bytes of it, with carets below.
enum { EXCERPT = 160 };
static void excerpt_print(FILE *out, Span span) {
  if (!span.src) return;
  int line, col, end_line, end_col;
  span_place(span, &line, &col, &end_line, &end_col);
  const char *text = span.src->text;
  uint32_t from = span.src->lines.at[line - 1], to = from;
  while (to < span.src->len && text[to] != '\n') to++;
  if (col > EXCERPT / 2 && to - from > EXCERPT) return;  // far into a long line
  bool cut = to - from > EXCERPT;
  if (cut) to = from + EXCERPT;
  while (cut && ((unsigned char)text[to] & 0xC0) == 0x80) to--;
  int width = end_line == line ? end_col - col + 1 : 1;
  if (cut && width > EXCERPT - col) width = EXCERPT - col;
  fprintf(out, "%5d | %.*s%s\n      | ", line, (int)(to - from), text + from, cut ? " .." : "");
  for (int i = 1; i < col; i++) fputc(' ', out);
  for (int i = 0; i < (width < 1 ? 1 : width); i++) fputc('^', out);
  fputc('\n', out);
}

static void place_print(FILE *out, Span span) {
  Text text = {0};
  span_print(&text, span);
  fputs(text.at ? text.at : "", out);
  text_free(&text);
}

static void entry_print(const DiagEntry *entry, FILE *out) {
  fputs(entry->kind == DIAG_ERROR ? "Error" : "Warning", out);
  if (entry->span.src) {
    fputs(" at ", out);
    place_print(out, entry->span);
  }
  fprintf(out, ":\n%s\n", entry->message);
  excerpt_print(out, entry->span);
  if (!entry->note) return;
  fputs("Note", out);
  if (entry->note_span.src) {
    fputs(" at ", out);
    place_print(out, entry->note_span);
  }
  fprintf(out, ": %s\n", entry->note);
  excerpt_print(out, entry->note_span);
}

static int entry_order(const void *a, const void *b) {
  const DiagEntry *x = a, *y = b;
  if (x->span.src != y->span.src) return 0;
  return (x->span.from > y->span.from) - (x->span.from < y->span.from);
}

void diag_print(Diag *diag, FILE *out) {
  if (diag->entries.len > 1)
    qsort(diag->entries.at, (size_t)diag->entries.len, sizeof *diag->entries.at, entry_order);
  for (int i = 0; i < diag->entries.len; i++) {
    if (i > 0) fputc('\n', out);
    entry_print(&diag->entries.at[i], out);
  }
  if (diag->errors > diag->limit)
    fprintf(out, "\n%d more errors not shown.\n", diag->errors - diag->limit);
  diag->entries.len = 0;
}

_Noreturn void diag_unsupported(Diag *diag, Span at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *what = format(diag->arena, fmt, args);
  va_end(args);
  diag_error(diag, at, "unsupported: %s", what);
  diag_print(diag, stderr);
  stop_now(STATUS_UNSUPPORTED);
}
