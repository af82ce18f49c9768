// Fewer movements of data: two transpositions or repetitions in a row become one, contractions and
// folds read an array instead of its transposition, and operations read a constant instead of an
// array of it.  Laws, where p.q means q after p:
//
//   transpose p (transpose q x)    = transpose (q.p) x
//   transpose p (broadcast to x)   = broadcast to' (transpose p' x)    the smaller array moves
//   transpose swap (contract x y)  = contract y x                      read nowhere else
//   broadcast to (broadcast of x)  = broadcast (to.of) x
//   contract (transpose p x) y     = contract' x y                     free dimensions in order
//   fold d (transpose p x)         = transpose p' (fold p(d) x)
//   sum b (contract x y)           = contract' x y                     b a batch dimension
//   contract (x repeated on b) y   = transpose p (contract' x y)      b a batch dimension
//   contract (reshape x) (reshape y) = contract' x y                  joined alike on both sides
#include "rename.h"

typedef struct {
  BulkBuilder b;
  BulkRename rename;
  Map *made;  // variable -> the statement that binds it, of this body
  Map *uses;  // variable -> mentions by statements and results
} Moves;

static const BulkExp *made_by(const Moves *m, Atom a, BulkForm form) {
  return bulk_made_by(m->made, a, form);
}

static bool read_once(const Moves *m, Atom a) { return map_get(m->uses, a.var.id) == (void *)1; }

static int rank_of(const Moves *m, Atom a) { return atom_type(m->b.prog, a).rank; }

// ---- transpositions
// Dimension k of x is dimension `at[k]` of the result, in any order.
static Atom spread(Moves *m, Atom x, Atoms dims, const int64_t *at) {
  int64_t order[64], to[64];
  int n = 0;
  for (int d = 0; d < dims.len; d++)
    for (int k = 0; k < rank_of(m, x); k++)
      if (at[k] == d) order[n] = k, to[n++] = d;
  return bulk_broadcast(&m->b, bulk_transpose(&m->b, x, order), dims, to);
}

static Atom transposed_broadcast(Moves *m, const BulkStm *stm, const BulkExp *of) {
  Type t = var_type(m->b.prog, stm->bound.at[0]);
  int64_t at[64];
  for (int k = 0; k < of->ints.len; k++)
    for (int d = 0; d < t.rank; d++)
      if (stm->exp.ints.at[d] == of->ints.at[k]) at[k] = d;
  return spread(m, of->args.at[0], atoms_of(m->b.prog->arena, t.rank, t.dims), at);
}

// Pairs from..to, each with its sides exchanged.
static Ints exchanged(Moves *m, Ints pairs, int from, int to) {
  Ints out = {0};
  for (int i = from; i < to; i++) list_push(m->b.prog->arena, &out, pairs.at[i ^ 1]);
  return out;
}

static bool transposed_contract(Moves *m, const BulkExp *e, const BulkExp *of, Atom *out) {
  int batch = (int)of->number, sums = of->ints.len / 2 - batch;
  int left = rank_of(m, of->args.at[0]) - batch - sums;
  int right = rank_of(m, of->args.at[1]) - batch - sums;
  for (int d = 0; d < e->ints.len; d++) {
    int from = d < batch ? d : d < batch + right ? d + left : d - right;
    if (e->ints.at[d] != from) return false;
  }
  *out = bulk_contract(&m->b, exchanged(m, of->ints, 0, 2 * batch),
                       exchanged(m, of->ints, 2 * batch, of->ints.len), of->args.at[1],
                       of->args.at[0]);
  return true;
}

static bool transposed(Moves *m, const BulkStm *stm, Atom *out) {
  Atom x = stm->exp.args.at[0];
  const BulkExp *of;
  if ((of = made_by(m, x, BULK_TRANSPOSE))) {
    int64_t perm[64];
    for (int d = 0; d < of->ints.len; d++) perm[d] = of->ints.at[stm->exp.ints.at[d]];
    *out = bulk_transpose(&m->b, of->args.at[0], perm);
    return true;
  }
  if ((of = made_by(m, x, BULK_BROADCAST))) {
    *out = transposed_broadcast(m, stm, of);
    return true;
  }
  of = made_by(m, x, BULK_CONTRACT);
  return of && read_once(m, x) && transposed_contract(m, &stm->exp, of, out);
}

static bool repeated(Moves *m, const BulkStm *stm, Atom *out) {
  const BulkExp *of = made_by(m, stm->exp.args.at[0], BULK_BROADCAST);
  int64_t to[64];
  if (!of) return false;
  for (int k = 0; k < of->ints.len; k++) to[k] = stm->exp.ints.at[of->ints.at[k]];
  *out = bulk_broadcast(&m->b, of->args.at[0], stm->exp.dims, to);
  return true;
}

