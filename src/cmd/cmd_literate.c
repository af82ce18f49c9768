// dagaz literate: a program as a document.  Nothing is deleted: the Markdown file and the pictures
// beside it are replaced, other files in their folder stay.
#include "literate.h"
#include <errno.h>

static void check_work(Session *s, void *path) { session_check(s, path); }

static Status program_check_first(const char *path) {
  Session *s = session_new();
  s->diag->no_warnings = true;
  Status status = session_run(s, check_work, (void *)path);
  session_free(s);
  return status;
}

static void blocks_write(Literate *l) {
  LiterateBlocks blocks = literate_blocks(l->arena, l->context.text);
  for (int i = 0; i < blocks.len && !(l->stop && l->failed); i++) {
    const LiterateBlock *b = &blocks.at[i];
    switch (b->kind) {
      case BLOCK_CODE: text_printf(&l->out, "```futhark\n%s\n```\n\n", b->text); break;
      case BLOCK_TEXT: text_printf(&l->out, "%s\n\n", b->text); break;
      case BLOCK_DIRECTIVE: directive_run(l, b->text); break;
    }
  }
}

static const char *without_suffix(Arena *arena, const char *path) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  return dot && dot != path && (!slash || dot > slash + 1)
             ? arena_strndup(arena, path, (size_t)(dot - path)) : path;
}

static Status document_write(Literate *l, const char *out) {
  l->context.text = file_read(l->arena, l->context.path, NULL);
  if (!l->context.text) fail_io("cannot read '%s': %s", l->context.path, strerror(errno));
  Status status = program_check_first(l->context.path);
  if (status != STATUS_OK) return status;
  const char *base = without_suffix(l->arena, out ? out : l->context.path);
  if (!out) out = arena_printf(l->arena, "%s.md", base);
  l->media = arena_printf(l->arena, "%s-img", base);
  const char *slash = strrchr(l->media, '/');
  l->media_name = slash ? slash + 1 : l->media;
  blocks_write(l);
  if (l->stop && l->failed) return STATUS_IO;
  if (l->out.len && l->out.at[l->out.len - 1] == '\n') l->out.len--;
  if (!file_replace(out, l->out.at ? l->out.at : "", l->out.len, DURABLE))
    fail_io("cannot write '%s': %s", out, strerror(errno));
  return l->failed ? STATUS_IO : STATUS_OK;
}

int cmd_literate(int argc, char **argv) {
  Literate l = {.arena = arena_new()};
  Words words = {0};
  const char *out = NULL, *backend = "c";
  bool help;
  const ArgRow rows[] = {
      {"output", 'o', ARG_TEXT, &out, "write this file, and pictures to its name with -img"},
      {"stop-on-error", 0, ARG_FLAG, &l.stop, "write nothing when a directive fails"},
      {"interp", 0, ARG_FLAG, &l.context.interp, "interpret; do not compile"},
      {"verbose", 'v', ARG_FLAG, &l.verbose, "print directives and their messages on stderr"},
      {"backend", 0, ARG_TEXT, &backend, "c"},
      {0}};
  int status = STATUS_IO;
  if (!args_parse(l.arena, rows, argc, argv, &words, &help)) status = STATUS_IO;
  else if (help) status = STATUS_OK;
  else if (words.len != 1) status = usage_error("literate");
  else {
    l.context.path = words.at[0];
    status = document_write(&l, out);
  }
  text_free(&l.out);
  arena_free(l.arena);
  return status;
}
