// ctx: the context of a running program.  All state is in here: there is no global.
//
//   errors   return dz_fail(ctx, site, values..)  formats the message of a site and gives the code
//   memory   dz_alloc dz_ensure dz_retain dz_free   blocks from a pool (see below)
//   time     dz_now (nanoseconds)
//   trace    dz_trace(tag, layout, arguments)   (show.h)
//
// The pool keeps what was freed, by size class (2^k and 3 * 2^(k-1) times 64 bytes up to 256 KiB;
// above, sizes are rounded up by less than a 128th part), so a program in its steady state makes no
// system call.  Memory in use and in the pool together stays within twice the peak of what
// was in use, plus DZ_SLACK: blocks whose sizes are not asked for again go back to the system, the
// oldest first.  The bound can only be passed by new blocks, so only those look at it.
// Contents of new blocks are undefined.  Blocks are counted: mem_now, mem_peak, mem_limit (0: none).
// Nothing in here locks: one thread at a time.  The public C functions see to that (api.h).
#ifndef DZ_CTX_H
#define DZ_CTX_H
#include "show.h"
#include "stack.h"
#include <time.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#endif

#define DZ_COLD __attribute__((noinline, cold)) DZ_FN
#define dz_likely(c) __builtin_expect(!!(c), 1)
#define dz_unlikely(c) __builtin_expect(!!(c), 0)

#define DZ_CLASSES 25  // the last holds 256 KiB
#define DZ_LARGE (INT64_C(256) << 10)
#define DZ_GRAIN 7  // larger ones are multiples of 2^k / 128; int.h and ad/loops/state_budget.c count on it
#define DZ_SLACK (INT64_C(16) << 20)
#define DZ_LENT (INT64_C(16) << 10)  // of the stack, for the first small blocks of a plain C function
#define DZ_HUGE (INT64_C(2) << 20)  // from here on in large pages, which have this size

typedef struct DzHeader {
  int64_t bytes;  // usable
  int32_t cls, refs;
  struct DzHeader *next;  // in a free list
  int32_t small_uses;     // allocations of a block in small pages; 0: it is not one of these
  int32_t place;          // where it is valid, in programs for a device (dev.h)
  void *dev;              // its memory there
} DzHeader;

typedef struct DzConfig {
  bool debugging, profiling, logging;
  bool timeline;        // while profiling: when events begin and end
  int num_threads;      // 0: the number of processors
  int64_t mem_limit;    // bytes, 0: none
  const char *cache_file;
  int64_t *tuning;      // one per parameter of the program, or NULL: the defaults
} DzConfig;

// An event of a device, for reports: launches of a kernel, copies one way.
typedef struct DzEvent {
  const char *name, *where;  // in the source
  int64_t runs, ns, bytes;
  struct DzEvent *next;
} DzEvent;

struct DzCtx {
  const DzProgram *program;
  void *globals;        // the program's constants
  int64_t *tuning;
  bool debugging, profiling, logging;
  int num_threads;
  FILE *log;
  char *error;          // of the last failure, malloc'd
  int64_t mem_now, mem_peak, mem_held, mem_limit;  // `held`: in the pool, free
  int64_t blocks;                                  // of the system: not lent
  int64_t calls, run_ns;                           // of entry points
  bool running;                                    // within a call of an entry point
  int slow_pages;                                  // large pages that were slow to come then
  DzHeader *pool[DZ_CLASSES + 1];                  // the last list holds large blocks
  void *api_lock;                                  // api.h's; NULL in executables and servers
  DzHeader *returned;   // blocks given back by dz_block_free (leaf.h)
  int owners;           // besides the first: results that live, who retained it
  int stop;             // the call is to end
  const int *asked;     // that, or in a thread of a team the caller's
  int64_t done, todo;   // iterations of the outermost loop of the entry point
  char *stack_end;  // of the thread that runs an entry point; NULL: no limit
  char *lent, *lent_next, *lent_end;               // the caller's memory for the first small blocks
  struct DzProfile *profile;                       // NULL: nothing is measured
  struct DzTimeline *timeline;                     // NULL: nothing is recorded
  struct DzTeam *team;                             // threads (par.h); NULL: none yet
  void (*team_end)(DzCtx *c);
  int in_team;                                     // a loop on all cores is running
  struct DzDev *dev;                               // the device (dev.h); NULL: none
  int (*dev_wait)(DzCtx *c);                       // returns when the device is idle
  bool (*block_made)(DzCtx *c, DzHeader *h);       // the device's, else NULL
  void (*block_dead)(DzCtx *c, DzHeader *h);
  void (*dev_end)(DzCtx *c);
  DzEvent *events;                                 // while profiling
  const char *cache_file;                          // while the context is made
};

