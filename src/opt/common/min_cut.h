// Minimum cuts of small directed graphs.
#ifndef OPT_CUT_H
#define OPT_CUT_H
#include "base/base.h"

enum { CUT_SOURCE, CUT_SINK, CUT_FIRST };  // node numbers; others from CUT_FIRST
#define CUT_NEVER 1e15                     // the capacity of an edge that must not be cut
typedef struct Cut Cut;
Cut *cut_new(Arena *arena, int nodes);
void cut_edge(Cut *c, int from, int to, double capacity);
// After all edges: which nodes are on the source's side of a cut of least capacity.
const bool *cut_source_side(Cut *c);
#endif
