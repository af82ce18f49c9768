// Arrays of sums: every cell computes what comes to it.  For index k of the update,
//
//   e = s i + a t + rest = c,  s = 1 or -1:   i = y - a' t,   y = s (c - rest),  a' = s a
//
// where c is the cell, i the dimension solved for, t one that is summed over; 0 <= i < w bounds t
// from below and above, so that exactly the iterations that come to c are visited, or, without t,
// is a
// condition on c.   mod (s i + rest) w = c:  i = mod (s (c - rest)) w.
#include "acc.h"

typedef struct {
  Atom x;
  int level;
} Val;
typedef struct {
  Nest *n;
  int rank, cell[RANK];   // the dimensions of the array
  const AccPart *part;
  Affine solution[DIMS];    // of dimension solved[k], in cells and what is summed over
  bool has_solution[DIMS];
  int sums, sum[DIMS];    // summed over, outermost first
  Affine bound[GUARDS];     // of the part, solutions put in
  bool inside;            // all sums over what the last index ends in are whole
} Cells;

static Val val(Atom x, int level) { return (Val){x, level}; }

static Val val_op(const Nest *n, Op op, Val x, Val y) {
  int level = x.level > y.level ? x.level : y.level;
  return val(build_op(n->to[level], op, x.x, y.x), level);
}

static Val val_const(int64_t k) { return val(atom_i64(k), 0); }
static Val val_true(void) { return val(atom_bool(true), 0); }

static Val index_val(const Nest *n, Var v) {
  for (int d = 0; d < n->dims; d++)
    if (n->dim[d].id == v.id) return val(n->index[d], n->position[d] + 1);
  return val(atom_var(v), 0);
}

// Outer variables first, so that they are computed outside; then additions before subtractions.
static Val affine_emit(const Nest *n, const Affine *l) {
  Val sum = val_const(l->k);
  for (int level = 0; level <= 2 * DIMS; level++)
    for (int sign = 1; sign >= -1; sign -= 2)
      for (int i = 0; i < l->n; i++) {
        Val x = index_val(n, l->v[i]);
        if (x.level != level || (l->c[i] < 0) != (sign < 0)) continue;
        int64_t c = l->c[i] * sign;
        if (c != 1) x = val_op(n, OP_MUL, x, val_const(c));
        sum = sign > 0 ? val_op(n, OP_ADD, sum, x) : val_op(n, OP_SUB, sum, x);
      }
  return sum;
}

static Affine affine_scaled(const Affine *l, int64_t c) {
  Affine out = {.ok = true};
  affine_add(&out, l, c);
  return out;
}

static Affine affine_plus(const Affine *l, int64_t k) {
  Affine out = *l;
  out.k += k;
  return out;
}

// ---- equations --------------------------------------------------------------------------------
// s (c - rest) without the dimension solved for.
static Affine solve_affine(const Cells *c, int k) {
  const Nest *n = c->n;
  int d = c->part->solved[k];
  Affine y = c->part->index[k];
  int64_t s = affine_coef(&y, n->dim[d]);
  affine_add_term(&y, n->dim[d], -s);
  y = affine_scaled(&y, -s);
  affine_add_term(&y, n->dim[c->cell[k]], s);
  return y;
}

static void put_solutions(Cells *c, Affine *l) {
  for (int d = 0; d < c->n->dims; d++) {
    int64_t a = affine_coef(l, c->n->dim[d]);
    if (a == 0 || !c->has_solution[d]) continue;
    affine_add_term(l, c->n->dim[d], -a);
    affine_add(l, &c->solution[d], a);
  }
}

// x is read at a place of which its last index is a sum of dimension d and another.
static bool reads_windows(const Nest *n, Atom x, int d) {
  const Access *name = access_of(n, x);
  if (!name || name->kind == IS_OUTER || name->kind == IS_INDEX) return false;
  if (name->kind == IS_READ) {
    if (name->at.len < 2) return false;
    Affine last = affine_of(n->a->defs, name->at.at[name->at.len - 1]);
    bool other = false;
    for (int t = 0; t < n->dims; t++) other = other || (t != d && affine_mentions(&last, n, t));
    return last.ok && other && affine_coef(&last, n->dim[d]) == 1;
  }
  Exp exp = name->stm->exp;
  AtomRefs refs = exp_atom_refs(n->a->scratch, &exp);
  for (int i = 0; i < refs.len; i++)
    if (reads_windows(n, *refs.at[i], d)) return true;
  return false;
}

