// Accumulators.  An accumulator over elements with several leaves is one core accumulator per
// leaf, written together.
#include "local.h"

static Val *acc_val(Elab *e, const Sem *elem, Atoms leaves) {
  Val *v = val_array(e, elem, leaves);
  v->tag = VAL_ACC;
  return v;
}

// ---- accumulators as loops ------------------------------------------------------------------
// An operator that combines the leaves of an element with each other has no core accumulator: the
// stream becomes a loop, the accumulator a value of plain arrays that a write reads and updates.
static Val *seq_write(Elab *e, Val *acc, Atom i, Val *v) {
  Atoms old = acc->array.leaves, unchanged = old, leaves = {0};
  Branch yes = {0}, no = {0};
  Atom n = dim_of(e, old.at[0], 0);
  Atom in = build_op(&e->b, OP_AND, emit_op(e, OP_LE, atom_i64(0), i), emit_op(e, OP_LT, i, n));
  scope_open(e, &yes.scope);
  Val *array = val_array(e, acc->array.elem, old);
  Val *r = apply2(e, e->seq_op, val_copy(e, array_row(e, array, i, true)), v);
  Atoms values = leaves_as(e, r, row_types(e, old), "Row shape of value differs: %d and %d.");
  for (int k = 0; k < values.len; k++) {
    consume(e, old.at[k]);
    list_push(e->arena, &leaves,
              build_update(&e->b, old.at[k], atom_list1(e, i), values.at[k]));
  }
  yes.val = val_array(e, acc->array.elem, leaves);
  scope_close(e, &yes.scope);
  scope_open(e, &no.scope);
  scope_close(e, &no.scope);
  no.val = val_array(e, acc->array.elem, unchanged);
  return acc_val(e, acc->array.elem, emit_if(e, in, &yes, &no)->array.leaves);
}

// loop acc = dest for x in xs do f acc x
static Val *seq_stream(Elab *e, Val *dest, Val *op, Val *f, Val *xs) {
  Val *outer_op = e->seq_op;
  Atoms inits = dest->array.leaves;
  Types types = types_of_atoms(e->prog, inits);
  e->seq_op = op;
  Scope s;
  scope_open(e, &s);
  Vars accs = lambda_params(e, "acc", types), params = {0};
  Var i = var_new(e->prog, "i", type_scalar(PRIM_I64));
  Val *acc = acc_val(e, dest->array.elem, atoms_of_vars(e->arena, accs));
  Val *r = apply2(e, f, acc, array_row(e, xs, atom_var(i), true));
  Atoms results = r->array.leaves;
  list_push(e->arena, &params, i);
  for (int k = 0; k < accs.len; k++) {
    e->prog->vars.at[accs.at[k].id].type.unique = true;
    list_push(e->arena, &params, accs.at[k]);
    consume(e, inits.at[k]);
  }
  Lambda *fn = close_lambda(e, &s, params, results);
  e->seq_op = outer_op;
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = val_size(e, xs), .inits = inits, .fn = fn}};
  Vars out = build_many(&e->b, "acc", types, exp);
  return val_array(e, dest->array.elem, atoms_of_vars(e->arena, out));
}

Val *acc_write(Elab *e, Val *acc, Atom i, Val *v) {
  check(acc->tag == VAL_ACC);
  if (!atom_type(e->prog, acc->array.leaves.at[0]).is_acc) return seq_write(e, acc, i, v);
  Types rows = {0};
  for (int k = 0; k < acc->array.leaves.len; k++) {
    Type t = atom_type(e->prog, acc->array.leaves.at[k]);
    t.is_acc = false;
    list_push(e->arena, &rows, type_row(t));
  }
  Atoms values = leaves_as(e, v, rows, "Row shape of value differs from accumulator's: %d and %d.");
  Atoms leaves = {0};
  for (int k = 0; k < values.len; k++) {
    Atom a = acc->array.leaves.at[k];
    Exp exp = {.form = FORM_UPDATEACC, .updateacc = {a, atom_list1(e, i), values.at[k]}};
    list_push(e->arena, &leaves, emit(e, "acc", atom_type(e->prog, a), exp));
  }
  return acc_val(e, acc->array.elem, leaves);
}

// ---- the operator of hist_stream, as a scalar operator per leaf -----------------------------

// A row operator that is `map2 g` elementwise comes down to g.
static const Lambda *scalar_part(const Lambda *fn, Elab *e) {
  while (fn->params.len == 2 && var_type(e->prog, fn->params.at[0]).rank > 0) {
    if (fn->body.stms.len != 1) return NULL;
    const Exp *exp = &fn->body.stms.at[0].exp;
    if (exp->form != FORM_MAP || exp->map.inputs.len != 2) return NULL;
    if (!atom_is_var(exp->map.inputs.at[0], fn->params.at[0]) ||
        !atom_is_var(exp->map.inputs.at[1], fn->params.at[1]))
      return NULL;
    fn = exp->map.fn;
  }
  return fn;
}

