// The transposition of Delta terms: from the cotangents of results to those of inputs, when the
// program is compiled.  Shares are visited from the highest number down, each once, with the sum of
// the cotangents it got; so every statement contributes a bounded number of statements.
#include "delta.h"

typedef struct {
  Deltas *d;
  BulkBuilder *b;
  Atom *shares;      // by id; none where nothing came
  bool *has;
  Map *inputs;       // Var -> its place + 1
  Atom *adjoints;
  bool *given;
  Map *pulled;       // statements that were pulled already
  int first;         // variables from here on are the transposition's
} Reverse;

static void add_to(Reverse *r, Atom *sum, bool *has, Atom c) {
  *sum = *has ? bulk_op(r->b, OP_ADD, *sum, c) : c;
  *has = true;
}

static Atoms one(Reverse *r, Atom a) { return atoms_of(r->b->prog->arena, 1, &a); }
static Atoms dims_of(Reverse *r, Type t) { return atoms_of(r->b->prog->arena, t.rank, t.dims); }

// c where the mask holds; the mask may lack trailing dimensions.
static Atom where(Reverse *r, Atom mask, Atom c) {
  Type t = atom_type(r->b->prog, c), m = atom_type(r->b->prog, mask);
  int64_t to[64];
  for (int d = 0; d < m.rank; d++) to[d] = d;
  if (m.rank && m.rank < t.rank) mask = bulk_broadcast(r->b, mask, dims_of(r, t), to);
  return bulk_select(r->b, mask, c, atom_number(t.prim, 0));
}

// A product by a cotangent: where that is a structural zero, so is the product.
// Of the product that follows statement number `from`, if it is one.
static void mark_linear(Reverse *r, int from) {
  BulkStms *stms = r->b->stms;
  if (stms->len > from) stms->at[stms->len - 1].exp.flag = !r->d->strict;
}

static Atom times(Reverse *r, Atom c, Atom by, bool guarded) {
  Prim p = bulk_prim_of(r->b, c);
  if (guarded)
    by = bulk_prim(r->b, OP_GUARD, p, atoms_of(r->b->prog->arena, 3, (Atom[]){c, by, by}));
  int from = r->b->stms->len;
  Atom product = bulk_op(r->b, OP_MUL, c, by);
  mark_linear(r, from);
  return product;
}

static Atom sum_all(Reverse *r, Atom c) {
  while (atom_type(r->b->prog, c).rank) c = bulk_sum(r->b, 0, c);
  return c;
}

// ---- adjoints of linear forms
static Atom back_broadcast(Reverse *r, const BulkExp *e, Atom c) {
  int own = e->ints.len - 1;
  for (int d = e->dims.len - 1; d >= 0; d--) {
    if (own >= 0 && e->ints.at[own] == d) own--;
    else c = bulk_sum(r->b, d, c);
  }
  return c;
}

static Atom back_transpose(Reverse *r, const BulkExp *e, Atom c) {
  int64_t perm[64];
  for (int d = 0; d < e->ints.len; d++) perm[e->ints.at[d]] = d;
  return bulk_transpose(r->b, c, perm);
}

static Atom reversed(Reverse *r, int64_t dim, Atom c) {
  BulkExp exp = {.form = BULK_REVERSE, .number = dim, .args = one(r, c)};
  return bulk_emit(r->b, "reverse", atom_type(r->b->prog, c), exp);
}

static Atom update(Reverse *r, Atom x, Slice slice, Atom v) {
  BulkExp exp = {.form = BULK_UPDATE, .slice = slice,
                 .args = atoms_of(r->b->prog->arena, 2, (Atom[]){x, v})};
  Atom u = bulk_emit(r->b, "update", atom_type(r->b->prog, x), exp);
  r->b->stms->at[r->b->stms->len - 1].unchecked = true;
  return u;
}

static Atom part(Reverse *r, Atom x, Slice slice) {
  Type t = atom_type(r->b->prog, x);
  Atoms dims = {0};
  for (int i = 0; i < slice.len; i++)
    if (!slice.at[i].is_fix) list_push(r->b->prog->arena, &dims, slice.at[i].count);
  for (int d = slice.len; d < t.rank; d++) list_push(r->b->prog->arena, &dims, t.dims[d]);
  BulkExp exp = {.form = BULK_SLICE, .slice = slice, .args = one(r, x)};
  Atom s = bulk_emit(r->b, "slice",
                     type_array_dims(r->b->prog->arena, type_scalar(t.prim), dims), exp);
  r->b->stms->at[r->b->stms->len - 1].unchecked = true;
  return s;
}

static Atom back_update(Reverse *r, const BulkExp *e, int operand, Atom c) {
  if (operand == 1) return part(r, c, e->slice);
  Type v = atom_type(r->b->prog, e->args.at[1]);
  return update(r, c, e->slice, bulk_zeros(r->b, v));
}

