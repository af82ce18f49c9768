// Histograms of few values into an array that a loop around carries.  Up to four become a scatter:
//
//   ys = hist n (xs..) (ne..) op fn inputs
//     ==>
//   (i_j, v_j) = fn inputs[j]
//   r_j = op (r_l with the last l < j where i_l = i_j, else xs[i_j]) v_j
//   ys = scatter (xs..) [i_0 ..] [r_0 ..]
//
// more of them, or of rows, a loop:
//
//   ys = loop (zs.. = xs..) for j < n {
//     (is.., vs..) = fn inputs[j]..
//     in match 0 <= is < k { true -> zs with [is] <- op zs[is].. vs.. ; _ -> zs } }
//
// where n is a constant: loops undo what they update (undo_log.c), where the rules of histograms
// cost the size of xs in every iteration, and keep as many states of it.  Of many values that
// would be less than what undoing them keeps.  Sums stay: their rule costs what they add, and what
// was there is put back (hist_is_undone).
#include "ad/common/local.h"

enum {
  FEW = 64,     // values whose rows an iteration may push
  STRAIGHT = 4  // values that are compared with each other
};

bool hist_is_small(const Prog *prog, const struct hist_form *e) {
  return !e->width.is_var && e->width.value.i <= FEW && prog_may(prog, SWITCH_HIST_LOOPS);
}

bool hist_restores(const Prog *prog, const struct hist_form *e) {
  return e->rank == 1 && rule_is_sum(prog, e->op) && hist_is_small(prog, e);
}

static Atom in_range(Builder *b, Atoms is, Type array) {
  Atom ok = atom_bool(true);
  for (int k = 0; k < is.len; k++)
    ok = build_op(b, OP_AND, ok, build_in_range(b, is.at[k], array.dims[k]));
  return ok;
}

// Results of the branch: the arrays with what the operator makes of the cells and the values.
static Atoms cells_updated(Builder *b, const struct hist_form *e, Atoms zs, Atoms is, Atoms vs) {
  Arena *arena = b->prog->arena;
  Atoms cells = {0}, out = {0};
  for (int k = 0; k < zs.len; k++) {
    Atom cell = build_index(b, zs.at[k], is);
    list_push(arena, &cells, atom_type(b->prog, cell).rank ? build_copy(b, cell) : cell);
  }
  Atoms made = lambda_inline(b, e->op, atoms_concat(arena, cells, vs));
  for (int k = 0; k < zs.len; k++)
    list_push(arena, &out, build_update(b, zs.at[k], is, made.at[k]));
  return out;
}

static Lambda *one_value(Prog *prog, const struct hist_form *e) {
  Arena *arena = prog->arena;
  Lambda *fn = NEW(arena, Lambda);
  Builder b = builder_new(prog, &fn->body.stms);
  Atoms args = {0}, zs = {0};
  Var j = var_new(prog, "j", type_scalar(PRIM_I64));
  list_push(arena, &fn->params, j);
  for (int k = 0; k < e->dests.len; k++) {
    Type t = type_fresh(atom_type(prog, e->dests.at[k]));
    t.unique = true;
    list_push(arena, &fn->params, var_new(prog, "bins", t));
    list_push(arena, &fn->rets, t);
    list_push(arena, &zs, atom_var(fn->params.at[1 + k]));
  }
  for (int i = 0; i < e->inputs.len; i++)
    list_push(arena, &args, build_index(&b, e->inputs.at[i], atoms1(arena, atom_var(j))));
  Atoms out = lambda_inline(&b, e->fn, args);
  Atoms is = atoms_slice(out, 0, (int)e->rank);
  Atoms vs = atoms_slice(out, (int)e->rank, zs.len);
  Exp exp = {.form = FORM_MATCH};
  exp.match.args = atoms1(arena, in_range(&b, is, atom_type(prog, zs.at[0])));
  Case yes = {0}, no = {.body.results = zs};
  list_push(arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  Builder then = builder_new(prog, &yes.body.stms);
  yes.body.results = cells_updated(&then, e, zs, is, vs);
  list_push(arena, &exp.match.cases, yes);
  list_push(arena, &exp.match.cases, no);
  fn->body.results = atoms_of_vars(arena, build_exp(&b, NULL, exp));
  return fn;
}

static Stm as_loop(Prog *prog, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Stm out = *stm;
  out.exp = (Exp){.form = FORM_LOOP,
                  .loop = {.is_for = true, .bound = e->width, .inits = e->dests,
                           .fn = one_value(prog, e)}};
  return out;
}

// ---- up to four values
static Atom cell_before(Builder *b, const struct hist_form *e, int k, Atom i) {
  Atom dest = e->dests.at[k];
  Type t = atom_type(b->prog, dest);
  PickBuilder p = pick_begin(b, build_in_range(b, i, t.dims[0]));
  Atom cell = build_index(&p.then, dest, atoms1(b->prog->arena, i));
  return pick_end(&p, type_scalar(t.prim), cell, e->neutral.at[k]);
}

// The values of one hist, number j in made[j], as they are when all before them have come.
static void values_made(Builder *b, const struct hist_form *e, Atoms *is, Atoms *made) {
  Arena *arena = b->prog->arena;
  int m = e->dests.len;
  for (int j = 0; j < e->width.value.i; j++) {
    Atoms args = {0}, cells = {0};
    for (int i = 0; i < e->inputs.len; i++)
      list_push(arena, &args, build_index(b, e->inputs.at[i], atoms1(arena, atom_i64(j))));
    Atoms value = lambda_inline(b, e->fn, args);
    list_push(arena, is, value.at[0]);
    for (int k = 0; k < m; k++) {
      Atom cell = cell_before(b, e, k, is->at[j]);
      for (int l = 0; l < j; l++)
        cell = build_select(b, build_op(b, OP_EQ, is->at[l], is->at[j]), made[l].at[k], cell);
      list_push(arena, &cells, cell);
    }
    made[j] = lambda_inline(b, e->op, atoms_concat(arena, cells, atoms_slice(value, 1, m)));
  }
}

static Atom row_of(Builder *b, Atoms elems) {
  return build_literal(b, NULL, atom_type(b->prog, elems.at[0]).prim, elems);
}

static Stm as_scatter(Builder *b, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Arena *arena = b->prog->arena;
  Atoms is = {0}, made[STRAIGHT];
  values_made(b, e, &is, made);
  Atoms inputs = atoms1(arena, row_of(b, is));
  for (int k = 0; k < e->dests.len; k++) {
    Atoms column = {0};
    for (int j = 0; j < is.len; j++) list_push(arena, &column, made[j].at[k]);
    list_push(arena, &inputs, row_of(b, column));
  }
  Stm out = *stm;
  out.exp = (Exp){.form = FORM_SCATTER,
                  .scatter = {.width = e->width, .rank = 1, .dests = e->dests, .inputs = inputs,
                              .fn = lambda_identity(b->prog, types_rows(b->prog, inputs))}};
  return out;
}

void hist_to_loop(Prog *prog, const Stm *stm, Stms *out) {
  const struct hist_form *e = &stm->exp.hist;
  bool straight = e->rank == 1 && e->width.value.i > 0 && e->width.value.i <= STRAIGHT;
  for (int k = 0; k < e->dests.len; k++)
    straight = straight && atom_type(prog, e->dests.at[k]).rank == 1;
  Builder b = builder_new(prog, out);
  b.loc = stm->loc;
  Stm last = straight ? as_scatter(&b, stm) : as_loop(prog, stm);
  list_push(prog->arena, out, last);
}