DZ_FN int64_t dz_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#include "timeline.h"
#include "profile.h"

// ---- errors ----------------------------------------------------------------------------------
// Keeps the first error until it is fetched; takes the text over.
DZ_FN void dz_error_set(DzCtx *c, char *text) {
  if (c->error == NULL) c->error = text, text = NULL;
  free(text);
}

// A message that belongs to no place in the program.
__attribute__((format(printf, 3, 4))) DZ_COLD int dz_error(DzCtx *c, int code, const char *fmt,
                                                           ...) {
  DzSink s = {0};
  char buffer[600];
  va_list args;
  va_start(args, fmt);
  vsnprintf(buffer, sizeof buffer, fmt, args);
  va_end(args);
  dz_putf(&s, "Error: ");
  dz_puts(&s, buffer);
  dz_puts(&s, "\n");
  dz_error_set(c, s.at);
  return code;
}

DZ_FN void dz_put_site(DzSink *s, const char *format, va_list args) {
  for (; *format != 0; format++) {
    if (*format != '%') {
      dz_put(s, format, 1);
      continue;
    }
    switch (*++format) {
      case 'd': dz_put_int(s, va_arg(args, int64_t)); break;
      case 'u': dz_put_unsigned(s, false, va_arg(args, uint64_t)); break;
      case 'f': dz_putf(s, "%.17g", va_arg(args, double)); break;
      case 'b': dz_puts(s, va_arg(args, int) ? "true" : "false"); break;
      case 's': dz_puts(s, va_arg(args, const char *)); break;
      default: dz_put(s, format, 1);
    }
    if (*format == 0) return;
  }
}

// The failure of the program at a site; the arguments are what the site's format asks for.
DZ_COLD int dz_fail(DzCtx *c, int site, ...) {
  DzSink s = {0};
  const DzSite *at = &c->program->sites[site];
  va_list args;
  va_start(args, site);
  dz_puts(&s, "Error: ");
  dz_put_site(&s, at->format, args);
  va_end(args);
  dz_puts(&s, "\n\nBacktrace:\n");
  dz_puts(&s, at->where != NULL ? at->where : "");
  dz_error_set(c, s.at);
  return DZ_PROGRAM_ERROR;
}

// The call ends because another thread asked for it.
DZ_COLD int dz_stopped(DzCtx *c) { return dz_error(c, DZ_STOPPED, "the call was stopped"); }

DZ_INLINE bool dz_stops(const DzCtx *c) { return __atomic_load_n(c->asked, __ATOMIC_RELAXED) != 0; }

// The same, of the outermost loop.
DZ_INLINE bool dz_step(DzCtx *c, int64_t done, int64_t todo) {
  __atomic_store_n(&c->done, done, __ATOMIC_RELAXED);
  __atomic_store_n(&c->todo, todo, __ATOMIC_RELAXED);
  return dz_stops(c);
}

// Whether a recursive function has no room for one more call.
DZ_INLINE bool dz_deep(const DzCtx *c) {
  return (char *)__builtin_frame_address(0) < c->stack_end;
}

// The text of the last error, the caller's to free; NULL: none.
DZ_FN char *dz_error_take(DzCtx *c) {
  char *text = c->error;
  c->error = NULL;
  return text;
}

// Until all that was started has ended.  Calls may return before; what reads their results waits.
DZ_FN int dz_ctx_sync(DzCtx *c) { return c->dev != NULL ? c->dev_wait(c) : 0; }