// ---- contractions and folds
static bool pairs_have(Ints pairs, int side, int64_t dim) {
  for (int i = side; i < pairs.len; i += 2)
    if (pairs.at[i] == dim) return true;
  return false;
}

static bool free_in_order(const BulkExp *e, int side, Ints perm) {
  int64_t last = -1;
  for (int d = 0; d < perm.len; d++) {
    if (pairs_have(e->ints, side, d)) continue;
    if (perm.at[d] < last) return false;
    last = perm.at[d];
  }
  return true;
}

static Ints ints_part(Moves *m, Ints all, int from, int to) {
  Ints out = {0};
  for (int i = from; i < to; i++) list_push(m->b.prog->arena, &out, all.at[i]);
  return out;
}

// ---- contractions of repeated operands, and of operands whose dimensions were joined
// The dimensions of a result: number d of a side, in order; batch dimensions by those of `other`.
static int result_order(const BulkExp *e, const int *rank, int other, int64_t *at) {
  int n = 0;
  for (int i = 0; i < e->number; i++) at[n++] = 64 * other + e->ints.at[2 * i + other];
  for (int side = 0; side < 2; side++)
    for (int d = 0; d < rank[side]; d++)
      if (!pairs_have(e->ints, side, d)) at[n++] = 64 * side + d;
  return n;
}

// Whether the repetition is along batch dimensions alone.
static bool repeats_batch(const BulkExp *e, int side, const BulkExp *of) {
  int repeated = 0;
  for (int i = 0; i < e->number; i++) {
    bool own = false;
    for (int k = 0; k < of->ints.len; k++) own = own || of->ints.at[k] == e->ints.at[2 * i + side];
    repeated += !own;
  }
  return of->ints.len && repeated == of->dims.len - of->ints.len;
}

// The pairs without those along which the operand repeats.
static void pairs_once(Moves *m, const BulkExp *e, int side, const BulkExp *of, Ints parts[2]) {
  for (int i = 0; i < e->ints.len; i += 2)
    for (int k = 0; k < of->ints.len; k++) {
      if (of->ints.at[k] != e->ints.at[i + side]) continue;
      Ints *part = &parts[i >= 2 * e->number];
      list_push(m->b.prog->arena, part, side ? e->ints.at[i] : k);
      list_push(m->b.prog->arena, part, side ? k : e->ints.at[i + 1]);
    }
}

static Atom contracted_once(Moves *m, const BulkExp *e, int side, const BulkExp *of) {
  Ints parts[2] = {{0}, {0}};  // batch, sums
  int rank[2] = {rank_of(m, e->args.at[0]), rank_of(m, e->args.at[1])};
  pairs_once(m, e, side, of, parts);
  Atom args[] = {e->args.at[0], e->args.at[1]};
  args[side] = of->args.at[0];
  Atom out = bulk_contract(&m->b, parts[0], parts[1], args[0], args[1]);
  BulkExp *now = &m->b.stms->at[m->b.stms->len - 1].exp;
  now->flag = e->flag;
  int64_t before[64], after[64], perm[64];
  int n = result_order(e, rank, 1 - side, before);
  rank[side] = of->ints.len;
  result_order(now, rank, 1 - side, after);
  for (int i = 0; i < n; i++)
    if (after[i] / 64 == side) after[i] = 64 * side + of->ints.at[after[i] % 64];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (after[i] == before[j]) perm[j] = i;
  return bulk_transpose(&m->b, out, perm);
}

// For each dimension of a reshape, how many of the operand's it joins; false: something else.
static bool joins(const Moves *m, const BulkExp *e, int *count) {
  Type from = atom_type(m->b.prog, e->args.at[0]);
  int next = 0;
  for (int d = 0; d < e->dims.len; d++) {
    int64_t product = 1;
    count[d] = 0;
    if (e->dims.at[d].is_var) return false;
    while (next < from.rank && (!count[d] || product < e->dims.at[d].value.i)) {
      if (from.dims[next].is_var) return false;
      product *= from.dims[next++].value.i, count[d]++;
    }
    if (product != e->dims.at[d].value.i || !count[d]) return false;
  }
  return next == from.rank;
}

typedef struct {
  const BulkExp *of[2];  // the reshapes
  int count[2][64], first[2][64];
} Joined;

