// An accumulator whose only update stands in a nest of maps, at indices of that nest, is an array
// of sums: the update's nest is taken out of what else the maps do and turned inside out.
//
//   map i { .. map j { .. map k { A[i,k] += x[k,j] * g[i,j]; .. } } }
//
// becomes     A = map i (map k (sum_j x[k,j] * g[i,j]))     and the maps without that update.
// Every dimension of A is a dimension of the nest, as long as A is there; the others are summed
// over.
// The value may depend on scalar code and reads of arrays from outside, which are computed again.
#include "acc.h"

#include <string.h>

typedef struct {
  Nest nest;
  Var token;
  Atom acc;    // the accumulator's name where the walk is
  Stm *top;    // the outermost map
  const Operator *op;
} Gather;

// ---- following the accumulator inwards --------------------------------------------------------
static bool is_token(const Gather *g, Type t) { return t.is_acc && t.token.id == g->token.id; }

static int token_at(const Gather *g, const Vars *bound) {
  for (int i = 0; i < bound->len; i++)
    if (is_token(g, var_type(g->nest.a->prog, bound->at[i]))) return i;
  return -1;
}

static int input_of(const Atoms *inputs, Atom acc) {
  for (int i = 0; i < inputs->len; i++)
    if (atom_same(inputs->at[i], acc)) return i;
  return -1;
}

static bool mentions(const Gather *g, const Stm *stm) {
  Acc *a = g->nest.a;
  Exp exp = stm->exp;
  Vars free = exp_free(a->prog, a->scratch, &exp);
  for (int i = 0; i < free.len; i++)
    if (atom_is_var(g->acc, free.at[i])) return true;
  return false;
}

static bool gather_body(Gather *g, Body *body);

static bool gather_map(Gather *g, Stm *stm) {
  Nest *n = &g->nest;
  struct map_form *m = &stm->exp.map;
  int at = input_of(&m->inputs, g->acc);
  if (n->dims == DIMS || at < 0) return false;
  if (n->dims == 0) {
    g->top = stm;
    acc_mark_inner(n->a, m->fn);
  } else if (acc_is_inner(n->a, m->width)) return false;
  int dim = n->dims++;
  n->width[dim] = m->width;
  n->index[dim] = atom_var(var_new(n->a->prog, "i", type_scalar(PRIM_I64)));
  access_new(n, n->index[dim].var, (Access){.kind = IS_INDEX, .dim = dim});
  for (int i = 0; i < m->inputs.len; i++)
    if (!atom_type(n->a->prog, m->inputs.at[i]).is_acc)
      nest_param(n, m->fn->params.at[i], m->inputs.at[i], dim);
  g->acc = atom_var(m->fn->params.at[at]);
  return gather_body(g, &m->fn->body);
}

static bool gather_user(Gather *g, Stm *stm) {
  switch ((int)stm->exp.form) {
  case FORM_UPDATEACC:
    if (!atom_same(stm->exp.updateacc.acc, g->acc)) return false;
    g->nest.update[0] = &stm->exp.updateacc;
    return true;
  case FORM_MAP: return gather_map(g, stm);
  case FORM_WITHACC: return g->nest.dims > 0 && gather_body(g, &stm->exp.withacc.fn->body);
  }
  return false;
}

// Names what can be named; one statement uses the accumulator, and what it makes of it is a result.
static bool gather_body(Gather *g, Body *body) {
  Atom acc = g->acc;
  Stm *user = NULL;
  for (int i = 0; i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    g->acc = acc;
    if (mentions(g, stm)) {
      if (user || !gather_user(g, stm)) return false;
      user = stm;
    } else if (stm->exp.form == FORM_INDEX) nest_read(&g->nest, stm);
    else if (stm->exp.form == FORM_PRIM || stm->exp.form == FORM_CONV)
      access_new(&g->nest, stm->bound.at[0], (Access){.kind = IS_COMPUTED, .stm = stm});
  }
  int out = user ? token_at(g, &user->bound) : -1;
  return out >= 0 && input_of(&body->results, atom_var(user->bound.at[out])) >= 0;
}

// ---- judging ----------------------------------------------------------------------------------
// Whether x can be computed outside the maps; counts the statements that takes.
static bool is_known(Nest *n, Atom x) {
  const Access *name = access_of(n, x);
  if (!name) return !acc_is_inner(n->a, x);
  if (name->kind == IS_READ) {
    if (acc_is_inner(n->a, name->base)) return false;
    for (int i = 0; i < name->at.len; i++)
      if (!is_known(n, name->at.at[i])) return false;
  }
  if (name->kind != IS_COMPUTED) return true;
  Exp exp = name->stm->exp;
  if (!exp_is_cheap(&exp) || ++n->stms > CORE) return false;
  AtomRefs refs = exp_atom_refs(n->a->scratch, &exp);
  for (int i = 0; i < refs.len; i++)
    if (!is_known(n, *refs.at[i])) return false;
  return true;
}

