// Gathers, puts, folds, prefixes and contractions in core.
#include "local_core.h"

static Atoms one(ToCore *c, Atom a) { return atoms_of(c->prog->arena, 1, &a); }

static Atom view(ToCore *c, Builder *b, Exp exp) {
  return build(b, NULL, exp_types(c->prog, &exp).at[0], exp);
}

static Atom rearranged(ToCore *c, Builder *b, Atom x, const int64_t *perm) {
  int rank = atom_type(c->prog, x).rank;
  bool same = true;
  for (int d = 0; d < rank; d++) same = same && perm[d] == d;
  if (same) return x;
  Ints ints = {.at = arena_copy(c->prog->arena, perm, sizeof *perm * (size_t)rank), .len = rank,
               .cap = rank};
  return view(c, b, (Exp){.form = FORM_REARRANGE, .rearrange = {.array = x, .perm = ints}});
}

static Atom reshaped(ToCore *c, Builder *b, Atom x, Atoms dims) {
  Atom r = view(c, b, (Exp){.form = FORM_RESHAPE, .reshape = {.array = x, .dims = dims}});
  b->stms->at[b->stms->len - 1].attrs.unchecked = true;
  return r;
}

static Atom counter(ToCore *c, Atom n) {
  Exp exp = {.form = FORM_IOTA, .iota = {.n = n, .start = atom_i64(0), .step = atom_i64(1)}};
  Atom r = view(c, &c->b, exp);
  c->b.stms->at[c->b.stms->len - 1].attrs.unchecked = true;
  return r;
}

// ---- gather: a nest over the batch, whose rows are taken along; inside over the other places
typedef struct {
  const BulkStm *stm;
  int batch, rank;  // rank: of the indices
} Gather;

static Atoms gather_element(ToCore *c, Builder *b, Atom array, Atoms index, const BulkStm *stm) {
  Slice slice = {0};
  for (int i = 0; i < index.len; i++) {
    Atom at = index.at[i], n = atom_type(c->prog, array).dims[i];
    if (stm->exp.flag) {
      Atom last = build_op(b, OP_SUB, n, atom_i64(1));
      at = build_op(b, OP_MAX, build_op(b, OP_MIN, at, last), atom_i64(0));
    }
    list_push(c->prog->arena, &slice, (SliceDim){.is_fix = true, .start = at});
  }
  Atom r = view(c, b, (Exp){.form = FORM_INDEX, .index = {.array = array, .slice = slice}});
  b->stms->at[b->stms->len - 1].attrs.unchecked = stm->unchecked || stm->exp.flag;
  return one(c, r);
}

typedef struct {
  const BulkStm *stm;
  Atom array;
} GatherRow;

static Atoms gather_inner(ToCore *c, Builder *b, Atoms rows, void *state) {
  GatherRow *g = state;
  return gather_element(c, b, g->array, rows, g->stm);
}

static Atoms gather_batch(ToCore *c, Builder *b, Atoms rows, void *state) {
  Gather *g = state;
  GatherRow row = {g->stm, rows.at[0]};
  Atoms index = atoms_slice(rows, 1, rows.len - 1);
  return core_nest(c, b, g->rank - g->batch, index, (NestBody){gather_inner, &row});
}

static Atom any_empty(ToCore *c, Type t, int from, int n) {
  Atom any = atom_bool(false);
  for (int d = from; d < from + n; d++)
    any = build_op(&c->b, OP_OR, any, build_op(&c->b, OP_EQ, t.dims[d], atom_i64(0)));
  return any;
}

