// Maps, reductions, scans, histograms and scatters.  Several arrays are zipped and unzipped.
#include "local.h"
#include <math.h>

enum { WIDEST = 5 };  // zip5, unzip5, map5

static void put_group_tail(Writer *s, int n) {
  if (n > WIDEST) n -= 1;
  else n = 1;
  for (int i = 0; i < n; i++) put(s, ")");
}

static void put_atom_group(Writer *s, Atoms atoms) {
  if (atoms.len == 1) {
    put_atom(s, atoms.at[0]);
    return;
  }
  put(s, "(");
  for (int i = 0; i < atoms.len; i++) {
    if (i) put(s, atoms.len > WIDEST && i + 1 < atoms.len ? ", (" : ", ");
    put_open(s, atoms.at[i]);
  }
  put_group_tail(s, atoms.len);
}

static void put_var_group(Writer *s, Vars vars) {
  put_atom_group(s, atoms_of_vars(s->arena, vars));
}

// "zip3", of arrays of `rank` dimensions: "map3 zip3", "map3 (map3 zip3)"
static const char *zip_word(Writer *s, int n, int rank) {
  const char *many = n == 2 ? "" : arena_printf(s->arena, "%d", n);
  const char *word = arena_printf(s->arena, "zip%s", many);
  for (int d = 1; d < rank; d++)
    word = arena_printf(s->arena, d == 1 ? "map%d %s" : "map%d (%s)", n, word);
  return word;
}

// Pairs nested to the right where there are many; `owned`: to be consumed; `wants`: NULL, or the
// types.
static void put_zip_as(Writer *s, Atoms arrays, int rank, bool owned, const Type *wants) {
  bool wide = arrays.len > WIDEST;
  int n = arrays.len;
  const char *word = zip_word(s, wide ? 2 : n, rank);
  if (n > 1) put(s, "(%s", word);
  for (int i = 0; i < n; i++) {
    if (n > 1 && wide && i > 0 && i < n - 1) put(s, " (%s ", word);
    else if (n > 1) put(s, " ");
    if (owned) put_owned(s, arrays.at[i]);
    else if (wants) put_typed(s, arrays.at[i], wants[i]);
    else put_atom(s, arrays.at[i]);
  }
  for (int i = 0; i < (n == 1 ? 0 : wide ? n - 1 : 1); i++) put(s, ")");
}

// Arrays of which a map, scan or reduction takes rows, those of operands `rows`.
static Type *array_types(Writer *s, Atom width, Atoms rows) {
  Type *out = NEW_ARRAY(s->arena, Type, rows.len + 1);
  for (int i = 0; i < rows.len; i++)
    out[i] = type_array(s->arena, atom_type(s->prog, rows.at[i]), width);
  return out;
}

// unzip (map unzip (map (map unzip)    from the outermost dimension in
static void put_unzip_word(Writer *s, int n, int rank) {
  const char *word = n == 2 ? "unzip" : arena_printf(s->arena, "unzip%d", n);
  put(s, "%s", word);
  for (int d = 1; d < rank; d++) {
    word = arena_printf(s->arena, d == 1 ? "map %s" : "map (%s)", word);
    put(s, " (%s", word);
  }
}

static void put_parens_end(Writer *s, int n) {
  for (int i = 0; i < n; i++) put(s, ")");
}

bool soac_can_be_tail(Writer *s, const Stm *stm) {
  const Exp *e = &stm->exp;
  for (int i = 0; e->form == FORM_MAP && i < e->map.inputs.len; i++)
    if (atom_type(s->prog, e->map.inputs.at[i]).is_acc) return false;
  return stm->bound.len > 0 && stm->bound.len <= WIDEST;
}

// let bound = unzip (   with the name of the rest where there are many; of `rank` dimensions
static const char *put_unzip_let(Writer *s, Vars bound, int rank) {
  const char *rest = bound.len > WIDEST ? source_fresh(s, "rest") : NULL;
  if (tail_take(s)) {
    s->depth++;
  } else {
    put(s, "let ");
    if (rest) put(s, "(%s, %s)", source_name(s, bound.at[0]), rest);
    else put_vars_tuple(s, bound);
    put(s, " =");
    put_shapes(s, bound);
    s->depth++;
    put_line(s);
  }
  for (int i = 0; bound.len > 1 && i < bound.len; i++) array_share(s, bound.at[i]);
  if (bound.len > 1) put_unzip_word(s, rest ? 2 : bound.len, rank), put(s, " (");
  return rest;
}

static void put_unzip_end(Writer *s, Vars bound, int rank, const char *rest) {
  s->depth--;
  if (bound.len > 1) put_parens_end(s, rank);
  for (int i = 1; rest; i++) {
    put_line(s);
    bool last = i + 2 == bound.len;
    const char *next = last ? source_name(s, bound.at[i + 1]) : source_fresh(s, "rest");
    put(s, "let (%s, %s) = ", source_name(s, bound.at[i]), next);
    put_unzip_word(s, 2, rank);
    put(s, " %s", rest);
    put_parens_end(s, rank - 1);
    rest = last ? NULL : next;
  }
}

