// The graph of partial derivatives and the elimination of a vertex:
//
//   c_qp += c_qv * c_vp    for all edges (p, v) and (v, q)
//
// A factor 1 or -1 costs no multiplication, the first contribution to an edge no addition.
#include "eliminate.h"

static bool is_unit(const Edge *e) {
  return !e->a.is_var && (atom_is(e->a, 1) || atom_is(e->a, -1));
}

int graph_vertex(Graph *g, VertexKind kind) {
  list_push(g->arena, &g->vertices, (Vertex){.kind = kind});
  return g->vertices.len - 1;
}

static int find(const Graph *g, int from, int to) {
  const EdgeIds *out = &g->vertices.at[from].out;
  for (int i = 0; i < out->len; i++) {
    const Edge *e = &g->edges.at[out->at[i]];
    if (e->live && e->to == to) return out->at[i];
  }
  return -1;
}

const Edge *graph_find(const Graph *g, int from, int to) {
  int at = find(g, from, to);
  return at < 0 ? NULL : &g->edges.at[at];
}

static bool same_cond(const Edge *x, const Edge *y) {
  bool none = atom_absent(x->cond), also = atom_absent(y->cond);
  return none || also ? none == also : atom_same(x->cond, y->cond) && x->unless == y->unless;
}

static bool opposite_cond(const Edge *x, const Edge *y) {
  return !atom_absent(x->cond) && !atom_absent(y->cond) && atom_same(x->cond, y->cond) &&
         x->unless != y->unless;
}

Atom edge_atom(Builder *b, const Edge *e) {
  if (atom_absent(e->cond)) return e->a;
  Atom zero = atom_number(atom_type(b->prog, e->a).prim, 0);
  return build_select(b, e->cond, e->unless ? zero : e->a, e->unless ? e->a : zero);
}

// A sum that only counts is no unit any more: any variable will do.
static Edge sum_of(Builder *b, const Edge *x, const Edge *y) {
  Edge out = *x;
  out.risky = x->risky || y->risky;
  if (!b) {
    out.a = atom_none();
    return out;
  }
  bool same = same_cond(x, y);
  if (!same) out.cond = atom_none();
  if (opposite_cond(x, y)) {
    out.a = build_select(b, x->cond, x->unless ? y->a : x->a, x->unless ? x->a : y->a);
    return out;
  }
  out.a = build_op(b, OP_ADD, same ? x->a : edge_atom(b, x), same ? y->a : edge_atom(b, y));
  return out;
}

void graph_edge(Graph *g, Builder *b, Edge e, ElimCost *cost) {
  int at = find(g, e.from, e.to);
  e.live = true;
  if (at >= 0) {
    if (cost) cost->adds++;
    g->edges.at[at] = sum_of(b, &g->edges.at[at], &e);
    return;
  }
  list_push(g->arena, &g->edges, e);
  list_push(g->arena, &g->vertices.at[e.from].out, g->edges.len - 1);
  list_push(g->arena, &g->vertices.at[e.to].in, g->edges.len - 1);
}

static Atom times(const Graph *g, Builder *b, const Edge *outer, const Edge *inner) {
  Atom x = outer->a, y = inner->a;
  if (!x.is_var && atom_is(x, -1)) return build_op1(b, OP_NEG, y);
  if (!y.is_var && atom_is(y, -1)) return build_op1(b, OP_NEG, x);
  bool guard = inner->risky && x.is_var && y.is_var && !g->strict;
  if (guard) y = build_op3(b, OP_GUARD, x, y, y);
  return build_linear(b, x, y, g->strict ? 0 : LINEAR_BOTH);
}

// Without a builder: a unit if both factors are.
static Edge product_of(const Graph *g, Builder *b, const Edge *outer, const Edge *inner) {
  Edge in = *inner, out = {.from = inner->from, .to = outer->to};
  bool both = !atom_absent(outer->cond) && !atom_absent(in.cond);
  if (both && !same_cond(outer, &in) && b) in.a = edge_atom(b, &in);
  const Edge *when = atom_absent(outer->cond) ? &in : outer;
  out.cond = when->cond, out.unless = when->unless;
  if (b) out.a = times(g, b, outer, &in);
  else out.a = is_unit(outer) ? in.a : is_unit(&in) ? outer->a : atom_none();
  return out;
}

static void drop(Graph *g, int id) {
  Edge *e = &g->edges.at[id];
  EdgeIds *lists[] = {&g->vertices.at[e->from].out, &g->vertices.at[e->to].in};
  e->live = false;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < lists[k]->len; i++)
      if (lists[k]->at[i] == id) {
        lists[k]->at[i] = lists[k]->at[--lists[k]->len];
        break;
      }
}

void graph_eliminate(Graph *g, Builder *b, int v, ElimCost *cost) {
  for (int i = 0; i < g->vertices.at[v].in.len; i++)
    for (int k = 0; k < g->vertices.at[v].out.len; k++) {
      Edge inner = g->edges.at[g->vertices.at[v].in.at[i]];
      Edge outer = g->edges.at[g->vertices.at[v].out.at[k]];
      if (!is_unit(&inner) && !is_unit(&outer)) cost->muls++;
      graph_edge(g, b, product_of(g, b, &outer, &inner), cost);
    }
  while (g->vertices.at[v].in.len) drop(g, g->vertices.at[v].in.at[0]);
  while (g->vertices.at[v].out.len) drop(g, g->vertices.at[v].out.at[0]);
}

static EdgeIds ids_copy(Arena *arena, EdgeIds ids) {
  EdgeIds out = {0};
  for (int i = 0; i < ids.len; i++) list_push(arena, &out, ids.at[i]);
  return out;
}

Graph graph_copy(const Graph *g) {
  Graph out = {.arena = g->arena, .strict = g->strict, .inputs = g->inputs,
               .results = g->results};
  for (int i = 0; i < g->edges.len; i++) list_push(g->arena, &out.edges, g->edges.at[i]);
  for (int i = 0; i < g->vertices.len; i++) {
    Vertex v = g->vertices.at[i];
    v.in = ids_copy(g->arena, v.in);
    v.out = ids_copy(g->arena, v.out);
    list_push(g->arena, &out.vertices, v);
  }
  return out;
}
