// par: all cores.  A program made for them has functions that do a range of a loop's iterations;
// here is who calls them.
//
//   dz_par(ctx, &par)         all iterations, in ranges, each by one thread
//   dz_par_blocks(..)         the next DZ_PARTS blocks, and what each of them gives
//
// A team of threads belongs to a context; it is made at the first loop that is worth it.  One loop
// runs at a time; a loop inside of a range runs in its thread.  Idle threads look for work some
// microseconds, then sleep.  Each thread has a separate context, so a pool of blocks, and errors.
//
// Blocks follow from sizes alone, so results are the same for any number of threads.  The error is
// that of the first range that fails, ranges after it are left out: what one core reports.
//
// Ranges are handed out by `ticket`: how many are left, and in its high bits a number that is
// another for each loop, so that who is late takes nothing.  The loop's data are only read by who
// has taken a range, and only written when none is left and all are finished.
#ifndef DZ_PAR_H
#define DZ_PAR_H
#include "blocks.h"
#include "ctx.h"

#define DZ_PARTS 256
#define DZ_RANGES 8      // of a loop, for each thread: who is late takes fewer
#define DZ_RANGES_FEW 2  // where each range copies what all of them read
#define DZ_ROWS 4        // iterations that are often done at once
#define DZ_THREADS_MOST 1024

// Iterations first .. first + count - 1; `part`: where a block puts what it sums up.
typedef int DzChunk(DzCtx *c, const void *env, int64_t first, int64_t count, void *part);
typedef struct DzPar {
  DzChunk *run;
  const void *env;
  int64_t n, unit;  // ranges begin at multiples of unit; blocks have this size
  double cost;      // of an iteration
  size_t part;      // bytes
  int most;         // ranges for each thread
} DzPar;

// Blocks that are summed at a time.
static inline int64_t dz_parts(int64_t left, int64_t block) {
  const int64_t blocks = dz_blocks(left, block);
  return blocks < DZ_PARTS ? blocks : DZ_PARTS;
}

DZ_FN int dz_par_run(DzCtx *c, const DzPar *par);
DZ_FN int dz_par_run_blocks(DzCtx *c, const DzPar *par, int64_t from, void *parts);

DZ_FN bool dz_par_alone(DzCtx *c);      // loops run in the caller's thread only
DZ_FN int64_t dz_par_threads(DzCtx *c);  // of a loop

// Whether the loop is worth threads, where default_threshold of the tuning says another cost.
static inline bool dz_par_pays(const DzCtx *c, const DzPar *par) {
  const double least = (double)dz_own_tuned(c, (int64_t)DZ_BLOCK_COST);
  return (double)par->n * par->cost >= least && !c->in_team;
}

static inline int dz_par(DzCtx *c, const DzPar *par) {
  if (par->n < 2 * par->unit || !dz_par_pays(c, par))
    return par->run(c, par->env, 0, par->n, NULL);
  return dz_par_run(c, par);
}

static inline int dz_par_blocks(DzCtx *c, const DzPar *par, int64_t from, void *parts) {
  if (par->n <= par->unit) return par->run(c, par->env, 0, par->n, parts);
  return dz_par_run_blocks(c, par, from, parts);
}

#include <pthread.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

typedef struct DzWorker {
  struct DzTeam *team;
  DzCtx *ctx;       // its own; of the first, which is the caller, the caller's
  int64_t failed;   // the range; INT64_MAX: none
  int err;
  pthread_t thread;
} DzWorker;

typedef struct DzTeam {
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  uint64_t ticket;      // ranges left; above DZ_TICKET the loop's number
  int64_t finished;     // ranges
  int64_t failed;       // the first range that failed
  int sleepers, waiting, stop;
  DzPar par;            // the loop
  int64_t from, n, grain, ranges;
  char *parts;
  uint64_t mode;        // of floating point
  DzWorker *workers;
  int count;            // with the caller
  pid_t pid;
} DzTeam;
#define DZ_TICKET 20

static inline void dz_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// How floating point rounds and whether denormal numbers are zero is the thread's.
static inline uint64_t dz_float_mode(void) {
#if defined(__SSE2__)
  return __builtin_ia32_stmxcsr();
#elif defined(__aarch64__)
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
#else
  return 0;
#endif
}
static inline void dz_float_mode_set(uint64_t mode) {
#if defined(__SSE2__)
  __builtin_ia32_ldmxcsr((unsigned)mode);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#else
  (void)mode;
#endif
}

// ---- how many ----------------------------------------------------------------------------------
// Processors that the process may use.
DZ_FN int dz_processors(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__) && defined(SYS_sched_getaffinity)
  unsigned long mask[16] = {0};
  long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask), set = 0;
  for (long i = 0; i < bytes / (long)sizeof *mask; i++) set += __builtin_popcountl(mask[i]);
  if (set > 0) n = set;
