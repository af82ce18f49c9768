// Reverse mode of branches.  Each branch starts from the current A and leaves its own; afterwards
// every variable's adjoints are brought to one representation:
//   equal everywhere -> unchanged;  zero or sparse everywhere -> sparse, entry by entry;
//   accumulators -> accumulator;  else dense and owned.
// Owned is more than not shared in any branch: if one branch moves the adjoint of a result to x and
// another moves it to y, either may have its memory, and consuming one would end the other.
#include "ad/common/local.h"

Join join_begin(Vjp *v, Vars wanted) {
  return (Join){.v = v, .wanted = wanted, .outer = v->w.to};
}

void join_enter(Join *j) {
  j->now = NEW(vjp_arena(j->v), JoinBranch);
  j->now->adj = NEW_ARRAY(vjp_arena(j->v), Adj, j->wanted.len + 1);
  j->mark = scope_begin(j->v);
  j->v->w.to.stms = &j->now->body.stms;
}

void join_leave(Join *j) {
  for (int k = 0; k < j->wanted.len; k++) j->now->adj[k] = adj_get(j->v, j->wanted.at[k]);
  scope_end(j->v, j->mark);
  j->v->w.to = j->outer;
  list_push(vjp_arena(j->v), &j->branches, j->now);
}

static bool adj_same(Adj a, Adj b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case ADJ_ZERO: return true;
    case ADJ_VAL: case ADJ_BROADCAST: case ADJ_ACC: return atom_same(a.value, b.value);
    case ADJ_VIEW: return true;
    case ADJ_SPARSE: return a.triples.len == b.triples.len && a.triples.at == b.triples.at;
  }
  return false;
}

static void add_result(Join *j, JoinBranch *branch, Atom a) {
  list_push(vjp_arena(j->v), &branch->body.results, a);
}

// Builds into the branch, whose scope has been left.
static Builder *branch_builder(Join *j, JoinBranch *branch) {
  j->v->w.to.stms = &branch->body.stms;
  return &j->v->w.to;
}

static void join_type(Join *j, Type t) { list_push(vjp_arena(j->v), &j->types, t); }

static void join_dense(Join *j, int k) {
  Type type = primal_type(j->v, j->wanted.at[k]);
  for (int i = 0; i < j->branches.len; i++) {
    JoinBranch *branch = j->branches.at[i];
    Builder *b = branch_builder(j, branch);
    bool owned;
    Atom value = adj_dense(j->v, branch->adj[k], type, &owned);
    add_result(j, branch, owned ? value : build_copy(b, value));
  }
  join_type(j, type);
}

// A branch lacking an entry supplies one that is never there.
static void join_triples(Join *j, int k, int entries) {
  Type row = type_row(primal_type(j->v, j->wanted.at[k]));
  for (int s = 0; s < entries; s++) {
    for (int i = 0; i < j->branches.len; i++) {
      JoinBranch *branch = j->branches.at[i];
      Builder *b = branch_builder(j, branch);
      SparseRow triple = {.guard = atom_bool(false), .index = atom_i64(0)};
      if (s < branch->adj[k].triples.len) triple = branch->adj[k].triples.at[s];
      else triple.value = build_zero(b, row);
      add_result(j, branch, triple.guard);
      add_result(j, branch, triple.index);
      add_result(j, branch, build_copy(b, triple.value));
    }
    join_type(j, type_scalar(PRIM_BOOL));
    join_type(j, type_scalar(PRIM_I64));
    join_type(j, row);
  }
}

typedef enum { JOIN_NONE, JOIN_DENSE, JOIN_SPARSE, JOIN_ACC } JoinKind;

static JoinKind join_kind(Join *j, int k, int *entries) {
  Adj before = adj_get(j->v, j->wanted.at[k]);
  bool same = true, triples = true, acc = before.kind == ADJ_ACC;
  *entries = 0;
  for (int i = 0; i < j->branches.len; i++) {
    Adj adj = j->branches.at[i]->adj[k];
    same = same && adj_same(before, adj);
    triples = triples && (adj.kind == ADJ_ZERO || adj.kind == ADJ_SPARSE);
    if (triples && adj.triples.len > *entries) *entries = adj.triples.len;
  }
  if (same) return JOIN_NONE;
  if (acc) return JOIN_ACC;
  return triples ? JOIN_SPARSE : JOIN_DENSE;
}

static void join_acc(Join *j, int k) {
  for (int i = 0; i < j->branches.len; i++)
    add_result(j, j->branches.at[i], j->branches.at[i]->adj[k].value);
  join_type(j, atom_type(j->v->w.to.prog, j->branches.at[0]->adj[k].value));
}

