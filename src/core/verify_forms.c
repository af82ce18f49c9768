// The conditions on the operands of each first-order form; combinators are in verify_soacs.c.
#include "verify.h"

static bool verify_prim(Verifier *v, const struct prim_form *e) {
  bool full = e->args.len == op_info[e->op].arity;
  if (!require(v, op_exists(e->op, e->prim), "an operation at a type it does not exist at") ||
      !require(v, full, "an operation with the wrong number of operands"))
    return false;
  for (int i = 0; i < e->args.len; i++)
    if (!scalar_at(v, e->args.at[i], op_arg(e->op, e->prim, i), "an operand of the wrong type"))
      return false;
  return true;
}

static bool verify_conv(Verifier *v, const struct conv_form *e) {
  Type t = atom_type(&v->prog, e->arg);
  return require(v, type_is_scalar(t) && t.prim != PRIM_UNIT && e->to != PRIM_UNIT,
              "a conversion of what is not a number");
}

static bool verify_literal(Verifier *v, const struct literal_form *e) {
  if (!require(v, e->elems.len > 0, "an array literal without elements")) return false;
  Type row = atom_type(&v->prog, e->elems.at[0]);
  if (!require(v, !row.is_acc && row.prim == e->prim, "an array literal of the wrong type"))
    return false;
  for (int i = 0; i < e->elems.len; i++)
    if (!agree(v, row, atom_type(&v->prog, e->elems.at[i]), "an array literal of unequal elements"))
      return false;
  return true;
}

static bool verify_constant(Verifier *v, const struct constant_form *e) {
  for (int64_t i = 0; i < e->data.len; i++)
    if (!require(v, e->data.at[i].prim == e->data.prim, "constant data of the wrong type"))
      return false;
  return true;
}

static bool verify_iota(Verifier *v, const struct iota_form *e) {
  Type t = atom_type(&v->prog, e->start);
  return scalar_at(v, e->n, PRIM_I64, "a size that is not an i64") &&
         require(v, type_is_scalar(t) && prim_is_int(t.prim), "iota of what is not an integer") &&
         scalar_at(v, e->step, t.prim, "iota with a step of another type");
}

static bool slice_at(Verifier *v, Atom array, Slice slice) {
  if (!array_at(v, array, "an index into what is not an array")) return false;
  if (!require(v, slice.len <= atom_type(&v->prog, array).rank, "more indices than dimensions"))
    return false;
  for (int i = 0; i < slice.len; i++) {
    const SliceDim *d = &slice.at[i];
    if (!scalar_at(v, d->start, PRIM_I64, "an index that is not an i64")) return false;
    if (d->is_fix) continue;
    if (!scalar_at(v, d->count, PRIM_I64, "a slice length that is not an i64") ||
        !scalar_at(v, d->stride, PRIM_I64, "a slice stride that is not an i64"))
      return false;
  }
  return true;
}

static bool verify_update(Verifier *v, const struct update_form *e) {
  if (!slice_at(v, e->array, e->slice)) return false;
  Exp read = {.form = FORM_INDEX, .index = {.array = e->array, .slice = e->slice}};
  return agree(v, exp_types(&v->prog, &read).at[0], atom_type(&v->prog, e->value),
               "an update with a value of another type");
}

static bool verify_flatindex(Verifier *v, const struct flatindex_form *e) {
  return array_at(v, e->array, "an index into what is not an array") &&
         scalar_at(v, e->offset, PRIM_I64, "an offset that is not an i64") &&
         sizes_at(v, e->counts, "a count that is not an i64") &&
         sizes_at(v, e->strides, "a stride that is not an i64") &&
         require(v, e->counts.len == e->strides.len && e->counts.len > 0, "counts without strides");
}

static bool verify_flatupdate(Verifier *v, const struct flatupdate_form *e) {
  if (!array_at(v, e->array, "an update of what is not an array") ||
      !scalar_at(v, e->offset, PRIM_I64, "an offset that is not an i64") ||
      !sizes_at(v, e->strides, "a stride that is not an i64") ||
      !copyable_at(v, e->value, "an update with an accumulator"))
    return false;
  Type array = atom_type(&v->prog, e->array), value = atom_type(&v->prog, e->value);
  return require(v, value.prim == array.prim && value.rank == e->strides.len + array.rank - 1,
              "an update with a value of another type");
}

