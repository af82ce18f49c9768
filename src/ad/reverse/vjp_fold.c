// Folds from the left, run back: a loop over the values from the last to the first that carries the
// adjoints of the states and of the operator's free variables f,
//   sB, x_iB = J op(s_i, x_i)^T sB    fB += its share
// where s_i is the state that value x_i came to (vjp_hist_fold.c, vjp_reduce_fold.c).
#include "fold.h"

// ---- a loop whose parameters are unique
static Type carry_type(const Prog *prog, Atom init) {
  Type t = type_fresh(atom_type(prog, init));
  t.unique = t.rank > 0 && !t.is_acc;
  return t;
}

void carry_begin(CarryLoop *r, Builder *b, const char *hint, Atom width, Atoms inits) {
  Arena *arena = b->prog->arena;
  Types types = {0};
  list_push(arena, &types, type_scalar(PRIM_I64));
  for (int k = 0; k < inits.len; k++) list_push(arena, &types, carry_type(b->prog, inits.at[k]));
  *r =
      (CarryLoop){.lb = lambda_begin(b, hint, types), .hint = hint, .width = width, .inits = inits};
  r->in = &r->lb.inner;
  Atoms params = atoms_of_vars(arena, r->lb.lambda->params);
  r->i = params.at[0];
  r->params = atoms_slice(params, 1, inits.len);
}

Atoms carry_end(CarryLoop *r, Builder *b, Atoms results, bool reversed) {
  Arena *arena = b->prog->arena;
  Lambda *fn = lambda_end(&r->lb, results);
  Types types = {0};
  for (int k = 0; k < results.len; k++) {
    fn->rets.at[k] = var_type(b->prog, fn->params.at[1 + k]);
    list_push(arena, &types, type_fresh(fn->rets.at[k]));
  }
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = r->width, .fn = fn, .inits = r->inits}};
  Attrs attrs = b->attrs;
  b->attrs.reversed = reversed;
  Vars out = build_many(b, r->hint, types, exp);
  b->attrs = attrs;
  return atoms_of_vars(arena, out);
}

// ---- the fold
// The components whose states' adjoints go round: seeded, or an operand of what is.
static void choose_round(Vjp *v, FoldReverse *f, const bool *varied) {
  bool *seeded = NEW_ARRAY(vjp_arena(v), bool, f->n + 1), changed = true;
  VarSet useful;
  for (int k = 0; k < f->n; k++) seeded[k] = !adj_is_zero(v, f->results.at[k]);
  while (changed) {
    changed = false;
    f->free = useful_free(v, f->op, seeded, &useful);
    for (int k = 0; k < f->n; k++) {
      if (seeded[k] || !varset_has(&useful, f->op->params.at[k])) continue;
      seeded[k] = changed = true;
    }
  }
  for (int k = 0; k < f->n; k++) {
    f->want[k] = seeded[k];
    f->want[f->n + k] = varied[k] && varset_has(&useful, f->op->params.at[f->n + k]);
    if (seeded[k]) list_push(vjp_arena(v), &f->round, f->states.at[k]);
  }
  for (int i = 0; i < f->free.len; i++) list_push(vjp_arena(v), &f->round, f->free.at[i]);
}

FoldReverse fold_reverse(Vjp *v, const Lambda *op, Vars results, Atoms inputs) {
  Prog *prog = v->w.to.prog;
  FoldReverse f = {.op = lambda_copy(vjp_builder(v), op), .n = results.len, .results = results};
  bool *varied = NEW_ARRAY(prog->arena, bool, f.n + 1);
  f.want = NEW_ARRAY(prog->arena, bool, 2 * f.n + 1);
  for (int k = 0; k < f.n; k++) {
    Type row = type_fresh(rewrite_type(&v->w, var_type(v->w.from, op->params.at[k])));
    list_push(prog->arena, &f.states, var_new(prog, "state", primal_type(v, results.at[k])));
    list_push(prog->arena, &f.values, var_new(prog, "value", row));
    f.want[k] = is_varied(v, atom_var(results.at[k]));
    f.want[f.n + k] = varied[k] = is_varied(v, inputs.at[k]);
  }
  activate(v, f.op, f.want);
  choose_round(v, &f, varied);
  for (int k = 0; k < f.n; k++)
    if (f.want[k]) adj_set(v, f.states.at[k], adj_val(adj_owned(v, results.at[k]), true));
  return f;
}

static Atom row_adjoint(Vjp *v, Var operand, Type row) {
  bool owned;
  Atom value = adj_dense(v, adj_get(v, operand), row, &owned);
  return owned || row.rank == 0 ? value : build_copy(vjp_builder(v), value);
}

Atoms fold_step_reverse(Vjp *v, const FoldReverse *f, Atoms operands, const Adj *seeds) {
  Atoms states = {0};
  for (int k = 0; k < 2 * f->n; k++) rewrite_bind(&v->w, f->op->params.at[k], operands.at[k]);
  v->maps++;
  vjp_body(v, &f->op->body, seeds);
  v->maps--;
  for (int k = 0; k < f->n; k++) {
    Type row = var_type(v->w.to.prog, f->values.at[k]);
    list_push(vjp_arena(v), &states,
              f->want[k] ? row_adjoint(v, f->op->params.at[k], row) : atom_none());
    if (!f->want[f->n + k]) continue;
    Atom value = row_adjoint(v, f->op->params.at[f->n + k], row);
    adj_set(v, f->values.at[k], adj_val(value, true));
  }
  return states;
}

Atom carry_value(Vjp *v, Var x) {
  Adj adj = adj_get(v, x);
  if (adj.kind == ADJ_ACC) return adj.value;
  return var_type(v->w.from, x).rank ? adj_owned(v, x) : adj_value(v, x);
}

void carry_set(Vjp *v, Var x, Atom value) {
  Adj adj = adj_get(v, x);
  adj_set(v, x, adj.kind == ADJ_ACC ? (Adj){.kind = ADJ_ACC, .value = value}
                                    : adj_val(value, true));
}
