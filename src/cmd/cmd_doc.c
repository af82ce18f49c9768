// dagaz doc: HTML from documentation comments, one page for every file and an index; --check only
// says what is missing.
#include "cases.h"
#include "doc.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
  bool check_only;
  const char *out;  // folder
  Text index;
} Documenter;

typedef struct {
  Documenter *documenter;
  const char *path;
} DocJob;

// "lib/ad/dense.fut" is on the page "lib-ad-dense.html".
static const char *page_name(Arena *arena, const char *path) {
  while (*path == '.' || *path == '/') path++;
  char *name = arena_strdup(arena, path);
  size_t n = strlen(name);
  if (n > 4 && strcmp(name + n - 4, ".fut") == 0) name[n - 4] = 0;
  for (char *c = name; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *c)) *c = '-';
  return arena_printf(arena, "%s.html", name);
}

static void page_save(Session *s, const char *dir, const char *page, const Text *html) {
  const char *path = arena_printf(s->arena, "%s/%s", dir, page);
  if (!file_replace(path, html->at, html->len, REMADE))
    fail_io("cannot write '%s': %s", path, strerror(errno));
}

static void index_add(Documenter *d, const SourceFile *file, const char *page, const char *path) {
  text_printf(&d->index, "<h2><a href=\"%s\">", page);
  html_escape(&d->index, path, strlen(path));
  text_puts(&d->index, "</a></h2>\n<p>\n");
  doc_names_html(&d->index, file, page);
  text_puts(&d->index, "</p>\n");
}

static void file_document(Session *s, void *state) {
  DocJob *job = state;
  Documenter *d = job->documenter;
  size_t len;
  const char *text = file_read(s->arena, job->path, &len);
  if (!text) fail_io("cannot read '%s': %s", job->path, strerror(errno));
  SourceFile *file =
      syntax_parse(s->arena, s->names, source_new(s->arena, job->path, text, len), s->diag);
  session_stop_on_errors(s);
  if (d->check_only) {
    s->diag->limit = INT32_MAX;
    doc_file_check(file, s->diag);
    session_stop_on_errors(s);
    return;
  }
  Text html = {0};
  const char *page = page_name(s->arena, job->path);
  doc_file_html(&html, file, job->path);
  page_save(s, d->out, page, &html);
  index_add(d, file, page, job->path);
  text_free(&html);
}

static Status path_document(Documenter *d, const char *path) {
  Session *s = session_new();
  DocJob job = {d, path};
  Status status = session_run(s, file_document, &job);
  session_free(s);
  return status;
}

static Status index_save(Documenter *d) {
  Text html = {0};
  doc_file_html(&html, NULL, "Index");
  text_printf(&html, "%s</body></html>\n", d->index.at ? d->index.at : "");
  Arena *arena = arena_new();
  const char *path = arena_printf(arena, "%s/index.html", d->out);
  bool ok = file_replace(path, html.at, html.len, REMADE);
  if (!ok) fprintf(stderr, "dagaz: cannot write '%s': %s\n", path, strerror(errno));
  arena_free(arena);
  text_free(&html);
  return ok ? STATUS_OK : STATUS_IO;
}

int cmd_doc(int argc, char **argv) {
  Arena *arena = arena_new();
  Words files = {0};
  Documenter d = {.out = "doc-html"};
  bool help;
  const ArgRow rows[] = {
      {"out", 'o', ARG_TEXT, &d.out, "folder for the pages (doc-html)"},
      {"check", 0, ARG_FLAG, &d.check_only, "write nothing; name what lacks documentation"},
      {0}};
  int status = STATUS_IO;
  if (args_parse(arena, rows, argc, argv, &files, &help)) status = STATUS_OK;
  if (status == STATUS_OK && !help) {
    Words programs = programs_below(arena, &files);
    if (programs.len == 0) {
      status = usage_error("doc");
    }
    if (!d.check_only && programs.len) mkdir(d.out, 0777);
    for (int i = 0; i < programs.len; i++) {
      Status one = path_document(&d, programs.at[i]);
      if ((int)one > status) status = (int)one;
    }
    if (!d.check_only && status == STATUS_OK) status = (int)index_save(&d);
  }
  text_free(&d.index);
  arena_free(arena);
  return status;
}
