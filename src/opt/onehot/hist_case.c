// Histograms in which all elements but one are neutral have one bin.
//
//   hist (replicate m z) op z (\j -> (k j, select (j == e, v j, z)))
//     is   map m (\b -> select (b == k e, v e, z)), where e is out of range z everywhere
//
// for any operator with neutral element z, of one component, or of several of which this one does
// not read the others, nor they it: these stay, and may leave the iteration around (hoist).
#include "onehot.h"

// ---- components of the operator that stand alone
static Map *read_by(Env *e, const Lambda *op, int result) {
  Map *read = map_new(e->scratch);
  Atom r = op->body.results.at[result];
  if (r.is_var) map_put(read, r.var.id, read);
  for (int i = op->body.stms.len - 1; i >= 0; i--) {
    const Stm *stm = &op->body.stms.at[i];
    for (int k = 0; k < stm->bound.len; k++)
      if (map_get(read, stm->bound.at[k].id))
        vars_mark(read, exp_free(e->prog, e->scratch, &stm->exp));
  }
  return read;
}

static bool stands_alone(Env *e, const Lambda *op, int d) {
  int n = op->body.results.len;
  for (int result = 0; result < n; result++) {
    Map *read = read_by(e, op, result);
    for (int p = 0; p < 2 * n; p++)
      if (map_get(read, op->params.at[p].id) && (p % n == d) != (result == d)) return false;
  }
  return true;
}

// ---- the one bin
static void component_drop(Env *e, Stm *stm, int d) {
  struct hist_form *h = &stm->exp.hist;
  int n = h->dests.len;
  Atoms dests = {0}, neutral = {0};
  for (int k = 0; k < n; k++) {
    if (k == d) continue;
    list_push(e->arena, &dests, h->dests.at[k]);
    list_push(e->arena, &neutral, h->neutral.at[k]);
  }
  h->dests = dests, h->neutral = neutral;
  lambda_drop_result(h->fn, 1 + d);
  lambda_drop_result(h->op, d);
  lambda_drop_param(h->op, n + d);
  lambda_drop_param(h->op, d);
  vars_drop(&stm->bound, d);
}

// Bin and value in the one case; bin -1, which there is not, in none.
static Vars key_and_value(Env *e, const struct hist_form *h, int d, OneCase c) {
  Lambda *fn = onehot_cut(e, h->fn, 0, 1);
  Atom value = h->fn->body.results.at[1 + d], z = h->neutral.at[d];
  fn->body.results = atoms_concat(e->arena, fn->body.results, atoms_of(e->arena, 1, &value));
  list_push(e->arena, &fn->rets, h->fn->rets.at[1 + d]);
  Vars out = {0};
  list_push(e->arena, &out, var_new(e->prog, "bin", type_scalar(PRIM_I64)));
  list_push(e->arena, &out, var_new(e->prog, "value", type_scalar(z.value.prim)));
  Atom otherwise[] = {atom_i64(-1), z};
  onehot_choose(e, out, &(Choice){c, fn, h->inputs, true, atoms_of(e->arena, 2, otherwise)});
  return out;
}

static void emit_bins(Env *e, Var bound, Vars one, Atom z) {
  Atom width = var_type(e->prog, bound).dims[0];
  int from = e->to.stms->len;
  Exp count = {.form = FORM_IOTA, .iota = {width, atom_i64(0), atom_i64(1)}};
  Atom bins = build(&e->to, "bins", type_array(e->arena, type_scalar(PRIM_I64), width), count);
  env_register(e, from);
  Types row = {0};
  list_push(e->arena, &row, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(&e->to, "b", row);
  Atom here = build_op(&lb.inner, OP_EQ, atom_var(lb.lambda->params.at[0]),
                       env_atom(e, atom_var(one.at[0])));
  Atom r = build_select(&lb.inner, here, env_atom(e, atom_var(one.at[1])), z);
  Lambda *fn = lambda_end(&lb, atoms_of(e->arena, 1, &r));
  Stm *stm = NEW(e->arena, Stm);
  *stm = (Stm){.exp = {.form = FORM_MAP, .map = {.width = width, .fn = fn,
                                                 .inputs = atoms_of(e->arena, 1, &bins)}},
               .loc = e->to.loc};
  list_push(e->arena, &stm->bound, bound);
  env_use_body(e, &(Body){.stms = {stm, 1, 1}});
  simplify_stms_of(e, (Stms){stm, 1, 1});
}

static bool starts_neutral(Env *e, const struct hist_form *h, int d) {
  const Stm *def = env_def_as(e, h->dests.at[d], FORM_REPLICATE);
  Atom z = h->neutral.at[d];
  return def && !z.is_var && def->exp.replicate.dims.len == 1 &&
         atom_same(def->exp.replicate.arg, z);
}

bool onehot_hist(Env *e, Stm *stm) {
  struct hist_form *h = &stm->exp.hist;
  Supports s;
  if (h->rank != 1 || exp_has_effect(&stm->exp) || !supports_begin(&s, e, h->fn)) return false;
  for (int d = h->dests.len - 1; d >= 0; d--) {
    Atom z = h->neutral.at[d];
    OneCase c;
    if (!starts_neutral(e, h, d) || !stands_alone(e, h->op, d)) continue;
    Support support = support_of(&s, h->fn->body.results.at[1 + d], z);
    if (support.every || !support.conds.len || !prog_may(e->prog, SWITCH_SINGLE_CASE)) continue;
    if (!onehot_solve(&s, (Elements){h->inputs, h->fn->params, h->width}, support, &c)) continue;
    Vars one = key_and_value(e, h, d, c);
    Var bound = stm->bound.at[d];
    component_drop(e, stm, d);
    emit_bins(e, bound, one, z);
    e->changed = true;
  }
  return stm->bound.len == 0;
}
