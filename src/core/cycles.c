// Recursion: the strongly connected components of the call graph, by Tarjan's algorithm.
#include "core.h"

typedef struct {
  int index, low, component;  // index: 0 before it is visited; component: 0 while on the stack
} Node;

struct Cycles {
  const Prog *prog;
  Arena *arena;
  Map *nodes;  // Fn -> Node
  LIST(Node *) stack;
  int visited, components;
  bool any;
};

typedef struct {
  Cycles *cycles;
  Node *caller;
} Visit;

static Node *node_visit(Cycles *c, const Fn *fn);

static void body_visit(void *state, const Body *body, const Vars *params) {
  (void)params;
  Visit *v = state;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    exp_each_body(e, body_visit, v);
    const Fn *fn = e->form == FORM_APPLY ? prog_fn(v->cycles->prog, e->apply.fn) : NULL;
    if (!fn) continue;
    const Node *callee = node_visit(v->cycles, fn);
    if (callee->component) continue;
    v->cycles->any = true;
    if (callee->low < v->caller->low) v->caller->low = callee->low;
  }
}

static Node *node_visit(Cycles *c, const Fn *fn) {
  Node *n = map_get(c->nodes, KEY(fn));
  if (n) return n;
  n = NEW(c->arena, Node);
  n->index = n->low = ++c->visited;
  map_put(c->nodes, KEY(fn), n);
  list_push(c->arena, &c->stack, n);
  body_visit(&(Visit){c, n}, &fn->body, NULL);
  if (n->low != n->index) return n;
  c->components++;
  for (bool last = false; !last;) {
    Node *member = c->stack.at[--c->stack.len];
    member->component = c->components;
    last = member == n;
  }
  return n;
}

Cycles *cycles_find(const Prog *prog, Arena *arena) {
  Cycles *c = NEW(arena, Cycles);
  *c = (Cycles){.prog = prog, .arena = arena, .nodes = map_new(arena)};
  for (int i = 0; i < prog->fns.len; i++) node_visit(c, prog->fns.at[i]);
  return c;
}

bool cycles_any(const Cycles *c) { return c->any; }

bool cycles_join(const Cycles *c, const Fn *caller, const Fn *callee) {
  const Node *a = map_get(c->nodes, KEY(caller)), *b = map_get(c->nodes, KEY(callee));
  return a->component == b->component;
}
