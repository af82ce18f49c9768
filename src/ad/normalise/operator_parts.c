// Operators on tuples that fall into independent parts.  Components (elements of the tuples) that
// meet in a statement some result needs belong together: a group, known by its smallest member.
// Two walks over the operator, one back for what is needed, one forth for what depends on what.
#include "ad/common/local.h"

enum { NO_GROUP = -1 };
struct OperatorParts {
  const Prog *prog;
  const Lambda *op;
  int *group;     // by component: another of its group, itself when it is the smallest
  Map *of_var;    // variable -> a component it depends on, + 1, as a pointer
  bool *live;     // by statement: some result needs it
  Vars *free;     // by statement that is
  int *of_stm;    // by statement: a component it depends on, or NO_GROUP
  Ints *members;  // by group: its statements
  Ints common;    // the statements without a group
};

static int group_find(int *group, int k) {
  while (group[k] != k) k = group[k] = group[group[k]];
  return k;
}

// The group of a and b; either may be none.
static int group_join(int *group, int a, int b) {
  if (a == NO_GROUP || b == NO_GROUP) return a == NO_GROUP ? b : a;
  a = group_find(group, a), b = group_find(group, b);
  int low = a < b ? a : b;
  group[a] = group[b] = low;
  return low;
}

static int component_of(const OperatorParts *p, Atom a) {
  return a.is_var ? (int)(intptr_t)map_get(p->of_var, a.var.id) - 1 : NO_GROUP;
}

static void component_set(OperatorParts *p, Var v, int k) {
  map_put(p->of_var, v.id, (void *)(intptr_t)(k + 1));
}

static bool any_in(const Map *set, Vars vars) {
  for (int i = 0; i < vars.len; i++)
    if (map_get(set, vars.at[i].id)) return true;
  return false;
}

static void add_all(Map *set, Vars vars) {
  for (int i = 0; i < vars.len; i++) map_put(set, vars.at[i].id, set);
}

static void find_live(OperatorParts *p) {
  const Body *body = &p->op->body;
  Map *wanted = map_new(p->prog->arena);
  for (int i = 0; i < body->results.len; i++)
    if (body->results.at[i].is_var) map_put(wanted, body->results.at[i].var.id, wanted);
  for (int i = body->stms.len - 1; i >= 0; i--) {
    p->live[i] = any_in(wanted, body->stms.at[i].bound);
    if (!p->live[i]) continue;
    p->free[i] = exp_free(p->prog, p->prog->arena, &body->stms.at[i].exp);
    add_all(wanted, p->free[i]);
  }
}

static void join_components(OperatorParts *p) {
  const Body *body = &p->op->body;
  int n = body->results.len;
  for (int i = 0; i < 2 * n; i++) component_set(p, p->op->params.at[i], i % n);
  for (int i = 0; i < body->stms.len; i++) {
    int k = NO_GROUP;
    for (int j = 0; j < p->free[i].len; j++)
      k = group_join(p->group, k, component_of(p, atom_var(p->free[i].at[j])));
    p->of_stm[i] = k;
    for (int j = 0; j < body->stms.at[i].bound.len; j++)
      component_set(p, body->stms.at[i].bound.at[j], k);
  }
  for (int k = 0; k < n; k++) group_join(p->group, k, component_of(p, body->results.at[k]));
}

OperatorParts *operator_parts(const Prog *prog, const Lambda *op, int *group) {
  Arena *arena = prog->arena;
  int n = op->body.results.len, m = op->body.stms.len;
  OperatorParts *p = NEW(arena, OperatorParts);
  *p = (OperatorParts){.prog = prog, .op = op, .group = group, .of_var = map_new(arena)};
  p->live = NEW_ARRAY(arena, bool, m + 1);
  p->free = NEW_ARRAY(arena, Vars, m + 1);
  p->of_stm = NEW_ARRAY(arena, int, m + 1);
  p->members = NEW_ARRAY(arena, Ints, n + 1);
  for (int k = 0; k < n; k++) group[k] = k;
  find_live(p);
  join_components(p);
  for (int k = 0; k < n; k++) group[k] = group_find(group, k);
  for (int i = 0; i < m; i++) {
    if (!p->live[i]) continue;
    int k = p->of_stm[i];
    list_push(arena, k == NO_GROUP ? &p->common : &p->members[group[k]], i);
  }
  return p;
}

// The statements of the group and the common ones, as they stood.
static Ints in_order(Arena *arena, const Ints *a, const Ints *b) {
  Ints out = {0};
  for (int i = 0, j = 0; i < a->len || j < b->len;) {
    bool first = j == b->len || (i < a->len && a->at[i] < b->at[j]);
    list_push(arena, &out, first ? a->at[i++] : b->at[j++]);
  }
  return out;
}

static void stms_part(const OperatorParts *p, Lambda *part, int g) {
  Arena *arena = p->prog->arena;
  Ints at = in_order(arena, &p->members[g], &p->common);
  Map *wanted = map_new(arena);
  bool *keep = NEW_ARRAY(arena, bool, at.len + 1);
  for (int k = 0; k < part->body.results.len; k++)
    if (part->body.results.at[k].is_var)
      map_put(wanted, part->body.results.at[k].var.id, wanted);
  for (int i = at.len - 1; i >= 0; i--) {
    keep[i] = any_in(wanted, p->op->body.stms.at[at.at[i]].bound);
    if (keep[i]) add_all(wanted, p->free[at.at[i]]);
  }
  for (int i = 0; i < at.len; i++)
    if (keep[i]) list_push(arena, &part->body.stms, p->op->body.stms.at[at.at[i]]);
}

Lambda *operator_part(const OperatorParts *p, int g) {
  Arena *arena = p->prog->arena;
  const Lambda *op = p->op;
  int n = op->body.results.len;
  Lambda *part = NEW(arena, Lambda);
  for (int i = 0; i < 2 * n; i++)
    if (p->group[i % n] == g) list_push(arena, &part->params, op->params.at[i]);
  for (int k = 0; k < n; k++) {
    if (p->group[k] != g) continue;
    list_push(arena, &part->body.results, op->body.results.at[k]);
    list_push(arena, &part->rets, op->rets.at[k]);
  }
  stms_part(p, part, g);
  return part;
}
