// For tests: makes every rule for a particular operator (sums, minima, products, selections, rows
// by column) unrecognisable, so that derivatives are made by the general rules alone.  An operator
// gets an identity in front that no rule looks through.
#include "local.h"

static Lambda *hidden(Rewrite *w, const Lambda *op) {
  Lambda *inner = rewrite_lambda(w, op);
  Types types = {0};
  for (int k = 0; k < inner->params.len; k++)
    list_push(w->to.prog->arena, &types, type_fresh(var_type(w->to.prog, inner->params.at[k])));
  LambdaBuilder lb = lambda_begin(&w->to, "x", types);
  Atoms args = atoms_of_vars(w->to.prog->arena, lb.lambda->params);
  if (args.len)
    args.at[0] = build_exp1(&lb.inner, "x", (Exp){.form = FORM_OPAQUE,
                                                  .opaque = {args.at[0]}});
  return lambda_end(&lb, lambda_inline(&lb.inner, inner, args));
}

static void general_stm(Rewrite *w, const Stm *stm) {
  Stm out = *stm;
  Form form = stm->exp.form;
  if (form != FORM_REDUCE && form != FORM_SCAN && form != FORM_HIST) {
    rewrite_stm(w, stm);
    return;
  }
  out.exp = rewrite_exp(w, &stm->exp);
  if (form == FORM_REDUCE) out.exp.reduce.op = hidden(w, stm->exp.reduce.op);
  if (form == FORM_SCAN) out.exp.scan.op = hidden(w, stm->exp.scan.op);
  if (form == FORM_HIST) out.exp.hist.op = hidden(w, stm->exp.hist.op);
  out.bound = (Vars){0};
  for (int k = 0; k < stm->bound.len; k++)
    list_push(w->to.prog->arena, &out.bound, rewrite_var(w, stm->bound.at[k]));
  build_stm(&w->to, out);
}

// needs   screma unfused
// leaves  the same program, its operators opaque
Prog *pass_general(const Prog *prog, Arena *arena) {
  Rewrite w = {.stm = general_stm};
  return rewrite_prog(prog, arena, &w);
}
