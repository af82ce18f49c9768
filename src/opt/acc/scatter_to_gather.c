// An accumulator whose updates stand in one nest of maps and branches, at indices that can be
// solved for the iterations (solve_index.c), is an array of sums: the updates are taken out of what
// else the maps do and solved for the cells, so that every cell computes its own sum.
//
//   map i { .. map j { .. map k { A[i,k] += x[k,j] * g[i,j]; .. } } }
//
// becomes     A = map i (map k (sum_j x[k,j] * g[i,j]))     and the maps without that update.
// The values may depend on scalar code and reads of arrays from outside, which are computed again.
#include "acc.h"

#include <string.h>

enum { ROWS = 4 };  // updates split, each in its own nest

typedef struct {
  Nest nest;
  Var token;
  Stm *top;        // the outermost map
  int places;
  UpdateSite place[PLACES];
  UpdateSite here;      // where the walk is
  int user;        // while judging: the update whose value it is, counted from 1
} Gather;

// ---- following the accumulator inwards --------------------------------------------------------
static bool is_token(const Gather *g, Type t) { return t.is_acc && t.token.id == g->token.id; }

static int token_at(const Gather *g, const Vars *bound) {
  for (int i = 0; i < bound->len; i++)
    if (is_token(g, var_type(g->nest.a->prog, bound->at[i]))) return i;
  return -1;
}

static bool gather_body(Gather *g, Body *body);

static bool gather_map(Gather *g, Stm *stm) {
  Nest *n = &g->nest;
  struct map_form *m = &stm->exp.map;
  if (n->dims + RANK >= DIMS || stm->attrs.sequential) return false;
  if (n->dims == 0) {
    g->top = stm;
    acc_mark_inner(n->a, m->fn);
  } else if (acc_is_inner(n->a, m->width)) return false;
  int dim = nest_dim(n, m->width);
  for (int i = 0; i < m->inputs.len; i++)
    if (!atom_type(n->a->prog, m->inputs.at[i]).is_acc)
      nest_param(n, m->fn->params.at[i], m->inputs.at[i], dim);
  g->here.dim[g->here.dims++] = dim;
  bool ok = gather_body(g, &m->fn->body);
  g->here.dims--;
  return ok;
}

static bool gather_match(Gather *g, Stm *stm) {
  struct match_form *m = &stm->exp.match;
  bool updates = token_at(g, &stm->bound) >= 0, ok = true;
  bool plain = match_is_if(g->nest.a->prog, m);
  if (g->here.dims == 0 || (updates && (!plain || g->here.guards == GUARDS))) return !updates;
  for (int i = 0; i < m->cases.len; i++) {
    if (updates) {
      bool first = scalar_same(m->cases.at[0].pats.at[0].lit, scalar_bool(true));
      g->here.guard[g->here.guards++] = (Guard){m->args.at[0], (i == 0) == first};
    }
    ok = gather_body(g, &m->cases.at[i].body) && ok;
    if (updates) g->here.guards--;
  }
  for (int k = 0; k < stm->bound.len; k++)
    if (type_is_scalar(var_type(g->nest.a->prog, stm->bound.at[k])))
      access_new(&g->nest, stm->bound.at[k],
                 (Access){.kind = IS_COMPUTED, .stm = stm, .result = k});
  return ok;
}

// A value that is 0 in one of two branches is an update in the other.
static void take_branches(const Nest *n, UpdateSite *p) {
  const Access *name = access_of(n, p->value);
  Atom cond, yes, no;
  while (name && p->guards < GUARDS && access_is_if(n, name, &cond, &yes, &no)) {
    if (!atom_is(yes, 0) && !atom_is(no, 0)) return;
    bool want = !atom_is(yes, 0);
    p->guard[p->guards++] = (Guard){cond, want};
    p->value = want ? yes : no;
    name = access_of(n, p->value);
  }
}

static bool gather_update(Gather *g, Stm *stm) {
  if (g->places == PLACES || g->here.dims == 0) return false;
  UpdateSite *p = &g->place[g->places++];
  *p = g->here;
  p->branches = p->guards;
  p->update = &stm->exp.updateacc;
  p->value = p->update->value;
  take_branches(&g->nest, p);
  return true;
}

static unsigned here_bits(const Gather *g) {
  unsigned bits = 0;
  for (int i = 0; i < g->here.dims; i++) bits |= 1u << g->here.dim[i];
  return bits;
}

