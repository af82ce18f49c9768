// Reverse mode of map.  Iterations are independent; free variables are not:
//   FS  scalar: its contributions are returned and summed
//   FR  array: its adjoint becomes an accumulator around the map
//   FA  adjoint already an accumulator of an enclosing map: passed through
// Inputs whose adjoints are accumulators likewise: a row's adjoint is then a view of it, a scalar's
// is added to it at the end of the iteration.  Other inputs' adjoints are results of the map.
#include "ad/common/local.h"

typedef struct {
  Vars scalars, arrays, accs;
} Free;

static Free free_classes(Vjp *v, Vars vars) {
  Free f = {0};
  for (int i = 0; i < vars.len; i++) {
    if (adj_get(v, vars.at[i]).kind == ADJ_ACC)
      list_push(vjp_arena(v), &f.accs, vars.at[i]);
    else if (var_type(v->w.from, vars.at[i]).rank == 0)
      list_push(vjp_arena(v), &f.scalars, vars.at[i]);
    else
      list_push(vjp_arena(v), &f.arrays, vars.at[i]);
  }
  return f;
}

static bool *seeded_results(Vjp *v, const Lambda *fn, const Adj *seeds) {
  bool *seeded = NEW_ARRAY(vjp_arena(v), bool, fn->rets.len + 1);
  for (int k = 0; k < fn->rets.len; k++)
    seeded[k] = seeds[k].kind != ADJ_ZERO || acc_is_seeded(v, fn->rets.at[k]);
  return seeded;
}

// One row of each seed: a parameter, or the row itself where all are equal.
static Adj *seed_rows(Vjp *v, const MapBuilder *m, const Adj *seeds, int n, int at) {
  Adj *rows = NEW_ARRAY(vjp_arena(v), Adj, n + 1);
  for (int k = 0; k < n; k++) {
    if (seeds[k].kind == ADJ_BROADCAST) rows[k] = adj_val(seeds[k].value, false);
    else if (seeds[k].kind == ADJ_VAL) rows[k] = adj_val(map_param(m, at++), false);
  }
  return rows;
}

static void push_acc_result(Vjp *v, Atoms *results, Var f) {
  list_push(vjp_arena(v), results, adj_get(v, f).value);
}

static bool adj_is_acc(const Vjp *v, Adj adj) {
  return (adj.kind == ADJ_ACC || adj.kind == ADJ_VIEW) && prog_may(v->w.from, SWITCH_VIEWS);
}

// Whether the adjoint of an input is an accumulator; then its own for the row at index i.
static bool view_of(Vjp *v, Atom source, Atom i, Adj *view) {
  Adj adj = source.is_var ? adj_get(v, source.var) : (Adj){0};
  if (!adj_is_acc(v, adj)) return false;
  *view = (Adj){.kind = ADJ_VIEW, .root = adj.kind == ADJ_ACC ? source.var : adj.root,
                .prefix = atoms_concat(vjp_arena(v), adj.prefix, atoms1(vjp_arena(v), i))};
  return true;
}

static void views_begin(Vjp *v, const Lambda *fn, Atoms sources, Atom i, const bool *want) {
  Adj view;
  for (int k = 0; k < sources.len; k++)
    if (want[k] && var_type(v->w.from, fn->params.at[k]).rank > 0 &&
        view_of(v, sources.at[k], i, &view))
      adj_set(v, fn->params.at[k], view);
}

static void views_end(Vjp *v, const Lambda *fn, Atoms sources, Atom i, const bool *want) {
  for (int k = 0; k < sources.len; k++) {
    Adj c = adj_get(v, fn->params.at[k]), view;
    if (!want[k] || c.kind != ADJ_VAL || !view_of(v, sources.at[k], i, &view)) continue;
    if (var_type(v->w.from, fn->params.at[k]).rank > 0) continue;
    adj_set(v, fn->params.at[k], view);
    contribute(v, atom_var(fn->params.at[k]), c.value, true);
  }
}

static Atom zero_or_dense(Vjp *v, Var x) {
  bool owned;
  Adj adj = adj_get(v, x);
  bool none = adj.kind == ADJ_ZERO || adj.kind == ADJ_VIEW;
  return none ? atom_none() : adj_dense(v, adj, primal_type(v, x), &owned);
}

