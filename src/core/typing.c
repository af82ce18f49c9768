// The type rules.  exp_types gives the types of an expression's results as far as its operands
// determine them; a size that no operand names (the length of a concatenation of arrays whose
// lengths are not constants) is variable number 0, and the bound variable's own type has it.
#include "core.h"

static Types one(Prog *prog, Type t) {
  Types types = {0};
  t.unique = false;
  list_push(prog->arena, &types, t);
  return types;
}

static Types of_atom(Prog *prog, Atom a) { return one(prog, atom_type(prog, a)); }

// [width]t.., accumulators whole.
static void push_arrays(Prog *prog, Types *out, Types rows, Atom width) {
  for (int i = 0; i < rows.len; i++) {
    Type t = rows.at[i];
    list_push(prog->arena, out, t.is_acc ? t : type_array(prog->arena, t, width));
  }
}

static void push_all(Prog *prog, Types *out, Types types, int from) {
  for (int i = from; i < types.len; i++) list_push(prog->arena, out, types.at[i]);
}

//  elems : t..(k)               dims ++ [..]p
//  ---------------              -------------
//  literal elems : [k]t         replicate dims (a : [..]p) : dims ++ [..]p
static Types type_literal(Prog *prog, const struct literal_form *e) {
  Type row = e->elems.len ? atom_type(prog, e->elems.at[0]) : type_scalar(e->prim);
  return one(prog, type_array(prog->arena, row, atom_i64(e->elems.len)));
}

static Types type_constant(Prog *prog, const struct constant_form *e) {
  return one(prog, type_array(prog->arena, type_scalar(e->data.prim), atom_i64(e->data.len)));
}

static Types type_iota(Prog *prog, const struct iota_form *e) {
  Type elem = type_scalar(atom_type(prog, e->start).prim);
  return one(prog, type_array(prog->arena, elem, e->n));
}

static Types type_sized(Prog *prog, Type elem, Atoms dims) {
  return one(prog, type_array_dims(prog->arena, elem, dims));
}

//  x : [d1]..[dr]p    s1..sk, k <= r
//  -----------------------------------------------------------
//  index x s : counts of the ranges among s ++ [d(k+1)]..[dr]p
static Types type_index(Prog *prog, const struct index_form *e) {
  Atoms counts = {0};
  for (int i = 0; i < e->slice.len; i++)
    if (!e->slice.at[i].is_fix) list_push(prog->arena, &counts, e->slice.at[i].count);
  return type_sized(prog, type_peel(atom_type(prog, e->array), e->slice.len), counts);
}

//  x : [n]t
//  ------------------------------------------
//  flatindex x offset counts strides : counts t
static Types type_flatindex(Prog *prog, const struct flatindex_form *e) {
  return type_sized(prog, type_row(atom_type(prog, e->array)), e->counts);
}

static Types type_rearrange(Prog *prog, const struct rearrange_form *e) {
  Type from = atom_type(prog, e->array);
  Atoms dims = {0};
  for (int i = 0; i < e->perm.len; i++) list_push(prog->arena, &dims, from.dims[e->perm.at[i]]);
  return type_sized(prog, type_scalar(from.prim), dims);
}

//  x1 .. xm equal but for dim k
//  ------------------------------------------
//  concat k x1 .. xm : that, dim k the sum
static Types type_concat(Prog *prog, const struct concat_form *e) {
  Type first = atom_type(prog, e->arrays.at[0]);
  Atoms dims = atoms_of(prog->arena, first.rank, first.dims);
  int64_t sum = 0;
  bool known = true;
  for (int i = 0; i < e->arrays.len; i++) {
    Atom n = atom_type(prog, e->arrays.at[i]).dims[e->dim];
    if (n.is_var) known = false;
    else sum += n.value.i;
  }
  if (e->arrays.len > 1) dims.at[e->dim] = known ? atom_i64(sum) : atom_var((Var){0});
  return type_sized(prog, type_scalar(first.prim), dims);
}

//  match args { .. -> b1 ; .. }: the types of the first body's results
static Types type_match(Prog *prog, const struct match_form *e) {
  return types_of_atoms(prog, e->cases.at[0].body.results);
}

static Atom subst_atom(Atom a, Vars params, Atoms args) {
  for (int i = 0; a.is_var && i < params.len; i++)
    if (atom_is_var(a, params.at[i])) return args.at[i];
  return a;
}

