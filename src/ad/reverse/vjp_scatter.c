// Reverse mode of scatter.  Where indices repeat, the last wins, so only it gets the adjoint:
//   t0 = scratch [k]; t1 = scatter t0 is (iota n)
//   is' = map (\i j -> if 0 <= i < k and t1[i] == j then i else -1) is (iota n)
// Few indices, a constant number of them, are compared with each other:
//   is'_j = if is_j is among is_(j+1) .. then -1 else is_j    (in range or not: never read there)
#include "ad/common/local.h"

typedef struct {
  Atom winners;  // is'
  Atoms saved;   // per dest: the rows that were overwritten
} ScatterSave;

Atom build_scatter(Builder *b, Atom width, Atom dest, Atom is, Atom values) {
  Atoms inputs = atoms2(b->prog->arena, is, values);
  Exp exp = {.form = FORM_SCATTER,
             .scatter = {.width = width, .rank = 1, .dests = atoms1(b->prog->arena, dest),
                         .fn = lambda_identity(b->prog, types_rows(b->prog, inputs)),
                         .inputs = inputs}};
  return build_exp1(b, NULL, exp);
}

enum { FEW = 4 };

static Atom winners_of_few(Builder *b, int n, Atom is) {
  Arena *arena = b->prog->arena;
  Atoms at = {0}, won = {0};
  if (n == 1) return is;
  for (int j = 0; j < n; j++) list_push(arena, &at, build_index(b, is, atoms1(arena, atom_i64(j))));
  for (int j = 0; j < n; j++) {
    Atom again = atom_bool(false);
    for (int l = j + 1; l < n; l++)
      again = build_op(b, OP_OR, again, build_op(b, OP_EQ, at.at[l], at.at[j]));
    list_push(arena, &won, build_select(b, again, atom_i64(-1), at.at[j]));
  }
  return build_literal(b, "winner", PRIM_I64, won);
}

static Atom winners_of(Builder *b, Atom width, Atom size, Atom is) {
  Arena *arena = b->prog->arena;
  if (!width.is_var && width.value.i > 0 && width.value.i <= FEW)
    return winners_of_few(b, (int)width.value.i, is);
  Atom iota = build_iota(b, width);
  Atom none = build_scratch(b, type_array(arena, type_scalar(PRIM_I64), size));
  Atom last = build_scatter(b, width, none, is, iota);
  MapBuilder m = map_begin(b, width, atoms2(arena, is, iota));
  Builder *in = &m.lb.inner;
  Atom i = map_param(&m, 0);
  Atom ok = build_op(in, OP_AND, build_op(in, OP_LE, atom_i64(0), i),
                     build_op(in, OP_LT, i, size));
  PickBuilder p = pick_begin(in, ok);
  Atom won = build_op(&p.then, OP_EQ, build_index(&p.then, last, atoms1(arena, i)),
                      map_param(&m, 1));
  Atom at = build_select(&p.then, won, i, atom_i64(-1));
  return map_end1(&m, "winner", pick_end(&p, type_scalar(PRIM_I64), at, atom_i64(-1)));
}

static bool any_active(const Vjp *v, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(&v->active, stm->bound.at[k])) return true;
  return false;
}

void vjp_scatter_forward(Vjp *v, const Stm *stm) {
  const struct scatter_form *e = &stm->exp.scatter;
  Builder *b = vjp_builder(v);
  ScatterSave *save = NEW(vjp_arena(v), ScatterSave);
  Atom is = primal_of(v, e->inputs.at[0]), width = primal_of(v, e->width);
  save->winners = is;
  if (any_active(v, stm))
    save->winners = winners_of(b, width, atom_width(b->prog, primal_of(v, e->dests.at[0])), is);
  for (int k = 0; k < e->dests.len; k++) {
    bool kept = varset_has_atom(&v->restore, e->dests.at[k]);
    list_push(vjp_arena(v), &save->saved,
              kept ? build_gather(b, primal_of(v, e->dests.at[k]), save->winners) : atom_none());
    varset_add_atom(&v->overwritten, e->dests.at[k]);
  }
  save_put(v, stm, save);
  vjp_copy(v, stm);
}

void rows_put_back(Vjp *v, const Stm *stm, int k, Atom is, Atom rows) {
  const Exp *e = &stm->exp;
  bool hist = e->form == FORM_HIST;
  Atom present = consumable(v, primal_of(v, atom_var(stm->bound.at[k])));
  Atom width = primal_of(v, hist ? e->hist.width : e->scatter.width);
  rollback(v, (hist ? e->hist.dests : e->scatter.dests).at[k].var,
            build_scatter(vjp_builder(v), width, present, is, rows));
}

//   ys = scatter xs is vs
//   vsB += gather ysB is';  xsB = scatter ysB is' 0;  P(xs) = scatter P(ys) is' saved
void vjp_scatter(Vjp *v, Stms before, const Stm *stm) {
  const struct scatter_form *e = &stm->exp.scatter;
  const ScatterSave *save = save_get(v, stm);
  if (!save) return;
  Builder *b = vjp_builder(v);
  Atom width = primal_of(v, e->width);
  for (int k = 0; k < e->dests.len; k++) {
    Var y = stm->bound.at[k];
    if (adj_is_zero(v, y)) continue;
    Atom yB = adj_owned(v, y), vs = primal_of(v, e->inputs.at[1 + k]);
    if (is_varied(v, e->inputs.at[1 + k]))
      contribute(v, e->inputs.at[1 + k], build_gather(b, yB, save->winners), true);
    if (!is_varied(v, e->dests.at[k])) continue;
    Atom zeros = build_zero(b, type_fresh(atom_type(b->prog, vs)));
    contribute(v, e->dests.at[k], build_scatter(b, width, yB, save->winners, zeros), true);
  }
  Atoms rolled_back = {0};
  for (int k = 0; k < e->dests.len; k++)
    if (!atom_absent(save->saved.at[k])) {
      rows_put_back(v, stm, k, save->winners, save->saved.at[k]);
      list_push(vjp_arena(v), &rolled_back, e->dests.at[k]);
    }
  recompute_views(v, before, rolled_back);
}
