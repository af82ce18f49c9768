// eliminate: small dense Jacobians by vertex elimination (doc/strategies.md).
//
// The function is evaluated symbolically, scalar by scalar: arrays of constant shape become their
// elements, maps, reductions and loops of few trips are written out, branches become selects.  That
// emits the value and gives a graph: vertices are float scalars, edges partial derivatives.  Then
// inner vertices are eliminated one by one, c_qp += c_qv c_vp for all p before and q after v, until
// only edges from arguments to results are left: the Jacobian.
#ifndef AD_ELIMINATE_H
#define AD_ELIMINATE_H
#include "ad/common/local.h"

enum { VERTICES_MOST = 2000, INPUTS_MOST = 64, TRIPS_MOST = 64 };

// ---- graph.c
typedef struct {
  int from, to;
  Atom a;      // the partial derivative
  Atom cond;   // where this is false the derivative is 0; absent: nowhere
  bool unless; // where it is true
  bool risky;  // a may be infinite or NaN at finite operands
  bool live;
} Edge;
typedef LIST(int) EdgeIds;
typedef enum { VERTEX_INPUT, VERTEX_INNER, VERTEX_RESULT } VertexKind;
typedef struct {
  VertexKind kind;
  EdgeIds in, out;
} Vertex;
typedef struct {
  Arena *arena;
  LIST(Vertex) vertices;  // operands before what is computed of them
  LIST(Edge) edges;
  bool strict;            // zero times infinity as IEEE says
  int inputs, results;
} Graph;
typedef struct {
  int muls, adds;
} ElimCost;
int graph_vertex(Graph *g, VertexKind kind);
// Adds to the edge that is there; emits the sum where `b` is not NULL.
void graph_edge(Graph *g, Builder *b, Edge e, ElimCost *cost);
const Edge *graph_find(const Graph *g, int from, int to);  // NULL: there is none
Graph graph_copy(const Graph *g);
// Removes an inner vertex; b NULL: only counts.
void graph_eliminate(Graph *g, Builder *b, int v, ElimCost *cost);
Atom edge_atom(Builder *b, const Edge *e);  // without a condition

// ---- order.c: forward, reverse, Markowitz, relative Markowitz; the one of the least operations
typedef struct {
  const char *name;
  int len, *at;
  ElimCost cost;
} ElimOrder;
enum { ORDERS = 4 };
ElimOrder order_by(const Graph *g, int which);
ElimOrder order_best(const Graph *g);

// ---- values.c: the function, scalar by scalar
typedef struct SymVal SymVal;
struct SymVal {
  enum { SYM_SCALAR, SYM_ELEMENTS, SYM_WHOLE } kind;
  Atom atom;        // SYM_SCALAR; SYM_WHOLE: an array from outside
  int n;
  SymVal *const *at;   // SYM_ELEMENTS
};
typedef struct {
  Builder *b;
  Arena *arena;
  Graph *g;
  Map *vals;        // source variable -> SymVal
  Map *vertex;      // emitted variable -> int *
  Map *singular;    // emitted variables that may be infinite or NaN at finite arguments
  Prim prim;        // of the floats
  int branches;     // around the statement
  int budget;
  const Stm *refused;  // what cannot be evaluated so, and why
  const char *why;
} Symbolic;
SymVal *sym_scalar(Symbolic *s, Atom a);
SymVal *sym_elements(Symbolic *s, int n);
SymVal *sym_element(Symbolic *s, SymVal *v, int64_t i);
bool symbolic_body(Symbolic *s, const Body *body, SymVal **results);
bool symbolic_lambda(Symbolic *s, const Lambda *fn, SymVal **args, SymVal **results);
bool symbolic_refuse(Symbolic *s, const Stm *stm, const char *why);  // false
SymVal *symbolic_val(Symbolic *s, Atom a);
bool symbolic_form(Symbolic *s, const Stm *stm, SymVal **out);  // forms.c: arrays and control
SymVal *symbolic_select(Symbolic *s, Atom cond, SymVal *yes, SymVal *no);
#endif
