// Reverse mode of scan.  With ys = scan op ne xs and seeds w = ysB,
//   r_(n-1) = w_(n-1)    r_j = w_j + M_j r_(j+1)    M_j = J1 op(ys[j], xs[j+1])^T
//   xsB[j] += J2 op(ys[j-1], xs[j])^T r_j, free variables of op alike; ys[-1] = ne
#include "ad/common/local.h"

// The adjoints of the first operands of op at args, seeded; none where zero.  Code appended here.
Atoms first_operands(Vjp *v, const Lambda *op, Atoms args, const Adj *seeds) {
  Lambda *fn = operator_constant(v, op);
  int n = args.len / 2, mark = scope_begin(v);
  bool *want = NEW_ARRAY(vjp_arena(v), bool, 2 * n + 1);
  Atoms out = {0};
  for (int k = 0; k < n; k++)
    want[k] = var_type(v->w.from, fn->params.at[k]).prim != PRIM_UNIT;
  activate(v, fn, want);
  for (int k = 0; k < 2 * n; k++) rewrite_bind(&v->w, fn->params.at[k], args.at[k]);
  vjp_body(v, &fn->body, seeds);
  for (int k = 0; k < n; k++) {
    bool zero = adj_is_zero(v, fn->params.at[k]);
    list_push(vjp_arena(v), &out, zero ? atom_none() : adj_value(v, fn->params.at[k]));
  }
  scope_end(v, mark);
  return out;
}

// Row min(j + 1, n - 1), which exists for every j < n.
static Atom next_row(Builder *b, Atom array, Atom j, Atom width) {
  Atom next = build_op(b, OP_ADD, j, atom_i64(1));
  Atom last = build_op(b, OP_SUB, width, atom_i64(1));
  return build_index(b, array, atoms1(b->prog->arena, build_op(b, OP_MIN, next, last)));
}

// \R L -> (L.y, op(L.a, R.a), L.w + J1 op(L.y, L.a)^T R.w), where R covers later elements
static Lambda *lifted_operator(Vjp *v, const Lambda *op, Types types) {
  int n = types.len;
  Types params = {0};
  for (int k = 0; k < 6 * n; k++) list_push(vjp_arena(v), &params, types.at[k % n]);
  LambdaBuilder lb = lambda_begin(vjp_builder(v), "x", params);
  Builder saved = v->w.to;
  v->w.to = lb.inner;
  Atoms x = atoms_of_vars(vjp_arena(v), lb.lambda->params);
  Atoms Ra = atoms_slice(x, n, n), Rw = atoms_slice(x, 2 * n, n);
  Atoms Ly = atoms_slice(x, 3 * n, n), La = atoms_slice(x, 4 * n, n);
  Lambda *emitted = rewrite_lambda(&v->w, op);
  Atoms a = lambda_inline(vjp_builder(v), emitted, atoms_concat(vjp_arena(v), La, Ra));
  Adj *seeds = NEW_ARRAY(vjp_arena(v), Adj, n + 1);
  for (int k = 0; k < n; k++) seeds[k] = adj_val(Rw.at[k], false);
  Atoms d = first_operands(v, op, atoms_concat(vjp_arena(v), Ly, La), seeds), w = {0};
  for (int k = 0; k < n; k++) {
    Atom Lw = x.at[5 * n + k];
    list_push(vjp_arena(v), &w,
              atom_absent(d.at[k]) ? Lw : build_plus(vjp_builder(v), Lw, d.at[k]));
  }
  v->w.to = saved;
  return lambda_end(&lb, atoms_concat(vjp_arena(v), atoms_concat(vjp_arena(v), Ly, a), w));
}

// xs one to the left, ne at the end.
static Atom shifted(Builder *b, Atom width, Atom xs, Atom ne) {
  Arena *arena = b->prog->arena;
  MapBuilder m = map_begin(b, width, atoms1(arena, build_iota(b, width)));
  Builder *in = &m.lb.inner;
  Atom j = map_param(&m, 0);
  Atom last = build_op(in, OP_LE, width, build_op(in, OP_ADD, j, atom_i64(1)));
  PickBuilder p = pick_begin(in, last);
  Atom row = build_copy(&p.otherwise, next_row(&p.otherwise, xs, j, width));
  Type type = type_row(type_fresh(atom_type(b->prog, xs)));
  return map_end1(&m, "next", pick_end(&p, type, build_copy(&p.then, ne), row));
}

