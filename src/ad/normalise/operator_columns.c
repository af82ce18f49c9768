// Operators on rows that act column by column go inwards, so that the rules see scalar operators:
//
//   reduce (map2 g) nes as   ==>   map2 (\col ne -> reduce g ne col) (transpose as) nes
//   scan                           the same, transposed back
//   hist dests (map2 g) nes is as  map3 (\dest col ne -> hist dest g ne is col), transposed back
//
// of tuples likewise, and again if g acts on rows.  Sums have a rule for rows and stay.
#include "ad/common/local.h"

static int param_number(const Lambda *op, Atom a) {
  for (int i = 0; i < op->params.len; i++)
    if (atom_is_var(a, op->params.at[i])) return i;
  return -1;
}

static int bound_number(const Stm *stm, Atom a) {
  for (int i = 0; i < stm->bound.len; i++)
    if (atom_is_var(a, stm->bound.at[i])) return i;
  return -1;
}

static bool mentions_params(const Prog *prog, const Lambda *fn, const Lambda *op) {
  Vars free = lambda_free(prog, prog->arena, fn);
  for (int i = 0; i < free.len; i++)
    if (param_number(op, atom_var(free.at[i])) >= 0) return true;
  return false;
}

// A product of matrices that maps over the rows of one and indexes the other is none.
bool operator_is_by_column(const Prog *prog, const Lambda *op) {
  if (op->body.stms.len != 1 || operator_is_sum(op)) return false;
  const Stm *stm = &op->body.stms.at[0];
  if (stm->exp.form != FORM_MAP) return false;
  const struct map_form *e = &stm->exp.map;
  for (int i = 0; i < e->inputs.len; i++)
    if (param_number(op, e->inputs.at[i]) < 0) return false;
  for (int k = 0; k < op->body.results.len; k++)
    if (bound_number(stm, op->body.results.at[k]) < 0) return false;
  if (e->fn->params.len == 0 || mentions_params(prog, e->fn, op)) return false;
  return prog_may(prog, SWITCH_COLUMNS);
}

// The operator on one column.
static Lambda *column_operator(Builder *b, const Lambda *op) {
  Arena *arena = b->prog->arena;
  const Stm *stm = &op->body.stms.at[0];
  const struct map_form *e = &stm->exp.map;
  Types types = {0};
  for (int i = 0; i < op->params.len; i++)
    list_push(arena, &types, type_row(type_fresh(var_type(b->prog, op->params.at[i]))));
  LambdaBuilder lb = lambda_begin(b, "x", types);
  Atoms args = {0}, results = {0};
  for (int i = 0; i < e->inputs.len; i++)
    list_push(arena, &args, atom_var(lb.lambda->params.at[param_number(op, e->inputs.at[i])]));
  Atoms out = lambda_inline(&lb.inner, e->fn, args);
  for (int k = 0; k < op->body.results.len; k++)
    list_push(arena, &results, out.at[bound_number(stm, op->body.results.at[k])]);
  return lambda_end(&lb, results);
}

static Atom transposed(Builder *b, Atom x) {
  Exp exp = {.form = FORM_REARRANGE, .rearrange = {.array = x}};
  int rank = atom_type(b->prog, x).rank;
  for (int d = 0; d < rank; d++) list_push(b->prog->arena, &exp.rearrange.perm, d < 2 ? 1 - d : d);
  return build_exp1(b, NULL, exp);
}

static Atoms all_transposed(Builder *b, Atoms xs) {
  Atoms out = {0};
  for (int k = 0; k < xs.len; k++) list_push(b->prog->arena, &out, transposed(b, xs.at[k]));
  return out;
}

static Atoms build_fold(Builder *b, const Exp *exp, const Lambda *op) {
  if (operator_is_by_column(b->prog, op)) return build_by_column(b, exp);
  return atoms_of_vars(b->prog->arena, build_exp(b, NULL, *exp));
}

// The operands that the form folds, its neutral elements, and its destinations.
typedef struct {
  Atoms values, neutral, dests;
  const Lambda *op;
} Parts;

static Parts parts_of(const Exp *e) {
  if (e->form == FORM_REDUCE)
    return (Parts){e->reduce.inputs, e->reduce.neutral, {0}, e->reduce.op};
  if (e->form == FORM_SCAN) return (Parts){e->scan.inputs, e->scan.neutral, {0}, e->scan.op};
  Atoms values = atoms_slice(e->hist.inputs, 1, e->hist.dests.len);
  return (Parts){values, e->hist.neutral, e->hist.dests, e->hist.op};
}

static Exp one_column(Builder *b, const Exp *whole, Lambda *op, Atoms cols, Atoms ne, Atoms dests) {
  Exp e = *whole;
  Prog *prog = b->prog;
  if (e.form == FORM_REDUCE) {
    e.reduce.op = op, e.reduce.neutral = ne, e.reduce.inputs = cols;
  } else if (e.form == FORM_SCAN) {
    e.scan.op = op, e.scan.neutral = ne, e.scan.inputs = cols;
  } else {
    e.hist.op = op, e.hist.neutral = ne, e.hist.dests = (Atoms){0};
    for (int k = 0; k < dests.len; k++)
      list_push(prog->arena, &e.hist.dests, build_copy(b, dests.at[k]));
    e.hist.inputs = atoms_concat(prog->arena, atoms1(prog->arena, whole->hist.inputs.at[0]), cols);
    e.hist.fn = lambda_identity(prog, types_rows(prog, e.hist.inputs));
  }
  return e;
}

Atoms build_by_column(Builder *b, const Exp *exp) {
  Arena *arena = b->prog->arena;
  Parts parts = parts_of(exp);
  int n = parts.values.len, d = parts.dests.len;
  Atoms inputs = atoms_concat(arena, all_transposed(b, parts.values), parts.neutral);
  inputs = atoms_concat(arena, inputs, all_transposed(b, parts.dests));
  MapBuilder m = map_begin(b, atom_width(b->prog, inputs.at[0]), inputs);
  Builder *in = &m.lb.inner;
  Atoms params = atoms_of_vars(arena, m.lb.lambda->params);
  Lambda *op = column_operator(in, parts.op);
  Exp column = one_column(in, exp, op, atoms_slice(params, 0, n), atoms_slice(params, n, n),
                          atoms_slice(params, 2 * n, d));
  Atoms out = atoms_of_vars(arena, map_end(&m, "column", build_fold(in, &column, op)));
  return exp->form == FORM_REDUCE ? out : all_transposed(b, out);
}
