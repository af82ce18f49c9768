// local: what the files share that make parallel loops run at once.
#ifndef IMP_PASSES_LOCAL_H
#define IMP_PASSES_LOCAL_H
#include "imp/common/imp.h"

// ---- chunks.c: what keeps a loop on one core
typedef enum {
  BAR_NONE,
  BAR_SCAN,     // a running value goes from iteration to iteration
  BAR_PLACES,   // iterations may update one place
  BAR_CARRIED,  // a variable or a block is handed on
  BAR_PRINTS,   // what it prints has an order
  BAR_SMALL,    // few iterations
  BAR_FILL,     // memory is the limit
  // on a device
  BAR_SUMS,     // floats are summed up: in another order, with other bits
  BAR_CALLS,    // a function
  BAR_ALLOCS,   // blocks whose size is not known in front of the loop, or that are handed on
  BAR_ROOM,     // asks for memory that is left, or for a parameter of the run
} Bar;
typedef struct {
  Arena *arena;
  const ImpProg *prog;
  ImpFn *fn;
  bool cores, device;
  ImpParallels *said;
  ImpStrides slopes;
  int *mentions;  // by memory: in the function
} Chunks;

// Memory that the loop updates.  Iterations may share its places, then each block needs a copy.
typedef struct {
  ImpVar mem;
  const ImpExp *place;  // of the first update, all counters zero
  int updates;
  bool shared, differs;  // differs: by several operators
  bool atomic;           // threads of a device may update it at once, where it is shared
  Op op;
} Updated;

typedef struct {
  Chunks *c;
  const struct imp_for_ *loop;
  const int *inside;  // by memory: mentions in the loop
  Map *bound;         // scalars bound in the loop
  Map *places;        // updated memory -> Updated
  LIST(Updated *) shared;
  LIST(const struct imp_for_ *) around;  // loops inside the loop, around what is looked at
  LIST(ImpStm *) allocs;                 // for a device: those of the loop
  Bar bar;
} Search;

int *chunks_mentions(const Chunks *c, ImpBlock *block);  // by memory
// The bar of a loop; s->shared, if there is none.
Bar chunks_bar(Chunks *c, const struct imp_for_ *loop, Search *s);
void chunks_say(Chunks *c, const struct imp_for_ *loop, const Search *s);
void bar_if(Search *s, bool bars, Bar why);   // unless there is another
bool chunks_call_reads(const ImpFn *callee, int k);  // memory k of the call, and no more
ImpStm *chunks_loop(Chunks *c, ImpStm *stm);         // a parallel loop on the host
ImpVar chunks_fresh(Chunks *c, const char *base);    // an i64
const ImpExp *chunks_cost(Chunks *c, const struct imp_for_ *loop);  // of an iteration, an f64
// A scalar like the variable or its elements; IMP_BLOCK: memory of such.
ImpVar chunks_like(Chunks *c, ImpVar of, ImpKind kind);
ImpStm *chunks_make(Chunks *c, ImpStm stm);
// let v = value, at the end of out.
const ImpExp *chunks_let(Chunks *c, ImpBlock *out, ImpVar v, const ImpExp *value);

void chunks_bind(void *bound, ImpBlock *block);  // a Map gets the scalars bound in it
bool chunks_has_identity(Op op);  // operators whose identities the back end has

// ---- chunk_logs.c: whether blocks may write down what they add to what they share
bool chunks_log(const Search *s);

// ---- splice.c: statements of a function in place of a call; whether it may be
bool imp_splices(Arena *arena, const ImpFn *callee);
void imp_splice(Chunks *c, const struct imp_call *call, const ImpFn *callee, ImpBlock *out);

// ---- device_calls.c
bool device_calls(ImpBlock *block);  // calls a function
// Its statements, with those of functions for calls, which give no blocks; NULL: that cannot be.
ImpStm *device_without_calls(Chunks *c, const ImpStm *stm);

// ---- device_grid.c
// A perfect nest of the loop that was searched becomes one loop over its points; else it stays.
void device_grid(Search *s, struct imp_for_ *loop, ImpBlock *out);
bool device_is_grid(Search *s);  // there is one

// ---- device_groups.c
// Marks the loops inside that threads of a group share; the iterations of the longest, of those
// that are known in front of the loop, NULL: there are none.  alone: memory that each thread has.
const ImpExp *device_spread(Search *s, Map **alone);
bool device_may_spread(ImpBlock *body);  // it is short, and some loop in it is long

// ---- device_parts.c: memory of a thread's own, which s->allocs allocate
enum { PART_CELLS = 1 << 24, PART_THREADS = 256 };  // elements of all threads, or threads, at least
bool device_is_outside(const Search *s, ImpVar v);  // of the loop: not bound in it
// e, or at least e where it is a size, with variables that are known in front of the loop; NULL: e
// depends on the iteration.
const ImpExp *device_outside(const Search *s, const ImpExp *e);
const ImpExp *device_size(const Search *s, const ImpExp *e);
bool device_allocs_fit(const Search *s);  // all have such sizes, and give no block away
// Of s->allocs: small blocks become the frame's, and their allocations may be dropped; each thread
// has a part of the others, of memory that is allocated in `before`.
void device_frame_blocks(Search *s);
void device_drop_allocs(void *chunks, ImpBlock *block);
const ImpExp *device_part_threads(const Search *s, const ImpExp *bound);  // at most bound
void device_parts(Search *s, const ImpExp *threads, ImpBlock *before);

// ---- device_loops.c, device_sums.c, device_atomics.c: kernels
void device_block(void *chunks, ImpBlock *block);
bool device_takes(Chunks *c, const struct imp_for_ *loop);  // as a kernel
// In any order of the iterations; floats too, where it also adds in copies.
bool device_sums(const Chunks *c, const struct imp_for_ *loop, bool copies);
bool device_adds_exactly(const Chunks *c, ImpVar v);
bool device_copies(const Chunks *c, ImpVar v);  // a thread may add in a copy
bool device_adds_atomically(const Chunks *c, const Updated *x);
// Atomic updates of what s->places says; whether there is such memory.
void device_make_atomic(Search *s);
bool device_has_atomic(const Search *s, bool floats);
// The loop's body in a kernel, of which each thread folds every threads-th iteration.
void device_sum(const Search *s, const struct imp_for_ *loop, const ImpExp *threads, ImpBlock *out);
#endif
