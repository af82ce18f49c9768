// Where an update is made, as equations that can be solved for the iterations that come to a cell.
//
//   A[max (i - 1) 0] += v       is   i - 1 >= 0: A[i - 1] += v     and   i - 1 < 0: A[0] += v
//   A[select b e1 e2] += v      is   b: A[e1] += v                 and   not b: A[e2] += v
//   A[mod (i + k) n] += v       where i < n: one i for every cell
//   A[i / 2] += v               for every remainder of i by itself (quotient_index.c)
//
// so that indices are sums k + sum of c * dimension.  Of each index one dimension with factor 1 or
// -1 that no other index mentions is solved for: conv's A[i + j] by i = cell - j.
#include "acc.h"

Affine affine_minus(const Affine *x, const Affine *y) {
  Affine l = *x;
  affine_add(&l, y, -1);
  return l;
}

static int dim_of(const Nest *n, Var v) {
  for (int d = 0; d < n->dims; d++)
    if (n->dim[d].id == v.id) return d;
  return -1;
}

bool affine_mentions(const Affine *l, const Nest *n, int dim) {
  return affine_coef(l, n->dim[dim]) != 0;
}

// ---- what is known ------------------------------------------------------------------------------
// Sizes of maps that run are at least one, other sizes at least zero.
static bool least_of(const Nest *n, Var v, int64_t *least) {
  *least = 1;
  for (int d = 0; d < n->dims; d++)
    if (n->active >> d & 1 && atom_is_var(n->width[d], v)) return true;
  *least = 0;
  return map_get(n->a->sizes, v.id) != NULL;
}

bool affine_nonneg(const Nest *n, const Affine *l) {
  Affine least = *l;
  for (int d = 0; d < n->dims; d++) {
    int64_t c = affine_coef(&least, n->dim[d]);
    affine_add_term(&least, n->dim[d], -c);
    if (c >= 0) continue;
    Affine last = affine_of(n->a->defs, n->width[d]);
    last.k--;
    affine_add(&least, &last, c);
  }
  for (int i = 0; least.ok && i < least.n; i++) {
    int64_t low;
    if (least.c[i] < 0 || !least_of(n, least.v[i], &low)) return false;
    least.k += least.c[i] * low;
  }
  return least.ok && least.k >= 0;
}

// ---- splitting ----------------------------------------------------------------------------------
typedef struct {
  Affine line;
  Atom modulus;
  int guards, bounds;
  Guard guard[GUARDS];
  Affine bound[GUARDS];
} Choice;
typedef struct {
  int len;
  Choice at[9];
} Choices;

bool affine_is_closed(const Nest *n, const Affine *l) {
  for (int i = 0; i < l->n; i++)
    if (dim_of(n, l->v[i]) < 0 && (access_of(n, atom_var(l->v[i])) ||
                                   acc_is_inner(n->a, atom_var(l->v[i]))))
      return false;
  return l->ok;
}

// 2 i - 2 j + 1 >= 0 is i - j >= 0.
static Affine bound_reduced(const Affine *l) {
  int64_t by = affine_gcd(l);
  return by > 1 ? affine_floor(l, by) : *l;
}

// Drops what always holds; false: it never does.
static bool add_bound(const Nest *n, Choice *c, const Affine *bound) {
  Affine reduced = bound_reduced(bound);
  const Affine *l = &reduced;
  Affine never = {.ok = true, .k = -1};
  affine_add(&never, l, -1);
  if (affine_nonneg(n, &never)) return false;
  if (affine_nonneg(n, l)) return true;
  if (c->bounds < GUARDS) c->bound[c->bounds++] = *l;
  else c->line.ok = false;
  return true;
}

static bool choice_guard(const Nest *n, Choice *c, Atom cond, bool want);
static bool guard_bounds(const Nest *n, Choice *c, Atom cond, bool want, bool *never);

// x - y + more >= 0, when that is a line.
static bool guard_affine(const Nest *n, Choice *c, const Atom *xy, int64_t more, bool *never) {
  Affine x = affine_of(n->a->defs, xy[0]), y = affine_of(n->a->defs, xy[1]),
         l = affine_minus(&x, &y);
  l.k += more;
  if (!affine_is_closed(n, &l)) return false;
  *never = !add_bound(n, c, &l);
  return true;
}

