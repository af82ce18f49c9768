// Indices as polynomials of parameters and of the counters of the loops around.
#ifndef CFLOW_INDEX_H
#define CFLOW_INDEX_H
#include "local.h"
#include "poly.h"

// A loop: counter = low .. high, `trips` values.  counter NULL: another kind of loop.
typedef struct CRange {
  struct CRange *outer;
  const CVar *counter;
  Poly low, high, trips;
  bool unit;               // upwards by 1
  bool down;
} CRange;
typedef struct {
  Arena *arena;
  const CStmt *body;       // of the function
  CRange *ranges;          // innermost first
  bool exact;              // the value itself; else at most that of an index that walks
} CIndex;
Poly cindex_poly(const CIndex *l, const CExpr *e);
CRange cindex_range(const CIndex *l, const CStmt *loop);
int cindex_writes(const CIndex *l, const CVar *v, const CExpr **value);  // assignments; the last
#endif
