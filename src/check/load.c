// Files: the import graph in dependency order.  Paths are made canonical textually; the prelude
// lives in the compiler, under /prelude, and so does the library, under /lib: an import of lib/..
// (as packages are imported, from any depth) that is not on disk is of the library.
#include "local.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  Arena *arena;
  Names *names;
  Diag *diag;
  const struct EmbeddedFile *lib;
  CheckedProgram *program;
  CheckedFileList open;  // being loaded, outermost first
} Loader;

// "a/./b/../c" is "a/c"; leading ".." stay.
static const char *path_clean(Arena *arena, const char *path) {
  bool absolute = path[0] == '/';
  LIST(char *) parts = {0};
  char *copy = arena_strdup(arena, path), *save = NULL;
  for (char *p = strtok_r(copy, "/", &save); p; p = strtok_r(NULL, "/", &save)) {
    bool up = strcmp(p, "..") == 0;
    bool can = parts.len > 0 && strcmp(parts.at[parts.len - 1], "..") != 0;
    if (strcmp(p, ".") == 0 || (up && !can && absolute)) continue;
    if (up && can) parts.len--;
    else list_push(arena, &parts, p);
  }
  const char *out = absolute ? "/" : "";
  for (int i = 0; i < parts.len; i++)
    out = arena_printf(arena, "%s%s%s", out, i ? "/" : "", parts.at[i]);
  return out;
}

static const char *path_resolve(Loader *l, const CheckedFile *from, const char *path) {
  const char *slash = strrchr(from->path, '/');
  const char *file = arena_printf(l->arena, "%s.fut", path);
  if (path[0] == '/' || !slash) return path_clean(l->arena, file);
  int dir = (int)(slash - from->path);
  return path_clean(l->arena, arena_printf(l->arena, "%.*s/%s", dir, from->path, file));
}

static const struct EmbeddedFile *embedded(const Loader *l, const char *name) {
  for (const struct EmbeddedFile *f = l->lib; f && f->name; f++)
    if (strcmp(f->name, name) == 0) return f;
  return NULL;
}

// A file of `lib` with an absolute path replaces the one on disk.
static const char *text_read(Loader *l, const char *path, size_t *len) {
  bool prelude = strncmp(path, "/prelude/", 9) == 0, library = strncmp(path, "/lib/", 5) == 0;
  const struct EmbeddedFile *f = path[0] == '/' ? embedded(l, path) : NULL;
  if (prelude || library) f = embedded(l, path + (prelude ? 1 : 5));
  if (!f && !prelude) return file_read(l->arena, path, len);
  if (!f) {
    errno = ENOENT;
    return NULL;
  }
  *len = f->len;
  return f->text;
}

// Where an import of the library leads; otherwise, and for files on disk, the path itself.
static const char *library_path(Loader *l, const char *path, const char *ref) {
  while (strncmp(ref, "../", 3) == 0 || strncmp(ref, "./", 2) == 0) ref += ref[1] == '/' ? 2 : 3;
  if (strncmp(ref, "lib/", 4) != 0 || access(path, F_OK) == 0) return path;
  const char *name = path_clean(l->arena, arena_printf(l->arena, "%s.fut", ref + 4));
  bool known = embedded(l, name) && strncmp(name, "prelude/", 8) != 0;
  return known ? arena_printf(l->arena, "/lib/%s", name) : path;
}

static CheckedFile *file_find(const Loader *l, const char *path) {
  for (int i = 0; i < l->program->files.len; i++)
    if (strcmp(l->program->files.at[i]->path, path) == 0) return l->program->files.at[i];
  return NULL;
}

static bool cycle_check(Loader *l, const char *path, Span at) {
  for (int i = 0; i < l->open.len; i++) {
    if (strcmp(l->open.at[i]->path, path) != 0) continue;
    const char *chain = path;
    for (int j = i + 1; j < l->open.len; j++)
      chain = arena_printf(l->arena, "%s -> %s", chain, l->open.at[j]->path);
    diag_error(l->diag, at, "[import-cycle] Import cycle: %s -> %s.", chain, path);
    return true;
  }
  return false;
}

static CheckedFile *file_load(Loader *l, const char *path, Span at);

static void imports_load(Loader *l, CheckedFile *file) {
  for (int i = 0; i < file->syntax->imports.len; i++) {
    ImportRef *ref = &file->syntax->imports.at[i];
    const char *path = library_path(l, path_resolve(l, file, ref->path), ref->path);
    CheckedFile *import = NULL;
    if (!file->prelude && strncmp(path, "/prelude/", 9) == 0)
      diag_error(l->diag, ref->span, "[import-prelude] The file \"%s\" is part of the prelude and "
                                     "may not be "
                 "explicitly imported.", ref->path);
    else
      import = file_load(l, path, ref->span);
    list_push(l->arena, &file->imports, import);
  }
}

