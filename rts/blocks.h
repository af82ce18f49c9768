// blocks: the sizes of the blocks in which loops are summed.  They follow from sizes alone, so that
// sums are the same to the bit on one core and on any number of them.
//
//   dz_block(n, cost, unit)   of n iterations, each of about `cost` plain operations
//   dz_copies(n, cost, ..)    where each block but the first has a copy of so many cells
//   dz_blocks(n, block)       how many there are
#ifndef DZ_BLOCKS_H
#define DZ_BLOCKS_H
#include "int.h"

#ifndef DZ_BLOCK_COST  // tests make it small
#define DZ_BLOCK_COST 131072.0  // plain operations: some 30 microseconds
#endif
#ifndef DZ_COPY_COST  // operations of a loop for each cell of a copy, which costs some 30
#define DZ_COPY_COST 1536.0
#endif
#define DZ_BLOCK_MOST INT64_C(65536)
#define DZ_COPIES_MOST 16
#define DZ_LOGS_MOST 8  // arrays that a loop updates by logs (logs.h)

static inline int64_t dz_blocks(int64_t n, int64_t block) { return n / block + (n % block != 0); }

// All in one where that is little work.
static inline int64_t dz_block(int64_t n, double cost, int64_t unit) {
  if ((double)n * cost <= DZ_BLOCK_COST) return n > 0 ? n : 1;
  const double some = DZ_BLOCK_COST / cost;
  const int64_t block = some < (double)DZ_BLOCK_MOST ? (int64_t)some : DZ_BLOCK_MOST;
  return block < unit ? unit : block / unit * unit;
}

static inline int64_t dz_copies(int64_t n, double cost, double cells, int64_t unit) {
  const double work = (double)n * cost, each = DZ_COPY_COST * cells;
  const double copies = work / (each > DZ_BLOCK_COST ? each : DZ_BLOCK_COST);
  if (!(copies >= 2)) return n > 0 ? n : 1;
  int64_t most = 2;  // a power of two, which threads share evenly
  while (most < DZ_COPIES_MOST && copies >= (double)(2 * most)) most *= 2;
  return dz_blocks(dz_blocks(n, most), unit) * unit;
}
// Copies besides the first block's.
static inline int64_t dz_copies_more(int64_t n, int64_t block) {
  const int64_t blocks = dz_blocks(n, block);
  return blocks > 1 ? blocks - 1 : 0;
}
#endif
