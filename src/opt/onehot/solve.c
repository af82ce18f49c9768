// Conditions solved for the iteration: of an equality of sums that mentions j with factor 1 or -1
// and otherwise only what stands outside, j is what the rest says.
//
//   j == e, e == j, j + k == e, n - 1 - j == e      j := s (e - rest)
//   a j + r == e, |a| > 1                           j := (e - r) / a, where that divides
#include "onehot.h"
#include "opt/acc/acc.h"

// rest is without j and closed: k + sum of outer terms.
static Atom affine_atom(Builder *b, const Affine *l) {
  Atom sum = atom_i64(0);
  for (int i = 0; i < l->n; i++) {
    Atom term = build_op(b, OP_MUL, atom_var(l->v[i]), atom_i64(l->c[i] < 0 ? -l->c[i] : l->c[i]));
    sum = build_op(b, l->c[i] < 0 ? OP_SUB : OP_ADD, sum, term);
  }
  return build_op(b, l->k < 0 ? OP_SUB : OP_ADD, sum, atom_i64(l->k < 0 ? -l->k : l->k));
}

static bool is_closed(const Supports *s, const Affine *l) {
  for (int i = 0; i < l->n; i++)
    if (l->c[i] && map_get(s->inner, l->v[i].id)) return false;
  return l->ok && coef_is_small(l->k);
}

static Atom either(Builder *b, Atom x, Atom y) { return build_op(b, OP_AND, x, y); }

// 0 <= at < width, as far as it is not known.
static Atom test_range(Env *e, Atom at, Atom width) {
  Builder *b = &e->to;
  if (index_in_range(e, at, width)) return atom_bool(true);
  Atom least = atom_nonneg(e, at) ? atom_bool(true) : build_op(b, OP_LE, atom_i64(0), at);
  return either(b, least, build_op(b, OP_LT, at, width));
}

// factor * j + rest == 0
static void solved(Env *e, Affine *rest, int64_t factor, Atom width, OneCase *out) {
  Builder *b = &e->to;
  Affine minus = {.ok = true};
  affine_add(&minus, rest, factor > 0 ? -1 : 1);
  int64_t by = factor > 0 ? factor : -factor;
  int from = b->stms->len;
  Atom all = affine_atom(b, &minus), divides = atom_bool(true);
  out->at = all;
  if (by > 1) {
    Attrs saved = b->attrs;
    b->attrs.unchecked = true;
    out->at = build_op(b, OP_QUOT, all, atom_i64(by));
    divides = build_op(b, OP_EQ, build_op(b, OP_REM, all, atom_i64(by)), atom_i64(0));
    b->attrs = saved;
  }
  env_register(e, from);
  from = b->stms->len;
  out->in = either(b, divides, test_range(e, out->at, width));
  env_register(e, from);
}

static bool solve_one(Supports *s, const struct prim_form *p, Counter c, OneCase *out) {
  if (p->op != OP_EQ || p->prim != PRIM_I64) return false;
  Affine x = affine_of(s->exps, p->args.at[0]), y = affine_of(s->exps, p->args.at[1]);
  Affine l = affine_minus(&x, &y);
  int64_t factor = affine_coef(&l, c.j);
  if (!l.ok || !factor || factor == INT64_MIN) return false;
  affine_add_term(&l, c.j, -factor);
  // element j of the iterations is start + its number
  Affine from = affine_of(s->exps, c.start);
  affine_add(&l, &from, factor);
  if (!is_closed(s, &l)) return false;
  solved(s->e, &l, factor, c.width, out);
  return true;
}

bool solve_case(Supports *s, Support support, Counter counter, OneCase *out) {
  for (int i = 0; i < support.conds.len; i++) {
    const Stm *def = map_get(s->defs, support.conds.at[i].id);
    if (!def || def->exp.form != FORM_PRIM) continue;
    if (solve_one(s, &def->exp.prim, counter, out)) return true;
  }
  return false;
}
