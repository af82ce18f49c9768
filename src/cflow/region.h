// Cells of objects: where an lvalue lies in its object, how many cells the object has.
#ifndef CFLOW_REGION_H
#define CFLOW_REGION_H
#include "index.h"

typedef struct {
  int obj;
  Poly low, high;          // cells low .. high - 1, counted in numbers
} Cells;
typedef LIST(Cells) CellList;
// The one object an lvalue, or what a pointer points to, is in, and where.  False: not known.
bool region_cell(CFlow *f, const CIndex *l, const CExpr *lvalue, int *obj, Poly *at);
bool region_base(CFlow *f, const CIndex *l, const CExpr *pointer, int *obj, Poly *at);
Poly region_length(CFlow *f, const CIndex *l, int obj);  // not known: of parameters' targets
// What the cells written in one iteration are after the loop.
bool region_over_loop(Arena *a, Cells *c, const CRange *r);
#endif