DZ_COLD int dz_out_of_memory(DzCtx *c, int64_t bytes, int site) {
  bool known = site >= 0 && c->program != NULL && site < c->program->site_count;
  const char *where = known ? c->program->sites[site].where : NULL;
  return dz_error(c, DZ_OUT_OF_MEMORY,
                  "out of memory: cannot allocate %" PRId64 " bytes (%" PRId64 " in use)%s%s",
                  bytes, c->mem_now, where != NULL ? "\n\nBacktrace:\n" : "",
                  where != NULL ? where : "");
}

// ---- memory ----------------------------------------------------------------------------------
DZ_FN DzHeader *dz_header(const DzBlock *b) { return (DzHeader *)(void *)(b->at - 64); }

// In units of 32 bytes the classes are 2 3 4 6 8 12 .. 65536.
DZ_FN int dz_class(int64_t bytes) {
  int64_t units = (bytes + 31) >> 5;
  if (units <= 2) return 0;
  int k = 63 - __builtin_clzll((unsigned long long)(units - 1));
  return units <= INT64_C(3) << (k - 1) ? 2 * k - 1 : 2 * k;
}

DZ_FN int64_t dz_class_bytes(int cls) {
  int64_t units = cls % 2 != 0 ? INT64_C(3) << ((cls + 1) / 2 - 1) : INT64_C(2) << (cls / 2);
  return units << 5;
}

static inline int64_t dz_large_bytes(int64_t bytes) {
  int64_t grain = INT64_C(1) << (63 - __builtin_clzll((unsigned long long)bytes) - DZ_GRAIN);
  return (bytes + grain - 1) & -grain;
}

// Gives the blocks of a free list back to the system.
DZ_FN void dz_pool_release(DzCtx *c, DzHeader **list) {
  while (*list != NULL) {
    DzHeader *h = *list;
    *list = h->next;
    c->mem_held -= h->bytes;
    if (c->block_dead != NULL) c->block_dead(c, h);
    if ((char *)h >= c->lent && (char *)h < c->lent_end) continue;
    free(h);
    c->blocks--;
  }
}

DZ_FN void dz_clear_caches(DzCtx *c) {
  if (c->blocks == 0) return;
  for (int i = 0; i <= DZ_CLASSES; i++) dz_pool_release(c, &c->pool[i]);
}

// The smallest large free block of at least so many bytes and at most `most`.
DZ_FN DzHeader *dz_pool_fit(DzCtx *c, int64_t bytes, int64_t most) {
  DzHeader **best = NULL;
  for (DzHeader **p = &c->pool[DZ_CLASSES]; *p != NULL; p = &(*p)->next)
    if ((*p)->bytes >= bytes && (*p)->bytes <= most && (best == NULL || (*p)->bytes < (*best)->bytes))
      best = p;
  if (best == NULL) return NULL;
  DzHeader *h = *best;
  *best = h->next;
  return h;
}

// One that wastes at most a quarter of itself, where memory is limited a 128th part.
DZ_FN DzHeader *dz_pool_large(DzCtx *c, int64_t bytes) {
  return dz_pool_fit(c, bytes, bytes + bytes / (c->mem_limit > 0 ? 127 : 3));
}

// Keeps the newest large free blocks, `held` bytes of them and the small ones at most; small ones
// go only where that is not enough.
DZ_FN void dz_pool_trim(DzCtx *c, int64_t held) {
  DzHeader **p = &c->pool[DZ_CLASSES];
  int64_t small = c->mem_held, kept = 0;
  for (DzHeader *h = *p; h != NULL; h = h->next) small -= h->bytes;
  for (; *p != NULL && (kept += (*p)->bytes) <= held - small; p = &(*p)->next) continue;
  dz_pool_release(c, p);
  for (int i = DZ_CLASSES - 1; i >= 0 && c->mem_held > held; i--) dz_pool_release(c, &c->pool[i]);
}

