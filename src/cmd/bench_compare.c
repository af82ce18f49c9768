// dagaz bench --compare OLD NEW: how much faster the second file's runs are.  A difference counts
// when the confidence intervals of the medians do not touch.
#include "bench.h"
#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct {
  int faster, slower, same, alone;
  double log_sum;
  int compared;
} Tally;

static const Json *results_read(Arena *arena, const char *path) {
  size_t len = 0;
  const char *text = file_read(arena, path, &len);
  const Json *json = text ? json_parse(arena, text, len) : NULL;
  if (!text) fprintf(stderr, "dagaz: cannot read '%s': %s\n", path, strerror(errno));
  else if (!json || json->tag != JSON_OBJECT)
    fprintf(stderr, "dagaz: '%s' holds no results of dagaz bench --json\n", path);
  return json && json->tag == JSON_OBJECT ? json : NULL;
}

static Summary runs_summary(Arena *arena, const Json *dataset) {
  const Json *runs = json_get(dataset, "runtimes");
  Times times = {0};
  for (int i = 0; runs && runs->tag == JSON_ARRAY && i < runs->elems.len; i++)
    if (runs->elems.at[i]->tag == JSON_NUMBER) list_push(arena, &times, runs->elems.at[i]->number);
  return times_summary(times.at, times.len);
}

static void dataset_compare(Arena *arena, const JsonMember *old, const Json *new, Tally *tally) {
  Summary a = runs_summary(arena, old->value), b = runs_summary(arena, new);
  if (a.runs == 0 || b.runs == 0 || a.median <= 0 || b.median <= 0) {
    tally->alone++;
    return;
  }
  double ratio = a.median / b.median;
  bool faster = b.high < a.low, slower = b.low > a.high;
  tally->faster += faster, tally->slower += slower, tally->same += !faster && !slower;
  tally->log_sum += log(ratio);
  tally->compared++;
  printf("  %-40.40s %10.1f us -> %10.1f us  %6.2fx%s\n", old->name, a.median, b.median, ratio,
         faster ? " faster" : slower ? " slower" : "");
}

static void program_compare(Arena *arena, const JsonMember *old, const Json *new, Tally *tally) {
  const Json *a = json_get(old->value, "datasets"), *b = json_get(new, "datasets");
  if (!a || a->tag != JSON_OBJECT || !b) {
    tally->alone++;
    return;
  }
  printf("%s\n", old->name);
  for (int i = 0; i < a->members.len; i++) {
    const Json *other = json_get(b, a->members.at[i].name);
    if (other) dataset_compare(arena, &a->members.at[i], other, tally);
    else tally->alone++;
  }
}

int bench_compare(Arena *arena, const Words *files) {
  if (files->len != 2) {
    return usage_error("bench");
  }
  const Json *old = results_read(arena, files->at[0]), *new = results_read(arena, files->at[1]);
  if (!old || !new) return STATUS_IO;
  Tally tally = {0};
  for (int i = 0; i < old->members.len; i++)
    program_compare(arena, &old->members.at[i], json_get(new, old->members.at[i].name), &tally);
  printf("%d faster, %d slower, %d within the noise", tally.faster, tally.slower, tally.same);
  if (tally.alone) printf(", %d without partner", tally.alone);
  if (tally.compared) printf("; geometric mean %.2fx", exp(tally.log_sum / tally.compared));
  printf("\n");
  return STATUS_OK;
}