static void group_results(Writer *s, void *state) {
  Atoms results = *(Atoms *)state;
  if (results.len == 1) put_open(s, results.at[0]);
  else put_atom_group(s, results);
}

// A form with many results gives one tuple of all, not pairs of pairs.
static void put_lambda_body(Writer *s, const Body *body) {
  Atoms results = body->results;
  const Stm *tail = results.len > WIDEST ? NULL : body_tail(s, body);
  put_body_tail(s, body, tail, group_results, &results);
  put(s, ")");
}

// \x y -> or \(x, (y, ..)) ->.  Source text consumes no rows: what core would write in place is
// copied.
static void put_row_params(Writer *s, Vars params) {
  put(s, "(\\");
  if (params.len == 0) put(s, "_");
  else if (params.len > WIDEST) put_var_group(s, params);
  for (int i = 0; i < params.len; i++) array_share(s, params.at[i]);
  for (int i = 0; params.len <= WIDEST && i < params.len; i++) {
    Type t = var_type(s->prog, params.at[i]);
    if (i) put(s, " ");
    if (t.rank) put(s, "(%s: ", source_name(s, params.at[i])), put_type(s, t), put(s, ")");
    else put(s, "%s", source_name(s, params.at[i]));
  }
  put(s, " ->");
}

// (+), f64.max: what has a name for a function of two scalars, in this order.
static const char *section_of(Writer *s, const Lambda *fn) {
  Op op;
  Prim p;
  if (!lambda_is_op(fn, &op, &p) || p == PRIM_BOOL) return NULL;
  if (!atom_is_var(fn->body.stms.at[0].exp.prim.args.at[0], fn->params.at[0])) return NULL;
  switch ((int)op) {
    case OP_ADD: return "(+)";
    case OP_SUB: return "(-)";
    case OP_MUL: return "(*)";
    case OP_MIN: return arena_printf(s->arena, "%s.min", prim_info[p].name);
    case OP_MAX: return arena_printf(s->arena, "%s.max", prim_info[p].name);
  }
  return NULL;
}

static void put_map(Writer *s, Atom width, const Lambda *fn, Atoms inputs) {
  bool wide = inputs.len > WIDEST;
  Type *wants = array_types(s, width, atoms_of_vars(s->arena, fn->params));
  put(s, inputs.len < 2 || wide ? "map " : "map%d ", inputs.len);
  const char *section = section_of(s, fn);
  if (section) put(s, "%s", section);
  else put_row_params(s, fn->params), put_lambda_body(s, &fn->body);
  put(s, " ");
  if (inputs.len == 0) put(s, "(iota "), put_size(s, width), put(s, ")");
  else if (wide) put_zip_as(s, inputs, 1, false, wants);
  for (int i = 0; !wide && i < inputs.len; i++)
    put(s, i ? " " : ""), put_typed(s, inputs.at[i], wants[i]);
}

void stm_map(Writer *s, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  for (int i = 0; i < e->inputs.len; i++)
    if (atom_type(s->prog, e->inputs.at[i]).is_acc) {
      stm_map_acc(s, stm);
      return;
    }
  const char *rest = put_unzip_let(s, stm->bound, 1);
  put_map(s, e->width, e->fn, e->inputs);
  put_unzip_end(s, stm->bound, 1, rest);
}

// ---- operators
void put_operator(Writer *s, const Lambda *op) {
  const char *section = section_of(s, op);
  if (section) {
    put(s, "%s", section);
    return;
  }
  int n = op->params.len / 2;
  Vars a = {0}, b = {0};
  for (int i = 0; i < n; i++) {
    list_push(s->arena, &a, op->params.at[i]);
    list_push(s->arena, &b, op->params.at[n + i]);
  }
  put(s, "(\\");
  put_var_group(s, a);
  put(s, " ");
  put_var_group(s, b);
  put(s, " ->");
  put_lambda_body(s, &op->body);
}

// The type of `reduce` lets it return an operand.
static void reduce_share(Writer *s, const Stm *stm) {
  const struct reduce_form *e = &stm->exp.reduce;
  for (int i = 0; i < stm->bound.len; i++) {
    if (var_type(s->prog, stm->bound.at[i]).rank == 0) continue;
    array_share(s, stm->bound.at[i]);
    if (e->neutral.at[i].is_var) array_share(s, e->neutral.at[i].var);
    if (e->inputs.at[i].is_var) array_share(s, e->inputs.at[i].var);
  }
}

