// Reverse mode of accumulators.  Additions commute, so the adjoint of the final array is the
// sensitivity of every single addition: inside, it is a read-only array C, and the accumulator
// itself is gone from re-executed code.  For an accumulator that overwrites (no cell twice) the
// same holds, but the cells written do not pass anything on to the array that was there before.
#include "local.h"

static bool adds(const Operator *op) {
  Op kind;
  Prim p;
  return op->op && lambda_is_op(op->op, &kind, &p) && (kind == OP_ADD || kind == OP_OR);
}

// The withacc again, on ysB, with zeros in place of all values: ysB with the cells written zero.
static Atoms cells_cleared(Vjp *v, const Stm *stm, const Atom *C) {
  const struct withacc_form *e = &stm->exp.withacc;
  Builder *b = vjp_builder(v);
  Stm again = *stm;
  VarSet outer = v->cleared;
  v->cleared = varset_new(vjp_arena(v));
  again.exp.withacc.arrays = (Atoms){0};
  for (int k = 0; k < e->arrays.len; k++) {
    bool clear = !e->ops.at[k].op && !atom_absent(C[k]);
    Type type = now_type(v, stm->bound.at[k]);
    varset_add(&v->cleared, e->fn->params.at[k]);
    list_push(vjp_arena(v), &again.exp.withacc.arrays,
              clear ? build_copy(b, C[k]) : build_zero(b, type));
  }
  vjp_copy(v, &again);
  v->cleared = outer;
  Atoms out = {0};
  for (int k = 0; k < e->arrays.len; k++)
    list_push(vjp_arena(v), &out, now(v, atom_var(stm->bound.at[k])));
  return out;
}

static bool any_overwrites(const struct withacc_form *e, const Atom *C) {
  for (int k = 0; k < e->arrays.len; k++)
    if (!e->ops.at[k].op && !atom_absent(C[k])) return true;
  return false;
}

//   (ys.., rs..) = withacc xs.. (\acc.. -> body)
//   C = ysB;  revBody(body) seeded by rsB;  xsB += ysB, or ysB with the cells written cleared
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
    check(!e->ops.at[k].op || adds(&e->ops.at[k]));  // prepare_acc.c
    C[k] = atom_none();
    Adj yB = adj_get(v, stm->bound.at[k]);
    if (yB.kind != ADJ_ZERO) C[k] = adj_dense(v, yB, now_type(v, stm->bound.at[k]), &owned[k]);
    map_put(v->cotangents, e->fn->params.at[k].id, &C[k]);
  }
  vjp_body(v, &e->fn->body, seeds);
  for (int k = 0; k < n; k++) map_put(v->cotangents, e->fn->params.at[k].id, NULL);
  Atoms cleared = {0};
  if (any_overwrites(e, C)) cleared = cells_cleared(v, stm, C);
  for (int k = 0; k < n; k++) {
    if (atom_absent(C[k])) continue;
    bool clear = !e->ops.at[k].op;
    contribute(v, e->arrays.at[k], clear ? cleared.at[k] : C[k], clear || owned[k]);
  }
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
