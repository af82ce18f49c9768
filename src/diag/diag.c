// Collecting and printing messages.
#include "diag.h"
#include <stdlib.h>
#include <string.h>

Diag *diag_new(Arena *arena) {
  Diag *diag = NEW(arena, Diag);
  diag->arena = arena;
  diag->limit = 20;
  return diag;
}

static char *format(Arena *arena, const char *fmt, va_list args) {
  Text text = {0};
  text_vprintf(&text, fmt, args);
  char *copy = arena_strndup(arena, text.at ? text.at : "", text.len);
  text_free(&text);
  return copy;
}

// "[code] message" is split.
static void code_split(Arena *arena, DiagEntry *entry) {
  const char *s = entry->message;
  if (s[0] != '[') return;
  size_t n = strspn(s + 1, "abcdefghijklmnopqrstuvwxyz-");
  if (n == 0 || s[n + 1] != ']' || s[n + 2] != ' ') return;
  entry->code = arena_strndup(arena, s + 1, n);
  entry->message = s + n + 3;
}

static bool entry_known(const Diag *diag, const DiagEntry *entry) {
  for (int i = 0; i < diag->entries.len; i++) {
    const DiagEntry *e = &diag->entries.at[i];
    if (e->span.src == entry->span.src && e->span.from == entry->span.from &&
        e->span.to == entry->span.to && strcmp(e->message, entry->message) == 0)
      return true;
  }
  return false;
}

static void entry_add(Diag *diag, DiagEntry entry) {
  code_split(diag->arena, &entry);
  entry.serial = diag->entries.len;
  diag->dropped = entry_known(diag, &entry);
  if (!diag->dropped) list_push(diag->arena, &diag->entries, entry);
}

void diag_error_args(Diag *diag, Span at, const char *fmt, va_list args) {
  diag->dropped = true;
  if (diag->errors++ >= diag->limit) return;
  entry_add(diag, (DiagEntry){.kind = DIAG_ERROR, .span = at,
                              .message = format(diag->arena, fmt, args)});
}

void diag_error(Diag *diag, Span at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  diag_error_args(diag, at, fmt, args);
  va_end(args);
}

void diag_warn(Diag *diag, Span at, const char *fmt, ...) {
  diag->dropped = true;
  if (diag->no_warnings) return;
  diag->warnings++;
  va_list args;
  va_start(args, fmt);
  entry_add(diag, (DiagEntry){.kind = DIAG_WARNING, .span = at,
                              .message = format(diag->arena, fmt, args)});
  va_end(args);
}

static DiagEntry *entry_last(const Diag *diag) {
  if (diag->dropped || diag->entries.len == 0) return NULL;
  return &diag->entries.at[diag->entries.len - 1];
}

void diag_note(Diag *diag, Span at, const char *fmt, ...) {
  DiagEntry *last = entry_last(diag);
  if (!last) return;
  va_list args;
  va_start(args, fmt);
  DiagNote note = {at, format(diag->arena, fmt, args)};
  va_end(args);
  list_push(diag->arena, &last->notes, note);
}

void diag_hint(Diag *diag, const char *fmt, ...) {
  DiagEntry *last = entry_last(diag);
  if (!last || last->hint.message) return;
  va_list args;
  va_start(args, fmt);
  last->hint.message = format(diag->arena, fmt, args);
  va_end(args);
}

void diag_fix(Diag *diag, Span at, const char *text, const char *fmt, ...) {
  DiagEntry *last = entry_last(diag);
  if (!last || last->hint.message) return;
  va_list args;
  va_start(args, fmt);
  last->hint = (DiagHint){format(diag->arena, fmt, args), at, arena_strdup(diag->arena, text)};
  va_end(args);
}

DiagMark diag_mark(const Diag *diag) {
  return (DiagMark){diag->entries.len, diag->errors, diag->warnings};
}

