// dagaz dataset and dagaz datacmp: files of values.
#include "cmd.h"
#include "values/values.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool file_values(Arena *arena, const char *path, Values *out) {
  size_t len;
  char *bytes =
      strcmp(path, "-") == 0 ? stream_read(arena, stdin, &len) : file_read(arena, path, &len);
  if (!bytes) {
    fprintf(stderr, "dagaz: cannot read '%s': %s\n", path, strerror(errno));
    return false;
  }
  const char *error;
  if (values_read(arena, bytes, len, NULL, 0, out, &error)) return true;
  fprintf(stderr, "dagaz: %s: %s\n", path, error);
  return false;
}

static int values_compare(Arena *arena, const Values *a, const Values *b, double tolerance) {
  int status = STATUS_OK;
  if (a->len != b->len) {
    printf("%d values and %d values\n", a->len, b->len);
    return STATUS_USER_ERROR;
  }
  for (int i = 0; i < a->len; i++) {
    const char *differs = value_differs(arena, &a->at[i], &b->at[i], tolerance);
    if (!differs) continue;
    printf("value #%d: %s\n", i, differs);
    status = STATUS_USER_ERROR;
  }
  return status;
}

int cmd_datacmp(int argc, char **argv) {
  Arena *arena = arena_new();
  Words files = {0};
  double limit = -1, tolerance = 0.002;
  bool help;
  const ArgRow rows[] = {
      {"largest-error", 0, ARG_REAL, &limit,
       "print the largest difference over the largest value; status 2 when above this"},
      {"tolerance", 0, ARG_REAL, &tolerance,
       "of floats, absolute and relative to the largest (0.002)"},
      {0}};
  int status = STATUS_IO;
  Values a = {0}, b = {0};
  if (!args_parse(arena, rows, argc, argv, &files, &help)) goto done;
  if (help || files.len != 2) {
    status = help ? STATUS_OK : usage_error("datacmp");
    goto done;
  }
  if (!file_values(arena, files.at[0], &a) || !file_values(arena, files.at[1], &b)) goto done;
  if (limit >= 0) {
    double error = values_error(&a, &b);
    printf("%.2e\n", error);
    status = error <= limit ? STATUS_OK : STATUS_USER_ERROR;
  } else {
    status = values_compare(arena, &a, &b, tolerance);
  }
done:
  arena_free(arena);
  return status;
}

// --f64-bounds=MIN:MAX
static bool bounds_set(RandomOptions *options, Prim p, const char *text) {
  char *end;
  options->low[p] = strtod(text, &end);
  if (*end != ':') return false;
  options->high[p] = strtod(end + 1, &end);
  return !*end && options->low[p] <= options->high[p];
}

static int dataset_print(Arena *arena, const Words *types, RandomOptions *options, bool binary) {
  for (int i = 0; i < types->len; i++) {
    Value v;
    if (!value_random(arena, types->at[i], options, &v)) {
      fprintf(stderr, "dagaz: '%s' is not a type with sizes, such as [10]f64\n", types->at[i]);
      return STATUS_IO;
    }
    Text text = {0};
    if (binary) value_write_binary(&text, &v);
    else value_print(&text, &v), text_putc(&text, '\n');
    fwrite(text.at, 1, text.len, stdout);
    text_free(&text);
  }
  return STATUS_OK;
}

int cmd_dataset(int argc, char **argv) {
  Arena *arena = arena_new();
  Words others = {0}, types = {0};
  const char *bounds[PRIM_COUNT] = {NULL};
  bool binary = false, text = false, help;
  int64_t seed = 0;
  ArgRow rows[PRIM_COUNT + 6] = {
      {"generate", 'g', ARG_REPEAT, &types, "a type, such as [10][20]f64"},
      {"seed", 's', ARG_INT, &seed, "of the generator (0)"},
      {"binary", 'b', ARG_FLAG, &binary, "binary values"},
      {"text", 't', ARG_FLAG, &text, "text values (default)"}};
  for (Prim p = 0; p < PRIM_BOOL; p++)
    rows[4 + p] = (ArgRow){arena_printf(arena, "%s-bounds", prim_info[p].name), 0, ARG_TEXT,
                           &bounds[p], "MIN:MAX"};
  int status = STATUS_IO;
  if (!args_parse(arena, rows, argc, argv, &others, &help)) goto done;
  RandomOptions options = random_options((uint64_t)seed);
  for (Prim p = 0; p < PRIM_BOOL; p++)
    if (bounds[p] && !bounds_set(&options, p, bounds[p])) {
      fprintf(stderr, "dagaz: bounds are written MIN:MAX, not '%s'\n", bounds[p]);
      goto done;
    }
  if (!help && !types.len) status = usage_error("dataset");
  else status = help ? STATUS_OK : dataset_print(arena, &types, &options, binary && !text);
done:
  arena_free(arena);
  return status;
}