//  f : (p : t..) -> r..
//  ----------------------
//  apply f a.. : r[a../p..]
static Types type_apply(Prog *prog, const struct apply_form *e) {
  const Fn *fn = prog_fn(prog, e->fn);
  Types out = {0};
  for (int i = 0; i < fn->results.len; i++) {
    Type t = var_type(prog, fn->results.at[i]);
    Atoms dims = {0};
    for (int k = 0; k < t.rank; k++)
      list_push(prog->arena, &dims, subst_atom(t.dims[k], fn->params, e->args));
    t.dims = dims.at;
    t.unique = false;
    list_push(prog->arena, &out, t);
  }
  return out;
}

//  fn : row.. -> r..    inputs : [n]row..
//  --------------------------------------
//  map n fn inputs : [n]r..
static Types type_map(Prog *prog, const struct map_form *e) {
  Types out = {0};
  push_arrays(prog, &out, e->fn->rets, e->width);
  return out;
}

//  op : (t.., t..) -> t..    neutral : t..    inputs : [n]t..
//  -----------------------------------------------------------
//  reduce n op neutral inputs : t..     scan n op neutral inputs : [n]t..
static Types type_reduce(Prog *prog, const struct reduce_form *e) {
  Types out = {0};
  push_all(prog, &out, e->op->rets, 0);
  return out;
}

static Types type_scan(Prog *prog, const struct scan_form *e) {
  Types out = {0};
  push_arrays(prog, &out, e->op->rets, e->width);
  return out;
}

static Types type_screma(Prog *prog, const struct screma_form *e) {
  Types out = {0};
  for (int i = 0; i < e->reds.len; i++) push_all(prog, &out, e->reds.at[i].op->rets, 0);
  push_arrays(prog, &out, e->post->rets, e->width);
  return out;
}

static Types type_hist(Prog *prog, const struct hist_form *e) {
  return types_of_atoms(prog, e->dests);
}

static Types type_scatter(Prog *prog, const struct scatter_form *e) {
  return types_of_atoms(prog, e->dests);
}

//  fn : acc.. -> (acc.., r..)    arrays : t..
//  ------------------------------------------
//  withacc arrays ranks ops fn : (t.., r..)
static Types type_withacc(Prog *prog, const struct withacc_form *e) {
  Types out = types_of_atoms(prog, e->arrays);
  push_all(prog, &out, e->fn->rets, e->arrays.len);
  return out;
}

static void push_shaped(Prog *prog, Types *out, Types types, Atoms shape) {
  for (int i = 0; i < types.len; i++)
    list_push(prog->arena, out, type_array_dims(prog->arena, types.at[i], shape));
}

//  fn : a.. -> b..    args : a..    tangents : [shape]a..    seeds : [shape]b..
//  -----------------------------------------------------------------------------
//  jvp shape fn args tangents : (b.., [shape]b..)   vjp shape fn args seeds : (b.., [shape]a..)
static Types type_jvp(Prog *prog, const struct jvp_form *e) {
  Types out = {0};
  push_all(prog, &out, e->fn->rets, 0);
  push_shaped(prog, &out, e->fn->rets, e->shape);
  return out;
}

static Types type_vjp(Prog *prog, const struct vjp_form *e) {
  Types out = {0};
  push_all(prog, &out, e->fn->rets, 0);
  push_shaped(prog, &out, types_of_atoms(prog, e->args), e->shape);
  return out;
}

//  fn : a.. -> [d]b..    args : a..    marks : u64 arrays of the shapes of a..
//  ---------------------------------------------------------------------------
//  depends fn args marks : u64 arrays of the shapes [d]..
static Types type_depends(Prog *prog, const struct depends_form *e) {
  Types out = {0};
  push_all(prog, &out, e->fn->rets, 0);
  for (int i = 0; i < out.len; i++) out.at[i].prim = PRIM_U64;
  return out;
}

//  fn : [n]t -> [m]t or [n]t -> t    arg : [n]t
//  --------------------------------------------------------------------------------------
//  jacobian_blocks fn arg : (bool, bool, p i64, k i64, q i64, [p]i64, [p][k]i64, [q]i64,
//                            [p][q]bool, [p][q]t)
static Types type_jacobian(Prog *prog, const struct jacobian_form *e) {
  Types out = {0};
  Atom unknown[] = {atom_var((Var){0}), atom_var((Var){0})};
  Atoms row = atoms_of(prog->arena, 1, unknown), rows = atoms_of(prog->arena, 2, unknown);
  Type number = type_scalar(PRIM_I64);
  for (int i = 0; i < 2; i++) list_push(prog->arena, &out, type_scalar(PRIM_BOOL));
  for (int i = 0; i < 3; i++) list_push(prog->arena, &out, number);
  list_push(prog->arena, &out, type_array_dims(prog->arena, number, row));
  list_push(prog->arena, &out, type_array_dims(prog->arena, number, rows));
  list_push(prog->arena, &out, type_array_dims(prog->arena, number, row));
  list_push(prog->arena, &out, type_array_dims(prog->arena, type_scalar(PRIM_BOOL), rows));
  list_push(prog->arena, &out,
            type_array_dims(prog->arena, type_scalar(e->fn->rets.at[0].prim), rows));
  return out;
}

