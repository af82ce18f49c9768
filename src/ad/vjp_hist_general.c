// Reverse mode of reduce_by_index with any operator: every bin is a fold from the left, so the
// values are gone through once more from the last to the first, with the adjoints of the bins.
//
//   FWD  loop (xs, T) = (dst, scratch) for i < n { T[i] = xs[b]; xs[b] = op(xs[b], vs_i) }
//   RET  loop (xsB, T, fB) for i = n-1 .. 0 {
//          xsB[b], T[i] = J op(T[i], vs_i)^T xsB[b], and fB += its share }
//        dstB += xsB;  vsB += T
//
// where b = is_i is in range; elsewhere T[i] = 0.  f: the free variables of op.
#include "local.h"

// 0 <= i < k for k >= 0: negative indices are large numbers without a sign.
Atom build_in_range(Builder *b, Atom i, Atom k) {
  return build_op(b, OP_LT, build_conv(b, PRIM_U64, i), build_conv(b, PRIM_U64, k));
}

// ---- a loop over the values
// All that goes round is unique.
typedef struct {
  LambdaBuilder lb;
  Builder *in;
  Atom width, i, bin, ok;  // the number of the iteration, the value's bin, whether there is one
  Atoms inits, params;     // of what goes round
} BinLoop;

static Type round_type(const Prog *prog, Atom init) {
  Type t = type_fresh(atom_type(prog, init));
  t.unique = t.rank > 0 && !t.is_acc;
  return t;
}

static void bin_loop_begin(BinLoop *l, Builder *b, Atom width, Atoms inits) {
  Arena *arena = b->prog->arena;
  Types types = {0};
  list_push(arena, &types, type_scalar(PRIM_I64));
  for (int k = 0; k < inits.len; k++) list_push(arena, &types, round_type(b->prog, inits.at[k]));
  *l = (BinLoop){.lb = lambda_begin(b, "bins", types), .width = width, .inits = inits};
  l->in = &l->lb.inner;
  Atoms params = atoms_of_vars(arena, l->lb.lambda->params);
  l->i = params.at[0];
  l->params = atoms_slice(params, 1, inits.len);
}

static void find_bin(BinLoop *l, Builder *in, Atom is, Atom size) {
  l->bin = build_index(in, is, atoms1(in->prog->arena, l->i));
  l->ok = build_in_range(in, l->bin, size);
}

static Atoms bin_loop_end(BinLoop *l, Builder *b, Atoms results, bool reversed) {
  Arena *arena = b->prog->arena;
  Lambda *fn = lambda_end(&l->lb, results);
  Types types = {0};
  for (int k = 0; k < results.len; k++) {
    fn->rets.at[k] = var_type(b->prog, fn->params.at[1 + k]);
    list_push(arena, &types, type_fresh(fn->rets.at[k]));
  }
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = l->width, .fn = fn, .inits = l->inits}};
  Attrs attrs = b->attrs;
  b->attrs.reversed = reversed;
  Vars out = build_many(b, "bins", types, exp);
  b->attrs = attrs;
  return atoms_of_vars(arena, out);
}

// ---- the forward sweep
static Atom row_read(Builder *b, Atom array, Atom i) {
  Atom x = build_index(b, array, atoms1(b->prog->arena, i));
  return atom_type(b->prog, x).rank ? build_copy(b, x) : x;
}

static Atom nothing(Builder *b, Type t) {
  return t.rank ? build_scratch(b, t) : atom_number(t.prim, 0);
}

static Type row_of(const Prog *prog, Atom array) {
  return type_row(type_fresh(atom_type(prog, array)));
}

// What goes round after one value: the bins, and for its row of T what was in its bin before.
static Atoms fill(BinLoop *l, const Lambda *op, Atoms vs) {
  Prog *prog = l->in->prog;
  Arena *arena = prog->arena;
  Atoms bins = atoms_slice(l->params, 0, vs.len), old = {0}, values = {0}, yes = {0}, no = bins;
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms1(arena, l->ok)}};
  Case then = {0}, otherwise = {0};
  Builder in = builder_new(prog, &then.body.stms), out = builder_new(prog, &otherwise.body.stms);
  in.loc = out.loc = l->in->loc;
  for (int k = 0; k < vs.len; k++) {
    list_push(arena, &old, row_read(&in, bins.at[k], l->bin));
    list_push(arena, &values, build_index(&in, vs.at[k], atoms1(arena, l->i)));
  }
  Atoms sums = lambda_inline(&in, op, atoms_concat(arena, old, values)), none = {0};
  for (int k = 0; k < vs.len; k++) {
    list_push(arena, &yes, build_update(&in, bins.at[k], atoms1(arena, l->bin), sums.at[k]));
    list_push(arena, &none, nothing(&out, row_of(prog, bins.at[k])));
  }
  then.body.results = atoms_concat(arena, yes, old);
  otherwise.body.results = atoms_concat(arena, no, none);
  list_push(arena, &then.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(arena, &exp.match.cases, then);
  list_push(arena, &exp.match.cases, otherwise);
  Types types = types_of_atoms(prog, otherwise.body.results);
  return atoms_of_vars(arena, build_many(l->in, "bins", types, exp));
}

