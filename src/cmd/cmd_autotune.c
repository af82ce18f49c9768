// dagaz autotune: times a program on the inputs of its test blocks for several values of each
// parameter of its machine, and writes the best to FILE.fut.tuning, which the program takes with
// --tuning, and test and bench take when it stands beside the program.
//
// A value is worth writing if it makes the inputs at least 3% faster, by the mean of their ratios,
// and none of them more than 3% slower.  Times are medians of runs of all values in turns.
#include "bench.h"
#include "cases.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, VALUES_MOST = 8 };
#define WORTH 1.03

typedef struct {
  const char *class;
  int64_t values[VALUES_MOST];  // up to 0
} Candidates;
static const Candidates candidates[] = {
    {"threshold", {8192, 32768, 131072, 524288, 2097152, 8388608}},
    {"thread_block_size", {32, 64, 128, 256}},
};

typedef struct {
  Session *session;
  const char *path, *program, *times;
  ScriptCases scripts;
  LIST(CaseInput) inputs;
  const char *problem;
} Tuner;

static void inputs_of_group(Tuner *t, const TestGroup *group) {
  for (int e = 0; e < group->entries.len; e++)
    for (int i = 0; i < group->cases.len; i++) {
      const TestCase *c = &group->cases.at[i];
      if (c->output == OUTPUT_ERROR || test_has_tag(&c->tags, "nobench")) continue;
      CaseInput in = case_is_script(c) ? script_input(&t->scripts, c, group->entries.at[e])
                                       : case_input(t->session->arena, t->path, c);
      if (!in.fn) in.fn = group->entries.at[e];
      if (!in.problem) list_push(t->session->arena, &t->inputs, in);
    }
}

// Microseconds of three runs, the median, with this setting; NULL: none.  0: it has failed.
static double input_time(Tuner *t, const CaseInput *in, const char *setting) {
  Arena *arena = t->session->arena;
  const char *argv[] = {t->program, "-e", in->fn, "-n", "-r", "3", "-t", t->times,
                        setting ? "--param" : NULL, setting, NULL};
  ProcessResult r = process_run(arena, argv, in->input, in->len, 600);
  char *text = r.status == 0 ? file_read(arena, t->times, NULL) : NULL, *rest = NULL;
  double times[3] = {0};
  int n = 0;
  for (char *w = text ? strtok_r(text, " \n", &rest) : NULL; w && n < 3;
       w = strtok_r(NULL, " \n", &rest))
    times[n++] = atof(w);
  if (r.status != 0) t->problem = r.error;
  return n ? times_summary(times, n).median : 0;
}

// ---- one parameter -----------------------------------------------------------------------------
typedef struct {
  const char *name;
  const Candidates *of;
  int best;  // -1: none is worth it
  double gain;
} Choice;

static const char *setting_of(Tuner *t, const Choice *c, int v) {
  return v < 0 ? NULL
               : arena_printf(t->session->arena, "%s=%lld", c->name, (long long)c->of->values[v]);
}

// The times of one input without and with each value: medians, without in the last place.
static bool input_measure(Tuner *t, const Choice *c, const CaseInput *in,
                          double out[VALUES_MOST + 1]) {
  double rounds[VALUES_MOST + 1][ROUNDS] = {{0}};
  for (int r = 0; r < ROUNDS; r++)
    for (int v = -1; v < VALUES_MOST && (v < 0 || c->of->values[v]); v++) {
      double us = input_time(t, in, setting_of(t, c, v));
      if (us <= 0) return false;
      rounds[v < 0 ? VALUES_MOST : v][r] = us;
    }
  for (int v = 0; v <= VALUES_MOST; v++) out[v] = times_summary(rounds[v], ROUNDS).median;
  return true;
}

// How often faster each value is on all inputs; 0: on one of them slower.
static bool gains_measure(Tuner *t, const Choice *c, double gains[VALUES_MOST]) {
  double logs[VALUES_MOST] = {0}, us[VALUES_MOST + 1];
  bool slower[VALUES_MOST] = {false};
  for (int i = 0; i < t->inputs.len; i++) {
    if (!input_measure(t, c, &t->inputs.at[i], us)) return false;
    for (int v = 0; v < VALUES_MOST && c->of->values[v]; v++) {
      logs[v] += log(us[VALUES_MOST] / us[v]);
      slower[v] |= us[v] > WORTH * us[VALUES_MOST];
    }
  }
  for (int v = 0; v < VALUES_MOST; v++) gains[v] = slower[v] ? 0 : exp(logs[v] / t->inputs.len);
  return true;
}

