// Costs of functions as formulas: operations and bytes as polynomials of the parameters and of
// symbols for unknown numbers, such as the trips of a while loop.
#ifndef CDIFF_COST_H
#define CDIFF_COST_H
#include "cflow/index.h"
#include "local.h"

typedef struct {
  Poly arithmetic;     // + - * / of numbers of floating point
  Poly functions;      // calls of the math library
  Poly push, pop;      // bytes put on a tape of the function, and taken
} Cost;
typedef struct {
  CVar *var;           // its name is in formulas
  const char *meaning;
} Symbol;
// Bytes that one place of the text puts on a tape, in all; or those of one iteration of a loop that
// takes them back.
typedef struct {
  Span at;
  const char *text;    // the pushed expression; NULL: the sum over one iteration of a loop
  Poly bytes;
  Span inside;         // bytes of one iteration of the loop there; no source: of a call
  bool once;           // all that the loops around put there
  bool region;         // `inside` is no loop: statements that are executed again
} Push;
typedef LIST(Push) Pushes;
typedef struct Costs {
  const CDiff *d;
  Arena *arena;
  LIST(Symbol) symbols;
  Map *known;          // by function: CostOf
} Costs;
typedef struct {
  Cost cost;
  Pushes pushes;
  bool bound;          // branches or exits differ: upper bounds
  bool done;
} CostOf;
Costs costs_new(const CDiff *d);
const CostOf *cost_of(Costs *c, const CFunction *f);
const char *cpoly_text(Arena *arena, Poly p);
const char *pushed_text(Arena *arena, const CExpr *x);
// Once for each execution of the loop: in terms of the counters around (`index` has them), too.
Poly loop_trips(Costs *c, const CRange *r, const CStmt *loop);
#endif
