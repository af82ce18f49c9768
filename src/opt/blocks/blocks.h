// blocks: what stands outside of all maps in parts that may run at once, where single operations of
// the language do not suffice (for those see imp/passes/chunks.c).  Sizes of blocks follow from the
// sizes in the program alone.
#ifndef OPT_BLOCKS_H
#define OPT_BLOCKS_H
#include "opt/common/local.h"
#include "opt/common/polynomial.h"

typedef struct {
  Prog *prog;
  Arena *scratch;
  Cost *cost;
  Map *defs;   // variable -> the Stm that binds it, outside of maps
  Builder to;  // beside the statement that is looked at
} Blocks;

// Elements in blocks: blocks = ceil (width / block).
typedef struct {
  Atom width, block, blocks;
} Cut;
typedef struct {
  Atom first, count;
} Range;

// ---- sizes.c
enum {
  BLOCK_SPECIAL = 20,  // what a transcendental function counts, as in chunks.c
  BLOCK_FEW = 16,      // elements of a block, unless its operator is little beside them
};
Atom build_poly(Blocks *s, Poly p, Vars known);  // as an i64, at least 1
Atom build_ceil(Builder *b, Atom x, Atom y);
// Blocks of about the budget of rts/blocks.h, of elements that cost `cost`, not fewer than `least`.
Cut build_cut(Blocks *s, Atom width, Atom cost, int least);
Range build_range(Builder *b, Cut cut, Atom number);
// array[first : count]; of an iota, the numbers from there on.
Atom build_part(Blocks *s, Builder *b, Atom array, Range range);
Atoms build_parts(Blocks *s, Builder *b, Atoms arrays, Range range);
Operators operators_copy(Builder *b, Operators ops);

// ---- folds.c, scans.c, scatters.c: what takes the statement's place is built; false: it stays
bool block_fold(Blocks *s, Stm *stm);
bool block_scan(Blocks *s, Stm *stm);
bool block_scatter(Blocks *s, Stm *stm);

// ---- versions.c: one for several threads, and the statement as it was
// Whether the loop is worth it and there are at least so many threads.
Atom build_threads(Blocks *s, Atom width, Atom cost, int least);
// if cond then body else stm
void build_versions(Blocks *s, Stm *stm, Atom cond, Body body);
// The function of the elements in a separate map: what it costs at least, so that storing the
// elements is little beside its share of a thread, or beside all of it.
enum { COSTLY = 64, COSTLY_ALONE = 256 };
bool is_costly(Blocks *s, const Lambda *fn, double least);
Atoms build_elements(Builder *b, Atom width, const Lambda *fn, Atoms inputs);
#endif