static bool gather_stm(Gather *g, Stm *stm) {
  Nest *n = &g->nest;
  bool updates = token_at(g, &stm->bound) >= 0;
  switch ((int)stm->exp.form) {
  case FORM_INDEX:
    if (g->here.dims) nest_read(n, stm);
    break;
  case FORM_REARRANGE:
    if (g->here.dims) nest_permute(n, stm);
    break;
  case FORM_PRIM: case FORM_CONV:
    if (!g->here.dims) break;
    access_new(n, stm->bound.at[0], (Access){.kind = IS_COMPUTED, .stm = stm});
    if (stm->exp.form == FORM_PRIM) acc_define(n->a, stm->bound.at[0], stm->exp);
    break;
  case FORM_MATCH: return gather_match(g, stm);
  case FORM_UPDATEACC: return !updates || gather_update(g, stm);
  case FORM_MAP: return !updates || gather_map(g, stm);
  case FORM_WITHACC:
    return !updates || (g->here.dims > 0 && gather_body(g, &stm->exp.withacc.fn->body));
  case FORM_ATOM: return true;
  }
  return !updates;
}

static bool gather_body(Gather *g, Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    if (g->here.dims == 0 && g->top && token_at(g, &stm->bound) >= 0) return false;
    if (!gather_stm(g, stm)) return false;
    for (int k = 0; g->here.dims && k < stm->bound.len; k++) {
      Access *name = access_of(&g->nest, atom_var(stm->bound.at[k]));
      if (name) name->under = here_bits(g);
    }
  }
  return true;
}

// ---- judging ----------------------------------------------------------------------------------
static bool is_known(Gather *g, Atom x);

static bool are_known(Gather *g, const Atoms *xs) {
  for (int i = 0; i < xs->len; i++)
    if (!is_known(g, xs->at[i])) return false;
  return true;
}

// Costly values may be recomputed where nothing else computes them: for one update, in all of
// its iterations.
static bool is_only_here(Gather *g, Access *name) {
  unsigned all = 0;
  const UpdateSite *p = &g->place[g->user - 1];
  for (int i = 0; i < p->dims; i++) all |= 1u << p->dim[i];
  if (g->top->bound.len > 1 || name->under != all) return false;
  if (name->user && name->user != g->user) return false;
  name->user = g->user;
  return true;
}

// Whether x can be computed outside the maps; counts the statements that takes.
static bool is_known(Gather *g, Atom x) {
  Nest *n = &g->nest;
  Access *name = access_of(n, x);
  if (!name) return !acc_is_inner(n->a, x);
  if (name->kind == IS_READ) return !acc_is_inner(n->a, name->base) && are_known(g, &name->at);
  if (name->kind != IS_COMPUTED) return true;
  if (++n->stms > 2 * CORE) return false;
  Exp exp = name->stm->exp;
  if (exp.form == FORM_MATCH) {
    for (int i = 0; i < exp.match.cases.len; i++)
      if (!is_known(g, exp.match.cases.at[i].body.results.at[name->result])) return false;
    return are_known(g, &exp.match.args);
  }
  if (!exp_is_cheap(&exp) && !is_only_here(g, name)) return false;
  AtomRefs refs = exp_atom_refs(n->a->scratch, &exp);
  for (int i = 0; i < refs.len; i++)
    if (!is_known(g, *refs.at[i])) return false;
  return true;
}

static bool place_is_known(Gather *g, int i) {
  const UpdateSite *p = &g->place[i];
  g->user = i + 1;
  g->nest.stms = 0;
  if (!type_is_scalar(atom_type(g->nest.a->prog, p->update->value))) return false;
  for (int k = 0; k < p->guards; k++)
    if (!is_known(g, p->guard[k].cond)) return false;
  return is_known(g, p->value);
}

static int count_solved(const AccPart *p, int rank) {
  int count = 0;
  for (int k = 0; k < rank; k++) count += p->solved[k] >= 0;
  return count;
}

static bool has_all_solved(const AccPart *p, int rank) { return count_solved(p, rank) == rank; }

static bool is_solved(const AccPart *p, int rank, int dim) {
  for (int k = 0; k < rank; k++)
    if (p->solved[k] == dim) return true;
  return false;
}

