// An update by itself: a nest of maps around it, those over what is not solved (accparts.c) one iteration
// after the other.
//
//   map i (map k (map j (A[k,j] += d[i,k] * x[i,j])))
//
// is a product of matrices, turned, that would walk down columns.  So where rows are long enough for a
// strip (imp/strip.c) it is done by blocks of i:
//
//   loop over blocks of 32 iterations { map k (map j (A[k,j] += sum_i d[i,k] * x[i,j])) }
//
// A strip of columns of 32 rows stays in the first cache while k goes on, and A is read and written once
// for 32 additions.  With 500 points that makes 10 additions a nanosecond for A of 32 x 32 to 256 x 512;
// sums over all points, and rows one after the other, 8 to 3.  Blocks of 64 are no faster.
#include "acc.h"

enum { BLOCK = 32, LONG_ROW = 32 };

static bool is_solved(const AccPart *p, const Type *array, int dim) {
  for (int k = 0; k < array->rank; k++)
    if (p->solved[k] == dim) return true;
  return false;
}

// Dimension d is summed over and what a solved index is made of, as t in A[i + 2 t]: for every t its i
// are others, so t goes round i.
static bool is_mixed(const Nest *n, const AccPart *p, const Type *array, int d) {
  bool mentioned = false;
  for (int k = 0; k < array->rank; k++)
    mentioned = mentioned || line_mentions(&p->index[k], n, d);
  return mentioned && !is_solved(p, array, d);
}

// ---- blocks -----------------------------------------------------------------------------------
// At most so many operations: what is the same along a row is done again for every strip of it.
static bool is_brief(const Nest *n, Atom x, int *left) {
  const Access *name = access_of(n, x);
  if (!name || name->kind != IS_COMPUTED) return true;
  if (name->stm->exp.form != FORM_PRIM || --*left < 0) return false;
  const Atoms *args = &name->stm->exp.prim.args;
  for (int i = 0; i < args->len; i++)
    if (!is_brief(n, args->at[i], left)) return false;
  return true;
}

// Two reads at least, one of them along the row, the sum over the outermost map.
static bool is_product(const Nest *n, const AccPart *p, const Type *array) {
  int left = 2;
  Atom value = p->place->update->value;
  return array->rank >= 2 && p->place->dims == array->rank + 1 &&
         !is_solved(p, array, p->place->dim[0]) && !is_mixed(n, p, array, p->place->dim[0]) &&
         is_brief(n, value, &left) &&
         nest_reads_score(n, value, p->solved[array->rank - 1]) >= 3;
}

static Atom quotient(Builder *b, Atom x, Atom positive) {
  b->attrs.unchecked = true;
  Atom q = build_op(b, OP_QUOT, x, positive);
  b->attrs.unchecked = false;
  return q;
}

static Lambda *level_begin(Nest *n, LambdaBuilder *lb, int level, const Type *acc) {
  Types params = {0};
  list_push(n->a->arena, &params, type_scalar(PRIM_I64));
  if (acc) list_push(n->a->arena, &params, *acc);
  *lb = lambda_begin(n->to[level], "i", params);
  n->to[level + 1] = &lb->inner;
  return lb->lambda;
}

// The maps over cells and the sum of the block's iterations, lo and as many as width.
static Atom block_make(Nest *n, const AccPart *part, const Type *array, Atom acc, Atom lo, Atom width,
                       const Atom *iota) {
  Arena *arena = n->a->arena;
  Type type = atom_type(n->a->prog, acc);
  const struct updateacc_form *u = part->place->update;
  int rank = array->rank, level;
  LambdaBuilder lb[RANK + 1];
  Atom accs[RANK + 1] = {acc};
  nest_forget(n, -1, 0);
  for (int k = 0; k < rank; k++) {
    const Lambda *fn = level_begin(n, &lb[k], k, &type);
    n->position[part->solved[k]] = k;
    n->index[part->solved[k]] = atom_var(fn->params.at[0]);
    accs[k + 1] = atom_var(fn->params.at[1]);
  }
  int summed = part->place->dim[0];
  Atom counts = build_iota(n->to[0], width);
  const Lambda *fn = level_begin(n, &lb[rank], rank, NULL);
  n->position[summed] = rank;
  n->index[summed] = build_op(n->to[rank + 1], OP_ADD, lo, atom_var(fn->params.at[0]));
  Atom value = nest_make(n, u->value, &level);
  value = nest_sum(n, u, &lb[rank], rank, width, counts, value);
  nest_forget(n, -1, rank + 1);
  Exp update = {.form = FORM_UPDATEACC, .updateacc = {.acc = accs[rank], .value = value}};
  for (int k = 0; k < rank; k++)
    list_push(arena, &update.updateacc.index, nest_make(n, u->index.at[k], &level));
  Atom now = build(n->to[rank], "acc", type, update);
  for (int k = rank - 1; k >= 0; k--) {
    Lambda *map = lambda_end(&lb[k], atoms_of(arena, 1, &now));
    now = build(n->to[k], "acc", type, nest_map(n, array->dims[k], map, iota[k], &accs[k]));
  }
  return now;
}