// The weights of a convolution of images: what is summed over walks along rows last, which would be
// one chain of additions.  With the rows inside, the columns are added up in SIMD lanes (a third of
// the time).
static void columns_first(Cells *c) {
  const Nest *n = c->n;
  int last = c->sums - 1, d = last > 0 ? c->sum[last] : -1;
  if (last < 1 || !reads_windows(n, c->part->place->value, d)) return;
  for (int k = 0; k < c->rank; k++)
    if (affine_mentions(&c->part->index[k], n, d)) return;
  for (int i = last; i > 0; i--) c->sum[i] = c->sum[i - 1];
  c->sum[0] = d;
}

static bool solutions(Cells *c) {
  bool ok = true, solved[DIMS] = {false};
  for (int k = 0; k < c->rank; k++) {
    int d = c->part->solved[k];
    if (d < 0) continue;
    solved[d] = true;
    if (c->part->modulus[k].is_var) continue;
    c->solution[d] = solve_affine(c, k);
    c->has_solution[d] = true;
    ok = ok && c->solution[d].ok;
  }
  for (int i = 0; i < c->part->place->dims; i++)
    if (!solved[c->part->place->dim[i]]) c->sum[c->sums++] = c->part->place->dim[i];
  columns_first(c);
  for (int i = 0; i < c->part->bounds; i++) {
    c->bound[i] = c->part->bound[i];
    put_solutions(c, &c->bound[i]);
    ok = ok && c->bound[i].ok;
  }
  return ok;
}

// The last of the dimensions summed over that l mentions, counted from 0; -1: none.
static int last_sum(const Cells *c, const Affine *l) {
  for (int i = c->sums - 1; i >= 0; i--)
    if (affine_mentions(l, c->n, c->sum[i])) return i;
  return -1;
}

// ---- conditions -------------------------------------------------------------------------------
// A condition that may be left out.
static bool holds(Val cond) { return !cond.x.is_var && cond.x.value.i; }

static void also(const Nest *n, Val *all, Val x) {
  *all = holds(*all) ? x : val_op(n, OP_AND, *all, x);
}

static void require_nonneg(const Cells *c, Val *all, const Affine *l) {
  if (affine_nonneg(c->n, l)) return;
  also(c->n, all, val_op(c->n, OP_LE, val_const(0), affine_emit(c->n, l)));
}

static void make_modular(const Cells *c, int k) {
  Nest *n = c->n;
  int d = c->part->solved[k];
  Affine y = solve_affine(c, k), cell = {.ok = true};
  int64_t s = affine_coef(&y, n->dim[c->cell[k]]);
  affine_add_term(&cell, n->dim[c->cell[k]], s);
  affine_add(&y, &cell, -1);
  Val width = val(n->width[d], 0), x = affine_emit(n, &cell);
  if (y.n > 0 || y.k != 0 || s < 0) {
    // 0 <= rest < w: one step back is enough.  No cells, no width.
    Val rest = affine_emit(n, &y), divisor = val_op(n, OP_MAX, width, val_const(1));
    if (s > 0) {
      Affine other = affine_scaled(&y, -1);
      rest = val_op(n, OP_MOD, affine_emit(n, &other), divisor);
      x = val_op(n, OP_SUB, val(n->index[c->cell[k]], k + 1), rest);
    } else
      x = val_op(n, OP_SUB, val_op(n, OP_MOD, rest, divisor), val(n->index[c->cell[k]], k + 1));
    Val low = val_op(n, OP_LT, x, val_const(0)), up = val_op(n, OP_ADD, x, width);
    x = val(build_select(n->to[x.level], low.x, up.x, x.x), x.level);
  }
  n->index[d] = x.x;
  n->position[d] = x.level - 1;
}

