// Reverse mode of reduce_by_index: xs = hist dst is vs with operator op, bins 0 <= b < k.
#include "local.h"

typedef struct {
  Atom winners;  // min, max: per bin, the index of the value that won, -1: the destination
} HistSave;

// 0 <= i < k for k >= 0: negative indices are large numbers without a sign.
static Atom in_range(Builder *b, Atom i, Atom k) {
  return build_op(b, OP_LT, build_conv(b, PRIM_U64, i), build_conv(b, PRIM_U64, k));
}

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

static bool is_extremum(const Lambda *op, Op *kind, Prim *p) {
  return lambda_is_op(op, kind, p) && (*kind == OP_MIN || *kind == OP_MAX);
}

static void forward_extremum(Vjp *v, const Stm *stm, HistSave *save, Op kind, Prim p) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Atom width = now(v, e->width), dst = now(v, e->dests.at[0]);
  Atom none = build_replicate(b, atoms1(arena, atom_width(b->prog, dst)), atom_i64(-1));
  Atoms out = build_hist(b, width, atoms2(arena, dst, none),
                         atoms2(arena, now(v, e->neutral.at[0]), atom_i64(-1)),
                         extremum_operator(v, kind, p), now(v, e->inputs.at[0]),
                         atoms2(arena, now(v, e->inputs.at[1]), build_iota(b, width)));
  rewrite_bind(&v->w, stm->bound.at[0], out.at[0]);
  save->winners = out.at[1];
}

void vjp_hist_forward(Vjp *v, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  HistSave *save = NEW(vjp_arena(v), HistSave);
  Op kind;
  Prim p;
  save_put(v, stm, save);
  if (operator_is_sum(e->op)) vjp_copy(v, stm);
  else if (is_extremum(e->op, &kind, &p)) forward_extremum(v, stm, save, kind, p);
  else vjp_copy(v, stm);
}

//   op = (+):  vsB_i += xsB[is_i] where in range;  dstB += xsB
static void vjp_hist_sum(Vjp *v, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  bool owned;
  Atom xB = adj_dense(v, adj_get(v, stm->bound.at[0]), now_type(v, stm->bound.at[0]), &owned);
  if (is_varied(v, e->inputs.at[1]))
    contribute(v, e->inputs.at[1], build_gather(b, xB, now(v, e->inputs.at[0])), true);
  contribute(v, e->dests.at[0], xB, owned);
}