void diag_forget(Diag *diag, DiagMark from, DiagMark to) {
  for (int i = to.entries; i < diag->entries.len; i++)
    diag->entries.at[from.entries + i - to.entries] = diag->entries.at[i];
  diag->entries.len -= to.entries - from.entries;
  diag->errors -= to.errors - from.errors;
  diag->warnings -= to.warnings - from.warnings;
}

// ---- printing --------------------------------------------------------------------------------
static void note_print(Text *out, const DiagNote *note) {
  text_puts(out, "Note");
  if (note->span.src) {
    text_puts(out, " at ");
    span_print(out, note->span);
  }
  text_printf(out, ": %s\n", note->message);
  excerpt_print(out, note->span, NULL);
}

static void entry_print(Text *out, const DiagEntry *entry) {
  text_puts(out, entry->kind == DIAG_ERROR ? "Error" : "Warning");
  if (entry->span.src) {
    text_puts(out, " at ");
    span_print(out, entry->span);
  }
  text_printf(out, ":\n%s\n", entry->message);
  excerpt_print(out, entry->span, entry->code);
  for (int i = 0; i < entry->notes.len; i++) note_print(out, &entry->notes.at[i]);
  if (entry->hint.message) text_printf(out, "Hint: %s\n", entry->hint.message);
}

// ---- parts of a text --------------------------------------------------------------------------
// A position in the text becomes one in the part that it is in.
static void span_within_part(const Diag *diag, Span *span) {
  if (!span->src || !diag->split_code || span->src->text != diag->split_code) return;
  int k = diag->parts.len - 1;
  while (k >= 0 && diag->parts.at[k].from > span->from) k--;
  if (k < 0) return;
  uint32_t from = diag->parts.at[k].from, to = (uint32_t)span->src->len;
  if (k + 1 < diag->parts.len) to = diag->parts.at[k + 1].from;
  const char *text = arena_strndup(diag->arena, diag->split_code + from, to - from);
  span->src = source_new(diag->arena, diag->parts.at[k].path, text, to - from);
  span->from -= from;
  span->to -= from;
}

static void entry_within_parts(const Diag *diag, DiagEntry *entry) {
  span_within_part(diag, &entry->span);
  span_within_part(diag, &entry->hint.span);
  for (int i = 0; i < entry->notes.len; i++) span_within_part(diag, &entry->notes.at[i].span);
}

static int entry_order(const void *a, const void *b) {
  const DiagEntry *x = a, *y = b;
  int files = strcmp(x->span.src ? x->span.src->path : "", y->span.src ? y->span.src->path : "");
  if (files) return files;
  if (x->span.from != y->span.from) return x->span.from > y->span.from ? 1 : -1;
  return (x->serial > y->serial) - (x->serial < y->serial);
}

void diag_print(Diag *diag, FILE *out) {
  if (diag->entries.len > 1)
    qsort(diag->entries.at, (size_t)diag->entries.len, sizeof *diag->entries.at, entry_order);
  Text text = {0};
  for (int i = 0; i < diag->entries.len; i++) {
    entry_within_parts(diag, &diag->entries.at[i]);
    if (diag->format == DIAG_JSON) {
      entry_print_json(&text, &diag->entries.at[i]);
      continue;
    }
    if (i > 0) text_putc(&text, '\n');
    entry_print(&text, &diag->entries.at[i]);
  }
  if (diag->errors > diag->limit && diag->format == DIAG_TEXT)
    text_printf(&text, "\n%d more errors not shown.\n", diag->errors - diag->limit);
  if (text.len) fwrite(text.at, 1, text.len, out);
  text_free(&text);
  diag->entries.len = 0;
}

_Noreturn void diag_unsupported(Diag *diag, Span at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *what = format(diag->arena, fmt, args);
  va_end(args);
  diag_error(diag, at, "[unsupported] unsupported: %s", what);
  if (!diag->quiet) diag_print(diag, stderr);
  stop_now(STATUS_UNSUPPORTED);
}