// Zeros where a dimension that is indexed has no elements.
static Atom unless_empty(ToCore *c, Atom empty, Type type, Atoms args, const Gather *g) {
  Builder outer = c->b;
  Stms zeros = {0}, full = {0};
  c->b.stms = &zeros;
  Atom z = build_zero(&c->b, type);
  c->b.stms = &full;
  Atom r = core_nest(c, &c->b, g->batch, args, (NestBody){gather_batch, (void *)g}).at[0];
  c->b = outer;
  Cases cases = {0};
  Case none = {.body = {.stms = zeros, .results = one(c, z)}};
  list_push(c->prog->arena, &none.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(c->prog->arena, &cases, none);
  list_push(c->prog->arena, &cases, (Case){.body = {.stms = full, .results = one(c, r)}});
  return build(&c->b, "gather", type,
               (Exp){.form = FORM_MATCH, .match = {.args = one(c, empty), .cases = cases}});
}

void core_gather(ToCore *c, const BulkStm *stm) {
  Atoms args = core_atoms(c, stm->exp.args);
  Gather g = {.stm = stm, .batch = (int)stm->exp.number,
              .rank = atom_type(c->prog, args.at[1]).rank};
  Type from = atom_type(c->prog, args.at[0]);
  Atom empty = stm->exp.flag ? any_empty(c, from, g.batch, args.len - 1) : atom_bool(false);
  Type type = core_type(c, var_type(c->prog, stm->bound.at[0]));
  Atom r = empty.is_var ? unless_empty(c, empty, type, args, &g)
           : atom_is(empty, 1) ? build_zero(&c->b, type)
           : core_nest(c, &c->b, g.batch, args, (NestBody){gather_batch, &g}).at[0];
  core_bind(c, stm->bound.at[0], r);
}

// ---- put with an operator: an accumulator that a nest over all places updates
typedef struct {
  const BulkStm *stm;
  int indices;  // with those of the batch
} Put;

static Atoms put_element(ToCore *c, Builder *b, Atoms rows, void *state) {
  Put *p = state;
  int n = p->indices;
  Exp exp = {.form = FORM_UPDATEACC,
             .updateacc = {.acc = rows.at[n + 1], .index = atoms_slice(rows, 0, n),
                           .value = rows.at[n]}};
  return one(c, build(b, "acc", atom_type(c->prog, rows.at[n + 1]), exp));
}

static Atoms put_scalar_batch(ToCore *c, Atoms index, Atom value, int batch) {
  Atoms all = {0};
  Type t = atom_type(c->prog, index.at[0]);
  for (int k = 0; k < batch; k++) {
    Atoms before = {0}, dims = atoms_of(c->prog->arena, t.rank, t.dims);
    Atom x = counter(c, t.dims[k]);
    for (int d = 0; d < t.rank; d++)
      if (d != k) list_push(c->prog->arena, &before, dims.at[d]);
    x = build_replicate(&c->b, before, x);
    int64_t perm[64];
    for (int d = 0; d < t.rank; d++) perm[d] = d < k ? d : d == k ? t.rank - 1 : d - 1;
    list_push(c->prog->arena, &all, rearranged(c, &c->b, x, perm));
  }
  all = atoms_concat(c->prog->arena, all, index);
  return atoms_concat(c->prog->arena, all, one(c, value));
}

static void put_with(ToCore *c, const BulkStm *stm, Atom dest, Atoms inputs) {
  int indices = inputs.len - 1, rank = atom_type(c->prog, inputs.at[0]).rank;
  Type acc = atom_type(c->prog, dest);
  acc.is_acc = true, acc.index_rank = indices;
  Types params = {0};
  list_push(c->prog->arena, &params, acc);
  LambdaBuilder fn = lambda_begin(&c->b, "acc", params);
  Var token = fn.lambda->params.at[0];
  c->prog->vars.at[token.id].type.token = token;
  Put put = {stm, indices};
  Atoms all = atoms_concat(c->prog->arena, inputs, one(c, atom_var(token)));
  NestBody body = {put_element, &put};
  Lambda *lambda = lambda_end(&fn, core_nest(c, &fn.inner, rank, all, body));
  Ints ranks = {0};
  list_push(c->prog->arena, &ranks, indices);
  Operators ops = {0};
  list_push(c->prog->arena, &ops,
            (Operator){.op = lambda_copy(&c->b, stm->exp.fn),
                       .neutral = core_atoms(c, stm->exp.neutral)});
  Exp exp = {.form = FORM_WITHACC,
             .withacc = {.arrays = one(c, dest), .ranks = ranks, .ops = ops, .fn = lambda}};
  core_bind(c, stm->bound.at[0], build(&c->b, "put", atom_type(c->prog, dest), exp));
}

// ---- put without operator: a scatter over all places in row-major order
static void put_over(ToCore *c, const BulkStm *stm, Atom dest, Atoms inputs) {
  Type t = atom_type(c->prog, inputs.at[0]);
  Atom n = atom_i64(1);
  for (int d = 0; d < t.rank; d++) n = build_op(&c->b, OP_MUL, n, t.dims[d]);
  Atoms flat = {0};
  Types rows = {0};
  for (int i = 0; i < inputs.len; i++) {
    Type own = type_peel(atom_type(c->prog, inputs.at[i]), t.rank);
    Atoms dims = atoms_concat(c->prog->arena, one(c, n),
                              atoms_of(c->prog->arena, own.rank, own.dims));
    Atom x = t.rank ? reshaped(c, &c->b, inputs.at[i], dims)
                    : build_replicate(&c->b, one(c, atom_i64(1)), inputs.at[i]);
    list_push(c->prog->arena, &flat, x);
    list_push(c->prog->arena, &rows, own);
  }
  LambdaBuilder fn = lambda_begin(&c->b, "x", rows);
  Atoms results = atoms_of_vars(c->prog->arena, fn.lambda->params);
  Exp exp = {.form = FORM_SCATTER,
             .scatter = {.width = n, .rank = inputs.len - 1, .dests = one(c, dest),
                         .fn = lambda_end(&fn, results), .inputs = flat}};
  core_bind(c, stm->bound.at[0], build(&c->b, "put", atom_type(c->prog, dest), exp));
}

void core_put(ToCore *c, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Atom dest = core_owned(c, stm, e->args.at[0]);
  Atoms args = core_atoms(c, e->args);
  Atoms index = atoms_slice(args, 1, args.len - 2);
  Atom value = args.at[args.len - 1];
  Atoms inputs = put_scalar_batch(c, index, value, (int)e->number);
  if (e->fn) put_with(c, stm, dest, inputs);
  else put_over(c, stm, dest, inputs);
}

// ---- folds and prefixes: along the last dimension of a transposition
static void last_dim(int64_t *perm, int rank, int dim) {
  for (int d = 0; d < rank; d++) perm[d] = d == rank - 1 ? dim : d < dim ? d : d + 1;
}

static Atoms fold_row(ToCore *c, Builder *b, Atoms rows, void *state) {
  const BulkStm *stm = state;
  const BulkExp *e = &stm->exp;
  Atom width = atom_type(c->prog, rows.at[0]).dims[0];
  Lambda *op = lambda_copy(b, e->fn);
  Atoms neutral = core_atoms(c, e->neutral);
  Exp exp = e->form == BULK_FOLD
                ? (Exp){.form = FORM_REDUCE, .reduce = {width, e->flag, op, neutral, rows}}
                : (Exp){.form = FORM_SCAN, .scan = {width, e->flag, op, neutral, rows}};
  return atoms_of_vars(c->prog->arena, build_many(b, NULL, exp_types(c->prog, &exp), exp));
}

static Atoms along(ToCore *c, const BulkStm *stm) {
  int rank = var_type(c->prog, stm->exp.args.at[0].var).rank;
  int64_t perm[64];
  last_dim(perm, rank, (int)stm->exp.number);
  Atoms inputs = {0};
  for (int i = 0; i < stm->exp.args.len; i++)
    list_push(c->prog->arena, &inputs,
              rearranged(c, &c->b, core_of(c, stm->exp.args.at[i]), perm));
  return core_nest(c, &c->b, rank - 1, inputs, (NestBody){fold_row, (void *)stm});
}

void core_fold(ToCore *c, const BulkStm *stm) {
  Atoms r = along(c, stm);
  for (int i = 0; i < r.len; i++) core_bind(c, stm->bound.at[i], r.at[i]);
}

void core_prefix(ToCore *c, const BulkStm *stm) {
  Atoms r = along(c, stm);
  int rank = var_type(c->prog, stm->bound.at[0]).rank, dim = (int)stm->exp.number;
  int64_t perm[64];
  for (int d = 0; d < rank; d++) perm[d] = d < dim ? d : d == dim ? rank - 1 : d - 1;
  for (int i = 0; i < r.len; i++)
    core_bind(c, stm->bound.at[i], rearranged(c, &c->b, r.at[i], perm));
}

// ---- contractions: [batch][free][sum] of both, the sums as one dimension
typedef struct {
  int free[2];
  bool sums, linear;
  Atom row;
} Contract;

static Atoms multiply(ToCore *c, Builder *b, Atoms rows, void *state) {
  const Contract *k = state;
  Attrs saved = b->attrs;
  if (k->linear) b->attrs.linear = 1;
  Atom product = build_op(b, OP_MUL, rows.at[0], rows.at[1]);
  b->attrs = saved;
  return one(c, product);
}

static Atoms contract_cell(ToCore *c, Builder *b, Atom x, Atom y, const Contract *k) {
  Atoms both = atoms_of(c->prog->arena, 2, (Atom[]){x, y});
  if (!k->sums) return multiply(c, b, both, (void *)k);
  Atoms products = core_nest(c, b, 1, both, (NestBody){multiply, (void *)k});
  Prim p = atom_type(c->prog, x).prim;
  Exp exp = {.form = FORM_REDUCE,
             .reduce = {.width = atom_type(c->prog, x).dims[0], .comm = true,
                        .op = lambda_binop(c->prog, OP_ADD, p),
                        .neutral = one(c, atom_number(p, 0)), .inputs = products}};
  return one(c, build(b, "sum", type_scalar(p), exp));
}

static Atoms contract_right(ToCore *c, Builder *b, Atoms rows, void *state) {
  Contract *k = state;
  return contract_cell(c, b, k->row, rows.at[0], k);
}

typedef struct {
  Contract *k;
  Atom y;
} ContractRow;

static Atoms contract_left(ToCore *c, Builder *b, Atoms rows, void *state) {
  ContractRow *r = state;
  Contract k = *r->k;
  k.row = rows.at[0];
  return core_nest(c, b, k.free[1], one(c, r->y), (NestBody){contract_right, &k});
}

static Atoms contract_batch(ToCore *c, Builder *b, Atoms rows, void *state) {
  Contract *k = state;
  ContractRow r = {k, rows.at[1]};
  return core_nest(c, b, k->free[0], one(c, rows.at[0]), (NestBody){contract_left, &r});
}

static bool in_pairs(Ints pairs, int from, int to, int side, int dim) {
  for (int i = from + side; i < to; i += 2)
    if (pairs.at[i] == dim) return true;
  return false;
}

// One operand as [batch][free][sum]; the sums joined.
static Atom contract_operand(ToCore *c, const BulkExp *e, int side, int *free_dims) {
  Atom x = core_of(c, e->args.at[side]);
  Type t = atom_type(c->prog, x);
  int64_t perm[64];
  int n = 0, batch = 2 * (int)e->number, all = e->ints.len;
  for (int i = side; i < batch; i += 2) perm[n++] = e->ints.at[i];
  *free_dims = 0;
  for (int d = 0; d < t.rank; d++)
    if (!in_pairs(e->ints, 0, all, side, d)) perm[n++] = d, ++*free_dims;
  for (int i = batch + side; i < all; i += 2) perm[n++] = e->ints.at[i];
  x = rearranged(c, &c->b, x, perm);
  int sums = (all - batch) / 2;
  if (sums < 2) return x;
  t = atom_type(c->prog, x);
  Atom joined = atom_i64(1);
  for (int d = t.rank - sums; d < t.rank; d++)
    joined = build_op(&c->b, OP_MUL, joined, t.dims[d]);
  Atoms dims = atoms_of(c->prog->arena, t.rank - sums, t.dims);
  return reshaped(c, &c->b, x, atoms_concat(c->prog->arena, dims, one(c, joined)));
}

void core_contract(ToCore *c, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Contract k = {.sums = e->ints.len > 2 * e->number, .linear = e->flag};
  Atom x = contract_operand(c, e, 0, &k.free[0]), y = contract_operand(c, e, 1, &k.free[1]);
  Atoms both = atoms_of(c->prog->arena, 2, (Atom[]){x, y});
  core_bind(c, stm->bound.at[0],
            core_nest(c, &c->b, (int)e->number, both, (NestBody){contract_batch, &k}).at[0]);
}