// Keeps to the bound on what is in use and in the pool, with so many bytes more in use.  Where
// these stay below the peak anyway, a larger free block may serve: sizes that shrink take the same
// one again.
DZ_COLD DzHeader *dz_pool_bound(DzCtx *c, int64_t bytes) {
  int64_t now = c->mem_now + bytes, peak = now > c->mem_peak ? now : c->mem_peak;
  bool loose = bytes > DZ_LARGE && c->mem_limit == 0;
  if (peak > INT64_MAX / 4 || c->mem_held <= 2 * peak + DZ_SLACK - now) return NULL;
  DzHeader *h = loose ? dz_pool_fit(c, bytes, peak - c->mem_now) : NULL;
  if (h == NULL) dz_pool_trim(c, 2 * peak + DZ_SLACK - now);
  return h;
}

// Large pages make the later uses of a block fast (a transpose 2.5 times).  At first use a page
// costs a third of what its small pages cost (0.2 ms), unless the host of a virtual machine has to
// find the memory: then it costs three times as much (5 ms).  So a new block of a call gets its large
// pages here, under the clock (those of its first GiB: it may be a bound that is never filled); after a
// few slow ones, new blocks have small pages, and large ones once they have been used some times.
// Arguments are read once and used often.
#define DZ_SLOW_NS 1500000
#define DZ_SLOW_PAGES 8
#define DZ_SMALL_USES 16
#ifdef MADV_HUGEPAGE
DZ_FN int64_t dz_thread_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Whether all pages of the block may be large.
DZ_COLD bool dz_large_pages(DzCtx *c, char *raw, int64_t bytes) {
  if (c->running && c->slow_pages >= DZ_SLOW_PAGES) return false;
  char *at = raw + (-(uintptr_t)raw & 4095);
  char *end = raw + bytes - ((uintptr_t)raw + (uintptr_t)bytes) % 4096;
  char *last = !c->running ? at : bytes >> 30 ? raw + (INT64_C(1) << 30) : end;
  madvise(at, (size_t)(end - at), MADV_HUGEPAGE);
  for (at = raw + (-(uintptr_t)raw & (DZ_HUGE - 1)); last - at >= DZ_HUGE; at += DZ_HUGE) {
    int64_t start = dz_thread_ns();
    *(volatile char *)at = 0;
    if (dz_thread_ns() - start < DZ_SLOW_NS || ++c->slow_pages < DZ_SLOW_PAGES) continue;
    madvise(at + DZ_HUGE, (size_t)(end - at - DZ_HUGE), MADV_NOHUGEPAGE);
    return false;
  }
  return true;
}

// One more use of a block in small pages.
DZ_COLD void dz_small_used(DzHeader *h) {
  enum { COLLAPSE = 25 };  // MADV_COLLAPSE of Linux 6.1; older ones refuse
  if (++h->small_uses <= DZ_SMALL_USES) return;
  h->small_uses = 0;
  char *at = (char *)h + (-(uintptr_t)h & (DZ_HUGE - 1));
  int64_t bytes = (h->bytes - (at - (char *)h)) & -DZ_HUGE;
  madvise(at, (size_t)bytes, MADV_HUGEPAGE);
  madvise(at, (size_t)bytes, COLLAPSE);
}
#else
DZ_FN bool dz_large_pages(DzCtx *c, char *raw, int64_t bytes) {
  (void)c, (void)raw, (void)bytes;
  return true;
}
DZ_FN void dz_small_used(DzHeader *h) { (void)h; }
#endif

// A new block in the memory that the caller lent, NULL where it is too small.
DZ_INLINE DzHeader *dz_pool_lent(DzCtx *c, int64_t bytes) {
  if (c->lent_end - c->lent_next < bytes + 64) return NULL;
  DzHeader *h = (DzHeader *)(void *)c->lent_next;
  c->lent_next += bytes + 64;
  h->bytes = bytes;
  h->small_uses = 0;
  h->dev = NULL;
  return h;
}

