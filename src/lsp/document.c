// Open documents: each is checked anew, in its own arena, whenever it changes.
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

static void version_free(Version *v) {
  if (v->arena) arena_free(v->arena);
  *v = (Version){0};
}

void document_free(Document *d) {
  version_free(&d->now);
  version_free(&d->good);
  free((char *)d->uri);
  free((char *)d->path);
  free(d);
}

// The library and the other open documents; their texts are copied, as they change.
static struct EmbeddedFile *files_around(const Document *d, Arena *arena, const Documents *open) {
  LIST(struct EmbeddedFile) files = {0};
  for (const struct EmbeddedFile *f = open->lib; f && f->name; f++) list_push(arena, &files, *f);
  for (int i = 0; i < open->len; i++) {
    const Document *other = open->at[i];
    if (other == d || !other->now.text || other->path[0] != '/') continue;
    const char *text = arena_strndup(arena, other->now.text, other->now.len);
    struct EmbeddedFile f = {arena_strdup(arena, other->path), text, other->now.len};
    list_push(arena, &files, f);
  }
  struct EmbeddedFile end = {0};
  list_push(arena, &files, end);
  return files.at;
}

static void program_read(Document *d, const Documents *open) {
  Version *v = &d->now;
  Names *names = names_new(v->arena);
  CheckedProgram *program = program_load_text(
      v->arena, names, v->diag, files_around(d, v->arena, open), d->path, v->text, v->len);
  if (v->diag->errors > 0) return;
  program_check(v->arena, names, v->diag, program, NULL);
  v->program = program;
  if (open->warn && v->diag->errors == 0) open->warn(v->arena, names, v->diag, program);
}

void document_check(Document *d, const char *text, size_t len, const Documents *open) {
  Version old = d->now;
  d->now = (Version){.arena = arena_new(), .len = text ? len : old.len};
  d->now.text = arena_strndup(d->now.arena, text ? text : old.text, d->now.len);
  d->now.diag = diag_new(d->now.arena);
  Stop stop;
  if (stop_arm(&stop)) {
    program_read(d, open);
    stop_pop(&stop);
  }
  if (d->now.program) version_free(&d->good);
  if (d->now.program || !old.program) {
    version_free(&old);
    return;
  }
  version_free(&d->good);
  d->good = old;
}

bool document_imports(const Document *d, const char *path) {
  const Version *v = document_known(d);
  if (!v || v == &d->good) return true;
  for (int i = 0; i < v->program->files.len; i++)
    if (strcmp(v->program->files.at[i]->path, path) == 0) return true;
  return false;
}

// ---- versions ---------------------------------------------------------------------------------

const Version *document_known(const Document *d) {
  const Version *v = d->now.program ? &d->now : &d->good;
  return v->program && v->program->root ? v : NULL;
}

// A text is another with one part exchanged: what stands before and after it has kept its place.
static int64_t place_across(const Version *from, const Version *to, uint32_t at) {
  size_t less = from->len < to->len ? from->len : to->len, before = 0, after = 0;
  while (before < less && from->text[before] == to->text[before]) before++;
  while (after < less - before &&
         from->text[from->len - 1 - after] == to->text[to->len - 1 - after])
    after++;
  if (at < before || from->len == to->len) return at;
  if (at >= from->len - after) return (int64_t)at + (int64_t)to->len - (int64_t)from->len;
  return at == before ? (int64_t)at : -1;
}

int64_t place_in_version(const Document *d, const Version *v, uint32_t at) {
  if (v == &d->now) return at;
  return place_across(&d->now, v, at);
}

bool span_to_now(Arena *arena, const Document *d, const Version *v, Span *span) {
  if (v == &d->now || span->src != v->program->root->syntax->src) return true;
  int64_t from = place_across(v, &d->now, span->from);
  int64_t to = span->to > span->from ? place_across(v, &d->now, span->to - 1) + 1 : from;
  if (from < 0 || to < from) return false;
  *span = (Span){source_new(arena, d->path, d->now.text, d->now.len), (uint32_t)from, (uint32_t)to};
  return true;
}

// ---- diagnostics ------------------------------------------------------------------------------

static bool is_own(const Document *d, Span span) {
  const Version *v = &d->now;
  const Source *root = v->program && v->program->root ? v->program->root->syntax->src : NULL;
  return span.src && (span.src == root || (span.src->len == v->len && !span.src->builtin &&
                                           strcmp(span.src->text, v->text) == 0));
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

// Messages about an imported file stand at the start of this one.
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
  const Diag *diag = d->now.diag;
  for (int i = 0; diag && i < diag->entries.len; i++) {
    if (i > 0) text_puts(out, ", ");
    entry_print(out, d, &diag->entries.at[i]);
  }
  text_putc(out, ']');
}