Atoms vjp_hist_tape(Vjp *v, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  int n = e->dests.len;
  Atom width = now(v, e->width), size = atom_width(b->prog, now(v, e->dests.at[0]));
  Atoms inits = rewrite_atoms(&v->w, e->dests), round = {0};
  Lambda *op = rewrite_lambda(&v->w, e->op);
  for (int k = 0; k < n; k++) {
    Type row = row_of(b->prog, inits.at[k]);
    list_push(arena, &inits, build_scratch(b, type_array(arena, row, width)));
  }
  BinLoop l;
  bin_loop_begin(&l, b, width, inits);
  find_bin(&l, l.in, now(v, e->inputs.at[0]), size);
  Atoms out = fill(&l, op, atoms_slice(rewrite_atoms(&v->w, e->inputs), 1, n));
  for (int k = 0; k < 2 * n; k++)
    list_push(arena, &round, k < n ? out.at[k] : build_update(l.in, l.params.at[k],
                                                              atoms1(arena, l.i), out.at[k]));
  out = bin_loop_end(&l, b, round, false);
  for (int k = 0; k < n; k++) rewrite_bind(&v->w, stm->bound.at[k], out.at[k]);
  return atoms_slice(out, n, n);
}

// ---- the return sweep
// Adjoints that go round belong to variables: the bins and the free variables of op; those of the
// values are made in every iteration.
typedef struct {
  const Lambda *op;
  int n;
  bool *want;          // per operand of op: its adjoint is wanted
  Vars bins, values;   // per component; the values: rows
  Vars free, round;    // round: the bins that are wanted, then free
} HistBack;

// The components whose bins' adjoints go round: seeded, or an operand of what is.
static void choose_round(Vjp *v, const Stm *stm, HistBack *h) {
  const struct hist_form *e = &stm->exp.hist;
  bool *seeded = NEW_ARRAY(vjp_arena(v), bool, h->n + 1), changed = true;
  VarSet reach;
  for (int k = 0; k < h->n; k++) seeded[k] = !adj_is_zero(v, stm->bound.at[k]);
  while (changed) {
    changed = false;
    h->free = wanted_free(v, h->op, seeded, &reach);
    for (int k = 0; k < h->n; k++) {
      if (seeded[k] || !varset_has(&reach, h->op->params.at[k])) continue;
      seeded[k] = changed = true;
    }
  }
  for (int k = 0; k < h->n; k++) {
    h->want[k] = seeded[k];
    h->want[h->n + k] = is_varied(v, e->inputs.at[1 + k]) &&
                        varset_has(&reach, h->op->params.at[h->n + k]);
    if (seeded[k]) list_push(vjp_arena(v), &h->round, h->bins.at[k]);
  }
  for (int i = 0; i < h->free.len; i++) list_push(vjp_arena(v), &h->round, h->free.at[i]);
}

static HistBack hist_back(Vjp *v, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Prog *prog = v->w.to.prog;
  HistBack h = {.op = lambda_copy(vjp_builder(v), e->op), .n = e->dests.len};
  h.want = NEW_ARRAY(prog->arena, bool, 2 * h.n + 1);
  for (int k = 0; k < h.n; k++) {
    Type t = now_type(v, stm->bound.at[k]);
    list_push(prog->arena, &h.bins, var_new(prog, "bins", t));
    list_push(prog->arena, &h.values, var_new(prog, "value", type_row(t)));
    h.want[k] = is_varied(v, atom_var(stm->bound.at[k]));
    h.want[h.n + k] = is_varied(v, e->inputs.at[1 + k]);
  }
  activate(v, h.op, h.want);
  choose_round(v, stm, &h);
  for (int k = 0; k < h.n; k++)
    if (h.want[k]) adj_set(v, h.bins.at[k], adj_val(adj_owned(v, stm->bound.at[k]), true));
  return h;
}

static Atom row_adjoint(Vjp *v, Var operand, Type row) {
  bool owned;
  Atom value = adj_dense(v, adj_get(v, operand), row, &owned);
  return owned || row.rank == 0 ? value : build_copy(vjp_builder(v), value);
}

// The value's share, into the adjoints of its bin, of itself, and of free variables.
static void unfill(Vjp *v, const BinLoop *l, const HistBack *h, Atoms seen, Atoms vs) {
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Atoms at = atoms1(arena, l->bin), row = atoms1(arena, l->i);
  Adj *seeds = NEW_ARRAY(arena, Adj, h->n + 1);
  for (int k = 0; k < h->n; k++) {
    rewrite_bind(&v->w, h->op->params.at[k], row_read(b, seen.at[k], l->i));
    rewrite_bind(&v->w, h->op->params.at[h->n + k], build_index(b, vs.at[k], row));
    if (h->want[k]) seeds[k] = adj_val(row_read(b, adj_get(v, h->bins.at[k]).value, l->bin), true);
  }
  vjp_body(v, &h->op->body, seeds);
  for (int k = 0; k < h->n; k++) {
    Type t = var_type(b->prog, h->values.at[k]);
    if (h->want[k]) {
      Atom c = row_adjoint(v, h->op->params.at[k], t);
      Atom bins = build_update(b, adj_get(v, h->bins.at[k]).value, at, c);
      adj_set(v, h->bins.at[k], adj_val(bins, true));
    }
    if (h->want[h->n + k])
      adj_set(v, h->values.at[k], adj_val(row_adjoint(v, h->op->params.at[h->n + k], t), true));
  }
}