DZ_COLD DzHeader *dz_pool_new(DzCtx *c, int64_t bytes) {
  void *raw = NULL;
  if (c->mem_limit > 0 && c->mem_now + c->mem_held + bytes > c->mem_limit) dz_clear_caches(c);
  if (c->mem_limit > 0 && c->mem_now + bytes > c->mem_limit) return NULL;
  if (bytes > INT64_MAX - DZ_HUGE || (uint64_t)bytes > SIZE_MAX - 128) return NULL;
  size_t total = (size_t)bytes + 64;
  if (posix_memalign(&raw, 64, total) != 0) {
    dz_clear_caches(c);
    if (posix_memalign(&raw, 64, total) != 0) return NULL;
  }
  ((DzHeader *)raw)->small_uses = bytes >= DZ_HUGE && !dz_large_pages(c, (char *)raw, bytes);
  ((DzHeader *)raw)->bytes = bytes;
  ((DzHeader *)raw)->dev = NULL;
  if (c->block_made != NULL && !c->block_made(c, (DzHeader *)raw)) return free(raw), NULL;
  c->blocks++;
  return (DzHeader *)raw;
}

// Products of sizes that stop at INT64_MAX, which no allocation can satisfy.
static inline int64_t dz_size_mul(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_mul_overflow(a, b, &r) ? INT64_MAX : r;
}

// *b becomes a new block of at least so many bytes; what it was before is freed.
DZ_FN int dz_alloc(DzCtx *c, DzBlock *b, int64_t bytes, int site);

DZ_FN void dz_free(DzCtx *c, DzBlock *b) {
  if (b->at == NULL) return;
  DzHeader *h = dz_header(b);
  b->at = NULL;
  b->bytes = 0;
  if (--h->refs > 0) return;
  h->next = c->pool[h->cls];
  c->pool[h->cls] = h;
  c->mem_now -= h->bytes;
  c->mem_held += h->bytes;
}

DZ_FN int dz_alloc(DzCtx *c, DzBlock *b, int64_t bytes, int site) {
  dz_free(c, b);
  if (bytes < 0 || bytes > INT64_MAX / 2) return dz_out_of_memory(c, bytes, site);
  int cls = bytes <= DZ_LARGE ? dz_class(bytes) : DZ_CLASSES;
  int64_t size = bytes <= DZ_LARGE ? dz_class_bytes(cls) : dz_large_bytes(bytes);
  DzHeader *h = cls == DZ_CLASSES ? dz_pool_large(c, size) : c->pool[cls];
  if (h != NULL && cls != DZ_CLASSES) c->pool[cls] = h->next;
  if (h == NULL) h = dz_pool_bound(c, size);
  if (h != NULL) {
    c->mem_held -= h->bytes;
    if (h->small_uses > 0) dz_small_used(h);
  } else if ((h = dz_pool_lent(c, size)) == NULL) h = dz_pool_new(c, size);
  if (h != NULL && (c->mem_now += h->bytes) > c->mem_peak) c->mem_peak = c->mem_now;
  if (h == NULL) return dz_out_of_memory(c, bytes, site);
  h->cls = cls;
  h->refs = 1;
  h->place = 0;
  b->at = (char *)h + 64;
  b->bytes = h->bytes;
  return 0;
}

// A tuning parameter's value, `otherwise` where the run gives none.
DZ_FN int64_t dz_tuned(const DzCtx *c, int param, int64_t otherwise) {
  return c->tuning[param] == DZ_UNTUNED ? otherwise : c->tuning[param];
}

// The value of the machine's parameter: of all cores the operations that are worth threads, of a device
// the threads in a group.
DZ_FN int64_t dz_own_tuned(const DzCtx *c, int64_t otherwise) {
  const int own = c->program != NULL ? c->program->own_param : 0;
  return own > 0 ? dz_tuned(c, own - 1, otherwise) : otherwise;
}

// How much may still be allocated, `most` where there is no limit.
DZ_FN int64_t dz_room(const DzCtx *c, int64_t most) {
  if (c->mem_limit <= 0) return most;
  int64_t left = c->mem_limit - c->mem_now;
  return left > 0 ? left : 0;
}

// So many elements of so many bytes.
DZ_FN int dz_alloc_n(DzCtx *c, DzBlock *b, int64_t count, int64_t size) {
  return dz_alloc(c, b, dz_size_mul(count, size), -1);
}

