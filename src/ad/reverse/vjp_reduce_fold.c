// Reverse mode of reduce as what it is from the left, a fold:
//   y = reduce op ne as      s_i = a_0 . .. . a_(i-1)      an exclusive scan
//   loop (b.., fB.., cs..) = (yB.., fB.., scratch..) for i = n-1 .. 0 {
//     b, cs[i] = J op(s_i, a_i)^T b    fB += its share }
//   asB += cs
// One application of op and one of its adjoint code for each element, where two scans and a map
// (vjp_reduce.c) apply op four times.
#include "fold.h"

// Inside a map, whose iterations run in parallel.  A built-in operation runs in SIMD lanes
// as a scan, and not as a loop.
bool reduce_is_fold(const Vjp *v, const Lambda *op) {
  Op kind;
  Prim p;
  return v->maps > 0 && !lambda_is_op(op, &kind, &p) && prog_may(v->w.from, SWITCH_FOLDS);
}

// Whether states made by forward sweep take no more memory than made by adjoint code: that of the
// same scope reads them, and until then there are only numbers.
bool states_in_forward(const Vjp *v, const Stm *stm) {
  const Stms *stms = &v->body->stms;
  int at = 0;
  while (at < stms->len && &stms->at[at] != stm) at++;
  for (int k = 0; k < stm->bound.len; k++)
    if (var_type(v->w.from, stm->bound.at[k]).rank > 0) return false;
  for (int i = at + 1; i < stms->len; i++) {
    Form form = stms->at[i].exp.form;
    if (form != FORM_PRIM && form != FORM_CONV) return false;
  }
  return at < stms->len;
}

static Atoms rows_at(Builder *b, Atoms arrays, Atom i) {
  Atoms rows = {0};
  for (int k = 0; k < arrays.len; k++)
    list_push(b->prog->arena, &rows, build_index(b, arrays.at[k], atoms1(b->prog->arena, i)));
  return rows;
}

// The loop-carried values: adjoints, and for each value wanted an array of its adjoints.  (The
// states' arrays would have room for these, but then they are not made where they are to go: 1.3
// times the time.)
static Atoms fold_inits(Vjp *v, const FoldReverse *f, Atom width) {
  Atoms inits = {0};
  for (int k = 0; k < f->round.len; k++)
    list_push(vjp_arena(v), &inits, carry_value(v, f->round.at[k]));
  for (int k = 0; k < f->n; k++) {
    if (!f->want[f->n + k]) continue;
    Type t = type_array(vjp_arena(v), var_type(v->w.from, f->values.at[k]), width);
    list_push(vjp_arena(v), &inits, build_scratch(vjp_builder(v), t));
  }
  return inits;
}

static Atoms fold_iteration(Vjp *v, const FoldReverse *f, const CarryLoop *r, Atoms arrays) {
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  int at = f->round.len;
  Atoms results = {0};
  Adj *seeds = NEW_ARRAY(arena, Adj, f->n + 1);
  Atom i = build_op(b, OP_SUB, build_op(b, OP_SUB, r->width, atom_i64(1)), r->i);
  for (int k = 0; k < at; k++) carry_set(v, f->round.at[k], r->params.at[k]);
  for (int k = 0; k < f->n; k++)
    if (f->want[k]) seeds[k] = adj_get(v, f->states.at[k]);
  Atoms states = fold_step_reverse(v, f, rows_at(b, arrays, i), seeds);
  for (int k = 0; k < f->n; k++)
    if (f->want[k]) list_push(arena, &results, states.at[k]);
  for (int k = 0; k < f->free.len; k++)
    list_push(arena, &results, carry_value(v, f->free.at[k]));
  for (int k = 0; k < f->n; k++) {
    if (!f->want[f->n + k]) continue;
    Atom row = carry_value(v, f->values.at[k]);
    list_push(arena, &results, build_update(b, r->params.at[at++], atoms1(arena, i), row));
  }
  return results;
}

static Atoms build_states(Vjp *v, const struct reduce_form *e) {
  return build_scan_exclusive(vjp_builder(v), primal_of(v, e->width), rewrite_lambda(&v->w, e->op),
                              rewrite_atoms(&v->w, e->neutral), rewrite_atoms(&v->w, e->inputs));
}

//   s = scan..    y = if 0 < n then op(s_(n-1), a_(n-1)) else ne
Atoms vjp_reduce_states(Vjp *v, const Stm *stm) {
  const struct reduce_form *e = &stm->exp.reduce;
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Atom width = primal_of(v, e->width);
  Atoms states = build_states(v, e), ne = rewrite_atoms(&v->w, e->neutral);
  Exp exp = {.form = FORM_MATCH,
             .match = {.args = atoms1(arena, build_op(b, OP_LT, atom_i64(0), width))}};
  Case some = {0}, none = {.body = {.results = ne}};
  Builder in = builder_new(b->prog, &some.body.stms);
  in.loc = b->loc;
  Atom last = build_op(&in, OP_SUB, width, atom_i64(1));
  Atoms all = atoms_concat(arena, states, rewrite_atoms(&v->w, e->inputs));
  some.body.results = lambda_inline(&in, rewrite_lambda(&v->w, e->op), rows_at(&in, all, last));
  list_push(arena, &some.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(arena, &exp.match.cases, some);
  list_push(arena, &exp.match.cases, none);
  Vars ys = build_many(b, "fold", types_of_atoms(b->prog, ne), exp);
  for (int k = 0; k < stm->bound.len; k++)
    rewrite_bind(&v->w, stm->bound.at[k], atom_var(ys.at[k]));
  return states;
}

void vjp_reduce_fold(Vjp *v, const Stm *stm, Atoms states) {
  const struct reduce_form *e = &stm->exp.reduce;
  Builder outer = v->w.to;
  Atom width = primal_of(v, e->width);
  Atoms as = rewrite_atoms(&v->w, e->inputs);
  if (states.len == 0) states = build_states(v, e);
  FoldReverse f = fold_reverse(v, e->op, stm->bound, e->inputs);
  CarryLoop r;
  carry_begin(&r, &outer, "adj", width, fold_inits(v, &f, width));
  int mark = scope_begin(v), at = f.round.len - f.free.len;
  v->w.to = r.lb.inner;
  Atoms results = fold_iteration(v, &f, &r, atoms_concat(vjp_arena(v), states, as));
  scope_end(v, mark);
  v->w.to = outer;
  Atoms out = carry_end(&r, vjp_builder(v), results, true);
  for (int i = 0; i < f.free.len; i++) carry_set(v, f.free.at[i], out.at[at++]);
  for (int k = 0; k < f.n; k++)
    if (f.want[f.n + k]) contribute(v, e->inputs.at[k], out.at[at++], true);
}