// x /= y where it is known which is greater.
static bool guard_split(const Nest *n, Choice *c, const Atom *xy, bool *never) {
  Affine x = affine_of(n->a->defs, xy[0]), y = affine_of(n->a->defs, xy[1]),
         l = affine_minus(&x, &y);
  Affine back = affine_minus(&y, &x);
  Atom yx[] = {xy[1], xy[0]};
  if (affine_is_closed(n, &l) && affine_nonneg(n, &l)) return guard_affine(n, c, xy, -1, never);
  return affine_is_closed(n, &l) && affine_nonneg(n, &back) && guard_affine(n, c, yx, -1, never);
}

// `if x then y else false`: x, and under it y, of which nothing may be left to be tested elsewhere.
static bool guard_branches(const Nest *n, Choice *c, const Access *name, bool want, bool *never) {
  Atom cond, yes, no;
  if (!access_is_if(n, name, &cond, &yes, &no)) return false;
  bool first = want && atom_is(no, 0), last = !want && atom_is(yes, 1);
  if (!first && !last) return false;
  Choice before = *c;
  if (!guard_bounds(n, c, first ? yes : no, want, never) || c->guards > before.guards) {
    *c = before;
    return false;
  }
  *never = *never || !choice_guard(n, c, cond, first);
  return true;
}

// Comparisons of sums, `and`s of them, as bounds; *never: they never hold.  False: it is none.
static bool guard_bounds(const Nest *n, Choice *c, Atom cond, bool want, bool *never) {
  const Access *name = access_of(n, cond);
  if (!name || name->kind != IS_COMPUTED) return false;
  if (name->stm->exp.form != FORM_PRIM) return guard_branches(n, c, name, want, never);
  const struct prim_form *p = &name->stm->exp.prim;
  const Atom *x = p->args.at;
  Atom swapped[] = {p->args.at[p->args.len - 1], x[0]};
  if (p->prim == PRIM_BOOL) {
    bool both = (p->op == OP_AND && want) || (p->op == OP_OR && !want);
    if (p->op == OP_NOT) *never = !choice_guard(n, c, x[0], !want);
    else if (both) *never = !choice_guard(n, c, x[0], want) || !choice_guard(n, c, x[1], want);
    return both || p->op == OP_NOT;
  }
  if (p->prim != PRIM_I64) return false;
  switch ((int)p->op) {
  case OP_LE: return guard_affine(n, c, want ? swapped : x, want ? 0 : -1, never);
  case OP_LT: return guard_affine(n, c, want ? swapped : x, want ? -1 : 0, never);
  case OP_EQ: case OP_NE:
    if ((p->op == OP_EQ) != want) return guard_split(n, c, x, never);
    if (!guard_affine(n, c, x, 0, never)) return false;
    return *never || guard_affine(n, c, swapped, 0, never);
  }
  return false;
}

static bool choice_guard(const Nest *n, Choice *c, Atom cond, bool want) {
  bool never = false;
  if (guard_bounds(n, c, cond, want, &never)) return !never;
  if (c->guards == GUARDS) c->line.ok = false;
  else c->guard[c->guards++] = (Guard){cond, want};
  return true;
}

static bool choice_join(const Nest *n, Choice *c, const Choice *more) {
  for (int i = 0; i < more->guards; i++) {
    if (c->guards == GUARDS) c->line.ok = false;
    else c->guard[c->guards++] = more->guard[i];
  }
  for (int i = 0; i < more->bounds; i++)
    if (!add_bound(n, c, &more->bound[i])) return false;
  return true;
}

static void push(Choices *out, const Choice *c, bool *ok) {
  if (out->len == 9 || !c->line.ok) *ok = false;
  else out->at[out->len++] = *c;
}

static bool split(Nest *n, Atom x, Choices *out);

