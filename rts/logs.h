// logs: updates of large arrays on all cores, with the bits of one core.  Where a copy of the
// array for each block does not pay, each block writes its updates to a log, sorted by ranges of the
// array; then one thread for each range adds the updates of this range, in the order of the
// iterations.
//
//   dz_logs_pay(ctx, &logs, n, cost)        whether that is worth it; sizes of ranges then
//   dz_note_f64(&log, bins, shift, at, x)   an update is written down
//   dz_logged(ctx, &loop)                   all iterations, in rounds: blocks log, ranges add
//
// The sums do not depend on how iterations are split, so blocks may follow from the number of
// threads.  Logs take at most DZ_LOG_BYTES for each thread, and a quarter of what a memory limit
// leaves.  Where those of a round are too short, nothing of it has been added: the caller runs it
// alone.  So the loop's body must do the same when it runs again.
#ifndef DZ_LOGS_H
#define DZ_LOGS_H
#include "par.h"

#ifndef DZ_LOG_COST  // plain operations for an update: written down, read, added
#define DZ_LOG_COST 35.0
#endif
#ifndef DZ_LOG_BYTES  // of a thread; tests make these small
#define DZ_LOG_BYTES 8388608
#define DZ_PIECE 128  // updates that stand together
#define DZ_SLAB 65536  // bytes that a block takes at a time, for pieces
#endif
#define DZ_BIN_BYTES 131072  // of a range: it stays in a core's cache
#define DZ_BINS_MOST 128
#define DZ_LOG_FULL (-1)  // in place of an error

typedef struct DzPiece {
  struct DzPiece *next;
  int64_t unused;  // entries begin at a multiple of 16
} DzPiece;
// Of a block and a range: pieces, full but for the last, which ends at `at`.
typedef struct DzBin {
  char *at, *end;
  DzPiece *first, *last;
} DzBin;

typedef struct DzLogs {
  int count;  // arrays
  int64_t cells[DZ_LOGS_MOST];
  double puts[DZ_LOGS_MOST];    // updates of an iteration, about
  int64_t bytes[DZ_LOGS_MOST];  // of an element
  int shift[DZ_LOGS_MOST];      // ranges have 2^shift elements
  int64_t from[DZ_LOGS_MOST + 1];  // number of the first range
  char *region;
  int64_t size, taken;  // of the region
  DzBin *bins;          // of the round's blocks, one after the other
  int64_t blocks;
  char *parts;          // of loops that sum up: what each of these blocks gives
  int64_t at, length;   // the first one's first iteration; iterations of a block
} DzLogs;

// Where a block of the round has its part.
static inline void *dz_log_part(const DzLogs *l, int64_t first, size_t part) {
  return l->parts + (size_t)((first - l->at) / l->length) * part;
}

// Of a block.
typedef struct DzLog {
  DzLogs *logs;
  char *at, *end;  // of its slab
  bool full;       // no room is left: further updates go to `lost`
  _Alignas(16) char lost[DZ_PIECE * 16];
} DzLog;

static inline void dz_log_begin(DzLog *l, DzLogs *logs, void *bins) {
  l->logs = logs;
  l->at = l->end = NULL;
  l->full = false;
  memset(bins, 0, (size_t)logs->from[logs->count] * sizeof(DzBin));
}

DZ_FN void dz_log_more(DzLog *l, DzBin *bin, int64_t entry);

