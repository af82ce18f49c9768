// Reverse mode of accumulators.  Additions commute, so the adjoint of the final array is the
// sensitivity of every single addition: inside, it is a read-only array C, and the accumulator
// itself is removed from re-executed code.  Accumulators that do not add are arrays
// (acc_to_loop.c).
#include "ad/common/local.h"

static bool adds(const Operator *op) {
  Op kind;
  Prim p;
  return op->op && lambda_is_op(op->op, &kind, &p) && (kind == OP_ADD || kind == OP_OR);
}

//   (ys.., rs..) = withacc xs.. (\acc.. -> body)
//   C = ysB;  revBody(body) seeded by rsB;  xsB += ysB
void vjp_withacc(Vjp *v, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  int n = e->arrays.len;
  Adj *seeds = NEW_ARRAY(vjp_arena(v), Adj, stm->bound.len + 1);
  bool *owned = NEW_ARRAY(vjp_arena(v), bool, n + 1);
  Atom *C = NEW_ARRAY(vjp_arena(v), Atom, n + 1);
  for (int k = 0; k < stm->bound.len; k++) {
    if (k >= n) {
      seeds[k] = adj_get(v, stm->bound.at[k]);
      continue;
    }
    check(adds(&e->ops.at[k]));  // acc_to_loop.c
    C[k] = atom_none();
    Adj yB = adj_get(v, stm->bound.at[k]);
    if (yB.kind != ADJ_ZERO) C[k] = adj_dense(v, yB, primal_type(v, stm->bound.at[k]), &owned[k]);
    map_put(v->cotangents, e->fn->params.at[k].id, &C[k]);
  }
  vjp_body(v, &e->fn->body, seeds);
  for (int k = 0; k < n; k++) map_put(v->cotangents, e->fn->params.at[k].id, NULL);
  for (int k = 0; k < n; k++)
    if (!atom_absent(C[k])) contribute(v, e->arrays.at[k], C[k], owned[k]);
}

//   updateacc acc i w    wB += C[i], zero where i is out of range
void vjp_updateacc(Vjp *v, const Stm *stm) {
  const struct updateacc_form *e = &stm->exp.updateacc;
  Builder *b = vjp_builder(v);
  Type acc = var_type(v->w.from, e->acc.var);
  const Atom *C = map_get(v->cotangents, acc.token.id);
  check(C);
  if (atom_absent(*C) || !is_varied(v, e->value)) return;
  Atoms index = rewrite_atoms(&v->w, e->index);
  Type type = atom_type(b->prog, *C);
  Atom ok = atom_bool(true);
  for (int k = 0; k < index.len; k++) {
    ok = build_op(b, OP_AND, ok, build_op(b, OP_LE, atom_i64(0), index.at[k]));
    ok = build_op(b, OP_AND, ok, build_op(b, OP_LT, index.at[k], type.dims[k]));
  }
  PickBuilder p = pick_begin(b, ok);
  Type cell = type_peel(type, index.len);
  Atom found = build_copy(&p.then, build_index(&p.then, *C, index));
  Atom c = pick_end(&p, cell, found, build_zero(&p.otherwise, cell));
  contribute(v, e->value, c, true);
}
