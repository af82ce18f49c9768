// The conditions on the operands of the combinators: functions that fit their inputs.
#include "verify.h"

static Types atoms_types(Verifier *v, Atoms atoms) { return types_of_atoms(&v->prog, atoms); }

// The rows of [width]t inputs; accumulators whole.
static bool rows_at(Verifier *v, Atom width, Atoms inputs, Types *rows) {
  if (!scalar_at(v, width, PRIM_I64, "a width that is not an i64")) return false;
  *rows = (Types){0};
  for (int i = 0; i < inputs.len; i++) {
    Type t = atom_type(&v->prog, inputs.at[i]);
    if (!t.is_acc) {
      if (!require(v, t.rank > 0, "an input that is not an array")) return false;
      bool fits = t.dims[0].is_var || width.is_var || atom_same(t.dims[0], width);
      if (!require(v, fits, "an input of another width")) return false;
      t = type_row(t);
    }
    list_push(v->arena, rows, t);
  }
  return true;
}

static Types types_part(Types types, int from, int len) {
  return (Types){.at = types.at + from, .len = len, .cap = len};
}

// op : (t.., t..) -> t.. with neutral : t..
static bool operator_at(Verifier *v, const Lambda *op, Types types, Atoms neutral) {
  if (!require(v, neutral.len == types.len,
               "an operator with the wrong number of neutral elements"))
    return false;
  for (int i = 0; i < types.len; i++)
    if (!agree(v, atom_type(&v->prog, neutral.at[i]), types.at[i],
               "a neutral element of another type"))
      return false;
  return lambda_at(v, op, types_cat(v, types, types), &types, "an operator of the wrong type");
}

static bool verify_map(Verifier *v, const struct map_form *e) {
  Types rows;
  return rows_at(v, e->width, e->inputs, &rows) &&
         lambda_at(v, e->fn, rows, NULL, "a function that does not fit its inputs");
}

static bool verify_fold(Verifier *v, Atom width, const Lambda *op, Atoms neutral, Atoms inputs) {
  Types rows;
  return rows_at(v, width, inputs, &rows) && operator_at(v, op, rows, neutral);
}

static bool verify_screma(Verifier *v, const struct screma_form *e) {
  Types rows, outs = {0};
  if (!rows_at(v, e->width, e->inputs, &rows) ||
      !lambda_at(v, e->fn, rows, NULL, "a function that does not fit its inputs"))
    return false;
  int at = 0;
  for (int i = 0; i < e->scans.len + e->reds.len; i++) {
    bool scan = i < e->scans.len;
    const Operator *op = scan ? &e->scans.at[i] : &e->reds.at[i - e->scans.len];
    if (!require(v, at + op->neutral.len <= e->fn->rets.len, "too few results for the operators"))
      return false;
    Types part = types_part(e->fn->rets, at, op->neutral.len);
    if (!operator_at(v, op->op, part, op->neutral)) return false;
    if (scan) outs = types_cat(v, outs, part);
    at += op->neutral.len;
  }
  outs = types_cat(v, outs, types_part(e->fn->rets, at, e->fn->rets.len - at));
  return lambda_at(v, e->post, outs, NULL, "a post function that does not fit");
}

// dest k : [..]t with its first `rank` dimensions indexed; fn gives rank indices, then values.
static bool dests_at(Verifier *v, const Lambda *fn, int64_t rank, Atoms dests, Types *values) {
  if (!require(v, rank > 0, "a destination without dimensions")) return false;
  *values = (Types){0};
  for (int i = 0; i < dests.len; i++) {
    Type t = atom_type(&v->prog, dests.at[i]);
    if (!require(v, !t.is_acc && t.rank >= rank, "a destination of too small a rank")) return false;
    list_push(v->arena, values, type_peel(t, (int)rank));
  }
  if (!require(v, fn->rets.len == rank + dests.len,
               "a function that does not fit its destinations"))
    return false;
  for (int i = 0; i < rank; i++)
    if (!agree(v, fn->rets.at[i], type_scalar(PRIM_I64), "an index that is not an i64"))
      return false;
  for (int i = 0; i < dests.len; i++)
    if (!agree(v, fn->rets.at[rank + i], values->at[i], "a value that does not fit"))
      return false;
  return true;
}

static bool verify_hist(Verifier *v, const struct hist_form *e) {
  Types rows, values;
  return rows_at(v, e->width, e->inputs, &rows) &&
         lambda_at(v, e->fn, rows, NULL, "a function that does not fit its inputs") &&
         dests_at(v, e->fn, e->rank, e->dests, &values) &&
         operator_at(v, e->op, values, e->neutral);
}

static bool verify_scatter(Verifier *v, const struct scatter_form *e) {
  Types rows, values;
  return rows_at(v, e->width, e->inputs, &rows) &&
         lambda_at(v, e->fn, rows, NULL, "a function that does not fit its inputs") &&
         dests_at(v, e->fn, e->rank, e->dests, &values);
}

