// Builders of bulk statements.  Each gives its operand where the statement would change nothing,
// and folds operations on constants.
#include "bulk.h"
#include <string.h>

const BulkInfo bulk_info[BULK_COUNT] = {
#define BULK(id, keyword, fields) [BULK_##id] = {keyword, fields},
#include "bulk.def"
};

bool bulk_name_is_default(const char *base) {
  static const char *const hints[] = {"rep",  "red",  "pull",   "rule",  "seeds", "column", "sized",
                                      "part", "last", "result", "adj",   "sum",   NULL};
  for (int i = 0; hints[i]; i++)
    if (strcmp(hints[i], base) == 0) return true;
  for (int p = 0; p < PRIM_COUNT; p++)
    if (strcmp(prim_info[p].name, base) == 0) return true;
  for (int i = 0; i < BULK_COUNT; i++)
    if (strcmp(bulk_info[i].keyword, base) == 0) return true;
  return name_is_default(base);
}

void bulk_name_as(Prog *prog, Var v, Var of) {
  const char *base = var_info(prog, of)->base;
  if (bulk_name_is_default(var_info(prog, v)->base) && !bulk_name_is_default(base))
    prog->vars.at[v.id].base = base;
}

Vars bulk_emit_many(BulkBuilder *b, const char *hint, Types types, BulkExp exp) {
  BulkStm stm = {.exp = exp, .loc = b->loc};
  for (int i = 0; i < types.len; i++) {
    types.at[i].unique = false;
    list_push(b->prog->arena, &stm.bound, var_new(b->prog, hint, types.at[i]));
  }
  list_push(b->prog->arena, b->stms, stm);
  return stm.bound;
}

Atom bulk_emit(BulkBuilder *b, const char *hint, Type type, BulkExp exp) {
  Types types = {0};
  list_push(b->prog->arena, &types, type);
  return atom_var(bulk_emit_many(b, hint, types, exp).at[0]);
}

Prim bulk_prim_of(const BulkBuilder *b, Atom x) { return atom_type(b->prog, x).prim; }

static Atoms one(BulkBuilder *b, Atom x) { return atoms_of(b->prog->arena, 1, &x); }
static Atoms two(BulkBuilder *b, Atom x, Atom y) {
  return atoms_of(b->prog->arena, 2, (Atom[]){x, y});
}

static Ints ints_of(BulkBuilder *b, int n, const int64_t *at) {
  return (Ints){.at = arena_copy(b->prog->arena, at, sizeof *at * (size_t)n), .len = n, .cap = n};
}

// The shape of the first operand that has one, with another element type.
static Type shaped(BulkBuilder *b, Atoms args, Prim prim) {
  Type t = type_scalar(prim);
  for (int i = 0; i < args.len && !t.rank; i++) {
    Type have = atom_type(b->prog, args.at[i]);
    t.rank = have.rank, t.dims = have.dims;
  }
  return t;
}

static bool constants(Atoms args) {
  for (int i = 0; i < args.len; i++)
    if (args.at[i].is_var) return false;
  return true;
}

Atom bulk_prim(BulkBuilder *b, Op op, Prim prim, Atoms args) {
  Scalar values[3], out;
  for (int i = 0; i < args.len && constants(args); i++) values[i] = args.at[i].value;
  if (constants(args) && op_eval(op, prim, values, &out)) return atom_scalar(out);
  BulkExp exp = {.form = BULK_PRIM, .op = op, .prim = prim, .args = args};
  return bulk_emit(b, op_info[op].name, shaped(b, args, op_result(op, prim)), exp);
}

static bool same_shape(BulkBuilder *b, Atom x, Atom y) {
  return atom_type(b->prog, x).rank == atom_type(b->prog, y).rank;
}

Atom bulk_op(BulkBuilder *b, Op op, Atom x, Atom y) {
  Prim p = bulk_prim_of(b, x);
  Atom out;
  if (fold_op(op, p, x, y, &out) &&
      (same_shape(b, x, y) || (out.is_var && atom_type(b->prog, out).rank)))
    return out;
  return bulk_prim(b, op, p, two(b, x, y));
}

