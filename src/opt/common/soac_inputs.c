// Inputs of second-order combinators: rows that are known become names, reads of row i by the
// index of the row become inputs, inputs nothing uses go.
#include "local.h"

void env_enter_params(Env *e, const Vars *params) {
  for (int i = 0; i < params->len; i++) {
    env_fact(e, params->at[i])->scope = e->scope;
    env_sizes_here(e, params->at[i]);
  }
}

Stm *stm_map_within(Stm *stm) {
  if (stm->exp.form == FORM_MAP) return stm;
  if (stm->exp.form != FORM_WITHACC) return NULL;
  Stms *inside = &stm->exp.withacc.fn->body.stms;
  Stm *out = NULL;
  for (int i = 0; i < inside->len; i++) {
    if (inside->at[i].exp.form != FORM_MAP) continue;
    if (out) return NULL;  // which of them?
    out = &inside->at[i];
  }
  return out;
}

bool exp_counts(const Prog *prog, const Exp *exp) {
  return exp->form == FORM_IOTA && atom_is(exp->iota.start, 0) && atom_is(exp->iota.step, 1) &&
         atom_type(prog, exp->iota.start).prim == PRIM_I64;
}

static bool is_plain_iota(Env *e, Atom a) {
  Stm *def = env_def_as(e, a, FORM_IOTA);
  return def && exp_counts(e->prog, &def->exp);
}

// Counting from the last index down.
static bool is_reversed_iota(Env *e, Atom a) {
  Stm *def = env_def_as(e, a, FORM_IOTA);
  if (!def || !atom_is(def->exp.iota.step, -1)) return false;
  Stm *start = env_def_as(e, def->exp.iota.start, FORM_PRIM);
  return start && start->exp.prim.prim == PRIM_I64 && start->exp.prim.op == OP_SUB &&
         atom_same(start->exp.prim.args.at[0], def->exp.iota.n) &&
         atom_is(start->exp.prim.args.at[1], 1);
}

// Inside there is an element, so that the width is positive.
void env_iota_params(Env *e, Atom width, const Vars *params, const Atoms *inputs) {
  if (width.is_var) env_least_here(e, width.var, 1);
  env_at_most_here(e, atom_i64(1), width, 0);
  env_iterations_here(e, width);
  for (int i = 0; i < inputs->len; i++) {
    const Stm *def = env_def_as(e, inputs->at[i], FORM_IOTA);
    if (!def || atom_type(e->prog, def->exp.iota.start).prim != PRIM_I64) continue;
    if (is_plain_iota(e, inputs->at[i]) || is_reversed_iota(e, inputs->at[i]))
      env_below_here(e, params->at[i], width);
    env_counts_here(e, params->at[i], &def->exp.iota);
  }
}

static void prepend(Env *e, Body *body, Stm stm) {
  Stms out = {0};
  list_push(e->arena, &out, stm);
  for (int i = 0; i < body->stms.len; i++) list_push(e->arena, &out, body->stms.at[i]);
  body->stms = out;
}

// The body begins with this in place of parameter p.
static bool row_replicate(Env *e, Lambda *fn, Var p, const Stm *def, struct replicate_form r) {
  Stm row = stm_like(def, (Exp){.form = FORM_REPLICATE, .replicate = r});
  row.bound = (Vars){0};
  list_push(e->arena, &row.bound, p);
  row.attrs = (Attrs){.unchecked = true};
  prepend(e, &fn->body, row);
  e->changed = true;
  return true;
}

// A row of `replicate [n, m..] v` is `replicate [m..] v`; of a general iota, start + i * step is
// left to the reader.
static bool input_replicate(Env *e, Lambda *fn, int i, Atom input) {
  Stm *def = env_def_as(e, input, FORM_REPLICATE);
  if (!def) return false;
  const struct replicate_form *r = &def->exp.replicate;
  Var p = fn->params.at[i];
  if (!env_shared(e, r->arg) || !env_shared(e, atom_var(p))) return false;
  if (r->dims.len == 1) {
    env_bind(e, p, r->arg);
    return true;
  }
  Atoms dims = atoms_of(e->arena, r->dims.len - 1, r->dims.at + 1);
  return row_replicate(e, fn, p, def, (struct replicate_form){dims, r->arg});
}

static bool input_duplicate(Env *e, Lambda *fn, int i, const Atoms *inputs) {
  if (atom_type(e->prog, inputs->at[i]).is_acc) return false;
  for (int j = 0; j < i; j++) {
    if (!atom_same(inputs->at[j], inputs->at[i])) continue;
    if (!env_shared(e, atom_var(fn->params.at[i]))) return false;
    env_bind(e, fn->params.at[i], atom_var(fn->params.at[j]));
    return true;
  }
  return false;
}

