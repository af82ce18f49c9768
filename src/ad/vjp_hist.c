// Reverse mode of reduce_by_index: xs = hist dst is vs with operator op, bins 0 <= b < k.
#include "local.h"

typedef struct {
  Atom winners;  // min, max: per bin, the index of the value that won, -1: the destination
  Atoms parts;   // general: the values of each bin combined, without the destination
} HistSave;

static Atom in_range(Builder *b, Atom i, Atom k) {
  return build_op(b, OP_AND, build_op(b, OP_LE, atom_i64(0), i), build_op(b, OP_LT, i, k));
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

//   part = hist (replicate k ne) is vs;  xs = map op dst part
static void forward_general(Vjp *v, const Stm *stm, HistSave *save) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  Atoms dests = rewrite_atoms(&v->w, e->dests), ne = rewrite_atoms(&v->w, e->neutral), start = {0};
  Atoms all = rewrite_atoms(&v->w, e->inputs);
  Atom size = atom_width(b->prog, dests.at[0]);
  for (int k = 0; k < dests.len; k++)
    list_push(vjp_arena(v), &start,
              build_replicate(b, atoms1(vjp_arena(v), size), ne.at[k]));
  Lambda *op = rewrite_lambda(&v->w, e->op);
  save->parts = build_hist(b, now(v, e->width), start, ne, op, all.at[0],
                           atoms_slice(all, 1, dests.len));
  Vars xs = build_map(b, size, op, atoms_concat(vjp_arena(v), dests, save->parts));
  for (int k = 0; k < stm->bound.len; k++)
    rewrite_bind(&v->w, stm->bound.at[k], atom_var(xs.at[k]));
}

void vjp_hist_forward(Vjp *v, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  HistSave *save = NEW(vjp_arena(v), HistSave);
  Op kind;
  Prim p;
  save_put(v, stm, save);
  if (operator_is_sum(e->op)) vjp_copy(v, stm);
  else if (is_extremum(e->op, &kind, &p)) forward_extremum(v, stm, save, kind, p);
  else forward_general(v, stm, save);
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

// ---- general operators: sort by bin, then the rule of reduce within each bin
// key_i = is_i, or k where out of range
static Atom bin_keys(Builder *b, Atom width, Atom is, Atom k) {
  MapBuilder m = map_begin(b, width, atoms1(b->prog->arena, is));
  Atom i = map_param(&m, 0);
  return map_end1(&m, "key", build_select(&m.lb.inner, in_range(&m.lb.inner, i, k), i, k));
}

// Stable counting sort: the permutation that puts equal keys side by side.
//   next = exclusive prefix sums of the keys' counts
//   loop (next, perm) for i < n { perm[next[key_i]] = i; next[key_i] += 1 }
static Atom sort_permutation(Builder *b, Atom width, Atom keys, Atom k) {
  Prog *prog = b->prog;
  Arena *arena = prog->arena;
  Atom bins = build_op(b, OP_ADD, k, atom_i64(1));
  Lambda *add = lambda_binop(prog, OP_ADD, PRIM_I64);
  Atoms zero = atoms1(arena, atom_i64(0));
  Atom ones = build_replicate(b, atoms1(arena, width), atom_i64(1));
  Atoms counts = build_hist(b, width, atoms1(arena, build_replicate(b, atoms1(arena, bins),
                                                                    atom_i64(0))),
                            zero, add, keys, atoms1(arena, ones));
  Atom next = build_copy(b, build_scan_exclusive(b, bins, add, zero, counts).at[0]);
  Atom perm = build_scratch(b, type_array(arena, type_scalar(PRIM_I64), width));
  Types params = {0};
  list_push(arena, &params, type_scalar(PRIM_I64));
  list_push(arena, &params, type_fresh(atom_type(prog, next)));
  list_push(arena, &params, type_fresh(atom_type(prog, perm)));
  params.at[1].unique = params.at[2].unique = true;
  LambdaBuilder lb = lambda_begin(b, "sort", params);
  Builder *in = &lb.inner;
  Atoms p = atoms_of_vars(arena, lb.lambda->params);
  Atoms key = atoms1(arena, build_index(in, keys, atoms1(arena, p.at[0])));
  Atom at = build_index(in, p.at[1], key);
  Atom more = build_update(in, p.at[1], key, build_op(in, OP_ADD, at, atom_i64(1)));
  Atom placed = build_update(in, p.at[2], atoms1(arena, at), p.at[0]);
  Lambda *fn = lambda_end(&lb, atoms2(arena, more, placed));
  for (int i = 0; i < 2; i++) fn->rets.at[i].unique = true;
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = width, .fn = fn,
                      .inits = atoms2(arena, next, perm)}};
  Types types = types_of_atoms(prog, exp.loop.inits);
  return atom_var(build_many(b, "perm", types, exp).at[1]);
}

