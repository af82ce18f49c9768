// dagaz bench: compiles programs and times the cases of their test blocks that are not marked
// nobench.  Prints the median of the runs; --json writes all runs.
#include "cases.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int64_t runs;
  FILE *json;
  int measured, failed;
} Bencher;

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef LIST(double) Times;

static Times times_read(Arena *arena, const char *path) {
  Times times = {0};
  char *text = file_read(arena, path, NULL), *rest = NULL;
  for (char *w = text ? strtok_r(text, " \n", &rest) : NULL; w; w = strtok_r(NULL, " \n", &rest))
    list_push(arena, &times, atof(w));
  if (times.len) qsort(times.at, (size_t)times.len, sizeof *times.at, by_size);
  return times;
}

static void json_case(Bencher *b, const char *path, const char *entry, const char *name,
                      const Times *t) {
  if (!b->json) return;
  fprintf(b->json, "%s\n  {\"program\": \"%s\", \"entry\": \"%s\", \"case\": \"",
          b->measured ? "," : "", path, entry);
  for (const char *c = name; *c; c++)
    if (*c == '"' || *c == '\\') fprintf(b->json, "\\%c", *c);
    else if ((unsigned char)*c >= ' ') fputc(*c, b->json);
  fprintf(b->json, "\", \"median_us\": %g, \"runs_us\": [", t->at[t->len / 2]);
  for (int i = 0; i < t->len; i++) fprintf(b->json, "%s%g", i ? ", " : "", t->at[i]);
  fprintf(b->json, "]}");
}

static void case_time(Bencher *b, Session *s, const char *path, const char *dir, const char *entry,
                      const TestCase *c) {
  size_t len = 0;
  const char *input = case_input(s->arena, path, c, &len);
  const char *times_path = arena_printf(s->arena, "%s/times", dir);
  const char *argv[] = {
      arena_printf(s->arena, "%s/program", dir),          "-e", entry,      "-n", "-r",
      arena_printf(s->arena, "%lld", (long long)b->runs), "-t", times_path, NULL};
  printf("%s:%s (%.40s): ", path, entry, c->name ? c->name : "");
  ProcessResult r = {.status = 1, .error = "no input\n"};
  if (input) r = process_run(s->arena, argv, input, len, 600);
  Times times = times_read(s->arena, times_path);
  if (r.status != 0 || times.len == 0) {
    printf("failed: %s", r.error);
    b->failed++;
    return;
  }
  printf("%.1f us (median of %d, %.1f to %.1f)\n", times.at[times.len / 2], times.len, times.at[0],
         times.at[times.len - 1]);
  json_case(b, path, entry, c->name ? c->name : "", &times);
  b->measured++;
}

static void cases_time(Bencher *b, Session *s, const char *path, const char *dir,
                       const TestBlock *block) {
  for (int g = 0; g < block->groups.len; g++) {
    const TestGroup *group = &block->groups.at[g];
    for (int e = 0; e < group->entries.len; e++)
      for (int i = 0; i < group->cases.len; i++) {
        const TestCase *c = &group->cases.at[i];
        bool wanted = c->output != OUTPUT_ERROR && c->input != INPUT_SCRIPT &&
                      c->input != INPUT_SCRIPT_FILE && !test_has_tag(&c->tags, "nobench");
        if (wanted) case_time(b, s, path, dir, group->entries.at[e], c);
      }
  }
}

static void program_time(Bencher *b, const char *path) {
  Session *s = session_new();
  TestBlock *block = NULL;
  const char *dir = temporary_dir(s->arena);
  Status status = dir ? block_load(s, path, &block) : STATUS_IO;
  if (status == STATUS_OK && block->present && !block->disabled && !block->error) {
    s->entries = block_entries(s->arena, block);
    BuildJob job = {.session = s, .path = path, .out = arena_printf(s->arena, "%s/program", dir)};
    status = build_program(&job);
    if (status == STATUS_OK) cases_time(b, s, path, dir, block);
  }
  if (status != STATUS_OK) b->failed++;
  if (dir) temporary_remove(dir);
  session_free(s);
}

int cmd_bench(int argc, char **argv) {
  Arena *arena = arena_new();
  Words files = {0};
  Bencher b = {.runs = 10};
  const char *json = NULL, *backend = "c";
  bool help;
  const ArgRow rows[] = {{"runs", 'r', ARG_INT, &b.runs, "timed runs of each case (10)"},
                         {"json", 0, ARG_TEXT, &json, "write all runs to this file"},
                         {"backend", 0, ARG_TEXT, &backend, "c"},
                         {0}};
  int status = STATUS_IO;
  if (args_parse(arena, rows, argc, argv, &files, &help) && !help) {
    b.json = json ? fopen(json, "w") : NULL;
    if (json && !b.json) fprintf(stderr, "dagaz: cannot write '%s': %s\n", json, strerror(errno));
    if (b.json) fprintf(b.json, "[");
    Words programs = programs_below(arena, &files);
    for (int i = 0; i < programs.len; i++) program_time(&b, programs.at[i]);
    if (b.json) fprintf(b.json, "\n]\n"), fclose(b.json);
    status = b.failed || !b.measured;
  } else if (help) {
    status = STATUS_OK;
  }
  arena_free(arena);
  return status;
}