static Atom back_concat(Reverse *r, const BulkExp *e, int operand, Atom c) {
  int dim = (int)e->number;
  Atom start = atom_i64(0);
  for (int i = 0; i < operand; i++)
    start = bulk_op(r->b, OP_ADD, start, atom_type(r->b->prog, e->args.at[i]).dims[dim]);
  Slice s = slice_whole(r->b->prog->arena, atom_type(r->b->prog, e->args.at[operand]), 0);
  s.at[dim].start = start;
  return part(r, c, s);
}

// c in one place of each row, zeros beside it: nothing is written, each element chooses.
static Atom only_there(Reverse *r, Type into, Atom index, Atom c) {
  Arena *arena = r->b->prog->arena;
  int64_t rows = atom_type(r->b->prog, index).rank, to[64];
  Atoms cells = atoms_of(arena, (int)rows + 1, into.dims);
  Atom places = bulk_iota(r->b, into.dims[rows], atom_i64(0), atom_i64(1));
  for (int d = 0; d < into.rank; d++) to[d] = d < rows ? d : d + 1;
  Atom here = bulk_op(r->b, OP_EQ, bulk_broadcast(r->b, places, cells, &rows),
                      bulk_broadcast(r->b, index, cells, to));
  return where(r, here, bulk_broadcast(r->b, c, dims_of(r, into), to));
}

static Atom put_add(Reverse *r, Type into, int batch, Atoms index, Atom c) {
  if (batch && index.len == 1 && atom_type(r->b->prog, index.at[0]).rank == batch)
    return only_there(r, into, index.at[0], c);
  return bulk_put(r->b, bulk_zeros(r->b, into), batch, bulk_adder(r->b->prog, into.prim),
                  atoms_concat(r->b->prog->arena, index, one(r, c)));
}

static Atom back_gather(Reverse *r, const BulkExp *e, Atom c) {
  return put_add(r, atom_type(r->b->prog, e->args.at[0]), (int)e->number,
                 atoms_slice(e->args, 1, e->args.len - 1), c);
}

// Where all indices are in range.
static Atom inside(Reverse *r, const BulkExp *e, Atoms index) {
  Type dest = atom_type(r->b->prog, e->args.at[0]);
  Atom all = atom_bool(true);
  for (int i = 0; i < index.len; i++) {
    Atom low = bulk_op(r->b, OP_LE, atom_i64(0), index.at[i]);
    Atom high = bulk_op(r->b, OP_LT, index.at[i], dest.dims[e->number + i]);
    Atom both = bulk_op(r->b, OP_AND, low, high);
    all = i ? bulk_op(r->b, OP_AND, all, both) : both;
  }
  return all;
}

static Atom back_put(Reverse *r, const Delta *n, Atom c) {
  const BulkExp *e = &n->stm->exp;
  Atoms index = atoms_slice(e->args, 1, e->args.len - 2);
  Type v = atom_type(r->b->prog, e->args.at[e->args.len - 1]);
  if (n->operand == 0 && e->fn) return c;
  if (n->operand == 0)
    return bulk_put(r->b, c, (int)e->number, (Operator){0},
                    atoms_concat(r->b->prog->arena, index, one(r, bulk_zeros(r->b, v))));
  Atom g = bulk_gather(r->b, c, (int)e->number, index);
  r->b->stms->at[r->b->stms->len - 1].exp.flag = true;
  g = where(r, inside(r, e, index), g);
  return e->fn ? g : where(r, n->atom, g);
}

static Atom back_fold(Reverse *r, const BulkExp *e, Atom c) {
  Type t = atom_type(r->b->prog, e->args.at[0]);
  int64_t to[64];
  for (int d = 0; d < t.rank - 1; d++) to[d] = d < e->number ? d : d + 1;
  return bulk_broadcast(r->b, c, dims_of(r, t), to);
}

static Atom back_prefix(Reverse *r, const BulkExp *e, Atom c) {
  BulkExp again = *e;
  again.args = one(r, reversed(r, e->number, c));
  return reversed(r, e->number, bulk_emit(r->b, "prefix", atom_type(r->b->prog, c), again));
}