// A sum over the outermost dimension reads in order as it is; transposed, it would walk the
// columns of an array that has that dimension in front (the product of a transposed 2000 x 2000
// matrix and a vector took
// 1.9 times as long, of two matrices of 700 columns 1.3 times).  Not so where another dimension is
// summed over inside, in order, or where maps around read the same again and again, or for one
// cell. Few cells whose reads are in order either way, as the weights of a convolution, would be
// few chains of additions, each waiting for the last (eight times as long for nine weights). A
// convolution in steps (x[2 i + j], solved for j) has sums so short that finding their ends costs
// more than they do (1.9 times for nine weights in steps of two); one with a dilated kernel (x[i +
// 2 j], solved for i) has whole ones between the edges.  Neither has one of several channels: a sum
// over channels of such ranges took up to 300 times as long as rows added one after the other.
static bool reads_along(const Nest *n, const AccPart *p, int rank) {
  Atom value = p->place->update->value;
  return nest_reads_score(n, value, p->solved[rank - 1]) >= 3 &&
         nest_reads_score(n, value, p->place->dim[0]) >= 0;
}

// Where dimension d stands among the maps.
static int depth_of(const UpdateSite *p, int d) {
  for (int i = 0; i < p->dims; i++)
    if (p->dim[i] == d) return i;
  return -1;
}

// Index k goes in steps of more than one of a dimension around the one solved for.
static bool is_stepped(const Nest *n, const AccPart *p, int k) {
  int solved = depth_of(p->place, p->solved[k]);
  for (int i = 0; i < solved; i++) {
    int64_t c = affine_coef(&p->index[k], n->dim[p->place->dim[i]]);
    if (c > 1 || c < -1) return true;
  }
  return false;
}

// How many dimensions are summed over that no index is made of, and that one is.
static void count_sums(const Nest *n, const AccPart *p, int rank, int *plain, int *mixed) {
  for (int i = 0; i < p->place->dims; i++) {
    int d = p->place->dim[i];
    bool solved = false, mentioned = false;
    for (int k = 0; k < rank; k++) {
      solved = solved || p->solved[k] == d;
      mentioned = mentioned || affine_mentions(&p->index[k], n, d);
    }
    *plain += !solved && !mentioned;
    *mixed += !solved && mentioned;
  }
}

static bool is_good(const Nest *n, const AccPart *p, int rank) {
  for (int k = 0; k < rank; k++)
    if (is_stepped(n, p, k)) return false;
  int plain = 0, mixed = 0;
  count_sums(n, p, rank, &plain, &mixed);
  if (plain > 0 && mixed > 0) return false;
  if (!has_all_solved(p, rank) || is_solved(p, rank, p->place->dim[0])) return true;
  int last = p->place->dims - 1;
  while (is_solved(p, rank, p->place->dim[last])) last--;
  bool in_order = nest_reads_score(n, p->place->update->value, p->place->dim[last]) >= 0;
  Atom value = p->place->update->value;
  if (last > 0)
    return in_order && (rank < 2 || nest_reads_score(n, value, p->solved[rank - 1]) >= 0);
  return rank < 2 && (in_order ? !reads_along(n, p, rank) : n->a->depth > 0);
}

// AS_ROW: before maps inside are looked at, which would become sums.
typedef enum { GATHER_NONE, GATHER_CELLS, GATHER_ROWS, GATHER_ROW } GatherForm;

// One place in all iterations: with those that stand beside it a private sum, in one pass over the
// iterations, where an array of sums would be a pass for each place.
static bool is_one_place(const AccPart *p, int rank) {
  return count_solved(p, rank) == 0 && p->place->branches == 0;
}

static GatherForm decide(Gather *g, const Type *array, bool fresh, AccParts *parts) {
  Nest *n = &g->nest;
  bool good = true, full = fresh, places = !n->a->to_read;
  for (int i = 0; i < g->places; i++)
    if (!place_is_known(g, i) || !parts_of(n, &g->place[i], parts)) return GATHER_NONE;
  for (int i = 0; i < parts->len; i++) {
    AccPart *p = &parts->at[i];
    part_enter(n, p);
    bool solved = part_solve(n, p, array, fresh);
    good = good && solved && (n->a->to_read || is_good(n, p, array->rank));
    part_leave(n, p);
    if (!solved) return GATHER_NONE;
    full = full || has_all_solved(p, array->rank);
    places = places && is_one_place(p, array->rank);
  }
  if (places) return GATHER_NONE;
  if (good && full && parts->len > 0) return GATHER_CELLS;
  bool rows = parts->len <= ROWS, sums = false;
  for (int i = 0; rows && i < parts->len; i++) {
    AccPart *p = &parts->at[i];
    // Other indices may be the same for all, as in B[k,j] for one k.
    rows = !p->splits && p->solved[array->rank - 1] >= 0 && rows_fit(n, p, array);
    sums = sums || p->place->dims > count_solved(p, array->rank);
  }
  bool row =
      rows && sums && parts->len == 1 && array->rank == 1 && reads_along(n, &parts->at[0], 1);
  return row ? GATHER_ROW : rows && sums ? GATHER_ROWS : GATHER_NONE;
}