#endif
  return n < 1 ? 1 : n > DZ_THREADS_MOST ? DZ_THREADS_MOST : (int)n;
}

// The processors that a container is allowed, rounded down; 0: all.
DZ_FN int dz_quota(void) {
  FILE *f = fopen("/sys/fs/cgroup/cpu.max", "r");
  long long quota = 0, period = 0;
  if (f == NULL) return 0;
  int read = fscanf(f, "%lld %lld", &quota, &period);
  fclose(f);
  if (read != 2 || period <= 0 || quota <= 0) return 0;
  return quota < period ? 1 : quota / period > DZ_THREADS_MOST ? 0 : (int)(quota / period);
}

// The configuration's, else DAGAZ_THREADS, else what the machine has.
DZ_FN int dz_threads(const DzCtx *c) {
  const char *text = getenv("DAGAZ_THREADS");
  long n = c->num_threads > 0 ? c->num_threads : text != NULL ? strtol(text, NULL, 10) : 0;
  if (n > 0) return n > DZ_THREADS_MOST ? DZ_THREADS_MOST : (int)n;
  int all = dz_processors(), quota = dz_quota();
  return quota > 0 && quota < all ? quota : all;
}

// ---- ranges ------------------------------------------------------------------------------------
DZ_FN void dz_range_failed(DzTeam *t, DzWorker *w, int64_t range, int err) {
  int64_t first = __atomic_load_n(&t->failed, __ATOMIC_RELAXED);
  w->failed = range;
  w->err = err;
  while (range < first && !__atomic_compare_exchange_n(&t->failed, &first, range, false,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
}

DZ_FN void dz_range_run(DzTeam *t, DzWorker *w, int64_t range) {
  const int64_t first = range * t->grain, left = t->n - first;
  char *part = t->parts != NULL ? t->parts + (size_t)range * t->par.part : NULL;
  if (range >= __atomic_load_n(&t->failed, __ATOMIC_RELAXED)) return;
  const int64_t count = left < t->grain ? left : t->grain;
  DzTimeline *line = w->ctx->timeline;
  const int64_t begin = line != NULL ? dz_now() : 0;
  int err = t->par.run(w->ctx, t->par.env, t->from + first, count, part);
  if (line != NULL) dz_bar_range(line, (int)(w - t->workers), begin);
  if (err != 0) dz_range_failed(t, w, range, err);
}

// Takes ranges until none is left.
DZ_FN void dz_ranges_take(DzTeam *t, DzWorker *w) {
  const uint64_t mask = (UINT64_C(1) << DZ_TICKET) - 1;
  uint64_t ticket = __atomic_load_n(&t->ticket, __ATOMIC_SEQ_CST);
  while ((ticket & mask) != 0) {
    if (!__atomic_compare_exchange_n(&t->ticket, &ticket, ticket - 1, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
      continue;
    const int64_t ranges = t->ranges;
    if (w->ctx->in_team == 0) w->ctx->in_team = 1;
    if (w != t->workers) dz_float_mode_set(t->mode);
    dz_range_run(t, w, ranges - (int64_t)(ticket & mask));
    if (__atomic_add_fetch(&t->finished, 1, __ATOMIC_SEQ_CST) == ranges &&
        __atomic_load_n(&t->waiting, __ATOMIC_SEQ_CST)) {
      pthread_mutex_lock(&t->lock);
      pthread_cond_signal(&t->done);
      pthread_mutex_unlock(&t->lock);
    }
    ticket = __atomic_load_n(&t->ticket, __ATOMIC_SEQ_CST);
  }
}

#define DZ_SPINS 100  // pauses: two microseconds, ten times what handing over costs

DZ_FN bool dz_work_there(DzTeam *t) {
  const uint64_t mask = (UINT64_C(1) << DZ_TICKET) - 1;
  return (__atomic_load_n(&t->ticket, __ATOMIC_SEQ_CST) & mask) != 0 ||
         __atomic_load_n(&t->stop, __ATOMIC_SEQ_CST);
}

DZ_FN void dz_worker_sleep(DzTeam *t) {
  for (int i = 0; i < DZ_SPINS; i++) {
    if (dz_work_there(t)) return;
    dz_pause();
  }
  pthread_mutex_lock(&t->lock);
  __atomic_add_fetch(&t->sleepers, 1, __ATOMIC_SEQ_CST);
  while (!dz_work_there(t)) pthread_cond_wait(&t->work, &t->lock);
  __atomic_sub_fetch(&t->sleepers, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&t->lock);
}

DZ_FN void *dz_worker_main(void *arg) {
  DzWorker *w = (DzWorker *)arg;
  DzTeam *t = w->team;
  w->ctx->stack_end = w->ctx->stack_end != NULL ? dz_stack_end() : NULL;
  while (!__atomic_load_n(&t->stop, __ATOMIC_SEQ_CST)) {
    dz_ranges_take(t, w);
    dz_worker_sleep(t);
  }
  return NULL;
}

// ---- the team ----------------------------------------------------------------------------------
DZ_FN void dz_team_end(DzCtx *c) {
  DzTeam *t = c->team;
  c->team = NULL;
  if (t == NULL) return;
  bool here = t->pid == getpid();  // a child has no threads but the one that made it
  if (here) {
    pthread_mutex_lock(&t->lock);
    __atomic_store_n(&t->stop, 1, __ATOMIC_SEQ_CST);
    pthread_cond_broadcast(&t->work);
    pthread_mutex_unlock(&t->lock);
  }
  for (int i = 1; i < t->count; i++) {
    DzCtx *own = t->workers[i].ctx;
    if (here) pthread_join(t->workers[i].thread, NULL);
    dz_clear_caches(own);
    free(own->error);
    free(own);
  }
  if (here) {
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->work);
    pthread_cond_destroy(&t->done);
  }
  free(t->workers);
  free(t);
}

// A context for a thread: the program's data are shared, blocks and errors are not.
DZ_FN DzCtx *dz_worker_ctx(const DzCtx *c) {
  DzCtx *own = (DzCtx *)calloc(1, sizeof *own);
  if (own == NULL) return NULL;
  own->program = c->program;
  own->asked = c->asked;
  own->globals = c->globals;
  own->tuning = c->tuning;
  own->debugging = c->debugging;
  own->logging = c->logging;
  own->log = c->log;
  own->stack_end = c->stack_end;
  own->timeline = c->timeline;
  own->running = true;
  own->in_team = 1;
  return own;
}

// Recursion may nest as deep as in the caller's thread.
DZ_FN void dz_team_stack(const DzCtx *c, pthread_attr_t *attr) {
  char *low;
  size_t size = c->stack_end != NULL ? dz_stack_find(&low) : 0;
  if (size > (size_t)DZ_STACK_MOST) size = (size_t)DZ_STACK_MOST;
  if (size > 0) pthread_attr_setstacksize(attr, (size + 65535) & ~(size_t)65535);
}

DZ_FN void dz_team_start(DzTeam *t, DzCtx *c, int threads) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  dz_team_stack(c, &attr);
  t->workers[0] = (DzWorker){t, c, INT64_MAX, 0, pthread_self()};
  for (t->count = 1; t->count < threads; t->count++) {
    DzWorker *w = &t->workers[t->count];
    *w = (DzWorker){t, dz_worker_ctx(c), INT64_MAX, 0, pthread_self()};
    if (w->ctx == NULL) break;
    if (pthread_create(&w->thread, &attr, dz_worker_main, w) == 0) continue;
    free(w->ctx);
    break;
  }
  pthread_attr_destroy(&attr);
}

// The context's team, of one where there is no memory for more; NULL: not even that.
DZ_FN DzTeam *dz_team(DzCtx *c) {
  DzTeam *t = c->team;
  if (t != NULL && t->pid == getpid()) return t;
  if (t != NULL) dz_team_end(c);
  int threads = dz_threads(c);
  t = (DzTeam *)calloc(1, sizeof *t);
  if (t != NULL) t->workers = (DzWorker *)calloc((size_t)threads, sizeof *t->workers);
  if (t == NULL || t->workers == NULL) return free(t), NULL;
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->work, NULL);
  pthread_cond_init(&t->done, NULL);
  t->pid = getpid();
  dz_team_start(t, c, threads);
  if (c->timeline != NULL) c->timeline->threads = t->count;
  c->team = t;
  c->team_end = dz_team_end;
  return t;
}

// ---- memory and errors of a loop ----------------------------------------------------------------
// What the limit leaves is shared out.
DZ_FN void dz_team_limits(DzTeam *t, DzCtx *c) {
  int64_t left = c->mem_limit - c->mem_now, each = left > 0 ? left / t->count : 0;
  for (int i = 1; i < t->count; i++) {
    DzCtx *own = t->workers[i].ctx;
    own->mem_limit = c->mem_limit > 0 ? each > 0 ? each : 1 : 0;
  }
  if (c->mem_limit > 0) c->mem_limit = c->mem_now + each;
}

// The highest of all together, as far as it can be told.
DZ_FN void dz_team_peaks(DzTeam *t, DzCtx *c) {
  int64_t sum = c->mem_now;
  for (int i = 1; i < t->count; i++) {
    sum += t->workers[i].ctx->mem_peak;
    if (c->mem_limit > 0) dz_clear_caches(t->workers[i].ctx);
  }
  if (sum > c->mem_peak) c->mem_peak = sum;
}

// The error of the first range that failed becomes the context's.
DZ_FN int dz_team_error(DzTeam *t, DzCtx *c, char *earlier) {
  int err = 0;
  char *text = NULL;
  for (int i = 0; i < t->count; i++) {
    DzWorker *w = &t->workers[i];
    char *own = dz_error_take(w->ctx);
    bool first = w->failed == t->failed && w->failed != INT64_MAX;
    if (first) err = w->err, text = own;
    else free(own);
    w->failed = INT64_MAX;
  }
  c->error = earlier;
  if (text != NULL) dz_error_set(c, text);
  return err;
}

// ---- a loop ------------------------------------------------------------------------------------
DZ_FN void dz_team_wait(DzTeam *t) {
  for (int i = 0; i < DZ_SPINS; i++) {
    if (__atomic_load_n(&t->finished, __ATOMIC_SEQ_CST) == t->ranges) return;
    dz_pause();
  }
  __atomic_store_n(&t->waiting, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&t->lock);
  while (__atomic_load_n(&t->finished, __ATOMIC_SEQ_CST) != t->ranges)
    pthread_cond_wait(&t->done, &t->lock);
  pthread_mutex_unlock(&t->lock);
  __atomic_store_n(&t->waiting, 0, __ATOMIC_SEQ_CST);
}

// t->from, n, grain and parts say what; all ranges, then the error.
DZ_FN int dz_team_run(DzTeam *t, DzCtx *c, const DzPar *par) {
  char *earlier = dz_error_take(c);
  int64_t limit = c->mem_limit;
  t->par = *par;
  t->ranges = dz_blocks(t->n, t->grain);
  __atomic_store_n(&t->finished, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&t->failed, INT64_MAX, __ATOMIC_RELAXED);
  t->mode = dz_float_mode();
  dz_team_limits(t, c);
  uint64_t number = (__atomic_load_n(&t->ticket, __ATOMIC_RELAXED) >> DZ_TICKET) + 1;
  __atomic_store_n(&t->ticket, number << DZ_TICKET | (uint64_t)t->ranges, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&t->sleepers, __ATOMIC_SEQ_CST) > 0) {
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->work);
    pthread_mutex_unlock(&t->lock);
  }
  dz_ranges_take(t, &t->workers[0]);
  dz_team_wait(t);
  c->in_team = 0;
  dz_team_peaks(t, c);
  c->mem_limit = limit;
  return dz_team_error(t, c, earlier);
}