static Atom back_linear(Reverse *r, const Delta *n, Atom c) {
  const BulkExp *e = &n->stm->exp;
  Type from = atom_type(r->b->prog, e->args.at[n->operand]);
  switch (e->form) {
    case BULK_CONV: return bulk_conv(r->b, from.prim, c);
    case BULK_OPAQUE: return c;
    case BULK_BROADCAST: return back_broadcast(r, e, c);
    case BULK_TRANSPOSE: return back_transpose(r, e, c);
    case BULK_RESHAPE: return bulk_reshape(r->b, c, dims_of(r, from));
    case BULK_SLICE: return update(r, bulk_zeros(r->b, from), e->slice, c);
    case BULK_REVERSE: return reversed(r, e->number, c);
    case BULK_UPDATE: return back_update(r, e, n->operand, c);
    case BULK_CONCAT: return back_concat(r, e, n->operand, c);
    case BULK_GATHER: return back_gather(r, e, c);
    case BULK_PUT: return back_put(r, n, c);
    case BULK_FOLD: return back_fold(r, e, c);
    case BULK_PREFIX: return back_prefix(r, e, c);
    case BULK_PRIM: case BULK_STOP: case BULK_CONSTANT: case BULK_SCRATCH: case BULK_IOTA:
    case BULK_CONTRACT: case BULK_LOOP: case BULK_MATCH: case BULK_ASSERT: case BULK_CORE:
    case BULK_CONVOLVE: case BULK_COUNT: break;
  }
  ice("form %d is not linear", e->form);
}

// ---- contractions: c [batch][free a][free b] with the other operand over its free dimensions
static void push(Reverse *r, Ints *ints, int64_t x, int64_t y) {
  list_push(r->b->prog->arena, ints, x);
  list_push(r->b->prog->arena, ints, y);
}

typedef struct {
  int rank[2], batch, sums;
  int place[2][64];  // of a dimension of an operand in the result; -1 - k: sum number k
} Contraction;

static Contraction contraction_of(Reverse *r, const BulkExp *e) {
  Contraction k = {.batch = (int)e->number, .sums = e->ints.len / 2 - (int)e->number};
  int next = k.batch;
  for (int side = 0; side < 2; side++) {
    k.rank[side] = atom_type(r->b->prog, e->args.at[side]).rank;
    for (int d = 0; d < k.rank[side]; d++) k.place[side][d] = 1000;
    for (int i = 0; i < e->ints.len / 2; i++)
      k.place[side][e->ints.at[2 * i + side]] = i < k.batch ? i : -1 - (i - k.batch);
    for (int d = 0; d < k.rank[side]; d++)
      if (k.place[side][d] == 1000) k.place[side][d] = next++;
  }
  return k;
}

static Atom back_contract(Reverse *r, const Delta *n, Atom c) {
  const BulkExp *e = &n->stm->exp;
  Contraction k = contraction_of(r, e);
  int me = n->operand, other = 1 - me;
  Ints batch = {0}, over = {0};
  int order[64], len = 0;  // dimensions of the operand in the order they come out
  for (int i = 0; i < k.batch; i++) {
    push(r, &batch, i, e->ints.at[2 * i + other]);
    order[len++] = (int)e->ints.at[2 * i + me];
  }
  for (int d = 0; d < k.rank[other]; d++)
    if (k.place[other][d] >= k.batch) push(r, &over, k.place[other][d], d);
  for (int d = 0; d < k.rank[me]; d++)
    if (k.place[me][d] >= k.batch) order[len++] = d;
  for (int d = 0; d < k.rank[other]; d++)
    if (k.place[other][d] < 0) {
      int sum = -1 - k.place[other][d];
      order[len++] = (int)e->ints.at[2 * (k.batch + sum) + me];
    }
  Atom out = bulk_contract(r->b, batch, over, c, n->atom);
  mark_linear(r, r->b->stms->len - 1);
  int64_t perm[64];
  for (int d = 0; d < len; d++) perm[order[d]] = d;
  return bulk_transpose(r->b, out, perm);
}

// c at the indices along the folded dimension, which goes last on the way.
static Atom back_extremum(Reverse *r, const Delta *n, Atom c) {
  const BulkExp *e = &n->stm->exp;
  Type t = atom_type(r->b->prog, e->args.at[0]);
  int dim = (int)e->number;
  Atoms dims = {0};
  int64_t perm[64];
  for (int d = 0; d < t.rank; d++)
    if (d != dim) list_push(r->b->prog->arena, &dims, t.dims[d]);
  list_push(r->b->prog->arena, &dims, t.dims[dim]);
  Type last = type_array_dims(r->b->prog->arena, type_scalar(t.prim), dims);
  Atom p = put_add(r, last, t.rank - 1, one(r, n->atom), c);
  for (int d = 0; d < t.rank; d++) perm[d] = d < dim ? d : d == dim ? t.rank - 1 : d - 1;
  return bulk_transpose(r->b, p, perm);
}

static void eval(Reverse *r, const Delta *n, Atom c);

