// blocks: the sizes of the blocks in which loops are summed.  They follow from sizes alone, so that
// sums are the same to the bit on one core and on any number of them.
//
//   dz_block(n, cost, unit)   of n iterations, each of about `cost` plain operations
//   dz_blocks(n, block)       how many there are
#ifndef DZ_BLOCKS_H
#define DZ_BLOCKS_H
#include "int.h"

#ifndef DZ_BLOCK_COST  // tests make it small
#define DZ_BLOCK_COST 131072.0  // plain operations: some 30 microseconds
#endif
#define DZ_BLOCK_MOST INT64_C(65536)

static inline int64_t dz_blocks(int64_t n, int64_t block) { return n / block + (n % block != 0); }

// All in one where that is little work.
static inline int64_t dz_block(int64_t n, double cost, int64_t unit) {
  if ((double)n * cost <= DZ_BLOCK_COST) return n > 0 ? n : 1;
  const double some = DZ_BLOCK_COST / cost;
  const int64_t block = some < (double)DZ_BLOCK_MOST ? (int64_t)some : DZ_BLOCK_MOST;
  return block < unit ? unit : block / unit * unit;
}
#endif
