// Updates that are written down (rts/logs.h): the sums are those of one thread to the bit, also
// where logs are too short or a memory limit leaves no room, and the first failure is reported.
#define _DEFAULT_SOURCE 1
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#define DZ_BLOCK_COST 24.0
#define DZ_LOG_COST 0.0
#define DZ_LOG_BYTES 16384
#define DZ_PIECE 4
#define DZ_SLAB 256
#include "rts/logs.h"
#include "unit.h"

static const DzProgram program = {.backend = "test", .version = "test"};

static DzCtx *context(int threads) {
  DzConfig config = {.num_threads = threads};
  return dz_ctx_new(&program, &config);
}

// Iteration i updates `each` places; it fails from `bad` on.
enum { CELLS = 500 };
typedef struct {
  double *sums;
  float *others;
  DzLogs *logs;
  int64_t each, bad;
  int *alone;  // iterations that were not written down
} Env;

static int64_t place(int64_t i, int64_t k) { return (i * 7919 + k * k * 31) % CELLS; }
static double value(int64_t i, int64_t k) { return 1 / (double)(i + 3 * k + 1); }

static int updates(DzCtx *c, const void *env, int64_t first, int64_t count, void *part) {
  const Env *e = env;
  (void)part;
  for (int64_t i = first; i < first + count; i++) {
    ++*e->alone;
    if (i >= e->bad) return dz_error(c, DZ_PROGRAM_ERROR, "at %d", (int)i);
    for (int64_t k = 0; k < e->each; k++) {
      e->sums[place(i, k)] += value(i, k);
      e->others[place(i, k)] += (float)value(k, i);
    }
  }
  return 0;
}

static int notes(DzCtx *c, const void *env, int64_t first, int64_t count, void *part) {
  const Env *e = env;
  const DzLogs *s = e->logs;
  DzLog log;
  dz_log_begin(&log, e->logs, part);
  DzBin *sums = (DzBin *)part + s->from[0], *others = (DzBin *)part + s->from[1];
  for (int64_t i = first; i < first + count; i++) {
    if (i >= e->bad) return dz_error(c, DZ_PROGRAM_ERROR, "at %d", (int)i);
    for (int64_t k = 0; k < e->each; k++) {
      dz_note_f64(&log, sums, s->shift[0], place(i, k), value(i, k));
      dz_note_f32(&log, others, s->shift[1], place(i, k), (float)value(k, i));
    }
  }
  return log.full ? DZ_LOG_FULL : 0;
}

static int add(DzCtx *c, const void *env, int64_t first, int64_t count, void *part) {
  const Env *e = env;
  const DzLogs *s = e->logs;
  (void)c, (void)part;
  for (int64_t q = first; q < first + count; q++)
    if (q < s->from[1]) {
      double *sums = e->sums + (q << s->shift[0]);
      DZ_EACH_LOGGED(f64, s, q, x) sums[x->at] += x->value;
    } else {
      float *others = e->others + ((q - s->from[1]) << s->shift[1]);
      DZ_EACH_LOGGED(f32, s, q, x) others[x->at] += x->value;
    }
  return 0;
}

typedef struct {
  double sums[CELLS];
  float others[CELLS];
  int alone, err;
  bool pays;
} Result;

// `expected` updates of an iteration, `each` are.
static Result logged(DzCtx *c, int64_t n, int64_t each, double expected, int64_t bad) {
  Result r = {.pays = false};
  DzLogs logs = {.count = 2, .cells = {CELLS, CELLS}, .puts = {expected, expected},
                 .bytes = {8, 4}};
  Env env = {r.sums, r.others, &logs, each, bad, &r.alone};
  DzLogged l = {.run = updates, .log = notes, .add = add, .env = &env, .logs = &logs, .n = n,
                .unit = 1, .cost = 10};
  r.pays = dz_logs_pay(c, &logs, n, l.cost);
  r.err = r.pays ? dz_logged(c, &l) : updates(c, &env, 0, n, NULL);
  return r;
}

static bool same(const Result *a, const Result *b) {
  return memcmp(a->sums, b->sums, sizeof a->sums) == 0 &&
         memcmp(a->others, b->others, sizeof a->others) == 0 && a->err == b->err;
}

int main(void) {
  DzCtx *one = context(1);
  for (int threads = 2; threads <= 8; threads += 3) {
    DzCtx *c = context(threads);
    for (int n = 100; n < 20000; n = 3 * n + 1) {
      Result want = logged(one, n, 3, 3, INT64_MAX), got = logged(c, n, 3, 3, INT64_MAX);
      expect(!want.pays && got.pays && got.alone == 0, "logs", "who writes them");
      expect(same(&want, &got), "logs", "sums differ from those of one thread");
      want = logged(one, n, 40, 40, INT64_MAX), got = logged(c, n, 40, 0.1, INT64_MAX);
      expect(got.alone > 0 && same(&want, &got), "short logs", "differ, or were long enough");
      got = logged(c, n, 3, 3, n / 2);
      char *text = dz_error_take(c), message[64];
      snprintf(message, sizeof message, "Error: at %d\n", n / 2);
      expect(got.err == DZ_PROGRAM_ERROR && text && strcmp(text, message) == 0, "failures",
             "not the first one's");
      free(text);
    }
    Result want = logged(one, 5000, 3, 3, INT64_MAX);
    c->mem_limit = c->mem_now + 1000;
    Result got = logged(c, 5000, 3, 3, INT64_MAX);
    expect(got.alone == 5000 && same(&want, &got), "limits", "a loop without room runs alone");
    c->mem_limit = c->mem_now + 65536;
    c->mem_peak = c->mem_now;
    got = logged(c, 5000, 3, 3, INT64_MAX);
    expect(got.alone == 0 && same(&want, &got), "limits", "a part of the room is taken");
    expect(c->mem_peak <= c->mem_limit, "limits", "are kept");
    dz_ctx_free(c);
  }
  dz_ctx_free(one);
  return unit_end();
}