static Atom blocks_make(Nest *n, Builder *out, const AccPart *part, const Type *array, Atom acc) {
  Arena *arena = n->a->arena;
  Type type = atom_type(n->a->prog, acc);
  Atom iota[RANK], all = n->width[part->place->dim[0]];
  for (int k = 0; k < array->rank; k++) iota[k] = build_iota(out, n->width[part->solved[k]]);
  Atom bound = quotient(out, build_op(out, OP_ADD, all, atom_i64(BLOCK - 1)), atom_i64(BLOCK));
  Types params = {0};
  list_push(arena, &params, type_scalar(PRIM_I64));
  list_push(arena, &params, type);
  LambdaBuilder lb = lambda_begin(out, "block", params);
  Atom lo = build_op(&lb.inner, OP_MUL, atom_var(lb.lambda->params.at[0]), atom_i64(BLOCK));
  Atom left = build_op(&lb.inner, OP_SUB, all, lo);
  Atom width = build_op(&lb.inner, OP_MIN, left, atom_i64(BLOCK));
  n->to[0] = &lb.inner;
  Atom now = block_make(n, part, array, atom_var(lb.lambda->params.at[1]), lo, width, iota);
  Exp loop = {.form = FORM_LOOP, .loop = {.is_for = true, .bound = bound,
                                          .inits = atoms_of(arena, 1, &acc),
                                          .fn = lambda_end(&lb, atoms_of(arena, 1, &now))}};
  out->attrs.blocks = true;
  now = build(out, "acc", type, loop);
  out->attrs.blocks = false;
  return now;
}

// ---- one row after the other ------------------------------------------------------------------
static Atom row_level(Nest *n, int t, Atom width, bool sequential, LambdaBuilder *lb, Atom iota,
                      Atom acc, Atom now) {
  Lambda *fn = lambda_end(lb, atoms_of(n->a->arena, 1, &now));
  Builder b = *n->to[t];
  b.attrs.sequential = sequential;
  return build(&b, "acc", atom_type(n->a->prog, acc), nest_map(n, width, fn, iota, &acc));
}

static bool has(const int *dims, int len, int d) {
  for (int i = 0; i < len; i++)
    if (dims[i] == d) return true;
  return false;
}

// Appends d, in front of it what goes round it.
static int order_push(const Nest *n, const AccPart *part, const Type *array, int d, int *order, int at) {
  const Place *p = part->place;
  for (int k = 0; k < array->rank; k++)
    for (int t = 0; part->solved[k] == d && t < p->dims; t++)
      if (is_mixed(n, part, array, p->dim[t]) && line_mentions(&part->index[k], n, p->dim[t]) &&
          !has(order, at, p->dim[t]))
        order[at++] = p->dim[t];
  if (!has(order, at, d)) order[at++] = d;
  return at;
}

