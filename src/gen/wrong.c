// Programs that are differentiated wrongly on purpose, to see that it is noticed: every op x of the
// given operation gets a reverse rule that gives 1.1 times its partial.  Both modes follow it.
#include "local.h"

typedef struct {
  Rewrite w;  // first
  Op op;
} Wrong;

static Lambda *op_lambda(Builder *b, Op op) {
  Types types = {0};
  list_push(b->prog->arena, &types, type_scalar(PRIM_F64));
  LambdaBuilder lb = lambda_begin(b, "x", types);
  Atom y = build_op1(&lb.inner, op, atom_var(lb.lambda->params.at[0]));
  return lambda_end(&lb, atoms_of(b->prog->arena, 1, &y));
}

// \y yB -> 1.1 * J(x, y) * yB
static Lambda *wrong_rule(Builder *b, Op op, Atom x) {
  Types types = {0};
  for (int i = 0; i < 2; i++) list_push(b->prog->arena, &types, type_scalar(PRIM_F64));
  LambdaBuilder lb = lambda_begin(b, "y", types);
  Builder *in = &lb.inner;
  Atom y = atom_var(lb.lambda->params.at[0]), yB = atom_var(lb.lambda->params.at[1]);
  Atom J = build_term(in, op_partial(op, PRIM_F64, 0), PRIM_F64, &x, y);
  Atom xB = build_op(in, OP_MUL, build_op(in, OP_MUL, atom_number(PRIM_F64, 1.1), J), yB);
  return lambda_end(&lb, atoms_of(b->prog->arena, 1, &xB));
}

static void wrong_stm(Rewrite *rw, const Stm *stm) {
  Wrong *w = (Wrong *)rw;
  const Exp *e = &stm->exp;
  if (e->form != FORM_PRIM || e->prim.op != w->op || e->prim.prim != PRIM_F64) {
    rewrite_stm(rw, stm);
    return;
  }
  Atom x = rewrite_atom(rw, e->prim.args.at[0]);
  Exp exp = {.form = FORM_WITHVJP,
             .withvjp = {.fn = op_lambda(&rw->to, w->op), .rev = wrong_rule(&rw->to, w->op, x),
                         .args = atoms_of(rw->to.prog->arena, 1, &x)}};
  rewrite_bind(rw, stm->bound.at[0], build(&rw->to, "y", type_scalar(PRIM_F64), exp));
}

Prog *gen_wrong(Arena *arena, const Prog *prog, Op op) {
  Wrong w = {.w = {.stm = wrong_stm}, .op = op};
  return rewrite_prog(prog, arena, &w.w);
}