static bool verify_accumulator(Verifier *v, const struct withacc_form *e, int k) {
  Var token = e->fn->params.at[k];
  Type array = atom_type(&v->prog, e->arrays.at[k]), acc = var_type(&v->prog, token);
  if (!array_at(v, e->arrays.at[k], "an accumulator over what is not an array") ||
      !require(v, acc.is_acc && acc.token.id == token.id,
               "a parameter that is not its accumulator") ||
      !require(v, acc.prim == array.prim && acc.rank == array.rank,
               "an accumulator of another type"))
    return false;
  bool fits = e->ranks.at[k] == acc.index_rank && acc.index_rank > 0 && acc.index_rank <= acc.rank;
  if (!require(v, fits, "an accumulator of another index rank")) return false;
  Type result = e->fn->rets.at[k];
  if (!require(v, result.is_acc && result.token.id == token.id,
               "an accumulator that is not returned"))
    return false;
  const Operator *op = &e->ops.at[k];
  if (!op->op) return true;
  Types scalar = {0};
  list_push(v->arena, &scalar, type_scalar(array.prim));
  return operator_at(v, op->op, scalar, op->neutral);
}

static bool verify_withacc(Verifier *v, const struct withacc_form *e) {
  int n = e->arrays.len;
  if (!require(v, e->fn && e->fn->params.len == n && e->ranks.len == n && e->ops.len == n,
            "accumulators, ranks and operators of different numbers") ||
      !require(v, e->fn->rets.len >= n, "an accumulator that is not returned"))
    return false;
  for (int k = 0; k < n; k++)
    if (!verify_accumulator(v, e, k)) return false;
  return true;
}

static bool verify_updateacc(Verifier *v, const struct updateacc_form *e) {
  Type acc = atom_type(&v->prog, e->acc);
  if (!require(v, acc.is_acc, "an update of what is not an accumulator") ||
      !require(v, e->index.len == acc.index_rank, "an accumulator index of another rank") ||
      !sizes_at(v, e->index, "an index that is not an i64"))
    return false;
  Type elem = acc;
  elem.is_acc = false;
  return agree(v, type_peel(elem, acc.index_rank), atom_type(&v->prog, e->value),
               "an accumulator update with a value of another type");
}

static bool derivative_at(Verifier *v, Atoms shape, const Lambda *fn, Atoms args, Types along,
                          Atoms directions) {
  if (!require(v, v->prog.level == LEVEL_SOAC, "a derivative operator after the AD passes") ||
      !require(v, shape.len <= 1, "more than one dimension of directions") ||
      !sizes_at(v, shape, "a size that is not an i64") ||
      !lambda_at(v, fn, atoms_types(v, args), NULL, "a function that does not fit its arguments") ||
      !require(v, along.len == directions.len, "the wrong number of directions"))
    return false;
  for (int i = 0; i < along.len; i++) {
    Type want = type_array_dims(v->arena, along.at[i], shape);
    if (!agree(v, want, atom_type(&v->prog, directions.at[i]), "a direction of another type"))
      return false;
  }
  return true;
}

static Types types_of_marks(Verifier *v, Atoms args) {
  Types out = atoms_types(v, args);
  for (int i = 0; i < out.len; i++) out.at[i].prim = PRIM_U64;
  return out;
}

static bool verify_jacobian(Verifier *v, const struct jacobian_form *e) {
  return require(v, v->prog.level == LEVEL_SOAC, "a derivative operator after the AD passes") &&
         require(v, e->args.len == 1 && e->fn->rets.len == 1, "blocks of more than one array") &&
         require(v, e->fn->rets.at[0].rank <= 1, "blocks of what is no vector or scalar") &&
         lambda_at(v, e->fn, atoms_types(v, e->args), NULL,
                   "a function that does not fit its arguments");
}

static bool verify_withvjp(Verifier *v, const struct withvjp_form *e) {
  bool early = v->prog.level == LEVEL_SOAC;
  if (!require(v, early, "a derivative operator after the AD passes")) return false;
  Types args = atoms_types(v, e->args);
  return lambda_at(v, e->fn, args, NULL, "a function that does not fit its arguments") &&
         lambda_at(v, e->rev, types_cat(v, e->fn->rets, e->fn->rets), &args,
                   "a reverse function of the wrong type");
}

bool verify_soac(Verifier *v, const Exp *e) {
  switch ((int)e->form) {
    case FORM_MAP: return verify_map(v, &e->map);
    case FORM_REDUCE:
      return verify_fold(v, e->reduce.width, e->reduce.op, e->reduce.neutral, e->reduce.inputs);
    case FORM_SCAN:
      return verify_fold(v, e->scan.width, e->scan.op, e->scan.neutral, e->scan.inputs);
    case FORM_SCREMA: return verify_screma(v, &e->screma);
    case FORM_HIST: return verify_hist(v, &e->hist);
    case FORM_SCATTER: return verify_scatter(v, &e->scatter);
    case FORM_WITHACC: return verify_withacc(v, &e->withacc);
    case FORM_UPDATEACC: return verify_updateacc(v, &e->updateacc);
    case FORM_JVP:
      return derivative_at(v, e->jvp.shape, e->jvp.fn, e->jvp.args, atoms_types(v, e->jvp.args),
                           e->jvp.tangents);
    case FORM_VJP:
      return require(v, e->vjp.fn != NULL, "a derivative of nothing") &&
             derivative_at(v, e->vjp.shape, e->vjp.fn, e->vjp.args, e->vjp.fn->rets, e->vjp.seeds);
    case FORM_WITHVJP: return verify_withvjp(v, &e->withvjp);
    case FORM_DEPENDS:
      return derivative_at(v, (Atoms){0}, e->depends.fn, e->depends.args,
                           types_of_marks(v, e->depends.args), e->depends.marks);
    case FORM_JACOBIAN: return verify_jacobian(v, &e->jacobian);
  }
  ice("form %d", e->form);
}
