// The places of a name, and renaming.  Every occurrence of the word in the text of a file is looked
// up in its checked program: it counts when it means the same definition.  A renamed text is
// checked again: it is refused when it has new errors, or when another name would be captured.
#include "local.h"
#include <ctype.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

static Span definition_of(const Found *f) {
  return f->binding ? f->binding->span : f->def ? f->def->span : (Span){0};
}

// Definitions of one file that was read for several documents have different trees.
static bool same_place(Span a, Span b) {
  return a.src && b.src && a.from == b.from && strcmp(a.src->path, b.src->path) == 0;
}

// The component of a dotted name at a place: the one that the found definition names.
static bool is_component(const Source *src, const Found *f, uint32_t at) {
  int before = 0;
  for (uint32_t i = f->span.from; i < at; i++) before += src->text[i] == '.';
  return before == f->mods;
}

static const char *definition_name(const Found *f) {
  return f->binding ? f->binding->name : f->def ? f->def->name : NULL;
}

static void file_search(Arena *arena, const SourceFile *file, const char *name, Span wanted,
                        FileReferences *out) {
  const Source *src = file->src;
  size_t len = strlen(name);
  for (const char *at = src->text; (at = strstr(at, name)) != NULL; at += len) {
    uint32_t from = (uint32_t)(at - src->text);
    if ((from > 0 && is_word(at[-1])) || is_word(at[len])) continue;
    Found f = find_at(file, from);
    if (!f.span.src || !same_place(definition_of(&f), wanted)) continue;
    if (!is_component(src, &f, from)) continue;
    bool defines = same_place(wanted, (Span){src, from, from});
    Reference ref = {{src, from, from + (uint32_t)len}, f.pun, defines};
    list_push(arena, &out->at, ref);
  }
}

static const Document *document_at(const Documents *open, const char *path) {
  for (int i = 0; i < open->len; i++)
    if (strcmp(open->at[i]->path, path) == 0) return open->at[i];
  return NULL;
}

static bool is_listed(const ReferenceList *refs, const char *path) {
  for (int i = 0; i < refs->len; i++)
    if (strcmp(refs->at[i].path, path) == 0) return true;
  return false;
}

static void program_search(Arena *arena, const Documents *open, const CheckedProgram *program,
                           const Found *f, ReferenceList *refs) {
  for (int i = 0; i < program->files.len; i++) {
    const CheckedFile *file = program->files.at[i];
    const Document *d = document_at(open, file->path);
    if (file->builtin || is_listed(refs, file->path)) continue;
    if (d && (!d->now.program || d->now.program->root != file)) continue;  // its own version counts
    FileReferences one = {.path = file->path, .document = d, .src = file->syntax->src};
    file_search(arena, file->syntax, definition_name(f), definition_of(f), &one);
    if (one.at.len) list_push(arena, refs, one);
  }
}

ReferenceList references_at(Arena *arena, const Documents *open, const Document *d, uint32_t at) {
  ReferenceList refs = {0};
  if (!d->now.program || !d->now.program->root) return refs;
  const SourceFile *file = d->now.program->root->syntax;
  Found f = find_at(file, at);
  if ((!f.span.src || !definition_of(&f).src) && at > 0) f = find_at(file, at - 1);
  Span defined = definition_of(&f);
  if (!f.span.src || !defined.src || defined.src->builtin || !definition_name(&f)) return refs;
  program_search(arena, open, d->now.program, &f, &refs);
  for (int i = 0; i < open->len; i++)
    if (open->at[i]->now.program)
      program_search(arena, open, open->at[i]->now.program, &f, &refs);
  return refs;
}

static void uri_of(Text *out, const FileReferences *file) {
  if (file->document) text_puts(out, file->document->uri);
  else uri_print(out, file->path);
}

void references_print(Text *out, const ReferenceList *refs, bool declaration) {
  bool any = false;
  text_putc(out, '[');
  for (int i = 0; i < refs->len; i++)
    for (int k = 0; k < refs->at[i].at.len; k++) {
      Span span = refs->at[i].at.at[k].span;
      if (!declaration && refs->at[i].at.at[k].defines) continue;
      Text uri = {0};
      uri_of(&uri, &refs->at[i]);
      text_puts(out, any ? ", {\"uri\": " : "{\"uri\": ");
      any = true;
      json_print_string(out, uri.at);
      text_puts(out, ", \"range\": ");
      range_print(out, span);
      text_puts(out, "}");
      text_free(&uri);
    }
  text_putc(out, ']');
}

