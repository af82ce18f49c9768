// Reverse mode of reduce_by_index with any operator: every bin is a fold from the left, so the
// values are visited once more from the last to the first, with the adjoints of the bins.
//
//   FWD  loop (xs, T) = (dst, scratch) for i < n { T[i] = xs[b]; xs[b] = op(xs[b], vs_i) }
//   RET  loop (xsB, T, fB) for i = n-1 .. 0 {
//          xsB[b], T[i] = J op(T[i], vs_i)^T xsB[b], and fB += its share }
//        dstB += xsB;  vsB += T
//
// where b = is_i is in range; elsewhere T[i] = 0.  f: the free variables of op.
#include "fold.h"

// 0 <= i < k for k >= 0: negative indices are large numbers without a sign.
Atom build_in_range(Builder *b, Atom i, Atom k) {
  return build_op(b, OP_LT, build_conv(b, PRIM_U64, i), build_conv(b, PRIM_U64, k));
}

// ---- a loop over the values
typedef struct {
  CarryLoop r;
  Atom bin, ok;  // the value's bin, whether there is one
} BinLoop;

static void find_bin(BinLoop *l, Builder *in, Atom is, Atom size) {
  l->bin = build_index(in, is, atoms1(in->prog->arena, l->r.i));
  l->ok = build_in_range(in, l->bin, size);
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

// The loop-carried values after one input: the bins, and for its row of T its bin's previous value.
static Atoms fill(BinLoop *l, const Lambda *op, Atoms vs) {
  Prog *prog = l->r.in->prog;
  Arena *arena = prog->arena;
  Atoms bins = atoms_slice(l->r.params, 0, vs.len), old = {0}, values = {0}, yes = {0}, no = bins;
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms1(arena, l->ok)}};
  Case then = {0}, otherwise = {0};
  Builder in = builder_new(prog, &then.body.stms), out = builder_new(prog, &otherwise.body.stms);
  in.loc = out.loc = l->r.in->loc;
  for (int k = 0; k < vs.len; k++) {
    list_push(arena, &old, row_read(&in, bins.at[k], l->bin));
    list_push(arena, &values, build_index(&in, vs.at[k], atoms1(arena, l->r.i)));
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
  return atoms_of_vars(arena, build_many(l->r.in, "bins", types, exp));
}

Atoms vjp_hist_tape(Vjp *v, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  int n = e->dests.len;
  Atom width = primal_of(v, e->width), size = atom_width(b->prog, primal_of(v, e->dests.at[0]));
  Atoms inits = rewrite_atoms(&v->w, e->dests), round = {0};
  Lambda *op = rewrite_lambda(&v->w, e->op);
  for (int k = 0; k < n; k++) {
    Type row = row_of(b->prog, inits.at[k]);
    list_push(arena, &inits, build_scratch(b, type_array(arena, row, width)));
  }
  BinLoop l;
  carry_begin(&l.r, b, "bins", width, inits);
  find_bin(&l, l.r.in, primal_of(v, e->inputs.at[0]), size);
  Atoms out = fill(&l, op, atoms_slice(rewrite_atoms(&v->w, e->inputs), 1, n));
  for (int k = 0; k < 2 * n; k++)
    list_push(arena, &round, k < n ? out.at[k] : build_update(l.r.in, l.r.params.at[k],
                                                              atoms1(arena, l.r.i), out.at[k]));
  out = carry_end(&l.r, b, round, false);
  for (int k = 0; k < n; k++) rewrite_bind(&v->w, stm->bound.at[k], out.at[k]);
  return atoms_slice(out, n, n);
}

// ---- the reverse sweep: the states of the fold are the bins
// The value's share, into the adjoints of its bin, of itself, and of free variables.
static void unfill(Vjp *v, const BinLoop *l, const FoldReverse *f, Atoms seen, Atoms vs) {
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Atoms at = atoms1(arena, l->bin), old = {0}, values = {0};
  Adj *seeds = NEW_ARRAY(arena, Adj, f->n + 1);
  for (int k = 0; k < f->n; k++) {
    list_push(arena, &old, row_read(b, seen.at[k], l->r.i));
    list_push(arena, &values, build_index(b, vs.at[k], atoms1(arena, l->r.i)));
    if (f->want[k])
      seeds[k] = adj_val(row_read(b, adj_get(v, f->states.at[k]).value, l->bin), true);
  }
  Atoms rows = fold_step_reverse(v, f, atoms_concat(arena, old, values), seeds);
  for (int k = 0; k < f->n; k++) {
    if (!f->want[k]) continue;
    Atom bins = build_update(b, adj_get(v, f->states.at[k]).value, at, rows.at[k]);
    adj_set(v, f->states.at[k], adj_val(bins, true));
  }
}