// Places the dimensions whose equations end with sum number `at` (-1: none); what must hold for
// that and is not in the bounds of the sum.
static void make_solved(const Cells *c, int at, Val *cond) {
  Nest *n = c->n;
  for (int k = 0; k < c->rank; k++) {
    int d = c->part->solved[k];
    if (d < 0) {
      if (at >= 0) continue;
      Val e = affine_emit(n, &c->part->index[k]);
      also(n, cond, val_op(n, OP_EQ, val(n->index[c->cell[k]], k + 1), e));
      continue;
    }
    Affine y = solve_affine(c, k);
    if (last_sum(c, &y) != at) continue;
    if (c->part->modulus[k].is_var) {
      make_modular(c, k);
      continue;
    }
    Val x = affine_emit(n, &y);
    n->index[d] = x.x;
    n->position[d] = x.level - 1;
    if (at >= 0) continue;
    Affine room = affine_of(n->a->defs, n->width[d]);
    affine_add(&room, &y, -1);
    room.k--;
    require_nonneg(c, cond, &y);
    require_nonneg(c, cond, &room);
  }
}

// Whether the bound is one of sum number `at` by itself.
static bool bounds_sum(const Cells *c, const Affine *l, int at) {
  int64_t a = affine_coef(l, c->n->dim[c->sum[at]]);
  if (last_sum(c, l) != at || (a != 1 && a != -1)) return false;
  for (int k = 0; k < c->rank; k++) {
    int d = c->part->solved[k];
    if (d < 0 || !c->part->modulus[k].is_var || !affine_mentions(l, c->n, d)) continue;
    Affine y = solve_affine(c, k);
    if (last_sum(c, &y) >= at) return false;
  }
  return true;
}

static void make_bounds(const Cells *c, int at, Val *cond) {
  for (int i = 0; i < c->part->bounds; i++) {
    const Affine *l = &c->bound[i];
    int last = last_sum(c, l);
    for (int k = 0; k < c->rank; k++) {  // a remainder exists when its sums do
      int d = c->part->solved[k];
      if (d < 0 || !affine_mentions(l, c->n, d)) continue;
      Affine y = solve_affine(c, k);
      int of = last_sum(c, &y);
      if (of > last) last = of;
    }
    if (last != at || (at >= 0 && bounds_sum(c, l, at))) continue;
    also(c->n, cond, val_op(c->n, OP_LE, val_const(0), affine_emit(c->n, l)));
  }
}

// Nothing that the guard needs is known only in the sums.
static bool is_early(const Cells *c, Atom x) {
  const Nest *n = c->n;
  const Access *name = access_of(n, x);
  if (!name || c->sums == 0) return true;
  if (name->kind == IS_INDEX) {
    for (int i = 0; i < c->sums; i++)
      if (c->sum[i] == name->dim) return false;
    for (int k = 0; k < c->rank; k++) {
      if (c->part->solved[k] != name->dim) continue;
      Affine y = solve_affine(c, k);
      if (last_sum(c, &y) >= 0) return false;
    }
    return true;
  }
  if (name->kind != IS_COMPUTED || name->stm->exp.form == FORM_MATCH ||
      !exp_is_total(n->a->prog, name->stm))
    return false;
  Exp exp = name->stm->exp;
  AtomRefs refs = exp_atom_refs(n->a->scratch, &exp);
  for (int i = 0; i < refs.len; i++)
    if (!is_early(c, *refs.at[i])) return false;
  return true;
}

static void make_guards(const Cells *c, bool early, Val *cond) {
  Nest *n = c->n;
  for (int i = 0; i < c->part->guards; i++) {
    const Guard *g = &c->part->guard[i];
    if (is_early(c, g->cond) != early) continue;
    Val x = {0};
    x.x = nest_make(n, g->cond, &x.level);
    if (!g->want) x.x = build_op1(n->to[x.level], OP_NOT, x.x);
    also(n, cond, x);
  }
}

// ---- sums -------------------------------------------------------------------------------------
// floor (l / a), at the level of l.
static Val quotient_make(const Nest *n, const Affine *l, int64_t a) {
  Val x = affine_emit(n, l);
  return a == 1 ? x : val_op(n, OP_DIV, x, val_const(a));
}