// The lambda's adjoint code; appends its results: accumulators, scalars, parameters (those not
// zero), and notes in found which of the last two there are.
static Atoms map_inside(Vjp *v, const Lambda *fn, const Free *f, const bool *want, bool *found) {
  Atoms results = {0};
  for (int i = 0; i < f->arrays.len; i++) push_acc_result(v, &results, f->arrays.at[i]);
  for (int i = 0; i < f->accs.len; i++) push_acc_result(v, &results, f->accs.at[i]);
  for (int i = 0; i < f->scalars.len + fn->params.len; i++) {
    bool is_free = i < f->scalars.len;
    if (!is_free && !want[i - f->scalars.len]) continue;
    Atom c = zero_or_dense(v, is_free ? f->scalars.at[i] : fn->params.at[i - f->scalars.len]);
    found[i] = !atom_absent(c);
    if (found[i]) list_push(vjp_arena(v), &results, c);
  }
  return results;
}

static Lambda *sum_operator(Vjp *v, Prim p) {
  return lambda_binop(v->w.to.prog, p == PRIM_BOOL ? OP_OR : OP_ADD, p);
}

// Reads the map's results back into A; returns the inputs' adjoints.
static Atoms map_results(Vjp *v, Atom width, const Lambda *fn, const Free *f, const bool *found,
                         Vars out) {
  Builder *b = vjp_builder(v);
  Atoms adjoints = {0};
  int at = 0;
  for (int i = 0; i < f->arrays.len; i++)
    adj_set(v, f->arrays.at[i], adj_val(atom_var(out.at[at++]), true));
  for (int i = 0; i < f->accs.len; i++)
    adj_set(v, f->accs.at[i], (Adj){.kind = ADJ_ACC, .value = atom_var(out.at[at++])});
  for (int i = 0; i < f->scalars.len; i++) {
    if (!found[i]) continue;
    Prim p = var_type(v->w.from, f->scalars.at[i]).prim;
    Atoms sum = build_reduce(b, width, sum_operator(v, p),
                             atoms1(vjp_arena(v), atom_number(p, 0)),
                             atoms1(vjp_arena(v), atom_var(out.at[at++])));
    contribute(v, atom_var(f->scalars.at[i]), sum.at[0], true);
  }
  for (int k = 0; k < fn->params.len; k++)
    list_push(vjp_arena(v), &adjoints,
              found[f->scalars.len + k] ? atom_var(out.at[at++]) : atom_none());
  return adjoints;
}

// The accumulators and seeds that join the inputs of the map, and what A is inside.
static Atoms map_operands(Vjp *v, Atoms inputs, const Lambda *fn, const VarSet *need,
                          Atom width, const Adj *seeds, const Free *f, const AccBuilder *a) {
  Atoms all = {0};
  list_push(vjp_arena(v), &all, build_iota(vjp_builder(v), width));
  for (int k = 0; k < inputs.len; k++)
    if (varset_has(need, fn->params.at[k])) list_push(vjp_arena(v), &all, inputs.at[k]);
  for (int k = 0; k < fn->rets.len; k++)
    if (seeds[k].kind == ADJ_VAL) list_push(vjp_arena(v), &all, seeds[k].value);
  for (int i = 0; i < f->arrays.len; i++) list_push(vjp_arena(v), &all, acc_param(a, i));
  for (int i = 0; i < f->accs.len; i++)
    list_push(vjp_arena(v), &all, adj_get(v, f->accs.at[i]).value);
  return all;
}

static int bind_params(Vjp *v, const Lambda *fn, const VarSet *need, const MapBuilder *m) {
  int at = 1;
  for (int k = 0; k < fn->params.len; k++)
    rewrite_bind(&v->w, fn->params.at[k],
                 varset_has(need, fn->params.at[k]) ? map_param(m, at++) : atom_none());
  return at;
}

// The parameters that the lambda's adjoint code reads, without removed accumulators.
static VarSet params_needed(Vjp *v, const Lambda *fn) {
  VarSet need = varset_new(vjp_arena(v)), restore = varset_new(vjp_arena(v));
  tbr_body(&v->tbr, &v->active, v->reload, &need, &restore, &fn->body);
  for (int k = 0; k < fn->params.len; k++)
    if (acc_is_erased(v, var_type(v->w.from, fn->params.at[k])))
      varset_remove(&need, fn->params.at[k]);
  return need;
}