// max or min of x and y: x where x - y >= 0 (y - x), y elsewhere.
static bool split_extreme(Nest *n, const Atoms *args, bool is_max, Choices *out) {
  Choices side[2] = {{0}, {0}};
  bool ok = split(n, args->at[0], &side[0]) && split(n, args->at[1], &side[1]);
  for (int i = 0; ok && i < side[0].len; i++)
    for (int k = 0; ok && k < side[1].len; k++) {
      if (side[0].at[i].modulus.is_var || side[1].at[k].modulus.is_var) return false;
      for (int which = 0; which < 2; which++) {
        Choice c = side[which].at[which ? k : i];
        const Choice *other = &side[!which].at[which ? i : k];
        Affine less =
            is_max ? affine_minus(&c.line, &other->line) : affine_minus(&other->line, &c.line);
        less.k -= which;
        if (choice_join(n, &c, other) && add_bound(n, &c, &less)) push(out, &c, &ok);
      }
    }
  return ok;
}

static bool split_select(Nest *n, const Atoms *args, Choices *out) {
  bool ok = true;
  for (int which = 0; which < 2; which++) {
    Choices side = {0};
    if (!split(n, args->at[1 + which], &side)) return false;
    for (int i = 0; i < side.len; i++) {
      Choice c = side.at[i];
      if (choice_guard(n, &c, args->at[0], !which)) push(out, &c, &ok);
    }
  }
  return ok;
}

static bool split_modulo(Nest *n, const struct prim_form *p, Choices *out) {
  Choice c = {.line = affine_of(n->a->defs, p->args.at[0]), .modulus = p->args.at[1]};
  bool ok = affine_is_closed(n, &c.line) && c.modulus.is_var && !acc_is_inner(n->a, c.modulus);
  if (p->op == OP_REM && !affine_nonneg(n, &c.line)) ok = false;
  if (ok) push(out, &c, &ok);
  return ok;
}

static bool split(Nest *n, Atom x, Choices *out) {
  const Access *name = access_of(n, x);
  if (name && name->kind == IS_COMPUTED && name->stm->exp.form == FORM_PRIM &&
      name->stm->exp.prim.prim == PRIM_I64) {
    const struct prim_form *p = &name->stm->exp.prim;
    switch ((int)p->op) {
    case OP_MIN: case OP_MAX: return split_extreme(n, &p->args, p->op == OP_MAX, out);
    case OP_SELECT: return split_select(n, &p->args, out);
    case OP_MOD: case OP_REM: return split_modulo(n, p, out);
    }
  }
  Choice c = {.line = affine_of(n->a->defs, x)};
  bool ok = affine_is_closed(n, &c.line);
  if (ok) push(out, &c, &ok);
  return ok;
}

static bool join_index(const Nest *n, AccPart *part, int k, const Choice *c) {
  Choice all = {.line = {.ok = true}, .guards = part->guards, .bounds = part->bounds};
  for (int i = 0; i < part->guards; i++) all.guard[i] = part->guard[i];
  for (int i = 0; i < part->bounds; i++) all.bound[i] = part->bound[i];
  if (!choice_join(n, &all, c)) return false;
  part->index[k] = c->line;
  part->index[k].ok = c->line.ok && all.line.ok;
  part->modulus[k] = c->modulus;
  part->guards = all.guards;
  part->bounds = all.bounds;
  for (int i = 0; i < all.guards; i++) part->guard[i] = all.guard[i];
  for (int i = 0; i < all.bounds; i++) part->bound[i] = all.bound[i];
  return true;
}

// The parts under the remainders that `whole` is split to.
static bool parts_within(Nest *n, const AccPart *whole, AccParts *out) {
  const UpdateSite *place = whole->place;
  const Atoms *index = &place->update->index;
  int from = out->len;
  if (out->len == PARTS) return false;
  AccPart *first = &out->at[out->len++];
  *first = *whole;
  Choice around = {.line = {.ok = true}};
  for (int i = 0; i < place->guards; i++)
    if (!choice_guard(n, &around, place->guard[i].cond, place->guard[i].want)) {
      out->len--;  // it is never made
      return true;
    }
  if (!join_index(n, first, 0, &around)) ice("guards that hold do not");
  for (int k = 0; k < index->len; k++) {
    Choices choices = {0};
    if (!split(n, index->at[k], &choices)) return false;
    AccParts next = {0};
    for (int i = from; i < out->len; i++)
      for (int c = 0; c < choices.len; c++) {
        AccPart part = out->at[i];
        if (!join_index(n, &part, k, &choices.at[c])) continue;
        if (!part.index[k].ok || from + next.len == PARTS) return false;
        next.at[next.len++] = part;
      }
    out->len = from;
    for (int i = 0; i < next.len; i++) out->at[out->len++] = next.at[i];
  }
  return true;
}

