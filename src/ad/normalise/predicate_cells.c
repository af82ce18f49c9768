// Branches that update cells of an outer array where some valid index is known:
//
//   z = match c { .. -> (x with [i] <- v) with [j] <- w ; .. -> x }
//     ==>
//   (v', i', w', j') = match c { .. -> (v, i, w, j) ; .. -> (x[k], k, x[l], l) }
//   z = (x with [i'] <- v') with [j'] <- w'
//
// Where i is known outside the branch, and in range whether or not it is taken, i' = k = i; else k
// is 0, for an x that is known to have elements (index_ranges.c).  So the update stands in the
// scope that owns x and undoes itself as others do: an unconditional one.  No branch reads a
// version it made itself.
#include "ad/common/local.h"

enum { MOST_UPDATES = 4 };

typedef struct {
  const Stm *at[MOST_UPDATES];  // the first comes first
  int len;
  Atom array;                   // that the first updates
} Updates;

// One array that the match updates.
typedef struct {
  Updates *cases;
  Atom array;
  int result, slots;  // slots: updates afterwards, the number of the case with most
  int rank;
  Atom index[MOST_UPDATES][16];  // of all cases; none: a result of the match
  Atom other[MOST_UPDATES][16];  // where a case has no update
} Cells;

typedef struct {
  Prog *prog;
  const Ranges *ranges;
  const Stm *stm;
  LIST(Body) bodies;  // of its cases, in which branches have become updates where they can
  LIST(Cells *) found;
} Branch;

static bool mentions_var(const Prog *prog, const Stm *stm, Atom x) {
  Vars vars = exp_free(prog, prog->arena, &stm->exp);
  for (int i = 0; i < vars.len; i++)
    if (atom_is_var(x, vars.at[i])) return true;
  return false;
}

static bool consumes_var(const Prog *prog, const Stm *stm, Atom x) {
  Atoms atoms = exp_consumes(prog, prog->arena, &stm->exp);
  for (int i = 0; i < atoms.len; i++)
    if (atom_same(atoms.at[i], x)) return true;
  return false;
}

static bool binds_var(const Stm *stm, Atom x) {
  for (int k = 0; k < stm->bound.len; k++)
    if (atom_is_var(x, stm->bound.at[k])) return true;
  return false;
}

static const Stm *binding(const Body *body, Atom y) {
  for (int i = 0; i < body->stms.len; i++)
    if (binds_var(&body->stms.at[i], y)) return &body->stms.at[i];
  return NULL;
}

static bool updates_a_cell(const Prog *prog, const Stm *stm) {
  const struct update_form *u = &stm->exp.update;
  if (stm->exp.form != FORM_UPDATE || !u->array.is_var) return false;
  for (int d = 0; d < u->slice.len; d++)
    if (!u->slice.at[d].is_fix) return false;
  return u->slice.len == var_type(prog, u->array.var).rank && u->slice.len <= 16;
}

static bool is_in_chain(const Updates *u, const Stm *stm) {
  for (int s = 0; s < u->len; s++)
    if (u->at[s] == stm) return true;
  return false;
}

// Nothing else is done to the versions, or with those made here.
static bool chain_is_alone(const Prog *prog, const Body *body, int j, const Updates *u) {
  for (int k = 0; k < body->results.len; k++) {
    if (k == j) continue;
    if (atom_same(body->results.at[k], u->array)) return false;
    for (int s = 0; s < u->len; s++)
      if (atom_is_var(body->results.at[k], u->at[s]->bound.at[0])) return false;
  }
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (is_in_chain(u, stm)) continue;
    if (consumes_var(prog, stm, u->array)) return false;
    for (int s = 0; s < u->len; s++)
      if (mentions_var(prog, stm, atom_var(u->at[s]->bound.at[0]))) return false;
  }
  return true;
}

// The updates that make result j of a case of an array from outside.
static bool chain_find_updates(const Prog *prog, const Body *body, int j, Updates *u) {
  const Stm *found[MOST_UPDATES], *stm;
  Atom y = body->results.at[j];
  int n = 0;
  for (; (stm = binding(body, y)) != NULL; y = stm->exp.update.array) {
    if (!updates_a_cell(prog, stm) || n == MOST_UPDATES) return false;
    found[n++] = stm;
  }
  *u = (Updates){.len = n, .array = y};
  for (int s = 0; s < n; s++) u->at[s] = found[n - 1 - s];
  return y.is_var && chain_is_alone(prog, body, j, u);
}