#define DZ_LOG_TYPE(name, type)                                                                  \
  typedef struct {                                                                               \
    uint32_t at;                                                                                 \
    type value;                                                                                  \
  } DzEntry_##name;                                                                              \
  static inline void dz_note_##name(DzLog *l, DzBin *bins, int shift, int64_t at, type value) {   \
    DzBin *bin = bins + (at >> shift);                                                           \
    if (dz_unlikely(bin->at == bin->end)) dz_log_more(l, bin, sizeof(DzEntry_##name));           \
    DzEntry_##name *e = (DzEntry_##name *)(void *)bin->at;                                       \
    e->at = (uint32_t)(at & ((INT64_C(1) << shift) - 1));                                        \
    e->value = value;                                                                            \
    bin->at += sizeof *e;                                                                        \
  }
DZ_LOG_TYPE(i8, int8_t)
DZ_LOG_TYPE(i16, int16_t)
DZ_LOG_TYPE(i32, int32_t)
DZ_LOG_TYPE(i64, int64_t)
DZ_LOG_TYPE(u8, uint8_t)
DZ_LOG_TYPE(u16, uint16_t)
DZ_LOG_TYPE(u32, uint32_t)
DZ_LOG_TYPE(u64, uint64_t)
DZ_LOG_TYPE(f16, dz_f16)
DZ_LOG_TYPE(f32, float)
DZ_LOG_TYPE(f64, double)
DZ_LOG_TYPE(bool, bool)

// In the order of the blocks, `e` is each update of range number `bin`.
#define DZ_EACH_LOGGED(name, logs, bin, e)                                                       \
  for (int64_t b_ = 0; b_ < (logs)->blocks; b_++)                                                \
    for (const DzBin *x_ = (logs)->bins + b_ * (logs)->from[(logs)->count] + (bin), *o_ = x_;     \
         o_ != NULL; o_ = NULL)                                                                  \
      for (const DzPiece *p_ = x_->first; p_ != NULL; p_ = p_->next)                             \
        for (const DzEntry_##name *e = (const DzEntry_##name *)(const void *)(p_ + 1),           \
                   *const z_ = p_ == x_->last ? (const DzEntry_##name *)(const void *)x_->at      \
                                              : e + DZ_PIECE;                                    \
             e < z_; e++)

typedef struct DzLogged {
  DzChunk *run, *log, *add;  // iterations alone, or written down; ranges
  const void *env;
  DzLogs *logs;
  int64_t n, unit;
  double cost;  // of an iteration
  // Of loops that sum up, in blocks of this length: DZ_PARTS parts, of so many bytes, which are
  // folded in the blocks' order.
  int64_t block;
  void *parts;
  size_t part;
  void (*fold)(void *total, const void *part);
  void *total;
} DzLogged;

DZ_FN bool dz_logs_pay(DzCtx *c, DzLogs *logs, int64_t n, double cost);
DZ_FN int dz_logged(DzCtx *c, const DzLogged *l);

// ---- a block's pieces --------------------------------------------------------------------------
DZ_FN char *dz_slab(DzLogs *logs) {
  int64_t at = __atomic_fetch_add(&logs->taken, DZ_SLAB, __ATOMIC_RELAXED);
  return at + DZ_SLAB <= logs->size ? logs->region + at : NULL;
}

DZ_FN void dz_log_more(DzLog *l, DzBin *bin, int64_t entry) {
  const int64_t bytes = (int64_t)sizeof(DzPiece) + DZ_PIECE * entry;
  if (l->end - l->at < bytes && !l->full) {
    l->at = dz_slab(l->logs);
    l->end = l->at != NULL ? l->at + DZ_SLAB : NULL;
    l->full = l->at == NULL;
  }
  if (l->full) {
    bin->at = l->lost;
    bin->end = l->lost + DZ_PIECE * entry;
    return;
  }
  DzPiece *p = (DzPiece *)(void *)l->at;
  l->at += bytes;
  p->next = NULL;
  if (bin->first == NULL) bin->first = p;
  else bin->last->next = p;
  bin->last = p;
  bin->at = (char *)(p + 1);
  bin->end = bin->at + DZ_PIECE * entry;
}

// ---- whether and how ---------------------------------------------------------------------------
static inline int64_t dz_entry_bytes(int64_t element) { return element == 8 ? 16 : 8; }

// Ranges: small enough for a cache, enough for all threads.
DZ_FN void dz_logs_ranges(DzLogs *logs, int64_t threads) {
  for (int k = 0; k < logs->count; k++) {
    int64_t most = logs->cells[k] * logs->bytes[k] / DZ_BIN_BYTES;
    if (most < 4 * threads) most = 4 * threads;
    if (most > DZ_BINS_MOST) most = DZ_BINS_MOST;
    logs->shift[k] = 0;
    while (logs->cells[k] >> logs->shift[k] >= most) logs->shift[k]++;
    logs->from[k + 1] = logs->from[k] + (logs->cells[k] >> logs->shift[k]) + 1;
  }
}

// The cost of an update in place, in plain operations: in the first caches nothing.
static inline double dz_update_misses(int64_t bytes) {
  return bytes < INT64_C(524288) ? 0 : bytes < INT64_C(16777216) ? 8 : 24;
}

DZ_FN bool dz_logs_pay(DzCtx *c, DzLogs *logs, int64_t n, double cost) {
  double alone = (double)n * cost, logged = alone;
  if (alone < 8 * DZ_BLOCK_COST || c->in_team) return false;
  const double threads = (double)dz_par_threads(c);
  if (threads < 2) return false;
  for (int k = 0; k < logs->count; k++) {
    const double puts = (double)n * logs->puts[k];
    if (logs->cells[k] >= INT64_C(1) << 36) return false;
    alone += puts * dz_update_misses(logs->cells[k] * logs->bytes[k]);
    logged += puts * DZ_LOG_COST;
  }
  if (alone * threads < 1.3 * logged) return false;
  dz_logs_ranges(logs, (int64_t)threads);
  return true;
}

// Bytes of the log of so many iterations.
static inline int64_t dz_log_bytes(const DzLogs *logs, int64_t n) {
  double bytes = (double)DZ_SLAB;
  for (int k = 0; k < logs->count; k++) {
    const double entry = (double)dz_entry_bytes(logs->bytes[k]), ranges =
        (double)(logs->from[k + 1] - logs->from[k]);
    double puts = (double)n * logs->puts[k];
    bytes += 1.1 * entry * puts + (puts < ranges ? puts : ranges) * DZ_PIECE * entry;
  }
  return bytes < 1e15 ? (int64_t)bytes : INT64_C(1000000000000000);
}

// Iterations of a block: a quarter of a millisecond, or an eighth of a thread's share.
static inline int64_t dz_log_block(const DzLogged *l, int64_t threads) {
  double share = (double)l->n * l->cost / (double)(8 * threads), most = 8 * DZ_BLOCK_COST;
  double work = share < DZ_BLOCK_COST ? DZ_BLOCK_COST : share > most ? most : share;
  int64_t block = (int64_t)(work / l->cost);
  return dz_blocks(block < 1 ? 1 : block, l->unit) * l->unit;
}

// ---- rounds ------------------------------------------------------------------------------------
typedef struct DzRounds {
  const DzLogged *l;
  DzBlock region, bins;
  int64_t block, blocks;  // iterations of a block, blocks of a round
} DzRounds;

// false: there is no memory for it.
DZ_FN bool dz_rounds_begin(DzCtx *c, DzRounds *r) {
  DzLogs *logs = r->l->logs;
  const int64_t threads = dz_par_threads(c), ranges = logs->from[logs->count];
  int64_t most = dz_room(c, INT64_MAX) / 4;
  if (most > DZ_LOG_BYTES * threads) most = DZ_LOG_BYTES * threads;
  r->block = r->l->block > 0 ? r->l->block : dz_log_block(r->l, threads);
  const int64_t each = dz_log_bytes(logs, r->block) + ranges * (int64_t)sizeof(DzBin);
  r->blocks = most / each;
  if (r->blocks > dz_blocks(r->l->n, r->block)) r->blocks = dz_blocks(r->l->n, r->block);
  if (r->blocks > DZ_PARTS) r->blocks = DZ_PARTS;
  if (r->blocks < 2) return false;
  logs->size = r->blocks * dz_log_bytes(logs, r->block);
  if (dz_alloc(c, &r->region, logs->size, -1) == 0 &&
      dz_alloc(c, &r->bins, r->blocks * ranges * (int64_t)sizeof(DzBin), -1) == 0) {
    logs->region = r->region.at;
    logs->bins = (DzBin *)(void *)r->bins.at;
    return true;
  }
  free(dz_error_take(c));
  dz_free(c, &r->region);
  return false;
}

// Iterations from .. end - 1 by the caller, a block after the other where they sum up.
DZ_FN int dz_log_alone(DzCtx *c, const DzLogged *l, int64_t from, int64_t end) {
  if (l->block == 0) return l->run(c, l->env, from, end - from, NULL);
  int err = 0;
  for (int64_t at = from; at < end && err == 0; at += l->block) {
    err = l->run(c, l->env, at, end - at < l->block ? end - at : l->block, l->parts);
    if (err == 0) l->fold(l->total, l->parts);
  }
  return err;
}

// Iterations from .. end - 1; DZ_LOG_FULL: nothing was added.
DZ_FN int dz_round(DzCtx *c, const DzRounds *r, int64_t from, int64_t end) {
  const DzLogged *l = r->l;
  DzLogs *logs = l->logs;
  const int64_t ranges = logs->from[logs->count];
  const DzPar log = {l->log, l->env, end, r->block, l->cost, (size_t)ranges * sizeof(DzBin), 0};
  logs->taken = 0;
  logs->blocks = dz_blocks(end - from, r->block);
  logs->parts = (char *)l->parts;
  logs->at = from;
  logs->length = r->block;
  int err = dz_par_run_blocks(c, &log, from, logs->bins);
  if (err != 0) return err;
  for (int64_t b = 0; b < logs->blocks && l->block > 0; b++)
    l->fold(l->total, logs->parts + (size_t)b * l->part);
  const DzPar add = {l->add, l->env, ranges, 1, DZ_BLOCK_COST, 0, DZ_RANGES};
  return dz_par(c, &add);
}

DZ_FN int dz_logged(DzCtx *c, const DzLogged *l) {
  DzRounds r = {.l = l};
  if (!dz_rounds_begin(c, &r)) return dz_log_alone(c, l, 0, l->n);
  int err = 0;
  for (int64_t at = 0, end; at < l->n && err == 0; at = end) {
    end = l->n - at > r.blocks * r.block ? at + r.blocks * r.block : l->n;
    err = dz_round(c, &r, at, end);
    if (err != DZ_LOG_FULL) continue;
    err = dz_log_alone(c, l, at, end);
    if (r.blocks > 2) r.blocks /= 2;
  }
  dz_free(c, &r.region);
  dz_free(c, &r.bins);
  return err;
}
#endif