//   (f1, v1) (f2, v2) -> (f1 || f2, if f2 then v2 else op(v1, v2))
static Lambda *segmented(Builder *b, const Lambda *op) {
  Arena *arena = b->prog->arena;
  int n = op->params.len / 2;
  Types types = {0};
  for (int half = 0; half < 2; half++) {
    list_push(arena, &types, type_scalar(PRIM_BOOL));
    for (int k = 0; k < n; k++)
      list_push(arena, &types, type_fresh(var_type(b->prog, op->params.at[k])));
  }
  LambdaBuilder lb = lambda_begin(b, "x", types);
  Atoms x = atoms_of_vars(arena, lb.lambda->params);
  Atom f = x.at[n + 1];
  Atoms right = atoms_slice(x, n + 2, n), out = {0};
  Atoms both = lambda_inline(&lb.inner, op, atoms_concat(arena, atoms_slice(x, 1, n), right));
  list_push(arena, &out, build_op(&lb.inner, OP_OR, x.at[0], f));
  for (int k = 0; k < n; k++) {
    Type t = types.at[1 + k];
    PickBuilder p = pick_begin(&lb.inner, f);
    list_push(arena, &out,
              t.rank ? pick_end(&p, t, build_copy(&p.then, right.at[k]),
                                build_copy(&p.otherwise, both.at[k]))
                     : build_select(&lb.inner, f, right.at[k], both.at[k]));
  }
  return lambda_end(&lb, out);
}

// Exclusive scans restarting with ne where flags are set.
static Atoms segmented_before(Builder *b, Atom width, const Lambda *op, Atoms ne, Atom flags,
                              Atoms vs) {
  Arena *arena = b->prog->arena;
  Atoms neutral = atoms_concat(arena, atoms1(arena, atom_bool(false)), ne), out = {0};
  Atoms scanned = build_scan(b, width, segmented(b, op), neutral,
                             atoms_concat(arena, atoms1(arena, flags), vs));
  for (int k = 0; k < vs.len; k++) {
    Atom before = shift_right(b, width, scanned.at[1 + k], ne.at[k]);
    MapBuilder m = map_begin(b, width, atoms2(arena, flags, before));
    PickBuilder p = pick_begin(&m.lb.inner, map_param(&m, 0));
    Type row = type_row(type_fresh(atom_type(b->prog, before)));
    Atom here = pick_end(&p, row, build_copy(&p.then, ne.at[k]),
                         build_copy(&p.otherwise, map_param(&m, 1)));
    list_push(arena, &out, map_end1(&m, "before", here));
  }
  return out;
}

// Whether element i differs from its neighbour at i + step, or has none.
static Atom segment_ends(Builder *b, Atom width, Atom keys, int step) {
  Arena *arena = b->prog->arena;
  MapBuilder m = map_begin(b, width, atoms2(arena, keys, build_iota(b, width)));
  Builder *in = &m.lb.inner;
  Atom j = build_op(in, OP_ADD, map_param(&m, 1), atom_i64(step));
  PickBuilder p = pick_begin(in, in_range(in, j, width));
  Atom other = build_index(&p.then, keys, atoms1(arena, j));
  Atom differs = build_op(&p.then, OP_NE, other, map_param(&m, 0));
  return map_end1(&m, "flag", pick_end(&p, type_scalar(PRIM_BOOL), differs, atom_bool(true)));
}

static Atoms gathered(Builder *b, Atoms arrays, Atom at) {
  Atoms out = {0};
  for (int k = 0; k < arrays.len; k++)
    list_push(b->prog->arena, &out, build_gather(b, arrays.at[k], at));
  return out;
}

static Atoms reversed(Builder *b, Atoms arrays) {
  Atoms out = {0};
  for (int k = 0; k < arrays.len; k++)
    list_push(b->prog->arena, &out, build_reverse(b, arrays.at[k]));
  return out;
}