Atom bulk_op1(BulkBuilder *b, Op op, Atom x) {
  return bulk_prim(b, op, bulk_prim_of(b, x), one(b, x));
}

Atom bulk_select(BulkBuilder *b, Atom c, Atom x, Atom y) {
  if (atom_same(x, y) && same_shape(b, c, x)) return x;
  return bulk_prim(b, OP_SELECT, bulk_prim_of(b, x),
                   atoms_of(b->prog->arena, 3, (Atom[]){c, x, y}));
}

Atom bulk_conv(BulkBuilder *b, Prim to, Atom x) {
  if (bulk_prim_of(b, x) == to) return x;
  if (!x.is_var) return atom_scalar(scalar_convert(to, x.value));
  BulkExp exp = {.form = BULK_CONV, .prim = to, .args = one(b, x)};
  return bulk_emit(b, prim_info[to].name, shaped(b, exp.args, to), exp);
}

Atom bulk_term(BulkBuilder *b, const Term *term, Prim p, const Atom *args, Atom result) {
  if (!term) return atom_number(p, 0);
  switch (term->kind) {
    case TERM_A: return args[0];
    case TERM_B: return args[1];
    case TERM_C: return args[2];
    case TERM_R: return result;
    case TERM_CONST: return atom_number(p, term->value);
    case TERM_OP: break;
  }
  int arity = op_info[term->op].arity;
  Atom x = bulk_term(b, term->x, p, args, result);
  if (arity == 1) return bulk_op1(b, term->op, x);
  Atom y = bulk_term(b, term->y, p, args, result);
  if (arity == 2) return bulk_op(b, term->op, x, y);
  Atom z = bulk_term(b, term->z, p, args, result);
  if (term->op == OP_SELECT) return bulk_select(b, x, y, z);
  return bulk_prim(b, term->op, bulk_prim_of(b, x),
                   atoms_of(b->prog->arena, 3, (Atom[]){x, y, z}));
}

Atom bulk_iota(BulkBuilder *b, Atom n, Atom start, Atom step) {
  Atoms args = atoms_of(b->prog->arena, 3, (Atom[]){n, start, step});
  Type t = type_array(b->prog->arena, type_scalar(bulk_prim_of(b, start)), n);
  return bulk_emit(b, "iota", t, (BulkExp){.form = BULK_IOTA, .args = args});
}

Atom bulk_broadcast(BulkBuilder *b, Atom x, Atoms dims, const int64_t *to) {
  Type t = atom_type(b->prog, x);
  if (t.rank == dims.len) return x;
  BulkExp exp = {.form = BULK_BROADCAST, .dims = dims, .args = one(b, x),
                 .ints = ints_of(b, t.rank, to)};
  return bulk_emit(b, "rep", type_array_dims(b->prog->arena, type_scalar(t.prim), dims), exp);
}

Atom bulk_zeros(BulkBuilder *b, Type type) {
  Atoms dims = atoms_of(b->prog->arena, type.rank, type.dims);
  return bulk_broadcast(b, atom_number(type.prim, 0), dims, NULL);
}

Atom bulk_transpose(BulkBuilder *b, Atom x, const int64_t *perm) {
  Type t = atom_type(b->prog, x);
  Atoms dims = {0};
  bool same = true;
  for (int i = 0; i < t.rank; i++) {
    list_push(b->prog->arena, &dims, t.dims[perm[i]]);
    same = same && perm[i] == i;
  }
  if (same) return x;
  BulkExp exp = {.form = BULK_TRANSPOSE, .args = one(b, x), .ints = ints_of(b, t.rank, perm)};
  return bulk_emit(b, "tr", type_array_dims(b->prog->arena, type_scalar(t.prim), dims), exp);
}

Atom bulk_reshape(BulkBuilder *b, Atom x, Atoms dims) {
  Type t = atom_type(b->prog, x), to = type_array_dims(b->prog->arena, type_scalar(t.prim), dims);
  if (type_same(t, to)) return x;
  return bulk_emit(b, "reshape", to,
                   (BulkExp){.form = BULK_RESHAPE, .dims = dims, .args = one(b, x)});
}