//   min, max:  vsB_i += xsB[is_i] if winner[is_i] == i;  dstB_b += xsB_b if winner_b == -1
static void vjp_hist_extremum(Vjp *v, const Stm *stm, const HistSave *save) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  Atom xB = adj_value(v, stm->bound.at[0]), width = now(v, e->width);
  Type row = type_scalar(atom_type(b->prog, xB).prim);
  Atom zero = atom_number(row.prim, 0), size = atom_width(b->prog, xB);
  if (is_varied(v, e->inputs.at[1])) {
    MapBuilder m = map_begin(b, width, atoms2(vjp_arena(v), now(v, e->inputs.at[0]),
                                              build_iota(b, width)));
    Atom i = map_param(&m, 0);
    PickBuilder p = pick_begin(&m.lb.inner, in_range(&m.lb.inner, i, size));
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

// ---- general operators: the rule of reduce in each bin
// The bin of index i: i, or the spare one behind the last where out of range.
static Atom bin_of(Builder *b, Atom i, Atom size) {
  return build_select(b, in_range(b, i, size), i, size);
}

// What goes where: values vs_i to the bins of is_i, of which there are `size` and the spare one.
typedef struct {
  Atom width, size, is;
  Atoms vs;
} Bins;

// Bins, and for every value what was in its bin when it came.
typedef struct {
  Atoms bins, seen;
} Filled;

static void fill_step(Builder *in, const Lambda *op, Atoms params, Atom j, Bins bins,
                      bool backward, Atoms *results) {
  Arena *arena = in->prog->arena;
  Atoms vs = bins.vs, seen = {0}, values = {0};
  int n = vs.len;
  Atom i = build_index(in, bins.is, atoms1(arena, j));
  Atoms at = atoms1(arena, bin_of(in, i, bins.size));
  for (int k = 0; k < n; k++) {
    Atom x = build_index(in, params.at[1 + k], at);
    list_push(arena, &seen, atom_type(in->prog, x).rank ? build_copy(in, x) : x);
    list_push(arena, &values, build_index(in, vs.at[k], atoms1(arena, j)));
  }
  Atoms args = backward ? atoms_concat(arena, values, seen) : atoms_concat(arena, seen, values);
  Atoms more = lambda_inline(in, op, args);
  for (int k = 0; k < n; k++)
    list_push(arena, results, build_update(in, params.at[1 + k], at, more.at[k]));
  for (int k = 0; k < n; k++)
    list_push(arena, results,
              build_update(in, params.at[1 + n + k], atoms1(arena, j), seen.at[k]));
}

//   loop (xs, seen) for i < n { seen[j] = xs[b_j]; xs[b_j] = op(xs[b_j], v_j) }   b_j: bin of is_j
// where j is i, or n-1-i and op has its operands exchanged.  Consumes xs.
static Filled bins_fill(Builder *b, const Lambda *op, Atoms xs, Bins bins, bool backward) {
  Arena *arena = b->prog->arena;
  int n = bins.vs.len;
  Types params = {0}, types;
  Atoms inits = xs;
  for (int k = 0; k < n; k++) {
    Type row = type_row(type_fresh(atom_type(b->prog, xs.at[k])));
    list_push(arena, &inits, build_scratch(b, type_array(arena, row, bins.width)));
  }
  types = types_of_atoms(b->prog, inits);
  list_push(arena, &params, type_scalar(PRIM_I64));
  for (int k = 0; k < 2 * n; k++) {
    types.at[k].unique = true;
    list_push(arena, &params, types.at[k]);
  }
  LambdaBuilder lb = lambda_begin(b, "bins", params);
  Builder *in = &lb.inner;
  Atoms p = atoms_of_vars(arena, lb.lambda->params), results = {0};
  Atom j = p.at[0];
  if (backward) j = build_op(in, OP_SUB, build_op(in, OP_SUB, bins.width, atom_i64(1)), j);
  fill_step(in, op, p, j, bins, backward, &results);
  Lambda *fn = lambda_end(&lb, results);
  for (int k = 0; k < 2 * n; k++) fn->rets.at[k].unique = true;
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = bins.width, .fn = fn, .inits = inits}};
  Atoms out = atoms_of_vars(arena, build_many(b, "bins", types_of_atoms(b->prog, inits), exp));
  return (Filled){atoms_slice(out, 0, n), atoms_slice(out, n, n)};
}

// Arrays with one more row, for what is out of range.
static Atoms with_spare(Builder *b, Atom bins, Atoms arrays, Atoms rows) {
  Arena *arena = b->prog->arena;
  Atoms out = {0};
  for (int k = 0; k < arrays.len; k++) {
    Atom spare = build_replicate(b, atoms1(arena, atom_i64(1)), rows.at[k]);
    Exp exp = {.form = FORM_CONCAT, .concat = {.arrays = atoms2(arena, arrays.at[k], spare)}};
    Type row = type_row(type_fresh(atom_type(b->prog, arrays.at[k])));
    list_push(arena, &out, build(b, "bins", type_array(arena, row, bins), exp));
  }
  return out;
}

static Atoms replicated(Builder *b, Atom count, Atoms rows) {
  Atoms out = {0};
  for (int k = 0; k < rows.len; k++)
    list_push(b->prog->arena, &out, build_replicate(b, atoms1(b->prog->arena, count), rows.at[k]));
  return out;
}

//   dstB += J1 op(dst, all of the bin's values)^T xsB
static void contribute_dests(Vjp *v, const Stm *stm, Atom size, Atoms totals, const Adj *seeds) {
  const struct hist_form *e = &stm->exp.hist;
  int n = e->dests.len;
  bool *want = NEW_ARRAY(vjp_arena(v), bool, 2 * n + 1), any = false;
  for (int k = 0; k < n; k++) any = (want[k] = is_varied(v, e->dests.at[k])) || any;
  if (!any) return;
  Lambda *fn = operator_constant(v, e->op);
  activate(v, fn, want);
  Atoms in = atoms_concat(vjp_arena(v), rewrite_atoms(&v->w, e->dests), totals);
  Atoms c = vjp_map_with(v, size, fn, in, (Atoms){0}, seeds, want);
  for (int k = 0; k < n; k++)
    if (!atom_absent(c.at[k])) contribute(v, e->dests.at[k], c.at[k], true);
}