// The maps in the order they stand, but what goes round others, and one inside over what is summed last
// where that reads in order and the row does not.
static int order_of(const Nest *n, const AccPart *part, const Type *array, int *order) {
  const Place *p = part->place;
  int last = p->dims - 1, sum = -1, at = 0, row = p->dim[last];
  for (int t = 1; t < last; t++)
    if (!is_solved(part, array, p->dim[t]) && !is_mixed(n, part, array, p->dim[t])) sum = p->dim[t];
  bool turned = sum >= 0 && is_solved(part, array, row) &&
                nest_reads_score(n, p->update->value, row) < 0 &&
                nest_reads_score(n, p->update->value, sum) >= 0;
  for (int t = 0; t < p->dims; t++)
    if (!turned || p->dim[t] != sum) at = order_push(n, part, array, p->dim[t], order, at);
  if (turned) order[at++] = sum;
  return at;
}

static Atom in_order_make(Nest *n, Builder *out, const AccPart *part, Atom acc) {
  Arena *arena = n->a->arena;
  const Place *p = part->place;
  Type type = atom_type(n->a->prog, acc);
  LambdaBuilder lb[DIMS];
  Atom iota[DIMS], accs[DIMS + 1];
  int order[DIMS], dims = order_of(n, part, &type, order), deep = dims, level;
  bool summed = !is_solved(part, &type, order[dims - 1]);
  nest_forget(n, -1, 0);
  n->to[0] = out;
  accs[0] = acc;
  for (int t = 0; t < dims; t++) iota[t] = build_iota(out, n->width[order[t]]);
  for (int t = 0; t < dims; t++) {
    bool threads = !(summed && t == dims - 1);
    Types params = {0};
    list_push(arena, &params, type_scalar(PRIM_I64));
    if (threads) list_push(arena, &params, type);
    lb[t] = lambda_begin(n->to[t], "i", params);
    n->to[t + 1] = &lb[t].inner;
    n->position[order[t]] = t;
    n->index[order[t]] = atom_var(lb[t].lambda->params.at[0]);
    if (threads) accs[t + 1] = atom_var(lb[t].lambda->params.at[1]);
  }
  Atom value = nest_make(n, p->update->value, &level);
  if (summed) {
    deep--;
    value = nest_sum(n, p->update, &lb[deep], deep, n->width[order[deep]], iota[deep], value);
    nest_forget(n, -1, deep + 1);
  }
  Exp update = {.form = FORM_UPDATEACC, .updateacc = {.acc = accs[deep], .value = value}};
  for (int i = 0; i < p->update->index.len; i++)
    list_push(arena, &update.updateacc.index, nest_make(n, p->update->index.at[i], &level));
  Atom now = build(n->to[deep], "acc", type, update);
  for (int t = deep - 1; t >= 0; t--)
    now = row_level(n, t, n->width[order[t]], !is_solved(part, &type, order[t]), &lb[t], iota[t],
                    accs[t], now);
  return now;
}

static void case_push(Builder *b, Exp *match, CasePat pat, const Stms *stms, Atom result) {
  Case c = {.body = {.stms = *stms, .results = atoms_of(b->prog->arena, 1, &result)}};
  if (!pat.any) list_push(b->prog->arena, &c.pats, pat);
  list_push(b->prog->arena, &match->match.cases, c);
}

Atom rows_make(Nest *n, Builder *out, const AccPart *part, const Type *array, Atom acc) {
  if (!is_product(n, part, array)) return in_order_make(n, out, part, acc);
  Atom width = n->width[part->solved[array->rank - 1]];
  if (!width.is_var && width.value.i >= LONG_ROW) return blocks_make(n, out, part, array, acc);
  if (!width.is_var) return in_order_make(n, out, part, acc);
  Stms blocks = {0}, rows = {0};
  Builder yes = builder_new(n->a->prog, &blocks), no = builder_new(n->a->prog, &rows);
  yes.loc = no.loc = out->loc;
  Atom is_long = build_op(out, OP_LE, atom_i64(LONG_ROW), width);
  Exp match = {.form = FORM_MATCH, .match = {.args = atoms_of(n->a->arena, 1, &is_long)}};
  Atom long_now = blocks_make(n, &yes, part, array, acc), now = in_order_make(n, &no, part, acc);
  case_push(out, &match, (CasePat){.lit = scalar_bool(true)}, &blocks, long_now);
  case_push(out, &match, (CasePat){.any = true}, &rows, now);
  return build(out, "acc", atom_type(n->a->prog, acc), match);
}
