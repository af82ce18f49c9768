// dagaz bench: compiles programs and times the cases of their test blocks that are not marked
// nobench.  Prints the median and its 95% confidence interval; --json writes all runs in the
// original's format; --compare compares two such files.
#include "bench.h"
#include "cases.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  int64_t runs;      // 0: until the median is certain
  double seconds;    // no further runs after that
  int strategy;      // of derivatives that name none
  bool finite_math;
  Target target;
  Text json;
  bool terminal;
  int measured, failed;
} Bencher;

// A program while its cases are timed.
typedef struct {
  Bencher *bencher;
  Session *session;
  const char *path, *dir;
  ScriptCases scripts;
  Text json;  // its cases so far
} Bench;

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The order statistics between which the median lies with 95% probability.
Summary times_summary(double *times, int n) {
  if (n) qsort(times, (size_t)n, sizeof *times, by_size);
  int low = (int)floor(((double)n - 1.96 * sqrt((double)n)) / 2);
  if (low < 0) low = 0;
  Summary s = {.runs = n};
  if (n == 0) return s;
  s.median = n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
  s.low = times[low];
  s.high = times[n - 1 - low];
  return s;
}

static void times_read(Arena *arena, const char *path, Times *times) {
  char *text = file_read(arena, path, NULL), *rest = NULL;
  for (char *w = text ? strtok_r(text, " \n", &rest) : NULL; w; w = strtok_r(NULL, " \n", &rest))
    list_push(arena, times, atof(w));
}

static void progress_show(const Bench *b, const char *entry, const Times *times) {
  if (!b->bencher->terminal) return;
  fprintf(stderr, "\r\033[K%s:%s: %d runs", b->path, entry, times->len);
  fflush(stderr);
}

// One process that runs the case `runs` times; NULL, or why there are no times.
static const char *case_repeat(Bench *b, const CaseInput *in, int64_t runs, Times *times) {
  Arena *arena = b->session->arena;
  const char *times_path = arena_printf(arena, "%s/times", b->dir);
  const char *tuning = tuning_beside(arena, b->path);
  const char *argv[] = {arena_printf(arena, "%s/program", b->dir), "-e", in->fn, "-n", "-r",
                        arena_printf(arena, "%lld", (long long)runs), "-t", times_path,
                        tuning ? "--tuning" : NULL, tuning, NULL};
  int before = times->len;
  ProcessResult r = process_run(arena, argv, in->input, in->len, 600);
  times_read(arena, times_path, times);
  return r.status == 0 && times->len > before ? NULL : r.error;
}

// At least ten runs, until the interval is within 1% of the median or the time is up.
enum { FEWEST_RUNS = 10, MOST_RUNS = 1000 };
static const char *case_measure(Bench *b, const char *entry, const CaseInput *in, Times *times) {
  const Bencher *o = b->bencher;
  double start = now_ms();
  for (int64_t runs = o->runs ? o->runs : FEWEST_RUNS;; runs *= 2) {
    const char *error = case_repeat(b, in, runs, times);
    progress_show(b, entry, times);
    if (error || o->runs) return error;
    Summary s = times_summary(times->at, times->len);
    bool certain = s.high - s.low <= 0.02 * s.median;
    if (certain || now_ms() - start > 1e3 * o->seconds || times->len >= MOST_RUNS) return NULL;
  }
}

static void case_json(Bench *b, const char *name, const Times *times) {
  text_puts(&b->json, b->json.len ? ",\n      " : "\n      ");
  json_print_string(&b->json, name);
  text_puts(&b->json, ": {\"runtimes\": [");
  for (int i = 0; i < times->len; i++)
    text_printf(&b->json, "%s%g", i ? ", " : "", times->at[i]);
  text_puts(&b->json, "]}");
}

// Short times with three digits after the point: calls of a few nanoseconds are measured, too.
static void summary_print(const Summary *s, const CaseInput *in) {
  int digits = s->median < 10 ? 3 : 1;
  bool no_input = in->input[strspn(in->input, " \t\r\n")] == '\0';
  printf("%.*f us (%d runs, 95%% within %.*f to %.*f)%s\n", digits, s->median, s->runs, digits,
         s->low, digits, s->high,
         no_input ? ": without input, a constant that is computed before the runs" : "");
  fflush(stdout);
}

static void case_time(Bench *b, const char *entry, const TestCase *c) {
  Arena *arena = b->session->arena;
  CaseInput in = case_is_script(c) ? script_input(&b->scripts, c, entry)
                                   : case_input(arena, b->path, c);
  if (!in.fn) in.fn = entry;
  Times times = {0};
  const char *error = in.problem ? in.problem : case_measure(b, entry, &in, &times);
  if (b->bencher->terminal) fputs("\r\033[K", stderr);
  printf("%s:%s (%.40s): ", b->path, entry, c->name ? c->name : "");
  if (error) {
    printf("failed: %s\n", error);
    b->bencher->failed++;
    return;
  }
  Summary s = times_summary(times.at, times.len);
  summary_print(&s, &in);
  case_json(b, c->name ? c->name : "", &times);
  b->bencher->measured++;
}

static bool case_is_timed(const TestCase *c) {
  return c->output != OUTPUT_ERROR && !test_has_tag(&c->tags, "nobench") &&
         !test_has_tag(&c->tags, "no_c");
}

