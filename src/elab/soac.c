// Second-order combinators: a closure applied once, to the leaves of a row, inside a lambda.
#include "local.h"

Types row_types(Elab *e, Atoms arrays) {
  Types out = {0};
  for (int i = 0; i < arrays.len; i++) {
    Type t = atom_type(e->prog, arrays.at[i]);
    list_push(e->arena, &out, t.is_acc ? t : type_row(t));
  }
  return out;
}

Vars lambda_params(Elab *e, const char *hint, Types types) {
  Vars out = {0};
  for (int i = 0; i < types.len; i++)
    list_push(e->arena, &out, var_new(e->prog, hint, types.at[i]));
  return out;
}

// The leaves of a value that is meant to have these types.
Atoms leaves_as(Elab *e, const Val *v, Types types, const char *message) {
  Atoms out = {0};
  val_leaves(e, v, &out);
  if (out.len == 0 && types.len == 1 && types.at[0].prim == PRIM_UNIT)
    list_push(e->arena, &out, atom_scalar((Scalar){.prim = PRIM_UNIT}));
  check(out.len == types.len);
  for (int i = 0; i < out.len; i++) {
    Type t = types.at[i];
    if (is_blank(out.at[i]))
      out.at[i] = leaf_zero(e, (Leaf){t.prim, t.rank, t.is_acc, t.dims, false});
    else if (t.rank > 0 && !t.is_acc)
      out.at[i] = emit_shaped(e, out.at[i], atoms_of(e->arena, t.rank, t.dims), message);
  }
  return out;
}

static Val *solid(Elab *e, Val *v) {
  return v->tag == VAL_HOLE ? val_zero(e, v->hole.sem) : v;
}

static const Loc *soac_loc(Elab *e) { return e->b.loc; }

Val *soac_map(Elab *e, Val *f, Val *xs) {
  xs = solid(e, xs);
  const Loc *loc = soac_loc(e);
  Atoms inputs = xs->array.leaves;
  Atom n = val_size(e, xs);
  Scope s;
  scope_open(e, &s);
  Vars params = lambda_params(e, "x", row_types(e, inputs));
  Val *row = val_build(e, xs->array.elem, atoms_of_vars(e->arena, params).at);
  Val *r = apply1(e, f, row);
  const Sem *sem = val_sem(e, r);
  if (val_is_functional(r))
    diag_unsupported(e->diag, loc ? loc->span : (Span){0}, "an array of functions");
  Atoms results = val_atoms(e, r);
  bool empty = results.len == 0;
  if (empty) list_push(e->arena, &results, atom_scalar((Scalar){.prim = PRIM_UNIT}));
  e->b.loc = loc;
  settle_sizes(e, &s, params, inputs, n, &results);
  Lambda *fn = close_lambda(e, &s, params, results);
  Types types = {0};
  for (int i = 0; i < fn->rets.len; i++)
    list_push(e->arena, &types, type_array(e->arena, fn->rets.at[i], n));
  Exp exp = {.form = FORM_MAP, .map = {n, fn, inputs}};
  Vars out = build_many(&e->b, "map", types, exp);
  return val_array(e, sem, atoms_of_vars(e->arena, out));
}

// \a.. b.. -> op a b over values of the given leaf types.
static Lambda *operator_lambda(Elab *e, Val *op, const Sem *sem, Types rows) {
  const Loc *loc = e->b.loc;
  Scope s;
  scope_open(e, &s);
  Vars a = lambda_params(e, "a", rows), b = lambda_params(e, "b", rows), params = {0};
  Val *va = val_build(e, sem, atoms_of_vars(e->arena, a).at);
  Val *vb = val_build(e, sem, atoms_of_vars(e->arena, b).at);
  Val *r = apply2(e, op, va, vb);
  e->b.loc = loc;
  Atoms results = leaves_as(e, r, rows, "Row shape of operator's result differs: %d and %d.");
  for (int i = 0; i < a.len; i++) list_push(e->arena, &params, a.at[i]);
  for (int i = 0; i < b.len; i++) list_push(e->arena, &params, b.at[i]);
  return close_lambda(e, &s, params, results);
}