bool parts_of(Nest *n, const UpdateSite *place, AccParts *out) {
  if (place->update->index.len > RANK) return false;
  n->active = 0;
  for (int i = 0; i < place->dims; i++) n->active |= 1u << place->dim[i];
  Quotients splits = quotients_of(n, place);
  bool ok = true;
  for (int at = 0; ok && at < splits.all; at++) {
    AccPart whole = {.place = place};
    part_split(n, &whole, &splits, at);
    part_enter(n, &whole);
    ok = parts_within(n, &whole, out);
    part_leave(n, &whole);
  }
  return ok;
}

// ---- solving ------------------------------------------------------------------------------------
static bool is_summed(const AccPart *p, int dim, int rank) {
  for (int k = 0; k < rank; k++)
    if (p->solved[k] == dim) return false;
  return true;
}

static int candidate(const Nest *n, const AccPart *p, int k, int rank) {
  for (int i = 0; i < p->place->dims; i++) {
    int d = p->place->dim[i];
    int64_t c = affine_coef(&p->index[k], n->dim[d]);
    bool alone = c == 1 || c == -1;
    for (int j = 0; j < rank; j++)
      alone = alone && (j == k || !affine_mentions(&p->index[j], n, d));
    if (alone) return d;
  }
  return -1;
}

// Not more cells than iterations, but for a few: C <= W + |a| T + 8 where a t is the other term.
static bool is_bounded(const Nest *n, const AccPart *p, int k, Atom cells) {
  Affine room = {.ok = true, .k = 8}, size = affine_of(n->a->defs, cells);
  for (int i = 0; i < p->place->dims; i++) {
    int d = p->place->dim[i];
    int64_t c = affine_coef(&p->index[k], n->dim[d]);
    Affine width = affine_of(n->a->defs, n->width[d]);
    if (c != 0) affine_add(&room, &width, c < 0 ? -c : c);
  }
  affine_add(&room, &size, -1);
  return atom_same(cells, n->width[p->solved[k]]) || affine_nonneg(n, &room);
}

// So that lines made of lines stay lines.
static bool is_short(const Nest *n, const AccPart *p, int rank) {
  bool ok = true;
  for (int k = 0; k < rank; k++) ok = ok && p->index[k].n <= 4;
  for (int i = 0; i < p->bounds; i++) ok = ok && p->bound[i].n <= 4;
  for (int i = 0; i < p->place->dims; i++) {
    Affine width = affine_of(n->a->defs, n->width[p->place->dim[i]]);
    ok = ok && width.ok && width.n <= 3;
  }
  return ok;
}

bool part_solve(Nest *n, AccPart *p, const Type *array, bool fresh) {
  int rank = array->rank;
  if (!is_short(n, p, rank)) return false;
  for (int k = 0; k < rank; k++) p->solved[k] = -1;
  for (int k = 0; k < rank; k++) p->solved[k] = candidate(n, p, k, rank);
  for (int k = 0; k < rank; k++) {
    int terms = 0, d = p->solved[k];
    for (int i = 0; i < p->place->dims; i++)
      terms += affine_mentions(&p->index[k], n, p->place->dim[i]);
    if (d < 0) {
      if (terms > 0 || p->modulus[k].is_var) return false;
    } else if (p->modulus[k].is_var) {
      if (!atom_same(p->modulus[k], n->width[d]) || !atom_same(array->dims[k], n->width[d]))
        return false;
    } else {
      p->sparse[k] = !is_bounded(n, p, k, array->dims[k]);
      if (terms > 2 || (!fresh && p->sparse[k])) return false;
    }
    for (int i = 0; i < p->place->dims; i++)
      if (p->place->dim[i] != d && affine_mentions(&p->index[k], n, p->place->dim[i]) &&
          !is_summed(p, p->place->dim[i], rank))
        return false;
  }
  return true;
}