// Any operator: a scan of triples.  r, last j first.
static Atoms recurrence_lifted(Vjp *v, const Lambda *scanned, Recurrence e, Atoms xs, Atoms ne) {
  Builder *b = vjp_builder(v);
  int n = e.ys.len;
  Types types = types_rows(b->prog, xs);
  Atoms inputs = {0}, neutral = atoms_concat(vjp_arena(v), ne, ne);
  for (int k = 0; k < n; k++) list_push(vjp_arena(v), &inputs, build_reverse(b, e.ys.at[k]));
  for (int k = 0; k < n; k++)
    list_push(vjp_arena(v), &inputs,
              build_reverse(b, shifted(b, e.width, xs.at[k], ne.at[k])));
  for (int k = 0; k < n; k++) {
    list_push(vjp_arena(v), &inputs, e.w.at[k]);
    list_push(vjp_arena(v), &neutral, build_zero(b, types.at[k]));
  }
  Lambda *op = lifted_operator(v, scanned, types);
  Atoms out = build_scan(b, e.width, op, neutral, inputs), r = {0};
  for (int k = 0; k < n; k++)
    list_push(vjp_arena(v), &r, out.at[2 * n + k]);
  return r;
}

//   ys = scan (+) 0 xs    xsB += reverse (scan (+) 0 (reverse ysB))
static void vjp_scan_sum(Vjp *v, const Stm *stm) {
  const struct scan_form *e = &stm->exp.scan;
  Builder *b = vjp_builder(v);
  Atom w = build_reverse(b, adj_value(v, stm->bound.at[0]));
  Type row = type_row(type_fresh(atom_type(b->prog, w)));
  Atoms out = build_scan(b, primal_of(v, e->width), rewrite_lambda(&v->w, e->op),
                         atoms1(vjp_arena(v), build_zero(b, row)), atoms1(vjp_arena(v), w));
  contribute(v, e->inputs.at[0], build_reverse(b, out.at[0]), true);
}

void vjp_scan(Vjp *v, const Stm *stm) {
  const struct scan_form *e = &stm->exp.scan;
  if (rule_is_sum(v->w.from, e->op)) {
    vjp_scan_sum(v, stm);
    return;
  }
  int n = e->inputs.len;
  Atom width = primal_of(v, e->width);
  Atoms ne = rewrite_atoms(&v->w, e->neutral), xs = rewrite_atoms(&v->w, e->inputs), ys = {0};
  for (int k = 0; k < n; k++)
    list_push(vjp_arena(v), &ys, primal_of(v, atom_var(stm->bound.at[k])));
  Atoms w = {0}, before = {0}, r = {0};
  for (int k = 0; k < n; k++) {
    list_push(vjp_arena(v), &w, build_reverse(vjp_builder(v), adj_value(v, stm->bound.at[k])));
    Atom y = shift_right(vjp_builder(v), width, ys.at[k], ne.at[k]);
    list_push(vjp_arena(v), &before, build_reverse(vjp_builder(v), y));
  }
  Recurrence rec = {width, ys, before, atoms_reversed(vjp_builder(v), xs), w};
  if (!recurrence_by_blocks(v, e->op, rec, &r)) r = recurrence_lifted(v, e->op, rec, xs, ne);
  Lambda *fn = lambda_copy(vjp_builder(v), e->op);
  bool *want = NEW_ARRAY(vjp_arena(v), bool, 2 * n + 1);
  Adj *seeds = NEW_ARRAY(vjp_arena(v), Adj, n + 1);
  for (int k = 0; k < n; k++) {
    want[n + k] = is_varied(v, e->inputs.at[k]);
    seeds[k] = adj_val(r.at[k], true);
  }
  activate(v, fn, want);
  Atoms inputs = atoms_concat(vjp_arena(v), rec.before, rec.xs);
  Atoms cs = vjp_map_with(v, width, fn, inputs, (Atoms){0}, seeds, want);
  for (int k = 0; k < n; k++)
    if (!atom_absent(cs.at[n + k]))
      contribute(v, e->inputs.at[k], build_reverse(vjp_builder(v), cs.at[n + k]), true);
}
