// Forward mode of accumulators: a twin accumulator receives the tangents.
#include "ad/common/local.h"

static bool varies(const Jvp *j, Var v) { return varset_has(&j->varied, v); }

// A twin always adds, which is right when the accumulator adds; one that overwrites has a twin
// that overwrites.
static Operator twin_operator(Jvp *j, const Operator *op, Prim p) {
  Op kind;
  Prim prim;
  if (!op->op) return (Operator){0};
  check(lambda_is_op(op->op, &kind, &prim) && (kind == OP_ADD || kind == OP_OR));
  if (j->marks) kind = OP_OR;
  Operator out = {.op = lambda_binop(j->w.to.prog, kind, p), .comm = true};
  list_push(j->w.to.prog->arena, &out.neutral, atom_number(p, 0));
  return out;
}

static Var twin_acc(Jvp *j, Var acc) {
  Prog *prog = j->w.to.prog;
  Var twin = var_new(prog, var_info(prog, acc)->base, var_type(prog, acc));
  if (j->marks) prog->vars.at[twin.id].type.prim = PRIM_U64;
  prog->vars.at[twin.id].type.token = twin;
  return twin;
}

//   withacc xs (\acc -> body)    withacc (xs, dxs) (\acc acc' -> body with tangents)
void jvp_withacc(Jvp *j, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  Builder *b = &j->w.to;
  Prog *prog = b->prog;
  int n = e->arrays.len;
  Exp exp = rewrite_exp(&j->w, &(Exp){.form = FORM_WITHACC,
                                      .withacc = {.arrays = e->arrays,
                                                  .ranks = e->ranks,
                                                  .ops = e->ops,
                                                  .fn = NULL}});
  Lambda *fn = exp.withacc.fn = NEW(prog->arena, Lambda);
  for (int k = 0; k < n; k++)
    list_push(prog->arena, &fn->params, rewrite_var(&j->w, e->fn->params.at[k]));
  for (int k = 0; k < n; k++) {
    if (!varies(j, stm->bound.at[k])) continue;
    Var twin = twin_acc(j, fn->params.at[k]);
    list_push(prog->arena, &fn->params, twin);
    list_push(prog->arena, &exp.withacc.arrays, tangent_dense(j, e->arrays.at[k]));
    list_push(prog->arena, &exp.withacc.ranks, e->ranks.at[k]);
    Operator op = twin_operator(j, &e->ops.at[k], var_type(prog, twin).prim);
    list_push(prog->arena, &exp.withacc.ops, op);
    tangent_set(j, e->fn->params.at[k], atom_var(twin));
  }
  Stms *saved = b->stms;
  b->stms = &fn->body.stms;
  jvp_stms(j, e->fn->body.stms);
  for (int part = 0; part < 2; part++)
    for (int pass = 0; pass < 2; pass++)
      for (int k = part ? n : 0; k < (part ? stm->bound.len : n); k++) {
        Atom r = e->fn->body.results.at[k];
        if (pass == 0) list_push(prog->arena, &fn->body.results, rewrite_atom(&j->w, r));
        else if (varies(j, stm->bound.at[k]))
          list_push(prog->arena, &fn->body.results, tangent_dense(j, r));
      }
  b->stms = saved;
  fn->rets = types_of_atoms(prog, fn->body.results);
  Vars out = build_exp(b, NULL, exp);
  int at = 0;
  for (int part = 0; part < 2; part++)
    for (int pass = 0; pass < 2; pass++)
      for (int k = part ? n : 0; k < (part ? stm->bound.len : n); k++) {
        if (pass == 0) rewrite_bind(&j->w, stm->bound.at[k], atom_var(out.at[at++]));
        else if (varies(j, stm->bound.at[k]))
          tangent_set(j, stm->bound.at[k], atom_var(out.at[at++]));
      }
}

// updateacc acc i v    updateacc acc' i dv
void jvp_updateacc(Jvp *j, const Stm *stm) {
  const struct updateacc_form *e = &stm->exp.updateacc;
  Atom twin = tangent_of(j, e->acc), dv = tangent_dense(j, e->value);
  rewrite_stm(&j->w, stm);
  Exp d = {.form = FORM_UPDATEACC,
           .updateacc = {.acc = twin, .index = rewrite_atoms(&j->w, e->index), .value = dv}};
  tangent_set(j, stm->bound.at[0], build_exp1(&j->w.to, NULL, d));
}