// The joined adjoint of wanted variable k, reading results from out[*at] on.
static void join_read(Join *j, int k, JoinKind kind, int entries, Vars out, int *at) {
  Vjp *v = j->v;
  Adj adj = {.kind = ADJ_SPARSE};
  if (kind == JOIN_DENSE) adj = adj_val(atom_var(out.at[(*at)++]), true);
  if (kind == JOIN_ACC) adj = (Adj){.kind = ADJ_ACC, .value = atom_var(out.at[(*at)++])};
  for (int s = 0; kind == JOIN_SPARSE && s < entries; s++, *at += 3) {
    bool unchecked = true;
    for (int i = 0; i < j->branches.len; i++) {
      SparseRows triples = j->branches.at[i]->adj[k].triples;
      if (s < triples.len) unchecked = unchecked && triples.at[s].unchecked;
    }
    list_push(vjp_arena(v), &adj.triples,
              (SparseRow){.guard = atom_var(out.at[*at]), .index = atom_var(out.at[*at + 1]),
                     .value = atom_var(out.at[*at + 2]), .unchecked = unchecked});
  }
  adj_set(v, j->wanted.at[k], adj);
}

static bool any_of(const VarSet *set, Vars vars) {
  for (int i = 0; i < vars.len; i++)
    if (varset_has(set, vars.at[i])) return true;
  return false;
}

// No two results may have the same memory of outside, whichever branch is taken: the later copies.
static void join_separate(Join *j) {
  Arena *arena = vjp_arena(j->v);
  VarSet taken = varset_new(arena);
  int n = j->branches.len, arrays = 0;
  for (int k = 0; k < j->types.len; k++)
    arrays += j->types.at[k].rank > 0 && !j->types.at[k].is_acc;
  if (arrays < 2) return;
  Vars **shares = NEW_ARRAY(arena, Vars *, n + 1);
  for (int i = 0; i < n; i++)
    shares[i] = body_shares(j->v->w.to.prog, arena, &j->branches.at[i]->body);
  for (int k = 0; k < j->types.len; k++) {
    if (j->types.at[k].rank == 0 || j->types.at[k].is_acc) continue;
    for (int i = 0; i < n; i++) {
      if (!any_of(&taken, shares[i][k])) continue;
      Atom *result = &j->branches.at[i]->body.results.at[k];
      *result = build_copy(branch_builder(j, j->branches.at[i]), *result);
      shares[i][k] = (Vars){0};
    }
    for (int i = 0; i < n; i++)
      for (int r = 0; r < shares[i][k].len; r++) varset_add(&taken, shares[i][k].at[r]);
  }
}

void join_end(Join *j, Atoms args, const Cases *pats) {
  Arena *arena = vjp_arena(j->v);
  JoinKind *kinds = NEW_ARRAY(arena, JoinKind, j->wanted.len + 1);
  int *entries = NEW_ARRAY(arena, int, j->wanted.len + 1), at = 0;
  for (int k = 0; k < j->wanted.len; k++) {
    kinds[k] = join_kind(j, k, &entries[k]);
    if (kinds[k] == JOIN_DENSE) join_dense(j, k);
    if (kinds[k] == JOIN_SPARSE) join_triples(j, k, entries[k]);
    if (kinds[k] == JOIN_ACC) join_acc(j, k);
  }
  join_separate(j);
  j->v->w.to = j->outer;
  if (j->types.len == 0) return;
  Exp exp = {.form = FORM_MATCH, .match = {.args = args}};
  for (int i = 0; i < j->branches.len; i++) {
    Case c = {.body = j->branches.at[i]->body};
    for (int p = 0; p < pats->at[i].pats.len; p++)
      list_push(arena, &c.pats, pats->at[i].pats.at[p]);
    list_push(arena, &exp.match.cases, c);
  }
  Vars out = build_many(vjp_builder(j->v), "adj", j->types, exp);
  for (int k = 0; k < j->wanted.len; k++)
    if (kinds[k] != JOIN_NONE) join_read(j, k, kinds[k], entries[k], out, &at);
}

static Vars match_wanted(Vjp *v, const Stm *stm, const Adj *seeds) {
  const struct match_form *e = &stm->exp.match;
  VarSet useful = varset_new(vjp_arena(v));
  useful.reached = v->reached;
  for (int i = 0; i < e->cases.len; i++) {
    const Body *body = &e->cases.at[i].body;
    for (int k = 0; k < stm->bound.len; k++)
      if (seeds[k].kind != ADJ_ZERO || acc_is_seeded(v, var_type(v->w.from, stm->bound.at[k])))
        useful_atom(&v->varied, &useful, body->results.at[k]);
    useful_body(v->w.from, &v->varied, &useful, body);
  }
  Vars vars = free_vars_of_exp(v->tbr.free_vars, &stm->exp), out = {0};
  for (int i = 0; i < vars.len; i++)
    if (varset_has(&useful, vars.at[i]) && !var_type(v->w.from, vars.at[i]).is_acc)
      list_push(vjp_arena(v), &out, vars.at[i]);
  return view_roots(v, out);
}

//   match c { .. -> body_j }    match c { .. -> revBody(body_j) seeded by the adjoints of results }
void vjp_match(Vjp *v, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  Adj *seeds = NEW_ARRAY(vjp_arena(v), Adj, stm->bound.len + 1);
  for (int k = 0; k < stm->bound.len; k++) seeds[k] = adj_get(v, stm->bound.at[k]);
  Join j = join_begin(v, match_wanted(v, stm, seeds));
  for (int i = 0; i < e->cases.len; i++) {
    join_enter(&j);
    vjp_body(v, &e->cases.at[i].body, seeds);
    join_leave(&j);
  }
  join_end(&j, rewrite_atoms(&v->w, e->args), &e->cases);
}