static Atom build_unsort(Builder *b, Atom width, Atom perm, Atom cs) {
  Atoms inputs = atoms2(b->prog->arena, perm, cs);
  Atom dest = build_scratch(b, type_fresh(atom_type(b->prog, cs)));
  Exp exp = {.form = FORM_SCATTER,
             .scatter = {.width = width, .rank = 1, .dests = atoms1(b->prog->arena, dest),
                         .fn = lambda_identity(b->prog, types_rows(b->prog, inputs)),
                         .inputs = inputs}};
  return build_exp1(b, NULL, exp);
}

// Adjoints of dst and part from xs = map op dst part; contributes the former.
static Atoms vjp_combine(Vjp *v, const Stm *stm, const HistSave *save) {
  const struct hist_form *e = &stm->exp.hist;
  int n = e->dests.len;
  Lambda *fn = lambda_copy(vjp_builder(v), e->op);
  Adj *seeds = NEW_ARRAY(vjp_arena(v), Adj, n + 1);
  bool *want = NEW_ARRAY(vjp_arena(v), bool, 2 * n + 1);
  Atoms dests = rewrite_atoms(&v->w, e->dests);
  for (int k = 0; k < n; k++) {
    want[k] = is_varied(v, e->dests.at[k]);
    want[n + k] = varset_has(&v->varied, stm->bound.at[k]);
    if (!adj_is_zero(v, stm->bound.at[k]))
      seeds[k] = adj_val(adj_value(v, stm->bound.at[k]), false);
  }
  activate(v, fn, want);
  Atoms c = vjp_map_with(v, atom_width(v->w.to.prog, dests.at[0]), fn,
                         atoms_concat(vjp_arena(v), dests, save->parts), (Atoms){0}, seeds,
                         want);
  for (int k = 0; k < n; k++)
    if (!atom_absent(c.at[k])) contribute(v, e->dests.at[k], c.at[k], true);
  return atoms_slice(c, n, n);
}

static void vjp_hist_general(Vjp *v, const Stm *stm, const HistSave *save) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  int n = e->dests.len;
  Atoms partB = vjp_combine(v, stm, save);
  Atom width = now(v, e->width), k = atom_width(b->prog, now(v, e->dests.at[0]));
  Atom keys = bin_keys(b, width, now(v, e->inputs.at[0]), k);
  Atom perm = sort_permutation(b, width, keys, k);
  Atom sk = build_gather(b, keys, perm);
  Atoms ne = rewrite_atoms(&v->w, e->neutral);
  Atoms sv = gathered(b, atoms_slice(rewrite_atoms(&v->w, e->inputs), 1, n), perm);
  Lambda *op = rewrite_lambda(&v->w, e->op);
  Atoms ls = segmented_before(b, width, op, ne, segment_ends(b, width, sk, -1), sv);
  Atom ends = build_reverse(b, segment_ends(b, width, sk, 1));
  Atoms rs = reversed(b, segmented_before(b, width, operator_flip(v, op), ne, ends,
                                          reversed(b, sv)));
  Adj *seeds = NEW_ARRAY(vjp_arena(v), Adj, n + 1);
  bool *varied = NEW_ARRAY(vjp_arena(v), bool, n + 1);
  for (int i = 0; i < n; i++) {
    varied[i] = is_varied(v, e->inputs.at[1 + i]);
    if (!atom_absent(partB.at[i])) seeds[i] = adj_val(build_gather(b, partB.at[i], sk), true);
  }
  Atoms cs = vjp_between(v, width, e->op, ls, sv, rs, seeds, varied);
  for (int i = 0; i < n; i++)
    if (!atom_absent(cs.at[i]))
      contribute(v, e->inputs.at[1 + i], build_unsort(b, width, perm, cs.at[i]), true);
}

void vjp_hist(Vjp *v, const Stm *stm) {
  const HistSave *save = save_get(v, stm);
  Op kind;
  Prim p;
  if (operator_is_sum(stm->exp.hist.op)) vjp_hist_sum(v, stm);
  else if (is_extremum(stm->exp.hist.op, &kind, &p)) vjp_hist_extremum(v, stm, save);
  else vjp_hist_general(v, stm, save);
}