// The update of a case that becomes number s; the first ones are missing where there are fewer.
static const Stm *update_at(const Cells *c, int i, int s) {
  const Updates *u = &c->cases[i];
  int at = s - (c->slots - u->len);
  return at < 0 ? NULL : u->at[at];
}

static bool bound_inside(const Branch *b, Atom a) {
  for (int i = 0; i < b->bodies.len; i++)
    if (binding(&b->bodies.at[i], a)) return true;
  return false;
}

// The replacement of index d of update s; false where no value is known to be in range.
static bool choose_index(const Branch *b, Cells *c, int s, int d) {
  Atom same = atom_none();
  bool all_same = true, missing = false;
  for (int i = 0; i < b->bodies.len; i++) {
    const Stm *update = update_at(c, i, s);
    missing = missing || !update;
    if (!update) continue;
    Atom at = update->exp.update.slice.at[d].start;
    all_same = all_same && (atom_absent(same) || atom_same(same, at));
    same = at;
  }
  all_same = all_same && !bound_inside(b, same);
  Atom size = var_type(b->prog, c->array.var).dims[d];
  IndexRange known = missing ? range_at(b->ranges, b->stm, same, size) : RANGE_INDEX;
  if (known == RANGE_UNKNOWN) return false;
  all_same = all_same && known == RANGE_INDEX;
  c->index[s][d] = all_same ? same : atom_none();
  c->other[s][d] = all_same ? same : atom_i64(0);
  return true;
}

static bool cells_find(const Branch *b, Cells *c) {
  for (int i = 0; i < b->bodies.len; i++) {
    Updates *u = &c->cases[i];
    if (!chain_find_updates(b->prog, &b->bodies.at[i], c->result, u)) return false;
    if (i > 0 && !atom_same(u->array, c->array)) return false;
    c->array = u->array;
    if (u->len > c->slots) c->slots = u->len;
  }
  if (c->slots == 0) return false;
  c->rank = var_type(b->prog, c->array.var).rank;
  for (int s = 0; s < c->slots; s++)
    for (int d = 0; d < c->rank; d++)
      if (!choose_index(b, c, s, d)) return false;
  return true;
}

static bool is_found(const Branch *b, int k) {
  for (int i = 0; i < b->found.len; i++)
    if (b->found.at[i]->result == k) return true;
  return false;
}

// ---- the branch without the updates
// Tested: the read that tells the index is in range may be dropped, and its test with it.
static Atom cell_read(Builder *b, const Cells *c, int s) {
  Slice slice = slice_fixed(b->prog->arena, atoms_of(b->prog->arena, c->rank, c->other[s]));
  Exp read = {.form = FORM_INDEX, .index = {.array = c->array, .slice = slice}};
  return build_exp1(b, NULL, read);
}

// Value and indices of update s, in case i.
static void cell_results(Builder *b, const Cells *c, int i, int s, Atoms *results) {
  const Stm *update = update_at(c, i, s);
  list_push(b->prog->arena, results,
            update ? update->exp.update.value : cell_read(b, c, s));
  for (int d = 0; d < c->rank; d++)
    if (atom_absent(c->index[s][d]))
      list_push(b->prog->arena, results,
                update ? update->exp.update.slice.at[d].start : c->other[s][d]);
}

static bool is_update(const Branch *b, int i, const Stm *stm) {
  for (int k = 0; k < b->found.len; k++)
    if (is_in_chain(&b->found.at[k]->cases[i], stm)) return true;
  return false;
}

static Body case_without(const Branch *b, int i) {
  const Body *body = &b->bodies.at[i];
  Arena *arena = b->prog->arena;
  Body out = {0};
  Builder to = builder_new(b->prog, &out.stms);
  to.loc = b->stm->loc;
  for (int k = 0; k < body->stms.len; k++)
    if (!is_update(b, i, &body->stms.at[k])) list_push(arena, &out.stms, body->stms.at[k]);
  for (int k = 0; k < body->results.len; k++)
    if (!is_found(b, k)) list_push(arena, &out.results, body->results.at[k]);
  for (int k = 0; k < b->found.len; k++)
    for (int s = 0; s < b->found.at[k]->slots; s++)
      cell_results(&to, b->found.at[k], i, s, &out.results);
  return out;
}

