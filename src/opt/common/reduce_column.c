// Columns of reductions: where a component of the operator on tuples depends on that component
// alone, it is reduced as if by itself.  So the greatest element is the first result of a
// reduction to the greatest element and its index.
#include "local.h"

static bool any_wanted(const Map *wanted, Vars vars) {
  for (int i = 0; i < vars.len; i++)
    if (map_get(wanted, vars.at[i].id)) return true;
  return false;
}

static void want(Map *wanted, Vars vars) {
  for (int i = 0; i < vars.len; i++) map_put(wanted, vars.at[i].id, wanted);
}

// The statements that result k needs; false where another component is among what they mention.
static bool column_body(const Prog *prog, Arena *arena, const Lambda *op, int k, Lambda *out) {
  int n = op->params.len / 2;
  Map *wanted = map_new(arena);
  Atom result = op->body.results.at[k];
  Stms reversed = {0};
  if (result.is_var) map_put(wanted, result.var.id, wanted);
  for (int i = op->body.stms.len - 1; i >= 0; i--) {
    const Stm *stm = &op->body.stms.at[i];
    if (!any_wanted(wanted, stm->bound)) continue;
    want(wanted, exp_free(prog, arena, &stm->exp));
    list_push(arena, &reversed, *stm);
  }
  for (int i = 0; i < op->params.len; i++)
    if (i % n != k && map_get(wanted, op->params.at[i].id)) return false;
  for (int i = reversed.len - 1; i >= 0; i--) list_push(arena, &out->body.stms, reversed.at[i]);
  list_push(arena, &out->params, op->params.at[k]);
  list_push(arena, &out->params, op->params.at[n + k]);
  list_push(arena, &out->rets, op->rets.at[k]);
  out->body.results = atoms_of(arena, 1, &result);
  return true;
}

bool reduce_column(const Prog *prog, Arena *arena, const struct reduce_form *e, int k, Exp *out) {
  Lambda *op = NEW(arena, Lambda);
  if (e->neutral.len < 2 || !column_body(prog, arena, e->op, k, op)) return false;
  *out = (Exp){.form = FORM_REDUCE,
               .reduce = {.width = e->width, .comm = e->comm, .op = op,
                          .neutral = atoms_of(arena, 1, &e->neutral.at[k]),
                          .inputs = atoms_of(arena, 1, &e->inputs.at[k])}};
  return true;
}
