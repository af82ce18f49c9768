// Inputs of a map whose rows receive few contributions.  Where a map reads parts of its rows at
// indices,
//
//   ys = map n (\r -> .. r[j] ..) xs
//
// the adjoint of a row is zero but for these cells: xsB += map n (\.. -> zeros with [j] <- c)
// costs the size of xs, the map itself n.  So where A(xs) is already an array, which the sum would
// read and write as a whole, it becomes an accumulator around the map, and so does the
// adjoint of the array that xs is a row of.
#include "ad/common/local.h"

enum { LONG = 32 };  // of rows no longer than this every cell may as well be written

static bool is_short(Atom n) { return !n.is_var && n.value.i <= LONG; }

static bool is_full(SliceDim s, Atom n) {
  return !s.is_fix && atom_is(s.start, 0) && atom_same(s.count, n);
}

// x[s] leaves out indices of a long dimension.
static bool reads_a_part(const Vjp *v, const struct index_form *e) {
  Type t = var_type(v->w.from, e->array.var);
  for (int d = 0; d < e->slice.len; d++)
    if (!is_short(t.dims[d]) && !is_full(e->slice.at[d], t.dims[d])) return true;
  return false;
}

static bool reads_parts(Vjp *v, Var row, const Body *body);

static bool is_among(Var row, Vars free) {
  for (int i = 0; i < free.len; i++)
    if (free.at[i].id == row.id) return true;
  return false;
}

static bool branches_read_parts(Vjp *v, Var row, const struct match_form *e) {
  for (int i = 0; i < e->cases.len; i++)
    if (!reads_parts(v, row, &e->cases.at[i].body)) return false;
  return true;
}

// Rows of rows: an inner map may take them, as long as it reads parts of each.
static bool map_reads_parts(Vjp *v, Var row, const struct map_form *e) {
  for (int k = 0; k < e->inputs.len; k++) {
    if (!atom_is_var(e->inputs.at[k], row)) continue;
    Var inner = e->fn->params.at[k];
    if (var_type(v->w.from, inner).rank == 0) return false;
    if (!reads_parts(v, inner, &e->fn->body)) return false;
  }
  return reads_parts(v, row, &e->fn->body);
}

static bool loop_reads_parts(Vjp *v, Var row, const struct loop_form *e) {
  for (int k = 0; k < e->inits.len; k++)
    if (atom_is_var(e->inits.at[k], row)) return false;
  return reads_parts(v, row, &e->fn->body);
}

static bool stm_reads_parts(Vjp *v, Var row, const Stm *stm) {
  if (!is_among(row, free_vars_of_exp(v->tbr.free_vars, &stm->exp))) return true;
  if (stm->exp.form == FORM_INDEX) return reads_a_part(v, &stm->exp.index);
  if (stm->exp.form == FORM_MATCH) return branches_read_parts(v, row, &stm->exp.match);
  if (stm->exp.form == FORM_LOOP) return loop_reads_parts(v, row, &stm->exp.loop);
  return stm->exp.form == FORM_MAP && map_reads_parts(v, row, &stm->exp.map);
}

// The body reads parts of the row at indices, and does nothing else with it.
static bool reads_parts(Vjp *v, Var row, const Body *body) {
  for (int k = 0; k < body->results.len; k++)
    if (atom_is_var(body->results.at[k], row)) return false;
  for (int i = 0; i < body->stms.len; i++)
    if (!stm_reads_parts(v, row, &body->stms.at[i])) return false;
  return true;
}

static const Stm *definition(const Vjp *v, Var x) {
  for (int i = 0; i < v->body->stms.len; i++) {
    const Stm *stm = &v->body->stms.at[i];
    if (stm->bound.len == 1 && stm->bound.at[0].id == x.id) return stm;
  }
  return NULL;
}

// Where x = y[i..] and only A(y) is an array, A(x) is a view of it.
static bool view_of_array(Vjp *v, Var x, Adj *view) {
  const Stm *def = definition(v, x);
  if (!def || def->exp.form != FORM_INDEX) return false;
  const struct index_form *e = &def->exp.index;
  if (!e->array.is_var || adj_get(v, e->array.var).kind != ADJ_VAL) return false;
  *view = (Adj){.kind = ADJ_VIEW, .root = e->array.var};
  for (int d = 0; d < e->slice.len; d++) {
    if (!e->slice.at[d].is_fix) return false;
    list_push(vjp_arena(v), &view->prefix, rewrite_atom(&v->w, e->slice.at[d].start));
  }
  return true;
}

// Also sets A(source), where it is a view, until the map is done.
bool map_input_is_sparse(Vjp *v, const Lambda *fn, int k, Var source) {
  Var row = fn->params.at[k];
  Adj old = adj_get(v, source), view;
  bool few = old.kind == ADJ_ZERO || old.kind == ADJ_SPARSE;
  if (var_type(v->w.from, row).rank == 0 || (!few && old.kind != ADJ_VAL)) return false;
  if (!reads_parts(v, row, &fn->body)) return false;
  bool is_view = few && view_of_array(v, source, &view);
  if ((old.kind == ADJ_ZERO && !is_view) || !prog_may(v->w.from, SWITCH_VIEWS) ||
      !prog_may(v->w.from, SWITCH_SPARSE_ROWS))
    return false;
  if (is_view) adj_set(v, source, view);
  return true;
}