static bool verify_rearrange(Verifier *v, const struct rearrange_form *e) {
  if (!array_at(v, e->array, "a rearrangement of what is not an array")) return false;
  int rank = atom_type(&v->prog, e->array).rank;
  if (!require(v, e->perm.len == rank, "a permutation of another rank")) return false;
  bool *seen = NEW_ARRAY(v->arena, bool, rank);
  for (int i = 0; i < rank; i++) {
    int64_t d = e->perm.at[i];
    if (!require(v, d >= 0 && d < rank && !seen[d], "not a permutation")) return false;
    seen[d] = true;
  }
  return true;
}

static bool verify_concat(Verifier *v, const struct concat_form *e) {
  if (!require(v, e->arrays.len > 0, "a concatenation of nothing")) return false;
  Type first = atom_type(&v->prog, e->arrays.at[0]);
  for (int i = 0; i < e->arrays.len; i++) {
    Type t = atom_type(&v->prog, e->arrays.at[i]);
    if (!array_at(v, e->arrays.at[i], "a concatenation of what is not an array") ||
        !require(v, t.prim == first.prim && t.rank == first.rank,
                 "a concatenation of unequal types"))
      return false;
  }
  return require(v, e->dim >= 0 && e->dim < first.rank, "a concatenation along no dimension");
}

static bool verify_match(Verifier *v, const struct match_form *e) {
  if (!require(v, e->cases.len > 0, "a match without cases")) return false;
  for (int i = 0; i < e->args.len; i++)
    if (!require(v, type_is_scalar(atom_type(&v->prog, e->args.at[i])), "a match on an array"))
      return false;
  for (int i = 0; i < e->cases.len; i++) {
    const Case *c = &e->cases.at[i];
    bool last = i == e->cases.len - 1;
    bool full = c->pats.len == (last ? 0 : e->args.len);
    if (!require(v, full, "a case with the wrong number of patterns")) return false;
    for (int k = 0; k < c->pats.len; k++) {
      Prim want = atom_type(&v->prog, e->args.at[k]).prim;
      bool fits = c->pats.at[k].any || c->pats.at[k].lit.prim == want;
      if (!require(v, fits, "a pattern of another type"))
        return false;
    }
  }
  return true;
}

static bool verify_loop(Verifier *v, const struct loop_form *e) {
  int skip = e->is_for, n = e->inits.len;
  bool fits = e->fn && e->fn->params.len == n + skip;
  if (!require(v, fits, "a loop with the wrong parameters") ||
      !require(v, e->fn->rets.len == n, "a loop body with the wrong number of results"))
    return false;
  if (e->is_for) {
    Type i = var_type(&v->prog, e->fn->params.at[0]);
    if (!require(v, type_is_scalar(i) && prim_is_int(i.prim),
                 "a loop counter that is no integer") ||
        !scalar_at(v, e->bound, i.prim, "a loop bound of another type"))
      return false;
  } else if (!require(v, e->cond >= 0 && e->cond < n, "a while loop without a condition") ||
             !scalar_at(v, atom_var(e->fn->params.at[e->cond]), PRIM_BOOL,
                        "a loop condition that is no bool")) {
    return false;
  }
  for (int k = 0; k < n; k++) {
    Type p = var_type(&v->prog, e->fn->params.at[k + skip]);
    Type init = atom_type(&v->prog, e->inits.at[k]);
    if (!agree(v, init, p, "a loop's initial value of another type") ||
        !agree(v, e->fn->rets.at[k], p, "a loop result of another type"))
      return false;
  }
  return true;
}

static bool verify_apply(Verifier *v, const struct apply_form *e) {
  const Fn *fn = prog_fn(&v->prog, e->fn);
  if (!require(v, fn != NULL, "a call of an unknown function") ||
      !require(v, fn->params.len == e->args.len, "a call with the wrong number of arguments"))
    return false;
  for (int i = 0; i < e->args.len; i++) {
    Type have = atom_type(&v->prog, e->args.at[i]), want = var_type(&v->prog, fn->params.at[i]);
    if (!require(v, type_same_shape_rank(have, want), "an argument of another type")) return false;
  }
  return true;
}