static Stm branch_without(const Branch *b) {
  Stm out = *b->stm;
  out.bound = (Vars){0};
  out.exp.match.cases = (Cases){0};
  for (int i = 0; i < b->bodies.len; i++) {
    Case one = b->stm->exp.match.cases.at[i];
    one.body = case_without(b, i);
    list_push(b->prog->arena, &out.exp.match.cases, one);
  }
  for (int k = 0; k < b->stm->bound.len; k++)
    if (!is_found(b, k)) list_push(b->prog->arena, &out.bound, b->stm->bound.at[k]);
  return out;
}

// ---- the updates
static bool is_unchecked(const Branch *b, const Cells *c, int s) {
  for (int i = 0; i < b->bodies.len; i++) {
    const Stm *update = update_at(c, i, s);
    if (!update || !update->attrs.unchecked) return false;
  }
  return true;
}

static Var result_new(const Branch *b, Stm *branch, const char *hint, Prim p) {
  Var v = var_new(b->prog, hint, type_scalar(p));
  list_push(b->prog->arena, &branch->bound, v);
  return v;
}

// Update s of x; what is not known outside is a result of the branch.
static Stm cell_update(const Branch *b, Stm *branch, const Cells *c, int s, Atom x) {
  Arena *arena = b->prog->arena;
  Type t = type_fresh(var_type(b->prog, c->array.var));
  Var value = result_new(b, branch, "value", t.prim);
  Slice slice = {0};
  for (int d = 0; d < c->rank; d++) {
    Atom at = c->index[s][d];
    if (atom_absent(at)) at = atom_var(result_new(b, branch, "at", PRIM_I64));
    list_push(arena, &slice, (SliceDim){.is_fix = true, .start = at});
  }
  Stm update = {.loc = b->stm->loc, .attrs.unchecked = is_unchecked(b, c, s)};
  bool last = s + 1 == c->slots;
  list_push(arena, &update.bound,
            last ? b->stm->bound.at[c->result]
                 : var_new(b->prog, var_info(b->prog, c->array.var)->base, t));
  update.exp = (Exp){.form = FORM_UPDATE,
                     .update = {.array = x, .slice = slice, .value = atom_var(value)}};
  return update;
}

static void cells_emit(const Branch *b, Stms *out) {
  Arena *arena = b->prog->arena;
  Stm branch = branch_without(b);
  Stms updates = {0};
  for (int k = 0; k < b->found.len; k++) {
    Atom x = b->found.at[k]->array;
    for (int s = 0; s < b->found.at[k]->slots; s++) {
      list_push(arena, &updates, cell_update(b, &branch, b->found.at[k], s, x));
      x = atom_var(updates.at[updates.len - 1].bound.at[0]);
    }
  }
  list_push(arena, out, branch);
  for (int s = 0; s < updates.len; s++) list_push(arena, out, updates.at[s]);
}

// ---- the match
static bool gives_arrays(const Prog *prog, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (var_type(prog, stm->bound.at[k]).rank > 0) return true;
  return false;
}

// Branches in branches first.
static Body cases_inside(Prog *prog, const Ranges *ranges, const Body *body, Atoms *arrays) {
  Body out = {.results = body->results};
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->exp.form == FORM_MATCH && match_to_cells(prog, ranges, stm, &out.stms, arrays))
      continue;
    list_push(prog->arena, &out.stms, *stm);
  }
  return out;
}

bool match_to_cells(Prog *prog, const Ranges *ranges, const Stm *stm, Stms *out, Atoms *arrays) {
  const struct match_form *e = &stm->exp.match;
  if (!gives_arrays(prog, stm)) return false;
  Branch b = {.prog = prog, .ranges = ranges, .stm = stm};
  Atoms inner = {0};
  for (int i = 0; i < e->cases.len; i++)
    list_push(prog->arena, &b.bodies, cases_inside(prog, ranges, &e->cases.at[i].body, &inner));
  for (int k = 0; k < stm->bound.len; k++) {
    if (var_type(prog, stm->bound.at[k]).rank == 0) continue;
    Cells *c = NEW(prog->arena, Cells);
    c->result = k;
    c->cases = NEW_ARRAY(prog->arena, Updates, e->cases.len + 1);
    if (!cells_find(&b, c)) continue;
    list_push(prog->arena, &b.found, c);
    list_push(prog->arena, arrays, c->array);
  }
  if (b.found.len) cells_emit(&b, out);
  return b.found.len > 0;
}
