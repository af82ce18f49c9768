// Open documents: each is checked anew, in an arena of its own, whenever it changes.
#include "local.h"
#include <stdlib.h>
#include <string.h>

static char *copy(const char *s) {
  size_t n = strlen(s) + 1;
  char *out = malloc(n);
  return out ? memcpy(out, s, n) : NULL;
}

Document *document_new(const char *uri) {
  Document *d = calloc(1, sizeof *d);
  Arena *arena = arena_new();
  if (d) {
    d->uri = copy(uri);
    d->path = copy(uri_path(arena, uri));
  }
  arena_free(arena);
  return d;
}

void document_free(Document *d) {
  if (d->arena) arena_free(d->arena);
  free((char *)d->uri);
  free((char *)d->path);
  free(d);
}

static void program_read(Document *d, const struct EmbeddedFile *lib) {
  Names *names = names_new(d->arena);
  CheckedProgram *program =
      program_load_text(d->arena, names, d->diag, lib, d->path, d->text, d->len);
  if (d->diag->errors > 0) return;
  program_check(d->arena, names, d->diag, program, NULL);
  d->program = program;
}

void document_check(Document *d, const char *text, size_t len, const struct EmbeddedFile *lib) {
  if (d->arena) arena_free(d->arena);
  d->arena = arena_new();
  d->text = arena_strndup(d->arena, text, len);
  d->len = len;
  d->diag = diag_new(d->arena);
  d->program = NULL;
  Stop stop;
  if (stop_arm(&stop)) {
    program_read(d, lib);
    stop_pop(&stop);
  }
}

// ---- diagnostics -------------------------------------------------------------------------------

static bool is_own(const Document *d, Span span) {
  const Source *root = d->program && d->program->root ? d->program->root->syntax->src : NULL;
  return span.src && (span.src == root || (span.src->len == d->len && !span.src->builtin &&
                                           strcmp(span.src->text, d->text) == 0));
}

static void notes_print(Text *out, const DiagEntry *entry) {
  bool any = false;
  for (int i = 0; i < entry->notes.len; i++) {
    const DiagNote *note = &entry->notes.at[i];
    if (!note->span.src || note->span.src->builtin) continue;
    text_puts(out, any ? ", " : ", \"relatedInformation\": [");
    any = true;
    Text uri = {0};
    uri_print(&uri, note->span.src->path);
    text_puts(out, "{\"location\": {\"uri\": ");
    json_print_string(out, uri.at);
    text_puts(out, ", \"range\": ");
    range_print(out, note->span);
    text_puts(out, "}, \"message\": ");
    json_print_string(out, note->message);
    text_puts(out, "}");
    text_free(&uri);
  }
  if (any) text_puts(out, "]");
}

// What is wrong in an imported file stands at the start of this one.
static void entry_print(Text *out, const Document *d, const DiagEntry *entry) {
  bool own = is_own(d, entry->span);
  Text message = {0};
  if (!own && entry->span.src) {
    span_print(&message, entry->span);
    text_puts(&message, ": ");
  }
  text_puts(&message, entry->message);
  if (entry->hint.message) text_printf(&message, "\nHint: %s", entry->hint.message);
  text_puts(out, "{\"range\": ");
  range_print(out, own ? entry->span : (Span){0});
  text_printf(out, ", \"severity\": %d, \"source\": \"dagaz\"", entry->kind == DIAG_ERROR ? 1 : 2);
  if (entry->code) {
    text_puts(out, ", \"code\": ");
    json_print_string(out, entry->code);
  }
  text_puts(out, ", \"message\": ");
  json_print_string(out, message.at);
  notes_print(out, entry);
  text_puts(out, "}");
  text_free(&message);
}

void document_diagnostics(Text *out, const Document *d) {
  text_putc(out, '[');
  for (int i = 0; d->diag && i < d->diag->entries.len; i++) {
    if (i > 0) text_puts(out, ", ");
    entry_print(out, d, &d->diag->entries.at[i]);
  }
  text_putc(out, ']');
}