static bool input_unused(Env *e, Lambda *fn, int i, const Atoms *inputs) {
  return !atom_type(e->prog, inputs->at[i]).is_acc && env_unused(e, fn->params.at[i]);
}

static Var row_param(Env *e, Lambda *fn, Atoms *inputs, Atom array) {
  for (int i = 0; i < inputs->len; i++)
    if (atom_same(inputs->at[i], array)) return fn->params.at[i];
  Type row = type_row(atom_type(e->prog, array));
  row.unique = false;
  Var p = var_new(e->prog, var_info(e->prog, array.var)->base, row);
  list_push(e->arena, &fn->params, p);
  list_push(e->arena, inputs, array);
  e->changed = true;
  return p;
}

// \.. i .. -> a[i, rest]  over iota, a : [width] from outside: row of a, a further input.
static void read_by_index(Env *e, Lambda *fn, Atoms *inputs, Var index, Atom width, Stm *stm) {
  struct index_form *x = &stm->exp.index;
  if (!x->slice.len || !x->slice.at[0].is_fix || !x->array.is_var) return;
  if (!atom_is_var(x->slice.at[0].start, index)) return;
  x->array = env_atom(e, x->array);
  if (env_fact(e, x->array.var)->scope == 0) return;
  if (!atom_same(env_atom(e, dim_at(e->prog, x->array, 0)), width)) return;
  Var row = row_param(e, fn, inputs, x->array);
  env_fact(e, row)->uses++;
  e->changed = true;
  Slice rest = {0};
  for (int d = 1; d < x->slice.len; d++) list_push(e->arena, &rest, x->slice.at[d]);
  if (rest.len) stm->exp.index = (struct index_form){atom_var(row), rest};
  else stm->exp = (Exp){.form = FORM_ATOM, .atom = {atom_var(row)}};
}

// A row is a view, so it costs nothing where the read stands under a branch.
static void reads_in(Env *e, Lambda *fn, Atoms *inputs, Var index, Atom width, Stms *stms) {
  for (int k = 0; k < stms->len; k++) {
    Stm *stm = &stms->at[k];
    if (stm->exp.form == FORM_INDEX) read_by_index(e, fn, inputs, index, width, stm);
    if (!exp_has_parts(&stm->exp)) continue;
    Parts parts = exp_parts(e->scratch, &stm->exp);
    for (int i = 0; i < parts.len; i++)
      reads_in(e, fn, inputs, index, width, &parts.at[i].body->stms);
  }
}

static void reads_by_index(Env *e, Atom width, Lambda *fn, Atoms *inputs) {
  int n = inputs->len;
  for (int i = 0; i < n; i++) {
    if (!is_plain_iota(e, inputs->at[i])) continue;
    reads_in(e, fn, inputs, fn->params.at[i], width, &fn->body.stms);
  }
}

// Whether rows of the permuted dimensions are replicates of rows of the array: its
// first dimension comes first, the others keep their order.
static bool spreads_rows(const Ints *perm, int spread) {
  if (perm->at[0] != spread) return false;
  for (int j = 1; j < perm->len; j++)
    if (perm->at[j] != (j <= spread ? j - 1 : j)) return false;
  return true;
}

// A row of `rearrange [1, 0] (replicate [m] v)` is `replicate [m] v[i]`: v is the input, m copies
// of it are not there.
static bool input_spread(Env *e, Lambda *fn, int i, Atoms *inputs) {
  const Stm *view = env_def_as(e, inputs->at[i], FORM_REARRANGE);
  Stm *def = view ? env_def_as(e, view->exp.rearrange.array, FORM_REPLICATE) : NULL;
  if (!def || !spreads_rows(&view->exp.rearrange.perm, def->exp.replicate.dims.len)) return false;
  const struct replicate_form *r = &def->exp.replicate;
  Var p = fn->params.at[i];
  if (!r->arg.is_var || !env_shared(e, r->arg) || !env_shared(e, atom_var(p))) return false;
  Var element = row_param(e, fn, inputs, r->arg);
  env_fact(e, element)->uses++;
  return row_replicate(e, fn, p, def, (struct replicate_form){r->dims, atom_var(element)});
}

void inputs_simplify(Env *e, Atom width, Lambda *fn, Atoms *inputs) {
  reads_by_index(e, width, fn, inputs);
  for (int i = inputs->len - 1; i >= 0; i--) {
    if (!input_replicate(e, fn, i, inputs->at[i]) && !input_spread(e, fn, i, inputs) &&
        !input_duplicate(e, fn, i, inputs) && !input_unused(e, fn, i, inputs))
      continue;
    lambda_drop_param(fn, i);
    atoms_drop(inputs, i);
    e->changed = true;
  }
}