// The default strategy's vjp of the one statement, whose results all have their cotangents.
static void pull(Reverse *r, const BulkStm *stm) {
  Prog *prog = r->b->prog;
  Vars all = bulk_operands(prog, stm), operands = {0};
  for (int i = 0; i < all.len; i++)
    if (delta_of(r->d, atom_var(all.at[i]))) list_push(prog->arena, &operands, all.at[i]);
  Atoms seeds = {0}, args = atoms_of_vars(prog->arena, operands);
  for (int k = 0; k < stm->bound.len; k++) {
    const Delta *share = delta_of(r->d, atom_var(stm->bound.at[k]));
    bool has = share && share->kind == DELTA_SHARE && r->has[share->id];
    Type t = var_type(prog, stm->bound.at[k]);
    list_push(prog->arena, &seeds, has ? r->shares[share->id] : bulk_zeros(r->b, t));
  }
  BulkExp exp = {.form = BULK_CORE};
  exp.core = (Exp){.form = FORM_VJP,
                   .vjp = {.fn = bulk_lambda(prog, stm, operands), .args = args, .seeds = seeds}};
  Types types = types_of_vars(prog, stm->bound);
  for (int i = 0; i < operands.len; i++)
    list_push(prog->arena, &types, var_type(prog, operands.at[i]));
  Vars out = bulk_emit_many(r->b, "pull", types, exp);
  for (int i = 0; i < operands.len; i++)
    eval(r, delta_of(r->d, args.at[i]), atom_var(out.at[stm->bound.len + i]));
}

static void eval(Reverse *r, const Delta *n, Atom c) {
  if (!n) return;
  switch (n->kind) {
    case DELTA_INPUT: {
      uintptr_t at = (uintptr_t)map_get(r->inputs, n->var.id) - 1;
      add_to(r, &r->adjoints[at], &r->given[at], c);
      return;
    }
    case DELTA_SHARE: add_to(r, &r->shares[n->id], &r->has[n->id], c); return;
    case DELTA_ADD: eval(r, n->of[0], c); eval(r, n->of[1], c); return;
    case DELTA_NEG: eval(r, n->of[0], bulk_op1(r->b, OP_NEG, c)); return;
    case DELTA_SCALE: eval(r, n->of[0], times(r, c, n->atom, n->guarded)); return;
    case DELTA_MASK: eval(r, n->of[0], where(r, n->atom, c)); return;
    case DELTA_SPREAD: eval(r, n->of[0], sum_all(r, c)); return;
    case DELTA_LINEAR: eval(r, n->of[0], back_linear(r, n, c)); return;
    case DELTA_CONTRACT: eval(r, n->of[0], back_contract(r, n, c)); return;
    case DELTA_EXTREMUM: eval(r, n->of[0], back_extremum(r, n, c)); return;
    case DELTA_PULL: break;
  }
  ice("a pull is evaluated with its statement");
}

// The cotangent of a variable is called as its adjoint, unless it was there before.
static void name_adjoint(Reverse *r, Var of, Atom c) {
  Prog *prog = r->b->prog;
  if (!c.is_var || c.var.id < (uint32_t)r->first || c.var.id == of.id) return;
  VarInfo *info = &prog->vars.at[c.var.id];
  if (!bulk_name_is_default(info->base)) return;
  const char *name = arena_printf(prog->arena, "%s_adj", var_info(prog, of)->base);
  info->base = name_of(prog->names, name);
}

static void visit(Reverse *r, int id) {
  const Delta *share = r->d->shares[id];
  if (!r->has[id]) return;
  name_adjoint(r, share->var, r->shares[id]);
  if (share->of[0]->kind != DELTA_PULL) {
    eval(r, share->of[0], r->shares[id]);
    return;
  }
  if (map_get(r->pulled, KEY(share->stm))) return;
  map_put(r->pulled, KEY(share->stm), r);
  pull(r, share->stm);
}

Atoms delta_transpose(Deltas *d, BulkBuilder *b, Vars inputs, Atoms results, Atoms seeds) {
  Arena *arena = b->prog->arena;
  Reverse r = {.d = d, .b = b, .inputs = map_new(arena), .pulled = map_new(arena)};
  r.first = b->prog->vars.len;
  r.shares = NEW_ARRAY(arena, Atom, d->count + 1), r.has = NEW_ARRAY(arena, bool, d->count + 1);
  r.adjoints = NEW_ARRAY(arena, Atom, inputs.len), r.given = NEW_ARRAY(arena, bool, inputs.len);
  for (int i = 0; i < inputs.len; i++)
    map_put(r.inputs, inputs.at[i].id, (void *)(uintptr_t)(i + 1));
  for (int i = 0; i < results.len; i++)
    if (prim_is_float(atom_type(b->prog, results.at[i]).prim))
      eval(&r, delta_of(d, results.at[i]), seeds.at[i]);
  for (int id = d->count; id > 0; id--) visit(&r, id);
  Atoms out = {0};
  for (int i = 0; i < inputs.len; i++) {
    Type t = var_type(b->prog, inputs.at[i]);
    if (r.given[i]) name_adjoint(&r, inputs.at[i], r.adjoints[i]);
    list_push(arena, &out, r.given[i] ? r.adjoints[i] : bulk_zeros(b, t));
  }
  return out;
}