// f64.sum and its like, of the operation and its neutral element; NULL: none.
static const char *reduction_name(Writer *s, const struct reduce_form *e) {
  Op op;
  Prim p;
  if (e->inputs.len != 1 || !lambda_is_op(e->op, &op, &p) || p == PRIM_BOOL) return NULL;
  Atom ne = e->neutral.at[0];
  if (ne.is_var) return NULL;
  bool infinite = prim_is_float(p) && isinf(ne.value.f);
  const char *name = op == OP_ADD && atom_is(ne, 0)                      ? "sum"
                     : op == OP_MUL && atom_is(ne, 1)                    ? "product"
                     : op == OP_MIN && infinite && ne.value.f > 0        ? "minimum"
                     : op == OP_MAX && infinite && ne.value.f < 0        ? "maximum"
                                                                         : NULL;
  return name ? arena_printf(s->arena, "%s.%s ", prim_info[p].name, name) : NULL;
}

void stm_reduce(Writer *s, const Stm *stm) {
  const struct reduce_form *e = &stm->exp.reduce;
  bool tail = tail_take(s);
  if (!tail) put(s, "let "), put_var_group(s, stm->bound), put(s, " = ");
  const char *name = reduction_name(s, e);
  if (name) {
    put(s, "%s", name);
  } else {
    put(s, e->comm ? "reduce_comm " : "reduce ");
    put_operator(s, e->op);
    put(s, " ");
    put_atom_group(s, e->neutral);
    put(s, " ");
  }
  put_zip_as(s, e->inputs, 1, false, array_types(s, e->width, e->neutral));
  if (!tail) put_shapes(s, stm->bound);
  reduce_share(s, stm);
}

void stm_scan(Writer *s, const Stm *stm) {
  const struct scan_form *e = &stm->exp.scan;
  const char *rest = put_unzip_let(s, stm->bound, 1);
  put(s, "scan ");
  put_operator(s, e->op);
  put(s, " ");
  put_atom_group(s, e->neutral);
  put(s, " ");
  put_zip_as(s, e->inputs, 1, false, array_types(s, e->width, e->neutral));
  put_unzip_end(s, stm->bound, 1, rest);
}

// ---- histograms and scatters
// Indices and values: the inputs themselves, or names of a map of them.
static Atoms columns(Writer *s, Atom width, const Lambda *fn, Atoms inputs) {
  if (lambda_is_identity(fn)) return inputs;
  Vars names = {0};
  for (int i = 0; i < fn->body.results.len; i++) {
    Type t = type_array(s->arena, fn->rets.at[i], width);
    list_push(s->arena, &names, var_new((Prog *)(uintptr_t)s->prog, "column", t));
  }
  const char *rest = put_unzip_let(s, names, 1);
  put_map(s, width, fn, inputs);
  put_unzip_end(s, names, 1, rest);
  put_line(s);
  return atoms_of_vars(s->arena, names);
}

// Each column holds `width` rows, whatever its size is called.
static Type *column_types(Writer *s, Atom width, Atoms cols) {
  Type *out = NEW_ARRAY(s->arena, Type, cols.len + 1);
  for (int i = 0; i < cols.len; i++)
    out[i] = type_array(s->arena, type_row(atom_type(s->prog, cols.at[i])), width);
  return out;
}

static void put_indices(Writer *s, Atom width, Atoms cols) {
  put_zip_as(s, cols, 1, false, column_types(s, width, cols));
}

static void put_ranked(Writer *s, const char *word, int64_t rank) {
  if (rank > 3) source_unsupported(s, "more than three index dimensions");
  put(s, rank == 1 ? "%s " : "%s_%dd ", word, (int)rank);
}

void stm_hist(Writer *s, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Atoms cols = columns(s, e->width, e->fn, e->inputs);
  int rank = (int)e->rank;
  const char *rest = put_unzip_let(s, stm->bound, rank);
  put_ranked(s, "reduce_by_index", rank);
  put_zip_as(s, e->dests, rank, true, NULL);
  put(s, " ");
  put_operator(s, e->op);
  put(s, " ");
  put_atom_group(s, e->neutral);
  put(s, " ");
  put_indices(s, e->width, atoms_slice(cols, 0, rank));
  put(s, " ");
  Atoms values = atoms_slice(cols, rank, cols.len - rank);
  put_zip_as(s, values, 1, false, array_types(s, e->width, e->neutral));
  put_unzip_end(s, stm->bound, rank, rest);
}

void stm_scatter(Writer *s, const Stm *stm) {
  const struct scatter_form *e = &stm->exp.scatter;
  Atoms cols = columns(s, e->width, e->fn, e->inputs);
  int rank = (int)e->rank;
  for (int k = 0; k < e->dests.len; k++) {
    if (k) put_line(s);
    put(s, "let %s = ", source_name(s, stm->bound.at[k]));
    put_ranked(s, "scatter", rank);
    put_owned(s, e->dests.at[k]);
    put(s, " ");
    put_indices(s, e->width, atoms_slice(cols, 0, rank));
    put(s, " ");
    Type row = atom_type(s->prog, e->dests.at[k]);
    for (int d = 0; d < rank; d++) row = type_row(row);
    put_typed(s, cols.at[rank + k], type_array(s->arena, row, e->width));
  }
  put_shapes(s, stm->bound);
}