// A sum over the outermost dimension reads in order as it is; turned, it would walk the columns of
// what has that dimension in front (the product of a turned 2000 x 2000 matrix and a vector took
// 1.9 times as long, of two matrices of 700 columns 1.3 times).  Not so where maps around read the same
// again and again.
static bool is_good(const Nest *n, int rank, const bool *taken) {
  return taken[0] || (rank < 2 && (n->a->depth > 0 ||
                                   nest_reads_score(n, n->update[0]->value, 0) >= 0));
}

// order: the dimensions of the array, then those that are summed over.
static bool is_turnable(Gather *g, const Type *array, int *order) {
  Nest *n = &g->nest;
  const struct updateacc_form *u = n->update[0];
  bool taken[DIMS] = {false};
  if (u->index.len != array->rank || !type_is_scalar(atom_type(n->a->prog, u->value))) return false;
  for (int i = 0; i < u->index.len; i++) {
    const Access *name = access_of(n, u->index.at[i]);
    if (!name || name->kind != IS_INDEX || taken[name->dim]) return false;
    if (!atom_same(n->width[name->dim], array->dims[i])) return false;
    taken[name->dim] = true;
    order[i] = name->dim;
  }
  for (int d = 0, at = u->index.len; d < n->dims; d++)
    if (!taken[d]) order[at++] = d;
  return is_good(n, array->rank, taken) && is_known(n, u->value);
}

// ---- generating -------------------------------------------------------------------------------
static Atom gather_array(Gather *g, Builder *out, int rank, const int *order) {
  Nest *n = &g->nest;
  Arena *arena = n->a->arena;
  LambdaBuilder lb[DIMS];
  Atom iota[DIMS];
  int level;
  n->to[0] = out;
  for (int t = 0; t < n->dims; t++) iota[t] = build_iota(out, n->width[order[t]]);
  for (int t = 0; t < n->dims; t++) {
    Types params = {0};
    list_push(arena, &params, type_scalar(PRIM_I64));
    lb[t] = lambda_begin(n->to[t], "i", params);
    n->to[t + 1] = &lb[t].inner;
    n->position[order[t]] = t;
    n->index[order[t]] = atom_var(lb[t].lambda->params.at[0]);
  }
  Atom value = nest_make(n, n->update[0]->value, &level);
  for (int t = n->dims - 1; t >= rank; t--)
    value = nest_sum(n, n->update[0], &lb[t], t, n->width[order[t]], iota[t], value);
  for (int t = rank - 1; t >= 0; t--) {
    Lambda *fn = lambda_end(&lb[t], atoms_of(arena, 1, &value));
    Type row = fn->rets.at[0];
    row.unique = false;
    value = build(n->to[t], "contrib", type_array(arena, row, n->width[order[t]]),
                  nest_map(n, n->width[order[t]], fn, iota[t], NULL));
  }
  return value;
}

// ---- the maps without that update -------------------------------------------------------------
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

static void drop_token(const Gather *g, Body *body) {
  Stms kept = {0};
  for (int i = 0; i < body->stms.len; i++) {
    Stm stm = body->stms.at[i];
    if (stm.bound.len > 0 && token_at(g, &stm.bound) >= 0) {
      if (stm.exp.form == FORM_MAP) {
        drop_inputs(g, &stm.exp.map);
        drop_results(g, &stm, stm.exp.map.fn);
      } else if (stm.exp.form == FORM_WITHACC) drop_results(g, &stm, stm.exp.withacc.fn);
      else continue;
      if (stm.bound.len == 0) continue;
    }
    list_push(g->nest.a->arena, &kept, stm);
  }
  body->stms = kept;
}

// Replaces the outermost map by what the new nest takes, and then the map without the update.
static void splice(Gather *g, Body *body, const Stms *before) {
  Arena *arena = g->nest.a->arena;
  Stms out = {0};
  for (int i = 0; i < body->stms.len; i++) {
    if (&body->stms.at[i] == g->top)
      for (int k = 0; k < before->len; k++) list_push(arena, &out, before->at[k]);
    list_push(arena, &out, body->stms.at[i]);
  }
  body->stms = out;
  drop_token(g, body);
}

bool acc_gather(Acc *a, const Stm *stm, int k, Atom *contrib) {
  const struct withacc_form *w = &stm->exp.withacc;
  Var p = w->fn->params.at[k];
  Type array = var_type(a->prog, p);
  Gather g = {.token = array.token, .acc = atom_var(p), .op = acc_operator(a, atom_var(p))};
  g.nest = (Nest){.a = a, .names = map_new(a->scratch)};
  int order[DIMS];
  if (!g.op || !gather_body(&g, &w->fn->body) || !g.top) return false;
  if (g.nest.dims < array.rank || !is_turnable(&g, &array, order)) return false;
  if (!atom_is_var(w->fn->body.results.at[k], g.top->bound.at[token_at(&g, &g.top->bound)]))
    return false;
  Stms before = {0};
  Builder b = builder_new(a->prog, &before);
  b.loc = g.top->loc;
  *contrib = gather_array(&g, &b, array.rank, order);
  splice(&g, &w->fn->body, &before);
  return true;
}