static void unfill_in_range(Vjp *v, const BinLoop *l, const FoldReverse *f, Atoms seen, Atoms vs) {
  Arena *arena = vjp_arena(v);
  Vars wanted = {0};
  Cases pats = {0};
  Case yes = {0}, no = {0};
  list_push(arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(arena, &pats, yes);
  list_push(arena, &pats, no);
  for (int k = 0; k < f->round.len; k++) list_push(arena, &wanted, f->round.at[k]);
  for (int k = 0; k < f->n; k++)
    if (f->want[f->n + k]) list_push(arena, &wanted, f->values.at[k]);
  Join j = join_begin(v, wanted);
  join_enter(&j);
  unfill(v, l, f, seen, vs);
  join_leave(&j);
  join_enter(&j);
  join_leave(&j);
  join_end(&j, atoms1(arena, l->ok), &pats);
}

// The tape of a component makes room for its values' adjoints, row by row; in a map over several
// seeds a copy of it.
static Atoms unfill_inits(Vjp *v, const FoldReverse *f, Atoms seen) {
  Atoms inits = {0};
  for (int k = 0; k < f->round.len; k++)
    list_push(vjp_arena(v), &inits, carry_value(v, f->round.at[k]));
  for (int k = 0; k < f->n; k++)
    if (f->want[f->n + k])
      list_push(vjp_arena(v), &inits,
                v->vector ? build_copy(vjp_builder(v), seen.at[k]) : seen.at[k]);
  return inits;
}

static Atoms unfill_all(Vjp *v, const Stm *stm, const FoldReverse *f, Atoms tapes) {
  const struct hist_form *e = &stm->exp.hist;
  Builder outer = v->w.to;
  Atoms vs = atoms_slice(rewrite_atoms(&v->w, e->inputs), 1, f->n), results = {0}, seen = {0};
  Atom width = primal_of(v, e->width), is = primal_of(v, e->inputs.at[0]);
  Atom size = atom_width(outer.prog, primal_of(v, e->dests.at[0]));
  BinLoop l;
  carry_begin(&l.r, &outer, "bins", width, unfill_inits(v, f, tapes));
  int mark = scope_begin(v), at = f->round.len;
  v->w.to = l.r.lb.inner;
  Builder *in = vjp_builder(v);
  l.r.i = build_op(in, OP_SUB, build_op(in, OP_SUB, width, atom_i64(1)), l.r.i);
  find_bin(&l, in, is, size);
  for (int k = 0; k < at; k++) carry_set(v, f->round.at[k], l.r.params.at[k]);
  for (int k = 0, t = at; k < f->n; k++)
    list_push(vjp_arena(v), &seen, f->want[f->n + k] ? l.r.params.at[t++] : tapes.at[k]);
  unfill_in_range(v, &l, f, seen, vs);
  for (int k = 0; k < at; k++)
    list_push(vjp_arena(v), &results, carry_value(v, f->round.at[k]));
  for (int k = 0; k < f->n; k++) {
    if (!f->want[f->n + k]) continue;
    Atom row = carry_value(v, f->values.at[k]);
    list_push(vjp_arena(v), &results,
              build_update(in, l.r.params.at[at++], atoms1(vjp_arena(v), l.r.i), row));
  }
  scope_end(v, mark);
  v->w.to = outer;
  return carry_end(&l.r, vjp_builder(v), results, true);
}

void vjp_hist_general(Vjp *v, const Stm *stm, Atoms seen) {
  const struct hist_form *e = &stm->exp.hist;
  FoldReverse f = fold_reverse(v, e->op, stm->bound, atoms_slice(e->inputs, 1, e->dests.len));
  Atoms out = unfill_all(v, stm, &f, seen);
  int at = 0, more = f.round.len;
  for (int k = 0; k < f.n; k++)
    if (f.want[k]) contribute(v, e->dests.at[k], out.at[at++], true);
  for (int i = 0; i < f.free.len; i++) carry_set(v, f.free.at[i], out.at[at++]);
  for (int k = 0; k < f.n; k++)
    if (f.want[f.n + k]) contribute(v, e->inputs.at[1 + k], out.at[more++], true);
}
