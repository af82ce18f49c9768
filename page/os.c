// In a browser there is no other program, no folder to keep files in and one thread: what of
// driver/, interp/ and cmd/ needs an operating system has these stand-ins.
#include "cmd/cc_check.h"
#include "cmd/repl.h"
#include "cmd/run.h"
#include "driver/driver.h"
#include "interp/local.h"
#include "values/local.h"
#include <errno.h>
#include <time.h>

double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// Files are memory of the page: nothing can go wrong in the middle of one.
bool file_replace(const char *path, const char *s, size_t len, Durability durability) {
  (void)durability;
  return file_write(path, s, len);
}

// ---- no C compiler ------------------------------------------------------------------------------
const char *compiler_name(void) { return NULL; }
bool toolchain_present(void) { return false; }
const char *compiler_preprocess(Session *s, const char *path, const CFlags *flags) {
  (void)s, (void)path, (void)flags;
  return NULL;
}
pid_t compiler_start(FlagSet set, const char *const *words, bool quiet) {
  (void)set, (void)words, (void)quiet;
  return -1;
}
bool compiler_wait(pid_t child) {
  (void)child;
  return false;
}
bool toolchain_build(const BackTexts *texts, const char *out, OutputKind kind, BuildNote *note) {
  (void)texts, (void)out, (void)kind, (void)note;
  return false;
}
void back_c(const ImpProg *imp, const BackOptions *options, BackTexts *texts) {
  (void)imp, (void)options, (void)texts;
  fail_io("the page writes no programs in C: `dagaz c` and `dagaz cc` do");
}
void back_kernels(Text *out, const ImpProg *prog, Dialect dialect) {
  (void)out, (void)prog, (void)dialect;
  fail_io("the page shows no kernels: `dagaz ir --kernels` does");
}
bool cc_check(Session *s, const CcCheck *c) {
  (void)s, (void)c;
  fail_io("the page runs no C compiler: `dagaz cc --check` does");
}
void back_texts_free(BackTexts *texts) { (void)texts; }
void run_compiled(Session *s, RunJob *job) {
  (void)s;
  job->status = STATUS_IO;
}

// ---- no zlib ------------------------------------------------------------------------------------
static const char *const no_zlib = "the page reads no compressed files";
const char *gunzip(const char *bytes, size_t len, Text *out) {
  (void)bytes, (void)len, (void)out;
  return no_zlib;
}
const char *raw_inflate(const char *bytes, size_t len, size_t most, Text *out) {
  (void)most;
  return gunzip(bytes, len, out);
}

// ---- one thread, one process --------------------------------------------------------------------
void deep_run(void (*run)(void *state), void *state) { run(state); }
bool repl_eval(const Evaluation *e) { return evaluation_run(e); }

// ---- commands that the page does not have -------------------------------------------------------
static int absent(char **argv) {
  fprintf(stderr, "dagaz: the page does not have the command '%s'\n", argv[0]);
  return STATUS_IO;
}
#define ABSENT(name)                  \
  int name(int argc, char **argv) {   \
    (void)argc;                       \
    return absent(argv);              \
  }
ABSENT(cmd_c) ABSENT(cmd_profile) ABSENT(cmd_multicore) ABSENT(cmd_gpu_host) ABSENT(cmd_opencl) ABSENT(cmd_cuda) ABSENT(cmd_test) ABSENT(cmd_bench) ABSENT(cmd_autotune) ABSENT(cmd_repl)
ABSENT(cmd_doc) ABSENT(cmd_lsp) ABSENT(cmd_fuzz) ABSENT(cmd_cgen) ABSENT(cmd_pkg) ABSENT(cmd_hash)
ABSENT(cmd_imports) ABSENT(cmd_literate) ABSENT(cmd_script) ABSENT(cmd_gradcheck)
ABSENT(cmd_dataset) ABSENT(cmd_datacmp) ABSENT(cmd_convert) ABSENT(cmd_hlo)