static bool joined_alike(const Moves *m, const BulkExp *e, const Joined *j) {
  for (int side = 0; side < 2; side++)
    for (int d = 0; d < j->of[side]->dims.len; d++)
      if (j->count[side][d] > 1 && !pairs_have(e->ints, side, d)) return false;
  for (int i = 0; i < e->ints.len; i += 2) {
    int x = (int)e->ints.at[i], y = (int)e->ints.at[i + 1];
    if (j->count[0][x] != j->count[1][y]) return false;
    for (int k = 0; k < j->count[0][x]; k++) {
      Type tx = atom_type(m->b.prog, j->of[0]->args.at[0]);
      Type ty = atom_type(m->b.prog, j->of[1]->args.at[0]);
      if (!atom_same(tx.dims[j->first[0][x] + k], ty.dims[j->first[1][y] + k])) return false;
    }
  }
  return true;
}

static bool contracted_split(Moves *m, const BulkExp *e, Atom *out) {
  Joined j;
  Ints parts[2] = {{0}, {0}};
  for (int side = 0; side < 2; side++) {
    j.of[side] = made_by(m, e->args.at[side], BULK_RESHAPE);
    if (!j.of[side] || !joins(m, j.of[side], j.count[side])) return false;
    for (int d = 0, at = 0; d < j.of[side]->dims.len; at += j.count[side][d++])
      j.first[side][d] = at;
  }
  if (!joined_alike(m, e, &j)) return false;
  for (int i = 0; i < e->ints.len; i += 2)
    for (int k = 0; k < j.count[0][e->ints.at[i]]; k++)
      for (int side = 0; side < 2; side++)
        list_push(m->b.prog->arena, &parts[i >= 2 * e->number],
                  j.first[side][e->ints.at[i + side]] + k);
  int from = m->b.stms->len;
  *out = bulk_contract(&m->b, parts[0], parts[1], j.of[0]->args.at[0], j.of[1]->args.at[0]);
  m->b.stms->at[from].exp.flag = e->flag;
  return true;
}

static bool contracted(Moves *m, const BulkStm *stm, Atom *out) {
  const BulkExp *e = &stm->exp;
  Ints ints = ints_part(m, e->ints, 0, e->ints.len);
  Atom args[] = {e->args.at[0], e->args.at[1]};
  bool any = false;
  for (int side = 0; side < 2; side++) {
    const BulkExp *of = made_by(m, args[side], BULK_TRANSPOSE);
    if (!of || !free_in_order(e, side, of->ints)) continue;
    for (int i = side; i < ints.len; i += 2) ints.at[i] = of->ints.at[ints.at[i]];
    args[side] = of->args.at[0], any = true;
  }
  int batch = 2 * (int)e->number;
  for (int side = 0; side < 2 && !any; side++) {
    const BulkExp *of = made_by(m, args[side], BULK_BROADCAST);
    if (!of || !repeats_batch(e, side, of)) continue;
    *out = contracted_once(m, e, side, of);
    return true;
  }
  if (!any) return contracted_split(m, e, out);
  *out = bulk_contract(&m->b, ints_part(m, ints, 0, batch), ints_part(m, ints, batch, ints.len),
                       args[0], args[1]);
  m->b.stms->at[m->b.stms->len - 1].exp.flag = e->flag;
  return true;
}

static Atom folded_transpose(Moves *m, const BulkStm *stm, const BulkExp *of) {
  Prog *prog = m->b.prog;
  BulkExp e = stm->exp;
  int64_t dim = e.number, perm[64];
  int n = 0;
  e.number = of->ints.at[dim], e.args = of->args;
  for (int d = 0; d < of->ints.len; d++)
    if (d != dim) perm[n++] = of->ints.at[d] - (of->ints.at[d] > e.number);
  Type t = bulk_without_dim(prog, atom_type(prog, e.args.at[0]), (int)e.number);
  return bulk_transpose(&m->b, bulk_emit(&m->b, "fold", t, e), perm);
}

static bool is_sum(const BulkExp *e) {
  Op op;
  Prim prim;
  return lambda_is_op(e->fn, &op, &prim) && op == OP_ADD && prim_is_float(prim) &&
         atom_is(e->neutral.at[0], 0);
}

// The sum of a derivative's products is no less one.
static Atom summed_contract(Moves *m, int64_t dim, const BulkExp *of) {
  int batch = 2 * (int)of->number, at = 2 * (int)dim;
  Ints kept = ints_part(m, of->ints, 0, at), sums = ints_part(m, of->ints, at, at + 2);
  for (int i = at + 2; i < batch; i++) list_push(m->b.prog->arena, &kept, of->ints.at[i]);
  for (int i = batch; i < of->ints.len; i++)
    list_push(m->b.prog->arena, &sums, of->ints.at[i]);
  Atom out = bulk_contract(&m->b, kept, sums, of->args.at[0], of->args.at[1]);
  m->b.stms->at[m->b.stms->len - 1].exp.flag = of->flag;
  return out;
}