static Types rets_of(Prog *prog, const Lambda *fn) {
  Types out = {0};
  push_all(prog, &out, fn->rets, 0);
  return out;
}

static Types scalar_of(Prog *prog, Prim p) { return one(prog, type_scalar(p)); }

static Types exp_types_unique(Prog *prog, const Exp *e) {
  switch (e->form) {
    case FORM_ATOM: return of_atom(prog, e->atom.arg);
    case FORM_PRIM: return scalar_of(prog, op_result(e->prim.op, e->prim.prim));
    case FORM_CONV: return scalar_of(prog, e->conv.to);
    case FORM_OPAQUE: return of_atom(prog, e->opaque.arg);
    case FORM_STOPGRADIENT: return of_atom(prog, e->stopgradient.arg);
    case FORM_TUNED: return scalar_of(prog, PRIM_I64);
    case FORM_MEMORYLEFT: {
      Types types = scalar_of(prog, PRIM_I64);
      list_push(prog->arena, &types, types.at[0]);
      return types;
    }
    case FORM_LITERAL: return type_literal(prog, &e->literal);
    case FORM_CONSTANT: return type_constant(prog, &e->constant);
    case FORM_IOTA: return type_iota(prog, &e->iota);
    case FORM_REPLICATE:
      return type_sized(prog, atom_type(prog, e->replicate.arg), e->replicate.dims);
    case FORM_COPY: return of_atom(prog, e->copy.arg);
    case FORM_SCRATCH: return type_sized(prog, type_scalar(e->scratch.prim), e->scratch.dims);
    case FORM_INDEX: return type_index(prog, &e->index);
    case FORM_UPDATE: return of_atom(prog, e->update.array);
    case FORM_FLATINDEX: return type_flatindex(prog, &e->flatindex);
    case FORM_FLATUPDATE: return of_atom(prog, e->flatupdate.array);
    case FORM_RESHAPE:
      return type_sized(prog, type_scalar(atom_type(prog, e->reshape.array).prim),
                        e->reshape.dims);
    case FORM_REARRANGE: return type_rearrange(prog, &e->rearrange);
    case FORM_CONCAT: return type_concat(prog, &e->concat);
    case FORM_REVERSE: return of_atom(prog, e->reverse.array);
    case FORM_ROTATE: return of_atom(prog, e->rotate.array);
    case FORM_MATCH: return type_match(prog, &e->match);
    case FORM_LOOP: return rets_of(prog, e->loop.fn);
    case FORM_APPLY: return type_apply(prog, &e->apply);
    case FORM_ASSERT: case FORM_TRACE: return (Types){0};
    case FORM_MAP: return type_map(prog, &e->map);
    case FORM_REDUCE: return type_reduce(prog, &e->reduce);
    case FORM_SCAN: return type_scan(prog, &e->scan);
    case FORM_SCREMA: return type_screma(prog, &e->screma);
    case FORM_HIST: return type_hist(prog, &e->hist);
    case FORM_SCATTER: return type_scatter(prog, &e->scatter);
    case FORM_WITHACC: return type_withacc(prog, &e->withacc);
    case FORM_UPDATEACC: return of_atom(prog, e->updateacc.acc);
    case FORM_JVP: return type_jvp(prog, &e->jvp);
    case FORM_VJP: return type_vjp(prog, &e->vjp);
    case FORM_WITHVJP: return rets_of(prog, e->withvjp.fn);
    case FORM_DEPENDS: return type_depends(prog, &e->depends);
    case FORM_JACOBIAN: return type_jacobian(prog, &e->jacobian);
    case FORM_COUNT: break;
  }
  ice("form %d", e->form);
}

Types exp_types(Prog *prog, const Exp *exp) {
  Types types = exp_types_unique(prog, exp);
  for (int i = 0; i < types.len; i++) types.at[i].unique = false;
  return types;
}