static bool parameter_tune(Tuner *t, Choice *c) {
  double gains[VALUES_MOST] = {0};
  c->best = -1, c->gain = WORTH;
  if (!gains_measure(t, c, gains)) return false;
  for (int v = 0; v < VALUES_MOST && c->of->values[v]; v++) {
    printf("%s=%lld: %s\n", c->name, (long long)c->of->values[v],
           gains[v] > 0 ? arena_printf(t->session->arena, "%.3f times as fast", gains[v])
                        : "slower on an input");
    if (gains[v] > c->gain) c->best = v, c->gain = gains[v];
  }
  return true;
}

// ---- the program -------------------------------------------------------------------------------
static bool tuning_write(const Tuner *t, const Choice *c) {
  const char *path = arena_printf(t->session->arena, "%s.tuning", t->path);
  if (c->best < 0) {
    printf("No value of %s is worth it: nothing is written\n", c->name);
    return true;
  }
  const char *line = arena_printf(t->session->arena, "%s=%lld\n", c->name,
                                  (long long)c->of->values[c->best]);
  if (!file_replace(path, line, strlen(line), DURABLE)) {
    fprintf(stderr, "dagaz: cannot write '%s': %s\n", path, strerror(errno));
    return false;
  }
  printf("%s: %s", path, line);
  return true;
}

// The parameter of the machine is the last that the program lists; NULL: it has none.
static const Candidates *parameter_of(Tuner *t, char **name) {
  const char *argv[] = {t->program, "--print-params", NULL};
  ProcessResult r = process_run(t->session->arena, argv, "", 0, 60);
  char *text = arena_strndup(t->session->arena, r.out, r.out_len), *rest = NULL, *found = NULL;
  for (char *w = strtok_r(text, "\n", &rest); w; w = strtok_r(NULL, "\n", &rest)) found = w;
  char *class = found ? strchr(found, '(') : NULL;
  if (!class) return NULL;
  class[-1] = 0;
  *name = found;
  for (int i = 0; i < COUNT_OF(candidates); i++)
    if (strncmp(class + 1, candidates[i].class, strlen(candidates[i].class)) == 0)
      return &candidates[i];
  return NULL;
}

static Status refuse(const char *why) {
  fprintf(stderr, "dagaz: %s\n", why);
  return STATUS_IO;
}

static Status program_tune(Tuner *t, const TestBlock *block) {
  char *name = NULL;
  Choice c = {.of = parameter_of(t, &name)};
  c.name = name;
  if (!c.of) return refuse("a program of --backend c or gpu-host has nothing to tune");
  for (int g = 0; g < block->groups.len; g++) inputs_of_group(t, &block->groups.at[g]);
  if (!t->inputs.len)
    return refuse(arena_printf(t->session->arena, "no test blocks with inputs in %s", t->path));
  if (!parameter_tune(t, &c))
    return refuse(t->problem ? t->problem : "the program gives no times");
  return tuning_write(t, &c) ? STATUS_OK : STATUS_IO;
}

int cmd_autotune(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  int backend = BACKEND_MULTICORE;
  bool help, any_order = false;
  const ArgRow rows[] = {{"backend", 0, ARG_CHOICE, &backend,
                          "c|multicore|gpu-host|opencl|cuda: what to tune; default: multicore"},
                         args_any_order(s->arena, &any_order), args_messages(s),
                         {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (files.len != 1) return usage_error("autotune");
  const char *path = files.at[0], *dir = temporary_dir(s->arena);
  if (!dir) fail_io("cannot make a temporary folder");
  Tuner t = {.session = s, .path = path, .program = arena_printf(s->arena, "%s/program", dir),
             .times = arena_printf(s->arena, "%s/times", dir)};
  TestBlock *block = NULL;
  s->target = backend_target(backend, any_order);
  Status status = block_load(s, path, &block);
  if (status == STATUS_OK) {
    t.scripts = scripts_add(s, path, block);
    s->entries = block_entries(s->arena, block);
    cases_select(s, &t.scripts, NULL);
    BuildJob job = {.session = s, .path = path, .out = t.program};
    status = build_program(&job);
  }
  if (status == STATUS_OK) status = program_tune(&t, block);
  temporary_remove(dir);
  session_free(s);
  return status;
}