// ---- the maps without the updates -------------------------------------------------------------
static void drop_token(const Gather *g, Body *body);

static void drop_results(const Gather *g, Stm *stm, Lambda *fn) {
  for (int k = stm->bound.len - 1; k >= 0; k--) {
    if (!is_token(g, var_type(g->nest.a->prog, stm->bound.at[k]))) continue;
    lambda_drop_result(fn, k);
    vars_drop(&stm->bound, k);
  }
  drop_token(g, &fn->body);
}

static void drop_inputs(const Gather *g, struct map_form *m) {
  for (int k = m->inputs.len - 1; k >= 0; k--) {
    if (!is_token(g, atom_type(g->nest.a->prog, m->inputs.at[k]))) continue;
    lambda_drop_param(m->fn, k);
    atoms_drop(&m->inputs, k);
  }
}

static void drop_cases(const Gather *g, Stm *stm) {
  int k = token_at(g, &stm->bound);
  vars_drop(&stm->bound, k);
  for (int i = 0; i < stm->exp.match.cases.len; i++) {
    Body *body = &stm->exp.match.cases.at[i].body;
    atoms_drop(&body->results, k);
    drop_token(g, body);
  }
}

static void drop_token(const Gather *g, Body *body) {
  Stms kept = {0};
  for (int i = 0; i < body->stms.len; i++) {
    Stm stm = body->stms.at[i];
    if (stm.bound.len > 0 && token_at(g, &stm.bound) >= 0) {
      if (stm.exp.form == FORM_MAP) {
        drop_inputs(g, &stm.exp.map);
        drop_results(g, &stm, stm.exp.map.fn);
      } else if (stm.exp.form == FORM_WITHACC) drop_results(g, &stm, stm.exp.withacc.fn);
      else if (stm.exp.form == FORM_MATCH) drop_cases(g, &stm);
      else continue;
      if (stm.bound.len == 0) continue;
    }
    list_push(g->nest.a->arena, &kept, stm);
  }
  body->stms = kept;
}

// Replaces the outermost map by what the new nest takes, and then the map without the updates.
static void splice(Gather *g, Body *body, const Stms *before) {
  Arena *arena = g->nest.a->arena;
  Stms out = {0};
  int top = (int)(g->top - body->stms.at);
  drop_token(g, body);
  for (int i = 0; i < top; i++) list_push(arena, &out, body->stms.at[i]);
  for (int i = 0; i < before->len; i++) list_push(arena, &out, before->at[i]);
  for (int i = top; i < body->stms.len; i++) list_push(arena, &out, body->stms.at[i]);
  body->stms = out;
}

static bool has_splits(const AccParts *parts) {
  for (int i = 0; i < parts->len; i++)
    if (parts->at[i].splits) return true;
  return false;
}

bool acc_gather(Acc *a, const Stm *stm, int k, bool rows, Atom *contrib) {
  const struct withacc_form *w = &stm->exp.withacc;
  Var p = w->fn->params.at[k];
  Type array = var_type(a->prog, p);
  Body *body = &w->fn->body;
  Gather *g = NEW(a->scratch, Gather);
  g->token = array.token;
  g->nest = (Nest){.a = a, .names = map_new(a->scratch)};
  acc_names_forget(a);
  if (array.rank > RANK || !gather_body(g, body) || !g->top) return false;
  if (!atom_is_var(body->results.at[k], g->top->bound.at[token_at(g, &g->top->bound)]))
    return false;
  bool fresh = w->arrays.at[k].is_var && map_get(a->zeros, w->arrays.at[k].var.id);
  AccParts *parts = NEW(a->scratch, AccParts);
  Stms before = {0};
  Builder b = builder_new(a->prog, &before);
  b.loc = g->top->loc;
  g->nest.to[0] = &b;
  GatherForm way = decide(g, &array, fresh, parts);
  if (way == GATHER_NONE || (way == GATHER_ROWS && !rows)) return false;
  if (has_splits(parts) && !prog_may(a->prog, SWITCH_ACC_QUOTIENTS)) return false;
  if (!prog_may(a->prog, SWITCH_ACC_GATHER)) return false;
  *contrib = (Atom){0};
  if (way == GATHER_CELLS) {
    *contrib = cells_make(&g->nest, &b, parts, &array);
  } else {
    Atom now = atom_var(p);
    for (int i = 0; i < parts->len; i++) now = rows_make(&g->nest, &b, &parts->at[i], &array, now);
    body->results.at[k] = now;
  }
  splice(g, body, &before);
  return true;
}