// ---- renaming ---------------------------------------------------------------------------------
static bool is_identifier(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_') return false;
  for (const char *at = name; *at; at++)
    if (!is_word(*at)) return false;
  return !keyword_is(name, strlen(name)) && strcmp(name, "_") != 0;
}

// The text of one occurrence: {x} becomes {x = name}.
static const char *replacement(Arena *arena, const Reference *ref, const char *name) {
  if (!ref->pun) return name;
  uint32_t len = ref->span.to - ref->span.from;
  return arena_printf(arena, "%.*s = %s", (int)len, ref->span.src->text + ref->span.from, name);
}

static const char *renamed_text(Arena *arena, const FileReferences *file, const char *name) {
  Text out = {0};
  uint32_t at = 0;
  for (int i = 0; i < file->at.len; i++) {
    const Reference *ref = &file->at.at[i];
    text_write(&out, file->src->text + at, ref->span.from - at);
    text_puts(&out, replacement(arena, ref, name));
    at = ref->span.to;
  }
  text_write(&out, file->src->text + at, file->src->len - at);
  const char *copy = arena_strndup(arena, out.at, out.len);
  text_free(&out);
  return copy;
}

// All renamed texts in place of those on disk.
static const struct EmbeddedFile *renamed_files(Arena *arena, const Documents *open,
                                                const ReferenceList *refs, const char *name) {
  LIST(struct EmbeddedFile) files = {0};
  for (const struct EmbeddedFile *f = open->lib; f && f->name; f++) list_push(arena, &files, *f);
  for (int i = 0; i < refs->len; i++) {
    const char *text = renamed_text(arena, &refs->at[i], name);
    struct EmbeddedFile f = {refs->at[i].path, text, strlen(text)};
    list_push(arena, &files, f);
  }
  for (int i = 0; i < open->len; i++) {
    const Document *d = open->at[i];
    if (!d->now.text || is_listed(refs, d->path)) continue;
    struct EmbeddedFile f = {d->path, d->now.text, d->now.len};
    list_push(arena, &files, f);
  }
  struct EmbeddedFile end = {0};
  list_push(arena, &files, end);
  return files.at;
}

// Whether the word at every place of the renamed file still means one definition, and no others do.
static bool file_agrees(Arena *arena, const struct EmbeddedFile *files, const FileReferences *file,
                        const char *name) {
  const char *text = renamed_text(arena, file, name);
  Names *names = names_new(arena);
  Diag *diag = diag_new(arena);
  CheckedProgram *program =
      program_load_text(arena, names, diag, files, file->path, text, strlen(text));
  if (diag->errors || !program->root) return false;
  program_check(arena, names, diag, program, NULL);
  if (diag->errors) return false;
  const Reference *first = &file->at.at[0];
  uint32_t at = first->span.from + (first->pun ? first->span.to - first->span.from + 3 : 0);
  Found f = find_at(program->root->syntax, at);
  FileReferences found = {.path = file->path};
  if (!f.span.src || !definition_name(&f) || strcmp(definition_name(&f), name) != 0) return false;
  file_search(arena, program->root->syntax, name, definition_of(&f), &found);
  return found.at.len == file->at.len;
}

static void edits_print(Arena *arena, Text *out, const FileReferences *file, const char *name) {
  Text uri = {0};
  uri_of(&uri, file);
  json_print_string(out, uri.at);
  text_free(&uri);
  text_puts(out, ": [");
  for (int i = 0; i < file->at.len; i++) {
    text_puts(out, i ? ", {\"range\": " : "{\"range\": ");
    range_print(out, file->at.at[i].span);
    text_puts(out, ", \"newText\": ");
    json_print_string(out, replacement(arena, &file->at.at[i], name));
    text_puts(out, "}");
  }
  text_puts(out, "]");
}

const char *rename_print(Arena *arena, Text *out, const Documents *open, const ReferenceList *refs,
                         const char *name) {
  if (refs->len == 0) return "there is no name of the program's here";
  if (!name || !is_identifier(name)) return "this is no name";
  const struct EmbeddedFile *files = renamed_files(arena, open, refs, name);
  for (int i = 0; i < refs->len; i++)
    if (!file_agrees(arena, files, &refs->at[i], name))
      return "the program would no longer mean the same";
  text_puts(out, "{\"changes\": {");
  for (int i = 0; i < refs->len; i++) {
    if (i) text_puts(out, ", ");
    edits_print(arena, out, &refs->at[i], name);
  }
  text_puts(out, "}}");
  return NULL;
}
