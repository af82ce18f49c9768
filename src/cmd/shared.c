// Shared objects: those that `dagaz run` loads, and those that other programs call by leaves
// (dagaz c --shared), with their manifest inside.
#include "cmd.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char *const object_files[] = {"program.so", NULL};

const char *object_build(Session *s, const BackTexts *texts, const char *kind,
                         const char **temporary) {
  BuildNote note;
  uint64_t key = machine_hash(toolchain_hash(14695981039346656037u, FLAGS_TUNED));
  key = hash_text(hash_text(key, texts->runtime.at), texts->program.at);
  const char *name = arena_printf(s->arena, "%s-%016llx", kind, (unsigned long long)key);
  const char *dir = cache_find(s->arena, name, object_files);
  if (dir) return dir;
  dir = *temporary = temporary_dir(s->arena);
  if (!dir) fprintf(stderr, "dagaz: cannot make a temporary folder: %s\n", strerror(errno));
  const char *object = dir ? arena_printf(s->arena, "%s/program.so", dir) : NULL;
  if (!dir || !toolchain_build(texts, object, OUTPUT_SHARED, &note)) return NULL;
  const char *kept = cache_add(s->arena, dir, name, object_files);
  return kept ? kept : dir;
}

// {"object": "/../program.so", "kept": true, "sources": ["/../f.fut"]}; kept: in the cache, else
// the reader removes its folder.
static void result_print(Session *s, const char *dir, bool kept) {
  Text out = {0};
  text_puts(&out, "{\"object\": ");
  json_print_string(&out, arena_printf(s->arena, "%s/program.so", dir));
  text_printf(&out, ", \"kept\": %s, \"sources\": [", kept ? "true" : "false");
  bool first = true;
  for (int i = 0; s->checked && i < s->checked->files.len; i++) {
    if (s->checked->files.at[i]->builtin) continue;
    text_puts(&out, first ? "" : ", ");
    json_print_string(&out, s->checked->files.at[i]->path);
    first = false;
  }
  text_puts(&out, "]}");
  puts(out.at);
  text_free(&out);
}

static Status shared_to_cache(BuildJob *job) {
  Session *s = job->session;
  const char *temporary = NULL, *dir = object_build(s, &job->texts, "lib", &temporary);
  bool kept = dir != temporary;
  if (dir) result_print(s, dir, kept);
  if (temporary && kept) temporary_remove(temporary);
  return dir ? STATUS_OK : STATUS_IO;
}

Status build_shared(BuildJob *job) {
  BuildNote note;
  Status status = build_texts(job);
  if (status != STATUS_OK) return status;
  if (!job->out) status = shared_to_cache(job);
  else {
    const char *object = arena_printf(job->session->arena, "%s.so", job->out);
    if (!toolchain_build(&job->texts, object, OUTPUT_SHARED, &note)) status = STATUS_IO;
  }
  back_texts_free(&job->texts);
  return status;
}
