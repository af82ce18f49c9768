// Finding programs, reading their test blocks and inputs.
#include "cases.h"
#include "data.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *tuning_beside(Arena *arena, const char *path) {
  const char *beside = arena_printf(arena, "%s.tuning", path);
  return access(beside, R_OK) == 0 ? beside : NULL;
}

const char *file_beside(Arena *arena, const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_printf(arena, "%.*s/%s", (int)(slash - path), path, name) : name;
}

// A word of `random input`: a type with sizes, or a value.  A value is left
// as text: its reader decides the type of a number without suffix.
static bool random_word(Arena *arena, const char *word, RandomOptions *options, Text *out) {
  Value v;
  Values values = {0};
  const char *error;
  if (value_random(arena, word, options, &v)) {
    value_write_binary(out, &v);
    return true;
  }
  text_printf(out, " %s ", word);
  return values_read(arena, word, strlen(word), NULL, 0, &values, &error);
}

// Words end at blanks outside brackets.
static size_t word_len(const char *s) {
  size_t n = 0;
  for (int depth = 0; s[n] && (depth > 0 || !strchr(" \t\r\n", s[n])); n++)
    depth += (s[n] == '[' || s[n] == '(') - (s[n] == ']' || s[n] == ')');
  return n;
}

static const char *random_text(Arena *arena, const char *types, size_t *len, const char **problem) {
  RandomOptions options = random_options(1);
  Text text = {0};
  for (const char *at = types; *at;) {
    at += strspn(at, " \t\r\n");
    const char *word = arena_strndup(arena, at, word_len(at));
    at += strlen(word);
    if (*word && !random_word(arena, word, &options, &text))
      *problem = arena_printf(arena, "random input: '%s' is neither a type nor a value", word);
  }
  *len = text.len;
  const char *copy = arena_strndup(arena, text.at ? text.at : "", text.len);
  text_free(&text);
  return copy;
}

// Executables read no strings: values with one are read here and written as arrays.
static const char *without_strings(Arena *arena, const char *input, size_t *len) {
  Values values = {0};
  const char *error;
  if (!memchr(input, '"', *len) || !values_read(arena, input, *len, NULL, 0, &values, &error))
    return input;
  Text text = {0};
  for (int i = 0; i < values.len; i++) value_print(&text, &values.at[i]), text_putc(&text, '\n');
  *len = text.len;
  const char *copy = arena_strndup(arena, text.at, text.len);
  text_free(&text);
  return copy;
}

const char *data_read(Arena *arena, const char *path, size_t *len, const char **problem) {
  const char *bytes = file_read(arena, path, len);
  size_t n = strlen(path);
  if (!bytes) *problem = strerror(errno);
  if (!bytes || n < 3 || strcmp(path + n - 3, ".gz") != 0) return bytes;
  Text text = {0};
  *problem = gunzip(bytes, *len, &text);
  const char *copy =
      *problem ? NULL : arena_strndup(arena, text.at ? text.at : "", text.len);
  *len = text.len;
  text_free(&text);
  return copy;
}

const char *file_values(Arena *arena, const char *path, size_t *len, const char **problem) {
  DataSource from = data_source(arena, path);
  Values values = {0};
  Words names = {0};
  Text text = {0};
  if (data_format(from.path) < DATA_NPY) {
    const char *bytes = data_read(arena, path, len, problem);
    if (!bytes) *problem = arena_printf(arena, "'%s': %s", path, *problem);
    return bytes;
  }
  if (!data_values_read(arena, &from, &values, &names, problem)) return NULL;
  for (int i = 0; i < values.len; i++) value_write_binary(&text, &values.at[i]);
  *len = text.len;
  const char *copy = arena_strndup(arena, text.at ? text.at : "", text.len);
  text_free(&text);
  return copy;
}

CaseInput case_input(Arena *arena, const char *path, const TestCase *c) {
  CaseInput in = {.input = c->in_text ? c->in_text : ""};
  if (c->input == INPUT_RANDOM) {
    in.input = random_text(arena, in.input, &in.len, &in.problem);
  } else if (c->input == INPUT_FILE) {
    const char *file = file_beside(arena, path, in.input);
    const char *problem = "";
    in.input = file_values(arena, file, &in.len, &problem);
    if (!in.input) in.problem = arena_printf(arena, "input file %s", problem);
  } else {
    in.len = strlen(in.input);
    in.input = without_strings(arena, in.input, &in.len);
  }
  return in;
}

typedef struct {
  const char *path;
  TestBlock *block;
} BlockJob;

static void block_read(Session *s, void *state) {
  BlockJob *job = state;
  size_t len;
  char *text = file_read(s->arena, job->path, &len);
  if (!text) fail_io("cannot read '%s': %s", job->path, strerror(errno));
  job->block =
      testblock_parse(s->arena, s->names, source_new(s->arena, job->path, text, len), s->diag);
  session_stop_on_errors(s);
}

Status block_load(Session *s, const char *path, TestBlock **out) {
  BlockJob job = {.path = path};
  Status status = session_run(s, block_read, &job);
  *out = job.block;
  return status;
}

const char *const *block_entries(Arena *arena, const TestBlock *block) {
  Words names = {0};
  for (int g = 0; g < block->groups.len; g++)
    for (int e = 0; e < block->groups.at[g].entries.len; e++)
      list_push(arena, &names, block->groups.at[g].entries.at[e]);
  list_push(arena, &names, NULL);
  return names.at;
}

void cases_select(Session *s, const ScriptCases *scripts, const char *entry) {
  const char *const *all = s->entries;
  Words only = {0};
  if (entry) list_push(s->arena, &only, entry);
  for (; !entry && *all; all++) list_push(s->arena, &only, *all);
  for (int i = 0; i < scripts->len; i++)
    if (!entry || strcmp(entry, scripts->at[i].entry) == 0)
      list_push(s->arena, &only, scripts->at[i].input.fn);
  list_push(s->arena, &only, NULL);
  s->only = only.at;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void path_collect(Arena *arena, const char *path, Words *out) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
    list_push(arena, out, path);
    return;
  }
  DIR *dir = opendir(path);
  Words names = {0};
  for (struct dirent *e; dir && (e = readdir(dir));) {
    const char *dot = strrchr(e->d_name, '.');
    if (e->d_name[0] == '.') continue;
    const char *name = arena_printf(arena, "%s/%s", path, e->d_name);
    bool is_program = dot && strcmp(dot, ".fut") == 0;
    if (is_program || (stat(name, &info) == 0 && S_ISDIR(info.st_mode)))
      list_push(arena, &names, name);
  }
  if (dir) closedir(dir);
  if (names.len) qsort(names.at, (size_t)names.len, sizeof *names.at, by_name);
  for (int i = 0; i < names.len; i++) path_collect(arena, names.at[i], out);
}

Words programs_below(Arena *arena, const Words *paths) {
  Words out = {0};
  for (int i = 0; i < paths->len; i++) path_collect(arena, paths->at[i], &out);
  return out;
}
