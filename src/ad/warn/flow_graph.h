// How values flow through a function under a differentiation operator, nested scopes included: a
// graph of its variables.  For warnings (gradient_warnings.c); the rules ask activity.c.
#ifndef AD_FLOW_H
#define AD_FLOW_H
#include "ad/common/local.h"

typedef enum {
  FLOW_SMOOTH,   // a derivative passes: from float to float
  FLOW_NONDIFF,      // a float becomes a number or truth value that is constant almost everywhere
  FLOW_VALUE,    // other values are computed of values
  // the operand only chooses: a condition, an index, a number of iterations; neutral elements
  FLOW_CONTROL,
} FlowKind;
typedef struct {
  int from, to;   // nodes
  FlowKind kind;
  bool exempt;   // the derivative that is lost here was not wanted (gradient_warnings.c)
  const Stm *stm;
  int next_out, next_in;  // further edges of `from` and into `to`; -1: none
} FlowEdge;
typedef struct {
  Var var;
  const Loc *loc;  // of the statement that binds it
  int out, in;     // first edges; -1: none
} FlowNode;
typedef struct {
  const Prog *prog;
  Arena *arena;
  int *node_of;  // by variable: 1 + its node; 0: none
  LIST(FlowNode) nodes;
  LIST(FlowEdge) edges;
  LIST(const Fn *) entered;  // functions called
} Flow;
Flow flow_new(const Prog *prog, Arena *arena);
void flow_fill(Flow *f, const Lambda *fn, const Loc *loc);  // instead of its former contents
int flow_node(const Flow *f, Atom a);                       // -1: none

// The nodes reachable from some nodes along edges of some kinds, and by which edge first.
typedef struct {
  const Flow *flow;
  bool back;         // against the edges
  unsigned kinds;    // bit k: edges of kind k
  int *by;           // by node: -1 not reached, edge + 1, or 0 for where it began
  LIST(int) queue;
} Reach;
Reach reach_new(const Flow *f, bool back, unsigned kinds);
void reach_from(Reach *r, int node);
void reach_run(Reach *r);
bool reach_has(const Reach *r, int node);
#endif
