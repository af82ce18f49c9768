// Indices that are quotients, A[i / 2] += v: with i = 2 t + r, an update for each remainder r, the
// index is t (index_affine.c), and what branches ask of i % 2 is known.
//
//   map i (A[i / 2] += v i)   -->   A = map c (v (2 c) + v (2 c + 1))        t < ceil ((w - r) / 2)
//
// So for several dimensions, A[(i - j) / 2] where i - j is even: of four pairs of remainders two
// are left.
#include "acc.h"

enum { BY = 4, ALL = 16 };

static int split_at(const Quotients *s, int dim) {
  for (int i = 0; i < s->dims; i++)
    if (s->dim[i] == dim) return i;
  return -1;
}

static bool split_note(Quotients *s, int dim, int64_t by) {
  int at = split_at(s, dim);
  if (at >= 0) return s->by[at] == by;
  if (s->dims == SPLITS || s->all * by > ALL) return false;
  s->dim[s->dims] = dim;
  s->by[s->dims++] = by;
  s->all *= (int)by;
  return true;
}

// The dimensions that a division in x is of, unless it divides their factors.
static bool find_splits(const Nest *n, const UpdateSite *place, Atom x, Quotients *s) {
  const Access *name = access_of(n, x);
  if (!name || name->kind != IS_COMPUTED || name->stm->exp.form != FORM_PRIM) return true;
  const struct prim_form *p = &name->stm->exp.prim;
  bool ok = true;
  if (p->prim != PRIM_I64 || p->op != OP_DIV) {
    for (int i = 0; ok && i < p->args.len; i++) ok = find_splits(n, place, p->args.at[i], s);
    return ok;
  }
  Affine l = affine_of(n->a->defs, p->args.at[0]);
  int64_t by = p->args.at[1].is_var ? 0 : p->args.at[1].value.i;
  if (!affine_is_closed(n, &l) || by < 2 || by > BY) return false;
  for (int i = 0; ok && i < place->dims; i++)
    if (affine_coef(&l, n->dim[place->dim[i]]) % by != 0) ok = split_note(s, place->dim[i], by);
  return ok;
}

Quotients quotients_of(const Nest *n, const UpdateSite *place) {
  Quotients s = {.all = 1}, none = {.all = 1};
  bool ok = true;
  for (int k = 0; ok && k < place->update->index.len; k++)
    ok = find_splits(n, place, place->update->index.at[k], &s);
  return ok ? s : none;
}

// ---- splitting ----------------------------------------------------------------------------------
static Atom op_defined(Nest *n, Op op, Atom x, Atom y) {
  int made = n->to[0]->stms->len;
  Atom z = build_op(n->to[0], op, x, y);
  if (n->to[0]->stms->len > made) acc_define(n->a, z.var, n->to[0]->stms->at[made].exp);
  return z;
}

// ceil ((w - r) / by), outside the nest.
static Atom split_width(Nest *n, Atom whole, int64_t by, int64_t r) {
  Affine l = affine_of(n->a->defs, whole);
  l.k += by - 1 - r;
  if (!affine_divides(&l, by))
    return op_defined(n, OP_DIV, op_defined(n, OP_ADD, whole, atom_i64(by - 1 - r)), atom_i64(by));
  l = affine_floor(&l, by);
  Atom width = atom_i64(l.k);
  for (int i = 0; i < l.n; i++)
    width = op_defined(n, OP_ADD, width, op_defined(n, OP_MUL, atom_var(l.v[i]), atom_i64(l.c[i])));
  return width;
}

static const Exp *op_new(Nest *n, Op op, Atom x, int64_t y) {
  Exp exp = {.form = FORM_PRIM, .prim = {.op = op, .prim = PRIM_I64}};
  Atom args[] = {x, atom_i64(y)};
  exp.prim.args = atoms_of(n->a->scratch, 2, args);
  return arena_copy(n->a->scratch, &exp, sizeof exp);
}

void part_split(Nest *n, AccPart *part, const Quotients *splits, int at) {
  for (int i = 0; i < splits->dims; i++) {
    int d = splits->dim[i];
    int64_t by = splits->by[i], r = at % by;
    Quotient s = {.dim = d, .by = by, .r = r, .whole = n->dim[d], .whole_width = n->width[d]};
    s.t = var_new(n->a->prog, "i", type_scalar(PRIM_I64));
    s.width = split_width(n, n->width[d], by, r);
    Var times = var_new(n->a->prog, "i", type_scalar(PRIM_I64));
    acc_define(n->a, times, *op_new(n, OP_MUL, atom_var(s.t), by));
    s.sum = op_new(n, OP_ADD, atom_var(times), r);
    part->split[part->splits++] = s;
    at /= (int)by;
  }
}

static void dimension_set(Nest *n, const Quotient *s, bool split) {
  n->dim[s->dim] = split ? s->t : s->whole;
  n->width[s->dim] = split ? s->width : s->whole_width;
  n->split[s->dim] = split ? s : NULL;
}

void part_enter(Nest *n, const AccPart *part) {
  for (int i = 0; i < part->splits; i++) {
    dimension_set(n, &part->split[i], true);
    acc_define(n->a, part->split[i].whole, *part->split[i].sum);
  }
}

void part_leave(Nest *n, const AccPart *part) {
  for (int i = 0; i < part->splits; i++) {
    dimension_set(n, &part->split[i], false);
    map_put(n->a->defs, part->split[i].whole.id, NULL);
  }
}
