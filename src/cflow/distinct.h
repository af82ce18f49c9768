// Accesses of one object that never meet in one cell.
#ifndef CFLOW_DISTINCT_H
#define CFLOW_DISTINCT_H
#include "region.h"

typedef struct {
  Poly at;                 // the cell, in terms of counters of the loops around
  const CRange *around;    // innermost first; loops that two accesses share are the same objects
} Access;
bool access_shares_loop(const Access *a, const Access *b);  // or may
// No execution of `first` before one of `then` is of the same cell.  together: in one iteration of
// all loops that they share `first` may come before `then`.
bool access_distinct(Arena *arena, const Access *first, const Access *then, bool together);
#endif
