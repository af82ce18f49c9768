// An update by itself: a nest of maps around it, those over what is not solved (solve_index.c) one
// iteration after the other, all over the ranges that its bounds leave.
//
//   map i (map k (map j (A[k,j] += d[i,k] * x[i,j])))
//
// is a product of transposed matrices, which would walk down columns.  So where rows are long
// enough for a strip (imp/vector/outer_vec.c) it is done by blocks of i:
//
//   loop over blocks of 32 iterations { map k (map j (A[k,j] += sum_i d[i,k] * x[i,j])) }
//
// A strip of columns of 32 rows stays in the first cache while k goes on, and A is read and written
// once for 32 additions.  With 500 points that makes 10 additions a nanosecond for A of 32 x 32 to
// 256 x 512; sums over all points, and rows one after the other, 8 to 3.  Blocks of 64 are no
// faster.
#include "acc.h"


static bool is_solved(const AccPart *p, const Type *array, int dim) {
  for (int k = 0; k < array->rank; k++)
    if (p->solved[k] == dim) return true;
  return false;
}

// Dimension d is summed over and what a solved index is made of, as t in A[i + 2 t]: for every t
// its i are others, so the loop over t is around that over i.
static bool is_mixed(const Nest *n, const AccPart *p, const Type *array, int d) {
  bool mentioned = false;
  for (int k = 0; k < array->rank; k++)
    mentioned = mentioned || affine_mentions(&p->index[k], n, d);
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

// Every index is there outside dimension d.
static bool is_index_outside(const Nest *n, const AccPart *p, int d) {
  const Atoms *index = &p->place->update->index;
  for (int k = 0; k < index->len; k++)
    if (nest_stands_in(n, index->at[k], d)) return false;
  return true;
}

// Two reads at least, one of them along the row, the sum over the outermost map.
static bool is_product(const Nest *n, const AccPart *p, const Type *array) {
  int left = 2;
  Atom value = p->place->update->value;
  for (int k = 0; k < array->rank; k++)
    if (p->solved[k] < 0) return false;
  return array->rank >= 2 && !p->bounds && p->place->dims == array->rank + 1 &&
         !is_solved(p, array, p->place->dim[0]) && !is_mixed(n, p, array, p->place->dim[0]) &&
         is_index_outside(n, p, p->place->dim[0]) && is_brief(n, value, &left) &&
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

// The maps over cells and the sum of the block's iterations, `width` of them from lo on.
static Atom block_make(Nest *n, const AccPart *part, const Type *array, Atom acc, Atom lo,
                       Atom width, const Atom *iota) {
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
  Atom block = atom_i64(prog_machine(n->a->prog)->cached_rows);
  Atom bound = quotient(out, build_op(out, OP_ADD, all, atom_i64(block.value.i - 1)), block);
  Types params = {0};
  list_push(arena, &params, type_scalar(PRIM_I64));
  list_push(arena, &params, type);
  LambdaBuilder lb = lambda_begin(out, "block", params);
  Atom lo = build_op(&lb.inner, OP_MUL, atom_var(lb.lambda->params.at[0]), block);
  Atom left = build_op(&lb.inner, OP_SUB, all, lo);
  Atom width = build_op(&lb.inner, OP_MIN, left, block);
  n->to[0] = &lb.inner;
  Atom now = block_make(n, part, array, atom_var(lb.lambda->params.at[1]), lo, width, iota);
  Exp loop = {.form = FORM_LOOP, .loop = {.is_for = true, .bound = bound,
                                          .inits = atoms_of(arena, 1, &acc),
                                          .fn = lambda_end(&lb, atoms_of(arena, 1, &now))}};
  out->attrs.chunked = true;
  now = build(out, "acc", type, loop);
  out->attrs.chunked = false;
  return now;
}

// ---- one row after the other ------------------------------------------------------------------
static bool has(const int *dims, int len, int d) {
  for (int i = 0; i < len; i++)
    if (dims[i] == d) return true;
  return false;
}

// The index that dimension d is solved for; -1: it is summed over.
static int index_of(const AccPart *p, const Type *array, int d) {
  for (int k = 0; k < array->rank; k++)
    if (p->solved[k] == d) return k;
  return -1;
}

// Another dimension takes part in the index that d is solved for.
static bool has_company(const Nest *n, const AccPart *p, int k) {
  for (int i = 0; i < p->place->dims; i++)
    if (p->place->dim[i] != p->solved[k] && affine_mentions(&p->index[k], n, p->place->dim[i]))
      return true;
  return false;
}

// Where indices are sums, A[c,i + t,j + u]: c, which distinguishes rows, dimensions of no index,
// then every sum around what is solved for: t, i, u, j.  So rows stay in the first cache while u
// goes on.
static int order_mixed(const Nest *n, const AccPart *part, const Type *array, int *order) {
  const UpdateSite *p = part->place;
  int at = 0, last = array->rank - 1;
  for (int k = 0; k < last; k++)
    if (part->solved[k] >= 0 && !has_company(n, part, k)) order[at++] = part->solved[k];
  for (int t = 0; t < p->dims; t++)
    if (index_of(part, array, p->dim[t]) < 0 && !is_mixed(n, part, array, p->dim[t]))
      order[at++] = p->dim[t];
  for (int k = 0; k <= last; k++) {
    if (part->solved[k] < 0 || (k < last && !has_company(n, part, k))) continue;
    for (int t = 0; t < p->dims; t++)
      if (p->dim[t] != part->solved[k] && affine_mentions(&part->index[k], n, p->dim[t]) &&
          !has(order, at, p->dim[t]))
        order[at++] = p->dim[t];
    order[at++] = part->solved[k];
  }
  return at;
}

// The maps in the order they stand, but one inside over what is summed last where that reads in
// order and the row does not.
static int order_of(const Nest *n, const AccPart *part, const Type *array, int *order) {
  const UpdateSite *p = part->place;
  int last = p->dims - 1, sum = -1, at = 0, row = p->dim[last];
  if (part->bounds) return order_mixed(n, part, array, order);
  for (int t = 0; t < p->dims; t++)
    if (is_mixed(n, part, array, p->dim[t])) return order_mixed(n, part, array, order);
  for (int t = 1; t < last; t++)
    if (!is_solved(part, array, p->dim[t])) sum = p->dim[t];
  bool permuted = sum >= 0 && is_solved(part, array, row) && is_index_outside(n, part, sum) &&
                nest_reads_score(n, p->value, row) < 0 &&
                nest_reads_score(n, p->value, sum) >= 0;
  for (int t = 0; t < p->dims; t++)
    if (!permuted || p->dim[t] != sum) order[at++] = p->dim[t];
  if (permuted) order[at++] = sum;
  return at;
}

// ---- ranges -----------------------------------------------------------------------------------
// The place in the order of the last dimension that l mentions; -1: none.
static int last_in(const Nest *n, const Affine *l, const int *order, int dims) {
  for (int t = dims - 1; t >= 0; t--)
    if (affine_mentions(l, n, order[t])) return t;
  return -1;
}

// Indices that go in steps of more than one, x[2 i + j], distinguish the iterations of i too.
// Where ranges are left by conditions i is solved for, for ranges of j would be of a few cells.
static int stepped_in(const Nest *n, const AccPart *part, const Type *array, int k) {
  for (int i = 0; i < part->place->dims; i++) {
    int d = part->place->dim[i];
    int64_t c = affine_coef(&part->index[k], n->dim[d]);
    bool alone = c > 1 || c < -1;
    for (int j = 0; j < array->rank; j++)
      alone = alone && (j == k || !affine_mentions(&part->index[j], n, d));
    if (alone) return d;
  }
  return -1;
}

static void solve_steps(const Nest *n, AccPart *part, const Type *array) {
  for (int k = 0; part->bounds && k < array->rank; k++) {
    int d = part->modulus[k].is_var ? -1 : stepped_in(n, part, array, k);
    if (d >= 0) part->solved[k] = d;
  }
}

bool rows_fit(const Nest *n, AccPart *part, const Type *array) {
  solve_steps(n, part, array);
  int order[DIMS], dims = order_of(n, part, array, order);
  if (part->guards) return false;
  for (int i = 0; i < part->bounds; i++)
    if (last_in(n, &part->bound[i], order, dims) < 0) return false;
  return true;
}

// The line with what stands at level t and outside.
static Atom affine_at(const Nest *n, int t, const Affine *l) {
  Atom sum = atom_i64(l->k);
  for (int i = 0; i < l->n; i++) {
    Atom x = atom_var(l->v[i]);
    for (int d = 0; d < n->dims; d++)
      if (n->dim[d].id == l->v[i].id) x = n->index[d];
    int64_t c = l->c[i] < 0 ? -l->c[i] : l->c[i];
    if (c != 1) x = build_op(n->to[t], OP_MUL, x, atom_i64(c));
    sum = build_op(n->to[t], l->c[i] < 0 ? OP_SUB : OP_ADD, sum, x);
  }
  return sum;
}

// The maps of one part, in order, and what their iterations keep to.
typedef struct {
  const AccPart *part;
  int dims, order[DIMS];
  int bounds;
  Affine bound[GUARDS + 2 * RANK];
  bool within;  // so does every index to its dimension
} Rows;
typedef struct {
  Atom low, width, iota;
} Range;

static void keep_within(const Nest *n, Rows *r, const Affine *l) {
  if (affine_nonneg(n, l)) return;
  for (int i = 0; i < r->bounds; i++) {
    Affine more = affine_minus(l, &r->bound[i]);
    if (affine_nonneg(n, &more)) return;
  }
  if (l->ok && last_in(n, l, r->order, r->dims) >= 0) r->bound[r->bounds++] = *l;
  else r->within = false;
}

// Additions outside the array are none: ranges instead of a test for each.
static void rows_begin(Nest *n, Rows *r, const AccPart *part, const Type *array) {
  *r = (Rows){.part = part, .bounds = part->bounds, .within = true};
  r->dims = order_of(n, part, array, r->order);
  n->active = 0;
  for (int i = 0; i < r->dims; i++) n->active |= 1u << r->order[i];
  for (int i = 0; i < part->bounds; i++) r->bound[i] = part->bound[i];
  for (int k = 0; k < array->rank; k++) {
    if (part->modulus[k].is_var) continue;
    Affine room = affine_of(n->a->defs, array->dims[k]);
    affine_add(&room, &part->index[k], -1);
    room.k--;
    keep_within(n, r, &part->index[k]);
    keep_within(n, r, &room);
  }
}

// floor (x / c), c > 0
static Atom floor_of(const Nest *n, int t, Atom x, int64_t c) {
  return c == 1 ? x : build_op(n->to[t], OP_DIV, x, atom_i64(c));
}

// The iterations of the map at level t: c i + rest >= 0 is low = ceil (- rest / c), rest - c i >= 0
// is
// high = floor (rest / c) + 1 = floor ((rest + c) / c).
static Range range_of(const Nest *n, const Rows *r, int t) {
  Builder *b = n->to[t];
  Atom low = atom_i64(0), high = n->width[r->order[t]];
  bool whole = true;
  for (int i = 0; i < r->bounds; i++) {
    Affine rest = r->bound[i], more = {.ok = true};
    if (last_in(n, &rest, r->order, r->dims) != t) continue;
    int64_t c = affine_coef(&rest, n->dim[r->order[t]]);
    affine_add_term(&rest, n->dim[r->order[t]], -c);
    affine_add(&more, &rest, c > 0 ? -1 : 1);
    more.k += c > 0 ? c - 1 : -c;
    Atom end = floor_of(n, t, affine_at(n, t, &more), c > 0 ? c : -c);
    if (c > 0) low = build_op(b, OP_MAX, low, end);
    else high = build_op(b, OP_MIN, high, end);
    whole = false;
  }
  if (!whole) high = build_op(b, OP_MAX, build_op(b, OP_SUB, high, low), atom_i64(0));
  return (Range){low, high, build_iota(whole ? n->to[0] : b, high)};
}

static Atom row_level(Nest *n, int t, const Range *range, bool sequential, LambdaBuilder *lb,
                      Atom acc, Atom now) {
  Lambda *fn = lambda_end(lb, atoms_of(n->a->arena, 1, &now));
  Builder b = *n->to[t];
  b.attrs.sequential = sequential;
  return build(&b, "acc", atom_type(n->a->prog, acc),
               nest_map(n, range->width, fn, range->iota, &acc));
}

// As the part says, not with the choices that its bounds have made.
static Atom index_make(Nest *n, const AccPart *part, int k, int t) {
  int level;
  if (part->modulus[k].is_var) return nest_make(n, part->place->update->index.at[k], &level);
  return affine_at(n, t, &part->index[k]);
}

static Atom update_make(Nest *n, const Rows *r, int deep, Atom acc, Atom value) {
  Exp update = {.form = FORM_UPDATEACC, .updateacc = {.acc = acc, .value = value}};
  for (int i = 0; i < r->part->place->update->index.len; i++)
    list_push(n->a->arena, &update.updateacc.index, index_make(n, r->part, i, deep));
  Builder b = *n->to[deep];
  b.attrs.unchecked = r->within;
  return build(&b, "acc", atom_type(n->a->prog, acc), update);
}

static Atom in_order_make(Nest *n, Builder *out, const AccPart *part, Atom acc) {
  Type type = atom_type(n->a->prog, acc);
  LambdaBuilder lb[DIMS];
  Range range[DIMS];
  Atom accs[DIMS + 1];
  Rows r;
  rows_begin(n, &r, part, &type);
  int deep = r.dims, level;
  int last = r.order[deep - 1];
  bool summed = !is_solved(part, &type, last) && is_index_outside(n, part, last);
  nest_forget(n, -1, 0);
  n->to[0] = out;
  accs[0] = acc;
  for (int t = 0; t < r.dims; t++) {
    bool threads = !(summed && t == r.dims - 1);
    range[t] = range_of(n, &r, t);
    const Lambda *fn = level_begin(n, &lb[t], t, threads ? &type : NULL);
    n->position[r.order[t]] = t;
    n->index[r.order[t]] = build_op(n->to[t + 1], OP_ADD, range[t].low, atom_var(fn->params.at[0]));
    if (threads) accs[t + 1] = atom_var(fn->params.at[1]);
  }
  Atom value = nest_make(n, part->place->value, &level);
  if (summed) {
    deep--;
    value = nest_sum(n, part->place->update, &lb[deep], deep, range[deep].width, range[deep].iota,
                     value);
    nest_forget(n, -1, deep + 1);
  }
  Atom now = update_make(n, &r, deep, accs[deep], value);
  for (int t = deep - 1; t >= 0; t--)
    now = row_level(n, t, &range[t], !is_solved(part, &type, r.order[t]), &lb[t], accs[t], now);
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
  int strip = prog_machine(n->a->prog)->strip;
  if (!width.is_var && width.value.i >= strip) return blocks_make(n, out, part, array, acc);
  if (!width.is_var) return in_order_make(n, out, part, acc);
  Stms blocks = {0}, rows = {0};
  Builder yes = builder_new(n->a->prog, &blocks), no = builder_new(n->a->prog, &rows);
  yes.loc = no.loc = out->loc;
  Atom is_long = build_op(out, OP_LE, atom_i64(strip), width);
  Exp match = {.form = FORM_MATCH, .match = {.args = atoms_of(n->a->arena, 1, &is_long)}};
  Atom long_now = blocks_make(n, &yes, part, array, acc), now = in_order_make(n, &no, part, acc);
  case_push(out, &match, (CasePat){.lit = scalar_bool(true)}, &blocks, long_now);
  case_push(out, &match, (CasePat){.any = true}, &rows, now);
  return build(out, "acc", atom_type(n->a->prog, acc), match);
}