static void entry_json(Bench *b, const char *entry) {
  Text *out = &b->bencher->json;
  if (!b->json.len) return;
  const char *name = strcmp(entry, "main") == 0
                         ? b->path
                         : arena_printf(b->session->arena, "%s:%s", b->path, entry);
  text_puts(out, out->len ? ",\n  " : "\n  ");
  json_print_string(out, name);
  text_printf(out, ": {\n    \"datasets\": {%s\n    }\n  }", b->json.at);
  b->json.len = 0;
}

static bool group_has(const TestGroup *group, const char *entry) {
  return test_has_tag(&group->entries, entry);
}

// All cases of an entry point, wherever they stand.
static void entry_time(Bench *b, const TestBlock *block, const char *entry) {
  for (int g = 0; g < block->groups.len; g++) {
    const TestGroup *group = &block->groups.at[g];
    for (int i = 0; group_has(group, entry) && i < group->cases.len; i++)
      if (case_is_timed(&group->cases.at[i])) case_time(b, entry, &group->cases.at[i]);
  }
  entry_json(b, entry);
}

static bool is_first(const TestBlock *block, int g, int e) {
  const NameList *entries = &block->groups.at[g].entries;
  for (int i = 0; i < g; i++)
    if (group_has(&block->groups.at[i], entries->at[e])) return false;
  for (int i = 0; i < e; i++)
    if (strcmp(entries->at[i], entries->at[e]) == 0) return false;
  return true;
}

static void cases_time(Bench *b, const TestBlock *block) {
  for (int g = 0; g < block->groups.len; g++)
    for (int e = 0; e < block->groups.at[g].entries.len; e++)
      if (is_first(block, g, e)) entry_time(b, block, block->groups.at[g].entries.at[e]);
}

static void program_time(Bencher *bencher, const char *path) {
  Session *s = session_new();
  s->switches.strategy = bencher->strategy;
  s->finite_math = bencher->finite_math;
  TestBlock *block = NULL;
  Bench b = {.bencher = bencher, .session = s, .path = path, .dir = temporary_dir(s->arena)};
  Status status = b.dir ? block_load(s, path, &block) : STATUS_IO;
  if (status == STATUS_OK && block->present && !block->disabled && !block->error) {
    b.scripts = scripts_add(s, path, block);
    s->entries = block_entries(s->arena, block);
    cases_select(s, &b.scripts, NULL);
    s->target = bencher->target;
    BuildJob job = {.session = s, .path = path, .out = arena_printf(s->arena, "%s/program", b.dir)};
    status = build_program(&job);
    if (status == STATUS_OK) cases_time(&b, block);
  }
  if (status != STATUS_OK) bencher->failed++;
  if (b.dir) temporary_remove(b.dir);
  text_free(&b.json);
  session_free(s);
}

static bool json_save(const char *path, const Text *json) {
  Text all = {0};
  text_printf(&all, "{%s\n}\n", json->at ? json->at : "");
  bool ok = file_replace(path, all.at, all.len, DURABLE);
  if (!ok) fprintf(stderr, "dagaz: cannot write '%s': %s\n", path, strerror(errno));
  text_free(&all);
  return ok;
}

// The programs that the paths name.
static int programs_time(Bencher *b, const Words *paths, const Words *programs, const char *json) {
  for (int i = 0; i < programs->len; i++) program_time(b, programs->at[i]);
  if (!b->failed && !b->measured)
    fprintf(stderr, "dagaz: no test blocks with inputs in %s%s\n", paths->at[0],
            paths->len > 1 ? " and the others" : "");
  bool saved = !json || json_save(json, &b->json);
  text_free(&b->json);
  return b->failed || !b->measured || !saved;
}

int cmd_bench(int argc, char **argv) {
  Arena *arena = arena_new();
  Words files = {0};
  Bencher b = {.terminal = isatty(2), .seconds = 2};
  const char *json = NULL;
  int backend = 0;
  bool any_order = false;
  bool help, compare = false, no_terminal = false;
  const ArgRow rows[] = {
      {"runs", 'r', ARG_COUNT, &b.runs, "exactly so many timed runs (10, and more until certain)"},
      {"seconds", 0, ARG_REAL, &b.seconds, "at most about so long for each case (2)"},
      {"json", 0, ARG_TEXT, &json, "write all runs to this file"},
      {"compare", 0, ARG_FLAG, &compare, "compare two such files: OLD NEW"},
      args_strategy(&b.strategy),
      args_finite_math(&b.finite_math), args_any_order(arena, &any_order),
      {"no-terminal", 0, ARG_FLAG, &no_terminal, "show no progress"},
      {"backend", 0, ARG_CHOICE, &backend,
       "c|multicore|gpu-host|opencl|cuda: what to time; default: c"},
      {0}};
  int status = STATUS_IO;
  if (!args_parse(arena, rows, argc, argv, &files, &help)) goto done;
  if (!help && !files.len) {
    usage_error("bench");
  } else if (!help) {
    if (no_terminal) b.terminal = false;
    b.target = backend_target(backend, any_order);
    Words programs = compare ? files : programs_below(arena, &files);
    status = compare ? bench_compare(arena, &files) : programs_time(&b, &files, &programs, json);
  } else {
    status = STATUS_OK;
  }
done:
  arena_free(arena);
  return status;
}
