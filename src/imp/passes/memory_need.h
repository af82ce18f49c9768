// The memory that a function needs from one of its points on (memory_need.c), in blocks of sizes
// that are known there (memory_terms.c).
#ifndef IMP_MEMORY_NEED_H
#define IMP_MEMORY_NEED_H
#include "imp/common/imp.h"

// Of a block: `count` elements of so many bytes; of expanded memory, for each lane of so many
// vectors.  Or the block that the caller gives in a parameter.
typedef struct {
  const ImpExp *count;
  int64_t bytes;
  int vectors, param;  // param: 1 + its number, 0: none
  uint64_t rooms;      // of whose answers count depends, one bit each
  bool bound;          // it has no more than so many
} BlockSize;
typedef LIST(BlockSize) BlockSizes;
typedef LIST(int) Tally;  // blocks by term

// A size at a room: 1 + its term, -1 where no term is known there, 0 not asked yet; whether the
// term is an upper bound.
typedef struct {
  int term;
  bool bound;
} Known;

// How many more blocks there are than at the room, by term; terms that are not in it: none.
typedef struct {
  int len;
  const int *more;
} Point;

// A memory_need statement, or (NULL) the start of the function.
typedef struct {
  const ImpStm *stm;
  uint64_t bit;
  int first, last;     // statements: its own; the last with a block sized by its answer, or all
  const bool *scope;   // by variable: bound in front of it, and not set after it
  LIST(Known) known;   // by size
  BlockSizes terms;    // in terms of what is bound in front
  Tally base, bounds;  // blocks at the room, those of them whose sizes are bounds
  LIST(Point) points;  // none has all the blocks of another
} Room;

// Answers of memory_left that belong to no room: code that asks can do without.
#define MEMORY_ASKS (UINT64_C(1) << 63)

typedef struct {
  Arena *arena;
  const ImpFn *fn;
  uint64_t *rooms;  // by variable: of whose answers it depends
} Answers;

typedef struct {
  Arena *arena;
  const ImpProg *prog;
  ImpFn *fn;
  Map *summaries;         // function -> its Need
  Answers answers;
  BlockSizes sizes;
  int blocks, *block_of;  // memory that owns blocks; by variable: 1 + its number, 0: owns none
  int *owned;             // by number: 1 + the size of its block; 0: none, or one not known
  int *yielded;           // by result of the function, likewise
  LIST(Room *) rooms;     // the first: the start
  int now, *last_set;     // statements walked over; by variable: the last one that sets it
  bool *open;             // by variable: in scope
  Map *numbers;           // statement -> its place in the walk
  bool recording, done;
} Need;

// ---- memory_points.c: 1 + a number for each size, 0: not known
int size_number(Arena *arena, BlockSizes *sizes, BlockSize s);
int size_of(Need *n, ImpVar mem, const ImpExp *count);
int size_either(Need *n, int a, int b);  // of two, as the run says
int term_of(Need *n, Room *room, int size);  // 1 + the room's term, -1: none
Tally tally_of(Need *n, Room *room);  // the blocks that there are now
void tally_add(Need *n, Room *room, Tally *tally, int size, int more);
bool room_counts(const Need *n, const Room *room);  // this point is one of the room's
void room_start(Need *n, Room *room);  // where the walk comes to it
void room_record(Need *n, Room *room, Tally tally);
void record(Need *n);  // a point of all rooms

// ---- memory_terms.c
Answers answers_of(Arena *arena, const ImpFn *fn);
uint64_t answers_in(const Answers *a, const ImpExp *e);
// A block's count at the room, or an upper bound; NULL: not known there.
const ImpExp *count_at_room(const Answers *a, const Room *room, const ImpExp *count, bool *bound);
#endif