// The range of sum number `at`: where 0 <= i < w holds for what is solved, and, if all, the bounds.
static void narrow(const Cells *c, int at, bool all, Val *low, Val *high) {
  const Nest *n = c->n;
  int t = c->sum[at];
  for (int k = 0; k < c->rank; k++) {
    int d = c->part->solved[k];
    if (d < 0 || c->part->modulus[k].is_var) continue;
    Affine y = solve_affine(c, k), w = affine_of(n->a->defs, n->width[d]);
    int64_t a = -affine_coef(&y, n->dim[t]);
    if (a == 0 || (c->inside && k == c->rank - 1)) continue;
    affine_add_term(&y, n->dim[t], a);  // i = y - a t, 0 <= i < w
    int64_t b = a < 0 ? -a : a;
    Affine less = affine_minus(&y, &w);
    if (a < 0) {
      y = affine_scaled(&y, -1);
      less = affine_scaled(&less, -1);
    }
    Affine from = affine_plus(a > 0 ? &less : &y, a > 0 ? b : b - 1);
    Affine to = affine_plus(a > 0 ? &y : &less, a > 0 ? b : b - 1);
    *low = val_op(n, OP_MAX, *low, quotient_make(n, &from, b));
    *high = val_op(n, OP_MIN, *high, quotient_make(n, &to, b));
  }
  for (int i = 0; all && i < c->part->bounds; i++) {
    if (!bounds_sum(c, &c->bound[i], at)) continue;
    Affine l = c->bound[i];
    int64_t a = affine_coef(&l, n->dim[t]);
    affine_add_term(&l, n->dim[t], -a);
    l = a > 0 ? affine_scaled(&l, -1) : affine_plus(&l, 1);
    if (a > 0) *low = val_op(n, OP_MAX, *low, affine_emit(n, &l));
    else *high = val_op(n, OP_MIN, *high, affine_emit(n, &l));
  }
}

static Atom inner_value(const Cells *c, int level);

