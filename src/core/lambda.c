// Function literals: building and recognising them.
#include "core.h"

static void params_add(Prog *prog, Lambda *fn, const char *hint, Types types) {
  for (int i = 0; i < types.len; i++)
    list_push(prog->arena, &fn->params, var_new(prog, hint, types.at[i]));
}

LambdaBuilder lambda_begin(Builder *b, const char *hint, Types params) {
  LambdaBuilder lb = {.lambda = NEW(b->prog->arena, Lambda)};
  params_add(b->prog, lb.lambda, hint ? hint : "x", params);
  lb.inner = builder_new(b->prog, &lb.lambda->body.stms);
  lb.inner.loc = b->loc;
  return lb;
}

Lambda *lambda_end(LambdaBuilder *lb, Atoms results) {
  lb->lambda->body.results = results;
  lb->lambda->rets = types_of_atoms(lb->inner.prog, results);
  for (int i = 0; i < results.len; i++) lb->lambda->rets.at[i].unique = false;
  return lb->lambda;
}

Lambda *lambda_identity(Prog *prog, Types types) {
  Lambda *fn = NEW(prog->arena, Lambda);
  params_add(prog, fn, "x", types);
  fn->body.results = atoms_of_vars(prog->arena, fn->params);
  fn->rets = types_of_vars(prog, fn->params);
  return fn;
}

Lambda *lambda_binop(Prog *prog, Op op, Prim p) {
  Lambda *fn = NEW(prog->arena, Lambda);
  Builder b = builder_new(prog, &fn->body.stms);
  list_push(prog->arena, &fn->params, var_new(prog, "x", type_scalar(p)));
  list_push(prog->arena, &fn->params, var_new(prog, "y", type_scalar(p)));
  Atom r = build_op(&b, op, atom_var(fn->params.at[0]), atom_var(fn->params.at[1]));
  list_push(prog->arena, &fn->body.results, r);
  list_push(prog->arena, &fn->rets, type_scalar(op_result(op, p)));
  return fn;
}

bool lambda_is_op(const Lambda *fn, Op *op, Prim *p) {
  if (!fn || fn->params.len != 2 || fn->body.stms.len != 1 || fn->body.results.len != 1)
    return false;
  const Stm *stm = &fn->body.stms.at[0];
  if (stm->exp.form != FORM_PRIM || stm->bound.len != 1 || stm->exp.prim.args.len != 2)
    return false;
  if (!atom_is_var(fn->body.results.at[0], stm->bound.at[0])) return false;
  Atom x = stm->exp.prim.args.at[0], y = stm->exp.prim.args.at[1];
  Var first = fn->params.at[0], second = fn->params.at[1];
  bool straight = atom_is_var(x, first) && atom_is_var(y, second);
  bool swapped = atom_is_var(x, second) && atom_is_var(y, first);
  if (!straight && !(swapped && op_info[stm->exp.prim.op].commutative)) return false;
  *op = stm->exp.prim.op;
  *p = stm->exp.prim.prim;
  return true;
}

bool lambda_is_identity(const Lambda *fn) {
  if (fn->body.stms.len || fn->params.len != fn->body.results.len) return false;
  for (int i = 0; i < fn->params.len; i++)
    if (!atom_is_var(fn->body.results.at[i], fn->params.at[i])) return false;
  return true;
}
