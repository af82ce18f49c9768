// The rules of this folder by form: simplify's walk has them in pass_onehot, where a program
// compares indices and chooses zero.
#include "onehot.h"
#include "opt/common/opt.h"

static bool chooses_zero(const Exp *e) {
  if (e->form == FORM_LOOP) return e->loop.is_for;
  if (e->form == FORM_CONV) return prim_is_float(e->conv.to) || prim_is_int(e->conv.to);
  return e->form == FORM_PRIM && e->prim.op == OP_SELECT && !e->prim.args.at[2].is_var;
}
static bool compares(const Exp *e) {
  return e->form == FORM_PRIM && e->prim.op == OP_EQ && e->prim.prim == PRIM_I64;
}

static bool transposes(const Exp *e) { return map_transposes(e) != NULL; }

static void rows_and_factors(Env *e, Atom width, Lambda *fn) {
  if (onehot_row_invariants(e, width, fn)) return;
  onehot_factored_sums(e, width, fn);
  onehot_split_sums(e, width, fn);
}

bool rule_onehot(Env *e, Stm *stm) {
  switch ((int)stm->exp.form) {
  case FORM_SCREMA:
    onehot_inputs(e, stm->exp.screma.width, stm->exp.screma.fn, &stm->exp.screma.inputs);
    if (onehot_screma(e, stm)) return true;
    onehot_fission(e, stm);
    rows_and_factors(e, stm->exp.screma.width, stm->exp.screma.fn);
    return false;
  case FORM_MAP:
    onehot_inputs(e, stm->exp.map.width, stm->exp.map.fn, &stm->exp.map.inputs);
    rows_and_factors(e, stm->exp.map.width, stm->exp.map.fn);
    onehot_key_sums(e, stm);
    onehot_recurrences(e, stm);
    return onehot_transposition(e, stm) || onehot_key_columns(e, stm);
  case FORM_INDEX:
    return onehot_pull(e, stm) || (!e->again && (onehot_columns(e, stm) || onehot_part(e, stm)));
  case FORM_LOOP: return onehot_loop(e, stm);
  case FORM_HIST: return onehot_hist(e, stm);
  case FORM_PRIM: return compares(&stm->exp) ? onehot_equation(e, stm) : onehot_product(e, stm);
  }
  return false;
}

bool onehot_applies(const Prog *prog) {
  return prog_has(prog, compares) && prog_has(prog, chooses_zero);
}

// One cell is written in an array of equal elements that the same body makes.
typedef struct {
  bool found;
} Cells;

static bool binds_replicate(const Body *body, int before, Atom array) {
  for (int i = 0; i < before; i++)
    if (body->stms.at[i].exp.form == FORM_REPLICATE &&
        atom_is_var(array, body->stms.at[i].bound.at[0]))
      return true;
  return false;
}

static void find_cells(void *state, const Body *body, const Vars *params) {
  Cells *c = state;
  (void)params;
  for (int i = 0; i < body->stms.len && !c->found; i++) {
    const Exp *x = &body->stms.at[i].exp;
    c->found = x->form == FORM_UPDATE && x->update.slice.len == 1 &&
               x->update.slice.at[0].is_fix && binds_replicate(body, i, x->update.array);
    exp_each_body(x, find_cells, c);
  }
}

static bool writes_cells(const Prog *prog) {
  Cells c = {0};
  for (int i = 0; i < prog->fns.len && !c.found; i++)
    find_cells(&c, &prog->fns.at[i]->body, NULL);
  return c.found;
}

bool onehot_may_apply(const Prog *prog) {
  return onehot_applies(prog) || prog_has(prog, transposes) || writes_cells(prog);
}
