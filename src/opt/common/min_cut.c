// Minimum cuts of small directed graphs: augmenting paths by breadth-first search.
#include "min_cut.h"

typedef struct {
  int to;
  double left;
} Edge;  // edges come in pairs: 2k forward, 2k + 1 backward
typedef LIST(int) Ints1;
struct Cut {
  Arena *arena;
  int nodes;
  LIST(Edge) edges;
  Ints1 *of;   // edges of each node
  int *via;    // how the search got there: edge number, or -1
  bool *seen;
};

Cut *cut_new(Arena *arena, int nodes) {
  Cut *c = NEW(arena, Cut);
  *c = (Cut){.arena = arena, .nodes = nodes};
  c->of = NEW_ARRAY(arena, Ints1, nodes);
  c->via = NEW_ARRAY(arena, int, nodes);
  c->seen = NEW_ARRAY(arena, bool, nodes);
  return c;
}

void cut_edge(Cut *c, int from, int to, double capacity) {
  list_push(c->arena, &c->of[from], c->edges.len);
  list_push(c->arena, &c->edges, (Edge){to, capacity});
  list_push(c->arena, &c->of[to], c->edges.len);
  list_push(c->arena, &c->edges, (Edge){from, 0});
}

static bool search(Cut *c, int *queue) {
  int head = 0, tail = 0;
  for (int i = 0; i < c->nodes; i++) c->seen[i] = false;
  c->seen[CUT_SOURCE] = true;
  queue[tail++] = CUT_SOURCE;
  while (head < tail) {
    int at = queue[head++];
    for (int i = 0; i < c->of[at].len; i++) {
      const Edge *e = &c->edges.at[c->of[at].at[i]];
      if (e->left <= 0 || c->seen[e->to]) continue;
      c->seen[e->to] = true;
      c->via[e->to] = c->of[at].at[i];
      queue[tail++] = e->to;
    }
  }
  return c->seen[CUT_SINK];
}

const bool *cut_source_side(Cut *c) {
  int *queue = NEW_ARRAY(c->arena, int, c->nodes);
  while (search(c, queue)) {
    double least = CUT_NEVER;
    for (int at = CUT_SINK; at != CUT_SOURCE; at = c->edges.at[c->via[at] ^ 1].to)
      if (c->edges.at[c->via[at]].left < least) least = c->edges.at[c->via[at]].left;
    for (int at = CUT_SINK; at != CUT_SOURCE; at = c->edges.at[c->via[at] ^ 1].to) {
      c->edges.at[c->via[at]].left -= least;
      c->edges.at[c->via[at] ^ 1].left += least;
    }
  }
  return c->seen;
}