static bool folded(Moves *m, const BulkStm *stm, Atom *out) {
  const BulkExp *e = &stm->exp, *of;
  if (e->args.len != 1) return false;
  if ((of = made_by(m, e->args.at[0], BULK_TRANSPOSE))) {
    *out = folded_transpose(m, stm, of);
    return true;
  }
  of = made_by(m, e->args.at[0], BULK_CONTRACT);
  if (!of || !is_sum(e) || e->number >= of->number || !read_once(m, e->args.at[0])) return false;
  *out = summed_contract(m, e->number, of);
  return true;
}

// ---- elementwise: a literal repeated is the literal, where another operand has the shape
static bool applied(Moves *m, const BulkStm *stm, Atom *out) {
  const BulkExp *e = &stm->exp;
  Atoms args = {0};
  bool any = false, shaped = false;
  for (int i = 0; i < e->args.len; i++) {
    const BulkExp *of = made_by(m, e->args.at[i], BULK_BROADCAST);
    bool literal = of && !of->args.at[0].is_var;
    list_push(m->b.prog->arena, &args, literal ? of->args.at[0] : e->args.at[i]);
    any = any || literal, shaped = shaped || rank_of(m, args.at[i]);
  }
  if (any && shaped) *out = bulk_prim(&m->b, e->op, e->prim, args);
  return any && shaped;
}

static bool moved(Moves *m, const BulkStm *stm, Atom *out) {
  BulkForm form = stm->exp.form;
  return form == BULK_TRANSPOSE   ? transposed(m, stm, out)
         : form == BULK_BROADCAST ? repeated(m, stm, out)
         : form == BULK_CONTRACT  ? contracted(m, stm, out)
         : form == BULK_FOLD      ? folded(m, stm, out)
         : form == BULK_PRIM      ? applied(m, stm, out)
                                  : false;
}

// ---- bodies
static void use(Moves *m, Atom a) {
  if (!a.is_var) return;
  uintptr_t n = (uintptr_t)map_get(m->uses, a.var.id);
  map_put(m->uses, a.var.id, (void *)(n + 1));
}

static void use_body(Moves *m, const BulkBody *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const BulkExp *e = &body->stms.at[i].exp;
    for (int k = 0; k < e->args.len; k++) use(m, e->args.at[k]);
    for (int k = 0; k < e->bodies.len; k++) use_body(m, &e->bodies.at[k]);
  }
  for (int i = 0; i < body->results.len; i++) use(m, body->results.at[i]);
}

static int move_body(Moves *m, BulkBody *body) {
  BulkStms out = {0}, *outer = m->b.stms;
  Map *around = m->made;
  int changes = 0;
  m->b.stms = &out, m->made = map_new(m->b.prog->arena);
  for (int i = 0; i < body->stms.len; i++) {
    BulkStm stm = body->stms.at[i];
    int before = out.len;
    Atom to;
    m->b.loc = stm.loc;
    bulk_rename(&m->rename, &stm);
    for (int k = 0; k < stm.exp.bodies.len; k++) changes += move_body(m, &stm.exp.bodies.at[k]);
    if (moved(m, &stm, &to)) {
      if (to.is_var) bulk_name_as(m->b.prog, to.var, stm.bound.at[0]);
      bulk_rename_to(&m->rename, stm.bound.at[0], to);
      changes++;
    } else {
      list_push(m->b.prog->arena, &out, stm);
    }
    bulk_made(&m->b, m->made, before);
  }
  body->results = bulk_renamed(&m->rename, body->results);
  body->stms = out;
  m->b.stms = outer, m->made = around;
  return changes;
}

// Each round ends with the removal of what nothing reads any more, so that more is read once.
void bulk_moves(Prog *prog, BulkBody *body) {
  enum { ROUNDS = 10 };
  if (bulk_has_core(body)) return;
  for (int round = 0, changes = 1; changes && round < ROUNDS; round++) {
    Arena *arena = prog->arena;
    Moves m = {.b = {.prog = prog}, .rename = {prog, map_new(arena)},
               .uses = map_new(arena)};
    use_body(&m, body);
    changes = move_body(&m, body);
    bulk_share(prog, body);
    bulk_clean(prog, body);
  }
}