static bool verify_assert(Verifier *v, const struct assert_form *e) {
  for (int i = 0; i < e->args.len; i++)
    if (!require(v, type_is_scalar(atom_type(&v->prog, e->args.at[i])),
                 "an assertion about an array"))
      return false;
  return scalar_at(v, e->cond, PRIM_BOOL, "an assertion of what is no bool");
}

static bool verify_trace(Verifier *v, const struct trace_form *e) {
  for (int i = 0; i < e->args.len; i++)
    if (!copyable_at(v, e->args.at[i], "a traced accumulator")) return false;
  return true;
}

static bool verify_sized(Verifier *v, Atoms dims) {
  return sizes_at(v, dims, "a size that is not an i64");
}

static bool verify_memoryleft(Verifier *v, const struct memoryleft_form *e) {
  return scalar_at(v, e->most, PRIM_I64, "bytes that are no i64") &&
         scalar_at(v, e->least, PRIM_I64, "bytes that are no i64") &&
         require(v, e->share > 0, "memory without a share");
}

bool verify_form(Verifier *v, const Exp *e, Vars bound) {
  (void)bound;
  switch (e->form) {
    case FORM_ATOM: return true;
    case FORM_PRIM: return verify_prim(v, &e->prim);
    case FORM_CONV: return verify_conv(v, &e->conv);
    case FORM_OPAQUE: case FORM_STOPGRADIENT: return true;
    case FORM_TRACE: return verify_trace(v, &e->trace);
    case FORM_TUNED:
      return scalar_at(v, e->tuned.otherwise, PRIM_I64, "a parameter that is no i64");
    case FORM_MEMORYLEFT: return verify_memoryleft(v, &e->memoryleft);
    case FORM_LITERAL: return verify_literal(v, &e->literal);
    case FORM_CONSTANT: return verify_constant(v, &e->constant);
    case FORM_IOTA: return verify_iota(v, &e->iota);
    case FORM_REPLICATE:
      return verify_sized(v, e->replicate.dims) &&
             copyable_at(v, e->replicate.arg, "a replicated accumulator");
    case FORM_COPY: return copyable_at(v, e->copy.arg, "a copied accumulator");
    case FORM_SCRATCH: return verify_sized(v, e->scratch.dims);
    case FORM_INDEX: return slice_at(v, e->index.array, e->index.slice);
    case FORM_UPDATE: return verify_update(v, &e->update);
    case FORM_FLATINDEX: return verify_flatindex(v, &e->flatindex);
    case FORM_FLATUPDATE: return verify_flatupdate(v, &e->flatupdate);
    case FORM_RESHAPE:
      return array_at(v, e->reshape.array, "a reshape of what is not an array") &&
             verify_sized(v, e->reshape.dims);
    case FORM_REARRANGE: return verify_rearrange(v, &e->rearrange);
    case FORM_CONCAT: return verify_concat(v, &e->concat);
    case FORM_REVERSE: return array_at(v, e->reverse.array, "reverse of what is not an array");
    case FORM_ROTATE:
      return array_at(v, e->rotate.array, "rotate of what is not an array") &&
             scalar_at(v, e->rotate.by, PRIM_I64, "rotate by what is not an i64");
    case FORM_MATCH: return verify_match(v, &e->match);
    case FORM_LOOP: return verify_loop(v, &e->loop);
    case FORM_APPLY: return verify_apply(v, &e->apply);
    case FORM_ASSERT: return verify_assert(v, &e->assert);
    case FORM_MAP: case FORM_REDUCE: case FORM_SCAN: case FORM_SCREMA: case FORM_HIST:
    case FORM_SCATTER: case FORM_WITHACC: case FORM_UPDATEACC: case FORM_JVP: case FORM_VJP:
    case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN: return verify_soac(v, e);
    case FORM_COUNT: break;
  }
  ice("form %d", e->form);
}
