// Orders of elimination.  The least number of operations is NP-complete to find (Naumann, "Optimal
// Jacobian accumulation is NP-complete", 2008), so a few heuristics are counted and the best taken:
// forward, reverse, Markowitz (Griewank and Reese, "On the calculation of Jacobian matrices by the
// Markowitz rule", 1991: least degree first, of ties the latest) and relative Markowitz (less the
// final degree: the arguments a vertex depends on times the results that depend on it).
// Then single vertices are moved within the order, a bounded number of times.
#include "eliminate.h"

enum { MOVES_MOST = 3000, STEPS_MOST = 200000 };

static int degree(const Graph *g, int v) {
  return g->vertices.at[v].in.len * g->vertices.at[v].out.len;
}

static int bits(uint64_t x) {
  int n = 0;
  for (; x; x &= x - 1) n++;
  return n;
}

// By vertex: arguments it depends on times results that depend on it.  Edges go upwards.
static int *final_degrees(const Graph *g) {
  int n = g->vertices.len, input = 0, result = 0;
  uint64_t *before = NEW_ARRAY(g->arena, uint64_t, n), *after = NEW_ARRAY(g->arena, uint64_t, n);
  int *out = NEW_ARRAY(g->arena, int, n);
  for (int v = 0; v < n; v++) {
    if (g->vertices.at[v].kind == VERTEX_INPUT) before[v] = UINT64_C(1) << input++;
    EdgeIds in = g->vertices.at[v].in;
    for (int i = 0; i < in.len; i++) before[v] |= before[g->edges.at[in.at[i]].from];
  }
  for (int v = n - 1; v >= 0; v--) {
    if (g->vertices.at[v].kind == VERTEX_RESULT) after[v] = UINT64_C(1) << result++;
    EdgeIds to = g->vertices.at[v].out;
    for (int i = 0; i < to.len; i++) after[v] |= after[g->edges.at[to.at[i]].to];
    out[v] = bits(before[v]) * bits(after[v]);
  }
  return out;
}

// The next vertex of those left, which are marked.
static int next_of(const Graph *g, const bool *left, int which, const int *final) {
  int best = -1, least = 0;
  for (int v = 0; v < g->vertices.len; v++) {
    if (!left[v]) continue;
    if (which == 0) return v;
    int key = which == 1 ? -v : degree(g, v) - (which == 3 ? final[v] : 0);
    if (best < 0 || key <= least) best = v, least = key;
  }
  return best;
}

ElimOrder order_by(const Graph *source, int which) {
  static const char *const names[ORDERS] = {"forward", "reverse", "Markowitz",
                                            "relative Markowitz"};
  Graph g = graph_copy(source);
  int n = g.vertices.len;
  bool *left = NEW_ARRAY(g.arena, bool, n + 1);
  ElimOrder out = {.name = names[which], .at = NEW_ARRAY(g.arena, int, n + 1)};
  const int *final = which == 3 ? final_degrees(&g) : NULL;
  for (int v = 0; v < n; v++) left[v] = g.vertices.at[v].kind == VERTEX_INNER;
  for (int v; (v = next_of(&g, left, which, final)) >= 0;) {
    left[v] = false;
    out.at[out.len++] = v;
    graph_eliminate(&g, NULL, v, &out.cost);
  }
  return out;
}

static int operations(const ElimOrder *o) { return o->cost.muls + o->cost.adds; }

// ---- moves: a vertex elsewhere in the order, kept where that costs no more
static ElimCost cost_of(const Graph *source, const int *order, int n) {
  Arena *scratch = arena_beside(source->arena);
  Graph from = *source;
  from.arena = scratch;
  Graph g = graph_copy(&from);
  ElimCost cost = {0};
  for (int i = 0; i < n; i++) graph_eliminate(&g, NULL, order[i], &cost);
  arena_free(scratch);
  return cost;
}

static void move(int *order, int from, int to) {
  int v = order[from], step = from < to ? 1 : -1;
  for (int i = from; i != to; i += step) order[i] = order[i + step];
  order[to] = v;
}

// The seed is fixed, so that builds repeat.
static int below(uint64_t *state, int n) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((*state >> 33) % (uint64_t)n);
}

static void improve(const Graph *g, ElimOrder *o) {
  uint64_t state = 20;
  int moves = o->len > 2 ? STEPS_MOST / o->len : 0;
  for (int i = 0; i < moves && i < MOVES_MOST; i++) {
    int from = below(&state, o->len), to = below(&state, o->len);
    move(o->at, from, to);
    ElimOrder other = {.cost = cost_of(g, o->at, o->len)};
    if (operations(&other) <= operations(o)) o->cost = other.cost;
    else move(o->at, to, from);
  }
}

ElimOrder order_best(const Graph *g) {
  ElimOrder best = order_by(g, 0);
  for (int k = 1; k < ORDERS; k++) {
    ElimOrder other = order_by(g, k);
    if (operations(&other) < operations(&best)) best = other;
  }
  improve(g, &best);
  return best;
}