static CheckedFile *text_load(Loader *l, const char *path, const char *text, size_t len) {
  CheckedFile *file = NEW(l->arena, CheckedFile);
  file->path = path;
  file->prelude = strncmp(path, "/prelude/", 9) == 0;
  Source *src = source_new(l->arena, path, text, len);
  file->builtin = src->builtin = file->prelude || strncmp(path, "/lib/", 5) == 0;
  file->syntax = syntax_parse(l->arena, l->names, src, l->diag);
  list_push(l->arena, &l->open, file);
  imports_load(l, file);
  l->open.len--;
  list_push(l->arena, &l->program->files, file);
  return file;
}

// Reading a pipe or device may never end.  NULL: it is none.
static const char *special_file(const char *path) {
  struct stat st;
  if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) return NULL;
  return "it is a pipe or a device; programs are read from files";
}

// NULL after an error.
static CheckedFile *file_load(Loader *l, const char *path, Span at) {
  CheckedFile *known = file_find(l, path);
  if (known) return known;
  if (cycle_check(l, path, at)) return NULL;
  size_t len = 0;
  const char *special = special_file(path);
  const char *text = special ? NULL : text_read(l, path, &len);
  if (!text) {
    diag_error(l->diag, at, "[import-missing] Could not read file \"%s\": %s.", path,
               special ? special : strerror(errno));
    return NULL;
  }
  return text_load(l, path, text, len);
}

static Loader loader_new(Arena *arena, Names *names, Diag *diag, const struct EmbeddedFile *lib) {
  return (Loader){arena, names, diag, lib, NEW(arena, CheckedProgram), {0}};
}

static void prelude_load(Loader *l) {
  Span nowhere = {0};
  l->program->prelude = file_load(l, "/prelude/prelude.fut", nowhere);
}

static void root_load(Loader *l, const char *path) {
  Span nowhere = {0};
  size_t len = strlen(path);
  if (len < 4 || strcmp(path + len - 4, ".fut") != 0)
    diag_error(l->diag, nowhere, "[file-name] File name \"%s\" does not end in \".fut\".", path);
  else
    l->program->root = file_load(l, path_clean(l->arena, path), nowhere);
}

CheckedProgram *program_load(Arena *arena, Names *names, Diag *diag,
                             const struct EmbeddedFile *lib, const char *path) {
  Loader l = loader_new(arena, names, diag, lib);
  prelude_load(&l);
  root_load(&l, path);
  return l.program;
}

// The program first, because its names say what is needed; but the prelude stands first.
CheckedProgram *program_load_needed(Arena *arena, Names *names, Diag *diag,
                                    const struct EmbeddedFile *lib, const char *path,
                                    const char *text, size_t len) {
  Loader l = loader_new(arena, names, diag, lib);
  if (text) l.program->root = text_load(&l, path_clean(arena, path), text, len);
  else root_load(&l, path);
  CheckedFileList own = l.program->files, none = {0};
  l.program->files = none;
  l.lib = prelude_needed(arena, names, lib);
  prelude_load(&l);
  for (int i = 0; i < own.len; i++) list_push(arena, &l.program->files, own.at[i]);
  return l.program;
}

CheckedProgram *program_load_text(Arena *arena, Names *names, Diag *diag,
                                  const struct EmbeddedFile *lib, const char *path,
                                  const char *text, size_t len) {
  Loader l = loader_new(arena, names, diag, lib);
  prelude_load(&l);
  l.program->root = text_load(&l, path_clean(arena, path), text, len);
  return l.program;
}

// ---- the library on disk ---------------------------------------------------------------------
typedef LIST(struct EmbeddedFile) EmbeddedList;

// The .fut files of dir and the folders in it, named relative to the first.
static void dir_read(Arena *arena, const char *dir, const char *prefix, EmbeddedList *files) {
  DIR *d = opendir(dir);
  for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
    if (e->d_name[0] == '.') continue;
    size_t n = strlen(e->d_name);
    const char *path = arena_printf(arena, "%s/%s", dir, e->d_name);
    if (n < 4 || strcmp(e->d_name + n - 4, ".fut") != 0) {
      dir_read(arena, path, arena_printf(arena, "%s%s/", prefix, e->d_name), files);
      continue;
    }
    struct EmbeddedFile file = {arena_printf(arena, "%s%s", prefix, e->d_name), NULL, 0};
    file.text = file_read(arena, path, &file.len);
    if (file.text) list_push(arena, files, file);
  }
  if (d) closedir(d);
}

struct EmbeddedFile *lib_read(Arena *arena, const char *dir) {
  EmbeddedList files = {0};
  dir_read(arena, dir, "", &files);
  struct EmbeddedFile end = {0};
  list_push(arena, &files, end);
  return files.at;
}