// Zero where the index is out of range.
static Atom masked(Builder *b, Bins bins, Atom cs) {
  MapBuilder m = map_begin(b, bins.width, atoms2(b->prog->arena, bins.is, cs));
  Builder *in = &m.lb.inner;
  Type row = type_row(type_fresh(atom_type(b->prog, cs)));
  PickBuilder p = pick_begin(in, in_range(in, map_param(&m, 0), bins.size));
  Atom c = row.rank ? build_copy(&p.then, map_param(&m, 1)) : map_param(&m, 1);
  return map_end1(&m, "adj", pick_end(&p, row, c, build_zero(&p.otherwise, row)));
}

// Every value's row of xB, which has a row of zeros for the spare bin: a gather without a branch,
// so the loop that fills the bins from the right can take it in (imp/join.c).
static Atom bin_seeds(Builder *b, Bins bins, Atom xB) {
  Arena *arena = b->prog->arena;
  Type row = type_row(type_fresh(atom_type(b->prog, xB)));
  Atom count = build_op(b, OP_ADD, bins.size, atom_i64(1));
  Atom all = with_spare(b, count, atoms1(arena, xB), atoms1(arena, build_zero(b, row))).at[0];
  MapBuilder m = map_begin(b, bins.width, atoms1(arena, bins.is));
  Builder *in = &m.lb.inner;
  Atom seed = build_index(in, all, atoms1(arena, bin_of(in, map_param(&m, 0), bins.size)));
  return map_end1(&m, "seed", row.rank ? build_copy(in, seed) : seed);
}

// With l_i, r_i the destination and values of the bin before and after value i, combined:
//   vsB_i += J op(op(l_i, v_i), r_i)^T xsB[is_i]
static void vjp_hist_general(Vjp *v, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  int n = e->dests.len;
  Atoms dests = rewrite_atoms(&v->w, e->dests), ne = rewrite_atoms(&v->w, e->neutral);
  Bins bins = {now(v, e->width), atom_width(b->prog, dests.at[0]), now(v, e->inputs.at[0]),
               atoms_slice(rewrite_atoms(&v->w, e->inputs), 1, n)};
  Adj *seeds = NEW_ARRAY(vjp_arena(v), Adj, n + 1), *rows = NEW_ARRAY(vjp_arena(v), Adj, n + 1);
  bool *varied = NEW_ARRAY(vjp_arena(v), bool, n + 1);
  for (int k = 0; k < n; k++) {
    varied[k] = is_varied(v, e->inputs.at[1 + k]);
    if (adj_is_zero(v, stm->bound.at[k])) continue;
    seeds[k] = adj_val(adj_value(v, stm->bound.at[k]), false);
    rows[k] = adj_val(bin_seeds(b, bins, seeds[k].value), true);
  }
  Lambda *op = rewrite_lambda(&v->w, e->op);
  Atom count = build_op(b, OP_ADD, bins.size, atom_i64(1));
  Filled l = bins_fill(b, op, with_spare(b, count, dests, ne), bins, false);
  Filled r = bins_fill(b, op, replicated(b, count, ne), bins, true);
  Atoms cs = vjp_between(v, bins.width, e->op, l.seen, bins.vs, r.seen, rows, varied);
  Atoms totals = {0};
  for (int k = 0; k < n; k++) {
    if (!atom_absent(cs.at[k])) contribute(v, e->inputs.at[1 + k], masked(b, bins, cs.at[k]), true);
    list_push(vjp_arena(v), &totals, build_slice(b, r.bins.at[k], atom_i64(0), bins.size));
  }
  contribute_dests(v, stm, bins.size, totals, seeds);
}

void vjp_hist(Vjp *v, const Stm *stm) {
  const HistSave *save = save_get(v, stm);
  Op kind;
  Prim p;
  if (operator_is_sum(stm->exp.hist.op)) vjp_hist_sum(v, stm);
  else if (is_extremum(stm->exp.hist.op, &kind, &p)) vjp_hist_extremum(v, stm, save);
  else vjp_hist_general(v, stm);
}
