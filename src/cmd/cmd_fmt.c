// dagaz fmt: lays out programs in place, on stdout, or only says which are not laid out yet.
#include "cases.h"
#include <errno.h>
#include <string.h>

typedef struct {
  bool check_only, to_stdout;
  int changed;
} Formatter;

typedef struct {
  Formatter *formatter;
  const char *path;  // NULL: stdin
} FormatJob;

static const char *source_text(Session *s, const char *path, size_t *len) {
  if (!path) return stream_read(s->arena, stdin, len);
  const char *text = file_read(s->arena, path, len);
  if (!text) fail_io("cannot read '%s': %s", path, strerror(errno));
  return text;
}

static void file_format(Session *s, void *state) {
  FormatJob *job = state;
  Formatter *f = job->formatter;
  size_t len;
  const char *text = source_text(s, job->path, &len);
  Text out = {0};
  const Source *src = source_new(s->arena, job->path ? job->path : "(stdin)", text, len);
  syntax_format(s->arena, s->names, src, s->diag, &out);
  session_stop_on_errors(s);
  bool same = out.len == len && memcmp(out.at ? out.at : "", text, len) == 0;
  f->changed += !same;
  if (f->check_only) {
    if (!same) printf("%s\n", src->path);
  } else if (f->to_stdout || !job->path) {
    fwrite(out.at, 1, out.len, stdout);
  } else if (!same && !file_replace(job->path, out.at, out.len, DURABLE)) {
    fail_io("cannot write '%s': %s", job->path, strerror(errno));
  }
  text_free(&out);
}

static Status path_format(Formatter *f, const char *path) {
  Session *s = session_new();
  FormatJob job = {f, path};
  Status status = session_run(s, file_format, &job);
  session_free(s);
  return status;
}

int cmd_fmt(int argc, char **argv) {
  Arena *arena = arena_new();
  Words files = {0};
  Formatter f = {0};
  bool help;
  const ArgRow rows[] = {
      {"check", 0, ARG_FLAG, &f.check_only, "change nothing; list files not laid out; status 1"},
      {"stdout", 0, ARG_FLAG, &f.to_stdout, "print instead of writing the files"},
      {0}};
  int status = STATUS_IO;
  if (args_parse(arena, rows, argc, argv, &files, &help)) status = STATUS_OK;
  if (status == STATUS_OK && !help) {
    Words programs = programs_below(arena, &files);
    if (programs.len == 0) status = (int)path_format(&f, NULL);
    for (int i = 0; i < programs.len; i++) {
      Status one = path_format(&f, programs.at[i]);
      if (one > (Status)status) status = (int)one;
    }
    if (status == STATUS_OK && f.check_only && f.changed) status = STATUS_IO;
  }
  arena_free(arena);
  return status;
}