static Lambda *part_of(Elab *e, const Lambda *all, int k, int i) {
  Lambda *fn = NEW(e->arena, Lambda);
  list_push(e->arena, &fn->params, all->params.at[i]);
  list_push(e->arena, &fn->params, all->params.at[k + i]);
  list_push(e->arena, &fn->rets, all->rets.at[i]);
  list_push(e->arena, &fn->body.results, all->body.results.at[i]);
  fn->body.stms = all->body.stms;
  Vars free = lambda_free(e->prog, e->arena, fn);
  for (int f = 0; f < free.len; f++)
    for (int p = 0; p < all->params.len; p++)
      if (free.at[f].id == all->params.at[p].id) return NULL;
  return lambda_copy(&e->b, fn);
}

// False: the operator does not act on each number alone.
static bool leaf_operators(Elab *e, Val *op, Val *ne, const Val *dest, Operators *out) {
  int k = dest->array.leaves.len;
  if (!op) {
    for (int i = 0; i < k; i++) list_push(e->arena, out, (Operator){0});
    return true;
  }
  Types rows = row_types(e, dest->array.leaves);
  Scope s;
  scope_open(e, &s);
  Vars a = lambda_params(e, "a", rows), b = lambda_params(e, "b", rows), params = {0};
  Val *r = apply2(e, op, val_build(e, dest->array.elem, atoms_of_vars(e->arena, a).at),
                  val_build(e, dest->array.elem, atoms_of_vars(e->arena, b).at));
  Atoms results = leaves_as(e, r, rows, "Row shape of operator's result differs: %d and %d.");
  for (int i = 0; i < k; i++) list_push(e->arena, &params, a.at[i]);
  for (int i = 0; i < k; i++) list_push(e->arena, &params, b.at[i]);
  Lambda *all = close_lambda(e, &s, params, results);
  Atoms neutral = leaves_as(e, ne, rows, "Shape of neutral element differs: %d and %d.");
  for (int i = 0; i < k; i++) {
    Lambda *part = k == 1 ? all : part_of(e, all, k, i);
    const Lambda *scalar = part ? scalar_part(part, e) : NULL;
    if (!scalar) return false;
    Operator o = {.op = (Lambda *)scalar, .comm = true};
    Prim p = atom_type(e->prog, neutral.at[i]).prim;
    Atom zero = atom_type(e->prog, neutral.at[i]).rank == 0 ? neutral.at[i] : atom_number(p, 0);
    list_push(e->arena, &o.neutral, zero);
    list_push(e->arena, out, o);
  }
  return true;
}

// The parameters of WITHACC's lambda: write-only views of the leaves, each its own token.
static Vars acc_params(Elab *e, const Val *dest) {
  Vars out = {0};
  for (int i = 0; i < dest->array.leaves.len; i++) {
    Type t = atom_type(e->prog, dest->array.leaves.at[i]);
    t.is_acc = true;
    t.index_rank = 1;
    Var v = var_new(e->prog, "acc", t);
    e->prog->vars.at[v.id].type.token = v;
    list_push(e->arena, &out, v);
  }
  return out;
}

// map over (acc, row) inside the lambda of WITHACC.
static Atoms stream_map(Elab *e, const Val *dest, Vars accs, Val *f, Val *xs) {
  const Loc *loc = e->b.loc;
  Atoms inputs = atoms_concat(e->arena, atoms_of_vars(e->arena, accs), xs->array.leaves);
  int k = accs.len;
  Scope s;
  scope_open(e, &s);
  Vars params = lambda_params(e, "x", row_types(e, inputs));
  Vars acc_part = {.at = params.at, .len = k};
  Atoms rows = atoms_of_vars(e->arena, params);
  Val *row = val_build(e, xs->array.elem, rows.at + k);
  Val *r = apply2(e, f, acc_val(e, dest->array.elem, atoms_of_vars(e->arena, acc_part)), row);
  e->b.loc = loc;
  Lambda *fn = close_lambda(e, &s, params, val_atoms(e, r));
  Exp exp = {.form = FORM_MAP, .map = {val_size(e, xs), fn, inputs}};
  Vars out = build_many(&e->b, "acc", types_of_vars(e->prog, accs), exp);
  return atoms_of_vars(e->arena, out);
}

// op NULL: the stream overwrites.
Val *acc_stream(Elab *e, Val *dest, Val *op, Val *ne, Val *f, Val *xs) {
  if (dest->tag == VAL_HOLE) dest = val_zero(e, dest->hole.sem);
  if (xs->tag == VAL_HOLE) xs = val_zero(e, xs->hole.sem);
  Operators ops = {0};
  if (!leaf_operators(e, op, ne, dest, &ops)) return seq_stream(e, dest, op, f, xs);
  Ints ranks = {0};
  for (int i = 0; i < dest->array.leaves.len; i++) list_push(e->arena, &ranks, 1);
  Scope s;
  scope_open(e, &s);
  Vars accs = acc_params(e, dest);
  Atoms results = stream_map(e, dest, accs, f, xs);
  Lambda *fn = close_lambda(e, &s, accs, results);
  Exp exp = {.form = FORM_WITHACC, .withacc = {dest->array.leaves, ranks, ops, fn}};
  for (int i = 0; i < dest->array.leaves.len; i++) consume(e, dest->array.leaves.at[i]);
  Vars out = build_many(&e->b, "acc", types_of_atoms(e->prog, dest->array.leaves), exp);
  return val_array(e, dest->array.elem, atoms_of_vars(e->arena, out));
}