// At least so many bytes, keeping the block when it is large enough; contents are lost.
DZ_FN int dz_ensure(DzCtx *c, DzBlock *b, int64_t bytes, int site) {
  return b->at != NULL && b->bytes >= bytes ? 0 : dz_alloc(c, b, bytes, site);
}

// A second handle to the same block.
DZ_FN DzBlock dz_retain(const DzBlock *b) {
  if (b->at != NULL) dz_header(b)->refs++;
  return *b;
}

DZ_FN bool dz_shared(const DzBlock *b) { return b->at != NULL && dz_header(b)->refs > 1; }

static inline DzBlock dz_take(DzBlock *b) {
  const DzBlock t = *b;
  b->at = NULL;
  b->bytes = 0;
  return t;
}

static inline void dz_copy(void *to, const void *from, int64_t bytes) {
  if (bytes > 0) memcpy(to, from, (size_t)bytes);
}

// n elements of the same value.  Beyond the caches the lines to be written are asked for ahead: a
// processor that finds the writing front of a loop by itself was a fifth slower (measured on 80 MB).
#define DZ_AHEAD 512
#define DZ_FILL(p, T)                                                                            \
  DZ_FAR void dz_fill_##p(T *to, T x, int64_t n) {                                               \
    const int64_t line = 64 / (int64_t)sizeof(T);                                                \
    int64_t i = 0;                                                                               \
    if (n * (int64_t)sizeof(T) >= DZ_HUGE)                                                       \
      for (; i + DZ_AHEAD < n; i += line) {                                                      \
        __builtin_prefetch(to + i + DZ_AHEAD, 1, 3);                                             \
        DZ_SIMD for (int64_t l = 0; l < line; l++) to[i + l] = x;                               \
      }                                                                                          \
    DZ_SIMD for (int64_t l = i; l < n; l++) to[l] = x;                                          \
  }
DZ_FILL(f64, double)
DZ_FILL(f32, float)
DZ_FILL(i64, int64_t)

// ---- contexts --------------------------------------------------------------------------------
DZ_FN void dz_ctx_free(DzCtx *c) {
  if (c == NULL) return;
  if (c->team != NULL) c->team_end(c);
  if (c->globals != NULL && c->program->fini != NULL) c->program->fini(c);
  free(c->globals);
  free(c->tuning);
  free(c->profile);
  free(c->timeline);
  free(c->error);
  dz_clear_caches(c);
  if (c->dev != NULL) c->dev_end(c);
  free(c);
}

DZ_FN bool dz_ctx_tuning(DzCtx *c, const DzConfig *config) {
  size_t n = (size_t)c->program->tuning_count;
  c->tuning = (int64_t *)calloc(n + 1, sizeof *c->tuning);
  if (c->tuning == NULL) return false;
  for (size_t i = 0; i < n; i++)
    c->tuning[i] = config->tuning != NULL ? config->tuning[i] : c->program->tuning[i].value;
  return true;
}

// NULL only when there is no memory.  If the program's constants fail, the context has an
// error and is good for nothing but dz_error_take and dz_ctx_free.
DZ_FN DzCtx *dz_ctx_new(const DzProgram *program, const DzConfig *config) {
  DzCtx *c = (DzCtx *)calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->program = program;
  c->asked = &c->stop;
  c->log = stderr;
  c->debugging = config->debugging;
  c->profiling = config->profiling;
  c->logging = config->logging;
  c->num_threads = config->num_threads;
  c->cache_file = config->cache_file;
  c->mem_limit = config->mem_limit > 0 ? config->mem_limit : program->mem_limit;
  c->globals = calloc(1, program->globals_bytes + 1);
  if (c->globals == NULL || !dz_ctx_tuning(c, config)) {
    dz_ctx_free(c);
    return NULL;
  }
  if (config->profiling && config->timeline)
    c->timeline = (DzTimeline *)calloc(1, sizeof *c->timeline);
  if (program->region_count > 0) c->profile = dz_profile_new(program->region_count);
  if (program->device != NULL && program->device(c) != 0) return c;
  if (program->init != NULL && program->init(c) != 0 && c->error == NULL)
    dz_error(c, DZ_ERROR, "cannot compute the program's constants");
  return c;
}
#endif