//   ys = map n (\x.. -> body) xs..
//   (frB.., xC..) = withacc frB.. (\acc.. -> map n (\x.. yB.. acc.. -> revBody) xs.. ysB.. acc..)
Atoms vjp_map_with(Vjp *v, Atom width, const Lambda *fn, Atoms inputs, Atoms sources,
                   const Adj *seeds, const bool *want) {
  Builder outer = v->w.to;
  VarSet useful, need = params_needed(v, fn);
  Vars free = useful_free(v, fn, seeded_results(v, fn, seeds), &useful);
  for (int k = 0; k < sources.len; k++) {
    Adj adj = want[k] ? adj_get(v, sources.at[k].var) : (Adj){0};
    if (!want[k] || !varset_has(&useful, fn->params.at[k])) continue;
    if (adj_is_acc(v, adj) || map_input_is_sparse(v, fn, k, sources.at[k].var))
      list_push(vjp_arena(v), &free, sources.at[k].var);
  }
  Free f = free_classes(v, view_roots(v, free));
  Atoms owned = {0};
  for (int i = 0; i < f.arrays.len; i++)
    list_push(vjp_arena(v), &owned, adj_owned(v, f.arrays.at[i]));
  AccBuilder a = acc_begin(&outer, owned);
  MapBuilder m = map_begin(f.arrays.len ? &a.inner : &outer, width,
                           map_operands(v, inputs, fn, &need, width, seeds, &f, &a));
  m.free_vars = v->tbr.free_vars;
  v->w.to = m.lb.inner;
  int mark = scope_begin(v), at = bind_params(v, fn, &need, &m), n = fn->rets.len;
  const Adj *rows = seed_rows(v, &m, seeds, n, at);
  Atom i = map_param(&m, 0);
  for (int k = 0; k < n; k++) at += seeds[k].kind == ADJ_VAL;
  for (int k = 0; k < f.arrays.len + f.accs.len; k++)
    adj_set(v, k < f.arrays.len ? f.arrays.at[k] : f.accs.at[k - f.arrays.len],
            (Adj){.kind = ADJ_ACC, .value = map_param(&m, at++)});
  for (int k = 0; k < f.scalars.len; k++) adj_set(v, f.scalars.at[k], (Adj){0});
  bool *found = NEW_ARRAY(vjp_arena(v), bool, f.scalars.len + fn->params.len + 1);
  views_begin(v, fn, sources, i, want);
  v->maps++;
  vjp_body(v, &fn->body, rows);
  v->maps--;
  views_end(v, fn, sources, i, want);
  Atoms results = map_inside(v, fn, &f, want, found);
  scope_end(v, mark);
  v->w.to = outer;
  Vars out = {0};
  if (results.len) out = map_end(&m, "adj", results);
  if (f.arrays.len) out = acc_end(&a, atoms_of_vars(vjp_arena(v), out));
  return map_results(v, width, fn, &f, found, out);
}

// ---- sparse seeds: only the iterations they name
static void forget(Vjp *v, const Lambda *fn) {
  for (int k = 0; k < fn->params.len; k++) adj_set(v, fn->params.at[k], (Adj){0});
  for (int i = 0; i < fn->body.stms.len; i++)
    for (int k = 0; k < fn->body.stms.at[i].bound.len; k++)
      adj_set(v, fn->body.stms.at[i].bound.at[k], (Adj){0});
}

static void one_iteration(Vjp *v, const struct map_form *e, const SparseRow *triple,
                          const Adj *rows) {
  Builder *b = vjp_builder(v);
  VarSet need = params_needed(v, e->fn);
  for (int k = 0; k < e->inputs.len; k++) {
    if (!varset_has(&need, e->fn->params.at[k])) continue;
    Slice at = slice_fixed(vjp_arena(v), atoms1(vjp_arena(v), triple->index));
    Atom x = build_slice_all(b, primal_of(v, e->inputs.at[k]), at, triple->unchecked);
    rewrite_bind(&v->w, e->fn->params.at[k], x);
  }
  vjp_body(v, &e->fn->body, rows);
}

static void contribute_params(Vjp *v, const struct map_form *e, const SparseRow *triple) {
  for (int k = 0; k < e->inputs.len; k++) {
    if (adj_is_zero(v, e->fn->params.at[k])) continue;
    SparseRow c = *triple;
    c.value = adj_value(v, e->fn->params.at[k]);
    contribute_row(v, e->inputs.at[k], c);
  }
}

