// dagaz c, multicore, gpu-host, opencl, cuda: to C, and with the system compiler to an executable;
// or a library, or a server.
#include "cmd.h"
#include <string.h>

static const char *without_suffix(Arena *arena, const char *path) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  return dot && (!slash || dot > slash) ? arena_strndup(arena, path, (size_t)(dot - path)) : path;
}

static int needs_library(const char *option) {
  fprintf(stderr, "dagaz: option %s goes with --library\n", option);
  return STATUS_IO;
}

static int compile(int argc, char **argv, TargetKind target) {
  Session *s = session_new();
  s->target = target_of(target);
  Words files = {0}, entries = {0};
  BuildJob job = {.session = s, .save = true};
  bool library = false, server = false, executable = false, shared = false, cache = false, help;
  const char *name = NULL, *without = NULL;
  const ArgRow rows[] = {
      {NULL, 'o', ARG_TEXT, &job.out, "name of the result; default: FILE without .fut"},
      {"executable", 0, ARG_FLAG, &executable, "a program that reads values from stdin (default)"},
      {"library", 0, ARG_FLAG, &library, "OUT.c, OUT.h and OUT.json, for use from C"},
      {"shared", 0, ARG_FLAG, &shared,
       "OUT.so, called by leaves (rts/leaf.h), with its manifest inside: what Python uses"},
      {"cache", 0, ARG_FLAG, &cache, "with --shared: keep it in the cache, print where as JSON"},
      {"profile", 0, ARG_FLAG, &s->profile, "its loops are measured: option -P prints them"},
      {"interruptible", 0, ARG_FLAG, &job.interruptible,
       "with --shared, --library: dagaz_context_stop ends a call, from another thread"},
      {"name", 0, ARG_TEXT, &name, "with - for FILE, the text on stdin: its path"},
      {"cpp", 0, ARG_FLAG, &job.cpp, "with --library: OUT.hpp, classes and exceptions for C++17"},
      {"server", 0, ARG_FLAG, &server, "a program that speaks the server protocol"},
      {"c-only", 0, ARG_FLAG, &job.c_only, "write OUT.c, do not run the C compiler"},
      {"entry-point", 0, ARG_REPEAT, &entries, "treat this function as an entry point too"},
      {"recompute", 0, ARG_FLAG, &s->recompute, "derivatives compute again what they could keep"},
      {"memory-limit", 0, ARG_COUNT, &s->memory_limit,
       "upper limit in bytes for arrays; loops recompute values rather than exceed it. 0: the "
       "limit is given when the program starts"},
      {"flush-denormals", 0, ARG_FLAG, &s->flush,
       "numbers too small for full precision count as zero: faster where many occur"},
      {"trace-nan", 0, ARG_FLAG, &s->trace_nan,
       "a slow program that says where the first infinity and NaN come from"},
      {"strict-ieee", 0, ARG_FLAG, &s->strict_ieee,
       "derivatives with zero times infinity or NaN as IEEE says"},
      {"strict-order", 0, ARG_FLAG, &s->strict_order, "loops add floats in the order written"},
      {"unsafe", 0, ARG_FLAG, &s->safe_off, "no run-time checks"},
      {"safe", 0, ARG_FLAG, &executable, "run-time checks (default)"},
      args_finite_math(&s->finite_math), args_strategy(&s->switches.strategy),
      args_any_order(s->arena, &s->target.any_order), args_without(&without), args_messages(s),
      {NULL, 'W', ARG_FLAG, &s->diag->no_warnings, "the same as -w"},
      {"verbose", 'v', ARG_FLAG, &s->time, "print the time of every pass"},
      {"time-summary", 0, ARG_FLAG, &job.summary, "print compile times on stderr"},
      {"print-after", 0, ARG_TEXT, &s->print_after, "show the program after this pass, or `all`"},
      {"verify", 0, ARG_FLAG, &s->verify, "verify the program after every pass"},
      {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (!session_leaves_out(s, argv[0], without)) return STATUS_IO;
  if (job.cpp && !library) return needs_library("--cpp");
  if (!session_passes_known(s)) {
    fprintf(stderr, "dagaz %s: `dagaz ir --passes` lists what --print-after takes\n", argv[0]);
    return STATUS_IO;
  }
  if (files.len != 1 || (cache && !shared)) return usage_error(argv[0]);
  s->keep = s->verify;
  list_push(s->arena, &entries, NULL);
  s->entries = entries.at;
  job.path = files.at[0];
  if (strcmp(job.path, "-") == 0) {
    if (!name) return usage_error("c");
    job.path = name;
    s->text = stream_read(s->arena, stdin, &s->text_len);
  }
  if (!job.out && !cache) job.out = without_suffix(s->arena, job.path);
  job.mode = library  ? MODE_LIBRARY
             : server ? MODE_SERVER
             : shared ? MODE_SHARED
                      : MODE_EXECUTABLE;
  Status status = shared ? build_shared(&job) : build_program(&job);
  session_free(s);
  return status;
}

int cmd_c(int argc, char **argv) { return compile(argc, argv, TARGET_ONE); }
int cmd_multicore(int argc, char **argv) { return compile(argc, argv, TARGET_CORES); }
int cmd_gpu_host(int argc, char **argv) { return compile(argc, argv, TARGET_GPU_HOST); }
int cmd_opencl(int argc, char **argv) { return compile(argc, argv, TARGET_OPENCL); }
int cmd_cuda(int argc, char **argv) { return compile(argc, argv, TARGET_CUDA); }