DZ_FN bool dz_par_alone(DzCtx *c) {
  DzTeam *t = c->in_team ? NULL : dz_team(c);
  return t == NULL || t->count == 1;
}

DZ_FN int64_t dz_par_threads(DzCtx *c) { return dz_par_alone(c) ? 1 : c->team->count; }

// Ranges of some ten microseconds, or eight for each thread.
DZ_FN int dz_par_run(DzCtx *c, const DzPar *par) {
  DzTeam *t = dz_team(c);
  if (t == NULL || t->count == 1) return par->run(c, par->env, 0, par->n, NULL);
  double wanted = (double)par->n * par->cost * (3 / DZ_BLOCK_COST);
  int64_t most = par->most * (int64_t)t->count, ranges = wanted < (double)most ? (int64_t)wanted : most;
  int64_t grain = dz_blocks(par->n, ranges < 2 ? 2 : ranges);
  if (grain > 4 * DZ_ROWS) grain = dz_blocks(grain, DZ_ROWS) * DZ_ROWS;
  t->grain = dz_blocks(grain, par->unit) * par->unit;
  t->from = 0;
  t->n = par->n;
  t->parts = NULL;
  return dz_team_run(t, c, par);
}

DZ_FN int dz_par_run_blocks(DzCtx *c, const DzPar *par, int64_t from, void *parts) {
  DzTeam *t = dz_par_pays(c, par) ? dz_team(c) : NULL;
  const int64_t block = par->unit, left = par->n - from, blocks = dz_parts(left, block);
  const int64_t n = blocks == DZ_PARTS && left > DZ_PARTS * block ? DZ_PARTS * block : left;
  int err = 0;
  for (int64_t at = 0; at < n && (t == NULL || t->count == 1); at += block) {
    int64_t count = n - at < block ? n - at : block;
    err = par->run(c, par->env, from + at, count, (char *)parts + (size_t)(at / block) * par->part);
    if (err != 0) return err;
  }
  if (t == NULL || t->count == 1) return 0;
  t->grain = block;
  t->from = from;
  t->n = n;
  t->parts = (char *)parts;
  return dz_team_run(t, c, par);
}
#endif