static Atom sum_make(const Cells *c, int at, int level) {
  if (at == c->sums) return inner_value(c, level);
  Nest *n = c->n;
  int t = c->sum[at];
  Val low = val_const(0), high = val(n->width[t], 0);
  narrow(c, at, true, &low, &high);
  bool whole = atom_is(low.x, 0) && atom_same(high.x, n->width[t]);
  Atom width = high.x;
  if (!whole) width = val_op(n, OP_MAX, val_op(n, OP_SUB, high, low), val_const(0)).x;
  Atom iota = build_iota(n->to[whole ? 0 : level], width);
  Types params = {0};
  list_push(n->a->arena, &params, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(n->to[level], "i", params);
  n->to[level + 1] = &lb.inner;
  Val i = val_op(n, OP_ADD, low, val(atom_var(lb.lambda->params.at[0]), level + 1));
  n->index[t] = i.x;
  n->position[t] = level;
  Val cond = val_true();
  make_solved(c, at, &cond);
  make_bounds(c, at, &cond);
  Inside in;
  if (!holds(cond)) nest_enter(n, &in, level + 1);
  Atom value = sum_make(c, at + 1, level + 1);
  if (!holds(cond)) {
    Body yes = nest_leave(n, &in, value);
    value = nest_if(n, level + 1, cond.x, yes,
                    build_zero(n->to[level + 1], atom_type(n->a->prog, value)));
  }
  value = nest_sum(n, c->part->place->update, &lb, level, width, iota, value);
  nest_forget(n, -1, level + 1);
  return value;
}

// if cond then the rest else 0, for both kinds of conditions.
static Atom guarded(const Cells *c, int level, Val cond, Atom (*rest)(const Cells *c, int level)) {
  Nest *n = c->n;
  if (holds(cond)) return rest(c, level);
  Inside in;
  nest_enter(n, &in, level);
  Body yes = nest_leave(n, &in, rest(c, level));
  Type t = atom_type(n->a->prog, c->part->place->update->value);
  return nest_if(n, level, cond.x, yes, build_zero(n->to[level], t));
}

static Atom bare_value(const Cells *c, int level) {
  (void)level;
  int at;
  return nest_make(c->n, c->part->place->value, &at);
}

static Atom inner_value(const Cells *c, int level) {
  Val cond = val_true();
  if (c->sums) make_guards(c, false, &cond);
  return guarded(c, level, cond, bare_value);
}

static Atom all_sums(const Cells *c, int level) { return sum_make(c, 0, level); }

static Atom in_cell(const Cells *c, int level) {
  Val cond = val_true();
  make_guards(c, true, &cond);
  return guarded(c, level, cond, all_sums);
}

// Where nothing comes to most cells, sums around an empty one would be work for nothing.
static void make_nonempty(const Cells *c, Val *cond) {
  for (int at = 0; c->sums > 1 && at < c->sums; at++) {
    bool sparse = false;
    for (int k = 0; k < c->rank; k++) {
      Affine y = c->part->index[k];
      sparse = sparse || (c->part->sparse[k] && affine_mentions(&y, c->n, c->sum[at]));
    }
    if (!sparse) continue;
    Val low = val_const(0), high = val(c->n->width[c->sum[at]], 0);
    narrow(c, at, false, &low, &high);
    also(c->n, cond, val_op(c->n, OP_LT, low, high));
  }
}

// Where the update is made is the cell: what is read there too is read in order.
static void name_cell(const Cells *c) {
  Nest *n = c->n;
  const Atoms *index = &c->part->place->update->index;
  for (int k = 0; k < c->rank; k++) {
    Access *name = access_of(n, index->at[k]);
    if (!name || name->kind != IS_COMPUTED) continue;
    name->made = n->index[c->cell[k]];
    name->level = k + 1;
    name->time = ++n->time;
  }
}

static Atom part_make(Cells *c) {
  Val cond = val_true();
  nest_forget(c->n, -1, 0);
  name_cell(c);
  make_solved(c, -1, &cond);
  make_bounds(c, -1, &cond);
  make_nonempty(c, &cond);
  return guarded(c, c->rank, cond, in_cell);
}

// ---- the last dimension: edges and the inside ---------------------------------------------------
static Affine least_with(const Affine *a, int64_t b, const Affine *width) {
  Affine out = *a;
  if (b >= 0) return out;
  affine_add(&out, width, b);
  out.k -= b;
  return out;
}

// The cells whose sum is whole, low <= cell < high: with y = cell + rest + b t for the last index,
// 0 <= y < w for all t.  Unclamped; false where there is no such sum.
static bool inside_of(const Cells *c, Affine *low, Affine *high) {
  const Nest *n = c->n;
  int k = c->rank - 1, d = c->part->solved[k], last = -1;
  if (d < 0 || c->part->modulus[k].is_var) return false;
  Affine y = solve_affine(c, k), w = affine_of(n->a->defs, n->width[d]);
  for (int i = 0; i < c->sums; i++) {
    if (!affine_mentions(&y, n, c->sum[i])) continue;
    if (last >= 0) return false;
    last = c->sum[i];
  }
  if (last < 0 || affine_coef(&y, n->dim[c->cell[k]]) != 1) return false;
  for (int i = 0; i < c->part->bounds; i++)
    if (affine_mentions(&c->bound[i], n, c->cell[k]) && !affine_nonneg(n, &c->bound[i]))
      return false;
  int64_t b = affine_coef(&y, n->dim[last]);
  Affine t = affine_of(n->a->defs, n->width[last]);
  affine_add_term(&y, n->dim[last], -b);
  affine_add_term(&y, n->dim[c->cell[k]], -1);
  Affine least = least_with(&y, b, &t), most = affine_scaled(&y, -1);
  *low = affine_scaled(&least, -1);
  *high = least_with(&most, -b, &t);
  affine_add(high, &w, 1);
  return low->ok && high->ok;
}

static Atom cell_make(const Cells *cells, const AccParts *parts) {
  Atom sum = {0};
  for (int i = 0; i < parts->len; i++) {
    Cells c = *cells;
    c.part = &parts->at[i];
    part_enter(c.n, c.part);
    check(solutions(&c));
    Atom value = part_make(&c);
    part_leave(c.n, c.part);
    sum = i ? build_op(c.n->to[c.rank], OP_ADD, sum, value) : value;
  }
  return sum;
}

// The cells from..from + width of the last dimension.
static Atom row_make(const Cells *c, const AccParts *parts, Atom from, Atom width, Atom iota) {
  Nest *n = c->n;
  int k = c->rank - 1;
  Types params = {0};
  list_push(n->a->arena, &params, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(n->to[k], "i", params);
  n->to[k + 1] = &lb.inner;
  n->position[c->cell[k]] = k;
  Val i = val(atom_var(lb.lambda->params.at[0]), k + 1);
  n->index[c->cell[k]] = val_op(n, OP_ADD, val(from, k), i).x;
  Atom sum = cell_make(c, parts);
  Lambda *fn = lambda_end(&lb, atoms_of(n->a->arena, 1, &sum));
  Type row = fn->rets.at[0];
  row.unique = false;
  return build(n->to[k], "contrib", type_array(n->a->arena, row, width),
               nest_map(n, width, fn, iota, NULL));
}

// So of several updates, where all of them are whole.
enum { INSIDES = 4 };
typedef struct {
  int len;
  Affine low[INSIDES], high[INSIDES];
} Insides;

static bool insides_of(const Cells *cells, const AccParts *parts, Insides *in) {
  bool ok = parts->len <= INSIDES;
  for (in->len = 0; ok && in->len < parts->len; in->len++) {
    Cells c = *cells;
    c.part = &parts->at[in->len];
    part_enter(c.n, c.part);
    ok = solutions(&c) && inside_of(&c, &in->low[in->len], &in->high[in->len]);
    part_leave(c.n, c.part);
  }
  return ok;
}

// The greatest (OP_MAX) or least (OP_MIN) of them, but not less than low, nor more than high.
static Atom clamped(const Nest *n, int level, Op op, const Affine *l, int len, Atom low,
                    Atom high) {
  Val x = affine_emit(n, l);
  for (int i = 1; i < len; i++) x = val_op(n, op, x, affine_emit(n, &l[i]));
  x = val_op(n, OP_MAX, x, val(low, level));
  return val_op(n, OP_MIN, x, val(high, level)).x;
}

// Cells between the edges have sums over whole ranges, alike for all cells: they run in SIMD
// lanes.
static Atom edges_make(Cells *c, const AccParts *parts, Atom cells, const Insides *in) {
  Nest *n = c->n;
  int k = c->rank - 1;
  Atom row[3], from[4] = {atom_i64(0)};
  from[1] = clamped(n, k, OP_MAX, in->low, in->len, atom_i64(0), cells);
  from[2] = clamped(n, k, OP_MIN, in->high, in->len, from[1], cells);
  from[3] = cells;
  for (int i = 0; i < 3; i++) {
    Atom width = build_op(n->to[k], OP_SUB, from[i + 1], from[i]);
    c->inside = i == 1;
    row[i] = row_make(c, parts, from[i], width, build_iota(n->to[k], width));
  }
  Type t = atom_type(n->a->prog, row[0]);
  Exp exp = {.form = FORM_CONCAT, .concat = {.dim = 0, .arrays = atoms_of(n->a->arena, 3, row)}};
  return build(n->to[k], "contrib", type_array(n->a->arena, type_scalar(t.prim), cells), exp);
}

static Atom last_make(Cells *c, const AccParts *parts, Atom cells, Atom iota) {
  Insides in;
  if (insides_of(c, parts, &in)) return edges_make(c, parts, cells, &in);
  return row_make(c, parts, atom_i64(0), cells, iota);
}

Atom cells_make(Nest *n, Builder *out, const AccParts *parts, const Type *array) {
  Arena *arena = n->a->arena;
  LambdaBuilder lb[RANK];
  Atom iota[RANK], sum = {0};
  Cells cells = {.n = n, .rank = array->rank};
  n->to[0] = out;
  n->active = 0;
  for (int k = 0; k < array->rank; k++) {
    cells.cell[k] = nest_dim(n, array->dims[k]);
    n->active |= 1u << cells.cell[k];
    iota[k] = build_iota(out, array->dims[k]);
  }
  int last = array->rank - 1;
  for (int k = 0; k < last; k++) {
    Types params = {0};
    list_push(arena, &params, type_scalar(PRIM_I64));
    lb[k] = lambda_begin(n->to[k], "i", params);
    n->to[k + 1] = &lb[k].inner;
    n->position[cells.cell[k]] = k;
    n->index[cells.cell[k]] = atom_var(lb[k].lambda->params.at[0]);
  }
  sum = last_make(&cells, parts, array->dims[last], iota[last]);
  for (int k = last - 1; k >= 0; k--) {
    Lambda *fn = lambda_end(&lb[k], atoms_of(arena, 1, &sum));
    Type row = fn->rets.at[0];
    row.unique = false;
    sum = build(n->to[k], "contrib", type_array(arena, row, array->dims[k]),
                nest_map(n, array->dims[k], fn, iota[k], NULL));
  }
  return sum;
}
