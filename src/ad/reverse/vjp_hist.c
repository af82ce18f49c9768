// Reverse mode of reduce_by_index: xs = hist dst is vs with operator op, bins 0 <= b < k.
#include "ad/common/local.h"

typedef struct {
  Atom winners;  // min, max: per bin, the index of the value that won, -1: the destination
  Atoms seen;    // any other operator: per value, what was in its bin when it came
  Atom rows;     // where rows are put back: their previous contents; none where nothing reads them
} HistSave;

static Atoms build_hist(Builder *b, Atom width, Atoms dests, Atoms neutral, const Lambda *op,
                        Atom is, Atoms vs) {
  Atoms inputs = atoms_concat(b->prog->arena, atoms1(b->prog->arena, is), vs);
  Exp exp = {.form = FORM_HIST,
             .hist = {.width = width, .rank = 1, .dests = dests, .neutral = neutral,
                      .op = lambda_copy(b, op),
                      .fn = lambda_identity(b->prog, types_rows(b->prog, inputs)),
                      .inputs = inputs}};
  return atoms_of_vars(b->prog->arena, build_exp(b, NULL, exp));
}

static void forward_extremum(Vjp *v, const Stm *stm, HistSave *save, Op kind, Prim p) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Atom width = primal_of(v, e->width), dst = primal_of(v, e->dests.at[0]);
  Atom none = build_replicate(b, atoms1(arena, atom_width(b->prog, dst)), atom_i64(-1));
  Atoms out = build_hist(b, width, atoms2(arena, dst, none),
                         atoms2(arena, primal_of(v, e->neutral.at[0]), atom_i64(-1)),
                         extremum_operator(v, kind, p), primal_of(v, e->inputs.at[0]),
                         atoms2(arena, primal_of(v, e->inputs.at[1]), build_iota(b, width)));
  rewrite_bind(&v->w, stm->bound.at[0], out.at[0]);
  save->winners = out.at[1];
}

void vjp_hist_forward(Vjp *v, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  HistSave *save = NEW(vjp_arena(v), HistSave);
  Op kind;
  Prim p;
  save_put(v, stm, save);
  save->rows = atom_none();
  bool kept = varset_has_atom(&v->restore, e->dests.at[0]), undone = hist_restores(v->w.from, e);
  if (undone && kept)
    save->rows =
        build_gather(vjp_builder(v), primal_of(v, e->dests.at[0]), primal_of(v, e->inputs.at[0]));
  if (undone || !kept) varset_add_atom(&v->overwritten, e->dests.at[0]);
  if (rule_is_sum(v->w.from, e->op)) vjp_copy(v, stm);
  else if (operator_is_extremum(v->w.from, e->op, &kind, &p))
    forward_extremum(v, stm, save, kind, p);
  else save->seen = vjp_hist_tape(v, stm);
}

//   op = (+):  vsB_i += xsB[is_i] where in range;  dstB += xsB
static void vjp_hist_sum(Vjp *v, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  bool owned;
  Atom xB = adj_dense(v, adj_get(v, stm->bound.at[0]), primal_type(v, stm->bound.at[0]), &owned);
  if (is_varied(v, e->inputs.at[1]))
    contribute(v, e->inputs.at[1], build_gather(b, xB, primal_of(v, e->inputs.at[0])), true);
  contribute(v, e->dests.at[0], xB, owned);
}

//   min, max:  vsB_i += xsB[is_i] if winner[is_i] == i;  dstB_b += xsB_b if winner_b == -1
static void vjp_hist_extremum(Vjp *v, const Stm *stm, const HistSave *save) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  Atom xB = adj_value(v, stm->bound.at[0]), width = primal_of(v, e->width);
  Type row = type_scalar(atom_type(b->prog, xB).prim);
  Atom zero = atom_number(row.prim, 0), size = atom_width(b->prog, xB);
  if (is_varied(v, e->inputs.at[1])) {
    MapBuilder m = map_begin(b, width, atoms2(vjp_arena(v), primal_of(v, e->inputs.at[0]),
                                              build_iota(b, width)));
    Atom i = map_param(&m, 0);
    PickBuilder p = pick_begin(&m.lb.inner, build_in_range(&m.lb.inner, i, size));
    Atoms at = atoms1(vjp_arena(v), i);
    Atom won = build_op(&p.then, OP_EQ, build_index(&p.then, save->winners, at),
                        map_param(&m, 1));
    Atom c = build_select(&p.then, won, build_index(&p.then, xB, at), zero);
    contribute(v, e->inputs.at[1], map_end1(&m, "adj", pick_end(&p, row, c, zero)), true);
  }
  if (is_varied(v, e->dests.at[0])) {
    MapBuilder m = map_begin(b, size, atoms2(vjp_arena(v), xB, save->winners));
    Atom kept = build_op(&m.lb.inner, OP_LT, map_param(&m, 1), atom_i64(0));
    Atom c = build_select(&m.lb.inner, kept, map_param(&m, 0), zero);
    contribute(v, e->dests.at[0], map_end1(&m, "adj", c), true);
  }
}

void vjp_hist(Vjp *v, Stms before, const Stm *stm) {
  const HistSave *save = save_get(v, stm);
  Op kind;
  Prim p;
  // where indices are equal, so are the rows that were there
  if (save && !atom_absent(save->rows)) {
    rows_put_back(v, stm, 0, primal_of(v, stm->exp.hist.inputs.at[0]), save->rows);
    recompute_views(v, before, atoms_slice(stm->exp.hist.dests, 0, 1));
  }
  if (adj_is_zero(v, stm->bound.at[0]) && stm->bound.len == 1) return;
  if (rule_is_sum(v->w.from, stm->exp.hist.op)) vjp_hist_sum(v, stm);
  else if (operator_is_extremum(v->w.from, stm->exp.hist.op, &kind, &p))
    vjp_hist_extremum(v, stm, save);
  else vjp_hist_general(v, stm, save->seen);
}
