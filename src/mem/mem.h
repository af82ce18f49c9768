// mem: what the lowering must know about memory, found on core before any code is made.
//
// Every array variable lives in some block.  Forms that only view (index, rearrange, reshape ..)
// and forms that consume (update, hist, loops whose state is updated in place ..) give a variable
// in the block of another one; all others make a fresh block.
#ifndef MEM_H
#define MEM_H
#include "core/core.h"

typedef enum {
  LOOP_SAME,         // the next value lies where the parameter lies: nothing moves
  LOOP_ELEMENTWISE,  // the next value is computed element by element: written over the old one
  LOOP_BUFFER,       // two blocks of invariant size, swapped
  LOOP_MOVE,         // size changes, or memory counts: each iteration makes its own block
} LoopMode;

typedef struct {
  const Prog *prog;
  Var *same;          // by variable: whose block and layout it has; itself when it has its own
  Var *block;         // by variable: whose block it lies in, under any layout
  bool *consumed;     // by `block` variable: overwritten at some point of its life
  bool *only_rows;    // made by iota or replicate of a scalar and only read element by element
  LoopMode *mode;     // by loop parameter (arrays), and by accumulator parameter of reductions
  int *def_depth;     // by variable: depth of the body that binds it
  int *last_use;      // by variable: order of the last statement of that body that uses it;
                      // INT_MAX: it is a result of that body
  const Stm **def;    // by variable: the statement that binds it; NULL for parameters
  Map *order;         // statement -> its order
  // Fn -> int *: by result, 1 + the consumed parameter whose memory and layout it
  Map *in_place;
                      // has whatever is called with; 0: none
} MemFacts;
MemFacts *mem_facts(const Prog *prog, Arena *arena);
int mem_order(const MemFacts *facts, const Stm *stm);
int mem_in_place(const MemFacts *facts, const Fn *fn, int result);  // of in_place
bool mem_holds_result(const MemFacts *facts, const Fn *fn, int param);
// Whether parameter `param` of the body may be overwritten by result `result` as it is computed:
// result is a map over param (and others) that reads it at the very element it writes, and
// nothing reads param afterwards.
bool mem_elementwise(const MemFacts *facts, const Body *body, Var param, Atom result);
// Whether the map reads `input` only at the element of its result that it writes.
bool mem_map_elementwise(const MemFacts *facts, const Stm *map, Var input, int result);
#endif