static void unfill_in_range(Vjp *v, const BinLoop *l, const HistBack *h, Atoms seen, Atoms vs) {
  Arena *arena = vjp_arena(v);
  Vars wanted = {0};
  Cases pats = {0};
  Case yes = {0}, no = {0};
  list_push(arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(arena, &pats, yes);
  list_push(arena, &pats, no);
  for (int k = 0; k < h->round.len; k++) list_push(arena, &wanted, h->round.at[k]);
  for (int k = 0; k < h->n; k++)
    if (h->want[h->n + k]) list_push(arena, &wanted, h->values.at[k]);
  Join j = join_begin(v, wanted);
  join_enter(&j);
  unfill(v, l, h, seen, vs);
  join_leave(&j);
  join_enter(&j);
  join_leave(&j);
  join_end(&j, atoms1(arena, l->ok), &pats);
}

static Atom round_value(Vjp *v, Var x) {
  Adj adj = adj_get(v, x);
  if (adj.kind == ADJ_ACC) return adj.value;
  return var_type(v->w.from, x).rank ? adj_owned(v, x) : adj_value(v, x);
}

static void round_set(Vjp *v, Var x, Atom value) {
  Adj adj = adj_get(v, x);
  adj_set(v, x, adj.kind == ADJ_ACC ? (Adj){.kind = ADJ_ACC, .value = value}
                                    : adj_val(value, true));
}

// The tape of a component makes room for its values' adjoints, row by row; in a map over several
// seeds a copy of it.
static Atoms round_begin(Vjp *v, const HistBack *h, Atoms seen) {
  Atoms inits = {0};
  for (int k = 0; k < h->round.len; k++)
    list_push(vjp_arena(v), &inits, round_value(v, h->round.at[k]));
  for (int k = 0; k < h->n; k++)
    if (h->want[h->n + k])
      list_push(vjp_arena(v), &inits,
                v->vector ? build_copy(vjp_builder(v), seen.at[k]) : seen.at[k]);
  return inits;
}

static Atoms unfill_all(Vjp *v, const Stm *stm, const HistBack *h, Atoms tapes) {
  const struct hist_form *e = &stm->exp.hist;
  Builder outer = v->w.to;
  Atoms vs = atoms_slice(rewrite_atoms(&v->w, e->inputs), 1, h->n), results = {0}, seen = {0};
  Atom width = now(v, e->width), is = now(v, e->inputs.at[0]);
  Atom size = atom_width(outer.prog, now(v, e->dests.at[0]));
  BinLoop l;
  bin_loop_begin(&l, &outer, width, round_begin(v, h, tapes));
  int mark = scope_begin(v), at = h->round.len;
  v->w.to = l.lb.inner;
  Builder *in = vjp_builder(v);
  l.i = build_op(in, OP_SUB, build_op(in, OP_SUB, width, atom_i64(1)), l.i);
  find_bin(&l, in, is, size);
  for (int k = 0; k < at; k++) round_set(v, h->round.at[k], l.params.at[k]);
  for (int k = 0, t = at; k < h->n; k++)
    list_push(vjp_arena(v), &seen, h->want[h->n + k] ? l.params.at[t++] : tapes.at[k]);
  unfill_in_range(v, &l, h, seen, vs);
  for (int k = 0; k < at; k++)
    list_push(vjp_arena(v), &results, round_value(v, h->round.at[k]));
  for (int k = 0; k < h->n; k++) {
    if (!h->want[h->n + k]) continue;
    Atom row = round_value(v, h->values.at[k]);
    list_push(vjp_arena(v), &results,
              build_update(in, l.params.at[at++], atoms1(vjp_arena(v), l.i), row));
  }
  scope_end(v, mark);
  v->w.to = outer;
  return bin_loop_end(&l, vjp_builder(v), results, true);
}

void vjp_hist_general(Vjp *v, const Stm *stm, Atoms seen) {
  const struct hist_form *e = &stm->exp.hist;
  HistBack h = hist_back(v, stm);
  Atoms out = unfill_all(v, stm, &h, seen);
  int at = 0, more = h.round.len;
  for (int k = 0; k < h.n; k++)
    if (h.want[k]) contribute(v, e->dests.at[k], out.at[at++], true);
  for (int i = 0; i < h.free.len; i++) round_set(v, h.free.at[i], out.at[at++]);
  for (int k = 0; k < h.n; k++)
    if (h.want[h.n + k]) contribute(v, e->inputs.at[1 + k], out.at[more++], true);
}
