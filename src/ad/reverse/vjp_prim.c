// Reverse mode of scalar operations and conversions.
#include "ad/common/local.h"

//   y = op(x1..xk)    xiB += yB * J_i(x.., y)      y = to_bits x    xB += from_bits yB
void vjp_prim(Vjp *v, const Stm *stm) {
  Builder *b = vjp_builder(v);
  const struct prim_form *e = &stm->exp.prim;
  Atom yB = adj_value(v, stm->bound.at[0]);
  Atoms args = rewrite_atoms(&v->w, e->args);
  Atom y = rewrite_atom(&v->w, atom_var(stm->bound.at[0]));
  if (op_is_bits(e->op)) {
    Op back = e->op == OP_TO_BITS ? OP_FROM_BITS : OP_TO_BITS;
    contribute(v, e->args.at[0], build_op1(b, back, yB), true);
    return;
  }
  for (int i = 0; i < args.len; i++) {
    const Term *J = op_partial(e->op, e->prim, i);
    if (!J || !is_varied(v, e->args.at[i])) continue;
    Atom c = build_conv(b, e->prim, yB);
    if (e->op == OP_SELECT) {
      Atom zero = atom_number(e->prim, 0);
      c = i == 1 ? build_select(b, args.at[0], c, zero) : build_select(b, args.at[0], zero, c);
    } else if (e->op == OP_GUARD) {
      c = build_op3(b, OP_GUARD, args.at[0], args.at[1], c);
    } else if (J->kind == TERM_CONST && J->value == -1 && e->prim != PRIM_BOOL) {
      c = build_op1(b, OP_NEG, c);
    } else {
      c = guard_product(&v->safe, b, stm, J, args, y, c);
    }
    contribute(v, e->args.at[i], c, true);
  }
}

//   y = conv x    xB += conv yB: converted back, also between integers and floats
void vjp_conv(Vjp *v, const Stm *stm) {
  Atom x = stm->exp.conv.arg;
  if (!is_varied(v, x)) return;
  Prim p = var_type(v->w.from, x.var).prim;
  contribute(v, x, build_conv(vjp_builder(v), p, adj_value(v, stm->bound.at[0])), true);
}