static const char *const neutral_message =
    "Shape of neutral element differs from row shape: %d and %d.";

Val *soac_reduce(Elab *e, Val *op, Val *ne, Val *xs, bool comm) {
  xs = solid(e, xs);
  Atoms inputs = xs->array.leaves;
  Types rows = row_types(e, inputs);
  if (xs->array.elem->tag == SEM_RECORD && xs->array.elem->len == 0) return ne;
  Atoms neutral = leaves_as(e, ne, rows, neutral_message);
  Lambda *fn = operator_lambda(e, op, xs->array.elem, rows);
  Exp exp = {.form = FORM_REDUCE, .reduce = {val_size(e, xs), comm, fn, neutral, inputs}};
  Vars out = build_many(&e->b, "red", rows, exp);
  return val_build(e, xs->array.elem, atoms_of_vars(e->arena, out).at);
}

Val *soac_scan(Elab *e, Val *op, Val *ne, Val *xs) {
  xs = solid(e, xs);
  Atoms inputs = xs->array.leaves;
  Types rows = row_types(e, inputs);
  if (xs->array.elem->tag == SEM_RECORD && xs->array.elem->len == 0) return xs;
  Atoms neutral = leaves_as(e, ne, rows, neutral_message);
  Lambda *fn = operator_lambda(e, op, xs->array.elem, rows);
  Exp exp = {.form = FORM_SCAN, .scan = {val_size(e, xs), false, fn, neutral, inputs}};
  Vars out = build_many(&e->b, "scan", types_of_atoms(e->prog, inputs), exp);
  return val_array(e, xs->array.elem, atoms_of_vars(e->arena, out));
}

// Indices and values as inputs of hist and scatter, values with the rows of dest.
static Atoms indexed_inputs(Elab *e, const Val *dest, Val *is, Val *vs) {
  is = solid(e, is);
  vs = array_resized(e, solid(e, vs), val_size(e, is),
                     "Sizes of indices and values differ: %d and %d.");
  Atoms inputs = atom_list1(e, is->array.leaves.at[0]);
  for (int i = 0; i < vs->array.leaves.len; i++) {
    Atoms dims = dims_of(e, dest->array.leaves.at[i]);
    dims.at[0] = val_size(e, is);
    list_push(e->arena, &inputs,
              emit_shaped(e, vs->array.leaves.at[i], dims,
                          "Row shape of values differs from destination's: %d and %d."));
  }
  return inputs;
}

static Val *updated(Elab *e, const Val *dest, const char *hint, Exp exp) {
  for (int i = 0; i < dest->array.leaves.len; i++) consume(e, dest->array.leaves.at[i]);
  Vars out = build_many(&e->b, hint, types_of_atoms(e->prog, dest->array.leaves), exp);
  return val_array(e, dest->array.elem, atoms_of_vars(e->arena, out));
}

Val *soac_hist(Elab *e, Val *dest, Val *op, Val *ne, Val *is, Val *as) {
  dest = solid(e, dest);
  Atoms inputs = indexed_inputs(e, dest, is, as);
  Types rows = row_types(e, dest->array.leaves);
  if (dest->array.elem->tag == SEM_RECORD && dest->array.elem->len == 0) return dest;
  Atoms neutral = leaves_as(e, ne, rows, neutral_message);
  Lambda *fn = operator_lambda(e, op, dest->array.elem, rows);
  Exp exp = {.form = FORM_HIST,
             .hist = {dim_of(e, inputs.at[0], 0), 1, dest->array.leaves, neutral, fn,
                      lambda_identity(e->prog, row_types(e, inputs)), inputs}};
  return updated(e, dest, "hist", exp);
}

Val *soac_scatter(Elab *e, Val *dest, Val *is, Val *vs) {
  dest = solid(e, dest);
  Atoms inputs = indexed_inputs(e, dest, is, vs);
  Exp exp = {.form = FORM_SCATTER,
             .scatter = {dim_of(e, inputs.at[0], 0), 1, dest->array.leaves,
                         lambda_identity(e->prog, row_types(e, inputs)), inputs}};
  return updated(e, dest, "scatter", exp);
}
