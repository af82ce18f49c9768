// The threads of rts/par.h by themselves: every iteration once, sums in their blocks' order, loops
// inside loops, failures, limits.  Arguments: N, so many loops of each
// kind; `no-fork`, where a tool knows none.
#define _DEFAULT_SOURCE 1
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "rts/par.h"
#include "unit.h"
#include <sys/wait.h>

static const DzProgram program = {.backend = "test", .version = "test"};

static DzCtx *context(int threads) {
  DzConfig config = {.num_threads = threads};
  return dz_ctx_new(&program, &config);
}

// ---- loops
typedef struct {
  int64_t *at;
  int64_t bad, inner;
} Env;

static int add_one(DzCtx *c, const void *env, int64_t first, int64_t count, void *part) {
  const Env *e = env;
  (void)c, (void)part;
  for (int64_t i = 0; i < count; i++) e->at[first + i] += first + i + 1;
  return 0;
}

static bool all_once(int64_t *at, int64_t n) {
  bool ok = true;
  for (int64_t i = 0; i < n; i++) ok = ok && at[i] == i + 1, at[i] = 0;
  return ok;
}

static void maps(DzCtx *c, int loops) {
  enum { MOST = 3000 };
  int64_t at[MOST] = {0};
  bool ok = true;
  for (int k = 0; k < loops; k++) {
    Env env = {.at = at};
    int64_t n = (int64_t)k * 7919 % MOST, unit = 1 << k % 8;
    DzPar par = {add_one, &env, n, unit, 1e5, 0, DZ_RANGES};
    ok = ok && dz_par(c, &par) == 0 && all_once(at, n);
  }
  expect(ok, "maps", "an iteration ran twice or not at all");
}

// Sums of reciprocals: their order shows.
static int reciprocals(DzCtx *c, const void *env, int64_t first, int64_t count, void *part) {
  double sum = 0;
  (void)c, (void)env;
  for (int64_t i = 0; i < count; i++) sum += 1 / (double)(first + i + 1);
  *(double *)part = sum;
  return 0;
}

static double total(DzCtx *c, int64_t n, int64_t block) {
  double parts[DZ_PARTS], sum = 0;
  DzPar par = {reciprocals, NULL, n, block, 1e5, sizeof *parts, 0};
  for (int64_t at = 0; at < n; at += DZ_PARTS * block) {
    if (dz_par_blocks(c, &par, at, parts) != 0) return -1;
    for (int64_t b = 0; b < dz_parts(n - at, block); b++) sum += parts[b];
  }
  return sum;
}

static void sums(DzCtx *c, int loops) {
  DzCtx *one = context(1);
  bool ok = true;
  for (int k = 0; k < loops; k++) {
    int64_t n = (int64_t)k * 7919 % 5000, block = 1 + k % 9;
    ok = ok && total(c, n, block) == total(one, n, block);
  }
  dz_ctx_free(one);
  expect(ok, "sums", "differ from those of one thread");
}

static int nest(DzCtx *c, const void *env, int64_t first, int64_t count, void *part) {
  const Env *e = env;
  (void)part;
  for (int64_t i = first; i < first + count; i++) {
    Env inner = {.at = e->at + i * e->inner};
    DzPar par = {add_one, &inner, e->inner, 1, 1e5, 0, DZ_RANGES};
    DzBlock b = {0};
    int err = dz_alloc(c, &b, 100 * (i + 1), -1);
    if (err == 0) err = dz_par(c, &par);
    dz_free(c, &b);
    if (err != 0) return err;
  }
  return 0;
}

static void nests(DzCtx *c, int loops) {
  enum { OUTER = 40, INNER = 30 };
  int64_t at[OUTER * INNER] = {0};
  bool ok = true;
  for (int k = 0; k < loops; k++) {
    Env env = {.at = at, .inner = INNER};
    DzPar par = {nest, &env, OUTER, 1, 1e5, 0, DZ_RANGES};
    ok = ok && dz_par(c, &par) == 0;
    for (int i = 0; i < OUTER; i++) ok = ok && all_once(at + i * INNER, INNER);
  }
  expect(ok, "nests", "an iteration ran twice or not at all");
}

// ---- failures
static int fail_from(DzCtx *c, const void *env, int64_t first, int64_t count, void *part) {
  const Env *e = env;
  (void)part;
  for (int64_t i = first; i < first + count; i++)
    if (i >= e->bad) return dz_error(c, DZ_PROGRAM_ERROR, "at %d", (int)i);
  return 0;
}

static void failures(DzCtx *c, int loops) {
  bool ok = true;
  for (int k = 0; k < loops; k++) {
    char want[64];
    Env env = {.bad = k % 1000};
    DzPar par = {fail_from, &env, 1000, 1, 1e5, 0, DZ_RANGES};
    ok = ok && dz_par(c, &par) == DZ_PROGRAM_ERROR;
    char *text = dz_error_take(c);
    snprintf(want, sizeof want, "Error: at %d\n", (int)env.bad);
    ok = ok && text && strcmp(text, want) == 0;
    free(text);
    env.bad = 1000;
    ok = ok && dz_par(c, &par) == 0 && dz_error_take(c) == NULL;
  }
  expect(ok, "failures", "not the first one's");
}