static void vjp_map_row(Vjp *v, const struct map_form *e, const SparseRow *triple,
                        const Adj *rows) {
  if (!triple->guard.is_var) {
    if (!triple->guard.value.i) return;
    one_iteration(v, e, triple, rows);
    contribute_params(v, e, triple);
    forget(v, e->fn);
    return;
  }
  bool *seeded = NEW_ARRAY(vjp_arena(v), bool, e->fn->rets.len + 1);
  for (int k = 0; k < e->fn->rets.len; k++) seeded[k] = rows[k].kind != ADJ_ZERO;
  VarSet useful;
  Vars wanted = useful_free(v, e->fn, seeded, &useful);
  for (int k = 0; k < e->fn->params.len; k++)
    if (varset_has(&v->varied, e->fn->params.at[k]))
      list_push(vjp_arena(v), &wanted, e->fn->params.at[k]);
  Cases pats = {0};
  Case yes = {0}, no = {0};
  list_push(vjp_arena(v), &yes.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(vjp_arena(v), &pats, yes);
  list_push(vjp_arena(v), &pats, no);
  Join j = join_begin(v, wanted);
  join_enter(&j);
  one_iteration(v, e, triple, rows);
  join_leave(&j);
  join_enter(&j);
  join_leave(&j);
  join_end(&j, atoms1(vjp_arena(v), triple->guard), &pats);
  contribute_params(v, e, triple);
  forget(v, e->fn);
}

static bool all_sparse(Vjp *v, const Stm *stm, const Adj *seeds) {
  int triples = 0;
  for (int k = 0; k < stm->bound.len; k++) {
    if (acc_is_erased(v, var_type(v->w.from, stm->bound.at[k]))) return false;
    if (seeds[k].kind == ADJ_SPARSE) triples += seeds[k].triples.len;
    else if (seeds[k].kind != ADJ_ZERO) return false;
  }
  return triples <= 2;
}

static void vjp_map_sparse(Vjp *v, const Stm *stm, const Adj *seeds) {
  for (int k = 0; k < stm->bound.len; k++)
    for (int s = 0; s < seeds[k].triples.len; s++) {
      Adj *rows = NEW_ARRAY(vjp_arena(v), Adj, stm->bound.len);
      rows[k] = adj_val(seeds[k].triples.at[s].value, false);
      vjp_map_row(v, &stm->exp.map, &seeds[k].triples.at[s], rows);
    }
}

void vjp_map(Vjp *v, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  Adj *seeds = NEW_ARRAY(vjp_arena(v), Adj, stm->bound.len + 1);
  bool *want = NEW_ARRAY(vjp_arena(v), bool, e->inputs.len + 1);
  for (int k = 0; k < stm->bound.len; k++) seeds[k] = adj_get(v, stm->bound.at[k]);
  if (all_sparse(v, stm, seeds) && prog_may(v->w.from, SWITCH_SPARSE_MAPS)) {
    vjp_map_sparse(v, stm, seeds);
    return;
  }
  for (int k = 0; k < stm->bound.len; k++) {
    if (seeds[k].kind == ADJ_SPARSE) adj_value(v, stm->bound.at[k]);
    seeds[k] = adj_get(v, stm->bound.at[k]);
  }
  Atoms inputs = {0};
  for (int k = 0; k < e->inputs.len; k++) {
    bool erased = acc_is_erased(v, var_type(v->w.from, e->fn->params.at[k]));
    want[k] = !erased && is_varied(v, e->inputs.at[k]);
    list_push(vjp_arena(v), &inputs, erased ? atom_none() : primal_of(v, e->inputs.at[k]));
  }
  Adj *before = NEW_ARRAY(vjp_arena(v), Adj, e->inputs.len + 1);
  for (int k = 0; k < e->inputs.len; k++)
    if (want[k]) before[k] = adj_get(v, e->inputs.at[k].var);
  Atoms adjoints = vjp_map_with(v, primal_of(v, e->width), e->fn, inputs, e->inputs, seeds, want);
  for (int k = 0; k < e->inputs.len; k++)
    if (want[k] && adj_get(v, e->inputs.at[k].var).kind == ADJ_VIEW)
      adj_set(v, e->inputs.at[k].var, before[k]);
  for (int k = 0; k < e->inputs.len; k++)
    if (!atom_absent(adjoints.at[k])) contribute(v, e->inputs.at[k], adjoints.at[k], true);
}
