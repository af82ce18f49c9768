// Minimal version selection.  A worklist raises the version of each package to the greatest that
// a manifest on the way names; each raise reads the manifest of the new version.  Packages that
// only superseded versions require are left out at the end: the result is what the root reaches
// through manifests of chosen versions.
#include "pkg.h"
#include <stdlib.h>

typedef struct {
  ChosenPackage chosen;
  const Manifest *manifest;
  bool reached;
} Node;
typedef LIST(Node *) Nodes;
typedef LIST(Requirement) Requirements;

typedef struct {
  const Solver *solver;
  const Manifest *root;
  Nodes nodes;
  Requirements work;
} Choice;

static Node *node_find(const Choice *c, const char *path) {
  for (int i = 0; i < c->nodes.len; i++)
    if (strcmp(c->nodes.at[i]->chosen.required.path, path) == 0) return c->nodes.at[i];
  return NULL;
}

static void requirements_add(Choice *c, const Manifest *m) {
  for (int i = 0; m && i < m->entries.len; i++)
    if (!m->entries.at[i].comment) list_push(c->solver->arena, &c->work, m->entries.at[i].required);
}

static bool is_own(const Choice *c, const char *path) {
  return c->root->path && strcmp(c->root->path, path) == 0;
}

static void requirement_raise(Choice *c, Requirement r) {
  Arena *arena = c->solver->arena;
  Node *node = node_find(c, r.path);
  bool same = node && version_compare(&node->chosen.required.version, &r.version) == 0;
  if (same && !node->chosen.required.hash) node->chosen.required.hash = r.hash;
  if (is_own(c, r.path) ||
      (node && version_compare(&node->chosen.required.version, &r.version) >= 0))
    return;
  if (!node) {
    node = NEW(arena, Node);
    list_push(arena, &c->nodes, node);
  }
  node->chosen.required = r;
  node->manifest = c->solver->manifest(c->solver->state, &r);
  node->chosen.vendored = !node->manifest;
  requirements_add(c, node->manifest);
}

static void reach(Choice *c, const Manifest *m) {
  Arena *arena = c->solver->arena;
  Nodes open = {0};
  for (const Manifest *from = m; from; from = open.len ? open.at[--open.len]->manifest : NULL)
    for (int i = 0; i < from->entries.len; i++) {
      const ManifestEntry *e = &from->entries.at[i];
      Node *node = e->comment ? NULL : node_find(c, e->required.path);
      if (!node || node->reached) continue;
      node->reached = true;
      if (node->manifest) list_push(arena, &open, node);
    }
}

static int by_path(const void *a, const void *b) {
  const ChosenPackage *x = a, *y = b;
  return strcmp(x->required.path, y->required.path);
}

ChosenList packages_choose(const Solver *solver, const Manifest *root) {
  Choice c = {.solver = solver, .root = root};
  requirements_add(&c, root);
  for (int i = 0; i < c.work.len; i++) requirement_raise(&c, c.work.at[i]);
  reach(&c, root);
  ChosenList chosen = {0};
  for (int i = 0; i < c.nodes.len; i++)
    if (c.nodes.at[i]->reached) list_push(solver->arena, &chosen, c.nodes.at[i]->chosen);
  if (chosen.len) qsort(chosen.at, (size_t)chosen.len, sizeof *chosen.at, by_path);
  return chosen;
}