static int take_memory(DzCtx *c, const void *env, int64_t first, int64_t count, void *part) {
  DzBlock b = {0};
  (void)first, (void)count, (void)part;
  int err = dz_alloc(c, &b, *(const int64_t *)env, -1);
  dz_free(c, &b);
  return err;
}

static void limits(DzCtx *c) {
  int64_t bytes = 1 << 20;
  DzPar par = {take_memory, &bytes, 1000, 1, 1e5, 0, DZ_RANGES};
  int threads = dz_threads(c);
  c->mem_limit = threads * (INT64_C(2) << 20);
  expect(dz_par(c, &par) == 0, "limits", "each thread has its share");
  bytes = 3 << 20;
  expect(dz_par(c, &par) == DZ_OUT_OF_MEMORY, "limits", "nobody has more than its share");
  free(dz_error_take(c));
  c->mem_limit = 0;
  expect(c->mem_now == 0 && c->mem_peak >= 1 << 20, "limits", "what was in use is counted");
}

// A child of fork has no threads until it makes its own.
static void forks(DzCtx *c) {
  int64_t at[1000] = {0};
  int status = 1;
  Env env = {.at = at};
  DzPar par = {add_one, &env, 1000, 1, 1e5, 0, DZ_RANGES};
  expect(dz_par(c, &par) == 0 && all_once(at, 1000), "fork", "before");
  pid_t child = fork();
  if (child == 0) {
    bool ok = dz_par(c, &par) == 0 && all_once(at, 1000);
    dz_ctx_free(c);
    _exit(!ok);
  }
  waitpid(child, &status, 0);
  expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "fork", "in the child");
  expect(dz_par(c, &par) == 0 && all_once(at, 1000), "fork", "after");
}

static void sizes(void) {
  expect(dz_block(10, 1, 32) == 10, "blocks", "little work is one block");
  expect(dz_block(0, 1, 32) == 1, "blocks", "no iterations");
  expect(dz_block(INT64_C(1) << 40, 1, 32) == DZ_BLOCK_MOST, "blocks", "at most");
  expect(dz_block(1000, 1e9, 32) == 32, "blocks", "at least a unit");
  expect(dz_block(INT64_MAX, 1e300, 1) == 1, "blocks", "of one");
  expect(dz_blocks(INT64_MAX, 2) == INT64_MAX / 2 + 1, "blocks", "do not overflow");
}

// ---- tuning
static int calls_of(DzCtx *c, const void *env, int64_t first, int64_t count, void *part) {
  (void)c, (void)first, (void)count, (void)part;
  __atomic_add_fetch((int *)*(void *const *)env, 1, __ATOMIC_SEQ_CST);
  return 0;
}
// How many ranges a loop is made of, where that many operations are worth threads.
static int ranges_of(int64_t threshold, int64_t n, double cost, int most) {
  static const DzTuning params[] = {{"default_threshold", "threshold", DZ_UNTUNED}};
  const DzProgram tuned = {.backend = "test", .tuning_count = 1, .tuning = params, .own_param = 1};
  DzConfig config = {.num_threads = 2, .tuning = &threshold};
  DzCtx *c = dz_ctx_new(&tuned, &config);
  int calls = 0;
  void *at = &calls;
  DzPar par = {calls_of, &at, n, 1, cost, 0, most};
  dz_par(c, &par);
  dz_ctx_free(c);
  return calls;
}
static int ranges(int64_t threshold, int64_t n, double cost) {
  return ranges_of(threshold, n, cost, DZ_RANGES);
}
static void thresholds(void) {
  expect(ranges(DZ_UNTUNED, 100, 1e5) > 1, "threshold", "the default");
  expect(ranges(DZ_UNTUNED, 100, 10) == 1, "threshold", "the default, little work");
  expect(ranges(INT64_C(1) << 40, 100, 1e5) == 1, "threshold", "one that no loop reaches");
  expect(ranges(0, 100, 10) > 1, "threshold", "none");
  expect(ranges(0, 704, 1e7) == 16, "ranges", "of two threads, all that there may be");
  expect(ranges_of(0, 700, 1e7, DZ_RANGES_FEW) == 4, "ranges", "few");
  expect(ranges(0, 700, 1e7) == 16 && ranges(0, 690, 1e7) == 16, "ranges", "whole rows of four");
}

int main(int argc, char **argv) {
  static const int threads[] = {1, 2, 3, 8};
  int loops = argc > 1 ? atoi(argv[1]) : 300;
  sizes();
  thresholds();
  for (int k = 0; k < 4; k++) {
    DzCtx *c = context(threads[k]);
    maps(c, loops);
    sums(c, loops / 4);
    nests(c, loops / 8);
    failures(c, loops / 2);
    limits(c);
    if (argc < 3) forks(c);
    dz_ctx_free(c);
  }
  return unit_end();
}