Atom bulk_gather(BulkBuilder *b, Atom x, int batch, Atoms index) {
  Type from = atom_type(b->prog, x), at = atom_type(b->prog, index.at[0]);
  Type row = type_peel(from, batch + index.len);
  Atoms dims = atoms_of(b->prog->arena, at.rank, at.dims);
  BulkExp exp = {.form = BULK_GATHER, .number = batch,
                 .args = atoms_concat(b->prog->arena, one(b, x), index)};
  return bulk_emit(b, "gather", type_array_dims(b->prog->arena, row, dims), exp);
}

Operator bulk_adder(Prog *prog, Prim p) {
  Atom zero = atom_number(p, 0);
  return (Operator){.op = lambda_binop(prog, OP_ADD, p),
                    .neutral = atoms_of(prog->arena, 1, &zero)};
}

Atom bulk_put(BulkBuilder *b, Atom dest, int batch, Operator op, Atoms index_value) {
  BulkExp exp = {.form = BULK_PUT, .number = batch, .fn = op.op, .neutral = op.neutral,
                 .args = atoms_concat(b->prog->arena, one(b, dest), index_value)};
  return bulk_emit(b, "put", atom_type(b->prog, dest), exp);
}

Type bulk_without_dim(Prog *prog, Type t, int dim) {
  Atoms dims = {0};
  for (int i = 0; i < t.rank; i++)
    if (i != dim) list_push(prog->arena, &dims, t.dims[i]);
  return type_array_dims(prog->arena, type_scalar(t.prim), dims);
}

Vars bulk_fold(BulkBuilder *b, int dim, const Lambda *op, Atoms neutral, Atoms inputs) {
  Types types = {0};
  for (int i = 0; i < inputs.len; i++)
    list_push(b->prog->arena, &types,
              bulk_without_dim(b->prog, atom_type(b->prog, inputs.at[i]), dim));
  return bulk_emit_many(b, "fold", types,
                        (BulkExp){.form = BULK_FOLD, .number = dim, .fn = op, .neutral = neutral,
                                  .args = inputs});
}

Atom bulk_sum(BulkBuilder *b, int dim, Atom x) {
  Prim p = bulk_prim_of(b, x);
  const Lambda *add = lambda_binop(b->prog, OP_ADD, p);
  return atom_var(bulk_fold(b, dim, add, one(b, atom_number(p, 0)), one(b, x)).at[0]);
}

static bool listed(Ints pairs, int side, int dim) {
  for (int i = side; i < pairs.len; i += 2)
    if (pairs.at[i] == dim) return true;
  return false;
}

Atom bulk_contract(BulkBuilder *b, Ints batch, Ints sum, Atom x, Atom y) {
  Arena *arena = b->prog->arena;
  Type t[] = {atom_type(b->prog, x), atom_type(b->prog, y)};
  Atoms dims = {0};
  Ints ints = {0};
  for (int i = 0; i < batch.len; i += 2) list_push(arena, &dims, t[0].dims[batch.at[i]]);
  for (int side = 0; side < 2; side++)
    for (int d = 0; d < t[side].rank; d++)
      if (!listed(batch, side, d) && !listed(sum, side, d))
        list_push(arena, &dims, t[side].dims[d]);
  for (int i = 0; i < batch.len; i++) list_push(arena, &ints, batch.at[i]);
  for (int i = 0; i < sum.len; i++) list_push(arena, &ints, sum.at[i]);
  BulkExp exp = {.form = BULK_CONTRACT, .number = batch.len / 2, .ints = ints,
                 .args = two(b, x, y)};
  return bulk_emit(b, "contract", type_array_dims(arena, type_scalar(t[0].prim), dims), exp);
}

void bulk_assert(BulkBuilder *b, Atom cond, const char *text, Atoms args) {
  if (!cond.is_var && cond.value.i) return;
  bulk_emit_many(b, NULL, (Types){0},
                 (BulkExp){.form = BULK_ASSERT, .text = text,
                           .args = atoms_concat(b->prog->arena, one(b, cond), args)});
}

Slice slice_whole(Arena *arena, Type t, int from) {
  Slice s = {0};
  for (int d = from; d < t.rank; d++)
    list_push(arena, &s, (SliceDim){.start = atom_i64(0), .count = t.dims[d],
                                    .stride = atom_i64(1)});
  return s;
}
